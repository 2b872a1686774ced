#include "server/config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, NAMES_ALIKE_BYTES = 48, UNLIKE_MAX = 3 };

enum kind { TEXT, PATH, NUMBER, SWITCH, CHOICE };

struct setting {
    const char *flag; /* without dashes */
    enum kind kind;
    size_t offset; /* in struct config */
    const char *standard;
    uint32_t least, most; /* of numbers */
    const char *value;    /* what --help calls it; of a CHOICE: the words, separated by | */
    const char *help;
};

#define AT(member) offsetof(struct config, member)

/* clang-format off */
static const struct setting settings[] = {
    {"listen",              TEXT,   AT(listen),              "127.0.0.1:8080", 0, 0, "ADDRESS:PORT", "where to listen; port 0 takes a free one; IPv6 as [::1]:8080"},
    {"metrics-listen",      TEXT,   AT(metrics_listen),      "",               0, 0, "ADDRESS:PORT", "an address of their own for /metrics, /healthz and /readyz; the first is not on the public one then (default: none)"},
    {"tls-certificate",     TEXT,   AT(tls_certificate),     "",               0, 0, "FILE",         "speak TLS with this certificate and what vouches for it, in PEM; read again at SIGHUP (default: no TLS)"},
    {"tls-key",             TEXT,   AT(tls_key),             "",               0, 0, "FILE",         "and its key, in PEM, without a password"},
    {"store",               TEXT,   AT(store),               "",               0, 0, "URL",          "sqlite:///path/to.db or postgresql://user@host/database (default: SQLite below ~/.local/state/senet)"},
    {"games",               TEXT,   AT(games),               "",               0, 0, "DIR",          "the game files (default: those that came with the program)"},
    {"web",                 TEXT,   AT(web),                 "",               0, 0, "DIR",          "the page (default: the one that came with the program)"},
    {"engine",              TEXT,   AT(engine),              "",               0, 0, "FILE",         "the engine for browsers, packed by gzip; it may come to be while the server runs (default: the one built beside the program)"},
    {"origins",             TEXT,   AT(origins),             "",               0, 0, "LIST",         "pages that may connect, like https://a.example,https://b.example; * for any (default: those of the host that was asked)"},
    {"connections",         NUMBER, AT(connections),         "16000",          1, 1000000, "N",      "connections at the same time"},
    {"address-connections", NUMBER, AT(address_connections), "1000",           1, 1000000, "N",      "connections at the same time from one address"},
    {"address-rate",        NUMBER, AT(address_rate),        "200",            1, 1000000, "N",      "new connections a second from one address"},
    {"address-rooms-per-minute", NUMBER, AT(address_rooms_per_minute), "120",  0, 1000000, "N",      "rooms one address may make in the long run, and a player a quarter of it; 0: as many as it likes"},
    {"address-rooms-burst", NUMBER, AT(address_rooms_burst), "240",            1, 1000000, "N",      "and at once"},
    {"rooms-made-per-second", NUMBER, AT(rooms_made_per_second), "100",        0, 1000000, "N",      "rooms that strangers may make all together; when it gets scarce those wait who made most; 0: no limit"},
    {"rooms-made-burst",    NUMBER, AT(rooms_made_burst),    "1000",           1, 1000000, "N",      "and at once"},
    {"bots",                NUMBER, AT(bots),                "512",            0, 4096, "N",         "the server's own bots at play; others wait for their turn"},
    {"address-bots",        NUMBER, AT(address_bots),        "64",             1, 4096, "N",         "and those invited from one address"},
    {"player-bots",         NUMBER, AT(player_bots),         "16",             1, 4096, "N",         "and those invited by one player"},
    {"limit-loopback",      SWITCH, AT(limit_loopback),      "no",             0, 0, "",             "the limits of addresses hold for this machine's own, too"},
    {"trust-forwarded",     SWITCH, AT(trust_forwarded),     "no",             0, 0, "",             "behind a proxy on a loopback or private address: believe its X-Forwarded-For, -Host and -Proto"},
    {"commands-per-second", NUMBER, AT(commands_per_second), "500",            1, 10000000, "N",     "what a connection may ask for in the long run, in units of cost: a move is about one, some 50 µs of a processor"},
    {"commands-burst",      NUMBER, AT(commands_burst),      "400",           1, 10000000, "N",     "and at once"},
    {"address-commands-per-second", NUMBER, AT(address_commands_per_second), "4000", 1, 10000000, "N", "and all connections of one address together, in the long run; a /56 of IPv6 four times as much"},
    {"address-commands-burst", NUMBER, AT(address_commands_burst), "8000",  1, 10000000, "N",     "and at once"},
    {"all-commands-per-second", NUMBER, AT(all_commands_per_second), "12000",  0, 10000000, "N",     "and all addresses together: when half of it is used up, those wait first who ask for most; some 20,000 are a core; 0: no limit"},
    {"auth-within-ms",      NUMBER, AT(auth_within_ms),      "10000",          1, 3600000, "MS",     "a connection that has not said who it is by then is closed"},
    {"address-mib-per-day", NUMBER, AT(address_mib_per_day), "100",            0, 1000, "MIB",      "what an address may write into the store in a day: games, chat, forks; then it only plays on. 0: as much as it likes"},
    {"picture-kib",         NUMBER, AT(picture_kib),         "64",             1, 128, "KIB",       "how large a picture may be that players bring for their figures"},
    {"heartbeat-ms",        NUMBER, AT(heartbeat_ms),        "15000",          50, 3600000, "MS",    "a ping so often; who is silent for two is dropped"},
    {"player-heartbeat-ms", NUMBER, AT(player_heartbeat_ms), "3000",           50, 3600000, "MS",    "who plays and hears nothing for so long asks whether the server is there, and goes to another one if as long nothing comes"},
    {"rooms",               NUMBER, AT(rooms),               "100000",         1, 10000000, "N",     "rooms in memory at the same time"},
    {"definitions-mib",     NUMBER, AT(definitions_mib),     "256",            1, 1000000, "MIB",    "memory for games of players' own and the positions of their rooms; when those being played take all of it, no other one is taken up"},
    {"address-definitions-mib", NUMBER, AT(address_definitions_mib), "64",    1, 1000000, "MIB",    "and for those that came from one address; a /56 of IPv6 has four times as much"},
    {"room-idle-ms",        NUMBER, AT(room_idle_ms),        "60000",          1, 86400000, "MS",    "a room nobody looks at leaves memory after this; the store keeps it"},
    {"absence-ms",          NUMBER, AT(absence_ms),          "300000",         1, 86400000, "MS",    "who has gone when it is his turn is waited for so long before the others may claim the game; with a clock for a sixth of a game's time, 15 s to 2 min, if that is shorter"},
    {"keep-unmoved-s",      NUMBER, AT(keep_unmoved_s),      "86400",          0, 4000000000, "S",   "a room in which nobody ever moved is removed so many seconds after its last event; 0: never, here and below"},
    {"keep-unfinished-s",   NUMBER, AT(keep_unfinished_s),   "5184000",        0, 4000000000, "S",   "and one whose game is not over (60 days)"},
    {"keep-finished-s",     NUMBER, AT(keep_finished_s),     "63072000",       0, 4000000000, "S",   "and one whose game is over (two years)"},
    {"keep-private-s",      NUMBER, AT(keep_private_s),      "15552000",       0, 4000000000, "S",   "and a private one, whether its game is over or not (180 days)"},
    {"keep-pictures-s",     NUMBER, AT(keep_pictures_s),     "604800",         0, 4000000000, "S",   "and a picture that no stored game names, so long after it was brought (a week)"},
    {"prune-every-s",       NUMBER, AT(prune_every_s),       "3600",           0, 4000000000, "S",   "so often the server looks for such rooms; 0: only `senet prune` removes them"},
    {"store-mib",           NUMBER, AT(store_mib),           "20480",          0, 4000000000, "MIB", "a store that is larger takes no new rooms, games under way go on; 0: however large"},
    {"disk-free-mib",       NUMBER, AT(disk_free_mib),       "256",            0, 4000000000, "MIB", "the same where the disk of an SQLite store has less left than this"},
    {"lease-ms",            NUMBER, AT(lease_ms),            "4000",           500, 600000, "MS",    "on a PostgreSQL that several servers share: a server that hears nothing from it for so long, less a tenth, is not ready and sends its people away; renewed each second, or three times in it"},
    {"advertise",           TEXT,   AT(advertise),           "",               0, 0, "URL",          "and where clients of servers of before, which send them to a room's owner, reach this one, like https://a.example"},
    {"drain-ms",            NUMBER, AT(drain_ms),            "0",              0, 600000, "MS",      "after SIGTERM: for so long /readyz says no and all else goes on, so that proxies look elsewhere first"},
    {"bus",                 TEXT,   AT(bus),                 "",               0, 0, "URL",          "NATS, through which servers of one PostgreSQL hear of each other: nats://user:password@host:4222 or tls://…, several with commas (default: none)"},
    {"bus-credentials",     TEXT,   AT(bus_credentials),     "",               0, 0, "FILE",         "what NATS knows us by, where it is not in the URL"},
    {"bus-ca",              TEXT,   AT(bus_ca),              "",               0, 0, "FILE",         "speak TLS with NATS, and believe the certificates that this one vouches for, in PEM"},
    {"bus-certificate",     TEXT,   AT(bus_certificate),     "",               0, 0, "FILE",         "and show this one, in PEM"},
    {"bus-key",             TEXT,   AT(bus_key),             "",               0, 0, "FILE",         "and its key, in PEM, without a password"},
    {"bot-think-ms",        NUMBER, AT(bot_think_ms),        "400",            0, 60000, "MS",       "how long the server's own bot waits before it moves"},
    {"bot-level",           NUMBER, AT(bot_level),           "3",              0, 8, "LEVEL",         "how well the server's own bot plays where nobody has said it, 1 to 8; 0: it takes what it can, and moves by chance otherwise"},
    {"bot-cores",           NUMBER, AT(bot_cores),           "50",             1, 100, "PERCENT",     "of the machine's cores, on which the server's own bots think, at least one and after all other work"},
    {"bot-keeps-moves",     SWITCH, AT(bot_keeps_moves),     "no",             0, 0, "",             "the server's own bot lets nobody take a move back"},
    {"chess-mate",          PATH,   AT(chess_mate),          "",               0, 0, "PREFIX",       "answer Chess Mate's HTTP API below this path, / or like /chess-mate (default: off)"},
    {"log-level",           CHOICE, AT(log_level),           "info",           0, 0, "info|warning|error", "the least that is logged"},
};

