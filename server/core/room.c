#include "server/core/room.h"

#include "engine/memory/memory.h"
#include "engine/memory/spares.h"
#include "engine/movegen.h"
#include "engine/work.h"
#include "server/core/publish.h"
#include "server/core/unfold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_SIZE_MIN = 16, MOVES_SIZE_MIN = 16 };

struct room *room_new(const char *id, uint64_t serial, struct recent_budget *budget,
                      struct hash_key hash_key)
{
    struct room *room = memory_zeroed(1, sizeof *room);
    memcpy(room->id, id, strlen(id));
    room->serial = serial;
    recent_init(&room->recent, budget);
    room->hash_key = hash_key;
    room->waiting_end = &room->waiting_first;
    past_init(&room->past);
    room->connected_shown = UINT32_MAX; /* nothing has been shown yet */
    return room;
}

void command_free(struct command *command)
{
    if (!command)
        return;
    message_release(&command->message);
    spare_give(command, sizeof *command);
}

static void forget_waiting(struct room *room)
{
    while (room->waiting_first) {
        struct command *command = room->waiting_first;
        room->waiting_first = command->next;
        command_free(command);
    }
}

void room_free(struct room *room, struct catalogue *catalogue)
{
    assert(room->attached_count == 0);
    list_remove(&room->idle_link);
    list_remove(&room->presence_link);
    forget_waiting(room);
    decision_free(room->decision);
    if (room->loaded)
        store_answer_release(room->loaded);
    free(room->loaded);
    recent_release(&room->recent);
    for (int i = 0; i < ROOM_CHAT_KEPT; i++)
        free(room->chat[i]);
    frame_release(room->last_acting);
    past_release(&room->past);
    position_free(room->position);
    if (room->edition)
        edition_shrink(room->edition, room->bytes);
    catalogue_release_edition(catalogue, room->edition);
    while (room->elsewhere) {
        struct elsewhere *elsewhere = room->elsewhere;
        room->elsewhere = elsewhere->next;
        free(elsewhere);
    }
    free(room->attached);
    free(room->moves);
    free(room->times);
    free(room->unmade);
    assert(room->due.place == 0 && room->following.due.place == 0 && !room->following.held);
    free(room->former);
    free(room->known);
    free(room);
}

void room_open(struct room *room, struct edition *edition)
{
    assert(!room->edition);
    room->edition = edition;
    room->position = position_new(edition->game);
    room->bytes = position_bytes(edition->game);
    edition_grow(edition, room->bytes);
    standing_init(&room->standing, edition->game);
}

bool room_busy(const struct room *room)
{
    return room->loading || room->decision || room->following.state == FOLLOW_LOST;
}

void decision_free(struct decision *decision)
{
    if (!decision)
        return;
    frame_release(decision->common);
    frame_release(decision->acting);
    free(decision->chat);
    free(decision->body);
    command_free(decision->command);
    spare_give(decision, sizeof *decision);
}

bool room_holds(const struct room *room)
{
    return room->decision != NULL;
}

struct command *room_take_first(struct room *room)
{
    struct command *command = room->waiting_first;
    room->waiting_first = command->next;
    if (!room->waiting_first)
        room->waiting_end = &room->waiting_first;
    room->waiting_count--;
    return command;
}

void room_put_first(struct room *room, struct command *command)
{
    command->next = room->waiting_first;
    if (!room->waiting_first)
        room->waiting_end = &command->next;
    room->waiting_first = command;
    room->waiting_count++;
}

/* --- its moves -------------------------------------------------------------------------------- */

/* The past has changed from so many bytes to what it is. */
static void count_past(struct room *room, size_t before)
{
    edition_shrink(room->edition, before);
    edition_grow(room->edition, room->past.bytes);
    room->bytes = room->bytes - before + room->past.bytes;
}

