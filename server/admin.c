/* admin.c -- see admin.h: commands of operators to a running server: list matches and get their
 * files, end matches, kick, ban, change limits, shut down when all matches are over.
 *
 * One command line in, one answer out. The first line of an answer is "ok", or "no: " and a
 * sentence; the requested data follows. A first word "@NAME" names the operator. Every command that
 * changes something is appended with its answer to the file audit.log in the server's folder. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/actions.h"
#include "server/admin.h"
#include "server/contest.h"
#include "server/internal.h"
#include "server/limits.h"
#include "server/lobby.h"
#include "server/protocol.h"
#include "server/records.h"
#include "store/relations.h"

enum { PATH_BYTES = 1024, OUTCOME_BYTES = 512, WORDS_MAX = 4, DAYS_MAX = 36500 };
enum { BANS_BYTES_MAX = 4 << 20 };
enum { LOOK_MS = 200, GOODBYE_MS = 3000, DAY_SECONDS = 86400, DRAIN_SECONDS_MAX = DAY_SECONDS };

/* A command being processed: its words, the text from each word to the end of the line, where the
 * answer goes, and the first line of the answer for the audit file. */
typedef struct AdminCommand {
    Server *server;
    const char *words[WORDS_MAX];
    const char *rests[WORDS_MAX];
    uint32_t count;
    NetAdminReply *answer;
    char outcome[OUTCOME_BYTES];
} AdminCommand;

/* --- Answers ---------------------------------------------------------------------------------- */

