/* admin.c -- see house.h: what those who run the house ask through its side door: lists and files
 * of matches, ends, bans, closing when all matches are over.
 *
 * One line in, one answer out. An answer begins with "ok" or with "no: " and a sentence, and its
 * line end; what was asked for follows. Bans lie in a file of their own beside the store, so that
 * they outlast the process. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/house.h"

enum {
    BANS_MAX = 10000,
    PATH_BYTES = 1024,
    WORDS_MAX = 3,
    LOOK_MS = 200,
    GOODBYE_MS = 3000,
    DRAIN_SECONDS_MAX = 86400,
    MAPPED_BITS = 96
};

/* An address or a network: the first `bits` of sixteen bytes; IPv4 stands behind ::ffff. */
struct Ban {
    uint8_t bytes[16];
    uint32_t bits;
    char text[ADMIN_ADDRESS_BYTES + 4];
};

/* A line on its way: its words, and where the answer goes. */
typedef struct Asked {
    Server *server;
    const char *words[WORDS_MAX];
    uint32_t count;
    NetAnswer *answer;
} Asked;

/* --- Answers ---------------------------------------------------------------------------------- */

static void say(NetAnswer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A short answer. */
static void say(NetAnswer *answer, const char *format, ...) {
    char memory[512];
    MashText text = text_over(memory, sizeof memory);
    va_list list;
    va_start(list, format);
    text_format_list(&text, format, list);
    va_end(list);
    text_byte(&text, '\n');
    net_answer(answer, text.bytes, text.count);
}

/* --- Bans ------------------------------------------------------------------------------------- */

/* An address as sixteen bytes. */
static bool read_address(const char *text, uint8_t out[16], bool *short_form) {
    memset(out, 0, 16);
    *short_form = inet_pton(AF_INET, text, out + 12) == 1;
    if (*short_form)
        out[10] = out[11] = 0xff;
    return *short_form || inet_pton(AF_INET6, text, out) == 1;
}

/* "203.0.113.7", "203.0.113.0/24", "2001:db8::/64". */
static bool read_ban(const char *text, Ban *ban) {
    bool short_form;
    char *end = NULL;
    if (strlen(text) >= sizeof ban->text)
        return false;
    memset(ban, 0, sizeof *ban);
    memcpy(ban->text, text, strlen(text));
    char *slash = strchr(ban->text, '/');
    if (slash != NULL)
        *slash = '\0';
    if (!read_address(ban->text, ban->bytes, &short_form))
        return false;
    uint32_t most = short_form ? 32 : 128;
    unsigned long bits = most;
    if (slash != NULL) {
        *slash = '/';
        bits = strtoul(slash + 1, &end, 10);
        if (slash[1] < '0' || slash[1] > '9' || *end != '\0' || bits > most)
            return false;
    }
    ban->bits = (uint32_t)bits + (short_form ? MAPPED_BITS : 0);
    return true;
}

/* Does the ban hit this address? */
static bool covers(const Ban *ban, const uint8_t address[16]) {
    uint32_t whole = ban->bits / 8, rest = ban->bits % 8;
    if (memcmp(ban->bytes, address, whole) != 0)
        return false;
    return rest == 0 || (ban->bytes[whole] ^ address[whole]) >> (8 - rest) == 0;
}

bool admin_banned(const Server *server, const char *address) {
    uint8_t bytes[16];
    bool short_form;
    if (server->bans_count == 0 || !read_address(address, bytes, &short_form))
        return false;
    for (uint32_t i = 0; i < server->bans_count; i++)
        if (covers(&server->bans[i], bytes))
            return true;
    return false;
}

/* One more ban. False: there is no room. */
static bool add_ban(Server *server, const Ban *ban) {
    if (server->bans_count == BANS_MAX)
        return false;
    Ban *grown = realloc(server->bans, (server->bans_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    server->bans = grown;
    server->bans[server->bans_count++] = *ban;
    return true;
}

/* A path in the house's folder. */
static bool path_in(const Server *server, const char *name, char out[PATH_BYTES]) {
    MashText text = text_over(out, PATH_BYTES);
    text_format(&text, "%s/%s", server->setup.folder, name);
    return !text.cut;
}

/* Reads the list that outlasted the last process. */
static void load_bans(Server *server) {
    char path[PATH_BYTES], line[256];
    FILE *file = path_in(server, "bans", path) ? fopen(path, "r") : NULL;
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        Ban ban;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0' && (!read_ban(line, &ban) || !add_ban(server, &ban)))
            house_log(server, LOG_WARNING, "%s: \"%s\" is no address", path, line);
    }
    fclose(file);
}

/* Writes the list anew, whole or not at all. */
static bool save_bans(Server *server) {
    char path[PATH_BYTES], temporary[PATH_BYTES];
    if (!path_in(server, "bans", path) || !path_in(server, "bans.new", temporary))
        return false;
    FILE *file = fopen(temporary, "w");
    bool written = file != NULL;
    for (uint32_t i = 0; i < server->bans_count && written; i++)
        written = fprintf(file, "%s\n", server->bans[i].text) > 0;
    written = file != NULL && fclose(file) == 0 && written;
    return written && rename(temporary, path) == 0;
}

/* Bans and cuts off. */
static void answer_ban(const Asked *asked) {
    Server *server = asked->server;
    Ban ban;
    if (!read_ban(asked->words[1], &ban)) {
        say(asked->answer, "no: \"%s\" is no address and no network like 203.0.113.0/24",
            asked->words[1]);
        return;
    }
    if (!add_ban(server, &ban)) {
        say(asked->answer, "no: there is no room for more than %d bans", BANS_MAX);
        return;
    }
    uint32_t cut = 0;
    for (Session *session = server->sessions; session != NULL; session = session->next_all)
        if (admin_banned(server, session->address)) {
            net_close(session->connection, NET_CLOSE_POLICY, "this address is banned");
            cut++;
        }
    bool saved = save_bans(server);
    house_log(server, LOG_INFO, "%s is banned; %u connections cut", ban.text, cut);
    say(asked->answer, "ok %s is banned, %u connections were cut%s", ban.text, cut,
        saved ? "" : "; the list could not be written and ends with this process");
}

/* Takes a ban back. */
static void answer_unban(const Asked *asked) {
    Server *server = asked->server;
    uint32_t before = server->bans_count, kept = 0;
    for (uint32_t i = 0; i < before; i++)
        if (strcmp(server->bans[i].text, asked->words[1]) != 0)
            server->bans[kept++] = server->bans[i];
    server->bans_count = kept;
    if (kept == before) {
        say(asked->answer, "no: %s is not in the list of bans", asked->words[1]);
        return;
    }
    bool saved = save_bans(server);
    say(asked->answer, "ok %s is welcome again%s", asked->words[1],
        saved ? "" : "; the list could not be written");
}

/* All bans, one a line. */
static void write_bans(void *what, MashText *text) {
    const Server *server = what;
    text_string(text, "ok\n");
    for (uint32_t i = 0; i < server->bans_count; i++)
        text_format(text, "%s\n", server->bans[i].text);
}

/* --- Matches ---------------------------------------------------------------------------------- */

/* All tables, one a line. */
static void write_list(void *what, MashText *text) {
    const Server *server = what;
    text_string(text, "ok\n");
    for (const Table *table = server->tables; table != NULL; table = table->next) {
        text_format(text, "%s %s %s actions=%u watchers=%u", table->code,
                    choice_id(PROTO_STATES_LIST, table->state),
                    table->setting.holding->content->game->id,
                    table->state == PROTO_STATE_WAITING ? 0 : table->match.actions_count,
                    table->watchers_count);
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
            const Chair *chair = &table->chairs[seat];
            bool here = chair->session != NULL || chair->robot > 0;
            text_format(text, " seat%u=", seat);
            JsonWriter writer = json_writer(text, 0);
            json_put_string(&writer, chair->taken ? chair->name : "");
            text_string(text, chair->taken && !here ? "(away)" : "");
        }
        text_byte(text, '\n');
    }
}

/* An answer of any length. */
static void answer_text(const Asked *asked, void (*write)(void *what, MashText *text)) {
    MashText text;
    if (house_text(asked->server, &text, write, asked->server))
        net_answer(asked->answer, text.bytes, text.count);
    else
        say(asked->answer, "no: there is no memory for the answer");
}

/* The table that the line names; NULL: that was said. */
static Table *table_of(const Asked *asked) {
    uint64_t number;
    Table *table = code_read(asked->words[1], &number) ? lobby_find(asked->server, number) : NULL;
    if (table == NULL)
        say(asked->answer, "no: there is no table with the code %s", asked->words[1]);
    return table;
}

/* A draw needs both: the offer in one seat's name and the answer in the other's. */
static bool draw(Table *table) {
    static const uint8_t verbs[] = {MASH_VERB_DRAW_DECLINE, MASH_VERB_DRAW_OFFER,
                                    MASH_VERB_DRAW_ACCEPT};
    static const uint8_t seats[] = {1, 0, 1};
    Refusal why;
    for (uint32_t i = 0; i < sizeof verbs && table_plays(table); i++)
        play_act(table, (MashAction){.verb = verbs[i], .seat = seats[i]}, &why);
    return match_result(&table->match).over;
}

/* Ends a match by hand. */
static void answer_end(const Asked *asked) {
    const char *who = asked->words[2];
    Table *table = table_of(asked);
    if (table == NULL)
        return;
    if (!table_plays(table) || match_result(&table->match).over) {
        say(asked->answer, "no: no match is on at the table %s", table->code);
        return;
    }
    if (strcmp(who, "draw") == 0)
        draw(table);
    else if (strcmp(who, "0") == 0 || strcmp(who, "1") == 0)
        play_house(table, MASH_VERB_FORFEIT, (uint8_t)(who[0] - '0'), MASH_REASON_DISQUALIFIED);
    else {
        say(asked->answer, "no: \"%s\" is neither draw nor the seat that loses, 0 or 1", who);
        return;
    }
    if (!match_result(&table->match).over) {
        say(asked->answer, "no: the game does not allow that now");
        return;
    }
    house_log(asked->server, LOG_INFO, "match %s was ended by hand: %s", table->code, who);
    say(asked->answer, "ok the match %s is over", table->code);
}

/* A file with "ok" in front of it. */
static void answer_bytes(const Asked *asked, const char *bytes, size_t count) {
    char *all = malloc(count + 3);
    if (all == NULL) {
        say(asked->answer, "no: there is no memory for the match");
        return;
    }
    memcpy(all, "ok\n", 3);
    memcpy(all + 3, bytes, count);
    net_answer(asked->answer, all, (uint32_t)count + 3);
    free(all);
}

/* From the archive, where private ones are found as well. */
static void answer_archived(const Asked *asked, uint64_t number) {
    size_t count = 0;
    char *file = NULL;
    StoreStatus status = store_archive_read(asked->server->store, number, NULL, 0, &count);
    if (status == STORE_TOO_LONG && (file = malloc(count)) != NULL)
        status = store_archive_read(asked->server->store, number, file, count, &count);
    if (file != NULL && status == STORE_OK)
        answer_bytes(asked, file, count);
    else
        say(asked->answer, "no: there is no match with the code %s", asked->words[1]);
    free(file);
}

/* The file of a match, wherever it is. */
static void answer_export(const Asked *asked) {
    uint64_t number;
    uint32_t count = 0;
    if (!code_read(asked->words[1], &number)) {
        say(asked->answer, "no: %s is no code of a match", asked->words[1]);
        return;
    }
    Table *table = lobby_find(asked->server, number);
    if (table == NULL) {
        answer_archived(asked, number);
        return;
    }
    if (table->state == PROTO_STATE_WAITING) {
        say(asked->answer, "no: the match %s has not begun", table->code);
        return;
    }
    char *file = journal_file(table, &count);
    if (file == NULL)
        say(asked->answer, "no: there is no memory for the match");
    else
        answer_bytes(asked, file, count);
    free(file);
}

/* --- Closing ---------------------------------------------------------------------------------- */

/* How many matches are on. */
static uint32_t running(const Server *server) {
    uint32_t count = 0;
    for (const Table *table = server->tables; table != NULL; table = table->next)
        count += table_plays(table);
    return count;
}

/* Closes the house if its time has come, or looks again soon. */
static void look(void *owner) {
    Server *server = owner;
    if (running(server) == 0 || net_now_ms(server->loop) >= server->closes_ms)
        server_drain(server, GOODBYE_MS);
    else
        net_timer_start(server->closing_timer, LOOK_MS);
}

/* No match begins from here on. */
static void answer_drain(const Asked *asked) {
    Server *server = asked->server;
    char *end;
    unsigned long seconds = strtoul(asked->words[1], &end, 10);
    if (asked->words[1][0] < '0' || asked->words[1][0] > '9' || *end != '\0' ||
        seconds > DRAIN_SECONDS_MAX) {
        say(asked->answer, "no: \"%s\" is no number of seconds up to %d", asked->words[1],
            DRAIN_SECONDS_MAX);
        return;
    }
    if (server->closing_timer == NULL)
        server->closing_timer = net_timer_open(server->loop, look, server);
    if (server->closing_timer == NULL) {
        say(asked->answer, "no: there is no memory for a timer");
        return;
    }
    server->closing = true;
    server->closes_ms = net_now_ms(server->loop) + seconds * 1000;
    net_timer_start(server->closing_timer, LOOK_MS);
    house_log(server, LOG_INFO, "no new matches; %u are on, the house closes in %u s at the latest",
              running(server), (unsigned)seconds);
    say(asked->answer, "ok no new matches begin; %u are on; closes in %u seconds at the latest",
        running(server), (unsigned)seconds);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void answer_list(const Asked *asked) { answer_text(asked, write_list); }

static void answer_bans(const Asked *asked) { answer_text(asked, write_bans); }

/* What can be asked: its word, how many words in all, what is done. */
static const struct {
    const char *word;
    uint32_t words;
    void (*answer)(const Asked *asked);
} questions[] = {{"list", 1, answer_list},     {"end", 3, answer_end},
                 {"export", 2, answer_export}, {"ban", 2, answer_ban},
                 {"unban", 2, answer_unban},   {"bans", 1, answer_bans},
                 {"drain", 2, answer_drain}};

void admin_answer(Server *server, const char *line, NetAnswer *answer) {
    char copy[PATH_BYTES];
    Asked asked = {.server = server, .answer = answer};
    MashText text = text_over(copy, sizeof copy);
    text_string(&text, line);
    char *rest = copy;
    for (char *word; asked.count < WORDS_MAX && (word = strtok_r(rest, " \t\r", &rest)) != NULL;)
        asked.words[asked.count++] = word;
    for (uint32_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (asked.count == questions[i].words && strcmp(asked.words[0], questions[i].word) == 0) {
            questions[i].answer(&asked);
            return;
        }
    say(answer, "no: that is not understood: %s", line);
}

static void asked_at_door(void *owner, const char *line, NetAnswer *answer) {
    admin_answer(owner, line, answer);
}

void admin_open(Server *server) {
    char path[PATH_BYTES], memory[256];
    MashText problem = text_over(memory, sizeof memory);
    if (server->setup.folder == NULL)
        return;
    load_bans(server);
    if (!path_in(server, "admin.sock", path))
        return;
    server->door = net_door_open(server->loop, path, asked_at_door, server, &problem);
    if (server->door == NULL)
        house_log(server, LOG_WARNING, "mashup admin cannot be used: %s", memory);
}

void admin_close(Server *server) {
    net_door_close(server->door);
    net_timer_close(server->closing_timer);
    free(server->bans);
}
