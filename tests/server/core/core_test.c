/* What the core does, as scripts in words (see stage.h). */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct act {
    const char *name, *script;
};

/* clang-format off */
#define TWO_SIT                                                       \
    "ada: connects\n"                                                 \
    "ada: auth -> welcome\n"                                          \
    "ada: create two -> ack 1\n"                                      \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                    \
    "bob: connects\n"                                                 \
    "bob: auth -> welcome\n"                                          \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                  \
    "ada hears: joined 3 moves\n"
#define HOPS                                                       \
    "ada: connects\n"                                                 \
    "ada: auth -> welcome\n"                                          \
    "ada: create hops -> ack 1\n"                                      \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                    \
    "bob: connects\n"                                                 \
    "bob: auth -> welcome\n"                                          \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                  \
    "ada hears: joined 3 moves\n"
#define THREE_SIT                                                     \
    "ada: connects\n" "ada: auth -> welcome\n"                        \
    "ada: create three -> ack 1\n"                                    \
    "ada: join red -> ack 2; snapshot 2 red\n"                        \
    "bob: connects\n" "bob: auth -> welcome\n"                        \
    "bob: join green -> ack 3; snapshot 3 green\n"                    \
    "eve: connects\n" "eve: auth -> welcome\n"                        \
    "eve: join blue -> ack 4; snapshot 4 blue\n"                      \
    "ada hears: joined 3; joined 4 moves\n"                           \
    "bob hears: joined 4\n"
#define WATCHED "eve: connects\n" "eve: auth -> welcome\n" "eve: join spectator -> ack 3; snapshot 3 spectator\n"
#define RED_WINS                                                      \
    "ada: move 0_0 0_1 -> ack 4; moved 4\n"                           \
    "bob: move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"            \
    "ada: move 0_1 0_2 -> moved 5 moves; ack 6; moved 6\n"            \
    "bob: move 1_1 1_2 -> moved 6 moves; ack 7; moved 7\n"            \
    "ada: move 0_2 0_3 -> moved 7 moves; ack 8; moved 8\n"            \
    "bob hears: moved 8\n"

