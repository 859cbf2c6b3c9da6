/* local_match.c -- see local_match.h. */
#include "cli/terminal/local_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/cli.h"
#include "cli/match_files.h"
#include "cli/terminal/screen.h"

enum { NEWS_MOST = 16, NEWS_LOW = 8 }; /* lines of news at a time; on a low screen */

static const char person_name[] = "person";

/* --- Beginning and ending --------------------------------------------------------------------- */

/* Creates view, match log, picture and choices for the content of the match. */
static void set_table(LocalMatch *local) {
    const MashContent *content = local->config.content;
    local->view = cli_memory(content->limits.state_bytes);
    match_log_init(&local->log, content);
    picture_init(&local->picture, &local->terminal, content);
    action_menu_init(&local->choices, content);
}

bool local_match_begin(LocalMatch *local, const GameConfig *config, MashSeed seed) {
    local->config = *config;
    local->memory = cli_memory(match_bytes(config->content));
    MashSetup setup = {.options = config->options, .options_count = config->game->options_count};
    MashStatus status = match_begin(&local->match, config->content, seed, &setup, local->memory);
    set_table(local);
    if (status != MASH_OK)
        fprintf(stderr, "mashup: %s\n", mash_status_sentence(status));
    return status == MASH_OK;
}

void local_match_release(LocalMatch *local) {
    match_log_release(&local->log);
    picture_release(&local->picture);
    action_menu_release(&local->choices);
    free(local->view);
    free(local->ai);
    free(local->memory);
    free(local->config.content);
    *local = (LocalMatch){.terminal = local->terminal};
}

bool local_match_load(LocalMatch *local, const char *path) {
    SavedMatch saved;
    if (!saved_match_read(path, &saved))
        return false;
    Terminal terminal = local->terminal;
    if (local->view != NULL)
        local_match_release(local);
    *local = (LocalMatch){.terminal = terminal,
                          .loaded = true,
                          .config = saved.config,
                          .memory = saved.memory,
                          .match = saved.match};
    set_table(local);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        local->programs[seat] = ai_skill_find(saved.file.players[seat]);
    if (local->programs[0] != NULL && local->programs[1] != NULL)
        local->programs[0] = NULL;
    local->seat = local->programs[0] != NULL ? 1 : 0;
    match_log_rebuild(&local->log, &local->match);
    local->saved = local->match.actions_count;
    local->shown[0] = local->shown[1] = local->saved > 0 ? local->saved - 1 : 0;
    snprintf(local->file, sizeof local->file, "%s", path);
    return true;
}

bool local_match_save(LocalMatch *local, const char *path) {
    const char *players[MASH_SEATS];
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        players[seat] = local->programs[seat] ? local->programs[seat]->id : person_name;
    if (!saved_match_write(path, &local->match, &local->config, players))
        return false;
    if (path != local->file)
        snprintf(local->file, sizeof local->file, "%s", path);
    local->saved = local->match.actions_count;
    return true;
}

/* --- Acting ----------------------------------------------------------------------------------- */

MashStatus local_match_act(LocalMatch *local, MashAction action) {
    MashStatus status = match_apply(&local->match, action);
    if (status == MASH_OK)
        match_log_add_last(&local->log, &local->match);
    return status;
}

/* The awaited seats, one bit each. */
static uint32_t awaited(const LocalMatch *local) {
    return local->match.content->game->awaited(local->match.content, local->match.state);
}

/* Does the game allow the seat this verb now? */
static bool may(const LocalMatch *local, uint8_t seat, uint8_t verb) {
    MashAction action = {.verb = verb, .seat = seat};
    const MashContent *content = local->match.content;
    return content->game->check(content, local->match.state, action) == MASH_OK;
}

bool local_match_offered(const LocalMatch *local, uint8_t seat) {
    return may(local, seat, MASH_VERB_DRAW_ACCEPT);
}

/* A legal action, chosen by the seed and the number of the action, so that it is the same after
 * undo. */
static MashAction random_action(LocalMatch *local, uint8_t seat) {
    const Match *match = &local->match;
    uint64_t number = hash_number(match->seed.words[0], match->seed.words[1]);
    MashChance chance = chance_sampled(hash_number(number, match->actions_count));
    MashAction *list = local->choices.list;
    uint32_t count = match->content->game->actions(match->content, match->state, seat, list);
    assert(count > 0);
    return list[chance_below(&chance, count)];
}

/* The action that an AI player chooses from its own view; the same after undo. */
static MashAction ai_action(LocalMatch *local, uint8_t seat) {
    const Match *match = &local->match;
    Ai *ai = local->ai;
    if (ai == NULL)
        ai = local->ai = ai_init(match->content, cli_memory(ai_bytes(match->content)));
    uint64_t number = hash_number(match->seed.words[0], match->seed.words[1]);
    match_view(match, seat, local->log.view);
    AiTask task = {.skill = local->programs[seat],
                   .view = local->log.view,
                   .plan = &local->plans[seat],
                   .seat = seat,
                   .seed = hash_number(number, match->actions_count)};
    bool begun = ai_begin(ai, &task);
    assert(begun);
    while (!ai_step(ai, UINT32_MAX))
        continue;
    return ai_answer(ai);
}

