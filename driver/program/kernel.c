/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel objects: creation, life, cloning. The program's lock guards its builds and the count of
 * attached kernels; a kernel's own lock guards its arguments (args.c).
 */
#include "program/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/thread/fork.h"
#include "platform/device.h"

/* ---- life ------------------------------------------------------------------------------------ */

static void attach_locked(cl_kernel kernel)
{
    kernel->program->kernel_count++;
    atomic_store_explicit(&kernel->attached, true, memory_order_relaxed);
}

/* Spec 5.8.2 counts kernels until the application lets go of them; commands may need the memory
 * longer. Once per kernel: one that comes back to life (sl_lend) keeps its code whatever is built.
 */
static void detach(cl_kernel kernel)
{
    if (!atomic_exchange_explicit(&kernel->attached, false, memory_order_relaxed))
        return;
    pthread_mutex_lock(&kernel->program->lock);
    kernel->program->kernel_count--;
    pthread_mutex_unlock(&kernel->program->lock);
}

static void destroy(struct sl_object *object)
{
    cl_kernel kernel = (cl_kernel)object;
    detach(kernel);
    for (cl_uint i = 0; kernel->on && i < kernel->device_count; i++)
        sl_code_drop(kernel->on[i].code);
    sl_free(kernel->on);
    sl_free(kernel->args);
    sl_free(kernel->block);
    sl_free(kernel->pointers);
    pthread_mutex_destroy(&kernel->lock);
    sl_drop(kernel->program);
}

static void released(struct sl_object *object)
{
    detach((cl_kernel)object);
}

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_kernel_type = {
    .name = "kernel",
    .invalid = CL_INVALID_KERNEL,
    .size = sizeof(struct _cl_kernel),
    .destroy = destroy,
    .pool = &pool,
    .parent = true,
    .released = released,
};

/* An empty kernel with room for the program's devices; NULL when memory is out. */
static cl_kernel kernel_new(cl_program program)
{
    cl_kernel kernel = sl_object_new(&sl_kernel_type);
    if (!kernel)
        return NULL;
    pthread_mutex_init(&kernel->lock, NULL);
    kernel->program = sl_hold(program);
    kernel->on = sl_zalloc(program->device_count * sizeof *kernel->on);
    if (kernel->on)
        return kernel;
    sl_discard(kernel);
    return NULL;
}

/* A child made by fork gets no objects of lists whose lock nobody may be left to let go. */
static cl_int refuse_new(void)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    return sl_refuse(CL_OUT_OF_HOST_MEMORY, "kernel");
}

static bool make_arguments(cl_kernel kernel)
{
    kernel->args = sl_zalloc((kernel->info->arg_count + 1) * sizeof *kernel->args);
    kernel->block = sl_zalloc(kernel->info->args_bytes + 1);
    return kernel->args && kernel->block;
}

/* ---- finding --------------------------------------------------------------------------------- */

static int by_name(const void *name, const void *info)
{
    return strcmp(name, ((const struct sl_kernel_info *)info)->name);
}

bool sl_kernel_is_visible(const struct sl_kernel_info *info)
{
    return !(info->flags &
             (SL_KERNEL_COPY | SL_KERNEL_BLOCK | SL_KERNEL_INITIALIZES | SL_KERNEL_PROCESS));
}

uint32_t sl_kernel_count(const struct sl_module_info *module)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->kernel_count; i++)
        count += sl_kernel_is_visible(&module->kernels[i]);
    return count;
}

/* Copies may have the name of their kernel: the first of equal names is meant. */
static const struct sl_kernel_info *find(const struct sl_module_info *module, const char *name)
{
    if (!module->kernel_count)
        return NULL;
    const struct sl_kernel_info *found =
        bsearch(name, module->kernels, module->kernel_count, sizeof *module->kernels, by_name);
    while (found && found > module->kernels && !strcmp(found[-1].name, name))
        found--;
    return found && sl_kernel_is_visible(found) ? found : NULL;
}

/* `NAME:{UNIT,UNIT}`: how AMD's runtime is told which copies of a kernel in the FPGA are meant. How
 * long is NAME? 0: it is not such a name. */
static size_t length_in_front_of_units(const char *name)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const size_t length = strcspn(name, ":");
    const char *at = name + length;
    if (strncmp(at, ":{", 2) != 0)
        return 0;
    for (at += 2;; at++) {
        const size_t unit = strspn(at, word);
        at += unit;
        if (!unit || (*at != ',' && *at != '}'))
            return 0;
        if (*at == '}')
            return at[1] ? 0 : length;
    }
}

/* An emulated FPGA has one of each kernel, which is all of its copies. */
static const struct sl_kernel_info *find_on(const struct sl_build *build, cl_device_id device,
                                            const char *name)
{
    const struct sl_kernel_info *info = find(build->code->info, name);
    size_t length = length_in_front_of_units(name);
    if (info || !length || !(sl_caps(device)->features & SL_FEATURE_DATAFLOW))
        return info;
    char *front = strndup(name, length);
    if (front)
        info = find(build->code->info, front);
    free(front);
    return info;
}

