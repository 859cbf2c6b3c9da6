/* test_store_disk.c -- the functions through which the store uses the disk, on a scripted disk:
 * short writes, interruptions, failures of every step, descriptors that run out; and files and
 * folders of all kinds on the real one. */
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
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/disk.h"
#include "tests/store/fixture.h"

/* What read() returns next: at most this many bytes; 0 = unchanged, negative = an errno. */
static long reads[8];
static uint32_t reads_at;

/* Replaces the system's read() in this program. */
ssize_t read(int file, void *bytes, size_t count) {
    long next = reads_at < sizeof reads / sizeof *reads ? reads[reads_at] : 0;
    if (next != 0)
        reads_at++;
    if (next < 0) {
        errno = (int)-next;
        return -1;
    }
    return syscall(SYS_read, file, bytes, next > 0 && (size_t)next < count ? (size_t)next : count);
}

/* A disk whose writes follow a list of results: a number of bytes, or a negative errno; after its
 * end everything is written. Opens fail `opens_fail` times with `error`; sync and rename fail with
 * `error`. */
typedef struct ListDisk {
    StoreDisk disk;
    long writes[8];
    uint32_t at, opens, opens_fail;
    bool sync_fails, rename_fails, synced_whole;
    int error;
    char bytes[64];
    size_t count;
} ListDisk;

static ssize_t list_write(void *owner, int file, const void *bytes, size_t count) {
    ListDisk *list = owner;
    long answer = list->at < 8 && list->writes[list->at] != 0 ? list->writes[list->at] : 1000;
    (void)file;
    list->at++;
    if (answer == -1000) /* nothing is written, and no error is returned */
        return 0;
    errno = answer < 0 ? (int)-answer : 0;
    if (answer < 0)
        return -1;
    if ((size_t)answer > count)
        answer = (long)count;
    memcpy(list->bytes + list->count, bytes, (size_t)answer);
    list->count += (size_t)answer;
    return answer;
}

static int list_sync(void *owner, int file, bool whole) {
    ListDisk *list = owner;
    (void)file;
    list->synced_whole = whole;
    errno = list->error;
    return list->sync_fails ? -1 : 0;
}

static int list_rename(void *owner, const char *from, const char *to) {
    ListDisk *list = owner;
    if (!list->rename_fails)
        return rename(from, to);
    errno = list->error;
    return -1;
}

static int list_open(void *owner, const char *path, int flags, mode_t mode) {
    ListDisk *list = owner;
    list->opens++;
    if (list->opens > list->opens_fail)
        return open(path, flags, mode);
    errno = list->error;
    return -1;
}

static ListDisk *list_disk(void) {
    static ListDisk list;
    list = (ListDisk){.disk = {list_write, list_sync, list_rename, NULL, list_open, NULL, &list},
                      .error = EIO};
    return &list;
}

static char problem_bytes[DISK_PATH_BYTES * 2 + 256];
static MashText problem;

/* The problem contains these words; it is cleared. */
static void told(const char *words) {
    if (strstr(problem_bytes, words) == NULL)
        fail_msg("\"%s\" instead of \"%s\"", problem_bytes, words);
    text_clear(&problem);
}

