/* fixture.c -- see fixture.h. */
#define _XOPEN_SOURCE 700
#include "tests/store/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "store/accounts.h"
#include "store/journal.h"
#include "tests/support/support.h"

/* --- The disk -------------------------------------------------------------------------------- */

/* Counts; true = it is time to fail. */
static bool stops(RigDisk *rig) {
    uint64_t number = ++rig->all;
    errno = rig->error;
    return rig->stop_at != 0 && number >= rig->stop_at;
}

static ssize_t rig_disk_write(void *owner, int file, const void *bytes, size_t count) {
    RigDisk *rig = owner;
    rig->writes++;
    if (!stops(rig))
        return disk_real.write(NULL, file, bytes, count);
    if (rig->halves && rig->all == rig->stop_at && count > 1)
        return disk_real.write(NULL, file, bytes, count / 2);
    return -1;
}

/* A segment's sync fails: what was written since the last one is lost. */
static void forget(const RigDisk *rig, int file, const struct stat *found) {
    int64_t length = found->st_ino == rig->segment ? rig->synced : JOURNAL_HEAD_BYTES;
    if (ftruncate(file, length) != 0)
        abort();
    errno = rig->error;
}

static int rig_disk_sync(void *owner, int file, bool whole) {
    RigDisk *rig = owner;
    struct stat found;
    rig->syncs += !whole;
    if (!whole && rig->on_sync != NULL)
        rig->on_sync(rig->owner);
    if (fstat(file, &found) != 0)
        abort();
    bool failed = stops(rig);
    if (failed && rig->forgets && !whole)
        forget(rig, file, &found);
    if (failed)
        return -1;
    if (!whole) {
        rig->segment = found.st_ino;
        rig->synced = found.st_size;
    }
    return disk_real.sync(NULL, file, whole);
}

static int rig_disk_rename(void *owner, const char *from, const char *to) {
    RigDisk *rig = owner;
    if (rig->on_rename != NULL)
        rig->on_rename(rig->owner);
    return stops(rig) ? -1 : disk_real.rename(NULL, from, to);
}

static int rig_disk_remove(void *owner, const char *path) {
    RigDisk *rig = owner;
    if (stops(rig))
        return -1;
    if (rig->removes_fail > 0) {
        rig->removes_fail--;
        return -1;
    }
    return disk_real.remove(NULL, path);
}

static int rig_disk_open(void *owner, const char *path, int flags, mode_t mode) {
    RigDisk *rig = owner;
    const char *fails_at = rig->fails_at;
    if (fails_at != NULL && strstr(path, fails_at) != NULL) {
        errno = rig->error;
        return -1;
    }
    return disk_real.open(NULL, path, flags, mode);
}

static int rig_disk_space(void *owner, const char *folder, uint64_t *free, uint64_t *all) {
    const RigDisk *rig = owner;
    if (rig->all_bytes == 0)
        return disk_real.space(NULL, folder, free, all);
    *free = rig->free_bytes;
    *all = rig->all_bytes;
    return 0;
}

/* --- Folder and store ------------------------------------------------------------------------ */

static void keep_line(void *owner, const char *sentence) {
    Rig *rig = owner;
    size_t used = strlen(rig->lines);
    snprintf(rig->lines + used, sizeof rig->lines - used, "%s\n", sentence);
    rig->lines_count++;
}

void rig_init(Rig *rig) {
    *rig = (Rig){.descriptors = support_open_descriptors()};
    const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(rig->folder, sizeof rig->folder, "%s/mashup-store-XXXXXX", parent);
    char *made = mkdtemp(rig->folder);
    assert(made != NULL);
    (void)made;
    snprintf(rig->place, sizeof rig->place, "embedded:%s", rig->folder);
    rig->disk.error = EIO;
    rig->setup = store_setup(rig->place);
    rig->setup.single_threaded = true;
    rig->setup.report = keep_line;
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *where) {
    (void)found, (void)kind;
    return where->level == 0 ? 0 : remove(path);
}

