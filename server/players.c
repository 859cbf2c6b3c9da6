/* players.c -- see players.h. */
#include "server/players.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "server/arena.h"
#include "server/days.h"
#include "server/internal.h"
#include "server/leavers.h"
#include "server/names.h"
#include "server/people.h"
#include "server/secrets.h"
#include "store/relations.h"
#include "store/resting.h"

enum {
    THREADS = 2,
    JOBS_MAX = 256,
    CODE_MS = 600000,     /* how long a link for another device is valid */
    RENAME_MS = 86400000, /* from one change of the name to the next */
    PASSWORD_LEAST = 8,
    PASSWORD_COST = 6, /* of a try, in tokens: five at once, then one every six seconds a name */
    RATINGS_BYTES = 32 << 10,
    BOTS_MAX = 5, /* of one owner */
    TRIES = 4,    /* of a change, when another one comes first */
    TURNS_MAX = 200,
    TURN_BYTES = 320, /* of one in a message, at most */
    DAY_MS = 86400000
};

/* A request about an account on its way through a thread. */
struct PlayerJob {
    PlayerJob *next;
    Server *server;
    Session *session;       /* NULL: it is gone */
    RequestContext request; /* of the session */
    MessageKind kind;
    uint64_t now_ms;
    /* What is asked. */
    uint64_t id; /* of the account that the session has; 0: none */
    uint8_t key[STORE_HASH_BYTES], code[STORE_HASH_BYTES];
    bool has_code, has_password, flag, has_flag, program;
    uint8_t what;
    uint32_t number; /* days of a vacation */
    char name[PROTO_NAME_MAX + 1], folded[NAME_FOLDED_BYTES];
    char password[PROTO_PASSWORD_MAX + 1];
    /* Drawn by lot, in case they are needed. */
    uint64_t new_id;
    uint8_t salt[SECRET_SALT_BYTES];
    char secret[PROTO_KEY_DIGITS + 1];
    /* The answer. */
    Refusal refusal; /* REFUSAL_COUNT: it is done */
    bool again;      /* another request has changed the account meanwhile */
    StoreAccount was, account;
    StoreRating ratings[STORE_RATINGS_MAX];
    uint32_t ratings_count, devices;
    bool has_words;
    uint64_t days;    /* matches over days that it plays */
    StoreLeft left;   /* how often it left others alone */
    StoreTurn *turns; /* freed with the job; NULL: nobody asked for them */
    uint32_t turns_count;
    StoreVacation vacation;
    uint64_t *blocked; /* freed with the job, unless the session takes it over */
    uint32_t blocked_count;
    uint64_t gone[STORE_GONE_MAX]; /* who was deleted: the account and its programs */
    uint32_t gone_count;
};

/* --- In a thread ------------------------------------------------------------------------------ */

/* What a status of the store means for whoever asked. */
static Refusal refusal_of(StoreStatus status, Refusal unknown) {
    return status == STORE_OK        ? REFUSAL_COUNT
           : status == STORE_UNKNOWN ? unknown
           : status == STORE_TAKEN   ? REFUSAL_NAME_TAKEN
           : status == STORE_FULL    ? REFUSAL_TOO_MANY_DEVICES
                                     : REFUSAL_ACCOUNTS_AWAY;
}

/* Adds the key of this device to the account that was found. */
static Refusal add_device(PlayerJob *job) {
    StoreKey key = {.kind = STORE_KEY_DEVICE, .made_ms = job->now_ms};
    memcpy(key.hash, job->key, sizeof key.hash);
    return refusal_of(store_key_add(job->server->store, job->account.id, &key),
                      REFUSAL_NO_SUCH_ACCOUNT);
}

/* Finds the account of the device's key. A key that is only for letting devices in is none. */
static Refusal find_by_key(PlayerJob *job) {
    StoreKeyKind kind = STORE_KEY_DEVICE;
    StoreStatus status =
        store_account_of_key(job->server->store, job->key, job->now_ms, &job->account, &kind);
    if (status == STORE_OK && kind != STORE_KEY_DEVICE)
        status = STORE_UNKNOWN;
    return refusal_of(status, REFUSAL_NO_SUCH_ACCOUNT);
}

