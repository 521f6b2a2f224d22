/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of sub-groups share: which sub-group an item belongs to, and a launch of three
 * groups. Helpers end the case when they fail.
 */
#ifndef SLUICE_TEST_SUB_GROUP_HELP_H
#define SLUICE_TEST_SUB_GROUP_HELP_H

#define CL_ENABLE_BETA_EXTENSIONS
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <stddef.h>

enum { MOST_ITEMS = 300, MOST_SIZE = 128, OPTIONS = 3, GROUP_SIZES = 6 };
/* Of a build: OpenCL C 3.0, with relaxed math, without optimisation. */
extern const char *const options[OPTIONS];
/* Items of a group; three groups run. */
extern const size_t group_sizes[GROUP_SIZES];

/* Skips the case where the device has no sub-groups, or not the extension; NULL: any will do. */
void need(const char *extension);

/* Of one group: the items of a sub-group are `size` neighbours. */
struct part {
    size_t first, count;
};
struct part part_of(size_t item, size_t group, size_t size);

/* The size of the kernel's largest sub-group in groups of that size. */
size_t largest_size(cl_kernel kernel, size_t group);

/* Runs three groups of `group` items: x[i] in, `per_item` answers of each out. */
void run_three(cl_kernel kernel, const cl_long *x, size_t group, size_t per_item, cl_long *out);

extern cl_long inputs[MOST_ITEMS], outputs[MOST_ITEMS * 16];
void fill_inputs(void);

#endif