static const struct act acts[] = {
    {"two play to the end, and only the one to move may play",
     TWO_SIT
     "bob: move 1_0 1_1 -> not_your_turn\n"
     RED_WINS
     "ada: move 0_3 0_2 -> game_over\n"},
    {"a chess game of two", 
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create chess -> ack 1\n"
     "ada: join white -> ack 2; snapshot 2 white\n"
     "bob: connects\n" "bob: auth -> welcome\n" "bob: join black -> ack 3; snapshot 3 black\n"
     "ada hears: joined 3 moves\n"
     "ada: move e2 e4 3 -> ack 4; moved 4\n"
     "bob: move f7 f6 -> moved 4 moves; ack 5; moved 5\n"
     "ada: move d2 d4 -> moved 5 moves; ack 6; moved 6\n"
     "bob: move g7 g5 -> moved 6 moves; ack 7; moved 7\n"
     "ada: move d1 h5 -> moved 7 moves; ack 8; moved 8\n"
     "bob hears: moved 8\n"
     "bob: sync -> snapshot 8 black\n"},
    {"before auth nothing is answered but auth and ping",
     "ada: connects\n"
     "ada: ping -> pong\n"
     "ada: games list -> unauthenticated\n"
     "ada: create two -> unauthenticated\n"
     "ada: auth -> welcome\n"
     "ada: auth -> bad_message\n"},
    {"a token that is none closes with 4001",
     "ada: connects\n"
     "ada: {\"type\":\"auth\",\"id\":\"1\",\"token\":\"short\"} -> bad_token; closed 4001\n"
     "ada: ping ->\n"},
    {"who does not authenticate in time is closed",
     "ada: connects\n" "time: 9999\n" "ada hears:\n" "time: 1\n" "ada hears: closed 1008\n"},
    {"rooms, games and seats that are not there",
     "ada: connects\n" "ada: auth -> welcome\n"
     "ada: create ludo -> unknown_game\n"
     "ada: games get ludo -> unknown_game\n"
     "ada: {\"type\":\"join\",\"id\":\"1\",\"room\":\"nowhere0\",\"seat\":\"any\"} -> unknown_room\n"
     "ada: {\"type\":\"sync\",\"id\":\"2\",\"room\":\"nosuchroom\"} -> unknown_room\n"
     "ada: {\"type\":\"leave\",\"id\":\"3\",\"room\":\"x\"} -> unknown_room\n"
     "ada: create two -> ack 1\n"
     "ada: join blue -> no_such_seat\n"},
    {"refusals of a move, in the order a person would ask",
     "eve: connects\n" "eve: auth -> welcome\n"
     "eve: {\"type\":\"move\",\"id\":\"1\",\"room\":\"nowhere0\",\"move\":{\"from\":\"a\",\"to\":\"b\"}} -> unknown_room\n"
     TWO_SIT
     "eve: move 0_0 0_1 -> not_in_room\n"
     "eve: join spectator -> ack 3; snapshot 3 spectator\n"
     "eve: move 0_0 0_1 -> not_seated\n"
     "ada: move 0_0 0_1 3 -> ack 4; moved 4\n"
     "ada: move 0_1 0_2 3 -> stale\n"
     "ada: move 0_1 0_2 4 -> not_your_turn\n"
     "bob: move 9_9 1_1 4 -> moved 4 moves; illegal_move\n"
     "bob: move 1_0 1_9 4 -> illegal_move\n"
     "bob: move 1_0 1_2 4 -> illegal_move\n"
     "bob: {\"type\":\"move\",\"id\":\"m\",\"room\":\"nowhere0\",\"move\":{\"from\":\"1_0\",\"to\":\"1_1\"}} -> unknown_room\n"},
    {"before the game starts there are no moves, resignations or draws",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n"
     "ada: resign -> not_in_room\n"
     "ada: join red -> ack 2; snapshot 2 red\n"
     "ada: move 0_0 0_1 -> not_started\n" "ada: resign -> not_started\n" "ada: draw.offer -> not_started\n"
     "ada: legal_moves -> not_started\n" "ada: rematch.offer -> not_over\n"},
    {"a taken seat is taken, for all others",
     TWO_SIT
     "eve: connects\n" "eve: auth -> welcome\n"
     "eve: join red -> seat_taken\n" "eve: join any -> seat_taken\n" "eve: join all -> seat_taken\n"
     "ada: join red -> ack 3; snapshot 3 red moves\n"
     "ada: join any -> ack 3; snapshot 3 red moves\n"},
    {"one browser may take all seats",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n"
     "ada: join all -> ack 2; snapshot 2 all moves\n"
     "ada: move 0_0 0_1 -> ack 3; moved 3 moves\n"
     "ada: move 1_0 1_1 -> ack 4; moved 4 moves\n"
     "ada: draw.offer -> ack 5; draw_offered 5 moves\n"
     "ada: draw.accept -> ack 6; drawn 6\n"
     "ada: rematch.offer -> ack 7; rematch_offered 7\n"
     "ada: rematch.accept -> ack 8; rematch 8\n"},
    {"a seat left before the game starts is free again",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n"
     "ada: join red -> ack 2; snapshot 2 red\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: join spectator -> ack 2; snapshot 2 spectator\n"
     "ada: #l leave -> ack 3\n" "eve hears: left 3\n" "ada: #l leave -> ack 3\n"
     "ada: chat hello -> not_in_room\n"
     "eve: join red -> ack 4; snapshot 4 red\n"
     "ada: join red -> seat_taken\n"},
    {"a seat left while playing stays held",
     TWO_SIT
     "bob: leave -> ack 3\n" "ada: move 0_0 0_1 -> ack 4; moved 4\n" "bob hears:\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: join green -> seat_taken\n"
     "bob: join green -> ack 4; snapshot 4 green moves\n"},
    {"a command sent twice is one event and one answer",
     TWO_SIT
     "ada: #m move 0_0 0_1 -> ack 4; moved 4\n" "ada: #m move 0_0 0_1 -> ack 4\n"
     "bob: #m move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
     "ada: #m move 0_0 0_1 -> moved 5 moves; ack 4\n"
     "ada: #m move 0_1 0_2 -> id_reused\n"
     "ada: #m chat hello -> id_reused\n" "ada: #m resign -> id_reused\n"},
    {"a command sent twice is one event after a restart, too",
     TWO_SIT
     "ada: #m move 0_0 0_1 -> ack 4; moved 4\n"
     "bob: #n move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
     "crash:\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 5 -> ack 5 events\n"
     "ada: #m move 0_0 0_1 -> ack 4\n" "ada: move 0_1 0_2 5 -> ack 6; moved 6\n"
     "bob: connects\n" "bob: auth -> welcome\n"
     "bob: #n move 1_0 1_1 -> ack 5\n"
     "bob: resume 5 -> ack 6 events; moved 6 moves\n"},
    {"a create sent twice is one room, after a restart, too",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: #c create two -> ack 1\n"
     "ada: join red -> ack 2; snapshot 2 red\n"
     "ada: #c create two -> ack 1\n" "ada: join red -> ack 2; snapshot 2 red\n"
     "crash:\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: #c create two -> ack 1\n"
     "ada: join red -> ack 2; snapshot 2 red\n"},
    {"a join sent twice brings its snapshot twice",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n"
     "ada: #j join red -> ack 2; snapshot 2 red\n" "ada: #j join red -> ack 2; snapshot 2 red\n"
     "crash:\n" "ada: connects\n" "ada: auth -> welcome\n"
     "ada: #j join red -> ack 2; snapshot 2 red\n"},
    {"nothing is shown before it is durable",
     TWO_SIT WATCHED
     "store: holds\n"
     "ada: move 0_0 0_1 ->\n" "bob hears: \n" "eve hears:\n"
     "eve: sync -> snapshot 3 spectator\n" "eve: legal_moves -> legal_moves 1\n"
     "store: answers\n"
     "ada hears: ack 4; moved 4\n" "bob hears: moved 4 moves\n" "eve hears: moved 4\n"},
    {"commands wait for their turn and are judged when it comes",
     TWO_SIT
     "store: holds\n"
     "ada: move 0_0 0_1 3 ->\n" "ada: move 0_1 0_2 3 ->\n" "bob: move 1_0 1_1 ->\n" "ada: resign ->\n" "bob: chat bye ->\n"
     "store: answers\n"
     "ada hears: ack 4; moved 4; stale; moved 5 moves; ack 6; resigned 6; chat 7\n"
     "bob hears: moved 4 moves; ack 5; moved 5; resigned 6; ack 7; chat 7\n"},
    {"a failure of the store changes nothing",
     TWO_SIT
     "store: fails\n" "ada: #m move 0_0 0_1 -> unavailable\n" "bob hears: \n"
     "ada: #m move 0_0 0_1 -> ack 4; moved 4\n" "bob hears: moved 4 moves\n"
     "store: is full\n" "bob: move 1_0 1_1 -> unavailable\n" "store: is empty\n"
     "bob: move 1_0 1_1 -> ack 5; moved 5\n"},
    {"who comes to watch does not wait for a move that is being stored",
     TWO_SIT
     "eve: connects\n" "eve: auth -> welcome\n"
     "store: holds\n" "ada: move 0_0 0_1\n"
     "eve: join spectator -> ack 3; snapshot 3 spectator\n"
     "store: answers\n" "ada hears: ack 4; moved 4\n" "bob hears: moved 4 moves\n" "eve hears: moved 4\n"},
    {"a create that fails leaves no room",
     "ada: connects\n" "ada: auth -> welcome\n" "store: fails\n" "ada: #c create two -> unavailable\n"
     "ada: #c create two -> ack 1\n"},
    {"a lost race is judged again, and nobody notices",
     TWO_SIT WATCHED
     "store: conflicts 1\n" "ada: #m move 0_0 0_1 -> ack 4; moved 4\n"
     "bob hears: moved 4 moves\n" "eve hears: moved 4\n"
     "ada: #m move 0_0 0_1 -> ack 4\n"},
    {"further races are lost with pauses between, and what came meanwhile keeps its turn",
     TWO_SIT
     "store: conflicts 8\n" "ada: #m move 0_0 0_1 -> \n" "ada: chat more -> \n"
     "time: 2000\ntime: 2000\ntime: 2000\ntime: 2000\ntime: 2000\ntime: 2000\ntime: 2000\n"
     "ada hears: ack 4; moved 4; ack 5; chat 5\n" "bob hears: moved 4 moves; chat 5 moves\n"},
    {"whoever loses nine races is told that the room is unavailable",
     TWO_SIT
     "store: conflicts 9\n" "ada: #m move 0_0 0_1 -> \n"
     "time: 2000\ntime: 2000\ntime: 2000\ntime: 2000\ntime: 2000\ntime: 2000\ntime: 2000\n"
     "ada hears: unavailable\n" "ada: #m move 0_0 0_1 -> ack 4; moved 4\n" "bob hears: moved 4 moves\n"},
    {"where the room cannot be read after a lost race the command is unavailable",
     TWO_SIT
     "store: conflicts 1\n" "store: holds\n" "ada: #m move 0_0 0_1 -> \n" "store: is broken\n" "store: answers\n"
     "ada hears: unavailable\n" "store: is whole\n" "ada: #m move 0_0 0_1 -> ack 4; moved 4\n"},
    {"a newer connection of the player replaces the older one",
     TWO_SIT
     "ada2: connects\n" "ada2: auth -> welcome\n" "ada2: resume 3 -> ack 3 events\n"
     "ada hears: closed 4009\n"
     "ada2: move 0_0 0_1 -> ack 4; moved 4\n"
     "bob: move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
     "ada3: connects\n" "ada3: auth -> welcome\n" "ada3: join spectator -> ack 5; snapshot 5 spectator\n"
     "ada2: move 0_1 0_2 -> moved 5 moves; ack 6; moved 6\n" "ada3 hears: moved 6\n"},
    {"a connection that only watches replaces nobody and is not replaced",
     TWO_SIT
     "ada2: connects\n" "ada2: auth -> welcome\n" "ada2: join spectator -> ack 3; snapshot 3 spectator\n"
     "ada3: connects\n" "ada3: auth -> welcome\n" "ada3: join spectator -> ack 3; snapshot 3 spectator\n"
     "ada4: connects\n" "ada4: auth -> welcome\n" "ada4: resume 3 -> ack 3 events\n"
     "ada hears: closed 4009\n" "ada2 hears:\n" "ada3 hears:\n"
     "ada4: move 0_0 0_1 -> ack 4; moved 4\n" "ada2 hears: moved 4\n" "ada3 hears: moved 4\n"},
    {"who watched on one connection and sits down on another is replaced on the first",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n"
     "ada: resume 1 -> ack 1 events\n"
     "ada2: connects\n" "ada2: auth -> welcome\n" "ada2: join red -> ack 2; snapshot 2 red\n"
     "ada hears: joined 2; closed 4009\n"},
    {"a connection in two rooms is replaced as a whole by one that sits in one of them",
     TWO_SIT
     "ada: create two -> ack 1\n" "ada: join green -> ack 2; snapshot 2 green\n"
     "ada2: connects\n" "ada2: auth -> welcome\n" "ada2: join any -> ack 2; snapshot 2 green\n"
     "ada hears: closed 4009\n"},
    {"a seat key hands the seat over, and the one who had it is told",
     TWO_SIT WATCHED
     "ada: seat_key -> seat_key 4 key; seat_key 4 moves\n" "bob hears: seat_key 4\n" "eve hears: seat_key 4\n"
     "eve: take -> ack 5; snapshot 5 red moves\n"
     "ada hears: handed_over 5; closed 4009\n" "bob hears: handed_over 5\n"
     "eve: move 0_0 0_1 -> ack 6; moved 6\n"
     "ada: goes\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 5 -> ack 6 events; moved 6\n"
     "ada: move 0_1 0_2 -> not_seated\n" "ada: join any -> seat_taken\n" "ada: take -> bad_key\n"},
    {"a seat key is for one, is replaced by the next, and is not for spectators",
     TWO_SIT WATCHED
     "eve: seat_key -> not_seated\n" "eve: {\"type\":\"join\",\"id\":\"1\",\"room\":\"$R\",\"key\":\"x\"} -> bad_key\n"
     "ada: seat_key -> seat_key 4 key; seat_key 4 moves\n" "ada: seat_key -> seat_key 5 key; seat_key 5 moves\n"
     "eve: take.old -> seat_key 4; seat_key 5; bad_key\n"
     "bob: seat_key -> seat_key 4; seat_key 5; seat_key 6 key; seat_key 6\n"
     "eve: take.old Eve -> seat_key 6; ack 7; snapshot 7 red moves\n"
     "ada hears: seat_key 6 moves; handed_over 7; closed 4009\n"
     "eve: take.old -> bad_key\n"
     "eve: take -> ack 8; snapshot 8 all moves\n"},
    {"a seat key outlives the server, and so does what it did",
     TWO_SIT
     "ada: seat_key -> seat_key 4 key; seat_key 4 moves\n"
     "crash:\n" "eve: connects\n" "eve: auth -> welcome\n" "eve: #t take -> ack 5; snapshot 5 red moves\n"
     "crash:\n" "eve: connects\n" "eve: auth -> welcome\n" "eve: #t take -> ack 5; snapshot 5 red moves\n"
     "eve: lobby.subscribe -> lobby 0 1\n" "time: 200\n" "eve hears: lobby 1 0\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: lobby.subscribe -> lobby 1 0\n" "ada: take -> bad_key\n"
     "eve: #t join red -> id_reused\n"},
    {"a seat key is shown once: sent again the command says only that it was done",
     TWO_SIT
     "ada: #k seat_key -> seat_key 4 key; seat_key 4 moves\n" "ada: #k seat_key -> seat_key 4\n"
     "crash:\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: #k seat_key -> seat_key 4\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: take -> ack 5; snapshot 5 red moves\n"},
    {"one's own seat key is as good as the seat, and stays good",
     TWO_SIT
     "ada: seat_key -> seat_key 4 key; seat_key 4 moves\n"
     "ada2: connects\n" "ada2: auth -> welcome\n" "ada2: take -> ack 4; snapshot 4 red moves\n" "ada hears: closed 4009\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: take -> ack 5; snapshot 5 red moves\n"},
    {"a seat key goes with its seat, and hands over all seats of its player",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n"
     "ada: join red Ada -> ack 2; snapshot 2 red\n" "ada: seat_key -> seat_key 3 key; seat_key 3\n"
     "ada: leave -> ack 4\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: take -> bad_key\n"
     "ada: join red Ada -> ack 5; snapshot 5 red\n" "eve: take -> bad_key\n"
     "ada: seat_key -> seat_key 6 key; seat_key 6\n" "ada: join green -> ack 7; snapshot 7 all moves\n"
     "eve: take -> ack 8; snapshot 8 all moves\n"},
    {"offers stand when the seats are handed over, and when the game is over there are keys, too",
     TWO_SIT
     "ada: draw.offer -> ack 4; draw_offered 4 moves\n"
     "ada: seat_key -> seat_key 5 key; seat_key 5 moves\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: take -> ack 6; snapshot 6 red moves\n"
     "bob: draw.accept -> draw_offered 4; seat_key 5; handed_over 6; ack 7; drawn 7\n"
     "eve: seat_key -> drawn 7; seat_key 8 key; seat_key 8\n"
     "zoe: connects\n" "zoe: auth -> welcome\n" "zoe: take -> ack 9; snapshot 9 red\n"
     "zoe: rematch.offer -> ack 10; rematch_offered 10\n"
     "bob: rematch.accept -> seat_key 8; handed_over 9; rematch_offered 10; ack 11; rematch 11\n"},
    {"a player who is too slow is closed and comes back",
     TWO_SIT
     "bob: is slow\n" "ada: move 0_0 0_1 -> ack 4; moved 4\n" "bob hears: closed 4010\n"
     "bob2: connects\n" "bob2: auth -> welcome\n" "bob2: resume 3 -> ack 4 events; moved 4 moves\n"},
    {"a spectator who is too slow gets one snapshot when it has drained",
     TWO_SIT WATCHED
     "eve: is slow\n"
     "ada: move 0_0 0_1 -> ack 4; moved 4\n" "bob: move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
     "eve hears:\n" "eve: drains -> snapshot 5 spectator bare\n"
     "ada: move 0_1 0_2 -> moved 5 moves; ack 6; moved 6\n" "eve hears: moved 6\n"},
    {"an answer that cannot be sent closes", 
     TWO_SIT WATCHED "eve: is slow\n" "eve: legal_moves -> closed 4010\n"},
    {"talk is for everybody until the players say otherwise",
     TWO_SIT WATCHED
     "eve: chat hi -> ack 4; chat 4\n"
     "ada: chat.players -> chat 4 moves; ack 5; chat_allowed 5 moves\n"
     "eve: chat hi -> chat_allowed 5; muted\n"
     "bob: chat hi -> chat 4; chat_allowed 5; ack 6; chat 6\n"
     "bob: chat.nobody -> ack 7; chat_allowed 7\n"
     "ada: chat hi -> chat 6 moves; chat_allowed 7 moves; muted\n"
     "ada: chat.nobody -> ack 7\n"
     "eve: chat.everybody -> chat 6; chat_allowed 7; not_seated\n"
     "ada: #e chat.everybody -> ack 8; chat_allowed 8 moves\n" "ada: #e chat.everybody -> ack 8\n"
     "ada: #e chat.mute eve -> id_reused\n"
     "eve: chat hi -> chat_allowed 8; ack 9; chat 9\n"},
    {"one who watches can be muted, who plays cannot, and it outlives a restart",
     TWO_SIT WATCHED
     "ada: chat.mute bob -> bad_message\n" "eve: chat.mute bob -> not_seated\n"
     "bob: chat.unmute eve -> ack 3\n"
     "ada: chat.mute eve -> ack 4; muted 4 moves\n" "bob: chat.mute eve -> muted 4; ack 4\n"
     "eve: chat hi -> muted 4; muted\n"
     "crash: now\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: resume 4 -> ack 4 events\n" "eve: chat hi -> muted\n"
     "bob: connects\n" "bob: auth -> welcome\n" "bob: resume 4 -> ack 4 events\n"
     "bob: chat.unmute eve -> ack 5; unmuted 5\n"
     "eve: chat hi -> unmuted 5; ack 6; chat 6\n"},
    {"missed events are sent again while they are remembered",
     TWO_SIT
     "bob: goes\n"
     "ada: move 0_0 0_1 -> ack 4; moved 4\n" "ada: chat hm -> ack 5; chat 5\n"
     "bob: connects\n" "bob: auth -> welcome\n"
     "bob: resume 3 -> ack 5 events; moved 4; chat 5 moves\n"
     "bob: resume 99 -> ack 5 snapshot; snapshot 5 green moves\n"
     "bob: resume 0 -> ack 5 snapshot; snapshot 5 green moves\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: resume 4 -> ack 5 events; chat 5\n"},
    {"an accepted draw ends the game, a declined one does not",
     TWO_SIT
     "ada: draw.accept -> no_offer\n" "ada: draw.decline -> no_offer\n"
     "ada: draw.offer -> ack 4; draw_offered 4 moves\n" "ada: draw.offer -> ack 4\n" "ada: draw.accept -> no_offer\n"
     "bob: draw.decline -> draw_offered 4; ack 5; draw_declined 5\n"
     "ada: draw.offer -> draw_declined 5 moves; ack 6; draw_offered 6 moves\n"
     "ada: move 0_0 0_1 -> ack 7; moved 7\n"
     "bob: draw.accept -> draw_offered 6; moved 7 moves; no_offer\n"
     "bob: draw.offer -> ack 8; draw_offered 8 moves\n"
     "ada: #d draw.accept -> draw_offered 8; ack 9; drawn 9\n" "bob hears: drawn 9\n"
     "ada: #d draw.accept -> ack 9\n"
     "ada: draw.offer -> game_over\n" "ada: resign -> game_over\n"},
    {"an offer against an offer is a yes",
     TWO_SIT
     "ada: draw.offer -> ack 4; draw_offered 4 moves\n" "bob: #d draw.offer -> draw_offered 4; ack 5; drawn 5\n" "bob: #d draw.offer -> ack 5\n"},
    {"of three all must accept a draw",
     THREE_SIT
     "bob: draw.offer -> ack 5; draw_offered 5\n"
     "ada: draw.accept -> draw_offered 5 moves; ack 6; draw_accepted 6 moves\n"
     "ada: draw.accept -> no_offer\n"
     "eve: draw.accept -> draw_offered 5; draw_accepted 6; ack 7; drawn 7\n"},
    {"of three one may decline a draw for all",
     THREE_SIT
     "bob: draw.offer -> ack 5; draw_offered 5\n"
     "ada: draw.accept -> draw_offered 5 moves; ack 6; draw_accepted 6 moves\n"
     "eve: draw.decline -> draw_offered 5; draw_accepted 6; ack 7; draw_declined 7\n"
     "ada: draw.accept -> draw_declined 7 moves; no_offer\n"},
    {"a rematch is a new room with the seats turned",
     TWO_SIT RED_WINS
     "ada: rematch.accept -> no_offer\n"
     "ada: rematch.offer -> ack 9; rematch_offered 9\n"
     "bob: rematch.decline -> rematch_offered 9; ack 10; rematch_declined 10\n"
     "bob: rematch.offer -> ack 11; rematch_offered 11\n"
     "ada: #r rematch.accept -> rematch_declined 10; rematch_offered 11; ack 12; rematch 12\n"
     "bob hears: rematch 12\n" "ada: #r rematch.accept -> ack 12\n" "bob: rematch.offer -> ack 12\n"},
    {"publishing is not done here", TWO_SIT "ada: games publish -> unsupported\n"},
    {"questions about games",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: games list -> games 4\n" "ada: games get two -> game two\n"
     "ada: validate -> valid 0\n"},
    {"a definition of one's own is played like any other, and compiled once",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: define -> ack 1\n" "ada: join all -> ack 2; snapshot 2 all moves\n"
     "ada: {\"type\":\"create\",\"id\":\"bad\",\"definition\":{\"name\":\"x\"}} -> bad_definition\n"},
    {"what happened can be read back",
     TWO_SIT RED_WINS
     "ada: history 1 3 -> history 1 3 3\n" "ada: history 2 99 -> history 2 8 7\n" "ada: history 9 9 -> bad_message\n"
     "crash:\n" "eve: connects\n" "eve: auth -> welcome\n" "eve: history 1 99 -> history 1 8 8\n"
     "eve: join spectator -> ack 8; snapshot 8 spectator\n" "eve: legal_moves -> game_over\n"},
    {"who is there is seen by all",
     TWO_SIT "time: 200\n" "ada sees: 0 red green\n" WATCHED "time: 200\n" "ada sees: 1 red green\n" "eve sees: 1 red green\n"
     "bob: goes\n" "time: 200\n" "eve sees: 1 red\n"},
    {"who knows the rules is not told what is legal, and may ask; who comes back and does not is told",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n" "ada: join red -> ack 2; snapshot 2 red\n"
     "bob: connects\n" "bob: {\"type\":\"auth\",\"id\":\"h\",\"legal_moves\":false} -> welcome\n"
     "bob: join any -> ack 3; snapshot 3 green\n" "ada hears: joined 3 moves\n" "ada: move 0_0 0_1 -> ack 4; moved 4\n"
     "bob hears: moved 4\n" "bob: legal_moves -> legal_moves 1\n" "bob: sync -> snapshot 4 green\n" "ada: goes\n"
     "bob: move 1_0 1_1 -> ack 5; moved 5\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 4 -> ack 5 events; moved 5 moves\n"
     "ada: resume 4 -> ack 5 events; moved 5 moves\n"},
    {"the lobby tells of public rooms, once a second",
     "eve: connects\n" "eve: auth -> welcome\n" "eve: lobby.subscribe -> lobby 0 0\n"
     "ada: connects\n" "ada: auth -> welcome\n" "time: 2000\n" "eve hears:\n"
     "ada: create two -> ack 1\n" "ada: create.private two -> ack 1\n"
     "ada: join red -> ack 2; snapshot 2 red\n"
     "time: 1000\n" "eve hears: lobby 1 0\n" "time: 1000\n" "eve hears:\n"
     "ada: {\"type\":\"lobby.subscribe\",\"id\":\"p\",\"from\":1} -> lobby 1 0\n"
     "ada: {\"type\":\"lobby.subscribe\",\"id\":\"q\",\"from\":1001} -> bad_message\n"
     "ada: lobby.subscribe -> lobby 1 1\n"
     "eve: lobby.unsubscribe -> ack 0\n" "ada: create three -> ack 1\n" "time: 1000\n" "eve hears:\n" "ada hears: lobby 2 0\n"},
    {"malformed messages are refused, and the eighth closes",
     "ada: connects\n" "ada: auth -> welcome\n"
     "ada: {} -> bad_message\n" "ada: {\"type\":\"x\",\"id\":\"1\"} -> unknown_type\n"
     "ada: { -> bad_json\n" "ada: { -> bad_json\n" "ada: { -> bad_json\n" "ada: { -> bad_json\n" "ada: { -> bad_json\n"
     "ada: { -> bad_json\n" "ada: { -> bad_json; closed 1008\n"},
    {"a cell may be named by its coordinates",
     TWO_SIT
     "ada: {\"type\":\"move\",\"id\":\"k\",\"room\":\"$R\",\"move\":{\"from\":{\"y\":0,\"x\":0},\"to\":{\"x\":0,\"y\":1}}} -> ack 4; moved 4\n"
     "bob: {\"type\":\"move\",\"id\":\"k\",\"room\":\"$R\",\"move\":{\"from\":{\"x\":1},\"to\":\"1_1\"}} -> moved 4 moves; illegal_move\n"
     "bob: {\"type\":\"move\",\"id\":\"l\",\"room\":\"$R\",\"move\":{\"from\":{\"x\":1,\"z\":0},\"to\":\"1_1\"}} -> illegal_move\n"
     "bob: {\"type\":\"move\",\"id\":\"m\",\"room\":\"$R\",\"move\":{\"from\":\"1_0\",\"to\":\"1_1\",\"choice\":\"king\"}} -> illegal_move\n"},
    {"a choice is made with the move, and only one that is offered",
     HOPS
     "ada: move 5_1 6_1 -> illegal_move\n" "ada: move 5_1 6_1=man -> illegal_move\n" "ada: move 5_1 6_1=dragon -> illegal_move\n"
     "ada: move 0_0 2_0=lord -> illegal_move\n"
     "ada: #c move 5_1 6_1=lady -> ack 4; moved 4\n" "ada: #c move 5_1 6_1=lady -> ack 4\n"
     "ada: #c move 5_1 6_1=lord -> id_reused\n" "ada: #c move 5_1 6_1 -> id_reused\n"},
    {"a turn of several moves goes on after a crash, and a pass ends it",
     HOPS
     "ada: move 0_0 2_0 -> ack 4; moved 4 moves\n" "bob: move 3_1 2_1 -> moved 4; not_your_turn\n"
     "ada: legal_moves -> legal_moves 2\n"
     "crash:\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 4 -> ack 4 events\n"
     "ada: move 5_1 6_1=lord -> illegal_move\n"
     "ada: #p pass -> ack 5; moved 5\n" "ada: #p pass -> ack 5\n" "ada: #p move 2_0 4_0 -> id_reused\n" "ada: pass -> not_your_turn\n"},
    {"a claim is its maker's turn, and what it says is the result",
     HOPS
     "ada: claim.result -> no_offer\n" "ada: pass -> ack 4; moved 4\n"
     "bob: pass -> moved 4 moves; ack 5; moved 5\n"
     "bob: claim.result -> not_your_turn\n"
     "crash:\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 0 -> ack 5 snapshot; snapshot 5 red moves\n"
     "ada: #k claim.result -> ack 6; claimed 6\n" "ada: #k claim.result -> ack 6\n" "ada: claim.result -> game_over\n"},
    {"a game of places goes on until all have one",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create places -> ack 1\n" "ada: join all -> ack 2; snapshot 2 all moves\n"
     "ada: move 0_0 0_2 -> ack 3; moved 3 moves\n" "ada: move 1_0 1_1 -> ack 4; moved 4 moves\n" "ada: move 2_0 2_1 -> ack 5; moved 5 moves\n"
     "ada: move 1_1 1_2 -> ack 6; moved 6\n" "ada: resign -> game_over\n"},
    {"a file for several numbers of players is a game for each, and a room remembers which",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create places 4 -> bad_message\n" "ada: create two 3 -> bad_message\n"
     "ada: create places 3 -> ack 1\n" "ada: join green -> ack 2; snapshot 2 green\n"
     "ada: create places 2 -> ack 1\n" "ada: join green -> no_such_seat\n" "ada: join all -> ack 2; snapshot 2 all moves\n"
     "ada: move 0_0 0_1 -> ack 3; moved 3 moves\n" "ada: move 2_0 2_1 -> ack 4; moved 4 moves\n"
     "crash:\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 0 -> ack 4 snapshot; snapshot 4 all moves\n"
     "ada: move 0_1 0_2 -> ack 5; moved 5\n"
     "ada: rematch.offer -> ack 6; rematch_offered 6\n" "ada: rematch.accept -> ack 7; rematch 7\n"},
    {"moves are explained, one by one or from a cell",
     HOPS
     "eve: connects\n" "eve: auth -> welcome\n"
     "eve: explain 0_0 2_0 -> legal_moves 1\n" "eve: explain 0_0 1_0 -> legal_moves 0\n" "eve: explain 0_0 9_9 -> bad_message\n"
     "eve: {\"type\":\"legal_moves\",\"id\":\"e\",\"room\":\"$R\",\"cell\":\"5_1\",\"explain\":true} -> legal_moves 2\n"},
    {"one's rooms are there after a restart, and in the lobby when somebody who sits there has come back",
     TWO_SIT "time: 90000\n" "crash:\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: lobby.subscribe -> lobby 0 1\n"
     "eve: connects\n" "eve: auth -> welcome\n" "eve: resume 3 -> ack 3 events\n" "time: 2000\n" "ada hears:\n"
     "bob: connects\n" "bob: auth -> welcome\n" "bob: resume 3 -> ack 3 events\n" "time: 200\n" "time: 1000\n" "ada hears: lobby 1 0\n"},
    {"a room is listed while a player is there, and a minute longer",
     "eve: connects\n" "eve: auth -> welcome\n" "eve: lobby.subscribe -> lobby 0 0\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n" "ada: join red -> ack 2; snapshot 2 red\n"
     "time: 1000\n" "eve hears: lobby 1 0\n" "time: 200000\n" "eve hears:\n"
     "ada: goes\n" "time: 200\n" "time: 59000\n" "eve hears:\n" "time: 2000\n" "eve hears: lobby 0 0\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 2 -> ack 2 events\n" "time: 1000\n" "time: 1000\n" "eve hears: lobby 1 0\n"
     "ada: goes\n" "time: 200\n" "time: 30000\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: resume 2 -> ack 2 events\n"
     "time: 60000\n" "eve hears:\n"},
    {"who only watches keeps no room in the lobby, and a room nobody sits in is there for a minute",
     "eve: connects\n" "eve: auth -> welcome\n" "eve: lobby.subscribe -> lobby 0 0\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n" "ada: join spectator -> ack 1; snapshot 1 spectator\n"
     "time: 1000\n" "eve hears: lobby 1 0\n" "time: 60000\n" "time: 1000\n" "eve hears: lobby 0 0\n"},
    {"a room that its players have left is not in the lobby, and who leaves may come back",
     "eve: connects\n" "eve: auth -> welcome\n" "eve: lobby.subscribe -> lobby 0 0\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n" "ada: join red -> ack 2; snapshot 2 red\n"
     "time: 1000\n" "eve hears: lobby 1 0\n" "ada: leave -> ack 3\n" "time: 1000\n" "eve hears: lobby 0 0\n"
     "ada: join red -> ack 4; snapshot 4 red\n" "time: 1000\n" "eve hears: lobby 1 0\n"},
    {"a room where one player has all seats is not in the lobby",
     "eve: connects\n" "eve: auth -> welcome\n" "eve: lobby.subscribe -> lobby 0 0\n"
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n" "ada: join all -> ack 2; snapshot 2 all moves\n"
     "time: 2000\n" "eve hears: lobby 0 0\n" "ada: lobby.subscribe -> lobby 0 1\n"},
    {"a room that cannot be read now can be read later",
     TWO_SIT "crash:\n" "ada: connects\n" "ada: auth -> welcome\n"
     "store: is broken\n" "ada: resume 3 -> unavailable\n" "ada: lobby.subscribe -> unavailable\n"
     "store: is whole\n" "ada: resume 3 -> ack 3 events\n"
     "store: is broken\n" "ada: history 1 2 -> unavailable\n"},
    {"after the stop every command is refused",
     TWO_SIT "stop:\n" "ada: move 0_0 0_1 -> unavailable\n" "ada: ping -> unavailable\n"},
    {"a room nobody is in leaves memory and comes back",
     TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n" "ada: goes\n" "bob: goes\n" "time: 60000\n"
     "bob: connects\n" "bob: auth -> welcome\n" "bob: resume 2 -> ack 4 events; joined 3; moved 4 moves\n"},
};
/* clang-format on */

