/* rated.c -- see rated.h. */
#include "server/rated.h"

#include <stdlib.h>
#include <string.h>

#include "server/arena.h"
#include "server/internal.h"
#include "server/leavers.h"
#include "server/lobby.h"
#include "server/opening.h"
#include "server/outbox.h"
#include "server/people.h"
#include "server/players.h"
#include "server/records.h"

enum {
    TRIES = 8,           /* of counting, when ratings change meanwhile */
    RETRY_MS = 1000,     /* until the store is asked again */
    PAIR_MS = 2000,      /* from one comparison of those who wait to the next */
    WINDOW = 100,        /* points between two who are paired at once, */
    WINDOW_SECOND = 10,  /* more for each second that one of them has waited, */
    WINDOW_UNSURE = 200, /* and more if one of them has no certain rating */
    ANYBODY_MS = 120000, /* whoever has waited for this long plays anybody */
    DAY_MS = 86400000
};

/* --- Who may play ----------------------------------------------------------------------------- */

bool rated_may_open(Session *session, bool rated, bool unfair) {
    if (!rated)
        return true;
    if (session->player == NULL)
        arena_refuse(session, REFUSAL_NEEDS_ACCOUNT);
    else if (unfair)
        arena_refuse_because(session, REFUSAL_NOT_RATEABLE,
                             "A rated match has no AI player of the server, no chosen seat, no "
                             "custom files, begins at its start, and spectators see nothing "
                             "hidden.");
    return session->player != NULL && !unfair;
}

bool rated_may_join(Session *session, const Table *table) {
    Refusal refusal = REFUSAL_COUNT;
    if (!table->config.rated)
        return true;
    if (session->player == NULL)
        refusal = REFUSAL_NEEDS_ACCOUNT;
    for (uint32_t seat = 0; seat < MASH_SEATS && refusal == REFUSAL_COUNT; seat++)
        if (table->chairs[seat].player == session->player->id)
            refusal = REFUSAL_SAME_PLAYER;
    if (refusal == REFUSAL_COUNT)
        return true;
    arena_refuse(session, refusal);
    return false;
}

/* The game and the pace of a configuration. */
static const char *game_of(const TableConfig *config) { return config->content->content->game->id; }

static RatingPace pace_at(const TableConfig *config) {
    const ClockLimits *clocks = &config->clocks;
    return pace_of_clock(clocks->turn_ms, clocks->bank_ms, clocks->increment_ms);
}

/* The rating of a session for such a match; a new player's if it has none. */
static PlayerRating rating_for(const Session *session, const TableConfig *config) {
    PlayerRating rating = {.rating = GLICKO_START, .provisional = true};
    player_rating(session, game_of(config), pace_at(config), &rating);
    return rating;
}

int32_t rated_points(const Session *session, const TableConfig *config) {
    return rating_for(session, config).rating;
}

void rated_sit(Table *table, uint8_t seat, const Session *session) {
    Chair *chair = &table->chairs[seat];
    PlayerRating rating;
    chair->player = session->player == NULL ? 0 : session->player->id;
    chair->leaves = session->player != NULL && session->player->leaves;
    if (!player_rating(session, game_of(&table->config), pace_at(&table->config), &rating))
        return;
    chair->rating = rating.rating;
    chair->provisional = rating.provisional;
}

void rated_begin(Table *table) {
    const Chair *chairs = table->chairs;
    table->config.rated = table->config.rated && chairs[0].player != 0 && chairs[1].player != 0 &&
                          chairs[0].player != chairs[1].player;
    table->config.near = table->config.rated && chairs[0].account == chairs[1].account;
}

/* --- Pairing ---------------------------------------------------------------------------------- */

/* Does the table wait for a quick match, with somebody there? */
static bool waits(const Table *table) {
    return table->state == PROTO_STATE_WAITING && table->config.clocks.days == 0 &&
           table->config.quick && !table_deserted(table);
}

/* The session that waits at a table. */
static Session *who_waits(const Table *table) {
    return table->chairs[table->chairs[0].taken ? 0 : 1].session;
}

