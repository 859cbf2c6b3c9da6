/* told.c -- see told.h. */
#include "tests/system/told.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "match/file.h"
#include "proto/message.h"
#include "store/store.h"
#include "tests/support/support.h"

enum { RECORD_OPEN = 3, FILE_BYTES_MAX = 8 << 20, LINE_BYTES = 128 };

/* --- What was sent ---------------------------------------------------------------------------- */

/* One line of a bot's log. */
typedef struct Sent {
    uint64_t match;
    char kind; /* p: position, a: action, e: end */
    uint8_t seat;
    uint32_t number;
    uint64_t value; /* hash; the eight bytes of the action; winner << 8 | reason */
} Sent;

static Sent *sent;
static size_t sent_count, sent_max;

static void keep(Sent one) {
    if (sent_count == sent_max) {
        sent_max = sent_max == 0 ? 1 << 16 : sent_max * 2;
        sent = realloc(sent, sent_max * sizeof *sent);
        assert_non_null(sent);
    }
    sent[sent_count++] = one;
}

static void read_line(const char *line) {
    char word[8], code[16], value[20];
    int winner;
    unsigned seat, number;
    Sent one = {.kind = 0};
    if (sscanf(line, "at %15s %u %u %19s", code, &seat, &number, value) == 4)
        one = (Sent){.kind = 'p', .number = number, .value = strtoull(value, NULL, 16)};
    else if (sscanf(line, "act %15s %u %u %19s", code, &seat, &number, value) == 4)
        one = (Sent){.kind = 'a', .number = number, .value = strtoull(value, NULL, 16)};
    else if (sscanf(line, "end %15s %u %d %u", code, &seat, &winner, &number) == 4)
        one = (Sent){.kind = 'e', .value = (uint64_t)(uint8_t)winner << 8 | number};
    else if (sscanf(line, "%7s %15s %u", word, code, &seat) != 3)
        fail_msg("a bot wrote down: %s", line);
    if (one.kind == 0)
        return;
    one.seat = (uint8_t)seat;
    assert_true(table_code_decode(code, &one.match));
    keep(one);
}

void told_read(const char *path) {
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        read_line(line);
    fclose(file);
}

static int by_match(const void *a, const void *b) {
    const Sent *one = a, *other = b;
    return one->match < other->match ? -1 : one->match > other->match;
}

/* --- What is in the archive ------------------------------------------------------------------- */

/* Contents by preset, loaded once. */
static MashContent *contents[SUPPORT_GAMES_MAX];

static const MashContent *content_of(const MashGame *game) {
    uint32_t i = 0;
    while (mash_games[i] != game)
        i++;
    if (contents[i] == NULL)
        contents[i] = support_content(game, NULL);
    return contents[i];
}

/* A match according to its file: the hash of each seat's view by its number, and the action with
 * which the seat answered it. */
typedef struct FileTruth {
    uint32_t numbers[MASH_SEATS];
    uint64_t *hashes[MASH_SEATS], *actions[MASH_SEATS];
    MashResult result;
    uint32_t actions_count;
} FileTruth;

static void open_truth(FileTruth *truth, uint32_t actions) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        truth->hashes[seat] = calloc(actions + 3, sizeof(uint64_t));
        truth->actions[seat] = calloc(actions + 3, sizeof(uint64_t));
        assert_true(truth->hashes[seat] != NULL && truth->actions[seat] != NULL);
    }
}

static void close_truth(FileTruth *truth) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        free(truth->hashes[seat]);
        free(truth->actions[seat]);
    }
}

/* A number counts how often the seat's view has changed. */
static void note_views(FileTruth *truth, const Match *match, void *views[MASH_SEATS], void *view) {
    uint32_t bytes = match->content->limits.state_bytes;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        match_view(match, seat, view);
        if (truth->numbers[seat] > 0 && memcmp(view, views[seat], bytes) == 0)
            continue;
        memcpy(views[seat], view, bytes);
        truth->hashes[seat][++truth->numbers[seat]] = hash_bytes(0, view, bytes);
    }
}

/* Replays the match of the file, step by step. */
static void find_truth(FileTruth *truth, const Match *played) {
    const MashContent *content = played->content;
    void *memory = support_memory(match_bytes(content)), *view = support_state(content);
    void *views[MASH_SEATS] = {support_state(content), support_state(content)};
    MashSetup setup = {.options = played->options, .options_count = content->game->options_count};
    Match match;
    assert_int_equal(match_begin(&match, content, played->seed, &setup, memory), MASH_OK);
    open_truth(truth, played->actions_count);
    note_views(truth, &match, views, view);
    for (uint32_t i = 0; i < played->actions_count; i++) {
        MashAction action = played->actions[i];
        if (action.seat < MASH_SEATS)
            memcpy(&truth->actions[action.seat][truth->numbers[action.seat]], &action, 8);
        assert_int_equal(match_apply(&match, action), MASH_OK);
        note_views(truth, &match, views, view);
    }
    truth->result = match_result(&match);
    truth->actions_count = played->actions_count;
    support_free(memory);
    support_free(view);
    support_free(views[0]);
    support_free(views[1]);
}

