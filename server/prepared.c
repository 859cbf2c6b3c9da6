/* prepared.c -- see prepared.h. A record is the seat, PROTO_PREPARE_..., how many entries were
 * done, and strings, each with a NUL: of a branch its condition as it was given and as it is
 * compared, and its entries; of an outcome the entry at which it stopped. */
#include "server/prepared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/walk.h"
#include "proto/action.h"
#include "server/actions.h"
#include "server/arena.h"
#include "server/days.h"
#include "server/internal.h"
#include "server/outbox.h"
#include "server/records.h"

enum {
    BRANCHES_MAX = 8,
    WRITTEN_MAX = 64,  /* branches that are written from one turn to the next */
    ACTIONS_MAX = 256, /* of one turn, with all steps of walks */
    HEAD_BYTES = 3,
    RECORD_BYTES = HEAD_BYTES + (PROTO_ACTS_MAX + 2) * (PROTO_NOTATION_MAX + 1),
    LIST_BYTES = BRANCHES_MAX * (RECORD_BYTES * 2) + 1024,
    HEX_DIGITS = 2 * sizeof(MashAction)
};

/* Some entries, and when they are done. */
typedef struct Branch Branch;
struct Branch {
    Branch *next;
    const char *when;     /* as it was given; "": in any other case */
    const char *compared; /* 16 digits or an aim */
    uint32_t count;
    const char *entries[PROTO_ACTS_MAX];
    char text[]; /* all of these strings */
};

/* What a seat has left. */
struct Prepared {
    Branch *branches;     /* the oldest first */
    const Branch *chosen; /* what is done in this turn; NULL: nothing */
    uint32_t at, actions; /* the next entry; how many actions were done */
    uint32_t written;
    uint8_t outcome; /* PROTO_PREPARE_... */
    uint8_t done;    /* entries */
    char stopped[PROTO_NOTATION_MAX + 1];
    bool due, running; /* the turn has come; it is being done */
};

/* "UNIT>X,Y" or "UNIT>X,Y=OTHER". */
typedef struct Aim {
    unsigned unit, other;
    int x, y;
} Aim;

static bool read_aim(const char *words, Aim *aim) {
    int end = 0;
    aim->other = MASH_UNIT_NONE;
    if (sscanf(words, "%3u>%3d,%3d%n", &aim->unit, &aim->x, &aim->y, &end) == 3 && end > 0 &&
        words[end] == '=') {
        int more = 0;
        if (sscanf(words + end, "=%3u%n", &aim->other, &more) != 1)
            return false;
        end += more;
    }
    return end > 0 && words[end] == '\0' && aim->unit < MASH_UNIT_NONE &&
           aim->other <= MASH_UNIT_NONE && aim->x >= 0 && aim->y >= 0;
}

/* Does the verb name this thing? */
static bool names(const MashGame *game, uint8_t verb, const char *thing) {
    const char *form = mash_verb_form(game, verb), *found = strstr(form, thing);
    return found != NULL && found < form + strcspn(form, "|");
}

/* Does the unit of the aim act there with this action? */
static bool is_aimed(const MashGame *game, MashAction action, const Aim *aim) {
    if (action.verb >= MASH_VERB_RESIGN || action.unit != aim->unit ||
        !names(game, action.verb, "{unit}"))
        return false;
    if (names(game, action.verb, "{cell}"))
        return action.x == aim->x && action.y == aim->y;
    return aim->other != MASH_UNIT_NONE && action.other == aim->other &&
           names(game, action.verb, "{other}");
}

/* --- What is kept ----------------------------------------------------------------------------- */

/* What the seat has left, made if need be. NULL: no memory. */
static Prepared *prepared_of(Table *table, uint8_t seat) {
    if (table->prepared[seat] == NULL)
        table->prepared[seat] = calloc(1, sizeof *table->prepared[seat]);
    return table->prepared[seat];
}

static void drop_branches(Prepared *prepared) {
    while (prepared->branches != NULL) {
        Branch *branch = prepared->branches;
        prepared->branches = branch->next;
        free(branch);
    }
    prepared->chosen = NULL;
    prepared->due = false;
}

/* Forgets all that the seat has left. */
static void forget(Table *table, uint8_t seat) {
    if (table->prepared[seat] == NULL)
        return;
    drop_branches(table->prepared[seat]);
    free(table->prepared[seat]);
    table->prepared[seat] = NULL;
}

void prepared_release(Table *table) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        forget(table, seat);
}

