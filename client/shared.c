/* shared.c -- what clients of one loop share: loaded contents; see client.h. */
#include <stdlib.h>
#include <string.h>

#include "client/internal.h"

enum { PROBLEMS_MAX = 4 };

/* At least this many bytes, aligned to 64; NULL: no memory. */
static void *memory(size_t bytes) {
    size_t rounded = (bytes + 63) / 64 * 64;
    return aligned_alloc(64, rounded == 0 ? 64 : rounded);
}

void *client_buffer_reserve(ClientBuffer *buffer, size_t bytes) {
    if (buffer->bytes != NULL && buffer->count >= bytes)
        return buffer->bytes;
    void *more = memory(bytes + bytes / 2);
    if (more == NULL)
        return NULL;
    free(buffer->bytes);
    *buffer = (ClientBuffer){more, bytes + bytes / 2};
    return more;
}

ClientShared *client_shared_open(NetLoop *loop) {
    ClientShared *shared = calloc(1, sizeof *shared);
    if (shared != NULL)
        shared->loop = loop;
    return shared;
}

/* Frees a loaded content. */
static void release(ClientContent *loaded) {
    free(loaded->content);
    free(loaded);
}

void client_shared_close(ClientShared *shared) {
    while (shared->contents != NULL) {
        ClientContent *next = shared->contents->next;
        assert(shared->contents->users == 0);
        release(shared->contents);
        shared->contents = next;
    }
    free(shared->nodes.bytes);
    free(shared->pool.bytes);
    free(shared->text.bytes);
    free(shared);
}

/* --- Contents --------------------------------------------------------------------------------- */

/* The documents that the message names: a preset's, or those it contains. Returns how many; 0: see
 * the problem. */
static uint32_t documents_of(const MashGame *game, const Message *message, MashDocument *out,
                             MashText *problem) {
    const SERVER_TABLE_FIELDS *table = &message->table;
    uint32_t count = 0;
    if (message_has(message, "preset")) {
        count = mash_documents_of_preset(game, table->preset, out);
        if (count == 0)
            text_format(problem, "unknown preset %s", table->preset);
        return count;
    }
    for (; message_has(message, "documents") && count < table->documents.count; count++) {
        out[count] = table->documents.list[count];
        if (out[count].bytes == NULL)
            out[count] = mash_document_shipped(game, out[count].name);
        if (out[count].count == 0) {
            text_format(problem, "this program does not have the file %s",
                        table->documents.list[count].name);
            return 0;
        }
    }
    if (count == 0)
        text_string(problem, "the server did not send the match's files");
    return count;
}

/* Loads them; NULL: see the problem. */
static MashContent *load(const MashGame *game, const MashDocument *list, uint32_t count,
                         MashText *problem) {
    MashProblem kept[PROBLEMS_MAX];
    MashProblems problems = {.list = kept, .max = PROBLEMS_MAX};
    MashContent *content = memory(game->content_bytes_max);
    void *scratch = memory(MASH_SCRATCH_BYTES);
    bool fine = content != NULL && scratch != NULL;
    if (!fine) {
        text_string(problem, "out of memory for the content");
    } else {
        memset(content, 0, game->content_bytes_max);
        MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
        fine = game->load(&documents, content, &problems);
        if (!fine)
            text_format(problem, "cannot load the match's files: %s: %s", kept[0].document,
                        kept[0].reason);
    }
    free(scratch);
    if (fine)
        return content;
    free(content);
    return NULL;
}

/* Is it the same content as the server's? */
static bool is_same(const MashContent *content, const Message *message, MashText *problem) {
    char digits[17];
    MashText hash = text_over(digits, sizeof digits);
    text_hex(&hash, content->hash, 16);
    if (content->game->version == (uint32_t)message->table.version &&
        strcmp(digits, message->table.content) == 0)
        return true;
    text_format(problem, "the server has a different version of %s", content->game->id);
    return false;
}

/* The loaded content of a preset, or NULL if it is not loaded. */
static ClientContent *find(ClientShared *shared, const MashGame *game, const char *preset) {
    for (ClientContent *loaded = shared->contents; loaded != NULL; loaded = loaded->next)
        if (loaded->content->game == game && strcmp(loaded->preset, preset) == 0)
            return loaded;
    return NULL;
}

/* Takes ownership of a content. NULL: out of memory, and the caller still owns it. */
static ClientContent *add(ClientShared *shared, MashContent *content, const char *preset) {
    ClientContent *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return NULL;
    loaded->content = content;
    memcpy(loaded->preset, preset, strlen(preset) + 1);
    loaded->next = shared->contents;
    shared->contents = loaded;
    return loaded;
}

/* Loads a content that is not loaded yet; NULL: see the problem. */
static ClientContent *fetch(ClientShared *shared, const MashGame *game, const Message *message,
                            MashText *problem) {
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t count = documents_of(game, message, documents, problem);
    if (count == 0)
        return NULL;
    MashContent *content = load(game, documents, count, problem);
    if (content == NULL)
        return NULL;
    ClientContent *loaded =
        add(shared, content, message_has(message, "preset") ? message->table.preset : "");
    if (loaded == NULL) {
        text_string(problem, "out of memory for the content");
        free(content);
    }
    return loaded;
}

ClientContent *client_content_acquire(ClientShared *shared, const Message *table,
                                      MashText *problem) {
    const MashGame *game = mash_game_find(table->table.game);
    if (game == NULL) {
        text_format(problem, "this program does not know the game %s", table->table.game);
        return NULL;
    }
    ClientContent *loaded =
        message_has(table, "preset") ? find(shared, game, table->table.preset) : NULL;
    if (loaded == NULL)
        loaded = fetch(shared, game, table, problem);
    if (loaded == NULL)
        return NULL;
    loaded->users++;
    if (is_same(loaded->content, table, problem))
        return loaded;
    client_content_release(shared, loaded);
    return NULL;
}

void client_content_release(ClientShared *shared, ClientContent *loaded) {
    if (loaded == NULL || --loaded->users > 0 || loaded->preset[0] != '\0')
        return;
    ClientContent **place = &shared->contents;
    while (*place != loaded)
        place = &(*place)->next;
    *place = loaded->next;
    release(loaded);
}
