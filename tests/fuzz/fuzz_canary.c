/* The target that must fail: no input contains the word "canary". Its corpus does. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char word[] = "canary";
    for (size_t i = 0; i + sizeof word - 1 <= size; i++)
        if (memcmp(data + i, word, sizeof word - 1) == 0)
            abort();
    return 0;
}
