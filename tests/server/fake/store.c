/* store.c -- see store.h beside this file. */
#include "tests/server/fake/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/chance.h"
#include "tests/server/fake/net.h"

/* A record, or the file of a finished match. */
typedef struct FakeRecord {
    StoreRecord record; /* we own its bytes */
    StoreEntry entry;
    bool finishes;
    bool over;         /* its match is in the archive */
    bool safe;         /* announced, or found when the store was opened */
    uint64_t ticket;   /* of the store that accepted it */
    uint64_t ready_ms; /* not announced before this */
} FakeRecord;

struct FakeDisk {
    FakeDiskSetup setup;
    StoreDisk disk; /* how a store finds us */
    MashChance chance;
    FakeRecord *lines; /* in the order they were given */
    uint32_t count, max;
    uint32_t clean; /* the first of them that are durable */
    bool killed, broken;
    AccountFile *accounts; /* in memory; NULL until somebody asks for one */
};

/* A store that is open on a disk. */
typedef struct FakeStore {
    Store store;
    StoreSetup setup;
    FakeDisk *disk;
    NetTimer *timer;
    uint64_t tickets, finish_tickets;
    StoreProgress done;
    uint32_t match_at, record_at; /* what is given out next */
    uint64_t match;
} FakeStore;

/* --- The disk --------------------------------------------------------------------------------- */

FakeDisk *fake_disk_new(const FakeDiskSetup *setup) {
    FakeDisk *disk = calloc(1, sizeof *disk);
    assert(disk != NULL);
    disk->setup = *setup;
    disk->disk.owner = disk;
    disk->chance = chance_sampled(setup->seed);
    return disk;
}

static void cut_to(FakeDisk *disk, uint32_t count) {
    while (disk->count > count)
        free((void *)disk->lines[--disk->count].record.bytes);
}

void fake_disk_release(FakeDisk *disk) {
    account_file_close(disk->accounts);
    cut_to(disk, 0);
    free(disk->lines);
    free(disk);
}

void fake_disk_use(FakeDisk *disk, StoreSetup *setup) {
    setup->backend = &fake_store;
    setup->disk = &disk->disk;
    setup->single_threaded = false;
}

void fake_disk_kill(FakeDisk *disk) { disk->killed = true; }

void fake_disk_behave(FakeDisk *disk, uint32_t late_ms, uint32_t full_every) {
    disk->setup.late_ms = late_ms;
    disk->setup.full_every = full_every;
}

void fake_disk_fail(FakeDisk *disk) { disk->broken = true; }

uint32_t fake_disk_open_matches(const FakeDisk *disk) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < disk->count; i++)
        count +=
            !disk->lines[i].finishes && disk->lines[i].record.sequence == 1 && !disk->lines[i].over;
    return count;
}

/* From now on it is permanent. */
static void make_safe(FakeDisk *disk, FakeRecord *line) {
    line->safe = true;
    for (uint32_t i = 0; line->finishes && i < disk->count; i++)
        disk->lines[i].over |= disk->lines[i].record.match == line->record.match;
    if (line->finishes)
        disk->setup.on_finish(disk->setup.owner, &line->entry, line->record.bytes,
                              line->record.count);
    else
        disk->setup.on_record(disk->setup.owner, &line->record);
}

/* Removes the records of finished matches, and lost ones. */
static void sweep(FakeDisk *disk, uint32_t records_kept, uint32_t finishes_kept) {
    uint32_t kept = 0, left[2] = {records_kept, finishes_kept};
    for (uint32_t i = 0; i < disk->count; i++) {
        FakeRecord *line = &disk->lines[i];
        bool lost = !line->safe && left[line->finishes]-- == 0;
        if (lost)
            left[line->finishes] = 0;
        if (lost || (!line->finishes && line->safe && line->over))
            free((void *)line->record.bytes);
        else
            disk->lines[kept++] = *line;
    }
    disk->count = kept;
    disk->clean = 0;
}

/* --- Announcing ------------------------------------------------------------------------------- */

/* The first line of its sort that is not safe: each sort is announced in order. */
static FakeRecord *first_waiting(FakeDisk *disk, bool finishes) {
    while (disk->clean < disk->count && disk->lines[disk->clean].safe)
        disk->clean++;
    for (uint32_t i = disk->clean; i < disk->count; i++)
        if (!disk->lines[i].safe && disk->lines[i].finishes == finishes)
            return &disk->lines[i];
    return NULL;
}

