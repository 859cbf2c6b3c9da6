/* sharing.c -- see sharing.h. */
#define _POSIX_C_SOURCE 200809L
#include "server/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "match/file.h"
#include "match/svg.h"
#include "server/actions.h"
#include "server/days.h"
#include "server/http_api.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/records.h"

/* Limits of what is replayed for a picture, of one that is drawn, and of texts of a preview. */
enum {
    SHARED_FILE_MAX = 8 << 20,
    SHARED_ACTIONS_MAX = 20000,
    PICTURE_BYTES_LEAST = 1 << 15,
    PICTURE_BYTES_MAX = 4 << 20,
    WORDS_BYTES = 256,
    ETAG_BYTES = 64,
    AT_DIGITS_MAX = 9,
    BASE_BYTES = 300,
    PREVIEW_BYTES = 8192,
    REASON_BYTES = 256,
};

/* A picture runs nothing and loads nothing, also when it is opened by itself. */
static const char picture_headers[] =
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
    "frame-ancestors 'none'\r\n";
/* Only here other pages may show this one in a frame. */
static const char embed_headers[] =
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri "
    "'none'; form-action 'none'; frame-ancestors *\r\n";
static const char svg_type[] = "image/svg+xml; charset=utf-8";
static const char html_type[] = "text/html; charset=utf-8";
/* A finished match changes no more, but the name of a player who deletes the account goes. */
static const char for_a_while[] = "public, max-age=3600";

/* --- In the thread: a finished match ---------------------------------------------------------- */

/* A match file that is replayed. */
typedef struct SharedMatch {
    MatchFile file;
    Match match;
    void *file_memory, *match_memory, *board_memory, *scratch;
    MashContent *content;
} SharedMatch;

/* Frees it. */
static void shared_release(SharedMatch *shared) {
    free(shared->file_memory);
    free(shared->match_memory);
    free(shared->board_memory);
    free(shared->scratch);
    free(shared->content);
}

/* Memory, zeroed, aligned to 64; NULL: there is none. */
static void *zeroed(size_t bytes) {
    size_t rounded = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory != NULL)
        memset(memory, 0, rounded);
    return memory;
}

/* Loads the content that the file was played with. */
static bool shared_load(SharedMatch *shared, MashProblems *problems) {
    const MashGame *game = shared->file.game;
    shared->scratch = zeroed(MASH_SCRATCH_BYTES);
    shared->content = zeroed(game->content_bytes_max);
    MashDocuments documents = {shared->file.documents, shared->file.documents_count,
                               shared->scratch, MASH_SCRATCH_BYTES};
    if (shared->scratch == NULL || shared->content == NULL ||
        !game->load(&documents, shared->content, problems) ||
        match_bytes(shared->content) > OWN_MATCH_BYTES_MAX)
        return false;
    shared->match_memory = zeroed(match_bytes(shared->content));
    shared->board_memory = zeroed(mash_board_bytes(shared->content));
    return shared->match_memory != NULL && shared->board_memory != NULL;
}

/* Replays the file; false: it cannot be shown. */
static bool shared_open(SharedMatch *shared, const char *bytes, size_t count) {
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    if (count > SHARED_FILE_MAX)
        return false;
    size_t file_bytes = match_file_bytes((uint32_t)count);
    shared->file_memory = zeroed(file_bytes);
    return shared->file_memory != NULL &&
           match_file_open(&shared->file, "match", bytes, (uint32_t)count, shared->file_memory,
                           file_bytes, &problems) &&
           shared->file.actions_count <= SHARED_ACTIONS_MAX && shared_load(shared, &problems) &&
           match_file_replay(&shared->file, shared->content, shared->match_memory, &shared->match,
                             &problems);
}

/* What is drawn of it now. */
static SvgPicture shared_picture(const SharedMatch *shared, MashBoard *board, uint32_t count) {
    *board = mash_board_over(shared->content, shared->board_memory);
    shared->content->game->show(shared->content, shared->match.state, board);
    return (SvgPicture){.content = shared->content,
                        .view = shared->match.state,
                        .board = board,
                        .players = {shared->file.players[0], shared->file.players[1]},
                        .events = shared->match.events.list,
                        .events_count = shared->match.events.count,
                        .reader = MASH_SEAT_SPECTATOR,
                        .everything = true,
                        .number = shared->match.actions_count,
                        .count = count};
}

