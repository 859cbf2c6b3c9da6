/* fmt.c -- mashup fmt: formats JSON files in the layout that the editors export. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/arguments.h"
#include "cli/files.h"

/* Upper bound of formatted bytes per input byte: every value on its own line at the maximum
 * depth. */
enum { GROWTH = 2 * JSON_DEPTH_MAX + 4 };

/* A file as read and as formatted; both texts are allocated. */
typedef struct FormattedFile {
    FileBytes file;
    MashText text;
} FormattedFile;

/* Reads and formats a file. CLI_FINE, or an error was printed. */
static int format_one(const char *path, FormattedFile *laid) {
    *laid = (FormattedFile){0};
    if (!files_read_or_input(path, &laid->file))
        return CLI_WRONG_USE;
    uint32_t bytes = laid->file.count;
    if (bytes > JSON_BYTES_MAX)
        bytes = JSON_BYTES_MAX;
    uint32_t nodes_max = bytes / 2 + 2, room = (bytes + 1) * GROWTH;
    JsonNode *nodes = cli_memory(nodes_max * sizeof *nodes);
    laid->text = text_over(cli_memory(room), room);
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    Json json;
    bool read =
        json_read(&json, path, laid->file.bytes, laid->file.count, nodes, nodes_max, &problems);
    if (read)
        json_format(&json, &laid->text);
    else
        cli_print_problem(path, &problem);
    free(nodes);
    assert(!laid->text.truncated);
    return read ? CLI_FINE : CLI_CHECK_FAILED;
}

/* Is the file formatted already? */
static bool is_laid_out(const FormattedFile *laid) {
    return laid->file.count == laid->text.count &&
           memcmp(laid->file.bytes, laid->text.bytes, laid->text.count) == 0;
}

/* The flags. */
typedef struct FormatOptions {
    bool check, write;
} FormatOptions;

/* Prints a formatted file, rewrites it, or reports that it would be rewritten. An exit code. */
static int format_file(const char *path, FormatOptions options) {
    FormattedFile laid;
    int code = format_one(path, &laid);
    if (code == CLI_FINE && options.check && !is_laid_out(&laid)) {
        printf("%s: would be reformatted\n", path);
        code = CLI_CHECK_FAILED;
    } else if (code == CLI_FINE && options.write && !is_laid_out(&laid)) {
        code = files_write(path, laid.text.bytes, laid.text.count) ? CLI_FINE : CLI_WRONG_USE;
        if (code == CLI_FINE)
            printf("%s: reformatted\n", path);
    } else if (code == CLI_FINE && !options.check && !options.write) {
        fwrite(laid.text.bytes, 1, laid.text.count, stdout);
    }
    free(laid.text.bytes);
    free(laid.file.bytes);
    return code;
}

static const Flag flags[] = {FLAG_SWITCH("check"), FLAG_SWITCH("write"), FLAGS_END};

static int run(const Arguments *given) {
    FormatOptions options = {flag_given(given, "check"), flag_given(given, "write")};
    if (options.check && options.write)
        return cli_wrong_use(given->command, "--check and --write cannot be combined");
    int worst = CLI_FINE;
    for (uint32_t i = 0; i < given->count; i++) {
        if (options.write && strcmp(given->words[i], "-") == 0)
            return cli_wrong_use(given->command,
                                 "--write needs files; standard input cannot be written");
        int code = format_file(given->words[i], options);
        worst = code > worst ? code : worst;
    }
    return worst;
}

const Command command_fmt = {"fmt",
                             "Formats JSON files the way the editor exports them.",
                             "fmt FILE... [--check | --write]",
                             run,
                             flags,
                             1,
                             ARGUMENTS_PLAIN_MAX,
                             NULL};
