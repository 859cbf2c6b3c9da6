/* text.h -- text in lent memory: append, never allocate, never overflow.
 *
 * A full MashText drops what does not fit and remembers that (`cut`), so a writer may append freely
 * and check once at the end. The bytes are always NUL-terminated if max > 0. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `bytes` holds `count` bytes of text, at most `max` with the NUL. */
typedef struct MashText {
    char *bytes;
    uint32_t count, max;
    bool truncated; /* something did not fit */
} MashText;

/* A text over `memory`, empty. */
MashText text_over(char *memory, uint32_t max);
/* Makes the text empty again. */
void text_clear(MashText *text);
/* Appends one byte, a counted run of bytes, or a C string. */
void text_byte(MashText *text, char byte);
void text_bytes(MashText *text, const char *bytes, uint32_t count);
void text_string(MashText *text, const char *string);
/* Appends an integer in decimal, or `digits` lower case hexadecimal digits of it. */
void text_int(MashText *text, int64_t number);
void text_hex(MashText *text, uint64_t number, int digits);
/* Appends by a format of %s %d %u %c %% only (int, unsigned): a subset of printf, so compilers
 * check it; does not use stdio, so WebAssembly stays small. */
void text_format(MashText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_format_va(MashText *text, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* The value of a hexadecimal digit, lower or upper case; -1: it is not one. */
int text_hex_digit(char c);
/* Equal, ignoring ASCII case? `a` may be shorter than its buffer: both are C strings. */
bool text_equal_nocase(const char *a, const char *b);
/* Does the C string end with `ending`? */
bool text_ends_with(const char *string, const char *ending);

#endif
