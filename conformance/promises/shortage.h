/* SPDX-License-Identifier: Apache-2.0 */
/* A page that a test shares with the process whose requests for memory, threads and descriptors are
 * to fail. The library in shortage_shim.c, preloaded, finds it by its path in the environment. */
#ifndef SLUICE_TEST_SHORTAGE_H
#define SLUICE_TEST_SHORTAGE_H

#include <stdatomic.h>
#include <stdbool.h>

#define SHORTAGE_PAGE "SLUICE_TEST_SHORTAGE"

enum shortage_kind { SHORTAGE_MEMORY = 1, SHORTAGE_THREADS = 2, SHORTAGE_DESCRIPTORS = 4 };

/* What falls while the program runs, from `first` steps above what it has to that. */
enum shortage_limit { SHORTAGE_NO_LIMIT, SHORTAGE_SPACE, SHORTAGE_FILES, SHORTAGE_TASKS };

struct shortage_page {
    /* the test's */
    unsigned kinds;           /* of requests that count and fail */
    enum shortage_limit what; /* a limit instead */
    long first, last;         /* requests that fail, from 1 on; first 0: none */
    bool at_once;             /* the program is one that knows nothing of shortages */
    bool own;                 /* what the program itself asks for fails, too */
    /* what came of it */
    atomic_bool active;
    atomic_long requests, refused;
    char where[256]; /* who asked for the first one that was refused */
};

/* The preloaded library's, to be found by name: between these requests count. */
void shortage_begin(void);
void shortage_end(void);
/* What fails is given again; a handler of a signal may say so. The end is still to be told. */
void shortage_lift(void);
#endif
