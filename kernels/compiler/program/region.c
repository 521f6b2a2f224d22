/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "compiler/program/region.h"

#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/program/doubts.h"
#include "ir/pass.h"
#include "ir/space.h"
#include "llvm/intrinsics.h"

static const char *name_of(LLVMValueRef value)
{
    size_t bytes;
    return LLVMGetValueName2(value, &bytes);
}

/* The first reason counts. */
static void refuse(struct sl_flow_region *r, LLVMValueRef place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void refuse(struct sl_flow_region *r, LLVMValueRef place, const char *format, ...)
{
    va_list args;
    if (r->reason)
        return;
    va_start(args, format);
    if (vasprintf(&r->reason, format, args) < 0)
        abort();
    va_end(args);
    r->place = place;
}

/* ---- loops that are told --------------------------------------------------------------------- */

static bool number_is(LLVMValueRef operand, unsigned number)
{
    return operand && LLVMIsAConstantInt(operand) && LLVMConstIntGetZExtValue(operand) == number;
}

static bool text_is(LLVMValueRef operand, const char *text, size_t bytes)
{
    unsigned length = 0;
    const char *own = operand ? LLVMGetMDString(operand, &length) : NULL;
    return own && length == bytes && !memcmp(own, text, bytes);
}

static bool is_row_of(LLVMValueRef row, LLVMMetadataRef place)
{
    enum { OPERANDS = 5 }; /* name, number, line, column, file */
    LLVMValueRef operands[OPERANDS];
    unsigned length = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
    const char *path = file ? LLVMDIFileGetFilename(file, &length) : "";
    if (LLVMGetMDNodeNumOperands(row) != OPERANDS)
        return false;
    LLVMGetMDNodeOperands(row, operands);
    return text_is(operands[0], SL_DATAFLOW_LOOP, strlen(SL_DATAFLOW_LOOP)) &&
           number_is(operands[2], LLVMDILocationGetLine(place)) &&
           number_is(operands[3], LLVMDILocationGetColumn(place)) &&
           text_is(operands[4], path, length);
}

static bool is_told(LLVMModuleRef module, LLVMMetadataRef place)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(module, "sl.loops");
    LLVMValueRef *rows = sl_ir_alloc(count, sizeof(*rows));
    bool found = false;
    if (count)
        LLVMGetNamedMetadataOperands(module, "sl.loops", rows);
    for (unsigned i = 0; i < count && !found; i++)
        found = is_row_of(rows[i], place);
    free(rows);
    return found;
}

/* The place of a loop's begin is the first operand of what its jump back has, but for itself. */
bool sl_flow_region_is_loop(LLVMModuleRef module, LLVMValueRef jump)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));
    LLVMValueRef node = LLVMIsABranchInst(jump) ? LLVMGetMetadata(jump, kind) : NULL;
    unsigned count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
    LLVMValueRef *operands = sl_ir_alloc(count, sizeof(*operands));
    bool found = false;
    if (count)
        LLVMGetMDNodeOperands(node, operands);
    if (count > 1 && operands[1]) {
        LLVMMetadataRef place = LLVMValueAsMetadata(operands[1]);
        found = LLVMGetMetadataKind(place) == LLVMDILocationMetadataKind && is_told(module, place);
    }
    free(operands);
    return found;
}

/* ---- its blocks ------------------------------------------------------------------------------ */

static void follow_blocks(struct sl_flow_region *r, LLVMBasicBlockRef block)
{
    static const char why[] = "there are branches or loops around its calls";
    for (;;) {
        sl_list_add(&r->blocks, block);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (block == r->latch || (!r->latch && LLVMIsAReturnInst(end)))
            return;
        if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) {
            refuse(r, end, why);
            return;
        }
        block = LLVMGetSuccessor(end, 0);
        if (r->blocks.count > LLVMCountBasicBlocks(r->function)) {
            refuse(r, end, why);
            return;
        }
    }
}

