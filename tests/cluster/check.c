/* check.c -- is everything true that the bots of tests/cluster were told?
 *
 *   cluster_check FOLDER STORE NODE
 *
 * Reads the histories (tests/cluster/bots.c) and the faults (FOLDER/faults: time and name of each,
 * `peace` for the last one) and replays every match from the archive of the store, which it opens
 * as this node. The archive gives the order of the actions, so each promise of docs/promises.md is
 * one look at each line and needs no search. Prints a table; exit code 1 = a promise was broken. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "match/file.h"
#include "proto/message.h"
#include "store/store.h"
#include "tests/support/support.h"

enum {
    VIEWERS = MASH_SEATS + 1,
    FILE_BYTES_MAX = 8 << 20,
    FAULTS_MAX = 4096,
    SHOWN = 5 /* broken promises of one kind that are printed */
};
static const uint64_t second_ns = 1000000000;

/* --- Promises --------------------------------------------------------------------------------- */

typedef enum Promise { S1, S2, S3, S4, S5, S6, S7, S8, L1, L2, PROMISES } Promise;
static const char *const names[PROMISES] = {
    "S1 told is kept",        "S2 one history",  "S3 real time", "S4 once",
    "S5 no invention",        "S6 views",        "S7 end kept",  "S8 lobby once, one holder",
    "L1 goes on within 15 s", "L2 clocks stand",
};
static uint64_t checked[PROMISES], broken[PROMISES];

