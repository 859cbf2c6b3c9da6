/* print.c -- see print.h. */
#include "proto/print.h"

#include "base/json.h"
#include "proto/message_fields.h"

/* --- The page --------------------------------------------------------------------------------- */

static const char page_head[] =
    "# The arena protocol, version 1\n"
    "\n"
    "This page is printed by `mashup protocol` from the list in `proto/message.h`; a test compares "
    "them.\n"
    "`docs/arena.schema.json` is the same as a JSON schema, printed by `mashup protocol "
    "--schema`.\n"
    "\n"
    "## Basics\n"
    "\n"
    "Open a WebSocket at `ws://HOST:1218/arena`. Every message is one JSON object in one text "
    "frame; its key\n"
    "`type` names it. The client sends *requests*, the server sends *messages*. The first request "
    "is `hello`.\n"
    "Every request is answered, if only with `refused` and a reason. Ignore keys you don't know: "
    "new ones may be\n"
    "added. The server is strict: it refuses keys that are not listed here.\n"
    "\n"
    "A connection is at most at one table, playing or watching. To play several matches, open "
    "several\n"
    "connections. A seat belongs to whoever has its `token`, not to a connection: `return` takes "
    "it back from\n"
    "anywhere, even after a server restart, and the match resumes exactly where it was. A waiting "
    "table is\n"
    "restored too. If you were away when the match ended, `return` still reports the result for "
    "some minutes.\n"
    "When all players of a match are away, it ends after five minutes (the server's "
    "`abandoned-seconds`), or\n"
    "after the grace time if that is shorter: the player to move loses; if it is both players' "
    "turn, or neither's,\n"
    "the one who has been away longer. A match without a single action by a player is reported to "
    "those who are\n"
    "connected, but not archived.\n"
    "\n"
    "A `position` is always complete: what happened, the whole board and what you may do. Its "
    "`number` is\n"
    "counted per seat and increases whenever what that seat sees changes. `act` names the position "
    "that it\n"
    "answers. If the position has changed in the meantime, the answer is `refused` with code "
    "`late`. That is not\n"
    "an offence; use the newer position. An action that your opponent makes in secret changes "
    "nothing for you, not\n"
    "even a number. Nothing is sent before it is safely on the server's disk.\n"
    "\n"
    "Three ways to write an action in `act`: the numbers of an entry in `actions` (`verb`, `unit`, "
    "`ability` of\n"
    "the group, `x`, `y` and perhaps `other`, `amount` of the cell); or `word`, the words given "
    "there if `hello`\n"
    "asked for them; or `action`, the eight bytes of a MashAction in hexadecimal digits. The seat "
    "is always your\n"
    "own.\n"
    "\n"
    "Times: a seat's turn time runs while the match waits for it and starts again with each turn. "
    "A warning is\n"
    "sent when a fifth is left; when it runs out, the rules of the game decide what happens (in "
    "most games the\n"
    "match is lost). A player to move who stays silent for the silence time is warned when two "
    "fifths are left\n"
    "and then loses; send `here` if you need longer. After a lost connection you have the grace "
    "time to\n"
    "reconnect; the clocks keep running. Then the other player has won, or, with `leavers` in its "
    "`hello`, chooses\n"
    "(`leaver`): the win, a draw, or to play on against an AI player. A pause stops everything; "
    "after `pause_ms` the match "
    "resumes\n"
    "automatically. A player may pause as often as they like, or `pauses` times if `table` has "
    "that number. After\n"
    "a server restart, turn, silence and grace times and the pauses start again; every player has "
    "at least a\n"
    "minute to reconnect, and a turn does not run before its player is back. A move counts if it "
    "arrives before\n"
    "the server checks the clock, and clocks do not run while the server itself is stalled.\n"
    "\n"
    "A server has a minimum and a maximum for each time in `seek`, `open` and game files (by "
    "default turns of 1\n"
    "second to 1 hour, pauses up to 30 minutes, 10 minutes of grace). A time outside these limits "
    "is not refused\n"
    "but replaced by the nearest one allowed; \"no limit\" becomes the maximum, where there is "
    "one. `table` has the\n"
    "times of the match.\n"
    "\n";
