#include "engine/load/diagnostic.h"

#include <stdlib.h>
#include <string.h>

void diagnostics_init(struct diagnostics *diagnostics)
{
    memset(diagnostics, 0, sizeof *diagnostics);
}

void diagnostics_release(struct diagnostics *diagnostics)
{
    free(diagnostics->list);
    diagnostics_init(diagnostics);
}
