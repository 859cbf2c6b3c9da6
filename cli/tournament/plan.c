/* plan.c -- see plan.h. */
#define _DEFAULT_SOURCE
#include "cli/tournament/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ai/ai.h"
#include "cli/files.h"

enum { PROBLEMS_KEPT = 32, PRINTED_BYTES = 1 << 16, DAY_MS = 86400000, PATH_BYTES = 4096 };

static const char *const systems[] = {"round-robin", "swiss", "knock-out", "gauntlet", NULL};
static const char *const networks[] = {"", "on", "off", NULL};

/* --- The fields --------------------------------------------------------------------------------
 */

/* Times and limits, for the tournament and for each player. */
#define LIMIT_FIELDS(type, prefix, fallback_)                                                      \
    FIELD(INT, "turn_ms", type, prefix turn_ms, .min = 1, .max = DAY_MS, .optional = true,         \
          .fallback = (fallback_) == 0 ? 1000 : -1,                                                \
          .meaning = "Milliseconds for a turn, by the clock (usually 1000)."),                     \
        FIELD(INT, "bank_ms", type, prefix bank_ms, .max = DAY_MS, .optional = true,               \
              .fallback = (fallback_),                                                             \
              .meaning = "Milliseconds that a program may use beyond turn_ms in a whole match "    \
                         "(usually 0)."),                                                          \
        FIELD(INT, "startup_ms", type, prefix startup_ms, .max = DAY_MS, .optional = true,         \
              .fallback = (fallback_) == 0 ? PLAN_STARTUP_MS : -1,                                 \
              .meaning = "Milliseconds that its first answer may take longer (usually 5000)."),    \
        FIELD(INT, "memory_mb", type, prefix memory_mb, .max = 1 << 20, .optional = true,          \
              .fallback = (fallback_),                                                             \
              .meaning = "Megabytes of address space for each of its processes; 0: no limit "      \
                         "(usual). Node.js and Java reserve far more than they use: limit them "   \
                         "by wrapper."),                                                           \
        FIELD(INT, "cpu_s", type, prefix cpu_s, .max = DAY_MS / 1000, .optional = true,            \
              .fallback = (fallback_),                                                             \
              .meaning = "Seconds of the processor for a match; 0: no limit (usual)."),            \
        FIELD(ENUM, "network", type, prefix offline, .words = networks, .optional = true,          \
              .meaning =                                                                           \
                  "off: programs run without a network (by unshare or bubblewrap); usually "       \
                  "on.")

static const Field player_fields[] = {
    FIELD(LINE, "name", PlanPlayer, name, .unique = true, .meaning = "What it is called."),
    FIELD(LINE, "exec", PlanPlayer, exec, .optional = true,
          .meaning = "A command for the shell: a program that reads and writes lines, as for "
                     "mashup bot --exec."),
    FIELD(LINE, "level", PlanPlayer, level, .optional = true,
          .meaning = "Instead of exec: a built-in player, level1 to level9 or random."),
    FIELD(LINE, "standard", PlanPlayer, standard, .optional = true,
          .meaning = "Instead of exec: a command that starts a client of the Marvelous Mashup "
                     "standard; {url}, {host}, {port} and {path} in it become the address to "
                     "connect to, {name} its name."),
    FIELD(LINE, "folder", PlanPlayer, folder, .optional = true,
          .meaning = "The folder it is run in, from that of this file (usually that one)."),
    FIELD(LINE, "wrapper", PlanPlayer, wrapper, .optional = true,
          .meaning = "Words before the command, such as systemd-run --user --scope -p "
                     "MemoryMax=500M."),
    FIELD(INT, "rating", PlanPlayer, rating, .min = -10000, .max = 10000, .optional = true,
          .meaning = "For seeding: the higher first; equal ones in the order of the file."),
    LIMIT_FIELDS(PlanPlayer, , -1),
};

