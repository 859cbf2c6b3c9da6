/* peer.c -- see peer.h. What each of them does was read in public programs; this is written from
 * the description alone, and is not to be improved. */
#include "ai/peer.h"

#include <string.h>

#include "ai/think.h"

enum { METER_HEALTH = 0 }; /* all games that show health show it as meter 0 */

static const Taste tastes[] = {
    {.skill = "peer-turn", .there = 100, .health = 1},
    {.skill = "peer-stones",
     .there = 100,
     .health = 1,
     .held = 6,
     .held_last = 11,
     .held_worth = 50},
    {.skill = "peer-effects", .there = 100, .health = 1, .effect = 50},
    {.skill = "peer-rules", .there = 100, .health = 1},
    {.skill = "peer-average", .there = 100},
};

/* What this frozen player likes to see on a board. */
static const Taste *taste_of(const AiSkill *skill) {
    for (size_t i = 0; i < sizeof tastes / sizeof *tastes; i++)
        if (strcmp(tastes[i].skill, skill->id) == 0)
            return &tastes[i];
    return &tastes[0];
}

/* --- What is shown ---------------------------------------------------------------------------- */

/* Whose a unit is. */
static uint8_t owner(const MashBoard *board, uint8_t unit) {
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].unit == unit)
            return board->tokens[i].seat;
    return MASH_SEAT_NONE;
}

/* What a meter of a unit counts for its owner. */
static int32_t meter_worth(const Taste *taste, const MashMeter *meter, bool own) {
    if (meter->meter == METER_HEALTH)
        return taste->health * meter->now;
    if (taste->held_worth > 0 && meter->meter >= taste->held && meter->meter <= taste->held_last)
        return taste->held_worth;
    return !own && meter->about == 1 + MASH_NAME_EFFECT ? -(int32_t)taste->effect : 0;
}

/* By how much more the seat shows than the other. */
static int32_t shown(Ai *ai, const void *state, uint8_t seat) {
    const Taste *taste = ai->peer.taste;
    MashBoard *board = &ai->peer.board;
    int32_t sums[MASH_SEATS] = {0, 0};
    MashResult result = ai->game->result(ai->content, state);
    if (result.over)
        return result.winner == seat ? VALUE_WON : -VALUE_WON;
    ai->game->show(ai->content, state, board);
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].place != MASH_GONE && board->tokens[i].seat < MASH_SEATS)
            sums[board->tokens[i].seat] += taste->there;
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        uint8_t side =
            meter->unit < ai->content->limits.units ? owner(board, meter->unit) : MASH_SEAT_NONE;
        if (side < MASH_SEATS)
            sums[side] += meter_worth(taste, meter, side == seat);
    }
    return sums[seat] - sums[1 - seat];
}

/* Begins a decision: nothing is known to be good yet. */
static void begin(Ai *ai) {
    ai->peer.taste = taste_of(ai->skill);
    ai->peer.best = INT32_MIN;
    ai->chance_world = 0;
}

/* --- All ways to make the own turn ------------------------------------------------------------ */

void peer_begin(Ai *ai) {
    begin(ai);
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
        int32_t value = shown(ai, walk_end(ai), ai->seat);
        if (value > ai->peer.best) {
            ai->peer.best = ai->value = value;
            walk_path(ai, &ai->answer);
        }
    }
}

/* --- Averages over replies -------------------------------------------------------------------- */

/* Lists what may be done in the moment of a ply; none: it is not looked further. */
static void open_ply(Ai *ai, PeerPly *ply) {
    uint32_t awaited = ai->game->awaited(ai->content, ply->state);
    ply->next = ply->count = 0;
    ply->sum = 0;
    ply->best = INT64_MIN;
    if (awaited == 1 || awaited == 2)
        ply->count = ai->game->actions(ai->content, ply->state, awaited == 2, ply->list);
}

void peer_average_begin(Ai *ai) {
    Peer *peer = &ai->peer;
    begin(ai);
    peer->at = 0;
    memcpy(peer->plies[0].state, ai->world, ai->content->limits.state_bytes);
    open_ply(ai, &peer->plies[0]);
}

/* An action of the ply has a value. The own first turn is chosen by it. */
static void average_in(Ai *ai, PeerPly *ply, int64_t value) {
    ply->sum += value;
    if (value <= ply->best)
        return;
    ply->best = value;
    if (ply == ai->peer.plies) {
        ai->answer.count = 1;
        ai->answer.actions[0] = ply->list[ply->next - 1];
        ai->value = (int32_t)value;
    }
}

/* All actions of the ply have values: the mean, where the best one would be right. */
static void close_ply(Ai *ai) {
    Peer *peer = &ai->peer;
    const PeerPly *ply = &peer->plies[peer->at--];
    average_in(ai, &peer->plies[peer->at], ply->sum / ply->count);
}

bool peer_average_step(Ai *ai) {
    Peer *peer = &ai->peer;
    for (;;) {
        PeerPly *ply = &peer->plies[peer->at], *below = ply + 1;
        if (ply->next == ply->count) {
            if (peer->at == 0)
                return true;
            close_ply(ai);
            continue;
        }
        if (!think_spend(ai))
            return false;
        bool last = peer->at + 1 == PEER_AHEAD;
        void *state = last ? ai->trial : below->state;
        memcpy(state, ply->state, ai->content->limits.state_bytes);
        bool legal = walk_apply(ai, state, ply->list[ply->next++], peer->at);
        assert(legal);
        if (!last)
            open_ply(ai, below);
        if (last || below->count == 0)
            average_in(ai, ply, shown(ai, state, ai->seat));
        else
            peer->at++;
    }
}

/* --- First things first ----------------------------------------------------------------------- */

void peer_rules_begin(Ai *ai) {
    begin(ai);
    ai->greedy = (Greedy){.next = ai->list_count};
    ai->peer.best = shown(ai, ai->world, ai->seat);
}

/* The list is gone through from its end, where the stronger verbs are: the first action that does
 * any good is done. If none does, it is whatever came to mind. */
bool peer_rules_step(Ai *ai) {
    while (ai->greedy.next > 0) {
        if (!think_spend(ai))
            return false;
        MashAction action = ai->list[--ai->greedy.next];
        MashChance chance = think_chance(ai, 0, 0);
        memcpy(ai->trial, ai->world, ai->content->limits.state_bytes);
        MashStatus status = ai->game->apply(ai->content, ai->trial, action, &chance, NULL);
        assert(status == MASH_OK);
        if (shown(ai, ai->trial, ai->seat) <= ai->peer.best)
            continue;
        ai->answer.count = 1;
        ai->answer.actions[0] = action;
        return true;
    }
    return true;
}
