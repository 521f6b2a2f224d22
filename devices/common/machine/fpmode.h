/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floating-point mode kernels are compiled for: round to nearest, no traps, denormals kept or,
 * for SL_KERNEL_FLUSH_DENORMALS, flushed. Threads of the application may run kernels and get their
 * own mode back afterwards.
 */
#ifndef SL_DEVICES_FPMODE_H
#define SL_DEVICES_FPMODE_H

#include <stdint.h>

#if defined(__x86_64__)
static inline uint64_t sl_fpmode_enter(void)
{
    uint32_t before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(0x1f80);
    return before;
}

/* Until leave: operands and results that are denormal count as zero. */
static inline void sl_fpmode_flush(void)
{
    __builtin_ia32_ldmxcsr(0x1f80 | 1u << 15 | 1u << 6);
}

static inline void sl_fpmode_leave(uint64_t before)
{
    __builtin_ia32_ldmxcsr((uint32_t)before);
}
#elif defined(__aarch64__)
static inline uint64_t sl_fpmode_enter(void)
{
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr\n\tmsr fpcr, xzr" : "=r"(before)::"memory");
    return before;
}

static inline void sl_fpmode_flush(void)
{
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)1 << 24) : "memory");
}

static inline void sl_fpmode_leave(uint64_t before)
{
    __asm__ volatile("msr fpcr, %0" ::"r"(before) : "memory");
}
#else
#error "say here how the floating-point mode is saved and reset"
#endif

#endif