static void reply_line(AdminCommand *asked, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A short answer. */
static void reply_line(AdminCommand *asked, const char *format, ...) {
    MashText text = text_over(asked->outcome, sizeof asked->outcome);
    va_list list;
    va_start(list, format);
    text_format_va(&text, format, list);
    va_end(list);
    char line[OUTCOME_BYTES + 1];
    MashText whole = text_over(line, sizeof line);
    text_format(&whole, "%s\n", asked->outcome);
    net_admin_reply(asked->answer, whole.bytes, whole.count);
}

/* A path in the server's folder. */
static bool path_in(const Server *server, const char *name, char out[PATH_BYTES]) {
    MashText text = text_over(out, PATH_BYTES);
    text_format(&text, "%s/%s", server->setup.folder, name);
    return !text.truncated;
}

/* The text from this word to the end of the line; "": there is no such word. */
static const char *rest_of(const AdminCommand *asked, uint32_t word) {
    return word < asked->count ? asked->rests[word] : "";
}

/* --- Bans ------------------------------------------------------------------------------------- */

const Ban *admin_ban(const Server *server, BanKind kind, const char *address) {
    return bans_find(&server->bans, kind, address, net_wall_clock_ms(server->loop));
}

/* Logs an invalid line of the file of bans. */
static void wrong_line(void *owner, const char *line) {
    server_log(owner, LOG_WARNING, "%s/bans: \"%s\" is not a ban",
               ((const Server *)owner)->setup.folder, line);
}

/* Reads the list that the previous process wrote, or that somebody has edited. */
static void load_bans(Server *server) {
    char path[PATH_BYTES];
    if (path_in(server, "bans", path) && !bans_load(&server->bans, path, wrong_line, server))
        server_log(server, LOG_WARNING, "%s cannot be read; bans stay as they are", path);
    if (server->bans.cut)
        server_log(server, LOG_WARNING,
                   "%s has more than %d bans: the rest is ignored, and the file is not rewritten",
                   path, BANS_MAX);
}

/* Gives the file of bans to the other nodes, if there are any. */
static void share_bans(Server *server, const char *path) {
    FILE *file = store_is_shared(server->store) ? fopen(path, "r") : NULL;
    if (file == NULL)
        return;
    char *bytes = malloc(BANS_BYTES_MAX);
    size_t count = bytes == NULL ? 0 : fread(bytes, 1, BANS_BYTES_MAX, file);
    bool whole = bytes != NULL && count < BANS_BYTES_MAX && ferror(file) == 0;
    if (!whole || !store_share(server->store, "bans", bytes, count))
        server_log(server, LOG_WARNING, "the other nodes did not get the bans");
    free(bytes);
    fclose(file);
}

/* Writes the list without expired bans. */
static bool save_bans(Server *server) {
    char path[PATH_BYTES];
    bans_expire(&server->bans, net_wall_clock_ms(server->loop));
    bool saved = path_in(server, "bans", path) && bans_save(&server->bans, path);
    if (saved)
        share_bans(server, path);
    return saved;
}

/* "90s", "30m", "12h", "7d" in milliseconds; 0: not a duration; UINT64_MAX: it is too long. */
static uint64_t read_duration(const char *text) {
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return 0;
    unsigned long count = strtoul(text, &end, 10);
    uint64_t unit = *end == 's' ? 1 : *end == 'm' ? 60 : *end == 'h' ? 3600 : DAY_SECONDS;
    bool known = strchr("smhd", *end) != NULL && *end != '\0' && end[1] == '\0';
    if (!known)
        return 0;
    return count <= (uint64_t)DAYS_MAX * DAY_SECONDS / unit ? count * unit * 1000 : UINT64_MAX;
}

/* Reads "WORD NETWORK [DURATION] [REASON...]". False: the error was answered. */
static bool read_ban(AdminCommand *asked, BanKind kind, Ban *ban) {
    *ban = (Ban){.kind = kind};
    if (!network_read(asked->words[1], &ban->network)) {
        reply_line(asked, "no: \"%s\" is not an address or a network such as 203.0.113.0/24",
                   asked->words[1]);
        return false;
    }
    uint64_t duration_ms = asked->count > 2 ? read_duration(asked->words[2]) : 0;
    if (duration_ms == UINT64_MAX) {
        reply_line(asked, "no: %s is more than %d days; omit it for a permanent ban",
                   asked->words[2], DAYS_MAX);
        return false;
    }
    ban->until_ms = duration_ms > 0 ? net_wall_clock_ms(asked->server->loop) + duration_ms : 0;
    MashText reason = text_over(ban->reason, sizeof ban->reason);
    text_string(&reason, rest_of(asked, duration_ms > 0 ? 3 : 2));
    session_sanitize(ban->reason);
    if (bans_add(&asked->server->bans, ban))
        return true;
    reply_line(asked, "no: the ban list is full (%d entries)", BANS_MAX);
    return false;
}

/* " until DATE", or nothing if it is permanent. */
static void write_until(const Ban *ban, MashText *text) {
    if (ban->until_ms == 0)
        return;
    text_string(text, " until ");
    log_write_date(text, ban->until_ms);
}

/* Disconnects a client. That does not lose its match: a player who may reconnect continues. */
static void cut_off(Session *session, const char *reason) {
    session->protocol->part(session, NULL, PART_KICKED, reason);
    net_close(session->connection, NET_CLOSE_POLICY, reason);
}

/* Disconnects every connection of the network. Returns how many there were. */
static uint32_t cut_network(Server *server, const Network *network, const char *reason) {
    uint32_t cut = 0;
    for (Session *session = server->sessions; session != NULL; session = session->next_all)
        if (network_has(network, session->address)) {
            cut_off(session, reason);
            cut++;
        }
    return cut;
}

void admin_write_ban(const Ban *ban, MashText *text) {
    text_string(text, "Your address is banned");
    write_until(ban, text);
    text_format(text, "%s%s", ban->reason[0] == '\0' ? "" : ": ", ban->reason);
}

/* Writes the file of bans as another node has it. */
static bool write_bans_file(const char *path, const char *bytes, size_t count) {
    char temporary[PATH_BYTES + 8];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *file = fopen(temporary, "w");
    bool written = file != NULL && fwrite(bytes, 1, count, file) == count;
    return file != NULL && fclose(file) == 0 && written && rename(temporary, path) == 0;
}

void admin_take_shared(Server *server) {
    char path[PATH_BYTES], memory[OUTCOME_BYTES];
    size_t count = 0;
    char *bytes = store_take_shared(server->store, "bans", &count);
    if (bytes == NULL || server->setup.folder == NULL || !path_in(server, "bans", path)) {
        free(bytes);
        return;
    }
    if (write_bans_file(path, bytes, count))
        load_bans(server);
    else
        server_log(server, LOG_WARNING,
                   "%s cannot be written; bans of other nodes are not in force", path);
    free(bytes);
    for (Session *session = server->sessions; session != NULL; session = session->next_all) {
        MashText text = text_over(memory, sizeof memory);
        const Ban *ban = admin_ban(server, BAN_ENTRY, session->address);
        if (ban == NULL)
            continue;
        admin_write_ban(ban, &text);
        cut_off(session, memory);
    }
}

/* Bans a network and disconnects its clients. */
static void answer_ban(AdminCommand *asked) {
    Server *server = asked->server;
    Ban ban;
    char memory[OUTCOME_BYTES], until[64] = "";
    MashText text = text_over(memory, sizeof memory), date = text_over(until, sizeof until);
    if (!read_ban(asked, BAN_ENTRY, &ban))
        return;
    admin_write_ban(&ban, &text);
    write_until(&ban, &date);
    uint32_t cut = cut_network(server, &ban.network, memory);
    bool saved = save_bans(server);
    server_log(server, LOG_INFO, "banned %s%s; %u connections closed", ban.network.text, until,
               cut);
    reply_line(asked, "ok banned %s%s, %u connections closed%s", ban.network.text, until, cut,
               saved ? "" : "; the list could not be saved and is lost on restart");
}

/* Forbids a network to chat. */
static void answer_mute(AdminCommand *asked) {
    Ban ban;
    char until[64] = "";
    MashText date = text_over(until, sizeof until);
    if (!read_ban(asked, BAN_CHAT, &ban))
        return;
    write_until(&ban, &date);
    bool saved = save_bans(asked->server);
    reply_line(asked, "ok %s cannot chat%s%s", ban.network.text, until,
               saved ? "" : "; the list could not be saved and is lost on restart");
}

/* Removes a ban or a mute. */
static void take_back(AdminCommand *asked, BanKind kind, const char *what) {
    Server *server = asked->server;
    if (!bans_remove(&server->bans, kind, asked->words[1])) {
        reply_line(asked, "no: %s is not %s", asked->words[1], what);
        return;
    }
    bool saved = save_bans(server);
    reply_line(asked, "ok %s is no longer %s%s", asked->words[1], what,
               saved ? "" : "; the list could not be saved");
}

/* Removes a ban. */
static void answer_unban(AdminCommand *asked) { take_back(asked, BAN_ENTRY, "banned"); }

/* Lets an address chat again. */
static void answer_unmute(AdminCommand *asked) { take_back(asked, BAN_CHAT, "muted"); }

/* All bans, one per line. */
static void write_bans(void *what, MashText *text) {
    Server *server = what;
    bans_expire(&server->bans, net_wall_clock_ms(server->loop));
    text_string(text, "ok\n");
    for (uint32_t i = 0; i < server->bans.count; i++) {
        const Ban *ban = &server->bans.list[i];
        text_format(text, "%s %s", ban->network.text, ban->kind == BAN_CHAT ? "muted" : "banned");
        write_until(ban, text);
        text_format(text, "%s%s\n", ban->reason[0] == '\0' ? "" : ": ", ban->reason);
    }
}

/* --- Connections ------------------------------------------------------------------------------ */

/* All connections, one per line. */
static void write_people(void *what, MashText *text) {
    const Server *server = what;
    text_string(text, "ok\n");
    for (const Session *session = server->sessions; session != NULL; session = session->next_all) {
        text_format(text, "#%u %s ", session->number, session->address);
        JsonWriter writer = json_writer(text, 0);
        json_put_string(&writer, session->name);
        if (session->table != NULL)
            text_format(text, " at %s", session->table->code);
        if (session->table != NULL && session->seat < MASH_SEATS)
            text_format(text, " seat %u", session->seat);
        else if (session->table != NULL)
            text_string(text, " watching");
        text_byte(text, '\n');
    }
}

/* The connection of this number, "17" or "#17"; NULL: there is none. */
static Session *session_of(const Server *server, const char *word) {
    char *end;
    const char *digits = word + (word[0] == '#');
    unsigned long number = strtoul(digits, &end, 10);
    if (!isdigit((unsigned char)digits[0]) || *end != '\0')
        return NULL;
    Session *session = server->sessions;
    while (session != NULL && session->number != number)
        session = session->next_all;
    return session;
}

/* Disconnects one connection or those of a network; they may reconnect. */
static void answer_kick(AdminCommand *asked) {
    char memory[123];
    MashText reason = text_over(memory, sizeof memory);
    Network network;
    const char *why = rest_of(asked, 2);
    Session *session = session_of(asked->server, asked->words[1]);
    text_format(&reason, "removed by the server's operator%s%s", *why == '\0' ? "" : ": ", why);
    if (session != NULL) {
        cut_off(session, memory);
        reply_line(asked, "ok #%u (%s, %s) was disconnected", session->number, session->address,
                   session->name);
    } else if (network_read(asked->words[1], &network)) {
        reply_line(asked, "ok %u connections were closed",
                   cut_network(asked->server, &network, memory));
    } else {
        reply_line(asked,
                   "no: \"%s\" is neither the number of a connection nor an address; see: people",
                   asked->words[1]);
    }
}

/* Ends the seat's match, or closes its table. True: there was one. */
static bool end_seat(Table *table, uint8_t seat) {
    if (table_is_running(table) && !match_result(&table->match).over)
        return actions_apply_as_server(table, MASH_VERB_FORFEIT, seat, MASH_REASON_OPERATOR);
    if (table->state != PROTO_STATE_WAITING)
        return false;
    table_close(table, "Closed by the server's operator.");
    return true;
}

/* Ends all matches of a network as lost by its seats, and closes its waiting tables. */
static void answer_end_all(AdminCommand *asked) {
    Server *server = asked->server;
    Network network;
    uint32_t ended = 0;
    if (!network_read(asked->words[1], &network)) {
        reply_line(asked, "no: \"%s\" is not an address or a network such as 203.0.113.0/24",
                   asked->words[1]);
        return;
    }
    for (Table *table = server->tables, *next; table != NULL; table = next) {
        next = table->next;
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            if (network_has(&network, table->chairs[seat].address)) {
                ended += end_seat(table, seat);
                break;
            }
    }
    reply_line(asked, "ok %u matches and tables of %s were ended", ended, network.text);
}

/* --- Matches ---------------------------------------------------------------------------------- */

/* All tables, one per line. */
static void write_list(void *what, MashText *text) {
    const Server *server = what;
    text_string(text, "ok\n");
    for (const Table *table = server->tables; table != NULL; table = table->next) {
        text_format(text, "%s %s %s actions=%u watchers=%u", table->code,
                    choice_id(PROTO_STATES_LIST, table->state),
                    table->config.content->content->game->id,
                    table->state == PROTO_STATE_WAITING ? 0 : table->match.actions_count,
                    table->watchers_count);
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
            const Chair *chair = &table->chairs[seat];
            bool here = chair->session != NULL || chair->robot > 0;
            text_format(text, " seat%u=", seat);
            JsonWriter writer = json_writer(text, 0);
            json_put_string(&writer, chair->taken ? chair->name : "");
            if (chair->address[0] != '\0')
                text_format(text, "@%s", chair->address);
            text_string(text, chair->taken && !here ? "(away)" : "");
        }
        text_byte(text, '\n');
    }
}

