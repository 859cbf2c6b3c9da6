/* test_orders.c -- section 7 of RULES.md: orders from files, by rule number, and against the
 * published samples and agreed cases beside the project, if they are there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/zorde/state.h"
#include "tests/support/support.h"

#define ORACLES "../shared/oracles/zorde"
#define SIDES   "\n\nCALLIANCE\nHUMAN H0 0 2\nELF E0 2 2\n\nZORDE\nTROLL T0 0 0\nORK O0 2 0"
#define START   "BOARD\n3x3" SIDES
#define WRONG_NUMBER                                                                               \
    "Error : Move sequence contains wrong number of move steps. Input line ignored.\n\n"
#define EXCEEDED "Error : Game board boundaries are exceeded. Input line ignored.\n\n"
#define AT_START                                                                                   \
    "********\n*T0  O0*\n*      *\n*H0  E0*\n********\n\n"                                         \
    "E0\t70\t(70)\nH0\t100\t(100)\nO0\t200\t(200)\nT0\t150\t(150)\n\n"

enum { OUTPUT_MAX = 1 << 20, PROBLEMS = 8 };

static MashContent *content;
static char output[OUTPUT_MAX];
static MashText out;
static MashProblem problem_list[PROBLEMS];
static MashProblems problems;

static bool run_bytes(const char *initials, uint32_t initials_count, const char *commands,
                      uint32_t commands_count) {
    MashDocument list[] = {{"initials.txt", initials, initials_count},
                           {"commands.txt", commands, commands_count}};
    MashDocuments in = {.list = list, .count = 2};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    out = text_over(output, sizeof output);
    bool done = zorde_orders.convert(content, &in, &out, &problems);
    assert_int_equal(done, problems.count == 0);
    return done;
}

static bool run(const char *initials, const char *commands) {
    return run_bytes(initials, (uint32_t)strlen(initials), commands, (uint32_t)strlen(commands));
}

/* The output after the first position, which is that of START. */
static void after_start(const char *commands, const char *expected) {
    assert_true(run(START, commands));
    assert_memory_equal(output, AT_START, strlen(AT_START));
    assert_string_equal(output + strlen(AT_START), expected);
}

/* The output ends with this. */
static void ends_in(const char *initials, const char *commands, const char *ending) {
    assert_true(run(initials, commands));
    assert_true(out.count >= strlen(ending));
    assert_string_equal(output + out.count - strlen(ending), ending);
}

/* Refused, and problem number `index` is this one. */
static void refused(const char *initials, const char *commands, uint32_t index,
                    const char *document, uint32_t line, uint32_t column, const char *reason) {
    assert_false(run(initials, commands));
    assert_true(index < problems.count && index < PROBLEMS);
    assert_string_equal(problem_list[index].document, document);
    assert_int_equal(problem_list[index].line, line);
    assert_int_equal(problem_list[index].column, column);
    assert_string_equal(problem_list[index].reason, reason);
}

static void bad_initials(const char *initials, uint32_t line, uint32_t column, const char *reason) {
    refused(initials, "H0 0;1;", 0, "initials.txt", line, column, reason);
    assert_int_equal(problems.count, 1);
}

static void bad_commands(const char *commands, uint32_t line, uint32_t column, const char *reason) {
    refused(START, commands, 0, "commands.txt", line, column, reason);
    assert_int_equal(problems.count, 1);
}

/* --- By number -------------------------------------------------------------------------------- */

/* [7.6] [7.7] The position at the start; a board need not be square. */
static void the_start_is_written(void **unused) {
    (void)unused;
    after_start("", "");
    assert_true(
        run("BOARD\n4x2\n\nCALLIANCE\nDWARF D9 3 1\n\nZORDE\nGOBLIN G0 1 0\nGOBLIN G1 0 0", ""));
    assert_string_equal(output, "**********\n*G1G0    *\n*      D9*\n**********\n\n"
                                "D9\t120\t(120)\nG0\t80\t(80)\nG1\t80\t(80)\n\n");
}

