/* generate.c -- random scenarios, characters and match configurations in the committee's formats,
 * all of which the loader accepts.
 *
 * A scenario has no walled-in pockets: rocks and portals are placed one by one, only where the
 * surrounding grass stays connected by king's moves; so all grass stays connected. */
#include <string.h>

#include "base/json.h"
#include "games/marvelous-mashup/state.h"

/* A uniform number from least to most. */
static int32_t between(MashChance *chance, int32_t least, int32_t most) {
    return least + (int32_t)chance_below(chance, (uint32_t)(most - least + 1));
}

/* The numbers below `count` in a random order, each equally likely. */
static void shuffle(MashChance *chance, uint16_t *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        list[i] = (uint16_t)i;
    for (uint32_t left = count; left > 1; left--) {
        uint32_t drawn = chance_below(chance, left);
        uint16_t last = list[left - 1];
        list[left - 1] = list[drawn];
        list[drawn] = last;
    }
}

/* --- Scenario --------------------------------------------------------------------------------- */

/* Smaller boards are valid content, but too narrow to generate at random. */
enum { SIDE_DRAWN_LEAST = 5 };

enum { SCENARIO_WIDTH, SCENARIO_HEIGHT, SCENARIO_ROCKS, SCENARIO_PORTALS, SCENARIO_MIRRORED };

/* A board being generated; cells row by row. */
typedef struct Sketch {
    int width, height;
    bool mirrored;
    uint32_t grass;
    uint16_t order[CELLS_MAX]; /* the cells in the order in which they are tried */
    uint8_t ground[CELLS_MAX];
} Sketch;

/* Is there grass? Not off the board. */
static bool sketch_grass(const Sketch *sketch, int x, int y) {
    return grid_inside(x, y, sketch->width, sketch->height) &&
           sketch->ground[y * sketch->width + x] == GROUND_GRASS;
}

/* Do the grass cells around this one stay connected among themselves without it? They form a ring
 * of eight, starting above and then clockwise; an orthogonal neighbour touches the next cells of
 * the ring, and two orthogonal neighbours that meet at a corner touch too. Nothing leads back to
 * the first: if that is grass, all begins there. */
