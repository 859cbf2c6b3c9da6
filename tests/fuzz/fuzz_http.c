/* fuzz_http.c -- reads any bytes as requests and answers of HTTP/1.1, whole and in pieces: the
 * outcome must be the same, and what was accepted must be clean. */
#include <stdlib.h>
#include <string.h>

#include "net/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t count);

static void must(bool holds) {
    if (!holds)
        __builtin_trap();
}

/* Strings of a request hold nothing that could break a line or hide bytes. */
static void must_be_clean(const char *string) {
    for (; string != NULL && *string != '\0'; string++)
        must((uint8_t)*string >= ' ' || *string == '\t');
}

static void look_at_request(const HttpRequest *request, uint32_t used, uint32_t count) {
    must(used <= count && used >= 18);
    must(request->path[0] == '/' && strchr(request->path, '?') == NULL);
    must_be_clean(request->path);
    must_be_clean(request->query);
    must_be_clean(request->host);
    must_be_clean(request->origin);
    must_be_clean(request->key);
    must_be_clean(request->version);
    must_be_clean(request->forwarded_for);
    must(request->problem == NULL);
    if (request->if_none_match != NULL)
        http_etag_listed(request->if_none_match, "etag");
    must(!request->upgrade || !request->head);
}

/* The outcome when `step` bytes arrive at a time. The memory is exactly as long as the data. */
static uint32_t read_request(const uint8_t *input, uint32_t count, uint32_t step) {
    uint32_t scanned = 0, outcome = HTTP_MORE, used = 0;
    char *bytes = NULL;
    for (uint32_t here = 0; here < count && outcome == HTTP_MORE;) {
        HttpRequest request;
        uint32_t next = count - here < step ? count : here + step;
        bytes = realloc(bytes, next);
        memcpy(bytes + here, input + here, next - here);
        here = next;
        outcome = http_read_request(bytes, here, &scanned, &request, &used);
        if (outcome == HTTP_WHOLE)
            look_at_request(&request, used, here);
        else if (outcome != HTTP_MORE)
            must(outcome >= 400 && request.problem != NULL);
    }
    free(bytes);
    return outcome;
}

static uint32_t read_answer(const uint8_t *input, uint32_t count, uint32_t step) {
    uint32_t scanned = 0, outcome = HTTP_MORE, used = 0;
    char *bytes = NULL;
    for (uint32_t here = 0; here < count && outcome == HTTP_MORE;) {
        HttpResponse answer;
        uint32_t next = count - here < step ? count : here + step;
        bytes = realloc(bytes, next);
        memcpy(bytes + here, input + here, next - here);
        here = next;
        outcome = http_read_response(bytes, here, &scanned, &answer, &used);
        if (outcome == HTTP_WHOLE) {
            must(used <= here && answer.status < 1000);
            must_be_clean(answer.accept);
        }
    }
    free(bytes);
    return outcome;
}

/* Which of several errors is found first may depend on the pieces. */
static void must_agree(uint32_t one, uint32_t other) {
    must(one == other || (one >= 400 && other >= 400));
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t count) {
    if (count < 2 || count > 1 << 16)
        return 0;
    uint32_t step = 1 + input[0] % 64, length = (uint32_t)count - 1;
    if (length / step > 2000)
        step = length / 2000 + 1;
    must_agree(read_request(input + 1, length, length), read_request(input + 1, length, step));
    must_agree(read_answer(input + 1, length, length), read_answer(input + 1, length, step));
    return 0;
}
