#include "server/core/holdings.h"

#include "server/core/loading.h"

const char holdings_full_words[] =
    "games of players' own that are being played take all the memory there is for them";
const char holdings_no_memory_words[] = "there is not enough memory for this now";

bool holdings_make_room(struct core *core, size_t bytes)
{
    const size_t most = (size_t)core->options.definitions_mib * 1024 * 1024;
    while (core->catalogue.bytes + bytes > most)
        if (!catalogue_forget_unplayed(&core->catalogue) && !loading_forget_strangers(core))
            return false;
    return true;
}

bool holdings_has_room_for(struct core *core, const struct edition *edition)
{
    return edition->served || holdings_make_room(core, position_bytes(edition->game));
}

bool holdings_may_grow(struct core *core)
{
    if (!core->ports.memory_is_short || !core->ports.memory_is_short(core->ports.context))
        return true;
    while (catalogue_forget_unplayed(&core->catalogue) || loading_forget_strangers(core))
        continue;
    return false;
}