/* Logs in by name and password. */
static Refusal enter_by_password(PlayerJob *job) {
    StoreStatus status = store_account_named(job->server->store, job->folded, &job->account);
    if (status != STORE_OK && status != STORE_UNKNOWN)
        return REFUSAL_ACCOUNTS_AWAY;
    uint32_t bytes = status == STORE_OK ? job->account.password_bytes : 0;
    if (!secret_fits(job->password, job->account.password, bytes))
        return REFUSAL_BAD_PASSWORD;
    return add_device(job);
}

/* `login`. */
static Refusal log_in(PlayerJob *job) {
    Refusal refusal = find_by_key(job);
    if (refusal != REFUSAL_NO_SUCH_ACCOUNT)
        return refusal;
    if (job->has_code) {
        refusal =
            refusal_of(store_key_exchange(job->server->store, job->code, job->key, job->now_ms),
                       REFUSAL_BAD_CODE);
        return refusal == REFUSAL_COUNT ? find_by_key(job) : refusal;
    }
    return job->has_password ? enter_by_password(job) : refusal;
}

/* `claim` of one who has no account. */
static Refusal make_account(PlayerJob *job) {
    Refusal known = find_by_key(job);
    if (known != REFUSAL_NO_SUCH_ACCOUNT)
        return known == REFUSAL_COUNT ? REFUSAL_LOGGED_IN : known;
    StoreAccount *account = &job->account;
    memset(account, 0, sizeof *account);
    account->id = job->new_id;
    account->made_ms = job->now_ms;
    account->program = job->program;
    memcpy(account->name, job->name, sizeof job->name);
    memcpy(account->folded, job->folded, sizeof account->folded);
    return refusal_of(store_account_make(job->server->store, account, job->key),
                      REFUSAL_ACCOUNTS_AWAY);
}

/* Writes the account as it was changed, unless another request was faster. */
static Refusal change(PlayerJob *job) {
    StoreStatus status = store_account_change(job->server->store, &job->was, &job->account);
    job->again = status == STORE_CONFLICT;
    return refusal_of(status, REFUSAL_NO_SUCH_ACCOUNT);
}

/* `claim` of one who has an account. */
static Refusal rename_account(PlayerJob *job) {
    StoreAccount *account = &job->account;
    if (strcmp(account->name, job->name) == 0)
        return REFUSAL_COUNT;
    if (account->renamed_ms != 0 && job->now_ms < account->renamed_ms + RENAME_MS)
        return REFUSAL_RENAMED;
    memset(account->name, 0, sizeof account->name);
    memcpy(account->name, job->name, sizeof job->name);
    memcpy(account->folded, job->folded, sizeof account->folded);
    account->renamed_ms = job->now_ms;
    return change(job);
}

/* `key` for a program: an account of its own, whose owner has this one. */
static Refusal make_bot(const PlayerJob *job) {
    StoreRelation bots[STORE_BOTS_MAX];
    StoreAccount bot = {.id = job->new_id, .made_ms = job->now_ms};
    uint8_t hash[STORE_HASH_BYTES];
    uint32_t count = 0;
    Store *store = job->server->store;
    if (store_bot_list(store, job->account.id, bots, &count) != STORE_OK)
        return REFUSAL_ACCOUNTS_AWAY;
    if (count >= BOTS_MAX)
        return REFUSAL_TOO_MANY;
    memcpy(bot.name, job->name, sizeof job->name);
    memcpy(bot.folded, job->folded, sizeof bot.folded);
    secret_hash(job->secret, hash);
    return refusal_of(store_bot_make(store, &bot, job->account.id, hash), REFUSAL_ACCOUNTS_AWAY);
}

/* `key`: a secret that only whoever asked learns. */
static Refusal make_key(const PlayerJob *job) {
    if (job->what == PROTO_KEY_KIND_BOT)
        return make_bot(job);
    bool device = job->what == PROTO_KEY_KIND_DEVICE;
    StoreKey key = {.kind = device ? STORE_KEY_CODE : STORE_KEY_WORDS,
                    .made_ms = job->now_ms,
                    .expires_ms = device ? job->now_ms + CODE_MS : 0};
    secret_hash(job->secret, key.hash);
    return refusal_of(store_key_add(job->server->store, job->account.id, &key),
                      REFUSAL_ACCOUNTS_AWAY);
}

