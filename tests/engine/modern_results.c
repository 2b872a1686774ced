#include "tests/engine/modern_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct modern_piece nothing = {.figure = FIGURE_NONE, .player = PLAYER_NONE};

/* --- how it ends ------------------------------------------------------------------------------ */

static player_index role(const struct scene *scene, const char *name)
{
    if (strcmp(name, "mover") == 0)
        return scene->mover;
    if (strcmp(name, "next") == 0)
        return scene->next;
    return game_find_player(scene->game->loaded, name, strlen(name));
}

static struct outcome outcome_with_places(const struct modern_position *position,
                                          struct outcome outcome)
{
    outcome.rank_count = position->place_count;
    memcpy(outcome.ranks, position->places, sizeof outcome.ranks);
    outcome.out_count = position->eliminated_count;
    memcpy(outcome.out, position->eliminated, sizeof outcome.out);
    return outcome;
}

static struct outcome won_by(player_index winner, const char *reason)
{
    return (struct outcome){
        .kind = OUTCOME_WON, .winner = winner, .reason = reason == NULL ? "" : reason};
}

static struct outcome drawn(const char *reason)
{
    return (struct outcome){
        .kind = OUTCOME_DRAWN, .winner = PLAYER_NONE, .reason = reason == NULL ? "" : reason};
}

/* The only other one still in the game has won, if there is only one. */
static struct outcome lost_by(const struct modern *game, const struct modern_position *position,
                              player_index loser, const char *reason)
{
    player_index other = PLAYER_NONE;
    int others = 0;
    for (int player = 0; player < game->players; player++)
        if (player != loser && !position->out[player]) {
            other = (player_index)player;
            others++;
        }
    if (others == 1)
        return won_by(other, reason);
    return (struct outcome){.kind = OUTCOME_LOST,
                            .winner = PLAYER_NONE,
                            .loser = loser,
                            .reason = reason == NULL ? "" : reason};
}

/* Who is left alone has the next place, and who was eliminated those behind, the first one the last of all. */
static void go_on_without(const struct modern *game, struct modern_position *position,
                          const char *reason)
{
    int left = 0;
    for (int i = 0; i < game->players; i++)
        left += !position->out[i];
    if (left > 1) {
        skip_players(game, position);
        return;
    }
    for (int i = 0; i < game->players; i++)
        if (!position->out[i]) {
            position->out[i] = true;
            position->places[position->place_count++] = (player_index)i;
        }
    for (int i = position->eliminated_count; i > 0; i--)
        position->places[position->place_count++] = position->eliminated[i - 1];
    position->end = won_by(position->places[0], reason);
}

static void give_place(const struct modern *game, struct modern_position *position,
                       player_index player, const char *reason)
{
    position->out[player] = true;
    position->places[position->place_count++] = player;
    go_on_without(game, position, reason);
}

static void eliminate(const struct modern *game, struct modern_position *position,
                      player_index player, const json_t *words)
{
    const json_t *result = say(game, words, "result");
    position->out[player] = true;
    position->eliminated[position->eliminated_count++] = player;
    bool removed = says(game, result, "their_figures", "removed");
    for (int cell = 0; cell < game->cells && removed; cell++)
        if (position->cells[cell].figure != FIGURE_NONE && position->cells[cell].player == player) {
            position->cells[cell] = nothing;
            if (position->last.stands == cell)
                position->last.stands = CELL_NONE;
        }
    for (int figure = 0; figure < FIGURES_MAX && removed; figure++)
        position->hands[player][figure] = 0;
    go_on_without(game, position, json_string_value(say(game, words, "reason")));
}

/* In halves, each part as if the player had moved. */
static int score_of(const struct scene *scene, const json_t *result, player_index player)
{
    const struct modern *game = scene->game;
    const json_t *most = say(game, result, "most");
    const json_t *plus = say(game, result, "plus");
    struct scene own = *scene;
    double score =
        json_number_value(json_object_get(plus, game_facts(game->loaded)->player_names[player]));
    own.mover = player;
    return (int)(2 * (score + sum_of(&own, most)));
}

