/* The loop of fast_slides.h for one width of bit sets; the end of fast_template.h, whose sets it uses. */

/* Where each figure that may move, one on a cell at most, may go, and how many moves there are before its own. */
struct NAME(slides_found) {
    int count;
    SET targets[WORDS * WORD_BITS];
    uint32_t sums[WORDS * WORD_BITS];
    cell_index from[WORDS * WORD_BITS];
    const struct slides_way *ways[WORDS * WORD_BITS];
};

static inline SET NAME(slides_reach)(const struct slides_way *way, cell_index from, SET occupied)
{
    const uint64_t *ray = way->table + (size_t)from * way->all * WORDS;
    SET reach = NAME(none)();
    for (int i = 0; i < way->rising; i++, ray += WORDS)
        reach = NAME(or)(reach, NAME(until)(false, NAME(load)(ray), occupied));
    for (int i = way->rising; i < way->all; i++, ray += WORDS)
        reach = NAME(or)(reach, NAME(until)(true, NAME(load)(ray), occupied));
    return NAME(without)(reach, occupied);
}

/* Returns how many moves there are. */
static inline uint32_t NAME(slides_look)(const struct fast_slides *slides,
                                         const struct slides_stand *stand, SET occupied,
                                         struct NAME(slides_found) * found)
{
    const struct slides_state *state = &slides->states[stand->state];
    const uint64_t *words = stand->words;
    uint32_t total = 0;
    found->count = 0;
    for (int i = 0; i < state->way_count; i++) {
        const struct slides_way *way = &state->ways[i];
        size_t kind = (size_t)(slides->game->player_count + way->figure) * WORDS;
        SET here =
            NAME(and)(NAME(load)(words + (size_t)state->player * WORDS), NAME(load)(words + kind));
        if (state->same_figure)
            here = NAME(and)(here, NAME(one)(stand->stands));
        cell_index from = 0;
        FOR_EACH(here, from)
        {
            int count = found->count++;
            found->targets[count] = NAME(slides_reach)(way, from, occupied);
            found->from[count] = from;
            found->ways[count] = way;
            found->sums[count] = total;
            total += NAME(size)(found->targets[count]);
        }
    }
    return total;
}

static inline cell_index NAME(slides_nth)(SET targets, unsigned index)
{
    int word = 0;
    for (; word < WORDS - 1 && index >= word_count(targets.w[word]); word++)
        index -= word_count(targets.w[word]);
    return (cell_index)((unsigned)word * WORD_BITS + word_nth(targets.w[word], index));
}

/* Of which movement a move is. */
static uint16_t NAME(slides_rule)(const struct slides_way *way, cell_index from, cell_index to)
{
    int ray = 0;
    while (!bits_test(way->table + ((size_t)from * way->all + (size_t)ray) * WORDS, to))
        ray++;
    return way->rules[ray];
}

/* Moves the figure, or puts another. */
static inline void NAME(slides_make)(const struct fast_slides *slides, struct slides_stand *stand,
                                     const struct slides_way *way, cell_index from, cell_index to,
                                     SET *occupied)
{
    const struct game *game = slides->game;
    const struct slides_state *state = &slides->states[stand->state];
    uint64_t *words = stand->words;
    player_index owner = state->player;
    figure_index figure = way->figure;
    stand->code = game_code(game, figure, owner);
    stand->stands = from;
    if (way->put_code != 0) {
        owner = game->code_players[way->put_code];
        figure = game->code_figures[way->put_code];
    } else {
        stand->stands = to;
        bits_reset(words + (size_t)owner * WORDS, from);
        bits_reset(words + (size_t)(game->player_count + figure) * WORDS, from);
        *occupied = NAME(without)(*occupied, NAME(one)(from));
    }
    bits_set(words + (size_t)owner * WORDS, to);
    bits_set(words + (size_t)(game->player_count + figure) * WORDS, to);
    *occupied = NAME(or)(*occupied, NAME(one)(to));
    stand->from = from;
    stand->to = to;
    stand->mover = state->player;
    stand->state = state->next;
}

static uint32_t NAME(slides_run)(const struct fast_slides *slides, struct slides_stand *stand,
                                 uint64_t *random, uint32_t plies_max, struct move *moves)
{
    struct NAME(slides_found) found;
    SET occupied = NAME(none)();
    for (int i = 0; i < slides->game->player_count; i++)
        occupied = NAME(or)(occupied, NAME(load)(stand->words + (size_t)i * WORDS));
    uint32_t plies = 0;
    for (; plies < plies_max; plies++) {
        uint32_t total = NAME(slides_look)(slides, stand, occupied, &found);
        stand->stuck = total == 0;
        if (stand->stuck)
            break;
        uint32_t index = (uint32_t)fast_below(random, total);
        int figure = 0;
        for (int i = 1; i < found.count; i++)
            figure += index >= found.sums[i];
        const struct slides_way *way = found.ways[figure];
        cell_index from = found.from[figure];
        cell_index to = NAME(slides_nth)(found.targets[figure], index - found.sums[figure]);
        if (moves != NULL)
            moves[plies] = (struct move){.from = from,
                                         .to = to,
                                         .rule = NAME(slides_rule)(way, from, to),
                                         .choice = CHOICE_NONE};
        NAME(slides_make)(slides, stand, way, from, to, &occupied);
    }
    return plies;
}
