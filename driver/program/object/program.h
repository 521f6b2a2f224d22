/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_program: source, SPIR-V or binaries, and one build per device. Spec 5.8.
 * lock guards builds[], constants, kernel_count, building and design_claimed; while `building`, the
 * builds in progress belong to the thread that builds, which may read their binaries without the
 * lock.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_PROGRAM_H
#define SL_DRIVER_PROGRAM_OBJECT_PROGRAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/object/object.h"
#include "sluice/build.h"
#include "sluice/device.h"

struct sl_code_ref { /* a loaded module, shared by the kernels of a build; counted */
    atomic_uint refs;
    struct sl_device *device;
    struct sl_code *code;
    const struct sl_module_info *info;
    struct sl_host_ends *_Atomic ends; /* owned; host_end.h */
    struct sl_demand *demand;          /* owned; demand.h. NULL: all kernels have their code */
    /* Outlives this one, borrowed: the code whose pipes this one uses; NULL: its own, if any. */
    struct sl_code_ref *first;
};
/* Loads an executable's container; the device's error or CL_INVALID_BINARY with *why a static text.
 */
cl_int sl_code_load(struct sl_device *, const unsigned char *container, size_t bytes,
                    struct sl_code_ref **, const char **why) __attribute__((warn_unused_result));
/* The same of other code of a program that is loaded. The program's pipes, if it has any, stay
 * those of `first`; a device that cannot do that loads nothing. */
cl_int sl_code_load_other(struct sl_code_ref *first, const unsigned char *container, size_t bytes,
                          struct sl_code_ref **, const char **why)
    __attribute__((warn_unused_result));
/* Which code has the pipes that kernels of this one use. */
static inline struct sl_code_ref *sl_code_of_pipes(struct sl_code_ref *ref)
{
    return ref->first ? ref->first : ref;
}
struct sl_code_ref *sl_code_hold(struct sl_code_ref *);
void sl_code_drop(struct sl_code_ref *); /* NULL is a no-op */

struct sl_kernel_device {              /* a kernel on one device of its program */
    cl_device_id device;               /* borrowed from program */
    struct sl_code_ref *code;          /* counted */
    const struct sl_kernel_info *info; /* in code */
    uint32_t index;                    /* into sl_module_info.kernels */
};

struct sl_build { /* of one device */
    cl_build_status status;
    cl_program_binary_type binary_type;
    char *options, *log; /* owned; NULL is "" */
    /* Owned: a container (module.h), or a SPIR-V module (CL_PROGRAM_BINARY_TYPE_INTERMEDIATE). */
    unsigned char *binary;
    size_t binary_bytes;
    size_t shell_bytes; /* 0, or of `binary` the executable without code: the rest lies behind */
    /* What is made of the rest is kept on disk, for whoever loads the binary too: so it is given as
     * it is. Said once, for its size does not change between two queries. */
    bool stays_divided;
    struct sl_code_ref *code; /* counted; executables only */
};
void sl_build_finish(struct sl_build *); /* frees what it owns; zeroed is fine */

enum sl_program_origin { SL_FROM_SOURCE, SL_FROM_IL, SL_FROM_BINARY, SL_FROM_LINK };

struct sl_spec_constants {         /* values for them, each id once, in the order of the ids */
    struct sl_spec_constant *rows; /* owned */
    size_t count;
};

struct _cl_program {
    struct sl_object obj;
    cl_context context; /* held */
    cl_uint device_count;
    cl_device_id *devices; /* owned array, held */
    enum sl_program_origin origin;
    char *source; /* owned; NULL when not made from source */
    size_t source_bytes;
    unsigned char *il; /* owned; NULL when not made from SPIR-V */
    size_t il_bytes;
    pthread_mutex_t lock;
    struct sl_spec_constants constants; /* for the next build */
    struct sl_build *builds;            /* owned, device_count */
    cl_uint kernel_count;               /* kernel objects attached */
    bool building;
    bool design_claimed;         /* a thread builds it because it creates the first kernel */
    pthread_cond_t design_built; /* with lock: that has ended */
};
extern const struct sl_type sl_program_type;

/* A program without source or builds; NULL when memory is out. */
cl_program sl_program_new(cl_context, cl_uint device_count, const cl_device_id *,
                          enum sl_program_origin);
/* Of an entry point's list: CL_INVALID_VALUE, CL_INVALID_DEVICE. */
cl_int sl_program_check_devices(cl_context, cl_uint count, const cl_device_id *);
/* The index of a device in program->devices, or -1. */
int sl_program_index(cl_program, cl_device_id);
/* The code on a device, counted; NULL: there is no executable for it. */
struct sl_code_ref *sl_program_code(cl_program, cl_device_id);
/* The same for a command queue of that context and device. CL_INVALID_CONTEXT: it is not the
 * program's; CL_INVALID_PROGRAM_EXECUTABLE. */
cl_int sl_program_code_for(cl_program, cl_context, cl_device_id, struct sl_code_ref **);
/* The same for an entry point that was given both: CL_INVALID_PROGRAM, CL_INVALID_DEVICE,
 * CL_INVALID_PROGRAM_EXECUTABLE. */
cl_int sl_program_code_on(cl_program, cl_device_id, struct sl_code_ref **);
/* The binaries become complete, but for those that stay divided: code on demand is made. No lock
 * may be held. */
cl_int sl_program_complete(cl_program);
/* The code of the first device with a finished executable, counted; NULL: there is none. */
struct sl_code_ref *sl_program_any_code(cl_program);

#endif
