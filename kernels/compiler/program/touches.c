/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "compiler/program/touches.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "ir/map.h"
#include "pipes/pipe.h"
#include "llvm/intrinsics.h"

/* ---- instructions ---------------------------------------------------------------------------- */

bool sl_is_remark(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) &&
           sl_llvm_is_intrinsic(instruction, SL_INTRINSIC_LIFETIME | SL_INTRINSIC_DEBUG |
                                                 SL_INTRINSIC_ASSUME | SL_INTRINSIC_ALIAS_SCOPE |
                                                 SL_INTRINSIC_NOTHING);
}

LLVMValueRef sl_called_function(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction))
        return NULL;
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
    return function && !LLVMIsDeclaration(function) ? function : NULL;
}

bool sl_is_plain_variable(LLVMValueRef value)
{
    bool plain = LLVMIsAAllocaInst(value);
    LLVMUseRef use = plain ? LLVMGetFirstUse(value) : NULL;
    for (; use && plain; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        plain = LLVMIsALoadInst(user) || sl_is_remark(user) ||
                (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != value);
    }
    return plain;
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
    for (;;) {
        LLVMOpcode code = LLVMIsAConstantExpr(pointer)  ? LLVMGetConstOpcode(pointer)
                          : LLVMIsAInstruction(pointer) ? LLVMGetInstructionOpcode(pointer)
                                                        : LLVMRet;
        if (code != LLVMGetElementPtr && code != LLVMAddrSpaceCast && code != LLVMBitCast)
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

/* ---- where memory comes from ----------------------------------------------------------------- */

enum { DEEPEST = 16 };

static LLVMValueRef memory_of(LLVMValueRef pointer, unsigned depth);

/* Of a pointer that is kept in the variable; what only moves it on does not count. */
static LLVMValueRef memory_in(LLVMValueRef variable, unsigned depth)
{
    LLVMValueRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user))
            continue;
        LLVMValueRef base = base_of(LLVMGetOperand(user, 0));
        if (LLVMIsALoadInst(base) && LLVMGetOperand(base, 0) == variable)
            continue;
        LLVMValueRef memory = memory_of(base, depth + 1);
        if (!memory || (found && found != memory))
            return NULL;
        found = memory;
    }
    return found;
}

static LLVMValueRef memory_of(LLVMValueRef pointer, unsigned depth)
{
    LLVMValueRef base = base_of(pointer);
    if (LLVMIsAAllocaInst(base) || LLVMIsAArgument(base) || LLVMIsAGlobalVariable(base))
        return base;
    if (LLVMIsALoadInst(base) && depth < DEEPEST && sl_is_plain_variable(LLVMGetOperand(base, 0)))
        return memory_in(LLVMGetOperand(base, 0), depth);
    return NULL;
}

LLVMValueRef sl_pointed_memory(LLVMValueRef pointer)
{
    return memory_of(pointer, 0);
}

/* ---- what is done to it ---------------------------------------------------------------------- */

struct follower {
    struct sl_map seen; /* values, and parameters that are being followed */
    unsigned found;
};

static void follow(struct follower *f, LLVMValueRef value);

/* "_Z6vload4mPU3AS1Kf" -> "vload4..." */
static const char *plain_name(LLVMValueRef call)
{
    const char *name = sl_callee_name(call);
    if (strncmp(name, "_Z", 2) != 0)
        return name;
    for (name += 2; isdigit((unsigned char)*name);)
        name++;
    return name;
}

unsigned sl_touches_of_operand(LLVMValueRef call, unsigned index)
{
    const struct sl_pipe_operation *operation = sl_pipe_operation_find(sl_callee_name(call));
    if (sl_is_remark(call))
        return 0;
    if (operation)
        return index == 0                              ? 0 /* the pipe */
               : operation->direction == SL_PIPE_WRITE ? SL_TOUCH_READS
                                                       : SL_TOUCH_WRITES;
    if (sl_llvm_is_intrinsic(call,
                             SL_INTRINSIC_COPY | SL_INTRINSIC_COPY_INLINE | SL_INTRINSIC_MOVE))
        return index == 0 ? SL_TOUCH_WRITES : SL_TOUCH_READS;
    if (sl_llvm_is_intrinsic(call, SL_INTRINSIC_FILL | SL_INTRINSIC_FILL_INLINE))
        return SL_TOUCH_WRITES;
    if (!strncmp(plain_name(call), "vload", 5) || !strncmp(plain_name(call), "prefetch", 8))
        return SL_TOUCH_READS;
    return !strncmp(plain_name(call), "vstore", 6) ? SL_TOUCH_WRITES : SL_TOUCH_BOTH;
}

bool sl_is_by_value(LLVMValueRef function, unsigned index)
{
    return LLVMGetEnumAttributeAtIndex(function, index + 1,
                                       LLVMGetEnumAttributeKindForName("byval", 5));
}

static void follow_call(struct follower *f, LLVMValueRef call, LLVMValueRef value)
{
    LLVMValueRef function = sl_called_function(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetArgOperand(call, i) != value)
            continue;
        if (function && i < LLVMCountParams(function) && sl_is_by_value(function, i))
            f->found |= SL_TOUCH_READS;
        else if (function && i < LLVMCountParams(function))
            follow(f, LLVMGetParam(function, i));
        else
            f->found |= sl_touches_of_operand(call, i);
    }
}

