#include "server/store/postgres_wait.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>

int64_t postgres_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum {
    LOOK_MS = 100,   /* so often whether the end is near */
    ENDING_MS = 3000 /* so long is everything waited for then, together */
};

void postgres_hurry(struct store_driver *driver)
{
    atomic_store(&driver->end_ms, postgres_now_ms() + ENDING_MS);
}

bool postgres_is_over(struct store_driver *driver)
{
    int64_t end_ms = atomic_load(&driver->end_ms);
    return end_ms != 0 && postgres_now_ms() >= end_ms;
}

/* Until there is something to read, or room for what is still to be sent. */
static bool wait_for(struct store_driver *driver, bool unsent, int64_t deadline_ms)
{
    short events = (short)(unsent ? POLLIN | POLLOUT : POLLIN);
    struct pollfd socket = {.fd = PQsocket(driver->connection), .events = events};
    int ready = 0;
    for (int64_t left_ms; ready == 0 && !postgres_is_over(driver) &&
                          (left_ms = deadline_ms - postgres_now_ms()) > 0;)
        ready = poll(&socket, 1, left_ms < LOOK_MS ? (int)left_ms : LOOK_MS);
    driver->silent = ready == 0;
    return ready > 0 || (ready < 0 && errno == EINTR);
}

/* The library reads the end of the connection next, and waits for nothing more. */
static void give_up(const struct store_driver *driver)
{
    int socket = PQsocket(driver->connection);
    if (socket >= 0)
        shutdown(socket, SHUT_RDWR);
}

PGresult *postgres_receive(struct store_driver *driver)
{
    int64_t deadline_ms = postgres_now_ms() + driver->answer_ms;
    while (PQisBusy(driver->connection)) {
        int unsent = PQflush(driver->connection);
        if (unsent >= 0 && wait_for(driver, unsent > 0, deadline_ms) &&
            PQconsumeInput(driver->connection) == 1)
            continue;
        give_up(driver);
        break;
    }
    return PQgetResult(driver->connection);
}

PGresult *postgres_receive_last(struct store_driver *driver, int sent)
{
    PGresult *last = NULL;
    if (sent != 1)
        return NULL;
    for (PGresult *result; (result = postgres_receive(driver)) != NULL;) {
        PQclear(last);
        last = result;
        if (PQstatus(driver->connection) != CONNECTION_OK)
            break;
    }
    return last;
}
