/* test_standard_client.c -- server and client of the network standard against each other: what the
 * server sends of random matches makes the same states at the client, and requests that the client
 * writes mean the same actions to the server. Then servers that send less, or nonsense. */
#include "games/marvelous-mashup/test_wire.h"

/* The client is offered twelve, picks like the seat of the server, and its message says the
 * same. */
static void check_choice(Wire *wire, uint8_t seat) {
    StandardCharacter heroes[STANDARD_OFFERED];
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GAME_ASSIGNMENT);
    wire->adapter->draft_offer(wire->content, wire->state, seat, heroes);
    for (uint32_t i = 0; i < STANDARD_OFFERED / 2; i++) { /* in any order */
        StandardCharacter hero = heroes[i];
        heroes[i] = heroes[STANDARD_OFFERED - 1 - i];
        heroes[STANDARD_OFFERED - 1 - i] = hero;
    }
    message.name = "m1";
    message.heroes[0] = (StandardCharacters){heroes, STANDARD_OFFERED};
    read_message(wire, &message);
    assert_true(give_content(wire));
    MarvelousState *choice = support_state(wire->their_content);
    marvelous_standard_client.state_begin(wire->their_content, wire->client, choice);
    MashChance chance = chance_sampled(seat);
    uint32_t places = 0;
    for (uint32_t i = 0; i < TEAM; i++) {
        assert_int_equal(game()->awaited(wire->their_content, choice) & 1, 1);
        MashAction action = marvelous_evaluator.opening(wire->their_content, choice, 0, &chance);
        assert_int_equal(mash_apply(wire->their_content, choice, action, &chance, NULL), MASH_OK);
        uint8_t kind = choice->offers[0][action.unit - UNIT_OFFERS];
        for (uint32_t j = 0; j < STANDARD_OFFERED; j++)
            if (strcmp(heroes[j].name, marvelous_content(wire->their_content)->words[kind].name) ==
                0)
                places |= 1u << j;
    }
    assert_int_equal(game()->awaited(wire->their_content, choice) & 1, 0);
    MashText text = text_over(wire->text, TEXT_BYTES);
    marvelous_standard_client.choice_out(wire->their_content, wire->client, choice, &text);
    char wanted[128];
    MashText list = text_over(wanted, sizeof wanted);
    for (uint32_t j = 0; j < STANDARD_OFFERED; j++)
        text_format(&list, "%s%s", j == 0 ? "[" : ",", places >> j & 1 ? "true" : "false");
    text_byte(&list, ']');
    assert_string_equal(wire->text, wanted);
    support_free(choice);
}

/* The client's state in the server's kinds; what is not on the wire is as the server has it. */
static void check_same(Wire *wire) {
    const MarvelousContent *ours = marvelous_content(wire->content),
                           *theirs = marvelous_content(wire->their_content);
    MarvelousState *copy = support_state(wire->content);
    memcpy(copy, wire->theirs, wire->content->limits.state_bytes);
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        const MarvelousKind *own = kind_of(ours, wire->state, hero);
        const MarvelousKind *told = kind_of(theirs, wire->theirs, hero);
        assert_memory_equal(own, told, sizeof *own);
        copy->actors[hero].kind = wire->state->actors[hero].kind;
    }
    copy->rules = wire->state->rules;
    copy->overtime = wire->state->overtime; /* it only brings Thanos, and he is visible */
    if (wire->state->active == MASH_UNIT_NONE || wire->state->common.over) {
        copy->active = wire->state->active;
        copy->order_next = wire->state->order_next;
        copy->snaps = wire->state->snaps;
    }
    const uint8_t *a = (const void *)wire->state, *b = (const void *)copy;
    for (uint32_t i = 0; i < wire->content->limits.state_bytes; i++)
        if (a[i] != b[i])
            fail_msg("byte %u of the state (core %u) is %u at the server and %u at the client; "
                     "round %u, moment %u",
                     i, wire->content->limits.core_bytes, a[i], b[i], wire->state->round,
                     wire->moments);
    support_free(copy);
}

