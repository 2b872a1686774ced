/* Published games on both databases: versions without a gap, whose a name is, what is listed, and that nothing published is
 * ever removed but by whoever looks after the store. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { RACERS = 4, RACES = 40 };

static const int64_t long_ago = 1700000000000;

static struct store_request publication_of(const char *name, const char *publisher,
                                           const char *text)
{
    return (struct store_request){.ask = STORE_PUBLISH,
                                  .publication = {.name = name,
                                                  .definition_hash = text,
                                                  .title = text,
                                                  .players = "[\"a\"]",
                                                  .ancestor = "",
                                                  .publisher = publisher,
                                                  .at_ms = long_ago},
                                  .definition = text};
}

/* The version it has then; 0 where there is none. */
static int64_t publish(struct store_bed *bed, const struct store_request *request,
                       enum store_status expected)
{
    struct store_answer answer = store_perform(bed, request);
    assert_int_equal(answer.status, expected);
    int64_t version = answer.publication_count > 0 ? answer.publications[0].version : 0;
    store_answer_release(&answer);
    return version;
}

static int64_t publish_text(struct store_bed *bed, const char *name, const char *publisher,
                            const char *text, enum store_status expected)
{
    const struct store_request request = publication_of(name, publisher, text);
    return publish(bed, &request, expected);
}

static struct store_answer read_published(struct store_bed *bed, const char *name, int64_t version)
{
    const struct store_request request = {.ask = STORE_PUBLISHED,
                                          .publication = {.name = name, .version = version}};
    return store_perform(bed, &request);
}

static void expect_text(struct store_bed *bed, const char *name, int64_t version, const char *text)
{
    struct store_answer answer = read_published(bed, name, version);
    assert_int_equal(answer.status, STORE_OK);
    assert_string_equal(answer.definition, text);
    assert_string_equal(answer.publications[0].definition_hash, text);
    if (version > 0)
        assert_int_equal(answer.publications[0].version, version);
    store_answer_release(&answer);
}

static void versions_have_no_gap_and_never_change(struct store_bed *bed)
{
    assert_int_equal(publish_text(bed, "fox", "ada", "one", STORE_OK), 1);
    assert_int_equal(publish_text(bed, "fox", "ada", "one", STORE_DUPLICATE), 1);
    assert_int_equal(publish_text(bed, "fox", "ada", "two", STORE_OK), 2);
    assert_int_equal(publish_text(bed, "fox", "ada", "one", STORE_OK), 3);
    assert_int_equal(publish_text(bed, "hen", "bob", "one", STORE_OK), 1);
    store_bed_reopen(bed);
    expect_text(bed, "fox", 1, "one");
    expect_text(bed, "fox", 2, "two");
    expect_text(bed, "fox", 3, "one");
    expect_text(bed, "fox", 0, "one");
    struct store_answer answer = read_published(bed, "fox", 2);
    assert_int_equal(answer.publications[0].versions, 3);
    store_answer_release(&answer);
    answer = read_published(bed, "fox", 4);
    assert_int_equal(answer.status, STORE_NOT_FOUND);
    store_answer_release(&answer);
}

static enum store_status list_game(struct store_bed *bed, const char *name, const char *publisher,
                                   enum store_wish listing, enum store_wish hiding)
{
    const struct store_request request = {.ask = STORE_LIST,
                                          .publication = {.name = name, .publisher = publisher},
                                          .listing = listing,
                                          .hiding = hiding};
    return store_do(bed, &request);
}

static void a_name_is_its_first_publishers(struct store_bed *bed)
{
    publish_text(bed, "fox", "ada", "one", STORE_OK);
    publish_text(bed, "fox", "bob", "one", STORE_CONFLICT);
    publish_text(bed, "fox", "bob", "two", STORE_CONFLICT);
    assert_int_equal(list_game(bed, "fox", "bob", STORE_YES, STORE_AS_IT_IS), STORE_CONFLICT);
    assert_int_equal(list_game(bed, "fox", "ada", STORE_YES, STORE_AS_IT_IS), STORE_OK);
    assert_int_equal(list_game(bed, "hen", "ada", STORE_YES, STORE_AS_IT_IS), STORE_NOT_FOUND);
    expect_text(bed, "fox", 0, "one");
}

/* "b a " of the names in the list, in its order. */
static void expect_list(struct store_bed *bed, int64_t before_ms, const char *before,
                        const char *names)
{
    char found[STORE_PUBLICATIONS_MAX * 8] = "";
    const struct store_request request = {.ask = STORE_PUBLICATIONS,
                                          .publication = {.name = before, .at_ms = before_ms}};
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    for (int i = 0; i < answer.publication_count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s ",
                 answer.publications[i].name);
    assert_string_equal(found, names);
    store_answer_release(&answer);
}

