/* contest_send.c -- see contest.h: server messages about contests, each behind the record that it
 * tells of. */
#include <stdlib.h>
#include <string.h>

#include "server/arena.h"
#include "server/contest.h"
#include "server/internal.h"
#include "server/records.h"
#include "tournament/standings.h"

/* The most lines of a page, and of standings and boards in `tournament`. */
enum { PAGE_LINES = 200, TOP_LINES = 20, LISTED_MAX = 200 };

/* --- The queue -------------------------------------------------------------------------------- */

/* A message that waits until its record is durable. */
struct ContestFrame {
    ContestFrame *next;
    Contest *contest;
    Session *session; /* NULL: for all who watch */
    NetFrame *frame;
    uint64_t ticket;
};

/* Sends it. */
static void deliver(const ContestFrame *post) {
    if (post->session != NULL) {
        net_send(post->session->connection, post->frame);
        return;
    }
    for (Session *session = post->contest->watchers; session != NULL; session = session->fellow)
        net_send(session->connection, post->frame);
}

void contest_post(Contest *contest, Session *session, NetFrame *frame) {
    Server *server = contest->server;
    ContestFrame post = {NULL, contest, session, frame, contest->ticket};
    if (frame == NULL) {
        if (session != NULL)
            session_fault(session);
        return;
    }
    if (server->contest_first == NULL && contest->ticket <= server->durable_ticket &&
        store_may_tell(server->store)) {
        deliver(&post);
        net_frame_release(frame);
        return;
    }
    ContestFrame *waiting = malloc(sizeof *waiting);
    if (waiting == NULL) {
        server_log(server, LOG_ERROR, "out of memory for a message of tournament %s",
                   contest->code);
        net_frame_release(frame);
        return;
    }
    *waiting = post;
    *(server->contest_first != NULL ? &server->contest_last->next : &server->contest_first) =
        waiting;
    server->contest_last = waiting;
}

void contest_flush(Server *server) {
    if (server->contest_first == NULL || !store_may_tell(server->store))
        return;
    while (server->contest_first != NULL &&
           server->contest_first->ticket <= server->durable_ticket) {
        ContestFrame *post = server->contest_first;
        server->contest_first = post->next;
        deliver(post);
        net_frame_release(post->frame);
        free(post);
    }
}

void contest_drop_posts(Server *server, const Session *session, const Contest *contest) {
    ContestFrame **link = &server->contest_first;
    while (*link != NULL) {
        ContestFrame *post = *link;
        if ((session != NULL && post->session == session) || post->contest == contest) {
            *link = post->next;
            net_frame_release(post->frame);
            free(post);
        } else {
            server->contest_last = post;
            link = &post->next;
        }
    }
}

/* --- Parts ------------------------------------------------------------------------------------ */

/* A contest and its standings. */
typedef struct ContestText {
    const Contest *contest;
    const TournamentRow *rows;
    const TournamentRecord *records; /* of an arena: its streaks; NULL: none */
    uint8_t what;                    /* of a page: PROTO_SHEET_... */
    uint32_t from;
    RequestContext request;
} ContestText;

/* Seconds until a date, at least 0. */
static int64_t seconds_until(const Contest *contest, uint64_t date_ms) {
    uint64_t now_ms = net_wall_clock_ms(contest->server->loop);
    return date_ms > now_ms ? (int64_t)((date_ms - now_ms + 999) / 1000) : 0;
}

/* What is known of a contest at a glance. */
static void put_head(JsonWriter *writer, const Contest *contest) {
    const ContestConfig *config = &contest->config;
    const LoadedContent *content = config->table.content;
    uint32_t rounds = contest_rounds(contest);
    uint64_t ends_ms = contest_ends_ms(contest);
    json_put_pair(writer, "code", contest->code);
    json_put_pair(writer, "title", config->title);
    json_put_pair(writer, "kind", choice_id(PROTO_FORMATS_LIST, config->format));
    json_put_pair(writer, "state", choice_id(PROTO_PHASES_LIST, contest->phase));
    json_put_pair(writer, "game", content->content->game->id);
    if (content->preset != NULL)
        json_put_pair(writer, "preset", content->preset->id);
    json_put_pair_int(writer, "turn_ms", config->table.clocks.turn_ms);
    json_put_pair_int(writer, "match_ms", config->table.clocks.match_ms);
    records_put_bank(writer, &config->table.clocks);
    json_put_pair_int(writer, "players", contest->players_count);
    json_put_pair_int(
        writer, "round",
        config->format == PROTO_FORMAT_ARENA || config->without_rounds ? 0 : contest->round);
    if (rounds > 0 && (contest->phase != PROTO_PHASE_WAITING || config->rounds > 0))
        json_put_pair_int(writer, "rounds", rounds);
    if (contest->phase == PROTO_PHASE_WAITING && config->starts_ms != 0)
        json_put_pair_int(writer, "starts_in", seconds_until(contest, config->starts_ms));
    if (ends_ms != 0 && contest->phase != PROTO_PHASE_OVER)
        json_put_pair_int(writer, "ends_in", seconds_until(contest, ends_ms));
}

