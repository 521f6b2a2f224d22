/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program objects: creation, life, loaded code. Building is in build.c, queries in program_info.c,
 * programs made from SPIR-V begin in il.c.
 * A program's lock guards its builds.
 */
#include "program/object/program.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/platform.h"
#include "program/compiler/compiler.h"
#include "program/object/demand.h"
#include "program/object/device_container.h"
#include "program/object/foreign_binary.h"
#include "program/object/host_end.h"
#include "program/object/image.h"
#include "program/object/module.h"
#include "sluice/base/hash.h"
#include "sluice/base/stack.h"

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy(struct sl_object *object)
{
    cl_program program = (cl_program)object;
    for (cl_uint i = 0; i < program->device_count; i++) {
        if (program->builds)
            sl_build_finish(&program->builds[i]);
        if (program->devices)
            sl_drop(program->devices[i]);
    }
    sl_free(program->builds);
    sl_free(program->devices);
    sl_free(program->source);
    sl_free(program->il);
    sl_free(program->constants.rows);
    pthread_cond_destroy(&program->design_built);
    pthread_mutex_destroy(&program->lock);
    sl_drop(program->context);
}

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_program_type = {
    .name = "program",
    .invalid = CL_INVALID_PROGRAM,
    .size = sizeof(struct _cl_program),
    .destroy = destroy,
    .pool = &pool,
    .parent = true,
};

/* Whatever a binary says of itself. */
static bool can_run(const struct sl_device *device, const struct sl_module_info *info)
{
    uint32_t features = device->caps.features, kernels = 0;
    bool dataflow = features & SL_FEATURE_DATAFLOW;
    bool shares = features & SL_FEATURE_PIPES && !dataflow;
    for (uint32_t k = 0; k < info->kernel_count; k++)
        kernels |= info->kernels[k].flags;
    return info->abi == SL_MODULE_ABI && (dataflow || !info->pipe_count) &&
           (dataflow || !(kernels & (SL_KERNEL_USES_PIPES | SL_KERNEL_AUTORUN))) &&
           (shares || !(kernels & SL_KERNEL_SHARED_PIPES));
}

struct loading {
    struct sl_device *device;
    struct sl_code_ref *first; /* NULL: it stands by itself */
    const struct sl_module_view *view;
    const char *name;
    struct sl_code_ref *ref;
    cl_int rc;
};

static void load_code(void *data)
{
    struct loading *l = data;
    const struct sl_device_ops *ops = l->device->ops;
    const void *elf = l->view->payload;
    size_t bytes = (size_t)l->view->header.payload_bytes;
    l->rc = l->first ? ops->code_load_other(l->first->code, elf, bytes, l->name, &l->ref->code,
                                            &l->ref->info)
                     : ops->code_load(l->device, elf, bytes, l->name, &l->ref->code, &l->ref->info);
}

static void unload_code(void *data)
{
    struct sl_code_ref *ref = data;
    ref->device->ops->code_unload(ref->code);
}

static void unload(struct sl_code_ref *ref)
{
    if (sl_on_stack(unload_code, ref))
        unload_code(ref);
}

static cl_int load(struct sl_device *device, struct sl_code_ref *first,
                   const struct sl_module_view *view, const char *name, struct sl_code_ref **out,
                   const char **why)
{
    if (first ? !device->ops->code_load_other : !device->ops->code_load)
        return CL_INVALID_BINARY;
    struct sl_code_ref *ref = sl_zalloc(sizeof *ref);
    if (!ref)
        return CL_OUT_OF_HOST_MEMORY;
    ref->device = device;
    ref->first = first;
    atomic_init(&ref->refs, 1);
    struct loading loading = {
        .device = device, .first = first, .view = view, .name = name, .ref = ref};
    cl_int rc = sl_on_stack(load_code, &loading) ? CL_OUT_OF_HOST_MEMORY : loading.rc;
    if (!rc && can_run(device, ref->info)) {
        *out = ref;
        return CL_SUCCESS;
    }
    if (!rc) {
        *why = device->caps.features & SL_FEATURE_DATAFLOW
                   ? "it was compiled for another kind of device"
                   : "it was compiled for the FPGA emulator, and this device is none: with "
                     "SLUICE_DEVICES=fpga the host finds the emulator first";
        unload(ref);
        rc = CL_INVALID_BINARY;
    }
    sl_free(ref);
    return rc;
}

