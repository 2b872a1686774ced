/* All that a server's housekeeping does in an hour, at once: `senet prune`. */
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>

enum {
    EVENTS_CLEARED = 4096,
};

struct pruning {
    const struct store_driver_table *table;
    struct store_driver *driver;
    const struct store_retention *retention;
    bool dry_run;
    struct store_prune_report *report;
    char *words;
    size_t words_size;
};

static bool perform(const struct pruning *pruning, const struct store_request *request,
                    struct store_answer *answer)
{
    pruning->table->perform(pruning->driver, request, 1, answer);
    pruning->table->keep_house(pruning->driver);
    if (answer->status != STORE_FAILED)
        return true;
    snprintf(pruning->words, pruning->words_size, "%s", answer->words);
    store_answer_release(answer);
    return false;
}

static bool remove_room(const struct pruning *pruning, const struct store_expired *expired)
{
    struct store_prune_report *report = pruning->report;
    struct store_answer answer = {.status = STORE_OK};
    const struct store_request request = {
        .ask = STORE_REMOVE, .room = expired->room, .from = expired->version};
    if (!pruning->dry_run && !perform(pruning, &request, &answer))
        return false;
    if (answer.status != STORE_OK) {
        report->in_use++;
        return true;
    }
    report->removed[expired->why]++;
    report->events += (uint64_t)expired->version;
    report->definitions += (uint64_t)answer.removed_definitions;
    store_answer_release(&answer);
    return true;
}

static bool remove_rooms(const struct pruning *pruning, const struct store_survey *survey)
{
    for (int i = 0; i < survey->expired_count; i++)
        if (!remove_room(pruning, &survey->expired[i]))
            return false;
    return true;
}

static void count(const struct pruning *pruning, const struct store_survey *survey)
{
    struct store_prune_report *report = pruning->report;
    for (int status = 0; status < STORE_STATUS_COUNT; status++)
        for (int i = 0; i < 2; i++) {
            report->kept.rooms += survey->tallies[status][i].rooms;
            report->kept.events += survey->tallies[status][i].events;
        }
    for (int i = 0; i < survey->expired_count; i++) {
        report->kept.rooms--;
        report->kept.events -= (uint64_t)survey->expired[i].version;
    }
    report->database_bytes = survey->database_bytes;
    report->unused_bytes = survey->unused_bytes;
}

/* Along all rooms, and then until nothing is left of those removed. */
static bool walk(const struct pruning *pruning)
{
    char after[STORE_ROOM_BYTES + 1] = "";
    bool walking = true, good = true, unclean = true;
    while (good && (walking || unclean)) {
        struct store_answer answer;
        const struct store_request request = {.ask = STORE_SURVEY,
                                              .room = after,
                                              .from = walking ? STORE_SURVEY_ROOMS_MAX : 0,
                                              .to = pruning->dry_run ? 0 : EVENTS_CLEARED,
                                              .retention = *pruning->retention};
        if (!perform(pruning, &request, &answer))
            return false;
        count(pruning, answer.survey);
        unclean = answer.survey->unclean && !pruning->dry_run;
        good = remove_rooms(pruning, answer.survey);
        snprintf(after, sizeof after, "%s", answer.survey->next);
        walking = walking && after[0] != '\0';
        store_answer_release(&answer);
    }
    return good;
}

static void add_sweep(struct store_sweep *sum, const struct store_sweep *sweep)
{
    sum->kept += sweep->kept;
    sum->kept_bytes += sweep->kept_bytes;
    sum->removed += sweep->removed;
    sum->removed_bytes += sweep->removed_bytes;
}

/* When rooms have gone, and their definitions with them. */
static bool sweep_pictures(const struct pruning *pruning)
{
    char after[STORE_HASH_DIGITS + 1] = "";
    const struct store_retention *retention = pruning->retention;
    int64_t before_ms =
        retention->pictures_ms > 0 ? retention->now_ms - retention->pictures_ms : INT64_MIN;
    do {
        struct store_answer answer;
        const struct store_request request = {.ask = STORE_SWEEP_PICTURES,
                                              .picture = {.hash = after, .at_ms = before_ms},
                                              .from = STORE_SWEPT_MAX,
                                              .to = !pruning->dry_run};
        if (!perform(pruning, &request, &answer))
            return false;
        add_sweep(&pruning->report->pictures, answer.sweep);
        snprintf(after, sizeof after, "%s", answer.sweep->next);
        store_answer_release(&answer);
    } while (after[0] != '\0');
    return true;
}

/* SQLite judges a room when its events are folded, and a store that is closed in peace has folded all. */
static bool open_folded(struct pruning *pruning, const char *url)
{
    pruning->driver = pruning->table->open(url, pruning->words, pruning->words_size);
    if (pruning->driver == NULL)
        return false;
    pruning->table->close(pruning->driver);
    pruning->driver = pruning->table->open(url, pruning->words, pruning->words_size);
    return pruning->driver != NULL;
}

bool store_prune(const char *url, const struct store_retention *retention, bool dry_run,
                 struct store_prune_report *report, char *words, size_t words_size)
{
    struct pruning pruning = {.table = store_find_driver(url),
                              .retention = retention,
                              .dry_run = dry_run,
                              .report = report,
                              .words = words,
                              .words_size = words_size};
    memset(report, 0, sizeof *report);
    if (pruning.table == NULL) {
        snprintf(words, words_size, "%.60s is not a store this program knows", url);
        return false;
    }
    if (!open_folded(&pruning, url))
        return false;
    bool done = walk(&pruning) && sweep_pictures(&pruning);
    pruning.table->close(pruning.driver);
    return done;
}
