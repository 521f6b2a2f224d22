/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From compiled code to the slow path on x86-64. After a switch the processor's memory of return
 * addresses is that of another fiber: a `ret` would be mispredicted, an indirect jump is not. No
 * state.
 */
#include "fpga/ring.h"
#include "fpga/ring_entry.h"

#ifdef SL_RING_ENTRY_X86_64
#define UNUSED __attribute__((unused)) /* by C */

static_assert(offsetof(struct sl_context, sp) == 0, "known to sl_ring_slow");

/* The result of sl_ring_step() comes in rax (from) and rdx (to). What is saved is resumed like any
 * other context: by a jump to the address on top of the stack. */
__attribute__((naked)) int32_t sl_ring_slow(const struct sl_launch *launch UNUSED,
                                            struct sl_pipe_ring *ring UNUSED,
                                            const struct sl_pipe_site *site UNUSED,
                                            void *packet UNUSED)
{
    __asm__ volatile("subq $8, %rsp\n\t"
                     "call sl_ring_step\n\t"
                     "testq %rdx, %rdx\n\t"
                     "jne 1f\n\t"
                     "addq $8, %rsp\n\t"
                     "ret\n"
                     "1:\n\t"
                     "pushq %rbx\n\t"
                     "pushq %rbp\n\t"
                     "pushq %r12\n\t"
                     "pushq %r13\n\t"
                     "pushq %r14\n\t"
                     "pushq %r15\n\t"
                     "leaq 2f(%rip), %rcx\n\t"
                     "pushq %rcx\n\t"
                     "movq %rsp, (%rax)\n\t"
                     "movq (%rdx), %rsp\n\t"
                     "popq %rcx\n\t"
                     "jmp *%rcx\n"
                     "2:\n\t"
                     "popq %r15\n\t"
                     "popq %r14\n\t"
                     "popq %r13\n\t"
                     "popq %r12\n\t"
                     "popq %rbp\n\t"
                     "popq %rbx\n\t"
                     "addq $8, %rsp\n\t"
                     "xorl %eax, %eax\n\t"
                     "popq %rcx\n\t"
                     "jmp *%rcx");
}
#endif
