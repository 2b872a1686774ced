/* All SQL the running server speaks to PostgreSQL, by name, prepared once a connection, and how a statement is run: its
 * parameters are put together, it is asked, its result is read. */
#ifndef SERVER_STORE_POSTGRES_STATEMENTS_H
#define SERVER_STORE_POSTGRES_STATEMENTS_H

#include "server/store/postgres_arrays.h"
#include "server/store/postgres_driver.h"

#define EVENT_COLUMNS "version, at, kind, client, command, body"
#define PUBLICATION_COLUMNS                                                                        \
    "g.name, p.version, g.versions, p.definition, p.title, p.players, p.ancestor,"                 \
    " p.ancestor_version, g.publisher, g.listed, g.hidden, p.at"
#define ROOM_COLUMNS                                                                               \
    "id, game, title, definition, is_public, status, created_at, players, version, epoch, ladder," \
    " CASE WHEN turn_version = version THEN to_move END"
#define RATING_COLUMNS                                                                             \
    "ladder, player, name, bot, rating, deviation, volatility, games, won, drawn, rated_at, "      \
    "sure_until"
#define SIDE_COLUMNS                                                                               \
    "player, taken_from, score, games_before, rating_before, deviation_before, volatility_before," \
    " idle, rating, deviation, volatility"

/* Many appends, each as append_event would make it, none in the same room as another: those whose room is where it is
 * expected take it a version further and are written. The rest is what comes back, as append_event says it and with its
 * number and, of a lost race, where the room is: only of these it is looked up whether they were seen before. Where other
 * servers write to the same rooms, APPEND_ALL_IF_FREE takes the rows first, in one order, and one that is taken is a lost race:
 * nobody waits here, so nobody waits for each other. That is a fourth of the work, which a server without others saves.
 * A command seen before whose room is where it is expected is something no server asks, because it knows the commands of its
 * rooms; the index that keeps them unique refuses the batch then, and one by one they are told apart. */
#define POSTGRES_APPEND_ALL(free, its_rows)                                                        \
    "WITH wanted AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[],"    \
    " $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY"               \
    " AS w (id, expected, fence, at, kind, client, command, body, number))," its_rows              \
    " moved AS (UPDATE room r SET version = w.expected + 1 FROM " free " w"                        \
    " WHERE r.id = w.id AND r.version = w.expected AND r.epoch = w.fence RETURNING w.*),"          \
    " written AS (INSERT INTO event (room, version, epoch, client, command, kind, at, body)"       \
    " SELECT id, expected + 1, fence, client, command, kind, at, body FROM moved)"                 \
    " SELECT CASE WHEN d.version IS NULL THEN 2 ELSE 1 END, w.id, coalesce(d.version, (SELECT"     \
    " r.version FROM room r WHERE r.id = w.id), 0), coalesce(d.kind, ''), w.number"                \
    " FROM wanted w LEFT JOIN LATERAL (SELECT e.version, e.kind"                                   \
    " FROM event e WHERE e.room = w.id AND e.client = w.client AND e.command = w.command"          \
    " AND e.command <> '' LIMIT 1) d ON true"                                                      \
    " WHERE w.number NOT IN (SELECT m.number FROM moved m)"

#define POSTGRES_FREE_ROWS                                                                         \
    " free AS MATERIALIZED (SELECT w.* FROM wanted w JOIN room r ON r.id = w.id ORDER BY r.id"     \
    " FOR NO KEY UPDATE OF r SKIP LOCKED),"

enum { POSTGRES_APPENDED_NUMBER = 4 }; /* its column with the number */