/* The strings of a record as a branch. NULL: it is not valid, or there is no memory. */
static Branch *read_branch(const char *text, size_t count) {
    Branch *branch = count == 0 || text[count - 1] != '\0' ? NULL : malloc(sizeof *branch + count);
    if (branch == NULL)
        return NULL;
    memset(branch, 0, sizeof *branch);
    memcpy(branch->text, text, count);
    uint32_t number = 0;
    for (size_t at = 0; at < count; at += strlen(branch->text + at) + 1, number++) {
        const char *words = branch->text + at;
        if (strlen(words) > PROTO_NOTATION_MAX || number >= PROTO_ACTS_MAX + 2) {
            free(branch);
            return NULL;
        }
        if (number == 0)
            branch->when = words;
        else if (number == 1)
            branch->compared = words;
        else
            branch->entries[branch->count++] = words;
    }
    if (number >= 2)
        return branch;
    free(branch);
    return NULL;
}

/* Puts a branch in the place of the one with the same condition; one without entries drops it. */
static void put_branch(Prepared *prepared, Branch *branch) {
    Branch **link = &prepared->branches;
    prepared->outcome = PROTO_PREPARE_KEPT;
    prepared->written++;
    while (*link != NULL && strcmp((*link)->compared, branch->compared) != 0)
        link = &(*link)->next;
    Branch *old = *link;
    if (old != NULL) {
        *link = old->next;
        free(old);
    }
    if (branch->count == 0) {
        free(branch);
        return;
    }
    branch->next = *link;
    *link = branch;
}

bool prepared_replay(Table *table, const StoreRecord *record) {
    const uint8_t *bytes = record->bytes;
    if (record->count <= HEAD_BYTES || bytes[0] >= MASH_SEATS || bytes[1] >= PROTO_PREPARE_COUNT ||
        bytes[record->count - 1] != '\0')
        return false;
    Prepared *prepared = prepared_of(table, bytes[0]);
    const char *text = (const char *)bytes + HEAD_BYTES;
    if (prepared == NULL)
        return false;
    if (bytes[1] == PROTO_PREPARE_KEPT) {
        Branch *branch = read_branch(text, record->count - HEAD_BYTES);
        if (branch != NULL)
            put_branch(prepared, branch);
        return branch != NULL;
    }
    MashText stopped = text_over(prepared->stopped, sizeof prepared->stopped);
    text_string(&stopped, text);
    prepared->outcome = bytes[1];
    prepared->done = bytes[2];
    prepared->written = 0;
    drop_branches(prepared);
    return true;
}

/* --- Conditions ------------------------------------------------------------------------------- */

/* Did the other side do this in the turn that has just ended? What comes before the first turn of a
 * game that hides something does not count. */
static bool holds(const Table *table, uint8_t seat, const char *compared) {
    const Match *match = &table->match;
    const MashGame *game = match->content->game;
    uint32_t first = 0;
    Aim aim;
    bool by_aim = read_aim(compared, &aim);
    while (game->guess != NULL && first < match->actions_count &&
           (match->notes[first] & MATCH_NOTE_TURN) == 0)
        first++;
    for (uint32_t i = match->actions_count; i > first + (game->guess != NULL); i--) {
        MashAction action = match->actions[i - 1], wanted;
        if (action.seat == seat && action.verb < MASH_VERB_RESIGN)
            return false;
        if (action.seat != 1 - seat)
            continue;
        if (by_aim ? is_aimed(game, action, &aim)
                   : action_from_hex(compared, &wanted) &&
                         (wanted.seat = action.seat, memcmp(&wanted, &action, sizeof action) == 0))
            return true;
    }
    return false;
}

void prepared_choose(Table *table, uint8_t seat) {
    Prepared *prepared = table->prepared[seat];
    if (prepared == NULL || prepared->branches == NULL || prepared->due)
        return;
    prepared->due = true;
    prepared->at = prepared->actions = 0;
    prepared->chosen = NULL;
    for (const Branch *branch = prepared->branches; branch != NULL; branch = branch->next) {
        if (branch->when[0] != '\0' && holds(table, seat, branch->compared)) {
            prepared->chosen = branch;
            return;
        }
        if (branch->when[0] == '\0')
            prepared->chosen = branch;
    }
}

/* --- Entries ---------------------------------------------------------------------------------- */

