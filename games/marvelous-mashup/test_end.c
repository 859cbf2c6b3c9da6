/* test_end.c -- who wins, by rule number; statistics; random matches that end on their own.
 *
 * Environment: MASH_MATCHES = random matches per scenario and rule set (10). */
#include "games/marvelous-mashup/test_scene.h"

enum { MATCHES = 10 };

static const MashGame *const game = &marvelous_mashup_game;

/* --- 12. The end ------------------------------------------------------------------------------ */

/* [12.1] By taking the sixth, immediately. */
static void six_stones_by_taking(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a5...", ".....", ".....", ".....", "....A");
    for (uint8_t stone = 0; stone < 5; stone++)
        scene_hold(&scene, a, stone);
    ACT(&scene, MOVE(&scene, 1, 0));
    scene_ended(&scene, 0, REASON_SIX_STONES);
    REFUSED(&scene, END(&scene), MATCH_OVER);
    assert_int_equal(game->awaited(scene.content, scene.state), 0);
    scene_close(&scene);
}

/* [12.1] By being handed the sixth; in `customer` even by the enemy. Six in one team are not
 * enough. */
static void six_stones_by_a_gift(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE_CUSTOMER("abA..", ".....", ".....", ".....", ".....");
    for (uint8_t stone = 0; stone < 5; stone++)
        scene_hold(&scene, b, stone);
    scene_hold(&scene, a, STONE_SOUL);
    ACT(&scene, MOVE(&scene, 0, 1));
    assert_false(scene.state->common.over);
    ACT(&scene, GIVE(&scene, STONE_SOUL, 1, 0));
    scene_ended(&scene, 0, REASON_SIX_STONES);
    scene_close(&scene);
    scene = SCENE_CUSTOMER("aA...", ".....", ".....", ".....", ".....");
    for (uint8_t stone = 0; stone < 5; stone++)
        scene_hold(&scene, A, stone);
    scene_hold(&scene, a, STONE_SOUL);
    ACT(&scene, GIVE(&scene, STONE_SOUL, 1, 0));
    scene_ended(&scene, 1, REASON_SIX_STONES);
    scene_close(&scene);
}

/* Thanos takes the last stone in his turn after A's; the tie is broken at random if necessary. */
static void ends_by(const uint32_t stones[2], const uint32_t outs[2], const uint64_t damage[2],
                    uint32_t lots, uint8_t winner, uint8_t reason) {
    MarvelousScene scene = SCENE("a....", ".....", ".....", "...T5", "....A");
    for (uint8_t stone = 0; stone < STONE_SOUL; stone++)
        scene_hold(&scene, UNIT_THANOS, stone);
    for (int seat = 0; seat < 2; seat++) {
        scene.state->most_stones[seat] = (uint8_t)stones[seat];
        scene.state->knock_outs[seat] = outs[seat];
        scene.state->damage[seat] = damage[seat];
    }
    ACT(&scene, END(&scene));
    scene_act(&scene, END(&scene), (const uint32_t[]){winner}, lots, __LINE__);
    scene_ended(&scene, winner, reason);
    scene_close(&scene);
}

/* [12.2], [12.3], [12.4], [12.5]: each only if all before it are equal. */
static void thanos_decides(void **unused) {
    (void)unused;
    const uint32_t same[2] = {3, 3}, first[2] = {4, 3}, second[2] = {3, 4};
    const uint64_t equal[2] = {9, 9}, more[2] = {10, 9}, less[2] = {(uint64_t)1 << 33, 1};
    ends_by(first, second, equal, 0, 0, REASON_MOST_STONES);
    ends_by(second, first, more, 0, 1, REASON_MOST_STONES);
    ends_by(same, first, equal, 0, 0, REASON_KNOCK_OUTS);
    ends_by(same, second, more, 0, 1, REASON_KNOCK_OUTS);
    ends_by(same, same, more, 0, 0, REASON_DAMAGE);
    ends_by(same, same, less, 0, 0, REASON_DAMAGE);
    ends_by(same, same, equal, 1, 0, REASON_LOT);
    ends_by(same, same, equal, 1, 1, REASON_LOT);
}