/* Is the player described by exactly one of the three? */
static void check_player(FieldsReader *reader, uint32_t node, void *record) {
    const PlanPlayer *player = record;
    int kinds =
        (player->exec[0] != '\0') + (player->level[0] != '\0') + (player->standard[0] != '\0');
    if (kinds != 1)
        json_problem(reader->json, node, reader->problems,
                     "needs one of \"exec\", \"level\" and \"standard\"");
    if (player->level[0] != '\0' && ai_skill_find(player->level) == NULL)
        json_problem(reader->json, json_member(reader->json, node, "level"), reader->problems,
                     "there is no built-in player \"%s\": level1 to level%d, random", player->level,
                     (int)AI_LEVELS_MAX);
}
static const Fields player_rows = {
    .id = "player", FIELDS_OF(player_fields), .bytes = sizeof(PlanPlayer), .check = check_player};

/* How a stage is played. */
#define STAGE_FIELDS(type, prefix)                                                                 \
    FIELD(ENUM, "system", type, prefix system, .words = systems, .optional = true,                 \
          .meaning = "Who meets whom; usually round-robin."),                                      \
        FIELD(INT, "rounds", type, prefix rounds, .max = 1000, .optional = true,                   \
              .meaning = "Swiss: how many (usually enough to tell one winner); round robin: how "  \
                         "often everybody meets everybody (usually once)."),                       \
        FIELD(INT, "pairs", type, prefix pairs, .min = 1, .max = 100000, .optional = true,         \
              .fallback = 1,                                                                       \
              .meaning =                                                                           \
                  "Pairs of matches on each board when two meet: the same seed twice, with "       \
                  "seats changed (usually 1)."),                                                   \
        FIELD(INT, "champions", type, prefix champions, .min = 1, .max = PLAN_PLAYERS_MAX,         \
              .optional = true, .fallback = 1,                                                     \
              .meaning = "Gauntlet: how many players, the first of the list, meet all others.")

static const Field then_fields[] = {
    STAGE_FIELDS(PlanStage, ),
    FIELD(INT, "top", PlanStage, top, .min = 2, .max = PLAN_PLAYERS_MAX, .optional = true,
          .fallback = 4, .meaning = "How many of the best go on (usually 4)."),
};
static const Fields then_rows = {
    .id = "second stage", FIELDS_OF(then_fields), .bytes = sizeof(PlanStage)};

static const Field preset_item = {
    .kind = FIELD_LINE, .key = "preset", .bytes = PLAN_NAME_BYTES, .meaning = "A preset."};

static const Field sprt_fields[] = {
    FIELD(INT, "low", Plan, sprt_low, .min = -1000, .max = 1000, .meaning = "Elo points."),
    FIELD(INT, "high", Plan, sprt_high, .min = -1000, .max = 1000, .meaning = "Elo points."),
};
static const Fields sprt_rows = {.id = "test", FIELDS_OF(sprt_fields)};

/* Does the game have the levels of all players? */
static void check_levels(FieldsReader *reader, uint32_t node, const MashGame *game,
                         const Plan *plan) {
    char bytes[128];
    MashText text = text_over(bytes, sizeof bytes);
    const Json *json = reader->json;
    uint32_t row = json_first(json, json_member(json, node, "players"));
    ai_say_levels(game, &text);
    for (uint32_t i = 0; i < plan->players_count; i++, row = json->nodes[row].next) {
        const AiSkill *skill = ai_skill_find(plan->players[i].level);
        if (skill != NULL && skill->level > ai_levels_of(game))
            json_problem(json, json_member(json, row, "level"), reader->problems, "%s", bytes);
    }
}

/* Notes that there is a second stage. */
static void check_plan(FieldsReader *reader, uint32_t node, void *record) {
    Plan *plan = record;
    plan->has_then = json_member(reader->json, node, "then") != JSON_NONE;
    const MashGame *game = mash_game_find(plan->game);
    if (game != NULL)
        check_levels(reader, node, game, plan);
    else
        json_problem(reader->json, json_member(reader->json, node, "game"), reader->problems,
                     "there is no game \"%s\"", plan->game);
    for (uint32_t i = 0; i < plan->players_count; i++)
        if (plan->players[i].standard[0] != '\0' && strcmp(plan->game, "marvelous-mashup") != 0)
            json_problem(reader->json, node, reader->problems,
                         "%s speaks the Marvelous Mashup standard, which is for that game only",
                         plan->players[i].name);
}

