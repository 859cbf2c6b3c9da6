/* nodes.c -- the nodes that share a database: coming up, beats, and taking the matches of a node
 * that is silent or gone. See postgres.h for why no match ever has two owners. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/fault.h"
#include "store/postgres/postgres.h"

/* The most matches that are taken, or read, with one statement; see also take_max in postgres.h. */
enum { TAKE_MAX = 200 };

#define ME "with me as (select 1 from node where id = $1::int4 and epoch = $2::int8 for share)"
const LinkStatement keeper_statements[] = {
    COPIES_STATEMENTS,
    /* A peer that begins with the colon is at the address that the database sees. */
    {"come", "insert into node(id, epoch, url, peer) select $1::int4, 1, $2::text, case when "
             "$3::text like ':%' then coalesce(host(inet_client_addr()), '127.0.0.1') || $3 else "
             "$3 end on conflict (id) do update set epoch = node.epoch + 1, beat = 0, url = "
             "excluded.url, peer = excluded.peer, state = 'open' returning epoch"},
    /* Rows of a lobby that count no more and lead to no match. */
    {"sweep", "delete from lobby l using node n where n.id = l.node and n.epoch > l.epoch and not "
              "exists (select 1 from match m where m.id = l.id)"},
    {"beat", "update node set beat = beat + 1, load = $3::int4 where id = $1::int4 and epoch = "
             "$2::int8 returning 1"},
    {"watch", "select id, epoch, beat, (state = 'open')::int4, (exists (select 1 from match where "
              "node = node.id))::int4 from node where id <> $1::int4 order by id limit 256"},
    {"copies", "select count(*)::int4 from pg_stat_replication where state = 'streaming' and "
               "sync_state in ('sync', 'quorum')"},
    {"end", "select pg_terminate_backend(pid) from pg_stat_activity where application_name = "
            "'mashup-' || $1::int4 || '-' || $2::int8"},
    {"raise", "update node set epoch = epoch + 1, state = 'gone' where id = $1::int4 and epoch = "
              "$2::int8 and beat = $3::int8 and state = 'open' returning 1"},
    {"give", "update node set epoch = epoch + 1, state = 'gone' where id = $1::int4 and epoch = "
             "$2::int8 returning 1"},
    {"take", ME ", gone as (select 1 from node where id = $3::int4 and state = 'gone' for share), "
                "few as (select n from match where node = $3 order by n limit $4::int4 for update "
                "skip locked) update match set node = $1 from me, gone, few where match.n = few.n "
                "returning match.n"},
    {"mine", "select n, id from match where node = $1::int4 order by n"},
    {"fetch", "select m.id, m.n, j.seq, j.at_ms, j.kind, j.bytes from match m left join journal j "
              "using (n) where m.n = any($1::int8[]) and m.node = $2::int4 order by m.n, j.seq"},
    {"finish", ME
     ", over as (delete from match using me where n = any($3::int8[])), old as (delete from "
     "journal using me where n = any($3)), kept as (insert into archive(id, started_ms, "
     "ended_ms, game, players, winner, reason, actions, private, file) select t.id, t.started, "
     "t.ended, t.game, t.players, t.winner, t.reason, t.actions, t.private <> 0, t.file from me, "
     "unnest($4::int8[], $5::int8[], $6::int8[], $7::bytea[], $8::bytea[], $9::int4[], "
     "$10::bytea[], $11::int8[], $12::int4[], $13::bytea[]) t(id, started, ended, game, players, "
     "winner, reason, actions, private, file) on conflict do nothing), people as (insert into "
     "archive_player(id, name, game, ended_ms) select t.* from me, unnest($14::int8[], "
     "$15::bytea[], $16::bytea[], $17::int8[]) t(id, name, game, ended_ms) on conflict do "
     "nothing) select (select count(*) from me)::int4"},
    {"prune_age",
     "delete from archive where id in (select id from archive where ended_ms < $1::int8 "
     "order by ended_ms, id limit $2::int4 for update skip locked) returning 1"},
    {"archive_bytes", "select coalesce(sum(bytes), 0)::int8 from archive_size"},
    {"prune_bytes", "delete from archive where id in (select id from archive order by ended_ms, id "
                    "limit $1::int4 for update skip locked) returning octet_length(file)"},
    {"documents", "select name, version from document order by name"},
    {"document", "select version, bytes from document where name = $1::text"},
    {"share",
     ME " insert into document(name, version, bytes) select $3::text, 1, $4::bytea from me "
        "on conflict (name) do update set version = document.version + 1, bytes = "
        "excluded.bytes returning version"},
    {NULL, NULL}};