static void run_act(void **state)
{
    const struct act *act = *state;
    struct stage *stage = malloc(sizeof *stage);
    if (strstr(act->script, "chess"))
        stage_init(stage);
    else
        stage_init_small(stage);
    stage_play(stage, act->script);
    stage_release(stage);
    free(stage);
}

/* --- what needs more than words ------------------------------------------------------------------------ */

static void with_stage(void (*body)(struct stage *stage))
{
    struct stage *stage = malloc(sizeof *stage);
    stage_init_small(stage);
    body(stage);
    stage_release(stage);
    free(stage);
}

/* `how`: winner or loser. */
static void assert_result(struct stage *stage, const char *how, const char *who, const char *reason)
{
    stage_play(stage, "ada: sync");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    const json_t *result = json_object_get(json_object_get(snapshot, "state"), "result");
    assert_non_null(result);
    assert_string_equal(json_string_value(json_object_get(result, "reason")), reason);
    assert_string_equal(json_string_value(json_object_get(result, how)), who);
    assert_int_equal(json_object_size(result), 2);
    json_decref(snapshot);
}

static void of_two_the_other_wins_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: resign -> ack 4; resigned 4\n");
    assert_result(stage, "winner", "green", "resignation");
}

static void of_two_the_other_wins(void **state)
{
    (void)state;
    with_stage(of_two_the_other_wins_body);
}

