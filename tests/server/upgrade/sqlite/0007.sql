PRAGMA application_id = 1399156340;
PRAGMA user_version = 7;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE definition (
    hash TEXT PRIMARY KEY, -- SHA-256 of the text, in hexadecimal
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO definition VALUES('3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a','{"name":"race","title":"A short race","players":["Ёж","the \"second\"","c"],"cell":{"coordinates_names":["x"],"geometry":[[0,0],[1,0],[1,1],[0,1]],"position":{"x":"x","y":"0"},"name":"''κ'' + (x + 1)"},"board":{"cells":[{"x":0},{"x":1},{"x":2},{"x":3},{"x":4},{"x":5},{"x":6},{"x":7},{"x":8},{"x":9},{"x":10},{"x":11}]},"figures":{"stone":{"movement":[{"x":1},{"x":2},{"x":3}],"cell_actions":{"destination":[{"actions":["move"],"if":[{"computed":{"is_figure":false}}]}]}}},"initial_position":{"Ёж":{"stone":[{"x":0}]},"the \"second\"":{"stone":[{"x":1}]},"c":{"stone":[{"x":2}]}},"win_conditions":{"Ёж":[{"entity":"cell","filter":{"player":"Ёж","coordinates":{"x":11}},"type":"exists","result":true}],"the \"second\"":[{"entity":"cell","filter":{"player":"the \"second\"","coordinates":{"x":11}},"type":"exists","result":true}],"c":[{"entity":"cell","filter":{"player":"c","coordinates":{"x":11}},"type":"exists","result":true}]},"game_states":{"round":{"type":"next_move","next":"turn 0"},"turn 0":{"type":"move","parameters":{"player":"Ёж"},"next":"check 0"},"check 0":{"type":"check_win","parameters":{"player":"Ёж"},"next":[{"if":[{"result":true}],"state":"won 0"},{"if":[{"result":false}],"state":"turn 1"}]},"won 0":{"type":"end","winner":"Ёж","reason":"Ёж is home"},"turn 1":{"type":"move","parameters":{"player":"the \"second\""},"next":"check 1"},"check 1":{"type":"check_win","parameters":{"player":"the \"second\""},"next":[{"if":[{"result":true}],"state":"won 1"},{"if":[{"result":false}],"state":"turn 2"}]},"won 1":{"type":"end","winner":"the \"second\"","reason":"the \"second\" is home"},"turn 2":{"type":"move","parameters":{"player":"c"},"next":"check 2"},"check 2":{"type":"check_win","parameters":{"player":"c"},"next":[{"if":[{"result":true}],"state":"won 2"},{"if":[{"result":false}],"state":"round"}]},"won 2":{"type":"end","winner":"c","reason":"c is home"}},"initial_game_state":"turn 0"}');
INSERT INTO definition VALUES('6f7400f2e1ecfecc2c50756434e4c887ecf72549541d9563e8c793395167ea69',replace('{\n    "$schema": "../protocol/schema/game.schema.json",\n    "format": 2,\n    "name": "checkers",\n    "title": "Checkers",\n    "description": "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.",\n    "players": ["white", "black"],\n    "max_plies": 400,\n    "no_moves": "loss",\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "''abcdefgh''[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {\n            "fill": "(x + y) % 2 ? ''#efe6d2'' : ''#6f8f72''",\n            "selector": "''#7fb2d9''",\n            "highlighter": "''#d9c25f''"\n        }\n    },\n    "board": {\n        "cells": {"box": {"x": 8, "y": 8}},\n        "mirror": {"black": {"x": "7 - x", "y": "7 - y"}},\n        "rotation_angle": {"white": 0, "black": 180}\n    },\n    "zones": {"home": {"each": "y < 3 && (x + y) % 2 == 0"}, "last": {"each": "y == 7"}},\n    "figures": {\n        "man": {\n            "movement": [\n                {"x": 1, "y": 1, "symmetric": "mirror", "for": "move"},\n                {"x": 1, "y": 1, "symmetric": "mirror", "repeat": [2, 2], "over": "enemy", "for": "take", "takes": "jumped"}\n            ],\n            "promote": {"in": "last", "to": "king"}\n        },\n        "king": {\n            "movement": [\n                {"x": 1, "y": 1, "symmetric": "all", "for": "move"},\n                {"x": 1, "y": 1, "symmetric": "all", "repeat": [2, 2], "over": "enemy", "for": "take", "takes": "jumped"}\n            ]\n        }\n    },\n    "initial_position": {"each": {"man": [{"zone": "home"}]}},\n    "resources": {"images": {\n        "figures": {\n            "white": {\n                "man": "checkers/white-man.svg",\n                "king": "checkers/white-king.svg"\n            },\n            "black": {\n                "man": "checkers/black-man.svg",\n                "king": "checkers/black-king.svg"\n            }\n        }\n    }},\n    "win_conditions": {\n        "white": [{"entity": "cell", "filter": {"player": "black"}, "type": "exists", "result": false}],\n        "black": [{"entity": "cell", "filter": {"player": "white"}, "type": "exists", "result": false}]\n    },\n    "game_states": {\n        "white_move": {"type": "move", "parameters": {"player": "white"}, "next": "did_white_win"},\n        "did_white_win": {"type": "check_win", "parameters": {"player": "white"}, "next": [\n            {"if": [{"result": true}], "state": "white_won"},\n            {"if": [{"result": false}], "state": "black_move"}\n        ]},\n        "black_move": {"type": "move", "parameters": {"player": "black"}, "next": "did_black_win"},\n        "did_black_win": {"type": "check_win", "parameters": {"player": "black"}, "next": [\n            {"if": [{"result": true}], "state": "black_won"},\n            {"if": [{"result": false}], "state": "count_move"}\n        ]},\n        "count_move": {"type": "next_move", "next": "white_move"},\n        "white_won": {"type": "end", "winner": "white", "reason": "black has no figures left"},\n        "black_won": {"type": "end", "winner": "black", "reason": "white has no figures left"}\n    },\n    "initial_game_state": "white_move",\n    "tests": [\n        {"name": "the start", "perft": [7, 49, 379, 2872, 23582], "legal": ["c3-d4", "a3-b4"], "illegal": ["c3-c4", "c3-d3", "a1-b2", "d6-c5"]},\n        {"name": "nobody has to take", "moves": ["c3-d4", "f6-e5"], "legal": ["d4-f6", "d4-c5", "a3-b4"], "illegal": ["d4-e5", "d4-c3"]},\n        {"name": "a turn is one jump", "moves": ["c3-d4", "f6-e5", "d4-f6"], "legal": ["e7-g5", "g7-e5"], "illegal": ["f6-g5"]},\n        {"name": "a man that jumps to the last row is a king there", "moves": ["g3-f4", "h6-g5", "a3-b4", "g7-h6", "e3-d4", "d6-e5", "f4-d6", "f8-g7", "d6-f8", "b6-a5"], "legal": ["f8-e7"]}\n    ]\n}\n','\n',char(10)));
INSERT INTO definition VALUES('dd2e11fac30c7e20451ea25e37f11ec5d316540420fd2f78c69fd9b026dc3f8c',replace('{\n    "$schema": "../protocol/schema/game.schema.json",\n    "format": 2,\n    "name": "chess",\n    "title": "Chess",\n    "description": "Checkmate the enemy king. The king castles by two cells towards a rook when neither has moved, nothing stands between them, and no cell it stands on, crosses or reaches is attacked. A pawn may step two cells from its first row, and may then at once be taken as if it had stepped one. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures to mate, the same position five times, 75 moves without a capture or a pawn''s move; and, if who is to move claims it, the same position three times, or 50 such moves.",\n    "players": ["white", "black"],\n    "max_plies": 20000,\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "''abcdefgh''[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {"fill": "(x + y) % 2 ? ''#f0dfc0'' : ''#a9805b''", "selector": "''#7fb2d9''", "highlighter": "''#8fbf6a''"}\n    },\n    "board": {\n        "cells": {"box": {"x": 8, "y": 8}},\n        "mirror": {"black": {"y": "7 - y"}},\n        "rotation_angle": {"white": 0, "black": 180}\n    },\n    "zones": {\n        "home": {"each": "y == 1"},\n        "last": {"each": "y == 7"},\n        "light": "(x + y) % 2 == 1",\n        "dark": "(x + y) % 2 == 0"\n    },\n    "movements": {\n        "rook": [{"x": 1, "symmetric": "all", "repeat": true}],\n        "bishop": [{"x": 1, "y": 1, "symmetric": "all", "repeat": true}]\n    },\n    "figures": {\n        "king": {"movement": [{"x": 1, "symmetric": "all"}, {"x": 1, "y": 1, "symmetric": "all"}]},\n        "queen": {"movement": ["rook", "bishop"]},\n        "rook": {"movement": ["rook"]},\n        "bishop": {"movement": ["bishop"]},\n        "knight": {"movement": [{"x": 1, "y": 2, "symmetric": "all"}]},\n        "pawn": {\n            "movement": [\n                {"y": 1, "for": "move"},\n                {"y": 1, "repeat": [2, 2], "for": "move", "if": {"self": {"zone": "home"}}, "mark": "passed_over"},\n                {"x": 1, "y": 1, "symmetric": "mirror", "for": "take", "takes_marked": "passed_over"}\n            ],\n            "promote": {"in": "last", "to": ["queen", "rook", "bishop", "knight"]}\n        }\n    },\n    "complex_movement": [\n        {\n            "figures": [\n                {"figure": "king", "unmoved": true, "coordinates_delta": {"x": 2}},\n                {"figure": "rook", "unmoved": true, "relative_position": {"x": 3}, "coordinates_delta": {"x": -2}}\n            ],\n            "empty": [{"x": 1}, {"x": 2}],\n            "safe": [{}, {"x": 1}, {"x": 2}],\n            "notation": "O-O"\n        },\n        {\n            "figures": [\n                {"figure": "king", "unmoved": true, "coordinates_delta": {"x": -2}},\n                {"figure": "rook", "unmoved": true, "relative_position": {"x": -4}, "coordinates_delta": {"x": 3}}\n            ],\n            "empty": [{"x": -1}, {"x": -2}, {"x": -3}],\n            "safe": [{}, {"x": -1}, {"x": -2}],\n            "notation": "O-O-O"\n        }\n    ],\n    "initial_position": {"each": {\n        "king": ["e1"],\n        "queen": ["d1"],\n        "rook": ["a1", "h1"],\n        "bishop": ["c1", "f1"],\n        "knight": ["b1", "g1"],\n        "pawn": [{"zone": "home"}]\n    }},\n    "turns": ["white", "black"],\n    "counters": {\n        "quiet": {"add": true, "reset": [{"previous": {"figure": "pawn"}}, {"previous": {"took": true}}]}\n    },\n    "forbid": [{"attacked": {"figure": "king", "player": "mover"}, "words": "would leave the king attacked"}],\n    "results": [\n        {"if": {"no_moves": true, "attacked": {"figure": "king", "player": "next"}}, "result": {"winner": "mover"}, "reason": "checkmate"},\n        {"if": {"no_moves": true}, "result": "draw", "reason": "stalemate"},\n        {\n            "if": [\n                {"count": {"is": {"figure": ["queen", "rook", "pawn"]}, "max": 0},\n                    "all": [{"count": {"is": {"figure": ["bishop", "knight"]}, "max": 1}}]},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "light"}, "min": 1}}},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "dark"}, "min": 1}}}\n            ],\n            "result": "draw", "reason": "insufficient material"\n        },\n        {"if": {"repetition": 5}, "result": "draw", "reason": "fivefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 150}}, "result": "draw", "reason": "75 moves without a capture or a pawn''s move"},\n        {"if": {"repetition": 3}, "claim": true, "result": "draw", "reason": "threefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 100}}, "claim": true, "result": "draw", "reason": "50 moves without a capture or a pawn''s move"}\n    ],\n    "notation": {\n        "figures": {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"},\n        "case": {"white": "upper", "black": "lower"},\n        "position": {\n            "rows": "y", "columns": "x",\n            "turn": {"white": "w", "black": "b"},\n            "fields": [\n                {"unmoved": {"K": ["e1", "h1"], "Q": ["e1", "a1"], "k": ["e8", "h8"], "q": ["e8", "a8"]}},\n                {"mark": "passed_over", "only_takeable": true},\n                {"counter": "quiet"},\n                {"move_number": 1}\n            ]\n        },\n        "moves": {\n            "coordinate": {"separator": "", "choice": "", "pass": "0000"},\n            "algebraic": {\n                "omit": ["pawn"], "parts": ["''abcdefgh''[x]", "y + 1"], "take": "x", "choice": "=",\n                "signs": [\n                    {"result": "won", "sign": "#"},\n                    {"if": {"attacked": {"figure": "king", "player": "next"}}, "sign": "+"}\n                ]\n            }\n        },\n        "pgn": {"variant": "Chess"}\n    },\n    "resources": {"images": {"figures": {\n        "white": {\n            "king": "chess/white-king.svg", "queen": "chess/white-queen.svg", "rook": "chess/white-rook.svg",\n            "bishop": "chess/white-bishop.svg", "knight": "chess/white-knight.svg", "pawn": "chess/white-pawn.svg"\n        },\n        "black": {\n            "king": "chess/black-king.svg", "queen": "chess/black-queen.svg", "rook": "chess/black-rook.svg",\n            "bishop": "chess/black-bishop.svg", "knight": "chess/black-knight.svg", "pawn": "chess/black-pawn.svg"\n        }\n    }}},\n    "tests": [\n        {"name": "the start", "perft": [20, 400, 8902]},\n        {"name": "castling, pins and promotions",\n            "position": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", "perft": [48, 2039, 97862]},\n        {"name": "en passant that would open a line to the king", "position": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",\n            "perft": [14, 191, 2812, 43238]},\n        {"name": "promotions under attack", "position": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",\n            "perft": [6, 264, 9467]},\n        {"name": "a pawn takes its way to promotion",\n            "position": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", "perft": [44, 1486, 62379]},\n        {"name": "a middle game", "position": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",\n            "perft": [46, 2079, 89890]},\n        {"name": "fool''s mate", "moves": ["f3", "e5", "g4", "Qh4#"], "count": 0,\n            "result": {"winner": "black", "reason": "checkmate"}},\n        {"name": "stalemate", "position": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "count": 0, "result": {"draw": "stalemate"}},\n        {"name": "both ways of castling", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "count": 26,\n            "legal": ["O-O", "O-O-O"]},\n        {"name": "castling moves the rook too", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["O-O", "O-O-O"], "after": "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"},\n        {"name": "no castling through an attacked cell", "position": "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",\n            "legal": ["O-O-O"], "illegal": ["e1g1"]},\n        {"name": "no castling out of check", "position": "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "illegal": ["e1g1", "e1c1"]},\n        {"name": "only the rook may cross an attacked cell", "position": "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "legal": ["O-O-O"]},\n        {"name": "no castling with a figure between", "position": "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1",\n            "illegal": ["e1g1", "e1c1"]},\n        {"name": "no castling after the king or a rook has moved", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["Ke2", "Rg8", "Ke1", "Rh8"], "illegal": ["e1g1", "e1c1"], "after": "r3k2r/8/8/8/8/8/8/R3K2R w q - 4 3"},\n        {"name": "no castling with a rook that was taken", "position": "r3k2r/8/8/8/8/6n1/8/R3K2R b KQkq - 0 1",\n            "moves": ["Nxh1"], "illegal": ["e1g1"], "after": "r3k2r/8/8/8/8/8/8/R3K2n w Qkq - 0 2"},\n        {"name": "a rook that a pawn became is not the one that castles", "position": "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1",\n            "moves": ["bxa8=R+"], "after": "R3k3/8/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "en passant", "moves": ["e4", "a6", "e5", "d5"], "legal": ["exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"},\n        {"name": "en passant takes the pawn", "moves": ["e4", "a6", "e5", "d5", "exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},\n        {"name": "en passant only at once", "moves": ["e4", "a6", "e5", "d5", "a3", "a5"], "illegal": ["e5d6"]},\n        {"name": "no en passant of a single step", "moves": ["e4", "d6", "e5", "d5"], "illegal": ["e5d6"]},\n        {"name": "a pinned pawn does not take in passing", "position": "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "illegal": ["e5d6"]},\n        {"name": "a pawn chooses what to become", "position": "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "count": 9,\n            "legal": ["a8=Q", "a8=R", "a8=B", "a8=N"], "illegal": ["a7a8k", "a7a8p"]},\n        {"name": "a knight can be the better choice", "position": "8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "moves": ["c8=N+"],\n            "after": "2N5/4k3/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "check must be answered", "position": "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "count": 3,\n            "legal": ["Kxe2", "Kd1", "Kf1"], "illegal": [{"move": "a1a2", "because": "attacked"}]},\n        {"name": "a pinned figure stays on its line", "position": "4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1",\n            "legal": ["Rxe4+", "Re3"], "illegal": ["e2d2"]},\n        {"name": "two figures of a kind are told apart", "position": "4k3/8/8/8/8/8/3K4/R6R w - - 0 1",\n            "legal": ["Rad1", "Rhd1", "Ra8+"]},\n        {"name": "a position for the third time may be called a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "twice is not enough", "moves": ["Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing", "claim": ""},\n        {"name": "a lost right to castle makes another position", "position": "r3k3/8/8/8/8/8/8/4K2R w K - 0 1",\n            "moves": ["Rh2", "Ra7", "Rh1", "Ra8", "Rh2", "Ra7", "Rh1", "Ra8"], "result": "playing", "claim": ""},\n        {"name": "a pawn that may be taken in passing makes another position",\n            "position": "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a pawn that nobody can take in passing does not", "position": "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "nor does one whose only taker is pinned, on its line", "position": "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1",\n            "moves": ["e4", "Kc8", "Kb1", "Kd8", "Ka1", "Kc8", "Kb1", "Kd8", "Ka1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "or by the pawn that would be taken with it", "position": "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kh5", "Kd1", "Kh4", "Ke1", "Kh5", "Kd1", "Kh4", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "but it does where the pinned pawn takes along its line", "position": "8/8/8/2k5/3p4/8/4P3/4K1B1 w - - 0 1",\n            "moves": ["e4", "Kc6", "Kd1", "Kc5", "Ke1", "Kc6", "Kd1", "Kc5", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a position for the fifth time is a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"],\n            "result": {"draw": "fivefold repetition"}},\n        {"name": "50 quiet moves may be called a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "moves": ["Ra2"],\n            "result": "playing", "claim": "50 moves without a capture or a pawn''s move"},\n        {"name": "75 quiet moves are a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "moves": ["Ra2"],\n            "result": {"draw": "75 moves without a capture or a pawn''s move"}},\n        {"name": "checkmate goes before the 75 moves", "position": "k7/8/1K6/8/8/8/8/7R w - - 149 100", "moves": ["Rh8#"],\n            "result": {"winner": "white", "reason": "checkmate"}},\n        {"name": "two bare kings", "position": "8/8/4k3/8/8/3pK3/8/8 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "a king and a knight cannot mate", "position": "8/8/4k3/8/8/3pK3/8/1N6 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of one colour cannot mate", "position": "4kb2/8/8/8/8/8/3p4/2B1K3 w - - 0 1",\n            "moves": ["Kxd2"], "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of both colours can", "position": "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "result": "playing",\n            "claim": ""},\n        {"name": "two knights can", "position": "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "result": "playing"}\n    ]\n}\n','\n',char(10)));
CREATE TABLE room (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    definition TEXT NOT NULL REFERENCES definition (hash),
    is_public INTEGER NOT NULL,
    status INTEGER NOT NULL, -- 0 waiting, 1 playing, 2 finished
    created_at INTEGER NOT NULL, -- milliseconds since 1970
    players TEXT NOT NULL, -- JSON array of all seats' names
    epoch INTEGER NOT NULL DEFAULT 1
, owner TEXT, due_at INTEGER) STRICT, WITHOUT ROWID;
INSERT INTO room VALUES('HHG0QRA9VRtWH6fXUV','chess','Chess','dd2e11fac30c7e20451ea25e37f11ec5d316540420fd2f78c69fd9b026dc3f8c',1,1,1795488842021,'["white","black"]',1,NULL,1795488902021);
INSERT INTO room VALUES('f8Okdr1sszPlBKiyyh','chess','Chess','dd2e11fac30c7e20451ea25e37f11ec5d316540420fd2f78c69fd9b026dc3f8c',1,2,1795488841927,'["white","black"]',1,NULL,NULL);
INSERT INTO room VALUES('hyLU07814rtYGn8xf6','chess','Chess','dd2e11fac30c7e20451ea25e37f11ec5d316540420fd2f78c69fd9b026dc3f8c',1,1,1795488841873,'["white","black"]',1,NULL,NULL);
INSERT INTO room VALUES('nLJtSzTTmTduxWqKtz','checkers','Checkers','6f7400f2e1ecfecc2c50756434e4c887ecf72549541d9563e8c793395167ea69',1,1,1795488842017,'["white","black"]',1,NULL,NULL);
INSERT INTO room VALUES('piqjXiRwgIXMCXGn1f','chess','Chess','dd2e11fac30c7e20451ea25e37f11ec5d316540420fd2f78c69fd9b026dc3f8c',1,0,1795488841824,'["white","black"]',1,NULL,NULL);
INSERT INTO room VALUES('vzGdpkxif8WcxxEmMH','','A short race','3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a',0,1,1795488841966,'["Ёж","the \"second\"","c"]',1,NULL,NULL);
CREATE TABLE seat (
    room TEXT NOT NULL REFERENCES room (id),
    number INTEGER NOT NULL,
    seat TEXT NOT NULL,
    player TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    bot INTEGER NOT NULL,
    house INTEGER NOT NULL,
    created_at INTEGER NOT NULL, -- the room's: a player's newest rooms are found without sorting all of them
    PRIMARY KEY (room, number)
) STRICT, WITHOUT ROWID;
INSERT INTO seat VALUES('HHG0QRA9VRtWH6fXUV',0,'white','p_4mF6a9pB36qt1Tm2','e2617a6bda41dfaaadd539b6058fc51666c1d50b69c5020cdcd995e5d2251ce9','white',0,0,1795488842021);
INSERT INTO seat VALUES('HHG0QRA9VRtWH6fXUV',1,'black','p_fC6EI1hGky6J_mSL','7c2e84235846932e89fe648b7a8451cc0bdcd1f782ec6445684838f0a89dee26','black',0,0,1795488842021);
INSERT INTO seat VALUES('f8Okdr1sszPlBKiyyh',0,'white','p_hyq4nT7-bysfhQ6C','872ab89d3efe6f2b1f850e82fc606d5fc701f81447134b3d8fcd00de96d3f246','white',0,0,1795488841927);
INSERT INTO seat VALUES('f8Okdr1sszPlBKiyyh',1,'black','p_lsfPpP5u8GWYU9Ep','96c7cfa4fe6ef0659853d12935d7b2edf2c525ebf48c56a3e7bf8308104fc2e5','black',0,0,1795488841927);
INSERT INTO seat VALUES('hyLU07814rtYGn8xf6',0,'white','p_sS3nPSYpVbO7AKC3','b12de73d262955b3bb00a0b718e50bb86c8ca5dd6a62cab05c5e64e45e6c0513','white',0,0,1795488841873);
INSERT INTO seat VALUES('hyLU07814rtYGn8xf6',1,'black','p_UosI2GY5TUKJxlc9','528b08d866394d4289c6573d7a78e8620185f33c5a2fe8a9dc76ffd5a1d37fe9','black',0,0,1795488841873);
INSERT INTO seat VALUES('nLJtSzTTmTduxWqKtz',0,'white','p_sT9n20wpgOvGipsE','b13f67db4c2980ebc68a9b04aeb571b22525650f5251893a6bf873d84ce4a112','white',0,0,1795488842017);
INSERT INTO seat VALUES('nLJtSzTTmTduxWqKtz',1,'black','p_V8NvfGK5Ylyk10cP','57c36f7c62b9625ca4d7470f81f41b57a9d09790cff6e84779f0d5c3510d1940','Senet''s bot',1,1,1795488842017);
INSERT INTO seat VALUES('piqjXiRwgIXMCXGn1f',0,'black','p_OBl4ClUYfPfAEH0f','3819780a55187cf7c0107d1f57d891ffd731ee3495e4de99fd49a44c59e96ae4','black',0,0,1795488841824);
INSERT INTO seat VALUES('vzGdpkxif8WcxxEmMH',0,'Ёж','p_NdUvp7JJ1E2OY4gt','35d52fa7b249d44d8e63882d7551425fd221f1408099859f39fde7eecd8e91ab','Ёж',0,0,1795488841966);
INSERT INTO seat VALUES('vzGdpkxif8WcxxEmMH',1,'the "second"','p_yZSlLWB87UhGoaRS','c994a52d607ced4846a1a452f71590ebb1489cd1016067b5acbf445100bfaf23','the "second"',0,0,1795488841966);
INSERT INTO seat VALUES('vzGdpkxif8WcxxEmMH',2,'c','p_yRWl6gs-14ZzOPzd','c915a5ea0b3ed7867338fcdd5d221f10ed7da5cca3dbf2ad3cb7f9f3ae5993c2','c',0,0,1795488841966);
CREATE TABLE folded_event (
    room TEXT NOT NULL,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 1,
    client TEXT NOT NULL,
    command TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (room, version)
) STRICT, WITHOUT ROWID;
INSERT INTO folded_event VALUES('HHG0QRA9VRtWH6fXUV',1,1,'p_4mF6a9pB36qt1Tm2','uefh29-2','created',1795488842021,'{"game":"chess","clock":{"initial_ms":20000}}');
INSERT INTO folded_event VALUES('f8Okdr1sszPlBKiyyh',1,1,'p_hyq4nT7-bysfhQ6C','c5wu3v-2','created',1795488841927,'{"game":"chess"}');
INSERT INTO folded_event VALUES('hyLU07814rtYGn8xf6',1,1,'p_sS3nPSYpVbO7AKC3','cpfh2s-2','created',1795488841873,'{"game":"chess"}');
INSERT INTO folded_event VALUES('nLJtSzTTmTduxWqKtz',1,1,'p_sT9n20wpgOvGipsE','6f5igf-2','created',1795488842017,'{"game":"checkers"}');
INSERT INTO folded_event VALUES('piqjXiRwgIXMCXGn1f',1,1,'p_OBl4ClUYfPfAEH0f','ea5698-2','created',1795488841824,'{"game":"chess"}');
INSERT INTO folded_event VALUES('vzGdpkxif8WcxxEmMH',1,1,'p_NdUvp7JJ1E2OY4gt','1h2zpo-2','created',1795488841966,'{"game":"","language":2}');
CREATE TABLE recent_event (
    sequence INTEGER PRIMARY KEY,
    previous INTEGER NOT NULL, -- the sequence of the room's recent event before this one; 0: none
    room TEXT NOT NULL,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 1,
    client TEXT NOT NULL,
    command TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
INSERT INTO recent_event VALUES(1,0,'piqjXiRwgIXMCXGn1f',2,1,'p_OBl4ClUYfPfAEH0f','ea5698-3','joined',1795488841826,'{"seats":["black"],"seat":"black","player":"p_OBl4ClUYfPfAEH0f","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(2,0,'hyLU07814rtYGn8xf6',2,1,'p_sS3nPSYpVbO7AKC3','cpfh2s-3','joined',1795488841899,'{"seats":["white"],"seat":"white","player":"p_sS3nPSYpVbO7AKC3","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(3,2,'hyLU07814rtYGn8xf6',3,1,'p_UosI2GY5TUKJxlc9','63a4cf-2','joined',1795488841913,'{"seats":["black"],"seat":"black","player":"p_UosI2GY5TUKJxlc9","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(4,0,'f8Okdr1sszPlBKiyyh',2,1,'p_hyq4nT7-bysfhQ6C','c5wu3v-3','joined',1795488841929,'{"seats":["white"],"seat":"white","player":"p_hyq4nT7-bysfhQ6C","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(5,4,'f8Okdr1sszPlBKiyyh',3,1,'p_lsfPpP5u8GWYU9Ep','rs5pdg-2','joined',1795488841933,'{"seats":["black"],"seat":"black","player":"p_lsfPpP5u8GWYU9Ep","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(6,0,'vzGdpkxif8WcxxEmMH',2,1,'p_NdUvp7JJ1E2OY4gt','1h2zpo-3','joined',1795488841984,'{"seats":["Ёж"],"seat":"Ёж","player":"p_NdUvp7JJ1E2OY4gt","name":"Ёж","as":"human"}');
INSERT INTO recent_event VALUES(7,6,'vzGdpkxif8WcxxEmMH',3,1,'p_yZSlLWB87UhGoaRS','ia6ly2-2','joined',1795488841997,'{"seats":["the \"second\""],"seat":"the \"second\"","player":"p_yZSlLWB87UhGoaRS","name":"the \"second\"","as":"human"}');
INSERT INTO recent_event VALUES(8,7,'vzGdpkxif8WcxxEmMH',4,1,'p_yRWl6gs-14ZzOPzd','g0qj0z-2','joined',1795488842013,'{"seats":["c"],"seat":"c","player":"p_yRWl6gs-14ZzOPzd","name":"c","as":"human"}');
INSERT INTO recent_event VALUES(9,0,'nLJtSzTTmTduxWqKtz',2,1,'p_sT9n20wpgOvGipsE','6f5igf-3','joined',1795488842018,'{"seats":["white"],"seat":"white","player":"p_sT9n20wpgOvGipsE","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(10,0,'HHG0QRA9VRtWH6fXUV',2,1,'p_4mF6a9pB36qt1Tm2','uefh29-3','joined',1795488842022,'{"seats":["white"],"seat":"white","player":"p_4mF6a9pB36qt1Tm2","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(11,10,'HHG0QRA9VRtWH6fXUV',3,1,'p_fC6EI1hGky6J_mSL','ma4odp-2','joined',1795488842023,'{"seats":["black"],"seat":"black","player":"p_fC6EI1hGky6J_mSL","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(12,11,'HHG0QRA9VRtWH6fXUV',4,1,'p_4mF6a9pB36qt1Tm2','uefh29-5','moved',1795488842029,'{"seat":"white","move":{"from":"e2","to":"e4"}}');
INSERT INTO recent_event VALUES(13,12,'HHG0QRA9VRtWH6fXUV',5,1,'p_fC6EI1hGky6J_mSL','ma4odp-4','moved',1795488842032,'{"seat":"black","move":{"from":"e7","to":"e5"}}');
INSERT INTO recent_event VALUES(14,3,'hyLU07814rtYGn8xf6',4,1,'p_sS3nPSYpVbO7AKC3','cpfh2s-5','moved',1795488842034,'{"seat":"white","move":{"from":"e2","to":"e4"}}');
INSERT INTO recent_event VALUES(15,14,'hyLU07814rtYGn8xf6',5,1,'p_UosI2GY5TUKJxlc9','63a4cf-4','moved',1795488842066,'{"seat":"black","move":{"from":"e7","to":"e5"}}');
INSERT INTO recent_event VALUES(16,15,'hyLU07814rtYGn8xf6',6,1,'p_osTRB_ahXySoBgfQ','ie613k-4','chat',1795488842105,'{"player":"p_osTRB_ahXySoBgfQ","name":"spectator","text":"kept"}');
INSERT INTO recent_event VALUES(17,16,'hyLU07814rtYGn8xf6',7,1,'p_sS3nPSYpVbO7AKC3','cpfh2s-6','draw_offered',1795488842121,'{"seat":"white"}');
INSERT INTO recent_event VALUES(18,5,'f8Okdr1sszPlBKiyyh',4,1,'p_hyq4nT7-bysfhQ6C','c5wu3v-5','moved',1795488842125,'{"seat":"white","move":{"from":"e2","to":"e4"}}');
INSERT INTO recent_event VALUES(19,18,'f8Okdr1sszPlBKiyyh',5,1,'p_lsfPpP5u8GWYU9Ep','rs5pdg-4','moved',1795488842130,'{"seat":"black","move":{"from":"e7","to":"e5"}}');
INSERT INTO recent_event VALUES(20,19,'f8Okdr1sszPlBKiyyh',6,1,'p_hyq4nT7-bysfhQ6C','c5wu3v-6','moved',1795488842132,'{"seat":"white","move":{"from":"f1","to":"c4"}}');
INSERT INTO recent_event VALUES(21,20,'f8Okdr1sszPlBKiyyh',7,1,'p_lsfPpP5u8GWYU9Ep','rs5pdg-5','moved',1795488842141,'{"seat":"black","move":{"from":"b8","to":"c6"}}');
INSERT INTO recent_event VALUES(22,21,'f8Okdr1sszPlBKiyyh',8,1,'p_hyq4nT7-bysfhQ6C','c5wu3v-7','moved',1795488842143,'{"seat":"white","move":{"from":"d1","to":"h5"}}');
INSERT INTO recent_event VALUES(23,22,'f8Okdr1sszPlBKiyyh',9,1,'p_lsfPpP5u8GWYU9Ep','rs5pdg-6','moved',1795488842144,'{"seat":"black","move":{"from":"g8","to":"f6"}}');
INSERT INTO recent_event VALUES(24,23,'f8Okdr1sszPlBKiyyh',10,1,'p_hyq4nT7-bysfhQ6C','c5wu3v-8','moved',1795488842145,'{"seat":"white","move":{"from":"h5","to":"f7"}}');
INSERT INTO recent_event VALUES(25,24,'f8Okdr1sszPlBKiyyh',11,1,'p_lsfPpP5u8GWYU9Ep','rs5pdg-7','rematch_offered',1795488842146,'{"seat":"black"}');
INSERT INTO recent_event VALUES(26,8,'vzGdpkxif8WcxxEmMH',5,1,'p_NdUvp7JJ1E2OY4gt','1h2zpo-5','moved',1795488842147,'{"seat":"Ёж","move":{"from":"κ1","to":"κ4"}}');
INSERT INTO recent_event VALUES(27,9,'nLJtSzTTmTduxWqKtz',3,1,'p_V8NvfGK5Ylyk10cP','1nozqtuo9ukn8-2','joined',1795488842149,'{"seats":["black"],"seat":"black","player":"p_V8NvfGK5Ylyk10cP","name":"Senet''s bot","as":"bot","house":true}');
CREATE TABLE secret (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO secret VALUES('server','5ae4043390845d64f39c256962d822b90360e21b5e45c53da7e42d052992907d');
CREATE TABLE node (
    id TEXT PRIMARY KEY, -- of one life of a process
    place TEXT NOT NULL,
    url TEXT NOT NULL, -- where clients reach it; '' when it does not say
    lease_until INTEGER NOT NULL -- milliseconds since 1970, by the machine's clock
) STRICT, WITHOUT ROWID;
CREATE TABLE removed_room (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE published_game (
    name TEXT PRIMARY KEY,
    publisher TEXT NOT NULL, -- SHA-256 of the token, in hexadecimal
    versions INTEGER NOT NULL, -- gap-free from 1
    listed INTEGER NOT NULL, -- the publisher's wish
    hidden INTEGER NOT NULL, -- the operator's
    updated_at INTEGER NOT NULL -- of the newest version, milliseconds since 1970
) STRICT, WITHOUT ROWID;
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
CREATE TABLE picture (
    hash TEXT NOT NULL UNIQUE, -- SHA-256 of the bytes, in hexadecimal
    kind INTEGER NOT NULL, -- 0 SVG, 1 PNG
    at INTEGER NOT NULL, -- when it was brought last, or a definition came that names it, milliseconds since 1970
    bytes BLOB NOT NULL
) STRICT;
CREATE TABLE definition_picture (
    definition TEXT NOT NULL REFERENCES definition (hash),
    picture TEXT NOT NULL,
    PRIMARY KEY (definition, picture)
) STRICT, WITHOUT ROWID;
CREATE TABLE report (
    name TEXT NOT NULL REFERENCES published_game (name),
    reporter TEXT NOT NULL, -- SHA-256 of the token, in hexadecimal
    version INTEGER NOT NULL,
    words TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (name, reporter)
) STRICT, WITHOUT ROWID;
CREATE INDEX room_open ON room (status, created_at DESC) WHERE is_public = 1 AND status < 2;
CREATE INDEX seat_of_player ON seat (player, created_at DESC, room);
CREATE UNIQUE INDEX room_made_by ON folded_event (client, command) WHERE version = 1 AND command <> '';
CREATE INDEX room_of_definition ON room (definition);
CREATE VIEW event AS
    SELECT room, version, epoch, client, command, kind, at, body FROM folded_event f
    WHERE NOT EXISTS (SELECT 1 FROM removed_room d WHERE d.id = f.room)
    UNION ALL
    SELECT room, version, epoch, client, command, kind, at, body FROM recent_event r
    WHERE NOT EXISTS (SELECT 1 FROM folded_event f WHERE f.room = r.room AND f.version = r.version);
CREATE INDEX published_game_listed ON published_game (updated_at DESC, name DESC) WHERE listed = 1 AND hidden = 0;
CREATE INDEX published_of_definition ON published (definition);
CREATE INDEX definition_of_picture ON definition_picture (picture);
CREATE TRIGGER definition_gone AFTER DELETE ON definition BEGIN
    DELETE FROM definition_picture WHERE definition = OLD.hash;
END;
CREATE INDEX room_due ON room (due_at) WHERE status = 1 AND due_at IS NOT NULL;
COMMIT;
