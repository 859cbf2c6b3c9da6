/* account_backend.h -- what a backend has to do for accounts (accounts.h): run one of these
 * statements as one transaction. Only for store/. */
#ifndef STORE_ACCOUNT_BACKEND_H
#define STORE_ACCOUNT_BACKEND_H
#include "store/erasing.h"

/* The columns of an account and of a rating, in the SQL of every backend. */
#define ACCOUNT_COLUMNS                                                                            \
    "a.id, a.name, a.folded, a.program, a.private, a.made_ms, a.renamed_ms, a.password"
#define RATING_COLUMNS                                                                             \
    "r.account, r.game, r.pace, r.rating, r.deviation, r.volatility, r.certain_ms, r.rated_ms, "   \
    "r.rated, r.matches, r.wins, r.draws, r.losses, r.streak, r.best"

/* The statements, and their parameters in order. Each backend has them in its own SQL. */
typedef enum AccountStatement {
    ACCOUNT_MAKE,    /* id, name, folded, program, made_ms, key: a row if it is made */
    ACCOUNT_BY_ID,   /* id: the columns of an account */
    ACCOUNT_BY_NAME, /* folded: the same */
    ACCOUNT_BY_KEY,  /* key, now_ms: the same, and the kind of the key */
    ACCOUNT_CHANGE,  /* id, name, folded, private, renamed_ms, password, and what name, private,
                        renamed_ms and password were: 1 done, 0 it was not so, 2 the name is taken;
                        no row: no account */
    ACCOUNT_DELETE, /* id, now_ms, forget_ms: the account that is gone, and those of its programs */
    ACCOUNT_KEY_ADD,  /* account, key, kind, made_ms, expires_ms: the account that has it then */
    ACCOUNT_KEY_SWAP, /* code, device, now_ms: a row if the device belongs to the code's account */
    ACCOUNT_KEYS,     /* account: key, kind, made_ms, expires_ms */
    ACCOUNT_KEY_DROP, /* account, key */
    ACCOUNT_KEY_ONLY, /* account, key */
    ACCOUNT_RATINGS,  /* account: the columns of a rating */
    ACCOUNT_MET,      /* account, other, game, since_ms: how many */
    ACCOUNT_LEADERS,  /* game, pace, program, now_ms, max: the columns of a rating, name */
    ACCOUNT_COUNT_MATCH, /* match, ended_ms, game, pace, rated, weight, then for each seat account,
                            program, name, result, rating, deviation, volatility, certain_ms,
                            change, expected, and for each seat its opening: a row for each seat
                            that is counted: seat, rating, change, whether its account exists or
                            it has none; seat -1: none of them is */
    ACCOUNT_PLAYED,      /* account, rated, below_ms, below_match, max: the columns of a match */
    ACCOUNT_PLAYED_GAME, /* the same, game, pace (-1: any) */
    ACCOUNT_OPENINGS,    /* account, game, max: opening, wins, draws, losses */
    ACCOUNT_TOTAL,       /* how many accounts */
    LEFT_PUT,            /* account, match, left_ms, forget_ms: forgets what is older than that */
    LEFT_COUNT,          /* account, since_ms: how many were left, how many were played */
    DAYS_PUT,       /* match, session, generation, game, days, account0, account1, awaited, began0,
                       began1: the columns of a match over days */
    DAYS_PARK,      /* match, session, records: its session */
    DAYS_TAKE,      /* match, session, now_ms: the columns of a match over days, its records */
    DAYS_DROP,      /* match, session */
    DAYS_DUE,       /* now_ms, max: match */
    DAYS_ADRIFT,    /* max: the columns of a match over days, how many bytes its records have */
    DAYS_FREE,      /* match, session */
    DAYS_LIST,      /* account, max: the columns of a turn */
    DAYS_COUNT,     /* account (0: all): how many */
    VACATION,       /* account: until_ms, year, used */
    VACATION_SET,   /* account, now_ms, days, year: the same */
    VACATION_END,   /* account, now_ms: the same */
    NOTICE_SET,     /* account, kind, target, keys, made_ms: a row if it is there */
    NOTICE_DROP,    /* account, kind, target (empty: all) */
    NOTICE_LIST,    /* account: kind, target, keys */
    NOTICE_CLAIM,   /* match, seat: a StoreClaim */
    RELATION_SET,   /* account, other, kind, on, made_ms: a row if it is there */
    RELATION_LIST,  /* account: kind, other, name */
    RELATION_BLOCK, /* account, other: a row if one of them blocks the other */
    CHALLENGE_PUT,  /* match, account, other, game, days, rated, made_ms: a row if it is there */
    CHALLENGE_DROP, /* match */
    CHALLENGE_LIST, /* account, since_ms: match, game, days, rated, incoming, name */
    REPORT_MAKE,    /* id, match, account, reason, made_ms: a row if it is there */
    REPORT_LIST,    /* closed: id, match, name, reason, made_ms, note */
    REPORT_OF,      /* account: the same, but for an empty name */
    REPORT_CLOSE,   /* id, note, now_ms: a row if there is one */
    BOT_MAKE,       /* id, name, folded, owner, made_ms, key: a row if it is made */
    BOT_LIST,       /* owner: id, name */
    GONE_LIST,      /* at_ms, account, max: account, at_ms of those behind */
    NAMED_PUT,      /* account, match, seat: a row if there is such an account */
    ERASED_LIST,    /* match, seat, last, max: match, seat of those behind, up to the last match */
    ERASED_DROP,    /* match, seat (-1: all) */
    ERASED_LOOK,    /* match: is it open; and in a database that has the archive: the version of its
                       row or -1, its players, the bytes of its file */
    ERASE,          /* match, version, players, file, bytes that it is longer, four names that stay,
                       seats as digits with commas: a row if it was of this version */
    ACCOUNT_STATEMENTS
} AccountStatement;