/* [12.2] The largest sum over a side: two and one make three, and dropping takes nothing away. */
static void most_stones_at_once(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a0b.A", ".1...", ".....", ".....", ".....");
    scene_hold(&scene, b, STONE_SOUL);
    ACT(&scene, MOVE(&scene, 1, 0));
    assert_int_equal(scene.state->most_stones[0], 2);
    ACT(&scene, MOVE(&scene, 1, 1));
    assert_int_equal(scene.state->most_stones[0], 3);
    ACT(&scene, GIVE(&scene, STONE_MIND, 2, 0));
    scene_health(&scene, b, 1);
    ACT(&scene, END(&scene));
    ACT(&scene, END(&scene));
    ACT_BY(&scene, RANGED(&scene, 2, 0), 0, 0, 0);
    assert_int_equal(scene.state->most_stones[0], 3);
    assert_int_equal(game->figure(scene.content, scene.state, MASH_UNIT_SIDE, FIGURE_MOST_STONES),
                     3);
    assert_int_equal(game->figure(scene.content, scene.state, a, FIGURE_MOST_STONES), 2);
    assert_int_equal(game->figure(scene.content, scene.state, b, FIGURE_MOST_STONES), 2);
    assert_int_equal(scene.state->most_stones[1], 0);
    scene_close(&scene);
}

/* [12.3] A hero who is knocked out, revived and knocked out again counts twice. */
static void every_knock_out_counts(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    scene_hold(&scene, a, STONE_SOUL);
    scene.state->actors[a].actions = 3;
    for (int i = 0; i < 2; i++) {
        scene_health(&scene, A, 4);
        ACT(&scene, MELEE(&scene, 1, 0));
        if (i == 0)
            ACT(&scene, USE(&scene, STONE_SOUL, 1, 0));
    }
    assert_int_equal(scene.state->knock_outs[0], 2);
    assert_int_equal(game->figure(scene.content, scene.state, MASH_UNIT_SIDE, FIGURE_KNOCK_OUTS),
                     2);
    assert_int_equal(scene.state->damage[0], 8); /* [12.4] */
    scene_close(&scene);
}

/* [12.6] */
static void other_ends(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    ACT(&scene, ((MashAction){.verb = MASH_VERB_RESIGN, .seat = 1}));
    scene_ended(&scene, 0, MASH_REASON_RESIGNED);
    scene_close(&scene);
    scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    MashAction forfeit = server_action(MASH_VERB_FORFEIT, 0);
    forfeit.amount = MASH_REASON_DISQUALIFIED;
    ACT(&scene, forfeit);
    scene_ended(&scene, 1, MASH_REASON_DISQUALIFIED);
    scene_close(&scene);
    scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    ACT(&scene, ((MashAction){.verb = MASH_VERB_DRAW_OFFER, .seat = 0}));
    ACT(&scene, ((MashAction){.verb = MASH_VERB_DRAW_ACCEPT, .seat = 1}));
    scene_ended(&scene, MASH_SEAT_NONE, MASH_REASON_AGREED);
    scene_close(&scene);
}

static void turns_and_steps_are_counted(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab..A", ".....", ".....", ".....", ".....");
    ACT(&scene, MOVE(&scene, 0, 1));
    ACT(&scene, END(&scene));
    ACT(&scene, MOVE(&scene, 2, 0));
    ACT(&scene, MOVE(&scene, 3, 0));
    assert_int_equal(game->figure(scene.content, scene.state, b, FIGURE_STEPS), 2);
    assert_int_equal(game->figure(scene.content, scene.state, b, FIGURE_TURNS), 1);
    assert_int_equal(game->figure(scene.content, scene.state, MASH_UNIT_SIDE, FIGURE_STEPS), 3);
    assert_int_equal(game->figure(scene.content, scene.state, UNIT_THANOS, FIGURE_STEPS), 0);
    assert_int_equal(game->figure(scene.content, scene.state, a, FIGURES), 0);
    scene_close(&scene);
}

/* --- Random matches --------------------------------------------------------------------------- */

/* What random play has shown. */
typedef struct SeenEvents {
    bool kinds[MASH_EVENT_KINDS];
    bool reasons[256];
} SeenEvents;

