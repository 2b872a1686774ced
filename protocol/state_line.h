/* The hash of a state is the sum of its lines' (README.md, "Events, state, snapshots"): a line is a group, a name, "=" and
 * the part's canonical JSON, fed to FNV-1a. Server and client make it from different things, and so the same way. */
#ifndef PROTOCOL_STATE_LINE_H
#define PROTOCOL_STATE_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t line_bytes(uint32_t line, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        line = (line ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return line;
}

static inline uint32_t line_plain(uint32_t line, const char *text)
{
    return line_bytes(line, text, strlen(text));
}

/* `group` is "cells.", "seats." or "". */
static inline uint32_t line_begin(const char *group, const char *name)
{
    uint32_t line = line_plain(UINT32_C(2166136261), group);
    line = line_plain(line, name);
    return line_bytes(line, "=", 1);
}

#endif
