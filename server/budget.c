/* budget.c -- see budget.h. */
#include "server/budget.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "server/internal.h"
#include "server/protocol.h"

enum {
    BUCKETS = 8192,
    BURST = 4,              /* of the messages per second, one in this many may come in a burst */
    IDLE_MAX = 65536,       /* idle accounts that are kept only for their daily quotas */
    MATCH_COST = 10,        /* of a match in the daily quota */
    LITTLE_COST = 1,        /* of a match in which hardly anything happened */
    WRITTEN_MAX = 64 << 20, /* the most bytes that one record counts for */
    COST_BYTES = 1024,      /* a message costs one more for each this many bytes */
    OWN_PER_SECOND = 10, /* messages that a socket may send whatever others of its address send */
    OWN_BURST = 20,
    PICTURES_AT_ONCE = 5, /* burst of pictures, likewise */
    LOADS_AT_ONCE = 3,    /* burst of content loads, in seconds of the rate */
    REFUSED_MAX =
        100 /* a connection is closed after this many refused messages, less accepted ones */
};

ServerBudgets budget_usual(void) {
    return (ServerBudgets){.tables = 100,
                           .listed = 25,
                           .matches_per_day = 2000,
                           .megabytes_per_day = 500,
                           .content_megabytes = 64,
                           .robots = 240,
                           .robots_in_all = 800,
                           .loads = 3,
                           .pictures = 10,
                           .logins = 300,
                           .messages = 30000,
                           .tournaments = 5,
                           .contestants = 600};
}

/* --- Accounts --------------------------------------------------------------------------------- */

bool accounts_open(Server *server) {
    Accounts *accounts = &server->accounts;
    accounts->unknown.held = 1; /* never dropped */
    net_random(server->loop, accounts->secret, sizeof accounts->secret);
    accounts->buckets = calloc(BUCKETS, sizeof(Account *));
    return accounts->buckets != NULL;
}

/* The hash bucket of this address. */
static Account **bucket_of(Accounts *accounts, uint64_t key) {
    return &accounts->buckets[hash_siphash(accounts->secret, key) % BUCKETS];
}

/* Removes it from the list of idle accounts. */
static void wake(Accounts *accounts, Account *account) {
    *(account->before != NULL ? &account->before->next : &accounts->idle_first) = account->next;
    *(account->next != NULL ? &account->next->before : &accounts->idle_last) = account->before;
    account->next = account->before = NULL;
    accounts->idle_count--;
}

/* Drops an idle account. */
static void drop(Accounts *accounts, Account *account) {
    Account **link = bucket_of(accounts, account->key);
    while (*link != account)
        link = &(*link)->bucket_next;
    *link = account->bucket_next;
    wake(accounts, account);
    accounts->count--;
    free(account);
}

void accounts_close(Server *server) {
    Accounts *accounts = &server->accounts;
    while (accounts->idle_first != NULL)
        drop(accounts, accounts->idle_first);
    assert(accounts->count == 0);
    free(accounts->buckets);
}

/* The time of the loop in microseconds. */
static uint64_t now_us(const Server *server) { return net_now_ms(server->loop) * 1000; }

/* Are its daily quotas fully restored, and its pictures, for which it need not stay connected? */
static bool settled(const Server *server, const Account *account) {
    uint64_t now = now_us(server);
    return account->matches.paid_us <= now && account->bytes.paid_us <= now &&
           account->pictures.full_ns / 1000 <= now;
}

/* Drops idle accounts whose quotas are restored, and the oldest if there are too many. Accounts
 * that are restored out of order are dropped when they reach the front of the list. */
static void tidy_up(Server *server) {
    Accounts *accounts = &server->accounts;
    while (accounts->idle_first != NULL &&
           (accounts->idle_count > IDLE_MAX || settled(server, accounts->idle_first)))
        drop(accounts, accounts->idle_first);
}

Account *account_enter(Server *server, const char *address) {
    Accounts *accounts = &server->accounts;
    uint64_t key = address_key(address);
    Account **bucket = bucket_of(accounts, key), *account = *bucket;
    while (account != NULL && account->key != key)
        account = account->bucket_next;
    if (account == NULL) {
        account = calloc(1, sizeof *account);
        if (account == NULL)
            return NULL;
        account->key = key;
        account->bucket_next = *bucket;
        *bucket = account;
        accounts->count++;
        account->held = 1;
    } else {
        account_keep(server, account);
    }
    tidy_up(server);
    return account;
}

void account_keep(Server *server, Account *account) {
    if (account != NULL && account->held++ == 0)
        wake(&server->accounts, account);
}

void account_leave(Server *server, Account *account) {
    Accounts *accounts = &server->accounts;
    if (account == NULL || --account->held > 0)
        return;
    account->before = accounts->idle_last;
    *(accounts->idle_last != NULL ? &accounts->idle_last->next : &accounts->idle_first) = account;
    accounts->idle_last = account;
    accounts->idle_count++;
    tidy_up(server);
}

/* --- Daily quotas ----------------------------------------------------------------------------- */