/* May the two meet, after somebody has waited for so long? Who leaves matches often plays others
 * who do, before they play anybody. */
static bool may_meet(const Session *session, const Table *table, uint64_t waited_ms) {
    return people_may_meet(session, table) &&
           (waited_ms >= ANYBODY_MS || leavers_alike(session, table));
}

/* How far from each other the two are, or UINT32_MAX: too far. Without ratings all are near. */
static uint32_t distance(const Session *session, const Table *table, uint64_t waited_ms) {
    const Session *other = who_waits(table);
    if (!may_meet(session, table, waited_ms))
        return UINT32_MAX;
    if (!table->config.rated)
        return 0;
    PlayerRating one = rating_for(session, &table->config);
    PlayerRating two = rating_for(other, &table->config);
    uint32_t apart = (uint32_t)abs(one.rating - two.rating), most = WINDOW;
    if (session->player == NULL || other->player == NULL ||
        session->player->id == other->player->id)
        return UINT32_MAX;
    most += (uint32_t)(waited_ms / 1000) * WINDOW_SECOND;
    if (one.provisional || two.provisional)
        most += WINDOW_UNSURE;
    return apart <= most || waited_ms >= ANYBODY_MS ? apart : UINT32_MAX;
}

/* How long somebody has waited at the table. */
static uint64_t waited_at(const Table *table) {
    return server_now_ms(table->server) - table->opened_ms;
}

Table *rated_find(const Session *session, const TableConfig *config) {
    Table *found = NULL;
    uint32_t nearest = UINT32_MAX;
    for (Table *table = session->server->tables; table != NULL; table = table->next) {
        if (!waits(table) || !table_config_equal(&table->config, config))
            continue;
        uint32_t apart = distance(session, table, waited_at(table));
        if (apart == UINT32_MAX || (found != NULL && apart > nearest))
            continue;
        found = table;
        nearest = apart;
    }
    return found;
}

/* The table of somebody else who waits and is near enough by now, the nearest; NULL: none. */
static Table *partner_of(const Table *table) {
    Table *found = NULL;
    uint32_t nearest = UINT32_MAX;
    for (Table *other = table->next; other != NULL; other = other->next) {
        if (!waits(other) || !table_config_equal(&table->config, &other->config))
            continue;
        uint32_t apart = distance(who_waits(table), other, waited_at(other));
        if (apart == UINT32_MAX || (found != NULL && apart > nearest))
            continue;
        found = other;
        nearest = apart;
    }
    return found;
}

/* Brings whoever waits at the newer table to the older one, where the match begins. */
static void join_tables(Table *newer, Table *older) {
    Session *session = who_waits(newer);
    table_leave(session, false); /* which closes the table: nobody else is there */
    table_sit(older, older->chairs[0].taken ? 1 : 0, session);
    table_begin(older);
}

/* Does who waits there accept more by and by? */
static bool widens(const Table *table) {
    return table->config.rated || table->chairs[table->chairs[0].taken ? 0 : 1].leaves;
}

/* The timer: pairs those who wait. Each pair that is found changes the list, which is then begun
 * again. */
static void pair_all(void *owner) {
    Server *server = owner;
    bool more = false;
    for (Table *table = server->tables, *next; table != NULL; table = next) {
        next = table->next;
        if (!waits(table))
            continue;
        Table *older = partner_of(table);
        more |= widens(table);
        if (older == NULL)
            continue;
        join_tables(table, older);
        next = server->tables;
    }
    if (more && !server->draining)
        net_timer_start(server->players.pairing, PAIR_MS);
}

void rated_wait(const Table *table) {
    Server *server = table->server;
    Players *players = &server->players;
    if (!waits(table) || !widens(table))
        return;
    if (players->pairing == NULL)
        players->pairing = net_timer_open(server->loop, pair_all, server);
    if (players->pairing != NULL)
        net_timer_start(players->pairing, PAIR_MS);
}

/* --- Counting --------------------------------------------------------------------------------- */

