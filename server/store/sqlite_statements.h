/* All SQL the running server speaks to SQLite, by name, prepared once, and how a statement is run: texts are put into it,
 * it is stepped, its columns are read. A failure is noted in the driver, with words; one that the statement itself is not
 * to blame for means that the transaction is lost. */
#ifndef SERVER_STORE_SQLITE_STATEMENTS_H
#define SERVER_STORE_SQLITE_STATEMENTS_H

#include <stdbool.h>

#include <sqlite3.h>

struct store_driver;

#define EVENT_COLUMNS "version, at, kind, client, command, body"
#define PUBLICATION_COLUMNS                                                                        \
    "g.name, p.version, g.versions, p.definition, p.title, p.players, p.ancestor,"                 \
    " p.ancestor_version, g.publisher, g.listed, g.hidden, p.at"
/* Of a row with these texts and its entries in indexes: some numbers are in each. */
#define BYTES(texts) "(length(CAST(" texts " AS BLOB)) + 24)"
#define ROOM_COLUMNS                                                                               \
    "id, game, title, definition, is_public, status, created_at, players, epoch, ladder"
#define STORED_ROOM ROOM_COLUMNS ", to_move, turn_version"
#define RATING_COLUMNS                                                                             \
    "ladder, player, name, bot, rating, deviation, volatility, games, won, drawn, rated_at, "      \
    "sure_until"
#define SIDE_COLUMNS                                                                               \
    "player, taken_from, score, games_before, rating_before, deviation_before, volatility_before," \
    " idle, rating, deviation, volatility"

