/* Whatever game of format 2 the bytes make up, general code, fast code and the reference play it alike. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/engine/modern_invent.h"
#include "tests/engine/modern_net.h"
#include "tests/fuzz/fuzz.h"

enum { PLIES = 10, SUCCESSORS = 1, MOVES_MAX = 120 };

/* FNV-1a: what the bytes do not say. */
static uint64_t chance_of(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(1099511628211);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct net_limits limits = {.plies = PLIES, .successors = SUCCESSORS, .moves = MOVES_MAX};
    char words[NET_WORDS_BYTES];
    uint64_t chance = chance_of(data, size), plies = 0;
    char *text = modern_invent_from(data, size, chance);
    struct net_texts texts = {.general = text, .fast = text, .reference = text};
    struct net *net = net_new(&texts, words);
    if (net != NULL && !net_play(net, &chance, &limits, &plies, words)) {
        fprintf(stderr, "%s\n%s\n", words, text);
        abort();
    }
    if (net != NULL)
        net_free(net);
    free(text);
    return 0;
}
