/* hash.h -- 64-bit hashes of bytes: the same on every little-endian machine, which all our targets
 * are. */
#ifndef BASE_HASH_H
#define BASE_HASH_H
#include <stddef.h>
#include <stdint.h>

/* A good and fast hash, not a cryptographic one: for signatures, repetition keys and tables. Chain
 * by passing the last value. */
uint64_t hash_bytes(uint64_t start, const void *bytes, size_t count);
/* Mixes one number into a hash. */
uint64_t hash_number(uint64_t start, uint64_t number);
/* SipHash-2-4 of one 64-bit word under a 128-bit key: without the key, no value can be predicted
 * from others. */
uint64_t hash_siphash(const uint64_t key[2], uint64_t word);

#endif
