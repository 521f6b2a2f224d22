/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in C++ for OpenCL, and what their tests do with them. No state; helpers end the case
 * when they fail. */
#ifndef SLUICE_TEST_CXX_HELP_H
#define SLUICE_TEST_CXX_HELP_H

#include "cl_help.h"

/* Options; the third is the first for OpenCL 3.0. */
enum { CXX_VERSIONS = 4 };
extern const char *const cxx_versions[CXX_VERSIONS];

/* Leaves a case that does not apply to the device. */
void cxx_need(void);
int cxx_has_feature(const char *name);
/* The version that has variables at program scope: devices without them have them in the one that
 * is for OpenCL 2. */
const char *cxx_with_globals(void);

typedef cl_int (*cxx_item_fn)(const cl_int *in, size_t i, size_t items);
/* kernel void k(global const int *in, global int *out), item by item as `want` says. */
void cxx_compare(cl_kernel kernel, cxx_item_fn want);
/* The same in all versions. */
void cxx_compare_source(const char *source, cxx_item_fn want);

/* `header` and its `name` may be NULL. */
cl_program cxx_compiled(const char *source, const char *options, cl_program header,
                        const char *name);
cl_program cxx_linked(cl_uint count, const cl_program *parts);
/* Not built yet. */
cl_program cxx_from_binary(cl_program program);
/* What one item of `kernel void name(global int *out)` writes. */
void cxx_ints_of(cl_program program, const char *name, cl_int *out, size_t count);

#endif
