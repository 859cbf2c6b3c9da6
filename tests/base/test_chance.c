/* test_chance.c -- random numbers, hashes and texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/chance.h"
#include "base/hash.h"
#include "base/text.h"

/* The published test vector of SipHash-2-4: key 00..0f, message 00..07. */
static void siphash_is_siphash(void **unused) {
    (void)unused;
    uint64_t key[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
    assert_int_equal(hash_siphash(key, 0x0706050403020100u), 0x93f5f5799a932462u);
}

/* Every bit of every length matters, and so do the length and the start. */
static void hashes_see_every_bit(void **unused) {
    (void)unused;
    uint8_t bytes[101] = {0};
    for (size_t count = 0; count <= 100; count++) {
        uint64_t plain = hash_bytes(7, bytes, count);
        assert_int_not_equal(plain, hash_bytes(8, bytes, count));
        assert_int_not_equal(plain, hash_bytes(7, bytes, count + 1));
        for (size_t bit = 0; bit < 8 * count; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_int_not_equal(plain, hash_bytes(7, bytes, count));
            bytes[bit / 8] = 0;
        }
    }
}

/* Hashes are in files and decide random outcomes: the values are part of the formats. A new value
 * here means that existing files cannot be read any more. */
static void hashes_and_draws_keep_their_values(void **unused) {
    (void)unused;
    uint8_t bytes[75];
    for (uint8_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37 + 11);
    static const struct {
        size_t count;
        uint64_t hash;
    } hashes[] = {{0, 0x1a8b2e5fdf20f1f6u},  {7, 0xd24dfc5ae23f76c8u},  {8, 0x6b8fb4533842ade4u},
                  {31, 0x7fb8473821ef1ebdu}, {32, 0x65f44c43907b0c8du}, {75, 0xe7c05a75731b1003u}};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        assert_int_equal(hash_bytes(5, bytes, hashes[i].count), hashes[i].hash);
    assert_int_equal(hash_number(3, 4), 0x63cbe1e459320dd7u);
    static const uint32_t seeded[] = {571805, 743263, 628807, 548746},
                          sampled[] = {494809, 905215, 886253, 411460};
    MashChance a = chance_seeded((MashSeed){{1, 2}}, 7), b = chance_sampled(7);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(chance_below(&a, 1000000), seeded[i]);
        assert_int_equal(chance_below(&b, 1000000), sampled[i]);
    }
}

static void seeded_chance_depends_on_seed_ply_and_draw_only(void **unused) {
    (void)unused;
    MashSeed seed = {{1, 2}};
    MashChance a = chance_seeded(seed, 7), b = chance_seeded(seed, 7), c = chance_seeded(seed, 8);
    int differences = 0;
    for (int i = 0; i < 100; i++) {
        uint32_t one = chance_below(&a, 1000);
        uint32_t two = chance_below(&b, 1000);
        uint32_t three = chance_below(&c, 1000);
        assert_int_equal(one, two);
        assert_true(one < 1000);
        differences += one != three;
    }
    assert_true(differences > 90);
}

static void seeded_chance_is_uniform(void **unused) {
    (void)unused;
    int counts[6] = {0};
    MashChance chance = chance_seeded((MashSeed){{3, 4}}, 0);
    for (int i = 0; i < 60000; i++)
        counts[chance_below(&chance, 6)]++;
    for (int i = 0; i < 6; i++)
        assert_in_range(counts[i], 9600, 10400);
}

/* Every number is as likely as any other, however many there are: 2^32 is no multiple of 3 * 2^30,
 * and 32 bits would fall on every third number twice as often if all of them were used. */
static void a_large_range_is_uniform_too(void **unused) {
    (void)unused;
    const uint32_t third = (uint32_t)1 << 30;
    uint32_t thirds[3] = {0}, rests[3] = {0};
    MashChance chance = chance_seeded((MashSeed){{5, 6}}, 0);
    for (int i = 0; i < 60000; i++) {
        uint32_t drawn = chance_below(&chance, 3 * third);
        assert_true(drawn < 3 * third);
        thirds[drawn / third]++;
        rests[drawn % 3]++;
    }
    for (int i = 0; i < 3; i++) {
        assert_in_range(thirds[i], 19400, 20600);
        assert_in_range(rests[i], 19400, 20600);
    }
}

static void scripted_chance_must_be_used_up(void **unused) {
    (void)unused;
    uint32_t script[] = {2, 0};
    MashChance chance = chance_scripted(script, 2);
    assert_int_equal(chance_below(&chance, 3), 2);
    assert_false(chance_used_up(&chance));
    assert_int_equal(chance_below(&chance, 1), 0);
    assert_true(chance_used_up(&chance));
    chance_below(&chance, 2);
    assert_false(chance_used_up(&chance));
    MashChance high = chance_scripted(script, 2);
    chance_below(&high, 2);
    assert_false(chance_used_up(&high));
}

static void enumerated_chance_visits_every_outcome_once(void **unused) {
    (void)unused;
    MashWheel wheels[4];
    MashChance chance = chance_enumerated(wheels, 4);
    int seen[3][4] = {{0}}, runs = 0;
    do {
        uint32_t first = chance_below(&chance, 3);
        uint32_t second = first == 1 ? 3 : chance_below(&chance, 2);
        seen[first][second]++;
        runs++;
    } while (chance_next(&chance));
    assert_int_equal(runs, 5);
    assert_int_equal(seen[0][0] + seen[0][1] + seen[1][3] + seen[2][0] + seen[2][1], 5);
}

static void texts_cut_and_say_so(void **unused) {
    (void)unused;
    char memory[8];
    MashText text = text_over(memory, sizeof memory);
    text_format(&text, "%s-%d%c", "ab", -12, 'x');
    assert_string_equal(memory, "ab--12x");
    assert_false(text.truncated);
    text_byte(&text, 'y');
    assert_true(text.truncated);
    assert_string_equal(memory, "ab--12x");
    text_clear(&text);
    text_int(&text, INT64_MIN);
    assert_string_equal(memory, "-922337");
    text_clear(&text);
    text_hex(&text, 0xbeef, 6);
    assert_string_equal(memory, "00beef");
    assert_true(text_equal_nocase("Move H0", "mOVE h0") && !text_equal_nocase("a", "ab") &&
                !text_equal_nocase("ab", "a"));
    assert_true(text_ends_with("a.start.json", ".json") && !text_ends_with("json", ".json"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siphash_is_siphash),
        cmocka_unit_test(hashes_see_every_bit),
        cmocka_unit_test(hashes_and_draws_keep_their_values),
        cmocka_unit_test(seeded_chance_depends_on_seed_ply_and_draw_only),
        cmocka_unit_test(seeded_chance_is_uniform),
        cmocka_unit_test(a_large_range_is_uniform_too),
        cmocka_unit_test(scripted_chance_must_be_used_up),
        cmocka_unit_test(enumerated_chance_visits_every_outcome_once),
        cmocka_unit_test(texts_cut_and_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
