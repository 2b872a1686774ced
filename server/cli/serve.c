#include "server/cli/serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/cli/application.h"
#include "server/cli/application_memory.h"
#include "server/cli/default_store.h"
#include "server/cli/folders.h"
#include "server/config.h"
#include "server/log.h"

enum {
    PATH_BYTES = FOLDER_PATH_BYTES,
    WORDS_BYTES = PATH_BYTES + 128,
    URL_BYTES_MAX = 200,
    DESCRIPTORS_OF_TLS = 3,  /* a connection's socket and the pair behind it */
    OTHER_DESCRIPTORS = 128, /* beside connections: the store, the log, the loop's own, … */
};

static const char usage[] =
    "usage: senet serve [SETTING…]\n"
    "\n"
    "Serves the games, the page and the protocol until SIGTERM. Each setting is a flag or a "
    "variable\n"
    "of the environment; flags win. The first line of the log says where the server listens.\n"
    "\n";

/* The browser's engine, whether it is built already or not. */
static void find_engine(char *path)
{
    char folder[PATH_BYTES / 2];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    snprintf(path, PATH_BYTES, "%s/build/browser/engine.wasm.gz", SENET_SOURCE_DIR);
    if (folder_is_there(SENET_SOURCE_DIR) || length <= 0)
        return;
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    snprintf(path, PATH_BYTES, "%s/../share/senet/engine.wasm.gz", folder);
}

/* Raises the limit as far as it may be; how many connections there is room for. */
static uint32_t allow_connections(const struct log *log, uint32_t wanted, uint32_t descriptors_each)
{
    struct rlimit limit;
    rlim_t needed = (rlim_t)wanted * descriptors_each + OTHER_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return wanted;
    limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= needed)
        return wanted;
    rlim_t room = limit.rlim_cur / 2 > OTHER_DESCRIPTORS ? limit.rlim_cur - OTHER_DESCRIPTORS
                                                         : limit.rlim_cur / 2;
    room /= descriptors_each;
    struct writer line;
    log_begin(&line, LOG_LEVEL_WARNING, "few_descriptors");
    writer_key(&line, "limit"), writer_integer(&line, (int64_t)limit.rlim_cur);
    writer_key(&line, "connections_wanted"), writer_integer(&line, wanted);
    writer_key(&line, "connections"), writer_integer(&line, (int64_t)room);
    log_end(log, LOG_LEVEL_WARNING, &line);
    return (uint32_t)room;
}

/* Or none. It is given to clients as it is. */
static bool is_url(const char *text)
{
    bool named = strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
    if (!named || strlen(text) > URL_BYTES_MAX)
        return text[0] == '\0';
    for (const char *at = text; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~' || *at == '"' || *at == '\\')
            return false;
    return true;
}

static int serve(const struct config *config)
{
    char games[PATH_BYTES], web[PATH_BYTES], schema[PATH_BYTES], engine[PATH_BYTES],
        store[PATH_BYTES], words[WORDS_BYTES];
    struct log log = {.out = stdout, .least = LOG_LEVEL_INFO};
    log_level_read(config->log_level, &log.least);
    log_hold(&log);
    folder_find("games", games);
    folder_find("server/web", web);
    folder_find("protocol/schema", schema);
    find_engine(engine);
    if (config->store[0] == '\0' && !default_store(store, sizeof store, words, sizeof words)) {
        log_text(&log, LOG_LEVEL_ERROR, "cannot_open_store", "message", words);
        log_let_go(&log);
        return 1;
    }
    const struct application_options options = {
        .config = config,
        .log = &log,
        .store = config->store[0] != '\0' ? config->store : store,
        .games = config->games[0] != '\0' ? config->games : games,
        .web = config->web[0] != '\0' ? config->web : web,
        .schema = schema,
        .engine = config->engine[0] != '\0' ? config->engine : engine,
        .connections_max = allow_connections(
            &log, config->connections, config->tls_certificate[0] == '\0' ? 1 : DESCRIPTORS_OF_TLS),
    };
    struct application *application = application_new(&options);
    if (application != NULL) {
        application_run(application);
        application_free(application);
    }
    log_let_go(&log);
    return application != NULL ? 0 : 1;
}

int cli_serve(int argc, char **argv)
{
    extern char **environ;
    struct config config;
    char words[WORDS_BYTES];
    application_use_memory();
    switch (config_read(&config, argc - 1, argv + 1, environ, words, sizeof words)) {
    case CONFIG_HELP:
        fputs(usage, stdout);
        config_print_settings(stdout);
        return 0;
    case CONFIG_ERROR:
        fprintf(stderr, "senet serve: %s (senet serve --help lists the settings)\n", words);
        return 2;
    case CONFIG_OK:
        break;
    }
    if ((config.tls_certificate[0] == '\0') != (config.tls_key[0] == '\0')) {
        fprintf(stderr, "senet serve: --tls-certificate and --tls-key go together\n");
        return 2;
    }
    if (!is_url(config.advertise)) {
        fprintf(stderr, "senet serve: --advertise: \"%.100s\" is not an http(s):// URL\n",
                config.advertise);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    return serve(&config);
}
