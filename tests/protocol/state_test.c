/* The document, the patch and the hash, each held against a second opinion: a merge written here on
 * the JSON library, and a hash computed from the document's text by the README's definition. */
#include "tests/support/test.h"

#include "protocol/state.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 24, SEATS = 3, STEPS = 4000, CHANGES_MAX = 5 };

static const char *const cell_names[CELLS] = {
    "a1", "a2", "0_0", "-1_3", "c\"5", "d\\6", "\xc3\xa9", "8",  "9",  "10", "11", "12",
    "13", "14", "15",  "16",   "17",   "18",   "19",       "20", "21", "22", "23", "24"};
static const char *const seat_names[SEATS] = {"white", "black", "red \"three\""};
static const char *const figures[] = {"pawn", "king", "queen", "r\"ook", "\xe6\xad\xa9"};
static const char *const words[] = {"white_move", "black_move", "white", "black", "e2", "a\nb"};
static const char *const names[] = {"", "Ada", "O'\"Neil\\", "\xf0\x9f\x98\x80", "a\tb\x01"};

/* ---- random states ---- */

static int below(uint64_t *random, int bound)
{
    return (int)(test_random(random) % (uint64_t)bound);
}

/* One time in three nothing; otherwise a word, sometimes the same word at another address. */
static const char *any_word(uint64_t *random)
{
    static char copies[6][16];
    int index = below(random, 6);
    if (below(random, 3) == 0)
        return NULL;
    if (below(random, 2) == 0)
        return words[index];
    strcpy(copies[index], words[index]);
    return copies[index];
}

static const char *some_word(uint64_t *random)
{
    return words[below(random, 6)];
}

static void change_cell(struct state_cell *cell, uint64_t *random)
{
    if (below(random, 3) == 0) {
        cell->figure = NULL; /* the rest stays what it was: it means nothing now */
        return;
    }
    cell->figure = figures[below(random, 5)];
    cell->player = seat_names[below(random, SEATS)];
    cell->moves_made = (uint32_t)below(random, 3);
    cell->last_move = below(random, 9) == 0 ? UINT32_MAX : (uint32_t)below(random, 100);
}

static void change_seat(struct state_seat *seat, uint64_t *random)
{
    static const char *const players[] = {NULL, "p_0123456789abcdef", "p_fedcba9876543210"};
    seat->player = players[below(random, 3)];
    seat->name = names[below(random, 5)];
    seat->as = (enum player_kind)below(random, 2);
    seat->has_clock = true; /* a game has clocks or has none */
    seat->left_ms = (uint32_t)below(random, 3) * 1000;
    seat->periods = (uint32_t)below(random, 3);
}

static void change_member(struct state *state, uint64_t *random)
{
    switch (below(random, 16)) {
    case 0:
        state->state = some_word(random);
        break;
    case 1:
        state->to_move = any_word(random);
        break;
    case 2:
        state->move_number++;
        break;
    case 3:
        state->ply = (uint32_t)below(random, 2000);
        break;
    case 4:
        state->last_from = any_word(random);
        state->last_to = some_word(random);
        state->last_choice = any_word(random);
        break;
    case 5:
        state->draw_offer = any_word(random);
        break;
    case 6:
        state->rematch_offer = any_word(random);
        state->takeback_offer = any_word(random);
        break;
    case 7:
        state->next_room = any_word(random);
        break;
    case 8:
        state->has_result = below(random, 3) != 0;
        state->result = (struct state_end){any_word(random), some_word(random), false, NULL};
        state->result.aborted = !state->result.winner && below(random, 2) == 0;
        if (!state->result.winner && !state->result.aborted)
            state->result.loser = any_word(random);
        break;
    case 9:
        state->has_claim = below(random, 3) != 0;
        state->claim = (struct state_end){any_word(random), some_word(random), false, NULL};
        if (!state->claim.winner)
            state->claim.loser = any_word(random);
        break;
    case 10:
        state->last_pass = below(random, 2) == 0;
        state->last_swap = !state->last_pass && below(random, 2) == 0;
        break;
    case 11:
        state->active = any_word(random);
        break;
    case 12:
        state->taken = &cell_names[below(random, CELLS - 4)];
        state->taken_count = below(random, 4);
        break;
    case 13:
        state->rank_count = below(random, STATE_SEATS_MAX + 1);
        for (int i = 0; i < state->rank_count; i++)
            state->ranks[i] = some_word(random);
        break;
    case 14:
        state->out_count = below(random, STATE_SEATS_MAX + 1);
        for (int i = 0; i < state->out_count; i++)
            state->out[i] = some_word(random);
        break;
    default:
        state->status = (enum state_status)below(random, 3);
        break;
    }
}

