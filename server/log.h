/* The log: one JSON object a line on one stream, one line a fact.
 *
 *     {"at":"2026-01-31T12:00:00.123Z","level":"info","fact":"listening","port":8080}
 *
 * A fact is a word for what happened; its members say to whom. */
#ifndef SERVER_LOG_H
#define SERVER_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "protocol/writer.h"

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };

struct log {
    FILE *out;
    enum log_level least; /* what is below is left out */
    /* private: lines that wait for log_let_go */
    FILE *held;
    char *held_text;
    size_t held_length;
};

/* From now on lines wait: the first line of a server's log says where it listens, whatever came before. */
void log_hold(struct log *log);
void log_let_go(struct log *log); /* writes them; nothing happens when none are held */

bool log_level_read(const char *word, enum log_level *level);

/* `members` is the inside of a JSON object, without braces; "" or NULL when there are none. */
void log_write(const struct log *log, enum log_level level, const char *fact, const char *members);

/* The same with a writer: begins the line; the caller adds keys and values. */
void log_begin(struct writer *line, enum log_level level, const char *fact);
/* Ends the line, writes it and releases the writer. */
void log_end(const struct log *log, enum log_level level, struct writer *line);

/* A fact with one text. */
void log_text(const struct log *log, enum log_level level, const char *fact, const char *key,
              const char *text);

#endif