static void of_three_who_resigns_has_lost_body(struct stage *stage)
{
    stage_play(stage, THREE_SIT "bob: resign -> ack 5; resigned 5\nada hears: resigned 5\n");
    assert_result(stage, "loser", "green", "resignation");
}

static void of_three_who_resigns_has_lost(void **state)
{
    (void)state;
    with_stage(of_three_who_resigns_has_lost_body);
}

static void rematch_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT RED_WINS "ada: rematch.offer -> ack 9; rematch_offered 9\n"
                                       "bob: rematch.accept -> rematch_offered 9; ack 10; "
                                       "rematch 10\nada: sync\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    const char *next =
        json_string_value(json_object_get(json_object_get(snapshot, "state"), "next_room"));
    assert_non_null(next);
    const struct kept_room *room = memory_store_room(&stage->store, next);
    assert_non_null(room);
    assert_int_equal(room->version, 1);
    assert_int_equal(room->status, STORE_PLAYING);
    assert_string_equal(room->seats[0].name, "Bob");
    assert_string_equal(room->seats[1].name, "Ada");
    snprintf(stage->room, sizeof stage->room, "%s", next);
    json_decref(snapshot);
    stage_play(stage, "ada hears: rematch 10; snapshot 10 red\n"
                      "bob: join any -> ack 1; snapshot 1 red moves\n"
                      "ada: resume 0 -> ack 1 snapshot; snapshot 1 green\n"
                      "bob: move 0_0 0_1 -> ack 2; moved 2\n"
                      "crash:\n"
                      "ada: connects\nada: auth -> welcome\n"
                      "ada: resume 1 -> ack 2 events; moved 2 moves\n");
}

