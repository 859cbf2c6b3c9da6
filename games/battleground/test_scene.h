/* test_scene.h -- for the tests of battleground: positions drawn as text, actions typed as words.
 *
 * In drawings # is a wall, . an open cell, a letter a warrior: G(ladiator) K(night) N(inja)
 * P(umpkin) Z(ombie F.) M (Zombie M.) D(ino); capitals are Red's (seat 0). Slots are given in
 * reading order; warriors that are not drawn have fainted, unless scene_bench() puts them on the
 * bench. */
#ifndef BATTLEGROUND_TEST_SCENE_H
#define BATTLEGROUND_TEST_SCENE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/battleground/state.h"
#include "tests/support/support.h"

/* Kinds and potions by their numbers. */
enum { GLADIATOR = 1, KNIGHT, NINJA, PUMPKIN, ZOMBIE_F, ZOMBIE_M, DINO };
enum { HEAL, STRENGTH, WEAKNESS, RUNNER, AGING };

/* A match in a test, and what the last action told. */
typedef struct BattlegroundScene {
    MashContent *content;
    BattlegroundState *state;
    MashAction *list;
    MashEvent told[64];
    MashEvents events;
} BattlegroundScene;

/* How kinds are drawn, by their numbers. */
static const char scene_letters[] = ".GKNPZMD";

/* A match over this content, as setup() leaves it. */
static inline BattlegroundScene scene_over(MashContent *loaded, uint8_t options) {
    int32_t values[OPTIONS];
    for (int i = 0; i < OPTIONS; i++)
        values[i] = options >> i & 1;
    MashSetup setup = {values, OPTIONS};
    MashChance chance = chance_scripted(NULL, 0);
    BattlegroundScene scene = {.content = loaded, .state = support_state(loaded)};
    scene.list = calloc(loaded->limits.actions_max, sizeof *scene.list);
    assert_non_null(scene.list);
    assert_int_equal(battleground_game.setup(loaded, &setup, &chance, scene.state), MASH_OK);
    assert_true(chance_used_up(&chance));
    return scene;
}

/* A match on a shipped field. */
static inline BattlegroundScene scene_preset(const char *preset, uint8_t options) {
    return scene_over(support_content(&battleground_game, preset), options);
}

/* Frees what the scene holds. */
static inline void scene_close(BattlegroundScene *scene) {
    support_free(scene->content);
    support_free(scene->state);
    free(scene->list);
}

/* The number of the kind that is drawn by this letter; 0 = none. */
static inline uint8_t scene_kind(char letter) {
    char capital = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
    const char *found = strchr(scene_letters, capital);
    return found == NULL ? 0 : (uint8_t)(found - scene_letters);
}

/* The drawing's walls as a document. */
static inline MashContent *scene_field(const char *const *rows, int height) {
    char memory[4096];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, "{\"rows\": [");
    for (int y = 0; y < height; y++) {
        text_string(&text, y == 0 ? "\"" : ",\"");
        for (const char *cell = rows[y]; *cell != '\0'; cell++)
            text_byte(&text, *cell == '#' ? '#' : '.');
        text_byte(&text, '"');
    }
    text_string(&text, "]}");
    assert_false(text.truncated);
    MashDocument document = {"drawn.field.json", memory, text.count};
    return support_content_with(&battleground_game, NULL, document);
}

/* The drawn position, in move 1 of Red's turn, without potions and benches. */
static inline BattlegroundScene scene_drawn(const char *const *rows, int height, uint8_t options) {
    BattlegroundScene scene = scene_over(scene_field(rows, height), options);
    BattlegroundState *state = scene.state;
    int slots[MASH_SEATS] = {0, 0};
    for (int unit = 0; unit < UNITS; unit++)
        state->warriors[unit] = (Warrior){.kind = GLADIATOR, .place = PLACE_GONE};
    for (int y = 0; y < height; y++)
        for (int x = 0; rows[y][x] != '\0'; x++) {
            uint8_t kind = scene_kind(rows[y][x]);
            if (kind == 0)
                continue;
            int seat = rows[y][x] >= 'a';
            assert_true(slots[seat] < SLOTS);
            state->warriors[SLOTS * seat + slots[seat]++] =
                (Warrior){.kind = kind,
                          .place = PLACE_FIELD,
                          .x = (int8_t)x,
                          .y = (int8_t)y,
                          .health = battleground_content(scene.content)->kinds[kind].health};
        }
    state->phase = PHASE_MOVE_1;
    return scene;
}
#define SCENE(options, ...)                                                                        \
    scene_drawn((const char *const[]){__VA_ARGS__},                                                \
                (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)), options)

/* This unit sits on the bench. */
static inline void scene_bench(BattlegroundScene *scene, uint8_t unit, uint8_t kind) {
    scene->state->warriors[unit] = (Warrior){.kind = kind, .place = PLACE_BENCH};
}

/* The seat has this potion, too. */
static inline void scene_potion(BattlegroundScene *scene, uint8_t seat, uint8_t potion) {
    scene->state->potions[seat]++;
    scene->state->stock[seat][potion]++;
}

