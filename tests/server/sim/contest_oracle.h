/* contest_oracle.h -- what must be true of a tournament, known only from the records that the store
 * has made durable, in their order, and the matches that came to the archive: nobody is paired
 * while paired already, each match belongs to one pair, each pair has one result, which is that of
 * its match in the archive, and nothing is told that is not kept. */
#ifndef TESTS_SERVER_SIM_CONTEST_ORACLE_H
#define TESTS_SERVER_SIM_CONTEST_ORACLE_H
#include "server/contest.h"
#include "store/store.h"

/* The most pairs of a tournament. */
enum { CONTEST_PAIRS_MAX = 2000 };

/* A pair as its durable record has it. */
typedef struct OraclePair {
    uint64_t match;
    uint32_t round, players[2], scores, score;
    bool archived;
    int32_t winner;
} OraclePair;

/* What is durable of the one tournament there is. */
typedef struct ContestOracle {
    OraclePair pairs[CONTEST_PAIRS_MAX];
    uint32_t count, players;
    bool started, over;
    bool rounds; /* whoever is paired plays at once */
    void (*fails)(const char *what, uint64_t number);
} ContestOracle;
extern ContestOracle contest_oracle;

/* Forgets everything. */
void contest_oracle_reset(void (*fails)(const char *what, uint64_t number));
/* A record of the tournament is durable. */
void contest_oracle_record(const StoreRecord *record);
/* A match came to the archive. */
void contest_oracle_finish(const StoreEntry *entry);
/* A message was sent: it tells of nothing that is not durable. */
void contest_oracle_told(const char *bytes, uint32_t count);
/* The tournament is over: every pair has one result, and it is that of the archive. */
void contest_oracle_end(void);

#endif
