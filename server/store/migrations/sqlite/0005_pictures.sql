-- Pictures that players bring: server/store/README.md, "Pictures".

CREATE TABLE picture (
    hash TEXT NOT NULL UNIQUE, -- SHA-256 of the bytes, in hexadecimal
    kind INTEGER NOT NULL, -- 0 SVG, 1 PNG
    at INTEGER NOT NULL, -- when it was brought last, or a definition came that names it, milliseconds since 1970
    bytes BLOB NOT NULL
) STRICT;

-- Which definitions name which pictures, whether these are here or not.
CREATE TABLE definition_picture (
    definition TEXT NOT NULL REFERENCES definition (hash),
    picture TEXT NOT NULL,
    PRIMARY KEY (definition, picture)
) STRICT, WITHOUT ROWID;

CREATE INDEX definition_of_picture ON definition_picture (picture);

CREATE TRIGGER definition_gone AFTER DELETE ON definition BEGIN
    DELETE FROM definition_picture WHERE definition = OLD.hash;
END;
