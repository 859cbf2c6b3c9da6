/* review.h -- what became of a match, turn by turn: the winning chances (judge.h), and what luck
 * and what each side's play changed.
 *
 * A turn begins with a chance and ends with the chance that the next one begins with. Luck is what
 * the draws of chance changed, as the difference of the position that came about and the mean of
 * those that could have come about; play is the rest, so both add up to the change exactly. Where
 * something is hidden, the mean is also over what the player could not know: a choice is judged by
 * what the player knew, and what turned out to be there is luck. The better line is what the search
 * found from the player's view.
 *
 * Judging begins when both sides have chosen and placed. As in ai.h nothing is allocated, work is
 * counted in nodes and done in slices, and the review is the same on every machine.
 *
 *     Review *review = review_init(content, &task, memory);
 *     while (!review_step(review, 1000))
 *         ;
 *     review_write(review, writer); */
#ifndef AI_REVIEW_H
#define AI_REVIEW_H
#include "ai/judge.h"
#include "base/json.h"

/* Sizes and limits; chances are in ten thousandths. */
enum {
    REVIEW_VERSION = 6,       /* grows when the same match gives other numbers */
    REVIEW_POINTS = 3,        /* turning points */
    REVIEW_POINT_LEAST = 500, /* a smaller change is no turning point */
    REVIEW_KEPT = 300,        /* who loses less than this by a turn has kept the chances */
    REVIEW_OUTCOMES_MAX = 6,  /* positions that chance may lead to: all, if there are no more */
    REVIEW_SAMPLES = 4,       /* otherwise so many of them */
    REVIEW_GUESSES = 8,       /* of what is hidden */
};

/* The match: seed, options and actions, which must stay valid. */
typedef struct ReviewTask {
    MashSeed seed;
    const int32_t *options;
    const MashAction *actions;
    uint32_t actions_count;
    uint32_t nodes; /* for one position; 0 = what the game's table was measured with */
} ReviewTask;

/* One turn. */
typedef struct ReviewTurn {
    uint32_t from, to;      /* actions before it; actions up to its end */
    uint8_t seat;           /* who played it, or who resigned or ran out of time */
    bool listed;            /* a turn of the game; false: the match was ended by something else */
    bool same;              /* the search would have gone to the same position */
    uint16_t before, after; /* chances of seat 0 */
    int32_t play, luck;     /* changes of the chances of `seat` */
    uint32_t best_count;    /* the turn that the search found, 0 = none */
    MashAction best[AI_PLAN_MAX];
} ReviewTurn;

/* One side. */
typedef struct ReviewSide {
    uint32_t turns, kept;
    uint32_t accuracy;  /* in ten thousandths, the mean over the turns */
    int32_t play, luck; /* sums over the match of changes of its own chances; luck of all turns */
} ReviewSide;

/* A review in the making, in lent memory. */
typedef struct Review Review;

/* Bytes that review_init() needs, aligned to 16; and starts. Content must stay valid. The actions
 * must be those of a match of this content: asserted. */
size_t review_bytes(const MashContent *content, uint32_t actions_count);
Review *review_init(const MashContent *content, const ReviewTask *task, void *memory);
/* Continues for about this many nodes. True: finished. */
bool review_step(Review *review, uint32_t nodes);
/* Turns that are finished, of how many. */
uint32_t review_done(const Review *review, uint32_t *all);

/* The results, when it is finished. Sides: MASH_SEATS of them; points: numbers of turns, ascending;
 * the count. */
const ReviewTurn *review_turns(const Review *review, uint32_t *count);
void review_sides(const Review *review, ReviewSide *sides);
uint32_t review_points(const Review *review, uint32_t points[REVIEW_POINTS]);
/* What a turn lost of its player's chances by play: 0 if the search would have played the same. */
uint32_t review_loss(const ReviewTurn *turn);
/* How good a turn is that loses so much, in ten thousandths. */
uint32_t review_accuracy(uint32_t loss);
/* Everything as a JSON object. */
void review_write(Review *review, JsonWriter *writer);

#endif
