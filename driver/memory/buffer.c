/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory objects: life and queries of all of them, creation of buffers and sub-buffers. mem->lock
 * guards the destructor callbacks. Spec 5.2.1, 5.5.
 */
#include "memory/buffer.h"
#include "base/thread/fork.h"

#include <CL/cl_ext.h>
#include <string.h>

#include "base/api.h"
#include "base/config/config.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/object/callback_thread.h"
#include "base/query/info.h"
#include "base/rect.h"
#include "base/thread/graph_walk.h"
#include "memory/file_mapping.h"
#include "memory/map.h"
#include "memory/mem_properties.h"
#include "memory/pipe.h"
#include "memory/svm.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/platform.h"

enum { SMALL_ALIGN = 128, PAGE_ALIGN = 4096, LARGE_BYTES = 64 * 1024 };

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
static const cl_mem_flags host_flags =
    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
static const cl_mem_flags pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/* ---- the end of a memory object -------------------------------------------------------------- */

struct remains { /* of an object whose application callbacks have yet to be called */
    struct sl_callback_task task;
    cl_mem handle; /* dead: only its value is passed on */
    struct sl_destructor *destructors;
    struct sl_device *home;
    struct sl_memory *memory;
    struct sl_file_mapping *external;
    struct sl_mem_pipe *pipe;
    cl_mem parent;
    cl_context context;
};

typedef void(CL_CALLBACK *mem_callback)(cl_mem, void *);

/* Callbacks first: they say that the memory is not used any more, newest first. */
static void end_remains(struct remains *r)
{
    while (r->destructors) {
        struct sl_destructor *d = r->destructors;
        r->destructors = d->next;
        ((mem_callback)d->call)(r->handle, d->user_data);
        sl_free(d);
    }
    if (r->memory && !r->parent)
        r->home->ops->memory_destroy(r->memory);
    sl_file_mapping_put(r->external);
    sl_mem_pipe_destroy(r->pipe);
    sl_drop(r->parent);
    sl_drop(r->context);
}

static void run_remains(void *data)
{
    end_remains(data);
    sl_free(data);
}

static void mem_destroy(struct sl_object *object)
{
    cl_mem mem = (cl_mem)object;
    sl_map_forget_all(mem);
    sl_free(mem->properties);
    if (mem->lock_ready)
        pthread_mutex_destroy(&mem->lock);
    struct remains r = {.handle = mem,
                        .destructors = mem->destructors,
                        .home = mem->home,
                        .memory = mem->memory,
                        .external = mem->external,
                        .pipe = mem->pipe,
                        .parent = mem->parent,
                        .context = mem->context};
    /* The application expects to be told before clReleaseMemObject returns, where that is possible;
     * on a device's thread it must not run. */
    struct remains *later = r.destructors && sl_inside_graph() ? sl_alloc(sizeof *later) : NULL;
    if (!later) {
        end_remains(&r);
        return;
    }
    *later = r;
    later->task = (struct sl_callback_task){.run = run_remains, .data = later};
    sl_callback_post_task(&later->task);
}

static struct sl_object_pool mem_pool = SL_OBJECT_POOL;
const struct sl_type sl_mem_type = {.name = "memory object",
                                    .invalid = CL_INVALID_MEM_OBJECT,
                                    .size = sizeof(struct _cl_mem),
                                    .destroy = mem_destroy,
                                    .pool = &mem_pool,
                                    .parent = true};

cl_int sl_clRetainMemObject(cl_mem mem)
{
    return sl_retain(mem, &sl_mem_type);
}

cl_int sl_clReleaseMemObject(cl_mem mem)
{
    return sl_release(mem, &sl_mem_type);
}

