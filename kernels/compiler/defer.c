/* SPDX-License-Identifier: Apache-2.0 */
/* Code on demand: see the header. No locks: a build's state belongs to its thread. */
#include "defer.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/emit.h"
#include "../passes/passes_internal.h"
#include "container.h"
#include "library.h"
#include "parts.h"
#include "shim/lazy_bitcode.h"

#define FEWEST_KERNELS                                                                             \
    8 /* a kernel made by itself costs two milliseconds more than among others                     \
       */
#define LOOP_PASSES "sl-loop-passes"

/* Rows of the tables (sluice/module.h) as metadata.c writes them. */
enum { INFO_KERNEL_COUNT = 2, INFO_KERNELS = 4 };
enum { ROW_NAME = 0, ROW_RUN = 1, ROW_COMPONENT = 21, ROW_FIELDS = 24 };

_Static_assert(sizeof(struct sl_kernel_info) == 152 && sizeof(struct sl_module_info) == 72,
               "kernel_record and sl_stage_tables in metadata.c have these fields");

/* ---- which programs -------------------------------------------------------------------------- */

static const char *build_mode(const struct sl_stages *stages)
{
    static const char name[] = "SLUICE_BUILD=";
    for (size_t i = 0; i < stages->request->setting_count; i++)
        if (!strncmp(stages->request->settings[i], name, sizeof name - 1))
            return stages->request->settings[i] + sizeof name - 1;
    return "";
}

static bool has_shared_variable(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) &&
            LLVMGetLinkage(g) != LLVMAppendingLinkage)
            return true;
    return false;
}

/* Kernels that are not launched by themselves: of pipes, or by each other. */
static bool has_company(const struct sl_pass *pass)
{
    const uint32_t flags = SL_KERNEL_USES_PIPES | SL_KERNEL_AUTORUN | SL_KERNEL_BLOCK;
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (pass->kernels[k].flags & flags)
            return true;
    return false;
}

bool sl_defer_suits(const struct sl_stages *stages)
{
    const char *mode = build_mode(stages);
    uint32_t fewest = !strcmp(mode, "on-demand") ? 1 : !strcmp(mode, "auto") ? FEWEST_KERNELS : 0;
    bool plain = stages->options.optimize && !stages->options.debug_info && !stages->dump_folder &&
                 !stages->wants_remarks && !stages->pass.limited &&
                 stages->request->form == SL_FORM_CONTAINER;
    return fewest && plain && stages->pass.kernel_count >= fewest && !has_company(&stages->pass) &&
           !stages->variables.count && !has_shared_variable(stages->module);
}

/* ---- what comes back at first -----------------------------------------------------------------
 */

static void mark_kernels(struct sl_stages *stages)
{
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++) {
        const struct sl_kernel_facts *facts = &stages->pass.kernels[k];
        if (facts->loop_passes)
            LLVMAddAttributeAtIndex(facts->run, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    LLVMCreateStringAttribute(stages->context, LOOP_PASSES,
                                                              sizeof LOOP_PASSES - 1, "", 0));
    }
}

/* What the tables point at until there is code. Nobody launches it. */
static LLVMValueRef make_stand_in(struct sl_stages *stages)
{
    struct sl_emit e;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(stages->context, 0);
    LLVMTypeRef params[] = {pointer, pointer, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(stages->context), params, 3, false);
    LLVMValueRef f = LLVMAddFunction(stages->module, "sluice.no_code", type);
    sl_emit_init(&e, stages->context);
    LLVMPositionBuilderAtEnd(e.builder, LLVMAppendBasicBlockInContext(stages->context, f, ""));
    sl_emit_trap(&e, LLVMGetParam(f, 1), "its code was not made");
    LLVMBuildRetVoid(e.builder);
    sl_emit_finish(&e);
    return f;
}

