/* test_generate.c -- random documents: a thousand of each kind load, and scenarios are fair. */
#include "base/hash.h"
#include "games/marvelous-mashup/test_scene.h"
#include "tests/support/golden.h"

static const MashGame *const game = &marvelous_mashup_game;

enum { DOCUMENTS = 1000, BYTES = 200000 };

static const MashGenerator *generator(const char *id) {
    for (uint32_t i = 0; i < game->generators_count; i++)
        if (strcmp(game->generators[i].id, id) == 0)
            return &game->generators[i];
    fail_msg("no generator %s", id);
    return NULL;
}

/* Values within the limits of the parameters. */
static void any_parameters(const MashGenerator *from, MashChance *chance, int32_t *out) {
    for (uint32_t i = 0; i < from->parameters_count; i++) {
        const MashOption *option = &from->parameters[i];
        assert_in_range(option->usual, option->least, option->most);
        out[i] = option->least +
                 (int32_t)chance_below(chance, (uint32_t)(option->most - option->least + 1));
    }
}

/* Generates one and loads it. */
static MashContent *written(const MashGenerator *from, const int32_t *parameters, uint32_t number,
                            const char *name) {
    static char memory[BYTES];
    MashText text = text_over(memory, sizeof memory);
    MashChance chance = chance_seeded((MashSeed){{number, 1}}, 0);
    assert_true(from->write(parameters, &chance, &text));
    return support_content_with(game, NULL, (MashDocument){name, memory, text.count});
}

static void characters_load(void **unused) {
    (void)unused;
    const MashGenerator *from = generator("characters");
    MashChance chance = chance_sampled(1);
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        int32_t count;
        any_parameters(from, &chance, &count);
        MashContent *loaded = written(from, &count, i, "random.character.json");
        const MarvelousContent *content = marvelous_content(loaded);
        assert_int_equal(content->kinds_count, count);
        for (int32_t kind = 0; kind < count; kind++) {
            const MarvelousKind *one = &content->kinds[kind];
            assert_in_range(one->health, 50, 150);
            assert_in_range(one->moves + one->actions + one->melee + one->ranged + one->reach, 20,
                            40);
        }
        support_free(loaded);
    }
}

static void matches_load(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        MashContent *loaded = written(generator("match"), NULL, i, "random.game.json");
        const MarvelousContent *content = marvelous_content(loaded);
        assert_true(content->rounds_max <= 30);
        assert_in_range(content->cooldowns[STONE_TIME], 1, 6);
        assert_in_range(loaded->limits.turn_ms, 30000, 600000);
        support_free(loaded);
    }
}

/* How many cells of grass king's moves reach from the first one. */
static uint32_t reached_grass(const MarvelousContent *content) {
    static uint16_t list[CELLS_MAX];
    static uint8_t done[CELLS_MAX];
    uint32_t count = 0, first = 0;
    memset(done, 0, sizeof done);
    while (content->ground[first] != CELL_FREE)
        first++;
    list[count++] = (uint16_t)first;
    done[first] = 1;
    for (uint32_t i = 0; i < count; i++) {
        Around box = around(content, list[i] / content->height, list[i] % content->height, 1);
        for (int x = box.left, y = box.top; x <= box.right;
             y == box.bottom ? x++, y = box.top : y++) {
            uint32_t cell = cell_at(content, x, y);
            if (done[cell] || content->ground[cell] != CELL_FREE)
                continue;
            done[cell] = 1;
            list[count++] = (uint16_t)cell;
        }
    }
    return count;
}

static void check_fair(const MarvelousContent *content, const int32_t *parameters) {
    uint32_t grass = 0, rocks = 0;
    for (uint32_t i = 0; i < content->cells_count; i++) {
        grass += content->ground[i] == CELL_FREE;
        rocks += cell_is_rock(content->ground[i]);
    }
    assert_int_equal(reached_grass(content), grass);
    assert_int_equal(content->portals_count, parameters[3]);
    assert_true(rocks * 100 <= (uint32_t)(content->cells_count * parameters[2]));
    for (int x = 0; parameters[4] != 0 && x < content->width; x++)
        for (int y = 0; y < content->height; y++)
            assert_int_equal(content->ground[cell_at(content, x, y)],
                             content->ground[cell_at(content, content->width - 1 - x, y)]);
}

