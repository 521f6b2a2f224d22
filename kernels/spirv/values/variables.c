/* SPDX-License-Identifier: Apache-2.0 */
/* See variables.h. */
#include "spirv/values/variables.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "spirv/values/large.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"

/* ---- what decorations say -------------------------------------------------------------------- */

/* What the writer of LLVM's project makes of an intrinsic that SPIR-V has not: the same function in
 * each module that needs one, as if it were for other modules (libsycl-fallback-imf*.spv). */
static bool is_of_the_writer(const char *name)
{
    return !strncmp(name, "spirv.llvm_", sizeof "spirv.llvm_" - 1);
}

void sl_spirv_take_linkage(struct sl_spirv *s, uint32_t id, LLVMLinkage *linkage, const char **name)
{
    *linkage = LLVMInternalLinkage;
    *name = s->ids[id].name;
    for (struct sl_spirv_annotation *a = s->ids[id].annotations; a; a = a->next) {
        if (a->member != SL_SPIRV_WHOLE || a->decoration != DecorationLinkageAttributes)
            continue;
        *name = (const char *)a->literals;
        uint32_t kind = a->literals[a->count - 1]; /* the check saw a text and a number */
        bool once = kind == LinkageTypeLinkOnceODR || is_of_the_writer(*name);
        *linkage = once ? LLVMLinkOnceODRLinkage : LLVMExternalLinkage;
    }
}

static bool is_imported(struct sl_spirv *s, uint32_t id)
{
    for (struct sl_spirv_annotation *a = s->ids[id].annotations; a; a = a->next)
        if (a->member == SL_SPIRV_WHOLE && a->decoration == DecorationLinkageAttributes)
            return a->literals[a->count - 1] == LinkageTypeImport;
    return false;
}

/* NULL: failed, or the variable is none that can be. */
static const struct sl_spirv_type *held_type(struct sl_spirv *s,
                                             const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *pointer = sl_spirv_type(s, i->type);
    const struct sl_spirv_type *held =
        pointer && pointer->kind == SL_SPIRV_POINTER ? sl_spirv_type(s, pointer->element) : NULL;
    if (held && sl_spirv_is_sized(held) && pointer->storage == i->operands[0])
        return held;
    sl_spirv_fail(s, i, "its type is no pointer to what a variable of its class can hold");
    return NULL;
}

static int take_alignment(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                          const struct sl_spirv_type *held, unsigned *out)
{
    uint32_t given = 0;
    sl_spirv_decoration(s, i->result, DecorationAlignment, &given);
    if (sl_spirv_take_alignment(s, i, given, out))
        return -1;
    if (!*out)
        *out = sl_spirv_alignment(s, held);
    return 0;
}

const struct sl_spirv_instruction *sl_spirv_held_sampler(struct sl_spirv *s, uint32_t variable)
{
    const struct sl_spirv_instruction *i = sl_spirv_definition(s, variable);
    if (!i || i->opcode != OpVariable || i->operand_count < 2)
        return NULL;
    const struct sl_spirv_instruction *value = sl_spirv_definition(s, i->operands[1]);
    return value && value->opcode == OpConstantSampler ? value : NULL;
}

/* ---- of the module --------------------------------------------------------------------------- */

/* Local memory begins with nothing in it: the nulls that compilers of SYCL write for variables
 * without a value mean as much. */
static LLVMValueRef initial_value(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                  const struct sl_spirv_type *held)
{
    bool local = i->operands[0] == StorageClassWorkgroup;
    if (i->operand_count < 2)
        return local ? LLVMGetUndef(held->memory) : LLVMConstNull(held->memory);
    LLVMValueRef value = sl_spirv_operand_of(s, i, 1, held->llvm);
    if (local && value && (LLVMIsNull(value) || LLVMIsUndef(value)))
        return LLVMGetUndef(held->memory);
    if (local) {
        sl_spirv_fail(s, i, "local memory takes no initializer");
        return NULL;
    }
    if (!value || LLVMIsConstant(value))
        return value ? sl_spirv_to_memory(s, held, value) : NULL;
    sl_spirv_fail(s, i, "its initializer is no constant");
    return NULL;
}

static bool may_be_of_module(uint32_t storage)
{
    return storage == StorageClassUniformConstant || storage == StorageClassCrossWorkgroup ||
           storage == StorageClassWorkgroup || storage == StorageClassDeviceOnlyINTEL ||
           storage == StorageClassHostOnlyINTEL;
}

