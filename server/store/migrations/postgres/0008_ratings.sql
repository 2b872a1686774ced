-- How strong players are: server/store/README.md, "Ratings".

-- In which *ladder* a room's result counts: its game and speed, "chess/blitz". NULL: it does not count.
ALTER TABLE room ADD COLUMN ladder text COLLATE "C";

-- A rated game that is over. Without a number it waits for what comes of it; numbers are the order in which games count.
CREATE TABLE rated_game (
    room text COLLATE "C" PRIMARY KEY,
    ladder text COLLATE "C" NOT NULL,
    ended_at bigint NOT NULL, -- milliseconds since 1970
    number bigint UNIQUE
);

CREATE INDEX rated_game_waiting ON rated_game (ended_at, room) WHERE number IS NULL;

-- What it did to each of its players: ratings and deviations in hundredths, volatilities in millionths.
CREATE TABLE rated_side (
    number bigint NOT NULL,
    side integer NOT NULL,
    player text NOT NULL,
    taken_from text NOT NULL, -- whose rating it was, if the seat was handed over; or ''
    score integer NOT NULL, -- 2 won, 1 drawn, 0 lost
    games_before bigint NOT NULL,
    rating_before bigint NOT NULL,
    deviation_before bigint NOT NULL,
    volatility_before bigint NOT NULL,
    idle bigint NOT NULL, -- milliseconds since the game before, 0 if there is none
    rating bigint NOT NULL,
    deviation bigint NOT NULL,
    volatility bigint NOT NULL,
    PRIMARY KEY (number, side)
);

CREATE TABLE rating (
    ladder text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    name text NOT NULL, -- as last shown
    bot boolean NOT NULL,
    rating bigint NOT NULL,
    deviation bigint NOT NULL,
    volatility bigint NOT NULL,
    games bigint NOT NULL,
    won bigint NOT NULL,
    drawn bigint NOT NULL,
    rated_at bigint NOT NULL,
    sure_until bigint NOT NULL, -- the deviation is small enough for the ladder until then
    PRIMARY KEY (ladder, player)
);

CREATE INDEX rating_of_ladder ON rating (ladder, rating DESC, player);
CREATE INDEX rating_of_age ON rating (rated_at);

-- A room ends once, whoever writes that; and one that is gone has nothing to wait for.
CREATE FUNCTION note_rated_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM rated_game g WHERE g.room = OLD.id AND g.number IS NULL;
    ELSE
        INSERT INTO rated_game (room, ladder, ended_at)
            VALUES (NEW.id, NEW.ladder, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER rated_game_over AFTER UPDATE OF status ON room FOR EACH ROW
    WHEN (NEW.status = 2 AND OLD.status < 2 AND NEW.ladder IS NOT NULL) EXECUTE FUNCTION note_rated_game();

CREATE TRIGGER rated_game_gone AFTER DELETE ON room FOR EACH ROW
    WHEN (OLD.ladder IS NOT NULL) EXECUTE FUNCTION note_rated_game();

-- The fence: whoever rates a game has this row, so that numbers are gap-free and nobody is rated by two at once.
CREATE TABLE rated_count (number bigint NOT NULL);
INSERT INTO rated_count VALUES (0);
