/* SPDX-License-Identifier: Apache-2.0 */
/* cl_ext_sluice.h behind Khronos headers that have other ideas of command-buffers than those of
 * today: what is named like theirs must not clash with ours, nor be taken for it. Only compiled. */
#include <CL/cl_ext.h>

/* As some versions have them: a macro of a version, and types of functions that take less. */
#ifndef CL_KHR_COMMAND_BUFFER_MUTABLE_DISPATCH_EXTENSION_VERSION
#define CL_KHR_COMMAND_BUFFER_MUTABLE_DISPATCH_EXTENSION_VERSION CL_MAKE_VERSION(0, 9, 1)
#ifdef CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR
typedef cl_int CL_API_CALL clUpdateMutableCommandsKHR_t(cl_command_buffer_khr,
                                                        const cl_mutable_base_config_khr *);
#endif
#endif

#include <CL/cl_ext_sluice.h>
#include <stddef.h>

_Static_assert(!offsetof(cl_mutable_dispatch_config_sluice, command), "an update starts with this");
_Static_assert(offsetof(cl_mutable_dispatch_config_sluice, local_work_size) ==
                   6 * sizeof(void *) + 4 * sizeof(cl_uint),
               "and ends with that");
_Static_assert(CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE == 0, "of version 0.9.5");
_Static_assert(CL_COMMAND_BUFFER_STATE_FINALIZED_KHR == 2 &&
                   CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR == 0x129A,
               "names that headers of in between lack");

/* The types are there. */
extern clFinalizeCommandBufferKHR_sluice_t *finalize_unused;
extern clUpdateMutableCommandsKHR_sluice_t *update_unused;
