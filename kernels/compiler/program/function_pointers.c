/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers to functions, which SPIR-V's reader marks. The address of a function becomes a number,
 * and a call of what a pointer says a call of a function that knows the numbers of all functions
 * of that type: what follows knows no pointers to code. So this is for whole programs, objects keep
 * the marks. A pointer to no such function ends the launch. No locks.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/program/waits.h"
#include "compiler/stage/stage.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "ir/space.h"
#include "spirv/spirv.h"

enum { STEP = 16 }; /* between numbers; 0 is no function's */

struct rewrite {
    struct sl_stages *stages;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef word;
    struct sl_list calls, functions; /* of pointers; that have a number, in its order */
    bool *waits;                     /* owned, beside functions: for other items */
    struct sl_map callers;           /* of a function's type: what calls by number */
};

/* ---- which ----------------------------------------------------------------------------------- */

#define AT_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

static void copy_attributes(LLVMValueRef call, LLVMValueRef function)
{
    for (unsigned index = 0; index <= LLVMCountParams(function); index++) {
        LLVMAttributeRef list[16];
        unsigned count = LLVMGetAttributeCountAtIndex(function, index);
        if (count > sizeof list / sizeof *list)
            continue;
        LLVMGetAttributesAtIndex(function, index, list);
        for (unsigned k = 0; k < count; k++)
            LLVMAddCallSiteAttribute(call, index, list[k]);
    }
}

/* Whose pointer is known is a call like others. */
static void take_call(struct rewrite *r, LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (function)
        copy_attributes(call, function);
    else
        sl_list_add(&r->calls, call);
}

static void find_calls(struct rewrite *r, LLVMValueRef function)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (sl_is_call_of_pointer(i))
                take_call(r, i);
}

/* Does the use call the function? */
static bool calls(LLVMUseRef use)
{
    LLVMValueRef user = LLVMGetUser(use);
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == LLVMGetUsedValue(use) &&
           (unsigned)LLVMGetNumOperands(user) == LLVMGetNumArgOperands(user) + 1;
}

/* Blocks of OpenCL C have another way (blocks.c). */
static bool is_pointed_at(LLVMValueRef function)
{
    size_t bytes;
    if (strstr(LLVMGetValueName2(function, &bytes), "_block_invoke"))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!calls(use))
            return true;
    return false;
}

static bool is_referenced(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, AT_FUNCTION, SL_REFERENCED_ATTRIBUTE,
                                         sizeof SL_REFERENCED_ATTRIBUTE - 1) &&
           !LLVMIsDeclaration(function);
}

static void find_all(struct rewrite *r)
{
    LLVMModuleRef module = r->stages->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        find_calls(r, f);
        if (LLVMGetFunctionCallConv(f) == LLVMSPIRFUNCCallConv &&
            (is_pointed_at(f) || is_referenced(f)))
            sl_list_add(&r->functions, f);
    }
}

static void find_waiting(struct rewrite *r)
{
    r->waits = sl_ir_alloc(r->functions.count + 1, sizeof *r->waits);
    for (size_t k = 0; k < r->functions.count; k++)
        r->waits[k] = sl_may_wait(&r->functions, r->functions.items[k]);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static LLVMValueRef number(const struct rewrite *r, size_t index)
{
    return LLVMConstInt(r->word, (index + 1) * STEP, 0);
}

/* What the host is told by the function's name (clGetDeviceFunctionPointerINTEL). */
static void publish(const struct rewrite *r, size_t index)
{
    LLVMValueRef function = r->functions.items[index];
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    LLVMMetadataRef text = LLVMMDStringInContext2(r->context, name, length);
    if (LLVMGetLinkage(function) == LLVMInternalLinkage)
        return;
    LLVMValueRef row = LLVMAddGlobalInAddressSpace(r->stages->module, r->word,
                                                   SL_FUNCTION_NUMBER_NAME, SL_SPACE_GLOBAL);
    LLVMSetInitializer(row, number(r, index));
    LLVMSetGlobalConstant(row, true);
    LLVMSetLinkage(row, LLVMInternalLinkage);
    LLVMGlobalSetMetadata(row,
                          LLVMGetMDKindIDInContext(r->context, SL_HOST_NAME_METADATA,
                                                   sizeof SL_HOST_NAME_METADATA - 1),
                          LLVMMDNodeInContext2(r->context, &text, 1));
}

/* Its calls stay its own. */
static void replace_address(const struct rewrite *r, size_t index)
{
    LLVMValueRef function = r->functions.items[index];
    struct sl_list own = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (calls(use))
            sl_list_add(&own, LLVMGetUser(use));
    LLVMReplaceAllUsesWith(function, LLVMConstIntToPtr(number(r, index), LLVMTypeOf(function)));
    for (size_t i = 0; i < own.count; i++)
        LLVMSetOperand(own.items[i], (unsigned)LLVMGetNumOperands(own.items[i]) - 1, function);
    sl_list_finish(&own);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void add_mark(const struct rewrite *r, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, AT_FUNCTION, LLVMCreateEnumAttribute(r->context, kind, 0));
}

static void build_return(const struct rewrite *r, LLVMValueRef call)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(r->builder);
    else
        LLVMBuildRet(r->builder, call);
}

