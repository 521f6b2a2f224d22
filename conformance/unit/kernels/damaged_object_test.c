/* SPDX-License-Identifier: Apache-2.0 */
/* Objects whose bitcode LLVM reads and nobody may believe: right containers around code that was
 * changed. Each is refused with a reason. */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/binary/container.h"
#include "compiler/build.h"
#include "container.h"

struct job {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
};

static void run(void *data)
{
    struct job *job = data;
    job->status = sl_compiler_build(&job->request, &job->result);
}

static const char source[] =
    "int f(int a) { return a * 3; }\n"
    "kernel void k(global int *a, int n) { a[get_global_id(0)] = f(n); }\n";

/* Compiles the source, changes its module, links the outcome and looks for `word` in the log. */
static void check(void (*change)(LLVMModuleRef), const char *word)
{
    struct job compiled = {
        .request = {.kind = SL_BUILD_COMPILE, .source = {source, sizeof source - 1}}};
    struct sl_blob bitcode, object;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;
    assert_int_equal(sl_compiler_on_large_stack(run, &compiled), 0);
    assert_int_equal(compiled.status, 0);
    object = (struct sl_blob){compiled.result.binary.data, compiled.result.binary.bytes};
    assert_null(sl_container_payload(&object, SL_BINARY_OBJECT, &bitcode));
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.data, bitcode.bytes, "object");
    assert_int_equal(LLVMParseBitcodeInContext2(context, buffer, &module), 0);
    LLVMDisposeMemoryBuffer(buffer);
    change(module);
    buffer = LLVMWriteBitcodeToMemoryBuffer(module);
    struct container_text text = {
        .target = "spir64",
        .payload = LLVMGetBufferStart(buffer),
        .payload_bytes = LLVMGetBufferSize(buffer),
        .kind = SL_BINARY_OBJECT,
    };
    size_t bytes;
    unsigned char *container = container_make(&text, &bytes);
    struct sl_blob input = {(const char *)container, bytes};
    struct job linked = {.request = {.kind = SL_BUILD_LINK, .inputs = &input, .input_count = 1}};
    assert_int_equal(sl_compiler_on_large_stack(run, &linked), 0);
    const char *log = linked.result.log.data ? linked.result.log.data : "";
    if (!word)
        assert_int_equal(linked.status, 0);
    else if (linked.status != SL_BUILD_LINK_FAILED || !strstr(log, word))
        fail_msg("status %d, log \"%s\"", linked.status, log);
    sl_build_result_finish(&linked.result);
    sl_build_result_finish(&compiled.result);
    LLVMDisposeMemoryBuffer(buffer);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    free(container);
}

static void nothing(LLVMModuleRef module)
{
    (void)module;
}

static LLVMValueRef last_instruction(LLVMValueRef function)
{
    return LLVMGetLastInstruction(LLVMGetLastBasicBlock(function));
}

/* A kernel that returns a number it cannot return. */
static void return_a_number(LLVMModuleRef module)
{
    LLVMValueRef kernel = LLVMGetNamedFunction(module, "k");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef end = last_instruction(kernel);
    LLVMPositionBuilderBefore(builder, end);
    LLVMBuildRet(builder, LLVMGetParam(kernel, 1));
    LLVMInstructionEraseFromParent(end);
    LLVMDisposeBuilder(builder);
}

static void name_with_a_nul(LLVMModuleRef module)
{
    LLVMSetValueName2(LLVMGetNamedFunction(module, "k"), "k\0k", 3);
}

static void no_name(LLVMModuleRef module)
{
    LLVMSetValueName2(LLVMGetNamedFunction(module, "k"), "", 0);
}

static void test_good(void **state)
{
    (void)state;
    check(nothing, NULL);
}

static void test_malformed(void **state)
{
    (void)state;
    check(return_a_number, "damaged bitcode");
}

static void test_names(void **state)
{
    (void)state;
    check(name_with_a_nul, "no usable name");
    check(no_name, "no usable name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