/* `work`: what it took to make the move. */
static void keep_move(struct room *room, player_index seat, int64_t version, uint64_t work)
{
    if (room->move_count == room->move_size) {
        room->move_size = room->move_size ? room->move_size * 2 : MOVES_SIZE_MIN;
        room->moves = memory_resize(room->moves, (size_t)room->move_size, sizeof *room->moves);
        if (room->standing.has_clocks)
            room->times = memory_resize(room->times, (size_t)room->move_size, sizeof *room->times);
    }
    if (room->standing.has_clocks)
        room->times[room->move_count] =
            (struct made_time){room->standing.clocks[seat], room->standing.gained_ms};
    room->moves[room->move_count++] =
        (struct made_move){room->standing.last, (uint32_t)version, seat};
    room->position_version = version;
    size_t past_bytes = room->past.bytes;
    past_note(&room->past, room->position, room->move_count, work);
    count_past(room, past_bytes);
}

/* --- moves that are taken back ---------------------------------------------------------------- */

/* False: that takes more work; then `position` is of no use. */
static bool go_to(const struct room *room, int ply, struct position *position, uint64_t work_max)
{
    struct work_stretch stretch = work_begin(work_max);
    for (int i = past_restore(&room->past, position, ply); i < ply && !work_is_too_much(); i++)
        position_make(position, room->moves[i].move, NULL);
    return work_end(&stretch);
}

static const struct move *move_before(const struct room *room, int ply)
{
    return ply > 0 ? &room->moves[ply - 1].move : NULL;
}

int room_last_turn(const struct room *room, uint32_t seats)
{
    int ply = room->move_count;
    while (ply > room->begun_ply && !(seats >> room->moves[ply - 1].seat & 1))
        ply--;
    if (ply == room->begun_ply)
        return -1;
    int seat = room->moves[ply - 1].seat;
    while (ply > room->begun_ply && room->moves[ply - 1].seat == seat)
        ply--;
    return ply;
}

/* What was used stays used; what was added for the turns that are gone was never added. */
static void take_gains(const struct room *room, int ply, struct standing *after)
{
    for (int i = ply; after->has_clocks && i < room->move_count; i++) {
        struct clock *clock = &after->clocks[room->moves[i].seat];
        uint32_t gained = room->times[i].gained_ms;
        clock->left_ms = clock->left_ms > gained ? clock->left_ms - gained : clock->left_ms > 0;
        clock->turn_ms = clock->over_ms = 0;
    }
}

bool room_try_taking_back(const struct room *room, const struct event *event, uint64_t work_max,
                          struct position *position, struct standing *after)
{
    if (room->begun_version == 0 || event->ply < room->begun_ply || event->ply >= room->move_count)
        return false;
    int ply = (int)event->ply;
    if (!go_to(room, ply, position, work_max))
        return false;
    take_gains(room, ply, after);
    return standing_take_back(after, position, event, move_before(room, ply));
}

static void keep_unmade(struct room *room, int ply)
{
    if (room->unmade_count == room->unmade_size) {
        room->unmade_size = room->unmade_size ? room->unmade_size * 2 : MOVES_SIZE_MIN;
        room->unmade = memory_resize(room->unmade, (size_t)room->unmade_size, sizeof *room->unmade);
    }
    room->unmade[room->unmade_count++] = (struct unmade_move){room->moves[ply - 1], ply};
}

static const struct unmade_move *find_unmade(const struct room *room, int64_t version)
{
    for (int i = 0; i < room->unmade_count; i++)
        if (room->unmade[i].made.version == version)
            return &room->unmade[i];
    return NULL;
}

/* Of the moves that stand those were on the board that are older than it. Behind them came some that do not: of each number
 * the last one before it. */
const struct move *room_recall_unmade(const struct room *room, int64_t version,
                                      struct position *position)
{
    const struct unmade_move *move = find_unmade(room, version);
    int ply = 0;
    if (!move)
        return NULL;
    while (ply < room->move_count && room->moves[ply].version < version)
        ply++;
    struct made_move *between = memory_zeroed((size_t)move->ply, sizeof *between);
    for (int i = 0; i < room->unmade_count; i++) {
        const struct unmade_move *other = &room->unmade[i];
        struct made_move *last = &between[other->ply % move->ply];
        if (other->ply > ply && other->ply < move->ply && other->made.version < version &&
            other->made.version > last->version)
            *last = other->made;
    }
    struct work_stretch stretch = work_begin(ROOM_RECALL_WORK_MAX);
    work_spend((uint64_t)room->unmade_count);
    go_to(room, ply, position, ROOM_RECALL_WORK_MAX);
    while (++ply < move->ply && !work_is_too_much())
        position_make(position, between[ply].move, NULL);
    free(between);
    return work_end(&stretch) ? &move->made.move : NULL;
}

