/* test_names.c -- names of accounts: which are allowed, which look alike, which are reserved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/utf8.h"
#include "server/names.h"

static void assert_alike(const char *one, const char *other) {
    char a[NAME_FOLDED_BYTES], b[NAME_FOLDED_BYTES];
    assert_true(name_fold(one, a) && name_fold(other, b));
    assert_string_equal(a, b);
}

static void assert_name(const char *name, Refusal wanted) {
    char folded[NAME_FOLDED_BYTES];
    Refusal refusal = name_check(name, folded);
    if (refusal != wanted)
        fail_msg("%s: %s", name, refusal < REFUSAL_COUNT ? refusal_code(refusal) : "allowed");
}

static void names_that_look_alike_are_one(void **unused) {
    (void)unused;
    char a[NAME_FOLDED_BYTES], b[NAME_FOLDED_BYTES];
    assert_alike("Ann", "ANN");
    assert_alike("Ann Lee", "ann_l.e-e");
    assert_alike("paypal", "PayPa1");
    assert_alike("Bill", "BiIl");
    assert_alike("O0o", "ooo");
    assert_alike("M\xc3\xbcller", "Muller");
    assert_alike("\xef\xbc\xa1nn", "Ann");           /* a wide A */
    assert_alike("\xd1\x81\xd0\xbe\xd0\xbe", "coo"); /* Cyrillic */
    assert_alike("\xd0\xa1\xd0\x9e\xd0\x9e", "COO");
    assert_alike("\xce\x91\xce\x92\xce\x95", "abe"); /* Greek */
    assert_alike("\xce\xb1\xce\xb2\xce\xb5", "ABE");
    assert_alike("corn", "com");
    assert_alike("vvin", "win");
    assert_alike("\xe3\x81\x82\xe3\x81\x84", "\xe3\x81\x82\xe3\x81\x84");
    assert_alike("\u30ed\u30fc\u30eb", "\u53e3\u30fc\u30eb"); /* a katakana, a kanji */
    assert_alike("\u307a\u3078\u3079", "\u30da\u30d8\u30d9");
    assert_alike("\u4e09\u4e8c\u516b\u529b\u5343\u535c\u56d7\u5915\u5de5",
                 "\u30df\u30cb\u30cf\u30ab\u30c1\u30c8\u30ed\u30bf\u30a8");
    assert_true(name_fold("Ann", a) && name_fold("Anna", b));
    assert_string_not_equal(a, b);
}

static void names_are_allowed_or_not(void **unused) {
    (void)unused;
    assert_name("Ann", REFUSAL_COUNT);
    assert_name("Ann-Marie O'Neill", REFUSAL_COUNT);
    assert_name("\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd", REFUSAL_COUNT);
    assert_name("\xce\x9d\xce\xaf\xce\xba\xce\xbf\xcf\x82", REFUSAL_COUNT);
    assert_name("\xe3\x81\x82\xe3\x81\x84", REFUSAL_COUNT);
    assert_name("007", REFUSAL_COUNT);
    assert_name("A", REFUSAL_BAD_NAME);
    assert_name("abcdefghijklmnopqrstu", REFUSAL_BAD_NAME);
    assert_name("Ann ", REFUSAL_BAD_NAME);
    assert_name("-Ann", REFUSAL_BAD_NAME);
    assert_name("An--n", REFUSAL_BAD_NAME);
    assert_name("Ann!", REFUSAL_BAD_NAME);
    assert_name("\xf0\x9f\x98\x80\xf0\x9f\x98\x80", REFUSAL_BAD_NAME);
    assert_name("P\xd0\xb0ul", REFUSAL_BAD_NAME); /* a Cyrillic a among Latin letters */
    assert_name("Admin", REFUSAL_NAME_RESERVED);
    assert_name("adm1n", REFUSAL_NAME_RESERVED);
    assert_name("Computer 5", REFUSAL_NAME_RESERVED);
    assert_name("deleted player", REFUSAL_NAME_RESERVED);
    assert_name("M\xc3\xa4shup", REFUSAL_NAME_RESERVED);
    assert_name("Computa", REFUSAL_COUNT);
}

