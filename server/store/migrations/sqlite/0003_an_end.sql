-- Rooms come to an end: server/store/README.md, "An end to everything".

-- Rooms that were removed and had more events than one transaction may delete: what is left of them in folded_event is
-- nobody's any more, and goes a part at a time.
CREATE TABLE removed_room (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Whether anybody plays a definition.
CREATE INDEX room_of_definition ON room (definition);

-- As before, without what is left of removed rooms.
DROP VIEW event;
CREATE VIEW event AS
    SELECT room, version, epoch, client, command, kind, at, body FROM folded_event f
    WHERE NOT EXISTS (SELECT 1 FROM removed_room d WHERE d.id = f.room)
    UNION ALL
    SELECT room, version, epoch, client, command, kind, at, body FROM recent_event r
    WHERE NOT EXISTS (SELECT 1 FROM folded_event f WHERE f.room = r.room AND f.version = r.version);
