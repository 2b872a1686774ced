#include "engine/notation/room.h"

#include "engine/rules/change.h"
#include "engine/rules/condition.h"
#include "engine/rules/fits.h"
#include "engine/rules/placing.h"
#include "engine/work.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

/* A legal move that a text is about. */
struct told {
    struct notation *notation;
    struct position *position, *after; /* before the move; after it, once somebody needs it */
    struct move move;
};

/* --- what it does ----------------------------------------------------------------------------- */

static struct position *position_after(struct told *told)
{
    if (told->after == NULL) {
        struct position *scratch = told->notation->scratch;
        position_copy(scratch, told->position);
        position_make(scratch, told->move, NULL);
        told->after = scratch;
    }
    return told->after;
}

/* The kind that it makes of what it moves, chosen or not; FIGURE_NONE: it stays what it is. */
static figure_index becomes(struct told *told)
{
    const struct move move = told->move;
    if (move.from == CELL_NONE || move.choice != CHOICE_NONE)
        return move.choice; /* FIGURE_NONE and CHOICE_NONE are the same number */
    struct contents was = position_contents(told->position, move.from);
    struct contents is = position_contents(position_after(told), move.to);
    bool moved = position_contents(position_after(told), move.from).figure == FIGURE_NONE;
    bool other =
        moved && is.figure != FIGURE_NONE && is.player == was.player && is.figure != was.figure;
    return other ? is.figure : FIGURE_NONE;
}

static int count_others(const struct position *position, player_index player)
{
    const struct game *game = position->game;
    int count = 0;
    for (int i = 0; i < game->player_count; i++)
        count += i != player ? bits_count(position_player_words(position, i), game->words) : 0;
    return count;
}

/* Whether it removes what is not the mover's own. */
static bool takes(struct told *told)
{
    if (!move_has_cells(told->move))
        return false;
    player_index player = position_to_move(told->position);
    const struct position *after = position_after(told);
    if (count_others(after, player) < count_others(told->position, player))
        return true;
    /* what was jumped may stand there until the turn ends, but the move knows that it took */
    return after->turn.last.taken != 0;
}

/* --- what a move is made of ------------------------------------------------------------------- */

static figure_index moving_figure(const struct position *position, struct move move)
{
    if (move_is_placement(move))
        return placing_figure(move);
    return position_contents(position, move.from).figure;
}

/* What the file calls this combined movement; NULL: nothing, or it is none. */
static const char *combined_text(const struct position *position, struct move move)
{
    return move.from != CELL_NONE && (move.rule & RULE_COMBINED) != 0
               ? change_combined(position, move)->notation
               : NULL;
}

static const char *choice_letter(const struct position *position, uint8_t choice)
{
    const struct game *game = position->game;
    player_index player = position_to_move(position);
    return game->notation->choices[game_code(game, choice, player)];
}

/* The swap of sides, in every style. */
static const char swap_text[] = "swap";

/* --- writing: the two cells ------------------------------------------------------------------- */

/* A pass, or the swap of sides. */
static void write_without_cells(const struct position *position, struct move move,
                                struct notation_text *text)
{
    const struct game *game = position->game;
    const struct coordinate_notation *style = &game->notation->coordinate;
    if (move_is_swap(move)) {
        notation_text_add(text, swap_text);
        return;
    }
    if (style->pass != NULL) {
        notation_text_add(text, style->pass);
        return;
    }
    uint16_t code = game_code(game, style->pass_figure, position_to_move(position));
    for (int i = 0; i < game->cell_count; i++) {
        if (position->cells[i].code != code)
            continue;
        notation_text_add(text, game->cells[i].name);
        notation_text_add(text, style->separator);
        notation_text_add(text, game->cells[i].name);
        return;
    }
    notation_text_add(text, "pass");
}

/* How a kind is written that is chosen, or put. */
static const char *kind_text(const struct position *position, figure_index figure)
{
    const char *letter = choice_letter(position, figure);
    return letter != NULL ? letter : position->game->figure_names[figure];
}