/* A parameter or the value of a column: bytes, or a number if `bytes` is NULL. */
typedef struct AccountValue {
    const void *bytes;
    int64_t number; /* or how many bytes */
} AccountValue;
enum { ACCOUNT_VALUES_MAX = 28 };

/* Runs a statement, and calls `row` for each row of its answer. STORE_TAKEN: a unique value is
 * there already. */
typedef StoreStatus AccountRun(void *owner, AccountStatement which, const AccountValue *values,
                               uint32_t count, void (*row)(void *out, const AccountValue *columns),
                               void *out);

/* --- For those who ask: accounts.c, relations.c, resting.c ------------------------------------ */

/* The parameters of a statement. */
typedef struct AccountParameters {
    AccountValue list[ACCOUNT_VALUES_MAX];
    uint32_t count;
} AccountParameters;
/* Appends a number, bytes, a text. */
void account_put(AccountParameters *all, int64_t number);
void account_put_bytes(AccountParameters *all, const void *bytes, size_t count);
void account_put_text(AccountParameters *all, const char *text);
/* Copies the bytes of a column as a string, truncated to the size of the destination. */
void account_take_text(const AccountValue *value, char *out, size_t max);
/* Runs a statement of the store. */
StoreStatus account_run(Store *store, AccountStatement which, const AccountParameters *all,
                        void (*row)(void *out, const AccountValue *columns), void *out);
/* The first number of the first row, and how many rows there were. */
typedef struct FirstNumber {
    int64_t number;
    uint32_t rows;
} FirstNumber;
/* Runs a statement that answers by one number. */
StoreStatus account_run_number(Store *store, AccountStatement which, const AccountParameters *all,
                               FirstNumber *first);

/* A list that is filled row by row. */
typedef struct AccountList {
    void *list;
    uint32_t max, count;
} AccountList;
/* The place for one more of this size; NULL: the list is full. */
void *account_list_next(AccountList *list, size_t bytes);
/* Runs a statement that answers by rows; `row` gets an AccountList as `out`. */
StoreStatus account_run_list(Store *store, AccountStatement which, const AccountParameters *all,
                             void (*row)(void *out, const AccountValue *columns), void *list,
                             uint32_t max, uint32_t *count);

/* --- The implementation for one machine: a SQLite file ---------------------------------------- */

typedef struct AccountFile AccountFile;
/* Opens the file, making it if needed; ":memory:" keeps nothing. NULL = with a problem. */
AccountFile *account_file_open(const char *path, MashText *problem);
/* NULL is ignored. */
void account_file_close(AccountFile *file);
/* For a backup, of a file that may be in use; one that is not there, or of an older program, has
 * none. A number that changes with each account that is deleted, and the names that are still to be
 * taken out, in memory that the caller frees; notes such names in a copy. False = with a problem.
 */
typedef struct AccountNames {
    StoreErased *list;
    uint32_t count;
    int64_t gone;
} AccountNames;
bool account_file_names(const char *path, AccountNames *names, MashText *problem);
bool account_file_note(const char *path, const AccountNames *names, MashText *problem);
/* AccountRun of an AccountFile. */
StoreStatus account_file_run(void *file, AccountStatement which, const AccountValue *values,
                             uint32_t count, void (*row)(void *out, const AccountValue *columns),
                             void *out);

#endif
