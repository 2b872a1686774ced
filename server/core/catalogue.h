/* Games in memory. An *edition* is one definition, pinned by the SHA-256 of its text, for one number
 * of players: compiled once, shared by all live rooms that play it. One that nobody plays any more stays
 * until its memory is wanted, the one unplayed for longest goes first. Served games are editions with a
 * name that stay, one for each number of players offered; the others, strangers', are counted in bytes with
 * the positions of their rooms. */
#ifndef SERVER_CORE_CATALOGUE_H
#define SERVER_CORE_CATALOGUE_H

#include "engine/notation.h"
#include "engine/position.h"
#include "protocol/event.h"
#include "protocol/writer.h"
#include "server/core/account.h"
#include "server/core/digest.h"
#include "server/core/list.h"
#include "server/core/map.h"

enum { EDITION_KEY_BYTES = DIGEST_HEX_DIGITS + 1 };

struct edition {
    struct catalogue *catalogue;
    int references;
    struct link unplayed_link; /* while there are none */
    bool served;
    size_t bytes;           /* of the edition and of what is kept for its rooms */
    struct account *author; /* held: who pays for them; NULL: nobody */
    char hash[DIGEST_HEX_DIGITS + 1];
    int players; /* as asked for: 0: as many as the game has */
    char key[EDITION_KEY_BYTES + 1];
    char *text; /* owned, ends in zero */
    size_t length;
    struct game *game;
    const char **cell_names, **seat_names, **figure_names; /* arrays owned, names the game's */
    char **cell_texts, **figure_texts; /* owned: names as JSON strings, for lists of moves */
    char *players_text;                /* owned: all seats as a JSON array */
    char *layout;                      /* owned: JSON, see layout_write */
    size_t layout_length;
    struct notation *notation; /* see edition_notation */
    struct position *scratch;  /* to try a move on before it is durable */
};

struct served_game {
    char *id; /* owned */
    struct edition *edition;
    struct edition *for_players[PLAYER_COUNT_MAX + 1]; /* NULL: not offered for so many */
};

struct catalogue {
    struct accounts *accounts; /* of the authors; NULL: nobody pays */
    struct map editions;       /* by key */
    struct map pictures;       /* of the served games, by path: the edition that names it */
    struct list unplayed;      /* those nobody plays, longest first */
    size_t bytes;              /* of all editions that are not served */
    struct served_game *games; /* owned, in the order they were added */
    int game_count;
    struct move *moves; /* room for the legal moves of any edition here */
    int moves_max;
};

void catalogue_init(struct catalogue *catalogue, struct hash_key hash_key);
void catalogue_release(struct catalogue *catalogue);

void catalogue_hash(const char *text, size_t length, char hash[DIGEST_HEX_DIGITS + 1]);

/* `players`: for how many, 0: all; and EDITION_UNREVISED if it is read as before LANGUAGE_REVISION, which is of those games
 * only where it makes a difference.
 *
 * Each with a reference of the caller's. `find` gives NULL when the edition is not in memory; `add`
 * takes the game. */
struct edition *catalogue_find_edition(struct catalogue *catalogue, const char *hash, int players);
struct edition *catalogue_add_edition(struct catalogue *catalogue, const char *hash, int players,
                                      const char *text, size_t length, struct game *game);
/* Why no new room is made of it, though it compiles: whoever comes there could not be told of its board. NULL: there is no
 * reason. */
const char *catalogue_game_fault(const struct game *game);
enum { EDITION_UNREVISED = 32 };
/* What the first event of a room says of its edition. */
void edition_tell(const struct edition *edition, struct event *created);
/* The text's hash and the number of players: what an edition is known by. */
void catalogue_key(const char *hash, int players, char key[EDITION_KEY_BYTES + 1]);
/* Room to write its moves as texts with, made when it is first asked for. */
struct notation *edition_notation(struct edition *edition);
/* A move as events name it; the names are the game's. */
struct event_move edition_name_move(const struct edition *edition, struct move move);
/* What an edition of this game would be counted as. */
size_t catalogue_edition_bytes(const struct game *game, size_t length);
/* From now on the account pays for it; NULL: nobody does. */
void edition_set_author(struct edition *edition, struct account *author);
bool edition_is_paid_by(const struct edition *edition, const struct account *account);
/* So many bytes more (or fewer) are kept for its rooms. */
void edition_grow(struct edition *edition, size_t bytes);
void edition_shrink(struct edition *edition, size_t bytes);
/* Forgets the edition nobody has played for longest; false: all are played. */
bool catalogue_forget_unplayed(struct catalogue *catalogue);
/* Of those this account pays for. */
bool catalogue_forget_unplayed_of(struct catalogue *catalogue, const struct account *account);
struct edition *edition_retain(struct edition *edition);
void catalogue_release_edition(struct catalogue *catalogue, struct edition *edition);

/* False when the id is taken. Takes the game. */
bool catalogue_serve(struct catalogue *catalogue, const char *id, const char *text, size_t length,
                     struct game *game);
/* The same text for another number of players; false when there is no such game. Takes the game. */
bool catalogue_serve_for(struct catalogue *catalogue, const char *id, int players,
                         struct game *game);
/* Borrowed; NULL when the game is not for so many. 0: as many as it has. */
struct edition *catalogue_edition_for(const struct served_game *game, int players);
const struct served_game *catalogue_find_game(const struct catalogue *catalogue, const char *id,
                                              size_t length);

/* For `bases` of engine/load/extends.h: the text of a served game, which is whole. Served games stay as they are once there is
 * a task, so threads may ask, too. */
char *catalogue_find_text(const void *catalogue, const char *id, size_t *length);

/* The id of the served game whose text has that hash; "" when none has. */
const char *catalogue_served_id(const struct catalogue *catalogue, const char *hash);

/* All seats' names as a JSON array. */
void catalogue_write_players(struct writer *writer, const struct game *game);
/* In that language, a tag, as far as the games are; "": as their files are. */
void catalogue_write_list(const struct catalogue *catalogue, const char *language,
                          struct writer *writer);
void catalogue_write_game(const struct served_game *game, struct writer *writer);

#endif