/* The unit that stands on the cell, as the view shows it; MASH_UNIT_NONE: none. */
static uint8_t unit_at(const MashContent *content, const void *view, const Aim *aim) {
    void *memory = malloc(mash_board_bytes(content));
    uint8_t unit = MASH_UNIT_NONE;
    if (memory == NULL)
        return unit;
    MashBoard board = mash_board_over(content, memory);
    content->game->show(content, view, &board);
    for (uint32_t i = 0; i < board.tokens_count; i++)
        if (board.tokens[i].place == MASH_ON_BOARD && board.tokens[i].x == aim->x &&
            board.tokens[i].y == aim->y && board.tokens[i].unit != MASH_UNIT_NONE)
            unit = board.tokens[i].unit;
    free(memory);
    return unit;
}

/* The one listed action that an aim means; false: there is none, or there are several. */
static bool find_aimed(const Table *table, const void *view, uint8_t seat, const Aim *aim,
                       MashAction *action) {
    const MashContent *content = table->match.content;
    MashAction *list = malloc((content->limits.actions_max + 1) * sizeof *list);
    uint32_t count = list == NULL ? 0 : content->game->actions(content, view, seat, list);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_aimed(content->game, list[i], aim)) {
            *action = list[i];
            found++;
        }
    free(list);
    return found == 1;
}

/* The first action of the way to an aim; `last`: the way has no more. */
static bool find_way(const Table *table, const void *view, uint8_t seat, const Aim *aim,
                     MashAction *action, bool *last) {
    const MashContent *content = table->match.content;
    MashAction path[WALK_STEPS_MAX + 1];
    Walk walk;
    uint32_t count = 0;
    void *memory = malloc(walk_bytes(content));
    if (memory != NULL && walk_search(&walk, content, view, seat, (uint8_t)aim->unit, memory)) {
        const WalkNode *node = aim->other == MASH_UNIT_NONE
                                   ? walk_node(&walk, (uint32_t)aim->x, (uint32_t)aim->y)
                                   : NULL;
        if (aim->other != MASH_UNIT_NONE)
            count = walk_attack(&walk, (uint8_t)aim->other, path);
        else if (node != NULL && node->loss == 0)
            count = walk_path(&walk, node, path);
    }
    free(memory);
    *last = count == 1;
    if (count > 0)
        *action = path[0];
    return count > 0;
}

/* The next action of an entry, in the present state; `last`: the entry is done with it. False: it
 * is not possible any more. */
static bool next_action(Table *table, uint8_t seat, const char *words, MashAction *action,
                        bool *last) {
    Aim aim;
    *last = true;
    if (!read_aim(words, &aim))
        return actions_read(table, seat, words, action);
    const void *view = positions_view(table, seat);
    if (unit_at(table->match.content, view, &aim) != aim.other)
        return false;
    return find_aimed(table, view, seat, &aim, action) ||
           find_way(table, view, seat, &aim, action, last);
}

/* The next action of the turn. False: there is none, or it is not possible. */
static bool next_of(Table *table, uint8_t seat, MashAction *action, bool *last) {
    Prepared *prepared = table->prepared[seat];
    return prepared->chosen != NULL && prepared->at < prepared->chosen->count &&
           prepared->actions < ACTIONS_MAX &&
           next_action(table, seat, prepared->chosen->entries[prepared->at], action, last);
}

/* An action of the turn is done. */
static void advance(Prepared *prepared, bool last) {
    prepared->actions++;
    prepared->at += last;
}

void prepared_replay_step(Table *table, const StoreRecord *record) {
    uint32_t count = records_actions(record);
    MashAction done, next;
    bool last;
    if (count == 0)
        return;
    memcpy(&done, record->bytes, sizeof done);
    Prepared *prepared = done.seat < MASH_SEATS ? table->prepared[done.seat] : NULL;
    if (prepared == NULL || done.verb >= MASH_VERB_RESIGN)
        return;
    if (prepared->due && count == 1 && next_of(table, done.seat, &next, &last) &&
        memcmp(&next, &done, sizeof done) == 0)
        advance(prepared, last);
    else
        forget(table, done.seat);
}

/* --- Carrying out ----------------------------------------------------------------------------- */

/* Is the seat still the one that did the last thing, and awaited? */
static bool goes_on(const Table *table, uint8_t seat) {
    const Match *match = &table->match;
    const Prepared *prepared = table->prepared[seat];
    return table_is_running(table) &&
           (match->content->game->awaited(match->content, match->state) >> seat & 1) != 0 &&
           (prepared->actions == 0 || match->actions[match->actions_count - 1].seat == seat);
}