/* clang-format off */
#define POSTGRES_STATEMENTS(X)                                                                                                  \
    X(APPEND,        9, "SELECT a.what, a.room, CASE a.what WHEN 2 THEN coalesce((SELECT r.version FROM room r WHERE r.id = $1), 0)" \
                        " ELSE a.version END, a.kind FROM append_event($1, $2, $3, $4, $5, $6, $7, $8, $9) a")         \
    X(APPEND_IF_FREE, 9, "WITH free AS MATERIALIZED (SELECT r.id, r.version FROM room r WHERE r.id = $1 FOR UPDATE SKIP LOCKED)" \
                        " SELECT a.what, a.room, CASE a.what WHEN 2 THEN f.version ELSE a.version END, a.kind FROM free f," \
                        " LATERAL append_event(f.id, $2, $3, $4, $5, $6, $7, $8, $9) a"                                \
                        " UNION ALL SELECT 2, $1, 0, '' WHERE NOT EXISTS (SELECT FROM free)")                          \
    X(APPEND_ALL,    8, POSTGRES_APPEND_ALL("wanted", ""))                                                             \
    X(APPEND_ALL_IF_FREE, 8, POSTGRES_APPEND_ALL("free", POSTGRES_FREE_ROWS))                                             \
    X(CREATE,       15, "SELECT * FROM create_room($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)") \
    X(SET_OWNER,     2, "UPDATE room SET owner = $2 WHERE id = (SELECT r.id FROM room r WHERE r.id = $1 AND (r.owner IS NULL" \
                        " OR r.owner NOT IN (SELECT n.id FROM node n WHERE n.lease_until > clock_timestamp()))"        \
                        " FOR UPDATE SKIP LOCKED)")                                                                    \
    X(RENEW,         4, "SELECT renew_lease($1, $2, $3, $4), NOT EXISTS (SELECT FROM node n WHERE n.id < $1"           \
                        " AND n.lease_until > clock_timestamp()),"                                                     \
                        " (extract(epoch FROM clock_timestamp()) * 1000)::bigint,"                                     \
                        " EXISTS (SELECT FROM node n WHERE n.id <> $1)")                                               \
    X(RELEASE,       4, "WITH free AS MATERIALIZED (SELECT w.*"                                                        \
                        " FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS w (id, node, to_move, version)" \
                        " JOIN room r ON r.id = w.id AND (r.owner = w.node OR r.version = w.version)"                  \
                        " FOR NO KEY UPDATE OF r SKIP LOCKED) UPDATE room r SET owner = nullif(r.owner, w.node),"      \
                        " to_move = CASE WHEN r.version = w.version THEN w.to_move ELSE r.to_move END,"                \
                        " turn_version = CASE WHEN r.version = w.version THEN w.version ELSE r.turn_version END"       \
                        " FROM free w WHERE r.id = w.id RETURNING r.id")                                               \
    X(LEAVE,         1, "DELETE FROM node WHERE id = $1")                                                              \
    X(SET_NEW_DUE,   3, "UPDATE room SET due_at = $2, ladder = nullif($3, '') WHERE id = $1")                          \
    X(SET_DUE,       2, "WITH free AS MATERIALIZED (SELECT w.* FROM unnest($1::text[], $2::bigint[]) AS w (id, at)" \
                        " JOIN room r ON r.id = w.id FOR NO KEY UPDATE OF r SKIP LOCKED)"                             \
                        " UPDATE room r SET due_at = w.at FROM free w WHERE r.id = w.id RETURNING r.id")                \
    X(DUE_ROOMS,     2, "SELECT id, due_at FROM room WHERE status = 1 AND due_at IS NOT NULL AND due_at <= $1"         \
                        " ORDER BY due_at LIMIT $2")                                                                   \
    X(CLEAR_SEATS,   1, "DELETE FROM seat WHERE room = $1")                                                            \
    X(ADD_SEAT,      8, "INSERT INTO seat (room, number, seat, player, token_hash, name, bot, house, created_at)"      \
                        " SELECT id, $2, $3, $4, $5, $6, $7, $8, created_at FROM room WHERE id = $1")                  \
    X(SAME_EVENT,    7, "SELECT 1 FROM event WHERE (room, version) = ($1, $2)"                                         \
                        " AND (at, kind, client, command, body) = ($3, $4, $5, $6, $7)")                               \
    X(ROOM,          1, "SELECT " ROOM_COLUMNS " FROM room WHERE id = $1")                                             \
    X(BEHIND,        2, "SELECT w.id, coalesce(r.version, 0) FROM unnest($1::text[], $2::bigint[]) AS w (id, version)" \
                        " LEFT JOIN room r ON r.id = w.id WHERE r.version IS DISTINCT FROM w.version")                 \
    X(VERSION,       1, "SELECT version FROM room WHERE id = $1")                                                      \
    X(EVENTS,        3, "SELECT " EVENT_COLUMNS " FROM event WHERE room = $1 AND version BETWEEN $2 AND $3"            \
                        " ORDER BY version")                                                                           \
    X(OPEN_ROOMS,    2, "SELECT " ROOM_COLUMNS " FROM room WHERE is_public AND status < 2"                             \
                        " AND ($2 = '' OR owner IN (SELECT n.id FROM node n WHERE n.id <> $2"                          \
                        " AND n.lease_until > clock_timestamp()))"                                                     \
                        " ORDER BY status, created_at DESC, id LIMIT $1")                                              \
    X(PLAYER_ROOMS,  4, "SELECT " ROOM_COLUMNS " FROM room JOIN (SELECT room, array_agg(seat) AS seats FROM seat"      \
                        " WHERE player = $1 GROUP BY created_at, room ORDER BY created_at DESC, room LIMIT $2) mine"   \
                        " ON mine.room = id ORDER BY CASE WHEN status = 2 THEN 2 WHEN turn_version = version"          \
                        " AND to_move = ANY (mine.seats) THEN 0 ELSE 1 END, created_at DESC, id LIMIT $3 OFFSET $4")   \
    X(SEATS,         1, "SELECT seat, player, token_hash, name, bot, house FROM seat WHERE room = $1 ORDER BY number") \
    X(DEFINITION,    1, "SELECT text FROM definition WHERE hash = $1")                                                 \
    X(SECRET,        0, "SELECT value FROM secret WHERE name = 'server'")                                              \
    X(ADD_SECRET,    1, "INSERT INTO secret (name, value) VALUES ('server', $1) ON CONFLICT DO NOTHING")               \
    X(NEXT_ROOMS,    4, "SELECT r.id, r.status, r.is_public, r.version, coalesce(e.at, 9007199254740991),"            \
                        " CASE WHEN r.status < 2 AND e.at <= $3 AND r.version <= $4 THEN EXISTS (SELECT FROM event m WHERE m.room = r.id" \
                        " AND m.version <= $4 AND m.kind = 'moved') ELSE true END, coalesce(r.due_at, 0)"              \
                        " FROM (SELECT * FROM room WHERE id > $1 ORDER BY id LIMIT $2) r"                              \
                        " LEFT JOIN event e ON (e.room, e.version) = (r.id, r.version) ORDER BY r.id")                 \
    X(CLEAR_REMOVED, 1, "SELECT clear_removed($1)")                                                                    \
    X(REMOVE,        4, "SELECT remove_room($1, $2, $3, $4)")                                                          \
    X(PUBLISH,      11, "SELECT publish_game($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")                           \
    X(PUBLISHED,     2, "SELECT " PUBLICATION_COLUMNS " FROM published_game g JOIN published p ON p.name = g.name"      \
                        " AND p.version = CASE $2::bigint WHEN 0 THEN g.versions ELSE $2 END WHERE g.name = $1")       \
    X(LISTED_GAMES,  3, "SELECT " PUBLICATION_COLUMNS " FROM published_game g JOIN published p ON p.name = g.name"      \
                        " AND p.version = g.versions WHERE g.listed AND NOT g.hidden"                                  \
                        " AND (g.updated_at, g.name) < ($1, $2) ORDER BY g.updated_at DESC, g.name DESC LIMIT $3")     \
    X(ALL_GAMES,     2, "SELECT " PUBLICATION_COLUMNS " FROM published_game g JOIN published p ON p.name = g.name"      \
                        " AND p.version = g.versions WHERE g.name > $1 ORDER BY g.name LIMIT $2")                      \
    X(LIST_GAME,     3, "UPDATE published_game SET listed = CASE $2::integer WHEN 0 THEN listed ELSE $2 = 2 END,"      \
                        " hidden = CASE $3::integer WHEN 0 THEN hidden ELSE $3 = 2 END WHERE name = $1")               \
    X(ADD_REPORT,    6, "INSERT INTO report (name, reporter, version, words, at) SELECT $1, $2, $3::bigint, $4, $5::bigint" \
                        " WHERE (SELECT count(*) FROM report WHERE name = $1 AND reporter <> $2) < $6"                 \
                        " ON CONFLICT (name, reporter) DO UPDATE SET version = excluded.version,"                      \
                        " words = excluded.words, at = excluded.at")                                                   \
    X(REPORTS,       3, "SELECT name, reporter, version, words, at FROM report WHERE (name, reporter) > ($1, $2)"      \
                        " ORDER BY name, reporter LIMIT $3")                                                           \
    X(CLEAR_REPORTS, 1, "DELETE FROM report WHERE name = $1")                                                          \
    X(SET_GONE,      1, "UPDATE published_game SET publisher = '', listed = false, hidden = true WHERE name = $1")     \
    X(CLEAR_PUBLISHED, 1, "WITH gone AS (DELETE FROM published WHERE name = $1 RETURNING definition)"                  \
                        " DELETE FROM definition WHERE hash IN (SELECT d.hash FROM definition d JOIN gone g ON g.definition = d.hash" \
                        " WHERE NOT EXISTS (SELECT FROM room r WHERE r.definition = d.hash)"                           \
                        " AND NOT EXISTS (SELECT FROM published p WHERE p.definition = d.hash AND p.name <> $1) FOR UPDATE OF d SKIP LOCKED)") \
    X(KEEP_PICTURE,  4, "INSERT INTO picture (hash, kind, at, bytes) VALUES ($1, $2, $3, decode($4, 'hex'))"           \
                        " ON CONFLICT (hash) DO UPDATE SET at = greatest(picture.at, excluded.at) RETURNING xmax = 0") \
    X(PICTURE,       1, "SELECT kind, encode(bytes, 'hex') FROM picture WHERE hash = $1")                              \
    X(SWEEP_PICTURES, 4, "WITH looked AS MATERIALIZED (SELECT p.hash, octet_length(p.bytes) AS bytes, p.at < $3"       \
                        " AND NOT EXISTS (SELECT FROM definition_picture d WHERE d.picture = p.hash) AS over"          \
                        " FROM picture p WHERE p.hash > $1 ORDER BY p.hash LIMIT $2),"                                 \
                        " gone AS (DELETE FROM picture p USING looked l"                                               \
                        " WHERE $4::boolean AND l.over AND p.hash = l.hash AND p.at < $3)"                             \
                        " SELECT hash, bytes, over FROM looked ORDER BY hash")                                         \
    X(RATABLE,        3, "SELECT room, ladder, ended_at FROM rated_game WHERE number IS NULL AND (ended_at, room) > ($1, $2)"\
                        " ORDER BY ended_at, room LIMIT $3")                                                           \
    X(RATING_OF,      2, "SELECT " RATING_COLUMNS " FROM rating WHERE ladder = $1 AND player = $2")                                    \
    X(LEADERS,        3, "SELECT " RATING_COLUMNS " FROM rating WHERE ladder = $1 AND sure_until > $2"                                 \
                        " ORDER BY rating DESC, player LIMIT $3")                                                      \
    X(STANDINGS,      3, "SELECT " RATING_COLUMNS " FROM rating WHERE (ladder, player) > ($1, $2)"                                     \
                        " ORDER BY ladder, player LIMIT $3")                                                           \
    X(LOCK_NUMBER,    0, "SELECT number FROM rated_count FOR UPDATE")                                                   \
    X(NEXT_NUMBER,    1, "SELECT number + 1, EXISTS (SELECT FROM rated_game WHERE room = $1 AND number IS NULL) FROM rated_count") \
    X(SET_NUMBER,     1, "UPDATE rated_count SET number = $1")                                                         \
    X(COUNT_GAME,     2, "UPDATE rated_game SET number = $2 WHERE room = $1")                                          \
    X(FORGET_GAME,    1, "DELETE FROM rated_game WHERE room = $1 AND number IS NULL")                                  \
    X(ADD_SIDE,      13, "INSERT INTO rated_side (number, side, " SIDE_COLUMNS ")"                                                    \
                        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)")                            \
    X(CLEAR_RATING,   2, "DELETE FROM rating WHERE ladder = $1 AND player = $2")                                       \
    X(ADD_RATING,    12, "INSERT INTO rating (" RATING_COLUMNS ")"                                                                     \
                        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)")                                 \
    X(CLEAR_OLD_GAME,  1, "WITH gone AS (DELETE FROM rated_game WHERE number = $1) DELETE FROM rated_side WHERE number = $1")\
    X(CLEAR_OLD_RATINGS,  1, "DELETE FROM rating WHERE (ladder, player) IN"                                            \
                        " (SELECT r.ladder, r.player FROM rating r WHERE r.rated_at < $1 ORDER BY r.rated_at LIMIT 2)")\
    X(RATED,          2, "SELECT g.number, g.room, g.ladder, g.ended_at, " SIDE_COLUMNS " FROM rated_game g JOIN rated_side s"        \
                        " ON s.number = g.number WHERE g.number > $1 ORDER BY g.number, s.side LIMIT $2")              \
    X(SIZES,         0, "SELECT pg_total_relation_size('room') + pg_total_relation_size('seat')"                       \
                        " + pg_total_relation_size('rated_game') + pg_total_relation_size('rated_side') + pg_total_relation_size('rating')," \
                        " pg_total_relation_size('event') + pg_total_relation_size('removed_room'),"                   \
                        " pg_total_relation_size('definition') + pg_total_relation_size('definition_picture'),"        \
                        " pg_total_relation_size('published_game') + pg_total_relation_size('published')"              \
                        " + pg_total_relation_size('report'), pg_total_relation_size('picture')")                      \
    X(SIZE,          0, "SELECT pg_database_size(current_database())")