static void demand(Promise promise, bool holds, uint64_t match, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Counts a check, and says what is wrong. */
static void demand(Promise promise, bool holds, uint64_t match, const char *format, ...) {
    char code[PROTO_CODE_MAX + 1];
    va_list values;
    checked[promise]++;
    if (holds || broken[promise]++ >= SHOWN)
        return;
    table_code_encode(match, code);
    printf("BROKEN %s: match %s: ", names[promise], code);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
}

/* --- Histories -------------------------------------------------------------------------------- */

typedef enum Kind { REQUEST, TOLD, TABLE } Kind;

/* A line of a history. */
typedef struct HistoryLine {
    uint64_t t, match, value; /* value: hash of the view; the eight bytes of the action */
    uint64_t since;           /* of the first position on a new connection: when the old was lost */
    uint32_t client, k;
    int32_t clock, result;
    Kind kind;
    uint8_t seat;
    bool refused, acked, over, in_log;
} HistoryLine;

static HistoryLine *lines;
static size_t lines_count, lines_max;

static HistoryLine *new_line(void) {
    if (lines_count == lines_max) {
        lines_max = lines_max == 0 ? 1 << 16 : 2 * lines_max;
        lines = realloc(lines, lines_max * sizeof *lines);
        if (lines == NULL)
            abort();
    }
    lines[lines_count] = (HistoryLine){.t = 0};
    return &lines[lines_count++];
}

/* What is known of one client while its file is read. */
typedef struct HistoryReader {
    uint32_t client;
    uint64_t at;   /* the match that it is in; 0: none */
    uint64_t lost; /* when its connection was lost; 0: it was told something since */
    size_t *requests, requests_max;
} HistoryReader;

/* The line of the client's request of this number; NULL: there is none. */
static HistoryLine *request_of(const HistoryReader *reader, int request) {
    return request > 0 && (size_t)request < reader->requests_max ? &lines[reader->requests[request]]
                                                                 : NULL;
}

static void keep_request(HistoryReader *reader, int request) {
    while ((size_t)request >= reader->requests_max) {
        size_t max = reader->requests_max == 0 ? 1024 : 2 * reader->requests_max;
        reader->requests = realloc(reader->requests, max * sizeof *reader->requests);
        if (reader->requests == NULL)
            abort();
        reader->requests_max = max;
    }
    reader->requests[request] = lines_count - 1;
}

static uint64_t match_of(const char *code) {
    uint64_t match = 0;
    if (code[0] != '\0' && !table_code_decode(code, &match)) {
        printf("no code of a table: %s\n", code);
        exit(2);
    }
    return match;
}

static void read_told(HistoryReader *reader, const char *text, HistoryLine told) {
    char hash[20];
    int request = -1, over = 0;
    unsigned seat = 0;
    if (sscanf(text,
               ",\"s\":%u,\"k\":%" SCNu32 ",\"h\":\"%16[0-9a-f]\",\"w\":%d,\"c\":%" SCNd32
               ",\"o\":%d,\"r\":%" SCNd32,
               &seat, &told.k, hash, &request, &told.clock, &over, &told.result) != 7)
        exit(2);
    told.kind = TOLD;
    told.seat = (uint8_t)seat;
    told.over = over != 0;
    told.value = strtoull(hash, NULL, 16);
    told.since = reader->lost;
    reader->lost = 0;
    if (request_of(reader, request) != NULL)
        request_of(reader, request)->acked = true;
    if (told.over)
        reader->at = 0;
    *new_line() = told;
}

static void read_request(HistoryReader *reader, const char *text, HistoryLine request) {
    char action[20];
    int number = 0;
    unsigned seat = 0;
    if (sscanf(text, ",\"s\":%u,\"k\":%" SCNu32 ",\"w\":%d,\"a\":\"%16[0-9a-f]\"", &seat,
               &request.k, &number, action) != 4)
        exit(2);
    request.kind = REQUEST;
    request.seat = (uint8_t)seat;
    request.value = strtoull(action, NULL, 16);
    *new_line() = request;
    keep_request(reader, number);
}

static void read_table(HistoryReader *reader, const char *text, HistoryLine table) {
    unsigned seat = 0;
    if (sscanf(text, ",\"s\":%u", &seat) != 1)
        exit(2);
    table.kind = TABLE;
    table.seat = (uint8_t)seat;
    demand(S8, reader->at == 0 || reader->at == table.match, table.match,
           "client %" PRIu32 " got it while it was at another table", reader->client);
    reader->at = table.match;
    *new_line() = table;
}

static void read_line(HistoryReader *reader, const char *text) {
    char event[16], code[20] = "";
    int behind = 0, request = -1;
    HistoryLine line = {.client = reader->client, .clock = -1};
    if (sscanf(text, "{\"t\":%" SCNu64 ",\"e\":\"%15[a-z]\",\"m\":\"%n", &line.t, event, &behind) !=
            2 ||
        behind == 0) {
        printf("no line of a history: %s\n", text);
        exit(2);
    }
    text += behind;
    sscanf(text, "%19[^\"]", code);
    line.match = match_of(code);
    text += strlen(code) + 1;
    if (strcmp(event, "told") == 0)
        read_told(reader, text, line);
    else if (strcmp(event, "request") == 0)
        read_request(reader, text, line);
    else if (strcmp(event, "table") == 0)
        read_table(reader, text, line);
    else if (strcmp(event, "left") == 0)
        reader->at = 0;
    else if (strcmp(event, "lost") == 0)
        reader->lost = line.t;
    else if (strcmp(event, "refused") == 0 && sscanf(text, ",\"w\":%d", &request) == 1 &&
             request_of(reader, request) != NULL)
        request_of(reader, request)->refused = true;
}

static void read_histories(const char *folder) {
    DIR *entries = opendir(folder);
    char path[512], text[512];
    if (entries == NULL)
        exit(2);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        HistoryReader reader = {.client = (uint32_t)atoi(entry->d_name)};
        if (strstr(entry->d_name, ".jsonl") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            exit(2);
        while (fgets(text, sizeof text, file) != NULL)
            read_line(&reader, text);
        fclose(file);
        free(reader.requests);
    }
    closedir(entries);
}

static int by_match(const void *a, const void *b) {
    const HistoryLine *one = a, *other = b;
    if (one->match != other->match)
        return one->match < other->match ? -1 : 1;
    return one->t < other->t ? -1 : one->t > other->t;
}

/* --- Faults ----------------------------------------------------------------------------------- */

/* A fault, and how the matches went on after it. */
typedef struct Fault {
    uint64_t t, slowest;
    char name[40];
    uint64_t matches, waited;
} Fault;

static Fault faults[FAULTS_MAX];
static size_t faults_count;

static void read_faults(const char *folder) {
    char path[512], text[256];
    snprintf(path, sizeof path, "%s/faults", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        exit(2);
    while (fgets(text, sizeof text, file) != NULL && faults_count < FAULTS_MAX) {
        Fault *fault = &faults[faults_count];
        faults_count += sscanf(text, "%" SCNu64 " %39s", &fault->t, fault->name) == 2;
    }
    fclose(file);
}

/* --- Truth ------------------------------------------------------------------------------------ */

static MashContent *contents[SUPPORT_GAMES_MAX];

static const MashContent *content_of(const MashGame *game) {
    uint32_t i = 0;
    while (mash_games[i] != game)
        i++;
    if (contents[i] == NULL)
        contents[i] = support_content(game, NULL);
    return contents[i];
}

/* A match by its file: each viewer's positions, and the actions. */
typedef struct MatchTruth {
    uint32_t numbers[VIEWERS];
    uint64_t *hashes[VIEWERS];
    uint32_t *index[VIEWERS]; /* after how many actions the position of a number came */
    uint64_t *actions;        /* their eight bytes as a number */
    uint32_t *k;              /* the number that the actor saw before it */
    MashAction *list;
    uint32_t count;
    MashResult result;
} MatchTruth;

static void *room_for(size_t count, size_t bytes) {
    void *memory = calloc(count, bytes);
    if (memory == NULL)
        abort();
    return memory;
}

static void open_truth(MatchTruth *truth, uint32_t count) {
    *truth = (MatchTruth){.count = count};
    for (int i = 0; i < VIEWERS; i++) {
        truth->hashes[i] = room_for(count + 3, sizeof(uint64_t));
        truth->index[i] = room_for(count + 3, sizeof(uint32_t));
    }
    truth->actions = room_for(count + 1, sizeof(uint64_t));
    truth->k = room_for(count + 1, sizeof(uint32_t));
    truth->list = room_for(count + 1, sizeof(MashAction));
}

static void close_truth(MatchTruth *truth) {
    for (int i = 0; i < VIEWERS; i++) {
        free(truth->hashes[i]);
        free(truth->index[i]);
    }
    free(truth->actions);
    free(truth->k);
    free(truth->list);
}

/* A number counts how often what a viewer sees has changed. */
static void note_views(MatchTruth *truth, const Match *match, void *views[VIEWERS], void *view) {
    uint32_t bytes = match->content->limits.state_bytes;
    for (uint8_t i = 0; i < VIEWERS; i++) {
        match_view(match, i < MASH_SEATS ? i : MASH_SEAT_SPECTATOR, view);
        if (truth->numbers[i] > 0 && memcmp(view, views[i], bytes) == 0)
            continue;
        memcpy(views[i], view, bytes);
        truth->hashes[i][++truth->numbers[i]] = hash_bytes(0, view, bytes);
        truth->index[i][truth->numbers[i]] = match->actions_count;
    }
}

static uint64_t digits_of(MashAction action) {
    uint8_t bytes[8];
    uint64_t number = 0;
    memcpy(bytes, &action, 8);
    for (int i = 0; i < 8; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* Replays a match, step by step. False: the engine refuses an action. */
static bool find_truth(MatchTruth *truth, const Match *played) {
    const MashContent *content = played->content;
    void *memory = support_memory(match_bytes(content)), *view = support_state(content);
    void *views[VIEWERS];
    MashSetup setup = {.options = played->options, .options_count = content->game->options_count};
    Match match;
    for (int i = 0; i < VIEWERS; i++)
        views[i] = support_state(content);
    bool fine = match_begin(&match, content, played->seed, &setup, memory) == MASH_OK;
    open_truth(truth, played->actions_count);
    if (fine)
        note_views(truth, &match, views, view);
    for (uint32_t i = 0; fine && i < played->actions_count; i++) {
        MashAction action = played->actions[i];
        truth->list[i] = action;
        truth->actions[i] = digits_of(action);
        truth->k[i] = action.seat < MASH_SEATS ? truth->numbers[action.seat] : 0;
        fine = match_apply(&match, action) == MASH_OK;
        if (fine)
            note_views(truth, &match, views, view);
    }
    truth->result = match_result(&match);
    for (int i = 0; i < VIEWERS; i++)
        support_free(views[i]);
    support_free(memory);
    support_free(view);
    return fine;
}

/* Reads a match file and replays it. False: with the reason, which the next call overwrites. */
static bool read_truth(MatchTruth *truth, const char *bytes, uint32_t count, const char **why) {
    static MashProblem list[4];
    MashProblems problems = {.list = list, .max = 4};
    size_t room = match_file_bytes(count);
    void *memory = support_memory(room);
    MatchFile file;
    Match match;
    bool fine = match_file_open(&file, "archive", bytes, count, memory, room, &problems);
    void *match_memory = NULL;
    *truth = (MatchTruth){.count = 0};
    if (fine) {
        const MashContent *content = content_of(file.game);
        match_memory = support_memory(match_bytes(content));
        fine = match_file_replay(&file, content, match_memory, &match, &problems) &&
               find_truth(truth, &match);
    }
    *why = fine ? "" : list[0].reason;
    support_free(memory);
    support_free(match_memory);
    return fine;
}

/* --- One match -------------------------------------------------------------------------------- */

/* After how many actions the position came that a line tells of. */
static uint32_t index_of(const MatchTruth *truth, const HistoryLine *told) {
    return told->k <= truth->numbers[told->seat] ? truth->index[told->seat][told->k] : 0;
}

/* S1, S2, S6, S7: a position that was told. */
static void check_told(const MatchTruth *truth, const HistoryLine *told) {
    bool kept = told->k >= 1 && told->k <= truth->numbers[told->seat];
    demand(S1, kept, told->match, "seat %u was told position %" PRIu32 ", there are %" PRIu32,
           told->seat, told->k, truth->numbers[told->seat]);
    if (!kept)
        return;
    bool equal = truth->hashes[told->seat][told->k] == told->value, others = false;
    for (int i = 0; i < VIEWERS && !equal; i++)
        for (uint32_t k = 1; k <= truth->numbers[i]; k++)
            others = others || (i != told->seat && truth->hashes[i][k] == told->value);
    demand(S2, equal || others, told->match,
           "client %" PRIu32 ", seat %u, position %" PRIu32 ": told %016" PRIx64
           ", the match has %016" PRIx64,
           told->client, told->seat, told->k, told->value, truth->hashes[told->seat][told->k]);
    demand(S6, equal || !others, told->match,
           "seat %u, position %" PRIu32 ": told what only another may see", told->seat, told->k);
    if (told->over)
        demand(S7, (truth->result.winner << 8 | truth->result.reason) == told->result, told->match,
               "seat %u was told of result %x, kept was %x", told->seat, (unsigned)told->result,
               (unsigned)(truth->result.winner << 8 | truth->result.reason));
}

/* S3: a client that reconnects is sent no less than what anybody had been sent before. */
static void check_return(const MatchTruth *truth, const HistoryLine *first,
                         const HistoryLine *told) {
    uint32_t known = 0, least = 1;
    for (const HistoryLine *line = first; line->t < told->since; line++)
        if (line->kind == TOLD && index_of(truth, line) > known)
            known = index_of(truth, line);
    while (least < truth->numbers[told->seat] && truth->index[told->seat][least + 1] <= known)
        least++;
    demand(S3, told->k >= least, told->match,
           "client %" PRIu32 " came back and was told position %" PRIu32
           ", when others had been told what is its %" PRIu32,
           told->client, told->k, least);
}

/* Is it a request for this action of the log? */
static bool is_request_for(const HistoryLine *line, const MatchTruth *truth, uint32_t i) {
    bool resigns = truth->list[i].verb == MASH_VERB_RESIGN;
    return line->kind == REQUEST && line->value == truth->actions[i] &&
           (resigns || line->k == truth->k[i]);
}

/* S3, S4, S5: each action of the log has its request, which was sent before anybody was told of the
 * action, and nobody had been told of a later one when it was sent. */
static void check_action(const MatchTruth *truth, uint32_t i, HistoryLine *first, size_t count) {
    uint32_t known = 0; /* actions that somebody has been told of so far */
    HistoryLine *request = NULL;
    bool refused = false;
    for (size_t at = 0; at < count && request == NULL; at++) {
        HistoryLine *line = &first[at];
        if (line->kind == TOLD && index_of(truth, line) > known)
            known = index_of(truth, line);
        if (is_request_for(line, truth, i) && !line->in_log) {
            refused = refused || line->refused;
            request = line->refused ? NULL : line;
        }
    }
    demand(S4, request != NULL || !refused, first->match,
           "action %" PRIu32 " was refused, and is in the match", i + 1);
    demand(S5, request != NULL || refused, first->match, "nobody asked for action %" PRIu32, i + 1);
    if (request == NULL)
        return;
    request->in_log = true;
    demand(S3, known <= i, first->match,
           "action %" PRIu32 " was asked for when %" PRIu32 " had been told", i + 1, known);
}

/* S1 for actions: what was answered is in the log, as it was asked for. */
static void check_request(const HistoryLine *request, const MatchTruth *truth) {
    bool found = false;
    for (uint32_t i = 0; i < truth->count && !found; i++)
        found = is_request_for(request, truth, i);
    demand(S1, found, request->match,
           "seat %u: its action at position %" PRIu32 " was answered and is lost", request->seat,
           request->k);
}

/* Was a node cut off from its clients between these times? Then a player's own wire was dead, and
 * the clock runs. */
static bool was_cut(uint64_t from, uint64_t to) {
    bool cut = false;
    for (size_t i = 0; i < faults_count; i++)
        cut = cut || (strncmp(faults[i].name, "F4", 2) == 0 && faults[i].t < to &&
                      faults[i].t + 10 * second_ns > from);
    return cut;
}

/* S2 and L2 for each client: numbers never fall, and its clock runs only while it thinks. */
static void check_client(const HistoryLine *first, size_t count, size_t at) {
    const HistoryLine *told = &first[at];
    uint64_t wished = 0;
    for (size_t i = at + 1; i < count; i++) {
        const HistoryLine *next = &first[i];
        if (next->client != told->client)
            continue;
        if (next->kind == REQUEST)
            wished = next->t;
        if (next->kind != TOLD)
            continue;
        demand(S2, next->k >= told->k, told->match,
               "client %" PRIu32 " was told position %" PRIu32 " after %" PRIu32, told->client,
               next->k, told->k);
        if (told->clock < 0)
            return;
        if (next->clock < 0)
            continue; /* the other's turn: our clock stands */
        bool whole = wished == 0 || was_cut(told->t, next->t);
        int64_t thought_ms = (int64_t)(((whole ? next->t : wished) - told->t) / 1000000);
        int64_t lost_ms = (int64_t)told->clock - next->clock - thought_ms;
        demand(L2, lost_ms <= 1000, told->match,
               "client %" PRIu32 " lost %" PRId64 " ms at position %" PRIu32, told->client, lost_ms,
               told->k);
        return;
    }
}

/* S8: a seat has one holder. */
static void check_holders(const HistoryLine *first, size_t count) {
    int64_t holders[MASH_SEATS] = {-1, -1};
    for (size_t i = 0; i < count; i++) {
        if (first[i].kind != TABLE || first[i].seat >= MASH_SEATS)
            continue;
        int64_t *holder = &holders[first[i].seat];
        demand(S8, *holder < 0 || *holder == first[i].client, first->match,
               "seat %u has two holders", first[i].seat);
        *holder = first[i].client;
    }
}

/* How the match went on after each fault. */
static void note_freezes(const HistoryLine *first, size_t count, const MatchTruth *truth) {
    uint64_t *times = room_for(count, sizeof *times);
    size_t progress = 0;
    uint32_t known = 0;
    bool over = false;
    for (size_t i = 0; i < count && !over; i++) {
        if (first[i].kind != TOLD || (progress > 0 && index_of(truth, &first[i]) <= known))
            continue;
        known = index_of(truth, &first[i]);
        over = first[i].over;
        times[progress++] = first[i].t;
    }
    for (size_t f = 0, at = 0; f < faults_count; f++) {
        while (at < progress && times[at] <= faults[f].t)
            at++;
        if (at == 0 || at == progress) /* not begun, or over */
            continue;
        uint64_t delay = times[at] - faults[f].t;
        faults[f].matches++;
        faults[f].waited += delay > second_ns;
        if (delay > faults[f].slowest)
            faults[f].slowest = delay;
        if (strcmp(faults[f].name, "peace") == 0)
            demand(L1, delay <= 15 * second_ns, first->match, "it went on after %" PRIu64 " ms",
                   delay / 1000000);
    }
    free(times);
}

/* A match that is not in the archive: nobody has acted in it, or it never began. */
static void check_missing(const HistoryLine *first, size_t count, StoreStatus status) {
    bool acted = false;
    for (size_t i = 0; i < count; i++)
        acted = acted || (first[i].kind == REQUEST && first[i].acked && first[i].k > 0) ||
                (first[i].kind == TOLD && first[i].k > 2);
    demand(S7, !acted, first->match, "it is not in the archive: %s", store_status_text(status));
}

/* Checks all lines about one match. */
static void check_match(Store *store, HistoryLine *first, size_t count, uint64_t *actions) {
    static char bytes[FILE_BYTES_MAX];
    size_t size = 0;
    const char *why = "";
    MatchTruth truth;
    StoreStatus status = store_archive_read(store, first->match, bytes, sizeof bytes, &size);
    check_holders(first, count);
    if (status != STORE_OK) {
        check_missing(first, count, status);
        return;
    }
    bool legal = read_truth(&truth, bytes, (uint32_t)size, &why);
    demand(S5, legal, first->match, "it cannot be replayed: %s", why);
    if (legal) {
        demand(S7, truth.result.over, first->match, "it is in the archive, and not over");
        for (uint32_t i = 0; i < truth.count; i++)
            if (truth.list[i].seat < MASH_SEATS)
                check_action(&truth, i, first, count);
        for (size_t i = 0; i < count; i++) {
            if (first[i].kind == REQUEST && first[i].acked)
                check_request(&first[i], &truth);
            if (first[i].kind != TOLD)
                continue;
            check_told(&truth, &first[i]);
            if (first[i].since > 0)
                check_return(&truth, first, &first[i]);
            check_client(first, count, i);
        }
        note_freezes(first, count, &truth);
        *actions += truth.count;
    }
    close_truth(&truth);
}

/* --- All matches ------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b) {
    const Fault *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    if (order != 0)
        return order;
    return one->slowest < other->slowest ? -1 : one->slowest > other->slowest;
}

/* The table of faults. */
static void print_faults(void) {
    qsort(faults, faults_count, sizeof *faults, by_name);
    printf("\n| fault | times | open matches | that waited over 1 s | all went on within, middle | "
           "slowest |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0, end; i < faults_count; i = end) {
        uint64_t matches = 0, waited = 0;
        for (end = i; end < faults_count && strcmp(faults[end].name, faults[i].name) == 0; end++) {
            matches += faults[end].matches;
            waited += faults[end].waited;
        }
        const Fault *middle = &faults[i + (end - i) / 2], *slowest = &faults[end - 1];
        printf("| %s | %zu | %" PRIu64 " | %" PRIu64 " | %" PRIu64 ".%" PRIu64 " s | %" PRIu64
               ".%" PRIu64 " s |\n",
               faults[i].name, end - i, matches, waited, middle->slowest / second_ns,
               middle->slowest / (second_ns / 10) % 10, slowest->slowest / second_ns,
               slowest->slowest / (second_ns / 10) % 10);
    }
}

int main(int count, char **words) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    uint64_t matches = 0, actions = 0, all = 0;
    if (count != 4) {
        fprintf(stderr, "usage: cluster_check FOLDER STORE NODE\n");
        return 2;
    }
    read_faults(words[1]);
    read_histories(words[1]);
    qsort(lines, lines_count, sizeof *lines, by_match);
    StoreSetup setup = store_setup(words[2]);
    setup.node = (uint32_t)atoi(words[3]);
    Store *store = store_open(&setup, &problem);
    if (store == NULL) {
        printf("%s\n", memory);
        return 2;
    }
    for (size_t i = 0, end; i < lines_count; i = end, matches++) {
        for (end = i; end < lines_count && lines[end].match == lines[i].match;)
            end++;
        check_match(store, &lines[i], end - i, &actions);
    }
    store_close(store);
    print_faults();
    printf("\n| promise | checks | broken |\n|---|---|---|\n");
    for (int i = 0; i < PROMISES; i++) {
        printf("| %s | %" PRIu64 " | %" PRIu64 " |\n", names[i], checked[i], broken[i]);
        all += broken[i];
    }
    printf("\n%" PRIu64 " matches, %" PRIu64 " actions, %zu lines of history, %" PRIu64 " broken\n",
           matches, actions, lines_count, all);
    return all == 0 && checked[S1] > 0 && checked[S5] > 0 ? 0 : 1;
}
