/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction-set levels. No state, no lock. */
#include "common/machine/isa.h"

#include <stdio.h>
#include <string.h>

#include "sluice/base/level.h"
#include "sluice/base/target.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* NULL: this machine has not got it. */
static const struct sl_level *present(const char *wanted)
{
    const struct sl_level *host = sl_level_host(), *level = sl_level_find(wanted);
    return level && sl_target_suits(level->target, host->target) ? level : NULL;
}

static const struct sl_level *choose(const char *wanted)
{
    const struct sl_level *level = wanted ? present(wanted) : NULL;
    return level ? level : sl_level_host();
}

const char *sl_isa_complaint(const char *wanted)
{
    if (!wanted || !*wanted || present(wanted))
        return NULL;
    return sl_level_find(wanted) ? "a level that this machine has" : SL_LEVEL_NAMES;
}

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
static const struct sl_level *choose(const char *wanted)
{
    static const struct sl_level generic = {.name = "generic",
                                            .target = "aarch64:generic",
                                            .cpu = "generic",
                                            .features = "",
                                            .vector_bytes = 16};
    (void)wanted;
    return &generic;
}

const char *sl_isa_complaint(const char *wanted)
{
    return wanted && *wanted && strcmp(wanted, "generic") ? "generic" : NULL;
}

void sl_isa_processor_name(char *out, size_t cap)
{
    snprintf(out, cap, "64-bit processor");
}
#endif

void sl_isa_caps(struct sl_device_caps *caps, const char *wanted)
{
    const struct sl_level *level = choose(wanted);
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
