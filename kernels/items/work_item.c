/* SPDX-License-Identifier: Apache-2.0 */
/* The placeholders of work_item.h. No shared state. */
#include "items/work_item.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "llvm/intrinsics.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INNER_SPLIT "sl.split"
#define COMPACTION "sl.pack"
#define PREFIX "sl.wi."

static LLVMTypeRef result_type(const struct sl_emit *e, enum sl_wi what)
{
    if (what == SL_WI_WORK_DIM || what == SL_WI_GLOBAL_LOW || what == SL_WI_LOCAL_LOW ||
        sl_wi_is_of_sub_group(what))
        return e->i32;
    return what >= SL_WI_LOCAL_BASE ? e->ptr : e->i64;
}

static LLVMValueRef declare_pure(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    static const char *const pure[] = {"nounwind", "willreturn", "nosync",
                                       "nofree",   "nocallback", "speculatable"};
    LLVMValueRef f = LLVMAddFunction(module, name, type);
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, pure[i], 0);
    sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "memory", 0);
    return f;
}

LLVMValueRef sl_wi_emit(const struct sl_emit *e, LLVMModuleRef module, enum sl_wi what,
                        unsigned dim)
{
    char name[32];
    snprintf(name, sizeof name, PREFIX "%d.%u", (int)what, dim);
    LLVMTypeRef type = LLVMFunctionType(result_type(e, what), NULL, 0, false);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f)
        f = declare_pure(module, name, type);
    return LLVMBuildCall2(e->builder, type, f, NULL, 0, "");
}

bool sl_wi_parse(LLVMValueRef value, enum sl_wi *what, unsigned *dim)
{
    const char *name = sl_callee_name(value);
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return false;
    char *end;
    *what = (enum sl_wi)strtoul(name + strlen(PREFIX), &end, 10);
    *dim = strtoul(end + 1, NULL, 10);
    return true;
}

static LLVMValueRef emit_split_point(const struct sl_emit *e, LLVMModuleRef module,
                                     const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(e->none, NULL, 0, false);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f) {
        f = LLVMAddFunction(module, name, type);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "convergent", 0);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "nounwind", 0);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "willreturn", 0);
    }
    return LLVMBuildCall2(e->builder, type, f, NULL, 0, "");
}

static const char *const barriers[] = {
    [SL_BARRIER_GROUP] = "sl.barrier",
    [SL_BARRIER_MEET] = "sl.meet",
    [SL_BARRIER_STOP] = "sl.stop",
};

LLVMValueRef sl_wi_emit_split(const struct sl_emit *e, LLVMModuleRef module,
                              enum sl_barrier_kind kind)
{
    return emit_split_point(e, module, barriers[kind]);
}

LLVMValueRef sl_wi_emit_barrier(const struct sl_emit *e, LLVMModuleRef module)
{
    return sl_wi_emit_split(e, module, SL_BARRIER_GROUP);
}

enum sl_barrier_kind sl_wi_barrier_kind(LLVMValueRef value)
{
    const char *name = sl_callee_name(value);
    if (strncmp(name, "sl.", 3) != 0)
        return SL_BARRIER_NONE;
    for (unsigned kind = SL_BARRIER_GROUP; kind <= SL_BARRIER_STOP; kind++)
        if (strcmp(name, barriers[kind]) == 0)
            return (enum sl_barrier_kind)kind;
    return SL_BARRIER_NONE;
}

bool sl_wi_is_barrier(LLVMValueRef value)
{
    return sl_wi_barrier_kind(value) != SL_BARRIER_NONE;
}

LLVMValueRef sl_wi_emit_inner_split(const struct sl_emit *e, LLVMModuleRef module)
{
    return emit_split_point(e, module, INNER_SPLIT);
}

bool sl_wi_is_inner_split(LLVMValueRef value)
{
    return strcmp(sl_callee_name(value), INNER_SPLIT) == 0;
}

