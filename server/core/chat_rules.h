/* Whose words are wanted in a room: the players say so, of everybody or of one who watches. A value, part of the standing. */
#ifndef SERVER_CORE_CHAT_RULES_H
#define SERVER_CORE_CHAT_RULES_H

#include "protocol/message.h"

enum { CHAT_MUTED_MAX = 32 }; /* there is a word for all who watch */

struct chat_rules {
    enum chat_voices voices;
    int muted_count;
    char muted[CHAT_MUTED_MAX][PLAYER_ID_BYTES + 1];
};

void chat_rules_copy(struct chat_rules *to, const struct chat_rules *from); /* what is in use */
bool chat_rules_have_muted(const struct chat_rules *rules, struct text player);
/* False when there are too many, or nobody is called so; one who is muted already stays so. Unmuting alike. */
bool chat_rules_mute(struct chat_rules *rules, struct text player);
bool chat_rules_unmute(struct chat_rules *rules, struct text player);

#endif