cl_int sl_clSetMemObjectDestructorCallback(cl_mem mem, void(CL_CALLBACK *notify)(cl_mem, void *),
                                           void *user_data)
{
    if (!sl_valid(mem, &sl_mem_type))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not a valid memory object");
    if (!notify)
        return sl_refuse(CL_INVALID_VALUE, "no function");
    cl_int rc = sl_callback_start(); /* so that it cannot fail when it is needed */
    if (rc)
        return rc;
    struct sl_destructor *d = sl_alloc(sizeof *d);
    if (!d)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
    d->call = (void (*)(void))notify;
    d->user_data = user_data;
    pthread_mutex_lock(&mem->lock);
    d->next = mem->destructors;
    mem->destructors = d;
    pthread_mutex_unlock(&mem->lock);
    return CL_SUCCESS;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool several(cl_mem_flags bits)
{
    return bits & (bits - 1);
}

static cl_int check_flags(cl_context context, cl_mem_flags flags)
{
    const cl_mem_flags writers = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
    if (flags & ~(access_flags | host_flags | pointer_flags | CL_MEM_IMMUTABLE_EXT |
                  sl_mem_bank_flags(context)))
        return sl_refuse(CL_INVALID_VALUE, "unknown flags 0x%llx", (unsigned long long)flags);
    if (several(flags & access_flags) || several(flags & host_flags) ||
        ((flags & CL_MEM_IMMUTABLE_EXT) && (flags & writers)) ||
        ((flags & CL_MEM_USE_HOST_PTR) && several(flags & pointer_flags)))
        return sl_refuse(CL_INVALID_VALUE, "flags 0x%llx exclude each other",
                         (unsigned long long)flags);
    return CL_SUCCESS;
}

cl_int sl_check_contents(cl_mem_flags flags)
{
    if ((flags & CL_MEM_IMMUTABLE_EXT) && !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return sl_refuse(CL_INVALID_VALUE, "an immutable object without contents");
    return CL_SUCCESS;
}

cl_int sl_check_mutable(cl_mem mem)
{
    if (mem->flags & CL_MEM_IMMUTABLE_EXT)
        return sl_refuse(CL_INVALID_OPERATION, "nothing writes to an immutable object");
    return CL_SUCCESS;
}

static cl_int check_host_ptr(cl_mem_flags flags, const void *host_ptr)
{
    if (!host_ptr != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return sl_refuse(CL_INVALID_HOST_PTR, "%s (flags 0x%llx)",
                         host_ptr ? "a host pointer without CL_MEM_USE_HOST_PTR or "
                                    "CL_MEM_COPY_HOST_PTR"
                                  : "CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR without a host "
                                    "pointer",
                         (unsigned long long)flags);
    return CL_SUCCESS;
}

cl_int sl_check_mem_flags(cl_context context, cl_mem_flags flags, const void *host_ptr)
{
    cl_int rc = check_flags(context, flags);
    return rc ? rc : check_host_ptr(flags, host_ptr);
}

cl_int sl_check_host_size(const void *host_ptr, size_t size)
{
    if (host_ptr && !sl_addresses_fit(host_ptr, size))
        return sl_refuse(CL_INVALID_HOST_PTR, "%zu bytes at %p end beyond all memory", size,
                         host_ptr);
    return CL_SUCCESS;
}

static cl_int check_size(cl_context context, size_t size)
{
    uint64_t most = 0;
    for (cl_uint i = 0; size && i < context->device_count; i++) {
        uint64_t bytes = sl_caps(context->devices[i])->max_alloc_bytes;
        if (size <= bytes)
            return CL_SUCCESS;
        most = bytes > most ? bytes : most;
    }
    if (!size)
        return sl_refuse(CL_INVALID_BUFFER_SIZE, "a buffer of 0 bytes");
    return sl_refuse(CL_INVALID_BUFFER_SIZE,
                     "%zu bytes: CL_DEVICE_MAX_MEM_ALLOC_SIZE is %llu at most", size,
                     (unsigned long long)most);
}

static cl_int check_svm_size(cl_context context, const void *host_ptr, size_t size)
{
    size_t left = sl_svm_bytes_from(context, host_ptr);
    if (left && size > left)
        return sl_refuse(CL_INVALID_BUFFER_SIZE, "%zu bytes of the allocation's %zu", size, left);
    return CL_SUCCESS;
}

cl_int sl_check_buffer(cl_context context, cl_mem mem)
{
    if (!sl_valid(mem, &sl_mem_type) || mem->type != CL_MEM_OBJECT_BUFFER)
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not a valid buffer");
    if (mem->context != context)
        return sl_refuse(CL_INVALID_CONTEXT, "the buffer belongs to another context");
    return CL_SUCCESS;
}

static bool aligned_for(cl_device_id device, size_t origin)
{
    return !(origin % (sl_caps(device)->mem_base_align_bits / 8));
}

cl_int sl_check_alignment(cl_device_id device, cl_mem mem)
{
    if (mem->parent && !aligned_for(device, mem->origin))
        return sl_refuse(CL_MISALIGNED_SUB_BUFFER_OFFSET, "sub-buffer at %zu", mem->origin);
    return CL_SUCCESS;
}

cl_int sl_check_reach(cl_mem mem, const struct sl_device *impl)
{
    if (mem && mem->home != impl && !mem->host)
        return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the memory is on another device");
    return CL_SUCCESS;
}

struct sl_place sl_mem_place(cl_mem mem, const struct sl_device *impl, size_t offset)
{
    if (mem->home != impl)
        return (struct sl_place){NULL, (uintptr_t)mem->host + offset};
    return (struct sl_place){mem->memory, mem->origin + offset};
}

/* ---- buffers --------------------------------------------------------------------------------- */

cl_mem sl_mem_new(cl_context context, cl_mem_flags flags, size_t size)
{
    cl_mem mem = sl_object_new(&sl_mem_type);
    if (!mem)
        return NULL;
    pthread_mutex_init(&mem->lock, NULL);
    mem->lock_ready = true;
    mem->context = sl_hold(context);
    mem->type = CL_MEM_OBJECT_BUFFER;
    mem->flags = flags ? flags : CL_MEM_READ_WRITE; /* queries give back what was given */
    mem->size = size;
    return mem;
}

/* A board copies what CL_MEM_USE_HOST_PTR names, and there are hosts that count on it: what they
 * free or change behind the creation does not reach the kernels (SLUICE_FPGA_HOST_PTR). */
static bool is_copied(const struct sl_device *home, const void *host_ptr, cl_mem mem)
{
    return home->caps.features & SL_FEATURE_DATAFLOW && mem->flags & CL_MEM_USE_HOST_PTR &&
           !strcmp(sl_config(SL_CONFIG_FPGA_HOST_PTR), "copy") &&
           !sl_svm_bytes_from(mem->context, host_ptr);
}

static cl_int place(cl_mem mem, void *host_ptr)
{
    struct sl_device *home = mem->context->devices[0]->root->impl;
    bool copied = is_copied(home, host_ptr, mem);
    bool filled = copied || mem->flags & CL_MEM_COPY_HOST_PTR;
    /* The host's own memory has pages of its own: it may go to calls that want whole ones. */
    bool pages = mem->flags & CL_MEM_ALLOC_HOST_PTR && mem->size >= LARGE_BYTES;
    struct sl_memory_desc desc = {
        .size_bytes = mem->size, .align_bytes = pages ? PAGE_ALIGN : SMALL_ALIGN, .filled = filled};
    if (mem->flags & CL_MEM_USE_HOST_PTR) {
        mem->host_ptr = host_ptr;
        desc.host_ptr = copied ? NULL : host_ptr;
        mem->uses_svm = sl_svm_bytes_from(mem->context, host_ptr) ? CL_TRUE : CL_FALSE;
    }
    if (home->ops->memory_create(home, &desc, &mem->memory))
        return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the device has no %zu bytes",
                         mem->size);
    mem->home = home;
    mem->host = home->ops->memory_host(mem->memory);
    if (!filled)
        return CL_SUCCESS;
    if (!mem->host)
        return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the memory cannot be filled here");
    memcpy(mem->host, host_ptr, mem->size);
    return CL_SUCCESS;
}

cl_int sl_buffer_create(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                        cl_mem *out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_mem mem = sl_mem_new(context, flags, size);
    if (!mem)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a buffer");
    cl_int rc = place(mem, host_ptr);
    if (rc) {
        sl_discard(mem);
        return rc;
    }
    *out = mem;
    return CL_SUCCESS;
}

/* `unknown`: see sl_mem_properties_check. */
static cl_int create_buffer(cl_context context, const cl_mem_properties *properties, cl_int unknown,
                            cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *out)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    cl_int rc = sl_mem_properties_check(context, SL_MEM_BUFFER, properties, unknown);
    if (!rc)
        rc = sl_mem_unpack_pointer(context, &flags, &host_ptr);
    if (!rc)
        rc = sl_external_check(context, properties, flags);
    if (!rc)
        rc = check_flags(context, flags);
    if (!rc && !sl_external_named(properties))
        rc = sl_check_contents(flags);
    if (!rc)
        rc = sl_mem_bank_check(flags, properties);
    if (!rc)
        rc = check_size(context, size);
    if (!rc)
        rc = check_host_ptr(flags, host_ptr);
    if (!rc)
        rc = sl_check_host_size(host_ptr, size);
    if (!rc && (flags & CL_MEM_USE_HOST_PTR))
        rc = check_svm_size(context, host_ptr, size);
    if (!rc && sl_external_named(properties))
        rc = sl_external_import(context, properties, flags, size, CL_INVALID_BUFFER_SIZE, out);
    else if (!rc)
        rc = sl_buffer_create(context, flags, size, host_ptr, out);
    if (rc)
        return rc;
    rc = sl_mem_properties_keep(*out, properties);
    if (!rc) {
        sl_external_take(properties);
        return rc;
    }
    sl_discard(*out);
    *out = NULL;
    return rc;
}

cl_mem sl_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                         cl_int *errcode_ret)
{
    return sl_clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

cl_mem sl_clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                       cl_mem_flags flags, size_t size, void *host_ptr,
                                       cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    cl_int rc =
        create_buffer(context, properties, CL_INVALID_PROPERTY, flags, size, host_ptr, &mem);
    if (errcode_ret)
        *errcode_ret = rc;
    return mem;
}

