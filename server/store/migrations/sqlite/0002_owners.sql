-- The same as in PostgreSQL: which server plays which room, and until when it may. Here one process has the file, and
-- whoever opens it empties `node`: all others have ended.

CREATE TABLE node (
    id TEXT PRIMARY KEY, -- of one life of a process
    place TEXT NOT NULL,
    url TEXT NOT NULL, -- where clients reach it; '' when it does not say
    lease_until INTEGER NOT NULL -- milliseconds since 1970, by the machine's clock
) STRICT, WITHOUT ROWID;

ALTER TABLE room ADD COLUMN owner TEXT; -- a node; NULL, or one that is no more: nobody