/* --- Matches that come to us ------------------------------------------------------------------ */

/* Takes a match into the ledger; its rows are from `first` to before `end`. Under the lock. False =
 * no memory. */
static bool enter(Postgres *postgres, const PGresult *rows, int first, int end) {
    OpenMatch *match = ledger_add(&postgres->ledger, (uint64_t)link_int8(rows, first, 0));
    if (match == NULL)
        return false;
    match->row = link_int8(rows, first, 1);
    bool empty = PQgetisnull(rows, first, 2) != 0;
    match->sequence = empty ? 0 : (uint32_t)link_int4(rows, end - 1, 2);
    match->broken = match->sequence != (uint32_t)(end - first);
    return true;
}

/* Keeps the rows of matches that are ours now for store_next_match(). False = no memory. */
static bool arrive(Postgres *postgres, PGresult *rows, bool counts) {
    Arrival *arrival = calloc(1, sizeof *arrival);
    int end = PQntuples(rows);
    uint64_t matches = 0;
    bool fine = arrival != NULL;
    lock_take(&postgres->lock);
    size_t most = postgres->ledger.matches_max;
    postgres->ledger.matches_max = SIZE_MAX; /* what is ours cannot be refused */
    for (int first = 0, at = 0; fine && first < end; first = at, matches++) {
        while (at < end && link_int8(rows, at, 1) == link_int8(rows, first, 1))
            at++;
        fine = enter(postgres, rows, first, at);
    }
    postgres->ledger.matches_max = most;
    if (fine) {
        *arrival = (Arrival){.rows = rows, .end = end};
        if (postgres->arrived_last == NULL)
            postgres->arrived_first = arrival;
        else
            postgres->arrived_last->next = arrival;
        postgres->arrived_last = arrival;
    }
    if (fine && counts) {
        postgres->done.arrived += matches;
        postgres->figures.taken += matches;
    }
    lock_give(&postgres->lock);
    if (!fine) {
        free(arrival);
        PQclear(rows);
        postgres_fail(postgres, "out of memory for the matches of this node", false);
    } else if (counts) {
        postgres_notify(postgres);
    }
    return fine;
}

/* Reads matches whose numbers are in the array; they are ours by a statement that was committed.
 * `counts`: they came from another node. False = not now. */
static bool fetch(Postgres *postgres, LinkArray *numbers, bool counts) {
    LinkParameters which = {.count = 0};
    PGresult *rows;
    if (numbers->count == 0)
        return true;
    link_put_array(&which, numbers);
    link_put_int4(&which, postgres->node);
    LinkAnswer answer = link_run(&postgres->keeper_link, "fetch", &which, &rows);
    /* What was too much to be answered in time is asked for in smaller parts. */
    if (answer == LINK_LOST)
        postgres->take_max = (postgres->take_max + 1) / 2;
    else
        postgres->take_max = postgres->take_max > TAKE_MAX / 2 ? TAKE_MAX : 2 * postgres->take_max;
    return answer == LINK_DONE && arrive(postgres, rows, counts);
}

/* Is the match in the ledger? */
static bool is_known(Postgres *postgres, uint64_t id) {
    lock_take(&postgres->lock);
    bool known = ledger_find(&postgres->ledger, id) != NULL;
    lock_give(&postgres->lock);
    return known;
}

/* Says that we are there, and finds out whether we still are. False = the connection is lost. */
static bool say_alive(Postgres *postgres, bool *owner) {
    LinkParameters all = {.count = 0};
    PGresult *rows;
    lock_take(&postgres->lock);
    int32_t load = (int32_t)postgres->ledger.matches_count;
    lock_give(&postgres->lock);
    link_put_int4(&all, postgres->node);
    link_put_int8(&all, postgres->epoch);
    link_put_int4(&all, load);
    LinkAnswer answer = link_run(&postgres->keeper_link, "beat", &all, &rows);
    *owner = answer == LINK_DONE && PQntuples(rows) == 1;
    PQclear(rows);
    if (answer == LINK_LOST)
        return false;
    DatabaseLink *link = &postgres->keeper_link;
    uint64_t sent_ms = link->sent_ms;
    postgres->beat_ms = sent_ms + postgres->setup.silence_ms / 5;
    if (answer == LINK_DONE && !*owner)
        postgres_depose(postgres);
    if (!*owner || link->doubt) /* on one machine alone it proves nothing: there may be another, */
        return true;            /* where others have our matches by now */
    bool enough;
    answer = copies_wait(postgres, link, &postgres->keeper_wakes, COPIES_MS, &enough);
    if (answer == LINK_DONE && enough)
        postgres_alive(postgres, sent_ms, link->host);
    return answer != LINK_LOST;
}

