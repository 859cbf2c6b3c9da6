/* tip.c -- mashup tip: what the AI would do in the position of a match file, and why. */
#include "ai/tip.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/match_files.h"

enum { WORD_BYTES = 256, LINE_BYTES = 512, JSON_BYTES = 8192, USUAL_LEVEL = 6 };

/* A position and what is asked about it. */
typedef struct Question {
    const Match *match;
    const void *view; /* what the seat sees */
    uint8_t seat;
    uint64_t level, nodes, seed;
    bool json;
} Question;

/* An action in words. */
static void write_word(const Question *question, MashAction action, MashText *text) {
    const MashContent *content = question->match->content;
    content->game->notation(content, question->match->state, action, text);
}

/* Appends the game's sentences of events, each with its frequency unless that is always or not
 * wanted (0). */
static void write_events(const Question *question, const TipEvents *events, uint32_t samples,
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
static void write_reason(const Question *question, const TipChoice *choice, MashText *text) {
    write_events(question, &choice->now, 0, text);
    if (text->count == 0)
        text_string(text, "No immediate effect.");
    if (choice->next.count > 0)
        text_string(text, " Next:");
    write_events(question, &choice->next, 0, text);
}

/* How often the turn works, and the losses until the opponent has replied. */
static void write_risk(const Question *question, const TipChoice *choice, MashText *text) {
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

/* --- Text output ------------------------------------------------------------------------------ */

/* Prints one piece of advice as text; nothing if there is none. */
static void print_choice(const Question *question, const char *title, const TipChoice *choice) {
    char bytes[WORD_BYTES], why[LINE_BYTES], risk[LINE_BYTES];
    MashText word = text_over(bytes, sizeof bytes), why_text = text_over(why, sizeof why);
    MashText risk_text = text_over(risk, sizeof risk);
    if (choice->action.verb == MASH_VERB_NONE)
        return;
    write_word(question, choice->action, &word);
    write_reason(question, choice, &why_text);
    write_risk(question, choice, &risk_text);
    printf("%-8s %s\n%-8s %s\n%-8s %s\n", title, bytes, "  why", why, "  risk", risk);
}

/* --- JSON output ------------------------------------------------------------------------------ */

/* Writes one piece of advice as a member of an object; nothing if there is none. */
static void put_choice(JsonWriter *writer, const Question *question, const char *key,
                       const TipChoice *choice) {
    char bytes[WORD_BYTES], why[LINE_BYTES], risk[LINE_BYTES];
    MashText word = text_over(bytes, sizeof bytes), why_text = text_over(why, sizeof why);
    MashText risk_text = text_over(risk, sizeof risk);
    if (choice->action.verb == MASH_VERB_NONE)
        return;
    write_word(question, choice->action, &word);
    write_reason(question, choice, &why_text);
    write_risk(question, choice, &risk_text);
    json_put_key(writer, key);
    json_open(writer, '{');
    json_put_pair(writer, "action", bytes);
    json_put_pair(writer, "reason", why);
    json_put_pair(writer, "risk", risk);
    json_put_pair_int(writer, "futures", choice->samples);
    json_put_pair_int(writer, "works", choice->works);
    json_put_pair_int(writer, "dealt", choice->dealt);
    json_put_pair_int(writer, "lost", choice->lost);
    json_close(writer, '}');
}

/* Prints all advice as JSON. */
static void print_json(const Question *question, const TipAdvice *advice) {
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
static void answer(Question *question) {
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
        print_choice(question, "best", &advice->best);
        print_choice(question, "or", &advice->other);
    }
    free(memory);
    free(view);
}

/* Goes to the position and searches it. An exit code. */
static int ask(const Command *self, Question *question, Match *match, const Flag *at_flag) {
    uint64_t at;
    if (!flag_whole(self, at_flag, 0, UINT32_MAX, match->actions_count, &at))
        return CLI_WRONG_USE;
    if (!match_rewind(match, (uint32_t)at))
        return cli_wrong_use(self, "--at %llu: the match has only %u actions",
                             (unsigned long long)at, match->actions_count);
    uint32_t awaited = match->content->game->awaited(match->content, match->state);
    if (awaited == 0)
        return cli_wrong_use(self, "the match is over; use --at N for an earlier position");
    question->match = match;
    question->seat = awaited == 2;
    answer(question);
    return CLI_FINE;
}

enum { FLAG_AT, FLAG_LEVEL, FLAG_NODES, FLAG_SEED, FLAG_JSON, FLAGS };

static int run(const Command *self, int count, char **words) {
    Flag flags[FLAGS] = {[FLAG_AT] = {.name = "at", .max = 1},
                         [FLAG_LEVEL] = {.name = "level", .max = 1},
                         [FLAG_NODES] = {.name = "nodes", .max = 1},
                         [FLAG_SEED] = {.name = "seed", .max = 1},
                         [FLAG_JSON] = {.name = "json"}};
    static Positional plain;
    static SavedMatch saved;
    Question question = {.json = false};
    ParseResult read = arguments_read(self, count, words, flags, FLAGS, &plain, 1, 1);
    if (!read.ok)
        return read.exit_code;
    if (!flag_whole(self, &flags[FLAG_LEVEL], 1, AI_LEVELS, USUAL_LEVEL, &question.level) ||
        !flag_whole(self, &flags[FLAG_NODES], 1, UINT32_MAX, 0, &question.nodes) ||
        !flag_whole(self, &flags[FLAG_SEED], 0, UINT64_MAX, 1, &question.seed) ||
        !saved_match_read(plain.words[0], &saved))
        return CLI_WRONG_USE;
    question.json = flags[FLAG_JSON].count > 0;
    int exit_code = ask(self, &question, &saved.match, &flags[FLAG_AT]);
    saved_match_release(&saved);
    return exit_code;
}

const Command command_tip = {"tip", "Suggests the next action, with reason and risk.",
                             "tip FILE [--at N] [--level N] [--nodes N] [--seed S] [--json]", run,
                             NULL};
