/* tip.c -- mashup tip: what the AI would do in the position of a match file, and why. */
#include "ai/tip.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/match_files.h"

enum { WORD_BYTES = 256, LINE_BYTES = 512, JSON_BYTES = 8192, USUAL_LEVEL = 6 };

/* A position and what is asked about it. */
typedef struct TipRequest {
    const Match *match;
    const void *view; /* what the seat sees */
    uint8_t seat;
    uint64_t level, nodes, seed;
    bool json;
} TipRequest;

/* Appends the game's sentences of events, each with its frequency unless that is always or not
 * wanted (0). */
static void write_events(const TipRequest *question, const TipEvents *events, uint32_t samples,
                         MashText *text) {
    const MashContent *content = question->match->content;
    for (uint32_t i = 0; i < events->count; i++) {
        text_string(text, text->count == 0 ? "" : " ");
        if (events->samples[i] < samples)
            text_format(text, "%u out of %u times: ", events->samples[i], samples);
        content->game->say(content, NULL, question->view, &events->list[i], text);
    }
}

/* What the turn does and what may follow. */
static void write_reason(const TipRequest *question, const TipChoice *choice, MashText *text) {
    write_events(question, &choice->now, 0, text);
    if (text->count == 0)
        text_string(text, "No immediate effect.");
    if (choice->next.count > 0)
        text_string(text, " Hoping for:");
    write_events(question, &choice->next, 0, text);
}

/* How often the turn works, and the losses until the opponent has replied. */
static void write_risk(const TipRequest *question, const TipChoice *choice, MashText *text) {
    if (choice->opening) {
        text_string(text, "No risk yet.");
        return;
    }
    if (choice->works < choice->samples)
        text_format(text, "Works %u out of %u times.", choice->works, choice->samples);
    if (choice->lost > 0)
        text_format(text, "%sMay lose %d health before your next turn.",
                    text->count == 0 ? "" : " ", choice->lost);
    write_events(question, &choice->losses, choice->samples, text);
    if (text->count == 0)
        text_string(text, "No losses expected before your next turn.");
}

/* One piece of advice in words. */
typedef struct AdviceText {
    char action[WORD_BYTES], why[LINE_BYTES], risk[LINE_BYTES];
} AdviceText;

/* False: there is no advice. */
static bool say(const TipRequest *question, const TipChoice *choice, AdviceText *out) {
    MashText action = text_over(out->action, sizeof out->action);
    MashText why = text_over(out->why, sizeof out->why);
    MashText risk = text_over(out->risk, sizeof out->risk);
    if (choice->action.verb == MASH_VERB_NONE)
        return false;
    const MashContent *content = question->match->content;
    content->game->notation(content, question->match->state, choice->action, &action);
    write_reason(question, choice, &why);
    write_risk(question, choice, &risk);
    return true;
}

/* --- Text output ------------------------------------------------------------------------------ */

/* Prints one piece of advice as text. */
static void print_choice(const char *title, const AdviceText *said) {
    printf("%-8s %s\n%-8s %s\n%-8s %s\n", title, said->action, "  why", said->why, "  risk",
           said->risk);
}

/* --- JSON output ------------------------------------------------------------------------------ */

/* Writes one piece of advice as a member of an object; nothing if there is none. */
static void put_choice(JsonWriter *writer, const TipRequest *question, const char *key,
                       const TipChoice *choice) {
    AdviceText said;
    if (!say(question, choice, &said))
        return;
    json_put_key(writer, key);
    json_open(writer, '{');
    json_put_pair(writer, "action", said.action);
    json_put_pair(writer, "reason", said.why);
    json_put_pair(writer, "risk", said.risk);
    json_put_pair_int(writer, "futures", choice->samples);
    json_put_pair_int(writer, "works", choice->works);
    json_put_pair_int(writer, "dealt", choice->dealt);
    json_put_pair_int(writer, "lost", choice->lost);
    json_close(writer, '}');
}

/* Prints all advice as JSON. */
static void print_json(const TipRequest *question, const TipAdvice *advice) {
    static char bytes[JSON_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "game", question->match->content->game->id);
    json_put_pair_int(&writer, "at", question->match->actions_count);
    json_put_pair_int(&writer, "seat", question->seat);
    json_put_pair_int(&writer, "level", (int64_t)question->level);
    json_put_pair_int(&writer, "nodes", (int64_t)advice->nodes);
    json_put_pair_int(&writer, "value", advice->value);
    put_choice(&writer, question, "best", &advice->best);
    put_choice(&writer, question, "other", &advice->other);
    json_close(&writer, '}');
    puts(bytes);
}

/* --- The command ------------------------------------------------------------------------------ */

/* Searches the position as the seat sees it, and prints the advice. */
static void answer(TipRequest *question) {
    const MashContent *content = question->match->content;
    void *view = cli_memory(content->limits.state_bytes);
    void *memory = cli_memory(tip_bytes(content));
    Tip *tip = tip_init(content, memory);
    match_view(question->match, question->seat, view);
    question->view = view;
    TipTask task = {ai_level((uint32_t)question->level), view, question->seat,
                    (uint32_t)question->nodes, question->seed};
    if (tip_begin(tip, &task))
        while (!tip_step(tip, UINT32_MAX))
            ;
    const TipAdvice *advice = tip_advice(tip);
    if (question->json) {
        print_json(question, advice);
    } else {
        AdviceText said;
        if (say(question, &advice->best, &said))
            print_choice("best", &said);
        if (say(question, &advice->other, &said))
            print_choice("or", &said);
    }
    free(memory);
    free(view);
}

/* Goes to the position and searches it. An exit code. */
static int ask(const Arguments *given, TipRequest *question, Match *match) {
    if (!game_config_has_level(given->command, match->content->game, (uint32_t)question->level))
        return CLI_WRONG_USE;
    uint64_t at = flag_given(given, "at") ? flag_number(given, "at") : match->actions_count;
    if (!match_rewind(match, (uint32_t)at))
        return cli_wrong_use(given->command, "--at %llu: the match has only %u actions",
                             (unsigned long long)at, match->actions_count);
    uint32_t awaited = match->content->game->awaited(match->content, match->state);
    if (awaited == 0)
        return cli_wrong_use(given->command,
                             "the match is over; use --at N for an earlier position");
    question->match = match;
    question->seat = awaited == 2;
    answer(question);
    return CLI_FINE;
}

static const Flag flags[] = {FLAG_WHOLE("at", 0, UINT32_MAX, 0),
                             FLAG_WHOLE("level", 1, AI_LEVELS_MAX, USUAL_LEVEL),
                             FLAG_WHOLE("nodes", 1, UINT32_MAX, 0),
                             FLAG_WHOLE("seed", 0, UINT64_MAX, 1),
                             FLAG_SWITCH("json"),
                             FLAGS_END};

static int run(const Arguments *given) {
    static SavedMatch saved;
    TipRequest question = {.level = flag_number(given, "level"),
                           .nodes = flag_number(given, "nodes"),
                           .seed = flag_number(given, "seed"),
                           .json = flag_given(given, "json")};
    if (!saved_match_read(given->words[0], &saved))
        return CLI_WRONG_USE;
    int exit_code = ask(given, &question, &saved.match);
    saved_match_release(&saved);
    return exit_code;
}

const Command command_tip = {"tip",
                             "Suggests the next action, with reason and risk.",
                             "tip FILE [--at N] [--level N] [--nodes N] [--seed S] [--json]",
                             run,
                             flags,
                             1,
                             1,
                             NULL};
