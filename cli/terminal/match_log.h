/* match_log.h -- what happened in a match as sentences, for each seat and for spectators: each
 * tells only what its reader may know. */
#ifndef CLI_TERMINAL_MATCH_LOG_H
#define CLI_TERMINAL_MATCH_LOG_H
#include "match/match.h"

/* Readers are the seats, and behind them one for all spectators. */
enum { STORY_WATCHER = MASH_SEATS, STORY_READERS = MASH_SEATS + 1 };

/* A sentence that one reader got by the action of this number. */
typedef struct MatchLogLine {
    uint32_t ply;
    uint32_t reader;
    char *words;
} MatchLogLine;

/* Sentences in order. */
typedef struct MatchLog {
    void *view; /* lent to match_view() */
    MatchLogLine *lines;
    uint32_t count, room;
} MatchLog;

/* A story of matches with this content. */
void story_init(MatchLog *story, const MashContent *content);
void story_release(MatchLog *story);
/* Adds what one reader is told by events, in the words of its view; `ply` is their number. */
void match_log_add_events(MatchLog *story, const MashContent *content, const void *view,
                          const MashEvents *events, uint32_t ply, uint32_t reader);
/* Adds what the last action of the match told. */
void match_log_add_last(MatchLog *story, const Match *match);
/* Tells the whole match anew: plays it from the start. */
void match_log_rebuild(MatchLog *story, Match *match);
/* How many sentences the reader got by actions number `from` to `to`. */
uint32_t story_count(const MatchLog *story, uint32_t reader, uint32_t from, uint32_t to);
/* Prints them, but for the first `skipped`, each behind `indent`. */
void story_print(const MatchLog *story, uint32_t reader, uint32_t from, uint32_t to,
                 uint32_t skipped, const char *indent);
/* Did two readers get the same sentences by this action? */
bool story_same(const MatchLog *story, uint32_t ply, uint32_t reader, uint32_t other);

#endif