/* The same before OpenCL 3.0, whose code for a bad list was not there yet. */
cl_mem CL_API_CALL sl_clCreateBufferWithPropertiesINTEL(cl_context context,
                                                        const cl_mem_properties_intel *properties,
                                                        cl_mem_flags flags, size_t size,
                                                        void *host_ptr, cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    cl_int rc = create_buffer(context, properties, CL_INVALID_VALUE, flags, size, host_ptr, &mem);
    if (errcode_ret)
        *errcode_ret = rc;
    return mem;
}

/* ---- sub-buffers ----------------------------------------------------------------------------- */

static cl_int check_sub_flags(cl_mem_flags own, const struct _cl_mem *whole)
{
    const cl_mem_flags parent = whole->flags;
    cl_int rc = check_flags(whole->context, own);
    if (!rc)
        rc = sl_mem_bank_check_part(own, whole);
    if (rc)
        return rc;
    bool wrong = own & pointer_flags;
    wrong |= (parent & CL_MEM_IMMUTABLE_EXT) &&
             (own & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY));
    wrong |= (parent & CL_MEM_WRITE_ONLY) && (own & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY));
    wrong |= (parent & CL_MEM_READ_ONLY) && (own & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY));
    wrong |= (parent & CL_MEM_HOST_WRITE_ONLY) && (own & CL_MEM_HOST_READ_ONLY);
    wrong |= (parent & CL_MEM_HOST_READ_ONLY) && (own & CL_MEM_HOST_WRITE_ONLY);
    wrong |= (parent & CL_MEM_HOST_NO_ACCESS) &&
             (own & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY));
    if (wrong)
        return sl_refuse(CL_INVALID_VALUE, "flags 0x%llx in a buffer with 0x%llx",
                         (unsigned long long)own, (unsigned long long)parent);
    return CL_SUCCESS;
}

