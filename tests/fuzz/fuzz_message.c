/* Whatever arrives, message_read answers; what it admits keeps the bounds of message.h; and written
 * out again it means the same (decode, encode, decode, encode: both texts are equal). A move that was read in its plain
 * form means the same the long way. */
#include "protocol/message.h"
#include "protocol/time_control.h"
#include "protocol/writer.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <string.h>

static void write_text(struct writer *writer, const char *name, struct text text)
{
    if (text.data == NULL)
        return;
    writer_key(writer, name);
    writer_string_bytes(writer, text.data, text.length);
}

static void write_word(struct writer *writer, const char *name, const char *word)
{
    writer_key(writer, name);
    writer_string(writer, word);
}

static void write_version(struct writer *writer, const char *name, int64_t version)
{
    assert(version < INT64_C(9007199254740992));
    if (version < 0)
        return;
    writer_key(writer, name);
    writer_integer(writer, version);
}

static void write_place(struct writer *writer, const char *name, const struct place *place)
{
    if (place->name.data != NULL) {
        assert(place->name.length >= 1 && place->name.length <= WORD_BYTES_MAX);
        write_text(writer, name, place->name);
        return;
    }
    assert(place->coordinate_count >= 1 && place->coordinate_count <= PLACE_DIMENSIONS_MAX);
    writer_key(writer, name);
    writer_object(writer);
    for (int i = 0; i < place->coordinate_count; i++) {
        assert(place->coordinates[i].name.length <= WORD_BYTES_MAX);
        writer_key_bytes(writer, place->coordinates[i].name.data,
                         place->coordinates[i].name.length);
        writer_integer(writer, place->coordinates[i].value);
    }
    writer_end(writer);
}

static void write_true(struct writer *writer, const char *name)
{
    writer_key(writer, name);
    writer_boolean(writer, true);
}

static void write_move(struct writer *writer, const struct message *message)
{
    write_version(writer, "version", message->move.version);
    writer_key(writer, "move");
    writer_object(writer);
    if (message->move.move.pass || message->move.move.swap) {
        write_true(writer, message->move.move.pass ? "pass" : "swap");
    } else {
        if (!message->move.move.placement)
            write_place(writer, "from", &message->move.move.from);
        write_place(writer, "to", &message->move.move.to);
        write_text(writer, "choice", message->move.move.choice);
    }
    writer_end(writer);
}

static void write_legal_moves(struct writer *writer, const struct message *message)
{
    bool has_cell = message->legal_moves.has_cell, has_to = message->legal_moves.has_to;
    assert(has_cell || has_to || !message->legal_moves.explain);
    assert(message->legal_moves.explain || !has_to);
    if (!has_cell && !has_to)
        return;
    if (has_cell)
        write_place(writer, "cell", &message->legal_moves.cell);
    if (message->legal_moves.explain)
        write_true(writer, "explain");
    if (has_to)
        write_place(writer, "to", &message->legal_moves.to);
    write_text(writer, "choice", message->legal_moves.choice);
}

static void write_games(struct writer *writer, const struct message *message)
{
    static const char *const ops[] = {"list", "get", "validate", "publish"};
    write_word(writer, "op", ops[message->games.op]);
    write_text(writer, "game", message->games.game);
    write_text(writer, "definition", message->games.definition);
}

static void write_clock(struct writer *writer, const void *value)
{
    struct time_control control;
    char words[TIME_WORDS_BYTES];
    if (value == NULL)
        return;
    bool read = time_control_read(value, &control, words);
    assert(read);
    writer_key(writer, "clock");
    time_control_write(&control, writer);
}

static void write_create(struct writer *writer, const struct message *message)
{
    assert((message->create.game.data == NULL) != (message->create.definition.data == NULL));
    write_text(writer, "game", message->create.game);
    write_text(writer, "definition", message->create.definition);
    if (message->create.visibility != VISIBILITY_USUAL)
        write_word(writer, "visibility",
                   message->create.visibility == VISIBILITY_PUBLIC ? "public" : "private");
    assert(message->create.players >= 0 && message->create.players <= PLAYER_COUNT_MAX);
    if (message->create.players != 0)
        write_version(writer, "players", message->create.players);
    write_clock(writer, message->create.clock);
}

static void write_seek(struct writer *writer, const struct message *message)
{
    assert(message->seek.game.length >= 1 && message->seek.game.length <= WORD_BYTES_MAX);
    assert(message->seek.seat.length <= WORD_BYTES_MAX);
    assert(message->seek.name.data != NULL && message->seek.name.length <= DISPLAY_NAME_BYTES_MAX);
    assert(message->seek.players >= 0 && message->seek.players <= PLAYER_COUNT_MAX);
    write_text(writer, "game", message->seek.game);
    write_text(writer, "seat", message->seek.seat);
    write_text(writer, "name", message->seek.name);
    if (message->seek.players != 0)
        write_version(writer, "players", message->seek.players);
    write_word(writer, "as", message->seek.as == PLAYER_BOT ? "bot" : "human");
    writer_key(writer, "bots");
    writer_boolean(writer, !message->seek.no_bots);
    write_clock(writer, message->seek.clock);
}

