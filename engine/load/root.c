#include "engine/load/fields.h"

static void read_name(struct reader *reader, const struct node *name, void *object)
{
    struct definition *definition = object;
    if (!node_is_there(name))
        reader_warn(reader, name, NODE_VALUE, "it is called \"game\"", "`name` is missing");
    if (!reader_expect_if_there(reader, name, NODE_STRING))
        return;
    const char *fault = text_name_fault(node_string(name), NAME_BYTES_MAX);
    if (fault != NULL)
        reader_error(reader, name, "", "this cannot be the name of a game: %s", fault);
    definition->name = reader_copy_string(reader, node_string(name));
}

/* Whoever loads merges it before (extends.h). Stored games of formats 0 and 1 may say any word nobody knew. */
static void refuse_extends(struct reader *reader, const struct node *extends, void *object)
{
    (void)object;
    reader_say(reader, reader_is_modern(reader) ? DIAGNOSTIC_ERROR : DIAGNOSTIC_WARNING, extends,
               NODE_KEY, "write out the whole game", "no other game can be extended here");
}

/* The words of a file, in the order in which they need one another. */
const struct field root_fields[] = {
    {.word = "format"},
    {.word = "$schema"},
    {"extends", .kind = refuse_extends},
    {"name", read_name, .always = true},
    {"title", field_text, AT(struct definition, title), .most = TITLE_BYTES_MAX},
    {"description", field_text, AT(struct definition, description), .most = DESCRIPTION_BYTES_MAX,
     .lines = true},
    {"stuck", field_choice, AT(struct definition, no_moves), .least = NO_MOVES_LOSS,
     .names = CHOICES("result", "loss", "draw", "win"), .format = 2},
    {.word = "no_moves", .now = "stuck"},
    {"max_plies", field_integer, AT(struct definition, max_plies), .least = 1, .most = PLIES_MAX},
    {"players", players_read, .always = true},
    {.word = "player_counts", .format = 2},
    {"board", field_object, .fields = board_fields, .always = true},
    {"cell", layout_read, .always = true},
    {"directions", directions_read, .always = true, .format = 2},
    {"zones", zones_read, .always = true, .format = 2},
    {"movements", vocabulary_read, .always = true, .format = 2},
    {.word = "actions", .format = 2},
    {"selections", selections_read, .always = true, .format = 2},
    {"hands", hands_read, .always = true, .format = 2},
    {"takes_to", field_choice, AT(struct definition, takes_to_hand), .least = 1,
     .names = CHOICES("place", "hand"), .format = 2},
    {"counters", counters_read, LIST_AT(struct definition, counters, counter_count),
     ELEMENTS(COUNTERS_MAX, "counters", struct counter_rule, counter_read), .named = true,
     .always = true, .format = 2},
    {"figures", figures_read, LIST_AT(struct definition, figures, figure_count),
     ELEMENTS(FIGURES_MAX, "figures", struct figure_definition, figure_read), .named = true},
    {"combined_movements", .kind = combined_read, .format = 2},
    {.word = "complex_movement", .now = "combined_movements"},
    {"place", placing_read, .format = 2},
    {"initial_position", .kind = placements_read},
    {"win_conditions", field_by_name, TO(struct definition, wins), NAMES_OF(players),
     .each = EACH(.kind = wins_read, .size = sizeof(struct condition_node *))},
    {"game_states", states_read, LIST_AT(struct definition, states, state_count),
     ELEMENTS(STATES_MAX, "states", struct machine_state, state_read), .named = true,
     .always = true},
    {.word = "initial_game_state"},
    {"resources", field_object, .fields = resource_fields},
    {"turns", turns_read, .format = 2},
    {"pass", pass_read, .place = PLACE_AFTER, .format = 2},
    {"pie", pie_read, AT(struct definition, pie), .format = 2},
    {"priority", priority_read, .format = 2},
    {"jumped_leave", field_choice, AT(struct definition, remove_at_turn_end),
     .names = CHOICES("time", "at_once", "turn_ends"), .format = 2},
    {.word = "remove", .format = 2, .now = "jumped_leave"},
    {"forbid", field_lists, LIST_AT(struct definition, forbid, forbid_count),
     ELEMENTS(FORBID_MAX, "forbidden positions", struct forbid_rule, forbidden_read),
     .names = CHOICES("word", "words"), .place = PLACE_FORBID, .format = 2},
    {"after_move", field_lists, LIST_AT(struct definition, after_move, after_move_count),
     ELEMENTS(AFTER_MOVE_MAX, "entries", struct after_rule, after_move_read), .format = 2},
    {"results", field_lists, LIST_AT(struct definition, results, result_count),
     ELEMENTS(RESULTS_MAX, "results", struct result_rule, result_read), .format = 2},
    {"translations", field_list, LIST_AT(struct definition, translations, translation_count),
     ELEMENTS(LANGUAGES_MAX, "languages", struct game_translation, language_read), .named = true,
     .keeps = true, .format = 2},
    {.word = "notation", .format = 2},
    {.word = "tests", .format = 2},
    {.lenient = true},
};

