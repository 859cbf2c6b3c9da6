/* trial.h -- what the parts of the universal test share: one trial is one match under test, with
 * all memory it lends to the game. A broken promise ends the trial (longjmp), with all that is
 * needed to reproduce it in the report. */
#ifndef TESTS_UNIVERSAL_TRIAL_H
#define TESTS_UNIVERSAL_TRIAL_H
#include <setjmp.h>

#include "include/mashup.h"
#include "tests/universal/game.h"

/* Views are numbered by seat; the last is a spectator's. */
enum { LENT_MAX = 32, WATCHER = MASH_SEATS, VIEWS = MASH_SEATS + 1 };

/* Memory lent to the game; followed by guard bytes that must not change. */
typedef struct Lent {
    uint8_t *bytes;
    size_t count;
} Lent;

/* One match under test. */
typedef struct Trial {
    const MashGame *game;
    const MashContent *content;
    const char *preset;
    int32_t options[MASH_OPTIONS_MAX];
    MashSetup setup;
    uint32_t match, ply; /* ply counts all actions, listed or not */
    uint32_t listed;     /* how many of them were listed ones */
    MashSeed seed;
    MashChance dice;   /* the test's own random choices */
    MashAction action; /* the last one tried, for the report */
    /* lent memory */
    void *state;        /* the match */
    void *views[VIEWS]; /* what each seat and a spectator may know of it */
    void *copies[7];
    MashAction *lists[MASH_SEATS]; /* the legal actions of each seat */
    uint32_t counts[MASH_SEATS];
    MashAction *spare_list;
    uint64_t *hashes; /* one per action of a list */
    MashEvents events, other_events;
    MashBoard board;
    Lent lent[LENT_MAX];
    uint32_t lent_count;
    jmp_buf escape;
    EveryReport *report;
} Trial;

/* A promise: ends the trial with this message if the condition does not hold. */
#define REQUIRE(trial, condition, ...)                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            trial_fail(trial, __FILE__, __LINE__, __VA_ARGS__);                                    \
    } while (0)
_Noreturn void trial_fail(Trial *trial, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Memory for matches of this content; trial_close() gives it back. */
void trial_open(Trial *trial, const MashGame *game, const MashContent *content);
void trial_close(Trial *trial);
/* All guard bytes are unchanged. */
void trial_check_lent(Trial *trial);

/* A random number below `values` of the test's own; true once in `of` times. */
uint32_t trial_draw(Trial *trial, uint32_t values);
bool trial_once_in(Trial *trial, uint32_t of);
/* The seat that view number 0, 1 or WATCHER is for. */
uint8_t trial_viewer(uint32_t view);
/* Is view number `view` one of those that see the event? */
bool trial_sees(const MashEvent *event, uint32_t view);

/* memcpy and memcmp of a state's bytes. */
void trial_copy(const Trial *trial, void *to, const void *from);
bool trial_same(const Trial *trial, const void *a, const void *b);
/* The view of that number of a state. */
void trial_hide(const Trial *trial, void *view, const void *state, uint32_t number);
/* Applies as action number `ply` of the match; events->count starts at 0. */
MashStatus trial_apply(Trial *trial, void *state, MashAction action, uint32_t ply,
                       MashEvents *events);
/* The same by apply_listed(), as the next action of the match. */
void trial_apply_listed(Trial *trial, void *state, MashAction action, MashEvents *events);
/* Asserts that apply() makes of `before` what apply_listed() made: `after` and trial->events. */
void trial_agrees(Trial *trial, const void *before, MashAction action, const void *after);
/* Lists into `list` and asserts order, count, and that only an awaited seat has any. */
uint32_t trial_list(Trial *trial, const void *state, uint8_t seat, MashAction *list);
bool trial_listed(const MashAction *list, uint32_t count, MashAction action);
/* One of the legal actions; false if the match is over. */
bool trial_choose(Trial *trial, const void *state, MashAction *list, MashAction *out);
/* Plays at random to the end, within `limit` actions. */
void trial_play_out(Trial *trial, void *state, uint32_t limit, const char *from);
/* An arbitrary request: random bytes, or a legal action with something changed. */
MashAction trial_random_action(Trial *trial);

/* The parts. Each reads trial->state, its views and lists, and does not change them. */
void universal_content(Trial *trial);            /* limits, names, options: once per content */
void universal_ids(Trial *trial);                /* ids and languages: likewise */
void universal_result(Trial *trial);             /* who is awaited, how it ended */
void universal_view(Trial *trial);               /* makes the views */
void universal_list(Trial *trial);               /* makes the lists */
void universal_action(Trial *trial);             /* tries listed actions */
void universal_unlisted(Trial *trial);           /* tries actions that are not listed */
void universal_show(Trial *trial);               /* boards, names, statistics */
void universal_word(Trial *trial);               /* notation of actions */
void universal_hidden_information(Trial *trial); /* hidden information */
void universal_table(Trial *trial);              /* verbs of every game */
void universal_over(Trial *trial);               /* after the end */
/* The events of an action that led from `before` to `after`. */
void universal_event(Trial *trial, const MashEvents *events, const void *before, const void *after);
/* A text that was appended to "~": something, whole, UTF-8, without control characters. */
void universal_text(Trial *trial, const MashText *text, const char *what);
/* The name of `index` in `list` exists. */
void universal_name(Trial *trial, MashNames list, uint8_t index, const char *what);
/* The meter satisfies its role. */
void universal_role(Trial *trial, const MashMeter *meter);

#endif