/* As clang writes `for` and `while`: a header that decides, the body, a jump back. */
static void find_loop(struct sl_flow_region *r, LLVMValueRef jump)
{
    r->latch = LLVMGetInstructionParent(jump);
    r->header = LLVMIsConditional(jump) ? NULL : LLVMGetSuccessor(jump, 0);
    LLVMValueRef end = r->header ? LLVMGetBasicBlockTerminator(r->header) : NULL;
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) {
        refuse(r, jump, "only for loops and while loops with a condition can be divided");
        return;
    }
    follow_blocks(r, LLVMGetSuccessor(end, 0));
}

/* ---- its processes --------------------------------------------------------------------------- */

static bool uses_result(LLVMValueRef call)
{
    return LLVMGetFirstUse(call) != NULL;
}

/* It computes one number of others. */
static bool is_pure(LLVMValueRef call)
{
    struct sl_uses uses;
    LLVMValueRef function = sl_called_function(call);
    bool pure = true;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        pure &= LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) != LLVMPointerTypeKind;
    sl_uses_of(&uses, function, NULL);
    pure &= !uses.variables.count && !uses.end_count && !uses.item;
    sl_uses_finish(&uses);
    return pure;
}

static void add_touch(struct sl_process *p, LLVMValueRef memory, unsigned touches)
{
    if (!touches)
        return;
    if (p->memory.count == p->touch_room)
        p->touches = sl_ir_resize(p->touches, p->touch_room = 2 * p->touch_room + 8, 1);
    p->touches[p->memory.count] = (unsigned char)touches;
    sl_list_add(&p->memory, memory);
}

/* What can lie in a packet, or be made again on the other side. */
static bool can_be_sent(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
    case LLVMVectorTypeKind:
        return true;
    default:
        return false;
    }
}

static void add_argument(struct sl_flow_region *r, struct sl_process *p, unsigned index)
{
    LLVMValueRef argument = LLVMGetArgOperand(p->call, index);
    LLVMTypeRef type = LLVMTypeOf(argument);
    if (!can_be_sent(type))
        refuse(r, p->call, "argument %u of '%s' cannot be handed to a process", index + 1,
               name_of(p->function));
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || sl_is_by_value(p->function, index))
        return;
    LLVMValueRef memory = sl_pointed_memory(argument);
    if (memory && LLVMIsAGlobalVariable(memory) && LLVMIsGlobalConstant(memory))
        return;
    add_touch(p, memory, sl_touches_of_parameter(p->function, index));
}

static void add_process(struct sl_flow_region *r, LLVMValueRef call, LLVMValueRef function)
{
    if (r->process_count == SL_MOST_PROCESSES) {
        refuse(r, call, "there are more than %d calls", SL_MOST_PROCESSES);
        return;
    }
    r->processes = sl_ir_resize(r->processes, r->process_count + 1, sizeof *r->processes);
    struct sl_process *p = &r->processes[r->process_count++];
    *p = (struct sl_process){.call = call, .function = function};
    sl_uses_of(&p->uses, function, NULL);
    if (p->uses.item)
        refuse(r, call, "'%s' asks for work-items or waits for them", name_of(function));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        add_argument(r, p, i);
    for (size_t v = 0; v < p->uses.variables.count; v++)
        add_touch(p, p->uses.variables.items[v], SL_TOUCH_BOTH);
}

static void find_processes(struct sl_flow_region *r)
{
    for (size_t b = 0; b < r->blocks.count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(r->blocks.items[b]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef function = sl_called_function(i);
            if (!function)
                continue;
            if (!uses_result(i))
                add_process(r, i, function);
            else if (!is_pure(i))
                refuse(r, i, "the result of '%s' is used", name_of(function));
        }
    }
    LLVMValueRef at = r->latch ? LLVMGetBasicBlockTerminator(r->latch)
                               : LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(r->function));
    if (r->process_count < 2)
        refuse(r, r->process_count ? r->processes[0].call : at,
               r->process_count ? "there is but one call" : "there are no calls of functions");
}

