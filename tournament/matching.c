/* matching.c -- see matching.h.
 *
 * Costs are turned into weights (a large constant minus the cost), of which the heaviest matching
 * is sought by primal and dual steps: a forest of alternating trees grows along tight edges from
 * all free vertices; odd cycles shrink to blossoms, which are vertices of their own and open again
 * when their dual variable is used up. Vertices are numbered from 1, blossoms follow them; 0 is
 * none. */
#include "tournament/matching.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* The state of a vertex in the forest: not in it, at an even or an odd distance from the root. */
typedef enum MatchingLabel { LABEL_FREE = -1, LABEL_EVEN, LABEL_ODD } MatchingLabel;

/* An edge between two vertices or blossoms: its ends that are vertices. (0, 0): there is none. */
typedef struct MatchingEdge {
    uint16_t u, v;
} MatchingEdge;

/* A search with its lent memory. */
typedef struct MatchingSearch {
    uint32_t n, used, max; /* vertices; numbers in use; most numbers, all + 1 */
    const int64_t *costs;
    int64_t top; /* the weight of an edge that costs nothing */
    int64_t *duals;
    MatchingEdge *edges; /* [a * max + b]: the tightest between a and b */
    uint16_t *matched, *slack, *outer, *parent;
    uint16_t *inside; /* [b * (n + 1) + v]: the part of blossom b that has vertex v */
    uint16_t *parts;  /* [b * (n + 1)]...: the parts of a blossom in cyclic order */
    uint16_t *parts_count;
    uint32_t *seen;
    uint32_t seen_now;
    int8_t *labels;
    uint16_t *queue;
    uint32_t queue_first, queue_last;
} MatchingSearch;

enum { ALIGNMENT = 16 };

/* Numbers for vertices, their blossoms (never more than half as many) and none. */
static uint32_t numbers(uint32_t vertices) { return vertices + vertices / 2 + 2; }

/* Takes memory from a running end; without memory only counts. */
static void *take(char *memory, size_t *end, size_t bytes) {
    void *at = memory == NULL ? NULL : memory + *end;
    *end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

/* Lays the arrays into the memory; how many bytes they take. */
static size_t lay_out(MatchingSearch *search, uint32_t n, char *memory) {
    size_t end = 0, max = numbers(n);
    search->n = n;
    search->max = (uint32_t)max;
    search->duals = take(memory, &end, max * sizeof(int64_t));
    search->edges = take(memory, &end, max * max * sizeof(MatchingEdge));
    search->matched = take(memory, &end, max * sizeof(uint16_t));
    search->slack = take(memory, &end, max * sizeof(uint16_t));
    search->outer = take(memory, &end, max * sizeof(uint16_t));
    search->parent = take(memory, &end, max * sizeof(uint16_t));
    search->inside = take(memory, &end, max * (n + 1) * sizeof(uint16_t));
    search->parts = take(memory, &end, max * (n + 1) * sizeof(uint16_t));
    search->parts_count = take(memory, &end, max * sizeof(uint16_t));
    search->seen = take(memory, &end, max * sizeof(uint32_t));
    search->labels = take(memory, &end, max * sizeof(int8_t));
    search->queue = take(memory, &end, (n + 1) * sizeof(uint16_t));
    return end;
}

size_t matching_bytes(uint32_t vertices) {
    MatchingSearch search;
    return lay_out(&search, vertices, NULL);
}

/* The edge between two numbers. */
static MatchingEdge *edge_of(const MatchingSearch *search, uint32_t a, uint32_t b) {
    return &search->edges[(size_t)a * search->max + b];
}

/* Is there an edge? */
static bool there(const MatchingEdge *edge) { return edge->u != 0; }

/* The weight of the edge between two vertices. */
static int64_t weight(const MatchingSearch *search, uint32_t u, uint32_t v) {
    return search->top - search->costs[(size_t)(u - 1) * search->n + (v - 1)];
}

/* How far an edge is from being tight; 0: it is. */
static int64_t distance(const MatchingSearch *search, const MatchingEdge *edge) {
    return search->duals[edge->u] + search->duals[edge->v] - 2 * weight(search, edge->u, edge->v);
}

/* The parts of a blossom. */
static uint16_t *parts_of(const MatchingSearch *search, uint32_t b) {
    return &search->parts[(size_t)b * (search->n + 1)];
}

/* The part of a blossom that has the vertex; a vertex has itself. */
static uint16_t *inside_of(const MatchingSearch *search, uint32_t b, uint32_t v) {
    return &search->inside[(size_t)b * (search->n + 1) + v];
}

/* Keeps the edge from u as the tightest to x if it is. */
static void update_slack(MatchingSearch *search, uint32_t u, uint32_t x) {
    uint16_t known = search->slack[x];
    if (known == 0 ||
        distance(search, edge_of(search, u, x)) < distance(search, edge_of(search, known, x)))
        search->slack[x] = (uint16_t)u;
}

/* Finds the tightest edge from an even vertex to x. */
static void find_slack(MatchingSearch *search, uint32_t x) {
    search->slack[x] = 0;
    for (uint32_t u = 1; u <= search->n; u++)
        if (there(edge_of(search, u, x)) && search->outer[u] != x &&
            search->labels[search->outer[u]] == LABEL_EVEN)
            update_slack(search, u, x);
}

/* Puts the vertices of x into the queue. */
static void enqueue(MatchingSearch *search, uint32_t x) {
    if (x <= search->n) {
        search->queue[search->queue_last++] = (uint16_t)x;
        return;
    }
    for (uint32_t i = 0; i < search->parts_count[x]; i++)
        enqueue(search, parts_of(search, x)[i]);
}

/* Everything in x belongs to the outermost blossom b. */
static void set_outer(MatchingSearch *search, uint32_t x, uint32_t b) {
    search->outer[x] = (uint16_t)b;
    if (x > search->n)
        for (uint32_t i = 0; i < search->parts_count[x]; i++)
            set_outer(search, parts_of(search, x)[i], b);
}

/* Reverses a run of numbers. */
static void reverse(uint16_t *list, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        uint16_t other = list[count - 1 - i];
        list[count - 1 - i] = list[i];
        list[i] = other;
    }
}

