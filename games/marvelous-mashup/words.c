/* words.c -- names, commands of actions and sentences of events. Heroes have a code of four letters
 * that is displayed and typed, and the name of their configuration in sentences. */
#include <string.h>

#include "games/marvelous-mashup/state.h"

const MashEventKind marvelous_events[MARVELOUS_EVENTS] = {
    MASH_EVENT_CHOSEN,        MASH_EVENT_PLACED,        MASH_EVENT_REVEALED,
    MASH_EVENT_MATCH_BEGAN,   MASH_EVENT_ROUND_BEGAN,   MASH_EVENT_TURN_BEGAN,
    MASH_EVENT_TURN_ENDED,    MASH_EVENT_MOVED,         MASH_EVENT_SWAPPED,
    MASH_EVENT_TELEPORTED,    MASH_EVENT_APPEARED,      MASH_EVENT_VANISHED,
    MASH_EVENT_ATTACKED,      MASH_EVENT_HURT,          MASH_EVENT_HEALED,
    MASH_EVENT_DIED,          MASH_EVENT_REVIVED,       MASH_EVENT_USED,
    MASH_EVENT_CHANGED,       MASH_EVENT_GROUND_HURT,   MASH_EVENT_GROUND_CHANGED,
    MASH_EVENT_ITEM_APPEARED, MASH_EVENT_ITEM_TAKEN,    MASH_EVENT_ITEM_DROPPED,
    MASH_EVENT_ITEM_GIVEN,    MASH_EVENT_SPOKE,         MASH_EVENT_ORDER_SET,
    MASH_EVENT_DRAW_OFFERED,  MASH_EVENT_DRAW_DECLINED, MASH_EVENT_OVERTIME_BEGAN,
    MASH_EVENT_MATCH_ENDED};

/* The names of NPCs in commands. */
static const char *const npc_words[] = {"goose", "stan", "thanos"};

void marvelous_name(const MashContent *loaded, const MashTexts *texts, MashNames list,
                    uint8_t index, MashText *text) {
    const MarvelousContent *content = marvelous_content(loaded);
    if (list == MASH_NAME_KIND && index < content->kinds_count)
        text_string(text, texts_translate(texts_of(loaded, texts), content->words[index].name));
    else
        texts_game_name(loaded, texts, list, index, text);
}

const char *marvelous_id(const MashContent *loaded, MashNames list, uint8_t index) {
    const MarvelousContent *content = marvelous_content(loaded);
    if (list == MASH_NAME_KIND && index < content->kinds_count)
        return content->words[index].id;
    return texts_game_id(loaded, list, index);
}

/* Does an earlier kind, or one that is not a character, have the id of this one? */
static bool id_is_taken(const MarvelousContent *content, uint32_t kind) {
    for (uint32_t i = 0; i < kind; i++)
        if (strcmp(content->words[i].id, content->words[kind].id) == 0)
            return true;
    for (uint32_t i = KIND_GOOSE; i < KIND_STONES + STONES; i++)
        if (strcmp(texts_id(&content->texts, MASH_NAME_KIND, (uint8_t)i),
                   content->words[kind].id) == 0)
            return true;
    return false;
}

/* The configuration has no ids, so they come from the names: "Ant-Man" is "ant-man". If that id is
 * not unique, the characterID is appended. */
void marvelous_make_id(MarvelousContent *content, uint32_t kind) {
    KindWords *words = &content->words[kind];
    MashText id = text_over(words->id, sizeof words->id);
    for (const char *at = words->name; *at != '\0'; at++) {
        bool capital = *at >= 'A' && *at <= 'Z';
        if (capital || (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9'))
            text_byte(&id, (char)(capital ? *at - 'A' + 'a' : *at));
        else if (id.count > 0 && id.bytes[id.count - 1] != '-')
            text_byte(&id, '-');
    }
    if (id.count > 0 && id.bytes[id.count - 1] == '-')
        id.bytes[--id.count] = '\0';
    if (id.count == 0)
        text_string(&id, "character");
    while (!id.truncated && id_is_taken(content, kind))
        text_format(&id, "-%u", content->kinds[kind].number);
}

/* The kind of a hero or of one on offer; KIND_HIDDEN: none, or hidden. */
static uint8_t kind_of_unit(const MarvelousState *state, uint8_t unit) {
    if (unit < HEROES)
        return state->phase == PHASE_CHOICE ? KIND_HIDDEN : state->actors[unit].kind;
    if (unit < UNIT_OFFERS || unit >= UNITS || state->phase != PHASE_CHOICE)
        return KIND_HIDDEN;
    return state->offers[(unit - UNIT_OFFERS) / OFFERED][(unit - UNIT_OFFERS) % OFFERED];
}

void marvelous_unit_name(const MashContent *loaded, const void *raw_state, uint8_t unit,
                         MashText *text) {
    uint8_t kind = kind_of_unit(raw_state, unit);
    if (kind != KIND_HIDDEN)
        text_string(text, marvelous_content(loaded)->words[kind].code);
    else if (unit >= UNIT_GOOSE && unit < ACTORS)
        text_string(text, npc_words[unit - UNIT_GOOSE]);
    else if (unit >= UNIT_STONES && unit < UNIT_OFFERS)
        text_string(text, texts_game_id(loaded, MASH_NAME_ITEM, (uint8_t)(unit - UNIT_STONES)));
    else
        text_format(text, "#%u", unit);
}

/* The name of a unit in sentences; nothing for MASH_UNIT_NONE. */
void marvelous_full_name(const MashContent *loaded, const MashTexts *texts, const void *state,
                         uint8_t unit, MashText *text) {
    uint8_t kind = kind_of_unit(state, unit);
    if (unit >= UNIT_GOOSE && unit < UNIT_OFFERS)
        kind = (uint8_t)(KIND_GOOSE + unit - UNIT_GOOSE);
    if (unit >= UNITS)
        return;
    if (kind == KIND_HIDDEN)
        marvelous_unit_name(loaded, state, unit, text);
    else
        marvelous_name(loaded, texts, MASH_NAME_KIND, kind, text);
}
