#include "protocol/client_state.h"

#include "engine/memory/memory.h"
#include "protocol/document.h"
#include "protocol/state.h"
#include "protocol/state_line.h"

#include <string.h>

enum { STATE_MEMBERS_MAX = 64, STATE_CELLS_MAX = 4096 };

static uint32_t hash_line(struct client *client, const char *group, const char *name, json_t *value)
{
    if (value == NULL)
        return 0;
    writer_clear(&client->value);
    document_write(&client->value, value, DOCUMENT_SORTED);
    return line_bytes(line_begin(group, name), client->value.data, client->value.length);
}

/* The members that have a line per member of their own; NULL for all others. */
static const char *group_of(const char *name)
{
    if (strcmp(name, "cells") == 0)
        return "cells.";
    return strcmp(name, "seats") == 0 ? "seats." : NULL;
}

static uint32_t hash_member(struct client *client, const char *name, json_t *value)
{
    const char *group = group_of(name);
    if (group == NULL || !json_is_object(value))
        return hash_line(client, "", name, value);
    uint32_t hash = 0;
    const char *part = NULL;
    json_t *part_value = NULL;
    json_object_foreach(value, part, part_value)
    {
        hash += hash_line(client, group, part, part_value);
    }
    return hash;
}

uint32_t client_state_hash(struct client *client, json_t *state)
{
    uint32_t hash = 0;
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(state, name, value)
    {
        hash += hash_member(client, name, value);
    }
    return hash;
}

bool client_state_hash_is(const struct client *client, const json_t *message)
{
    const char *said = json_string_value(json_object_get(message, "hash"));
    char own[STATE_HASH_DIGITS + 1];
    if (client->skip_hash_check || said == NULL)
        return true;
    state_hash_text(client->hash, own);
    return strcmp(said, own) == 0;
}

static void merge_member(json_t *object, const char *name, json_t *patch)
{
    if (json_is_null(patch)) {
        json_object_del(object, name);
        return;
    }
    if (!json_is_object(patch)) {
        if (json_object_set(object, name, patch) != 0)
            memory_end_process(0);
        return;
    }
    json_t *target = json_object_get(object, name);
    if (!json_is_object(target)) {
        target = json_object();
        if (target == NULL || json_object_set_new(object, name, target) != 0)
            memory_end_process(0);
    }
    const char *inner_name = NULL;
    json_t *inner_patch = NULL;
    json_object_foreach(patch, inner_name, inner_patch)
    {
        merge_member(target, inner_name, inner_patch);
    }
}

/* Merges one member of `object`, and keeps the hash of its line true. */
static void merge_part(struct client *client, json_t *object, const char *group, const char *name,
                       json_t *patch)
{
    if (client->skip_hash_check) {
        merge_member(object, name, patch);
        return;
    }
    client->hash -= hash_line(client, group, name, json_object_get(object, name));
    merge_member(object, name, patch);
    client->hash += hash_line(client, group, name, json_object_get(object, name));
}

static void merge_group(struct client *client, json_t *target, const char *group, json_t *patch)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(patch, name, value)
    {
        merge_part(client, target, group, name, value);
    }
}

void client_state_patch(struct client *client, json_t *patch)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(patch, name, value)
    {
        const char *group = group_of(name);
        json_t *target = json_object_get(client->state, name);
        if (group != NULL && json_is_object(target) && json_is_object(value))
            merge_group(client, target, group, value);
        else if (group == NULL)
            merge_part(client, client->state, "", name, value);
        else
            merge_member(client->state, name, value); /* refused just below, by state_fault */
    }
}

/* Recursion is bounded: the text was parsed to a bounded depth. */
bool client_document_within(json_t *value, int depth_max)
{
    const char *name = NULL;
    size_t index = 0;
    json_t *inner = NULL;
    if (!json_is_object(value) && !json_is_array(value))
        return true;
    if (depth_max == 0)
        return false;
    json_object_foreach(value, name, inner)
    {
        if (!client_document_within(inner, depth_max - 1))
            return false;
    }
    json_array_foreach(value, index, inner)
    {
        if (!client_document_within(inner, depth_max - 1))
            return false;
    }
    return true;
}

const char *client_state_fault(const json_t *state)
{
    const json_t *cells = json_object_get(state, "cells");
    const json_t *seats = json_object_get(state, "seats");
    if (!json_is_object(cells) || !json_is_object(seats))
        return "a state without cells or seats";
    if (!json_is_string(json_object_get(state, "status")))
        return "a state without its status";
    if (json_object_size(state) > STATE_MEMBERS_MAX ||
        json_object_size(seats) > STATE_MEMBERS_MAX || json_object_size(cells) > STATE_CELLS_MAX)
        return "a state too large";
    return NULL;
}

/* A pass, a swap of sides, or a way from a cell (or from nowhere) to a cell, with a choice or without. */
static bool is_move(const json_t *move)
{
    const json_t *choice = json_object_get(move, "choice"), *from = json_object_get(move, "from");
    if (json_is_true(json_object_get(move, "pass")) || json_is_true(json_object_get(move, "swap")))
        return true;
    return (from == NULL || json_is_string(from)) && json_is_string(json_object_get(move, "to")) &&
           (choice == NULL || json_is_string(choice));
}

bool client_is_legal_moves(const json_t *moves)
{
    size_t index = 0;
    json_t *move = NULL;
    if (!json_is_array(moves))
        return false;
    json_array_foreach(moves, index, move)
    {
        if (!is_move(move))
            return false;
    }
    return true;
}
