/* What attacks what, from the attacked cell's side; and combined movements with everything about coordinates decided. */
#include "engine/candidates.h"
#include "engine/load/compile_fast.h"
#include "engine/rules/change.h"
#include "engine/work.h"

#include <string.h>

enum { ATTACK_DRAFTS_MAX = 256, NO_PATH = UINT16_MAX };

/* Drafts are the attacks on one player's figures on their way: first of each direction, those of several figures with equal cells
 * put together, then all directions of equal figures. */
struct attack_compiler {
    struct compiler *compiler;
    struct pool paths;
    uint16_t *between; /* as in struct fast_game */
    struct fast_attack drafts[ATTACK_DRAFTS_MAX];
    uint64_t *reaches; /* of `size` words each; behind the drafts' own that of the movement */
    size_t size;
    int count;
    bool full;
    /* of the movement looked at: */
    bool line;
    const struct movement *movement;
};

/* --- drafts ----------------------------------------------------------------------------------------------------- */

/* Where the way leads by its own target, that must be empty: nothing is ever taken there. */
static bool takes_there(const struct attack_compiler *attacks, const struct fast_way *way)
{
    for (int i = 0; i < attacks->movement->via_count; i++)
        if (attacks->movement->via[i][way->from] == way->to)
            return false;
    return true;
}

static uint64_t *reach_of(const struct attack_compiler *attacks, int draft)
{
    return attacks->reaches + (size_t)draft * attacks->size;
}

static void visit_attack(void *context, const struct fast_way *way)
{
    struct attack_compiler *attacks = context;
    const struct game *game = attacks->compiler->game;
    uint64_t cells[WORDS_MAX] = {0};
    if (!takes_there(attacks, way))
        return;
    bits_set(reach_of(attacks, attacks->count) + (size_t)way->to * (size_t)game->words, way->from);
    if (!attacks->line)
        return;
    for (int i = 0; i < way->steps - 1; i++)
        bits_set(cells, way->path[i]);
    for (int i = 0; i < attacks->movement->via_count; i++)
        bits_set(cells, attacks->movement->via[i][way->from]);
    uint16_t *between = &attacks->between[(size_t)way->to * (size_t)game->cell_count + way->from];
    uint32_t path = pool_add(&attacks->paths, cells);
    attacks->full |= path >= NO_PATH || (*between != NO_PATH && *between != path);
    *between = (uint16_t)path;
}

static bool same_kind(const struct fast_attack *a, const struct fast_attack *b)
{
    return a->line == b->line && a->player == b->player && a->jumped == b->jumped &&
           a->close == b->close && a->limited == b->limited && a->over_figures == b->over_figures &&
           a->kinds == b->kinds && a->on_empty == b->on_empty &&
           a->apart.figures == b->apart.figures && a->apart.beside == b->apart.beside;
}

/* A new draft, or more figures of an old one. */
static void add_draft(struct attack_compiler *attacks, const struct fast_attack *attack)
{
    for (int i = 0; i < attacks->count && work_spend(attacks->size); i++)
        if (same_kind(&attacks->drafts[i], attack) &&
            memcmp(reach_of(attacks, i), reach_of(attacks, attacks->count),
                   attacks->size * sizeof(uint64_t)) == 0) {
            attacks->drafts[i].attackers |= attack->attackers;
            return;
        }
    attacks->full |= attacks->count == ATTACK_DRAFTS_MAX;
    if (!attacks->full)
        attacks->drafts[attacks->count++] = *attack;
}

/* Puts directions of the same figures together. */
static void merge_directions(struct attack_compiler *attacks)
{
    int kept = 0;
    for (int i = 0; i < attacks->count && work_spend(attacks->size); i++) {
        const struct fast_attack draft = attacks->drafts[i];
        int into = 0;
        while (into < kept && (!same_kind(&attacks->drafts[into], &draft) ||
                               attacks->drafts[into].attackers != draft.attackers))
            into++;
        if (into == kept) {
            attacks->drafts[kept++] = draft;
            memmove(reach_of(attacks, into), reach_of(attacks, i),
                    attacks->size * sizeof(uint64_t));
        }
        for (size_t w = 0; w < attacks->size; w++)
            reach_of(attacks, into)[w] |= reach_of(attacks, i)[w];
    }
    attacks->count = kept;
}