/* The place of a part, by the way round that is even from the base. */
static uint32_t even_place(MatchingSearch *search, uint32_t b, uint16_t part) {
    uint16_t *parts = parts_of(search, b);
    uint32_t count = search->parts_count[b], place = 0;
    while (parts[place] != part)
        place++;
    if (place % 2 == 0)
        return place;
    reverse(parts + 1, count - 1);
    return count - place;
}

/* Matches u with v, inside u as well if it is a blossom. */
static void set_match(MatchingSearch *search, uint32_t u, uint32_t v) {
    MatchingEdge edge = *edge_of(search, u, v);
    search->matched[u] = edge.v;
    if (u <= search->n)
        return;
    uint16_t part = *inside_of(search, u, edge.u);
    uint32_t place = even_place(search, u, part), count = search->parts_count[u];
    uint16_t *parts = parts_of(search, u);
    for (uint32_t i = 0; i < place; i++)
        set_match(search, parts[i], parts[i ^ 1]);
    set_match(search, part, v);
    reverse(parts, place);
    reverse(parts + place, count - place);
    reverse(parts, count);
}

/* Changes matched and free edges from u to the root of its tree. */
static void augment(MatchingSearch *search, uint32_t u, uint32_t v) {
    for (;;) {
        uint16_t next = search->outer[search->matched[u]];
        set_match(search, u, v);
        if (next == 0)
            return;
        uint16_t above = search->outer[search->parent[next]];
        set_match(search, next, above);
        u = above;
        v = next;
    }
}

/* Where the ways from two even blossoms to their roots meet; 0: nowhere. */
static uint32_t common(MatchingSearch *search, uint32_t u, uint32_t v) {
    search->seen_now++;
    while (u != 0 || v != 0) {
        if (u != 0) {
            if (search->seen[u] == search->seen_now)
                return u;
            search->seen[u] = search->seen_now;
            u = search->outer[search->matched[u]];
            u = u == 0 ? 0 : search->outer[search->parent[u]];
        }
        uint32_t other = u;
        u = v;
        v = other;
    }
    return 0;
}

/* Appends the way from x up to the common blossom. */
static void add_way(MatchingSearch *search, uint32_t b, uint32_t x, uint32_t end) {
    while (x != end) {
        uint16_t even = search->outer[search->matched[x]];
        uint16_t *parts = parts_of(search, b);
        parts[search->parts_count[b]++] = (uint16_t)x;
        parts[search->parts_count[b]++] = even;
        enqueue(search, even);
        x = search->outer[search->parent[even]];
    }
}