static bool same_arguments(const struct sl_kernel_info *a, const struct sl_kernel_info *b)
{
    if (a->arg_count != b->arg_count || a->args_bytes != b->args_bytes)
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->args[i].kind != b->args[i].kind || a->args[i].size != b->args[i].size ||
            a->args[i].offset != b->args[i].offset)
            return false;
    return true;
}

static void add_device(cl_kernel kernel, cl_device_id device, struct sl_code_ref *code,
                       const struct sl_kernel_info *info)
{
    struct sl_kernel_device *on = &kernel->on[kernel->device_count++];
    on->device = device;
    on->code = sl_code_hold(code);
    on->info = info;
    on->index = (uint32_t)(info - code->info->kernels);
    if (!kernel->info)
        kernel->info = info;
}

/* Fills on[] from the builds and attaches the kernel. */
static cl_int bind_locked(cl_kernel kernel, const char *name)
{
    cl_program program = kernel->program;
    bool executable = false, different = false;
    for (cl_uint i = 0; i < program->device_count; i++) {
        const struct sl_build *build = &program->builds[i];
        if (build->status != CL_BUILD_SUCCESS || !build->code)
            continue;
        executable = true;
        const struct sl_kernel_info *info = find_on(build, program->devices[i], name);
        if (info)
            add_device(kernel, program->devices[i], build->code, info);
        different |= info && !same_arguments(info, kernel->info);
    }
    if (!executable)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    if (!kernel->info)
        return CL_INVALID_KERNEL_NAME;
    if (different)
        return CL_INVALID_KERNEL_DEFINITION;
    attach_locked(kernel);
    return CL_SUCCESS;
}

/* Why there is no kernel of that name, and which ones there are, as many as `why` takes. */
static void explain_locked(cl_program program, cl_int rc, const char *name, char *why, size_t bytes)
{
    if (rc == CL_INVALID_PROGRAM_EXECUTABLE) {
        snprintf(why, bytes, "kernel %s: the program is not built for any device", name);
        return;
    }
    snprintf(why, bytes, "kernel %s", name);
    if (rc != CL_INVALID_KERNEL_NAME)
        return;
    const char *between = ": the program has ";
    for (cl_uint i = 0; i < program->device_count; i++) {
        const struct sl_build *build = &program->builds[i];
        if (build->status != CL_BUILD_SUCCESS || !build->code)
            continue;
        const struct sl_module_info *info = build->code->info;
        for (uint32_t k = 0; k < info->kernel_count; k++) {
            size_t length = strlen(why);
            if (!sl_kernel_is_visible(&info->kernels[k]))
                continue;
            snprintf(why + length, bytes - length, "%s%s", between, info->kernels[k].name);
            between = ", ";
        }
        if (strlen(why) == bytes - 1)
            memcpy(why + bytes - 4, "...", 4);
        return;
    }
}

static cl_int create(cl_program program, const char *name, cl_kernel *out)
{
    char why[160] = "";
    cl_kernel kernel = kernel_new(program);
    if (!kernel)
        return refuse_new();
    pthread_mutex_lock(&program->lock);
    cl_int rc = bind_locked(kernel, name);
    if (rc)
        explain_locked(program, rc, name, why, sizeof why);
    pthread_mutex_unlock(&program->lock);
    if (!rc && !make_arguments(kernel))
        rc = CL_OUT_OF_HOST_MEMORY;
    if (rc) {
        sl_discard(kernel);
        return sl_refuse(rc, "%s", why);
    }
    *out = kernel;
    return CL_SUCCESS;
}

const struct sl_kernel_device *sl_kernel_on(cl_kernel kernel, cl_device_id device)
{
    for (cl_uint i = 0; i < kernel->device_count; i++)
        if (kernel->on[i].device == device)
            return &kernel->on[i];
    return NULL;
}

const struct sl_kernel_device *sl_kernel_on_or_only(cl_kernel kernel, cl_device_id device)
{
    if (device)
        return sl_kernel_on(kernel, device);
    return kernel->device_count == 1 ? &kernel->on[0] : NULL;
}

size_t sl_kernel_group_limit(const struct sl_kernel_device *on)
{
    size_t limit = sl_caps(on->device)->max_work_group_size;
    size_t own = on->info->max_work_group_size;
    const uint32_t *required = on->info->reqd_size, *most = on->info->max_size;
    if (most[0] && (!own || own > (size_t)most[0] * most[1] * most[2]))
        own = (size_t)most[0] * most[1] * most[2];
    if (required[0])
        own = (size_t)required[0] * required[1] * required[2];
    return own && own < limit ? own : limit;
}

/* ---- entry points ---------------------------------------------------------------------------- */

