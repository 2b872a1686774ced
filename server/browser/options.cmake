# What every C file is compiled with for the browser. wasi-libc has neither setjmp nor mmap: clang makes the first of exceptions
# (setjmp.c is its runtime), the second is declared, and nobody reserves memory there.
add_compile_options(-mexception-handling "SHELL:-mllvm -wasm-enable-sjlj")
add_compile_definitions(_WASI_EMULATED_MMAN)
include_directories(SYSTEM ${CMAKE_CURRENT_LIST_DIR}/include)
