/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the ring of every operation on a pipe, and the place in the source. Operations on packets
 * and reservations become opaque calls, queries loads from the ring; where pipes are shared all are
 * calls of the runtime. No shared state.
 */
#include "pipes/resolve.h"

#include "ir/compile_effort.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "ir/space.h"
#include "items/trap.h"
#include "items/work_item.h"
#include "pipes/stages.h"
#include "llvm/loops/counts/loop_marks.h"
#include "llvm/loops/counts/loop_nests.h"
#include "llvm/pass_support.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct resolver {
    struct sl_pass *pass;
    struct sl_emit e;
    uint32_t kernel;
};

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t add_place(struct sl_pipe_design *design, const struct sl_pipe_place *place)
{
    return sl_pipe_places_add(&design->places, &design->place_count, place);
}

static int refuse(struct resolver *r, const struct sl_pipe_place *place, const char *why)
{
    return sl_pass_refuse_at(r->pass, sl_source_place(place->file, place->line, place->column).text,
                             "kernel '%s': %s", r->pass->kernels[r->kernel].name, why);
}

/* ---- which ring ------------------------------------------------------------------------------ */

/* bounds.c has refused what launches come to: this is behind its check, or behind a condition that
 * never holds, and should that be wrong the launch ends. No ring: there is no operation. */
static LLVMValueRef stop_outside(struct resolver *r, const struct sl_pipe_place *place,
                                 int64_t element)
{
    char text[SL_SOURCE_PLACE_BYTES + 60];
    snprintf(text, sizeof text, "%s: the element is outside of the array of pipes",
             sl_source_place(place->file, place->line, place->column).text);
    LLVMValueRef launch = sl_wi_emit(&r->e, r->pass->module, SL_WI_LAUNCH, 0);
    sl_emit_outside(&r->e, launch, text, sl_emit_i64(&r->e, (uint64_t)element));
    return NULL;
}

static int find_element(struct resolver *r, struct sl_pipe_place *place, LLVMValueRef offset,
                        LLVMValueRef *ring)
{
    struct sl_pipe_design *design = r->pass->pipes;
    const struct sl_pipe_variable *v = &design->variables[place->variable];
    LLVMBuilderRef b = r->e.builder;
    if (LLVMIsAConstantInt(offset)) {
        int64_t bytes = LLVMConstIntGetSExtValue(offset);
        if (bytes < 0 || bytes / v->packet_bytes >= v->count) {
            *ring = stop_outside(r, place, bytes / (int64_t)v->packet_bytes);
            return 0;
        }
        place->element = (int32_t)(bytes / v->packet_bytes);
        *ring = sl_pipe_ring_address(design, &r->e, v->first_ring + (uint32_t)place->element);
        return 0;
    }
    LLVMValueRef index = LLVMBuildExactSDiv(b, offset, sl_emit_i64(&r->e, v->packet_bytes), "");
    LLVMValueRef step =
        sl_emit_mul_exact(&r->e, index, sl_emit_i64(&r->e, sizeof(struct sl_pipe_ring)), "");
    LLVMValueRef first = sl_pipe_ring_address(design, &r->e, v->first_ring);
    *ring = sl_emit_byte_offset(&r->e, first, step, "ring");
    return 0;
}

static int use_variable(struct resolver *r, struct sl_pipe_place *place,
                        const struct sl_pipe_origin *origin, LLVMValueRef *ring)
{
    const struct sl_pipe_design *design = r->pass->pipes;
    size_t length;
    const char *symbol = LLVMGetValueName2(origin->root, &length);
    place->variable = sl_pipe_variable_find(design, symbol);
    if (place->variable < 0)
        return refuse(r, place, "this is no pipe");
    const struct sl_pipe_variable *v = &design->variables[place->variable];
    if (place->packet_bytes != v->packet_bytes)
        return refuse(r, place, "the size of a packet is not the one of the pipe's declaration");
    place->foreign = v->flags & SL_PIPE_FOREIGN;
    place->blocking = v->flags & SL_PIPE_BLOCKING;
    return find_element(r, place, origin->offset, ring);
}

static int use_argument(struct resolver *r, struct sl_pipe_place *place, LLVMValueRef parameter,
                        LLVMValueRef *ring)
{
    struct sl_kernel_facts *facts = &r->pass->kernels[r->kernel];
    uint32_t index = 0;
    while (LLVMGetParam(facts->kernel, index) != parameter)
        index++;
    if (facts->args[index].kind != SL_ARG_PIPE)
        return refuse(r, place, "this argument is no pipe");
    struct sl_pipe_arg *pipe = &facts->args[index].pipe;
    if (place->packet_bytes && pipe->packet_bytes && pipe->packet_bytes != place->packet_bytes)
        return refuse(r, place, "the size of a packet is not the one of the pipe's declaration");
    pipe->packet_bytes = place->packet_bytes;
    pipe->packet_align = place->packet_align;
    place->argument = (int32_t)index;
    place->foreign = true; /* what the pipe is joined to is known at run time */
    place->blocking = pipe->flags & SL_PIPE_BLOCKING;
    *ring = parameter;
    return 0;
}

