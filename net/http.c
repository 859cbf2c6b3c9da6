/* http.c -- see http.h. */
#include "net/http.h"

#include <assert.h>
#include <string.h>

/* --- Letters and words ------------------------------------------------------------------------ */

/* A letter of ASCII? */
static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
/* A decimal digit? */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
/* Of a method or a header's name (RFC 9110, 5.6.2). */
static bool is_token(char c) {
    return is_letter(c) || is_digit(c) || (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Trims blanks at both ends of bytes [start, end), terminates them there and returns the start. */
static char *trimmed(char *start, char *end) {
    while (start < end && is_blank(*start))
        start++;
    while (start < end && is_blank(end[-1]))
        end--;
    *end = '\0';
    return start;
}

/* Iterates over a comma-separated list; the next word [start, end) without blanks, or false. */
static bool next_word(const char **list, const char **start, const char **end) {
    const char *at = *list;
    while (is_blank(*at) || *at == ',')
        at++;
    if (*at == '\0')
        return false;
    *start = at;
    while (*at != '\0' && *at != ',')
        at++;
    *list = at;
    while (is_blank(at[-1]))
        at--;
    *end = at;
    return true;
}

/* Are bytes [start, end) this word, ignoring case? */
static bool word_is(const char *start, const char *end, const char *word) {
    for (; start < end; start++, word++) {
        char c = *start >= 'A' && *start <= 'Z' ? (char)(*start + 32) : *start;
        if (c != *word)
            return false;
    }
    return *word == '\0';
}

/* Does a comma-separated list contain this word (in lower case)? */
static bool list_has(const char *list, const char *word) {
    const char *start, *end;
    while (next_word(&list, &start, &end))
        if (word_is(start, end, word))
            return true;
    return false;
}

/* Is the weight after a coding (";q=0.5") zero? */
static bool has_zero_quality(const char *start, const char *end) {
    while (start < end && (is_blank(*start) || *start == ';'))
        start++;
    if (end - start < 3 || (start[0] != 'q' && start[0] != 'Q') || start[1] != '=')
        return false;
    for (start += 2; start < end; start++)
        if (*start != '0' && *start != '.')
            return false;
    return true;
}

/* The codings that an Accept-Encoding allows. "identity" is ignored: there is always the plain
 * file. */
static uint8_t read_codings(const char *list) {
    const char *start, *end;
    uint8_t codings = 0;
    while (next_word(&list, &start, &end)) {
        const char *weight = start;
        while (weight < end && *weight != ';')
            weight++;
        const char *name_end = weight;
        while (name_end > start && is_blank(name_end[-1]))
            name_end--;
        uint8_t coding = word_is(start, name_end, "gzip") ? HTTP_GZIP
                         : word_is(start, name_end, "br") ? HTTP_BROTLI
                                                          : 0;
        if (has_zero_quality(weight, end))
            codings &= (uint8_t)~coding;
        else
            codings |= coding;
    }
    return codings;
}

bool http_etag_listed(const char *list, const char *etag) {
    const char *start, *end;
    size_t length = strlen(etag);
    while (next_word(&list, &start, &end)) {
        if (end - start == 1 && *start == '*')
            return true;
        if (end - start > 2 && start[0] == 'W' && start[1] == '/')
            start += 2;
        if ((size_t)(end - start) == length + 2 && start[0] == '"' && end[-1] == '"' &&
            memcmp(start + 1, etag, length) == 0)
            return true;
    }
    return false;
}

/* --- The whole head --------------------------------------------------------------------------- */

/* Finds the empty line that ends a head, and checks the limits. HTTP_WHOLE: `*used` is its size. */
static uint32_t find_end(const char *bytes, uint32_t count, uint32_t *scanned, uint32_t *used) {
    for (uint32_t at = *scanned; at < count; at++) {
        const char *feed = memchr(bytes + at, '\n', count - at);
        if (feed == NULL)
            break;
        at = (uint32_t)(feed - bytes);
        if (at == 0 || feed[-1] != '\r')
            return 400;
        if (at >= 3 && feed[-2] == '\n') {
            *used = at + 1;
            break;
        }
    }
    *scanned = count;
    const char *line_end = memchr(bytes, '\r', count);
    uint32_t line = line_end == NULL ? count : (uint32_t)(line_end - bytes);
    uint32_t whole = *used > 0 ? *used : count;
    if (line > HTTP_LINE_MAX)
        return 414;
    if (whole - line > HTTP_FIELDS_MAX + 4)
        return 431;
    return *used > 0 ? HTTP_WHOLE : HTTP_MORE;
}

/* One header line, or none. */
typedef struct HttpField {
    char *name, *value; /* the name in lower case */
} HttpField;

/* Reads the next line of a complete head, which starts at `*at` and ends in an empty line.
 * HTTP_MORE: it was the empty line. */
static uint32_t next_field(char **at, HttpField *out) {
    char *line = *at, *end = strchr(line, '\r');
    assert(end != NULL && end[1] == '\n');
    *at = end + 2;
    if (end == line)
        return HTTP_MORE;
    char *colon = line;
    for (; is_token(*colon); colon++)
        if (*colon >= 'A' && *colon <= 'Z')
            *colon = (char)(*colon + 32);
    if (colon == line || *colon != ':')
        return 400;
    for (char *c = colon; c < end; c++)
        if ((uint8_t)*c < ' ' && *c != '\t')
            return 400;
        else if (*c == 0x7F)
            return 400;
    *colon = '\0';
    *out = (HttpField){line, trimmed(colon + 1, end)};
    return HTTP_WHOLE;
}

/* A head is searched as a string and by lines: a NUL, or a CR that does not end a line, would hide
 * bytes from us that others see (request smuggling). */
static bool is_clean(const char *bytes, uint32_t count) {
    if (memchr(bytes, '\0', count) != NULL)
        return false;
    const char *end = bytes + count;
    for (const char *at = bytes; (at = memchr(at, '\r', (size_t)(end - at))) != NULL; at++)
        if (at[1] != '\n')
            return false;
    return true;
}

/* --- Requests --------------------------------------------------------------------------------- */

/* Notes why a request is refused; the status. */
static uint32_t refuse(HttpRequest *request, uint32_t status, const char *problem) {
    request->problem = problem;
    return status;
}

/* Reads "GET /path?query HTTP/1.1" and skips its line end. */
static uint32_t read_request_line(char **at, HttpRequest *out) {
    char *line = *at, *end = strchr(line, '\r');
    *at = end + 2;
    *end = '\0';
    char *space = strchr(line, ' ');
    char *target = space == NULL ? NULL : space + 1;
    char *version = target == NULL ? NULL : strchr(target, ' ');
    if (version == NULL || strncmp(version + 1, "HTTP/", 5) != 0)
        return refuse(out, 400, "The first line is not a request of HTTP/1.1.");
    *space = *version++ = '\0';
    for (char *c = line; *c != '\0'; c++)
        if (!is_token(*c))
            return refuse(out, 400, "The method is not a word.");
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return refuse(out, 505, "This server supports HTTP/1.1 only.");
    out->keep_alive = version[7] == '1';
    out->head = strcmp(line, "HEAD") == 0;
    out->options = strcmp(line, "OPTIONS") == 0;
    if (!out->head && !out->options && strcmp(line, "GET") != 0)
        return refuse(out, 405, "This server answers GET and HEAD only.");
    if (target[0] != '/')
        return refuse(out, 400, "The path does not begin with a slash.");
    for (char *c = target; *c != '\0'; c++)
        if (*c <= ' ' || *c >= 0x7F || *c == '#')
            return refuse(out, 400, "The path contains a character that must be escaped.");
    char *mark = strchr(target, '?');
    out->path = target;
    out->query = mark == NULL ? end : mark + 1;
    if (mark != NULL)
        *mark = '\0';
    return HTTP_WHOLE;
}

/* Keeps the value of a header that may come once. */
static uint32_t keep_once(HttpRequest *request, char **slot, char *value) {
    if (*slot != NULL)
        return refuse(request, 400, "Duplicate header.");
    *slot = value;
    return HTTP_WHOLE;
}

/* Collected from the header lines: upgrades need two of them. */
typedef struct RequestFlags {
    bool upgrade, websocket, close, alive, length;
} RequestFlags;

/* Content-Length: only none or 0 is accepted. HTTP_WHOLE, or the status to refuse with. */
static uint32_t read_length(HttpRequest *request, RequestFlags *flags, const char *value) {
    if (flags->length || *value == '\0' || strspn(value, "0123456789") != strlen(value))
        return refuse(request, 400, "Content-Length is not one number.");
    flags->length = true;
    if (strspn(value, "0") != strlen(value))
        return refuse(request, 413, "This server does not accept request bodies.");
    return HTTP_WHOLE;
}

/* Reads one field of the head; unknown ones are ignored. HTTP_WHOLE, or a status to refuse with. */
static uint32_t read_request_field(HttpRequest *out, RequestFlags *flags, HttpField field) {
    const char *name = field.name;
    if (strcmp(name, "host") == 0)
        return keep_once(out, &out->host, field.value);
    if (strcmp(name, "origin") == 0)
        return keep_once(out, &out->origin, field.value);
    if (strcmp(name, "sec-websocket-key") == 0)
        return keep_once(out, &out->key, field.value);
    if (strcmp(name, "authorization") == 0)
        return keep_once(out, &out->authorization, field.value);
    if (strcmp(name, "sec-websocket-version") == 0)
        return keep_once(out, &out->version, field.value);
    if (strcmp(name, "content-length") == 0)
        return read_length(out, flags, field.value);
    if (strcmp(name, "transfer-encoding") == 0)
        return refuse(out, 413, "This server does not accept request bodies.");
    if (strcmp(name, "connection") == 0) {
        flags->upgrade |= list_has(field.value, "upgrade");
        flags->close |= list_has(field.value, "close");
        flags->alive |= list_has(field.value, "keep-alive");
    } else if (strcmp(name, "upgrade") == 0) {
        flags->websocket |= list_has(field.value, "websocket");
    } else if (strcmp(name, "accept-encoding") == 0) {
        out->codings |= read_codings(field.value);
    } else if (strcmp(name, "if-none-match") == 0) {
        out->if_none_match = field.value;
    } else if (strcmp(name, "x-forwarded-for") == 0) {
        out->forwarded_for = field.value;
        out->forwarded = true;
    } else if (strcmp(name, "forwarded") == 0 || strcmp(name, "x-real-ip") == 0 ||
               strcmp(name, "via") == 0) {
        out->forwarded = true;
    }
    return HTTP_WHOLE;
}

/* Reads all fields, and checks them together. HTTP_WHOLE, or the status to refuse with. */
static uint32_t read_request_fields(char *at, HttpRequest *out) {
    RequestFlags flags = {0};
    HttpField field;
    uint32_t outcome;
    for (uint32_t fields = 0; (outcome = next_field(&at, &field)) != HTTP_MORE; fields++) {
        if (outcome != HTTP_WHOLE)
            return refuse(out, outcome, "A header line is not of the form \"Name: value\".");
        if (fields == HTTP_FIELDS_COUNT_MAX)
            return refuse(out, 431, "There are more than 64 header lines.");
        if ((outcome = read_request_field(out, &flags, field)) != HTTP_WHOLE)
            return outcome;
    }
    if (out->keep_alive && out->host == NULL)
        return refuse(out, 400, "The Host header is missing.");
    out->upgrade = out->keep_alive && !out->head && flags.upgrade && flags.websocket;
    out->keep_alive = (out->keep_alive || flags.alive) && !flags.close;
    return HTTP_WHOLE;
}

uint32_t http_read_request(char *bytes, uint32_t count, uint32_t *scanned, HttpRequest *out,
                           uint32_t *used) {
    *out = (HttpRequest){0};
    *used = 0;
    if (count == 0)
        return HTTP_MORE;
    if (!is_letter(bytes[0]))
        return refuse(out, 400, "Not an HTTP/1.1 request.");
    uint32_t outcome = find_end(bytes, count, scanned, used);
    if (outcome == HTTP_MORE)
        return HTTP_MORE;
    if (outcome != HTTP_WHOLE)
        return refuse(out, outcome, http_sentence((uint16_t)outcome));
    if (!is_clean(bytes, *used))
        return refuse(out, 400, "Lines must end in CR LF.");
    char *at = bytes;
    outcome = read_request_line(&at, out);
    return outcome == HTTP_WHOLE ? read_request_fields(at, out) : outcome;
}

/* --- Answers to our own handshake ------------------------------------------------------------- */

uint32_t http_read_response(char *bytes, uint32_t count, uint32_t *scanned, HttpResponse *out,
                            uint32_t *used) {
    *out = (HttpResponse){0};
    *used = 0;
    uint32_t outcome = find_end(bytes, count, scanned, used);
    if (outcome != HTTP_WHOLE)
        return outcome;
    if (!is_clean(bytes, *used) || *used < 16 || strncmp(bytes, "HTTP/1.1 ", 9) != 0)
        return 400;
    if (!is_digit(bytes[9]) || !is_digit(bytes[10]) || !is_digit(bytes[11]) || is_digit(bytes[12]))
        return 400;
    out->status = (uint16_t)((bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + (bytes[11] - '0'));
    bool upgrade = false, websocket = false;
    char *at = strchr(bytes, '\n') + 1;
    HttpField field;
    while ((outcome = next_field(&at, &field)) != HTTP_MORE) {
        if (outcome != HTTP_WHOLE)
            return outcome;
        if (strcmp(field.name, "connection") == 0)
            upgrade |= list_has(field.value, "upgrade");
        else if (strcmp(field.name, "upgrade") == 0)
            websocket |= list_has(field.value, "websocket");
        else if (strcmp(field.name, "sec-websocket-accept") == 0)
            out->accept = field.value;
        else if (strncmp(field.name, "sec-websocket-", 14) == 0)
            out->extras |= *field.value != '\0';
    }
    out->upgrade = upgrade && websocket;
    return HTTP_WHOLE;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* A status with its reason phrase. */
typedef struct Status {
    uint16_t status;
    const char *phrase, *sentence;
} Status;

static const Status statuses[] = {
    {200, "OK", "OK."},
    {204, "No Content", "Nothing."},
    {304, "Not Modified", "Not modified."},
    {307, "Temporary Redirect", "This is at another address."},
    {400, "Bad Request", "This server could not understand the request."},
    {403, "Forbidden", "Access denied; mashup serve --host and --origin allow names and pages."},
    {404, "Not Found", "Not found."},
    {405, "Method Not Allowed", "This server answers GET and HEAD only."},
    {413, "Content Too Large", "This server does not accept request bodies."},
    {414, "URI Too Long", "The first line of the request is longer than 4,096 bytes."},
    {426, "Upgrade Required", "This address needs a WebSocket connection (version 13)."},
    {429, "Too Many Requests", "Too many requests from your address; please wait a moment."},
    {431, "Request Header Fields Too Large", "The request's headers are longer than 8,192 bytes."},
    {500, "Internal Server Error", "Internal server error."},
    {503, "Service Unavailable", "The server is full or restarting. Please try again later."},
    {505, "HTTP Version Not Supported", "This server supports HTTP/1.1 only."},
};

/* The reason phrase of a status; a general one if it is not listed. */
static const Status *find_status(uint16_t status) {
    static const Status unknown = {0, "Answer", "No further information."};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return &statuses[i];
    return &unknown;
}

const char *http_reason_phrase(uint16_t status) { return find_status(status)->phrase; }
const char *http_sentence(uint16_t status) { return find_status(status)->sentence; }

/* A field of an answer, if it has a value. */
static void write_field(MashText *text, const char *name, const char *value) {
    if (value != NULL)
        text_format(text, "%s: %s\r\n", name, value);
}

/* Two digits. */
static void write_two(MashText *text, uint32_t number) {
    text_byte(text, (char)('0' + number / 10 % 10));
    text_byte(text, (char)('0' + number % 10));
}

/* "Sun, 06 Nov 1994 08:49:37 GMT": the Gregorian calendar, counted in days from 1 March of year 0
 * so that leap days come last in a year. */
static void write_date(MashText *text, int64_t date_s) {
    static const char days[] = "ThuFriSatSunMonTueWed",
                      months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    uint32_t day = (uint32_t)(date_s / 86400), second = (uint32_t)(date_s % 86400);
    uint32_t shifted = day + 719468, era = shifted / 146097, of_era = shifted % 146097;
    uint32_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    uint32_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    uint32_t march = (5 * of_year + 2) / 153, of_month = of_year - (153 * march + 2) / 5 + 1;
    uint32_t month = march < 10 ? march + 2 : march - 10;
    uint32_t year = era * 400 + year_of_era + (month < 2);
    text_string(text, "Date: ");
    text_bytes(text, days + day % 7 * 3, 3);
    text_string(text, ", ");
    write_two(text, of_month);
    text_byte(text, ' ');
    text_bytes(text, months + month * 3, 3);
    text_format(text, " %u ", year);
    write_two(text, second / 3600);
    text_byte(text, ':');
    write_two(text, second / 60 % 60);
    text_byte(text, ':');
    write_two(text, second % 60);
    text_string(text, " GMT\r\n");
}

void http_write_head(MashText *text, const HttpHead *head) {
    text_format(text, "HTTP/1.1 %u %s\r\n", (unsigned)head->status,
                http_reason_phrase(head->status));
    write_date(text, head->date_s);
    write_field(text, "Content-Type", head->type);
    if (head->status != 304 && head->status != 204)
        text_format(text, "Content-Length: %u\r\n", head->length);
    write_field(text, "Location", head->location);
    write_field(text, "Content-Encoding", head->coding);
    write_field(text, "Cache-Control", head->cache);
    if (head->etag != NULL)
        text_format(text, "ETag: \"%s\"\r\nVary: Accept-Encoding\r\n", head->etag);
    write_field(text, "Connection", head->keep_alive ? "keep-alive" : "close");
    if (head->status == 405 || head->options)
        write_field(text, "Allow", "GET, HEAD, OPTIONS");
    if (head->shared)
        write_field(text, "Access-Control-Allow-Origin", "*");
    if (head->shared && head->etag != NULL)
        write_field(text, "Access-Control-Expose-Headers", "ETag");
    if (head->shared && head->options)
        text_string(text, "Access-Control-Allow-Methods: GET, HEAD\r\n"
                          "Access-Control-Allow-Headers: If-None-Match\r\n"
                          "Access-Control-Max-Age: 86400\r\n");
    if (head->status == 426)
        text_string(text, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
    if (head->status == 429 || head->status == 503)
        write_field(text, "Retry-After", "2");
    write_field(text, "X-Content-Type-Options", "nosniff");
    if (head->headers != NULL)
        text_string(text, head->headers);
    text_string(text, "\r\n");
}

void http_write_upgrade_response(MashText *text, const char *accept) {
    text_format(text,
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                accept);
}

void http_write_upgrade_request(MashText *text, const char *host, const char *target,
                                const char *key, const char *forwarded) {
    text_format(text,
                "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n",
                target, host, key);
    write_field(text, "X-Forwarded-For", forwarded);
    text_string(text, "\r\n");
}
