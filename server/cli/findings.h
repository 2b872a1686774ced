/* What is wrong with a game file, for programs. */
#ifndef SERVER_CLI_FINDINGS_H
#define SERVER_CLI_FINDINGS_H

#include "engine/load/diagnostic.h"

#include <jansson.h>

/* Adds to an array, each finding as an object: severity, line, column, pointer, message, hint; and first the file, if `path`
 * is not NULL. What there was no room for is one more finding. */
void findings_add(json_t *findings, const char *path, const struct diagnostics *diagnostics);
/* One that speaks of the whole file. */
void findings_note(json_t *findings, const char *path, enum diagnostic_severity severity,
                   const char *message);

const char *findings_severity(enum diagnostic_severity severity);

#endif
