#include "server/cli/numbers.h"

#include <stdlib.h>

bool number_read(const char *text, int least, int most, int *number)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most)
        return false;
    *number = (int)value;
    return true;
}
