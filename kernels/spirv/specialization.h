/* SPDX-License-Identifier: Apache-2.0 */
/* A value for a specialization constant, as clSetProgramSpecializationConstant takes it. */
#ifndef SL_KERNELS_SPIRV_SPECIALIZATION_H
#define SL_KERNELS_SPIRV_SPECIALIZATION_H

#include <stddef.h>
#include <stdint.h>

struct sl_spirv_specialization {
    uint32_t id;       /* of the decoration SpecId; the last of several values for one id counts */
    const void *value; /* little endian; of a Boolean one byte, 0 is false */
    size_t bytes;      /* as many as the constant has */
};

#endif