/* [7.1] [7.10] Either side at any time; one position for each order, even if it was stopped. */
static void orders_are_carried_out(void **unused) {
    (void)unused;
    after_start("T0 1;0;\nT0 1;0;\n",
                "********\n*  T0O0*\n*      *\n*H0  E0*\n********\n\n"
                "E0\t70\t(70)\nH0\t100\t(100)\nO0\t200\t(200)\nT0\t150\t(150)\n\n"
                "********\n*  T0O0*\n*      *\n*H0  E0*\n********\n\n"
                "E0\t70\t(70)\nH0\t100\t(100)\nO0\t200\t(200)\nT0\t150\t(150)\n\n");
}

/* [7.1] No draw after 400 orders. */
static void no_limit_of_orders(void **unused) {
    (void)unused;
    static char commands[301 * 16];
    for (int i = 0; i < 300; i++)
        strcat(commands, "T0 1;0;\nT0 0;0;\n");
    strcat(commands, "O0 0;0;\n");
    assert_true(run(START, commands));
    uint32_t boards = 0;
    for (const char *c = output; (c = strstr(c, "E0\t70")) != NULL; c++)
        boards++;
    assert_int_equal(boards, 1 + 601);
}

/* [7.8] Counted before bounds are checked; an order without steps has the wrong number too
 * [7.3]. */
static void wrong_number_of_steps(void **unused) {
    (void)unused;
    after_start("E0 1;1;0;1;\nT0 -1;0;-1;0;\nO0 \nT0\n",
                WRONG_NUMBER WRONG_NUMBER WRONG_NUMBER WRONG_NUMBER);
}

/* [7.9] On the first step there is only the message, and no healing. */
static void first_step_off_the_board(void **unused) {
    (void)unused;
    after_start("H0 -1;0;0;0;0;0;\nO0 0;-1;\nE0 0;1;0;0;0;0;0;0;\nO0 1;0;\n",
                EXCEEDED EXCEEDED EXCEEDED EXCEEDED);
    /* A hurt ork that leaves the board is not healed: it still has what the dwarf left it. */
    ends_in("BOARD\n3x1\n\nCALLIANCE\nDWARF D0 0 0\n\nZORDE\nORK O0 2 0", "D0 1;0;-1;0;\nO0 1;0;",
            "D0\t120\t(120)\nO0\t180\t(200)\n\n" EXCEEDED);
}

/* [7.9] Earlier steps remain with their attacks; there is no last attack. */
static void later_step_off_the_board(void **unused) {
    (void)unused;
    after_start("H0 0;-1;-1;0;0;0;\n",
                "********\n*T0  O0*\n*H0    *\n*    E0*\n********\n\n"
                "E0\t70\t(70)\nH0\t100\t(100)\nO0\t200\t(200)\nT0\t150\t(150)\n\n" EXCEEDED);
    after_start("E0 0;-1;-1;0;1;0;1;0;\n",
                "********\n*T0  O0*\n*    E0*\n*H0    *\n********\n\n"
                "E0\t70\t(70)\nH0\t100\t(100)\nO0\t155\t(200)\nT0\t135\t(150)\n\n" EXCEEDED);
}

/* [7.11] The unit is its own friend: the position follows, no attack; an ork has healed before. */
static void staying_put_counts_as_stopped(void **unused) {
    (void)unused;
    const char *start = "BOARD\n3x1\n\nCALLIANCE\nDWARF D0 0 0\n\nZORDE\nORK O0 2 0";
    ends_in(start, "D0 1;0;0;0;\nD0 0;0;-1;0;", "D0\t120\t(120)\nO0\t180\t(200)\n\n");
    ends_in(start, "D0 1;0;0;0;\nO0 0;0;", "D0\t120\t(120)\nO0\t190\t(200)\n\n");
}

