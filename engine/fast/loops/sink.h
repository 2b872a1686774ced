/* Batches of moves, and the sink that takes them: counted, listed, tried out, or searched for one move. */

struct NAME(batch) {
    SET targets;
    int16_t offset; /* where `from` is CELL_NONE: from = to - offset */
    cell_index from;
    uint16_t rule;
    uint16_t promotion;
};

struct NAME(sink) {
    bool counts;        /* only the number of moves is wanted */
    unsigned most;      /* what the best of the batches take */
    struct move *moves; /* the result's, and */
    uint64_t before;    /* its count, before the first batch */
    int count;
    struct NAME(batch) batches[FAST_BATCHES];
    struct fast_result *result;
};

static inline unsigned NAME(batch_size)(const struct game *game, const struct NAME(batch) * batch)
{
    unsigned choices =
        batch->promotion == 0 ? 1U : game->fast->promotions[batch->promotion].choice_count;
    return NAME(size)(batch->targets) * choices;
}

static inline struct move NAME(batch_move)(const struct NAME(batch) * batch, cell_index to,
                                           uint8_t choice)
{
    cell_index from = batch->from == CELL_NONE ? (cell_index)(to - batch->offset) : batch->from;
    return (struct move){.from = from, .to = to, .rule = batch->rule, .choice = choice};
}

static struct move *NAME(list_batch)(const struct game *game, const struct NAME(batch) * batch,
                                     struct move *moves)
{
    cell_index to = 0;
    if (batch->promotion == 0) {
        FOR_EACH(batch->targets, to)
        {
            *moves++ = NAME(batch_move)(batch, to, CHOICE_NONE);
        }
        return moves;
    }
    const struct fast_promotion *promotion = &game->fast->promotions[batch->promotion];
    FOR_EACH(batch->targets, to)
    {
        for (int i = 0; i < promotion->choice_count; i++)
            *moves++ = NAME(batch_move)(batch, to, promotion->choices[i]);
    }
    return moves;
}

/* Each move is tried out. */
static void NAME(try_batch)(const struct game *game, const struct NAME(batch) * batch,
                            struct fast_result *result)
{
    const struct fast_promotion *promotion = &game->fast->promotions[batch->promotion];
    int choices = batch->promotion == 0 ? 1 : promotion->choice_count;
    cell_index to = 0;
    FOR_EACH(batch->targets, to)
    {
        for (int i = 0; i < choices && work_spend(1); i++)
            fast_try(result,
                     NAME(batch_move)(batch, to,
                                      batch->promotion == 0 ? CHOICE_NONE : promotion->choices[i]));
    }
}

/* Of all batches the one move that is asked for, if it is there. */
static void NAME(find_in_batch)(const struct game *game, const struct NAME(batch) * batch,
                                struct fast_result *result)
{
    if (!NAME(has)(batch->targets, result->to))
        return;
    bool offered = batch->promotion == 0 && result->choice == CHOICE_NONE;
    const struct fast_promotion *promotion = &game->fast->promotions[batch->promotion];
    for (int i = 0; batch->promotion != 0 && i < promotion->choice_count; i++)
        offered |= promotion->choices[i] == result->choice;
    struct move move = NAME(batch_move)(batch, result->to, result->choice);
    if (!offered || (result->trial != NULL && !result->is_legal(result->trial, move)))
        return;
    result->found = move;
    result->count++;
}

/* Takes what has come so far out of the sink: counted, listed, or the one move found that is asked for. */
static void NAME(drain)(const struct game *game, struct NAME(sink) * sink)
{
    struct fast_result *result = sink->result;
    if (result->finds) {
        for (int i = 0; i < sink->count; i++)
            NAME(find_in_batch)(game, &sink->batches[i], result);
        sink->count = 0;
        return;
    }
    if (result->trial != NULL) {
        for (int i = 0; i < sink->count; i++)
            NAME(try_batch)(game, &sink->batches[i], result);
        sink->count = 0;
        return;
    }
    if (result->moves != NULL) {
        for (int i = 0; i < sink->count; i++)
            result->moves = NAME(list_batch)(game, &sink->batches[i], result->moves);
        sink->count = 0;
        return;
    }
    for (int i = 0; i < sink->count; i++)
        result->count += NAME(batch_size)(game, &sink->batches[i]);
    sink->count = 0;
}

static inline void NAME(add_batch)(const struct game *game, struct NAME(sink) * sink,
                                   const struct fast_group *group, cell_index from, SET targets,
                                   uint16_t promotion)
{
    if (NAME(is_empty)(targets))
        return;
    if (sink->counts) {
        unsigned choices = promotion == 0 ? 1U : game->fast->promotions[promotion].choice_count;
        sink->result->count += (uint64_t)NAME(size)(targets) * choices;
        return;
    }
    if (sink->count == FAST_BATCHES)
        NAME(drain)(game, sink);
    sink->batches[sink->count++] = (struct NAME(batch)){.targets = targets,
                                                        .from = from,
                                                        .offset = group->offset,
                                                        .rule = group->rule,
                                                        .promotion = promotion};
}

static void NAME(emit_choices)(const struct game *game, struct NAME(sink) * sink,
                               const struct fast_group *group, cell_index from, SET targets)
{
    if (group->promotion != 0 && !NAME(is_empty)(targets)) {
        const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
        if (promotion->choice_count > 0) {
            SET cells = NAME(load)(promotion->cells);
            NAME(add_batch)(game, sink, group, from, NAME(and)(targets, cells), group->promotion);
            targets = NAME(without)(targets, cells);
        }
    }
    NAME(add_batch)(game, sink, group, from, targets, 0);
}

static inline void NAME(emit)(const struct game *game, struct NAME(sink) * sink,
                              const struct fast_group *group, cell_index from, SET targets)
{
    if (sink->counts && group->promotion == 0)
        sink->result->count += NAME(size)(targets);
    else
        NAME(emit_choices)(game, sink, group, from, targets);
}