/* Set while developing and testing, and none of the server's business. */
static const char *const ignored[] = {
    "SENET_SHARED", "SENET_PROGRAM", "SENET_SANITIZE", "SENET_FUZZ", "SENET_SCREENSHOTS", "SENET_TRAFFIC",
    "SENET_TEST_POSTGRES",
};
/* clang-format on */

enum { SETTING_COUNT = sizeof settings / sizeof *settings };

/* Where words about an error go. */
struct complaint {
    char *words;
    size_t size;
};

/* "room-idle-ms" → "SENET_ROOM_IDLE_MS" */
static void write_variable(const char *flag, char *name)
{
    size_t length = (size_t)snprintf(name, NAME_BYTES, "SENET_%s", flag);
    for (size_t i = 6; i < length; i++)
        name[i] = name[i] == '-' ? '_' : (char)toupper((unsigned char)name[i]);
}

static const struct setting *find_flag(const char *flag, size_t length)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (strlen(settings[i].flag) == length && strncmp(settings[i].flag, flag, length) == 0)
            return &settings[i];
    return NULL;
}

static const struct setting *find_variable(const char *variable, size_t length)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        char name[NAME_BYTES];
        write_variable(settings[i].flag, name);
        if (strlen(name) == length && strncmp(name, variable, length) == 0)
            return &settings[i];
    }
    return NULL;
}