static int find_ring(struct resolver *r, LLVMValueRef call, struct sl_pipe_place *place,
                     LLVMValueRef *ring)
{
    struct sl_pipe_origin origin = sl_pipe_trace(&r->e, LLVMGetArgOperand(call, 0));
    LLVMPositionBuilderBefore(r->e.builder, call);
    if (!origin.root)
        return refuse(r, place, "which pipe this is must be known when the program is built");
    if (LLVMIsAArgument(origin.root))
        return use_argument(r, place, origin.root, ring);
    return use_variable(r, place, &origin, ring);
}

/* ---- queries --------------------------------------------------------------------------------- */

static LLVMValueRef load_index(const struct sl_emit *e, LLVMValueRef ring, size_t offset,
                               bool foreign)
{
    LLVMValueRef value = sl_emit_load_field(e, e->i64, ring, offset, "");
    LLVMSetAlignment(value, 8);
    LLVMSetOrdering(value, foreign ? LLVMAtomicOrderingAcquire : LLVMAtomicOrderingMonotonic);
    return value;
}

static LLVMValueRef query(struct resolver *r, const struct sl_pipe_place *place, LLVMValueRef ring)
{
    const struct sl_emit *e = &r->e;
    if (place->operation->form == SL_PIPE_FORM_CAPACITY) {
        if (place->variable >= 0)
            return sl_emit_i32(e, r->pass->pipes->variables[place->variable].depth);
        return sl_emit_load_field(e, e->i32, ring, offsetof(struct sl_pipe_ring, depth), "");
    }
    if (r->pass->pipe_kind == SL_PIPES_SHARED)
        return sl_pipe_emit_shared(r->pass, e, place, &ring);
    LLVMValueRef tail = load_index(e, ring, offsetof(struct sl_pipe_ring, tail), place->foreign);
    LLVMValueRef head = load_index(e, ring, offsetof(struct sl_pipe_ring, head), place->foreign);
    LLVMValueRef taken = load_index(e, ring, offsetof(struct sl_pipe_ring, taken), false);
    LLVMValueRef fill = LLVMBuildSub(e->builder, tail, head, "");
    return LLVMBuildTrunc(e->builder, LLVMBuildSub(e->builder, fill, taken, ""), e->i32, "");
}

/* ---- operations ------------------------------------------------------------------------------ */

LLVMValueRef sl_pipe_emit_operation(struct sl_pass *pass, const struct sl_emit *e,
                                    const struct sl_pipe_place *place, LLVMValueRef *operands,
                                    unsigned count)
{
    if (pass->pipe_kind == SL_PIPES_SHARED)
        return sl_pipe_emit_shared(pass, e, place, operands);
    operands[count] = sl_emit_i32(e, add_place(pass->pipes, place));
    return sl_pipe_emit_opaque(e, pass->module, place->operation, operands, count + 1);
}

static LLVMValueRef operate(struct resolver *r, LLVMValueRef call,
                            const struct sl_pipe_place *place, LLVMValueRef ring)
{
    LLVMValueRef operands[8] = {ring};
    unsigned count = LLVMGetNumArgOperands(call) - 2; /* all but size and alignment */
    bool packet = place->operation->form == SL_PIPE_FORM_PACKET ||
                  place->operation->form == SL_PIPE_FORM_RESERVED;
    for (unsigned i = 1; i < count; i++)
        operands[i] = LLVMGetArgOperand(call, i);
    if (packet) {
        LLVMTypeRef generic = LLVMPointerTypeInContext(r->e.context, SL_SPACE_GENERIC);
        if (LLVMTypeOf(operands[count - 1]) != generic)
            operands[count - 1] =
                LLVMBuildAddrSpaceCast(r->e.builder, operands[count - 1], generic, "");
    }
    if (place->operation->collective)
        return sl_pipe_emit_collective(r->pass, &r->e, call, place, operands, count);
    LLVMValueRef value = sl_pipe_emit_operation(r->pass, &r->e, place, operands, count);
    if (r->pass->pipe_kind != SL_PIPES_SHARED)
        sl_pipe_allow_original(&r->e, place, value, count - 1);
    return value;
}

