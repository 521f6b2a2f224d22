/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words for command lines, and what aoc and aocl say when something is wrong. */
#ifndef SL_KERNELS_AOC_LIST_H
#define SL_KERNELS_AOC_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Texts that are owned, NULL behind the last. `failed` once memory was short. */
struct sl_aoc_list {
    char **items;
    size_t count;
    bool failed;
};

/* Adds a text, printf's way. */
void sl_aoc_add(struct sl_aoc_list *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The macros by which sources ask who compiles them: Intel's, and Altera's name before it. */
void sl_aoc_say_who(struct sl_aoc_list *);
void sl_aoc_list_finish(struct sl_aoc_list *);

/* "aoc: ..." and a newline on stderr; -1. */
int sl_aoc_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
