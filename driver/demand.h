/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code on demand: an executable whose tables are complete, but whose kernels get their code when
 * they are launched for the first time, one by one or all at once, from the compiler or the disk
 * cache (SLUICE_BUILD). Any thread; no lock may be held, since the compiler is called.
 */
#ifndef SL_DRIVER_DEMAND_H
#define SL_DRIVER_DEMAND_H

#include "program.h"

struct sl_demand;

/* For kernels of an executable for `caps`: `rest` is the container behind it, of which a copy is
 * kept. NULL when memory is out. */
struct sl_demand *sl_demand_create(const struct sl_device_caps *caps, const unsigned char *rest,
                                   size_t rest_bytes, uint32_t kernel_count);
void sl_demand_destroy(struct sl_demand *); /* NULL is a no-op */

/* The complete executable, if the disk cache has it: owned. */
bool sl_demand_find_whole(const struct sl_device_caps *caps, const unsigned char *rest,
                          size_t rest_bytes, unsigned char **container, size_t *bytes);

/* The kernel has its code; always, unless its executable was made without. */
bool sl_demand_ready(const struct sl_code_ref *, uint32_t kernel);
/*
 * Sees to it that a kernel has its code. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, or
 * CL_INVALID_PROGRAM_EXECUTABLE when it cannot be made, which the context's callback is told; the
 * next launch tries again.
 */
cl_int sl_demand_kernel(struct sl_code_ref *, uint32_t kernel, cl_context)
    __attribute__((warn_unused_result));
/* What a launch of a ready kernel runs, for as long as the reference: the code, and which of its
 * kernels. */
struct sl_code *sl_demand_code(const struct sl_code_ref *, uint32_t kernel, uint32_t *index);
/* All kernels are going to be launched: together they are made faster. */
void sl_demand_expect_all(struct sl_code_ref *);
/* The complete executable's container: an owned copy. */
cl_int sl_demand_container(struct sl_code_ref *, cl_context, unsigned char **, size_t *bytes)
    __attribute__((warn_unused_result));

#endif
