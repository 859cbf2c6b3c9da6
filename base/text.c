/* text.c -- see text.h: appending to lent memory. */
#include "base/text.h"

#include <assert.h>
#include <string.h>

MashText text_over(char *memory, uint32_t max) {
    assert(memory != NULL && max > 0);
    MashText text = {.bytes = memory, .count = 0, .max = max, .truncated = false};
    memory[0] = '\0';
    return text;
}

void text_clear(MashText *text) {
    text->count = 0;
    text->truncated = false;
    text->bytes[0] = '\0';
}

void text_bytes(MashText *text, const char *bytes, uint32_t count) {
    assert(text->count < text->max);
    uint32_t room = text->max - 1 - text->count;
    if (count > room) {
        text->truncated = true;
        count = room;
    }
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
    text->bytes[text->count] = '\0';
}

void text_byte(MashText *text, char byte) {
    assert(text->count < text->max);
    if (text->count + 1 == text->max) {
        text->truncated = true;
        return;
    }
    text->bytes[text->count++] = byte;
    text->bytes[text->count] = '\0';
}

void text_string(MashText *text, const char *string) {
    text_bytes(text, string, (uint32_t)strlen(string));
}

void text_int(MashText *text, int64_t number) {
    char digits[20];
    uint32_t start = sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        digits[--start] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        text_byte(text, '-');
    text_bytes(text, digits + start, (uint32_t)sizeof digits - start);
}

void text_hex(MashText *text, uint64_t number, int digits) {
    assert(digits >= 1 && digits <= 16);
    for (int i = digits - 1; i >= 0; i--)
        text_byte(text, "0123456789abcdef"[number >> (4 * i) & 15]);
}

void text_format_va(MashText *text, const char *format, va_list list) {
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%') {
            text_byte(text, *c);
            continue;
        }
        c++;
        assert(*c != '\0');
        switch (*c) {
        case 's':
            text_string(text, va_arg(list, const char *));
            break;
        case 'd':
            text_int(text, va_arg(list, int));
            break;
        case 'u':
            text_int(text, va_arg(list, unsigned));
            break;
        case 'c':
            text_byte(text, (char)va_arg(list, int));
            break;
        default:
            assert(*c == '%');
            text_byte(text, '%');
        }
    }
}

void text_format(MashText *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text_format_va(text, format, list);
    va_end(list);
}

/* Converts an ASCII capital to lower case. */
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool text_equal_nocase(const char *a, const char *b) {
    while (*a != '\0' && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

bool text_ends_with(const char *string, const char *ending) {
    size_t whole = strlen(string), part = strlen(ending);
    return part <= whole && strcmp(string + whole - part, ending) == 0;
}

int text_hex_digit(char c) {
    char lower = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}
