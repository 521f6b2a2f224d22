/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks. */
#include "compiler/frontend/initializers.h"

#include <llvm-c/Comdat.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/stage/stage.h"
#include "ir/emit.h"
#include "llvm/llvm_extra.h"

static const char list_name[] = "llvm.global_ctors";
/* Behind all other names, so that the other rows of the tables count as if it were not there. */
static const char kernel_name[] = "~initializers";

/* Rows of the list: priority, function, what it is for. */
static LLVMValueRef rows_of(LLVMModuleRef module, unsigned *count)
{
    LLVMValueRef list = LLVMGetNamedGlobal(module, list_name);
    LLVMValueRef rows = list ? LLVMGetInitializer(list) : NULL;
    *count = rows && LLVMIsAConstantArray(rows) ? (unsigned)LLVMGetNumOperands(rows) : 0;
    return rows;
}

bool sl_initializers_exist(LLVMModuleRef module)
{
    unsigned count;
    rows_of(module, &count);
    return count || LLVMGetNamedFunction(module, kernel_name);
}

static void forget_group(LLVMValueRef value)
{
    LLVMSetComdat(value, NULL);
}

/* What a row is for is null then: clang has it in an address space that the list does not say. */
static LLVMValueRef plain_row(LLVMValueRef row)
{
    LLVMValueRef fields[] = {LLVMGetOperand(row, 0), LLVMGetOperand(row, 1),
                             LLVMConstNull(LLVMTypeOf(LLVMGetOperand(row, 1)))};
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(row));
    return LLVMConstStructInContext(context, fields, sizeof fields / sizeof *fields, false);
}

static int make_plain(LLVMModuleRef module)
{
    unsigned count;
    LLVMValueRef rows = rows_of(module, &count);
    LLVMValueRef *plain = count ? calloc(count, sizeof(LLVMValueRef)) : NULL;
    if (!plain)
        return count ? -1 : 0;
    for (unsigned i = 0; i < count; i++) {
        plain[i] = plain_row(LLVMGetOperand(rows, i));
        LLVMSetFunctionCallConv(LLVMGetOperand(plain[i], 1), LLVMSPIRFUNCCallConv);
    }
    LLVMSetInitializer(LLVMGetNamedGlobal(module, list_name),
                       LLVMConstArray2(LLVMTypeOf(plain[0]), plain, count));
    free(plain);
    return 0;
}

int sl_initializers_prepare(LLVMModuleRef module)
{
    if (make_plain(module))
        return -1;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        forget_group(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        forget_group(g);
    return 0;
}

struct call {
    LLVMValueRef function;
    uint64_t priority;
    unsigned index;
};

static int by_order(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static LLVMValueRef make_kernel(LLVMModuleRef module)
{
    static const struct {
        const char *name, *value;
    } marks[] = {
        {SL_KERNEL_ATTRIBUTE, ""},
        {SL_INITIALIZER_ATTRIBUTE, ""},
        {"uniform-work-group-size", "true"}, /* or other kernels would count as not having it */
    };
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMValueRef kernel = LLVMAddFunction(module, kernel_name, type);
    LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        LLVMAddAttributeAtIndex(
            kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateStringAttribute(context, marks[i].name, (unsigned)strlen(marks[i].name),
                                      marks[i].value, (unsigned)strlen(marks[i].value)));
    return kernel;
}

static void fill_kernel(LLVMValueRef kernel, const struct call *calls, unsigned count)
{
    struct sl_emit e;
    sl_emit_init(&e, LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));
    LLVMPositionBuilderAtEnd(e.builder, LLVMAppendBasicBlockInContext(e.context, kernel, ""));
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef call = LLVMBuildCall2(e.builder, LLVMGlobalGetValueType(calls[i].function),
                                           calls[i].function, NULL, 0, "");
        LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(calls[i].function));
    }
    LLVMBuildRetVoid(e.builder);
    sl_emit_finish(&e);
}

int sl_stage_initializers(struct sl_stages *stages)
{
    unsigned count;
    LLVMValueRef rows = rows_of(stages->module, &count);
    if (!count)
        return 0;
    struct call *calls = calloc(count, sizeof *calls);
    if (!calls)
        return sl_stage_fail(stages, "out of memory");
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef row = LLVMGetOperand(rows, i);
        calls[i] = (struct call){LLVMGetOperand(row, 1),
                                 LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0)), i};
    }
    qsort(calls, count, sizeof *calls, by_order);
    fill_kernel(make_kernel(stages->module), calls, count);
    free(calls);
    LLVMDeleteGlobal(LLVMGetNamedGlobal(stages->module, list_name));
    return 0;
}