/* Nothing has this number. */
static void build_trap(const struct rewrite *r)
{
    static const char name[] = "llvm.trap";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef trap = LLVMGetIntrinsicDeclaration(r->stages->module, id, NULL, 0);
    LLVMBuildCall2(r->builder, LLVMGlobalGetValueType(trap), trap, NULL, 0, "");
    LLVMBuildUnreachable(r->builder);
}

static void build_case(const struct rewrite *r, LLVMValueRef choice, size_t index)
{
    LLVMValueRef function = r->functions.items[index];
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(choice));
    unsigned count = LLVMCountParams(function);
    LLVMValueRef *values = sl_ir_alloc(count + 1, sizeof *values);
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(r->context, caller, "");
    for (unsigned k = 0; k < count; k++)
        values[k] = LLVMGetParam(caller, k + 1);
    LLVMAddCase(choice, number(r, index), block);
    LLVMPositionBuilderAtEnd(r->builder, block);
    LLVMValueRef call =
        LLVMBuildCall2(r->builder, LLVMGlobalGetValueType(function), function, values, count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    copy_attributes(call, function);
    build_return(r, call);
    free(values);
}

static LLVMTypeRef caller_type(const struct rewrite *r, LLVMTypeRef type)
{
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef *types = sl_ir_alloc(count + 1, sizeof *types);
    types[0] = r->word;
    LLVMGetParamTypes(type, types + 1);
    LLVMTypeRef result = LLVMFunctionType(LLVMGetReturnType(type), types, count + 1, 0);
    free(types);
    return result;
}

/* Cases of those functions of the type that may wait for other items, or of those that do not.
 * The builder stands where what is no case goes, then. */
static void build_choice(struct rewrite *r, LLVMValueRef caller, LLVMTypeRef type, bool waiting)
{
    LLVMBasicBlockRef others = LLVMAppendBasicBlockInContext(r->context, caller, "");
    LLVMValueRef choice =
        LLVMBuildSwitch(r->builder, LLVMGetParam(caller, 0), others, (unsigned)r->functions.count);
    for (size_t k = 0; k < r->functions.count; k++)
        if (LLVMGlobalGetValueType(r->functions.items[k]) == type && r->waits[k] == waiting)
            build_case(r, choice, k);
    LLVMPositionBuilderAtEnd(r->builder, others);
}

/* A number, then what the functions of this type take. All items or none come to a function that
 * waits, so that choice is the same for all; the one behind it need not be. */
static LLVMValueRef make_caller(struct rewrite *r, LLVMTypeRef type)
{
    LLVMValueRef caller =
        LLVMAddFunction(r->stages->module, "sl.call.pointer", caller_type(r, type));
    LLVMSetLinkage(caller, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(caller, LLVMSPIRFUNCCallConv);
    add_mark(r, caller, "convergent");
    add_mark(r, caller, "nounwind");
    LLVMPositionBuilderAtEnd(r->builder, LLVMAppendBasicBlockInContext(r->context, caller, ""));
    build_choice(r, caller, type, true);
    build_choice(r, caller, type, false);
    build_trap(r);
    return caller;
}

static LLVMValueRef caller_of(struct rewrite *r, LLVMTypeRef type)
{
    LLVMValueRef caller = sl_map_get(&r->callers, type);
    if (!caller) {
        caller = make_caller(r, type);
        sl_map_set(&r->callers, type, caller);
    }
    return caller;
}

static void replace_call(struct rewrite *r, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    LLVMValueRef caller = caller_of(r, type);
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef *values = sl_ir_alloc(count + 1, sizeof *values);
    LLVMPositionBuilderBefore(r->builder, call);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(call));
    values[0] = LLVMBuildPtrToInt(r->builder, LLVMGetCalledValue(call), r->word, "");
    for (unsigned k = 0; k < count; k++)
        values[k + 1] = LLVMGetArgOperand(call, k);
    LLVMValueRef made =
        LLVMBuildCall2(r->builder, LLVMGlobalGetValueType(caller), caller, values, count + 1, "");
    LLVMSetInstructionCallConv(made, LLVMSPIRFUNCCallConv);
    LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
    LLVMSetCurrentDebugLocation2(r->builder, NULL);
    free(values);
}

/* ---- the stage ------------------------------------------------------------------------------- */

static void rewrite(struct sl_stages *stages)
{
    struct rewrite r = {.stages = stages, .context = stages->context};
    r.word = LLVMInt64TypeInContext(stages->context);
    r.builder = LLVMCreateBuilderInContext(stages->context);
    find_all(&r);
    find_waiting(&r);
    for (size_t k = 0; k < r.functions.count; k++) {
        publish(&r, k);
        replace_address(&r, k);
    }
    for (size_t k = 0; k < r.calls.count; k++)
        replace_call(&r, r.calls.items[k]);
    LLVMDisposeBuilder(r.builder);
    sl_map_finish(&r.callers);
    sl_list_finish(&r.calls);
    sl_list_finish(&r.functions);
    free(r.waits);
}

int sl_stage_function_pointers(struct sl_stages *stages)
{
    bool whole = stages->request->kind != SL_BUILD_COMPILE && !stages->options.create_library;
    if (whole && LLVMGetNamedMetadata(stages->module, SL_FUNCTION_POINTERS_METADATA,
                                      sizeof SL_FUNCTION_POINTERS_METADATA - 1))
        rewrite(stages);
    return 0;
}
