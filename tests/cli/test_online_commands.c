/* test_online_commands.c -- servers and those who play there: people, bots, administrators, clients
 * of the Marvelous Mashup standard. */
#include "tests/cli/transcripts.h"

int main(int count, char **words) {
    return transcripts_run("tests/golden/cli/online/*.txt", count, words);
}
