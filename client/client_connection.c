/* client_connection.c -- see internal.h: connection handling for clients of all protocols. */
#include "client/client.h"
#include "client/internal.h"

enum {
    BACKOFF_LEAST_MS = 100, /* before the second try; each pause doubles */
    BACKOFF_MOST_MS = 5000,
    MESSAGE_BYTES_MAX = 8 << 20,
    GOODBYE_MS = 100,
};

NetConnection *client_connect(NetLoop *loop, const char *url, const NetCallbacks *calls,
                              void *client, MashText *problem) {
    NetLimits limits = net_limits();
    limits.socket_frames = limits.socket_bytes = (NetRate){0, 0};
    limits.message_bytes_max = limits.queue_bytes_max = MESSAGE_BYTES_MAX;
    NetConnection *connection = net_connect(loop, url, calls, NULL, &limits, problem);
    if (connection != NULL)
        net_set_owner(connection, client);
    return connection;
}

void client_hang_up(NetConnection **connection) {
    if (*connection == NULL)
        return;
    net_set_owner(*connection, NULL);
    net_close(*connection, NET_CLOSE_NORMAL, "");
    *connection = NULL;
}

uint64_t client_backoff_ms(NetLoop *loop, uint32_t tries) {
    uint64_t pause = BACKOFF_LEAST_MS, random;
    for (uint32_t i = 1; i < tries && pause < BACKOFF_MOST_MS; i++)
        pause *= 2;
    pause = pause < BACKOFF_MOST_MS ? pause : BACKOFF_MOST_MS;
    net_random(loop, &random, sizeof random);
    return pause / 2 + random % (pause / 2 + 1);
}

void client_write_close(uint16_t code, const char *reason, MashText *text) {
    if (reason[0] != '\0')
        text_string(text, reason);
    else if (code == NET_CLOSE_ABNORMAL)
        text_string(text, "connection lost");
    else
        text_format(text, "the server closed the connection (%u)", (unsigned)code);
}

/* Stops the loop when the time is over. */
static void stop(void *loop) { net_loop_stop(loop); }

void client_run_out(NetLoop *loop) {
    NetTimer *timer = net_timer_open(loop, stop, loop);
    if (timer == NULL)
        return;
    net_timer_start(timer, GOODBYE_MS);
    net_loop_run(loop);
    net_timer_close(timer);
}
