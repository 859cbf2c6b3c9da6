/* actions.c -- see actions.h: the road of one action. The engine judges it on a copy, the journal
 * takes it, and everybody is told, each what he may know, once it is safe. */
#include <stdlib.h>
#include <string.h>

#include "server/actions.h"
#include "server/internal.h"
#include "server/outbox.h"
#include "server/protocol.h"
#include "server/records.h"
#include "server/robot.h"
#include "standard/messages.h"

/* --- What one sees ---------------------------------------------------------------------------- */

/* A copy of the state in which all is blanked that the seat may not know; watchers of a table of
 * glass know everything, blind ones when the match is over. The scratch is large enough since the
 * content was loaded. */
static void *make_view(const Table *table, const void *state, uint8_t seat, Scratch *scratch) {
    const MashContent *content = table->match.content;
    void *view = scratch_take(scratch, content->limits.state_bytes);
    memcpy(view, state, content->limits.state_bytes);
    bool over = state == table->match.state && match_result(&table->match).over;
    if (seat < MASH_SEATS || !table->setting.open_to_spectators ||
        (seat == SEAT_BLIND_WATCHER && !over))
        content->game->hide(content, view, seat == SEAT_BLIND_WATCHER ? MASH_SEAT_SPECTATOR : seat);
    return view;
}

const void *positions_view(Table *table, uint8_t seat) {
    return make_view(table, table->match.state, seat, &table->server->view);
}

/* Has the last action changed what the seat sees? The trial is the state before it. The new view is
 * left in the house's scratch. */
static bool changed(Table *table, uint8_t seat) {
    const void *now = positions_view(table, seat);
    const void *old = make_view(table, table->match.previous, seat, &table->server->old_view);
    return memcmp(now, old, table->match.content->limits.state_bytes) != 0;
}

/* May the seat know of anything that happened? */
static bool sees_events(const Table *table, uint8_t seat) {
    for (uint32_t i = 0; i < table->match.events.count; i++)
        if (mash_event_seen(&table->match.events.list[i], seat))
            return true;
    return false;
}

/* The counter of positions of a seat or of spectators. */
static uint32_t *number_of(Table *table, uint8_t seat) {
    return seat < MASH_SEATS            ? &table->chairs[seat].number
           : seat == SEAT_BLIND_WATCHER ? &table->blind_number
                                        : &table->watchers_number;
}

void positions_count_changes(Table *table) {
    static const uint8_t all[] = {0, 1, MASH_SEAT_SPECTATOR, SEAT_BLIND_WATCHER};
    for (uint32_t i = 0; i < sizeof all - !table->setting.open_to_spectators; i++)
        *number_of(table, all[i]) += changed(table, all[i]);
}

/* Which watchers a frame is for, beside its form. */
static uint8_t blind_forms(uint8_t viewer) {
    return viewer == SEAT_BLIND_WATCHER ? POSITION_FORMS : 0;
}

/* --- Telling ---------------------------------------------------------------------------------- */

/* As far as the view tells for whom the match waits. */
static PositionClocks clocks_in(const Table *table, const void *view) {
    const MashContent *content = table->match.content;
    uint64_t now_ms = server_now_ms(table->server);
    uint32_t awaited = content->game->awaited(content, view);
    PositionClocks clocks = {.match = clock_match_left(&table->clock, now_ms)};
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        clocks.turn[seat] = (awaited >> seat & 1) != 0
                                ? clock_turn_left(&table->clock, now_ms, seat)
                                : POSITION_NO_TIME;
    return clocks;
}

PositionClocks positions_clocks(Table *table) {
    const MashContent *content = table->match.content;
    void *view = scratch_take(&table->server->view, content->limits.state_bytes);
    memcpy(view, table->match.state, content->limits.state_bytes);
    content->game->hide(content, view, MASH_SEAT_SPECTATOR);
    return clocks_in(table, view);
}

/* A position and the memory that writing it wants. */
typedef struct PositionFrame {
    Position position;
    void *memory;
} PositionFrame;

/* A position as a message. */
static void write_page(void *what, MashText *text) {
    const PositionFrame *page = what;
    position_write(&page->position, page->memory, text);
}

/* The position of a seat in one form; its view is in the house's scratch. */
static NetFrame *frame_of(Table *table, uint8_t seat, uint32_t form, bool with_events) {
    Server *server = table->server;
    const MashContent *content = table->match.content;
    MashText text;
    PositionFrame page = {
        .memory = scratch_take(&server->position, position_bytes(content)),
        .position = {.content = content,
                     .view = server->view.bytes,
                     .seat = seat == SEAT_BLIND_WATCHER ? MASH_SEAT_SPECTATOR : seat,
                     .events = table->match.events.list,
                     .events_count = with_events ? table->match.events.count : 0,
                     .code = table->code,
                     .number = *number_of(table, seat),
                     .paused = table_is_paused(table),
                     .clocks = clocks_in(table, server->view.bytes),
                     .form = form == 2 ? PROTO_FORM_BYTES : PROTO_FORM_JSON,
                     .words = form == 1}};
    if (page.memory == NULL || !server_write_text(server, &text, write_page, &page))
        return NULL;
    return net_frame_new(server->loop, text.bytes, text.count);
}

void positions_send(Table *table, Session *session) {
    uint8_t seat = session->seat < MASH_SEATS ? session->seat
                   : session->blind           ? SEAT_BLIND_WATCHER
                                              : MASH_SEAT_SPECTATOR;
    positions_view(table, seat);
    outbox_send(table, OUTGOING_SESSION, 0, session,
                frame_of(table, seat, session_form(session), false));
}

