/* SPDX-License-Identifier: Apache-2.0 */
/* The first frame of a stack on x86-64. No state, no lock. */
#include "fpga/base/context.h"

#if defined(__x86_64__) && !defined(SL_FIBER_PORTABLE)
#include <stdint.h>

/* What sl_context_jump() jumps to first: the argument and the function lie on the stack. The return
 * address 0 ends a debugger's walk. */
__attribute__((naked)) static void enter(void)
{
    __asm__ volatile("popq %rdi\n\t"
                     "popq %rax\n\t"
                     "xorl %ebp, %ebp\n\t"
                     "pushq $0\n\t"
                     "jmp *%rax");
}

void sl_context_init(struct sl_context *context, void *low, void *top, void (*entry)(void *),
                     void *arg)
{
    uintptr_t *sp = (uintptr_t *)((uintptr_t)top & ~(uintptr_t)15) - 4;
    sp[1] = (uintptr_t)enter;
    sp[2] = (uintptr_t)arg;
    sp[3] = (uintptr_t)entry;
    context->sp = sp + 1;
    sl_shadow_init(&context->shadow, low, top);
}

void sl_context_finish(struct sl_context *context)
{
    sl_shadow_finish(&context->shadow);
}
#endif
