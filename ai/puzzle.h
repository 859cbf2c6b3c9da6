/* puzzle.h -- finds positions in which one turn is far better than every different one, and judges
 * what somebody plays in them.
 *
 * A turn is what it leads to: other actions that end in the same position are the same turn, and so
 * are all turns that win the match at once. Where turns have several actions, all that do the same
 * to the enemy are one turn, too, wherever the own units go. The search is asked for the best turn,
 * then again and again without those found so far, until the chance falls: by a tenth at most is a
 * further solution, by a gap or more is the second best, and anything between makes no puzzle.
 * Where much is hidden every action is tried in the same guesses instead. Of a turn that depends on
 * chance its mean counts.
 *
 * Everything is judged by what the seat knows. Nothing is allocated, and work is counted in nodes,
 * so every machine finds the same; unlike judging it is not done in slices. */
#ifndef AI_PUZZLE_H
#define AI_PUZZLE_H
#include "ai/judge.h"

/* Sizes and limits; chances are in ten thousandths. */
enum {
    PUZZLE_NODES = 200000,   /* for each search */
    PUZZLE_GAP = 4000,       /* the second best turn has so much less */
    PUZZLE_GAP_LEAST = 2000, /* the same in games where one turn decides less */
    PUZZLE_SAME = 1000,      /* a solution has at most so much less than the best turn */
    PUZZLE_LOST = 1000,      /* whose chance is at most this has lost */
    PUZZLE_SOLUTIONS_MAX = 4,
    PUZZLE_LEVEL = 3, /* must not find the solution */
};

/* What the seat has to do: the id of a kind and what it says. */
#define PUZZLE_KINDS(X)                                                                            \
    X(WIN, "win", "win the match this turn")                                                       \
    X(SURVIVE, "survive", "every other turn loses")                                                \
    X(FIND, "find", "every other turn is much worse")
#define PUZZLE_KIND(name, id, meaning) PUZZLE_##name,
typedef enum PuzzleKind { PUZZLE_KINDS(PUZZLE_KIND) PUZZLE_KIND_COUNT } PuzzleKind;
#undef PUZZLE_KIND
const char *puzzle_kind_id(PuzzleKind kind);

/* A turn. */
typedef struct PuzzleTurn {
    uint32_t count;
    MashAction actions[AI_PLAN_MAX];
} PuzzleTurn;

/* A puzzle: the chances after the best turn and the second best, for the seat that is to act. */
typedef struct Puzzle {
    PuzzleKind kind;
    uint32_t best, second;
    uint32_t solutions_count;
    PuzzleTurn solutions[PUZZLE_SOLUTIONS_MAX];
    PuzzleTurn instead; /* the second best turn */
} Puzzle;

/* Everything that finding needs, in lent memory. */
typedef struct PuzzleFinder PuzzleFinder;

/* Bytes that puzzle_init() needs, aligned to 16; and initialises it. Content must stay valid. */
size_t puzzle_bytes(const MashContent *content);
PuzzleFinder *puzzle_init(const MashContent *content, void *memory);
/* Is the position, which the seat sees like this and is to act in, a puzzle at so many nodes for
 * each search, with so large a gap? */
bool puzzle_find(PuzzleFinder *finder, const void *view, uint8_t seat, uint32_t nodes, uint32_t gap,
                 Puzzle *out);
/* Is the position worth looking at: does a player of this level play a turn that is worse than the
 * best one, as one search sees it, by more than half of the gap? Where much is hidden that is as
 * much work as finding puzzles: true. Where the match can be won at once, what counts is whether
 * the player sees it, mistakes and all. */
bool puzzle_missed_by(PuzzleFinder *finder, const void *view, uint8_t seat, uint32_t level,
                      uint32_t nodes, uint32_t gap);
/* The chance of the seat after this turn, the mean over what chance may bring and what may be
 * hidden. Actions that are not legal end the turn. */
uint32_t puzzle_chance(PuzzleFinder *finder, const void *view, uint8_t seat, const PuzzleTurn *turn,
                       uint32_t nodes);
/* From which chance on a turn counts as solving: halfway between the best and the second best. */
uint32_t puzzle_needs(uint32_t best, uint32_t second);
/* Does a player of this level find a turn with at least this chance in one of several tries? Its
 * mistakes do not count, except where the match is to be won at once: every level that makes none
 * sees that. There it plays as it is, and tries more often. */
bool puzzle_solved_by(PuzzleFinder *finder, const void *view, uint8_t seat, uint32_t level,
                      PuzzleKind kind, uint32_t needs, uint32_t nodes);

#endif
