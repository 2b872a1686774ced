/* Settings: a table of command lines and environments, and what becomes of them. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "server/config.h"

enum { ARGUMENTS_MAX = 6 };

static enum config_answer answer;
static char words[512];

/* Both lists are ended by NULL. */
static struct config read_config(char *const *arguments, char *const *environment)
{
    struct config config;
    int count = 0;
    memset(&config, 0, sizeof config);
    memset(words, 0, sizeof words);
    while (arguments[count] != NULL)
        count++;
    answer = config_read(&config, count, arguments, environment, words, sizeof words);
    return config;
}

static void without_settings_everything_has_its_default(void **state)
{
    char *none[] = {NULL}, *environment[] = {"HOME=/home/ada", "PATH=/bin", NULL};
    struct config config = read_config(none, environment);
    (void)state;
    assert_int_equal(answer, CONFIG_OK);
    assert_string_equal(config.listen, "127.0.0.1:8080");
    assert_string_equal(config.store, "");
    assert_string_equal(config.origins, "");
    assert_string_equal(config.log_level, "info");
    assert_string_equal(config.chess_mate, "");
    assert_int_equal(config.address_connections, 1000);
    assert_int_equal(config.heartbeat_ms, 15000);
    assert_false(config.trust_forwarded);
}

static void flags_take_their_value_behind_a_space_or_an_equals_sign(void **state)
{
    char *arguments[] = {"--listen", "[::1]:0", "--room-idle-ms=500", "--trust-forwarded", NULL};
    char *environment[] = {NULL};
    struct config config = read_config(arguments, environment);
    (void)state;
    assert_int_equal(answer, CONFIG_OK);
    assert_string_equal(config.listen, "[::1]:0");
    assert_int_equal(config.room_idle_ms, 500);
    assert_true(config.trust_forwarded);
    assert_false(config.limit_loopback);
}

static void variables_count_and_flags_beat_them(void **state)
{
    char *arguments[] = {"--listen", "0.0.0.0:80", NULL};
    char *environment[] = {"SENET_LISTEN=127.0.0.1:9", "SENET_ROOM_IDLE_MS=77",
                           "SENET_LIMIT_LOOPBACK=yes", "SENET_STORE=sqlite:///a=b.db", NULL};
    struct config config = read_config(arguments, environment);
    (void)state;
    assert_int_equal(answer, CONFIG_OK);
    assert_string_equal(config.listen, "0.0.0.0:80");
    assert_int_equal(config.room_idle_ms, 77);
    assert_true(config.limit_loopback);
    assert_string_equal(config.store, "sqlite:///a=b.db");
}

static void a_switch_can_be_turned_off_again(void **state)
{
    char *arguments[] = {"--trust-forwarded=no", NULL};
    char *environment[] = {"SENET_TRUST_FORWARDED=1", NULL};
    (void)state;
    assert_false(read_config(arguments, environment).trust_forwarded);
    assert_int_equal(answer, CONFIG_OK);
}

static void variables_of_the_tests_are_nobodys_setting(void **state)
{
    char *none[] = {NULL};
    char *environment[] = {"SENET_SHARED=/data", "SENET_PROGRAM=/bin/senet",
                           "SENET_SANITIZE=address", NULL};
    (void)state;
    read_config(none, environment);
    assert_int_equal(answer, CONFIG_OK);
}

static void help_is_asked_for_wherever_it_stands(void **state)
{
    char *arguments[] = {"--nonsense", "--help", NULL}, *environment[] = {"SENET_NONSENSE=1", NULL};
    (void)state;
    read_config(arguments, environment);
    assert_int_equal(answer, CONFIG_HELP);
}

struct mistake {
    const char *name;
    char *arguments[ARGUMENTS_MAX], *environment[2];
    const char *said; /* is part of the words */
};

/* clang-format off */
static const struct mistake mistakes[] = {
    {"a misspelt flag",          {"--lisen", "x"},               {NULL}, "there is no flag --lisen; did you mean --listen?"},
    {"a flag of nowhere",        {"--quux", "x"},                {NULL}, "there is no flag --quux"},
    {"a stray argument",         {"8080"},                       {NULL}, "there is no argument 8080"},
    {"one dash",                 {"-listen"},                    {NULL}, "there is no argument -listen"},
    {"a value that is missing",  {"--store"},                    {NULL}, "--store wants a value: URL"},
    {"letters for a number",     {"--rooms", "many"},            {NULL}, "--rooms: \"many\" is not a number from 1 to 10000000"},
    {"a number and a bit",       {"--rooms", "5x"},              {NULL}, "\"5x\" is not a number"},
    {"a negative number",        {"--rooms", "-1"},              {NULL}, "\"-1\" is not a number"},
    {"too little",               {"--heartbeat-ms", "1"},        {NULL}, "from 50 to 3600000"},
    {"too much",                 {"--connections=9999999999999999999999"}, {NULL}, "is not a number from 1 to 1000000"},
    {"no number at all",         {"--connections="},             {NULL}, "\"\" is not a number"},
    {"a level that is none",     {"--log-level", "loud"},        {NULL}, "is not one of info|warning|error"},
    {"a part of a level",        {"--log-level", "in"},          {NULL}, "is not one of info|warning|error"},
    {"a path without a slash",   {"--chess-mate", "chess"},      {NULL}, "--chess-mate: \"chess\" does not begin with a slash"},
    {"maybe",                    {"--trust-forwarded=maybe"},    {NULL}, "is not one of yes|no"},
    {"a misspelt variable",      {NULL}, {"SENET_LISTENS=x"},            "there is no variable SENET_LISTENS; did you mean SENET_LISTEN?"},
    {"a variable of nowhere",    {NULL}, {"SENET_XYZZY_PLUGH=x"},        "there is no variable SENET_XYZZY_PLUGH"},
    {"a variable's wrong value", {NULL}, {"SENET_ROOMS=0"},              "SENET_ROOMS: \"0\" is not a number"},
};
/* clang-format on */

static void every_mistake_is_said_in_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        read_config(mistakes[i].arguments, mistakes[i].environment);
        if (answer != CONFIG_ERROR || strstr(words, mistakes[i].said) == NULL)
            fail_msg("%s: answered %d, \"%s\"", mistakes[i].name, (int)answer, words);
    }
}

static void nothing_alike_means_no_suggestion(void **state)
{
    char *arguments[] = {"--quux", "x", NULL}, *environment[] = {NULL};
    (void)state;
    read_config(arguments, environment);
    assert_null(strstr(words, "did you mean"));
}

static void the_list_of_settings_names_flag_variable_and_default(void **state)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    (void)state;
    config_print_settings(out);
    fclose(out);
    assert_non_null(strstr(text, "--listen ADDRESS:PORT"));
    assert_non_null(strstr(text, "SENET_ADDRESS_CONNECTIONS"));
    assert_non_null(strstr(text, "(default: 127.0.0.1:8080)"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_settings_everything_has_its_default),
        cmocka_unit_test(flags_take_their_value_behind_a_space_or_an_equals_sign),
        cmocka_unit_test(variables_count_and_flags_beat_them),
        cmocka_unit_test(a_switch_can_be_turned_off_again),
        cmocka_unit_test(variables_of_the_tests_are_nobodys_setting),
        cmocka_unit_test(help_is_asked_for_wherever_it_stands),
        cmocka_unit_test(every_mistake_is_said_in_words),
        cmocka_unit_test(nothing_alike_means_no_suggestion),
        cmocka_unit_test(the_list_of_settings_names_flag_variable_and_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
