/* content.c -- see content.h. */
#include "engine/content.h"

#include <string.h>

static const char texts_ending[] = ".texts.json";

const MashDocument *content_find(const MashDocuments *documents, const char *ending,
                                 MashProblems *problems) {
    const MashDocument *found = NULL;
    for (uint32_t i = 0; i < documents->count; i++) {
        const MashDocument *document = &documents->list[i];
        if (!text_ends_with(document->name, ending))
            continue;
        if (found != NULL) {
            problem_add(problems, document->name, 0, 0, "",
                        "only one file may end in %s; %s already does", ending, found->name);
            return NULL;
        }
        found = document;
    }
    if (found == NULL)
        problem_add(problems, "", 0, 0, "", "missing a file that ends in %s", ending);
    return found;
}

/* Is it of one of these kinds, or the texts? */
static bool known(const Fields *const *kinds, const char *name) {
    bool found = text_ends_with(name, texts_ending);
    for (; *kinds != NULL; kinds++)
        found |= text_ends_with(name, (*kinds)->id);
    return found;
}

/* Reports the documents whose names have none of the known endings. */
static void refuse_others(const MashDocuments *documents, const Fields *const *kinds,
                          MashProblems *problems) {
    char memory[128];
    MashText endings = text_over(memory, sizeof memory);
    for (uint32_t i = 0; kinds[i] != NULL; i++)
        text_format(&endings, i == 0 ? "%s" : ", %s", kinds[i]->id);
    for (uint32_t i = 0; i < documents->count; i++)
        if (!known(kinds, documents->list[i].name))
            problem_add(problems, documents->list[i].name, 0, 0, "",
                        "the name of a file of this game must end in %s or %s", memory,
                        texts_ending);
}

/* Reads the document of one kind; `skip`: only checks that it is present. False: there are
 * problems. */
static bool read_kind(const MashDocuments *documents, const Fields *kind, bool skip,
                      MashContent *content, MashProblems *problems) {
    Json json;
    _Alignas(8) uint8_t passing[FIELDS_ROW_BYTES] = {0};
    const MashDocument *found = content_find(documents, kind->id, problems);
    if (found == NULL || skip ||
        !json_read(&json, found->name, found->bytes, found->count, documents->scratch,
                   documents->scratch_bytes / (uint32_t)sizeof(JsonNode), problems))
        return false;
    assert(kind->bytes <= sizeof passing);
    FieldsReader reader = {
        .json = &json, .problems = problems, .record = content->body, .context = content};
    return fields_read(&reader, kind, 0, kind->bytes == 0 ? (void *)content->body : passing, NULL);
}

uint32_t content_read(const MashDocuments *documents, const Fields *const *kinds,
                      MashContent *content, MashProblems *problems) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; kinds[i] != NULL; i++)
        if (!read_kind(documents, kinds[i], kinds[i]->follows && wrong != 0, content, problems))
            wrong |= CONTENT_WRONG(i);
    uint32_t before = problems->count;
    refuse_others(documents, kinds, problems);
    return problems->count == before ? wrong : wrong | CONTENT_WRONG(31);
}
