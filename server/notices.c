/* notices.c -- see notices.h. */
#include "server/notices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>

#include "base/hash.h"
#include "server/arena.h"
#include "server/internal.h"
#include "store/relations.h"

enum {
    JOBS_MAX = 1000,   /* that wait for a thread or for another try */
    STORE_THREADS = 2, /* that ask the store */
    SENDING_MAX = 4,   /* requests at once, */
    SENDING_HOST = 2,  /* to one host */
    TIMEOUT_MS = 3000, /* of one request */
    SLOW_THREADS = 2,  /* for hosts that did not answer in time lately, */
    SLOW_MAX = 200,    /* of which no more wait for these threads, */
    SLOW_MS = 600000,  /* for so long */
    SLOW_TIMEOUT_MS = 5000,
    AGAIN_MAX = 5,       /* notices of one player that wait for another try */
    TRIES = 4,           /* of one notice */
    BACK_OFF_MS = 60000, /* to the second try; five times as long to each further one */
    BACK_OFF_GROWS = 5,
    VALID_S = 12 * 3600, /* a signature */
    TTL_S = 86400,       /* how long a push service keeps a notice */
    GONE = 410,
    NOT_FOUND = 404,
    PATH_BYTES = 1024
};

/* A notice or a request on its way through a thread. */
struct NoticeJob {
    NoticeJob *next;
    Server *server;
    Session *session; /* whose request it is; NULL: it is gone, or it is a notice of a turn */
    RequestContext request;
    NetTimer *timer; /* until the next try; NULL: there was none yet */
    bool waits;      /* for it */
    uint64_t account, now_ms;
    uint8_t key[STORE_HASH_BYTES]; /* of the device that asks */
    bool local;                    /* addresses of one's own network are allowed: for tests */
    /* Of a turn. */
    uint64_t match;
    uint32_t seat, tries;
    bool claimed, unknown; /* `unknown`: a claim was not answered */
    char text[PUSH_TEXT_MAX];
    char topic[PROTO_CODE_MAX + 1];
    /* Of a request. */
    bool webhook_off, push_off, test, sets_webhook, sets_push;
    StoreTarget webhook, push;
    /* Where to, which of them are still to be told, and which of these in this try; the one that
     * is being told, for how long, and what it answered. */
    StoreTarget targets[STORE_TARGETS_MAX];
    uint32_t targets_count, left, now, target, timeout_ms;
    uint16_t answered;
    bool queued; /* until a request may be sent */
    bool slow;   /* it is sent by the threads for slow hosts */
    /* The answer. */
    StoreStatus status;
    uint32_t sent;
    char problem[PROTO_SENTENCE_MAX + 1];
};

/* --- Sending, in a thread --------------------------------------------------------------------- */

/* Sends a notice to a webhook; the status. */
static uint16_t send_webhook(const NoticeJob *job, const StoreTarget *target, MashText *problem) {
    NetPost post = {.url = target->url,
                    .headers = "Content-Type: application/json\r\n",
                    .body = job->text,
                    .count = strlen(job->text),
                    .timeout_ms = job->timeout_ms,
                    .local = job->local};
    return net_post(&post, problem);
}

/* Sends a notice to a browser; the status. */
static uint16_t send_push(const NoticeJob *job, const StoreTarget *target, MashText *problem) {
    uint8_t salt[PUSH_SALT_BYTES], body[PUSH_BODY_MAX];
    char headers[PUSH_HEADER_MAX + 256], authorization[PUSH_HEADER_MAX];
    const ServerSetup *setup = &job->server->setup;
    const char *contact = setup->origin != NULL ? setup->origin : "https://localhost";
    PushKey *own = push_key_new();
    size_t count = 0;
    if (own != NULL && RAND_bytes(salt, sizeof salt) == 1)
        count = push_encrypt(own, salt, target->keys, target->keys + PUSH_POINT_BYTES, job->text,
                             strlen(job->text), body);
    push_key_release(own);
    if (count == 0 || !push_authorize(job->server->notices.key, target->url, contact,
                                      job->now_ms / 1000 + VALID_S, authorization)) {
        text_string(problem, "the browser's keys are not valid");
        return NOT_FOUND;
    }
    snprintf(headers, sizeof headers,
             "%sContent-Type: application/octet-stream\r\nContent-Encoding: aes128gcm\r\n"
             "TTL: %d\r\nTopic: %s\r\n",
             authorization, TTL_S, job->topic);
    NetPost post = {.url = target->url,
                    .headers = headers,
                    .body = body,
                    .count = count,
                    .timeout_ms = job->timeout_ms,
                    .local = job->local};
    return net_post(&post, problem);
}

