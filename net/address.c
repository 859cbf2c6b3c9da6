/* address.c -- see address.h. */
#define _GNU_SOURCE
#include "net/address.h"

#include <arpa/inet.h>
#include <string.h>

/* The bytes of an address, IPv4 mapped to IPv6. False: not an address. */
static bool to_bytes(const char *address, uint8_t out[16]) {
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    memcpy(out, mapped, sizeof mapped);
    return inet_pton(AF_INET, address, out + 12) == 1 || inet_pton(AF_INET6, address, out) == 1;
}

/* Is this IPv4? */
static bool is_four(const uint8_t bytes[16]) {
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    return memcmp(bytes, mapped, sizeof mapped) == 0;
}

/* Is it a port with its colon, or nothing? */
static bool is_port(const char *text, size_t count) {
    if (count == 0)
        return true;
    if (text[0] != ':' || count < 2 || count > 6)
        return false;
    for (size_t i = 1; i < count; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return true;
}

/* Removes a port and brackets. False: the rest is neither. */
static bool strip(const char **text, size_t *count) {
    const char *end = *text + *count, *colon = memchr(*text, ':', *count);
    if (*count > 0 && **text == '[') {
        const char *close = memchr(*text, ']', *count);
        if (close == NULL || !is_port(close + 1, (size_t)(end - close - 1)))
            return false;
        *count = (size_t)(close - *text - 1);
        (*text)++;
    } else if (colon != NULL && memchr(colon + 1, ':', (size_t)(end - colon - 1)) == NULL) {
        if (!is_port(colon, (size_t)(end - colon)))
            return false;
        *count = (size_t)(colon - *text);
    }
    return true;
}

bool address_read(const char *text, size_t count, char out[ADDRESS_BYTES]) {
    uint8_t bytes[16];
    if (count >= 2 && text[0] == '"' && text[count - 1] == '"') {
        text++;
        count -= 2;
    }
    if (!strip(&text, &count) || count >= ADDRESS_BYTES)
        return false;
    memcpy(out, text, count);
    out[count] = '\0';
    if (!to_bytes(out, bytes))
        return false;
    return is_four(bytes) ? inet_ntop(AF_INET, bytes + 12, out, ADDRESS_BYTES) != NULL
                          : inet_ntop(AF_INET6, bytes, out, ADDRESS_BYTES) != NULL;
}

bool address_read_last(const char *list, char out[ADDRESS_BYTES]) {
    const char *comma = strrchr(list, ',');
    const char *last = comma == NULL ? list : comma + 1;
    last += strspn(last, " \t");
    size_t count = strlen(last);
    while (count > 0 && (last[count - 1] == ' ' || last[count - 1] == '\t'))
        count--;
    return address_read(last, count, out);
}

/* Does the address begin with these bits? Both have at least one more. */
static bool begins(const uint8_t *bytes, const uint8_t *with, uint32_t bits) {
    uint32_t whole = bits / 8, rest = bits % 8;
    return memcmp(bytes, with, whole) == 0 && (bytes[whole] ^ with[whole]) >> (8 - rest) == 0;
}

bool address_is_loopback(const char *address) {
    static const uint8_t one[16] = {[15] = 1};
    uint8_t bytes[16];
    return to_bytes(address, bytes) &&
           (is_four(bytes) ? bytes[12] == 127 : memcmp(bytes, one, sizeof one) == 0);
}

bool address_is_near(const char *address, const char *own) {
    static const struct {
        uint8_t with[4];
        uint32_t bits;
    } four[] = {{{10}, 8}, {{172, 16}, 12}, {{192, 168}, 16}, {{169, 254}, 16}, {{100, 64}, 10}},
      six[] = {{{0xFC}, 7}, {{0xFE, 0x80}, 10}};
    uint8_t bytes[16], ours[16];
    if (!to_bytes(address, bytes))
        return false;
    if (address_is_loopback(address))
        return true;
    for (size_t i = 0; is_four(bytes) && i < sizeof four / sizeof *four; i++)
        if (begins(bytes + 12, four[i].with, four[i].bits))
            return true;
    for (size_t i = 0; !is_four(bytes) && i < sizeof six / sizeof *six; i++)
        if (begins(bytes, six[i].with, six[i].bits))
            return true;
    return to_bytes(own, ours) && begins(bytes, ours, is_four(ours) ? 120 : 64);
}

/* Are these bytes this name, ignoring case? */
static bool is_name(const char *bytes, size_t count, const char *name, size_t length) {
    for (size_t i = 0; i < count && count == length; i++) {
        char a = bytes[i], b = name[i];
        if ((a >= 'A' && a <= 'Z' ? a + 32 : a) != (b >= 'A' && b <= 'Z' ? b + 32 : b))
            return false;
    }
    return count == length;
}

/* Does the name end in a dot and this suffix? */
static bool is_below(const char *name, size_t count, const char *zone) {
    size_t length = strlen(zone);
    return count > length + 1 && name[count - length - 1] == '.' &&
           is_name(name + count - length, length, zone, length);
}

/* The name in an entry of a list: without scheme, port and path. */
static bool is_entry(const char *name, size_t count, const char *entry) {
    const char *behind = strstr(entry, "://");
    entry = behind == NULL ? entry : behind + 3;
    return is_name(name, count, entry, strcspn(entry, ":/"));
}

bool host_is_known(const char *host, const char *own, const char *const *list, uint32_t count) {
    static const char *const zones[] = {"localhost", "local",       "lan",
                                        "home",      "home.arpa",   "internal",
                                        "intranet",  "localdomain", "fritz.box"};
    char address[ADDRESS_BYTES];
    size_t length = strlen(host);
    const char *name = host;
    if (length == 0 || address_read(host, length, address))
        return true;
    if (!strip(&name, &length))
        return false;
    if (length > 0 && name[length - 1] == '.')
        length--;
    if (memchr(name, '.', length) == NULL || is_name(name, length, own, strlen(own)))
        return true;
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        if (is_below(name, length, zones[i]))
            return true;
    for (uint32_t i = 0; i < count; i++)
        if (is_entry(name, length, list[i]))
            return true;
    return false;
}