/* An answer of any length. */
static void answer_text(AdminCommand *asked, void (*write)(void *what, MashText *text)) {
    MashText text;
    if (server_write_text(asked->server, &text, write, asked->server))
        net_admin_reply(asked->answer, text.bytes, text.count);
    else
        reply_line(asked, "no: out of memory for the answer");
}

/* The table that the command names; NULL: the error was answered. */
static Table *table_of(AdminCommand *asked) {
    uint64_t number;
    Table *table =
        table_code_decode(asked->words[1], &number) ? lobby_find(asked->server, number) : NULL;
    if (table == NULL)
        reply_line(asked, "no: there is no table with the code %s", asked->words[1]);
    return table;
}

/* Ends a match by an operator's command. */
static void answer_end(AdminCommand *asked) {
    const char *who = asked->words[2];
    Table *table = table_of(asked);
    if (table == NULL)
        return;
    if (!table_is_running(table) || match_result(&table->match).over) {
        reply_line(asked, "no: no match in progress at table %s", table->code);
        return;
    }
    if (strcmp(who, "draw") == 0)
        actions_draw_as_server(table);
    else if (strcmp(who, "0") == 0 || strcmp(who, "1") == 0)
        actions_apply_as_server(table, MASH_VERB_FORFEIT, (uint8_t)(who[0] - '0'),
                                MASH_REASON_OPERATOR);
    else {
        reply_line(asked, "no: \"%s\" must be draw, 0 or 1 (the losing seat)", who);
        return;
    }
    if (!match_result(&table->match).over) {
        reply_line(asked, "no: not possible in this phase of the game");
        return;
    }
    server_log(asked->server, LOG_INFO, "match %s ended by an administrator: %s", table->code, who);
    reply_line(asked, "ok match %s has ended", table->code);
}

