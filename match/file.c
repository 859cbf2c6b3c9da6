/* file.c -- see file.h: writing is a loop over the actions; reading checks every field and
 * validates the actions with the engine. */
#include "match/file.h"

#include <string.h>

#include "match/notes.h"

enum {
    SEED_DIGITS = 32,
    HASH_DIGITS = 16,
    ACTION_DIGITS = 16,
    WORD_BYTES = 128,
    NAME_BYTES = 96,
};

/* --- Hexadecimal ------------------------------------------------------------------------------ */

/* Exactly 16 digits, whatever follows them. */
static bool read_hex(const char *digits, uint64_t *out) {
    uint64_t number = 0;
    for (int i = 0; i < 16; i++) {
        int digit = text_hex_digit(digits[i]);
        if (digit < 0)
            return false;
        number = number << 4 | (uint64_t)digit;
    }
    *out = number;
    return true;
}

/* The last digits are the first word, so that small numbers look small. */
bool match_seed_read(const char *digits, MashSeed *seed) {
    return strlen(digits) == SEED_DIGITS && read_hex(digits, &seed->words[1]) &&
           read_hex(digits + 16, &seed->words[0]);
}

void match_seed_write(MashSeed seed, MashText *text) {
    text_hex(text, seed.words[1], 16);
    text_hex(text, seed.words[0], 16);
}

/* The eight bytes of an action in hexadecimal. */
static void write_action(MashAction action, MashText *text) {
    uint8_t bytes[sizeof action];
    memcpy(bytes, &action, sizeof bytes);
    for (uint32_t i = 0; i < sizeof bytes; i++)
        text_hex(text, bytes[i], 2);
}

