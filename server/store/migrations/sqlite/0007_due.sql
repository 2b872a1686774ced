-- When a room has to be in somebody's memory, for a clock may run out: not later than that, mostly earlier. NULL: never, the
-- game has no clocks. It is pushed on by who has the room in memory, so that whose players have gone is found here.
ALTER TABLE room ADD COLUMN due_at INTEGER; -- milliseconds since 1970

CREATE INDEX room_due ON room (due_at) WHERE status = 1 AND due_at IS NOT NULL;

-- Of those that are there already somebody has to find out.
UPDATE room SET due_at = created_at WHERE status < 2 AND EXISTS
    (SELECT 1 FROM folded_event e WHERE e.room = room.id AND e.version = 1 AND e.body LIKE '%"clock":{%');
