/* leavers.c -- see leavers.h. */
#include "server/leavers.h"

#include "server/internal.h"

enum {
    LATELY_DAYS = 30,
    LEFT_LEAST = 3, /* so many are often, */
    LEFT_SHARE = 5, /* if they are at least one in five of all that were played */
    DAY_MS = 86400000
};

uint64_t leavers_account(const Table *table, uint32_t seat) {
    const Chair *chair = &table->chairs[seat];
    MashResult result = match_result(&table->match);
    bool lost = result.over && result.winner < MASH_SEATS && result.winner != seat;
    bool gone = result.reason == MASH_REASON_LEFT && !chair->left;
    if (chair->gone != 0)
        return chair->gone;
    if (table->leaver == seat + 1 || (lost && (gone || result.reason == MASH_REASON_SILENT)))
        return chair->player;
    return 0;
}

/* When what is not counted any more was left. */
static uint64_t since(uint64_t now_ms) {
    uint64_t lately_ms = (uint64_t)LATELY_DAYS * DAY_MS;
    return now_ms > lately_ms ? now_ms - lately_ms : 0;
}

StoreStatus leavers_read(Store *store, uint64_t account, uint64_t now_ms, StoreLeft *count) {
    return store_left_count(store, account, since(now_ms), count);
}

StoreStatus leavers_note(Store *store, uint64_t account, uint64_t match, uint64_t now_ms) {
    return store_left(store, account, match, now_ms, since(now_ms));
}

bool leavers_often(const StoreLeft *count) {
    return count->left >= LEFT_LEAST && count->left * LEFT_SHARE >= count->played;
}

void leavers_set(Server *server, uint64_t account, bool often) {
    for (Session *one = server->sessions; one != NULL; one = one->next_all)
        if (one->player != NULL && one->player->id == account)
            one->player->leaves = often;
}

bool leavers_alike(const Session *session, const Table *table) {
    bool leaves = session->player != NULL && session->player->leaves;
    return leaves == table->chairs[table->chairs[0].taken ? 0 : 1].leaves;
}
