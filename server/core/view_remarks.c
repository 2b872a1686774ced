#include "engine/threats.h"
#include "server/core/view.h"

/* What a position shows beside figures: it follows from the state's past, and is no part of the state or its hash. */

static void write_attacked(struct writer *writer, const struct edition *edition,
                           const struct position *position)
{
    struct threats threats;
    threats_find(position, &threats);
    if (threats.count == 0)
        return;
    writer_key(writer, "attacked");
    writer_array(writer);
    for (int i = 0; i < threats.count; i++)
        writer_string(writer, edition->cell_names[threats.cells[i]]);
    writer_end(writer);
}

/* Those of each player are what a player reaches; those of the whole game are clocks of its draws. */
static void write_counters(struct writer *writer, const struct position *position)
{
    const struct game *game = position_game(position);
    const char *open = NULL;
    int count = game_facts(game)->counter_slot_count;
    for (int slot = 0; slot < count; slot++) {
        player_index player;
        const char *name = game_counter_name(game, slot, &player);
        if (player == PLAYER_NONE)
            continue;
        if (open == NULL) {
            writer_key(writer, "counters");
            writer_object(writer);
        }
        if (open != name) {
            if (open != NULL)
                writer_end(writer);
            writer_key(writer, name);
            writer_object(writer);
            open = name;
        }
        writer_key(writer, game_facts(game)->player_names[player]);
        writer_integer(writer, position_counter(position, slot));
    }
    if (open != NULL) {
        writer_end(writer);
        writer_end(writer);
    }
}

/* Halves are kept, points are told. */
static void write_scores(struct writer *writer, const struct position *position)
{
    const struct game *game = position_game(position);
    int halves[PLAYERS_MAX];
    if (!position_scores(position, halves))
        return;
    writer_key(writer, "scores");
    writer_object(writer);
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        writer_key(writer, game_facts(game)->player_names[i]);
        writer_number(writer, halves[i] / 2.0);
    }
    writer_end(writer);
}

/* Of each player the kinds that are there. */
static void write_hands(struct writer *writer, const struct position *position)
{
    const struct game *game = position_game(position);
    if (!game_facts(game)->has_hands)
        return;
    writer_key(writer, "hands");
    writer_object(writer);
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        writer_key(writer, game_facts(game)->player_names[i]);
        writer_object(writer);
        for (int k = 0; k < game_facts(game)->figure_count; k++) {
            int count = position_hand(position, (player_index)i, (figure_index)k);
            if (count == 0)
                continue;
            writer_key(writer, game_facts(game)->figure_names[k]);
            writer_integer(writer, count);
        }
        writer_end(writer);
    }
    writer_end(writer);
}

void view_write_remarks(struct writer *writer, const struct edition *edition,
                        const struct position *position)
{
    write_attacked(writer, edition, position);
    write_counters(writer, position);
    write_scores(writer, position);
    write_hands(writer, position);
}
