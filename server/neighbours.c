/* neighbours.c -- see neighbours.h: what nodes tell each other about players with accounts. */
#define _POSIX_C_SOURCE 200809L
#include "server/neighbours.h"

#include <stdlib.h>
#include <string.h>

#include "server/internal.h"
#include "server/people.h"

/* LEAST_MS, and EACH_MS more for each session with an account, but MOST_MS at most: how often the
 * accounts are told that are here, if they have changed; AGAIN_MS: also if they have not;
 * FORGET_MS: when those of a node that does not repeat them are forgotten; the most that are told;
 * programs in front of them; nodes; bytes of a line. */
enum {
    LEAST_MS = 1000,
    EACH_MS = 10,
    MOST_MS = 30000,
    AGAIN_MS = 30000,
    FORGET_MS = 100000,
    HERE_MAX = 10000,
    BOTS_MAX = 100,
    NODES_MAX = 64,
    ID_DIGITS = 16,
    LINE_BYTES = ID_DIGITS + 3 + PROTO_NAME_MAX + 1
};
/* What follows an account: a program that plays, or does not. */
enum { BOT_BUSY = '-', BOT_FREE = '+' };

/* --- News of this node ------------------------------------------------------------------------ */

/* Names a document of this node, and begins it. */
static MashText begin(const Server *server, const char *what, char name[STORE_DOCUMENT_NAME_BYTES],
                      char *bytes, uint32_t max) {
    MashText title = text_over(name, STORE_DOCUMENT_NAME_BYTES), text = text_over(bytes, max);
    text_format(&title, "%s-%u", what, server->setup.store.node);
    text_format(&text, "%u ", server->setup.store.node);
    text_hex(&text, server->neighbours.start, ID_DIGITS);
    text_byte(&text, '\n');
    return text;
}

void neighbours_tell(Server *server, NeighbourNews news, uint64_t account, uint64_t what) {
    Neighbours *all = &server->neighbours;
    char name[STORE_DOCUMENT_NAME_BYTES], bytes[(NEIGHBOUR_NEWS + 1) * NEIGHBOUR_LINE_BYTES];
    if (!store_is_shared(server->store) || server->draining)
        return;
    all->number++;
    MashText line = text_over(all->news[all->number % NEIGHBOUR_NEWS], NEIGHBOUR_LINE_BYTES);
    text_int(&line, (int64_t)all->number);
    text_format(&line, " %c ", news);
    text_hex(&line, account, ID_DIGITS);
    text_byte(&line, ' ');
    text_hex(&line, what, ID_DIGITS);
    text_byte(&line, '\n');
    MashText text = begin(server, "folk", name, bytes, sizeof bytes);
    uint64_t first = all->number < NEIGHBOUR_NEWS ? 1 : all->number - NEIGHBOUR_NEWS + 1;
    for (uint64_t i = first; i <= all->number; i++)
        text_string(&text, all->news[i % NEIGHBOUR_NEWS]);
    store_share(server->store, name, bytes, text.count);
}

/* --- Who is here ------------------------------------------------------------------------------ */

/* Appends a session's account. */
static void put_account(const Session *session, MashText *text) {
    text_hex(text, session->player->id, ID_DIGITS);
    if (session->player->program)
        text_format(text, " %c%s", session_plays(session) ? BOT_BUSY : BOT_FREE, session->name);
    text_byte(text, '\n');
}

/* Appends the accounts of programs, or of people, up to `max`. */
static uint32_t put_accounts(const Server *server, bool programs, uint32_t max, MashText *text) {
    uint32_t count = 0;
    for (const Session *one = server->sessions; one != NULL && count < max; one = one->next_all)
        if (one->player != NULL && one->player->program == programs) {
            put_account(one, text);
            count++;
        }
    return count;
}

/* Tells who is here, if it has changed or is to be repeated. The number of accounts. */
static uint32_t tell_here(Server *server) {
    Neighbours *all = &server->neighbours;
    char name[STORE_DOCUMENT_NAME_BYTES];
    uint64_t now_ms = net_now_ms(server->loop);
    uint32_t most = server->sessions_count < HERE_MAX ? server->sessions_count : HERE_MAX;
    uint32_t max = NEIGHBOUR_LINE_BYTES + (most + 1) * LINE_BYTES;
    char *bytes = malloc(max);
    if (bytes == NULL)
        return 1; /* the next time */
    MashText text = begin(server, "here", name, bytes, max);
    uint32_t count = put_accounts(server, true, BOTS_MAX < most ? BOTS_MAX : most, &text);
    count += put_accounts(server, false, most - count, &text);
    bool same = all->told != NULL && strcmp(all->told, bytes) == 0;
    if (same && (count == 0 || now_ms < all->told_ms + AGAIN_MS)) {
        free(bytes);
        return count;
    }
    store_share(server->store, name, bytes, text.count);
    free(all->told);
    all->told = bytes;
    all->told_ms = now_ms;
    return count;
}

/* As long as accounts are here. */
static void on_tick(void *owner) {
    Server *server = owner;
    Neighbours *all = &server->neighbours;
    all->timed = false;
    if (server->draining || server->failed)
        return;
    uint32_t count = tell_here(server), ms = LEAST_MS + count * EACH_MS;
    all->timed = count > 0;
    if (all->timed)
        net_timer_start(all->timer, ms < MOST_MS ? ms : MOST_MS);
}

void neighbours_note(Server *server) {
    Neighbours *all = &server->neighbours;
    if (all->timed || !store_is_shared(server->store) || server->draining)
        return;
    if (all->timer == NULL)
        all->timer = net_timer_open(server->loop, on_tick, server);
    if (all->timer == NULL)
        return; /* no memory: the next time */
    net_timer_start(all->timer, LEAST_MS);
    all->timed = true;
}