/* Puts a sentence or a preview in place of the file. */
static void put_answer(Ask *ask, uint16_t status, const char *bytes, size_t count) {
    free(ask->file);
    ask->file = malloc(count + 1);
    ask->count = ask->file == NULL ? 0 : count;
    ask->drawn = status;
    if (ask->file != NULL)
        memcpy(ask->file, bytes, count);
}

/* Draws the picture after action ask->at in place of the file. */
static void draw_shared(Ask *ask, SharedMatch *shared) {
    char why[REASON_BYTES];
    MashText reason = text_over(why, sizeof why);
    uint32_t count = shared->match.actions_count;
    if (ask->at != UINT64_MAX && ask->at > count) {
        text_format(&reason, "\"at\": the match has only %u actions\n", count);
        put_answer(ask, 404, why, reason.count);
        return;
    }
    if (ask->at != UINT64_MAX)
        match_rewind(&shared->match, (uint32_t)ask->at);
    MashBoard board;
    SvgPicture picture = shared_picture(shared, &board, count);
    put_answer(ask, 500, "out of memory for the picture\n", 30);
    for (uint32_t bytes = PICTURE_BYTES_LEAST; bytes <= PICTURE_BYTES_MAX; bytes *= 2) {
        char *memory = malloc(bytes);
        if (memory == NULL)
            return;
        MashText text = text_over(memory, bytes);
        svg_write(&picture, &text);
        if (!text.truncated) {
            free(ask->file);
            ask->file = memory;
            ask->count = text.count;
            ask->drawn = 200;
            return;
        }
        free(memory);
    }
}

/* Two lines of a preview, the title and what else there is to say; not escaped. */
static void write_preview_words(const SvgPicture *picture, MashText *title, MashText *more) {
    svg_players(picture, title);
    text_format(more, "%s: ", picture->content->game->title);
    svg_standing(picture, more);
}

/* Puts title, NUL, what else there is to say, NUL in place of the file. */
static void describe_shared(Ask *ask, SharedMatch *shared) {
    char words[2][WORDS_BYTES] = {{0}};
    MashText title = text_over(words[0], WORDS_BYTES), more = text_over(words[1], WORDS_BYTES);
    MashBoard board;
    SvgPicture picture = shared_picture(shared, &board, shared->match.actions_count);
    write_preview_words(&picture, &title, &more);
    put_answer(ask, 200, words[0], sizeof words);
}

void sharing_work(Ask *ask) {
    static const char other[] =
        "the match is too long for a picture, or was played by other rules or files\n";
    SharedMatch shared = {.content = NULL};
    if (!shared_open(&shared, ask->file, ask->count))
        put_answer(ask, 404, other, sizeof other - 1);
    else if (ask->kind == ASK_PREVIEW)
        describe_shared(ask, &shared);
    else
        draw_shared(ask, &shared);
    shared_release(&shared);
}

/* --- In the loop: pictures -------------------------------------------------------------------- */

/* The client has what the etag stands for. */
static void reply_known(NetReply *reply, const char *cache, const char *etag) {
    NetAnswer answer = {304, svg_type, cache, etag, picture_headers};
    net_reply_with(reply, &answer, "", 0);
}

/* A running table and what is drawn of it. */
typedef struct RunningPicture {
    SvgPicture picture;
    MashBoard board;
} RunningPicture;

/* Whose view of a running match anybody may have. */
static uint8_t public_viewer(const Table *table) {
    return table->config.open_to_spectators ? SEAT_BLIND_WATCHER : MASH_SEAT_SPECTATOR;
}

/* Takes what spectators see. False: no memory. */
static bool running_take(Table *table, RunningPicture *running) {
    const MashContent *content = table->match.content;
    void *memory = scratch_take(&table->server->position, mash_board_bytes(content));
    if (memory == NULL)
        return false;
    memset(memory, 0, mash_board_bytes(content));
    uint8_t viewer = public_viewer(table);
    running->board = mash_board_over(content, memory);
    running->picture = (SvgPicture){.content = content,
                                    .view = positions_view(table, viewer),
                                    .board = &running->board,
                                    .players = {table->chairs[0].name, table->chairs[1].name},
                                    .events = table->match.events.list,
                                    .events_count = table->match.events.count,
                                    .reader = MASH_SEAT_SPECTATOR};
    content->game->show(content, running->picture.view, &running->board);
    return true;
}

