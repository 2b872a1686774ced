/* What attacks what, from the attacked cell's side; and complex movements with everything about coordinates decided. */
#include "engine/candidates.h"
#include "engine/load/compile_fast.h"
#include "engine/work.h"

#include "engine/rules/change.h"

#include <string.h>

enum { ATTACK_DRAFTS_MAX = 256, PATHS_MAX = UINT16_MAX };

/* Attacks of one direction by some figures of one player on another; those with equal tables are put together, then those of equal
 * figures. */
struct attack_draft {
    bool line, used;
    uint8_t jumped;
    bool limited, any_target, on_empty;
    player_index player;
    uint64_t over_figures, kinds;
    uint64_t attackers; /* the player's figures that do, bits */
    uint64_t *reach;
    uint16_t *paths;
};

struct path_pool {
    uint64_t *words;
    uint32_t *slots;
    size_t count, room, slot_count;
};

struct attack_compiler {
    struct fast_compiler *compiler;
    struct path_pool paths;
    struct attack_draft drafts[ATTACK_DRAFTS_MAX];
    int count;
    bool full;
    /* of the movement looked at: */
    struct attack_draft *draft;
    const struct movement *movement;
};

/* --- paths ------------------------------------------------------------------------------------------------------ */

static uint16_t find_path(struct attack_compiler *attacks, const uint64_t *cells)
{
    struct path_pool *pool = &attacks->paths;
    size_t words = (size_t)attacks->compiler->game->words;
    uint64_t hash = 0;
    for (size_t i = 0; i < words; i++)
        hash = hash_mix(hash ^ cells[i]);
    size_t slot = hash % pool->slot_count;
    for (; pool->slots[slot] != 0; slot = (slot + 1) % pool->slot_count) {
        size_t index = pool->slots[slot] - 1;
        if (memcmp(pool->words + index * words, cells, words * sizeof *cells) == 0)
            return (uint16_t)index;
    }
    if (pool->count == PATHS_MAX) {
        attacks->full = true;
        return 0;
    }
    if (pool->count == pool->room) {
        pool->room = pool->room * 2 + 256;
        pool->words = compile_resize(attacks->compiler->game, pool->words, pool->room * words,
                                     sizeof *pool->words);
    }
    memcpy(pool->words + pool->count * words, cells, words * sizeof *cells);
    pool->slots[slot] = (uint32_t)++pool->count;
    return (uint16_t)(pool->count - 1);
}

/* --- drafts ----------------------------------------------------------------------------------------------------- */

static struct attack_draft *new_draft(struct attack_compiler *attacks, bool line)
{
    struct game *game = attacks->compiler->game;
    size_t cells = (size_t)game->cell_count;
    if (attacks->count == ATTACK_DRAFTS_MAX) {
        attacks->full = true;
        return NULL;
    }
    struct attack_draft *draft = &attacks->drafts[attacks->count++];
    *draft = (struct attack_draft){.line = line, .used = true};
    draft->reach = compile_allocate(game, cells * (size_t)game->words, sizeof *draft->reach);
    if (line)
        draft->paths = compile_allocate(game, cells * cells, sizeof *draft->paths);
    return draft;
}

static void release_draft(struct game *game, struct attack_draft *draft)
{
    compile_free(game, draft->reach);
    compile_free(game, draft->paths);
    draft->reach = NULL;
    draft->paths = NULL;
    draft->used = false;
}

/* Where the way leads by its own target, that must be empty: nothing is ever taken there. */
static bool takes_there(const struct attack_compiler *attacks, const struct fast_way *way)
{
    for (int i = 0; i < attacks->movement->via_count; i++)
        if (attacks->movement->via[i][way->from] == way->to)
            return false;
    return way->target;
}

static void visit_attack(void *context, const struct fast_way *way)
{
    struct attack_compiler *attacks = context;
    const struct game *game = attacks->compiler->game;
    size_t words = (size_t)game->words;
    if (!takes_there(attacks, way))
        return;
    bits_set(attacks->draft->reach + way->to * words, way->from);
    if (!attacks->draft->line)
        return;
    uint64_t cells[WORDS_MAX] = {0};
    for (int i = 0; i < way->steps - 1; i++)
        bits_set(cells, way->path[i]);
    for (int i = 0; i < attacks->movement->via_count; i++)
        bits_set(cells, attacks->movement->via[i][way->from]);
    attacks->draft->paths[(size_t)way->to * (size_t)game->cell_count + way->from] =
        find_path(attacks, cells);
}

