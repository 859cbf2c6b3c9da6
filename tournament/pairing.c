/* pairing.c -- see pairing.h: every system but the Swiss one. */
#include "tournament/pairing.h"

#include "tournament/order.h"

/* Adds a pair. Somebody who has withdrawn gives the other one a bye. */
static void add(const Tournament *tournament, uint32_t first, uint32_t second, TournamentPair *out,
                uint32_t *count) {
    bool here[2] = {first < tournament->players_count && !tournament->players[first].withdrawn,
                    second < tournament->players_count && !tournament->players[second].withdrawn};
    if (!here[0] && !here[1])
        return;
    if (!here[0])
        first = second;
    out[*count].players[0] = (uint16_t)first;
    out[*count].players[1] = here[0] && here[1] ? (uint16_t)second : TOURNAMENT_NOBODY;
    (*count)++;
}

/* --- Round robin ------------------------------------------------------------------------------ */

uint32_t round_robin_rounds(uint32_t players_count) {
    return players_count < 2 ? 0 : players_count - 1 + players_count % 2;
}

/* Berger's table: the last number stays in place, the others move on by half their number from
 * round to round; the last number changes seats each round. */
uint32_t round_robin_pair(const Tournament *tournament, uint32_t round, TournamentPair *out) {
    uint32_t rounds = round_robin_rounds(tournament->players_count), count = 0;
    if (rounds == 0)
        return 0;
    uint32_t last = rounds, cycle = round / rounds, in = round % rounds;
    uint32_t top = in * ((rounds + 1) / 2) % rounds;
    for (uint32_t i = 0; i <= last / 2; i++) {
        uint32_t a = (top + i) % rounds, b = i == 0 ? last : (top + rounds - i) % rounds;
        bool swapped = ((i == 0 && in % 2 == 1) ? 1 : 0) != cycle % 2;
        add(tournament, swapped ? b : a, swapped ? a : b, out, &count);
    }
    return count;
}

/* --- Knock-out -------------------------------------------------------------------------------- */

/* The places of the bracket: the least power of two that has room for all. */
static uint32_t places(uint32_t players_count) {
    uint32_t size = 1;
    while (size < players_count)
        size *= 2;
    return size;
}

uint32_t knockout_rounds(uint32_t players_count) {
    uint32_t rounds = 0;
    for (uint32_t size = places(players_count); size > 1; size /= 2)
        rounds++;
    return rounds;
}

size_t knockout_bytes(uint32_t players_count) {
    return 3 * sizeof(uint16_t) * places(players_count);
}

uint16_t knockout_winner(const Tournament *tournament, uint32_t round, uint16_t a, uint16_t b) {
    uint32_t points[2] = {0, 0};
    for (uint32_t i = 0; i < tournament->results_count; i++) {
        const TournamentResult *result = &tournament->results[i];
        if (result->round != round)
            continue;
        for (int who = 0; who < 2; who++)
            if (result->players[who] == a && result->players[1 - who] == b) {
                points[0] += result->points[who];
                points[1] += result->points[1 - who];
            }
    }
    return points[0] > points[1] ? a : points[1] > points[0] ? b : TOURNAMENT_NOBODY;
}

/* Who goes on of two, of whom either may be missing; `ranks` are the places in the seeding. */
static uint16_t goes_on(const Tournament *tournament, uint32_t round, uint16_t a, uint16_t b,
                        const uint16_t *ranks) {
    if (a == TOURNAMENT_NOBODY || b == TOURNAMENT_NOBODY)
        return a == TOURNAMENT_NOBODY ? b : a;
    uint16_t winner = knockout_winner(tournament, round, a, b);
    uint16_t better = ranks[a] < ranks[b] ? a : b;
    if (winner != TOURNAMENT_NOBODY)
        return winner;
    if (tournament->players[better].withdrawn)
        return better == a ? b : a;
    return better;
}

/* Writes the players into the bracket: the seeds of each pair of a round add up to the same. */
static void seed_bracket(const Tournament *tournament, uint32_t size, const uint16_t *seeds,
                         uint16_t *order, uint16_t *bracket) {
    order[0] = 0;
    for (uint32_t half = 1; half < size; half *= 2)
        for (uint32_t i = half; i-- > 0;) {
            uint16_t seed = order[i];
            order[2 * i] = seed;
            order[2 * i + 1] = (uint16_t)(2 * half - 1 - seed);
        }
    for (uint32_t i = 0; i < size; i++)
        bracket[i] = order[i] < tournament->players_count ? seeds[order[i]] : TOURNAMENT_NOBODY;
}

