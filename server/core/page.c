#include "server/core/page.h"

#include "engine/memory/memory.h"
#include "server/core/ladder.h"

#include <string.h>

static void fill_seats(struct page *page, const struct room *room, const struct standing *standing)
{
    struct store_room *row = &page->write->room;
    for (int i = 0; i < standing->seat_count; i++) {
        const struct seat *seat = &standing->seats[i];
        if (!seat->taken)
            continue;
        digest_write_hex(seat->holder.token_hash, DIGEST_BYTES, page->token_hashes[i]);
        row->seats[row->seat_count++] = (struct store_seat){.seat = room->edition->seat_names[i],
                                                            .player = seat->holder.player,
                                                            .token_hash = page->token_hashes[i],
                                                            .name = seat->name,
                                                            .bot = seat->as == PLAYER_BOT,
                                                            .house = seat->house};
    }
}

bool page_changes_seats(enum event_kind kind)
{
    return kind == EVENT_JOINED || kind == EVENT_LEFT || kind == EVENT_HANDED_OVER;
}

void page_fill(struct page *page, const struct room *room, const char *body)
{
    const struct decision *decision = room->decision;
    struct store_write *write = page->write;
    enum event_kind kind = decision->kind;
    bool created = kind == EVENT_CREATED;
    *write = (struct store_write){
        .room = {.id = room->id,
                 .game = room->game,
                 .title = game_facts(room->edition->game)->title,
                 .definition_hash = room->edition->hash,
                 .is_public = room->is_public,
                 .status = (enum store_room_status)decision->after.status,
                 .version = room->version + 1,
                 .created_at_ms = (int64_t)room->created_at_ms,
                 .due_at_ms = created && decision->after.has_clocks
                                  ? (int64_t)decision->at_ms + WATCH_FIRST_MS
                                  : 0,
                 .players = room->edition->players_text},
        .expected_version = room->version,
        .epoch = room->epoch,
        .seats_changed = created || page_changes_seats(kind),
        .status_stays = !created && decision->after.status == room->standing.status,
        .definition = created ? room->edition->text : NULL,
        .event = {.version = room->version + 1,
                  .at_ms = (int64_t)decision->at_ms,
                  .kind = event_kind_word(kind),
                  .client = decision->author.identity.player,
                  .command = decision->author.command,
                  .body = body},
    };
    if (created && decision->after.rated && !room->imported) {
        ladder_of(room->game, &decision->after, page->ladder);
        write->room.ladder = page->ladder;
    }
    if (write->seats_changed && !room->imported)
        fill_seats(page, room, &decision->after);
}

void page_keep_body(const struct core *core, struct decision *decision, const char *body)
{
    size_t size = strlen(body) + 1;
    if (!core->follow.has_bus || page_changes_seats(decision->kind) || size > BUS_BODY_BYTES_MAX)
        return;
    decision->body = memory_bytes(size);
    memcpy(decision->body, body, size);
}

void page_tell_others(const struct core *core, const struct room *room,
                      const struct decision *decision)
{
    if (!core->follow.has_bus)
        return;
    core->ports.publish(core->ports.context,
                        &(struct bus_message){.subject = BUS_ROOM,
                                              .id = room->id,
                                              .version = room->version,
                                              .at_ms = (int64_t)decision->at_ms,
                                              .took_ms = (int64_t)(core->now_ms - decision->at_ms),
                                              .kind = event_kind_word(decision->kind),
                                              .client = decision->author.identity.player,
                                              .command = decision->author.command,
                                              .body = decision->body});
}
