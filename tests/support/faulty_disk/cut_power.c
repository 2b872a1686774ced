/* cut_power LOG FOLDER SEED: the folder becomes what its disk would hold if the power went now. The program that used
 * it has to be dead. */
#include "tests/support/faulty_disk/disk_log.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    if (count != 4) {
        fprintf(stderr, "usage: cut_power LOG FOLDER SEED\n");
        return 2;
    }
    struct disk_log *log = disk_log_open(words[1]);
    if (log == NULL) {
        perror(words[1]);
        return 1;
    }
    uint64_t seed = strtoull(words[3], NULL, 10);
    bool cut = disk_log_cut_power(log, words[2], (enum power_cut)(seed % 3), seed / 3);
    disk_log_close(log);
    return cut ? 0 : 1;
}