static int run_llvm(struct sl_stages *stages, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(stages->module, pipeline, stages->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return 0;
    char *text = LLVMGetErrorMessage(error);
    sl_stage_fail(stages, "%s", text);
    LLVMDisposeErrorMessage(text);
    return -1;
}

/* Only the tables stay. */
static int forget_code(struct sl_stages *stages)
{
    LLVMValueRef stand_in = make_stand_in(stages);
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++) {
        struct sl_kernel_facts *facts = &stages->pass.kernels[k];
        LLVMReplaceAllUsesWith(facts->run, stand_in);
        facts->run = facts->body = facts->kernel = NULL;
        facts->loop_passes = false;
    }
    sl_stage_make_internal(stages->module);
    sl_library_drop_versions(stages->module);
    return run_llvm(stages, "globaldce");
}

int sl_stage_defer(struct sl_stages *stages)
{
    if (!stages->deferred)
        return 0;
    mark_kernels(stages);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(stages->module);
    sl_text_add(&stages->rest, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    if (stages->rest.failed)
        return sl_stage_fail(stages, "out of memory");
    return forget_code(stages);
}

/* ---- code after all ---------------------------------------------------------------------------
 */

static bool is_called(LLVMValueRef row, const char *name)
{
    size_t bytes = 0;
    LLVMValueRef text = LLVMIsAGlobalVariable(LLVMGetOperand(row, ROW_NAME));
    LLVMValueRef value = text ? LLVMGetInitializer(text) : NULL;
    const char *own = value && LLVMIsConstantString(value) ? LLVMGetAsString(value, &bytes) : NULL;
    return own && bytes == strlen(name) + 1 && !memcmp(own, name, bytes);
}

static LLVMValueRef row_of(LLVMValueRef rows, unsigned index)
{
    LLVMValueRef row = LLVMGetAggregateElement(rows, index);
    return row && LLVMGetNumOperands(row) == ROW_FIELDS &&
                   LLVMIsAFunction(LLVMGetOperand(row, ROW_RUN))
               ? row
               : NULL;
}

/* Constants that nothing has any more may still name it. */
static void delete_global(LLVMValueRef global)
{
    LLVMReplaceAllUsesWith(global, LLVMConstNull(LLVMTypeOf(global)));
    LLVMDeleteGlobal(global);
}

/* A table of this row alone takes the place of the table. */
static void keep_row(struct sl_stages *stages, LLVMValueRef info, LLVMValueRef row)
{
    LLVMValueRef fields[ROW_FIELDS], old = LLVMGetInitializer(info), facts[16];
    unsigned count = (unsigned)LLVMGetNumOperands(old);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(stages->context);
    for (unsigned i = 0; i < ROW_FIELDS; i++)
        fields[i] = LLVMGetOperand(row, i);
    fields[ROW_COMPONENT] = LLVMConstInt(i32, 0, 0);
    LLVMValueRef only = LLVMConstStructInContext(stages->context, fields, ROW_FIELDS, 0);
    LLVMValueRef table = LLVMConstArray2(LLVMTypeOf(only), &only, 1);
    LLVMValueRef global = LLVMAddGlobal(stages->module, LLVMTypeOf(table), "sluice.kernel");
    LLVMSetInitializer(global, table);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    for (unsigned i = 0; i < count && i < 16; i++)
        facts[i] = LLVMGetOperand(old, i);
    facts[INFO_KERNEL_COUNT] = LLVMConstInt(i32, 1, 0);
    LLVMValueRef kernels = facts[INFO_KERNELS];
    facts[INFO_KERNELS] = global;
    LLVMSetInitializer(info, LLVMConstStructInContext(stages->context, facts, count, 0));
    delete_global(kernels);
}

static bool add_kernel(struct sl_pass *pass, LLVMValueRef row)
{
    struct sl_kernel_facts *facts = &pass->kernels[pass->kernel_count];
    LLVMValueRef run = LLVMGetOperand(row, ROW_RUN);
    *facts = (struct sl_kernel_facts){.name = strdup(LLVMGetValueName(run)),
                                      .kernel = run,
                                      .run = run,
                                      .first_unit = pass->kernel_count};
    facts->loop_passes = LLVMGetStringAttributeAtIndex(
        run, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LOOP_PASSES, sizeof LOOP_PASSES - 1);
    pass->kernel_count += facts->name != NULL;
    return facts->name;
}

/* Fills the pass with all kernels, or with the one that is asked for. */
static int find_kernels(struct sl_stages *stages, LLVMValueRef info)
{
    struct sl_pass *pass = &stages->pass;
    const char *wanted = stages->request->kernel;
    LLVMValueRef table = LLVMGetOperand(LLVMGetInitializer(info), INFO_KERNELS);
    LLVMValueRef rows = LLVMIsAGlobalVariable(table) ? LLVMGetInitializer(table) : NULL;
    unsigned count = rows ? (unsigned)LLVMGetArrayLength2(LLVMTypeOf(rows)) : 0;
    LLVMValueRef found = NULL;
    pass->kernels = calloc(count + 1, sizeof *pass->kernels);
    for (unsigned i = 0; pass->kernels && i < count; i++) {
        LLVMValueRef row = row_of(rows, i);
        if (!row || (wanted && !is_called(row, wanted)))
            continue;
        if (!add_kernel(pass, row))
            return sl_stage_fail(stages, "out of memory");
        found = row;
        if (wanted)
            break;
    }
    if (!found)
        return sl_stage_fail(stages, "there is no kernel %s", wanted ? wanted : "at all");
    if (wanted)
        keep_row(stages, info, found);
    return 0;
}

/* Other processes make some of the code; they have no use for the tables. */
static int share_work(struct sl_stages *stages, LLVMValueRef info)
{
    if (sl_parts_start(&stages->pass))
        return sl_stage_fail(stages, "%s", stages->pass.error ? stages->pass.error : "no memory");
    if (stages->part_count < 2)
        return 0;
    if (stages->part) {
        LLVMValueRef kernels = LLVMGetOperand(LLVMGetInitializer(info), INFO_KERNELS);
        delete_global(info);
        delete_global(kernels);
    }
    sl_part_join_kernels(stages);
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++)
        if (stages->pass.kernels[k].elsewhere)
            stages->pass.kernels[k].run = NULL; /* the optimiser may drop a declaration */
    return 0;
}

