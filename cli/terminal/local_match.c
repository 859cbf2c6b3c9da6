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

/* Creates view, match log, picture and choices for the content of the session. */
static void set_table(LocalMatch *session) {
    const MashContent *content = session->setting.content;
    session->view = cli_memory(content->limits.state_bytes);
    match_log_init(&session->log, content);
    picture_init(&session->picture, &session->terminal, content);
    action_menu_init(&session->choices, content);
}

bool local_match_begin(LocalMatch *session, const GameConfig *setting, MashSeed seed) {
    session->setting = *setting;
    session->memory = cli_memory(match_bytes(setting->content));
    MashSetup setup = {.options = setting->options, .options_count = setting->game->options_count};
    MashStatus status =
        match_begin(&session->match, setting->content, seed, &setup, session->memory);
    set_table(session);
    if (status != MASH_OK)
        fprintf(stderr, "mashup: %s\n", mash_status_sentence(status));
    return status == MASH_OK;
}

void local_match_release(LocalMatch *session) {
    match_log_release(&session->log);
    picture_release(&session->picture);
    action_menu_release(&session->choices);
    free(session->view);
    free(session->ai);
    free(session->memory);
    free(session->setting.content);
    *session = (LocalMatch){.terminal = session->terminal};
}

bool local_match_load(LocalMatch *session, const char *path) {
    SavedMatch saved;
    if (!saved_match_read(path, &saved))
        return false;
    Terminal terminal = session->terminal;
    if (session->view != NULL)
        local_match_release(session);
    *session = (LocalMatch){.terminal = terminal,
                            .loaded = true,
                            .setting = saved.setting,
                            .memory = saved.memory,
                            .match = saved.match};
    set_table(session);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        session->programs[seat] = ai_skill_find(saved.file.players[seat]);
    if (session->programs[0] != NULL && session->programs[1] != NULL)
        session->programs[0] = NULL;
    session->seat = session->programs[0] != NULL ? 1 : 0;
    match_log_rebuild(&session->log, &session->match);
    session->saved = session->match.actions_count;
    session->shown[0] = session->shown[1] = session->saved > 0 ? session->saved - 1 : 0;
    snprintf(session->file, sizeof session->file, "%s", path);
    return true;
}

bool local_match_save(LocalMatch *session, const char *path) {
    const char *players[MASH_SEATS];
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        players[seat] = session->programs[seat] ? session->programs[seat]->id : person_name;
    if (!saved_match_write(path, &session->match, &session->setting, players))
        return false;
    if (path != session->file)
        snprintf(session->file, sizeof session->file, "%s", path);
    session->saved = session->match.actions_count;
    return true;
}

/* --- Acting ----------------------------------------------------------------------------------- */

MashStatus local_match_act(LocalMatch *session, MashAction action) {
    MashStatus status = match_apply(&session->match, action);
    if (status == MASH_OK)
        match_log_add_last(&session->log, &session->match);
    return status;
}

/* The awaited seats, one bit each. */
static uint32_t awaited(const LocalMatch *session) {
    return session->match.content->game->awaited(session->match.content, session->match.state);
}

/* Does the game allow the seat this verb now? */
static bool may(const LocalMatch *session, uint8_t seat, uint8_t verb) {
    MashAction action = {.verb = verb, .seat = seat};
    const MashContent *content = session->match.content;
    return content->game->check(content, session->match.state, action) == MASH_OK;
}

bool local_match_offered(const LocalMatch *session, uint8_t seat) {
    return may(session, seat, MASH_VERB_DRAW_ACCEPT);
}

/* A legal action, chosen by the seed and the number of the action, so that it is the same after
 * undo. */
static MashAction random_action(LocalMatch *session, uint8_t seat) {
    const Match *match = &session->match;
    uint64_t number = hash_number(match->seed.words[0], match->seed.words[1]);
    MashChance chance = chance_sampled(hash_number(number, match->actions_count));
    MashAction *list = session->choices.list;
    uint32_t count = match->content->game->actions(match->content, match->state, seat, list);
    assert(count > 0);
    return list[chance_below(&chance, count)];
}

/* The action that an AI player chooses from its own view; the same after undo. */
static MashAction ai_action(LocalMatch *session, uint8_t seat) {
    const Match *match = &session->match;
    Ai *ai = session->ai;
    if (ai == NULL)
        ai = session->ai = ai_init(match->content, cli_memory(ai_bytes(match->content)));
    uint64_t number = hash_number(match->seed.words[0], match->seed.words[1]);
    match_view(match, seat, session->log.view);
    AiTask task = {.skill = session->programs[seat],
                   .view = session->log.view,
                   .plan = &session->plans[seat],
                   .seat = seat,
                   .seed = hash_number(number, match->actions_count)};
    bool begun = ai_begin(ai, &task);
    assert(begun);
    while (!ai_step(ai, UINT32_MAX))
        continue;
    return ai_answer(ai);
}