uint32_t knockout_pair(const Tournament *tournament, uint32_t round, void *memory,
                       TournamentPair *out) {
    uint32_t size = places(tournament->players_count), count = 0;
    uint16_t *bracket = memory, *seeds = bracket + size, *ranks = seeds + size;
    if (tournament->players_count < 2)
        return 0;
    order_by_seed(tournament, seeds);
    seed_bracket(tournament, size, seeds, ranks, bracket);
    for (uint32_t i = 0; i < tournament->players_count; i++)
        ranks[seeds[i]] = (uint16_t)i;
    for (uint32_t before = 0; before < round; before++, size /= 2)
        for (uint32_t i = 0; i < size / 2; i++)
            bracket[i] = goes_on(tournament, before, bracket[2 * i], bracket[2 * i + 1], ranks);
    for (uint32_t i = 0; i < size / 2; i++) {
        uint16_t a = bracket[2 * i], b = bracket[2 * i + 1];
        bool swapped = (round + i) % 2 == 1;
        if (a != TOURNAMENT_NOBODY || b != TOURNAMENT_NOBODY)
            add(tournament, swapped ? b : a, swapped ? a : b, out, &count);
    }
    return count;
}

/* --- Gauntlet --------------------------------------------------------------------------------- */

uint32_t gauntlet_rounds(uint32_t players_count, uint32_t champions) {
    if (champions == 0 || champions >= players_count)
        return 0;
    uint32_t others = players_count - champions;
    return others > champions ? others : champions;
}

uint32_t gauntlet_pair(const Tournament *tournament, uint32_t champions, uint32_t round,
                       TournamentPair *out) {
    uint32_t rounds = gauntlet_rounds(tournament->players_count, champions), count = 0;
    uint32_t others = tournament->players_count - champions;
    for (uint32_t a = 0; rounds > 0 && a < champions; a++) {
        uint32_t b = (a + round) % rounds;
        bool swapped = (a + round) % 2 == 1;
        if (b >= others || tournament->players[a].withdrawn ||
            tournament->players[champions + b].withdrawn)
            continue;
        add(tournament, swapped ? champions + b : a, swapped ? a : champions + b, out, &count);
    }
    return count;
}

/* --- Arena ------------------------------------------------------------------------------------ */

/* What the order of those who wait depends on. */
typedef struct ArenaOrder {
    const Tournament *tournament;
    const TournamentRecord *records;
} ArenaOrder;

/* By points, then by rating, then by number. */
static bool arena_before(const void *what, uint16_t a, uint16_t b) {
    const ArenaOrder *order = what;
    const TournamentPlayer *players = order->tournament->players;
    if (order->records[a].points != order->records[b].points)
        return order->records[a].points > order->records[b].points;
    return players[a].rating != players[b].rating ? players[a].rating > players[b].rating : a < b;
}

size_t arena_bytes(uint32_t waiting_count) {
    return sizeof(uint16_t) * ((size_t)waiting_count + 1);
}

/* Have the two just met? Either one's last match is enough: nobody plays the same opponent twice
 * in a row. */
static bool just_met(const TournamentRecord *records, uint16_t a, uint16_t b) {
    return records[a].last_opponent == b || records[b].last_opponent == a;
}

/* The two meet; the first seat is for who had it less often, then for who had it longer ago. */
static TournamentPair arena_seats(const TournamentRecord *records, uint16_t a, uint16_t b) {
    bool swapped = records[a].balance != records[b].balance
                       ? records[a].balance > records[b].balance
                       : (records[a].seats & 1) > (records[b].seats & 1);
    return (TournamentPair){{swapped ? b : a, swapped ? a : b}};
}

/* The last two have just met: changes partners with the nearest pair where all four may. */
static bool change_partners(const TournamentRecord *records, uint16_t a, uint16_t b,
                            TournamentPair *out, uint32_t count) {
    for (uint32_t i = count; i-- > 0;)
        for (int turn = 0; turn < 2; turn++) {
            uint16_t c = out[i].players[turn], d = out[i].players[1 - turn];
            if (just_met(records, a, c) || just_met(records, b, d))
                continue;
            out[i] = arena_seats(records, a, c);
            out[count] = arena_seats(records, b, d);
            return true;
        }
    return false;
}

/* Takes the first one and another one (0: none) from the list; how many are left. */
static uint32_t drop(uint16_t *list, uint32_t count, uint32_t other) {
    uint32_t left = 0;
    for (uint32_t i = 1; i < count; i++)
        if (i != other)
            list[left++] = list[i];
    return left;
}

uint32_t arena_pair(const Tournament *tournament, const TournamentRecord *records,
                    const ArenaWaiting *waiting, void *memory, TournamentPair *out) {
    ArenaOrder order = {tournament, records};
    uint16_t *list = memory;
    uint32_t left = 0, count = 0;
    for (uint32_t i = 0; i < waiting->count; i++)
        if (!tournament->players[waiting->players[i]].withdrawn)
            list[left++] = waiting->players[i];
    left -= left % 2;
    order_sort(list, left, arena_before, &order);
    while (left >= 2) {
        uint32_t other = 1;
        while (other < left && just_met(records, list[0], list[other]))
            other++;
        bool again = other == left; /* only those whom it has just met are left */
        other = again ? 1 : other;
        if (!again || waiting->rematch)
            out[count++] = arena_seats(records, list[0], list[other]);
        else if (change_partners(records, list[0], list[1], out, count))
            count++;
        else
            other = 0; /* waits on its own */
        left = drop(list, left, other);
    }
    return count;
}
