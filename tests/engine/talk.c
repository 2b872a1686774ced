#include "tests/support/test.h"

#include "tests/engine/talk.h"
#include "tests/support/games.h"

#include "server/cli/engine.h"
#include "server/cli/engine_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *talk(const char *path, const char *lines, size_t length)
{
    struct engine *engine = engine_new();
    struct diagnostics diagnostics;
    size_t game_length = 0;
    char *game = test_read_file(path, &game_length);
    assert_non_null(game);
    diagnostics_init(&diagnostics);
    const struct bases bases = test_bases_beside(path);
    const struct game_text text = {game, game_length, &bases};
    assert_true(engine_open(engine, &text, NULL, &diagnostics));
    diagnostics_release(&diagnostics);
    free(game);
    char *answers = NULL;
    size_t room = 0;
    FILE *in = tmpfile(), *out = open_memstream(&answers, &room);
    assert_non_null(in);
    assert_non_null(out);
    assert_int_equal(fwrite(lines, 1, length, in), length);
    rewind(in);
    assert_true(engine_serve(engine, in, out));
    fclose(in);
    fclose(out);
    engine_free(engine);
    return answers;
}

json_t *talk_answer(const char *answers, int n)
{
    for (; n > 0; n--) {
        answers = strchr(answers, '\n');
        assert_non_null(answers);
        answers++;
    }
    const char *end = strchr(answers, '\n');
    assert_non_null(end);
    json_t *value = json_loadb(answers, (size_t)(end - answers), 0, NULL);
    assert_non_null(value);
    return value;
}

const char *talk_text(json_t *answer, const char *first, const char *second)
{
    return json_string_value(json_object_get(json_object_get(answer, first), second));
}

void talk_assert_refused(const char *answers, int n, const char *code)
{
    json_t *value = talk_answer(answers, n);
    const char *got = talk_text(value, "error", "code");
    assert_non_null(got);
    assert_string_equal(got, code);
    assert_true(strlen(talk_text(value, "error", "message")) > 0);
    json_decref(value);
}
