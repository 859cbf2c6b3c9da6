/* words.c -- display and texts: the board, names, commands of actions, sentences of events,
 * statistics of the end screen. */
#include <string.h>

#include "engine/board.h"
#include "games/ultimate-war/state.h"

static const char *const direction_words[DIRECTIONS] = {"up", "right", "down", "left"};

/* --- The board to draw ------------------------------------------------------------------------ */

/* A value that is shown as a word: `trait` of those from `first` on. */
static void put_trait(MashBoard *board, uint8_t unit, uint8_t what, uint8_t first, uint8_t trait) {
    meter_about_set(board_meter(board, unit, what, MASH_ROLE_TRAIT, 1 << trait, 0), MASH_NAME_TRAIT,
                    first);
}

/* What is shown of one ability: its cooldown, and its amount unless it gives an effect. */
static void put_power(const WarContent *content, const Champion *champion, uint8_t unit,
                      uint8_t number, uint8_t which, MashBoard *board) {
    AbilityNow power = ultimate_war_ability_now(content, champion, number, which);
    meter_about(board_meter(board, unit, METER_COOLDOWN, MASH_ROLE_COOLDOWN, power.cooldown,
                            power.ability->cooldown),
                MASH_NAME_ABILITY, number);
    if (power.ability->effect_kind != ABILITY_EFFECT_EFFECT)
        meter_about(board_meter(board, unit, METER_AMOUNT, MASH_ROLE_AMOUNT, power.amount, 0),
                    MASH_NAME_ABILITY, number);
}

/* All meters of a champion who is in play. */
static void put_meters(const WarContent *content, const Champion *champion, uint8_t unit,
                       MashBoard *board) {
    const WarKind *kind = kind_of(content, champion);
    int points_turn = champion->points_turn < 0 ? 0 : champion->points_turn;
    board_meter(board, unit, METER_HEALTH, MASH_ROLE_HEALTH, champion->health, kind->health);
    put_trait(board, unit, METER_TYPE, TRAIT_TYPE, kind->type);
    board_meter(board, unit, METER_MANA, MASH_ROLE_POINTS, champion->mana, 0);
    board_meter(board, unit, METER_POINTS, MASH_ROLE_POINTS, champion->points, points_turn);
    board_meter(board, unit, METER_SPEED, MASH_ROLE_NUMBER, champion->speed, 0);
    board_meter(board, unit, METER_DAMAGE, MASH_ROLE_NUMBER, champion->damage, 0);
    board_meter(board, unit, METER_RANGE, MASH_ROLE_NUMBER, kind->range, 0);
    if (champion->cell != CELL_NONE)
        put_trait(board, unit, METER_CONDITION, TRAIT_CONDITION, ultimate_war_condition(champion));
    for (uint8_t slot = 0; slot < SLOTS; slot++)
        put_power(content, champion, unit, (uint8_t)(ABILITY_KINDS + SLOTS * champion->kind + slot),
                  0, board);
    for (uint8_t i = 0; i < champion->punches_count; i++)
        put_power(content, champion, unit, ABILITY_PUNCH, i, board);
    for (uint8_t i = 0; i < champion->effects_count; i++)
        meter_about(
            board_meter(board, unit, METER_EFFECT, MASH_ROLE_EFFECT, champion->effects[i] & 15, 0),
            MASH_NAME_EFFECT, champion->effects[i] >> 4);
}

/* The meters of a champion who is knocked out. */
static void put_remains(const WarContent *content, const Champion *champion, uint8_t unit,
                        MashBoard *board) {
    const WarKind *kind = kind_of(content, champion);
    board_meter(board, unit, METER_HEALTH, MASH_ROLE_HEALTH, 0, kind->health);
    put_trait(board, unit, METER_TYPE, TRAIT_TYPE, kind->type);
    put_trait(board, unit, METER_CONDITION, TRAIT_CONDITION, CONDITION_OUT);
}

/* Is his turn of this round still to come? */
static bool queued(const WarState *state, uint8_t unit) {
    return memchr(state->queue, unit, state->queue_count) != NULL;
}

/* A champion that was picked, as a token with its meters; of one who is knocked out, only health,
 * type and condition. */
