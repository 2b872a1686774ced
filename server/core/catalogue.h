/* Games in memory. An *edition* is one definition, pinned by the SHA-256 of its text: compiled
 * once, shared by all live rooms that play it, and forgotten with the last of them. Served games
 * are editions with a name that stay. */
#ifndef SERVER_CORE_CATALOGUE_H
#define SERVER_CORE_CATALOGUE_H

#include "engine/position.h"
#include "protocol/writer.h"
#include "server/core/digest.h"
#include "server/core/map.h"

struct edition {
    int references;
    bool served;
    char hash[DIGEST_HEX_DIGITS + 1];
    char *text; /* owned, ends in zero */
    size_t length;
    struct game *game;
    const char **cell_names, **seat_names, **figure_names; /* arrays owned, names the game's */
    char **cell_texts; /* owned: the cells' names as JSON strings, for lists of moves */
    char *players;     /* owned: all seats as a JSON array */
    char *layout;      /* owned: JSON, see view_write_layout */
    size_t layout_length;
    struct position *scratch; /* to try a move on before it is durable */
};

struct served_game {
    char *id; /* owned */
    struct edition *edition;
};

struct catalogue {
    struct map editions;       /* by hash */
    struct served_game *games; /* owned, in the order they were added */
    int game_count;
    struct move *moves; /* room for the legal moves of any edition here */
    int moves_max;
};

void catalogue_init(struct catalogue *catalogue, struct hash_key hash_key);
void catalogue_release(struct catalogue *catalogue);

void catalogue_hash(const char *text, size_t length, char hash[DIGEST_HEX_DIGITS + 1]);

/* Each with a reference of the caller's. `find` gives NULL when the edition is not in memory; `add`
 * takes the game. */
struct edition *catalogue_find_edition(struct catalogue *catalogue, const char *hash);
struct edition *catalogue_add_edition(struct catalogue *catalogue, const char *hash,
                                      const char *text, size_t length, struct game *game);
struct edition *edition_retain(struct edition *edition);
void catalogue_release_edition(struct catalogue *catalogue, struct edition *edition);

/* False when the id is taken. Takes the game. */
bool catalogue_serve(struct catalogue *catalogue, const char *id, const char *text, size_t length,
                     struct game *game);
const struct served_game *catalogue_find_game(const struct catalogue *catalogue, const char *id,
                                              size_t length);

void catalogue_write_list(const struct catalogue *catalogue, struct writer *writer);
void catalogue_write_game(const struct served_game *game, struct writer *writer);

#endif
