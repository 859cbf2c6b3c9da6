/* game.c -- see game.h: which matches are played, and the course of one match. */
#include "tests/universal/game.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "match/simulate.h"
#include "tests/support/support.h"
#include "tests/universal/trial.h"

enum {
    CELLS_USUAL = 400,        /* larger boards get fewer matches */
    PRESET_MATCHES = 1000000, /* matches of preset i are numbered from i times this on */
    SHOW_EVERY = 8,
    WORD_LIST_MAX = 200, /* the notation of longer lists is checked less often */
    WORLD_ONCE_IN = 32,  /* hidden information: often in the first states, then now and then */
    WORLD_EARLY = 4,
    TABLE_ONCE_IN = 64,
    SPOKEN_ONCE_IN = 4, /* matches in which verbs of every game are really used */
    VALUES_MAX = 16,    /* of one option that are tried in turn */
};

/* --- One match -------------------------------------------------------------------------------- */

/* A verb of every game for a match that continues: mostly draw offers and answers. */
static MashAction spoken(Trial *trial) {
    uint8_t seat = (uint8_t)trial_draw(trial, MASH_SEATS);
    switch (trial_draw(trial, 16)) {
    case 0:
        return (MashAction){.verb = MASH_VERB_RESIGN, .seat = seat};
    case 1:
        return (MashAction){.verb = MASH_VERB_DRAW_ACCEPT, .seat = seat};
    case 2:
    case 3:
        return (MashAction){.verb = MASH_VERB_TIME_OVER, .seat = MASH_SEAT_SERVER, .other = seat};
    case 4:
    case 5:
    case 6:
        return (MashAction){.verb = MASH_VERB_DRAW_DECLINE, .seat = seat};
    case 7:
        return (MashAction){.verb = MASH_VERB_OVERTIME, .seat = MASH_SEAT_SERVER};
    default:
        return (MashAction){.verb = MASH_VERB_DRAW_OFFER, .seat = seat};
    }
}

/* A seat that did not act and got no events sees what it saw before: trial->views. */
static void check_quiet(Trial *trial, MashAction action) {
    void *view = trial->copies[2];
    for (uint32_t number = 0; number < VIEWS; number++) {
        bool told = number == action.seat;
        for (uint32_t i = 0; i < trial->events.count; i++)
            told = told || trial_sees(&trial->events.list[i], number);
        if (told)
            continue;
        trial_hide(trial, view, trial->state, number);
        REQUIRE(trial, trial_same(trial, view, trial->views[number]),
                "an action of seat %d told view %u nothing but changed it", action.seat, number);
    }
}

/* Applies an allowed action; checked and applied on a copy, the result is the same. */
static void step(Trial *trial, MashAction action) {
    void *before = trial->copies[0];
    if (trial->game->check(trial->content, trial->state, action) != MASH_OK)
        return;
    trial_copy(trial, before, trial->state);
    trial_apply_listed(trial, trial->state, action, &trial->events);
    trial_agrees(trial, before, action, trial->state);
    universal_event(trial, &trial->events, before, trial->state);
    check_quiet(trial, action);
    trial->ply++;
    if (action.verb >= MASH_VERB_RESIGN)
        return;
    trial->listed++;
    trial->report->actions++;
    REQUIRE(trial, trial->listed <= trial->content->limits.length_max,
            "a match of more than %u actions", trial->content->limits.length_max);
}

/* Adds the state, complete and as each viewer sees it, to the signature. */
static void sign(Trial *trial) {
    uint64_t *signature = &trial->report->signature;
    uint32_t bytes = trial->content->limits.state_bytes;
    *signature = hash_bytes(*signature, trial->state, bytes);
    for (int i = 0; i < VIEWS; i++)
        *signature = hash_bytes(*signature, trial->views[i], bytes);
}

/* Checks all promises about the state. */
static void look(Trial *trial) {
    universal_view(trial);
    sign(trial);
    universal_result(trial);
    universal_list(trial);
    bool over = trial->game->awaited(trial->content, trial->state) == 0;
    uint32_t count = trial->counts[0] + trial->counts[1];
    if (over || trial->ply % SHOW_EVERY == 0)
        universal_show(trial);
    if (count <= WORD_LIST_MAX ? trial->ply % SHOW_EVERY == 1 : trial->ply % 50 == 1)
        universal_word(trial);
    if (over) {
        universal_over(trial);
        return;
    }
    universal_action(trial);
    universal_unlisted(trial);
    if (trial_once_in(trial, trial->ply < WORLD_EARLY ? WORLD_EARLY : WORLD_ONCE_IN))
        universal_hidden_information(trial);
    if (trial_once_in(trial, TABLE_ONCE_IN))
        universal_table(trial);
}

static void play(Trial *trial) {
    MashChance chance = chance_seeded(trial->seed, 0);
    memset(trial->state, trial->match % 2 == 0 ? 0xa5 : 0, trial->content->limits.state_bytes);
    MashStatus status = trial->game->setup(trial->content, &trial->setup, &chance, trial->state);
    REQUIRE(trial, status == MASH_OK, "setup() refuses options within their ranges: %s",
            mash_status_id(status));
    bool speaks = trial->match % SPOKEN_ONCE_IN == SPOKEN_ONCE_IN - 1;
    while (true) {
        look(trial);
        MashAction action;
        if (!trial_choose(trial, trial->state, trial->spare_list, &action))
            return;
        if (speaks && trial_once_in(trial, 8))
            action = spoken(trial);
        step(trial, action);
    }
}