static void show_unit(const WarContent *content, const WarState *state, uint8_t unit,
                      MashBoard *board) {
    const Champion *champion = &state->champions[unit];
    if (champion->kind == KIND_NONE)
        return;
    MashToken token = {
        .unit = unit, .kind = champion->kind, .seat = seat_of(unit), .place = MASH_ON_BENCH};
    if (champion->cell != CELL_NONE) {
        token.place = MASH_ON_BOARD;
        token.x = column_of(champion->cell);
        token.y = row_of(champion->cell);
        token.flags = queued(state, unit) ? 0 : MASH_TOKEN_DONE;
    } else if (state->phase == PHASE_PLAY) {
        token.place = MASH_GONE;
    } else {
        token.flags = MASH_TOKEN_CHOSEN;
    }
    board->tokens[board->tokens_count++] = token;
    if (token.place == MASH_GONE)
        put_remains(content, champion, unit, board);
    else
        put_meters(content, champion, unit, board);
    if (state->leaders[seat_of(unit)] == unit)
        board_meter(board, unit, METER_LEADER, MASH_ROLE_LEADER, 1, 1);
}

/* Champions that can still be picked, as they would start. */
static void show_roster(const WarContent *content, const WarState *state, MashBoard *board) {
    if (state->phase != PHASE_PICK)
        return;
    for (uint8_t kind = 0; kind < content->kinds_count; kind++) {
        if (ultimate_war_picked(state, kind))
            continue;
        uint8_t unit = (uint8_t)(UNITS + kind);
        Champion start = ultimate_war_recruit(content, kind);
        board->tokens[board->tokens_count++] =
            (MashToken){.unit = unit, .kind = kind, .seat = MASH_SEAT_NONE, .place = MASH_ON_BENCH};
        put_meters(content, &start, unit, board);
    }
}

/* Covers are ground with health [1.1]. */
static void show_ground(const WarState *state, MashBoard *board) {
    for (uint8_t cell = 0; cell < CELLS; cell++) {
        int place = row_of(cell) * SIDE + column_of(cell);
        board->ground[place] = (state->covers >> cell & 1) != 0 ? GROUND_COVER : GROUND_FLOOR;
        board->ground_health[place] = state->cover_health[cell];
    }
}

/* The queue in play; before it, the seat that chooses and then the other. */
static void show_order(const WarState *state, MashBoard *board) {
    if (state->common.over)
        return;
    if (state->phase == PHASE_PLAY) {
        board->active = state->queue[0];
        board->order_count = state->queue_count;
        memcpy(board->order, state->queue, state->queue_count);
        return;
    }
    uint8_t seat = state->phase == PHASE_PICK ? state->picks % MASH_SEATS
                                              : state->leaders[0] != MASH_UNIT_NONE;
    board->order[board->order_count++] = (uint8_t)(MASH_UNIT_SIDE + seat);
    board->order[board->order_count++] = (uint8_t)(MASH_UNIT_SIDE + opponent(seat));
}

void ultimate_war_show(const MashContent *loaded, const void *raw_state, MashBoard *board) {
    const WarContent *content = war_content(loaded);
    const WarState *state = raw_state;
    board_clear(board);
    board->phase = state->common.over ? PHASE_OVER : state->phase;
    show_ground(state, board);
    show_order(state, board);
    for (uint8_t unit = 0; unit < UNITS; unit++)
        show_unit(content, state, unit, board);
    show_roster(content, state, board);
    if (state->phase != PHASE_PLAY)
        return;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        board_meter(board, (uint8_t)(MASH_UNIT_SIDE + seat), METER_COMMAND, MASH_ROLE_USABLE,
                    (state->commands >> seat & 1) == 0, 1);
    board_meter(board, MASH_UNIT_NONE, METER_ROUND, MASH_ROLE_ROUND, state->round, ROUNDS);
}

/* --- Words ------------------------------------------------------------------------------------ */

/* The ability with this number, or NULL if the content does not name it. */
static const Ability *ability_numbered(const WarContent *content, uint8_t number) {
    if (number == ABILITY_PUNCH)
        return &content->punch;
    uint32_t index = (uint32_t)number - ABILITY_KINDS;
    if (number < ABILITY_KINDS || index >= SLOTS * content->kinds_count)
        return NULL;
    return &content->kinds[index / SLOTS].abilities[index % SLOTS];
}

