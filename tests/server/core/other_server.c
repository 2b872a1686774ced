#include "tests/server/core/other_server.h"

#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

struct stage *stage_of_leases(void)
{
    struct stage *stage = malloc(sizeof *stage);
    stage_init_small(stage);
    stage_crash(stage);
    stage->options.lease_ms = LEASE_MS;
    stage->options.place = "here";
    stage->options.url = "https://a.example";
    return stage;
}

void with_lease(void (*body)(struct stage *stage))
{
    struct stage *stage = stage_of_leases();
    stage_start(stage);
    assert_true(core_ready(stage->core));
    body(stage);
    stage_release(stage);
    free(stage);
}

void pass(struct stage *stage, int ms)
{
    char line[32];
    snprintf(line, sizeof line, "leap: %d", ms);
    stage_play(stage, line);
}

enum store_status tell_store(struct stage *stage, const struct store_request *request)
{
    struct store_answer answer;
    memory_store_perform(&stage->store, request, &answer);
    store_answer_release(&answer);
    return answer.status;
}

void other_begins(struct stage *stage)
{
    tell_store(stage, &(struct store_request){.ask = STORE_LEASE,
                                              .node = "n_other",
                                              .place = "there",
                                              .url = "https://b.example",
                                              .lease_ms = 1000000});
}

void other_loads(struct stage *stage)
{
    assert_int_equal(tell_store(stage, &(struct store_request){.ask = STORE_LOAD,
                                                               .node = "n_other",
                                                               .room = stage->room}),
                     STORE_OK);
}

void other_writes(struct stage *stage, const char *kind, const char *client, const char *command,
                  const char *body)
{
    const struct kept_room *room = memory_store_room(&stage->store, stage->room);
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    request.writes[0] = (struct store_write){.room = {.id = room->id, .status = room->status},
                                             .expected_version = room->version,
                                             .epoch = room->epoch,
                                             .event = {.version = room->version + 1,
                                                       .at_ms = (int64_t)stage->now_ms,
                                                       .kind = kind,
                                                       .client = client,
                                                       .command = command,
                                                       .body = body}};
    assert_int_equal(tell_store(stage, &request), STORE_OK);
}

void other_says(struct stage *stage, const char *text)
{
    char body[128];
    snprintf(body, sizeof body, "{\"player\":\"p_other\",\"name\":\"Other\",\"text\":\"%s\"}",
             text);
    other_writes(stage, "chat", "p_other", "", body);
}

const struct kept_room *kept(struct stage *stage)
{
    return memory_store_room(&stage->store, stage->room);
}
