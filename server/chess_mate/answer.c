#include "server/chess_mate/answer.h"

#include "engine/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASKED_BYTES_MAX = 1024 }; /* names of headers that a preflight may ask for */

static const char cors[] = "Access-Control-Allow-Origin: *\r\n";
/* What the original never says may bring a header that a page may look at only where it is told so. */
static const char exposed[] = "Access-Control-Expose-Headers: Retry-After\r\n";
static const char internal_error[] = "Internal server error.";

/* Weak, as its framework's: the length and a hash. */
static void write_etag(struct net_answer *answer)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < answer->length; i++)
        hash = (hash ^ (unsigned char)answer->body[i]) * UINT64_C(0x100000001b3);
    snprintf(answer->etag, sizeof answer->etag, "W/\"%zx-%016" PRIx64 "\"", answer->length, hash);
}

static void say_json(struct net_answer *answer, int status, struct writer *writer)
{
    answer->status = status;
    answer->content_type = "application/json; charset=utf-8";
    answer->body = writer_take(writer, &answer->length);
    snprintf(answer->headers, sizeof answer->headers, "%s", cors);
    write_etag(answer);
}

static void say_words(struct net_answer *answer, int status, const char *key, const char *words)
{
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_key(&writer, key);
    writer_string(&writer, words);
    writer_end(&writer);
    say_json(answer, status, &writer);
}

void answer_index(struct net_answer *answer)
{
    say_words(answer, 200, "message", "Api OK!");
}

void answer_error(struct net_answer *answer, int status, const char *words)
{
    say_words(answer, status, "error", words);
}

void answer_body_error(struct net_answer *answer, int status)
{
    answer_error(answer, status, internal_error);
    answer->headers[0] = '\0';
}

void answer_unavailable(struct net_answer *answer)
{
    answer_error(answer, 503, internal_error);
    snprintf(answer->headers, sizeof answer->headers, "%s%sRetry-After: 1\r\n", cors, exposed);
}

void answer_too_fast(struct net_answer *answer, uint64_t wait_ms)
{
    answer_error(answer, 429, "Too many requests.");
    snprintf(answer->headers, sizeof answer->headers, "%s%sRetry-After: %" PRIu64 "\r\n", cors,
             exposed, (wait_ms + 999) / 1000);
}

void answer_preflight(struct net_answer *answer, const struct net_request *request)
{
    char asked[ASKED_BYTES_MAX + 1];
    bool asks = net_request_header(request, "access-control-request-headers", asked, sizeof asked);
    if (!asks && net_request_has_header(request, "access-control-request-headers")) {
        answer_error(answer, 431, "Too many headers.");
        return;
    }
    answer->status = 204;
    snprintf(answer->headers, sizeof answer->headers,
             "%sAccess-Control-Allow-Methods: GET,HEAD,PUT,PATCH,POST,DELETE\r\n"
             "Vary: Access-Control-Request-Headers\r\n%s%s%s",
             cors, asks ? "Access-Control-Allow-Headers: " : "", asked, asks ? "\r\n" : "");
}

/* --- a path that is none ---------------------------------------------------------------------- */

void answer_note_missing(struct answer_missing *missing, const struct net_request *request,
                         const struct route *route)
{
    missing->kind = route->kind;
    missing->is_move = route->is_move;
    snprintf(missing->method, sizeof missing->method, "%s", request->method_word);
    snprintf(missing->path, sizeof missing->path, "%s", request->target);
}

/* As a URL, and then as HTML: what stands for itself in both is written as it is. */
static void write_escaped(FILE *out, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "!#$()*+,/:;=?@[]~-._%";
    for (; *path != '\0'; path++) {
        if (*path == '&')
            fputs("&amp;", out);
        else if (*path == '\'')
            fputs("&#39;", out);
        else if (strchr(plain, *path) != NULL)
            fputc(*path, out);
        else
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*path);
    }
}

static void say_missing(const struct answer_missing *missing, struct net_answer *answer)
{
    FILE *out = memory_stream(&answer->body, &answer->length);
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<title>Error</title>\n</head>\n<body>\n<pre>Cannot %s ",
            missing->method);
    write_escaped(out, missing->path);
    fputs("</pre>\n</body>\n</html>\n", out);
    fclose(out);
    answer->status = 404;
    answer->content_type = "text/html; charset=utf-8";
    snprintf(answer->headers, sizeof answer->headers, "%s", cors);
}

static void say_of_path(const struct answer_missing *missing, struct net_answer *answer)
{
    if (missing->kind == ROUTE_BAD_TEXT)
        answer_error(answer, 400, internal_error);
    else if (missing->kind == ROUTE_BAD_SQUARE)
        answer_error(answer, 400, missing->is_move ? "Invalid position" : "Invalid position!");
    else
        say_missing(missing, answer);
}

/* --- what a visit has found ------------------------------------------------------------------- */

static void write_targets(struct visit *visit, struct writer *writer)
{
    const struct board *board = &visit->scorebook.board;
    int count = visit->target_count == 0
                    ? 0
                    : board_order_targets(board, visit->from, visit->targets, visit->target_count);
    writer_array(writer);
    for (int i = 0; i < count; i++) {
        char name[3];
        square_write_name(visit->targets[i], name);
        writer_string(writer, name);
    }
    writer_end(writer);
}

static void write_parts(const struct visit *visit, const char *browser_id_json,
                        struct writer *writer)
{
    const struct scorebook *scorebook = &visit->scorebook;
    writer_object(writer);
    if (visit->wish == WISH_NEW_GAME) {
        writer_key(writer, "game");
        scorebook_write_game(scorebook, browser_id_json, writer);
    }
    writer_key(writer, "board");
    scorebook_write_board(scorebook, writer);
    if (visit->wish == WISH_MOVE) {
        writer_key(writer, "move");
        scorebook_write_ply(scorebook, scorebook->board.ply - 1, writer);
    }
    if (visit->wish == WISH_GAME) {
        writer_key(writer, "moves");
        writer_array(writer);
        for (int i = scorebook->board.ply; i > 0; i--)
            scorebook_write_ply(scorebook, i - 1, writer);
        writer_end(writer);
    }
    scorebook_write_additions(scorebook, writer);
    writer_end(writer);
}

static void say_done(struct visit *visit, const char *browser_id_json,
                     const struct answer_missing *missing, struct net_answer *answer)
{
    struct writer writer;
    if (visit->wish == WISH_NOTHING) {
        say_of_path(missing, answer);
        return;
    }
    writer_init(&writer);
    if (visit->wish == WISH_TARGETS)
        write_targets(visit, &writer);
    else
        write_parts(visit, browser_id_json, &writer);
    say_json(answer, 200, &writer);
}

void answer_of_visit(struct visit *visit, const char *browser_id_json,
                     const struct answer_missing *missing, struct net_answer *answer)
{
    switch (visit->outcome) {
    case VISIT_DONE:
        say_done(visit, browser_id_json, missing, answer);
        return;
    case VISIT_EXISTS:
        answer_error(answer, 400, "Browser id already in use!");
        return;
    case VISIT_NOT_FOUND:
        answer_error(answer, 400, "Game not found!");
        return;
    case VISIT_INVALID_MOVE:
        answer_error(answer, 400, "Invalid move!");
        return;
    case VISIT_UNAVAILABLE:
        answer_unavailable(answer);
        return;
    case VISIT_GOES_ON:
    case VISIT_FAILED:
        answer_error(answer, 500, internal_error);
        return;
    }
}