/* Now and then the server or a player makes an action that is on no list. */
static MashAction any_action(const MarvelousScene *scene, MashAction *list, MashChance *chance) {
    uint32_t awaited = game->awaited(scene->content, scene->state);
    uint8_t seat = awaited == 3 ? (uint8_t)chance_below(chance, 2) : awaited == 2;
    uint32_t draw = chance_below(chance, 2000);
    MashAction unlisted[] = {server_action(MASH_VERB_OVERTIME, 0),
                             server_action(MASH_VERB_TIME_OVER, seat),
                             {.verb = MASH_VERB_DRAW_OFFER, .seat = seat},
                             {.verb = MASH_VERB_DRAW_DECLINE, .seat = seat}};
    if (draw < 4 && (draw != 1 || scene->state->phase != PHASE_CHOICE) &&
        scene_check(scene, unlisted[draw]) == MASH_OK)
        return unlisted[draw];
    uint32_t count = game->actions(scene->content, scene->state, seat, list);
    assert_true(count > 0 && count <= scene->content->limits.actions_max);
    return list[chance_below(chance, count)];
}

/* Plays to the end; the bounds of the limits hold, and everything on the board is consistent. */
static void play_match(MarvelousScene *scene, int rules, uint64_t number, MashAction *list,
                       SeenEvents *seen) {
    int32_t values[1] = {rules};
    MashSetup setup = {values, 1};
    MashChance chance = chance_sampled(number);
    uint32_t length = 0, listed = 0;
    assert_int_equal(game->setup(scene->content, &setup, &chance, scene->state), MASH_OK);
    for (; !scene->state->common.over; length++) {
        MashAction action = any_action(scene, list, &chance);
        listed += action.verb < MASH_VERB_RESIGN;
        scene->events.count = 0;
        assert_int_equal(mash_apply(scene->content, scene->state, action, &chance, &scene->events),
                         MASH_OK);
        for (uint32_t i = 0; i < scene->events.count; i++)
            seen->kinds[scene->events.list[i].kind] = true;
        if (length % 16 == 0)
            scene_sound(scene);
    }
    scene_sound(scene);
    assert_true(listed <= scene->content->limits.length_max);
    seen->reasons[scene->state->common.reason] = true;
}

static uint32_t matches_wanted(void) {
    const char *wanted = getenv("MASH_MATCHES");
    return wanted == NULL ? MATCHES : (uint32_t)strtoul(wanted, NULL, 10);
}

static void random_matches_end(void **unused) {
    (void)unused;
    SeenEvents seen = {{false}, {false}};
    uint32_t wanted = matches_wanted();
    for (uint32_t preset = 0; preset < game->presets_count; preset++) {
        MarvelousScene scene = scene_over(support_content(game, game->presets[preset].id), 0);
        MashAction *list = calloc(scene.content->limits.actions_max, sizeof *list);
        for (int rules = 0; rules < 2; rules++)
            for (uint32_t i = 0; i < wanted; i++)
                play_match(&scene, rules, (uint64_t)preset << 32 | i, list, &seen);
        free(list);
        scene_close(&scene);
    }
    if (wanted < MATCHES)
        return; /* too few to have seen everything */
    for (int i = 0; i < MARVELOUS_EVENTS; i++)
        if (!seen.kinds[marvelous_events[i]])
            fail_msg("never told: %s", mash_event_id((uint8_t)marvelous_events[i]));
    assert_true(seen.reasons[REASON_SIX_STONES] && seen.reasons[REASON_MOST_STONES] &&
                seen.reasons[REASON_KNOCK_OUTS]);
}

/* --- Extremes --------------------------------------------------------------------------------- */

/* 24 equal heroes: HP, MP and so on by this text. */
static MashDocument alike(const char *values) {
    static char memory[20000];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, "{\"characters\":[");
    for (int i = 1; i <= 24; i++)
        text_format(&text, "%s{\"characterID\":%d,\"name\":\"Hero %d\",%s}", i == 1 ? "" : ",", i,
                    i, values);
    text_string(&text, "]}");
    return (MashDocument){"alike.character.json", memory, text.count};
}

