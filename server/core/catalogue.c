#include "server/core/catalogue.h"

#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "server/core/frame.h"
#include "server/core/layout.h"
#include "server/core/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size)
{
    void *memory = memory_zeroed(1, size);
    return memory;
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = allocate(length + 1);
    memcpy(copy, text, length);
    return copy;
}

void catalogue_init(struct catalogue *catalogue, struct hash_key hash_key)
{
    *catalogue = (struct catalogue){.game_count = 0};
    map_init(&catalogue->editions, hash_key);
    map_init(&catalogue->pictures, hash_key);
    list_init(&catalogue->unplayed);
}

void catalogue_release(struct catalogue *catalogue)
{
    for (int i = 0; i < catalogue->game_count; i++) {
        struct served_game *game = &catalogue->games[i];
        free(game->id);
        catalogue_release_edition(catalogue, game->edition);
        for (int players = 0; players <= PLAYER_COUNT_MAX; players++)
            catalogue_release_edition(catalogue, game->for_players[players]);
    }
    while (catalogue_forget_unplayed(catalogue))
        continue;
    assert(catalogue->editions.count == 0 && catalogue->bytes == 0);
    map_release(&catalogue->editions);
    map_release(&catalogue->pictures);
    free(catalogue->games);
    free(catalogue->moves);
}

void catalogue_hash(const char *text, size_t length, char hash[DIGEST_HEX_DIGITS + 1])
{
    unsigned char digest[DIGEST_BYTES];
    digest_sha256(text, length, digest);
    digest_write_hex(digest, sizeof digest, hash);
}

void catalogue_key(const char *hash, int players, char key[EDITION_KEY_BYTES + 1])
{
    assert(players >= 0 && (players & ~EDITION_UNREVISED) <= PLAYER_COUNT_MAX);
    memcpy(key, hash, DIGEST_HEX_DIGITS);
    key[DIGEST_HEX_DIGITS] = (char)('0' + players);
    key[EDITION_KEY_BYTES] = '\0';
}

/* --- editions --------------------------------------------------------------------------------- */

void catalogue_write_players(struct writer *writer, const struct game *game)
{
    writer_array(writer);
    for (int i = 0; i < game_facts(game)->player_count; i++)
        writer_string(writer, game_facts(game)->player_names[i]);
    writer_end(writer);
}

static char *json_text(const char *name)
{
    struct writer writer;
    writer_init(&writer);
    writer_string(&writer, name);
    return writer_take(&writer, NULL);
}

static void fill_names(struct edition *edition)
{
    int cells = game_facts(edition->game)->cell_count,
        seats = game_facts(edition->game)->player_count;
    int figures = game_facts(edition->game)->figure_count;
    edition->cell_names = allocate(sizeof *edition->cell_names * (size_t)cells);
    edition->cell_texts = allocate(sizeof *edition->cell_texts * (size_t)cells);
    edition->seat_names = allocate(sizeof *edition->seat_names * (size_t)seats);
    edition->figure_names = allocate(sizeof *edition->figure_names * (size_t)figures);
    edition->figure_texts = allocate(sizeof *edition->figure_texts * (size_t)figures);
    for (int i = 0; i < cells; i++) {
        edition->cell_names[i] = game_facts(edition->game)->cells[i].name;
        edition->cell_texts[i] = json_text(edition->cell_names[i]);
    }
    for (int i = 0; i < seats; i++)
        edition->seat_names[i] = game_facts(edition->game)->player_names[i];
    for (int i = 0; i < figures; i++) {
        edition->figure_names[i] = game_facts(edition->game)->figure_names[i];
        edition->figure_texts[i] = json_text(edition->figure_names[i]);
    }
}

/* A game that is made from a served one, or extends it, may show its pictures. */
static bool serves_picture(const void *context, const char *path)
{
    const struct catalogue *catalogue = context;
    return map_find(&catalogue->pictures, path, strlen(path)) != NULL;
}

static void write_layout(struct writer *writer, const struct edition *edition)
{
    struct layout_pictures pictures = {0};
    if (!edition->served)
        pictures = (struct layout_pictures){serves_picture, edition->catalogue};
    layout_write(writer, edition->game, pictures);
}

