/* loaded_content.c -- see loaded_content.h: loaded contents, shared by the tables that play them.
 * Presets are loaded when the server opens and stay loaded; others are freed with their last table.
 */
#include <stdlib.h>
#include <string.h>

#include "server/internal.h"
#include "server/loaded_content.h"

/* Is this the code of the language or of a variant of it: "de-AT" of "de"? */
static bool is_language(const char *language, const char *code) {
    size_t count = strlen(language);
    return count > 0 && strncmp(language, code, count) == 0 &&
           (code[count] == '\0' || code[count] == '-');
}

uint8_t language_find(const Server *server, const char *code) {
    for (uint8_t i = LANGUAGE_USUAL + 1; i < LANGUAGES_MAX; i++)
        if (is_language(server->languages[i], code))
            return i;
    return LANGUAGE_USUAL;
}

/* The number of the language, assigned if there is room; LANGUAGE_USUAL: there is no room. */
static uint8_t language_number(Server *server, const char *code) {
    for (uint8_t i = LANGUAGE_USUAL + 1; i < LANGUAGES_MAX; i++) {
        MashText kept = text_over(server->languages[i], sizeof server->languages[i]);
        if (server->languages[i][0] == '\0')
            text_string(&kept, code);
        if (strcmp(server->languages[i], code) == 0)
            return i;
    }
    return LANGUAGE_USUAL;
}

/* Is the document one of those that the content was loaded from? */
static bool is_own(const LoadedContent *loaded, const MashDocument *document) {
    for (uint32_t i = 0; i < loaded->documents_count; i++)
        if (loaded->documents[i].bytes == document->bytes)
            return true;
    return false;
}

/* Loads the languages that come with the game, except the content's own; a language whose texts do
 * not fit the documents is omitted. */
static void load_languages(Server *server, LoadedContent *loaded, const MashGame *game) {
    MashDocument document;
    for (uint32_t i = 0; (document = mash_texts_shipped(game, i)).count > 0; i++) {
        MashProblem list[1];
        MashProblems problems = {.list = list, .max = 1};
        MashDocuments documents = {&document, 1, scratch_take(&server->load, MASH_SCRATCH_BYTES),
                                   MASH_SCRATCH_BYTES};
        MashTexts *texts = malloc(game->texts_bytes);
        uint8_t number = LANGUAGE_USUAL;
        if (documents.scratch != NULL && texts != NULL &&
            game->load_texts(loaded->content, &documents, texts, &problems))
            number = language_number(server, mash_texts_language(texts));
        if (number == LANGUAGE_USUAL || is_own(loaded, &document) || loaded->texts[number] != NULL)
            free(texts);
        else
            loaded->texts[number] = texts;
    }
}

/* Loads the content from its documents. False: see the problems. */
static bool load(Server *server, LoadedContent *loaded, const MashGame *game,
                 MashProblems *problems) {
    MashDocuments documents = {loaded->documents, loaded->documents_count,
                               scratch_take(&server->load, MASH_SCRATCH_BYTES), MASH_SCRATCH_BYTES};
    size_t bytes = ((size_t)game->content_bytes_max + 63) / 64 * 64;
    loaded->content = aligned_alloc(64, bytes);
    if (documents.scratch == NULL || loaded->content == NULL)
        return false;
    memset(loaded->content, 0, bytes);
    if (!game->load(&documents, loaded->content, problems))
        return false;
    load_languages(server, loaded, game);
    uint32_t state_bytes = loaded->content->limits.state_bytes;
    return scratch_take(&server->view, state_bytes) != NULL &&
           scratch_take(&server->old_view, state_bytes) != NULL;
}

/* Frees a content. */
static void drop(Server *server, LoadedContent *loaded) {
    if (loaded->account != NULL)
        loaded->account->content_bytes -= loaded->bytes;
    account_leave(server, loaded->account);
    for (uint32_t i = 0; i < LANGUAGES_MAX; i++)
        free(loaded->texts[i]);
    free(loaded->content);
    free(loaded->kept);
    free(loaded);
}

/* The first problem as a sentence. */
static void write_problem(const MashProblems *problems, MashText *text) {
    if (problems->count == 0) {
        text_string(text, "out of memory for the content");
        return;
    }
    const MashProblem *first = &problems->list[0];
    text_format(text, "%s:%u:%u: %s: %s", first->document, first->line, first->column, first->path,
                first->reason);
    if (problems->count > 1)
        text_format(text, " (and %u more)", problems->count - 1);
}

