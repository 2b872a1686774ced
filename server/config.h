/* What can be set from outside: by flags and by environment variables, in one table.
 *
 * Every setting has a flag (--room-idle-ms 60000, also --room-idle-ms=60000) and a variable made from it
 * (SENET_ROOM_IDLE_MS); flags beat variables, and both beat the default. Unknown flags and unknown SENET_* variables are
 * errors: a misspelt limit shall not be a missing limit. */
#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Texts are borrowed from the arguments, the environment or the table. */
struct config {
    const char *listen, *metrics_listen;   /* the latter "": metrics are on the former */
    const char *tls_certificate, *tls_key; /* files; "": no TLS */
    const char *store;                     /* "": a file below the user's state directory */
    const char *games, *web;               /* directories; "": those that came with the program */
    const char *engine;                    /* a file; "": that which is built beside the program */
    const char *origins;
    const char *advertise; /* "": clients are told no address of ours */
    const char *bus;       /* "": none */
    const char *bus_credentials, *bus_ca, *bus_certificate, *bus_key; /* files, or "" */
    const char *chess_mate;                                           /* a path; "": off */
    const char *log_level;                                            /* info, warning or error */
    uint32_t commands_per_second, commands_burst;
    uint32_t address_commands_per_second, address_commands_burst;
    uint32_t all_commands_per_second;
    uint32_t definitions_mib, address_definitions_mib;
    uint32_t address_rooms_per_minute, address_rooms_burst;
    uint32_t rooms_made_per_second, rooms_made_burst;
    uint32_t bots, address_bots, player_bots;
    uint32_t connections, address_connections, address_rate;
    uint32_t room_idle_ms, absence_ms, auth_within_ms, heartbeat_ms, player_heartbeat_ms;
    uint32_t rooms, bot_think_ms, bot_level, bot_cores, lease_ms, drain_ms;
    uint32_t keep_unmoved_s, keep_unfinished_s, keep_finished_s, keep_private_s, prune_every_s;
    uint32_t keep_pictures_s, picture_kib;
    uint32_t store_mib, disk_free_mib, address_mib_per_day;
    bool trust_forwarded, limit_loopback, bot_keeps_moves;
};

enum config_answer {
    CONFIG_OK,
    CONFIG_HELP,  /* asked for with --help */
    CONFIG_ERROR, /* `words` says what is wrong */
};

/* `arguments` without the program's and the subcommand's name; `environment` as `environ`, ended by NULL. */
enum config_answer config_read(struct config *config, int count, char *const *arguments,
                               char *const *environment, char *words, size_t words_size);
void config_print_settings(FILE *out);

#endif
