/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that OpenCL C has functions for: calls of those. No locks. */
#include "spirv/translate.h"

int sl_spirv_builtin(struct sl_spirv *spirv, const struct sl_spirv_instruction *instruction)
{
    (void)spirv;
    (void)instruction;
    return 0;
}

int sl_spirv_opencl_std(struct sl_spirv *spirv, const struct sl_spirv_instruction *instruction,
                        uint32_t number, const uint32_t *operands, unsigned count)
{
    (void)spirv;
    (void)instruction;
    (void)number;
    (void)operands;
    (void)count;
    return 0;
}
