#include "engine/memory/memory.h"
#include "protocol/writer.h"
#include "server/cli/application_bus.h"
#include "server/cli/application_core.h"
#include "server/cli/application_doors.h"
#include "server/cli/application_stages.h"
#include "server/cli/game_folder.h"
#include "server/cli/page_cache.h"
#include "server/cli/thumbnails.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* By a clock that nobody sets, and that goes on while the machine sleeps; the loop's stands still then. */
uint64_t application_now_ms(const struct application *application)
{
    return application->epoch_ms + clock_ms(CLOCK_BOOTTIME);
}

struct core *application_told_the_time(struct application *application)
{
    /* Anew each time: the process may have been stopped since the loop has looked, and its lease be over. The loop's own time, by
     * which timers run, is no older then. */
    uv_update_time(&application->loop);
    core_time(application->core, application_now_ms(application));
    return application->core;
}

static bool load_files(struct application *application, const struct application_options *options)
{
    char words[APPLICATION_WORDS_BYTES];
    application->browser_engine =
        late_file_new("/engine/engine.wasm", "application/wasm", options->engine);
    application->files = files_new();
    application->pages = page_cache_new(application->files);
    application->drawn = page_cache_new(application->files);
    if (files_load(application->files, options->web, "", false, words, sizeof words) &&
        files_load(application->files, options->games, "/games", true, words, sizeof words) &&
        files_load(application->files, options->schema, "/protocol", false, words, sizeof words)) {
        files_seal(application->files);
        return true;
    }
    log_text(application->log, LOG_LEVEL_ERROR, "cannot_read_files", "message", words);
    return false;
}

static bool load_games(struct application *application, const char *directory)
{
    int count = game_folder_load(directory, application->core, application->log);
    if (count < 0)
        log_text(application->log, LOG_LEVEL_ERROR, "cannot_read_games", "directory", directory);
    else if (count == 0)
        log_text(application->log, LOG_LEVEL_WARNING, "no_games", "directory", directory);
    return count >= 0;
}

static void add_list_in(const struct application *application, const char *language)
{
    char path[64];
    struct writer writer;
    size_t length;
    writer_init(&writer);
    core_write_games(application->core, language, &writer);
    char *text = writer_take(&writer, &length);
    snprintf(path, sizeof path, language[0] != '\0' ? "/games.%s.json" : "/games%s.json", language);
    files_add(application->files, path, (unsigned char *)text, length);
}

/* What the lobby begins with is a file like those of the page: compressed, and kept by browsers until it changes. One in each
 * language that the page speaks: what a game does not say in it stands there as its file has it. */
static void add_lists_of_games(const struct application *application)
{
    static const char *const languages[] = {"", "de", "es", "ar"}; /* language_choice.js */
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        add_list_in(application, languages[i]);
    files_seal(application->files);
}

/* What has handles on the loop comes last, and the store last of all: nothing can fail after it. */
static bool start(struct application *application, const struct application_options *options)
{
    char words[APPLICATION_WORDS_BYTES];
    if (!load_files(application, options))
        return false;
    if (!application_make_net(application, options, words, sizeof words)) {
        log_text(application->log, LOG_LEVEL_ERROR, "cannot_listen", "message", words);
        return false;
    }
    application_make_core(application, options->store);
    if (!load_games(application, options->games))
        return false;
    thumbnails_add(application->files, application->core);
    add_lists_of_games(application);
    if (!application_open_bus(application, words, sizeof words)) {
        log_text(application->log, LOG_LEVEL_ERROR, "cannot_open_bus", "message", words);
        return false;
    }
    application->store =
        store_open(options->store, &application->loop, application_on_store_answered, application,
                   words, sizeof words);
    if (application->store == NULL) {
        log_text(application->log, LOG_LEVEL_ERROR, "cannot_open_store", "message", words);
        return false;
    }
    return true;
}

/* After a start that failed half way: closes what was opened. */
static void give_up(struct application *application)
{
    if (application->net != NULL)
        net_finish(application->net);
    if (application->bus != NULL)
        bus_close(application->bus, NULL, NULL);
    uv_run(&application->loop, UV_RUN_DEFAULT);
    application_free(application);
}

struct application *application_new(const struct application_options *options)
{
    struct application *application = memory_zeroed(1, sizeof *application);
    application->config = options->config;
    application->log = options->log;
    application->deadline_ms = UINT64_MAX;
    struct hash_key hash_key;
    application_random(NULL, &hash_key, sizeof hash_key);
    callers_init(&application->callers, hash_key);
    uv_loop_init(&application->loop);
    application->started_ms = uv_now(&application->loop);
    application->epoch_ms = clock_ms(CLOCK_REALTIME) - clock_ms(CLOCK_BOOTTIME);
    if (!start(application, options)) {
        give_up(application);
        return NULL;
    }
    application_make_house(application);
    application_make_chess_mate(application);
    application_start_handles(application);
    core_start(application_told_the_time(application));
    return application;
}

void application_run(struct application *application)
{
    uv_run(&application->loop, UV_RUN_DEFAULT);
    log_write(application->log, LOG_LEVEL_INFO, "stopped", "");
}

void application_free(struct application *application)
{
    if (application->net != NULL)
        net_free(application->net);
    core_free(application->core);
    callers_release(&application->callers);
    page_cache_free(application->pages);
    page_cache_free(application->drawn);
    files_free(application->files);
    late_file_free(application->browser_engine);
    int left = uv_loop_close(&application->loop);
    assert(left == 0);
    (void)left;
    free(application);
}
