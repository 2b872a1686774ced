#include "server/cli/place.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PART_BYTES = 64 };

static bool read_boot(char boot[PART_BYTES])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    bool read = file != NULL && fgets(boot, PART_BYTES, file) != NULL;
    if (file != NULL)
        fclose(file);
    if (read)
        boot[strcspn(boot, "\n")] = '\0';
    return read && boot[0] != '\0';
}

/* Containers have networks of their own, and may all listen on port 8080. */
static bool read_network(char network[PART_BYTES])
{
    ssize_t length = readlink("/proc/self/ns/net", network, PART_BYTES - 1);
    if (length <= 0)
        return false;
    network[length] = '\0';
    return true;
}

void place_write(const char *host, int port, char place[PLACE_BYTES])
{
    char boot[PART_BYTES], network[PART_BYTES];
    place[0] = '\0';
    if (read_boot(boot) && read_network(network))
        snprintf(place, PLACE_BYTES, "%s %s %.64s:%d", boot, network, host, port);
}