/* Answers "ok" and then the file. */
static void answer_bytes(AdminCommand *asked, const char *bytes, size_t count) {
    char *all = malloc(count + 3);
    if (all == NULL) {
        reply_line(asked, "no: out of memory for the match");
        return;
    }
    memcpy(all, "ok\n", 3);
    memcpy(all + 3, bytes, count);
    net_admin_reply(asked->answer, all, (uint32_t)count + 3);
    free(all);
}

/* Reads the file from the archive, which has private matches as well. */
static void answer_archived(AdminCommand *asked, uint64_t number) {
    size_t count = 0;
    char *file = NULL;
    if (erased_read(asked->server->store, number, &file, &count) == STORE_OK)
        answer_bytes(asked, file, count);
    else
        reply_line(asked, "no: there is no match with the code %s", asked->words[1]);
    free(file);
}

/* The file of a match, wherever it is. */
static void answer_export(AdminCommand *asked) {
    uint64_t number;
    uint32_t count = 0;
    if (!table_code_decode(asked->words[1], &number)) {
        reply_line(asked, "no: %s is not a match code", asked->words[1]);
        return;
    }
    Table *table = lobby_find(asked->server, number);
    if (table == NULL) {
        answer_archived(asked, number);
        return;
    }
    if (table->state == PROTO_STATE_WAITING) {
        reply_line(asked, "no: the match %s has not begun", table->code);
        return;
    }
    char *file = records_match_file(table, &count);
    if (file == NULL)
        reply_line(asked, "no: out of memory for the match");
    else
        answer_bytes(asked, file, count);
    free(file);
}

