/* walk.c -- see walk.h. Breadth first: a cell is reached by the fewest steps, and of equal ways by
 * the straightest. */
#include "match/walk.h"

#include <string.h>

#include "base/lender.h"

enum { GUESS_SEED = 1218 };
static_assert(MASH_EVENT_KINDS <= 64, "kinds of events are a set of 64 bits");

/* How many nodes a search may have: fewer where states are large. */
static uint32_t nodes_most(const MashContent *content) {
    uint32_t most = WALK_BYTES_MAX / content->limits.state_bytes;
    return most > WALK_NODES_MAX     ? WALK_NODES_MAX
           : most < WALK_NODES_LEAST ? WALK_NODES_LEAST
                                     : most;
}

/* Lays the search out in the memory; returns its size. */
static size_t lay_out(const MashContent *content, void *memory, Walk *walk) {
    const MashLimits *limits = &content->limits;
    Lender lender = {memory, 0};
    walk->content = content;
    walk->nodes_max = nodes_most(content);
    walk->states = lend(&lender, walk->nodes_max * align_16(limits->state_bytes));
    walk->trial = lend(&lender, limits->state_bytes);
    walk->nodes = lend(&lender, walk->nodes_max * sizeof *walk->nodes);
    walk->node_at = lend(&lender, (size_t)limits->width * limits->height * sizeof(uint16_t));
    walk->owners = lend(&lender, MASH_UNIT_NONE + 1);
    walk->list = lend(&lender, limits->actions_max * sizeof *walk->list);
    walk->events.list = lend(&lender, limits->events_max * sizeof(MashEvent));
    walk->events.max = limits->events_max;
    walk->board = mash_board_lend(content, &lender);
    walk->after = mash_board_lend(content, &lender);
    return lender.used;
}

size_t walk_bytes(const MashContent *content) {
    Walk walk;
    memset(&walk, 0, sizeof walk);
    return lay_out(content, NULL, &walk);
}

/* The state of a node. */
static void *state_of(const Walk *walk, uint32_t node) {
    return walk->states + node * align_16(walk->content->limits.state_bytes);
}

/* The token of the walking unit on a board; NULL: it is not there. */
static const MashToken *find_token(const Walk *walk, const MashBoard *board) {
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].unit == walk->unit)
            return board->tokens[i].place == MASH_ON_BOARD ? &board->tokens[i] : NULL;
    return NULL;
}

/* Is the cell free of pieces of either side on the board of the node? */
static bool is_free(const Walk *walk, int x, int y) {
    for (uint32_t i = 0; i < walk->board.tokens_count; i++) {
        const MashToken *token = &walk->board.tokens[i];
        if (token->place == MASH_ON_BOARD && token->x == x && token->y == y &&
            token->seat < MASH_SEATS)
            return false;
    }
    return true;
}

/* Does the verb name a unit and a cell and nothing else, as a step does? */
static bool names_cell(const MashGame *game, uint8_t verb) {
    const char *form = mash_verb_form(game, verb), *step = " {unit} {cell}";
    const char *end = strstr(form, step), *last = form + strcspn(form, "|");
    return *form == '\0' ||
           (end != NULL && strchr(form, '{') == end + 1 && end + strlen(step) == last);
}

/* What the events of the last trial cost the own side: health, and one more for each who falls. */
static int32_t loss_of(const Walk *walk) {
    int32_t loss = 0;
    for (uint32_t i = 0; i < walk->events.count; i++) {
        const MashEvent *event = &walk->events.list[i];
        if (walk->owners[event->unit] != walk->seat)
            continue;
        if (event->kind == MASH_EVENT_HURT)
            loss += event->amount;
        loss += event->kind == MASH_EVENT_DIED;
    }
    return loss;
}

/* Applies an action to a copy of a node's state. False: it draws chance, so the copy is only one of
 * the outcomes. */
static bool try_action(Walk *walk, uint32_t node, MashAction action) {
    const MashContent *content = walk->content;
    MashChance chance = chance_enumerated(NULL, 0);
    memcpy(walk->trial, state_of(walk, node), content->limits.state_bytes);
    walk->events.count = 0;
    content->game->apply_listed(content, walk->trial, action, &chance, &walk->events);
    return !chance.failed;
}

