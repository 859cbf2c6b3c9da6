/* schedule.c -- see schedule.h. */
#include "cli/tournament/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "tournament/pairing.h"

/* A stage as tournament/ sees it: players and results by their numbers in the stage. */
typedef struct StageWork {
    const PlayedLog *log;
    const PlanStage *stage;
    uint32_t number;
    uint32_t count;
    const uint16_t *members;
    uint16_t locals[PLAN_PLAYERS_MAX]; /* by number in the plan */
    TournamentPlayer players[PLAN_PLAYERS_MAX];
    TournamentResult *results;
    Tournament tournament;
    uint32_t reached[PLAN_PLAYERS_MAX]; /* knock-out: rounds, and one more for the winner */
} StageWork;

/* Matches of one meeting. */
static uint32_t meeting_matches(const Plan *plan, const PlanStage *stage) {
    return (uint32_t)(plan->presets_count * stage->pairs * MASH_SEATS);
}

uint32_t schedule_rounds(const PlanStage *stage, uint32_t players) {
    uint32_t rounds = 0;
    switch ((PlanSystem)stage->system) {
    case PLAN_ROUND_ROBIN:
        return round_robin_rounds(players) * (uint32_t)(stage->rounds == 0 ? 1 : stage->rounds);
    case PLAN_GAUNTLET:
        return gauntlet_rounds(players, (uint32_t)stage->champions);
    case PLAN_KNOCK_OUT:
        return knockout_rounds(players);
    case PLAN_SWISS:
        while (1u << rounds < players)
            rounds++;
        return stage->rounds == 0 ? rounds : (uint32_t)stage->rounds;
    }
    return 0;
}

/* Takes part in the results of the stage. */
static void work_begin(StageWork *work, const PlayedLog *log, uint32_t number,
                       const StageTable *table) {
    const Plan *plan = log->plan;
    *work = (StageWork){.log = log,
                        .stage = plan_stage(plan, number),
                        .number = number,
                        .count = table->count,
                        .members = table->members};
    memset(work->locals, 0xff, sizeof work->locals);
    for (uint32_t i = 0; i < table->count; i++) {
        work->locals[table->members[i]] = (uint16_t)i;
        /* In a second stage those who were better in the first are seeded higher. */
        work->players[i].rating = number == 0 ? plan->players[table->members[i]].rating : -(int)i;
    }
    uint32_t byes = schedule_rounds(work->stage, table->count) * meeting_matches(plan, work->stage);
    work->results = cli_memory((log->count + byes + 1) * sizeof *work->results);
    work->tournament = (Tournament){work->players, table->count, work->results, 0};
    for (uint32_t i = 0; i < log->count; i++) {
        const PlayedMatch *match = &log->list[i];
        uint16_t a = work->locals[match->players[0]], b = work->locals[match->players[1]];
        if (match->stage == number && a != 0xffff && b != 0xffff)
            work->results[work->tournament.results_count++] = (TournamentResult){
                (uint32_t)match->round,
                {a, b},
                {(uint8_t)played_points(match, 0), (uint8_t)played_points(match, 1)},
                TOURNAMENT_PLAYED};
    }
}

/* The pairs of a round. */
static uint32_t pair_round(const StageWork *work, uint32_t round, TournamentPair *pairs) {
    uint32_t count = 0;
    void *memory;
    switch ((PlanSystem)work->stage->system) {
    case PLAN_ROUND_ROBIN:
        return round_robin_pair(&work->tournament, round, pairs);
    case PLAN_GAUNTLET:
        return gauntlet_pair(&work->tournament, (uint32_t)work->stage->champions, round, pairs);
    case PLAN_KNOCK_OUT:
        memory = cli_memory(knockout_bytes(work->count));
        count = knockout_pair(&work->tournament, round, memory, pairs);
        free(memory);
        return count;
    case PLAN_SWISS:
        memory = cli_memory(swiss_bytes(work->count));
        count =
            swiss_pair(&work->tournament, round, (uint64_t)work->log->plan->seed, memory, pairs);
        free(memory);
        return count;
    }
    return count;
}

/* A bye of a Swiss tournament is worth a meeting that is won. */
static void add_bye(StageWork *work, uint32_t round, uint16_t player) {
    for (uint32_t i = 0; i < meeting_matches(work->log->plan, work->stage); i++)
        work->results[work->tournament.results_count++] =
            (TournamentResult){round, {player, TOURNAMENT_NOBODY}, {2, 0}, TOURNAMENT_BYE};
}

