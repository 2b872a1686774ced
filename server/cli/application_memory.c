#include "server/cli/application_memory.h"

#include "engine/memory/memory.h"
#include "server/cli/application_parts.h"
#include "server/cli/heap.h"
#include "server/core/digest.h"
#include "server/net/net.h"

#include <jansson.h>
#include <stdlib.h>
#include <uv.h>

enum { TRY_AGAIN_MS = 1000 };

static void *zeroed(size_t count, size_t size)
{
    return memory_zeroed(count, size > 0 ? size : 1);
}

static void *resize(void *old, size_t size)
{
    if (size > 0)
        return memory_resize(old, 1, size);
    free(old);
    return NULL;
}

void application_use_memory(void)
{
    heap_set_bounds();
    memory_fill_reserve();
    digest_use_memory();
    net_use_memory();
    uv_replace_allocator(memory_bytes, resize, zeroed, free);
    json_set_alloc_funcs(memory_for_library, free);
}

bool application_memory_is_short(void *context)
{
    struct application *application = context;
    uint64_t now_ms = uv_now(&application->loop);
    if (!memory_is_short())
        return false;
    if (now_ms < application->reserve_again_ms)
        return true;
    bool filled = memory_fill_reserve();
    if (!filled)
        application->reserve_again_ms = now_ms + TRY_AGAIN_MS;
    log_write(application->log, LOG_LEVEL_WARNING, filled ? "memory_again" : "memory_short", "");
    return !filled;
}
