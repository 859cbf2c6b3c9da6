/* report.h -- what a tournament shows: the folder's index.html, and tables on a terminal. */
#ifndef CLI_TOURNAMENT_REPORT_H
#define CLI_TOURNAMENT_REPORT_H
#include "cli/tournament/schedule.h"

/* Writes everything that the page shows as one JSON object; `over`: nothing more will come. The
 * text is allocated. */
char *report_json(const PlayedLog *log, uint32_t total, bool over);
/* Writes FOLDER/index.html, which needs nothing but the folder. False: an error was printed. */
bool report_write(const PlayedLog *log, const char *folder, uint32_t total, bool over);
/* The page with this JSON in it; allocated. */
char *report_page(const char *json);
/* Prints the table of the last stage that has begun. */
void report_print(const PlayedLog *log);
/* All complete pairs of matches, allocated; how many there are. */
uint32_t report_pairs(const PlayedLog *log, RatedPair **out);

#endif