static void fill_texts(struct edition *edition)
{
    struct writer writer;
    size_t length;
    free(edition->players_text);
    free(edition->layout);
    writer_init(&writer);
    catalogue_write_players(&writer, edition->game);
    writer_text(&writer);
    edition->players_text = writer_take(&writer, &length);
    write_layout(&writer, edition);
    edition->layout = writer_take(&writer, &edition->layout_length);
    writer_release(&writer);
}

static void make_room_for_moves(struct catalogue *catalogue, const struct game *game)
{
    int needed = game_facts(game)->moves_max;
    if (needed <= catalogue->moves_max)
        return;
    free(catalogue->moves);
    catalogue->moves = allocate(sizeof *catalogue->moves * (size_t)needed);
    catalogue->moves_max = needed;
}

const char *catalogue_game_fault(const struct game *game)
{
    return view_board_bytes(game) > FRAME_BOARD_BYTES_MAX
               ? "the board takes more than 204 KiB to be told: shorter names of cells, figures "
                 "and "
                 "players, or fewer cells"
               : NULL;
}

struct edition *catalogue_find_edition(struct catalogue *catalogue, const char *hash, int players)
{
    char key[EDITION_KEY_BYTES + 1];
    catalogue_key(hash, players, key);
    struct edition *edition = map_find(&catalogue->editions, key, EDITION_KEY_BYTES);
    return edition ? edition_retain(edition) : NULL;
}

/* The notation's list of moves and its board are there once somebody asks for texts; they count from the start. */
size_t catalogue_edition_bytes(const struct game *game, size_t length)
{
    return sizeof(struct edition) + length + game_bytes(game) + 2 * position_bytes(game) +
           (size_t)game_facts(game)->moves_max * sizeof(struct move);
}

void edition_set_author(struct edition *edition, struct account *author)
{
    assert(!edition->author);
    edition->author = author ? account_hold(author) : NULL;
    for (; author; author = author->wider)
        author->definition_bytes += edition->bytes;
}

/* Which accounts have nobody any more is looked at when the next one comes, not now. */
static void release_author(struct edition *edition)
{
    if (edition->author)
        account_let_go(edition->catalogue->accounts, edition->author, 0);
    edition->author = NULL;
}

void edition_grow(struct edition *edition, size_t bytes)
{
    edition->bytes += bytes;
    if (!edition->served)
        edition->catalogue->bytes += bytes;
    for (struct account *author = edition->author; author; author = author->wider)
        author->definition_bytes += bytes;
}

void edition_shrink(struct edition *edition, size_t bytes)
{
    assert(edition->bytes >= bytes);
    edition->bytes -= bytes;
    if (!edition->served)
        edition->catalogue->bytes -= bytes;
    for (struct account *author = edition->author; author; author = author->wider)
        author->definition_bytes -= bytes;
}

struct edition *catalogue_add_edition(struct catalogue *catalogue, const char *hash, int players,
                                      const char *text, size_t length, struct game *game)
{
    struct edition *edition = allocate(sizeof *edition);
    edition->catalogue = catalogue;
    edition->references = 1;
    memcpy(edition->hash, hash, DIGEST_HEX_DIGITS);
    edition->players = players;
    catalogue_key(hash, players, edition->key);
    edition->text = copy_text(text, length);
    edition->length = length;
    edition->game = game;
    edition->scratch = position_new(game);
    fill_names(edition);
    fill_texts(edition);
    make_room_for_moves(catalogue, game);
    edition_grow(edition, catalogue_edition_bytes(game, length));
    map_put(&catalogue->editions, edition->key, EDITION_KEY_BYTES, edition);
    return edition;
}

void edition_tell(const struct edition *edition, struct event *created)
{
    bool revised = game_facts(edition->game)->revised && !(edition->players & EDITION_UNREVISED);
    created->players = edition->players & ~EDITION_UNREVISED;
    created->language = revised ? LANGUAGE_REVISION : 0;
}

struct notation *edition_notation(struct edition *edition)
{
    if (!edition->notation)
        edition->notation = notation_new(edition->game);
    return edition->notation;
}

struct event_move edition_name_move(const struct edition *edition, struct move move)
{
    if (!move_has_cells(move))
        return (struct event_move){.pass = move_is_pass(move), .swap = move_is_swap(move)};
    struct event_move named = {.to = text_of(edition->cell_names[move.to])};
    if (!move_is_placement(move))
        named.from = text_of(edition->cell_names[move.from]);
    if (move.choice != CHOICE_NONE)
        named.choice = text_of(edition->figure_names[move.choice]);
    return named;
}

