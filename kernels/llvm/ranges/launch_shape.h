/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a kernel's launches before there is one. */
#ifndef SL_KERNELS_LLVM_LAUNCH_SHAPE_H
#define SL_KERNELS_LLVM_LAUNCH_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

struct sl_launch_shape {
    uint32_t local_size[3]; /* items of a group at most; 0: not known */
    bool one_group[3];      /* there is one group in this dimension, and no offset */
    bool whole_groups;      /* each group has exactly local_size */
};

#endif