/* Writes what has become of the turn, and tells its owner. */
static void conclude(Table *table, uint8_t seat, uint8_t outcome) {
    Prepared *prepared = table->prepared[seat];
    uint8_t bytes[HEAD_BYTES + PROTO_NOTATION_MAX + 1] = {seat, outcome, (uint8_t)prepared->at};
    const char *entry = outcome == PROTO_PREPARE_STOPPED && prepared->at < prepared->chosen->count
                            ? prepared->chosen->entries[prepared->at]
                            : "";
    uint32_t count = (uint32_t)strlen(entry) + 1;
    memcpy(bytes + HEAD_BYTES, entry, count);
    memcpy(prepared->stopped, entry, count);
    prepared->outcome = outcome;
    prepared->done = (uint8_t)prepared->at;
    prepared->written = 0;
    if (!match_result(&table->match).over)
        records_write(table, RECORD_PREPARED, bytes, HEAD_BYTES + count);
    drop_branches(prepared);
    if (table->chairs[seat].session != NULL)
        prepared_send(table->chairs[seat].session, false);
}

/* Does what the seat has left, up to the first entry that is not possible. */
static void carry_out(Table *table, uint8_t seat) {
    Prepared *prepared = table->prepared[seat];
    uint8_t outcome = prepared->chosen == NULL ? PROTO_PREPARE_UNFIT : PROTO_PREPARE_DONE;
    while (outcome == PROTO_PREPARE_DONE && prepared->at < prepared->chosen->count) {
        MashAction action;
        bool last;
        Refusal why = REFUSAL_COUNT;
        if (!goes_on(table, seat) || !next_of(table, seat, &action, &last)) {
            outcome = PROTO_PREPARE_STOPPED;
            break;
        }
        prepared->running = true;
        advance(prepared, last);
        MashStatus status = actions_apply(table, action, &why);
        prepared->running = false;
        if (status == MASH_OK)
            continue;
        prepared->actions--;
        prepared->at -= last;
        if (why != REFUSAL_COUNT)
            return; /* the store is full, or the server closes: it goes on when the match does */
        outcome = PROTO_PREPARE_STOPPED;
    }
    conclude(table, seat, outcome);
}

void prepared_run(Table *table) {
    Server *server = table->server;
    RequestContext request = server->request;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const Prepared *prepared = table->prepared[seat];
        if (prepared == NULL || !prepared->due || prepared->running || days_is_held(table) ||
            !table_is_running(table))
            continue;
        server->request = (RequestContext){.to = NULL}; /* it answers nobody's request */
        carry_out(table, seat);
        server->request = request;
    }
}

void prepared_acted(Table *table) {
    const Match *match = &table->match;
    MashAction action = match->actions[match->actions_count - 1];
    const Prepared *prepared = action.seat < MASH_SEATS ? table->prepared[action.seat] : NULL;
    if (prepared != NULL && action.verb < MASH_VERB_RESIGN && !prepared->running)
        forget(table, action.seat);
    prepared_run(table);
}

/* --- Messages --------------------------------------------------------------------------------- */

