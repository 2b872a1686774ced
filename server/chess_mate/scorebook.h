/* One game as it goes into answers: the room it is, its board, its plies, and how it ended. */
#ifndef SERVER_CHESS_MATE_SCOREBOOK_H
#define SERVER_CHESS_MATE_SCOREBOOK_H

#include "protocol/message.h"
#include "server/chess_mate/board.h"

struct scorebook {
    char room[ROOM_ID_BYTES + 1];
    int64_t created_ms;
    struct board board;
    struct ply *plies; /* owned */
    int ply_room;
    char *result; /* JSON, owned; NULL while it goes on */
};
void scorebook_release(struct scorebook *scorebook);
/* A ply that has become durable. False: the squares are none, or the list is full. */
bool scorebook_add(struct scorebook *scorebook, const char *from, const char *to,
                   const char *choice, int64_t at_ms);
void scorebook_set_result(struct scorebook *scorebook, const char *json);

/* The parts of answers, each a JSON object. */
void scorebook_write_game(const struct scorebook *scorebook, const char *browser_id_json,
                          struct writer *writer);
void scorebook_write_board(const struct scorebook *scorebook, struct writer *writer);
void scorebook_write_ply(const struct scorebook *scorebook, int index, struct writer *writer);
/* What Chess Mate does not have, as further members of an answer: `room`, `check`, `result`. */
void scorebook_write_additions(const struct scorebook *scorebook, struct writer *writer);

#endif