/* A line of the standings. */
static void put_standing(JsonWriter *writer, const ContestText *text, uint32_t index) {
    const Contest *contest = text->contest;
    const TournamentRow *row = &text->rows[index];
    const Contestant *player = &contest->players[row->player];
    const Table *table = contest_table(contest, row->player);
    bool arena = contest->config.format == PROTO_FORMAT_ARENA;
    json_open(writer, '{');
    json_put_pair_int(writer, "player", row->player);
    json_put_pair(writer, "name", player->name);
    json_put_pair(writer, "role", choice_id(PROTO_ROLES_LIST, player->role));
    if (player->account)
        json_put_pair_bool(writer, "account", true);
    json_put_pair_int(writer, "rank", row->place);
    json_put_pair_int(writer, "points", (int64_t)row->points + player->extra);
    json_put_pair_int(writer, "played", row->played);
    json_put_pair_int(writer, "wins", row->wins);
    if (!arena) {
        json_put_pair_int(writer, "buchholz", row->buchholz);
        json_put_pair_int(writer, "sonneborn_berger", row->sonneborn_berger);
    }
    if (text->records != NULL)
        json_put_pair_int(writer, "streak", text->records[row->player].streak);
    json_put_pair_bool(writer, "here", player->session != NULL);
    if (player->away)
        json_put_pair_bool(writer, "away", true);
    if (player->removed)
        json_put_pair_bool(writer, "removed", true);
    if (table != NULL)
        json_put_pair(writer, "table", table->code);
    json_close(writer, '}');
}

/* A pairing. */
static void put_pairing(JsonWriter *writer, const Contest *contest, const ContestPair *pairing) {
    char code[PROTO_CODE_MAX + 1];
    bool rounds = contest->config.format != PROTO_FORMAT_ARENA && !contest->config.without_rounds;
    uint32_t players = pairing->players[1] == CONTEST_NONE ? 1 : 2;
    json_open(writer, '{');
    json_put_pair_int(writer, "round", rounds ? pairing->round + 1 : 0);
    json_open_list(writer, "players");
    for (uint32_t i = 0; i < players; i++)
        json_put_int(writer, pairing->players[i]);
    json_close(writer, ']');
    json_open_list(writer, "names");
    for (uint32_t i = 0; i < players; i++)
        json_put_string(writer, contest->players[pairing->players[i]].name);
    json_close(writer, ']');
    if (players == 2 && (pairing->score != CONTEST_OPEN || pairing->stage == PAIRING_BEGUN)) {
        table_code_encode(pairing->match, code);
        json_put_pair(writer, "table", code);
    }
    if (pairing->score != CONTEST_OPEN)
        json_put_pair(writer, "score", choice_id(PROTO_SCORES_LIST, pairing->score));
    if (pairing->forfeit)
        json_put_pair_bool(writer, "forfeit", true);
    json_close(writer, '}');
}

/* --- How it stands ---------------------------------------------------------------------------- */

/* The matches that run, those of the best players first. */
static void put_boards(JsonWriter *writer, const ContestText *text) {
    const Contest *contest = text->contest;
    uint32_t put = 0;
    json_open_list(writer, "boards");
    for (uint32_t i = 0; i < contest->players_count && put < TOP_LINES; i++) {
        uint32_t player = text->rows[i].player, index = contest->players[player].playing;
        if (index == CONTEST_NO_PAIRING || contest->pairings[index].stage != PAIRING_BEGUN)
            continue;
        const ContestPair *pairing = &contest->pairings[index];
        uint32_t other = pairing->players[pairing->players[0] == player], before = 0;
        while (before < i && text->rows[before].player != other)
            before++;
        if (before < i) /* listed with the opponent */
            continue;
        put_pairing(writer, contest, pairing);
        put++;
    }
    json_close(writer, ']');
}

