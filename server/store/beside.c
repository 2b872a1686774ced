/* A question or two to a store that a server may be using: `senet games`. */
#include "server/store/store.h"

#include <stdio.h>

bool store_ask_beside(const char *url, const struct store_request *request,
                      struct store_answer *answer, char *words, size_t words_size)
{
    const struct store_driver_table *table = store_find_driver(url);
    if (table == NULL) {
        snprintf(words, words_size, "%.60s is not a store this program knows", url);
        return false;
    }
    struct store_driver *driver = table->open_beside(url, words, words_size);
    if (driver == NULL)
        return false;
    table->perform(driver, request, 1, answer);
    table->close(driver);
    if (answer->status != STORE_FAILED)
        return true;
    snprintf(words, words_size, "%s", answer->words);
    store_answer_release(answer);
    return false;
}
