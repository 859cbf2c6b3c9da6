/* league.c -- mashup league: AI players and programs play each other in pairs of matches, and the
 * strengths that follow from the results. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/commands/elo.h"
#include "cli/commands/self_play.h"
#include "cli/files.h"
#include "cli/match_files.h"
#include "cli/progress.h"

enum {
    PLAYERS_MAX = RATED_MAX,
    NAME_MAX = 256,
    QUOTED_BYTES = 6 * NAME_MAX + 3, /* of a name in JSON */
    PAIRINGS_MAX = PLAYERS_MAX * (PLAYERS_MAX - 1) / 2,
    PATH_BYTES = 4096,
};

#define EXEC_PREFIX "exec:"

/* Two players and their results. */
typedef struct Pairing {
    uint32_t players[2];
    MatchPairs pairs;
    uint32_t seats[MASH_SEATS][3]; /* of the first player on each seat: won, drawn, lost */
    ThinkingUsage usages[2];
} Pairing;

/* The whole league. */
typedef struct League {
    const GameConfig *config;
    SelfPlayer players[PLAYERS_MAX];
    char names[PLAYERS_MAX][NAME_MAX];
    uint32_t players_count;
    uint64_t pairs, seed, nodes, ms, program_ms, random_turns;
    bool sprt, json;
    const char *save; /* a folder for match files, or NULL */
    double low, high; /* of the sequential test */
    Pairing pairings[PAIRINGS_MAX];
    uint32_t pairings_count;
} League;

/* --- Playing ---------------------------------------------------------------------------------- */

/* Half points of the player on `seat`. */
static uint32_t half_points(MashResult result, uint8_t seat) {
    return result.winner == MASH_SEAT_NONE ? 1 : result.winner == seat ? 2 : 0;
}

/* Writes the match to DIR/A-B-N.json: the player on seat 0, the player on seat 1, and the number of
 * the match, so that matches of a player against itself are kept as well. */
static bool save_match(const League *league, SelfPlay *self_play, const SelfPlayer *const sat[],
                       uint64_t number) {
    char path[PATH_BYTES], files[MASH_SEATS][NAME_MAX], names[MASH_SEATS][PROTO_NAME_MAX + 1];
    const char *players[MASH_SEATS] = {names[0], names[1]};
    if (league->save == NULL)
        return true;
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        snprintf(names[seat], sizeof names[seat], "%.31s", sat[seat]->name);
        snprintf(files[seat], sizeof files[seat], "%s", sat[seat]->name);
        for (char *letter = files[seat]; *letter != '\0'; letter++)
            if (strchr("/ :", *letter) != NULL)
                *letter = '-';
    }
    snprintf(path, sizeof path, "%s/%s-%s-%llu.json", league->save, files[0], files[1],
             (unsigned long long)number);
    return saved_match_write(path, &self_play->match, league->config, players);
}

/* Plays the same match twice, with seats swapped. */
static bool play_pair(const League *league, SelfPlay *self_play, Pairing *pairing,
                      uint64_t number) {
    MashSeed seed = {{league->seed, number}};
    uint32_t points[2];
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const SelfPlayer *players[MASH_SEATS];
        ThinkingUsage *usages[MASH_SEATS];
        MashResult result;
        for (uint8_t who = 0; who < 2; who++) {
            uint8_t sits = who == 0 ? seat : 1 - seat;
            players[sits] = &league->players[pairing->players[who]];
            usages[sits] = &pairing->usages[who];
        }
        if (!self_play_match(self_play, seed, players, usages, &result) ||
            !save_match(league, self_play, players, MASH_SEATS * number + seat + 1))
            return false;
        points[seat] = half_points(result, seat);
        pairing->seats[seat][2 - points[seat]]++;
    }
    pairs_add(&pairing->pairs, points[0], points[1]);
    return true;
}

/* Is the test decided? */
static bool settled(const League *league, const Pairing *pairing) {
    double ratio = match_pairs_llr(&pairing->pairs, league->low, league->high);
    return league->sprt && (ratio >= PAIRS_SURE || ratio <= -PAIRS_SURE);
}

/* Plays all pairings, each until its test is decided. False: a match could not be played or
 * saved. */
