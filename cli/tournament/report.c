/* report.c -- see report.h. */
#include "cli/tournament/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/help.h"
#include "cli/tournament/runner.h"

enum { JSON_BYTES = 1 << 16 };

/* Where the page has its data. */
static const char mark[] = "/*DATA*/";

/* --- Numbers -----------------------------------------------------------------------------------
 */

uint32_t report_pairs(const PlayedLog *log, RatedPair **out) {
    uint32_t count = 0;
    RatedPair *pairs = cli_memory((log->count / 2 + 1) * sizeof *pairs);
    for (uint32_t i = 0; i < log->count; i++) {
        PlayedMatch second = log->list[i];
        if (second.turn != 0)
            continue;
        second.turn = 1;
        second.players[0] = log->list[i].players[1];
        second.players[1] = log->list[i].players[0];
        const PlayedMatch *other = played_find(log, &second);
        if (other != NULL && count < log->count / 2)
            pairs[count++] = (RatedPair){{log->list[i].players[0], log->list[i].players[1]},
                                         played_points(&log->list[i], 0) + played_points(other, 1)};
    }
    *out = pairs;
    return count;
}

/* What a player did in all its matches. */
typedef struct PlayerSums {
    uint32_t matches, won, drawn, lost, ends[PLAYED_NOT_RUN + 1], refused;
    int32_t slowest_ms;
    uint32_t again; /* matches that were begun again because it did not start */
} PlayerSums;

/* Adds up all matches. */
static void sum_up(const PlayedLog *log, PlayerSums *sums) {
    for (uint32_t i = 0; i < log->count; i++) {
        const PlayedMatch *match = &log->list[i];
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
            PlayerSums *sum = &sums[match->players[seat]];
            const PlayedSide *side = &match->sides[seat];
            uint32_t points = played_points(match, seat);
            sum->matches++;
            sum->won += points == 2;
            sum->drawn += points == 1;
            sum->lost += points == 0;
            sum->ends[side->end]++;
            sum->refused += (uint32_t)side->refused;
            sum->again += match->starts > 1 && side->end == PLAYED_NOT_RUN;
            sum->slowest_ms =
                side->slowest_ms > sum->slowest_ms ? side->slowest_ms : sum->slowest_ms;
        }
    }
}

/* --- JSON --------------------------------------------------------------------------------------
 */

