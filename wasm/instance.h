/* instance.h -- what the files of wasm/ share: the game, the content, the match and the view that
 * the page shows, and their memory.
 *
 * Memory grows on demand: content first, then what every query needs, then the match. Texts are
 * written to one buffer. */
#ifndef WASM_INSTANCE_H
#define WASM_INSTANCE_H
#include "ai/tip.h"
#include "include/mashup.h"
#include "match/match.h"

/* Declares and starts an exported function: EXPORT(uint32_t, awaited, (void)) { ... } */
#define EXPORT(type, name, parameters)                                                             \
    __attribute__((export_name(#name))) type wasm_##name parameters;                               \
    type wasm_##name parameters

/* Sizes. */
enum {
    INSTANCE_INPUT_BYTES =
        5 << 20, /* documents and match files from outside, including their names */
    INSTANCE_TEXT_BYTES = 8 << 20,
    INSTANCE_EVENTS_MAX =
        1 << 14, /* events of one view: several actions may happen between two positions */
    INSTANCE_PROBLEMS_MAX = 32,
    SENTENCE_BYTES = 513, /* of an event */
    WORD_BYTES = 128,     /* of an action or a name */
};

/* What one seat sees: its view and the latest events. */
typedef struct SeatView {
    bool there;
    uint8_t seat; /* MASH_SEAT_SPECTATOR: a spectator */
    void *view;   /* limits.state_bytes */
    MashEvent *events;
    uint32_t events_count;
} SeatView;

/* Everything that is loaded. */
typedef struct EngineInstance {
    const MashGame *game;
    MashContent *content;
    MashTexts *language; /* memory for further texts, NULL: the game has none */
    MashTexts *texts;    /* the language in use, NULL: that of the content's documents */
    MashDocument documents[MASH_DOCUMENTS_MAX]; /* what the content was loaded from */
    uint32_t documents_count;
    int32_t options[MASH_OPTIONS_MAX];
    Match match;
    bool playing;
    uint32_t written; /* actions of the file that the match was opened from; 0: there is none */
    SeatView view;
    MashBoard board;
    void *position_memory; /* position_bytes() */
    void *preview_memory;  /* preview_bytes() */
    void *threat_memory;   /* threat_bytes() */
    int32_t *threat;       /* one number for each cell */
    void *walk_memory;     /* walk_bytes() */
    void *foresee_memory;  /* foresee_bytes() */
    void *trial;           /* a state to try something on */
    MashBoard trial_board; /* and its board */
    Ai *ai;                /* NULL: not enough memory */
    Tip *tip;              /* likewise */
    AiPlan plans[MASH_SEATS];
    MashText text;
} EngineInstance;
extern EngineInstance instance;

/* Empties the text; the page reads what is appended to instance.text. */
void instance_text_begin(void);
/* How much text there is; 0 if it was too long. */
uint32_t instance_text_end(void);
/* This many bytes more, aligned and zero; NULL: the browser has no more memory. */
void *instance_take(size_t bytes);
/* Frees everything that was taken: there is no content, match or view any more. */
void instance_reset(void);
/* Frees everything except the content and what belongs to it. */
void instance_keep_content(void);
/* Loads content of instance.game after the memory already taken. False: problems say why, or there
 * is not enough memory. */
bool instance_load(const MashDocument *documents, uint32_t count, MashProblems *problems);
/* Takes the memory that queries of instance.content need, after the content. False: not enough
 * memory. */
bool instance_take_scratch(void);
/* The input: this many bytes of a name, a NUL, this many bytes. False: the input has another form.
 */
bool instance_input(uint32_t name_count, uint32_t bytes_count, MashDocument *out);
/* Writes problems as a JSON list into the text. */
void instance_put_problems(const MashProblems *problems);
/* The names of units in sentences of the page: the kind, with a number if its team has several of
 * it and the side if the opponent has it too; where the kind is hidden, that and a number. */
extern const MashCalling instance_calling;
/* The listed action of a seat with this notation, in upper or lower case. False: there is none. */
bool instance_find_action(const void *state, uint32_t seat, const char *word, MashAction *action);
/* The eight bytes of an action from two halves. */
MashAction instance_action(uint32_t low, uint32_t high);

#endif
