/* test_store_kill.c -- a process that appends, finishes and reports what was announced is killed
 * with SIGKILL at random times, again and again in the same folder: everything it reported is
 * there. MASH_KILLS is the number of kills (30). */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/chance.h"
#include "tests/store/fixture.h"

enum { OPEN_MAX = 8, RECORDS_LAST = 40, MATCHES_MAX = 20000, WAIT_MAX_US = 30000 };

/* What the child reports: this record, or this finish (sequence 0), was announced. */
typedef struct Word {
    uint64_t match;
    uint32_t sequence, zero;
} Word;

/* The reports so far, by match. */
typedef struct Said {
    uint32_t announced;
    bool finished;
} Said;
static Said said[MATCHES_MAX];
static uint64_t words_count;

/* --- The child ------------------------------------------------------------------------------- */

/* Reports that wait for their tickets, in two queues. */
typedef struct ReportQueue {
    Word words[4096];
    uint64_t tickets[4096];
    uint32_t first, end;
} ReportQueue;

static void line_up(ReportQueue *line, uint64_t match, uint32_t sequence, uint64_t ticket) {
    line->words[line->end % 4096] = (Word){.match = match, .sequence = sequence};
    line->tickets[line->end++ % 4096] = ticket;
}

static void say(ReportQueue *line, uint64_t done, int out) {
    for (; line->first != line->end && line->tickets[line->first % 4096] <= done; line->first++)
        if (write(out, &line->words[line->first % 4096], sizeof(Word)) != sizeof(Word))
            _exit(2);
}

/* Plays eight matches in parallel, for ever: what was open, then new ones. */
static void child(Rig *rig, uint64_t next, int out) {
    static ReportQueue records, finishes;
    RigFound open[2 * OPEN_MAX];
    rig->setup.single_threaded = false;
    rig->setup.group_ms = 1;
    rig->setup.segment_bytes = 8192;
    if (!rig_open(rig))
        _exit(3);
    uint32_t count = rig_found(rig, open, 2 * OPEN_MAX);
    for (;;) {
        for (; count < OPEN_MAX; count++)
            open[count] = (RigFound){.match = next++};
        for (uint32_t i = 0; i < count; i++) {
            uint64_t match = open[i].match;
            if (open[i].last < RECORDS_LAST) {
                uint32_t sequence = ++open[i].last;
                line_up(&records, match, sequence, rig_append(rig, match, sequence));
            } else {
                line_up(&finishes, match, 0, rig_finish(rig, match));
                open[i--] = open[--count];
            }
        }
        StoreProgress done;
        do {
            done = store_progress(rig->store);
            if (done.failure != NULL)
                _exit(4);
            say(&records, done.appended, out);
            say(&finishes, done.finished, out);
        } while (records.end - records.first > 100 || finishes.end - finishes.first > 6);
    }
}

/* --- The parent ------------------------------------------------------------------------------ */

/* Reads all reports of the child. */
static void listen(int in) {
    Word word;
    ssize_t count;
    while ((count = read(in, &word, sizeof word)) == sizeof word) {
        assert_in_range(word.match, 1, MATCHES_MAX - 1);
        Said *of = &said[word.match];
        if (word.sequence == 0)
            of->finished = true;
        else
            assert_int_equal(word.sequence, of->announced + 1);
        of->announced += word.sequence != 0;
        words_count++;
    }
    assert_int_equal(count, 0);
}

/* Starts a child, lets it run for this long, kills it. */
static void run_and_kill(Rig *rig, uint64_t next, long us) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        close(ends[0]);
        child(rig, next, ends[1]);
    }
    close(ends[1]);
    pid_t killer = fork(); /* so that this process can empty the pipe meanwhile */
    if (killer == 0) {
        nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
        kill(process, SIGKILL);
        _exit(0);
    }
    listen(ends[0]);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(waitpid(killer, &status, 0), killer);
}

/* Opens, and compares with the reports. The first number that was never used. */
static uint64_t check(Rig *rig) {
    RigFound open[2 * OPEN_MAX];
    static uint32_t records[MATCHES_MAX];
    uint64_t next = 1;
    rig->setup.single_threaded = true;
    if (!rig_open(rig))
        fail_msg("%s", rig->problem);
    assert_null(strstr(rig->lines, "damaged"));
    memset(records, 0, sizeof records);
    uint32_t count = rig_found(rig, open, 2 * OPEN_MAX);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(open[i].right && open[i].gapless && open[i].health == STORE_WHOLE);
        records[open[i].match] = open[i].records;
    }
    for (uint64_t match = 1; match < MATCHES_MAX; match++) {
        bool archived =
            (said[match].announced > 0 || said[match].finished) && rig_archived(rig, match);
        assert_true(archived || !said[match].finished);
        assert_true(archived || records[match] >= said[match].announced);
        if (!archived)
            said[match].announced =
                records[match]; /* what was written but never reported counts now */
        if (archived || records[match] > 0)
            next = match + 1;
    }
    rig_close(rig);
    return next;
}

static void what_was_announced_survives_every_kill(void **state) {
    (void)state;
    static Rig rig;
    const char *wanted = getenv("MASH_KILLS");
    int kills = wanted == NULL ? 30 : atoi(wanted);
    MashChance chance = chance_seeded((MashSeed){{(uint64_t)time(NULL), (uint64_t)getpid()}}, 0);
    uint64_t next = 1;
    rig_init(&rig);
    for (int i = 0; i < kills; i++) {
        rig.setup.announce_before_sync =
            i % 3 == 2; /* a killed process loses nothing that it has written */
        run_and_kill(&rig, next, (long)chance_below(&chance, WAIT_MAX_US) + 1);
        next = check(&rig) + OPEN_MAX; /* numbers that may have been used and lost are skipped */
        assert_true(next < MATCHES_MAX);
    }
    rig_release(&rig);
    print_message("%d kills, %d words, %d matches\n", kills, (int)words_count, (int)next);
    assert_true(words_count > (uint64_t)kills);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_announced_survives_every_kill)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
