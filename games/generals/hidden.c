/* hidden.c -- hidden information: blanking it, the possible ranks of a piece, and guessing ranks
 * that fit.
 *
 * A guess deals the remaining ranks to the hidden pieces. For a seat's view every condition
 * concerns one piece (the ranks it fought are known), so a matching always exists (the true ranks
 * are one) and is always found. For a spectator both sides are dealt, and ranks are swapped until
 * the battles between two hidden pieces fit too. */
#include <string.h>

#include "games/generals/policy.h"

/* [3.6] [7.1] [7.2] [7.3] [7.4] */
void generals_hide(const MashContent *content, void *raw_state, uint8_t seat) {
    const GeneralsContent *body = generals_content(content);
    GeneralsState *state = raw_state;
    bool sees_all = seat >= MASH_SEATS && state->watchers;
    bool open = state->open && !placing(state);
    if (state->common.over || sees_all || open)
        return;
    for (uint8_t side = 0; side < MASH_SEATS; side++) {
        const GeneralsArmy *army = &body->army[side];
        if (side == seat)
            continue;
        state->blind |= (uint8_t)(1u << side);
        if (placing(state)) {
            memset(state->cells + army->zone_first, 0, army->zone_cells);
            state->ready &= (uint8_t) ~(1u << side);
            continue;
        }
        for (uint32_t i = 0; i < army->pieces; i++)
            if (!piece_shown(&state->pieces[army->first + i]))
                state->pieces[army->first + i].kind = 0;
    }
}

/* --- What a piece can be ---------------------------------------------------------------------- */

/* [7.5] What follows from the own actions of a piece that is not known. */
static uint32_t mask_of(const GeneralsArmy *army, const GeneralsPiece *piece) {
    uint32_t mask = army->all;
    if (piece->cell == CELL_GONE || (piece->mark & MARK_MOVED))
        mask &= ~(1u << army->nexus);
    if (piece->mark & MARK_NOT_SECOND)
        mask &= ~(uint32_t)army->with[ABILITY_SECOND_STEP];
    if (piece->mark & MARK_NOT_SNAP)
        mask &= ~(uint32_t)army->with[ABILITY_SNAP];
    return mask;
}

/* The unit that defeated this one in battle, or MASH_UNIT_NONE. */
static uint8_t fell_to(const GeneralsState *state, uint8_t unit) {
    uint8_t fell = state->pieces[unit].fell;
    return fell == 0 || (fell & FELL_CAUSES) != FELL_BATTLE ? MASH_UNIT_NONE : (uint8_t)(fell - 1);
}

/* [7.5] What follows from the battles of a side's pieces against known ranks. */
static void narrow_by_battles(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                              uint16_t masks[SIDE_MAX]) {
    const GeneralsArmy *army = &body->army[seat];
    for (uint8_t loser = 0, units = units_of(body); loser < units; loser++) {
        uint8_t winner = state->pieces[loser].fell == 0 ? MASH_UNIT_NONE : fell_to(state, loser);
        if (winner == MASH_UNIT_NONE)
            continue;
        bool tied = fell_to(state, winner) == loser;
        bool ours = side_of(body, loser) == seat;
        uint8_t unit = ours ? loser : winner, enemy = ours ? winner : loser;
        uint8_t outcome = tied ? OUTCOME_TIED : ours ? OUTCOME_LOST : OUTCOME_WON;
        if (state->pieces[enemy].kind != 0)
            masks[unit - army->first] &= army->fits[outcome][state->pieces[enemy].kind];
    }
}

/* How many pieces of each kind are unknown. */
static void count_unknown(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                          uint8_t unknown[KINDS_MAX + 1]) {
    const GeneralsArmy *army = &body->army[seat];
    for (uint32_t kind = 0; kind <= KINDS_MAX; kind++)
        unknown[kind] = army->kinds[kind].count;
    for (uint32_t i = 0; i < army->pieces; i++) {
        uint8_t kind = state->pieces[army->first + i].kind;
        unknown[kind] = (uint8_t)(unknown[kind] - (kind != 0));
    }
}

/* [7.5] The same where these kinds of the side are known. */
static void could_be(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                     const uint8_t kinds[SIDE_MAX], uint16_t masks[SIDE_MAX]) {
    const GeneralsArmy *army = &body->army[seat];
    uint8_t unknown[KINDS_MAX + 1] = {0};
    uint32_t left = 0;
    for (uint32_t i = 0; i < army->pieces; i++)
        unknown[kinds[i]]++;
    for (uint32_t kind = 1; kind <= army->kinds_count; kind++)
        left |= army->kinds[kind].count > unknown[kind] ? 1u << kind : 0u;
    for (uint32_t i = 0, pieces = army->pieces; i < pieces; i++)
        masks[i] = kinds[i] != 0
                       ? (uint16_t)(1u << kinds[i])
                       : (uint16_t)(left & mask_of(army, &state->pieces[army->first + i]));
    narrow_by_battles(body, state, seat, masks);
}

