/* player_api.c -- see player_api.h. The store is asked and the answer is written in the thread of
 * the reader, so that a long one costs the loop nothing. */
#include "server/player_api.h"

#include <stdlib.h>
#include <string.h>

#include "rating/glicko.h"
#include "server/http_api.h"
#include "server/internal.h"
#include "server/leavers.h"
#include "server/names.h"
#include "server/player_export.h"
#include "server/secrets.h"
#include "store/resting.h"

enum {
    LEADERS_MAX = 100,
    PAGE_MAX = 100,   /* matches of a page */
    POINTS_MAX = 500, /* of a curve */
    OPENINGS_MAX = 200,
    TURNS_MAX = 200,
    EXPORT_MAX = 100000,
    FIRST_BYTES = 64 << 10,
    OK = 200,
    NOT_FOUND = 404
};

static const char json_type[] = "application/json; charset=utf-8";

/* What is asked. */
typedef enum PlayerView {
    VIEW_PROFILE,
    VIEW_MATCHES,
    VIEW_RATINGS,
    VIEW_OPENINGS,
    VIEW_LEADERS,
    VIEW_EXPORT,
    VIEW_TURNS
} PlayerView;

/* A question on its way through the thread. */
typedef struct PlayerQuestion {
    Store *store;
    PlayerView view;
    uint64_t now_ms;
    char folded[NAME_FOLDED_BYTES];
    char game[ASK_TEXT_BYTES]; /* "": any */
    int32_t pace;              /* -1: any */
    bool programs, has_key;
    uint8_t key[STORE_HASH_BYTES]; /* of whoever asks */
    uint64_t after_ms, after;
    char tags[ASK_TAGS_BYTES]; /* If-None-Match; "": none, or a longer one */
    uint16_t status;           /* the answer's */
    StoreAccount account;
} PlayerQuestion;

/* --- Writing ---------------------------------------------------------------------------------- */

/* The code of a match. */
static void put_code(JsonWriter *writer, const char *key, uint64_t match) {
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(match & (((uint64_t)1 << 5 * PROTO_CODE_DIGITS) - 1), code);
    json_put_pair(writer, key, code);
}

/* A number of millionths in whole ones. */
static int64_t rounded(int64_t millionths) {
    int64_t half = millionths < 0 ? -GLICKO_POINT / 2 : GLICKO_POINT / 2;
    return (millionths + half) / GLICKO_POINT;
}

/* The members that profiles and leaderboards share. */
static void put_rating(JsonWriter *writer, const StoreRating *rating, uint64_t now_ms) {
    GlickoRating now = {rating->rating, rating->deviation, rating->volatility};
    now = glicko_wait(now, now_ms > rating->rated_ms ? now_ms - rating->rated_ms : 0);
    if (rating->rated > 0) {
        JSON_PUT_INTS(writer, {"rating", rounded(rating->rating)},
                      {"deviation", rounded(now.deviation)});
        json_put_pair_bool(writer, "provisional",
                           now.deviation > GLICKO_PROVISIONAL * GLICKO_POINT);
    }
    JSON_PUT_INTS(writer, {"rated", rating->rated}, {"wins", rating->wins},
                  {"draws", rating->draws}, {"losses", rating->losses}, {"streak", rating->streak},
                  {"best_streak", rating->best});
}

/* The ratings of the account. False: the store cannot answer. */
static bool put_ratings(JsonWriter *writer, PlayerQuestion *question) {
    StoreRating *list = calloc(STORE_RATINGS_MAX, sizeof *list);
    uint32_t count = 0;
    bool asked = list != NULL &&
                 store_ratings(question->store, question->account.id, list, &count) == STORE_OK;
    json_open_list(writer, "ratings");
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].pace >= PACE_COUNT)
            continue;
        json_open(writer, '{');
        json_put_pair(writer, "game", list[i].game);
        json_put_pair(writer, "pace", pace_id((RatingPace)list[i].pace));
        put_rating(writer, &list[i], question->now_ms);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    free(list);
    return asked;
}

/* Who the account is. */
static void put_account(JsonWriter *writer, const StoreAccount *account) {
    json_put_pair(writer, "name", account->name);
    json_put_pair_bool(writer, "program", account->program);
    json_put_pair_bool(writer, "private", account->is_private);
    json_put_pair_int(writer, "since_ms", (int64_t)account->made_ms);
}