/* Loads a preset; a preset that does not load is an error. */
static bool open_preset(Server *server, const MashGame *game, const MashPreset *preset,
                        MashText *problem) {
    MashProblem list[SERVER_PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = SERVER_PROBLEMS_MAX};
    LoadedContent *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        text_string(problem, "out of memory");
        return false;
    }
    loaded->preset = preset;
    loaded->documents_count = mash_documents_of_preset(game, preset->id, loaded->documents);
    if (!load(server, loaded, game, &problems)) {
        write_problem(&problems, problem);
        drop(server, loaded);
        return false;
    }
    loaded->next = server->contents;
    server->contents = loaded;
    return true;
}

bool contents_open(Server *server, MashText *problem) {
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        for (uint32_t i = 0; i < (*game)->presets_count; i++)
            if (!open_preset(server, *game, &(*game)->presets[i], problem))
                return false;
    return true;
}

void contents_close(Server *server) {
    while (server->contents != NULL) {
        LoadedContent *loaded = server->contents;
        server->contents = loaded->next;
        drop(server, loaded);
    }
}

LoadedContent *content_of_preset(Server *server, const MashGame *game, const char *preset) {
    if (preset == NULL)
        preset = game->presets[0].id;
    for (LoadedContent *loaded = server->contents; loaded != NULL; loaded = loaded->next)
        if (loaded->preset != NULL && loaded->content->game == game &&
            strcmp(loaded->preset->id, preset) == 0)
            return loaded;
    return NULL;
}

/* Replaces documents of the preset by copies of these. False: see the problem. */
static bool replace(LoadedContent *loaded, const MashGame *game, const MessageDocuments *documents,
                    MashText *problem) {
    size_t bytes = 1;
    for (uint32_t i = 0; i < documents->count; i++)
        bytes += strlen(documents->list[i].name) + 1 + documents->list[i].count;
    char *to = loaded->kept = malloc(bytes);
    for (uint32_t i = 0; i < documents->count; i++) {
        MashDocument document = documents->list[i];
        if (document.bytes == NULL) {
            document = mash_document_shipped(game, document.name);
            if (document.count == 0) {
                text_format(problem, "no file \"%s\" comes with %s; its text is required",
                            documents->list[i].name, game->id);
                return false;
            }
        } else {
            size_t name = strlen(document.name) + 1;
            if (to == NULL)
                return false;
            memcpy(to, document.name, name);
            memcpy(to + name, document.bytes, document.count);
            document.name = to;
            document.bytes = to + name;
            to += name + document.count;
        }
        if (!mash_documents_replace(loaded->documents, &loaded->documents_count, document)) {
            text_format(problem, "at most %d files", (int)MASH_DOCUMENTS_MAX);
            return false;
        }
    }
    return true;
}

LoadedContent *content_of_documents(Server *server, const MashGame *game, const char *preset,
                                    const MessageDocuments *documents, MashText *problem) {
    MashProblem list[SERVER_PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = SERVER_PROBLEMS_MAX};
    LoadedContent *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return NULL;
    loaded->documents_count = mash_documents_of_preset(game, preset, loaded->documents);
    if (!replace(loaded, game, documents, problem)) {
        drop(server, loaded);
        return NULL;
    }
    if (!load(server, loaded, game, &problems)) {
        write_problem(&problems, problem);
        drop(server, loaded);
        return NULL;
    }
    if (match_bytes(loaded->content) > OWN_MATCH_BYTES_MAX) {
        text_string(problem, "matches with these files could become too long");
        drop(server, loaded);
        return NULL;
    }
    loaded->next = server->contents;
    server->contents = loaded;
    return loaded;
}

bool content_charge(Server *server, LoadedContent *loaded, Account *account, MashText *reason) {
    const MashContent *content = loaded->content;
    uint64_t bytes = content->game->content_bytes_max + match_bytes(content);
    for (uint32_t i = 0; i < loaded->documents_count; i++)
        bytes += loaded->documents[i].count;
    for (uint32_t i = 0; i < LANGUAGES_MAX; i++)
        bytes += loaded->texts[i] == NULL ? 0 : content->game->texts_bytes;
    if (!budget_may_hold(server, account, bytes, reason))
        return false;
    account_keep(server, account);
    loaded->account = account;
    loaded->bytes = bytes;
    account->content_bytes += bytes;
    return true;
}

void content_retain(LoadedContent *loaded) { loaded->tables++; }

void content_release(Server *server, LoadedContent *loaded) {
    if (loaded->tables > 0)
        loaded->tables--;
    if (loaded->tables > 0 || loaded->preset != NULL)
        return;
    LoadedContent **link = &server->contents;
    while (*link != loaded)
        link = &(*link)->next;
    *link = loaded->next;
    drop(server, loaded);
}
