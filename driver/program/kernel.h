/* SPDX-License-Identifier: Apache-2.0 */
/* cl_kernel: a name in a program's modules and the arguments set so far. Spec 5.9. */
#ifndef SL_DRIVER_PROGRAM_KERNEL_H
#define SL_DRIVER_PROGRAM_KERNEL_H

#include <pthread.h>
#include <stdint.h>

#include "base/object/object.h"
#include "program/object/program.h"

struct sl_arg { /* one argument as set; objects are not held (the spec leaves that to the
                   application) */
    bool set;
    cl_mem mem;          /* SL_ARG_GLOBAL, CONSTANT, IMAGE: NULL is a NULL pointer */
    unsigned generation; /* of mem or queue: a released handle that means another object now is no
                            argument */
    cl_sampler sampler;
    struct sl_queue_on_device *queue;
    const void *svm;    /* clSetKernelArgSVMPointer, clSetKernelArgMemPointerINTEL */
    size_t local_bytes; /* SL_ARG_LOCAL */
};

struct _cl_kernel {
    struct sl_object obj;
    cl_program program;                /* held */
    const struct sl_kernel_info *info; /* of the first device: name, args (equal on all devices) */
    cl_uint device_count;
    struct sl_kernel_device *on; /* owned */
    atomic_bool attached;        /* counted in program->kernel_count */
    pthread_mutex_t lock;        /* guards what follows */
    struct sl_arg *args;         /* owned, info->arg_count */
    unsigned char *block;        /* owned, info->args_bytes: values at their offsets */
    /* What it uses without an argument (kernel_exec_info.c): kinds of allocations (users.h), and
     * memory by pointers. */
    unsigned indirect;
    void **pointers; /* owned */
    size_t pointers_bytes;
};
extern const struct sl_type sl_kernel_type;

/* Not a further copy of an autorun kernel nor one of a block: those have no name of their own. */
bool sl_kernel_is_visible(const struct sl_kernel_info *);
/* How many kernels of a module the application sees. */
uint32_t sl_kernel_count(const struct sl_module_info *);

/* A kernel with the same arguments that the application does not know of: it does not keep its
 * program from being built. Ended with sl_discard. CL_OUT_OF_HOST_MEMORY. */
cl_int sl_kernel_clone(cl_kernel, cl_kernel *out);

/* The kernel on a device; NULL: its program has no executable there. */
const struct sl_kernel_device *sl_kernel_on(cl_kernel, cl_device_id);
/* The same; a device of NULL stands for the only one. */
const struct sl_kernel_device *sl_kernel_on_or_only(cl_kernel, cl_device_id);
/* The largest work-group of the kernel on a device. */
size_t sl_kernel_group_limit(const struct sl_kernel_device *);

#endif
