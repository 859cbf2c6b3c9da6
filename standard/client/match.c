/* match.c -- a match at a server of the standard: its content and states, requests and their
 * answers, timeouts; see internal.h.
 *
 * One request at a time: Ack or Nack and then a state must arrive before the next. What a server
 * fails to send is requested with `Req`, then the turn is ended, and then we wait. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "standard/client/internal.h"

enum {
    PROBLEMS = 4,
    ALIVE_LEAST_MS = 1000, /* between two keep-alives */
    ALIVE_MOST_MS = 30000,
    CHOICE_LEAST_MS = 100, /* before a choice is sent: one server loses two that arrive together */
    CHOICE_MORE_MS = 700,
    HOPE_MS =
        90000, /* without anything new, in addition to the times of the match, before we give up */
    REFUSALS_MOST = 2, /* in a turn, before it is ended */
    TURN_MOST_MS =
        60000, /* how long we wait for the end of a turn in which the match was decided */
};

/* The time of the loop. */
static uint64_t now_ms(const StandardClient *standard) { return net_now_ms(standard->loop); }

/* --- The content ------------------------------------------------------------------------------ */

/* At least so many zeroed bytes, aligned to 64; NULL if there are none. */
static void *memory(size_t bytes) {
    void *found = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (found != NULL)
        memset(found, 0, (bytes + 63) / 64 * 64);
    return found;
}

void standard_release_match(StandardClient *standard) {
    free(standard->content);
    free(standard->state);
    free(standard->known);
    free(standard->table.events.list);
    standard->content = NULL;
    standard->state = NULL;
    standard->known = NULL;
    standard->table.events = (MashEvents){.list = NULL};
    standard->table.content = NULL;
    standard->table.state = NULL;
    standard->table.number = 0;
}

/* No answer is outstanding any more, and nothing waits to be sent. */
static void wait_no_more(StandardClient *standard) {
    standard->waiting = STANDARD_WAITS_NOT;
    standard->held = false;
    net_timer_stop(standard->timers[TIMER_PACER]);
}

void standard_forget_line(StandardClient *standard) {
    wait_no_more(standard);
    standard->reminders = 0;
    standard->choose_ms = 0;
    standard->table.paused = false;
    standard->paused_ms = 0;
}

/* Reads the content from the message. False: it is not playable, and a text says why. */
static bool load(StandardClient *standard, const Json *json) {
    MashProblem list[PROBLEMS];
    MashProblems problems = {list, 0, PROBLEMS};
    MashDocuments documents = {.scratch = memory(MASH_SCRATCH_BYTES),
                               .scratch_bytes = MASH_SCRATCH_BYTES};
    standard_release_match(standard);
    standard->content = memory(standard->setup.game->content_bytes_max);
    standard->known = memory(standard->adapter->bytes);
    bool good = documents.scratch != NULL && standard->content != NULL && standard->known != NULL;
    if (good) {
        standard->known->bare = standard->bare;
        standard->known->careful = standard->setup.careful;
        good = standard->adapter->content_in(json, 0, &documents, standard->known,
                                             standard->content, &problems);
    }
    free(documents.scratch);
    if (good) {
        const MashLimits *limits = &standard->content->limits;
        standard->state = memory(limits->state_bytes);
        standard->table.events.list = calloc(limits->events_max, sizeof(MashEvent));
        standard->table.events.max = limits->events_max;
        good = standard->state != NULL && standard->table.events.list != NULL;
    }
    if (good)
        return true;
    standard_release_match(standard);
    standard_word(standard, problems.count > 0 ? list[0].reason : "out of memory");
    return false;
}

void standard_on_offer(StandardClient *standard, const Json *json) {
    if (standard->structure != 0)
        return;
    if (!load(standard, json)) {
        standard_finish(standard, "the server offers nothing that can be chosen from");
        return;
    }
    standard->adapter->state_begin(standard->content, standard->known, standard->state);
    standard->table.content = standard->content;
    standard->table.state = standard->state;
    standard->table.you = standard->table.awaited = 0;
    standard->table.number = 1;
    standard_enter(standard, STANDARD_DRAFTING, "choose your heroes");
    standard->setup.calls.on_position(standard->setup.owner);
}

