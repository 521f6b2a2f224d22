/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of groups: votes, ballots, shuffles and sums. The functions of OpenCL C are of one
 * number, so vectors go lane by lane, and booleans as ints. A star in a row's name is for the
 * scope: work_group_ or sub_group_. Letters of a row's parameters, behind the scope: b  a boolean,
 * as an int          v  a value, lane by lane      w  a value of any width i  an index, as a uint
 * d  a signed difference        m  a ballot, a uint4 l  a local id of the scope
 */
#include "spirv/builtins/group.h"

#include <stdio.h>
#include <string.h>

#include "spirv/builtins/call.h"
#include "spirv/grammar/numbers.h"

int sl_group_scope(const struct sl_builtin *op, const char **prefix)
{
    uint64_t scope;
    if (sl_spirv_number(op->spirv, op->instruction->operands[0], &scope))
        return -1;
    if (scope != ScopeWorkgroup && scope != ScopeSubgroup)
        return sl_spirv_fail(op->spirv, op->instruction, "scope %u is no group of OpenCL",
                             (unsigned)scope);
    *prefix = scope == ScopeWorkgroup ? "work_group_" : "sub_group_";
    return scope == ScopeSubgroup;
}

/* ---- one call for each lane ------------------------------------------------------------------ */

/* A call in the making, and which lane it is for. */
struct lane_call {
    const struct sl_builtin *op;
    const char *name, *parameters;
    const uint32_t *operands; /* as many as parameters */
    bool is_sub_group, is_unsigned;
    unsigned lane;
};

static bool is_bool(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static bool is_integer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

/* What LLVM's builder takes on trust; values are looked at when their type is named. */
static bool fits(char parameter, LLVMTypeRef type)
{
    switch (parameter) {
    case 'b':
        return is_bool(type);
    case 'd':
        return is_integer(type);
    case 'l':
        return is_integer(sl_build_element(type));
    default:
        return true;
    }
}

static void add_local_id(const struct lane_call *lane, struct sl_call *call, uint32_t id)
{
    struct sl_spirv *spirv = lane->op->spirv;
    LLVMTypeRef type = LLVMIntTypeInContext(sl_spirv_context(spirv), lane->is_sub_group ? 32 : 64);
    LLVMValueRef ids = sl_spirv_value(spirv, id);
    if (!ids) {
        call->failed = true;
        return;
    }
    unsigned count = lane->is_sub_group ? 1 : sl_build_lanes(LLVMTypeOf(ids));
    for (unsigned i = 0; i < count && i < 3; i++)
        sl_call_add(call,
                    LLVMBuildIntCast2(sl_spirv_builder(spirv), sl_build_lane(spirv, ids, i), type,
                                      false, ""),
                    true);
}

static void add(const struct lane_call *lane, struct sl_call *call, char parameter, uint32_t id)
{
    struct sl_spirv *spirv = lane->op->spirv;
    LLVMValueRef value = sl_spirv_value(spirv, id);
    if (!value) {
        call->failed = true;
        return;
    }
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(spirv));
    if (!fits(parameter, LLVMTypeOf(value))) {
        sl_spirv_fail(spirv, call->instruction, "%s: an operand of the wrong type", call->name);
        call->failed = true;
        return;
    }
    switch (parameter) {
    case 'v':
        value = sl_build_lane(spirv, value, lane->lane);
        if (is_bool(LLVMTypeOf(value)))
            value = sl_build_from_bool(spirv, value);
        sl_call_add(call, value, lane->is_unsigned);
        break;
    case 'b':
        sl_call_add(call, sl_build_from_bool(spirv, value), false);
        break;
    case 'i':
        sl_call_add_index(call, id, 32);
        break;
    case 'd':
        sl_call_add(call, LLVMBuildIntCast2(sl_spirv_builder(spirv), value, word, true, ""), false);
        break;
    case 'l':
        add_local_id(lane, call, id);
        break;
    default:
        sl_call_add(call, value, parameter == 'm' || lane->is_unsigned);
    }
}

static LLVMValueRef make(const struct lane_call *lane, LLVMTypeRef result)
{
    struct sl_call call;
    sl_call_begin(&call, lane->op->spirv, lane->op->instruction, lane->name);
    call.result = result;
    call.is_unsigned = lane->is_unsigned;
    for (unsigned i = 0; lane->parameters[i]; i++)
        add(lane, &call, lane->parameters[i], lane->operands[i]);
    return sl_call_make(&call);
}

/* What the function of one lane gives, and whether the instruction wants a boolean instead. */
static LLVMTypeRef lane_result(const struct lane_call *lane, LLVMTypeRef result, bool *to_bool)
{
    bool whole = !strchr(lane->parameters, 'v');
    LLVMTypeRef element = whole ? result : sl_build_element(result);
    *to_bool = is_bool(sl_build_element(result));
    return *to_bool ? LLVMInt32TypeInContext(sl_spirv_context(lane->op->spirv)) : element;
}

/* The lanes of the first value that goes lane by lane. 0: failed. */
static unsigned lanes_of(const struct lane_call *lane)
{
    const char *at = strchr(lane->parameters, 'v');
    LLVMValueRef value =
        at ? sl_spirv_value(lane->op->spirv, lane->operands[at - lane->parameters]) : NULL;
    return !at ? 1 : value ? sl_build_lanes(LLVMTypeOf(value)) : 0;
}

