/* hosts.c -- see hosts.h. */
#define _DEFAULT_SOURCE
#include "store/postgres/hosts.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOSTS_MAX = 16,
    TIMEOUT_MS = 2000, /* for all of them */
    AGAIN_MS = 200,    /* a host that refused is asked again after that */
    PREFER_MS = 300    /* for how long a host waits for one that is preferred to it */
};

/* The store's address; each of the lists has its items between commas. */
typedef struct Hosts {
    PQconninfoOption *options;             /* NULL = libpq does not understand it, and says why */
    const char *names, *addresses, *ports; /* "" = not given */
    int count;
    uint32_t timeout_ms;
} Hosts;

/* Parameters of a connection, in the order in which later ones count more. */
enum { PARAMETERS_MAX = 80 };
typedef struct Parameters {
    const char *keys[PARAMETERS_MAX + 1], *values[PARAMETERS_MAX + 1]; /* end with NULL */
    int count;
} Parameters;

/* A try to connect with one host. */
typedef struct Attempt {
    PGconn *connection; /* NULL = it refused, and is asked again */
    PostgresPollingStatusType wants;
    uint64_t again_ms;
    char problem[200];
} Attempt;

/* --- The list of hosts ------------------------------------------------------------------------ */

/* The items of a list. */
static int count_items(const char *list) {
    int count = 1;
    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

/* Copies an item of a list; "" = there is none. One item counts for all. */
static void copy_item(const char *list, int index, char *into, size_t size) {
    int skipped = count_items(list) == 1 ? 0 : index;
    while (skipped > 0 && *list != '\0')
        skipped -= *list++ == ',';
    size_t count = strcspn(list, ",");
    snprintf(into, size, "%.*s", (int)count, list);
}

/* Appends a parameter, unless it is empty. */
static void put(Parameters *all, const char *key, const char *value) {
    assert(all->count < PARAMETERS_MAX);
    if (value == NULL || value[0] == '\0')
        return;
    all->keys[all->count] = key;
    all->values[all->count++] = value;
}

/* The value of a parameter of the address; "" = it has none. */
static const char *value_of(const Hosts *hosts, const char *key) {
    for (const PQconninfoOption *one = hosts->options; one != NULL && one->keyword != NULL; one++)
        if (strcmp(one->keyword, key) == 0 && one->val != NULL)
            return one->val;
    return "";
}

/* Reads the address. One without hosts, or one that libpq will refuse, is one host. False = there
 * are too many. */
static bool read_hosts(const char *where, Hosts *hosts) {
    *hosts = (Hosts){.options = PQconninfoParse(where, NULL)};
    hosts->names = value_of(hosts, "host");
    hosts->addresses = value_of(hosts, "hostaddr");
    hosts->ports = value_of(hosts, "port");
    int seconds = atoi(value_of(hosts, "connect_timeout"));
    hosts->timeout_ms = seconds > 0 ? (uint32_t)seconds * 1000 : TIMEOUT_MS;
    hosts->count = count_items(hosts->names[0] != '\0' ? hosts->names : hosts->addresses);
    return hosts->count <= HOSTS_MAX;
}

/* Is this one of the parameters of which each host has its own? */
static bool is_list(const char *key) {
    return strcmp(key, "host") == 0 || strcmp(key, "hostaddr") == 0 || strcmp(key, "port") == 0;
}

/* --- Asking them ------------------------------------------------------------------------------ */

/* Begins to connect with a host. */
static void begin(const DatabaseLink *link, const Hosts *hosts, int index, Attempt *attempt) {
    Parameters all = {.count = 0};
    char name[512], address[512], port[16];
    copy_item(hosts->names, index, name, sizeof name);
    copy_item(hosts->addresses, index, address, sizeof address);
    copy_item(hosts->ports, index, port, sizeof port);
    /* What stands before the address's own parameters may be changed by them, what stands behind
     * may not. */
    put(&all, "keepalives_idle", "2");
    put(&all, "keepalives_interval", "1");
    put(&all, "keepalives_count", "3");
    put(&all, "tcp_user_timeout", "4000");
    if (hosts->options == NULL)
        put(&all, "dbname", link->where);
    for (const PQconninfoOption *one = hosts->options; one != NULL && one->keyword != NULL; one++)
        if (!is_list(one->keyword))
            put(&all, one->keyword, one->val);
    put(&all, "host", name);
    put(&all, "hostaddr", address);
    put(&all, "port", port);
    put(&all, "target_session_attrs", "read-write");
    put(&all, "options", link->options);
    put(&all, "application_name", link->application);
    put(&all, "client_encoding", "SQL_ASCII");
    attempt->connection = PQconnectStartParams(all.keys, all.values, hosts->options == NULL);
    attempt->wants = PGRES_POLLING_WRITING;
    snprintf(attempt->problem, sizeof attempt->problem, "no answer from %.100s within %u ms",
             name[0] != '\0'      ? name
             : address[0] != '\0' ? address
                                  : "the database",
             hosts->timeout_ms);
}

/* It refused. */
static void refuse(Attempt *attempt, uint64_t now_ms) {
    snprintf(attempt->problem, sizeof attempt->problem, "%s",
             attempt->connection == NULL ? "out of memory" : PQerrorMessage(attempt->connection));
    PQfinish(attempt->connection);
    attempt->connection = NULL;
    attempt->again_ms = now_ms + AGAIN_MS;
}

/* Is it waiting for the host's answer? */
static bool is_asking(const Attempt *attempt) {
    return attempt->connection != NULL && attempt->wants != PGRES_POLLING_OK;
}

/* Goes on with those whose sockets are ready, at most until this time. */
static void go_on(Attempt *attempts, int count, uint64_t until_ms) {
    struct pollfd files[HOSTS_MAX];
    uint64_t now_ms = link_clock_ms();
    for (int i = 0; i < count; i++) {
        const Attempt *one = &attempts[i];
        bool reads = one->wants == PGRES_POLLING_READING;
        files[i] = (struct pollfd){.fd = is_asking(one) ? PQsocket(one->connection) : -1,
                                   .events = reads ? POLLIN : POLLOUT};
    }
    if (poll(files, (nfds_t)count, until_ms > now_ms ? (int)(until_ms - now_ms) : 0) <= 0)
        return;
    for (int i = 0; i < count; i++)
        if (files[i].fd >= 0 && files[i].revents != 0) {
            attempts[i].wants = PQconnectPoll(attempts[i].connection);
            if (attempts[i].wants == PGRES_POLLING_FAILED)
                refuse(&attempts[i], link_clock_ms());
        }
}

/* Asks those that are to be asked, or to be asked again. */
static void ask(const DatabaseLink *link, const Hosts *hosts, Attempt *attempts) {
    uint64_t now_ms = link_clock_ms();
    for (int i = 0; i < hosts->count; i++) {
        Attempt *one = &attempts[i];
        bool wanted = link->only == 0 || link->only == i + 1;
        if (!wanted || one->connection != NULL || now_ms < one->again_ms)
            continue;
        begin(link, hosts, i, one);
        if (one->connection == NULL || PQstatus(one->connection) == CONNECTION_BAD)
            refuse(one, now_ms);
    }
}

/* The host to use, as things are: the first in the written order, so that all nodes choose the same
 * one; -1 = none yet. `patient`: one that stands before it may still answer. */
static int choose(const DatabaseLink *link, const Attempt *attempts, int count, bool patient) {
    int last = -1;
    for (int i = 0; i < count; i++) {
        bool hung = link->hung && i == link->host && link->only == 0;
        bool open = attempts[i].connection != NULL && !is_asking(&attempts[i]);
        if (open && !hung)
            return i;
        if (open)
            last = i;
        if (is_asking(&attempts[i]) && !hung && patient)
            return -1;
    }
    return patient && last >= 0 ? -1 : last;
}

/* Says what each of them said. */
static void say_problems(DatabaseLink *link, const Attempt *attempts, int count) {
    bool more = false;
    for (int i = 0; i < count; i++)
        if (attempts[i].problem[0] != '\0') {
            link_keep_problem(link, attempts[i].problem, more);
            more = true;
        }
}

/* Asks until one can be used, none is left that might, or the time is over. The host to use, or
 * -1. */
static int find(const DatabaseLink *link, const Hosts *hosts, Attempt *attempts) {
    uint64_t began_ms = link_clock_ms(), until_ms = began_ms + hosts->timeout_ms;
    for (;;) {
        bool asking = false;
        ask(link, hosts, attempts);
        for (int i = 0; i < hosts->count; i++)
            asking = asking || is_asking(&attempts[i]);
        uint64_t now_ms = link_clock_ms();
        bool patient = asking && now_ms - began_ms < PREFER_MS;
        int found = choose(link, attempts, hosts->count, patient);
        if (found >= 0 || !asking || now_ms >= until_ms)
            return found;
        uint64_t next_ms = now_ms + AGAIN_MS / 4;
        go_on(attempts, hosts->count, next_ms < until_ms ? next_ms : until_ms);
    }
}

bool hosts_connect(DatabaseLink *link) {
    Hosts hosts;
    Attempt attempts[HOSTS_MAX] = {0};
    int found = -1;
    if (!read_hosts(link->where, &hosts)) {
        link_keep_problem(link, "the store's address has too many hosts", false);
        hosts.count = 0;
    } else {
        found = find(link, &hosts, attempts);
        if (found < 0)
            say_problems(link, attempts, hosts.count);
    }
    for (int i = 0; i < hosts.count; i++)
        if (i != found)
            PQfinish(attempts[i].connection);
    PQconninfoFree(hosts.options);
    if (found < 0)
        return false;
    link->connection = attempts[found].connection;
    link->host = found;
    return true;
}
