/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "compiler/program/process_code.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/program/process_pipe.h"
#include "ir/emit.h"
#include "ir/pass.h"
#include "ir/space.h"
#include "llvm/intrinsics.h"
#include "llvm/llvm_extra.h"
#include "llvm/pass_support.h"

/* The first word of a packet of K.f.start. */
enum { RUN = 1, LAST = 2, SLOT_BIT = 2 };

struct maker {
    const struct sl_flow_region *region;
    LLVMModuleRef module;
    LLVMValueRef kernel;
    struct sl_emit e;
    LLVMValueRef *globals;          /* beside region->variables; owned */
    LLVMValueRef round;             /* of a loop: a variable that counts */
    char *names[SL_MOST_PROCESSES]; /* owned */
    LLVMValueRef kernels[SL_MOST_PROCESSES];
};

struct sender {              /* one process, as the function sees it */
    struct sl_list leaves;   /* values that go into its packets, behind the first word */
    LLVMTypeRef packet_type; /* a structure */
    LLVMValueRef packet;     /* variable in the function */
    LLVMValueRef start, end; /* pipes */
};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *name_of(LLVMValueRef value)
{
    size_t bytes;
    return LLVMGetValueName2(value, &bytes);
}

/* "K.f", or with a number where there is one already. */
static char *process_name(const struct maker *m, LLVMValueRef function)
{
    char *name;
    if (asprintf(&name, "%s.%s", name_of(m->kernel), name_of(function)) < 0)
        abort();
    for (unsigned n = 2; LLVMGetNamedFunction(m->module, name); n++) {
        free(name);
        if (asprintf(&name, "%s.%s.%u", name_of(m->kernel), name_of(function), n) < 0)
            abort();
    }
    return name;
}

static const char *short_name(const struct maker *m, uint32_t process)
{
    return m->names[process] + strlen(name_of(m->kernel)) + 1;
}

static LLVMValueRef pipe_between(const struct maker *m, uint32_t from, uint32_t to,
                                 const char *what, uint32_t depth)
{
    char *name;
    if (asprintf(&name, "%s.%s.%s", m->names[from], short_name(m, to), what) < 0)
        abort();
    LLVMValueRef pipe = LLVMGetNamedGlobal(m->module, name);
    if (!pipe)
        pipe = sl_process_pipe(m->module, name, m->e.i8, depth, m->region->processes[to].call);
    free(name);
    return pipe;
}

static LLVMValueRef pipe_of(const struct maker *m, uint32_t process, const char *what,
                            LLVMTypeRef type, uint32_t depth)
{
    char *name;
    if (asprintf(&name, "%s.%s", m->names[process], what) < 0)
        abort();
    LLVMValueRef pipe =
        sl_process_pipe(m->module, name, type, depth, m->region->processes[process].call);
    free(name);
    return pipe;
}

/* ---- variables ------------------------------------------------------------------------------- */

static void forget_lifetime(LLVMValueRef variable)
{
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(user) && sl_llvm_is_intrinsic(user, SL_INTRINSIC_LIFETIME))
            LLVMInstructionEraseFromParent(user);
    }
}

static LLVMValueRef make_global(struct maker *m, const struct sl_flow_region_variable *v)
{
    LLVMTypeRef type = LLVMGetAllocatedType(v->variable);
    char *name;
    if (v->doubled)
        type = LLVMArrayType2(type, 2);
    if (asprintf(&name, "%s.%s", name_of(m->kernel), name_of(v->variable)) < 0)
        abort();
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(m->module, type, name, SL_SPACE_PRIVATE);
    free(name);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetInitializer(global, LLVMConstNull(type));
    LLVMSetAlignment(global, LLVMGetAlignment(v->variable));
    return global;
}

static void make_globals(struct maker *m)
{
    m->globals = sl_ir_alloc(m->region->variable_count, sizeof(*m->globals));
    for (uint32_t v = 0; v < m->region->variable_count; v++)
        m->globals[v] = make_global(m, &m->region->variables[v]);
}

