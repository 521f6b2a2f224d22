/* SPDX-License-Identifier: Apache-2.0 */
/* Work of a length that is asked for, as kernels and as the test do it. */
#ifndef SLUICE_TEST_WORK_H
#define SLUICE_TEST_WORK_H

#include "cl_help.h"

#define WORK                                                                                       \
    "uint work(uint x, uint rounds)\n"                                                             \
    "{\n"                                                                                          \
    "    for (uint i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u ^ x >> 7;\n"             \
    "    return x;\n"                                                                              \
    "}\n"

static inline cl_uint work(cl_uint x, cl_uint rounds)
{
    for (cl_uint i = 0; i < rounds; i++)
        x = (x * 1664525u + 1013904223u) ^ x >> 7;
    return x;
}
#endif
