/* test_describe.c -- abilities, effects, types and leader abilities in words: every number is that
 * of the content, in every language. And the values that are words: type and condition. */
#include "tests/support/support.h"

#include "games/ultimate-war/test_scene.h"
#include "tests/support/descriptions.h"

enum { DESCRIPTION_BYTES = 1024 };

/* The description of an entry, valid until the next one. */
static const char *described(MashNames list, uint8_t index) {
    return description(loaded, list, index);
}

/* The content with another document of texts. */
static void load_language(const char *document) {
    board_free();
    loaded = support_content_with(&ultimate_war_game, NULL,
                                  mash_document_shipped(&ultimate_war_game, document));
    state = support_state(loaded);
}

/* All numbers of one ability are in its description. */
static void check_ability(const Ability *ability, uint8_t number) {
    const char *words = described(MASH_NAME_ABILITY, number);
    assert_true(words[0] != '\0');
    if (ability->effect_kind == ABILITY_EFFECT_EFFECT) {
        char bytes[NAME_BYTES];
        MashText name = text_over(bytes, sizeof bytes);
        ultimate_war_name(loaded, NULL, MASH_NAME_EFFECT, ability->effect, &name);
        assert_non_null(strstr(words, bytes));
        assert_non_null(strstr(words, described(MASH_NAME_EFFECT, ability->effect)));
        words = described(MASH_NAME_ABILITY, number);
        description_has(words, ability->turns, "turns");
    } else {
        description_has(words, ability->amount, "amount");
    }
    if (ability->area != AREA_SELF && ability->area != AREA_SURROUND)
        description_has(words, ability->range, "range");
    description_has(words, ability->points, "points");
    description_has(words, ability->cooldown, "cooldown");
    if (ability->mana > 0)
        description_has(words, ability->mana, "mana");
}

/* Everything that has a description, in the language that is loaded. */
static void check_all(void) {
    for (uint8_t kind = 0; kind < test_content()->kinds_count; kind++)
        for (uint8_t slot = 0; slot < SLOTS; slot++)
            check_ability(&test_content()->kinds[kind].abilities[slot],
                          (uint8_t)(ABILITY_KINDS + SLOTS * kind + slot));
    check_ability(&test_content()->punch, ABILITY_PUNCH);
    for (uint8_t effect = 0; effect < EFFECTS; effect++)
        assert_true(described(MASH_NAME_EFFECT, effect)[0] != '\0');
    description_has(described(MASH_NAME_ABILITY, ABILITY_ATTACK), TYPE_PERCENT - 100, "percent");
    description_has(described(MASH_NAME_ABILITY, ABILITY_LEADER + TYPE_HERO), LEADER_TURNS,
                    "turns");
    description_has(described(MASH_NAME_ABILITY, ABILITY_LEADER + TYPE_VILLAIN), WEAK_PERCENT,
                    "share");
    description_has(described(MASH_NAME_ABILITY, ABILITY_LEADER + TYPE_ANTIHERO), LEADER_TURNS,
                    "turns");
    for (uint8_t kind = 0; kind < test_content()->kinds_count; kind++) {
        char bytes[DESCRIPTION_BYTES];
        uint8_t command = (uint8_t)(ABILITY_LEADER + test_content()->kinds[kind].type);
        snprintf(bytes, sizeof bytes, "%s", described(MASH_NAME_ABILITY, command));
        assert_non_null(strstr(described(MASH_NAME_KIND, kind), bytes));
        description_has(described(MASH_NAME_KIND, kind), TYPE_PERCENT - 100, "percent");
    }
    assert_string_equal(described(MASH_NAME_KIND, (uint8_t)test_content()->kinds_count), "");
    assert_string_equal(described(MASH_NAME_ABILITY, 255), "");
    assert_string_equal(described(MASH_NAME_GROUND, 0), "");
}

static void figures_are_the_contents(void **unused) {
    (void)unused;
    load_shipped();
    assert_int_equal(test_content()->kinds_count, 15);
    check_all();
}

