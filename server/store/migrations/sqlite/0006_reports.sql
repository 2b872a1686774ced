-- What people say against games that players publish: server/store/README.md, "Published games". One of each person for a name.
CREATE TABLE report (
    name TEXT NOT NULL REFERENCES published_game (name),
    reporter TEXT NOT NULL, -- SHA-256 of the token, in hexadecimal
    version INTEGER NOT NULL,
    words TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (name, reporter)
) STRICT, WITHOUT ROWID;
