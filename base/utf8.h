/* utf8.h -- UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H
#include <stdint.h>

/* The length of the code point that begins here, 1 to 4 bytes; 0 if `count` bytes do not begin with
 * a valid one. */
uint32_t utf8_length(const char *bytes, uint32_t count);
/* The code point that begins here; the bytes must be valid. */
uint32_t utf8_decode(const char *bytes, uint32_t length);
/* Writes a code point; how many bytes it took. */
uint32_t utf8_encode(uint32_t code, char out[4]);

#endif
