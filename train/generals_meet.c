/* generals_meet.c -- pairs of matches between two that have learned, or against one bound to a way
 * of playing. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ai/internal.h"
#include "base/hash.h"
#include "games/generals/policy.h"
#include "tests/support/support.h"
#include "train/generals.h"

static const char *const ways[WAYS] = {"free", "rusher", "turtle", "mirror"};

bool train_way(const char *name, Way *way) {
    for (int i = 0; i < WAYS; i++)
        if (strcmp(name, ways[i]) == 0) {
            *way = (Way)i;
            return true;
        }
    return false;
}

/* A challenger's or defender's memory. */
typedef struct MeetPlayer {
    const MashContent *content;
    Ai *ai;
    void *memory;
    AiPlan plan;
    GeneralsMemory habits;
    GeneralsState view;
} MeetPlayer;

/* May the challenger do this? `last` is what the enemy did before, verb 0: nothing yet. */
static bool allowed(Way way, const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                    MashAction action, MashAction last) {
    const GeneralsArmy *army = &body->army[seat];
    int to = action.y * body->width + action.x, from = state->pieces[action.unit].cell;
    bool moves = action.verb == VERB_MOVE, fights = moves && state->cells[to] != 0;
    if (way == WAY_FREE || (!moves && way != WAY_MIRROR))
        return true;
    int nearer = abs(body->y[from] - army->far_row) - abs(action.y - army->far_row);
    if (way == WAY_RUSHER)
        return fights || nearer > 0;
    if (way == WAY_TURTLE)
        return fights || (to >= army->zone_first && to < army->zone_first + army->zone_cells);
    return moves && last.verb == VERB_MOVE && action.x == last.x &&
           action.y == body->height - 1 - last.y;
}

/* Leaves the search nothing but these actions. */
static void restrict_search(MeetPlayer *thinker, uint8_t seat, const MashAction *list,
                            uint32_t count) {
    Determinized *search = &thinker->ai->determinized;
    static _Thread_local int32_t priorities[LIST_MAX];
    thinker->content->game->evaluator->priorities(thinker->content, &thinker->view, seat, list,
                                                  count, priorities);
    search->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = search->count < CANDIDATES_MAX ? search->count++ : CANDIDATES_MAX;
        if (at == CANDIDATES_MAX && search->list[--at].priority >= priorities[i])
            continue;
        for (; at > 0 && search->list[at - 1].priority < priorities[i]; at--)
            search->list[at] = search->list[at - 1];
        search->list[at] = (Candidate){.action = list[i], .priority = priorities[i]};
    }
    thinker->ai->answer.actions[0] = search->list[0].action;
}

/* The thinker's action. */
static MashAction decide(const Meeting *meeting, MeetPlayer *thinker, const GeneralsState *state,
                         Way way, MashAction last, uint64_t seed) {
    const GeneralsContent *body = generals_content(thinker->content);
    const MashGame *game = thinker->content->game;
    static _Thread_local MashAction all[LIST_MAX], fitting[LIST_MAX];
    uint8_t seat = state->mover;
    uint32_t count = 0;
    thinker->view = *state;
    game->hide(thinker->content, &thinker->view, seat);
    uint32_t listed = game->actions(thinker->content, &thinker->view, seat, all);
    for (uint32_t i = 0; i < listed; i++)
        if (allowed(way, body, &thinker->view, seat, all[i], last))
            fitting[count++] = all[i];
    const MashAction *list = count > 0 ? fitting : all;
    count = count > 0 ? count : listed;
    if (meeting->nodes == 0) {
        MashChance chance = chance_sampled(seed);
        memset(&thinker->habits, 0, sizeof thinker->habits);
        return list[generals_habit(thinker->content, &thinker->view, seat, list, count, &chance,
                                   &thinker->habits)];
    }
    AiTask task = {ai_level(AI_LEVELS), &thinker->view, &thinker->plan, seat,
                   meeting->nodes,      seed,           false};
    if (!ai_begin(thinker->ai, &task))
        abort();
    if (count < listed)
        restrict_search(thinker, seat, list, count);
    while (!ai_step(thinker->ai, UINT32_MAX))
        ;
    return ai_answer(thinker->ai);
}