/* The last action, to a seat: if anything of it is to be seen there, or if the seat did it. */
static void send_to_seat(Table *table, uint8_t seat, bool acted) {
    Chair *chair = &table->chairs[seat];
    bool news = changed(table, seat);
    chair->number += news;
    if (chair->session == NULL || talk_speaks(chair->session) ||
        (!news && !acted && !sees_events(table, seat)))
        return;
    bool idle = !table->clock.seats[seat].awaited && !match_result(&table->match).over;
    outbox_send(table, idle ? OUTGOING_IDLE_SEAT : OUTGOING_SEAT, seat, NULL,
                frame_of(table, seat, session_form(chair->session), true));
}

/* The last action, to watchers who are blind or not: one frame for each form that somebody wants.
 * How many frames that were. */
static uint32_t send_to_watchers(Table *table, uint8_t viewer) {
    bool wanted[POSITION_FORMS] = {false};
    uint32_t frames = 0;
    bool news = changed(table, viewer);
    *number_of(table, viewer) += news;
    if (!news && !sees_events(table, MASH_SEAT_SPECTATOR))
        return 0;
    for (const Session *session = table->watchers; session != NULL; session = session->next)
        wanted[session_form(session)] |=
            !talk_speaks(session) && session->blind == (viewer == SEAT_BLIND_WATCHER);
    for (uint8_t form = 0; form < POSITION_FORMS; form++)
        if (wanted[form]) {
            outbox_send(table, OUTGOING_WATCHERS, (uint8_t)(form + blind_forms(viewer)), NULL,
                        frame_of(table, viewer, form, true));
            frames++;
        }
    return frames;
}

/* What watchers are told costs the loop as much as the action itself for each form, and so does
 * what a robot does: who acts pays for it, for a robot its opponent. */
static void charge_telling(const Table *table, uint8_t seat, uint32_t frames) {
    if (seat >= MASH_SEATS)
        return;
    bool robot = table->chairs[seat].robot > 0;
    Session *payer = table->chairs[robot ? 1 - seat : seat].session;
    if (payer != NULL)
        budget_charge(payer, session_action_cost(payer) * (frames + robot));
}

/* --- Acting ----------------------------------------------------------------------------------- */

/* Did a turn begin? */
static bool new_turn(const MashEvents *events) {
    for (uint32_t i = 0; i < events->count; i++)
        if (events->list[i].kind == MASH_EVENT_TURN_BEGAN ||
            events->list[i].kind == MASH_EVENT_MATCH_BEGAN)
            return true;
    return false;
}

/* What the last action means for the clocks. */
static void update_clock(Table *table) {
    const MashContent *content = table->match.content;
    uint64_t now_ms = server_now_ms(table->server);
    talk_set_clocks(table);
    if (match_result(&table->match).over)
        clock_end(&table->clock, now_ms);
    else
        clock_await(&table->clock, now_ms, content->game->awaited(content, table->match.state),
                    new_turn(&table->match.events));
}

MashStatus actions_apply(Table *table, MashAction action, Refusal *why) {
    Server *server = table->server;
    *why = REFUSAL_COUNT;
    if (server->draining || server->failed) {
        *why = REFUSAL_CLOSING;
        return MASH_NOT_NOW;
    }
    MashStatus status = match_apply(&table->match, action);
    if (status != MASH_OK)
        return status;
    if (!records_write_action(table, action)) {
        match_rewind(&table->match, table->match.actions_count - 1);
        *why = REFUSAL_FULL;
        return MASH_NOT_NOW;
    }
    server->figures.actions++;
    update_clock(table);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        send_to_seat(table, seat, action.seat == seat);
    uint32_t frames = send_to_watchers(table, MASH_SEAT_SPECTATOR);
    if (table->setting.open_to_spectators)
        frames += send_to_watchers(table, SEAT_BLIND_WATCHER);
    charge_telling(table, action.seat, frames);
    talk_tell(table);
    if (match_result(&table->match).over) {
        robot_stop_early(server, table);
        outbox_send(table, OUTGOING_END, 0, NULL, NULL);
    }
    table_set_timer(table);
    robot_start_due(table);
    return MASH_OK;
}

/* The seat that time runs out for when the game has no rule for the whole match's time: the awaited
 * one that has used more. */
static uint8_t seat_out_of_time(const Table *table) {
    const ClockSeat *seats = table->clock.seats;
    if (seats[0].awaited != seats[1].awaited)
        return seats[0].awaited ? 0 : 1;
    return seats[1].used_ms > seats[0].used_ms ? 1 : 0;
}

bool actions_apply_as_server(Table *table, uint8_t verb, uint8_t seat, uint8_t amount) {
    MashAction action = {.verb = verb, .seat = MASH_SEAT_SERVER, .other = seat, .amount = amount};
    Refusal why;
    if (actions_apply(table, action, &why) == MASH_OK || why != REFUSAL_COUNT)
        return why == REFUSAL_COUNT;
    /* The game of the standard has a rule for it, and refuses it only when it is of no use. */
    if (verb == MASH_VERB_OVERTIME && standard_server_adapter(table->match.content->game) != NULL)
        return true;
    if (verb == MASH_VERB_OVERTIME)
        return actions_apply_as_server(table, MASH_VERB_TIME_OVER, seat_out_of_time(table), 0);
    return verb != MASH_VERB_TIME_OVER ||
           actions_apply_as_server(table, MASH_VERB_FORFEIT, seat, MASH_REASON_SILENT);
}