/* A name as it is shown: truncated to fit, without control characters. */
static void take_name(const Json *json, const char *key, char out[STANDARD_NAME_BYTES]) {
    MashText text = text_over(out, STANDARD_NAME_BYTES);
    uint32_t node = json_member(json, 0, key);
    if (node != JSON_NONE)
        json_string(json, node, &text);
    for (uint32_t i = 0; i < text.count; i++)
        if ((uint8_t)out[i] < 0x20 || out[i] == 0x7f)
            out[i] = '?';
}

/* Our seat by the assignment; MASH_SEAT_NONE: we are a spectator. */
static uint8_t take_seat(const Json *json) {
    uint32_t node = json_member(json, 0, "assignment");
    bool named = node != JSON_NONE;
    return named && json_equals(json, node, "PlayerOne")   ? 0
           : named && json_equals(json, node, "PlayerTwo") ? 1
                                                           : MASH_SEAT_NONE;
}

/* The match begins, or we have reconnected: then the counts are kept, and the state is
 * requested. */
void standard_on_structure(StandardClient *standard, const Json *json) {
    uint64_t hash = hash_bytes(1, json->bytes, json->bytes_count) | 1;
    bool back = standard->structure == hash, late = standard->resuming || standard->table.losses;
    standard->structure = hash;
    standard->seat = take_seat(json);
    standard->choose_ms = 0;
    standard->changed_ms = now_ms(standard);
    take_name(json, "playerOneName", standard->table.names[0]);
    take_name(json, "playerTwoName", standard->table.names[1]);
    if (!back || standard->known == NULL) {
        load(standard, json);
        standard->table.content = standard->content;
        standard->table.awaited = MASH_SEAT_NONE;
    }
    standard->table.you = standard->seat;
    if (standard->phase != STANDARD_PLAYING || !back)
        standard_enter(standard, STANDARD_PLAYING, back ? "back in the match" : "the match begins");
    if (late || standard->seat == MASH_SEAT_NONE)
        standard_ask(standard, "Req");
}

/* --- Requests --------------------------------------------------------------------------------- */

/* One request as a frame, in the form that the server uses. */
static bool send_request(StandardClient *standard, const char *request) {
    char bytes[STANDARD_REQUEST_BYTES + 64];
    MashText text = text_over(bytes, sizeof bytes);
    if (!standard->bare)
        text_string(&text, "{\"messageType\":\"REQUESTS\",\"messages\":[");
    text_string(&text, request);
    if (!standard->bare)
        text_string(&text, "]}");
    return standard_send(standard, &text);
}

/* A hash of the state as we know it; 0 if we know none. */
static uint64_t state_hash(const StandardClient *standard) {
    return standard->state == NULL
               ? 0
               : hash_bytes(0, standard->state, standard->content->limits.state_bytes);
}

/* How long the next request must still wait. All waits of a turn are in the first half of its
 * time. */
static uint64_t pace_left(const StandardClient *standard) {
    uint64_t now = now_ms(standard), due = standard->sent_ms + standard->setup.pace_ms;
    uint64_t turn = standard->content == NULL ? 0 : standard->content->limits.turn_ms;
    uint64_t half = standard->table.turn_ms + turn / 2;
    if (turn > 0 && standard->table.turn_ms > 0 && due > half)
        due = half;
    return due > now ? due - now : 0;
}

/* Sends a request that is answered by Ack or Nack, at its time: from now on the answer is
 * outstanding. False = there is no connection. */
static bool send_to_play(StandardClient *standard, const char *request) {
    MashText asked = text_over(standard->asked, sizeof standard->asked);
    uint64_t wait_ms = pace_left(standard);
    if (standard->connection == NULL)
        return false;
    text_string(&asked, request);
    standard->waiting = STANDARD_WAITS_ANSWER;
    standard->asked_turn = standard->table.turn;
    standard->asked_hash = state_hash(standard);
    standard->reminders = 0;
    standard->held = true;
    if (wait_ms == 0)
        standard_send_held(standard);
    else
        net_timer_start(standard->timers[TIMER_PACER], wait_ms);
    return true;
}

void standard_send_held(StandardClient *standard) {
    if (!standard->held)
        return;
    standard->held = false;
    standard->asked_ms = now_ms(standard);
    standard->table.requests++;
    send_request(standard, standard->asked);
}

bool standard_ask(StandardClient *standard, const char *request) {
    char bytes[STANDARD_REQUEST_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "requestType", request);
    json_close(&writer, '}');
    if (strcmp(request, "EndRoundRequest") != 0)
        return send_request(standard, bytes);
    standard->ended_turn = standard->table.turn;
    return send_to_play(standard, bytes);
}

