/* index.h -- the index of finished matches: one SQLite file in WAL mode. All SQL is here; whatever
 * comes from outside is a bound parameter. A connection belongs to one thread at a time. */
#ifndef STORE_INDEX_H
#define STORE_INDEX_H
#include <time.h>

#include "store/archive.h"

typedef struct Index Index;

/* Opens the index; `writes`: makes its tables if needed, and migrates those of an older version.
 * NULL = with a problem. */
Index *index_open(const char *path, bool writes, MashText *problem);
/* NULL is ignored. */
void index_close(Index *index);
/* Is this match there (*known), and when did it start? Anything but ARCHIVE_OK has a problem. */
ArchiveAnswer index_find(Index *index, uint64_t match, bool *known, uint64_t *started_ms,
                         MashText *problem);
/* Adds entries, all or none; those already there stay as they are. */
ArchiveAnswer index_add(Index *index, const StoreEntry *const *entries, size_t count,
                        MashText *problem);
/* From now on a list that is not ready at this time of the monotonic clock is cancelled with
 * ARCHIVE_BUSY; all 0 = there is no limit. For an index that does not write. */
void index_until(Index *index, struct timespec until);
/* Lists entries, without the paths of their files. Anything but ARCHIVE_OK has a problem. */
ArchiveAnswer index_list(Index *index, const StoreFilter *filter, StoreEntry *entries, uint32_t max,
                         uint32_t *count, MashText *problem);
/* A match as pruning sees it. */
typedef struct IndexOld {
    uint64_t match, started_ms, ended_ms;
    int64_t bytes; /* of its file; -1 = not known yet */
} IndexOld;
/* The matches to prune first, up to `max`; or those whose file size is not known yet: an older
 * program archived them. */
ArchiveAnswer index_old(Index *index, bool unmeasured, IndexOld *list, size_t max, size_t *count,
                        MashText *problem);
/* Stores the sizes of their files; removes them. All or none. */
ArchiveAnswer index_measure(Index *index, const IndexOld *list, size_t count, MashText *problem);
ArchiveAnswer index_remove(Index *index, const IndexOld *list, size_t count, MashText *problem);
/* Puts STORE_ERASED_NAME in place of the names of these seats of a match, by which no list finds
 * it, and the length of its new file. All or none. */
ArchiveAnswer index_erase(Index *index, const StoreErasure *what, MashText *problem);
/* What was replaced is not in the file, nor in the log beside it any more; somebody who reads just
 * now may delay that. */
void index_wipe(Index *index);
/* How much the files take on the disk, in whole blocks of INDEX_BLOCK bytes. */
ArchiveAnswer index_total(Index *index, uint64_t *bytes, MashText *problem);
enum { INDEX_BLOCK = 4096 };
/* Copies the index at `path` to `to`, which must not exist, while others may write to the original.
 * False = with a problem. */
bool index_copy(const char *path, const char *to, MashText *problem);

#endif