/* [7.5] */
void generals_could_be(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                       uint16_t masks[SIDE_MAX]) {
    uint8_t kinds[SIDE_MAX];
    for (uint32_t i = 0; i < body->army[seat].pieces; i++)
        kinds[i] = state->pieces[body->army[seat].first + i].kind;
    could_be(body, state, seat, kinds, masks);
}

/* [7.1] [7.3] */
void generals_seen(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                   GeneralsKnown *known) {
    const GeneralsArmy *enemy = &body->army[1 - seat];
    for (uint32_t i = 0; i < enemy->pieces; i++) {
        const GeneralsPiece *piece = &state->pieces[enemy->first + i];
        known->kinds[i] = piece_shown(piece) || state->open ? piece->kind : 0;
    }
    could_be(body, state, 1 - seat, known->kinds, known->masks);
}

/* --- Dealing ranks ---------------------------------------------------------------------------- */

/* The hidden pieces of a side, what each can be, and the ranks dealt to them. */
typedef struct RankDeal {
    uint32_t count;
    uint8_t units[SIDE_MAX], ranks[SIDE_MAX];
    uint16_t masks[SIDE_MAX];
    const uint8_t *roles;            /* of kinds */
    const int16_t *belief[SIDE_MAX]; /* in the roles of each */
} RankDeal;

/* May hidden piece `piece` have the rank that `holder` has now? */
static bool takes(const RankDeal *deal, uint32_t piece, uint32_t holder) {
    return deal->masks[piece] >> deal->ranks[holder] & 1;
}

/* The unknowns of a side: its hidden pieces, and the ranks that are left for them. */
static void collect(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                    RankDeal *deal) {
    const GeneralsArmy *army = &body->army[seat];
    uint16_t masks[SIDE_MAX];
    uint8_t unknown[KINDS_MAX + 1];
    uint32_t ranks = 0;
    deal->count = 0;
    deal->roles = body->worths[seat].roles;
    generals_could_be(body, state, seat, masks);
    count_unknown(body, state, seat, unknown);
    for (uint32_t i = 0; i < army->pieces; i++)
        if (state->pieces[army->first + i].kind == 0) {
            deal->units[deal->count] = (uint8_t)(army->first + i);
            deal->belief[deal->count] = body->learned->belief[generals_trace(body, state, seat, i)];
            deal->masks[deal->count++] = masks[i];
        }
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++)
        for (; unknown[kind] > 0; unknown[kind]--)
            deal->ranks[ranks++] = kind;
    assert(ranks == deal->count);
}

/* Swaps the ranks of two hidden pieces. */
static void swap_ranks(RankDeal *deal, uint32_t a, uint32_t b) {
    uint8_t rank = deal->ranks[a];
    deal->ranks[a] = deal->ranks[b];
    deal->ranks[b] = rank;
}

/* Along the path that was found, each piece takes the rank of the next; the last gets the
 * first's. */
static void rotate(RankDeal *deal, const uint8_t from[SIDE_MAX], uint32_t first, uint32_t last) {
    uint8_t carried = deal->ranks[last];
    uint32_t at = from[last];
    deal->ranks[last] = deal->ranks[first];
    for (;;) {
        uint8_t rank = deal->ranks[at];
        deal->ranks[at] = carried;
        carried = rank;
        if (at == first)
            break;
        at = from[at];
    }
}

/* Fixes one piece whose rank does not fit, by an augmenting path: a sequence of pieces each of
 * which can take the rank of the next one, up to a piece whose own rank does not fit it either, or
 * back to the first. Breadth first. False: there is none, so no deal fits all. */
static bool swap_to_legal(RankDeal *deal, uint32_t first) {
    uint8_t from[SIDE_MAX], queue[SIDE_MAX + 1];
    uint32_t head = 0, tail = 0, seen = 0;
    queue[tail++] = (uint8_t)first;
    while (head < tail) {
        uint8_t at = queue[head++];
        for (uint32_t next = 0; next < deal->count; next++) {
            if ((seen >> next & 1) || !takes(deal, at, next))
                continue;
            seen |= 1u << next;
            from[next] = at;
            if (!takes(deal, next, next)) {
                rotate(deal, from, first, next);
                return true;
            }
            queue[tail++] = (uint8_t)next;
        }
    }
    return false;
}

