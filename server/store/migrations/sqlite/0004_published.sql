-- Games that players publish: server/store/README.md, "Published games".

-- A name is whose it was first, and counts its versions.
CREATE TABLE published_game (
    name TEXT PRIMARY KEY,
    publisher TEXT NOT NULL, -- SHA-256 of the token, in hexadecimal
    versions INTEGER NOT NULL, -- gap-free from 1
    listed INTEGER NOT NULL, -- the publisher's wish
    hidden INTEGER NOT NULL, -- the operator's
    updated_at INTEGER NOT NULL -- of the newest version, milliseconds since 1970
) STRICT, WITHOUT ROWID;

CREATE INDEX published_game_listed ON published_game (updated_at DESC, name DESC) WHERE listed = 1 AND hidden = 0;

-- A version never changes, and stays.
CREATE TABLE published (
    name TEXT NOT NULL REFERENCES published_game (name),
    version INTEGER NOT NULL,
    definition TEXT NOT NULL REFERENCES definition (hash),
    title TEXT NOT NULL,
    players TEXT NOT NULL, -- JSON array of all seats' names
    ancestor TEXT NOT NULL, -- what it was made from: a game of the server's, or a published one; '' when nothing is said
    ancestor_version INTEGER NOT NULL, -- of a published one; else 0
    at INTEGER NOT NULL,
    PRIMARY KEY (name, version)
) STRICT, WITHOUT ROWID;

-- A definition that is published stays when its last room goes.
CREATE INDEX published_of_definition ON published (definition);