/* The action of its hexadecimal digits, which have been checked. */
static MashAction read_action(const char *digits) {
    MashAction action;
    uint8_t bytes[sizeof action];
    uint64_t number = 0;
    bool fine = read_hex(digits, &number);
    assert(fine);
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(number >> (56 - 8 * i));
    memcpy(&action, bytes, sizeof bytes);
    return action;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Are two documents the same in name and bytes? */
static bool same_document(const MashDocument *a, const MashDocument *b) {
    return strcmp(a->name, b->name) == 0 && a->count == b->count &&
           memcmp(a->bytes, b->bytes, a->count) == 0;
}

/* The preset that consists of exactly these documents, or NULL. */
static const char *preset_of(const MashGame *game, const MatchHeader *about) {
    MashDocument shipped[MASH_DOCUMENTS_MAX];
    for (uint32_t i = 0; i < game->presets_count; i++) {
        uint32_t count = mash_documents_of_preset(game, game->presets[i].id, shipped), same = 0;
        while (same < count && same < about->documents_count &&
               same_document(&shipped[same], &about->documents[same]))
            same++;
        if (same == count && same == about->documents_count)
            return game->presets[i].id;
    }
    return NULL;
}

/* The content of the match: a preset, or documents, with their text unless it is shipped. */
static void put_documents(JsonWriter *writer, const MashGame *game, const MatchHeader *about) {
    const char *preset = preset_of(game, about);
    if (preset != NULL) {
        json_put_pair(writer, "preset", preset);
        return;
    }
    json_open_list(writer, "documents");
    for (uint32_t i = 0; i < about->documents_count; i++) {
        const MashDocument *document = &about->documents[i];
        MashDocument shipped = mash_document_shipped(game, document->name);
        json_open(writer, '{');
        json_put_pair(writer, "name", document->name);
        if (!same_document(document, &shipped)) {
            json_put_key(writer, "text");
            json_put_bytes(writer, document->bytes, document->count);
        }
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* Everything before the actions: format, game, content, options, seed, players, ratings. */
static void put_head(JsonWriter *writer, const Match *match, const MatchHeader *about) {
    const MashGame *game = match->content->game;
    char memory[SEED_DIGITS + 1];
    MashText digits = text_over(memory, sizeof memory);
    json_put_pair_int(writer, "mashup-match", MATCH_FILE_VERSION);
    json_put_pair(writer, "game", game->id);
    json_put_pair_int(writer, "version", game->version);
    put_documents(writer, game, about);
    text_hex(&digits, match->content->hash, HASH_DIGITS);
    json_put_pair(writer, "content", memory);
    json_put_key(writer, "options");
    json_open(writer, '{');
    for (uint32_t i = 0; i < game->options_count; i++) {
        json_put_key(writer, game->options[i].id);
        json_put_int(writer, match->options[i]);
    }
    json_close(writer, '}');
    text_clear(&digits);
    match_seed_write(match->seed, &digits);
    json_put_pair(writer, "seed", memory);
    json_open_list(writer, "players");
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        json_put_string(writer, about->players[seat]);
    json_close(writer, ']');
    if (about->ratings[0] == 0 && about->ratings[1] == 0)
        return;
    json_open_list(writer, "ratings");
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        json_put_int(writer, about->ratings[seat]);
    json_close(writer, ']');
}

/* One action with its number, seat, bytes and notation. */
static void put_action(JsonWriter *writer, uint32_t number, MashAction action, const char *word) {
    char memory[ACTION_DIGITS + 1];
    MashText digits = text_over(memory, sizeof memory);
    write_action(action, &digits);
    json_open(writer, '{');
    json_put_pair_int(writer, "n", number);
    json_put_pair_int(writer, "seat", action.seat);
    json_put_pair(writer, "action", memory);
    json_put_pair(writer, "word", word);
    json_close(writer, '}');
}

/* Replays on the trial state: the notation depends on the state before the action. */
static void put_actions(JsonWriter *writer, Match *match) {
    const MashContent *content = match->content;
    const MashGame *game = content->game;
    MashSetup setup = {.options = match->options, .options_count = game->options_count};
    MashChance chance = chance_seeded(match->seed, 0);
    memset(match->previous, 0, content->limits.state_bytes);
    MashStatus status = game->setup(content, &setup, &chance, match->previous);
    assert(status == MASH_OK);
    json_open_list(writer, "actions");
    for (uint32_t i = 0; i < match->actions_count; i++) {
        char memory[WORD_BYTES];
        MashText word = text_over(memory, sizeof memory);
        game->notation(content, match->previous, match->actions[i], &word);
        put_action(writer, i + 1, match->actions[i], memory);
        chance = chance_seeded(match->seed, i + 1);
        game->apply_listed(content, match->previous, match->actions[i], &chance, NULL);
    }
    (void)status;
    json_close(writer, ']');
}

/* How the match ended, or null if it is in progress. */
static void put_result(JsonWriter *writer, const Match *match) {
    MashResult result = match_result(match);
    json_put_key(writer, "result");
    if (!result.over) {
        json_put_null(writer);
        return;
    }
    char memory[WORD_BYTES];
    MashText why = text_over(memory, sizeof memory);
    match->content->game->name(match->content, NULL, MASH_NAME_REASON, result.reason, &why);
    json_open(writer, '{');
    json_put_key(writer, "winner");
    if (result.winner < MASH_SEATS)
        json_put_int(writer, result.winner);
    else
        json_put_null(writer);
    json_put_pair_int(writer, "reason", result.reason);
    json_put_pair(writer, "why", memory);
    json_close(writer, '}');
}

void match_file_write(Match *match, const MatchHeader *about, MashText *text) {
    JsonWriter writer = json_writer(text, 2);
    json_open(&writer, '{');
    put_head(&writer, match, about);
    put_actions(&writer, match);
    put_result(&writer, match);
    if (about->noted != NULL)
        match_notes_write(&about->noted->json, match->actions_count, &writer);
    json_close(&writer, '}');
    text_byte(text, '\n');
}

/* --- Reading everything before the actions ---------------------------------------------------- */

size_t match_file_bytes(uint32_t text_count) {
    /* A value takes at least two bytes of text; a decoded string with its end is shorter than the
     * string with its quotes. */
    return ((size_t)text_count / 2 + 2) * sizeof(JsonNode) + text_count;
}

/* A string of exactly `digits` hex digits. */
static bool digits_at(const Json *json, uint32_t object, const char *key, uint32_t digits,
                      char *out, MashProblems *problems) {
    if (!json_line_at(json, object, key, out, digits + 2, problems))
        return false;
    for (uint32_t i = 0; i < digits; i++)
        if (text_hex_digit(out[i]) < 0)
            return json_problem(json, json_member(json, object, key), problems,
                                "must be %u hexadecimal digits", digits);
    if (out[digits] != '\0')
        json_problem(json, json_member(json, object, key), problems,
                     "must be %u hexadecimal digits, but there are more", digits);
    return out[digits] == '\0';
}

/* The format, the game and the version of its rules; false and a problem if one is not supported.
 */
static bool read_game(MatchFile *file, MashProblems *problems) {
    const Json *json = &file->json;
    char id[NAME_BYTES];
    int32_t version;
    if (!json_int_at(json, 0, "mashup-match", 0, INT32_MAX, &version, problems))
        return false;
    if (version != MATCH_FILE_VERSION)
        return json_problem(json, json_member(json, 0, "mashup-match"), problems,
                            "unsupported format version %d (expected %d)", version,
                            (int)MATCH_FILE_VERSION);
    if (!json_line_at(json, 0, "game", id, sizeof id, problems) ||
        !json_int_at(json, 0, "version", 0, INT32_MAX, &version, problems))
        return false;
    file->game = mash_game_find(id);
    if (file->game == NULL)
        return json_problem(json, json_member(json, 0, "game"), problems, "unknown game \"%s\"",
                            id);
    if ((uint32_t)version == file->game->version)
        return true;
    return json_problem(json, json_member(json, 0, "version"), problems,
                        "the match was played with rules version %d; this program has version %u",
                        version, file->game->version);
}

/* The preset by its id, and its documents; false and a problem if there is none. */
static bool read_preset(MatchFile *file, MashProblems *problems) {
    char id[NAME_BYTES];
    if (!json_line_at(&file->json, 0, "preset", id, sizeof id, problems))
        return false;
    for (uint32_t i = 0; i < file->game->presets_count; i++)
        if (strcmp(file->game->presets[i].id, id) == 0)
            file->preset = file->game->presets[i].id;
    if (file->preset == NULL)
        return json_problem(&file->json, json_member(&file->json, 0, "preset"), problems,
                            "%s has no preset \"%s\"", file->game->id, id);
    file->documents_count = mash_documents_of_preset(file->game, file->preset, file->documents);
    return true;
}

/* Appends a decoded string to the pool, NUL-terminated; NULL: it does not fit. */
static const char *keep_string(const Json *json, uint32_t node, MashText *pool, uint32_t *count) {
    uint32_t start = pool->count;
    json_string(json, node, pool);
    *count = pool->count - start;
    text_byte(pool, '\0');
    return pool->truncated ? NULL : pool->bytes + start;
}

/* One document: the given text, or else the shipped one of this name; false and a problem if there
 * is none or it does not fit. */
static bool read_document(MatchFile *file, uint32_t node, MashText *pool, MashProblems *problems) {
    static const char *const keys[] = {"name", "text"};
    const Json *json = &file->json;
    MashDocument *document = &file->documents[file->documents_count];
    char name[NAME_BYTES];
    if (!json_expect_kind(json, node, JSON_OBJECT, problems) ||
        !json_refuse_unknown_keys(json, node, keys, 2, problems) ||
        !json_line_at(json, node, "name", name, sizeof name, problems))
        return false;
    uint32_t text = json_member(json, node, "text"), name_count;
    if (text == JSON_NONE) {
        *document = mash_document_shipped(file->game, name);
        if (document->count == 0)
            json_problem(json, node, problems, "no file \"%s\" comes with %s; its text is required",
                         name, file->game->id);
        file->documents_count++;
        return document->count > 0;
    }
    if (!json_expect_kind(json, text, JSON_STRING, problems))
        return false;
    document->name = keep_string(json, json_member(json, node, "name"), pool, &name_count);
    document->bytes = keep_string(json, text, pool, &document->count);
    file->documents_count++;
    if (document->name == NULL || document->bytes == NULL)
        json_problem(json, node, problems, "is too long");
    return document->name != NULL && document->bytes != NULL;
}

/* The documents, or those of a preset; false and problems if both or neither are present. */
static bool read_documents(MatchFile *file, MashText *pool, MashProblems *problems) {
    const Json *json = &file->json;
    if (json_member(json, 0, "documents") == JSON_NONE)
        return read_preset(file, problems);
    uint32_t list = json_expect_member(json, 0, "documents", JSON_ARRAY, problems);
    if (list == JSON_NONE)
        return false;
    if (json_member(json, 0, "preset") != JSON_NONE)
        return json_problem(json, list, problems, "give either preset or documents, not both");
    if (json->nodes[list].count == 0 || json->nodes[list].count > MASH_DOCUMENTS_MAX)
        return json_problem(json, list, problems, "must be 1 to %d files", (int)MASH_DOCUMENTS_MAX);
    bool fine = true;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next)
        fine &= read_document(file, i, pool, problems);
    return fine;
}

/* All options, defaults where one is missing; false and problems if one is invalid. */
static bool read_options(MatchFile *file, MashProblems *problems) {
    const Json *json = &file->json;
    const MashGame *game = file->game;
    const char *ids[MASH_OPTIONS_MAX];
    uint32_t object = json_expect_member(json, 0, "options", JSON_OBJECT, problems);
    if (object == JSON_NONE)
        return false;
    bool fine = true;
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        ids[i] = option->id;
        file->options[i] = option->usual;
        if (json_member(json, object, option->id) != JSON_NONE)
            fine &= json_int_at(json, object, option->id, option->least, option->most,
                                &file->options[i], problems);
    }
    return json_refuse_unknown_keys(json, object, ids, game->options_count, problems) && fine;
}

/* The names of both players; false and problems if there are not exactly two. */
static bool read_players(MatchFile *file, MashProblems *problems) {
    const Json *json = &file->json;
    uint32_t list = json_expect_member(json, 0, "players", JSON_ARRAY, problems), seat = 0;
    if (list == JSON_NONE)
        return false;
    if (json->nodes[list].count != MASH_SEATS)
        return json_problem(json, list, problems, "must be %d names", (int)MASH_SEATS);
    bool fine = true;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next)
        fine &= json_line(json, i, file->players[seat++], MATCH_PLAYER_BYTES, problems);
    return fine;
}

