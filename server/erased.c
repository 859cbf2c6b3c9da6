/* erased.c -- see erased.h. */
#include "server/erased.h"

#include <stdlib.h>
#include <string.h>

#include "server/contest.h"
#include "server/erase_names.h"
#include "server/history.h"
#include "server/internal.h"
#include "server/protocol.h"

enum {
    PAGE = 64,           /* names that are read at once */
    GONE_PAGE = 1000,    /* accounts */
    SOON_MS = 1000,      /* until names of matches that are still open are tried again */
    LOOK_MS = 30000,     /* until other nodes may have deleted somebody or left names behind */
    OVERLAP_MS = 3600000 /* by so much may the calendars of nodes differ */
};

/* --- Who is gone ------------------------------------------------------------------------------ */

/* The place of an account among those that are gone. */
static uint32_t place_of(const Erased *erased, uint64_t account) {
    uint32_t first = 0, end = erased->gone_count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (erased->gone[middle] < account)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

bool erased_is_gone(const Server *server, uint64_t account) {
    const Erased *erased = &server->erased;
    uint32_t place = place_of(erased, account);
    return account != 0 && place < erased->gone_count && erased->gone[place] == account;
}

/* It is from now on. False: it was already. Without memory it is known again after a restart. */
static bool add(Server *server, uint64_t account) {
    Erased *erased = &server->erased;
    uint32_t place = place_of(erased, account);
    if (erased_is_gone(server, account))
        return false;
    if (erased->gone_count == erased->gone_max) {
        uint32_t max = erased->gone_max * 2 + 16;
        uint64_t *more = realloc(erased->gone, max * sizeof *more);
        if (more == NULL)
            return true;
        erased->gone = more;
        erased->gone_max = max;
    }
    memmove(erased->gone + place + 1, erased->gone + place,
            (erased->gone_count - place) * sizeof *erased->gone);
    erased->gone[place] = account;
    erased->gone_count++;
    return true;
}

void erased_seat(Table *table, uint8_t seat) {
    Chair *chair = &table->chairs[seat];
    if (chair->robot == 0) {
        memcpy(chair->name, STORE_ERASED_NAME, sizeof STORE_ERASED_NAME);
        chair->erased = true;
        chair->named = 0;
    }
    history_erase(table, seat, 0);
}

/* A table loses the name; one that waits with it is closed. */
static void erase_from_table(Table *table, uint64_t account) {
    bool changed = false;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        if (!chair->taken ||
            (chair->player != account && chair->named != account && chair->gone != account))
            continue;
        erased_seat(table, seat);
        changed = true;
    }
    history_erase(table, MASH_SEAT_NONE, account);
    bool waits = table->state == PROTO_STATE_WAITING;
    if (waits && (changed || table->config.invited == account)) {
        table_close(table, "The player who was to play here has deleted the account.");
    } else if (changed) {
        listing_change(table);
        protocols_notify(table, (TableNotice){.kind = NOTICE_PLAYERS});
    }
}

void erased_account(Server *server, uint64_t account) {
    if (account == 0 || !add(server, account))
        return;
    for (Table *table = server->tables, *next; table != NULL; table = next) {
        next = table->next;
        if (!table->closed)
            erase_from_table(table, account);
    }
    for (Contest *contest = server->contests; contest != NULL; contest = contest->next)
        contest_erase(contest, account);
}

/* --- Reading the archive ---------------------------------------------------------------------- */

/* Names that nobody is to see. */
typedef struct NameList {
    StoreErased *list;
    uint32_t count;
} NameList;

/* Reads all of them up to a match. */
static StoreStatus read_names(Store *store, const StoreErased *after, uint64_t last,
                              NameList *names) {
    StoreStatus status = STORE_OK;
    uint32_t count = PAGE;
    *names = (NameList){0};
    while (status == STORE_OK && count == PAGE) {
        StoreErased *more = realloc(names->list, (names->count + PAGE) * sizeof *more);
        if (more == NULL)
            return STORE_BUSY;
        names->list = more;
        status = store_erased(store, names->count == 0 ? after : &more[names->count - 1], last,
                              more + names->count, PAGE, &count);
        names->count += count;
    }
    return status;
}