/* --- Which matches ---------------------------------------------------------------------------- */

static uint32_t values_of(const MashOption *option) {
    int64_t values = (int64_t)option->most - option->least + 1;
    return values < VALUES_MAX ? (uint32_t)values : VALUES_MAX;
}

/* Default options in every second match; otherwise first each value of each option in turn (of many
 * values the ends and some between), then all options at random. */
static void choose_options(Trial *trial, uint32_t round) {
    const MashGame *game = trial->game;
    trial->setup = (MashSetup){.options = trial->options, .options_count = game->options_count};
    for (uint32_t i = 0; i < game->options_count; i++)
        trial->options[i] = game->options[i].usual;
    if (round % 2 == 0)
        return;
    uint32_t number = round / 2;
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        uint32_t values = values_of(option);
        if (number < values) {
            int64_t range = (int64_t)option->most - option->least;
            trial->options[i] =
                option->least + (values < 2 ? 0 : (int32_t)(range * number / (values - 1)));
            return;
        }
        number -= values;
    }
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        uint32_t values = (uint32_t)((int64_t)option->most - option->least + 1);
        trial->options[i] = option->least + (int32_t)trial_draw(trial, values);
    }
}

/* Match number `match` is the same whatever else is played. */
static void begin(Trial *trial, const char *preset, uint32_t match, uint32_t round) {
    trial->preset = preset;
    trial->match = match;
    trial->ply = trial->listed = 0;
    trial->counts[0] = trial->counts[1] = 0;
    trial->action = (MashAction){0};
    trial->seed = simulate_seed(hash_bytes(0, preset, strlen(preset)), match);
    trial->dice = chance_sampled(hash_number(2, match));
    choose_options(trial, round);
}

/* Loading twice gives the same content: hash, limits, and the match that begins from it. */
static void load_again(Trial *trial, const char *preset) {
    const MashContent *first = trial->content;
    MashContent *second = support_content(trial->game, preset);
    MashChance chance = chance_seeded(trial->seed, 0);
    trial->game->setup(first, NULL, &chance, trial->copies[0]);
    chance = chance_seeded(trial->seed, 0);
    trial->game->setup(second, NULL, &chance, trial->copies[1]);
    bool same = first->hash == second->hash &&
                memcmp(&first->limits, &second->limits, sizeof first->limits) == 0 &&
                trial_same(trial, trial->copies[0], trial->copies[1]);
    support_free(second);
    REQUIRE(trial, same, "loading twice does not give the same content");
}

/* Matches `first` to first + count - 1, all of one preset. `only`: just that one (UINT32_MAX: all).
 */
static bool play_preset(Trial *trial, const char *preset, uint32_t first, uint32_t count,
                        uint32_t only) {
    if (setjmp(trial->escape) != 0)
        return false;
    begin(trial, preset, first, 0);
    universal_content(trial);
    universal_ids(trial);
    load_again(trial, preset);
    for (uint32_t round = 0; round < count; round++) {
        if (only != UINT32_MAX && only != first + round)
            continue;
        begin(trial, preset, first + round, round);
        play(trial);
        trial->report->matches++;
    }
    return true;
}

/* How many of the matches are played with each preset: equal shares, but few on huge boards, whose
 * rest goes to the others. */
static void share_out(const MashGame *game, uint32_t matches, uint32_t *shares) {
    uint32_t share = matches / game->presets_count + 1, left = matches, small = 0;
    for (uint32_t i = 0; i < game->presets_count; i++) {
        MashContent *content = support_content(game, game->presets[i].id);
        uint32_t cells = (uint32_t)content->limits.width * content->limits.height;
        support_free(content);
        shares[i] = cells > CELLS_USUAL ? share * CELLS_USUAL / cells + 1 : 0;
        left -= shares[i] < left ? shares[i] : left;
        small += shares[i] == 0;
    }
    for (uint32_t i = 0; i < game->presets_count; i++) {
        if (shares[i] > 0)
            continue;
        shares[i] = left / small;
        left -= shares[i];
        small--;
    }
}

/* Opens a trial for the preset, plays its share, closes. */
static bool try_preset(const MashGame *game, uint32_t number, uint32_t share, uint32_t only,
                       EveryReport *report) {
    const char *preset = game->presets[number].id;
    MashContent *content = support_content(game, preset);
    content->game = game; /* a broken copy of a game loads as the game itself */
    Trial *trial = support_memory(sizeof *trial);
    trial->report = report;
    trial_open(trial, game, content);
    bool kept = play_preset(trial, preset, number * PRESET_MATCHES, share, only);
    trial_close(trial);
    support_free(trial);
    support_free(content);
    return kept;
}

bool every_game_passes(const MashGame *game, uint32_t matches, EveryReport *report) {
    const char *wanted = getenv("MASH_MATCH");
    uint32_t only = wanted == NULL ? UINT32_MAX : (uint32_t)strtoul(wanted, NULL, 10);
    uint32_t *shares = support_memory(game->presets_count * sizeof *shares);
    share_out(game, matches, shares);
    *report = (EveryReport){0};
    bool kept = true;
    for (uint32_t i = 0; kept && i < game->presets_count; i++)
        kept = try_preset(game, i, only == UINT32_MAX ? shares[i] : PRESET_MATCHES, only, report);
    support_free(shares);
    return kept;
}
