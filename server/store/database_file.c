#include "server/store/database_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0700, FILE_MODE = 0600 };

static const char lock_suffix[] = "-lock";

/* "sqlite:" alone names nothing; "sqlite://host/…" another machine. NULL: no such place. */
static const char *find_path(const char *url)
{
    static const char scheme[] = "sqlite:";
    if (strncmp(url, scheme, strlen(scheme)) != 0)
        return NULL;
    const char *path = url + strlen(scheme);
    if (strncmp(path, "///", 3) == 0)
        path += 2;
    bool named = path[0] != '\0' && strncmp(path, "//", 2) != 0;
    return named && path[strlen(path) - 1] != '/' ? path : NULL;
}

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, FOLDER_MODE) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* The one name of the file, whatever links lead to it, so that there is one lock. */
static bool resolve(struct database_file *file, char *words, size_t words_size)
{
    char given[DATABASE_PATH_MAX], folder[PATH_MAX], whole[PATH_MAX];
    snprintf(given, sizeof given, "%s", file->path);
    if (!make_folders(given)) {
        snprintf(words, words_size, "cannot make the folders of %.100s: %s", given,
                 strerror(errno));
        return false;
    }
    if (realpath(given, whole) != NULL) {
        snprintf(file->path, sizeof file->path, "%s", whole);
        return true;
    }
    char *slash = strrchr(given, '/');
    const char *name = slash == NULL ? given : slash + 1;
    if (slash != NULL)
        *slash = '\0';
    const char *above = slash == NULL ? "." : given[0] == '\0' ? "/" : given;
    if (realpath(above, folder) == NULL) {
        snprintf(words, words_size, "cannot find %.100s: %s", above, strerror(errno));
        return false;
    }
    int length = snprintf(file->path, sizeof file->path, "%s/%s", folder, name);
    if (length >= 0 && (size_t)length < sizeof file->path - sizeof lock_suffix)
        return true;
    snprintf(words, words_size, "the database's path is too long");
    return false;
}

static void read_owner(int lock, char *owner, size_t size)
{
    ssize_t length = pread(lock, owner, size - 1, 0);
    owner[length > 0 ? length : 0] = '\0';
    owner[strcspn(owner, "\n")] = '\0';
}

static bool take_lock(struct database_file *file, char *words, size_t words_size)
{
    char path[DATABASE_PATH_MAX + sizeof lock_suffix], owner[32];
    snprintf(path, sizeof path, "%s%s", file->path, lock_suffix);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (lock < 0) {
        snprintf(words, words_size, "cannot open %.110s: %s", path, strerror(errno));
        return false;
    }
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        read_owner(lock, owner, sizeof owner);
        snprintf(words, words_size, "another server (process %s) uses the database %.90s", owner,
                 file->path);
        close(lock);
        return false;
    }
    int length = snprintf(owner, sizeof owner, "%ld\n", (long)getpid());
    /* Only for the words above: a lock whose owner cannot be written down is as good. */
    if (ftruncate(lock, 0) != 0 || pwrite(lock, owner, (size_t)length, 0) != length)
        errno = 0;
    file->lock = lock;
    return true;
}

/* SQLite would make the file readable to all; it holds what only the server may know. An existing
 * file is not opened here: closing it would drop the locks SQLite might hold in this process. */
static bool make_file(const struct database_file *file, char *words, size_t words_size)
{
    if (access(file->path, F_OK) == 0)
        return true;
    int made = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    if (made < 0) {
        snprintf(words, words_size, "cannot make %.110s: %s", file->path, strerror(errno));
        return false;
    }
    close(made);
    return true;
}

static bool read_path(struct database_file *file, const char *url, char *words, size_t words_size)
{
    *file = (struct database_file){.lock = -1};
    const char *path = find_path(url);
    if (path == NULL) {
        snprintf(words, words_size,
                 "%.60s is not a database's URL; write sqlite:///absolute/path.db or "
                 "sqlite:relative.db",
                 url);
        return false;
    }
    if (strlen(path) >= sizeof file->path - sizeof lock_suffix) {
        snprintf(words, words_size, "the database's path is too long");
        return false;
    }
    snprintf(file->path, sizeof file->path, "%s", path);
    file->memory = strcmp(path, ":memory:") == 0;
    return true;
}

bool database_file_find(struct database_file *file, const char *url, char *words, size_t words_size)
{
    if (!read_path(file, url, words, words_size))
        return false;
    if (!file->memory && access(file->path, F_OK) == 0)
        return true;
    snprintf(words, words_size, "%.110s: %s", file->path, strerror(file->memory ? ENOENT : errno));
    return false;
}

bool database_file_init(struct database_file *file, const char *url, char *words, size_t words_size)
{
    if (!read_path(file, url, words, words_size))
        return false;
    if (file->memory)
        return true;
    if (!resolve(file, words, words_size) || !take_lock(file, words, words_size))
        return false;
    if (make_file(file, words, words_size))
        return true;
    database_file_release(file);
    return false;
}

void database_file_release(struct database_file *file)
{
    if (file->lock >= 0)
        close(file->lock);
    file->lock = -1;
}
