/* The include graph is the architecture: this table says which folder may include which, and which
 * files may know a third-party library. Every C file of engine/, protocol/ and server/ is read and
 * held against it. */
#include "tests/support/test.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ALLOWED_MAX = 12, PATH_BYTES_MAX = 512 };

/* The longest `files` prefix that fits a file decides; a file may always include its own folder's
 * headers. */
struct layer {
    const char *files;
    const char *allowed[ALLOWED_MAX]; /* prefixes of what it may include */
};

/* clang-format off */
static const struct layer layers[] = {
    /* engine/memory/memory.h is for everybody: how it is when there is none. It knows nobody. */
    {"engine/memory/",  {"engine/memory/"}},
    /* Only load/ sees the text of a game; the rest of the engine sees the compiled game. */
    {"engine/load/",    {"engine/"}},
    /* Action sets, which are all that formats 0 and 1 have: of format 2 only conditions, which both have. */
    {"engine/classic/", {"engine/classic/", "engine/state.h", "engine/candidates.h", "engine/work.h", "engine/rules/condition.h"}},
    {"engine/classic/read_", {"engine/load/"}},
    {"engine/",         {"engine/"}},
    {"protocol/",       {"protocol/"}},
    {"server/core/",    {"server/core/", "server/store/store.h", "server/bus/bus.h", "server/pictures/picture.h", "protocol/", "engine/"}},
    {"server/store/",   {"server/store/"}},
    {"server/pictures/", {"server/pictures/"}},
    {"server/net/",     {"server/net/", "server/core/frame.h", "server/core/core.h", "server/core/list.h"}},
    {"server/bus/",     {"server/bus/"}},
    {"server/house/",   {"server/house/", "server/core/frame.h", "server/core/core.h", "server/core/list.h", "protocol/",
                         "engine/position.h", "engine/bot/"}},
    {"server/chess_mate/", {"server/chess_mate/", "server/core/frame.h", "server/core/core.h",
                         "server/core/list.h", "server/net/net.h", "protocol/"}},
    {"server/cli/",     {"server/", "protocol/", "engine/"}},
    /* Compiled to WebAssembly only, beside the engine and its conversation; jansson/ is somebody else's. */
    {"server/browser/", {"server/cli/engine_lines.h", "engine/memory/"}},
    {"server/browser/jansson/", {""}},
    {"server/config",   {"server/config.h"}},
    {"server/log",      {"server/log.h", "protocol/writer.h"}},
    {"server/main.c",   {"server/cli/"}},
};
/* clang-format on */

/* Headers that only some files of engine/ may include; the longest prefix that fits a header decides. */
struct door {
    const char *header;
    const char *allowed[ALLOWED_MAX]; /* prefixes of files */
};

/* clang-format off */
static const struct door doors[] = {
    /* A position never looks back at the file it came from. */
    {"engine/load/",    {"engine/load/", "engine/classic/read_"}},
    /* The general code of format 2 does without the fast path, but for attacks that are in its tables. */
    {"engine/fast/",    {"engine/fast/", "engine/load/compile_fast"}},
    {"engine/fast/fast.h", {"engine/fast/", "engine/rules/condition.c", "engine/rules/legal.c", "engine/load/compile_fast"}},
    /* The general code alone asks what action sets do. */
    {"engine/classic/", {"engine/classic/", "engine/rules/"}},
};
/* clang-format on */

/* The engine in layers, the lowest first: a file includes what lies in its own layer and below. The longest prefix that fits
 * decides. engine/README.md says what each is for. */
struct level {
    const char *files;
    int level;
};

