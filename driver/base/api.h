/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prototypes of all entry points, sl_cl*, from the one list in icd/api.def. Files that define entry
 * points include this header. The types are cl_icd.h's; the newest ones, which the distribution's
 * headers lack, are declared here in the same manner. Extension functions without a slot have the
 * types of their prototypes in CL/cl_ext.h and CL/cl_ext_sluice.h, or those that end in _t there.
 */
#ifndef SL_DRIVER_BASE_API_H
#define SL_DRIVER_BASE_API_H

#include <CL/cl.h>
#include <CL/cl_ext_sluice.h>
#include <CL/cl_icd.h>

typedef cl_int(CL_API_CALL *cl_api_clGetKernelSuggestedLocalWorkSize)(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* we implement those too */
#define SL_API(name) extern __typeof__(*(cl_api_##name)0) sl_##name;
#define SL_API_TAG(name) SL_API(name)
#define SL_API_NONE(name) SL_API(name)
#define SL_API_VOID(name, absent)
#define SL_API_EXT(name) extern __typeof__(name) sl_##name;
#define SL_API_EXT_T(name) extern name##_sluice_t sl_##name;
#include "../icd/api.def"
#undef SL_API
#undef SL_API_TAG
#undef SL_API_NONE
#undef SL_API_VOID
#undef SL_API_EXT
#undef SL_API_EXT_T
#pragma GCC diagnostic pop

#endif
