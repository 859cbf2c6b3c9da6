/* saved.h -- match files on disk: read with everything they need, written whole. */
#ifndef CLI_SAVED_H
#define CLI_SAVED_H
#include "cli/setting.h"
#include "match/file.h"

/* A match read from its file, with its content. */
typedef struct Saved {
    MatchFile file;
    Setting setting;
    void *memory; /* the match's */
    Match match;
} Saved;

/* Reads, loads and replays. False: problems were printed, and nothing is left to free. */
bool saved_read(const char *path, Saved *out);
/* Frees match and content. */
void saved_release(Saved *saved);
/* Writes a match played with this setting. False: a sentence was printed. */
bool saved_write(const char *path, Match *match, const Setting *setting,
                 const char *const players[MASH_SEATS]);

#endif