/* Is a beat due? Whoever works for longer beats meanwhile: others would find it silent. */
static bool is_beat_due(const Postgres *postgres) { return link_clock_ms() >= postgres->beat_ms; }

/* Reads all matches that are ours in the database and not in the ledger, and beats meanwhile. The
 * caller has committed something after they became ours. False = not now. */
static bool reconcile(Postgres *postgres, bool counts) {
    LinkParameters who = {.count = 0};
    LinkArray *numbers = &postgres->columns[0];
    PGresult *rows;
    bool fine = true, owner;
    link_put_int4(&who, postgres->node);
    if (link_run(&postgres->keeper_link, "mine", &who, &rows) != LINK_DONE)
        return false;
    link_array_begin(numbers, LINK_INT8);
    for (int i = 0; i < PQntuples(rows) && fine; i++) {
        if (!is_known(postgres, (uint64_t)link_int8(rows, i, 1)))
            link_array_int8(numbers, link_int8(rows, i, 0));
        if (numbers->count >= postgres->take_max) {
            fine = fetch(postgres, numbers, counts);
            link_array_begin(numbers, LINK_INT8);
            if (fine && is_beat_due(postgres))
                fine = say_alive(postgres, &owner) && owner;
        }
    }
    fine = fine && fetch(postgres, numbers, counts);
    PQclear(rows);
    return fine;
}

/* Reads what is ours, as soon as enough machines have it: what is read is sent to clients, and must
 * not be lost. False = not now; it is tried again after the next beat. */
static bool reconcile_kept(Postgres *postgres, bool counts) {
    bool enough;
    LinkAnswer answer =
        copies_wait(postgres, &postgres->keeper_link, &postgres->keeper_wakes, COPIES_MS, &enough);
    postgres->reconciles = true;
    if (answer == LINK_DONE && enough)
        postgres->reconciles = !reconcile(postgres, counts);
    return !postgres->reconciles;
}

bool nodes_come_up(Postgres *postgres, MashText *problem) {
    LinkParameters who = {.count = 0};
    DatabaseLink *link = &postgres->keeper_link;
    PGresult *rows = NULL;
    link_put_int4(&who, postgres->node);
    link_put_bytes(&who, postgres->url, strlen(postgres->url));
    link_put_bytes(&who, postgres->peer, strlen(postgres->peer));
    bool up = link_open(link) && link_run(link, "come", &who, &rows) == LINK_DONE;
    postgres->take_max = TAKE_MAX;
    if (up) {
        postgres->epoch = link_int8(rows, 0, 0);
        postgres->alive_ms = link->sent_ms;
        postgres->alive_host = link->host;
        postgres->reconciles = link->doubt; /* then after a beat that all machines have */
        PQclear(rows);
        up = link_run(link, "sweep", &(LinkParameters){.count = 0}, &rows) == LINK_DONE;
        PQclear(rows);
        if (up && !postgres->reconciles)
            reconcile_kept(postgres, false);
        up = up && link_open(link) && documents_work(postgres); /* the rest is read after a beat */
    }
    if (!up)
        text_format(problem, "the database does not let this node in: %s", link->problem);
    return up;
}

/* --- The other nodes -------------------------------------------------------------------------- */

/* The peer of this number, new if it is not known. NULL = too many. */
static Peer *peer_of(Postgres *postgres, int32_t id) {
    for (uint32_t i = 0; i < postgres->peers_count; i++)
        if (postgres->peers[i].id == id)
            return &postgres->peers[i];
    if (postgres->peers_count == NODES_MAX)
        return NULL;
    Peer *peer = &postgres->peers[postgres->peers_count++];
    *peer = (Peer){.id = id, .epoch = -1};
    return peer;
}

/* How many matches this node may take with one statement. */
static int32_t room_for_more(Postgres *postgres) {
    lock_take(&postgres->lock);
    size_t have = postgres->ledger.matches_count, most = postgres->ledger.matches_max;
    lock_give(&postgres->lock);
    size_t room = have < most ? most - have : 0;
    return (int32_t)(room < postgres->take_max ? room : postgres->take_max);
}

/* Reads matches that were just taken, unless they are on too few machines yet: then it is done
 * after a beat. False = not now; `answer` says whether the connection is lost. */
