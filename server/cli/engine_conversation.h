/* What the engine_*.c files share: one game being talked about. Private to them.
 *
 *   engine_lines.c     a line in, a line out: which command it asks for
 *   engine_commands.c  playing, asking, setting up
 *   engine_state.c     how a position is shown, and `load`
 *   engine_moves.c     how a move is read and shown
 *   engine_game.c      loading a game's text, what is wrong with it, what it is
 *   engine_layout.c    what it looks like, or would with other cells
 *   engine_reach.c     where figures may go and may not, and why
 *   engine_words.c     which cells the words of the file speak of
 *   engine_random.c    random moves and games (random_games.h)
 *   engine_hint.c      which moves are good */
#ifndef SERVER_CLI_ENGINE_CONVERSATION_H
#define SERVER_CLI_ENGINE_CONVERSATION_H

#include "engine/movegen.h"
#include "engine/notation.h"

#include <jansson.h>

/* Why a request is refused. The code is for programs; words that say more are given where it happens. */
#define ENGINE_REFUSALS(X)                                                                         \
    X(BAD_JSON, "bad_json")                                                                        \
    X(TOO_LONG, "too_long")                                                                        \
    X(BAD_REQUEST, "bad_request")                                                                  \
    X(UNKNOWN_COMMAND, "unknown_command")                                                          \
    X(UNKNOWN_CELL, "unknown_cell")                                                                \
    X(UNKNOWN_CHOICE, "unknown_choice")                                                            \
    X(ILLEGAL_MOVE, "illegal_move")                                                                \
    X(GAME_OVER, "game_over")                                                                      \
    X(NOTHING_TO_CLAIM, "nothing_to_claim")                                                        \
    X(NOTHING_TO_UNDO, "nothing_to_undo")                                                          \
    X(BAD_POSITION, "bad_position")                                                                \
    X(NO_NOTATION, "no_notation")                                                                  \
    X(BAD_STATE, "bad_state")                                                                      \
    X(NO_GAME, "no_game")                                                                          \
    X(BAD_GAME, "bad_game")                                                                        \
    X(TOO_MUCH, "too_much")

#define REFUSAL(name, code) REFUSAL_##name,
enum refusal { ENGINE_REFUSALS(REFUSAL) };
#undef REFUSAL

struct engine {
    struct game *game; /* NULL: none yet, and then there is nothing up to `plies` */
    char *text;        /* of its file */
    size_t text_length;
    struct position *position,
        *draft; /* the draft is where `load` puts things before they are accepted */
    struct notation *notation;
    struct move *moves;
    struct judge *judge; /* made when it is asked for a hint first */
    struct undo **plies; /* what takes each move back that was made */
    size_t ply_count, ply_room;
    struct outcome claimed; /* PLAYING: the game has not been ended by a claim */
    bool quit;
};

json_t *engine_refuse(enum refusal refusal, const char *message);
/* A text for an answer. Words about bad input may have been cut in the middle of a character; such bytes are shown as
 * question marks. */
json_t *engine_string(const char *text);

/* A game of this file, which it takes; NULL where it does not load. */
struct game *engine_load_file(json_t *file);

/* The commands. The answer is the caller's; never NULL. */
json_t *engine_do_game(struct engine *engine, json_t *request);
json_t *engine_do_check(struct engine *engine, json_t *request);
json_t *engine_do_new(struct engine *engine, json_t *request);
json_t *engine_do_state(struct engine *engine, json_t *request);
json_t *engine_do_load(struct engine *engine, json_t *request);
json_t *engine_do_fen(struct engine *engine, json_t *request);
json_t *engine_do_move(struct engine *engine, json_t *request);
json_t *engine_do_undo(struct engine *engine, json_t *request);
json_t *engine_do_moves(struct engine *engine, json_t *request);
json_t *engine_do_explain(struct engine *engine, json_t *request);
json_t *engine_do_claim(struct engine *engine, json_t *request);
json_t *engine_do_outcome(struct engine *engine, json_t *request);
json_t *engine_do_perft(struct engine *engine, json_t *request);
json_t *engine_do_layout(struct engine *engine, json_t *request);
json_t *engine_do_tests(struct engine *engine, json_t *request);
json_t *engine_do_targets(struct engine *engine, json_t *request);
json_t *engine_do_choose(struct engine *engine, json_t *request);
json_t *engine_do_random(struct engine *engine, json_t *request);
json_t *engine_do_hint(struct engine *engine, json_t *request);
json_t *engine_do_cells(struct engine *engine, json_t *request);
json_t *engine_do_quit(struct engine *engine, json_t *request);

/* Back to where moves can be taken back to, with no claim made. */
void engine_forget_plies(struct engine *engine);

void engine_forget_judge(struct engine *engine);

/* How it stands, a claim included. */
struct outcome engine_outcome(const struct engine *engine);

/* {"state":…}; without the cells if `brief`. */
json_t *engine_state_answer(struct engine *engine, bool brief);
/* Puts onto the draft what `state` shows; NULL, or the refusal. */
json_t *engine_load_state(struct engine *engine, json_t *state);

/* A cell by its name, its coordinates joined with `_`, or an object of coordinates; CELL_NONE for anything else. */
cell_index engine_read_cell(const struct engine *engine, json_t *value);
/* A move that somebody asks for: its cells and its choice, or a text. NULL, or the refusal. A text that names no two cells
 * is `found` among the legal moves or refused. */
struct wanted_move {
    cell_index from, to;
    uint8_t choice;
    bool found;
    struct move move; /* of found */
};
json_t *engine_read_move(struct engine *engine, json_t *value, struct wanted_move *wanted);
/* The move with its texts; both styles if `algebraic`. */
json_t *engine_show_move(struct engine *engine, struct move move, bool algebraic);
/* With both, as it is made in another position of the game. */
json_t *engine_show_move_in(struct engine *engine, struct position *position, struct move move);
/* Why a move is legal or not: {"verdict":…,"words":…,"pointers":[…]}. */
json_t *engine_explain(struct engine *engine, const struct wanted_move *wanted);

#endif
