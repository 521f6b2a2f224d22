/* SPDX-License-Identifier: Apache-2.0 */
/* See the header; the rules are those of Intel's compiler. */
#include "timing/lanes.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "timing/classify.h"

enum { MOST_LANES = 16 };

/* NULL: it has no such attribute. */
static const char *attribute_of(LLVMValueRef kernel, const char *name)
{
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    unsigned bytes;
    return attribute ? LLVMGetStringAttributeValue(attribute, &bytes) : NULL;
}

static uint32_t wanted(LLVMValueRef kernel)
{
    const char *text = attribute_of(kernel, "sl-num-simd-work-items");
    return text ? (uint32_t)strtoul(text, NULL, 10) : 1;
}

/* Of numbers with commas; those that are missing are 1. */
static uint64_t product_of(const char *text)
{
    uint64_t product = 1;
    for (char *end; *text; text = end + (*end == ',')) {
        product *= strtoul(text, &end, 10);
        if (end == text || product > UINT32_MAX)
            return 0;
    }
    return product;
}

/* reqd_work_group_size; false: it has none. */
static bool required_sizes(LLVMValueRef kernel, uint64_t sizes[3])
{
    static const char name[] = "reqd_work_group_size";
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
    LLVMValueRef operands[3];
    size_t count;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(kernel, &count);
    unsigned kind = LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(all, (unsigned)i) != kind)
            continue;
        LLVMValueRef node =
            LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i));
        if (LLVMGetMDNodeNumOperands(node) != 3)
            continue;
        LLVMGetMDNodeOperands(node, operands);
        for (unsigned d = 0; d < 3; d++)
            sizes[d] = LLVMConstIntGetZExtValue(operands[d]);
        found = true;
    }
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

/* 0: more than a group ever has. */
static uint64_t count_items(const uint64_t sizes[3])
{
    uint64_t items = 1;
    for (unsigned d = 0; d < 3; d++)
        if (__builtin_mul_overflow(items, sizes[d], &items) || items > UINT32_MAX)
            return 0;
    return items;
}

static bool uses_pipes(LLVMValueRef kernel)
{
    bool uses = false, write;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            uses |= LLVMIsACallInst(i) && sl_is_pipe_operation(sl_callee_name(i), &write);
    return uses;
}

/* NULL: nothing is against it. */
static const char *objection(LLVMValueRef kernel, enum sl_network_items items, uint32_t lanes)
{
    uint64_t sizes[3];
    const bool required = required_sizes(kernel, sizes);
    if (lanes > MOST_LANES || lanes & (lanes - 1))
        return "it is 1, 2, 4, 8 or 16";
    if (uses_pipes(kernel))
        return "a kernel with pipes is not vectorised";
    if (!required)
        return "the kernel needs reqd_work_group_size";
    if (sizes[0] % lanes)
        return "the first size in reqd_work_group_size has to be a multiple";
    return items == SL_ITEMS_NONE ? "its work-items follow each other" : NULL;
}

uint32_t sl_simd_lanes(LLVMValueRef kernel, enum sl_network_items items, FILE *warnings)
{
    const uint32_t lanes = wanted(kernel);
    const char *why = lanes > 1 ? objection(kernel, items, lanes) : NULL;
    if (lanes <= 1 || !why)
        return lanes ? lanes : 1;
    LLVMMetadataRef place = LLVMGetSubprogram(kernel);
    LLVMMetadataRef file = place ? LLVMDIScopeGetFile(place) : NULL;
    unsigned bytes = 0;
    size_t length;
    const char *path = file ? LLVMDIFileGetFilename(file, &bytes) : "";
    if (file)
        fprintf(warnings, "%.*s:%u: ", (int)bytes, path, LLVMDISubprogramGetLine(place));
    fprintf(warnings,
            "warning: num_simd_work_items(%u) of kernel '%s' has no effect on its schedule: %s\n",
            lanes, LLVMGetValueName2(kernel, &length), why);
    return 1;
}

uint64_t sl_group_items(LLVMValueRef kernel, bool *most)
{
    uint64_t sizes[3];
    const char *text = attribute_of(kernel, "sl-max-work-group-size");
    *most = false;
    if (required_sizes(kernel, sizes))
        return count_items(sizes);
    *most = text != NULL;
    return text ? product_of(text) : 0;
}

uint32_t sl_launched_units(LLVMValueRef kernel)
{
    const char *text = attribute_of(kernel, "sl-num-compute-units");
    uint64_t units = 1;
    if (text && !attribute_of(kernel, "sl-autorun") && !uses_pipes(kernel))
        units = product_of(text);
    return units ? (uint32_t)units : 1;
}