/* Executables for dataflow devices alone that nobody has built, nor tried to. */
static bool is_untouched_design_locked(cl_program program)
{
    bool yes = program->origin == SL_FROM_BINARY && !program->building;
    for (cl_uint i = 0; i < program->device_count; i++)
        yes = yes && program->builds[i].status == CL_BUILD_NONE &&
              program->builds[i].binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE &&
              sl_caps(program->devices[i])->features & SL_FEATURE_DATAFLOW;
    return yes;
}

/* True: the calling thread is to build it. Others wait until that is done: a design that is built
 * twice would have its pipes twice. */
static bool claim_design(cl_program program)
{
    pthread_mutex_lock(&program->lock);
    while (program->design_claimed)
        pthread_cond_wait(&program->design_built, &program->lock);
    bool mine = is_untouched_design_locked(program);
    program->design_claimed = mine;
    pthread_mutex_unlock(&program->lock);
    return mine;
}

/* FPGA vendors' runtimes count a binary as built, and there are hosts that rely on it. What goes
 * wrong is said, and there is no executable then. */
static void build_design(cl_program program)
{
    if (!claim_design(program))
        return;
    (void)sl_clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    pthread_mutex_lock(&program->lock);
    program->design_claimed = false;
    pthread_cond_broadcast(&program->design_built);
    pthread_mutex_unlock(&program->lock);
}

cl_kernel sl_clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret)
{
    cl_kernel kernel = NULL;
    cl_int rc;
    if (!sl_valid(program, &sl_program_type))
        rc = sl_refuse(CL_INVALID_PROGRAM, "not a program");
    else if (!kernel_name)
        rc = sl_refuse(CL_INVALID_VALUE, "no kernel name");
    else {
        build_design(program);
        rc = create(program, kernel_name, &kernel);
    }
    if (errcode_ret)
        *errcode_ret = rc;
    return kernel;
}

static cl_int create_all(cl_program program, const struct sl_module_info *module,
                         cl_kernel *kernels)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < module->kernel_count; i++) {
        if (!sl_kernel_is_visible(&module->kernels[i]))
            continue;
        cl_int rc = create(program, module->kernels[i].name, &kernels[made]);
        if (!rc) {
            made++;
            continue;
        }
        while (made--) {
            sl_discard(kernels[made]);
            kernels[made] = NULL;
        }
        return rc;
    }
    return CL_SUCCESS;
}

cl_int sl_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                   cl_uint *num_kernels_ret)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a program");
    build_design(program);
    struct sl_code_ref *code = sl_program_any_code(program);
    if (!code)
        return sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable");
    cl_uint count = sl_kernel_count(code->info);
    cl_int rc = CL_SUCCESS;
    if (kernels && num_kernels < count)
        rc = sl_refuse(CL_INVALID_VALUE, "room for %u of %u kernels", num_kernels, count);
    else if (kernels)
        rc = create_all(program, code->info, kernels);
    if (!rc && num_kernels_ret)
        *num_kernels_ret = count;
    sl_code_drop(code);
    return rc;
}

cl_int sl_clRetainKernel(cl_kernel kernel)
{
    return sl_retain(kernel, &sl_kernel_type);
}

cl_int sl_clReleaseKernel(cl_kernel kernel)
{
    return sl_release(kernel, &sl_kernel_type);
}

static bool clone_arguments(cl_kernel kernel, cl_kernel from)
{
    bool good = true;
    pthread_mutex_lock(&from->lock);
    memcpy(kernel->args, from->args, from->info->arg_count * sizeof *from->args);
    memcpy(kernel->block, from->block, from->info->args_bytes);
    kernel->indirect = from->indirect;
    if (from->pointers_bytes) {
        kernel->pointers = sl_memdup(from->pointers, from->pointers_bytes);
        kernel->pointers_bytes = from->pointers_bytes;
        good = kernel->pointers;
    }
    pthread_mutex_unlock(&from->lock);
    return good;
}

cl_int sl_kernel_clone(cl_kernel from, cl_kernel *out)
{
    cl_kernel kernel = kernel_new(from->program);
    if (!kernel)
        return refuse_new();
    for (cl_uint i = 0; i < from->device_count; i++)
        add_device(kernel, from->on[i].device, from->on[i].code, from->on[i].info);
    if (!make_arguments(kernel) || !clone_arguments(kernel, from)) {
        sl_discard(kernel);
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "kernel arguments");
    }
    *out = kernel;
    return CL_SUCCESS;
}

static cl_int clone_and_attach(cl_kernel from, cl_kernel *out)
{
    cl_int rc = sl_kernel_clone(from, out);
    if (rc)
        return rc;
    pthread_mutex_lock(&from->program->lock);
    attach_locked(*out);
    pthread_mutex_unlock(&from->program->lock);
    return CL_SUCCESS;
}

cl_kernel sl_clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret)
{
    cl_kernel kernel = NULL;
    cl_int rc = sl_valid(source_kernel, &sl_kernel_type)
                    ? clone_and_attach(source_kernel, &kernel)
                    : sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    if (errcode_ret)
        *errcode_ret = rc;
    return kernel;
}
