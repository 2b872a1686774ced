#include "server/cli/prune.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/cli/default_store.h"

extern char **environ; /* POSIX wants it declared by whoever reads it */

enum { URL_BYTES = 4096, WORDS_BYTES = URL_BYTES + 128 };

static const char usage[] =
    "usage: senet prune [--dry-run] [SETTING…]\n"
    "\n"
    "Removes what has had its time, as the settings --keep-… say, and tells how much that was; "
    "with\n"
    "--dry-run it only tells. The settings, from flags and from the environment, are those of\n"
    "`senet serve`, which does the same by itself (--prune-every-s). An SQLite store must not be "
    "in\n"
    "use; of a PostgreSQL store only rooms are removed that no server has in memory.\n"
    "Exit status: 0 done, 1 the store cannot be used, 2 wrong arguments.\n";

struct store_retention prune_retention(const struct config *config)
{
    return (struct store_retention){.unmoved_ms = (int64_t)config->keep_unmoved_s * 1000,
                                    .unfinished_ms = (int64_t)config->keep_unfinished_s * 1000,
                                    .finished_ms = (int64_t)config->keep_finished_s * 1000,
                                    .private_ms = (int64_t)config->keep_private_s * 1000,
                                    .pictures_ms = (int64_t)config->keep_pictures_s * 1000};
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void tell(const struct store_prune_report *report, bool dry_run)
{
    static const char *const reasons[STORE_EXPIRY_COUNT] = {
        [STORE_NEVER_MOVED] = "in which nobody ever moved",
        [STORE_ABANDONED] = "abandoned",
        [STORE_FINISHED_LONG_AGO] = "finished",
        [STORE_PRIVATE_AND_OLD] = "private",
    };
    const char *verb = dry_run ? "would remove" : "removed";
    for (int why = STORE_KEPT + 1; why < STORE_EXPIRY_COUNT; why++)
        printf("%s %" PRIu64 " rooms %s\n", verb, report->removed[why], reasons[why]);
    printf("%s %" PRIu64 " events\n", verb, report->events);
    if (!dry_run)
        printf("removed %" PRIu64 " definitions\n", report->definitions);
    if (report->in_use > 0)
        printf("left %" PRIu64 " rooms that are in use\n", report->in_use);
    printf("kept %" PRIu64 " rooms, %" PRIu64 " events\n", report->kept.rooms, report->kept.events);
    printf("%s %" PRIu64 " pictures that no game names\n", verb, report->pictures.removed);
    printf("kept %" PRIu64 " pictures, %" PRIu64 " bytes\n", report->pictures.kept,
           report->pictures.kept_bytes);
    printf("the store has %" PRId64 " bytes, %" PRId64 " of them unused\n", report->database_bytes,
           report->unused_bytes);
}

/* Takes out what is no setting; how many arguments are left. */
static int read_dry_run(int argc, char **argv, bool *dry_run)
{
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--dry-run") == 0)
            *dry_run = true;
        else
            argv[kept++] = argv[i];
    }
    return kept;
}

static int prune(const struct config *config, bool dry_run)
{
    char standard[URL_BYTES], words[WORDS_BYTES];
    struct store_prune_report report;
    struct store_retention retention = prune_retention(config);
    bool known = config->store[0] != '\0';
    retention.now_ms = now_ms();
    if ((known || default_store(standard, sizeof standard, words, sizeof words)) &&
        store_prune(known ? config->store : standard, &retention, dry_run, &report, words,
                    sizeof words)) {
        tell(&report, dry_run);
        return 0;
    }
    fprintf(stderr, "senet prune: %s\n", words);
    return 1;
}

int cli_prune(int argc, char **argv)
{
    struct config config;
    char words[WORDS_BYTES];
    bool dry_run = false;
    argc = read_dry_run(argc, argv, &dry_run);
    switch (config_read(&config, argc - 1, argv + 1, environ, words, sizeof words)) {
    case CONFIG_OK:
        return prune(&config, dry_run);
    case CONFIG_HELP:
        fputs(usage, stdout);
        return 0;
    case CONFIG_ERROR:
        break;
    }
    fprintf(stderr, "senet prune: %s\n\n%s", words, usage);
    return 2;
}