/* --- collecting ------------------------------------------------------------------------------------------------- */

/* The attacks of one movement of a mover; what no table can hold is a reason. */
static const char *draft_movement(struct attack_compiler *attacks, const struct movement *movement,
                                  int mover)
{
    struct compiler *compiler = attacks->compiler;
    const struct game *game = compiler->game;
    uint8_t everybody = game_everybody(game);
    struct fast_needs needs;
    if (movement->purpose == FOR_ACTIONS)
        return "an attack's actions are written out";
    if (movement->purpose != FOR_TAKE && movement->purpose != FOR_BOTH)
        return NULL;
    if (compile_fast_needs(compiler, movement, mover, &needs) != NULL || needs.unmoved ||
        needs.gates != 0 || movement->counts_steps)
        return "an attack depends on more than what stands where";
    if (movement->takes_jumped)
        return "jumps attack what they jump";
    struct fast_contents over = {.figures = UINT64_MAX, .players = everybody};
    if (movement->jumps &&
        (movement->over_min != 1 || movement->over_max != 1 ||
         !compile_fast_contents(game, &movement->over, &over) || over.players != everybody))
        return "an attack jumps over more than one figure, or only over some player's";
    uint64_t all = game->all_figures;
    if (needs.close && (over.figures & all) != all)
        return "an attack jumps right before what it attacks, and not over every figure";
    struct fast_attack attack = {.player = game->code_players[mover + 1],
                                 .attackers = UINT64_C(1) << game->code_figures[mover + 1],
                                 .kinds = needs.figures & all,
                                 .on_empty = !needs.occupied,
                                 .line = movement->max_steps > 1 || movement->via_count > 0,
                                 .jumped = movement->jumps,
                                 .close = needs.close,
                                 .over_figures = over.figures & all,
                                 .limited = (over.figures & all) != all};
    if (!compile_fast_apart(compiler, &needs, &attack.apart))
        return "attacks depend on what stands beside in too many ways";
    memset(reach_of(attacks, attacks->count), 0, attacks->size * sizeof(uint64_t));
    attacks->line = attack.line;
    attacks->movement = movement;
    bool known = compile_fast_ways(compiler, movement, mover, visit_attack, attacks);
    add_draft(attacks, &attack);
    return known ? NULL : "an attack depends on more than what stands where";
}

/* A line that jumps one attacks it over an empty path never: with `repeat` from 1 on the first cell is no target. */
static const char *draft_attacks(struct attack_compiler *attacks, player_index victim,
                                 uint64_t figures)
{
    const struct game *game = attacks->compiler->game;
    attacks->count = 0;
    for (int mover = 0; mover < game->piece_count; mover++) {
        if (game->code_players[mover + 1] == victim ||
            (figures >> game->code_figures[mover + 1] & 1) == 0)
            continue;
        for (uint32_t i = game->piece_rules[mover]; i < game->piece_rules[mover + 1]; i++) {
            const char *reason = draft_movement(attacks, &game->movements[i], mover);
            if (reason != NULL)
                return reason;
        }
    }
    merge_directions(attacks);
    return attacks->full || attacks->count > FAST_ATTACKS_MAX
               ? "there are too many kinds of attacks"
               : NULL;
}

static void store_attacks(struct attack_compiler *attacks, struct fast_player *player)
{
    struct game *game = attacks->compiler->game;
    for (int i = 0; i < attacks->count; i++) {
        attacks->drafts[i].reach =
            game_copy(game, reach_of(attacks, i), attacks->size, sizeof(uint64_t));
        player->jumped_lines |= attacks->drafts[i].jumped > 0;
        player->limited_lines |= attacks->drafts[i].limited;
        player->kept_off |= attacks->drafts[i].apart.figures != 0;
    }
    player->attack_count = attacks->count;
    player->attacks =
        game_copy(game, attacks->drafts, (size_t)attacks->count, sizeof *attacks->drafts);
}

/* --- what must not be attacked ------------------------------------------------------------------------------------ */

/* Passes are none of the moves that lines tell of. */
static const struct known after_a_move = {.self = CELL_NONE, .moved = true};

