/* test_standard.c -- Marvelous Mashup in messages of the network standard: events, the state,
 * requests, configurations. Events are written "Type refs fields numbers" by the keys of their row:
 * P1:1 is character 1 of player one, 3,4 a field, =5 a number, {..} an entity. */
#include "base/json.h"
#include "games/marvelous-mashup/standard/standard.h"
#include "games/marvelous-mashup/test_scene.h"
#include "standard/wire.h"

/* A scene that is encoded. */
typedef struct Spoken {
    MarvelousScene scene;
    const StandardServerAdapter *adapter;
    StandardEncoder *encoder;
    void *memory;
    MarvelousState *before;
    StandardEvents told;
} Spoken;

/* Rocks of a drawing are only in the state: they are numbered here, row by row. */
static Spoken speak(MarvelousScene scene) {
    const MarvelousContent *content = marvelous_content(scene.content);
    Spoken spoken = {.scene = scene, .adapter = &marvelous_standard_server};
    void *raw_state = calloc(1, spoken.adapter->encoder_bytes(scene.content));
    spoken.memory = calloc(1, spoken.adapter->memory_bytes(scene.content));
    spoken.before = support_state(scene.content);
    assert_true(raw_state != NULL && spoken.memory != NULL);
    spoken.encoder = spoken.adapter->begin(scene.content, raw_state);
    for (int y = 0; y < content->height; y++)
        for (int x = 0; x < content->width; x++)
            if (cell_is_rock(scene.state->cells[cell_at(content, x, y)]) &&
                spoken.encoder->rocks[cell_at(content, x, y)] == 0)
                spoken.encoder->rocks[cell_at(content, x, y)] = ++spoken.encoder->rocks_count;
    return spoken;
}

static void finish(Spoken *spoken) {
    scene_close(&spoken->scene);
    free(spoken->encoder);
    free(spoken->memory);
    support_free(spoken->before);
}

/* Acts with these random outcomes, and encodes the events. */
static void act(Spoken *spoken, MashAction action, const uint32_t *script, uint32_t count,
                int line) {
    MarvelousScene *scene = &spoken->scene;
    memcpy(spoken->before, scene->state, scene->content->limits.state_bytes);
    scene_act(scene, action, script, count, line);
    spoken->told = spoken->adapter->encode_events(spoken->encoder, spoken->before, scene->state,
                                                  &scene->events, spoken->memory);
}
#define SPEAK(spoken, action) act(spoken, action, NULL, 0, __LINE__)
#define SPEAK_BY(spoken, action, ...)                                                              \
    act(spoken, action, (const uint32_t[]){__VA_ARGS__},                                           \
        (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), __LINE__)

static void write_ref(const StandardRef *ref, MashText *text) {
    text_format(text, " %s:%d", standard_group(ref->group), ref->id);
}

static void write_entity(const StandardEntity *entity, MashText *text) {
    text_format(text, " {%s %d %d,%d}", standard_entity(entity->type), entity->id, entity->field.x,
                entity->field.y);
}

static void write_event(const StandardMessage *event, MashText *text) {
    uint32_t count;
    const StandardRow *row = &standard_rows(event->list, &count)[event->row];
    text_string(text, row->word);
    for (uint32_t i = 0; i < row->keys_count; i++) {
        const void *member = (const char *)event + row->keys[i].member;
        const StandardField *field = member;
        const StandardRefs *refs = member;
        if (row->keys[i].kind == STANDARD_REF)
            write_ref(member, text);
        if (row->keys[i].kind == STANDARD_CELL)
            text_format(text, " %d,%d", field->x, field->y);
        if (row->keys[i].kind == STANDARD_INT)
            text_format(text, " =%d", *(const int32_t *)member);
        if (row->keys[i].kind == STANDARD_ENTITY_OBJECT)
            write_entity(member, text);
        for (uint32_t j = 0; row->keys[i].kind == STANDARD_REFS && j < refs->count; j++)
            write_ref(&refs->list[j], text);
    }
}

static void said(const Spoken *spoken, const char *const *lines, int count, int line) {
    for (int i = 0; i < count || (uint32_t)i < spoken->told.count; i++) {
        char memory[600];
        MashText text = text_over(memory, sizeof memory);
        if ((uint32_t)i < spoken->told.count)
            write_event(&spoken->told.list[i], &text);
        if (i >= count || strcmp(memory, lines[i]) != 0)
            fail_msg("line %d, event %d: wanted \"%s\", found \"%s\"", line, i,
                     i < count ? lines[i] : "", memory);
    }
}
#define SAID(spoken, ...) said(spoken, ROWS(__VA_ARGS__), __LINE__)

