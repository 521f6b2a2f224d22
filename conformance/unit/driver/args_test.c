/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel arguments and launch checks on a device without a compiler: a hand-made module, what
 * clSetKernelArg refuses, what the snapshot holds, which ranges are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/api.h"
#include "base/object/alloc.h"
#include "commands/enqueue/args_snapshot.h"
#include "fake_device.h"
#include "memory/buffer.h"
#include "platform/device.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { VALUE, BUFFER, LOCAL_A, LOCAL_B, IMAGE, SAMPLER, ARGS };

static const struct sl_arg_info args[ARGS] = {
    {"v", "int4", SL_ARG_VALUE, SL_ADDRESS_PRIVATE, SL_ACCESS_NONE, 0, 16, 0, 16, NULL},
    {"b", "float*", SL_ARG_GLOBAL, SL_ADDRESS_GLOBAL, SL_ACCESS_NONE, SL_QUAL_CONST, 8, 16, 8,
     NULL},
    {"l", "int*", SL_ARG_LOCAL, SL_ADDRESS_LOCAL, SL_ACCESS_NONE, 0, 8, 24, 8, NULL},
    {"m", "int*", SL_ARG_LOCAL, SL_ADDRESS_LOCAL, SL_ACCESS_NONE, 0, 8, 32, 8, NULL},
    {"i", "image2d_t", SL_ARG_IMAGE, SL_ADDRESS_GLOBAL, SL_ACCESS_READ_ONLY, 0, 8, 40, 8, NULL},
    {"s", "sampler_t", SL_ARG_SAMPLER, SL_ADDRESS_PRIVATE, SL_ACCESS_NONE, 0, 8, 48, 8, NULL},
};
static const struct sl_kernel_info kernels[] = {
    {.name = "all",
     .args = args,
     .attributes = "",
     .vec_type_hint = "",
     .arg_count = ARGS,
     .args_bytes = 56,
     .flags = SL_KERNEL_HAS_ARG_INFO,
     .local_bytes = 100,
     .private_bytes = 12},
    {.name = "none",
     .attributes = "",
     .vec_type_hint = "",
     .context_per_item = 1u << 30,
     .max_work_group_size = 32,
     .stack_bytes = 1000},
    {.name = "required", .attributes = "", .vec_type_hint = "", .reqd_size = {8, 2, 1}},
};
static const struct sl_module_info module = {
    .abi = SL_MODULE_ABI, .size = sizeof module, .kernel_count = 3, .kernels = kernels};

static int unloaded;
static void code_unload(struct sl_code *code)
{
    (void)code;
    unloaded++;
}
static const struct sl_device_ops code_ops = {.code_unload = code_unload};
static struct sl_device code_device = {.ops = &code_ops};

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffer;
static struct sl_device_caps *caps;

static struct sl_code_ref *make_code(void)
{
    struct sl_code_ref *ref = sl_zalloc(sizeof *ref);
    ref->device = &code_device;
    ref->info = &module;
    atomic_init(&ref->refs, 1);
    return ref;
}

static int setup(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_INLINE);
    caps = &device->impl->caps;
    caps->max_work_group_size = 256;
    for (int i = 0; i < 3; i++)
        caps->max_work_item_sizes[i] = i < 2 ? 256 : 16;
    caps->local_mem_bytes = 4096;
    caps->preferred_group_multiple = 16;
    caps->image2d_max[0] = caps->image2d_max[1] = 1024;
    caps->max_samplers = 16;
    context = fake_context(device);
    queue = sl_clCreateCommandQueue(context, device, 0, NULL);
    program = sl_program_new(context, 1, &device, SL_FROM_SOURCE);
    program->builds[0].status = CL_BUILD_SUCCESS;
    program->builds[0].code = make_code();
    kernel = sl_clCreateKernel(program, "all", NULL);
    buffer = sl_clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    return context && queue && kernel && buffer ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    int before = unloaded;
    sl_clReleaseMemObject(buffer);
    sl_clReleaseKernel(kernel);
    sl_clReleaseProgram(program);
    sl_clReleaseCommandQueue(queue);
    sl_clReleaseContext(context);
    return unloaded == before + 1 ? 0 : -1;
}

static cl_mem make_image(cl_mem_flags flags, cl_mem_object_type type)
{
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = type, .image_width = 16, .image_height = 16};
    if (type == CL_MEM_OBJECT_IMAGE1D)
        desc.image_height = 0;
    return sl_clCreateImage(context, flags, &format, &desc, NULL, NULL);
}

