/* Movements and combined movements of the game: as they were read, one list for each piece, and in format 2 settled on the board. */
#include "engine/load/compile.h"
#include "engine/work.h"

/* --- movements -------------------------------------------------------------------------------- */

static void settle_promotions(struct compiler *compiler, player_index player,
                              struct movement *movement)
{
    struct game *game = compiler->game;
    struct promotion_rule *rules = GAME_COPY(game, movement->promotions, movement->promotion_count);
    uint64_t cells[WORDS_MAX] = {0};
    for (int i = 0; i < movement->promotion_count; i++) {
        rules[i].in = compile_zone(compiler, rules[i].in_zone, player);
        rules[i].from = compile_zone(compiler, rules[i].from_zone, player);
        rules[i].condition = compile_condition(compiler, rules[i].condition, player);
        game->tracks_previous |= condition_asks(rules[i].condition, CONDITION_PREVIOUS);
        movement->promotes_at_end |= rules[i].at_turn_end;
        const uint64_t *in = game_cell_set(game, rules[i].in);
        for (int w = 0; w < game->words; w++)
            cells[w] |= in[w];
    }
    movement->promotions = rules;
    movement->promotion_cells = compile_cell_set(compiler, cells);
}

static bool is_plain(const struct movement *movement)
{
    return (movement->purpose == FOR_MOVE || movement->purpose == FOR_TAKE ||
            movement->purpose == FOR_BOTH) &&
           !movement->takes_jumped && movement->continues == GOES_ON_NEVER;
}

/* Movements of one figure have sets in common. */
static void settle_actions(struct compiler *compiler, player_index player,
                           const struct cell_actions *actions)
{
    for (int i = 0; i < actions->destination_count; i++)
        compile_in_place(compiler, actions->destination[i].condition, player);
    for (int i = 0; i < actions->transition_count; i++)
        compile_in_place(compiler, actions->transition[i].condition, player);
}

static void compile_movement(struct compiler *compiler, const struct movement *read,
                             player_index player)
{
    struct game *game = compiler->game;
    struct movement *movement = table_add(&compiler->movements);
    *movement = *read;
    /* A mark is one cell. */
    if (movement->mark >= 0 && movement->max_steps > 2)
        compile_refuse(game, movement->pointer, "",
                       "`mark` needs a movement of at most 2 steps: one cell between");
    movement->condition = compile_condition(compiler, movement->condition, player);
    settle_actions(compiler, player, &movement->actions);
    if (movement->jumps)
        compile_match(compiler, player, &movement->over);
    movement->via =
        compile_row_list(compiler, movement->via_deltas, movement->via_count, vector_zero);
    movement->via_deltas = NULL;
    if (movement->counts_steps) {
        movement->line = compile_lines(compiler, &movement->delta, 1);
        compile_match(compiler, player, &movement->counted);
    }
    movement->within = compile_zone(compiler, movement->within_zone, player);
    if (movement->purpose == FOR_PUT)
        movement->put_code = game_code(game, movement->put, player);
    settle_promotions(compiler, player, movement);
    movement->plain = is_plain(movement);
    game->takes_jumped |= movement->takes_jumped;
    game->continues |= movement->continues != GOES_ON_NEVER;
    game->tracks_previous |= condition_asks(movement->condition, CONDITION_PREVIOUS);
}

void compile_movements(struct compiler *compiler)
{
    struct game *game = compiler->game;
    for (int piece = 0; piece < game->piece_count; piece++) {
        figure_index figure = game->code_figures[piece + 1];
        player_index player = game->code_players[piece + 1];
        const struct movement_list *list = &compiler->definition->figures[figure].movement[player];
        game->piece_rules[piece] = (uint32_t)compiler->movements.count;
        game->compiling->subject = figure;
        for (int i = 0; i < list->count; i++)
            compile_movement(compiler, &list->movements[i], player);
    }
    game->piece_rules[game->piece_count] = (uint32_t)compiler->movements.count;
    game->movements = table_finish(&compiler->movements);
}

