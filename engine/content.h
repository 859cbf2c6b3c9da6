/* content.h -- the documents of a content, read by tables of fields (base/fields.h): each game
 * declares its kinds of document; this is the common reader for "exactly one of each". */
#ifndef ENGINE_CONTENT_H
#define ENGINE_CONTENT_H
#include "base/fields.h"
#include "include/mashup.h"

/* The one document whose name has this ending; NULL and a problem if there is none or more than
 * one. */
const MashDocument *content_find(const MashDocuments *documents, const char *ending,
                                 MashProblems *problems);

/* Reads the one document of each kind into the body of the content, in the order of the list
 * (terminated by NULL); the id of a kind is the ending of its names, such as ".start.json". A kind
 * with `bytes` is read into memory that only its check sees, as `record`. The reader's context is
 * the MashContent. Documents of unlisted kinds are refused, except *.texts.json. Every problem is
 * reported. Returns 0, or which kinds are invalid: texts refer to some of them and are only worth
 * reading if these are valid. */
uint32_t content_read(const MashDocuments *documents, const Fields *const *kinds,
                      MashContent *content, MashProblems *problems);
/* The bit of the kind with this number in the list; bit 31: a document is of no listed kind. */
#define CONTENT_WRONG(kind) ((uint32_t)1 << (kind))

#endif
