/* looks.c -- see looks.h. Each kind of look has a number that means something, and a hash of all
 * that was told. */
#include "tests/match/looks.h"

#include <string.h>

#include "base/hash.h"
#include "match/foresee.h"
#include "match/preview_write.h"
#include "match/threat.h"
#include "match/walk.h"
#include "tests/support/support.h"

enum {
    ONE_IN = 5,   /* positions, so that they differ */
    ACTIONS = 12, /* of a list, spread over it */
    SAMPLES = 8,  /* outcomes of an action where they are sampled */
    JSON_MOST = 1 << 20,
};

/* The memory for looking, and where to write. */
typedef struct Looks {
    const MashContent *content;
    const char *preset;
    void *state, *view, *after, *walk_memory, *threat_memory, *preview_memory, *foresee_memory;
    char *json;
    int32_t *most;
    MashBoard board;
    MashAction *list;
    MashEvents events;
    Walk walk;
    Preview preview;
    uint32_t number;
    MashText *text;
} Looks;

/* A word, a number and a hash. */
static void put(Looks *looks, const char *word, uint64_t number, uint64_t hash) {
    text_format(looks->text, " %s ", word);
    text_int(looks->text, (int64_t)number);
    text_byte(looks->text, ' ');
    text_hex(looks->text, hash, 8);
}

/* Is the unit on the board, and on this side? */
static bool stands(const Looks *looks, uint32_t unit, uint8_t seat) {
    for (uint32_t i = 0; i < looks->board.tokens_count; i++)
        if (looks->board.tokens[i].unit == unit)
            return looks->board.tokens[i].place == MASH_ON_BOARD &&
                   looks->board.tokens[i].seat == seat;
    return false;
}

/* All that is known of a cell that was reached. */
static uint64_t hash_node(uint64_t hash, const WalkNode *node) {
    const uint64_t numbers[] = {
        node->x,    node->y,         node->from,           node->steps,
        node->last, node->by_chance, (uint64_t)node->loss, node->event_kinds};
    hash = hash_bytes(hash, numbers, sizeof numbers);
    return node->steps == 0 ? hash : hash_bytes(hash, &node->action, sizeof node->action);
}

/* Where each unit of the seat can go, and its ways to hit each enemy. */
static void look_at_walks(Looks *looks, uint8_t seat) {
    MashAction path[WALK_STEPS_MAX + 1];
    uint64_t ways = 0, ways_hash = 0, hits = 0, hits_hash = 0;
    for (uint32_t unit = 0; unit < looks->content->limits.units; unit++) {
        if (!stands(looks, unit, seat))
            continue;
        walk_search(&looks->walk, looks->content, looks->view, seat, (uint8_t)unit,
                    looks->walk_memory);
        for (uint32_t i = 0; i < looks->walk.nodes_count; i++)
            ways_hash = hash_node(ways_hash, &looks->walk.nodes[i]);
        ways += looks->walk.nodes_count;
        for (uint32_t enemy = 0; enemy < looks->content->limits.units; enemy++) {
            uint32_t steps = stands(looks, enemy, 1 - seat)
                                 ? walk_attack(&looks->walk, (uint8_t)enemy, path)
                                 : 0;
            hits += steps > 0;
            hits_hash = hash_bytes(hits_hash, path, steps * sizeof *path);
        }
    }
    put(looks, "ways", ways, ways_hash);
    put(looks, "hits", hits, hits_hash);
}

/* The map of threats of one unit or of all; the number: cells that are not safe. */
static void add_threats(Looks *looks, uint8_t seat, uint8_t unit, uint64_t *cells, uint64_t *hash) {
    uint32_t count = (uint32_t)looks->content->limits.width * looks->content->limits.height;
    bool known =
        threat_map(looks->content, looks->view, seat, unit, looks->threat_memory, looks->most);
    for (uint32_t i = 0; i < count; i++)
        *cells += looks->most[i] != 0;
    *hash = hash_number(hash_bytes(*hash, looks->most, count * sizeof *looks->most), known);
}

