/* A message on its way between the loop and the bus's threads: one piece of memory that changes hands in lists. A list has one
 * owner at a time and knows no lock. */
#ifndef SERVER_BUS_PARCEL_H
#define SERVER_BUS_PARCEL_H

#include "server/bus/wire.h"

struct parcel {
    struct parcel *next;
    struct bus_message message; /* of one that came in: its texts lie below */
    size_t length;              /* of bytes */
    char subject[WIRE_SUBJECT_BYTES];
    char bytes[]; /* and a zero */
};

/* Room for a copy of the bytes; NULL: there is no memory. */
struct parcel *parcel_new(const char *subject, const char *bytes, size_t length);
size_t parcel_size(const struct parcel *parcel);

struct parcels {
    struct parcel *first, *last;
    size_t count, bytes;
};

bool parcels_full(const struct parcels *parcels);
void parcels_append(struct parcels *parcels, struct parcel *parcel);
/* The first one; NULL: there is none. */
struct parcel *parcels_take(struct parcels *parcels);
/* All of `from` goes behind `to`. */
void parcels_move(struct parcels *to, struct parcels *from);
void parcels_clear(struct parcels *parcels);

#endif
