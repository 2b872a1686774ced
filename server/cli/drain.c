#include "server/cli/drain.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WITHIN_S = 60, WITHIN_S_MAX = 3600, COMMAND_BYTES = 32, PATH_BYTES = 64 };

static const char usage[] = "usage: senet drain PID [SECONDS]\n"
                            "\n"
                            "Asks the server of that process (the log's first line names it) to "
                            "end, and waits until it has, 60 seconds\n"
                            "unless said otherwise: for --drain-ms it is not ready and goes on, "
                            "then what is being stored is stored, and\n"
                            "everybody is told to come back. Exit status 0: it has ended; 1: it "
                            "has not, or it is no server.\n";

static long read_number(const char *text, long most)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    return errno == 0 && *end == '\0' && end != text && number > 0 && number <= most ? number : 0;
}

/* Another process may have the number by now. */
static bool is_server(pid_t pid)
{
    char path[PATH_BYTES], command[COMMAND_BYTES] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool read = fgets(command, sizeof command, file) != NULL;
    fclose(file);
    return read && strcmp(command, "senet\n") == 0;
}

static int complain(long pid, const char *words)
{
    fprintf(stderr, "senet drain: %ld %s\n", pid, words);
    return 1;
}

static int drain(pid_t pid, long within_s)
{
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    if (process < 0 || !is_server(pid)) {
        if (process >= 0)
            close(process);
        return complain(pid, "is no server on this machine");
    }
    struct pollfd ended = {.fd = process, .events = POLLIN};
    bool asked = syscall(SYS_pidfd_send_signal, process, SIGTERM, NULL, 0) == 0;
    bool has_ended = asked && poll(&ended, 1, (int)within_s * 1000) == 1;
    close(process);
    if (!asked)
        return complain(pid, "may not be ended by you");
    return has_ended ? 0 : complain(pid, "goes on; a second signal would end it at once");
}

int cli_drain(int argc, char **argv)
{
    bool is_help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    long pid = argc >= 2 ? read_number(argv[1], 1L << 30) : 0;
    long within_s = argc == 3 ? read_number(argv[2], WITHIN_S_MAX) : WITHIN_S;
    if (is_help || argc < 2 || argc > 3 || pid == 0 || within_s == 0) {
        fputs(usage, is_help ? stdout : stderr);
        return is_help ? 0 : 2;
    }
    return drain((pid_t)pid, within_s);
}
