#include "tests/support/test.h"

#include "tests/engine/talk.h"

#include "server/cli/engine.h"
#include "tests/engine/games.h"

#include <stdio.h>
#include <string.h>

char *talk(const char *path, const char *lines, size_t length)
{
    struct game *game = games_load_file(path, NULL);
    char *answers = NULL;
    size_t room = 0;
    FILE *in = tmpfile(), *out = open_memstream(&answers, &room);
    assert_non_null(in);
    assert_non_null(out);
    assert_int_equal(fwrite(lines, 1, length, in), length);
    rewind(in);
    assert_true(engine_serve(game, in, out));
    fclose(in);
    fclose(out);
    game_release(game);
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