/* clang-format off */
static const struct level levels[] = {
    /* what a game and a position are, and what can be asked of them */
    {"engine/memory/",         0}, {"engine/arena.",      0}, {"engine/whole_game.h", 0}, {"engine/types.h",     0}, {"engine/bits.h",       0},
    {"engine/condition_tree.h", 0}, {"engine/movement.h",  0},
    {"engine/game.",        0}, {"engine/tables.h",      0},
    {"engine/state.h",         0}, {"engine/position.",   0}, {"engine/movegen.h",    0}, {"engine/candidates.",   0},
    {"engine/work.",           0}, {"engine/work_shares.h", 0}, {"engine/notation/tables.h", 0},
    /* the codes that play, each on those before it */
    {"engine/fast/",           1},
    {"engine/rules/",          2}, {"engine/classic/",    2},
    {"engine/fast/moves.c",    3}, {"engine/fast/perft.c", 3}, {"engine/fast/liberties.",    3},
    /* what people and machines ask of a game besides */
    {"engine/",                4},
    /* how a game comes out of a file */
    {"engine/load/",           5}, {"engine/classic/read_", 5},
};
/* clang-format on */

struct library {
    const char *header; /* prefix of what stands between < and > */
    const char *allowed[ALLOWED_MAX];
};

/* clang-format off */
static const struct library libraries[] = {
    {"jansson",         {"engine/load/", "protocol/json", "protocol/client", "protocol/event.c", "protocol/time_control.c", "protocol/record.c",
                         "protocol/document", "server/cli/", "server/chess_mate/visit.c",
                         "server/chess_mate/body.c", "server/browser/"}},
    {"duktape",         {"engine/load/expression.c"}},
    {"libwebsockets",   {"server/net/", "server/cli/bot.c"}},
    {"nats",            {"server/bus/nats.c"}},
    {"uv.h",            {"server/net/", "server/store/worker.c", "server/bus/bus.c", "server/bus/nats.c", "server/cli/", "server/house/",
                         "server/chess_mate/chess_mate.c"}},
    {"sqlite3",         {"server/store/sqlite"}},
    {"libpq-fe",        {"server/store/postgres"}},
    {"libxml/",         {"server/pictures/svg.c"}},
    {"zlib.h",          {"server/pictures/png.c", "server/net/files.c"}},
    {"qrencode",        {"server/cli/qr.c"}},
    {"openssl/",        {"server/core/digest.c", "server/net/certificate.c", "server/net/secure.c"}},
    {"pthread",         {"server/store/worker.c", "server/bus/bus.c"}},
};
/* clang-format on */

static int fault_count;

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool any_prefix(const char *text, const char *const *prefixes)
{
    for (int i = 0; i < ALLOWED_MAX && prefixes[i] != NULL; i++)
        if (starts_with(text, prefixes[i]))
            return true;
    return false;
}

static const struct layer *find_layer(const char *file)
{
    const struct layer *best = NULL;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (starts_with(file, layers[i].files) &&
            (best == NULL || strlen(layers[i].files) > strlen(best->files)))
            best = &layers[i];
    return best;
}

static void report(const char *file, int line, const char *included, const char *why)
{
    fprintf(stderr, "%s:%d: may not include %s: %s\n", file, line, included, why);
    fault_count++;
}

static bool door_is_open(const char *file, const char *included)
{
    const struct door *best = NULL;
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++)
        if (starts_with(included, doors[i].header) &&
            (best == NULL || strlen(doors[i].header) > strlen(best->header)))
            best = &doors[i];
    return best == NULL || !starts_with(file, "engine/") || any_prefix(file, best->allowed);
}

static int level_of(const char *file)
{
    const struct level *best = NULL;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (starts_with(file, levels[i].files) &&
            (best == NULL || strlen(levels[i].files) > strlen(best->files)))
            best = &levels[i];
    return best == NULL ? INT_MAX : best->level;
}

static void check_own_header(const char *file, int line, const char *included)
{
    const struct layer *layer = find_layer(file);
    if (layer != NULL && strcmp(included, "engine/memory/memory.h") == 0)
        return;
    if (layer == NULL)
        report(file, line, included, "this folder is not in the table");
    else if (!any_prefix(included, layer->allowed) || !door_is_open(file, included))
        report(file, line, included, "another layer");
    else if (level_of(included) > level_of(file))
        report(file, line, included, "a layer above");
}

