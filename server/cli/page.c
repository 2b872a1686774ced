#include "server/cli/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"
#include "engine/memory/memory.h"
#include "server/cli/page_cache.h"
#include "server/core/core.h"
#include "server/net/files.h"
#include "server/net/late_file.h"

enum {
    ROOM_BYTES_MAX = 32,
    HOST_BYTES = 256,
    ACCEPTED_BYTES = 512,
    WORDS_BYTES = 512,
    NAME_BYTES = 32,
    GAME_BYTES_MAX = 64,
    LADDER_BYTES_MAX = 96,
    ESCAPE_BYTES = 6, /* "&#39;" and its end */
};

static const char room_prefix[] = "/room/", game_prefix[] = "/game/", embed_prefix[] = "/embed/",
                  ratings_prefix[] = "/ratings/";
static const char room_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
static const char game_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-@";
static const char ladder_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_/";

static bool is_below(const char *path, const char *prefix, const char *letters, size_t bytes_max)
{
    if (strncmp(path, prefix, strlen(prefix)) != 0)
        return false;
    const char *name = path + strlen(prefix);
    size_t length = strspn(name, letters);
    return length > 0 && length <= bytes_max && name[length] == '\0';
}

bool page_is_at(const char *path)
{
    if (strcmp(path, "/") == 0 || strcmp(path, "/index.html") == 0 || strcmp(path, "/make") == 0)
        return true;
    return is_below(path, room_prefix, room_letters, ROOM_BYTES_MAX) ||
           is_below(path, embed_prefix, room_letters, ROOM_BYTES_MAX) ||
           is_below(path, game_prefix, game_letters, GAME_BYTES_MAX) ||
           is_below(path, ratings_prefix, ladder_letters, LADDER_BYTES_MAX);
}

bool page_tells_nothing_is_here(const struct page_sources *sources,
                                const struct net_request *request)
{
    char accepted[ACCEPTED_BYTES];
    bool lasting;
    return request->method == NET_GET &&
           net_request_header(request, "accept", accepted, sizeof accepted) &&
           strstr(accepted, "text/html") != NULL &&
           files_find(sources->files, request->path, &lasting) == NULL &&
           late_file_find(sources->engine, request->path, &lasting) == NULL;
}

/* --- what stands in the blanks of the template ------------------------------------------------ */

struct blank {
    const char *name;
    char value[WORDS_BYTES];
};

enum { FILES, ENGINE, TITLE, DESCRIPTION, ORIGIN, BLANK_COUNT };

/* The address as the visitor has it; "" where it is none that could be written down. */
static void write_origin(const struct page_sources *sources, const struct net_request *request,
                         char *origin, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:[]";
    char host[HOST_BYTES], scheme[8] = "";
    bool known = net_request_header(request, "host", host, sizeof host);
    if (sources->trust_forwarded) {
        char forwarded[HOST_BYTES];
        net_request_header(request, "x-forwarded-proto", scheme, sizeof scheme);
        if (net_request_header(request, "x-forwarded-host", forwarded, sizeof forwarded))
            memcpy(host, forwarded, sizeof host), known = true;
    }
    bool secure = sources->is_secure || strcmp(scheme, "https") == 0;
    origin[0] = '\0';
    if (known && host[0] != '\0' && strspn(host, letters) == strlen(host))
        snprintf(origin, size, "http%s://%s", secure ? "s" : "", host);
}

/* What is behind the address, as far as it is in memory: what is played in a room, or a game of the server's own. */
static const struct game *game_at(const struct core *core, const char *path)
{
    const struct game *game = NULL;
    const char *id;
    if (strncmp(path, room_prefix, strlen(room_prefix)) == 0)
        return core_game_of_room(core, path + strlen(room_prefix));
    if (strncmp(path, embed_prefix, strlen(embed_prefix)) == 0)
        return core_game_of_room(core, path + strlen(embed_prefix));
    if (strncmp(path, game_prefix, strlen(game_prefix)) != 0)
        return NULL;
    for (int i = 0; (game = core_game(core, i, &id)) != NULL; i++)
        if (strcmp(id, path + strlen(game_prefix)) == 0)
            break;
    return game;
}

static void fill_blanks(const struct page_sources *sources, const struct net_request *request,
                        struct blank blanks[BLANK_COUNT])
{
    static const char to_play[] = "play a friend by a link, the bot, or on one screen. No account.";
    const char *path = request->path;
    bool is_game = strncmp(path, game_prefix, strlen(game_prefix)) == 0;
    bool is_room = strncmp(path, room_prefix, strlen(room_prefix)) == 0 ||
                   strncmp(path, embed_prefix, strlen(embed_prefix)) == 0;
    const struct game *game = game_at(sources->core, path);
    const char *title = game != NULL ? game_facts(game)->title : "A board game";
    char *description = blanks[DESCRIPTION].value;
    snprintf(blanks[FILES].value, WORDS_BYTES, "/v/%s", files_version(sources->files));
    snprintf(blanks[ENGINE].value, WORDS_BYTES, "%s", late_file_address(sources->engine));
    write_origin(sources, request, blanks[ORIGIN].value, WORDS_BYTES);
    if (!is_room && !is_game) {
        snprintf(blanks[TITLE].value, WORDS_BYTES, "Senet: board games for friends");
        snprintf(description, WORDS_BYTES, "Chess, xiangqi, draughts and many more: %s", to_play);
        return;
    }
    snprintf(blanks[TITLE].value, WORDS_BYTES, "%.200s – Senet", title);
    if (is_game)
        snprintf(description, WORDS_BYTES, "%.200s: %s", title, to_play);
    else
        snprintf(description, WORDS_BYTES,
                 "%.200s: open the link to play or to watch. No account, nothing to install.",
                 title);
}

