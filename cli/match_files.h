/* match_files.h -- reads match files with everything they need, and writes them. */
#ifndef CLI_MATCH_FILES_H
#define CLI_MATCH_FILES_H
#include "cli/files.h"
#include "cli/game_config.h"
#include "match/file.h"

/* A match read from its file, with its content. */
typedef struct Saved {
    MatchFile file;
    GameConfig setting;
    void *memory; /* the match's */
    Match match;
    void *text, *nodes; /* what was read: documents point into both */
} Saved;

/* Reads, loads and replays; what was read stays until the program ends. False: problems were
 * printed, and nothing has to be freed. */
bool saved_read(const char *path, Saved *out);
/* The same with a file that was read already. True or false, the caller then frees text and nodes,
 * or keeps them as saved_read() does. */
bool saved_open(const char *name, FileBytes bytes, Saved *out);
/* Frees match and content. */
void saved_release(Saved *saved);
/* Writes a match played with this configuration. False: an error was printed. */
bool saved_write(const char *path, Match *match, const GameConfig *setting,
                 const char *const players[MASH_SEATS]);

#endif