static bool same_kind(const struct attack_draft *a, const struct attack_draft *b)
{
    return a->line == b->line && a->player == b->player && a->jumped == b->jumped &&
           a->limited == b->limited && a->over_figures == b->over_figures && a->kinds == b->kinds &&
           a->any_target == b->any_target && a->on_empty == b->on_empty;
}

static bool same_tables(const struct game *game, const struct attack_draft *a,
                        const struct attack_draft *b)
{
    size_t cells = (size_t)game->cell_count, words = (size_t)game->words;
    work_spend(cells);
    return memcmp(a->reach, b->reach, cells * words * sizeof *a->reach) == 0 &&
           (!a->line || memcmp(a->paths, b->paths, cells * cells * sizeof *a->paths) == 0);
}

/* Puts the newest draft into an older one with the same tables, if there is one. */
static void merge_movers(struct attack_compiler *attacks)
{
    struct attack_draft *last = &attacks->drafts[attacks->count - 1];
    for (int i = 0; i < attacks->count - 1; i++) {
        struct attack_draft *draft = &attacks->drafts[i];
        if (!same_kind(draft, last) || !same_tables(attacks->compiler->game, draft, last))
            continue;
        draft->attackers |= last->attackers;
        release_draft(attacks->compiler->game, last);
        attacks->count--;
        return;
    }
}

/* Puts directions of the same figures into one table where no pair of cells stands in both. */
static void merge_directions(struct attack_compiler *attacks)
{
    const struct game *game = attacks->compiler->game;
    size_t cells = (size_t)game->cell_count, words = (size_t)game->words;
    for (int i = 0; i < attacks->count; i++)
        for (int k = 0; k < i; k++) {
            struct attack_draft *into = &attacks->drafts[k], *draft = &attacks->drafts[i];
            if (!into->used || !draft->used || !same_kind(into, draft) ||
                into->attackers != draft->attackers ||
                (into->line && compile_fast_meet(into->reach, draft->reach, cells * words)))
                continue;
            for (size_t w = 0; w < cells * words; w++)
                into->reach[w] |= draft->reach[w];
            work_spend(cells * cells / 2);
            for (size_t p = 0; into->line && p < cells * cells; p++)
                into->paths[p] = (uint16_t)(into->paths[p] | draft->paths[p]);
            release_draft(attacks->compiler->game, draft);
        }
}

/* --- collecting ------------------------------------------------------------------------------------------------- */

/* The attacks of one movement of a mover; what no table can hold is a reason. */
static const char *draft_movement(struct attack_compiler *attacks, const struct movement *movement,
                                  int mover)
{
    struct fast_compiler *compiler = attacks->compiler;
    const struct game *game = compiler->game;
    struct fast_needs needs;
    if (movement->purpose == FOR_ACTIONS)
        return "an attack's actions are written out";
    if (movement->purpose != FOR_TAKE && movement->purpose != FOR_BOTH)
        return NULL;
    if (compile_fast_needs(compiler, movement, mover, &needs) != NULL || needs.unmoved)
        return "an attack depends on more than what stands where";
    if (movement->takes_jumped)
        return "jumps attack what they jump";
    struct fast_contents over = {.figures = UINT64_MAX,
                                 .players = compile_fast_all_players(compiler)};
    if (movement->jumps && (movement->over_min != 1 || movement->over_max != 1 ||
                            !compile_fast_contents(compiler, &movement->over, &over) ||
                            over.players != compile_fast_all_players(compiler)))
        return "an attack jumps over more than one figure, or only over some player's";
    bool line = movement->max_steps > 1 || movement->via_count > 0;
    struct attack_draft *draft = new_draft(attacks, line);
    if (draft == NULL)
        return NULL;
    uint64_t all = compiler->game->all_figures;
    draft->jumped = movement->jumps;
    draft->over_figures = over.figures & all;
    draft->limited = draft->over_figures != all;
    draft->kinds = needs.figures & all;
    draft->any_target = draft->kinds == all && !needs.occupied;
    draft->on_empty = !needs.occupied;
    draft->player = game->code_players[mover + 1];
    draft->attackers = UINT64_C(1) << game->code_figures[mover + 1];
    attacks->draft = draft;
    attacks->movement = movement;
    bool known = true;
    for (int cell = 0; cell < game->cell_count; cell++)
        known &=
            compile_fast_ways(compiler, movement, mover, (cell_index)cell, visit_attack, attacks);
    merge_movers(attacks);
    return known ? NULL : "an attack depends on more than what stands where";
}

