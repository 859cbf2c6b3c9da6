/* actions.c -- see actions.h: applies one action. The engine tries it on a copy, the journal
 * records it, and every protocol sends each of its clients what that client may know. */
#include <stdlib.h>
#include <string.h>

#include "proto/action.h"
#include "server/actions.h"
#include "server/begun.h"
#include "server/days.h"
#include "server/internal.h"
#include "server/outbox.h"
#include "server/prepared.h"
#include "server/protocol.h"
#include "server/records.h"
#include "server/robot.h"

/* --- Views ------------------------------------------------------------------------------------ */

/* A copy of the state without what the seat may not know. Spectators of a table open to spectators
 * see everything, blind ones only when the match is over. The scratch memory was made large enough
 * when the content was loaded. */
static void *make_view(const Table *table, const void *state, uint8_t seat, Scratch *scratch) {
    const MashContent *content = table->match.content;
    void *view = scratch_take(scratch, content->limits.state_bytes);
    memcpy(view, state, content->limits.state_bytes);
    bool over = state == table->match.state && match_result(&table->match).over;
    if (seat < MASH_SEATS || !table->config.open_to_spectators ||
        (seat == SEAT_BLIND_WATCHER && !over))
        content->game->hide(content, view, seat == SEAT_BLIND_WATCHER ? MASH_SEAT_SPECTATOR : seat);
    return view;
}

const void *positions_view(Table *table, uint8_t seat) {
    return make_view(table, table->match.state, seat, &table->server->view);
}

/* Has the last action changed what the seat sees? The trial is the state before it. */
static bool changed(Table *table, uint8_t seat) {
    const void *now = positions_view(table, seat);
    const void *old = make_view(table, table->match.previous, seat, &table->server->old_view);
    return memcmp(now, old, table->match.content->limits.state_bytes) != 0;
}

uint32_t *positions_number(Table *table, uint8_t viewer) {
    return viewer < MASH_SEATS            ? &table->chairs[viewer].number
           : viewer == SEAT_BLIND_WATCHER ? &table->blind_number
                                          : &table->watchers_number;
}

/* All viewers that may see different things, and the bit of each in Table.news. */
static const uint8_t viewers[] = {0, 1, MASH_SEAT_SPECTATOR, SEAT_BLIND_WATCHER};

void positions_count_changes(Table *table) {
    table->news = 0;
    for (uint32_t i = 0; i < sizeof viewers - !table->config.open_to_spectators; i++)
        if (changed(table, viewers[i])) {
            ++*positions_number(table, viewers[i]);
            table->news |= (uint8_t)(1 << i);
        }
}

bool positions_changed(const Table *table, uint8_t viewer) {
    uint32_t i = 0;
    while (viewers[i] != viewer)
        i++;
    return (table->news >> i & 1) != 0;
}

bool actions_read(Table *table, uint8_t seat, const char *words, MashAction *action) {
    const MashContent *content = table->match.content;
    if (action_from_hex(words, action)) {
        action->seat = seat;
        return true;
    }
    const void *view = positions_view(table, seat);
    MashAction *list =
        scratch_take(&table->server->position, (content->limits.actions_max + 1) * sizeof *list);
    return list != NULL && action_find(content, view, seat, words, list, action);
}

/* --- Acting ----------------------------------------------------------------------------------- */

bool actions_new_turn(const MashEvents *events) {
    for (uint32_t i = 0; i < events->count; i++)
        if (events->list[i].kind == MASH_EVENT_TURN_BEGAN ||
            events->list[i].kind == MASH_EVENT_MATCH_BEGAN)
            return true;
    return false;
}

/* Updates the clocks after the last action. */
static void update_clock(Table *table) {
    const MashContent *content = table->match.content;
    uint64_t now_ms = server_now_ms(table->server);
    protocols_clocks(table);
    if (match_result(&table->match).over) {
        clock_end(&table->clock, now_ms);
        return;
    }
    const ClockSeat *seats = table->clock.seats;
    uint32_t before = (seats[0].awaited ? 1u : 0u) | (seats[1].awaited ? 2u : 0u);
    uint32_t after = content->game->awaited(content, table->match.state);
    bool new_turn = actions_new_turn(&table->match.events);
    clock_await(&table->clock, now_ms, after, new_turn);
    days_note_turns(table, before, after, new_turn, table->days.record_ms);
}

/* May the match continue? */
static bool may_act(const Table *table, Refusal *why) {
    bool may = !table->server->draining && !table->server->failed;
    *why = may ? REFUSAL_COUNT : REFUSAL_CLOSING;
    return may;
}

/* The match has a new step: journals it and sends its effects. False: the journal does not accept
 * it, and the match is as before. */
static bool publish_step(Table *table, Refusal *why) {
    Server *server = table->server;
    const Match *match = &table->match;
    if (!records_write_step(table)) {
        match_step_cancel(&table->match);
        *why = REFUSAL_FULL;
        return false;
    }
    server->stats.actions += match->step_count;
    table->takeback = 0;
    update_clock(table);
    positions_count_changes(table);
    protocols_acted(table, match->actions[match->actions_count - 1].seat);
    if (match_result(&table->match).over) {
        robot_stop_early(server, table);
        outbox_send_end(table);
    }
    days_changed(table);
    table_set_timer(table);
    robot_start_due(table);
    prepared_acted(table);
    return true;
}

MashStatus actions_apply(Table *table, MashAction action, Refusal *why) {
    if (!may_act(table, why))
        return MASH_NOT_NOW;
    MashStatus status = match_apply(&table->match, action);
    if (status != MASH_OK)
        return status;
    return publish_step(table, why) ? MASH_OK : MASH_NOT_NOW;
}

