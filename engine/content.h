/* content.h -- the documents of a content, read by tables of fields (base/fields.h): each game
 * declares its kinds of document, and here is the one reader for "exactly one of each". */
#ifndef ENGINE_CONTENT_H
#define ENGINE_CONTENT_H
#include "base/fields.h"
#include "include/mashup.h"

/* The one document whose name has this ending; NULL and a problem if there is none or a second. */
const MashDocument *content_find(const MashDocuments *documents, const char *ending,
                                 MashProblems *problems);

/* Reads the one document of each kind into the body of the content, in the order of the list (NULL
 * behind the last); the id of a kind is the ending of its names, such as ".start.json". A kind with
 * `bytes` is read into memory that only its check sees, as `record`. The reader's context is the
 * MashContent. Documents of no listed kind are refused, but for *.texts.json. Every problem is
 * reported. Answers 0, or which kinds are wrong: texts, which name what is in some of them, are
 * only worth reading if these are right. */
uint32_t content_read(const MashDocuments *documents, const Fields *const *kinds,
                      MashContent *content, MashProblems *problems);
/* The bit of the kind with this number in the list; that of number 31: a document is of no kind. */
#define CONTENT_WRONG(kind) ((uint32_t)1 << (kind))

#endif