/* --- What other nodes say --------------------------------------------------------------------- */

/* A number at a place, which is moved behind it and one character more. */
static uint64_t read_number(const char **at, int base) {
    char *end;
    uint64_t number = strtoull(*at, &end, base);
    *at = *end == '\0' ? end : end + 1;
    return number;
}

/* The node that a document begins with, new if it is not known; `start` is that of the document.
 * NULL: it is this one, or there are too many. */
static Neighbour *read_node(Server *server, const char **at, uint64_t *start) {
    Neighbours *all = &server->neighbours;
    uint32_t node = (uint32_t)read_number(at, 10), i = 0;
    *start = read_number(at, 16);
    while (i < all->count && all->list[i].node != node)
        i++;
    if (node == server->setup.store.node || i == NODES_MAX)
        return NULL;
    if (i == all->count) {
        Neighbour *more = realloc(all->list, (i + 1) * sizeof *more);
        if (more == NULL)
            return NULL;
        all->list = more;
        all->list[all->count++] = (Neighbour){.node = node};
    }
    return &all->list[i];
}

/* Reads the news of another node; `takes`: those that are new are taken. */
static void read_news(Server *server, const char *at, bool takes) {
    uint64_t start;
    Neighbour *from = read_node(server, &at, &start);
    if (from == NULL)
        return;
    if (from->start != start)
        from->number = 0;
    from->start = start;
    while (*at != '\0') {
        uint64_t number = read_number(&at, 10);
        char news = *at;
        at += at[0] != '\0' && at[1] != '\0' ? 2 : strlen(at);
        uint64_t account = read_number(&at, 16), what = read_number(&at, 16);
        if (number <= from->number)
            continue;
        from->number = number;
        if (!takes)
            continue;
        people_heard(server, (NeighbourNews)news, account, what);
        players_heard(server, (NeighbourNews)news, account, what);
    }
}

static int by_number(const void *a, const void *b) {
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* Reads who is at another node. */
static void read_here(Server *server, const char *at) {
    uint64_t start;
    Neighbour *from = read_node(server, &at, &start);
    if (from == NULL)
        return;
    free(from->here);
    free(from->bots);
    from->bots = strdup(at);
    from->here_count = 0;
    from->here = calloc(strlen(at) / (ID_DIGITS + 1) + 1, sizeof *from->here);
    from->said_ms = net_now_ms(server->loop);
    for (const char *line = at; from->here != NULL && *line != '\0';) {
        from->here[from->here_count++] = strtoull(line, NULL, 16);
        line += strcspn(line, "\n");
        line += *line != '\0';
    }
    if (from->here != NULL)
        qsort(from->here, from->here_count, sizeof *from->here, by_number);
}

/* Takes documents whose names begin like this. */
static void take(Server *server, const char *like, bool takes) {
    size_t count;
    for (char *bytes; (bytes = store_take_shared(server->store, like, &count)) != NULL;) {
        if (like[0] == 'f')
            read_news(server, bytes, takes);
        else
            read_here(server, bytes);
        free(bytes);
    }
}

void neighbours_open(Server *server) {
    if (!store_is_shared(server->store))
        return;
    net_random(server->loop, &server->neighbours.start, sizeof server->neighbours.start);
    take(server, "folk-*", false);
}

void neighbours_take_shared(Server *server) {
    take(server, "folk-*", true);
    take(server, "here-*", true);
}

/* Has the node said lately who is there? */
static bool is_fresh(Server *server, const Neighbour *from) {
    return from->here_count > 0 && net_now_ms(server->loop) < from->said_ms + FORGET_MS;
}

bool neighbours_have(Server *server, uint64_t account) {
    const Neighbours *all = &server->neighbours;
    for (uint32_t i = 0; i < all->count; i++) {
        const Neighbour *from = &all->list[i];
        if (is_fresh(server, from) &&
            bsearch(&account, from->here, from->here_count, sizeof *from->here, by_number) != NULL)
            return true;
    }
    return false;
}

/* Appends the program of a line, if it is one. */
static void put_bot(const char *line, JsonWriter *writer, uint64_t *listed, uint32_t *count) {
    char name[PROTO_NAME_MAX + 1];
    MashText text = text_over(name, sizeof name);
    uint64_t account = strtoull(line, NULL, 16);
    uint32_t same = 0;
    while (same < *count && listed[same] != account)
        same++;
    if (same < *count)
        return;
    listed[(*count)++] = account;
    text_bytes(&text, line + ID_DIGITS + 2, (uint32_t)strcspn(line + ID_DIGITS + 2, "\n"));
    json_open(writer, '{');
    json_put_pair(writer, "name", name);
    json_put_pair_bool(writer, "free", line[ID_DIGITS + 1] == BOT_FREE);
    json_close(writer, '}');
}

void neighbours_put_bots(Server *server, JsonWriter *writer, uint64_t *listed, uint32_t *count,
                         uint32_t max) {
    const Neighbours *all = &server->neighbours;
    for (uint32_t i = 0; i < all->count; i++) {
        const char *line = is_fresh(server, &all->list[i]) ? all->list[i].bots : NULL;
        /* Programs stand before people. */
        while (line != NULL && *count < max && strcspn(line, " ") == ID_DIGITS &&
               strcspn(line, "\n") > ID_DIGITS + 2) {
            put_bot(line, writer, listed, count);
            line += strcspn(line, "\n");
            line += *line != '\0';
        }
    }
}

void neighbours_close(Server *server) {
    Neighbours *all = &server->neighbours;
    net_timer_close(all->timer);
    free(all->told);
    for (uint32_t i = 0; i < all->count; i++) {
        free(all->list[i].here);
        free(all->list[i].bots);
    }
    free(all->list);
}
