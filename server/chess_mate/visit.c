#include "server/chess_mate/visit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY_PAGE = 200 };

void visit_init(struct visit *visit)
{
    memset(visit, 0, sizeof *visit);
    writer_init(&visit->say);
    board_init(&visit->scorebook.board);
}

void visit_release(struct visit *visit)
{
    scorebook_release(&visit->scorebook);
    writer_release(&visit->say);
}

static void end(struct visit *visit, enum visit_outcome outcome)
{
    visit->step = VISIT_OVER;
    visit->outcome = outcome;
    writer_clear(&visit->say);
}

void visit_break_off(struct visit *visit)
{
    if (visit->step != VISIT_OVER)
        end(visit, VISIT_UNAVAILABLE);
}

/* --- what is said ----------------------------------------------------------------------------- */

static struct writer *begin(struct visit *visit, enum visit_step step, const char *type,
                            const char *id)
{
    struct writer *say = &visit->say;
    visit->step = step;
    writer_clear(say);
    writer_object(say);
    writer_key(say, "type"), writer_string(say, type);
    writer_key(say, "id"), writer_string(say, id);
    if (visit->scorebook.room[0] != '\0')
        writer_key(say, "room"), writer_string(say, visit->scorebook.room);
    return say;
}

static void greet(struct visit *visit)
{
    struct writer *say = begin(visit, VISIT_GREETING, "auth", "auth");
    writer_key(say, "token"), writer_string(say, visit->token);
    writer_end(say);
}

static void look_for_room(struct visit *visit)
{
    writer_end(begin(visit, VISIT_LOOKING, "lobby.subscribe", "mine"));
}

/* The same command for ever: said again, after a crash too, it names the same room. */
static void create(struct visit *visit)
{
    struct writer *say = begin(visit, VISIT_CREATING, "create", "new-game");
    writer_key(say, "game"), writer_string(say, "chess");
    writer_key(say, "visibility"), writer_string(say, "private");
    writer_end(say);
}

/* Both seats the first time; later they are held already, and it only lets in. */
static void join(struct visit *visit)
{
    struct writer *say = begin(visit, VISIT_JOINING, "join", "both-seats");
    writer_key(say, "seat"), writer_string(say, "all");
    writer_key(say, "name"), writer_string(say, "Chess Mate");
    writer_end(say);
}

static void read_from(struct visit *visit, int64_t version)
{
    struct writer *say = begin(visit, VISIT_READING, "history", "history");
    writer_key(say, "from"), writer_integer(say, version);
    writer_key(say, "to"), writer_integer(say, version + HISTORY_PAGE - 1);
    writer_end(say);
}

static const char *choice_of(const struct visit *visit)
{
    return visit->choice[0] == '\0' ? "queen" : visit->choice;
}

static void move(struct visit *visit)
{
    char id[NONCE_BYTES + 8], name[3];
    snprintf(id, sizeof id, "move-%s", visit->nonce);
    struct writer *say = begin(visit, VISIT_MOVING, "move", id);
    writer_key(say, "version"), writer_integer(say, visit->version);
    writer_key(say, "move");
    writer_object(say);
    square_write_name(visit->from, name);
    writer_key(say, "from"), writer_string(say, name);
    square_write_name(visit->to, name);
    writer_key(say, "to"), writer_string(say, name);
    if (visit->chooses)
        writer_key(say, "choice"), writer_string(say, choice_of(visit));
    writer_end(say);
    writer_end(say);
}