/* The name of a seat is one of them; the list is ordered. */
static bool is_erased(const NameList *names, uint64_t match, uint32_t seat) {
    uint32_t first = 0, end = names->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        const StoreErased *one = &names->list[middle];
        if (one->match < match || (one->match == match && one->seat < seat))
            first = middle + 1;
        else
            end = middle;
    }
    return first < names->count && names->list[first].match == match &&
           names->list[first].seat == seat;
}

/* Do the two names look alike to a list? ASCII letters without case. */
static bool same_name(const char *one, const char *other) {
    size_t i = 0;
    for (; one[i] != '\0' && other[i] != '\0'; i++) {
        char a = one[i], b = other[i];
        a = (char)(a >= 'A' && a <= 'Z' ? a + 32 : a);
        b = (char)(b >= 'A' && b <= 'Z' ? b + 32 : b);
        if (a != b)
            return false;
    }
    return one[i] == other[i];
}

/* Takes the names out of an entry. False: it was found only by one of them. */
static bool mask(const NameList *names, const char *player, StoreEntry *entry) {
    bool found = player == NULL;
    for (uint32_t seat = 0; seat < entry->players_count; seat++) {
        StorePlayer *one = &entry->players[seat];
        if (is_erased(names, entry->match, seat))
            memcpy(one->name, STORE_ERASED_NAME, sizeof STORE_ERASED_NAME);
        else
            found = found || same_name(one->name, player);
    }
    return found;
}

/* The names are read before the list: what is taken out between the two is left out twice. */
StoreStatus erased_list(Store *store, const StoreFilter *filter, StoreEntry *entries, uint32_t max,
                        uint32_t *count) {
    NameList names;
    StoreFilter page = *filter;
    StoreStatus status = read_names(store, NULL, UINT64_MAX, &names);
    *count = 0;
    while (status == STORE_OK && *count < max) {
        uint32_t wanted = max - *count, first = *count, got;
        status = store_archive_list(store, &page, entries + first, wanted, &got);
        if (status != STORE_OK)
            break;
        for (uint32_t i = 0; i < got; i++) {
            StoreEntry *entry = &entries[first + i];
            page.after_ms = entry->ended_ms;
            page.after = entry->match;
            if (mask(&names, filter->player, entry))
                entries[(*count)++] = *entry;
        }
        if (got < wanted)
            break;
    }
    free(names.list);
    return status;
}

/* Reads a file as it is. */
static StoreStatus read_file(Store *store, uint64_t match, char **file, size_t *count) {
    StoreStatus status = STORE_TOO_LONG;
    *file = NULL;
    *count = 0;
    for (int i = 0; i < 3 && status == STORE_TOO_LONG; i++) { /* it may become longer meanwhile */
        char *more = realloc(*file, *count + 1);
        if (more == NULL)
            break;
        *file = more;
        status = store_archive_read(store, match, *file, *count, count);
    }
    if (status != STORE_OK) {
        free(*file);
        *file = NULL;
    }
    return status;
}

/* The same without these names. */
static StoreStatus read_without(Store *store, uint64_t match, const uint32_t *seats,
                                uint32_t seats_count, char **file, size_t *count) {
    StoreStatus status = read_file(store, match, file, count);
    if (status != STORE_OK || seats_count == 0)
        return status;
    char *whole = *file;
    *file = erase_names(whole, *count, seats, seats_count, count);
    free(whole);
    return *file == NULL ? STORE_BUSY : STORE_OK;
}

StoreStatus erased_read(Store *store, uint64_t match, char **file, size_t *count) {
    NameList names;
    StoreErased before = {match - 1, UINT32_MAX};
    *file = NULL;
    StoreStatus status = read_names(store, match == 0 ? NULL : &before, match, &names);
    uint32_t *seats = calloc(names.count + 1, sizeof *seats);
    for (uint32_t i = 0; seats != NULL && i < names.count; i++)
        seats[i] = names.list[i].seat;
    if (status == STORE_OK)
        status = seats == NULL ? STORE_BUSY
                               : read_without(store, match, seats, names.count, file, count);
    free(seats);
    free(names.list);
    return status;
}

/* --- Noting ----------------------------------------------------------------------------------- */

