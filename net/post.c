/* post.c -- see net.h: one HTTPS request to a stranger's server, from a thread that may block.
 *
 * Players choose the addresses, so nothing here may reach what only this machine can reach: a name
 * is resolved once, every address it has must be public, and the connection is made to the address
 * that was checked. Redirects are not followed, and of the answer only its status is read. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "net/net.h"
#include "net/tls.h"

enum { HOST_MAX = 256, HEAD_MAX = 8192, PIECE = 4096, URL_MAX = 1000, RESOLVE_S = 2 };

/* A URL in parts. */
typedef struct PostUrl {
    bool secure;
    char host[HOST_MAX], port[8];
    const char *target; /* "": "/" */
} PostUrl;

/* A request on its way. */
typedef struct Posting {
    int line;
    Tls *tls; /* NULL: plain */
    uint64_t until_ms;
} Posting;

/* --- Where to --------------------------------------------------------------------------------- */

/* Reads a URL. False: with a problem. */
static bool read_url(const char *text, bool local, PostUrl *url, MashText *problem) {
    bool plain = strncmp(text, "http://", 7) == 0;
    url->secure = strncmp(text, "https://", 8) == 0;
    const char *host = text + (url->secure ? 8 : 7);
    if ((!url->secure && !(plain && local)) || strlen(text) > URL_MAX) {
        text_string(problem, "it must begin with https:// and be no longer than 1,000 letters");
        return false;
    }
    for (const char *at = text; *at != '\0'; at++)
        if (*at <= ' ' || *at >= 127 || *at == '"' || *at == '\\' || *at == '#' || *at == '@') {
            text_string(problem, "it has letters that an address does not have");
            return false;
        }
    bool bracket = host[0] == '[';
    size_t length = bracket ? strcspn(host + 1, "]") : strcspn(host, ":/?");
    const char *behind = host + length + (bracket ? 2 : 0);
    size_t digits = 0;
    if (length == 0 || length >= HOST_MAX || (bracket && host[length + 1] != ']')) {
        text_string(problem, "it names no host");
        return false;
    }
    memcpy(url->host, host + bracket, length);
    url->host[length] = '\0';
    snprintf(url->port, sizeof url->port, "%s", url->secure ? "443" : "80");
    if (*behind == ':') {
        digits = strspn(behind + 1, "0123456789");
        if (digits == 0 || digits > 5) {
            text_string(problem, "its port is not a number");
            return false;
        }
        memcpy(url->port, behind + 1, digits);
        url->port[digits] = '\0';
        behind += digits + 1;
    }
    if (*behind != '\0' && *behind != '/' && *behind != '?') {
        text_string(problem, "it names no host");
        return false;
    }
    url->target = behind;
    return true;
}

bool net_post_may(const char *text, bool local, MashText *problem) {
    PostUrl url;
    return read_url(text, local, &url, problem);
}

/* Is it in this network? */
static bool within(uint32_t address, uint32_t network, uint32_t bits) {
    return (address ^ network) >> (32 - bits) == 0;
}

