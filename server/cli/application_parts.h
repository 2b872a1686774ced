/* What the running server is inside: the parts that are joined, the handles on their loop, and the stage of its life.
 * Private to server/cli/application*.c. */
#ifndef SERVER_CLI_APPLICATION_PARTS_H
#define SERVER_CLI_APPLICATION_PARTS_H

#include "server/bus/bus.h"
#include "server/chess_mate/chess_mate.h"
#include "server/cli/application.h"
#include "server/cli/callers.h"
#include "server/cli/heap.h"
#include "server/cli/loop_time.h"
#include "server/cli/neighbours.h"
#include "server/cli/place.h"
#include "server/cli/transfers.h"
#include "server/core/core.h"
#include "server/house/house.h"
#include "server/net/net.h"
#include "server/store/store.h"

#include <uv.h>

enum { APPLICATION_WORDS_BYTES = 256 };

enum application_stage {
    STARTING, /* bound, but the core is not ready: nobody is let in */
    SERVING,
    DRAINING,  /* serving still, but not ready for more: proxies look elsewhere */
    QUIETING,  /* no new connections or commands; commits finish */
    CLOSING,   /* peers are told to come back, some at a time */
    FINISHING, /* handles close; the loop ends by itself */
};

struct application {
    const struct config *config;
    struct log *log;
    uv_loop_t loop;
    struct loop_time loop_time;
    struct heap heap;
    struct core *core;
    struct store *store;
    struct net *net;
    struct bus *bus;
    struct neighbours neighbours;
    char node[BUS_NAME_BYTES + 1]; /* this life of the process, on the bus */
    struct transfers transfers;
    struct callers callers;
    struct house *house;
    struct chess_mate *chess_mate; /* NULL: not asked for */
    struct files *files;
    struct page_cache *pages, *drawn; /* drawn: pictures of published games */
    struct late_file *browser_engine;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_timer_t deadline, stage_timer, announce, watchdog;
    uv_signal_t terminated, interrupted, hung_up;
    enum application_stage stage;
    uint64_t stage_ms, started_ms;
    size_t slice;         /* while it closes: so many peers with each look; 0: all have been told */
    uint64_t epoch_ms;    /* what to add to the machine's time for milliseconds since 1970 */
    uint64_t deadline_ms; /* what the timer is set to */
    uint64_t reserve_again_ms; /* when to ask for the reserve of memory again, if it was given up */
    uint64_t store_trouble_ms;
    bool store_troubled;
    char place[PLACE_BYTES];
};

/* Wall-clock time at the start plus what has passed since by the clock that never goes back. */
uint64_t application_now_ms(const struct application *application);
/* The core, ready to be spoken to. */
struct core *application_told_the_time(struct application *application);

#endif