/* `password`. */
static Refusal set_password(PlayerJob *job) {
    StoreAccount *account = &job->account;
    account->password_bytes = 0;
    if (job->has_password)
        account->password_bytes = secret_of_password(job->password, job->salt, account->password);
    if (job->has_password && account->password_bytes == 0)
        return REFUSAL_ACCOUNTS_AWAY;
    return change(job);
}

/* `delete`. */
static Refusal delete_account(PlayerJob *job) {
    if (strcmp(job->folded, job->account.folded) != 0)
        return REFUSAL_NO_SUCH_ACCOUNT;
    return refusal_of(store_account_delete(job->server->store, job->account.id, job->now_ms,
                                           job->gone, &job->gone_count),
                      REFUSAL_ACCOUNTS_AWAY);
}

/* The year of a time, a day more or less: 400 years have 146,097 days. */
static uint32_t year_of(uint64_t now_ms) {
    return 1970 + (uint32_t)(now_ms / DAY_MS * 400 / 146097);
}

/* `turns`. */
static Refusal list_turns(PlayerJob *job) {
    Store *store = job->server->store;
    job->turns = calloc(TURNS_MAX, sizeof *job->turns);
    StoreStatus status = job->turns == NULL ? STORE_FULL
                                            : store_days_list(store, job->id, job->turns, TURNS_MAX,
                                                              &job->turns_count);
    if (status == STORE_OK)
        status = store_vacation(store, job->id, &job->vacation);
    return status == STORE_OK ? REFUSAL_COUNT : REFUSAL_ACCOUNTS_AWAY;
}

/* `vacation`. */
static Refusal set_vacation(PlayerJob *job) {
    Store *store = job->server->store;
    StoreVacation vacation;
    uint32_t days = job->number;
    StoreStatus status = days == 0 ? store_vacation_end(store, job->id, job->now_ms, &vacation)
                                   : store_vacation_begin(store, job->id, job->now_ms, days,
                                                          year_of(job->now_ms), &vacation);
    if (status == STORE_CONFLICT)
        return REFUSAL_NO_VACATION;
    return status == STORE_OK ? list_turns(job) : REFUSAL_ACCOUNTS_AWAY;
}

/* Does what is asked of an account that the session has; its device may have been logged out. */
static Refusal try_own(PlayerJob *job) {
    Refusal refusal = find_by_key(job);
    job->was = job->account;
    job->again = false;
    if (refusal != REFUSAL_COUNT || job->account.id != job->id)
        return refusal != REFUSAL_COUNT ? refusal : REFUSAL_NO_SUCH_ACCOUNT;
    switch (job->kind) {
    case MESSAGE_CLIENT_CLAIM:
        return rename_account(job);
    case MESSAGE_CLIENT_KEY:
        return make_key(job);
    case MESSAGE_CLIENT_PASSWORD:
        return set_password(job);
    case MESSAGE_CLIENT_LOGOUT:
        return refusal_of(store_key_drop(job->server->store, job->id, job->key, job->flag),
                          REFUSAL_ACCOUNTS_AWAY);
    case MESSAGE_CLIENT_DELETE:
        return delete_account(job);
    case MESSAGE_CLIENT_TURNS:
        return list_turns(job);
    case MESSAGE_CLIENT_VACATION:
        return set_vacation(job);
    default:
        if (!job->has_flag || job->account.is_private == job->flag)
            return REFUSAL_COUNT;
        job->account.is_private = job->flag;
        return change(job);
    }
}

/* The same, with the account as others have left it. */
static Refusal do_own(PlayerJob *job) {
    Refusal refusal = REFUSAL_ACCOUNTS_AWAY;
    job->again = true;
    for (int i = 0; i < TRIES && job->again; i++)
        refusal = try_own(job);
    return refusal;
}

/* What `account` says besides the account. */
static Refusal read_more(PlayerJob *job) {
    Store *store = job->server->store;
    StoreKey *keys = calloc(STORE_KEYS_MAX, sizeof *keys);
    uint32_t count = 0;
    StoreStatus status =
        keys == NULL ? STORE_FULL : store_key_list(store, job->account.id, keys, &count);
    for (uint32_t i = 0; i < count; i++) {
        job->devices += keys[i].kind == STORE_KEY_DEVICE;
        job->has_words |= keys[i].kind == STORE_KEY_WORDS;
    }
    free(keys);
    if (status == STORE_OK)
        status = store_ratings(store, job->account.id, job->ratings, &job->ratings_count);
    if (status == STORE_OK)
        status = store_days_count(store, job->account.id, &job->days);
    if (status == STORE_OK)
        status = leavers_read(store, job->account.id, job->now_ms, &job->left);
    if (status == STORE_OK)
        status = people_read_blocked(store, job->account.id, &job->blocked, &job->blocked_count);
    return status == STORE_OK ? REFUSAL_COUNT : REFUSAL_ACCOUNTS_AWAY;
}