static void check_library(const char *file, int line, const char *included)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (starts_with(included, libraries[i].header) && !any_prefix(file, libraries[i].allowed))
            report(file, line, included, "this library is known elsewhere only");
}

/* What is done where there is no memory is decided in engine/memory/ alone. Duktape's fatal error is a bug of ours. */
static void check_abort(const char *file, int line, const char *text)
{
    if (strstr(text, "abort()") != NULL && !starts_with(file, "engine/memory/") &&
        strcmp(file, "engine/load/expression.c") != 0) {
        fprintf(stderr, "%s:%d: see engine/memory/memory.h for what ends the program\n", file,
                line);
        fault_count++;
    }
}

/* Who asks the C library for memory by himself: for what strangers' input sizes, or at a start; each of them has words for when there
 * is none, and tests/engine/loading.c and tests/end_to_end/memory.test.mjs let them fail. All else asks memory.h. */
/* clang-format off */
static const char *const own_memory[] = {
    "engine/memory/", "engine/arena.c", "engine/load/compile_memory.c", "engine/load/diagnostic.c", "engine/load/document.c",
    "engine/load/expression.c", "engine/load/merge.c", "server/browser/", "server/bus/", "server/cli/replay.c", "server/core/catalogue.c",
    "server/core/pictures.c", "server/net/dial.c", "server/net/secure.c", "server/pictures/", "server/store/",
};
/* clang-format on */

static bool asks_for_memory(const char *text)
{
    static const char *const calls[] = {"malloc(", "calloc(",  "realloc(",
                                        "strdup(", "strndup(", "open_memstream("};
    static const char of_a_name[] = "abcdefghijklmnopqrstuvwxyz_";
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (const char *at = text; (at = strstr(at, calls[i])) != NULL; at++)
            if (at == text || strchr(of_a_name, at[-1]) == NULL)
                return true;
    return false;
}

static void check_memory(const char *file, int line, const char *text)
{
    if (!asks_for_memory(text))
        return;
    for (size_t i = 0; i < sizeof own_memory / sizeof *own_memory; i++)
        if (starts_with(file, own_memory[i]))
            return;
    fprintf(stderr, "%s:%d: ask engine/memory/memory.h, or say what happens where there is none\n",
            file, line);
    fault_count++;
}

static void check_line(const char *file, int line, const char *text)
{
    char included[PATH_BYTES_MAX];
    check_abort(file, line, text);
    check_memory(file, line, text);
    while (*text == ' ')
        text++;
    if (!starts_with(text, "#include"))
        return;
    if (sscanf(text, "#include \"%511[^\"]\"", included) == 1)
        check_own_header(file, line, included);
    else if (sscanf(text, "#include <%511[^>]>", included) == 1)
        check_library(file, line, included);
}

static void check_file(const char *file)
{
    char *text = test_read_file(file, NULL);
    assert_non_null(text);
    int number = 0;
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        check_line(file, ++number, line);
    }
    free(text);
}

static bool is_c_file(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && name[length - 2] == '.' &&
           (name[length - 1] == 'c' || name[length - 1] == 'h');
}

static int walk_folder(const char *folder, void (*visit)(const char *file))
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[PATH_BYTES_MAX];
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode)) {
            count += walk_folder(path, visit);
        } else if (is_c_file(entry->d_name)) {
            visit(path);
            count++;
        }
    }
    closedir(directory);
    return count;
}

static void every_include_is_in_the_table(void **state)
{
    (void)state;
    fault_count = 0;
    int count = walk_folder("engine", check_file) + walk_folder("protocol", check_file) +
                walk_folder("server", check_file);
    assert_true(count > 10);
    assert_int_equal(fault_count, 0);
}

