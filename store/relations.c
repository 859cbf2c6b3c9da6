/* relations.c -- see relations.h: parameters and columns of the statements, for every backend. */
#include "store/relations.h"

#include <string.h>

#include "store/backend.h"

/* A statement that answers by a row, or not. */
static StoreStatus run_found(Store *store, AccountStatement which, const AccountParameters *all,
                             StoreStatus none) {
    FirstNumber first;
    StoreStatus status = account_run_number(store, which, all, &first);
    return status == STORE_OK && first.rows == 0 ? none : status;
}

/* --- Where players are told ------------------------------------------------------------------- */

static void take_target(void *out, const AccountValue *columns) {
    StoreTarget *target = account_list_next(out, sizeof *target);
    if (target == NULL)
        return;
    memset(target, 0, sizeof *target);
    target->kind = (StoreTargetKind)columns[0].number;
    account_take_text(&columns[1], target->url, sizeof target->url);
    if (columns[2].bytes != NULL && columns[2].number <= STORE_PUSH_KEY_BYTES) {
        target->keys_count = (uint32_t)columns[2].number;
        memcpy(target->keys, columns[2].bytes, target->keys_count);
    }
}

StoreStatus store_target_set(Store *store, uint64_t account, const StoreTarget *target,
                             uint64_t now_ms) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    account_put(&all, target->kind);
    account_put_text(&all, target->url);
    account_put_bytes(&all, target->keys, target->keys_count);
    account_put(&all, (int64_t)now_ms);
    return run_found(store, NOTICE_SET, &all, STORE_FULL);
}

StoreStatus store_target_drop(Store *store, uint64_t account, StoreTargetKind kind,
                              const char *url) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    account_put(&all, kind);
    account_put_text(&all, url);
    return run_found(store, NOTICE_DROP, &all, STORE_OK);
}

StoreStatus store_target_list(Store *store, uint64_t account, StoreTarget list[STORE_TARGETS_MAX],
                              uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    return account_run_list(store, NOTICE_LIST, &all, take_target, list, STORE_TARGETS_MAX, count);
}

StoreStatus store_turn_claim(Store *store, uint64_t match, uint32_t seat, StoreClaim *claim) {
    AccountParameters all = {.count = 0};
    FirstNumber found;
    account_put(&all, (int64_t)match);
    account_put(&all, seat);
    StoreStatus status = account_run_number(store, NOTICE_CLAIM, &all, &found);
    *claim = (StoreClaim)found.number;
    return status;
}

/* --- Relations -------------------------------------------------------------------------------- */

static void take_relation(void *out, const AccountValue *columns) {
    StoreRelation *relation = account_list_next(out, sizeof *relation);
    if (relation == NULL)
        return;
    relation->kind = (StoreRelationKind)columns[0].number;
    relation->other = (uint64_t)columns[1].number;
    account_take_text(&columns[2], relation->name, sizeof relation->name);
}

StoreStatus store_relation_set(Store *store, uint64_t account, uint64_t other,
                               StoreRelationKind kind, bool on, uint64_t now_ms) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)other);
    account_put(&all, kind);
    account_put(&all, on);
    account_put(&all, (int64_t)now_ms);
    return run_found(store, RELATION_SET, &all, on ? STORE_FULL : STORE_OK);
}

StoreStatus store_relation_list(Store *store, uint64_t account,
                                StoreRelation list[STORE_RELATIONS_MAX], uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    return account_run_list(store, RELATION_LIST, &all, take_relation, list, STORE_RELATIONS_MAX,
                            count);
}

StoreStatus store_is_blocked(Store *store, uint64_t account, uint64_t other, bool *blocked) {
    AccountParameters all = {.count = 0};
    FirstNumber first;
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)other);
    StoreStatus status = account_run_number(store, RELATION_BLOCK, &all, &first);
    *blocked = first.rows > 0;
    return status;
}

/* --- Challenges ------------------------------------------------------------------------------- */

