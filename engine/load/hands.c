#include "engine/load/fields.h"

#include <string.h>

/* `hands`: what players have in hand when the game begins; and what is said of hands elsewhere, once all of it is read. */

static const struct field figures_held = {
    .kind = field_integer, .size = sizeof(int), .most = HAND_MAX};

/* So many of each kind, for the players from first to last. */
static void read_hand(struct reader *reader, const struct node *node, int first, int last)
{
    int counts[FIGURES_MAX];
    for (int i = 0; i < FIGURES_MAX; i++)
        counts[i] = -1;
    fields_read_by_name(reader, node, &reader->figures, &figures_held, counts);
    for (int player = first; player <= last && player >= 0; player++)
        for (int i = 0; i < reader->figures.count; i++)
            if (counts[i] >= 0)
                reader->definition->hands[player][i] = (uint16_t)counts[i];
}

void hands_read(struct reader *reader, const struct node *node, void *object)
{
    struct definition *definition = object;
    definition->has_hands = true;
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    EACH_MEMBER (each, node) {
        bool for_each = strcmp(each.key, "each") == 0;
        int player = for_each ? 0 : reader_name(reader, &each, NODE_KEY, &reader->players);
        read_hand(reader, &each, player, for_each ? reader->players.count - 1 : player);
    }
}

static const struct field takes_to = {"takes_to", field_choice,
                                      AT(struct definition, takes_to_hand), .least = 1,
                                      .names = CHOICES("place", "hand")};

void takes_to_read(struct reader *reader, const struct node *node, void *object)
{
    struct definition *definition = object;
    field_read_one(reader, node, &takes_to, definition);
    definition->has_hands = true;
}
