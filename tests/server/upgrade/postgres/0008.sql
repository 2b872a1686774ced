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
-- Name: note_pictures(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_pictures() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;
BEGIN
    PERFORM FROM picture p WHERE p.hash IN (SELECT pictures_named(NEW.text)) ORDER BY p.hash FOR UPDATE;
    UPDATE picture p SET at = greatest(p.at, now_ms) WHERE p.hash IN (SELECT pictures_named(NEW.text));
    INSERT INTO definition_picture SELECT NEW.hash, n FROM pictures_named(NEW.text) n;
    RETURN NULL;
END
$$;


--
-- Name: note_rated_game(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_rated_game() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: pictures_named(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.pictures_named(wanted text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT DISTINCT m[1] FROM regexp_matches(wanted, '([0-9a-f]{64})\.(?:svg|png)', 'g') m
$$;


--
-- Name: publish_game(text, text, smallint, text, text, text, text, text, bigint, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.publish_game(wanted text, wanted_publisher text, listing smallint, definition_hash text, definition_text text, game_title text, game_players text, made_from text, made_from_version bigint, made_at bigint, versions_max bigint) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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
        AND NOT EXISTS (SELECT FROM room r WHERE r.definition = d.hash)
        AND NOT EXISTS (SELECT FROM published p WHERE p.definition = d.hash) FOR UPDATE SKIP LOCKED);
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
-- Name: definition_picture; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.definition_picture (
    definition text NOT NULL,
    picture text NOT NULL COLLATE pg_catalog."C"
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
-- Name: picture; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.picture (
    hash text NOT NULL COLLATE pg_catalog."C",
    kind smallint NOT NULL,
    at bigint NOT NULL,
    bytes bytea NOT NULL
);


--
-- Name: published; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.published (
    name text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    definition text NOT NULL,
    title text NOT NULL,
    players text NOT NULL,
    ancestor text NOT NULL,
    ancestor_version bigint NOT NULL,
    at bigint NOT NULL
);


--
-- Name: published_game; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.published_game (
    name text NOT NULL COLLATE pg_catalog."C",
    publisher text NOT NULL,
    versions bigint NOT NULL,
    listed boolean NOT NULL,
    hidden boolean NOT NULL,
    updated_at bigint NOT NULL
);


--
-- Name: rated_count; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rated_count (
    number bigint NOT NULL
);


--
-- Name: rated_game; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rated_game (
    room text NOT NULL COLLATE pg_catalog."C",
    ladder text NOT NULL COLLATE pg_catalog."C",
    ended_at bigint NOT NULL,
    number bigint
);


--
-- Name: rated_side; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rated_side (
    number bigint NOT NULL,
    side integer NOT NULL,
    player text NOT NULL,
    taken_from text NOT NULL,
    score integer NOT NULL,
    games_before bigint NOT NULL,
    rating_before bigint NOT NULL,
    deviation_before bigint NOT NULL,
    volatility_before bigint NOT NULL,
    idle bigint NOT NULL,
    rating bigint NOT NULL,
    deviation bigint NOT NULL,
    volatility bigint NOT NULL
);


--
-- Name: rating; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rating (
    ladder text NOT NULL COLLATE pg_catalog."C",
    player text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    bot boolean NOT NULL,
    rating bigint NOT NULL,
    deviation bigint NOT NULL,
    volatility bigint NOT NULL,
    games bigint NOT NULL,
    won bigint NOT NULL,
    drawn bigint NOT NULL,
    rated_at bigint NOT NULL,
    sure_until bigint NOT NULL
);


--
-- Name: removed_room; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.removed_room (
    id text NOT NULL
);


--
-- Name: report; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.report (
    name text NOT NULL COLLATE pg_catalog."C",
    reporter text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    words text NOT NULL,
    at bigint NOT NULL
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
    owner text,
    due_at bigint,
    ladder text COLLATE pg_catalog."C"
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
c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d	{\n    "$schema": "../protocol/schema/game.schema.json",\n    "format": 2,\n    "name": "chess",\n    "title": "Chess",\n    "description": "Checkmate the enemy king. The king castles, two cells towards a rook, if neither has moved, nothing stands between, and it leaves, crosses and enters no attacked cell. A pawn's first step may be of two cells; it may then be taken in passing. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures, a position five times, 75 moves without capture or pawn's move; on claim three times, or 50 moves.",\n    "players": ["white", "black"],\n    "max_plies": 20000,\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "'abcdefgh'[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {"fill": "(x + y) % 2 ? '#f0dfc0' : '#a9805b'", "selector": "'#7fb2d9'", "highlighter": "'#8fbf6a'"}\n    },\n    "board": {\n        "cells": {"box": {"x": 8, "y": 8}},\n        "mirror": {"black": {"y": "7 - y"}},\n        "rotation_angle": {"white": 0, "black": 180}\n    },\n    "zones": {\n        "home": {"each": "y == 1"},\n        "last": {"each": "y == 7"},\n        "light": "(x + y) % 2 == 1",\n        "dark": "(x + y) % 2 == 0"\n    },\n    "movements": {\n        "rook": [{"x": 1, "symmetric": "all", "repeat": true}],\n        "bishop": [{"x": 1, "y": 1, "symmetric": "all", "repeat": true}]\n    },\n    "figures": {\n        "king": {"movement": [{"by": [{"x": 1}, {"x": 1, "y": 1}], "symmetric": "all"}]},\n        "queen": {"movement": ["rook", "bishop"]},\n        "rook": {"movement": ["rook"]},\n        "bishop": {"movement": ["bishop"]},\n        "knight": {"movement": [{"x": 1, "y": 2, "symmetric": "all"}]},\n        "pawn": {\n            "movement": [\n                {"y": 1, "for": "move"},\n                {"y": 1, "repeat": [2, 2], "for": "move", "if": {"self": {"zone": "home"}}, "mark": "passed_over"},\n                {"x": 1, "y": 1, "symmetric": "mirror", "for": "take", "takes_marked": "passed_over"}\n            ],\n            "promote": {"in": "last", "to": ["queen", "rook", "bishop", "knight"]}\n        }\n    },\n    "combined_movements": [\n        {"figures": [{"figure": "king", "unmoved": true, "by": {"x": 2}}, {"figure": "rook", "unmoved": true, "at": {"x": 3}, "by": {"x": -2}}],\n            "empty": [{"x": 1}, {"x": 2}], "safe": [{}, {"x": 1}, {"x": 2}], "notation": "O-O"},\n        {"figures": [{"figure": "king", "unmoved": true, "by": {"x": -2}}, {"figure": "rook", "unmoved": true, "at": {"x": -4}, "by": {"x": 3}}],\n            "empty": [{"x": -1}, {"x": -2}, {"x": -3}], "safe": [{}, {"x": -1}, {"x": -2}], "notation": "O-O-O"}],\n    "initial_position": {"each": {\n        "king": ["e1"],\n        "queen": ["d1"],\n        "rook": ["a1", "h1"],\n        "bishop": ["c1", "f1"],\n        "knight": ["b1", "g1"],\n        "pawn": [{"zone": "home"}]\n    }},\n    "turns": ["white", "black"],\n    "counters": {\n        "quiet": {"add": true, "reset": [{"previous": {"figure": "pawn"}}, {"previous": {"took": true}}]}\n    },\n    "forbid": [{"attacked": {"figure": "king", "player": "mover"}, "words": "would leave the king attacked"}],\n    "results": [\n        {"if": {"no_moves": true, "attacked": {"figure": "king", "player": "next"}}, "result": {"winner": "mover"}, "reason": "checkmate"},\n        {"if": {"no_moves": true}, "result": "draw", "reason": "stalemate"},\n        {\n            "if": [\n                {"count": {"is": {"figure": ["queen", "rook", "pawn"]}, "max": 0},\n                    "all": [{"count": {"is": {"figure": ["bishop", "knight"]}, "max": 1}}]},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "light"}, "min": 1}}},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "dark"}, "min": 1}}}\n            ],\n            "result": "draw", "reason": "insufficient material"\n        },\n        {"if": {"repetition": 5}, "result": "draw", "reason": "fivefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 150}}, "result": "draw", "reason": "75 moves without a capture or a pawn's move"},\n        {"if": {"repetition": 3}, "claim": true, "result": "draw", "reason": "threefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 100}}, "claim": true, "result": "draw", "reason": "50 moves without a capture or a pawn's move"},\n        {\n            "if": [\n                {"count": {"is": {"player": "mover"}, "max": 1}},\n                {"count": {"is": {"player": "mover"}, "max": 2}, "all": [\n                    {"count": {"is": {"figure": "knight", "player": "mover"}, "min": 1}},\n                    {"count": {"is": {"figure": ["rook", "bishop", "knight", "pawn"], "player": "next"}, "max": 0}}]},\n                {"count": {"is": {"figure": ["queen", "rook", "knight", "pawn"], "player": "mover"}, "max": 0}, "all": [\n                    {"count": {"is": {"figure": ["knight", "pawn"], "player": "next"}, "max": 0}},\n                    {"any": [{"count": {"is": {"figure": "bishop", "zone": "light"}, "max": 0}}, {"count": {"is": {"figure": "bishop", "zone": "dark"}, "max": 0}}]}]}\n            ],\n            "flag": true, "result": "draw", "reason": "time is over, but nothing is left to mate with"\n        }\n    ],\n    "notation": {\n        "figures": {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"},\n        "case": {"white": "upper", "black": "lower"},\n        "position": {\n            "rows": "y", "columns": "x",\n            "turn": {"white": "w", "black": "b"},\n            "fields": [\n                {"unmoved": {"K": ["e1", "h1"], "Q": ["e1", "a1"], "k": ["e8", "h8"], "q": ["e8", "a8"]}},\n                {"mark": "passed_over", "only_takeable": true},\n                {"counter": "quiet"},\n                {"move_number": 1}\n            ]\n        },\n        "moves": {\n            "coordinate": {"separator": "", "choice": "", "pass": "0000"},\n            "algebraic": {\n                "omit": ["pawn"], "parts": ["'abcdefgh'[x]", "y + 1"], "take": "x", "choice": "=",\n                "signs": [\n                    {"result": "won", "sign": "#"},\n                    {"if": {"attacked": {"figure": "king", "player": "next"}}, "sign": "+"}\n                ]\n            }\n        },\n        "pgn": {"variant": "Chess"}\n    },\n    "resources": {"images": {"figures": {\n        "white": {\n            "king": "chess/white-king.svg", "queen": "chess/white-queen.svg", "rook": "chess/white-rook.svg",\n            "bishop": "chess/white-bishop.svg", "knight": "chess/white-knight.svg", "pawn": "chess/white-pawn.svg"\n        },\n        "black": {\n            "king": "chess/black-king.svg", "queen": "chess/black-queen.svg", "rook": "chess/black-rook.svg",\n            "bishop": "chess/black-bishop.svg", "knight": "chess/black-knight.svg", "pawn": "chess/black-pawn.svg"\n        }\n    }}},\n    "tests": [\n        {"name": "time over: a lone king wins nothing by time", "position": "8/8/8/3k4/8/8/4PPPP/4K3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: a pawn might", "position": "8/8/8/3k4/3p4/8/4PPPP/4K3 w - - 0 1", "flag": ""},\n        {"name": "time over: a knight cannot mate a king with a queen", "position": "8/8/8/3k4/3n4/8/8/3QK3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: but one whose own rook stands in the way", "position": "8/8/8/3k4/3n4/8/8/3RK3 w - - 0 1", "flag": ""},\n        {"name": "time over: two knights might mate", "position": "8/8/8/3k4/3nn3/8/8/3QK3 w - - 0 1", "flag": ""},\n        {"name": "time over: nor can a bishop mate where there are only rooks and queens", "position": "8/8/8/3k4/3b4/8/8/2RQK3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: nor with bishops of that colour alone", "position": "8/8/8/3k4/3b4/8/8/2BRK3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: but with one of the other colour", "position": "8/8/8/3k4/3b4/8/8/3BK3 w - - 0 1", "flag": ""},\n        {"name": "time over: or where there is a knight in the way", "position": "8/8/8/3k4/3b4/8/8/3NK3 w - - 0 1", "flag": ""},\n        {"name": "the start", "perft": [20, 400, 8902]},\n        {"name": "castling, pins and promotions",\n            "position": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", "perft": [48, 2039, 97862]},\n        {"name": "en passant that would open a line to the king", "position": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",\n            "perft": [14, 191, 2812, 43238]},\n        {"name": "promotions under attack", "position": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",\n            "perft": [6, 264, 9467]},\n        {"name": "a pawn takes its way to promotion",\n            "position": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", "perft": [44, 1486, 62379]},\n        {"name": "a middle game", "position": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",\n            "perft": [46, 2079, 89890]},\n        {"name": "fool's mate", "moves": ["f3", "e5", "g4", "Qh4#"], "count": 0,\n            "result": {"winner": "black", "reason": "checkmate"}},\n        {"name": "stalemate", "position": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "count": 0, "result": {"draw": "stalemate"}},\n        {"name": "both ways of castling", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "count": 26,\n            "legal": ["O-O", "O-O-O"]},\n        {"name": "castling moves the rook too", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["O-O", "O-O-O"], "after": "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"},\n        {"name": "no castling through an attacked cell", "position": "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",\n            "legal": ["O-O-O"], "illegal": ["e1g1"]},\n        {"name": "no castling out of check", "position": "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "illegal": ["e1g1", "e1c1"]},\n        {"name": "only the rook may cross an attacked cell", "position": "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "legal": ["O-O-O"]},\n        {"name": "no castling with a figure between", "position": "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1",\n            "illegal": ["e1g1", "e1c1"]},\n        {"name": "no castling after the king or a rook has moved", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["Ke2", "Rg8", "Ke1", "Rh8"], "illegal": ["e1g1", "e1c1"], "after": "r3k2r/8/8/8/8/8/8/R3K2R w q - 4 3"},\n        {"name": "no castling with a rook that was taken", "position": "r3k2r/8/8/8/8/6n1/8/R3K2R b KQkq - 0 1",\n            "moves": ["Nxh1"], "illegal": ["e1g1"], "after": "r3k2r/8/8/8/8/8/8/R3K2n w Qkq - 0 2"},\n        {"name": "a rook that a pawn became is not the one that castles", "position": "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1",\n            "moves": ["bxa8=R+"], "after": "R3k3/8/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "en passant", "moves": ["e4", "a6", "e5", "d5"], "legal": ["exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"},\n        {"name": "en passant takes the pawn", "moves": ["e4", "a6", "e5", "d5", "exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},\n        {"name": "en passant only at once", "moves": ["e4", "a6", "e5", "d5", "a3", "a5"], "illegal": ["e5d6"]},\n        {"name": "no en passant of a single step", "moves": ["e4", "d6", "e5", "d5"], "illegal": ["e5d6"]},\n        {"name": "a pinned pawn does not take in passing", "position": "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "illegal": ["e5d6"]},\n        {"name": "a pawn chooses what to become", "position": "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "count": 9,\n            "legal": ["a8=Q", "a8=R", "a8=B", "a8=N"], "illegal": ["a7a8k", "a7a8p"]},\n        {"name": "a knight can be the better choice", "position": "8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "moves": ["c8=N+"],\n            "after": "2N5/4k3/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "check must be answered", "position": "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "count": 3,\n            "legal": ["Kxe2", "Kd1", "Kf1"], "illegal": [{"move": "a1a2", "because": "attacked"}]},\n        {"name": "a pinned figure stays on its line", "position": "4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1",\n            "legal": ["Rxe4+", "Re3"], "illegal": ["e2d2"]},\n        {"name": "two figures of a kind are told apart", "position": "4k3/8/8/8/8/8/3K4/R6R w - - 0 1",\n            "legal": ["Rad1", "Rhd1", "Ra8+"]},\n        {"name": "a position for the third time may be called a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "twice is not enough", "moves": ["Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing", "claim": ""},\n        {"name": "a lost right to castle makes another position", "position": "r3k3/8/8/8/8/8/8/4K2R w K - 0 1",\n            "moves": ["Rh2", "Ra7", "Rh1", "Ra8", "Rh2", "Ra7", "Rh1", "Ra8"], "result": "playing", "claim": ""},\n        {"name": "a pawn that may be taken in passing makes another position",\n            "position": "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a pawn that nobody can take in passing does not", "position": "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "nor does one whose only taker is pinned, on its line", "position": "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1",\n            "moves": ["e4", "Kc8", "Kb1", "Kd8", "Ka1", "Kc8", "Kb1", "Kd8", "Ka1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "or by the pawn that would be taken with it", "position": "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kh5", "Kd1", "Kh4", "Ke1", "Kh5", "Kd1", "Kh4", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "but it does where the pinned pawn takes along its line", "position": "8/8/8/2k5/3p4/8/4P3/4K1B1 w - - 0 1",\n            "moves": ["e4", "Kc6", "Kd1", "Kc5", "Ke1", "Kc6", "Kd1", "Kc5", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a position for the fifth time is a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"],\n            "result": {"draw": "fivefold repetition"}},\n        {"name": "50 quiet moves may be called a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "moves": ["Ra2"],\n            "result": "playing", "claim": "50 moves without a capture or a pawn's move"},\n        {"name": "75 quiet moves are a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "moves": ["Ra2"],\n            "result": {"draw": "75 moves without a capture or a pawn's move"}},\n        {"name": "checkmate goes before the 75 moves", "position": "k7/8/1K6/8/8/8/8/7R w - - 149 100", "moves": ["Rh8#"],\n            "result": {"winner": "white", "reason": "checkmate"}},\n        {"name": "two bare kings", "position": "8/8/4k3/8/8/3pK3/8/8 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "a king and a knight cannot mate", "position": "8/8/4k3/8/8/3pK3/8/1N6 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of one colour cannot mate", "position": "4kb2/8/8/8/8/8/3p4/2B1K3 w - - 0 1",\n            "moves": ["Kxd2"], "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of both colours can", "position": "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "result": "playing",\n            "claim": ""},\n        {"name": "two knights can", "position": "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "result": "playing"}\n    ],\n    "translations": {\n        "de": {"Chess": "Schach", "white": "Weiß", "black": "Schwarz", "king": "König", "queen": "Dame", "rook": "Turm", "bishop": "Läufer", "knight": "Springer", "pawn": "Bauer", "checkmate": "Matt", "stalemate": "Patt", "insufficient material": "ungenügendes Material", "fivefold repetition": "fünffache Stellungswiederholung", "75 moves without a capture or a pawn's move": "75 Züge ohne Schlag- oder Bauernzug", "threefold repetition": "dreifache Stellungswiederholung", "50 moves without a capture or a pawn's move": "50 Züge ohne Schlag- oder Bauernzug", "time is over, but nothing is left to mate with": "Zeit überschritten, aber zum Matt reicht das Material nicht", "would leave the king attacked": "den König angegriffen ließe", "Checkmate the enemy king. The king castles, two cells towards a rook, if neither has moved, nothing stands between, and it leaves, crosses and enters no attacked cell. A pawn's first step may be of two cells; it may then be taken in passing. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures, a position five times, 75 moves without capture or pawn's move; on claim three times, or 50 moves.": "Setze den gegnerischen König matt. Der König rochiert zwei Felder auf einen Turm zu, wenn keiner von beiden gezogen hat, nichts dazwischen steht und er kein angegriffenes Feld verlässt, überquert oder betritt. Der erste Zug eines Bauern darf zwei Felder weit sein; er kann dann en passant geschlagen werden. Auf der letzten Reihe wird er zu Dame, Turm, Läufer oder Springer. Remis: Patt, zu wenige Figuren, fünfmal dieselbe Stellung, 75 Züge ohne Schlag- oder Bauernzug; auf Verlangen dreimal, oder 50 Züge."},\n        "es": {"Chess": "Ajedrez", "white": "blancas", "black": "negras", "king": "rey", "queen": "dama", "rook": "torre", "bishop": "alfil", "knight": "caballo", "pawn": "peón", "checkmate": "jaque mate", "stalemate": "ahogado", "insufficient material": "material insuficiente", "fivefold repetition": "quíntuple repetición", "75 moves without a capture or a pawn's move": "75 jugadas sin captura ni movimiento de peón", "threefold repetition": "triple repetición", "50 moves without a capture or a pawn's move": "50 jugadas sin captura ni movimiento de peón", "time is over, but nothing is left to mate with": "tiempo agotado, pero sin material para dar mate", "would leave the king attacked": "dejaría al rey atacado", "Checkmate the enemy king. The king castles, two cells towards a rook, if neither has moved, nothing stands between, and it leaves, crosses and enters no attacked cell. A pawn's first step may be of two cells; it may then be taken in passing. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures, a position five times, 75 moves without capture or pawn's move; on claim three times, or 50 moves.": "Da jaque mate al rey enemigo. El rey se enroca dos casillas hacia una torre si ninguno se ha movido, nada se interpone y no deja, cruza ni ocupa una casilla atacada. El primer paso de un peón puede ser de dos casillas; entonces puede ser capturado al paso. En la última fila se convierte en dama, torre, alfil o caballo. Tablas: ahogado, muy pocas piezas, la misma posición cinco veces, 75 jugadas sin captura ni movimiento de peón; si se reclama, tres veces, o 50 jugadas."}\n    }\n}\n
3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a	{"name":"race","title":"A short race","players":["Ёж","the \\"second\\"","c"],"cell":{"coordinates_names":["x"],"geometry":[[0,0],[1,0],[1,1],[0,1]],"position":{"x":"x","y":"0"},"name":"'κ' + (x + 1)"},"board":{"cells":[{"x":0},{"x":1},{"x":2},{"x":3},{"x":4},{"x":5},{"x":6},{"x":7},{"x":8},{"x":9},{"x":10},{"x":11}]},"figures":{"stone":{"movement":[{"x":1},{"x":2},{"x":3}],"cell_actions":{"destination":[{"actions":["move"],"if":[{"computed":{"is_figure":false}}]}]}}},"initial_position":{"Ёж":{"stone":[{"x":0}]},"the \\"second\\"":{"stone":[{"x":1}]},"c":{"stone":[{"x":2}]}},"win_conditions":{"Ёж":[{"entity":"cell","filter":{"player":"Ёж","coordinates":{"x":11}},"type":"exists","result":true}],"the \\"second\\"":[{"entity":"cell","filter":{"player":"the \\"second\\"","coordinates":{"x":11}},"type":"exists","result":true}],"c":[{"entity":"cell","filter":{"player":"c","coordinates":{"x":11}},"type":"exists","result":true}]},"game_states":{"round":{"type":"next_move","next":"turn 0"},"turn 0":{"type":"move","parameters":{"player":"Ёж"},"next":"check 0"},"check 0":{"type":"check_win","parameters":{"player":"Ёж"},"next":[{"if":[{"result":true}],"state":"won 0"},{"if":[{"result":false}],"state":"turn 1"}]},"won 0":{"type":"end","winner":"Ёж","reason":"Ёж is home"},"turn 1":{"type":"move","parameters":{"player":"the \\"second\\""},"next":"check 1"},"check 1":{"type":"check_win","parameters":{"player":"the \\"second\\""},"next":[{"if":[{"result":true}],"state":"won 1"},{"if":[{"result":false}],"state":"turn 2"}]},"won 1":{"type":"end","winner":"the \\"second\\"","reason":"the \\"second\\" is home"},"turn 2":{"type":"move","parameters":{"player":"c"},"next":"check 2"},"check 2":{"type":"check_win","parameters":{"player":"c"},"next":[{"if":[{"result":true}],"state":"won 2"},{"if":[{"result":false}],"state":"round"}]},"won 2":{"type":"end","winner":"c","reason":"c is home"}},"initial_game_state":"turn 0"}
6d21726fca50de9da0a13702bcac2d65a354497bb233eefaa03d89a983bd4c5c	{\n    "$schema": "../protocol/schema/game.schema.json",\n    "format": 2,\n    "name": "checkers",\n    "title": "Checkers",\n    "description": "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.",\n    "players": ["white", "black"],\n    "max_plies": 400,\n    "stuck": "loss",\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "'abcdefgh'[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {\n            "fill": "(x + y) % 2 ? '#efe6d2' : '#6f8f72'",\n            "selector": "'#7fb2d9'",\n            "highlighter": "'#d9c25f'"\n        }\n    },\n    "board": {\n        "cells": {"box": {"x": 8, "y": 8}},\n        "mirror": {"black": {"x": "7 - x", "y": "7 - y"}},\n        "rotation_angle": {"white": 0, "black": 180}\n    },\n    "zones": {"home": {"each": "y < 3 && (x + y) % 2 == 0"}, "last": {"each": "y == 7"}},\n    "figures": {\n        "man": {\n            "movement": [\n                {"x": 1, "y": 1, "symmetric": "mirror", "for": "move"},\n                {"x": 1, "y": 1, "symmetric": "mirror", "repeat": [2, 2], "over": "enemy", "for": "take", "takes": "jumped"}\n            ],\n            "promote": {"in": "last", "to": "king"}\n        },\n        "king": {\n            "movement": [\n                {"x": 1, "y": 1, "symmetric": "all", "for": "move"},\n                {"x": 1, "y": 1, "symmetric": "all", "repeat": [2, 2], "over": "enemy", "for": "take", "takes": "jumped"}\n            ]\n        }\n    },\n    "initial_position": {"each": {"man": [{"zone": "home"}]}},\n    "resources": {"images": {\n        "figures": {\n            "white": {\n                "man": "checkers/white-man.svg",\n                "king": "checkers/white-king.svg"\n            },\n            "black": {\n                "man": "checkers/black-man.svg",\n                "king": "checkers/black-king.svg"\n            }\n        }\n    }},\n    "win_conditions": {\n        "white": [{"entity": "cell", "filter": {"player": "black"}, "type": "exists", "result": false}],\n        "black": [{"entity": "cell", "filter": {"player": "white"}, "type": "exists", "result": false}]\n    },\n    "game_states": {\n        "white_move": {"type": "move", "parameters": {"player": "white"}, "next": "did_white_win"},\n        "did_white_win": {"type": "check_win", "parameters": {"player": "white"}, "next": [\n            {"if": [{"result": true}], "state": "white_won"},\n            {"if": [{"result": false}], "state": "black_move"}\n        ]},\n        "black_move": {"type": "move", "parameters": {"player": "black"}, "next": "did_black_win"},\n        "did_black_win": {"type": "check_win", "parameters": {"player": "black"}, "next": [\n            {"if": [{"result": true}], "state": "black_won"},\n            {"if": [{"result": false}], "state": "count_move"}\n        ]},\n        "count_move": {"type": "next_move", "next": "white_move"},\n        "white_won": {"type": "end", "winner": "white", "reason": "black has no figures left"},\n        "black_won": {"type": "end", "winner": "black", "reason": "white has no figures left"}\n    },\n    "initial_game_state": "white_move",\n    "tests": [\n        {"name": "the start", "perft": [7, 49, 379, 2872, 23582], "legal": ["c3-d4", "a3-b4"], "illegal": ["c3-c4", "c3-d3", "a1-b2", "d6-c5"]},\n        {"name": "nobody has to take", "moves": ["c3-d4", "f6-e5"], "legal": ["d4-f6", "d4-c5", "a3-b4"], "illegal": ["d4-e5", "d4-c3"]},\n        {"name": "a turn is one jump", "moves": ["c3-d4", "f6-e5", "d4-f6"], "legal": ["e7-g5", "g7-e5"], "illegal": ["f6-g5"]},\n        {"name": "a man that jumps to the last row is a king there", "moves": ["g3-f4", "h6-g5", "a3-b4", "g7-h6", "e3-d4", "d6-e5", "f4-d6", "f8-g7", "d6-f8", "b6-a5"], "legal": ["f8-e7"]}\n    ],\n    "translations": {\n        "de": {"Checkers": "Einfache Dame", "white": "Weiß", "black": "Schwarz", "man": "Stein", "king": "Dame", "black has no figures left": "Schwarz hat keine Steine mehr", "white has no figures left": "Weiß hat keine Steine mehr", "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.": "Steine ziehen ein Feld schräg vorwärts, Damen ein Feld schräg in jede Richtung. Springe über einen Gegner neben dir auf das leere Feld dahinter und schlage ihn: Steine vorwärts, Damen in jede Richtung. Schlagen ist nie Pflicht, und ein Zug ist ein Schritt oder ein Sprung. Ein Stein, der die letzte Reihe erreicht, wird zur Dame. Du gewinnst, wenn der Gegner keine Steine mehr hat oder nicht ziehen kann."},\n        "es": {"Checkers": "Damas sencillas", "white": "blancas", "black": "negras", "man": "peón", "king": "dama", "black has no figures left": "las negras no tienen piezas", "white has no figures left": "las blancas no tienen piezas", "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.": "Los peones avanzan una casilla en diagonal; las damas, una casilla en diagonal en cualquier dirección. Salta sobre un rival contiguo a la casilla vacía de detrás y captúralo: los peones hacia delante, las damas en cualquier dirección. Capturar nunca es obligatorio, y un turno es un paso o un salto. Un peón que llega a la última fila se convierte en dama. Ganas cuando el rival no tiene piezas o no puede mover."}\n    }\n}\n
\.


--
-- Data for Name: definition_picture; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.definition_picture (definition, picture) FROM stdin;
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (room, version, epoch, client, command, kind, at, body) FROM stdin;
exjDRL7H6zvZpeFICC	1	1	p_k8-5iKKRNlEFgcr2	uibwnk-2	created	1795947740501	{"game":"chess"}
exjDRL7H6zvZpeFICC	2	1	p_k8-5iKKRNlEFgcr2	uibwnk-3	joined	1795947740504	{"seats":["black"],"seat":"black","player":"p_k8-5iKKRNlEFgcr2","name":"black","as":"human"}
Q1vy3uulaXiCuEUZlp	1	1	p_u6c5a2sdUuFTjP8y	wz2klk-2	created	1795947740508	{"game":"chess"}
Q1vy3uulaXiCuEUZlp	2	1	p_u6c5a2sdUuFTjP8y	wz2klk-3	joined	1795947740509	{"seats":["white"],"seat":"white","player":"p_u6c5a2sdUuFTjP8y","name":"white","as":"human"}
Q1vy3uulaXiCuEUZlp	3	1	p_ofMabtZC-q6lCXBJ	qnu2xi-2	joined	1795947740510	{"seats":["black"],"seat":"black","player":"p_ofMabtZC-q6lCXBJ","name":"black","as":"human"}
znIa4Ary8qF2LWBk9g	1	1	p_1xO7CNTL0Ck6dAOC	q6vaig-2	created	1795947740514	{"game":"chess"}
znIa4Ary8qF2LWBk9g	2	1	p_1xO7CNTL0Ck6dAOC	q6vaig-3	joined	1795947740515	{"seats":["white"],"seat":"white","player":"p_1xO7CNTL0Ck6dAOC","name":"white","as":"human"}
znIa4Ary8qF2LWBk9g	3	1	p_DysymSJbJ-uyh8mS	6prvzk-2	joined	1795947740516	{"seats":["black"],"seat":"black","player":"p_DysymSJbJ-uyh8mS","name":"black","as":"human"}
efMbfXGJhASFSPQDwt	1	1	p_WFgHlvueR86x5tcg	cl7un3-2	created	1795947740524	{"game":"","language":2}
efMbfXGJhASFSPQDwt	2	1	p_WFgHlvueR86x5tcg	cl7un3-3	joined	1795947740525	{"seats":["Ёж"],"seat":"Ёж","player":"p_WFgHlvueR86x5tcg","name":"Ёж","as":"human"}
efMbfXGJhASFSPQDwt	3	1	p_XNXZav9oqoPp8CaZ	qz2u0e-2	joined	1795947740526	{"seats":["the \\"second\\""],"seat":"the \\"second\\"","player":"p_XNXZav9oqoPp8CaZ","name":"the \\"second\\"","as":"human"}
efMbfXGJhASFSPQDwt	4	1	p_T7bmLu0g9fIzzlGB	c5ri89-2	joined	1795947740527	{"seats":["c"],"seat":"c","player":"p_T7bmLu0g9fIzzlGB","name":"c","as":"human"}
qy0FOYqIshFWbusvXj	1	1	p_WK7q2Av1SiDhjhrn	1ltub2-2	created	1795947740531	{"game":"checkers"}
qy0FOYqIshFWbusvXj	2	1	p_WK7q2Av1SiDhjhrn	1ltub2-3	joined	1795947740533	{"seats":["white"],"seat":"white","player":"p_WK7q2Av1SiDhjhrn","name":"white","as":"human"}
qArHgPWoEaEWLfRvSi	1	1	p_xqVClTGPdwuSVia2	oudoq5-2	created	1795947740541	{"game":"chess","clock":{"initial_ms":20000}}
qArHgPWoEaEWLfRvSi	2	1	p_xqVClTGPdwuSVia2	oudoq5-3	joined	1795947740544	{"seats":["white"],"seat":"white","player":"p_xqVClTGPdwuSVia2","name":"white","as":"human"}
qArHgPWoEaEWLfRvSi	3	1	p_vuqSin5yrp2WdJdd	q743z7-2	joined	1795947740544	{"seats":["black"],"seat":"black","player":"p_vuqSin5yrp2WdJdd","name":"black","as":"human"}
qArHgPWoEaEWLfRvSi	4	1	p_xqVClTGPdwuSVia2	oudoq5-5	moved	1795947740546	{"seat":"white","move":{"from":"e2","to":"e4"}}
qArHgPWoEaEWLfRvSi	5	1	p_vuqSin5yrp2WdJdd	q743z7-4	moved	1795947740547	{"seat":"black","move":{"from":"e7","to":"e5"}}
Q1vy3uulaXiCuEUZlp	4	1	p_u6c5a2sdUuFTjP8y	wz2klk-5	moved	1795947740548	{"seat":"white","move":{"from":"e2","to":"e4"}}
Q1vy3uulaXiCuEUZlp	5	1	p_ofMabtZC-q6lCXBJ	qnu2xi-4	moved	1795947740549	{"seat":"black","move":{"from":"e7","to":"e5"}}
Q1vy3uulaXiCuEUZlp	6	1	p__v9uPaFvQjLiwt6_	fso2vc-4	chat	1795947740550	{"player":"p__v9uPaFvQjLiwt6_","name":"spectator","text":"kept"}
Q1vy3uulaXiCuEUZlp	7	1	p_u6c5a2sdUuFTjP8y	wz2klk-6	draw_offered	1795947740551	{"seat":"white"}
znIa4Ary8qF2LWBk9g	4	1	p_1xO7CNTL0Ck6dAOC	q6vaig-5	moved	1795947740552	{"seat":"white","move":{"from":"e2","to":"e4"}}
znIa4Ary8qF2LWBk9g	5	1	p_DysymSJbJ-uyh8mS	6prvzk-4	moved	1795947740555	{"seat":"black","move":{"from":"e7","to":"e5"}}
znIa4Ary8qF2LWBk9g	6	1	p_1xO7CNTL0Ck6dAOC	q6vaig-6	moved	1795947740556	{"seat":"white","move":{"from":"f1","to":"c4"}}
znIa4Ary8qF2LWBk9g	7	1	p_DysymSJbJ-uyh8mS	6prvzk-5	moved	1795947740557	{"seat":"black","move":{"from":"b8","to":"c6"}}
znIa4Ary8qF2LWBk9g	8	1	p_1xO7CNTL0Ck6dAOC	q6vaig-7	moved	1795947740558	{"seat":"white","move":{"from":"d1","to":"h5"}}
znIa4Ary8qF2LWBk9g	9	1	p_DysymSJbJ-uyh8mS	6prvzk-6	moved	1795947740558	{"seat":"black","move":{"from":"g8","to":"f6"}}
znIa4Ary8qF2LWBk9g	10	1	p_1xO7CNTL0Ck6dAOC	q6vaig-8	moved	1795947740559	{"seat":"white","move":{"from":"h5","to":"f7"}}
znIa4Ary8qF2LWBk9g	11	1	p_DysymSJbJ-uyh8mS	6prvzk-7	rematch_offered	1795947740560	{"seat":"black"}
efMbfXGJhASFSPQDwt	5	1	p_WFgHlvueR86x5tcg	cl7un3-5	moved	1795947740561	{"seat":"Ёж","move":{"from":"κ1","to":"κ4"}}
qy0FOYqIshFWbusvXj	3	1	p_HLRxUliNnPxMFeNQ	23exyvzoc0ek9-2	joined	1795947740561	{"seats":["black"],"seat":"black","player":"p_HLRxUliNnPxMFeNQ","name":"Senet's bot","as":"bot","house":true}
\.


--
-- Data for Name: node; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.node (id, place, url, lease_until, backend, backend_since) FROM stdin;
n_ZOtYTrf7qf6FowOm	d8786fac-867e-4c19-b72f-417c93f43c33 net:[4026531833] 127.0.0.1:36873		2026-11-29 10:22:23.493432+00	28082	2026-11-29 10:22:20.465324+00
\.


--
-- Data for Name: picture; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.picture (hash, kind, at, bytes) FROM stdin;
\.


--
-- Data for Name: published; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.published (name, version, definition, title, players, ancestor, ancestor_version, at) FROM stdin;
\.


--
-- Data for Name: published_game; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.published_game (name, publisher, versions, listed, hidden, updated_at) FROM stdin;
\.


--
-- Data for Name: rated_count; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.rated_count (number) FROM stdin;
0
\.


--
-- Data for Name: rated_game; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.rated_game (room, ladder, ended_at, number) FROM stdin;
\.


--
-- Data for Name: rated_side; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.rated_side (number, side, player, taken_from, score, games_before, rating_before, deviation_before, volatility_before, idle, rating, deviation, volatility) FROM stdin;
\.


--
-- Data for Name: rating; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.rating (ladder, player, name, bot, rating, deviation, volatility, games, won, drawn, rated_at, sure_until) FROM stdin;
\.


--
-- Data for Name: removed_room; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.removed_room (id) FROM stdin;
\.


--
-- Data for Name: report; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.report (name, reporter, version, words, at) FROM stdin;
\.


--
-- Data for Name: room; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.room (id, game, title, definition, is_public, status, created_at, players, version, epoch, owner, due_at, ladder) FROM stdin;
exjDRL7H6zvZpeFICC	chess	Chess	c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d	t	0	1795947740501	["white","black"]	2	1	n_ZOtYTrf7qf6FowOm	\N	\N
qArHgPWoEaEWLfRvSi	chess	Chess	c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d	t	1	1795947740541	["white","black"]	5	1	n_ZOtYTrf7qf6FowOm	1795947800541	\N
efMbfXGJhASFSPQDwt		A short race	3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a	f	1	1795947740524	["Ёж","the \\"second\\"","c"]	5	1	n_ZOtYTrf7qf6FowOm	\N	\N
qy0FOYqIshFWbusvXj	checkers	Checkers	6d21726fca50de9da0a13702bcac2d65a354497bb233eefaa03d89a983bd4c5c	t	1	1795947740531	["white","black"]	3	1	n_ZOtYTrf7qf6FowOm	\N	\N
Q1vy3uulaXiCuEUZlp	chess	Chess	c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d	t	1	1795947740508	["white","black"]	7	1	n_ZOtYTrf7qf6FowOm	\N	\N
znIa4Ary8qF2LWBk9g	chess	Chess	c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d	t	2	1795947740514	["white","black"]	11	1	n_ZOtYTrf7qf6FowOm	\N	\N
\.


--
-- Data for Name: seat; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.seat (room, number, seat, player, token_hash, name, bot, house, created_at) FROM stdin;
exjDRL7H6zvZpeFICC	0	black	p_k8-5iKKRNlEFgcr2	93cfb988a29136510581caf6d6f4ce921f97a9984830c9b7ced0e0dec4f4702f	black	f	f	1795947740501
Q1vy3uulaXiCuEUZlp	0	white	p_u6c5a2sdUuFTjP8y	bba7396b6b1d52e1538cff32cfb935c5943a71aad0853954ccc5d94d3ee561c9	white	f	f	1795947740508
Q1vy3uulaXiCuEUZlp	1	black	p_ofMabtZC-q6lCXBJ	a1f31a6ed642faaea5097049e663d4337d7620956084b83834cbc0553a4e859d	black	f	f	1795947740508
znIa4Ary8qF2LWBk9g	0	white	p_1xO7CNTL0Ck6dAOC	d713bb08d4cbd0293a7403821e175c4311e4629bf2dc43bcea2d94d29f29506a	white	f	f	1795947740514
znIa4Ary8qF2LWBk9g	1	black	p_DysymSJbJ-uyh8mS	0f2b3299225b27ebb287c9926881e949628b81e0827507353399095889629232	black	f	f	1795947740514
efMbfXGJhASFSPQDwt	0	Ёж	p_WFgHlvueR86x5tcg	58580796fb9e47ceb1e6d720b6232ba2aac7b0024df9eaf9971278e7bfba6bc1	Ёж	f	f	1795947740524
efMbfXGJhASFSPQDwt	1	the "second"	p_XNXZav9oqoPp8CaZ	5cd5d96aff68aa83e9f02699b6bf3c19147169c815dd00640a80400d6f44184f	the "second"	f	f	1795947740524
efMbfXGJhASFSPQDwt	2	c	p_T7bmLu0g9fIzzlGB	4fb6e62eed20f5f233ce5181c250d04ddfec82ade3057ebcfab896588b998d05	c	f	f	1795947740524
qArHgPWoEaEWLfRvSi	0	white	p_xqVClTGPdwuSVia2	c6a54295318f770b925626b6f92309be24cb8a9b559132676ad68dd272ed0347	white	f	f	1795947740541
qArHgPWoEaEWLfRvSi	1	black	p_vuqSin5yrp2WdJdd	beea928a7e72ae9d9674975de40b96126c42b138fbd75c59b70d9c94ea78beab	black	f	f	1795947740541
qy0FOYqIshFWbusvXj	0	white	p_WK7q2Av1SiDhjhrn	58aeead80bf54a20e18e1ae72810502de112f7c6ea548fdd280e3dc6832e4cdf	white	f	f	1795947740531
qy0FOYqIshFWbusvXj	1	black	p_HLRxUliNnPxMFeNQ	1cb47152588d9cfc4c15e350145aa0f3ddd442792412d2193e376334c0a1ed04	Senet's bot	t	t	1795947740531
\.


--
-- Data for Name: secret; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.secret (name, value) FROM stdin;
server	ab4724dbbd31fef66fde0b008301ce39751a0d9a98696bd9b28e5eaaebc682e8
\.


--
-- Data for Name: senet_schema; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.senet_schema (version) FROM stdin;
8
\.


--
-- Name: definition_picture definition_picture_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.definition_picture
    ADD CONSTRAINT definition_picture_pkey PRIMARY KEY (definition, picture);


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
-- Name: picture picture_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.picture
    ADD CONSTRAINT picture_pkey PRIMARY KEY (hash);


--
-- Name: published_game published_game_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.published_game
    ADD CONSTRAINT published_game_pkey PRIMARY KEY (name);


--
-- Name: published published_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.published
    ADD CONSTRAINT published_pkey PRIMARY KEY (name, version);


--
-- Name: rated_game rated_game_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rated_game
    ADD CONSTRAINT rated_game_number_key UNIQUE (number);


--
-- Name: rated_game rated_game_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rated_game
    ADD CONSTRAINT rated_game_pkey PRIMARY KEY (room);


--
-- Name: rated_side rated_side_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rated_side
    ADD CONSTRAINT rated_side_pkey PRIMARY KEY (number, side);


--
-- Name: rating rating_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rating
    ADD CONSTRAINT rating_pkey PRIMARY KEY (ladder, player);


--
-- Name: removed_room removed_room_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.removed_room
    ADD CONSTRAINT removed_room_pkey PRIMARY KEY (id);


--
-- Name: report report_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report
    ADD CONSTRAINT report_pkey PRIMARY KEY (name, reporter);


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
-- Name: definition_of_picture; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX definition_of_picture ON public.definition_picture USING btree (picture);


--
-- Name: event_of_command; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX event_of_command ON public.event USING btree (room, client, command) WHERE (command <> ''::text);


--
-- Name: published_game_listed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX published_game_listed ON public.published_game USING btree (updated_at DESC, name DESC) WHERE (listed AND (NOT hidden));


--
-- Name: published_of_definition; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX published_of_definition ON public.published USING btree (definition);


--
-- Name: rated_game_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rated_game_waiting ON public.rated_game USING btree (ended_at, room) WHERE (number IS NULL);


--
-- Name: rating_of_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rating_of_age ON public.rating USING btree (rated_at);


--
-- Name: rating_of_ladder; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rating_of_ladder ON public.rating USING btree (ladder, rating DESC, player);


--
-- Name: room_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX room_due ON public.room USING btree (due_at) WHERE ((status = 1) AND (due_at IS NOT NULL));


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
-- Name: definition definition_names; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER definition_names AFTER INSERT ON public.definition FOR EACH ROW EXECUTE FUNCTION public.note_pictures();


--
-- Name: room rated_game_gone; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rated_game_gone AFTER DELETE ON public.room FOR EACH ROW WHEN ((old.ladder IS NOT NULL)) EXECUTE FUNCTION public.note_rated_game();


--
-- Name: room rated_game_over; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rated_game_over AFTER UPDATE OF status ON public.room FOR EACH ROW WHEN (((new.status = 2) AND (old.status < 2) AND (new.ladder IS NOT NULL))) EXECUTE FUNCTION public.note_rated_game();


--
-- Name: definition_picture definition_picture_definition_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.definition_picture
    ADD CONSTRAINT definition_picture_definition_fkey FOREIGN KEY (definition) REFERENCES public.definition(hash) ON DELETE CASCADE;


--
-- Name: published published_definition_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.published
    ADD CONSTRAINT published_definition_fkey FOREIGN KEY (definition) REFERENCES public.definition(hash);


--
-- Name: published published_name_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.published
    ADD CONSTRAINT published_name_fkey FOREIGN KEY (name) REFERENCES public.published_game(name);


--
-- Name: report report_name_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report
    ADD CONSTRAINT report_name_fkey FOREIGN KEY (name) REFERENCES public.published_game(name);


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


