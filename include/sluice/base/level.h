/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels of x86-64 processors that kernels are compiled for: what the devices announce, the
 * compiler makes code for, and a binary names as its target. A machine of one level runs the code
 * of all below it (target.h). Stateless; any thread.
 */
#ifndef SL_BASE_LEVEL_H
#define SL_BASE_LEVEL_H

#include <stdint.h>

#define SL_LEVEL_NAMES "sse4.2, avx2, avx512, avx512icl, avx512bf16 or avx512amx"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_level {
    const char *name;     /* "avx2" */
    const char *target;   /* sl_device_caps.target: "x86_64:avx2" */
    const char *cpu;      /* LLVM's name of a processor */
    const char *features; /* on top of the processor's; "" for none */
    const char *code;     /* name of the level whose machine code of builtins serves this one */
    uint32_t vector_bytes;
};

/* i counts from 0, the most capable level first; NULL ends the list. */
const struct sl_level *sl_level_at(unsigned i);
/* By name or target; NULL: no such level. */
const struct sl_level *sl_level_find(const char *name);
/* The best level that this machine runs; on other processors than x86-64 the lowest, for code that
 * runs elsewhere. */
const struct sl_level *sl_level_host(void);

#ifdef __cplusplus
}
#endif

#endif