/* --- Events ----------------------------------------------------------------------------------- */

static void steps(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("a3B..", ".....", "O....", ".....", "....O"));
    SPEAK(&spoken, MOVE(&spoken.scene, 1, 0));
    SAID(&spoken, "MoveEvent P1:1 0,0 1,0", "DestroyedEntityEvent 1,0 InfinityStones:3",
         "ConsumedMPEvent P1:1 1,0 =1");
    SPEAK(&spoken, MOVE(&spoken.scene, 2, 0));
    SAID(&spoken, "MoveEvent P1:1 1,0 2,0", "MoveEvent P2:18 2,0 1,0",
         "ConsumedMPEvent P1:1 2,0 =1");
    finish(&spoken);
    spoken = speak(SCENE(".....", "a....", "O....", "...##", "....O"));
    SPEAK(&spoken, MOVE(&spoken.scene, 0, 2));
    SAID(&spoken, "MoveEvent P1:1 0,1 0,2", "TeleportedEvent P1:1 0,2 3,4 Portals:0 Portals:1",
         "ConsumedMPEvent P1:1 3,4 =1");
    finish(&spoken);
}

static void attacks(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("aA#..", ".....", ".....", "B....", "....."));
    SPEAK(&spoken, MELEE(&spoken.scene, 1, 0));
    SAID(&spoken, "MeleeAttackEvent P1:1 P2:16 0,0 1,0 =10", "TakenDamageEvent P2:16 1,0 =10",
         "ConsumedAPEvent P1:1 0,0 =1");
    SPEAK(&spoken, RANGED(&spoken.scene, 0, 3));
    SAID(&spoken, "RangedAttackEvent P1:1 P2:18 0,0 0,3 =30", "TakenDamageEvent P2:18 0,3 =30",
         "ConsumedAPEvent P1:1 0,0 =1");
    finish(&spoken);
    spoken = speak(SCENE("#....", "oa...", ".....", ".....", "....A"));
    SPEAK(&spoken, MELEE(&spoken.scene, 0, 1));
    SAID(&spoken, "MeleeAttackEvent P1:1 Rocks:1 1,1 0,1 =5", "TakenDamageEvent Rocks:1 0,1 =5",
         "DestroyedEntityEvent 0,1 Rocks:1", "ConsumedAPEvent P1:1 1,1 =1");
    finish(&spoken);
}

/* A knocked out hero drops its stones: B at the edge has one free neighbour. */
static void a_knock_out(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("aA.", "###", "###", "###", "###", "###", "###"));
    scene_hold(&spoken.scene, A, STONE_MIND);
    scene_health(&spoken.scene, A, 4);
    SPEAK(&spoken, MELEE(&spoken.scene, 1, 0));
    SAID(&spoken, "MeleeAttackEvent P1:1 P2:16 0,0 1,0 =4", "TakenDamageEvent P2:16 1,0 =4",
         "SpawnEntityEvent {InfinityStone 1 2,0}", "ConsumedAPEvent P1:1 0,0 =1");
    finish(&spoken);
}

