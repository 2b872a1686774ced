-- Games that players publish: server/store/README.md, "Published games".

-- A name is whose it was first, and counts its versions. Its row is the fence: whoever publishes under it waits for it.
CREATE TABLE published_game (
    name text COLLATE "C" PRIMARY KEY,
    publisher text NOT NULL, -- SHA-256 of the token, in hexadecimal
    versions bigint NOT NULL, -- gap-free from 1
    listed boolean NOT NULL, -- the publisher's wish
    hidden boolean NOT NULL, -- the operator's
    updated_at bigint NOT NULL -- of the newest version, milliseconds since 1970
);

CREATE INDEX published_game_listed ON published_game (updated_at DESC, name DESC) WHERE listed AND NOT hidden;

-- A version never changes, and stays.
CREATE TABLE published (
    name text COLLATE "C" NOT NULL REFERENCES published_game (name),
    version bigint NOT NULL,
    definition text NOT NULL REFERENCES definition (hash),
    title text NOT NULL,
    players text NOT NULL, -- JSON array of all seats' names
    ancestor text NOT NULL, -- what it was made from: a game of the server's, or a published one; '' when nothing is said
    ancestor_version bigint NOT NULL, -- of a published one; else 0
    at bigint NOT NULL,
    PRIMARY KEY (name, version)
);

-- A definition that is published stays when its last room goes.
CREATE INDEX published_of_definition ON published (definition);

-- The next version of a name. What became of it: 0 done, 1 the newest version is this text already, 2 the name is another's
-- or has had its versions, 3 there is no such ancestor. `listing`: 1 to be unlisted from now on, 2 listed, else as it was.
CREATE FUNCTION publish_game(wanted text, wanted_publisher text, listing smallint, definition_hash text, definition_text text,
                             game_title text, game_players text, made_from text, made_from_version bigint, made_at bigint,
                             versions_max bigint) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    found published_game;
BEGIN
    IF made_from_version > 0 AND NOT EXISTS
            (SELECT FROM published p WHERE p.name = made_from AND p.version = made_from_version) THEN
        RETURN 3;
    END IF;
    INSERT INTO published_game VALUES (wanted, wanted_publisher, 0, false, false, made_at) ON CONFLICT DO NOTHING;
    SELECT g.* INTO found FROM published_game g WHERE g.name = wanted FOR UPDATE;
    IF found.publisher <> wanted_publisher THEN
        RETURN 2;
    END IF;
    IF EXISTS (SELECT FROM published p WHERE p.name = wanted AND p.version = found.versions AND p.definition = definition_hash) THEN
        UPDATE published_game g SET listed = listing = 2 WHERE g.name = wanted AND listing > 0;
        RETURN 1;
    END IF;
    IF found.versions >= versions_max THEN
        RETURN 2;
    END IF;
    INSERT INTO definition VALUES (definition_hash, definition_text) ON CONFLICT DO NOTHING;
    INSERT INTO published VALUES (wanted, found.versions + 1, definition_hash, game_title, game_players, made_from,
                                  made_from_version, made_at);
    UPDATE published_game g SET versions = found.versions + 1, updated_at = made_at,
        listed = CASE WHEN listing > 0 THEN listing = 2 ELSE g.listed END WHERE g.name = wanted;
    RETURN 0;
END
$$;

-- As before, and a definition that is published stays.
CREATE OR REPLACE FUNCTION remove_room(wanted text, expected bigint, remover text, events_max bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    found room;
    gone bigint;
BEGIN
    SELECT r.* INTO found FROM room r WHERE r.id = wanted AND r.version = expected FOR UPDATE SKIP LOCKED;
    IF found.id IS NULL OR (found.owner <> coalesce(remover, '') AND EXISTS
            (SELECT FROM node n WHERE n.id = found.owner AND n.lease_until > clock_timestamp())) THEN
        RETURN -1;
    END IF;
    DELETE FROM seat s WHERE s.room = wanted;
    DELETE FROM room r WHERE r.id = wanted;
    DELETE FROM event e WHERE e.room = wanted AND e.version <= events_max;
    IF expected > events_max THEN
        INSERT INTO removed_room VALUES (wanted);
    END IF;
    DELETE FROM definition WHERE hash IN (SELECT d.hash FROM definition d WHERE d.hash = found.definition
        AND NOT EXISTS (SELECT FROM room r WHERE r.definition = d.hash)
        AND NOT EXISTS (SELECT FROM published p WHERE p.definition = d.hash) FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END
$$;