/* All grass is connected, the number of portals is as requested, and mirrored boards are
 * mirrored. */
static void scenarios_load_and_are_fair(void **unused) {
    (void)unused;
    const MashGenerator *from = generator("scenario");
    MashChance chance = chance_sampled(2);
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        int32_t parameters[5];
        any_parameters(from, &chance, parameters);
        parameters[1] = 5 + parameters[1] / 2;
        int32_t cells = parameters[0] * parameters[1];
        parameters[3] = 2 * (parameters[3] % (1 + (cells - 20) * 3 / 200));
        MashContent *loaded = written(from, parameters, i, "random.scenario.json");
        assert_int_equal(loaded->limits.width, parameters[0]);
        assert_int_equal(loaded->limits.height, parameters[1]);
        check_fair(marvelous_content(loaded), parameters);
        support_free(loaded);
    }
}

/* As many rocks as requested where there is space. */
static void rocks_are_as_wished(void **unused) {
    (void)unused;
    const int32_t parameters[5] = {40, 30, 20, 6, 1};
    MashContent *loaded = written(generator("scenario"), parameters, 3, "random.scenario.json");
    uint32_t rocks = 0;
    for (uint32_t i = 0; i < marvelous_content(loaded)->cells_count; i++)
        rocks += cell_is_rock(marvelous_content(loaded)->ground[i]);
    assert_int_equal(rocks, 240);
    support_free(loaded);
}

/* Parameters of a board that can be made: a small one with few portals. */
static void make_small(int32_t parameters[5]) {
    parameters[0] = 5 + parameters[0] % 16;
    parameters[1] = 5 + parameters[1] % 16;
    parameters[3] = 2 * (parameters[3] % 3);
}

/* The same parameters and chance give the same documents for ever: matches that were made from them
 * can be replayed. */
static void documents_are_as_stored(void **unused) {
    (void)unused;
    static char memory[BYTES];
    MashText stored = text_over(support_memory(1 << 16), 1 << 16);
    MashChance drawn = chance_sampled(4);
    for (uint32_t i = 0; i < game->generators_count; i++)
        for (uint32_t number = 0; number < 40; number++) {
            int32_t parameters[5] = {0};
            MashText text = text_over(memory, sizeof memory);
            any_parameters(&game->generators[i], &drawn, parameters);
            if (number % 4 != 0 && game->generators[i].parameters_count == 5)
                make_small(parameters);
            MashChance chance = chance_seeded((MashSeed){{number, 2}}, 0);
            bool written = game->generators[i].write(parameters, &chance, &text);
            text_format(&stored, "%s %d %d %d %d %d: %u bytes, ", game->generators[i].id,
                        parameters[0], parameters[1], parameters[2], parameters[3], parameters[4],
                        written ? text.count : 0);
            text_hex(&stored, written ? hash_bytes(0, memory, text.count) : 0, 16);
            text_byte(&stored, '\n');
        }
    golden_compare("tests/golden/marvelous-generated.txt", &stored);
    support_free(stored.bytes);
}

/* Impossible values, or a result that does not fit, are refused. */
static void impossible_wishes_are_refused(void **unused) {
    (void)unused;
    static char memory[BYTES];
    static const int32_t attempts[][5] = {{12, 12, 20, 1, 0}, {5, 5, 0, 6, 0}, {6, 6, 0, 3, 1}};
    for (int i = 0; i < 3; i++) {
        MashText text = text_over(memory, sizeof memory);
        MashChance chance = chance_sampled(1);
        assert_false(generator("scenario")->write(attempts[i], &chance, &text));
    }
    for (uint32_t i = 0; i < game->generators_count; i++) {
        int32_t usual[5] = {0};
        for (uint32_t j = 0; j < game->generators[i].parameters_count; j++)
            usual[j] = game->generators[i].parameters[j].usual;
        MashText text = text_over(memory, 50);
        MashChance chance = chance_sampled(1);
        assert_false(game->generators[i].write(usual, &chance, &text));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_load),
        cmocka_unit_test(matches_load),
        cmocka_unit_test(scenarios_load_and_are_fair),
        cmocka_unit_test(rocks_are_as_wished),
        cmocka_unit_test(documents_are_as_stored),
        cmocka_unit_test(impossible_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