/* What is left of them in the function. Those of rounds it does not use itself. */
static void replace_variables(struct maker *m)
{
    for (uint32_t v = 0; v < m->region->variable_count; v++) {
        LLVMValueRef variable = m->region->variables[v].variable;
        forget_lifetime(variable);
        if (!m->region->variables[v].doubled)
            LLVMReplaceAllUsesWith(variable, m->globals[v]);
    }
}

static int32_t variable_of(const struct maker *m, LLVMValueRef value)
{
    for (uint32_t v = 0; v < m->region->variable_count; v++)
        if (m->region->variables[v].variable == value)
            return (int32_t)v;
    return -1;
}

/* ---- arguments: what is sent, and what is made again ----------------------------------------- */

static bool is_offset(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) || LLVMIsAAddrSpaceCastInst(value) ||
           LLVMIsABitCastInst(value);
}

/* An address in a variable that both sides know. */
static bool is_made_again(const struct maker *m, LLVMValueRef value)
{
    while (is_offset(value))
        value = LLVMGetOperand(value, 0);
    return variable_of(m, value) >= 0;
}

/* Local memory is a launch's: its address is none that is known here. */
static bool is_same_everywhere(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!LLVMIsConstant(value) || LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return LLVMIsConstant(value);
    LLVMValueRef memory = sl_pointed_memory(value);
    return !memory || LLVMGetPointerAddressSpace(LLVMTypeOf(memory)) != SL_SPACE_LOCAL;
}

static void find_leaves(const struct maker *m, LLVMValueRef value, struct sl_list *leaves)
{
    if (is_same_everywhere(value))
        return;
    if (!is_made_again(m, value)) {
        sl_list_add(leaves, value);
        return;
    }
    for (int i = 0; is_offset(value) && i < LLVMGetNumOperands(value); i++)
        find_leaves(m, LLVMGetOperand(value, (unsigned)i), leaves);
}

/* By value the structure itself is in the packet. */
static LLVMTypeRef by_value_type(LLVMValueRef function, unsigned index)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    return LLVMGetTypeAttributeValue(LLVMGetEnumAttributeAtIndex(function, index + 1, kind));
}

static void describe_packet(const struct maker *m, const struct sl_process *p, struct sender *s)
{
    unsigned count = LLVMGetNumArgOperands(p->call), next = 1;
    struct sl_list types = {0};
    for (unsigned i = 0; i < count; i++) {
        size_t before = s->leaves.count;
        bool whole = sl_is_by_value(p->function, i);
        if (whole)
            sl_list_add(&s->leaves, LLVMGetArgOperand(p->call, i));
        else
            find_leaves(m, LLVMGetArgOperand(p->call, i), &s->leaves);
        for (; before < s->leaves.count; before++)
            sl_list_add(&types, whole ? by_value_type(p->function, i)
                                      : LLVMTypeOf(s->leaves.items[before]));
    }
    LLVMTypeRef *fields = sl_ir_alloc(types.count + 1, sizeof(*fields));
    fields[0] = m->e.i32;
    for (size_t i = 0; i < types.count; i++)
        fields[next++] = types.items[i];
    s->packet_type = LLVMStructTypeInContext(m->e.context, fields, next, false);
    free(fields);
    sl_list_finish(&types);
}

static LLVMValueRef field(const struct maker *m, const struct sender *s, LLVMValueRef packet,
                          unsigned index)
{
    return LLVMBuildStructGEP2(m->e.builder, s->packet_type, packet, index, "");
}

struct receiver { /* a process's own code */
    struct maker *m;
    const struct sender *s;
    LLVMValueRef packet, word;
    unsigned next; /* field */
};

static LLVMValueRef receive(struct receiver *r)
{
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(r->s->packet_type, r->next);
    LLVMValueRef at = field(r->m, r->s, r->packet, r->next++);
    return LLVMBuildLoad2(r->m->e.builder, type, at, "");
}