/* Appends the runs of code points from `first` to `last` of which two make a name. */
static void write_allowed(uint32_t first, uint32_t last, MashText *text) {
    bool before = false;
    for (uint32_t code = first; code <= last + 1; code++) {
        char name[9], folded[NAME_FOLDED_BYTES];
        uint32_t length = utf8_encode(code, name);
        memcpy(name + length, name, length);
        name[2 * length] = '\0';
        bool allowed = code <= last && name_check(name, folded) == REFUSAL_COUNT;
        if (allowed != before)
            text_hex(text, before ? code - 1 : code, 4);
        if (allowed != before)
            text_byte(text, before ? ' ' : '-');
        before = allowed;
    }
}

/* What each code point from `first` to `last` looks like. */
static void assert_looks(uint32_t first, uint32_t last, const char *looks) {
    char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t code = first; code <= last; code++) {
        char name[5], folded[NAME_FOLDED_BYTES];
        name[utf8_encode(code, name)] = '\0';
        text_string(&text, name_fold(name, folded) ? folded : "");
    }
    assert_string_equal(memory, looks);
}

static void every_letter_is_judged(void **unused) {
    (void)unused;
    static const uint32_t ranges[][2] = {{0x20, 0x4ff},    {0x3000, 0x30ff}, {0x4df0, 0x4e0f},
                                         {0x9ff0, 0xa00f}, {0xabf0, 0xac0f}, {0xd790, 0xd7af},
                                         {0xff00, 0xff6f}};
    char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        write_allowed(ranges[i][0], ranges[i][1], &text);
    assert_string_equal(memory, "0030-0039 0041-005a 0061-007a 00c0-00d6 00d8-00f6 00f8-017f "
                                "0386-0386 0388-03ce 0400-045f 3041-3096 30a1-30fa 4e00-4e0f "
                                "9ff0-9fff ac00-ac0f d790-d7a3 ff10-ff19 ff21-ff3a ff41-ff5a ");
    assert_looks('0', '9', "ol23456789");
    assert_looks('A', 'Z', "abcdefghllklmnopqrstuvwxyz");
    assert_looks('a', '|', "abcdefghllklmnopqrstuvwxyz{l");
    assert_looks(0xff10, 0xff19, "ol23456789");
    assert_looks(0xff21, 0xff5e, "abcdefghllklmnopqrstuvwxyz[\\]^`abcdefghllklmnopqrstuvwxyz{l}~");
    assert_looks(0xc0, 0xff,
                 "aaaaaaaceeeelllldnooooo\u00d7ouuuuyps"
                 "aaaaaaaceeeelllldnooooo\u00f7ouuuuypy");
    assert_looks(0x386, 0x3ce,
                 "a\u0387ehl\u038bo\u038dyw\u0390abyδezhθlkλmnξoπpςotyφxψwly"
                 "aehlyabyδezhθlkλmnξoπpootyφxψwlyoyw");
    assert_looks(0x400, 0x45f,
                 "eehreslllљњhkuyџaбbrдeжeuukлmhonpctyфxцчшщbыbэюя"
                 "aбbrдeжeuukлmhonpctyфxцчшщbыbэюяeehreslllљњhkuyџ");
    assert_name("abcdefghklmnopqrstuv", REFUSAL_COUNT);
    assert_name("ab", REFUSAL_COUNT);
    assert_name("\u03b1\u0430", REFUSAL_BAD_NAME); /* Greek and Cyrillic */
    assert_name("\u3042a", REFUSAL_BAD_NAME);
    assert_name("B\u4e28ll", REFUSAL_BAD_NAME); /* a Chinese stroke for an i */
    assert_name("\u30b1\u30f3\u592a\u90ce 7", REFUSAL_COUNT);
    assert_name("a\u3042\u03b1", REFUSAL_BAD_NAME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_look_alike_are_one),
        cmocka_unit_test(names_are_allowed_or_not),
        cmocka_unit_test(every_letter_is_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
