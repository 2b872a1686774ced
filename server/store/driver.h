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
