#include "server/cli/transfers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/memory/memory.h"
#include "protocol/writer.h"

/* --- answers ---------------------------------------------------------------------------------- */

static int status_of(enum refusal refusal)
{
    if (refusal == REFUSAL_UNKNOWN_ROOM || refusal == REFUSAL_UNSUPPORTED /* no such file of it */)
        return 404;
    if (refusal == REFUSAL_RATE_LIMITED)
        return 429;
    return refusal == REFUSAL_UNAVAILABLE || refusal == REFUSAL_TOO_MANY ? 503 : 400;
}

static void fill_refusal(struct net_answer *answer, const struct transfer_answer *said)
{
    size_t length = strlen(said->words);
    answer->status = status_of(said->refusal);
    answer->content_type = "text/plain; charset=utf-8";
    answer->body = memory_bytes(length + 2);
    memcpy(answer->body, said->words, length);
    memcpy(answer->body + length, "\n", 2);
    answer->length = length + 1;
    if (said->retry_ms > 0)
        snprintf(answer->headers, sizeof answer->headers, "Retry-After: %" PRIu64 "\r\n",
                 (said->retry_ms + 999) / 1000);
}

static void fill_file(struct net_answer *answer, const struct transfer_answer *said)
{
    bool pgn = said->form == RECORD_AS_PGN;
    answer->status = 200;
    answer->content_type = pgn ? "application/vnd.chess-pgn" : "application/json";
    answer->body = memory_bytes(said->length + 1);
    memcpy(answer->body, said->text, said->length);
    answer->length = said->length;
    snprintf(answer->headers, sizeof answer->headers,
             "Content-Disposition: attachment; filename=\"%.*s.%s\"\r\n", ROOM_ID_BYTES, said->room,
             pgn ? "pgn" : "senet.json");
}

static void fill_room(struct net_answer *answer, const struct transfer_answer *said)
{
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_key(&writer, "room");
    writer_string(&writer, said->room);
    writer_end(&writer);
    answer->status = 201;
    answer->content_type = "application/json";
    answer->body = writer_take(&writer, &answer->length);
    writer_release(&writer);
    snprintf(answer->headers, sizeof answer->headers, "Location: /room/%s\r\n", said->room);
}

static void fill(struct net_answer *answer, const struct transfer_answer *said)
{
    if (said->refusal != REFUSAL_NONE)
        fill_refusal(answer, said);
    else if (said->text != NULL)
        fill_file(answer, said);
    else
        fill_room(answer, said);
}

void transfers_give(struct transfers *transfers, uint64_t request, struct net_answer *answer)
{
    if (transfers->answer != NULL && transfers->asking == request) {
        *transfers->answer = *answer;
        transfers->answered = true;
        return;
    }
    net_respond(transfers->net, request, answer);
}

void transfers_answered(struct transfers *transfers, uint64_t request,
                        const struct transfer_answer *said)
{
    struct net_answer answer = {.status = 0};
    fill(&answer, said);
    transfers_give(transfers, request, &answer);
}

/* --- questions -------------------------------------------------------------------------------- */

const char *transfers_token(const struct net_request *request, char *value, size_t size)
{
    static const char scheme[] = "Bearer ";
    if (!net_request_header(request, "authorization", value, size) ||
        strncasecmp(value, scheme, strlen(scheme)) != 0)
        return NULL;
    return value + strlen(scheme);
}

void transfers_begin(struct transfers *transfers, const struct net_request *request,
                     struct net_answer *answer)
{
    transfers->asking = request->ticket;
    transfers->answer = answer;
    transfers->answered = false;
}

enum net_reply transfers_end(struct transfers *transfers)
{
    transfers->answer = NULL;
    return transfers->answered ? NET_ANSWERED : NET_LATER;
}

enum net_reply transfers_export(struct transfers *transfers, struct core *core,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer)
{
    char room[ROOM_ID_BYTES + 1] = "";
    const char *form = strchr(rest, '/');
    if (form == NULL || (strcmp(form, "/export") != 0 && strcmp(form, "/pgn") != 0))
        return NET_NOT_HERE;
    if (room_id_fits((size_t)(form - rest)))
        memcpy(room, rest, (size_t)(form - rest));
    transfers_begin(transfers, request, answer);
    core_export(core, request->ticket, &request->client, room,
                strcmp(form, "/pgn") == 0 ? RECORD_AS_PGN : RECORD_AS_FILE);
    return transfers_end(transfers);
}

enum net_reply transfers_import(struct transfers *transfers, struct core *core,
                                const struct net_request *request, struct net_answer *answer)
{
    char visibility[16];
    bool is_private = net_request_query(request, "visibility", visibility, sizeof visibility) &&
                      strcmp(visibility, "private") == 0;
    transfers_begin(transfers, request, answer);
    core_import(core, request->ticket, &request->client, request->body, request->length,
                !is_private);
    return transfers_end(transfers);
}
