/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the OpenCL headers that devices report or return; devices do not include those
 * headers. */
#ifndef SL_DEVICES_VALUES_H
#define SL_DEVICES_VALUES_H

/* error codes */
enum {
    SL_MEM_ALLOCATION_FAILURE = -4,
    SL_OUT_OF_RESOURCES = -5,
    SL_OUT_OF_HOST_MEMORY = -6,
    SL_EXEC_STATUS_ERROR = -14, /* ..._FOR_EVENTS_IN_WAIT_LIST */
    SL_INVALID_VALUE = -30,
    SL_INVALID_BINARY = -42,
    SL_INVALID_OPERATION = -59,
};

/* Beyond 16 bits: not a PCI vendor; ours until Khronos assigns one. */
enum { SL_VENDOR_ID = 0x10FA5 };

/* CL_DEVICE_TYPE_* */
enum { SL_TYPE_CPU = 1 << 1, SL_TYPE_GPU = 1 << 2, SL_TYPE_ACCELERATOR = 1 << 3 };

/* cl_device_fp_config */
enum {
    SL_FP_DENORM = 1 << 0,
    SL_FP_INF_NAN = 1 << 1,
    SL_FP_NEAREST = 1 << 2,
    SL_FP_ZERO = 1 << 3,
    SL_FP_INF = 1 << 4,
    SL_FP_FMA = 1 << 5,
};

enum { SL_LOCAL_IS_GLOBAL_MEMORY = 2 }; /* cl_device_local_mem_type: CL_GLOBAL */
enum { SL_CACHE_READ_WRITE = 2 };       /* cl_device_mem_cache_type: CL_READ_WRITE_CACHE */

#endif