static void set_all(cl_mem image, cl_sampler sampler)
{
    cl_int4 value = {{1, 2, 3, 4}};
    assert_int_equal(sl_clSetKernelArg(kernel, VALUE, sizeof value, &value), 0);
    assert_int_equal(sl_clSetKernelArg(kernel, BUFFER, sizeof buffer, &buffer), 0);
    assert_int_equal(sl_clSetKernelArg(kernel, LOCAL_A, 20, NULL), 0);
    assert_int_equal(sl_clSetKernelArg(kernel, LOCAL_B, 300, NULL), 0);
    assert_int_equal(sl_clSetKernelArg(kernel, IMAGE, sizeof image, &image), 0);
    assert_int_equal(sl_clSetKernelArg(kernel, SAMPLER, sizeof sampler, &sampler), 0);
}

static void test_refused(void **state)
{
    cl_int value[4] = {0};
    cl_mem foreign = (cl_mem)(void *)kernel, null = NULL;
    (void)state;
    assert_int_equal(sl_clSetKernelArg(NULL, 0, 4, value), CL_INVALID_KERNEL);
    assert_int_equal(sl_clSetKernelArg(kernel, ARGS, 4, value), CL_INVALID_ARG_INDEX);
    assert_int_equal(sl_clSetKernelArg(kernel, VALUE, 4, value), CL_INVALID_ARG_SIZE);
    assert_int_equal(sl_clSetKernelArg(kernel, VALUE, 16, NULL), CL_INVALID_ARG_VALUE);
    assert_int_equal(sl_clSetKernelArg(kernel, BUFFER, 4, &buffer), CL_INVALID_ARG_SIZE);
    assert_int_equal(sl_clSetKernelArg(kernel, BUFFER, 8, &foreign), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clSetKernelArg(kernel, BUFFER, 8, NULL), CL_SUCCESS);
    assert_int_equal(sl_clSetKernelArg(kernel, BUFFER, 8, &null), CL_SUCCESS);
    assert_int_equal(sl_clSetKernelArg(kernel, LOCAL_A, 0, NULL), CL_INVALID_ARG_SIZE);
    assert_int_equal(sl_clSetKernelArg(kernel, LOCAL_A, 8, value), CL_INVALID_ARG_VALUE);
    assert_int_equal(sl_clSetKernelArg(kernel, IMAGE, 8, &buffer), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clSetKernelArg(kernel, IMAGE, 8, NULL), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clSetKernelArg(kernel, SAMPLER, 8, &buffer), CL_INVALID_SAMPLER);
    assert_int_equal(sl_clSetKernelArg(kernel, SAMPLER, 4, &buffer), CL_INVALID_ARG_SIZE);
}

static void test_other_context(void **state)
{
    cl_context other = fake_context(fake_device(FAKE_INLINE));
    cl_mem stranger = sl_clCreateBuffer(other, 0, 64, NULL, NULL);
    (void)state;
    assert_int_equal(sl_clSetKernelArg(kernel, BUFFER, 8, &stranger), CL_INVALID_CONTEXT);
    sl_clReleaseMemObject(stranger);
    sl_clReleaseContext(other);
}

static void test_images(void **state)
{
    cl_mem line = make_image(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE1D);
    cl_mem unreadable = make_image(CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D);
    cl_mem good = make_image(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D);
    (void)state;
    assert_true(line && unreadable && good);
    assert_int_equal(sl_clSetKernelArg(kernel, IMAGE, 8, &line), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clSetKernelArg(kernel, IMAGE, 8, &unreadable), CL_INVALID_ARG_VALUE);
    assert_int_equal(sl_clSetKernelArg(kernel, IMAGE, 8, &good), CL_SUCCESS);
    assert_int_equal(sl_clSetKernelArg(kernel, BUFFER, 8, &good), CL_INVALID_MEM_OBJECT);
    sl_clReleaseMemObject(line);
    sl_clReleaseMemObject(unreadable);
    sl_clReleaseMemObject(good);
}

static uint64_t word(const void *block, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)block + offset, sizeof value);
    return value;
}

