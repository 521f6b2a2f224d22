/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels that enqueue kernels ask for becomes calls through sl_runtime.child; the rows below
 * are the single list of it. Without -g a kernel only learns that something is wrong (OpenCL C,
 * 6.15.22.4). What asks was inlined before, so only kernels do. No shared state.
 */
#include "items/work_item.h"
#include "passes/stages.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include <string.h>

enum { MOST_ARGUMENTS = 11, FAILURE = -101 /* CLK_ENQUEUE_FAILURE */ };

/* Results and parameters: v none, s a CLK_* status, i 32 bits, b a truth, q 64 bits, p an address.
 */
static const struct row {
    const char *name;
    size_t field;
    char result;
    const char *parameters;
    int8_t from[MOST_ARGUMENTS]; /* for each the number of the call's operand; -1: 0 */
} rows[] = {
#define CHILD(field) offsetof(struct sl_child_runtime, field)
#define ENQUEUE CHILD(enqueue), 's', "qipippppip"
    {"__enqueue_kernel_basic", ENQUEUE, {0, 1, 2, -1, -1, -1, 3, 4, -1, -1}},
    {"__enqueue_kernel_varargs", ENQUEUE, {0, 1, 2, -1, -1, -1, 3, 4, 5, 6}},
    {"__enqueue_kernel_basic_events", ENQUEUE, {0, 1, 2, 3, 4, 5, 6, 7, -1, -1}},
    {"__enqueue_kernel_events_varargs", ENQUEUE, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
#undef ENQUEUE
    {"_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
     CHILD(marker),
     's',
     "qipp",
     {0, 1, 2, 3}},
    {"_Z17get_default_queuev", CHILD(default_queue), 'q', "", {0}},
    {"_Z17create_user_eventv", CHILD(user_event), 'q', "", {0}},
    {"_Z21set_user_event_status12ocl_clkeventi", CHILD(set_status), 'v', "qi", {0, 1}},
    {"_Z12retain_event12ocl_clkevent", CHILD(retain), 'v', "q", {0}},
    {"_Z13release_event12ocl_clkevent", CHILD(release), 'v', "q", {0}},
    {"_Z14is_valid_event12ocl_clkevent", CHILD(is_valid), 'b', "q", {0}},
    {"_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v",
     CHILD(profile),
     'v',
     "qip",
     {0, 1, 2}},
    {"__get_kernel_work_group_size_impl", CHILD(group_size), 'i', "p", {0}},
    {"__get_kernel_preferred_work_group_size_multiple_impl", CHILD(group_multiple), 'i', "p", {0}},
    {"__get_kernel_max_sub_group_size_for_ndrange_impl", CHILD(sub_group_size), 'i', "pp", {0, 1}},
    {"__get_kernel_sub_group_count_for_ndrange_impl", CHILD(sub_group_count), 'i', "pp", {0, 1}},
    {"__get_kernel_local_size_for_sub_group_count_impl", CHILD(size_for_count), 'i', "ip", {0, 1}},
    {"__get_kernel_max_num_sub_groups_impl", CHILD(most_sub_groups), 'i', "p", {0}},
#undef CHILD
};

static const struct row *lookup(const char *name)
{
    return sl_find_row(rows, sizeof rows / sizeof *rows, sizeof *rows, name);
}

bool sl_asks_for_children(const char *callee)
{
    return lookup(callee) || !strcmp(callee, SL_NULL_EVENT);
}

static LLVMTypeRef type_of(const struct sl_emit *e, char letter)
{
    switch (letter) {
    case 'q':
        return e->i64;
    case 'p':
        return e->ptr;
    case 'v':
        return e->none;
    default:
        return e->i32;
    }
}

static LLVMValueRef argument(const struct sl_emit *e, LLVMValueRef call, char letter, int from)
{
    if (from < 0)
        return LLVMConstNull(type_of(e, letter));
    LLVMValueRef value = LLVMGetArgOperand(call, (unsigned)from);
    if (letter == 'p')
        return LLVMBuildPointerCast(e->builder, value, e->ptr, "");
    return LLVMBuildIntCast2(e->builder, value, type_of(e, letter), false, "");
}

static LLVMValueRef call_runtime(struct sl_pass *pass, const struct sl_emit *e,
                                 const struct row *row, LLVMValueRef call)
{
    LLVMTypeRef params[1 + MOST_ARGUMENTS] = {e->ptr};
    LLVMValueRef args[1 + MOST_ARGUMENTS] = {sl_wi_emit(e, pass->module, SL_WI_LAUNCH, 0)};
    unsigned count = (unsigned)strlen(row->parameters);
    for (unsigned i = 0; i < count; i++) {
        params[1 + i] = type_of(e, row->parameters[i]);
        args[1 + i] = argument(e, call, row->parameters[i], row->from[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(type_of(e, row->result), params, 1 + count, false);
    LLVMValueRef runtime =
        sl_emit_load_field(e, e->ptr, args[0], offsetof(struct sl_launch, runtime), "");
    LLVMValueRef child =
        sl_emit_load_field(e, e->ptr, runtime, offsetof(struct sl_runtime, child), "");
    LLVMValueRef function = sl_emit_load_field(e, e->ptr, child, row->field, "");
    return LLVMBuildCall2(e->builder, type, function, args, 1 + count, "");
}

static LLVMValueRef lower(struct sl_pass *pass, const struct sl_emit *e, LLVMValueRef call)
{
    const struct row *row = lookup(sl_callee_name(call));
    if (!row)
        return sl_emit_i64(e, UINT64_MAX);
    LLVMValueRef value = call_runtime(pass, e, row, call);
    LLVMValueRef wrong = NULL;
    if (row->result == 'b' || (row->result == 's' && !sl_pass_has(pass, SL_PASS_KEEP_LINES)))
        wrong = LLVMBuildICmp(e->builder, LLVMIntNE, value, sl_emit_i32(e, 0), "");
    if (!wrong || row->result == 'b')
        return wrong ? wrong : value;
    return LLVMBuildSelect(e->builder, wrong, sl_emit_i32(e, (uint32_t)FAILURE), sl_emit_i32(e, 0),
                           "");
}

static void lower_kernel(struct sl_pass *pass, const struct sl_emit *e,
                         struct sl_kernel_facts *facts)
{
    struct sl_list calls = {0};
    sl_find_calls(facts->kernel, sl_asks_for_children, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        LLVMValueRef call = calls.items[i];
        LLVMPositionBuilderBefore(e->builder, call);
        LLVMValueRef value = lower(pass, e, call);
        if (LLVMTypeOf(call) != e->none)
            LLVMReplaceAllUsesWith(call, value);
        LLVMInstructionEraseFromParent(call);
    }
    if (calls.count)
        facts->flags |= SL_KERNEL_ENQUEUES;
    sl_list_finish(&calls);
}

static bool is_asked(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && sl_asks_for_children(LLVMGetValueName(f)))
            return true;
    return false;
}

int sl_pass_enqueue_lower(struct sl_pass *pass)
{
    struct sl_emit e;
    if (!is_asked(pass->module))
        return 0;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        lower_kernel(pass, &e, &pass->kernels[k]);
    sl_emit_finish(&e);
    return 0;
}