/* --- Shutting down ---------------------------------------------------------------------------- */

/* How many matches are running. */
static uint32_t running(const Server *server) {
    uint32_t count = 0;
    for (const Table *table = server->tables; table != NULL; table = table->next)
        count += table_is_running(table);
    return count;
}

/* Shuts the server down if it is time, or checks again soon. */
static void check_drain(void *owner) {
    Server *server = owner;
    if (running(server) == 0 || net_now_ms(server->loop) >= server->closes_ms)
        server_drain(server, GOODBYE_MS);
    else
        net_timer_start(server->closing_timer, LOOK_MS);
}

/* Starts no more matches from now on. */
static void answer_drain(AdminCommand *asked) {
    Server *server = asked->server;
    char *end;
    unsigned long seconds = strtoul(asked->words[1], &end, 10);
    if (asked->words[1][0] < '0' || asked->words[1][0] > '9' || *end != '\0' ||
        seconds > DRAIN_SECONDS_MAX) {
        reply_line(asked, "no: \"%s\" must be a number of seconds up to %d", asked->words[1],
                   DRAIN_SECONDS_MAX);
        return;
    }
    /* Other nodes take the matches while they run: there is nothing to wait for. */
    bool others = store_stats(server->store).nodes > 1;
    if (others)
        seconds = 0;
    if (server->closing_timer == NULL)
        server->closing_timer = net_timer_open(server->loop, check_drain, server);
    if (server->closing_timer == NULL) {
        reply_line(asked, "no: out of memory for a timer");
        return;
    }
    server->closing = true;
    server->closes_ms = net_now_ms(server->loop) + seconds * 1000;
    net_timer_start(server->closing_timer, LOOK_MS);
    server_log(server, LOG_INFO,
               "draining: no new matches; %u in progress; shutdown in %u s at the latest",
               running(server), (unsigned)seconds);
    if (others)
        reply_line(asked,
                   "ok draining: other nodes go on with the matches in progress (%u), this "
                   "one shuts down now",
                   running(server));
    else
        reply_line(asked,
                   "ok draining: %u matches in progress; shutdown in %u seconds at the latest",
                   running(server), (unsigned)seconds);
}

/* --- Commands --------------------------------------------------------------------------------- */

/* Lists all matches. */
static void answer_list(AdminCommand *asked) { answer_text(asked, write_list); }

/* Lists all connections. */
static void answer_people(AdminCommand *asked) { answer_text(asked, write_people); }

/* Lists all bans. */
static void answer_bans(AdminCommand *asked) { answer_text(asked, write_bans); }

/* Lists all limits that can be changed. */
static void answer_show_limits(AdminCommand *asked) { answer_text(asked, limits_write); }