char *catalogue_find_text(const void *catalogue, const char *id, size_t *length)
{
    const struct served_game *game = catalogue_find_game(catalogue, id, strlen(id));
    if (!game)
        return NULL;
    *length = game->edition->length;
    char *text = malloc(*length + 1);
    if (text)
        memcpy(text, game->edition->text, *length + 1);
    return text;
}

const char *catalogue_served_id(const struct catalogue *catalogue, const char *hash)
{
    for (int i = 0; i < catalogue->game_count; i++)
        if (strcmp(catalogue->games[i].edition->hash, hash) == 0)
            return catalogue->games[i].id;
    return "";
}

struct edition *edition_retain(struct edition *edition)
{
    edition->references++;
    list_remove(&edition->unplayed_link);
    return edition;
}

static void forget_edition(struct catalogue *catalogue, struct edition *edition)
{
    list_remove(&edition->unplayed_link);
    edition_shrink(edition, edition->bytes);
    release_author(edition);
    map_remove(&catalogue->editions, edition->key, EDITION_KEY_BYTES);
    for (int i = 0; i < game_facts(edition->game)->cell_count; i++)
        free(edition->cell_texts[i]);
    for (int i = 0; i < game_facts(edition->game)->figure_count; i++)
        free(edition->figure_texts[i]);
    notation_free(edition->notation);
    position_free(edition->scratch);
    game_release(edition->game);
    free(edition->text);
    free(edition->cell_texts);
    free(edition->figure_texts);
    free(edition->figure_names);
    free(edition->cell_names);
    free(edition->seat_names);
    free(edition->players_text);
    free(edition->layout);
    free(edition);
}

bool catalogue_forget_unplayed(struct catalogue *catalogue)
{
    struct edition *edition = list_first(&catalogue->unplayed);
    if (edition)
        forget_edition(catalogue, edition);
    return edition != NULL;
}

bool edition_is_paid_by(const struct edition *edition, const struct account *account)
{
    const struct account *author = edition->author;
    return author && (author == account || author->wider == account);
}

bool catalogue_forget_unplayed_of(struct catalogue *catalogue, const struct account *account)
{
    const struct link *ends = &catalogue->unplayed.ends;
    for (const struct link *link = ends->next; link != ends; link = link->next) {
        if (!edition_is_paid_by(link->owner, account))
            continue;
        forget_edition(catalogue, link->owner);
        return true;
    }
    return false;
}

void catalogue_release_edition(struct catalogue *catalogue, struct edition *edition)
{
    if (edition && --edition->references == 0)
        list_append(&catalogue->unplayed, &edition->unplayed_link, edition);
}

/* --- served games ----------------------------------------------------------------------------- */

const struct served_game *catalogue_find_game(const struct catalogue *catalogue, const char *id,
                                              size_t length)
{
    for (int i = 0; i < catalogue->game_count; i++) {
        const struct served_game *game = &catalogue->games[i];
        if (strlen(game->id) == length && memcmp(game->id, id, length) == 0)
            return game;
    }
    return NULL;
}

/* Takes the game. */
static struct edition *serve_edition(struct catalogue *catalogue, const char *hash, int players,
                                     const char *text, size_t length, struct game *game)
{
    struct edition *edition = catalogue_find_edition(catalogue, hash, players);
    if (edition)
        game_release(game);
    else
        edition = catalogue_add_edition(catalogue, hash, players, text, length, game);
    if (!edition->served) {
        catalogue->bytes -= edition->bytes;
        edition->served = true;
        fill_texts(edition);
    }
    return edition;
}

static void add_pictures_of(struct catalogue *catalogue, struct edition *edition,
                            const struct image_set *set)
{
    const struct game_facts *facts = game_facts(edition->game);
    for (int i = 0; i < facts->player_count; i++)
        for (int j = 0; j < facts->figure_count; j++) {
            const char *path = set->figures[i][j];
            if (path && !serves_picture(catalogue, path))
                map_put(&catalogue->pictures, path, strlen(path), edition);
        }
}