/* Writes the picture of a running table. */
static void write_running(void *what, MashText *text) {
    const RunningPicture *running = what;
    svg_write(&running->picture, text);
}

/* The picture of a running match; the client asks again each time. */
static void answer_running(Table *table, const NetRequest *request, NetReply *reply) {
    char bytes[ETAG_BYTES];
    MashText etag = text_over(bytes, sizeof bytes), text;
    RunningPicture running;
    text_format(&etag, "%s-now-%u", table->code, *positions_number(table, public_viewer(table)));
    NetAnswer answer = {200, svg_type, "no-cache", bytes, picture_headers};
    if (net_request_knows(request, bytes))
        reply_known(reply, "no-cache", bytes);
    else if (running_take(table, &running) &&
             server_write_text(table->server, &text, write_running, &running))
        net_reply_with(reply, &answer, text.bytes, text.count);
    else
        http_api_text(reply, 500, "out of memory for the picture\n");
}

/* A match over days that rested is open now, or it is known that there is none. */
static void answer_resting(Server *server, uint64_t number, void *reply) {
    static const NetRequest anybody = {.if_none_match = NULL};
    Table *table = lobby_find(server, number);
    if (table != NULL && table_is_running(table))
        answer_running(table, &anybody, reply);
    else
        http_api_unknown(reply, STORE_UNKNOWN);
}

/* The thread has drawn a finished match, or another node has the match. */
static void answer_drawn(Ask *ask) {
    char etag[16 + 1] = "";
    MashText text = text_over(etag, sizeof etag);
    NetRequest request = {.if_none_match = ask->tags[0] == '\0' ? NULL : ask->tags};
    NetAnswer answer = {200, svg_type, for_a_while, etag, picture_headers};
    if (ask->drawn == 200 && ask->file != NULL)
        text_hex(&text, hash_bytes(1, ask->file, (uint32_t)ask->count), 16);
    if (ask->status == STORE_UNKNOWN && ask->where == STORE_OK)
        http_api_elsewhere(ask, "/picture/", ".svg");
    else if (ask->status == STORE_UNKNOWN && ask->at == UINT64_MAX &&
             days_visit(ask->server, ask->match, answer_resting, ask->reply))
        return;
    else if (ask->status != STORE_OK)
        http_api_unknown(ask->reply, ask->status);
    else if (ask->drawn == 200 && ask->file != NULL && net_request_knows(&request, etag))
        reply_known(ask->reply, for_a_while, etag);
    else if (ask->drawn == 200 && ask->file != NULL)
        net_reply_with(ask->reply, &answer, ask->file, (uint32_t)ask->count);
    else if (ask->file != NULL)
        net_reply(ask->reply, ask->drawn, NULL, ask->file, (uint32_t)ask->count);
    else
        http_api_text(ask->reply, 500, "out of memory for the picture\n");
}

/* Has the store made everything durable that the table shows? */
static bool is_durable(const Table *table) {
    return table->queued == 0 && table->ticket <= table->server->durable_ticket;
}

/* Has a finished match drawn or described in the thread: from its table if it is still there.
 * NULL: it was answered. */
static Ask *ask_shared(Server *server, const NetRequest *request, Table *table, const Ask *question,
                       NetReply *reply) {
    Ask asked = *question;
    uint32_t count = 0;
    asked.node = http_api_number(request->query, "node");
    if (table != NULL) {
        asked.file = records_match_file(table, &count);
        asked.count = count;
    }
    if (table != NULL && asked.file == NULL) {
        http_api_text(reply, 500, "out of memory for the match\n");
        return NULL;
    }
    Ask *ask = http_api_ask(server, request, &asked, reply);
    if (ask == NULL)
        free(asked.file);
    return ask;
}

