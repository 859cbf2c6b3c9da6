/* descriptions.c -- see descriptions.h. */
#include "tests/support/descriptions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/support.h"

const char *description(const MashContent *content, MashNames list, uint8_t index) {
    static char bytes[1024];
    MashText text = text_over(bytes, sizeof bytes);
    content->game->describe(content, NULL, list, index, &text);
    assert_false(text.truncated);
    assert_null(strpbrk(bytes, "{}[]"));
    return bytes;
}

void description_has(const char *words, int32_t number, const char *what) {
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    size_t count = strlen(digits);
    for (const char *at = strstr(words, digits); at != NULL; at = strstr(at + 1, digits))
        if ((at == words || at[-1] < '0' || at[-1] > '9') && (at[count] < '0' || at[count] > '9'))
            return;
    fail_msg("\"%s\" does not have %s %d", words, what, number);
}

/* Everything that has a name is described, and nothing else. */
static void are_complete(const MashContent *content) {
    static const MashNames lists[] = {MASH_NAME_KIND, MASH_NAME_ABILITY, MASH_NAME_ITEM,
                                      MASH_NAME_EFFECT};
    for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (int index = 0; index <= UINT8_MAX; index++) {
            char bytes[256];
            MashText name = text_over(bytes, sizeof bytes);
            content->game->name(content, NULL, lists[i], (uint8_t)index, &name);
            bool described = description(content, lists[i], (uint8_t)index)[0] != '\0';
            if (described != (name.count > 0))
                fail_msg("list %d, number %d (%s) has %s description", (int)lists[i], index, bytes,
                         described ? "a" : "no");
        }
}

void descriptions_check(const MashGame *game, void (*check)(const MashContent *)) {
    static const char *const languages[] = {"english.texts.json", "german.texts.json"};
    for (uint32_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        MashContent *content =
            support_content_with(game, NULL, mash_document_shipped(game, languages[i]));
        are_complete(content);
        check(content);
        support_free(content);
    }
}