static cl_int check_and_load(struct sl_device *device, struct sl_code_ref *first,
                             const unsigned char *container, size_t bytes, struct sl_code_ref **out,
                             const char **why)
{
    struct sl_module_view view;
    char name[64], digits[SL_HASH_DIGITS + 1];
    cl_int rc = sl_module_check(container, bytes, NULL, &view, why);
    if (rc)
        return rc;
    sl_hash_text((struct sl_hash){view.header.checksum[0], view.header.checksum[1]}, digits);
    snprintf(name, sizeof name, "sluice-%.16s", digits);
    *why = "the device could not load the compiled code, or not initialize its objects";
    return load(device, first, &view, name, out, why);
}

cl_int sl_code_load(struct sl_device *device, const unsigned char *container, size_t bytes,
                    struct sl_code_ref **out, const char **why)
{
    return check_and_load(device, NULL, container, bytes, out, why);
}

cl_int sl_code_load_other(struct sl_code_ref *first, const unsigned char *container, size_t bytes,
                          struct sl_code_ref **out, const char **why)
{
    bool pipes = first->info->pipe_count;
    return check_and_load(first->device, pipes ? first : NULL, container, bytes, out, why);
}

struct sl_code_ref *sl_code_hold(struct sl_code_ref *ref)
{
    if (ref)
        atomic_fetch_add_explicit(&ref->refs, 1, memory_order_relaxed);
    return ref;
}

void sl_code_drop(struct sl_code_ref *ref)
{
    /* acq_rel: the last one sees all that the others did with the code */
    if (!ref || atomic_fetch_sub_explicit(&ref->refs, 1, memory_order_acq_rel) != 1)
        return;
    sl_demand_destroy(ref->demand);
    sl_host_ends_destroy(atomic_load_explicit(&ref->ends, memory_order_relaxed));
    unload(ref);
    sl_free(ref);
}

void sl_build_finish(struct sl_build *build)
{
    sl_free(build->options);
    sl_free(build->log);
    sl_free(build->binary);
    sl_code_drop(build->code);
    *build = (struct sl_build){.status = CL_BUILD_NONE};
}

cl_program sl_program_new(cl_context context, cl_uint count, const cl_device_id *devices,
                          enum sl_program_origin origin)
{
    cl_program program = sl_object_new(&sl_program_type);
    if (!program)
        return NULL;
    pthread_mutex_init(&program->lock, NULL);
    pthread_cond_init(&program->design_built, NULL);
    program->context = sl_hold(context);
    program->origin = origin;
    program->devices = sl_zalloc(count * sizeof(cl_device_id));
    program->builds = sl_zalloc(count * sizeof(struct sl_build));
    if (!program->devices || !program->builds) {
        sl_discard(program);
        return NULL;
    }
    for (cl_uint i = 0; i < count; i++) {
        program->devices[i] = sl_hold(devices[i]);
        program->builds[i].status = CL_BUILD_NONE;
    }
    program->device_count = count;
    return program;
}

int sl_program_index(cl_program program, cl_device_id device)
{
    for (cl_uint i = 0; i < program->device_count; i++)
        if (program->devices[i] == device)
            return (int)i;
    return -1;
}

struct sl_code_ref *sl_program_code(cl_program program, cl_device_id device)
{
    struct sl_code_ref *code = NULL;
    int i = sl_program_index(program, device);
    if (i < 0)
        return NULL;
    pthread_mutex_lock(&program->lock);
    if (program->builds[i].status == CL_BUILD_SUCCESS)
        code = sl_code_hold(program->builds[i].code);
    pthread_mutex_unlock(&program->lock);
    return code;
}

cl_int sl_program_code_for(cl_program program, cl_context context, cl_device_id device,
                           struct sl_code_ref **out)
{
    if (context != program->context)
        return sl_refuse(CL_INVALID_CONTEXT, "program and queue are of different contexts");
    struct sl_code_ref *code = sl_program_code(program, device);
    if (!code)
        return sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the queue's device");
    *out = code;
    return CL_SUCCESS;
}

