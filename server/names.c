/* names.c -- see names.h. The tables hold what people confuse in practice: Latin letters with
 * marks, those of Greek and Cyrillic that look like Latin ones, and what Japanese has twice. */
#include "server/names.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

enum { LETTERS_LEAST = 2, LETTERS_MOST = 20 };

/* Scripts: letters of two of them in one name are refused. Kanji, kana and Hangul are written
 * together; among Latin letters some of them pass for others, such as U+4E28 for l. */
typedef enum NameScript {
    SCRIPT_LATIN,
    SCRIPT_GREEK,
    SCRIPT_CYRILLIC,
    SCRIPT_EAST,
    SCRIPT_DIGITS
} NameScript;

/* Code points from `first` on, and what each looks like; '?' stands for itself. */
typedef struct LookAlikes {
    uint32_t first;
    const char *looks;
} LookAlikes;
static const LookAlikes look_alikes[] = {
    {0xC0, "aaaaaaaceeeeiiiidnooooo?ouuuuypsaaaaaaaceeeeiiiidnooooo?ouuuuypy"},
    {0x100, "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllllllln"
            "nnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"},
    {0x386, "a"},
    {0x388, "ehi"},
    {0x38C, "o"},
    {0x38E, "yw"},
    {0x391, "aby?ezh?ik?mn?o?p?oty?x?wiyaehiyaby?ezh?ik?mn?o?pooty?x?wiyoyw"},
    {0x400, "eehresiij??hkuy?a?br?e?euuk?mhonpcty?x????b?b???a?br?e?euuk?mhonpcty"
            "?x????b?b???eehresiij??hkuy?"},
};

/* Kanji and hiragana, and the katakana that each looks like. */
static const uint16_t twins[][2] = {
    {0x3078, 0x30D8}, {0x3079, 0x30D9}, {0x307A, 0x30DA}, {0x4E09, 0x30DF}, {0x4E8C, 0x30CB},
    {0x516B, 0x30CF}, {0x529B, 0x30AB}, {0x5343, 0x30C1}, {0x535C, 0x30C8}, {0x53E3, 0x30ED},
    {0x56D7, 0x30ED}, {0x5915, 0x30BF}, {0x5DE5, 0x30A8}};

/* Letters that fold further: i and 1 look like l, 0 like o, and so on. */
static char folded_ascii(uint32_t code) {
    if (code >= 'A' && code <= 'Z')
        code += 32;
    return code == 'i' || code == '1' || code == '|' || code == 'j' ? 'l'
           : code == '0'                                            ? 'o'
                                                                    : (char)code;
}

/* What a code point looks like: an ASCII letter or digit, or itself in lower case. */
static uint32_t look_of(uint32_t code) {
    if (code >= 0xFF01 && code <= 0xFF5E) /* of full width */
        code -= 0xFEE0;
    for (uint32_t i = 0; i < sizeof look_alikes / sizeof *look_alikes; i++) {
        const LookAlikes *range = &look_alikes[i];
        if (code >= range->first && code - range->first < strlen(range->looks) &&
            range->looks[code - range->first] != '?')
            return (uint32_t)range->looks[code - range->first];
    }
    for (uint32_t i = 0; i < sizeof twins / sizeof *twins; i++)
        if (code == twins[i][0])
            return twins[i][1];
    if ((code >= 0x391 && code <= 0x3A9) || (code >= 0x410 && code <= 0x42F))
        return code + 32;
    if (code >= 0x400 && code <= 0x40F)
        return code + 80;
    return code;
}

/* Is it a sign that may stand between letters? */
static bool is_sign(uint32_t code) {
    return code == ' ' || code == '-' || code == '_' || code == '.' || code == '\'';
}

