/* match_log.h -- the log of a match as sentences, for each seat and for spectators: each contains
 * only what its reader may know. */
#ifndef CLI_TERMINAL_MATCH_LOG_H
#define CLI_TERMINAL_MATCH_LOG_H
#include "match/match.h"

/* Readers are the seats, followed by one for all spectators. */
enum { LOG_SPECTATOR = MASH_SEATS, LOG_READERS = MASH_SEATS + 1 };

/* A sentence that one reader got from the action of this number. */
typedef struct MatchLogLine {
    uint32_t ply;
    uint32_t reader;
    char *words;
} MatchLogLine;

/* Sentences in order. */
typedef struct MatchLog {
    void *view; /* lent to match_view() */
    MatchLogLine *lines;
    uint32_t count, max;
} MatchLog;

/* A log of matches with this content. */
void match_log_init(MatchLog *log, const MashContent *content);
void match_log_release(MatchLog *log);
/* Appends the sentences of events for one reader, in the words of its view; `ply` is their
 * number. */
void match_log_add_events(MatchLog *log, const MashContent *content, const void *view,
                          const MashEvents *events, uint32_t ply, uint32_t reader);
/* Appends the sentences of the last action of the match. */
void match_log_add_last(MatchLog *log, const Match *match);
/* Rebuilds the whole log: replays the match from the start. */
void match_log_rebuild(MatchLog *log, Match *match);
/* How many sentences the reader got from actions `from` to `to`. */
uint32_t match_log_count(const MatchLog *log, uint32_t reader, uint32_t from, uint32_t to);
/* Prints them, except the first `skipped`, each after `indent`. */
void match_log_print(const MatchLog *log, uint32_t reader, uint32_t from, uint32_t to,
                     uint32_t skipped, const char *indent);
/* Did two readers get the same sentences from this action? */
bool match_log_same(const MatchLog *log, uint32_t ply, uint32_t reader, uint32_t other);

#endif
