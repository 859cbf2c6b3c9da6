/* threat.c -- see threat.h. The search goes depth first, with one state for each action of the
 * line; positions that it has met are kept as hashes and not gone into again. */
#include "match/threat.h"

#include <string.h>

#include "base/hash.h"
#include "base/lender.h"

enum {
    SEEN_SLOTS = 1 << 17,
    GUESS_SEED = 1218,
    LEVELS_TOLD = 2, /* of a game that tells it: what the seat may do, and what comes of it */
    DRAWS_MAX = 4,   /* of an action of the seat, and what may come of them */
    OUTCOMES_MAX = 64,
    TRIALS_MAX = 4000
};

/* One position of the line that is being searched. */
typedef struct ThreatPly {
    void *state;
    MashAction *list;
    uint32_t count, next;
    int32_t loss; /* health that the seat has lost in the enemy's turn so far */
    bool enemy;   /* the enemy's turn has begun */
    uint32_t turn;
} ThreatPly;

/* The search. */
typedef struct Search {
    const MashContent *content;
    uint8_t seat, unit;
    ThreatPly levels[THREAT_DEPTH_MAX];
    uint64_t *seen;
    uint8_t *owners; /* the seat of each unit */
    bool *counted;   /* enemies that may be the next to act */
    uint8_t pass;    /* the verb that ends a turn of the seat */
    MashBoard board, later;
    MashEvents events;
    int32_t *own; /* what one enemy does */
    uint32_t nodes;
    int32_t *most;
} Search;

/* Lays the search out in the memory; returns its size. */
static size_t lay_out(const MashContent *content, void *memory, Search *search) {
    const MashLimits *limits = &content->limits;
    Lender lender = {memory, 0};
    bool searched = content->game->threat == NULL;
    for (uint32_t i = 0; i < (searched ? THREAT_DEPTH_MAX : LEVELS_TOLD); i++) {
        search->levels[i].state = lend(&lender, limits->state_bytes);
        search->levels[i].list = lend(&lender, limits->actions_max * sizeof(MashAction));
    }
    search->seen = lend(&lender, searched ? SEEN_SLOTS * sizeof(uint64_t) : 0);
    search->owners = lend(&lender, MASH_UNIT_NONE + 1);
    search->counted = lend(&lender, (MASH_UNIT_NONE + 1) * sizeof *search->counted);
    search->own = lend(&lender, (size_t)limits->width * limits->height * sizeof(int32_t));
    search->events.list = lend(&lender, limits->events_max * sizeof(MashEvent));
    search->events.max = limits->events_max;
    search->board = mash_board_lend(content, &lender);
    search->later = mash_board_lend(content, &lender);
    return lender.used;
}

size_t threat_bytes(const MashContent *content) {
    Search search;
    return lay_out(content, NULL, &search);
}

/* How many cells there are. */
static uint32_t cells_of(const MashContent *content) {
    return (uint32_t)content->limits.width * content->limits.height;
}

/* Nothing is known of any cell. */
static bool unknown(const MashContent *content, int32_t *most) {
    for (uint32_t i = 0; i < cells_of(content); i++)
        most[i] = THREAT_UNKNOWN;
    return false;
}

/* Does the view hide nothing, so that it can be played on? */
static bool is_open(Search *search, const void *view) {
    const MashContent *content = search->content;
    void *copy = search->levels[0].state;
    MashChance chance = chance_sampled(GUESS_SEED);
    memcpy(copy, view, content->limits.state_bytes);
    if (content->game->guess == NULL)
        return true;
    content->game->guess(content, copy, search->seat, &chance);
    return memcmp(copy, view, content->limits.state_bytes) == 0;
}

/* --- Told by the game ------------------------------------------------------------------------- */

/* Adds what one enemy does to what others do: in one turn, or in place of them. */
static void add_own(const Search *search) {
    const MashContent *content = search->content;
    for (uint32_t i = 0; i < cells_of(content); i++) {
        if (content->game->threats_add_up)
            search->most[i] += search->own[i];
        else if (search->own[i] > search->most[i])
            search->most[i] = search->own[i];
    }
}

/* Adds what the game says of one enemy. */
static void ask_enemy(const Search *search, const void *view, uint8_t unit) {
    const MashContent *content = search->content;
    memset(search->own, 0, cells_of(content) * sizeof *search->own);
    content->game->threat(content, view, unit, search->own);
    add_own(search);
}

