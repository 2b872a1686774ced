-- Pictures that players bring: server/store/README.md, "Pictures".

CREATE TABLE picture (
    hash text COLLATE "C" PRIMARY KEY, -- SHA-256 of the bytes, in hexadecimal
    kind smallint NOT NULL, -- 0 SVG, 1 PNG
    at bigint NOT NULL, -- when it was brought last, or a definition came that names it, milliseconds since 1970
    bytes bytea NOT NULL
);

-- Which definitions name which pictures, whether these are here or not.
CREATE TABLE definition_picture (
    definition text NOT NULL REFERENCES definition (hash) ON DELETE CASCADE,
    picture text COLLATE "C" NOT NULL,
    PRIMARY KEY (definition, picture)
);

CREATE INDEX definition_of_picture ON definition_picture (picture);

CREATE FUNCTION pictures_named(wanted text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE AS $$
    SELECT DISTINCT m[1] FROM regexp_matches(wanted, '([0-9a-f]{64})\.(?:svg|png)', 'g') m
$$;

-- A picture that is named is as good as brought now. Whoever sweeps at this moment waits for its row, and then finds it
-- young; or it is gone already, and is not found here.
CREATE FUNCTION note_pictures() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;
BEGIN
    PERFORM FROM picture p WHERE p.hash IN (SELECT pictures_named(NEW.text)) ORDER BY p.hash FOR UPDATE;
    UPDATE picture p SET at = greatest(p.at, now_ms) WHERE p.hash IN (SELECT pictures_named(NEW.text));
    INSERT INTO definition_picture SELECT NEW.hash, n FROM pictures_named(NEW.text) n;
    RETURN NULL;
END
$$;

CREATE TRIGGER definition_names AFTER INSERT ON definition FOR EACH ROW EXECUTE FUNCTION note_pictures();

-- As before, and 4 where a picture is missing that the definition names.
CREATE OR REPLACE FUNCTION publish_game(wanted text, wanted_publisher text, listing smallint, definition_hash text, definition_text text,
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
    PERFORM FROM picture p WHERE p.hash IN (SELECT pictures_named(definition_text)) ORDER BY p.hash FOR UPDATE;
    IF EXISTS (SELECT FROM pictures_named(definition_text) n WHERE NOT EXISTS (SELECT FROM picture p WHERE p.hash = n)) THEN
        RETURN 4;
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