/* What all enemies threaten, and each of them where the game tells it. */
static void look_at_threats(Looks *looks, uint8_t seat) {
    uint64_t cells = 0, hash = 0;
    add_threats(looks, seat, MASH_UNIT_NONE, &cells, &hash);
    for (uint32_t unit = 0; unit < looks->content->limits.units; unit++)
        if (looks->content->game->threat != NULL && stands(looks, unit, 1 - seat))
            add_threats(looks, seat, (uint8_t)unit, &cells, &hash);
    put(looks, "threats", cells, hash);
}

/* What some actions would do, as it is told, and which can be foreseen. */
static void look_at_actions(Looks *looks, uint8_t seat) {
    const MashContent *content = looks->content;
    const PreviewWords words = {.content = content};
    uint32_t count = content->game->actions(content, looks->view, seat, looks->list);
    uint64_t outcomes = 0, told = 0, foreseen = 0, seen = 0;
    for (uint32_t i = 0; i < count && i < ACTIONS; i++) {
        MashAction action = looks->list[count <= ACTIONS ? i : i * count / ACTIONS];
        MashText json = text_over(looks->json, JSON_MOST);
        JsonWriter writer = json_writer(&json, 0);
        preview_action(content, looks->view, action, SAMPLES, looks->preview_memory,
                       &looks->preview);
        preview_write(&looks->preview, &words, action, &writer);
        outcomes += looks->preview.outcomes;
        told = hash_bytes(told, json.bytes, json.count);
        looks->events.count = 0;
        if (!foresee(content, looks->view, action, looks->foresee_memory, looks->after,
                     &looks->events))
            continue;
        foreseen++;
        seen = hash_bytes(seen, looks->after, content->limits.state_bytes);
        seen = hash_bytes(seen, looks->events.list, looks->events.count * sizeof(MashEvent));
    }
    put(looks, "outcomes", outcomes, told);
    put(looks, "foreseen", foreseen, seen);
}

/* One position, as the seat that is to act sees it. */
static void look(void *owner, uint8_t seat, MashChance *chooser) {
    Looks *looks = owner;
    const MashContent *content = looks->content;
    (void)chooser;
    memcpy(looks->view, looks->state, content->limits.state_bytes);
    content->game->hide(content, looks->view, seat);
    content->game->show(content, looks->view, &looks->board);
    text_format(looks->text, "%s %s %u:", content->game->id, looks->preset, looks->number++);
    look_at_walks(looks, seat);
    look_at_threats(looks, seat);
    look_at_actions(looks, seat);
    text_byte(looks->text, '\n');
}

void looks_write(const MashGame *game, const char *preset, uint32_t positions, MashText *text) {
    MashContent *content = support_content(game, preset);
    const MashLimits *limits = &content->limits;
    Looks looks = {.content = content, .preset = preset, .text = text};
    size_t sizes[] = {walk_bytes(content),
                      threat_bytes(content),
                      preview_bytes(content),
                      foresee_bytes(content),
                      mash_board_bytes(content),
                      (size_t)limits->width * limits->height * sizeof *looks.most,
                      limits->actions_max * sizeof *looks.list,
                      limits->events_max * sizeof *looks.events.list,
                      JSON_MOST,
                      limits->state_bytes,
                      limits->state_bytes,
                      limits->state_bytes};
    void *memory[sizeof sizes / sizeof *sizes];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        memory[i] = support_memory(sizes[i]);
    looks.walk_memory = memory[0];
    looks.threat_memory = memory[1];
    looks.preview_memory = memory[2];
    looks.foresee_memory = memory[3];
    looks.board = mash_board_over(content, memory[4]);
    looks.most = memory[5];
    looks.list = memory[6];
    looks.events = (MashEvents){memory[7], 0, limits->events_max};
    looks.json = memory[8];
    looks.state = memory[9];
    looks.view = memory[10];
    looks.after = memory[11];
    support_positions(content, positions, ONE_IN, looks.state, look, &looks);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        support_free(memory[i]);
    support_free(content);
}