static const Field plan_fields[] = {
    FIELD(LINE, "name", Plan, name, .optional = true, .meaning = "What the tournament is called."),
    FIELD(LINE, "game", Plan, game, .meaning = "The id of a game: mashup games lists them."),
    FIELD(LIST, "presets", Plan, presets, .item = &preset_item, .max = PLAN_PRESETS_MAX,
          FIELD_COUNT(Plan, presets_count), .optional = true,
          .meaning = "Boards to play on, each in every meeting (usually the first of the game)."),
    FIELD(INT, "seed", Plan, seed, .max = INT32_MAX, .optional = true, .fallback = 1,
          .meaning = "All chance of the tournament follows from it (usually 1)."),
    STAGE_FIELDS(Plan, first.),
    FIELD(OBJECT, "then", Plan, then, .rows = &then_rows, .optional = true,
          .meaning = "A second stage among the best of the first."),
    FIELD_PART(OBJECT, "sprt", .rows = &sprt_rows, .optional = true,
               .meaning = "Two strengths: a meeting ends early when it is clear (5 % error) which "
                          "of the two the difference is nearer to."),
    LIMIT_FIELDS(Plan, usual., 0),
    FIELD(ROWS, "players", Plan, players, FIELD_COUNT(Plan, players_count), .rows = &player_rows,
          .min = 2, .max = PLAN_PLAYERS_MAX, .meaning = "Who plays."),
};
static const Fields plan_document = {.id = ".tournament.json",
                                     .meaning = "a tournament",
                                     FIELDS_OF(plan_fields),
                                     .bytes = sizeof(Plan),
                                     .check = check_plan};

/* --- Reading -----------------------------------------------------------------------------------
 */

/* What a player does not say is as the tournament says; folders begin at that of the file. */
static void complete_player(PlanPlayer *player, const PlanPlayer *usual, const char *folder) {
    int32_t *mine[] = {&player->turn_ms, &player->bank_ms, &player->startup_ms, &player->memory_mb,
                       &player->cpu_s};
    const int32_t others[] = {usual->turn_ms, usual->bank_ms, usual->startup_ms, usual->memory_mb,
                              usual->cpu_s};
    for (uint32_t i = 0; i < sizeof mine / sizeof *mine; i++)
        if (*mine[i] < 0)
            *mine[i] = others[i];
    if (player->offline == PLAN_AS_TOURNAMENT)
        player->offline = usual->offline;
    if (player->folder[0] != '/') {
        char whole[PATH_BYTES], found[PATH_BYTES];
        snprintf(whole, sizeof whole, "%s/%s", folder, player->folder);
        if (realpath(whole, found) != NULL && strlen(found) < sizeof player->folder)
            memcpy(player->folder, found, strlen(found) + 1);
    }
}

/* Do the folders exist? */
static bool check_folders(const char *name, const Plan *plan) {
    bool fine = true;
    for (uint32_t i = 0; i < plan->players_count; i++) {
        struct stat about;
        if (plan->players[i].level[0] != '\0' ||
            (stat(plan->players[i].folder, &about) == 0 && S_ISDIR(about.st_mode)))
            continue;
        fprintf(stderr, "mashup: %s: $.players[%u].folder: there is no folder \"%s\"\n", name, i,
                plan->players[i].folder);
        fine = false;
    }
    return fine;
}

