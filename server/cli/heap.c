#include "server/cli/heap.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    /* glibc moves its own bounds up to 32 MiB by what is freed, unless they are set. A frame is smaller, a compiled game larger. */
    PIECE_BYTES_MAX = 512 * 1024,     /* of a heap; larger ones are mapped */
    HEAP_END_BYTES_MAX = 1024 * 1024, /* free at its end; more goes back at once */
    GROWTH_PART = 32, /* of the process: so much more free than after the last trim is given back */
};

void heap_set_bounds(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, PIECE_BYTES_MAX);
    mallopt(M_TRIM_THRESHOLD, HEAP_END_BYTES_MAX);
#endif
}

/* 0: unknown. The file says in pages how large the process is, and how much of it is resident. */
static uint64_t read_resident_bytes(void)
{
    char line[128], *end = line;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fgets(line, sizeof line, file) == NULL)
        line[0] = '\0';
    fclose(file);
    strtoull(line, &end, 10);
    return strtoull(end, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t count_used_bytes(void)
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
#else
    return 0;
#endif
}

static void trim(struct heap_figures *figures)
{
#ifdef __GLIBC__
    uint64_t began_ns = uv_hrtime();
    malloc_trim(0);
    figures->trim_us_total += (uv_hrtime() - began_ns) / 1000;
    figures->trims++;
#endif
}

/* Of the process what nobody has asked for; the program itself is in it, too, which does not change. */
static uint64_t free_bytes(const struct heap_figures *figures)
{
    return figures->resident_bytes > figures->used_bytes
               ? figures->resident_bytes - figures->used_bytes
               : 0;
}

static void measure(struct heap_figures *figures)
{
    figures->resident_bytes = read_resident_bytes();
    figures->used_bytes = count_used_bytes();
}

/* On a thread. Each heap is locked while it is looked through. */
static void look(uv_work_t *work)
{
    struct heap *heap = work->data;
    struct heap_figures *found = &heap->found;
    measure(found);
    if (found->resident_bytes == 0)
        return;
    if (free_bytes(found) > heap->settled_bytes + found->resident_bytes / GROWTH_PART) {
        trim(found);
        measure(found);
        heap->settled_bytes = free_bytes(found);
    } else if (free_bytes(found) < heap->settled_bytes) {
        heap->settled_bytes = free_bytes(found);
    }
}

static void on_looked(uv_work_t *work, int status)
{
    struct heap *heap = work->data;
    heap->is_under_way = false;
    if (status == 0)
        heap->figures = heap->found;
}

static void on_time(uv_timer_t *timer)
{
    struct heap *heap = timer->data;
    if (!heap->is_under_way)
        heap->is_under_way = uv_queue_work(timer->loop, &heap->work, look, on_looked) == 0;
}

void heap_start(struct heap *heap, uv_loop_t *loop, uint64_t every_ms)
{
    uv_timer_init(loop, &heap->timer);
    heap->timer.data = heap->work.data = heap;
    uv_timer_start(&heap->timer, on_time, every_ms, every_ms);
}

void heap_finish(struct heap *heap)
{
    uv_close((uv_handle_t *)&heap->timer, NULL);
}
