/* player_export.c -- see player_export.h. */
#include "server/player_export.h"

#include <stdlib.h>
#include <string.h>

#include "proto/message.h"
#include "server/leavers.h"
#include "store/relations.h"
#include "store/resting.h"

/* The names of those who are one thing to the account. */
static void put_names(JsonWriter *writer, const char *key, const StoreRelation *list,
                      uint32_t count, StoreRelationKind kind) {
    json_open_list(writer, key);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == kind)
            json_put_bytes(writer, list[i].name, (uint32_t)strlen(list[i].name));
    json_close(writer, ']');
}

/* Whom it follows and blocks, and its programs. */
static bool put_relations(JsonWriter *writer, Store *store, uint64_t account) {
    StoreRelation *list = calloc(STORE_RELATIONS_MAX, sizeof *list), bots[STORE_BOTS_MAX];
    uint32_t count = 0, bots_count = 0;
    bool asked = list != NULL && store_relation_list(store, account, list, &count) == STORE_OK &&
                 store_bot_list(store, account, bots, &bots_count) == STORE_OK;
    put_names(writer, "follows", list, count, STORE_FOLLOWS);
    put_names(writer, "blocks", list, count, STORE_BLOCKS);
    put_names(writer, "bots", bots, bots_count, STORE_OWNS);
    free(list);
    return asked;
}

/* Where it is told of turns. */
static bool put_targets(JsonWriter *writer, Store *store, uint64_t account) {
    StoreTarget list[STORE_TARGETS_MAX];
    uint32_t count = 0;
    bool asked = store_target_list(store, account, list, &count) == STORE_OK;
    json_open_list(writer, "notices");
    for (uint32_t i = 0; i < count; i++) {
        json_open(writer, '{');
        json_put_pair(writer, "kind", list[i].kind == STORE_TARGET_WEBHOOK ? "webhook" : "browser");
        json_put_pair(writer, "url", list[i].url);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    return asked;
}

/* The code of a match. */
static void put_code(JsonWriter *writer, uint64_t match) {
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(match, code);
    json_put_pair(writer, "code", code);
}

/* Challenges of and for it. */
static bool put_challenges(JsonWriter *writer, Store *store, uint64_t account) {
    StoreChallenge *list = calloc(STORE_CHALLENGES_MAX, sizeof *list);
    uint32_t count = 0;
    bool asked = list != NULL && store_challenge_list(store, account, 0, list, &count) == STORE_OK;
    json_open_list(writer, "challenges");
    for (uint32_t i = 0; i < count; i++) {
        json_open(writer, '{');
        put_code(writer, list[i].match);
        json_put_pair(writer, "game", list[i].game);
        json_put_pair(writer, "opponent", list[i].name);
        json_put_pair_bool(writer, "yours", list[i].incoming);
        json_put_pair_bool(writer, "rated", list[i].rated);
        json_put_pair_int(writer, "days", list[i].days);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    free(list);
    return asked;
}

/* Its reports. */
static bool put_reports(JsonWriter *writer, Store *store, uint64_t account) {
    StoreReport *list = calloc(STORE_REPORTS_MAX, sizeof *list);
    uint32_t count = 0;
    bool asked = list != NULL && store_report_of(store, account, list, &count) == STORE_OK;
    json_open_list(writer, "reports");
    for (uint32_t i = 0; i < count; i++) {
        json_open(writer, '{');
        put_code(writer, list[i].match);
        json_put_pair_int(writer, "made_ms", (int64_t)list[i].made_ms);
        json_put_pair(writer, "reason", list[i].reason);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    free(list);
    return asked;
}

bool player_export_write(JsonWriter *writer, Store *store, uint64_t account, uint64_t now_ms) {
    StoreVacation vacation = {0};
    StoreLeft left;
    bool asked = put_relations(writer, store, account) && put_targets(writer, store, account) &&
                 put_challenges(writer, store, account) && put_reports(writer, store, account) &&
                 store_vacation(store, account, &vacation) == STORE_OK &&
                 leavers_read(store, account, now_ms, &left) == STORE_OK;
    if (!asked)
        return false;
    json_put_key(writer, "vacation");
    json_open(writer, '{');
    json_put_pair_int(writer, "until_ms", (int64_t)vacation.until_ms);
    json_put_pair_int(writer, "year", vacation.year);
    json_put_pair_int(writer, "days", vacation.used);
    json_close(writer, '}');
    json_put_pair_int(writer, "left", left.left);
    return true;
}
