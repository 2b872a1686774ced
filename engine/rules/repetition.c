#include "engine/rules/fits.h"
#include "engine/rules/history.h"
#include "engine/rules/legal.h"
#include "engine/work.h"

enum { TAG_STATE = 101, TAG_RIGHT, TAG_UNMOVED, TAG_MARK, TAG_COUNTER };

/* --- rights ----------------------------------------------------------------------------------- */

static bool is_subset(const uint64_t *part, const uint64_t *whole, int words)
{
    for (int i = 0; i < words; i++)
        if ((part[i] & ~whole[i]) != 0)
            return false;
    return true;
}

/* What rights have not been lost: those of several figures that must not have moved, or all of who has not. */
static uint64_t hash_rights(const struct position *position)
{
    const struct game *game = position->game;
    const uint64_t *unmoved = position->unmoved;
    uint64_t hash = 0;
    work_spend((unsigned)game->words);
    if (game->unmoved_is_key) {
        for (int i = 0; i < game->words; i++)
            hash ^= hash_part(TAG_UNMOVED, (unsigned)i, unmoved[i]);
        return hash;
    }
    uint64_t held = 0;
    work_spend((unsigned)(game->right_count * game->words));
    for (int i = 0; i < game->right_count; i++)
        if (is_subset(game->rights + (size_t)i * (size_t)game->words, unmoved, game->words))
            held |= UINT64_C(1) << i;
    return hash_part(TAG_RIGHT, 0, held);
}

/* --- marks ------------------------------------------------------------------------------------ */

static bool takes_by_mark(struct position *position, cell_index from, int mark, cell_index to)
{
    const struct game *game = position->game;
    const struct candidate *candidate = pseudo_deciding(position, from, to);
    if (candidate == NULL)
        return false;
    const struct movement *rule = &game->movements[candidate->rule];
    struct move move = pseudo_move(position, from, candidate);
    if (rule->takes_marked != mark || fits_marked(position, rule, move) == CELL_NONE)
        return false;
    struct visit visit = {.position = position,
                          .move = game->forbids_repetition ? pseudo_is_there : legal_visit};
    return pseudo_visit_choices(&visit, rule, move);
}

/* Whether the player to move may take by a mark. Priorities are not looked at; nor is what is forbidden where a
 * repetition can be, since that asks whether the mark counts. */
static bool mark_counts(struct position *position, int mark)
{
    const struct game *game = position->game;
    cell_index cell = position->turn.marks[mark].cell;
    player_index player = position_state_player(position);
    for (int figure = 0; figure < game->figure_count && player != PLAYER_NONE; figure++)
        for (int i = 0; i < game->words; i++) {
            uint64_t left = fits_origins_word(position, figure, player, cell, i);
            for (; left != 0; left &= left - 1) {
                unsigned from = (unsigned)i * WORD_BITS + word_lowest(left);
                if (takes_by_mark(position, (cell_index)from, mark, cell))
                    return true;
            }
        }
    return false;
}

/* --- the key ---------------------------------------------------------------------------------- */

/* What stands where: the hash, but for what figures have been through and what is in hand. */
static uint64_t board_key(const struct position *position)
{
    const struct game *game = position->game;
    uint64_t key = 0;
    if (!game->tracks_history && !game->has_hands)
        return position->turn.hash;
    work_spend((unsigned)game->cell_count);
    for (int cell = 0; cell < game->cell_count; cell++)
        if (position->cells[cell].code != 0)
            key ^= hash_cell((cell_index)cell,
                             (struct cell_record){.code = position->cells[cell].code});
    return key;
}

static uint64_t find_key(struct position *position)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    if (game->repeats_boards)
        return board_key(position);
    uint64_t hash =
        position->turn.hash ^ hash_part(TAG_STATE, position->turn.state, turn->finished);
    if (game->tracks_unmoved)
        hash ^= hash_rights(position);
    for (int i = 0; i < game->mark_count; i++)
        if (turn->marks[i].cell != CELL_NONE && mark_counts(position, i))
            hash ^= hash_part(TAG_MARK, (unsigned)i, turn->marks[i].cell);
    for (uint64_t left = game->key_slots; left != 0; left &= left - 1) {
        unsigned slot = word_lowest(left);
        hash ^= hash_part(TAG_COUNTER, slot, (uint16_t)turn->counters[slot]);
    }
    return hash;
}

void repetition_note_key(struct position *position)
{
    struct turn *turn = &position->turn;
    if (position->game->history_max == 0 || turn->keyed)
        return;
    turn->key = find_key(position);
    turn->keyed = !work_is_too_much();
}
