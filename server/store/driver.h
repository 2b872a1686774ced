/* What the drivers do alike, whatever their database: answers are begun, a history is kept in bounds, what was read is
 * checked for being whole, a secret is made, and the words for what is wrong with a database are the same. */
#ifndef SERVER_STORE_DRIVER_H
#define SERVER_STORE_DRIVER_H

#include "server/store/store.h"

enum { DRIVER_WORDS_BYTES = 160, DRIVER_SECRET_DIGITS = 64 };

/* Answers one request inside the transaction of its batch. STORE_FAILED: the driver's words say why. */
typedef enum store_status driver_perform_request(struct store_driver *driver,
                                                 const struct store_request *request,
                                                 struct store_answer *answer);

void driver_begin_answer(const struct store_request *request, struct store_answer *answer);
void driver_answer_duplicate(struct store_answer *answer, const char *room, int64_t version,
                             const char *kind);

/* Versions of one room, both ends included; `to` before `from` says none. */
struct driver_range {
    int64_t from, to;
};
/* Of what a STORE_HISTORY asks for, what a room of this version has and one answer may hold. */
struct driver_range driver_bound_history(const struct store_request *request, int64_t version);

/* The same of a STORE_TAIL. */
struct driver_range driver_bound_tail(const struct store_request *request, int64_t version);
/* Room for as many rooms as a STORE_BEHIND names, or a STORE_DUE asks for; false: there is no memory. */
bool driver_take_known(const struct store_request *request, struct store_answer *answer);
void driver_add_known(struct store_answer *answer, const char *room, int64_t version);

/* How many rooms a STORE_DUE asks for. */
int driver_bound_due(const struct store_request *request);

/* How many rated games, or ratings, an answer holds at most; and room for so many. False: there is no memory. */
int driver_bound_rated(const struct store_request *request);
bool driver_take_rated(struct store_answer *answer, int most);
bool driver_take_ratings(struct store_answer *answer, int most);
/* A side of a game, read after all others: into the game before if it is of the same number. NULL: another game has begun, and
 * there is no place for it. */
struct store_rated_side *driver_next_side(struct store_answer *answer, int64_t number, int most);
/* Ratings of before that moment go when this game counts. */
int64_t driver_rating_too_old(const struct store_rated_game *game);

/* Whether all strings of a row could be copied; else memory was out. */
bool driver_event_is_whole(const struct store_event *event);
bool driver_seat_is_whole(const struct store_seat *seat);
bool driver_room_is_whole(const struct store_room *room);
bool driver_publication_is_whole(const struct store_publication *publication);

/* The next picture that a definition's text names: 64 hexadecimal digits before ".svg" or ".png". What follows it, or NULL: there is
 * no other one. */
const char *driver_next_picture(const char *text, char hash[STORE_HASH_DIGITS + 1]);
/* Of a STORE_SWEEP_PICTURES: how many are looked at; one more of them. */
int driver_pictures_swept(const struct store_request *request);
/* Likewise of a STORE_MEASURE. */
int driver_rows_measured(const struct store_request *request);
void driver_note_picture(struct store_sweep *sweep, uint64_t bytes, bool is_over);

/* In hexadecimal. False, with words, if the system gives no random bytes. */
bool driver_make_secret(char text[DRIVER_SECRET_DIGITS + 1], char *words, size_t words_size);

void driver_say_no_memory(char *words, size_t words_size);
void driver_say_event_missing(char *words, size_t words_size, const char *room, int64_t version);
void driver_say_definition_missing(char *words, size_t words_size, const char *room);
void driver_say_published_missing(char *words, size_t words_size, const char *name);
/* `which` is the database; `known` the newest schema this server knows. */
void driver_say_newer(char *words, size_t words_size, const char *which, int64_t schema, int known);

#endif
