/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the kernels and lays out their argument blocks: what type, address space and clang's
 * metadata say, before later passes change the types. No shared state.
 */
#include "passes/stages.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "ir/space.h"
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operand `index` of a kernel's metadata node as text; "" if it is not there. */
static const char *metadata_text(LLVMValueRef kernel, const char *node, unsigned index,
                                 unsigned *length)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
    unsigned kind = LLVMGetMDKindIDInContext(context, node, strlen(node));
    size_t count;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(kernel, &count);
    const char *text = "";
    *length = 0;
    for (size_t i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(all, i) != kind)
            continue;
        LLVMValueRef tuple =
            LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, i));
        unsigned operands = LLVMGetMDNodeNumOperands(tuple);
        LLVMValueRef *items = sl_ir_alloc(operands, sizeof *items);
        LLVMGetMDNodeOperands(tuple, items);
        if (index < operands && items[index] && LLVMIsAMDString(items[index]))
            text = LLVMGetMDString(items[index], length);
        free(items);
    }
    LLVMDisposeValueMetadataEntries(all);
    return text;
}

static bool begins(const char *text, unsigned length, const char *prefix)
{
    return length >= strlen(prefix) && strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_text(const char *text, unsigned length, const char *whole)
{
    return length == strlen(whole) && begins(text, length, whole);
}

/* The whole name counts: a struct of the application's may begin like an image type. */
static bool is_image(const char *type, unsigned length)
{
    static const char *const names[] = {
        "image1d_t",      "image1d_array_t",       "image1d_buffer_t",
        "image2d_t",      "image2d_array_t",       "image2d_depth_t",
        "image2d_msaa_t", "image2d_array_depth_t", "image2d_array_msaa_t",
        "image3d_t",      "image2d_msaa_depth_t",  "image2d_array_msaa_depth_t",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_text(type, length, names[i]))
            return true;
    return false;
}

static uint8_t opaque_kind(LLVMValueRef kernel, unsigned index)
{
    unsigned length;
    const char *qualifier = metadata_text(kernel, "kernel_arg_type_qual", index, &length);
    if (begins(qualifier, length, "pipe"))
        return SL_ARG_PIPE;
    const char *type = metadata_text(kernel, "kernel_arg_base_type", index, &length);
    if (is_image(type, length))
        return SL_ARG_IMAGE;
    if (is_text(type, length, "queue_t"))
        return SL_ARG_QUEUE;
    return is_text(type, length, "sampler_t") ? SL_ARG_SAMPLER : SL_ARG_VALUE;
}

static LLVMAttributeRef param_attribute(LLVMValueRef kernel, unsigned index, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(kernel, index + 1, kind);
}

static uint64_t param_align(LLVMValueRef kernel, unsigned index)
{
    LLVMAttributeRef align = param_attribute(kernel, index, "align");
    return align ? LLVMGetEnumAttributeValue(align) : 1;
}

static const char *param_text(LLVMValueRef kernel, unsigned index, const char *name)
{
    unsigned length;
    LLVMAttributeRef mark =
        LLVMGetStringAttributeAtIndex(kernel, index + 1, name, (unsigned)strlen(name));
    return mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
}

static uint32_t param_number(LLVMValueRef kernel, unsigned index, const char *name)
{
    const char *text = param_text(kernel, index, name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

/* What the declaration of a pipe argument asks of the pipe. */
static void describe_pipe(LLVMValueRef kernel, unsigned index, struct sl_arg_facts *arg)
{
    unsigned length;
    const char *io = param_text(kernel, index, "sl-pipe-io");
    const char *name = metadata_text(kernel, "kernel_arg_name", index, &length);
    const char *declared = param_text(kernel, index, "sl-pipe-name");
    arg->pipe = (struct sl_pipe_arg){
        .packet_bytes = param_number(kernel, index, "sl-pipe-packet-bytes"),
        .packet_align = param_number(kernel, index, "sl-pipe-packet-align"),
        .depth = param_number(kernel, index, "sl-pipe-depth"),
        .flags = (param_text(kernel, index, "sl-pipe-blocking") ? SL_PIPE_BLOCKING : 0) |
                 (param_text(kernel, index, "sl-pipe-host") ? SL_PIPE_HOST : 0) |
                 (io ? SL_PIPE_IO : 0),
        .io = io ? strdup(io) : NULL,
    };
    if (length || declared)
        arg->name = length ? strndup(name, length) : strdup(declared);
    else if (asprintf(&arg->name, "argument %u", index) < 0)
        abort();
}

static struct sl_arg_facts describe(LLVMTargetDataRef layout, LLVMValueRef kernel, unsigned index,
                                    uint64_t *bytes)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, index));
    struct sl_arg_facts arg = {.kind = opaque_kind(kernel, index)};
    LLVMAttributeRef byval = param_attribute(kernel, index, "byval");
    if (byval)
        type = LLVMGetTypeAttributeValue(byval);
    else if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && arg.kind == SL_ARG_VALUE)
        switch (LLVMGetPointerAddressSpace(type)) {
        case SL_SPACE_CONSTANT:
            arg.kind = SL_ARG_CONSTANT;
            break;
        case SL_SPACE_LOCAL:
            arg.kind = SL_ARG_LOCAL;
            break;
        default:
            arg.kind = SL_ARG_GLOBAL;
        }
    *bytes = LLVMABISizeOfType(layout, type);
    arg.size = (uint32_t)*bytes;
    arg.align = LLVMABIAlignmentOfType(layout, type);
    if (byval && param_align(kernel, index) > arg.align)
        arg.align = param_align(kernel, index);
    if (arg.kind == SL_ARG_PIPE)
        describe_pipe(kernel, index, &arg);
    return arg;
}