cl_int sl_program_code_on(cl_program program, cl_device_id device, struct sl_code_ref **code)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a valid program");
    if (!sl_valid(device, &sl_device_type) || sl_program_index(program, device) < 0)
        return sl_refuse(CL_INVALID_DEVICE, "not a device of the program");
    *code = sl_program_code(program, device);
    if (!*code)
        return sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the device");
    return CL_SUCCESS;
}

/* The code of a build whose binary is not complete yet, counted; NULL: it is. */
static struct sl_code_ref *incomplete(cl_program program, cl_uint device)
{
    pthread_mutex_lock(&program->lock);
    const struct sl_build *build = &program->builds[device];
    struct sl_code_ref *code =
        build->shell_bytes && !build->stays_divided ? sl_code_hold(build->code) : NULL;
    pthread_mutex_unlock(&program->lock);
    return code;
}

static cl_int complete(cl_program program, cl_uint device, struct sl_code_ref *code)
{
    unsigned char *container;
    size_t bytes;
    cl_int rc = sl_demand_container(code, program->context, &container, &bytes);
    if (rc)
        return rc;
    pthread_mutex_lock(&program->lock);
    struct sl_build *build = &program->builds[device];
    if (build->code == code && build->shell_bytes) { /* nobody was faster, nor built it again */
        unsigned char *old = build->binary;
        build->binary = container;
        build->binary_bytes = bytes;
        build->shell_bytes = 0;
        container = old;
    }
    pthread_mutex_unlock(&program->lock);
    sl_free(container);
    return CL_SUCCESS;
}

cl_int sl_program_complete(cl_program program)
{
    cl_int rc = CL_SUCCESS;
    for (cl_uint i = 0; i < program->device_count && !rc; i++) {
        struct sl_code_ref *code = incomplete(program, i);
        if (code)
            rc = complete(program, i, code);
        sl_code_drop(code);
    }
    return rc;
}

struct sl_code_ref *sl_program_any_code(cl_program program)
{
    struct sl_code_ref *code = NULL;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->device_count && !code; i++)
        if (program->builds[i].status == CL_BUILD_SUCCESS)
            code = sl_code_hold(program->builds[i].code);
    pthread_mutex_unlock(&program->lock);
    return code;
}

/* ---- from source ----------------------------------------------------------------------------- */

static size_t string_bytes(const char *string, const size_t *lengths, cl_uint i)
{
    return lengths && lengths[i] ? lengths[i] : strlen(string);
}

/* All strings in one, with a NUL behind; NULL when memory is out. */
static char *join(cl_uint count, const char **strings, const size_t *lengths, size_t *bytes)
{
    size_t total = 0, at = 0;
    for (cl_uint i = 0; i < count; i++)
        total += string_bytes(strings[i], lengths, i);
    char *text = sl_alloc(total + 1);
    if (!text)
        return NULL;
    for (cl_uint i = 0; i < count; i++) {
        size_t length = string_bytes(strings[i], lengths, i);
        memcpy(text + at, strings[i], length);
        at += length;
    }
    text[total] = 0;
    *bytes = total;
    return text;
}

static cl_int create_with_source(cl_context context, cl_uint count, const char **strings,
                                 const size_t *lengths, cl_program *out)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a context");
    if (!count || !strings)
        return sl_refuse(CL_INVALID_VALUE, "no strings");
    for (cl_uint i = 0; i < count; i++)
        if (!strings[i])
            return sl_refuse(CL_INVALID_VALUE, "string %u is NULL", i);
    cl_program program =
        sl_program_new(context, context->device_count, context->devices, SL_FROM_SOURCE);
    if (!program)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "program");
    program->source = join(count, strings, lengths, &program->source_bytes);
    if (!program->source) {
        sl_discard(program);
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "source text");
    }
    *out = program;
    return CL_SUCCESS;
}

static cl_program answer(cl_int rc, cl_program program, cl_int *errcode_ret)
{
    if (errcode_ret)
        *errcode_ret = rc;
    return program;
}

cl_program sl_clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                        const size_t *lengths, cl_int *errcode_ret)
{
    cl_program program = NULL;
    cl_int rc = create_with_source(context, count, strings, lengths, &program);
    return answer(rc, program, errcode_ret);
}