/* For each kind, the set of kinds that its holders can be, then also what the holders of those can
 * be, and so on (transitive closure). */
static void find_chains(const RankDeal *deal, uint32_t chains[KINDS_MAX + 1]) {
    memset(chains, 0, (KINDS_MAX + 1) * sizeof *chains);
    for (uint32_t i = 0; i < deal->count; i++)
        chains[deal->ranks[i]] |= deal->masks[i];
    for (uint32_t middle = 1; middle <= KINDS_MAX; middle++)
        for (uint32_t kind = 1; kind <= KINDS_MAX; kind++)
            if (chains[kind] >> middle & 1)
                chains[kind] |= chains[middle];
}

/* [7.5] Starts from one deal that fits. A piece can be another kind than it holds there if ranks
 * can be exchanged in a cycle: it takes one of that kind, whose holder takes the next one, and so
 * on up to one that takes what the piece held. Every other deal that fits consists of such
 * cycles. */
bool generals_close(uint32_t count, uint16_t masks[SIDE_MAX], const uint8_t ranks[SIDE_MAX]) {
    uint32_t chains[KINDS_MAX + 1];
    RankDeal deal = {.count = count};
    memcpy(deal.masks, masks, count * sizeof *masks);
    memcpy(deal.ranks, ranks, count);
    for (uint32_t i = 0; i < count; i++)
        if (!takes(&deal, i, i) && !swap_to_legal(&deal, i))
            return false;
    find_chains(&deal, chains);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t kind = 1; kind <= KINDS_MAX; kind++)
            if (kind != deal.ranks[i] && !(chains[kind] >> deal.ranks[i] & 1))
                masks[i] &= (uint16_t) ~(1u << kind);
    return true;
}

/* [7.5] For a spectator, battles between two hidden pieces exclude nothing here. */
void generals_known(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                    uint16_t masks[SIDE_MAX]) {
    RankDeal deal;
    generals_could_be(body, state, seat, masks);
    collect(body, state, seat, &deal);
    if (!generals_close(deal.count, deal.masks, deal.ranks))
        return;
    for (uint32_t i = 0; i < deal.count; i++)
        masks[deal.units[i] - body->army[seat].first] = deal.masks[i];
}

/* May these two exchange their ranks? By chance, so that deals come up as often as is believed. */
static bool exchanges(const RankDeal *deal, uint32_t a, uint32_t b, MashChance *chance) {
    uint8_t role = deal->roles[deal->ranks[a]], other = deal->roles[deal->ranks[b]];
    if (a == b || !takes(deal, a, b) || !takes(deal, b, a))
        return false;
    uint32_t before = (uint32_t)(deal->belief[a][role] * deal->belief[b][other]);
    uint32_t after = (uint32_t)(deal->belief[a][other] * deal->belief[b][role]);
    return after >= before || chance_below(chance, before) < after;
}

enum { MIXING = 6 };

/* Deals the ranks: shuffled, repaired where they do not fit, and mixed by exchanges that keep them
 * valid. False: no deal fits. */
static bool deal_ranks(RankDeal *deal, MashChance *chance) {
    bool fits = true;
    for (uint32_t i = deal->count; i > 1; i--) {
        uint32_t drawn = chance_below(chance, i);
        swap_ranks(deal, i - 1, drawn);
    }
    for (uint32_t i = 0; i < deal->count; i++)
        if (!takes(deal, i, i))
            fits &= swap_to_legal(deal, i);
    for (uint32_t i = 0; i < MIXING * deal->count; i++) {
        uint32_t other = chance_below(chance, deal->count);
        if (exchanges(deal, i % deal->count, other, chance))
            swap_ranks(deal, i % deal->count, other);
    }
    return fits;
}

/* --- Guessing --------------------------------------------------------------------------------- */

/* A determinized state that is being guessed. */
typedef struct Guess {
    const GeneralsContent *body;
    GeneralsState *state;
    MashChance *chance;
    RankDeal deals[MASH_SEATS];
} Guess;

/* Gives the hidden pieces of a side the ranks that they were dealt. */
static void write_ranks(const Guess *guess, uint32_t side) {
    const RankDeal *deal = &guess->deals[side];
    for (uint32_t i = 0; i < deal->count; i++)
        guess->state->pieces[deal->units[i]].kind = deal->ranks[i];
}

