/* The program's policy for memory (engine/memory/memory.h) as the server follows it. */
#ifndef SERVER_CLI_APPLICATION_MEMORY_H
#define SERVER_CLI_APPLICATION_MEMORY_H

#include <stdbool.h>

/* Before any library is used: takes the reserve, and lets the libraries that can be told ask as we do. */
void application_use_memory(void);
/* The core's port. While memory is short, it tries once a second whether the reserve can be had again. */
bool application_memory_is_short(void *context);

#endif