/* The next action of the AI player of a seat. */
static MashAction program_action(LocalMatch *session, uint8_t seat) {
    bool thinks = session->programs[seat]->mode != AI_RANDOM;
    return thinks ? ai_action(session, seat) : random_action(session, seat);
}

bool local_match_has_program(const LocalMatch *session) {
    return session->programs[0] != NULL || session->programs[1] != NULL;
}

void local_match_programs(LocalMatch *session) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        if (session->programs[seat] == NULL)
            continue;
        if (local_match_offered(session, seat))
            local_match_act(session, (MashAction){.verb = MASH_VERB_DRAW_DECLINE, .seat = seat});
        while (awaited(session) == 1u << seat &&
               local_match_act(session, program_action(session, seat)) == MASH_OK)
            continue;
    }
}

/* How many actions remain after undoing the last decision; against an AI that is the person's, with
 * everything after it. */
static uint32_t before_last_decision(const LocalMatch *session, uint32_t count) {
    if (!local_match_has_program(session))
        return count - 1;
    for (uint32_t i = count; i > 0; i--) {
        uint8_t seat = session->match.actions[i - 1].seat;
        if (seat < MASH_SEATS && session->programs[seat] == NULL)
            return i - 1;
    }
    return count;
}

uint32_t local_match_undo(LocalMatch *session, uint32_t count) {
    uint32_t old = session->match.actions_count, left = old;
    for (uint32_t i = 0; i < count && left > 0; i++) {
        uint32_t before = before_last_decision(session, left);
        if (before == left)
            break;
        left = before;
    }
    match_rewind(&session->match, left);
    match_log_rebuild(&session->log, &session->match);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        session->shown[seat] = session->shown[seat] < left ? session->shown[seat] : left;
    if (session->saved > left)
        session->saved = UINT32_MAX;
    return old - left;
}

bool local_match_secret(const LocalMatch *session) {
    if (local_match_has_program(session))
        return false;
    return match_view(&session->match, 0, session->log.view) ||
           match_view(&session->match, 1, session->log.view);
}

uint8_t local_match_next(const LocalMatch *session) {
    uint32_t waits = awaited(session);
    uint8_t seat = session->seat, other = (uint8_t)(1 - seat);
    bool other_decides = !(waits >> seat & 1) && waits >> other & 1;
    return other_decides && session->programs[other] == NULL ? other : seat;
}

/* --- The screen ------------------------------------------------------------------------------- */

void local_match_look(LocalMatch *session) {
    if (match_result(&session->match).over)
        memcpy(session->view, session->match.state, session->match.content->limits.state_bytes);
    else
        match_view(&session->match, session->seat, session->view);
    terminal_measure(&session->terminal);
    picture_take(&session->picture, session->view);
    action_menu_list(&session->choices, session->view, session->seat);
}

/* Has something happened that was not shown to the reader yet? */
static bool has_news(const LocalMatch *session) {
    return match_log_count(&session->log, session->seat, session->shown[session->seat] + 1,
                           session->match.actions_count) > 0;
}

uint32_t local_match_print_log(LocalMatch *session) {
    uint32_t *shown = &session->shown[session->seat];
    uint32_t count = session->match.actions_count;
    uint32_t lines = match_log_count(&session->log, session->seat, *shown + 1, count);
    uint32_t most = terminal_is_low(&session->terminal) ? NEWS_LOW : NEWS_MOST;
    uint32_t skipped = lines > most ? lines - most : 0;
    if (skipped > 0)
        printf("  (%u lines; type log to see earlier ones)\n", lines);
    match_log_print(&session->log, session->seat, *shown + 1, count, skipped, "  ");
    *shown = count;
    if (!local_match_secret(session))
        session->shown[0] = session->shown[1] = count;
    return lines;
}

/* On a low screen the news are printed next to the prompt, where they are seen. */
void local_match_draw(LocalMatch *session) {
    putchar('\n');
    local_match_look(session);
    bool low = terminal_is_low(&session->terminal);
    if (!low && local_match_print_log(session) > 0)
        putchar('\n');
    screen_draw(&session->choices, &session->picture);
    if (low && has_news(session)) {
        putchar('\n');
        local_match_print_log(session);
    }
    if (session->choices.all_count > 0)
        putchar('\n');
    action_menu_print(&session->choices, &session->picture);
}

void local_match_draw_menu(LocalMatch *session) {
    screen_draw_menu(&session->choices, &session->picture, session->view);
}