static bool is_ignored(const char *variable, size_t length)
{
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (strlen(ignored[i]) == length && strncmp(ignored[i], variable, length) == 0)
            return true;
    return false;
}

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's distance: letters to insert, delete or change. */
static size_t distance(const char *a, const char *b)
{
    size_t row[NAMES_ALIKE_BYTES + 1], length = strlen(b);
    if (strlen(a) > NAMES_ALIKE_BYTES || length > NAMES_ALIKE_BYTES)
        return NAMES_ALIKE_BYTES;
    for (size_t k = 0; k <= length; k++)
        row[k] = k;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < length; k++) {
            size_t above = row[k + 1];
            row[k + 1] = least_of(diagonal + (a[i] != b[k]), above + 1, row[k] + 1);
            diagonal = above;
        }
    }
    return row[length];
}

/* The setting somebody probably meant, or NULL. */
static const struct setting *find_alike(const char *flag)
{
    const struct setting *best = NULL;
    size_t least = UNLIKE_MAX + 1;
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        size_t unlike = distance(flag, settings[i].flag);
        if (unlike >= least || unlike * 2 > strlen(settings[i].flag))
            continue;
        least = unlike;
        best = &settings[i];
    }
    return best;
}

static bool read_number(const struct setting *setting, const char *text, uint32_t *number)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0' || value < setting->least || value > setting->most)
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool read_switch(const char *text, bool *value)
{
    static const char *const yes[] = {"yes", "true", "on", "1"};
    static const char *const no[] = {"no", "false", "off", "0"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        if (strcmp(text, yes[i]) != 0 && strcmp(text, no[i]) != 0)
            continue;
        *value = strcmp(text, yes[i]) == 0;
        return true;
    }
    return false;
}