/* A match that is being counted. */
struct CountJob {
    CountJob *next;
    Server *server;
    Table *table;
    NetTimer *timer; /* until it is tried again; NULL: it did not fail yet */
    StoreCount count;
    bool near, counts; /* for an account */
    StoreStatus status;
    bool provisional[MASH_SEATS];
    uint64_t left[MASH_SEATS];    /* the account that left it; 0: none */
    uint64_t named[MASH_SEATS];   /* whose name it has without being counted for it; 0: nobody's */
    uint32_t gone;                /* a bit for each seat whose account is */
    uint64_t players[MASH_SEATS]; /* whose matches were counted again; 0: nobody's */
    bool often[MASH_SEATS];       /* and whether they leave often */
};

/* The rating of an account before the match; that of a new player if it has none. */
static StoreStatus rating_before(const CountJob *job, uint64_t account, StoreRating *out) {
    StoreRating *list = calloc(STORE_RATINGS_MAX, sizeof *list);
    uint32_t count = 0;
    GlickoRating start = glicko_start();
    *out = (StoreRating){.rating = start.rating,
                         .deviation = start.deviation,
                         .volatility = start.volatility,
                         .rated_ms = job->count.ended_ms};
    if (list == NULL)
        return STORE_BUSY;
    StoreStatus status =
        account == 0 ? STORE_OK : store_ratings(job->server->store, account, list, &count);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].pace == job->count.pace && strcmp(list[i].game, job->count.game) == 0) {
            *out = list[i];
            if (out->rated == 0)
                out->rated_ms = job->count.ended_ms;
        }
    free(list);
    return status;
}

/* The rating of a seat after the match. */
static void rate(CountJob *job, uint32_t seat, const StoreRating before[MASH_SEATS]) {
    StoreSeat *own = &job->count.seats[seat];
    const StoreRating *one = &before[seat], *two = &before[1 - seat];
    uint64_t now_ms = job->count.ended_ms;
    GlickoRating rating = {one->rating, one->deviation, one->volatility};
    GlickoRating other = {two->rating, two->deviation, two->volatility};
    other = glicko_wait(other, now_ms > two->rated_ms ? now_ms - two->rated_ms : 0);
    GlickoRating after = rating;
    if (job->count.rated && job->count.weight > 0)
        after = glicko_play(rating, now_ms > one->rated_ms ? now_ms - one->rated_ms : 0,
                            (GlickoResult){other, own->result / 2.0, job->count.weight / 100.0});
    own->rating = after.rating;
    own->deviation = after.deviation;
    own->volatility = after.volatility;
    own->change = after.rating - rating.rating;
    own->expected = one->matches;
    own->certain_ms = one->certain_ms;
    uint64_t certain_ms = glicko_certain_ms(after, GLICKO_CERTAIN);
    if (job->count.rated && job->count.weight > 0)
        own->certain_ms = certain_ms > 0 ? now_ms + certain_ms : 0;
    job->provisional[seat] = after.deviation > GLICKO_PROVISIONAL * GLICKO_POINT;
}

/* Counts the match by the ratings as they are now. */
static StoreStatus count_once(CountJob *job) {
    StoreRating before[MASH_SEATS];
    StoreCount *count = &job->count;
    uint64_t since_ms = count->ended_ms > DAY_MS ? count->ended_ms - DAY_MS : 0;
    uint32_t met = 0;
    StoreStatus status = STORE_OK;
    for (uint32_t seat = 0; seat < MASH_SEATS && status == STORE_OK; seat++)
        status = rating_before(job, count->seats[seat].account, &before[seat]);
    if (status == STORE_OK && count->rated)
        status = store_met(job->server->store, count->seats[0].account, count->seats[1].account,
                           count->game, since_ms, &met);
    if (status != STORE_OK)
        return status;
    count->weight = count->rated ? glicko_weight(met, job->near) : 0;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        rate(job, seat, before);
    return store_count(job->server->store, count);
}

/* Notes who left the match. */
static StoreStatus note_left(const CountJob *job) {
    StoreStatus status = STORE_OK;
    for (uint32_t seat = 0; seat < MASH_SEATS && status == STORE_OK; seat++)
        if (job->left[seat] != 0)
            status = leavers_note(job->server->store, job->left[seat], job->count.match,
                                  job->count.ended_ms);
    return status;
}

