/* check.c -- mashup check: validates content files of any game and match files, and prints every
 * problem with its location.
 *
 * A document is loaded in place of the one of its kind among the default documents of its game:
 * only so can it be checked against them. Problems that then appear in the others are reported
 * separately from its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/document_kinds.h"
#include "cli/files.h"
#include "cli/match_files.h"

enum { PROBLEMS_MAX = 1000, LINE_BYTES = 1024, NAME_BYTES = 2 * KINDS_WORD_BYTES };

/* Shared by all files. */
typedef struct Checker {
    const Command *self;
    const MashGame *game;                     /* --game, or NULL */
    const char *kind;                         /* --kind as an ending, or NULL */
    bool match;                               /* --kind match */
    MashDocument company[MASH_DOCUMENTS_MAX]; /* --content */
    uint32_t company_count;
    MashProblem *list; /* PROBLEMS_MAX */
    void *scratch;
    MashContent *content; /* memory for the content of any game */
} Checker;

/* A file that was read. */
typedef struct CheckedFile {
    const char *path;
    FileBytes file;
    JsonNode *nodes;
    Json json;
    MashProblem fault; /* why it is not JSON */
    bool is_json;
} CheckedFile;

/* The result of loading it as one kind: its own problems and those of the other documents. */
typedef struct CheckResult {
    MashProblems problems;
    uint32_t own, others;
    char name[NAME_BYTES]; /* the name its own problems are reported with */
} CheckResult;

/* --- Files to check --------------------------------------------------------------------------- */

/* Reads a file and its JSON. False: it cannot be read; an error was printed. A file that is not
 * JSON is read too, and has a `fault`. */
static bool subject_read(CheckedFile *subject, const char *path) {
    *subject = (CheckedFile){.path = path};
    if (!files_read_or_input(path, &subject->file))
        return false;
    /* No text has more values than half its bytes, and longer ones are refused. */
    uint32_t bytes = subject->file.count, longest = JSON_BYTES_MAX;
    uint32_t nodes = (bytes < longest ? bytes : longest) / 2 + 2;
    MashProblems problems = {.list = &subject->fault, .max = 1};
    subject->nodes = cli_memory(nodes * sizeof *subject->nodes);
    subject->is_json = json_read(&subject->json, path, subject->file.bytes, bytes, subject->nodes,
                                 nodes, &problems);
    return true;
}

/* Frees the file and what was read of it. */
static void subject_release(CheckedFile *subject) {
    free(subject->nodes);
    free(subject->file.bytes);
}

/* --- Loading ---------------------------------------------------------------------------------- */

/* How many problems are in the list; more may have been found. */
static uint32_t kept(const MashProblems *problems) {
    return problems->count < problems->max ? problems->count : problems->max;
}

/* Problems beyond the list count as its own. */
static void count_problems(CheckResult *findings) {
    uint32_t shown = kept(&findings->problems);
    findings->others = 0;
    for (uint32_t i = 0; i < shown; i++)
        findings->others += strcmp(findings->problems.list[i].document, findings->name) != 0;
    findings->own = findings->problems.count - findings->others;
}

/* The default documents with those of --content and the checked file in their places. The file gets
 * a short name with the right ending, so that the loader takes it whatever its file name is. */
static uint32_t collect_documents(const Checker *checker, const DocumentKind *kind,
                                  const CheckedFile *subject, const char *name,
                                  MashDocument out[MASH_DOCUMENTS_MAX]) {
    uint32_t count = mash_documents_of_preset(kind->game, NULL, out), usual = count;
    for (uint32_t i = 0; i < checker->company_count; i++) {
        MashDocument with = checker->company[i];
        for (uint32_t j = 0; j < usual; j++)
            if (strcmp(mash_document_kind(out[j].name), mash_document_kind(with.name)) == 0)
                out[j] = with;
    }
    MashDocument document = {name, subject->file.bytes, subject->file.count};
    bool room = mash_documents_replace(out, &count, document);
    assert(room);
    return count;
}

/* Loads the file as a document of this kind among the others of a content; counts the problems. */
static void try_kind(const Checker *checker, const DocumentKind *kind, const CheckedFile *subject,
                     CheckResult *findings) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    snprintf(findings->name, sizeof findings->name, "this%s", kinds_ending(kind));
    uint32_t count = collect_documents(checker, kind, subject, findings->name, list);
    MashDocuments documents = {list, count, checker->scratch, MASH_SCRATCH_BYTES};
    findings->problems = (MashProblems){.list = checker->list, .max = PROBLEMS_MAX};
    bool loaded = kind->game->load(&documents, checker->content, &findings->problems);
    assert(loaded == (findings->problems.count == 0));
    count_problems(findings);
}