/* In a thread: sends to one target. A browser that is gone is dropped. */
static void work_send(void *what) {
    NoticeJob *job = what;
    const StoreTarget *target = &job->targets[job->target];
    MashText problem = text_over(job->problem, sizeof job->problem);
    bool push = target->kind == STORE_TARGET_PUSH;
    uint16_t status = push ? send_push(job, target, &problem) : send_webhook(job, target, &problem);
    bool gone = push && (status == GONE || status == NOT_FOUND);
    if (status >= 200 && status < 300) {
        job->sent++;
        text_clear(&problem);
    }
    if (gone)
        store_target_drop(job->server->store, job->account, target->kind, target->url);
    if (gone || (status >= 200 && status < 300))
        job->left &= ~(1u << job->target);
    if (status >= 300)
        text_format(&problem, "it answered %u", (unsigned)status);
    job->answered = status;
}

/* Reads where the player is told; not in browsers, if the server does not push. */
static void read_targets(NoticeJob *job) {
    job->status =
        store_target_list(job->server->store, job->account, job->targets, &job->targets_count);
    job->left = 0;
    for (uint32_t i = 0; job->status == STORE_OK && i < job->targets_count; i++)
        if (job->targets[i].kind != STORE_TARGET_PUSH || job->server->notices.key != NULL)
            job->left |= 1u << i;
}

/* In a thread: whom to tell of a turn, if nobody was told of it yet. A claim that was not answered
 * was ours if it is there when it is asked for again: it is worse to be told never than twice. */
static void work_turn(void *what) {
    NoticeJob *job = what;
    StoreClaim claim = STORE_CLAIM_OVER;
    read_targets(job);
    if (job->status == STORE_OK && job->left != 0) {
        job->status = store_turn_claim(job->server->store, job->match, job->seat, &claim);
        job->claimed = job->status == STORE_OK &&
                       (claim == STORE_CLAIM_MADE || (claim == STORE_CLAIM_THERE && job->unknown));
        job->unknown |= job->status != STORE_OK;
    }
    if (!job->claimed) /* a store that does not answer is asked again, as a target is */
        job->left = job->status == STORE_BUSY;
}

/* In a thread: a request. */
static void work_request(void *what) {
    NoticeJob *job = what;
    Store *store = job->server->store;
    StoreAccount account;
    StoreKeyKind kind = STORE_KEY_DEVICE;
    job->status = store_account_of_key(store, job->key, job->now_ms, &account, &kind);
    if (job->status == STORE_OK && (kind != STORE_KEY_DEVICE || account.id != job->account))
        job->status = STORE_UNKNOWN;
    if (job->status == STORE_OK && (job->webhook_off || job->sets_webhook))
        job->status = store_target_drop(store, job->account, STORE_TARGET_WEBHOOK, "");
    if (job->status == STORE_OK && job->sets_webhook)
        job->status = store_target_set(store, job->account, &job->webhook, job->now_ms);
    if (job->status == STORE_OK && job->push_off)
        job->status = store_target_drop(store, job->account, STORE_TARGET_PUSH, job->push.url);
    if (job->status == STORE_OK && job->sets_push && !job->push_off)
        job->status = store_target_set(store, job->account, &job->push, job->now_ms);
    if (job->status == STORE_OK)
        read_targets(job);
    if (!job->test)
        job->left = 0;
}

/* --- Back in the loop ------------------------------------------------------------------------- */

/* Takes a job off the list and frees it. */
static void release(NoticeJob *job) {
    NoticeJob **link = &job->server->notices.jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    job->server->notices.jobs_count--;
    net_timer_close(job->timer);
    free(job);
}

/* The place of the host of the target that is next. Hosts that share one share their fate. */
static NoticeHost *host_of(const NoticeJob *job) {
    const char *url = job->targets[job->target].url, *host = strstr(url, "://");
    host = host == NULL ? url : host + 3;
    uint64_t hash = hash_bytes(job->server->accounts.secret[0], host, strcspn(host, ":/?"));
    return &job->server->notices.hosts[hash % NOTICES_HOSTS];
}

/* Was the host of the next target too slow lately? */
static bool is_slow(const NoticeJob *job) {
    return host_of(job)->slow_until_ms > net_now_ms(job->server->loop);
}

static void done_send(void *what);
static void done_try(NoticeJob *job);