/* Reads a match file and replays it. */
static void read_truth(FileTruth *truth, const char *bytes, uint32_t count) {
    MashProblem list[4];
    MashProblems problems = {.list = list, .max = 4};
    size_t room = match_file_bytes(count);
    void *memory = support_memory(room);
    MatchFile file;
    Match match;
    if (!match_file_open(&file, "archive", bytes, count, memory, room, &problems))
        fail_msg("%s: %s", list[0].path, list[0].reason);
    const MashContent *content = content_of(file.game);
    void *match_memory = support_memory(match_bytes(content));
    if (!match_file_replay(&file, content, match_memory, &match, &problems))
        fail_msg("%s: %s", list[0].path, list[0].reason);
    find_truth(truth, &match);
    support_free(memory);
    support_free(match_memory);
}

/* --- Comparing -------------------------------------------------------------------------------- */

static uint64_t digits_of(uint64_t action_bytes) {
    uint8_t bytes[8];
    uint64_t number = 0;
    memcpy(bytes, &action_bytes, 8);
    for (int i = 0; i < 8; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* Does what a bot received agree with the match that was kept? */
static void compare(const FileTruth *truth, const Sent *one) {
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(one->match, code);
    bool there = one->kind == 'e' || (one->number >= 1 && one->number <= truth->numbers[one->seat]);
    if (!there)
        fail_msg("match %s: seat %u was told position %u, the archive has %u", code, one->seat,
                 one->number, truth->numbers[one->seat]);
    uint64_t found = 0;
    if (one->kind == 'p')
        found = truth->hashes[one->seat][one->number];
    else if (one->kind == 'a')
        found = digits_of(truth->actions[one->seat][one->number]);
    else
        found = (uint64_t)truth->result.winner << 8 | truth->result.reason;
    if (found != one->value)
        fail_msg("match %s: seat %u, %c %u: told %016llx, archived %016llx", code, one->seat,
                 one->kind, one->number, (unsigned long long)one->value, (unsigned long long)found);
}

/* Compares all log lines about one match; how many. */
static size_t compare_match(Store *store, const Sent *first, size_t left, uint64_t *actions) {
    static char bytes[FILE_BYTES_MAX];
    size_t lines = 0, count = 0;
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(first->match, code);
    StoreStatus status = store_archive_read(store, first->match, bytes, sizeof bytes, &count);
    if (status != STORE_OK)
        fail_msg("match %s is not in the archive: %s", code, store_status_text(status));
    FileTruth truth = {.numbers = {0, 0}};
    read_truth(&truth, bytes, (uint32_t)count);
    assert_true(truth.result.over);
    for (; lines < left && first[lines].match == first->match; lines++)
        compare(&truth, &first[lines]);
    *actions += truth.actions_count;
    close_truth(&truth);
    return lines;
}

/* An open match still waits for a second player: its host never received it, as the server was
 * killed. */
static void only_waiting(Store *store) {
    StoreMatch open;
    StoreRecord record;
    while (store_next_match(store, &open)) {
        assert_true(store_next_record(store, &record));
        assert_int_equal(record.kind, RECORD_OPEN);
        assert_false(store_next_record(store, &record));
    }
}

void told_compare(const char *place, uint32_t node) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    StoreSetup setup = store_setup(place);
    setup.node = node;
    Store *store = store_open(&setup, &problem);
    if (store == NULL)
        fail_msg("%s", memory);
    only_waiting(store);
    qsort(sent, sent_count, sizeof *sent, by_match);
    uint64_t matches = 0, actions = 0;
    for (size_t i = 0; i < sent_count; matches++)
        i += compare_match(store, &sent[i], sent_count - i, &actions);
    store_close(store);
    print_message("%llu matches with %llu actions; all %zu things told are true\n",
                  (unsigned long long)matches, (unsigned long long)actions, sent_count);
    assert_true(matches > 0 && sent_count > 0);
    free(sent);
    sent = NULL;
    sent_count = sent_max = 0;
    for (uint32_t i = 0; i < SUPPORT_GAMES_MAX; i++) {
        support_free(contents[i]);
        contents[i] = NULL;
    }
}