static void german_has_the_same_figures(void **unused) {
    (void)unused;
    load_language("german.texts.json");
    check_all();
    assert_string_equal(described(MASH_NAME_ABILITY, ABILITY_KINDS),
                        "150 Schaden für alle Gegner und Deckungen in gerader Linie "
                        "über 4 Felder. Kostet 2 Aktionspunkte und 140 Mana; "
                        "Abklingzeit 2 Züge.");
}

/* The names of the champions' file are told in German; the words in commands stay. */
static void german_has_its_own_names(void **unused) {
    (void)unused;
    char bytes[64];
    MashText text = text_over(bytes, sizeof bytes);
    load_language("german.texts.json");
    ultimate_war_name(loaded, NULL, MASH_NAME_ABILITY, ABILITY_KINDS, &text);
    assert_string_equal(bytes, "Schildwurf");
    assert_string_equal(ultimate_war_id(loaded, MASH_NAME_ABILITY, ABILITY_KINDS), "shield-throw");
    text_clear(&text);
    ultimate_war_name(loaded, NULL, MASH_NAME_KIND, 0, &text);
    assert_string_equal(bytes, "Captain America");
}

static void sentences_read_well(void **unused) {
    (void)unused;
    load_shipped();
    assert_string_equal(described(MASH_NAME_ABILITY, ABILITY_KINDS),
                        "Deals 150 damage to every enemy and cover in a straight line of 4 cells. "
                        "Costs 2 action points and 140 mana; cooldown 2 turns.");
    assert_string_equal(described(MASH_NAME_ABILITY, ABILITY_KINDS + SLOTS * 1 + 2),
                        "Gives the caster Dodge for 2 turns. Dodge: every second attack misses, by "
                        "chance; speed +5%."
                        " Costs 1 action point; cooldown 3 turns.");
    assert_string_equal(described(MASH_NAME_EFFECT, EFFECT_SHOCK),
                        "Shock: speed -10%, attack damage -10%, 1 action point fewer each turn.");
    assert_string_equal(described(MASH_NAME_KIND, 2),
                        "Hero: attacks deal 50% more damage to villains and anti-heroes. Leader's "
                        "command: Embrace All. Ends every debuff of the team and gives each of its "
                        "champions Embrace for 2 turns; once per match, free of cost. Embrace: "
                        "20% of full health and 20% more mana at once; speed +20% and attack "
                        "damage +20% while it lasts.");
}

/* Another damage in the content is another number in the text. */
static void a_changed_ability_is_described_as_it_is(void **unused) {
    (void)unused;
    load_with("\"cooldown\": 2, \"damage\": 150", "\"cooldown\": 2, \"damage\": 151");
    description_has(described(MASH_NAME_ABILITY, ABILITY_KINDS), 151, "amount");
}

/* The board of the match under test, until the next call. */
static const MashBoard *shown(void) {
    static uint8_t ground[CELLS], order[UINT8_MAX];
    static uint16_t wear[CELLS];
    static MashToken tokens[UINT8_MAX];
    static MashMeter meters[8192];
    static MashBoard board;
    assert_true(loaded->limits.meters_max <= sizeof meters / sizeof *meters);
    board = (MashBoard){.ground = ground,
                        .ground_health = wear,
                        .tokens = tokens,
                        .meters = meters,
                        .order = order};
    ultimate_war_show(loaded, state, &board);
    return &board;
}

/* The trait that a meter of a unit names; "" = it has no such meter. */
static const char *trait(const MashBoard *board, uint8_t unit, uint8_t what) {
    static char bytes[NAME_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        if (meter->unit != unit || meter->meter != what)
            continue;
        assert_true(meter->about_set);
        assert_int_equal(meter->about_list, 1 + MASH_NAME_TRAIT);
        uint8_t index = (uint8_t)(meter->about + __builtin_ctz((uint32_t)meter->now));
        ultimate_war_name(loaded, NULL, MASH_NAME_TRAIT, index, &text);
    }
    return bytes;
}

