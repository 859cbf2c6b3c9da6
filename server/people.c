/* people.c -- see people.h. */
#include "server/people.h"

#include <stdlib.h>
#include <string.h>

#include "server/arena.h"
#include "server/begun.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/names.h"
#include "server/outbox.h"

enum {
    KNOWN_MAX = STORE_RELATIONS_MAX + STORE_BOTS_MAX, /* whom one player knows */
    LIST_BYTES = 48 << 10,                            /* a list of a message at most */
    CHALLENGE_MS = 7 * 86400000
};

/* What a thread is asked. */
typedef enum PeopleKind {
    PEOPLE_RELATIONS,
    PEOPLE_CHALLENGES,
    PEOPLE_DECLINE,
    PEOPLE_REPORT,
    PEOPLE_FIND, /* the player that `open` challenges */
    PEOPLE_PUT,
    PEOPLE_DROP,
    PEOPLE_HEARD /* what another node says of a challenge */
} PeopleKind;

/* A question on its way through a thread. */
struct PeopleJob {
    PeopleJob *next;
    Server *server;
    Session *session; /* NULL: it is gone, or nobody asked */
    RequestContext request;
    PeopleKind kind;
    uint64_t account, other, now_ms, match;
    char name[PROTO_NAME_MAX + 1];
    bool sets, on;
    StoreRelationKind relation;
    Message *message; /* of PEOPLE_FIND */
    StoreReport report;
    StoreChallenge challenge;
    StoreStatus status;
    Refusal refusal;
    StoreRelation *relations;
    StoreChallenge *challenges;
    uint32_t count;
};

/* --- In a thread ------------------------------------------------------------------------------ */

StoreStatus people_read_blocked(Store *store, uint64_t account, uint64_t **list, uint32_t *count) {
    StoreRelation *all = calloc(STORE_RELATIONS_MAX, sizeof *all);
    uint32_t known = 0;
    *count = 0;
    *list = calloc(STORE_RELATIONS_MAX, sizeof **list);
    StoreStatus status = all == NULL || *list == NULL
                             ? STORE_BUSY
                             : store_relation_list(store, account, all, &known);
    for (uint32_t i = 0; i < known; i++)
        if (all[i].kind == STORE_BLOCKS)
            (*list)[(*count)++] = all[i].other;
    free(all);
    return status;
}

/* Finds the account of the name. */
static StoreStatus find(PeopleJob *job) {
    char folded[NAME_FOLDED_BYTES];
    StoreAccount account;
    if (!name_fold(job->name, folded))
        return STORE_UNKNOWN;
    StoreStatus status = store_account_named(job->server->store, folded, &account);
    job->other = account.id;
    return status;
}

/* Whom the player knows, after a change. */
static StoreStatus do_relations(PeopleJob *job) {
    Store *store = job->server->store;
    StoreStatus status = job->sets ? find(job) : STORE_OK;
    if (status == STORE_OK && job->sets)
        status = store_relation_set(store, job->account, job->other, job->relation, job->on,
                                    job->now_ms);
    job->relations = calloc(KNOWN_MAX, sizeof *job->relations);
    if (job->relations == NULL)
        return STORE_BUSY;
    if (status == STORE_OK)
        status = store_relation_list(store, job->account, job->relations, &job->count);
    uint32_t bots = 0;
    if (status == STORE_OK)
        status = store_bot_list(store, job->account, job->relations + job->count, &bots);
    job->count += bots;
    return status;
}

/* The challenges of and for a player. */
static StoreStatus list_challenges(PeopleJob *job) {
    job->challenges = calloc(STORE_CHALLENGES_MAX, sizeof *job->challenges);
    if (job->challenges == NULL)
        return STORE_BUSY;
    return store_challenge_list(job->server->store, job->account,
                                job->now_ms > CHALLENGE_MS ? job->now_ms - CHALLENGE_MS : 0,
                                job->challenges, &job->count);
}

/* Declines a challenge that is for the player. */
static StoreStatus decline(PeopleJob *job) {
    StoreStatus status = list_challenges(job);
    for (uint32_t i = 0; status == STORE_OK && i < job->count; i++)
        if (job->challenges[i].match == job->match && job->challenges[i].incoming)
            return store_challenge_drop(job->server->store, job->match);
    return status == STORE_OK ? STORE_UNKNOWN : status;
}

