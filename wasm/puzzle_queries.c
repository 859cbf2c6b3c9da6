/* puzzle_queries.c -- puzzles: when the turn that is played is over, and how good it was; and the
 * rating of who plays them. */
#include "ai/puzzle.h"
#include "base/json.h"
#include "rating/glicko.h"
#include "wasm/instance.h"

static struct {
    PuzzleFinder *finder;
    void *view; /* what the seat saw before its turn */
    uint32_t count, turn;
    uint8_t seat;
} puzzle;

/* The number of the turn that the match is in. */
static uint32_t turn_now(void) {
    const MashEvaluator *evaluator = instance.game->evaluator;
    return evaluator == NULL || evaluator->turn_number == NULL
               ? instance.match.actions_count
               : evaluator->turn_number(instance.content, instance.match.state);
}

/* The turn that begins now is that of a puzzle. 1 = there is somebody to play it and enough memory.
 */
EXPORT(uint32_t, puzzle_begin, (void)) {
    puzzle.finder = NULL;
    if (!instance.playing || !judge_can(instance.content, instance.match.state))
        return 0;
    puzzle.seat = instance.game->awaited(instance.content, instance.match.state) == 2;
    puzzle.view = instance_take(instance.content->limits.state_bytes);
    void *memory = instance_take(puzzle_bytes(instance.content));
    if (puzzle.view == NULL || memory == NULL)
        return 0;
    match_view(&instance.match, puzzle.seat, puzzle.view);
    puzzle.finder = puzzle_init(instance.content, memory);
    puzzle.count = instance.match.actions_count;
    puzzle.turn = turn_now();
    return 1;
}

/* Is the turn over? */
EXPORT(uint32_t, puzzle_over, (void)) {
    uint32_t awaited = instance.game->awaited(instance.content, instance.match.state);
    return instance.match.actions_count > puzzle.count &&
           (awaited != 1u << puzzle.seat || turn_now() != puzzle.turn);
}

/* The chance of the seat after the turn that was played, in ten thousandths, judged with so many
 * nodes. */
EXPORT(uint32_t, puzzle_judge, (uint32_t nodes)) {
    PuzzleTurn turn = {0};
    if (puzzle.finder == NULL)
        return 0;
    for (uint32_t i = puzzle.count; i < instance.match.actions_count && turn.count < AI_PLAN_MAX;
         i++)
        turn.actions[turn.count++] = instance.match.actions[i];
    return puzzle_chance(puzzle.finder, puzzle.view, puzzle.seat, &turn, nodes);
}

/* A rating after it has solved a puzzle (1) or not (0), `idle_ms` after the one before: three
 * numbers as in rating/glicko.h. */
EXPORT(uint32_t, puzzle_rating,
       (double rating, double deviation, double volatility, double idle_ms, double other,
        uint32_t solved)) {
    enum { PUZZLE_DEVIATION = 100 };
    GlickoRating own = {(int64_t)rating, (int64_t)deviation, (int64_t)volatility};
    GlickoRating against = {(int64_t)other, PUZZLE_DEVIATION * GLICKO_POINT,
                            glicko_start().volatility};
    if (volatility <= 0)
        own = glicko_start();
    own = glicko_play(own, (uint64_t)idle_ms, (GlickoResult){against, solved != 0, 1});
    instance_text_begin();
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '{');
    JSON_PUT_INTS(&writer, {"rating", own.rating}, {"deviation", own.deviation},
                  {"volatility", own.volatility});
    json_close(&writer, '}');
    return instance_text_end();
}
