#include "engine/load/definition.h"

#include "engine/load/notation_definition.h"
#include "engine/load/reader.h"

#include <stdio.h>
#include <string.h>

/* Where the file gives no name; the original needs one for uploading only. */
static const char unnamed[] = "game";

/* `turns` instead of a state machine: one of them there must be. */
static bool has_turns(struct reader *reader, const struct node *root)
{
    struct node turns = node_member(root, "turns"), states = node_member(root, "game_states");
    struct node initial = node_member(root, "initial_game_state");
    bool has_states = node_type(&states) != NODE_ABSENT;
    if (node_type(&turns) == NODE_ABSENT && has_states)
        return false;
    if (node_type(&turns) == NODE_ABSENT)
        reader_error(reader, root, NODE_VALUE,
                     "write for example \"turns\": [\"white\", \"black\"]", "`turns` is missing");
    else if (has_states)
        reader_error(reader, &states, NODE_KEY, "leave one of them out",
                     "`game_states` and `turns` say the same thing twice");
    else if (node_type(&initial) != NODE_ABSENT)
        reader_error(reader, &initial, NODE_KEY, "the first of `turns` begins",
                     "`initial_game_state` needs `game_states`");
    return true;
}

static void read_names_of_kinds(struct reader *reader, const struct node *root)
{
    struct node figures = node_member(root, "figures");
    struct node states = node_member(root, "game_states");
    reader->dimensions.kind = "coordinate";
    reader->figures.kind = "figure";
    reader->players.kind = "player";
    reader->states.kind = "state";
    if (reader_expect(reader, &figures, NODE_OBJECT))
        reader_define_names(reader, &figures, FIGURES_MAX, &reader->figures);
    if (reader_is_modern(reader) && has_turns(reader, root))
        return;
    if (reader_expect(reader, &states, NODE_OBJECT))
        reader_define_names(reader, &states, STATES_MAX, &reader->states);
}

static void read_format(struct reader *reader, const struct node *root)
{
    struct node format = node_member(root, "format");
    if (!reader_expect_if_there(reader, &format, NODE_NUMBER))
        return;
    double number = node_number(&format);
    if (number == 2)
        reader->format = reader->definition->format = 2;
    else if (number != 0 && number != 1)
        reader_error(reader, &format, NODE_VALUE, "",
                     "format %.15g is not supported by this version", number);
}

/* Who uses a word of format 2 here means format 2: that is the one mistake, and the rest is read so. */
static void presume_format(struct reader *reader, const struct node *root,
                           const struct name_list *modern)
{
    for (void *at = node_first(root); at != NULL && !reader_is_modern(reader);
         at = node_next(root, at)) {
        struct node member = node_at(root, at);
        if (name_list_find(modern, member.key) < 0)
            continue;
        reader_error(reader, &member, NODE_KEY, "add \"format\": 2", "`%s` is a word of format 2",
                     member.key);
        reader->format = 2;
    }
}

static void read_words(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node name = node_member(root, "name");
    struct node title = node_member(root, "title");
    struct node description = node_member(root, "description");
    definition->name = unnamed;
    definition->title = "";
    definition->description = "";
    if (node_type(&name) == NODE_ABSENT) {
        reader_warn(reader, root, NODE_VALUE, "it is called \"game\"", "`name` is missing");
    } else if (reader_expect(reader, &name, NODE_STRING)) {
        const char *fault = text_name_fault(node_string(&name), NAME_BYTES_MAX);
        if (fault != NULL)
            reader_error(reader, &name, NODE_VALUE, "", "this cannot be the name of a game: %s",
                         fault);
        const char *copy = reader_copy_string(reader, node_string(&name));
        if (copy != NULL)
            definition->name = copy;
    }
    const char *text = reader_text(reader, &title, TITLE_BYTES_MAX, false);
    if (text != NULL)
        definition->title = text;
    text = reader_text(reader, &description, DESCRIPTION_BYTES_MAX, true);
    if (text != NULL)
        definition->description = text;
}

static void read_ends(struct reader *reader, const struct node *root)
{
    /* in the order of enum no_moves */
    static const char *const results[] = {"loss", "draw", "win"};
    const struct name_list list = {"result", true, 3, results};
    struct definition *definition = reader->definition;
    struct node no_moves = node_member(root, "no_moves");
    struct node max_plies = node_member(root, "max_plies");
    definition->no_moves = NO_MOVES_LOSS;
    definition->max_plies = PLIES_DEFAULT;
    if (node_type(&no_moves) != NODE_ABSENT) {
        int result = reader_name(reader, &no_moves, NODE_VALUE, &list);
        if (result >= 0)
            definition->no_moves = (enum no_moves)result;
    }
    int plies = 0;
    if (node_type(&max_plies) != NODE_ABSENT &&
        reader_integer(reader, &max_plies, 1, PLIES_MAX, &plies))
        definition->max_plies = (uint32_t)plies;
}