/* Changes one limit. */
static void answer_set_limit(AdminCommand *asked) {
    char memory[OUTCOME_BYTES];
    MashText text = text_over(memory, sizeof memory);
    if (limits_set(asked->server, asked->words[1], asked->words[2], &text))
        reply_line(asked, "ok %s is %s until the server restarts", asked->words[1],
                   asked->words[2]);
    else
        reply_line(asked, "no: %s", memory);
}

/* Removes finished matches that ended more than that many days ago. */
static void answer_prune(AdminCommand *asked) {
    Server *server = asked->server;
    char *end;
    unsigned long days = strtoul(asked->words[1], &end, 10);
    uint64_t now_ms = net_wall_clock_ms(server->loop), age_ms = days * (uint64_t)DAY_SECONDS * 1000;
    if (!isdigit((unsigned char)asked->words[1][0]) || *end != '\0' || days > DAYS_MAX) {
        reply_line(asked, "no: \"%s\" must be a number of days up to %d", asked->words[1],
                   DAYS_MAX);
        return;
    }
    StorePrune what = {.before_ms = now_ms > age_ms ? now_ms - age_ms : 0};
    if (what.before_ms > 0)
        store_prune(server->store, &what);
    server_poll_store(server);
    reply_line(asked, "ok finished matches that ended more than %u days ago are being removed",
               (unsigned)days);
}

/* Lists all tournaments with their players. */
static void answer_tournaments(AdminCommand *asked) { answer_text(asked, contest_admin_list); }

/* Starts, pauses, ends a tournament; removes or replaces a player; adjusts points or a result. */
static void answer_tournament(AdminCommand *asked) {
    char memory[OUTCOME_BYTES];
    MashText text = text_over(memory, sizeof memory);
    contest_admin_order(asked->server, asked->words[1], asked->words[2], rest_of(asked, 3), &text);
    reply_line(asked, "%s", memory);
}

/* Reloads the files of settings and bans. */
static void answer_reload(AdminCommand *asked) {
    server_reload(asked->server);
    reply_line(asked, "ok settings and bans were reloaded; problems are in the log");
}

/* What players have reported: number, match, when, who, why; of closed ones also what was done. */
static void answer_reports(AdminCommand *asked) {
    enum { REPORT_BYTES = 1024 };
    StoreReport *list = calloc(STORE_REPORTS_MAX, sizeof *list);
    char *memory = malloc((size_t)STORE_REPORTS_MAX * REPORT_BYTES);
    uint32_t count = 0;
    bool closed = asked->count > 1 && strcmp(asked->words[1], "closed") == 0;
    if (list == NULL || memory == NULL ||
        store_report_list(asked->server->store, closed, list, &count) != STORE_OK) {
        reply_line(asked, "no: the store does not answer now");
        free(list);
        free(memory);
        return;
    }
    MashText text = text_over(memory, STORE_REPORTS_MAX * REPORT_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        char code[PROTO_CODE_MAX + 1];
        table_code_encode(list[i].match & (((uint64_t)1 << 5 * PROTO_CODE_DIGITS) - 1), code);
        text_int(&text, (int64_t)list[i].id);
        text_format(&text, " %s ", code);
        log_write_date(&text, list[i].made_ms);
        text_format(&text, " %s: %s", list[i].name[0] == '\0' ? "(guest)" : list[i].name,
                    list[i].reason);
        if (list[i].note[0] != '\0')
            text_format(&text, " -> %s", list[i].note);
        text_byte(&text, '\n');
    }
    answer_bytes(asked, text.bytes, text.count);
    free(list);
    free(memory);
}

/* Closes a report with what was done about it. */
static void answer_close_report(AdminCommand *asked) {
    char *end;
    uint64_t id = strtoull(asked->words[1], &end, 10), now_ms;
    now_ms = net_wall_clock_ms(asked->server->loop);
    StoreStatus status =
        *end != '\0' ? STORE_UNKNOWN
                     : store_report_close(asked->server->store, id, rest_of(asked, 2), now_ms);
    if (status == STORE_OK)
        reply_line(asked, "ok report %s is closed", asked->words[1]);
    else
        reply_line(asked, "no: %s",
                   status == STORE_UNKNOWN ? "there is no such report"
                                           : "the store does not answer now");
}

/* All commands: the name, the least and the most words, whether it changes anything, and its
 * function. */