/* How many players are connected, and how many matches run. */
static void put_counts(JsonWriter *writer, const Contest *contest) {
    uint32_t here = 0, playing = 0;
    for (uint32_t i = 0; i < contest->players_count; i++)
        here += contest->players[i].session != NULL;
    for (uint32_t i = contest->first_open; i < contest->pairings_count; i++)
        playing += contest->pairings[i].score == CONTEST_OPEN &&
                   contest->pairings[i].stage == PAIRING_BEGUN;
    json_put_pair_int(writer, "here", here);
    json_put_pair_int(writer, "playing", playing);
    json_put_pair_int(writer, "pairings", contest->pairings_count);
}

/* `tournament`. */
static void write_state(void *what, MashText *text) {
    const ContestText *state = what;
    const Contest *contest = state->contest;
    const ContestConfig *config = &contest->config;
    uint64_t now_ms = net_now_ms(contest->server->loop);
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "type", message_type(MESSAGE_SERVER_TOURNAMENT));
    put_head(&writer, contest);
    put_counts(&writer, contest);
    if (config->minutes > 0)
        json_put_pair_int(&writer, "minutes", config->minutes);
    json_put_pair_bool(&writer, "free", config->without_rounds);
    json_put_pair_bool(&writer, "pair", config->two_legs);
    json_put_pair_bool(&writer, "secret", config->table.unlisted);
    if (contest->rests_ms > now_ms && contest->open == 0 && config->format != PROTO_FORMAT_ARENA)
        json_put_pair_int(&writer, "next_in", (int64_t)(contest->rests_ms - now_ms));
    json_open_list(&writer, "standings");
    for (uint32_t i = 0; i < contest->players_count && i < TOP_LINES; i++)
        put_standing(&writer, state, i);
    json_close(&writer, ']');
    put_boards(&writer, state);
    json_close(&writer, '}');
}

/* Writes a text about a contest as a frame. */
static NetFrame *frame_of(const Contest *contest, ContestText *what,
                          void (*write)(void *what, MashText *text)) {
    TournamentRow *rows = contest_standings(contest);
    TournamentRecord *records = contest_records(contest);
    NetFrame *frame = NULL;
    MashText text;
    what->contest = contest;
    what->rows = rows;
    what->records = records;
    if (rows != NULL && server_write_text(contest->server, &text, write, what))
        frame = net_frame_new(contest->server->loop, text.bytes, text.count);
    free(rows);
    free(records);
    return frame;
}

void contest_send_state(Contest *contest, Session *session) {
    ContestText text = {0};
    if (session != NULL || contest->watchers != NULL)
        contest_post(contest, session, frame_of(contest, &text, write_state));
}

/* --- A player --------------------------------------------------------------------------------- */

/* The player's match, if one is ready, here or at another node. */
static void put_match(Message *message, const Contest *contest, uint32_t player) {
    SERVER_TOURNAMENT_YOU_FIELDS *you = &message->tournament_you;
    const Contestant *own = &contest->players[player];
    const ContestPair *pairing =
        own->playing == CONTEST_NO_PAIRING ? NULL : &contest->pairings[own->playing];
    const Table *table = contest_table(contest, player);
    bool ready = table == NULL ? pairing != NULL && pairing->elsewhere : table_is_running(table);
    if (!ready) {
        you->bye = (int32_t)own->bye;
        if (own->bye > 0 && own->bye == contest->round)
            message_set_present(message, "bye");
        return;
    }
    uint8_t seat = pairing->players[0] == player ? 0 : 1;
    table_code_encode(pairing->match, you->table);
    if (table == NULL)
        contest_seat_token(contest, pairing, seat, you->seat_token);
    else
        memcpy(you->seat_token, table->chairs[seat].token, sizeof you->seat_token);
    memcpy(you->opponent, contest->players[pairing->players[1 - seat]].name, sizeof you->opponent);
    you->round = (int32_t)pairing->round + 1;
    message_set_present(message, "table");
    message_set_present(message, "seat_token");
    message_set_present(message, "opponent");
    message_set_present(message, "round");
}

