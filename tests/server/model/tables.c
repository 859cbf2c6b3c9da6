/* tables.c -- see model.h: rows with their versions, locks and transactions of one machine. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/model/model.h"

/* --- Memory ----------------------------------------------------------------------------------- */

void *model_memory(size_t bytes) {
    void *memory = calloc(1, bytes == 0 ? 1 : bytes);
    assert(memory != NULL);
    if (model.memory_count == model.memory_max) {
        model.memory_max = model.memory_max * 2 + 1024;
        model.memory = realloc(model.memory, model.memory_max * sizeof *model.memory);
        assert(model.memory != NULL);
    }
    model.memory[model.memory_count++] = memory;
    return memory;
}

/* Notes what the session's transaction does. */
static void note(Backend *session, Change change) {
    Transaction *transaction = session->transaction;
    if (transaction->count == transaction->max) {
        Change *more = model_memory((transaction->max * 2 + 4) * sizeof *more);
        if (transaction->count > 0)
            memcpy(more, transaction->changes, transaction->count * sizeof *more);
        transaction->changes = more;
        transaction->max = transaction->max * 2 + 4;
    }
    transaction->changes[transaction->count++] = change;
}

/* --- Versions --------------------------------------------------------------------------------- */

/* What was there before the machine started. */
static Transaction ancient = {.visible = 1};

bool same_key(const Row *a, const Row *b) {
    if (a->table != b->table || a->key[0] != b->key[0] || a->key[1] != b->key[1])
        return false;
    if (a->table != PEOPLE && a->table != DOCUMENTS)
        return true;
    return a->text[0].count == b->text[0].count &&
           memcmp(a->text[0].bytes, b->text[0].bytes, (size_t)a->text[0].count) == 0;
}

/* May only one of the two be there, by the unique index of this number? */
static bool conflicts(const Row *a, const Row *b, int index) {
    return index == 0 ? same_key(a, b) : a->value[MATCH_ID] == b->value[MATCH_ID];
}

bool sees(const Backend *session, const Version *version) {
    const Transaction *made = version->made, *gone = version->gone;
    if (made->visible == 0 || made->visible > session->snapshot)
        return false;
    return gone == NULL || gone->visible == 0 || gone->visible > session->snapshot;
}

Version *rows_add(Machine *machine, const Row *row, Transaction *made) {
    TableOf table = row->table;
    if (machine->versions_count[table] == machine->versions_max[table]) {
        uint32_t max = machine->versions_max[table] = machine->versions_max[table] * 2 + 64;
        machine->versions[table] = realloc(machine->versions[table], max * sizeof(Version *));
        assert(machine->versions[table] != NULL);
    }
    Version *version = calloc(1, sizeof *version);
    assert(version != NULL);
    *version = (Version){.row = row, .made = made};
    machine->versions[table][machine->versions_count[table]++] = version;
    return version;
}

/* Frees the versions for which `gone` says so, and keeps the others in order. */
static void sweep(Machine *machine, bool (*gone)(const Version *version)) {
    for (int table = 0; table < TABLES; table++) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < machine->versions_count[table]; i++) {
            Version *version = machine->versions[table][i];
            if (gone(version))
                free(version);
            else
                machine->versions[table][kept++] = version;
        }
        machine->versions_count[table] = kept;
    }
}

static bool is_removed(const Version *version) {
    return version->made->aborted || (version->gone != NULL && version->gone->visible != 0);
}

void rows_vacuum(Machine *machine) { sweep(machine, is_removed); }

static bool always(const Version *version) {
    (void)version;
    return true;
}

void rows_drop(Machine *machine) {
    sweep(machine, always);
    for (int table = 0; table < TABLES; table++) {
        free(machine->versions[table]);
        machine->versions[table] = NULL;
        machine->versions_max[table] = 0;
    }
    free(machine->locks);
    machine->locks = NULL;
    machine->locks_count = machine->locks_max = 0;
}

/* Does again what a transaction did. */
static void redo(Machine *machine, const Change *change) {
    if (change->row == NULL) {
        machine->sequence = machine->sequence_logged = change->sequence;
        return;
    }
    if (!change->removed) {
        rows_add(machine, change->row, &ancient);
        return;
    }
    TableOf table = change->row->table;
    for (uint32_t i = 0; i < machine->versions_count[table]; i++)
        if (machine->versions[table][i]->row == change->row)
            machine->versions[table][i]->gone = &ancient;
}

void rows_rebuild(Machine *machine) {
    rows_drop(machine);
    machine->visible = 1;
    machine->sequence = machine->sequence_logged = 0;
    for (uint32_t i = 0; i < machine->log_count; i++)
        for (uint32_t k = 0; k < machine->log[i]->count; k++)
            redo(machine, &machine->log[i]->changes[k]);
    rows_vacuum(machine);
}

/* --- Locks ------------------------------------------------------------------------------------ */

Machine *machine_of(const Backend *session) { return &model.machines[session->machine]; }

