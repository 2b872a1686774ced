/* The beginning of a session, and its pulse. */
#include "server/core/handlers.h"

enum refusal greet_auth(struct request *request)
{
    struct core *core = request->core;
    struct session *session = request->session;
    struct text token = request->message->auth.token;
    char minted[TOKEN_BYTES + 1] = "";
    if (session->stage == SESSION_KNOWN)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "this connection is authenticated");
    if (!token.data) {
        unsigned char secret[DIGEST_BYTES];
        core->ports.random(core->ports.context, secret, sizeof secret);
        identity_write_token(secret, minted);
        token = text_of(minted);
    }
    if (!identity_of_token(token.data, token.length, &session->identity))
        return REFUSAL_BAD_TOKEN;
    if (!session->account->unlimited) {
        account_let_go(&core->accounts, session->player_account, core->now_ms);
        session->player_account =
            account_of_player(&core->accounts, session->identity.player, core->now_ms);
    }
    session->stage = SESSION_KNOWN;
    session->no_moves = request->message->auth.no_moves;
    core->statistics.sessions++;
    list_remove(&session->stage_link);

    struct writer *writer = &core->writer;
    writer_clear(writer);
    writer_object(writer);
    writer_member_string(writer, "type", "welcome");
    writer_key(writer, "re");
    writer_string_bytes(writer, request->message->id.data, request->message->id.length);
    writer_member_string(writer, "session", session->id);
    writer_member_string(writer, "player", session->identity.player);
    if (minted[0])
        writer_member_string(writer, "token", minted);
    writer_end(writer);
    session_send_written(core, session);
    return REFUSAL_NONE;
}

enum refusal greet_ping(struct request *request)
{
    struct writer *writer = &request->core->writer;
    writer_clear(writer);
    writer_object(writer);
    writer_member_string(writer, "type", "pong");
    writer_key(writer, "re");
    writer_string_bytes(writer, request->message->id.data, request->message->id.length);
    writer_key(writer, "at");
    writer_integer(writer, (int64_t)request->core->now_ms);
    writer_end(writer);
    session_send_written(request->core, request->session);
    return REFUSAL_NONE;
}
