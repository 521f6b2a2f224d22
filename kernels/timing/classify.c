/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/classify.h"

#include <string.h>

#include "ir/calls.h"
#include "ir/space.h"
#include "pipes/pipe.h"
#include "timing/declared_pipe.h"
#include "llvm/intrinsics.h"
#include "llvm/loops/counts/loop_graph.h"

/* ---- pipes ----------------------------------------------------------------------------------- */

static const struct sl_pipe_operation *operation_of(const char *callee)
{
    enum { LONGEST_NAME = 64 };
    char name[LONGEST_NAME];
    const char *form = strstr(callee, ".value");
    size_t length = form ? (size_t)(form - callee) : strlen(callee);
    if (length >= sizeof name)
        return NULL;
    memcpy(name, callee, length);
    name[length] = '\0';
    return sl_pipe_operation_find(name);
}

bool sl_is_pipe_operation(const char *callee, bool *write)
{
    const struct sl_pipe_operation *operation = operation_of(callee);
    if (!operation || operation->form == SL_PIPE_FORM_VALID)
        return false;
    *write = operation->direction == SL_PIPE_WRITE;
    return true;
}

bool sl_is_packet_operation(const char *callee, bool *write)
{
    const struct sl_pipe_operation *operation = operation_of(callee);
    return operation && operation->form == SL_PIPE_FORM_PACKET &&
           sl_is_pipe_operation(callee, write);
}

/* The attribute `blocking`. */
static bool waits_as_declared(LLVMValueRef pipe)
{
    struct sl_pipe_declaration declared;
    if (LLVMIsAArgument(pipe))
        return sl_pipe_argument_text(pipe, "sl-pipe-blocking") != NULL;
    return LLVMIsAGlobalVariable(pipe) && sl_pipe_declaration_find(pipe, &declared) &&
           declared.flags & SL_PIPE_BLOCKING;
}

bool sl_waits(LLVMValueRef call, LLVMValueRef pipe)
{
    const struct sl_pipe_operation *operation = operation_of(sl_callee_name(call));
    return operation && (operation->wait == SL_PIPE_WAITS ||
                         (operation->wait == SL_PIPE_AS_DECLARED && waits_as_declared(pipe)));
}

/* ---- memories -------------------------------------------------------------------------------- */

static LLVMValueRef address_of(LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        return LLVMGetOperand(i, 0);
    return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

LLVMValueRef sl_memory_of(LLVMValueRef i, bool *is_local)
{
    LLVMValueRef address = address_of(i), object = address ? sl_llvm_object_of(address) : NULL;
    unsigned space = object ? LLVMGetPointerAddressSpace(LLVMTypeOf(object)) : SL_SPACE_GLOBAL;
    *is_local = space == SL_SPACE_LOCAL;
    return space == SL_SPACE_LOCAL || space == SL_SPACE_PRIVATE ? object : NULL;
}

static enum sl_operator classify_access(LLVMValueRef i)
{
    bool load = LLVMIsALoadInst(i);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(sl_llvm_object_of(address_of(i))));
    switch (space) {
    case SL_SPACE_PRIVATE:
        return load ? SL_OPERATOR_PRIVATE_LOAD : SL_OPERATOR_PRIVATE_STORE;
    case SL_SPACE_LOCAL:
        return load ? SL_OPERATOR_LOCAL_LOAD : SL_OPERATOR_LOCAL_STORE;
    case SL_SPACE_CONSTANT:
        return SL_OPERATOR_CONSTANT_LOAD;
    default:
        return load ? SL_OPERATOR_GLOBAL_LOAD : SL_OPERATOR_GLOBAL_STORE;
    }
}

/* ---- all else -------------------------------------------------------------------------------- */

static LLVMTypeRef scalar_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_double(LLVMTypeRef type)
{
    return LLVMGetTypeKind(scalar_of(type)) == LLVMDoubleTypeKind;
}

static bool is_floating(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(scalar_of(type));
    return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind ||
           kind == LLVMBFloatTypeKind;
}

