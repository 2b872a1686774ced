/* What is sound and yet hardly meant: warnings, said when the whole file has been read and nothing is wrong with it. */
#include "engine/bits.h"
#include "engine/load/reader.h"

/* --- zones ------------------------------------------------------------------------------------ */

static bool has_cells(const struct reader *reader, const struct zone_definition *zone)
{
    for (int player = 0; player < reader->players.count; player++)
        if (!bits_empty(zone->cells[player], WORDS_MAX))
            return true;
    return false;
}

static void look_at_zones(struct reader *reader, const struct node *root)
{
    struct node zones = node_member(root, "zones");
    for (int i = 0; i < reader->zones.count; i++) {
        struct node zone = node_member(&zones, reader->zones.names[i]);
        if (!has_cells(reader, &reader->definition->zones[i]))
            reader_warn(reader, &zone, NODE_KEY, "what is asked of it never holds",
                        "zone `%s` has no cells", text_quote(zone.key).text);
    }
}

/* --- figures ---------------------------------------------------------------------------------- */

static uint64_t kinds_made(const struct cell_actions *actions)
{
    uint64_t kinds = 0;
    for (int i = 0; i < actions->destination_count + actions->transition_count; i++) {
        const struct action_set *set = i < actions->destination_count
                                           ? &actions->destination[i]
                                           : &actions->transition[i - actions->destination_count];
        for (int k = 0; k < set->action_count; k++)
            if (set->actions[k].kind == RULE_REPLACE)
                kinds |= UINT64_C(1) << set->actions[k].new_figure;
    }
    return kinds;
}

static uint64_t kinds_by(const struct movement *movement)
{
    uint64_t kinds = kinds_made(&movement->actions);
    if (movement->purpose == FOR_PUT && movement->put != FIGURE_NONE)
        kinds |= UINT64_C(1) << movement->put;
    for (int i = 0; i < movement->promotion_count; i++)
        kinds |= movement->promotions[i].to;
    return kinds;
}

/* Kinds that stand somewhere at the start, or come to be by some movement. */
static uint64_t kinds_there(const struct reader *reader)
{
    const struct definition *definition = reader->definition;
    uint64_t kinds = 0;
    for (int i = 0; i < definition->cell_count; i++)
        if (definition->start[i].player != PLAYER_NONE)
            kinds |= UINT64_C(1) << definition->start[i].figure;
    for (int figure = 0; figure < definition->figure_count; figure++)
        for (int player = 0; player < reader->players.count; player++) {
            const struct movement_list *list = &definition->figures[figure].movement[player];
            for (int i = 0; i < list->count; i++)
                kinds |= kinds_by(&list->movements[i]);
        }
    for (int player = 0; player < reader->players.count; player++)
        kinds |= placing_list_kinds(&definition->placing[player]);
    for (int i = 0; i < definition->combined_count; i++)
        for (int k = 0; k < definition->combined[i].participant_count; k++)
            kinds |= kinds_made(&definition->combined[i].participants[k].actions);
    return kinds;
}

static void look_at_figures(struct reader *reader, const struct node *root)
{
    struct node figures = node_member(root, "figures"),
                start = node_member(root, "initial_position");
    uint64_t there = node_is_there(&start) ? kinds_there(reader) : UINT64_MAX;
    for (int i = 0; i < reader->figures.count; i++) {
        struct node figure = node_member(&figures, reader->figures.names[i]);
        if ((there >> i & 1) == 0)
            reader_warn(reader, &figure, NODE_KEY,
                        "put it into `initial_position`, or let another become it",
                        "figure `%s` never comes to the board", text_quote(figure.key).text);
    }
}

/* --- letters ---------------------------------------------------------------------------------- */

static void look_at_letters(struct reader *reader, const struct node *root)
{
    struct node notation = node_member(root, "notation");
    struct node letters = node_member(&notation, "figures");
    for (int i = 0; node_is_there(&letters) && i < reader->figures.count; i++)
        if (!node_has(&letters, reader->figures.names[i]))
            reader_warn(reader, &letters, NODE_KEY, "positions with it have no text",
                        "figure `%s` has no letter", text_quote(reader->figures.names[i]).text);
}

/* --- results ---------------------------------------------------------------------------------- */

/* Whether a result with the first condition comes wherever one with the second would. */
static bool says_no_more(const struct node *first, const struct node *second)
{
    if (node_type(first) != NODE_OBJECT || node_type(second) != NODE_OBJECT)
        return false;
    EACH_MEMBER (each, first) {
        struct node other = node_member(second, each.key);
        if (!node_equal(&each, &other))
            return false;
    }
    return true;
}

static bool ends_the_game(const struct node *result)
{
    struct node claim = node_member(result, "claim"), flag = node_member(result, "flag"),
                gives = node_member(result, "result");
    return !node_boolean(&claim) && !node_boolean(&flag) && !node_has(&gives, "finish") &&
           !node_has(&gives, "eliminated");
}

static void look_at_results(struct reader *reader, const struct node *root)
{
    struct node results = node_member(root, "results");
    EACH_ELEMENT (late, &results) {
        struct node condition = node_member(&late, "if");
        EACH_ELEMENT (early, &results) {
            struct node before = node_member(&early, "if");
            if (early.index >= late.index)
                break;
            if (!ends_the_game(&early) || !says_no_more(&before, &condition))
                continue;
            reader_warn(reader, &late, NODE_VALUE, "put it before that one",
                        "this result never comes: /results/%zu holds wherever it does",
                        early.index);
            break;
        }
    }
}

void suspicions_say(struct reader *reader, const struct node *root)
{
    /* For fewer players the same would be said again, and of what only the others need. */
    if (!reader_is_modern(reader) || reader->options->player_count > 0)
        return;
    look_at_zones(reader, root);
    look_at_figures(reader, root);
    look_at_letters(reader, root);
    look_at_results(reader, root);
}