static bool play_all(League *league) {
    SelfPlay self_play;
    Progress progress = progress_begin();
    uint64_t all = league->pairs * league->pairings_count;
    bool fine = true;
    self_play_open(&self_play, league->config, (uint32_t)league->nodes, (uint32_t)league->ms);
    self_play.program_ms = (uint32_t)league->program_ms;
    self_play.random_turns = (uint32_t)league->random_turns;
    for (uint32_t i = 0; fine && i < league->pairings_count; i++)
        for (uint64_t pair = 0; fine && pair < league->pairs; pair++) {
            fine = play_pair(league, &self_play, &league->pairings[i], pair);
            progress_show(&progress, i * league->pairs + pair + 1, all);
            if (settled(league, &league->pairings[i]))
                break;
        }
    progress_end(&progress);
    self_play_close(&self_play);
    return fine;
}

/* --- Printing --------------------------------------------------------------------------------- */

/* The id of one of the two players. */
static const char *name_of(const League *league, const Pairing *pairing, int who) {
    return league->players[pairing->players[who]].name;
}

/* The columns that the longest name needs. */
static int name_width(const League *league) {
    size_t width = 14;
    for (uint32_t i = 0; i < league->players_count; i++) {
        size_t letters = strlen(league->players[i].name);
        width = letters > width ? letters : width;
    }
    return (int)width;
}

/* Prints names in columns of this width, with a blank behind each. */
static void print_names(int width, const char *first, const char *second) {
    printf("%-*s %-*s ", width, first, width, second);
}

/* Which of the two strengths the test of a pairing accepted, or that it is undecided. */
static const char *verdict(const League *league, const Pairing *pairing) {
    if (!settled(league, pairing))
        return "open";
    return match_pairs_llr(&pairing->pairs, league->low, league->high) > 0 ? "high" : "low";
}

/* Prints all pairings as a table. */
static void print_table(const League *league) {
    int width = name_width(league);
    print_names(width, "player", "against");
    printf("%6s %6s %6s %7s  %-16s %6s  %s\n", "won", "drawn", "lost", "score", "95 %", "Elo",
           "95 %");
    for (uint32_t i = 0; i < league->pairings_count; i++) {
        const Pairing *pairing = &league->pairings[i];
        Estimate score = pairs_score(&pairing->pairs), elo = pairs_elo(&pairing->pairs);
        print_names(width, name_of(league, pairing, 0), name_of(league, pairing, 1));
        printf("%6u %6u %6u %5.1f %%  %5.1f .. %5.1f %% %+6.0f  %+.0f .. %+.0f\n",
               pairing->pairs.won, pairing->pairs.drawn, pairing->pairs.lost, 100 * score.is,
               100 * score.low, 100 * score.high, elo.is, elo.low, elo.high);
        if (league->sprt)
            printf("  test of %+.0f against %+.0f Elo: %s (%.2f)\n", league->low, league->high,
                   verdict(league, pairing),
                   match_pairs_llr(&pairing->pairs, league->low, league->high));
    }
}

/* Results of the first player of each pairing by seat, and what they say about the seats. */
static void print_seats(const League *league) {
    uint32_t first = 0, drawn = 0, second = 0;
    int width = name_width(league);
    puts("");
    print_names(width, "", "");
    printf("%21s %21s\n", "on seat 0", "on seat 1");
    print_names(width, "player", "against");
    printf("%7s %6s %6s %7s %6s %6s\n", "won", "drawn", "lost", "won", "drawn", "lost");
    for (uint32_t i = 0; i < league->pairings_count; i++) {
        const Pairing *pairing = &league->pairings[i];
        const uint32_t(*seats)[3] = pairing->seats;
        print_names(width, name_of(league, pairing, 0), name_of(league, pairing, 1));
        printf("%7u %6u %6u %7u %6u %6u\n", seats[0][0], seats[0][1], seats[0][2], seats[1][0],
               seats[1][1], seats[1][2]);
        first += seats[0][0] + seats[1][2];
        drawn += seats[0][1] + seats[1][1];
        second += seats[0][2] + seats[1][0];
    }
    uint32_t all = first + drawn + second;
    printf("all matches: seat 0 won %u, seat 1 won %u, drawn %u; score of seat 0: %.1f %%\n", first,
           second, drawn, all == 0 ? 50 : 100 * (first + drawn / 2.0) / all);
}

