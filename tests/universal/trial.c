/* trial.c -- see trial.h: memory, random numbers and failing. */
#include "tests/universal/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

enum { GUARD_BYTES = 64, GUARD = 0xa5 };

/* --- Failing ---------------------------------------------------------------------------------- */

static void report_action(Trial *trial, char *text, size_t max) {
    const MashAction *action = &trial->action;
    char bytes[256];
    MashText words = text_over(bytes, sizeof bytes);
    if (action->verb != MASH_VERB_NONE &&
        trial_listed(trial->lists[action->seat & 1], trial->counts[action->seat & 1], *action))
        trial->game->notation(trial->content, trial->state, *action, &words);
    snprintf(text, max,
             "last action tried: {verb %d, seat %d, unit %d, ability %d, x %d, y %d, other %d, "
             "amount %d} %s",
             action->verb, action->seat, action->unit, action->ability, action->x, action->y,
             action->other, action->amount, bytes);
}

void trial_fail(Trial *trial, const char *file, int line, const char *format, ...) {
    char sentence[512], action[512], options[256] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    report_action(trial, action, sizeof action);
    size_t used = 0;
    for (uint32_t i = 0; i < trial->setup.options_count && used < sizeof options; i++)
        used += (size_t)snprintf(options + used, sizeof options - used, " %s=%d",
                                 trial->game->options[i].id, trial->options[i]);
    snprintf(trial->report->failure, sizeof trial->report->failure,
             "%s, preset %s, options%s, match %u (seed words %llu %llu), ply %u:\n  %s\n  %s\n"
             "  promised at %s:%d; once more: MASH_MATCH=%u test_every_game\n",
             trial->game->id, trial->preset, options[0] == '\0' ? " usual" : options, trial->match,
             (unsigned long long)trial->seed.words[0], (unsigned long long)trial->seed.words[1],
             trial->ply, sentence, action, file, line, trial->match);
    longjmp(trial->escape, 1);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void *lend_guarded(Trial *trial, size_t bytes) {
    assert(trial->lent_count < LENT_MAX);
    uint8_t *memory = support_memory(bytes + GUARD_BYTES);
    memset(memory + bytes, GUARD, GUARD_BYTES);
    trial->lent[trial->lent_count++] = (Lent){memory, bytes};
    return memory;
}

void trial_check_lent(Trial *trial) {
    static const uint8_t intact[GUARD_BYTES] = {
#define ROW GUARD, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD,
        ROW ROW ROW ROW ROW ROW ROW ROW
#undef ROW
    };
    for (uint32_t i = 0; i < trial->lent_count; i++) {
        const Lent *lent = &trial->lent[i];
        REQUIRE(trial, memcmp(lent->bytes + lent->count, intact, GUARD_BYTES) == 0,
                "the game wrote behind lent memory number %u of %zu bytes", i, lent->count);
    }
}

void trial_open(Trial *trial, const MashGame *game, const MashContent *content) {
    const MashLimits *limits = &content->limits;
    trial->game = game;
    trial->content = content;
    trial->lent_count = 0;
    trial->state = lend_guarded(trial, limits->state_bytes);
    for (int i = 0; i < VIEWS; i++)
        trial->views[i] = lend_guarded(trial, limits->state_bytes);
    for (size_t i = 0; i < sizeof trial->copies / sizeof *trial->copies; i++)
        trial->copies[i] = lend_guarded(trial, limits->state_bytes);
    for (int i = 0; i < MASH_SEATS; i++)
        trial->lists[i] = lend_guarded(trial, limits->actions_max * sizeof(MashAction));
    trial->spare_list = lend_guarded(trial, limits->actions_max * sizeof(MashAction));
    trial->hashes = lend_guarded(trial, limits->actions_max * sizeof(uint64_t));
    trial->events.list = lend_guarded(trial, limits->events_max * sizeof(MashEvent));
    trial->other_events.list = lend_guarded(trial, limits->events_max * sizeof(MashEvent));
    trial->events.max = trial->other_events.max = limits->events_max;
    size_t cells = (size_t)limits->width * limits->height;
    trial->board.ground = lend_guarded(trial, cells);
    trial->board.ground_health = lend_guarded(trial, cells * sizeof *trial->board.ground_health);
    trial->board.tokens = lend_guarded(trial, limits->tokens_max * sizeof *trial->board.tokens);
    trial->board.meters = lend_guarded(trial, limits->meters_max * sizeof *trial->board.meters);
    trial->board.order = lend_guarded(trial, limits->units);
}

void trial_close(Trial *trial) {
    for (uint32_t i = 0; i < trial->lent_count; i++)
        support_free(trial->lent[i].bytes);
    trial->lent_count = 0;
}

/* --- Helpers ---------------------------------------------------------------------------------- */

uint32_t trial_draw(Trial *trial, uint32_t values) { return chance_below(&trial->dice, values); }

bool trial_once_in(Trial *trial, uint32_t of) { return trial_draw(trial, of) == 0; }

uint8_t trial_viewer(uint32_t view) {
    return view < MASH_SEATS ? (uint8_t)view : MASH_SEAT_SPECTATOR;
}

bool trial_sees(const MashEvent *event, uint32_t view) {
    return mash_event_seen(event, trial_viewer(view));
}

void trial_copy(const Trial *trial, void *to, const void *from) {
    memcpy(to, from, trial->content->limits.state_bytes);
}

bool trial_same(const Trial *trial, const void *a, const void *b) {
    return memcmp(a, b, trial->content->limits.state_bytes) == 0;
}

void trial_hide(const Trial *trial, void *view, const void *state, uint32_t number) {
    trial_copy(trial, view, state);
    trial->game->hide(trial->content, view, trial_viewer(number));
}

MashStatus trial_apply(Trial *trial, void *state, MashAction action, uint32_t ply,
                       MashEvents *events) {
    trial->action = action;
    MashChance chance = chance_seeded(trial->seed, ply);
    if (events != NULL)
        events->count = 0;
    MashStatus status = mash_apply(trial->content, state, action, &chance, events);
    REQUIRE(trial, status < MASH_STATUS_COUNT, "apply() answers %d, which is no status", status);
    return status;
}

void trial_apply_listed(Trial *trial, void *state, MashAction action, MashEvents *events) {
    trial->action = action;
    MashChance chance = chance_seeded(trial->seed, trial->ply + 1);
    if (events != NULL)
        events->count = 0;
    trial->game->apply_listed(trial->content, state, action, &chance, events);
}

void trial_agrees(Trial *trial, const void *before, MashAction action, const void *after) {
    void *judged = trial->copies[2];
    const MashEvents *told = &trial->events, *again = &trial->other_events;
    trial_copy(trial, judged, before);
    MashStatus status = trial_apply(trial, judged, action, trial->ply + 1, &trial->other_events);
    REQUIRE(trial, status == MASH_OK, "apply() refuses what is allowed: %s",
            mash_status_id(status));
    REQUIRE(trial, trial_same(trial, judged, after),
            "apply() and apply_listed() do not give the same state");
    REQUIRE(trial,
            told->count == again->count &&
                memcmp(told->list, again->list, told->count * sizeof(MashEvent)) == 0,
            "apply() and apply_listed() do not tell the same events");
}

/* Compares actions as numbers; agrees with mash_action_compare(), and is faster. */
static uint64_t rank_of(MashAction action) {
    uint8_t bytes[sizeof action];
    uint64_t rank = 0;
    memcpy(bytes, &action, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        rank = rank << 8 | bytes[i];
    return rank;
}

uint32_t trial_list(Trial *trial, const void *state, uint8_t seat, MashAction *list) {
    uint32_t awaited = trial->game->awaited(trial->content, state);
    uint32_t count = trial->game->actions(trial->content, state, seat, list);
    bool waits = seat < MASH_SEATS && (awaited >> seat & 1);
    REQUIRE(trial, count <= trial->content->limits.actions_max,
            "seat %d has %u actions, more than actions_max", seat, count);
    REQUIRE(trial, waits == (count > 0), "seat %d is %s but has %u actions", seat,
            waits ? "awaited" : "not awaited", count);
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(trial, list[i].seat == seat, "action %u of seat %d is of seat %d", i, seat,
                list[i].seat);
        REQUIRE(trial, list[i].verb > MASH_VERB_NONE && list[i].verb < MASH_VERB_RESIGN,
                "action %u of seat %d has verb %d, which is never listed", i, seat, list[i].verb);
        REQUIRE(trial, i == 0 || rank_of(list[i - 1]) < rank_of(list[i]),
                "actions %u and %u of seat %d are not ascending", i - 1, i, seat);
    }
    return count;
}

static int compare(const void *a, const void *b) {
    return mash_action_compare(*(const MashAction *)a, *(const MashAction *)b);
}

bool trial_listed(const MashAction *list, uint32_t count, MashAction action) {
    return count > 0 && bsearch(&action, list, count, sizeof *list, compare) != NULL;
}

bool trial_choose(Trial *trial, const void *state, MashAction *list, MashAction *out) {
    uint32_t awaited = trial->game->awaited(trial->content, state);
    if (awaited == 0)
        return false;
    uint8_t seat = awaited == 3 ? (uint8_t)trial_draw(trial, MASH_SEATS) : awaited == 2;
    uint32_t count = trial->game->actions(trial->content, state, seat, list);
    REQUIRE(trial, count > 0 && count <= trial->content->limits.actions_max,
            "seat %d is awaited but has %u actions", seat, count);
    *out = list[trial_draw(trial, count)];
    return true;
}

void trial_play_out(Trial *trial, void *state, uint32_t limit, const char *from) {
    MashAction action;
    for (uint32_t i = 0; trial_choose(trial, state, trial->spare_list, &action); i++) {
        REQUIRE(trial, i < limit, "%s: no end within %u actions", from, limit);
        MashStatus status = trial_apply(trial, state, action, trial->ply + 1 + i, NULL);
        REQUIRE(trial, status == MASH_OK, "%s: a listed action is refused: %s", from,
                mash_status_id(status));
    }
}

/* --- Arbitrary requests ----------------------------------------------------------------------- */

/* Any bytes; in half of all cases verb, seat and unit are small, so that they get further. */
static MashAction random_request(Trial *trial) {
    MashAction request;
    uint8_t bytes[sizeof request];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)trial_draw(trial, 256);
    if (trial_once_in(trial, 2)) {
        bytes[0] &= 15;
        bytes[1] &= 1;
        bytes[2] &= 31;
    }
    memcpy(&request, bytes, sizeof request);
    return request;
}

