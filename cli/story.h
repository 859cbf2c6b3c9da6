/* story.h -- what happened in a match as sentences, for each seat and for watchers: each tells only
 * what its reader may know. */
#ifndef CLI_STORY_H
#define CLI_STORY_H
#include "match/match.h"

/* Readers are the seats, and behind them one for all watchers. */
enum { STORY_WATCHER = MASH_SEATS, STORY_READERS = MASH_SEATS + 1 };

/* A sentence that one reader got by the action of this number. */
typedef struct StoryLine {
    uint32_t ply;
    uint32_t reader;
    char *words;
} StoryLine;

/* Sentences in order. */
typedef struct Story {
    void *view; /* lent to match_view() */
    StoryLine *lines;
    uint32_t count, room;
} Story;

/* A story of matches with this content. */
void story_init(Story *story, const MashContent *content);
void story_release(Story *story);
/* Adds what one reader is told by events, in the words of its view; `ply` is their number. */
void story_hear(Story *story, const MashContent *content, const void *view,
                const MashEvents *events, uint32_t ply, uint32_t reader);
/* Adds what the last action of the match told. */
void story_note(Story *story, const Match *match);
/* Tells the whole match anew: plays it from the start. */
void story_retell(Story *story, Match *match);
/* How many sentences the reader got by actions number `from` to `to`. */
uint32_t story_count(const Story *story, uint32_t reader, uint32_t from, uint32_t to);
/* Prints them, but for the first `skipped`, each behind `indent`. */
void story_print(const Story *story, uint32_t reader, uint32_t from, uint32_t to, uint32_t skipped,
                 const char *indent);
/* Did two readers get the same sentences by this action? */
bool story_same(const Story *story, uint32_t ply, uint32_t reader, uint32_t other);

#endif