/* Finds out who leaves matches often now. */
static void look_who_leaves(CountJob *job) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        StoreLeft count;
        uint64_t account = job->left[seat] != 0 ? job->left[seat] : job->count.seats[seat].account;
        if (account == 0 ||
            leavers_read(job->server->store, account, job->count.ended_ms, &count) != STORE_OK)
            continue;
        job->players[seat] = account;
        job->often[seat] = leavers_often(&count);
    }
}

/* In a thread. */
static void count_work(void *what) {
    CountJob *job = what;
    job->status = note_left(job);
    if (job->status == STORE_OK && job->counts)
        job->status = STORE_CONFLICT;
    for (int i = 0; i < TRIES && job->status == STORE_CONFLICT; i++)
        job->status = count_once(job);
    for (uint32_t seat = 0; seat < MASH_SEATS && job->status == STORE_OK && job->counts; seat++)
        job->gone |= (uint32_t)job->count.seats[seat].gone << seat;
    if (job->status == STORE_OK)
        job->status = erased_note(job->server->store, job->count.match, job->named, &job->gone);
    if (job->status == STORE_OK)
        look_who_leaves(job);
}

/* A rating in whole points. */
static int32_t points(int64_t millionths) {
    return (int32_t)((millionths + (millionths < 0 ? -GLICKO_POINT : GLICKO_POINT) / 2) /
                     GLICKO_POINT);
}

/* What the match did to ratings is known: it is kept at the table, and with the sessions of its
 * players. */
static void note_changes(Table *table, const CountJob *job) {
    RatedChanges *changes = calloc(1, sizeof *changes);
    if (changes == NULL)
        return; /* no memory: nobody is told now, but it is counted */
    changes->weight = job->count.weight;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const StoreSeat *own = &job->count.seats[seat];
        changes->ratings[seat] = points(own->rating);
        changes->changes[seat] =
            points(own->rating) - points(own->rating - own->change); /* as it is shown */
        changes->provisional[seat] = job->provisional[seat];
        PlayerRating rating = {.pace = job->count.pace,
                               .rating = changes->ratings[seat],
                               .provisional = job->provisional[seat]};
        memcpy(rating.game, job->count.game, sizeof rating.game);
        Session *session = table->chairs[seat].session;
        if (session != NULL && session->player != NULL && session->player->id == own->account)
            player_set_rating(session, &rating);
        table->chairs[seat].rating = rating.rating;
        table->chairs[seat].provisional = rating.provisional;
    }
    free(table->changes);
    table->changes = changes;
}

/* `rated`, with its list in lent memory. */
static Message rated_message(const Table *table, MashText *list) {
    const RatedChanges *changes = table->changes;
    JsonWriter writer = json_writer(list, 0);
    Message message = message_new(MESSAGE_SERVER_RATED);
    json_open(&writer, '[');
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        json_open(&writer, '{');
        JSON_PUT_INTS(&writer, {"seat", seat}, {"rating", changes->ratings[seat]},
                      {"change", changes->changes[seat]});
        json_put_pair_bool(&writer, "provisional", changes->provisional[seat]);
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    memcpy(message.rated.code, table->code, sizeof table->code);
    message.rated.weight = (int32_t)changes->weight;
    message.rated.players = (MessageJson){.bytes = list->bytes, .count = list->count};
    return message;
}

void rated_send(Session *session) {
    char memory[256];
    MashText list = text_over(memory, sizeof memory);
    Message message = rated_message(session->table, &list);
    outbox_send(session, server_frame(session->server, &message));
}

/* Takes a job off the list and frees it. */
static void release(CountJob *job) {
    CountJob **link = &job->server->players.counts;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    job->table->counting = false;
    net_timer_close(job->timer);
    free(job);
}

static void count_done(void *what);

