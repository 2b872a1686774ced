-- What people say against games that players publish: server/store/README.md, "Published games". One of each person for a name.
CREATE TABLE report (
    name text COLLATE "C" NOT NULL REFERENCES published_game (name),
    reporter text COLLATE "C" NOT NULL, -- SHA-256 of the token, in hexadecimal
    version bigint NOT NULL,
    words text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (name, reporter)
);