static void the_list_has_what_is_listed_newest_first(struct store_bed *bed)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        struct store_request request = publication_of(names[i], "ada", "one");
        request.publication.at_ms = long_ago + i / 2;
        request.listing = i == 3 ? STORE_AS_IT_IS : STORE_YES;
        publish(bed, &request, STORE_OK);
    }
    expect_list(bed, INT64_MAX, "", "c b a ");
    expect_list(bed, long_ago + 1, "c", "b a ");
    expect_list(bed, long_ago, "b", "a ");
    expect_list(bed, long_ago, "a", "");
    assert_int_equal(list_game(bed, "c", NULL, STORE_AS_IT_IS, STORE_YES), STORE_OK);
    expect_list(bed, INT64_MAX, "", "b a ");
    struct store_answer answer = read_published(bed, "c", 1);
    assert_true(answer.publications[0].hidden && answer.publications[0].listed);
    store_answer_release(&answer);
    assert_int_equal(list_game(bed, "c", NULL, STORE_AS_IT_IS, STORE_NO), STORE_OK);
    struct store_request newer = publication_of("a", "ada", "two");
    newer.publication.at_ms = long_ago + 9;
    publish(bed, &newer, STORE_OK); /* still listed */
    expect_list(bed, INT64_MAX, "", "a c b ");
    newer.listing = STORE_NO;
    publish(bed, &newer, STORE_DUPLICATE);
    expect_list(bed, INT64_MAX, "", "c b ");
}

static void the_list_is_bounded(struct store_bed *bed)
{
    int seen = 0;
    char before[16] = "";
    for (int i = 0; i < STORE_PUBLICATIONS_MAX + 7; i++) {
        char name[16];
        snprintf(name, sizeof name, "game-%03d", i);
        struct store_request request = publication_of(name, "ada", "one");
        request.listing = STORE_YES;
        publish(bed, &request, STORE_OK);
    }
    for (int page = 0; page < 2; page++) {
        const struct store_request request = {
            .ask = STORE_PUBLICATIONS,
            .publication = {.name = before, .at_ms = page ? long_ago : INT64_MAX}};
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.publication_count, page ? 7 : STORE_PUBLICATIONS_MAX);
        seen += answer.publication_count;
        snprintf(before, sizeof before, "%s",
                 answer.publications[answer.publication_count - 1].name);
        store_answer_release(&answer);
    }
    assert_int_equal(seen, STORE_PUBLICATIONS_MAX + 7);
    assert_string_equal(before, "game-000");
}

static void an_ancestor_is_there(struct store_bed *bed)
{
    struct store_request request = publication_of("hen", "bob", "one");
    request.publication.ancestor = "fox";
    request.publication.ancestor_version = 2;
    publish(bed, &request, STORE_NOT_FOUND);
    publish_text(bed, "fox", "ada", "one", STORE_OK);
    publish(bed, &request, STORE_NOT_FOUND);
    publish_text(bed, "fox", "ada", "two", STORE_OK);
    publish(bed, &request, STORE_OK);
    struct store_answer answer = read_published(bed, "hen", 1);
    assert_string_equal(answer.publications[0].ancestor, "fox");
    assert_int_equal(answer.publications[0].ancestor_version, 2);
    store_answer_release(&answer);
}

static enum store_status remove_room(struct store_bed *bed, const char *room)
{
    const struct store_request request = {.ask = STORE_REMOVE, .room = room, .from = 1};
    return store_do(bed, &request);
}

