/* A game's record: the file (*.senet.json) in which a game leaves a server and comes to another. README.md, "Records".
 *
 * {"senet_export":1,"room":…,"game":…,"title":…,"players"?:…,"definition_hash"?:…,"definition":"…",
 *  "events":[{"version":1,"at":…,"kind":…,"body":{…}},…]}
 *
 * Reading takes everything in the text for hostile: it is bounded in size, depth and number, and what is wrong is said in
 * words. Whether the events follow one another is for who knows the rules (server/core/replay.h). */
#ifndef PROTOCOL_RECORD_H
#define PROTOCOL_RECORD_H

#include "protocol/event.h"

enum {
    RECORD_FORMAT = 1,
    RECORD_BYTES_MAX = 1024 * 1024, /* of one that is imported */
    RECORD_WORDS_BYTES = 256,
};

struct record {
    struct text room, game, title; /* the room's name where it was exported, the game's id there */
    int players;                   /* 0: as many as the game has */
    bool is_private; /* the room was in no list, and so is the one that is made of it */
    struct text definition_hash, definition;
    int event_count;
    void *document; /* private: what the texts are borrowed from */
};

/* False, with words, when the text is no record; then there is nothing to release. */
bool record_read(const char *text, size_t length, struct record *record,
                 char words[RECORD_WORDS_BYTES]);
void record_release(struct record *record);
/* The event of that index, from 0; to be released before the record. False, with words that name the event. */
bool record_read_event(const struct record *record, int index, struct event *event, int64_t *at_ms,
                       char words[RECORD_WORDS_BYTES]);

/* Writing: the head, the events in their order, the end. The digest of a seat's key is left out. */
void record_begin(struct writer *writer, const struct record *head);
void record_add(struct writer *writer, int64_t version, const struct event *event, int64_t at_ms);
void record_end(struct writer *writer);

#endif
