/* SPDX-License-Identifier: Apache-2.0 */
/* From OpenCL C text, or SPIR-V, to LLVM IR: arguments for clang and what its results mean here. No
 * locks. */
#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/blocks.h"
#include "compiler/frontend/declarations.h"
#include "compiler/frontend/hints.h"
#include "compiler/frontend/initializers.h"
#include "compiler/stage/guard.h"
#include "compiler/stage/stage.h"
#include "spirv/spirv.h"
#include "clang/frontend.h"
#include "llvm/llvm_extra.h"

static void take_log(void *data, const char *text, size_t bytes)
{
    struct sl_stages *stages = data;
    if (!stages->reads_again)
        sl_text_add(&stages->result->log, text, bytes);
}

static void abandon(void *data)
{
    sl_stage_abandon(data);
}

static void take_dependency(void *data, const char *path, const void *text, size_t bytes)
{
    sl_stage_depend(data, path, text, bytes);
}

static void add_options(struct sl_stages *stages, struct sl_strings *args)
{
    for (size_t i = 0; i < stages->options.clang.count; i++)
        sl_strings_addf(args, "%s", stages->options.clang.items[i]);
    if (!stages->options.debug_info && !stages->wants_remarks && !stages->reads_again &&
        !sl_stage_wants_timing(stages))
        return;
    sl_strings_addf(args, "-debug-info-kind=%s",
                    stages->options.debug_info || stages->reads_again ? "limited"
                                                                      : "line-tables-only");
    sl_strings_addf(args, "-dwarf-version=4");
    sl_strings_addf(args, "-debugger-tuning=gdb");
}

/* With room for the declarations of extensions. */
static struct sl_frontend_file *all_headers(const struct sl_build_request *request)
{
    struct sl_frontend_file *files =
        calloc(request->header_count + SL_MOST_DECLARATIONS, sizeof *files);
    for (size_t i = 0; files && i < request->header_count; i++)
        files[i] =
            (struct sl_frontend_file){request->headers[i].name, request->headers[i].text.data,
                                      request->headers[i].text.bytes};
    return files;
}

/* clang's note, which it makes of the option. */
static void mark_uniform_groups(struct sl_stages *stages)
{
    static const char name[] = "uniform-work-group-size";
    bool wanted = false;
    for (size_t i = 0; i < stages->options.clang.count; i++)
        wanted |= !strcmp(stages->options.clang.items[i], "-cl-uniform-work-group-size");
    LLVMAttributeRef mark =
        LLVMCreateStringAttribute(stages->context, name, sizeof name - 1, "true", 4);
    LLVMValueRef f = wanted ? LLVMGetFirstFunction(stages->module) : NULL;
    for (; f; f = LLVMGetNextFunction(f))
        LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
}

static int read_spirv(struct sl_stages *stages)
{
    const struct sl_build_request *request = stages->request;
    struct sl_spirv_input input = {
        .bytes = request->source.data,
        .byte_count = request->source.bytes,
        .name = sl_compile_source_name(&stages->options, request),
        .specializations = request->specializations,
        .specialization_count = request->specialization_count,
        .numbered = sl_compile_pipe_kind(request) == SL_PIPES_DATAFLOW,
        .data = stages,
        .log = take_log,
    };
    sl_dump_spirv(stages, request->source.data, request->source.bytes);
    stages->module = sl_spirv_read(stages->context, &input);
    if (!stages->module)
        return -1;
    mark_uniform_groups(stages);
    if (LLVMGetNamedMetadata(stages->module, "sl.pipes", strlen("sl.pipes")) &&
        sl_compile_pipe_kind(request) != SL_PIPES_DATAFLOW)
        return sl_stage_fail(stages, "capability PipeStorage is not supported: the device has no "
                                     "pipes at program scope");
    if (LLVMGetNamedMetadata(stages->module, SL_DEVICE_QUEUES_METADATA,
                             strlen(SL_DEVICE_QUEUES_METADATA)) &&
        !strstr(sl_offered_extensions(request), "__opencl_c_device_enqueue"))
        return sl_stage_fail(stages, "capability DeviceEnqueue is not supported: the device has no "
                                     "queues of its own");
    return 0;
}