/* The edges of a new blossom: the tightest of its parts'. */
static void join_edges(MatchingSearch *search, uint32_t b) {
    for (uint32_t x = 1; x <= search->used; x++)
        *edge_of(search, b, x) = *edge_of(search, x, b) = (MatchingEdge){0, 0};
    for (uint32_t v = 1; v <= search->n; v++)
        *inside_of(search, b, v) = 0;
    for (uint32_t i = 0; i < search->parts_count[b]; i++) {
        uint32_t part = parts_of(search, b)[i];
        for (uint32_t x = 1; x <= search->used; x++) {
            MatchingEdge *mine = edge_of(search, b, x), *its = edge_of(search, part, x);
            if (there(its) && (!there(mine) || distance(search, its) < distance(search, mine))) {
                *mine = *its;
                *edge_of(search, x, b) = *edge_of(search, x, part);
            }
        }
        for (uint32_t v = 1; v <= search->n; v++)
            if (*inside_of(search, part, v) != 0)
                *inside_of(search, b, v) = (uint16_t)part;
    }
}

/* Shrinks an odd cycle to a blossom. */
static void shrink(MatchingSearch *search, uint32_t u, uint32_t base, uint32_t v) {
    uint32_t b = search->n + 1;
    while (b <= search->used && search->outer[b] != 0)
        b++;
    if (b > search->used)
        search->used++;
    assert(b < search->max);
    search->duals[b] = 0;
    search->labels[b] = LABEL_EVEN;
    search->matched[b] = search->matched[base];
    search->parts_count[b] = 1;
    parts_of(search, b)[0] = (uint16_t)base;
    add_way(search, b, u, base);
    reverse(parts_of(search, b) + 1, search->parts_count[b] - 1u);
    add_way(search, b, v, base);
    set_outer(search, b, b);
    join_edges(search, b);
    find_slack(search, b);
}

/* Opens an odd blossom whose dual variable is used up. */
static void expand(MatchingSearch *search, uint32_t b) {
    uint16_t *parts = parts_of(search, b);
    for (uint32_t i = 0; i < search->parts_count[b]; i++)
        set_outer(search, parts[i], parts[i]);
    uint16_t entry = *inside_of(search, b, edge_of(search, b, search->parent[b])->u);
    uint32_t place = even_place(search, b, entry);
    for (uint32_t i = 0; i < place; i += 2) {
        uint16_t odd = parts[i], even = parts[i + 1];
        search->parent[odd] = edge_of(search, even, odd)->u;
        search->labels[odd] = LABEL_ODD;
        search->labels[even] = LABEL_EVEN;
        search->slack[odd] = 0;
        find_slack(search, even);
        enqueue(search, even);
    }
    search->labels[entry] = LABEL_ODD;
    search->parent[entry] = search->parent[b];
    for (uint32_t i = place + 1; i < search->parts_count[b]; i++) {
        search->labels[parts[i]] = LABEL_FREE;
        find_slack(search, parts[i]);
    }
    search->outer[b] = 0;
}

/* Goes along a tight edge. True: two trees met, and there is one pair more. */
static bool go_along(MatchingSearch *search, MatchingEdge edge) {
    uint32_t u = search->outer[edge.u], v = search->outer[edge.v];
    if (search->labels[v] == LABEL_FREE) {
        uint16_t next = search->outer[search->matched[v]];
        search->parent[v] = edge.u;
        search->labels[v] = LABEL_ODD;
        search->slack[v] = search->slack[next] = 0;
        search->labels[next] = LABEL_EVEN;
        enqueue(search, next);
    } else if (search->labels[v] == LABEL_EVEN) {
        uint32_t base = common(search, u, v);
        if (base == 0) {
            augment(search, u, v);
            augment(search, v, u);
            return true;
        }
        shrink(search, u, base, v);
    }
    return false;
}

/* Grows the trees along tight edges. True: there is one pair more. */
static bool grow(MatchingSearch *search) {
    while (search->queue_first < search->queue_last) {
        uint32_t u = search->queue[search->queue_first++];
        if (search->labels[search->outer[u]] == LABEL_ODD)
            continue;
        for (uint32_t v = 1; v <= search->n; v++) {
            if (search->outer[u] == search->outer[v])
                continue;
            if (distance(search, edge_of(search, u, v)) != 0)
                update_slack(search, u, search->outer[v]);
            else if (go_along(search, *edge_of(search, u, v)))
                return true;
        }
    }
    return false;
}

