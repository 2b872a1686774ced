-- Rooms come to an end: server/store/README.md, "An end to everything".

-- Rooms that were removed and had more events than one transaction may delete: what is left of them in event is
-- nobody's any more, and goes a part at a time.
CREATE TABLE removed_room (
    id text PRIMARY KEY
);

-- Whether anybody plays a definition.
CREATE INDEX room_of_definition ON room (definition);

-- Removes a room that is at `expected` and in nobody else's hands, with its first events and, if nobody else plays it, its
-- definition. How many definitions went with it; -1: the room is not as expected, or somebody has it.
-- Nothing here waits for another server: what is locked stays.
CREATE FUNCTION remove_room(wanted text, expected bigint, remover text, events_max bigint) RETURNS bigint
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
        AND NOT EXISTS (SELECT FROM room r WHERE r.definition = d.hash) FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END
$$;

-- Deletes up to so many events of removed rooms; whether there may be more.
CREATE FUNCTION clear_removed(events_max bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    cleared text;
    gone bigint;
BEGIN
    SELECT r.id INTO cleared FROM removed_room r ORDER BY r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF cleared IS NULL THEN
        RETURN false;
    END IF;
    DELETE FROM event e WHERE e.room = cleared AND e.version IN
        (SELECT f.version FROM event f WHERE f.room = cleared ORDER BY f.version LIMIT events_max);
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone < events_max THEN
        DELETE FROM removed_room r WHERE r.id = cleared;
    END IF;
    RETURN EXISTS (SELECT FROM removed_room);
END
$$;

-- As before, and no room gets the id of one of which something is left.
CREATE OR REPLACE FUNCTION create_room(id text, game text, title text, definition_hash text, definition_text text, is_public boolean,
                            new_status smallint, created_at bigint, players text, maker text, made_at bigint,
                            event_kind text, sender text, sent_command text, event_body text) RETURNS appended
LANGUAGE plpgsql AS $$
DECLARE
    done appended;
BEGIN
    SELECT 1, e.room, e.version, e.kind INTO done FROM event e
        WHERE e.version = 1 AND e.client = sender AND e.command = sent_command AND e.command <> '';
    IF FOUND THEN
        RETURN done;
    END IF;
    IF EXISTS (SELECT FROM removed_room r WHERE r.id = create_room.id) THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO definition VALUES (definition_hash, definition_text) ON CONFLICT DO NOTHING;
    INSERT INTO room VALUES (id, game, title, definition_hash, is_public, new_status, created_at, players, 1, 1, maker)
        ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO event VALUES (id, 1, 1, sender, sent_command, event_kind, made_at, event_body);
    RETURN (0, id, 1, event_kind)::appended;
END
$$;