/* The only one of the children that can fail after a move; NULL: there are several, or none. */
static const struct condition_node *only_question(const struct condition_node *test)
{
    const struct condition_node *only = NULL;
    for (int i = 0; i < test->child_count; i++) {
        if (condition_judge(&after_a_move, &test->children[i]) == TRI_YES)
            continue;
        if (only != NULL)
            return NULL;
        only = &test->children[i];
    }
    return only;
}

/* `{"attacked": {"figure": …, "player": "mover"}}`, and beside it at most what a pass is excepted by. */
static const struct condition_node *plain_attacked(const struct condition_node *test)
{
    while (test != NULL &&
           (test->kind == CONDITION_ALL || (test->kind == CONDITION_ANY && test->child_count == 1)))
        test = test->kind == CONDITION_ALL ? only_question(test) : test->children;
    return test != NULL && test->kind == CONDITION_ATTACKED ? test : NULL;
}

/* What cannot hold after a move while some counter is too low before it: one to which a move adds one at most. */
static bool note_alarm(const struct game *game, const struct condition_node *test,
                       struct fast_player *player)
{
    if (test->kind != CONDITION_ALL || player->alarm_count == FAST_ALARMS_MAX)
        return false;
    for (int i = 0; i < test->child_count; i++) {
        const struct condition_node *child = &test->children[i];
        if (child->kind != CONDITION_COUNTER || child->slot < 0 ||
            game_counter_of(game, child->slot)->set_count > 0)
            continue;
        player->alarms[player->alarm_count++] =
            (struct fast_alarm){.slot = (uint8_t)child->slot, .min = child->min};
        return true;
    }
    return false;
}

static const char forbids_more[] = "`forbid` asks for more than attacks on the mover's figures";

/* Whether it is of the other player's figures that they are not attacked, by whatever figures. */
static bool spares(const struct game *game, int number, const struct condition_node *attacked)
{
    return game->player_count == 2 && attacked->match.players == 1U << (1 - number) &&
           (attacked->attackers & game->all_figures) == game->all_figures;
}

/* The kinds by whose placement the condition may hold. */
static uint64_t placed_kinds(const struct condition_node *test)
{
    uint64_t kinds = UINT64_MAX;
    if (test->kind == CONDITION_PREVIOUS && test->placed == TRI_YES && !test->match.negated)
        return test->match.figures;
    for (int i = 0; i < test->child_count && test->kind == CONDITION_ALL; i++)
        kinds &= placed_kinds(&test->children[i]);
    return kinds;
}