/* The server decodes the client's request as the same action. */
static void check_request(Wire *wire, MashAction action) {
    char bytes[1024];
    char pool_bytes[1024];
    MashText text = text_over(bytes, sizeof bytes), pool = text_over(pool_bytes, sizeof pool_bytes);
    MashProblem list[PROBLEMS];
    MashProblems problems = {list, 0, PROBLEMS};
    StandardMessage request;
    MashAction understood;
    assert_int_equal(game()->check(wire->their_content, wire->theirs, action), MASH_OK);
    assert_true(marvelous_standard_client.request_out(wire->their_content, wire->client,
                                                      wire->theirs, action, &text));
    read_text(wire, bytes);
    assert_int_equal(
        standard_read(&wire->json, 0, STANDARD_LIST_REQUESTS, &pool, &request, &problems),
        STANDARD_READ);
    assert_int_equal(wire->adapter->decode_request(wire->encoder, wire->state, action.seat,
                                                   &request, &understood),
                     STANDARD_ACTION_FOUND);
    if (mash_action_compare(action, understood) != 0)
        fail_msg("%s is understood as something else", bytes);
}

/* Lists of both are the same, and a request is written for some of each list. */
static void check_lists(Wire *wire, const MashAction *list, uint32_t count, MashChance *lot) {
    MashAction *theirs = support_memory(wire->content->limits.actions_max * sizeof *theirs);
    uint8_t seat = seat_of(wire->state->active);
    assert_int_equal(wire->client->awaited, seat);
    if (wire->state->rules == RULES_SPEC) {
        uint32_t found = game()->actions(wire->their_content, wire->theirs, seat, theirs);
        assert_int_equal(found, count);
        assert_memory_equal(list, theirs, count * sizeof *list);
        for (uint32_t i = 0; i < 4; i++)
            check_request(wire, list[chance_below(lot, count)]);
    }
    support_free(theirs);
}

/* A whole random match; its result. */
static uint8_t play(const char *preset, uint64_t seed, int rules) {
    Wire wire;
    wire_open(&wire, preset, seed, rules);
    MashChance lot = chance_sampled(seed);
    MashAction *list = support_memory(wire.content->limits.actions_max * sizeof *list);
    check_choice(&wire, (uint8_t)(seed % MASH_SEATS));
    for (uint32_t ply = 1; !wire.state->common.over; ply++) {
        uint32_t awaited = game()->awaited(wire.content, wire.state);
        uint8_t seat = awaited & 1 ? 0 : 1;
        uint32_t count = game()->actions(wire.content, wire.state, seat, list);
        bool choosing = wire.state->phase == PHASE_CHOICE;
        if (!choosing && ply % 7 == 0)
            check_lists(&wire, list, count, &lot);
        MashAction action = list[chance_below(&lot, count)];
        if (!choosing && chance_below(&lot, 6) == 0)
            action = list[count - 1];
        if (!choosing && seed % 3 == 0 && ply == 200)
            action = (MashAction){.verb = MASH_VERB_OVERTIME, .seat = MASH_SEAT_SERVER};
        apply(&wire, action, seed, ply);
        if (choosing && wire.state->phase == PHASE_CHOICE)
            continue;
        if (choosing)
            send_structure(&wire);
        send_all(&wire);
        check_same(&wire);
    }
    assert_int_equal(wire.client->awaited, MASH_SEAT_NONE);
    uint8_t reason = wire.state->common.reason;
    support_free(list);
    wire_close(&wire);
    return reason;
}

static void test_states_are_the_same(void **unused) {
    (void)unused;
    static const char *const presets[] = {"wakanda", "sanctum", "asgard-portals", "quick",
                                          "darkdimension-portals"};
    const char *more = getenv("MASH_MATCHES");
    uint64_t matches = more == NULL ? 60 : strtoull(more, NULL, 10) / 10;
    for (uint64_t seed = 1; seed <= matches; seed++)
        play(presets[seed % 5], seed, seed % 4 == 3 ? RULES_CUSTOMER : RULES_SPEC);
}