/* A line that jumps one attacks it over an empty path never: with `repeat` from 1 on the first cell is no target. */
static const char *draft_attacks(struct attack_compiler *attacks, player_index victim,
                                 uint64_t figures)
{
    const struct game *game = attacks->compiler->game;
    for (int mover = 0; mover < game->piece_count; mover++) {
        const struct movement *list;
        int count = compile_fast_movements(attacks->compiler, mover, &list);
        if (game->code_players[mover + 1] == victim ||
            (figures >> game->code_figures[mover + 1] & 1) == 0)
            continue;
        for (int i = 0; i < count; i++) {
            const char *reason = draft_movement(attacks, &list[i], mover);
            if (reason != NULL)
                return reason;
        }
    }
    merge_directions(attacks);
    return attacks->full ? "there are too many kinds of attacks" : NULL;
}

/* --- storing ---------------------------------------------------------------------------------------------------- */

static struct fast_attackers attackers_of(struct fast_compiler *compiler,
                                          const struct attack_draft *draft)
{
    const struct game *game = compiler->game;
    uint16_t *sets = compile_fast_allocate(compiler, (size_t)game->figure_count, sizeof *sets);
    struct fast_attackers by = {.sets = sets,
                                .owner = (uint16_t)(draft->player * game->words),
                                .kinds = draft->kinds,
                                .any_target = draft->any_target,
                                .on_empty = draft->on_empty};
    for (uint64_t left = draft->attackers; left != 0; left &= left - 1)
        sets[by.set_count++] =
            (uint16_t)((game->player_count + (int)word_lowest(left)) * game->words);
    return by;
}

static void store_attacks(struct attack_compiler *attacks, struct fast_player *player)
{
    struct fast_compiler *compiler = attacks->compiler;
    size_t cells = (size_t)compiler->game->cell_count, words = (size_t)compiler->game->words;
    struct fast_leap_attack *leaps =
        compile_fast_allocate(compiler, (size_t)attacks->count, sizeof *leaps);
    struct fast_line_attack *lines =
        compile_fast_allocate(compiler, (size_t)attacks->count, sizeof *lines);
    player->leaps = leaps;
    player->lines = lines;
    for (int i = 0; i < attacks->count; i++) {
        struct attack_draft *draft = &attacks->drafts[i];
        if (!draft->used)
            continue;
        const uint64_t *reach =
            compile_fast_copy(compiler, draft->reach, cells * words, sizeof *reach);
        if (!draft->line) {
            leaps[player->leap_count++] =
                (struct fast_leap_attack){.by = attackers_of(compiler, draft), .table = reach};
        } else {
            player->limited_lines |= draft->limited;
            lines[player->line_count++] = (struct fast_line_attack){
                .by = attackers_of(compiler, draft),
                .reach = reach,
                .paths =
                    compile_fast_copy(compiler, draft->paths, cells * cells, sizeof *draft->paths),
                .jumped = draft->jumped,
                .limited = draft->limited,
                .over_figures = draft->over_figures};
        }
        release_draft(attacks->compiler->game, draft);
    }
    attacks->count = 0;
}

/* --- what must not be attacked ------------------------------------------------------------------------------------ */

/* `{"attacked": {"figure": …, "player": "mover"}}` and nothing else. */
static const struct condition_node *plain_attacked(const struct condition_node *test)
{
    while ((test->kind == CONDITION_ALL || test->kind == CONDITION_ANY) && test->child_count == 1)
        test = test->children;
    return test->kind == CONDITION_ATTACKED ? test : NULL;
}

/* What cannot hold after a move while some counter is too low before it. */
static bool note_alarm(const struct condition_node *test, struct fast_player *player)
{
    if (test->kind != CONDITION_ALL || player->alarm_count == FAST_ALARMS_MAX)
        return false;
    for (int i = 0; i < test->child_count; i++) {
        const struct condition_node *child = &test->children[i];
        if (child->kind != CONDITION_COUNTER || child->slot < 0)
            continue;
        player->alarms[player->alarm_count++] =
            (struct fast_alarm){.slot = (uint8_t)child->slot, .min = child->min};
        return true;
    }
    return false;
}

static const char *find_royals(const struct fast_compiler *compiler, int number,
                               struct fast_player *player, uint64_t *attackers)
{
    const struct game *game = compiler->game;
    uint64_t royals = 0, all = game->all_figures;
    for (int i = 0; i < game->forbid_count; i++) {
        const struct condition_node *test = game->forbid[number][i].condition;
        if (note_alarm(test, player))
            continue;
        test = plain_attacked(test);
        if (test == NULL || !compile_fast_match_plain(&test->match) ||
            test->match.cells != CELL_SET_ALL || test->match.unmoved >= 0 ||
            (test->match.players != 1U << number))
            return "`forbid` asks for more than attacks on the mover's figures";
        if (royals != 0 && (test->attackers & all) != *attackers)
            return "`forbid` asks for attacks by different figures";
        *attackers = test->attackers & all;
        royals |= test->match.figures & all;
    }
    if (game->after_move_count > 0 && royals != 0)
        return "`after_move` changes what is attacked";
    player->royals = royals;
    return NULL;
}

