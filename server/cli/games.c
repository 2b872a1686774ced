#include "server/cli/games.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/cli/default_store.h"
#include "server/store/store.h"

enum { URL_BYTES = 4096, WORDS_BYTES = URL_BYTES + 128 };

static const char usage[] =
    "usage: senet games list [--store URL]\n"
    "       senet games hide NAME [--store URL]\n"
    "       senet games show NAME [--store URL]\n"
    "       senet games remove NAME [--store URL]\n"
    "       senet games reports [--store URL]\n"
    "\n"
    "The games that players have published. `list` prints a line for each name: its newest "
    "version, listed or\n"
    "unlisted, hidden or not, when it was published, its title, separated by tabs. A game that is "
    "hidden is not\n"
    "listed, nobody reads it, and there are no new rooms of it; rooms that exist go on. `show` "
    "takes that back.\n"
    "`remove` takes a name away for good, with all its versions and what was said against them: "
    "nobody reads or\n"
    "plays them anew, and nobody publishes under that name again. Rooms that exist go on, with "
    "their own copy.\n"
    "`reports` prints what people say against them: version, when, who (the first letters of a "
    "digest), their\n"
    "words; `show` forgets what was said of that name.\n"
    "Also while servers use the store; they follow at once.\n"
    "The URL is the one given to `senet serve`; without it SENET_STORE, else the default store.\n"
    "Exit status: 0 done, 1 the store cannot be used or has no such game, 2 wrong arguments.\n";

enum { WHEN_BYTES = 32 };

static void write_when(int64_t at_ms, char when[WHEN_BYTES])
{
    time_t seconds = (time_t)(at_ms / 1000);
    struct tm moment;
    when[0] = '\0';
    if (gmtime_r(&seconds, &moment) != NULL)
        strftime(when, WHEN_BYTES, "%Y-%m-%dT%H:%M:%SZ", &moment);
}

static void print_game(const struct store_publication *publication)
{
    char when[WHEN_BYTES];
    write_when(publication->at_ms, when);
    printf("%s@%" PRId64 "\t%s\t%s\t%s\t%s\n", publication->name, publication->version,
           publication->listed ? "listed" : "unlisted", publication->hidden ? "hidden" : "shown",
           when, publication->title);
}

static int complain(const char *words)
{
    fprintf(stderr, "senet games: %s\n", words);
    return 1;
}

static int list(const char *url)
{
    char words[WORDS_BYTES], after[STORE_NAME_BYTES + 1] = "";
    int count = STORE_PUBLICATIONS_MAX;
    while (count == STORE_PUBLICATIONS_MAX) {
        struct store_answer answer;
        const struct store_request request = {
            .ask = STORE_PUBLICATIONS, .from = 1, .publication = {.name = after}};
        if (!store_ask_beside(url, &request, &answer, words, sizeof words))
            return complain(words);
        count = answer.publication_count;
        for (int i = 0; i < count; i++)
            print_game(&answer.publications[i]);
        if (count > 0)
            snprintf(after, sizeof after, "%s", answer.publications[count - 1].name);
        store_answer_release(&answer);
    }
    return 0;
}

static void print_report(const struct store_report *report)
{
    char when[WHEN_BYTES];
    write_when(report->at_ms, when);
    printf("%s@%" PRId64 "\t%s\t%.8s\t%s\n", report->name, report->version, when, report->reporter,
           report->words);
}

static int list_reports(const char *url)
{
    char words[WORDS_BYTES], name[STORE_NAME_BYTES + 1] = "", reporter[128] = "";
    int count = STORE_REPORTS_MAX;
    while (count == STORE_REPORTS_MAX) {
        struct store_answer answer;
        const struct store_request request = {.ask = STORE_REPORTS,
                                              .report = {.name = name, .reporter = reporter}};
        if (!store_ask_beside(url, &request, &answer, words, sizeof words))
            return complain(words);
        count = answer.report_count;
        for (int i = 0; i < count; i++)
            print_report(&answer.reports[i]);
        if (count > 0) {
            snprintf(name, sizeof name, "%s", answer.reports[count - 1].name);
            snprintf(reporter, sizeof reporter, "%s", answer.reports[count - 1].reporter);
        }
        store_answer_release(&answer);
    }
    return 0;
}

/* Whatever is to become of a name. */
static int change(const char *url, const struct store_request *request)
{
    char words[WORDS_BYTES];
    struct store_answer answer;
    if (!store_ask_beside(url, request, &answer, words, sizeof words))
        return complain(words);
    bool found = answer.status == STORE_OK;
    store_answer_release(&answer);
    if (found)
        return 0;
    snprintf(words, sizeof words, "there is no published game `%.60s`", request->publication.name);
    return complain(words);
}

struct verb {
    const char *word;
    struct store_request request; /* of those that change a name */
    int (*tell)(const char *url); /* of the others */
};

static const struct verb verbs[] = {
    {.word = "list", .tell = list},
    {.word = "reports", .tell = list_reports},
    {.word = "hide", .request = {.ask = STORE_LIST, .hiding = STORE_YES}},
    {.word = "show", .request = {.ask = STORE_LIST, .hiding = STORE_NO}},
    {.word = "remove", .request = {.ask = STORE_UNPUBLISH}},
};

static const struct verb *find_verb(const char *word)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].word, word) == 0)
            return &verbs[i];
    return NULL;
}

struct wish {
    const struct verb *verb;
    const char *url, *name;
};

/* A verb, and then a name. */
static bool read_word(const char *word, struct wish *wish)
{
    if (word[0] == '-' || wish->name != NULL)
        return false;
    if (wish->verb != NULL)
        wish->name = word;
    else
        wish->verb = find_verb(word);
    return wish->verb != NULL;
}

/* False: asked wrongly. */
static bool read_wish(int argc, char **argv, struct wish *wish)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--store") == 0 && i + 1 < argc)
            wish->url = argv[++i];
        else if (!read_word(argv[i], wish))
            return false;
    }
    return wish->verb != NULL && (wish->name == NULL) == (wish->verb->tell != NULL);
}

static int do_wish(const struct wish *wish)
{
    if (wish->verb->tell != NULL)
        return wish->verb->tell(wish->url);
    struct store_request request = wish->verb->request;
    request.publication.name = wish->name;
    return change(wish->url, &request);
}

int cli_games(int argc, char **argv)
{
    char standard[URL_BYTES], words[WORDS_BYTES];
    struct wish wish = {.url = getenv("SENET_STORE")};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_wish(argc, argv, &wish)) {
        fputs(usage, stderr);
        return 2;
    }
    if (wish.url == NULL || wish.url[0] == '\0') {
        if (!default_store(standard, sizeof standard, words, sizeof words))
            return complain(words);
        wish.url = standard;
    }
    return do_wish(&wish);
}
