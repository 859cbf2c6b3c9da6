/* net_mark.c -- see net_mark.h. */
#include "ai/net_mark.h"

#include <string.h>

enum { POSITIONS = 1000, STEPS_MOST = 100000 };

uint64_t ai_net_mark(const MashContent *content, void *state, MashAction *list) {
    const MashGame *game = content->game;
    MashChance chance = chance_sampled(1);
    uint64_t mark = 0;
    TableNetInput input;
    uint32_t awaited = 0, described = 0;
    memset(state, 0, content->limits.state_bytes);
    for (uint32_t step = 0; described < POSITIONS && step < STEPS_MOST; step++) {
        if (awaited == 0)
            game->setup(content, NULL, &chance, state);
        else if (game->evaluator->net_input(content, state, &input)) {
            mark = table_net_mark(mark, &input);
            described++;
        }
        awaited = game->awaited(content, state);
        if (awaited == 0)
            continue;
        uint8_t seat = awaited == 2;
        uint32_t count = game->actions(content, state, seat, list);
        game->apply_listed(content, state, list[chance_below(&chance, count)], &chance, NULL);
    }
    return mark;
}