/* [7.12] Unknown and dead units, before their steps are counted. */
static void orders_to_nobody(void **unused) {
    (void)unused;
    after_start("Z9 0;1;\nT1 0;0;0;0;\n", "");
    ends_in("BOARD\n3x1\n\nCALLIANCE\nELF E0 0 0\nELF E1 1 0\n\nZORDE\nTROLL T0 2 0",
            "E1 1;0;0;0;0;0;0;0;\nE1 1;0;\nT0 0;1;\n",
            "*E0  T0*\n********\n\nE0\t70\t(70)\nT0\t65\t(150)\n\n" EXCEEDED);
}

/* [7.13] The last enemy dies on the first step: the others are made, off the board without a
 * message. */
static void steps_behind_the_last_death(void **unused) {
    (void)unused;
    const char *start =
        "BOARD\n5x1\n\nCALLIANCE\nDWARF D0 0 0\nDWARF D1 4 0\n\nZORDE\nGOBLIN G0 2 0";
    const char *hits = "D0 1;0;-1;0;\nD0 1;0;-1;0;\nD0 1;0;-1;0;\n";
    char commands[256];
    snprintf(commands, sizeof commands, "%sD0 1;0;1;0;\nD1 0;0;0;0;\n", hits);
    ends_in(start, commands,
            "D0\t120\t(120)\nD1\t120\t(120)\nG0\t20\t(80)\n\n"
            "************\n*    D0  D1*\n************\n\n"
            "D0\t120\t(120)\nD1\t120\t(120)\n\n\nGame Finished\nCalliance Wins");
    snprintf(commands, sizeof commands, "%sD0 1;0;1;1;\n", hits);
    ends_in(start, commands,
            "D0\t120\t(120)\nD1\t120\t(120)\nG0\t20\t(80)\n\n"
            "************\n*  D0    D1*\n************\n\n"
            "D0\t120\t(120)\nD1\t120\t(120)\n\n\nGame Finished\nCalliance Wins");
}

/* [7.14] Winner, draw, and nothing when the orders end first; orders after the end do nothing. */
static void the_end_is_written(void **unused) {
    (void)unused;
    const char *start = "BOARD\n2x1\n\nCALLIANCE\nELF E0 0 0\n\nZORDE\nORK O0 1 0";
    ends_in(start, "E0 1;0;0;0;0;0;0;0;\nO0 -1;0;\nO0 1;0;1;0;",
            "*  O0*\n******\n\nO0\t115\t(200)\n\n\nGame Finished\nZorde Wins");
    ends_in("BOARD\n3x1\n\nCALLIANCE\nDWARF D0 0 0\n\nZORDE\nGOBLIN G0 2 0",
            "D0 1;0;-1;0;\nG0 -1;0;-1;0;0;0;0;0;\n",
            "*D0    *\n********\n\nD0\t40\t(120)\n\n\nGame Finished\nCalliance Wins");
}

/* [7.14] The ork has 200 - 3 * 30 + 2 * 10 = 130 when a human of 100 steps onto it: 100 to 100. */
static void a_draw_is_written(void **unused) {
    (void)unused;
    ends_in("BOARD\n3x2\n\nCALLIANCE\nHUMAN H0 0 0\n\nZORDE\nORK O0 2 0",
            "H0 1;0;-1;0;1;0;\nH0 -1;0;0;1;1;0;\nH0 0;-1;-1;0;1;0;\nO0 0;0;\nO0 0;0;\n"
            "H0 1;0;0;0;0;0;\n",
            "H0\t100\t(100)\nO0\t130\t(200)\n\n********\n*      *\n*      *\n********\n\n\n\n"
            "Game Finished\nDraw");
}

/* [7.15] No order is carried out. */
static void a_side_may_be_empty_from_the_start(void **unused) {
    (void)unused;
    assert_true(run("BOARD\n1x1\n\nCALLIANCE\n\nZORDE\nORK O0 0 0\n", "O0 0;0;"));
    assert_string_equal(output,
                        "****\n*O0*\n****\n\nO0\t200\t(200)\n\n\nGame Finished\nZorde Wins");
    assert_true(run("BOARD\n1x1\n\nCALLIANCE\n\nZORDE", ""));
    assert_string_equal(output, "****\n*  *\n****\n\n\n\nGame Finished\nDraw");
}

