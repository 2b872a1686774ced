#include "server/pictures/svg_drawn.h"

#include "server/pictures/svg_values.h"

#include <stdlib.h>
#include <string.h>

enum { REFERENCES_MAX = 2 * PICTURE_ELEMENTS_MAX };

struct element {
    int line;
    int end;             /* the first that is not in it any more */
    int first_reference; /* of those that follow up to the next element's */
    int drawn;           /* 0: not counted yet */
    int chain;           /* references, one behind the other, that begin in it */
    bool counting;
};

struct name {
    char id[SVG_ID_BYTES_MAX + 1];
    int element;
};

struct reference {
    char id[SVG_ID_BYTES_MAX + 1];
};

struct svg_drawn {
    int element_count, name_count, reference_count;
    struct element elements[PICTURE_ELEMENTS_MAX + 1];
    struct name names[PICTURE_ELEMENTS_MAX];
    struct reference references[REFERENCES_MAX];
    const char *fault;
    int fault_line;
};

struct svg_drawn *svg_drawn_new(void)
{
    return calloc(1, sizeof(struct svg_drawn));
}

void svg_drawn_free(struct svg_drawn *drawn)
{
    free(drawn);
}

int svg_drawn_begin(struct svg_drawn *drawn, int line)
{
    if (drawn->element_count == PICTURE_ELEMENTS_MAX)
        return -1;
    drawn->elements[drawn->element_count] =
        (struct element){.line = line, .first_reference = drawn->reference_count};
    return drawn->element_count++;
}

void svg_drawn_end(struct svg_drawn *drawn, int element)
{
    drawn->elements[element].end = drawn->element_count;
}

void svg_drawn_name(struct svg_drawn *drawn, const char *id, size_t length)
{
    struct name *name = &drawn->names[drawn->name_count++];
    memcpy(name->id, id, length);
    name->id[length] = '\0';
    name->element = drawn->element_count - 1;
}

bool svg_drawn_refer(struct svg_drawn *drawn, const char *id, size_t length)
{
    if (drawn->reference_count == REFERENCES_MAX)
        return false;
    struct reference *reference = &drawn->references[drawn->reference_count++];
    memcpy(reference->id, id, length);
    reference->id[length] = '\0';
    return true;
}

/* Of two elements with the same name the first one has it. */
static int compare_names(const void *a, const void *b)
{
    const struct name *first = a, *second = b;
    int order = strcmp(first->id, second->id);
    return order != 0 ? order : first->element - second->element;
}

static int find_named(const struct svg_drawn *drawn, const char *id)
{
    int from = 0, to = drawn->name_count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (strcmp(drawn->names[middle].id, id) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < drawn->name_count && strcmp(drawn->names[from].id, id) == 0;
    return found ? drawn->names[from].element : -1;
}

static int refuse(struct svg_drawn *drawn, int element, const char *fault)
{
    if (drawn->fault == NULL) {
        drawn->fault = fault;
        drawn->fault_line = drawn->elements[element].line;
    }
    return 0;
}

static int count(struct svg_drawn *drawn, int element, int chain);

/* What is in an element, or at the end of one more reference. Neither sum is above PICTURE_DRAWN_MAX. 0: refused. */
static int add(struct svg_drawn *drawn, int element, int sum, int other, int chain, int references)
{
    struct element *counted = &drawn->elements[element];
    int more = count(drawn, other, chain + references);
    if (more == 0)
        return 0;
    int longest = drawn->elements[other].chain + references;
    if (counted->chain < longest)
        counted->chain = longest;
    if (chain + longest > PICTURE_REFERENCES_MAX)
        return refuse(drawn, element, "begins a chain of more than 8 references");
    if (sum + more > PICTURE_DRAWN_MAX)
        return refuse(drawn, element, "draws more than 20000 elements by using them again");
    return sum + more;
}

static int count_anew(struct svg_drawn *drawn, int element, int chain)
{
    const struct element *counted = &drawn->elements[element];
    int sum = 1;
    for (int child = element + 1; child < counted->end && sum > 0;
         child = drawn->elements[child].end)
        sum = add(drawn, element, sum, child, chain, 0);
    int last = drawn->elements[element + 1].first_reference;
    for (int i = counted->first_reference; i < last && sum > 0; i++) {
        int target = find_named(drawn, drawn->references[i].id);
        if (target >= 0)
            sum = add(drawn, element, sum, target, chain, 1);
    }
    return sum;
}

/* `chain`: how many references have led here; it bounds how deep this goes. */
static int count(struct svg_drawn *drawn, int element, int chain)
{
    struct element *counted = &drawn->elements[element];
    if (counted->counting)
        return refuse(drawn, element, "uses itself");
    if (chain > PICTURE_REFERENCES_MAX)
        return refuse(drawn, element, "ends a chain of more than 8 references");
    if (counted->drawn > 0)
        return counted->drawn;
    counted->counting = true;
    counted->drawn = count_anew(drawn, element, chain);
    counted->counting = false;
    return counted->drawn;
}

const char *svg_drawn_fault(struct svg_drawn *drawn, int *line)
{
    /* Behind the last one its references end. */
    drawn->elements[drawn->element_count].first_reference = drawn->reference_count;
    qsort(drawn->names, (size_t)drawn->name_count, sizeof *drawn->names, compare_names);
    if (drawn->element_count > 0)
        count(drawn, 0, 0);
    *line = drawn->fault_line;
    return drawn->fault;
}
