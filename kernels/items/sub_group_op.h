/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What items of a sub-group do together where they go in step: calls of placeholder functions
 * "sl.sg.NAME" take the place of OpenCL's functions, NAME is the mangled one, and the vector form
 * makes operations on registers of them (vector/operations/sub_group.h). Stateless.
 */
#ifndef SL_KERNELS_ITEMS_SUB_GROUP_OP_H
#define SL_KERNELS_ITEMS_SUB_GROUP_OP_H

#include "ir/emit.h"
#include "llvm/matrix_product.h"

enum sl_sub_group_kind {
    SL_SUB_GROUP_REDUCE, /* these three have a step */
    SL_SUB_GROUP_SCAN_INCLUSIVE,
    SL_SUB_GROUP_SCAN_EXCLUSIVE,
    SL_SUB_GROUP_ANY,
    SL_SUB_GROUP_ALL,
    SL_SUB_GROUP_BALLOT,
    SL_SUB_GROUP_ELECT,
    SL_SUB_GROUP_FIRST, /* what the first item has */
    SL_SUB_GROUP_BROADCAST,
    SL_SUB_GROUP_SHUFFLE, /* from here on: of any item */
    SL_SUB_GROUP_SHUFFLE_XOR,
    SL_SUB_GROUP_SHUFFLE_UP,
    SL_SUB_GROUP_SHUFFLE_DOWN,
    SL_SUB_GROUP_ROTATE,
    SL_SUB_GROUP_BARRIER,
    SL_SUB_GROUP_MATRIX, /* a product of matrices (cl_intel_subgroup_matrix_multiply_accumulate) */
};

enum sl_sub_group_step {
    SL_STEP_ADD,
    SL_STEP_MUL,
    SL_STEP_MIN,
    SL_STEP_MAX,
    SL_STEP_AND,
    SL_STEP_OR,
    SL_STEP_XOR,
};

struct sl_sub_group_op {
    enum sl_sub_group_kind kind;
    enum sl_sub_group_step step;
    bool is_unsigned;
    /* of a product */
    enum sl_matrix_number number;
    bool half_bytes, a_signed, b_signed;
};

/* Is this one of OpenCL's functions that have such a form, and not one of the program's own with
 * such a name? `op` may be NULL. */
bool sl_sub_group_function(LLVMValueRef function, struct sl_sub_group_op *op);
/* Does it go in step in sub-groups of so many items? */
bool sl_sub_group_op_suits(LLVMValueRef function, uint32_t size);
/* Could it be one, by its name alone? */
bool sl_is_sub_group_name(const char *name);
/* Is it a call of a placeholder? */
bool sl_sub_group_op(LLVMValueRef value, struct sl_sub_group_op *op);
/* In the place of a call of one of the functions: a call of the placeholder, or the fence that a
 * barrier is. */
void sl_sub_group_replace(const struct sl_emit *, LLVMModuleRef, LLVMValueRef call);

#endif
