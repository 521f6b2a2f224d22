/* SPDX-License-Identifier: Apache-2.0 */
/* The switch for machines without one of their own, by the C library: correct, slow (a system call
 * each way). No state, no lock. */
#include "fpga/base/context.h"

#if !defined(__x86_64__) || defined(SL_FIBER_PORTABLE)
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

struct first_frame {
    ucontext_t state;
    void (*entry)(void *);
    void *arg;
};

/* makecontext() passes ints only. */
static void enter(unsigned high, unsigned low)
{
    struct first_frame *frame = (struct first_frame *)((uintptr_t)high << 32 | low);
    frame->entry(frame->arg);
    abort();
}

void sl_context_init(struct sl_context *context, void *low, void *top, void (*entry)(void *),
                     void *arg)
{
    uintptr_t at = ((uintptr_t)top - sizeof(struct first_frame)) & ~(uintptr_t)63;
    struct first_frame *frame = (struct first_frame *)at;
    *frame = (struct first_frame){.entry = entry, .arg = arg};
    getcontext(&frame->state);
    frame->state.uc_stack.ss_sp = low;
    frame->state.uc_stack.ss_size = at - (uintptr_t)low;
    makecontext(&frame->state, (void (*)(void))enter, 2, (unsigned)((uint64_t)at >> 32),
                (unsigned)at);
    context->sp = &frame->state;
    sl_shadow_init(&context->shadow, low, top);
}

void sl_context_finish(struct sl_context *context)
{
    sl_shadow_finish(&context->shadow);
}

void sl_context_jump(struct sl_context *from, const struct sl_context *to)
{
    ucontext_t here;
    from->sp = &here;
    swapcontext(&here, to->sp);
}
#endif
