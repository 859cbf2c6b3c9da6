/* swiss.c -- see pairing.h: the Swiss system as the cheapest perfect matching.
 *
 * Every pair has a cost, and the sum is made as small as can be. From dear to cheap: a rematch or a
 * second bye; two players of whom both must have the same seat; a difference of points (squared, so
 * that two small ones are better than a large one), or a bye for somebody who is not last; a wish
 * for a seat that is not met; a second float in the same direction within two rounds; the
 * distance from the fold (upper half of a group against its lower half, in order), which weighs
 * more at the top of a group. Rematches are dearer than everything else together; the classes
 * below are far apart, but many small ones can outweigh a large one. */
#include <string.h>

#include "base/hash.h"
#include "tournament/matching.h"
#include "tournament/order.h"
#include "tournament/pairing.h"

#define COST_REMATCH ((int64_t)1 << 48)
#define COST_ANOTHER ((int64_t)1 << 45) /* a third, fourth ... meeting, each */
#define COST_MUST    ((int64_t)1 << 38)
#define COST_POINTS  ((int64_t)1 << 27) /* for each square of a half point */
enum {
    COST_WISH = 1 << 18,
    COST_FLOAT = 1 << 17,
    COST_FLOAT_EARLIER = 1 << 16,
    COST_FOLD = 8,
    SQUARE_MAX = 1023,
    MEETINGS_MAX = 4,
    FLOAT_ROUNDS = 2,
};

/* How much a player wants a seat. */
typedef enum SeatWish { WISH_NONE, WISH_MILD, WISH_STRONG, WISH_MUST } SeatWish;

/* A player who is to be paired, in the order of the standings. */
typedef struct SwissPlayer {
    uint16_t player;
    uint16_t group, place; /* of equal points: which group, where in it */
    uint16_t size, above;  /* of the group; how many are likely to come from above */
    uint32_t points;
    uint8_t wish; /* SeatWish */
    bool first;   /* wants the first seat */
    bool had_bye;
    int8_t floats[FLOAT_ROUNDS]; /* last round, the one before: +1 up, -1 down */
} SwissPlayer;

/* A round that is being paired. */
typedef struct SwissRound {
    const Tournament *tournament;
    uint32_t round, count; /* players to pair */
    SwissPlayer *players;
    TournamentRecord *records;
    uint32_t *before; /* points before an earlier round, by player */
    uint16_t *seeds, *ranks, *list, *partners;
    int64_t *costs;
    void *matching;
    uint32_t vertices;
    bool first_seat; /* the best seed begins on the first seat */
} SwissRound;

/* Takes memory from a running end; without memory only counts. */
static void *take(char *memory, size_t *end, size_t bytes) {
    void *at = memory == NULL ? NULL : memory + *end;
    *end += (bytes + 15) / 16 * 16;
    return at;
}

/* Lays the arrays into the memory; how many bytes they take. */
static size_t lay_out(SwissRound *round, uint32_t players, char *memory) {
    size_t end = 0, count = (size_t)players + 1;
    round->players = take(memory, &end, count * sizeof *round->players);
    round->records = take(memory, &end, count * sizeof *round->records);
    round->before = take(memory, &end, count * sizeof *round->before);
    round->seeds = take(memory, &end, count * sizeof *round->seeds);
    round->ranks = take(memory, &end, count * sizeof *round->ranks);
    round->list = take(memory, &end, count * sizeof *round->list);
    round->partners = take(memory, &end, count * sizeof *round->partners);
    round->costs = take(memory, &end, count * count * sizeof *round->costs);
    round->matching = take(memory, &end, matching_bytes(players + players % 2));
    return end;
}

size_t swiss_bytes(uint32_t players_count) {
    SwissRound round;
    return lay_out(&round, players_count, NULL);
}

/* --- What is known of the players ---------------------------------------------------------------
 */

/* By points, then by seed. */
static bool swiss_before(const void *what, uint16_t a, uint16_t b) {
    const SwissRound *round = what;
    if (round->records[a].points != round->records[b].points)
        return round->records[a].points > round->records[b].points;
    return round->ranks[a] < round->ranks[b];
}

/* A number without its sign. */
static int size_of(int number) { return number < 0 ? -number : number; }

/* Which seat a player wants, and how much. */
static void find_wish(SwissPlayer *player, const TournamentRecord *record) {
    bool last = record->seats & 1, earlier = record->seats >> 1 & 1;
    if (record->played == 0)
        return;
    player->wish = size_of(record->balance) > 1 || (record->played > 1 && last == earlier)
                       ? WISH_MUST
                   : record->balance != 0 ? WISH_STRONG
                                          : WISH_MILD;
    player->first = record->balance < 0 || (record->balance == 0 && !last);
    if (record->played > 1 && last == earlier && size_of(record->balance) <= 1)
        player->first = !last;
}

