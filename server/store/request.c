#include "server/store/request.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* One walk over all strings of a request serves measuring and copying alike. */
typedef void visit_text(const char **text, void *context);

static void visit_room(struct store_room *room, visit_text *visit, void *context)
{
    visit(&room->id, context);
    visit(&room->game, context);
    visit(&room->title, context);
    visit(&room->definition_hash, context);
    visit(&room->players, context);
    visit(&room->ladder, context);
    for (int i = 0; i < room->seat_count; i++) {
        struct store_seat *seat = &room->seats[i];
        visit(&seat->seat, context);
        visit(&seat->player, context);
        visit(&seat->token_hash, context);
        visit(&seat->name, context);
    }
}

static void visit_write(struct store_write *write, visit_text *visit, void *context)
{
    visit_room(&write->room, visit, context);
    visit(&write->definition, context);
    visit(&write->event.kind, context);
    visit(&write->event.client, context);
    visit(&write->event.command, context);
    visit(&write->event.body, context);
}

static void visit_publication(struct store_publication *publication, visit_text *visit,
                              void *context)
{
    visit(&publication->name, context);
    visit(&publication->definition_hash, context);
    visit(&publication->title, context);
    visit(&publication->players, context);
    visit(&publication->ancestor, context);
    visit(&publication->publisher, context);
}

static void visit_report(struct store_report *report, visit_text *visit, void *context)
{
    visit(&report->name, context);
    visit(&report->reporter, context);
    visit(&report->words, context);
}

static void visit_request(struct store_request *request, visit_text *visit, void *context)
{
    for (int i = 0; i < request->write_count; i++)
        visit_write(&request->writes[i], visit, context);
    visit(&request->room, context);
    visit(&request->player, context);
    visit(&request->node, context);
    visit(&request->place, context);
    visit(&request->url, context);
    visit(&request->definition, context);
    visit_publication(&request->publication, visit, context);
    visit_report(&request->report, visit, context);
    visit(&request->picture.hash, context);
}

static void add_size(const char **text, void *context)
{
    size_t *size = context;
    if (*text != NULL)
        *size += strlen(*text) + 1;
}

static void copy_text(const char **text, void *context)
{
    char **to = context;
    if (*text == NULL)
        return;
    size_t size = strlen(*text) + 1;
    memcpy(*to, *text, size);
    *text = *to;
    *to += size;
}

/* What an append does not write is not looked at: its caller need not have filled it. */
static void leave_unused(struct store_write *write)
{
    assert(write->room.seat_count >= 0 && write->room.seat_count <= STORE_SEATS_MAX);
    if (write->expected_version == 0)
        return;
    write->room.game = write->room.title = write->room.definition_hash = write->room.players = NULL;
    write->room.ladder = NULL;
    write->definition = NULL;
    if (!write->seats_changed)
        write->room.seat_count = 0;
}

/* A move writes no seats, and there is room for many. */
static void copy_write(struct store_write *copy, const struct store_write *write)
{
    memcpy(copy, write, offsetof(struct store_write, room.seats));
    leave_unused(copy);
    memcpy(copy->room.seats, write->room.seats,
           sizeof *copy->room.seats * (size_t)copy->room.seat_count);
}

static void copy_values(struct store_request *copy, const struct store_request *request)
{
    int write_count = request->ask == STORE_APPEND ? request->write_count : 0;
    assert(write_count >= 0 && write_count <= STORE_WRITES_MAX);
    memset(copy, 0, offsetof(struct store_request, writes));
    copy->ticket = request->ticket;
    copy->ask = request->ask;
    copy->write_count = write_count;
    copy->from = request->from;
    copy->to = request->to;
    copy->node = request->node;
    copy->lease_ms = request->lease_ms;
    copy->retention = request->retention;
    copy->listing = request->listing;
    copy->hiding = request->hiding;
    for (int i = 0; i < write_count; i++)
        copy_write(&copy->writes[i], &request->writes[i]);
    if (request->ask == STORE_LOAD || request->ask == STORE_TAIL || request->ask == STORE_HISTORY ||
        request->ask == STORE_SURVEY || request->ask == STORE_REMOVE ||
        request->ask == STORE_MEASURE || request->ask == STORE_RATABLE)
        copy->room = request->room;
    if (request->ask == STORE_PLAYER_ROOMS)
        copy->player = request->player;
    if (request->ask == STORE_PUBLISH)
        copy->definition = request->definition;
    if (request->ask == STORE_PUBLISH || request->ask == STORE_PUBLISHED ||
        request->ask == STORE_PUBLICATIONS || request->ask == STORE_LIST ||
        request->ask == STORE_UNPUBLISH)
        copy->publication = request->publication;
    if (request->ask == STORE_REPORT || request->ask == STORE_REPORTS)
        copy->report = request->report;
    if (request->ask == STORE_KEEP_PICTURE || request->ask == STORE_PICTURE ||
        request->ask == STORE_SWEEP_PICTURES)
        copy->picture = request->picture;
    if (request->ask == STORE_BEHIND || request->ask == STORE_SET_DUE) {
        assert(request->known_count <= STORE_KNOWN_MAX);
        copy->known = request->known;
        copy->known_count = request->known_count;
    }
    if (request->ask == STORE_RELEASE) {
        assert(request->turn_count <= STORE_KNOWN_MAX);
        copy->turns = request->turns;
        copy->turn_count = request->turn_count;
    }
    if (request->ask == STORE_RATINGS || request->ask == STORE_LEADERS ||
        request->ask == STORE_RATE || request->ask == STORE_STANDINGS)
        copy->rated = request->rated;
    if (request->ask == STORE_LEASE) {
        copy->place = request->place;
        copy->url = request->url;
    }
}

static size_t known_size(const struct store_request *request)
{
    return sizeof *request->known * (size_t)request->known_count;
}

static size_t turns_size(const struct store_request *request)
{
    return sizeof *request->turns * (size_t)request->turn_count;
}

static size_t rated_size(const struct store_request *request)
{
    return request->rated == NULL ? 0 : sizeof *request->rated;
}

size_t request_text_size(const struct store_request *request)
{
    struct store_request copy;
    copy_values(&copy, request);
    size_t size = copy.picture.length + known_size(&copy) + turns_size(&copy) + rated_size(&copy);
    visit_request(&copy, add_size, &size);
    return size;
}

void request_copy(struct store_request *copy, const struct store_request *request, char *texts)
{
    copy_values(copy, request);
    if (copy->known_count > 0) /* first: they have to lie where numbers may */
        copy->known = memcpy(texts, copy->known, known_size(copy));
    texts += known_size(copy);
    if (copy->turn_count > 0) /* likewise */
        copy->turns = memcpy(texts, copy->turns, turns_size(copy));
    texts += turns_size(copy);
    if (copy->rated != NULL) /* likewise */
        copy->rated = memcpy(texts, copy->rated, sizeof *copy->rated);
    texts += rated_size(copy);
    visit_request(copy, copy_text, &texts);
    if (copy->picture.length > 0)
        copy->picture.bytes = memcpy(texts, copy->picture.bytes, copy->picture.length);
}
