/* test_transcripts_commands.c -- screens, messages and files of the commands that need no server.
 */
#include "tests/cli/transcripts.h"

int main(int count, char **words) {
    return transcripts_run("tests/golden/cli/*.txt", count, words);
}