static void work(void *what) {
    PeopleJob *job = what;
    Store *store = job->server->store;
    bool blocked = false;
    switch (job->kind) {
    case PEOPLE_RELATIONS:
        job->status = do_relations(job);
        break;
    case PEOPLE_CHALLENGES:
    case PEOPLE_HEARD:
        job->status = list_challenges(job);
        break;
    case PEOPLE_DECLINE:
        job->status = decline(job);
        break;
    case PEOPLE_REPORT:
        job->status = store_report_make(store, &job->report);
        break;
    case PEOPLE_FIND:
        job->status = find(job);
        if (job->status == STORE_OK)
            job->status = store_is_blocked(store, job->account, job->other, &blocked);
        if (job->status == STORE_OK && (blocked || job->other == job->account))
            job->status = STORE_UNKNOWN; /* nobody learns that they are blocked */
        break;
    case PEOPLE_PUT:
        job->status = store_challenge_put(store, &job->challenge, job->now_ms);
        break;
    default:
        job->status = store_challenge_drop(store, job->match);
    }
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* Somebody whom a player knows, and whether that account is connected, here or to another node. */
typedef struct Present {
    uint64_t account;
    bool here;
} Present;

static int by_account(const void *a, const void *b) {
    uint64_t first = ((const Present *)a)->account, second = ((const Present *)b)->account;
    return (first > second) - (first < second);
}

/* Looks who of them is connected, sorted by account: one walk over all sessions, however many there
 * are of either. */
static void look_who_is_here(const PeopleJob *job, Present list[KNOWN_MAX]) {
    for (uint32_t i = 0; i < job->count; i++) {
        uint64_t other = job->relations[i].other;
        list[i] = (Present){.account = other, .here = neighbours_have(job->server, other)};
    }
    qsort(list, job->count, sizeof *list, by_account);
    for (const Session *one = job->server->sessions; one != NULL; one = one->next_all) {
        Present key = {.account = one->player == NULL ? 0 : one->player->id}, *found;
        found = key.account == 0 ? NULL : bsearch(&key, list, job->count, sizeof key, by_account);
        if (found != NULL)
            found->here = true;
    }
}

/* Those of one kind as a list. */
static MessageJson write_relations(const PeopleJob *job, StoreRelationKind kind,
                                   const Present present[KNOWN_MAX], MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    uint32_t began = text->count;
    json_open(&writer, '[');
    for (uint32_t i = 0; i < job->count; i++) {
        if (job->relations[i].kind != kind)
            continue;
        Present key = {.account = job->relations[i].other};
        const Present *found = bsearch(&key, present, job->count, sizeof key, by_account);
        json_open(&writer, '{');
        json_put_pair(&writer, "name", job->relations[i].name);
        json_put_pair_bool(&writer, "here", found != NULL && found->here);
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    return (MessageJson){.bytes = text->bytes + began, .count = text->count - began};
}

/* `relations`; all sessions of the account block whom it blocks now. */
static void answer_relations(Session *session, const PeopleJob *job) {
    char *memory = scratch_take(&session->server->load, LIST_BYTES);
    Message message = message_new(MESSAGE_SERVER_RELATIONS);
    MashText to = text_over(message.relations_told.to, sizeof message.relations_told.to);
    if (memory == NULL) {
        session_fault(session);
        return;
    }
    enum { SHARE = LIST_BYTES / 3 };
    MashText follows = text_over(memory, SHARE);
    MashText blocks = text_over(memory + SHARE, SHARE);
    MashText bots = text_over(memory + 2 * SHARE, SHARE);
    text_string(&to, job->request.to);
    message.relations_told.id = job->request.id;
    if (job->request.has_id)
        message_set_present(&message, "id");
    Present present[KNOWN_MAX];
    look_who_is_here(job, present);
    message.relations_told.follows = write_relations(job, STORE_FOLLOWS, present, &follows);
    message.relations_told.blocks = write_relations(job, STORE_BLOCKS, present, &blocks);
    message.relations_told.bots = write_relations(job, STORE_OWNS, present, &bots);
    arena_send(session, &message);
}

/* Sets whom all sessions of the account block. */
static void spread_blocks(const PeopleJob *job) {
    for (Session *one = job->server->sessions; one != NULL; one = one->next_all) {
        if (one->player == NULL || one->player->id != job->account)
            continue;
        uint64_t *list = calloc(STORE_RELATIONS_MAX, sizeof *list);
        uint32_t count = 0;
        for (uint32_t i = 0; list != NULL && i < job->count; i++)
            if (job->relations[i].kind == STORE_BLOCKS)
                list[count++] = job->relations[i].other;
        player_set_blocked(one, list, count);
    }
}

/* A challenge. */
static void put_challenge(JsonWriter *writer, const StoreChallenge *one) {
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(one->match, code);
    json_open(writer, '{');
    json_put_pair(writer, "code", code);
    json_put_pair(writer, "game", one->game);
    json_put_pair(writer, "name", one->name);
    json_put_pair_bool(writer, "yours", one->incoming);
    if (one->days > 0)
        json_put_pair_int(writer, "days", one->days);
    if (one->rated)
        json_put_pair_bool(writer, "rated", true);
    json_close(writer, '}');
}

/* `challenges`; a table of this node that is gone does not wait any more. */
static void send_challenges(Session *session, const StoreChallenge *list, uint32_t count,
                            const RequestContext *request) {
    Server *server = session->server;
    char *memory = scratch_take(&server->load, LIST_BYTES);
    Message message = message_new(MESSAGE_SERVER_CHALLENGES);
    MashText to = text_over(message.challenges_told.to, sizeof message.challenges_told.to);
    if (memory == NULL) {
        session_fault(session);
        return;
    }
    MashText text = text_over(memory, LIST_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < count; i++)
        if (store_is_shared(server->store) || lobby_find(server, list[i].match) != NULL)
            put_challenge(&writer, &list[i]);
    json_close(&writer, ']');
    message.challenges_told.challenges = (MessageJson){.bytes = memory, .count = text.count};
    if (request != NULL) {
        text_string(&to, request->to);
        message_set_present(&message, "to");
        message.challenges_told.id = request->id;
    }
    if (request != NULL && request->has_id)
        message_set_present(&message, "id");
    arena_send(session, &message);
}

/* Everybody with this account who is connected here is told of a challenge. */
static void tell(Server *server, uint64_t account, const StoreChallenge *challenge) {
    for (Session *one = server->sessions; one != NULL; one = one->next_all)
        if (one->player != NULL && one->player->id == account && one->protocol == &arena_protocol)
            send_challenges(one, challenge, 1, NULL);
}

/* A challenge that was made at another node is told, if it still waits. */
static void tell_heard(const PeopleJob *job) {
    for (uint32_t i = 0; i < job->count; i++)
        if (job->challenges[i].match == job->match && job->challenges[i].incoming)
            tell(job->server, job->account, &job->challenges[i]);
}

/* Takes a job off the list and frees it. */
static void release(PeopleJob *job) {
    PeopleJob **link = &job->server->people_jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    free(job->message);
    free(job->relations);
    free(job->challenges);
    free(job);
}

/* The player was found: the table is opened for them. */
static void open_table(Session *session, const PeopleJob *job) {
    session->server->inviting = job->other;
    lobby_open(session, job->message);
    session->server->inviting = 0;
}

/* The table of a challenge that was declined is closed. */
static void close_declined(Server *server, uint64_t match) {
    Table *table = lobby_find(server, match);
    if (table != NULL && table->state == PROTO_STATE_WAITING && table->config.invited != 0)
        table_close(table, "The challenge was declined.");
}

/* Answers what was done. */
static void answer(Session *session, const PeopleJob *job) {
    switch (job->kind) {
    case PEOPLE_RELATIONS:
        answer_relations(session, job);
        break;
    case PEOPLE_CHALLENGES:
        send_challenges(session, job->challenges, job->count, &job->request);
        break;
    case PEOPLE_FIND:
        open_table(session, job);
        break;
    case PEOPLE_DECLINE:
    case PEOPLE_REPORT:
        arena_done(session);
        break;
    default:
        break;
    }
}

/* What was done is told to others who are concerned, at all nodes. */
static void spread(const PeopleJob *job) {
    Server *server = job->server;
    switch (job->kind) {
    case PEOPLE_RELATIONS:
        spread_blocks(job);
        if (job->sets && job->relation == STORE_BLOCKS)
            neighbours_tell(server, NEWS_BLOCKS, job->account, 0);
        break;
    case PEOPLE_PUT:
        tell(server, job->challenge.other, &job->challenge);
        neighbours_tell(server, NEWS_CHALLENGED, job->challenge.other, job->challenge.match);
        break;
    case PEOPLE_DECLINE:
        close_declined(server, job->match);
        neighbours_tell(server, NEWS_DECLINED, 0, job->match);
        break;
    case PEOPLE_HEARD:
        tell_heard(job);
        break;
    default:
        break;
    }
}

static void done(void *what) {
    PeopleJob *job = what;
    Server *server = job->server;
    Session *session = job->session;
    server->request = job->request;
    if (job->status == STORE_OK)
        spread(job);
    if (job->status == STORE_FULL && job->kind == PEOPLE_PUT)
        close_declined(server, job->challenge.match); /* one has challenged too many */
    if (session != NULL && job->status == STORE_OK) {
        server->request.refused = false;
        answer(session, job);
    } else if (session != NULL) {
        arena_refuse(session, job->status == STORE_UNKNOWN ? job->refusal
                              : job->status == STORE_FULL  ? REFUSAL_TOO_MANY
                                                           : REFUSAL_ACCOUNTS_AWAY);
    }
    release(job);
}

/* --- Requests --------------------------------------------------------------------------------- */

/* Gives a job to a thread. */
static bool start(const PeopleJob *wanted) {
    Server *server = wanted->server;
    PeopleJob *job = malloc(sizeof *job);
    if (job == NULL || server->players.thread_pool == NULL) {
        free(job);
        return false;
    }
    *job = *wanted;
    job->now_ms = net_wall_clock_ms(server->loop);
    if (!net_thread_pool_submit(server->players.thread_pool, work, done, job)) {
        free(job);
        return false;
    }
    job->next = server->people_jobs;
    server->people_jobs = job;
    return true;
}

/* The same for a request, which is answered later. */
static void start_request(Session *session, PeopleJob *job) {
    job->server = session->server;
    job->session = session;
    job->request = session->server->request;
    job->account = session->player == NULL ? 0 : session->player->id;
    if (start(job)) {
        session->server->request.refused = true;
        return;
    }
    free(job->message);
    arena_refuse(session, REFUSAL_ACCOUNTS_AWAY);
}

/* Is somebody with this account connected here? */
static bool is_here(const Server *server, uint64_t account) {
    const Session *one = server->sessions;
    while (one != NULL && (one->player == NULL || one->player->id != account))
        one = one->next_all;
    return one != NULL;
}

void people_heard(Server *server, NeighbourNews news, uint64_t account, uint64_t match) {
    PeopleJob job = {.server = server, .account = account, .match = match};
    if (news == NEWS_DECLINED)
        close_declined(server, match);
    if ((news != NEWS_CHALLENGED && news != NEWS_BLOCKS) || !is_here(server, account))
        return;
    job.kind = news == NEWS_BLOCKS ? PEOPLE_RELATIONS : PEOPLE_HEARD;
    start(&job); /* if it cannot: the lists have it */
}

bool people_handle(MessageKind kind) {
    return kind == MESSAGE_CLIENT_RELATIONS || kind == MESSAGE_CLIENT_CHALLENGES ||
           kind == MESSAGE_CLIENT_DECLINE || kind == MESSAGE_CLIENT_REPORT;
}

/* Takes what `relations` asks. False: it was refused. */
static bool take_relation(Session *session, const Message *request, PeopleJob *job) {
    uint8_t what = request->relations.what;
    job->sets = message_has(request, "what");
    if (job->sets != message_has(request, "name")) {
        arena_refuse_because(session, REFUSAL_MALFORMED, "relations: give `what` and `name`");
        return false;
    }
    memcpy(job->name, request->relations.name, sizeof job->name);
    job->on = what == PROTO_RELATION_FOLLOW || what == PROTO_RELATION_BLOCK;
    job->relation = what == PROTO_RELATION_FOLLOW || what == PROTO_RELATION_UNFOLLOW ? STORE_FOLLOWS
                                                                                     : STORE_BLOCKS;
    return true;
}

/* Takes a report. False: it was refused. */
static bool take_report(Session *session, const Message *request, PeopleJob *job) {
    StoreReport *report = &job->report;
    MashText reason = text_over(report->reason, sizeof report->reason);
    text_string(&reason, request->report.reason);
    if (!table_code_decode(request->report.code, &report->match) ||
        !session_sanitize(report->reason)) {
        arena_refuse_because(session, REFUSAL_MALFORMED, "report: give a code and a reason");
        return false;
    }
    net_random(session->server->loop, &report->id, sizeof report->id);
    report->id >>= 24; /* short enough to be typed */
    report->account = session->player == NULL ? 0 : session->player->id;
    report->made_ms = net_wall_clock_ms(session->server->loop);
    return true;
}

void people_request(Session *session, const Message *request) {
    Server *server = session->server;
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    bool reports = request->kind == MESSAGE_CLIENT_REPORT;
    PeopleJob job = {.refusal = REFUSAL_NO_ONE};
    if (session->player == NULL && !reports) {
        arena_refuse(session, REFUSAL_NEEDS_ACCOUNT);
        return;
    }
    if (!budget_may_log_in(server, session->account, reports, &text)) {
        arena_refuse_because(session, REFUSAL_TOO_FAST, reason);
        return;
    }
    job.kind = reports                                      ? PEOPLE_REPORT
               : request->kind == MESSAGE_CLIENT_RELATIONS  ? PEOPLE_RELATIONS
               : request->kind == MESSAGE_CLIENT_CHALLENGES ? PEOPLE_CHALLENGES
                                                            : PEOPLE_DECLINE;
    if ((reports && !take_report(session, request, &job)) ||
        (job.kind == PEOPLE_RELATIONS && !take_relation(session, request, &job)))
        return;
    if (job.kind == PEOPLE_DECLINE) {
        job.refusal = REFUSAL_NO_SUCH_TABLE;
        table_code_decode(request->decline.code, &job.match);
    }
    start_request(session, &job);
}

void people_challenge(Session *session, const Message *request) {
    PeopleJob job = {.kind = PEOPLE_FIND, .refusal = REFUSAL_NO_ONE};
    if (session->player == NULL) {
        arena_refuse(session, REFUSAL_NEEDS_ACCOUNT);
        return;
    }
    if (request->open.documents.count > 0 || request->open.opponent == PROTO_OPPONENT_AI ||
        begun_wanted(request)) {
        arena_refuse_because(session, REFUSAL_MALFORMED,
                             "challenge: without your own files and `begun`, and not for an AI "
                             "player");
        return;
    }
    memcpy(job.name, request->open.challenge, sizeof job.name);
    job.message = malloc(sizeof *job.message);
    if (job.message == NULL) {
        arena_refuse(session, REFUSAL_ACCOUNTS_AWAY);
        return;
    }
    *job.message = *request;
    start_request(session, &job);
}

void people_challenged(Table *table) {
    const Chair *host = &table->chairs[table->chairs[0].taken ? 0 : 1];
    PeopleJob job = {.server = table->server,
                     .kind = PEOPLE_PUT,
                     .challenge = {.match = table->number,
                                   .account = host->player,
                                   .other = table->config.invited,
                                   .days = table->config.clocks.days,
                                   .rated = table->config.rated,
                                   .incoming = true}};
    MashText game = text_over(job.challenge.game, sizeof job.challenge.game);
    MashText name = text_over(job.challenge.name, sizeof job.challenge.name);
    text_string(&game, table->config.content->content->game->id);
    text_string(&name, host->name);
    start(&job); /* if it cannot: who has the code may still join */
}

void people_unchallenge(Table *table) {
    PeopleJob job = {.server = table->server, .kind = PEOPLE_DROP, .match = table->number};
    if (table->config.invited != 0 && table->state == PROTO_STATE_WAITING &&
        !table->server->draining)
        start(&job);
}

bool people_may_meet(const Session *session, const Table *table) {
    if (table->config.invited != 0 &&
        (session->player == NULL || session->player->id != table->config.invited))
        return false;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        if (!chair->taken)
            continue;
        if (player_blocks(session, chair->player) ||
            (chair->session != NULL && session->player != NULL &&
             player_blocks(chair->session, session->player->id)))
            return false;
    }
    return true;
}

void people_send_chat(const Session *from, const Message *line) {
    Table *table = from->table;
    uint64_t account = from->player == NULL ? 0 : from->player->id;
    bool any = false;
    for (Session *one = table_session_after(table, NULL); one != NULL;
         one = table_session_after(table, one))
        any |= player_blocks(one, account);
    if (!any) {
        arena_send_all(table, line);
        return;
    }
    for (Session *one = table_session_after(table, NULL); one != NULL;
         one = table_session_after(table, one))
        if (one->protocol == &arena_protocol && !player_blocks(one, account))
            outbox_send(one, server_frame(table->server, line));
}

void people_forget(Session *session) {
    for (PeopleJob *job = session->server->people_jobs; job != NULL; job = job->next)
        if (job->session == session)
            job->session = NULL;
}

void people_close(Server *server) {
    while (server->people_jobs != NULL)
        release(server->people_jobs);
}