static void a_rematch_is_playing_at_once(void **state)
{
    (void)state;
    with_stage(rematch_body);
}

static void failed_rematch_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT RED_WINS "ada: rematch.offer -> ack 9; rematch_offered 9\n"
                                       "store: fails\n"
                                       "bob: #r rematch.accept -> rematch_offered 9; unavailable\n"
                                       "bob: #r rematch.accept -> ack 10; rematch 10\n");
    assert_int_equal(stage->store.room_count, 2);
}

static void a_rematch_is_both_rooms_or_neither(void **state)
{
    (void)state;
    with_stage(failed_rematch_body);
}

/* What cannot be said to her closes her, and her seek goes: the lobby has changed though it was looked at in that very turn. */
static void closed_in_time_body(struct stage *stage)
{
    stage_play(stage, "eve: connects\neve: auth -> welcome\neve: lobby.subscribe -> lobby 0 0\n"
                      "ada: connects\nada: auth -> welcome\nada: create.private two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\n"
                      "ada: {\"type\":\"seek\",\"id\":\"s\",\"game\":\"two\"} ->\n"
                      "ada: bot.invite ->\ntime: 1000\neve hears: lobby 0 0 seeks 1\nada: is slow\n"
                      "time: 4000\nada hears: closed 4010\n"
                      "eve hears: lobby 0 0\n");
}

static void what_changes_as_time_passes_is_told_in_that_turn(void **state)
{
    (void)state;
    with_stage(closed_in_time_body);
}