/* `position` is there already. A seat that was handed over in the moves that are gone was handed over at their beginning. */
static void cut_moves(struct room *room, int ply, int64_t version)
{
    size_t past_bytes = room->past.bytes;
    for (int gone = ply + 1; gone <= room->move_count; gone++)
        keep_unmade(room, gone);
    room->move_count = ply;
    room->position_version = version;
    past_cut(&room->past, ply);
    count_past(room, past_bytes);
    for (int i = 0; i < room->former_count; i++)
        if (room->former[i].ply > ply)
            room->former[i].ply = ply;
}

/* --- what has happened ------------------------------------------------------------------------ */

/* Play begins by the event of this version, if it has not begun before. */
static bool note_begin(struct room *room, int64_t version)
{
    if (room->begun_version != 0 || room->standing.status == STATUS_WAITING)
        return false;
    room->begun_version = version;
    room->begun_ply = room->move_count;
    return true;
}

/* For states of before: who held the seats that have gone to somebody else. */
static void note_former(struct room *room, const struct standing *before,
                        const struct standing *after)
{
    for (int i = 0; i < before->seat_count && room->begun_version != 0; i++) {
        const struct identity *holder = &after->seats[i].holder;
        if (strcmp(before->seats[i].holder.player, holder->player) == 0)
            continue;
        int count = room->former_count++;
        room->former = memory_resize(room->former, (size_t)count + 1, sizeof *room->former);
        room->former[count] = (struct former_seat){room->move_count, i, before->seats[i]};
    }
}

player_index room_to_move(const struct room *room)
{
    return room->version > 0 && room->position ? standing_to_move(&room->standing, room->position)
                                               : PLAYER_NONE;
}

bool room_turn(const struct room *room, struct store_turn *turn)
{
    player_index seat = room_to_move(room);
    *turn = (struct store_turn){.version = 0};
    memcpy(turn->room, room->id, sizeof room->id);
    if (seat == PLAYER_NONE || room->turn_stored == room->version)
        return false;
    turn->version = room->version;
    text_copy(text_of(room->edition->seat_names[seat]), turn->to_move, sizeof turn->to_move);
    return true;
}

/* An event being taken in, which makes `version`. */
struct intake {
    struct room *room;
    const struct identity *holder;
    int64_t version;
};

static void count_line(struct room *room, bool by_watcher)
{
    room->lines_of_players += !by_watcher;
    room->lines_of_watchers += by_watcher;
}

static bool take_in(void *context, const struct unfolded *step)
{
    const struct intake *intake = context;
    const struct event *event = step->event;
    struct room *room = intake->room;
    struct identity told = identity_told(event->player);
    player_index mover = position_to_move(room->position);
    struct standing before = room->standing;
    uint64_t worked = work_spent();
    bool takes_back = event->kind == EVENT_TAKEN_BACK;
    if (takes_back ? !room_try_taking_back(room, event, UINT64_MAX, room->position, &room->standing)
                   : !standing_advance(&room->standing, room->position, event,
                                       step->told ? &told : intake->holder))
        return false;
    bool begins = note_begin(room, intake->version);
    if (begins || takes_back || event->kind == EVENT_MOVED)
        room->turn_began_ms = (uint64_t)step->at_ms;
    if (takes_back)
        cut_moves(room, (int)event->ply, intake->version);
    if (event->kind == EVENT_MOVED)
        keep_move(room, mover, intake->version, work_spent() - worked);
    if (event->kind == EVENT_HANDED_OVER)
        note_former(room, &before, &room->standing);
    if (event->kind == EVENT_CHATTED && !step->told)
        count_line(room, event->seat_count == 0);
    if (event->kind == EVENT_CHATTED)
        room_keep_chat(room, publish_chat_line(event, (uint64_t)step->at_ms, intake->version));
    return true;
}