/* Appends a match to the list. */
static void append(Schedule *schedule, const PlayedMatch *match) {
    schedule->list =
        cli_grow(schedule->list, schedule->count, &schedule->max, sizeof *schedule->list);
    schedule->list[schedule->count++] = *match;
}

bool schedule_settled(const PlayedLog *log, const PlayedMatch *match) {
    const Plan *plan = log->plan;
    MatchPairs pairs = {.won = 0};
    uint16_t low = match->players[0] < match->players[1] ? match->players[0] : match->players[1];
    if (plan->sprt_low >= plan->sprt_high)
        return false;
    for (uint32_t i = 0; i < log->count; i++) {
        PlayedMatch other = log->list[i];
        if (other.turn != 0 || other.stage != match->stage || other.round != match->round ||
            (other.players[0] != match->players[0] && other.players[0] != match->players[1]) ||
            (other.players[1] != match->players[0] && other.players[1] != match->players[1]))
            continue;
        uint32_t first = played_points(&other, other.players[0] == low ? 0 : 1);
        uint16_t swapped = other.players[0];
        other.players[0] = other.players[1];
        other.players[1] = swapped;
        other.turn = 1;
        const PlayedMatch *second = played_find(log, &other);
        if (second != NULL)
            pairs_add(&pairs, first, played_points(second, second->players[0] == low ? 0 : 1));
    }
    double ratio = match_pairs_llr(&pairs, plan->sprt_low, plan->sprt_high);
    return ratio >= PAIRS_SURE || ratio <= -PAIRS_SURE;
}

/* Appends the matches of a meeting that were not played yet. */
static void add_meeting(const StageWork *work, uint32_t round, TournamentPair pair, Schedule *out) {
    const Plan *plan = work->log->plan;
    PlayedMatch meeting = {
        .stage = (uint8_t)work->number,
        .round = (int32_t)round,
        .players = {work->members[pair.players[0]], work->members[pair.players[1]]}};
    if (schedule_settled(work->log, &meeting))
        return;
    for (int32_t i = 0; i < work->stage->pairs; i++)
        for (uint32_t k = 0; k < MASH_SEATS * plan->presets_count; k++) {
            PlayedMatch match = meeting;
            match.pair = i;
            match.turn = (uint8_t)(k % MASH_SEATS);
            memcpy(match.preset, plan->presets[k / MASH_SEATS], sizeof match.preset);
            match.players[0] = meeting.players[match.turn];
            match.players[1] = meeting.players[1 - match.turn];
            if (played_find(work->log, &match) == NULL)
                append(out, &match);
        }
}

/* Whoever is in a pair has reached its round. */
static void note_reached(StageWork *work, uint32_t round, const TournamentPair *pairs,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (int who = 0; who < 2; who++)
            if (pairs[i].players[who] != TOURNAMENT_NOBODY)
                work->reached[pairs[i].players[who]] = round + 1;
}

/* Whoever has won the final of a knock-out has reached one round more. */
static void note_winner(StageWork *work, uint32_t rounds) {
    TournamentPair final;
    if (work->stage->system != PLAN_KNOCK_OUT || rounds == 0)
        return;
    for (uint16_t i = 0; i < work->count; i++)
        for (uint16_t k = 0; k < i; k++)
            if (work->reached[i] == rounds && work->reached[k] == rounds) {
                final = (TournamentPair){{i, k}};
                uint16_t winner = knockout_winner(&work->tournament, rounds - 1, final.players[0],
                                                  final.players[1]);
                work->reached[winner == TOURNAMENT_NOBODY ? k : winner] += 1;
                return;
            }
}

/* Pairs the rounds of a stage one after the other until one has matches left to play, or all of
 * them where they do not depend on results. True: all rounds of the stage are played. */
static bool next_of_stage(StageWork *work, Schedule *out) {
    uint32_t rounds = schedule_rounds(work->stage, work->count);
    bool waits = work->stage->system == PLAN_SWISS || work->stage->system == PLAN_KNOCK_OUT;
    uint32_t before = out->count;
    TournamentResult *every = work->results;
    uint32_t every_count = work->tournament.results_count;
    TournamentResult *now = cli_memory(
        (every_count + rounds * meeting_matches(work->log->plan, work->stage) + 1) * sizeof *now);
    work->results = now;
    work->tournament.results = now;
    work->tournament.results_count = 0;
    for (uint32_t round = 0; round < rounds && (!waits || out->count == before); round++) {
        TournamentPair pairs[PLAN_PLAYERS_MAX];
        uint32_t count = pair_round(work, round, pairs);
        note_reached(work, round, pairs, count);
        for (uint32_t i = 0; i < count; i++)
            if (pairs[i].players[1] != TOURNAMENT_NOBODY)
                add_meeting(work, round, pairs[i], out);
            else if (work->stage->system == PLAN_SWISS)
                add_bye(work, round, pairs[i].players[0]);
        for (uint32_t i = 0; i < every_count; i++)
            if (every[i].round == round)
                now[work->tournament.results_count++] = every[i];
    }
    free(every);
    note_winner(work, rounds);
    return out->count == before;
}