static LLVMValueRef address_of(struct receiver *r, uint32_t variable)
{
    const struct sl_emit *e = &r->m->e;
    LLVMValueRef global = r->m->globals[variable];
    if (!r->m->region->variables[variable].doubled)
        return global;
    LLVMValueRef slot = LLVMBuildLShr(e->builder, r->word, sl_emit_i32(e, SLOT_BIT), "");
    LLVMValueRef index[] = {sl_emit_i32(e, 0), slot};
    return LLVMBuildInBoundsGEP2(e->builder, LLVMGlobalGetValueType(global), global, index, 2, "");
}

/* In the order of find_leaves. */
static LLVMValueRef make_again(struct receiver *r, LLVMValueRef value)
{
    int32_t variable = variable_of(r->m, value);
    if (variable >= 0)
        return address_of(r, (uint32_t)variable);
    if (is_same_everywhere(value))
        return value;
    if (!is_made_again(r->m, value))
        return receive(r);
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        LLVMSetOperand(copy, (unsigned)i, make_again(r, LLVMGetOperand(value, (unsigned)i)));
    LLVMInsertIntoBuilder(r->m->e.builder, copy);
    return copy;
}

/* ---- a process ------------------------------------------------------------------------------- */

static void emit_call(struct receiver *r, const struct sl_process *p)
{
    const struct sl_emit *e = &r->m->e;
    unsigned count = LLVMGetNumArgOperands(p->call);
    LLVMValueRef *arguments = sl_ir_alloc(count, sizeof(*arguments));
    r->next = 1;
    for (unsigned i = 0; i < count; i++)
        arguments[i] = sl_is_by_value(p->function, i)
                           ? field(r->m, r->s, r->packet, r->next++)
                           : make_again(r, LLVMGetArgOperand(p->call, i));
    LLVMValueRef call = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(p->function), p->function,
                                       arguments, count, "");
    sl_process_copy_call(p->call, call);
    free(arguments);
}

/* Is it known because of one between them? */
static bool follows_anyway(const struct sl_flow_region *r, uint32_t first, uint32_t second)
{
    for (uint32_t between = first + 1; between < second; between++)
        if (sl_flow_region_order_of(r, first, between) &&
            sl_flow_region_order_of(r, between, second))
            return true;
    return false;
}

static uint32_t lead_of(const struct sl_flow_region *r, uint32_t first, uint32_t second)
{
    return sl_flow_region_order_of(r, first, second) == SL_FLOW_AFTER_DOUBLED ? 2 : 1;
}

static void emit_token(const struct maker *m, uint32_t from, uint32_t to, const char *what,
                       bool write)
{
    const uint32_t depth = lead_of(m->region, from, to);
    sl_process_token(&m->e, m->module, pipe_between(m, from, to, what, depth), write);
}

/* Where the call begins, and where it has ended. */
static void emit_order(const struct maker *m, uint32_t self, bool ends)
{
    const struct sl_flow_region *r = m->region;
    for (uint32_t to = self + 1; to < r->process_count; to++) {
        if (!ends && r->latch && sl_flow_region_order_of(r, self, to))
            emit_token(m, self, to, "room", true);
        if (ends && sl_flow_region_order_of(r, self, to) && !follows_anyway(r, self, to))
            emit_token(m, self, to, "full", true);
    }
    for (uint32_t from = 0; from < self; from++) {
        if (!ends && sl_flow_region_order_of(r, from, self) && !follows_anyway(r, from, self))
            emit_token(m, from, self, "full", false);
        if (ends && r->latch && sl_flow_region_order_of(r, from, self))
            emit_token(m, from, self, "room", false);
    }
}

static void branch_on(const struct maker *m, LLVMValueRef word, unsigned bit, LLVMBasicBlockRef yes,
                      LLVMBasicBlockRef no)
{
    const struct sl_emit *e = &m->e;
    LLVMValueRef some = LLVMBuildAnd(e->builder, word, sl_emit_i32(e, bit), "");
    LLVMValueRef is = LLVMBuildICmp(e->builder, LLVMIntNE, some, sl_emit_i32(e, 0), "");
    LLVMBuildCondBr(e->builder, is, yes, no);
}

