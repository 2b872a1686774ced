/* The words of what is said: kinds of messages, actions, refusals. */
#include "protocol/message.h"

#include <assert.h>

bool room_id_fits(size_t length)
{
    return length == ROOM_ID_BYTES || length == ROOM_ID_BYTES_OLD;
}

const char *message_kind_word(enum message_kind kind)
{
    static const char *const words[] = {
#define X(kind, word) word,
        MESSAGE_KINDS(X)
#undef X
    };
    assert((unsigned)kind < MESSAGE_KIND_COUNT);
    return words[kind];
}

const char *action_request_word(enum action_request action)
{
    static const char *const words[] = {
#define X(kind, word) word,
        ACTION_KINDS(X)
#undef X
    };
    assert((unsigned)action < ACTION_REQUEST_COUNT);
    return words[action];
}

const char *chat_voices_word(enum chat_voices voices)
{
    static const char *const words[] = {"everybody", "players", "nobody"};
    assert((unsigned)voices < CHAT_VOICES_COUNT);
    return words[voices];
}

struct refusal_row {
    const char *code, *words;
    bool retry;
};

static const struct refusal_row *refusal_row(enum refusal refusal)
{
    static const struct refusal_row rows[] = {
#define X(kind, code, words, retry) {code, words, retry},
        REFUSALS(X)
#undef X
    };
    assert((unsigned)refusal < REFUSAL_COUNT);
    return &rows[refusal];
}

const char *refusal_code(enum refusal refusal)
{
    return refusal_row(refusal)->code;
}

const char *refusal_words(enum refusal refusal)
{
    return refusal_row(refusal)->words;
}

bool refusal_may_retry(enum refusal refusal)
{
    return refusal_row(refusal)->retry;
}