/* ---- doubts ---------------------------------------------------------------------------------- */

static void check_doubts_of(struct sl_flow_region *r, const struct sl_process *p)
{
    LLVMValueRef at;
    for (size_t i = 0; i < p->uses.functions.count && !r->reason; i++) {
        const char *doubt = sl_flow_doubt(p->uses.functions.items[i], false, &at);
        if (doubt)
            refuse(r, p->call, "in '%s' %s", name_of(p->uses.functions.items[i]), doubt);
    }
}

/* Which memory is meant has to be sure. */
static void check_doubts(struct sl_flow_region *r, LLVMValueRef kernel)
{
    LLVMValueRef at;
    const char *doubt = sl_flow_doubt(r->function, true, &at);
    if (doubt)
        refuse(r, at, "%s", doubt);
    for (uint32_t p = 0; p < r->process_count; p++) {
        check_doubts_of(r, &r->processes[p]);
        /* which its pointers may point to */
        for (size_t v = 0; r->function != kernel && v < r->processes[p].uses.variables.count; v++)
            if (LLVMIsAGlobalVariable(r->processes[p].uses.variables.items[v]) &&
                LLVMGetPointerAddressSpace(LLVMTypeOf(r->processes[p].uses.variables.items[v])) ==
                    SL_SPACE_GLOBAL)
                refuse(r, r->processes[p].call, "'%s' uses variables at program scope",
                       name_of(r->processes[p].function));
    }
    for (LLVMValueRef i = r->header ? LLVMGetFirstInstruction(r->header) : NULL; i;
         i = LLVMGetNextInstruction(i))
        if (sl_called_function(i) && !is_pure(i))
            refuse(r, i, "the loop's condition calls '%s'", name_of(sl_called_function(i)));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool is_own(LLVMValueRef memory)
{
    return memory && LLVMIsAAllocaInst(memory);
}

static bool may_be_same(LLVMValueRef a, LLVMValueRef b)
{
    return a == b || (!a && !is_own(b)) || (!b && !is_own(a));
}

/* Does it matter who comes first? */
static bool collides(const struct sl_process *p, LLVMValueRef memory, unsigned touches)
{
    for (size_t i = 0; i < p->memory.count; i++)
        if (may_be_same(p->memory.items[i], memory) && (p->touches[i] | touches) & SL_TOUCH_WRITES)
            return true;
    return false;
}

/* The function itself does it, behind `before` of the processes; in a loop all may be under way. */
static void check_own(struct sl_flow_region *r, LLVMValueRef at, LLVMValueRef pointer,
                      unsigned touches, uint32_t before)
{
    LLVMValueRef memory = sl_pointed_memory(pointer);
    if (memory && (sl_is_plain_variable(memory) ||
                   (LLVMIsAGlobalVariable(memory) && LLVMIsGlobalConstant(memory))))
        return;
    for (uint32_t p = 0; p < (r->latch ? r->process_count : before); p++)
        if (collides(&r->processes[p], memory, touches))
            refuse(r, at,
                   touches & SL_TOUCH_WRITES ? "it writes itself what '%s' uses"
                                             : "it uses itself what '%s' writes",
                   name_of(r->processes[p].function));
}

static void check_call(struct sl_flow_region *r, LLVMValueRef call, uint32_t before)
{
    if (sl_is_remark(call) || sl_called_function(call))
        return;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef operand = LLVMGetArgOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind)
            check_own(r, call, operand, sl_touches_of_operand(call, i), before);
    }
}

static void check_instruction(struct sl_flow_region *r, LLVMValueRef i, uint32_t before)
{
    if (LLVMIsALoadInst(i))
        check_own(r, i, LLVMGetOperand(i, 0), SL_TOUCH_READS, before);
    else if (LLVMIsAStoreInst(i))
        check_own(r, i, LLVMGetOperand(i, 1), SL_TOUCH_WRITES, before);
    else if (LLVMIsACallInst(i))
        check_call(r, i, before);
    else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
        refuse(r, i, "it has atomic operations of its own");
}

