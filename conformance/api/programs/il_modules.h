/* SPDX-License-Identifier: Apache-2.0 */
/* Small SPIR-V modules of version 1.2. */
#ifndef SLUICE_TEST_IL_MODULES_H
#define SLUICE_TEST_IL_MODULES_H

#include <stddef.h>
#include <stdint.h>

struct il_module {
    const uint32_t *words;
    size_t bytes;
};

/* Work-item i of kernel `constants`(global ulong *out) writes what its specialization constants are
 * to out[7 * i] and behind: false (SpecId 0), uchar 1 (1), ushort 2 (2), uint 3 (4), ulong 4 (8),
 * float 5 (14), double 6 (18). */
extern const struct il_module il_constants;
/* Exports uint twice(uint). */
extern const struct il_module il_twice;
/* Kernel `caller`(global uint *out, uint x), *out = twice(x) + 3, imports it. */
extern const struct il_module il_caller;
/* Kernel `blend`(global float4 *out, global const float4 *in, float a, local uint *shared): what
 * LLVM 22 makes of the text in il_test.c. */
extern const struct il_module il_blend;

#endif