/* --- Servers that send less, or other things -------------------------------------------------- */

/* A client that joins late knows the board, and in Goose's rounds even the round. */
static void test_late(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        Wire wire;
        come_late(&wire, "quick", seed, (uint16_t)(1 + seed % 12));
        assert_int_equal(wire.theirs->common.over, 0);
        assert_memory_equal(wire.theirs->cells, wire.state->cells,
                            marvelous_content(wire.content)->cells_count);
        assert_memory_equal(wire.theirs->stones, wire.state->stones, sizeof wire.state->stones);
        assert_memory_equal(wire.theirs->order, wire.state->order, sizeof wire.state->order);
        if (!wire.state->common.over)
            assert_int_equal(wire.theirs->active, wire.state->active);
        if (wire.state->round <= GOOSE_ROUNDS)
            assert_int_equal(wire.theirs->round, wire.state->round);
        play_on(wire.their_content, wire.theirs, seed);
        wire_close(&wire);
    }
}

/* A server that numbers heroes by their position, and one whose Thanos shows no stones. */
static void test_other_numbers(void **unused) {
    (void)unused;
    Wire wire;
    char text[1024];
    come_late(&wire, "quick", 5, 2);
    const char *name =
        marvelous_content(wire.their_content)->words[client_state_of(wire.client)->kinds[3]].name;
    snprintf(text, sizeof text,
             "{\"eventType\":\"GamestateEvent\",\"entities\":[{\"entityType\":\"Character\","
             "\"name\":\"%s\",\"PID\":1,\"ID\":0,\"HP\":5,\"MP\":1,\"AP\":1,\"stones\":[1],"
             "\"position\":[2,3]}],\"turnOrder\":[{\"entityID\":\"P1\",\"ID\":0}],"
             "\"activeCharacter\":{\"entityID\":\"P1\",\"ID\":0},\"winCondition\":false}",
             name);
    assert_true(hear(&wire, text));
    assert_int_equal(wire.theirs->active, 3);
    assert_int_equal(wire.client->awaited, 0);
    assert_int_equal(wire.theirs->actors[3].health, 5);
    assert_int_equal(wire.theirs->actors[3].stones, 2);
    assert_int_equal(wire.theirs->stones[STONE_MIND].holder, 3);
    MashText request = text_over(text, sizeof text);
    MashAction end = {.verb = VERB_MOVE, .unit = 3, .x = 2, .y = 4};
    assert_true(marvelous_standard_client.request_out(wire.their_content, wire.client, wire.theirs,
                                                      end, &request));
    assert_string_equal(text,
                        "{\"requestType\":\"MoveRequest\",\"originEntity\":{\"entityID\":\"P1\","
                        "\"ID\":0},\"originField\":[2,3],\"targetField\":[2,4]}");
    for (int round = 0; round < 9; round++)
        hear(&wire, "{\"eventType\":\"RoundSetupEvent\",\"roundCount\":0,\"characterOrder\":[]}");
    assert_true(hear(&wire, "{\"eventType\":\"GamestateEvent\",\"entities\":[{\"entityType\":"
                            "\"NPC\",\"ID\":2,\"MP\":4,\"stones\":[],\"position\":[0,0]}]}"));
    assert_int_equal(wire.theirs->round, 11);
    assert_int_equal(wire.theirs->phase, PHASE_THANOS);
    assert_int_equal(wire.theirs->actors[UNIT_THANOS].stones, ALL_STONES);
    assert_int_equal(wire.client->awaited, MASH_SEAT_NONE);
    wire_close(&wire);
}

/* Numbers that no hero was seen with, and that are no characterID, are places in the server's lists
 * [4.5]. */
