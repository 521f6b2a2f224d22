/* SPDX-License-Identifier: Apache-2.0 */
/* cl_sampler. Spec 5.7. */
#ifndef SL_DRIVER_MEMORY_SAMPLER_H
#define SL_DRIVER_MEMORY_SAMPLER_H

#include "base/object/object.h"

struct _cl_sampler {
    struct sl_object obj;
    cl_context context; /* held */
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties *properties; /* owned; clCreateSamplerWithProperties */
    cl_uint property_count;
    uint32_t bits; /* SL_SAMPLER_* of module.h */
};
extern const struct sl_type sl_sampler_type;

#endif
