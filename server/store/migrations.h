/* The schema's history: the files of migrations/<database>/ in order, embedded by the build. The n-th (from 1)
 * takes a database from schema version n - 1 to n. A file that was released never changes. */
#ifndef SERVER_STORE_MIGRATIONS_H
#define SERVER_STORE_MIGRATIONS_H

struct store_migration {
    const char *name, *sql;
};

extern const struct store_migration sqlite_migrations[], postgres_migrations[];
extern const int sqlite_migration_count, postgres_migration_count;

#endif