static void type_and_condition_are_shown(void **unused) {
    (void)unused;
    MashChance chance = chance_scripted(NULL, 0);
    load_shipped();
    assert_int_equal(loaded->game->setup(loaded, &(MashSetup){0}, &chance, state), MASH_OK);
    const MashBoard *board = shown();
    assert_string_equal(trait(board, UNITS, METER_TYPE), "hero");
    assert_string_equal(trait(board, UNITS + 1, METER_TYPE), "anti-hero");
    assert_string_equal(trait(board, UNITS, METER_CONDITION), "");
    draw("thor spid", "loki hela",
         "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\nspid hela . . .");
    give("spid", EFFECT_ROOT, 2);
    give("hela", EFFECT_STUN, 2);
    board = shown();
    assert_string_equal(trait(board, 0, METER_TYPE), "hero");
    assert_string_equal(trait(board, 3, METER_TYPE), "villain");
    assert_string_equal(trait(board, 0, METER_CONDITION), "active");
    assert_string_equal(trait(board, 1, METER_CONDITION), "rooted");
    assert_string_equal(trait(board, 4, METER_CONDITION), "inactive");
    called("loki")->health = 1;
    done("attack thor right");
    board = shown();
    assert_string_equal(trait(board, 3, METER_CONDITION), "knocked out");
    assert_string_equal(trait(board, 3, METER_TYPE), "villain");
}

/* The meters of a unit, a side or the table: id, role, now/most, and what they are about if that is
 * an ability or an effect. */
static void shows(const MashBoard *board, uint8_t unit, const char *expected) {
    char bytes[1024];
    MashText text = text_over(bytes, sizeof bytes);
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        if (meter->unit != unit || meter->about_set)
            continue;
        const char *about =
            meter->about_list == 0
                ? NULL
                : loaded->game->id_of(loaded, (MashNames)(meter->about_list - 1), meter->about);
        text_format(&text, "%s %s %d/%d%s%s\n",
                    loaded->game->id_of(loaded, MASH_NAME_METER, meter->meter),
                    mash_role_id(meter->role), meter->now, meter->most, about == NULL ? "" : " ",
                    about == NULL ? "" : about);
    }
    assert_string_equal(bytes, expected);
}

/* [2.1] [7.4] [8.1] */
static void figures_of_champions_are_shown(void **unused) {
    (void)unused;
    load_shipped();
    draw("cap", "loki", "cap loki . . .\n. . . . .\n. . #150 . .\n. . . . .\n. . . . .");
    Champion *cap = called("cap");
    cap->mana = 700, cap->points = 4, cap->cooldowns[1] = 3;
    give("cap", EFFECT_DISARM, 2);
    const MashBoard *board = shown();
    shows(board, 0,
          "health health 1500/1500\n"
          "mana points 700/0\n"
          "points points 4/6\n"
          "speed number 80/0\n"
          "damage number 100/0\n"
          "range number 1/0\n"
          "cooldown cooldown 0/2 shield-throw\n"
          "amount amount 150/0 shield-throw\n"
          "cooldown cooldown 3/1 i-can-do-this-all-day\n"
          "amount amount 150/0 i-can-do-this-all-day\n"
          "cooldown cooldown 0/2 shield-up\n"
          "cooldown cooldown 0/1 punch\n"
          "amount amount 50/0 punch\n"
          "effect effect 2/0 disarm\n"
          "leader leader 1/1\n");
    shows(board, MASH_UNIT_SIDE, "command usable 1/1\n");
    shows(board, MASH_UNIT_NONE, "round round 1/100\n");
    assert_int_equal(board->ground[2 * SIDE + 2], GROUND_COVER);
    assert_int_equal(board->ground_health[2 * SIDE + 2], 150);
    assert_int_equal(board->ground[0], GROUND_FLOOR);
    assert_int_equal(board->order_count, 2);
    assert_int_equal(board->active, state->queue[0]);
    assert_int_equal(board->phase, PHASE_PLAY);
}

/* Frees the memory of the tests. */
static int finish(void **unused) {
    (void)unused;
    board_free();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_the_contents),
        cmocka_unit_test(german_has_the_same_figures),
        cmocka_unit_test(german_has_its_own_names),
        cmocka_unit_test(sentences_read_well),
        cmocka_unit_test(a_changed_ability_is_described_as_it_is),
        cmocka_unit_test(type_and_condition_are_shown),
        cmocka_unit_test(figures_of_champions_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
