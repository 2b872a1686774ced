-- What the server remembers, in PostgreSQL. The same truth as in SQLite (migrations/sqlite), without
-- its two halves: here several servers write, so (room, version) and (room, client, command) are kept by indexes and a
-- room's row is the fence.

CREATE TABLE definition (
    hash text PRIMARY KEY, -- SHA-256 of the text, in hexadecimal
    text text NOT NULL
);

CREATE TABLE room (
    id text PRIMARY KEY,
    game text NOT NULL,
    title text NOT NULL,
    definition text NOT NULL REFERENCES definition (hash),
    is_public boolean NOT NULL,
    status smallint NOT NULL, -- 0 waiting, 1 playing, 2 finished
    created_at bigint NOT NULL, -- milliseconds since 1970
    players text NOT NULL, -- JSON array of all seats' names
    version bigint NOT NULL,
    epoch bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 50); -- every event updates its row: leave room for the new row beside the old one

CREATE INDEX room_open ON room (status, created_at DESC) WHERE is_public AND status < 2;

CREATE TABLE seat (
    room text NOT NULL REFERENCES room (id),
    number smallint NOT NULL,
    seat text NOT NULL,
    player text NOT NULL,
    token_hash text NOT NULL,
    name text NOT NULL,
    bot boolean NOT NULL,
    house boolean NOT NULL,
    created_at bigint NOT NULL, -- the room's: a player's newest rooms are found without sorting all of them
    PRIMARY KEY (room, number)
);

CREATE INDEX seat_of_player ON seat (player, created_at DESC, room);

CREATE TABLE event (
    room text NOT NULL,
    version bigint NOT NULL,
    epoch bigint NOT NULL,
    client text NOT NULL,
    command text NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (room, version)
);

CREATE UNIQUE INDEX event_of_command ON event (room, client, command) WHERE command <> '';
CREATE UNIQUE INDEX room_made_by ON event (client, command) WHERE version = 1 AND command <> '';

CREATE TABLE secret (
    name text PRIMARY KEY,
    value text NOT NULL
);

-- What became of a write: 0 done, 1 it was done before (then where, as what), 2 the room is not at the expected version.
CREATE TYPE appended AS (what integer, room text, version bigint, kind text);

-- The fenced append: one event, if the room is at `expected`; one statement, so a connection that dies leaves all of it or
-- nothing. Two that race for one room meet at its row, and the second sees the first's version.
CREATE FUNCTION append_event(id text, expected bigint, new_status smallint, made_at bigint, event_kind text,
                             sender text, sent_command text, event_body text) RETURNS appended
LANGUAGE plpgsql AS $$
DECLARE
    fence bigint;
    done appended;
BEGIN
    IF sent_command <> '' THEN
        SELECT 1, e.room, e.version, e.kind INTO done FROM event e
            WHERE e.room = id AND e.client = sender AND e.command = sent_command AND e.command <> '';
        IF FOUND THEN
            RETURN done;
        END IF;
    END IF;
    UPDATE room r SET version = expected + 1, status = new_status WHERE r.id = append_event.id AND r.version = expected
        RETURNING r.epoch INTO fence;
    IF NOT FOUND THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO event (room, version, epoch, client, command, kind, at, body)
        VALUES (id, expected + 1, fence, sender, sent_command, event_kind, made_at, event_body);
    RETURN (0, id, expected + 1, event_kind)::appended;
END
$$;

-- A new room with its first event.
CREATE FUNCTION create_room(id text, game text, title text, definition_hash text, definition_text text, is_public boolean,
                            new_status smallint, created_at bigint, players text, made_at bigint, event_kind text,
                            sender text, sent_command text, event_body text) RETURNS appended
LANGUAGE plpgsql AS $$
DECLARE
    done appended;
BEGIN
    SELECT 1, e.room, e.version, e.kind INTO done FROM event e
        WHERE e.version = 1 AND e.client = sender AND e.command = sent_command AND e.command <> '';
    IF FOUND THEN
        RETURN done;
    END IF;
    INSERT INTO definition VALUES (definition_hash, definition_text) ON CONFLICT DO NOTHING;
    INSERT INTO room VALUES (id, game, title, definition_hash, is_public, new_status, created_at, players, 1)
        ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO event VALUES (id, 1, 1, sender, sent_command, event_kind, made_at, event_body);
    RETURN (0, id, 1, event_kind)::appended;
END
$$;