/* The ratings of both players, if the file has them; false and problems if there are not exactly
 * two. */
static bool read_ratings(MatchFile *file, MashProblems *problems) {
    const Json *json = &file->json;
    uint32_t list = json_member(json, 0, "ratings"), seat = 0;
    if (list == JSON_NONE)
        return true;
    if (!json_expect_kind(json, list, JSON_ARRAY, problems))
        return false;
    if (json->nodes[list].count != MASH_SEATS)
        return json_problem(json, list, problems, "must be %d ratings", (int)MASH_SEATS);
    bool fine = true;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next)
        fine &= json_int(json, i, 0, MATCH_RATING_MAX, &file->ratings[seat++], problems);
    return fine;
}

/* The seed and the number of actions; false and problems if these, the content's hash or any key
 * are invalid. */
static bool read_rest(MatchFile *file, MashProblems *problems) {
    static const char *const keys[] = {"mashup-match", "game",    "version", "preset",  "documents",
                                       "content",      "options", "seed",    "players", "actions",
                                       "result",       "notes",   "ratings"};
    const Json *json = &file->json;
    char digits[SEED_DIGITS + 2];
    bool fine = json_refuse_unknown_keys(json, 0, keys, sizeof keys / sizeof *keys, problems);
    fine &= digits_at(json, 0, "content", HASH_DIGITS, digits, problems);
    if (digits_at(json, 0, "seed", SEED_DIGITS, digits, problems))
        match_seed_read(digits, &file->seed);
    else
        fine = false;
    uint32_t actions = json_expect_member(json, 0, "actions", JSON_ARRAY, problems);
    if (actions == JSON_NONE)
        return false;
    file->actions_count = json->nodes[actions].count;
    return match_notes_check(json, file->actions_count, problems) && fine;
}

