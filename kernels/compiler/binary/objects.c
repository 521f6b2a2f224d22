/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled objects and libraries: IR for spir64 as bitcode inside a container. No locks. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>

#include "compiler/binary/container.h"
#include "compiler/stage/crash.h"
#include "compiler/stage/stage.h"

/* NULL when they are no bitcode, or not of a module that LLVM would have written: what comes later
 * believes it. */
static LLVMModuleRef parse(struct sl_stages *stages, const struct sl_blob *bitcode)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode->data, bitcode->bytes, "object");
    LLVMModuleRef module = NULL;
    char *text = NULL;
    sl_crash_stage("damaged bitcode"); /* over which LLVM's reader may crash */
    LLVMBool bad = LLVMParseBitcodeInContext2(stages->context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
    if (!bad && LLVMVerifyModule(module, LLVMReturnStatusAction, &text)) {
        LLVMDisposeModule(module);
        module = NULL;
    }
    LLVMDisposeMessage(text);
    return bad ? NULL : module;
}

/* ---- what an object keeps of its options ----------------------------------------------------- */

/* -cl-opt-disable: a note in the module, which is there in whatever it becomes a part of. */
static const char unoptimized[] = "sl-opt-disable";

static bool is_unoptimized(LLVMModuleRef module)
{
    return LLVMGetModuleFlag(module, unoptimized, sizeof unoptimized - 1) != NULL;
}

static void note_unoptimized(LLVMModuleRef module)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    if (!is_unoptimized(module))
        LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorOverride, unoptimized,
                          sizeof unoptimized - 1,
                          LLVMValueAsMetadata(LLVMConstInt(type, 1, false)));
}

/* ---- in and out ------------------------------------------------------------------------------ */

static int add_object(struct sl_stages *stages, size_t index)
{
    const struct sl_blob *input = &stages->request->inputs[index];
    struct sl_blob bitcode;
    const char *why = sl_container_payload(input, SL_BINARY_OBJECT | SL_BINARY_LIBRARY, &bitcode);
    if (why)
        return sl_stage_fail(stages, "input %zu: %s", index + 1, why);
    LLVMModuleRef module = parse(stages, &bitcode);
    if (!module)
        return sl_stage_fail(stages, "input %zu: damaged bitcode", index + 1);
    if (!stages->module) {
        stages->module = module;
        return 0;
    }
    if (LLVMLinkModules2(stages->module, module) || stages->llvm_error)
        return sl_stage_fail(stages, "input %zu cannot be linked with those before it", index + 1);
    return 0;
}

int sl_stage_read_objects(struct sl_stages *stages)
{
    for (size_t i = 0; i < stages->request->input_count; i++)
        if (add_object(stages, i))
            return -1;
    /* Code of one object goes into another's, so that one that asks for it decides for all. */
    stages->options.optimize &= !stages->module || !is_unoptimized(stages->module);
    return stages->module ? sl_stage_fold_twins(stages) : sl_stage_fail(stages, "nothing to link");
}

int sl_stage_write_object(struct sl_stages *stages)
{
    if (!stages->options.optimize && !stages->always_quick)
        note_unoptimized(stages->module);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(stages->module);
    sl_text_add(&stages->payload, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return stages->payload.failed ? sl_stage_fail(stages, "out of memory") : 0;
}
