/* utf8.c -- see utf8.h. */
#include "base/utf8.h"

#include <assert.h>

/* The range of the second byte of a sequence, by its first. */
typedef struct Shape {
    uint32_t length;
    uint8_t low, high;
} Shape;

/* The length of a code point that starts with this byte, 0 = invalid, and the range of its second
 * byte. */
static Shape shape_of(uint8_t first) {
    if (first < 0x80)
        return (Shape){1, 0, 0};
    if (first < 0xC2 || first > 0xF4)
        return (Shape){0, 0, 0};
    if (first < 0xE0)
        return (Shape){2, 0x80, 0xBF};
    if (first < 0xF0)
        return (Shape){3, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF};
    return (Shape){4, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF};
}

uint32_t utf8_length(const char *bytes, uint32_t count) {
    if (count == 0)
        return 0;
    Shape shape = shape_of((uint8_t)bytes[0]);
    if (shape.length <= 1)
        return shape.length;
    if (count < shape.length)
        return 0;
    uint8_t second = (uint8_t)bytes[1];
    if (second < shape.low || second > shape.high)
        return 0;
    for (uint32_t i = 2; i < shape.length; i++)
        if (((uint8_t)bytes[i] & 0xC0) != 0x80)
            return 0;
    return shape.length;
}

uint32_t utf8_decode(const char *bytes, uint32_t length) {
    static const uint8_t masks[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    assert(length >= 1 && length <= 4);
    uint32_t code = (uint8_t)bytes[0] & masks[length];
    for (uint32_t i = 1; i < length; i++)
        code = code << 6 | ((uint8_t)bytes[i] & 0x3F);
    return code;
}

uint32_t utf8_encode(uint32_t code, char out[4]) {
    static const uint8_t marks[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    uint32_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    assert(code <= 0x10FFFF);
    for (uint32_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(marks[length] | code);
    return length;
}
