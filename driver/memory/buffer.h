/* SPDX-License-Identifier: Apache-2.0 */
/* cl_mem: buffers, sub-buffers, (image.h) images and (pipe.h) pipes share one struct. Spec 5.2
 * - 5.5. */
#ifndef SL_DRIVER_MEMORY_BUFFER_H
#define SL_DRIVER_MEMORY_BUFFER_H

#include <pthread.h>
#include <stdint.h>

#include "base/object/object.h"
#include "memory/external.h"
#include "sluice/device.h"

struct _cl_mem {
    struct sl_object obj;
    cl_context context; /* held */
    cl_mem parent;      /* held: of a sub-buffer, or the buffer of an image; else NULL */
    cl_mem_object_type type;
    cl_mem_flags flags;  /* as given, with inherited flags; 0 became CL_MEM_READ_WRITE */
    size_t size, origin; /* bytes; origin within `memory` */
    void *host_ptr;      /* as given with CL_MEM_USE_HOST_PTR (sub-buffers: parent's + origin) */
    cl_mem_properties *properties; /* owned; clCreateBufferWithProperties */
    cl_uint property_count;
    struct sl_device *home; /* the device that owns `memory` (in-tree devices share host memory) */
    struct sl_memory *memory;         /* owned unless parent */
    struct sl_file_mapping *external; /* a reference; NULL: it has no external handle */
    unsigned char
        *host;        /* host address of byte 0, sub-buffer origin included; never NULL in-tree */
    cl_bool uses_svm; /* host_ptr was shared virtual memory of the context */
    struct sl_image image;    /* images only: what kernels see */
    cl_image_format format;   /* images only */
    cl_image_desc desc;       /* images only, pitches filled in */
    struct sl_mem_pipe *pipe; /* owned; pipes only: pipe.h */
    bool lock_ready;          /* false in half-built objects */
    pthread_mutex_t lock;     /* guards what follows */
    struct sl_mapping *maps;  /* map.h */
    cl_uint map_count;
    struct sl_destructor *destructors; /* newest first */
};
extern const struct sl_type sl_mem_type;

/* Validated arguments; places the memory, copies host_ptr for CL_MEM_COPY_HOST_PTR. */
cl_int sl_buffer_create(cl_context, cl_mem_flags, size_t size, void *host_ptr, cl_mem *out);
/* A memory object without memory yet; NULL when memory is out. */
cl_mem sl_mem_new(cl_context, cl_mem_flags, size_t size);
/* Part of a buffer or sub-buffer as an object of its own, which holds it; checks the flags against
 * the parent's (CL_INVALID_VALUE). The part has been found to lie inside. */
cl_int sl_mem_view(cl_mem parent, cl_mem_flags, size_t origin, size_t size, cl_mem *out);
/* `host_ptr` (NULL: none) has room for so many bytes: CL_INVALID_HOST_PTR. */
cl_int sl_check_host_size(const void *host_ptr, size_t size);
/* Flag rules of 5.2.1 that buffers and images share: CL_INVALID_VALUE, then CL_INVALID_HOST_PTR. */
cl_int sl_check_mem_flags(cl_context, cl_mem_flags, const void *host_ptr);
/* CL_INVALID_VALUE: an object with storage of its own would be immutable without any contents. */
cl_int sl_check_contents(cl_mem_flags);
/* CL_INVALID_OPERATION: what shall be written to is immutable (cl_ext_immutable_memory_objects). */
cl_int sl_check_mutable(cl_mem);

/* CL_MEM_OBJECT_ALLOCATION_FAILURE: another device's memory without a host address, which `impl`
 * cannot get at. NULL is fine. */
cl_int sl_check_reach(cl_mem, const struct sl_device *impl);
/* A byte of the object (that it reaches) for a command on `impl`: memory of another device is named
 * by its address.
 */
struct sl_place sl_mem_place(cl_mem, const struct sl_device *impl, size_t offset);

/* A buffer or sub-buffer of the context: CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT. */
cl_int sl_check_buffer(cl_context, cl_mem);
/* CL_MISALIGNED_SUB_BUFFER_OFFSET for the device. */
cl_int sl_check_alignment(cl_device_id, cl_mem);

#endif
