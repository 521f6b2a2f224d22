/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The execution context of a stack that is not running: fibers and the threads that run them. A
 * switch saves only what the calling convention does not: the compiler is told that all registers
 * are lost. Stack bounds and sanitizers' own state travel along in sanitizer builds.
 */
#ifndef SL_FPGA_CONTEXT_H
#define SL_FPGA_CONTEXT_H

#include <stddef.h>

#include "fpga/base/shadow.h"

struct sl_context {
    void *sp; /* where the rest was saved */
    struct sl_shadow shadow;
};

/* A context that begins with entry(arg) on the stack below `top`; entry never returns. */
void sl_context_init(struct sl_context *, void *low, void *top, void (*entry)(void *), void *arg);
void sl_context_finish(struct sl_context *);

#if defined(__x86_64__) && !defined(SL_FIBER_PORTABLE)
#include "fpga/base/context_x86_64.h"
#else
void sl_context_jump(struct sl_context *from, const struct sl_context *to);
#endif

static inline void sl_context_switch(struct sl_context *from, struct sl_context *to)
{
    sl_shadow_leave(&from->shadow, &to->shadow);
    sl_context_jump(from, to);
    sl_shadow_arrive(&from->shadow);
}

/* Leaves for good. */
static inline void sl_context_end(struct sl_context *from, struct sl_context *to)
{
    sl_shadow_end(&to->shadow);
    sl_context_jump(from, to);
}

#endif