static void write_choice(const struct position *position, uint8_t choice, const char *sign,
                         struct notation_text *text)
{
    notation_text_add(text, choice_letter(position, choice) != NULL ? sign : "=");
    notation_text_add(text, kind_text(position, choice));
}

static bool names_placed(const struct position *position)
{
    return position->game->placing[position_to_move(position)].chooses;
}

/* By its cell; where several kinds may be put, by the kind before it. */
static void write_placement(const struct position *position, struct move move,
                            struct notation_text *text)
{
    if (names_placed(position) && !placing_removes(position, move)) {
        notation_text_add(text, kind_text(position, placing_figure(move)));
        notation_text_add(text, position->game->notation->coordinate.place);
    }
    notation_text_add(text, position->game->cells[move.to].name);
}

static void write_coordinate(struct told *told, struct notation_text *text)
{
    const struct notation *notation = told->notation;
    const struct coordinate_notation *style = &notation->tables->coordinate;
    if (!move_has_cells(told->move)) {
        write_without_cells(told->position, told->move, text);
        return;
    }
    if (move_is_placement(told->move)) {
        write_placement(told->position, told->move, text);
        return;
    }
    bool take = strcmp(style->take, style->separator) != 0 && takes(told);
    notation_text_add(text, notation->game->cells[told->move.from].name);
    notation_text_add(text, take ? style->take : style->separator);
    notation_text_add(text, notation->game->cells[told->move.to].name);
    figure_index figure = style->promoted ? becomes(told) : told->move.choice;
    if (figure != FIGURE_NONE)
        write_choice(told->position, figure, style->choice, text);
}

/* --- writing: algebraic ----------------------------------------------------------------------- */

static const char *part_of(const struct notation *notation, int part, cell_index cell)
{
    return notation->tables->algebraic.parts[part * notation->game->cell_count + cell];
}

/* What a moving figure is written as. */
static const char *figure_letter(const struct notation *notation, figure_index figure)
{
    const struct algebraic_notation *style = &notation->tables->algebraic;
    return (style->omitted >> figure & 1) != 0 ? "" : style->letters[figure];
}

/* Puts the legal moves that would be written as `move` is, but for where they come from, into the room's list. */
static int find_rivals(struct notation *notation, struct position *position, struct move move)
{
    const struct game *game = notation->game;
    const uint64_t *own = position_player_words(position, position_to_move(position));
    const char *letter = figure_letter(notation, moving_figure(position, move));
    int rivals = 0;
    EACH_BIT (from, own, game->words) {
        struct move *others = notation->moves + rivals;
        figure_index figure = game->code_figures[position->cells[from].code];
        if (from == move.from || strcmp(figure_letter(notation, figure), letter) != 0 ||
            !fits_leads(position, (cell_index)from, move.to))
            continue;
        int count = movegen_from(position, (cell_index)from, others);
        for (int k = 0; k < count; k++)
            if (others[k].to == move.to && combined_text(position, others[k]) == NULL)
                notation->moves[rivals++] = others[k];
    }
    return rivals;
}

static bool is_enough(const struct notation *notation, int part, cell_index from, int rivals)
{
    for (int i = 0; i < rivals; i++)
        if (strcmp(part_of(notation, part, from),
                   part_of(notation, part, notation->moves[i].from)) == 0)
            return false;
    return true;
}

/* Behind no letter a part that begins like one would be taken for it. */
static bool looks_like_a_letter(const struct notation *notation, const char *part)
{
    for (int i = 0; i < notation->game->figure_count; i++)
        if (notation_prefix(part, figure_letter(notation, (figure_index)i)) > 0)
            return true;
    return false;
}