void rig_empty(Rig *rig) {
    int code = nftw(rig->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    assert(code == 0);
    (void)code;
}

void rig_release(Rig *rig) {
    rig_close(rig);
    rig_empty(rig);
    rmdir(rig->folder);
    assert(rig->descriptors == 0 || support_open_descriptors() == rig->descriptors);
}

bool rig_open(Rig *rig) {
    MashText problem = text_over(rig->problem, sizeof rig->problem);
    rig->lines[0] = '\0';
    rig->lines_count = 0;
    rig->disk.writes = rig->disk.syncs = rig->disk.all = 0;
    rig->disk.disk = (StoreDisk){rig_disk_write, rig_disk_sync,  rig_disk_rename, rig_disk_remove,
                                 rig_disk_open,  rig_disk_space, &rig->disk};
    rig->setup.place = rig->place;
    rig->setup.disk = &rig->disk.disk;
    rig->setup.owner = rig;
    rig->store = store_open(&rig->setup, &problem);
    return rig->store != NULL;
}

void rig_must_open(Rig *rig) {
    enum { TRIES = 20 };
    bool open = rig_open(rig);
    for (int i = 1; !open && i < TRIES && strstr(rig->problem, "no answer") != NULL; i++)
        open = rig_open(rig);
    if (!open)
        fail_msg("%s", rig->problem);
}

int rig_set_up(void **state) {
    static Rig rig;
    rig_init(&rig);
    *state = &rig;
    return 0;
}

int rig_tear_down(void **state) {
    rig_release(*state);
    return 0;
}

uint32_t rig_said(const Rig *rig, const char *words) {
    uint32_t count = 0;
    for (const char *at = rig->lines; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

void rig_close(Rig *rig) {
    store_close(rig->store);
    rig->store = NULL;
}

uint8_t *rig_read(const Rig *rig, const char *name, size_t *count) {
    char path[256], memory[256];
    MashText problem = text_over(memory, sizeof memory);
    snprintf(path, sizeof path, "%s/%s", rig->folder, name);
    return disk_read(path, 1 << 30, count, &problem);
}

void rig_write(const Rig *rig, const char *name, const void *bytes, size_t count) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", rig->folder, name);
    FILE *file = fopen(path, "wb");
    assert(file != NULL);
    size_t written = fwrite(bytes, 1, count, file);
    int closed = fclose(file);
    assert(written == count && closed == 0);
    (void)written, (void)closed;
}

uint32_t rig_count(const Rig *rig, const char *ending) {
    char path[256];
    uint32_t count = 0;
    snprintf(path, sizeof path, "%s/journal", rig->folder);
    DIR *folder = opendir(path);
    assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += text_ends_with(entry->d_name, ending);
    closedir(folder);
    return count;
}

/* --- Time ------------------------------------------------------------------------------------ */

enum { PATIENCE_MS = 30000 }; /* far more than a busy machine takes */

void rig_pause_ms(long ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

uint64_t rig_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t rig_patience_end_ms(void) {
    const char *seconds = getenv("MASH_PATIENCE_S");
    return rig_now_ms() + 1000 * (seconds == NULL ? 90 : strtoull(seconds, NULL, 10));
}

void rig_wait(Rig *rig, uint64_t appended, uint64_t finished) {
    for (int i = 0; i < PATIENCE_MS; i++) {
        StoreProgress done = store_progress(rig->store);
        if (done.failure != NULL)
            fail_msg("%s", done.failure);
        if (done.appended >= appended && done.finished >= finished)
            return;
        rig_pause_ms(1);
    }
    fail_msg("it was not announced");
}

void rig_gate(void *owner) {
    RigGate *gate = owner;
    gate->reached++;
    while (gate->closed)
        rig_pause_ms(1);
}

void rig_wait_at_gate(const RigGate *gate, uint32_t times) {
    for (int i = 0; i < PATIENCE_MS && gate->reached < times; i++)
        rig_pause_ms(1);
    assert_true(gate->reached >= times);
}

/* --- Records and matches --------------------------------------------------------------------- */

void rig_payload(uint64_t match, uint32_t sequence, uint8_t out[RIG_PAYLOAD_MAX], uint32_t *count) {
    uint64_t hash = hash_number(match, sequence);
    *count = (uint32_t)(hash % (RIG_PAYLOAD_MAX / 2));
    for (uint32_t i = 0; i < *count; i++)
        out[i] = (uint8_t)(hash >> (i % 8 * 8));
}

/* The record of that number. */
static StoreRecord record_of(uint64_t match, uint32_t sequence, uint8_t payload[RIG_PAYLOAD_MAX]) {
    StoreRecord record = {.match = match,
                          .time_ms = RIG_TIME_MS + sequence,
                          .bytes = payload,
                          .kind = (uint16_t)(sequence % 7)};
    rig_payload(match, sequence, payload, &record.count);
    return record;
}

uint64_t rig_append(Rig *rig, uint64_t match, uint32_t sequence) {
    uint8_t payload[RIG_PAYLOAD_MAX];
    uint64_t ticket = 0;
    StoreRecord record = record_of(match, sequence, payload);
    StoreStatus status = store_append(rig->store, &record, &ticket);
    assert(status == STORE_OK);
    (void)status;
    return ticket;
}

bool rig_is_right(const StoreRecord *record) {
    uint8_t payload[RIG_PAYLOAD_MAX];
    StoreRecord right = record_of(record->match, record->sequence, payload);
    return record->time_ms == right.time_ms && record->kind == right.kind &&
           record->count == right.count && memcmp(record->bytes, payload, right.count) == 0;
}

StoreEntry rig_entry(uint64_t match) {
    StoreEntry entry = {.match = match,
                        .started_ms = 1700000000000 + match % 1000 * 86400000,
                        .ended_ms = 1700000600000 + match % 1000 * 86400000,
                        .players_count = 2,
                        .winner = (int32_t)(match % 3) - 1,
                        .actions = (uint32_t)(match % 100)};
    snprintf(entry.game, sizeof entry.game, "game-%d", (int)(match % 2));
    snprintf(entry.reason, sizeof entry.reason, "resigned");
    for (int i = 0; i < 2; i++) {
        snprintf(entry.players[i].name, sizeof entry.players[i].name, "player %d",
                 (int)(match + (uint64_t)i) % 5);
        snprintf(entry.players[i].role, sizeof entry.players[i].role, i == 0 ? "person" : "ai");
    }
    return entry;
}

/* The file of the match. */
static size_t file_of(uint64_t match, char out[64]) {
    return (size_t)snprintf(out, 64, "{\"match\": %llu}\n", (unsigned long long)match);
}

uint64_t rig_finish(Rig *rig, uint64_t match) {
    char file[64];
    uint64_t ticket = 0;
    StoreEntry entry = rig_entry(match);
    StoreStatus status = store_finish(rig->store, &entry, file, file_of(match, file), &ticket);
    assert(status == STORE_OK);
    (void)status;
    return ticket;
}

bool rig_archived(Rig *rig, uint64_t match) {
    char right[64], found[64];
    size_t count;
    if (store_archive_read(rig->store, match, found, sizeof found, &count) != STORE_OK)
        return false;
    return count == file_of(match, right) && memcmp(right, found, count) == 0;
}

StoreStatus rig_delete_account(Rig *rig, uint64_t id) {
    uint64_t gone[STORE_GONE_MAX];
    uint32_t count;
    return store_account_delete(rig->store, id, RIG_TIME_MS, gone, &count);
}

uint32_t rig_found(Rig *rig, RigFound *list, uint32_t max) {
    uint32_t count = 0;
    StoreMatch match;
    StoreRecord record;
    while (store_next_match(rig->store, &match)) {
        assert(count < max);
        RigFound *found = &list[count++];
        *found = (RigFound){
            .match = match.match, .health = match.health, .right = true, .gapless = true};
        while (store_next_record(rig->store, &record)) {
            found->right = found->right && record.match == match.match &&
                           record.sequence > found->last && rig_is_right(&record);
            found->gapless = found->gapless && record.sequence == found->last + 1;
            found->first = found->first == 0 ? record.sequence : found->first;
            found->last = record.sequence;
            found->records++;
        }
        assert(found->records == match.records);
    }
    return count;
}