/* Half points of the challenger in a match. */
static uint32_t meet_once(const Meeting *meeting, MeetPlayer thinkers[2], uint32_t pair,
                          uint8_t challenger) {
    const MashContent *content = meeting->contents[0];
    uint64_t seed = hash_number(meeting->seed, pair);
    MashChance chance = chance_sampled(seed);
    MashSetup setup = {.options_count = 0};
    MashAction last = {.verb = 0};
    GeneralsState state;
    if (content->game->setup(content, &setup, &chance, &state) != MASH_OK)
        abort();
    for (uint8_t seat = 0; seat < 2; seat++) {
        MeetPlayer *thinker = &thinkers[seat != challenger];
        MashAction action;
        while ((action = content->game->evaluator->opening(thinker->content, &state, seat, &chance))
                   .verb != VERB_READY)
            content->game->apply_listed(content, &state, action, &chance, NULL);
        content->game->apply_listed(content, &state, action, &chance, NULL);
        thinker->plan = (AiPlan){.count = 0};
    }
    for (uint32_t turn = 0; !state.common.over; turn++) {
        bool challenges = state.mover == challenger;
        MashAction action =
            decide(meeting, &thinkers[!challenges], &state, challenges ? meeting->way : WAY_FREE,
                   last, hash_number(seed, turn));
        last = action;
        content->game->apply_listed(content, &state, action, &chance, NULL);
    }
    return state.common.winner == MASH_SEAT_NONE ? 1 : state.common.winner == challenger ? 2 : 0;
}

static void *meet_job(void *argument) {
    Meeting *meeting = argument;
    MeetPlayer *thinkers = train_memory(2 * sizeof *thinkers);
    for (int i = 0; i < 2; i++) {
        thinkers[i].content = meeting->contents[i];
        thinkers[i].memory = train_memory(ai_bytes(meeting->contents[i]));
        thinkers[i].ai = ai_init(meeting->contents[i], thinkers[i].memory);
    }
    for (;;) {
        pthread_mutex_lock(&meeting->lock);
        uint32_t pair = meeting->next++;
        pthread_mutex_unlock(&meeting->lock);
        if (pair >= meeting->pairs)
            return NULL;
        uint32_t got[2];
        for (uint8_t seat = 0; seat < 2; seat++)
            got[seat] = meet_once(meeting, thinkers, pair, seat);
        double score = (got[0] + got[1]) / 4.0;
        pthread_mutex_lock(&meeting->lock);
        for (int i = 0; i < 2; i++)
            got[i] == 2 ? meeting->won++ : got[i] == 1 ? meeting->drawn++ : meeting->lost++;
        meeting->squares += score * score;
        pthread_mutex_unlock(&meeting->lock);
    }
}

/* Reads what a player has learned. */
static void read_learned(const char *path, GeneralsLearned *learned) {
    static Weights weights;
    weights_load(&weights, path);
    weights_round_off(&weights, learned);
    if (strcmp(path, "shipped") == 0)
        *learned = generals_learned;
}

/* Takes one part of what was learned. False: there is none with this name. */
static bool take_part(const char *part, const GeneralsLearned *from, GeneralsLearned *to) {
    if (strcmp(part, "belief") == 0)
        memcpy(to->belief, from->belief, sizeof to->belief);
    else if (strcmp(part, "policy") == 0)
        memcpy(to->act, from->act, sizeof to->act);
    else if (strcmp(part, "set-up") == 0)
        memcpy(to->set, from->set, sizeof to->set);
    else if (strcmp(part, "value") == 0)
        memcpy(to->value, from->value, sizeof to->value);
    else
        return false;
    return true;
}

int train_meet(Meeting *meeting, const char *challenger, const char *defender) {
    pthread_t threads[JOBS_MAX];
    const MashGame *game = mash_game_find("generals");
    const char *paths[] = {challenger, defender};
    for (int i = 0; i < 2; i++) {
        MashContent *content = support_content(game, NULL);
        read_learned(paths[i], &meeting->learned[i]);
        ((GeneralsContent *)(void *)content->body)->learned = &meeting->learned[i];
        meeting->contents[i] = content;
    }
    if (meeting->part != NULL) {
        GeneralsLearned mixed = meeting->learned[1];
        if (!take_part(meeting->part, &meeting->learned[0], &mixed)) {
            fprintf(stderr, "train-generals: %s: there is no such part\n", meeting->part);
            return 2;
        }
        meeting->learned[0] = mixed;
    }
    pthread_mutex_init(&meeting->lock, NULL);
    for (uint32_t i = 0; i < meeting->jobs; i++)
        pthread_create(&threads[i], NULL, meet_job, meeting);
    for (uint32_t i = 0; i < meeting->jobs; i++)
        pthread_join(threads[i], NULL);
    double count = meeting->pairs, matches = 2 * count;
    double mean = (meeting->won + meeting->drawn / 2) / matches;
    double variance = count > 1 ? (meeting->squares - count * mean * mean) / (count - 1) : 0;
    double spread = 1.96 * sqrt(variance / count);
    printf("%s%s%s (%s) against %s, %u nodes, %u pairs, seed %llu: %.0f/%.0f/%.0f, %.1f %% "
           "(%.1f..%.1f)\n",
           challenger, meeting->part != NULL ? ", only its " : "",
           meeting->part != NULL ? meeting->part : "", ways[meeting->way], defender, meeting->nodes,
           meeting->pairs, (unsigned long long)meeting->seed, meeting->won, meeting->drawn,
           meeting->lost, 100 * mean, 100 * (mean - spread), 100 * (mean + spread));
    return 0;
}
