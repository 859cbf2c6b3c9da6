/* hash.c -- see hash.h. */
#include "base/hash.h"

#include <string.h>

/* The finaliser of splitmix64: every input bit reaches every output bit. */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t hash_number(uint64_t start, uint64_t number) {
    return mix((start ^ number) + 0x9e3779b97f4a7c15u);
}

/* One lane's step: cheap, reversible, and good enough with mix() at the end. */
static uint64_t stir(uint64_t lane, const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    lane = (lane ^ word) * 0x9fb21c651e98df25u;
    return lane ^ lane >> 29;
}

/* Four parallel lanes for long inputs, since a state's bytes are hashed at every node of a search;
 * then the rest word by word. */
uint64_t hash_bytes(uint64_t start, const void *bytes, size_t count) {
    const uint8_t *from = bytes;
    uint64_t hash = hash_number(start, count);
    if (count >= 32) {
        uint64_t a = hash, b = hash ^ 0xa0761d6478bd642fu, c = ~hash,
                 d = hash ^ 0xe7037ed1a0b428dbu;
        for (; count >= 32; from += 32, count -= 32) {
            a = stir(a, from), b = stir(b, from + 8);
            c = stir(c, from + 16), d = stir(d, from + 24);
        }
        hash = hash_number(hash_number(hash_number(mix(a), b), c), d);
    }
    for (; count >= 8; from += 8, count -= 8)
        hash = stir(hash, from);
    uint8_t rest[8] = {0};
    memcpy(rest, from, count);
    return mix(stir(hash, rest));
}

/* Rotates to the left. */
static uint64_t left(uint64_t x, int by) { return x << by | x >> (64 - by); }

/* One round of SipHash. */
static void sip_round(uint64_t v[4]) {
    v[0] += v[1], v[1] = left(v[1], 13) ^ v[0], v[0] = left(v[0], 32);
    v[2] += v[3], v[3] = left(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = left(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = left(v[1], 17) ^ v[2], v[2] = left(v[2], 32);
}

uint64_t hash_siphash(const uint64_t key[2], uint64_t word) {
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                     key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
    uint64_t blocks[2] = {word, (uint64_t)8 << 56};
    for (int i = 0; i < 2; i++) {
        v[3] ^= blocks[i];
        sip_round(v), sip_round(v);
        v[0] ^= blocks[i];
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
