#include "tests/engine/modern_net.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/load.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "engine/rules/interpreter.h"
#include "tests/support/test.h"

/* One of the two engines: its game, where it is, and its list of moves. */
struct player {
    struct game *game;
    struct position *position, *start, *other;
    struct move *moves;
    int count;
    int (*list)(struct position *position, struct move *moves);
};

struct net {
    struct player general, fast;
    bool same; /* general and fast play the same text */
    struct modern *reference;
    struct modern_position start;
    struct modern_move *moves;
    int count;
    char *words;
};

/* --- what is said ----------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool differ(struct net *net, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(net->words, NET_WORDS_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static const char *cell_name(const struct net *net, cell_index cell)
{
    return cell == CELL_NONE ? "nowhere" : game_facts(net->general.game)->cells[cell].name;
}

/* "a1-b2=king" */
static const char *move_words(const struct net *net, cell_index from, cell_index to, uint8_t choice)
{
    static char texts[4][200];
    static int next;
    char *text = texts[next++ % 4];
    if (from == CELL_NONE && to == CELL_NONE)
        return choice == CHOICE_SWAP ? "swap" : "pass";
    snprintf(text, sizeof texts[0], "%s>%s%s%s", cell_name(net, from), cell_name(net, to),
             choice == CHOICE_NONE ? "" : "=",
             choice == CHOICE_NONE ? "" : game_facts(net->general.game)->figure_names[choice]);
    return text;
}

static const char *outcome_words(const struct net *net, struct outcome outcome)
{
    static char texts[4][256];
    static int next;
    char *text = texts[next++ % 4];
    static const char *const kinds[] = {"playing", "won", "drawn", "lost"};
    snprintf(text, sizeof texts[0], "%s %s \"%s\", %d places", kinds[outcome.kind],
             outcome.winner == PLAYER_NONE
                 ? "-"
                 : game_facts(net->general.game)->player_names[outcome.winner],
             outcome.reason, outcome.rank_count);
    return text;
}

/* --- opening ---------------------------------------------------------------------------------- */

static struct game *load(const char *text, int player_count, char *words)
{
    struct diagnostics diagnostics;
    struct load_options options = {.player_count = player_count};
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, strlen(text), &options, &diagnostics);
    for (int i = 0; game == NULL && i < diagnostics.count; i++)
        if (diagnostics.list[i].severity == DIAGNOSTIC_ERROR) {
            snprintf(words, NET_WORDS_BYTES, "refused: %s: %s", diagnostics.list[i].pointer,
                     diagnostics.list[i].message);
            break;
        }
    diagnostics_release(&diagnostics);
    return game;
}

static bool open_player(struct player *player, const char *text, int player_count, char *words)
{
    player->game = load(text, player_count, words);
    if (player->game == NULL)
        return false;
    player->position = position_new(player->game);
    player->start = position_new(player->game);
    player->other = position_new(player->game);
    player->moves = calloc((size_t)game_facts(player->game)->moves_max + 1, sizeof *player->moves);
    return player->moves != NULL;
}

static void close_player(struct player *player)
{
    if (player->game == NULL)
        return;
    position_free(player->position);
    position_free(player->start);
    position_free(player->other);
    free(player->moves);
    game_release(player->game);
}

/* The reference has names from a game of its own text. */
static struct modern *open_reference(const struct net_texts *texts, char *words)
{
    char refusal[MODERN_REFUSAL_BYTES];
    struct game *game = load(texts->reference, texts->player_count, words);
    if (game == NULL)
        return NULL;
    struct modern *reference = modern_new(texts->reference, game, texts->broken, refusal);
    game_release(game);
    if (reference == NULL)
        snprintf(words, NET_WORDS_BYTES, "the reference does not know: %s", refusal);
    return reference;
}

struct net *net_new(const struct net_texts *texts, char *words)
{
    struct net *net = calloc(1, sizeof *net);
    if (net == NULL)
        abort();
    net->general.list = interpreter_moves;
    net->fast.list = movegen_all;
    net->same = strcmp(texts->general, texts->fast) == 0;
    if (!open_player(&net->general, texts->general, texts->player_count, words) ||
        !open_player(&net->fast, texts->fast, texts->player_count, words) ||
        (net->reference = open_reference(texts, words)) == NULL) {
        net_free(net);
        return NULL;
    }
    modern_start(net->reference, &net->start);
    return net;
}

void net_free(struct net *net)
{
    close_player(&net->general);
    close_player(&net->fast);
    modern_free(net->reference);
    free(net->moves);
    free(net);
}

static const char *const names[] = {"general", "fast"};