/* All that is kept, as a list. */
static void put_branches(JsonWriter *writer, const Prepared *prepared) {
    json_open(writer, '[');
    for (const Branch *branch = prepared->branches; branch != NULL; branch = branch->next) {
        json_open(writer, '{');
        if (branch->when[0] != '\0')
            json_put_pair(writer, "when", branch->when);
        json_put_key(writer, "actions");
        json_open(writer, '[');
        for (uint32_t i = 0; i < branch->count; i++)
            json_put_string(writer, branch->entries[i]);
        json_close(writer, ']');
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

void prepared_send(Session *session, bool answers) {
    const Table *table = session->table;
    Server *server = session->server;
    const Prepared *prepared = session->seat < MASH_SEATS ? table->prepared[session->seat] : NULL;
    char *memory = prepared == NULL || session->protocol != &arena_protocol
                       ? NULL
                       : scratch_take(&server->load, LIST_BYTES);
    if (memory == NULL)
        return;
    MashText text = text_over(memory, LIST_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    put_branches(&writer, prepared);
    Message message = message_new(MESSAGE_SERVER_PREPARED);
    memcpy(message.prepared.code, table->code, sizeof table->code);
    message.prepared.what = prepared->outcome;
    message.prepared.branches = (MessageJson){.bytes = memory, .count = text.count};
    message.prepared.id = server->request.id;
    if (answers && server->request.has_id)
        message_set_present(&message, "id");
    message.prepared.done = prepared->done;
    if (prepared->outcome != PROTO_PREPARE_KEPT)
        message_set_present(&message, "done");
    memcpy(message.prepared.action, prepared->stopped, sizeof prepared->stopped);
    if (prepared->outcome == PROTO_PREPARE_STOPPED && prepared->stopped[0] != '\0')
        message_set_present(&message, "action");
    outbox_send(session, server_frame(server, &message));
}

/* The condition of a request as it is compared: digits, an aim, or words for digits. False: it is
 * none of these. */
static bool read_condition(const Session *session, const char *when, MashText *out) {
    Table *table = session->table;
    const MashContent *content = table->match.content;
    uint8_t other = (uint8_t)(1 - session->seat);
    MashAction action;
    Aim aim;
    if (read_aim(when, &aim)) {
        text_string(out, when);
        return true;
    }
    if (!action_from_hex(when, &action)) {
        MashAction *list = malloc((content->limits.actions_max + 1) * sizeof *list);
        bool found = list != NULL && content->game->guess == NULL &&
                     action_find(content, table->match.state, other, when, list, &action);
        free(list);
        if (!found)
            return false;
    }
    action.seat = other;
    action_to_hex(action, out);
    return true;
}

/* The record of a request in `bytes`, which holds RECORD_BYTES. 0: it was refused. */
static uint32_t write_request(Session *session, const Message *request, char *bytes) {
    const Json *json = &request->json;
    uint32_t list = message_has(request, "actions") ? request->prepare.actions.node : JSON_NONE;
    const char *when = message_has(request, "when") ? request->prepare.when : "";
    uint32_t count = list == JSON_NONE ? 0 : json->nodes[list].count;
    char compared[PROTO_NOTATION_MAX + 1];
    MashText digits = text_over(compared, sizeof compared);
    if (when[0] != '\0' && !read_condition(session, when, &digits)) {
        arena_refuse(session, REFUSAL_NO_SUCH_WORD);
        return 0;
    }
    if (count > PROTO_ACTS_MAX || (list != JSON_NONE && count == 0)) {
        arena_refuse_because(session, REFUSAL_MALFORMED, "actions: must have 1 to 64 entries");
        return 0;
    }
    MashText text = text_over(bytes, RECORD_BYTES);
    text_byte(&text, (char)session->seat);
    text_byte(&text, PROTO_PREPARE_KEPT);
    text_byte(&text, 0);
    text_string(&text, when);
    text_byte(&text, '\0');
    text_string(&text, compared);
    text_byte(&text, '\0');
    for (uint32_t i = count > 0 ? json_first(json, list) : JSON_NONE; i != JSON_NONE;
         i = json->nodes[i].next) {
        char words[PROTO_NOTATION_MAX + 1];
        MashText entry = text_over(words, sizeof words);
        json_string(json, i, &entry);
        if (entry.truncated || entry.count == 0 || strlen(words) != entry.count) {
            arena_refuse_because(session, REFUSAL_MALFORMED, "actions: one is empty or too long");
            return 0;
        }
        text_string(&text, words);
        text_byte(&text, '\0');
    }
    return text.count;
}

/* May the seat leave a turn now, or (`more` is false) drop one? */
static Refusal may_prepare(const Table *table, uint8_t seat, bool more) {
    const MashContent *content = table->match.content;
    const Prepared *prepared = table->prepared[seat];
    uint32_t branches = 0;
    if (!days_is(table))
        return REFUSAL_ONLY_BY_DAYS;
    if ((content->game->awaited(content, table->match.state) >> seat & 1) != 0)
        return REFUSAL_YOUR_TURN;
    for (const Branch *at = prepared == NULL ? NULL : prepared->branches; at != NULL; at = at->next)
        branches++;
    if (prepared != NULL && more && (prepared->written >= WRITTEN_MAX || branches >= BRANCHES_MAX))
        return REFUSAL_TOO_MANY;
    return REFUSAL_COUNT;
}

void prepared_request(Session *session, const Message *request) {
    Table *table = session->table;
    Server *server = session->server;
    Refusal why = may_prepare(table, session->seat, message_has(request, "actions"));
    if (why != REFUSAL_COUNT) {
        arena_refuse(session, why);
        return;
    }
    char *bytes = scratch_take(&server->load, RECORD_BYTES);
    uint32_t count = bytes == NULL ? 0 : write_request(session, request, bytes);
    if (count == 0)
        return;
    Prepared *prepared = prepared_of(table, session->seat);
    Branch *branch = read_branch(bytes + HEAD_BYTES, count - HEAD_BYTES);
    if (prepared == NULL || branch == NULL ||
        !records_write(table, RECORD_PREPARED, bytes, count)) {
        free(branch);
        arena_refuse(session, REFUSAL_FULL);
        return;
    }
    put_branch(prepared, branch);
    prepared_send(session, true);
}
