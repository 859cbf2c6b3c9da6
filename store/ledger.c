/* ledger.c -- see ledger.h. */
#include "store/ledger.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { BUCKETS_FIRST = 64 };

bool ledger_init(OpenMatches *ledger, size_t matches_max) {
    *ledger = (OpenMatches){.matches_max = matches_max, .buckets_count = BUCKETS_FIRST};
    ledger->buckets = calloc(BUCKETS_FIRST, sizeof(OpenMatch *));
    return ledger->buckets != NULL;
}

/* Frees a match of the ledger with its extents. */
static void release_match(OpenMatch *match) {
    free(match->extents);
    free(match);
}

void ledger_release(OpenMatches *ledger) {
    for (size_t i = 0; ledger->buckets != NULL && i < ledger->buckets_count; i++) {
        while (ledger->buckets[i] != NULL) {
            OpenMatch *match = ledger->buckets[i];
            ledger->buckets[i] = match->next;
            release_match(match);
        }
    }
    free(ledger->buckets);
    free(ledger->segments);
    *ledger = (OpenMatches){0};
}

/* The link that points to the match, or to the NULL where it would be. */
static OpenMatch **link_of(const OpenMatches *ledger, uint64_t id) {
    OpenMatch **link = &ledger->buckets[hash_number(0, id) & (ledger->buckets_count - 1)];
    while (*link != NULL && (*link)->id != id)
        link = &(*link)->next;
    return link;
}

OpenMatch *ledger_find(const OpenMatches *ledger, uint64_t id) { return *link_of(ledger, id); }

/* Doubles the buckets. Without memory it stays as it is and is only slower. */
static void widen(OpenMatches *ledger) {
    OpenMatches wide = *ledger;
    wide.buckets_count *= 2;
    wide.buckets = calloc(wide.buckets_count, sizeof(OpenMatch *));
    if (wide.buckets == NULL)
        return;
    for (size_t i = 0; i < ledger->buckets_count; i++) {
        while (ledger->buckets[i] != NULL) {
            OpenMatch *match = ledger->buckets[i];
            ledger->buckets[i] = match->next;
            match->next = NULL;
            *link_of(&wide, match->id) = match;
        }
    }
    free(ledger->buckets);
    *ledger = wide;
}

OpenMatch *ledger_add(OpenMatches *ledger, uint64_t id) {
    OpenMatch *match = ledger_find(ledger, id);
    if (match != NULL)
        return match;
    if (ledger->matches_count >= ledger->matches_max || (match = calloc(1, sizeof *match)) == NULL)
        return NULL;
    if (ledger->matches_count >= ledger->buckets_count)
        widen(ledger);
    match->id = id;
    *link_of(ledger, id) = match;
    ledger->matches_count++;
    return match;
}

void ledger_forget(OpenMatches *ledger, OpenMatch *match) {
    for (uint32_t i = 0; i < match->extents_count; i++) {
        LedgerSegment *segment = ledger_segment(ledger, match->extents[i].segment);
        assert(segment != NULL && segment->live >= match->extents[i].bytes);
        segment->live -= match->extents[i].bytes;
    }
    OpenMatch **link = link_of(ledger, match->id);
    assert(*link == match);
    *link = match->next;
    ledger->matches_count--;
    release_match(match);
}

void ledger_list(const OpenMatches *ledger, OpenMatch **out) {
    for (size_t i = 0; i < ledger->buckets_count; i++)
        for (OpenMatch *match = ledger->buckets[i]; match != NULL; match = match->next)
            *out++ = match;
}

/* The list with room for twice as many items, `first` if it has none; NULL = out of memory, and it
 * is as it was. */
static void *grown(void *list, size_t *max, size_t first, size_t item_bytes) {
    size_t more = *max == 0 ? first : *max * 2;
    void *bytes = realloc(list, more * item_bytes);
    if (bytes != NULL)
        *max = more;
    return bytes;
}

bool ledger_open_segment(OpenMatches *ledger, uint32_t number, uint64_t bytes) {
    size_t count = ledger->segments_count;
    assert(count == 0 || ledger->segments[count - 1].number < number);
    if (count == ledger->segments_max) {
        LedgerSegment *more = grown(ledger->segments, &ledger->segments_max, 16, sizeof *more);
        if (more == NULL)
            return false;
        ledger->segments = more;
    }
    ledger->segments[ledger->segments_count++] = (LedgerSegment){.number = number, .bytes = bytes};
    return true;
}

LedgerSegment *ledger_segment(const OpenMatches *ledger, uint32_t number) {
    size_t low = 0, high = ledger->segments_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ledger->segments[middle].number == number)
            return &ledger->segments[middle];
        if (ledger->segments[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void ledger_remove_segment(OpenMatches *ledger, uint32_t number) {
    LedgerSegment *segment = ledger_segment(ledger, number);
    assert(segment != NULL && segment->live == 0);
    size_t behind = ledger->segments_count - (size_t)(segment - ledger->segments) - 1;
    memmove(segment, segment + 1, behind * sizeof *segment);
    ledger->segments_count--;
}

bool ledger_count(OpenMatches *ledger, OpenMatch *match, uint32_t segment, uint64_t bytes) {
    size_t count = match->extents_count;
    if (count == 0 || match->extents[count - 1].segment != segment) {
        if (count == match->extents_max) {
            SegmentExtent *more = grown(match->extents, &match->extents_max, 2, sizeof *more);
            if (more == NULL)
                return false;
            match->extents = more;
        }
        match->extents[match->extents_count++] = (SegmentExtent){.segment = segment};
    }
    match->extents[match->extents_count - 1].bytes += bytes;
    ledger_segment(ledger, segment)->live += bytes;
    return true;
}

/* Replaces all extents from `first` to `last` by one in `first`. */
static void move_extents(OpenMatch *match, uint32_t first, uint32_t last) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < match->extents_count; i++) {
        SegmentExtent extent = match->extents[i];
        bool inside = extent.segment >= first && extent.segment <= last;
        if (inside && match->moving > 0)
            match->extents[kept++] = (SegmentExtent){.segment = first, .bytes = match->moving};
        else if (!inside)
            match->extents[kept++] = extent;
        if (inside)
            match->moving = 0;
    }
    match->extents_count = kept;
    assert(match->moving == 0);
}

void ledger_moved(OpenMatches *ledger, uint32_t first, uint32_t last, uint64_t bytes) {
    LedgerSegment *one = ledger_segment(ledger, first);
    assert(one != NULL);
    one->bytes = bytes;
    one->live = 0;
    for (size_t i = 0; i < ledger->buckets_count; i++) {
        for (OpenMatch *match = ledger->buckets[i]; match != NULL; match = match->next) {
            one->live += match->moving;
            move_extents(match, first, last);
        }
    }
    size_t at = (size_t)(one - ledger->segments), end = at + 1;
    while (end < ledger->segments_count && ledger->segments[end].number <= last)
        end++;
    memmove(one + 1, ledger->segments + end, (ledger->segments_count - end) * sizeof *one);
    ledger->segments_count -= end - at - 1;
}

void open_matches_cancel_move(OpenMatches *ledger) {
    for (size_t i = 0; i < ledger->buckets_count; i++)
        for (OpenMatch *match = ledger->buckets[i]; match != NULL; match = match->next)
            match->moving = 0;
}
