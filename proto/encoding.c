/* encoding.c -- see message.h: table codes, actions as hexadecimal digits, bytes as base64. */
#include <string.h>

#include "proto/message.h"

/* --- Codes: twelve digits of five bits, without the letters that look like others ------------- */

static const char code_digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

void table_code_encode(uint64_t number, char out[PROTO_CODE_MAX + 1]) {
    assert(number >> 5 * PROTO_CODE_DIGITS == 0);
    MashText text = text_over(out, PROTO_CODE_MAX + 1);
    for (int i = PROTO_CODE_DIGITS - 1; i >= 0; i--) {
        text_byte(&text, code_digits[number >> (5 * i) & 31]);
        if (i > 0 && i % 4 == 0)
            text_byte(&text, '-');
    }
}

/* The value of a digit, or -1. Not case sensitive; o is read as 0, i and l as 1. */
static int code_digit(char c) {
    if (c >= 'A' && c <= 'Z')
        c = (char)(c - 'A' + 'a');
    c = c == 'o' ? '0' : c == 'i' || c == 'l' ? '1' : c;
    const char *found = c == '\0' ? NULL : strchr(code_digits, c);
    return found == NULL ? -1 : (int)(found - code_digits);
}

bool table_code_decode(const char *code, uint64_t *number) {
    uint64_t value = 0;
    uint32_t digits = 0;
    for (const char *c = code; *c != '\0'; c++) {
        if (*c == '-')
            continue;
        int digit = code_digit(*c);
        if (digit < 0 || ++digits > PROTO_CODE_DIGITS)
            return false;
        value = value << 5 | (uint64_t)digit;
    }
    *number = value;
    return digits == PROTO_CODE_DIGITS;
}

/* --- Actions ---------------------------------------------------------------------------------- */

bool action_from_hex(const char *digits, MashAction *action) {
    uint8_t bytes[sizeof *action];
    if (strlen(digits) != 2 * sizeof bytes ||
        strspn(digits, "0123456789abcdef") != 2 * sizeof bytes)
        return false;
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] =
            (uint8_t)(text_hex_digit(digits[2 * i]) << 4 | text_hex_digit(digits[2 * i + 1]));
    memcpy(action, bytes, sizeof bytes);
    return true;
}

void action_to_hex(MashAction action, MashText *text) {
    uint8_t bytes[sizeof action];
    memcpy(bytes, &action, sizeof bytes);
    for (uint32_t i = 0; i < sizeof bytes; i++)
        text_hex(text, bytes[i], 2);
}

/* --- Base64 ----------------------------------------------------------------------------------- */

void option_write(JsonWriter *writer, const MashOption *option) {
    json_open(writer, '{');
    json_put_pair(writer, "id", option->id);
    json_put_pair(writer, "title", option->title);
    json_put_pair_int(writer, "least", option->least);
    json_put_pair_int(writer, "most", option->most);
    json_put_pair_int(writer, "usual", option->usual);
    json_close(writer, '}');
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes the four digits of three bytes. */
static void write_four(uint32_t three, char out[4]) {
    out[0] = base64_digits[three >> 18];
    out[1] = base64_digits[three >> 12 & 63];
    out[2] = base64_digits[three >> 6 & 63];
    out[3] = base64_digits[three & 63];
}

void base64_encode(const void *bytes, uint32_t count, MashText *text) {
    enum { THREES = 64 };
    const uint8_t *from = bytes;
    while (count >= 3) {
        char piece[THREES * 4];
        uint32_t threes = count / 3 < THREES ? count / 3 : THREES;
        for (uint32_t i = 0; i < threes; i++, from += 3)
            write_four((uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2], &piece[4 * i]);
        text_bytes(text, piece, threes * 4);
        count -= threes * 3;
    }
    if (count == 0)
        return;
    char last[4];
    write_four((uint32_t)from[0] << 16 | (count > 1 ? (uint32_t)from[1] << 8 : 0), last);
    last[3] = '=';
    if (count == 1)
        last[2] = '=';
    text_bytes(text, last, sizeof last);
}

/* The value of a digit, or -1. */
static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int64_t base64_decode(const char *digits, uint32_t count, void *out, uint32_t max) {
    uint8_t *to = out;
    if (count % 4 != 0)
        return -1;
    uint32_t padding = count == 0                 ? 0
                       : digits[count - 1] != '=' ? 0
                                                  : 1 + (digits[count - 2] == '=');
    uint32_t bytes = count / 4 * 3 - padding, bits = 0, held = 0, written = 0;
    if (bytes > max)
        return -1;
    for (uint32_t i = 0; i < count - padding; i++) {
        int digit = base64_digit(digits[i]);
        if (digit < 0)
            return -1;
        held = held << 6 | (uint32_t)digit;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            to[written++] = (uint8_t)(held >> bits);
        }
    }
    bool clean = (held & (((uint32_t)1 << bits) - 1)) == 0;
    return clean && written == bytes ? (int64_t)bytes : -1;
}
