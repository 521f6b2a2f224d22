/* SPDX-License-Identifier: Apache-2.0 */
/* See the header; the rules are those of Intel's compiler. */
#include "timing/lanes.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "timing/classify.h"

enum { MOST_LANES = 16 };

static uint32_t wanted(LLVMValueRef kernel)
{
    static const char name[] = "sl-num-simd-work-items";
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
    unsigned bytes;
    return attribute ? (uint32_t)strtoul(LLVMGetStringAttributeValue(attribute, &bytes), NULL, 10)
                     : 1;
}

/* The first number of reqd_work_group_size; 0: it has none. */
static uint32_t required_size(LLVMValueRef kernel)
{
    static const char name[] = "reqd_work_group_size";
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
    LLVMValueRef operands[3];
    size_t count;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(kernel, &count);
    unsigned kind = LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
    uint32_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(all, (unsigned)i) != kind)
            continue;
        LLVMValueRef node =
            LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i));
        if (LLVMGetMDNodeNumOperands(node) != 3)
            continue;
        LLVMGetMDNodeOperands(node, operands);
        size = (uint32_t)LLVMConstIntGetZExtValue(operands[0]);
    }
    LLVMDisposeValueMetadataEntries(all);
    return size;
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
    const uint32_t size = required_size(kernel);
    if (lanes > MOST_LANES || lanes & (lanes - 1))
        return "it is 1, 2, 4, 8 or 16";
    if (uses_pipes(kernel))
        return "a kernel with pipes is not vectorised";
    if (!size || size % lanes)
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