/* --- comparing -------------------------------------------------------------------------------- */

static bool same_outcome(struct net *net, const char *what, const char *who, struct outcome is,
                         struct outcome should)
{
    bool ranked = strcmp(what, "end") == 0;
    bool same = is.kind == should.kind &&
                (!ranked || (is.rank_count == should.rank_count &&
                             memcmp(is.ranks, should.ranks, (size_t)is.rank_count) == 0 &&
                             is.out_count == should.out_count &&
                             memcmp(is.out, should.out, (size_t)is.out_count) == 0)) &&
                (is.kind != OUTCOME_WON || is.winner == should.winner) &&
                (is.kind != OUTCOME_LOST || is.loser == should.loser) &&
                (should.reason[0] == '\0' || strcmp(is.reason, should.reason) == 0);
    return same || differ(net, "%s: %s says %s, the reference %s", what, who,
                          outcome_words(net, is), outcome_words(net, should));
}

static bool same_cells(struct net *net, const char *who, const struct position *position,
                       const struct modern_position *reference)
{
    for (int i = 0; i < game_facts(net->general.game)->cell_count; i++) {
        struct contents is = position_contents(position, (cell_index)i);
        struct modern_piece should = reference->cells[i];
        if (is.figure != should.figure ||
            (is.figure != FIGURE_NONE && is.player != should.player) ||
            position_pending(position, (cell_index)i) != should.taken)
            return differ(
                net, "on %s %s has %s, the reference %s", cell_name(net, (cell_index)i), who,
                is.figure == FIGURE_NONE ? "nothing"
                                         : game_facts(net->general.game)->figure_names[is.figure],
                should.figure == FIGURE_NONE
                    ? "nothing"
                    : game_facts(net->general.game)->figure_names[should.figure]);
    }
    return true;
}

static bool same_marks(struct net *net, const char *who, const struct position *position,
                       const struct modern_position *reference)
{
    for (int i = 0; i < game_facts(net->general.game)->mark_count; i++) {
        cell_index cell = CELL_NONE, maker = CELL_NONE;
        if (!position_mark(position, i, &cell, &maker))
            cell = maker = CELL_NONE;
        if (cell != reference->marks[i].cell || maker != reference->marks[i].maker)
            return differ(net, "mark %d: %s has it on %s by %s, the reference on %s by %s", i, who,
                          cell_name(net, cell), cell_name(net, maker),
                          cell_name(net, reference->marks[i].cell),
                          cell_name(net, reference->marks[i].maker));
    }
    return true;
}

static bool same_scores(struct net *net, const char *who, const struct position *position,
                        const struct modern_position *reference)
{
    int is[PLAYERS_MAX] = {0}, should[PLAYERS_MAX] = {0};
    if (position_scores(position, is) != modern_scores(net->reference, reference, should))
        return differ(net, "%s has scores, or the reference", who);
    for (int i = 0; i < PLAYERS_MAX; i++)
        if (is[i] != should[i])
            return differ(net, "score %d: %s has %d halves, the reference %d", i, who, is[i],
                          should[i]);
    return true;
}

static bool same_hands(struct net *net, const char *who, const struct position *position,
                       const struct modern_position *reference)
{
    const struct game *game = position_game(position);
    for (int player = 0; player < game_facts(game)->player_count; player++)
        for (int figure = 0; figure < game_facts(game)->figure_count; figure++) {
            int is = position_hand(position, (player_index)player, (figure_index)figure);
            int should = reference->hands[player][figure];
            if (is != should)
                return differ(net, "%s has %d %s in the hand of player %d, the reference %d", who,
                              is, game_facts(game)->figure_names[figure], player, should);
        }
    return true;
}

static bool same_contents(struct net *net, const char *who, const struct position *position,
                          const struct modern_position *reference)
{
    player_index to_move = modern_to_move(net->reference, reference);
    const struct game *game = position_game(position);
    if (game_facts(game)->counter_slot_count != game_facts(net->general.game)->counter_slot_count ||
        game_facts(game)->mark_count != game_facts(net->general.game)->mark_count ||
        game_facts(game)->mark_count != modern_mark_count(net->reference))
        return differ(net, "%s has other counters or marks", who);
    if (!same_cells(net, who, position, reference) || !same_marks(net, who, position, reference))
        return false;
    for (int i = 0; i < game_facts(net->general.game)->counter_slot_count; i++)
        if (position_counter(position, i) != reference->counters[i])
            return differ(net, "counter %d: %s has %d, the reference %d", i, who,
                          position_counter(position, i), reference->counters[i]);
    if (!same_hands(net, who, position, reference) || !same_scores(net, who, position, reference))
        return false;
    if (to_move == PLAYER_NONE)
        return true;
    cell_index active = modern_active(net->reference, reference);
    if (position_active(position) != active)
        return differ(net, "%s: %s goes on, of the reference %s", who,
                      cell_name(net, position_active(position)), cell_name(net, active));
    if (position_to_move(position) != to_move)
        return differ(net, "to move: %s says %d, the reference %d", who, position_to_move(position),
                      to_move);
    if (position_move_number(position) != reference->move_number)
        return differ(net, "move number: %s has %u, the reference %u", who,
                      position_move_number(position), reference->move_number);
    return true;
}

