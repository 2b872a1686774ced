/* What wasi-libc does not have; see ../setjmp.c. */
#ifndef SERVER_BROWSER_SETJMP_H
#define SERVER_BROWSER_SETJMP_H

typedef unsigned long jmp_buf[8];
int setjmp(jmp_buf) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf, int);

#endif