bool match_file_open(MatchFile *file, const char *name, const char *bytes, uint32_t count,
                     void *memory, size_t memory_bytes, MashProblems *problems) {
    *file = (MatchFile){.game = NULL};
    JsonNode *nodes = memory;
    size_t nodes_max = memory_bytes / sizeof *nodes;
    if (!json_read(&file->json, name, bytes, count, nodes,
                   nodes_max > UINT32_MAX ? UINT32_MAX : (uint32_t)nodes_max, problems) ||
        !json_expect_kind(&file->json, 0, JSON_OBJECT, problems) || !read_game(file, problems))
        return false;
    size_t used = file->json.nodes_count * sizeof *nodes, free_bytes = memory_bytes - used;
    char nothing[1];
    MashText pool = free_bytes == 0
                        ? text_over(nothing, 1)
                        : text_over((char *)memory + used,
                                    free_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)free_bytes);
    bool fine = read_documents(file, &pool, problems);
    fine &= read_options(file, problems);
    fine &= read_players(file, problems);
    fine &= read_ratings(file, problems);
    return read_rest(file, problems) && fine;
}

/* --- Replaying -------------------------------------------------------------------------------- */

/* One line of the list: is it well-formed, and is its notation the engine's? */
static bool read_line(const Json *json, uint32_t node, const Match *match, MashAction *action,
                      bool *word_fits, MashProblems *problems) {
    static const char *const keys[] = {"n", "seat", "action", "word"};
    char digits[ACTION_DIGITS + 2], said[WORD_BYTES], memory[WORD_BYTES];
    int32_t number, seat, due = (int32_t)match->actions_count + 1;
    if (!json_expect_kind(json, node, JSON_OBJECT, problems) ||
        !json_refuse_unknown_keys(json, node, keys, 4, problems) ||
        !json_int_at(json, node, "n", 0, INT32_MAX, &number, problems) ||
        !json_int_at(json, node, "seat", 0, 255, &seat, problems) ||
        !digits_at(json, node, "action", ACTION_DIGITS, digits, problems) ||
        !json_line_at(json, node, "word", said, sizeof said, problems))
        return false;
    if (number != due)
        return json_problem(json, json_member(json, node, "n"), problems,
                            "expected action number %d", due);
    *action = read_action(digits);
    if (action->seat != seat)
        return json_problem(json, json_member(json, node, "seat"), problems,
                            "the action belongs to seat %u", action->seat);
    *word_fits = true;
    if (match->content->game->check(match->content, match->state, *action) != MASH_OK)
        return true;
    MashText word = text_over(memory, sizeof memory);
    match->content->game->notation(match->content, match->state, *action, &word);
    *word_fits = strcmp(memory, said) == 0;
    if (!*word_fits)
        json_problem(json, json_member(json, node, "word"), problems,
                     "the action's bytes mean \"%s\"", memory);
    return true;
}

