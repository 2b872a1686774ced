#include "server/store/arena.h"
#include "server/store/store.h"

void store_answer_release(struct store_answer *answer)
{
    arena_release(&answer->arena);
    answer->room_count = answer->event_count = 0;
    answer->rooms = NULL;
    answer->events = NULL;
    answer->definition = answer->secret = NULL;
    answer->definition_length = 0;
}
