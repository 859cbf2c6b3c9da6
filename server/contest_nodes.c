/* contest_nodes.c -- see contest.h: contests of the other nodes of a shared store, for the list.
 *
 * Each node shares a small document with a line for each of its listed contests, when they change
 * and again before it is too old. A contest belongs to the node that owns its journal: whoever asks
 * another node about it is sent there (`moved`), and so are its players when another node takes
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "server/contest.h"
#include "server/internal.h"

/* When the document is repeated (a contest looks once a minute), and when one is too old; bytes of
 * a document; nodes. */
enum { AGAIN_MS = 30000, FORGET_MS = 100000, DOCUMENT_BYTES = 32 << 10, NODES_MAX = 64 };

void contests_share(Server *server, bool changed) {
    char name[STORE_DOCUMENT_NAME_BYTES];
    uint64_t now_ms = net_now_ms(server->loop);
    if (!store_is_shared(server->store) || server->draining ||
        (!changed && now_ms < server->contests_share_ms))
        return;
    char *bytes = malloc(DOCUMENT_BYTES);
    if (bytes == NULL)
        return;
    MashText text = text_over(bytes, DOCUMENT_BYTES), doc = text_over(name, sizeof name);
    text_format(&doc, "events-%u", server->setup.store.node);
    text_format(&text, "%u\n", server->setup.store.node);
    for (const Contest *contest = server->contests; contest != NULL && !text.truncated;
         contest = contest->next) {
        uint32_t before = text.count;
        if (contest->config.table.unlisted)
            continue;
        contest_write_line(contest, &text);
        if (text.truncated)
            text.count = before;
    }
    server->contests_share_ms = now_ms + AGAIN_MS;
    store_share(server->store, name, bytes, text.count);
    free(bytes);
}

void contests_take_shared(Server *server) {
    size_t count;
    for (char *bytes; (bytes = store_take_shared(server->store, "events-*", &count)) != NULL;) {
        uint32_t node = (uint32_t)strtoul(bytes, NULL, 10);
        uint32_t i = 0;
        while (i < server->others_count && server->others[i].node != node)
            i++;
        if (node == server->setup.store.node || i == NODES_MAX) {
            free(bytes);
            continue;
        }
        if (i == server->others_count) {
            OtherContests *more = realloc(server->others, (i + 1) * sizeof *more);
            if (more == NULL) {
                free(bytes);
                continue;
            }
            server->others = more;
            server->others[server->others_count++] = (OtherContests){.node = node};
        }
        free(server->others[i].lines);
        server->others[i] =
            (OtherContests){.node = node, .lines = bytes, .said_ms = net_now_ms(server->loop)};
    }
}

/* One line of another node: a code, a blank and an object. */
static void put_line(JsonWriter *writer, Server *server, const char *line, size_t length) {
    char code[PROTO_CODE_MAX + 1];
    uint64_t number;
    const char *blank = memchr(line, ' ', length);
    if (blank == NULL || (size_t)(blank - line) > PROTO_CODE_MAX)
        return;
    memcpy(code, line, (size_t)(blank - line));
    code[blank - line] = '\0';
    if (table_code_decode(code, &number) && contest_find(server, number) == NULL)
        json_put_raw(writer, blank + 1, (uint32_t)(length - (size_t)(blank + 1 - line)));
}

void contest_put_others(JsonWriter *writer, Server *server) {
    uint64_t now_ms = net_now_ms(server->loop);
    for (uint32_t i = 0; i < server->others_count; i++) {
        const char *line = server->others[i].lines;
        if (line == NULL || now_ms >= server->others[i].said_ms + FORGET_MS)
            continue;
        line = strchr(line, '\n'); /* behind the node's number */
        while (line != NULL && *++line != '\0') {
            const char *end = strchr(line, '\n');
            put_line(writer, server, line, end == NULL ? strlen(line) : (size_t)(end - line));
            line = end;
        }
    }
}

void contests_forget_others(Server *server) {
    for (uint32_t i = 0; i < server->others_count; i++)
        free(server->others[i].lines);
    free(server->others);
}
