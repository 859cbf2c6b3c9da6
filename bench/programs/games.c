/* games.c -- how fast every game is, in CPU time: for `make bench`. There is no pass or fail.
 *
 * Breakthrough is measured like any other game, through include/mashup.h and with a fresh list of
 * legal actions at every step, so that its playouts can be compared with those of other engines for
 * the same rules. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "examples/breakthrough.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { POSITIONS = 512, AT_ONCE = 16 /* between two readings of the clock */ };

static const double seconds_each = 0.4;
static const double openspiel = 22000, boardgame_io = 178; /* Breakthrough playouts per second */

/* The measurements of one preset; everything per CPU-second except the nanoseconds. */
typedef struct Measured {
    double actions, playouts, views, copy_apply_ns, length;
} Measured;

static double seconds_since(clock_t began) { return (double)(clock() - began) / CLOCKS_PER_SEC; }

/* Plays on until the time is over. How many seconds it took. */
static double play_on(Simulation *run, const MashContent *content, void *memory,
                      MashStatus (*play)(Simulation *run)) {
    simulate_init(run, content, NULL, 1, memory);
    clock_t began = clock();
    double seconds;
    do {
        for (int i = 0; i < AT_ONCE; i++)
            play(run);
        seconds = seconds_since(began);
    } while (seconds < seconds_each);
    return seconds;
}

/* Random play with a list of legal actions at each step, no events; then with three views at each
 * step, events, and all of it hashed. */
static void measure_play(const MashContent *content, void *memory, Measured *out) {
    Simulation run;
    double seconds = play_on(&run, content, memory, simulate_playout);
    out->actions = (double)run.actions / seconds;
    out->playouts = run.matches / seconds;
    out->length = (double)run.actions / run.matches;
    seconds = play_on(&run, content, memory, simulate_match);
    out->views = (double)run.actions / seconds;
}

/* Positions of random matches, each with an action that is legal in it. */
static void collect(const MashContent *content, uint8_t *states, MashAction *actions) {
    const MashGame *game = content->game;
    void *state = support_state(content);
    MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
    MashChance chance = chance_sampled(1);
    for (uint32_t i = 0; i < POSITIONS; i++) {
        if (i == 0 || game->awaited(content, state) == 0)
            game->setup(content, NULL, &chance, state);
        memcpy(states + (size_t)i * content->limits.state_bytes, state,
               content->limits.state_bytes);
        actions[i] = simulate_random_action(content, state, &chance, list);
        game->apply_listed(content, state, actions[i], &chance, NULL);
    }
    support_free(list);
    support_free(state);
}

/* What search does at each node: copy a state and apply an action to the copy. */
static void measure_copy_apply(const MashContent *content, Measured *out) {
    uint8_t *states = support_memory((size_t)POSITIONS * content->limits.state_bytes);
    MashAction *actions = support_memory(POSITIONS * sizeof *actions);
    void *copy = support_state(content);
    MashChance chance = chance_sampled(1);
    uint64_t count = 0;
    collect(content, states, actions);
    clock_t began = clock();
    double seconds;
    do {
        for (uint32_t round = 0; round < AT_ONCE; round++)
            for (uint32_t i = 0; i < POSITIONS; i++, count++) {
                memcpy(copy, states + (size_t)i * content->limits.state_bytes,
                       content->limits.state_bytes);
                content->game->apply_listed(content, copy, actions[i], &chance, NULL);
            }
        seconds = seconds_since(began);
    } while (seconds < seconds_each);
    out->copy_apply_ns = seconds * 1e9 / (double)count;
    support_free(copy);
    support_free(actions);
    support_free(states);
}

static Measured measure(const MashGame *game, const char *preset) {
    Measured measured;
    MashContent *content = support_content(game, preset);
    void *memory = support_memory(simulate_bytes(content));
    measure_play(content, memory, &measured);
    measure_copy_apply(content, &measured);
    printf("%-16s %-20s %12.0f %12.0f %8.1f %12.0f %10.0f %7u\n", game->id, preset,
           measured.actions, measured.playouts, measured.length, measured.views,
           measured.copy_apply_ns, content->limits.state_bytes);
    fflush(stdout);
    support_free(memory);
    support_free(content);
    return measured;
}

/* bench_games [GAME]: all games, or one. */
int main(int count, char **words) {
    const char *only = count > 1 ? words[1] : NULL;
    printf("%-16s %-20s %12s %12s %8s %12s %10s %7s\n", "game", "preset", "actions/s", "playouts/s",
           "length", "with views/s", "copy+apply", "state");
    printf("%-16s %-20s %12s %12s %8s %12s %10s %7s\n", "", "", "", "", "actions", "", "ns",
           "bytes");
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        for (uint32_t i = 0; i < (*game)->presets_count; i++)
            if (only == NULL || strcmp(only, (*game)->id) == 0)
                measure(*game, (*game)->presets[i].id);
    if (only != NULL)
        return 0;
    Measured measured = measure(&breakthrough_game, breakthrough_game.presets[0].id);
    printf("\nBreakthrough 8x8, random playouts for each second on one core:\n"
           "  here %.0f; OpenSpiel %.0f: %.1f times as many; boardgame.io %.0f: %.0f times\n",
           measured.playouts, openspiel, measured.playouts / openspiel, boardgame_io,
           measured.playouts / boardgame_io);
    return 0;
}
