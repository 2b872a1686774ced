/* The two ways a command ends: acknowledged, or refused with a reason. */
#ifndef SERVER_CORE_REPLY_H
#define SERVER_CORE_REPLY_H

#include "engine/load/diagnostic.h"
#include "server/core/parts.h"

/* `mode` is that of a `resume`; else NULL. */
void reply_ack(struct core *core, struct session *session, struct text command, const char *room,
               int64_t version, const char *mode);

struct complaint {
    enum refusal refusal;
    struct text command, room;             /* absent where there is none */
    const char *words;                     /* NULL or "": the refusal's own */
    int64_t version;                       /* -1: none */
    uint64_t retry_ms;                     /* 0: none */
    const char *url;                       /* NULL or "": none */
    const struct diagnostics *diagnostics; /* NULL: none; the explanation alike */
    const struct explanation *explanation;
};
/* `key` NULL: it was shown already, and nobody knows it any more. */
void reply_seat_key(struct core *core, struct session *session, struct text command,
                    const char *room, int64_t version, const char *key);
void reply_refuse(struct core *core, struct session *session, const struct complaint *complaint);
/* The same for one command whose store or compiler did not answer. */
void reply_unavailable(struct core *core, struct session *session, struct text command,
                       struct text room);

/* An answer of a type of its own: {"type":…,"re":… in the core's writer; to be ended and sent. */
struct writer *reply_begin(struct core *core, const char *type, struct text command);

void reply_write_diagnostics(struct writer *writer, const struct diagnostics *diagnostics);

#endif