/* Gives the next request to a thread. */
static void start(NoticeJob *job) {
    Notices *notices = &job->server->notices;
    MashText problem = text_over(job->problem, sizeof job->problem);
    job->queued = false;
    job->slow = is_slow(job);
    job->timeout_ms = job->slow ? SLOW_TIMEOUT_MS : TIMEOUT_MS;
    if (!net_thread_pool_submit(job->slow ? notices->slow_pool : notices->thread_pool, work_send,
                                done_send, job)) {
        text_string(&problem, "too many notices wait for slow hosts; try again later");
        done_try(job);
    } else if (!job->slow) {
        notices->sending++;
        host_of(job)->sending++;
    }
}

/* The oldest request that may be sent now; NULL: none. */
static NoticeJob *next_queued(const Notices *notices) {
    NoticeJob *found = NULL;
    for (NoticeJob *job = notices->jobs; job != NULL; job = job->next)
        if (job->queued && (is_slow(job) || (notices->sending < SENDING_MAX &&
                                             host_of(job)->sending < SENDING_HOST)))
            found = job;
    return found;
}

/* Sends what may be sent. */
static void send_queued(Server *server) {
    for (NoticeJob *job; (job = next_queued(&server->notices)) != NULL;)
        start(job);
}

/* Queues the request to the next target; those whose hosts were too slow come last. Without any the
 * try is over. */
static void send_next(NoticeJob *job) {
    uint32_t last = 0;
    bool slow = true;
    for (job->target = 0; job->target < job->targets_count; job->target++) {
        if ((job->now >> job->target & 1) == 0)
            continue;
        last = job->target;
        slow = is_slow(job);
        if (!slow)
            break;
    }
    job->target = last;
    if (job->now == 0) {
        done_try(job);
        return;
    }
    job->now &= ~(1u << last);
    job->queued = true;
}

/* Back in the loop: one was told, or not. */
static void done_send(void *what) {
    NoticeJob *job = what;
    Server *server = job->server;
    NoticeHost *host = host_of(job);
    if (!job->slow) {
        server->notices.sending--;
        host->sending--;
    }
    if (job->answered == 0)
        host->slow_until_ms = net_now_ms(server->loop) + SLOW_MS;
    send_next(job);
    send_queued(server);
}

/* Sends to all that are left. */
static void begin_try(NoticeJob *job) {
    Server *server = job->server;
    job->tries++;
    job->now = job->left;
    job->now_ms = net_wall_clock_ms(server->loop);
    send_next(job);
    send_queued(server);
}

static void done_turn(void *what);

/* The timer: another try. */
static void try_again(void *what) {
    NoticeJob *job = what;
    job->waits = false;
    if (job->claimed)
        begin_try(job);
    else if (!net_thread_pool_submit(job->server->notices.thread_pool, work_turn, done_turn, job))
        release(job);
}

static void done_turn_try(NoticeJob *job);

/* Back in the loop: who is to be told is known, or the store did not answer. */
static void done_turn(void *what) {
    NoticeJob *job = what;
    if (job->claimed || job->left == 0) {
        begin_try(job);
        return;
    }
    job->tries++;
    done_turn_try(job);
}

/* How many notices of the same player wait for another try. */
static uint32_t waiting_again(const NoticeJob *job) {
    uint32_t count = 0;
    for (const NoticeJob *one = job->server->notices.jobs; one != NULL; one = one->next)
        count += one->waits && one->account == job->account;
    return count;
}

/* A try of a notice of a turn is over: it is dropped, or tried again later. */
static void done_turn_try(NoticeJob *job) {
    Notices *notices = &job->server->notices;
    notices->sent += job->sent;
    job->sent = 0;
    if (job->left == 0 || job->tries == TRIES || waiting_again(job) >= AGAIN_MAX) {
        notices->failed += job->left != 0;
        release(job);
        return;
    }
    uint64_t after_ms = BACK_OFF_MS;
    for (uint32_t i = 1; i < job->tries; i++)
        after_ms *= BACK_OFF_GROWS;
    if (job->timer == NULL)
        job->timer = net_timer_open(job->server->loop, try_again, job);
    if (job->timer == NULL) {
        release(job);
        return;
    }
    job->waits = true;
    net_timer_start(job->timer, after_ms);
}

