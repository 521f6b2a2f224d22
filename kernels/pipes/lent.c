/* SPDX-License-Identifier: Apache-2.0 */
/* Code of a program whose pipes lie in other code of it, see sluice/pipe.h. No shared state. */
#include "pipes/pipe.h"

#include "ir/memory.h"
#include "sluice/module.h"
#include "llvm/pipes/lent_variables.h"
#include <stddef.h>

bool sl_pipe_may_be_lent(const struct sl_pipe_design *design)
{
    bool plain = true;
    for (uint32_t i = 0; i < design->place_count && plain; i++) {
        const struct sl_pipe_place *place = &design->places[i];
        plain = place->blocking && !place->claims && place->operation->form == SL_PIPE_FORM_PACKET;
    }
    return plain && !design->other_count;
}

void sl_pipe_take_from_launch(struct sl_pass *pass, LLVMValueRef function, LLVMValueRef launch)
{
    const struct sl_pipe_design *design = pass->pipes;
    const struct {
        LLVMValueRef variable;
        size_t offset;
    } lent[] = {
        {design->rings, offsetof(struct sl_pipe_memory, rings)},
        {design->slots, offsetof(struct sl_pipe_memory, slots)},
    };
    struct sl_emit e;
    if (!design->rings)
        return;
    sl_emit_init(&e, pass->context);
    sl_emit_at_entry(&e, function);
    LLVMValueRef memory =
        sl_emit_load_field(&e, e.ptr, launch, offsetof(struct sl_launch, pipes), "pipes");
    for (size_t i = 0; i < sizeof lent / sizeof *lent; i++) {
        LLVMValueRef at = sl_emit_load_field(&e, e.ptr, memory, lent[i].offset, "");
        sl_llvm_lend_variable(function, lent[i].variable, at);
    }
    sl_emit_finish(&e);
}