/* Is this seat awaited? */
static bool awaits(const Search *search, const void *state, uint8_t seat) {
    return (search->content->game->awaited(search->content, state) >> seat & 1) != 0;
}

/* Applies an action to the state below; false: chance decides. */
static bool try_action(Search *search, MashAction action, MashChance *chance) {
    const MashContent *content = search->content;
    search->events.count = 0;
    content->game->apply_listed(content, search->levels[1].state, action, chance, &search->events);
    return !chance->failed;
}

/* Finds the verb that ends a turn of the seat: another unit acts then. False: it is not known. */
static bool find_pass(Search *search, const void *view) {
    const MashContent *content = search->content;
    ThreatPly *level = &search->levels[0], *below = &search->levels[1];
    for (uint32_t i = 0; i < level->count; i++) {
        MashChance chance = chance_enumerated(NULL, 0);
        memcpy(below->state, view, content->limits.state_bytes);
        if (!try_action(search, level->list[i], &chance) ||
            content->game->awaited(content, below->state) == 0)
            continue;
        content->game->show(content, below->state, &search->later);
        search->pass = level->list[i].verb;
        if (search->later.active != search->board.active)
            return true;
    }
    return false;
}

/* Ends the turns of the seat until the enemy acts, and counts who that is. False: it is not known,
 * because the enemy may choose or a new order is to be drawn. */
static bool pass_on(Search *search) {
    const MashContent *content = search->content;
    ThreatPly *below = &search->levels[1];
    for (uint32_t i = 0; i <= content->limits.units; i++) {
        if (!awaits(search, below->state, search->seat)) {
            content->game->show(content, below->state, &search->later);
            search->counted[search->later.active] = true;
            return search->later.active != MASH_UNIT_NONE;
        }
        MashChance chance = chance_enumerated(NULL, 0);
        below->count = content->game->actions(content, below->state, search->seat, below->list);
        below->next = 0;
        while (below->next < below->count && below->list[below->next].verb != search->pass)
            below->next++;
        if (below->next == below->count || !try_action(search, below->list[below->next], &chance))
            return false;
    }
    return false;
}

/* Counts the enemies that may be the next to act after this action of the seat. */
static bool count_after(Search *search, const void *view, MashAction action) {
    const MashContent *content = search->content;
    MashWheel wheels[DRAWS_MAX];
    MashChance chance = chance_enumerated(wheels, DRAWS_MAX);
    memset(wheels, 0, sizeof wheels);
    uint32_t outcomes = 0;
    do {
        if (++outcomes > OUTCOMES_MAX || ++search->nodes > TRIALS_MAX)
            return false;
        memcpy(search->levels[1].state, view, content->limits.state_bytes);
        if (!try_action(search, action, &chance))
            return false;
        if (content->game->awaited(content, search->levels[1].state) != 0 && !pass_on(search))
            return false;
    } while (chance_next(&chance));
    return true;
}

/* Where units act one after the other, finds the enemies of which one acts next: whatever the seat
 * does now, stopping an enemy included, then ending its turns. False: it is not known. */
static bool count_next(Search *search, const void *view) {
    const MashContent *content = search->content;
    ThreatPly *level = &search->levels[0];
    if (awaits(search, view, 1 - search->seat)) {
        search->counted[search->board.active] = true; /* it is in its turn */
        return search->board.active != MASH_UNIT_NONE;
    }
    if (search->board.order_count == 0 || !is_open(search, view))
        return false;
    level->count = content->game->actions(content, view, search->seat, level->list);
    if (!find_pass(search, view))
        return false;
    for (uint32_t i = 0; i < level->count; i++)
        if (!count_after(search, view, level->list[i]))
            return false;
    return true;
}

/* Asks the game for the enemies that may act next, or for each enemy on the board. */
static void ask_game(Search *search, const void *view) {
    bool known = search->unit == MASH_UNIT_NONE && count_next(search, view);
    for (uint32_t i = 0; i < search->board.tokens_count; i++) {
        const MashToken *token = &search->board.tokens[i];
        bool asked = known ? search->counted[token->unit]
                           : search->unit == MASH_UNIT_NONE || search->unit == token->unit;
        if (asked && token->place == MASH_ON_BOARD && token->seat == 1 - search->seat)
            ask_enemy(search, view, token->unit);
    }
}

/* --- Searched --------------------------------------------------------------------------------- */