static struct outcome most_of(const struct scene *scene, const json_t *result, const char *reason)
{
    const struct modern *game = scene->game;
    const char *tie = json_string_value(say(game, result, "tie"));
    player_index best[PLAYERS_MAX];
    int count = 0;
    for (int i = 0; i < game->players; i++) {
        int score = score_of(scene, result, (player_index)i);
        int most = count > 0 ? score_of(scene, result, best[0]) : score;
        if (scene->position->out[i] || score < most)
            continue;
        if (score > most)
            count = 0;
        best[count++] = (player_index)i;
    }
    for (int i = 0; i < count; i++)
        if (count == 1 ||
            (tie != NULL && strcmp(game_facts(game->loaded)->player_names[best[i]], tie) == 0))
            return won_by(best[i], reason);
    return drawn(reason);
}

bool modern_scores(const struct modern *game, const struct modern_position *position, int *halves)
{
    const json_t *results = say(game, game->root, "results");
    struct scene scene = scene_after(game, position);
    if (game->states[position->state].kind == STATE_MOVE) // also of a game that is over
        scene.next = game->states[position->state].player;
    for (int i = 0; i < list_count(results); i++) {
        const json_t *result = say(game, list_at(results, i), "result");
        if (say(game, result, "most") == NULL)
            continue;
        for (int player = 0; player < game->players; player++)
            halves[player] = score_of(&scene, result, (player_index)player);
        return true;
    }
    return false;
}

static struct outcome outcome_of(const struct scene *scene, const json_t *words)
{
    const struct modern *game = scene->game;
    const char *reason = json_string_value(say(game, words, "reason"));
    const json_t *result = say(game, words, "result");
    const char *winner = json_string_value(say(game, result, "winner"));
    const char *loser = json_string_value(say(game, result, "loser"));
    if (winner != NULL)
        return won_by(role(scene, winner), reason);
    if (loser != NULL)
        return lost_by(game, scene->position, role(scene, loser), reason);
    if (say(game, result, "most") != NULL)
        return most_of(scene, result, reason);
    return drawn(reason);
}

/* Whether it held. */
static bool look_at_result(const struct scene *scene, struct modern_position *position,
                           const json_t *words)
{
    const struct modern *game = scene->game;
    const json_t *result = say(game, words, "result"), *condition = say(game, words, "if");
    const char *finish = json_string_value(say(game, result, "finish"));
    const char *eliminated = json_string_value(say(game, result, "eliminated"));
    player_index leaves = finish != NULL       ? role(scene, finish)
                          : eliminated != NULL ? role(scene, eliminated)
                                               : PLAYER_NONE;
    if (is_true(say(game, words, "claim")) || is_true(say(game, words, "flag")) ||
        ((finish != NULL || eliminated != NULL) &&
         (leaves == PLAYER_NONE || position->out[leaves])) ||
        (condition != NULL && !holds(scene, condition)))
        return false;
    if (finish != NULL)
        give_place(game, position, leaves, json_string_value(say(game, words, "reason")));
    else if (eliminated != NULL)
        eliminate(game, position, leaves, words);
    else
        position->end = outcome_of(scene, words);
    return true;
}

void look_at_results(const struct modern *game, struct modern_position *position)
{
    const json_t *results = say(game, game->root, "results");
    for (int i = 0; i < list_count(results) && position->end.kind == OUTCOME_PLAYING; i++) {
        const struct scene scene = scene_after(game, position); // who is next may have left
        const json_t *words = list_at(results, i);
        if (look_at_result(&scene, position, words) &&
            say(game, say(game, words, "result"), "eliminated") != NULL)
            i = -1; // all are looked at again
    }
}

void modern_make(const struct modern *game, const struct modern_position *before,
                 struct modern_move move, struct modern_position *after)
{
    carry_out(game, before, move, false, after);
    if (after->active == CELL_NONE && game->states[after->state].kind != STATE_END)
        look_at_results(game, after);
}

static struct outcome outcome_of_state(const struct modern *game,
                                       const struct modern_position *position)
{
    const json_t *words = game->states[position->state].words;
    const char *winner = json_string_value(json_object_get(words, "winner"));
    const char *reason = json_string_value(json_object_get(words, "reason"));
    if (winner != NULL)
        return won_by(game_find_player(game->loaded, winner, strlen(winner)), reason);
    if (!is_true(json_object_get(words, "draw")) && position->checked != PLAYER_NONE)
        return won_by(position->checked, reason);
    return drawn(reason);
}

