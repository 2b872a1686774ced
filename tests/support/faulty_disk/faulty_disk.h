/* A disk that fails when it is told to and forgets what was not synced: it stands between a program and the files of
 * one folder. To be preloaded (LD_PRELOAD, with FAULTY_DISK_FOLDER and FAULTY_DISK_LOG in the environment), or
 * linked before the libraries it is to stand in front of, and attached.
 *
 * What it does not see: files below folders of the folder, names given relatively, memory that is mapped. A `-shm` and a
 * `-lock` file's calls are counted and fail as all others do, but nothing of them is remembered: SQLite makes
 * the first one anew, and the second holds nothing. A real disk is never waited for. */
#ifndef TESTS_SUPPORT_FAULTY_DISK_FAULTY_DISK_H
#define TESTS_SUPPORT_FAULTY_DISK_FAULTY_DISK_H

#include <stdbool.h>

struct disk_log;

/* Both are borrowed for as long as the process lives. `folder` is absolute, without links. */
void faulty_disk_attach(struct disk_log *log, const char *folder);

#endif