/* The kind with the fewest problems. */
static DocumentKind nearest_kind(const Checker *checker, const Kinds *kinds,
                                 const CheckedFile *subject) {
    DocumentKind best = kinds->list[0];
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < kinds->count && kinds->count > 1; i++) {
        CheckResult findings;
        try_kind(checker, &kinds->list[i], subject, &findings);
        if (findings.own < least) {
            least = findings.own;
            best = kinds->list[i];
        }
    }
    return best;
}

/* --- Reports ---------------------------------------------------------------------------------- */

/* The plural ending of a counted word. */
static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

/* Reports the result. 0, or 1 if there are problems. */
static int report(const Checker *checker, const DocumentKind *kind, const CheckedFile *subject) {
    CheckResult findings;
    char word[KINDS_WORD_BYTES], with[LINE_BYTES];
    try_kind(checker, kind, subject, &findings);
    kinds_word(kinds_ending(kind), word);
    const MashProblems *problems = &findings.problems;
    for (uint32_t i = 0; i < kept(problems); i++) {
        const MashProblem *problem = &problems->list[i];
        bool own = strcmp(problem->document, findings.name) == 0;
        snprintf(with, sizeof with, "%s: with %s", subject->path, problem->document);
        if (own || findings.own == 0)
            cli_print_problem(own ? subject->path : with, problem);
    }
    if (problems->count > problems->max)
        fprintf(stderr, "%s: ... and %u more\n", subject->path, problems->count - problems->max);
    if (findings.own > 0)
        printf("%s: %u problem%s (%s, %s)\n", subject->path, findings.own, plural(findings.own),
               kind->game->id, word);
    else if (findings.others > 0)
        printf("%s: ok on its own (%s, %s), but not with the %s files\n", subject->path,
               kind->game->id, word, checker->company_count > 0 ? "given" : "default");
    else
        printf("%s: ok (%s, %s)\n", subject->path, kind->game->id, word);
    return problems->count == 0 ? CLI_FINE : CLI_CHECK_FAILED;
}

/* Prints why a file is not JSON. Always CLI_CHECK_FAILED. */
static int report_fault(const CheckedFile *subject) {
    cli_print_problem(subject->path, &subject->fault);
    printf("%s: 1 problem\n", subject->path);
    return CLI_CHECK_FAILED;
}

/* Replays a match file; the caller keeps its text. */
static int report_match(const Checker *checker, const CheckedFile *subject) {
    static SavedMatch saved;
    bool read = saved_match_open(subject->path, subject->file, &saved);
    bool fine = read && (checker->game == NULL || checker->game == saved.file.game);
    if (read && !fine)
        fprintf(stderr, "%s: this is a %s match, not %s\n", subject->path, saved.file.game->id,
                checker->game->id);
    if (fine)
        printf("%s: ok (%s, match of %u action%s)\n", subject->path, saved.file.game->id,
               saved.file.actions_count, plural(saved.file.actions_count));
    else
        printf("%s: refused (match)\n", subject->path);
    if (read)
        saved_match_release(&saved);
    free(saved.nodes);
    return fine ? CLI_FINE : CLI_CHECK_FAILED;
}

/* --- Recognising ------------------------------------------------------------------------------ */

/* All kinds, or those of the game that was named. */
static void kinds_asked_for(const Checker *checker, Kinds *kinds) {
    kinds_all(kinds);
    if (checker->game != NULL)
        kinds_keep_game(kinds, checker->game);
}

/* Has the file a meaningful ending? ".json" alone is not. */
static bool is_specific(const char *ending) {
    return ending[0] != '\0' && strcmp(ending, ".json") != 0;
}