/* `notices`. */
static void answer(Session *session, const NoticeJob *job) {
    Message message = message_new(MESSAGE_SERVER_NOTICES);
    MashText to = text_over(message.notices_told.to, sizeof message.notices_told.to);
    MashText test = text_over(message.notices_told.test, sizeof message.notices_told.test);
    MashText key = text_over(message.notices_told.push_key, sizeof message.notices_told.push_key);
    text_string(&to, job->request.to);
    message.notices_told.id = job->request.id;
    if (job->request.has_id)
        message_set_present(&message, "id");
    for (uint32_t i = 0; i < job->targets_count; i++) {
        message.notices_told.browsers += job->targets[i].kind == STORE_TARGET_PUSH;
        if (job->targets[i].kind != STORE_TARGET_WEBHOOK)
            continue;
        MashText url = text_over(message.notices_told.webhook, sizeof message.notices_told.webhook);
        text_string(&url, job->targets[i].url);
        message_set_present(&message, "webhook");
    }
    if (session->server->notices.key != NULL) {
        uint8_t point[PUSH_POINT_BYTES];
        push_key_point(session->server->notices.key, point);
        push_base64_write(point, sizeof point, &key);
        message_set_present(&message, "push_key");
    }
    if (job->test) {
        text_string(&test, job->sent > 0             ? "sent"
                           : job->problem[0] != '\0' ? job->problem
                                                     : "there is nowhere to send it to");
        message_set_present(&message, "test");
    }
    arena_send(session, &message);
}

/* A request is done. */
static void done_request_try(NoticeJob *job) {
    Session *session = job->session;
    job->server->notices.sent += job->sent;
    if (session != NULL) {
        job->server->request = job->request;
        if (job->status == STORE_OK)
            answer(session, job);
        else
            arena_refuse(session, job->status == STORE_UNKNOWN ? REFUSAL_NO_SUCH_ACCOUNT
                                  : job->status == STORE_FULL  ? REFUSAL_TOO_MANY_DEVICES
                                                               : REFUSAL_ACCOUNTS_AWAY);
    }
    release(job);
}

/* Back in the loop: what was asked of the store is done. */
static void done_request(void *what) { begin_try(what); }

