/* accounts.h -- players with accounts in tests of matches over days: Ann and Bob of fixture.h claim
 * names, play a match over days, go, and come back. */
#ifndef TESTS_SERVER_FAKE_ACCOUNTS_H
#define TESTS_SERVER_FAKE_ACCOUNTS_H
#include "tests/server/fake/fixture.h"

#define ANNS_KEY "00112233445566778899aabbccddeeff"
#define BOBS_KEY "ffeeddccbbaa99887766554433221100"

/* Longer than a deserted match stays in memory. */
enum { ACCOUNTS_REST_MS = 15000 };

/* Connects a client and claims a name; connects it again and logs in. */
void accounts_claim(TestClient *client, const char *name, const char *key);
void accounts_log_in(TestClient *client, const char *key);
/* The key of Ann or Bob. */
const char *accounts_key(const TestClient *client);
/* Ann (seat 0) and Bob claim names and play this game with three days for each turn and these
 * further settings. */
void accounts_begin(const char *game, const char *settings);
/* The code of their table. */
extern char accounts_code[PROTO_CODE_MAX + 1];
/* Everybody goes, and the match rests. */
void accounts_rest(void);
/* Logs in and returns to the seat by the table's code. */
void accounts_return(TestClient *client);

#endif