/* How long this much of a daily quota takes to be restored. */
static uint64_t cost_us(uint64_t amount, uint64_t per_day) {
    return amount * QUOTA_DAY_US / per_day;
}

/* How long to wait until this much may be used, when other nodes have this much of the day's quota;
 * 0: it may be used now. */
static uint64_t wait_us(const Server *server, Quota quota, uint64_t elsewhere_us, uint64_t amount,
                        uint64_t per_day) {
    uint64_t used = quota_used_us(quota, now_us(server));
    if (per_day == 0)
        return 0;
    used += elsewhere_us + cost_us(amount, per_day);
    return used > QUOTA_DAY_US ? used - QUOTA_DAY_US : 0;
}

uint64_t quota_used_us(Quota quota, uint64_t now_us) {
    return quota.paid_us > now_us ? quota.paid_us - now_us : 0;
}

/* Uses this much, even beyond the quota. */
static void use(const Server *server, Quota *quota, uint64_t amount, uint64_t per_day) {
    uint64_t now = now_us(server);
    if (per_day > 0)
        quota->paid_us = (quota->paid_us > now ? quota->paid_us : now) + cost_us(amount, per_day);
}

/* Refunds a charge that was not needed. */
static void give_back(Quota *quota, uint64_t amount, uint64_t per_day) {
    uint64_t cost = per_day > 0 ? cost_us(amount, per_day) : 0;
    quota->paid_us -= cost < quota->paid_us ? cost : quota->paid_us;
}

/* What an address may open per day, in the units of the quota. */
static uint64_t matches_a_day(const Server *server) {
    return (uint64_t)server->setup.budgets.matches_per_day * MATCH_COST;
}

/* How many bytes an address may have written per day. */
static uint64_t bytes_a_day(const Server *server) {
    return (uint64_t)server->setup.budgets.megabytes_per_day << 20;
}

/* --- Refusals --------------------------------------------------------------------------------- */

void budget_count(Server *server, BudgetKind kind) { server->accounts.refusals[kind]++; }

/* "Try again in 5 minutes." */
static void write_wait(uint64_t us, MashText *reason) {
    uint64_t seconds = (us + 999999) / 1000000;
    if (seconds < 120)
        text_format(reason, " Try again in %u seconds.", (unsigned)seconds);
    else if (seconds < 7200)
        text_format(reason, " Try again in %u minutes.", (unsigned)((seconds + 59) / 60));
    else
        text_format(reason, " Try again in %u hours.", (unsigned)((seconds + 3599) / 3600));
}

bool budget_may_begin(Server *server, const Account *account, MashText *reason) {
    const ServerBudgets *budgets = &server->setup.budgets;
    const Quota *matches = &account->matches, *bytes = &account->bytes;
    UsedElsewhere other = usage_elsewhere(server, account);
    uint64_t per_day = matches_a_day(server);
    uint64_t wait = wait_us(server, *matches, other.matches_us, MATCH_COST, per_day);
    if (wait > 0) {
        budget_count(server, BUDGET_MATCHES);
        usage_count(server, wait_us(server, *matches, 0, MATCH_COST, per_day) == 0);
        text_format(reason, "Your address has reached its limit of matches per day (%u).",
                    budgets->matches_per_day);
        write_wait(wait, reason);
        return false;
    }
    wait = wait_us(server, *bytes, other.bytes_us, 0, bytes_a_day(server));
    if (wait > 0) {
        budget_count(server, BUDGET_BYTES);
        usage_count(server, wait_us(server, *bytes, 0, 0, bytes_a_day(server)) == 0);
        text_format(reason,
                    "Matches from your address have reached their storage limit per day (%u MB).",
                    budgets->megabytes_per_day);
        write_wait(wait, reason);
        return false;
    }
    return true;
}

bool budget_may_sit(Server *server, const Account *account, const Table *table, MashText *reason) {
    uint32_t most = server->setup.budgets.tables;
    bool sits = table != NULL &&
                (table->chairs[0].account == account || table->chairs[1].account == account);
    if (most > 0 && account->tables + usage_elsewhere(server, account).tables >= most && !sits) {
        budget_count(server, BUDGET_TABLES);
        usage_count(server, account->tables < most);
        text_format(reason,
                    "Too many open tables from your address (%u). Finish or leave one first.",
                    most);
        return false;
    }
    return budget_may_begin(server, account, reason);
}

bool budget_may_load(Server *server, Account *account, MashText *reason) {
    uint32_t per_second = server->setup.budgets.loads;
    NetRate rate = {per_second, LOADS_AT_ONCE * per_second};
    if (per_second == 0 || token_bucket_take(&account->loads, rate, net_now_ms(server->loop), 1))
        return true;
    budget_count(server, BUDGET_CONTENT);
    text_string(reason, "Too many custom boards from your address. Try again in a second.");
    return false;
}

