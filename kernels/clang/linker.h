/* SPDX-License-Identifier: Apache-2.0 */
/* lld as a function: relocatable objects in, ELF shared object out, both in memory. */
#ifndef SL_KERNELS_CLANG_LINKER_H
#define SL_KERNELS_CLANG_LINKER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sl_linker_sink { /* where results go; called on the calling thread */
    void *data;
    void (*log)(void *data, const char *text, size_t bytes);
    void (*output)(void *data, const void *bytes, size_t count);
};

struct sl_linker_object {
    const void *data;
    size_t bytes;
};

/* `archive`: path of an object archive for symbols that are missing, "" for none. 0 or -1. */
int sl_linker_run(const struct sl_linker_object *, size_t count, const char *archive,
                  const struct sl_linker_sink *);

#ifdef __cplusplus
}
#endif

#endif
