/* handshake.c -- see handshake.h. SHA-1 is here because the protocol names it; it protects nothing.
 */
#include "net/handshake.h"

#include <assert.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Base64 with padding and a NUL. */
static void encode(const uint8_t *bytes, uint32_t count, char *out) {
    for (uint32_t i = 0; i < count; i += 3) {
        uint32_t left = count - i;
        uint32_t three = (uint32_t)bytes[i] << 16;
        if (left > 1)
            three |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2)
            three |= bytes[i + 2];
        *out++ = letters[three >> 18];
        *out++ = letters[three >> 12 & 63];
        *out++ = left > 1 ? letters[three >> 6 & 63] : '=';
        *out++ = left > 2 ? letters[three & 63] : '=';
    }
    *out = '\0';
}

/* Rotates to the left. */
static uint32_t rotate(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

/* Mixes one block of 64 bytes into the five words. */
static void sha1_block(uint32_t words[5], const uint8_t block[64]) {
    uint32_t w[80];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = words[0], b = words[1], c = words[2], d = words[3], e = words[4];
    for (int i = 0; i < 80; i++) {
        uint32_t f = d ^ (b & (c ^ d)), k = 0x5A827999;
        if (i >= 60) {
            f = b ^ c ^ d;
            k = 0xCA62C1D6;
        } else if (i >= 40) {
            f = (b & c) | (d & (b | c));
            k = 0x8F1BBCDC;
        } else if (i >= 20) {
            f = b ^ c ^ d;
            k = 0x6ED9EBA1;
        }
        uint32_t next = rotate(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    words[0] += a;
    words[1] += b;
    words[2] += c;
    words[3] += d;
    words[4] += e;
}

/* SHA-1 of 60 bytes, the length of a key and what is appended to it: two blocks, the second with
 * the number of bits at its end. */
static void sha1(const char bytes[60], uint8_t out[20]) {
    uint32_t words[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    uint8_t blocks[2][64] = {{0}};
    memcpy(blocks[0], bytes, 60);
    blocks[0][60] = 0x80;
    blocks[1][62] = 480 >> 8;
    blocks[1][63] = 480 & 0xff;
    sha1_block(words, blocks[0]);
    sha1_block(words, blocks[1]);
    for (int i = 0; i < 20; i++)
        out[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
}

void handshake_key(const uint8_t random[16], char out[HANDSHAKE_KEY_BYTES]) {
    encode(random, 16, out);
}

bool handshake_key_valid(const char *key) {
    if (strlen(key) != HANDSHAKE_KEY_BYTES - 1 || strcmp(key + 22, "==") != 0)
        return false;
    for (int i = 0; i < 22; i++)
        if (strchr(letters, key[i]) == NULL)
            return false;
    return true;
}

void handshake_accept(const char *key, char out[HANDSHAKE_ACCEPT_BYTES]) {
    char text[60];
    uint8_t digest[20];
    assert(strlen(key) == HANDSHAKE_KEY_BYTES - 1);
    memcpy(text, key, HANDSHAKE_KEY_BYTES - 1);
    memcpy(text + HANDSHAKE_KEY_BYTES - 1, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", 36);
    sha1(text, digest);
    encode(digest, sizeof digest, out);
}