static void add_pictures(struct catalogue *catalogue, struct edition *edition)
{
    const struct game_facts *facts = game_facts(edition->game);
    add_pictures_of(catalogue, edition, &facts->images);
    for (int i = 0; i < facts->image_set_count; i++)
        add_pictures_of(catalogue, edition, &facts->image_sets[i]);
}

bool catalogue_serve(struct catalogue *catalogue, const char *id, const char *text, size_t length,
                     struct game *game)
{
    char hash[DIGEST_HEX_DIGITS + 1];
    if (catalogue_find_game(catalogue, id, strlen(id))) {
        game_release(game);
        return false;
    }
    catalogue_hash(text, length, hash);
    struct edition *edition = serve_edition(catalogue, hash, 0, text, length, game);
    size_t count = (size_t)catalogue->game_count;
    struct served_game *games = memory_resize(catalogue->games, (count + 1), sizeof *games);
    games[count] = (struct served_game){.id = copy_text(id, strlen(id)), .edition = edition};
    catalogue->games = games;
    catalogue->game_count++;
    add_pictures(catalogue, edition);
    return true;
}

bool catalogue_serve_for(struct catalogue *catalogue, const char *id, int players,
                         struct game *game)
{
    struct served_game *served =
        (struct served_game *)catalogue_find_game(catalogue, id, strlen(id));
    assert(players >= 1 && players <= PLAYER_COUNT_MAX);
    if (!served || served->for_players[players]) {
        game_release(game);
        return false;
    }
    const struct edition *first = served->edition;
    served->for_players[players] =
        serve_edition(catalogue, first->hash, players, first->text, first->length, game);
    return true;
}

struct edition *catalogue_edition_for(const struct served_game *game, int players)
{
    if (players == 0)
        return game->edition;
    if (game->for_players[players])
        return game->for_players[players];
    return game_facts(game->edition->game)->player_count == players ? game->edition : NULL;
}

/* With how many the game may be played, and who they are then; left out where there is no choice. */
static void write_player_counts(const struct served_game *game, struct writer *writer)
{
    bool any = false;
    for (int players = 1; players <= PLAYER_COUNT_MAX; players++)
        any |= game->for_players[players] != NULL;
    if (!any)
        return;
    writer_key(writer, "player_counts");
    writer_object(writer);
    for (int players = 1; players <= PLAYER_COUNT_MAX; players++) {
        const struct edition *edition = catalogue_edition_for(game, players);
        char name[2] = {(char)('0' + players), '\0'};
        if (!edition)
            continue;
        writer_key(writer, name);
        writer_raw(writer, edition->players_text, strlen(edition->players_text));
    }
    writer_end(writer);
}

/* What the players are called in a language. */
static void write_player_words(const struct game *game, const struct game_translation *translation,
                               struct writer *writer)
{
    writer_key(writer, "words");
    writer_object(writer);
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        const char *name = game_facts(game)->player_names[i];
        writer_member_string(writer, name, game_translate(translation, name));
    }
    writer_end(writer);
}

static void write_summary(const struct served_game *served, const char *language,
                          struct writer *writer)
{
    const struct game *game = served->edition->game;
    const struct game_translation *translation = game_translation(game, language);
    writer_key(writer, "id");
    writer_string(writer, served->id);
    writer_key(writer, "title");
    writer_string(writer, game_translate(translation, game_facts(game)->title));
    writer_key(writer, "description");
    writer_string(writer, game_translate(translation, game_facts(game)->description));
    writer_key(writer, "players");
    writer_raw(writer, served->edition->players_text, strlen(served->edition->players_text));
    write_player_counts(served, writer);
    if (translation != NULL)
        write_player_words(game, translation, writer);
}

void catalogue_write_list(const struct catalogue *catalogue, const char *language,
                          struct writer *writer)
{
    writer_array(writer);
    for (int i = 0; i < catalogue->game_count; i++) {
        writer_object(writer);
        write_summary(&catalogue->games[i], language, writer);
        writer_end(writer);
    }
    writer_end(writer);
}

void catalogue_write_game(const struct served_game *game, struct writer *writer)
{
    writer_object(writer);
    write_summary(game, "", writer);
    writer_key(writer, "hash");
    writer_string(writer, game->edition->hash);
    writer_key(writer, "definition");
    writer_copy(writer, game->edition->text, game->edition->length);
    writer_end(writer);
}