static void test_places(void **unused) {
    (void)unused;
    Wire wire;
    come_late(&wire, "quick", 5, 2);
    StandardCharacter team[STANDARD_TEAM];
    MarvelousClientState *guest = client_state_of(wire.client);
    MarvelousContent *content = (void *)wire.their_content->body;
    for (uint32_t kind = 0; kind < content->kinds_count; kind++)
        content->kinds[kind].number = (uint16_t)(100 + kind);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        wire.adapter->draft_team(wire.content, wire.state, seat, team);
        for (uint8_t place = 0; place < TEAM; place++) {
            char text[256];
            memset(guest->ids, WIRE_NONE, sizeof guest->ids);
            snprintf(text, sizeof text,
                     "{\"eventType\":\"HealedEvent\",\"targetEntity\":{\"entityID\":\"P%d\","
                     "\"ID\":%d},\"targetField\":[0,0],\"amount\":1}",
                     seat + 1, place);
            wire.heard.count = 0;
            hear(&wire, text);
            assert_int_equal(wire.heard.count, 1);
            uint8_t hero = wire.heard.list[0].unit;
            assert_int_equal(seat_of(hero), seat);
            assert_string_equal(content->words[guest->kinds[hero]].name, team[place].name);
        }
    }
    wire_close(&wire);
}

/* Thanos closes all portals [11.4], unless the server shows some beside him. */
static void test_portals_beside_thanos(void **unused) {
    (void)unused;
    static const char thanos[] = "{\"entityType\":\"NPC\",\"ID\":2,\"MP\":4,\"stones\":[],"
                                 "\"position\":[1,1]}",
                      portal[] = ",{\"entityType\":\"Portal\",\"ID\":1,\"position\":[%u,%u]}";
    Wire wire;
    char text[512], shown[128];
    come_late(&wire, "asgard-portals", 5, 2);
    const MarvelousContent *content = marvelous_content(wire.their_content);
    assert_true(content->portals_count >= 2);
    for (int with = 0; with < 2; with++) {
        MashText entity = text_over(shown, sizeof shown);
        if (with)
            text_format(&entity, portal, content->portals[0] / content->height,
                        content->portals[0] % content->height);
        snprintf(text, sizeof text, "{\"eventType\":\"GamestateEvent\",\"entities\":[%s%s]}",
                 thanos, shown);
        assert_true(hear(&wire, text));
        for (uint32_t i = 0; i < content->portals_count; i++)
            assert_int_equal(wire.theirs->cells[content->portals[i]],
                             with ? CELL_PORTAL : CELL_FREE);
    }
    wire_close(&wire);
}

/* Of two that are said to be Thanos the first is; others stand beside him. */
static void test_one_thanos(void **unused) {
    (void)unused;
    Wire wire;
    come_late(&wire, "quick", 5, 2);
    const MarvelousContent *content = marvelous_content(wire.their_content);
    assert_true(hear(&wire, "{\"eventType\":\"GamestateEvent\",\"entities\":["
                            "{\"entityType\":\"NPC\",\"ID\":2,\"MP\":4,\"position\":[1,1]},"
                            "{\"entityType\":\"NPC\",\"ID\":2,\"MP\":5,\"position\":[2,2]},"
                            "{\"entityType\":\"NPC\",\"ID\":1,\"MP\":6,\"position\":[3,3]}]}"));
    assert_int_equal(wire.theirs->actors[UNIT_THANOS].x, 1);
    assert_int_equal(wire.theirs->actors[UNIT_THANOS].moves, 4);
    assert_int_equal(wire.theirs->cells[cell_at(content, 2, 2)], CELL_FREE);
    assert_int_equal(wire.theirs->cells[cell_at(content, 3, 3)], CELL_UNITS + UNIT_STAN);
    wire_close(&wire);
}

/* Goose, Stan Lee and Thanos appear by their numbers; there is no fourth. */
static void test_arrivals(void **unused) {
    (void)unused;
    Wire wire;
    come_late(&wire, "quick", 5, 2);
    for (uint8_t number = 0; number < 4; number++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"eventType\":\"SpawnEntityEvent\",\"entity\":{\"entityType\":\"NPC\","
                 "\"ID\":%d,\"position\":[3,4]}}",
                 number);
        wire.heard.count = 0;
        assert_false(hear(&wire, text));
        assert_int_equal(wire.heard.count, number < 3);
        if (number == 3)
            break;
        assert_int_equal(wire.heard.list[0].kind, MASH_EVENT_APPEARED);
        assert_int_equal(wire.heard.list[0].unit, UNIT_GOOSE + number);
        assert_int_equal(wire.heard.list[0].x, 3);
        assert_int_equal(wire.heard.list[0].y, 4);
    }
    wire_close(&wire);
}

