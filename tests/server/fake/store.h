/* store.h -- an in-memory store for tests: it is slow, announces in groups of any size, is full now
 * and then, and when the server is killed it loses what was not announced, or only some of it. A
 * second store backend beside the embedded one, behind the same interface. */
#ifndef TESTS_SERVER_FAKE_STORE_H
#define TESTS_SERVER_FAKE_STORE_H
#include "net/net.h"
#include "store/backend.h"
#include "store/disk.h"

typedef struct FakeDisk FakeDisk;

/* How a disk behaves, and its callbacks. */
typedef struct FakeDiskSetup {
    NetLoop *loop;
    uint64_t seed;
    uint32_t late_ms;    /* a record takes up to this long; now and then ten times that */
    uint32_t full_every; /* one record in this many is refused; 0 = none */
    /* A record is durable, in the order of the records; called before the server learns of it. */
    void (*on_record)(void *owner, const StoreRecord *record);
    /* A match is in the archive. */
    void (*on_finish)(void *owner, const StoreEntry *entry, const char *bytes, size_t count);
    void *owner;
} FakeDiskSetup;

/* An empty disk. */
FakeDisk *fake_disk_new(const FakeDiskSetup *setup);
void fake_disk_release(FakeDisk *disk);
/* Makes the setup open a store on this disk. */
void fake_disk_use(FakeDisk *disk, StoreSetup *setup);
/* Power failure: when the store is closed now, what is not durable yet is lost from some point
 * on. */
void fake_disk_kill(FakeDisk *disk);
/* Changes lateness and refusals from now on; see FakeDiskSetup. */
void fake_disk_behave(FakeDisk *disk, uint32_t late_ms, uint32_t full_every);
/* It breaks: what was given to it is lost, and requests fail. */
void fake_disk_fail(FakeDisk *disk);
/* The backend, for those who must name it. */
extern const StoreBackend fake_store;
/* Matches that are open. */
uint32_t fake_disk_open_matches(const FakeDisk *disk);

#endif
