/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A packet is an argument, of which clang makes a copy in front of each write. A large one, which
 * stays in memory, is taken from where that copy was made from. Small ones are more likely to be
 * values that live in registers. No shared state.
 */
#include "pipes/pipe.h"

#include <string.h>

#define LARGE 1024

static unsigned noalias(void)
{
    return LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
}

void sl_pipe_allow_original(const struct sl_emit *e, const struct sl_pipe_place *place,
                            LLVMValueRef call, unsigned packet)
{
    if (place->operation->form == SL_PIPE_FORM_PACKET &&
        place->operation->direction == SL_PIPE_WRITE && place->packet_bytes >= LARGE)
        LLVMAddCallSiteAttribute(call, packet + 1,
                                 LLVMCreateEnumAttribute(e->context, noalias(), 0));
}

static bool allows_original(LLVMValueRef call)
{
    bool any = false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        any |= LLVMGetCallSiteEnumAttribute(call, i + 1, noalias()) != NULL;
    return any;
}

int sl_pipe_take_originals(struct sl_pass *pass, LLVMValueRef kernel)
{
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            any |= LLVMIsACallInst(i) && sl_pipe_is_opaque(i) && allows_original(i);
    return any ? sl_pass_run_llvm(pass, kernel, "memcpyopt,dse") : 0;
}