static void make_process(struct maker *m, uint32_t self, const struct sender *s)
{
    const struct sl_emit *e = &m->e;
    const struct sl_process *p = &m->region->processes[self];
    LLVMValueRef kernel = m->kernels[self];
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(e->context, kernel, "entry");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(e->context, kernel, "call");
    LLVMBasicBlockRef last = LLVMAppendBasicBlockInContext(e->context, kernel, "last");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(e->context, kernel, "out");
    struct receiver r = {.m = m, .s = s};
    LLVMPositionBuilderAtEnd(e->builder, entry);
    sl_process_at(e, p->call);
    r.packet = LLVMBuildAlloca(e->builder, s->packet_type, "packet");
    sl_process_move(e, m->module, s->start, r.packet, s->packet_type, false);
    r.word = LLVMBuildLoad2(e->builder, e->i32, field(m, s, r.packet, 0), "");
    if (m->region->latch)
        branch_on(m, r.word, RUN, call, last);
    else
        LLVMBuildBr(e->builder, call);
    LLVMPositionBuilderAtEnd(e->builder, call);
    emit_order(m, self, false);
    emit_call(&r, p);
    emit_order(m, self, true);
    LLVMBuildBr(e->builder, m->region->latch ? out : last);
    LLVMPositionBuilderAtEnd(e->builder, last);
    sl_process_token(e, m->module, s->end, true);
    LLVMBuildBr(e->builder, out);
    LLVMPositionBuilderAtEnd(e->builder, out);
    LLVMBuildRetVoid(e->builder);
}

/* ---- the function ---------------------------------------------------------------------------- */

static LLVMValueRef word_of_round(const struct maker *m)
{
    const struct sl_emit *e = &m->e;
    LLVMValueRef count = LLVMBuildLoad2(e->builder, e->i32, m->round, "");
    LLVMValueRef slot = LLVMBuildAnd(e->builder, count, sl_emit_i32(e, 1), "");
    LLVMValueRef bits = LLVMBuildShl(e->builder, slot, sl_emit_i32(e, SLOT_BIT), "");
    return LLVMBuildOr(e->builder, bits, sl_emit_i32(e, RUN), "");
}

static void send(const struct maker *m, const struct sender *s, LLVMValueRef word, bool arguments)
{
    const struct sl_emit *e = &m->e;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->module);
    LLVMBuildStore(e->builder, word, field(m, s, s->packet, 0));
    for (unsigned i = 0; arguments && i < s->leaves.count; i++) {
        LLVMTypeRef type = LLVMStructGetTypeAtIndex(s->packet_type, i + 1);
        LLVMValueRef to = field(m, s, s->packet, i + 1);
        if (LLVMTypeOf(s->leaves.items[i]) == type)
            LLVMBuildStore(e->builder, s->leaves.items[i], to);
        else /* by value */
            LLVMBuildMemCpy(e->builder, to, 1, s->leaves.items[i], 1,
                            sl_emit_i64(e, LLVMABISizeOfType(layout, type)));
    }
    sl_process_move(e, m->module, s->start, s->packet, s->packet_type, true);
}

static void replace_call(const struct maker *m, uint32_t self, const struct sender *s)
{
    const struct sl_emit *e = &m->e;
    const struct sl_process *p = &m->region->processes[self];
    LLVMPositionBuilderBefore(e->builder, p->call);
    sl_process_at(e, p->call);
    send(m, s, m->region->latch ? word_of_round(m) : sl_emit_i32(e, RUN | LAST), true);
    LLVMInstructionEraseFromParent(p->call);
}

static void wait_for_all(const struct maker *m, const struct sender *senders)
{
    for (uint32_t i = 0; i < m->region->process_count; i++)
        sl_process_token(&m->e, m->module, senders[i].end, false);
}