static void invitation_body(struct stage *stage)
{
    char json[256];
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                      "ada: bot.invite -> not_in_room\n"
                      "ada: join red -> ack 2; snapshot 2 red\n"
                      "ada: bot.invite red -> seat_taken\nada: bot.invite blue -> no_such_seat\n"
                      "ada: #b bot.invite ->\n");
    assert_int_equal(stage->house_count, 1);
    assert_string_equal(stage->house_seat, "green");
    assert_string_equal(stage->house_room, stage->room);
    stage_open(stage, "bot", true);
    snprintf(json, sizeof json, "{\"type\":\"auth\",\"id\":\"1\",\"token\":\"%s\"}",
             stage->house_token);
    stage_say(stage, "bot", json);
    stage_play(stage, "bot: join green Robot -> welcome; ack 3; snapshot 3 green bare\n"
                      "ada hears: joined 3 moves; ack 3\n"
                      "ada: #b bot.invite -> ack 3\n");
    assert_true(memory_store_room(&stage->store, stage->room)->seats[1].house);

    /* After a restart it is called again, as the same player. */
    char token[64];
    snprintf(token, sizeof token, "%s", stage->house_token);
    stage_play(stage,
               "crash:\nada: connects\nada: auth -> welcome\nada: resume 3 -> ack 3 events\n");
    assert_int_equal(stage->house_count, 2);
    assert_string_equal(stage->house_token, token);

    stage_play(stage, "ada: create two -> ack 1\nada: join red -> ack 2; snapshot 2 red\n"
                      "ada: bot.invite ->\ntime: 4999\nada hears:\ntime: 1\n"
                      "ada hears: unavailable\n");
}

static void bring_bot(struct stage *stage, const char *seat, const char *talk)
{
    char json[256];
    stage_open(stage, "bot", true);
    snprintf(json, sizeof json, "{\"type\":\"auth\",\"id\":\"1\",\"token\":\"%s\"}",
             stage->house_token);
    stage_say(stage, "bot", json);
    snprintf(json, sizeof json, "bot: join %s Robot -> welcome; %s\n", seat, talk);
    stage_play(stage, json);
}

/* It plays as well after a restart and in the next room. */
static void level_body(struct stage *stage)
{
    char token[64];
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\nada: bot.invite green 9 -> "
                      "bad_message\nada: bot.invite green 0 -> bad_message\n"
                      "ada: bot.invite green 5 ->\n");
    assert_int_equal(stage->house_level, 5);
    snprintf(token, sizeof token, "%s", stage->house_token);
    bring_bot(stage, "green", "ack 3; snapshot 3 green bare");
    stage_play(stage, "ada hears: joined 3 moves; ack 3\n");
    assert_true(memory_store_room(&stage->store, stage->room)->seats[1].house);
    stage->house_level = 0;
    stage_play(stage,
               "crash:\nada: connects\nada: auth -> welcome\nada: resume 3 -> ack 3 events\n");
    assert_int_equal(stage->house_level, 5);
    assert_string_equal(stage->house_token, token);
}

static void an_invited_bot_keeps_its_level(void **state)
{
    (void)state;
    with_stage(level_body);
}

static void rematch_level_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\nada: bot.invite green 7 ->\n");
    bring_bot(stage, "green", "ack 3; snapshot 3 green bare");
    stage_play(stage, "ada hears: joined 3 moves; ack 3\nada: resign -> ack 4; resigned 4\n"
                      "bot hears: resigned 4\nada: rematch.offer -> ack 5; rematch_offered 5\n"
                      "bot hears: rematch_offered 5\n");
    stage->house_level = 0;
    stage_play(stage, "bot: rematch.accept -> ack 6; rematch 6\nada hears: rematch 6\n"
                      "ada: sync\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    const char *next =
        json_string_value(json_object_get(json_object_get(snapshot, "state"), "next_room"));
    assert_non_null(next);
    snprintf(stage->room, sizeof stage->room, "%s", next);
    json_decref(snapshot);
    stage_play(stage, "ada hears: snapshot 6 red\nada: join any -> ack 1; snapshot 1 green\n");
    assert_int_equal(stage->house_level, 7);
    assert_string_equal(stage->house_seat, "red");
}

static void a_rematch_keeps_the_bots_level(void **state)
{
    (void)state;
    with_stage(rematch_level_body);
}

static void an_invited_bot_sits_down(void **state)
{
    (void)state;
    with_stage(invitation_body);
}

static void impostor_body(struct stage *stage)
{
    char json[256];
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\nada: bot.invite ->\n"
                      "eve: connects\n");
    snprintf(json, sizeof json, "{\"type\":\"auth\",\"id\":\"1\",\"token\":\"%s\"}",
             stage->house_token);
    stage_say(stage, "eve", json);
    stage_play(stage, "eve: join green -> welcome; ack 3; snapshot 3 green\n"
                      "ada hears: joined 3 moves; seat_taken\n");
    assert_false(memory_store_room(&stage->store, stage->room)->seats[1].house);
}

static void only_a_local_peer_is_the_houses_bot(void **state)
{
    (void)state;
    with_stage(impostor_body);
}

/* A visit of Chess Mate's, a bot: what only a page draws is not written for it. */
static void within_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\n"
                      "bob: connects\nbob: auth -> welcome\nbob: lobby.subscribe -> lobby 1 0\n");
    stage_open(stage, "eve", true);
    stage_play(stage, "eve: auth -> welcome\neve: lobby.subscribe -> lobby 0 0\n"
                      "eve: join green -> ack 3; snapshot 3 green bare\n"
                      "ada hears: joined 3 moves\ntime: 5000\neve hears: \n"
                      "eve: lobby.subscribe -> lobby 0 1\n");
}

static void who_comes_from_within_draws_no_board_and_looks_for_no_others(void **state)
{
    (void)state;
    with_stage(within_body);
}

static void limit_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    int pongs = 0, limited = 0;
    for (int i = 0; i < 20000 && stage_peer(stage, "bob")->close_code == 0; i++)
        stage_say(stage, "bob", "{\"type\":\"ping\",\"id\":\"p\"}");
    for (struct heard *heard = stage_peer(stage, "bob")->first; heard; heard = heard->next) {
        assert_true(limited == 0 || !strstr(heard->text, "pong")); /* time stands still */
        pongs += strstr(heard->text, "pong") != NULL;
        limited += strstr(heard->text, "rate_limited") != NULL;
        assert_true(!strstr(heard->text, "rate_limited") || strstr(heard->text, "\"retry_ms\":"));
    }
    assert_true(pongs > 100);
    assert_int_equal(limited, 20);
    assert_int_equal(stage_peer(stage, "bob")->close_code, 4008);
    stage_play(stage, "ada: move 0_0 0_1 -> ack 4; moved 4\n");
}

static void the_twentieth_limited_command_closes(void **state)
{
    (void)state;
    with_stage(limit_body);
}

static void queue_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT WATCHED "store: holds\nada: move 0_0 0_1\n");
    for (int i = 0; i < 40; i++)
        stage_play(stage, "eve: chat x");
    stage_play(stage, "eve hears: unavailable; unavailable; unavailable; unavailable; "
                      "unavailable; unavailable; unavailable; unavailable\n");
    for (int i = 0; i < 33; i++)
        stage_play(stage, "bob: chat y");
    stage_play(stage, "bob hears: unavailable\nstore: answers\n");
    assert_int_equal(memory_store_room(&stage->store, stage->room)->version,
                     4 + 20 + 32); /* of hers as many as those who watch may say at once */
}

static void the_queue_of_a_room_is_bounded(void **state)
{
    (void)state;
    with_stage(queue_body);
}

enum { MANY_EVENTS = 50000 };

/* As if what has happened last had happened for months. */
static void fill_room(struct stage *stage)
{
    const struct kept_room *room = memory_store_room(&stage->store, stage->room);
    while (room->version < MANY_EVENTS) {
        const struct kept_event *last = &room->events[room->event_count - 1];
        char command[COMMAND_ID_BYTES_MAX];
        snprintf(command, sizeof command, "fill-%lld", (long long)room->version);
        struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
        request.writes[0] = (struct store_write){.room = {.id = room->id, .status = room->status},
                                                 .expected_version = room->version,
                                                 .epoch = room->epoch,
                                                 .event = {.version = room->version + 1,
                                                           .kind = last->kind,
                                                           .client = "",
                                                           .command = command,
                                                           .body = last->body}};
        struct store_answer answer;
        memory_store_perform(&stage->store, &request, &answer);
        assert_int_equal(answer.status, STORE_OK);
    }
}

#define COME_BACK                                                                                  \
    "ada: connects\nada: auth -> welcome\nbob: connects\nbob: auth -> welcome\n"                   \
    "ada: resume 50000 -> ack 50000 events\n"                                                      \
    "bob: resume 50000 -> ack 50000 events\n"

static void full_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: seat_key -> seat_key 4 key; seat_key 4 moves\n");
    stage_crash(stage);
    fill_room(stage);
    stage_start(stage);
    stage_play(stage, COME_BACK "ada: draw.offer -> too_many\n"
                                "ada: seat_key -> too_many\n"
                                "ada: chat.nobody -> too_many\n"
                                "ada: chat two -> ack 50001; chat 50001 moves\n"
                                "ada: move 0_0 0_1 -> ack 50002; moved 50002\n"
                                "bob: resign -> chat 50001; moved 50002 moves; ack 50003; "
                                "resigned 50003\n"
                                "bob: rematch.offer -> too_many\n");
}

