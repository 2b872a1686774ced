/* `senet backup`: a copy of the SQLite store, also while a server uses it. */
#ifndef SERVER_CLI_BACKUP_H
#define SERVER_CLI_BACKUP_H

int cli_backup(int argc, char **argv);

#endif
