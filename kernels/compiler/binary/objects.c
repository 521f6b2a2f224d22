/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled objects and libraries: IR for spir64 as bitcode inside a container. No locks. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/binary/container.h"
#include "compiler/binary/needed.h"
#include "compiler/stage/crash.h"
#include "compiler/stage/stage.h"
#include "ir/memory.h"
#include "llvm/lazy_bitcode.h"

/* Bodies of functions are read later, if at all. NULL: it is no bitcode. */
static LLVMModuleRef open_module(struct sl_stages *stages, const struct sl_blob *bitcode)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode->data, bitcode->bytes, "object");
    LLVMModuleRef module = NULL;
    sl_crash_stage("damaged bitcode"); /* over which LLVM's reader may crash */
    if (!LLVMGetBitcodeModuleInContext2(stages->context, buffer, &module))
        return module;
    LLVMDisposeMemoryBuffer(buffer); /* which a module would own */
    return NULL;
}

/* Is it a module that LLVM would have written? What comes later believes it. */
static bool read_rest(LLVMModuleRef module)
{
    char *text = NULL;
    bool good =
        !sl_lazy_load_rest(module) && !LLVMVerifyModule(module, LLVMReturnStatusAction, &text);
    LLVMDisposeMessage(text);
    return good;
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

static int open_objects(struct sl_stages *stages, LLVMModuleRef *modules)
{
    for (size_t i = 0; i < stages->request->input_count; i++) {
        struct sl_blob bitcode;
        const char *why = sl_container_payload(&stages->request->inputs[i],
                                               SL_BINARY_OBJECT | SL_BINARY_LIBRARY, &bitcode);
        modules[i] = why ? NULL : open_module(stages, &bitcode);
        if (!modules[i])
            return sl_stage_fail(stages, "input %zu: %s", i + 1, why ? why : "damaged bitcode");
    }
    return 0;
}

/* A library may be linked with anything later, so it keeps all. */
static int read_needed(struct sl_stages *stages, const LLVMModuleRef *modules)
{
    size_t count = stages->request->input_count, damaged = 0;
    int rc =
        count < 2 || stages->options.create_library ? 0 : sl_keep_needed(modules, count, &damaged);
    for (size_t i = 0; i < count && !rc; i++)
        if (!read_rest(modules[i])) {
            damaged = i;
            rc = -1;
        }
    return rc ? sl_stage_fail(stages, "input %zu: damaged bitcode", damaged + 1) : 0;
}

/* Takes the modules that become part of the program. */
static int link_objects(struct sl_stages *stages, LLVMModuleRef *modules)
{
    for (size_t i = 0; i < stages->request->input_count; i++) {
        LLVMModuleRef module = modules[i];
        modules[i] = NULL;
        if (!stages->module)
            stages->module = module;
        else if (LLVMLinkModules2(stages->module, module) || stages->llvm_error)
            return sl_stage_fail(stages, "input %zu cannot be linked with those before it", i + 1);
    }
    return 0;
}

int sl_stage_read_objects(struct sl_stages *stages)
{
    size_t count = stages->request->input_count;
    if (!count)
        return sl_stage_fail(stages, "nothing to link");
    LLVMModuleRef *modules = sl_ir_alloc(count, sizeof(LLVMModuleRef));
    int rc = open_objects(stages, modules) || read_needed(stages, modules) ||
                     link_objects(stages, modules)
                 ? -1
                 : 0;
    for (size_t i = 0; i < count; i++)
        if (modules[i])
            LLVMDisposeModule(modules[i]);
    free(modules);
    if (rc)
        return rc;
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