static void note_origin(struct room *room, const struct event *created)
{
    room->imported = created->log_count > 0;
    if (created->fork_room.data && room_id_fits(created->fork_room.length)) {
        text_copy(created->fork_room, room->fork_room, sizeof room->fork_room);
        room->fork_ply = created->move_count;
    }
}

bool room_replay(struct room *room, const struct event *event, const struct identity *holder,
                 uint64_t at_ms)
{
    struct intake intake = {room, holder, room->version + 1};
    if (!unfold(event, (int64_t)at_ms, take_in, &intake))
        return false;
    room->version++;
    if (event->kind == EVENT_CREATED) {
        room->created_at_ms = at_ms;
        note_origin(room, event);
    }
    return true;
}

bool room_begin(struct room *room, const struct event *created, uint64_t at_ms)
{
    assert(room->version == 0);
    struct intake intake = {room, NULL, 1};
    note_origin(room, created);
    return unfold(created, (int64_t)at_ms, take_in, &intake);
}

/* Nobody sat in a fork when the moves were made that it came with. */
static void clear_seats(struct standing *standing)
{
    for (int i = 0; i < standing->seat_count; i++)
        standing->seats[i] = (struct seat){.taken = false};
}

/* As they stood when the moves were made. */
static void set_back_clocks(const struct room *room, int ply, struct standing *standing)
{
    if (!standing->has_clocks)
        return;
    for (int i = 0; i < standing->seat_count; i++)
        standing->clocks[i] = clock_new(&standing->budgets[i]);
    for (int i = 0; i < ply; i++)
        standing->clocks[room->moves[i].seat] = room->times[i].clock;
}

int64_t room_recall(const struct room *room, int ply, struct position *position,
                    struct standing *standing)
{
    assert(ply >= 0 && ply <= room->move_count);
    *standing = room->standing;
    if (room->standing.status == STATUS_WAITING && ply == room->move_count) {
        position_copy(position, room->position);
        return room->version;
    }
    if (!go_to(room, ply, position, ROOM_RECALL_WORK_MAX))
        return ROOM_TOO_FAR;
    set_back_clocks(room, ply, standing);
    for (int i = room->former_count - 1; i >= 0 && room->former[i].ply >= ply; i--)
        standing->seats[room->former[i].number] = room->former[i].seat;
    standing_rewind(standing, position, move_before(room, ply));
    bool before = room->begun_version == 0 || ply < room->begun_ply;
    if (before)
        clear_seats(standing);
    if (before)
        return 1;
    return ply == room->begun_ply ? room->begun_version : room->moves[ply - 1].version;
}

/* Moves that a fork came with have the version of the first event, which made no single move. */
int room_find_move(const struct room *room, int64_t version)
{
    int low = 0, high = room->move_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (room->moves[middle].version < version)
            low = middle + 1;
        else
            high = middle;
    }
    return version > 1 && low < room->move_count && room->moves[low].version == version ? low : -1;
}

void room_keep_frames(struct room *room, struct frame *common, struct frame *acting)
{
    frame_release(room->last_acting);
    room->last_acting = acting ? frame_retain(acting) : NULL;
    recent_keep(&room->recent, room->version, common);
}

struct decision *room_settle(struct room *room)
{
    struct decision *decision = room->decision;
    room->decision = NULL;
    player_index mover = position_to_move(room->position);
    if (decision->kind == EVENT_HANDED_OVER)
        note_former(room, &room->standing, &decision->after);
    standing_copy(&room->standing, &decision->after);
    room->hash = decision->hash;
    room->version++;
    note_begin(room, room->version);
    if (decision->kind == EVENT_MOVED) {
        uint64_t worked = work_spent();
        position_make(room->position, decision->after.last, NULL);
        keep_move(room, mover, room->version, work_spent() - worked);
    }
    if (decision->kind == EVENT_TAKEN_BACK) {
        go_to(room, decision->ply, room->position, UINT64_MAX);
        cut_moves(room, decision->ply, room->version);
    }
    if (decision->chat) {
        count_line(room, decision->by_watcher);
        room_keep_chat(room, decision->chat);
        decision->chat = NULL;
    }
    room_keep_frames(room, decision->common, decision->acting);
    room_know_command(room, decision->author.identity.player, text_of(decision->author.command),
                      decision->kind, room->version);
    return decision;
}