void ultimate_war_name(const MashContent *loaded, const MashTexts *texts, MashNames list,
                       uint8_t index, MashText *text) {
    const WarContent *content = war_content(loaded);
    if (list == MASH_NAME_KIND) {
        if (index < content->kinds_count)
            text_string(text, texts_translate(texts_of(loaded, texts), content->kinds[index].name));
    } else if (list == MASH_NAME_ABILITY && index >= ABILITY_PUNCH) {
        const Ability *ability = ability_numbered(content, index);
        if (ability != NULL)
            text_string(text, texts_translate(texts_of(loaded, texts), ability->name));
    } else {
        texts_game_name(loaded, texts, list, index, text);
    }
}

const char *ultimate_war_id(const MashContent *loaded, MashNames list, uint8_t index) {
    const WarContent *content = war_content(loaded);
    if (list == MASH_NAME_KIND)
        return index < content->kinds_count ? content->kinds[index].id : NULL;
    if (list != MASH_NAME_ABILITY || index < ABILITY_PUNCH)
        return texts_game_id(loaded, list, index);
    const Ability *ability = ability_numbered(content, index);
    return ability == NULL ? NULL : ability->id;
}

/* A champion's short name, in the match or on the roster; "a1" to "b3" for those yet to be picked.
 */
void ultimate_war_unit_name(const MashContent *loaded, const void *raw_state, uint8_t unit,
                            MashText *text) {
    const WarContent *content = war_content(loaded);
    const WarState *state = raw_state;
    uint32_t kind = unit < UNITS ? state->champions[unit].kind : (uint32_t)unit - UNITS;
    if (kind < content->kinds_count)
        text_string(text, content->kinds[kind].brief);
    else if (unit < UNITS)
        text_format(text, "%c%d", seat_of(unit) == 0 ? 'a' : 'b', unit % TEAM + 1);
}

/* "shield-throw up", "mjollnir-throw 3 4", "punch-2 3 4" */
static void word_cast(const WarContent *content, MashAction action, MashText *text) {
    const Ability *ability = ability_numbered(content, action.ability);
    if (ability == NULL)
        return;
    text_format(text, " %s", ability->id);
    if (action.other > 0)
        text_format(text, "-%u", action.other + 1u);
    if (ability->area == AREA_SINGLE)
        text_format(text, " %d %d", action.x, action.y);
    if (ability->area == AREA_DIRECTIONAL && action.amount < DIRECTIONS)
        text_format(text, " %s", direction_words[action.amount]);
}

/* "move thor 3 4", "attack thor up", "cast thor mjollnir-throw 3 4" */
void ultimate_war_word(const MashContent *loaded, const void *raw_state, MashAction action,
                       MashText *text) {
    notation_write(loaded, raw_state, action, text);
    if (action.verb == VERB_CAST)
        word_cast(war_content(loaded), action, text);
}

/* --- Sentences -------------------------------------------------------------------------------- */

/* A lost turn names the effect that caused it. */
MashNames ultimate_war_what_list(const MashEvent *event) {
    bool lost = event->kind == MASH_EVENT_TURN_ENDED && event->what != 0;
    return lost ? MASH_NAME_EFFECT : MASH_NAME_NONE;
}

/* The champion's full name; nothing for no unit. */
void ultimate_war_full_name(const MashContent *loaded, const MashTexts *texts,
                            const void *raw_state, uint8_t unit, MashText *text) {
    const WarState *state = raw_state;
    if (unit < UNITS && state->champions[unit].kind != KIND_NONE)
        ultimate_war_name(loaded, texts, MASH_NAME_KIND, state->champions[unit].kind, text);
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* [9.4] */
int32_t ultimate_war_figure(const MashContent *loaded, const void *raw_state, uint8_t unit,
                            uint8_t figure) {
#define AT(member) FIGURE_PLACE(WarFigures, member)
    static const FigurePlace places[FIGURES] = {AT(damage), AT(healing), AT(knock_outs),
                                                AT(steps),  AT(casts),   AT(turns)};
#undef AT
    (void)loaded;
    const WarState *state = raw_state;
    int32_t found =
        game_figure(places, FIGURES, figure, state->figures, sizeof *state->figures, UNITS, unit);
    return found > VALUE_MOST ? VALUE_MOST : found;
}
