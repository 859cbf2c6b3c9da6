/* golden.h -- texts that are stored in tests/golden: what the program does today, so that a change
 * of it is seen and meant. */
#ifndef TESTS_SUPPORT_GOLDEN_H
#define TESTS_SUPPORT_GOLDEN_H
#include "base/text.h"

/* The test fails with the first line that differs from the stored file, called from the project's
 * folder. With MASH_GOLDEN=write in its environment it stores the text instead. */
void golden_compare(const char *path, const MashText *made);

#endif
