/* What a bot does next, decided from what its client knows. No I/O, no time, no rules of any game.
 */
#ifndef SERVER_HOUSE_BOT_H
#define SERVER_HOUSE_BOT_H

#include "engine/position.h"
#include "protocol/client.h"
#include "protocol/message.h"

enum bot_moves {
    BOT_MOVES_RANDOM, /* any legal move, all equally likely */
    BOT_MOVES_CAPTURE, /* onto an occupied cell when it can, otherwise random; of a list that is too long for one message
                          it looks at the part where the move drawn is */
};
#define BOT_MOVES_WORDS "random, capture"

enum { BOT_TRY_AGAIN_MS = 1000 };

struct bot {
    enum bot_moves moves;
    bool keeps_moves; /* nobody may take a move back */
    uint64_t seed;
    char room[ROOM_ID_BYTES + 1]; /* of which these are versions: a rematch is another one */
    int64_t answered_version;     /* what was there then has been answered */
    int64_t drawn_version;        /* a move was drawn then, by this: */
    uint64_t drawn;
};

bool bot_moves_read(const char *word, enum bot_moves *moves);
void bot_init(struct bot *bot, enum bot_moves moves, uint64_t seed);
/* Is there something to do at the version the client knows now? */
bool bot_wants_to_act(const struct bot *bot, const struct client *client);
/* Moves when it must, declines draws, lets moves be taken back, accepts rematches: at most one command, handed to the client. Where that is the
 * question for a move that is not at hand it wants to act again, once that is answered. */
void bot_act(struct bot *bot, struct client *client);
/* Nothing is to be answered before the next move: whoever chooses it otherwise says so by bot_play. */
bool bot_must_choose(const struct bot *bot, const struct client *client);
/* The move that was chosen, as client_move has it. */
void bot_play(struct bot *bot, struct client *client, const char *from, const char *to,
              const char *choice);
/* The same of a legal move that was found on a position of the game. */
void bot_play_found(struct bot *bot, struct client *client, const struct game *game,
                    struct move move);
/* Instead of a move by which it may expect that `share` of the points, in thousandths: it claims what may be claimed on the position,
 * or agrees to a draw, if that is better. False: it is not. */
bool bot_end_game(struct bot *bot, struct client *client, struct position *position, int share);
/* What it did last was refused for now: it wants to act again, best after BOT_TRY_AGAIN_MS. */
void bot_forget_answer(struct bot *bot);

#endif