static void make_room(struct store_bed *bed, const char *room, const char *text)
{
    struct store_request request = store_creation(room, "p_one", room);
    request.writes[0].room.definition_hash = text;
    request.writes[0].definition = text;
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void a_published_definition_stays_when_its_last_room_goes(struct store_bed *bed)
{
    make_room(bed, "room1", "one");
    make_room(bed, "room2", "two");
    publish_text(bed, "fox", "ada", "one", STORE_OK);
    assert_int_equal(remove_room(bed, "room1"), STORE_OK);
    assert_int_equal(remove_room(bed, "room2"), STORE_OK);
    expect_text(bed, "fox", 1, "one");
    make_room(bed, "room3", "one"); /* and both may go on with it */
    expect_text(bed, "fox", 0, "one");
}

static enum store_status unpublish(struct store_bed *bed, const char *name)
{
    const struct store_request request = {.ask = STORE_UNPUBLISH, .publication = {.name = name}};
    return store_do(bed, &request);
}

static void expect_nothing(struct store_bed *bed, const char *name, int64_t version)
{
    struct store_answer answer = read_published(bed, name, version);
    assert_int_equal(answer.status, STORE_NOT_FOUND);
    store_answer_release(&answer);
}

/* The definition `one` is another game's as well, and `two` a room's; `three` is nobody's any more. */
static void what_is_removed_is_gone_and_its_name_stays_taken(struct store_bed *bed)
{
    static const char *const texts[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++)
        publish_text(bed, "fox", "ada", texts[i], STORE_OK);
    publish_text(bed, "hen", "bob", "one", STORE_OK);
    make_room(bed, "room1", "two");
    assert_int_equal(list_game(bed, "fox", "ada", STORE_YES, STORE_AS_IT_IS), STORE_OK);
    assert_int_equal(unpublish(bed, "owl"), STORE_NOT_FOUND);
    assert_int_equal(unpublish(bed, "fox"), STORE_OK);
    assert_int_equal(unpublish(bed, "fox"), STORE_NOT_FOUND);
    store_bed_reopen(bed);
    for (int version = 0; version <= 4; version++)
        expect_nothing(bed, "fox", version);
    publish_text(bed, "fox", "ada", "three", STORE_CONFLICT);
    publish_text(bed, "fox", "bob", "four", STORE_CONFLICT);
    assert_int_equal(list_game(bed, "fox", NULL, STORE_YES, STORE_NO), STORE_NOT_FOUND);
    expect_list(bed, INT64_MAX, "", "");
    expect_text(bed, "hen", 1, "one");
    struct store_request next = store_continuation("room1", 1, "p_one", "c-1", "{}");
    assert_int_equal(store_do(bed, &next), STORE_OK);
    publish_text(bed, "owl", "ada", "three", STORE_OK);
    expect_text(bed, "owl", 1, "three");
}

static void whoever_asks_beside_a_server_is_understood(struct store_bed *bed)
{
    char words[160];
    publish_text(bed, "fox", "ada", "one", STORE_OK);
    make_room(bed, "room1", "one");
    struct store_answer answer;
    const struct store_request hide = {
        .ask = STORE_LIST, .publication = {.name = "fox"}, .hiding = STORE_YES};
    assert_true(store_ask_beside(bed->url, &hide, &answer, words, sizeof words));
    assert_int_equal(answer.status, STORE_OK);
    store_answer_release(&answer);
    answer = read_published(bed, "fox", 1);
    assert_true(answer.publications[0].hidden);
    store_answer_release(&answer);
    struct store_request next = store_continuation("room1", 1, "p_one", "c-1", "{}");
    assert_int_equal(store_do(bed, &next), STORE_OK);
    assert_int_equal(store_version(bed, "room1"), 2);
    const struct store_request list = {
        .ask = STORE_PUBLICATIONS, .from = 1, .publication = {.name = ""}};
    assert_true(store_ask_beside(bed->url, &list, &answer, words, sizeof words));
    assert_int_equal(answer.publication_count, 1);
    store_answer_release(&answer);
    assert_false(
        store_ask_beside("sqlite:///nowhere/at/all.db", &list, &answer, words, sizeof words));
    assert_non_null(strstr(words, "/nowhere/at/all.db"));
}

struct racer {
    const struct store_bed *bed;
    struct store_driver *driver;
    const char *publisher;
    char name[16], text[32];
    struct store_answer answer;
};

static void *race(void *context)
{
    struct racer *racer = context;
    const struct store_request request = publication_of(racer->name, racer->publisher, racer->text);
    racer->bed->table->perform(racer->driver, &request, 1, &racer->answer);
    return NULL;
}

/* Each has a version of its own, and together they have them all; a stranger has none. */
static void expect_fair(struct racer *racers)
{
    bool taken[RACERS + 1] = {false};
    int done = 0, highest = 0;
    for (int i = 0; i < RACERS; i++) {
        const struct store_answer *answer = &racers[i].answer;
        assert_true(answer->status == STORE_OK || answer->status == STORE_CONFLICT);
        if (answer->status == STORE_OK) {
            int64_t version = answer->publications[0].version;
            assert_in_range(version, 1, RACERS);
            assert_false(taken[version]);
            taken[version] = true;
            highest = version > highest ? (int)version : highest;
            done++;
        }
        store_answer_release(&racers[i].answer);
    }
    assert_true(done > 0);
    assert_int_equal(done, highest);
}

static void servers_that_race_for_a_name_get_one_version_each(struct store_bed *bed)
{
    struct racer racers[RACERS];
    pthread_t threads[RACERS];
    if (!bed->table->shared)
        return;
    for (int i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){.bed = bed, .publisher = i < 3 ? "ada" : "bob"};
        racers[i].driver = bed->table->open(bed->url, bed->words, sizeof bed->words);
        assert_non_null(racers[i].driver);
    }
    for (int round = 0; round < RACES; round++) {
        for (int i = 0; i < RACERS; i++) {
            snprintf(racers[i].name, sizeof racers[i].name, "game-%d", round);
            snprintf(racers[i].text, sizeof racers[i].text, "text-%d-%d", round, i);
            assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
        }
        for (int i = 0; i < RACERS; i++)
            pthread_join(threads[i], NULL);
        expect_fair(racers);
    }
    for (int i = 0; i < RACERS; i++)
        bed->table->close(racers[i].driver);
}

#define CASE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

int main(void)
{
    static const struct store_case cases[] = {
        CASE(versions_have_no_gap_and_never_change),
        CASE(a_name_is_its_first_publishers),
        CASE(the_list_has_what_is_listed_newest_first),
        CASE(the_list_is_bounded),
        CASE(an_ancestor_is_there),
        CASE(a_published_definition_stays_when_its_last_room_goes),
        CASE(what_is_removed_is_gone_and_its_name_stays_taken),
        CASE(whoever_asks_beside_a_server_is_understood),
        CASE(servers_that_race_for_a_name_get_one_version_each),
    };
    return store_run_cases("published games", cases, sizeof cases / sizeof *cases);
}
