/* loaded_content.h -- contents that tables share: presets, and documents that players have sent. */
#ifndef SERVER_LOADED_CONTENT_H
#define SERVER_LOADED_CONTENT_H
#include "proto/message.h"
#include "server/budget.h"

typedef struct LoadedContent LoadedContent;

/* The most memory that one match of custom content may need. */
enum { OWN_MATCH_BYTES_MAX = 8 << 20 };

/* How many languages the server supports; number 0 is that of a content's own documents. */
enum { LANGUAGES_MAX = 4, LANGUAGE_USUAL = 0 };

/* A loaded content and where it comes from. */
struct LoadedContent {
    LoadedContent *next;
    MashContent *content;
    MashTexts *texts[LANGUAGES_MAX]; /* by the server's languages; NULL: the default one */
    const MashPreset *preset;        /* NULL: custom documents */
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
    char *kept;       /* the bytes of custom documents; NULL: they came with the game */
    uint32_t tables;  /* that use it; presets stay loaded without one */
    Account *account; /* who sent the custom documents; NULL: unknown */
    uint64_t bytes;   /* charged to that account */
};

/* Loads all presets. False: the problem names the preset that does not load. */
bool contents_open(Server *server, MashText *problem);
void contents_close(Server *server);
/* The content of a preset (NULL = the first); NULL: there is none. */
LoadedContent *content_of_preset(Server *server, const MashGame *game, const char *preset);
/* Loads a content from a preset with these documents in place of its own ("": no preset). NULL: see
 * the problem. */
LoadedContent *content_of_documents(Server *server, const MashGame *game, const char *preset,
                                    const MessageDocuments *documents, MashText *problem);
/* Charges custom content, with one match of it, to an account. False: it exceeds the budget, and
 * the reason is written. */
bool content_charge(Server *server, LoadedContent *loaded, Account *account, MashText *reason);
/* The number of a language by its code ("de", or "de-AT"); LANGUAGE_USUAL: it is not supported. */
uint8_t language_find(const Server *server, const char *code);
/* A table begins or stops using it. */
void content_retain(LoadedContent *loaded);
void content_release(Server *server, LoadedContent *loaded);

#endif
