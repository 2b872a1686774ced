#include "server/store/question.h"

#include <assert.h>
#include <stdlib.h>

enum {
    SPARE_TEXT_BYTES = 512,
    SPARES_MAX = 1024,
};

void question_row_put(struct question_row *row, struct question *question)
{
    question->next = NULL;
    if (row->last == NULL)
        row->first = question;
    else
        row->last->next = question;
    row->last = question;
}

struct question *question_row_take(struct question_row *row)
{
    struct question *question = row->first;
    assert(question != NULL);
    row->first = question->next;
    if (row->first == NULL)
        row->last = NULL;
    return question;
}

static void row_move(struct question_row *to, struct question_row *from)
{
    if (from->first == NULL)
        return;
    if (to->last == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    *from = (struct question_row){NULL, NULL};
}

void questions_put(struct questions *questions, struct question *question)
{
    struct question_row *row = &questions->prompt;
    if (question->request.ask == STORE_LEASE)
        row = &questions->urgent;
    else if (question->request.ask == STORE_HISTORY)
        row = &questions->patient;
    question_row_put(row, question);
}

void questions_move(struct questions *to, struct questions *from)
{
    row_move(&to->urgent, &from->urgent);
    row_move(&to->prompt, &from->prompt);
    row_move(&to->patient, &from->patient);
}

static int take_some(struct question_row *to, struct question_row *from, int most)
{
    int count = 0;
    for (; from->first != NULL && count < most; count++)
        question_row_put(to, question_row_take(from));
    return count;
}

int questions_take(struct questions *from, struct question_row *batch, int most, bool *had_prompt)
{
    bool prompt = from->prompt.first != NULL && (!*had_prompt || from->patient.first == NULL);
    *batch = (struct question_row){NULL, NULL};
    if (from->urgent.first != NULL)
        return take_some(batch, &from->urgent, most);
    *had_prompt = prompt;
    return prompt ? take_some(batch, &from->prompt, most)
                  : take_some(batch, &from->patient, QUESTIONS_PATIENT);
}

bool questions_none(const struct questions *questions)
{
    return questions->urgent.first == NULL && questions->prompt.first == NULL &&
           questions->patient.first == NULL;
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
