/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction-set levels. No state, no lock. */
#include "common/machine/isa.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct level {
    const char *name, *target, *cpu, *features;
    uint32_t vector_bytes;
    bool (*present)(void);
};

#if defined(__x86_64__)
#include <cpuid.h>

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static bool has_avx2(void)
{
    unsigned a, b, c, d;
    /* F16C is part of the level and has no name in __builtin_cpu_supports of gcc 12 */
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

static bool always(void)
{
    return true;
}

static const struct level levels[] = {
    {"avx512", "x86_64:avx512", "x86-64-v4", "", 64, has_avx512},
    {"avx2", "x86_64:avx2", "x86-64-v3", "", 32, has_avx2},
    {"sse4.2", "x86_64:sse4.2", "x86-64-v2", "", 16, always},
};
#define SL_LEVELS "sse4.2, avx2 or avx512"

void sl_isa_processor_name(char *out, size_t cap)
{
    unsigned brand[13] = {0};
    const char *at = "x86-64 processor";
    if (__get_cpuid_max(0x80000000u, NULL) >= 0x80000004u) {
        for (unsigned i = 0; i < 3; i++)
            __get_cpuid(0x80000002u + i, &brand[4 * i], &brand[4 * i + 1], &brand[4 * i + 2],
                        &brand[4 * i + 3]);
        at = (const char *)brand;
    }
    while (*at == ' ')
        at++;
    snprintf(out, cap, "%s", at);
    for (size_t end = strlen(out); end && out[end - 1] == ' '; end--)
        out[end - 1] = '\0';
}
#else
static bool always(void)
{
    return true;
}

static const struct level levels[] = {
    {"generic", "aarch64:generic", "generic", "", 16, always},
};
#define SL_LEVELS "generic"

void sl_isa_processor_name(char *out, size_t cap)
{
    snprintf(out, cap, "64-bit processor");
}
#endif

static const struct level *choose(const char *wanted)
{
    const struct level *best = NULL;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (!levels[i].present())
            continue;
        if (wanted && !strcmp(wanted, levels[i].name))
            return &levels[i];
        if (!best)
            best = &levels[i];
    }
    return best;
}

const char *sl_isa_complaint(const char *wanted)
{
    for (size_t i = 0; wanted && *wanted && i < sizeof levels / sizeof *levels; i++)
        if (!strcmp(wanted, levels[i].name))
            return levels[i].present() ? NULL : "a level that this machine has";
    return wanted && *wanted ? SL_LEVELS : NULL;
}

void sl_isa_caps(struct sl_device_caps *caps, const char *wanted)
{
    const struct level *level = choose(wanted);
    static const uint32_t elem_bytes[SL_WIDTH_COUNT] = {1, 2, 4, 8, 2, 4, 8};
    caps->target = level->target;
    caps->cpu = level->cpu;
    caps->cpu_features = level->features;
    for (int i = 0; i < SL_WIDTH_COUNT; i++) {
        uint32_t lanes = level->vector_bytes / elem_bytes[i];
        caps->native_width[i] = lanes < 16 ? lanes : 16;
        /* work-items are vectorised by the compiler: scalar code is what it likes best */
        caps->preferred_width[i] = 1;
    }
    caps->preferred_group_multiple = level->vector_bytes / sizeof(float) * 2;
}
