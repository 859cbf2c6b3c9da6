/* erase_names.c -- see erase_names.h. The bytes are read once from front to back, as JSON but
 * without a limit, and copied up to each name that goes:
 *
 *   of a match       {"players":["NAME", "NAME"], ...
 *   of a tournament  {"standings":[{"player":NUMBER,"name":"NAME", ...
 *                     "pairings":[{"players":[NUMBER,NUMBER],"names":["NAME","NAME"], ... */
#include "server/erase_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "store/erasing.h"

enum { SEATS = 2, NOBODY = -1 };

/* The value that is read belongs to this key. */
typedef enum NameKey { KEY_OTHER, KEY_PLAYERS, KEY_NAMES, KEY_PLAYER, KEY_NAME } NameKey;

/* A file on its way. */
typedef struct NameFile {
    const char *bytes;
    size_t count, at, copied; /* read and copied up to here */
    const uint32_t *seats;
    uint32_t seats_count;
    char *out;
    size_t out_count, out_max;
    bool failed;
    uint32_t depth;
    int64_t player;      /* of the object that is read; NOBODY: it has none yet */
    int64_t pair[SEATS]; /* the players of the pairing that is read */
} NameFile;

/* Does this one's name go? */
static bool goes(const NameFile *file, int64_t seat) {
    for (uint32_t i = 0; i < file->seats_count; i++)
        if ((int64_t)file->seats[i] == seat)
            return true;
    return false;
}

/* Appends bytes. */
static void put(NameFile *file, const char *bytes, size_t count) {
    size_t need = file->out_count + count;
    if (need > file->out_max && !file->failed) {
        char *more = realloc(file->out, need * 2);
        file->failed = more == NULL;
        file->out = more == NULL ? file->out : more;
        file->out_max = more == NULL ? file->out_max : need * 2;
    }
    if (file->failed || count == 0)
        return;
    memcpy(file->out + file->out_count, bytes, count);
    file->out_count = need;
}

/* Reads up to behind a string that begins here; false: it has no end. */
static bool skip_string(NameFile *file) {
    for (file->at++; file->at < file->count && file->bytes[file->at] != '"'; file->at++)
        if (file->bytes[file->at] == '\\')
            file->at++;
    if (file->at >= file->count)
        return false;
    file->at++;
    return true;
}

/* Reads blanks. */
static void skip_blanks(NameFile *file) {
    while (file->at < file->count && strchr(" \t\r\n", file->bytes[file->at]) != NULL &&
           file->bytes[file->at] != '\0')
        file->at++;
}

/* A string that begins here; without its name if that goes. */
static void read_name(NameFile *file, bool erased) {
    size_t start = file->at;
    if (!skip_string(file) || !erased)
        return;
    put(file, file->bytes + file->copied, start - file->copied);
    put(file, "\"" STORE_ERASED_NAME "\"", sizeof STORE_ERASED_NAME + 1);
    file->copied = file->at;
}

/* A whole number that begins here; NOBODY: it is something else. */
static int64_t read_number(NameFile *file) {
    int64_t number = NOBODY;
    for (; file->at < file->count && file->bytes[file->at] >= '0' && file->bytes[file->at] <= '9';
         file->at++)
        number = number > UINT32_MAX ? number
                                     : (number < 0 ? 0 : number) * 10 + file->bytes[file->at] - '0';
    return number;
}

/* The list of a key, which begins here: names of seats, numbers of players, or names of those. */
static void read_list(NameFile *file, NameKey key) {
    bool match = key == KEY_PLAYERS && file->depth == 1;
    uint32_t place = 0;
    file->at++;
    while (file->at < file->count && file->bytes[file->at] != ']') {
        char next = file->bytes[file->at];
        bool known = place < SEATS;
        if (next == '"')
            read_name(file, (match && goes(file, place)) ||
                                (key == KEY_NAMES && known && goes(file, file->pair[place])));
        else if (key == KEY_PLAYERS && known && next >= '0' && next <= '9')
            file->pair[place] = read_number(file);
        else if (next == '[' || next == '{')
            return; /* it is none of these lists */
        else
            file->at++;
        place += next == ',';
    }
}

/* Which key the string is that was just read. */
static NameKey key_of(const NameFile *file, size_t start) {
    static const struct {
        const char *words;
        NameKey key;
    } keys[] = {{"\"players\"", KEY_PLAYERS},
                {"\"names\"", KEY_NAMES},
                {"\"player\"", KEY_PLAYER},
                {"\"name\"", KEY_NAME}};
    size_t length = file->at - start;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i].words) == length &&
            memcmp(file->bytes + start, keys[i].words, length) == 0)
            return keys[i].key;
    return KEY_OTHER;
}

/* A string outside of those lists: if it is a key, its value may have names. */
static void read_member(NameFile *file) {
    size_t start = file->at;
    if (!skip_string(file))
        return;
    NameKey key = key_of(file, start);
    skip_blanks(file);
    if (file->at >= file->count || file->bytes[file->at] != ':')
        return;
    file->at++;
    skip_blanks(file);
    char next = file->at < file->count ? file->bytes[file->at] : '\0';
    if ((key == KEY_PLAYERS || key == KEY_NAMES) && next == '[') {
        if (key == KEY_PLAYERS)
            file->pair[0] = file->pair[1] = NOBODY;
        read_list(file, key);
    } else if (key == KEY_PLAYER) {
        file->player = read_number(file);
    } else if (next == '"') {
        read_name(file, key == KEY_NAME && goes(file, file->player));
    }
}

char *erase_names(const char *bytes, size_t count, const uint32_t *seats, uint32_t seats_count,
                  size_t *out) {
    NameFile file = {.bytes = bytes,
                     .count = count,
                     .seats = seats,
                     .seats_count = seats_count,
                     .player = NOBODY,
                     .pair = {NOBODY, NOBODY}};
    while (file.at < count) {
        char next = bytes[file.at];
        if (next == '"') {
            read_member(&file);
            continue;
        }
        file.depth += next == '{';
        file.depth -= next == '}' && file.depth > 0;
        if (next == '{')
            file.player = NOBODY;
        file.at++;
    }
    put(&file, bytes + file.copied, count - file.copied);
    put(&file, "", 1); /* so that there is memory for an empty file, too */
    if (file.failed) {
        free(file.out);
        return NULL;
    }
    *out = file.out_count - 1;
    return file.out;
}
