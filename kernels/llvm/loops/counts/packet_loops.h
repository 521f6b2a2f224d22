/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short loops that move packets, in a loop whose rounds are then always the same operations: once
 * they are unrolled, a clock hears of many of these rounds at once (kernels/pipes/batch.h).
 * Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_PACKET_LOOPS_H
#define SL_KERNELS_LLVM_PACKET_LOOPS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sl_packet_call { SL_CALL_MOVES_PACKET, SL_CALL_MARKS_LOOP, SL_CALL_OTHER };

struct sl_packet_loops {
    enum sl_packet_call (*kind)(void *data, LLVMValueRef call); /* intrinsics are not asked about */
    void *data;
    /* What a round may be once these loops are unrolled. */
    uint32_t most_packets, most_marks, most_instructions;
    uint32_t fewest_rounds; /* of the loop that stays: where it is known that there are fewer, loops
                               inside are left to those inside of them */
};

/*
 * Nests of loops of constant counts, around each packet that a round of the loop around them moves,
 * ask to be unrolled whatever LLVM thinks of their size, but not where the program has said
 * something about it. Of loops around each other the outermost one stays of which a round is no
 * more than said. All its packets are moved in each round, and it has no call of another kind.
 */
void sl_llvm_unroll_packet_loops(LLVMValueRef function, const struct sl_packet_loops *);

#ifdef __cplusplus
}
#endif
#endif
