/* standings.c -- see standings.h. */
#include "tournament/standings.h"

#include "tournament/order.h"

/* --- Records ---------------------------------------------------------------------------------- */

void records_clear(TournamentRecord *records, uint32_t players_count) {
    for (uint32_t i = 0; i < players_count; i++)
        records[i] = (TournamentRecord){.last_opponent = TOURNAMENT_NOBODY};
}

/* The points that count for a result. */
static uint32_t counted(const TournamentRecord *record, uint8_t points, TournamentScoring scoring) {
    bool twice = scoring == TOURNAMENT_ARENA && record->streak >= TOURNAMENT_STREAK;
    return twice ? 2u * points : points;
}

void records_add(TournamentRecord *records, const TournamentResult *result,
                 TournamentScoring scoring) {
    for (int who = 0; who < 2; who++) {
        uint16_t player = result->players[who];
        if (player == TOURNAMENT_NOBODY)
            continue;
        TournamentRecord *record = &records[player];
        uint8_t mine = result->points[who];
        bool won = mine > result->points[1 - who];
        record->points += counted(record, mine, scoring);
        record->last_opponent = result->players[1 - who];
        if (result->kind != TOURNAMENT_PLAYED) {
            record->byes += mine > 0;
            continue;
        }
        record->streak = won ? record->streak + 1 : 0;
        record->played++;
        record->wins += won;
        record->balance += who == 0 ? 1 : -1;
        record->seats = record->seats << 1 | (who == 0);
    }
}

void records_make(const Tournament *tournament, TournamentScoring scoring,
                  TournamentRecord *records) {
    records_clear(records, tournament->players_count);
    for (uint32_t i = 0; i < tournament->results_count; i++)
        records_add(records, &tournament->results[i], scoring);
}

/* --- Tie-breaks --------------------------------------------------------------------------------
 */

/* A table in the making. */
typedef struct StandingsWork {
    const Tournament *tournament;
    const TieBreak *tie_breaks;
    TournamentRow *lines; /* by player */
    uint32_t *group;      /* by player: where the run of equals begins that it is in */
    uint32_t *met;        /* by player: how many of its group it has played */
    uint16_t *order;
    uint32_t keys; /* tie-breaks that count by now */
} StandingsWork;

enum { LENT_ALIGNMENT = 16 };

/* Rounds up to what memory is aligned to. */
static size_t round_up(size_t bytes) {
    return (bytes + LENT_ALIGNMENT - 1) / LENT_ALIGNMENT * LENT_ALIGNMENT;
}

size_t standings_bytes(uint32_t players_count) {
    size_t count = players_count;
    return round_up(count * sizeof(TournamentRow)) + 2 * round_up(count * sizeof(uint32_t)) +
           round_up(count * sizeof(uint16_t)) + round_up(count * sizeof(TournamentRecord));
}

/* Buchholz and Sonneborn-Berger from all results. */
static void add_opponents(const StandingsWork *work) {
    const Tournament *tournament = work->tournament;
    for (uint32_t i = 0; i < tournament->results_count; i++) {
        const TournamentResult *result = &tournament->results[i];
        for (int who = 0; who < 2; who++) {
            uint16_t player = result->players[who], opponent = result->players[1 - who];
            if (player == TOURNAMENT_NOBODY)
                continue;
            if (result->kind != TOURNAMENT_PLAYED)
                opponent = player;
            work->lines[player].buchholz += work->lines[opponent].points;
            work->lines[player].sonneborn_berger +=
                work->lines[opponent].points * result->points[who];
        }
    }
}

/* The value of a tie-break; more is better. */
static int64_t value_of(const StandingsWork *work, TieBreak tie_break, uint16_t player) {
    const TournamentRow *line = &work->lines[player];
    switch (tie_break) {
    case TIE_BREAK_BUCHHOLZ:
        return line->buchholz;
    case TIE_BREAK_SONNEBORN_BERGER:
        return line->sonneborn_berger;
    case TIE_BREAK_WINS:
        return line->wins;
    case TIE_BREAK_DIRECT:
        return line->direct;
    case TIE_BREAK_RATING:
        return work->tournament->players[player].rating;
    case TIE_BREAK_NONE:
        break;
    }
    return 0;
}