/* What goes by value is read when the process is told. */
static void check_values(struct sl_flow_region *r, LLVMValueRef call, uint32_t before)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (sl_is_by_value(sl_called_function(call), i))
            check_own(r, call, LLVMGetArgOperand(call, i), SL_TOUCH_READS, before);
}

static void check_block(struct sl_flow_region *r, LLVMBasicBlockRef block, uint32_t *before)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (*before < r->process_count && r->processes[*before].call == i)
            check_values(r, i, (*before)++);
        else
            check_instruction(r, i, *before);
    }
}

static void check_rest(struct sl_flow_region *r)
{
    uint32_t before = 0;
    if (r->header)
        check_block(r, r->header, &before);
    for (size_t b = 0; b < r->blocks.count; b++)
        check_block(r, r->blocks.items[b], &before);
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* What an operation that does not wait finds is a matter of who comes first. */
static bool is_race(const struct sl_used_end *a, const struct sl_used_end *b)
{
    return a->pipe == b->pipe && a->writes != b->writes && !(a->waits && b->waits);
}

static void check_ends(struct sl_flow_region *r, LLVMValueRef place, const struct sl_uses *a,
                       const struct sl_uses *b)
{
    const char *name = name_of(sl_called_function(place));
    for (uint32_t i = 0; i < a->end_count; i++)
        for (uint32_t k = 0; k < b->end_count; k++) {
            if (sl_same_end(&a->ends[i], &b->ends[k]))
                refuse(r, place, "'%s' and something else %s pipe '%s'", name,
                       a->ends[i].writes ? "write" : "read", name_of(a->ends[i].pipe));
            if (is_race(&a->ends[i], &b->ends[k]))
                refuse(r, place, "'%s' uses pipe '%s', and an operation there does not wait", name,
                       name_of(a->ends[i].pipe));
        }
}

/* And with those of regions that were divided before. */
static void check_divided(struct sl_flow_region *r)
{
    LLVMModuleRef module = LLVMGetGlobalParent(r->function);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        struct sl_uses uses;
        if (!LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                           SL_PROCESS_ATTRIBUTE, strlen(SL_PROCESS_ATTRIBUTE)))
            continue;
        sl_uses_of(&uses, f, NULL);
        for (uint32_t p = 0; p < r->process_count; p++)
            check_ends(r, r->processes[p].call, &r->processes[p].uses, &uses);
        sl_uses_finish(&uses);
    }
}

/* A pipe has one writer and one reader. */
static void check_pipes(struct sl_flow_region *r, LLVMValueRef kernel)
{
    struct sl_list calls = {0};
    struct sl_uses rest;
    for (uint32_t p = 0; p < r->process_count; p++)
        sl_list_add(&calls, r->processes[p].call);
    sl_uses_of(&rest, kernel, &calls);
    for (uint32_t p = 0; p < r->process_count; p++) {
        check_ends(r, r->processes[p].call, &r->processes[p].uses, &rest);
        for (uint32_t q = p + 1; q < r->process_count; q++)
            check_ends(r, r->processes[q].call, &r->processes[q].uses, &r->processes[p].uses);
    }
    check_divided(r);
    if (rest.waits)
        refuse(r, r->processes[0].call, "work-items of '%s' wait for each other", name_of(kernel));
    sl_uses_finish(&rest);
    sl_list_finish(&calls);
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool is_process(const struct sl_flow_region *r, LLVMValueRef call)
{
    for (uint32_t p = 0; p < r->process_count; p++)
        if (r->processes[p].call == call)
            return true;
    return false;
}

static bool begins_in(const struct sl_flow_region *r, LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || !sl_llvm_is_intrinsic(user, SL_INTRINSIC_LIFETIME_START))
            continue;
        for (size_t b = 0; r->latch && b < r->blocks.count; b++)
            if (r->blocks.items[b] == LLVMGetInstructionParent(user))
                return true;
    }
    return false;
}

