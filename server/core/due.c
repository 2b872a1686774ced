#include "server/core/due.h"

#include "engine/memory/memory.h"

#include <stdlib.h>

enum { ROOM_MIN = 64 };

static void put(const struct dues *dues, struct due *due, size_t place)
{
    dues->heap[place] = due;
    due->place = place;
}

static void rise(const struct dues *dues, struct due *due)
{
    size_t place = due->place;
    for (; place > 1 && dues->heap[place / 2]->at_ms > due->at_ms; place /= 2)
        put(dues, dues->heap[place / 2], place);
    put(dues, due, place);
}

static void sink(const struct dues *dues, struct due *due)
{
    size_t place = due->place;
    for (size_t child; (child = 2 * place) <= dues->count; place = child) {
        child += child < dues->count && dues->heap[child + 1]->at_ms < dues->heap[child]->at_ms;
        if (dues->heap[child]->at_ms >= due->at_ms)
            break;
        put(dues, dues->heap[child], place);
    }
    put(dues, due, place);
}

void due_set(struct dues *dues, struct due *due, uint64_t at_ms, void *of)
{
    due->at_ms = at_ms;
    due->of = of;
    if (due->place == 0) {
        if (dues->count + 2 > dues->room) {
            dues->room = dues->room > 0 ? 2 * dues->room : ROOM_MIN;
            dues->heap = memory_resize(dues->heap, dues->room, sizeof(struct due *));
        }
        put(dues, due, ++dues->count);
    }
    rise(dues, due);
    sink(dues, due);
}

void due_clear(struct dues *dues, struct due *due)
{
    if (due->place == 0)
        return;
    struct due *last = dues->heap[dues->count--];
    if (last != due) {
        put(dues, last, due->place);
        rise(dues, last);
        sink(dues, last);
    }
    due->place = 0;
}

const struct due *due_first(const struct dues *dues)
{
    return dues->count > 0 ? dues->heap[1] : NULL;
}

void dues_release(struct dues *dues)
{
    free(dues->heap);
}