static MashContent *extreme(const char *values, const char *match, const char *board) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    MashProblem found[4];
    MashProblems problems = {.list = found, .max = 4};
    uint32_t count = mash_documents_of_preset(game, NULL, list);
    mash_documents_replace(list, &count, alike(values));
    mash_documents_replace(list, &count,
                           (MashDocument){"extreme.game.json", match, (uint32_t)strlen(match)});
    mash_documents_replace(list, &count,
                           (MashDocument){"extreme.scenario.json", board, (uint32_t)strlen(board)});
    void *scratch = aligned_alloc(64, MASH_SCRATCH_BYTES);
    MashContent *loaded = aligned_alloc(64, (game->content_bytes_max + 63) / 64 * 64);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    if (!game->load(&documents, loaded, &problems))
        fail_msg("%s: %s", found[0].path, found[0].reason);
    free(scratch);
    return loaded;
}

#define MATCH(rounds)                                                                              \
    "{\"maxRounds\":" #rounds ",\"maxRoundTime\":1,\"maxAnimationTime\":0,\"spaceStoneCD\":0,"     \
    "\"mindStoneCD\":0,\"realityStoneCD\":0,\"powerStoneCD\":0,\"timeStoneCD\":1,"                 \
    "\"soulStoneCD\":0,\"mindStoneDMG\":1000,\"maxPauseTime\":0,\"maxResponseTime\":1}"
#define VALUES(health, moves, actions, damage)                                                     \
    "\"HP\":" #health ",\"MP\":" #moves ",\"AP\":" #actions ",\"meleeDamage\":" #damage            \
    ",\"rangeCombatDamage\":" #damage ",\"rangeCombatReach\":500"

#define FIVE "\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\""

/* The smallest board with as many rocks or portals as possible, or a single row [1.1]; nobody can
 * move, or everybody has a hundred actions; Thanos comes in round 1, or in 500. All of it ends
 * within the bounds. */
static void extremes_end(void **unused) {
    (void)unused;
    static const char *const matches[] = {MATCH(0), MATCH(1), MATCH(7)};
    static const char *const heroes[] = {VALUES(1, 0, 0, 0), VALUES(5, 1, 1, 999),
                                         VALUES(2000, 40, 40, 999)};
    static const char *const boards[] = {"{\"name\":\"rocks\",\"scenario\":["
                                         "[\"ROCK\",\"ROCK\",\"ROCK\",\"ROCK\",\"ROCK\"],"
                                         "[\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\"],"
                                         "[\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\"],"
                                         "[\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\"],"
                                         "[\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\"]]}",
                                         "{\"name\":\"portals\",\"scenario\":["
                                         "[\"PORTAL\",\"GRASS\",\"GRASS\",\"GRASS\",\"PORTAL\"],"
                                         "[\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\"],"
                                         "[\"GRASS\",\"GRASS\",\"PORTAL\",\"GRASS\",\"GRASS\"],"
                                         "[\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\",\"GRASS\"],"
                                         "[\"PORTAL\",\"GRASS\",\"GRASS\",\"GRASS\",\"PORTAL\"]]}",
                                         "{\"name\":\"\",\"scenario\":[[\"PORTAL\"," FIVE "," FIVE
                                         "," FIVE "," FIVE ",\"PORTAL\"]]}"};
    SeenEvents seen = {{false}, {false}};
    for (int i = 0; i < 3 * 3 * 3; i++) {
        MarvelousScene scene =
            scene_over(extreme(heroes[i % 3], matches[i / 3 % 3], boards[i / 9]), 0);
        MashAction *list = calloc(scene.content->limits.actions_max, sizeof *list);
        for (int rules = 0; rules < 2; rules++)
            for (uint32_t number = 0; number < 3; number++)
                play_match(&scene, rules, number, list, &seen);
        free(list);
        scene_close(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_stones_by_taking),
        cmocka_unit_test(six_stones_by_a_gift),
        cmocka_unit_test(thanos_decides),
        cmocka_unit_test(most_stones_at_once),
        cmocka_unit_test(every_knock_out_counts),
        cmocka_unit_test(other_ends),
        cmocka_unit_test(turns_and_steps_are_counted),
        cmocka_unit_test(random_matches_end),
        cmocka_unit_test(extremes_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