static void change(struct state *state, uint64_t *random)
{
    for (int count = below(random, CHANGES_MAX); count > 0; count--) {
        if (below(random, 2) == 0)
            change_cell(&state->cells[below(random, CELLS)], random);
        else if (below(random, 4) == 0)
            change_seat(&state->seats[below(random, SEATS)], random);
        else
            change_member(state, random);
    }
}

static struct state empty_state(struct state_cell *cells)
{
    memset(cells, 0, CELLS * sizeof *cells);
    return (struct state){.cell_count = CELLS,
                          .seat_count = SEATS,
                          .cell_names = cell_names,
                          .seat_names = seat_names,
                          .cells = cells,
                          .state = "start",
                          .move_number = 1};
}

/* ---- the second opinions ---- */

/* RFC 7396, section 2, word for word: returns a new value. */
static json_t *merge_patch(json_t *target, json_t *patch)
{
    if (!json_is_object(patch))
        return json_deep_copy(patch);
    json_t *merged = json_is_object(target) ? json_deep_copy(target) : json_object();
    const char *name;
    json_t *value;
    json_object_foreach(patch, name, value)
    {
        if (json_is_null(value))
            json_object_del(merged, name);
        else
            json_object_set_new(merged, name, merge_patch(json_object_get(merged, name), value));
    }
    return merged;
}

/* The library escapes control characters in capitals; JavaScript, and so the hash, does not. */
static void lower_escapes(char *text)
{
    for (char *at = strchr(text, '\\'); at != NULL; at = strchr(at, '\\')) {
        if (at[1] == 'u')
            for (int i = 2; i < 6; i++)
                at[i] = (char)(at[i] >= 'A' && at[i] <= 'F' ? at[i] - 'A' + 'a' : at[i]);
        at += 2;
    }
}

static uint32_t line_hash(const char *group, const char *name, const json_t *value)
{
    char *json = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    assert_non_null(json);
    lower_escapes(json);
    size_t room = strlen(group) + strlen(name) + strlen(json) + 2;
    char *line = malloc(room);
    assert_non_null(line);
    snprintf(line, room, "%s%s=%s", group, name, json);
    uint32_t hash = 2166136261u;
    for (const char *at = line; *at != '\0'; at++) {
        hash ^= (uint8_t)*at;
        hash *= 16777619u;
    }
    free(line);
    free(json);
    return hash;
}

static uint32_t document_hash(json_t *document)
{
    uint32_t hash = 0;
    const char *name, *part;
    json_t *value, *part_value;
    json_object_foreach(document, name, value)
    {
        if (strcmp(name, "cells") != 0 && strcmp(name, "seats") != 0) {
            hash += line_hash("", name, value);
            continue;
        }
        json_object_foreach(value, part, part_value)
        {
            hash += line_hash(strcmp(name, "cells") == 0 ? "cells." : "seats.", part, part_value);
        }
    }
    return hash;
}

