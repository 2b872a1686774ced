/* Broken game files and what is said about them, word for word: tests/engine/broken/table.txt, and modern.txt and
 * notation.txt for format 2.
 *
 * Files that extend another one are in extends.txt. Called with `--print table` (or another of the four), writes that table out again as the loader answers now, for a
 * person to review. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/extends.h"
#include "engine/load/load.h"

enum { CASES_MAX = 1000, ANSWER_BYTES = 64 * 1024 };

/* A row of the table. The texts are pieces of the table's own text, cut with zeros. */
struct broken {
    char *name;
    char from[2048],
        to[4096]; /* lines joined with line feeds; `from` empty: `to` is the whole file */
    char expected[4096];
    const char *sound; /* the file that the row changes */
};

enum { FILES = 4 };
struct table {
    char *texts[FILES];
    const char *sound; /* of the rows that are read now */
    struct broken *rows;
    int count;
};

static void append_line(char *text, size_t size, const char *line)
{
    size_t used = strlen(text);
    assert_true(used + strlen(line) + 2 < size);
    snprintf(text + used, size - used, "%s%s", used == 0 ? "" : "\n", line);
}

/* `= name`, `- what the sound file says`, `+ what this one says`, `* the whole file`, and the
 * answer as it is. */
static void read_line(struct table *table, char *line)
{
    if (strncmp(line, "= ", 2) == 0) {
        assert_true(table->count < CASES_MAX);
        table->rows[table->count].sound = table->sound;
        table->rows[table->count++].name = line + 2;
        return;
    }
    if (line[0] == '#' || line[0] == '\0')
        return;
    assert_true(table->count > 0);
    struct broken *row = &table->rows[table->count - 1];
    if (strncmp(line, "- ", 2) == 0)
        append_line(row->from, sizeof row->from, line + 2);
    else if (strncmp(line, "+ ", 2) == 0 || strncmp(line, "* ", 2) == 0)
        append_line(row->to, sizeof row->to, line + 2);
    else
        append_line(row->expected, sizeof row->expected, line);
}

static const struct {
    const char *name, *table, *sound;
} files[FILES] = {
    {"table", "tests/engine/broken/table.txt", "tests/engine/broken/sound.json"},
    {"modern", "tests/engine/broken/modern.txt", "tests/engine/broken/modern.json"},
    {"notation", "tests/engine/broken/notation.txt", "tests/engine/broken/notation.json"},
    {"extends", "tests/engine/broken/extends.txt", "tests/engine/broken/extends.json"},
};

static void read_file(struct table *table, int file)
{
    char *line = test_read_file(files[file].table, NULL);
    assert_non_null(line);
    table->texts[file] = line;
    table->sound = files[file].sound;
    while (line != NULL) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        read_line(table, line);
        line = end;
    }
}

/* All of them, or those of one name. */
static struct table read_table(const char *only)
{
    struct table table = {.rows = calloc(CASES_MAX, sizeof *table.rows)};
    assert_non_null(table.rows);
    for (int i = 0; i < FILES; i++)
        if (only == NULL || strcmp(only, files[i].name) == 0)
            read_file(&table, i);
    return table;
}

/* The sound file with the row's change; in new memory, exactly as long as needed so that reading
 * beyond is seen. */
static char *broken_text(const struct broken *row, size_t *length)
{
    char *sound = test_read_file(row->sound, NULL);
    assert_non_null(sound);
    size_t to_length = strlen(row->to), from_length = strlen(row->from);
    if (from_length == 0)
        sound[0] = '\0';
    char *at = strstr(sound, row->from);
    if (at == NULL)
        fail_msg("the sound file does not say: %s", row->from);
    size_t before = (size_t)(at - sound), after = strlen(at) - from_length;
    *length = before + to_length + after;
    char *text = malloc(*length + 1);
    assert_non_null(text);
    memcpy(text, sound, before);
    memcpy(text + before, row->to, to_length);
    // NOLINTNEXTLINE(bugprone-not-null-terminated-result): the loader takes a length, no final zero
    memcpy(text + before + to_length, at + from_length, after);
    free(sound);
    char *exact = realloc(text, *length > 0 ? *length : 1);
    return exact != NULL ? exact : text;
}

static char *find_base(const void *context, const char *name, size_t *length)
{
    static const char *const folders[] = {"bases/", ""};
    char *text = NULL;
    (void)context;
    for (size_t i = 0; text == NULL && i < sizeof folders / sizeof *folders; i++) {
        char path[128];
        snprintf(path, sizeof path, "tests/engine/broken/%s%s.json", folders[i], name);
        text = test_read_file(path, length);
    }
    return text;
}

static struct game *load(const char *text, size_t length, struct diagnostics *diagnostics)
{
    const struct bases bases = {find_base, NULL};
    struct whole_text whole;
    struct game *game = NULL;
    if (whole_text_read(&whole, text, length, &bases, diagnostics))
        game = game_load(whole.text, whole.length, NULL, diagnostics);
    whole_text_locate(&whole, diagnostics);
    whole_text_release(&whole);
    return game;
}

static char *answer_to(const char *text, size_t length)
{
    char *answer = calloc(1, ANSWER_BYTES);
    assert_non_null(answer);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = load(text, length, &diagnostics);
    assert_int_equal(game == NULL, diagnostics.error_count > 0);
    game_release(game);
    size_t used = 0;
    for (int i = 0; i < diagnostics.count; i++) {
        const struct diagnostic *found = &diagnostics.list[i];
        used += (size_t)snprintf(answer + used, ANSWER_BYTES - used, "%s%d:%d %s %s: %s",
                                 i == 0 ? "" : "\n", found->line, found->column,
                                 found->severity == DIAGNOSTIC_ERROR ? "error" : "warning",
                                 found->pointer, found->message);
        if (found->hint[0] != '\0')
            used +=
                (size_t)snprintf(answer + used, ANSWER_BYTES - used, "\n    hint: %s", found->hint);
        assert_true(used < ANSWER_BYTES);
    }
    diagnostics_release(&diagnostics);
    return answer;
}

static void is_answered_as_expected(void **state)
{
    const struct broken *row = *state;
    size_t length;
    char *text = broken_text(row, &length);
    char *answer = answer_to(text, length);
    assert_string_equal(answer, row->expected);
    free(answer);
    free(text);
}

static void print_lines(const char *mark, const char *lines)
{
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        printf("%s%.*s\n", mark, (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

static void print_table(const struct table *table)
{
    for (int i = 0; i < table->count; i++) {
        const struct broken *row = &table->rows[i];
        size_t length;
        char *text = broken_text(row, &length);
        char *answer = answer_to(text, length);
        printf("= %s\n", row->name);
        print_lines("- ", row->from);
        print_lines(row->from[0] == '\0' ? "* " : "+ ", row->to);
        print_lines("", answer);
        printf("\n");
        free(answer);
        free(text);
    }
}

int main(int argc, char **argv)
{
    bool print = argc == 3 && strcmp(argv[1], "--print") == 0;
    struct table table = read_table(print ? argv[2] : NULL);
    int failed = 0;
    if (print) {
        print_table(&table);
    } else {
        struct CMUnitTest tests[CASES_MAX];
        for (int i = 0; i < table.count; i++)
            tests[i] = (struct CMUnitTest){.name = table.rows[i].name,
                                           .test_func = is_answered_as_expected,
                                           .initial_state = &table.rows[i]};
        failed = _cmocka_run_group_tests("broken games", tests, (size_t)table.count, NULL, NULL);
    }
    free(table.rows);
    for (int i = 0; i < FILES; i++)
        free(table.texts[i]);
    return failed;
}
