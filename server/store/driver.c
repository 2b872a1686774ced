#include "server/store/driver.h"

#include "server/store/arena.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void driver_begin_answer(const struct store_request *request, struct store_answer *answer)
{
    *answer = (struct store_answer){.ticket = request->ticket, .ask = request->ask};
}

void driver_answer_duplicate(struct store_answer *answer, const char *room, int64_t version,
                             const char *kind)
{
    snprintf(answer->duplicate_room, sizeof answer->duplicate_room, "%s", room);
    snprintf(answer->duplicate_kind, sizeof answer->duplicate_kind, "%s", kind);
    answer->duplicate_version = version;
}

struct driver_range driver_bound_history(const struct store_request *request, int64_t version)
{
    struct driver_range range = {.from = request->from, .to = request->to};
    if (range.from < 1)
        range.from = 1;
    if (range.to > version)
        range.to = version;
    if (range.to >= range.from && range.to - range.from >= STORE_HISTORY_MAX)
        range.to = range.from + STORE_HISTORY_MAX - 1;
    return range;
}

struct driver_range driver_bound_tail(const struct store_request *request, int64_t version)
{
    struct driver_range range = {.from = request->from < 1 ? 1 : request->from, .to = version};
    if (range.to >= range.from && range.to - range.from >= STORE_TAIL_MAX)
        range.to = range.from + STORE_TAIL_MAX - 1;
    return range;
}

int driver_bound_due(const struct store_request *request)
{
    int64_t most = request->to < STORE_DUE_MAX ? request->to : STORE_DUE_MAX;
    return most > 0 ? (int)most : 0;
}

bool driver_take_known(const struct store_request *request, struct store_answer *answer)
{
    int wanted = request->ask == STORE_DUE ? driver_bound_due(request) : request->known_count;
    size_t count = (size_t)wanted + 1;
    answer->known = arena_take(&answer->arena, count * sizeof *answer->known);
    return answer->known != NULL;
}

void driver_add_known(struct store_answer *answer, const char *room, int64_t version)
{
    struct store_known *known = &answer->known[answer->known_count++];
    *known = (struct store_known){.version = version};
    snprintf(known->room, sizeof known->room, "%s", room);
}

bool driver_event_is_whole(const struct store_event *event)
{
    return event->kind != NULL && event->client != NULL && event->command != NULL &&
           event->body != NULL;
}

int driver_bound_rated(const struct store_request *request)
{
    int64_t most = request->to < 1 ? 1 : request->to;
    return most < STORE_RATED_MAX ? (int)most : STORE_RATED_MAX;
}

bool driver_take_rated(struct store_answer *answer, int most)
{
    answer->rated_count = 0;
    answer->rated = arena_take(&answer->arena, (size_t)most * sizeof *answer->rated);
    return answer->rated != NULL;
}

bool driver_take_ratings(struct store_answer *answer, int most)
{
    answer->rating_count = 0;
    answer->ratings = arena_take(&answer->arena, (size_t)most * sizeof *answer->ratings);
    return answer->ratings != NULL;
}

struct store_rated_side *driver_next_side(struct store_answer *answer, int64_t number, int most)
{
    struct store_rated_game *game = answer->rated + answer->rated_count - 1;
    if (answer->rated_count == 0 || game->number != number) {
        if (answer->rated_count == most)
            return NULL;
        game = &answer->rated[answer->rated_count++];
        *game = (struct store_rated_game){.number = number};
    }
    return game->side_count < STORE_SIDES_MAX ? &game->sides[game->side_count++] : NULL;
}

int64_t driver_rating_too_old(const struct store_rated_game *game)
{
    return game->ended_at_ms - INT64_C(86400000) * STORE_RATING_KEPT_DAYS;
}

bool driver_seat_is_whole(const struct store_seat *seat)
{
    return seat->seat != NULL && seat->player != NULL && seat->token_hash != NULL &&
           seat->name != NULL;
}

bool driver_room_is_whole(const struct store_room *room)
{
    return room->id != NULL && room->game != NULL && room->title != NULL &&
           room->definition_hash != NULL && room->players != NULL;
}

bool driver_publication_is_whole(const struct store_publication *publication)
{
    return publication->name != NULL && publication->definition_hash != NULL &&
           publication->title != NULL && publication->players != NULL &&
           publication->ancestor != NULL && publication->publisher != NULL;
}

static bool is_hash(const char *digits)
{
    for (int i = 0; i < STORE_HASH_DIGITS; i++)
        if ((digits[i] < '0' || digits[i] > '9') && (digits[i] < 'a' || digits[i] > 'f'))
            return false;
    return true;
}

const char *driver_next_picture(const char *text, char hash[STORE_HASH_DIGITS + 1])
{
    const char *begin = text;
    while ((text = strchr(text, '.')) != NULL) {
        bool is_picture = strncmp(text, ".svg", 4) == 0 || strncmp(text, ".png", 4) == 0;
        if (is_picture && text - begin >= STORE_HASH_DIGITS && is_hash(text - STORE_HASH_DIGITS)) {
            memcpy(hash, text - STORE_HASH_DIGITS, STORE_HASH_DIGITS);
            hash[STORE_HASH_DIGITS] = '\0';
            return text + 4;
        }
        text++;
    }
    return NULL;
}

int driver_pictures_swept(const struct store_request *request)
{
    return request->from < STORE_SWEPT_MAX ? (int)request->from : STORE_SWEPT_MAX;
}

int driver_rows_measured(const struct store_request *request)
{
    return request->from < STORE_MEASURED_MAX ? (int)request->from : STORE_MEASURED_MAX;
}

void driver_note_picture(struct store_sweep *sweep, uint64_t bytes, bool is_over)
{
    sweep->kept += !is_over;
    sweep->kept_bytes += is_over ? 0 : bytes;
    sweep->removed += is_over;
    sweep->removed_bytes += is_over ? bytes : 0;
}

bool driver_make_secret(char text[DRIVER_SECRET_DIGITS + 1], char *words, size_t words_size)
{
    unsigned char bytes[DRIVER_SECRET_DIGITS / 2];
    if (getentropy(bytes, sizeof bytes) != 0) {
        snprintf(words, words_size, "the system gives no random bytes");
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

void driver_say_no_memory(char *words, size_t words_size)
{
    snprintf(words, words_size, "out of memory");
}

void driver_say_event_missing(char *words, size_t words_size, const char *room, int64_t version)
{
    snprintf(words, words_size, "event %" PRId64 " of room %s is missing", version, room);
}

void driver_say_definition_missing(char *words, size_t words_size, const char *room)
{
    snprintf(words, words_size, "the definition of room %s is missing", room);
}

void driver_say_published_missing(char *words, size_t words_size, const char *name)
{
    snprintf(words, words_size, "the definition of the published game %s is missing", name);
}

void driver_say_newer(char *words, size_t words_size, const char *which, int64_t schema, int known)
{
    snprintf(words, words_size,
             "%.45s was written by a newer server (schema %" PRId64
             ", this one knows up to %d): start that one, or restore an older copy",
             which, schema, known);
}
