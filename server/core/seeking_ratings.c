/* Who looks for a rated game waits from the moment his rating is known: by it others are found for him, and he for others. */
#include "server/core/ladder.h"
#include "server/core/seeking_parts.h"
#include "server/core/strength.h"

#include <string.h>

void seeking_write_range(struct writer *writer, const struct seek_wish *wish)
{
    if (wish->rating_min == 0 && wish->rating_max == RATING_MAX && wish->rating_within == 0)
        return;
    writer_key(writer, "range");
    writer_object(writer);
    if (wish->rating_min > 0)
        writer_member_integer(writer, "min", wish->rating_min);
    if (wish->rating_max < RATING_MAX)
        writer_member_integer(writer, "max", wish->rating_max);
    if (wish->rating_within > 0)
        writer_member_integer(writer, "within", wish->rating_within);
    writer_end(writer);
}

bool seeking_ask_rating(struct core *core, struct sought *sought)
{
    struct store_rated_game wanted = {.side_count = 1};
    struct ticket *ticket = ticket_new(core, TICKET_SEEKER, "");
    const char *player = sought->identity.player;
    ladder_write(sought->game, ladder_speed(&sought->clock.all), wanted.ladder);
    memcpy(wanted.sides[0].after.player, player, strlen(player) + 1);
    ticket->request = sought->seek.number;
    text_copy(text_of(player), ticket->command, sizeof ticket->command);
    seeks_promise(&core->seeking.seeks, &sought->seek);
    if (!ticket_ask(core, ticket,
                    &(struct store_request){.ask = STORE_RATINGS, .rated = &wanted})) {
        seeking_free(core, sought);
        return false;
    }
    sought->is_unknown = true;
    list_append(&core->seeking.unknown, &sought->others_link, sought);
    return true;
}

static struct sought *find_unknown(const struct core *core, const struct ticket *ticket)
{
    struct seek *seek = seeks_first(&core->seeking.seeks, ticket->command);
    while (seek && (seek->number != ticket->request || !((struct sought *)seek->of)->is_unknown))
        seek = seeks_next(seek);
    return seek ? seek->of : NULL;
}

static int rating_of(const struct store_answer *answer)
{
    const struct store_strength none = strength_new();
    const struct store_strength *strength =
        answer->rating_count > 0 ? &answer->ratings[0].strength : &none;
    int rating = (int)((strength->rating + 50) / 100);
    return rating < 1 ? 1 : rating > RATING_MAX ? RATING_MAX : rating;
}

void seeking_rating_answered(struct core *core, const struct ticket *ticket,
                             const struct store_answer *answer)
{
    struct sought *sought = find_unknown(core, ticket);
    if (!sought)
        return;
    sought->is_unknown = false;
    list_remove(&sought->others_link);
    if (answer->status != STORE_OK) {
        seeking_refuse(core, sought, REFUSAL_UNAVAILABLE);
        seeking_free(core, sought);
        return;
    }
    sought->seek.wish.rating = rating_of(answer);
    if (seeking_put_back(core, sought) && sought->seek.stage == SEEK_WAITS)
        seeking_look(core, sought);
}