static int keep_one(struct sl_stages *stages)
{
    stages->part_count = 1;
    sl_part_keep_code(stages);
    stages->part_count = 0;
    return 0;
}

static int read_rest(struct sl_stages *stages)
{
    const struct sl_build_request *request = stages->request;
    struct sl_blob bitcode;
    const char *why = request->input_count == 1
                          ? sl_container_payload(&request->inputs[0], SL_BINARY_REST, &bitcode)
                          : "one is needed";
    if (why)
        return sl_stage_fail(stages, "the program cannot be finished: %s", why);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(bitcode.data, bitcode.bytes, "rest", 0);
    if (LLVMGetBitcodeModuleInContext2(stages->context, buffer, &stages->module))
        return sl_stage_fail(stages, "the program cannot be finished: damaged bitcode");
    return 0;
}

int sl_stage_read_rest(struct sl_stages *stages)
{
    if (read_rest(stages) || sl_stage_retarget(stages))
        return -1;
    stages->pass = (struct sl_pass){.context = stages->context,
                                    .module = stages->module,
                                    .machine = stages->machine,
                                    .optimize = true,
                                    .divide_data = stages};
    LLVMValueRef info = LLVMGetNamedGlobal(stages->module, SL_MODULE_SYMBOL);
    if (!info || !LLVMGetInitializer(info))
        return sl_stage_fail(stages, "the program cannot be finished: it has no tables");
    int rc = find_kernels(stages, info);
    if (!rc && stages->request->kernel)
        rc = keep_one(stages);
    if (!rc && sl_lazy_load_rest(stages->module))
        rc = sl_stage_fail(stages, "the program cannot be finished: damaged bitcode");
    if (!rc && !stages->request->kernel)
        rc = share_work(stages, info);
    return rc;
}