static void replace(LLVMValueRef call, LLVMValueRef value)
{
    if (value && LLVMGetFirstUse(call))
        LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef is_valid(const struct sl_emit *e, LLVMValueRef call)
{
    LLVMPositionBuilderBefore(e->builder, call);
    LLVMValueRef id = LLVMGetArgOperand(call, 0);
    LLVMValueRef valid =
        LLVMBuildICmp(e->builder, LLVMIntNE, id, LLVMConstNull(LLVMTypeOf(id)), "");
    return LLVMBuildZExtOrBitCast(e->builder, valid, LLVMTypeOf(call), "");
}

/* An operation on a reservation is made by who has reserved. */
static bool has_to_claim(const struct sl_pipe_design *design, const struct sl_pipe_place *place)
{
    enum sl_pipe_form form = place->operation->form;
    enum sl_pipe_op direction = place->operation->direction;
    if (place->variable < 0 || (form != SL_PIPE_FORM_PACKET && form != SL_PIPE_FORM_RESERVE))
        return false;
    const struct sl_pipe_variable *v = &design->variables[place->variable];
    return place->element < 0
               ? v->contested[direction]
               : design->ends[v->first_ring + (uint32_t)place->element].contested[direction];
}

static int resolve(struct resolver *r, LLVMValueRef call)
{
    const struct sl_pipe_operation *operation = sl_pipe_operation_find(sl_callee_name(call));
    if (operation->form == SL_PIPE_FORM_VALID) {
        replace(call, is_valid(&r->e, call));
        return 0;
    }
    struct sl_pipe_place place = sl_pipe_describe(call, operation, r->kernel);
    LLVMValueRef ring = NULL;
    int rc = r->pass->pipe_kind == SL_PIPES_NONE ? refuse(r, &place, "the device has no pipes")
                                                 : find_ring(r, call, &place, &ring);
    if (rc || !ring) {
        free(place.file);
        if (!rc && LLVMGetFirstUse(call))
            LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
        if (!rc)
            LLVMInstructionEraseFromParent(call);
        return rc;
    }
    bool shared = r->pass->pipe_kind == SL_PIPES_SHARED;
    r->pass->kernels[r->kernel].flags |= shared ? SL_KERNEL_SHARED_PIPES : SL_KERNEL_USES_PIPES;
    place.claims = has_to_claim(r->pass->pipes, &place);
    place.blocking = operation->wait == SL_PIPE_WAITS ||
                     (operation->wait == SL_PIPE_AS_DECLARED && place.blocking);
    bool timed =
        operation->form == SL_PIPE_FORM_FILL && !shared && sl_pipe_is_timed(r->pass->module);
    if (!timed &&
        (operation->form == SL_PIPE_FORM_FILL || operation->form == SL_PIPE_FORM_CAPACITY)) {
        replace(call, query(r, &place, ring));
        if (!shared)
            add_place(r->pass->pipes, &place);
    } else {
        replace(call, operate(r, call, &place, ring));
    }
    if (shared)
        free(place.file); /* no table has a row for it */
    return 0;
}

static bool is_operation(const char *callee)
{
    return sl_pipe_operation_find(callee);
}

static bool is_loop_mark(const char *callee)
{
    return strcmp(callee, SL_LOOP_MARK) == 0;
}

static bool is(LLVMValueRef kernel, const char *name)
{
    return LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         name, (unsigned)strlen(name));
}

/* Without pipes a kernel has a clock if its work-items are on their way one behind the other, and
 * do more than begin, or if it is a task with loops: then it runs as kernels with pipes do. Unless
 * items all do the same, or can count for themselves. All others need no marks. */
static void drop_loop_marks(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    struct sl_list marks = {0};
    bool items = false, others = false;
    sl_find_calls(facts->kernel, is_loop_mark, &marks);
    for (size_t i = 0; i < marks.count; i++) {
        bool item = LLVMConstIntGetZExtValue(LLVMGetOperand(marks.items[i], 0)) == SL_LOOP_IS_ITEM;
        others |= !item || items;
        items |= item;
    }
    items &= !is(facts->kernel, SL_PIPE_COUNTED_ATTRIBUTE);
    items = items && !(others && sl_pipe_count_items(pass, facts, &marks));
    if (others && (items || is(facts->kernel, SL_PIPE_TASK_ATTRIBUTE)))
        facts->flags |= SL_KERNEL_USES_PIPES;
    else
        for (size_t i = 0; i < marks.count; i++)
            LLVMInstructionEraseFromParent(marks.items[i]);
    sl_list_finish(&marks);
}