bool actions_step_begin(Table *table, Refusal *why) {
    if (!may_act(table, why))
        return false;
    match_step_begin(&table->match);
    return true;
}

MashStatus actions_step_add(Table *table, MashAction action) {
    MashStatus status = match_step_add(&table->match, action);
    if (status != MASH_OK)
        match_step_cancel(&table->match);
    return status;
}

bool actions_step_end(Table *table, Refusal *why) { return publish_step(table, why); }

/* --- Undoing ---------------------------------------------------------------------------------- */

Refusal actions_may_take_back(const Table *table, uint8_t seat, uint32_t *count) {
    if (table_has_identity(table)) /* the protocol of a player has no message for it */
        return REFUSAL_NO_UNDO;
    if (match_result(&table->match).over)
        return REFUSAL_MATCH_OVER;
    bool made = match_before_step(&table->match, seat, count) && *count >= begun_count(table);
    return made ? REFUSAL_COUNT : REFUSAL_NOTHING_TO_UNDO;
}

Refusal actions_may_undo(const Table *table, uint8_t seat, uint32_t *count) {
    static const Refusal reasons[] = {
        [MATCH_UNDO_POSSIBLE] = REFUSAL_COUNT,      [MATCH_UNDO_NOTHING] = REFUSAL_NOTHING_TO_UNDO,
        [MATCH_UNDO_OVER] = REFUSAL_MATCH_OVER,     [MATCH_UNDO_ANSWERED] = REFUSAL_ANSWERED,
        [MATCH_UNDO_TURN_OVER] = REFUSAL_TURN_OVER, [MATCH_UNDO_CHANCE] = REFUSAL_DREW_CHANCE,
        [MATCH_UNDO_REVEALED] = REFUSAL_REVEALED};
    static_assert(sizeof reasons / sizeof *reasons == MATCH_UNDO_COUNT, "a refusal for each");
    Refusal any = actions_may_take_back(table, seat, count);
    if (any != REFUSAL_COUNT || table->chairs[1 - seat].robot > 0)
        return any;
    return reasons[match_undo_check(&table->match, seat, count)];
}

void actions_count_turns(const Match *match, uint32_t count, uint32_t turns[MASH_SEATS]) {
    for (uint32_t i = count; i < match->actions_count; i++)
        if (match->actions[i].seat < MASH_SEATS && (match->notes[i] & MATCH_NOTE_TURN) != 0)
            turns[match->actions[i].seat]++;
}

bool actions_undo(Table *table, uint8_t of, uint32_t count, uint8_t asker, Refusal *why) {
    Match *match = &table->match;
    if (!may_act(table, why))
        return false;
    if (!records_write_undo(table, count)) {
        *why = REFUSAL_FULL;
        return false;
    }
    uint32_t turns[MASH_SEATS] = {0};
    actions_count_turns(match, count, turns);
    match_undo(match, count);
    table->takeback = 0;
    protocols_clocks(table);
    clock_undo(&table->clock, server_now_ms(table->server),
               match->content->game->awaited(match->content, match->state), turns);
    positions_count_changes(table);
    table->undone = (uint8_t)(of + 1);
    protocols_acted(table, asker);
    table->undone = 0;
    days_changed(table);
    table_set_timer(table);
    robot_start_due(table);
    return true;
}

/* --- Actions of the server -------------------------------------------------------------------- */

/* The seat that loses on time when the game has no rule for the time of the whole match: the
 * awaited one that has used more. */
static uint8_t seat_out_of_time(const Table *table) {
    const ClockSeat *seats = table->clock.seats;
    if (seats[0].awaited != seats[1].awaited)
        return seats[0].awaited ? 0 : 1;
    return seats[1].used_ms > seats[0].used_ms ? 1 : 0;
}

bool actions_apply_as_server(Table *table, uint8_t verb, uint8_t seat, uint8_t amount) {
    MashAction action = {.verb = verb, .seat = MASH_SEAT_SERVER, .other = seat, .amount = amount};
    Refusal why;
    MashStatus status = actions_apply(table, action, &why);
    if (status == MASH_OK || why != REFUSAL_COUNT)
        return why == REFUSAL_COUNT;
    /* Any other status: the game has a rule for this action, but it does not apply now. */
    if (verb == MASH_VERB_OVERTIME && status == MASH_NO_SUCH_ACTION)
        return actions_apply_as_server(table, MASH_VERB_TIME_OVER, seat_out_of_time(table), 0);
    return verb != MASH_VERB_TIME_OVER ||
           actions_apply_as_server(table, MASH_VERB_FORFEIT, seat, MASH_REASON_SILENT);
}

/* A draw needs both seats. An open offer is accepted; otherwise the seat to act offers and the
 * other accepts. The game refuses actions that do not apply. */
bool actions_draw_as_server(Table *table) {
    static const uint8_t verbs[] = {MASH_VERB_DRAW_ACCEPT, MASH_VERB_DRAW_ACCEPT,
                                    MASH_VERB_DRAW_OFFER,  MASH_VERB_DRAW_ACCEPT,
                                    MASH_VERB_DRAW_OFFER,  MASH_VERB_DRAW_ACCEPT};
    static const uint8_t seats[] = {0, 1, 0, 1, 1, 0};
    Refusal why;
    for (uint32_t i = 0; i < sizeof verbs && table_is_running(table); i++)
        actions_apply(table, (MashAction){.verb = verbs[i], .seat = seats[i]}, &why);
    return match_result(&table->match).over;
}