static int each_lane(struct lane_call *lane)
{
    struct sl_spirv *spirv = lane->op->spirv;
    LLVMTypeRef result = sl_build_type(spirv, lane->op->instruction);
    LLVMValueRef all = NULL;
    bool to_bool;
    unsigned lanes = result ? lanes_of(lane) : 0;
    if (!lanes)
        return -1;
    LLVMTypeRef one = lane_result(lane, result, &to_bool);
    bool folds = sl_build_lanes(result) < lanes; /* is it true of all lanes? */
    if (folds && !to_bool)
        return sl_spirv_fail(spirv, lane->op->instruction, "the result has too few lanes");
    for (lane->lane = 0; lane->lane < lanes; lane->lane++) {
        LLVMValueRef value = make(lane, one);
        if (!value)
            return -1;
        if (to_bool)
            value = sl_build_to_bool(spirv, value);
        if (lanes == 1)
            all = value;
        else if (!folds)
            all = sl_build_with_lane(spirv, result, all, value, lane->lane);
        else
            all = all ? LLVMBuildAnd(sl_spirv_builder(spirv), all, value, "") : value;
    }
    if (LLVMTypeOf(all) != result)
        return sl_spirv_fail(spirv, lane->op->instruction, "the result has another type");
    return sl_build_result(spirv, lane->op->instruction, all);
}

/* ---- by the row ------------------------------------------------------------------------------ */

/* Vectors that the row's function takes as they are. */
static bool takes_whole(struct sl_spirv *spirv, uint32_t id)
{
    LLVMValueRef value = sl_spirv_value(spirv, id);
    LLVMTypeRef element = value ? sl_build_element(LLVMTypeOf(value)) : NULL;
    LLVMTypeKind kind = element ? LLVMGetTypeKind(element) : LLVMVoidTypeKind;
    return kind == LLVMFloatTypeKind ||
           (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) <= 32 &&
            LLVMGetIntTypeWidth(element) > 1);
}

int sl_builtin_group_call(const struct sl_builtin *op)
{
    char name[64], parameters[8];
    const char *prefix = "";
    const uint32_t *operands = op->instruction->operands;
    bool has_scope = !(op->flags & SL_GROUP_NO_SCOPE);
    int sub_group = has_scope ? sl_group_scope(op, &prefix) : 1;
    if (sub_group < 0)
        return -1;
    if (*op->name != '*' && !sub_group)
        return sl_spirv_fail(op->spirv, op->instruction, "not of a work-group");
    snprintf(name, sizeof name, "%s%s", *op->name == '*' ? prefix : "",
             op->name + (*op->name == '*'));
    snprintf(parameters, sizeof parameters, "%s", op->parameters);
    operands += has_scope;
    for (char *at = parameters; *at; at++)
        if (*at == 'w' && !takes_whole(op->spirv, operands[at - parameters]))
            *at = 'v';
    struct lane_call lane = {.op = op,
                             .name = name,
                             .parameters = parameters,
                             .operands = operands,
                             .is_sub_group = sub_group};
    return each_lane(&lane);
}

int sl_builtin_group_rotate(const struct sl_builtin *op)
{
    struct sl_builtin clustered = *op;
    if (op->instruction->operand_count > 3) {
        clustered.name = "sub_group_clustered_rotate";
        clustered.parameters = "vdi";
    }
    return sl_builtin_group_call(&clustered);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static const char *const kinds[] = {
    [GroupOperationReduce] = "reduce_",
    [GroupOperationInclusiveScan] = "scan_inclusive_",
    [GroupOperationExclusiveScan] = "scan_exclusive_",
    [GroupOperationClusteredReduce] = "reduce_",
};

int sl_builtin_group_sum(const struct sl_builtin *op)
{
    const struct sl_spirv_instruction *i = op->instruction;
    const char *prefix;
    char name[64];
    uint32_t kind = i->operands[1];
    int sub_group = sl_group_scope(op, &prefix);
    if (sub_group < 0)
        return -1;
    bool clustered = kind == GroupOperationClusteredReduce;
    bool alone = op->flags & SL_GROUP_ALONE; /* only those who come there */
    if (kind >= sizeof kinds / sizeof *kinds || (clustered && (!alone || i->operand_count < 4)))
        return sl_spirv_fail(op->spirv, i, "group operation %u is not supported", (unsigned)kind);
    if (alone && !sub_group)
        return sl_spirv_fail(op->spirv, i, "not of a work-group");
    bool any_order = alone || (sub_group && op->flags & SL_GROUP_EXTENDED);
    snprintf(name, sizeof name, "%s%s%s%s", prefix,
             clustered   ? "clustered_"
             : any_order ? "non_uniform_"
                         : "",
             kinds[kind], op->name);
    struct lane_call lane = {.op = op,
                             .name = name,
                             .parameters = clustered ? "vi" : "v",
                             .operands = i->operands + 2,
                             .is_sub_group = sub_group,
                             .is_unsigned = op->flags & SL_GROUP_UNSIGNED};
    return each_lane(&lane);
}

int sl_builtin_group_ballot_count(const struct sl_builtin *op)
{
    static const char *const names[] = {"sub_group_ballot_bit_count",
                                        "sub_group_ballot_inclusive_scan",
                                        "sub_group_ballot_exclusive_scan"};
    const char *prefix;
    uint32_t kind = op->instruction->operands[1];
    int sub_group = sl_group_scope(op, &prefix);
    if (sub_group < 0)
        return -1;
    if (kind >= 3 || !sub_group)
        return sl_spirv_fail(op->spirv, op->instruction, "group operation %u is not supported",
                             (unsigned)kind);
    struct lane_call lane = {.op = op,
                             .name = names[kind],
                             .parameters = "m",
                             .operands = op->instruction->operands + 2,
                             .is_sub_group = true,
                             .is_unsigned = true};
    return each_lane(&lane);
}
