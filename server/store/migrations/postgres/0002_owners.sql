-- Several servers on one database: who they are, and which of them plays which room.
--
-- A server is a node while its lease runs, by this database's clock. A room's owner is the node that has it in memory;
-- every change of hands begins a new epoch, and an append names the epoch it belongs to, so that nothing a former owner
-- still wants to say gets into the log.

CREATE TABLE node (
    id text PRIMARY KEY, -- of one life of a process
    place text NOT NULL, -- what only one process at a time can have, its listening socket; '' when it is not known
    url text NOT NULL, -- where clients reach it; '' when it does not say
    lease_until timestamptz NOT NULL,
    backend integer NOT NULL, -- its connection, to be ended when its rooms are taken
    backend_since timestamptz
);

ALTER TABLE room ADD COLUMN owner text; -- a node; NULL, or one that is no more: nobody

-- Begins a lease or makes it longer; how many other nodes there are. Whoever was at this place before has ended.
CREATE FUNCTION renew_lease(node_id text, node_place text, node_url text, lease_ms bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    until timestamptz := clock_timestamp() + lease_ms * interval '1 millisecond';
    since timestamptz := (SELECT a.backend_start FROM pg_stat_activity a WHERE a.pid = pg_backend_pid());
BEGIN
    DELETE FROM node n WHERE n.id <> node_id
        AND ((n.place = node_place AND node_place <> '') OR n.lease_until < clock_timestamp() - interval '1 day');
    INSERT INTO node VALUES (node_id, node_place, node_url, until, pg_backend_pid(), since)
        ON CONFLICT (id) DO UPDATE SET lease_until = until, backend = pg_backend_pid(), backend_since = since;
    RETURN (SELECT count(*) FROM node n WHERE n.id <> node_id AND n.lease_until > clock_timestamp());
END
$$;

-- What became of a claim: 0 it is the claimer's now; 1 another's, whose lease has so much left; 2 there is no such room.
CREATE TYPE claimed AS (what integer, url text, left_ms bigint);

-- A room changes hands if nobody has it, or its owner's lease has run out. Looked at twice: first without a lock, so that
-- asking for a room in good hands waits for nobody; then under the room's lock, for it may just have been taken.
-- A server that was stopped in the middle of a transaction may hold that lock: its connection is ended.
CREATE FUNCTION claim_room(wanted text, claimer text) RETURNS claimed
LANGUAGE plpgsql AS $$
DECLARE
    holder node;
BEGIN
    FOR locked IN 0..1 LOOP
        SELECT n.* INTO holder FROM room r JOIN node n ON n.id = r.owner WHERE r.id = wanted AND r.owner <> claimer;
        IF holder.lease_until > clock_timestamp() THEN
            RETURN (1, holder.url, ceil(extract(epoch FROM holder.lease_until - clock_timestamp()) * 1000))::claimed;
        END IF;
        EXIT WHEN locked = 1;
        IF holder.id IS NOT NULL THEN
            PERFORM pg_terminate_backend(a.pid) FROM pg_stat_activity a
                WHERE a.pid = holder.backend AND a.backend_start = holder.backend_since;
        END IF;
        PERFORM FROM room r WHERE r.id = wanted FOR UPDATE;
        IF NOT FOUND THEN
            RETURN (2, '', 0)::claimed;
        END IF;
    END LOOP;
    UPDATE room r SET owner = claimer, epoch = r.epoch + 1 WHERE r.id = wanted;
    RETURN (0, '', 0)::claimed;
END
$$;

-- As before, and the room has to be in the epoch of whoever appends.
DROP FUNCTION append_event;
CREATE FUNCTION append_event(id text, expected bigint, fence bigint, new_status smallint, made_at bigint, event_kind text,
                             sender text, sent_command text, event_body text) RETURNS appended
LANGUAGE plpgsql AS $$
DECLARE
    done appended;
BEGIN
    IF sent_command <> '' THEN
        SELECT 1, e.room, e.version, e.kind INTO done FROM event e
            WHERE e.room = id AND e.client = sender AND e.command = sent_command AND e.command <> '';
        IF FOUND THEN
            RETURN done;
        END IF;
    END IF;
    UPDATE room r SET version = expected + 1, status = new_status
        WHERE r.id = append_event.id AND r.version = expected AND r.epoch = fence;
    IF NOT FOUND THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO event (room, version, epoch, client, command, kind, at, body)
        VALUES (id, expected + 1, fence, sender, sent_command, event_kind, made_at, event_body);
    RETURN (0, id, expected + 1, event_kind)::appended;
END
$$;

-- As before, and the room is its maker's.
DROP FUNCTION create_room;
CREATE FUNCTION create_room(id text, game text, title text, definition_hash text, definition_text text, is_public boolean,
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