struct decision *room_abandon(struct room *room)
{
    struct decision *decision = room->decision;
    room->decision = NULL;
    return decision;
}

void room_keep_chat(struct room *room, char *json)
{
    char **slot = &room->chat[room->chat_count++ % ROOM_CHAT_KEPT];
    free(*slot);
    *slot = json;
}

/* Moves are counted by the rules, chat has a bound of its own (chat.c), and what ends a game or answers one of these comes once. */
bool room_is_full_for(const struct room *room, enum event_kind kind)
{
    static const bool endless[EVENT_KIND_COUNT] = {
        [EVENT_JOINED] = true,
        [EVENT_DRAW_OFFERED] = true,
        [EVENT_DRAW_DECLINED] = true,
        [EVENT_DRAW_ACCEPTED] = true,
        [EVENT_REMATCH_OFFERED] = true,
        [EVENT_REMATCH_DECLINED] = true,
        [EVENT_REMATCH_ACCEPTED] = true,
        [EVENT_SEAT_KEY] = true,
        [EVENT_TAKEBACK_OFFERED] = true,
        [EVENT_TAKEBACK_DECLINED] = true,
        [EVENT_TAKEBACK_ACCEPTED] = true,
        [EVENT_TAKEN_BACK] = true,
        [EVENT_CHAT_ALLOWED] = true,
        [EVENT_MUTED] = true,
        [EVENT_UNMUTED] = true,
    };
    int64_t lines = (int64_t)room->lines_of_players + room->lines_of_watchers;
    return room->version - lines >= ROOM_EVENTS_MAX && endless[kind];
}

/* --- commands that have been done ------------------------------------------------------------- */

/* Neither text contains a zero, so the two fields are no other two. */
static uint64_t command_key(const struct room *room, const char *player, struct text command)
{
    struct {
        char player[PLAYER_ID_BYTES];
        char command[COMMAND_ID_BYTES_MAX];
    } bytes = {.player = ""};
    size_t player_length = strlen(player);
    assert(player_length <= sizeof bytes.player && command.length <= sizeof bytes.command);
    for (size_t i = 0; i < player_length; i++)
        bytes.player[i] = player[i];
    for (size_t i = 0; i < command.length; i++)
        bytes.command[i] = command.data[i];
    uint64_t key = hash_bytes(&room->hash_key, &bytes, sizeof bytes);
    return key ? key : 1;
}

static struct known_command *known_slot(const struct room *room, uint64_t key)
{
    uint32_t mask = room->known_size - 1;
    uint32_t i = (uint32_t)key & mask;
    while (room->known[i].key != 0 && room->known[i].key != key)
        i = (i + 1) & mask;
    return &room->known[i];
}

static void grow_known(struct room *room)
{
    struct known_command *old = room->known;
    uint32_t old_size = room->known_size;
    room->known_size = old_size ? old_size * 2 : KNOWN_SIZE_MIN;
    room->known = memory_zeroed(room->known_size, sizeof *room->known);
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].key != 0)
            *known_slot(room, old[i].key) = old[i];
    free(old);
}

const struct known_command *room_find_command(const struct room *room, const char *player,
                                              struct text command)
{
    if (room->known_count == 0)
        return NULL;
    const struct known_command *known = known_slot(room, command_key(room, player, command));
    return known->key == 0 ? NULL : known;
}

void room_know_command(struct room *room, const char *player, struct text command,
                       enum event_kind kind, int64_t version)
{
    if (command.length == 0)
        return;
    if ((room->known_count + 1) * 4 > room->known_size * 3)
        grow_known(room);
    uint64_t key = command_key(room, player, command);
    struct known_command *slot = known_slot(room, key);
    if (slot->key == 0)
        room->known_count++;
    *slot = (struct known_command){key, (uint32_t)version, kind};
}
