/* robot.c -- see house.h: seats that the house plays itself. A thought runs in a thread of the crew
 * on a copy of the seat's view, never of the state, and counts only if the position is still the
 * one it began with. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "server/house.h"

/* One decision. What stands above the line belongs to the crew while it thinks. */
struct Thought {
    const MashContent *content;
    void *view;
    AiPlan plan;
    uint8_t seat;
    uint32_t level;
    uint64_t whim;
    MashAction answer;
    bool found;
    /* --- */
    atomic_bool hurry; /* time runs out: answer with the best so far */
    Server *server;
    Table *table;
    uint32_t number;
    Thought *next, *before;
};

/* Nodes between two looks at `hurry`: some milliseconds. */
enum { AGAIN_MS = 50, SLICE_NODES = 500 };
static_assert((int)AI_LEVELS == (int)PROTO_LEVEL_MAX, "a level on the wire is a level of ai/");

/* The one place that decides. */
static void choose(void *job) {
    Thought *thought = job;
    AiTask task = {.skill = ai_level(thought->level),
                   .view = thought->view,
                   .plan = &thought->plan,
                   .seat = thought->seat,
                   .seed = thought->whim};
    void *memory = aligned_alloc(64, (ai_bytes(thought->content) + 63) / 64 * 64);
    if (memory == NULL)
        return;
    Ai *ai = ai_init(thought->content, memory);
    thought->found = ai_begin(ai, &task);
    if (thought->found) {
        while (!ai_step(ai, SLICE_NODES) && !atomic_load(&thought->hurry))
            ;
        thought->answer = ai_answer(ai);
    }
    free(memory);
}

void robot_hurry(Server *server, const Table *table) {
    for (Thought *thought = server->thoughts; thought != NULL; thought = thought->next)
        if (table == NULL || thought->table == table)
            atomic_store(&thought->hurry, true);
}

static void forget(Thought *thought) {
    if (thought->before != NULL)
        thought->before->next = thought->next;
    else
        thought->server->thoughts = thought->next;
    if (thought->next != NULL)
        thought->next->before = thought->before;
    thought->server->thoughts_count--;
    free(thought->view);
    free(thought);
}

void robot_forget(Server *server) {
    while (server->thoughts != NULL) {
        Table *table = server->thoughts->table;
        forget(server->thoughts);
        table->thoughts--;
        table_free_if_idle(table);
    }
}

/* The crew or the store takes nothing now. */
static void try_later(Table *table) {
    table->robot_again_ms = house_now_ms(table->server) + AGAIN_MS;
    table_set_timer(table);
}

/* A thought is over: the robot does what came of it. */
static void thought_out(void *job) {
    Thought *thought = job;
    Table *table = thought->table;
    Chair *chair = &table->chairs[thought->seat];
    MashAction answer = thought->answer;
    bool found = thought->found;
    bool counts = found && !table->closed && table_plays(table) && !table_stands(table) &&
                  chair->number == thought->number;
    chair->thinking = false;
    chair->plan = thought->plan;
    table->thoughts--;
    table->server->figures.thoughts++;
    forget(thought);
    Refusal why = REFUSAL_COUNT;
    if (counts)
        table->robot_acted_ms = house_now_ms(table->server);
    bool acted = counts && play_act(table, answer, &why) == MASH_OK;
    if (counts && !acted && why == REFUSAL_COUNT)
        house_log(table->server, LOG_ERROR, "a robot at table %s chose what is not allowed",
                  table->code);
    if (counts && !acted && why != REFUSAL_COUNT)
        try_later(table);
    if (found && !counts && !table->closed)
        robot_look(table);
    table_free_if_idle(table);
}

/* A thought with its own copy of the view. */
static Thought *new_thought(Table *table, uint8_t seat) {
    const MashTerms *terms = &table->match.content->terms;
    size_t view_bytes = ((size_t)terms->state_bytes + 63) / 64 * 64;
    Thought *thought = calloc(1, sizeof *thought);
    if (thought == NULL)
        return NULL;
    thought->view = aligned_alloc(64, view_bytes);
    if (thought->view == NULL) {
        free(thought);
        return NULL;
    }
    memcpy(thought->view, play_view(table, seat), terms->state_bytes);
    thought->content = table->match.content;
    thought->seat = seat;
    thought->level = table->chairs[seat].robot;
    thought->plan = table->chairs[seat].plan;
    thought->server = table->server;
    thought->table = table;
    thought->number = table->chairs[seat].number;
    net_random(table->server->loop, &thought->whim, sizeof thought->whim);
    return thought;
}

/* A robot begins to think. */
static void think(Table *table, uint8_t seat) {
    Server *server = table->server;
    Thought *thought = new_thought(table, seat);
    if (thought == NULL)
        return;
    thought->next = server->thoughts;
    if (server->thoughts != NULL)
        server->thoughts->before = thought;
    server->thoughts = thought;
    server->thoughts_count++;
    if (!net_crew_take(server->crew, choose, thought_out, thought)) {
        forget(thought);
        try_later(table);
        return;
    }
    table->chairs[seat].thinking = true;
    table->thoughts++;
}

/* How long a robot still has to wait before it thinks of its next action, so that clients of the
 * standard who read slowly can follow. All waits of a turn lie in the first half of its time. */
static uint64_t pace_left(Table *table, uint8_t seat) {
    uint32_t pace_ms = table->server->setup.standard.pace_ms;
    uint64_t now_ms = house_now_ms(table->server), passed_ms = now_ms - table->robot_acted_ms;
    if (table->robot_acted_ms == 0 || passed_ms >= pace_ms || !talk_anybody(table))
        return 0;
    uint64_t wait_ms = pace_ms - passed_ms, half_ms = table->clock.limits.turn_ms / 2;
    int32_t left_ms = clock_turn_left(&table->clock, now_ms, seat);
    if (left_ms < 0)
        return wait_ms;
    uint64_t most_ms = (uint64_t)left_ms > half_ms ? (uint64_t)left_ms - half_ms : 0;
    return wait_ms < most_ms ? wait_ms : most_ms;
}

/* The robot thinks, now or when it may. */
static void think_in_time(Table *table, uint8_t seat) {
    uint64_t wait_ms = pace_left(table, seat);
    if (wait_ms == 0) {
        think(table, seat);
        return;
    }
    table->robot_again_ms = house_now_ms(table->server) + wait_ms;
    table_set_timer(table);
}

void robot_look(Table *table) {
    const MashContent *content = table->match.content;
    table->robot_again_ms = 0;
    if (!table_plays(table) || table_stands(table) || table->server->draining)
        return;
    if (table->chairs[0].robot == 0 && table->chairs[1].robot == 0)
        return;
    uint32_t awaited = content->game->awaited(content, table->match.state);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].robot > 0 && (awaited >> seat & 1) != 0 &&
            !table->chairs[seat].thinking)
            think_in_time(table, seat);
}