/* The strength of each player from all pairings, with points and matches. */
static void find_ratings(const League *league, Estimate *ratings, ScoreTable *points) {
    points->count = league->players_count;
    for (uint32_t i = 0; i < league->pairings_count; i++) {
        const Pairing *pairing = &league->pairings[i];
        const MatchPairs *pairs = &pairing->pairs;
        uint32_t a = pairing->players[0], b = pairing->players[1];
        points->points[a][b] = pairs->won + pairs->drawn / 2.0;
        points->points[b][a] = pairs->lost + pairs->drawn / 2.0;
    }
    bradley_terry_ratings(points, ratings);
}

/* With more than two players: prints the ranking. */
static void print_standings(const League *league) {
    Estimate ratings[PLAYERS_MAX];
    ScoreTable points = {.count = 0};
    if (league->players_count < 3)
        return;
    find_ratings(league, ratings, &points);
    int width = name_width(league);
    printf("\n%-*s %8s %8s %6s  %s\n", width, "player", "points", "matches", "Elo", "95 %");
    for (uint32_t a = 0; a < league->players_count; a++) {
        double won = 0, lost = 0;
        for (uint32_t b = 0; b < league->players_count; b++) {
            won += points.points[a][b];
            lost += points.points[b][a];
        }
        printf("%-*s %8.1f %8.0f %+6.0f  %+.0f .. %+.0f\n", width, league->players[a].name, won,
               won + lost, ratings[a].is, ratings[a].low, ratings[a].high);
    }
}

/* Prints the time and nodes that thinking took. */
static void print_usages(const League *league) {
    int width = name_width(league);
    puts("");
    print_names(width, "player", "against");
    printf("%12s %12s %10s %10s %9s %9s\n", "nodes a turn", "nodes/CPU-s", "ms a turn", "worst ms",
           "overruns", "failures");
    for (uint32_t i = 0; i < league->pairings_count; i++)
        for (int who = 0; who < 2; who++) {
            const Pairing *pairing = &league->pairings[i];
            const ThinkingUsage *usage = &pairing->usages[who];
            double turns = usage->turns > 0 ? (double)usage->turns : 1;
            double spent_us = usage->spent_us > 0 ? (double)usage->spent_us : 1;
            print_names(width, name_of(league, pairing, who), name_of(league, pairing, 1 - who));
            printf("%12.0f %12.0f %10.2f %10.2f %9llu %9llu\n", (double)usage->nodes / turns,
                   1e6 * (double)usage->nodes / spent_us, (double)usage->spent_us / 1e3 / turns,
                   (double)usage->worst_us / 1e3, (unsigned long long)usage->overruns,
                   (unsigned long long)usage->failures);
        }
}