/* A block of its own on the way out of the loop. */
static void end_loop(const struct maker *m, const struct sender *senders)
{
    const struct sl_flow_region *r = m->region;
    const struct sl_emit *e = &m->e;
    LLVMValueRef decides = LLVMGetBasicBlockTerminator(r->header);
    LLVMBasicBlockRef way = sl_llvm_split_edge(r->header, LLVMGetSuccessor(decides, 1));
    LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(way));
    sl_process_at(e, decides);
    for (uint32_t i = 0; i < r->process_count; i++)
        send(m, &senders[i], sl_emit_i32(e, LAST), false);
    wait_for_all(m, senders);
    LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(r->latch));
    LLVMValueRef count = LLVMBuildLoad2(e->builder, e->i32, m->round, "");
    LLVMBuildStore(e->builder, LLVMBuildAdd(e->builder, count, sl_emit_i32(e, 1), ""), m->round);
}

static void end_function(const struct maker *m, const struct sender *senders)
{
    LLVMBasicBlockRef last = m->region->blocks.items[m->region->blocks.count - 1];
    LLVMPositionBuilderBefore(m->e.builder, LLVMGetBasicBlockTerminator(last));
    sl_process_at(&m->e, LLVMGetBasicBlockTerminator(last));
    wait_for_all(m, senders);
}

static void make_round(struct maker *m)
{
    m->round = sl_emit_entry_alloca(&m->e, m->region->function, m->e.i32, 4, "round");
    sl_emit_at_entry(&m->e, m->region->function);
    LLVMBuildStore(m->e.builder, sl_emit_i32(&m->e, 0), m->round);
}

/* Deep enough that all processes can be in rounds of their own. */
static uint32_t start_depth(const struct sl_flow_region *r)
{
    uint32_t depth = 1;
    while (r->latch && depth < r->process_count + 1)
        depth *= 2;
    return depth;
}

void sl_process_code(const struct sl_flow_region *region, LLVMValueRef kernel)
{
    struct maker m = {.region = region, .module = LLVMGetGlobalParent(kernel), .kernel = kernel};
    struct sender *senders = sl_ir_alloc(region->process_count, sizeof *senders);
    sl_emit_init(&m.e, LLVMGetModuleContext(m.module));
    make_globals(&m);
    if (region->latch)
        make_round(&m);
    for (uint32_t i = 0; i < region->process_count; i++) {
        struct sender *s = &senders[i];
        m.names[i] = process_name(&m, region->processes[i].function);
        describe_packet(&m, &region->processes[i], s);
        s->packet = sl_emit_entry_alloca(&m.e, region->function, s->packet_type, 16, "start");
        s->start = pipe_of(&m, i, "start", s->packet_type, start_depth(region));
        s->end = pipe_of(&m, i, "end", m.e.i8, 1);
        m.kernels[i] = sl_process_kernel(m.module, m.names[i], kernel, region->processes[i].call);
    }
    for (uint32_t i = 0; i < region->process_count; i++)
        make_process(&m, i, &senders[i]);
    if (region->latch)
        end_loop(&m, senders);
    else
        end_function(&m, senders);
    for (uint32_t i = 0; i < region->process_count; i++)
        replace_call(&m, i, &senders[i]);
    replace_variables(&m);
    for (uint32_t i = 0; i < region->process_count; i++) {
        sl_list_finish(&senders[i].leaves);
        free(m.names[i]);
    }
    free(senders);
    free(m.globals);
    sl_emit_finish(&m.e);
}

void sl_process_turns(LLVMValueRef function, LLVMValueRef kernel, LLVMValueRef place)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    struct sl_emit e;
    char *name;
    sl_emit_init(&e, LLVMGetModuleContext(module));
    if (asprintf(&name, "%s%s%s.turn", name_of(kernel), function == kernel ? "" : ".",
                 function == kernel ? "" : name_of(function)) < 0)
        abort();
    LLVMValueRef pipe = sl_process_pipe(module, name, e.i8, 1, place);
    sl_emit_at_entry(&e, function);
    sl_process_at(&e, place);
    sl_process_token(&e, module, pipe, true);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(end))
            continue;
        LLVMPositionBuilderBefore(e.builder, end);
        sl_process_at(&e, place);
        sl_process_token(&e, module, pipe, false);
    }
    free(name);
    sl_emit_finish(&e);
}
