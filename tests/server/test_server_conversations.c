/* test_server_conversations.c -- whole conversations with the server, as files: what is asked, and
 * every word that it answers, over the arena, the network standard, HTTP, the admin socket and in
 * its log. tests/server/conversations/README.md says how they are written.
 *
 * A conversation is played on the network and the clock of these tests, and what it gives must be
 * the file again. Secrets and codes stand there as $1, $2, ... in the order in which they appear.
 */
#define _DEFAULT_SOURCE
#include <ctype.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "store/backend.h"
#include "tests/server/fake/fixture.h"
#include "tests/server/fake/nodes.h"
#include "tests/support/support.h"

enum {
    CONVERSATION_BYTES = 1 << 20,
    CLIENTS_MAX = 12,
    NAMES_MAX = 256,
    NAME_BYTES = 80,
    LINE_BYTES = 1 << 13,
    FILES_MAX = 64,
    ANSWER_MS = 10,
    SECRET_DIGITS = 16, /* as many hexadecimal digits in a row are secret, or stand for a file */
    CODE_PART = 4
};

/* A client by its name, the token of its seat, and the last position that it got. */
typedef struct Speaker {
    char name[16], token[PROTO_TOKEN_DIGITS + 1];
    char *position; /* NULL: none yet */
    NetConnection *connection;
} Speaker;

static TestServer second; /* another node; its server is NULL: there is none */
static Speaker speakers[CLIENTS_MAX];
static char names[NAMES_MAX][NAME_BYTES]; /* what $1, $2, ... stand for */
static uint32_t names_count;
static char table_code[PROTO_CODE_MAX + 1]; /* the last that a client was told; and */
static char contest_code[PROTO_CODE_MAX + 1];
static MashText said;
static const char own_version[] = "mashup " MASH_VERSION;
static char etag[NAME_BYTES], authorization[NAME_BYTES], address[NAME_BYTES];

/* --- What is said ----------------------------------------------------------------------------- */

/* How many bytes from here on differ from one server to another: secrets and codes. */
static size_t private_bytes(const char *at) {
    size_t digits = strspn(at, "0123456789abcdef");
    if (digits >= SECRET_DIGITS && digits < NAME_BYTES)
        return digits;
    for (size_t i = 0; i < 3 * (CODE_PART + 1) - 1; i++)
        if (i % (CODE_PART + 1) == CODE_PART ? at[i] != '-' : !isalnum((unsigned char)at[i]))
            return 0;
    size_t code = 3 * (CODE_PART + 1) - 1;
    return isalnum((unsigned char)at[code]) || at[code] == '-' ? 0 : code;
}

/* Appends a word that is private by its number. */
static void say_private(const char *at, size_t count) {
    uint32_t i = 0;
    while (i < names_count && (strlen(names[i]) != count || memcmp(names[i], at, count) != 0))
        i++;
    if (i == names_count) {
        assert_true(names_count < NAMES_MAX);
        snprintf(names[names_count++], NAME_BYTES, "%.*s", (int)count, at);
    }
    text_format(&said, "$%u", i + 1);
}

/* How many bytes from here on are a list of games, a board, or the actions and events of a
 * position: the tests of games and proto/ see to those. */
static size_t game_bytes(const char *at, bool position) {
    static const char *const keys[] = {"\"games\":[",   "\"board\":{",  "\"entities\":[",
                                       "\"actions\":[", "\"events\":[", "\"figures\":["};
    bool found = false;
    for (size_t i = 0; i < (position ? sizeof keys / sizeof *keys : 3); i++)
        found = found || strncmp(at, keys[i], strlen(keys[i])) == 0;
    if (!found)
        return 0;
    const char *end = strchr(at, ':') + 1;
    uint32_t depth = 0;
    bool quoted = false;
    do {
        quoted = quoted != (*end == '"' && end[-1] != '\\');
        if (!quoted)
            depth += (uint32_t)(*end == '{' || *end == '[') - (*end == '}' || *end == ']');
        end++;
    } while (depth > 0 && *end != '\0');
    return (size_t)(end - at);
}