static void a_room_of_too_many_events_is_only_played_to_its_end(void **state)
{
    (void)state;
    with_stage(full_body);
}

/* Whoever watches cannot use up what the players have. */
static void talked_in_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT WATCHED "eve: chat one -> ack 4; chat 4\n");
    stage_crash(stage);
    fill_room(stage);
    stage_start(stage);
    stage_play(stage, COME_BACK "eve: connects\neve: auth -> welcome\n"
                                "eve: resume 50000 -> ack 50000 events\n"
                                "eve: chat two -> too_many\n"
                                "ada: chat two -> ack 50001; chat 50001 moves\n"
                                "ada: draw.offer -> ack 50002; draw_offered 50002 moves\n"
                                "ada: seat_key -> seat_key 50003 key; seat_key 50003 moves\n"
                                "bob: draw.accept -> chat 50001; draw_offered 50002; "
                                "seat_key 50003; ack 50004; drawn 50004\n"
                                "bob: rematch.offer -> ack 50005; rematch_offered 50005\n"
                                "ada: rematch.accept -> drawn 50004; rematch_offered 50005; "
                                "ack 50006; rematch 50006\n");
}

static void a_room_full_of_spectators_talk_has_seats_draws_and_rematches(void **state)
{
    (void)state;
    with_stage(talked_in_body);
}

static void crowd_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT WATCHED);
    for (int i = 0; i < 20; i++)
        stage_play(stage, "eve: chat hm");
    stage_forget(stage, "eve");
    stage_forget(stage, "ada");
    stage_play(stage, "eve: chat hm -> rate_limited\n"
                      "zoe: connects\nzoe: auth -> welcome\nzoe: join spectator\n"
                      "zoe: chat hm -> ack 23; snapshot 23 spectator; rate_limited\n"
                      "ada: chat hm -> ack 24; chat 24 moves\n"
                      "time: 1000\n"
                      "zoe: chat hm -> chat 24; ack 25; chat 25\n"
                      "eve: chat hm -> chat 24; chat 25; rate_limited\n");
}

static void those_who_watch_have_one_allowance_for_talk(void **state)
{
    (void)state;
    with_stage(crowd_body);
}

static void muted_body(struct stage *stage)
{
    char line[64];
    stage_play(stage, TWO_SIT WATCHED);
    for (int i = 0; i < 32; i++) {
        snprintf(line, sizeof line, "ada: chat.mute %c%c", 'a' + i / 26, 'a' + i % 26);
        stage_play(stage, line);
    }
    stage_forget(stage, "ada");
    stage_play(stage, "ada: chat.mute eve -> too_many\nada: chat.mute aa -> ack 35\n"
                      "ada: chat.unmute aa -> ack 36; unmuted 36 moves\n"
                      "ada: chat.mute eve -> ack 37; muted 37 moves\n");
    json_t *snapshot;
    stage_play(stage, "zoe: connects\nzoe: auth -> welcome\nzoe: join spectator\n");
    snapshot = stage_last(stage, "zoe", "snapshot");
    assert_int_equal(json_array_size(json_object_get(snapshot, "muted")), 32);
    assert_null(json_object_get(snapshot, "voices"));
    json_decref(snapshot);
}

static void so_many_can_be_muted(void **state)
{
    (void)state;
    with_stage(muted_body);
}

static void rooms_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth -> welcome\n");
    for (int i = 0; i < 16; i++)
        stage_play(stage, "ada: create two -> ack 1\nada: join spectator -> ack 1; "
                          "snapshot 1 spectator\ntime: 100\n");
    stage_play(stage, "ada: create two -> ack 1\nada: join red -> too_many\n"
                      "ada: resume 1 -> too_many\n");
}

static void a_connection_is_in_so_many_rooms_only(void **state)
{
    (void)state;
    with_stage(rooms_body);
}

static void live_body(struct stage *stage)
{
    stage_crash(stage);
    stage->options.rooms_live_max = 2;
    stage_start(stage);
    stage_play(stage, "ada: connects\nada: auth -> welcome\n"
                      "ada: create two -> ack 1\nada: join red -> ack 2; snapshot 2 red\n"
                      "ada: create two -> ack 1\nada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\n"
                      "ada: create two -> too_many\n"
                      "ada: {\"type\":\"join\",\"id\":\"z\",\"room\":\"nowhere0\",\"seat\":\"any\"}"
                      " -> unavailable\n");
}

static void live_rooms_are_bounded_and_idle_ones_make_place(void **state)
{
    (void)state;
    with_stage(live_body);
}

static void spoil_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n");
    stage_crash(stage);
    struct kept_event *event = &stage->store.rooms[0].events[3];
    free(event->body);
    event->body =
        strdup("{\"seat\":\"red\",\"move\":{\"from\":\"0_0\",\"to\":\"0_3\"}}"); /* not legal */
    stage_start(stage);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: resume 4 -> unavailable\n");
    assert_string_equal(stage->last_log, "replay_failed");
}

static void a_stored_move_that_is_not_legal_is_a_failure(void **state)
{
    (void)state;
    with_stage(spoil_body);
}

static void patches_body(struct stage *stage)
{
    /* The state by patches is the state of the snapshot, and so is its hash. */
    stage_play(stage, TWO_SIT WATCHED);
    stage_play(stage, "ada: move 0_0 0_1 -> ack 4; moved 4\n");
    json_t *event = stage_last(stage, "eve", "event");
    stage_play(stage, "eve: sync");
    json_t *snapshot = stage_last(stage, "eve", "snapshot");
    assert_string_equal(json_string_value(json_object_get(event, "hash")),
                        json_string_value(json_object_get(snapshot, "hash")));
    char *patch = json_dumps(json_object_get(event, "patch"), JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(
        patch, "{\"cells\":{\"0_0\":null,\"0_1\":{\"figure\":\"runner\",\"last_move\":1,"
               "\"moves_made\":1,\"player\":\"red\"}},\"last_move\":{\"from\":\"0_0\",\"to\":"
               "\"0_1\"},\"ply\":1,\"state\":\"green_move\",\"to_move\":\"green\"}");
    free(patch);
    json_decref(event);
    json_decref(snapshot);
}

static void an_event_is_the_difference_of_two_states(void **state)
{
    (void)state;
    with_stage(patches_body);
}

/* All events a peer has heard, a line each; the caller's. */
static char *events_heard(struct stage *stage, const char *name)
{
    size_t length = 0;
    char *all = NULL;
    FILE *out = open_memstream(&all, &length);
    assert_non_null(out);
    for (struct heard *heard = stage_peer(stage, name)->first; heard; heard = heard->next)
        if (strstr(heard->text, "{\"type\":\"event\"") == heard->text)
            fprintf(out, "%s\n", heard->text);
    fclose(out);
    return all;
}

static void rebuilt_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth\nada: create two\n"
                      "eve: connects\neve: auth\neve: join spectator\n");
    stage_forget(stage, "eve");
    stage_play(stage, "bob: connects\nbob: auth\nada: join red Ada\nada: leave\nada: join red Ada\n"
                      "bob: join green Bob\n"
                      "ada: chat hello\nada: move 0_0 0_1\nbob: draw.offer\nada: draw.decline\n"
                      "ada: seat_key\nbob: move 1_0 1_1\nzoe: connects\nzoe: auth\nzoe: take Zoe\n"
                      "zoe: move 0_1 0_2\nbob: resign\nbob: rematch.offer\nzoe: rematch.decline\n"
                      "zoe: chat bye\n");
    char *sent = events_heard(stage, "eve");
    stage_crash(stage);
    stage_start(stage);
    stage_play(stage, "eve: connects\neve: auth -> welcome\n");
    stage_forget(stage, "eve");
    char json[128];
    snprintf(json, sizeof json, "{\"type\":\"resume\",\"id\":\"r\",\"room\":\"%s\",\"version\":1}",
             stage->room);
    stage_say(stage, "eve", json);
    char *again = events_heard(stage, "eve");
    assert_non_null(strstr(sent, "\"version\":17,\"kind\":\"chat\""));
    assert_string_equal(again, sent);
    free(sent);
    free(again);
}

static void events_of_a_room_read_again_are_the_bytes_that_were_sent(void **state)
{
    (void)state;
    with_stage(rebuilt_body);
}