static void set_timer(FakeStore *fake) {
    uint64_t now_ms = net_now_ms(fake->disk->setup.loop), next_ms = UINT64_MAX;
    for (uint32_t sort = 0; sort < 2; sort++) {
        const FakeRecord *line = first_waiting(fake->disk, sort == 1);
        if (line != NULL && line->ready_ms < next_ms)
            next_ms = line->ready_ms;
    }
    if (next_ms != UINT64_MAX)
        net_timer_start(fake->timer, next_ms > now_ms ? next_ms - now_ms : 0);
}

static void look(void *owner) {
    FakeStore *fake = owner;
    if (fake->disk->broken) {
        fake->done.failure = "the disk broke";
        fake->setup.notify(fake->setup.owner);
        return;
    }
    uint64_t now_ms = net_now_ms(fake->disk->setup.loop);
    for (uint32_t sort = 0; sort < 2; sort++)
        for (FakeRecord *line; (line = first_waiting(fake->disk, sort == 1)) != NULL;) {
            if (line->ready_ms > now_ms)
                break;
            make_safe(fake->disk, line);
            *(sort == 1 ? &fake->done.finished : &fake->done.appended) = line->ticket;
        }
    if (fake->disk->count > 4096)
        sweep(fake->disk, UINT32_MAX, UINT32_MAX);
    fake->setup.notify(fake->setup.owner);
    set_timer(fake);
}

static FakeRecord *add(FakeStore *fake, const void *bytes, size_t count) {
    FakeDisk *disk = fake->disk;
    uint32_t late = disk->setup.late_ms;
    if (disk->count == disk->max) {
        disk->max = disk->max * 2 + 64;
        disk->lines = realloc(disk->lines, disk->max * sizeof *disk->lines);
        assert(disk->lines != NULL);
    }
    FakeRecord *line = &disk->lines[disk->count++];
    memset(line, 0, sizeof *line);
    line->record.bytes = malloc(count + 1);
    assert(line->record.bytes != NULL);
    memcpy((void *)line->record.bytes, bytes, count);
    line->record.count = (uint32_t)count;
    if (late > 0)
        late = chance_below(&disk->chance, chance_below(&disk->chance, 50) == 0 ? 10 * late : late);
    line->ready_ms = net_now_ms(disk->setup.loop) + late;
    return line;
}

/* --- The store -------------------------------------------------------------------------------- */

/* Statements about accounts: a disk keeps them whatever happens to the server. */
static StoreStatus run_accounts(void *owner, AccountStatement which, const AccountValue *values,
                                uint32_t count, void (*row)(void *out, const AccountValue *columns),
                                void *out) {
    FakeDisk *disk = owner;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    if (disk->accounts == NULL)
        disk->accounts = account_file_open(":memory:", &problem);
    assert(disk->accounts != NULL);
    if (disk->broken)
        return STORE_FAILED;
    return account_file_run(disk->accounts, which, values, count, row, out);
}

static Store *fake_open(const StoreSetup *setup, const char *where, MashText *problem) {
    (void)where;
    (void)problem;
    FakeStore *fake = calloc(1, sizeof *fake);
    assert(fake != NULL);
    fake->store.backend = &fake_store;
    fake->setup = *setup;
    fake->disk = setup->disk->owner;
    fake->store.accounts = run_accounts;
    fake->store.accounts_owner = fake->disk;
    fake->timer = net_timer_open(fake->disk->setup.loop, look, fake);
    fake_client_timer(fake->timer); /* an independent disk, whatever the server does */
    fake->disk->killed = false;
    for (uint32_t i = 0; i < fake->disk->count; i++)
        if (!fake->disk->lines[i].safe)
            make_safe(fake->disk, &fake->disk->lines[i]);
    sweep(fake->disk, UINT32_MAX, UINT32_MAX);
    return &fake->store;
}

static void fake_close(Store *store) {
    FakeStore *fake = (FakeStore *)store;
    FakeDisk *disk = fake->disk;
    uint32_t waiting[2] = {0, 0};
    for (uint32_t i = 0; i < disk->count; i++)
        waiting[disk->lines[i].finishes] += !disk->lines[i].safe;
    uint32_t records = chance_below(&disk->chance, waiting[0] + 1);
    uint32_t finishes = chance_below(&disk->chance, waiting[1] + 1);
    if (disk->killed)
        sweep(disk, records, finishes);
    net_timer_close(fake->timer);
    free(fake);
}

/* Is this the first record of a match that is open? */
static bool begins_open(const FakeStore *fake, uint32_t i) {
    const FakeRecord *line = &fake->disk->lines[i];
    return !line->finishes && line->record.sequence == 1 && !line->over;
}