/* Gives the job to a thread; later if too many wait. */
static void submit(void *what) {
    CountJob *job = what;
    if (net_thread_pool_submit(job->server->players.thread_pool, count_work, count_done, job))
        return;
    if (job->timer == NULL)
        job->timer = net_timer_open(job->server->loop, submit, job);
    if (job->timer != NULL) /* otherwise it is counted when the server is opened again */
        net_timer_start(job->timer, RETRY_MS);
}

/* Back in the loop: everybody at the table is told, and the match goes to the archive. */
static void count_done(void *what) {
    CountJob *job = what;
    Server *server = job->server;
    Table *table = job->table;
    char memory[256];
    MashText list = text_over(memory, sizeof memory);
    if (job->status != STORE_OK) {
        server_log(server, LOG_WARNING, "cannot count match %s: %s; trying again", table->code,
                   store_status_text(job->status));
        if (job->timer == NULL)
            job->timer = net_timer_open(server->loop, submit, job);
        if (job->timer != NULL)
            net_timer_start(job->timer, RETRY_MS);
        return;
    }
    server->players.counted += job->counts;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (job->players[seat] != 0)
            leavers_set(server, job->players[seat], job->often[seat]);
    if (job->count.rated)
        note_changes(table, job);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if ((job->gone >> seat & 1) != 0)
            erased_seat(table, seat);
    release(job);
    if (table->changes != NULL && !table->closed) {
        Message message = rated_message(table, &list);
        arena_send_all(table, &message);
    }
    records_finish(table);
    table_free_if_idle(table);
}

/* What the end of the match is for the store. */
static void describe(const Table *table, StoreCount *count) {
    MashResult result = match_result(&table->match);
    char openings[MASH_SEATS][STORE_OPENING_BYTES] = {""};
    void *memory = scratch_take(&table->server->history, match_bytes(table->match.content));
    if (memory != NULL)
        opening_find(&table->match, memory, openings);
    MashText game = text_over(count->game, sizeof count->game);
    text_string(&game, game_of(&table->config));
    count->match = table->number;
    count->ended_ms = net_wall_clock_ms(table->server->loop);
    count->pace = pace_at(&table->config);
    count->rated = table->config.rated;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        StoreSeat *own = &count->seats[seat];
        const Chair *chair = &table->chairs[seat];
        MashText name = text_over(own->name, sizeof own->name);
        text_string(&name, chair->erased ? "" : chair->name);
        own->account = chair->player;
        own->program = chair->role == PROTO_ROLE_AI;
        own->result = result.winner >= MASH_SEATS ? 1 : result.winner == seat ? 2 : 0;
        memcpy(own->opening, openings[seat], sizeof own->opening);
    }
}

bool rated_count(Table *table) {
    Server *server = table->server;
    const Chair *chairs = table->chairs;
    uint64_t left[MASH_SEATS] = {leavers_account(table, 0), leavers_account(table, 1)};
    uint64_t named[MASH_SEATS];
    bool acted = records_player_actions(table) > 0;
    bool counts = chairs[0].player != chairs[1].player && acted;
    if (table->counting)
        return true;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        named[seat] = counts ? chairs[seat].named : chairs[seat].named | chairs[seat].player;
    if (!acted && table->config.tournament == 0)
        return false;
    if (!counts && (left[0] | left[1] | named[0] | named[1]) == 0)
        return false;
    CountJob *job = calloc(1, sizeof *job);
    if (job == NULL) { /* it stays in the journal, and is counted when the server opens again */
        server_log(server, LOG_ERROR, "out of memory to count match %s", table->code);
        table->counting = true;
        return true;
    }
    job->server = server;
    job->table = table;
    job->near = table->config.near;
    job->counts = counts;
    if (acted)
        memcpy(job->left, left, sizeof left);
    memcpy(job->named, named, sizeof named);
    describe(table, &job->count);
    table->counting = true;
    job->next = server->players.counts;
    server->players.counts = job;
    submit(job);
    return true;
}

void rated_close(Server *server) {
    Players *players = &server->players;
    if (players->thread_pool != NULL)
        net_thread_pool_close(players->thread_pool);
    players->thread_pool = NULL;
    net_timer_close(players->pairing);
    players->pairing = NULL;
    while (players->counts != NULL)
        release(players->counts);
}
