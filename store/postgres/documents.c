/* documents.c -- small documents that all nodes share, such as the list of bans. Each has a
 * version, which every write raises; the keeper compares versions whenever it looks at the nodes.
 * Of two that write at the same moment the second wins, and both get what it wrote. */
#include <stdlib.h>
#include <string.h>

#include "store/postgres/postgres.h"

/* The document of this name, new if it is not known. Under the lock. NULL = too many. */
static Document *document_of(Postgres *postgres, const char *name) {
    for (uint32_t i = 0; i < postgres->documents_count; i++)
        if (strcmp(postgres->documents[i].name, name) == 0)
            return &postgres->documents[i];
    if (postgres->documents_count == DOCUMENTS_MAX || strlen(name) >= STORE_DOCUMENT_NAME_BYTES)
        return NULL;
    Document *document = &postgres->documents[postgres->documents_count++];
    memcpy(document->name, name, strlen(name) + 1);
    return document;
}

/* A copy of bytes, with a NUL behind them. NULL = no memory. */
static char *copy_of(const void *bytes, size_t count) {
    char *copy = malloc(count + 1);
    if (copy != NULL && count > 0)
        memcpy(copy, bytes, count);
    if (copy != NULL)
        copy[count] = '\0';
    return copy;
}

bool documents_share(Store *store, const char *name, const void *bytes, size_t count) {
    Postgres *postgres = (Postgres *)store;
    char *copy = copy_of(bytes, count);
    lock_take(&postgres->lock);
    Document *document = copy == NULL ? NULL : document_of(postgres, name);
    if (document != NULL) {
        free(document->waiting);
        document->waiting = copy;
        document->waiting_count = count;
    }
    lock_give(&postgres->lock);
    if (document == NULL)
        free(copy);
    return document != NULL;
}

/* A document with news whose name begins like this one, without its '*'. Under the lock. NULL =
 * there is none. */
static Document *changed_like(Postgres *postgres, const char *name) {
    for (uint32_t i = 0; i < postgres->documents_count; i++) {
        Document *document = &postgres->documents[i];
        if (document->news != NULL && strncmp(document->name, name, strlen(name) - 1) == 0)
            return document;
    }
    return NULL;
}

char *documents_take(Store *store, const char *name, size_t *count) {
    Postgres *postgres = (Postgres *)store;
    char *news = NULL;
    bool like = name[0] != '\0' && name[strlen(name) - 1] == '*';
    lock_take(&postgres->lock);
    Document *document = like ? changed_like(postgres, name) : document_of(postgres, name);
    if (document != NULL) {
        news = document->news;
        *count = document->news_count;
        document->news = NULL;
    }
    lock_give(&postgres->lock);
    return news;
}

void documents_release(Postgres *postgres) {
    for (uint32_t i = 0; i < postgres->documents_count; i++) {
        free(postgres->documents[i].waiting);
        free(postgres->documents[i].news);
    }
}

/* Writes a document that waits. False = the connection is lost; it is written again then. */
static bool write_one(Postgres *postgres, Document *document) {
    LinkParameters all = {.count = 0};
    PGresult *rows;
    lock_take(&postgres->lock);
    char *bytes = document->waiting;
    size_t count = document->waiting_count;
    document->waiting = NULL;
    lock_give(&postgres->lock);
    if (bytes == NULL)
        return true;
    link_put_int4(&all, postgres->node);
    link_put_int8(&all, postgres->epoch);
    link_put_bytes(&all, document->name, strlen(document->name));
    link_put_bytes(&all, bytes, count);
    LinkAnswer answer = link_run(&postgres->keeper_link, "share", &all, &rows);
    bool done = answer == LINK_DONE;
    lock_take(&postgres->lock);
    if (done && PQntuples(rows) == 1)
        document->version = link_int8(rows, 0, 0); /* what we wrote is no news for us */
    if (!done && document->waiting == NULL) {
        document->waiting = bytes;
        document->waiting_count = count;
        bytes = NULL;
    }
    lock_give(&postgres->lock);
    PQclear(rows);
    free(bytes);
    return answer != LINK_LOST;
}

/* Reads a document that has changed. False = the connection is lost. */
static bool read_one(Postgres *postgres, Document *document) {
    LinkParameters which = {.count = 0};
    PGresult *rows;
    link_put_bytes(&which, document->name, strlen(document->name));
    LinkAnswer answer = link_run(&postgres->keeper_link, "document", &which, &rows);
    if (answer != LINK_DONE)
        return answer != LINK_LOST;
    size_t count = PQntuples(rows) == 1 ? (size_t)PQgetlength(rows, 0, 1) : 0;
    char *bytes = PQntuples(rows) == 1 ? copy_of(PQgetvalue(rows, 0, 1), count) : NULL;
    lock_take(&postgres->lock);
    if (bytes != NULL) {
        free(document->news);
        document->news = bytes;
        document->news_count = count;
        document->version = link_int8(rows, 0, 0);
        postgres->done.shared++;
    }
    lock_give(&postgres->lock);
    PQclear(rows);
    if (bytes != NULL)
        postgres_notify(postgres);
    return true;
}

bool documents_work(Postgres *postgres) {
    LinkParameters none = {.count = 0};
    PGresult *rows;
    lock_take(&postgres->lock);
    uint32_t known = postgres->documents_count;
    lock_give(&postgres->lock);
    for (uint32_t i = 0; i < known; i++)
        if (!write_one(postgres, &postgres->documents[i]))
            return false;
    LinkAnswer answer = link_run(&postgres->keeper_link, "documents", &none, &rows);
    if (answer != LINK_DONE)
        return answer != LINK_LOST;
    bool fine = true;
    for (int row = 0; fine && row < PQntuples(rows); row++) {
        char name[STORE_DOCUMENT_NAME_BYTES] = "";
        size_t length = (size_t)PQgetlength(rows, row, 0);
        memcpy(name, PQgetvalue(rows, row, 0), length < sizeof name ? length : sizeof name - 1);
        lock_take(&postgres->lock);
        Document *document = document_of(postgres, name);
        bool news = document != NULL && document->version != link_int8(rows, row, 1);
        lock_give(&postgres->lock);
        fine = !news || read_one(postgres, document);
    }
    PQclear(rows);
    return fine;
}