/* A hero that appears is placed, with its health. */
static void test_hero_appears(void **unused) {
    (void)unused;
    Wire wire;
    char text[512];
    come_late(&wire, "quick", 5, 2);
    MarvelousClientState *guest = client_state_of(wire.client);
    const char *name = marvelous_content(wire.their_content)->words[guest->kinds[3]].name;
    snprintf(text, sizeof text,
             "{\"eventType\":\"SpawnEntityEvent\",\"entity\":{\"entityType\":\"Character\","
             "\"name\":\"%s\",\"PID\":1,\"ID\":0,\"HP\":5,\"MP\":1,\"AP\":1,\"stones\":[],"
             "\"position\":[2,3]}}",
             name);
    wire.heard.count = 0;
    assert_false(hear(&wire, text));
    assert_int_equal(wire.heard.count, 1);
    assert_int_equal(wire.heard.list[0].kind, MASH_EVENT_PLACED);
    assert_int_equal(wire.heard.list[0].unit, 3);
    assert_int_equal(wire.heard.list[0].x, 2);
    assert_int_equal(wire.heard.list[0].y, 3);
    assert_int_equal(guest->health[3], 5);
    wire_close(&wire);
}

/* Cooldowns of a minimal server are counted, and a careful client uses stones once; uncertain
 * actions are reported. */
static void test_careful(void **unused) {
    (void)unused;
    static const char state[] =
        "{\"eventType\":\"GamestateEvent\",\"entities\":[],\"stoneCooldowns\":[2,1,3,1,5,5]}";
    static const char nonsense[] =
        "{\"eventType\":\"GamestateEvent\",\"entities\":[],\"stoneCooldowns\":[0,0,0,0,999,0]}";
    static const char use[] =
        "{\"eventType\":\"UseInfinityStoneEvent\",\"originEntity\":{\"entityID\":\"P1\",\"ID\":0},"
        "\"targetEntity\":{\"entityID\":\"P1\",\"ID\":0},\"originField\":[0,0],\"targetField\":[1,"
        "1],"
        "\"stoneType\":{\"entityID\":\"InfinityStones\",\"ID\":4}}";
    Wire wire;
    come_late(&wire, "quick", 5, 2);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        client_state_of(wire.client)->ids[hero] = hero % TEAM;
    assert_true(hear(&wire, state));
    assert_int_equal(wire.theirs->stones[STONE_TIME].cooldown, 5);
    wire.client->bare = true;
    assert_true(hear(&wire, state));
    assert_int_equal(wire.theirs->stones[STONE_TIME].cooldown, 0);
    assert_int_equal(wire.theirs->stones[STONE_SPACE].cooldown, 0);
    assert_false(hear(&wire, use));
    assert_true(hear(&wire, state));
    assert_int_equal(wire.theirs->stones[STONE_TIME].cooldown,
                     marvelous_content(wire.content)->cooldowns[STONE_TIME]);
    wire.client->bare = false;
    assert_true(hear(&wire, nonsense));
    assert_int_equal(wire.theirs->stones[STONE_TIME].cooldown,
                     marvelous_content(wire.content)->cooldowns[STONE_TIME]);
    wire.client->bare = true;
    wire.client->careful = true;
    assert_true(hear(&wire, state));
    assert_int_equal(wire.theirs->stones[STONE_TIME].cooldown, FOR_EVER);
    assert_int_equal(wire.theirs->stones[STONE_SPACE].cooldown, FOR_EVER);
    assert_int_equal(wire.theirs->stones[STONE_SOUL].cooldown, 0);
    MarvelousState *board = wire.theirs;
    board->actors[0].x = board->actors[0].y = 1;
    MashAction mind = {.verb = VERB_USE, .ability = STONE_MIND, .x = 2, .y = 2};
    assert_true(marvelous_standard_client.risky(wire.their_content, wire.client, board, mind));
    mind.x = 3;
    assert_false(marvelous_standard_client.risky(wire.their_content, wire.client, board, mind));
    MashAction space = {.verb = VERB_USE, .ability = STONE_SPACE, .x = 2, .y = 2};
    assert_true(marvelous_standard_client.risky(wire.their_content, wire.client, board, space));
    int reach = kind_of(marvelous_content(wire.their_content), board, 0)->reach;
    MashAction shot = {.verb = VERB_RANGED, .x = (int8_t)(1 + reach), .y = (int8_t)(1 + reach)};
    assert_false(marvelous_standard_client.risky(wire.their_content, wire.client, board, shot));
    wire.client->ruler = true;
    assert_true(marvelous_standard_client.risky(wire.their_content, wire.client, board, shot));
    wire_close(&wire);
}