/* Puts the players into groups of equal points. A group of an odd number, with those from above,
 * sends one down. */
static void find_groups(SwissRound *round) {
    uint16_t group = 0, above = 0;
    for (uint32_t first = 0, end; first < round->count; first = end, group++) {
        for (end = first;
             end < round->count && round->players[end].points == round->players[first].points;
             end++)
            ;
        for (uint32_t i = first; i < end; i++) {
            round->players[i].group = group;
            round->players[i].place = (uint16_t)(i - first);
            round->players[i].size = (uint16_t)(end - first);
            round->players[i].above = above;
        }
        above = (uint16_t)((end - first + above) % 2);
    }
}

/* Which players floated so many rounds ago. */
static void find_floats(SwissRound *round, uint32_t ago) {
    const Tournament *tournament = round->tournament;
    if (round->round <= ago)
        return;
    uint32_t then = round->round - 1 - ago;
    memset(round->before, 0, tournament->players_count * sizeof *round->before);
    for (uint32_t i = 0; i < tournament->results_count; i++) {
        const TournamentResult *result = &tournament->results[i];
        for (int who = 0; who < 2 && result->round < then; who++)
            if (result->players[who] != TOURNAMENT_NOBODY)
                round->before[result->players[who]] += result->points[who];
    }
    for (uint32_t i = 0; i < tournament->results_count; i++) {
        const TournamentResult *result = &tournament->results[i];
        for (int who = 0; who < 2 && result->round == then; who++) {
            uint16_t player = result->players[who], other = result->players[1 - who];
            if (player == TOURNAMENT_NOBODY || round->ranks[player] == TOURNAMENT_NOBODY)
                continue;
            bool down = other == TOURNAMENT_NOBODY || round->before[other] < round->before[player];
            bool up = other != TOURNAMENT_NOBODY && round->before[other] > round->before[player];
            round->players[round->ranks[player]].floats[ago] = down ? -1 : up ? 1 : 0;
        }
    }
}

/* Fills in the players who are to be paired, the best first; `ranks` become their places. */
static void find_players(SwissRound *round) {
    const Tournament *tournament = round->tournament;
    records_make(tournament, TOURNAMENT_PLAIN, round->records);
    order_by_seed(tournament, round->seeds);
    round->count = 0;
    for (uint32_t i = 0; i < tournament->players_count; i++) {
        round->ranks[round->seeds[i]] = (uint16_t)i;
        if (!tournament->players[i].withdrawn)
            round->list[round->count++] = (uint16_t)i;
    }
    order_sort(round->list, round->count, swiss_before, round);
    for (uint32_t i = 0; i < tournament->players_count; i++)
        round->ranks[i] = TOURNAMENT_NOBODY;
    for (uint32_t i = 0; i < round->count; i++) {
        const TournamentRecord *record = &round->records[round->list[i]];
        round->players[i] = (SwissPlayer){
            .player = round->list[i], .points = record->points, .had_bye = record->byes > 0};
        round->ranks[round->list[i]] = (uint16_t)i;
        find_wish(&round->players[i], record);
    }
    find_groups(round);
    for (uint32_t ago = 0; ago < FLOAT_ROUNDS; ago++)
        find_floats(round, ago);
}

/* --- What pairs cost
 * ------------------------------------------------------------------------------ */

/* The square of a difference of points. */
static int64_t square_of(uint32_t difference, uint32_t factor) {
    uint64_t square = (uint64_t)difference * difference * factor;
    return square > SQUARE_MAX ? SQUARE_MAX : (int64_t)square;
}

/* Of floating in a direction again. */
static int64_t float_cost(const SwissPlayer *player, int direction) {
    return (player->floats[0] == direction ? COST_FLOAT : 0) +
           (player->floats[1] == direction ? COST_FLOAT_EARLIER : 0);
}

/* Of not being where the fold would have them: a is above b. */
static int64_t fold_cost(const SwissPlayer *a, const SwissPlayer *b) {
    int distance;
    if (a->group == b->group)
        distance = size_of((int)b->place - a->place - (a->size - a->above) / 2);
    else
        distance = a->size - 1 - a->place + b->place;
    return (int64_t)distance * (COST_FOLD + COST_FOLD * (a->size - 1 - a->place) / a->size);
}

/* Of two players, a above b, who have not met. */
static int64_t pair_cost(const SwissPlayer *a, const SwissPlayer *b) {
    int64_t cost = square_of(a->points - b->points, 1) * COST_POINTS + fold_cost(a, b);
    uint8_t weaker = a->wish < b->wish ? a->wish : b->wish;
    if (a->points != b->points)
        cost += float_cost(a, -1) + float_cost(b, 1);
    if (weaker == WISH_NONE || a->first != b->first)
        return cost;
    return cost + (weaker == WISH_MUST     ? COST_MUST
                   : weaker == WISH_STRONG ? COST_WISH + COST_WISH / 2
                                           : COST_WISH);
}

