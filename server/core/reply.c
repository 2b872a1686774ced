#include "server/core/reply.h"

static void write_text(struct writer *writer, const char *key, struct text text)
{
    writer_key(writer, key);
    writer_string_bytes(writer, text.data, text.length);
}

void reply_ack(struct core *core, struct session *session, struct text command, const char *room,
               int64_t version, const char *mode)
{
    struct writer *writer = &core->writer;
    writer_clear(writer);
    writer_object(writer);
    write_text(writer, "type", text_of("ack"));
    write_text(writer, "re", command);
    if (room) {
        write_text(writer, "room", text_of(room));
        writer_key(writer, "version");
        writer_integer(writer, version);
    }
    if (mode)
        write_text(writer, "mode", text_of(mode));
    writer_end(writer);
    session_send_written(core, session);
}

struct writer *reply_begin(struct core *core, const char *type, struct text command)
{
    struct writer *writer = &core->writer;
    writer_clear(writer);
    writer_object(writer);
    write_text(writer, "type", text_of(type));
    write_text(writer, "re", command);
    return writer;
}

void reply_seat_key(struct core *core, struct session *session, struct text command,
                    const char *room, int64_t version, const char *key)
{
    struct writer *writer = reply_begin(core, "seat_key", command);
    write_text(writer, "room", text_of(room));
    writer_key(writer, "version");
    writer_integer(writer, version);
    if (key)
        write_text(writer, "key", text_of(key));
    writer_end(writer);
    session_send_written(core, session);
}

void reply_write_diagnostics(struct writer *writer, const struct diagnostics *diagnostics)
{
    writer_array(writer);
    for (int i = 0; i < diagnostics->count && writer->length < FRAME_LIST_BYTES_MAX; i++) {
        const struct diagnostic *diagnostic = &diagnostics->list[i];
        bool error = diagnostic->severity == DIAGNOSTIC_ERROR;
        writer_object(writer);
        write_text(writer, "severity", text_of(error ? "error" : "warning"));
        write_text(writer, "pointer", text_of(diagnostic->pointer));
        writer_key(writer, "line");
        writer_integer(writer, diagnostic->line);
        writer_key(writer, "column");
        writer_integer(writer, diagnostic->column);
        write_text(writer, "message", text_of(diagnostic->message));
        write_text(writer, "hint", text_of(diagnostic->hint));
        writer_end(writer);
    }
    writer_end(writer);
}

void reply_refuse(struct core *core, struct session *session, const struct complaint *complaint)
{
    struct writer *writer = &core->writer;
    if (complaint->refusal == REFUSAL_UNKNOWN_ROOM)
        core_count_guess(core, session->account);
    const char *words = complaint->words && complaint->words[0] ? complaint->words
                                                                : refusal_words(complaint->refusal);
    writer_clear(writer);
    writer_object(writer);
    write_text(writer, "type", text_of("error"));
    if (complaint->command.length > 0)
        write_text(writer, "re", complaint->command);
    if (complaint->room.length > 0)
        write_text(writer, "room", complaint->room);
    write_text(writer, "code", text_of(refusal_code(complaint->refusal)));
    write_text(writer, "message", text_of(words));
    writer_key(writer, "retry");
    writer_boolean(writer, refusal_may_retry(complaint->refusal));
    if (complaint->retry_ms > 0) {
        writer_key(writer, "retry_ms");
        writer_integer(writer, (int64_t)complaint->retry_ms);
    }
    if (complaint->url && complaint->url[0]) {
        writer_key(writer, "url");
        writer_string(writer, complaint->url);
    }
    if (complaint->version >= 0) {
        writer_key(writer, "version");
        writer_integer(writer, complaint->version);
    }
    if (complaint->diagnostics) {
        writer_key(writer, "diagnostics");
        reply_write_diagnostics(writer, complaint->diagnostics);
    }
    if (complaint->explanation) {
        writer_key(writer, "explanation");
        view_write_explanation(writer, complaint->explanation);
    }
    writer_end(writer);
    core->statistics.refusals++;
    core->statistics.refusals_by[complaint->refusal]++;
    session_send_written(core, session);
}

void reply_unavailable(struct core *core, struct session *session, struct text command,
                       struct text room)
{
    reply_refuse(core, session,
                 &(struct complaint){.refusal = REFUSAL_UNAVAILABLE,
                                     .command = command,
                                     .room = room,
                                     .version = -1,
                                     .retry_ms = RETRY_MS});
}