/* Reads `at`. False: it is not a number. */
static bool read_at(const char *query, uint64_t *at) {
    char value[ASK_TEXT_BYTES];
    *at = UINT64_MAX;
    if (http_api_value(query, "at", value) == NULL)
        return true;
    size_t digits = strspn(value, "0123456789");
    *at = http_api_number(query, "at");
    return digits > 0 && digits <= AT_DIGITS_MAX && value[digits] == '\0';
}

/* The code before an ending. False: there is none. */
static bool read_code(const char *path, const char *ending, uint64_t *number) {
    char bytes[PROTO_CODE_MAX + 1];
    MashText code = text_over(bytes, sizeof bytes);
    size_t length = strlen(path), less = strlen(ending);
    if (length <= less || strcmp(path + length - less, ending) != 0)
        return false;
    text_bytes(&code, path, (uint32_t)(length - less));
    return !code.truncated && table_code_decode(bytes, number);
}

/* May this address have one more picture or preview? If not, the reply says why. */
static bool may_draw(Server *server, const NetRequest *request, NetReply *reply) {
    char why[REASON_BYTES];
    MashText reason = text_over(why, sizeof why);
    bool may = budget_may_draw(server, request->address, &reason);
    text_byte(&reason, '\n');
    if (!may)
        http_api_text(reply, 429, why);
    return may;
}

void sharing_picture(Server *server, const NetRequest *request, const char *path, NetReply *reply) {
    Ask question = {.kind = ASK_PICTURE, .answer = answer_drawn};
    if (!read_code(path, ".svg", &question.match)) {
        http_api_text(reply, 404, "a picture's address is /picture/CODE.svg\n");
        return;
    }
    if (!read_at(request->query, &question.at)) {
        http_api_text(reply, 400, "\"at\" must be the number of an action, 0 or more\n");
        return;
    }
    if (!may_draw(server, request, reply))
        return;
    Table *table = lobby_find(server, question.match);
    if (table != NULL && table->state == PROTO_STATE_WAITING)
        http_api_text(reply, 404, "the match has not begun\n");
    else if (table != NULL && !is_durable(table))
        http_api_text(reply, 503, "the last action is being saved; try again\n");
    else if (table != NULL && table->state == PROTO_STATE_RUNNING && question.at != UINT64_MAX)
        http_api_text(reply, 400, "\"at\" is for finished matches; this one is in progress\n");
    else if (table != NULL && table->state == PROTO_STATE_RUNNING)
        answer_running(table, request, reply);
    else
        ask_shared(server, request, table, &question, reply);
}

/* --- In the loop: previews -------------------------------------------------------------------- */

/* What a preview is made of. */
typedef struct LinkPreview {
    const char *base; /* of addresses: https://host */
    const char *code, *title, *more;
    bool waits;   /* the match has not begun: the link is an invitation */
    bool picture; /* there is a picture */
} LinkPreview;

/* One tag of a preview. */
static void put_tag(MashText *text, const char *name, const char *value) {
    text_format(text, "<meta property=\"%s\" content=\"", name);
    svg_escape(text, value);
    text_string(text, "\">\n");
}

