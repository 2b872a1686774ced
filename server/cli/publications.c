#include "server/cli/publications.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "server/cli/page_cache.h"
#include "server/cli/thumbnails.h"

enum {
    TEXT_BYTES = 128,   /* of what names and tokens are sent in; a longer one is none */
    QUERY_BYTES = 2048, /* longer ones do not come here */
};

/* --- answers ---------------------------------------------------------------------------------- */

static void fill_words(struct net_answer *answer, const char *words)
{
    size_t length = strlen(words);
    answer->content_type = "text/plain; charset=utf-8";
    answer->body = memory_bytes(length + 2);
    memcpy(answer->body, words, length);
    memcpy(answer->body + length, "\n", 2);
    answer->length = length + 1;
}

static void fill_json(struct net_answer *answer, const struct published_answer *said)
{
    answer->content_type = "application/json";
    answer->body = memory_bytes(said->length + 1);
    memcpy(answer->body, said->json, said->length);
    answer->length = said->length;
}

/* A version never changes; what its operator hides is gone from caches within the hour. */
static const struct net_answer picture_answer = {
    .status = 200, .content_type = "image/svg+xml", .cache_control = "public, max-age=3600"};

/* gzip at most: it is done on the loop, and who asks pays for a look-up. */
static void fill_kept(struct net_answer *answer, const struct publication_pictures *pictures,
                      struct file *picture, enum files_coding coding)
{
    bool made;
    if (coding > FILES_GZIP)
        coding = FILES_GZIP;
    const struct variant *variant = page_cache_variant(pictures->drawn, picture, coding, &made);
    *answer = picture_answer;
    answer->body = memory_bytes(variant->length);
    answer->length = variant->length;
    memcpy(answer->body, variant->bytes, variant->length);
    snprintf(answer->etag, sizeof answer->etag, "W/%s", picture->variants[FILES_PLAIN].etag);
    snprintf(answer->headers, sizeof answer->headers, "%s",
             files_coding_headers((enum files_coding)(variant - picture->variants)));
}

static void fill_picture(struct net_answer *answer, const struct publication_pictures *pictures,
                         const struct published_answer *said)
{
    size_t length;
    char *text = thumbnails_draw(pictures->files, said->game, &length);
    struct file *kept =
        page_cache_keep(pictures->drawn, said->hash, picture_answer.content_type, text, length);
    if (kept != NULL) {
        fill_kept(answer, pictures, kept, FILES_PLAIN);
        return;
    }
    *answer = picture_answer;
    answer->body = text;
    answer->length = length;
}

bool publications_drawn(struct transfers *transfers, const struct publication_pictures *pictures,
                        uint64_t request, const char *definition_hash)
{
    struct net_answer answer;
    struct file *picture = page_cache_find(pictures->drawn, definition_hash);
    if (picture == NULL)
        return false;
    fill_kept(&answer, pictures, picture, net_ticket_coding(transfers->net, request));
    transfers_give(transfers, request, &answer);
    return true;
}

void publications_answered(struct transfers *transfers, const struct publication_pictures *pictures,
                           uint64_t request, const struct published_answer *said)
{
    static const int statuses[] = {
        [PUBLISHED_OK] = 200,           [PUBLISHED_NEW] = 201,         [PUBLISHED_BAD] = 400,
        [PUBLISHED_BAD_TOKEN] = 401,    [PUBLISHED_NOT_YOURS] = 403,   [PUBLISHED_UNKNOWN] = 404,
        [PUBLISHED_RATE_LIMITED] = 429, [PUBLISHED_UNAVAILABLE] = 503,
    };
    struct net_answer answer = {.status = statuses[said->outcome]};
    if (said->game != NULL)
        fill_picture(&answer, pictures, said);
    else if (said->json != NULL)
        fill_json(&answer, said);
    else
        fill_words(&answer, said->words);
    if (said->outcome == PUBLISHED_BAD_TOKEN)
        snprintf(answer.headers, sizeof answer.headers, "WWW-Authenticate: Bearer\r\n");
    if (said->retry_ms > 0)
        snprintf(answer.headers, sizeof answer.headers, "Retry-After: %" PRIu64 "\r\n",
                 (said->retry_ms + 999) / 1000);
    transfers_give(transfers, request, &answer);
}

static enum net_reply refuse(struct net_answer *answer, const char *words)
{
    answer->status = 400;
    fill_words(answer, words);
    return NET_ANSWERED;
}

/* --- questions -------------------------------------------------------------------------------- */

static bool read_wish(const char *word, enum store_wish *wish)
{
    *wish = strcmp(word, "yes") == 0 ? STORE_YES : STORE_NO;
    return *wish == STORE_YES || strcmp(word, "no") == 0;
}