static bool fetch_kept(Postgres *postgres, LinkArray *numbers, LinkAnswer *answer) {
    DatabaseLink *link = &postgres->keeper_link;
    bool enough, doubt = link->doubt;
    *answer = copies_wait(postgres, link, &postgres->keeper_wakes, COPIES_MS, &enough);
    bool fetched = false;
    if (*answer == LINK_DONE && enough && !doubt) {
        fetched = fetch(postgres, numbers, true);
        *answer = fetched ? LINK_DONE : LINK_LOST;
    }
    postgres->reconciles = postgres->reconciles || !fetched;
    return fetched;
}

/* Takes matches of a node that is gone, as many as there are, others leave us, and we have room
 * for, until a beat is due; the rest after it. False = the connection is lost. */
static bool take_from(Postgres *postgres, const Peer *peer) {
    LinkArray *numbers = &postgres->columns[0];
    for (int taken = 1; taken > 0;) {
        LinkParameters all = {.count = 0};
        PGresult *rows;
        int32_t most = room_for_more(postgres);
        if (most == 0)
            return true;
        link_put_int4(&all, postgres->node);
        link_put_int8(&all, postgres->epoch);
        link_put_int4(&all, peer->id);
        link_put_int4(&all, most);
        FAULT_POINT("before_take");
        LinkAnswer answer = link_run(&postgres->keeper_link, "take", &all, &rows);
        /* Nobody knows: what became ours is found by reconcile() after the next beat. */
        postgres->reconciles = postgres->reconciles || answer == LINK_LOST;
        if (answer != LINK_DONE)
            return answer != LINK_LOST;
        FAULT_POINT("after_take");
        taken = PQntuples(rows);
        link_array_begin(numbers, LINK_INT8);
        for (int i = 0; i < taken; i++)
            link_array_int8(numbers, link_int8(rows, i, 0));
        PQclear(rows);
        if (taken > 0 && !fetch_kept(postgres, numbers, &answer))
            return answer == LINK_DONE;
        FAULT_POINT("after_fetch");
        if (is_beat_due(postgres))
            return true;
    }
    return true;
}

/* A node was silent for too long: ends what it has begun, and raises its epoch, if it has not
 * beaten meanwhile. From then on it is gone, and everybody may take its matches. False = the
 * connection is lost. */
static bool raise_epoch(Postgres *postgres, Peer *peer) {
    LinkParameters backend = {.count = 0}, all = {.count = 0};
    PGresult *rows;
    link_put_int4(&backend, peer->id);
    link_put_int8(&backend, peer->epoch);
    LinkAnswer answer = link_run(&postgres->keeper_link, "end", &backend, &rows);
    PQclear(rows);
    if (answer == LINK_LOST)
        return false;
    link_put_int4(&all, peer->id);
    link_put_int8(&all, peer->epoch);
    link_put_int8(&all, peer->beat);
    FAULT_POINT("before_raise");
    answer = link_run(&postgres->keeper_link, "raise", &all, &rows);
    FAULT_POINT("after_raise");
    if (answer != LINK_DONE)
        return answer != LINK_LOST;
    if (PQntuples(rows) == 1) {
        char sentence[160];
        snprintf(sentence, sizeof sentence,
                 "node %" PRId32 " has been silent for %" PRIu32
                 " ms: its matches are shared out among the others",
                 peer->id, postgres->setup.silence_ms);
        postgres_report(postgres, sentence);
        peer->open = false;
    }
    PQclear(rows);
    return true;
}

/* Looks at one other node; `has` = it has matches. False = the connection is lost. */
static bool look_after(Postgres *postgres, Peer *peer, bool has, uint64_t now_ms) {
    if (peer->open && now_ms - peer->changed_ms >= postgres->setup.silence_ms &&
        !raise_epoch(postgres, peer))
        return false;
    return peer->open || !has || take_from(postgres, peer);
}

/* Reads what a row of the list says about a node. After a gap in our own watching, perhaps it was
 * us who heard nothing: then it has three tenths of the time to beat once more, as it does as soon
 * as it has found the database, too. With what it was silent before, that is never less than the
 * whole time. */
static void observe(const Postgres *postgres, Peer *peer, const PGresult *rows, int row,
                    uint64_t now_ms) {
    int64_t epoch = link_int8(rows, row, 1), beat = link_int8(rows, row, 2);
    uint64_t half_ms = postgres->setup.silence_ms / 2;
    uint64_t known_ms = postgres->setup.silence_ms / 10 * 7; /* of its silence */
    bool gap = now_ms - postgres->watched_ms > half_ms;
    if (peer->epoch != epoch || peer->beat != beat)
        peer->changed_ms = now_ms;
    else if (gap && now_ms - peer->changed_ms > known_ms)
        peer->changed_ms = now_ms - known_ms;
    peer->epoch = epoch;
    peer->beat = beat;
    peer->open = link_int4(rows, row, 3) != 0;
    peer->seen = true;
}