/* Where marks are that no kernel of several work-items on their way has. */
static void count_nests(const struct sl_kernel_facts *facts)
{
    struct sl_list marks = {0};
    bool items = false;
    sl_find_calls(facts->kernel, is_loop_mark, &marks);
    for (size_t i = 0; i < marks.count; i++)
        items |= LLVMConstIntGetZExtValue(LLVMGetOperand(marks.items[i], 0)) == SL_LOOP_IS_ITEM;
    if (marks.count && !items)
        sl_llvm_count_nests(facts->kernel, SL_LOOP_MARK, sl_pipe_is_quiet);
    sl_list_finish(&marks);
}

static bool is_direct(LLVMValueRef call)
{
    int64_t offset = 0;
    LLVMValueRef base = sl_llvm_strip_offset(LLVMGetArgOperand(call, 0), &offset);
    return LLVMIsAGlobalVariable(base) || LLVMIsAArgument(base) ||
           sl_pipe_operation_find(sl_callee_name(call))->form == SL_PIPE_FORM_VALID;
}

/*
 * Helper functions hand pipes on through variables, which clang left in memory; loops over arrays
 * of pipes have constant indices once they are unrolled, and only then is it known which elements
 * the kernel uses.
 */
static int simplify(struct resolver *r, struct sl_list *calls)
{
    /* Code that keeps everything in memory reaches its variables by generic pointers as well. */
    static const char plain[] = "sroa<modify-cfg>,instsimplify";
    static const char values[] = "sroa<modify-cfg>,early-cse,simplifycfg,"
                                 "instcombine<no-verify-fixpoint>";
    static const char loops[] = "loop(loop-rotate,indvars,loop-unroll-full),"
                                "sroa<modify-cfg>,instcombine<no-verify-fixpoint>,simplifycfg";
    const bool full = sl_pass_has(r->pass, SL_PASS_OPTIMIZE);
    LLVMValueRef kernel = r->pass->kernels[r->kernel].kernel;
    bool direct = true;
    for (size_t i = 0; i < calls->count && direct; i++)
        direct = is_direct(calls->items[i]);
    if (direct)
        return 0;
    if (sl_pass_run_llvm(r->pass, kernel, full ? values : plain))
        return -1;
    if (full)
        sl_limit_unrolling(r->pass, &r->pass->kernels[r->kernel], sl_wi_is_barrier);
    if (full && sl_pass_run_llvm(r->pass, kernel, loops))
        return -1;
    calls->count = 0;
    sl_find_calls(kernel, is_operation, calls);
    return 0;
}

/* LLVM knows what C's function does, and would call puts() for some of them. */
static void keep_printf(const struct sl_pass *pass)
{
    static const char name[] = "nobuiltin";
    LLVMValueRef function = LLVMGetNamedFunction(pass->module, "printf");
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    if (function)
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(pass->context, kind, 0));
}

/* Addresses that nobody computes with any more. */
static void drop_variables(struct sl_pass *pass)
{
    for (uint32_t i = 0; i < pass->pipes->variable_count; i++) {
        LLVMValueRef global = LLVMGetNamedGlobal(pass->module, pass->pipes->variables[i].symbol);
        if (!global || !LLVMIsDeclaration(global))
            continue;
        LLVMReplaceAllUsesWith(global, LLVMGetPoison(LLVMTypeOf(global)));
        LLVMDeleteGlobal(global);
    }
}

int sl_pass_pipe_resolve(struct sl_pass *pass)
{
    struct resolver r = {.pass = pass};
    int rc = 0;
    sl_emit_init(&r.e, pass->context);
    keep_printf(pass);
    for (r.kernel = 0; r.kernel < pass->kernel_count && !rc; r.kernel++) {
        struct sl_list calls = {0};
        /* Nobody launches it, so that it is a fiber in any case. */
        if (pass->kernels[r.kernel].flags & SL_KERNEL_AUTORUN)
            pass->kernels[r.kernel].flags |= SL_KERNEL_USES_PIPES;
        sl_find_calls(pass->kernels[r.kernel].kernel, is_operation, &calls);
        rc = simplify(&r, &calls);
        for (size_t i = 0; i < calls.count && !rc; i++)
            rc = resolve(&r, calls.items[i]);
        sl_list_finish(&calls);
        if (!(pass->kernels[r.kernel].flags & SL_KERNEL_USES_PIPES))
            drop_loop_marks(pass, &pass->kernels[r.kernel]);
        if (sl_pass_has(pass, SL_PASS_OPTIMIZE))
            count_nests(&pass->kernels[r.kernel]);
    }
    sl_emit_finish(&r.e);
    if (rc)
        return -1;
    drop_variables(pass);
    if (pass->pipes->place_count && !sl_pass_has(pass, SL_PASS_KEEP_LINES))
        LLVMStripModuleDebugInfo(pass->module);
    return 0;
}
