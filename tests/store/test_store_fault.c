/* test_store_fault.c -- a process is gone at the place that MASH_FAULT names, when it comes there
 * for so many times, and at no other; in released programs nowhere. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/fault.h"

enum { VISITS = 3 };

/* How many places a child of this test has left behind it that comes to "place" three times. */
static int visits(const char *fault) {
    int line[2], status, count = 0;
    char word;
    assert_int_equal(pipe(line), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (fault == NULL)
            unsetenv("MASH_FAULT");
        else
            setenv("MASH_FAULT", fault, 1);
        for (int i = 0; i < VISITS; i++) {
            FAULT_POINT("place");
            if (write(line[1], "", 1) != 1)
                _exit(1);
        }
        _exit(0);
    }
    close(line[1]);
    while (read(line[0], &word, 1) == 1)
        count++;
    close(line[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (count == VISITS)
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    else
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return count;
}

static void a_process_is_gone_where_it_is_told(void **state) {
#ifdef MASH_FAULTS
    enum { FIRST = 0, SECOND = 1, THIRD = 2 };
#else
    enum { FIRST = VISITS, SECOND = VISITS, THIRD = VISITS };
#endif
    (void)state;
    assert_int_equal(visits("place:1"), FIRST);
    assert_int_equal(visits("place:2"), SECOND);
    assert_int_equal(visits("place:3"), THIRD);
    static const char *const others[] = {NULL,     "",       "place:4",     "place:0",
                                         "plac:1", "place1", "placement:1", "other:1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(visits(others[i]), VISITS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_process_is_gone_where_it_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
