/* How a game is played, for people who do not know it: what to draw, what each figure does alone on the board, and the file,
 * from which the page makes its sentences. */
#include "engine/guide.h"

#include "server/core/handlers.h"
#include "server/core/parts.h"
#include "server/core/reply.h"
#include "server/core/showing.h"

#include "engine/work.h"

#include <stdio.h>

/* Together within a frame: names of cells are in the layout, so its bound is one for lists of them, too. */
enum { LAYOUT_BYTES_MAX = 96 * 1024, FIGURES_BYTES_MAX = 32 * 1024, TEXT_BYTES_MAX = 64 * 1024 };

static void write_cells(struct writer *writer, const struct edition *edition, const char *key,
                        const uint64_t *cells)
{
    writer_key(writer, key);
    writer_array(writer);
    for (int i = 0; i < game_facts(edition->game)->cell_count; i++)
        if ((cells[i / 64] >> (i % 64) & 1) != 0)
            writer_string(writer, edition->cell_names[i]);
    writer_end(writer);
}

/* As the first player has it who can move it. */
static void write_figure(struct writer *writer, const struct edition *edition, int figure,
                         uint64_t work_max)
{
    struct guide guide;
    for (int i = 0; i < game_facts(edition->game)->player_count; i++) {
        if (!guide_of(edition->scratch, (player_index)i, (figure_index)figure, work_max, &guide))
            continue;
        writer_object(writer);
        writer_member_string(writer, "figure", edition->figure_names[figure]);
        writer_member_string(writer, "player", edition->seat_names[i]);
        writer_member_string(writer, "cell", edition->cell_names[guide.cell]);
        write_cells(writer, edition, "moves", guide.moves);
        write_cells(writer, edition, "takes", guide.takes);
        writer_end(writer);
        return;
    }
}

static void write_figures(struct writer *writer, const struct edition *edition)
{
    int count = game_facts(edition->game)->figure_count;
    int shares = count * game_facts(edition->game)->player_count;
    uint64_t before = work_spent();
    size_t start = writer->length;
    writer_key(writer, "figures");
    writer_array(writer);
    for (int i = 0; i < count && work_spent() - before < WORK_ANSWER_MAX &&
                    writer->length < start + FIGURES_BYTES_MAX;
         i++)
        write_figure(writer, edition, i, WORK_ANSWER_MAX / (uint64_t)shares);
    writer_end(writer);
}

static const struct edition *asked_edition(const struct request *request)
{
    const struct message *message = request->message;
    char id[WORD_BYTES_MAX + 1];
    if (message->room.length > 0 && message->room.length <= WORD_BYTES_MAX) {
        snprintf(id, sizeof id, "%.*s", (int)message->room.length, message->room.data);
        const struct room *room = core_find_room(request->core, id);
        return room != NULL ? room->edition : NULL;
    }
    const struct served_game *game = catalogue_find_game(
        &request->core->catalogue, message->games.game.data, message->games.game.length);
    return game != NULL ? game->edition : NULL;
}

void browse_tell_guide(struct core *core, struct session *session, struct text command,
                       const struct edition *edition)
{
    struct writer *writer = reply_begin(core, "games", command);
    writer_key(writer, "guide");
    writer_object(writer);
    writer_key(writer, "layout");
    writer_copy(writer, edition->layout, edition->layout_length);
    if (writer->length <= LAYOUT_BYTES_MAX)
        write_figures(writer, edition);
    if (edition->length <= TEXT_BYTES_MAX)
        writer_member_string(writer, "definition", edition->text);
    writer_end(writer);
    writer_end(writer);
    session_send_written(core, session);
}

enum refusal browse_guide(struct request *request)
{
    const struct edition *edition = asked_edition(request);
    if (edition == NULL)
        return request->message->room.length > 0 ? REFUSAL_UNKNOWN_ROOM : showing_guide(request);
    browse_tell_guide(request->core, request->session, request->message->id, edition);
    return REFUSAL_NONE;
}
