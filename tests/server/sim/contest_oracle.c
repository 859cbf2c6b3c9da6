/* contest_oracle.c -- see contest_oracle.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/sim/contest_oracle.h"

ContestOracle contest_oracle;

void contest_oracle_reset(void (*fails)(const char *what, uint64_t number)) {
    memset(&contest_oracle, 0, sizeof contest_oracle);
    contest_oracle.fails = fails;
}

static uint64_t number_at(const uint8_t *bytes, uint32_t count) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

/* A pair: none of its players may be in another that has no result. In rounds nobody may be in two
 * pairs of a round, except against the same opponent. */
static void add_pair(const OraclePair *pair) {
    ContestOracle *oracle = &contest_oracle;
    if (oracle->count == CONTEST_PAIRS_MAX)
        oracle->fails("too many pairs", oracle->count);
    for (uint32_t i = 0; i < oracle->count; i++) {
        const OraclePair *other = &oracle->pairs[i];
        uint32_t same = 0;
        for (uint32_t k = 0; k < 4; k++)
            same += pair->players[k / 2] != CONTEST_NONE &&
                    pair->players[k / 2] == other->players[k % 2];
        if (pair->match != 0 && pair->match == other->match)
            oracle->fails("a match belongs to two pairs", pair->match);
        if (same > 0 && other->scores == 0 && other->players[1] != CONTEST_NONE && oracle->rounds)
            oracle->fails("a player is paired twice", pair->players[0]);
        if (same == 1 && oracle->rounds && pair->round == other->round && pair->round > 0)
            oracle->fails("a player has two opponents in a round", pair->players[0]);
    }
    oracle->pairs[oracle->count++] = *pair;
}

void contest_oracle_record(const StoreRecord *record) {
    ContestOracle *oracle = &contest_oracle;
    const uint8_t *bytes = record->bytes;
    if (record->kind == RECORD_CONTESTANT)
        oracle->players++;
    if (record->kind == RECORD_PAIRINGS)
        for (uint32_t i = 0; i < number_at(bytes + 4, 4); i++) {
            const uint8_t *at = bytes + 8 + 16 * (size_t)i;
            add_pair(&(OraclePair){
                .round = (uint32_t)number_at(bytes, 4),
                .players = {(uint32_t)number_at(at, 4), (uint32_t)number_at(at + 4, 4)},
                .match = number_at(at + 8, 8)});
        }
    if (record->kind != RECORD_CONTEST_CHANGE)
        return;
    uint32_t what = (uint32_t)number_at(bytes, 4), index = (uint32_t)number_at(bytes + 4, 4);
    oracle->over |= what == CONTEST_END;
    oracle->started |= what == CONTEST_START;
    if (what != CONTEST_SCORE)
        return;
    if (index >= oracle->count || ++oracle->pairs[index].scores > 1)
        oracle->fails("a result counts twice", index);
    oracle->pairs[index].score = (uint32_t)number_at(bytes + 8, 4) & 15;
}

void contest_oracle_finish(const StoreEntry *entry) {
    for (uint32_t i = 0; i < contest_oracle.count; i++)
        if (contest_oracle.pairs[i].match == entry->match) {
            contest_oracle.pairs[i].archived = true;
            contest_oracle.pairs[i].winner = entry->winner;
        }
}

void contest_oracle_told(const char *bytes, uint32_t count) {
    static const char state[] = "{\"type\":\"tournament\",", you[] = "{\"type\":\"tournament-you\"";
    char text[1024];
    snprintf(text, sizeof text, "%.*s", (int)count, bytes);
    if (strncmp(text, state, sizeof state - 1) == 0) {
        const char *at = strstr(text, "\"pairings\":");
        if (at != NULL && strtoul(at + 11, NULL, 10) > contest_oracle.count)
            contest_oracle.fails("pairs are told that are not durable", contest_oracle.count);
    }
    const char *table =
        strncmp(text, you, sizeof you - 1) == 0 ? strstr(text, "\"table\":\"") : NULL;
    uint64_t number = 0;
    char code[PROTO_CODE_MAX + 1] = "";
    if (table == NULL)
        return;
    memcpy(code, table + 9, PROTO_CODE_MAX);
    table_code_decode(code, &number);
    for (uint32_t i = 0; i < contest_oracle.count; i++)
        if (contest_oracle.pairs[i].match == number)
            return;
    contest_oracle.fails("a match is told whose pair is not durable", number);
}

void contest_oracle_end(void) {
    ContestOracle *oracle = &contest_oracle;
    if (!oracle->over)
        oracle->fails("the tournament does not end", oracle->count);
    for (uint32_t i = 0; i < oracle->count; i++) {
        const OraclePair *pair = &oracle->pairs[i];
        if (pair->players[1] == CONTEST_NONE)
            continue;
        if (pair->scores != 1)
            oracle->fails("a pair has no result", i);
        if (!pair->archived && pair->score != PROTO_SCORE_NONE)
            oracle->fails("a result without a match", i);
        if (pair->archived && pair->score < PROTO_SCORE_DRAW &&
            pair->winner != (int32_t)pair->score)
            oracle->fails("a result that is not that of the match", i);
        if (pair->archived && pair->score == PROTO_SCORE_DRAW && pair->winner != STORE_NOBODY)
            oracle->fails("a draw that was none", i);
    }
}
