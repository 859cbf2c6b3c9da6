/* bans.c -- see bans.h. */
#define _POSIX_C_SOURCE 200809L
#include "server/bans.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPPED_BITS = 96, LINE_BYTES = 512, PATH_BYTES = 1024 };

static const char *const kind_words[] = {[BAN_ENTRY] = "ban", [BAN_CHAT] = "mute"};

/* --- Networks --------------------------------------------------------------------------------- */

/* An address as sixteen bytes; `v4`: it was written as IPv4. */
static bool read_address(const char *text, uint8_t out[16], bool *v4) {
    memset(out, 0, 16);
    *v4 = inet_pton(AF_INET, text, out + 12) == 1;
    if (*v4)
        out[10] = out[11] = 0xff;
    return *v4 || inet_pton(AF_INET6, text, out) == 1;
}

bool network_read(const char *text, Network *network) {
    bool v4;
    char *end = NULL;
    if (strlen(text) >= sizeof network->text)
        return false;
    memset(network, 0, sizeof *network);
    memcpy(network->text, text, strlen(text));
    char *slash = strchr(network->text, '/');
    if (slash != NULL)
        *slash = '\0';
    if (!read_address(network->text, network->bytes, &v4))
        return false;
    uint32_t most = v4 ? 32 : 128;
    unsigned long bits = most;
    if (slash != NULL) {
        *slash = '/';
        bits = strtoul(slash + 1, &end, 10);
        if (slash[1] < '0' || slash[1] > '9' || *end != '\0' || bits > most)
            return false;
    }
    network->bits = (uint32_t)bits + (v4 ? MAPPED_BITS : 0);
    return true;
}

/* Are the first bits equal? */
static bool covers(const Network *network, const uint8_t address[16]) {
    uint32_t whole = network->bits / 8, rest = network->bits % 8;
    if (memcmp(network->bytes, address, whole) != 0)
        return false;
    return rest == 0 || (network->bytes[whole] ^ address[whole]) >> (8 - rest) == 0;
}

bool network_has(const Network *network, const char *address) {
    uint8_t bytes[16];
    bool v4;
    return read_address(address, bytes, &v4) && covers(network, bytes);
}

/* --- The list --------------------------------------------------------------------------------- */

bool bans_add(BanList *bans, const Ban *ban) {
    bans_remove(bans, ban->kind, ban->network.text);
    if (bans->count == BANS_MAX)
        return false;
    if (bans->count == bans->max) {
        uint32_t max = bans->max == 0 ? 16 : 2 * bans->max;
        Ban *grown = realloc(bans->list, max * sizeof *grown);
        if (grown == NULL)
            return false;
        bans->list = grown;
        bans->max = max;
    }
    bans->list[bans->count++] = *ban;
    return true;
}

bool bans_remove(BanList *bans, BanKind kind, const char *network) {
    uint32_t kept = 0, before = bans->count;
    for (uint32_t i = 0; i < before; i++) {
        if (bans->list[i].kind == kind && strcmp(bans->list[i].network.text, network) == 0)
            continue;
        if (kept < i)
            bans->list[kept] = bans->list[i];
        kept++;
    }
    bans->count = kept;
    return kept < before;
}

/* Has it expired by that date? */
static bool expired(const Ban *ban, uint64_t date_ms) {
    return ban->until_ms != 0 && ban->until_ms <= date_ms;
}

void bans_expire(BanList *bans, uint64_t date_ms) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bans->count; i++)
        if (!expired(&bans->list[i], date_ms))
            bans->list[kept++] = bans->list[i];
    bans->count = kept;
}

const Ban *bans_find(const BanList *bans, BanKind kind, const char *address, uint64_t date_ms) {
    uint8_t bytes[16];
    bool v4;
    if (bans->count == 0 || !read_address(address, bytes, &v4))
        return NULL;
    for (uint32_t i = 0; i < bans->count; i++) {
        const Ban *ban = &bans->list[i];
        if (ban->kind == kind && covers(&ban->network, bytes) && !expired(ban, date_ms))
            return ban;
    }
    return NULL;
}

void bans_release(BanList *bans) {
    free(bans->list);
    *bans = (BanList){.list = NULL};
}

/* --- The file --------------------------------------------------------------------------------- */

/* Reads a line of the file. False: it is not a ban. */
static bool read_line(const char *line, Ban *ban) {
    char network[LINE_BYTES], kind[LINE_BYTES] = "ban";
    int used = 0;
    *ban = (Ban){.kind = BAN_ENTRY};
    int found = sscanf(line, "%511s %511s %" SCNu64 " %n", network, kind, &ban->until_ms, &used);
    if (found < 1 || !network_read(network, &ban->network))
        return false;
    if (strcmp(kind, kind_words[BAN_CHAT]) == 0)
        ban->kind = BAN_CHAT;
    else if (strcmp(kind, kind_words[BAN_ENTRY]) != 0)
        return false;
    if (found == 3)
        snprintf(ban->reason, sizeof ban->reason, "%.*s", (int)sizeof ban->reason - 1, line + used);
    return true;
}

bool bans_load(BanList *bans, const char *path, void (*wrong)(void *owner, const char *line),
               void *owner) {
    char line[LINE_BYTES];
    BanList loaded = {.list = NULL};
    FILE *file = fopen(path, "r");
    if (file == NULL && errno != ENOENT)
        return false;
    while (file != NULL && !loaded.cut && fgets(line, sizeof line, file) != NULL) {
        Ban ban;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0' && !read_line(line, &ban))
            wrong(owner, line);
        else if (line[0] != '\0')
            loaded.cut = !bans_add(&loaded, &ban);
    }
    bool whole = file == NULL || ferror(file) == 0;
    if (file != NULL)
        fclose(file);
    bans_release(whole ? bans : &loaded);
    if (whole)
        *bans = loaded;
    return whole;
}

bool bans_save(const BanList *bans, const char *path) {
    char temporary[PATH_BYTES];
    if (bans->cut)
        return false;
    if (snprintf(temporary, sizeof temporary, "%s.new", path) >= (int)sizeof temporary)
        return false;
    FILE *file = fopen(temporary, "w");
    bool written = file != NULL;
    for (uint32_t i = 0; i < bans->count && written; i++) {
        const Ban *ban = &bans->list[i];
        written = fprintf(file, "%s %s %" PRIu64 " %s\n", ban->network.text, kind_words[ban->kind],
                          ban->until_ms, ban->reason) > 0;
    }
    written = file != NULL && fclose(file) == 0 && written;
    return written && rename(temporary, path) == 0;
}