/* [7.4] Line ends of either kind, the last one missing, empty lines at the end. */
static void line_ends(void **unused) {
    (void)unused;
    static char wanted[8192];
    const char *position = "********\n*  T0O0*\n*      *\n*H0  E0*\n********\n\n"
                           "E0\t70\t(70)\nH0\t100\t(100)\nO0\t200\t(200)\nT0\t150\t(150)\n\n";
    after_start("T0 1;0;", position);
    after_start("T0 1;0;\n", position);
    after_start("T0 1;0;\r\n", position);
    after_start("T0 1;0\r\n\r\n\n", position);
    assert_true(run(START "\n\n\r\n", "\n"));
    assert_string_equal(output, AT_START);
    assert_true(run("BOARD\r\n3x3\n\nCALLIANCE\r\nHUMAN H0 0 2\n\r\nZORDE\n\n", "\r\n"));
    strcpy(wanted, "********\r\n*      *\r\n*      *\r\n*H0    *\r\n********\r\n\r\n"
                   "H0\t100\t(100)\r\n\r\n\r\nGame Finished\r\nCalliance Wins");
    assert_string_equal(output, wanted);
}

/* [7.2] [7.5] Blocks and lines of the initials. */
static void initials_out_of_format(void **unused) {
    (void)unused;
    bad_initials("", 1, 1, "expected the line BOARD here");
    bad_initials("board\n3x3" SIDES, 1, 1, "expected the line BOARD here");
    bad_initials("BOARD \n3x3" SIDES, 1, 1, "expected the line BOARD here");
    bad_initials("\xef\xbb\xbf" START, 1, 1, "expected the line BOARD here");
    bad_initials("BOARD\n3x3\nCALLIANCE\n", 3, 1, "expected an empty line here");
    bad_initials("BOARD\n3x3", 3, 1, "expected an empty line here");
    bad_initials("BOARD\n3x3\n\nZORDE\n", 4, 1, "expected the line CALLIANCE here");
    bad_initials("BOARD\n3x3\n\nCALLIANCE\nELF E0 0 0", 6, 1,
                 "expected an empty line and the line ZORDE here");
    bad_initials("BOARD\n3x3\n\nCALLIANCE\nELF E0 0 0\n\n", 7, 1, "expected the line ZORDE here");
    refused("BOARD\n3x3\n\nCALLIANCE\nELF E0 0 0\nZORDE\nORK O0 1 1", "", 0, "initials.txt", 6, 1,
            "a unit of this side begins with its kind and a space: HUMAN, ELF, DWARF");
    bad_initials("BOARD\n3x3\n\nCALLIANCE\n\nZORDE\n\nORK O0 1 1", 8, 1,
                 "unexpected empty line: only allowed at the end of the file");
}

/* [1.1] [7.2] */
static void boards_out_of_format(void **unused) {
    (void)unused;
    const char *form = "the size of the board must be width, x and height, such as 6x6";
    bad_initials("BOARD\n", 2, 1, form);
    bad_initials("BOARD\n3" SIDES, 2, 2, form);
    bad_initials("BOARD\n3X3" SIDES, 2, 2, form);
    bad_initials("BOARD\n03x3" SIDES, 2, 1, form);
    bad_initials("BOARD\n3x3 " SIDES, 2, 4, form);
    bad_initials("BOARD\n-3x3" SIDES, 2, 1, form);
    bad_initials("BOARD\n3x0" SIDES, 2, 1, "a board has from 1x1 to 100x100 cells");
    bad_initials("BOARD\n101x3" SIDES, 2, 1, "a board has from 1x1 to 100x100 cells");
    bad_initials("BOARD\n3x4294967299" SIDES, 2, 1, "a board has from 1x1 to 100x100 cells");
    bad_initials("BOARD\n99999999999999999999999x3" SIDES, 2, 1,
                 "a board has from 1x1 to 100x100 cells");
    assert_true(run("BOARD\n100x100\n\nCALLIANCE\nELF E0 99 99\n\nZORDE\nORK O0 0 99", ""));
    assert_int_equal(out.count, 102 * 203 + 1 + 11 + 13 + 1);
}