/* Is the position new? It is then kept. A full table says that everything is new. */
static bool is_new(Search *search, const ThreatPly *level) {
    uint64_t hash =
        hash_bytes(level->enemy ? 1 : 2, level->state, search->content->limits.core_bytes);
    hash = hash_number(hash, (uint64_t)level->loss) | 1;
    for (uint32_t i = 0; i < 64; i++) {
        uint64_t *slot = &search->seen[(hash + i) % SEEN_SLOTS];
        if (*slot == hash)
            return false;
        if (*slot != 0)
            continue;
        *slot = hash;
        return true;
    }
    return true;
}

/* The number that changes with the turn; of a game without one every action is a turn. */
static uint32_t turn_of(const Search *search, const void *state, uint32_t otherwise) {
    const MashEvaluator *evaluator = search->content->game->evaluator;
    return evaluator == NULL || evaluator->turn_number == NULL
               ? otherwise
               : evaluator->turn_number(search->content, state);
}

/* Writes down whom the last action of the enemy hit; `only`: an action of the unit asked about. */
static void note_hits(Search *search, ThreatPly *level, bool only) {
    for (uint32_t i = 0; i < search->events.count; i++) {
        const MashEvent *event = &search->events.list[i];
        bool hit = event->kind == MASH_EVENT_HURT || event->kind == MASH_EVENT_DIED;
        if (!hit || search->owners[event->unit] != search->seat)
            continue;
        level->loss += event->kind == MASH_EVENT_HURT ? event->amount : 1;
        int32_t *cell = &search->most[event->y * search->content->limits.width + event->x];
        if (only && level->loss > *cell)
            *cell = level->loss;
    }
}

/* Lists what can be done at a level; nothing where the enemy's turn is over. */
static void list_level(Search *search, uint32_t at) {
    ThreatPly *level = &search->levels[at];
    const MashContent *content = search->content;
    uint32_t awaited = content->game->awaited(content, level->state);
    uint8_t enemy = (uint8_t)(1 - search->seat);
    bool theirs = (awaited >> enemy & 1) != 0;
    bool over = level->enemy && (!theirs || (at > 0 && search->levels[at - 1].enemy &&
                                             level->turn != search->levels[at - 1].turn));
    level->next = level->count = 0;
    if (over || awaited == 0)
        return;
    level->enemy = theirs;
    uint8_t seat = theirs ? enemy : search->seat;
    level->count = content->game->actions(content, level->state, seat, level->list);
}

/* Goes through all lines. False: they are too many or too long, or chance decides. */
static bool search_lines(Search *search) {
    const MashContent *content = search->content;
    uint32_t at = 0;
    list_level(search, 0);
    for (;;) {
        ThreatPly *level = &search->levels[at];
        if (level->next == level->count) {
            if (at-- == 0)
                return true;
            continue;
        }
        if (at + 1 == THREAT_DEPTH_MAX || search->nodes++ == THREAT_NODES_MAX)
            return false;
        MashAction action = level->list[level->next++];
        ThreatPly *below = &search->levels[at + 1];
        MashChance chance = chance_enumerated(NULL, 0);
        memcpy(below->state, level->state, content->limits.state_bytes);
        search->events.count = 0;
        content->game->apply_listed(content, below->state, action, &chance, &search->events);
        if (chance.failed)
            return false;
        below->enemy = level->enemy;
        below->loss = level->loss;
        below->turn = turn_of(search, below->state, level->turn + 1);
        if (level->enemy)
            note_hits(search, below, search->unit == MASH_UNIT_NONE || search->unit == action.unit);
        if (!is_new(search, below))
            continue;
        list_level(search, ++at);
    }
}

bool threat_map(const MashContent *content, const void *view, uint8_t seat, uint8_t unit,
                void *memory, int32_t *most) {
    Search search;
    memset(&search, 0, sizeof search);
    memset(memory, 0, lay_out(content, memory, &search));
    memset(most, 0, cells_of(content) * sizeof *most);
    search.content = content;
    search.seat = seat;
    search.unit = unit;
    search.most = most;
    content->game->show(content, view, &search.board);
    if (content->game->threat != NULL) {
        ask_game(&search, view);
        return true;
    }
    memset(search.owners, MASH_SEAT_NONE, MASH_UNIT_NONE + 1);
    for (uint32_t i = 0; i < search.board.tokens_count; i++)
        search.owners[search.board.tokens[i].unit] = search.board.tokens[i].seat;
    if (!is_open(&search, view))
        return unknown(content, most);
    search.levels[0].turn = turn_of(&search, view, 0);
    return search_lines(&search) || unknown(content, most);
}
