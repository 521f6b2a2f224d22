/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled objects and libraries: IR for spir64 as bitcode inside a container. No locks. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <string.h>

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

/* Each a note in the module, which is there in whatever it becomes a part of: code of one object
 * goes into another's, so that one that asks for it decides for all. */
enum note { NOT_OPTIMIZED, WITH_LINES };

static const char *const notes[] = {
    [NOT_OPTIMIZED] = "sl-opt-disable",
    [WITH_LINES] = "sl-debug-info",
};

static bool is_noted(LLVMModuleRef module, enum note note)
{
    return LLVMGetModuleFlag(module, notes[note], strlen(notes[note])) != NULL;
}

static void add_note(LLVMModuleRef module, enum note note)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    if (!is_noted(module, note))
        LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorOverride, notes[note], strlen(notes[note]),
                          LLVMValueAsMetadata(LLVMConstInt(type, 1, false)));
}

static void read_notes(struct sl_stages *stages)
{
    stages->options.optimize &= !is_noted(stages->module, NOT_OPTIMIZED);
    stages->options.debug_info |= is_noted(stages->module, WITH_LINES);
}

static void write_notes(const struct sl_stages *stages)
{
    if (!stages->options.optimize && !stages->always_quick)
        add_note(stages->module, NOT_OPTIMIZED);
    if (stages->options.debug_info)
        add_note(stages->module, WITH_LINES);
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
    if (!stages->module)
        return sl_stage_fail(stages, "nothing to link");
    read_notes(stages);
    return sl_stage_fold_twins(stages);
}

int sl_stage_write_object(struct sl_stages *stages)
{
    write_notes(stages);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(stages->module);
    sl_text_add(&stages->payload, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return stages->payload.failed ? sl_stage_fail(stages, "out of memory") : 0;
}