static void stones(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("ab...", ".#...", "....A", ".....", "....."));
    const MarvelousState *state = spoken.scene.state;
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (stone != STONE_POWER)
            scene_hold(&spoken.scene, a, stone);
    scene_put(&spoken.scene, 3, 4, '3');
    scene_health(&spoken.scene, b, 0);
    spoken.scene.state->actors[a].actions = 9;
    SPEAK(&spoken, USE(&spoken.scene, STONE_REALITY, 1, 1));
    SAID(&spoken, "UseInfinityStoneEvent P1:1 Rocks:0 0,0 1,1 InfinityStones:2",
         "DestroyedEntityEvent 1,1 Rocks:0", "ConsumedAPEvent P1:1 0,0 =1");
    spoken.scene.state->stones[STONE_REALITY].cooldown = 0;
    SPEAK(&spoken, USE(&spoken.scene, STONE_REALITY, 0, 1));
    SAID(&spoken, "UseInfinityStoneEvent P1:1 P1:1 0,0 0,1 InfinityStones:2",
         "SpawnEntityEvent {Rock 1 0,1}", "ConsumedAPEvent P1:1 0,0 =1");
    SPEAK(&spoken, USE(&spoken.scene, STONE_SOUL, 1, 0));
    SAID(&spoken, "UseInfinityStoneEvent P1:1 P1:3 0,0 1,0 InfinityStones:5",
         "HealedEvent P1:3 1,0 =100", "ConsumedAPEvent P1:1 0,0 =1");
    SPEAK(&spoken, GIVE(&spoken.scene, STONE_SOUL, 1, 0));
    SAID(&spoken, "ExchangeInfinityStoneEvent P1:1 P1:3 0,0 1,0 InfinityStones:5",
         "ConsumedAPEvent P1:1 0,0 =1");
    SPEAK(&spoken, USE(&spoken.scene, STONE_SPACE, 3, 2));
    SAID(&spoken, "UseInfinityStoneEvent P1:1 P1:1 0,0 3,2 InfinityStones:0",
         "ConsumedAPEvent P1:1 3,2 =1");
    SPEAK(&spoken, USE(&spoken.scene, STONE_MIND, 4, 2));
    SAID(&spoken, "UseInfinityStoneEvent P1:1 P2:16 3,2 4,2 InfinityStones:1",
         "TakenDamageEvent P2:16 4,2 =12", "ConsumedAPEvent P1:1 3,2 =1");
    scene_hold(&spoken.scene, b, STONE_REALITY);
    SPEAK(&spoken, USE(&spoken.scene, STONE_TIME, 3, 2));
    SAID(&spoken, "UseInfinityStoneEvent P1:1 P1:1 3,2 3,2 InfinityStones:4",
         "ConsumedAPEvent P1:1 3,2 =1");
    assert_int_equal(state->actors[a].actions, 2);
    finish(&spoken);
}

static void turns(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("ab.A.", ".....", ".....", ".....", "....."));
    scene_health(&spoken.scene, b, 0);
    SPEAK(&spoken, END(&spoken.scene));
    SAID(&spoken, "TurnEvent =2 P1:3", "TurnEvent =3 P2:16");
    SPEAK_BY(&spoken, END(&spoken.scene), 2, 1);
    SAID(&spoken, "RoundSetupEvent =9 P1:1 P1:3 P2:16", "TurnEvent =1 P1:1");
    finish(&spoken);
}

/* Thanos moves through a rock, takes a stone, and robs a carrier. */
static void thanos(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("a....", ".....", "T#0..", ".....", "....."));
    SPEAK_BY(&spoken, END(&spoken.scene), 1);
    spoken.told.count = spoken.told.count > 7 ? 7 : spoken.told.count;
    SAID(&spoken, "TurnEvent =2 NPC:2", "DestroyedEntityEvent 1,2 Rocks:0",
         "MoveEvent NPC:2 0,2 1,2", "ConsumedMPEvent NPC:2 1,2 =1", "MoveEvent NPC:2 1,2 2,2",
         "DestroyedEntityEvent 2,2 InfinityStones:0", "ConsumedMPEvent NPC:2 2,2 =1");
    finish(&spoken);
    spoken = speak(SCENE("a....", "TB...", ".....", ".....", "....."));
    scene_hold(&spoken.scene, B, STONE_TIME);
    scene_health(&spoken.scene, B, 7);
    SPEAK(&spoken, END(&spoken.scene));
    SPEAK_BY(&spoken, END(&spoken.scene), 2, 1);
    const char *found[] = {"MoveEvent NPC:2 0,1 1,1", "MoveEvent P2:18 1,1 0,1",
                           "ConsumedMPEvent NPC:2 1,1 =1",
                           "ExchangeInfinityStoneEvent P2:18 NPC:2 0,1 1,1 InfinityStones:4",
                           "TakenDamageEvent P2:18 0,1 =7"};
    uint32_t next = 0;
    for (uint32_t i = 0; i < spoken.told.count && next < 5; i++) {
        char memory[600];
        MashText text = text_over(memory, sizeof memory);
        write_event(&spoken.told.list[i], &text);
        next += strcmp(memory, found[next]) == 0;
    }
    assert_int_equal(next, 5);
    finish(&spoken);
}

static void the_end(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("a5...", ".....", ".....", ".....", "....A"));
    for (uint8_t stone = 0; stone < STONE_SOUL; stone++)
        scene_hold(&spoken.scene, a, stone);
    SPEAK(&spoken, MOVE(&spoken.scene, 1, 0));
    SAID(&spoken, "MoveEvent P1:1 0,0 1,0", "DestroyedEntityEvent 1,0 InfinityStones:5",
         "ConsumedMPEvent P1:1 1,0 =1", "WinEvent =1", "DisconnectEvent");
    StandardMessage state;
    assert_true(
        spoken.adapter->encode_state(spoken.encoder, spoken.scene.state, spoken.memory, &state));
    assert_true(state.flag);
    finish(&spoken);
}