static int open_files(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static Rig rig;
static int files_before;

static int begin(void **state) {
    (void)state;
    memset(reads, 0, sizeof reads);
    reads_at = 0;
    problem = text_over(problem_bytes, sizeof problem_bytes);
    rig_init(&rig);
    files_before = open_files();
    return 0;
}

static int end(void **state) {
    (void)state;
    assert_int_equal(open_files(), files_before);
    rig_release(&rig);
    return 0;
}

static const char *path_of(const char *name) {
    static char path[2][256];
    static uint32_t turn;
    turn = 1 - turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", rig.folder, name);
    return path[turn];
}

static void writes_go_on_until_all_is_written(void **state) {
    (void)state;
    static const struct {
        long writes[8];
        int error; /* 0 = everything is written */
        size_t count;
    } all[] = {
        {{0}, 0, 10},
        {{1, 2, 3, 4}, 0, 10},
        {{9, 1, -EIO}, 0, 10},
        {{-EINTR, 4, -EINTR, -EINTR, 5}, 0, 10},
        {{3, -ENOSPC}, ENOSPC, 3},
        {{-EIO}, EIO, 0},
        {{5, -1000}, EIO, 5},
        {{-EAGAIN}, EAGAIN, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ListDisk *list = list_disk();
        memcpy(list->writes, all[i].writes, sizeof list->writes);
        bool good = disk_write(&list->disk, 1, "0123456789", 10);
        int error = errno;
        assert_int_equal(good, all[i].error == 0);
        assert_int_equal(list->count, all[i].count);
        assert_memory_equal(list->bytes, "0123456789", list->count);
        if (!good)
            assert_int_equal(error, all[i].error);
    }
    ListDisk *list = list_disk();
    list->writes[0] = -EIO;
    assert_true(disk_write(&list->disk, 1, "", 0));
}

static void files_are_read_whole(void **state) {
    (void)state;
    size_t count = 99;
    rig_write(&rig, "ten", "0123456789", 10);
    rig_write(&rig, "empty", "", 0);
    assert_int_equal(symlink("ten", path_of("link")), 0);
    assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
    static const long answers[][8] = {
        {0}, {1, 2, 3, 4}, {-EINTR, 5, -EINTR}, {10}, {9, -EINTR, -EINTR}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        memcpy(reads, answers[i], sizeof reads);
        reads_at = 0;
        char *bytes = disk_read(path_of("ten"), 10, &count, &problem);
        assert_non_null(bytes);
        assert_int_equal(count, 10);
        assert_memory_equal(bytes, "0123456789", 10);
        free(bytes);
    }
    void *none = disk_read(path_of("empty"), 0, &count, &problem);
    assert_non_null(none);
    assert_int_equal(count, 0);
    free(none);
    assert_string_equal(problem_bytes, "");

    static const struct {
        const char *name;
        size_t max;
        long reads[8];
        const char *problem;
    } all[] = {
        {"ten", 9, {0}, "/ten is too long: 10 bytes"},
        {"empty/x", 9, {0}, "/empty/x: Not a directory"},
        {"nothing", 9, {0}, "cannot open "},
        {"link", 99, {0}, "cannot open "},
        {".", 1 << 20, {0}, "/. is not a file"},
        {"fifo", 99, {0}, "/fifo is not a file"},
        {"ten", 99, {-EIO}, "/ten: Input/output error"},
        {"ten", 99, {5, -EISDIR}, "/ten: Is a directory"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        memcpy(reads, all[i].reads, sizeof reads);
        reads_at = 0;
        assert_null(disk_read(path_of(all[i].name), all[i].max, &count, &problem));
        told(all[i].problem);
    }
}

/* A file that is shorter than its size says is a failure, not stale bytes. */
static void a_file_that_shrinks(void **state) {
    (void)state;
    size_t count = 99;
    /* Files of /sys report a length that they do not have. */
    if (access("/sys/kernel/uevent_seqnum", R_OK) == 0) {
        assert_null(disk_read("/sys/kernel/uevent_seqnum", 1 << 20, &count, &problem));
        told("/sys/kernel/uevent_seqnum: Input/output error");
        assert_int_equal(count, 0);
    }
}

/* A file is replaced as a whole, or the old one stays. */
static void publishing_stops_at_the_first_failure(void **state) {
    (void)state;
    static const char *problems[] = {"cannot create ", "cannot write ", "cannot sync ",
                                     "cannot rename "};
    rig_write(&rig, "file", "old", 3);
    for (uint32_t i = 0; i < 4; i++) {
        ListDisk *list = list_disk();
        size_t count;
        list->opens_fail = i == 0;
        list->writes[0] = i == 1 ? -EIO : 0;
        list->sync_fails = i == 2;
        list->rename_fails = i == 3;
        assert_int_equal(
            disk_publish(&list->disk, path_of("new"), path_of("file"), "abc", 3, &problem), -1);
        told(problems[i]);
        char *bytes = (char *)rig_read(&rig, "file", &count);
        assert_true(count == 3 && memcmp(bytes, "old", 3) == 0);
        free(bytes);
    }
    struct stat found;
    size_t count;
    rig_write(&rig, "new", "left over from another time", 27);
    int file = disk_publish(&disk_real, path_of("new"), path_of("file"), "abc", 3, &problem);
    assert_true(file > 0);
    assert_int_equal(write(file, "def", 3), 3);
    assert_int_equal(lseek(file, 0, SEEK_SET), 0);
    assert_int_equal(write(file, "g", 1), 1); /* open for appending */
    close(file);
    char *bytes = (char *)rig_read(&rig, "file", &count);
    assert_true(count == 7 && memcmp(bytes, "abcdefg", 7) == 0);
    free(bytes);
    assert_int_equal(stat(path_of("new"), &found), -1);
    unlink(path_of("file"));
    file = disk_publish(&disk_real, path_of("new"), path_of("file"), "", 0, &problem);
    assert_true(file > 0);
    assert_int_equal(fstat(file, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    close(file);
    assert_string_equal(problem_bytes, "");
}

static void folders_are_made_and_synced(void **state) {
    (void)state;
    struct stat found;
    for (uint32_t i = 0; i < 4; i++) { /* new, existing, its name cannot be synced, or not opened */
        ListDisk *list = list_disk();
        list->sync_fails = i == 2;
        list->opens_fail = i == 3;
        assert_int_equal(disk_folder(&list->disk, path_of("folder"), i % 2 == 0, &problem), i < 2);
        assert_int_equal(list->opens, 1);
        assert_int_equal(list->synced_whole, i < 3);
        if (i >= 2)
            told(i == 2 ? "cannot sync " : "cannot open ");
    }
    assert_int_equal(stat(path_of("folder"), &found), 0);
    assert_int_equal(found.st_mode & 0777, 0700);
    rig_write(&rig, "file", "", 0);
    assert_false(disk_folder(&disk_real, path_of("file"), true, &problem));
    told("cannot make the folder ");
    assert_false(disk_folder(&disk_real, path_of("no/where"), true, &problem));
    told("/no/where: No such file or directory");
    assert_int_equal(symlink("folder", path_of("link")), 0);
    assert_true(disk_folder(&disk_real, path_of("link"), true, &problem));
    assert_false(disk_sync_folder(&disk_real, path_of("file"), &problem));
    told("/file: Not a directory");
}

static void what_others_may_do_is_taken_from_them(void **state) {
    (void)state;
    static const mode_t modes[][2] = {{0600, 0600}, {0644, 0600}, {0755, 0700},
                                      {0601, 0600}, {0720, 0700}, {0400, 0400}};
    struct stat found;
    assert_true(disk_tighten(path_of("nothing")));
    rig_write(&rig, "file", "", 0);
    assert_false(disk_tighten(path_of("file/x")));
    assert_int_equal(symlink("file", path_of("link")), 0);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(path_of("file"), modes[i][0]), 0);
        assert_true(disk_tighten(path_of("link"))); /* and what it names stays */
        assert_int_equal(stat(path_of("file"), &found), 0);
        assert_int_equal(found.st_mode & 0777, modes[i][0]);
        assert_true(disk_tighten(path_of("file")));
        assert_int_equal(stat(path_of("file"), &found), 0);
        assert_int_equal(found.st_mode & 0777, modes[i][1]);
    }
}

static void paths_have_a_longest(void **state) {
    (void)state;
    char folder[DISK_PATH_BYTES + 1], out[DISK_PATH_BYTES];
    assert_true(disk_path(out, "/a", "b", &problem));
    assert_string_equal(out, "/a/b");
    memset(folder, 'f', sizeof folder);
    folder[DISK_PATH_BYTES - 3] = '\0';
    assert_true(disk_path(out, folder, "b", &problem));
    assert_int_equal(strlen(out), DISK_PATH_BYTES - 1);
    assert_false(disk_path(out, folder, "bc", &problem));
    told("the path is longer than 1023 bytes: fff");
}

/* Four descriptors are reserved, each released once, and only when descriptors run out. */
static void descriptors_set_aside(void **state) {
    (void)state;
    static const int errors[] = {EMFILE, ENFILE, EACCES};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t fails = 0; fails <= 6; fails++) {
            ListDisk *list = list_disk();
            bool short_of = errors[i] != EACCES;
            list->error = errors[i];
            list->opens_fail = fails;
            disk_keep_reserve();
            disk_keep_reserve(); /* no more than there are places */
            assert_int_equal(open_files(), files_before + 4);
            int file = disk_open(&list->disk, "/dev/null", O_RDONLY | O_CLOEXEC);
            if (file < 0)
                assert_int_equal(errno, errors[i]);
            assert_int_equal(file >= 0, fails <= (short_of ? 4 : 0));
            uint32_t given = !short_of ? 0 : fails < 4 ? fails : 4;
            assert_int_equal(list->opens, 1 + given);
            assert_int_equal(open_files(), files_before + 4 - (int)given + (file >= 0));
            if (file >= 0)
                close(file);
            if (fails % 2 == 0)
                disk_drop_reserve();
        }
    disk_drop_reserve();
}

static void room_is_that_of_the_file_system(void **state) {
    (void)state;
    struct statvfs found;
    uint64_t available = 0, all = 0;
    assert_int_equal(statvfs(rig.folder, &found), 0);
    assert_int_equal(disk_real.space(NULL, rig.folder, &available, &all), 0);
    assert_int_equal(all, (uint64_t)found.f_blocks * found.f_frsize);
    assert_true(available > 0 && available <= all);
    assert_int_equal(disk_real.space(NULL, path_of("nothing"), &available, &all), -1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(writes_go_on_until_all_is_written),
        TEST(files_are_read_whole),
        TEST(a_file_that_shrinks),
        TEST(publishing_stops_at_the_first_failure),
        TEST(folders_are_made_and_synced),
        TEST(what_others_may_do_is_taken_from_them),
        TEST(paths_have_a_longest),
        TEST(descriptors_set_aside),
        TEST(room_is_that_of_the_file_system),
    };
    return cmocka_run_group_tests_name("store_disk", tests, NULL, NULL);
}