static void write_origin(const struct notation *notation, cell_index from, int rivals, bool omitted,
                         bool needed, struct notation_text *text)
{
    if (rivals == 0 && !needed)
        return;
    for (int part = 0; part < notation->tables->algebraic.part_count; part++) {
        if (omitted && looks_like_a_letter(notation, part_of(notation, part, from)))
            continue;
        if (!is_enough(notation, part, from, rivals))
            continue;
        notation_text_add(text, part_of(notation, part, from));
        return;
    }
    notation_text_add(text, notation->game->cells[from].name);
}

static bool sign_holds(const struct notation_sign *sign, const struct position *after,
                       struct outcome outcome, player_index mover, struct move move)
{
    switch (sign->kind) {
    case SIGN_WON:
        return outcome.kind == OUTCOME_WON && outcome.winner == mover;
    case SIGN_DRAWN:
        return outcome.kind == OUTCOME_DRAWN;
    case SIGN_OVER:
        return outcome.kind != OUTCOME_PLAYING;
    case SIGN_TEST:
        return condition_holds(after, sign->tests[mover], mover, move.from, move.to);
    }
    assert(false);
    return false;
}

/* The first that holds; "": none does, or finding it would take too much work. */
static const char *find_sign(struct told *told)
{
    const struct algebraic_notation *style = &told->notation->tables->algebraic;
    const struct notation_sign *found = NULL;
    if (style->sign_count == 0)
        return "";
    struct work_stretch stretch = work_begin(WORK_POSITION_MAX / 2);
    struct position *after = position_after(told);
    struct outcome outcome = position_outcome(after);
    player_index mover = position_to_move(told->position);
    for (int i = 0; i < style->sign_count && found == NULL; i++)
        if (sign_holds(&style->signs[i], after, outcome, mover, told->move))
            found = &style->signs[i];
    return work_end(&stretch) && found != NULL ? found->text : "";
}

static void write_algebraic_move(struct told *told, struct notation_text *text)
{
    struct notation *notation = told->notation;
    const struct algebraic_notation *style = &notation->tables->algebraic;
    const struct move move = told->move;
    figure_index figure = moving_figure(told->position, move);
    bool take = takes(told);
    bool omitted = (style->omitted >> figure & 1) != 0;
    int rivals = find_rivals(notation, told->position, move);
    notation_text_add(text, figure_letter(notation, figure));
    write_origin(notation, move.from, rivals, omitted, omitted && take, text);
    notation_text_add(text, take ? style->take : "");
    notation_text_add(text, notation->game->cells[move.to].name);
    figure_index new_figure = style->promoted ? becomes(told) : move.choice;
    if (new_figure == FIGURE_NONE)
        return;
    notation_text_add(text, style->choice);
    notation_text_add(text, style->letters[new_figure]);
}

/* The sign stands alone where a figure that goes has no letter either. */
static void write_algebraic_placement(struct told *told, struct notation_text *text)
{
    const struct algebraic_notation *style = &told->notation->tables->algebraic;
    bool removes = placing_removes(told->position, told->move);
    if (removes)
        notation_text_add(text, style->take);
    else if (names_placed(told->position))
        notation_text_add(text, style->letters[placing_figure(told->move)]);
    if (!removes && (names_placed(told->position) || style->omitted != 0))
        notation_text_add(text, told->notation->tables->coordinate.place);
    notation_text_add(text, told->notation->game->cells[told->move.to].name);
}

static void write_algebraic(struct told *told, struct notation_text *text)
{
    const char *name = combined_text(told->position, told->move);
    if (!move_has_cells(told->move))
        write_without_cells(told->position, told->move, text);
    else if (move_is_placement(told->move))
        write_algebraic_placement(told, text);
    else if (name != NULL)
        notation_text_add(text, name);
    else
        write_algebraic_move(told, text);
    notation_text_add(text, find_sign(told));
}

void notation_write_move(struct notation *notation, struct position *before, struct position *after,
                         struct move move, enum notation_style style,
                         char text[NOTATION_MOVE_BYTES])
{
    struct notation_text written = notation_text_begin(text, NOTATION_MOVE_BYTES);
    struct told told = {notation, before, after, move};
    assert(game_has_move_notation(notation->game, style));
    if (style == NOTATION_COORDINATE)
        write_coordinate(&told, &written);
    else
        write_algebraic(&told, &written);
    assert(!written.full);
}

