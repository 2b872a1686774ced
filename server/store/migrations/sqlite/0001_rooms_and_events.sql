-- What the server remembers. The truth is the event log; everything else follows from it or names what it speaks of.
--
-- The log has two halves and one face. An append goes to the end of recent_event, so a commit of many rooms' events
-- writes a few neighbouring pages instead of one page a room. From time to time all of it is copied, sorted and a part
-- at a time, into folded_event, where a room's events lie side by side, and then deleted from recent_event; for that
-- while an event stands in both. Readers who look from outside use the view `event`.
-- (room, version) is the primary key of the folded half; the driver, the only writer, keeps the recent half to the
-- same rule, and keeps (room, client, command) unique: server/store/README.md says how and what an index would cost.

CREATE TABLE definition (
    hash TEXT PRIMARY KEY, -- SHA-256 of the text, in hexadecimal
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE room (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    definition TEXT NOT NULL REFERENCES definition (hash),
    is_public INTEGER NOT NULL,
    status INTEGER NOT NULL, -- 0 waiting, 1 playing, 2 finished
    created_at INTEGER NOT NULL, -- milliseconds since 1970
    players TEXT NOT NULL, -- JSON array of all seats' names
    epoch INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

CREATE INDEX room_open ON room (status, created_at DESC) WHERE is_public = 1 AND status < 2;

CREATE TABLE seat (
    room TEXT NOT NULL REFERENCES room (id),
    number INTEGER NOT NULL,
    seat TEXT NOT NULL,
    player TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    bot INTEGER NOT NULL,
    house INTEGER NOT NULL,
    created_at INTEGER NOT NULL, -- the room's: a player's newest rooms are found without sorting all of them
    PRIMARY KEY (room, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX seat_of_player ON seat (player, created_at DESC, room);

CREATE TABLE folded_event (
    room TEXT NOT NULL,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 1,
    client TEXT NOT NULL,
    command TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (room, version)
) STRICT, WITHOUT ROWID;

-- A room's first event is folded at once, so this alone makes the creation of rooms repeatable.
CREATE UNIQUE INDEX room_made_by ON folded_event (client, command) WHERE version = 1 AND command <> '';

CREATE TABLE recent_event (
    sequence INTEGER PRIMARY KEY,
    previous INTEGER NOT NULL, -- the sequence of the room's recent event before this one; 0: none
    room TEXT NOT NULL,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 1,
    client TEXT NOT NULL,
    command TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE VIEW event AS
    SELECT room, version, epoch, client, command, kind, at, body FROM folded_event
    UNION ALL
    SELECT room, version, epoch, client, command, kind, at, body FROM recent_event r
    WHERE NOT EXISTS (SELECT 1 FROM folded_event f WHERE f.room = r.room AND f.version = r.version);

CREATE TABLE secret (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
