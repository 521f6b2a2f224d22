/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long instructions take on the machine at hand: the cycles until a result is there, and those
 * between two that do not wait, as rows of kernels/model/machines.def or (--rows) of the file that
 * SLUICE_MACHINE names. Cycles are those of a chain of additions, which takes one for each. The
 * least of some samples counts; other work on the machine makes figures larger.
 */
#include <stdio.h>

#if defined(__x86_64__)

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { TURNS = 300, SAMPLES = 80, CHAIN = 24, REGISTERS = 48 };

#define N "\\r"
#define OF_ONE(code) ".irp r,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2\n" code "\n.endr\n"
#define OF_MANY(code) ".rept 4\n .irp r,2,3,4,5,6,7,8,9,10,11,12,13\n" code "\n .endr\n .endr\n"

static struct {
    int32_t zeros[1024], indices[64];
} memory __attribute__((aligned(64)));

#define CLEAR ".irp r,2,3,4,5,6,7,8,9,10,11,12,13\n vmovaps %%xmm1, %%xmm\\r\n .endr\n"
#define SET_UP                                                                                     \
    "vpxor %%xmm0, %%xmm0, %%xmm0\n movl $0x3f800000, %%eax\n vmovd %%eax, %%xmm1\n xorl %%eax, "  \
    "%%eax\n"
#define SET_UP_avx2 SET_UP "vpbroadcastd %%xmm1, %%ymm1\n" CLEAR
#define SET_UP_avx512f                                                                             \
    SET_UP "vpbroadcastd %%xmm1, %%zmm1\n" CLEAR                                                   \
           "vmovups 4096(%%rsi), %%zmm14\n vpmovzxdq %%ymm14, %%zmm15\n"                           \
           "kxnorw %%k7, %%k7, %%k7\n kxnorw %%k1, %%k1, %%k1\n"
#define SET_UP_avx512bw SET_UP_avx512f
#define SET_UP_avx512dq SET_UP_avx512f
#define SET_UP_avx512vl SET_UP_avx512f
#define SET_UP_avx512vnni SET_UP_avx512f

#define RUN(set_up, body)                                                                          \
    __asm__ volatile(set_up "movl %0, %%ecx\n .p2align 6\n 1:\n" body "decl %%ecx\n jnz 1b\n"      \
                     :                                                                             \
                     : "i"(TURNS), "S"(&memory)                                                    \
                     : "memory", "cc", "rax", "rcx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",       \
                       "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", \
                       "xmm14", "xmm15")

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds of so many cycles. */
static double time_cycles(void)
{
    double start = seconds();
    RUN(SET_UP_avx2, ".rept 64\n addq %%rax, %%rax\n .endr\n");
    return seconds() - start;
}

struct sample {
    double latency, each, cycle; /* least seconds so far */
};

static void keep_least(double *least, double now)
{
    *least = now < *least ? now : *least;
}

static bool as_rows;

/* `code` names the machine in rows of the table. */
static void print(const char *names, int bits, const struct sample *s, bool waits, bool begins)
{
    double cycle = s->cycle / (64.0 * TURNS);
    double latency = waits ? s->latency / (cycle * CHAIN * TURNS) : 0;
    double each = begins ? s->each / (cycle * REGISTERS * TURNS) : 0;
    if (as_rows)
        for (const char *at = names; *at; at += strspn(at, " ")) {
            int length = (int)strcspn(at, " ");
            printf("%-16.*s %3d %6.1f %6.2f\n", length, at, bits, latency, each);
            at += length;
        }
    else
        printf("SL_ROW(THIS, \"%s\", %d, %.0f, %.0f, 0, NULL)\n", names, bits, latency, each * 100);
    fflush(stdout);
}

/* Seconds of one run; the last statement of each row's code. */
#define SECONDS(to, set_up, body)                                                                  \
    do {                                                                                           \
        double start = seconds();                                                                  \
        RUN(set_up, body);                                                                         \
        keep_least(&(to), seconds() - start);                                                      \
    } while (0)

#define TIME(names, bits, needs, latency_code, each_code)                                          \
    if (__builtin_cpu_supports(#needs)) {                                                          \
        struct sample s = {1e9, 1e9, 1e9};                                                         \
        for (int i = 0; i < SAMPLES; i++) {                                                        \
            SECONDS(s.latency, SET_UP_##needs, OF_ONE(latency_code));                              \
            SECONDS(s.each, SET_UP_##needs, OF_MANY(each_code));                                   \
            keep_least(&s.cycle, time_cycles());                                                   \
        }                                                                                          \
        print(names, bits, &s, *latency_code, *each_code);                                         \
    }

static void time_all(void)
{
#include "instructions.def"
}

int main(int argc, char **argv)
{
    as_rows = argc > 1 && !strcmp(argv[1], "--rows");
    if (!__builtin_cpu_supports("avx2")) {
        fputs("this machine has no AVX2, for which the code of the table is\n", stderr);
        return 1;
    }
    for (int i = 0; i < 64; i++)
        memory.indices[i] = i;
    if (as_rows)
        puts("# names          bits  latency cycles between two");
    time_all();
    return 0;
}

#else

int main(void)
{
    fputs("the code of the table is for x86-64\n", stderr);
    return 1;
}

#endif
