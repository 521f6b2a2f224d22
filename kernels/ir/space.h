/* SPDX-License-Identifier: Apache-2.0 */
/* The address spaces of pointers as clang numbers them for spir64, until all of them become one. */
#ifndef SL_KERNELS_SPACE_H
#define SL_KERNELS_SPACE_H

#include <stdbool.h>

enum sl_space {
    SL_SPACE_PRIVATE,
    SL_SPACE_GLOBAL,
    SL_SPACE_CONSTANT,
    SL_SPACE_LOCAL,
    SL_SPACE_GENERIC,
    /* Parts of global memory that a program may name (opencl_global_device, opencl_global_host). */
    SL_SPACE_GLOBAL_DEVICE,
    SL_SPACE_GLOBAL_HOST,
};

static inline bool sl_space_is_global(unsigned space)
{
    return space == SL_SPACE_GLOBAL || space == SL_SPACE_GLOBAL_DEVICE ||
           space == SL_SPACE_GLOBAL_HOST;
}

#endif
