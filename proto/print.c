/* print.c -- see print.h. */
#include "proto/print.h"

#include "base/json.h"
#include "proto/fields.h"

/* --- The page --------------------------------------------------------------------------------- */

static const char page_head[] =
    "# The arena protocol, version 1\n"
    "\n"
    "This page is printed by `mashup protocol` from the list in `proto/message.h`; a test compares "
    "them.\n"
    "`docs/arena.schema.json` is the same as a JSON schema, printed by `mashup protocol "
    "--schema`.\n"
    "\n"
    "## How to talk\n"
    "\n"
    "Open a WebSocket at `ws://HOST:1218/arena`. Every message is one JSON object in one text "
    "frame; its key\n"
    "`type` names it. *Wishes* go to the house, *tells* come from it. The first wish is `hello`. "
    "Every wish is\n"
    "answered, if only by `refused` with its reason. Read tells leniently: keys that you do not "
    "know may come.\n"
    "The house reads strictly: a key that is not listed here is refused.\n"
    "\n"
    "A connection is at one table at most: at a seat, or watching. To play several matches, open "
    "several\n"
    "connections. A seat belongs to who has its `token`, not to a connection: with `return` it "
    "is taken up again\n"
    "from anywhere, also after the house was restarted, and the match goes on at the exact "
    "point. A table\n"
    "that waits is there again too. Who was away when his match ended is told its end for some "
    "minutes by `return`.\n"
    "When all players of a match are away it ends after five minutes (the server's "
    "`abandoned-seconds`), or with\n"
    "the grace time if that is shorter: the seat for which it waits loses, or who has been away "
    "longer if it waits for\n"
    "both or neither. A match in which no player has made an action is told to who is there and "
    "kept in no archive.\n"
    "\n"
    "A `position` tells all that you may see, every time: what happened, the whole board, what "
    "you may do. Its\n"
    "`number` counts, for your seat alone, how often what you see has changed. `act` names the "
    "position that it\n"
    "answers. If the position has changed meanwhile, the answer is `refused` with the code "
    "`late`: no offence, look\n"
    "at the newer position. An action that the other side makes in secret changes nothing for "
    "you, not even\n"
    "a number. Nothing is told before it is safe on the disk of the house.\n"
    "\n"
    "Three ways to spell an action in `act`: the numbers of an entry in `actions` (`verb`, `unit`, "
    "`ability` of the\n"
    "group, `x`, `y` and perhaps `other`, `amount` of the cell); or `word`, the words that "
    "stand there if `hello`\n"
    "asked for them; or `action`, the eight bytes of a MashAction in hexadecimal digits. The "
    "seat is always your own.\n"
    "\n"
    "Times: a seat's turn time runs while the match waits for it and starts anew with each "
    "turn; a warning comes when\n"
    "a fifth is left, and when it is over the rules of the game say what follows (in most games "
    "the match is lost).\n"
    "An awaited seat that says nothing at all for the silence time is warned when two fifths "
    "are left and then loses;\n"
    "whoever thinks longer says `here`. A lost connection has the grace time to come back; the "
    "clocks run on meanwhile.\n"
    "In a pause everything stands still; when `pause_ms` are over the match goes on by itself. "
    "A seat may pause\n"
    "as often as it likes, or `pauses` times if `table` tells a number. After a restart of the "
    "house turn, silence and\n"
    "grace times and the pauses begin anew;\n"
    "every seat has a minute at least to come back, and its turn does not run before it is back. "
    "A move that has come to\n"
    "the house before it looks at the clock counts, and while the house itself stands still all "
    "times do.\n"
    "\n"
    "A server has a least and a most for each time that `seek`, `open` and content name (usually "
    "turns of 1 second to\n"
    "1 hour, pauses up to 30 minutes, 10 minutes of grace). A time beyond them is not refused but "
    "becomes the nearest\n"
    "that is allowed; no limit becomes the most, where there is one. `table` tells what the match "
    "is played with.\n"
    "\n";
static const char page_rest[] =
    "Names and sentences are for people, in the language that `hello` asks for. Programs decide by "
    "ids: `kind_id`, `what_id`,\n"
    "`reason_id` and the `id` of meters, figures and groups of actions are the same in every "
    "language and stay; `role` says\n"
    "what a meter is in any game.\n"
    "\n"
    "Offences: what is no JSON object, or of an unknown type, or no text, costs the match and the "
    "connection at\n"
    "once. Other offences count, and an accepted wish clears the count; when it reaches "
    "`strikes` of `welcome` the\n"
    "match is lost. `refused` says for each whether it was one. Too many or too long frames end "
    "the connection.\n"
    "What one address (IPv6: one /64 network) may use is limited: tables, matches and bytes of a "
    "day, content of its\n"
    "own, robots: beyond it `quota` or `robots-busy`, whose reason says when to try again; "
    "messages over all its\n"
    "connections: beyond it `too-fast`, and who goes on is cut off (1008).\n"
    "Lists, lines, and coming to tables: five a second in the long run, forty at once; "
    "beyond it "
    "`too-fast`, no offence.\n"
    "Pauses of a seat: thirty at once and one every twenty seconds (fewer on huge boards), so that "
    "the other can play.\n"
    "\n"
    "An example (`>` a wish, `<` a tell):\n"
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
    text_string(text, "\n## Words to choose from\n");
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

/* All codes of refusals, the house's and the engine's, with their sentences. */
static void print_refusals(MashText *text) {
    text_string(text, "\n## Codes of `refused`\n\nBeside these the answers of the engine, listed "
                      "below; they are offences when they answer `act`.\n\n"
                      "| code | offence | sentence |\n|---|---|---|\n");
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
    text_string(text, "\nKeys in **bold** must be there, others may be left out.\n\n## Wishes\n");
    for (uint32_t i = 0; i < MESSAGE_SERVER_WELCOME; i++)
        print_fields(fields_of_message((MessageKind)i), text);
    text_string(text, "\n## Tells\n");
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

/* How the name of the message's schema begins. */
static const char *direction_of(uint32_t kind) {
    return message_from_client((MessageKind)kind) ? "wish-" : "tell-";
}

/* "wish" or "tell": one of all of its side. */
static void put_direction(JsonWriter *writer, bool wish) {
    json_put_key(writer, wish ? "wish" : "tell");
    json_open(writer, '{');
    json_put_key(writer, "oneOf");
    json_open(writer, '[');
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++) {
        if (message_from_client((MessageKind)i) != wish)
            continue;
        json_open(writer, '{');
        put_reference(writer, direction_of(i), message_type((MessageKind)i));
        json_close(writer, '}');
    }
    json_close(writer, ']');
    json_close(writer, '}');
}

void print_schema(MashText *text) {
    JsonWriter writer = json_writer(text, 4);
    json_open(&writer, '{');
    json_put_pair(&writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_put_pair(&writer, "title", "Messages of the Mashup arena");
    json_put_pair(
        &writer, "description",
        "wish: what a client sends; tell: what the house sends. Lengths of texts are bytes of "
        "UTF-8, which a schema cannot count.");
    json_put_key(&writer, "anyOf");
    json_open(&writer, '[');
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