/* Everybody, or the best of the first stage. */
static void take_members(const PlayedLog *log, uint32_t stage, const StageTable *first,
                         StageTable *out) {
    const Plan *plan = log->plan;
    out->count = stage == 0                                ? plan->players_count
                 : (uint32_t)plan->then.top < first->count ? (uint32_t)plan->then.top
                                                           : first->count;
    for (uint32_t i = 0; i < out->count; i++)
        out->members[i] = stage == 0 ? (uint16_t)i : first->rows[i].player;
}

/* The table of a stage from its work. */
static void make_table(StageWork *work, StageTable *out) {
    static const TieBreak swiss[TIE_BREAKS_MAX] = {TIE_BREAK_BUCHHOLZ, TIE_BREAK_SONNEBORN_BERGER,
                                                   TIE_BREAK_DIRECT, TIE_BREAK_WINS},
                          others[TIE_BREAKS_MAX] = {TIE_BREAK_DIRECT, TIE_BREAK_SONNEBORN_BERGER,
                                                    TIE_BREAK_WINS};
    void *memory = cli_memory(standings_bytes(work->count));
    standings_make(&work->tournament, TOURNAMENT_PLAIN,
                   work->stage->system == PLAN_SWISS ? swiss : others, memory, out->rows);
    free(memory);
    for (uint32_t i = 1; i < out->count && work->stage->system == PLAN_KNOCK_OUT; i++)
        for (uint32_t k = i;
             k > 0 && work->reached[out->rows[k].player] > work->reached[out->rows[k - 1].player];
             k--) {
            TournamentRow row = out->rows[k];
            out->rows[k] = out->rows[k - 1];
            out->rows[k - 1] = row;
        }
    for (uint32_t i = 0; i < out->count; i++) {
        TournamentRow *row = &out->rows[i];
        bool same =
            i > 0 && work->reached[row->player] == work->reached[work->locals[row[-1].player]];
        if (work->stage->system == PLAN_KNOCK_OUT)
            row->place = same ? row[-1].place : (uint16_t)(i + 1);
        row->player = work->members[row->player];
    }
}

bool schedule_table(const PlayedLog *log, uint32_t stage, StageTable *out) {
    StageTable first = {.count = 0};
    Schedule open = {.list = NULL};
    StageWork work;
    if (plan_stage(log->plan, stage) == NULL || (stage > 0 && !schedule_table(log, 0, &first)))
        return false;
    take_members(log, stage, &first, out);
    work_begin(&work, log, stage, out);
    next_of_stage(&work, &open);
    make_table(&work, out);
    free(work.results);
    schedule_release(&open);
    return true;
}

void schedule_next(const PlayedLog *log, Schedule *out) {
    *out = (Schedule){.list = NULL};
    for (uint32_t stage = 0; plan_stage(log->plan, stage) != NULL; stage++) {
        StageTable first, table;
        StageWork work;
        if (stage > 0)
            schedule_table(log, 0, &first);
        take_members(log, stage, &first, &table);
        work_begin(&work, log, stage, &table);
        bool done = next_of_stage(&work, out);
        free(work.results);
        if (!done)
            return;
    }
    out->over = true;
}

void schedule_release(Schedule *schedule) {
    free(schedule->list);
    schedule->list = NULL;
}

uint32_t schedule_total(const PlayedLog *log) {
    const Plan *plan = log->plan;
    uint32_t total = 0;
    for (uint32_t number = 0; plan_stage(plan, number) != NULL; number++) {
        const PlanStage *stage = plan_stage(plan, number);
        uint32_t players = number == 0 ? plan->players_count : (uint32_t)stage->top;
        uint32_t champions = (uint32_t)stage->champions;
        uint32_t meetings =
            stage->system == PLAN_ROUND_ROBIN
                ? players * (players - 1) / 2 * (uint32_t)(stage->rounds == 0 ? 1 : stage->rounds)
            : stage->system == PLAN_KNOCK_OUT ? players - 1
            : stage->system == PLAN_GAUNTLET
                ? (champions < players ? champions * (players - champions) : 0)
                : schedule_rounds(stage, players) * (players / 2);
        total += meetings * meeting_matches(plan, stage);
    }
    return total;
}