static int describe(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                    const struct sl_spirv_type *held, LLVMValueRef global)
{
    unsigned alignment;
    if (take_alignment(s, i, held, &alignment))
        return -1;
    LLVMSetAlignment(global, alignment);
    LLVMSetGlobalConstant(global, i->operands[0] == StorageClassUniformConstant ||
                                      sl_spirv_decoration(s, i->result, DecorationConstant, NULL));
    if (is_imported(s, i->result))
        return 0;
    LLVMValueRef value = initial_value(s, i, held);
    if (value)
        LLVMSetInitializer(global, value);
    return value ? 0 : -1;
}

/* Numbers are those of 6188: bits. The older decoration has others, and forbids nothing here. */
static LLVMMetadataRef host_access(struct sl_spirv *s, const struct sl_spirv_annotation *a)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    bool all = a->decoration != DecorationHostAccessINTEL || a->literals[0] > 2;
    return all ? NULL : LLVMValueAsMetadata(LLVMConstInt(word, a->literals[0], 0));
}

/* The name by which the host asks, beside that of the linkage, and what it may do. */
static void note_host_name(struct sl_spirv *s, uint32_t id, LLVMValueRef global)
{
    for (struct sl_spirv_annotation *a = s->ids[id].annotations; a; a = a->next) {
        if (a->member != SL_SPIRV_WHOLE || (a->decoration != DecorationHostAccessINTEL &&
                                            a->decoration != DecorationHostAccessOldINTEL))
            continue;
        const char *name = (const char *)(a->literals + 1); /* behind what the host may do */
        LLVMMetadataRef row[] = {LLVMMDStringInContext2(s->context, name, strlen(name)),
                                 host_access(s, a)};
        LLVMGlobalSetMetadata(global,
                              LLVMGetMDKindIDInContext(s->context, SL_HOST_NAME_METADATA,
                                                       strlen(SL_HOST_NAME_METADATA)),
                              LLVMMDNodeInContext2(s->context, row, row[1] ? 2 : 1));
    }
}

int sl_spirv_declare_variable(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMLinkage linkage;
    const char *name;
    const struct sl_spirv_type *held = held_type(s, i);
    if (!held)
        return -1;
    if (sl_spirv_is_of_work_item(s, i->result) || sl_spirv_held_sampler(s, i->result))
        return 0;
    if (!may_be_of_module(i->operands[0]))
        return sl_spirv_fail(s, i, "storage class %u is none of a module's variables",
                             i->operands[0]);
    sl_spirv_take_linkage(s, i->result, &linkage, &name);
    LLVMValueRef global =
        LLVMAddGlobalInAddressSpace(s->module, held->memory, name ? name : "",
                                    (unsigned)sl_spirv_address_space(i->operands[0]));
    LLVMSetLinkage(global, linkage);
    note_host_name(s, i->result, global);
    if (describe(s, i, held, global))
        return -1;
    return sl_spirv_define(s, i, global);
}

/* ---- of a function --------------------------------------------------------------------------- */

LLVMValueRef sl_spirv_frame_slot(struct sl_spirv *s, LLVMTypeRef type)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(s->builder);
    LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(s->builder);
    LLVMPositionBuilderBefore(s->builder, LLVMGetBasicBlockTerminator(s->function.entry));
    LLVMValueRef slot = LLVMBuildAlloca(s->builder, type, "");
    LLVMPositionBuilderAtEnd(s->builder, here);
    LLVMSetCurrentDebugLocation2(s->builder, place);
    return slot;
}

static int initialize(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                      const struct sl_spirv_type *held, LLVMValueRef slot)
{
    unsigned alignment = LLVMGetAlignment(slot);
    LLVMValueRef value = sl_spirv_operand_of(s, i, 1, held->llvm);
    if (!value)
        return -1;
    int rc = sl_spirv_store_as_bytes(s, i->operands[1],
                                     (struct sl_spirv_copy){.to = slot, .to_alignment = alignment});
    if (rc)
        return rc < 0 ? -1 : 0;
    LLVMValueRef store = LLVMBuildStore(s->builder, sl_spirv_to_memory(s, held, value), slot);
    LLVMSetAlignment(store, alignment);
    return 0;
}

int sl_spirv_local_variable(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *held = held_type(s, i);
    unsigned alignment;
    if (!held || take_alignment(s, i, held, &alignment))
        return -1;
    if (i->operands[0] != StorageClassFunction)
        return sl_spirv_fail(s, i, "a function's variable is of storage class Function");
    LLVMValueRef slot = sl_spirv_frame_slot(s, held->memory);
    LLVMSetAlignment(slot, alignment);
    if (i->operand_count > 1 && initialize(s, i, held, slot))
        return -1;
    return sl_spirv_define(s, i, slot);
}