static bool is_choice(const struct setting *setting, const char *text)
{
    size_t length = strlen(text);
    for (const char *word = setting->value; *word != '\0';) {
        size_t part = strcspn(word, "|");
        if (part == length && strncmp(word, text, length) == 0)
            return true;
        word += part + (word[part] == '|');
    }
    return false;
}

static bool put(struct config *config, const struct setting *setting, const char *text)
{
    char *place = (char *)config + setting->offset;
    switch (setting->kind) {
    case CHOICE:
        if (!is_choice(setting, text))
            return false;
        memcpy(place, &text, sizeof text);
        return true;
    case PATH:
        if (text[0] != '\0' && text[0] != '/')
            return false;
        memcpy(place, &text, sizeof text);
        return true;
    case TEXT:
        memcpy(place, &text, sizeof text);
        return true;
    case NUMBER:
        return read_number(setting, text, (uint32_t *)(void *)place);
    case SWITCH:
        return read_switch(text, (bool *)(void *)place);
    }
    return false;
}

static bool complain_value(const struct complaint *complaint, const char *name,
                           const struct setting *setting, const char *text)
{
    if (setting->kind == NUMBER)
        snprintf(complaint->words, complaint->size, "%s: \"%s\" is not a number from %u to %u",
                 name, text, setting->least, setting->most);
    else if (setting->kind == PATH)
        snprintf(complaint->words, complaint->size, "%s: \"%s\" does not begin with a slash", name,
                 text);
    else
        snprintf(complaint->words, complaint->size, "%s: \"%s\" is not one of %s", name, text,
                 setting->kind == SWITCH ? "yes|no" : setting->value);
    return false;
}

static bool complain_unknown(const struct complaint *complaint, const char *what, const char *name,
                             const struct setting *alike, const char *alike_name)
{
    if (alike == NULL)
        snprintf(complaint->words, complaint->size, "there is no %s %s", what, name);
    else
        snprintf(complaint->words, complaint->size, "there is no %s %s; did you mean %s?", what,
                 name, alike_name);
    return false;
}