/* clang-format on */

enum postgres_statement {
#define X(name, parameters, sql) name,
    POSTGRES_STATEMENTS(X)
#undef X
        STATEMENT_COUNT
};

enum { POSTGRES_PARAMETERS_MAX = 15, POSTGRES_NUMBER_BYTES = 24 };

/* Parameters on their way: texts are borrowed, numbers are kept here. */
struct postgres_parameters {
    int count, numbers;
    const char *values[POSTGRES_PARAMETERS_MAX];
    char texts[POSTGRES_PARAMETERS_MAX][POSTGRES_NUMBER_BYTES];
};

void postgres_add_text(struct postgres_parameters *parameters, const char *text);
void postgres_add_number(struct postgres_parameters *parameters, int64_t number);
void postgres_add_boolean(struct postgres_parameters *parameters, bool value);

bool postgres_prepare(struct store_driver *driver);
/* NULL after a failure, with words. */
PGresult *postgres_ask(struct store_driver *driver, enum postgres_statement statement,
                       const struct postgres_parameters *parameters);
bool postgres_run(struct store_driver *driver, enum postgres_statement statement,
                  const struct postgres_parameters *parameters);
/* As postgres_ask, but on its way only: for a pipeline. */
bool postgres_send(struct store_driver *driver, enum postgres_statement statement,
                   const struct postgres_parameters *parameters);
/* As postgres_ask. */
PGresult *postgres_ask_arrays(struct store_driver *driver, enum postgres_statement statement,
                              const struct postgres_array *arrays, int count);
bool postgres_send_arrays(struct store_driver *driver, enum postgres_statement statement,
                          const struct postgres_array *arrays, int count);

int64_t postgres_number_at(const PGresult *result, int row, int column);
bool postgres_truth_at(const PGresult *result, int row, int column);
const char *postgres_text_at(const PGresult *result, int row, int column,
                             void **arena); /* NULL: out of memory */

#endif
