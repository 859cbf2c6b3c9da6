/* rules.c -- Marvelous Mashup's entry points: set-up, checking and applying actions, the end.
 *
 * The phases of a match have files of their own: draft.c, acts.c, stones.c, turns.c, npc.c. */
#include <string.h>

#include "engine/events.h"
#include "games/marvelous-mashup/state.h"

/* The context for applying an action. */
static TurnContext play_of(const MashContent *loaded, void *state, MashChance *chance,
                           MashEvents *events) {
    const MarvelousContent *content = marvelous_content(loaded);
    return (TurnContext){content, state, figures_of(content, state), chance, events};
}

void marvelous_empty(const MarvelousContent *content, MarvelousState *state) {
    memset(state, 0, state_bytes(content));
    state->common = common_new();
    state->active = MASH_UNIT_NONE;
    for (uint8_t stone = 0; stone < STONES; stone++)
        state->stones[stone].holder = HELD_BY_GOOSE;
    for (uint8_t unit = 0; unit < ACTORS; unit++)
        state->actors[unit].x = OFF_BOARD;
    memcpy(state->cells, content->ground, content->cells_count);
}

/* An empty board and two offers. */
static MashStatus setup(const MashContent *loaded, const MashSetup *wanted, MashChance *chance,
                        void *raw_state) {
    int32_t options[MASH_OPTIONS_MAX];
    MashStatus status = common_options(loaded->game, wanted, options);
    if (status != MASH_OK)
        return status;
    MarvelousState *state = raw_state;
    const MarvelousContent *content = marvelous_content(loaded);
    marvelous_empty(content, state);
    state->rules = (uint8_t)options[0];
    TurnContext play = play_of(loaded, state, chance, NULL);
    marvelous_offer(&play);
    return MASH_OK;
}

static uint32_t awaited(const MashContent *loaded, const void *raw_state) {
    (void)loaded;
    const MarvelousState *state = raw_state;
    if (state->common.over)
        return 0;
    if (state->phase == PHASE_CHOICE)
        return marvelous_choosing(state);
    return 1u << seat_of(state->active);
}

static uint32_t actions(const MashContent *loaded, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    const MarvelousState *state = raw_state;
    if (seat >= MASH_SEATS || !(awaited(loaded, state) >> seat & 1))
        return 0;
    if (state->phase == PHASE_CHOICE)
        return marvelous_list_choose(state, seat, out);
    return marvelous_list_acts(marvelous_content(loaded), state, out);
}

/* --- Checking --------------------------------------------------------------------------------- */

/* The server may declare once, while play continues without Thanos, that time is up [11.3]. */
static MashStatus check_overtime(const MarvelousState *state, MashAction action) {
    MashAction bare = {.verb = MASH_VERB_OVERTIME, .seat = MASH_SEAT_SERVER};
    if (state->common.over)
        return MASH_MATCH_OVER;
    if (action.seat != MASH_SEAT_SERVER)
        return MASH_ONLY_THE_SERVER;
    if (mash_action_compare(action, bare) != 0)
        return MASH_NO_SUCH_ACTION;
    return state->phase == PHASE_PLAY && !state->overtime ? MASH_OK : MASH_NOT_NOW;
}