/* --- what is heard ---------------------------------------------------------------------------- */

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static int64_t number_in(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void take_room(struct visit *visit, const char *room)
{
    snprintf(visit->scorebook.room, sizeof visit->scorebook.room, "%s", room);
}

static void hear_lobby(struct visit *visit, const json_t *message)
{
    const json_t *mine = json_object_get(message, "mine"), *room;
    size_t index;
    if (visit->step != VISIT_LOOKING || !json_is_array(mine))
        return; /* the list of others', which nobody asked for */
    json_array_foreach(mine, index, room)
    {
        if (strcmp(text_in(room, "game"), "chess") == 0)
            take_room(visit, text_in(room, "room"));
    }
    bool found = visit->scorebook.room[0] != '\0';
    if (found && visit->wish == WISH_NEW_GAME)
        end(visit, VISIT_EXISTS);
    else if (found && visit->wish == WISH_NOTHING)
        end(visit, VISIT_DONE);
    else if (found)
        join(visit);
    else if (visit->wish == WISH_NEW_GAME)
        create(visit);
    else
        end(visit, VISIT_NOT_FOUND);
}

static void consider(struct visit *visit, const json_t *legal)
{
    const char *choice = text_in(legal, "choice");
    if (square_of_name(text_in(legal, "from")) != visit->from)
        return;
    int to = square_of_name(text_in(legal, "to"));
    if (visit->target_count < TARGETS_MAX && to != NO_SQUARE)
        visit->targets[visit->target_count++] = to;
    if (to != visit->to || (choice[0] != '\0' && strcmp(choice, choice_of(visit)) != 0))
        return;
    visit->may_move = true;
    visit->chooses = choice[0] != '\0';
}

static void take_result(struct visit *visit, const json_t *result)
{
    if (!json_is_object(result))
        return;
    char *text = json_dumps(result, JSON_COMPACT);
    if (text != NULL)
        scorebook_set_result(&visit->scorebook, text);
    free(text);
}

static void hear_snapshot(struct visit *visit, const json_t *message)
{
    const json_t *legal;
    size_t index;
    if (visit->step != VISIT_JOINING || visit->has_snapshot)
        return;
    visit->has_snapshot = true;
    visit->version = number_in(message, "version");
    take_result(visit, json_object_get(json_object_get(message, "state"), "result"));
    json_array_foreach(json_object_get(message, "legal_moves"), index, legal)
        consider(visit, legal);
    read_from(visit, 1);
}

static bool take_event(struct visit *visit, const json_t *event)
{
    const json_t *move = json_object_get(event, "move");
    const char *kind = text_in(event, "kind");
    if (strcmp(kind, "created") == 0)
        visit->scorebook.created_ms = number_in(event, "at");
    if (strcmp(kind, "moved") != 0)
        return true;
    return scorebook_add(&visit->scorebook, text_in(move, "from"), text_in(move, "to"),
                         text_in(move, "choice"), number_in(event, "at"));
}

/* Everything that has happened is known. */
static void act(struct visit *visit)
{
    if (visit->wish != WISH_MOVE)
        end(visit, VISIT_DONE);
    else if (!visit->may_move)
        end(visit, VISIT_INVALID_MOVE);
    else
        move(visit);
}

static void hear_history(struct visit *visit, const json_t *message)
{
    const json_t *event;
    size_t index;
    if (visit->step != VISIT_READING)
        return;
    json_array_foreach(json_object_get(message, "events"), index, event)
    {
        if (!take_event(visit, event)) {
            end(visit, VISIT_FAILED);
            return;
        }
    }
    int64_t to = number_in(message, "to");
    if (to < number_in(message, "version"))
        read_from(visit, to + 1);
    else
        act(visit);
}

/* The acknowledgement says that it is durable, the event when it was; they come in either order. */
static void finish_move(struct visit *visit)
{
    char from[3], to[3];
    if (!visit->has_ack || !visit->has_moved)
        return;
    square_write_name(visit->from, from);
    square_write_name(visit->to, to);
    bool added = scorebook_add(&visit->scorebook, from, to, visit->chooses ? choice_of(visit) : "",
                               visit->moved_ms);
    end(visit, added ? VISIT_DONE : VISIT_FAILED);
}

static void hear_event(struct visit *visit, const json_t *message)
{
    if (visit->step != VISIT_MOVING || strcmp(text_in(message, "kind"), "moved") != 0)
        return;
    visit->has_moved = true;
    visit->moved_ms = number_in(message, "at");
    take_result(visit, json_object_get(json_object_get(message, "patch"), "result"));
    finish_move(visit);
}

static void hear_ack(struct visit *visit, const json_t *message)
{
    if (visit->step == VISIT_CREATING) {
        take_room(visit, text_in(message, "room"));
        join(visit);
    } else if (visit->step == VISIT_MOVING) {
        visit->has_ack = true;
        finish_move(visit);
    }
}

static void hear_error(struct visit *visit, const json_t *message)
{
    static const char *const of_moves[] = {"illegal_move", "not_your_turn", "stale", "game_over"};
    const char *code = text_in(message, "code");
    enum visit_outcome outcome =
        json_is_true(json_object_get(message, "retry")) ? VISIT_UNAVAILABLE : VISIT_FAILED;
    if (strcmp(code, "too_many") == 0)
        outcome = VISIT_UNAVAILABLE;
    for (size_t i = 0; i < sizeof of_moves / sizeof *of_moves; i++)
        if (visit->step == VISIT_MOVING && strcmp(code, of_moves[i]) == 0)
            outcome = VISIT_INVALID_MOVE;
    end(visit, outcome);
}

static void hear_hello(struct visit *visit, const json_t *message)
{
    (void)message;
    greet(visit);
}

static void hear_welcome(struct visit *visit, const json_t *message)
{
    (void)message;
    look_for_room(visit);
}

struct row {
    const char *type;
    void (*hear)(struct visit *visit, const json_t *message);
};

static const struct row rows[] = {
    {"hello", hear_hello},       {"welcome", hear_welcome}, {"lobby", hear_lobby},
    {"snapshot", hear_snapshot}, {"history", hear_history}, {"event", hear_event},
    {"ack", hear_ack},           {"error", hear_error},
};

void visit_hear(struct visit *visit, const char *text, size_t length)
{
    writer_clear(&visit->say);
    if (visit->step == VISIT_OVER)
        return;
    json_t *message = json_loadb(text, length, 0, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, text_in(message, "type")) == 0) {
            rows[i].hear(visit, message);
            break;
        }
    json_decref(message);
}
