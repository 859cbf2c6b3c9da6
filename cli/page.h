/* page.h -- the page that mashup serve hands out: files that were put into the program, or none. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H
#include "net/net.h"

/* The files: made by web/build.mjs for build/mashup, empty in the other variants. */
extern const NetFile page_files[];
extern const uint32_t page_files_count;

#endif
