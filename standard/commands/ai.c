/* ai.c -- see ai.h. */
#include "standard/commands/ai.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standard/client.h"

/* The state of a run. */
typedef struct StandardAi {
    MashAction *list; /* of legal actions, for this content */
    const MashContent *list_for;
    MashChance chance;
} StandardAi;

/* Lists what we may do now; how many. The list is as long as the content needs. */
static uint32_t list_actions(StandardAi *own, const ClientPosition *position) {
    const MashContent *content = position->content;
    if (own->list_for != content) {
        free(own->list);
        own->list = cli_memory(content->limits.actions_max * sizeof *own->list);
        own->list_for = content;
    }
    return content->game->actions(content, position->state, position->you, own->list);
}

/* The best action that is not doubtful, looking one action ahead: one that continues the turn and
 * makes nothing worse, otherwise one that ends it. */
static MashAction safest(AiRun *run, const ClientPosition *position, MashAction wanted) {
    StandardAi *own = run->own;
    const MashContent *content = position->content;
    const MashEvaluator *evaluator = content->game->evaluator;
    if (evaluator == NULL || evaluator->turn_number == NULL)
        return wanted;
    void *after = cli_memory(content->limits.state_bytes);
    uint32_t count = list_actions(own, position);
    uint32_t turn = evaluator->turn_number(content, position->state);
    int32_t most = evaluator->evaluate(content, position->state, position->you);
    bool goes_on = false;
    for (uint32_t i = 0; i < count; i++) {
        MashAction action = own->list[i];
        if (standard_risky(run->client, action))
            continue;
        memcpy(after, position->state, content->limits.state_bytes);
        if (mash_apply(content, after, action, &own->chance, NULL) != MASH_OK)
            continue;
        bool passes = evaluator->turn_number(content, after) != turn;
        int32_t value = evaluator->evaluate(content, after, position->you);
        if (passes ? !goes_on : value >= most) {
            wanted = action;
            goes_on |= !passes;
            most = passes ? most : value;
        }
    }
    free(after);
    return wanted;
}

/* The action found by the search, or the safest if that is doubtful. */
static MashAction choose(AiRun *run, const ClientPosition *position, MashAction action) {
    return standard_risky(run->client, action) ? safest(run, position, action) : action;
}

/* Ends the turn. */
static void pass(AiRun *run) { standard_ask(run->client, "EndRoundRequest"); }

/* A refused choice is repeated at random; a turn that has lasted too long is ended. */
static bool decide(AiRun *run, const ClientPosition *position) {
    StandardAi *own = run->own;
    uint64_t lasted_ms = net_now_ms(run->loop) - position->turn_began_ms;
    if (standard_phase(run->client) == STANDARD_DRAFTING) {
        if (standard_table(run->client)->rejected == 0)
            return false;
        uint32_t count = list_actions(own, position);
        standard_act(run->client, own->list[chance_below(&own->chance, count)]);
        ai_consider(run);
        return true;
    }
    bool late =
        position->turn_ms > 0 && lasted_ms > position->turn_ms * (AI_PART_OF_TURN + 20) / 100;
    if (late)
        pass(run);
    return late;
}

/* The position is new, or whether we may act. */
static void on_position(void *owner) { ai_consider(owner); }

/* A sentence about the match, as far as it is known. */
static void report(const AiRun *run, const char *why) {
    const StandardClientTable *table = standard_table(run->client);
    const char *result = !table->decided               ? "over"
                         : table->winner >= MASH_SEATS ? "decided"
                         : table->you >= MASH_SEATS    ? "watched"
                         : table->winner == table->you ? "won"
                                                       : "lost";
    if (table->finished)
        printf("%s, %u requests, %u refused, %u connections lost", result, table->requests,
               table->refusals, table->losses);
    if (table->finished && !table->decided)
        printf(": %s", why);
    if (table->finished)
        putchar('\n');
    else
        fprintf(stderr, "mashup ai: %s\n", why);
}

/* The phase has changed: discards old search results, reports the end. */
static void on_phase(void *owner, StandardPhase phase, const char *why) {
    AiRun *run = owner;
    StandardAi *own = run->own;
    if (phase == STANDARD_DRAFTING || phase == STANDARD_PLAYING) {
        thinker_forget(run->thinker);
        own->list_for = NULL;
    }
    if (phase != STANDARD_CLOSED)
        return;
    thinker_stop(run->thinker);
    report(run, why);
    run->exit_code = standard_table(run->client)->finished ? CLI_FINE : CLI_CHECK_FAILED;
    net_loop_stop(run->loop);
}

/* Leaves the match. */
static void leave(AiRun *run) { standard_ask(run->client, "DisconnectRequest"); }

static bool open_client(AiRun *run, MashText *problem) {
    const AiRunConfig *config = run->config;
    StandardAi *own = run->own = cli_memory(sizeof *own);
    uint64_t seed;
    net_random(run->loop, &seed, sizeof seed);
    *own = (StandardAi){.chance = chance_sampled(seed)};
    StandardSetup setup = {.url = config->url,
                           .name = config->name,
                           .device = config->device,
                           .role = config->role,
                           .game = config->game,
                           .reconnect_ms = config->reconnect_ms,
                           .pace_ms = config->pace_ms,
                           .careful = true,
                           .calls = {on_phase, on_position, NULL},
                           .owner = run};
    run->client = standard_client_open(run->loop, &setup, problem);
    return run->client != NULL;
}

static void release(AiRun *run) {
    StandardAi *own = run->own;
    if (own != NULL)
        free(own->list);
    free(own);
}

const AiProtocol standard_ai = {.client = &standard_client,
                                .one_match = true,
                                .open = open_client,
                                .release = release,
                                .leave = leave,
                                .decide = decide,
                                .choose = choose,
                                .pass = pass};