static enum sl_operator by_width(LLVMTypeRef type, enum sl_operator narrow, enum sl_operator wide)
{
    return is_double(type) ? wide : narrow;
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static enum sl_operator classify_intrinsic(LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (sl_llvm_is_intrinsic(i, SL_INTRINSIC_SIGN))
        return SL_OPERATOR_LOGIC;
    if (is_floating(type))
        return by_width(type, SL_OPERATOR_FLOAT_FUNCTION, SL_OPERATOR_DOUBLE_FUNCTION);
    if (sl_llvm_is_intrinsic(i, SL_INTRINSIC_COPY | SL_INTRINSIC_COPY_INLINE | SL_INTRINSIC_MOVE |
                                    SL_INTRINSIC_FILL | SL_INTRINSIC_FILL_INLINE))
        return SL_OPERATOR_CALL;
    return SL_OPERATOR_ADD; /* smin, abs, ctpop, uadd.sat and their like */
}

/* Without effects: a work-item's number, or a function of numbers. */
static enum sl_operator classify_call(LLVMValueRef i)
{
    const char *name = sl_callee_name(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    bool write = false;
    if (sl_is_pipe_operation(name, &write))
        return write ? SL_OPERATOR_PIPE_WRITE : SL_OPERATOR_PIPE_READ;
    if (sl_llvm_is_intrinsic(i, SL_INTRINSIC_ANY))
        return classify_intrinsic(i);
    if (strstr(name, "atomic"))
        return SL_OPERATOR_ATOMIC;
    if (begins(name, "_Z") && strstr(name, "get_") && !is_floating(type))
        return SL_OPERATOR_NONE;
    if (begins(name, "_Z") && is_floating(type))
        return by_width(type, SL_OPERATOR_FLOAT_FUNCTION, SL_OPERATOR_DOUBLE_FUNCTION);
    return SL_OPERATOR_CALL;
}

static enum sl_operator classify_arithmetic(LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
        return SL_OPERATOR_ADD;
    case LLVMMul:
        return SL_OPERATOR_MULTIPLY;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: /* by a constant: a product with its reciprocal */
        return LLVMIsConstant(LLVMGetOperand(i, 1)) ? SL_OPERATOR_MULTIPLY : SL_OPERATOR_DIVIDE;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return SL_OPERATOR_SHIFT;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return SL_OPERATOR_LOGIC;
    case LLVMICmp:
        return SL_OPERATOR_COMPARE;
    case LLVMFCmp:
        return by_width(type, SL_OPERATOR_FLOAT_COMPARE, SL_OPERATOR_DOUBLE_COMPARE);
    case LLVMFAdd:
    case LLVMFSub:
        return by_width(type, SL_OPERATOR_FLOAT_ADD, SL_OPERATOR_DOUBLE_ADD);
    case LLVMFMul:
        return by_width(type, SL_OPERATOR_FLOAT_MULTIPLY, SL_OPERATOR_DOUBLE_MULTIPLY);
    case LLVMFDiv:
    case LLVMFRem:
        return by_width(type, SL_OPERATOR_FLOAT_DIVIDE, SL_OPERATOR_DOUBLE_DIVIDE);
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMFPTrunc:
    case LLVMFPExt:
        return by_width(type, SL_OPERATOR_FLOAT_CONVERT, SL_OPERATOR_DOUBLE_CONVERT);
    case LLVMSIToFP:
    case LLVMUIToFP:
        return by_width(LLVMTypeOf(i), SL_OPERATOR_FLOAT_CONVERT, SL_OPERATOR_DOUBLE_CONVERT);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return SL_OPERATOR_ATOMIC;
    default: /* wires: casts, addresses, selections, joined values, branches */
        return SL_OPERATOR_NONE;
    }
}

enum sl_operator sl_classify(LLVMValueRef i)
{
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
        return classify_access(i);
    if (LLVMIsACallInst(i))
        return classify_call(i);
    return LLVMGetNumOperands(i) ? classify_arithmetic(i) : SL_OPERATOR_NONE;
}

static bool is_power_of_two(LLVMValueRef value)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    unsigned long long number = LLVMConstIntGetZExtValue(value);
    return number && !(number & (number - 1));
}

/* A quotient is a product with the reciprocal, or a shift, and a sum for the sign; a remainder is
 * another product and a difference. */
static uint32_t division_latency(const struct sl_operator_table *table, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    uint32_t product = table->latency[SL_OPERATOR_MULTIPLY], sum = table->latency[SL_OPERATOR_ADD];
    if (is_power_of_two(LLVMGetOperand(i, 1)))
        product = table->latency[SL_OPERATOR_SHIFT];
    return (opcode == LLVMURem || opcode == LLVMSRem ? 2 * product + sum : product) +
           (opcode == LLVMSDiv || opcode == LLVMSRem ? sum : 0);
}

uint32_t sl_operator_latency(const struct sl_operator_table *table, LLVMValueRef i)
{
    enum sl_operator kind = sl_classify(i);
    if (kind == SL_OPERATOR_MULTIPLY && LLVMGetInstructionOpcode(i) != LLVMMul)
        return division_latency(table, i);
    return kind < SL_OPERATOR_COUNT ? table->latency[kind] : 0;
}

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsConstant(value) && LLVMIsNull(value);
}

bool sl_selects_sum(LLVMValueRef from, LLVMValueRef to)
{
    if (!LLVMIsAInstruction(to) ||
        (LLVMGetInstructionOpcode(to) != LLVMAdd && LLVMGetInstructionOpcode(to) != LLVMSub))
        return false;
    if (LLVMIsAZExtInst(from) || LLVMIsASExtInst(from)) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(from, 0));
        return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
    }
    if (!LLVMIsASelectInst(from))
        return false;
    LLVMValueRef yes = LLVMGetOperand(from, 1), no = LLVMGetOperand(from, 2);
    return LLVMIsConstant(yes) && LLVMIsConstant(no) && (is_zero(yes) || is_zero(no));
}
