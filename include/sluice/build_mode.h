/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_BUILD: when kernels get their code. The driver asks for it, the compiler does it. */
#ifndef SLUICE_BUILD_MODE_H
#define SLUICE_BUILD_MODE_H

#include <strings.h>

enum sl_build_mode {
    SL_MODE_WHOLE,
    SL_MODE_AUTO,
    SL_MODE_ON_DEMAND,
    SL_MODE_QUICK,
    SL_MODE_SWING, /* for tests: launches of a kernel of a design run quick and best code in turns
                    */
};

/* The words, in the order of the modes. */
#define SL_BUILD_MODE_WORDS {"whole", "auto", "on-demand", "quick", "swing"}

/* NULL and what is none of the words: whole, as a compiler that is asked for nothing else. */
static inline enum sl_build_mode sl_build_mode_of(const char *word)
{
    static const char *const words[] = SL_BUILD_MODE_WORDS;
    for (int mode = SL_MODE_WHOLE; word && mode <= SL_MODE_SWING; mode++)
        if (!strcasecmp(word, words[mode]))
            return (enum sl_build_mode)mode;
    return SL_MODE_WHOLE;
}

/* What the driver asks for where the environment says so: what is none of the words is its default,
 * auto. */
static inline const char *sl_build_mode_meant(const char *word)
{
    return sl_build_mode_of(word) == SL_MODE_WHOLE && strcasecmp(word, "whole") ? "auto" : word;
}

#endif