LLVMValueRef sl_wi_emit_compaction(const struct sl_emit *e, LLVMModuleRef module)
{
    return emit_split_point(e, module, COMPACTION);
}

bool sl_wi_is_compaction(LLVMValueRef value)
{
    return strcmp(sl_callee_name(value), COMPACTION) == 0;
}

/* ---- uniformity of single instructions ------------------------------------------------------- */

static enum sl_source source_of_load(LLVMValueRef load)
{
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(load)), "invariant.load",
                                             strlen("invariant.load"));
    if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic)
        return SL_SOURCE_ITEM;
    return LLVMGetMetadata(load, kind) ? SL_SOURCE_OPERANDS : SL_SOURCE_MEMORY;
}

static enum sl_source source_of_call(LLVMValueRef call)
{
    enum sl_wi what;
    unsigned dim;
    if (sl_wi_parse(call, &what, &dim))
        return sl_wi_is_item(what) || sl_wi_is_of_sub_group(what) ? SL_SOURCE_ID
                                                                  : SL_SOURCE_OPERANDS;
    return sl_llvm_intrinsic(call) ? SL_SOURCE_OPERANDS : SL_SOURCE_CALL;
}

enum sl_source sl_wi_source(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return source_of_load(i);
    case LLVMCall:
        return source_of_call(i);
    case LLVMFreeze:
        return SL_SOURCE_CHOICE;
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMInvoke:
    case LLVMVAArg:
        return SL_SOURCE_ITEM;
    default:
        return SL_SOURCE_OPERANDS;
    }
}

static unsigned steady_kind(LLVMValueRef load)
{
    static const char name[] = "sl.steady";
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(load)), name, sizeof name - 1);
}

void sl_wi_mark_steady(LLVMValueRef load)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
    LLVMSetMetadata(load, steady_kind(load),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}

static bool is_steady(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) && LLVMGetMetadata(i, steady_kind(i));
}

/* At whatever time each item computes it. */
static bool varies(LLVMValueRef i, unsigned dims)
{
    enum sl_source source = is_steady(i) ? SL_SOURCE_OPERANDS : sl_wi_source(i);
    enum sl_wi what;
    unsigned dim = 0;
    if (source == SL_SOURCE_ID)
        return sl_wi_parse(i, &what, &dim) && dim < dims;
    return source != SL_SOURCE_OPERANDS;
}

bool sl_varies_in_group(LLVMValueRef instruction)
{
    return varies(instruction, 3);
}

bool sl_varies_in_row(LLVMValueRef instruction)
{
    return varies(instruction, 1);
}

bool sl_has_lane_versions(LLVMValueRef call)
{
    static const char name[] = "vector-function-abi-variant";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) &&
           LLVMGetStringAttributeAtIndex(callee, LLVMAttributeFunctionIndex, name, sizeof name - 1);
}

static bool is_global_place(enum sl_wi what)
{
    return what == SL_WI_WORK_DIM || what == SL_WI_GLOBAL_SIZE || what == SL_WI_GLOBAL_OFFSET ||
           what == SL_WI_GLOBAL_ID || what == SL_WI_GLOBAL_LOW || what == SL_WI_LAUNCH ||
           what == SL_WI_SUMS;
}

/* In all blocks: before the kernel is split they need not have been asked for at its entry. */
bool sl_only_global_places(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            enum sl_wi what;
            unsigned dim;
            if (sl_wi_parse(i, &what, &dim) && !is_global_place(what))
                return false;
        }
    return true;
}

/* Sub-groups and barriers are for items that do something together. */
static bool is_for_many(LLVMValueRef i)
{
    return sl_wi_source(i) == SL_SOURCE_ID || LLVMIsAAtomicRMWInst(i) ||
           LLVMIsAAtomicCmpXchgInst(i) || sl_wi_is_barrier(i);
}

bool sl_items_do_the_same(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_for_many(i))
                return false;
    return true;
}