/* --- reading: the two cells ------------------------------------------------------------------- */

/* The kinds that what stands there can ever become by its movements, bits. */
static uint64_t kinds_to_become(const struct position *position, cell_index cell)
{
    const struct game *game = position->game;
    unsigned code = position->cells[cell].code;
    uint64_t kinds = 0;
    for (uint32_t i = code != 0 ? game->piece_rules[code - 1] : 0;
         code != 0 && i < game->piece_rules[code]; i++)
        for (int k = 0; k < game->movements[i].promotion_count; k++)
            kinds |= game->movements[i].promotions[k].taken ? game->all_figures
                                                            : game->movements[i].promotions[k].to;
    return kinds;
}

/* Which of the kinds it becomes by what stands behind the second cell. */
static bool parse_kind(const struct notation *notation, const struct position *position,
                       const char *text, uint64_t kinds, uint8_t *choice)
{
    const struct game *game = notation->game;
    const char *letter = text + notation_prefix(text, notation->tables->coordinate.choice);
    for (int i = 0; i < game->figure_count; i++) {
        if ((kinds >> i & 1) == 0)
            continue;
        const char *known = choice_letter(position, (uint8_t)i);
        bool named = *text == '=' && strcmp(text + 1, game->figure_names[i]) == 0;
        bool exact = known != NULL && known[0] != '\0' && strcmp(letter, known) == 0;
        bool similar = known != NULL && known[0] != '\0' && strcasecmp(letter, known) == 0;
        if (named || exact || (similar && *choice == CHOICE_NONE))
            *choice = (uint8_t)i;
        if (named || exact)
            return true;
    }
    return *choice != CHOICE_NONE;
}

/* Nothing, or which figure it becomes: several kinds may be written alike, of which it becomes one. */
static bool parse_choice(const struct notation *notation, const struct position *position,
                         cell_index from, const char *text, uint8_t *choice)
{
    *choice = CHOICE_NONE;
    return *text == '\0' ||
           parse_kind(notation, position, text, kinds_to_become(position, from), choice) ||
           parse_kind(notation, position, text, UINT64_MAX, choice);
}

/* Behind what lies between two cells' names, perhaps nothing; NULL: this cannot stand there. */
static const char *behind_separator(const struct coordinate_notation *style, const char *text)
{
    const char *separated = notation_behind(text, style->separator);
    if (style->take[0] != '\0' && notation_behind(text, style->take) != NULL)
        return notation_behind(text, style->take);
    return separated == NULL && style->take[0] == '\0' ? text : separated;
}

static bool is_pass_text(const struct position *position, const char *text)
{
    char bytes[NOTATION_MOVE_BYTES];
    struct notation_text pass = notation_text_begin(bytes, sizeof bytes);
    write_without_cells(position, move_pass, &pass);
    return strcmp(text, bytes) == 0;
}

static bool parse_target(const struct notation *notation, const struct position *position,
                         const char *text, struct move *move)
{
    for (int i = 0; text != NULL && i < notation->game->cell_count; i++) {
        const char *rest = notation_behind(text, notation->game->cells[i].name);
        move->to = (cell_index)i;
        if (rest != NULL && parse_choice(notation, position, move->from, rest, &move->choice))
            return true;
    }
    return false;
}

/* The kind before the sign, of those that the player may put at all. */
static bool parse_placed(const struct position *position, const char *text, size_t length,
                         uint8_t *choice)
{
    const struct game *game = position->game;
    for (int i = 0; i < game->figure_count; i++) {
        const char *known = kind_text(position, (figure_index)i);
        if (strlen(known) != length || strncasecmp(known, text, length) != 0)
            continue;
        bool exact = strncmp(known, text, length) == 0;
        if (exact || *choice == CHOICE_NONE)
            *choice = (uint8_t)i;
        if (exact)
            return true;
    }
    return *choice != CHOICE_NONE;
}