/* A small page: crawlers read its tags, browsers go on to the match. */
static void write_preview(const LinkPreview *preview, MashText *text) {
    char url[BASE_BYTES + 64], place[64];
    MashText address = text_over(url, sizeof url), link = text_over(place, sizeof place);
    text_format(&link, "/#/%s/%s", preview->waits ? "join" : "table", preview->code);
    text_string(text, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n<title>");
    svg_escape(text, preview->title);
    text_string(text, " \xc2\xb7 Mashup</title>\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n"
                      "<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n");
    put_tag(text, "og:site_name", "Mashup");
    put_tag(text, "og:type", "website");
    put_tag(text, "og:title", preview->title);
    put_tag(text, "og:description", preview->more);
    text_format(&address, "%s/m/%s", preview->base, preview->code);
    put_tag(text, "og:url", url);
    text_clear(&address);
    text_format(&address, "%s/icon-512.png", preview->base);
    put_tag(text, "og:image", url);
    text_format(text,
                "<meta name=\"twitter:card\" content=\"summary\">\n"
                "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<h1>",
                place);
    svg_escape(text, preview->title);
    text_string(text, "</h1>\n<p>");
    svg_escape(text, preview->more);
    text_format(text, "</p>\n<p><a href=\"%s\">Open in Mashup</a></p>\n", place);
    if (preview->picture)
        text_format(text, "<p><img src=\"/picture/%s.svg\" alt=\"\"></p>\n", preview->code);
    text_string(text, "</html>\n");
}

/* Answers with it. */
static void reply_preview(const LinkPreview *preview, NetReply *reply) {
    char bytes[PREVIEW_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    write_preview(preview, &text);
    NetAnswer answer = {.status = 200, .type = html_type, .cache = "no-cache"};
    net_reply_with(reply, &answer, text.bytes, text.count);
}

/* The thread has read a finished match, or another node has the match. One that cannot be replayed
 * here is a match all the same. */
static void answer_preview(Ask *ask) {
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(ask->match, code);
    bool known = ask->drawn == 200 && ask->file != NULL;
    LinkPreview preview = {.base = ask->config == NULL ? "" : ask->config,
                           .code = code,
                           .title = known ? ask->file : "A match",
                           .more = known ? ask->file + WORDS_BYTES : "A match of Mashup.",
                           .picture = known};
    if (ask->status == STORE_UNKNOWN && ask->where == STORE_OK)
        http_api_elsewhere(ask, "/m/", "");
    else if (ask->status == STORE_UNKNOWN)
        http_api_no_match(ask->reply);
    else if (ask->status != STORE_OK)
        http_api_unknown(ask->reply, ask->status);
    else
        reply_preview(&preview, ask->reply);
}

/* The preview of a table that waits or runs. */
static void answer_open(Table *table, const char *base, NetReply *reply) {
    char words[2][WORDS_BYTES];
    MashText title = text_over(words[0], WORDS_BYTES), more = text_over(words[1], WORDS_BYTES);
    const MashGame *game = table->config.content->content->game;
    bool waits = table->state == PROTO_STATE_WAITING;
    RunningPicture running;
    if (waits)
        text_format(&title, "A match of %s", game->title);
    else if (running_take(table, &running))
        write_preview_words(&running.picture, &title, &more);
    for (uint32_t seat = 0; seat < MASH_SEATS && waits; seat++)
        if (table->chairs[seat].name[0] != '\0')
            text_format(&more, "%s is waiting for an opponent.", table->chairs[seat].name);
    LinkPreview preview = {base, table->code, words[0], words[1], waits, !waits};
    reply_preview(&preview, reply);
}

/* The beginning of this server's addresses, as the client sees them: a proxy does TLS. */
static void write_base(const Server *server, const NetRequest *request, MashText *text) {
    text_format(text, "%s%s", server->setup.behind_proxy ? "https://" : "http://", request->host);
}

void sharing_preview(Server *server, const NetRequest *request, const char *path, NetReply *reply) {
    char bytes[BASE_BYTES];
    MashText base = text_over(bytes, sizeof bytes);
    Ask question = {.kind = ASK_PREVIEW, .answer = answer_preview};
    write_base(server, request, &base);
    if (!read_code(path, "", &question.match)) {
        http_api_no_match(reply);
        return;
    }
    if (!may_draw(server, request, reply))
        return;
    Table *table = lobby_find(server, question.match);
    if (table != NULL && !is_durable(table))
        http_api_text(reply, 503, "the last action is being saved; try again\n");
    else if (table != NULL && table->state != PROTO_STATE_OVER) {
        answer_open(table, bytes, reply);
    } else {
        Ask *ask = ask_shared(server, request, table, &question, reply);
        if (ask != NULL)
            ask->config = strdup(bytes);
    }
}

/* --- Frames in other pages -------------------------------------------------------------------- */

void sharing_embed(Server *server, const char *path, NetReply *reply) {
    uint64_t number;
    if (!read_code(path, "", &number)) {
        http_api_no_match(reply);
        return;
    }
    for (uint32_t i = 0; i < server->setup.files_count; i++)
        if (strcmp(server->setup.files[i].path, "/") == 0) {
            NetFile page = server->setup.files[i];
            page.headers = embed_headers;
            net_reply_file(reply, &page);
            return;
        }
    http_api_text(reply, 404, "this server has no page\n");
}