/* "SENET_ROOM_IDLE_MS" → "room-idle-ms" */
static void write_flag(const char *variable, char flag[NAME_BYTES])
{
    snprintf(flag, NAME_BYTES, "%s", variable + strlen("SENET_"));
    for (char *at = flag; *at != '\0'; at++)
        *at = *at == '_' ? '-' : (char)tolower((unsigned char)*at);
}

static bool read_variable(struct config *config, const char *entry,
                          const struct complaint *complaint)
{
    size_t length = strcspn(entry, "=");
    if (strncmp(entry, "SENET_", 6) != 0 || entry[length] != '=' || is_ignored(entry, length))
        return true;
    char name[NAME_BYTES], flag[NAME_BYTES], alike_name[NAME_BYTES] = "";
    snprintf(name, sizeof name, "%.*s", (int)length, entry);
    const struct setting *setting = find_variable(entry, length);
    if (setting != NULL)
        return put(config, setting, entry + length + 1) ||
               complain_value(complaint, name, setting, entry + length + 1);
    write_flag(name, flag);
    const struct setting *alike = find_alike(flag);
    if (alike != NULL)
        write_variable(alike->flag, alike_name);
    return complain_unknown(complaint, "variable", name, alike, alike_name);
}

/* Takes one or two arguments and moves *at behind them. */
static bool read_flag(struct config *config, int count, char *const *arguments, int *at,
                      const struct complaint *complaint)
{
    const char *argument = arguments[(*at)++];
    char name[NAME_BYTES], alike_name[NAME_BYTES + 2];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    if (strncmp(argument, "--", 2) != 0)
        return complain_unknown(complaint, "argument", argument, NULL, "");
    const struct setting *setting = find_flag(name + 2, strlen(name + 2));
    if (setting == NULL) {
        const struct setting *alike = find_alike(name + 2);
        snprintf(alike_name, sizeof alike_name, "--%s", alike == NULL ? "" : alike->flag);
        return complain_unknown(complaint, "flag", name, alike, alike_name);
    }
    const char *value = strchr(argument, '=');
    if (value != NULL)
        value++;
    else if (setting->kind == SWITCH)
        value = "yes";
    else if (*at < count)
        value = arguments[(*at)++];
    if (value != NULL)
        return put(config, setting, value) || complain_value(complaint, name, setting, value);
    snprintf(complaint->words, complaint->size, "%s wants a value: %s", name, setting->value);
    return false;
}

enum config_answer
config_read(struct config *config, int count, char *const *arguments,
            /* NOLINTNEXTLINE(readability-non-const-parameter): written through `complaint`. */
            char *const *environment, char *words, size_t words_size)
{
    const struct complaint complaint = {words, words_size};
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            return CONFIG_HELP;
    for (size_t i = 0; i < SETTING_COUNT; i++)
        put(config, &settings[i], settings[i].standard);
    for (size_t i = 0; environment != NULL && environment[i] != NULL; i++)
        if (!read_variable(config, environment[i], &complaint))
            return CONFIG_ERROR;
    for (int at = 0; at < count;)
        if (!read_flag(config, count, arguments, &at, &complaint))
            return CONFIG_ERROR;
    return CONFIG_OK;
}

void config_print_settings(FILE *out)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        const struct setting *setting = &settings[i];
        char flag[NAME_BYTES * 2], variable[NAME_BYTES];
        snprintf(flag, sizeof flag, "--%s%s%s", setting->flag, setting->value[0] != '\0' ? " " : "",
                 setting->value);
        write_variable(setting->flag, variable);
        fprintf(out, "  %-32s %-26s %s", flag, variable, setting->help);
        if (setting->standard[0] != '\0' && setting->kind != SWITCH)
            fprintf(out, " (default: %s)", setting->standard);
        fputc('\n', out);
    }
}