/* OpenCL devices promise 1 KiB of arguments; a megabyte is more than any of ours will ever take. */
#define LARGEST_BLOCK (1u << 20)

/* Zero, or -1: the arguments are larger than an argument block may be. */
static int lay_out(LLVMTargetDataRef layout, struct sl_kernel_facts *facts)
{
    facts->arg_count = LLVMCountParams(facts->kernel);
    facts->args = sl_ir_alloc(facts->arg_count, sizeof *facts->args);
    uint32_t end = 0;
    for (uint32_t i = 0; i < facts->arg_count; i++) {
        uint64_t bytes;
        struct sl_arg_facts arg = describe(layout, facts->kernel, i, &bytes);
        if (bytes > LARGEST_BLOCK || end > LARGEST_BLOCK || arg.align > LARGEST_BLOCK)
            return -1;
        arg.offset = (end + arg.align - 1) / arg.align * arg.align;
        end = arg.offset + arg.size;
        if (arg.kind == SL_ARG_LOCAL)
            arg.align = param_align(facts->kernel, i);
        if (arg.kind == SL_ARG_PIPE)
            facts->flags |= SL_KERNEL_PIPE_ARGS;
        facts->args[i] = arg;
    }
    facts->args_bytes = (end + 7) / 8 * 8;
    return end > LARGEST_BLOCK ? -1 : 0;
}

static bool has_mark(LLVMValueRef kernel, const char *name, const char *value)
{
    unsigned length;
    LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, name,
                                                          (unsigned)strlen(name));
    return mark && (!value || strcmp(LLVMGetStringAttributeValue(mark, &length), value) == 0);
}

static int read_marks(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    if (has_mark(facts->kernel, "sl-autorun", NULL))
        facts->flags |= SL_KERNEL_AUTORUN;
    if (has_mark(facts->kernel, "sl-max-global-work-dim", "0"))
        facts->flags |= SL_KERNEL_SINGLE_TASK;
    facts->task = has_mark(facts->kernel, "sl-task", NULL);
    if (has_mark(facts->kernel, "sl-uses-global-work-offset", "0"))
        facts->flags |= SL_KERNEL_NO_OFFSET;
    if (has_mark(facts->kernel, SL_PROCESS_ATTRIBUTE, NULL))
        facts->flags |= SL_KERNEL_PROCESS;
    if (has_mark(facts->kernel, SL_BLOCK_ATTRIBUTE, NULL))
        facts->flags |= SL_KERNEL_BLOCK;
    if (has_mark(facts->kernel, SL_INITIALIZER_ATTRIBUTE, NULL))
        facts->flags |= SL_KERNEL_INITIALIZES;
    if (facts->flags & SL_KERNEL_AUTORUN && facts->arg_count)
        return sl_pass_refuse(pass, "kernel '%s': an autorun kernel cannot have arguments",
                              facts->name);
    return 0;
}

static uint32_t line_of(LLVMValueRef kernel)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(kernel);
    return subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

int sl_pass_kernel_facts(struct sl_pass *pass)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(pass->module);
    uint32_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        count += sl_is_kernel(f) && !LLVMIsDeclaration(f);
    pass->kernels = sl_ir_alloc(count, sizeof *pass->kernels);
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f)) {
        if (!sl_is_kernel(f) || LLVMIsDeclaration(f))
            continue;
        struct sl_kernel_facts *facts = &pass->kernels[pass->kernel_count++];
        facts->kernel = f;
        facts->name = strdup(LLVMGetValueName(f));
        facts->source = strdup(facts->name);
        if (LLVMGetNamedFunction(pass->module, facts->name) != f) /* of damaged bitcode */
            return sl_pass_refuse(pass, "a kernel has no usable name");
        facts->line = line_of(f);
        facts->vector_width = 1;
        if (lay_out(layout, facts))
            return sl_pass_refuse(pass, "kernel '%s': its arguments take more than %u bytes",
                                  facts->name, LARGEST_BLOCK);
        if (read_marks(pass, facts))
            return -1;
    }
    return 0;
}