static cl_int check_region(cl_mem buffer, const cl_buffer_region *region)
{
    if (!region || !sl_range_inside(region->origin, region->size, buffer->size))
        return sl_refuse(CL_INVALID_VALUE, "the region is not inside the buffer");
    if (!region->size)
        return sl_refuse(CL_INVALID_BUFFER_SIZE, "the region is empty");
    for (cl_uint i = 0; i < buffer->context->device_count; i++)
        if (aligned_for(buffer->context->devices[i], region->origin))
            return CL_SUCCESS;
    return sl_refuse(CL_MISALIGNED_SUB_BUFFER_OFFSET, "origin %zu", region->origin);
}

static cl_int check_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                               const void *info)
{
    if (!sl_valid(buffer, &sl_mem_type) || buffer->type != CL_MEM_OBJECT_BUFFER || buffer->parent)
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not a valid buffer, or itself a sub-buffer");
    cl_int rc = check_sub_flags(flags, buffer);
    if (rc)
        return rc;
    if (type != CL_BUFFER_CREATE_TYPE_REGION)
        return sl_refuse(CL_INVALID_VALUE, "create type 0x%x", type);
    return check_region(buffer, info);
}

static cl_mem_flags inherited(cl_mem_flags own, cl_mem_flags parent)
{
    own |= (parent & (pointer_flags | CL_MEM_IMMUTABLE_EXT)) | sl_mem_bank_inherit(parent);
    if (!(own & access_flags))
        own |= parent & access_flags;
    if (!(own & host_flags))
        own |= parent & host_flags;
    return own;
}