/* Appends what was said without what differs from one server to another. */
static void say(const char *bytes, size_t count) {
    char *copy = strndup(bytes, count);
    bool position = strncmp(bytes, "{\"type\":\"position\"", 18) == 0;
    assert_non_null(copy);
    for (const char *at = copy; *at != '\0';) {
        bool begins = at == copy || !isalnum((unsigned char)at[-1]);
        size_t private = begins ? private_bytes(at) : 0, game = game_bytes(at, position);
        size_t version = strncmp(at, own_version, strlen(own_version)) == 0;
        size_t folder = strncmp(at, arena.folder, strlen(arena.folder)) == 0;
        if (private > 0)
            say_private(at, private);
        else if (game > 0)
            text_bytes(&said, at, (uint32_t)(strchr(at, ':') + 1 - at)), text_string(&said, "..");
        else if (version > 0)
            text_string(&said, "mashup $version");
        else if (folder > 0)
            text_string(&said, "$folder");
        else
            text_byte(&said, *at);
        at += private > 0   ? private
              : game > 0    ? game
              : version > 0 ? strlen(own_version)
              : folder > 0  ? strlen(arena.folder)
                            : 1;
    }
    free(copy);
}

/* Appends one line of somebody. */
static void say_line(const char *who, const char *bytes, size_t count) {
    text_string(&said, who);
    text_byte(&said, ' ');
    say(bytes, count);
    text_byte(&said, '\n');
}

static void take_log(void *owner, const char *line) {
    say_line(owner == &second ? "log2" : "log", line, strlen(line));
}

/* --- Clients ---------------------------------------------------------------------------------- */

static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner, (void)connection, (void)request;
    return NET_ACCEPT;
}

/* Keeps the string of a key of a message, if it has one. */
static void take_value(const char *message, const char *key, char *value, uint32_t bytes) {
    const char *at = strstr(message, key);
    if (at == NULL)
        return;
    MashText text = text_over(value, bytes);
    text_bytes(&text, at + strlen(key), (uint32_t)strcspn(at + strlen(key), "\""));
}

static void on_message(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    Speaker *speaker = owner;
    char *copy = strndup(bytes, count);
    (void)connection;
    say_line(speaker->name, bytes, count);
    if (strncmp(copy, "{\"type\":\"table\"", 15) == 0) {
        take_value(copy, "\"code\":\"", table_code, sizeof table_code);
        take_value(copy, "\"token\":\"", speaker->token, sizeof speaker->token);
    } else if (strncmp(copy, "{\"type\":\"tournament-you\"", 24) == 0) {
        take_value(copy, "\"code\":\"", contest_code, sizeof contest_code);
        take_value(copy, "\"seat_token\":\"", speaker->token, sizeof speaker->token);
    }
    if (strncmp(copy, "{\"type\":\"position\"", 18) == 0) {
        free(speaker->position);
        speaker->position = copy;
    } else {
        free(copy);
    }
}

static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    Speaker *speaker = owner;
    char line[256];
    (void)connection;
    snprintf(line, sizeof line, "closed: %u %s", (unsigned)code, reason);
    say_line(speaker->name, line, strlen(line));
    speaker->connection = NULL;
}

/* The client of this name; a new one has no connection. */
static Speaker *speaker_of(const char *name) {
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        if (speakers[i].name[0] == '\0')
            snprintf(speakers[i].name, sizeof speakers[i].name, "%s", name);
        if (strcmp(speakers[i].name, name) == 0)
            return &speakers[i];
    }
    fail_msg("there is no room for %s", name);
    return NULL;
}

static void connect_speaker(const Server *server, const char *name, const char *path) {
    static const NetCallbacks calls = {on_open, on_message, NULL, on_close, NULL};
    Speaker *speaker = speaker_of(name);
    char url[LINE_BYTES];
    if (speaker->connection != NULL) {
        text_format(&said, "%s is still connected\n", name);
        return;
    }
    snprintf(url, sizeof url, "ws://server:%u%s", (unsigned)server_port(server), path);
    speaker->connection = net_connect(arena.loop, url, &calls, speaker, NULL, NULL);
}

/* `NAME CODE` or `NAME`: it closes its connection so. */
static void close_speaker(const Speaker *speaker, const char *what) {
    unsigned long code = strtoul(what + strcspn(what, " "), NULL, 10);
    net_close(speaker->connection, code == 0 ? NET_CLOSE_NORMAL : (uint16_t)code, "");
}

/* Sends the messages of a line at once. */
static void send_all(const Speaker *speaker, const char *what) {
    for (const char *next; (next = strstr(what, "} {")) != NULL; what = next + 2)
        net_send_text(speaker->connection, what, (uint32_t)(next + 1 - what));
    net_send_text(speaker->connection, what, (uint32_t)strlen(what));
}

