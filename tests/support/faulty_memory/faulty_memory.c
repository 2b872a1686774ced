/* Memory that fails on order: preloaded, it stands between a program with all its libraries and glibc's allocator. The
 * orders lie in a file that FAULTY_MEMORY names, which whoever tests may write while the program runs. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct orders {
    _Atomic uint64_t fail_at; /* the call that fails, counted from the start; 0: none */
    uint64_t fail_count;      /* it and those after it, so many */
    _Atomic uint64_t calls, failed;
};

static struct orders *orders;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

__attribute__((constructor)) static void attach(void)
{
    const char *path = getenv("FAULTY_MEMORY");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (ftruncate(file, sizeof *orders) == 0) {
        void *mapped = mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        orders = mapped == MAP_FAILED ? NULL : mapped;
    }
    close(file);
}

static bool fails(void)
{
    if (orders == NULL)
        return false;
    uint64_t call = atomic_fetch_add(&orders->calls, 1) + 1, at = atomic_load(&orders->fail_at);
    if (at == 0 || call < at || call - at >= orders->fail_count)
        return false;
    atomic_fetch_add(&orders->failed, 1);
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}
