/* notices.h -- players are told of their turns in matches over days while they are not there: by a
 * webhook (an https address of theirs) and by Web Push (push.h).
 *
 * A notice has the table's code, the game, the opponent's name and the deadline, and nothing of the
 * position. There is one for each turn. They are sent by threads of their own, which wait for
 * nobody for long; what fails is tried again three times, later and later, and then dropped. Hosts
 * that did not answer lately have fewer threads and more time, so that they keep only each other
 * waiting. */
#ifndef SERVER_NOTICES_H
#define SERVER_NOTICES_H
#include "net/net.h"
#include "proto/message.h"
#include "server/push.h"
#include "server/table.h"

typedef struct NoticeJob NoticeJob;

/* A host that players are told at, and the server's part. */
enum { NOTICES_HOSTS = 1024 };
typedef struct NoticeHost {
    uint64_t slow_until_ms; /* it did not answer */
    uint32_t sending;       /* requests that it is sent now */
} NoticeHost;
typedef struct Notices {
    NetThreadPool *thread_pool, *slow_pool;
    uint32_t sending;                /* requests by the threads for all hosts */
    NoticeHost hosts[NOTICES_HOSTS]; /* by the hash of the name */
    NoticeJob *jobs;
    uint32_t jobs_count;
    PushKey *key; /* NULL: no push */
    uint64_t sent, failed;
} Notices;

/* Reads the key for Web Push, if the server's folder has one. False: no memory. */
bool notices_open(Server *server);
void notices_close(Server *server);
/* `notices`. */
void notices_request(Session *session, const Message *request);
/* The session is gone. */
void notices_forget(Session *session);
/* It is the turn of a seat whose player is not there, until this time. */
void notices_turn(Table *table, uint8_t seat, uint64_t deadline_ms);

/* The name of the file of the key in the server's folder. */
#define NOTICES_KEY_FILE "push-key"

#endif
