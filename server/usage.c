/* usage.c -- see usage.h: what an address uses at all nodes together. */
#include "server/usage.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "server/internal.h"

/* HEAVY: an address that uses one part in this many of a limit is reported to other nodes; TICK_MS:
 * how often; AGAIN_MS: also if nothing has changed, so that reports of a lost node can be forgotten
 * after FORGET_MS; PARTS: the precision of reported quotas; and the most addresses that a node
 * reports and reads. */
enum {
    HEAVY = 8,
    TICK_MS = 1000,
    AGAIN_MS = 20000,
    FORGET_MS = 60000,
    PARTS = 1000,
    ADDRESSES_MAX = 1000,
    LINE_BYTES = 64
};

static const uint64_t part_us = QUOTA_DAY_US / PARTS;

/* --- Reports of this node --------------------------------------------------------------------- */

/* Does it use so much here that it is reported? */
static bool is_heavy(const Server *server, const Account *account) {
    uint32_t most = server->setup.budgets.tables;
    uint64_t now_us = net_now_ms(server->loop) * 1000;
    return (most > 0 && (uint64_t)account->tables * HEAVY >= most) ||
           quota_used_us(account->matches, now_us) >= QUOTA_DAY_US / HEAVY ||
           quota_used_us(account->bytes, now_us) >= QUOTA_DAY_US / HEAVY;
}

/* Its share of what is restored, while others restore theirs: moves the time at which this node
 * will have restored all. */
static void restore_share(Quota *quota, uint64_t other_us, uint64_t passed_us, uint64_t now_us) {
    uint64_t own_us = quota_used_us(*quota, now_us);
    if (own_us > 0)
        quota->paid_us +=
            (uint64_t)((double)passed_us * (double)other_us / ((double)own_us + (double)other_us));
}

/* Removes it from the list, which has held it. */
static void forget(Server *server, Account *account) {
    SERVER_UNLINK(server->usage.first, account, heavy_before, heavy_next);
    account->heavy = false;
    account_leave(server, account);
}

/* Appends the report of an address. */
static void write_line(const Account *account, uint64_t now_us, MashText *text) {
    text_hex(text, hash_number(1, account->key), 16);
    text_format(text, " %u", account->tables);
    const Quota quotas[] = {account->matches, account->bytes};
    for (uint32_t i = 0; i < 2; i++)
        text_format(text, " %u", (unsigned)(quota_used_us(quotas[i], now_us) / part_us));
    text_byte(text, '\n');
}

/* The document: a line for each address that uses much; the others are dropped from the list. NULL:
 * no memory. */
static char *write_document(Server *server) {
    uint64_t now_us = net_now_ms(server->loop) * 1000;
    uint32_t max = ADDRESSES_MAX * LINE_BYTES;
    char *bytes = malloc(max);
    if (bytes == NULL)
        return NULL;
    MashText text = text_over(bytes, max);
    uint32_t count = 0;
    for (Account *account = server->usage.first, *next; account != NULL; account = next) {
        next = account->heavy_next;
        if (!is_heavy(server, account))
            forget(server, account);
        else if (count++ < ADDRESSES_MAX)
            write_line(account, now_us, &text);
    }
    return bytes;
}

/* Writes the report, if something has changed or it is time to repeat it. */
static void tell(Server *server) {
    Usage *usage = &server->usage;
    uint64_t now_ms = net_now_ms(server->loop);
    char name[STORE_DOCUMENT_NAME_BYTES], head[2 * LINE_BYTES];
    char *lines = write_document(server);
    bool same = lines != NULL && usage->told != NULL && strcmp(lines, usage->told) == 0;
    bool again = lines != NULL && lines[0] != '\0' && now_ms >= usage->told_ms + AGAIN_MS;
    if (lines == NULL || (same && !again)) {
        free(lines);
        return;
    }
    MashText text = text_over(name, sizeof name), first = text_over(head, sizeof head);
    text_format(&text, "used-%u", server->setup.store.node);
    text_format(&first, "%u %u\n", server->setup.store.node, (unsigned)(now_ms / TICK_MS));
    char *all = malloc(first.count + strlen(lines) + 1);
    if (all != NULL) {
        memcpy(all, head, first.count);
        memcpy(all + first.count, lines, strlen(lines) + 1);
        store_share(server->store, name, all, strlen(all));
    }
    free(all);
    free(usage->told);
    usage->told = lines;
    usage->told_ms = now_ms;
}