/* The players with their strengths and their failures. */
static void put_players(const PlayedLog *log, JsonWriter *writer) {
    const Plan *plan = log->plan;
    PlayerSums sums[PLAN_PLAYERS_MAX] = {{0}};
    Estimate ratings[RATED_MAX];
    RatedPair *pairs;
    uint32_t count = report_pairs(log, &pairs);
    sum_up(log, sums);
    bradley_terry_from_pairs(pairs, count, plan->players_count, ratings);
    free(pairs);
    json_open_list(writer, "players");
    for (uint32_t i = 0; i < plan->players_count; i++) {
        const PlanPlayer *player = &plan->players[i];
        const PlayerSums *sum = &sums[i];
        json_open(writer, '{');
        json_put_pair(writer, "name", player->name);
        json_put_pair(writer, "runs",
                      player->exec[0] != '\0'    ? player->exec
                      : player->level[0] != '\0' ? player->level
                                                 : player->standard);
        JSON_PUT_INTS(writer, {"elo", (int64_t)ratings[i].is}, {"low", (int64_t)ratings[i].low},
                      {"high", (int64_t)ratings[i].high}, {"matches", sum->matches},
                      {"won", sum->won}, {"drawn", sum->drawn}, {"lost", sum->lost},
                      {"crashed", sum->ends[PLAYED_CRASHED]}, {"late", sum->ends[PLAYED_LATE]},
                      {"illegal", sum->ends[PLAYED_ILLEGAL]},
                      {"not_started", sum->ends[PLAYED_NOT_RUN]}, {"refused", sum->refused},
                      {"slowest_ms", sum->slowest_ms});
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* The tables of the stages that have begun. */
static void put_stages(const PlayedLog *log, JsonWriter *writer) {
    static const char *const systems[] = {"round robin", "Swiss", "knock-out", "gauntlet"};
    json_open_list(writer, "stages");
    for (uint32_t stage = 0; plan_stage(log->plan, stage) != NULL; stage++) {
        StageTable table;
        bool begun = stage == 0;
        for (uint32_t i = 0; i < log->count; i++)
            begun = begun || log->list[i].stage == stage;
        if (!begun || !schedule_table(log, stage, &table))
            break;
        json_open(writer, '{');
        json_put_pair(writer, "system", systems[plan_stage(log->plan, stage)->system]);
        json_open_list(writer, "rows");
        for (uint32_t i = 0; i < table.count; i++) {
            const TournamentRow *row = &table.rows[i];
            json_open(writer, '{');
            JSON_PUT_INTS(writer, {"player", row->player}, {"place", row->place},
                          {"points", row->points}, {"buchholz", row->buchholz},
                          {"sonneborn", row->sonneborn_berger}, {"played", row->played},
                          {"wins", row->wins});
            json_close(writer, '}');
        }
        json_close(writer, ']');
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* Everything. */
static void put_all(const PlayedLog *log, uint32_t total, bool over, MashText *text) {
    const Plan *plan = log->plan;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "name", plan->name);
    json_put_pair(&writer, "game", mash_game_find(plan->game)->title);
    JSON_PUT_INTS(&writer, {"total", total > log->count ? total : log->count},
                  {"pairs", plan->first.pairs});
    json_put_pair_bool(&writer, "over", over);
    put_players(log, &writer);
    put_stages(log, &writer);
    json_open_list(&writer, "matches");
    for (uint32_t i = 0; i < log->count; i++) {
        char line[4096];
        MashText one = text_over(line, sizeof line);
        played_write(&log->list[i], &one);
        json_put_raw(&writer, line, one.count);
    }
    json_close(&writer, ']');
    json_close(&writer, '}');
}

char *report_json(const PlayedLog *log, uint32_t total, bool over) {
    for (uint32_t max = JSON_BYTES;; max *= 2) {
        char *memory = cli_memory(max);
        MashText text = text_over(memory, max);
        put_all(log, total, over, &text);
        if (!text.truncated)
            return memory;
        free(memory);
    }
}

/* --- The page ----------------------------------------------------------------------------------
 */

/* The page without data. */
static const char *empty_page(void) {
    for (const HelpText *help = help_texts; help->name != NULL; help++)
        if (strcmp(help->name, "tournament-page") == 0)
            return help->text;
    assert(false);
    return "";
}

/* Copies JSON for a script of a page: nothing in it may end the script. */
static void put_for_script(const char *json, MashText *text) {
    for (; *json != '\0'; json++)
        if (*json == '<')
            text_string(text, "\\u003c");
        else
            text_byte(text, *json);
}

char *report_page(const char *json) {
    const char *page = empty_page(), *at = strstr(page, mark);
    size_t max = strlen(page) + 6 * strlen(json) + 64;
    char *memory = cli_memory(max);
    MashText text = text_over(memory, (uint32_t)max);
    assert(at != NULL);
    text_bytes(&text, page, (uint32_t)(at - page));
    put_for_script(json, &text);
    text_string(&text, at + strlen(mark));
    return memory;
}

bool report_write(const PlayedLog *log, const char *folder, uint32_t total, bool over) {
    char path[RUNNER_PATH_BYTES];
    char *json = report_json(log, total, over), *page = report_page(json);
    snprintf(path, sizeof path, "%s/index.html", folder);
    bool fine = files_write(path, page, (uint32_t)strlen(page));
    free(json);
    free(page);
    return fine;
}

/* --- The terminal ------------------------------------------------------------------------------
 */

/* What went wrong with a player's program, in a few words. */
static void print_failures(const PlayerSums *sum) {
    static const char *const words[] = {"", "crashed", "too late", "illegal", "did not start"};
    for (uint32_t i = PLAYED_CRASHED; i <= PLAYED_NOT_RUN; i++)
        if (sum->ends[i] > 0)
            printf("  %s %u", words[i], sum->ends[i]);
    if (sum->refused > 0)
        printf("  refused %u", sum->refused);
}

void report_print(const PlayedLog *log) {
    const Plan *plan = log->plan;
    PlayerSums sums[PLAN_PLAYERS_MAX] = {{0}};
    Estimate ratings[RATED_MAX];
    RatedPair *pairs;
    uint32_t stages = 0, count = report_pairs(log, &pairs);
    sum_up(log, sums);
    bradley_terry_from_pairs(pairs, count, plan->players_count, ratings);
    free(pairs);
    for (uint32_t i = 0; i < log->count; i++)
        stages = log->list[i].stage > stages ? log->list[i].stage : stages;
    for (uint32_t stage = 0; stage <= stages; stage++) {
        StageTable table;
        schedule_table(log, stage, &table);
        printf("%s%5s %-20s %7s %7s %6s %-8s %11s\n", stage == 0 ? "" : "\n", "place", "player",
               "points", "matches", "Elo", "95 %", "slowest ms");
        for (uint32_t i = 0; i < table.count; i++) {
            const TournamentRow *row = &table.rows[i];
            const Estimate *rating = &ratings[row->player];
            printf("%5u %-20s %7.1f %7u %+6.0f ± %-6.0f %11d", row->place,
                   plan->players[row->player].name, row->points / 2.0, row->played, rating->is,
                   (rating->high - rating->low) / 2, sums[row->player].slowest_ms);
            print_failures(&sums[row->player]);
            puts("");
        }
    }
}