/* Contents, end, claim and what a flag means of both. */
static bool same_position(struct net *net, struct position *general, struct position *fast,
                          const struct modern_position *reference)
{
    struct position *positions[] = {general, fast};
    struct outcome end = modern_outcome(net->reference, reference);
    struct outcome claim = {.winner = PLAYER_NONE, .reason = ""};
    struct outcome flag = claim;
    if (end.kind == OUTCOME_PLAYING) {
        claim = modern_claim(net->reference, reference);
        flag = modern_flag(net->reference, reference);
    }
    for (int i = 0; i < 2; i++)
        if (!same_contents(net, names[i], positions[i], reference) ||
            !same_outcome(net, "end", names[i], position_outcome(positions[i]), end) ||
            (end.kind == OUTCOME_PLAYING &&
             (!same_outcome(net, "claim", names[i], position_claim(positions[i]), claim) ||
              !same_outcome(net, "flag", names[i], position_flag(positions[i]), flag))))
            return false;
    return !net->same || position_hash(general) == position_hash(fast) ||
           differ(net, "general and fast have different hashes");
}

static bool same_move(struct move is, struct modern_move should)
{
    return is.from == should.from && is.to == should.to && is.choice == should.choice;
}

static bool is_less(struct move is, struct modern_move than)
{
    if (is.from != than.from)
        return is.from < than.from;
    return is.to != than.to ? is.to < than.to : is.choice < than.choice;
}

static bool same_list(struct net *net, const char *who, const struct player *player)
{
    for (int i = 0; i < player->count || i < net->count; i++) {
        bool has = i < player->count, should = i < net->count;
        if (has && should && same_move(player->moves[i], net->moves[i]))
            continue;
        if (has && (!should || is_less(player->moves[i], net->moves[i])))
            return differ(net, "only %s has %s", who,
                          move_words(net, player->moves[i].from, player->moves[i].to,
                                     player->moves[i].choice));
        return differ(net, "%s does not have %s", who,
                      move_words(net, net->moves[i].from, net->moves[i].to, net->moves[i].choice));
    }
    return true;
}

/* The other questions about moves, by the fast code: how many, whether any, those of one figure, whether it is one. */
static bool same_questions(struct net *net, const struct player *fast)
{
    struct position *position = fast->position;
    struct move *some = calloc((size_t)game_facts(fast->game)->moves_max + 1, sizeof *some), found;
    bool same = movegen_any(position) == (fast->count > 0) &&
                movegen_count(position) == (uint64_t)fast->count;
    if (!same)
        differ(net, "fast counts %llu moves, but lists %d",
               (unsigned long long)movegen_count(position), fast->count);
    for (int i = 0; i < fast->count && same; i++) {
        struct move move = fast->moves[i];
        same = movegen_find(position, move.from, move.to, move.choice, &found);
        if (!same)
            differ(net, "fast does not find %s", move_words(net, move.from, move.to, move.choice));
    }
    for (int i = 0, next = 0; i < fast->count && same && fast->moves[i].from != CELL_NONE;
         i = next) {
        for (next = i; next < fast->count && fast->moves[next].from == fast->moves[i].from; next++)
            continue;
        same = movegen_from(position, fast->moves[i].from, some) == next - i;
        if (!same)
            differ(net, "fast lists other moves of %s", cell_name(net, fast->moves[i].from));
    }
    free(some);
    return same;
}

static bool same_here(struct net *net, const struct modern_position *reference)
{
    struct player *general = &net->general, *fast = &net->fast;
    if (!same_position(net, general->position, fast->position, reference))
        return false;
    free(net->moves);
    net->count = modern_moves(net->reference, reference, &net->moves);
    general->count = general->list(general->position, general->moves);
    fast->count = fast->list(fast->position, fast->moves);
    return same_list(net, "general", general) && same_list(net, "fast", fast) &&
           same_questions(net, fast);
}

