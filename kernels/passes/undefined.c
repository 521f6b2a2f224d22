/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers are metadata of the variables, so that they go along into copies. No shared state. */
#include "passes/undefined.h"

#include <stdlib.h>
#include <string.h>

#include "ir/emit.h"
#include "ir/memory.h"
#include "ir/variables/unwritten.h"

#define NO_NUMBER UINT32_MAX

struct scan {
    struct sl_undefined *undefined;
    const char *stage;      /* NULL: before the first one */
    struct sl_list excused; /* variables */
    int rc;
};

/* ---- numbers --------------------------------------------------------------------------------- */

static unsigned kind_of(const struct sl_undefined *u)
{
    static const char name[] = "sl.variable";
    return LLVMGetMDKindIDInContext(u->pass->context, name, sizeof name - 1);
}

static uint32_t number_of(const struct sl_undefined *u, LLVMValueRef variable)
{
    LLVMValueRef node = LLVMGetMetadata(variable, kind_of(u)), number;
    if (!node)
        return NO_NUMBER;
    LLVMGetMDNodeOperands(node, &number);
    uint32_t n = (uint32_t)LLVMConstIntGetZExtValue(number);
    return n < u->count ? n : NO_NUMBER;
}

static void give_number(struct sl_undefined *u, LLVMValueRef variable)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(u->pass->context);
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(i32, u->count, false));
    LLVMMetadataRef node = LLVMMDNodeInContext2(u->pass->context, &number, 1);
    LLVMSetMetadata(variable, kind_of(u), LLVMMetadataAsValue(u->pass->context, node));
    u->excused = sl_ir_resize(u->excused, u->count + 1, sizeof *u->excused);
    u->excused[u->count++] = false;
}

/* Only of variables that are read and written whole is it clear what they hold. */
static bool is_whole(LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
        bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
                     LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
        if (!load && !store)
            return false;
    }
    return true;
}

static void number_new(struct sl_undefined *u, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && !sl_emit_is_own(i) && number_of(u, i) == NO_NUMBER) {
                give_number(u, i);
                u->excused[u->count - 1] = !is_whole(i);
            }
}

/* ---- loads ----------------------------------------------------------------------------------- */

static void complain(struct scan *s, const struct sl_unwritten *row)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(row->load));
    s->rc = sl_pass_refuse(s->undefined->pass,
                           "internal error: %s reads '%s' of '%s' before it is written", s->stage,
                           LLVMGetValueName(row->variable), LLVMGetValueName(f));
}

static void look(void *data, const struct sl_unwritten *row)
{
    struct scan *s = data;
    const struct sl_undefined *u = s->undefined;
    bool own = sl_emit_is_own(row->variable);
    uint32_t number = own ? NO_NUMBER : number_of(u, row->variable);
    bool lost = row->always && number != NO_NUMBER && !u->excused[number];
    if (s->stage && (own || lost))
        complain(s, row);
    else if (!own)
        sl_list_add(&s->excused, row->variable);
}

static int scan(struct sl_undefined *u, const struct sl_list *functions, const char *stage)
{
    struct scan s = {.undefined = u, .stage = stage};
    for (size_t i = 0; i < functions->count; i++)
        sl_find_unwritten(functions->items[i], look, &s);
    for (size_t i = 0; i < functions->count; i++)
        number_new(u, functions->items[i]);
    for (size_t i = 0; i < s.excused.count; i++)
        u->excused[number_of(u, s.excused.items[i])] = true;
    sl_list_finish(&s.excused);
    return s.rc;
}

void sl_undefined_begin(struct sl_undefined *u, struct sl_pass *pass)
{
    struct sl_list all = {0};
    *u = (struct sl_undefined){.pass = pass};
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            sl_list_add(&all, f);
    scan(u, &all, NULL);
    sl_list_finish(&all);
}

int sl_undefined_check(struct sl_undefined *u, const struct sl_list *functions, const char *stage)
{
    return scan(u, functions, stage);
}

void sl_undefined_finish(struct sl_undefined *u)
{
    free(u->excused);
    *u = (struct sl_undefined){0};
}
