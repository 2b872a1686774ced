-- How strong players are: server/store/README.md, "Ratings".

-- In which *ladder* a room's result counts: its game and speed, "chess/blitz". NULL: it does not count.
ALTER TABLE room ADD COLUMN ladder TEXT;

-- A rated game that is over. Without a number it waits for what comes of it; numbers are the order in which games count.
CREATE TABLE rated_game (
    room TEXT PRIMARY KEY,
    ladder TEXT NOT NULL,
    ended_at INTEGER NOT NULL, -- milliseconds since 1970
    number INTEGER UNIQUE
) STRICT, WITHOUT ROWID;

CREATE INDEX rated_game_waiting ON rated_game (ended_at, room) WHERE number IS NULL;

-- What it did to each of its players: ratings and deviations in hundredths, volatilities in millionths.
CREATE TABLE rated_side (
    number INTEGER NOT NULL,
    side INTEGER NOT NULL,
    player TEXT NOT NULL,
    taken_from TEXT NOT NULL, -- whose rating it was, if the seat was handed over; or ''
    score INTEGER NOT NULL, -- 2 won, 1 drawn, 0 lost
    games_before INTEGER NOT NULL,
    rating_before INTEGER NOT NULL,
    deviation_before INTEGER NOT NULL,
    volatility_before INTEGER NOT NULL,
    idle INTEGER NOT NULL, -- milliseconds since the game before, 0 if there is none
    rating INTEGER NOT NULL,
    deviation INTEGER NOT NULL,
    volatility INTEGER NOT NULL,
    PRIMARY KEY (number, side)
) STRICT, WITHOUT ROWID;

CREATE TABLE rating (
    ladder TEXT NOT NULL,
    player TEXT NOT NULL,
    name TEXT NOT NULL, -- as last shown
    bot INTEGER NOT NULL,
    rating INTEGER NOT NULL,
    deviation INTEGER NOT NULL,
    volatility INTEGER NOT NULL,
    games INTEGER NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    rated_at INTEGER NOT NULL,
    sure_until INTEGER NOT NULL, -- the deviation is small enough for the ladder until then
    PRIMARY KEY (ladder, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_of_ladder ON rating (ladder, rating DESC, player);
CREATE INDEX rating_of_age ON rating (rated_at);

-- A room ends once, whoever writes that; and one that is gone has nothing to wait for.
CREATE TRIGGER rated_game_over AFTER UPDATE OF status ON room WHEN new.status = 2 AND old.status < 2 AND new.ladder IS NOT NULL
BEGIN
    INSERT INTO rated_game (room, ladder, ended_at)
        VALUES (new.id, new.ladder, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER rated_game_gone AFTER DELETE ON room WHEN old.ladder IS NOT NULL
BEGIN
    DELETE FROM rated_game WHERE room = old.id AND number IS NULL;
END;