/* Ends our turn, once per turn. */
static void end_turn(StandardClient *standard) {
    if (standard->ended_turn != standard->table.turn)
        standard_ask(standard, "EndRoundRequest");
}

bool standard_awaited(const StandardClient *standard) {
    const StandardClientTable *table = &standard->table;
    if (standard->connection == NULL || table->state == NULL || table->you >= MASH_SEATS)
        return false;
    if (standard->phase == STANDARD_DRAFTING)
        return standard->choose_ms == 0 &&
               table->content->game->awaited(table->content, table->state) >> table->you & 1;
    return standard->phase == STANDARD_PLAYING && table->awaited == table->you &&
           standard->waiting == STANDARD_WAITS_NOT && !table->paused && !table->decided;
}

/* Was this, or an action of its kind, refused in this turn? Steps are of the same kind only if they
 * lead to the same place, and the end of the turn is always allowed. */
static bool was_refused(const StandardClient *standard, MashAction action) {
    static const char step[] = "{\"requestType\":\"MoveRequest\"";
    char bytes[STANDARD_REQUEST_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    size_t kind = strcspn(standard->refused, ",}");
    if (kind == 0 || standard->refused[kind] == '}' ||
        !standard->adapter->request_out(standard->content, standard->known, standard->state, action,
                                        &text) ||
        strncmp(bytes, standard->refused, kind) != 0)
        return false;
    return strncmp(bytes, step, sizeof step - 1) != 0 || strcmp(bytes, standard->refused) == 0;
}

bool standard_risky(const StandardClient *standard, MashAction action) {
    return standard->setup.careful && standard->known != NULL &&
           (standard->adapter->risky(standard->content, standard->known, standard->state, action) ||
            was_refused(standard, action));
}

void standard_send_choice(StandardClient *standard) {
    char bytes[STANDARD_REQUEST_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    standard->choose_ms = 0;
    text_string(&text, "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":");
    standard->adapter->choice_out(standard->content, standard->known, standard->state, &text);
    text_byte(&text, '}');
    standard_send(standard, &text);
}

/* Choices are kept locally until all are made; then they are sent, by a careful client after a
 * random delay. */
static bool choose(StandardClient *standard, MashAction action) {
    const MashContent *content = standard->content;
    MashChance none = chance_sampled(0);
    if (mash_apply(content, standard->state, action, &none, NULL) != MASH_OK)
        return false;
    standard->table.number++;
    if (content->game->awaited(content, standard->state) & 1)
        return true;
    uint32_t lot;
    net_random(standard->loop, &lot, sizeof lot);
    standard->choose_ms = now_ms(standard);
    if (standard->setup.careful)
        standard->choose_ms += CHOICE_LEAST_MS + lot % CHOICE_MORE_MS;
    return true;
}

bool standard_act(StandardClient *standard, MashAction action) {
    char bytes[STANDARD_REQUEST_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    const MashContent *content = standard->content;
    if (!standard_awaited(standard) ||
        content->game->check(content, standard->state, action) != MASH_OK)
        return false;
    if (standard->phase == STANDARD_DRAFTING)
        return choose(standard, action);
    if (!standard->adapter->request_out(content, standard->known, standard->state, action, &text) ||
        text.truncated)
        return false;
    return send_to_play(standard, bytes);
}

/* --- States ----------------------------------------------------------------------------------- */

/* Is the key of the object there and true? */
static bool is_set(const Json *json, uint32_t object, const char *key) {
    uint32_t node = json_member(json, object, key);
    return node != JSON_NONE && json->nodes[node].kind == JSON_TRUE;
}

/* The match is decided. MASH_SEAT_NONE keeps the winner that was received before. */
static void decide(StandardClient *standard, uint8_t winner) {
    if (winner < MASH_SEATS)
        standard->table.winner = winner;
    if (!standard->table.decided)
        standard->decided_ms = now_ms(standard);
    standard->table.decided = true;
}

void standard_decide_by_board(StandardClient *standard) {
    if (!standard->verdict && standard->known != NULL && standard->known->leader < MASH_SEATS)
        decide(standard, standard->known->leader);
}

/* Is the match decided, but the winner not yet known? One server sends it when the turn ends. */
static bool lacks_winner(const StandardClient *standard) {
    return standard->table.decided && !standard->verdict && !standard->leaving;
}

/* Does this state settle an outstanding answer? It does after an Ack; or if the turn has changed;
 * or if the state is no longer the one of our request, and we had to ask again. */
static bool answers_request(const StandardClient *standard) {
    const StandardClientTable *table = &standard->table;
    if (standard->waiting == STANDARD_WAITS_STATE)
        return true;
    if (table->turn != standard->asked_turn || table->awaited != table->you)
        return true;
    return standard->reminders > 0 && state_hash(standard) != standard->asked_hash;
}

/* Another turn: what was refused in the previous one may be requested again. */
static void forget_refusals(StandardClient *standard) {
    standard->table.refused = false;
    standard->refused[0] = '\0';
    standard->refused_count = 0;
}

/* A state was received: whose turn it is now, and whether that settles our request. */
static void take_event(StandardClient *standard, const Json *json, uint32_t event) {
    StandardClientTable *table = &standard->table;
    bool mine = standard->known->awaited == table->you && table->you < MASH_SEATS;
    bool same_turn = table->turn == standard->known->turn && table->number > 0;
    table->state = standard->state;
    table->awaited = standard->known->awaited;
    table->turn = standard->known->turn;
    table->number++;
    if (!same_turn)
        forget_refusals(standard);
    if (!mine)
        table->turn_ms = 0;
    else if (table->turn_ms == 0 || !same_turn)
        table->turn_ms = now_ms(standard);
    if (standard->waiting != STANDARD_WAITS_NOT && answers_request(standard))
        wait_no_more(standard);
    if (is_set(json, event, "winCondition"))
        decide(standard, MASH_SEAT_NONE);
    uint64_t hash = state_hash(standard);
    if (hash != standard->changed_hash)
        standard->changed_ms = now_ms(standard);
    standard->changed_hash = hash;
    standard->last[0] = '\0'; /* whatever was sent, the match continues */
    standard->news = true;
}

/* Without content all that can be done is to end our turns. */
static void apply_untrusted(StandardClient *standard, const Json *json, uint32_t event) {
    uint32_t active = json_member(json, event, "activeCharacter");
    uint32_t group = active == JSON_NONE ? JSON_NONE : json_member(json, active, "entityID");
    if (standard->waiting == STANDARD_WAITS_STATE)
        wait_no_more(standard);
    bool decided = standard->table.decided;
    if (is_set(json, event, "winCondition"))
        decide(standard, MASH_SEAT_NONE);
    if (!decided && standard->setup.careful && group != JSON_NONE && standard->seat < MASH_SEATS &&
        json_equals(json, group, standard->seat == 0 ? "P1" : "P2") &&
        standard->waiting == STANDARD_WAITS_NOT && !standard->table.paused &&
        !standard->table.refused) {
        standard->table.turn++;
        end_turn(standard);
    }
}

/* --- Events ----------------------------------------------------------------------------------- */

/* Our request was accepted: now the resulting state is awaited. */
static void on_ack(StandardClient *standard) {
    if (standard->waiting == STANDARD_WAITS_ANSWER)
        standard->waiting = STANDARD_WAITS_STATE;
}

/* In a pause it only means the pause: the request was sent before the pause was known. */
static void on_nack(StandardClient *standard) {
    bool awaited = standard->waiting != STANDARD_WAITS_NOT && !standard->held;
    wait_no_more(standard);
    if (standard->table.paused)
        return;
    if (awaited) {
        memcpy(standard->refused, standard->asked, sizeof standard->refused);
        standard->refused_count++;
    }
    standard->table.refusals++;
    standard->table.refused = true;
    standard->news = true;
    standard_word(standard, "The server refused that.");
}

/* A pause has certainly begun: any doubt about the end of an earlier one is settled. */
static void on_pause(StandardClient *standard) {
    standard->table.paused = true;
    standard->paused_ms = 0;
    if (standard->held)
        wait_no_more(standard);
    standard->news = true;
    standard_word(standard, "The match is paused.");
}

/* One server answers a request in a pause with this event, though the pause continues. */
static void on_pause_end(StandardClient *standard) {
    standard->news = true;
    if (standard->table.paused && standard->waiting == STANDARD_WAITS_ANSWER) {
        wait_no_more(standard);
        standard->paused_ms = now_ms(standard);
        return;
    }
    standard->table.paused = false;
    standard_word(standard, "The pause is over.");
}

/* The server warns that time is short: asks for the state, to be sure what is awaited. */
static void on_warning(StandardClient *standard) { standard_ask(standard, "Req"); }

/* A turn has timed out: nobody is awaited until the next state. */
static void on_time_over(StandardClient *standard) {
    wait_no_more(standard);
    standard->table.awaited = MASH_SEAT_NONE;
    standard->news = true;
    standard_word(standard, "Turn time is up.");
}

/* The server warns that we seem inactive: passes it on as a text. */
static void on_silence(StandardClient *standard) {
    standard_word(standard, "Warning: the server has not heard from us.");
}

/* The server will shut down regularly: that is the end, even without a winner. */
static void on_leaving(StandardClient *standard) { standard->leaving = true; }

/* Events of the connection. */
typedef struct MessageRule {
    const char *type;
    void (*handle)(StandardClient *standard);
} MessageRule;

static const MessageRule message_rules[] = {
    {"Ack", on_ack},
    {"Nack", on_nack},
    {"PauseStartEvent", on_pause},
    {"PauseStopEvent", on_pause_end},
    {"TimeoutWarningEvent", on_warning},
    {"TurnTimeoutEvent", on_time_over},
    {"TimeoutEvent", on_silence},
    {"DisconnectEvent", on_leaving},
};

/* A player has won; if it is not one of the players, the match is decided without a winner. */
static void on_win(StandardClient *standard, const Json *json, uint32_t event) {
    MashProblems ignored = {.max = 0};
    uint32_t node = json_member(json, event, "playerWon");
    int32_t player = 0;
    if (node == JSON_NONE || !json_int(json, node, 1, MASH_SEATS, &player, &ignored))
        player = 0;
    if (!standard->verdict)
        standard->decided_ms = now_ms(standard);
    standard->verdict = true;
    decide(standard, player > 0 ? (uint8_t)(player - 1) : MASH_SEAT_NONE);
}

/* Some servers announce a match to spectators, but never send its content. */
static void on_blindly(StandardClient *standard) {
    if (standard->blind || standard->phase == STANDARD_DRAFTING)
        return;
    standard->blind = true;
    standard_word(standard, "The server sent no GAME_STRUCTURE, so the board cannot be shown.");
}

void standard_on_event(StandardClient *standard, const Json *json, uint32_t event) {
    uint32_t type = json_member(json, event, "eventType");
    if (type == JSON_NONE)
        return;
    for (uint32_t i = 0; i < sizeof message_rules / sizeof *message_rules; i++)
        if (json_equals(json, type, message_rules[i].type))
            message_rules[i].handle(standard);
    if (json_equals(json, type, "WinEvent"))
        on_win(standard, json, event);
    if (standard->structure == 0) {
        if (json_equals(json, type, "GamestateEvent"))
            on_blindly(standard);
        return;
    }
    if (standard->known == NULL) {
        if (json_equals(json, type, "GamestateEvent"))
            apply_untrusted(standard, json, event);
        return;
    }
    standard->known->bare = standard->bare;
    if (standard->adapter->event_in(standard->content, standard->known, json, event,
                                    standard->state, &standard->table.events))
        take_event(standard, json, event);
}

/* Changes are reported once per frame. Our turn is ended if a match is decided and the winner is
 * not known, and by a careful client after too many refusals in it. */
void standard_on_frame_end(StandardClient *standard) {
    StandardClientTable *table = &standard->table;
    bool enough = standard->setup.careful && standard->refused_count >= REFUSALS_MOST;
    if (table->awaited == table->you && table->you < MASH_SEATS &&
        standard->waiting == STANDARD_WAITS_NOT && !table->paused &&
        (table->decided ? lacks_winner(standard) : enough))
        end_turn(standard);
    if (!standard->news || table->state == NULL)
        return;
    standard->news = false;
    standard->setup.calls.on_position(standard->setup.owner);
    table->events.count = 0;
}

/* --- Time ------------------------------------------------------------------------------------- */

/* No answer: requests the state, then ends the turn, and then waits. */
static void remind(StandardClient *standard, uint64_t now) {
    const StandardClientTable *table = &standard->table;
    uint64_t waited = now - standard->asked_ms;
    if (standard->waiting == STANDARD_WAITS_NOT || standard->held || table->paused ||
        table->decided)
        return;
    if (standard->reminders == 0 && waited >= STANDARD_PATIENCE_MS) {
        standard->reminders = 1;
        standard_ask(standard, "Req");
    } else if (standard->reminders == 1 && waited >= 2 * STANDARD_PATIENCE_MS) {
        if (standard->setup.careful && table->awaited == table->you)
            end_turn(standard);
        standard->reminders = 2;
    }
}

/* Half of the inactivity that the match allows. */
static uint64_t alive_ms(const StandardClient *standard) {
    uint64_t half = standard->content == NULL ? 0 : standard->content->limits.silence_ms / 2;
    return half < ALIVE_LEAST_MS ? ALIVE_LEAST_MS : half > ALIVE_MOST_MS ? ALIVE_MOST_MS : half;
}

/* Has nothing new arrived for so long that the match is given up? Never if turns have no limit. */
static bool cannot_recover(const StandardClient *standard, uint64_t now) {
    const MashLimits *limits = standard->content == NULL ? NULL : &standard->content->limits;
    if (limits == NULL || limits->turn_ms == 0 || standard->table.paused)
        return false;
    return now - standard->changed_ms >= HOPE_MS + 2ull * limits->turn_ms + limits->pause_ms;
}

/* A client that reconnects from a new process to a server with bare events uses a form that the
 * server ignores. */
static void try_form(StandardClient *standard, uint64_t now) {
    if (standard->formed || standard->bare || now - standard->changed_ms < STANDARD_PATIENCE_MS)
        return;
    standard->bare = true;
    standard_ask(standard, "Req");
}

/* Sends a keep-alive if we have sent nothing for long. */
static void live(StandardClient *standard, uint64_t now) {
    if (now - standard->sent_ms >= alive_ms(standard))
        standard_ask(standard, "Req");
}

/* Does what is due by now: reminders, the end of a doubtful pause, keep-alives, giving up. */
static void tick_match(StandardClient *standard, uint64_t now) {
    StandardClientTable *table = &standard->table;
    remind(standard, now);
    if (standard->paused_ms != 0 && now - standard->paused_ms >= STANDARD_DOUBT_MS) {
        standard->paused_ms = 0;
        table->paused = false;
        standard->news = true;
        standard_on_frame_end(standard);
    }
    live(standard, now);
    try_form(standard, now);
    if (standard->setup.careful && cannot_recover(standard, now)) {
        standard_ask(standard, "DisconnectRequest");
        table->finished = true;
        standard_finish(standard, "timeout");
    }
}

/* The match is decided: waits for the winner, and then for the server to close. */
static void tick_end(StandardClient *standard, uint64_t now) {
    uint64_t turn = standard->content == NULL ? 0 : standard->content->limits.turn_ms;
    uint64_t most = STANDARD_FAREWELL_MS;
    if (lacks_winner(standard))
        most = STANDARD_VERDICT_MS;
    if (lacks_winner(standard) && standard->table.awaited != standard->table.you)
        most += turn == 0 || turn > TURN_MOST_MS ? TURN_MOST_MS : turn;
    if (now - standard->decided_ms >= most)
        standard_finish(standard, "the match is over");
    else if (standard->connection != NULL)
        live(standard, now);
}

void standard_tick(StandardClient *standard) {
    uint64_t now = now_ms(standard);
    if (standard->choose_ms != 0 && now >= standard->choose_ms) {
        standard_send_choice(standard);
        standard_enter(standard, STANDARD_WAITING, "the choice is made");
    }
    if (standard->table.decided)
        tick_end(standard, now);
    else if (standard->structure != 0 && standard->connection != NULL)
        tick_match(standard, now);
    else if (standard->blind && standard->connection != NULL)
        live(standard, now);
}

/* --- The standard as a protocol --------------------------------------------------------------- */

/* While a team is chosen every choice has the time of a turn. */
static ClientPosition position(const void *owner) {
    const StandardClient *standard = owner;
    if (standard == NULL || standard->table.content == NULL)
        return (ClientPosition){.you = MASH_SEAT_NONE};
    const StandardClientTable *table = &standard->table;
    bool drafts = standard->phase == STANDARD_DRAFTING;
    return (ClientPosition){.content = table->content,
                            .state = table->state,
                            .you = table->you,
                            .awaited = standard_awaited(standard),
                            .paused = table->paused,
                            .number = table->number,
                            .events = table->events,
                            .turn_began_ms = drafts ? now_ms(standard) : table->turn_ms,
                            .turn_ms = table->content->limits.turn_ms};
}

/* Sends a request, or chooses. */
static bool act(void *standard, MashAction action) { return standard_act(standard, action); }

/* Sends a goodbye. */
static void close_client(void *standard) { standard_close(standard); }

const ClientProtocol standard_client = {position, act, close_client};
