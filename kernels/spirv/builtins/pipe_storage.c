/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes at program scope: three numbers, the size of a packet, its alignment and the capacity, of
 * which instructions make a pipe where they use it. The numbers are a constant
 * (OpConstantPipeStorage), a variable with that constant in it, or as compilers of SYCL write it a
 * variable of plain numbers, of which more may follow. Passes know such a pipe as an undefined
 * constant array of the name, described by a node of !sl.pipes (dialect/describe.cpp), so that
 * takes the storage's place.
 */
#include "spirv/builtins/pipe_storage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sluice/pipe.h"
#include "spirv/builtins/latency.h"
#include "spirv/grammar/numbers.h"
#include "spirv/values/operand.h"

#define SUFFIX ".storage" /* of the variable that had the name */
enum { CONSTANT_SPACE = 2, MOST_STEPS = 64, MOST_NAME = 480, NAME_BYTES = MOST_NAME + 32 };

/* ---- which storage --------------------------------------------------------------------------- */

static int is_unknown(const struct sl_builtin *op)
{
    return sl_spirv_fail(op->spirv, op->instruction,
                         "which pipe is meant is not known when the program is built");
}

/* Does the instruction take what stands first in its operand, of parts in parts? */
static bool takes_first(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    for (unsigned k = 1; k < i->operand_count; k++) {
        uint64_t index = i->operands[k];
        if (i->opcode != OpCompositeExtract && (!sl_spirv_is_constant(s, i->operands[k]) ||
                                                sl_spirv_number(s, i->operands[k], &index)))
            return false;
        if (index)
            return false;
    }
    return true;
}

static bool leads_on(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpPtrCastToGeneric:
    case OpGenericCastToPtr:
    case OpBitcast:
    case OpCopyObject:
    case OpLoad:
        return true;
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpPtrAccessChain:
    case OpInBoundsPtrAccessChain:
    case OpCompositeExtract:
        return takes_first(s, i);
    }
    return false;
}

/* The variable or the constant that is the storage. NULL: failed. */
static const struct sl_spirv_instruction *find_storage(const struct sl_builtin *op, uint32_t id)
{
    const struct sl_spirv_instruction *i = sl_spirv_definition(op->spirv, id);
    for (unsigned step = 0; i && step < MOST_STEPS; step++) {
        if (i->opcode == OpVariable || i->opcode == OpConstantPipeStorage)
            return i;
        if (!leads_on(op->spirv, i))
            break;
        i = sl_spirv_definition(op->spirv, i->operands[0]);
    }
    if (i)
        is_unknown(op);
    return NULL;
}

/* ---- what it says ---------------------------------------------------------------------------- */

static bool has_parts(LLVMValueRef value)
{
    LLVMTypeKind kind = value ? LLVMGetTypeKind(LLVMTypeOf(value)) : LLVMVoidTypeKind;
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

/* -1: it has not three numbers. */
static int read_numbers(LLVMValueRef all, uint64_t out[3])
{
    LLVMValueRef inner = all;
    for (; has_parts(inner); inner = LLVMGetAggregateElement(all, 0))
        all = inner;
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef one = has_parts(all) ? LLVMGetAggregateElement(all, i) : NULL;
        if (!one || !LLVMIsAConstantInt(one))
            return -1;
        out[i] = LLVMConstIntGetZExtValue(one);
    }
    return 0;
}

/* What the variable or composite holds. NULL: no storage of its own. */
static const struct sl_spirv_instruction *held(struct sl_spirv *s,
                                               const struct sl_spirv_instruction *i)
{
    unsigned at = i->opcode == OpVariable;
    if (i->opcode != OpVariable && i->opcode != OpConstantComposite)
        return NULL;
    return at < i->operand_count ? sl_spirv_definition(s, i->operands[at]) : NULL;
}

static bool decoration(struct sl_spirv *s, const struct sl_spirv_instruction *storage,
                       uint32_t wanted, uint32_t *out)
{
    for (const struct sl_spirv_instruction *i = storage; i; i = held(s, i))
        if (sl_spirv_decoration(s, i->result, wanted, out))
            return true;
    return false;
}

/* A variable of the module, or the constant. NULL: failed. */
static LLVMValueRef storage_value(const struct sl_builtin *op,
                                  const struct sl_spirv_instruction *storage)
{
    LLVMValueRef value = sl_spirv_value(op->spirv, storage->result);
    if (value && storage->opcode == OpVariable && !LLVMIsAGlobalVariable(value))
        is_unknown(op);
    else
        return value;
    return NULL;
}

struct description {
    uint64_t numbers[3];
    uint32_t flags;
    char io[16]; /* the peripheral's name; "": none */
};

static int describe(const struct sl_builtin *op, const struct sl_spirv_instruction *storage,
                    LLVMValueRef value, struct description *out)
{
    struct sl_spirv *s = op->spirv;
    uint32_t number = 0;
    *out = (struct description){0};
    if (LLVMIsAGlobalVariable(value))
        value = LLVMGetInitializer(value);
    if (read_numbers(value, out->numbers))
        return sl_spirv_fail(s, op->instruction, "the storage of the pipe is not described");
    if (decoration(s, storage, DecorationIOPipeStorageINTEL, &number))
        snprintf(out->io, sizeof out->io, "%" PRIu32, number);
    if (decoration(s, storage, DecorationHostAccessINTEL, NULL) ||
        decoration(s, storage, DecorationHostAccessOldINTEL, NULL))
        out->flags = SL_PIPE_HOST | SL_PIPE_HOST_IF_FREE;
    return 0;
}

/* ---- the array in its place ------------------------------------------------------------------ */

