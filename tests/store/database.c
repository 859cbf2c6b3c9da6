/* database.c -- see database.h. */
#define _GNU_SOURCE
#include "tests/store/database.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/store/fixture.h"

static const char settings[] =
    "listen_addresses = ''\nfsync = off\nmax_connections = 60\nshared_buffers = 16MB\n"
    "autovacuum = off\nmax_wal_senders = 4\nwal_level = replica\nlog_min_messages = fatal\n"
    "hot_standby = on\nwal_keep_size = 64MB\nmax_wal_size = 64MB\nlog_checkpoints = off\n"
    "wal_receiver_status_interval = 1\nwal_retrieve_retry_interval = 100ms\n";

/* --- Processes -------------------------------------------------------------------------------- */

/* The ordinary user that the server runs as: ourselves, or nobody if we are root. */
static const struct passwd *user(void) {
    return getpwuid(geteuid()) == NULL || geteuid() == 0 ? getpwnam("nobody") : getpwuid(geteuid());
}

/* The path of a program of PostgreSQL; NULL = there is none. */
static const char *program(const char *name) {
    static char path[256];
    glob_t found;
    char pattern[128];
    snprintf(pattern, sizeof pattern, "/usr/lib/postgresql/*/bin/%s", name);
    if (glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    snprintf(path, sizeof path, "%s", found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return path;
}

/* Starts a program of PostgreSQL as the ordinary user in a group of processes of its own; it ends
 * with us. */
static pid_t spawn(const char *name, const char *const *words) {
    const char *path = program(name);
    const struct passwd *who = user();
    pid_t child = fork();
    if (child != 0)
        return child;
    const char *kept =
        getenv("MASH_DATABASE_LOG"); /* a file for what it says, to look for faults */
    int nothing = open(kept == NULL ? "/dev/null" : kept, O_RDWR | O_CREAT | O_APPEND, 0666);
    setpgid(0, 0);
    if (geteuid() == 0 &&
        (setgroups(0, NULL) != 0 || setgid(who->pw_gid) != 0 || setuid(who->pw_uid) != 0))
        _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    if (chdir("/") == 0 && path != NULL)
        execv(path, (char *const *)words);
    _exit(127);
}

/* Runs a program to its end. Did it succeed? */
static bool run(const char *name, const char *const *words) {
    int status = -1;
    pid_t child = spawn(name, words);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status == 0;
}

/* --- The server ------------------------------------------------------------------------------- */

static PGconn *connect_to(const Database *database, const char *name) {
    char where[160];
    snprintf(where, sizeof where, "host=%s dbname=%s user=mashup", database->folder, name);
    return PQconnectdb(where);
}

void database_start(Database *database) {
    const char *words[] = {"postgres", "-D", database->folder, "-k", database->folder, NULL};
    database->process = spawn("postgres", words);
    for (int i = 0; i < 3000; i++, rig_pause_ms(10)) {
        PGconn *connection = connect_to(database, "postgres");
        bool ready = PQstatus(connection) == CONNECTION_OK;
        PQfinish(connection);
        if (ready)
            return;
    }
    fprintf(stderr, "the database in %s does not answer\n", database->folder);
    abort();
}

/* Has the folder in memory room for some databases? */
static bool has_memory_disk(void) {
    struct statvfs disk;
    return access("/dev/shm", W_OK) == 0 && statvfs("/dev/shm", &disk) == 0 &&
           disk.f_bavail * disk.f_frsize >= UINT64_C(1) << 30;
}

/* A new folder of the ordinary user. */
static void make_folder(char folder[64]) {
    const struct passwd *who = user();
    snprintf(folder, 64, "%s/mash-pg-XXXXXX", has_memory_disk() ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL || chmod(folder, 0700) != 0 ||
        (geteuid() == 0 && chown(folder, who->pw_uid, who->pw_gid) != 0))
        abort();
}

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *where) {
    (void)found;
    (void)type;
    (void)where;
    return remove(path);
}

static void remove_folder(const char *folder) {
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Appends lines to the configuration. */
static void configure(const Database *database, const char *lines) {
    char path[128];
    snprintf(path, sizeof path, "%s/postgresql.conf", database->folder);
    FILE *file = fopen(path, "a");
    assert(file != NULL);
    fputs(lines, file);
    fclose(file);
}

bool database_open(Database *database) {
    *database = (Database){.process = 0};
    if (program("postgres") == NULL || user() == NULL) {
        printf("no PostgreSQL here (Debian: postgresql-15): its tests are skipped\n");
        return false;
    }
    make_folder(database->folder);
    const char *words[] = {"initdb", "-D",    database->folder, "-U",         "mashup",
                           "-A",     "trust", "--no-sync",      "--locale=C", "--encoding=UTF8",
                           NULL};
    if (!run("initdb", words)) {
        printf("initdb cannot run here: the tests with PostgreSQL are skipped\n");
        remove_folder(database->folder);
        return false;
    }
    configure(database, settings);
    database_start(database);
    return true;
}

bool database_open_standby(Database *standby, const Database *primary) {
    *standby = (Database){.process = 0};
    make_folder(standby->folder);
    const char *words[] = {"pg_basebackup", "-h", primary->folder, "-U", "mashup", "-D",
                           standby->folder, "-X", "stream",        "-c", "fast",   "-R",
                           "--no-sync",     NULL};
    if (!run("pg_basebackup", words))
        return false;
    char lock[128]; /* of the primary's socket, which is in its folder */
    snprintf(lock, sizeof lock, "%s/.s.PGSQL.5432.lock", standby->folder);
    remove(lock);
    database_start(standby);
    database_ask(primary, "postgres", "alter system set synchronous_standby_names = '*'");
    database_ask(primary, "postgres", "select pg_reload_conf()");
    for (int i = 0; i < 1000; i++, rig_pause_ms(10))
        if (strcmp(database_ask(primary, "postgres",
                                "select count(*) from pg_stat_replication where sync_state = "
                                "'sync'"),
                   "1") == 0)
            return true;
    return false;
}

/* Waits for the end of the server's first process. */
static void wait_for_end(Database *database) {
    while (waitpid(database->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    database->process = 0;
}

/* Sends a signal to all children of the server's first process: they have groups of their own. */
static void signal_children(const Database *database, int signal_number) {
    DIR *processes = opendir("/proc");
    assert(processes != NULL);
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        char path[300], line[512] = "";
        int parent = 0;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL;
        if (file == NULL)
            continue;
        const char *behind = fgets(line, sizeof line, file) == NULL ? NULL : strrchr(line, ')');
        if (behind != NULL && sscanf(behind, ") %*c %d", &parent) == 1 &&
            parent == (int)database->process)
            kill(atoi(entry->d_name), signal_number);
        fclose(file);
    }
    closedir(processes);
}

void database_kill(Database *database) {
    char path[128];
    if (database->process == 0)
        return;
    kill(database->process, SIGSTOP); /* it starts no more of them */
    signal_children(database, SIGKILL);
    kill(database->process, SIGKILL);
    wait_for_end(database);
    snprintf(path, sizeof path, "%s/postmaster.pid", database->folder);
    remove(path);
}

void database_stop(Database *database) {
    if (database->process == 0)
        return;
    kill(database->process, SIGINT);
    wait_for_end(database);
}

void database_freeze(const Database *database, bool freezes) {
    kill(database->process, freezes ? SIGSTOP : SIGCONT);
    signal_children(database, freezes ? SIGSTOP : SIGCONT);
}

void database_promote(const Database *database) {
    const char *words[] = {"pg_ctl", "promote", "-D", database->folder, "-w", NULL};
    bool done = run("pg_ctl", words);
    assert(done);
}

void database_close(Database *database) {
    if (database->folder[0] == '\0')
        return;
    database_kill(database);
    remove_folder(database->folder);
    database->folder[0] = '\0';
}

const char *database_ask(const Database *database, const char *name, const char *sql) {
    static char answer[1024];
    PGconn *connection = connect_to(database, name);
    PGresult *rows = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(rows);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        fprintf(stderr, "%s: %s\n", sql, PQerrorMessage(connection));
        abort();
    }
    snprintf(answer, sizeof answer, "%s", PQntuples(rows) > 0 ? PQgetvalue(rows, 0, 0) : "");
    PQclear(rows);
    PQfinish(connection);
    return answer;
}

void database_empty(const Database *database) {
    database_ask(
        database, "postgres",
        "set client_min_messages = error; drop schema public cascade; create schema public");
}

/* --- The relay -------------------------------------------------------------------------------- */

enum { PIPES_MAX = 64, SOCKET_NUMBER = 5432 };

/* One connection through the relay. */
typedef struct Pipe {
    int client, server;
} Pipe;

struct DatabaseRelay {
    char folder[64];
    char target[128];
    int listener;
    pthread_t thread;
    pthread_mutex_t lock;
    Pipe pipes[PIPES_MAX];
    int count;
    bool ends, blocks;
    bool armed, up;
    uint32_t bytes, cuts;
    uint64_t passed[2];
};

static struct sockaddr_un address_of(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t count = strlen(path);
    assert(count < sizeof address.sun_path);
    memcpy(address.sun_path, path, count);
    return address;
}

static void drop(DatabaseRelay *relay, int i) {
    close(relay->pipes[i].client);
    close(relay->pipes[i].server);
    relay->pipes[i] = relay->pipes[--relay->count];
}

/* Passes what is there in one direction. False = the connection has ended or was cut. */
static bool pass(DatabaseRelay *relay, int from, int to, bool up) {
    char bytes[4096];
    ssize_t got = recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    bool cut = relay->armed && relay->up == up && relay->passed[up] + (uint64_t)got >= relay->bytes;
    if (cut)
        got = (ssize_t)(relay->bytes - relay->passed[up]);
    relay->passed[up] += (uint64_t)got;
    bool sent = got == 0 || send(to, bytes, (size_t)got, MSG_NOSIGNAL) == got;
    if (cut) {
        relay->armed = false;
        relay->cuts++;
        while (relay->count > 1) /* the caller drops the last one */
            drop(relay, relay->pipes[0].client == from || relay->pipes[0].server == from ? 1 : 0);
    }
    return sent && !cut;
}

/* Passes what is there in both directions, and drops the connection when it has ended. */
static void pass_both(DatabaseRelay *relay, Pipe pipe) {
    if (pass(relay, pipe.client, pipe.server, true) && pass(relay, pipe.server, pipe.client, false))
        return;
    for (int i = relay->count; i-- > 0;)
        if (relay->pipes[i].client == pipe.client)
            drop(relay, i);
}

static void accept_one(DatabaseRelay *relay) {
    struct sockaddr_un target = address_of(relay->target);
    int client = accept(relay->listener, NULL, NULL);
    int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client >= 0 && relay->count < PIPES_MAX &&
        connect(server, (struct sockaddr *)&target, sizeof target) == 0) {
        relay->pipes[relay->count++] = (Pipe){client, server};
        return;
    }
    close(server);
    if (client >= 0)
        close(client);
}

static void *relay_run(void *owner) {
    DatabaseRelay *relay = owner;
    for (;;) {
        struct pollfd files[1 + 2 * PIPES_MAX];
        pthread_mutex_lock(&relay->lock);
        bool ends = relay->ends;
        int count = relay->blocks ? 0 : relay->count;
        files[0] = (struct pollfd){.fd = relay->blocks ? -1 : relay->listener, .events = POLLIN};
        for (int i = 0; i < count; i++) {
            files[1 + 2 * i] = (struct pollfd){.fd = relay->pipes[i].client, .events = POLLIN};
            files[2 + 2 * i] = (struct pollfd){.fd = relay->pipes[i].server, .events = POLLIN};
        }
        pthread_mutex_unlock(&relay->lock);
        if (ends)
            return NULL;
        poll(files, (nfds_t)(1 + 2 * count), 5);
        pthread_mutex_lock(&relay->lock);
        for (int i = relay->blocks ? 0 : relay->count; i-- > 0;)
            if (i < relay->count)
                pass_both(relay, relay->pipes[i]);
        if (files[0].revents & POLLIN)
            accept_one(relay);
        pthread_mutex_unlock(&relay->lock);
    }
}

DatabaseRelay *relay_open(const Database *database) {
    DatabaseRelay *relay = calloc(1, sizeof *relay);
    assert(relay != NULL);
    char path[128];
    make_folder(relay->folder);
    snprintf(path, sizeof path, "%s/.s.PGSQL.%d", relay->folder, SOCKET_NUMBER);
    snprintf(relay->target, sizeof relay->target, "%s/.s.PGSQL.%d", database->folder,
             SOCKET_NUMBER);
    struct sockaddr_un address = address_of(path);
    relay->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(relay->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(relay->listener, 64) != 0)
        abort();
    pthread_mutex_init(&relay->lock, NULL);
    pthread_create(&relay->thread, NULL, relay_run, relay);
    return relay;
}

const char *relay_folder(const DatabaseRelay *relay) { return relay->folder; }

void relay_cut_after(DatabaseRelay *relay, bool up, uint32_t bytes) {
    pthread_mutex_lock(&relay->lock);
    relay->armed = true;
    relay->up = up;
    relay->bytes = bytes;
    relay->passed[0] = relay->passed[1] = 0;
    pthread_mutex_unlock(&relay->lock);
}

uint32_t relay_cuts(DatabaseRelay *relay) {
    pthread_mutex_lock(&relay->lock);
    uint32_t cuts = relay->cuts;
    pthread_mutex_unlock(&relay->lock);
    return cuts;
}

uint64_t relay_passed(DatabaseRelay *relay, bool up) {
    pthread_mutex_lock(&relay->lock);
    uint64_t passed = relay->passed[up];
    pthread_mutex_unlock(&relay->lock);
    return passed;
}

void relay_block(DatabaseRelay *relay, bool blocks) {
    pthread_mutex_lock(&relay->lock);
    relay->blocks = blocks;
    pthread_mutex_unlock(&relay->lock);
}

void relay_close(DatabaseRelay *relay) {
    pthread_mutex_lock(&relay->lock);
    relay->ends = true;
    pthread_mutex_unlock(&relay->lock);
    pthread_join(relay->thread, NULL);
    while (relay->count > 0)
        drop(relay, 0);
    close(relay->listener);
    pthread_mutex_destroy(&relay->lock);
    remove_folder(relay->folder);
    free(relay);
}
