/* Questions: about games, about a room's moves, about the lobby. They change nothing. */
#include "server/core/handlers.h"

#include "server/core/compile.h"
#include "server/core/holdings.h"
#include "server/core/reply.h"
#include "server/core/view.h"

#include <stdio.h>

/* --- games ------------------------------------------------------------------------------------ */

static enum refusal list_games(struct request *request)
{
    char language[WORD_BYTES_MAX + 1];
    text_copy(request->message->games.language, language, sizeof language);
    struct writer *writer = reply_begin(request->core, "games", request->message->id);
    writer_key(writer, "games");
    catalogue_write_list(&request->core->catalogue, language, writer);
    writer_end(writer);
    session_send_written(request->core, request->session);
    return REFUSAL_NONE;
}

static enum refusal get_game(struct request *request)
{
    struct text id = request->message->games.game;
    const struct served_game *game =
        catalogue_find_game(&request->core->catalogue, id.data, id.length);
    if (!game)
        return REFUSAL_UNKNOWN_GAME;
    struct writer *writer = reply_begin(request->core, "games", request->message->id);
    writer_key(writer, "game");
    catalogue_write_game(game, writer);
    writer_end(writer);
    session_send_written(request->core, request->session);
    return REFUSAL_NONE;
}

static enum refusal validate_game(struct request *request)
{
    struct text definition = request->message->games.definition;
    if (!holdings_may_grow(request->core)) {
        snprintf(request->words, sizeof request->words, "%s", holdings_no_memory_words);
        return REFUSAL_UNAVAILABLE;
    }
    struct compile_wish wish = {.purpose = COMPILE_TO_VALIDATE,
                                .author.peer = request->session->peer};
    char hash[DIGEST_HEX_DIGITS + 1];
    catalogue_hash(definition.data, definition.length, hash);
    text_copy(request->message->id, wish.author.command, sizeof wish.author.command);
    request->retry_ms =
        compile_ask(request->core, request->session->account,
                    &(struct compile_source){.hash = hash, .text = definition}, &wish);
    return request->retry_ms > 0 ? REFUSAL_UNAVAILABLE : REFUSAL_NONE;
}

void browse_validated(struct core *core, const struct author *author, const struct game *game,
                      const struct diagnostics *diagnostics)
{
    struct session *session = session_find(core, author->peer);
    if (!session)
        return;
    if (!game && diagnostics->no_memory) {
        reply_unavailable(core, session, text_of(author->command), text_of(""));
        return;
    }
    const char *fault = game ? catalogue_game_fault(game) : NULL;
    struct diagnostics of_board;
    diagnostics_init(&of_board);
    if (fault)
        diagnostics_add(&of_board, (struct finding){.pointer = "/board"}, "", "%s", fault);
    struct writer *writer = reply_begin(core, "games", text_of(author->command));
    writer_key(writer, "valid");
    writer_boolean(writer, game != NULL && !fault);
    writer_key(writer, "diagnostics");
    reply_write_diagnostics(writer, fault ? &of_board : diagnostics);
    writer_end(writer);
    session_send_written(core, session);
    diagnostics_release(&of_board);
}

enum refusal browse_games(struct request *request)
{
    switch (request->message->games.op) {
    case GAMES_LIST:
        return list_games(request);
    case GAMES_GET:
        return get_game(request);
    case GAMES_VALIDATE:
        return validate_game(request);
    case GAMES_GUIDE:
        return browse_guide(request);
    case GAMES_PUBLISH:
        return REFUSAL_UNSUPPORTED;
    }
    return REFUSAL_UNSUPPORTED;
}

/* --- a room ----------------------------------------------------------------------------------- */

static struct writer *begin_room_answer(struct request *request)
{
    struct writer *writer = reply_begin(request->core, "legal_moves", request->message->id);
    writer_key(writer, "room");
    writer_string(writer, request->room->id);
    writer_member_integer(writer, "version", request->room->version);
    return writer;
}

/* Why one move is legal, or why it is not. */
static enum refusal explain_one(struct request *request, cell_index from)
{
    const struct message *message = request->message;
    const struct room *room = request->room;
    cell_index to = find_place(room->edition->game, &message->legal_moves.to);
    uint8_t choice;
    if (to == CELL_NONE)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "to: the game has no such cell");
    if (read_choice(request, message->legal_moves.choice, &choice) != REFUSAL_NONE)
        return REFUSAL_BAD_MESSAGE;
    struct explanation explanation;
    explain_move(room, from, to, choice, &explanation);
    struct move move = {from, to, 0, choice};
    struct writer *writer = begin_room_answer(request);
    writer_key(writer, "moves");
    writer_array(writer);
    if (explanation.verdict == VERDICT_LEGAL)
        view_write_move(writer, room->edition, move);
    writer_end(writer);
    writer_key(writer, "explanation");
    view_write_explanation(writer, &explanation);
    writer_end(writer);
    session_send_written(request->core, request->session);
    return REFUSAL_NONE;
}

enum refusal browse_legal_moves(struct request *request)
{
    const struct room *room = request->room;
    const struct message *message = request->message;
    cell_index from = CELL_NONE;
    if (room->standing.status == STATUS_WAITING)
        return REFUSAL_NOT_STARTED;
    if (room->standing.status == STATUS_FINISHED)
        return REFUSAL_GAME_OVER;
    if (message->legal_moves.has_cell) {
        from = find_place(room->edition->game, &message->legal_moves.cell);
        if (from == CELL_NONE)
            return refuse_because(request, REFUSAL_BAD_MESSAGE, "cell: the game has no such cell");
    }
    if (message->legal_moves.has_to) /* without a cell: of what is put there */
        return explain_one(request, from);
    struct writer *writer = begin_room_answer(request);
    writer_key(writer, "moves");
    if (message->legal_moves.explain) {
        position_copy(room->edition->scratch, room->position);
        view_write_explained_moves(writer, room->edition, room->edition->scratch, from,
                                   request->core->catalogue.moves);
    } else {
        int64_t skip = message->legal_moves.skip;
        struct view_moves_written written = view_write_legal_moves(
            writer, room->edition, room->position, from, (int)skip, request->core->catalogue.moves);
        writer_member_integer(writer, "skip", skip);
        writer_member_integer(writer, "count", written.count);
    }
    writer_end(writer);
    session_send_written(request->core, request->session);
    return REFUSAL_NONE;
}

/* --- the lobby -------------------------------------------------------------------------------- */

enum refusal browse_lobby_subscribe(struct request *request)
{
    return lobby_subscribe(request->core, request->session, request->message->id,
                           request->message->lobby_subscribe.from)
               ? REFUSAL_NONE
               : REFUSAL_UNAVAILABLE;
}

void browse_mine_answered(struct core *core, const struct ticket *ticket,
                          const struct store_answer *answer)
{
    struct session *session = session_find(core, ticket->peer);
    if (!session)
        return;
    if (answer->status != STORE_OK)
        reply_unavailable(core, session, text_of(ticket->command), (struct text){NULL, 0});
    else
        lobby_answer(core, session, ticket->command, answer->rooms, answer->room_count);
}

enum refusal browse_lobby_unsubscribe(struct request *request)
{
    lobby_unsubscribe(request->session);
    acknowledge(request, 0);
    return REFUSAL_NONE;
}
