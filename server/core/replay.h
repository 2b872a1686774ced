/* A record played again by the rules it was played by. The definition must have the hash it names and compile; the events
 * must follow one another without a gap, each as the rules allow, from the room's creation on.
 *
 * A function of the text alone, slow where the game is long: done on a thread, or by `senet replay`. */
#ifndef SERVER_CORE_REPLAY_H
#define SERVER_CORE_REPLAY_H

#include "engine/load/extends.h"
#include "protocol/record.h"
#include "server/core/digest.h"
#include "server/core/past.h"
#include "server/core/standing.h"

enum { REPLAY_WORDS_BYTES = 512 };

struct replayed_move {
    struct move move;
    player_index player;
    uint32_t left_ms; /* what the player's clock said then; of no meaning without one */
};

struct replay {
    const struct bases *bases; /* games that the definition may extend; NULL: it is whole */
    struct whole_text whole;
    struct record record;             /* its definition is whole once this runs */
    char hash[DIGEST_HEX_DIGITS + 1]; /* of the definition */
    struct game *game;
    int players; /* of the edition, see catalogue.h */
    struct position *position;
    struct standing standing;
    int64_t created_at_ms;
    int move_count, move_size;
    int begun_ply;               /* moves made before play began */
    struct replayed_move *moves; /* owned */
    struct past past;
    char words[REPLAY_WORDS_BYTES];
};

/* After each step, of which a first event may have several (see unfold.h). */
typedef void replay_on_step(void *context, const struct replay *replay, int64_t version,
                            const struct event *event);

/* `replay` is all zero but for `bases`. Within a stretch (engine/work.h) it takes no longer than that allows, and is refused then. False, with `words` that say which event and why. To be released in either
 * case. `on_step` may be NULL. */
bool replay_run(struct replay *replay, const char *text, size_t length, replay_on_step *on_step,
                void *context);
void replay_release(struct replay *replay);

#endif