/* clang-format off */
#define SQLITE_STATEMENTS(X)                                                                                                  \
    X(BEGIN_READ,       "BEGIN")                                                                                       \
    X(BEGIN_WRITE,      "BEGIN IMMEDIATE")                                                                             \
    X(COMMIT,           "COMMIT")                                                                                      \
    X(ROLLBACK,         "ROLLBACK")                                                                                    \
    X(SAVEPOINT,        "SAVEPOINT request")                                                                           \
    X(RELEASE,          "RELEASE request")                                                                             \
    X(ROLLBACK_TO,      "ROLLBACK TO request")                                                                         \
    X(DATA_VERSION,     "PRAGMA data_version")                                                                         \
    X(ADD_DEFINITION,   "INSERT INTO definition (hash, text) VALUES (?1, ?2) ON CONFLICT DO NOTHING")                  \
    X(ADD_ROOM,         "INSERT INTO room (" ROOM_COLUMNS ", owner) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?10, ?9)") \
    X(SET_STATUS,       "UPDATE room SET status = ?2 WHERE id = ?1")                                                   \
    X(SET_DUE,          "UPDATE room SET due_at = ?2 WHERE id = ?1")                                                   \
    X(DUE_ROOMS,        "SELECT id, due_at FROM room WHERE status = 1 AND due_at IS NOT NULL AND due_at <= ?1"        \
                        " ORDER BY due_at LIMIT ?2")                                                                   \
    X(CLEAR_SEATS,      "DELETE FROM seat WHERE room = ?1")                                                            \
    X(ADD_SEAT,         "INSERT INTO seat (room, number, seat, player, token_hash, name, bot, house, created_at)"      \
                        " SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, created_at FROM room WHERE id = ?1")                  \
    X(ADD_FIRST,        "INSERT INTO folded_event (room, " EVENT_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")      \
    X(ADD_RECENT,       "INSERT INTO recent_event (room, " EVENT_COLUMNS ", sequence, previous, epoch)"                \
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")                                           \
    X(FIND_FIRST,       "SELECT room, kind FROM folded_event"                                                          \
                        " WHERE version = 1 AND command <> '' AND client = ?1 AND command = ?2")                       \
    X(FIND_STATUS,      "SELECT status, epoch FROM room WHERE id = ?1")                                                \
    X(FOLDED_COMMANDS,  "SELECT version, client, command FROM folded_event WHERE room = ?1 ORDER BY version")          \
    X(FOLDED_LAST,      "SELECT version, at FROM folded_event WHERE room = ?1"                                         \
                        " AND EXISTS (SELECT 1 FROM room WHERE id = ?1) ORDER BY version DESC LIMIT 1")                \
    X(FOLDED_EVENTS,    "SELECT " EVENT_COLUMNS " FROM folded_event"                                                   \
                        " WHERE room = ?1 AND version BETWEEN ?2 AND ?3 ORDER BY version")                             \
    X(RECENT_ONE,       "SELECT " EVENT_COLUMNS ", previous FROM recent_event WHERE sequence = ?1")                    \
    X(FOLD_PLAN,        "SELECT sequence FROM recent_event ORDER BY room, sequence")                                   \
    X(RECENT_ALL,       "SELECT sequence, room, version, client, command FROM recent_event ORDER BY sequence")         \
    X(FOLD_ONE,         "INSERT INTO folded_event (room, epoch, " EVENT_COLUMNS ")"                                    \
                        " SELECT room, epoch, " EVENT_COLUMNS " FROM recent_event WHERE sequence = ?1")                \
    X(FOLDED_ALREADY,   "SELECT 1 FROM recent_event r JOIN folded_event f USING (room, version) WHERE r.sequence = ?1" \
                        " AND (r.at, r.kind, r.client, r.command, r.body) = (f.at, f.kind, f.client, f.command, f.body)") \
    X(CLEAR_RECENT,     "DELETE FROM recent_event WHERE sequence <= ?1")                                               \
    X(ROOM,             "SELECT " STORED_ROOM " FROM room WHERE id = ?1")                                              \
    X(OPEN_ROOMS,       "SELECT " STORED_ROOM " FROM room WHERE is_public = 1 AND status < 2"                          \
                        " AND (?2 = '' OR owner IN (SELECT id FROM node WHERE id <> ?2 AND lease_until >"              \
                        " CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)))"                                \
                        " ORDER BY status, created_at DESC, id LIMIT ?1")                                              \
    X(PLAYER_ROOMS,     "SELECT m.room FROM (SELECT room, created_at FROM seat WHERE player = ?1"                      \
                        " GROUP BY created_at, room ORDER BY created_at DESC, room LIMIT ?2) m"                        \
                        " CROSS JOIN room r ON r.id = m.room"                                                          \
                        " ORDER BY CASE WHEN r.status = 2 THEN 2 WHEN EXISTS (SELECT 1 FROM seat s WHERE s.room = r.id" \
                        " AND s.player = ?1 AND s.seat = r.to_move) AND r.turn_version = version_of(r.id) THEN 0 ELSE 1 END," \
                        " m.created_at DESC, m.room LIMIT ?3 OFFSET ?4")                                               \
    X(SEATS,            "SELECT seat, player, token_hash, name, bot, house FROM seat WHERE room = ?1 ORDER BY number") \
    X(DEFINITION,       "SELECT text FROM definition WHERE hash = ?1")                                                 \
    X(SECRET,           "SELECT value FROM secret WHERE name = 'server'")                                              \
    X(ADD_SECRET,       "INSERT INTO secret (name, value) VALUES ('server', ?1)")                                      \
    X(FIND_OWNER,       "SELECT 1 FROM node WHERE id = (SELECT owner FROM room WHERE id = ?1)"                         \
                        " AND id <> ?2 AND lease_until > ?3")                                                          \
    X(SET_OWNER,        "UPDATE room SET owner = ?2 WHERE id = ?1 AND (owner IS NULL OR owner NOT IN"                  \
                        " (SELECT id FROM node WHERE lease_until > ?3))")                                              \
    X(GIVE_BACK,        "UPDATE room SET owner = NULL WHERE id = ?1 AND owner = ?2")                                   \
    X(SET_TURN,         "UPDATE room SET to_move = ?2, turn_version = ?3 WHERE id = ?1")                               \
    X(CLEAR_PLACE,      "DELETE FROM node WHERE id <> ?1 AND place = ?2 AND place <> ''")                              \
    X(RENEW,            "INSERT INTO node (id, place, url, lease_until) VALUES (?1, ?2, ?3, ?4)"                       \
                        " ON CONFLICT DO UPDATE SET lease_until = excluded.lease_until")                               \
    X(COUNT_OTHERS,     "SELECT count(*), coalesce(min(id) > ?1, 1) FROM node WHERE id <> ?1 AND lease_until > ?2")    \
    X(LEAVE,            "DELETE FROM node WHERE id = ?1")                                                              \
    X(IS_TAKEN,         "SELECT 1 FROM room WHERE id = ?1 UNION ALL SELECT 1 FROM removed_room WHERE id = ?1")         \
    X(NEXT_ROOMS,       "SELECT id, status, is_public, due_at FROM room WHERE id > ?1 ORDER BY id")                    \
    X(FIRST_MOVE,       "SELECT 1 FROM folded_event WHERE room = ?1 AND version <= ?2 AND kind = 'moved' LIMIT 1")     \
    X(CLEAR_DEFINITION, "DELETE FROM definition WHERE hash = (SELECT definition FROM room WHERE id = ?1)"              \
                        " AND NOT EXISTS (SELECT 1 FROM room WHERE definition = hash AND id <> ?1)"                    \
                        " AND NOT EXISTS (SELECT 1 FROM published WHERE definition = hash)")                           \
    X(CLEAR_ROOM,       "DELETE FROM room WHERE id = ?1")                                                              \
    X(CLEAR_EVENTS,     "DELETE FROM folded_event WHERE room = ?1 AND version IN"                                      \
                        " (SELECT version FROM folded_event WHERE room = ?1 ORDER BY version LIMIT ?2)")               \
    X(NOTE_REMOVED,     "INSERT INTO removed_room (id) VALUES (?1)")                                                   \
    X(REMOVED_ROOM,     "SELECT id FROM removed_room LIMIT 1")                                                         \
    X(FORGET_REMOVED,   "DELETE FROM removed_room WHERE id = ?1")                                                      \
    X(PUBLISHED,        "SELECT " PUBLICATION_COLUMNS " FROM published_game g JOIN published p ON p.name = g.name"      \
                        " AND p.version = CASE ?2 WHEN 0 THEN g.versions ELSE ?2 END WHERE g.name = ?1")               \
    X(LISTED_GAMES,     "SELECT " PUBLICATION_COLUMNS " FROM published_game g JOIN published p ON p.name = g.name"      \
                        " AND p.version = g.versions WHERE g.listed = 1 AND g.hidden = 0"                              \
                        " AND (g.updated_at, g.name) < (?1, ?2) ORDER BY g.updated_at DESC, g.name DESC LIMIT ?3")     \
    X(ALL_GAMES,        "SELECT " PUBLICATION_COLUMNS " FROM published_game g JOIN published p ON p.name = g.name"      \
                        " AND p.version = g.versions WHERE g.name > ?1 ORDER BY g.name LIMIT ?2")                      \
    X(ADD_PUBLISHED,    "INSERT INTO published (name, version, definition, title, players, ancestor, ancestor_version, at)" \
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")                                                    \
    X(SET_PUBLISHED,    "INSERT INTO published_game (name, publisher, versions, listed, hidden, updated_at)"           \
                        " VALUES (?1, ?2, ?3, ?4 = 2, 0, ?5) ON CONFLICT (name) DO UPDATE SET versions = ?3,"          \
                        " updated_at = ?5, listed = CASE ?4 WHEN 0 THEN listed ELSE ?4 = 2 END")                       \
    X(LIST_GAME,        "UPDATE published_game SET listed = CASE ?2 WHEN 0 THEN listed ELSE ?2 = 2 END,"               \
                        " hidden = CASE ?3 WHEN 0 THEN hidden ELSE ?3 = 2 END WHERE name = ?1")                        \
    X(ADD_REPORT,       "INSERT INTO report (name, reporter, version, words, at) SELECT ?1, ?2, ?3, ?4, ?5"                \
                        " WHERE (SELECT count(*) FROM report WHERE name = ?1 AND reporter <> ?2) < ?6"                 \
                        " ON CONFLICT (name, reporter) DO UPDATE SET version = ?3, words = ?4, at = ?5")               \
    X(REPORTS,          "SELECT name, reporter, version, words, at FROM report WHERE (name, reporter) > (?1, ?2)"      \
                        " ORDER BY name, reporter LIMIT ?3")                                                           \
    X(CLEAR_REPORTS,    "DELETE FROM report WHERE name = ?1")                                                          \
    X(IS_GONE,          "SELECT 1 FROM published_game WHERE name = ?1 AND publisher = ''")                             \
    X(SET_GONE,         "UPDATE published_game SET publisher = '', listed = 0, hidden = 1 WHERE name = ?1")            \
    X(CLEAR_PUBLISHED_DEFINITIONS, "DELETE FROM definition WHERE hash IN (SELECT definition FROM published WHERE name = ?1)" \
                        " AND NOT EXISTS (SELECT 1 FROM room WHERE definition = hash)"                                 \
                        " AND NOT EXISTS (SELECT 1 FROM published WHERE definition = hash AND name <> ?1)")            \
    X(CLEAR_PUBLISHED,  "DELETE FROM published WHERE name = ?1")                                                       \
    X(NAME_PICTURE,     "INSERT INTO definition_picture (definition, picture) VALUES (?1, ?2) ON CONFLICT DO NOTHING")  \
    X(TOUCH_PICTURE,    "UPDATE picture SET at = ?2 WHERE hash = ?1 AND at < ?2")                                      \
    X(FIND_PICTURE,     "SELECT kind, bytes FROM picture WHERE hash = ?1")                                             \
    X(ADD_PICTURE,      "INSERT INTO picture (hash, kind, at, bytes) VALUES (?1, ?2, ?3, ?4)")                         \
    X(NEXT_PICTURES,    "SELECT hash, length(bytes), at, EXISTS (SELECT 1 FROM definition_picture WHERE picture = hash)" \
                        " FROM picture WHERE hash > ?1 ORDER BY hash LIMIT ?2")                                        \
    X(CLEAR_PICTURE,    "DELETE FROM picture WHERE hash = ?1")                                                         \
    X(ROOM_SIZES,       "SELECT id, " BYTES("id || game || title || definition || players || id || definition")        \
                        " + coalesce((SELECT sum(" BYTES("seat || player || token_hash || name || room || player || room") ")" \
                        " FROM seat WHERE room = id), 0) FROM room WHERE id > ?1 ORDER BY id LIMIT ?2")                \
    X(DEFINITION_SIZES, "SELECT hash, " BYTES("hash || text") " + (SELECT count(*) FROM definition_picture"            \
                        " WHERE definition = hash) * 256 FROM definition WHERE hash > ?1 ORDER BY hash LIMIT ?2")      \
    X(PICTURE_SIZES,    "SELECT hash, length(bytes) + " BYTES("hash || hash") " FROM picture"                          \
                        " WHERE hash > ?1 ORDER BY hash LIMIT ?2")                                                     \
    X(PUBLISHED_SIZES,  "SELECT name, " BYTES("name || publisher || name") " + coalesce((SELECT sum("                  \
                        BYTES("p.name || p.definition || p.title || p.players || p.ancestor || p.definition || p.name") \
                        ") FROM published p WHERE p.name = g.name), 0) + coalesce((SELECT sum("                        \
                        BYTES("r.name || r.reporter || r.words") ") FROM report r WHERE r.name = g.name), 0)"          \
                        " FROM published_game g WHERE name > ?1 ORDER BY name LIMIT ?2")                               \
    X(RATABLE,          "SELECT room, ladder, ended_at FROM rated_game WHERE number IS NULL AND (ended_at, room) > (?1, ?2)"\
                        " ORDER BY ended_at, room LIMIT ?3")                                                           \
    X(RATING_OF,        "SELECT " RATING_COLUMNS " FROM rating WHERE ladder = ?1 AND player = ?2")                                     \
    X(LEADERS,          "SELECT " RATING_COLUMNS " FROM rating WHERE ladder = ?1 AND sure_until > ?2"                                  \
                        " ORDER BY rating DESC, player LIMIT ?3")                                                      \
    X(STANDINGS,        "SELECT " RATING_COLUMNS " FROM rating WHERE (ladder, player) > (?1, ?2)"                                      \
                        " ORDER BY ladder, player LIMIT ?3")                                                           \
    X(IS_RATABLE,       "SELECT 1 FROM rated_game WHERE room = ?1 AND number IS NULL")                                 \
    X(LAST_NUMBER,      "SELECT coalesce(max(number), 0) FROM rated_game")                                             \
    X(COUNT_GAME,       "UPDATE rated_game SET number = ?2 WHERE room = ?1")                                           \
    X(FORGET_GAME,      "DELETE FROM rated_game WHERE room = ?1 AND number IS NULL")                                   \
    X(ADD_SIDE,         "INSERT INTO rated_side (number, side, " SIDE_COLUMNS ")"                                                     \
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")                            \
    X(CLEAR_RATING,     "DELETE FROM rating WHERE ladder = ?1 AND player = ?2")                                        \
    X(SET_RATING,       "INSERT OR REPLACE INTO rating (" RATING_COLUMNS ")"                                                           \
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")                                 \
    X(CLEAR_OLD_GAME,   "DELETE FROM rated_game WHERE number = ?1")                                                    \
    X(CLEAR_OLD_SIDES,  "DELETE FROM rated_side WHERE number = ?1")                                                    \
    X(CLEAR_OLD_RATINGS, "DELETE FROM rating WHERE (ladder, player) IN"                                                \
                        " (SELECT ladder, player FROM rating WHERE rated_at < ?1 ORDER BY rated_at LIMIT 2)")          \
    X(RATED,            "SELECT g.number, g.room, g.ladder, g.ended_at, " SIDE_COLUMNS " FROM rated_game g JOIN rated_side s"         \
                        " ON s.number = g.number WHERE g.number > ?1 ORDER BY g.number, s.side LIMIT ?2")              \
    X(SIZE_OF_PAGE,     "PRAGMA page_size")                                                                            \
    X(COUNT_PAGES,      "PRAGMA page_count")                                                                           \
    X(COUNT_UNUSED,     "PRAGMA freelist_count")
/* clang-format on */

enum sqlite_statement {
#define X(name, sql) name,
    SQLITE_STATEMENTS(X)
#undef X
        STATEMENT_COUNT
};

enum sqlite_row { ROW, NO_ROW, ROW_FAILED };

bool sqlite_prepare(struct store_driver *driver);
/* Borrowed until the next binding: nothing runs a statement without binding it anew. */
void sqlite_put_text(sqlite3_stmt *statement, int number, const char *text);
/* Runs a statement that gives no rows. */
bool sqlite_run(struct store_driver *driver, enum sqlite_statement name);
/* The next row; without one the statement is reset. A reader that stops early resets it itself. */
enum sqlite_row sqlite_next_row(struct store_driver *driver, sqlite3_stmt *statement);
const char *sqlite_text_at(sqlite3_stmt *statement, int column);
/* NULL, and noted: out of memory. */
const char *sqlite_copy_text_at(struct store_driver *driver, void **arena, sqlite3_stmt *statement,
                                int column);
void sqlite_note_memory(struct store_driver *driver);

#endif