/* Forgets nodes that are not listed any more. */
static void drop_unseen(Postgres *postgres) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < postgres->peers_count; i++)
        if (postgres->peers[i].seen)
            postgres->peers[kept++] = postgres->peers[i];
    postgres->peers_count = kept;
}

/* Looks at all other nodes. False = the connection is lost. */
static bool watch(Postgres *postgres) {
    LinkParameters who = {.count = 0};
    PGresult *rows;
    link_put_int4(&who, postgres->node);
    LinkAnswer answer = link_run(&postgres->keeper_link, "watch", &who, &rows);
    if (answer != LINK_DONE)
        return answer != LINK_LOST;
    uint64_t now_ms = link_clock_ms();
    bool fine = true;
    uint32_t open = 1;
    for (uint32_t i = 0; i < postgres->peers_count; i++)
        postgres->peers[i].seen = false;
    for (int row = 0; row < PQntuples(rows); row++) {
        Peer *peer = peer_of(postgres, link_int4(rows, row, 0));
        if (peer != NULL)
            observe(postgres, peer, rows, row, now_ms);
        open += peer != NULL && peer->open;
    }
    postgres->watched_ms = now_ms;
    drop_unseen(postgres);
    for (int row = 0; fine && row < PQntuples(rows); row++) {
        Peer *peer = peer_of(postgres, link_int4(rows, row, 0));
        if (peer != NULL)
            fine = look_after(postgres, peer, link_int4(rows, row, 4) != 0, now_ms);
    }
    PQclear(rows);
    lock_take(&postgres->lock);
    postgres->figures.nodes = open;
    postgres->silent_count = 0;
    for (uint32_t i = 0; i < postgres->peers_count; i++)
        if (now_ms - postgres->peers[i].changed_ms > postgres_trust_ms(postgres))
            postgres->silent[postgres->silent_count++] = postgres->peers[i].id;
    lock_give(&postgres->lock);
    return fine;
}

/* --- Beats ------------------------------------------------------------------------------------ */

/* Counts the machines that have what is committed, and says when they become fewer or more. */
static bool count_copies(Postgres *postgres) {
    LinkParameters none = {.count = 0};
    PGresult *rows;
    LinkAnswer answer = link_run(&postgres->keeper_link, "copies", &none, &rows);
    if (answer != LINK_DONE)
        return answer != LINK_LOST;
    uint32_t copies = (uint32_t)link_int4(rows, 0, 0) + 1;
    PQclear(rows);
    lock_take(&postgres->lock);
    uint32_t before = postgres->figures.copies;
    postgres->figures.copies = copies;
    lock_give(&postgres->lock);
    if (copies == before)
        return true;
    char sentence[192];
    snprintf(sentence, sizeof sentence, "there %s %" PRIu32 " %s of the matches%s%s",
             copies == 1 ? "is" : "are", copies, copies == 1 ? "copy" : "copies",
             copies == 1 ? ": the loss of that machine loses moves" : "",
             copies < postgres->setup.copies ? "; nothing is told until there are more" : "");
    postgres_report(postgres, sentence);
    return true;
}

/* A beat, and what follows from it. False = the connection is lost. */
static bool beat(Postgres *postgres) {
    bool owner;
    if (!say_alive(postgres, &owner))
        return false;
    if (owner && postgres->reconciles && !postgres->keeper_link.doubt)
        reconcile_kept(postgres, true);
    return count_copies(postgres);
}

bool nodes_beat(Postgres *postgres) {
    if (is_beat_due(postgres) && !beat(postgres))
        return false;
    return watch(postgres);
}

bool nodes_give_up(Postgres *postgres) {
    LinkParameters who = {.count = 0};
    PGresult *rows;
    link_put_int4(&who, postgres->node);
    link_put_int8(&who, postgres->epoch);
    FAULT_POINT("before_give");
    LinkAnswer answer = link_run(&postgres->keeper_link, "give", &who, &rows);
    PQclear(rows);
    if (answer != LINK_DONE)
        return false; /* asking again is harmless: the second time there is nothing to give */
    FAULT_POINT("after_give");
    lock_take(&postgres->lock);
    postgres->done.handed_over = true;
    lock_give(&postgres->lock);
    postgres_notify(postgres);
    return true;
}
