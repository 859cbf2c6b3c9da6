/* join_screen.c -- the part of join.h that is seen. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/join.h"
#include "cli/terminal/screen.h"

enum { NEWS_MOST = 16, NAME_BYTES = 128, WHY_BYTES = 256 };

/* --- Lines and the prompt --------------------------------------------------------------------- */

void join_begin(Join *join) {
    if (!join->prompted)
        return;
    join->prompted = false;
    fputs(join->terminal.colours ? "\r\033[K" : "\n", stdout);
}

void join_prompt(Join *join) {
    fflush(stdout);
    if (join->prompted || !join->terminal.input || !join->terminal.output || join->over)
        return;
    if (client_awaited(join->client)) {
        join_print_side(join, client_table(join->client)->you);
        putchar(' ');
    }
    fputs("> ", stdout);
    fflush(stdout);
    join->prompted = true;
}

void join_say(Join *join, const char *format, ...) {
    va_list list;
    join_begin(join);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

void join_print_side(const Join *join, uint8_t seat) {
    char bytes[NAME_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    picture_side(&join->picture, seat, &text);
    fputs(bytes, stdout);
}

/* --- The table -------------------------------------------------------------------------------- */

void join_clear_table(Join *join) {
    if (join->content == NULL)
        return;
    story_release(&join->story);
    picture_release(&join->picture);
    action_menu_release(&join->choices);
    free(join->view);
    join->view = NULL;
    join->content = NULL;
    join->told = 0;
}

void join_set_table(Join *join, bool new_match) {
    const MashContent *content = client_table(join->client)->content;
    if (join->content == content && !new_match)
        return;
    join_clear_table(join);
    join->content = content;
    join->view = cli_memory(content->limits.state_bytes);
    story_init(&join->story, content);
    picture_init(&join->picture, &join->terminal, content);
    action_menu_init(&join->choices, content);
    join->played = false;
}

/* For whom the story is kept: our seat, or a spectator. */
static uint32_t reader_of(const ClientTable *table) {
    return table->you < MASH_SEATS ? table->you : STORY_WATCHER;
}

/* Takes the view and what may be done in it. */
static void look(Join *join) {
    const ClientTable *table = client_table(join->client);
    memcpy(join->view, table->view, join->content->limits.state_bytes);
    terminal_measure(&join->terminal);
    picture_take(&join->picture, join->view);
    join->choices.all_count = 0;
    if (client_awaited(join->client))
        action_menu_list(&join->choices, join->view, table->you);
    else
        action_menu_reset(&join->choices);
}

/* What is left of a time, in whole seconds. */
static void print_seconds(const char *what, int32_t left_ms) {
    if (left_ms >= 0)
        printf("%s %d s", what, (left_ms + 999) / 1000);
}

/* Prints in one line what is left of the times; nothing if none runs. */
static void print_clocks(const ClientTable *table) {
    const ClientClocks *clocks = &table->clocks;
    if (clocks->turn[0] < 0 && clocks->turn[1] < 0 && clocks->match < 0)
        return;
    fputs("time left:", stdout);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (clocks->turn[seat] >= 0) {
            printf(" %s", table->players[seat].name);
            print_seconds("", clocks->turn[seat]);
        }
    print_seconds(" the match", clocks->match);
    putchar('\n');
}

void join_draw(Join *join) {
    const ClientTable *table = client_table(join->client);
    if (table->view == NULL || join->content == NULL)
        return;
    join_begin(join);
    look(join);
    putchar('\n');
    print_clocks(table);
    screen_draw(&join->choices, &join->picture);
    if (join->choices.all_count > 0)
        putchar('\n');
    action_menu_print(&join->choices, &join->picture);
}

void join_draw_menu(Join *join) {
    join_begin(join);
    screen_draw_menu(&join->choices, &join->picture, join->view);
}

/* --- News ------------------------------------------------------------------------------------- */

/* Tells what has happened since the last position that was told, the last NEWS_MOST lines of it. */
static void tell_news(Join *join) {
    const ClientTable *table = client_table(join->client);
    uint32_t reader = reader_of(table);
    if (table->number != join->told)
        match_log_add_events(&join->story, join->content, table->view, &table->events,
                             table->number, reader);
    uint32_t lines = story_count(&join->story, reader, join->told + 1, table->number);
    if (lines > 0)
        join_begin(join);
    if (lines > NEWS_MOST)
        printf("  (%u lines; log tells the earlier ones again)\n", lines);
    story_print(&join->story, reader, join->told + 1, table->number,
                lines > NEWS_MOST ? lines - NEWS_MOST : 0, "  ");
    join->told = table->number;
}

/* Who has won and why, and the figures. */
static void tell_end(Join *join) {
    const ClientTable *table = client_table(join->client);
    MashResult result = table->game->result(table->content, table->view);
    char bytes[WHY_BYTES];
    MashText why = text_over(bytes, sizeof bytes);
    table->game->name(table->content, NULL, MASH_NAME_REASON, result.reason, &why);
    putchar('\n');
    if (result.winner < MASH_SEATS) {
        join_print_side(join, result.winner);
        printf(" (%s) has won: %s.\n\n", table->players[result.winner].name, bytes);
    } else {
        printf("The match is drawn: %s.\n\n", bytes);
    }
    picture_print_figures(&join->picture, join->view);
    puts(table->you < MASH_SEATS ? "\nrematch plays again, leave goes back to the lobby, quit ends."
                                 : "\nleave goes back to the lobby, quit ends.");
}

/* Says that it is the other player's turn, once for each time. */
static void tell_waiting(Join *join) {
    const ClientTable *table = client_table(join->client);
    uint8_t other = (uint8_t)(1 - table->you);
    bool waits = (table->awaited >> other & 1) != 0;
    if (waits && !join->waits)
        join_say(join, "  %s's turn.", table->players[other].name);
    join->waits = waits;
}

void join_take_position(Join *join) {
    const ClientTable *table = client_table(join->client);
    bool first = join->told == 0, mine = table->you < MASH_SEATS;
    bool over = table->game->result(table->content, table->view).over;
    tell_news(join);
    if (first || over || !mine || client_awaited(join->client))
        join_draw(join);
    else
        look(join);
    if (over && !join->played)
        tell_end(join);
    else if (!over && mine && !client_awaited(join->client))
        tell_waiting(join);
    join->waits &= !client_awaited(join->client);
    join->played = over;
    uint8_t offers = table->draw;
    if (offers < MASH_SEATS && mine && offers != table->you)
        join_say(join, "  %s offers a draw: accept or decline.", table->players[offers].name);
}

/* --- People ----------------------------------------------------------------------------------- */

void join_take_people(Join *join) {
    const ClientTable *table = client_table(join->client);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const ClientPlayer *now = &table->players[seat];
        ClientPlayer *old = &join->players[seat];
        if (seat != table->you && now->taken && old->taken && now->here != old->here)
            join_say(join, now->here ? "%s is back." : "%s has lost the connection or left.",
                     now->name);
        *old = *now;
    }
}

void join_print_people(const Join *join) {
    const ClientTable *table = client_table(join->client);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const ClientPlayer *player = &table->players[seat];
        fputs("  ", stdout);
        join_print_side(join, seat);
        if (player->taken)
            printf(" %s (%s)%s%s\n", player->name, choice_id(PROTO_ROLES_LIST, player->role),
                   seat == table->you ? ", you" : "", player->here ? "" : ", away just now");
        else
            puts(" nobody yet");
    }
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* A word of an object; empty: it is not there. */
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
        puts("  No table is open, and no match is on.");
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
