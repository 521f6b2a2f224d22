/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of barriers have in common: kernels of one input, one output, local memory and a
 * number. */
#pragma once

#include "cl_help.h"

static const size_t local_sizes[] = {1, 2, 3, 5, 8, 13, 16, 31, 32, 64};

enum { GROUPS = 4, MOST = 64 * GROUPS };

/* A kernel's beginning: `s` is an int of local memory for each item and one more. */
#define HEAD                                                                                       \
    "kernel void k(global int *in, global int *out, local int *s, int n)\n{\n"                     \
    "    int l = get_local_id(0), L = get_local_size(0), g = get_global_id(0);\n"

/* Data in, results out; one int for each item. */
void run(const char *source, size_t global, size_t local, const cl_int *in, cl_int *out, cl_int n);

/* Numbers below 1000. */
void fill(cl_int in[MOST]);