/* What show() draws is this drawing. */
static inline void scene_shows(const BattlegroundScene *scene, const char *const *rows,
                               int height) {
    uint8_t ground[MASH_SIDE_MAX * MASH_SIDE_MAX], order[UNITS];
    uint16_t wear[MASH_SIDE_MAX * MASH_SIDE_MAX];
    MashToken tokens[UNITS];
    MashMeter meters[128];
    MashBoard board = {.ground = ground,
                       .ground_health = wear,
                       .tokens = tokens,
                       .meters = meters,
                       .order = order};
    int width = scene->content->limits.width;
    assert_int_equal(height, scene->content->limits.height);
    battleground_game.show(scene->content, scene->state, &board);
    assert_true(board.meters_count <= scene->content->limits.meters_max);
    for (int y = 0; y < height; y++) {
        char row[MASH_SIDE_MAX + 1] = "";
        for (int x = 0; x < width; x++)
            row[x] = ground[y * width + x] == GROUND_WALL ? '#' : '.';
        for (uint32_t i = 0; i < board.tokens_count; i++)
            if (tokens[i].place == MASH_ON_BOARD && tokens[i].y == y)
                row[tokens[i].x] =
                    (char)(scene_letters[tokens[i].kind] + (tokens[i].seat == 0 ? 0 : 'a' - 'A'));
        assert_string_equal(row, rows[y]);
    }
}
#define SHOWS(scene, ...)                                                                          \
    scene_shows(scene, (const char *const[]){__VA_ARGS__},                                         \
                (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* How many actions the seat may do whose words begin so; `found`: the last of them. */
static inline uint32_t scene_finds(const BattlegroundScene *scene, uint8_t seat,
                                   const char *beginning, MashAction *found) {
    uint32_t count = battleground_game.actions(scene->content, scene->state, seat, scene->list);
    uint32_t matches = 0;
    assert_true(count <= scene->content->limits.actions_max);
    for (uint32_t i = 0; i < count; i++) {
        char memory[64];
        MashText word = text_over(memory, sizeof memory);
        battleground_game.notation(scene->content, scene->state, scene->list[i], &word);
        if (strncmp(memory, beginning, strlen(beginning)) != 0)
            continue;
        matches++;
        *found = scene->list[i];
    }
    return matches;
}

/* How many listed actions of the seat in turn begin with these words. */
static inline uint32_t scene_lists(const BattlegroundScene *scene, const char *beginning) {
    MashAction found;
    return scene_finds(scene, scene->state->seat, beginning, &found);
}

/* Applies the action, keeps what it told; the game draws no chance. */
static inline MashStatus scene_try(BattlegroundScene *scene, MashAction action) {
    MashChance chance = chance_scripted(NULL, 0);
    scene->events = (MashEvents){scene->told, 0, scene->content->limits.events_max};
    assert_true(scene->events.max <= sizeof scene->told / sizeof *scene->told);
    MashStatus status = mash_apply(scene->content, scene->state, action, &chance, &scene->events);
    assert_true(chance_used_up(&chance));
    return status;
}

/* The seat does what these words say; they must be in its list. */
static inline void scene_by(BattlegroundScene *scene, uint8_t seat, const char *words) {
    MashAction action;
    uint32_t found = scene_finds(scene, seat, words, &action);
    if (found != 1)
        fail_msg("\"%s\" is %u times in the list", words, found);
    assert_int_equal(scene_try(scene, action), MASH_OK);
}

/* The seat in turn does. */
static inline void scene_does(BattlegroundScene *scene, const char *words) {
    scene_by(scene, scene->state->seat, words);
}

/* check() and apply() refuse it so, and nothing changes. */
static inline void scene_refuses(BattlegroundScene *scene, MashAction action, MashStatus status) {
    BattlegroundState before = *scene->state;
    assert_string_equal(
        mash_status_id(battleground_game.check(scene->content, scene->state, action)),
        mash_status_id(status));
    assert_int_equal(scene_try(scene, action), status);
    assert_int_equal(scene->events.count, 0);
    assert_memory_equal(&before, scene->state, sizeof before);
}

/* The ids of the events that the seat saw of the last action are these, parted by blanks. */
static inline void scene_told(const BattlegroundScene *scene, uint8_t seat, const char *ids) {
    char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < scene->events.count; i++)
        if (mash_event_seen(&scene->told[i], seat))
            text_format(&text, "%s%s", text.count == 0 ? "" : " ",
                        mash_event_id(scene->told[i].kind));
    assert_string_equal(memory, ids);
}

/* The first event of this kind that the last action told. */
static inline MashEvent scene_event(const BattlegroundScene *scene, MashEventKind kind) {
    for (uint32_t i = 0; i < scene->events.count; i++)
        if (scene->told[i].kind == kind)
            return scene->told[i];
    fail_msg("no event %s", mash_event_id((uint8_t)kind));
    return (MashEvent){0};
}

/* Whose turn, and which phase. */
static inline void scene_phase(const BattlegroundScene *scene, uint8_t seat, uint8_t phase) {
    assert_false(scene->state->common.over);
    assert_int_equal(scene->state->seat, seat);
    assert_int_equal(scene->state->phase, phase);
}

/* The match is over so, nobody is awaited, and that was told last. */
static inline void scene_ended(const BattlegroundScene *scene, uint8_t winner, uint8_t reason) {
    MashResult result = battleground_game.result(scene->content, scene->state);
    assert_true(result.over);
    assert_int_equal(result.winner, winner);
    assert_int_equal(result.reason, reason);
    assert_int_equal(battleground_game.awaited(scene->content, scene->state), 0);
    assert_int_equal(scene->told[scene->events.count - 1].kind, MASH_EVENT_MATCH_ENDED);
}

/* A warrior by its unit number. */
static inline const Warrior *scene_warrior(const BattlegroundScene *scene, int unit) {
    return &scene->state->warriors[unit];
}

#endif