/* [1.2] [1.4] [7.2] One line of an army. */
static void units_out_of_format(void **unused) {
    (void)unused;
#define ARMY(line) "BOARD\n3x2\n\nCALLIANCE\nELF E0 0 0\n" line "\n\nZORDE\nORK O0 1 1"
    const char *kinds = "a unit of this side begins with its kind and a space: HUMAN, ELF, DWARF";
    const char *x = "x must be a whole number from 0 to 2";
    const char *y = "y must be a whole number from 0 to 1";
    bad_initials(ARMY("ELVE E1 1 0"), 6, 1, kinds);
    bad_initials(ARMY("elf E1 1 0"), 6, 1, kinds);
    bad_initials(ARMY("ELF"), 6, 1, kinds);
    bad_initials(ARMY(" ELF E1 1 0"), 6, 1, kinds);
    bad_initials(ARMY("ORK O1 1 0"), 6, 1, kinds);
    bad_initials(ARMY("ELF "), 6, 5, "the ID of the unit is missing: a letter and a digit");
    bad_initials(ARMY("ELF E"), 6, 5, "the ID of the unit is missing: a letter and a digit");
    bad_initials(ARMY("ELF E1"), 6, 7, "expected one space and x here");
    bad_initials(ARMY("ELF E10 1 0"), 6, 7, "expected one space and x here");
    bad_initials(ARMY("ELF E1 1"), 6, 9, "expected one space and y here");
    bad_initials(ARMY("ELF E1 1  0"), 6, 10, y);
    bad_initials(ARMY("ELF E1 3 0"), 6, 8, x);
    bad_initials(ARMY("ELF E1 -1 0"), 6, 8, x);
    bad_initials(ARMY("ELF E1 +1 0"), 6, 8, x);
    bad_initials(ARMY("ELF E1 01 0"), 6, 8, x);
    bad_initials(ARMY("ELF E1 1 2"), 6, 10, y);
    bad_initials(ARMY("ELF E1 1 256"), 6, 10, y);
    bad_initials(ARMY("ELF E1 1 4294967296"), 6, 10, y);
    bad_initials(ARMY("ELF E1 1 0 "), 6, 11, "unexpected text after y");
    bad_initials(ARMY("ELF E1 1 0\rELF E2 1 1"), 6, 11, "unexpected text after y");
    bad_initials(ARMY("ELF H1 1 0"), 6, 5,
                 "the ID of a unit must start with the letter of its kind");
    bad_initials(ARMY("ELF EE 1 0"), 6, 5,
                 "the ID of a unit must be a letter and one digit from 0 to 9");
    bad_initials(ARMY("ELF E0 1 0"), 6, 5, "duplicate unit ID");
    bad_initials(ARMY("ELF E1 0 0"), 6, 5, "this cell is already occupied");
    refused(ARMY("ELF E0 1 0\nHUMAN H0 9 9"), "X", 2, "commands.txt", 1, 1,
            "an order begins with the ID of a unit: a capital letter and a digit");
    assert_int_equal(problems.count, 3);
}