/* Nobody but processes learns its address. */
static bool is_only_handed_over(const struct sl_flow_region *r, LLVMValueRef address)
{
    bool only = true;
    for (LLVMUseRef use = LLVMGetFirstUse(address); use && only; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user))
            only = is_only_handed_over(r, user);
        else if (!sl_is_remark(user))
            only = is_process(r, user);
    }
    return only;
}

static struct sl_flow_region_variable *variable_of(const struct sl_flow_region *r,
                                                   LLVMValueRef memory)
{
    for (uint32_t v = 0; v < r->variable_count; v++)
        if (r->variables[v].variable == memory)
            return &r->variables[v];
    return NULL;
}

static void find_variables(struct sl_flow_region *r)
{
    for (uint32_t p = 0; p < r->process_count; p++)
        for (size_t i = 0; i < r->processes[p].memory.count; i++) {
            LLVMValueRef memory = r->processes[p].memory.items[i];
            if (!is_own(memory) || variable_of(r, memory))
                continue;
            r->variables = sl_ir_resize(r->variables, r->variable_count + 1, sizeof *r->variables);
            r->variables[r->variable_count++] = (struct sl_flow_region_variable){
                memory, begins_in(r, memory) && is_only_handed_over(r, memory)};
        }
}

static enum sl_flow_region_order order_of(const struct sl_flow_region *r,
                                          const struct sl_process *a, const struct sl_process *b)
{
    enum sl_flow_region_order order = SL_FLOW_FREE;
    for (size_t i = 0; i < a->memory.count; i++) {
        LLVMValueRef memory = a->memory.items[i];
        const struct sl_flow_region_variable *v = variable_of(r, memory);
        if (!collides(b, memory, a->touches[i]))
            continue;
        if (!v || !v->doubled)
            return SL_FLOW_AFTER;
        order = SL_FLOW_AFTER_DOUBLED;
    }
    return order;
}

static void find_order(struct sl_flow_region *r)
{
    r->order = sl_ir_alloc((size_t)r->process_count * r->process_count, 1);
    for (uint32_t a = 0; a < r->process_count; a++)
        for (uint32_t b = a + 1; b < r->process_count; b++)
            r->order[a * r->process_count + b] =
                (unsigned char)order_of(r, &r->processes[a], &r->processes[b]);
}

enum sl_flow_region_order sl_flow_region_order_of(const struct sl_flow_region *r, uint32_t first,
                                                  uint32_t second)
{
    return (enum sl_flow_region_order)r->order[first * r->process_count + second];
}

/* ---- all of it ------------------------------------------------------------------------------- */

void sl_flow_region_judge(struct sl_flow_region *r, LLVMValueRef kernel, LLVMValueRef function,
                          LLVMValueRef jump)
{
    *r = (struct sl_flow_region){.function = function};
    if (jump)
        find_loop(r, jump);
    else
        follow_blocks(r, LLVMGetEntryBasicBlock(function));
    if (r->reason)
        return;
    find_processes(r);
    if (!r->reason)
        check_doubts(r, kernel);
    if (!r->reason)
        check_rest(r);
    if (!r->reason)
        check_pipes(r, kernel);
    find_variables(r);
    find_order(r);
}

void sl_flow_region_finish(struct sl_flow_region *r)
{
    for (uint32_t p = 0; p < r->process_count; p++) {
        sl_uses_finish(&r->processes[p].uses);
        sl_list_finish(&r->processes[p].memory);
        free(r->processes[p].touches);
    }
    sl_list_finish(&r->blocks);
    free(r->processes);
    free(r->variables);
    free(r->order);
    free(r->reason);
}
