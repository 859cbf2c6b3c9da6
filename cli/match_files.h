/* match_files.h -- reads match files with everything they need, and writes them. */
#ifndef CLI_MATCH_FILES_H
#define CLI_MATCH_FILES_H
#include "cli/files.h"
#include "cli/game_config.h"
#include "match/file.h"

/* A match read from its file, with its content. */
typedef struct SavedMatch {
    MatchFile file;
    GameConfig config;
    void *memory; /* the match's */
    Match match;
    void *text, *nodes; /* what was read: documents point into both */
} SavedMatch;

/* Reads, loads and replays; what was read stays until the program ends. False: problems were
 * printed, and nothing has to be freed. */
bool saved_match_read(const char *path, SavedMatch *out);
/* The same with a file that was read already. True or false, the caller then frees text and nodes,
 * or keeps them as saved_match_read() does. */
bool saved_match_open(const char *name, FileBytes bytes, SavedMatch *out);
/* Frees match and content. */
void saved_match_release(SavedMatch *saved);
/* Writes a match played with this configuration. False: an error was printed. */
bool saved_match_write(const char *path, Match *match, const GameConfig *config,
                       const char *const players[MASH_SEATS]);

#endif
