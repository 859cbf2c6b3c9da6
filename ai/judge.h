/* judge.h -- how likely each side is to win a position: a value, turned into a chance by a table
 * that was measured for the game (MashEvaluator.winning).
 *
 * A position is judged as it is, since it is asked for after the match. The value is that of the
 * search; where much is hidden, search would act on what nobody knows, so there it is the mean of
 * evaluations after some turns of both sides, each acting by what it sees. Work is
 * counted in nodes and done in slices, so the same position has the same chance on every machine.
 * Where the seat has no choice, the position after it is judged.
 *
 *     judge_begin(judge, state);
 *     while (!judge_step(judge, 1000))
 *         ;
 *     judge->chance */
#ifndef AI_JUDGE_H
#define AI_JUDGE_H
#include "ai/ai.h"

enum { JUDGE_SEED = 1218 }; /* of every search */

/* Read freely; only the functions below write. */
typedef struct PositionJudge {
    const MashContent *content;
    Ai *ai;
    AiPlan plan;
    void *state; /* the position after forced actions */
    MashAction *list;
    uint32_t nodes; /* for one position */
    uint8_t seat;   /* whose turn it is */
    bool done;
    bool searching; /* by search; otherwise by rollouts */
    uint32_t rollouts;
    int64_t sum;       /* of their evaluations */
    bool forced;       /* there was no choice at first */
    int32_t value;     /* as in ai_value(), for the seat */
    uint32_t chance;   /* of seat 0, in ten thousandths */
    uint64_t searched; /* nodes of all positions so far */
} PositionJudge;

/* Bytes that judge_init() needs, aligned to 16; and initialises it for this content, which must
 * stay valid. `nodes`: for one position, 0 = what the game's table was measured with. */
size_t judge_bytes(const MashContent *content);
PositionJudge *judge_init(const MashContent *content, uint32_t nodes, void *memory);
/* How many nodes the game's table was measured with. */
uint32_t judge_nodes(const MashContent *content);
/* How many nodes the search for the best turn takes, where one position takes `nodes` (0 = the
 * same). */
uint32_t judge_search_nodes(const MashContent *content, uint32_t nodes);
/* Can the position be judged? Not while teams are chosen and placed, and not while both seats are
 * awaited. */
bool judge_can(const MashContent *content, const void *state);
/* Starts judging a position; `state` is copied. It must be one that can be judged, or the end. */
void judge_begin(PositionJudge *judge, const void *state);
/* Starts the search for what the seat, which is to act, should do by what it knows: `view` is its
 * view. The chance is not that of the position then. */
void judge_begin_view(PositionJudge *judge, const void *view, uint8_t seat);
/* Continues for about this many nodes. True: finished. */
bool judge_step(PositionJudge *judge, uint32_t nodes);

/* Where positions are judged by rollouts: is it so here, and the value of rollout number `number`
 * from a state, for the seat that is to act. */
bool judge_rolls_out(const MashContent *content);
int32_t judge_roll_out(PositionJudge *judge, const void *state, uint8_t seat, uint32_t number);

/* The chance of the seat, which is to act, in ten thousandths, by the game's table. */
uint32_t judge_chance_of(const MashContent *content, uint8_t seat, int32_t value);
/* The chance of seat 0 when the match has ended like this. */
uint32_t judge_chance_of_result(MashResult result);

#endif
