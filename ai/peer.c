/* peer.c -- see peer.h. */
#include "ai/peer.h"

#include "ai/think.h"

enum { THERE = 100, METER_HEALTH = 0 }; /* all games that show health show it as meter 0 */

/* Whose a unit is. */
static uint8_t owner(const MashBoard *board, uint8_t unit) {
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].unit == unit)
            return board->tokens[i].seat;
    return MASH_SEAT_NONE;
}

/* By how much more the seat shows than the other. */
static int32_t shown(Ai *ai, const void *state, uint8_t seat) {
    MashBoard *board = &ai->peer.board;
    int32_t sums[MASH_SEATS] = {0, 0};
    ai->game->show(ai->content, state, board);
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].place != MASH_GONE && board->tokens[i].seat < MASH_SEATS)
            sums[board->tokens[i].seat] += THERE;
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        uint8_t side = owner(board, meter->unit);
        if (meter->what == METER_HEALTH && meter->unit < ai->content->terms.units &&
            side < MASH_SEATS)
            sums[side] += meter->now;
    }
    return sums[seat] - sums[1 - seat];
}

void peer_begin(Ai *ai) {
    ai->peer.best = INT32_MIN;
    ai->chance_world = 0;
    walk_begin(ai, ai->world, ai->seat, 0, WALK_NODES_MAX, 0);
}

bool peer_step(Ai *ai) {
    for (;;) {
        WalkFound found = walk_step(ai);
        if (found == WALK_PAUSE)
            return false;
        if (found == WALK_TO_END)
            return true;
        if (found != WALK_END)
            continue;
        MashResult result = ai->game->result(ai->content, walk_end(ai));
        int32_t value = shown(ai, walk_end(ai), ai->seat);
        if (result.over)
            value = result.winner == ai->seat ? VALUE_WON : -VALUE_WON;
        if (value > ai->peer.best) {
            ai->peer.best = ai->value = value;
            walk_path(ai, &ai->answer);
        }
    }
}