/* How many battles could not have ended as they did. */
static uint32_t battles_broken(const GeneralsContent *body, const GeneralsState *state) {
    uint32_t broken = 0;
    for (uint8_t loser = 0; loser < units_of(body); loser++) {
        uint8_t winner = fell_to(state, loser);
        if (winner == MASH_UNIT_NONE)
            continue;
        uint8_t outcome = fell_to(state, winner) == loser ? OUTCOME_TIED : OUTCOME_LOST;
        const GeneralsArmy *army = &body->army[side_of(body, loser)];
        uint16_t fitting = army->fits[outcome][state->pieces[winner].kind];
        broken += !(fitting >> state->pieces[loser].kind & 1);
    }
    return broken;
}

enum { RECONCILE_TRIES = 20000, RECONCILE_WORSE = 64 };

/* For spectators, to whom both sides are hidden: swaps ranks within a side if that breaks no more
 * battles than before, and occasionally if it does. If the attempts do not suffice, the guess keeps
 * a battle that does not fit; the spectator's view of it is still the same. */
static bool fix_battles(Guess *guess) {
    uint32_t broken = battles_broken(guess->body, guess->state);
    for (uint32_t try = 0; broken > 0 && try < RECONCILE_TRIES; try++) {
        uint32_t side = chance_below(guess->chance, MASH_SEATS);
        RankDeal *deal = &guess->deals[side];
        uint32_t a = chance_below(guess->chance, deal->count);
        uint32_t b = chance_below(guess->chance, deal->count);
        if (deal->ranks[a] == deal->ranks[b] || !takes(deal, a, b) || !takes(deal, b, a))
            continue;
        swap_ranks(deal, a, b);
        write_ranks(guess, side);
        uint32_t now = battles_broken(guess->body, guess->state);
        if (now <= broken || chance_below(guess->chance, RECONCILE_WORSE) == 0) {
            broken = now;
            continue;
        }
        swap_ranks(deal, a, b);
        write_ranks(guess, side);
    }
    return broken == 0;
}

/* One deal of all hidden ranks. Could the match have reached this state with it? The side to act
 * must have an action, or it would have lost [8.4]. */
static bool try_deal(Guess *guess) {
    bool fits = true;
    for (uint32_t side = 0; side < MASH_SEATS; side++) {
        fits &= deal_ranks(&guess->deals[side], guess->chance);
        write_ranks(guess, side);
    }
    if (guess->deals[0].count > 0 && guess->deals[1].count > 0)
        fits &= fix_battles(guess);
    const GeneralsState *state = guess->state;
    return fits && (state->second != 0 || generals_can_act(guess->body, state, state->mover));
}

/* The side to act had no action: assumes of each of its pieces in turn that it can act, first by a
 * step, then by an ability; in the true state one of them can. */
static bool attempt_with_action(Guess *guess) {
    uint8_t mover = guess->state->mover;
    const GeneralsArmy *army = &guess->body->army[mover];
    const uint32_t assumed[] = {~(1u << army->nexus),
                                (uint32_t)army->with[ABILITY_STRIKE] | army->with[ABILITY_WEB]};
    RankDeal *deal = &guess->deals[mover];
    for (uint32_t way = 0; way < 2; way++)
        for (uint32_t i = 0; i < deal->count; i++) {
            uint16_t mask = deal->masks[i];
            deal->masks[i] = (uint16_t)(mask & assumed[way]);
            if (deal->masks[i] != 0 && try_deal(guess))
                return true;
            deal->masks[i] = mask;
        }
    return false;
}

/* [3.6] A side that places in secret may have placed everything. It is assumed ready unless that
 * would have started play. */
static void guess_placement(const GeneralsContent *body, GeneralsState *state, MashChance *chance) {
    for (uint8_t side = 0; side < MASH_SEATS; side++)
        if (state->blind >> side & 1)
            generals_place_random(body, state, side, chance);
    if (state->blind != 3 && state->ready == 0)
        state->ready = state->blind;
}

void generals_guess(const MashContent *content, void *view, uint8_t seat, MashChance *chance) {
    (void)seat;
    GeneralsState *state = view;
    Guess guess = {.body = generals_content(content), .state = state, .chance = chance};
    if (state->blind == 0)
        return;
    if (placing(state)) {
        guess_placement(guess.body, state, chance);
    } else {
        for (uint8_t side = 0; side < MASH_SEATS; side++)
            collect(guess.body, state, side, &guess.deals[side]);
        if (!try_deal(&guess))
            attempt_with_action(&guess);
    }
    state->blind = 0;
}