/* --- circles ---------------------------------------------------------------------------------- */

/* A unit is a header and the C file of the same name. Units that include each other around a circle can only be understood
 * together, so a circle has at most CIRCLE_MAX of them. */
enum { UNITS_MAX = 256, CIRCLE_MAX = 3 };

static struct {
    char names[UNITS_MAX][PATH_BYTES_MAX];
    bool reaches[UNITS_MAX][UNITS_MAX];
    int count;
} units;

static int unit_of(const char *path)
{
    char name[PATH_BYTES_MAX];
    snprintf(name, sizeof name, "%.*s", (int)(strlen(path) - 2), path);
    for (int i = 0; i < units.count; i++)
        if (strcmp(units.names[i], name) == 0)
            return i;
    assert_true(units.count < UNITS_MAX);
    strcpy(units.names[units.count], name);
    return units.count++;
}

static void note_includes(const char *file)
{
    char *text = test_read_file(file, NULL), included[PATH_BYTES_MAX];
    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, "#include \"engine/")) != NULL; at++)
        if (sscanf(at, "#include \"%511[^\"]\"", included) == 1)
            units.reaches[unit_of(file)][unit_of(included)] = true;
    free(text);
}

static void find_all_ways(void)
{
    for (int via = 0; via < units.count; via++)
        for (int from = 0; from < units.count; from++)
            for (int to = 0; units.reaches[from][via] && to < units.count; to++)
                units.reaches[from][to] |= units.reaches[via][to];
}

static int circle_size(int unit)
{
    int size = 1;
    for (int i = 0; i < units.count; i++)
        size += i != unit && units.reaches[unit][i] && units.reaches[i][unit];
    return size;
}

static void few_units_of_the_engine_include_each_other_in_a_circle(void **state)
{
    (void)state;
    units.count = 0;
    memset(units.reaches, 0, sizeof units.reaches);
    walk_folder("engine", note_includes);
    find_all_ways();
    int faults = 0;
    for (int i = 0; i < units.count; i++)
        if (circle_size(i) > CIRCLE_MAX) {
            fprintf(stderr, "%s is one of %d files that include each other in a circle\n",
                    units.names[i], circle_size(i));
            faults++;
        }
    assert_true(units.count > 50);
    assert_int_equal(faults, 0);
}

static void a_forbidden_include_is_found(void **state)
{
    (void)state;
    fault_count = 0;
    check_line("engine/game.c", 1, "#include \"server/core/core.h\"");
    check_line("server/core/room.c", 1, "#include <jansson.h>");
    check_line("engine/game.c", 1, "#include \"engine/load/expression.h\"");
    check_line("elsewhere/file.c", 1, "#include \"engine/game.h\"");
    check_line("server/core/room.c", 1, "        abort();");
    check_line("server/core/room.c", 1, "    char *text = strdup(name);");
    check_line("engine/rules/turn.c", 1, "#include \"engine/fast/fast.h\"");
    check_line("engine/rules/turn.c", 1, "#include \"engine/explain.h\"");
    check_line("engine/classic/actions.c", 1, "#include \"engine/rules/turn.h\"");
    check_line("engine/words.c", 1, "#include \"engine/classic/actions.h\"");
    assert_int_equal(fault_count, 10);
    fault_count = 0;
    check_line("server/core/room.c", 1, "#include \"engine/position.h\"");
    check_line("protocol/json", 1, "#include <jansson.h>");
    check_line("server/core/room.c", 1, "    text = memory_realloc(text, 5);");
    check_line("server/store/heads.c", 1, "    struct heads *heads = calloc(1, sizeof *heads);");
    check_line("engine/rules/condition.c", 1, "#include \"engine/fast/fast.h\"");
    assert_int_equal(fault_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_include_is_in_the_table),
        cmocka_unit_test(a_forbidden_include_is_found),
        cmocka_unit_test(few_units_of_the_engine_include_each_other_in_a_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
