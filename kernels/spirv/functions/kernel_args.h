/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata of a kernel's arguments, for clGetKernelArgInfo. */
#ifndef SL_KERNELS_SPIRV_KERNEL_ARGS_H
#define SL_KERNELS_SPIRV_KERNEL_ARGS_H

#include "spirv/module/module.h"

/* `id`: of the kernel's OpFunction. 0, or -1: failed. */
int sl_spirv_describe_arguments(struct sl_spirv *, uint32_t id);

#endif
