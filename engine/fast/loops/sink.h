/* Batches of moves, and the sink that takes them: counted, listed, tried out, or searched for one move. */

struct NAME(batch) {
    SET targets;
    int16_t offset; /* where `from` is CELL_NONE: from = to - offset */
    cell_index from;
    uint16_t rule;
    const struct promotion_rule *choices; /* NULL: nothing is chosen */
};

struct NAME(sink) {
    bool counts;        /* only the number of moves is wanted, */
    unsigned counted;   /* which is this, */
    unsigned enough;    /* and so many are as good as all */
    unsigned most;      /* what the best of the batches take */
    struct move *moves; /* the result's, and */
    uint64_t before;    /* its count, before the first batch */
    int count;
    struct NAME(batch) batches[FAST_BATCHES];
    struct fast_result *result;
};

static inline struct move NAME(batch_move)(const struct NAME(batch) * batch, cell_index to)
{
    cell_index from = batch->from != CELL_NONE ? batch->from : (cell_index)(to - batch->offset);
    return (struct move){.from = from, .to = to, .rule = batch->rule, .choice = CHOICE_NONE};
}

/* Takes what has come so far out of the sink. */
static void NAME(drain)(struct NAME(sink) * sink)
{
    struct fast_result *result = sink->result;
    bool lists = result->moves != NULL && result->trial == NULL && !result->finds;
    for (int i = 0; i < sink->count; i++) {
        const struct NAME(batch) *batch = &sink->batches[i];
        if (lists && batch->choices == NULL) {
            struct move *moves = result->moves;
            EACH_CELL (to, batch->targets)
                *moves++ = NAME(batch_move)(batch, to);
            result->moves = moves;
            continue;
        }
        EACH_CELL (to, batch->targets) {
            if (batch->choices == NULL)
                fast_deliver(result, NAME(batch_move)(batch, to));
            else
                fast_deliver_choices(result, NAME(batch_move)(batch, to), batch->choices);
        }
    }
    sink->count = 0;
}

/* Of a batch the moves of one figure. */
static inline SET NAME(batch_from)(const struct NAME(batch) * batch, cell_index from)
{
    if (batch->from == CELL_NONE)
        return NAME(and)(batch->targets, NAME(shifted)(NAME(one)(from), batch->offset));
    return batch->from == from ? batch->targets : NAME(none)();
}

/* Whose moves come behind so many of others; so many of its own are left. */
static inline cell_index NAME(figure_behind)(SET figures, const uint16_t *counts, int *others)
{
    EACH_CELL (from, figures) {
        if (*others < counts[from])
            return from;
        *others -= counts[from];
    }
    assert(false);
    return CELL_NONE;
}

/* Lists the move that is chosen, if all are in the sink and what figures become is not to be chosen, too. */
static bool NAME(choose)(struct NAME(sink) * sink, SET figures)
{
    struct fast_result *result = sink->result;
    const struct NAME(batch) *batch = sink->batches, *end = batch + sink->count;
    uint16_t counts[WORDS * WORD_BITS]; /* of the moves of each figure */
    int all = 0;
    if (result->trial != NULL || result->moves != sink->moves)
        return false;
    EACH_CELL (from, figures)
        counts[from] = 0;
    for (; batch < end; batch++) {
        unsigned count = NAME(size)(batch->targets);
        if (batch->choices != NULL)
            return false;
        all += (int)count;
        if (batch->from != CELL_NONE)
            counts[batch->from] = (uint16_t)(counts[batch->from] + count);
        else
            EACH_CELL (to, batch->targets)
                counts[to - batch->offset]++;
    }
    if (all == 0)
        return true;
    work_spend((unsigned)all);
    int others = result->choose(result->context, all);
    cell_index from = NAME(figure_behind)(figures, counts, &others);
    SET targets = NAME(none)();
    for (batch = sink->batches; batch < end; batch++)
        targets = NAME(or)(targets, NAME(batch_from)(batch, from));
    cell_index to = (cell_index)bits_behind(targets.w, others);
    for (batch = sink->batches; !NAME(has)(NAME(batch_from)(batch, from), to);)
        batch++;
    *result->moves++ = NAME(batch_move)(batch, to);
    result->count = 1;
    return true;
}

static void NAME(add_batch)(struct NAME(sink) * sink, const struct fast_group *group,
                            cell_index from, SET targets, const struct promotion_rule *choices)
{
    if (NAME(is_empty)(targets))
        return;
    if (sink->count == FAST_BATCHES)
        NAME(drain)(sink);
    sink->batches[sink->count++] = (struct NAME(batch)){.targets = targets,
                                                        .from = from,
                                                        .offset = group->offset,
                                                        .rule = group->rule,
                                                        .choices = choices};
}

/* How many moves these are, if only that is wanted (`counts`, as the sink has it); else they are taken, and it is 0. */
FAST_WITHIN unsigned NAME(emitted)(struct NAME(sink) * sink, const struct fast_group *group,
                                   cell_index from, SET targets, bool counts)
{
    if (counts) {
        unsigned count = NAME(size)(targets);
        if (group->more != 0)
            count += group->more * NAME(size)(NAME(and)(targets, NAME(load)(group->promoted)));
        return count;
    }
    if (group->more != 0) {
        SET promoted = NAME(load)(group->promoted);
        NAME(add_batch)(sink, group, from, NAME(and)(targets, promoted), group->promotion);
        targets = NAME(without)(targets, promoted);
    }
    NAME(add_batch)(sink, group, from, targets, NULL);
    return 0;
}

static inline void NAME(emit)(struct NAME(sink) * sink, const struct fast_group *group,
                              cell_index from, SET targets)
{
    sink->counted += NAME(emitted)(sink, group, from, targets, sink->counts);
}