/* Each second, while addresses use much here. */
static void on_tick(void *owner) {
    Server *server = owner;
    Usage *usage = &server->usage;
    uint64_t now_ms = net_now_ms(server->loop), passed_us = (now_ms - usage->ticked_ms) * 1000;
    usage->timed = false;
    if (server->draining || server->failed)
        return;
    for (Account *account = usage->first; account != NULL; account = account->heavy_next) {
        UsedElsewhere other = usage_elsewhere(server, account);
        restore_share(&account->matches, other.matches_us, passed_us, now_ms * 1000);
        restore_share(&account->bytes, other.bytes_us, passed_us, now_ms * 1000);
    }
    usage->ticked_ms = now_ms;
    tell(server);
    usage->timed = usage->first != NULL;
    if (usage->timed)
        net_timer_start(usage->timer, TICK_MS);
}

void usage_note(Server *server, Account *account) {
    Usage *usage = &server->usage;
    if (account->heavy || !store_is_shared(server->store) || server->draining ||
        account == &server->accounts.unknown || !is_heavy(server, account))
        return;
    if (usage->timer == NULL)
        usage->timer = net_timer_open(server->loop, on_tick, server);
    if (usage->timer == NULL)
        return; /* no memory: the next time */
    account_keep(server, account);
    account->heavy = true;
    SERVER_LINK(usage->first, account, heavy_before, heavy_next);
    if (!usage->timed) {
        usage->ticked_ms = net_now_ms(server->loop);
        net_timer_start(usage->timer, TICK_MS);
    }
    usage->timed = true;
}

void usage_close(Server *server) {
    while (server->usage.first != NULL)
        forget(server, server->usage.first);
    net_timer_close(server->usage.timer);
    free(server->usage.told);
    free(server->usage.others);
}

/* --- Reports of other nodes ------------------------------------------------------------------- */

/* Forgets what a node has reported, and reports that are too old. */
static void drop_old(Usage *usage, uint32_t node, uint64_t now_ms) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < usage->others_count; i++)
        if (usage->others[i].node != node && now_ms < usage->others[i].said_ms + FORGET_MS)
            usage->others[kept++] = usage->others[i];
    usage->others_count = kept;
}

/* A number at a place, which is moved behind it and one character more. */
static uint64_t read_number(const char **at, int base) {
    char *end;
    uint64_t number = strtoull(*at, &end, base);
    *at = *end == '\0' ? end : end + 1;
    return number;
}

/* Reads the report of another node. */
static void read_document(Server *server, const char *at) {
    Usage *usage = &server->usage;
    uint64_t now_ms = net_now_ms(server->loop);
    uint32_t node = (uint32_t)read_number(&at, 10), count = 0;
    read_number(&at, 10);
    drop_old(usage, node, now_ms);
    if (node == server->setup.store.node)
        return; /* reported before we were started */
    OtherUsage *more =
        realloc(usage->others, (usage->others_count + ADDRESSES_MAX) * sizeof *usage->others);
    if (more == NULL)
        return;
    usage->others = more;
    for (; *at != '\0' && count < ADDRESSES_MAX; count++) {
        OtherUsage *other = &more[usage->others_count + count];
        *other = (OtherUsage){.node = node, .said_ms = now_ms};
        other->key = read_number(&at, 16);
        other->tables = (uint32_t)read_number(&at, 10);
        other->matches_us = read_number(&at, 10) % (10 * PARTS) * part_us;
        other->bytes_us = read_number(&at, 10) % (10 * PARTS) * part_us;
    }
    usage->others_count += count;
}

void usage_take_shared(Server *server) {
    size_t count;
    for (char *bytes; (bytes = store_take_shared(server->store, "used-*", &count)) != NULL;) {
        read_document(server, bytes);
        free(bytes);
    }
}

UsedElsewhere usage_elsewhere(Server *server, const Account *account) {
    const Usage *usage = &server->usage;
    uint64_t key = hash_number(1, account->key), now_ms = net_now_ms(server->loop);
    UsedElsewhere all = {0};
    for (uint32_t i = 0; i < usage->others_count; i++) {
        const OtherUsage *other = &usage->others[i];
        if (other->key != key || now_ms >= other->said_ms + FORGET_MS)
            continue;
        all.tables += other->tables;
        all.matches_us += other->matches_us;
        all.bytes_us += other->bytes_us;
    }
    return all;
}

void usage_count(Server *server, bool elsewhere) { server->usage.refusals += elsewhere; }
