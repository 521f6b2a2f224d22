/* SPDX-License-Identifier: Apache-2.0 */
/* The table of levels, and which one this machine has. */
#include "sluice/base/level.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What Ice Lake and Zen 4 brought beyond x86-64-v4, and all that came since has. */
#define AVX512ICL                                                                                  \
    "+avx512bitalg,+avx512ifma,+avx512vbmi,+avx512vbmi2,+avx512vnni,+avx512vpopcntdq,+gfni,"       \
    "+vpclmulqdq"

/* What Zen 4, Cooper Lake and Sapphire Rapids have besides. */
#define AVX512BF16 AVX512ICL ",+avx512bf16"
/* Sapphire Rapids. */
#define AVX512AMX AVX512BF16 ",+amx-tile,+amx-int8,+amx-bf16"

enum { AMX, BF16, ICL, AVX512, AVX2, SSE4_2, LEVEL_COUNT };

static const struct sl_level levels[LEVEL_COUNT] = {
    [AMX] = {"avx512amx", "x86_64:avx512amx", "x86-64-v4", AVX512AMX, "avx512", 64},
    [BF16] = {"avx512bf16", "x86_64:avx512bf16", "x86-64-v4", AVX512BF16, "avx512", 64},
    [ICL] = {"avx512icl", "x86_64:avx512icl", "x86-64-v4", AVX512ICL, "avx512", 64},
    [AVX512] = {"avx512", "x86_64:avx512", "x86-64-v4", "", "avx512", 64},
    [AVX2] = {"avx2", "x86_64:avx2", "x86-64-v3", "", "avx2", 32},
    [SSE4_2] = {"sse4.2", "x86_64:sse4.2", "x86-64-v2", "", "sse4.2", 16},
};

const struct sl_level *sl_level_at(unsigned i)
{
    return i < LEVEL_COUNT ? &levels[i] : NULL;
}

const struct sl_level *sl_level_find(const char *name)
{
    for (unsigned i = 0; i < LEVEL_COUNT; i++)
        if (!strcmp(name, levels[i].name) || !strcmp(name, levels[i].target))
            return &levels[i];
    return NULL;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool has_avx2(void)
{
    unsigned a, b, c, d;
    /* F16C is part of the level and has no name in __builtin_cpu_supports of gcc 12 */
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static bool has_icl(void)
{
    return __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512ifma") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("gfni") && __builtin_cpu_supports("vpclmulqdq");
}

static bool has_bf16(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 5);
}

/* Tiles are state that Linux has to know, and that a process asks for when it first uses them. */
static bool has_amx(void)
{
    const unsigned bf16 = 1u << 22, tile = 1u << 24, int8 = 1u << 25;
    const unsigned long get_supported = 0x1021, tile_state = 3ul << 17;
    unsigned a, b, c, d;
    unsigned long states = 0;
    bool has = __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
               (d & (bf16 | tile | int8)) == (bf16 | tile | int8);
    return has && !syscall(SYS_arch_prctl, get_supported, &states) &&
           (states & tile_state) == tile_state;
}

const struct sl_level *sl_level_host(void)
{
    __builtin_cpu_init();
    bool avx2 = has_avx2(), avx512 = avx2 && has_avx512(), icl = avx512 && has_icl();
    bool bf16 = icl && has_bf16(), amx = bf16 && has_amx();
    return &levels[amx ? AMX : bf16 ? BF16 : icl ? ICL : avx512 ? AVX512 : avx2 ? AVX2 : SSE4_2];
}
#else
const struct sl_level *sl_level_host(void)
{
    return &levels[SSE4_2];
}
#endif