static json_t *document_of(const struct state *state)
{
    struct writer writer;
    writer_init(&writer);
    state_write(state, &writer);
    json_t *document = json_loadb(writer.data, writer.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    writer_release(&writer);
    return document;
}

static json_t *patch_of(const struct state *before, const struct state *after)
{
    struct writer writer;
    writer_init(&writer);
    state_write_patch(before, after, &writer);
    json_t *patch = json_loadb(writer.data, writer.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(patch);
    writer_release(&writer);
    return patch;
}

/* ---- the tests ---- */

static void on_random_states_patch_and_hash_agree_with_the_document(void **state)
{
    (void)state;
    struct state_cell cells[2][CELLS];
    uint64_t random = 42;
    struct state before = empty_state(cells[0]), after = empty_state(cells[1]);
    json_t *document = document_of(&before);
    uint32_t hash = state_hash(&before);
    int unchanged = 0;
    for (int step = 0; step < STEPS; step++) {
        change(&after, &random);
        json_t *patch = patch_of(&before, &after);
        json_t *merged = merge_patch(document, patch);
        json_t *expected = document_of(&after);
        assert_true(json_equal(merged, expected));
        if (json_equal(document, expected)) {
            assert_int_equal(json_object_size(patch), 0);
            unchanged++;
        }
        hash = state_hash_patched(hash, &before, &after);
        assert_int_equal(hash, document_hash(expected));
        assert_int_equal(state_hash(&after), hash);
        memcpy(cells[0], cells[1], sizeof cells[0]);
        before = after;
        before.cells = cells[0];
        json_decref(document);
        json_decref(patch);
        json_decref(merged);
        document = expected;
    }
    json_decref(document);
    assert_in_range(unchanged, 1, STEPS / 2);
}

/* A patch says nothing that was so already: as many members as differ, no more. */
static void a_patch_says_only_what_changed(void **state)
{
    (void)state;
    struct state_cell cells[2][CELLS];
    struct state before = empty_state(cells[0]), after = empty_state(cells[1]);
    cells[0][0] = (struct state_cell){"pawn", "white", 0, 0};
    cells[0][2] = cells[1][2] = (struct state_cell){"king", "black", 7, 9};
    cells[1][1] = (struct state_cell){"pawn", "white", 1, 1};
    before.state = "white_move", before.to_move = "white", before.status = STATUS_PLAYING;
    after = before;
    after.cells = cells[1];
    after.state = "black_move", after.to_move = "black", after.ply = 1;
    after.last_from = "a1", after.last_to = "a2";
    struct writer writer;
    writer_init(&writer);
    state_write_patch(&before, &after, &writer);
    assert_string_equal(
        writer_text(&writer),
        "{\"cells\":{\"a1\":null,\"a2\":{\"figure\":\"pawn\",\"last_move\":1,\"moves_made\":1,"
        "\"player\":\"white\"}},\"last_move\":{\"from\":\"a1\",\"to\":\"a2\"},\"ply\":1,"
        "\"state\":\"black_move\",\"to_move\":\"black\"}");
    writer_clear(&writer);
    state_write_patch(&after, &after, &writer);
    assert_string_equal(writer_text(&writer), "{}");
    writer_release(&writer);
}

static void the_document_has_the_members_of_the_protocol(void **state)
{
    (void)state;
    struct state_cell cells[CELLS];
    struct state position = empty_state(cells);
    struct writer writer;
    writer_init(&writer);
    state_write(&position, &writer);
    assert_string_equal(
        writer_text(&writer),
        "{\"cells\":{},\"move_number\":1,\"ply\":0,\"seats\":{},\"state\":\"start\","
        "\"status\":\"waiting\"}");
    cells[1] = (struct state_cell){"pawn", "white", 2, 5};
    position.seats[0] = (struct state_seat){.player = "p_0123456789abcdef",
                                            .name = "Ada",
                                            .as = PLAYER_BOT,
                                            .has_clock = true,
                                            .left_ms = 4294967295,
                                            .periods = 3};
    position.status = STATUS_FINISHED;
    position.last_from = "a1", position.last_to = "a2", position.last_choice = "queen";
    position.draw_offer = "white", position.rematch_offer = "black";
    position.next_room = "k3Qd9xZa";
    position.has_result = true;
    position.result = (struct state_end){"white", "the king is taken", false, NULL};
    writer_clear(&writer);
    state_write(&position, &writer);
    assert_string_equal(
        writer_text(&writer),
        "{\"cells\":{\"a2\":{\"figure\":\"pawn\",\"last_move\":5,\"moves_made\":2,"
        "\"player\":\"white\"}},\"draw_offer\":\"white\",\"last_move\":{\"choice\":\"queen\","
        "\"from\":\"a1\",\"to\":\"a2\"},\"move_number\":1,\"next_room\":\"k3Qd9xZa\",\"ply\":0,"
        "\"rematch_offer\":\"black\",\"result\":{\"reason\":\"the king is taken\","
        "\"winner\":\"white\"},\"seats\":{\"white\":{\"as\":\"bot\",\"clock\":{\"left_ms\":"
        "4294967295,\"periods\":3},\"name\":\"Ada\","
        "\"player\":\"p_0123456789abcdef\"}},\"state\":\"start\",\"status\":\"finished\"}");
    position.result = (struct state_end){NULL, "agreed", false, NULL};
    writer_clear(&writer);
    state_write(&position, &writer);
    assert_non_null(
        strstr(writer_text(&writer), "\"result\":{\"draw\":true,\"reason\":\"agreed\"}"));
    position.result = (struct state_end){NULL, "aborted by white", true, NULL};
    writer_clear(&writer);
    state_write(&position, &writer);
    assert_non_null(strstr(writer_text(&writer),
                           "\"result\":{\"aborted\":true,\"reason\":\"aborted by white\"}"));
    writer_release(&writer);
}

static void a_turn_half_made_shows_its_figure_what_it_took_and_what_may_be_claimed(void **state)
{
    (void)state;
    static const char *const taken[] = {"a2", "d\\6"};
    struct state_cell cells[CELLS];
    struct state position = empty_state(cells);
    struct writer writer;
    writer_init(&writer);
    position.status = STATUS_PLAYING, position.to_move = "white", position.active = "a1";
    position.taken = taken, position.taken_count = 2;
    position.last_pass = true;
    position.has_claim = true,
    position.claim = (struct state_end){NULL, "fifty moves", false, NULL};
    position.ranks[0] = "black", position.rank_count = 1;
    state_write(&position, &writer);
    assert_string_equal(
        writer_text(&writer),
        "{\"active\":\"a1\",\"cells\":{},\"claim\":{\"draw\":true,\"reason\":\"fifty moves\"},"
        "\"last_move\":{\"pass\":true},\"move_number\":1,\"ply\":0,\"ranks\":[\"black\"],"
        "\"seats\":{},\"state\":\"start\",\"status\":\"playing\",\"taken\":[\"a2\",\"d\\\\6\"],"
        "\"to_move\":\"white\"}");
    struct state after = position;
    after.active = NULL, after.taken_count = 0, after.last_pass = false;
    after.last_from = "a1", after.last_to = "a2";
    after.has_claim = false, after.has_result = true, after.status = STATUS_FINISHED;
    after.result = (struct state_end){"black", "home first", false, NULL}, after.to_move = NULL;
    after.ranks[1] = "white", after.rank_count = 2;
    writer_clear(&writer);
    state_write_patch(&position, &after, &writer);
    assert_string_equal(
        writer_text(&writer),
        "{\"active\":null,\"claim\":null,\"last_move\":{\"from\":\"a1\",\"to\":\"a2\",\"pass\":"
        "null},"
        "\"ranks\":null,\"result\":{\"ranks\":[\"black\",\"white\"],\"reason\":\"home first\","
        "\"winner\":\"black\"},\"status\":\"finished\",\"taken\":null,\"to_move\":null}");
    writer_release(&writer);
}

static void the_hash_is_a_sum_of_fnv_1a_lines(void **state)
{
    (void)state;
    struct state_cell cells[CELLS];
    char text[STATE_HASH_DIGITS + 1];
    struct state position = empty_state(cells);
    /* move_number=1, ply=0, state="start", status="waiting", each hashed and summed with another
     * program. */
    state_hash_text(state_hash(&position), text);
    assert_string_equal(text, "66ff5039");
    state_hash_text(0x0a1b2c3d, text);
    assert_string_equal(text, "0a1b2c3d");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_random_states_patch_and_hash_agree_with_the_document),
        cmocka_unit_test(a_patch_says_only_what_changed),
        cmocka_unit_test(the_document_has_the_members_of_the_protocol),
        cmocka_unit_test(a_turn_half_made_shows_its_figure_what_it_took_and_what_may_be_claimed),
        cmocka_unit_test(the_hash_is_a_sum_of_fnv_1a_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
