/* http.h -- the part of HTTP/1.1 that a server of pages and WebSockets needs: parsing and writing.
 *
 * No sockets here. Strict rather than lenient: lines end in CRLF, no folding, no bodies, one
 * meaning for each request; ambiguous input is refused with a status and a sentence. */
#ifndef NET_HTTP_H
#define NET_HTTP_H
#include "net/net.h"

/* Limits of one head, in bytes without its line ends, and in header lines. */
enum { HTTP_LINE_MAX = 4096, HTTP_FIELDS_MAX = 8192, HTTP_FIELDS_COUNT_MAX = 64 };

/* What became of the bytes so far; any other value is the status to refuse with. */
enum { HTTP_MORE = 0, HTTP_WHOLE = 200 };

/* Content codings, as bits and by preference. */
enum { HTTP_GZIP = 1, HTTP_BROTLI = 2 };

/* A request: pointers into the bytes it was read from, NULL where the header was not sent. */
typedef struct HttpRequest {
    char *path, *query, *host, *origin;
    char *key, *version; /* Sec-WebSocket-... */
    char *if_none_match;
    char *forwarded_for; /* the last line of X-Forwarded-For */
    char *authorization;
    bool forwarded; /* a proxy has forwarded it, by any of the usual headers */
    bool head;      /* HEAD, not GET */
    bool options;   /* OPTIONS: what may be asked, as browsers do for a page of another origin */
    bool keep_alive;
    bool upgrade;        /* a WebSocket is asked for */
    uint8_t codings;     /* HTTP_GZIP, HTTP_BROTLI */
    const char *problem; /* what is wrong, as a sentence, when it is refused */
} HttpRequest;

/* Reads a request from the beginning of `bytes`. `*scanned` is 0 for a new one and belongs to the
 * reader while more bytes are awaited, which must follow the same ones. When whole, `*used` bytes
 * were the request, and those were changed (strings were terminated). */
uint32_t http_read_request(char *bytes, uint32_t count, uint32_t *scanned, HttpRequest *out,
                           uint32_t *used);

/* The answer to our own handshake, as a client sees it. */
typedef struct HttpResponse {
    uint16_t status;
    bool upgrade;       /* Upgrade: websocket and Connection: Upgrade */
    bool extras;        /* an extension or protocol that we did not ask for */
    const char *accept; /* Sec-WebSocket-Accept, or NULL */
} HttpResponse;

/* Reads an answer in the same way; refused with any status but HTTP_MORE and HTTP_WHOLE. */
uint32_t http_read_response(char *bytes, uint32_t count, uint32_t *scanned, HttpResponse *out,
                            uint32_t *used);

/* The reason phrase of a status ("Not Found"), and a sentence for people. */
const char *http_reason_phrase(uint16_t status);
const char *http_sentence(uint16_t status);

/* Does the list of an If-None-Match name this tag (without quotes), or everything? */
bool http_etag_listed(const char *list, const char *etag);

/* The head of an answer that is to be written. NULL = no such header. */
typedef struct HttpHead {
    uint16_t status;
    bool keep_alive;
    uint32_t length;
    const char *type, *cache, *etag, *coding, *location;
    const char *headers; /* further lines */
    bool shared;         /* pages of any origin may read it (CORS) */
    bool options;        /* to OPTIONS */
    int64_t date_s;      /* seconds since 1970 */
} HttpHead;

/* Appends the head with its empty line. */
void http_write_head(MashText *text, const HttpHead *head);
/* Appends the answer that turns the connection into a WebSocket, or a client's request for that, on
 * behalf of somebody at the address `forwarded` (NULL: our own). */
void http_write_upgrade_response(MashText *text, const char *accept);
void http_write_upgrade_request(MashText *text, const char *host, const char *target,
                                const char *key, const char *forwarded);

#endif