/* Only the unit whose turn it is may act. */
static MashStatus check_unit(const MarvelousState *state, MashAction action) {
    if (action.unit == state->active)
        return MASH_OK;
    if (action.unit >= HEROES)
        return MASH_NO_SUCH_UNIT;
    if (seat_of(action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    return on_board(state, action.unit) ? MASH_UNIT_BUSY : MASH_UNIT_OUT;
}

static MashStatus check(const MashContent *loaded, const void *raw_state, MashAction action) {
    const MarvelousState *state = raw_state;
    if (action.verb == MASH_VERB_OVERTIME)
        return check_overtime(state, action);
    MashStatus status = common_check(&state->common, awaited(loaded, state), VERBS, action);
    if (status != MASH_OK || common_has_verb(action.verb))
        return status;
    if ((action.verb == VERB_CHOOSE) != (state->phase == PHASE_CHOICE))
        return MASH_NOT_NOW;
    if (action.verb == VERB_CHOOSE)
        return marvelous_check_choose(state, action);
    status = check_unit(state, action);
    if (status != MASH_OK)
        return status;
    bool with_stone = action.verb == VERB_USE || action.verb == VERB_GIVE;
    if (action.other != 0 || action.amount != 0 || (!with_stone && action.ability != 0))
        return MASH_NO_SUCH_ACTION;
    return marvelous_check_act(marvelous_content(loaded), state, action);
}

/* --- Applying --------------------------------------------------------------------------------- */

/* All six stones in one hand [12.1]: then the first of them is in that hand. */
static void check_six(const TurnContext *play) {
    MarvelousState *state = play->state;
    uint8_t holder = state->stones[0].holder;
    if (holder < HEROES && state->actors[holder].stones == ALL_STONES)
        common_end(&state->common, seat_of(holder), REASON_SIX_STONES, play->events);
}

/* Every game's verbs [12.6]; running out of time ends a turn [5.6], but loses the match during the
 * draft [4.4]. */
static void apply_table(const TurnContext *play, MashAction action) {
    MarvelousState *state = play->state;
    if (action.verb == MASH_VERB_OVERTIME) {
        state->overtime = 1;
        event_add(play->events,
                  event_new(MASH_EVENT_OVERTIME_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE));
    } else if (action.verb == MASH_VERB_TIME_OVER && state->phase != PHASE_CHOICE) {
        marvelous_end_turn(play);
    } else {
        common_apply(&state->common, action, play->events);
    }
}

/* During the draft a draw offer does not lapse with a choice: that would reveal the choice
 * [4.3]. */
static void apply_listed(const MashContent *loaded, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    MarvelousState *state = raw_state;
    TurnContext play = play_of(loaded, state, chance, events);
    if (common_has_verb(action.verb)) {
        apply_table(&play, action);
        return;
    }
    if (action.verb == VERB_CHOOSE) {
        if (marvelous_choose(&play, action)) {
            state->phase = PHASE_PLAY;
            event_add(events, event_new(MASH_EVENT_MATCH_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE));
            marvelous_next_turn(&play);
        }
        return;
    }
    common_after_move(&state->common, action.seat, events);
    marvelous_act(&play, action);
    if (!state->common.over)
        check_six(&play);
}

/* --- The game --------------------------------------------------------------------------------- */

static const MashOption options[] = {
    {"rules",
     "Rules 0: standard, 1: grim (stones may be passed to enemies; Thanos snaps until nobody is "
     "left)",
     RULES_SPEC, RULES_CUSTOMER, RULES_SPEC},
};

/* Boards with the project's own heroes, and the unchanged starter kit. */
#define HEROES_ON(id, title, board)                                                                \
    {                                                                                              \
        id, title, { "heroes.character.json", "standard.game.json", board, "english.texts.json" }  \
    }
static const MashPreset presets[] = {
    HEROES_ON("wakanda", "Wakanda, 10 x 10, two portals", "wakanda.scenario.json"),
    {"quick",
     "Wakanda, Thanos arrives in round 10",
     {"heroes.character.json", "quick.game.json", "wakanda.scenario.json", "english.texts.json"}},
    {"starter-kit",
     "Asgard with the starter kit's heroes, 7 x 6",
     {"starter-kit.character.json", "standard.game.json", "asgard.scenario.json",
      "english.texts.json"}},
    HEROES_ON("sanctum", "Sanctum, 5 x 5", "sanctum.scenario.json"),
    HEROES_ON("asgard-portals", "Asgard, 7 x 6, three portals", "asgard-portals.scenario.json"),
    HEROES_ON("darkdimension", "Dark Dimension, 5 x 12", "darkdimension.scenario.json"),
    HEROES_ON("darkdimension-portals", "Dark Dimension, 5 x 12, three portals",
              "darkdimension-portals.scenario.json"),
    HEROES_ON("avengerstower", "Avengers Tower, 5 x 18", "avengerstower.scenario.json"),
    HEROES_ON("avengerstower-portals", "Avengers Tower, 5 x 18, four portals",
              "avengerstower-portals.scenario.json"),
    HEROES_ON("knowhere", "Knowhere, 12 x 16, two portals", "knowhere.scenario.json"),
    HEROES_ON("sakaar", "Sakaar, 20 x 20, eight portals", "sakaar.scenario.json"),
    HEROES_ON("savage-land", "Savage Land, 32 x 32, six portals", "savage-land.scenario.json"),
};

const MashGame marvelous_mashup_game = {
    GAME_ENTRIES(marvelous, "marvelous-mashup", "Marvelous Mashup", MarvelousContent, FIGURES),
    .threat = marvelous_threat,
    .verb_forms = "choose {unit}|move {unit} {cell}|melee {unit} {cell}|ranged {unit} {cell}|"
                  "use {unit} {item} {cell}|give {unit} {item} {cell}|end {unit}",
    MASH_LIST(options),
    GAME_HIDES(marvelous),
    GAME_NAMES(marvelous),
    .notation = notation_write,
    .generators = marvelous_generators,
    .generators_count = GENERATORS,
};
