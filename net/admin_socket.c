/* admin_socket.c -- the admin socket: a Unix socket for operators; see net.h.
 *
 * Nothing here is rate-limited: whoever may open the socket may stop the process as well. A silent
 * client keeps one of CLIENTS_MAX places until another needs it: the oldest silent one is closed
 * first. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "net/loop.h"
#include "net/net.h"

enum { CLIENTS_MAX = 16, BACKLOG_MAX = 128, LINE_BYTES = 1024 };

/* The socket, and how many of its handles are open. */
struct NetAdminSocket {
    uv_pipe_t pipe;
    void (*call)(void *owner, const char *line, NetAdminReply *answer);
    void *owner;
    ListLink clients;
    uint32_t clients_count; /* including those whose pipe is not closed yet */
    uint32_t here_count;
    bool gone;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
};

/* A client: what it has sent so far, and its answer. */
typedef struct AdminClient {
    uv_pipe_t pipe;
    uv_write_t write;
    NetAdminSocket *admin;
    ListLink link;
    uint32_t count;
    char line[LINE_BYTES];
    char *written;
} AdminClient;

/* The answer to a line. */
struct NetAdminReply {
    char *bytes;
    uint32_t count;
};

/* Frees the socket when it is closed and has no clients. */
static void free_if_done(NetAdminSocket *admin) {
    if (admin->gone && admin->clients_count == 0)
        free(admin);
}

/* The client's pipe is closed: frees the client, and the socket if it waited only for that. */
static void on_client_closed(uv_handle_t *handle) {
    AdminClient *client = handle->data;
    NetAdminSocket *admin = client->admin;
    free(client->written);
    free(client);
    admin->clients_count--;
    free_if_done(admin);
}

/* Closes the client, once. */
static void close_client(AdminClient *client) {
    list_remove(&client->link);
    client->admin->here_count--;
    uv_close((uv_handle_t *)&client->pipe, on_client_closed);
}

/* The answer is written, or cannot be: closes the client. Cancelled: it is closing already. */
static void written(uv_write_t *write, int status) {
    AdminClient *client = write->data;
    if (status != UV_ECANCELED)
        close_client(client);
}

void net_admin_reply(NetAdminReply *answer, const char *bytes, uint32_t count) {
    assert(answer->bytes == NULL);
    answer->bytes = malloc((size_t)count + 1);
    if (answer->bytes == NULL)
        return;
    memcpy(answer->bytes, bytes, count);
    answer->count = count;
}

/* A whole line arrived. The callback may close the socket: then the answer is dropped. */
static void answer_line(AdminClient *client) {
    NetAdminReply answer = {NULL, 0};
    uv_read_stop((uv_stream_t *)&client->pipe);
    client->admin->call(client->admin->owner, client->line, &answer);
    client->written = answer.bytes;
    if (uv_is_closing((uv_handle_t *)&client->pipe))
        return;
    uv_buf_t buffer = uv_buf_init(answer.bytes, answer.count);
    client->write.data = client;
    if (answer.bytes == NULL ||
        uv_write(&client->write, (uv_stream_t *)&client->pipe, &buffer, 1, written) != 0)
        close_client(client);
}

/* Where the next bytes of the line go. */
static void lend_buffer(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer) {
    AdminClient *client = handle->data;
    (void)wanted;
    *buffer = uv_buf_init(client->line + client->count, LINE_BYTES - client->count);
}

/* Bytes of the line arrived, or the client left. A line that does not fit gets no answer. */
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    AdminClient *client = stream->data;
    (void)buffer;
    if (count < 0) {
        close_client(client);
        return;
    }
    char *end = memchr(client->line + client->count, '\n', (size_t)count);
    client->count += (uint32_t)count;
    if (end != NULL) {
        *end = '\0';
        answer_line(client);
    } else if (client->count == LINE_BYTES) {
        close_client(client);
    }
}

/* Makes room for one more client by closing a silent one, if there is one. */
static void make_room(NetAdminSocket *admin) {
    for (ListLink *link = admin->clients.next; link != &admin->clients; link = link->next) {
        AdminClient *client = LIST_ENTRY(link, AdminClient, link);
        if (client->written == NULL) {
            close_client(client);
            return;
        }
    }
}

/* A client connects: starts reading. When there are too many, a silent one is closed, or the new
 * one. */
static void on_connection(uv_stream_t *stream, int status) {
    NetAdminSocket *admin = stream->data;
    AdminClient *client = status == 0 ? calloc(1, sizeof *client) : NULL;
    if (client == NULL)
        return;
    if (admin->here_count == CLIENTS_MAX)
        make_room(admin);
    client->admin = admin;
    list_init(&client->link);
    uv_pipe_init(stream->loop, &client->pipe, 0);
    client->pipe.data = client;
    list_append(&admin->clients, &client->link);
    admin->clients_count++;
    admin->here_count++;
    if (uv_accept(stream, (uv_stream_t *)&client->pipe) != 0 || admin->here_count > CLIENTS_MAX ||
        uv_read_start((uv_stream_t *)&client->pipe, lend_buffer, on_read) != 0)
        close_client(client);
}

/* The listening pipe is closed: frees the socket, or leaves that to the last client. */
static void on_socket_closed(uv_handle_t *handle) {
    NetAdminSocket *admin = handle->data;
    admin->gone = true;
    free_if_done(admin);
}

/* It listens only after the permissions are set, so that nobody but its owner can connect. */
static int listen_at(NetAdminSocket *admin) {
    unlink(admin->path);
    int code = uv_pipe_bind(&admin->pipe, admin->path);
    if (code == 0 && chmod(admin->path, S_IRUSR | S_IWUSR) != 0)
        code = UV_EPERM;
    return code != 0 ? code : uv_listen((uv_stream_t *)&admin->pipe, BACKLOG_MAX, on_connection);
}

NetAdminSocket *net_admin_socket_open(NetLoop *loop, const char *path,
                                      void (*call)(void *owner, const char *line,
                                                   NetAdminReply *answer),
                                      void *owner, MashText *problem) {
    NetAdminSocket *admin = calloc(1, sizeof *admin);
    if (admin == NULL || strlen(path) >= sizeof admin->path) {
        text_format(problem, "cannot listen at %s: %s", path,
                    admin == NULL ? "out of memory" : "the path is too long for a socket");
        free(admin);
        return NULL;
    }
    memcpy(admin->path, path, strlen(path) + 1);
    admin->call = call;
    admin->owner = owner;
    list_init(&admin->clients);
    uv_pipe_init(&loop->uv, &admin->pipe, 0);
    admin->pipe.data = admin;
    int code = listen_at(admin);
    if (code == 0) {
        uv_unref((uv_handle_t *)&admin->pipe);
        return admin;
    }
    text_format(problem, "cannot listen at %s: %s", path, uv_strerror(code));
    uv_close((uv_handle_t *)&admin->pipe, on_socket_closed);
    return NULL;
}

void net_admin_socket_close(NetAdminSocket *admin) {
    if (admin == NULL)
        return;
    unlink(admin->path);
    while (!list_empty(&admin->clients))
        close_client(LIST_ENTRY(admin->clients.next, AdminClient, link));
    uv_close((uv_handle_t *)&admin->pipe, on_socket_closed);
}
