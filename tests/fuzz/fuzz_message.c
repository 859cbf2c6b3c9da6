/* fuzz_message.c -- any bytes as an arena message, from client or server: read safely, and what was
 * read is written and read again as the same. */
#include <stdlib.h>
#include <string.h>

#include "proto/message.h"

enum { NODES = 4096, TEXT = 1 << 16, PROBLEMS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static MessageReadResult read_once(Message *message, const char *bytes, uint32_t count,
                                   bool from_server) {
    static JsonNode nodes[2][NODES];
    static char pool[2][TEXT];
    static MashProblem list[PROBLEMS];
    static int turn;
    turn = 1 - turn;
    MessageMemory memory = {nodes[turn], NODES, pool[turn], TEXT};
    MashProblems problems = {.list = list, .max = PROBLEMS};
    MessageReadResult reading =
        message_read(message, bytes, count, from_server, &memory, &problems);
    if ((reading == MESSAGE_VALID) != (problems.count == 0))
        abort();
    return reading;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char first[4 * TEXT], second[4 * TEXT];
    if (count < 1 || count > TEXT / 2)
        return 0;
    bool from_server = (bytes[0] & 1) != 0;
    Message message, again;
    if (read_once(&message, (const char *)bytes + 1, (uint32_t)count - 1, from_server) !=
        MESSAGE_VALID)
        return 0;
    MashText text = text_over(first, sizeof first), copy = text_over(second, sizeof second);
    message_write(&message, &text);
    if (text.truncated || read_once(&again, first, text.count, from_server) != MESSAGE_VALID)
        abort();
    message_write(&again, &copy);
    if (again.kind != message.kind || strcmp(first, second) != 0)
        abort();
    return 0;
}