/* A cell alone; with a kind before it where there are several and none is removed. */
static bool parse_placement(const struct position *position, const char *text, struct move *move)
{
    const char *place = position->game->notation->coordinate.place, *sign = strstr(text, place);
    const char *cell = sign != NULL ? sign + strlen(place) : text;
    bool named = names_placed(position);
    if (!position->game->places_figures || (sign != NULL && !named) ||
        (sign != NULL && !parse_placed(position, text, (size_t)(sign - text), &move->choice)))
        return false;
    for (int i = 0; i < position->game->cell_count; i++)
        if (strcmp(cell, position->game->cells[i].name) == 0) {
            move->to = (cell_index)i;
            return !named || sign != NULL || position->cells[i].code != 0;
        }
    return false;
}

bool notation_parse_move(struct notation *notation, const struct position *position,
                         const char *text, struct move *move)
{
    *move = position->game->pie && strcmp(text, swap_text) == 0 ? move_swap : move_pass;
    if (position_to_move(position) == PLAYER_NONE)
        return false;
    if (move_is_swap(*move) || is_pass_text(position, text) ||
        parse_placement(position, text, move))
        return true;
    for (int i = 0; i < notation->game->cell_count; i++) {
        const char *rest = notation_behind(text, notation->game->cells[i].name);
        move->from = (cell_index)i;
        if (parse_target(notation, position, behind_separator(&notation->tables->coordinate, rest),
                         move))
            return true;
    }
    return false;
}

/* --- reading: algebraic ----------------------------------------------------------------------- */

/* A text being held against one legal move. */
struct algebraic_reading {
    struct told told;
    const char *text, *end; /* without signs and remarks at the end */
};

/* How long a text is without `!`, `?`, and the signs of check and mate. */
static size_t length_without_signs(const struct algebraic_notation *style, const char *text)
{
    size_t length = strlen(text);
    for (size_t before = length + 1; before != length;) {
        before = length;
        while (length > 0 && strchr("!? \t\r\n", text[length - 1]) != NULL)
            length--;
        for (int i = 0; i < style->sign_count; i++) {
            size_t sign = strlen(style->signs[i].text);
            if (sign > 0 && length > sign &&
                strncmp(text + length - sign, style->signs[i].text, sign) == 0)
                length -= sign;
        }
    }
    return length;
}

static bool is_combined_text(const struct algebraic_reading *reading, const char *name)
{
    const char *at = reading->text;
    while (at < reading->end && (*at == *name || (*at == '0' && *name == 'O'))) {
        at++;
        name++;
    }
    return at == reading->end && *name == '\0';
}

static bool choice_fits(struct algebraic_reading *reading, const char *at)
{
    const struct algebraic_notation *style = &reading->told.notation->tables->algebraic;
    if (at == NULL || at == reading->end)
        return at != NULL && reading->told.move.choice == CHOICE_NONE;
    figure_index figure = becomes(&reading->told);
    at += notation_prefix(at, style->choice);
    return figure != FIGURE_NONE && style->letters[figure][0] != '\0' &&
           notation_behind(at, style->letters[figure]) == reading->end;
}

/* Whether this is the sign of taking, the target and the choice. */
static bool rest_fits(struct algebraic_reading *reading, const char *at)
{
    const struct notation *notation = reading->told.notation;
    const char *target = notation->game->cells[reading->told.move.to].name;
    const char *taking = notation_behind(at, notation->tables->algebraic.take);
    return choice_fits(reading, notation_behind(at, target)) ||
           (taking != at && choice_fits(reading, notation_behind(taking, target)) &&
            takes(&reading->told));
}

