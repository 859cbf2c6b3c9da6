/* fixture.h -- the fixture of most server tests: one server, three clients that may connect, and a
 * match of two of them. Also includes what cmocka needs before it. */
#ifndef TESTS_SERVER_FAKE_FIXTURE_H
#define TESTS_SERVER_FAKE_FIXTURE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/internal.h"
#include "tests/server/fake/arena.h"

/* The server of the running test, and the clients that may connect to it. */
extern TestServer arena;
extern TestClient ann, bob, eve;

/* Before each test: an empty server is open. */
int fixture_open(void **unused);
/* After each test: everybody leaves, the server closes. */
int fixture_close(void **unused);
/* Ann (a "person" or an "ai") at seat 0 and Bob play a duel of zorde with these further settings
 * ("": none) and have received its first position. */
void fixture_begin(const char *settings, const char *anns_role);
/* The player whose turn it is, according to Ann's last position; and the other one. */
TestClient *fixture_awaited(void);
TestClient *fixture_other(const TestClient *one);

#endif
