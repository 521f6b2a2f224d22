/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compiler is asked for when code is made on demand: a container with the best code of one
 * kernel, or of all, of a program that was kept for later (SL_BUILD_FINISH). Any thread; an order
 * belongs to one.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_DEMAND_REQUEST_H
#define SL_DRIVER_PROGRAM_OBJECT_DEMAND_REQUEST_H

#include "program/compiler/compiler.h"
#include "sluice/base/hash.h"
#include "sluice/device.h"

struct sl_order {
    const struct sl_device_caps *caps; /* all borrowed */
    const unsigned char *rest;         /* a container, SL_BINARY_REST */
    size_t rest_bytes;
    const char *kernel; /* NULL: all */
    bool all_forms;     /* of that kernel (SL_KERNEL_IN_STEP); of all there always are all */
    struct sl_hash key; /* in the cache: of the rest's header, in which is its checksum */
    bool key_known;
    bool made;                /* by the compiler, just now */
    unsigned char *container; /* owned; NULL: not there yet */
    size_t bytes;
    char why[SL_COMPILER_WHY]; /* the reason of a failure */
};

void sl_order_init(struct sl_order *, const struct sl_device_caps *, const unsigned char *rest,
                   size_t rest_bytes, const char *kernel, bool all_forms);
void sl_order_finish(struct sl_order *);
/* Is it in the disk cache? Then it is here. */
bool sl_order_find(struct sl_order *);
/* From the compiler: CL_OUT_OF_HOST_MEMORY, or CL_INVALID_PROGRAM_EXECUTABLE after `why` is set. */
cl_int sl_order_make(struct sl_order *) __attribute__((warn_unused_result));
/* From the cache, or the compiler: of several threads that want the same at the same time one gets
 * it for all. */
cl_int sl_order_get(struct sl_order *) __attribute__((warn_unused_result));
/* Into the cache, if the compiler made it. */
void sl_order_store(const struct sl_order *);

#endif