/* The next action of the AI player of a seat. */
static MashAction program_action(LocalMatch *local, uint8_t seat) {
    bool thinks = local->programs[seat]->mode != AI_RANDOM;
    return thinks ? ai_action(local, seat) : random_action(local, seat);
}

bool local_match_has_program(const LocalMatch *local) {
    return local->programs[0] != NULL || local->programs[1] != NULL;
}

void local_match_programs(LocalMatch *local) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        if (local->programs[seat] == NULL)
            continue;
        if (local_match_offered(local, seat))
            local_match_act(local, (MashAction){.verb = MASH_VERB_DRAW_DECLINE, .seat = seat});
        while (awaited(local) == 1u << seat &&
               local_match_act(local, program_action(local, seat)) == MASH_OK)
            continue;
    }
}

/* How many actions remain after undoing the last decision; against an AI that is the person's, with
 * everything after it. */
static uint32_t before_last_decision(const LocalMatch *local, uint32_t count) {
    if (!local_match_has_program(local))
        return count - 1;
    for (uint32_t i = count; i > 0; i--) {
        uint8_t seat = local->match.actions[i - 1].seat;
        if (seat < MASH_SEATS && local->programs[seat] == NULL)
            return i - 1;
    }
    return count;
}

uint32_t local_match_undo(LocalMatch *local, uint32_t count) {
    uint32_t old = local->match.actions_count, left = old;
    for (uint32_t i = 0; i < count && left > 0; i++) {
        uint32_t before = before_last_decision(local, left);
        if (before == left)
            break;
        left = before;
    }
    match_rewind(&local->match, left);
    match_log_rebuild(&local->log, &local->match);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        local->shown[seat] = local->shown[seat] < left ? local->shown[seat] : left;
    if (local->saved > left)
        local->saved = UINT32_MAX;
    return old - left;
}

bool local_match_secret(const LocalMatch *local) {
    if (local_match_has_program(local))
        return false;
    return match_view(&local->match, 0, local->log.view) ||
           match_view(&local->match, 1, local->log.view);
}

uint8_t local_match_next(const LocalMatch *local) {
    uint32_t waits = awaited(local);
    uint8_t seat = local->seat, other = (uint8_t)(1 - seat);
    bool other_decides = !(waits >> seat & 1) && waits >> other & 1;
    return other_decides && local->programs[other] == NULL ? other : seat;
}

/* --- The screen ------------------------------------------------------------------------------- */

void local_match_look(LocalMatch *local) {
    if (match_result(&local->match).over)
        memcpy(local->view, local->match.state, local->match.content->limits.state_bytes);
    else
        match_view(&local->match, local->seat, local->view);
    terminal_measure(&local->terminal);
    picture_take(&local->picture, local->view);
    action_menu_list(&local->choices, local->view, local->seat);
}

/* Has something happened that was not shown to the reader yet? */
static bool has_news(const LocalMatch *local) {
    return match_log_count(&local->log, local->seat, local->shown[local->seat] + 1,
                           local->match.actions_count) > 0;
}

uint32_t local_match_print_log(LocalMatch *local) {
    uint32_t *shown = &local->shown[local->seat];
    uint32_t count = local->match.actions_count;
    uint32_t lines = match_log_count(&local->log, local->seat, *shown + 1, count);
    uint32_t most = terminal_is_low(&local->terminal) ? NEWS_LOW : NEWS_MOST;
    uint32_t skipped = lines > most ? lines - most : 0;
    if (skipped > 0)
        printf("  (%u lines; type log to see earlier ones)\n", lines);
    match_log_print(&local->log, local->seat, *shown + 1, count, skipped, "  ");
    *shown = count;
    if (!local_match_secret(local))
        local->shown[0] = local->shown[1] = count;
    return lines;
}

/* On a low screen the news are printed next to the prompt, where they are seen. */
void local_match_draw(LocalMatch *local) {
    putchar('\n');
    local_match_look(local);
    bool low = terminal_is_low(&local->terminal);
    if (!low && local_match_print_log(local) > 0)
        putchar('\n');
    screen_draw(&local->choices, &local->picture);
    if (low && has_news(local)) {
        putchar('\n');
        local_match_print_log(local);
    }
    if (local->choices.all_count > 0)
        putchar('\n');
    action_menu_print(&local->choices, &local->picture);
}

void local_match_draw_menu(LocalMatch *local) {
    screen_draw_menu(&local->choices, &local->picture, local->view);
}