static const char page_rest[] =
    "Names and sentences are for people, in the language that `hello` asks for. Programs decide by "
    "ids: `kind_id`, `what_id`,\n"
    "`reason_id` and the `id` of meters, figures and groups of actions are the same in every "
    "language and stay; `role` says\n"
    "what a meter is in any game.\n"
    "\n"
    "Offences: a message that is not a JSON object, has an unknown type or is not text loses the "
    "match and\n"
    "closes the connection at once. Other offences are counted, and an accepted request resets the "
    "count; when it\n"
    "reaches `strikes` of `welcome`, the match is lost. `refused` says whether a request was an "
    "offence. After\n"
    "a refused `act` or `acts` that was one, a client of the role `ai` gets its position once "
    "more, "
    "with the same\n"
    "number and without events, so that a program that only answers positions goes on. Too many\n"
    "or too long frames close the connection.\n"
    "Each address (IPv6: each /64 network) has limits for tables, matches and bytes per day, "
    "custom files and AI\n"
    "players; beyond them the answer is `quota` or `robots-busy`, and its reason says when to try "
    "again. The\n"
    "messages of all its connections are limited too: beyond that `too-fast`, and persistent "
    "senders are\n"
    "disconnected (1008).\n"
    "Rate limit for lists, chat lines and joining tables: five per second, bursts of forty; beyond "
    "that\n"
    "`too-fast` (not an offence).\n"
    "Pauses of one player: bursts of thirty and one every twenty seconds (fewer on huge boards), "
    "so that the\n"
    "opponent can play.\n"
    "\n"
    "An example (`>` a request, `<` a message):\n"
    "\n"
    "```\n"
    "> {\"type\":\"hello\",\"name\":\"Ann\",\"role\":\"person\",\"words\":true}\n"
    "< {\"type\":\"welcome\",\"protocol\":1,...}\n"
    "> {\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\",\"level\":1,\"seat\":0}\n"
    "< {\"type\":\"table\",\"code\":\"k7qf-2m9x-w3ab\",\"you\":0,\"token\":\"...\","
    "\"state\":\"running\",...}\n"
    "< {\"type\":\"position\",\"number\":1,\"you\":0,\"awaited\":[0],\"board\":{...},"
    "\"actions\":[...],...}\n"
    "> {\"type\":\"act\",\"position\":1,\"verb\":1,\"unit\":0,\"x\":1,\"y\":0}\n"
    "< {\"type\":\"position\",\"number\":2,...}\n"
    "```\n";

/* A message or shape with its fields, as a table. */
static void print_fields(const Fields *fields, MashText *text) {
    text_format(text, "\n### %s\n\n%s\n", fields->id, fields->meaning);
    fields_print_table(fields, text);
}

/* All lists of words, each word with its meaning. */
static void print_choices(MashText *text) {
#define PROTO_ROW(name, prefix) #name,
    static const char *const names[] = {PROTO_CHOICES(PROTO_ROW)};
#undef PROTO_ROW
    text_string(text, "\n## Enumerations\n");
    for (uint32_t list = 0; list < PROTO_CHOICES_COUNT; list++) {
        uint32_t count;
        const ProtoChoice *choices = proto_choices((ProtoChoices)list, &count);
        text_byte(text, '\n');
        for (const char *c = names[list]; *c != '\0'; c++)
            text_byte(text, c == names[list] ? *c : *c == '_' ? ' ' : (char)(*c - 'A' + 'a'));
        text_string(text, ":\n\n");
        for (uint32_t i = 0; i < count; i++)
            text_format(text, "- `%s`: %s\n", choices[i].id, choices[i].meaning);
    }
}

/* All codes of refusals, the server's and the engine's, with their sentences. */
static void print_refusals(MashText *text) {
    text_string(text, "\n## Codes of `refused`\n"
                      "\n"
                      "In addition, the engine's own codes listed below; they are offences when "
                      "they answer `act`.\n"
                      "\n"
                      "| code | offence | sentence |\n"
                      "|---|---|---|\n");
    for (uint32_t i = 0; i < REFUSAL_COUNT; i++)
        text_format(text, "| %s | %s | %s |\n", refusal_code((Refusal)i),
                    refusal_offence((Refusal)i) ? "yes" : "no", refusal_sentence((Refusal)i));
    text_string(text, "\nThe engine's:\n\n");
    for (uint32_t i = 1; i < MASH_STATUS_COUNT; i++)
        text_format(text, "- %s: %s\n", mash_status_id((MashStatus)i),
                    mash_status_sentence((MashStatus)i));
}

