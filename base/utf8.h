/* utf8.h -- UTF-8 according to RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H
#include <stdint.h>

/* The length of the code point at the start, 1 to 4 bytes; 0 if `count` bytes do not start with a
 * valid one. */
uint32_t utf8_length(const char *bytes, uint32_t count);
/* The code point at the start; the bytes must be valid. */
uint32_t utf8_decode(const char *bytes, uint32_t length);
/* Writes a code point; returns its number of bytes. */
uint32_t utf8_encode(uint32_t code, char out[4]);

#endif
