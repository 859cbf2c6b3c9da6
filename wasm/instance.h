/* instance.h -- what the files of wasm/ share: the game, the content, the match and the moment that
 * the page has before it, and the memory all of it lies in.
 *
 * Memory grows with what is asked for: content first, then what every look at it needs, then the
 * match. Texts are written to one buffer. */
#ifndef WASM_INSTANCE_H
#define WASM_INSTANCE_H
#include "ai/tip.h"
#include "include/mashup.h"
#include "match/match.h"

/* Declares and begins an exported function: EXPORT(uint32_t, awaited, (void)) { ... } */
#define EXPORT(type, name, parameters)                                                             \
    __attribute__((export_name(#name))) type wasm_##name parameters;                               \
    type wasm_##name parameters

/* Sizes. */
enum {
    DOOR_INPUT_BYTES = 5 << 20, /* documents and match files from outside, their names among them */
    DOOR_TEXT_BYTES = 8 << 20,
    DOOR_EVENTS_MAX = 1 << 14, /* of one moment: several actions may lie between two positions */
    DOOR_PROBLEMS_MAX = 32,
    SENTENCE_BYTES = 513, /* of an event */
};

/* What one seat sees: its view and what has just happened. */
typedef struct SeatView {
    bool there;
    uint8_t seat; /* MASH_SEAT_SPECTATOR: a watcher */
    void *view;   /* terms.state_bytes */
    MashEvent *events;
    uint32_t events_count;
} SeatView;

/* Everything that is open. */
typedef struct EngineInstance {
    const MashGame *game;
    MashContent *content;
    MashTexts *language; /* memory for one, NULL: the game has none */
    MashTexts *texts;    /* the language to speak, NULL: that of the content's documents */
    MashDocument documents[MASH_DOCUMENTS_MAX]; /* what the content was loaded from */
    uint32_t documents_count;
    int32_t options[MASH_OPTIONS_MAX];
    Match match;
    bool playing;
    uint32_t written; /* actions of the file that the match was opened from; 0: there is none */
    SeatView view;
    MashBoard board;
    void *position_memory;   /* position_bytes() */
    void *trial;             /* a state to try actions on */
    MashEvents trial_events; /* what they told */
    MashBoard trial_board;   /* and what it looks like then */
    Ai *ai;                  /* NULL: there is no memory for it */
    Tip *tip;                /* likewise */
    AiPlan plans[MASH_SEATS];
    MashText text;
} EngineInstance;
extern EngineInstance instance;

/* Empties the text; what is appended to door.text is what the page reads. */
void door_text_begin(void);
/* So many bytes more, aligned and zero; NULL: the browser has no more. */
void *instance_take(size_t bytes);
/* Forgets everything that was taken. */
void instance_reset(void);
/* Forgets everything but the content and what belongs to it. */
void door_keep_content(void);
/* Loads content of door.game behind what was taken. False: problems say why, or there is no memory.
 */
bool door_load(const MashDocument *documents, uint32_t count, MashProblems *problems);
/* Takes what every look at door.content needs; the content lies before it. False: there is no
 * memory. */
bool instance_take_scratch(void);
/* The input: so many bytes of a name, a NUL, so many bytes. False: that is not what lies there. */
bool door_input(uint32_t name_count, uint32_t bytes_count, MashDocument *out);
/* Writes problems as a JSON list into the text. */
void door_put_problems(const MashProblems *problems);
/* What sentences of the page call a unit: its kind, with a number if its side has several of it and
 * the side if the other has it too; its short name where the kind is hidden. */
void instance_call_unit(const MashContent *content, const MashTexts *texts, const void *state,
                        uint8_t unit, MashText *text);
/* The eight bytes of an action from two halves. */
MashAction door_action(uint32_t low, uint32_t high);

#endif
