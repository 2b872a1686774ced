/* What players have in hand, in a position's text. */
#include "engine/notation/room.h"

static bool refuse_hands(struct position_reading *reading, const char *at, const char *end)
{
    return notation_refuse_text(reading, "nothing in hand is written `%s`", at, end);
}

/* So many more of it. */
static bool add_to_hand(struct position_reading *reading, unsigned code, int number)
{
    struct position *position = reading->position;
    const struct game *game = reading->game;
    int held = position->hands[code - 1] + number;
    if (held > HAND_MAX)
        return false;
    position_set_hand(position, game->code_players[code], game->code_figures[code], held);
    return true;
}

bool notation_read_hands(struct position_reading *reading, const char *end)
{
    while (reading->at < end) {
        const char *begin = reading->at;
        int number = 1;
        bool counted = *begin >= '0' && *begin <= '9';
        if (counted && !notation_read_number(&reading->at, HAND_MAX, &number))
            return refuse_hands(reading, begin, end);
        uint16_t code = reading->at < end ? notation_read_letter(reading) : 0;
        if (code == 0 || number == 0 || reading->at > end || !add_to_hand(reading, code, number))
            return refuse_hands(reading, begin, end);
    }
    return true;
}

static bool write_held(const char *letter, int number, bool counted, struct notation_text *text)
{
    if (letter == NULL)
        return false;
    if (counted && number > 1)
        notation_text_add_number(text, number);
    for (int i = 0; i < (counted ? 1 : number); i++)
        notation_text_add(text, letter);
    return true;
}

bool notation_write_hands(const struct position *position, bool counted, struct notation_text *text)
{
    const struct game *game = position->game;
    for (int player = 0; player < game->player_count; player++)
        for (int figure = 0; figure < game->figure_count; figure++) {
            uint16_t code = game_code(game, (figure_index)figure, (player_index)player);
            int number = position->hands[code - 1];
            if (number > 0 && !write_held(game->notation->letters[code], number, counted, text))
                return false;
        }
    return true;
}
