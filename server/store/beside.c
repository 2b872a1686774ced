/* Questions to a store that a server may be using: `senet games`, `senet ratings`. */
#include "server/store/store.h"

#include <stdio.h>

bool store_beside_open(struct store_beside *beside, const char *url, char *words, size_t words_size)
{
    *beside = (struct store_beside){.table = store_find_driver(url)};
    if (beside->table == NULL) {
        snprintf(words, words_size, "%.60s is not a store this program knows", url);
        return false;
    }
    beside->driver = beside->table->open_beside(url, words, words_size);
    return beside->driver != NULL;
}

bool store_beside_ask(struct store_beside *beside, const struct store_request *request,
                      struct store_answer *answer, char *words, size_t words_size)
{
    beside->table->perform(beside->driver, request, 1, answer);
    if (answer->status != STORE_FAILED)
        return true;
    snprintf(words, words_size, "%s", answer->words);
    store_answer_release(answer);
    return false;
}

void store_beside_close(struct store_beside *beside)
{
    beside->table->close(beside->driver);
}

bool store_ask_beside(const char *url, const struct store_request *request,
                      struct store_answer *answer, char *words, size_t words_size)
{
    struct store_beside beside;
    if (!store_beside_open(&beside, url, words, words_size))
        return false;
    bool done = store_beside_ask(&beside, request, answer, words, words_size);
    store_beside_close(&beside);
    return done;
}
