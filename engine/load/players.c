#include "engine/load/fields.h"

/* Who plays: the file's `players`, then whoever else is named, in the order the original program
 * would meet them. The original never read `players`, so its files may leave somebody out. */

/* Whether it is a new one. */
static bool add(struct reader *reader, const struct node *node, enum node_part part)
{
    const char *name = part == NODE_KEY ? node->key : node_string(node);
    bool new = name_list_find(&reader->players, name) < 0;
    if (new)
        reader_add_name(reader, node, part, &reader->players, reader->definition->player_names,
                        PLAYERS_MAX);
    return new;
}

static void read_list(struct reader *reader, const struct node *list)
{
    /* in format 2 they stand where players do */
    const struct name_list *words = CHOICES("word", "mover", "enemy", "next", "any", "each");
    if (!reader_expect_if_there(reader, list, NODE_LIST))
        return;
    EACH_ELEMENT (each, list) {
        if (each.index > PLAYERS_MAX || !reader_expect(reader, &each, NODE_STRING))
            continue;
        if (!add(reader, &each, NODE_VALUE))
            reader_error(reader, &each, "", "player `%s` is listed twice",
                         text_quote(node_string(&each)).text);
        if (reader_is_modern(reader) && name_list_find(words, node_string(&each)) >= 0)
            reader_error(reader, &each, "choose another name",
                         "`%s` cannot name a player: it means something else", node_string(&each));
    }
}

/* Somebody is named in passing. A slip is not a new player: whoever resolves this name complains. */
static void meet(struct reader *reader, const struct name_list *listed, const struct node *node,
                 enum node_part part)
{
    const char *name = part == NODE_KEY ? node->key : node_string(node);
    if (listed->known && text_nearest(name, listed) >= 0)
        return;
    if (add(reader, node, part) && listed->known)
        reader_warn(reader, node, part, "the player is added at the end",
                    "`players` does not list `%s`", text_quote(name).text);
}

static void meet_keys(struct reader *reader, const struct name_list *listed,
                      const struct node *object)
{
    EACH_MEMBER (each, object)
        meet(reader, listed, &each, NODE_KEY);
}

/* Formats 0 and 1: also whoever is named elsewhere. */
static void meet_everybody(struct reader *reader, const struct name_list *listed)
{
    const struct node *root = reader->root;
    struct node position = node_member(root, "initial_position");
    struct node states = node_member(root, "game_states");
    struct node wins = node_member(root, "win_conditions"), board = node_member(root, "board");
    struct node rotation = node_member(&board, "rotation_angle");
    meet_keys(reader, listed, &position);
    EACH_MEMBER (state, &states) {
        struct node parameters = node_member(&state, "parameters");
        struct node player = node_member(&parameters, "player");
        if (node_type(&player) == NODE_STRING)
            meet(reader, listed, &player, NODE_VALUE);
    }
    meet_keys(reader, listed, &wins);
    meet_keys(reader, listed, &rotation);
}

/* --- with fewer of them ----------------------------------------------------------------------- */

/* One entry of `player_counts`: which of the players; bits. */
static void read_count(struct reader *reader, const struct node *list, void *place)
{
    uint64_t who = 0;
    if (!reader_expect(reader, list, NODE_LIST))
        return;
    reader_names(reader, list, &reader->players, true, &who);
    if (list->key[0] != (char)('0' + node_count(list)))
        reader_error(reader, list, "", "the number of players listed is %zu, not %s",
                     node_count(list), list->key);
    *(uint8_t *)place = (uint8_t)who;
}

/* Leaves those out who do not play. */
static void keep_players(struct reader *reader, uint8_t who)
{
    const char **names = reader->definition->player_names;
    const char **absent = reader_allocate(reader, PLAYERS_MAX, sizeof *absent);
    int kept = 0;
    reader->absent = (struct name_list){.kind = "player", .known = true, .names = absent};
    for (int i = 0; i < reader->players.count; i++) {
        if ((who >> i & 1) != 0)
            names[kept++] = names[i];
        else
            absent[reader->absent.count++] = names[i];
    }
    for (int i = kept; i < reader->players.count; i++)
        names[i] = NULL;
    reader->players.count = kept;
}

static void read_counts(struct reader *reader, const struct node *root)
{
    static const char *const digits[PLAYERS_MAX] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    const int all = reader->players.count, asked = reader->options->player_count;
    const int wanted = asked == 0 ? all : asked;
    const struct name_list numbers = {"number of players", true, all, digits};
    struct node object = node_member(root, "player_counts");
    uint8_t who[PLAYERS_MAX] = {0};
    reader_refuse(reader, root, "player_counts", node_has(root, "game_states"),
                  "say who moves after whom in `turns`",
                  "`player_counts` is not possible with `game_states`");
    fields_read_by_name(reader, &object, &numbers,
                        EACH(.kind = read_count, .size = sizeof(uint8_t)), who);
    who[all - 1] = (uint8_t)((1u << all) - 1);
    if (wanted <= all && who[wanted - 1] != 0)
        keep_players(reader, who[wanted - 1]);
    else if (reader->diagnostics->error_count == 0)
        reader_error(reader, root, "", "this game is not for %d players", wanted);
}

void players_read(struct reader *reader, const struct node *list, void *object)
{
    struct definition *definition = object;
    int complaints = reader->complaints;
    reader->players.names = definition->player_names;
    read_list(reader, list);
    struct name_list listed = reader->players;
    listed.known = node_type(list) == NODE_LIST;
    if (!reader_is_modern(reader))
        meet_everybody(reader, &listed);
    reader->players.known = reader->players.count > 0;
    if (reader->players.known)
        read_counts(reader, reader->root);
    else if (reader->complaints == complaints)
        reader_error(reader, list, "list their names in `players`", "this game has no players");
    definition->player_count = reader->players.count;
}
