/* player.c -- a built-in player as a program: reads lines as `mashup league` and `mashup bot
 * --exec` send them and answers each position by one line. tools/yardstick compiles this file with
 * the sources of an older release, so that today's players can be measured against that one.
 *
 *     bench_player [SKILL [nodes N | ms N]]
 *
 * SKILL is one of ai/ (usually level8); the search takes the nodes of its level, or N nodes, or N
 * milliseconds of CPU time. Ties and drafts are drawn anew for every second match, so that a league
 * has variety and the two matches of a pair the same luck; the same league gives the same answers.
 * What this needs of the sources is old: the Ai, the simulator and the reading of JSON. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "proto/action.h"
#include "sim/internal.h"

enum { SLICE_NODES = 64 };

/* What was asked for, and the match. */
typedef struct ProgramPlayer {
    const AiSkill *skill;
    uint32_t nodes;    /* 0: as many as the level has */
    uint64_t limit_us; /* 0: limited by nodes */
    MashSim *sim;
    Ai *ai;
    AiPlan plan;
    uint8_t seat;
    uint32_t matches;     /* begun so far */
    JsonNode *json_nodes; /* as many as a line can have */
    size_t json_nodes_max;
} ProgramPlayer;

/* Ends the program: whoever asked sees that it has. */
static void fail(const char *why) {
    fprintf(stderr, "bench_player: %s\n", why);
    exit(1);
}

/* CPU time so far, in microseconds. */
static uint64_t cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* A match begins: its content, and memory to think in. */
static void begin(ProgramPlayer *player, const Json *json, const char *line) {
    MashProblem kept;
    MashProblems problems = {.list = &kept, .max = 1};
    int32_t seat;
    free(player->ai);
    mash_sim_drop(player->sim);
    player->sim = mash_sim_begin(line, 1);
    if (player->sim == NULL)
        fail(mash_sim_error());
    if (!json_int_at(json, 0, "you", 0, MASH_SEATS - 1, &seat, &problems))
        fail("a table without `you`");
    const MashContent *content = player->sim->shared->content;
    void *memory = sim_memory(ai_bytes(content));
    if (memory == NULL)
        fail("out of memory");
    player->ai = ai_init(content, memory);
    player->plan = (AiPlan){.count = 0};
    player->seat = (uint8_t)seat;
    player->matches++;
}

/* Puts what the seat sees into the sim. */
static void load(ProgramPlayer *player, const Json *json) {
    uint32_t node = json_member(json, 0, "view");
    if (player->sim == NULL || node == JSON_NONE)
        fail("a position without a table, or without `view`");
    const JsonNode *text = &json->nodes[node];
    uint32_t digits = text->end - text->start - 2;
    void *view = sim_memory(digits);
    if (view == NULL)
        fail("out of memory");
    int64_t count = base64_decode(json->bytes + text->start + 1, digits, view, digits / 4 * 3);
    if (count < 0 || mash_sim_load(player->sim, player->seat, view, (uint32_t)count) != 0)
        fail("the release that this is has other positions of this game");
    free(view);
}

/* Thinks about the position that was loaded, and answers. */
static void choose(ProgramPlayer *player) {
    char word[PROTO_NOTATION_MAX + 1];
    MashText text = text_over(word, sizeof word);
    const MashContent *content = player->sim->shared->content;
    uint64_t pair = (player->matches + 1) / 2;
    uint64_t seed = hash_bytes(pair, player->sim->state, content->limits.state_bytes);
    AiTask task = {.skill = player->skill,
                   .view = player->sim->state,
                   .plan = &player->plan,
                   .seat = player->seat,
                   .nodes = player->limit_us > 0 ? UINT32_MAX : player->nodes,
                   .seed = seed};
    uint64_t began_us = cpu_us();
    if (!ai_begin(player->ai, &task))
        fail("a position in which nothing can be chosen");
    while (!ai_step(player->ai, SLICE_NODES))
        if (player->limit_us > 0 && cpu_us() - began_us >= player->limit_us)
            break;
    content->game->notation(content, player->sim->state, ai_answer(player->ai), &text);
    puts(word);
    fflush(stdout);
}

/* One line. */
static void read_line(ProgramPlayer *player, const char *line, size_t count) {
    MashProblem kept;
    MashProblems problems = {.list = &kept, .max = 1};
    Json json;
    if (count / 2 + 1 > player->json_nodes_max) {
        player->json_nodes_max = count;
        free(player->json_nodes);
        player->json_nodes = malloc(count * sizeof *player->json_nodes);
    }
    if (player->json_nodes == NULL)
        fail("out of memory");
    if (!json_read(&json, "line", line, (uint32_t)count, player->json_nodes,
                   (uint32_t)player->json_nodes_max, &problems))
        fail("a line that is not JSON");
    uint32_t type = json_member(&json, 0, "type");
    if (type != JSON_NONE && json_equals(&json, type, "table"))
        begin(player, &json, line);
    if (json_member(&json, 0, "actions") == JSON_NONE)
        return;
    load(player, &json);
    choose(player);
}

/* Reads the command line. False: it is wrong. */
static bool read_words(ProgramPlayer *player, int count, char **words) {
    player->skill = ai_skill_find(count > 1 ? words[1] : "level8");
    if (player->skill == NULL || count == 3 || count > 4)
        return false;
    if (count < 4)
        return true;
    uint64_t number = strtoull(words[3], NULL, 10);
    bool ms = strcmp(words[2], "ms") == 0;
    player->nodes = ms ? 0 : (uint32_t)number;
    player->limit_us = ms ? 1000 * number : 0;
    return number > 0 && number <= UINT32_MAX && (ms || strcmp(words[2], "nodes") == 0);
}

int main(int count, char **words) {
    ProgramPlayer player = {.nodes = 0};
    char *line = NULL;
    size_t max = 0;
    ssize_t bytes;
    if (!read_words(&player, count, words)) {
        fprintf(stderr, "usage: bench_player [SKILL [nodes N | ms N]]\n");
        return 2;
    }
    while ((bytes = getline(&line, &max, stdin)) > 0)
        read_line(&player, line, (size_t)bytes);
    free(line);
    free(player.ai);
    free(player.json_nodes);
    mash_sim_drop(player.sim);
    return 0;
}