/* How many matches the account has left lately. */
static bool put_left(JsonWriter *writer, const PlayerQuestion *question) {
    StoreLeft count;
    bool asked =
        leavers_read(question->store, question->account.id, question->now_ms, &count) == STORE_OK;
    json_put_pair_int(writer, "left", count.left);
    return asked;
}

/* A match of a history. */
static void put_match(JsonWriter *writer, const StorePlayed *played) {
    static const char *const results[] = {"lost", "drawn", "won"};
    json_open(writer, '{');
    put_code(writer, "code", played->match);
    json_put_pair(writer, "game", played->game);
    if (played->pace < PACE_COUNT)
        json_put_pair(writer, "pace", pace_id((RatingPace)played->pace));
    json_put_pair_int(writer, "ended_ms", (int64_t)played->ended_ms);
    json_put_pair_int(writer, "seat", played->seat);
    json_put_pair(writer, "result", results[played->result > 2 ? 1 : played->result]);
    json_put_pair_bool(writer, "rated", played->rated);
    if (played->rated)
        JSON_PUT_INTS(
            writer, {"weight", played->weight}, {"rating", rounded(played->rating)},
            {"change", rounded(played->rating) - rounded(played->rating - played->change)});
    if (played->opening[0] != '\0')
        json_put_pair(writer, "opening", played->opening);
    json_put_key(writer, "opponent");
    if (played->opponent[0] == '\0')
        json_put_null(writer);
    else
        json_put_bytes(writer, played->opponent, (uint32_t)strlen(played->opponent));
    json_put_pair_bool(writer, "opponent_account", played->opponent_has_account);
    json_close(writer, '}');
}

/* Up to `max` matches from a place on, page by page; the last one in *last. False: the store cannot
 * answer. */
static bool put_matches(JsonWriter *writer, const PlayerQuestion *question, uint32_t max,
                        StorePlayed *last, uint32_t *put) {
    StorePlayedFilter filter = {.account = question->account.id,
                                .game = question->game[0] == '\0' ? NULL : question->game,
                                .pace = question->pace,
                                .after_ms = question->after_ms,
                                .after = question->after};
    StorePlayed *page = calloc(PAGE_MAX, sizeof *page);
    uint32_t count = PAGE_MAX;
    bool asked = page != NULL;
    *put = 0;
    while (asked && count == PAGE_MAX && *put < max) {
        asked = store_played(question->store, &filter, page, PAGE_MAX, &count) == STORE_OK;
        for (uint32_t i = 0; asked && i < count; i++)
            put_match(writer, &page[i]);
        *put += count;
        if (asked && count > 0) {
            *last = page[count - 1];
            filter.after_ms = last->ended_ms;
            filter.after = last->match;
        }
    }
    free(page);
    return asked;
}

/* A page of matches, and where the next begins. */
static bool write_matches(JsonWriter *writer, const PlayerQuestion *question) {
    StorePlayed last;
    uint32_t count;
    json_open_list(writer, "matches");
    bool asked = put_matches(writer, question, PAGE_MAX, &last, &count);
    json_close(writer, ']');
    if (asked && count == PAGE_MAX) {
        json_put_key(writer, "last");
        json_open(writer, '{');
        json_put_pair_int(writer, "after_ms", (int64_t)last.ended_ms);
        put_code(writer, "after", last.match);
        json_close(writer, '}');
    }
    return asked;
}

/* The curve of a rating, the newest first. */
static bool write_points(JsonWriter *writer, const PlayerQuestion *question) {
    StorePlayedFilter filter = {.account = question->account.id,
                                .game = question->game,
                                .pace = question->pace,
                                .rated = true};
    StorePlayed *list = calloc(POINTS_MAX, sizeof *list);
    uint32_t count = 0;
    bool asked = list != NULL &&
                 store_played(question->store, &filter, list, POINTS_MAX, &count) == STORE_OK;
    json_open_list(writer, "points");
    for (uint32_t i = 0; asked && i < count; i++) {
        json_open(writer, '[');
        json_put_int(writer, (int64_t)list[i].ended_ms);
        json_put_int(writer, rounded(list[i].rating));
        json_close(writer, ']');
    }
    json_close(writer, ']');
    free(list);
    return asked;
}