/* Changes one byte: to anything, by one, to zero, or to that of another legal action. */
static void spoil(Trial *trial, MashAction *request, MashAction other) {
    uint8_t bytes[sizeof *request], others[sizeof *request];
    memcpy(bytes, request, sizeof bytes);
    memcpy(others, &other, sizeof others);
    uint32_t at = trial_draw(trial, sizeof bytes);
    switch (trial_draw(trial, 5)) {
    case 0:
        bytes[at] = (uint8_t)trial_draw(trial, 256);
        break;
    case 1:
        bytes[at]++;
        break;
    case 2:
        bytes[at]--;
        break;
    case 3:
        bytes[at] = 0;
        break;
    default:
        bytes[at] = others[at];
    }
    memcpy(request, bytes, sizeof bytes);
}

MashAction trial_random_action(Trial *trial) {
    uint32_t seat = trial_draw(trial, MASH_SEATS);
    if (trial->counts[seat] == 0)
        seat = 1 - seat;
    if (trial->counts[seat] == 0 || trial_once_in(trial, 2))
        return random_request(trial);
    MashAction request = trial->lists[seat][trial_draw(trial, trial->counts[seat])];
    MashAction other = trial->lists[seat][trial_draw(trial, trial->counts[seat])];
    spoil(trial, &request, other);
    if (trial_once_in(trial, 3))
        spoil(trial, &request, other);
    return request;
}
