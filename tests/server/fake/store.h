/* store.h -- a store of a test's own, in memory: it is late, announces in groups of its own liking,
 * is full now and then, and a house that is killed loses what was not announced, or only some of
 * it. A second kind of store beside the embedded one, through the same door. */
#ifndef TESTS_SERVER_FAKE_STORE_H
#define TESTS_SERVER_FAKE_STORE_H
#include "net/net.h"
#include "store/backend.h"
#include "store/disk.h"

typedef struct FakeDisk FakeDisk;

/* How a disk behaves, and who looks on. */
typedef struct FakeDiskSetup {
    NetLoop *loop;
    uint64_t seed;
    uint32_t late_ms;    /* a record takes up to so long; now and then ten times that */
    uint32_t full_every; /* one record in so many is refused; 0 = none */
    /* A record is safe for ever, in the order of the records; before the house hears of it. */
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
/* The power fails: when the store is closed now, what is not safe yet is lost from some point on.
 */
void fake_disk_kill(FakeDisk *disk);
/* From now on it is so late and refuses one record in so many; see FakeDiskSetup. */
void fake_disk_behave(FakeDisk *disk, uint32_t late_ms, uint32_t full_every);
/* It breaks: what was given to it is lost, and whoever asks is told so. */
void fake_disk_fail(FakeDisk *disk);
/* The kind, for who must name it. */
extern const StoreBackend fake_store;
/* Matches that are open. */
uint32_t fake_disk_open_matches(const FakeDisk *disk);

#endif