static enum net_reply publish(struct transfers *transfers, struct core *core,
                              const struct net_request *request, const char *name,
                              struct net_answer *answer)
{
    char token[TEXT_BYTES], ancestor[QUERY_BYTES] = "", listed[QUERY_BYTES];
    struct publication publication = {.name = name,
                                      .token = transfers_token(request, token, sizeof token),
                                      .ancestor = ancestor,
                                      .text = request->body,
                                      .length = request->length};
    if (net_request_query(request, "listed", listed, sizeof listed) &&
        !read_wish(listed, &publication.listing))
        return refuse(answer, "listed: yes or no");
    if (!net_request_query(request, "from", ancestor, sizeof ancestor))
        ancestor[0] = '\0';
    transfers_begin(transfers, request, answer);
    core_publish(core, request->ticket, &request->client, &publication);
    return transfers_end(transfers);
}

static enum net_reply set_listing(struct transfers *transfers, struct core *core,
                                  const struct net_request *request, const char *name,
                                  struct net_answer *answer)
{
    char token[TEXT_BYTES];
    enum store_wish wish;
    if (!read_wish(request->body, &wish))
        return refuse(answer, "the body is yes or no");
    transfers_begin(transfers, request, answer);
    core_list_game(core, request->ticket, &request->client, name,
                   transfers_token(request, token, sizeof token), wish == STORE_YES);
    return transfers_end(transfers);
}

static enum net_reply report(struct transfers *transfers, struct core *core,
                             const struct net_request *request, const char *name,
                             struct net_answer *answer)
{
    char token[TEXT_BYTES];
    if (memchr(request->body, '\0', request->length) != NULL)
        return refuse(answer, "a report is one line of 1 to 500 bytes");
    transfers_begin(transfers, request, answer);
    core_report(core, request->ticket, &request->client, name,
                transfers_token(request, token, sizeof token), request->body);
    return transfers_end(transfers);
}

enum net_reply publications_post(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, const char *rest,
                                 struct net_answer *answer)
{
    static const struct {
        const char *rest;
        enum net_reply (*answer)(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, const char *name,
                                 struct net_answer *answer);
    } ways[] = {{"", publish}, {"/listing", set_listing}, {"/report", report}};
    char name[TEXT_BYTES];
    size_t length = strcspn(rest, "/");
    if (length >= sizeof name)
        return NET_NOT_HERE;
    memcpy(name, rest, length);
    name[length] = '\0';
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(rest + length, ways[i].rest) == 0)
            return ways[i].answer(transfers, core, request, name, answer);
    return NET_NOT_HERE;
}

enum net_reply publications_get(struct transfers *transfers, struct core *core,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer)
{
    static const char picture[] = "/board.svg";
    char game[TEXT_BYTES];
    size_t length = strcspn(rest, "/");
    bool plain = rest[length] == '\0';
    if (length >= sizeof game || (!plain && strcmp(rest + length, picture) != 0))
        return NET_NOT_HERE;
    memcpy(game, rest, length);
    game[length] = '\0';
    transfers_begin(transfers, request, answer);
    (plain ? core_read_published : core_picture)(core, request->ticket, &request->client, game);
    return transfers_end(transfers);
}

enum net_reply publications_list(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, struct net_answer *answer)
{
    char before[QUERY_BYTES];
    if (!net_request_query(request, "before", before, sizeof before))
        before[0] = '\0';
    transfers_begin(transfers, request, answer);
    core_read_publications(core, request->ticket, &request->client, before);
    return transfers_end(transfers);
}

/* A part of a path up to the next slash, which is taken away with it; "": there is none. False: it is too long. */
static bool take_part(const char **rest, char *part, size_t size)
{
    size_t length = strcspn(*rest, "/");
    if (length >= size)
        return false;
    memcpy(part, *rest, length);
    part[length] = '\0';
    *rest += length + ((*rest)[length] == '/');
    return true;
}

enum net_reply publications_ratings(struct transfers *transfers, struct core *core,
                                    const struct net_request *request, const char *rest,
                                    struct net_answer *answer)
{
    char game[TEXT_BYTES], speed[TEXT_BYTES], player[TEXT_BYTES];
    if (!take_part(&rest, game, sizeof game) || !take_part(&rest, speed, sizeof speed) ||
        !take_part(&rest, player, sizeof player) || rest[0] != '\0')
        return NET_NOT_HERE;
    transfers_begin(transfers, request, answer);
    core_read_ratings(core, request->ticket, &request->client, game, speed, player);
    return transfers_end(transfers);
}
