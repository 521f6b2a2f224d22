/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch on x86-64, inline so that the compiler saves only what is live. It resumes by an
 * indirect jump: a `ret` would be mispredicted every time. rbx and rbp are saved by hand, as not
 * every build may name them as lost; the red zone is stepped over.
 */
#ifndef SL_FPGA_CONTEXT_X86_64_H
#define SL_FPGA_CONTEXT_X86_64_H

#ifdef __AVX512F__
#define SL_WIDE_REGISTERS                                                                          \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",  \
        "k7"
#else
#define SL_WIDE_REGISTERS
#endif

static inline __attribute__((always_inline)) void sl_context_jump(struct sl_context *from,
                                                                  const struct sl_context *to)
{
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                     "pushq %%rbp\n\t"
                     "pushq %%rbx\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "movq %%rsp, (%0)\n\t"
                     "movq (%1), %%rsp\n\t"
                     "popq %%rax\n\t"
                     "jmp *%%rax\n"
                     "1:\n\t"
                     "popq %%rbx\n\t"
                     "popq %%rbp\n\t"
                     "leaq 128(%%rsp), %%rsp"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15" SL_WIDE_REGISTERS, "memory", "cc");
}

#endif
