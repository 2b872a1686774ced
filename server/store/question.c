#include "server/store/question.h"

#include <assert.h>
#include <stdlib.h>

enum {
    SPARE_TEXT_BYTES = 512,
    SPARES_MAX = 1024,
};

void questions_put(struct questions *list, struct question *question)
{
    question->next = NULL;
    if (list->last == NULL)
        list->first = question;
    else
        list->last->next = question;
    list->last = question;
}

void questions_move(struct questions *to, struct questions *from)
{
    if (from->first == NULL)
        return;
    if (to->last == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    *from = (struct questions){NULL, NULL};
}

struct question *questions_take(struct questions *list)
{
    struct question *question = list->first;
    assert(question != NULL);
    list->first = question->next;
    if (list->first == NULL)
        list->last = NULL;
    return question;
}

static struct question *with_room(struct question_spares *spares, size_t text_size)
{
    bool is_short = text_size <= SPARE_TEXT_BYTES;
    if (is_short && spares->count > 0) {
        struct question *spare = spares->first;
        spares->first = spare->next;
        spares->count--;
        return spare;
    }
    size_t room = is_short ? SPARE_TEXT_BYTES : text_size;
    struct question *question = malloc(sizeof *question + room);
    if (question != NULL)
        question->text_room = room;
    return question;
}

struct question *question_new(struct question_spares *spares, const struct store_request *request)
{
    struct question *question = with_room(spares, request_text_size(request));
    if (question != NULL)
        request_copy(&question->request, request, question->texts);
    return question;
}

void question_free(struct question_spares *spares, struct question *question)
{
    if (question->text_room != SPARE_TEXT_BYTES || spares->count == SPARES_MAX) {
        free(question);
        return;
    }
    question->next = spares->first;
    spares->first = question;
    spares->count++;
}

void question_spares_release(struct question_spares *spares)
{
    while (spares->first != NULL) {
        struct question *spare = spares->first;
        spares->first = spare->next;
        free(spare);
    }
    spares->count = 0;
}