static void hand_rematch_over(struct stage *stage)
{
    stage_play(stage, TWO_SIT RED_WINS "ada: rematch.offer\nbob: rematch.accept\n");
    stage_go_on(stage, "ada");
    stage_play(
        stage,
        "ada: join any -> ack 9; rematch_offered 9; rematch 10; ack 1; snapshot 1 green\n"
        "bob: join any -> rematch_offered 9; ack 10; rematch 10; ack 1; snapshot 1 red moves\n"
        "ada: seat_key -> seat_key 2 key; seat_key 2\n"
        "zoe: connects\nzoe: auth -> welcome\nzoe: take Zoe -> ack 3; snapshot 3 green\n"
        "bob: move 0_0 0_1 -> seat_key 2 moves; handed_over 3 moves; ack 4; moved 4\n");
}

static void handed_rematch_body(struct stage *stage)
{
    hand_rematch_over(stage);
    stage_play(stage, "crash:\n"
                      "zoe: connects\nzoe: auth -> welcome\n"
                      "zoe: resume 2 -> ack 4 events; handed_over 3; moved 4 moves\n");
}

static void a_rematch_is_read_again_as_it_was_before_its_seats_were_handed_over(void **state)
{
    (void)state;
    with_stage(handed_rematch_body);
}

/* The first event of a rematch did not always say who sits there. */
static void older_rematch_body(struct stage *stage)
{
    hand_rematch_over(stage);
    char *body = memory_store_room(&stage->store, stage->room)->events[0].body;
    char *seated = strstr(body, ",\"seated\":");
    assert_non_null(seated);
    strcpy(seated, "}");
    stage_play(stage, "crash:\n"
                      "zoe: connects\nzoe: auth -> welcome\n"
                      "zoe: resume 2 -> ack 4 snapshot; snapshot 4 green moves\n"
                      "zoe: resume 3 -> ack 4 events; moved 4 moves\n");
}

static void
what_came_before_the_seats_of_an_older_rematch_were_handed_over_is_a_snapshot(void **state)
{
    (void)state;
    with_stage(older_rematch_body);
}

static void small_memory_body(struct stage *stage)
{
    stage_crash(stage);
    stage->options.recent_room_bytes = 1000;
    stage_start(stage);
    stage_play(stage, TWO_SIT RED_WINS "bob: resume 3 -> ack 8 snapshot; snapshot 8 green\n"
                                       "bob: resume 6 -> ack 8 events; moved 7; moved 8\n"
                                       "crash:\n"
                                       "bob: connects\nbob: auth -> welcome\n"
                                       "bob: resume 3 -> ack 8 snapshot; snapshot 8 green\n"
                                       "bob: resume 6 -> ack 8 events; moved 7; moved 8\n");
}

static void who_missed_more_than_is_kept_gets_a_snapshot(void **state)
{
    (void)state;
    with_stage(small_memory_body);
}

static void late_start_body(struct stage *stage)
{
    stage_crash(stage);
    stage->fail_all = true;
    stage->next_status = STORE_FAILED;
    stage_start(stage);
    assert_false(core_ready(stage->core));
    stage_play(stage, "store: is whole\ntime: 999\n");
    assert_false(core_ready(stage->core));
    stage_play(stage, "time: 1\n");
    assert_true(core_ready(stage->core));
    assert_true(core_quiet(stage->core));
}

static void what_the_start_needs_is_asked_for_until_it_comes(void **state)
{
    (void)state;
    with_stage(late_start_body);
}

/* Another process has done this very command for us; here it is done by hand. */
static void elsewhere_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: chat one -> ack 4; chat 4 moves\n");
    const struct kept_room *room = memory_store_room(&stage->store, stage->room);
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    request.writes[0] = (struct store_write){.room = {.id = room->id, .status = room->status},
                                             .expected_version = 4,
                                             .epoch = 1,
                                             .event = {.version = 5,
                                                       .kind = "chat",
                                                       .client = room->events[3].client,
                                                       .command = "x",
                                                       .body = room->events[3].body}};
    struct store_answer answer;
    memory_store_perform(&stage->store, &request, &answer);
    assert_int_equal(answer.status, STORE_OK);
    stage_play(stage, "ada: #x chat one -> chat 5 moves; ack 5\n"
                      "bob hears: chat 4; chat 5\n");
    assert_int_equal(room->version, 5);
}

static void a_command_done_elsewhere_is_acknowledged_as_it_was(void **state)
{
    (void)state;
    with_stage(elsewhere_body);
}

static void words_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move q9 0_1");
    json_t *error = stage_last(stage, "ada", "error");
    assert_string_equal(json_string_value(json_object_get(error, "message")),
                        "move.from: the game has no cell \"q9\"");
    assert_true(json_is_false(json_object_get(error, "retry")));
    json_decref(error);
    stage_play(stage, "ada: move 0_0 0_1\nbob: move 1_0 1_1\nada: move 0_1 0_2 4");
    error = stage_last(stage, "ada", "error");
    assert_string_equal(json_string_value(json_object_get(error, "code")), "stale");
    assert_int_equal(json_integer_value(json_object_get(error, "version")), 5);
    json_decref(error);
}

static void a_refusal_says_what_is_wrong(void **state)
{
    (void)state;
    with_stage(words_body);
}

static void same_token_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\n");
    stage_say(stage, "ada", "{\"type\":\"auth\",\"id\":\"1\"}");
    json_t *welcome = stage_last(stage, "ada", "welcome");
    const char *token = json_string_value(json_object_get(welcome, "token"));
    assert_int_equal(strlen(token), 43);
    char json[256];
    snprintf(json, sizeof json, "{\"type\":\"auth\",\"id\":\"2\",\"token\":\"%s\"}", token);
    stage_play(stage, "ada2: connects\n");
    stage_say(stage, "ada2", json);
    json_t *again = stage_last(stage, "ada2", "welcome");
    assert_null(json_object_get(again, "token"));
    assert_string_equal(json_string_value(json_object_get(welcome, "player")),
                        json_string_value(json_object_get(again, "player")));
    json_decref(welcome);
    json_decref(again);
}

static void the_same_token_is_the_same_player(void **state)
{
    (void)state;
    with_stage(same_token_body);
}

int main(void)
{
    enum { ACTS = sizeof acts / sizeof *acts };
    static struct CMUnitTest tests[ACTS];
    for (size_t i = 0; i < ACTS; i++)
        tests[i] = (struct CMUnitTest){
            .name = acts[i].name, .test_func = run_act, .initial_state = (void *)&acts[i]};
    const struct CMUnitTest others[] = {
        cmocka_unit_test(of_two_the_other_wins),
        cmocka_unit_test(of_three_who_resigns_has_lost),
        cmocka_unit_test(a_rematch_is_playing_at_once),
        cmocka_unit_test(a_rematch_is_both_rooms_or_neither),
        cmocka_unit_test(what_changes_as_time_passes_is_told_in_that_turn),
        cmocka_unit_test(an_invited_bot_sits_down),
        cmocka_unit_test(an_invited_bot_keeps_its_level),
        cmocka_unit_test(a_rematch_keeps_the_bots_level),
        cmocka_unit_test(only_a_local_peer_is_the_houses_bot),
        cmocka_unit_test(who_comes_from_within_draws_no_board_and_looks_for_no_others),
        cmocka_unit_test(the_twentieth_limited_command_closes),
        cmocka_unit_test(the_queue_of_a_room_is_bounded),
        cmocka_unit_test(a_room_of_too_many_events_is_only_played_to_its_end),
        cmocka_unit_test(a_room_full_of_spectators_talk_has_seats_draws_and_rematches),
        cmocka_unit_test(those_who_watch_have_one_allowance_for_talk),
        cmocka_unit_test(so_many_can_be_muted),
        cmocka_unit_test(a_connection_is_in_so_many_rooms_only),
        cmocka_unit_test(live_rooms_are_bounded_and_idle_ones_make_place),
        cmocka_unit_test(a_stored_move_that_is_not_legal_is_a_failure),
        cmocka_unit_test(an_event_is_the_difference_of_two_states),
        cmocka_unit_test(events_of_a_room_read_again_are_the_bytes_that_were_sent),
        cmocka_unit_test(a_rematch_is_read_again_as_it_was_before_its_seats_were_handed_over),
        cmocka_unit_test(
            what_came_before_the_seats_of_an_older_rematch_were_handed_over_is_a_snapshot),
        cmocka_unit_test(who_missed_more_than_is_kept_gets_a_snapshot),
        cmocka_unit_test(the_same_token_is_the_same_player),
        cmocka_unit_test(what_the_start_needs_is_asked_for_until_it_comes),
        cmocka_unit_test(a_command_done_elsewhere_is_acknowledged_as_it_was),
        cmocka_unit_test(a_refusal_says_what_is_wrong),
    };
    int failed = cmocka_run_group_tests_name("scripts", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("others", others, NULL, NULL);
}
