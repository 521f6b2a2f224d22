/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code on demand: an executable whose tables are complete, but whose kernels get their code when
 * they are launched for the first time, one by one or all at once, from the compiler or the disk
 * cache (SLUICE_BUILD). Most have quick code from the beginning (SL_KERNEL_QUICK), with which they
 * run until so much work comes that better code pays. Others have code for all launches but those
 * of odd sizes (SL_KERNEL_IN_STEP), and get a second one for these. Any thread; no lock may be
 * held, since the compiler is called.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_DEMAND_H
#define SL_DRIVER_PROGRAM_OBJECT_DEMAND_H

#include "program/object/program.h"

struct sl_demand;

/* For kernels of an executable for `caps`: `rest` is the container behind it, of which a copy is
 * kept. NULL when memory is out. */
struct sl_demand *sl_demand_create(const struct sl_device_caps *caps, const unsigned char *rest,
                                   size_t rest_bytes, const struct sl_module_info *);
void sl_demand_destroy(struct sl_demand *); /* NULL is a no-op */

/* The complete executable, if the disk cache has it, or with `make` the compiler makes it: owned.
 */
bool sl_demand_find_whole(const struct sl_device_caps *caps, const unsigned char *rest,
                          size_t rest_bytes, bool make, unsigned char **container, size_t *bytes);

struct sl_demand_launch {
    uint64_t items;
    const size_t *offset, *global, *local; /* three each, borrowed; `local` ones: it will suit */
    const unsigned char *values; /* the block of arguments, borrowed; zeros where none was set */
};
/*
 * Which code a launch runs: `picked` is the kernel in that code, whose `info`
 * says what the launch needs, borrowed for as long as `on`. False: it must be made first, which
 * takes a while. True always, unless the executable was made without it.
 */
bool sl_demand_pick(const struct sl_kernel_device *on, const struct sl_demand_launch *,
                    struct sl_kernel_device *picked);
/*
 * The same, and makes it. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, or
 * CL_INVALID_PROGRAM_EXECUTABLE when it cannot be made and there is no quick code either. The
 * context's callback is told whatever the launch does then; the next one tries again.
 */
cl_int sl_demand_get(const struct sl_kernel_device *on, const struct sl_demand_launch *, cl_context,
                     struct sl_kernel_device *picked) __attribute__((warn_unused_result));
/* The picked code runs the launch: quick code does so for a while only. */
void sl_demand_launched(const struct sl_kernel_device *picked, const struct sl_demand_launch *);
/* The complete executable's container: an owned copy. */
cl_int sl_demand_container(struct sl_code_ref *, cl_context, unsigned char **, size_t *bytes)
    __attribute__((warn_unused_result));

#endif
