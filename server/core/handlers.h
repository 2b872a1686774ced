/* The functions that handle one command each, named in the table of dispatch.c. Who may has been asked already. Each
 * returns why it refused, or REFUSAL_NONE when it has answered or somebody will. */
#ifndef SERVER_CORE_HANDLERS_H
#define SERVER_CORE_HANDLERS_H

#include "server/core/parts.h"

/* greet.c: without a room */
request_handler greet_auth, greet_ping;

/* browse.c: questions that change nothing */
request_handler browse_games, browse_guide, browse_lobby_subscribe, browse_lobby_unsubscribe,
    browse_legal_moves;
/* The answer to `guide`. */
void browse_tell_guide(struct core *core, struct session *session, struct text command,
                       const struct edition *edition);
/* A player's own rooms, for the lobby that was asked for. */
void browse_mine_answered(struct core *core, const struct ticket *ticket,
                          const struct store_answer *answer);
void browse_validated(struct core *core, const struct author *author, const struct game *game,
                      const struct diagnostics *diagnostics);

/* history.c */
request_handler history_ask;
/* A ply is asked about that room_recall does not come to. */
enum refusal history_too_far(struct request *request);
void history_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer);

/* hints.c */
request_handler hint_ask;

/* seating.c: into rooms and out of them */
request_handler seating_create, seating_join, seating_leave, seating_resume, seating_sync;
/* The name a session goes by from now on; an empty one changes nothing. */
void seating_take_name(struct session *session, struct text name);
/* Whether it may be in one more room. */
bool seating_may_come_in(const struct request *request);
/* A join that is sent again: it wants its snapshot, too. */
enum refusal seating_join_again(struct request *request, int64_t version);

/* fork.c: a room from another one */
enum refusal fork_create(struct request *request, const struct author *author,
                         const struct time_control *clock);

/* handover.c: seats that go from one player to another, by a key. */
request_handler handover_give_key, handover_take_seats;

/* play.c */
request_handler play_move, play_resign, play_abort, play_claim, play_claim_timeout, play_draw_offer,
    play_draw_accept, play_draw_decline, play_takeback_offer, play_takeback_accept,
    play_takeback_decline, play_rematch_offer, play_rematch_accept, play_rematch_decline;
/* A move that is sent again, which made `version` then. */
enum refusal play_move_again(struct request *request, int64_t version);

/* The seat a session speaks for: the one whose turn it is if it holds it, else its first; SEAT_NONE: none. */
int own_seat(const struct request *request);

/* chat.c */
request_handler chat_say, chat_allow, chat_mute;

/* Words that explain a refusal better than its own. Returns the refusal. */
enum refusal refuse_because(struct request *request, enum refusal refusal, const char *format, ...);
void acknowledge(struct request *request, int64_t version);
/* The room is as the command wants it, as far as we know. */
enum refusal change_nothing(struct request *request);
cell_index find_place(const struct game *game, const struct place *place);
/* The figure that `word` names, CHOICE_NONE when it is absent; or refused. */
enum refusal read_choice(struct request *request, struct text word, uint8_t *choice);
void explain_move(const struct room *room, cell_index from, cell_index to, uint8_t choice,
                  struct explanation *explanation);

#endif