/* A name as a string of JSON, in memory of the caller. */
static const char *quoted(const char *name, char out[QUOTED_BYTES]) {
    MashText text = text_over(out, QUOTED_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    json_put_bytes(&writer, name, (uint32_t)strlen(name));
    return out;
}

/* The strengths as JSON. */
static void print_json_standings(const League *league) {
    Estimate ratings[PLAYERS_MAX];
    ScoreTable points = {.count = 0};
    find_ratings(league, ratings, &points);
    printf(",\n \"players\": [");
    for (uint32_t a = 0; a < league->players_count; a++) {
        char name[QUOTED_BYTES];
        printf("%s\n  {\"player\": %s, \"elo\": %.1f, \"elo_low\": %.1f, \"elo_high\": %.1f}",
               a == 0 ? "" : ",", quoted(league->players[a].name, name), ratings[a].is,
               ratings[a].low, ratings[a].high);
    }
    printf("\n ]");
}

/* The results as JSON. */
static void print_json(const League *league) {
    printf("{\"game\": \"%s\", \"preset\": \"%s\", \"seed\": %llu, \"nodes\": %llu, \"ms\": %llu,\n"
           " \"pairings\": [",
           league->config->game->id,
           league->config->preset != NULL ? league->config->preset
                                          : league->config->game->presets[0].id,
           (unsigned long long)league->seed, (unsigned long long)league->nodes,
           (unsigned long long)league->ms);
    for (uint32_t i = 0; i < league->pairings_count; i++) {
        const Pairing *pairing = &league->pairings[i];
        const MatchPairs *pairs = &pairing->pairs;
        Estimate score = pairs_score(pairs), elo = pairs_elo(pairs);
        char names[2][QUOTED_BYTES];
        printf("%s\n  {\"player\": %s, \"against\": %s, \"won\": %u, \"drawn\": %u, "
               "\"lost\": %u,\n   \"seat_0\": [%u, %u, %u], \"seat_1\": [%u, %u, %u],\n"
               "   \"pairs\": [%u, %u, %u, %u, %u], \"score\": %.4f, "
               "\"score_low\": %.4f, \"score_high\": %.4f,\n   \"elo\": %.1f, \"elo_low\": %.1f, "
               "\"elo_high\": %.1f",
               i == 0 ? "" : ",", quoted(name_of(league, pairing, 0), names[0]),
               quoted(name_of(league, pairing, 1), names[1]), pairs->won, pairs->drawn, pairs->lost,
               pairing->seats[0][0], pairing->seats[0][1], pairing->seats[0][2],
               pairing->seats[1][0], pairing->seats[1][1], pairing->seats[1][2], pairs->counts[0],
               pairs->counts[1], pairs->counts[2], pairs->counts[3], pairs->counts[4], score.is,
               score.low, score.high, elo.is, elo.low, elo.high);
        if (league->sprt)
            printf(", \"test\": \"%s\"", verdict(league, pairing));
        printf("}");
    }
    printf("\n ]");
    print_json_standings(league);
    puts("}");
}

/* --- The command ------------------------------------------------------------------------------ */

/* The skill of a player, and how it thinks: "level8", "level8x2" (twice as long), "level8@4" (with
 * four threads), or both. NULL: there is no such player. */
static const AiSkill *read_skill(const char *name, SelfPlayer *out) {
    char id[NAME_MAX], rest;
    size_t letters = strcspn(name, "@"), times = letters;
    const AiSkill *skill = NULL;
    out->threads = out->times = 1;
    if (name[letters] == '@' && (sscanf(name + letters, "@%2u%c", &out->threads, &rest) != 1 ||
                                 out->threads < 1 || out->threads > AI_TEAM_MAX))
        return NULL;
    while (times > 0 && isdigit((unsigned char)name[times - 1]))
        times--;
    bool longer = times > 0 && times < letters && name[times - 1] == 'x';
    if (longer &&
        (letters - times > 3 || sscanf(name + times, "%3u", &out->times) != 1 || out->times < 1))
        return NULL;
    snprintf(id, sizeof id, "%.*s", (int)(longer ? times - 1 : letters), name);
    skill = ai_skill_find(id);
    return skill;
}

/* The player of this name: a skill, or a program "exec:COMMAND". False: an error was printed. */
static bool read_player(const Command *self, const char *name, SelfPlayer *out) {
    const char *names[64];
    char bytes[512];
    MashText text = text_over(bytes, sizeof bytes);
    *out = (SelfPlayer){.name = name};
    if (strcmp(name, EXEC_PREFIX) == 0) {
        cli_wrong_use(self, "exec: needs a command, such as \"exec:python3 mine.py\"");
        return false;
    }
    if (strncmp(name, EXEC_PREFIX, strlen(EXEC_PREFIX)) == 0) {
        out->program = exec_player_open(name + strlen(EXEC_PREFIX));
        return out->program != NULL;
    }
    out->skill = read_skill(name, out);
    if (out->skill != NULL)
        return true;
    for (uint32_t i = 0; i < ai_skills_count && i < 64; i++)
        names[i] = ai_skills[i].id;
    cli_suggest(&text, name, names, ai_skills_count);
    cli_wrong_use(self, "unknown player \"%s\"%s, or exec:COMMAND", name, bytes);
    return false;
}

/* Reads "level3,random,exec:python3 bot.py" into the league. */
static bool read_players(const Command *self, const char *words, League *league) {
    while (words != NULL && *words != '\0') {
        if (league->players_count == PLAYERS_MAX) {
            cli_wrong_use(self, "at most %d players", PLAYERS_MAX);
            return false;
        }
        char *name = league->names[league->players_count];
        int letters = (int)strcspn(words, ",");
        if (letters >= NAME_MAX) {
            cli_wrong_use(self, "a player has less than %d bytes", NAME_MAX);
            return false;
        }
        snprintf(name, NAME_MAX, "%.*s", letters, words);
        words += letters + (words[letters] == ',');
        if (!read_player(self, name, &league->players[league->players_count]))
            return false;
        league->players_count++;
    }
    if (league->players_count < 2)
        cli_wrong_use(self, "a league needs at least two players: --players level4,level3");
    return league->players_count >= 2;
}

/* Does the game have the levels of all players? False: an error was printed. */
static bool has_levels(const Command *self, const MashGame *game, const League *league) {
    for (uint32_t i = 0; i < league->players_count; i++) {
        const AiSkill *skill = league->players[i].skill;
        if (skill != NULL && !game_config_has_level(self, game, skill->level))
            return false;
    }
    return true;
}

/* Ends all programs. */
static void close_players(League *league) {
    for (uint32_t i = 0; i < league->players_count; i++)
        exec_player_close(league->players[i].program);
}

/* Reads "0,20": Elo points. */
static bool read_test(const Command *self, const char *words, League *league) {
    char rest;
    if (words == NULL)
        return true;
    league->sprt = sscanf(words, "%lf,%lf%c", &league->low, &league->high, &rest) == 2 &&
                   league->low < league->high && league->low > -ELO_MOST && league->high < ELO_MOST;
    if (!league->sprt)
        cli_wrong_use(self, "--sprt takes two numbers of Elo points, the lower one first: 0,20");
    return league->sprt;
}

/* All pairings of a round robin. */
static void make_pairings(League *league) {
    for (uint32_t a = 0; a < league->players_count; a++)
        for (uint32_t b = a + 1; b < league->players_count; b++)
            league->pairings[league->pairings_count++] = (Pairing){.players = {a, b}};
}

/* Plays all pairings and prints tables or JSON. An exit code. */
static int play_league(League *league) {
    make_pairings(league);
    if (league->save != NULL && !files_make_folder(league->save))
        return CLI_CHECK_FAILED;
    if (!play_all(league))
        return CLI_CHECK_FAILED;
    if (league->json) {
        print_json(league);
        return CLI_FINE;
    }
    print_table(league);
    print_seats(league);
    print_standings(league);
    print_usages(league);
    return CLI_FINE;
}

static const Flag flags[] = {FLAG_TEXT("players"),
                             FLAG_WHOLE("pairs", 1, 1000000, 10),
                             FLAG_WHOLE("nodes", 1, 4000000000, 0),
                             FLAG_WHOLE("ms", 1, 1000000, 0),
                             FLAG_WHOLE("program-ms", 1, 3600000, 60000),
                             FLAG_WHOLE("random-turns", 0, 1000, 0),
                             FLAG_TEXT("sprt"),
                             FLAG_WHOLE("seed", 0, UINT64_MAX, 1),
                             FLAG_TEXT("save"),
                             FLAG_SWITCH("json"),
                             GAME_CONFIG_FLAGS,
                             FLAGS_END};

static int run(const Arguments *given) {
    GameConfig config;
    League *league = cli_keep(cli_memory(sizeof *league));
    league->pairs = flag_number(given, "pairs");
    league->nodes = flag_number(given, "nodes");
    league->ms = flag_number(given, "ms");
    league->seed = flag_number(given, "seed");
    league->save = flag_text(given, "save");
    league->json = flag_given(given, "json");
    league->program_ms = flag_number(given, "program-ms");
    league->random_turns = flag_number(given, "random-turns");
    if (!read_players(given->command, flag_text(given, "players"), league) ||
        !read_test(given->command, flag_text(given, "sprt"), league))
        return CLI_WRONG_USE;
    if (league->nodes != 0 && league->ms != 0)
        return cli_wrong_use(given->command, "either --nodes or --ms, not both");
    if (!game_config_make(&config, given, given->words[0]))
        return CLI_WRONG_USE;
    league->config = &config;
    int exit_code =
        has_levels(given->command, config.game, league) ? play_league(league) : CLI_WRONG_USE;
    close_players(league);
    free(config.content);
    return exit_code;
}

const Command command_league = {
    "league",
    "Measures how strong AI players and programs are.",
    "league GAME --players A,B[,...] [--pairs N] [--nodes N | --ms N]\n"
    "              [--program-ms N] [--random-turns N]\n"
    "              [--sprt LOW,HIGH] [--seed S] [--save DIR] [--json] [--preset P]\n"
    "              [--content FILE]... [--option ID=VALUE]...",
    run,
    flags,
    1,
    1,
    NULL};