static void take_challenge(void *out, const AccountValue *columns) {
    StoreChallenge *challenge = account_list_next(out, sizeof *challenge);
    if (challenge == NULL)
        return;
    *challenge = (StoreChallenge){.match = (uint64_t)columns[0].number,
                                  .days = (uint32_t)columns[2].number,
                                  .rated = columns[3].number != 0,
                                  .incoming = columns[4].number != 0};
    account_take_text(&columns[1], challenge->game, sizeof challenge->game);
    account_take_text(&columns[5], challenge->name, sizeof challenge->name);
}

StoreStatus store_challenge_put(Store *store, const StoreChallenge *challenge, uint64_t now_ms) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)challenge->match);
    account_put(&all, (int64_t)challenge->account);
    account_put(&all, (int64_t)challenge->other);
    account_put_text(&all, challenge->game);
    account_put(&all, challenge->days);
    account_put(&all, challenge->rated);
    account_put(&all, (int64_t)now_ms);
    return run_found(store, CHALLENGE_PUT, &all, STORE_FULL);
}

StoreStatus store_challenge_drop(Store *store, uint64_t match) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)match);
    return run_found(store, CHALLENGE_DROP, &all, STORE_OK);
}

StoreStatus store_challenge_list(Store *store, uint64_t account, uint64_t since_ms,
                                 StoreChallenge list[STORE_CHALLENGES_MAX], uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)since_ms);
    return account_run_list(store, CHALLENGE_LIST, &all, take_challenge, list, STORE_CHALLENGES_MAX,
                            count);
}

/* --- Reports ---------------------------------------------------------------------------------- */

static void take_report(void *out, const AccountValue *columns) {
    StoreReport *report = account_list_next(out, sizeof *report);
    if (report == NULL)
        return;
    *report = (StoreReport){.id = (uint64_t)columns[0].number,
                            .match = (uint64_t)columns[1].number,
                            .made_ms = (uint64_t)columns[4].number};
    account_take_text(&columns[2], report->name, sizeof report->name);
    account_take_text(&columns[3], report->reason, sizeof report->reason);
    account_take_text(&columns[5], report->note, sizeof report->note);
}

StoreStatus store_report_make(Store *store, const StoreReport *report) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)report->id);
    account_put(&all, (int64_t)report->match);
    account_put(&all, (int64_t)report->account);
    account_put_text(&all, report->reason);
    account_put(&all, (int64_t)report->made_ms);
    return run_found(store, REPORT_MAKE, &all, STORE_FULL);
}

StoreStatus store_report_list(Store *store, bool closed, StoreReport list[STORE_REPORTS_MAX],
                              uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, closed);
    return account_run_list(store, REPORT_LIST, &all, take_report, list, STORE_REPORTS_MAX, count);
}

StoreStatus store_report_of(Store *store, uint64_t account, StoreReport list[STORE_REPORTS_MAX],
                            uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    return account_run_list(store, REPORT_OF, &all, take_report, list, STORE_REPORTS_MAX, count);
}

StoreStatus store_report_close(Store *store, uint64_t id, const char *note, uint64_t now_ms) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)id);
    account_put_text(&all, note);
    account_put(&all, (int64_t)now_ms);
    return run_found(store, REPORT_CLOSE, &all, STORE_UNKNOWN);
}

/* --- Programs --------------------------------------------------------------------------------- */

static void take_bot(void *out, const AccountValue *columns) {
    StoreRelation *bot = account_list_next(out, sizeof *bot);
    if (bot == NULL)
        return;
    *bot = (StoreRelation){.kind = STORE_OWNS, .other = (uint64_t)columns[0].number};
    account_take_text(&columns[1], bot->name, sizeof bot->name);
}

StoreStatus store_bot_make(Store *store, const StoreAccount *bot, uint64_t owner,
                           const uint8_t key[STORE_HASH_BYTES]) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)bot->id);
    account_put_text(&all, bot->name);
    account_put_text(&all, bot->folded);
    account_put(&all, (int64_t)owner);
    account_put(&all, (int64_t)bot->made_ms);
    account_put_bytes(&all, key, STORE_HASH_BYTES);
    return run_found(store, BOT_MAKE, &all, STORE_TAKEN);
}

StoreStatus store_bot_list(Store *store, uint64_t owner, StoreRelation list[STORE_BOTS_MAX],
                           uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)owner);
    return account_run_list(store, BOT_LIST, &all, take_bot, list, STORE_BOTS_MAX, count);
}