static bool can_go(const Sketch *sketch, int x, int y) {
    static const int8_t ring_x[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    static const int8_t ring_y[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    uint32_t grass = 0;
    for (uint32_t i = 0; i < 8; i++)
        grass |= (uint32_t)sketch_grass(sketch, x + ring_x[i], y + ring_y[i]) << i;
    uint32_t reached = grass & (~grass + 1);
    for (uint32_t before = 0; before != reached;) {
        before = reached;
        uint32_t beside = reached & 0x55;
        uint32_t near = reached << 1 | reached >> 1 | reached << 7;
        near |= beside << 2 | beside >> 2 | beside << 6;
        reached |= near & grass;
    }
    return grass != 0 && reached == grass;
}

/* Turns a cell and, if mirrored, its twin into rock or portal. How many cells that took; 0 if it is
 * impossible or would exceed `most`. */
static uint32_t sketch_put(Sketch *sketch, uint32_t cell, uint8_t ground, uint32_t most) {
    int x = (int)cell % sketch->width, y = (int)cell / sketch->width;
    int twin_x = sketch->width - 1 - x;
    uint32_t twin = (uint32_t)(y * sketch->width + twin_x);
    uint32_t count = sketch->mirrored && twin != cell ? 2 : 1;
    if (count > most || !sketch_grass(sketch, x, y) || !can_go(sketch, x, y))
        return 0;
    sketch->ground[cell] = ground;
    if (count == 2) {
        if (!can_go(sketch, twin_x, y)) {
            sketch->ground[cell] = GROUND_GRASS;
            return 0;
        }
        sketch->ground[twin] = ground;
    }
    sketch->grass -= count;
    return count;
}

/* Places as many as requested if there is room; how many it could not. */
static uint32_t sketch_fill(Sketch *sketch, uint8_t ground, uint32_t wanted) {
    uint32_t cells = (uint32_t)(sketch->width * sketch->height);
    uint32_t before;
    do {
        before = wanted;
        for (uint32_t i = 0; i < cells && wanted > 0; i++)
            wanted -= sketch_put(sketch, sketch->order[i], ground, wanted);
    } while (wanted < before);
    return wanted;
}

/* The rows of the sketch, as the document's scenario. */
static void write_rows(const Sketch *sketch, JsonWriter *writer) {
    static const char *const words[GROUNDS] = {"GRASS", "ROCK", "PORTAL"};
    json_open_list(writer, "scenario");
    for (int y = 0; y < sketch->height; y++) {
        json_open(writer, '[');
        for (int x = 0; x < sketch->width; x++)
            json_put_string(writer, words[sketch->ground[y * sketch->width + x]]);
        json_close(writer, ']');
    }
    json_close(writer, ']');
}

/* False: one portal leads nowhere, or there is no room for so many. The number of rocks is a
 * maximum: there are fewer where they would enclose cells or leave too little grass. */
static bool write_scenario(const int32_t *parameters, MashChance *chance, MashText *out) {
    Sketch sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.width = parameters[SCENARIO_WIDTH];
    sketch.height = parameters[SCENARIO_HEIGHT];
    sketch.mirrored = parameters[SCENARIO_MIRRORED] != 0;
    sketch.grass = (uint32_t)(sketch.width * sketch.height);
    uint32_t portals = (uint32_t)parameters[SCENARIO_PORTALS];
    uint32_t rocks = sketch.grass * (uint32_t)parameters[SCENARIO_ROCKS] / 100;
    if (portals == 1 || sketch.grass < GRASS_LEAST + portals)
        return false;
    uint32_t room = sketch.grass - GRASS_LEAST - portals;
    shuffle(chance, sketch.order, sketch.grass);
    if (sketch_fill(&sketch, GROUND_PORTAL, portals) > 0)
        return false;
    sketch_fill(&sketch, GROUND_ROCK, rocks < room ? rocks : room);
    char memory[NAME_BYTES];
    MashText name = text_over(memory, sizeof memory);
    text_format(&name, "random %d x %d", sketch.width, sketch.height);
    JsonWriter writer = json_writer(out, 2);
    json_open(&writer, '{');
    write_rows(&sketch, &writer);
    json_put_pair(&writer, "name", memory);
    json_put_pair(&writer, "author", "mashup generate");
    json_close(&writer, '}');
    text_byte(out, '\n');
    return !out->truncated;
}

/* --- Characters ------------------------------------------------------------------------------- */

enum { WORDS = 20, VALUES = 5 };

/* A name of two words, different for each number below WORDS * WORDS. */
static void put_name(JsonWriter *writer, uint32_t number) {
    static const char *const first[WORDS] = {"Amber", "Brave",  "Copper", "Dusk",   "Ember",
                                             "Frost", "Golden", "Hollow", "Iron",   "Jade",
                                             "Keen",  "Lunar",  "Misty",  "Night",  "Onyx",
                                             "Proud", "Quiet",  "Rapid",  "Silver", "Wild"};
    static const char *const last[WORDS] = {"Badger", "Comet",  "Drake",  "Eagle",  "Falcon",
                                            "Gale",   "Hammer", "Ibex",   "Jackal", "Knight",
                                            "Lynx",   "Meteor", "Needle", "Otter",  "Piper",
                                            "Raven",  "Sting",  "Tiger",  "Viper",  "Wolf"};
    char memory[NAME_BYTES];
    MashText name = text_over(memory, sizeof memory);
    text_format(&name, "%s %s", first[number % WORDS], last[number / WORDS]);
    json_put_pair(writer, "name", memory);
}

/* Each value is at least useful; 20 to 40 more points are distributed over all of them. */
static void put_values(JsonWriter *writer, MashChance *chance) {
    static const char *const keys[VALUES] = {"MP", "AP", "meleeDamage", "rangeCombatDamage",
                                             "rangeCombatReach"};
    int32_t values[VALUES] = {1, 1, 1, 1, 2};
    int32_t health = between(chance, 50, 150);
    int32_t points = between(chance, 20, 40) - 6;
    json_put_pair_int(writer, "HP", health);
    for (; points > 0; points--)
        values[chance_below(chance, VALUES)]++;
    for (uint32_t i = 0; i < VALUES; i++)
        json_put_pair_int(writer, keys[i], values[i]);
}

/* A document of as many random characters as the first parameter says; false: it does not fit. */
static bool write_characters(const int32_t *parameters, MashChance *chance, MashText *out) {
    uint16_t names[WORDS * WORDS];
    shuffle(chance, names, WORDS * WORDS);
    JsonWriter writer = json_writer(out, 2);
    json_open(&writer, '{');
    json_open_list(&writer, "characters");
    for (int32_t i = 0; i < parameters[0]; i++) {
        json_open(&writer, '{');
        json_put_pair_int(&writer, "characterID", i + 1);
        put_name(&writer, names[i]);
        put_values(&writer, chance);
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    json_close(&writer, '}');
    text_byte(out, '\n');
    return !out->truncated;
}

/* --- Match ------------------------------------------------------------------------------------ */

/* A random match configuration; false: it does not fit. */
static bool write_match(const int32_t *parameters, MashChance *chance, MashText *out) {
    static const struct {
        const char *key;
        int32_t least, most;
    } rows[] = {{"maxRounds", 0, 30},        {"maxRoundTime", 30, 600}, {"maxGameTime", 300, 3600},
                {"maxAnimationTime", 0, 60}, {"spaceStoneCD", 1, 6},    {"mindStoneCD", 1, 6},
                {"realityStoneCD", 1, 6},    {"powerStoneCD", 1, 6},    {"timeStoneCD", 1, 6},
                {"soulStoneCD", 1, 6},       {"mindStoneDMG", 1, 50},   {"maxPauseTime", 0, 1500},
                {"maxResponseTime", 10, 200}};
    (void)parameters;
    JsonWriter writer = json_writer(out, 1);
    json_open(&writer, '{');
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        json_put_pair_int(&writer, rows[i].key, between(chance, rows[i].least, rows[i].most));
    json_close(&writer, '}');
    text_byte(out, '\n');
    return !out->truncated;
}

/* --- The list --------------------------------------------------------------------------------- */

static const MashOption scenario_parameters[] = {
    {"width", "Columns", SIDE_DRAWN_LEAST, MASH_SIDE_MAX, 12},
    {"height", "Rows", SIDE_DRAWN_LEAST, MASH_SIDE_MAX, 12},
    {"rocks", "Maximum share of rocks, in percent", 0, 60, 20},
    {"portals", "Portals (0, or at least 2)", 0, 400, 4},
    {"mirrored", "Mirror left and right (0 = no, 1 = yes)", 0, 1, 1},
};

static const MashOption character_parameters[] = {
    {"count", "Characters", KINDS_LEAST, KINDS_MAX, KINDS_LEAST},
};

const MashGenerator marvelous_generators[GENERATORS] = {
    {"scenario", "Random board without closed-off areas", scenario_parameters,
     sizeof scenario_parameters / sizeof *scenario_parameters, write_scenario},
    {"characters", "Random heroes", character_parameters, 1, write_characters},
    {"match", "Random match settings", NULL, 0, write_match},
};