/* One step further on copies. */
static bool same_successor(struct net *net, const struct modern_position *reference, int i)
{
    struct modern_position after;
    struct player *players[] = {&net->general, &net->fast};
    char words[NET_WORDS_BYTES];
    modern_make(net->reference, reference, net->moves[i], &after);
    for (int k = 0; k < 2; k++) {
        position_copy(players[k]->other, players[k]->position);
        position_make(players[k]->other, players[k]->moves[i], NULL);
    }
    if (same_position(net, net->general.other, net->fast.other, &after))
        return true;
    memcpy(words, net->words, sizeof words);
    return differ(net, "after %s: %.900s",
                  move_words(net, net->moves[i].from, net->moves[i].to, net->moves[i].choice),
                  words);
}

/* --- playing ---------------------------------------------------------------------------------- */

static void go_to_start(struct net *net)
{
    position_copy(net->general.position, net->general.start);
    position_copy(net->fast.position, net->fast.start);
}

static void make(struct net *net, const struct modern_position *before, int i,
                 struct modern_position *after)
{
    modern_make(net->reference, before, net->moves[i], after);
    position_make(net->general.position, net->general.moves[i], NULL);
    position_make(net->fast.position, net->fast.moves[i], NULL);
}

struct play {
    uint64_t *seed;
    const struct net_limits *limits;
    uint64_t *plies;
    char moves[NET_WORDS_BYTES / 2]; /* the last ones, for who has to look for what differs */
};

static void note(struct play *play, const char *move)
{
    size_t length = strlen(play->moves);
    if (length + strlen(move) + 2 > sizeof play->moves) {
        memmove(play->moves, play->moves + length / 2, length - length / 2 + 1);
        length = strlen(play->moves);
    }
    snprintf(play->moves + length, sizeof play->moves - length, " %s", move);
}

static bool play_here(struct net *net, struct play *play, struct modern_position *line, int ply,
                      bool *over)
{
    *over = true;
    ++*play->plies;
    if (!same_here(net, &line[ply]))
        return false;
    if (net->count == 0 || (uint64_t)net->count > play->limits->moves)
        return true;
    for (int i = 0; i < play->limits->successors; i++)
        if (!same_successor(net, &line[ply], (int)(test_random(play->seed) % (unsigned)net->count)))
            return false;
    int chosen = (int)(test_random(play->seed) % (unsigned)net->count);
    struct modern_move move = net->moves[chosen];
    note(play, move_words(net, move.from, move.to, move.choice));
    make(net, &line[ply], chosen, &line[ply + 1]);
    *over = false;
    return true;
}

bool net_play(struct net *net, uint64_t *seed, const struct net_limits *limits, uint64_t *plies,
              char *words)
{
    struct play play = {.seed = seed, .limits = limits, .plies = plies};
    struct modern_position *line = calloc((size_t)limits->plies + 1, sizeof *line);
    bool over = false, same = true;
    if (line == NULL)
        abort();
    net->words = words;
    go_to_start(net);
    line[0] = net->start;
    for (int ply = 0; ply < limits->plies && same && !over; ply++)
        same = play_here(net, &play, line, ply, &over);
    if (!same) {
        char difference[NET_WORDS_BYTES];
        memcpy(difference, words, sizeof difference);
        snprintf(words, NET_WORDS_BYTES, "%.500s\n    after%.500s", difference, play.moves);
    }
    free(line);
    return same;
}

bool net_read(struct net *net, const char *position, char *words)
{
    struct player *players[] = {&net->general, &net->fast};
    for (int i = 0; i < 2; i++) {
        struct notation *notation = notation_new(players[i]->game);
        char said[NOTATION_WORDS_BYTES] = "";
        bool read = notation_read_position(notation, players[i]->start, position, said);
        notation_free(notation);
        if (!read) {
            snprintf(words, NET_WORDS_BYTES, "%s: %.400s", position, said);
            return false;
        }
    }
    modern_from(net->reference, net->general.start, &net->start);
    return true;
}

int net_moves_at_start(const struct net *net)
{
    return net->general.list(net->general.start, net->general.moves);
}

bool net_perft(struct net *net, int depth, char *words)
{
    net->words = words;
    go_to_start(net);
    uint64_t fast = perft(net->fast.position, depth);
    uint64_t general = perft_by(net->general.position, depth, PERFT_INTERPRETED);
    uint64_t reference = modern_perft(net->reference, &net->start, depth);
    if (fast == reference && general == reference)
        return true;
    return differ(net, "leaves at depth %d: general %llu, fast %llu, reference %llu", depth,
                  (unsigned long long)general, (unsigned long long)fast,
                  (unsigned long long)reference);
}
