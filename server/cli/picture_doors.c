#include "server/cli/picture_doors.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/memory/memory.h"

enum { TYPE_BYTES = 128 };

static const struct {
    const char *content_type, *suffix;
} kinds[] = {
    [CORE_PICTURE_SVG] = {"image/svg+xml", ".svg"}, [CORE_PICTURE_PNG] = {"image/png", ".png"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* In place of the page's policy: styles are a picture's own, and `sandbox` gives it an origin of nobody's. */
static const char picture_policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/* --- answers ------------------------------------------------------------------------------------ */

static void fill_text(struct net_answer *answer, const char *content_type, const char *text)
{
    answer->content_type = content_type;
    answer->body = memory_text(text);
    answer->length = strlen(text);
}

static void fill_words(struct net_answer *answer, const char *words)
{
    char line[320];
    snprintf(line, sizeof line, "%s\n", words);
    fill_text(answer, "text/plain; charset=utf-8", line);
}

static void fill_address(struct net_answer *answer, const struct picture_answer *said)
{
    char json[160];
    snprintf(json, sizeof json, "{\"picture\":\"/pictures/%s%s\"}", said->hash,
             kinds[said->kind].suffix);
    fill_text(answer, "application/json", json);
}

static void fill_picture(struct net_answer *answer, const struct picture_answer *said)
{
    answer->content_type = kinds[said->kind].content_type;
    answer->cache_control = "public, max-age=31536000, immutable";
    answer->policy = picture_policy;
    answer->body = memory_bytes(said->length + 1);
    memcpy(answer->body, said->bytes, said->length);
    answer->length = said->length;
    snprintf(answer->etag, sizeof answer->etag, "\"%.32s\"", said->hash);
    snprintf(answer->headers, sizeof answer->headers,
             "Cross-Origin-Resource-Policy: same-origin\r\n");
}

void picture_doors_answered(struct transfers *transfers, uint64_t request,
                            const struct picture_answer *said)
{
    static const int statuses[] = {
        [PICTURE_OK] = 200,      [PICTURE_NEW] = 201,          [PICTURE_BAD] = 400,
        [PICTURE_UNKNOWN] = 404, [PICTURE_RATE_LIMITED] = 429, [PICTURE_UNAVAILABLE] = 503,
    };
    struct net_answer answer = {.status = statuses[said->outcome]};
    if (said->bytes != NULL)
        fill_picture(&answer, said);
    else if (said->hash != NULL)
        fill_address(&answer, said);
    else
        fill_words(&answer, said->words);
    if (said->retry_ms > 0)
        snprintf(answer.headers, sizeof answer.headers, "Retry-After: %" PRIu64 "\r\n",
                 (said->retry_ms + 999) / 1000);
    transfers_give(transfers, request, &answer);
}

/* --- questions ---------------------------------------------------------------------------------- */

/* KINDS: none of ours. Without what may stand behind it ("; charset=utf-8"). */
static int find_kind(const struct net_request *request)
{
    char type[TYPE_BYTES];
    int kind = 0;
    if (!net_request_header(request, "content-type", type, sizeof type))
        return KINDS;
    type[strcspn(type, "; \t")] = '\0';
    while (kind < KINDS && strcasecmp(type, kinds[kind].content_type) != 0)
        kind++;
    return kind;
}

enum net_reply picture_doors_post(struct transfers *transfers, struct core *core,
                                  const struct net_request *request, struct net_answer *answer)
{
    int kind = find_kind(request);
    if (kind == KINDS) {
        answer->status = 415;
        fill_words(answer, "a picture is sent with Content-Type: image/svg+xml or image/png");
        return NET_ANSWERED;
    }
    transfers_begin(transfers, request, answer);
    core_bring_picture(core, request->ticket, &request->client, (enum core_picture)kind,
                       request->body, request->length);
    return transfers_end(transfers);
}

enum net_reply picture_doors_get(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, const char *rest,
                                 struct net_answer *answer)
{
    char hash[STORE_HASH_DIGITS + 1];
    int kind = 0;
    if (strlen(rest) != STORE_HASH_DIGITS + 4)
        return NET_NOT_HERE;
    while (kind < KINDS && strcmp(rest + STORE_HASH_DIGITS, kinds[kind].suffix) != 0)
        kind++;
    if (kind == KINDS)
        return NET_NOT_HERE;
    memcpy(hash, rest, STORE_HASH_DIGITS);
    hash[STORE_HASH_DIGITS] = '\0';
    transfers_begin(transfers, request, answer);
    core_read_picture(core, request->ticket, &request->client, hash, (enum core_picture)kind);
    return transfers_end(transfers);
}
