/* no_page.c -- see page.h: no page, for builds without Node. */
#include "cli/page.h"

const NetFile page_files[] = {{.path = NULL}};
const uint32_t page_files_count = 0;