static bool fake_next_match(Store *store, StoreMatch *match) {
    FakeStore *fake = (FakeStore *)store;
    while (fake->match_at < fake->disk->count && !begins_open(fake, fake->match_at))
        fake->match_at++;
    if (fake->match_at == fake->disk->count)
        return false;
    fake->record_at = fake->match_at++;
    fake->match = fake->disk->lines[fake->record_at].record.match;
    *match = (StoreMatch){.match = fake->match, .health = STORE_WHOLE};
    for (uint32_t i = 0; i < fake->disk->count; i++)
        match->records +=
            !fake->disk->lines[i].finishes && fake->disk->lines[i].record.match == fake->match;
    return true;
}

static bool fake_next_record(Store *store, StoreRecord *record) {
    FakeStore *fake = (FakeStore *)store;
    for (; fake->record_at < fake->disk->count; fake->record_at++) {
        const FakeRecord *line = &fake->disk->lines[fake->record_at];
        if (line->finishes || line->record.match != fake->match)
            continue;
        *record = line->record;
        fake->record_at++;
        return true;
    }
    return false;
}

static StoreStatus fake_append(Store *store, const StoreRecord *record, uint64_t *ticket) {
    FakeStore *fake = (FakeStore *)store;
    FakeDisk *disk = fake->disk;
    uint32_t sequence = 1;
    if (disk->setup.full_every > 0 && chance_below(&disk->chance, disk->setup.full_every) == 0)
        return STORE_FULL;
    for (uint32_t i = disk->count; i > 0 && sequence == 1; i--)
        if (!disk->lines[i - 1].finishes && disk->lines[i - 1].record.match == record->match)
            sequence = disk->lines[i - 1].record.sequence + 1;
    FakeRecord *line = add(fake, record->bytes, record->count);
    line->record.match = record->match;
    line->record.time_ms = record->time_ms;
    line->record.kind = record->kind;
    line->record.sequence = sequence;
    *ticket = line->ticket = ++fake->tickets;
    set_timer(fake);
    return STORE_OK;
}

static StoreProgress fake_done(Store *store) { return ((FakeStore *)store)->done; }

static void fake_turn(Store *store) { (void)store; }

static StoreStatus fake_finish(Store *store, const StoreEntry *entry, const void *bytes,
                               size_t count, uint64_t *ticket) {
    FakeStore *fake = (FakeStore *)store;
    FakeRecord *line = add(fake, bytes, count);
    line->entry = *entry;
    line->record.match = entry->match;
    line->finishes = true;
    *ticket = line->ticket = ++fake->finish_tickets;
    set_timer(fake);
    return STORE_OK;
}

static void fake_forget(Store *store, uint64_t match, uint64_t time_ms) {
    FakeDisk *disk = ((FakeStore *)store)->disk;
    (void)time_ms;
    for (uint32_t i = 0; i < disk->count; i++)
        disk->lines[i].over |= disk->lines[i].record.match == match;
}

static StoreStatus fake_list(Store *store, const StoreFilter *filter, StoreEntry *entries,
                             uint32_t max, uint32_t *count) {
    const FakeDisk *disk = ((FakeStore *)store)->disk;
    (void)filter;
    *count = 0;
    for (uint32_t i = disk->count; i > 0 && *count < max; i--)
        if (disk->lines[i - 1].finishes && disk->lines[i - 1].safe)
            entries[(*count)++] = disk->lines[i - 1].entry;
    return STORE_OK;
}

static StoreStatus fake_read(Store *store, uint64_t match, void *bytes, size_t max, size_t *count) {
    const FakeDisk *disk = ((FakeStore *)store)->disk;
    for (uint32_t i = 0; i < disk->count; i++) {
        const FakeRecord *line = &disk->lines[i];
        if (!line->finishes || !line->safe || line->record.match != match)
            continue;
        *count = line->record.count;
        if (*count > max)
            return STORE_TOO_LONG;
        memcpy(bytes, line->record.bytes, *count);
        return STORE_OK;
    }
    return STORE_UNKNOWN;
}

static StoreStats fake_stats(Store *store) {
    return (StoreStats){.matches = fake_disk_open_matches(((FakeStore *)store)->disk)};
}

static void fake_prune(Store *store, const StorePrune *prune) {
    (void)store;
    (void)prune;
}

const StoreBackend fake_store = {.name = "fake",
                                 .open = fake_open,
                                 .close = fake_close,
                                 .next_match = fake_next_match,
                                 .next_record = fake_next_record,
                                 .append = fake_append,
                                 .done = fake_done,
                                 .turn = fake_turn,
                                 .finish = fake_finish,
                                 .forget = fake_forget,
                                 .list = fake_list,
                                 .read = fake_read,
                                 .stats = fake_stats,
                                 .prune = fake_prune};
