/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operations on pipes by name: what the front end calls, and the opaque functions that stand
 * for them while kernels are split. No shared state.
 */
#include "ir/calls.h"
#include "items/work_item.h"
#include "pipes/pipe.h"
#include "llvm/loops/counts/loop_marks.h"

#include <stdlib.h>
#include <string.h>

#define OPAQUE "sl.pipe."
#define YIELD OPAQUE "yield"
#define TIMED OPAQUE "timed"

/* Both directions of an operation: NAME is completed by "read"/"write" in the two rows. */
#define BOTH(before, after, form, wait, collective)                                                \
    {before "read" after, form, SL_PIPE_READ, wait, collective},                                   \
    {                                                                                              \
        before "write" after, form, SL_PIPE_WRITE, wait, collective                                \
    }

static const struct sl_pipe_operation operations[] = {
    /* channels and program-scope pipes */
    BOTH("__sl_pipe_", "", SL_PIPE_FORM_PACKET, SL_PIPE_WAITS, false),
    BOTH("__sl_pipe_", "_nb", SL_PIPE_FORM_PACKET, SL_PIPE_NEVER_WAITS, false),
    BOTH("__sl_", "_pipe_2", SL_PIPE_FORM_PACKET, SL_PIPE_AS_DECLARED, false),
    BOTH("__sl_", "_pipe_2_bl", SL_PIPE_FORM_PACKET, SL_PIPE_WAITS, false),
    BOTH("__sl_", "_pipe_4", SL_PIPE_FORM_RESERVED, SL_PIPE_NEVER_WAITS, false),
    BOTH("__sl_reserve_", "_pipe", SL_PIPE_FORM_RESERVE, SL_PIPE_NEVER_WAITS, false),
    BOTH("__sl_commit_", "_pipe", SL_PIPE_FORM_COMMIT, SL_PIPE_NEVER_WAITS, false),
    BOTH("__sl_work_group_reserve_", "_pipe", SL_PIPE_FORM_RESERVE, SL_PIPE_NEVER_WAITS, true),
    BOTH("__sl_work_group_commit_", "_pipe", SL_PIPE_FORM_COMMIT, SL_PIPE_NEVER_WAITS, true),
    {"__sl_get_pipe_num_packets", SL_PIPE_FORM_FILL, SL_PIPE_READ, SL_PIPE_NEVER_WAITS, false},
    {"__sl_get_pipe_max_packets", SL_PIPE_FORM_CAPACITY, SL_PIPE_READ, SL_PIPE_NEVER_WAITS, false},
    /* clang's own, for pipe arguments */
    BOTH("__", "_pipe_2", SL_PIPE_FORM_PACKET, SL_PIPE_AS_DECLARED, false),
    BOTH("__", "_pipe_2_bl", SL_PIPE_FORM_PACKET, SL_PIPE_WAITS, false),
    BOTH("__", "_pipe_4", SL_PIPE_FORM_RESERVED, SL_PIPE_NEVER_WAITS, false),
    BOTH("__reserve_", "_pipe", SL_PIPE_FORM_RESERVE, SL_PIPE_NEVER_WAITS, false),
    BOTH("__commit_", "_pipe", SL_PIPE_FORM_COMMIT, SL_PIPE_NEVER_WAITS, false),
    BOTH("__work_group_reserve_", "_pipe", SL_PIPE_FORM_RESERVE, SL_PIPE_NEVER_WAITS, true),
    BOTH("__work_group_commit_", "_pipe", SL_PIPE_FORM_COMMIT, SL_PIPE_NEVER_WAITS, true),
    {"__get_pipe_num_packets_ro", SL_PIPE_FORM_FILL, SL_PIPE_READ, SL_PIPE_NEVER_WAITS, false},
    {"__get_pipe_num_packets_wo", SL_PIPE_FORM_FILL, SL_PIPE_WRITE, SL_PIPE_NEVER_WAITS, false},
    {"__get_pipe_max_packets_ro", SL_PIPE_FORM_CAPACITY, SL_PIPE_READ, SL_PIPE_NEVER_WAITS, false},
    {"__get_pipe_max_packets_wo", SL_PIPE_FORM_CAPACITY, SL_PIPE_WRITE, SL_PIPE_NEVER_WAITS, false},
    {"_Z19is_valid_reserve_id13ocl_reserveid", SL_PIPE_FORM_VALID, SL_PIPE_READ,
     SL_PIPE_NEVER_WAITS, false},
};

const struct sl_pipe_operation *sl_pipe_operation_find(const char *function)
{
    if (function[0] != '_')
        return NULL;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(function, operations[i].name) == 0)
            return &operations[i];
    return NULL;
}

bool sl_has_pipe_operand(const char *function)
{
    const struct sl_pipe_operation *operation = sl_pipe_operation_find(function);
    return operation && operation->form != SL_PIPE_FORM_VALID;
}

