/* The room's state as a client keeps it: a JSON document, patched (RFC 7396) with the hash of its lines kept true
 * (README.md, "Events, state, snapshots"), and the question whether what came is a document that can be kept. */
#ifndef PROTOCOL_CLIENT_STATE_H
#define PROTOCOL_CLIENT_STATE_H

#include "protocol/client_parts.h"

enum { DOCUMENT_DEPTH_MAX = 8 }; /* of a state, a patch, a layout */

bool client_document_within(json_t *value, int depth_max);
/* What is wrong with a state, or NULL. */
const char *client_state_fault(const json_t *state);
bool client_is_legal_moves(const json_t *moves);

uint32_t client_state_hash(struct client *client, json_t *state);
/* Whether the message says no hash or the one that is kept. */
bool client_state_hash_is(const struct client *client, const json_t *message);
void client_state_patch(struct client *client, json_t *patch);

#endif
