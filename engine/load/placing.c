#include "engine/bits.h"
#include "engine/load/fields.h"

#include <string.h>

/* `place`: the figures that players put on the board, from nowhere or from the hand, and those that they remove; `hands`: what they
 * have in hand when the game begins. */

static void read_drop(struct reader *reader, const struct node *node, void *object)
{
    struct placing_rule *rule = object;
    struct vector seen;
    if (!sides_read_delta(reader, node, no_fields, &seen) || sides_goes_nowhere(reader, node, seen))
        return;
    rule->drop = sides_turn(reader, seen);
    rule->drops = true;
}

const struct field placing_fields[] = {
    {"put", field_figures, AT(struct placing_rule, figures)},
    {"from", field_choice, AT(struct placing_rule, from_hand), .least = 1,
     .names = CHOICES("place", "hand")},
    {"remove", field_match, AT(struct placing_rule, removed)},
    {"in", field_zone, AT(struct placing_rule, zone)},
    {"drop", .kind = read_drop},
    {"if", field_condition, TO(struct placing_rule, condition), .place = PLACE_MOVE},
    {"phase", field_phase, AT(struct placing_rule, phase)},
    {"otherwise", field_flag, AT(struct placing_rule, otherwise)},
    {0},
};

static bool read_entry(struct reader *reader, const struct node *object, void *element)
{
    struct placing_rule *rule = element;
    struct node condition = node_member(object, "if");
    bool removes = node_has(object, "remove");
    *rule = (struct placing_rule){
        .zone = -1, .removes = removes, .pointer = reader_pointer(reader, object)};
    reader_demand(reader, object, "put", !removes, "say which figure: \"put\": \"stone\"");
    reader_refuse(reader, object, "put", removes, "write an entry for each",
                  "an entry puts a figure on the board or removes one");
    reader_refuse(reader, object, "drop", removes, "leave it out", "what is removed falls nowhere");
    reader_refuse(reader, object, "from", removes, "leave it out",
                  "what is removed comes from no hand");
    reader_refuse(reader, object, "otherwise", object->index == 0, "leave it out",
                  "there is no entry before this one");
    if (node_is_there(&condition))
        rule->if_pointer = reader_pointer(reader, &condition);
    reader_refuse(reader, object, "from", !removes && !reader->definition->has_hands,
                  "say in the file what is in them: \"hands\": {\"each\": {\"stone\": 9}}, or {}",
                  "nobody has anything in hand in this game");
    return fields_read(reader, object, placing_fields, rule);
}

/* A kind comes from the hand or from nowhere, but not from both: which is not said by the move. */
static void note_hands(struct reader *reader, const struct node *node, struct placing_list *list)
{
    uint64_t from_nowhere = 0;
    for (int i = 0; i < list->count; i++) {
        if (list->rules[i].from_hand)
            list->from_hand |= list->rules[i].figures;
        else
            from_nowhere |= list->rules[i].figures;
    }
    uint64_t both = list->from_hand & from_nowhere;
    if (both != 0)
        reader_error(reader, node, "write \"from\": \"hand\" in all of its entries, or in none",
                     "`%s` is put from the hand here and from nowhere there",
                     text_quote(reader->figures.names[word_lowest(both)]).text);
}

/* One list for all players, or one for each, as it stands. */
void placing_read(struct reader *reader, const struct node *node, void *object)
{
    struct definition *definition = object;
    bool entry_alone =
        node_has(node, "put") || node_has(node, "remove"); /* that it is no list is said below */
    bool by_player = node_type(node) == NODE_OBJECT && !entry_alone;
    EACH_MEMBER (each, node)
        if (by_player)
            reader_name(reader, &each, NODE_KEY, &reader->players);
    for (int player = 0; player < reader->players.count; player++) {
        struct placing_list *list = &definition->placing[player];
        struct node own = node_member(node, reader->players.names[player]);
        const struct node *entry = by_player ? &own : node;
        reader->mover = (player_index)player;
        reader->absolute = by_player;
        if (node_is_there(entry))
            list->rules = elements_read(
                reader, entry,
                EACH(ELEMENTS(PLACING_MAX, "entries", struct placing_rule, read_entry)),
                &list->count);
        note_hands(reader, entry, list);
        reader->absolute = false;
    }
}

/* --- hands ------------------------------------------------------------------------------------ */

void hands_demand(struct reader *reader, const struct node *node)
{
    if (node_is_there(node) && !reader->definition->has_hands)
        reader_error_key(reader, node, "say in the file what is in them: \"hands\": {}",
                         "nobody has anything in hand in this game");
}

/* So many of each kind, for the players from first to last. */
static void read_hand(struct reader *reader, const struct node *node, int first, int last)
{
    int counts[FIGURES_MAX];
    for (int i = 0; i < FIGURES_MAX; i++)
        counts[i] = -1;
    fields_read_by_name(reader, node, &reader->figures,
                        EACH(.kind = field_integer, .size = sizeof(int), .most = HAND_MAX), counts);
    for (int player = first; player <= last && player >= 0; player++)
        for (int i = 0; i < reader->figures.count; i++)
            if (counts[i] >= 0)
                reader->definition->hands[player][i] = (uint16_t)counts[i];
}

void hands_read(struct reader *reader, const struct node *node, void *object)
{
    struct definition *definition = object;
    definition->has_hands = node_is_there(node) || node_has(reader->root, "takes_to");
    if (!reader_expect_if_there(reader, node, NODE_OBJECT))
        return;
    EACH_MEMBER (each, node) {
        bool for_each = strcmp(each.key, "each") == 0;
        int player = for_each ? 0 : reader_name(reader, &each, NODE_KEY, &reader->players);
        read_hand(reader, &each, player, for_each ? reader->players.count - 1 : player);
    }
}
