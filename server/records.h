/* records.h -- the records of a match in journal and archive, and recovering a match from them. */
#ifndef SERVER_RECORDS_H
#define SERVER_RECORDS_H
#include "server/table.h"
#include "store/resting.h"
#include "store/store.h"

/* Appends a record of now; `of`, `code`: what it is of, for the log. False: the store cannot. */
bool records_append(Server *server, StoreRecord *record, const char *of, const char *code,
                    uint64_t *ticket);
/* Records that the table waits, so that it is restored after a restart; and that it no longer needs
 * to be. */
void records_write_waiting(Table *table);
void records_forget(Table *table);
/* Records that the match begins, and its last step. False: the store does not accept it. */
bool records_write_begin(Table *table);
bool records_write_step(Table *table);
/* Records that only the first `count` actions remain. */
bool records_write_undo(Table *table, uint32_t count);
/* Records that an AI player has taken a seat. */
bool records_write_robot(Table *table, uint8_t seat, uint32_t level);
/* Records a line that a player said in a match that runs, so that it outlives the server.
 * Spectators' lines are not recorded, because what is written counts as the players'. */
void records_write_chat(Table *table, const Message *line);
/* Appends any other record of a match that runs: RECORD_PREPARED is written by prepared.c,
 * RECORD_TOKEN by table.c. */
bool records_write(Table *table, uint16_t kind, const void *bytes, uint32_t count);
/* Writes the finished match to the archive, or drops one in which no player has acted. */
void records_finish(Table *table);
/* How many actions of the game players have made in the match; AI players are not counted. */
uint32_t records_player_actions(const Table *table);
/* Recovers every match that was running and every table that waited; also those that came from
 * another node since. */
void records_recover(Server *server);
/* Opens a match over days again: its log becomes the first record of a new session in the journal.
 * NULL: the store does not accept it now, or (*lost) the match cannot go on and is archived. */
Table *records_open_session(Server *server, const StoreDays *days, const void *log, size_t count,
                            bool *lost);
/* The match as a file, in memory that the caller frees; NULL: no memory. */
char *records_match_file(Table *table, uint32_t *count);

/* Kinds of record: a match begins, one action, a table waits, several actions as one step, an
 * undo, a line of chat, an AI player that takes a seat, a turn left with the server, another token
 * of a seat. Those of tournaments are in contest.h. */
enum {
    RECORD_BEGIN = 1,
    RECORD_ACTION = 2,
    RECORD_OPEN = 3,
    RECORD_STEP = 4,
    RECORD_UNDO = 5,
    RECORD_CHAT = 6,
    RECORD_ROBOT = 7,
    RECORD_SESSION = 8, /* a match over days is opened again: its number and all its records */
    RECORD_PREPARED = 9,
    RECORD_TOKEN = 10,
};

/* The keys of a configuration, and a configuration from a record that has them. False: see the
 * problem. */
void records_put_config(JsonWriter *writer, const TableConfig *config);
bool records_read_config(Server *server, const StoreRecord *record, TableConfig *config,
                         MashText *problem);
/* The players of both seats, with tokens; one of them from a record, which has problems if it
 * cannot be read. */
void records_put_chairs(JsonWriter *writer, const Table *table);
void records_read_chair(const Json *json, uint32_t node, Chair *chair, MashProblems *problems);
/* The key for the account whose name somebody has; 0: there is none. */
void records_put_named(JsonWriter *writer, uint64_t account);
uint64_t records_read_named(const Json *json, uint32_t object);
/* The account of a player; 0: there is none. */
uint64_t records_read_account(const Json *json, uint32_t player);
/* The keys of a clock that has a bank of time; nothing for one that has none. */
void records_put_bank(JsonWriter *writer, const ClockLimits *clocks);

/* How many actions a record has: none unless it is one of actions, of a valid length. They are the
 * first bytes of the record. */
uint32_t records_actions(const StoreRecord *record);
/* Is the record an undo, of a valid length? And how many actions remain. */
bool records_undo(const StoreRecord *record, uint32_t *count);

/* All records of a match, as the journal has them. */
typedef struct JournalRecords {
    StoreRecord *list; /* their bytes are in `bytes` */
    uint8_t *bytes;
    uint32_t count;
} JournalRecords;

/* Writes a match that this program cannot recover to the archive as it was (unplayable.c); `why` is
 * the reason shown in the list. False: not now; it stays in the journal. */
bool unplayable_archive(Server *server, uint64_t number, const JournalRecords *records,
                        const char *why);

#endif