StoreStatus erased_note(Store *store, uint64_t match, const uint64_t accounts[MASH_SEATS],
                        uint32_t *gone) {
    StoreStatus status = STORE_OK;
    for (uint32_t seat = 0; seat < MASH_SEATS && status == STORE_OK; seat++) {
        if (accounts[seat] == 0)
            continue;
        status = store_named(store, accounts[seat], match, seat);
        if (status == STORE_UNKNOWN) {
            *gone |= 1u << seat;
            status = STORE_OK;
        }
    }
    return status;
}

/* The names of a tournament, on their way through a thread. */
struct ContestNames {
    ContestNames *next;
    Server *server;
    uint64_t contest;
    StoreStatus status;
    uint32_t count;
    struct {
        uint64_t account; /* then 0, unless it is gone */
        uint32_t player;
    } list[];
};

/* In a thread. */
static void note_names(void *what) {
    ContestNames *names = what;
    names->status = STORE_OK;
    for (uint32_t i = 0; i < names->count && names->status == STORE_OK; i++) {
        names->status = store_named(names->server->store, names->list[i].account, names->contest,
                                    names->list[i].player);
        if (names->status == STORE_OK)
            names->list[i].account = 0;
        else if (names->status == STORE_UNKNOWN)
            names->status = STORE_OK;
    }
}

/* Takes it off the list and frees it. */
static void release_names(ContestNames *names) {
    ContestNames **link = &names->server->erased.contests;
    while (*link != names)
        link = &(*link)->next;
    *link = names->next;
    free(names);
}

/* Back in the loop. */
static void names_noted(void *what) {
    ContestNames *names = what;
    Server *server = names->server;
    Contest *contest = contest_find(server, names->contest);
    if (names->status == STORE_OK) {
        for (uint32_t i = 0; i < names->count; i++)
            erased_account(server, names->list[i].account);
        if (contest != NULL)
            contest->noted = true;
    }
    release_names(names);
}

bool erased_note_contest(Contest *contest) {
    Server *server = contest->server;
    ContestNames *names = server->erased.contests;
    while (names != NULL && names->contest != contest->number)
        names = names->next;
    if (contest->noted || names != NULL || server->players.thread_pool == NULL)
        return contest->noted;
    names = calloc(1, sizeof *names + contest->players_count * sizeof *names->list);
    if (names == NULL)
        return false;
    names->server = server;
    names->contest = contest->number;
    for (uint32_t i = 0; i < contest->players_count; i++) {
        if (contest->players[i].named == 0)
            continue;
        names->list[names->count].account = contest->players[i].named;
        names->list[names->count++].player = i;
    }
    contest->noted = names->count == 0;
    if (contest->noted ||
        !net_thread_pool_submit(server->players.thread_pool, note_names, names_noted, names)) {
        free(names);
        return contest->noted;
    }
    names->next = server->erased.contests;
    server->erased.contests = names;
    return false;
}

/* --- Taking names out ------------------------------------------------------------------------- */

/* A page of what is to be done, in a thread. */
struct EraseJob {
    Server *server;
    StoreErased after;
    StoreErased page[PAGE];
    uint32_t page_count, waiting, taken; /* names; of matches that are open; that were taken out */
    bool any;                            /* some were taken out before */
    StoreGone last;
    StoreGone gone[GONE_PAGE];
    uint32_t gone_count;
    bool failed;
};

/* Takes the names of one match out, those from `first` to before `end` of the page. */
static void erase_match(EraseJob *job, uint32_t first, uint32_t end) {
    Store *store = job->server->store;
    uint64_t match = job->page[first].match, version;
    uint32_t seats[PAGE];
    char *file = NULL;
    size_t count;
    for (uint32_t i = first; i < end; i++)
        seats[i - first] = job->page[i].seat;
    StoreStatus status = store_erasable(store, match, &version);
    if (status == STORE_UNKNOWN)
        return;
    if (status == STORE_OK)
        status = read_without(store, match, seats, end - first, &file, &count);
    if (status == STORE_OK)
        status = store_erase(store, match, version, seats, end - first, file, count);
    free(file);
    job->taken += status == STORE_OK ? end - first : 0;
    job->waiting += status != STORE_OK ? end - first : 0;
    job->failed |= status == STORE_FAILED;
}