/* Is the address of the internet, and of nobody's own network? */
static bool is_public_4(uint32_t address) {
    static const struct {
        uint32_t network, bits;
    } others[] = {{0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},
                  {0xa9fe0000, 16}, {0xac100000, 12}, {0xc0000000, 24}, {0xc0000200, 24},
                  {0xc0586300, 24}, {0xc0a80000, 16}, {0xc6120000, 15}, {0xc6336400, 24},
                  {0xcb007100, 24}, {0xe0000000, 3}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (within(address, others[i].network, others[i].bits))
            return false;
    return true;
}

static bool is_public_6(const uint8_t bytes[16]) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    uint32_t first =
        (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    uint32_t last = (uint32_t)bytes[12] << 24 | (uint32_t)bytes[13] << 16 |
                    (uint32_t)bytes[14] << 8 | bytes[15];
    if (memcmp(bytes, mapped, sizeof mapped) == 0)
        return is_public_4(last);
    return within(first, 0x20000000, 3) && !within(first, 0x20010000, 23) && first != 0x20010db8 &&
           !within(first, 0x20020000, 16);
}

bool net_address_is_public(const struct sockaddr *address) {
    if (address->sa_family == AF_INET)
        return is_public_4(
            ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr));
    return address->sa_family == AF_INET6 &&
           is_public_6(((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr);
}

/* --- Sending ---------------------------------------------------------------------------------- */

static uint64_t clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits until the line can be read or written. False: the time is over. */
static bool wait_for(const Posting *posting, short what) {
    struct pollfd one = {.fd = posting->line, .events = what};
    uint64_t now_ms = clock_ms();
    int left_ms = now_ms < posting->until_ms ? (int)(posting->until_ms - now_ms) : 0;
    return left_ms > 0 && poll(&one, 1, left_ms) > 0;
}

/* Connects to an address. False: it cannot. */
static bool connect_to(Posting *posting, const struct addrinfo *to) {
    int error = 0;
    socklen_t bytes = sizeof error;
    posting->line = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (posting->line < 0)
        return false;
    if (connect(posting->line, to->ai_addr, to->ai_addrlen) == 0)
        return true;
    return errno == EINPROGRESS && wait_for(posting, POLLOUT) &&
           getsockopt(posting->line, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 && error == 0;
}

/* Sends bytes as they are. */
static bool send_raw(const Posting *posting, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(posting->line, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (sent < 0 && !wait_for(posting, POLLOUT))
            return false;
        bytes += sent > 0 ? sent : 0;
        count -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* Receives what there is; 0: the other end has closed; -1: it failed, or the time is over. */
static ssize_t receive_raw(const Posting *posting, char *out, size_t max) {
    for (;;) {
        ssize_t count = recv(posting->line, out, max, 0);
        if (count >= 0 || (errno != EAGAIN && errno != EINTR))
            return count;
        if (!wait_for(posting, POLLIN))
            return -1;
    }
}

/* Sends what the encryption has for the other end. */
static bool flush(const Posting *posting) {
    char piece[PIECE];
    for (uint32_t count; (count = tls_take(posting->tls, piece, sizeof piece)) > 0;)
        if (!send_raw(posting, piece, count))
            return false;
    return true;
}

/* Makes the line secret. False: with a problem. */
static bool secure(Posting *posting, TlsTrust *trust, const char *host, MashText *problem) {
    char piece[PIECE];
    posting->tls = tls_open(trust, host);
    while (posting->tls != NULL) {
        TlsState state = tls_handshake(posting->tls, problem);
        if (state == TLS_FAILED || !flush(posting) || state == TLS_READY)
            return state == TLS_READY;
        ssize_t count = receive_raw(posting, piece, sizeof piece);
        if (count <= 0 || !tls_receive(posting->tls, piece, (uint32_t)count))
            return false;
    }
    return false;
}

/* Sends bytes of the request. */
static bool send_all(const Posting *posting, const char *bytes, size_t count) {
    if (posting->tls == NULL)
        return send_raw(posting, bytes, count);
    return tls_write(posting->tls, bytes, (uint32_t)count) && flush(posting);
}

/* Receives bytes of the answer; as receive_raw(). */
static ssize_t receive(const Posting *posting, char *out, size_t max) {
    char piece[PIECE];
    if (posting->tls == NULL)
        return receive_raw(posting, out, max);
    for (;;) {
        int32_t plain = tls_read(posting->tls, out, (uint32_t)max);
        if (plain != 0)
            return plain;
        ssize_t count = receive_raw(posting, piece, sizeof piece);
        if (count <= 0 || !tls_receive(posting->tls, piece, (uint32_t)count))
            return count;
    }
}

/* Sends the request and reads the status; 0: with a problem. */
static uint16_t talk(const Posting *posting, const PostUrl *url, const NetPost *post,
                     MashText *problem) {
    char head[HEAD_MAX], status[16] = "";
    size_t have = 0;
    bool six = strchr(url->host, ':') != NULL;
    int count = snprintf(head, sizeof head,
                         "POST %s%s HTTP/1.1\r\nHost: %s%s%s:%s\r\nConnection: close\r\n"
                         "User-Agent: mashup\r\nContent-Length: %zu\r\n%s\r\n",
                         url->target[0] == '/' ? "" : "/", url->target, six ? "[" : "", url->host,
                         six ? "]" : "", url->port, post->count, post->headers);
    text_string(problem, "it did not answer in time");
    if (count <= 0 || (size_t)count >= sizeof head || !send_all(posting, head, (size_t)count) ||
        !send_all(posting, post->body, post->count))
        return 0;
    while (have < 12) {
        ssize_t more = receive(posting, status + have, 12 - have);
        if (more <= 0)
            return 0;
        have += (size_t)more;
    }
    text_clear(problem);
    if (strncmp(status, "HTTP/1.", 7) == 0 && strspn(status + 9, "0123456789") == 3)
        return (uint16_t)strtoul(status + 9, NULL, 10);
    text_string(problem, "it does not speak HTTP");
    return 0;
}

/* Looks a name up. The thread asks each name server once and waits for it no longer than for
 * two seconds, instead of half a minute for all: whoever owns the name may let them be silent. */
static bool look_up(const PostUrl *url, struct addrinfo **all) {
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    if ((_res.options & RES_INIT) != 0 || res_init() == 0) {
        _res.retrans = RESOLVE_S;
        _res.retry = 1;
    }
    return getaddrinfo(url->host, url->port, &hints, all) == 0;
}

/* Connects to the first address that answers, after all were checked. False: with a problem. */
static bool reach(Posting *posting, const PostUrl *url, bool local, MashText *problem) {
    struct addrinfo *all = NULL;
    bool reached = false;
    if (!look_up(url, &all)) {
        text_format(problem, "there is no host %s", url->host);
        return false;
    }
    for (const struct addrinfo *one = all; one != NULL; one = one->ai_next)
        if (!local && !net_address_is_public(one->ai_addr)) {
            text_string(problem, "its address is not one of the internet");
            freeaddrinfo(all);
            return false;
        }
    for (const struct addrinfo *one = all; one != NULL && !reached; one = one->ai_next) {
        reached = connect_to(posting, one);
        if (!reached && posting->line >= 0)
            close(posting->line);
    }
    freeaddrinfo(all);
    if (!reached)
        text_string(problem, "nobody answers there");
    return reached;
}

uint16_t net_post(const NetPost *post, MashText *problem) {
    PostUrl url;
    Posting posting = {.line = -1, .until_ms = clock_ms() + post->timeout_ms};
    uint16_t status = 0;
    if (!read_url(post->url, post->local, &url, problem))
        return 0;
    TlsTrust *trust = url.secure ? tls_trust_open(post->cafile, problem) : NULL;
    if ((url.secure && trust == NULL) || !reach(&posting, &url, post->local, problem)) {
        tls_trust_close(trust);
        return 0;
    }
    if (!url.secure || secure(&posting, trust, url.host, problem))
        status = talk(&posting, &url, post, problem);
    else if (problem->count == 0)
        text_string(problem, "it did not answer in time");
    tls_close(posting.tls);
    tls_trust_close(trust);
    close(posting.line);
    return status;
}
