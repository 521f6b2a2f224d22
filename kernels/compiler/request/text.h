/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing byte string: logs, argument texts, sections. Zero-initialised is empty; when memory
 * runs out the text stays as it was and `failed` is set, so that callers check once at the end.
 */
#ifndef SL_KERNELS_TEXT_H
#define SL_KERNELS_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct sl_text {
    char *data; /* owned, NUL-terminated once anything was added; NULL while empty */
    size_t bytes, capacity;
    bool failed;
};

void sl_text_add(struct sl_text *, const void *data, size_t bytes);
void sl_text_addf(struct sl_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sl_text_vaddf(struct sl_text *, const char *format, va_list);
void sl_text_truncate(struct sl_text *, size_t bytes); /* to its first bytes */
void sl_text_finish(struct sl_text *);

/* A list of strings, each its own allocation. */
struct sl_strings {
    char **items; /* owned */
    size_t count, capacity;
    bool failed;
};

void sl_strings_add(struct sl_strings *, const char *, size_t bytes);
void sl_strings_addf(struct sl_strings *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sl_strings_finish(struct sl_strings *);

#endif