/* A client sends something, or its connection ends. */
static void speak(Speaker *speaker, const char *how, const char *what) {
    static const char nobody[] = "is not connected";
    if (speaker->connection == NULL)
        say_line(speaker->name, nobody, sizeof nobody - 1);
    else if (strcmp(how, "cut") == 0)
        fake_cut(speaker->connection);
    else if (strcmp(how, "close") == 0)
        close_speaker(speaker, what);
    else
        send_all(speaker, what);
}

/* The word of this number among those of the actions of a position; "": there are fewer. */
static void find_word(const char *position, unsigned long number, MashText *word) {
    static const char key[] = "\"words\":[";
    for (const char *list = strstr(position, key); list != NULL; list = strstr(list + 1, key))
        for (const char *at = list + sizeof key - 1; *at == '"';) {
            uint32_t length = (uint32_t)strcspn(at + 1, "\"");
            if (number-- == 0)
                text_bytes(word, at + 1, length);
            at += length + 2;
            at += *at == ',';
        }
}

/* A client does the action of this number among those that its last position lists in words. */
static void act(Speaker *speaker, unsigned long number) {
    char word[128], line[256];
    MashText text = text_over(word, sizeof word), message = text_over(line, sizeof line);
    const char *position = speaker->position == NULL ? "" : speaker->position;
    const char *at = strstr(position, "\"number\":");
    find_word(position, number, &text);
    text_format(&message, "{\"type\":\"act\",\"position\":%d,\"word\":\"%s\"}",
                at == NULL ? 0 : atoi(at + strlen("\"number\":")), word);
    text_format(&said, "%s acts: %s\n", speaker->name, word);
    speak(speaker, "", line);
}

/* --- What is asked ---------------------------------------------------------------------------- */

/* Of metrics, those that are not 0, or all; of those of the store, only their names. */
static void say_metrics(const char *lines, bool all) {
    for (const char *line = lines; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t count = strcspn(line, "\n");
        bool store = strncmp(line, "mashup_store_", 13) == 0;
        bool nothing = strncmp(line + count - 2, " 0", 2) == 0;
        if (line[0] != '#' && (all || (!store && !nothing)))
            say_line("metric", line, store ? strcspn(line, " ") : count);
    }
}

/* An address of the server: its status, what a cache may do with it, and all of it. */
static void ask(const Server *server, const char *path) {
    static char memory[1 << 18];
    MashText out = text_over(memory, sizeof memory);
    NetReply reply = {.out = &out};
    fake_ask(server->net, path, &reply);
    while (reply.later)
        fake_run(arena.loop, 1);
    snprintf(etag, sizeof etag, "\"%s\"", reply.etag);
    text_format(&said, "%u%s%s%s%s\n", (unsigned)reply.status, reply.shared ? " shared" : "",
                reply.etag[0] == '\0' ? "" : " etag", reply.cache == NULL ? "" : " ",
                reply.cache == NULL ? "" : reply.cache);
    if (strncmp(path, "/metrics", 8) == 0 && reply.status == 200)
        say_metrics(memory, strcmp(path, "/metrics?all") == 0);
    else if (out.count > 0)
        say(memory, out.count);
    text_string(&said, out.count > 0 && memory[out.count - 1] != '\n' ? "\n" : "");
}

/* What statements about accounts answer from now on; their number names the status. */
static StoreStatus without_accounts(void *owner, AccountStatement which, const AccountValue *values,
                                    uint32_t count,
                                    void (*row)(void *out, const AccountValue *columns),
                                    void *out) {
    (void)which, (void)values, (void)count, (void)row, (void)out;
    return *(const StoreStatus *)owner;
}

/* Accounts are away, or back. */
static void turn_accounts(const char *how) {
    static AccountRun *kept;
    static void *kept_owner;
    static StoreStatus status;
    Store *store = arena.server->store;
    if (store->accounts != without_accounts)
        kept = store->accounts, kept_owner = store->accounts_owner;
    status = strcmp(how, "busy") == 0   ? STORE_BUSY
             : strcmp(how, "full") == 0 ? STORE_FULL
                                        : STORE_FAILED;
    bool back = strcmp(how, "back") == 0;
    store->accounts = back ? kept : without_accounts;
    store->accounts_owner = back ? kept_owner : &status;
}

/* Puts one line behind the others of a file in the server's folder. */
static void write_file(const char *name, const char *line) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", arena.folder, name);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fprintf(file, "%s\n", line);
    fclose(file);
}