/* By how much the dual variables may change. */
static int64_t step_of(const MatchingSearch *search) {
    int64_t step = INT64_MAX;
    for (uint32_t x = 1; x <= search->used; x++) {
        int64_t most = INT64_MAX;
        if (search->outer[x] != x)
            continue;
        if (x > search->n && search->labels[x] == LABEL_ODD)
            most = search->duals[x] / 2;
        else if (search->slack[x] != 0 && search->labels[x] != LABEL_ODD)
            most = distance(search, edge_of(search, search->slack[x], x)) /
                   (search->labels[x] == LABEL_FREE ? 1 : 2);
        step = most < step ? most : step;
    }
    return step;
}

/* Changes the dual variables. */
static void change_duals(MatchingSearch *search, int64_t step) {
    for (uint32_t v = 1; v <= search->n; v++) {
        int8_t label = search->labels[search->outer[v]];
        search->duals[v] += label == LABEL_EVEN ? -step : label == LABEL_ODD ? step : 0;
    }
    for (uint32_t b = search->n + 1; b <= search->used; b++)
        if (search->outer[b] == b) {
            int8_t label = search->labels[b];
            search->duals[b] += label == LABEL_EVEN ? 2 * step : label == LABEL_ODD ? -2 * step : 0;
        }
}

/* Goes along the edges that have become tight. True: there is one pair more. */
static bool go_on(MatchingSearch *search) {
    search->queue_first = search->queue_last = 0;
    for (uint32_t x = 1; x <= search->used; x++) {
        uint16_t from = search->slack[x];
        if (search->outer[x] != x || from == 0 || search->outer[from] == x ||
            distance(search, edge_of(search, from, x)) != 0)
            continue;
        if (go_along(search, *edge_of(search, from, x)))
            return true;
    }
    for (uint32_t b = search->n + 1; b <= search->used; b++)
        if (search->outer[b] == b && search->labels[b] == LABEL_ODD && search->duals[b] == 0)
            expand(search, b);
    return false;
}

/* One pair more. False: there was nobody left. */
static bool add_pair(MatchingSearch *search) {
    memset(search->labels, LABEL_FREE, search->max);
    memset(search->slack, 0, search->max * sizeof *search->slack);
    search->queue_first = search->queue_last = 0;
    for (uint32_t x = 1; x <= search->used; x++)
        if (search->outer[x] == x && search->matched[x] == 0) {
            search->parent[x] = 0;
            search->labels[x] = LABEL_EVEN;
            enqueue(search, x);
        }
    if (search->queue_last == 0)
        return false;
    for (;;) {
        if (grow(search))
            return true;
        change_duals(search, step_of(search));
        if (go_on(search))
            return true;
    }
}

/* No pairs, no blossoms. */
static void begin(MatchingSearch *search) {
    uint32_t n = search->n;
    search->used = n;
    search->top = MATCHING_COST_MAX;
    search->seen_now = 0;
    memset(search->matched, 0, search->max * sizeof *search->matched);
    memset(search->outer, 0, search->max * sizeof *search->outer);
    memset(search->parent, 0, search->max * sizeof *search->parent);
    memset(search->seen, 0, search->max * sizeof *search->seen);
    memset(search->inside, 0, (size_t)search->max * (n + 1) * sizeof *search->inside);
    memset(search->edges, 0, (size_t)search->max * search->max * sizeof *search->edges);
    for (uint32_t u = 1; u <= n; u++) {
        search->outer[u] = (uint16_t)u;
        search->parts_count[u] = 0;
        search->duals[u] = search->top;
        *inside_of(search, u, u) = (uint16_t)u;
        for (uint32_t v = 1; v <= n; v++)
            if (u != v)
                *edge_of(search, u, v) = (MatchingEdge){(uint16_t)u, (uint16_t)v};
    }
}

void matching_find(uint32_t vertices, const int64_t *costs, void *memory, uint16_t *partners) {
    MatchingSearch search = {.costs = costs};
    assert(vertices % 2 == 0 && vertices <= 4096);
    lay_out(&search, vertices, memory);
    begin(&search);
    while (add_pair(&search))
        ;
    for (uint32_t v = 1; v <= vertices; v++)
        partners[v - 1] = (uint16_t)(search.matched[v] - 1);
}
