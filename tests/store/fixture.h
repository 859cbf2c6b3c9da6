/* fixture.h -- what the tests of the store share: a folder of their own, a disk that counts and
 * fails, and records whose bytes follow from match and number, so that they can be checked. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H
#include "store/disk.h"
#include "store/store.h"

/* A disk that counts its operations, and fails from a chosen one on. */
typedef struct RigDisk {
    StoreDisk disk;
    _Atomic uint64_t writes, syncs, all; /* so far; `all` has renames and removals too */
    uint64_t stop_at;                    /* this one of all and every later one fails; 0 = never */
    bool halves;                         /* the write that fails writes half of its bytes first */
    bool forgets;     /* a segment's sync that fails loses what was written since */
    uint64_t segment; /* the segment last synced, and its length then */
    int64_t synced;
    uint32_t removes_fail;          /* this many of the next removals fail */
    const char *_Atomic fails_at;   /* opens of paths that contain this fail; NULL = none */
    uint64_t free_bytes, all_bytes; /* the disk space; all_bytes 0 = the real one */
    int error;                      /* errno of failures */
    void (*on_sync)(void *owner);   /* called before each sync of a segment */
    void (*on_rename)(void *owner); /* called before each rename, as of a file of the archive */
    void *owner;
} RigDisk;

/* A gate in the way of a thread of the store, for `on_sync` or `on_rename`: the test closes it,
 * waits until the thread stands before it, and knows then what that thread has not done yet,
 * however late either of them runs. */
typedef struct RigGate {
    _Atomic bool closed;
    _Atomic uint32_t reached; /* how often a thread came to it */
} RigGate;

/* A store under test. */
typedef struct Rig {
    char folder[64], place[256];
    StoreSetup setup;
    RigDisk disk;
    Store *store;
    char problem[512];
    char lines[4096]; /* what was reported, each with a line end */
    uint32_t lines_count;
    uint32_t descriptors; /* that were open before; 0 = not checked, as with several rigs */
} Rig;

/* Makes an empty folder, in memory if possible, and a manual setup. */
void rig_init(Rig *rig);
/* Closes, and removes the folder with all that is in it. No descriptor may be left open. */
void rig_release(Rig *rig);
/* The same before and after a test of cmocka's, whose state is the one rig. */
int rig_set_up(void **state);
int rig_tear_down(void **state);
/* Opens the store, with the reported lines and the counts of the disk cleared. False = rig.problem
 * holds the reason. */
bool rig_open(Rig *rig);
/* The same; a test fails with the reason. A database that does not answer in time, because the
 * machine is busy, is asked again, as systemd would start a node again. */
void rig_must_open(Rig *rig);
void rig_close(Rig *rig);
/* Removes the folder's contents. */
void rig_empty(Rig *rig);
/* Reads a file of the folder into memory to be freed; NULL = there is none. */
uint8_t *rig_read(const Rig *rig, const char *name, size_t *count);
/* Writes these bytes to the file. */
void rig_write(const Rig *rig, const char *name, const void *bytes, size_t count);
/* How many files of the journal's folder have a name with this ending. */
uint32_t rig_count(const Rig *rig, const char *ending);

/* Lets that much time pass. What a test expects must not depend on how much more it was. */
void rig_pause_ms(long ms);
/* The time of a clock that only goes on, and when a test that waits from now on has waited in vain:
 * after a minute and a half, or MASH_PATIENCE_S seconds. */
uint64_t rig_now_ms(void);
uint64_t rig_patience_end_ms(void);
/* Waits until the condition holds; a test that waits in vain fails. */
#define WAIT_FOR(condition)                                                                        \
    do {                                                                                           \
        uint64_t until_ms = rig_patience_end_ms();                                                 \
        while (!(condition) && rig_now_ms() < until_ms)                                            \
            rig_pause_ms(1);                                                                       \
        assert_true(condition);                                                                    \
    } while (0)
/* Waits until both tickets are announced; a test fails on a failure of the store, or after thirty
 * seconds. */
void rig_wait(Rig *rig, uint64_t appended, uint64_t finished);
/* A thread of the store comes to the gate (RigGate *owner): it waits while that is closed. */
void rig_gate(void *owner);
/* Waits until a thread has come to the gate this often; a test fails after thirty seconds. */
void rig_wait_at_gate(const RigGate *gate, uint32_t times);

/* How often the reported lines contain these words. */
uint32_t rig_said(const Rig *rig, const char *words);

/* The longest payload; the time of the record of sequence number 0, each next is 1 ms later. */
enum { RIG_PAYLOAD_MAX = 64 };
#define RIG_TIME_MS (uint64_t)1700000000000
/* The payload of a record; its length in *count. */
void rig_payload(uint64_t match, uint32_t sequence, uint8_t out[RIG_PAYLOAD_MAX], uint32_t *count);
/* Appends the record of that number; the ticket. It must be accepted. */
uint64_t rig_append(Rig *rig, uint64_t match, uint32_t sequence);
/* Is the record what rig_append() appended? */
bool rig_is_right(const StoreRecord *record);
/* Finishes the match with a file that follows from its id; the ticket. It must be accepted. */
uint64_t rig_finish(Rig *rig, uint64_t match);
/* The entry and file that rig_finish() gives. */
StoreEntry rig_entry(uint64_t match);
/* Is the match in the archive, with the right file? */
bool rig_archived(Rig *rig, uint64_t match);

/* Deletes an account. */
StoreStatus rig_delete_account(Rig *rig, uint64_t id);

/* What was found at opening. */
typedef struct RigFound {
    uint64_t match;
    StoreHealth health;
    uint32_t records, first, last; /* sequence numbers; 0 without records */
    bool right;                    /* all payloads right, numbers ascending */
    bool gapless;                  /* 1, 2, 3 ... */
} RigFound;
/* Takes all open matches; how many. */
uint32_t rig_found(Rig *rig, RigFound *list, uint32_t max);

#endif
