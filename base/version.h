/* version.h -- the version of the whole project, written here and nowhere else. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define MASH_VERSION "0.2.0"

#endif