/* ---- opaque calls ---------------------------------------------------------------------------- */

static const struct {
    const char *name[2]; /* by direction */
    bool packet;         /* the second last operand is the address of a packet */
} shapes[] = {
    [SL_PIPE_FORM_PACKET] = {{OPAQUE "read", OPAQUE "write"}, true},
    [SL_PIPE_FORM_RESERVED] = {{OPAQUE "read.at", OPAQUE "write.at"}, true},
    [SL_PIPE_FORM_RESERVE] = {{OPAQUE "reserve", OPAQUE "reserve"}, false},
    [SL_PIPE_FORM_COMMIT] = {{OPAQUE "commit", OPAQUE "commit"}, false},
    [SL_PIPE_FORM_FILL] = {{OPAQUE "fill", OPAQUE "fill"}, false},
    [SL_PIPE_FORM_CAPACITY] = {{OPAQUE "capacity", OPAQUE "capacity"}, false},
};

static LLVMTypeRef result_of(const struct sl_emit *e, enum sl_pipe_form form)
{
    if (form == SL_PIPE_FORM_RESERVE)
        return e->i64;
    return form == SL_PIPE_FORM_COMMIT ? e->none : e->i32;
}

static LLVMValueRef declare(LLVMModuleRef module, const struct sl_pipe_operation *operation,
                            LLVMTypeRef type, unsigned packet_index)
{
    const char *name = shapes[operation->form].name[operation->direction];
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f)
        return f;
    f = LLVMAddFunction(module, name, type);
    sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "nounwind", 0);
    if (shapes[operation->form].packet) {
        enum { CAPTURES_NONE = 0 };
        sl_emit_add_enum_attribute(f, packet_index, "captures", CAPTURES_NONE);
        sl_emit_add_enum_attribute(
            f, packet_index, operation->direction == SL_PIPE_READ ? "writeonly" : "readonly", 0);
    }
    return f;
}

LLVMValueRef sl_pipe_emit_opaque(const struct sl_emit *e, LLVMModuleRef module,
                                 const struct sl_pipe_operation *operation, LLVMValueRef *operands,
                                 unsigned count)
{
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(operands[i]);
    LLVMTypeRef type = LLVMFunctionType(result_of(e, operation->form), types, count, false);
    LLVMValueRef f = declare(module, operation, type, count - 1);
    return LLVMBuildCall2(e->builder, type, f, operands, count, "");
}

bool sl_pipe_is_opaque(LLVMValueRef call)
{
    return strncmp(sl_callee_name(call), OPAQUE, strlen(OPAQUE)) == 0;
}

void sl_pipe_emit_yield(const struct sl_emit *e, LLVMModuleRef module)
{
    LLVMTypeRef type = LLVMFunctionType(e->none, NULL, 0, false);
    LLVMValueRef f = LLVMGetNamedFunction(module, YIELD);
    if (!f) {
        f = LLVMAddFunction(module, YIELD, type);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "nounwind", 0);
    }
    LLVMBuildCall2(e->builder, type, f, NULL, 0, "");
}

bool sl_pipe_is_yield(LLVMValueRef call)
{
    return strcmp(sl_callee_name(call), YIELD) == 0;
}

bool sl_pipe_is_loop_mark(LLVMValueRef call)
{
    return strcmp(sl_callee_name(call), SL_LOOP_MARK) == 0 || sl_pipe_nest_rows(call);
}

uint32_t sl_pipe_nest_rows(LLVMValueRef call)
{
    const bool nest = strcmp(sl_callee_name(call), SL_LOOP_NEST_MARK) == 0;
    return nest ? (uint32_t)LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 0)) : 0;
}

LLVMValueRef sl_pipe_nest_part(LLVMValueRef call, uint32_t row, enum sl_pipe_nest_part part)
{
    return LLVMGetArgOperand(call, 1 + row * SL_PIPE_NEST_PARTS + part);
}

bool sl_pipe_is_quiet(const char *callee)
{
    return !strstr(callee, "group") && !strstr(callee, "barrier") &&
           !sl_pipe_operation_find(callee) && strncmp(callee, OPAQUE, strlen(OPAQUE)) != 0;
}

void sl_pipe_mark_timed(LLVMModuleRef module)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorOverride, TIMED, strlen(TIMED),
                      LLVMValueAsMetadata(LLVMConstInt(type, 1, false)));
}

bool sl_pipe_is_timed(LLVMModuleRef module)
{
    return LLVMGetModuleFlag(module, TIMED, strlen(TIMED)) != NULL;
}

bool sl_pipe_has_place(LLVMValueRef call)
{
    return sl_pipe_is_opaque(call) && !sl_pipe_is_yield(call) && !sl_pipe_is_loop_mark(call);
}

uint32_t sl_pipe_place_of(LLVMValueRef call)
{
    unsigned last = LLVMGetNumArgOperands(call) - 1;
    return (uint32_t)LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, last));
}
