/* SPDX-License-Identifier: Apache-2.0 */
/* The table of bad calls: one row per entry point and error code, walked by errors_test.c. The rows
 * are in errors_*.def; what they need lies in the bed. */
#ifndef SLUICE_TEST_ERRORS_H
#define SLUICE_TEST_ERRORS_H

#include "cl_help.h"

#include "commands/command_buffer_help.h"
#include "memory/unified_svm_help.h"
#include "memory/usm_help.h"

#include <CL/cl_ext_sluice.h>
#include <stdbool.h>

/* What a row answers that does not apply to this device or library. */
enum { ERRORS_ABSENT = 0x7fffffff };

enum error_kind { BAD, HANDLE, QUERY, WAITS, WAITS_BLOCKING, POINTS, UNPROVOKED };
struct error_row {
    const char *entry;
    enum error_kind kind;
    cl_int code;
    cl_uint good; /* QUERY: a name that is known */
    union {
        cl_int (*call)(void);
        cl_int (*handle)(void *);
        cl_int (*query)(cl_uint, size_t, void *);
        cl_int (*waits)(cl_uint, const cl_event *);
        cl_int (*points)(cl_uint, const cl_sync_point_khr *);
        const char *reason;
    } u;
    const char *text;
};
extern const struct error_row error_rows[];
extern const size_t error_row_count;

struct error_bed {
    cl_device_id other; /* of the platform, not in the context under test; may be NULL */
    cl_context away;    /* a second context of the same device, with one of each */
    cl_command_queue away_queue;
    cl_mem away_buffer, away_image;
    cl_sampler away_sampler;
    cl_program away_program;
    cl_kernel away_kernel;
    cl_event away_event;

    cl_context both;             /* of both devices; all four are NULL without another one */
    cl_command_queue both_queue; /* on the device under test */
    cl_kernel elsewhere;         /* built for the other device only */
    cl_program differs;          /* its kernel has another signature on each device */

    cl_command_queue plain; /* no profiling */
    cl_mem buffer, part, reads, writes, silent;
    cl_mem image, image_reads, image_writes, image_silent, image_ints, image_solid;
    cl_sampler sampler;
    cl_program raw, built, broken, object;
    cl_kernel
        kernel;      /* (global int *, read_only image2d_t, sampler_t, local int *, int), all set */
    cl_kernel unset; /* the same with nothing set */
    cl_kernel queue_kernel; /* has an argument for a queue on the device; NULL: there are none */
    cl_kernel exact;        /* work-groups of 4 by attribute, no arguments */
    cl_kernel nameless;     /* built without argument information */
    cl_event done, failed;  /* user events */
    cl_event ran, timed;    /* of commands; the second one with times */
    char *svm;              /* NULL without shared virtual memory */
    char *usm_at;           /* 256 bytes, shared; NULL without unified shared memory */
    char *usvm_at;          /* 256 bytes, the device's; NULL without cl_khr_unified_svm */
    /* Command-buffers and commands of the last one; NULL where there are none, like all up to
     * `fixed`. One has a command whose arguments are not set. */
    cl_command_buffer_khr recording, finalized, incomplete, mutable;
    cl_command_buffer_khr pair, pair_ready; /* on the queue under test and `plain` */
    cl_command_queue caller;                /* who enqueues runs; NULL: there is no such queue */
    cl_mutable_command_khr command, fixed;  /* everything, nothing of it may be updated */
    cl_mutable_command_khr other_command;   /* of another one */
    unsigned char *binary;                  /* owned */
    size_t binary_bytes;

    clGetKernelSuggestedLocalWorkSize_fn suggest;
    clSetKernelArgDevicePointerEXT_sluice_t *set_pointer;
    cl_semaphore_khr exportable; /* NULL: there are none */
    clGetSemaphoreHandleForTypeKHR_fn semaphore_handle;
    cl_mem external; /* NULL: there are none */
    clEnqueueAcquireExternalMemObjectsKHR_fn acquire_external;
    clEnqueueReleaseExternalMemObjectsKHR_fn release_external;
    clGetDeviceCooperativeMatrixInfoKHR_sluice_t *matrix_info; /* NULL without the extension */
    cl_semaphore_khr semaphore;                                /* NULL: there are none */
    clCreateSemaphoreWithPropertiesKHR_fn create_semaphore;
    clEnqueueWaitSemaphoresKHR_fn wait_semaphores;
    clEnqueueSignalSemaphoresKHR_fn signal_semaphores;
    clGetSemaphoreInfoKHR_fn semaphore_info;
    clRetainSemaphoreKHR_fn retain_semaphore;
    clReleaseSemaphoreKHR_fn release_semaphore;
    clCreateBufferWithPropertiesINTEL_fn create_buffer;
    clCreateProgramWithILKHR_fn create_il;
    cl_program il;        /* NULL on devices that take no SPIR-V */
    cl_program variables; /* NULL without cl_intel_global_variable_access */
    clEnqueueNativeCommandSLUICE_fn native_command; /* NULL: another library */
    clCompleteNativeCommandSLUICE_fn complete_native;
    clEnqueueReadGlobalVariableINTEL_fn read_variable;
    clEnqueueWriteGlobalVariableINTEL_fn write_variable;
    clGetDeviceGlobalVariablePointerINTEL_fn variable_address;
    clGetDeviceFunctionPointerINTEL_fn function_address;
    cl_program pipe_program;        /* NULL without host pipes, like all below */
    cl_kernel pipe_kernel, endless; /* the second one is autorun */
    cl_mem pipe, pipe_in, pipe_out;
    clReadPipeIntelFPGA_fn read_pipe;
    clWritePipeIntelFPGA_fn write_pipe;
    clMapHostPipeIntelFPGA_fn map_pipe;
    clUnmapHostPipeIntelFPGA_fn unmap_pipe;
    clGetProfileDataDeviceIntelFPGA_fn profile_data, profile_data_altera;
    clResetKernelsIntelFPGA_fn reset_kernels;
    clEnqueueReadHostPipeINTEL_fn read_symbol;
    clEnqueueWriteHostPipeINTEL_fn write_symbol;
    clGetProgramPipeInfoSLUICE_fn pipe_info;
    clMapProgramPipeSLUICE_fn map_symbol;
    clUnmapProgramPipeSLUICE_fn unmap_symbol;
};
extern struct error_bed bed;

bool bed_has_images(void);
void bed_open(void);
void bed_close(void);
/* A case of its own, on an open bed (errors_names.c). */
void errors_ask_all_names(void);
/* Rows about images and samplers, by their text, only where there are some. */
bool errors_row_applies(const struct error_row *);
/* A released handle of the kind whose code this is; NULL when there is none to be had. */
void *bed_released(cl_int code);
#endif