static void test_snapshot(void **state)
{
    cl_mem image = make_image(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D);
    cl_sampler sampler =
        sl_clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, NULL);
    cl_event command;
    (void)state;
    assert_non_null(image);
    assert_non_null(sampler);
    set_all(image, sampler);
    sl_clReleaseSampler(sampler); /* only its bits are needed */
    assert_int_equal(sl_command_create(queue, CL_COMMAND_NDRANGE_KERNEL, SL_HOW_DEVICE, &command),
                     0);
    assert_int_equal(sl_args_snapshot(kernel, &kernel->on[0], command), 0);
    cl_int4 later = {{9, 9, 9, 9}};
    assert_int_equal(sl_clSetKernelArg(kernel, VALUE, sizeof later, &later), 0);

    const struct sl_launch_args *launch = &command->work.u.kernel;
    const cl_int *value = launch->args;
    assert_int_equal((uintptr_t)launch->args % 128, 0);
    assert_int_equal(value[0], 1);
    assert_int_equal(value[3], 4);
    assert_int_equal(word(launch->args, 16), (uintptr_t)buffer->host);
    assert_int_equal(word(launch->args, 24), 128);
    assert_int_equal(word(launch->args, 32), 256);
    assert_int_equal(launch->local_bytes, 640); /* 256 + 300 up to the next 128 */
    assert_int_equal(word(launch->args, 40), (uintptr_t)&image->image);
    assert_int_equal(word(launch->args, 48),
                     SL_SAMPLER_NORMALIZED | SL_SAMPLER_ADDRESS_CLAMP | SL_SAMPLER_FILTER_LINEAR);
    assert_int_equal(launch->memory_count, 2);
    assert_ptr_equal(launch->memories[0].memory, buffer->memory);
    assert_int_equal(launch->memories[0].arg_index, BUFFER);
    assert_int_equal(launch->memories[1].arg_index, IMAGE);
    assert_int_equal(command->held_count, 3); /* kernel, buffer, image */
    sl_command_abandon(command);
    sl_clReleaseMemObject(image);
}

static cl_int launch(cl_kernel k, cl_uint dim, const size_t *offset, const size_t *global,
                     const size_t *local)
{
    return sl_clEnqueueNDRangeKernel(queue, k, dim, offset, global, local, 0, NULL, NULL);
}

static void test_unset(void **state)
{
    size_t one = 1;
    (void)state;
    assert_int_equal(launch(kernel, 1, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS);
    assert_int_equal(launch(kernel, 9, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS);
}

static void test_local_memory(void **state)
{
    cl_mem image = make_image(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D);
    cl_sampler sampler =
        sl_clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, NULL);
    size_t one = 1;
    cl_ulong bytes;
    (void)state;
    set_all(image, sampler);
    assert_int_equal(launch(kernel, 1, NULL, &one, NULL), CL_SUCCESS);
    assert_int_equal(sl_clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE,
                                                 sizeof bytes, &bytes, NULL),
                     0);
    assert_int_equal(bytes, 256 + 300); /* 100, 20 and 300, each from a multiple of 128 */
    sl_clSetKernelArg(kernel, LOCAL_B, 4096 - 256, NULL);
    assert_int_equal(launch(kernel, 1, NULL, &one, NULL), CL_SUCCESS);
    sl_clSetKernelArg(kernel, LOCAL_B, 4096 - 255, NULL);
    assert_int_equal(launch(kernel, 1, NULL, &one, NULL), CL_OUT_OF_RESOURCES);
    sl_clSetKernelArg(kernel, LOCAL_B, SIZE_MAX, NULL);
    assert_int_equal(launch(kernel, 1, NULL, &one, NULL), CL_OUT_OF_RESOURCES);
    sl_clReleaseSampler(sampler);
    sl_clReleaseMemObject(image);
    assert_int_equal(sl_clFinish(queue), CL_SUCCESS);
}

