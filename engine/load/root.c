#include "engine/load/definition.h"

#include "engine/load/fields.h"
#include "engine/load/notation_definition.h"

#include <stdio.h>
#include <string.h>

static void read_name(struct reader *reader, const struct node *name, void *object)
{
    struct definition *definition = object;
    if (!reader_expect(reader, name, NODE_STRING))
        return;
    const char *fault = text_name_fault(node_string(name), NAME_BYTES_MAX);
    const char *copy = reader_copy_string(reader, node_string(name));
    if (fault != NULL)
        reader_error(reader, name, NODE_VALUE, "", "this cannot be the name of a game: %s", fault);
    if (copy != NULL)
        definition->name = copy;
}

/* The words of a file. Most are read elsewhere, in the order in which they need one another. */
const struct field root_fields[] = {
    {.word = "format"},
    {"name", .read = read_name},
    {"title", field_text, AT(struct definition, title), .most = TITLE_BYTES_MAX},
    {"description", field_lines, AT(struct definition, description), .most = DESCRIPTION_BYTES_MAX},
    {.word = "players"},
    {.word = "cell"},
    {.word = "board"},
    {.word = "figures"},
    {.word = "complex_movement"},
    {.word = "initial_position"},
    {.word = "win_conditions"},
    {.word = "game_states"},
    {.word = "initial_game_state"},
    {"no_moves", field_choice, AT(struct definition, no_moves),
     .names = CHOICES("result", "loss", "draw", "win")},
    {"max_plies", field_integer, AT(struct definition, max_plies), .least = 1, .most = PLIES_MAX},
    {.word = "resources"},
    {.word = "$schema"},
    {.word = "player_counts", .format = 2},
    {.word = "directions", .format = 2},
    {.word = "zones", .format = 2},
    {.word = "movements", .format = 2},
    {.word = "actions", .format = 2},
    {.word = "turns", .format = 2},
    {.word = "pass", .format = 2},
    {.word = "remove", .format = 2},
    {.word = "priority", .format = 2},
    {.word = "counters", .format = 2},
    {.word = "after_move", .format = 2},
    {.word = "forbid", .format = 2},
    {.word = "results", .format = 2},
    {.word = "notation", .format = 2},
    {.word = "tests", .format = 2},
    {.lenient = true},
};

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
static void presume_format(struct reader *reader, const struct node *root)
{
    for (struct node each = node_members(root); node_is_there(&each) && !reader_is_modern(reader);
         each = node_after(&each)) {
        const struct field *field = fields_find(root_fields, each.key);
        if (field == NULL || field->format != 2)
            continue;
        fields_check_word(reader, &each, root_fields, NULL);
        reader->format = 2;
    }
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
    struct node cell = node_member(root, "cell"), name = node_member(root, "name");
    read_format(reader, root);
    presume_format(reader, root);
    reader->absolute = !reader_is_modern(reader);
    if (!node_is_there(&name))
        reader_warn(reader, root, NODE_VALUE, "it is called \"game\"", "`name` is missing");
    fields_read(reader, root, root_fields, reader->definition);
    read_names_of_kinds(reader, root);
    players_read(reader, root);
    cells_read(reader, root);
    if (node_type(&cell) == NODE_OBJECT)
        layout_read(reader, &cell);
    if (reader_is_modern(reader))
        read_modern_basis(reader, root);
    figures_read(reader, root);
    complex_read(reader, root);
    placements_read(reader, root);
    wins_read(reader, root);
    bool has_states = node_is_there(&states) && !node_is_there(&turns);
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
                            .directions = {.known = true},
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
    *reader.definition = (struct definition){.arena = reader.arena,
                                             .kept = reader.kept,
                                             .name = "game",
                                             .title = "",
                                             .description = "",
                                             .no_moves = NO_MOVES_LOSS,
                                             .max_plies = PLIES_DEFAULT};
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
