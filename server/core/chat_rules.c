#include "server/core/chat_rules.h"

#include "server/core/identity.h"

#include <string.h>

enum { NOBODY = -1 };

static int find(const struct chat_rules *rules, struct text player)
{
    for (int i = 0; i < rules->muted_count; i++)
        if (text_is(player, rules->muted[i]))
            return i;
    return NOBODY;
}

void chat_rules_copy(struct chat_rules *to, const struct chat_rules *from)
{
    to->voices = from->voices;
    to->muted_count = from->muted_count;
    memcpy(to->muted, from->muted, sizeof *from->muted * (size_t)from->muted_count);
}

bool chat_rules_have_muted(const struct chat_rules *rules, struct text player)
{
    return find(rules, player) != NOBODY;
}

bool chat_rules_mute(struct chat_rules *rules, struct text player)
{
    if (player.length == 0 || player.length > PLAYER_ID_BYTES)
        return false;
    if (chat_rules_have_muted(rules, player))
        return true;
    if (rules->muted_count == CHAT_MUTED_MAX)
        return false;
    text_copy(player, rules->muted[rules->muted_count++], sizeof rules->muted[0]);
    return true;
}

bool chat_rules_unmute(struct chat_rules *rules, struct text player)
{
    int index = find(rules, player);
    if (player.length == 0 || player.length > PLAYER_ID_BYTES)
        return false;
    if (index != NOBODY)
        memmove(rules->muted[index], rules->muted[index + 1],
                sizeof rules->muted[0] * (size_t)(--rules->muted_count - index));
    return true;
}
