#include "server/bus/parcel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parcel *parcel_new(const char *subject, const char *bytes, size_t length)
{
    struct parcel *parcel = malloc(sizeof *parcel + length + 1);
    if (parcel == NULL)
        return NULL;
    parcel->next = NULL;
    parcel->message = (struct bus_message){.version = 0};
    parcel->length = length;
    snprintf(parcel->subject, sizeof parcel->subject, "%s", subject);
    memcpy(parcel->bytes, bytes, length);
    parcel->bytes[length] = '\0';
    return parcel;
}

size_t parcel_size(const struct parcel *parcel)
{
    return sizeof *parcel + parcel->length + 1;
}

bool parcels_full(const struct parcels *parcels)
{
    return parcels->count >= BUS_QUEUE_MAX || parcels->bytes >= BUS_QUEUE_BYTES_MAX;
}

void parcels_append(struct parcels *parcels, struct parcel *parcel)
{
    if (parcels->first == NULL)
        parcels->first = parcel;
    else
        parcels->last->next = parcel;
    parcels->last = parcel;
    parcels->count++;
    parcels->bytes += parcel_size(parcel);
}

struct parcel *parcels_take(struct parcels *parcels)
{
    struct parcel *parcel = parcels->first;
    if (parcel == NULL)
        return NULL;
    parcels->first = parcel->next;
    parcel->next = NULL;
    parcels->count--;
    parcels->bytes -= parcel_size(parcel);
    return parcel;
}

void parcels_move(struct parcels *to, struct parcels *from)
{
    if (from->first == NULL)
        return;
    if (to->first == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    to->count += from->count;
    to->bytes += from->bytes;
    *from = (struct parcels){.count = 0};
}

void parcels_clear(struct parcels *parcels)
{
    for (struct parcel *parcel; (parcel = parcels_take(parcels)) != NULL;)
        free(parcel);
}
