/* record_chairs.c -- see records.h: the players of a match in its first record. */
#include "server/internal.h"
#include "server/records.h"

/* --- Writing ---------------------------------------------------------------------------------- */

void records_put_named(JsonWriter *writer, uint64_t account) {
    char digits[16 + 1];
    MashText text = text_over(digits, sizeof digits);
    text_hex(&text, account, 16);
    json_put_pair(writer, "named", digits);
}

/* An account as 16 digits; 0: there is none. */
static uint64_t read_id(const Json *json, uint32_t object, const char *key) {
    char digits[16 + 1];
    uint64_t id = 0;
    uint32_t node = json_member(json, object, key);
    MashText text = text_over(digits, sizeof digits);
    if (node != JSON_NONE)
        json_string(json, node, &text);
    for (const char *at = digits; node != JSON_NONE && text_hex_digit(*at) >= 0; at++)
        id = id << 4 | (uint64_t)text_hex_digit(*at);
    return id;
}

uint64_t records_read_named(const Json *json, uint32_t object) {
    return read_id(json, object, "named");
}

uint64_t records_read_account(const Json *json, uint32_t player) {
    return read_id(json, player, "account");
}

/* The account of a player, and the rating that is shown. */
static void put_account(JsonWriter *writer, const Chair *chair) {
    char digits[16 + 1];
    MashText text = text_over(digits, sizeof digits);
    text_hex(&text, chair->player, 16);
    json_put_pair(writer, "account", digits);
    json_put_pair_int(writer, "rating", chair->rating);
    json_put_pair_int(writer, "provisional", chair->provisional);
}

void records_put_chairs(JsonWriter *writer, const Table *table) {
    json_put_key(writer, "players");
    json_open(writer, '[');
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        json_open(writer, '{');
        if (chair->taken) {
            json_put_pair(writer, "name", chair->name);
            json_put_pair(writer, "role", choice_id(PROTO_ROLES_LIST, chair->role));
            json_put_pair(writer, "token", chair->token);
            json_put_pair_int(writer, "robot", chair->robot);
            if (chair->identity[0] != '\0')
                json_put_pair(writer, "identity", chair->identity);
            if (chair->player != 0)
                put_account(writer, chair);
            if (chair->named != 0)
                records_put_named(writer, chair->named);
        }
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The account of a player, if it has one. */
static void read_account(const Json *json, uint32_t node, Chair *chair, MashProblems *problems) {
    int32_t number;
    chair->named = records_read_named(json, node);
    chair->player = records_read_account(json, node);
    if (chair->player == 0)
        return;
    json_int_at(json, node, "rating", 0, INT32_MAX, &chair->rating, problems);
    json_int_at(json, node, "provisional", 0, INT32_MAX, &number, problems);
    chair->provisional = number != 0;
}

void records_read_chair(const Json *json, uint32_t node, Chair *chair, MashProblems *problems) {
    static const char *const roles[] = {"person", "ai"};
    uint32_t role;
    int32_t level;
    if (json_member(json, node, "name") == JSON_NONE)
        return; /* the seat is free */
    chair->taken = true;
    json_line_at(json, node, "name", chair->name, sizeof chair->name, problems);
    json_choice_at(json, node, "role", roles, 2, &role, problems);
    json_line_at(json, node, "token", chair->token, sizeof chair->token, problems);
    chair->role = (uint8_t)role;
    json_int_at(json, node, "robot", 0, PROTO_LEVEL_MAX, &level, problems);
    chair->robot = (uint32_t)level;
    if (json_member(json, node, "identity") != JSON_NONE)
        json_line_at(json, node, "identity", chair->identity, sizeof chair->identity, problems);
    read_account(json, node, chair, problems);
}
