/* content.c -- see content.h. */
#include "engine/content.h"

#include <string.h>

#include "base/hash.h"
#include "engine/game.h"

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

void content_finish(const ContentPlan *plan, MashContent *content) {
    content->game = plan->game;
    plan->finish(content);
    content->hash = hash_bytes(0, content->body, plan->hashed_bytes);
}

bool content_load(const ContentPlan *plan, const MashDocuments *documents, MashContent *content,
                  MashProblems *problems) {
    memset(content, 0, plan->game->content_bytes_max);
    if (plan->begin != NULL)
        plan->begin(content->body);
    uint32_t wrong = content_read(documents, plan->game->documents, content, problems);
    MashTexts *texts = (void *)(content->body + plan->game->texts_at);
    bool legible = !plan->texts_need_kinds || (wrong & CONTENT_WRONG(0)) == 0;
    if (legible && !texts_load(texts, documents, &plan->texts, content->body, problems))
        wrong |= CONTENT_WRONG(31);
    if (wrong != 0)
        return false;
    content_finish(plan, content);
    return true;
}

void game_hide_nothing(const MashContent *content, void *state, uint8_t seat) {
    (void)content, (void)state, (void)seat;
}

int32_t game_figure(const FigurePlace *places, uint8_t places_count, uint8_t figure,
                    const void *figures, size_t size, uint8_t units, uint8_t unit) {
    uint8_t seat = (uint8_t)(unit - MASH_UNIT_SIDE), team = units / MASH_SEATS;
    uint32_t first = unit < units ? unit : (uint32_t)seat * team, count = unit < units ? 1 : team;
    if (figure >= places_count || (unit >= units && seat >= MASH_SEATS))
        return 0;
    FigurePlace place = places[figure];
    const uint8_t *at = (const uint8_t *)figures + first * size + place.offset;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++, at += size)
        sum += place.bytes == 1   ? *at
               : place.bytes == 2 ? *(const uint16_t *)(const void *)at
               : place.bytes == 4 ? *(const uint32_t *)(const void *)at
                                  : 0;
    return sum > INT32_MAX ? INT32_MAX : (int32_t)sum;
}
