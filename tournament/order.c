/* order.c -- see order.h. */
#include "tournament/order.h"

/* Shell's sort with Ciura's gaps: short, without memory, and fast for thousands. */
void order_sort(uint16_t *list, uint32_t count, OrderBefore *before, const void *what) {
    static const uint32_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (uint32_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (uint32_t i = gaps[g]; i < count; i++) {
            uint16_t moving = list[i];
            uint32_t at = i;
            for (; at >= gaps[g] && before(what, moving, list[at - gaps[g]]); at -= gaps[g])
                list[at] = list[at - gaps[g]];
            list[at] = moving;
        }
}

/* By rating, then by number. */
static bool seeded_before(const void *what, uint16_t a, uint16_t b) {
    const TournamentPlayer *players = ((const Tournament *)what)->players;
    return players[a].rating != players[b].rating ? players[a].rating > players[b].rating : a < b;
}

void order_by_seed(const Tournament *tournament, uint16_t *out) {
    for (uint32_t i = 0; i < tournament->players_count; i++)
        out[i] = (uint16_t)i;
    order_sort(out, tournament->players_count, seeded_before, tournament);
}
