#include "server/core/holdings.h"

#include "server/core/loading.h"

static const char full_words[] =
    "games of players' own that are being played take all the memory there is for them";
const char holdings_own_words[] = "games of your own address that are being played take all the "
                                  "memory there is for one address";
const char holdings_no_memory_words[] = "there is not enough memory for this now";

bool holdings_make_room(struct core *core, size_t bytes)
{
    const size_t most = (size_t)core->options.definitions_mib * 1024 * 1024;
    while (core->catalogue.bytes + bytes > most)
        if (!catalogue_forget_unplayed(&core->catalogue) && !loading_forget_strangers(core, NULL))
            return false;
    return true;
}

bool holdings_may_bring(struct core *core, const struct account *account, size_t bytes)
{
    size_t most = (size_t)core->options.address_definitions_mib * 1024 * 1024;
    for (; account && !account->unlimited; account = account->wider, most *= ACCOUNT_WIDER_TIMES)
        while (account->definition_bytes + bytes > most)
            if (!catalogue_forget_unplayed_of(&core->catalogue, account) &&
                !loading_forget_strangers(core, account))
                return false;
    return true;
}

struct edition *holdings_add(struct core *core, const struct definition_text *definition,
                             struct game *game, struct account *account, const char **why)
{
    size_t bytes = catalogue_edition_bytes(game, definition->length);
    bool may = holdings_may_bring(core, account, bytes);
    *why = may ? full_words : holdings_own_words;
    if (!may || !holdings_make_room(core, bytes)) {
        game_release(game);
        return NULL;
    }
    struct edition *edition =
        catalogue_add_edition(&core->catalogue, definition->hash, definition->players,
                              definition->text, definition->length, game);
    edition_set_author(edition, account);
    return edition;
}

bool holdings_has_room_for(struct core *core, const struct edition *edition)
{
    return edition->served || holdings_make_room(core, position_bytes(edition->game));
}

bool holdings_may_grow(struct core *core)
{
    if (!core->ports.memory_is_short || !core->ports.memory_is_short(core->ports.context))
        return true;
    while (catalogue_forget_unplayed(&core->catalogue) || loading_forget_strangers(core, NULL))
        continue;
    return false;
}