bool plan_load(Plan *plan) {
    const MashGame *game = mash_game_find(plan->game);
    if (plan->presets_count == 0) {
        snprintf(plan->presets[0], sizeof plan->presets[0], "%s", game->presets[0].id);
        plan->presets_count = 1;
    }
    for (uint32_t i = 0; i < plan->presets_count; i++) {
        GameConfig *config = &plan->configs[i];
        *config = (GameConfig){.game = game, .preset = plan->presets[i]};
        for (uint32_t k = 0; k < game->options_count; k++)
            config->options[k] = game->options[k].usual;
        config->documents_count =
            mash_documents_of_preset(game, plan->presets[i], config->documents);
        if (config->documents_count == 0) {
            fprintf(stderr, "mashup: %s has no preset \"%s\": mashup games lists them\n", game->id,
                    plan->presets[i]);
            return false;
        }
        if (!game_config_load(config))
            return false;
    }
    return true;
}

bool plan_read_text(const char *name, const char *bytes, uint32_t count, const char *folder,
                    Plan *out) {
    MashProblem list[PROBLEMS_KEPT];
    MashProblems problems = {.list = list, .max = PROBLEMS_KEPT};
    MashDocument document = {name, bytes, count};
    uint32_t nodes_max = count / 2 + 2;
    JsonNode *nodes = cli_memory(nodes_max * sizeof *nodes);
    Json json;
    memset(out, 0, sizeof *out);
    bool fine = json_read(&json, name, bytes, count, nodes, nodes_max, &problems);
    if (fine) {
        FieldsReader reader = {.json = &json, .problems = &problems, .record = out};
        fine = fields_read(&reader, &plan_document, 0, out, NULL) && problems.count == 0;
    }
    free(nodes);
    if (!fine) {
        cli_print_problems(&problems, &document, 1);
        return false;
    }
    if (out->name[0] == '\0')
        snprintf(out->name, sizeof out->name, "%s", files_base_name(name));
    for (uint32_t i = 0; i < out->players_count; i++)
        complete_player(&out->players[i], &out->usual, folder);
    return check_folders(name, out) && plan_load(out);
}

bool plan_read(const char *path, Plan *out) {
    char folder[PATH_BYTES];
    FileBytes file;
    if (!files_read(path, &file))
        return false;
    int letters = (int)(files_base_name(path) - path);
    snprintf(folder, sizeof folder, "%.*s", letters == 0 ? 1 : letters, letters == 0 ? "." : path);
    bool fine = plan_read_text(path, file.bytes, file.count, folder, out);
    free(file.bytes);
    return fine;
}

void plan_release(Plan *plan) {
    for (uint32_t i = 0; i < plan->presets_count; i++)
        free(plan->configs[i].content);
}

const PlanStage *plan_stage(const Plan *plan, uint32_t number) {
    return number == 0 ? &plan->first : number == 1 && plan->has_then ? &plan->then : NULL;
}

/* --- Printing ----------------------------------------------------------------------------------
 */

void plan_print_schema(void) {
    char *memory = cli_memory(PRINTED_BYTES), *layout = cli_memory(PRINTED_BYTES);
    MashText text = text_over(memory, PRINTED_BYTES), out = text_over(layout, PRINTED_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    JsonNode *nodes = cli_memory(PRINTED_BYTES / 2 * sizeof *nodes);
    Json json;
    json_open(&writer, '{');
    json_put_pair(&writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_put_pair(&writer, "title", plan_document.meaning);
    fields_write_schema(&writer, &plan_document, NULL, false);
    json_close(&writer, '}');
    bool fine = json_read(&json, "schema", memory, text.count, nodes, PRINTED_BYTES / 2, &problems);
    assert(fine && !text.truncated);
    json_format(&json, &out);
    fputs(layout, stdout);
    free(nodes);
    free(layout);
    free(memory);
}

void plan_print_reference(void) {
    static const struct {
        const char *title;
        const Fields *fields;
    } parts[] = {{"The file", &plan_document},
                 {"A player", &player_rows},
                 {"then", &then_rows},
                 {"sprt", &sprt_rows}};
    char *memory = cli_memory(PRINTED_BYTES);
    MashText text = text_over(memory, PRINTED_BYTES);
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_format(&text, "%s### %s\n\n", i == 0 ? "" : "\n", parts[i].title);
        fields_print_table(parts[i].fields, &text);
    }
    fputs(memory, stdout);
    free(memory);
}
