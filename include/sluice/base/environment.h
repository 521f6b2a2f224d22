/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one reader of the environment: driver, devices, compiler and tools ask here and nowhere else
 * (scripts/check_environment.py). A process that has more rights than whoever started it (set-uid,
 * set-gid, file capabilities) has no variables: their author is not to be trusted with its rights.
 * Reads what the process may be changing, as getenv does.
 */
#ifndef SL_BASE_ENVIRONMENT_H
#define SL_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* Whether the process has more rights than whoever started it. */
bool sl_privileged(void);

/* NULL: not set, or not to be believed. */
const char *sl_environment(const char *name);

/* Forgets all variables if they are not to be believed, for libraries that read them on their own.
 * First in a program of ours, never in somebody else's. */
void sl_environment_clean(void);

/* For a child that is to have what this process has: nothing, if it is not to be believed. */
char **sl_environment_all(void);

/* For a child that is to have the variables that are named, a name that ends in '*' being the
 * beginning of names: a copy in one piece of memory from `allocate`; NULL when that gives none. */
char **sl_environment_copy(const char *const *names, size_t count, void *(*allocate)(size_t));

SL_END_C

#endif
