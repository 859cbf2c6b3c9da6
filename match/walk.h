/* walk.h -- where a unit can go in its turn, step by step, and how: a search over copies.
 *
 * A step is a listed action of the unit that names it and a free cell, and after which it stands
 * there; the search applies steps one after the other as the rules would and never decides itself
 * what is allowed. It goes on only behind steps that cost the own side no health, draw no chance
 * and leave the turn to the seat, so a path is the cheapest safe one; a step that is not safe can
 * only be its last. Of ways that are alike the straightest is found. Nothing hidden is used. */
#ifndef MATCH_WALK_H
#define MATCH_WALK_H
#include "include/mashup.h"

/* Bounds of a search: what lies beyond them is not found. */
enum { WALK_NODES_MAX = 512, WALK_NODES_LEAST = 64, WALK_BYTES_MAX = 2 << 20, WALK_STEPS_MAX = 64 };

/* A cell that was reached. Node 0 is where the unit stands. */
typedef struct WalkNode {
    uint8_t x, y;
    uint16_t from;     /* the node before the last step */
    uint16_t steps;    /* how many steps lead here */
    bool last;         /* the path cannot continue from here */
    bool by_chance;    /* chance decides what the last step does: loss and events are one outcome */
    MashAction action; /* the last step */
    int32_t loss; /* health that the own side loses by it; a unit that falls counts as 1 more */
    uint64_t event_kinds; /* bit k: an event of kind k happens with it */
} WalkNode;

/* A search and what it found. Read nodes and nodes_count; the rest is private. */
typedef struct Walk {
    WalkNode *nodes; /* in the order of their steps */
    uint32_t nodes_count;
    const MashContent *content;
    uint8_t seat, unit;
    uint32_t nodes_max;
    uint8_t *states;        /* one for each node */
    uint16_t *node_at;      /* for each cell 1 + its node */
    uint8_t *owners;        /* the seat of each unit */
    MashBoard board, after; /* of a node, and after a step from it */
    MashAction *list;
    MashEvents events;
    void *trial;
} Walk;

/* How many bytes a search of this content needs, aligned to 16. */
size_t walk_bytes(const MashContent *content);
/* Finds all cells that the unit of the seat can go to from what the seat sees. False: it is not on
 * the board. */
bool walk_search(Walk *walk, const MashContent *content, const void *view, uint8_t seat,
                 uint8_t unit, void *memory);
/* The node of a cell; NULL: the unit cannot go there. */
const WalkNode *walk_node(const Walk *walk, uint32_t x, uint32_t y);
/* Writes the steps to a node, the first first; returns how many. */
uint32_t walk_path(const Walk *walk, const WalkNode *node, MashAction out[WALK_STEPS_MAX]);
/* Finds the cheapest way to hit the unit `enemy`: fewest losses, then fewest steps, then most
 * damage. Writes the steps and behind them the action that hits; returns how many they are, 0:
 * there is no way. */
uint32_t walk_attack(Walk *walk, uint8_t enemy, MashAction out[WALK_STEPS_MAX + 1]);

#endif
