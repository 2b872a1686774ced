/* What jansson's configuration finds out, for wasm32-wasi. Hash tables need no seed of chance: who sends texts to a Worker of
 * the own page slows down nobody else. */
#define HAVE_ENDIAN_H 1
#define HAVE_FCNTL_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define HAVE_LOCALECONV 1
#define HAVE_LOCALE_H 1
#define HAVE_LONG_LONG_INT 1
#define HAVE_UNSIGNED_LONG_LONG_INT 1
#define HAVE_SNPRINTF 1
#define HAVE_STRTOLL 1
#define HAVE_ATOMIC_BUILTINS 1
#define INITIAL_HASHTABLE_ORDER 3
