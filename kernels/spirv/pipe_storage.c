/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes at program scope: a variable of three numbers, the size of a packet, its alignment and the
 * capacity, of which instructions make a pipe where they use it. Passes know such a pipe as an
 * undefined constant array of the name, described by a node of !sl.pipes (dialect/describe.cpp), so
 * that takes the variable's place.
 */
#include "spirv/pipe_storage.h"

#include <stdio.h>
#include <string.h>

#include "sluice/pipe.h"
#include "spirv/numbers.h"
#include "spirv/operand.h"

#define SUFFIX ".storage" /* of the variable that had the name */
enum { CONSTANT_SPACE = 2 };

static LLVMValueRef without_casts(LLVMValueRef pointer)
{
    while ((LLVMIsAConstantExpr(pointer) && (LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast ||
                                             LLVMGetConstOpcode(pointer) == LLVMBitCast)) ||
           LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* Of the variable's three numbers; -1: it has none. */
static int read_numbers(LLVMValueRef variable, uint64_t out[3])
{
    LLVMValueRef all = LLVMGetInitializer(variable);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef one = all ? LLVMGetAggregateElement(all, i) : NULL;
        if (!one || !LLVMIsAConstantInt(one))
            return -1;
        out[i] = LLVMConstIntGetZExtValue(one);
    }
    return 0;
}

static void describe(struct sl_spirv *spirv, const char *name, const uint64_t numbers[3],
                     uint32_t flags)
{
    LLVMContextRef context = sl_spirv_context(spirv);
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    const uint64_t words[] = {numbers[0], numbers[1], numbers[2], flags};
    LLVMMetadataRef operands[11], empty = LLVMMDStringInContext2(context, "", 0);
    unsigned n = 0;
    operands[n++] = LLVMMDStringInContext2(context, name, strlen(name));
    operands[n++] = LLVMMDStringInContext2(context, "pipe", 4);
    for (unsigned i = 0; i < 4; i++)
        operands[n++] = LLVMValueAsMetadata(LLVMConstInt(word, words[i], 0));
    operands[n++] = empty; /* no peripheral, no name of the packet's type, no file */
    operands[n++] = empty;
    operands[n++] = empty;
    operands[n++] = LLVMValueAsMetadata(LLVMConstInt(word, 0, 0)); /* the line */
    operands[n++] = LLVMValueAsMetadata(LLVMConstInt(word, 0, 0)); /* no dimensions */
    LLVMAddNamedMetadataOperand(
        sl_spirv_module(spirv), "sl.pipes",
        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, operands, n)));
}

/* The array in the place of the variable. */
static LLVMValueRef replace(const struct sl_builtin *op, LLVMValueRef variable, uint32_t flags)
{
    LLVMModuleRef module = sl_spirv_module(op->spirv);
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(op->spirv));
    char name[512];
    uint64_t numbers[3];
    if (read_numbers(variable, numbers)) {
        sl_spirv_fail(op->spirv, op->instruction, "the storage of the pipe is not described");
        return NULL;
    }
    snprintf(name, sizeof name, "%.480s", LLVMGetValueName(variable));
    char renamed[sizeof name + sizeof SUFFIX];
    snprintf(renamed, sizeof renamed, "%s" SUFFIX, name);
    LLVMSetValueName2(variable, renamed, strlen(renamed));
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMValueRef array =
        LLVMAddGlobalInAddressSpace(module, LLVMArrayType2(word, 1), name, CONSTANT_SPACE);
    LLVMSetGlobalConstant(array, true);
    describe(op->spirv, LLVMGetValueName(array), numbers, flags);
    return array;
}

/* What has taken the variable's place before. NULL: nothing. */
static LLVMValueRef find(struct sl_spirv *spirv, LLVMValueRef variable)
{
    char name[512];
    snprintf(name, sizeof name, "%s", LLVMGetValueName(variable));
    size_t length = strlen(name), tail = sizeof SUFFIX - 1;
    if (length <= tail || strcmp(name + length - tail, SUFFIX) != 0)
        return NULL;
    name[length - tail] = 0;
    return LLVMGetNamedGlobal(sl_spirv_module(spirv), name);
}

int sl_pipe_storage(const struct sl_builtin *op, uint32_t pipe, LLVMValueRef *out)
{
    struct sl_spirv *spirv = op->spirv;
    const struct sl_spirv_instruction *made = sl_spirv_definition(spirv, pipe);
    if (!made)
        return -1;
    if (made->opcode != OpCreatePipeFromPipeStorage)
        return 0;
    LLVMValueRef pointer = sl_spirv_value(spirv, made->operands[0]);
    LLVMValueRef variable = pointer ? without_casts(pointer) : NULL;
    if (!variable)
        return -1;
    const struct sl_spirv_instruction *given = sl_spirv_definition(spirv, made->operands[0]);
    while (given && given->opcode != OpVariable && given->operand_count && given->result)
        given = sl_spirv_definition(spirv, given->operands[0]);
    if (!given || given->opcode != OpVariable || !LLVMIsAGlobalVariable(variable))
        return sl_spirv_fail(spirv, op->instruction,
                             "which pipe is meant is not known when the program is built");
    if (sl_spirv_decoration(spirv, given->result, DecorationIOPipeStorageINTEL, NULL))
        return sl_spirv_fail(spirv, op->instruction, "capability IOPipesINTEL is not supported");
    bool host = sl_spirv_decoration(spirv, given->result, DecorationHostAccessINTEL, NULL) ||
                sl_spirv_decoration(spirv, given->result, DecorationHostAccessOldINTEL, NULL);
    *out = find(spirv, variable);
    if (!*out)
        *out = replace(op, variable, host ? SL_PIPE_HOST | SL_PIPE_HOST_IF_FREE : 0);
    return *out ? 1 : -1;
}

/* Nothing has the pipe as a value: those who use it look here. */
int sl_builtin_pipe_of_storage(const struct sl_builtin *op)
{
    (void)op;
    return 1;
}
