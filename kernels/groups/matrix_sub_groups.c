/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices (cl_intel_subgroup_matrix_multiply_accumulate) come in two families, for
 * sub-groups of 8 and of 16 items, which the type of a tells apart; matrices of SPIR-V
 * (cl_khr_cooperative_matrix) are for 16. A kernel that calls one of a family, or a function with
 * such matrices, has sub-groups of that size. Where it requires another, or calls both, it is
 * refused: what it would compute is no product. No shared state.
 */
#include "groups/stages.h"

#include "groups/sub_group.h"
#include "ir/calls.h"
#include "ir/memory.h"
#include "items/sub_group_op.h"
#include "sluice/base/cooperative_matrix.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t families[] = {8, 16};

static bool is_product(LLVMValueRef function)
{
    struct sl_sub_group_op op;
    return sl_sub_group_function(function, &op) && op.kind == SL_SUB_GROUP_MATRIX;
}

static bool has_matrices(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_COOPERATIVE_ATTRIBUTE,
                                         sizeof SL_COOPERATIVE_ATTRIBUTE - 1);
}

/* 0: the function is no product, and has no matrices. */
static uint32_t size_for(LLVMValueRef function)
{
    if (has_matrices(function))
        return SL_COOPERATIVE_SUB_GROUP;
    if (!is_product(function))
        return 0;
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (sl_sub_group_op_suits(function, families[k]))
            return families[k];
    return 0;
}

static bool has_products(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (has_matrices(f) || (is_product(f) && LLVMGetFirstUse(f)))
            return true;
    return false;
}

/* Adds what `function` calls, but for what a product is made of. */
static void add_called(LLVMValueRef function, struct sl_map *known, struct sl_list *called)
{
    if (is_product(function))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (!callee || !LLVMIsAFunction(callee) || sl_map_get(known, callee))
                continue;
            sl_map_set(known, callee, callee);
            sl_list_add(called, callee);
        }
}

/* "_Z36intel_sub_group_..." reads "intel_sub_group_...". */
static int refuse(struct sl_pass *pass, const struct sl_kernel_facts *facts, LLVMValueRef product,
                  uint32_t has)
{
    const char *name = LLVMGetValueName(product);
    char *plain = (char *)name;
    long length = (long)strlen(name);
    if (has_matrices(product))
        return sl_pass_refuse(pass,
                              "kernel '%s': cooperative matrices are for sub-groups of %u items, "
                              "and those of the kernel have %u",
                              facts->name, size_for(product), has);
    if (!strncmp(name, "_Z", 2) && isdigit((unsigned char)name[2]))
        length = strtol(name + 2, &plain, 10);
    return sl_pass_refuse(pass,
                          "kernel '%s': %.*s with 'a' of this type is for sub-groups of %u items, "
                          "and those of the kernel have %u (intel_reqd_sub_group_size)",
                          facts->name, (int)length, plain, size_for(product), has);
}

static void require(struct sl_pass *pass, LLVMValueRef kernel, uint32_t size)
{
    static const char name[] = "intel_reqd_sub_group_size";
    unsigned kind = LLVMGetMDKindIDInContext(pass->context, name, sizeof name - 1);
    LLVMMetadataRef number =
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(pass->context), size, false));
    LLVMGlobalSetMetadata(kernel, kind, LLVMMDNodeInContext2(pass->context, &number, 1));
}

static int settle(struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    struct sl_map known = {0};
    struct sl_list called = {0};
    uint32_t required, size = 0;
    int rc = 0;
    sl_sub_group_size(facts->kernel, &required);
    sl_map_set(&known, facts->kernel, facts->kernel);
    sl_list_add(&called, facts->kernel);
    for (size_t i = 0; i < called.count && !rc; i++) {
        uint32_t wanted = size_for(called.items[i]), has = required ? required : size;
        if (wanted && has && wanted != has)
            rc = refuse(pass, facts, called.items[i], has);
        size = wanted ? wanted : size;
        add_called(called.items[i], &known, &called);
    }
    if (size && !required && !rc)
        require(pass, facts->kernel, size);
    sl_list_finish(&called);
    sl_map_finish(&known);
    return rc;
}

int sl_pass_matrix_sub_groups(struct sl_pass *pass)
{
    int rc = 0;
    if (!has_products(pass->module))
        return 0;
    for (uint32_t k = 0; k < pass->kernel_count && !rc; k++)
        rc = settle(pass, &pass->kernels[k]);
    return rc;
}