/* Whether a figure may become one of those that must not be attacked, or one of them something else: lines of attack only
 * know it as what it was. */
static bool crowns(const struct movement *movement, const struct fast_player *player, int figure)
{
    bool does = movement->promotion_count > 0 && (player->royals >> figure & 1) != 0;
    for (int i = 0; i < movement->promotion_count; i++)
        does |= movement->promotions[i].taken || (movement->promotions[i].to & player->royals) != 0;
    return does;
}

/* Whether one of the player's movements swaps figures; lines do not know who stands where then. */
static bool does_more_than_go(const struct fast_compiler *compiler, int number)
{
    const struct game *game = compiler->game;
    for (int figure = 0; figure < game->figure_count; figure++) {
        const struct movement *list;
        int count = compile_fast_movements(compiler, figure * game->player_count + number, &list);
        for (int i = 0; i < count; i++)
            if (list[i].purpose == FOR_SWAP || list[i].purpose == FOR_PUT || list[i].takes_jumped ||
                crowns(&list[i], &compiler->fast->players[number], figure))
                return true;
    }
    return false;
}

/* Tables of attacks by figures of these kinds on the player's; or why there are none. */
static const char *compile_attackers(struct attack_compiler *attacks, int number,
                                     uint64_t attackers)
{
    struct fast_compiler *compiler = attacks->compiler;
    struct fast_player *player = &compiler->fast->players[number];
    if (compiler->game->cell_count > FAST_CELLS_MAX)
        return "the board is too large for tables of lines";
    const char *reason = draft_attacks(attacks, (player_index)number, attackers);
    if (reason == NULL) {
        store_attacks(attacks, player);
        player->attackers = compiler->game->continues ? 0 : attackers;
    }
    for (int i = 0; i < attacks->count; i++)
        release_draft(compiler->game, &attacks->drafts[i]);
    attacks->count = 0;
    return reason;
}

/* Why the player's moves have to be tried out; NULL: lines of attack tell. */
static const char *compile_player(struct attack_compiler *attacks, int number)
{
    struct fast_compiler *compiler = attacks->compiler;
    struct fast_player *player = &compiler->fast->players[number];
    uint64_t attackers = compiler->game->all_figures;
    const char *forbidden = find_royals(compiler, number, player, &attackers);
    const char *unknown = NULL;
    const struct game *game = compiler->game;
    bool asked = game->forbid_count > 0;
    for (int i = 0; i < game->complex_count; i++)
        asked |= game->complex[i].safe_count > 0;
    if (asked)
        unknown = compile_attackers(attacks, number, attackers);
    if (forbidden != NULL || player->royals == 0)
        return forbidden;
    return does_more_than_go(compiler, number)
               ? "moves that only go are told from attacks; others are not"
               : unknown;
}

void compile_fast_attacks(struct fast_compiler *compiler)
{
    struct game *game = compiler->game;
    struct attack_compiler *attacks = compile_allocate(game, 1, sizeof *attacks);
    attacks->compiler = compiler;
    attacks->paths.slot_count = 2 * ((size_t)PATHS_MAX + 1);
    attacks->paths.slots =
        compile_allocate(game, attacks->paths.slot_count, sizeof *attacks->paths.slots);
    static const uint64_t nothing[WORDS_MAX];
    find_path(attacks, nothing);
    for (int i = 0; i < game->player_count; i++) {
        const char *reason = compile_player(attacks, i);
        if (compiler->fast->reason == NULL)
            compiler->fast->reason = reason;
    }
    compiler->fast->filters = compiler->fast->reason == NULL;
    compiler->fast->paths =
        compile_fast_copy(compiler, attacks->paths.words,
                          attacks->paths.count * (size_t)game->words, sizeof(uint64_t));
    compile_free(game, attacks->paths.words);
    compile_free(game, attacks->paths.slots);
    compile_free(game, attacks);
}

/* --- complex movements ---------------------------------------------------------------------------------------------- */

/* Whether the complex movement has words that no loop knows. */
static bool complex_is_slow(const struct complex_movement *movement)
{
    if (movement->acts || movement->condition != NULL || movement->safe_count > PARTICIPANTS_MAX)
        return true;
    for (int i = 0; i < movement->participant_count; i++)
        if (movement->participants[i].players != 1U << movement->player)
            return true;
    return false;
}