/* --- The beginning of a whole match ----------------------------------------------------------- */

/* Everything on the board is sent before the first round; rocks and portals have their numbers. */
static void the_beginning(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(&marvelous_mashup_game, "wakanda");
    Spoken spoken = speak(scene_over(loaded, RULES_SPEC));
    const MarvelousContent *content = marvelous_content(loaded);
    StandardCharacter heroes[STANDARD_OFFERED];
    StandardMessage message;
    uint32_t rocks = spoken.encoder->rocks_count, turn;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        spoken.adapter->draft_offer(loaded, spoken.scene.state, seat, heroes);
        for (uint8_t place = 0; place < TEAM; place++) {
            assert_true(spoken.adapter->is_drafting(loaded, spoken.scene.state, seat));
            assert_false(spoken.adapter->encode_state(spoken.encoder, spoken.scene.state,
                                                      spoken.memory, &message));
            MashChance chance = chance_seeded((MashSeed){{5, 6}}, (uint32_t)(seat * TEAM + place));
            memcpy(spoken.before, spoken.scene.state, loaded->limits.state_bytes);
            spoken.scene.events.count = 0;
            assert_int_equal(mash_apply(loaded, spoken.scene.state,
                                        spoken.adapter->draft_action(seat, place), &chance,
                                        &spoken.scene.events),
                             MASH_OK);
            spoken.told =
                spoken.adapter->encode_events(spoken.encoder, spoken.before, spoken.scene.state,
                                              &spoken.scene.events, spoken.memory);
            assert_true(seat * TEAM + place == 11 || spoken.told.count == 0);
        }
        assert_false(spoken.adapter->is_drafting(loaded, spoken.scene.state, seat));
    }
    assert_int_equal(spoken.told.count, rocks + content->portals_count + HEROES + 1 + 4 + 1);
    for (uint32_t i = 0; i < rocks; i++)
        assert_int_equal(spoken.told.list[i].entity.id, i);
    assert_int_equal(spoken.told.list[rocks].entity.type, STANDARD_ENTITY_PORTAL);
    assert_int_equal(spoken.told.list[rocks + content->portals_count].entity.player, 1);
    spoken.adapter->draft_team(loaded, spoken.scene.state, 1, heroes);
    assert_int_equal(heroes[5].number, content->kinds[spoken.scene.state->actors[11].kind].number);
    assert_true(
        spoken.adapter->encode_state(spoken.encoder, spoken.scene.state, spoken.memory, &message));
    assert_int_equal(message.entities.count, rocks + content->portals_count + HEROES + 1);
    assert_int_equal(spoken.adapter->seat_to_move(loaded, spoken.scene.state, &turn),
                     seat_of(spoken.scene.state->active));
    finish(&spoken);
}

/* --- Requests --------------------------------------------------------------------------------- */

static StandardMessage request(uint8_t row, int from_x, int from_y, int x, int y) {
    StandardMessage message = standard_new(STANDARD_LIST_REQUESTS, row);
    message.origin = (StandardRef){STANDARD_GROUP_P1, 1};
    message.origin_field = standard_field(from_x, from_y);
    message.target_field = standard_field(x, y);
    return message;
}

