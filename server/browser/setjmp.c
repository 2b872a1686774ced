/* The runtime of setjmp and longjmp as clang 14 compiles them to WebAssembly (-wasm-enable-sjlj): a function that calls setjmp
 * keeps a table of the points it may come back to, and longjmp is an exception that every such function catches, looks up
 * in its table, and throws on if it is not its own. The names are the compiler's. */
#include <stdint.h>
#include <stdlib.h>

enum { JUMP_TAG = 1 };

struct point {
    uintptr_t id; /* 0: the end of the table */
    uint32_t label;
};

struct jump {
    void *environment;
    int value;
};

static uint32_t last_id, table_size;
static struct jump jump;

uint32_t getTempRet0(void);
void setTempRet0(uint32_t value);
struct point *saveSetjmp(uintptr_t *environment, uint32_t label, struct point *table,
                         uint32_t size);
uint32_t testSetjmp(uintptr_t id, struct point *table, uint32_t size);
void __wasm_longjmp(void *environment, int value);

uint32_t getTempRet0(void)
{
    return table_size;
}

void setTempRet0(uint32_t value)
{
    table_size = value;
}

/* The table it returns has so many points as getTempRet0 says, the end included. */
struct point *saveSetjmp(uintptr_t *environment, uint32_t label, struct point *table, uint32_t size)
{
    uint32_t used = 0;
    while (used < size && table[used].id != 0)
        used++;
    if (used + 1 >= size) {
        size = (size + 1) * 2;
        table = realloc(table, size * sizeof *table);
        if (table == NULL)
            __builtin_trap();
    }
    *environment = ++last_id;
    table[used] = (struct point){.id = last_id, .label = label};
    table[used + 1].id = 0;
    setTempRet0(size);
    return table;
}

uint32_t testSetjmp(uintptr_t id, struct point *table, uint32_t size)
{
    for (uint32_t i = 0; i < size && table[i].id != 0; i++)
        if (table[i].id == id)
            return table[i].label;
    return 0;
}

void __wasm_longjmp(void *environment, int value)
{
    jump = (struct jump){.environment = environment, .value = value != 0 ? value : 1};
    __builtin_wasm_throw(JUMP_TAG, &jump);
}