/* Which of two is better by what counts by now: above 0 the first one, 0 neither. */
static int better(const StandingsWork *work, uint16_t a, uint16_t b) {
    const TournamentRow *first = &work->lines[a], *second = &work->lines[b];
    if (first->points != second->points)
        return first->points > second->points ? 1 : -1;
    for (uint32_t i = 0; i < work->keys; i++) {
        int64_t x = value_of(work, work->tie_breaks[i], a);
        int64_t y = value_of(work, work->tie_breaks[i], b);
        if (x != y)
            return x > y ? 1 : -1;
    }
    return 0;
}

/* The order of the table; equals by number. */
static bool stands_before(const void *what, uint16_t a, uint16_t b) {
    int which = better(what, a, b);
    return which != 0 ? which > 0 : a < b;
}

/* Sorts, and notes for each player where its run of equals begins. */
static void sort(StandingsWork *work) {
    uint32_t count = work->tournament->players_count;
    order_sort(work->order, count, stands_before, work);
    for (uint32_t i = 0; i < count; i++) {
        bool same = i > 0 && better(work, work->order[i - 1], work->order[i]) == 0;
        work->group[work->order[i]] = same ? work->group[work->order[i - 1]] : i;
    }
}

/* Has an earlier result the same two players? */
static bool met_before(const Tournament *tournament, uint32_t index) {
    const uint16_t *pair = tournament->results[index].players;
    for (uint32_t i = 0; i < index; i++) {
        const TournamentResult *result = &tournament->results[i];
        if (result->kind == TOURNAMENT_PLAYED &&
            ((result->players[0] == pair[0] && result->players[1] == pair[1]) ||
             (result->players[0] == pair[1] && result->players[1] == pair[0])))
            return true;
    }
    return false;
}

/* Points among equals, where all of them have met. */
static void add_direct(StandingsWork *work) {
    const Tournament *tournament = work->tournament;
    uint32_t count = tournament->players_count;
    sort(work);
    for (uint32_t i = 0; i < tournament->results_count; i++) {
        const TournamentResult *result = &tournament->results[i];
        const uint16_t *pair = result->players;
        if (result->kind != TOURNAMENT_PLAYED || work->group[pair[0]] != work->group[pair[1]])
            continue;
        bool new_pair = !met_before(tournament, i);
        for (int who = 0; who < 2; who++) {
            work->lines[pair[who]].direct += result->points[who];
            work->met[pair[who]] += new_pair;
        }
    }
    for (uint32_t first = 0, end; first < count; first = end) {
        bool all = true;
        for (end = first; end < count && work->group[work->order[end]] == first; end++)
            ;
        for (uint32_t i = first; i < end; i++)
            all = all && work->met[work->order[i]] == end - first - 1;
        for (uint32_t i = first; i < end && !all; i++)
            work->lines[work->order[i]].direct = 0;
    }
}

/* Lays the arrays into the lent memory and fills in what the records say. */
static void begin(StandingsWork *work, TournamentScoring scoring, char *memory) {
    uint32_t count = work->tournament->players_count;
    work->lines = (void *)memory;
    memory += round_up(count * sizeof *work->lines);
    work->group = (void *)memory;
    memory += round_up(count * sizeof *work->group);
    work->met = (void *)memory;
    memory += round_up(count * sizeof *work->met);
    work->order = (void *)memory;
    memory += round_up(count * sizeof *work->order);
    TournamentRecord *records = (void *)memory;
    records_make(work->tournament, scoring, records);
    for (uint32_t i = 0; i < count; i++) {
        work->order[i] = (uint16_t)i;
        work->met[i] = 0;
        work->lines[i] = (TournamentRow){.player = (uint16_t)i,
                                         .points = records[i].points,
                                         .played = records[i].played,
                                         .wins = records[i].wins};
    }
}

void standings_make(const Tournament *tournament, TournamentScoring scoring,
                    const TieBreak *tie_breaks, void *memory, TournamentRow *rows) {
    StandingsWork work = {.tournament = tournament, .tie_breaks = tie_breaks};
    begin(&work, scoring, memory);
    add_opponents(&work);
    for (; work.keys < TIE_BREAKS_MAX && tie_breaks[work.keys] != TIE_BREAK_NONE; work.keys++)
        if (tie_breaks[work.keys] == TIE_BREAK_DIRECT)
            add_direct(&work);
    sort(&work);
    for (uint32_t i = 0; i < tournament->players_count; i++) {
        rows[i] = work.lines[work.order[i]];
        rows[i].place = (uint16_t)(work.group[work.order[i]] + 1);
    }
}
