/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel whose arguments are pointers into shared memory, or buffers, and what it computes. */
#ifndef POINTER_SUMS_H
#define POINTER_SUMS_H

#include "cl_help.h"

static const char *const sum_source = "kernel void sum(constant int *a, global const int *b,\n"
                                      "                global int *c)\n"
                                      "{\n"
                                      "    int i = get_global_id(0);\n"
                                      "    c[i] = a[i] * 3 + (b ? b[i] : 1000);\n"
                                      "}\n";

static inline void check_sums(const int *c, const int *a, const int *b, int count)
{
    for (int i = 0; i < count; i++)
        REQUIRE(c[i] == a[i] * 3 + (b ? b[i] : 1000));
}

#endif