bool budget_may_draw(Server *server, const char *address, MashText *reason) {
    uint32_t per_second = server->setup.budgets.pictures;
    NetRate rate = {per_second, PICTURES_AT_ONCE * per_second};
    Account *account = per_second == 0 ? NULL : account_enter(server, address);
    bool may = per_second == 0 ||
               (account != NULL &&
                token_bucket_take(&account->pictures, rate, net_now_ms(server->loop), 1));
    account_leave(server, account);
    if (may)
        return true;
    budget_count(server, BUDGET_PICTURES);
    text_string(reason, "Too many pictures for your address. Try again in a second.");
    return false;
}

bool budget_may_log_in(Server *server, Account *account, bool dear, MashText *reason) {
    enum { MINUTE = 60, DEAR = 10 };
    uint32_t per_minute = server->setup.budgets.logins;
    NetRate rate = {per_minute,
                    per_minute * MINUTE}; /* in sixtieths: a minute's may come at once */
    if (per_minute == 0 || token_bucket_take(&account->logins, rate, net_now_ms(server->loop),
                                             dear ? DEAR * MINUTE : MINUTE))
        return true;
    budget_count(server, BUDGET_LOGINS);
    text_string(reason, "Too many logins from your address. Try again in a minute.");
    return false;
}

bool budget_may_hold(Server *server, const Account *account, uint64_t bytes, MashText *reason) {
    uint32_t most = server->setup.budgets.content_megabytes;
    if (most == 0 || account->content_bytes + bytes <= (uint64_t)most << 20)
        return true;
    budget_count(server, BUDGET_CONTENT);
    text_format(reason,
                "Tables from your address have reached their limit of custom files (%u MB). Finish "
                "or leave one first.",
                most);
    return false;
}

/* --- Tables ----------------------------------------------------------------------------------- */

void budget_seat(Table *table, uint8_t seat, Account *account) {
    Account **place = &table->chairs[seat].account, *old = *place;
    const Account *other = table->chairs[1 - seat].account;
    if (old == account)
        return;
    account_keep(table->server, account);
    *place = account;
    if (account != NULL && account != other) {
        account->tables++;
        usage_note(table->server, account);
    }
    if (old != NULL && old != other)
        old->tables--;
    account_leave(table->server, old);
}

/* The account of a seat, unless the other seat has the same: each is charged once. NULL: none. */
static Account *charged(const Table *table, uint32_t seat) {
    Account *account = table->chairs[seat].account;
    return seat == 1 && account == table->chairs[0].account ? NULL : account;
}

void budget_match(Table *table) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (charged(table, seat) != NULL) {
            use(table->server, &charged(table, seat)->matches, MATCH_COST,
                matches_a_day(table->server));
            usage_note(table->server, charged(table, seat));
        }
}

void budget_match_over(Table *table, bool little) {
    for (uint32_t seat = 0; little && seat < MASH_SEATS; seat++)
        if (charged(table, seat) != NULL)
            give_back(&charged(table, seat)->matches, MATCH_COST - LITTLE_COST,
                      matches_a_day(table->server));
}

void budget_write(Table *table, uint64_t bytes) {
    uint64_t counted = bytes < WRITTEN_MAX ? bytes : WRITTEN_MAX;
    uint32_t accounts = 0;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        accounts += charged(table, seat) != NULL;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (charged(table, seat) != NULL) {
            use(table->server, &charged(table, seat)->bytes, counted / accounts,
                bytes_a_day(table->server));
            usage_note(table->server, charged(table, seat));
        }
}

/* --- Messages --------------------------------------------------------------------------------- */

/* One message too many: it is refused, and a client that continues for long is disconnected. */
static void refuse(Session *session) {
    Server *server = session->server;
    budget_count(server, BUDGET_MESSAGES);
    if (++session->refused_messages >= REFUSED_MAX) {
        session->closing = true; /* messages that are still in transit are ignored */
        net_close(session->connection, NET_CLOSE_POLICY, "too many messages from your address");
        return;
    }
    session->protocol->dropped(session);
}

bool budget_receive(Session *session, uint32_t bytes) {
    static const NetRate own = {OWN_PER_SECOND, OWN_BURST};
    Server *server = session->server;
    uint32_t per_second = server->setup.budgets.messages;
    NetRate all = {per_second, per_second / BURST + 1};
    uint64_t now_ms = net_now_ms(server->loop);
    uint32_t cost = 1 + bytes / COST_BYTES;
    if (session->closing)
        return false;
    if (token_bucket_take(&session->account->messages, all, now_ms, cost) ||
        token_bucket_take(&session->messages, own, now_ms, cost)) {
        session->refused_messages -= session->refused_messages > 0;
        return true;
    }
    refuse(session);
    return false;
}

void budget_charge(Session *session, uint32_t cost) {
    static const uint64_t second_ns = 1000000000;
    uint32_t per_second = session->server->setup.budgets.messages;
    uint64_t now_ns = net_now_ms(session->server->loop) * 1000000;
    TokenBucket *bucket = &session->account->messages;
    if (per_second == 0)
        return;
    uint64_t full_ns = bucket->full_ns > now_ns ? bucket->full_ns : now_ns;
    full_ns += cost * second_ns / per_second;
    bucket->full_ns = full_ns < now_ns + second_ns ? full_ns : now_ns + second_ns;
}
