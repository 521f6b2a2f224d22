/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch at the end of the slow path on x86-64: straight back into compiled code. After a
 * switch the processor's memory of return addresses is that of another fiber: a `ret` would be
 * mispredicted, an indirect jump is not. No state.
 */
#include "fpga/ring/ring_leave_x86_64.h"

#include <assert.h>

#include "fpga/ring/ring_leave.h"

#ifdef SL_RING_LEAVE_X86_64
#define UNUSED __attribute__((unused)) /* by C */

static_assert(offsetof(struct sl_context, sp) == 0, "known to sl_ring_leave");

/* What is saved is resumed like any other context: by a jump to the address on top of the stack. */
__attribute__((naked)) int32_t sl_ring_leave(struct sl_context *from UNUSED,
                                             struct sl_context *to UNUSED)
{
    __asm__ volatile("pushq %rbx\n\t"
                     "pushq %rbp\n\t"
                     "pushq %r12\n\t"
                     "pushq %r13\n\t"
                     "pushq %r14\n\t"
                     "pushq %r15\n\t"
                     "leaq 1f(%rip), %rcx\n\t"
                     "pushq %rcx\n\t"
                     "movq %rsp, (%rdi)\n\t"
                     "movq (%rsi), %rsp\n\t"
                     "popq %rcx\n\t"
                     "jmp *%rcx\n"
                     "1:\n\t"
                     "popq %r15\n\t"
                     "popq %r14\n\t"
                     "popq %r13\n\t"
                     "popq %r12\n\t"
                     "popq %rbp\n\t"
                     "popq %rbx\n\t"
                     "xorl %eax, %eax\n\t"
                     "popq %rcx\n\t"
                     "jmp *%rcx");
}
#endif