/* The server becomes node 1 of two, and node 2 opens. */
static void open_second(void) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    second.loop = arena.loop;
    MashText place = text_over(second.place, sizeof second.place);
    text_format(&place, "embedded:%s/second", arena.folder);
    second.standard = arena.standard;
    second.setup = arena.setup;
    second.setup.protocols[1].config = &second.standard;
    second.setup.store.place = second.place;
    second.setup.folder = second.setup.settings = NULL;
    second.setup.store.node = 2;
    second.setup.port = server_port(arena.server) + 1;
    second.setup.owner = &second;
    second.server = server_open(second.loop, &second.setup, &problem);
    if (second.server == NULL)
        fail_msg("%s", memory);
    arena.server->setup.store.node = 1;
    fake_nodes_add(arena.server);
    fake_nodes_add(second.server);
}

/* Node 2 is lost. */
static void lose_second(void) {
    fake_nodes_remove(second.server);
    if (second.server != NULL)
        server_close(second.server);
    second.server = NULL;
}

/* What was posted to other servers since the last line: where to, and what, if it is text. */
static void say_posts(uint32_t before) {
    char line[sizeof fake_posts.url + sizeof fake_posts.body + 16];
    if (fake_posts.count == before)
        return;
    bool text = fake_posts.body[0] == '{';
    snprintf(line, sizeof line, "%u %s %s", (unsigned)(fake_posts.count - before), fake_posts.url,
             text ? fake_posts.body : "(encrypted)");
    say_line("post", line, strlen(line));
}

/* "-" stands for nothing. */
static const char *or_nothing(char memory[NAME_BYTES], const char *value) {
    snprintf(memory, NAME_BYTES, "%s", value);
    return strcmp(value, "-") == 0 ? NULL : memory;
}

/* Does what is not said by a client. False: it is. */
static bool happen(const char *word, const char *rest) {
    const char *answer;
    if (strcmp(word, "get") == 0)
        ask(arena.server, rest);
    else if (strcmp(word, "get2") == 0)
        ask(second.server, rest);
    else if (strcmp(word, "node") == 0)
        open_second();
    else if (strcmp(word, "lose") == 0)
        lose_second();
    else if (strcmp(word, "admin") == 0 && (answer = fake_admin_line(arena.loop, rest)) != NULL)
        say(answer, strlen(answer));
    else if (strcmp(word, "from") == 0)
        fake_address(arena.loop, or_nothing(address, rest));
    else if (strcmp(word, "authorization") == 0)
        fake_authorization(arena.loop, or_nothing(authorization, rest));
    else if (strcmp(word, "known") == 0)
        fake_if_none_match(arena.loop, rest[0] == '-' ? NULL : etag);
    else if (strcmp(word, "accounts") == 0)
        turn_accounts(rest);
    else if (strcmp(word, "thinking") == 0)
        fake_thinking(arena.loop, (uint32_t)atoi(rest));
    else if (strcmp(word, "posting") == 0)
        fake_posts.status = (uint16_t)atoi(rest);
    else if (strcmp(word, "stall") == 0)
        fake_stall(arena.loop, (uint64_t)atoll(rest));
    else if (strcmp(word, "kill") == 0)
        arena_kill(&arena);
    else if (strcmp(word, "open") == 0)
        arena_open(&arena);
    else if (strcmp(word, "wait") == 0)
        arena_run(&arena, (uint64_t)atoll(rest));
    else
        return false;
    return true;
}

/* Does what one line says. */
static void play_line(const char *line) {
    char first[16] = "", name[64] = "";
    int behind = 0, behind_second = 0;
    uint32_t posts = fake_posts.count;
    sscanf(line, "%15s %n%63s %n", first, &behind, name, &behind_second);
    const char *rest = line + behind;
    bool ends = strcmp(first, "cut") == 0 || strcmp(first, "close") == 0;
    if (happen(first, rest))
        rest = NULL;
    else if (strcmp(first, "connect") == 0)
        connect_speaker(arena.server, name, line + behind_second);
    else if (strcmp(first, "connect2") == 0)
        connect_speaker(second.server, name, line + behind_second);
    else if (strcmp(first, "act") == 0)
        act(speaker_of(name), strtoul(line + behind_second, NULL, 10));
    else if (strcmp(first, "write") == 0)
        write_file(name, line + behind_second);
    else
        speak(speaker_of(ends ? name : first), ends ? first : "", rest);
    fake_nodes_poll();
    arena_run(&arena, ANSWER_MS);
    say_posts(posts);
}