/* A step into a hole ends it, but where action sets say what happens to what is between. */
int compile_reach(const struct game *game, const struct movement *movement, cell_index from)
{
    const uint64_t *within = game_cell_set(game, movement->within);
    const uint32_t *starts = game->ray_starts + movement->ray + from;
    const cell_index *ray = compile_path(game, movement, from);
    int most = (int)(starts[1] - starts[0]), steps = 0;
    bool leaps_holes =
        movement->purpose == FOR_ACTIONS && !movement->jumps && movement->within == CELL_SET_ALL;
    if (most == 0 || !bits_test(within, from))
        return 0;
    for (int i = 0; i < movement->via_count; i++)
        if (movement->via[i][from] == CELL_NONE)
            return 0;
    while (steps < most && steps < movement->max_steps &&
           (ray[steps] == CELL_NONE ? leaps_holes : bits_test(within, ray[steps])))
        steps++;
    work_spend((uint64_t)steps);
    return steps;
}

size_t compile_choices(const struct movement *movement)
{
    uint64_t to = 0;
    size_t more = 1; /* to stay what it is */
    for (int i = 0; i < movement->promotion_count; i++) {
        if (movement->promotions[i].at_turn_end)
            continue;
        to |= movement->promotions[i].to;
        more += movement->promotions[i].taken;
    }
    return word_count(to) + more;
}

/* --- combined movements ------------------------------------------------------------------------ */

static void settle_places(struct compiler *compiler, struct combined_movement *movement)
{
    int count = movement->participant_count;
    struct vector deltas[PARTICIPANTS_MAX * PARTICIPANTS_MAX];
    const struct participant *participants = movement->participants;
    movement->beginner_count = movement->modern ? 1 : count;
    for (int i = 0; i < movement->beginner_count * count; i++)
        deltas[i] = vector_plus(participants[i % count].at, -1, participants[i / count].at);
    movement->sources =
        compile_row_list(compiler, deltas, movement->beginner_count * count, vector_zero);
    for (int i = 0; i < count; i++)
        deltas[i] = participants[i].delta;
    movement->destinations = compile_row_list(compiler, deltas, count, vector_zero);
    movement->empty = compile_row_list(compiler, movement->empty_deltas, movement->empty_count,
                                       participants[0].at);
    movement->safe =
        compile_row_list(compiler, movement->safe_deltas, movement->safe_count, participants[0].at);
    movement->empty_deltas = movement->safe_deltas = NULL;
}

static bool can_begin(const struct game *game, const struct combined_movement *movement,
                      const struct participant *participant, unsigned code)
{
    player_index player = game->code_players[code];
    bool acts = participant->by_default || participant->actions.destination_count > 0;
    return acts && participant->figure == game->code_figures[code] &&
           (!movement->modern || movement->player == player) && !vector_is_zero(participant->delta);
}

static void list_beginnings(struct compiler *compiler)
{
    struct game *game = compiler->game;
    game->beginning_starts =
        game_allocate(game, (size_t)game->piece_count + 1, sizeof *game->beginning_starts);
    for (int code = 1; code < game->code_count; code++) {
        for (int i = 0; i < game->combined_count; i++)
            for (int k = 0; k < game->combined[i].beginner_count; k++)
                if (can_begin(game, &game->combined[i], &game->combined[i].participants[k],
                              (unsigned)code))
                    *(uint16_t *)table_add(&compiler->beginnings) =
                        (uint16_t)(i * PARTICIPANTS_MAX + k);
        game->beginning_starts[code] = (uint32_t)compiler->beginnings.count;
    }
    game->beginnings = table_finish(&compiler->beginnings);
}

void compile_combined(struct compiler *compiler)
{
    struct game *game = compiler->game;
    game->compiling->subject = SUBJECT_COMBINED;
    game->combined = GAME_COPY(game, game->combined, game->combined_count);
    for (int i = 0; i < game->combined_count; i++) {
        struct combined_movement *movement = &game->combined[i];
        settle_places(compiler, movement);
        movement->condition = compile_condition(compiler, movement->condition, movement->player);
        game->tracks_previous |= condition_asks(movement->condition, CONDITION_PREVIOUS);
        for (int k = 0; k < movement->participant_count; k++) {
            settle_actions(compiler, movement->player, &movement->participants[k].actions);
            movement->acts |= !movement->participants[k].by_default;
            game->tracks_unmoved |= movement->participants[k].unmoved;
        }
    }
    list_beginnings(compiler);
}