/* A server that heals without end does not make a hero a knocked out one. */
static void test_endless_healing(void **unused) {
    (void)unused;
    Wire wire;
    char text[256];
    come_late(&wire, "quick", 5, 2);
    MarvelousClientState *guest = client_state_of(wire.client);
    guest->health[0] = 60000;
    int32_t amounts[] = {UINT16_MAX + 1 - 60000, 1};
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        snprintf(text, sizeof text,
                 "{\"eventType\":\"HealedEvent\",\"targetEntity\":{\"entityID\":\"P1\","
                 "\"ID\":%d},\"targetField\":[0,0],\"amount\":%d}",
                 guest->ids[0], amounts[i]);
        wire.heard.count = 0;
        hear(&wire, text);
        assert_int_equal(wire.heard.count, 1);
        assert_int_equal(wire.heard.list[0].kind, MASH_EVENT_HEALED);
        assert_int_equal(guest->health[0], UINT16_MAX);
    }
    wire_close(&wire);
}

/* Contents that are impossible, or barely possible. */
static void test_strange_contents(void **unused) {
    (void)unused;
    static const char *const bad[] = {
        "{}",
        "{\"characterSelection\":[]}",
        "{\"characterSelection\":7}",
        "{\"playerOneCharacters\":[],\"playerTwoCharacters\":[],\"matchconfig\":{},"
        "\"scenarioconfig\":{\"scenario\":[]}}",
        "{\"playerOneCharacters\":[],\"playerTwoCharacters\":[],\"matchconfig\":{},"
        "\"scenarioconfig\":{\"scenario\":[[\"GRASS\",\"GRASS\"]]}}",
        "{\"playerOneCharacters\":[],\"playerTwoCharacters\":[],\"scenarioconfig\":{}}",
    };
    Wire wire;
    wire_open(&wire, "sanctum", 1, RULES_SPEC);
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        read_text(&wire, bad[i]);
        assert_false(give_content(&wire));
    }
    read_text(
        &wire,
        "{\"assignment\":\"Spectator\",\"playerOneCharacters\":[{\"name\":\"\\u0001a\\u0007b\","
        "\"HP\":-5,\"MP\":99999,\"AP\":2.5}],\"playerTwoCharacters\":[7],"
        "\"matchconfig\":{\"maxRounds\":-1,\"timeStoneCD\":0,\"more\":[]},"
        "\"scenarioconfig\":{\"scenario\":[[\"PORTAL\",\"LAVA\",7,\"ROCK\",\"GRASS\"],[],[],[],"
        "[\"ROCK\",\"ROCK\",\"ROCK\",\"ROCK\",\"ROCK\",\"ROCK\"]]}}");
    assert_true(give_content(&wire));
    const MarvelousContent *content = marvelous_content(wire.their_content);
    assert_int_equal(wire.client->seat, MASH_SEAT_NONE);
    assert_string_equal(content->words[0].name, "?a?b");
    assert_int_equal(content->kinds[0].health, 1);
    assert_int_equal(content->kinds[0].moves, VALUE_MOST);
    assert_int_equal(content->cooldowns[STONE_TIME], 1);
    assert_int_equal(content->portals_count, 0);
    assert_int_equal(content->width, 5);
    assert_int_equal(content->ground[0], CELL_UNITS + UNIT_GOOSE);
    wire_close(&wire);
}