static void requests(void **unused) {
    (void)unused;
    Spoken spoken = speak(SCENE("aA#..", "b....", "..T..", ".....", "....."));
    const MarvelousState *state = spoken.scene.state;
    MashAction out, wanted;
    StandardMessage ask = request(STANDARD_REQUEST_MOVE, 0, 0, 1, 1);
#define VERDICT(seat) spoken.adapter->decode_request(spoken.encoder, state, seat, &ask, &out)
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND);
    wanted = MOVE(&spoken.scene, 1, 1);
    assert_int_equal(mash_action_compare(out, wanted), 0);
    assert_int_equal(VERDICT(1), STANDARD_ACTION_INVALID); /* not that seat's */
    ask = request(STANDARD_REQUEST_MOVE, 0, 1, 1, 1);
    assert_int_equal(VERDICT(0), STANDARD_ACTION_INVALID); /* it is elsewhere */
    ask = request(STANDARD_REQUEST_MOVE, 0, 0, 0, 5);
    assert_int_equal(VERDICT(0), STANDARD_ACTION_INVALID); /* off the board */
    ask = request(STANDARD_REQUEST_MELEE, 0, 0, 1, 0);
    ask.target = (StandardRef){STANDARD_GROUP_P2, 16};
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND);
    ask.target.id = 18; /* somebody else is there: the field counts */
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND);
    ask.target = (StandardRef){STANDARD_GROUP_ROCKS, 7};
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND);
    wanted = MELEE(&spoken.scene, 1, 0);
    assert_int_equal(mash_action_compare(out, wanted), 0);
    ask.row = STANDARD_REQUEST_EXCHANGE; /* the receiver of a stone is named correctly */
    assert_int_equal(VERDICT(0), STANDARD_ACTION_INVALID);
    ask = request(STANDARD_REQUEST_RANGED, 0, 0, 2, 0);
    ask.target = (StandardRef){STANDARD_GROUP_ROCKS, 0};
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND);
    ask = request(STANDARD_REQUEST_RANGED, 0, 0, 2, 2);
    ask.target = (StandardRef){STANDARD_GROUP_NPC, 2};
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND); /* the engine refuses it */
    ask = request(STANDARD_REQUEST_MELEE, 0, 0, 3, 3);
    assert_int_equal(VERDICT(0), STANDARD_ACTION_INVALID); /* nothing is there */
    ask = request(STANDARD_REQUEST_USE, 0, 0, 3, 3);
    ask.stone = (StandardRef){STANDARD_GROUP_STONES, STONE_TIME};
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND);
    assert_int_equal(out.ability, STONE_TIME);
    ask.stone.id = 6;
    assert_int_equal(VERDICT(0), STANDARD_ACTION_INVALID);
    ask.stone = (StandardRef){STANDARD_GROUP_ROCKS, 0};
    assert_int_equal(VERDICT(0), STANDARD_ACTION_INVALID);
    ask = request(STANDARD_REQUEST_STATE, 0, 0, 0, 0);
    assert_int_equal(VERDICT(0), STANDARD_ACTION_INVALID); /* not an action */
    SPEAK(&spoken, END(&spoken.scene));
    assert_true(spoken.adapter->is_active(spoken.scene.content, state, b));
    ask = request(STANDARD_REQUEST_MOVE, 0, 0, 1, 1);
    assert_int_equal(VERDICT(0), STANDARD_ACTION_LATE);
    ask = request(STANDARD_REQUEST_END, 0, 0, 0, 0);
    assert_int_equal(VERDICT(0), STANDARD_ACTION_FOUND);
    assert_int_equal(out.unit, b);
    finish(&spoken);
}

/* --- Configurations --------------------------------------------------------------------------- */

/* What is written loads as the same content. */
static void configurations(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(&marvelous_mashup_game, "sakaar");
    const StandardServerAdapter *adapter = &marvelous_standard_server;
    static char memory[3][100000];
    static const char *const names[] = {"x.scenario.json", "x.game.json", "x.character.json"};
    void (*const writers[])(const MashContent *, MashText *) = {adapter->scenario, adapter->match,
                                                                adapter->characters};
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(&marvelous_mashup_game, "quick", documents);
    for (uint32_t i = 0; i < 3; i++) {
        MashText text = text_over(memory[i], sizeof memory[i]);
        writers[i](loaded, &text);
        assert_false(text.truncated);
        mash_documents_replace(documents, &count, (MashDocument){names[i], memory[i], text.count});
    }
    MashProblem list[4];
    MashProblems problems = {.list = list, .max = 4};
    MashDocuments all = {documents, count, malloc(MASH_SCRATCH_BYTES), MASH_SCRATCH_BYTES};
    MashContent *again =
        aligned_alloc(64, (marvelous_mashup_game.content_bytes_max + 63) / 64 * 64);
    assert_true(marvelous_mashup_game.load(&all, again, &problems));
    assert_int_equal(again->hash, loaded->hash);
    assert_int_equal(again->limits.turn_ms, loaded->limits.turn_ms);
    assert_int_equal(again->limits.silence_ms, loaded->limits.silence_ms);
    free(all.scratch);
    free(again);
    support_free(loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),       cmocka_unit_test(attacks),
        cmocka_unit_test(a_knock_out), cmocka_unit_test(stones),
        cmocka_unit_test(turns),       cmocka_unit_test(thanos),
        cmocka_unit_test(the_end),     cmocka_unit_test(the_beginning),
        cmocka_unit_test(requests),    cmocka_unit_test(configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
