#include "engine/load/load.h"

#include "engine/load/definition.h"
#include "engine/load/document.h"

/* Compiling knows the pointers of what it complains about; where they stand is in the text. */
static void locate_errors(const char *text, size_t length, struct diagnostics *diagnostics,
                          int first)
{
    struct document document;
    struct diagnostics unused;
    diagnostics_init(&unused);
    if (document_open(&document, text, length, &unused)) {
        for (int i = first; i < diagnostics->count; i++) {
            struct diagnostic *error = &diagnostics->list[i];
            struct location location = document_locate_pointer(&document, error->pointer);
            error->line = location.line;
            error->column = location.column;
        }
        document_close(&document);
    }
    diagnostics_release(&unused);
}

struct game *game_load(const char *text, size_t length, const struct load_options *options,
                       struct diagnostics *diagnostics)
{
    struct definition *definition = definition_read(text, length, options, diagnostics);
    if (definition == NULL)
        return NULL;
    int found = diagnostics->count;
    struct game *game = game_compile(definition, diagnostics);
    if (game == NULL)
        locate_errors(text, length, diagnostics, found);
    definition_free(definition);
    return game;
}