/* How far a way that goes over the node `from` strays from the straight line to its end. */
static uint32_t strays(const Walk *walk, uint32_t from, int x, int y) {
    const WalkNode *start = &walk->nodes[0], *node = &walk->nodes[from];
    uint32_t sum = 0;
    for (; node->steps > 0; node = &walk->nodes[node->from]) {
        int area = (node->x - start->x) * (y - start->y) - (node->y - start->y) * (x - start->x);
        sum += (uint32_t)(area < 0 ? -area : area);
    }
    return sum;
}

/* The kinds of events of a whole way. */
static uint64_t kinds_of(const Walk *walk, const WalkNode *node) {
    uint64_t kinds = 0;
    for (; node->steps > 0; node = &walk->nodes[node->from])
        kinds |= node->event_kinds;
    return kinds;
}

/* Would a step from the node be a straighter way of as many steps to a cell that was reached? */
static bool is_straighter(const Walk *walk, uint32_t from, const WalkNode *known) {
    return known->loss == 0 && known->steps == walk->nodes[from].steps + 1 &&
           strays(walk, from, known->x, known->y) < strays(walk, known->from, known->x, known->y);
}

/* The node that the last trial reached. */
static WalkNode make_node(const Walk *walk, uint32_t from, MashAction action, bool fixed) {
    const MashContent *content = walk->content;
    WalkNode node = {.x = (uint8_t)action.x,
                     .y = (uint8_t)action.y,
                     .from = (uint16_t)from,
                     .steps = (uint16_t)(walk->nodes[from].steps + 1),
                     .by_chance = !fixed,
                     .action = action,
                     .loss = loss_of(walk)};
    for (uint32_t i = 0; i < walk->events.count; i++)
        node.event_kinds |= UINT64_C(1) << walk->events.list[i].kind;
    bool ours = (content->game->awaited(content, walk->trial) >> walk->seat & 1) != 0;
    node.last = !fixed || !ours || node.loss > 0 || node.steps == WALK_STEPS_MAX;
    return node;
}

/* Keeps a node and the state that the last trial reached. */
static void put_node(Walk *walk, uint32_t index, WalkNode node) {
    walk->nodes[index] = node;
    memcpy(state_of(walk, index), walk->trial, walk->content->limits.state_bytes);
    walk->node_at[(uint32_t)node.y * walk->content->limits.width + node.x] = (uint16_t)(index + 1);
}

/* Does the same happen on both paths, and can both continue? */
static bool is_alike(const Walk *walk, const WalkNode *a, const WalkNode *b) {
    return a->loss == b->loss && a->by_chance == b->by_chance && a->last == b->last &&
           a->event_kinds == b->event_kinds && kinds_of(walk, a) == kinds_of(walk, b);
}

/* Tries one listed action of a node: adds the cell if it is a step to one that is new, or that was
 * reached with losses only; a straighter way takes the place of one that is alike. */
static void try_step(Walk *walk, uint32_t from, MashAction action) {
    const MashContent *content = walk->content;
    if (action.unit != walk->unit || !names_cell(content->game, action.verb) ||
        !is_free(walk, action.x, action.y))
        return;
    const WalkNode *known = walk_node(walk, (uint32_t)action.x, (uint32_t)action.y);
    bool straighter = known != NULL && is_straighter(walk, from, known);
    if (known != NULL && known->loss == 0 && !straighter)
        return;
    bool fixed = try_action(walk, from, action);
    if (known != NULL && !straighter && loss_of(walk) >= known->loss)
        return;
    content->game->show(content, walk->trial, &walk->after);
    const MashToken *token = find_token(walk, &walk->after);
    if (token == NULL || token->x != action.x || token->y != action.y)
        return;
    WalkNode node = make_node(walk, from, action, fixed);
    if (!straighter)
        put_node(walk, walk->nodes_count++, node);
    else if (is_alike(walk, &node, known))
        put_node(walk, (uint32_t)(known - walk->nodes), node);
}

/* Tries all steps of a node. */
static void expand(Walk *walk, uint32_t from) {
    const MashContent *content = walk->content;
    uint32_t count = content->game->actions(content, state_of(walk, from), walk->seat, walk->list);
    content->game->show(content, state_of(walk, from), &walk->board);
    for (uint32_t i = 0; i < count && walk->nodes_count < walk->nodes_max; i++)
        try_step(walk, from, walk->list[i]);
}

