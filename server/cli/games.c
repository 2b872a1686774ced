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
    "       senet games reports [--store URL]\n"
    "\n"
    "The games that players have published. `list` prints a line for each name: its newest "
    "version, "
    "listed or\n"
    "unlisted, hidden or not, when it was published, its title, separated by tabs. A game that is "
    "hidden is not\n"
    "listed, nobody reads it, and there are no new rooms of it; rooms that exist go on. `show` "
    "takes "
    "that back.\n"
    "`reports` prints what people say against them: version, when, who (the first letters of a "
    "digest), their words; "
    "`show` forgets what was said\n"
    "of that name.\n"
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

static int set_hidden(const char *url, const char *name, bool hidden)
{
    char words[WORDS_BYTES];
    struct store_answer answer;
    const struct store_request request = {
        .ask = STORE_LIST, .publication = {.name = name}, .hiding = hidden ? STORE_YES : STORE_NO};
    if (!store_ask_beside(url, &request, &answer, words, sizeof words))
        return complain(words);
    bool found = answer.status == STORE_OK;
    store_answer_release(&answer);
    if (found)
        return 0;
    snprintf(words, sizeof words, "there is no published game `%.60s`", name);
    return complain(words);
}

struct wish {
    const char *url, *verb, *name;
};

/* False: asked wrongly. */
static bool read_wish(int argc, char **argv, struct wish *wish)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--store") == 0 && i + 1 < argc)
            wish->url = argv[++i];
        else if (argv[i][0] == '-' || (wish->verb != NULL && wish->name != NULL))
            return false;
        else if (wish->verb == NULL)
            wish->verb = argv[i];
        else
            wish->name = argv[i];
    }
    if (wish->verb == NULL)
        return false;
    if (strcmp(wish->verb, "list") == 0 || strcmp(wish->verb, "reports") == 0)
        return wish->name == NULL;
    return wish->name != NULL &&
           (strcmp(wish->verb, "hide") == 0 || strcmp(wish->verb, "show") == 0);
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
    if (strcmp(wish.verb, "reports") == 0)
        return list_reports(wish.url);
    return strcmp(wish.verb, "list") == 0
               ? list(wish.url)
               : set_hidden(wish.url, wish.name, strcmp(wish.verb, "hide") == 0);
}