static const struct {
    const char *word;
    uint32_t least, most;
    bool changes;
    void (*answer)(AdminCommand *asked);
} questions[] = {{"list", 1, 1, false, answer_list},
                 {"people", 1, 1, false, answer_people},
                 {"end", 3, 3, true, answer_end},
                 {"end-all", 2, 2, true, answer_end_all},
                 {"export", 2, 2, false, answer_export},
                 {"kick", 2, WORDS_MAX, true, answer_kick},
                 {"ban", 2, WORDS_MAX, true, answer_ban},
                 {"unban", 2, 2, true, answer_unban},
                 {"mute", 2, WORDS_MAX, true, answer_mute},
                 {"unmute", 2, 2, true, answer_unmute},
                 {"bans", 1, 1, false, answer_bans},
                 {"limits", 1, 1, false, answer_show_limits},
                 {"limits", 3, 3, true, answer_set_limit},
                 {"reload", 1, 1, true, answer_reload},
                 {"prune", 2, 2, true, answer_prune},
                 {"drain", 2, 2, true, answer_drain},
                 {"tournaments", 1, 1, false, answer_tournaments},
                 {"tournament", 3, WORDS_MAX, true, answer_tournament},
                 {"reports", 1, 2, false, answer_reports},
                 {"report-close", 3, WORDS_MAX, true, answer_close_report}};

/* Appends a command to the audit file: when, by whom, what, and its result. */
static void audit(const AdminCommand *asked, const char *who, const char *line) {
    const Server *server = asked->server;
    char path[PATH_BYTES], memory[PATH_BYTES + OUTCOME_BYTES];
    MashText text = text_over(memory, sizeof memory);
    if (server->setup.folder == NULL || !path_in(server, "audit.log", path))
        return;
    log_write_date(&text, net_wall_clock_ms(server->loop));
    text_format(&text, " %s: %s -> %s\n", who, line, asked->outcome);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0 || write(file, text.bytes, text.count) != (ssize_t)text.count)
        server_log(server, LOG_WARNING, "%s cannot be written", path);
    if (file >= 0)
        close(file);
}

/* Splits the line into words; beyond WORDS_MAX the rest stays in the last one. */
static void split(AdminCommand *asked, char *copy, const char *line) {
    char *rest = copy;
    for (char *word; asked->count < WORDS_MAX && (word = strtok_r(rest, " \t\r", &rest)) != NULL;
         asked->count++) {
        asked->words[asked->count] = word;
        asked->rests[asked->count] = line + (word - copy);
    }
}

/* Runs a known command. False: it is unknown. */
static bool answer_question(AdminCommand *asked, const char *who, const char *line) {
    for (uint32_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if (asked->count < questions[i].least || asked->count > questions[i].most ||
            strcmp(asked->words[0], questions[i].word) != 0)
            continue;
        questions[i].answer(asked);
        if (questions[i].changes)
            audit(asked, who, line);
        return true;
    }
    return false;
}

void admin_answer(Server *server, const char *line, NetAdminReply *answer) {
    char copy[PATH_BYTES], who[64] = "operator";
    AdminCommand asked = {.server = server, .answer = answer};
    if (line[0] == '@') {
        size_t length = strcspn(line + 1, " \t\r");
        MashText name = text_over(who, sizeof who);
        text_bytes(&name, line + 1, (uint32_t)length);
        session_sanitize(who);
        line += 1 + length;
        line += strspn(line, " \t");
    }
    MashText text = text_over(copy, sizeof copy);
    text_string(&text, line);
    split(&asked, copy, line);
    if (!answer_question(&asked, who, line))
        reply_line(&asked, "no: unknown command: %s", line);
}

/* A command line arrived at the admin socket. */
static void on_admin_line(void *owner, const char *line, NetAdminReply *answer) {
    admin_answer(owner, line, answer);
}

void admin_reload(Server *server) {
    if (server->setup.folder != NULL)
        load_bans(server);
}

void admin_open(Server *server) {
    char path[PATH_BYTES], memory[256];
    MashText problem = text_over(memory, sizeof memory);
    if (server->setup.folder == NULL)
        return;
    load_bans(server);
    admin_take_shared(server);
    if (!path_in(server, "admin.sock", path))
        return;
    server->admin_socket =
        net_admin_socket_open(server->loop, path, on_admin_line, server, &problem);
    if (server->admin_socket == NULL)
        server_log(server, LOG_WARNING, "admin socket unavailable: %s", memory);
}

void admin_close(Server *server) {
    net_admin_socket_close(server->admin_socket);
    net_timer_close(server->closing_timer);
    bans_release(&server->bans);
}