/* Of a bye. */
static int64_t bye_cost(const SwissRound *round, uint32_t rank) {
    const SwissPlayer *player = &round->players[rank];
    uint32_t above = player->points - round->players[round->count - 1].points;
    return (player->had_bye ? COST_REMATCH : 0) + square_of(above, 4) * COST_POINTS +
           float_cost(player, -1) + (int64_t)(round->count - 1 - rank) * COST_FOLD;
}

/* Fills in one cost, both ways. */
static void set_cost(SwissRound *round, uint32_t a, uint32_t b, int64_t cost) {
    round->costs[(size_t)a * round->vertices + b] = cost;
    round->costs[(size_t)b * round->vertices + a] = cost;
}

/* Two have met before. */
static void add_meeting(SwissRound *round, uint32_t a, uint32_t b) {
    int64_t cost = round->costs[(size_t)a * round->vertices + b];
    if (cost < COST_REMATCH)
        cost += COST_REMATCH;
    else if (cost < COST_REMATCH + MEETINGS_MAX * COST_ANOTHER)
        cost += COST_ANOTHER;
    set_cost(round, a, b, cost);
}

/* Fills in all costs. */
static void find_costs(SwissRound *round) {
    const Tournament *tournament = round->tournament;
    round->vertices = round->count + round->count % 2;
    for (uint32_t a = 0; a < round->count; a++) {
        for (uint32_t b = a + 1; b < round->count; b++)
            set_cost(round, a, b, pair_cost(&round->players[a], &round->players[b]));
        if (round->vertices > round->count)
            set_cost(round, a, round->count, bye_cost(round, a));
    }
    for (uint32_t i = 0; i < tournament->results_count; i++) {
        const uint16_t *pair = tournament->results[i].players;
        if (pair[1] != TOURNAMENT_NOBODY && round->ranks[pair[0]] != TOURNAMENT_NOBODY &&
            round->ranks[pair[1]] != TOURNAMENT_NOBODY)
            add_meeting(round, round->ranks[pair[0]], round->ranks[pair[1]]);
    }
}

/* --- Seats
 * ------------------------------------------------------------------------------------------ */

/* Does a, who is above b, have the first seat? Wishes that agree are met; then the stronger one;
 * then both change from the last time that they sat differently; then the wish of a counts. */
static bool takes_first(const SwissRound *round, const SwissPlayer *a, const SwissPlayer *b) {
    const TournamentRecord *mine = &round->records[a->player], *other = &round->records[b->player];
    if (a->wish == WISH_NONE && b->wish == WISH_NONE)
        return (round->ranks[a->player] % 2 == 0) == round->first_seat;
    if (a->wish == WISH_NONE || b->wish == WISH_NONE)
        return a->wish == WISH_NONE ? !b->first : a->first;
    if (a->first != b->first)
        return a->first;
    if (a->wish != b->wish)
        return a->wish > b->wish ? a->first : !b->first;
    if (a->wish == WISH_MUST && mine->balance != other->balance &&
        size_of(mine->balance) != size_of(other->balance))
        return size_of(mine->balance) > size_of(other->balance) ? a->first : !b->first;
    uint32_t shared = mine->played < other->played ? mine->played : other->played;
    for (uint32_t i = 0; i < shared && i < 64; i++) {
        bool sat = mine->seats >> i & 1, sat_other = other->seats >> i & 1;
        if (sat != sat_other)
            return !sat;
    }
    return a->first;
}

uint32_t swiss_pair(const Tournament *tournament, uint32_t number, uint64_t seed, void *memory,
                    TournamentPair *out) {
    SwissRound round = {.tournament = tournament, .round = number};
    uint32_t count = 0;
    lay_out(&round, tournament->players_count, memory);
    find_players(&round);
    find_costs(&round);
    round.first_seat = hash_number(seed, 0) & 1;
    if (round.count == 0)
        return 0;
    matching_find(round.vertices, round.costs, round.matching, round.partners);
    for (uint32_t i = 0; i < round.count; i++) {
        uint32_t other = round.partners[i];
        const SwissPlayer *a = &round.players[i], *b = &round.players[other];
        if (other < i)
            continue;
        bool first = other == round.count || takes_first(&round, a, b);
        out[count].players[0] = first ? a->player : b->player;
        out[count].players[1] = other == round.count ? TOURNAMENT_NOBODY
                                : first              ? b->player
                                                     : a->player;
        count++;
    }
    return count;
}
