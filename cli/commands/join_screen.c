/* join_screen.c -- see join.h: what is printed about an arena table beside its board. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/commands/join.h"

enum { WHY_BYTES = 256 };

/* --- The table -------------------------------------------------------------------------------- */

/* What is left of a time, in whole seconds. */
static void print_seconds(const char *what, int32_t left_ms) {
    if (left_ms >= 0)
        printf("%s %d s", what, (left_ms + 999) / 1000);
}

void join_print_clocks(const OnlineMatch *online) {
    const ClientTable *table = client_table(online->client);
    const ClientClocks *clocks = &table->clocks;
    if (clocks->turn[0] < 0 && clocks->turn[1] < 0 && clocks->match < 0)
        return;
    fputs("Time left:", stdout);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (clocks->turn[seat] >= 0) {
            printf(" %s", table->players[seat].name);
            print_seconds("", clocks->turn[seat]);
        }
    print_seconds(" the match", clocks->match);
    putchar('\n');
}

/* --- News ------------------------------------------------------------------------------------- */

/* Prints who won and why, and the statistics. */
static void print_end(Join *join) {
    const ClientTable *table = join_table(join);
    MashResult result = table->game->result(table->content, table->view);
    char bytes[WHY_BYTES];
    MashText why = text_over(bytes, sizeof bytes);
    table->game->name(table->content, NULL, MASH_NAME_REASON, result.reason, &why);
    putchar('\n');
    if (result.winner < MASH_SEATS) {
        online_print_side(&join->online, result.winner);
        printf(" (%s) won: %s.\n\n", table->players[result.winner].name, bytes);
    } else {
        printf("Draw: %s.\n\n", bytes);
    }
    picture_print_figures(&join->online.picture, join->online.view);
    puts(table->you < MASH_SEATS ? "\nType rematch to play again, leave for the lobby, or quit."
                                 : "\nType leave for the lobby, or quit.");
}

/* Prints that it is the opponent's turn, once per turn. */
static void say_waiting(Join *join) {
    const ClientTable *table = join_table(join);
    uint8_t other = (uint8_t)(1 - table->you);
    bool waits = (table->awaited >> other & 1) != 0;
    if (waits && !join->waits)
        online_say(&join->online, "  %s's turn.", table->players[other].name);
    join->waits = waits;
}

void join_take_position(Join *join) {
    const ClientTable *table = join_table(join);
    bool mine = table->you < MASH_SEATS;
    bool over = table->game->result(table->content, table->view).over;
    online_show(&join->online, over);
    if (over && !join->played)
        print_end(join);
    else if (!over && mine && !client_awaited(join_client(join)))
        say_waiting(join);
    join->waits &= !client_awaited(join_client(join));
    join->played = over;
    uint8_t offers = table->draw;
    if (offers < MASH_SEATS && mine && offers != table->you)
        online_say(&join->online, "  %s offers a draw. Type accept or decline.",
                   table->players[offers].name);
}

/* --- People ----------------------------------------------------------------------------------- */

void join_take_people(Join *join) {
    const ClientTable *table = join_table(join);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const ClientPlayer *now = &table->players[seat];
        ClientPlayer *old = &join->players[seat];
        if (seat != table->you && now->taken && old->taken && now->here != old->here)
            online_say(&join->online, now->here ? "%s is back." : "%s lost the connection or left.",
                       now->name);
        *old = *now;
    }
}

void join_print_people(const Join *join) {
    const ClientTable *table = join_table(join);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const ClientPlayer *player = &table->players[seat];
        fputs("  ", stdout);
        online_print_side(&join->online, seat);
        if (player->taken)
            printf(" %s (%s)%s%s\n", player->name, choice_id(PROTO_ROLES_LIST, player->role),
                   seat == table->you ? ", you" : "", player->here ? "" : ", disconnected");
        else
            puts(" (open)");
    }
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* A string member of an object; empty: it is missing. */
static const char *word_at(const Json *json, uint32_t object, const char *key,
                           char out[WHY_BYTES]) {
    MashProblems ignored = {.max = 0};
    out[0] = '\0';
    if (json_member(json, object, key) != JSON_NONE)
        json_line_at(json, object, key, out, WHY_BYTES, &ignored);
    return out;
}

void join_print_matches(const Message *message) {
    const Json *json = &message->json;
    char code[WHY_BYTES], game[WHY_BYTES], state[WHY_BYTES], name[WHY_BYTES];
    uint32_t list = message->matches_list.matches.node;
    if (json->nodes[list].count == 0)
        puts("  No open tables and no matches in progress.");
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next) {
        printf("  %s  %-18s %-8s", word_at(json, i, "code", code), word_at(json, i, "game", game),
               word_at(json, i, "state", state));
        uint32_t players = json_member(json, i, "players");
        for (uint32_t j = json_first(json, players); j != JSON_NONE; j = json->nodes[j].next)
            if (word_at(json, j, "name", name)[0] != '\0')
                printf(" %s", name);
        putchar('\n');
    }
}

void join_print_games(const Message *message) {
    const Json *json = &message->json;
    char id[WHY_BYTES], title[WHY_BYTES];
    for (uint32_t i = json_first(json, message->games_list.games.node); i != JSON_NONE;
         i = json->nodes[i].next)
        printf("  %-18s %s\n", word_at(json, i, "id", id), word_at(json, i, "title", title));
}
