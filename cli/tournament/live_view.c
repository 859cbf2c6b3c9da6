/* live_view.c -- see live_view.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/tournament/live_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/tournament/report.h"
#include "net/net.h"

/* See live_view.h. */
struct LiveView {
    Runner *runner;
    NetLoop *loop;
    NetServer *server;
    NetWakeup *ending;
    pthread_t thread;
    atomic_bool over;
};

/* All that is known now: {"data": ..., "boards": [...]}; allocated. */
static char *live_json(LiveView *view) {
    Runner *runner = view->runner;
    pthread_mutex_lock(&runner->lock);
    char *data = report_json(runner->log, runner->total, atomic_load(&view->over));
    size_t bytes = strlen(data) + 64;
    for (uint32_t i = 0; i < runner->jobs; i++)
        bytes += runner->boards[i].text == NULL ? 0 : strlen(runner->boards[i].text) + 1;
    char *memory = cli_memory(bytes);
    MashText text = text_over(memory, (uint32_t)bytes);
    text_string(&text, "{\"data\":");
    text_string(&text, data);
    text_string(&text, ",\"boards\":[");
    for (uint32_t i = 0, put = 0; i < runner->jobs; i++)
        if (runner->boards[i].text != NULL) {
            text_string(&text, put++ == 0 ? "" : ",");
            text_string(&text, runner->boards[i].text);
        }
    text_string(&text, "]}");
    pthread_mutex_unlock(&runner->lock);
    free(data);
    return memory;
}

/* Answers with a file of the folder: /matches/NAME or /logs/NAME, the name of letters, digits, dots
 * and hyphens. */
static void reply_file(const LiveView *view, const char *path, NetReply *reply) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    char whole[RUNNER_PATH_BYTES];
    FileBytes file;
    const char *name = strncmp(path, "/matches/", 9) == 0 ? path + 9
                       : strncmp(path, "/logs/", 6) == 0  ? path + 6
                                                          : "";
    snprintf(whole, sizeof whole, "%s%s", view->runner->folder, path);
    if (name[0] == '\0' || name[0] == '.' || strspn(name, allowed) != strlen(name) ||
        !files_exist(whole) || !files_read(whole, &file)) {
        net_reply(reply, 404, NULL, "there is no such page\n", 22);
        return;
    }
    const char *type = text_ends_with(name, ".js")     ? "text/javascript; charset=utf-8"
                       : text_ends_with(name, ".json") ? "application/json"
                                                       : NULL;
    net_reply(reply, 200, type, file.bytes, file.count);
    free(file.bytes);
}

/* A request. */
static void on_request(void *owner, const NetRequest *request, NetReply *reply) {
    LiveView *view = owner;
    bool page = strcmp(request->path, "/") == 0 || strcmp(request->path, "/index.html") == 0;
    if (!page && strcmp(request->path, "/live.json") != 0) {
        reply_file(view, request->path, reply);
        return;
    }
    char *answer;
    if (page) {
        pthread_mutex_lock(&view->runner->lock);
        char *json = report_json(view->runner->log, view->runner->total, atomic_load(&view->over));
        pthread_mutex_unlock(&view->runner->lock);
        answer = report_page(json);
        free(json);
    } else {
        answer = live_json(view);
    }
    net_reply(reply, 200, page ? "text/html; charset=utf-8" : "application/json", answer,
              (uint32_t)strlen(answer));
    free(answer);
}

/* No WebSockets here. */
static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner;
    (void)connection;
    (void)request;
    return 404;
}

/* Never called, because none opens. */
static void on_message(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    (void)owner;
    (void)connection;
    (void)bytes;
    (void)count;
}
static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    (void)owner;
    (void)connection;
    (void)code;
    (void)reason;
}

/* The end was asked for. */
static void on_end(void *owner) { net_loop_stop(((LiveView *)owner)->loop); }

/* The thread. */
static void *serve(void *owner) {
    LiveView *view = owner;
    net_loop_run(view->loop);
    return NULL;
}

LiveView *live_view_open(Runner *runner, const char *address, uint16_t port) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    LiveView *view = cli_memory(sizeof *view);
    NetServerSetup setup = {.address = address,
                            .port = port,
                            .calls = {.on_open = on_open,
                                      .on_message = on_message,
                                      .on_close = on_close,
                                      .on_request = on_request},
                            .owner = view,
                            .limits = net_limits()};
    view->runner = runner;
    view->loop = net_loop_open();
    view->server = view->loop == NULL ? NULL : net_server_open(view->loop, &setup, &problem);
    view->ending = view->server == NULL ? NULL : net_wakeup_open(view->loop, on_end, view);
    if (view->ending != NULL && pthread_create(&view->thread, NULL, serve, view) == 0)
        return view;
    fprintf(stderr, "mashup: cannot serve at %s, port %u: %s\n", address, port,
            memory[0] == '\0' ? "no memory" : memory);
    net_wakeup_close(view->ending);
    if (view->server != NULL)
        net_server_close(view->server);
    if (view->loop != NULL)
        net_loop_close(view->loop);
    free(view);
    return NULL;
}

uint16_t live_view_port(const LiveView *view) { return net_server_port(view->server); }

void live_view_finish(LiveView *view) { atomic_store(&view->over, true); }

void live_view_close(LiveView *view) {
    if (view == NULL)
        return;
    net_wakeup_signal(view->ending);
    pthread_join(view->thread, NULL);
    net_wakeup_close(view->ending);
    net_server_close(view->server);
    net_loop_close(view->loop);
    free(view);
}
