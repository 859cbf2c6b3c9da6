/* pairing.h -- who meets whom next, and who has the first seat.
 *
 * Each function writes pairs into `out`, which has room for as many as there are players, and
 * returns how many there are. A bye is a pair without an opponent. The same players and results
 * always give the same pairs. Nobody is in two pairs; a player who has withdrawn is in none. */
#ifndef TOURNAMENT_PAIRING_H
#define TOURNAMENT_PAIRING_H
#include "tournament/standings.h"
#include "tournament/tournament.h"

/* --- Round robin: everybody meets everybody -------------------------------------------------- */

/* The rounds in which everybody meets everybody once. */
uint32_t round_robin_rounds(uint32_t players_count);
/* The pairs of a round by Berger's table. Rounds beyond round_robin_rounds() go through the table
 * again with the seats changed. Whoever would meet nobody, or somebody who has withdrawn, has a bye
 * (which is worth no points in a round robin: the caller decides). */
uint32_t round_robin_pair(const Tournament *tournament, uint32_t round, TournamentPair *out);

/* --- Swiss: equals meet, nobody twice --------------------------------------------------------- */

/* Bytes to lend for swiss_pair(). About 6 MB for 500 players. */
size_t swiss_bytes(uint32_t players_count);
/* The pairs of the next round: players with equal points meet where that is possible, nobody meets
 * anybody again and nobody has a second bye unless there is no other way at all, seats alternate
 * and are balanced. Inside a group of equal points the upper half meets the lower half in the
 * order of seeding, as in the Dutch system. `round` is the number of the round to be paired;
 * `first_seat` of the best player in the very first round follows from the seed. The pairs are in
 * the order of the boards: the highest points first. `memory` is aligned as malloc() does. */
uint32_t swiss_pair(const Tournament *tournament, uint32_t round, uint64_t seed, void *memory,
                    TournamentPair *out);

/* --- Knock-out: the loser leaves ---------------------------------------------------------------
 */

/* The rounds of a bracket for so many players. */
uint32_t knockout_rounds(uint32_t players_count);
/* The pairs of a round: the first against the last of a bracket by seeding, so that the best two
 * can meet in the final only; missing players are byes of the best. Both players of a pair go on
 * from the earlier rounds by knockout_winner(). The pairs stand in the order of the bracket: the
 * winners of pairs 2k and 2k + 1 meet in the next round. `memory` has knockout_bytes(). */
uint32_t knockout_pair(const Tournament *tournament, uint32_t round, void *memory,
                       TournamentPair *out);
/* Bytes to lend for knockout_pair(). */
size_t knockout_bytes(uint32_t players_count);
/* Who of two has more points from their matches of this round; TOURNAMENT_NOBODY: neither. A pair
 * that is still undecided when the next round is paired is won by the better seed, and one whose
 * player has withdrawn by the other. */
uint16_t knockout_winner(const Tournament *tournament, uint32_t round, uint16_t a, uint16_t b);

/* --- Gauntlet: some against all others ---------------------------------------------------------
 */

/* The rounds of a gauntlet in which each of the first `champions` players meets each of the
 * others. */
uint32_t gauntlet_rounds(uint32_t players_count, uint32_t champions);
/* The pairs of a round; who meets nobody is not named. Seats alternate from round to round. */
uint32_t gauntlet_pair(const Tournament *tournament, uint32_t champions, uint32_t round,
                       TournamentPair *out);

/* --- Arena: whoever waits meets somebody of equal strength --------------------------------------
 */

/* Players who are waiting for a match now. */
typedef struct ArenaWaiting {
    const uint16_t *players; /* who waits longest first */
    uint32_t count;
    bool rematch; /* there is nobody else: those who have just met may meet again */
} ArenaWaiting;

/* Bytes to lend for arena_pair(). */
size_t arena_bytes(uint32_t waiting_count);
/* Pairs of those who wait, by points, then by rating: neighbours meet, unless they met in their
 * last match. Of an odd number the last one of the list goes on waiting, and so do two who can
 * only meet each other again. The first seat is for who had it less often. `records` are those of
 * all players with TOURNAMENT_ARENA. No byes. */
uint32_t arena_pair(const Tournament *tournament, const TournamentRecord *records,
                    const ArenaWaiting *waiting, void *memory, TournamentPair *out);

#endif
