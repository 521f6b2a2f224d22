/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No shared state. */
#include "vector/cost/local_rows.h"

#include "ir/control_flow/cfg.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include <llvm-c/Target.h>
#include <stdlib.h>

static bool is_local_base(LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) && what == SL_WI_LOCAL_BASE;
}

static bool is_id_in_row(LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    while (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsATruncInst(value))
        value = LLVMGetOperand(value, 0);
    return sl_wi_parse(value, &what, &dim) &&
           (what == SL_WI_LOCAL_LOW || (what == SL_WI_LOCAL_ID && !dim));
}

/* Bytes from item to item of what it finds by its id in local memory, at its beginning or a
 * constant behind it; 0: it is no such address. */
static uint64_t step_of(LLVMTargetDataRef data, LLVMValueRef i)
{
    if (!LLVMIsAGetElementPtrInst(i) || LLVMGetNumOperands(i) != 2 ||
        !is_id_in_row(LLVMGetOperand(i, 1)))
        return 0;
    LLVMValueRef base = LLVMGetOperand(i, 0);
    while (LLVMIsAGetElementPtrInst(base) && LLVMGetNumOperands(base) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(base, 1)))
        base = LLVMGetOperand(base, 0);
    return is_local_base(base) ? LLVMABISizeOfType(data, LLVMGetGEPSourceElementType(i)) : 0;
}

/* Does every item come there? */
static bool is_on_all_ways(const struct sl_cfg *cfg, uint32_t block)
{
    bool *seen = sl_ir_alloc(cfg->count, sizeof *seen), out = false;
    uint32_t *stack = sl_ir_alloc(cfg->count, sizeof *stack), depth = 0;
    for (uint32_t b = 0; b < cfg->count; b++)
        seen[b] = b == block;
    if (block)
        seen[stack[depth++] = 0] = true;
    while (depth && !out) {
        const struct sl_block *at = &cfg->blocks[stack[--depth]];
        out = !at->succ_count;
        for (uint32_t s = 0; s < at->succ_count; s++)
            if (!seen[at->succ[s]])
                seen[stack[depth++] = at->succ[s]] = true;
    }
    free(seen);
    free(stack);
    return !out;
}

uint32_t sl_vector_most_in_row(const struct sl_kernel_facts *facts)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(facts->kernel));
    uint64_t most = UINT32_MAX;
    struct sl_cfg cfg;
    if (!facts->local_bytes)
        return UINT32_MAX;
    sl_cfg_init(&cfg, facts->kernel);
    for (uint32_t b = 0; b < cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            uint64_t step = step_of(data, i);
            if (step && facts->local_bytes / step < most && is_on_all_ways(&cfg, b))
                most = facts->local_bytes / step;
        }
    sl_cfg_finish(&cfg);
    return (uint32_t)most;
}
