#include "server/cli/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"
#include "engine/memory/memory.h"
#include "server/core/core.h"
#include "server/core/digest.h"
#include "server/net/files.h"

enum {
    ROOM_BYTES_MAX = 32,
    HOST_BYTES = 256,
    WORDS_BYTES = 512,
    NAME_BYTES = 32,
    GAME_BYTES_MAX = 64,
    ETAG_HEX_DIGITS = 16,
};

static const char room_prefix[] = "/room/", game_prefix[] = "/game/";
static const char room_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
static const char game_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-@";

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
           is_below(path, game_prefix, game_letters, GAME_BYTES_MAX);
}

/* --- what stands in the blanks of the template ------------------------------------------------ */

struct blank {
    const char *name;
    char value[WORDS_BYTES];
};

enum { FILES, TITLE, DESCRIPTION, ORIGIN, BLANK_COUNT };

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

static void fill_blanks(const struct page_sources *sources, const struct net_request *request,
                        struct blank blanks[BLANK_COUNT])
{
    bool is_room = strncmp(request->path, room_prefix, strlen(room_prefix)) == 0;
    const struct game *game =
        is_room ? core_game_of_room(sources->core, request->path + strlen(room_prefix)) : NULL;
    const char *title = game != NULL ? game_title(game) : "A board game";
    snprintf(blanks[FILES].value, WORDS_BYTES, "/v/%s", files_version(sources->files));
    write_origin(sources, request, blanks[ORIGIN].value, WORDS_BYTES);
    if (is_room) {
        snprintf(blanks[TITLE].value, WORDS_BYTES, "%.200s – Senet", title);
        snprintf(blanks[DESCRIPTION].value, WORDS_BYTES,
                 "%.200s: open the link to play or to watch. No account, nothing to install.",
                 title);
        return;
    }
    snprintf(blanks[TITLE].value, WORDS_BYTES, "Senet: board games for friends");
    snprintf(blanks[DESCRIPTION].value, WORDS_BYTES,
             "Chess, xiangqi, draughts and many more: play a friend by a link, the bot, or on one "
             "screen. No account.");
}

/* --- the text --------------------------------------------------------------------------------- */

static void write_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (strchr("<>&\"'", *text) != NULL)
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

/* How much of the text a blank takes, 0: it begins with none. */
static size_t blank_at(const char *text, size_t length, const struct blank blanks[BLANK_COUNT],
                       const struct blank **found)
{
    for (int i = 0; i < BLANK_COUNT; i++) {
        char mark[NAME_BYTES];
        size_t bytes = (size_t)snprintf(mark, sizeof mark, "{{%s}}", blanks[i].name);
        *found = &blanks[i];
        if (bytes <= length && memcmp(text, mark, bytes) == 0)
            return bytes;
    }
    return 0;
}

static char *fill_in(const struct variant *template, const struct blank blanks[BLANK_COUNT],
                     size_t *length)
{
    char *text;
    FILE *out = memory_stream(&text, length);
    for (size_t i = 0; i < template->length;) {
        const struct blank *blank;
        const char *rest = (const char *)template->bytes + i;
        size_t bytes = blank_at(rest, template->length - i, blanks, &blank);
        if (bytes > 0)
            write_escaped(out, blank->value);
        else
            fputc(*rest, out);
        i += bytes > 0 ? bytes : 1;
    }
    fclose(out);
    return text;
}

static void write_etag(struct net_answer *answer)
{
    unsigned char digest[DIGEST_BYTES];
    char hex[DIGEST_HEX_DIGITS + 1];
    digest_sha256(answer->body, answer->length, digest);
    digest_write_hex(digest, sizeof digest, hex);
    snprintf(answer->etag, sizeof answer->etag, "\"%.*s\"", ETAG_HEX_DIGITS, hex);
}

bool page_answer(const struct page_sources *sources, const struct net_request *request,
                 struct net_answer *answer)
{
    bool lasting;
    struct blank blanks[BLANK_COUNT] = {
        {"files", ""}, {"title", ""}, {"description", ""}, {"origin", ""}};
    bool is_make = strcmp(request->path, "/make") == 0;
    const struct file *file =
        files_find(sources->files, is_make ? "/make/index.html" : "/index.html", &lasting);
    if (file == NULL)
        return false;
    fill_blanks(sources, request, blanks);
    answer->status = 200;
    answer->content_type = file->content_type;
    answer->body = fill_in(&file->variants[FILES_PLAIN], blanks, &answer->length);
    write_etag(answer);
    return true;
}
