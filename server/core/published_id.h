/* What a published game is called: "fox-and-hounds@3", or "fox-and-hounds" for its newest version. */
#ifndef SERVER_CORE_PUBLISHED_ID_H
#define SERVER_CORE_PUBLISHED_ID_H

#include "protocol/message.h"
#include "server/store/store.h"

#include <stdbool.h>

enum { PUBLISHED_NAME_BYTES_MIN = 3 };

struct published_id {
    char name[STORE_NAME_BYTES + 1]; /* "": none */
    int64_t version;                 /* 0: the newest */
};

/* Lower-case letters, digits and hyphens, 3 to 40 bytes, first and last no hyphen. */
bool published_name_fits(struct text name);
extern const char published_name_words[];

/* False when it is not the id of one. */
bool published_id_read(struct text text, struct published_id *id);
/* Into a string of WORD_BYTES_MAX + 1; without the version where there is none. */
void published_id_write(const char *name, int64_t version, char *text);

#endif