static const char *find_royals(const struct game *game, int number, struct fast_player *player,
                               uint64_t *attackers)
{
    uint64_t royals = 0, all = game->all_figures;
    for (int i = 0; i < game->forbid_count; i++) {
        const struct condition_node *test = game->forbid[number][i].condition;
        if (condition_judge(&after_a_move, test) == TRI_NO || note_alarm(game, test, player))
            continue;
        test = plain_attacked(test);
        if (test == NULL || !test->match.simple || test->match.cells != CELL_SET_ALL ||
            (test->match.players != 1U << number && !spares(game, number, test)))
            return forbids_more;
        if (test->match.players != 1U << number) {
            player->spared |= test->match.figures & all;
            continue;
        }
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

/* Whether one of the player's movements does more than go and take: lines do not know who stands where then. Where figures of the
 * other player's are spared, it is only told where a figure goes that stays what it is. */
static bool does_more_than_go(const struct compiler *compiler, int number, bool spares)
{
    const struct game *game = compiler->game;
    for (int figure = 0; figure < game->figure_count; figure++) {
        const uint32_t *rules = &game->piece_rules[figure * game->player_count + number];
        for (uint32_t i = rules[0]; i < rules[1]; i++) {
            const struct movement *movement = &game->movements[i];
            if (movement->purpose == FOR_SWAP || movement->purpose == FOR_PUT ||
                movement->takes_jumped ||
                (spares ? movement->promotion_count > 0 || movement->takes_marked >= 0
                        : crowns(movement, &compiler->fast->players[number], figure)))
                return true;
        }
    }
    return false;
}

static bool only_goes(const struct compiler *compiler, int number)
{
    const struct game *game = compiler->game;
    const struct fast_player *other = &compiler->fast->players[1 - number];
    return !does_more_than_go(compiler, number, true) && !other->jumped_lines &&
           !other->limited_lines && !other->kept_off && game->combined_count == 0 &&
           game->after_move_count == 0 && !game->continues && other->attackers == game->all_figures;
}

/* Tables of attacks by figures of these kinds on the player's; or why there are none. */
static const char *compile_attackers(struct attack_compiler *attacks, int number,
                                     uint64_t attackers)
{
    struct compiler *compiler = attacks->compiler;
    struct fast_player *player = &compiler->fast->players[number];
    if (compiler->game->cell_count > FAST_CELLS_MAX)
        return "the board is too large for tables of lines";
    const char *reason = draft_attacks(attacks, (player_index)number, attackers);
    if (reason == NULL) {
        store_attacks(attacks, player);
        player->attackers = compiler->game->continues ? 0 : attackers;
    }
    return reason;
}

/* Why the player's moves have to be tried out; NULL: lines of attack tell. */
static const char *compile_player(struct attack_compiler *attacks, int number)
{
    struct compiler *compiler = attacks->compiler;
    struct fast_player *player = &compiler->fast->players[number];
    const struct game *game = compiler->game;
    uint64_t attackers = game->all_figures;
    const char *forbidden = find_royals(game, number, player, &attackers);
    const char *unknown = NULL;
    bool asked = game->forbid_count > 0;
    for (int i = 0; i < game->combined_count; i++)
        asked |= game->combined[i].safe_count > 0;
    if (asked)
        unknown = compile_attackers(attacks, number, attackers);
    if (forbidden != NULL || player->royals == 0)
        return forbidden;
    if (player->kept_off)
        return "what keeps attacks off may come and go";
    return does_more_than_go(compiler, number, false)
               ? "moves that only go are told from attacks; others are not"
               : unknown;
}

/* What is forbidden of placements beside attacks on the player's own figures; what is taken off the board opens lines. */
static void find_tried(const struct compiler *compiler, int number)
{
    const struct game *game = compiler->game;
    struct fast_player *player = &compiler->fast->players[number];
    const struct placing_list *list = &game->placing[number];
    bool all = player->spared != 0;
    player->tried = player->royals;
    for (int i = 0; i < game->forbid_count; i++) {
        const struct condition_node *test = game->forbid[number][i].condition;
        if (condition_judge(&after_a_move, test) == TRI_NO)
            player->tried |= placed_kinds(test);
    }
    for (int i = 0; i < list->count; i++)
        all |= list->rules[i].removes;
    player->tried = all ? UINT64_MAX : player->tried & placing_list_kinds(list);
}

void compile_fast_attacks(struct compiler *compiler)
{
    struct game *game = compiler->game;
    struct fast_game *fast = compiler->fast;
    size_t cells = (size_t)game->cell_count <= FAST_CELLS_MAX ? (size_t)game->cell_count : 0;
    struct attack_compiler *attacks = compile_allocate(game, 1, sizeof *attacks);
    attacks->compiler = compiler;
    attacks->size = cells * (size_t)game->words;
    attacks->reaches =
        compile_allocate(game, attacks->size * (ATTACK_DRAFTS_MAX + 1), sizeof(uint64_t));
    attacks->between = game_allocate(game, cells * cells, sizeof *attacks->between);
    memset(attacks->between, UINT8_MAX, cells * cells * sizeof *attacks->between);
    pool_init(&attacks->paths, game, game->words);
    for (int i = 0; i < game->player_count; i++) {
        const char *reason = compile_player(attacks, i);
        find_tried(compiler, i);
        if (fast->reason == NULL)
            fast->reason = reason;
    }
    for (int i = 0; i < game->player_count; i++)
        if (fast->reason == NULL && fast->players[i].spared != 0 && !only_goes(compiler, i))
            fast->reason = forbids_more;
    fast->filters = fast->reason == NULL;
    fast->between = attacks->between;
    fast->paths = table_finish(&attacks->paths.items);
}

/* --- combined movements ---------------------------------------------------------------------------------------------- */

/* Whether the combined movement has words that no loop knows. */
static bool combined_is_slow(const struct combined_movement *movement)
{
    if (movement->acts || movement->condition != NULL || movement->safe_count > PARTICIPANTS_MAX)
        return true;
    for (int i = 0; i < movement->participant_count; i++)
        if (movement->participants[i].players != 1U << movement->player)
            return true;
    return false;
}

/* Destinations must be empty unless a participant leaves them. */
static void note_destinations(const struct fast_combined *combined, uint64_t *empty)
{
    for (int i = 0; i < combined->participant_count; i++) {
        bool left = false;
        for (int k = 0; k < combined->participant_count; k++) {
            const struct fast_participant *other = &combined->participants[k];
            left |= other->source == combined->participants[i].destination &&
                    (k == i || other->destination != other->source);
        }
        if (!left)
            bits_set(empty, combined->participants[i].destination);
    }
}

/* False where a cell that must be empty does not exist. */
static bool fill_combined(struct compiler *compiler, const struct combined_instance *instance,
                          struct fast_combined *combined)
{
    const struct combined_movement *movement = instance->movement;
    size_t words = (size_t)compiler->game->words;
    uint64_t cells[2 * WORDS_MAX] = {0}; /* as fast_combined has them */
    *combined = (struct fast_combined){.from = instance->from,
                                       .to = instance->to,
                                       .rule = (uint16_t)(RULE_COMBINED | instance->number),
                                       .participant_count = (uint8_t)movement->participant_count};
    for (int i = 0; i < movement->participant_count; i++) {
        const struct participant *participant = &movement->participants[i];
        cell_index source = instance->places[i].source;
        combined->participants[i] =
            (struct fast_participant){.source = source,
                                      .destination = instance->places[i].destination,
                                      .figure = participant->figure};
        if (participant->unmoved)
            bits_set(cells + words, source);
    }
    for (int i = 0; i < movement->empty_count; i++) {
        cell_index cell = movement->empty[i][instance->from];
        if (cell == CELL_NONE)
            return false;
        bits_set(cells, cell);
    }
    for (int i = 0; i < movement->safe_count; i++) {
        cell_index cell = movement->safe[i][instance->from];
        if (cell != CELL_NONE) // what does not exist is not attacked
            combined->safe[combined->safe_count++] = cell;
    }
    note_destinations(combined, cells);
    combined->cells = game_copy(compiler->game, cells, 2 * words, sizeof *cells);
    return true;
}

/* Of one mover, in the order of the cells they begin from; those of one cell stay in the order of the file. Where tables do not tell all
 * attacks, what asks for safe cells is interpreted. */
static void lay_out_combined(struct compiler *compiler, int piece, struct fast_mover *mover)
{
    static const char asks_more[] =
        "its combined movement asks for more than sets of cells can tell";
    struct game *game = compiler->game;
    bool known =
        compiler->fast->players[game->code_players[piece + 1]].attackers == game->all_figures;
    struct table list;
    uint16_t starts[CELLS_MAX + 1];
    table_init(&list, game, sizeof(struct fast_combined));
    for (int cell = 0; cell < game->cell_count; cell++) {
        struct combined_instance instance = {.passed = 0};
        struct fast_combined combined;
        starts[cell] = (uint16_t)list.count;
        while (combined_next(game, (unsigned)piece + 1, (cell_index)cell, &instance)) {
            bool slow = combined_is_slow(instance.movement) || list.count == UINT16_MAX;
            bool fits = !slow && fill_combined(compiler, &instance, &combined);
            if (fits)
                *(struct fast_combined *)table_add(&list) = combined;
            if (slow || (fits && combined.safe_count > 0 && !known))
                mover->reason = asks_more;
        }
    }
    starts[game->cell_count] = (uint16_t)list.count;
    if (list.count == 0) {
        compile_free(game, list.items);
        return;
    }
    mover->combined_starts = game_copy(game, starts, (size_t)game->cell_count + 1, sizeof *starts);
    mover->combined_count = (int)list.count;
    mover->combined = table_finish(&list);
    mover->combined_unmoved = true;
    for (int i = 0; i < mover->combined_count; i++)
        mover->combined_unmoved &=
            bits_test(mover->combined[i].cells + game->words, mover->combined[i].from);
}

void compile_fast_combined(struct compiler *compiler)
{
    for (int i = 0; i < compiler->game->piece_count; i++)
        lay_out_combined(compiler, i, &compiler->fast->movers[i]);
}