/* How the last matches of a game were begun, and with what success. */
static bool write_openings(JsonWriter *writer, const PlayerQuestion *question) {
    StoreOpening *list = calloc(OPENINGS_MAX, sizeof *list);
    uint32_t count = 0;
    bool asked =
        list != NULL && store_openings(question->store, question->account.id, question->game, list,
                                       OPENINGS_MAX, &count) == STORE_OK;
    json_open_list(writer, "openings");
    for (uint32_t i = 0; asked && i < count; i++) {
        json_open(writer, '{');
        json_put_pair(writer, "opening", list[i].opening);
        JSON_PUT_INTS(writer, {"wins", list[i].wins}, {"draws", list[i].draws},
                      {"losses", list[i].losses});
        json_close(writer, '}');
    }
    json_close(writer, ']');
    free(list);
    return asked;
}

/* The best players. */
static bool write_leaders(JsonWriter *writer, const PlayerQuestion *question) {
    StoreRating *list = calloc(LEADERS_MAX, sizeof *list);
    uint32_t count = 0;
    bool asked =
        list != NULL &&
        store_leaders(question->store, question->game, (uint32_t)question->pace, question->programs,
                      question->now_ms, list, LEADERS_MAX, &count) == STORE_OK;
    json_put_pair(writer, "game", question->game);
    json_put_pair(writer, "pace", pace_id((RatingPace)question->pace));
    json_put_pair_bool(writer, "programs", question->programs);
    json_open_list(writer, "players");
    for (uint32_t i = 0; asked && i < count; i++) {
        json_open(writer, '{');
        json_put_pair_int(writer, "rank", i + 1);
        json_put_pair(writer, "name", list[i].name);
        put_rating(writer, &list[i], question->now_ms);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    free(list);
    return asked;
}

/* The keys of an account, without anything that helps to use them. */
static bool put_keys(JsonWriter *writer, const PlayerQuestion *question) {
    static const char *const kinds[] = {"device", "code", "recovery words"};
    StoreKey *keys = calloc(STORE_KEYS_MAX, sizeof *keys);
    uint32_t count = 0;
    bool asked = keys != NULL &&
                 store_key_list(question->store, question->account.id, keys, &count) == STORE_OK;
    json_open_list(writer, "keys");
    for (uint32_t i = 0; i < count; i++) {
        json_open(writer, '{');
        json_put_pair(writer, "kind", kinds[keys[i].kind > 2 ? 0 : keys[i].kind]);
        json_put_pair_int(writer, "made_ms", (int64_t)keys[i].made_ms);
        if (keys[i].expires_ms != 0)
            json_put_pair_int(writer, "expires_ms", (int64_t)keys[i].expires_ms);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    free(keys);
    return asked;
}

/* The matches over days of an account. */
static bool write_turns(JsonWriter *writer, const PlayerQuestion *question) {
    StoreTurn *list = calloc(TURNS_MAX, sizeof *list);
    uint32_t count = 0;
    bool asked = list != NULL && store_days_list(question->store, question->account.id, list,
                                                 TURNS_MAX, &count) == STORE_OK;
    json_open_list(writer, "turns");
    for (uint32_t i = 0; asked && i < count; i++) {
        json_open(writer, '{');
        put_code(writer, "code", list[i].match);
        json_put_pair(writer, "game", list[i].game);
        JSON_PUT_INTS(writer, {"days", list[i].days}, {"seat", list[i].seat});
        json_put_key(writer, "opponent");
        if (list[i].opponent[0] == '\0')
            json_put_null(writer);
        else
            json_put_bytes(writer, list[i].opponent, (uint32_t)strlen(list[i].opponent));
        json_put_pair_bool(writer, "yours", list[i].awaited);
        if (list[i].awaited)
            json_put_pair_int(writer, "deadline_ms", (int64_t)list[i].deadline_ms);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    free(list);
    return asked;
}

/* Everything that is kept of an account. */
static bool write_export(JsonWriter *writer, PlayerQuestion *question) {
    StorePlayed last;
    uint32_t count;
    put_account(writer, &question->account);
    json_put_pair_int(writer, "renamed_ms", (int64_t)question->account.renamed_ms);
    json_put_pair_bool(writer, "password", question->account.password_bytes > 0);
    bool asked = put_keys(writer, question) && put_ratings(writer, question);
    json_open_list(writer, "matches");
    asked = asked && put_matches(writer, question, EXPORT_MAX, &last, &count);
    json_close(writer, ']');
    return asked && write_turns(writer, question) &&
           player_export_write(writer, question->store, question->account.id, question->now_ms);
}

/* The answer as JSON. False: the store cannot answer. */
static bool write(PlayerQuestion *question, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    bool asked;
    json_open(&writer, '{');
    switch (question->view) {
    case VIEW_PROFILE:
        put_account(&writer, &question->account);
        asked = put_left(&writer, question) && put_ratings(&writer, question);
        break;
    case VIEW_MATCHES:
        asked = write_matches(&writer, question);
        break;
    case VIEW_RATINGS:
        asked = write_points(&writer, question);
        break;
    case VIEW_OPENINGS:
        asked = write_openings(&writer, question);
        break;
    case VIEW_LEADERS:
        asked = write_leaders(&writer, question);
        break;
    case VIEW_TURNS:
        asked = write_turns(&writer, question);
        break;
    default:
        asked = write_export(&writer, question);
    }
    json_close(&writer, '}');
    text_byte(text, '\n');
    return asked;
}

/* Is it for the owner of a key only? */
static bool is_own(PlayerView view) { return view == VIEW_EXPORT || view == VIEW_TURNS; }

/* --- In the thread ---------------------------------------------------------------------------- */

/* Finds the account that is asked about. Others do not learn that a private one exists. */
static StoreStatus find(PlayerQuestion *question) {
    StoreAccount *account = &question->account, own = {.id = 0};
    StoreKeyKind kind = STORE_KEY_CODE;
    StoreStatus status = STORE_OK;
    if (question->has_key)
        status =
            store_account_of_key(question->store, question->key, question->now_ms, &own, &kind);
    if (question->has_key && (status != STORE_OK || kind != STORE_KEY_DEVICE))
        own.id = 0;
    if (is_own(question->view)) {
        *account = own;
        return own.id != 0 ? STORE_OK : status == STORE_OK ? STORE_UNKNOWN : status;
    }
    status = store_account_named(question->store, question->folded, account);
    if (status == STORE_OK && account->is_private && own.id != account->id)
        return STORE_UNKNOWN;
    return status;
}

/* Writes the answer into memory of its own, which grows until all fits. */
static void work(Ask *ask) {
    PlayerQuestion *question = ask->config;
    StoreStatus status = question->view == VIEW_LEADERS ? STORE_OK : find(question);
    question->status = status == STORE_UNKNOWN ? NOT_FOUND : 503;
    if (status != STORE_OK)
        return;
    for (uint32_t bytes = FIRST_BYTES; bytes <= SERVER_TEXT_BYTES_MAX; bytes *= 2) {
        free(ask->file);
        ask->file = malloc(bytes);
        if (ask->file == NULL)
            return;
        MashText text = text_over(ask->file, bytes);
        if (!write(question, &text))
            return;
        ask->count = text.count;
        if (!text.truncated) {
            question->status = OK;
            return;
        }
    }
}

/* --- In the loop ------------------------------------------------------------------------------ */

/* A refusal as JSON with a sentence. */
static void refuse(NetReply *reply, uint16_t status, const char *sentence) {
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "error", sentence);
    json_close(&writer, '}');
    text_byte(&text, '\n');
    http_api_json(reply, status, "", text.bytes, text.count);
}

/* The answer is written. What only its owner may see is for no page of another origin. */
static void answer(Ask *ask) {
    const PlayerQuestion *question = ask->config;
    if (question->status == NOT_FOUND)
        refuse(ask->reply, is_own(question->view) ? 403 : NOT_FOUND,
               is_own(question->view) ? "no device of an account has this key"
                                      : "no player has this name, or the profile is hidden");
    else if (question->status != OK)
        refuse(ask->reply, 503, "accounts are not available now: try again later");
    else if (question->has_key)
        net_reply(ask->reply, OK, json_type, ask->file, (uint32_t)ask->count);
    else
        http_api_json(ask->reply, OK, question->tags, ask->file, (uint32_t)ask->count);
}

/* Takes the key of an Authorization header. False: it is not one. */
static bool take_key(const char *authorization, PlayerQuestion *question) {
    static const char bearer[] = "Bearer ";
    size_t head = sizeof bearer - 1;
    question->has_key = false;
    if (authorization == NULL || strncmp(authorization, bearer, head) != 0)
        return authorization == NULL;
    if (strspn(authorization + head, "0123456789abcdef") != PROTO_KEY_DIGITS ||
        authorization[head + PROTO_KEY_DIGITS] != '\0')
        return false;
    secret_hash(authorization + head, question->key);
    question->has_key = true;
    return true;
}

/* Takes what the query says. NULL: it is good; otherwise what is wrong. */
static const char *take_query(const char *query, PlayerQuestion *question) {
    char value[ASK_TEXT_BYTES];
    bool one = question->view == VIEW_RATINGS || question->view == VIEW_LEADERS;
    question->pace = -1;
    if (http_api_value(query, "game", question->game) == NULL)
        question->game[0] = '\0';
    if (question->game[0] != '\0' && mash_game_find(question->game) == NULL)
        return "\"game\" must be the id of a game of this server";
    if (http_api_value(query, "pace", value) != NULL) {
        question->pace = (int32_t)pace_find(value);
        if (question->pace == PACE_COUNT)
            return "\"pace\" must be blitz, rapid, relaxed or days";
    }
    if (question->view == VIEW_OPENINGS && question->game[0] == '\0')
        return "\"game\" is needed";
    if (one && (question->game[0] == '\0' || question->pace < 0))
        return "\"game\" and \"pace\" are needed";
    if (question->game[0] == '\0' && question->pace >= 0)
        return "\"pace\" needs a \"game\"";
    question->programs = http_api_number(query, "programs") != 0;
    question->after_ms = http_api_number(query, "after_ms");
    if (http_api_value(query, "after", value) != NULL &&
        !table_code_decode(value, &question->after))
        return "\"after\" must be the \"after\" of another page";
    return NULL;
}

/* Which view a path names. False: none. */
static bool take_path(const char *path, PlayerQuestion *question) {
    static const char players[] = "players/";
    char name[ASK_TEXT_BYTES];
    MashText text = text_over(name, sizeof name);
    question->view = strcmp(path, "leaderboard") == 0 ? VIEW_LEADERS
                     : strcmp(path, "turns") == 0     ? VIEW_TURNS
                                                      : VIEW_EXPORT;
    if (question->view != VIEW_EXPORT || strcmp(path, "export") == 0)
        return true;
    if (strncmp(path, players, sizeof players - 1) != 0)
        return false;
    const char *rest = http_api_decode(path + sizeof players - 1, "/", &text);
    question->view = strcmp(rest, "/matches") == 0    ? VIEW_MATCHES
                     : strcmp(rest, "/ratings") == 0  ? VIEW_RATINGS
                     : strcmp(rest, "/openings") == 0 ? VIEW_OPENINGS
                                                      : VIEW_PROFILE;
    return (question->view != VIEW_PROFILE || *rest == '\0') && !text.truncated &&
           name_fold(name, question->folded);
}

/* Asks the store in the thread of the reader. */
static void ask_store(Server *server, const NetRequest *request, const PlayerQuestion *question,
                      NetReply *reply) {
    PlayerQuestion *copy = malloc(sizeof *copy);
    NetReply *later = copy == NULL ? NULL : net_reply_later(reply);
    Ask wanted = {.work = work, .answer = answer, .config = copy};
    if (later == NULL) {
        free(copy);
        refuse(reply, 503, "out of memory for the answer");
        return;
    }
    *copy = *question;
    Ask *ask = reader_ask(server, request->address, &wanted);
    if (ask != NULL) {
        ask->reply = later;
        return;
    }
    free(copy);
    refuse(later, 503, "too many queries: try again later");
}

/* The programs with accounts that are connected, here or to another node: who can be challenged.
 * Anybody may ask, so sessions are walked once, and the list has an end. */
static void reply_bots(Server *server, const char *tags, NetReply *reply) {
    enum { BOTS_MAX = 100, BOT_BYTES = 256 };
    uint64_t listed[BOTS_MAX];
    char memory[(BOTS_MAX + 1) * BOT_BYTES];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    uint32_t count = 0;
    json_open(&writer, '{');
    json_open_list(&writer, "bots");
    for (const Session *one = server->sessions; one != NULL && count < BOTS_MAX;
         one = one->next_all) {
        if (one->player == NULL || !one->player->program)
            continue;
        uint32_t same = 0;
        while (same < count && listed[same] != one->player->id)
            same++;
        if (same < count)
            continue; /* another session of it */
        listed[count++] = one->player->id;
        json_open(&writer, '{');
        json_put_pair(&writer, "name", one->name);
        json_put_pair_bool(&writer, "free", !session_plays(one));
        json_close(&writer, '}');
    }
    neighbours_put_bots(server, &writer, listed, &count, BOTS_MAX);
    json_close(&writer, ']');
    json_close(&writer, '}');
    text_byte(&text, '\n');
    http_api_json(reply, OK, tags, text.bytes, text.count);
}

void player_api_reply(Server *server, const NetRequest *request, const char *path,
                      NetReply *reply) {
    PlayerQuestion question = {.store = server->store, .now_ms = net_wall_clock_ms(server->loop)};
    http_api_tags(request, question.tags);
    if (strcmp(path, "schema") == 0) {
        char memory[PLAYER_API_SCHEMA_BYTES];
        MashText text = text_over(memory, sizeof memory);
        player_api_write_schema(&text);
        http_api_json(reply, OK, question.tags, text.bytes, text.count);
        return;
    }
    if (strcmp(path, "bots") == 0) {
        reply_bots(server, question.tags, reply);
        return;
    }
    if (!take_path(path, &question)) {
        refuse(reply, NOT_FOUND, "there is no such thing here; see /api/v1/schema");
        return;
    }
    const char *problem = take_query(request->query, &question);
    if (problem != NULL)
        refuse(reply, 400, problem);
    else if (!take_key(request->authorization, &question))
        refuse(reply, 400, "the header must be Authorization: Bearer and the 32 digits of a key");
    else if (is_own(question.view) && !question.has_key)
        refuse(reply, 403, "this needs the header Authorization: Bearer and the key of a device");
    else
        ask_store(server, request, &question, reply);
}

/* --- The schema ------------------------------------------------------------------------------- */

#define INTEGER "{ \"type\": \"integer\" }"
#define COUNT   "{ \"type\": \"integer\", \"minimum\": 0 }"
#define STRING  "{ \"type\": \"string\" }"
#define STRINGS "{ \"type\": \"array\", \"items\": " STRING " }"
#define BOOLEAN "{ \"type\": \"boolean\" }"
#define PACE    "{ \"enum\": [\"blitz\", \"rapid\", \"relaxed\", \"days\"] }"
#define RATING                                                                                     \
    "        \"rating\": " INTEGER ", \"deviation\": " COUNT ", \"provisional\": " BOOLEAN ",\n"   \
    "        \"rated\": " COUNT ", \"wins\": " COUNT ", \"draws\": " COUNT ", \"losses\": " COUNT  \
    ",\n        \"streak\": " INTEGER ", \"best_streak\": " COUNT "\n"
#define RATING_NEEDED "\"rated\", \"wins\", \"draws\", \"losses\", \"streak\", \"best_streak\"]"
#define CLOSED        "      \"additionalProperties\": false,\n"

static const char *const schema[] = {
    "{\n"
    "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"title\": \"Answers of /api/v1\",\n"
    "  \"$defs\": {\n"
    "    \"error\": { \"description\": \"any answer but 200\", \"type\": \"object\",\n"
    "      \"properties\": { \"error\": " STRING " }, \"required\": [\"error\"] },\n"
    "    \"rating\": { \"type\": \"object\",\n" CLOSED "      \"properties\": {\n"
    "        \"game\": " STRING ", \"pace\": " PACE ",\n" RATING
    "      },\n      \"required\": [\"game\", \"pace\", " RATING_NEEDED " },\n"
    "    \"profile\": { \"description\": \"/players/NAME\", \"type\": \"object\",\n" CLOSED
    "      \"properties\": { \"name\": " STRING ", \"program\": " BOOLEAN ", \"private\": " BOOLEAN
    ",\n        \"since_ms\": " COUNT ", \"left\": { \"description\": \"matches to which the "
    "player did not come back, in the last 30 "
    "days\", \"type\": \"integer\", \"minimum\": 0 },\n        \"ratings\": { \"type\": \"array\", "
    "\"items\": { \"$ref\": \"#/$defs/rating\" } } },\n"
    "      \"required\": [\"name\", \"program\", \"private\", \"since_ms\", \"left\", "
    "\"ratings\"] },\n"
    "    \"match\": { \"type\": \"object\",\n" CLOSED "      \"properties\": {\n"
    "        \"code\": " STRING ", \"game\": " STRING ", \"pace\": " PACE ", \"ended_ms\": " COUNT
    ",\n        \"seat\": { \"enum\": [0, 1] }, \"result\": { \"enum\": [\"won\", \"drawn\", "
    "\"lost\"] },\n        \"rated\": " BOOLEAN ", \"weight\": " COUNT ", \"rating\": " INTEGER
    ", \"change\": " INTEGER ",\n"
    "        \"opponent\": { \"description\": \"null: a deleted player\", \"type\": [\"string\", "
    "\"null\"] },\n        \"opponent_account\": " BOOLEAN
    ",\n        \"opening\": { \"description\": \"kinds that "
    "were drafted, joined by +, or the first action in words\", \"type\": \"string\" }\n      },\n"
    "      \"required\": [\"code\", \"game\", \"ended_ms\", \"seat\", \"result\", \"rated\", "
    "\"opponent\", \"opponent_account\"] },\n"
    "    \"matches\": { \"description\": \"/players/NAME/matches?game=&pace=&after_ms=&after=, "
    "newest first; last: for the next page\", \"type\": \"object\",\n" CLOSED
    "      \"properties\": {\n"
    "        \"matches\": { \"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/match\" } },\n"
    "        \"last\": { \"type\": \"object\", \"properties\": { \"after_ms\": " COUNT
    ", \"after\": " STRING " }, \"required\": [\"after_ms\", \"after\"] }\n      },\n"
    "      \"required\": [\"matches\"] },\n"
    "    \"ratings\": { \"description\": \"/players/NAME/ratings?game=&pace=: time in ms and "
    "rating after each of the last 500 rated matches, newest first\", \"type\": "
    "\"object\",\n" CLOSED
    "      \"properties\": { \"points\": { \"type\": \"array\", \"items\": { \"type\": \"array\", "
    "\"items\": " INTEGER ", \"minItems\": 2, \"maxItems\": 2 } } },\n"
    "      \"required\": [\"points\"] },\n"
    "    \"openings\": { \"description\": \"/players/NAME/openings?game=: how the last 1000 "
    "matches "
    "were begun, the most frequent first, 200 at most\", \"type\": \"object\",\n" CLOSED
    "      \"properties\": { \"openings\": { \"type\": \"array\", \"items\": { \"type\": "
    "\"object\", \"additionalProperties\": false, \"properties\": {\n        \"opening\": " STRING
    ", \"wins\": " COUNT ", \"draws\": " COUNT ", \"losses\": " COUNT " },\n"
    "        \"required\": [\"opening\", \"wins\", \"draws\", \"losses\"] } } },\n"
    "      \"required\": [\"openings\"] },\n",
    "    \"leaderboard\": { \"description\": \"/leaderboard?game=&pace=&programs=0: the best 100 "
    "whose rating is certain\", \"type\": \"object\",\n" CLOSED "      \"properties\": {\n"
    "        \"game\": " STRING ", \"pace\": " PACE ", \"programs\": " BOOLEAN ",\n"
    "        \"players\": { \"type\": \"array\", \"items\": { \"type\": \"object\", "
    "\"additionalProperties\": false, \"properties\": {\n"
    "        \"rank\": " COUNT ", \"name\": " STRING ",\n" RATING
    "        }, \"required\": [\"rank\", \"name\", \"rating\", \"deviation\", " RATING_NEEDED
    " } }\n      },\n"
    "      \"required\": [\"game\", \"pace\", \"programs\", \"players\"] },\n",
    "    \"export\": { \"description\": \"/export with Authorization: Bearer KEY: everything that "
    "is kept of the account\", \"type\": \"object\",\n" CLOSED "      \"properties\": {\n"
    "        \"name\": " STRING ", \"program\": " BOOLEAN ", \"private\": " BOOLEAN
    ", \"since_ms\": " COUNT ", \"renamed_ms\": " COUNT ", \"password\": " BOOLEAN ",\n"
    "        \"keys\": { \"type\": \"array\", \"items\": { \"type\": \"object\", \"properties\": { "
    "\"kind\": " STRING ", \"made_ms\": " COUNT ", \"expires_ms\": " COUNT " } } },\n"
    "        \"ratings\": { \"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/rating\" } },\n"
    "        \"matches\": { \"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/match\" } },\n"
    "        \"turns\": { \"$ref\": \"#/$defs/turns/properties/turns\" },\n"
    "        \"follows\": " STRINGS ", \"blocks\": " STRINGS ", \"bots\": " STRINGS ",\n"
    "        \"notices\": { \"type\": \"array\", \"items\": { \"type\": \"object\", "
    "\"properties\": { "
    "\"kind\": { \"enum\": [\"webhook\", \"browser\"] }, \"url\": " STRING " } } },\n"
    "        \"challenges\": { \"type\": \"array\", \"items\": { \"type\": \"object\", "
    "\"properties\": "
    "{ \"code\": " STRING ", \"game\": " STRING ", \"opponent\": " STRING ", \"yours\": " BOOLEAN
    ", \"rated\": " BOOLEAN ", \"days\": " COUNT " } } },\n"
    "        \"reports\": { \"type\": \"array\", \"items\": { \"type\": \"object\", "
    "\"properties\": { "
    "\"code\": " STRING ", \"made_ms\": " COUNT ", \"reason\": " STRING " } } },\n"
    "        \"vacation\": { \"type\": \"object\", \"properties\": { \"until_ms\": " COUNT
    ", \"year\": " COUNT ", \"days\": " COUNT " } }, \"left\": " COUNT "\n"
    "      },\n      \"required\": [\"name\", \"keys\", \"ratings\", \"matches\", \"turns\", "
    "\"follows\", \"blocks\", \"bots\", \"notices\", \"challenges\", \"reports\", \"vacation\", "
    "\"left\"] },\n"
    "    \"bots\": { \"description\": \"/bots: programs that are connected and can be "
    "challenged; free: not in a match\", \"type\": \"object\",\n" CLOSED
    "      \"properties\": { \"bots\": { \"type\": \"array\", \"items\": { \"type\": "
    "\"object\", \"additionalProperties\": false, \"properties\": { \"name\": " STRING
    ", \"free\": " BOOLEAN " }, \"required\": [\"name\", \"free\"] } } },\n"
    "      \"required\": [\"bots\"] },\n"
    "    \"turns\": { \"description\": \"/turns with Authorization: Bearer KEY: the matches over "
    "days of the account, its turns first\", \"type\": \"object\",\n" CLOSED
    "      \"properties\": { \"turns\": { \"type\": \"array\", \"items\": { \"type\": "
    "\"object\", \"additionalProperties\": false, \"properties\": {\n"
    "        \"code\": " STRING ", \"game\": " STRING ", \"days\": " COUNT
    ", \"seat\": { \"enum\": [0, 1] },\n"
    "        \"opponent\": { \"type\": [\"string\", \"null\"] }, \"yours\": " BOOLEAN
    ", \"deadline_ms\": " COUNT "\n        }, \"required\": [\"code\", \"game\", \"days\", "
    "\"seat\", \"opponent\", \"yours\"] } } },\n      \"required\": [\"turns\"] }\n"
    "  },\n"
    "  \"anyOf\": [{ \"$ref\": \"#/$defs/profile\" }, { \"$ref\": \"#/$defs/matches\" }, "
    "{ \"$ref\": \"#/$defs/ratings\" }, { \"$ref\": \"#/$defs/leaderboard\" }, "
    "{ \"$ref\": \"#/$defs/export\" }, { \"$ref\": \"#/$defs/turns\" }, "
    "{ \"$ref\": \"#/$defs/bots\" }, { \"$ref\": \"#/$defs/openings\" }, "
    "{ \"$ref\": \"#/$defs/error\" }]\n"
    "}\n"};

void player_api_write_schema(MashText *text) {
    for (uint32_t i = 0; i < sizeof schema / sizeof *schema; i++)
        text_string(text, schema[i]);
}
