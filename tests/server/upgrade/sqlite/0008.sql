PRAGMA application_id = 1399156340;
PRAGMA user_version = 8;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE definition (
    hash TEXT PRIMARY KEY, -- SHA-256 of the text, in hexadecimal
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO definition VALUES('3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a','{"name":"race","title":"A short race","players":["Ёж","the \"second\"","c"],"cell":{"coordinates_names":["x"],"geometry":[[0,0],[1,0],[1,1],[0,1]],"position":{"x":"x","y":"0"},"name":"''κ'' + (x + 1)"},"board":{"cells":[{"x":0},{"x":1},{"x":2},{"x":3},{"x":4},{"x":5},{"x":6},{"x":7},{"x":8},{"x":9},{"x":10},{"x":11}]},"figures":{"stone":{"movement":[{"x":1},{"x":2},{"x":3}],"cell_actions":{"destination":[{"actions":["move"],"if":[{"computed":{"is_figure":false}}]}]}}},"initial_position":{"Ёж":{"stone":[{"x":0}]},"the \"second\"":{"stone":[{"x":1}]},"c":{"stone":[{"x":2}]}},"win_conditions":{"Ёж":[{"entity":"cell","filter":{"player":"Ёж","coordinates":{"x":11}},"type":"exists","result":true}],"the \"second\"":[{"entity":"cell","filter":{"player":"the \"second\"","coordinates":{"x":11}},"type":"exists","result":true}],"c":[{"entity":"cell","filter":{"player":"c","coordinates":{"x":11}},"type":"exists","result":true}]},"game_states":{"round":{"type":"next_move","next":"turn 0"},"turn 0":{"type":"move","parameters":{"player":"Ёж"},"next":"check 0"},"check 0":{"type":"check_win","parameters":{"player":"Ёж"},"next":[{"if":[{"result":true}],"state":"won 0"},{"if":[{"result":false}],"state":"turn 1"}]},"won 0":{"type":"end","winner":"Ёж","reason":"Ёж is home"},"turn 1":{"type":"move","parameters":{"player":"the \"second\""},"next":"check 1"},"check 1":{"type":"check_win","parameters":{"player":"the \"second\""},"next":[{"if":[{"result":true}],"state":"won 1"},{"if":[{"result":false}],"state":"turn 2"}]},"won 1":{"type":"end","winner":"the \"second\"","reason":"the \"second\" is home"},"turn 2":{"type":"move","parameters":{"player":"c"},"next":"check 2"},"check 2":{"type":"check_win","parameters":{"player":"c"},"next":[{"if":[{"result":true}],"state":"won 2"},{"if":[{"result":false}],"state":"round"}]},"won 2":{"type":"end","winner":"c","reason":"c is home"}},"initial_game_state":"turn 0"}');
INSERT INTO definition VALUES('6d21726fca50de9da0a13702bcac2d65a354497bb233eefaa03d89a983bd4c5c',replace('{\n    "$schema": "../protocol/schema/game.schema.json",\n    "format": 2,\n    "name": "checkers",\n    "title": "Checkers",\n    "description": "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.",\n    "players": ["white", "black"],\n    "max_plies": 400,\n    "stuck": "loss",\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "''abcdefgh''[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {\n            "fill": "(x + y) % 2 ? ''#efe6d2'' : ''#6f8f72''",\n            "selector": "''#7fb2d9''",\n            "highlighter": "''#d9c25f''"\n        }\n    },\n    "board": {\n        "cells": {"box": {"x": 8, "y": 8}},\n        "mirror": {"black": {"x": "7 - x", "y": "7 - y"}},\n        "rotation_angle": {"white": 0, "black": 180}\n    },\n    "zones": {"home": {"each": "y < 3 && (x + y) % 2 == 0"}, "last": {"each": "y == 7"}},\n    "figures": {\n        "man": {\n            "movement": [\n                {"x": 1, "y": 1, "symmetric": "mirror", "for": "move"},\n                {"x": 1, "y": 1, "symmetric": "mirror", "repeat": [2, 2], "over": "enemy", "for": "take", "takes": "jumped"}\n            ],\n            "promote": {"in": "last", "to": "king"}\n        },\n        "king": {\n            "movement": [\n                {"x": 1, "y": 1, "symmetric": "all", "for": "move"},\n                {"x": 1, "y": 1, "symmetric": "all", "repeat": [2, 2], "over": "enemy", "for": "take", "takes": "jumped"}\n            ]\n        }\n    },\n    "initial_position": {"each": {"man": [{"zone": "home"}]}},\n    "resources": {"images": {\n        "figures": {\n            "white": {\n                "man": "checkers/white-man.svg",\n                "king": "checkers/white-king.svg"\n            },\n            "black": {\n                "man": "checkers/black-man.svg",\n                "king": "checkers/black-king.svg"\n            }\n        }\n    }},\n    "win_conditions": {\n        "white": [{"entity": "cell", "filter": {"player": "black"}, "type": "exists", "result": false}],\n        "black": [{"entity": "cell", "filter": {"player": "white"}, "type": "exists", "result": false}]\n    },\n    "game_states": {\n        "white_move": {"type": "move", "parameters": {"player": "white"}, "next": "did_white_win"},\n        "did_white_win": {"type": "check_win", "parameters": {"player": "white"}, "next": [\n            {"if": [{"result": true}], "state": "white_won"},\n            {"if": [{"result": false}], "state": "black_move"}\n        ]},\n        "black_move": {"type": "move", "parameters": {"player": "black"}, "next": "did_black_win"},\n        "did_black_win": {"type": "check_win", "parameters": {"player": "black"}, "next": [\n            {"if": [{"result": true}], "state": "black_won"},\n            {"if": [{"result": false}], "state": "count_move"}\n        ]},\n        "count_move": {"type": "next_move", "next": "white_move"},\n        "white_won": {"type": "end", "winner": "white", "reason": "black has no figures left"},\n        "black_won": {"type": "end", "winner": "black", "reason": "white has no figures left"}\n    },\n    "initial_game_state": "white_move",\n    "tests": [\n        {"name": "the start", "perft": [7, 49, 379, 2872, 23582], "legal": ["c3-d4", "a3-b4"], "illegal": ["c3-c4", "c3-d3", "a1-b2", "d6-c5"]},\n        {"name": "nobody has to take", "moves": ["c3-d4", "f6-e5"], "legal": ["d4-f6", "d4-c5", "a3-b4"], "illegal": ["d4-e5", "d4-c3"]},\n        {"name": "a turn is one jump", "moves": ["c3-d4", "f6-e5", "d4-f6"], "legal": ["e7-g5", "g7-e5"], "illegal": ["f6-g5"]},\n        {"name": "a man that jumps to the last row is a king there", "moves": ["g3-f4", "h6-g5", "a3-b4", "g7-h6", "e3-d4", "d6-e5", "f4-d6", "f8-g7", "d6-f8", "b6-a5"], "legal": ["f8-e7"]}\n    ],\n    "translations": {\n        "de": {"Checkers": "Einfache Dame", "white": "Weiß", "black": "Schwarz", "man": "Stein", "king": "Dame", "black has no figures left": "Schwarz hat keine Steine mehr", "white has no figures left": "Weiß hat keine Steine mehr", "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.": "Steine ziehen ein Feld schräg vorwärts, Damen ein Feld schräg in jede Richtung. Springe über einen Gegner neben dir auf das leere Feld dahinter und schlage ihn: Steine vorwärts, Damen in jede Richtung. Schlagen ist nie Pflicht, und ein Zug ist ein Schritt oder ein Sprung. Ein Stein, der die letzte Reihe erreicht, wird zur Dame. Du gewinnst, wenn der Gegner keine Steine mehr hat oder nicht ziehen kann."},\n        "es": {"Checkers": "Damas sencillas", "white": "blancas", "black": "negras", "man": "peón", "king": "dama", "black has no figures left": "las negras no tienen piezas", "white has no figures left": "las blancas no tienen piezas", "Men step one cell diagonally forward; kings step one cell diagonally in any direction. Jump over one enemy next to you to the empty cell behind it and take it: men forwards, kings in any direction. Taking is never forced, and a turn is one step or one jump. A man that reaches the last row becomes a king. You win when the enemy has no figures left or cannot move.": "Los peones avanzan una casilla en diagonal; las damas, una casilla en diagonal en cualquier dirección. Salta sobre un rival contiguo a la casilla vacía de detrás y captúralo: los peones hacia delante, las damas en cualquier dirección. Capturar nunca es obligatorio, y un turno es un paso o un salto. Un peón que llega a la última fila se convierte en dama. Ganas cuando el rival no tiene piezas o no puede mover."}\n    }\n}\n','\n',char(10)));
INSERT INTO definition VALUES('c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d',replace('{\n    "$schema": "../protocol/schema/game.schema.json",\n    "format": 2,\n    "name": "chess",\n    "title": "Chess",\n    "description": "Checkmate the enemy king. The king castles, two cells towards a rook, if neither has moved, nothing stands between, and it leaves, crosses and enters no attacked cell. A pawn''s first step may be of two cells; it may then be taken in passing. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures, a position five times, 75 moves without capture or pawn''s move; on claim three times, or 50 moves.",\n    "players": ["white", "black"],\n    "max_plies": 20000,\n    "cell": {\n        "coordinates_names": ["x", "y"],\n        "name": "''abcdefgh''[x] + (y + 1)",\n        "geometry": [[0, 0], [1, 0], [1, 1], [0, 1]],\n        "position": {"x": "x", "y": "7 - y"},\n        "colors": {"fill": "(x + y) % 2 ? ''#f0dfc0'' : ''#a9805b''", "selector": "''#7fb2d9''", "highlighter": "''#8fbf6a''"}\n    },\n    "board": {\n        "cells": {"box": {"x": 8, "y": 8}},\n        "mirror": {"black": {"y": "7 - y"}},\n        "rotation_angle": {"white": 0, "black": 180}\n    },\n    "zones": {\n        "home": {"each": "y == 1"},\n        "last": {"each": "y == 7"},\n        "light": "(x + y) % 2 == 1",\n        "dark": "(x + y) % 2 == 0"\n    },\n    "movements": {\n        "rook": [{"x": 1, "symmetric": "all", "repeat": true}],\n        "bishop": [{"x": 1, "y": 1, "symmetric": "all", "repeat": true}]\n    },\n    "figures": {\n        "king": {"movement": [{"by": [{"x": 1}, {"x": 1, "y": 1}], "symmetric": "all"}]},\n        "queen": {"movement": ["rook", "bishop"]},\n        "rook": {"movement": ["rook"]},\n        "bishop": {"movement": ["bishop"]},\n        "knight": {"movement": [{"x": 1, "y": 2, "symmetric": "all"}]},\n        "pawn": {\n            "movement": [\n                {"y": 1, "for": "move"},\n                {"y": 1, "repeat": [2, 2], "for": "move", "if": {"self": {"zone": "home"}}, "mark": "passed_over"},\n                {"x": 1, "y": 1, "symmetric": "mirror", "for": "take", "takes_marked": "passed_over"}\n            ],\n            "promote": {"in": "last", "to": ["queen", "rook", "bishop", "knight"]}\n        }\n    },\n    "combined_movements": [\n        {"figures": [{"figure": "king", "unmoved": true, "by": {"x": 2}}, {"figure": "rook", "unmoved": true, "at": {"x": 3}, "by": {"x": -2}}],\n            "empty": [{"x": 1}, {"x": 2}], "safe": [{}, {"x": 1}, {"x": 2}], "notation": "O-O"},\n        {"figures": [{"figure": "king", "unmoved": true, "by": {"x": -2}}, {"figure": "rook", "unmoved": true, "at": {"x": -4}, "by": {"x": 3}}],\n            "empty": [{"x": -1}, {"x": -2}, {"x": -3}], "safe": [{}, {"x": -1}, {"x": -2}], "notation": "O-O-O"}],\n    "initial_position": {"each": {\n        "king": ["e1"],\n        "queen": ["d1"],\n        "rook": ["a1", "h1"],\n        "bishop": ["c1", "f1"],\n        "knight": ["b1", "g1"],\n        "pawn": [{"zone": "home"}]\n    }},\n    "turns": ["white", "black"],\n    "counters": {\n        "quiet": {"add": true, "reset": [{"previous": {"figure": "pawn"}}, {"previous": {"took": true}}]}\n    },\n    "forbid": [{"attacked": {"figure": "king", "player": "mover"}, "words": "would leave the king attacked"}],\n    "results": [\n        {"if": {"no_moves": true, "attacked": {"figure": "king", "player": "next"}}, "result": {"winner": "mover"}, "reason": "checkmate"},\n        {"if": {"no_moves": true}, "result": "draw", "reason": "stalemate"},\n        {\n            "if": [\n                {"count": {"is": {"figure": ["queen", "rook", "pawn"]}, "max": 0},\n                    "all": [{"count": {"is": {"figure": ["bishop", "knight"]}, "max": 1}}]},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "light"}, "min": 1}}},\n                {"count": {"is": {"figure": ["queen", "rook", "pawn", "knight"]}, "max": 0},\n                    "not": {"count": {"is": {"figure": "bishop", "zone": "dark"}, "min": 1}}}\n            ],\n            "result": "draw", "reason": "insufficient material"\n        },\n        {"if": {"repetition": 5}, "result": "draw", "reason": "fivefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 150}}, "result": "draw", "reason": "75 moves without a capture or a pawn''s move"},\n        {"if": {"repetition": 3}, "claim": true, "result": "draw", "reason": "threefold repetition"},\n        {"if": {"counter": {"name": "quiet", "min": 100}}, "claim": true, "result": "draw", "reason": "50 moves without a capture or a pawn''s move"},\n        {\n            "if": [\n                {"count": {"is": {"player": "mover"}, "max": 1}},\n                {"count": {"is": {"player": "mover"}, "max": 2}, "all": [\n                    {"count": {"is": {"figure": "knight", "player": "mover"}, "min": 1}},\n                    {"count": {"is": {"figure": ["rook", "bishop", "knight", "pawn"], "player": "next"}, "max": 0}}]},\n                {"count": {"is": {"figure": ["queen", "rook", "knight", "pawn"], "player": "mover"}, "max": 0}, "all": [\n                    {"count": {"is": {"figure": ["knight", "pawn"], "player": "next"}, "max": 0}},\n                    {"any": [{"count": {"is": {"figure": "bishop", "zone": "light"}, "max": 0}}, {"count": {"is": {"figure": "bishop", "zone": "dark"}, "max": 0}}]}]}\n            ],\n            "flag": true, "result": "draw", "reason": "time is over, but nothing is left to mate with"\n        }\n    ],\n    "notation": {\n        "figures": {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"},\n        "case": {"white": "upper", "black": "lower"},\n        "position": {\n            "rows": "y", "columns": "x",\n            "turn": {"white": "w", "black": "b"},\n            "fields": [\n                {"unmoved": {"K": ["e1", "h1"], "Q": ["e1", "a1"], "k": ["e8", "h8"], "q": ["e8", "a8"]}},\n                {"mark": "passed_over", "only_takeable": true},\n                {"counter": "quiet"},\n                {"move_number": 1}\n            ]\n        },\n        "moves": {\n            "coordinate": {"separator": "", "choice": "", "pass": "0000"},\n            "algebraic": {\n                "omit": ["pawn"], "parts": ["''abcdefgh''[x]", "y + 1"], "take": "x", "choice": "=",\n                "signs": [\n                    {"result": "won", "sign": "#"},\n                    {"if": {"attacked": {"figure": "king", "player": "next"}}, "sign": "+"}\n                ]\n            }\n        },\n        "pgn": {"variant": "Chess"}\n    },\n    "resources": {"images": {"figures": {\n        "white": {\n            "king": "chess/white-king.svg", "queen": "chess/white-queen.svg", "rook": "chess/white-rook.svg",\n            "bishop": "chess/white-bishop.svg", "knight": "chess/white-knight.svg", "pawn": "chess/white-pawn.svg"\n        },\n        "black": {\n            "king": "chess/black-king.svg", "queen": "chess/black-queen.svg", "rook": "chess/black-rook.svg",\n            "bishop": "chess/black-bishop.svg", "knight": "chess/black-knight.svg", "pawn": "chess/black-pawn.svg"\n        }\n    }}},\n    "tests": [\n        {"name": "time over: a lone king wins nothing by time", "position": "8/8/8/3k4/8/8/4PPPP/4K3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: a pawn might", "position": "8/8/8/3k4/3p4/8/4PPPP/4K3 w - - 0 1", "flag": ""},\n        {"name": "time over: a knight cannot mate a king with a queen", "position": "8/8/8/3k4/3n4/8/8/3QK3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: but one whose own rook stands in the way", "position": "8/8/8/3k4/3n4/8/8/3RK3 w - - 0 1", "flag": ""},\n        {"name": "time over: two knights might mate", "position": "8/8/8/3k4/3nn3/8/8/3QK3 w - - 0 1", "flag": ""},\n        {"name": "time over: nor can a bishop mate where there are only rooks and queens", "position": "8/8/8/3k4/3b4/8/8/2RQK3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: nor with bishops of that colour alone", "position": "8/8/8/3k4/3b4/8/8/2BRK3 w - - 0 1", "flag": "time is over, but nothing is left to mate with"},\n        {"name": "time over: but with one of the other colour", "position": "8/8/8/3k4/3b4/8/8/3BK3 w - - 0 1", "flag": ""},\n        {"name": "time over: or where there is a knight in the way", "position": "8/8/8/3k4/3b4/8/8/3NK3 w - - 0 1", "flag": ""},\n        {"name": "the start", "perft": [20, 400, 8902]},\n        {"name": "castling, pins and promotions",\n            "position": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", "perft": [48, 2039, 97862]},\n        {"name": "en passant that would open a line to the king", "position": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",\n            "perft": [14, 191, 2812, 43238]},\n        {"name": "promotions under attack", "position": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",\n            "perft": [6, 264, 9467]},\n        {"name": "a pawn takes its way to promotion",\n            "position": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", "perft": [44, 1486, 62379]},\n        {"name": "a middle game", "position": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",\n            "perft": [46, 2079, 89890]},\n        {"name": "fool''s mate", "moves": ["f3", "e5", "g4", "Qh4#"], "count": 0,\n            "result": {"winner": "black", "reason": "checkmate"}},\n        {"name": "stalemate", "position": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "count": 0, "result": {"draw": "stalemate"}},\n        {"name": "both ways of castling", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "count": 26,\n            "legal": ["O-O", "O-O-O"]},\n        {"name": "castling moves the rook too", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["O-O", "O-O-O"], "after": "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"},\n        {"name": "no castling through an attacked cell", "position": "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",\n            "legal": ["O-O-O"], "illegal": ["e1g1"]},\n        {"name": "no castling out of check", "position": "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "illegal": ["e1g1", "e1c1"]},\n        {"name": "only the rook may cross an attacked cell", "position": "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "legal": ["O-O-O"]},\n        {"name": "no castling with a figure between", "position": "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1",\n            "illegal": ["e1g1", "e1c1"]},\n        {"name": "no castling after the king or a rook has moved", "position": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",\n            "moves": ["Ke2", "Rg8", "Ke1", "Rh8"], "illegal": ["e1g1", "e1c1"], "after": "r3k2r/8/8/8/8/8/8/R3K2R w q - 4 3"},\n        {"name": "no castling with a rook that was taken", "position": "r3k2r/8/8/8/8/6n1/8/R3K2R b KQkq - 0 1",\n            "moves": ["Nxh1"], "illegal": ["e1g1"], "after": "r3k2r/8/8/8/8/8/8/R3K2n w Qkq - 0 2"},\n        {"name": "a rook that a pawn became is not the one that castles", "position": "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1",\n            "moves": ["bxa8=R+"], "after": "R3k3/8/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "en passant", "moves": ["e4", "a6", "e5", "d5"], "legal": ["exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"},\n        {"name": "en passant takes the pawn", "moves": ["e4", "a6", "e5", "d5", "exd6"],\n            "after": "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},\n        {"name": "en passant only at once", "moves": ["e4", "a6", "e5", "d5", "a3", "a5"], "illegal": ["e5d6"]},\n        {"name": "no en passant of a single step", "moves": ["e4", "d6", "e5", "d5"], "illegal": ["e5d6"]},\n        {"name": "a pinned pawn does not take in passing", "position": "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "illegal": ["e5d6"]},\n        {"name": "a pawn chooses what to become", "position": "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "count": 9,\n            "legal": ["a8=Q", "a8=R", "a8=B", "a8=N"], "illegal": ["a7a8k", "a7a8p"]},\n        {"name": "a knight can be the better choice", "position": "8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "moves": ["c8=N+"],\n            "after": "2N5/4k3/8/8/8/8/8/4K3 b - - 0 1"},\n        {"name": "check must be answered", "position": "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "count": 3,\n            "legal": ["Kxe2", "Kd1", "Kf1"], "illegal": [{"move": "a1a2", "because": "attacked"}]},\n        {"name": "a pinned figure stays on its line", "position": "4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1",\n            "legal": ["Rxe4+", "Re3"], "illegal": ["e2d2"]},\n        {"name": "two figures of a kind are told apart", "position": "4k3/8/8/8/8/8/3K4/R6R w - - 0 1",\n            "legal": ["Rad1", "Rhd1", "Ra8+"]},\n        {"name": "a position for the third time may be called a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "twice is not enough", "moves": ["Nf3", "Nf6", "Ng1", "Ng8"], "result": "playing", "claim": ""},\n        {"name": "a lost right to castle makes another position", "position": "r3k3/8/8/8/8/8/8/4K2R w K - 0 1",\n            "moves": ["Rh2", "Ra7", "Rh1", "Ra8", "Rh2", "Ra7", "Rh1", "Ra8"], "result": "playing", "claim": ""},\n        {"name": "a pawn that may be taken in passing makes another position",\n            "position": "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a pawn that nobody can take in passing does not", "position": "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kd8", "Kd1", "Ke8", "Ke1", "Kd8", "Kd1", "Ke8", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "nor does one whose only taker is pinned, on its line", "position": "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1",\n            "moves": ["e4", "Kc8", "Kb1", "Kd8", "Ka1", "Kc8", "Kb1", "Kd8", "Ka1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "or by the pawn that would be taken with it", "position": "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1",\n            "moves": ["e4", "Kh5", "Kd1", "Kh4", "Ke1", "Kh5", "Kd1", "Kh4", "Ke1"], "result": "playing",\n            "claim": "threefold repetition"},\n        {"name": "but it does where the pinned pawn takes along its line", "position": "8/8/8/2k5/3p4/8/4P3/4K1B1 w - - 0 1",\n            "moves": ["e4", "Kc6", "Kd1", "Kc5", "Ke1", "Kc6", "Kd1", "Kc5", "Ke1"], "result": "playing", "claim": ""},\n        {"name": "a position for the fifth time is a draw",\n            "moves": ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"],\n            "result": {"draw": "fivefold repetition"}},\n        {"name": "50 quiet moves may be called a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "moves": ["Ra2"],\n            "result": "playing", "claim": "50 moves without a capture or a pawn''s move"},\n        {"name": "75 quiet moves are a draw", "position": "4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "moves": ["Ra2"],\n            "result": {"draw": "75 moves without a capture or a pawn''s move"}},\n        {"name": "checkmate goes before the 75 moves", "position": "k7/8/1K6/8/8/8/8/7R w - - 149 100", "moves": ["Rh8#"],\n            "result": {"winner": "white", "reason": "checkmate"}},\n        {"name": "two bare kings", "position": "8/8/4k3/8/8/3pK3/8/8 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "a king and a knight cannot mate", "position": "8/8/4k3/8/8/3pK3/8/1N6 w - - 0 1", "moves": ["Kxd3"],\n            "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of one colour cannot mate", "position": "4kb2/8/8/8/8/8/3p4/2B1K3 w - - 0 1",\n            "moves": ["Kxd2"], "result": {"draw": "insufficient material"}},\n        {"name": "bishops on cells of both colours can", "position": "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "result": "playing",\n            "claim": ""},\n        {"name": "two knights can", "position": "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "result": "playing"}\n    ],\n    "translations": {\n        "de": {"Chess": "Schach", "white": "Weiß", "black": "Schwarz", "king": "König", "queen": "Dame", "rook": "Turm", "bishop": "Läufer", "knight": "Springer", "pawn": "Bauer", "checkmate": "Matt", "stalemate": "Patt", "insufficient material": "ungenügendes Material", "fivefold repetition": "fünffache Stellungswiederholung", "75 moves without a capture or a pawn''s move": "75 Züge ohne Schlag- oder Bauernzug", "threefold repetition": "dreifache Stellungswiederholung", "50 moves without a capture or a pawn''s move": "50 Züge ohne Schlag- oder Bauernzug", "time is over, but nothing is left to mate with": "Zeit überschritten, aber zum Matt reicht das Material nicht", "would leave the king attacked": "den König angegriffen ließe", "Checkmate the enemy king. The king castles, two cells towards a rook, if neither has moved, nothing stands between, and it leaves, crosses and enters no attacked cell. A pawn''s first step may be of two cells; it may then be taken in passing. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures, a position five times, 75 moves without capture or pawn''s move; on claim three times, or 50 moves.": "Setze den gegnerischen König matt. Der König rochiert zwei Felder auf einen Turm zu, wenn keiner von beiden gezogen hat, nichts dazwischen steht und er kein angegriffenes Feld verlässt, überquert oder betritt. Der erste Zug eines Bauern darf zwei Felder weit sein; er kann dann en passant geschlagen werden. Auf der letzten Reihe wird er zu Dame, Turm, Läufer oder Springer. Remis: Patt, zu wenige Figuren, fünfmal dieselbe Stellung, 75 Züge ohne Schlag- oder Bauernzug; auf Verlangen dreimal, oder 50 Züge."},\n        "es": {"Chess": "Ajedrez", "white": "blancas", "black": "negras", "king": "rey", "queen": "dama", "rook": "torre", "bishop": "alfil", "knight": "caballo", "pawn": "peón", "checkmate": "jaque mate", "stalemate": "ahogado", "insufficient material": "material insuficiente", "fivefold repetition": "quíntuple repetición", "75 moves without a capture or a pawn''s move": "75 jugadas sin captura ni movimiento de peón", "threefold repetition": "triple repetición", "50 moves without a capture or a pawn''s move": "50 jugadas sin captura ni movimiento de peón", "time is over, but nothing is left to mate with": "tiempo agotado, pero sin material para dar mate", "would leave the king attacked": "dejaría al rey atacado", "Checkmate the enemy king. The king castles, two cells towards a rook, if neither has moved, nothing stands between, and it leaves, crosses and enters no attacked cell. A pawn''s first step may be of two cells; it may then be taken in passing. On the last row it becomes a queen, rook, bishop or knight. Drawn: stalemate, too few figures, a position five times, 75 moves without capture or pawn''s move; on claim three times, or 50 moves.": "Da jaque mate al rey enemigo. El rey se enroca dos casillas hacia una torre si ninguno se ha movido, nada se interpone y no deja, cruza ni ocupa una casilla atacada. El primer paso de un peón puede ser de dos casillas; entonces puede ser capturado al paso. En la última fila se convierte en dama, torre, alfil o caballo. Tablas: ahogado, muy pocas piezas, la misma posición cinco veces, 75 jugadas sin captura ni movimiento de peón; si se reclama, tres veces, o 50 jugadas."}\n    }\n}\n','\n',char(10)));
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
, owner TEXT, due_at INTEGER, ladder TEXT) STRICT, WITHOUT ROWID;
INSERT INTO room VALUES('HZ0JbYVJA42CXsez1l','chess','Chess','c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d',1,1,1795947740074,'["white","black"]',1,NULL,1795947800074,NULL);
INSERT INTO room VALUES('I44urPYyCs3DHGAQ26','','A short race','3a6c06b617aa81f66ae32ba90872662e8656db65c4921d9b7ede9bc971de703a',0,1,1795947740066,'["Ёж","the \"second\"","c"]',1,NULL,NULL,NULL);
INSERT INTO room VALUES('QspaAq24cB3Rx3glfe','checkers','Checkers','6d21726fca50de9da0a13702bcac2d65a354497bb233eefaa03d89a983bd4c5c',1,1,1795947740071,'["white","black"]',1,NULL,NULL,NULL);
INSERT INTO room VALUES('fhP1dOZHV7RENQ79Lq','chess','Chess','c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d',1,2,1795947740058,'["white","black"]',1,NULL,NULL,NULL);
INSERT INTO room VALUES('uhCqnZe9EtdzHMrmCO','chess','Chess','c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d',1,0,1795947740043,'["white","black"]',1,NULL,NULL,NULL);
INSERT INTO room VALUES('xLg5N7M0KNmsd8RmND','chess','Chess','c1ff14a7eb0fa5bae4aacd4a3e895bc09a74ec451893b61de983891b40b3665d',1,1,1795947740051,'["white","black"]',1,NULL,NULL,NULL);
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
INSERT INTO seat VALUES('HZ0JbYVJA42CXsez1l',0,'white','p_0WB5YD-dHREmnhi0','d16079603f9d1d11269e18b446a6fdda08d40355de52091d74ee4bc54e981297','white',0,0,1795947740074);
INSERT INTO seat VALUES('HZ0JbYVJA42CXsez1l',1,'black','p_x2ks0lMrNCpVBXf7','c7692cd2532b342a550577fbd7a1aaa820ff99884c1e72cf6ec550635c9bd483','black',0,0,1795947740074);
INSERT INTO seat VALUES('I44urPYyCs3DHGAQ26',0,'Ёж','p_u4KI_Zk86gXm0xQu','bb8288fd993cea05e6d3142e6a4959df62a813388910398475551b143d422a7e','Ёж',0,0,1795947740066);
INSERT INTO seat VALUES('I44urPYyCs3DHGAQ26',1,'the "second"','p__SHoJ9UANw54q3bM','fd21e827d500370e78ab76cc9d2fff8097f798a6a33df39574d7755773a5c54b','the "second"',0,0,1795947740066);
INSERT INTO seat VALUES('I44urPYyCs3DHGAQ26',2,'c','p_ZTLFSSRRSTFehX-H','6532c549245149315e857f8715aafc2fa29f3c667c2ba7eab3d1115821772529','c',0,0,1795947740066);
INSERT INTO seat VALUES('QspaAq24cB3Rx3glfe',0,'white','p_vd2ZmP-fJ8NWn7Hx','bddd9998ff9f27c3569fb1f1940029ae33ecdd538f749737fe36a94d8a93dcad','white',0,0,1795947740071);
INSERT INTO seat VALUES('QspaAq24cB3Rx3glfe',1,'black','p_VjVUCuVSmxOTw8vN','5635540ae5529b1393c3cbcdaab4ebcbdab1f4da7cc695f120b23df0f57872a5','Senet''s bot',1,1,1795947740071);
INSERT INTO seat VALUES('fhP1dOZHV7RENQ79Lq',0,'white','p_XrAjyvnQVO3swVU9','5eb023caf9d054edecc1553dbb030a68f35d8cce0f0a9600903e8014156aa107','white',0,0,1795947740058);
INSERT INTO seat VALUES('fhP1dOZHV7RENQ79Lq',1,'black','p_3IydqpyU6gadN7zu','dc8c9daa9c94ea069d37bceed8f9839815c6868a22407dae8e731d31a23bbe23','black',0,0,1795947740058);
INSERT INTO seat VALUES('uhCqnZe9EtdzHMrmCO',0,'black','p_OPXrMD0JumH_TxXh','38f5eb303d09ba61ff4f15e182519714e5e4b610cc57d7ac15459e3883481739','black',0,0,1795947740043);
INSERT INTO seat VALUES('xLg5N7M0KNmsd8RmND',0,'white','p_-dmcH9jteIdpP3yz','f9d99c1fd8ed7887693f7cb3391451626b6e810df4706bcad26da8ad99ab2611','white',0,0,1795947740051);
INSERT INTO seat VALUES('xLg5N7M0KNmsd8RmND',1,'black','p_ora_MlEwa4AQnMRd','a2b6bf3251306b80109cc45d0b0c84dc84493086080f11c543fae644eb7e947c','black',0,0,1795947740051);
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
INSERT INTO folded_event VALUES('HZ0JbYVJA42CXsez1l',1,1,'p_0WB5YD-dHREmnhi0','03kmyq-2','created',1795947740074,'{"game":"chess","clock":{"initial_ms":20000}}');
INSERT INTO folded_event VALUES('I44urPYyCs3DHGAQ26',1,1,'p_u4KI_Zk86gXm0xQu','91b79v-2','created',1795947740066,'{"game":"","language":2}');
INSERT INTO folded_event VALUES('QspaAq24cB3Rx3glfe',1,1,'p_vd2ZmP-fJ8NWn7Hx','6e0qyf-2','created',1795947740071,'{"game":"checkers"}');
INSERT INTO folded_event VALUES('fhP1dOZHV7RENQ79Lq',1,1,'p_XrAjyvnQVO3swVU9','s4p8eu-2','created',1795947740058,'{"game":"chess"}');
INSERT INTO folded_event VALUES('uhCqnZe9EtdzHMrmCO',1,1,'p_OPXrMD0JumH_TxXh','7m3swm-2','created',1795947740043,'{"game":"chess"}');
INSERT INTO folded_event VALUES('xLg5N7M0KNmsd8RmND',1,1,'p_-dmcH9jteIdpP3yz','v8bu4p-2','created',1795947740051,'{"game":"chess"}');
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
INSERT INTO recent_event VALUES(1,0,'uhCqnZe9EtdzHMrmCO',2,1,'p_OPXrMD0JumH_TxXh','7m3swm-3','joined',1795947740044,'{"seats":["black"],"seat":"black","player":"p_OPXrMD0JumH_TxXh","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(2,0,'xLg5N7M0KNmsd8RmND',2,1,'p_-dmcH9jteIdpP3yz','v8bu4p-3','joined',1795947740052,'{"seats":["white"],"seat":"white","player":"p_-dmcH9jteIdpP3yz","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(3,2,'xLg5N7M0KNmsd8RmND',3,1,'p_ora_MlEwa4AQnMRd','uvtufk-2','joined',1795947740053,'{"seats":["black"],"seat":"black","player":"p_ora_MlEwa4AQnMRd","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(4,0,'fhP1dOZHV7RENQ79Lq',2,1,'p_XrAjyvnQVO3swVU9','s4p8eu-3','joined',1795947740059,'{"seats":["white"],"seat":"white","player":"p_XrAjyvnQVO3swVU9","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(5,4,'fhP1dOZHV7RENQ79Lq',3,1,'p_3IydqpyU6gadN7zu','9bjiok-2','joined',1795947740060,'{"seats":["black"],"seat":"black","player":"p_3IydqpyU6gadN7zu","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(6,0,'I44urPYyCs3DHGAQ26',2,1,'p_u4KI_Zk86gXm0xQu','91b79v-3','joined',1795947740067,'{"seats":["Ёж"],"seat":"Ёж","player":"p_u4KI_Zk86gXm0xQu","name":"Ёж","as":"human"}');
INSERT INTO recent_event VALUES(7,6,'I44urPYyCs3DHGAQ26',3,1,'p__SHoJ9UANw54q3bM','2hs2g5-2','joined',1795947740068,'{"seats":["the \"second\""],"seat":"the \"second\"","player":"p__SHoJ9UANw54q3bM","name":"the \"second\"","as":"human"}');
INSERT INTO recent_event VALUES(8,7,'I44urPYyCs3DHGAQ26',4,1,'p_ZTLFSSRRSTFehX-H','ldz6ut-2','joined',1795947740068,'{"seats":["c"],"seat":"c","player":"p_ZTLFSSRRSTFehX-H","name":"c","as":"human"}');
INSERT INTO recent_event VALUES(9,0,'QspaAq24cB3Rx3glfe',2,1,'p_vd2ZmP-fJ8NWn7Hx','6e0qyf-3','joined',1795947740071,'{"seats":["white"],"seat":"white","player":"p_vd2ZmP-fJ8NWn7Hx","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(10,0,'HZ0JbYVJA42CXsez1l',2,1,'p_0WB5YD-dHREmnhi0','03kmyq-3','joined',1795947740074,'{"seats":["white"],"seat":"white","player":"p_0WB5YD-dHREmnhi0","name":"white","as":"human"}');
INSERT INTO recent_event VALUES(11,10,'HZ0JbYVJA42CXsez1l',3,1,'p_x2ks0lMrNCpVBXf7','6pupbp-2','joined',1795947740076,'{"seats":["black"],"seat":"black","player":"p_x2ks0lMrNCpVBXf7","name":"black","as":"human"}');
INSERT INTO recent_event VALUES(12,11,'HZ0JbYVJA42CXsez1l',4,1,'p_0WB5YD-dHREmnhi0','03kmyq-5','moved',1795947740078,'{"seat":"white","move":{"from":"e2","to":"e4"},"lag_ms":1}');
INSERT INTO recent_event VALUES(13,12,'HZ0JbYVJA42CXsez1l',5,1,'p_x2ks0lMrNCpVBXf7','6pupbp-4','moved',1795947740081,'{"seat":"black","move":{"from":"e7","to":"e5"},"lag_ms":1}');
INSERT INTO recent_event VALUES(14,3,'xLg5N7M0KNmsd8RmND',4,1,'p_-dmcH9jteIdpP3yz','v8bu4p-5','moved',1795947740082,'{"seat":"white","move":{"from":"e2","to":"e4"}}');
INSERT INTO recent_event VALUES(15,14,'xLg5N7M0KNmsd8RmND',5,1,'p_ora_MlEwa4AQnMRd','uvtufk-4','moved',1795947740083,'{"seat":"black","move":{"from":"e7","to":"e5"}}');
INSERT INTO recent_event VALUES(16,15,'xLg5N7M0KNmsd8RmND',6,1,'p_awSCTY94ZtTiPSlb','imp09w-4','chat',1795947740085,'{"player":"p_awSCTY94ZtTiPSlb","name":"spectator","text":"kept"}');
INSERT INTO recent_event VALUES(17,16,'xLg5N7M0KNmsd8RmND',7,1,'p_-dmcH9jteIdpP3yz','v8bu4p-6','draw_offered',1795947740086,'{"seat":"white"}');
INSERT INTO recent_event VALUES(18,5,'fhP1dOZHV7RENQ79Lq',4,1,'p_XrAjyvnQVO3swVU9','s4p8eu-5','moved',1795947740087,'{"seat":"white","move":{"from":"e2","to":"e4"}}');
INSERT INTO recent_event VALUES(19,18,'fhP1dOZHV7RENQ79Lq',5,1,'p_3IydqpyU6gadN7zu','9bjiok-4','moved',1795947740088,'{"seat":"black","move":{"from":"e7","to":"e5"}}');
INSERT INTO recent_event VALUES(20,19,'fhP1dOZHV7RENQ79Lq',6,1,'p_XrAjyvnQVO3swVU9','s4p8eu-6','moved',1795947740089,'{"seat":"white","move":{"from":"f1","to":"c4"}}');
INSERT INTO recent_event VALUES(21,20,'fhP1dOZHV7RENQ79Lq',7,1,'p_3IydqpyU6gadN7zu','9bjiok-5','moved',1795947740090,'{"seat":"black","move":{"from":"b8","to":"c6"}}');
INSERT INTO recent_event VALUES(22,21,'fhP1dOZHV7RENQ79Lq',8,1,'p_XrAjyvnQVO3swVU9','s4p8eu-7','moved',1795947740091,'{"seat":"white","move":{"from":"d1","to":"h5"}}');
INSERT INTO recent_event VALUES(23,22,'fhP1dOZHV7RENQ79Lq',9,1,'p_3IydqpyU6gadN7zu','9bjiok-6','moved',1795947740103,'{"seat":"black","move":{"from":"g8","to":"f6"}}');
INSERT INTO recent_event VALUES(24,23,'fhP1dOZHV7RENQ79Lq',10,1,'p_XrAjyvnQVO3swVU9','s4p8eu-8','moved',1795947740109,'{"seat":"white","move":{"from":"h5","to":"f7"}}');
INSERT INTO recent_event VALUES(25,24,'fhP1dOZHV7RENQ79Lq',11,1,'p_3IydqpyU6gadN7zu','9bjiok-7','rematch_offered',1795947740110,'{"seat":"black"}');
INSERT INTO recent_event VALUES(26,8,'I44urPYyCs3DHGAQ26',5,1,'p_u4KI_Zk86gXm0xQu','91b79v-5','moved',1795947740111,'{"seat":"Ёж","move":{"from":"κ1","to":"κ4"}}');
INSERT INTO recent_event VALUES(27,9,'QspaAq24cB3Rx3glfe',3,1,'p_VjVUCuVSmxOTw8vN','24tfoloizchrd-2','joined',1795947740111,'{"seats":["black"],"seat":"black","player":"p_VjVUCuVSmxOTw8vN","name":"Senet''s bot","as":"bot","house":true}');
CREATE TABLE secret (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO secret VALUES('server','6eb8e39d6ead902a135943d8ce4bab7be78d39b77d5e790e1de5b440cb5e7775');
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
CREATE TABLE rated_game (
    room TEXT PRIMARY KEY,
    ladder TEXT NOT NULL,
    ended_at INTEGER NOT NULL, -- milliseconds since 1970
    number INTEGER UNIQUE
) STRICT, WITHOUT ROWID;
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
CREATE INDEX rated_game_waiting ON rated_game (ended_at, room) WHERE number IS NULL;
CREATE INDEX rating_of_ladder ON rating (ladder, rating DESC, player);
CREATE INDEX rating_of_age ON rating (rated_at);
CREATE TRIGGER rated_game_over AFTER UPDATE OF status ON room WHEN new.status = 2 AND old.status < 2 AND new.ladder IS NOT NULL
BEGIN
    INSERT INTO rated_game (room, ladder, ended_at)
        VALUES (new.id, new.ladder, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER rated_game_gone AFTER DELETE ON room WHEN old.ladder IS NOT NULL
BEGIN
    DELETE FROM rated_game WHERE room = old.id AND number IS NULL;
END;
COMMIT;