bool walk_search(Walk *walk, const MashContent *content, const void *view, uint8_t seat,
                 uint8_t unit, void *memory) {
    memset(memory, 0, walk_bytes(content));
    memset(walk, 0, sizeof *walk);
    lay_out(content, memory, walk);
    walk->seat = seat;
    walk->unit = unit;
    memcpy(state_of(walk, 0), view, content->limits.state_bytes);
    MashChance chance = chance_sampled(GUESS_SEED);
    if (content->game->guess != NULL)
        content->game->guess(content, state_of(walk, 0), seat, &chance);
    content->game->show(content, view, &walk->board);
    memset(walk->owners, MASH_SEAT_NONE, MASH_UNIT_NONE + 1);
    for (uint32_t i = 0; i < walk->board.tokens_count; i++)
        walk->owners[walk->board.tokens[i].unit] = walk->board.tokens[i].seat;
    const MashToken *token = find_token(walk, &walk->board);
    if (token == NULL)
        return false;
    walk->nodes[0] = (WalkNode){.x = (uint8_t)token->x, .y = (uint8_t)token->y};
    walk->nodes_count = 1;
    walk->node_at[(uint32_t)token->y * content->limits.width + (uint32_t)token->x] = 1;
    for (uint32_t i = 0; i < walk->nodes_count; i++)
        if (!walk->nodes[i].last)
            expand(walk, i);
    return true;
}

const WalkNode *walk_node(const Walk *walk, uint32_t x, uint32_t y) {
    const MashLimits *limits = &walk->content->limits;
    uint16_t node =
        x < limits->width && y < limits->height ? walk->node_at[y * limits->width + x] : 0;
    return node == 0 ? NULL : &walk->nodes[node - 1];
}

uint32_t walk_path(const Walk *walk, const WalkNode *node, MashAction out[WALK_STEPS_MAX]) {
    uint32_t count = node->steps;
    for (; node->steps > 0; node = &walk->nodes[node->from])
        out[node->steps - 1] = node->action;
    return count;
}

/* What the last trial takes off the enemy: health, and 1 for an attack that takes none or a fall.
 */
static int32_t damage_of(const Walk *walk, uint8_t enemy) {
    int32_t damage = 0;
    for (uint32_t i = 0; i < walk->events.count; i++) {
        const MashEvent *event = &walk->events.list[i];
        if (event->kind == MASH_EVENT_HURT && event->unit == enemy)
            damage += event->amount;
        damage += event->kind == MASH_EVENT_DIED && event->unit == enemy;
        damage += (event->kind == MASH_EVENT_ATTACKED || event->kind == MASH_EVENT_MISSED) &&
                  event->other == enemy;
    }
    return damage;
}

uint32_t walk_attack(Walk *walk, uint8_t enemy, MashAction out[WALK_STEPS_MAX + 1]) {
    const MashContent *content = walk->content;
    const WalkNode *best = NULL;
    int32_t best_loss = INT32_MAX, best_damage = 0;
    for (uint32_t i = 0; i < walk->nodes_count; i++) {
        const WalkNode *node = &walk->nodes[i];
        if (node->last || (best != NULL && best_loss == 0 && node->steps > best->steps))
            continue;
        uint32_t count = content->game->actions(content, state_of(walk, i), walk->seat, walk->list);
        for (uint32_t k = 0; k < count; k++) {
            if (walk->list[k].unit != walk->unit)
                continue;
            try_action(walk, i, walk->list[k]);
            int32_t loss = loss_of(walk), damage = damage_of(walk, enemy);
            bool better = loss < best_loss || (loss == best_loss && best != NULL &&
                                               node->steps == best->steps && damage > best_damage);
            if (damage == 0 || !better)
                continue;
            best = node, best_loss = loss, best_damage = damage;
            out[WALK_STEPS_MAX] = walk->list[k];
        }
    }
    if (best == NULL)
        return 0;
    MashAction hit = out[WALK_STEPS_MAX];
    uint32_t count = walk_path(walk, best, out);
    out[count] = hit;
    return count + 1;
}
