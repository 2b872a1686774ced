#include "engine/memory/memory.h"
#include "server/cli/engine_conversation.h"

#include <stdlib.h>

enum { PERFT_DEPTH_MAX = 10 };

/* --- playing ---------------------------------------------------------------------------------- */

static const struct outcome nothing_claimed = {
    .kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};

static json_t *show_state(struct engine *engine, json_t *request)
{
    return engine_state_answer(engine, json_is_true(json_object_get(request, "short")));
}

void engine_forget_plies(struct engine *engine)
{
    for (size_t i = 0; i < engine->ply_count; i++)
        undo_free(engine->plies[i]);
    engine->ply_count = 0;
    engine->claimed = nothing_claimed;
}

json_t *engine_do_new(struct engine *engine, json_t *request)
{
    engine_forget_plies(engine);
    position_reset(engine->position);
    return show_state(engine, request);
}

json_t *engine_do_state(struct engine *engine, json_t *request)
{
    return show_state(engine, request);
}

static void remember_ply(struct engine *engine, struct move move)
{
    if (engine->ply_count == engine->ply_room) {
        size_t room = engine->ply_room == 0 ? 64 : engine->ply_room * 2;
        engine->plies = memory_resize(engine->plies, room, sizeof(struct undo *));
        engine->ply_room = room;
    }
    struct undo *undo = undo_new(engine->game);
    engine->plies[engine->ply_count++] = undo;
    position_make(engine->position, move, undo);
}

static bool find_legal(struct engine *engine, const struct wanted_move *wanted, struct move *move)
{
    *move = wanted->move;
    if (wanted->found)
        return true;
    if (wanted->to != CELL_NONE || wanted->choice == CHOICE_SWAP)
        return movegen_find(engine->position, wanted->from, wanted->to, wanted->choice, move);
    int count = movegen_all(engine->position, engine->moves);
    for (int i = 0; i < count; i++) {
        if (!move_is_pass(engine->moves[i]))
            continue;
        *move = engine->moves[i];
        return true;
    }
    return false;
}

/* With the words of the file that forbid it. */
static json_t *refuse_move(struct engine *engine, const struct wanted_move *wanted)
{
    json_t *answer = engine_refuse(REFUSAL_ILLEGAL_MOVE, "this is not a legal move");
    json_t *error = json_object_get(answer, "error"), *why = engine_explain(engine, wanted);
    json_t *words = json_object_get(why, "words");
    if (json_string_length(words) > 0)
        json_object_set(error, "message", words);
    json_object_del(why, "words");
    json_object_update_new(error, why);
    return answer;
}

json_t *engine_do_move(struct engine *engine, json_t *request)
{
    struct wanted_move wanted;
    json_t *refusal = engine_read_move(engine, json_object_get(request, "move"), &wanted);
    if (refusal != NULL)
        return refusal;
    if (engine_outcome(engine).kind != OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    struct move move;
    if (!find_legal(engine, &wanted, &move))
        return refuse_move(engine, &wanted);
    json_t *shown = engine_show_move(engine, move, true);
    remember_ply(engine, move);
    json_t *answer = show_state(engine, request);
    json_object_set_new(answer, "move", shown);
    return answer;
}

json_t *engine_do_undo(struct engine *engine, json_t *request)
{
    if (engine->claimed.kind != OUTCOME_PLAYING) {
        engine->claimed = nothing_claimed;
        return show_state(engine, request);
    }
    if (engine->ply_count == 0)
        return engine_refuse(REFUSAL_NOTHING_TO_UNDO,
                             "no move has been made since the start or the load");
    struct undo *undo = engine->plies[--engine->ply_count];
    position_unmake(engine->position, undo);
    undo_free(undo);
    return show_state(engine, request);
}

json_t *engine_do_claim(struct engine *engine, json_t *request)
{
    if (engine_outcome(engine).kind != OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    struct outcome claim = position_claim(engine->position);
    if (claim.kind == OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_NOTHING_TO_CLAIM, "nothing may be claimed here");
    engine->claimed = claim;
    return show_state(engine, request);
}

/* --- asking ----------------------------------------------------------------------------------- */

json_t *engine_do_explain(struct engine *engine, json_t *request)
{
    struct wanted_move wanted;
    json_t *move = json_object_get(request, "move");
    json_t *refusal = engine_read_move(engine, move != NULL ? move : request, &wanted);
    if (refusal != NULL)
        return refusal;
    return json_pack("{s:o}", "explanation", engine_explain(engine, &wanted));
}

json_t *engine_do_outcome(struct engine *engine, json_t *request)
{
    static const char *const keys[] = {"status", "result", "ranks", "out", "claims"};
    (void)request;
    json_t *answer = engine_state_answer(engine, true), *state = json_object_get(answer, "state");
    json_t *outcome = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(state, keys[i]) != NULL)
            json_object_set(outcome, keys[i], json_object_get(state, keys[i]));
    json_decref(answer);
    return json_pack("{s:o}", "outcome", outcome);
}

json_t *engine_do_perft(struct engine *engine, json_t *request)
{
    json_t *depth = json_object_get(request, "depth");
    json_int_t value = json_integer_value(depth);
    if (!json_is_integer(depth) || value < 0 || value > PERFT_DEPTH_MAX)
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"depth\" must be a whole number from 0 to 10");
    uint64_t nodes = perft(engine->position, (int)value);
    return json_pack("{s:I}", "nodes", (json_int_t)nodes);
}

json_t *engine_do_quit(struct engine *engine, json_t *request)
{
    (void)request;
    engine->quit = true;
    return json_pack("{s:b}", "quit", 1);
}

/* --- setting up ------------------------------------------------------------------------------- */

static json_t *load_text(struct engine *engine, json_t *text)
{
    char words[NOTATION_WORDS_BYTES];
    if (!game_has_position_notation(engine->game))
        return engine_refuse(REFUSAL_NO_NOTATION,
                             "this game says nothing about how positions are written");
    if (!json_is_string(text))
        return engine_refuse(REFUSAL_BAD_REQUEST, "a position is a text");
    if (notation_read_position(engine->notation, engine->draft, json_string_value(text), words))
        return NULL;
    return engine_refuse(REFUSAL_BAD_POSITION, words);
}

static json_t *accept_draft(struct engine *engine, json_t *request, json_t *refusal)
{
    if (refusal != NULL)
        return refusal;
    engine_forget_plies(engine);
    position_copy(engine->position, engine->draft);
    return show_state(engine, request);
}

json_t *engine_do_load(struct engine *engine, json_t *request)
{
    json_t *text = json_object_get(request, "position");
    return accept_draft(engine, request,
                        text != NULL
                            ? load_text(engine, text)
                            : engine_load_state(engine, json_object_get(request, "state")));
}

static json_t *show_text(struct engine *engine)
{
    json_t *answer = NULL;
    char *text = memory_bytes(NOTATION_POSITION_BYTES);
    if (notation_write_position(engine->notation, engine->position, text))
        answer = json_pack("{s:s}", "fen", text);
    free(text);
    return answer != NULL ? answer
                          : engine_refuse(REFUSAL_NO_NOTATION, "this position cannot be written");
}

json_t *engine_do_fen(struct engine *engine, json_t *request)
{
    json_t *text = json_object_get(request, "fen");
    if (text == NULL)
        return show_text(engine);
    return accept_draft(engine, request, load_text(engine, text));
}