/* In a thread: does all of a request. */
static void work(void *what) {
    PlayerJob *job = what;
    bool short_answer = job->kind == MESSAGE_CLIENT_LOGOUT || job->kind == MESSAGE_CLIENT_DELETE ||
                        job->kind == MESSAGE_CLIENT_TURNS || job->kind == MESSAGE_CLIENT_VACATION;
    job->refusal = job->kind == MESSAGE_CLIENT_LOGIN ? log_in(job)
                   : job->id != 0                    ? do_own(job)
                                                     : make_account(job);
    if (job->refusal == REFUSAL_COUNT && job->account.program != job->program)
        job->refusal = REFUSAL_WRONG_ROLE;
    if (job->refusal == REFUSAL_COUNT && !short_answer)
        job->refusal = read_more(job);
    secret_clear(job->password, sizeof job->password);
}

/* --- Ratings of a session --------------------------------------------------------------------- */

PlayerRating player_rating_of(const StoreRating *rating, uint64_t now_ms) {
    GlickoRating now = {rating->rating, rating->deviation, rating->volatility};
    now = glicko_wait(now, now_ms > rating->rated_ms ? now_ms - rating->rated_ms : 0);
    PlayerRating own = {.pace = rating->pace,
                        .rating = (int32_t)((rating->rating + GLICKO_POINT / 2) / GLICKO_POINT),
                        .provisional = now.deviation > GLICKO_PROVISIONAL * GLICKO_POINT};
    memcpy(own.game, rating->game, sizeof own.game);
    return own;
}

/* The place of a rating; NULL: there is none. */
static PlayerRating *find_rating(PlayerAccount *player, const char *game, uint32_t pace) {
    for (uint32_t i = 0; player != NULL && i < player->ratings_count; i++)
        if (player->ratings[i].pace == pace && strcmp(player->ratings[i].game, game) == 0)
            return &player->ratings[i];
    return NULL;
}

bool player_rating(const Session *session, const char *game, uint32_t pace, PlayerRating *rating) {
    const PlayerRating *found = find_rating(session->player, game, pace);
    if (found != NULL)
        *rating = *found;
    return found != NULL;
}

void player_set_rating(Session *session, const PlayerRating *rating) {
    PlayerAccount *player = session->player;
    PlayerRating *found = find_rating(player, rating->game, rating->pace);
    if (found != NULL) {
        *found = *rating;
        return;
    }
    uint32_t count = player == NULL ? STORE_RATINGS_MAX : player->ratings_count;
    if (count >= STORE_RATINGS_MAX)
        return;
    player = realloc(player, sizeof *player + (count + 1) * sizeof *rating);
    if (player == NULL)
        return; /* no memory: it is not shown before the next login */
    player->ratings[player->ratings_count++] = *rating;
    session->player = player;
}

/* The session is a guest from now on. */
static void drop_player(Session *session) {
    if (session->player != NULL)
        free(session->player->blocked);
    free(session->player);
    session->player = NULL;
}

bool player_blocks(const Session *session, uint64_t other) {
    const PlayerAccount *player = session->player;
    for (uint32_t i = 0; player != NULL && i < player->blocked_count; i++)
        if (player->blocked[i] == other)
            return other != 0;
    return false;
}

void player_set_blocked(Session *session, uint64_t *list, uint32_t count) {
    free(session->player->blocked);
    session->player->blocked = list;
    session->player->blocked_count = count;
}

/* The session has this account from now on. False: no memory. */
static bool become(Session *session, PlayerJob *job) {
    PlayerAccount *player =
        calloc(1, sizeof *player + job->ratings_count * sizeof *player->ratings);
    if (player == NULL)
        return false;
    player->id = job->account.id;
    player->program = job->account.program;
    player->days = (uint32_t)job->days;
    player->leaves = leavers_often(&job->left);
    memcpy(player->key, job->key, sizeof player->key);
    for (uint32_t i = 0; i < job->ratings_count; i++)
        if (job->ratings[i].rated > 0)
            player->ratings[player->ratings_count++] =
                player_rating_of(&job->ratings[i], job->now_ms);
    drop_player(session);
    session->player = player;
    player_set_blocked(session, job->blocked, job->blocked_count);
    job->blocked = NULL;
    MashText name = text_over(session->name, sizeof session->name);
    text_string(&name, job->account.name);
    neighbours_note(session->server);
    return true;
}

