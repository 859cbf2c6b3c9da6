/* match_log.c -- see match_log.h. */
#include "cli/terminal/match_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { SENTENCE_BYTES = 512 };

void match_log_init(MatchLog *log, const MashContent *content) {
    *log = (MatchLog){.view = cli_memory(content->limits.state_bytes)};
}

/* Drops all lines. */
static void forget(MatchLog *log) {
    for (uint32_t i = 0; i < log->count; i++)
        free(log->lines[i].words);
    log->count = 0;
}

void match_log_release(MatchLog *log) {
    forget(log);
    free(log->lines);
    free(log->view);
    *log = (MatchLog){.view = NULL};
}

/* Appends a copy of the line to the log for this reader. */
static void add(MatchLog *log, uint32_t ply, uint32_t reader, const char *words) {
    log->lines = cli_grow(log->lines, log->count, &log->max, sizeof *log->lines);
    size_t bytes = strlen(words) + 1;
    char *kept = cli_memory(bytes);
    memcpy(kept, words, bytes);
    log->lines[log->count++] = (MatchLogLine){.ply = ply, .reader = reader, .words = kept};
}

/* The seat of a reader, or that of spectators. */
static uint8_t seat_of(uint32_t reader) {
    return reader < MASH_SEATS ? (uint8_t)reader : MASH_SEAT_SPECTATOR;
}

void match_log_add_events(MatchLog *log, const MashContent *content, const void *view,
                          const MashEvents *events, uint32_t ply, uint32_t reader) {
    for (uint32_t i = 0; i < events->count; i++) {
        const MashEvent *event = &events->list[i];
        if (!mash_event_seen(event, seat_of(reader)))
            continue;
        char bytes[SENTENCE_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        content->game->say(content, NULL, view, event, &text);
        if (text.count > 0)
            add(log, ply, reader, bytes);
    }
}

void match_log_add_last(MatchLog *log, const Match *match) {
    for (uint32_t reader = 0; reader < LOG_READERS; reader++) {
        match_view(match, seat_of(reader), log->view);
        match_log_add_events(log, match->content, log->view, &match->events, match->actions_count,
                             reader);
    }
}

void match_log_rebuild(MatchLog *log, Match *match) {
    uint32_t count = match->actions_count;
    MashAction *actions = cli_memory((count + 1) * sizeof *actions);
    memcpy(actions, match->actions, count * sizeof *actions);
    forget(log);
    match_rewind(match, 0);
    for (uint32_t i = 0; i < count; i++) {
        MashStatus status = match_apply(match, actions[i]);
        assert(status == MASH_OK);
        (void)status;
        match_log_add_last(log, match);
    }
    free(actions);
}

/* Is the line for this reader and of these actions? */
static bool is_among(const MatchLogLine *line, uint32_t reader, uint32_t from, uint32_t to) {
    return line->reader == reader && line->ply >= from && line->ply <= to;
}

uint32_t match_log_count(const MatchLog *log, uint32_t reader, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < log->count; i++)
        count += is_among(&log->lines[i], reader, from, to);
    return count;
}

void match_log_print(const MatchLog *log, uint32_t reader, uint32_t from, uint32_t to,
                     uint32_t skipped, const char *indent) {
    for (uint32_t i = 0; i < log->count; i++) {
        if (!is_among(&log->lines[i], reader, from, to))
            continue;
        if (skipped > 0)
            skipped--;
        else
            printf("%s%s\n", indent, log->lines[i].words);
    }
}

/* The reader's next line of this action from *i on, or NULL. */
static const char *next_line(const MatchLog *log, uint32_t ply, uint32_t reader, uint32_t *i) {
    while (*i < log->count) {
        const MatchLogLine *line = &log->lines[(*i)++];
        if (line->ply == ply && line->reader == reader)
            return line->words;
    }
    return NULL;
}

bool match_log_same(const MatchLog *log, uint32_t ply, uint32_t reader, uint32_t other) {
    uint32_t i = 0, j = 0;
    for (;;) {
        const char *a = next_line(log, ply, reader, &i);
        const char *b = next_line(log, ply, other, &j);
        if (a == NULL || b == NULL)
            return a == b;
        if (strcmp(a, b) != 0)
            return false;
    }
}