void contest_send_you(Contest *contest, Session *session) {
    Message message = message_new(MESSAGE_SERVER_TOURNAMENT_YOU);
    SERVER_TOURNAMENT_YOU_FIELDS *you = &message.tournament_you;
    uint32_t player = session->contestant;
    memcpy(you->code, contest->code, sizeof you->code);
    you->organiser = session->organises;
    memcpy(you->token, contest->config.token, sizeof you->token);
    if (player != CONTEST_NONE) {
        const Contestant *own = &contest->players[player];
        memcpy(you->token, own->token, sizeof you->token);
        you->player = (int32_t)player;
        you->away = !contest_is_in(own);
        message_set_present(&message, "player");
        message_set_present(&message, "away");
        put_match(&message, contest, player);
    }
    contest_post(contest, session, server_frame(contest->server, &message));
}

void contest_send_player(Contest *contest, uint32_t player) {
    for (Session *session = contest->watchers; session != NULL; session = session->fellow)
        if (session->contestant == player)
            contest_send_you(contest, session);
}

/* --- Pages and lists -------------------------------------------------------------------------- */

/* `tournament-page`. */
static void write_page(void *what, MashText *text) {
    const ContestText *page = what;
    const Contest *contest = page->contest;
    bool standings = page->what == PROTO_SHEET_STANDINGS;
    uint32_t count = standings ? contest->players_count : contest->pairings_count;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "type", message_type(MESSAGE_SERVER_TOURNAMENT_PAGE));
    json_put_pair(&writer, "code", contest->code);
    if (page->request.has_id)
        json_put_pair_int(&writer, "id", page->request.id);
    json_put_pair(&writer, "what", choice_id(PROTO_SHEETS_LIST, page->what));
    json_put_pair_int(&writer, "from", page->from);
    json_put_pair_int(&writer, "count", count);
    json_open_list(&writer, standings ? "standings" : "pairings");
    for (uint32_t i = page->from; i < count && i - page->from < PAGE_LINES; i++)
        if (standings)
            put_standing(&writer, page, i);
        else
            put_pairing(&writer, contest, &contest->pairings[i]);
    json_close(&writer, ']');
    json_close(&writer, '}');
}

void contest_send_page(Session *session, Contest *contest, uint8_t what, uint32_t from) {
    ContestText text = {.what = what, .from = from, .request = session->server->request};
    contest_post(contest, session, frame_of(contest, &text, write_page));
}

/* Everything about it, for the archive. */
static void write_file(void *what, MashText *text) {
    const ContestText *file = what;
    const Contest *contest = file->contest;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_pair_int(&writer, "mashup-tournament", 1);
    put_head(&writer, contest);
    json_open_list(&writer, "standings");
    for (uint32_t i = 0; i < contest->players_count; i++)
        put_standing(&writer, file, i);
    json_close(&writer, ']');
    json_open_list(&writer, "pairings");
    for (uint32_t i = 0; i < contest->pairings_count; i++)
        put_pairing(&writer, contest, &contest->pairings[i]);
    json_close(&writer, ']');
    json_close(&writer, '}');
    text_byte(text, '\n');
}

bool contest_write_file(Contest *contest, MashText *text) {
    TournamentRow *rows = contest_standings(contest);
    ContestText what = {.contest = contest, .rows = rows};
    bool written = rows != NULL && server_write_text(contest->server, text, write_file, &what);
    free(rows);
    return written;
}

void contest_write_line(const Contest *contest, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    text_format(text, "%s ", contest->code);
    json_open(&writer, '{');
    put_head(&writer, contest);
    json_close(&writer, '}');
    text_byte(text, '\n');
}

void contest_write_list(void *server, MashText *text) {
    static const uint8_t order[] = {PROTO_PHASE_RUNNING, PROTO_PHASE_PAUSED, PROTO_PHASE_WAITING,
                                    PROTO_PHASE_OVER};
    JsonWriter writer = json_writer(text, 0);
    uint32_t put = 0;
    json_open(&writer, '{');
    json_put_pair(&writer, "type", message_type(MESSAGE_SERVER_TOURNAMENTS));
    json_open_list(&writer, "tournaments");
    for (uint32_t i = 0; i < sizeof order; i++)
        for (const Contest *contest = ((const Server *)server)->contests; contest != NULL;
             contest = contest->next) {
            if (contest->phase != order[i] || contest->config.table.unlisted || put == LISTED_MAX)
                continue;
            json_open(&writer, '{');
            put_head(&writer, contest);
            json_close(&writer, '}');
            put++;
        }
    contest_put_others(&writer, server);
    json_close(&writer, ']');
    json_close(&writer, '}');
}
