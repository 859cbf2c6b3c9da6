/* assert.c -- a failed assert is a trap: the modules for WebAssembly import nothing. */

/* Called by failed asserts of the engine; declared by wasi-libc's assert.h. */
_Noreturn void __assert_fail(const char *what, const char *file, int line, const char *function);
_Noreturn void __assert_fail(const char *what, const char *file, int line, const char *function) {
    (void)what, (void)file, (void)line, (void)function;
    __builtin_trap();
}
