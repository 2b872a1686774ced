-- Whose turn it is in a room that is in nobody's memory: said by who had it there when it left, at which version that was so,
-- and true of that version only. NULL: nobody's turn, or nobody has said.
ALTER TABLE room ADD COLUMN to_move text COLLATE "C"; -- a seat
ALTER TABLE room ADD COLUMN turn_version bigint;