/* --- the text --------------------------------------------------------------------------------- */

/* What must not stand in HTML as it is. */
static void escape(struct blank *blank)
{
    char plain[WORDS_BYTES];
    size_t length = 0;
    memcpy(plain, blank->value, sizeof plain);
    for (const char *text = plain; *text != '\0' && length + ESCAPE_BYTES < WORDS_BYTES; text++)
        length += (size_t)snprintf(blank->value + length, WORDS_BYTES - length,
                                   strchr("<>&\"'", *text) != NULL ? "&#%d;" : "%c", *text);
    blank->value[length] = '\0';
}

/* The blank that a text begins with, braces included; NULL: none. */
static const struct blank *blank_at(const char *text, size_t length,
                                    const struct blank blanks[BLANK_COUNT], size_t *bytes)
{
    for (int i = 0; i < BLANK_COUNT; i++) {
        size_t name = strlen(blanks[i].name);
        *bytes = name + 4;
        if (*bytes <= length && memcmp(text + 2, blanks[i].name, name) == 0 &&
            memcmp(text, "{{", 2) == 0 && memcmp(text + 2 + name, "}}", 2) == 0)
            return &blanks[i];
    }
    return NULL;
}

static char *fill_in(const struct variant *template, const struct blank blanks[BLANK_COUNT],
                     size_t *length)
{
    char *text;
    FILE *out = memory_stream(&text, length);
    const char *rest = (const char *)template->bytes, *end = rest + template->length;
    while (rest < end) {
        size_t bytes;
        const struct blank *blank = blank_at(rest, (size_t)(end - rest), blanks, &bytes);
        if (blank != NULL) {
            fputs(blank->value, out);
            rest += bytes;
            continue;
        }
        const char *next = memchr(rest + 1, '{', (size_t)(end - rest - 1));
        next = next == NULL ? end : next;
        fwrite(rest, 1, (size_t)(next - rest), out);
        rest = next;
    }
    fclose(out);
    return text;
}

/* A page is known by its template and what stands in the blanks; the version of all files is one of them. */
static void write_key(const char *path, const struct blank blanks[BLANK_COUNT], char *key,
                      size_t size)
{
    size_t length = (size_t)snprintf(key, size, "%s", path);
    for (int i = 0; i < BLANK_COUNT; i++)
        length += (size_t)snprintf(key + length, size - length, "\n%s", blanks[i].value);
}

/* NULL: it is not kept, and the text is in the answer. */
static struct file *make_page(const struct page_sources *sources, const struct file *template,
                              const struct blank blanks[BLANK_COUNT], const char *key,
                              struct net_answer *answer)
{
    size_t length;
    char *text = fill_in(&template->variants[FILES_PLAIN], blanks, &length);
    struct file *page = page_cache_keep(sources->cache, key, template->content_type, text, length);
    if (page == NULL) {
        answer->body = text;
        answer->length = length;
    }
    return page;
}

static void give_out(const struct page_sources *sources, struct file *page,
                     enum files_coding coding, struct net_answer *answer, uint64_t *cost)
{
    bool compressed;
    const struct variant *variant = page_cache_variant(sources->cache, page, coding, &compressed);
    *cost += compressed ? PAGE_COMPRESSED_COST : 0;
    answer->body = memory_bytes(variant->length);
    answer->length = variant->length;
    memcpy(answer->body, variant->bytes, variant->length);
    /* A weak one, for however it is given out: who has the page as it came first shall not get it again, compressed. */
    snprintf(answer->etag, sizeof answer->etag, "W/%s", page->variants[FILES_PLAIN].etag);
    snprintf(answer->headers, sizeof answer->headers, "%s",
             files_coding_headers((enum files_coding)(variant - page->variants)));
}

/* Each kind of address may have a page of its own, which asks for other files at once (deploy/page); the first is for all. */
static const struct file *template_for(const struct page_sources *sources, const char *path)
{
    bool is_room = strncmp(path, room_prefix, strlen(room_prefix)) == 0;
    bool is_game = strncmp(path, game_prefix, strlen(game_prefix)) == 0;
    bool is_embed = strncmp(path, embed_prefix, strlen(embed_prefix)) == 0;
    bool lasting;
    if (strcmp(path, "/make") == 0)
        return files_find(sources->files, "/make/index.html", &lasting);
    const char *own = is_room    ? "/room.html"
                      : is_game  ? "/game.html"
                      : is_embed ? "/embed.html"
                                 : "/index.html";
    const struct file *template = files_find(sources->files, own, &lasting);
    return template != NULL ? template : files_find(sources->files, "/index.html", &lasting);
}

bool page_answer(const struct page_sources *sources, const struct net_request *request,
                 struct net_answer *answer, uint64_t *cost)
{
    char key[BLANK_COUNT * WORDS_BYTES + NAME_BYTES];
    struct blank blanks[BLANK_COUNT] = {
        {"files", ""}, {"engine", ""}, {"title", ""}, {"description", ""}, {"origin", ""}};
    const struct file *template = template_for(sources, request->path);
    *cost = PAGE_COST;
    if (template == NULL)
        return false;
    fill_blanks(sources, request, blanks);
    for (int i = 0; i < BLANK_COUNT; i++)
        escape(&blanks[i]);
    write_key(template->path, blanks, key, sizeof key);
    struct file *page = page_cache_find(sources->cache, key);
    if (page == NULL) {
        page = make_page(sources, template, blanks, key, answer);
        *cost += PAGE_FILLED_COST;
    }
    answer->status = 200;
    answer->framed = strncmp(request->path, embed_prefix, strlen(embed_prefix)) == 0;
    answer->content_type = template->content_type;
    if (page != NULL)
        give_out(sources, page, net_request_coding(request), answer, cost);
    return true;
}
