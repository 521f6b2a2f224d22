/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With a clock each packet costs a call outside of batches (batch.h), and LLVM unrolls no more than
 * the innermost of loops around a few packets, so that no loop's rounds are as batches want them.
 * No shared state.
 */
#include "pipes/pipe.h"

#include "sluice/module.h"
#include "llvm/loops/counts/packet_loops.h"

enum {
    MOST_INSTRUCTIONS = 640, /* as in a batch */
    FEWEST_ROUNDS = 8,       /* the first ones of a batch are not ahead of the clock */
};

static enum sl_packet_call kind_of(void *data, LLVMValueRef call)
{
    const struct sl_pass *pass = data;
    if (sl_pipe_is_loop_mark(call))
        return SL_CALL_MARKS_LOOP;
    if (!sl_pipe_has_place(call))
        return SL_CALL_OTHER;
    const struct sl_pipe_place *place = &pass->pipes->places[sl_pipe_place_of(call)];
    return place->operation->form == SL_PIPE_FORM_PACKET && place->blocking ? SL_CALL_MOVES_PACKET
                                                                            : SL_CALL_OTHER;
}

void sl_pipe_unroll_packet_loops(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    const struct sl_packet_loops wishes = {
        .kind = kind_of,
        .data = pass,
        .most_packets = SL_PIPE_MOST_STEPS,
        .most_marks = SL_PIPE_MOST_TOLD,
        .most_instructions = MOST_INSTRUCTIONS,
        .fewest_rounds = FEWEST_ROUNDS,
    };
    if (kernel->flags & SL_KERNEL_USES_PIPES && sl_pipe_is_timed(pass->module))
        sl_llvm_unroll_packet_loops(kernel->kernel, &wishes);
}