/* What a name behind a $ stands for; NULL: nothing. */
static const char *meaning_of(const char *name, size_t count) {
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    if (number > 0 && number <= names_count)
        return names[number - 1];
    if (count == 5 && memcmp(name, "table", 5) == 0)
        return table_code;
    if (count == 10 && memcmp(name, "tournament", 10) == 0)
        return contest_code;
    for (uint32_t i = 0; i < CLIENTS_MAX; i++)
        if (count > 0 && strlen(speakers[i].name) == count &&
            memcmp(speakers[i].name, name, count) == 0)
            return speakers[i].token;
    return NULL;
}

/* Puts what they stand for in place of $1, $2, ..., $table and $NAME. */
static void fill_in(const char *line, size_t count, char out[LINE_BYTES]) {
    MashText text = text_over(out, LINE_BYTES);
    for (const char *at = line; at < line + count;) {
        size_t length = *at == '$' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789") : 0;
        const char *meaning = length > 0 ? meaning_of(at + 1, length) : NULL;
        text_string(&text, meaning == NULL ? "" : meaning);
        if (meaning == NULL)
            text_byte(&text, *at);
        at += meaning == NULL ? 1 : 1 + length;
    }
    assert_false(text.truncated);
}

/* --- Comparing -------------------------------------------------------------------------------- */

static char *read_whole(const char *path) {
    char *bytes = support_memory(CONVERSATION_BYTES);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(bytes, 1, CONVERSATION_BYTES - 1, file) < CONVERSATION_BYTES - 1);
    fclose(file);
    return bytes;
}

/* The file must be what was said. */
static void compare(const char *path, const char *stored) {
    const char *mode = getenv("MASH_GOLDEN");
    size_t line = 1, start = 0, i = 0;
    assert_false(said.truncated);
    if (mode != NULL && strcmp(mode, "write") == 0) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(said.bytes, file);
        fclose(file);
        return;
    }
    for (; stored[i] == said.bytes[i] && stored[i] != '\0'; i++)
        if (stored[i] == '\n')
            line++, start = i + 1;
    if (stored[i] != said.bytes[i])
        fail_msg("%s:%zu:\n  stored: %.*s\n  now:    %.*s\nif that is meant: MASH_GOLDEN=write "
                 "build/release/tests/test_server_conversations",
                 path, line, (int)strcspn(stored + start, "\n"), stored + start,
                 (int)strcspn(said.bytes + start, "\n"), said.bytes + start);
}

/* Plays the file in *state and compares. */
static void the_server_says_the_same(void **state) {
    const char *path = *state;
    char *stored = read_whole(path), filled[LINE_BYTES], settings[128];
    memset(&second, 0, sizeof second);
    said = text_over(support_memory(CONVERSATION_BYTES), CONVERSATION_BYTES);
    memset(speakers, 0, sizeof speakers);
    names_count = 0;
    fake_posts = (FakePosts){.status = 204};
    arena_init(&arena, 1);
    snprintf(settings, sizeof settings, "%s/settings", arena.folder);
    arena.setup.folder = arena.folder;
    arena.setup.settings = settings;
    arena.setup.log = take_log;
    arena.setup.owner = &arena;
    arena.setup.log_level = LOG_INFO;
    write_file("settings", "# what the conversation writes");
    arena_open(&arena);
    for (const char *line = stored; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t count = strcspn(line, "\n");
        bool asked = count > 2 && memcmp(line, "> ", 2) == 0;
        if (asked || count == 0 || memcmp(line, "##", 2) == 0)
            text_bytes(&said, line, (uint32_t)count + 1);
        if (!asked)
            continue;
        fill_in(line + 2, count - 2, filled);
        play_line(filled);
    }
    for (uint32_t i = 0; i < CLIENTS_MAX; i++)
        if (speakers[i].connection != NULL)
            fake_cut(speakers[i].connection);
    for (uint32_t i = 0; i < CLIENTS_MAX; i++)
        free(speakers[i].position);
    lose_second();
    fake_nodes_remove(arena.server);
    arena_release(&arena);
    compare(path, stored);
    support_free(stored);
    support_free(said.bytes);
}

int main(void) {
    static struct CMUnitTest tests[FILES_MAX];
    glob_t files;
    size_t count = 0;
    if (glob("tests/server/conversations/*.txt", 0, NULL, &files) != 0)
        return 1;
    for (; count < files.gl_pathc && count < FILES_MAX; count++)
        tests[count] = (struct CMUnitTest){.name = files.gl_pathv[count],
                                           .test_func = the_server_says_the_same,
                                           .initial_state = files.gl_pathv[count]};
    int failed = _cmocka_run_group_tests("conversations", tests, count, NULL, NULL);
    globfree(&files);
    return failed;
}