/* All targets of this try were told, or were not. */
static void done_try(NoticeJob *job) {
    if (job->match != 0)
        done_turn_try(job);
    else
        done_request_try(job);
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* A job for an account; NULL: too many, or no memory. */
static NoticeJob *new_job(Server *server, uint64_t account) {
    Notices *notices = &server->notices;
    NoticeJob *job = notices->jobs_count >= JOBS_MAX ? NULL : calloc(1, sizeof *job);
    if (job == NULL)
        return NULL;
    job->server = server;
    job->account = account;
    job->now_ms = net_wall_clock_ms(server->loop);
    job->local = server->setup.webhook_local;
    job->next = notices->jobs;
    notices->jobs = job;
    notices->jobs_count++;
    return job;
}

/* The text of a notice: JSON that chat rooms understand as well. */
static void write_notice(NoticeJob *job, const char *event, const MashGame *game, const char *name,
                         uint64_t deadline_ms) {
    char words[256];
    MashText text = text_over(job->text, sizeof job->text);
    MashText sentence = text_over(words, sizeof words);
    JsonWriter writer = json_writer(&text, 0);
    if (strcmp(event, "turn") == 0)
        text_format(&sentence, "%s: it is your turn against %s.", game->title, name);
    else
        text_string(&sentence, "This is a test: you will be told here when it is your turn.");
    json_open(&writer, '{');
    json_put_pair(&writer, "event", event);
    if (game != NULL) {
        json_put_pair(&writer, "code", job->topic);
        json_put_pair(&writer, "game", game->id);
        json_put_pair(&writer, "opponent", name);
        json_put_pair_int(&writer, "deadline_ms", (int64_t)deadline_ms);
    }
    json_put_pair(&writer, "text", words);
    json_put_pair(&writer, "content", words);
    json_close(&writer, '}');
}

void notices_turn(Table *table, uint8_t seat, uint64_t deadline_ms) {
    Server *server = table->server;
    const Chair *other = &table->chairs[1 - seat];
    NoticeJob *job = new_job(server, table->chairs[seat].player);
    if (job == NULL)
        return;
    job->match = table->number;
    job->seat = seat;
    memcpy(job->topic, table->code, sizeof table->code);
    write_notice(job, "turn", table->match.content->game, other->name, deadline_ms);
    if (!net_thread_pool_submit(server->notices.thread_pool, work_turn, done_turn, job))
        release(job);
}

/* Takes a browser's subscription. False: it is not one. */
static bool take_push(const Message *request, StoreTarget *target) {
    MashText url = text_over(target->url, sizeof target->url);
    uint8_t point[PUSH_POINT_BYTES], auth[PUSH_AUTH_BYTES];
    target->kind = STORE_TARGET_PUSH;
    text_string(&url, request->notices.push);
    if (push_base64_read(request->notices.push_key, point, sizeof point) != sizeof point ||
        push_base64_read(request->notices.push_auth, auth, sizeof auth) != sizeof auth)
        return false;
    memcpy(target->keys, point, sizeof point);
    memcpy(target->keys + sizeof point, auth, sizeof auth);
    target->keys_count = STORE_PUSH_KEY_BYTES;
    return true;
}

/* Takes what is asked. False: it was refused. */
static bool take(Session *session, const Message *request, NoticeJob *job) {
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText problem = text_over(reason, sizeof reason);
    MashText url = text_over(job->webhook.url, sizeof job->webhook.url);
    job->sets_webhook = message_has(request, "webhook");
    job->sets_push = message_has(request, "push");
    job->webhook_off = request->notices.webhook_off;
    job->push_off = request->notices.push_off;
    job->test = request->notices.test;
    text_string(&url, request->notices.webhook);
    if (job->sets_webhook && !net_post_may(request->notices.webhook, job->local, &problem)) {
        arena_refuse_because(session, REFUSAL_BAD_ADDRESS, reason);
        return false;
    }
    if (!job->sets_push)
        return true;
    if (session->server->notices.key == NULL) {
        arena_refuse(session, REFUSAL_NO_PUSH);
        return false;
    }
    bool whole = take_push(request, &job->push);
    if ((!whole && !job->push_off) || !net_post_may(request->notices.push, job->local, &problem)) {
        arena_refuse(session, REFUSAL_BAD_ADDRESS);
        return false;
    }
    return true;
}

void notices_request(Session *session, const Message *request) {
    Server *server = session->server;
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    bool reaches_out =
        request->notices.test || message_has(request, "webhook") || message_has(request, "push");
    if (session->player == NULL) {
        arena_refuse(session, REFUSAL_NEEDS_ACCOUNT);
        return;
    }
    if (!budget_may_log_in(server, session->account, reaches_out, &text)) {
        arena_refuse_because(session, REFUSAL_TOO_FAST, reason);
        return;
    }
    NoticeJob *job = new_job(server, session->player->id);
    if (job == NULL) {
        arena_refuse(session, REFUSAL_ACCOUNTS_AWAY);
        return;
    }
    memcpy(job->key, session->player->key, sizeof job->key);
    memcpy(job->topic, "test", sizeof "test");
    write_notice(job, "test", NULL, "", 0);
    if (!take(session, request, job)) {
        release(job);
        return;
    }
    if (!net_thread_pool_submit(server->notices.thread_pool, work_request, done_request, job)) {
        release(job);
        arena_refuse(session, REFUSAL_ACCOUNTS_AWAY);
        return;
    }
    job->session = session;
    job->request = server->request;
    server->request.refused = true; /* it is answered later */
}

void notices_forget(Session *session) {
    for (NoticeJob *job = session->server->notices.jobs; job != NULL; job = job->next)
        if (job->session == session)
            job->session = NULL;
}

/* --- Opening and closing ---------------------------------------------------------------------- */

bool notices_open(Server *server) {
    char path[PATH_BYTES], memory[256];
    MashText problem = text_over(memory, sizeof memory), text = text_over(path, sizeof path);
    Notices *notices = &server->notices;
    notices->thread_pool =
        net_thread_pool_open(server->loop, STORE_THREADS + SENDING_MAX, JOBS_MAX);
    notices->slow_pool = net_thread_pool_open(server->loop, SLOW_THREADS, SLOW_MAX);
    if (notices->thread_pool == NULL || notices->slow_pool == NULL)
        return false;
    if (server->setup.folder == NULL)
        return true;
    text_format(&text, "%s/%s", server->setup.folder, NOTICES_KEY_FILE);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return true;
    fclose(file);
    notices->key = push_key_read(path, &problem);
    if (notices->key == NULL)
        server_log(server, LOG_WARNING, "no Web Push: %s", memory);
    return true;
}

void notices_close(Server *server) {
    Notices *notices = &server->notices;
    if (notices->thread_pool != NULL)
        net_thread_pool_close(notices->thread_pool);
    if (notices->slow_pool != NULL)
        net_thread_pool_close(notices->slow_pool);
    while (notices->jobs != NULL)
        release(notices->jobs);
    push_key_release(notices->key);
}

bool server_make_push_key(const char *folder, MashText *path, MashText *problem) {
    text_format(path, "%s/%s", folder, NOTICES_KEY_FILE);
    PushKey *key = push_key_new();
    if (key == NULL)
        text_string(problem, "cannot make a key");
    bool made = key != NULL && push_key_write(key, path->bytes, problem);
    push_key_release(key);
    return made;
}