/* What everything else of a file of format 2 refers to. */
static void read_modern_basis(struct reader *reader, const struct node *root)
{
    sides_read(reader, root);
    zones_read(reader, root);
    vocabulary_read(reader, root);
    counters_read(reader, root);
    lines_read(reader, root);
}

static void read_root(struct reader *reader, const struct node *root)
{
    struct node states = node_member(root, "game_states"), turns = node_member(root, "turns");
    static const char *const keys[] = {
        "format", "name", "title", "description", "players", "cell", "board", "figures",
        "complex_movement", "initial_position", "resources", "win_conditions", "game_states",
        "initial_game_state", "no_moves", "max_plies", "$schema",
        /* of format 2: */
        "player_counts", "directions", "zones", "movements", "actions", "turns", "pass", "remove",
        "priority", "counters", "after_move", "forbid", "results", "notation", "tests"};
    enum { OLD_KEYS = 17, KEYS = sizeof keys / sizeof *keys };
    const struct name_list modern = {
        .known = true, .count = KEYS - OLD_KEYS, .names = keys + OLD_KEYS};
    read_format(reader, root);
    presume_format(reader, root, &modern);
    reader_check_words(reader, root, LENIENT, keys, OLD_KEYS, KEYS);
    read_words(reader, root);
    read_ends(reader, root);
    read_names_of_kinds(reader, root);
    players_read(reader, root);
    cells_read(reader, root);
    struct node cell = node_member(root, "cell");
    if (node_type(&cell) == NODE_OBJECT)
        layout_read(reader, &cell);
    if (reader_is_modern(reader))
        read_modern_basis(reader, root);
    figures_read(reader, root);
    complex_read(reader, root);
    placements_read(reader, root);
    wins_read(reader, root);
    bool has_states = node_type(&states) != NODE_ABSENT && node_type(&turns) == NODE_ABSENT;
    if (has_states || !reader_is_modern(reader))
        states_read(reader, root);
    resources_read(reader, root);
    if (reader_is_modern(reader)) {
        turns_read(reader, root);
        results_read(reader, root);
    }
    notation_read(reader, root);
}

static void read_document(struct reader *reader, const char *text, size_t length)
{
    if (length > DEFINITION_BYTES_MAX) {
        char message[DIAGNOSTIC_TEXT_BYTES];
        snprintf(message, sizeof message,
                 "the file is too large: %zu bytes, at most %d are allowed", length,
                 DEFINITION_BYTES_MAX);
        diagnostics_add(reader->diagnostics, DIAGNOSTIC_ERROR, "", message, "");
        return;
    }
    if (!document_open(&reader->document, text, length, reader->diagnostics))
        return;
    struct node root = document_root(&reader->document);
    reader->root = &root;
    if (reader_expect(reader, &root, NODE_OBJECT))
        read_root(reader, &root);
    document_close(&reader->document);
    if (reader->expressions != NULL && expressions_starved(reader->expressions))
        reader->diagnostics->no_memory = true;
    expressions_free(reader->expressions);
}

struct definition *definition_read(const char *text, size_t length,
                                   const struct load_options *options,
                                   struct diagnostics *diagnostics)
{
    static const struct load_options no_options = {.ignore_movement_if = false};
    struct reader reader = {.options = options != NULL ? options : &no_options,
                            .diagnostics = diagnostics,
                            .arena = arena_new(ARENA_BYTES_MAX),
                            .kept = arena_new(ARENA_BYTES_MAX / 2)};
    if (reader.arena != NULL && reader.kept != NULL)
        reader.definition = arena_allocate(reader.arena, 1, sizeof *reader.definition);
    if (reader.definition == NULL) {
        reader_out_of_memory(&reader);
        arena_free(reader.arena);
        arena_free(reader.kept);
        return NULL;
    }
    int errors_before = diagnostics->error_count;
    reader.definition->arena = reader.arena;
    reader.definition->kept = reader.kept;
    read_document(&reader, text, length);
    diagnostics_sort(diagnostics);
    if (diagnostics->error_count == errors_before)
        return reader.definition;
    definition_free(reader.definition);
    return NULL;
}

void definition_free(struct definition *definition)
{
    if (definition == NULL)
        return;
    arena_free(definition->kept);
    arena_free(definition->arena);
}