static bool speaks_of(const json_t *words, const char *word)
{
    bool found = json_object_get(words, word) != NULL;
    const char *key;
    json_t *value;
    size_t i;
    json_array_foreach((json_t *)words, i, value) found = found || speaks_of(value, word);
    json_object_foreach((json_t *)words, key, value) found = found || speaks_of(value, word);
    return found;
}

/* What is for when time is over says nothing of who is stuck. */
static bool tells_stuck_apart(const struct modern *game)
{
    const json_t *results = say(game, game->root, "results");
    for (int i = 0; i < list_count(results); i++)
        if (!is_true(say(game, list_at(results, i), "flag")) &&
            speaks_of(list_at(results, i), "no_moves"))
            return true;
    return false;
}

/* Whether the game ends by some result for whoever is stuck, whatever else is so. */
static bool ends_whoever_is_stuck(const struct modern *game)
{
    const json_t *results = say(game, game->root, "results");
    for (int i = 0; i < list_count(results); i++) {
        const json_t *result = list_at(results, i), *condition = say(game, result, "if");
        bool ends = !is_true(say(game, result, "claim")) && !is_true(say(game, result, "flag")) &&
                    say(game, say(game, result, "result"), "finish") == NULL &&
                    say(game, say(game, result, "result"), "eliminated") == NULL;
        for (int k = 0; k < list_count(condition) && ends; k++)
            if (json_object_size(list_at(condition, k)) == 1 &&
                is_true(say(game, list_at(condition, k), "no_moves")))
                return true;
    }
    return false;
}

/* Who must move and cannot, where no result holds. */
static struct outcome outcome_of_stuck(const struct modern *game,
                                       const struct modern_position *position)
{
    static char reason[NAME_BYTES_MAX + 32];
    player_index player = modern_to_move(game, position);
    const char *meaning = json_string_value(say(game, game->root, "stuck"));
    strcpy(reason, game_facts(game->loaded)->player_names[player]);
    strcat(reason, " has no legal move");
    bool told_apart = meaning == NULL && tells_stuck_apart(game) && !ends_whoever_is_stuck(game);
    if (told_apart || (meaning != NULL && strcmp(meaning, "draw") == 0))
        return drawn(reason);
    if (meaning != NULL && strcmp(meaning, "win") == 0)
        return won_by(player, reason);
    return lost_by(game, position, player, reason);
}

bool is_too_long(const struct modern *game, const struct modern_position *position)
{
    const json_t *max = say(game, game->root, "max_plies");
    return position->ply >= (max == NULL ? PLIES_DEFAULT : json_integer_value(max));
}

struct outcome modern_outcome(const struct modern *game, const struct modern_position *position)
{
    struct outcome outcome = {.winner = PLAYER_NONE, .reason = ""};
    if (position->end.kind != OUTCOME_PLAYING)
        outcome = position->end;
    else if (game->states[position->state].kind == STATE_END)
        outcome = outcome_of_state(game, position);
    else if (is_too_long(game, position))
        outcome = drawn(NULL);
    else if (!has_moves(game, position))
        outcome = outcome_of_stuck(game, position);
    return outcome_with_places(position, outcome);
}

/* The first that is for a claim, or for a flag. */
static struct outcome first_that_is(const struct modern *game,
                                    const struct modern_position *position,
                                    const struct scene *scene, const char *what)
{
    const json_t *results = say(game, game->root, "results");
    for (int i = 0; i < list_count(results); i++) {
        const json_t *words = list_at(results, i), *condition = say(game, words, "if");
        if (is_true(say(game, words, what)) && (condition == NULL || holds(scene, condition)))
            return outcome_with_places(position, outcome_of(scene, words));
    }
    return (struct outcome){.winner = PLAYER_NONE, .reason = ""};
}

struct outcome modern_claim(const struct modern *game, const struct modern_position *position)
{
    struct scene scene = scene_after(game, position);
    if (position->active != CELL_NONE)
        return (struct outcome){.winner = PLAYER_NONE, .reason = ""};
    return first_that_is(game, position, &scene, "claim");
}

struct outcome modern_flag(const struct modern *game, const struct modern_position *position)
{
    struct scene scene = scene_after(game, position);
    player_index next = modern_to_move(game, position);
    if (next == PLAYER_NONE)
        return (struct outcome){.winner = PLAYER_NONE, .reason = ""};
    if (game->players == 2)
        scene.mover = (player_index)(1 - next);
    return first_that_is(game, position, &scene, "flag");
}
