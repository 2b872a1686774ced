/* Of the tags of a text in PGN, what a record has a place for: two names, a date, a result, how much
 * time there was, and where the game begins. */
#ifndef SERVER_CORE_PGN_TAGS_H
#define SERVER_CORE_PGN_TAGS_H

#include "protocol/message.h"
#include "server/core/pgn_scan.h"

/* "" where the text says nothing. */
struct pgn_tags {
    char white[PGN_VALUE_BYTES], black[PGN_VALUE_BYTES];
    char date[PGN_VALUE_BYTES], start[PGN_VALUE_BYTES], result[PGN_VALUE_BYTES];
    char time_control[PGN_VALUE_BYTES], termination[PGN_VALUE_BYTES];
    struct pgn_token start_token; /* where `start` is said */
};

/* The tags that are no use here are passed over; of one said twice the second counts. */
void pgn_tags_take(struct pgn_tags *tags, const struct pgn_token *token);

/* A name as it may be shown: UTF-8 without control characters, cut between two characters; "?" where nothing is left. */
void pgn_name_write(const char *tag, char name[DISPLAY_NAME_BYTES_MAX + 1]);

/* The beginning of the day, since 1970, of 1999.12.31; 0: it is not known, or before that. */
int64_t pgn_date_ms(const char *date);

#endif