/* Is the transaction under way: neither visible nor aborted? */
static bool is_open(const Transaction *transaction) {
    return transaction != NULL && transaction->visible == 0 && !transaction->aborted;
}

/* Waits until it is over. */
static void wait_for(Backend *session, Transaction *other) {
    session->waits_for = other;
    session->waits_since = ++model.order;
    model.waited++;
    coroutine_yield();
    assert(!is_open(other));
    session->waits_for = NULL;
}

/* Somebody else whose lock of the row excludes ours; NULL = nobody. */
static Transaction *locker(const Backend *session, const Row *row, bool shares) {
    const Machine *machine = machine_of(session);
    for (uint32_t i = 0; i < machine->locks_count; i++) {
        const RowLock *lock = &machine->locks[i];
        if (lock->by != session->transaction && is_open(lock->by) && !(shares && lock->shares) &&
            same_key(lock->row, row))
            return lock->by;
    }
    return NULL;
}

void keep_lock(Backend *session, const Row *row, bool shares) {
    Machine *machine = machine_of(session);
    if (machine->locks_count == machine->locks_max) {
        machine->locks_max = machine->locks_max * 2 + 16;
        machine->locks = realloc(machine->locks, machine->locks_max * sizeof *machine->locks);
        assert(machine->locks != NULL);
    }
    machine->locks[machine->locks_count++] = (RowLock){row, session->transaction, shares};
    session->transaction->locks = true;
}

Version *lock_row(Backend *session, Version *version, bool shares, bool skips) {
    bool changed =
        false; /* a session that sees a newer version has locked it, whatever comes of it */
    for (;;) {
        if (version->gone != NULL && version->gone->aborted)
            version->gone = NULL;
        Transaction *holder = version->gone;
        if (holder != NULL && holder->visible != 0) {
            version = version->newer;
            changed = true;
            if (version == NULL)
                return NULL;
            continue;
        }
        if (holder == NULL)
            holder = locker(session, version->row, shares);
        if (holder == NULL)
            break;
        if (skips || holder == session->transaction)
            return NULL;
        wait_for(session, holder);
    }
    if (shares || changed)
        keep_lock(session, version->row, shares);
    return version;
}

void change_row(Backend *session, Version *version, const Row *newer) {
    version->gone = session->transaction;
    version->newer = NULL;
    note(session, (Change){.row = version->row, .removed = true});
    if (newer == NULL)
        return;
    note(session, (Change){.row = newer});
    version->newer = rows_add(machine_of(session), newer, session->transaction);
}

/* Waits until nobody is adding or removing a row that excludes this one by the index; the one that
 * does in the end, or NULL. */
static Version *conflict_of(Backend *session, const Row *row, int index) {
    const Machine *machine = machine_of(session);
    for (uint32_t i = 0; i < machine->versions_count[row->table]; i++) {
        Version *version = machine->versions[row->table][i];
        if (version->made->aborted || !conflicts(version->row, row, index))
            continue;
        Transaction *other = version->gone;
        if (other != NULL && other->visible != 0)
            continue; /* it was there once */
        if (is_open(version->made) && version->made != session->transaction)
            other = version->made;
        if (is_open(other) && other != session->transaction) {
            wait_for(session, other);
            i = UINT32_MAX; /* from the beginning */
            continue;
        }
        if (version->gone == session->transaction && is_open(version->gone))
            continue; /* we have removed it ourselves */
        return version;
    }
    return NULL;
}

bool insert_row(Backend *session, const Row *row, Version **existing) {
    for (int index = 0; index < (row->table == MATCHES ? 2 : 1); index++) {
        Version *version = conflict_of(session, row, index);
        if (version != NULL && existing != NULL)
            *existing = version;
        if (version != NULL)
            return false;
    }
    rows_add(machine_of(session), row, session->transaction);
    note(session, (Change){.row = row});
    return true;
}

int64_t next_in_sequence(Backend *session) {
    enum { LOGGED_AHEAD = 32 }; /* as PostgreSQL does: a crash may skip some */
    Machine *machine = machine_of(session);
    if (++machine->sequence > machine->sequence_logged) {
        machine->sequence_logged = machine->sequence + LOGGED_AHEAD;
        note(session, (Change){.sequence = machine->sequence_logged});
    }
    return machine->sequence;
}

/* --- The end of a transaction ----------------------------------------------------------------- */

static void release_locks(Machine *machine, const Transaction *transaction) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < machine->locks_count; i++)
        if (machine->locks[i].by != transaction)
            machine->locks[kept++] = machine->locks[i];
    machine->locks_count = kept;
}

void rows_abort(Machine *machine, Transaction *transaction) {
    transaction->aborted = true;
    release_locks(machine, transaction);
    for (int table = 0; table < TABLES; table++)
        for (uint32_t i = 0; i < machine->versions_count[table]; i++)
            if (machine->versions[table][i]->gone == transaction)
                machine->versions[table][i]->gone = NULL;
}

void rows_publish(Machine *machine, Transaction *transaction) {
    transaction->visible = ++machine->visible;
    release_locks(machine, transaction);
}
