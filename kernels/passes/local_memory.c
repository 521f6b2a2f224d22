/* SPDX-License-Identifier: Apache-2.0 */
/*
 * __local variables of a kernel, which clang emits as internal globals of address space 3, become
 * offsets into the group's local memory. Each kernel gets a layout of its own with only what it
 * uses. No shared state.
 */
#include "items/work_item.h"
#include "passes/stages.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "ir/space.h"
#include "sluice/group_sizes.h"
#include "llvm/pass_support.h"
#include <llvm-c/Target.h>

static void find_locals(LLVMModuleRef module, struct sl_list *locals)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SL_SPACE_LOCAL)
            sl_list_add(locals, g);
}

static uint32_t align_of(LLVMTargetDataRef layout, LLVMValueRef global)
{
    uint32_t align = LLVMABIAlignmentOfType(layout, LLVMGlobalGetValueType(global));
    uint32_t wanted = LLVMGetAlignment(global);
    align = align > wanted ? align : wanted;
    return align < 16 ? 16 : align;
}

struct layout {
    struct sl_pass *pass;
    struct sl_emit e;
    struct sl_kernel_facts *facts;
    LLVMValueRef scratch;    /* of group functions; NULL: there are none */
    uint32_t most;           /* items for which that has room */
    struct sl_map addresses; /* global -> address in this kernel */
};

static LLVMValueRef place(struct layout *l, LLVMValueRef global)
{
    LLVMValueRef address = sl_map_get(&l->addresses, global);
    if (address)
        return address;
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(l->pass->module);
    uint32_t align = align_of(data, global);
    uint32_t offset = (l->facts->local_bytes + align - 1) / align * align;
    l->facts->local_bytes = offset + LLVMABISizeOfType(data, LLVMGlobalGetValueType(global));
    if (global == l->scratch)
        l->facts->most_items = l->most;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->facts->kernel);
    LLVMPositionBuilderBefore(l->e.builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef base = sl_wi_emit(&l->e, l->pass->module, SL_WI_LOCAL_BASE, 0);
    address = sl_emit_byte_offset(&l->e, base, sl_emit_i64(&l->e, offset), "");
    address = LLVMBuildAddrSpaceCast(l->e.builder, address, LLVMTypeOf(global), "");
    sl_map_set(&l->addresses, global, address);
    return address;
}

static void replace_in_kernel(struct layout *l, const struct sl_list *locals)
{
    struct sl_map wanted = {0};
    for (size_t i = 0; i < locals->count; i++)
        sl_map_set(&wanted, locals->items[i], locals->items[i]);
    LLVMValueRef f = l->facts->kernel;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                if (sl_map_get(&wanted, LLVMGetOperand(i, k)))
                    LLVMSetOperand(i, k, place(l, LLVMGetOperand(i, k)));
    sl_map_finish(&wanted);
}

static void drop_unused(const struct sl_list *locals)
{
    for (size_t i = 0; i < locals->count; i++)
        if (!LLVMGetFirstUse(locals->items[i]))
            LLVMDeleteGlobal(locals->items[i]);
}

/* Of any work-group: devices of others may take more, but not of a kernel with group functions. */
static uint32_t most_in_group(const struct sl_pass *pass)
{
    return pass->pipe_kind == SL_PIPES_DATAFLOW ? SL_GROUP_ITEMS_FPGA : SL_GROUP_ITEMS_CPU;
}

/* The functions of whole groups share one variable: between two of them is a barrier. */
static LLVMValueRef declare_scratch(struct sl_pass *pass)
{
    LLVMValueRef f = LLVMGetNamedFunction(pass->module, SL_GROUP_SCRATCH), call;
    if (!f)
        return NULL;
    /* One more for what all have in common. */
    LLVMTypeRef type =
        LLVMArrayType2(LLVMInt64TypeInContext(pass->context), most_in_group(pass) + 1);
    LLVMValueRef scratch =
        LLVMAddGlobalInAddressSpace(pass->module, type, "sl.scratch", SL_SPACE_LOCAL);
    LLVMSetLinkage(scratch, LLVMInternalLinkage);
    LLVMSetInitializer(scratch, LLVMGetUndef(type));
    while (LLVMGetFirstUse(f) && (call = LLVMGetUser(LLVMGetFirstUse(f)))) {
        LLVMReplaceAllUsesWith(call, scratch);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(f);
    return scratch;
}

int sl_pass_local_memory(struct sl_pass *pass)
{
    struct sl_list locals = {0};
    LLVMValueRef scratch = declare_scratch(pass);
    find_locals(pass->module, &locals);
    for (size_t i = 0; i < locals.count; i++)
        sl_llvm_expand_constant_users(locals.items[i]);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct layout l = {.pass = pass,
                           .facts = &pass->kernels[k],
                           .scratch = scratch,
                           .most = most_in_group(pass)};
        sl_emit_init(&l.e, pass->context);
        replace_in_kernel(&l, &locals);
        sl_map_finish(&l.addresses);
        sl_emit_finish(&l.e);
    }
    drop_unused(&locals);
    sl_list_finish(&locals);
    return 0;
}