/* All kinds of events with their meanings. */
static void print_events(MashText *text) {
#define MASH_ROW(name, id, other, list, meaning) {id, meaning},
    static const ProtoChoice events[] = {MASH_EVENTS(MASH_ROW)};
#undef MASH_ROW
    text_string(text, "\n## Kinds of event\n\nFields that a kind does not use are 0, units 255.\n"
                      "In `happened` an event is the 16 bytes of a MashEvent "
                      "(`include/mashup.h`).\n\n");
    for (uint32_t i = 1; i < MASH_EVENT_KINDS; i++)
        text_format(text, "- `%s`: %s\n", events[i].id, events[i].meaning);
}

void print_protocol(MashText *text) {
    text_string(text, page_head);
    text_string(text, page_rest);
    text_string(text, "\nKeys in **bold** are required, the others optional.\n\n## Requests\n");
    for (uint32_t i = 0; i < MESSAGE_SERVER_WELCOME; i++)
        print_fields(fields_of_message((MessageKind)i), text);
    text_string(text, "\n## Messages\n");
    for (uint32_t i = MESSAGE_SERVER_WELCOME; i < MESSAGE_COUNT; i++)
        print_fields(fields_of_message((MessageKind)i), text);
    text_string(text, "\n## Objects inside messages\n");
    for (uint32_t i = 0; i < SHAPE_COUNT; i++)
        print_fields(fields_of_shape((MessageShape)i), text);
    print_choices(text);
    print_refusals(text);
    print_events(text);
}

/* --- The schema ------------------------------------------------------------------------------- */

/* "$ref": "#/$defs/NAME" */
static void put_reference(JsonWriter *writer, const char *before, const char *id) {
    char memory[96];
    MashText name = text_over(memory, sizeof memory);
    text_format(&name, "#/$defs/%s%s", before, id);
    json_put_pair(writer, "$ref", memory);
}

/* One definition; `type` NULL: a shape, which has none. */
static void put_fields(JsonWriter *writer, const Fields *fields, const char *type, bool open) {
    json_open(writer, '{');
    json_put_pair(writer, "description", fields->meaning);
    fields_write_schema(writer, fields, type, open);
    json_close(writer, '}');
}

/* The prefix of the name of the message's schema. */
static const char *direction_of(uint32_t kind) {
    return message_from_client((MessageKind)kind) ? "wish-" : "tell-";
}

/* "wish" (client message) or "tell" (server message): any one of that direction. */
static void put_direction(JsonWriter *writer, bool from_client) {
    json_put_key(writer, from_client ? "wish" : "tell");
    json_open(writer, '{');
    json_put_key(writer, "oneOf");
    json_open(writer, '[');
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++) {
        if (message_from_client((MessageKind)i) != from_client)
            continue;
        json_open(writer, '{');
        put_reference(writer, direction_of(i), message_type((MessageKind)i));
        json_close(writer, '}');
    }
    json_close(writer, ']');
    json_close(writer, '}');
}

JsonWriter print_schema_head(MashText *text, uint32_t indent, const char *title,
                             const char *description) {
    JsonWriter writer = json_writer(text, indent);
    json_open(&writer, '{');
    json_put_pair(&writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_put_pair(&writer, "title", title);
    json_put_pair(&writer, "description", description);
    json_put_key(&writer, "anyOf");
    json_open(&writer, '[');
    return writer;
}

void print_schema(MashText *text) {
    JsonWriter writer = print_schema_head(
        text, 4, "Messages of the Mashup arena",
        "wish: a request of the client; tell: a message of the server. Lengths are in "
        "UTF-8 bytes (not enforced by the schema).");
    for (uint32_t side = 0; side < 2; side++) {
        json_open(&writer, '{');
        put_reference(&writer, "", side == 0 ? "wish" : "tell");
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    json_put_key(&writer, "$defs");
    json_open(&writer, '{');
    put_direction(&writer, true);
    put_direction(&writer, false);
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++) {
        char memory[96];
        MashText name = text_over(memory, sizeof memory);
        const Fields *fields = fields_of_message((MessageKind)i);
        text_format(&name, "%s%s", direction_of(i), fields->id);
        json_put_key(&writer, memory);
        put_fields(&writer, fields, fields->id, !message_from_client((MessageKind)i));
    }
    for (uint32_t i = 0; i < SHAPE_COUNT; i++) {
        const Fields *fields = fields_of_shape((MessageShape)i);
        json_put_key(&writer, fields->id);
        put_fields(&writer, fields, NULL, true);
    }
    json_close(&writer, '}');
    json_close(&writer, '}');
    text_byte(text, '\n');
}
