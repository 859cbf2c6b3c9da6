/* test_store_backup.c -- backups of a store's folder: what is in them, the errors when they fail,
 * and segments that appear, grow and disappear while they are copied.
 *
 * read(), write(), close() and syncfs() of this program replace the system's: they call the test
 * before a file is read, and fail where the test says so. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/disk.h"
#include "tests/store/fixture.h"

/* --- The system ------------------------------------------------------------------------------ */

/* What fails: the call `fails` of a file whose path contains `path`, with this error. */
typedef enum BackupCall { CALL_NONE, CALL_READ, CALL_WRITE, CALL_CLOSE, CALL_SYNC } BackupCall;
static struct {
    BackupCall fails;
    const char *path;
    int error;
    uint32_t times;
    void (*before_read)(const char *path);
} bad;

static bool goes_wrong(BackupCall call, int file) {
    char link[64], path[512];
    if (bad.times == 0 && (bad.before_read == NULL || call != CALL_READ))
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    if (call == CALL_READ && bad.before_read != NULL)
        bad.before_read(path);
    if (call != bad.fails || bad.times == 0 || strstr(path, bad.path) == NULL)
        return false;
    bad.times--;
    errno = bad.error;
    return true;
}

ssize_t read(int file, void *bytes, size_t count) {
    return goes_wrong(CALL_READ, file) ? -1 : syscall(SYS_read, file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
    return goes_wrong(CALL_WRITE, file) ? -1 : syscall(SYS_write, file, bytes, count);
}

int close(int file) {
    bool wrong = goes_wrong(CALL_CLOSE, file);
    int error = errno, code = (int)syscall(SYS_close, file);
    if (!wrong)
        return code;
    errno = error;
    return -1;
}

int syncfs(int file) { return goes_wrong(CALL_SYNC, file) ? -1 : 0; }

/* --- A folder and its backup ------------------------------------------------------------------ */

enum { MATCHES = 90, SEGMENTS_MAX = 64, PATH_BYTES = 256 };

/* A store with a closed journal of several segments, an archive of two years, and bans; next to it
 * the folder of the backup. */
typedef struct BackupFixture {
    Rig rig;
    char to[80], problem[DISK_PATH_BYTES * 3];
    StoreBackupStats copied;
    int files; /* descriptors that were open before */
} BackupFixture;
static BackupFixture fixture;

static int count_entries(const char *folder) {
    int count = -2;
    DIR *open_folder = opendir(folder);
    assert_non_null(open_folder);
    while (readdir(open_folder) != NULL)
        count++;
    closedir(open_folder);
    return count;
}

__attribute__((format(printf, 1, 2))) static void shell(const char *format, ...) {
    char command[3 * PATH_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    assert_int_equal(system(command), 0); /* NOLINT: a fixed command over folders of the test */
}

static int begin(void **state) {
    Rig *rig = &fixture.rig;
    memset(&bad, 0, sizeof bad);
    rig_init(rig);
    rig->setup.segment_bytes = 1024;
    assert_true(rig_open(rig));
    for (uint64_t match = 1; match <= MATCHES; match++)
        rig_finish(rig, match);
    for (uint32_t i = 1; i <= 60; i++) {
        rig_append(rig, 1000, i);
        store_step(rig->store);
    }
    rig_close(rig);
    rig_write(rig, "bans", "10.0.0.0/8\n", 11);
    assert_true(rig_count(rig, ".journal") >= 4);
    snprintf(fixture.to, sizeof fixture.to, "%s-copy", rig->folder);
    fixture.files = count_entries("/proc/self/fd");
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    (void)state;
    memset(&bad, 0, sizeof bad);
    shell("rm -rf %s", fixture.to);
    rig_release(&fixture.rig);
    return 0;
}

static bool copy(void) {
    MashText problem = text_over(fixture.problem, sizeof fixture.problem);
    bool good = store_backup(fixture.rig.folder, fixture.to, &fixture.copied, &problem);
    memset(&bad, 0, sizeof bad);
    assert_int_equal(good, fixture.problem[0] == '\0');
    assert_int_equal(count_entries("/proc/self/fd"), fixture.files);
    return good;
}

/* The backup succeeds, and contains what the folder contains now: byte for byte, and as a store. */
static void copy_is_right(void) {
    const Rig *rig = &fixture.rig;
    struct stat found;
    uint64_t bytes = 0;
    char path[2 * PATH_BYTES];
    shell("diff -r %s/journal %s/journal && diff -r %s/archive %s/archive", rig->folder, fixture.to,
          rig->folder, fixture.to);
    shell("cmp -s %s/bans %s/bans", rig->folder, fixture.to);
    assert_int_equal(fixture.copied.segments, rig_count(rig, ".journal"));
    assert_int_equal(fixture.copied.files, MATCHES);
    snprintf(path, sizeof path, "find %s/journal %s/archive %s/bans -type f -printf '%%s\\n'",
             rig->folder, rig->folder, rig->folder);
    FILE *sizes = popen(path, "r"); /* NOLINT */
    assert_non_null(sizes);
    for (unsigned long size; fscanf(sizes, "%lu", &size) == 1;) /* NOLINT */
        bytes += size;
    pclose(sizes);
    assert_int_equal(fixture.copied.bytes, bytes);
    assert_int_equal(stat(fixture.to, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0700);
}

static void a_copy_has_everything(void **state) {
    (void)state;
    Rig *rig = &fixture.rig;
    assert_int_equal(mkdir(fixture.to, 0700), 0); /* an empty one is accepted */
    assert_true(copy());
    copy_is_right();
    Rig other = *rig;
    snprintf(other.place, sizeof other.place, "embedded:%s", fixture.to);
    assert_true(rig_open(&other));
    RigFound found[2];
    assert_int_equal(rig_found(&other, found, 2), 1);
    assert_true(found[0].match == 1000 && found[0].records == 60 && found[0].right);
    for (uint64_t match = 1; match <= MATCHES; match++)
        assert_true(rig_archived(&other, match));
    rig_close(&other);
}

/* Only what belongs to a store is copied, and there need not be bans. */
static void other_files_are_left(void **state) {
    (void)state;
    const Rig *rig = &fixture.rig;
    static const char *names[] = {"journal/notes.txt",
                                  "journal/a-name-that-is-far-too-long.journal",
                                  "archive/2023/11/00.json.new",
                                  "archive/2023/11/.hidden.json",
                                  "archive/.hidden",
                                  "bans.old"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        rig_write(rig, names[i], "x", 1);
    shell("rm %s/bans", rig->folder);
    assert_true(copy());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        shell("! test -e %s/%s && rm %s/%s", fixture.to, names[i], rig->folder, names[i]);
    shell("! test -e %s/bans", fixture.to);
    shell("touch %s/bans", rig->folder); /* for the sum; it has no bytes */
    shell("touch %s/bans", fixture.to);
    copy_is_right();
}

/* --- Failures --------------------------------------------------------------------------------- */

static void what_cannot_be_copied_says_why(void **state) {
    static const struct {
        const char *prepare; /* with the folder as F and the copy's as T */
        BackupCall fails;
        int error;
        const char *path, *problem;
    } all[] = {
        {"mkdir $T; touch $T/.x", CALL_NONE, 0, "", "-copy is not empty"},
        {"touch $T", CALL_NONE, 0, "", "cannot make the folder "},
        {"mv $F/journal $F/j", CALL_NONE, 0, "", "/journal: No such file"},
        {"rm $F/index.sqlite", CALL_NONE, 0, "", "cannot copy "},
        {"mv $F/archive $F/a", CALL_NONE, 0, "", "/archive: No such file"},
        {"touch $F/archive/2025", CALL_NONE, 0, "", "/archive/2025: Not a directory"},
        {"ln -s bans $F/journal/0.journal", CALL_NONE, 0, "", "/0.journal: Too many levels"},
        {"ln -s x $F/archive/2023/11/0.json", CALL_NONE, 0, "", "/0.json: Too many levels"},
        {"mv $F/bans $F/b; ln -s b $F/bans", CALL_NONE, 0, "", "/bans: Too many levels"},
        {"", CALL_READ, EIO, ".journal", ".journal: Input/output error"},
        {"", CALL_READ, EIO, ".json", ".json: Input/output error"},
        {"", CALL_READ, EIO, "/bans", "/bans: Input/output error"},
        {"", CALL_WRITE, ENOSPC, ".journal", ".journal: No space left on device"},
        {"", CALL_WRITE, ENOSPC, ".json", ".json: No space left on device"},
        {"", CALL_CLOSE, EDQUOT, "-copy/bans", "-copy/bans: Disk quota exceeded"},
        {"", CALL_CLOSE, EDQUOT, "-copy/journal/", ".journal: Disk quota exceeded"},
        {"", CALL_SYNC, EIO, "-copy", "cannot sync "},
    };
    end(state);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin(state);
        shell("F=%s; T=%s; %s", fixture.rig.folder, fixture.to, all[i].prepare);
        bad.fails = all[i].fails;
        bad.path = all[i].path;
        bad.error = all[i].error;
        bad.times = 1;
        if (copy() || strstr(fixture.problem, all[i].problem) == NULL)
            fail_msg("%zu: \"%s\" instead of \"%s\"", i, fixture.problem, all[i].problem);
        end(state);
    }
    begin(state);
}

/* A call that a signal interrupts is repeated. */
static void interruptions_do_not_matter(void **state) {
    (void)state;
    bad.fails = CALL_READ;
    bad.path = ".j";
    bad.error = EINTR;
    bad.times = 5;
    assert_true(copy());
    copy_is_right();
}

/* Segments in the order of their names. */
static uint32_t names_of_segments(char out[SEGMENTS_MAX][64]) {
    char command[PATH_BYTES];
    uint32_t count = 0;
    snprintf(command, sizeof command, "ls %s/journal", fixture.rig.folder);
    FILE *list = popen(command, "r"); /* NOLINT */
    assert_non_null(list);
    while (count < SEGMENTS_MAX && fscanf(list, "%63s", out[count]) == 1)
        count++;
    pclose(list);
    return count;
}

static char names[SEGMENTS_MAX][64];
static uint32_t names_count;

/* A folder whose paths are too long is refused with the first file that does not fit. */
static void long_paths(void **state) {
    (void)state;
    char to[DISK_PATH_BYTES + 64];
    const char *folder = fixture.rig.folder;
    size_t length = strlen(folder), most = DISK_PATH_BYTES - 1;
    memcpy(to, folder, length + 1);
    for (; length + 201 < most - 60; length += 201) {
        to[length] = '/';
        memset(to + length + 1, 'd', 200);
        to[length + 201] = '\0';
        assert_int_equal(mkdir(to, 0700), 0);
    }
    names_count = names_of_segments(names);
    size_t journal = strlen("/journal"), file = journal + 1 + strlen(names[0]);
    for (size_t all = most - 60; all < most; all++) {
        MashText problem = text_over(fixture.problem, sizeof fixture.problem);
        to[length] = '/';
        memset(to + length + 1, 'e', all - length - 1);
        to[all] = '\0';
        assert_false(store_backup(folder, to, &fixture.copied, &problem)); /* SQLite takes less */
        assert_int_equal(strstr(fixture.problem, "the path is longer than 1023 bytes") != NULL,
                         all + file > most);
        struct stat found;
        assert_true(stat(to, &found) == 0 || errno == ENAMETOOLONG);
    }
}

/* --- A journal that changes --------------------------------------------------------------------
 */

/* What happens to the journal while its second segment is read, once or each time. */
static struct {
    const char *command; /* with the journal's folder as J, its segments as S1, S2 ... and SL */
    uint32_t times, reads;
} change;

static void change_journal(const char *path) {
    static bool inside;
    size_t length = strlen(fixture.rig.folder);
    if (inside || strncmp(path, fixture.rig.folder, length) != 0 || path[length] != '/' ||
        strstr(path, names[1]) == NULL)
        return;
    change.reads++;
    if (change.times == 0)
        return;
    change.times--;
    inside = true;
    shell("cd %s/journal; S1=%s S2=%s S3=%s SL=%s; %s", fixture.rig.folder, names[0], names[1],
          names[2], names[names_count - 1], change.command);
    inside = false;
}

/* A segment that was removed or merged restarts the backup, which then contains the current state;
 * appending does not restart it. */
static void segments_change_while_they_are_copied(void **state) {
    static const struct {
        const char *command;
        uint32_t tries;
    } all[] = {
        {"true", 1},
        {"rm $S1", 2},
        {"rm $S3", 2},
        {"rm $S1 $S3 $SL", 2},
        {"printf x >>$S1", 2},
        {"printf x >>$S3", 2},
        {"cp $S1 x && mv x $S1", 2},
        {"mv $SL z.journal", 2},
        {"printf x >>$SL", 1},
        {"rm $SL", 2},
    };
    end(state);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin(state);
        names_count = names_of_segments(names);
        change.command = all[i].command;
        change.times = 1;
        change.reads = 0;
        bad.before_read = change_journal;
        assert_true(copy());
        assert_int_equal(change.reads, all[i].tries * 2); /* the bytes, then the end */
        copy_is_right();
        end(state);
    }
    begin(state);
}

/* A new segment after the last is not needed: its records were announced after the call. */
static void a_new_segment_is_left(void **state) {
    (void)state;
    names_count = names_of_segments(names);
    change.command = "cp $SL zzz.journal";
    change.times = 1;
    change.reads = 0;
    bad.before_read = change_journal;
    assert_true(copy());
    assert_int_equal(change.reads, 2);
    shell("rm %s/journal/zzz.journal", fixture.rig.folder);
    copy_is_right();
}

/* If the journal keeps changing, the backup fails. */
static void a_journal_that_keeps_changing(void **state) {
    (void)state;
    names_count = names_of_segments(names);
    change.command = "printf x >>$S1";
    change.times = 1000;
    change.reads = 0;
    bad.before_read = change_journal;
    assert_false(copy());
    assert_int_equal(change.reads, 40);
    assert_non_null(strstr(fixture.problem, "kept changing while it was copied (20 attempts)"));
    shell("test -z \"$(ls %s/journal)\"", fixture.to); /* nothing that is not of one time */
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_copy_has_everything),
        TEST(other_files_are_left),
        TEST(what_cannot_be_copied_says_why),
        TEST(interruptions_do_not_matter),
        TEST(long_paths),
        TEST(segments_change_while_they_are_copied),
        TEST(a_new_segment_is_left),
        TEST(a_journal_that_keeps_changing),
    };
    return cmocka_run_group_tests_name("store_backup", tests, NULL, NULL);
}