/* The script of a letter or digit; false: it is neither, or of a script that names do not have. */
static bool script_of(uint32_t code, NameScript *script) {
    bool digit = (code >= '0' && code <= '9') || (code >= 0xFF10 && code <= 0xFF19);
    bool latin = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
                 (code >= 0xC0 && code <= 0x17F && code != 0xD7 && code != 0xF7) ||
                 (code >= 0xFF21 && code <= 0xFF3A) || (code >= 0xFF41 && code <= 0xFF5A);
    bool greek = code >= 0x386 && code <= 0x3CE && code != 0x387;
    bool cyrillic = code >= 0x400 && code <= 0x45F;
    bool east = (code >= 0x3041 && code <= 0x3096) || (code >= 0x30A1 && code <= 0x30FA) ||
                (code >= 0x4E00 && code <= 0x9FFF) || (code >= 0xAC00 && code <= 0xD7A3);
    *script = latin      ? SCRIPT_LATIN
              : greek    ? SCRIPT_GREEK
              : cyrillic ? SCRIPT_CYRILLIC
              : east     ? SCRIPT_EAST
                         : SCRIPT_DIGITS;
    return digit || latin || greek || cyrillic || east;
}

/* Replaces pairs that look like one letter: rn like m, vv like w. */
static void fold_pairs(char *folded) {
    char *to = folded;
    for (const char *from = folded; *from != '\0'; from++) {
        if ((from[0] == 'r' && from[1] == 'n') || (from[0] == 'v' && from[1] == 'v'))
            *to++ = *from++ == 'r' ? 'm' : 'w';
        else
            *to++ = *from;
    }
    *to = '\0';
}

bool name_fold(const char *name, char folded[NAME_FOLDED_BYTES]) {
    MashText text = text_over(folded, NAME_FOLDED_BYTES);
    uint32_t count = (uint32_t)strlen(name);
    for (uint32_t i = 0, length; i < count; i += length) {
        length = utf8_length(name + i, count - i);
        if (length == 0)
            return false;
        uint32_t code = look_of(utf8_decode(name + i, length));
        char bytes[4];
        if (is_sign(code))
            continue;
        if (code < 0x80)
            text_byte(&text, folded_ascii(code));
        else
            text_bytes(&text, bytes, utf8_encode(code, bytes));
    }
    fold_pairs(folded);
    return folded[0] != '\0' && !text.truncated;
}

/* Names that the server or its people speak under; those that end in '*' also as a beginning. */
static bool is_reserved(const char *folded) {
    static const char *const names[] = {
        "admin*",    "administrator", "moderator*", "mod",      "operator",  "host",     "server",
        "system",    "mashup*",       "computer*",  "guest*",   "anonymous", "deleted*", "player",
        "spectator", "watcher",       "bot",        "robot",    "staff",     "support",  "official",
        "root",      "nobody",        "everyone",   "somebody", "gast",      "unknown",  "null"};
    char own[NAME_FOLDED_BYTES];
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        bool begins = names[i][length - 1] == '*';
        name_fold(names[i], own);
        if (begins)
            own[strlen(own) - 1] = '\0';
        if (begins ? strncmp(folded, own, strlen(own)) == 0 : strcmp(folded, own) == 0)
            return true;
    }
    return false;
}

Refusal name_check(const char *name, char folded[NAME_FOLDED_BYTES]) {
    uint32_t count = (uint32_t)strlen(name), letters = 0, scripts = 0;
    bool after_sign = true;
    for (uint32_t i = 0, length; i < count; i += length) {
        length = utf8_length(name + i, count - i);
        uint32_t code = length == 0 ? 0 : utf8_decode(name + i, length);
        NameScript script;
        bool letter = length > 0 && script_of(code, &script);
        if (!letter && (!is_sign(code) || after_sign))
            return REFUSAL_BAD_NAME;
        after_sign = !letter;
        if (letter && script != SCRIPT_DIGITS)
            scripts |= 1u << script;
        letters += letter;
    }
    if (letters < LETTERS_LEAST || letters > LETTERS_MOST || after_sign ||
        (scripts & (scripts - 1)) != 0 || !name_fold(name, folded))
        return REFUSAL_BAD_NAME;
    return is_reserved(folded) ? REFUSAL_NAME_RESERVED : REFUSAL_COUNT;
}