/* Destinations must be empty unless a participant leaves them. */
static void note_destinations(const struct fast_complex *complex, uint64_t *empty)
{
    for (int i = 0; i < complex->participant_count; i++) {
        bool left = false;
        for (int k = 0; k < complex->participant_count; k++) {
            const struct fast_participant *other = &complex->participants[k];
            left |= other->source == complex->participants[i].destination &&
                    (k == i || other->destination != other->source);
        }
        if (!left)
            bits_set(empty, complex->participants[i].destination);
    }
}

/* False where a cell that must be empty does not exist. */
static bool fill_complex(struct fast_compiler *compiler, const struct complex_instance *instance,
                         struct fast_complex *complex)
{
    const struct complex_movement *movement = instance->movement;
    uint64_t empty[WORDS_MAX] = {0}, unmoved[WORDS_MAX] = {0};
    *complex = (struct fast_complex){.from = instance->from,
                                     .to = instance->to,
                                     .rule = (uint16_t)(RULE_COMPLEX | instance->number),
                                     .participant_count = (uint8_t)movement->participant_count};
    for (int i = 0; i < movement->participant_count; i++) {
        const struct participant *participant = &movement->participants[i];
        cell_index source = instance->places[i].source;
        complex->participants[i] = (struct fast_participant){
            .source = source,
            .destination = instance->places[i].destination,
            .code = (uint8_t)game_code(compiler->game, participant->figure, movement->player)};
        if (participant->unmoved)
            bits_set(unmoved, source);
    }
    for (int i = 0; i < movement->empty_count; i++) {
        cell_index cell = movement->empty[i][instance->from];
        if (cell == CELL_NONE)
            return false;
        bits_set(empty, cell);
    }
    for (int i = 0; i < movement->safe_count; i++) {
        cell_index cell = movement->safe[i][instance->from];
        if (cell != CELL_NONE) // what does not exist is not attacked
            complex->safe[complex->safe_count++] = cell;
    }
    note_destinations(complex, empty);
    size_t words = (size_t)compiler->game->words;
    uint64_t *cells = compile_fast_allocate(compiler, 2 * words, sizeof *cells);
    memcpy(cells, empty, words * sizeof *cells);
    memcpy(cells + words, unmoved, words * sizeof *cells);
    complex->cells = cells;
    return true;
}

void compile_fast_refuse_complex(struct fast_compiler *compiler, struct fast_mover *mover)
{
    mover->slow = true;
    compiler->fast->mover_reasons[mover - compiler->fast->movers] =
        "its complex movement asks for more than sets of cells can tell";
}

/* Of one mover, in the order of the cells they begin from; those of one cell stay in the order of the file. */
static void lay_out_complex(struct fast_compiler *compiler, int piece, struct fast_mover *mover)
{
    const struct game *game = compiler->game;
    struct fast_complex *list = NULL;
    uint16_t starts[CELLS_MAX + 1];
    int room = 0;
    for (int cell = 0; cell < game->cell_count; cell++) {
        struct complex_instance instance = {.passed = 0};
        starts[cell] = (uint16_t)mover->complex_count;
        while (complex_next(game, NULL, (unsigned)piece + 1, (cell_index)cell, &instance)) {
            if (complex_is_slow(instance.movement) || mover->complex_count == UINT16_MAX) {
                compile_fast_refuse_complex(compiler, mover);
                continue;
            }
            if (mover->complex_count == room)
                list = compile_resize(compiler->game, list, (size_t)(room = 2 * room + 8),
                                      sizeof *list);
            mover->complex_count += fill_complex(compiler, &instance, &list[mover->complex_count]);
        }
    }
    starts[game->cell_count] = (uint16_t)mover->complex_count;
    if (mover->complex_count == 0)
        return;
    mover->complex_starts =
        compile_fast_copy(compiler, starts, (size_t)game->cell_count + 1, sizeof *starts);
    mover->complex = compile_fast_copy(compiler, list, (size_t)mover->complex_count, sizeof *list);
    mover->complex_unmoved = true;
    for (int i = 0; i < mover->complex_count; i++)
        mover->complex_unmoved &= bits_test(list[i].cells + game->words, list[i].from);
    compile_free(compiler->game, list);
}

void compile_fast_complex(struct fast_compiler *compiler)
{
    struct fast_mover *movers = (struct fast_mover *)compiler->fast->movers;
    for (int i = 0; i < compiler->game->piece_count; i++)
        lay_out_complex(compiler, i, &movers[i]);
}