static void test_ranges(void **state)
{
    cl_kernel none = sl_clCreateKernel(program, "none", NULL);
    size_t g[3] = {64, 4, 2}, l[3] = {16, 2, 1}, zero[3] = {0, 1, 1}, o[3] = {SIZE_MAX - 10, 0, 0};
    size_t huge[3] = {(size_t)1 << 40, (size_t)1 << 40, 1}, five[3] = {5, 1, 1};
    size_t big[3] = {1, 1, 17}, wide[3] = {64, 1, 1}, odd[3] = {1, 1, 17};
    (void)state;
    assert_non_null(none);
    assert_int_equal(launch(none, 3, NULL, g, l), CL_SUCCESS);
    assert_int_equal(launch(none, 0, NULL, g, l), CL_INVALID_WORK_DIMENSION);
    assert_int_equal(launch(none, 4, NULL, g, l), CL_INVALID_WORK_DIMENSION);
    assert_int_equal(launch(none, 3, NULL, NULL, NULL), CL_SUCCESS);
    assert_int_equal(launch(none, 3, NULL, zero, NULL), CL_SUCCESS);
    assert_int_equal(launch(none, 2, NULL, huge, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    assert_int_equal(launch(none, 1, o, g, NULL), CL_INVALID_GLOBAL_OFFSET);
    assert_int_equal(launch(none, 3, NULL, g, zero), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(launch(none, 1, NULL, g, five), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(launch(none, 1, NULL, g, wide), CL_INVALID_WORK_GROUP_SIZE); /* above 32 */
    assert_int_equal(launch(none, 3, NULL, odd, big), CL_INVALID_WORK_ITEM_SIZE);
    assert_int_equal(sl_clFinish(queue), CL_SUCCESS);
    sl_clReleaseKernel(none);
}

static void test_required(void **state)
{
    cl_kernel required = sl_clCreateKernel(program, "required", NULL);
    size_t g[2] = {16, 4}, good[2] = {8, 2}, bad[2] = {4, 2}, odd[2] = {12, 4}, size[3];
    (void)state;
    assert_int_equal(launch(required, 2, NULL, g, good), CL_SUCCESS);
    assert_int_equal(launch(required, 2, NULL, g, NULL), CL_SUCCESS);
    assert_int_equal(launch(required, 2, NULL, g, bad), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(launch(required, 2, NULL, odd, NULL), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(launch(required, 1, NULL, g, NULL), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(sl_clEnqueueTask(queue, required, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(sl_clGetKernelWorkGroupInfo(required, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                                 sizeof size, size, NULL),
                     0);
    assert_int_equal(size[0], 8);
    assert_int_equal(size[1], 2);
    assert_int_equal(size[2], 1);
    assert_int_equal(sl_clFinish(queue), CL_SUCCESS);
    sl_clReleaseKernel(required);
}

static void test_clone(void **state)
{
    cl_int code;
    cl_int4 value = {{1, 2, 3, 4}}, other = {{5, 6, 7, 8}};
    (void)state;
    sl_clSetKernelArg(kernel, VALUE, sizeof value, &value);
    cl_kernel clone = sl_clCloneKernel(kernel, &code);
    assert_int_equal(code, CL_SUCCESS);
    sl_clSetKernelArg(kernel, VALUE, sizeof other, &other);
    assert_memory_equal(clone->block, &value, sizeof value);
    assert_true(clone->args[VALUE].set);
    assert_false(clone->args[BUFFER].set);
    assert_int_equal(program->kernel_count, 2);
    sl_clReleaseKernel(clone);
    assert_int_equal(program->kernel_count, 1);
    assert_null(sl_clCloneKernel(NULL, &code));
    assert_int_equal(code, CL_INVALID_KERNEL);
}

/* Kernels count as attached until the application lets go, commands or not. */
static void test_attached(void **state)
{
    cl_kernel none = sl_clCreateKernel(program, "none", NULL);
    (void)state;
    sl_hold(none);
    assert_int_equal(sl_clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(program->kernel_count, 2);
    sl_clReleaseKernel(none);
    assert_int_equal(program->kernel_count, 1);
    sl_drop(none);
    assert_int_equal(program->kernel_count, 1);
}

/* Stack of a thread, and contexts of all items of a group: known before anything is queued. */
static void test_private_memory(void **state)
{
    const size_t size[] = {8, 4};
    cl_kernel none = sl_clCreateKernel(program, "none", NULL);
    (void)state;
    caps->global_mem_bytes = (uint64_t)8 << 30;
    caps->max_stack_bytes = 999;
    assert_int_equal(launch(none, 1, NULL, size, size), CL_OUT_OF_RESOURCES);
    caps->max_stack_bytes = 1000;
    assert_int_equal(launch(none, 1, NULL, size, size), CL_SUCCESS);
    assert_int_equal(launch(none, 2, NULL, size, size), CL_OUT_OF_RESOURCES);
    caps->global_mem_bytes = (uint64_t)32 << 30;
    assert_int_equal(launch(none, 2, NULL, size, size), CL_SUCCESS);
    assert_int_equal(sl_clFinish(queue), CL_SUCCESS);
    caps->max_stack_bytes = 0;
    sl_clReleaseKernel(none);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_refused),        TEST(test_other_context), TEST(test_images),
        TEST(test_snapshot),       TEST(test_unset),         TEST(test_local_memory),
        TEST(test_private_memory), TEST(test_ranges),        TEST(test_required),
        TEST(test_clone),          TEST(test_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