/* Replays all actions, up to the first that is refused or cannot be read; false and problems if
 * there is one, or a notation does not match. */
static bool replay_actions(const Json *json, Match *match, MashProblems *problems) {
    uint32_t list = json_member(json, 0, "actions");
    bool fine = true;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next) {
        MashAction action;
        bool word_fits = false;
        if (!read_line(json, i, match, &action, &word_fits, problems))
            return false;
        fine &= word_fits;
        MashStatus status = match_apply(match, action);
        if (status == MASH_OK)
            continue;
        return json_problem(json, i, problems, "action %u was refused: %s",
                            match->actions_count + 1, mash_status_sentence(status));
    }
    return fine;
}

/* Reports the actual result of the replayed match. */
static void result_problem(const Json *json, uint32_t node, const Match *match,
                           MashProblems *problems) {
    MashResult result = match_result(match);
    char memory[WORD_BYTES];
    MashText why = text_over(memory, sizeof memory);
    match->content->game->name(match->content, NULL, MASH_NAME_REASON, result.reason, &why);
    if (!result.over)
        json_problem(json, node, problems, "the match is not finished after these actions");
    else if (result.winner < MASH_SEATS)
        json_problem(json, node, problems, "the actual result is a win for seat %u, reason %u: %s",
                     result.winner, result.reason, memory);
    else
        json_problem(json, node, problems, "these actions end in a draw, reason %u: %s",
                     result.reason, memory);
}

/* Is the result the one that these actions lead to? False and a problem: it is not. */
static bool replay_result(const Json *json, const Match *match, MashProblems *problems) {
    static const char *const keys[] = {"winner", "reason", "why"};
    MashResult result = match_result(match);
    uint32_t node = json_member(json, 0, "result");
    if (node == JSON_NONE)
        return json_expect_member(json, 0, "result", JSON_OBJECT, problems) != JSON_NONE;
    if (json->nodes[node].kind == JSON_NULL && !result.over)
        return true;
    if (json->nodes[node].kind == JSON_NULL) {
        result_problem(json, node, match, problems);
        return false;
    }
    int32_t winner = MASH_SEAT_NONE, reason;
    uint32_t winner_node = json_member(json, node, "winner");
    bool drawn = winner_node != JSON_NONE && json->nodes[winner_node].kind == JSON_NULL;
    if (!json_expect_kind(json, node, JSON_OBJECT, problems) ||
        !json_refuse_unknown_keys(json, node, keys, 3, problems) ||
        (!drawn && !json_int_at(json, node, "winner", 0, MASH_SEATS - 1, &winner, problems)) ||
        !json_int_at(json, node, "reason", 0, 255, &reason, problems))
        return false;
    if (result.over && result.winner == winner && result.reason == reason)
        return true;
    result_problem(json, node, match, problems);
    return false;
}

bool match_file_replay(const MatchFile *file, const MashContent *content, void *memory,
                       Match *match, MashProblems *problems) {
    const Json *json = &file->json;
    assert(content->game == file->game);
    char digits[HASH_DIGITS + 2], hash[HASH_DIGITS + 1];
    MashText text = text_over(hash, sizeof hash);
    text_hex(&text, content->hash, HASH_DIGITS);
    if (!digits_at(json, 0, "content", HASH_DIGITS, digits, problems))
        return false;
    if (!text_equal_nocase(digits, hash))
        return json_problem(json, json_member(json, 0, "content"), problems,
                            "the match was played with different files (hash here: %s)", hash);
    MashSetup setup = {.options = file->options, .options_count = file->game->options_count};
    MashStatus status = match_begin(match, content, file->seed, &setup, memory);
    if (status != MASH_OK)
        return json_problem(json, json_member(json, 0, "options"), problems, "%s",
                            mash_status_sentence(status));
    return replay_actions(json, match, problems) && replay_result(json, match, problems);
}