static void follow_store(struct follower *f, LLVMValueRef store, LLVMValueRef value)
{
    LLVMValueRef to = LLVMGetOperand(store, 1);
    if (LLVMGetOperand(store, 0) != value) {
        f->found |= SL_TOUCH_WRITES;
        return;
    }
    if (!sl_is_plain_variable(to)) {
        f->found = SL_TOUCH_BOTH;
        return;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(to); use; use = LLVMGetNextUse(use))
        if (LLVMIsALoadInst(LLVMGetUser(use)))
            follow(f, LLVMGetUser(use));
}

static void follow_user(struct follower *f, LLVMValueRef user, LLVMValueRef value)
{
    if (LLVMIsALoadInst(user))
        f->found |= SL_TOUCH_READS;
    else if (LLVMIsAStoreInst(user))
        follow_store(f, user, value);
    else if (LLVMIsACallInst(user))
        follow_call(f, user, value);
    else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user) ||
             LLVMIsABitCastInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) ||
             LLVMIsAFreezeInst(user))
        follow(f, user);
    else if (!LLVMIsAICmpInst(user))
        f->found = SL_TOUCH_BOTH;
}

static void follow(struct follower *f, LLVMValueRef value)
{
    if (sl_map_get(&f->seen, value))
        return;
    sl_map_set(&f->seen, value, value);
    LLVMUseRef use = LLVMGetFirstUse(value);
    for (; use && f->found != SL_TOUCH_BOTH; use = LLVMGetNextUse(use))
        follow_user(f, LLVMGetUser(use), value);
}

unsigned sl_touches_of_parameter(LLVMValueRef function, unsigned index)
{
    struct follower f = {0};
    if (sl_is_by_value(function, index))
        return SL_TOUCH_READS;
    follow(&f, LLVMGetParam(function, index));
    sl_map_finish(&f.seen);
    return f.found;
}

/* ---- pipes, variables and work-items --------------------------------------------------------- */

bool sl_same_end(const struct sl_used_end *a, const struct sl_used_end *b)
{
    return a->pipe == b->pipe && a->writes == b->writes &&
           (a->address == b->address || !a->address || !b->address);
}

static void add_end(struct sl_uses *uses, LLVMValueRef call,
                    const struct sl_pipe_operation *operation)
{
    LLVMValueRef address = LLVMGetArgOperand(call, 0), pipe = base_of(address);
    if (!LLVMIsAGlobalVariable(pipe))
        return;
    uses->ends = sl_ir_resize(uses->ends, uses->end_count + 1, sizeof *uses->ends);
    uses->ends[uses->end_count++] = (struct sl_used_end){
        LLVMIsConstant(address) ? address : NULL, pipe, operation->direction == SL_PIPE_WRITE,
        operation->wait == SL_PIPE_WAITS};
}

/* Of which work-item, of how many, or with which others: what runs by itself has other answers. */
static bool is_about_items(LLVMValueRef call)
{
    static const char *const beginnings[] = {
        "get_global_",  "get_local_",   "get_group_id", "get_num_groups", "get_work_dim",
        "get_enqueued", "get_sub_gro",  "get_num_sub",  "get_max_sub",    "get_compute_id",
        "barrier",      "work_group_",  "sub_group_",   "intel_sub",      "intel_work",
        "__work_group", "async_work",   "async_copy",   "wait_group",     "__sub_group",
        "__enqueue",    "enqueue_mark", "split_work",   "split_barr",     "get_default_queue"};
    const char *name = plain_name(call);
    if (sl_pipe_operation_find(sl_callee_name(call)))
        return sl_pipe_operation_find(sl_callee_name(call))->collective;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
            return true;
    return false;
}

static void add_once(struct sl_list *list, LLVMValueRef value)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == value)
            return;
    sl_list_add(list, value);
}

static void look_at_operands(struct sl_uses *uses, LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        LLVMValueRef base = LLVMIsConstant(operand) ? base_of(operand) : operand;
        if (LLVMIsAGlobalVariable(base) && !LLVMIsGlobalConstant(base))
            add_once(&uses->variables, base);
    }
}

static void look_at(struct sl_uses *uses, LLVMValueRef instruction)
{
    look_at_operands(uses, instruction);
    if (!LLVMIsACallInst(instruction))
        return;
    LLVMValueRef function = sl_called_function(instruction);
    if (function) {
        add_once(&uses->functions, function);
        return;
    }
    const struct sl_pipe_operation *operation = sl_pipe_operation_find(sl_callee_name(instruction));
    if (operation && LLVMGetNumArgOperands(instruction))
        add_end(uses, instruction, operation);
    if (!is_about_items(instruction))
        return;
    uses->item = uses->item ? uses->item : LLVMGetCalledValue(instruction);
    uses->waits |= strstr(sl_callee_name(instruction), "get_") == NULL;
}

static bool contains(const struct sl_list *list, LLVMValueRef value)
{
    for (size_t i = 0; list && i < list->count; i++)
        if (list->items[i] == value)
            return true;
    return false;
}

void sl_uses_of(struct sl_uses *uses, LLVMValueRef function, const struct sl_list *without)
{
    *uses = (struct sl_uses){0};
    sl_list_add(&uses->functions, function);
    for (size_t n = 0; n < uses->functions.count; n++) {
        LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(uses->functions.items[n]);
        for (; b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (!contains(without, i))
                    look_at(uses, i);
    }
}

void sl_uses_finish(struct sl_uses *uses)
{
    sl_list_finish(&uses->functions);
    sl_list_finish(&uses->variables);
    free(uses->ends);
}