/* Seats of an account in matches that run: who had their tokens has them no more. */
static void renew_tokens(Server *server, uint64_t account) {
    for (Table *table = server->tables; table != NULL; table = table->next)
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            if (table->chairs[seat].taken && table->chairs[seat].player == account)
                table_renew_token(table, seat);
}

/* The beginning of the hash of a device's key: enough to tell devices of one account apart. */
static uint64_t key_mark(const uint8_t key[STORE_HASH_BYTES]) {
    uint64_t mark;
    memcpy(&mark, key, sizeof mark);
    return mark;
}

/* Sessions of a deleted account, of a device that is logged out, or of all others, are guests from
 * now on. Those of other devices than the one that asks, which may be anybody's, are closed, and
 * lose their seats. */
static void drop_sessions(Server *server, NeighbourNews what, uint64_t account, uint64_t mark) {
    for (Session *session = server->sessions; session != NULL; session = session->next_all) {
        const PlayerAccount *player = session->player;
        if (player == NULL || player->id != account)
            continue;
        bool same = key_mark(player->key) == mark;
        if (what != NEWS_DELETED && same == (what == NEWS_OTHERS_OUT))
            continue;
        drop_player(session);
        if (same)
            continue;
        session->closing = true; /* messages that are still in transit are ignored */
        net_close(session->connection, NET_CLOSE_POLICY,
                  what == NEWS_DELETED ? "the account was deleted"
                                       : "logged out on another device");
    }
    if (what == NEWS_DELETED)
        erased_account(server, account);
    if (what != NEWS_LOGGED_OUT)
        renew_tokens(server, account);
}

void players_heard(Server *server, NeighbourNews news, uint64_t account, uint64_t mark) {
    if (news == NEWS_LOGGED_OUT || news == NEWS_OTHERS_OUT || news == NEWS_DELETED)
        drop_sessions(server, news, account, mark);
}

