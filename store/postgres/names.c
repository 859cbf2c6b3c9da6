/* names.c -- takes names of deleted accounts out of the archive in the database (erasing.h). Any
 * node may do it, and several at once: a row is changed only while it is the version that was read.
 */
#include <stdio.h>
#include <string.h>

#include "store/fault.h"
#include "store/postgres/postgres.h"

/* A match as ERASED_LOOK finds it. */
typedef struct FoundNames {
    bool open;
    int64_t version; /* below 0: it is not in the archive */
    char players[ARCHIVE_PLAYERS_BYTES];
    size_t players_count;
    int64_t bytes; /* of its file */
} FoundNames;

static void take_found(void *out, const AccountValue *columns) {
    FoundNames *found = out;
    size_t count = (size_t)columns[2].number;
    *found = (FoundNames){.open = columns[0].number != 0,
                          .version = columns[1].number,
                          .players_count = count < sizeof found->players ? count : 0,
                          .bytes = columns[3].number};
    memcpy(found->players, columns[2].bytes, found->players_count);
}

/* Looks for a match. */
static StoreStatus look(Store *store, uint64_t match, FoundNames *found) {
    AccountParameters all = {.count = 0};
    *found = (FoundNames){.version = -1};
    account_put(&all, (int64_t)match);
    return account_run(store, ERASED_LOOK, &all, take_found, found);
}

StoreStatus names_erasable(Store *store, uint64_t match, uint64_t *version) {
    FoundNames found;
    StoreStatus status = look(store, match, &found);
    *version = (uint64_t)found.version;
    if (status != STORE_OK || found.open)
        return status != STORE_OK ? status : STORE_BUSY;
    return found.version < 0 ? STORE_UNKNOWN : STORE_OK;
}

/* Is the seat one of those whose names go? */
static bool goes(const StoreErasure *what, uint32_t seat) {
    for (uint32_t i = 0; i < what->seats_count; i++)
        if (what->seats[i] == seat)
            return true;
    return false;
}

/* Appends a text with its NUL, which fits: no name becomes longer than it may be. */
static size_t append(char *to, size_t at, const char *text) {
    size_t bytes = strlen(text) + 1;
    memcpy(to + at, text, bytes);
    return at + bytes;
}

/* The players without those names; those that stay, folded, in kept. How many bytes. */
static size_t without(const FoundNames *found, const StoreErasure *what,
                      char players[ARCHIVE_PLAYERS_BYTES],
                      char kept[STORE_PLAYERS_MAX][STORE_NAME_BYTES]) {
    const char *at = found->players, *end = at + found->players_count;
    size_t count = 0;
    for (uint32_t seat = 0; seat < STORE_PLAYERS_MAX && at < end; seat++) {
        StorePlayer player;
        at = archive_take_text(at, end, player.name, sizeof player.name);
        at = archive_take_text(at, end, player.role, sizeof player.role);
        if (!goes(what, seat))
            archive_fold(player.name, kept[seat]);
        count = append(players, count, goes(what, seat) ? STORE_ERASED_NAME : player.name);
        count = append(players, count, player.role);
    }
    return count;
}

StoreStatus names_erase(Store *store, const StoreErasure *what) {
    char players[ARCHIVE_PLAYERS_BYTES], kept[STORE_PLAYERS_MAX][STORE_NAME_BYTES] = {""};
    char seats[STORE_ERASE_MAX * 12];
    AccountParameters all = {.count = 0};
    FirstNumber done;
    FoundNames found;
    MashText list = text_over(seats, sizeof seats);
    StoreStatus status = look(store, what->match, &found);
    if (status != STORE_OK || (uint64_t)found.version != what->version)
        return status != STORE_OK ? status : STORE_CONFLICT;
    size_t count = without(&found, what, players, kept);
    for (uint32_t i = 0; i < what->seats_count; i++)
        text_format(&list, i == 0 ? "%u" : ",%u", what->seats[i]);
    account_put(&all, (int64_t)what->match);
    account_put(&all, found.version);
    account_put_bytes(&all, players, count);
    account_put_bytes(&all, what->bytes, what->count);
    account_put(&all, (int64_t)what->count - found.bytes);
    for (uint32_t seat = 0; seat < STORE_PLAYERS_MAX; seat++)
        account_put_text(&all, kept[seat]);
    account_put_text(&all, seats);
    FAULT_POINT("before_erase");
    status = account_run_number(store, ERASE, &all, &done);
    FAULT_POINT("after_erase");
    return status == STORE_OK && done.rows == 0 ? STORE_CONFLICT : status;
}