cl_int sl_mem_view(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size, cl_mem *out)
{
    cl_int rc = check_sub_flags(flags, parent);
    if (rc)
        return rc;
    cl_mem mem = sl_mem_new(parent->context, inherited(flags, parent->flags), size);
    if (!mem)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a part of a buffer");
    mem->parent = sl_hold(parent);
    mem->origin = parent->origin + origin;
    mem->home = parent->home;
    mem->memory = parent->memory;
    mem->uses_svm = parent->uses_svm;
    if (parent->host)
        mem->host = parent->host + origin;
    if (parent->host_ptr)
        mem->host_ptr = (char *)parent->host_ptr + origin;
    *out = mem;
    return CL_SUCCESS;
}

static cl_int create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                const void *info, cl_mem *out)
{
    cl_int rc = check_sub_buffer(buffer, flags, type, info);
    const cl_buffer_region *region = info;
    return rc ? rc : sl_mem_view(buffer, flags, region->origin, region->size, out);
}

cl_mem sl_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                            const void *info, cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    cl_int rc = create_sub_buffer(buffer, flags, type, info, &mem);
    if (errcode_ret)
        *errcode_ret = rc;
    return mem;
}

/* ---- queries --------------------------------------------------------------------------------- */

static void answer_refs(const void *object, struct sl_answer *a)
{
    SL_ANSWER(a, cl_uint, sl_api_refs(object));
}

/* Of a sub-buffer; an image over one begins at its buffer's first byte. */
static void answer_offset(const void *object, struct sl_answer *a)
{
    const struct _cl_mem *mem = object;
    SL_ANSWER(a, size_t, mem->type == CL_MEM_OBJECT_BUFFER ? mem->origin : 0);
}

static void answer_map_count(const void *object, struct sl_answer *a)
{
    cl_mem mem = (cl_mem)(uintptr_t)object;
    pthread_mutex_lock(&mem->lock);
    cl_uint count = mem->map_count;
    pthread_mutex_unlock(&mem->lock);
    SL_ANSWER(a, cl_uint, count);
}

static void answer_properties(const void *object, struct sl_answer *a)
{
    const struct _cl_mem *mem = object;
    sl_answer_bytes(a, mem->properties, mem->property_count * sizeof *mem->properties);
}

static void answer_location(const void *object, struct sl_answer *a)
{
    const struct _cl_mem *mem = object;
    if (sl_context_feature(mem->context, SL_FEATURE_DATAFLOW))
        SL_ANSWER(a, cl_uint, sl_mem_buffer_location(mem));
    else
        a->rc = CL_INVALID_VALUE;
}

/* The same for all devices: they run in the host's memory. */
static void answer_addresses(const void *object, struct sl_answer *a)
{
    const struct _cl_mem *mem = object;
    if (!sl_mem_property(mem->properties, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT) || !mem->host) {
        a->rc = CL_INVALID_OPERATION;
        return;
    }
    const cl_uint count = mem->context->device_count;
    cl_mem_device_address_ext *all = sl_alloc(count * sizeof *all);
    for (cl_uint i = 0; all && i < count; i++)
        all[i] = (uintptr_t)mem->host;
    if (all)
        sl_answer_bytes(a, all, count * sizeof *all);
    else
        a->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(all);
}

static const struct sl_info_row mem_rows[] = {
    SL_VALUE(CL_MEM_TYPE, struct _cl_mem, type),
    SL_VALUE(CL_MEM_FLAGS, struct _cl_mem, flags),
    SL_VALUE(CL_MEM_SIZE, struct _cl_mem, size),
    SL_VALUE(CL_MEM_HOST_PTR, struct _cl_mem, host_ptr),
    SL_CALL(CL_MEM_MAP_COUNT, answer_map_count),
    SL_CALL(CL_MEM_REFERENCE_COUNT, answer_refs),
    SL_VALUE(CL_MEM_CONTEXT, struct _cl_mem, context),
    SL_VALUE(CL_MEM_ASSOCIATED_MEMOBJECT, struct _cl_mem, parent),
    SL_CALL(CL_MEM_OFFSET, answer_offset),
    SL_VALUE(CL_MEM_USES_SVM_POINTER, struct _cl_mem, uses_svm),
    SL_CALL(CL_MEM_PROPERTIES, answer_properties),
    SL_CALL(CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, answer_location),
    SL_CALL(CL_MEM_DEVICE_ADDRESS_EXT, answer_addresses),
};

cl_int sl_clGetMemObjectInfo(cl_mem mem, cl_mem_info key, size_t cap, void *out, size_t *need)
{
    if (!sl_valid(mem, &sl_mem_type))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not a valid memory object");
    return sl_info(mem_rows, SL_LEN(mem_rows), mem, key, cap, out, need);
}
