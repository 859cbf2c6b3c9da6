/* rate_limit.c -- see rate_limit.h. */
#define _GNU_SOURCE
#include "net/rate_limit.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

bool token_bucket_take(TokenBucket *bucket, NetRate rate, uint64_t now_ms, uint32_t cost) {
    static const uint64_t second_ns = 1000000000;
    if (rate.per_second == 0)
        return true;
    uint64_t now_ns = now_ms * 1000000;
    uint64_t full_ns = bucket->full_ns > now_ns ? bucket->full_ns : now_ns;
    full_ns += cost * second_ns / rate.per_second;
    if (full_ns - now_ns > rate.burst * second_ns / rate.per_second)
        return false;
    bucket->full_ns = full_ns;
    return true;
}

bool address_table_init(AddressTable *book, uint32_t sockets_max, const uint64_t secret[2]) {
    uint32_t sets = 128;
    while (sets < UINT32_MAX / 64 && sets * (ADDRESS_WAYS / 2) < sockets_max)
        sets *= 2;
    *book = (AddressTable){.sets = sets, .secret = {secret[0], secret[1]}};
    book->places = calloc((size_t)sets * ADDRESS_WAYS, sizeof *book->places);
    return book->places != NULL;
}

void address_book_release(AddressTable *book) {
    free(book->places);
    book->places = NULL;
}

Address *address_find(AddressTable *book, uint64_t key, uint64_t now_ms) {
    assert(key != 0);
    uint64_t set = hash_siphash(book->secret, key) & (book->sets - 1);
    Address *places = &book->places[set * ADDRESS_WAYS], *oldest = NULL;
    for (int i = 0; i < ADDRESS_WAYS; i++) {
        Address *place = &places[i];
        if (place->key == key) {
            place->last_used_ms = now_ms;
            return place;
        }
        if (place->sockets == 0 && (oldest == NULL || place->last_used_ms < oldest->last_used_ms))
            oldest = place;
    }
    if (oldest != NULL)
        *oldest = (Address){.key = key, .last_used_ms = now_ms};
    return oldest;
}

uint64_t address_key(const char *text) {
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    static const uint8_t loopback[16] = {[15] = 1};
    uint8_t bytes[16];
    uint64_t network = 0;
    int first = 0, count = 8;
    if (inet_pton(AF_INET, text, bytes) == 1) {
        count = 4;
    } else if (inet_pton(AF_INET6, text, bytes) != 1) {
        return 0;
    } else if (memcmp(bytes, mapped, sizeof mapped) == 0) {
        first = 12;
        count = 4;
    } else if (memcmp(bytes, loopback, sizeof loopback) == 0) {
        return address_key("127.0.0.1");
    }
    for (int i = 0; i < count; i++)
        network = network << 8 | bytes[first + i];
    /* No IPv6 network in use begins with 31 zero bits and a one, so the two kinds stay apart. */
    return count == 4 || network == 0 ? network | (uint64_t)1 << 32 : network;
}
