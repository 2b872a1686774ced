/* A parsed JSON value back to text, through the writer: as it came, or canonical, which is what hashes are made of.
 * Private to the files here that know jansson. */
#ifndef PROTOCOL_DOCUMENT_H
#define PROTOCOL_DOCUMENT_H

#include "protocol/writer.h"

#include <jansson.h>

enum document_keys { DOCUMENT_AS_IT_CAME, DOCUMENT_SORTED };

/* The value's depth is bounded by whoever parsed it. */
void document_write(struct writer *writer, json_t *value, enum document_keys keys);

#endif