const char *root_word_now(const char *word)
{
    const struct field *field = fields_find(root_fields, word);
    return field != NULL && field->now != NULL ? field->now : word;
}

/* `turns` instead of a state machine: one of them there must be. */
static bool has_turns(struct reader *reader, const struct node *root)
{
    bool turns = node_has(root, "turns"), states = node_has(root, "game_states");
    if (!turns && states)
        return false;
    reader_demand(reader, root, "turns", true,
                  "write for example \"turns\": [\"white\", \"black\"]");
    reader_refuse(reader, root, "game_states", turns, "leave one of them out",
                  "`game_states` and `turns` say the same thing twice");
    reader_refuse(reader, root, "initial_game_state", turns && !states,
                  "the first of `turns` begins", "`initial_game_state` needs `game_states`");
    return true;
}

/* What everything else refers to. */
static void read_names_of_kinds(struct reader *reader, const struct node *root)
{
    struct node figures = node_member(root, "figures"), cell = node_member(root, "cell");
    struct node states = node_member(root, "game_states");
    struct node dimensions = node_member(&cell, "coordinates_names");
    reader->dimensions =
        (struct name_list){.kind = "coordinate", .names = reader->definition->coordinate_names};
    reader->players.kind = "player";
    if (node_is_there(&dimensions))
        dimensions_read(reader, &dimensions);
    reader->steps = reader->dimensions;
    bool keeps = reader_keeps(reader, true);
    if (reader_expect(reader, &figures, NODE_OBJECT))
        reader_read_names(reader, &figures, "figure", FIGURES_MAX, &reader->figures);
    reader->definition->figure_names = reader->figures.names;
    reader_keeps(reader, keeps);
    if (reader_is_modern(reader) && has_turns(reader, root))
        return;
    if (reader_expect(reader, &states, NODE_OBJECT))
        reader_read_names(reader, &states, "state", STATES_MAX, &reader->states);
}

static void read_format(struct reader *reader, const struct node *root)
{
    struct node format = node_member(root, "format");
    if (!reader_expect_if_there(reader, &format, NODE_NUMBER))
        return;
    double number = node_number(&format);
    if (number == 2)
        reader->definition->format = 2;
    else if (number != 0 && number != 1)
        reader_error(reader, &format, "", "format %.15g is not supported by this version", number);
}

/* Who uses a word of format 2 here means format 2: that is the one mistake, and the rest is read so. */
static void presume_format(struct reader *reader, const struct node *root)
{
    EACH_MEMBER (each, root) {
        const struct field *field = fields_find(root_fields, each.key);
        if (field == NULL || field->format != 2 || reader_is_modern(reader))
            continue;
        fields_check_word(reader, &each, root_fields, NULL);
        reader->definition->format = 2;
    }
}

static void read_root(struct reader *reader, const struct node *root)
{
    read_format(reader, root);
    presume_format(reader, root);
    reader->absolute = !reader_is_modern(reader);
    reader->symmetry = reader_allocate(reader, 1, sizeof *reader->symmetry);
    read_names_of_kinds(reader, root);
    fields_read(reader, root, root_fields, reader->definition);
    if (reader_is_modern(reader))
        lines_read(reader, root);
    notation_read(reader, root);
    if (reader->diagnostics->error_count == 0)
        suspicions_say(reader, root);
}

static void read_document(struct reader *reader, const char *text, size_t length)
{
    if (length > DEFINITION_BYTES_MAX) {
        diagnostics_add(reader->diagnostics, WHOLE_FILE, "",
                        "the file is too large: %zu bytes, at most %d are allowed", length,
                        DEFINITION_BYTES_MAX);
        return;
    }
    bool opened = document_open(&reader->document, text, length, reader->diagnostics);
    struct node root = {.value = reader->document.root};
    reader->root = &root;
    if (opened && reader_expect(reader, &root, NODE_OBJECT))
        if (setjmp(reader->over) == 0) /* until all is read or it cannot go on */
            read_root(reader, &root);
    document_close(&reader->document);
    if (opened)
        document_locate(text, length, true, reader->diagnostics);
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
                            .directions = {.known = true}};
    struct arena *arena = arena_new(ARENA_BYTES_MAX), *kept = arena_new(ARENA_BYTES_MAX / 2);
    if (arena != NULL && kept != NULL)
        reader.definition = arena_allocate(arena, 1, sizeof *reader.definition);
    if (reader.definition == NULL) {
        diagnostics_add_no_memory(diagnostics);
        arena_free(arena);
        arena_free(kept);
        return NULL;
    }
    int errors_before = diagnostics->error_count;
    *reader.definition = (struct definition){.arena = arena,
                                             .kept = kept,
                                             .name = "game",
                                             .title = "",
                                             .description = "",
                                             .unrevised = reader.options->unrevised,
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