/* A text that fits several moves means the one that is written exactly so; and a placement is written in one way only. */
static bool is_written_so(struct algebraic_reading *reading)
{
    char bytes[NOTATION_MOVE_BYTES];
    struct notation_text text = notation_text_begin(bytes, sizeof bytes);
    if (move_is_placement(reading->told.move))
        write_algebraic_placement(&reading->told, &text);
    else
        write_algebraic_move(&reading->told, &text);
    return notation_behind(reading->text, bytes) == reading->end;
}

static bool move_fits(struct algebraic_reading *reading)
{
    const struct notation *notation = reading->told.notation;
    if (move_is_placement(reading->told.move))
        return is_written_so(reading);
    const struct algebraic_notation *style = &notation->tables->algebraic;
    const char *combined = combined_text(reading->told.position, reading->told.move);
    if (combined != NULL)
        return is_combined_text(reading, combined);
    const cell_index from = reading->told.move.from;
    const char *letter =
        figure_letter(notation, moving_figure(reading->told.position, reading->told.move));
    const char *at = notation_behind(reading->text, letter);
    bool fits = rest_fits(reading, at) ||
                rest_fits(reading, notation_behind(at, notation->game->cells[from].name));
    for (int part = 0; part < style->part_count && !fits; part++) {
        const char *origin = part_of(notation, part, from);
        bool letterlike = letter[0] == '\0' && looks_like_a_letter(notation, origin);
        fits = !letterlike && rest_fits(reading, notation_behind(at, origin));
    }
    return fits;
}

/* How many of the legal moves, which are in the room's list, the text may mean. The list is used up. */
static int read_algebraic(struct notation *notation, struct position *position, int count,
                          const char *text, struct move *found)
{
    struct algebraic_reading reading = {.text = text};
    struct move fitting[2];
    reading.end = text + length_without_signs(&notation->tables->algebraic, text);
    int fits = 0;
    for (int i = 0; i < count; i++) {
        reading.told = (struct told){notation, position, NULL, notation->moves[i]};
        if (move_has_cells(reading.told.move) && move_fits(&reading) && fits++ < 2)
            fitting[fits - 1] = reading.told.move;
    }
    if (fits > 0)
        *found = fitting[0];
    for (int i = 0; i < 2 && fits == 2; i++) {
        reading.told = (struct told){notation, position, NULL, fitting[i]};
        if (!is_written_so(&reading))
            continue;
        *found = fitting[i];
        return 1;
    }
    return fits;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A text may say what the figure becomes where there is no choice. */
static bool is_wanted(struct notation *notation, struct position *position, struct move move,
                      struct move wanted)
{
    if (move_equal(move, wanted))
        return true;
    return move.from == wanted.from && move.to == wanted.to && move.choice == CHOICE_NONE &&
           wanted.choice != CHOICE_NONE &&
           becomes(&(struct told){notation, position, NULL, move}) == wanted.choice;
}

static bool find_legal(struct notation *notation, struct position *position, int count,
                       struct move wanted, struct move *found)
{
    for (int i = 0; i < count; i++) {
        if (!is_wanted(notation, position, notation->moves[i], wanted))
            continue;
        *found = notation->moves[i];
        return true;
    }
    return false;
}

bool notation_read_move(struct notation *notation, struct position *position, const char *text,
                        struct move *move, char words[NOTATION_WORDS_BYTES])
{
    struct notation_quote quote = notation_quote(text, strlen(text));
    struct move wanted;
    bool parsed = notation_parse_move(notation, position, text, &wanted);
    int count = movegen_all(position, notation->moves), fits = 0;
    if (parsed && find_legal(notation, position, count, wanted, move))
        return true;
    if (notation->tables->algebraic.letters != NULL)
        fits = read_algebraic(notation, position, count, text, move);
    if (fits == 1)
        return true;
    if (fits > 1)
        return notation_refuse(words, "`%s` may mean more than one move", quote.text);
    if (parsed)
        return notation_refuse(words, "`%s` is not a legal move here", quote.text);
    return notation_refuse(words, "`%s` means no legal move here", quote.text);
}
