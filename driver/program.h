/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_program: source or binaries, and one build per device. Spec 5.8.
 * lock guards builds[], kernel_count and building.
 */
#ifndef SL_DRIVER_PROGRAM_H
#define SL_DRIVER_PROGRAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "object.h"
#include "sluice/device.h"

struct sl_code_ref { /* a loaded module, shared by the kernels of a build; counted */
    atomic_uint refs;
    struct sl_device *device;
    struct sl_code *code;
    const struct sl_module_info *info;
};
struct sl_code_ref *sl_code_hold(struct sl_code_ref *);
void sl_code_drop(struct sl_code_ref *);

struct sl_build { /* of one device */
    cl_build_status status;
    cl_program_binary_type binary_type;
    char *options, *log;      /* owned */
    unsigned char *binary;    /* owned: a container (module.h) */
    size_t binary_bytes;
    struct sl_code_ref *code; /* counted; executables only */
};

struct _cl_program {
    struct sl_object obj;
    cl_context context;    /* held */
    cl_uint device_count;
    cl_device_id *devices; /* owned array, held */
    char *source;          /* owned; NULL when made from binaries */
    pthread_mutex_t lock;
    struct sl_build *builds; /* owned, device_count */
    cl_uint kernel_count;    /* kernel objects attached */
    bool building;
};
extern const struct sl_type sl_program_type;

#endif