/* ---- from binaries --------------------------------------------------------------------------- */

cl_int sl_program_check_devices(cl_context context, cl_uint count, const cl_device_id *devices)
{
    if (!devices || !count)
        return sl_refuse(CL_INVALID_VALUE, "no devices");
    for (cl_uint i = 0; i < count; i++)
        if (!sl_context_has_device(context, devices[i]))
            return sl_refuse(CL_INVALID_DEVICE, "device %u is not of the context", i);
    return CL_SUCCESS;
}

static cl_int take_binary(cl_program program, cl_uint i, size_t bytes, const unsigned char *binary)
{
    struct sl_build *build = &program->builds[i];
    struct sl_program_image image;
    struct sl_device *device = program->devices[i]->root->impl;
    const char *why = sl_program_pick_image(device, binary, bytes, &image);
    const char *what = why ? sl_foreign_binary(binary, bytes) : NULL;
    if (why)
        return sl_refuse(CL_INVALID_BINARY, "binary %u: %s%s%s", i, why, what ? ": it is " : "",
                         what ? what : "");
    size_t size = image.size;
    build->binary = image.bare
                        ? sl_device_container(device, image.type, image.bytes, image.size, &size)
                        : sl_memdup(image.bytes, image.size);
    if (!build->binary)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "binary of %zu bytes", image.size);
    build->binary_bytes = size;
    build->binary_type = image.type;
    return CL_SUCCESS;
}

/* The first error in the order of the list, each binary's own in status[]. */
static cl_int take_binaries(cl_program program, const size_t *lengths,
                            const unsigned char **binaries, cl_int *status)
{
    cl_int first = CL_SUCCESS;
    for (cl_uint i = 0; i < program->device_count; i++) {
        cl_int rc = lengths[i] && binaries[i]
                        ? take_binary(program, i, lengths[i], binaries[i])
                        : sl_refuse(CL_INVALID_VALUE, "binary %u is empty", i);
        if (status)
            status[i] = rc;
        if (!first)
            first = rc;
    }
    return first;
}

static cl_int create_with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                 const size_t *lengths, const unsigned char **binaries,
                                 cl_int *status, cl_program *out)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a context");
    cl_int rc = sl_program_check_devices(context, count, devices);
    if (rc)
        return rc;
    if (!lengths || !binaries)
        return sl_refuse(CL_INVALID_VALUE, "no lengths or binaries");
    cl_program program = sl_program_new(context, count, devices, SL_FROM_BINARY);
    if (!program)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "program");
    rc = take_binaries(program, lengths, binaries, status);
    if (rc)
        sl_discard(program);
    else
        *out = program;
    return rc;
}

cl_program sl_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                        const cl_device_id *device_list, const size_t *lengths,
                                        const unsigned char **binaries, cl_int *binary_status,
                                        cl_int *errcode_ret)
{
    cl_program program = NULL;
    cl_int rc = create_with_binary(context, num_devices, device_list, lengths, binaries,
                                   binary_status, &program);
    return answer(rc, program, errcode_ret);
}

/* ---- what no program has --------------------------------------------------------------------- */

/* Only programs from intermediate language can have destructors, and only they may ask for this. */
cl_int sl_clSetProgramReleaseCallback(cl_program program,
                                      void(CL_CALLBACK *pfn_notify)(cl_program program,
                                                                    void *user_data),
                                      void *user_data)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a program");
    return sl_refuse(CL_INVALID_OPERATION, "no destructors of program scope; callback %p, data %p",
                     (void *)(uintptr_t)pfn_notify, user_data);
}

/* ---- references, compiler -------------------------------------------------------------------- */

cl_int sl_clRetainProgram(cl_program program)
{
    return sl_retain(program, &sl_program_type);
}

cl_int sl_clReleaseProgram(cl_program program)
{
    return sl_release(program, &sl_program_type);
}

cl_int sl_clUnloadCompiler(void)
{
    sl_compiler_unload();
    return CL_SUCCESS;
}

cl_int sl_clUnloadPlatformCompiler(cl_platform_id platform)
{
    if (!sl_valid(platform, &sl_platform_type))
        return sl_refuse(CL_INVALID_PLATFORM, "not a platform");
    sl_compiler_unload();
    return CL_SUCCESS;
}
