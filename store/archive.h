/* archive.h -- match files in folders by year and month, and their index in SQLite.
 *
 * A match is in the archive when the index says so; its file was made durable before that. The path
 * of a file follows from the match's id and the time it started, so that archiving again after a
 * crash writes the same file. One thread archives and prunes; lists and files may be read, and
 * names taken out, from any thread meanwhile. */
#ifndef STORE_ARCHIVE_H
#define STORE_ARCHIVE_H
#include "store/disk.h"
#include "store/store.h"

typedef struct Archive Archive;
typedef struct StoreErasure StoreErasure;

/* The most matches archived in one call. */
enum { ARCHIVE_PUT_MAX = 64 };

/* A finished match to be archived. */
typedef struct ArchiveItem {
    StoreEntry entry;
    void *bytes;
    size_t count;
} ArchiveItem;

/* The result of archiving. */
typedef enum ArchiveAnswer {
    ARCHIVE_OK,
    ARCHIVE_BUSY, /* another program has locked the index: try again */
    ARCHIVE_FAILED
} ArchiveAnswer;

/* Opens DIR/archive and DIR/index.sqlite, making both if needed. NULL = with a problem. */
Archive *archive_open(const char *folder, const StoreDisk *disk, MashText *problem);
/* NULL is ignored. */
void archive_close(Archive *archive);
/* Is the match in the archive (*known)? Anything but ARCHIVE_OK has a
 * problem. */
ArchiveAnswer archive_find(Archive *archive, uint64_t match, bool *known, MashText *problem);
/* Puts up to ARCHIVE_PUT_MAX matches into the archive, all or none of those that are not there yet.
 * Anything but ARCHIVE_OK has a problem. */
ArchiveAnswer archive_put(Archive *archive, const ArchiveItem *const *items, size_t count,
                          MashText *problem);
/* The most matches that one step of pruning removes. */
enum { ARCHIVE_PRUNE_MAX = 64 };
/* One step of store_prune(): removes files, then their entries; *more = there is more to do,
 * *removed = matches, *bytes = what the archive's files take now, 0 = not known yet. For the
 * writing thread. Anything but ARCHIVE_OK has a problem. */
ArchiveAnswer archive_prune(Archive *archive, const StorePrune *prune, bool *more,
                            uint64_t *removed, uint64_t *bytes, MashText *problem);
/* Puts another file in place of one of the archive, and a name that belongs to nobody in place of
 * those of these seats, if the match is there (*known). Anything but ARCHIVE_OK has a problem. */
ArchiveAnswer archive_erase(Archive *archive, const StoreErasure *what, bool *known,
                            MashText *problem);
/* What was replaced is not in the log of the index any more. */
void archive_wipe(Archive *archive);
/* See store_archive_list() and store_archive_read(). A list takes `query_ms` at most. */
StoreStatus archive_list(Archive *archive, const StoreFilter *filter, uint32_t query_ms,
                         StoreEntry *entries, uint32_t max, uint32_t *count, MashText *problem);
StoreStatus archive_read(Archive *archive, uint64_t match, void *bytes, size_t max, size_t *count,
                         MashText *problem);

#endif
