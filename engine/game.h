/* game.h -- what the files of every game share: its entry points, declared and entered under one
 * prefix, and the loading of its content.
 *
 * The functions of a game are named after the entries of MashGame, where it is said what each of
 * them does: zorde_show() is its show(). */
#ifndef ENGINE_GAME_H
#define ENGINE_GAME_H
#include "base/fields.h"
#include "engine/common.h"
#include "engine/notation.h"
#include "engine/texts.h"

/* Declares what the files of a game may define for its MashGame: fields of documents, descriptions,
 * evaluator and functions. */
#define GAME_DECLARE(prefix)                                                                       \
    extern const Fields *const prefix##_documents[];                                               \
    extern const TextsDescriptions prefix##_descriptions;                                          \
    extern const MashEvaluator prefix##_evaluator;                                                 \
    bool prefix##_load(const MashDocuments *, MashContent *, MashProblems *);                      \
    int32_t prefix##_figure(const MashContent *, const void *state, uint8_t unit, uint8_t figure); \
    void prefix##_hide(const MashContent *, void *state, uint8_t seat);                            \
    void prefix##_guess(const MashContent *, void *view, uint8_t seat, MashChance *);              \
    void prefix##_show(const MashContent *, const void *state, MashBoard *);                       \
    void prefix##_threat(const MashContent *, const void *view, uint8_t unit, int32_t *most);      \
    const char *prefix##_id(const MashContent *, MashNames, uint8_t index);                        \
    void prefix##_name(const MashContent *, const MashTexts *, MashNames, uint8_t index,           \
                       MashText *);                                                                \
    MashNames prefix##_what_list(const MashEvent *);                                               \
    void prefix##_unit_name(const MashContent *, const void *state, uint8_t unit, MashText *);     \
    void prefix##_full_name(const MashContent *, const MashTexts *, const void *state,             \
                            uint8_t unit, MashText *);                                             \
    void prefix##_describe(const MashContent *, const MashTexts *, MashNames, uint8_t index,       \
                           MashText *)

/* The entries that all games have: `content` is the type of its body, `figures` how many there are;
 * the lists of presets and of forms, and the functions of MASH_RULES, have the names of the
 * entries.
 */
#define GAME_ENTRIES(prefix, game_id, game_title, content, figures)                                \
    .id = game_id, .title = game_title, .version = 1,                                              \
    .content_bytes_max = sizeof(MashContent) + sizeof(content), MASH_LIST(presets),                \
    .figures_count = figures, .documents = prefix##_documents, .load = prefix##_load, MASH_RULES,  \
    .result = common_result, .figure = prefix##_figure, .show = prefix##_show,                     \
    TEXTS_PLACE(content), .unit_name = prefix##_unit_name, .describe = prefix##_describe,          \
    .evaluator = &prefix##_evaluator
/* Those of a game with hidden information, and of one whose names are not all in its texts. */
#define GAME_HIDES(prefix) .hide = prefix##_hide, .guess = prefix##_guess
#define GAME_NAMES(prefix)                                                                         \
    .id_of = prefix##_id, .name = prefix##_name, .full_name = prefix##_full_name

/* Levels that only the evaluator itself uses: GAME_LEVELS({0, 1000}, ...), in its initialiser. */
#define GAME_LEVELS(...)                                                                           \
    .levels = (const MashLevel[]){__VA_ARGS__},                                                    \
    .levels_count = sizeof((const MashLevel[]){__VA_ARGS__}) / sizeof(MashLevel)

/* How the content of a game is made of its documents. */
typedef struct ContentPlan {
    const MashGame *game;
    uint32_t hashed_bytes; /* the first ones of the body: what affects the rules */
    TextsShape texts;
    bool texts_need_kinds; /* texts name what the first document has: read only if that is valid */
    /* Before reading: what differs from zero. May be NULL. */
    void (*begin)(void *body);
    /* After reading: what follows from it, and content->limits. */
    void (*finish)(MashContent *content);
} ContentPlan;

/* load() of a game with such a plan. Every problem is reported before it fails; the content is
 * zeroed first, so that no uninitialised bytes are hashed. */
bool content_load(const ContentPlan *plan, const MashDocuments *documents, MashContent *content,
                  MashProblems *problems);
/* The same as a function, for a game with tables `lists` and `events` and these further entries of
 * the plan. */
#define GAME_LOAD(prefix, ...)                                                                     \
    static const ContentPlan plan = {.game = &prefix##_game,                                       \
                                     .texts = TEXTS_SHAPE(lists, events, prefix##_descriptions),   \
                                     __VA_ARGS__};                                                 \
    bool prefix##_load(const MashDocuments *documents, MashContent *content,                       \
                       MashProblems *problems) {                                                   \
        return content_load(&plan, documents, content, problems);                                  \
    }
/* The last part of it, for content that was read in another way. */
void content_finish(const ContentPlan *plan, MashContent *content);

/* hide() of a game without hidden information. */
void game_hide_nothing(const MashContent *content, void *state, uint8_t seat);

/* Where a figure of a unit is in the game's struct of figures: unsigned, of 1, 2 or 4 bytes; 0
 * bytes: it is not there and counts as 0. */
typedef struct FigurePlace {
    uint8_t offset, bytes;
} FigurePlace;
#define FIGURE_PLACE(type, member)                                                                 \
    { offsetof(type, member), sizeof(((type *)0)->member) }
/* figure() of a game that has an array of such structs, one for each unit, first those of seat 0,
 * then as many of seat 1: that of a unit, or the sum of a team, at most INT32_MAX. 0 for a number
 * that is not a figure, a unit or a team. */
int32_t game_figure(const FigurePlace *places, uint8_t places_count, uint8_t figure,
                    const void *figures, size_t size, uint8_t units, uint8_t unit);

#endif