/* Reports that no kind matches and which are close. Always CLI_WRONG_USE. */
static int unknown(const Checker *checker, const CheckedFile *subject, const char *ending) {
    Kinds kinds;
    char memory[LINE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    kinds_asked_for(checker, &kinds);
    kinds_suggest(&kinds, ending, &text);
    const char *whose = checker->game == NULL ? "any game" : checker->game->title;
    if (is_specific(ending))
        fprintf(stderr, "%s: no file of %s ends in %s%s\n", subject->path, whose, ending, memory);
    else
        fprintf(stderr, "%s: not a recognised file of %s%s\n", subject->path, whose, memory);
    return CLI_WRONG_USE;
}

/* Checks a file as the kind given by --kind or its name, else as the most similar kind. An exit
 * code. */
static int check_subject(const Checker *checker, const CheckedFile *subject) {
    const char *ending = checker->kind != NULL ? checker->kind : mash_document_kind(subject->path);
    Kinds all, kinds;
    kinds_asked_for(checker, &all);
    kinds = all;
    kinds_keep_ending(&kinds, ending);
    bool match = subject->is_json && json_member(&subject->json, 0, "mashup-match") != JSON_NONE;
    if (checker->match || (kinds.count == 0 && checker->kind == NULL && match))
        return report_match(checker, subject);
    if (kinds.count == 0 && is_specific(ending))
        return unknown(checker, subject, ending);
    bool by_ending = kinds.count > 0; /* then the one with the fewest problems is meant */
    if (kinds.count == 0)
        kinds = all;
    if (!subject->is_json && kinds.count > 1)
        return report_fault(subject);
    if (kinds.count > 1 && !by_ending)
        kinds_keep_shape(&kinds, &subject->json);
    if (kinds.count == 0)
        return unknown(checker, subject, "");
    DocumentKind kind = nearest_kind(checker, &kinds, subject);
    return report(checker, &kind, subject);
}

/* --- The command ------------------------------------------------------------------------------ */

/* "start", "start.json" and ".start.json" are the same. */
static bool take_kind(Checker *checker, const char *given, char ending[KINDS_WORD_BYTES + 8]) {
    char word[KINDS_WORD_BYTES], memory[LINE_BYTES];
    if (given == NULL)
        return true;
    kinds_word(given, word);
    snprintf(ending, KINDS_WORD_BYTES + 8, ".%s.json", word);
    checker->match = strcmp(word, "match") == 0;
    checker->kind = ending;
    Kinds kinds, fitting;
    kinds_asked_for(checker, &kinds);
    fitting = kinds;
    kinds_keep_ending(&fitting, ending);
    if (checker->match || fitting.count > 0)
        return true;
    MashText text = text_over(memory, sizeof memory);
    kinds_suggest(&kinds, ending, &text);
    cli_wrong_use(checker->self, "unknown kind \"%s\"%s", given, memory);
    return false;
}

/* Reads the documents of --content. False: an error was printed. */
static bool take_companions(Checker *checker, const FlagGiven *flag) {
    for (uint32_t i = 0; i < flag->count; i++) {
        const char *path = flag->values[i];
        FileBytes file;
        Kinds kinds;
        char memory[LINE_BYTES];
        MashText text = text_over(memory, sizeof memory);
        kinds_all(&kinds);
        kinds_suggest(&kinds, mash_document_kind(path), &text);
        kinds_keep_ending(&kinds, mash_document_kind(path));
        if (kinds.count == 0) {
            cli_wrong_use(checker->self, "no game file ends like %s%s", path, memory);
            return false;
        }
        if (!files_read(path, &file))
            return false;
        checker->company[checker->company_count++] =
            (MashDocument){path, cli_keep(file.bytes), file.count};
    }
    return true;
}

/* Allocates memory for anything that is loaded. */
static void checker_init(Checker *checker) {
    size_t room = 0;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        room = (*game)->content_bytes_max > room ? (*game)->content_bytes_max : room;
    checker->list = cli_memory(PROBLEMS_MAX * sizeof *checker->list);
    checker->scratch = cli_memory(MASH_SCRATCH_BYTES);
    checker->content = cli_memory(room);
}

/* Frees all memory of the check. */
static void checker_release(Checker *checker) {
    free(checker->list);
    free(checker->scratch);
    free(checker->content);
}

static const Flag flags[] = {FLAG_TEXT("kind"), FLAG_TEXT("game"),
                             FLAG_LIST(MASH_DOCUMENTS_MAX, "content"), FLAGS_END};

static int run(const Arguments *given) {
    char ending[KINDS_WORD_BYTES + 8];
    Checker checker = {.self = given->command};
    if (!game_config_named(given, &checker.game) ||
        !take_kind(&checker, flag_text(given, "kind"), ending) ||
        !take_companions(&checker, flag_find(given, "content")))
        return CLI_WRONG_USE;
    checker_init(&checker);
    int worst = CLI_FINE;
    for (uint32_t i = 0; i < given->count; i++) {
        CheckedFile subject;
        int code = CLI_WRONG_USE;
        if (subject_read(&subject, given->words[i])) {
            code = check_subject(&checker, &subject);
            subject_release(&subject);
        }
        fflush(stdout);
        worst = code > worst ? code : worst;
    }
    checker_release(&checker);
    return worst;
}

const Command command_check = {"check",
                               "Checks game files and match files and reports every problem.",
                               "check FILE... [--kind KIND] [--game GAME] [--content FILE]...",
                               run,
                               flags,
                               1,
                               ARGUMENTS_PLAIN_MAX,
                               NULL};