/* [7.3] [7.5] One line of the commands; those after the end of the game are read as well. */
static void commands_out_of_format(void **unused) {
    (void)unused;
    const char *id = "an order begins with the ID of a unit: a capital letter and a digit";
    const char *number = "each number of a step must be -1, 0 or 1 and a semicolon";
    const char *half = "the last step has only one number; a step is two, such as 0;-1;";
    bad_commands("H", 1, 1, id);
    bad_commands("h0 0;1;", 1, 1, id);
    bad_commands("HH 0;1;", 1, 1, id);
    bad_commands(" H0 0;1;", 1, 1, id);
    bad_commands("H00;1;", 1, 3, "expected one space after the ID");
    bad_commands("H0\t0;1;", 1, 3, "expected one space after the ID");
    bad_commands("H0  0;1;", 1, 4, number);
    bad_commands("H0 2;1;", 1, 4, number);
    bad_commands("H0 0;-2;", 1, 6, number);
    bad_commands("H0 0;+1;", 1, 6, number);
    bad_commands("H0 0;-0;", 1, 6, number);
    bad_commands("H0 0;01;", 1, 6, number);
    bad_commands("H0 0;10;", 1, 6, number);
    bad_commands("H0 0,1;", 1, 4, number);
    bad_commands("H0 0;1;;", 1, 8, number);
    bad_commands("H0 ;", 1, 4, number);
    bad_commands("H0 0;1; ", 1, 8, number);
    bad_commands("H0 0;99999999999999999999;", 1, 6, number);
    bad_commands("H0 0;1;0;", 1, 10, half);
    bad_commands("H0 1", 1, 5, half);
    bad_commands("T0 1;0;\nZ9 1;0;\nT0 1;0;0;0;\nT0 x", 4, 4, number);
    bad_commands("\nT0 1;0;", 2, 1, "unexpected empty line: only allowed at the end of the file");
    bad_commands("T0 1;0;\n \n", 2, 1, id);
    assert_false(run("BOARD\n1x1\n\nCALLIANCE\n\nZORDE\nORK O0 0 0", "?"));
}

/* [7.5] NUL bytes are bytes like any other, and long lines are lines. */
static void odd_bytes(void **unused) {
    (void)unused;
    assert_false(run_bytes(START, (uint32_t)strlen(START), "T0 1;0;\0", 8));
    assert_int_equal(problem_list[0].column, 8);
    assert_false(run_bytes("BOARD\n3x3\0", 10, "", 0));
    assert_int_equal(problem_list[0].line, 2);
    uint32_t length = 3 + 4 * 250000;
    char *line = malloc(length + 1);
    memcpy(line, "T0 ", 4);
    for (uint32_t i = 3; i < length; i += 4)
        memcpy(line + i, "0;1;", 5);
    after_start(line, WRONG_NUMBER);
    line[length - 2] = 'x';
    bad_commands(line, 1, length - 1, "each number of a step must be -1, 0 or 1 and a semicolon");
    free(line);
}

/* [7.5] Output that does not fit and files that are missing. */
static void no_half_outputs(void **unused) {
    (void)unused;
    MashDocument list[] = {{"initials.txt", START, (uint32_t)strlen(START)}, {"c.txt", "", 0}};
    MashDocuments in = {.list = list, .count = 2};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    MashText exact = text_over(output, (uint32_t)strlen(AT_START) + 1);
    assert_true(zorde_orders.convert(content, &in, &exact, &problems));
    exact = text_over(output, (uint32_t)strlen(AT_START));
    assert_false(zorde_orders.convert(content, &in, &exact, &problems));
    assert_string_equal(problem_list[0].document, "c.txt");
    in.count = 1;
    assert_false(zorde_orders.convert(content, &in, &exact, &problems));
    assert_string_equal(problem_list[1].reason,
                        "two documents are needed: first the initials, then the commands");
}

/* [1.4] [7.2] All sixty units that six letters and ten digits give, and not one more. */
static void sixty_units(void **unused) {
    (void)unused;
    static char initials[4096];
    static const char *const kinds[] = {"HUMAN", "ELF", "DWARF", "ORK", "TROLL", "GOBLIN"};
    strcpy(initials, "BOARD\n10x6\n\nCALLIANCE\n");
    for (int i = 0; i < 60; i++) {
        if (i == 30)
            strcat(initials, "\nZORDE\n");
        sprintf(initials + strlen(initials), "%s %c%d %d %d\n", kinds[i / 10], kinds[i / 10][0],
                9 - i % 10, i % 10, i / 10);
    }
    ends_in(initials, "G9 0;-1;0;0;0;0;0;0;", "T8\t150\t(150)\nT9\t150\t(150)\n\n");
    strcat(initials, "TROLL T0 0 0\n");
    bad_initials(initials, 67, 7, "duplicate unit ID");
}

