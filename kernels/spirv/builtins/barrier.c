/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers, fences and clocks. The half of a barrier that only arrives is a fence, and the other
 * half a whole barrier: nothing between them may count on others to be there.
 */
#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"
#include "spirv/grammar/numbers.h"

/* As OpenCL C numbers them. */
enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2, IMAGE_FENCE = 4 };
enum { ORDER_RELAXED = 0, ORDER_ACQUIRE = 2, ORDER_RELEASE, ORDER_BOTH, ORDER_STRICT };
enum { SCOPE_ITEM, SCOPE_GROUP, SCOPE_DEVICE, SCOPE_ALL, SCOPE_SUB_GROUP };

/* What a scope says; -1: failed. A scope that is no constant is the widest. */
static int scope_of(const struct sl_builtin *op, uint32_t id)
{
    static const int scopes[] = {
        [ScopeCrossDevice] = SCOPE_ALL, [ScopeDevice] = SCOPE_DEVICE,
        [ScopeWorkgroup] = SCOPE_GROUP, [ScopeSubgroup] = SCOPE_SUB_GROUP,
        [ScopeInvocation] = SCOPE_ITEM,
    };
    uint64_t number;
    if (!sl_spirv_is_constant(op->spirv, id))
        return SCOPE_ALL;
    if (sl_spirv_number(op->spirv, id, &number))
        return -1;
    if (number >= sizeof scopes / sizeof *scopes)
        return sl_spirv_fail(op->spirv, op->instruction, "scope %u is none of OpenCL",
                             (unsigned)number);
    return scopes[number];
}

/* One that is no constant means all. */
static uint32_t semantics_of(const struct sl_builtin *op, uint32_t id)
{
    uint64_t bits;
    if (sl_spirv_is_constant(op->spirv, id) && !sl_spirv_number(op->spirv, id, &bits))
        return (uint32_t)bits;
    return UINT32_MAX;
}

static unsigned order_of(uint32_t semantics)
{
    if (semantics & MemorySemanticsSequentiallyConsistentMask)
        return ORDER_STRICT;
    bool both = semantics & MemorySemanticsAcquireReleaseMask;
    bool acquires = both || semantics & MemorySemanticsAcquireMask;
    bool releases = both || semantics & MemorySemanticsReleaseMask;
    return acquires && releases ? ORDER_BOTH
           : acquires           ? ORDER_ACQUIRE
           : releases           ? ORDER_RELEASE
                                : ORDER_RELAXED;
}

static uint32_t fences_of(uint32_t semantics)
{
    return (semantics & MemorySemanticsWorkgroupMemoryMask ? LOCAL_FENCE : 0u) |
           (semantics & MemorySemanticsCrossWorkgroupMemoryMask ? GLOBAL_FENCE : 0u) |
           (semantics & MemorySemanticsImageMemoryMask ? IMAGE_FENCE : 0u);
}

static void add_word(struct sl_call *call, uint32_t value)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(call->spirv));
    sl_call_add(call, LLVMConstInt(word, value, 0), true);
}

static int make_fence(const struct sl_builtin *op, uint32_t scope_id, uint32_t semantics_id)
{
    struct sl_call call;
    uint32_t semantics = semantics_of(op, semantics_id);
    int scope = scope_of(op, scope_id);
    if (scope < 0)
        return -1;
    if (order_of(semantics) == ORDER_RELAXED)
        return 1;
    sl_call_begin(&call, op->spirv, op->instruction, "atomic_work_item_fence");
    add_word(&call, fences_of(semantics));
    sl_call_add_enum(&call, order_of(semantics), "12memory_order");
    sl_call_add_enum(&call, (uint32_t)scope, "12memory_scope");
    return sl_call_make(&call) ? 1 : -1;
}

int sl_builtin_fence(const struct sl_builtin *op)
{
    return make_fence(op, op->instruction->operands[0], op->instruction->operands[1]);
}

int sl_builtin_arrive(const struct sl_builtin *op)
{
    return make_fence(op, op->instruction->operands[1], op->instruction->operands[2]);
}

int sl_builtin_barrier(const struct sl_builtin *op)
{
    const uint32_t *operands = op->instruction->operands;
    struct sl_call call;
    int execution = scope_of(op, operands[0]), memory = scope_of(op, operands[1]);
    if (execution < 0 || memory < 0)
        return -1;
    if (execution == SCOPE_ITEM)
        return make_fence(op, operands[1], operands[2]);
    if (execution != SCOPE_GROUP && execution != SCOPE_SUB_GROUP)
        return sl_spirv_fail(op->spirv, op->instruction, "no barrier is wider than a work-group");
    sl_call_begin(&call, op->spirv, op->instruction,
                  execution == SCOPE_GROUP ? "work_group_barrier" : "sub_group_barrier");
    add_word(&call, fences_of(semantics_of(op, operands[2])));
    sl_call_add_enum(&call, (uint32_t)memory, "12memory_scope");
    return sl_call_make(&call) ? 1 : -1;
}
