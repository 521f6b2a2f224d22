/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "compiler/program/process_pipe.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/memory.h"
#include "ir/pass.h"
#include "ir/space.h"
#include "pipes/pipe.h"
#include "llvm/llvm_extra.h"

/* ---- pipes ----------------------------------------------------------------------------------- */

static LLVMValueRef text(LLVMContextRef context, const char *value, size_t bytes)
{
    return LLVMMetadataAsValue(context, LLVMMDStringInContext2(context, value, bytes));
}

static LLVMValueRef number(LLVMContextRef context, uint64_t value)
{
    return LLVMConstInt(LLVMInt32TypeInContext(context), value, false);
}

/* As dialect/describe.cpp writes it. */
static void declare(LLVMModuleRef module, const char *name, LLVMTypeRef packet, uint32_t depth,
                    LLVMValueRef place)
{
    static const char type[] = "process";
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    unsigned bytes = 0;
    const char *file = LLVMGetDebugLocFilename(place, &bytes);
    LLVMValueRef operands[] = {
        text(c, name, strlen(name)),
        text(c, "pipe", strlen("pipe")),
        number(c, LLVMABISizeOfType(layout, packet)),
        number(c, LLVMABIAlignmentOfType(layout, packet)),
        number(c, depth),
        number(c, SL_PIPE_BLOCKING | SL_PIPE_EXACT),
        text(c, "", 0),
        text(c, type, strlen(type)),
        text(c, file ? file : "", file ? bytes : 0),
        number(c, LLVMGetDebugLocLine(place)),
        number(c, 0),
    };
    LLVMAddNamedMetadataOperand(
        module, "sl.pipes", LLVMMDNodeInContext(c, operands, sizeof operands / sizeof *operands));
}

LLVMValueRef sl_process_pipe(LLVMModuleRef module, const char *name, LLVMTypeRef packet,
                             uint32_t depth, LLVMValueRef place)
{
    LLVMValueRef pipe =
        LLVMAddGlobalInAddressSpace(module, LLVMArrayType2(packet, 1), name, SL_SPACE_CONSTANT);
    LLVMSetGlobalConstant(pipe, true);
    LLVMSetLinkage(pipe, LLVMExternalLinkage);
    declare(module, name, packet, depth, place);
    return pipe;
}

/* ---- operations ------------------------------------------------------------------------------ */

void sl_process_at(const struct sl_emit *e, LLVMValueRef place)
{
    LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(place));
}

void sl_process_move(const struct sl_emit *e, LLVMModuleRef module, LLVMValueRef pipe,
                     LLVMValueRef packet, LLVMTypeRef type, bool write)
{
    const char *name = write ? "__sl_pipe_write" : "__sl_pipe_read";
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    LLVMTypeRef generic = LLVMPointerTypeInContext(e->context, SL_SPACE_GENERIC);
    LLVMTypeRef types[] = {LLVMTypeOf(pipe), generic, e->i32, e->i32};
    LLVMTypeRef operation = LLVMFunctionType(e->none, types, 4, false);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (!function) {
        function = LLVMAddFunction(module, name, operation);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
        sl_emit_add_enum_attribute(function, LLVMAttributeFunctionIndex, "convergent", 0);
        sl_emit_add_enum_attribute(function, LLVMAttributeFunctionIndex, "nounwind", 0);
    }
    LLVMValueRef operands[] = {pipe, LLVMBuildAddrSpaceCast(e->builder, packet, generic, ""),
                               sl_emit_i32(e, (uint32_t)LLVMABISizeOfType(layout, type)),
                               sl_emit_i32(e, LLVMABIAlignmentOfType(layout, type))};
    LLVMValueRef call =
        LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(function), function, operands, 4, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
}

void sl_process_token(const struct sl_emit *e, LLVMModuleRef module, LLVMValueRef pipe, bool write)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(e->builder));
    LLVMValueRef token = sl_emit_entry_alloca(e, function, e->i8, 1, "token");
    if (write)
        LLVMBuildStore(e->builder, LLVMConstInt(e->i8, 0, false), token);
    sl_process_move(e, module, pipe, token, e->i8, write);
}

void sl_process_copy_call(LLVMValueRef from, LLVMValueRef to)
{
    LLVMSetInstructionCallConv(to, LLVMGetInstructionCallConv(from));
    for (LLVMAttributeIndex at = LLVMAttributeReturnIndex; at <= LLVMGetNumArgOperands(from);
         at++) {
        unsigned count = LLVMGetCallSiteAttributeCount(from, at);
        LLVMAttributeRef *all = sl_ir_alloc(count, sizeof(*all));
        if (count)
            LLVMGetCallSiteAttributes(from, at, all);
        for (unsigned i = 0; i < count; i++)
            LLVMAddCallSiteAttribute(to, at, all[i]);
        free(all);
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

static bool is_of_launches(LLVMAttributeRef attribute)
{
    static const char *const names[] = {"sl-dataflow",
                                        "sl-attributes",
                                        "sl-autorun",
                                        "sl-line",
                                        "sl-max-global-work-dim",
                                        "sl-max-work-group-size",
                                        "sl-num-compute-units",
                                        "sl-num-simd-work-items",
                                        "sl-uses-global-work-offset"};
    unsigned length;
    const char *name =
        LLVMIsStringAttribute(attribute) ? LLVMGetStringAttributeKind(attribute, &length) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static void add_text(LLVMValueRef function, const char *name, const char *value)
{
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(function)), name,
                                  (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
    const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(from, at);
    LLVMAttributeRef *all = sl_ir_alloc(count, sizeof(*all));
    if (count)
        LLVMGetAttributesAtIndex(from, at, all);
    for (unsigned i = 0; i < count; i++)
        if (!is_of_launches(all[i]))
            LLVMAddAttributeAtIndex(to, at, all[i]);
    free(all);
}

LLVMValueRef sl_process_kernel(LLVMModuleRef module, const char *name, LLVMValueRef of,
                               LLVMValueRef place)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMValueRef kernel = LLVMAddFunction(module, name, type);
    char line[16];
    snprintf(line, sizeof line, "%u", LLVMGetDebugLocLine(place));
    LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
    copy_attributes(of, kernel);
    add_text(kernel, SL_KERNEL_ATTRIBUTE, "");
    add_text(kernel, SL_LINE_ATTRIBUTE, line);
    add_text(kernel, SL_PROCESS_ATTRIBUTE, "");
    add_text(kernel, "sl-autorun", "");
    add_text(kernel, "sl-max-global-work-dim", "0");
    return kernel;
}
