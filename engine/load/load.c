#include "engine/load/load.h"

#include "engine/load/definition.h"

struct game *game_load(const char *text, size_t length, const struct load_options *options,
                       struct diagnostics *diagnostics)
{
    struct definition *definition = definition_read(text, length, options, diagnostics);
    if (definition == NULL)
        return NULL;
    struct game *game = game_compile(definition, diagnostics);
    definition_free(definition);
    return game;
}