static void write_join(struct writer *writer, const struct message *message)
{
    struct text way = message->join.key.data ? message->join.key : message->join.seat;
    assert(!message->join.key.data || !message->join.seat.data);
    assert(way.length >= 1 && way.length <= WORD_BYTES_MAX);
    assert(message->join.name.data != NULL && message->join.name.length <= DISPLAY_NAME_BYTES_MAX);
    write_text(writer, "seat", message->join.seat);
    write_text(writer, "key", message->join.key);
    write_text(writer, "name", message->join.name);
    write_word(writer, "as", message->join.as == PLAYER_BOT ? "bot" : "human");
}

static void write_fields(struct writer *writer, const struct message *message)
{
    switch (message->kind) {
    case MESSAGE_AUTH:
        write_text(writer, "token", message->auth.token);
        writer_key(writer, "legal_moves");
        writer_boolean(writer, !message->auth.no_moves);
        return;
    case MESSAGE_GAMES:
        write_games(writer, message);
        return;
    case MESSAGE_CREATE:
        write_create(writer, message);
        return;
    case MESSAGE_JOIN:
        write_join(writer, message);
        return;
    case MESSAGE_MOVE:
        write_move(writer, message);
        return;
    case MESSAGE_ACTION:
        write_word(writer, "kind", action_request_word(message->action.kind));
        write_text(writer, "seat", message->action.seat);
        write_text(writer, "player", message->action.player);
        if (message->action.kind == ACTION_REQUEST_CLAIM_TIMEOUT)
            write_word(writer, "as", message->action.as_draw ? "draw" : "win");
        if (message->action.level > 0)
            writer_member_integer(writer, "level", message->action.level);
        return;
    case MESSAGE_CHAT:
        assert(message->chat.text.length >= 1 && message->chat.text.length <= CHAT_BYTES_MAX);
        write_text(writer, "text", message->chat.text);
        return;
    case MESSAGE_LEGAL_MOVES:
        write_legal_moves(writer, message);
        return;
    case MESSAGE_HISTORY:
        assert(message->history.from >= 1 && message->history.from <= message->history.to);
        write_version(writer, "from", message->history.from);
        write_version(writer, "to", message->history.to);
        return;
    case MESSAGE_HINT:
        assert(message->hint.ply >= -1 && message->hint.lines >= 1 &&
               message->hint.lines <= HINT_LINES_MAX);
        if (message->hint.ply >= 0)
            write_version(writer, "ply", message->hint.ply);
        writer_member_integer(writer, "lines", message->hint.lines);
        return;
    case MESSAGE_RESUME:
        assert(message->resume.version >= 0);
        write_version(writer, "version", message->resume.version);
        return;
    case MESSAGE_SEEK:
        write_seek(writer, message);
        return;
    case MESSAGE_SEEK_CANCEL:
        write_text(writer, "seek", message->seek_cancel.seek);
        return;
    case MESSAGE_PING:
    case MESSAGE_LEAVE:
    case MESSAGE_SYNC:
    case MESSAGE_SEAT_KEY:
    case MESSAGE_LOBBY_SUBSCRIBE:
    case MESSAGE_LOBBY_UNSUBSCRIBE:
    case MESSAGE_KIND_COUNT:
        return;
    }
}

static void write_message(struct writer *writer, const struct message *message)
{
    assert(message->id.length >= 1 && message->id.length <= COMMAND_ID_BYTES_MAX);
    assert(message->room.data == NULL ||
           (message->room.length >= 1 && message->room.length <= WORD_BYTES_MAX));
    writer_object(writer);
    write_word(writer, "type", message_kind_word(message->kind));
    write_text(writer, "id", message->id);
    write_text(writer, "room", message->room);
    write_fields(writer, message);
    writer_end(writer);
}

/* A member that nobody knows, whose name is an escape, keeps a text from being plain. */
static void read_the_long_way(const char *text, size_t length, const struct writer *plain)
{
    static const char unknown[] = "{\"\\u0020\":0,";
    const char *first = memchr(text, '{', length);
    struct message message;
    struct message_fault fault;
    struct writer longer, again;
    assert(first != NULL);
    writer_init(&longer);
    writer_init(&again);
    writer_raw(&longer, unknown, strlen(unknown));
    writer_raw(&longer, first + 1, length - (size_t)(first + 1 - text));
    enum refusal refusal = message_read(longer.data, longer.length, &message, &fault);
    assert(refusal == REFUSAL_NONE && message.text == NULL);
    write_message(&again, &message);
    assert(again.length == plain->length && memcmp(again.data, plain->data, again.length) == 0);
    message_release(&message);
    writer_release(&longer);
    writer_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message message;
    struct message_fault fault;
    struct writer first, second;
    if (message_read((const char *)data, size, &message, &fault) != REFUSAL_NONE) {
        assert(strlen(fault.words) > 0 && strlen(fault.reply_id) <= COMMAND_ID_BYTES_MAX);
        return 0;
    }
    writer_init(&first);
    writer_init(&second);
    write_message(&first, &message);
    bool is_plain = message.text != NULL;
    message_release(&message);
    if (is_plain)
        read_the_long_way((const char *)data, size, &first);
    /* A definition sent as an object comes back as a string, and its quotation marks take an escape
     * each. */
    if (first.length <= MESSAGE_BYTES_MAX) {
        enum refusal refusal = message_read(first.data, first.length, &message, &fault);
        assert(refusal == REFUSAL_NONE);
        write_message(&second, &message);
        message_release(&message);
        assert(first.length == second.length);
        assert(memcmp(first.data, second.data, first.length) == 0);
    }
    writer_release(&first);
    writer_release(&second);
    return 0;
}