/* --- Against samples and cases beside the project --------------------------------------------- */

/* A whole file in new memory with a NUL after it; NULL if it cannot be read. */
static char *read_whole(const char *folder, const char *name, uint32_t *count) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *bytes = malloc(OUTPUT_MAX);
    *count = (uint32_t)fread(bytes, 1, OUTPUT_MAX - 1, file);
    bytes[*count] = '\0';
    fclose(file);
    return bytes;
}

/* Drops CR, blanks at the ends of lines and empty lines. */
static void squeeze(char *text) {
    char *to = text;
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '\r')
            continue;
        while (*c == '\n' && to > text && (to[-1] == ' ' || to[-1] == '\t'))
            to--;
        if (*c != '\n' || (to > text && to[-1] != '\n'))
            *to++ = *c;
    }
    if (to > text && to[-1] == '\n')
        to--;
    *to = '\0';
}

/* Plays the files; false if they are not there. `exact`: to the byte. */
static bool compare(const char *folder, const char *initials_name, const char *commands_name,
                    const char *expected_name, bool exact) {
    uint32_t counts[3];
    char *initials = read_whole(folder, initials_name, &counts[0]);
    char *commands = read_whole(folder, commands_name, &counts[1]);
    char *expected = read_whole(folder, expected_name, &counts[2]);
    bool there = initials != NULL && commands != NULL && expected != NULL;
    if (there) {
        if (!run_bytes(initials, counts[0], commands, counts[1]))
            fail_msg("%s: line %u: %s", problem_list[0].document, problem_list[0].line,
                     problem_list[0].reason);
        if (!exact) {
            squeeze(expected);
            squeeze(output);
        }
        assert_string_equal(output, expected);
    }
    free(initials);
    free(commands);
    free(expected);
    return there;
}

/* The third one has mixed line ends and one empty line too many. */
static void published_samples(void **unused) {
    (void)unused;
    for (int i = 1; i <= 4; i++) {
        char names[3][32];
        snprintf(names[0], sizeof names[0], "initials%d.txt", i);
        snprintf(names[1], sizeof names[1], "commands%d.txt", i);
        snprintf(names[2], sizeof names[2], "output%d.txt", i);
        if (!compare(ORACLES "/samples", names[0], names[1], names[2], i != 3))
            skip();
    }
}

static void agreed_cases(void **unused) {
    (void)unused;
    int found = 0;
    for (int i = 0; i < 1000; i++) {
        char folder[256];
        snprintf(folder, sizeof folder, ORACLES "/cases/%03d", i);
        found += compare(folder, "initials.txt", "commands.txt", "expected.txt", true);
    }
    print_message("%d cases\n", found);
    if (found == 0)
        skip();
}

static int set_up(void **unused) {
    (void)unused;
    content = support_content(&zorde_game, NULL);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    support_free(content);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_is_written),
        cmocka_unit_test(orders_are_carried_out),
        cmocka_unit_test(no_limit_of_orders),
        cmocka_unit_test(wrong_number_of_steps),
        cmocka_unit_test(first_step_off_the_board),
        cmocka_unit_test(later_step_off_the_board),
        cmocka_unit_test(staying_put_counts_as_stopped),
        cmocka_unit_test(orders_to_nobody),
        cmocka_unit_test(steps_behind_the_last_death),
        cmocka_unit_test(the_end_is_written),
        cmocka_unit_test(a_draw_is_written),
        cmocka_unit_test(a_side_may_be_empty_from_the_start),
        cmocka_unit_test(line_ends),
        cmocka_unit_test(initials_out_of_format),
        cmocka_unit_test(boards_out_of_format),
        cmocka_unit_test(units_out_of_format),
        cmocka_unit_test(commands_out_of_format),
        cmocka_unit_test(odd_bytes),
        cmocka_unit_test(no_half_outputs),
        cmocka_unit_test(sixty_units),
        cmocka_unit_test(published_samples),
        cmocka_unit_test(agreed_cases),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