/* Boards of any size up to MASH_SIDE_MAX are read, and none beyond it; each needs GRASS_LEAST cells
 * without a portal. */
static void test_sizes(void **unused) {
    (void)unused;
    static const struct {
        uint32_t width, height, portals;
        bool read;
    } boards[] = {{MASH_SIDE_MAX, 3, 0, true},   {MASH_SIDE_MAX + 1, 3, 0, false},
                  {3, MASH_SIDE_MAX, 0, true},   {3, MASH_SIDE_MAX + 1, 0, false},
                  {GRASS_LEAST + 2, 1, 2, true}, {GRASS_LEAST + 1, 1, 2, false},
                  {1, GRASS_LEAST, 0, true},     {GRASS_LEAST - 1, 1, 0, false},
                  {0, GRASS_LEAST, 0, false}};
    Wire wire;
    wire_open(&wire, "sanctum", 1, RULES_SPEC);
    char *memory = support_memory(TEXT_BYTES);
    for (uint32_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        MashText text = text_over(memory, TEXT_BYTES);
        text_string(&text, "{\"playerOneCharacters\":[],\"playerTwoCharacters\":[],"
                           "\"matchconfig\":{},\"scenarioconfig\":{\"scenario\":[");
        for (uint32_t y = 0; y < boards[i].height; y++) {
            text_string(&text, y == 0 ? "[" : ",[");
            for (uint32_t x = 0; x < boards[i].width; x++)
                text_format(&text, "%s\"%s\"", x == 0 ? "" : ",",
                            y * boards[i].width + x < boards[i].portals ? "PORTAL" : "GRASS");
            text_string(&text, "]");
        }
        text_string(&text, "]}}");
        read_text(&wire, memory);
        assert_int_equal(give_content(&wire), boards[i].read);
        if (!boards[i].read)
            continue;
        const MarvelousContent *content = marvelous_content(wire.their_content);
        assert_int_equal(content->width, boards[i].width);
        assert_int_equal(content->height, boards[i].height);
        assert_int_equal(content->portals_count, boards[i].portals);
    }
    support_free(memory);
    wire_close(&wire);
}

/* What has no request of its own is not written, and giving up is a request without fields. */
static void test_requests(void **unused) {
    (void)unused;
    static const uint8_t without[] = {MASH_VERB_NONE, VERBS, MASH_VERB_OVERTIME,
                                      MASH_VERB_DRAW_OFFER};
    Wire wire;
    char memory[256];
    come_late(&wire, "quick", 5, 2);
    for (uint32_t i = 0; i < sizeof without; i++) {
        MashText text = text_over(memory, sizeof memory);
        MashAction action = {.verb = without[i]};
        assert_false(marvelous_standard_client.request_out(wire.their_content, wire.client,
                                                           wire.theirs, action, &text));
        assert_int_equal(text.count, 0);
    }
    MashText text = text_over(memory, sizeof memory);
    MashAction leave = {.verb = MASH_VERB_RESIGN};
    assert_true(marvelous_standard_client.request_out(wire.their_content, wire.client, wire.theirs,
                                                      leave, &text));
    assert_string_equal(memory, "{\"requestType\":\"DisconnectRequest\"}");
    wire_close(&wire);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_the_same),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_other_numbers),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_portals_beside_thanos),
        cmocka_unit_test(test_one_thanos),
        cmocka_unit_test(test_arrivals),
        cmocka_unit_test(test_hero_appears),
        cmocka_unit_test(test_careful),
        cmocka_unit_test(test_strange_contents),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_endless_healing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
