--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: appended; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.appended AS (
	what integer,
	room text,
	version bigint,
	kind text
);


--
-- Name: claimed; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.claimed AS (
	what integer,
	url text,
	left_ms bigint
);


--
-- Name: append_event(text, bigint, bigint, smallint, bigint, text, text, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.append_event(id text, expected bigint, fence bigint, new_status smallint, made_at bigint, event_kind text, sender text, sent_command text, event_body text) RETURNS public.appended
    LANGUAGE plpgsql
    AS $$
DECLARE
    done appended;
BEGIN
    IF sent_command <> '' THEN
        SELECT 1, e.room, e.version, e.kind INTO done FROM event e
            WHERE e.room = id AND e.client = sender AND e.command = sent_command AND e.command <> '';
        IF FOUND THEN
            RETURN done;
        END IF;
    END IF;
    UPDATE room r SET version = expected + 1, status = new_status
        WHERE r.id = append_event.id AND r.version = expected AND r.epoch = fence;
    IF NOT FOUND THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO event (room, version, epoch, client, command, kind, at, body)
        VALUES (id, expected + 1, fence, sender, sent_command, event_kind, made_at, event_body);
    RETURN (0, id, expected + 1, event_kind)::appended;
END
$$;


--
-- Name: claim_room(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claim_room(wanted text, claimer text) RETURNS public.claimed
    LANGUAGE plpgsql
    AS $$
DECLARE
    holder node;
BEGIN
    FOR locked IN 0..1 LOOP
        SELECT n.* INTO holder FROM room r JOIN node n ON n.id = r.owner WHERE r.id = wanted AND r.owner <> claimer;
        IF holder.lease_until > clock_timestamp() THEN
            RETURN (1, holder.url, ceil(extract(epoch FROM holder.lease_until - clock_timestamp()) * 1000))::claimed;
        END IF;
        EXIT WHEN locked = 1;
        IF holder.id IS NOT NULL THEN
            PERFORM pg_terminate_backend(a.pid) FROM pg_stat_activity a
                WHERE a.pid = holder.backend AND a.backend_start = holder.backend_since;
        END IF;
        PERFORM FROM room r WHERE r.id = wanted FOR UPDATE;
        IF NOT FOUND THEN
            RETURN (2, '', 0)::claimed;
        END IF;
    END LOOP;
    UPDATE room r SET owner = claimer, epoch = r.epoch + 1 WHERE r.id = wanted;
    RETURN (0, '', 0)::claimed;
END
$$;


--
-- Name: clear_removed(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.clear_removed(events_max bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    cleared text;
    gone bigint;
BEGIN
    SELECT r.id INTO cleared FROM removed_room r ORDER BY r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF cleared IS NULL THEN
        RETURN false;
    END IF;
    DELETE FROM event e WHERE e.room = cleared AND e.version IN
        (SELECT f.version FROM event f WHERE f.room = cleared ORDER BY f.version LIMIT events_max);
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone < events_max THEN
        DELETE FROM removed_room r WHERE r.id = cleared;
    END IF;
    RETURN EXISTS (SELECT FROM removed_room);
END
$$;


--
-- Name: create_room(text, text, text, text, text, boolean, smallint, bigint, text, text, bigint, text, text, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.create_room(id text, game text, title text, definition_hash text, definition_text text, is_public boolean, new_status smallint, created_at bigint, players text, maker text, made_at bigint, event_kind text, sender text, sent_command text, event_body text) RETURNS public.appended
    LANGUAGE plpgsql
    AS $$
DECLARE
    done appended;
BEGIN
    SELECT 1, e.room, e.version, e.kind INTO done FROM event e
        WHERE e.version = 1 AND e.client = sender AND e.command = sent_command AND e.command <> '';
    IF FOUND THEN
        RETURN done;
    END IF;
    IF EXISTS (SELECT FROM removed_room r WHERE r.id = create_room.id) THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO definition VALUES (definition_hash, definition_text) ON CONFLICT DO NOTHING;
    INSERT INTO room VALUES (id, game, title, definition_hash, is_public, new_status, created_at, players, 1, 1, maker)
        ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN (2, id, 0, '')::appended;
    END IF;
    INSERT INTO event VALUES (id, 1, 1, sender, sent_command, event_kind, made_at, event_body);
    RETURN (0, id, 1, event_kind)::appended;
END
$$;


--
-- Name: remove_room(text, bigint, text, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.remove_room(wanted text, expected bigint, remover text, events_max bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    found room;
    gone bigint;
BEGIN
    SELECT r.* INTO found FROM room r WHERE r.id = wanted AND r.version = expected FOR UPDATE SKIP LOCKED;
    IF found.id IS NULL OR (found.owner <> coalesce(remover, '') AND EXISTS
            (SELECT FROM node n WHERE n.id = found.owner AND n.lease_until > clock_timestamp())) THEN
        RETURN -1;
    END IF;
    DELETE FROM seat s WHERE s.room = wanted;
    DELETE FROM room r WHERE r.id = wanted;
    DELETE FROM event e WHERE e.room = wanted AND e.version <= events_max;
    IF expected > events_max THEN
        INSERT INTO removed_room VALUES (wanted);
    END IF;
    DELETE FROM definition WHERE hash IN (SELECT d.hash FROM definition d WHERE d.hash = found.definition
        AND NOT EXISTS (SELECT FROM room r WHERE r.definition = d.hash) FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END
$$;


--
-- Name: renew_lease(text, text, text, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.renew_lease(node_id text, node_place text, node_url text, lease_ms bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    until timestamptz := clock_timestamp() + lease_ms * interval '1 millisecond';
    since timestamptz := (SELECT a.backend_start FROM pg_stat_activity a WHERE a.pid = pg_backend_pid());
BEGIN
    DELETE FROM node n WHERE n.id <> node_id
        AND ((n.place = node_place AND node_place <> '') OR n.lease_until < clock_timestamp() - interval '1 day');
    INSERT INTO node VALUES (node_id, node_place, node_url, until, pg_backend_pid(), since)
        ON CONFLICT (id) DO UPDATE SET lease_until = until, backend = pg_backend_pid(), backend_since = since;
    RETURN (SELECT count(*) FROM node n WHERE n.id <> node_id AND n.lease_until > clock_timestamp());
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: definition; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.definition (
    hash text NOT NULL,
    text text NOT NULL
);


--
-- Name: event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event (
    room text NOT NULL,
    version bigint NOT NULL,
    epoch bigint NOT NULL,
    client text NOT NULL,
    command text NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL
);


--
-- Name: node; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.node (
    id text NOT NULL,
    place text NOT NULL,
    url text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    backend integer NOT NULL,
    backend_since timestamp with time zone
);


--
-- Name: removed_room; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.removed_room (
    id text NOT NULL
);


--
-- Name: room; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.room (
    id text NOT NULL,
    game text NOT NULL,
    title text NOT NULL,
    definition text NOT NULL,
    is_public boolean NOT NULL,
    status smallint NOT NULL,
    created_at bigint NOT NULL,
    players text NOT NULL,
    version bigint NOT NULL,
    epoch bigint DEFAULT 1 NOT NULL,
    owner text
)
WITH (fillfactor='50');


--
-- Name: seat; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.seat (
    room text NOT NULL,
    number smallint NOT NULL,
    seat text NOT NULL,
    player text NOT NULL,
    token_hash text NOT NULL,
    name text NOT NULL,
    bot boolean NOT NULL,
    house boolean NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: secret; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.secret (
    name text NOT NULL,
    value text NOT NULL
);


--
-- Name: senet_schema; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.senet_schema (
    version integer NOT NULL
);


--
-- Data for Name: definition; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.definition (hash, text) FROM stdin;
0baf778534709138e8488de2efe48d5605de35d529308152dc78e82e3d5c880a	{\n    "format": 2,\n    "name": "chess",\n    "title": "Chess",\n    "description": "Checkmate the enemy king. The king castles by two cells towards a rook when neither has moved, nothing stands between them, and no cell it stands on, crosses or reaches is attacked. A pawn may step two cells from its first row, and may then at once be taken as if it had stepped one. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures to mate, the same position five times, 75 moves without a capture or a pawn's move; and, if who is to move claims it, the same position three times, or 50 such moves.",\n    "players": ["white", "black"],\n    "max_plies": 20000,\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "'abcdefgh'[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {"fill": "(x + y) % 2 ? '#f0dfc0' : '#a9805b'", "selector": "'#7fb2d9'", "highlighter": "'#8fbf6a'"}\n    },\n    "board": {\n        "cells": {"box": {"x": 8, "y": 8}},\n        "mirror": {"black": {"y": "7 - y"}},\n        "rotation_angle": {"white": 0, "black": 180}\n    },\n    "zones": {\n        "home": {"each": "y == 1"},\n        "last": {"each": "y == 7"},\n        "light": "(x + y) % 2 == 1",\n        "dark": "(x + y) % 2 == 0"\n    },\n    "movements": {\n        "rook": [{"x": 1, "symmetric": "all", "repeat": true}],\n        "bishop": [{"x": 1, "y": 1, "symmetric": "all", "repeat": true}]\n    },\n    "figures": {\n        "king": {"movement": [{"x": 1, "symmetric": "all"}, {"x": 1, "y": 1, "symmetric": "all"}]},\n        "queen": {"movement": ["rook", "bishop"]},\n        "rook": {"movement": ["rook"]},\n        "bishop": {"movement": ["bishop"]},\n        "knight": {"movement": [{"x": 1, "y": 2, "symmetric": "all"}]},\n        "pawn": {\n            "movement": [\n                {"y": 1, "for": "move"},\n                {"y": 1, "repeat": [2, 2], "for": "move", "if": {"self": {"zone": "home"}}, "mark": "passed_over"},\n                {"x": 1, "y": 1, "symmetric": "mirror", "for": "take", "takes_marked": "passed_over"}\n            ],\n            "promote": {"in": "last", "to": ["queen", "rook", "bishop", "knight"]}\n        }\n    },\n    "complex_movement": [\n        {\n            "figures": [\n                {"figure": "king", "unmoved": true, "coordinates_delta": {"x": 2}},\n                {"figure": "rook", "unmoved": true, "relative_position": {"x": 3}, "coordinates_delta": {"x": -2}}\n            ],\n            "empty": [{"x": 1}, {"x": 2}],\n            "safe": [{}, {"x": 1}, {"x": 2}],\n            "notation": "O-O"\n        },\n        {\n            "figures": [\n                {"figure": "king", "unmoved": true, "coordinates_delta": {"x": -2}},\n                {"figure": "rook", "unmoved": true, "relative_position": {"x": -4}, "coordinates_delta": {"x": 3}}\n            ],\n            "empty": [{"x": -1}, {"x": -2}, {"x": -3}],\n            "safe": [{}, {"x": -1}, {"x": -2}],\n            "notation": "O-O-O"\n        }\n    ],\n    "initial_position": {"each": {\n        "king": ["e1"],\n        "queen": ["d1"],\n        "rook": ["a1", "h1"],\n        "bishop": ["c1", "f1"],\n        "knight": ["b1", "g1"],\n        "pawn": [{"zone": "home"}]\n    }},\n    "turns": ["white", "black"],\n    "counters": {\n        "quiet": {"add": true, "reset": [{"previous": {"figure": "pawn"}}, {"previous": {"took": true}}]}\n    },\n    "forbid": [{"attacked": {"figure": "king", "player": "mover"}, "words": "would leave the king attacked"}],\n    "results": [\n        {"if": {"no_moves": true, "attacked": {"figure": "king", "player": "next"}}, "result": {"winner": "mover"}, "reason": "checkmate"},\n        {"if": {"no_moves": true}, "result": "draw", "reason": "stalemate"},\n        {\n            "if": [\n                {"count": {"is": {"figure": ["queen", "rook", "pawn"]}, "max": 0},\n                    "all": [{"count": {"is": {"figure": ["bishop", "knight"]}, "max": 1}}]},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "light"}, "min": 1}}},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "dark"}, "min": 1}}}\n            ],\n            "result": "draw", "reason": "insufficient material"\n        },\n        {"if": {"repetition": 5}, "result": "draw", "reason": "fivefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 150}}, "result": "draw", "reason": "75 moves without a capture or a pawn's move"},\n        {"if": {"repetition": 3}, "claim": true, "result": "draw", "reason": "threefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 100}}, "claim": true, "result": "draw", "reason": "50 moves without a capture or a pawn's move"}\n    ],\n    "notation": {\n        "figures": {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"},\n        "case": {"white": "upper", "black": "lower"},\n        "position": {\n            "rows": "y", "columns": "x",\n            "turn": {"white": "w", "black": "b"},\n            "fields": [\n                {"unmoved": {"K": ["e1", "h1"], "Q": ["e1", "a1"], "k": ["e8", "h8"], "q": ["e8", "a8"]}},\n                {"mark": "passed_over", "only_takeable": true},\n                {"counter": "quiet"},\n                {"move_number": 1}\n            ]\n        },\n        "moves": {\n            "coordinate": {"separator": "", "choice": "", "pass": "0000"},\n            "algebraic": {\n                "omit": ["pawn"], "parts": ["'abcdefgh'[x]", "y + 1"], "take": "x", "choice": "=",\n                "signs": [\n                    {"result": "won", "sign": "#"},\n                    {"if": {"attacked": {"figure": "king", "player": "next"}}, "sign": "+"}\n                ]\n            }\n        },\n        "pgn": {"variant": "Chess"}\n    },\n    "resources": {"images": {"figures": {\n        "white": {\n            "king": "chess/white-king.svg", "queen": "chess/white-queen.svg", "rook": "chess/white-rook.svg",\n            "bishop": "chess/white-bishop.svg", "knight": "chess/white-knight.svg", "pawn": "chess/white-pawn.svg"\n        },\n        "black": {\n            "king": "chess/black-king.svg", "queen": "chess/black-queen.svg", "rook": "chess/black-rook.svg",\n            "bishop": "chess/black-bishop.svg", "knight": "chess/black-knight.svg", "pawn": "chess/black-pawn.svg"\n        }\n    }}},\n    "tests": [\n        {"name": "the start", "perft": [20, 400, 8902]},\n        {"name": "castling, pins and promotions",\n            "position": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", "perft": [48, 2039, 97862]},\n        {"name": "en passant that would open a line to the king", "position": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",\n            "perft": [14, 191, 2812, 43238]},\n        {"name": "promotions under attack", "position": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",\n            "perft": [6, 264, 9467]},\n        {"name": "a pawn takes its way to promotion",\n            "position": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", "perft": [44, 1486, 62379]},\n        {"name": "a middle game", "position": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",\n            "perft": [46, 2079, 89890]},\n        {"name": "fool's mate", "moves": ["f3", "e5", "g4", "Qh4#"], "count": 0,\n            "result": {"winner": "black", "reason": "checkmate"}},\n        {"name": "stalemate", "position": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "count": 0, "result": {"draw": "stalemate"}},\n        {"name": "both ways of castling", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "count": 26,\n            "legal": ["O-O", "O-O-O"]},\n        {"name": "castling moves the rook too", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["O-O", "O-O-O"], "after": "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"},\n        {"name": "no castling through an attacked cell", "position": "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",\n            "legal": ["O-O-O"], "illegal": ["e1g1"]},\n        {"name": "no castling out of check", "position": "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "illegal": ["e1g1", "e1c1"]},\n        {"name": "only the rook may cross an attacked cell", "position": "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "legal": ["O-O-O"]},\n        {"name": "no castling with a figure between", "position": "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1",\n            "illegal": ["e1g1", "e1c1"]},\n        {"name": "no castling after the king or a rook has moved", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["Ke2", "Rg8", "Ke1", "Rh8"], "illegal": ["e1g1", "e1c1"], "after": "r3k2r/8/8/8/8/8/8/R3K2R w q - 4 3"},\n        {"name": "no castling with a rook that was taken", "position": "r3k2r/8/8/8/8/6n1/8/R3K2R b KQkq - 0 1",\n            "moves": ["Nxh1"], "illegal": ["e1g1"], "after": "r3k2r/8/8/8/8/8/8/R3K2n w Qkq - 0 2"},\n        {"name": "a rook that a pawn became is not the one that castles", "position": "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1",\n            "moves": ["bxa8=R+"], "after": "R3k3/8/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "en passant", "moves": ["e4", "a6", "e5", "d5"], "legal": ["exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"},\n        {"name": "en passant takes the pawn", "moves": ["e4", "a6", "e5", "d5", "exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},\n        {"name": "en passant only at once", "moves": ["e4", "a6", "e5", "d5", "a3", "a5"], "illegal": ["e5d6"]},\n        {"name": "no en passant of a single step", "moves": ["e4", "d6", "e5", "d5"], "illegal": ["e5d6"]},\n        {"name": "a pinned pawn does not take in passing", "position": "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "illegal": ["e5d6"]},\n        {"name": "a pawn chooses what to become", "position": "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "count": 9,\n            "legal": ["a8=Q", "a8=R", "a8=B", "a8=N"], "illegal": ["a7a8k", "a7a8p"]},\n        {"name": "a knight can be the better choice", "position": "8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "moves": ["c8=N+"],\n            "after": "2N5/4k3/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "check must be answered", "position": "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "count": 3,\n            "legal": ["Kxe2", "Kd1", "Kf1"], "illegal": [{"move": "a1a2", "because": "attacked"}]},\n        {"name": "a pinned figure stays on its line", "position": "4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1",\n            "legal": ["Rxe4+", "Re3"], "illegal": ["e2d2"]},\n        {"name": "two figures of a kind are told apart", "position": "4k3/8/8/8/8/8/3K4/R6R w - - 0 1",\n            "legal": ["Rad1", "Rhd1", "Ra8+"]},\n        {"name": "a position for the third time may be called a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "twice is not enough", "moves": ["Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing", "claim": ""},\n        {"name": "a lost right to castle makes another position", "position": "r3k3/8/8/8/8/8/8/4K2R w K - 0 1",\n            "moves": ["Rh2", "Ra7", "Rh1", "Ra8", "Rh2", "Ra7", "Rh1", "Ra8"], "result": "playing", "claim": ""},\n        {"name": "a pawn that may be taken in passing makes another position",\n            "position": "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a pawn that nobody can take in passing does not", "position": "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "nor does one whose only taker is pinned, on its line", "position": "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1",\n            "moves": ["e4", "Kc8", "Kb1", "Kd8", "Ka1", "Kc8", "Kb1", "Kd8", "Ka1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "or by the pawn that would be taken with it", "position": "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kh5", "Kd1", "Kh4", "Ke1", "Kh5", "Kd1", "Kh4", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "but it does where the pinned pawn takes along its line", "position": "8/8/8/2k5/3p4/8/4P3/4K1B1 w - - 0 1",\n            "moves": ["e4", "Kc6", "Kd1", "Kc5", "Ke1", "Kc6", "Kd1", "Kc5", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a position for the fifth time is a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"],\n            "result": {"draw": "fivefold repetition"}},\n        {"name": "50 quiet moves may be called a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "moves": ["Ra2"],\n            "result": "playing", "claim": "50 moves without a capture or a pawn's move"},\n        {"name": "75 quiet moves are a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "moves": ["Ra2"],\n            "result": {"draw": "75 moves without a capture or a pawn's move"}},\n        {"name": "checkmate goes before the 75 moves", "position": "k7/8/1K6/8/8/8/8/7R w - - 149 100", "moves": ["Rh8#"],\n            "result": {"winner": "white", "reason": "checkmate"}},\n        {"name": "two bare kings", "position": "8/8/4k3/8/8/3pK3/8/8 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "a king and a knight cannot mate", "position": "8/8/4k3/8/8/3pK3/8/1N6 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of one colour cannot mate", "position": "4kb2/8/8/8/8/8/3p4/2B1K3 w - - 0 1",\n            "moves": ["Kxd2"], "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of both colours can", "position": "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "result": "playing",\n            "claim": ""},\n        {"name": "two knights can", "position": "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "result": "playing"}\n    ]\n}\n
3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a	{"name":"race","title":"A short race","players":["Ёж","the \\"second\\"","c"],"cell":{"coordinates_names":["x"],"geometry":[[0,0],[1,0],[1,1],[0,1]],"position":{"x":"x","y":"0"},"name":"'κ' + (x + 1)"},"board":{"cells":[{"x":0},{"x":1},{"x":2},{"x":3},{"x":4},{"x":5},{"x":6},{"x":7},{"x":8},{"x":9},{"x":10},{"x":11}]},"figures":{"stone":{"movement":[{"x":1},{"x":2},{"x":3}],"cell_actions":{"destination":[{"actions":["move"],"if":[{"computed":{"is_figure":false}}]}]}}},"initial_position":{"Ёж":{"stone":[{"x":0}]},"the \\"second\\"":{"stone":[{"x":1}]},"c":{"stone":[{"x":2}]}},"win_conditions":{"Ёж":[{"entity":"cell","filter":{"player":"Ёж","coordinates":{"x":11}},"type":"exists","result":true}],"the \\"second\\"":[{"entity":"cell","filter":{"player":"the \\"second\\"","coordinates":{"x":11}},"type":"exists","result":true}],"c":[{"entity":"cell","filter":{"player":"c","coordinates":{"x":11}},"type":"exists","result":true}]},"game_states":{"round":{"type":"next_move","next":"turn 0"},"turn 0":{"type":"move","parameters":{"player":"Ёж"},"next":"check 0"},"check 0":{"type":"check_win","parameters":{"player":"Ёж"},"next":[{"if":[{"result":true}],"state":"won 0"},{"if":[{"result":false}],"state":"turn 1"}]},"won 0":{"type":"end","winner":"Ёж","reason":"Ёж is home"},"turn 1":{"type":"move","parameters":{"player":"the \\"second\\""},"next":"check 1"},"check 1":{"type":"check_win","parameters":{"player":"the \\"second\\""},"next":[{"if":[{"result":true}],"state":"won 1"},{"if":[{"result":false}],"state":"turn 2"}]},"won 1":{"type":"end","winner":"the \\"second\\"","reason":"the \\"second\\" is home"},"turn 2":{"type":"move","parameters":{"player":"c"},"next":"check 2"},"check 2":{"type":"check_win","parameters":{"player":"c"},"next":[{"if":[{"result":true}],"state":"won 2"},{"if":[{"result":false}],"state":"round"}]},"won 2":{"type":"end","winner":"c","reason":"c is home"}},"initial_game_state":"turn 0"}
9f246d82dfa57efa459a44f2b03856cdfadebe254132aa49fceddab9d3277b6f	{\n    "name": "checkers",\n    "title": "Checkers",\n    "description": "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.",\n    "players": ["white", "black"],\n    "max_plies": 400,\n    "no_moves": "loss",\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "'abcdefgh'[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {\n            "fill": "(x + y) % 2 ? '#efe6d2' : '#6f8f72'",\n            "selector": "'#7fb2d9'",\n            "highlighter": "'#d9c25f'"\n        }\n    },\n    "board": {\n        "rotation_angle": {"white": 0, "black": 180},\n        "cells": [\n            {"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 2, "y": 0}, {"x": 3, "y": 0}, {"x": 4, "y": 0}, {"x": 5, "y": 0}, {"x": 6, "y": 0}, {"x": 7, "y": 0},\n            {"x": 0, "y": 1}, {"x": 1, "y": 1}, {"x": 2, "y": 1}, {"x": 3, "y": 1}, {"x": 4, "y": 1}, {"x": 5, "y": 1}, {"x": 6, "y": 1}, {"x": 7, "y": 1},\n            {"x": 0, "y": 2}, {"x": 1, "y": 2}, {"x": 2, "y": 2}, {"x": 3, "y": 2}, {"x": 4, "y": 2}, {"x": 5, "y": 2}, {"x": 6, "y": 2}, {"x": 7, "y": 2},\n            {"x": 0, "y": 3}, {"x": 1, "y": 3}, {"x": 2, "y": 3}, {"x": 3, "y": 3}, {"x": 4, "y": 3}, {"x": 5, "y": 3}, {"x": 6, "y": 3}, {"x": 7, "y": 3},\n            {"x": 0, "y": 4}, {"x": 1, "y": 4}, {"x": 2, "y": 4}, {"x": 3, "y": 4}, {"x": 4, "y": 4}, {"x": 5, "y": 4}, {"x": 6, "y": 4}, {"x": 7, "y": 4},\n            {"x": 0, "y": 5}, {"x": 1, "y": 5}, {"x": 2, "y": 5}, {"x": 3, "y": 5}, {"x": 4, "y": 5}, {"x": 5, "y": 5}, {"x": 6, "y": 5}, {"x": 7, "y": 5},\n            {"x": 0, "y": 6}, {"x": 1, "y": 6}, {"x": 2, "y": 6}, {"x": 3, "y": 6}, {"x": 4, "y": 6}, {"x": 5, "y": 6}, {"x": 6, "y": 6}, {"x": 7, "y": 6},\n            {"x": 0, "y": 7}, {"x": 1, "y": 7}, {"x": 2, "y": 7}, {"x": 3, "y": 7}, {"x": 4, "y": 7}, {"x": 5, "y": 7}, {"x": 6, "y": 7}, {"x": 7, "y": 7}\n        ]\n    },\n    "figures": {\n        "man": {\n            "movement": {\n                "white": [{"x": -1, "y": 1}, {"x": 1, "y": 1}],\n                "black": [{"x": -1, "y": -1}, {"x": 1, "y": -1}]\n            },\n            "cell_actions": {"destination": [\n                {"actions": ["cancel"], "if": [{"computed": {"is_figure": true}}]},\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "white"}, "target": {"coordinates": {"y": 7}}},\n                    {"self": {"player": "black"}, "target": {"coordinates": {"y": 0}}}]},\n                {"actions": ["move"]}\n            ]}\n        },\n        "king": {\n            "movement": [\n                {"x": 1, "y": 1, "also_reversed": true},\n                {"x": 1, "y": -1, "also_reversed": true}\n            ],\n            "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"computed": {"is_figure": false}}]}\n            ]}\n        }\n    },\n    "complex_movement": [\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": -2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "white"}, "target": {"coordinates": {"y": 7}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": -1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": -2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "white"}, "target": {"coordinates": {"y": 7}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": -1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": 2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "white"}, "target": {"coordinates": {"y": 7}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": 1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": 2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "white"}, "target": {"coordinates": {"y": 7}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": 1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": -1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": -1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": 1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": 1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": -1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": -1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": 1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "white"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": 1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "black"}}]}]}}]},\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": -2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "black"}, "target": {"coordinates": {"y": 0}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": -1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": -2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "black"}, "target": {"coordinates": {"y": 0}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": -1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": 2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "black"}, "target": {"coordinates": {"y": 0}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": 1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "man", "coordinates_delta": {"x": 2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": [{"action": "replace", "parameters": {"new_figure": "king"}}], "if": [\n                    {"self": {"player": "black"}, "target": {"coordinates": {"y": 0}, "figure": null}}]},\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": 1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": -1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": -1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": 1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": -2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": 1, "y": -1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": -1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": -2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": -1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "man", "relative_position": {"x": 1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]},\n        {"figures": [\n            {"figure": "king", "coordinates_delta": {"x": 2, "y": 2}, "cell_actions": {"destination": [\n                {"actions": ["move"], "if": [{"self": {"player": "black"}, "target": {"figure": null}}]}]}},\n            {"figure": "king", "relative_position": {"x": 1, "y": 1}, "cell_actions": {"destination": [\n                {"actions": ["take"], "if": [{"self": {"player": "white"}}]}]}}]}\n    ],\n    "initial_position": {\n        "white": {\n            "man": [{"x": 0, "y": 0}, {"x": 2, "y": 0}, {"x": 4, "y": 0}, {"x": 6, "y": 0}, {"x": 1, "y": 1}, {"x": 3, "y": 1}, {"x": 5, "y": 1}, {"x": 7, "y": 1}, {"x": 0, "y": 2}, {"x": 2, "y": 2}, {"x": 4, "y": 2}, {"x": 6, "y": 2}]\n        },\n        "black": {\n            "man": [{"x": 1, "y": 5}, {"x": 3, "y": 5}, {"x": 5, "y": 5}, {"x": 7, "y": 5}, {"x": 0, "y": 6}, {"x": 2, "y": 6}, {"x": 4, "y": 6}, {"x": 6, "y": 6}, {"x": 1, "y": 7}, {"x": 3, "y": 7}, {"x": 5, "y": 7}, {"x": 7, "y": 7}]\n        }\n    },\n    "resources": {"images": {\n        "figures": {\n            "white": {\n                "man": "checkers/white-man.svg",\n                "king": "checkers/white-king.svg"\n            },\n            "black": {\n                "man": "checkers/black-man.svg",\n                "king": "checkers/black-king.svg"\n            }\n        }\n    }},\n    "win_conditions": {\n        "white": [{"entity": "cell", "filter": {"player": "black"}, "type": "exists", "result": false}],\n        "black": [{"entity": "cell", "filter": {"player": "white"}, "type": "exists", "result": false}]\n    },\n    "game_states": {\n        "white_move": {"type": "move", "parameters": {"player": "white"}, "next": "did_white_win"},\n        "did_white_win": {"type": "check_win", "parameters": {"player": "white"}, "next": [\n            {"if": [{"result": true}], "state": "white_won"},\n            {"if": [{"result": false}], "state": "black_move"}\n        ]},\n        "black_move": {"type": "move", "parameters": {"player": "black"}, "next": "did_black_win"},\n        "did_black_win": {"type": "check_win", "parameters": {"player": "black"}, "next": [\n            {"if": [{"result": true}], "state": "black_won"},\n            {"if": [{"result": false}], "state": "count_move"}\n        ]},\n        "count_move": {"type": "next_move", "next": "white_move"},\n        "white_won": {"type": "end", "winner": "white", "reason": "black has no figures left"},\n        "black_won": {"type": "end", "winner": "black", "reason": "white has no figures left"}\n    },\n    "initial_game_state": "white_move"\n}\n
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (room, version, epoch, client, command, kind, at, body) FROM stdin;
WFLEmSR2ZcUbyNDjaj	1	1	p_BQ2VujBrgZZ-5K2r	gahibh-2	created	1795366205378	{"game":"chess"}
WFLEmSR2ZcUbyNDjaj	2	1	p_BQ2VujBrgZZ-5K2r	gahibh-3	joined	1795366205381	{"seats":["black"],"seat":"black","player":"p_BQ2VujBrgZZ-5K2r","name":"black","as":"human"}
IjVnFwY9iXAqN8KbHV	1	1	p_3yDqTMhitddA9xoy	xtcbak-2	created	1795366205386	{"game":"chess"}
IjVnFwY9iXAqN8KbHV	2	1	p_3yDqTMhitddA9xoy	xtcbak-3	joined	1795366205387	{"seats":["white"],"seat":"white","player":"p_3yDqTMhitddA9xoy","name":"white","as":"human"}
IjVnFwY9iXAqN8KbHV	3	1	p_4yKh5wxCyIPpUCI_	xweeds-2	joined	1795366205388	{"seats":["black"],"seat":"black","player":"p_4yKh5wxCyIPpUCI_","name":"black","as":"human"}
Tr2wPsMOvCm77aoZwD	1	1	p_x0mI9zFS27TrIDHA	ko0znj-2	created	1795366205392	{"game":"chess"}
Tr2wPsMOvCm77aoZwD	2	1	p_x0mI9zFS27TrIDHA	ko0znj-3	joined	1795366205394	{"seats":["white"],"seat":"white","player":"p_x0mI9zFS27TrIDHA","name":"white","as":"human"}
Tr2wPsMOvCm77aoZwD	3	1	p_XlykmicmNKkDSA8U	4xnmt8-2	joined	1795366205395	{"seats":["black"],"seat":"black","player":"p_XlykmicmNKkDSA8U","name":"black","as":"human"}
XIQcjNyFPwwcUcQ48l	1	1	p_Q1wuAxucN87ga_r6	soeusv-2	created	1795366205400	{"game":""}
XIQcjNyFPwwcUcQ48l	2	1	p_Q1wuAxucN87ga_r6	soeusv-3	joined	1795366205401	{"seats":["Ёж"],"seat":"Ёж","player":"p_Q1wuAxucN87ga_r6","name":"Ёж","as":"human"}
XIQcjNyFPwwcUcQ48l	3	1	p_V-3im3S_64hx5dXU	ku3rqw-2	joined	1795366205402	{"seats":["the \\"second\\""],"seat":"the \\"second\\"","player":"p_V-3im3S_64hx5dXU","name":"the \\"second\\"","as":"human"}
XIQcjNyFPwwcUcQ48l	4	1	p_LktCCdN75QjW5BD8	5zdobg-2	joined	1795366205403	{"seats":["c"],"seat":"c","player":"p_LktCCdN75QjW5BD8","name":"c","as":"human"}
4LoFzRWDN3AvKqOI0M	1	1	p_e8JgKmCfZnB1quss	u78mxi-2	created	1795366205407	{"game":"checkers"}
4LoFzRWDN3AvKqOI0M	2	1	p_e8JgKmCfZnB1quss	u78mxi-3	joined	1795366205408	{"seats":["white"],"seat":"white","player":"p_e8JgKmCfZnB1quss","name":"white","as":"human"}
IjVnFwY9iXAqN8KbHV	4	1	p_3yDqTMhitddA9xoy	xtcbak-5	moved	1795366205410	{"seat":"white","move":{"from":"e2","to":"e4"}}
IjVnFwY9iXAqN8KbHV	5	1	p_4yKh5wxCyIPpUCI_	xweeds-4	moved	1795366205411	{"seat":"black","move":{"from":"e7","to":"e5"}}
IjVnFwY9iXAqN8KbHV	6	1	p_DSosXqafNjar2nwe	2qvr5i-4	chat	1795366205412	{"player":"p_DSosXqafNjar2nwe","name":"spectator","text":"kept"}
IjVnFwY9iXAqN8KbHV	7	1	p_3yDqTMhitddA9xoy	xtcbak-6	draw_offered	1795366205414	{"seat":"white"}
Tr2wPsMOvCm77aoZwD	4	1	p_x0mI9zFS27TrIDHA	ko0znj-5	moved	1795366205419	{"seat":"white","move":{"from":"e2","to":"e4"}}
Tr2wPsMOvCm77aoZwD	5	1	p_XlykmicmNKkDSA8U	4xnmt8-4	moved	1795366205420	{"seat":"black","move":{"from":"e7","to":"e5"}}
Tr2wPsMOvCm77aoZwD	6	1	p_x0mI9zFS27TrIDHA	ko0znj-6	moved	1795366205423	{"seat":"white","move":{"from":"f1","to":"c4"}}
Tr2wPsMOvCm77aoZwD	7	1	p_XlykmicmNKkDSA8U	4xnmt8-5	moved	1795366205424	{"seat":"black","move":{"from":"b8","to":"c6"}}
Tr2wPsMOvCm77aoZwD	8	1	p_x0mI9zFS27TrIDHA	ko0znj-7	moved	1795366205425	{"seat":"white","move":{"from":"d1","to":"h5"}}
Tr2wPsMOvCm77aoZwD	9	1	p_XlykmicmNKkDSA8U	4xnmt8-6	moved	1795366205426	{"seat":"black","move":{"from":"g8","to":"f6"}}
Tr2wPsMOvCm77aoZwD	10	1	p_x0mI9zFS27TrIDHA	ko0znj-8	moved	1795366205427	{"seat":"white","move":{"from":"h5","to":"f7"}}
Tr2wPsMOvCm77aoZwD	11	1	p_XlykmicmNKkDSA8U	4xnmt8-7	rematch_offered	1795366205428	{"seat":"black"}
XIQcjNyFPwwcUcQ48l	5	1	p_Q1wuAxucN87ga_r6	soeusv-5	moved	1795366205429	{"seat":"Ёж","move":{"from":"κ1","to":"κ4"}}
4LoFzRWDN3AvKqOI0M	3	1	p_vUCyhu4wGppx7VHs	31u4rly1tb7hw-2	joined	1795366205430	{"seats":["black"],"seat":"black","player":"p_vUCyhu4wGppx7VHs","name":"Senet's bot","as":"bot","house":true}
\.


--
-- Data for Name: node; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.node (id, place, url, lease_until, backend, backend_since) FROM stdin;
n_69Ow5woKlWiAtG6m	4f1764a8-e0c1-4b34-aa01-49e6768888cf net:[4026531833] 127.0.0.1:46409		2026-11-22 16:50:15.372065+00	26180	2026-11-22 16:50:05.341476+00
\.


--
-- Data for Name: removed_room; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.removed_room (id) FROM stdin;
\.


--
-- Data for Name: room; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.room (id, game, title, definition, is_public, status, created_at, players, version, epoch, owner) FROM stdin;
WFLEmSR2ZcUbyNDjaj	chess	Chess	0baf778534709138e8488de2efe48d5605de35d529308152dc78e82e3d5c880a	t	0	1795366205378	["white","black"]	2	1	n_69Ow5woKlWiAtG6m
Tr2wPsMOvCm77aoZwD	chess	Chess	0baf778534709138e8488de2efe48d5605de35d529308152dc78e82e3d5c880a	t	2	1795366205392	["white","black"]	11	1	n_69Ow5woKlWiAtG6m
XIQcjNyFPwwcUcQ48l		A short race	3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a	f	1	1795366205400	["Ёж","the \\"second\\"","c"]	5	1	n_69Ow5woKlWiAtG6m
IjVnFwY9iXAqN8KbHV	chess	Chess	0baf778534709138e8488de2efe48d5605de35d529308152dc78e82e3d5c880a	t	1	1795366205386	["white","black"]	7	1	n_69Ow5woKlWiAtG6m
4LoFzRWDN3AvKqOI0M	checkers	Checkers	9f246d82dfa57efa459a44f2b03856cdfadebe254132aa49fceddab9d3277b6f	t	1	1795366205407	["white","black"]	3	1	n_69Ow5woKlWiAtG6m
\.


--
-- Data for Name: seat; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.seat (room, number, seat, player, token_hash, name, bot, house, created_at) FROM stdin;
WFLEmSR2ZcUbyNDjaj	0	black	p_BQ2VujBrgZZ-5K2r	050d95ba306b81967ee4adab5797ee4b26aeed8d098271d16630c160fcc45a56	black	f	f	1795366205378
IjVnFwY9iXAqN8KbHV	0	white	p_3yDqTMhitddA9xoy	df20ea4cc862b5d740f71a321626ddc710c69768362c2dde521351846e7d2a2a	white	f	f	1795366205386
IjVnFwY9iXAqN8KbHV	1	black	p_4yKh5wxCyIPpUCI_	e322a1e70c42c883e950223f2d4e9447b98b45bf9e19ee6c76c596840edab1e2	black	f	f	1795366205386
Tr2wPsMOvCm77aoZwD	0	white	p_x0mI9zFS27TrIDHA	c74988f73152dbb4eb2031c0d3813b595ff2e5ec36d6068a249525a2b50f36e0	white	f	f	1795366205392
Tr2wPsMOvCm77aoZwD	1	black	p_XlykmicmNKkDSA8U	5e5ca49a272634a903480f1480a9720825e08f65d50543d4080be0ada01a5610	black	f	f	1795366205392
XIQcjNyFPwwcUcQ48l	0	Ёж	p_Q1wuAxucN87ga_r6	435c2e031b9c37cee06bfafa64605f504bef49573bba05e0438b0b4b3a7e13f4	Ёж	f	f	1795366205400
XIQcjNyFPwwcUcQ48l	1	the "second"	p_V-3im3S_64hx5dXU	57ede29b74bfeb8871e5d5d4f568fb9470e623d5f63e8a3674dc0d27dea5de97	the "second"	f	f	1795366205400
XIQcjNyFPwwcUcQ48l	2	c	p_LktCCdN75QjW5BD8	2e4b4209d37be508d6e410fc30e7f2d8c6053fa098c667b41edf387d54ce5559	c	f	f	1795366205400
4LoFzRWDN3AvKqOI0M	0	white	p_e8JgKmCfZnB1quss	7bc2602a609f667075aaeb2c9a19c41a28b155592acbcea4baa4e26608e2208e	white	f	f	1795366205407
4LoFzRWDN3AvKqOI0M	1	black	p_vUCyhu4wGppx7VHs	bd40b286ee301a9a71ed51ec09c1a083b512404cdd016c14ec7d162cc6151113	Senet's bot	t	t	1795366205407
\.


--
-- Data for Name: secret; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.secret (name, value) FROM stdin;
server	8b629d73d1587b1d7e40432bbeab2cca3929a929d731223949561f8410006696
\.


--
-- Data for Name: senet_schema; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.senet_schema (version) FROM stdin;
3
\.


--
-- Name: definition definition_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.definition
    ADD CONSTRAINT definition_pkey PRIMARY KEY (hash);


--
-- Name: event event_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (room, version);


--
-- Name: node node_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (id);


--
-- Name: removed_room removed_room_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.removed_room
    ADD CONSTRAINT removed_room_pkey PRIMARY KEY (id);


--
-- Name: room room_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.room
    ADD CONSTRAINT room_pkey PRIMARY KEY (id);


--
-- Name: seat seat_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.seat
    ADD CONSTRAINT seat_pkey PRIMARY KEY (room, number);


--
-- Name: secret secret_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);


--
-- Name: event_of_command; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX event_of_command ON public.event USING btree (room, client, command) WHERE (command <> ''::text);


--
-- Name: room_made_by; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX room_made_by ON public.event USING btree (client, command) WHERE ((version = 1) AND (command <> ''::text));


--
-- Name: room_of_definition; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX room_of_definition ON public.room USING btree (definition);


--
-- Name: room_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX room_open ON public.room USING btree (status, created_at DESC) WHERE (is_public AND (status < 2));


--
-- Name: seat_of_player; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX seat_of_player ON public.seat USING btree (player, created_at DESC, room);


--
-- Name: room room_definition_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.room
    ADD CONSTRAINT room_definition_fkey FOREIGN KEY (definition) REFERENCES public.definition(hash);


--
-- Name: seat seat_room_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.seat
    ADD CONSTRAINT seat_room_fkey FOREIGN KEY (room) REFERENCES public.room(id);


--
-- PostgreSQL database dump complete
--