/* In a thread. */
static void work(void *what) {
    EraseJob *job = what;
    Store *store = job->server->store;
    store_gone(store, &job->last, job->gone, GONE_PAGE, &job->gone_count);
    if (store_erased(store, &job->after, UINT64_MAX, job->page, PAGE, &job->page_count) != STORE_OK)
        job->page_count = 0;
    for (uint32_t first = 0, end; first < job->page_count; first = end) {
        end = first + 1;
        while (end < job->page_count && job->page[end].match == job->page[first].match)
            end++;
        erase_match(job, first, end);
    }
    if ((job->taken > 0 || job->any) && job->page_count < PAGE)
        store_erase_done(store);
}

static void tick(void *owner);

/* The timer is called after this time. */
static void wake(Server *server, uint32_t ms) {
    Erased *erased = &server->erased;
    if (erased->timer == NULL)
        erased->timer = net_timer_open(server->loop, tick, server);
    if (erased->timer != NULL)
        net_timer_start(erased->timer, ms);
}

/* All were read up to this one: the next time from a little before it. */
static void read_up_to(Erased *erased, const StoreGone *last) {
    erased->last = (StoreGone){.at_ms = last->at_ms > OVERLAP_MS ? last->at_ms - OVERLAP_MS : 0};
}

/* Accounts that another node has deleted, and what was read up to. */
static void take_gone(Server *server, const EraseJob *job) {
    for (uint32_t i = 0; i < job->gone_count; i++)
        erased_account(server, job->gone[i].account);
    if (job->gone_count == GONE_PAGE)
        server->erased.last = job->gone[GONE_PAGE - 1];
    else if (job->gone_count > 0)
        read_up_to(&server->erased, &job->gone[job->gone_count - 1]);
}

/* Back in the loop. What is behind the page comes next; then, after a while, what was open. */
static void done(void *what) {
    EraseJob *job = what;
    Server *server = job->server;
    Erased *erased = &server->erased;
    bool more = job->page_count == PAGE || job->gone_count == GONE_PAGE;
    erased->job = NULL;
    erased->taken += job->taken;
    take_gone(server, job);
    erased->waits |= job->waiting > 0;
    erased->any = job->page_count == PAGE && (erased->any || job->taken > 0);
    erased->after = (StoreErased){0};
    if (job->page_count == PAGE)
        erased->after = job->page[PAGE - 1];
    if (more || erased->again)
        erased_start(server);
    else if (erased->waits && !job->failed)
        wake(server, SOON_MS);
    else if (job->failed || store_is_shared(server->store))
        wake(server, LOOK_MS);
    free(job);
}

void erased_start(Server *server) {
    Erased *erased = &server->erased;
    EraseJob *job = erased->job == NULL ? calloc(1, sizeof *job) : NULL;
    erased->again = erased->job != NULL;
    if (job == NULL || server->draining || server->failed)
        return;
    job->server = server;
    job->after = erased->after;
    job->last = erased->last;
    job->any = erased->any;
    if (job->after.match == 0)
        erased->waits = false;
    if (server->players.thread_pool != NULL &&
        net_thread_pool_submit(server->players.thread_pool, work, done, job)) {
        erased->job = job;
        return;
    }
    free(job);
    wake(server, SOON_MS);
}

static void tick(void *owner) { erased_start(owner); }

/* --- Opening and closing ---------------------------------------------------------------------- */

void erased_open(Server *server) {
    Erased *erased = &server->erased;
    StoreGone *page = calloc(GONE_PAGE, sizeof *page);
    uint32_t count = page == NULL ? 0 : GONE_PAGE;
    while (count == GONE_PAGE &&
           store_gone(server->store, &erased->last, page, GONE_PAGE, &count) == STORE_OK)
        for (uint32_t i = 0; i < count; i++) {
            add(server, page[i].account);
            erased->last = page[i];
        }
    free(page);
    if (erased->gone_count > 0)
        read_up_to(erased, &(StoreGone){.at_ms = erased->last.at_ms});
}

void erased_close(Server *server) {
    Erased *erased = &server->erased;
    net_timer_close(erased->timer);
    free(erased->job);
    while (erased->contests != NULL)
        release_names(erased->contests);
    free(erased->gone);
}