/* What people hand in where a text is meant; clang would say much of it, and not this. */
static const struct foreign {
    const char *begins, *what;
} foreign[] = {
    {"\177ELF", "an ELF file, such as another compiler's program for an FPGA"},
    {"xclbin2", "an xclbin file, another compiler's program for an FPGA"},
    {"BC\300\336", "LLVM's bitcode"},
    {"!<arch>", "an archive of object files"},
};

static int check_is_text(struct sl_stages *stages)
{
    const struct sl_build_request *request = stages->request;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t length = strlen(foreign[i].begins);
        if (request->source.bytes >= length &&
            !memcmp(request->source.data, foreign[i].begins, length))
            return sl_stage_fail(stages, "%s is no OpenCL C: it is %s",
                                 sl_compile_source_name(&stages->options, request),
                                 foreign[i].what);
    }
    return 0;
}

int sl_stage_frontend(struct sl_stages *stages)
{
    const struct sl_build_request *request = stages->request;
    if (sl_spirv_is(request->source.data, request->source.bytes))
        return read_spirv(stages);
    if (check_is_text(stages))
        return -1;
    struct sl_strings args = {0};
    sl_compile_options_base(&args, request);
    add_options(stages, &args);
    struct sl_frontend_file *headers = all_headers(request);
    size_t header_count =
        headers ? sl_declarations_add(request, headers, request->header_count, &args) : 0;
    if (headers && !args.failed) {
        struct sl_frontend_input input = {
            .context = stages->context,
            .args = (const char *const *)args.items,
            .arg_count = args.count,
            .source = {sl_compile_source_name(&stages->options, request), request->source.data,
                       request->source.bytes},
            .headers = headers,
            .header_count = header_count,
            .folder = sl_stage_setting(stages, "PWD"),
            .extensions = sl_offered_extensions(request),
            .channels = stages->options.channels,
            .data = stages,
            .log = take_log,
            .dependency = take_dependency,
            .abandon = abandon,
        };
        sl_dump_bytes(stages, "source", "cl", request->source.data, request->source.bytes);
        stages->module = sl_frontend_run(&input);
        if (!stages->module)
            sl_hint_after_errors(stages);
    }
    free(headers);
    sl_strings_finish(&args);
    return stages->module ? 0 : -1;
}

/* `used` speaks to linkers of many files; it would keep a kernel's second copy alive. */
static void forget_used(LLVMModuleRef module)
{
    static const char *const names[] = {"llvm.used", "llvm.compiler.used"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef list = LLVMGetNamedGlobal(module, names[i]);
        if (list)
            LLVMDeleteGlobal(list);
    }
}

/* As sl_fold_kernel_twins marks them: what follows looks for kernels, folded or not. */
static void mark_kernels(struct sl_stages *stages)
{
    LLVMAttributeRef kernel = LLVMCreateStringAttribute(
        stages->context, SL_KERNEL_ATTRIBUTE, (unsigned)strlen(SL_KERNEL_ATTRIBUTE), "", 0);
    LLVMValueRef f = LLVMGetFirstFunction(stages->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv)
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kernel);
}

/* Kernels of other objects may call a kernel's second copy, so an object keeps it; linking folds.
 */
int sl_stage_fold_twins(struct sl_stages *stages)
{
    forget_used(stages->module);
    if (sl_initializers_prepare(stages->module))
        return sl_stage_fail(stages, "out of memory");
    sl_blocks_make_internal(stages->module);
    if (stages->request->kind == SL_BUILD_COMPILE || stages->options.create_library)
        mark_kernels(stages);
    else
        sl_fold_kernel_twins(stages->module);
    if (stages->options.debug_info)
        sl_plain_debug_addresses(stages->module);
    return 0;
}