/* The same here and at the other nodes, after it was done. */
static void drop_everywhere(const PlayerJob *job) {
    NeighbourNews what = job->kind == MESSAGE_CLIENT_DELETE ? NEWS_DELETED
                         : job->flag                        ? NEWS_OTHERS_OUT
                                                            : NEWS_LOGGED_OUT;
    uint64_t mark = key_mark(job->key);
    bool own = what != NEWS_DELETED; /* otherwise its programs are gone, too */
    for (uint32_t i = 0; i < (own ? 1 : job->gone_count); i++) {
        uint64_t account = own ? job->id : job->gone[i];
        drop_sessions(job->server, what, account, mark);
        neighbours_tell(job->server, what, account, mark);
    }
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* The ratings of an account as a list. */
static void write_ratings(const PlayerJob *job, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < job->ratings_count; i++) {
        const StoreRating *rating = &job->ratings[i];
        if (rating->pace >= PACE_COUNT)
            continue;
        PlayerRating own = player_rating_of(rating, job->now_ms);
        json_open(&writer, '{');
        json_put_pair(&writer, "game", rating->game);
        json_put_pair(&writer, "pace", pace_id((RatingPace)rating->pace));
        if (rating->rated > 0) {
            json_put_pair_int(&writer, "rating", own.rating);
            json_put_pair_bool(&writer, "provisional", own.provisional);
        }
        JSON_PUT_INTS(&writer, {"rated", rating->rated}, {"wins", rating->wins},
                      {"draws", rating->draws}, {"losses", rating->losses});
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
}

/* `account`. */
static void send_account(Session *session, const PlayerJob *job) {
    char *memory = scratch_take(&session->server->load, RATINGS_BYTES);
    if (memory == NULL) {
        session_fault(session);
        return;
    }
    MashText list = text_over(memory, RATINGS_BYTES);
    write_ratings(job, &list);
    Message message = message_new(MESSAGE_SERVER_ACCOUNT);
    MashText to = text_over(message.account.to, sizeof message.account.to);
    MashText name = text_over(message.account.name, sizeof message.account.name);
    text_string(&to, job->request.to);
    text_string(&name, job->account.name);
    message.account.id = job->request.id;
    if (job->request.has_id)
        message_set_present(&message, "id");
    message.account.is_private = job->account.is_private;
    message.account.password = job->account.password_bytes > 0;
    message.account.recovery = job->has_words;
    message.account.devices = (int32_t)job->devices;
    message.account.ratings = (MessageJson){.bytes = memory, .count = list.count};
    arena_send(session, &message);
}

/* `key`. */
static void send_key(Session *session, const PlayerJob *job) {
    Message message = message_new(MESSAGE_SERVER_KEY);
    MashText to = text_over(message.key_made.to, sizeof message.key_made.to);
    text_string(&to, job->request.to);
    message.key_made.id = job->request.id;
    if (job->request.has_id)
        message_set_present(&message, "id");
    message.key_made.what = job->what;
    memcpy(message.key_made.key, job->secret, sizeof job->secret);
    message.key_made.left_ms = CODE_MS;
    if (job->what == PROTO_KEY_KIND_DEVICE)
        message_set_present(&message, "left_ms");
    arena_send(session, &message);
}

/* A match over days as one of its players sees it. */
static void put_turn(JsonWriter *writer, const StoreTurn *turn, uint64_t now_ms) {
    char code[PROTO_CODE_MAX + 1];
    uint64_t left_ms = turn->deadline_ms > now_ms ? turn->deadline_ms - now_ms : 0;
    table_code_encode(turn->match, code);
    json_open(writer, '{');
    json_put_pair(writer, "code", code);
    json_put_pair(writer, "game", turn->game);
    JSON_PUT_INTS(writer, {"days", turn->days}, {"seat", turn->seat});
    if (turn->opponent[0] != '\0')
        json_put_pair(writer, "opponent", turn->opponent);
    json_put_pair_bool(writer, "yours", turn->awaited);
    if (turn->awaited)
        json_put_pair_int(writer, "left_s", (int64_t)(left_ms / 1000));
    json_close(writer, '}');
}

/* `turns`. */
static void send_turns(Session *session, const PlayerJob *job) {
    uint32_t bytes = (job->turns_count + 1) * TURN_BYTES;
    char *memory = scratch_take(&session->server->load, bytes);
    if (memory == NULL) {
        session_fault(session);
        return;
    }
    MashText list = text_over(memory, bytes);
    JsonWriter writer = json_writer(&list, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < job->turns_count; i++)
        put_turn(&writer, &job->turns[i], job->now_ms);
    json_close(&writer, ']');
    Message message = message_new(MESSAGE_SERVER_TURNS);
    MashText to = text_over(message.turns_list.to, sizeof message.turns_list.to);
    text_string(&to, job->request.to);
    message.turns_list.id = job->request.id;
    if (job->request.has_id)
        message_set_present(&message, "id");
    message.turns_list.turns = (MessageJson){.bytes = memory, .count = list.count};
    if (job->vacation.until_ms > job->now_ms) {
        message.turns_list.vacation_s = (int32_t)((job->vacation.until_ms - job->now_ms) / 1000);
        message_set_present(&message, "vacation_s");
    }
    uint32_t used = job->vacation.year == year_of(job->now_ms) ? job->vacation.used : 0;
    message.turns_list.vacation_days =
        used < STORE_VACATION_DAYS ? (int32_t)(STORE_VACATION_DAYS - used) : 0;
    arena_send(session, &message);
}

/* Answers a request that was done. */
static void answer(Session *session, PlayerJob *job) {
    Players *players = &job->server->players;
    switch (job->kind) {
    case MESSAGE_CLIENT_LOGIN:
    case MESSAGE_CLIENT_CLAIM:
        players->logins += job->kind == MESSAGE_CLIENT_LOGIN;
        players->made += job->kind == MESSAGE_CLIENT_CLAIM && job->id == 0;
        if (session == NULL)
            return;
        if (!become(session, job)) {
            arena_refuse(session, REFUSAL_ACCOUNTS_AWAY);
            return;
        }
        break;
    case MESSAGE_CLIENT_KEY:
        if (session != NULL)
            send_key(session, job);
        return;
    case MESSAGE_CLIENT_VACATION:
        days_refresh(job->server, job->id);
        if (session != NULL)
            send_turns(session, job);
        return;
    case MESSAGE_CLIENT_TURNS:
        if (session != NULL)
            send_turns(session, job);
        return;
    case MESSAGE_CLIENT_LOGOUT:
    case MESSAGE_CLIENT_DELETE:
        players->deleted += job->kind == MESSAGE_CLIENT_DELETE;
        drop_everywhere(job);
        if (job->kind == MESSAGE_CLIENT_DELETE)
            erased_start(job->server);
        if (session != NULL)
            arena_done(session);
        return;
    default:
        break;
    }
    if (session != NULL)
        send_account(session, job);
}

/* Takes a job off the list and frees it. */
static void release(PlayerJob *job) {
    PlayerJob **link = &job->server->players.jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    if (job->session != NULL)
        job->session->player_job = NULL;
    free(job->turns);
    free(job->blocked);
    secret_clear(job, sizeof *job);
    free(job);
}

/* Back in the loop. */
static void done(void *what) {
    PlayerJob *job = what;
    Session *session = job->session;
    if (session != NULL) {
        session->player_job = NULL;
        job->session = NULL;
        job->server->request = job->request;
    }
    if (job->refusal == REFUSAL_COUNT)
        answer(session, job);
    else if (session != NULL)
        arena_refuse(session, job->refusal);
    if (job->refusal == REFUSAL_NO_SUCH_ACCOUNT && job->id != 0 && session != NULL &&
        job->kind != MESSAGE_CLIENT_DELETE)
        drop_player(session); /* it was logged out or deleted elsewhere */
    release(job);
}

/* --- Requests --------------------------------------------------------------------------------- */

bool player_jobs_open(Server *server) {
    server->players.thread_pool = net_thread_pool_open(server->loop, THREADS, JOBS_MAX);
    return server->players.thread_pool != NULL;
}

void players_forget(Session *session) {
    if (session->player_job != NULL)
        session->player_job->session = NULL;
    drop_player(session);
}

bool players_handle(MessageKind kind) {
    return kind == MESSAGE_CLIENT_LOGIN || kind == MESSAGE_CLIENT_CLAIM ||
           kind == MESSAGE_CLIENT_KEY || kind == MESSAGE_CLIENT_PASSWORD ||
           kind == MESSAGE_CLIENT_PROFILE || kind == MESSAGE_CLIENT_LOGOUT ||
           kind == MESSAGE_CLIENT_DELETE || kind == MESSAGE_CLIENT_TURNS ||
           kind == MESSAGE_CLIENT_VACATION;
}

/* May this name be tried with a password now? Whoever guesses is slowed down, from wherever. */
static bool may_try(Server *server, const char *folded) {
    static const NetRate rate = {.per_second = 1, .burst = 5 * PASSWORD_COST};
    uint64_t hash = hash_bytes(server->accounts.secret[0], folded, strlen(folded));
    return server->setup.budgets.logins == 0 ||
           token_bucket_take(&server->players.passwords[hash % PLAYERS_BUCKETS], rate,
                             net_now_ms(server->loop), PASSWORD_COST);
}

/* Takes what `login` asks. */
static Refusal take_login(Session *session, const Message *request, PlayerJob *job) {
    const CLIENT_LOGIN_FIELDS *login = &request->login;
    secret_hash(login->key, job->key);
    job->has_code = message_has(request, "code");
    if (job->has_code)
        secret_hash(login->code, job->code);
    job->has_password = message_has(request, "password") && message_has(request, "name");
    if (!job->has_password)
        return REFUSAL_COUNT;
    memcpy(job->password, login->password, sizeof job->password);
    if (!name_fold(login->name, job->folded))
        return REFUSAL_BAD_PASSWORD;
    return may_try(session->server, job->folded) ? REFUSAL_COUNT : REFUSAL_TOO_FAST;
}

/* Takes what a request about the session's own account asks. */
static Refusal take_own(const Session *session, const Message *request, PlayerJob *job) {
    if (session->player == NULL)
        return REFUSAL_NEEDS_ACCOUNT;
    job->id = session->player->id;
    memcpy(job->key, session->player->key, sizeof job->key);
    switch (request->kind) {
    case MESSAGE_CLIENT_KEY:
        job->what = request->key.what;
        memcpy(job->name, request->key.name, sizeof job->name);
        if (job->what != PROTO_KEY_KIND_BOT)
            break;
        if (session->player->program)
            return REFUSAL_WRONG_ROLE;
        return session_sanitize(job->name) ? name_check(job->name, job->folded) : REFUSAL_BAD_NAME;
    case MESSAGE_CLIENT_PASSWORD:
        job->has_password = message_has(request, "password");
        memcpy(job->password, request->password.password, sizeof job->password);
        if (job->has_password && strlen(job->password) < PASSWORD_LEAST)
            return REFUSAL_WEAK_PASSWORD;
        break;
    case MESSAGE_CLIENT_PROFILE:
        job->has_flag = message_has(request, "private");
        job->flag = request->profile.is_private;
        break;
    case MESSAGE_CLIENT_LOGOUT:
        job->flag = request->logout.others;
        break;
    case MESSAGE_CLIENT_TURNS:
        break;
    case MESSAGE_CLIENT_VACATION:
        job->number = (uint32_t)request->vacation.days;
        break;
    default:
        if (!name_fold(request->delete_account.name, job->folded))
            return REFUSAL_NO_SUCH_ACCOUNT;
    }
    return REFUSAL_COUNT;
}

/* Takes what `claim` asks. */
static Refusal take_claim(const Session *session, const Message *request, PlayerJob *job) {
    memcpy(job->name, request->claim.name, sizeof job->name);
    if (session->player != NULL) {
        job->id = session->player->id;
        memcpy(job->key, session->player->key, sizeof job->key);
    } else {
        secret_hash(request->claim.key, job->key);
    }
    return session_sanitize(job->name) ? name_check(job->name, job->folded) : REFUSAL_BAD_NAME;
}

/* Takes what is asked. REFUSAL_COUNT: it can be done. */
static Refusal take(Session *session, const Message *request, PlayerJob *job) {
    if (request->kind == MESSAGE_CLIENT_LOGIN)
        return take_login(session, request, job);
    if (request->kind == MESSAGE_CLIENT_CLAIM)
        return take_claim(session, request, job);
    return take_own(session, request, job);
}

/* Draws what a job may need. */
static void draw(Server *server, PlayerJob *job) {
    uint64_t secret[2];
    MashText digits = text_over(job->secret, sizeof job->secret);
    net_random(server->loop, &job->new_id, sizeof job->new_id);
    job->new_id = (job->new_id >> 1) | 1;
    net_random(server->loop, job->salt, sizeof job->salt);
    net_random(server->loop, secret, sizeof secret);
    text_hex(&digits, secret[0], 16);
    text_hex(&digits, secret[1], 16);
    secret_clear(secret, sizeof secret);
}

void players_request(Session *session, const Message *request) {
    Server *server = session->server;
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    bool guesses = request->kind == MESSAGE_CLIENT_LOGIN &&
                   (message_has(request, "password") || message_has(request, "code"));
    bool makes = request->kind == MESSAGE_CLIENT_CLAIM ||
                 (request->kind == MESSAGE_CLIENT_KEY && request->key.what == PROTO_KEY_KIND_BOT);
    if (session->player_job != NULL) {
        arena_refuse(session, REFUSAL_ACCOUNT_BUSY);
        return;
    }
    if (!budget_may_log_in(server, session->account, guesses || makes, &text)) {
        arena_refuse_because(session, REFUSAL_TOO_FAST, reason);
        return;
    }
    PlayerJob *job = calloc(1, sizeof *job);
    Refusal refusal = job == NULL ? REFUSAL_ACCOUNTS_AWAY : take(session, request, job);
    if (refusal != REFUSAL_COUNT) {
        free(job);
        arena_refuse(session, refusal);
        return;
    }
    job->server = server;
    job->kind = request->kind;
    job->program = session->role == PROTO_ROLE_AI;
    job->now_ms = net_wall_clock_ms(server->loop);
    job->request = server->request;
    draw(server, job);
    if (!net_thread_pool_submit(server->players.thread_pool, work, done, job)) {
        secret_clear(job, sizeof *job);
        free(job);
        arena_refuse(session, REFUSAL_ACCOUNTS_AWAY);
        return;
    }
    job->session = session;
    session->player_job = job;
    job->next = server->players.jobs;
    server->players.jobs = job;
    server->request.refused = true; /* it is answered later */
}

void player_jobs_close(Server *server) {
    while (server->players.jobs != NULL)
        release(server->players.jobs);
}
