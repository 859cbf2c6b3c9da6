/* preview_write.h -- what an action would do as JSON, for the page and for programs. */
#ifndef MATCH_PREVIEW_WRITE_H
#define MATCH_PREVIEW_WRITE_H
#include "base/json.h"
#include "match/preview.h"

/* The words to write with. */
typedef struct PreviewWords {
    const MashContent *content;
    const MashTexts *texts;    /* NULL: the language of the content's documents */
    const MashCalling *called; /* names of units in sentences; NULL: the game's */
} PreviewWords;

/* Opens an object with an event and its sentence, told from the state before or after it; the
 * caller closes it. */
void preview_open_event(const PreviewWords *words, const void *state, const MashEvent *event,
                        JsonWriter *writer);
/* Writes the preview of this action as an object: probabilities, the events of the first outcome
 * that its seat may see, the units that lose or gain health or fall, and what the action costs. */
void preview_write(const Preview *preview, const PreviewWords *words, MashAction action,
                   JsonWriter *writer);

#endif
