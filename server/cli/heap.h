/* Memory that was freed goes back to the system.
 *
 * The allocator keeps freed memory for whoever asks next, and one live piece at the end of a heap keeps all that is free before
 * it: after thousands of connections had gone that was two thirds of the process. So a thread looks every so often how large
 * the process is and how much of it is asked for, and where more than before is free, gives back every page on which nothing
 * lives (malloc_trim). It is not enough to look whether the process grows: where what had made it large was gone, nothing grew,
 * and 70 MiB stayed. Elsewhere than on glibc this only looks. Private to server/cli. */
#ifndef SERVER_CLI_HEAP_H
#define SERVER_CLI_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum { HEAP_LOOK_EVERY_MS = 10000 };

struct heap_figures {
    uint64_t resident_bytes,
        used_bytes; /* the process in RAM; of its heaps: asked for, not freed */
    uint64_t trims, trim_us_total;
};

/* It stays where it is until the loop has ended. */
struct heap {
    struct heap_figures figures; /* as last looked at */
    /* Private. */
    uv_timer_t timer;
    uv_work_t work;
    bool is_under_way;
    struct heap_figures found; /* the thread's, while it is under way */
    uint64_t settled_bytes;    /* resident and not asked for, after the last trim */
};

/* Before there are threads: large pieces get a mapping of their own, so that they go back as they are freed. */
void heap_set_bounds(void);
void heap_start(struct heap *heap, uv_loop_t *loop, uint64_t every_ms);
void heap_finish(struct heap *heap); /* its timer closes; a look under way comes to its end */

#endif