static void add_node(struct sl_spirv *spirv, const char *name, const struct description *d)
{
    LLVMContextRef context = sl_spirv_context(spirv);
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    const uint64_t words[] = {d->numbers[0], d->numbers[1], d->numbers[2], d->flags};
    LLVMMetadataRef operands[11], empty = LLVMMDStringInContext2(context, "", 0);
    unsigned n = 0;
    operands[n++] = LLVMMDStringInContext2(context, name, strlen(name));
    operands[n++] = LLVMMDStringInContext2(context, "pipe", 4);
    for (unsigned i = 0; i < 4; i++)
        operands[n++] = LLVMValueAsMetadata(LLVMConstInt(word, words[i], 0));
    operands[n++] = LLVMMDStringInContext2(context, d->io, strlen(d->io));
    operands[n++] = empty; /* no name of the packet's type, no file */
    operands[n++] = empty;
    operands[n++] = LLVMValueAsMetadata(LLVMConstInt(word, 0, 0)); /* the line */
    operands[n++] = LLVMValueAsMetadata(LLVMConstInt(word, 0, 0)); /* no dimensions */
    LLVMAddNamedMetadataOperand(
        sl_spirv_module(spirv), "sl.pipes",
        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, operands, n)));
}

/* Is it the module's own? Another one that it is linked with may have such a name, too. */
static bool is_own(LLVMValueRef value)
{
    return !LLVMIsAGlobalVariable(value) || LLVMGetLinkage(value) == LLVMInternalLinkage;
}

/* By what passes know the pipe: the variable's name, which it left. */
static void pipe_name(struct sl_spirv *s, const struct sl_spirv_instruction *storage,
                      LLVMValueRef value, char name[NAME_BYTES])
{
    const char *given = LLVMIsAGlobalVariable(value) ? LLVMGetValueName(value) : "";
    size_t length = strlen(given), tail = sizeof SUFFIX - 1;
    bool has_left = length > tail && !strcmp(given + length - tail, SUFFIX);
    length -= has_left ? tail : 0;
    if (length)
        snprintf(name, NAME_BYTES, "%.*s", length < MOST_NAME ? (int)length : MOST_NAME, given);
    else
        snprintf(name, NAME_BYTES, "pipe.%" PRIu32, storage->result);
    length = strlen(name);
    if (!has_left && is_own(value))
        snprintf(name + length, NAME_BYTES - length, ".%08" PRIx32, sl_spirv_mark_of_module(s));
}

/* Nobody but pipes reads a variable that describes one. */
static void leave_name(LLVMValueRef variable, const char *name)
{
    char renamed[NAME_BYTES + sizeof SUFFIX];
    snprintf(renamed, sizeof renamed, "%s" SUFFIX, name);
    LLVMSetValueName2(variable, renamed, strlen(renamed));
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMGlobalClearMetadata(variable); /* the name for the host is the pipe's */
}

static LLVMValueRef make_array(struct sl_spirv *s, const char *name, const struct description *d)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(s));
    LLVMValueRef array = LLVMAddGlobalInAddressSpace(sl_spirv_module(s), LLVMArrayType2(word, 1),
                                                     name, CONSTANT_SPACE);
    LLVMSetGlobalConstant(array, true);
    add_node(s, LLVMGetValueName(array), d);
    return array;
}

/* Of the storage with this id, made when it is first asked for. NULL: failed. */
static LLVMValueRef array_of(const struct sl_builtin *op, uint32_t id)
{
    char name[NAME_BYTES];
    struct description d;
    const struct sl_spirv_instruction *storage = find_storage(op, id);
    LLVMValueRef value = storage ? storage_value(op, storage) : NULL;
    if (!value)
        return NULL;
    pipe_name(op->spirv, storage, value, name);
    LLVMValueRef known = LLVMGetNamedGlobal(sl_spirv_module(op->spirv), name);
    if (known && LLVMIsDeclaration(known) &&
        LLVMGetTypeKind(LLVMGlobalGetValueType(known)) == LLVMArrayTypeKind)
        return known;
    if (describe(op, storage, value, &d))
        return NULL;
    if (LLVMIsAGlobalVariable(value))
        leave_name(value, name);
    return make_array(op->spirv, name, &d);
}

/* ---- pipes ----------------------------------------------------------------------------------- */

int sl_pipe_storage(const struct sl_builtin *op, uint32_t pipe, LLVMValueRef *out)
{
    const struct sl_spirv_instruction *made = sl_spirv_definition(op->spirv, pipe);
    if (!made)
        return -1;
    if (made->opcode != OpCreatePipeFromPipeStorage)
        return 0;
    *out = array_of(op, made->operands[0]);
    return *out ? 1 : -1;
}

/* Who uses the pipe as it is looks at its storage; code that nobody optimised keeps it in variables
 * and gives it to functions, so it is a value, too: what lies where the address was put. */
int sl_builtin_pipe_of_storage(const struct sl_builtin *op)
{
    struct sl_spirv *s = op->spirv;
    const struct sl_spirv_type *type = sl_spirv_type(s, op->instruction->type);
    if (!type || type->kind != SL_SPIRV_PIPE)
        return sl_spirv_fail(s, op->instruction, "its type is no pipe");
    LLVMValueRef array = array_of(op, op->instruction->operands[0]);
    if (!array || sl_spirv_keep_latency(op, type->image.access, LLVMGetValueName(array)))
        return -1;
    LLVMBuilderRef builder = sl_spirv_builder(s);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(sl_spirv_context(s), 0);
    LLVMValueRef slot = sl_spirv_frame_slot(s, pointer);
    LLVMBuildStore(builder, LLVMConstAddrSpaceCast(array, pointer), slot);
    return sl_build_result(s, op->instruction, LLVMBuildLoad2(builder, type->llvm, slot, ""));
}
