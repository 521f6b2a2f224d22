/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipe objects on a device whose kernels are played by the test: creation, what is refused, binding
 * to kernel arguments. Their host's end: pipe_end_test.c.
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
#include "fake_pipe.h"
#include "memory/buffer.h"
#include "platform/device.h"

static const struct sl_pipe_arg plain4 = {4, 4, 0, 0, NULL};
static const struct sl_pipe_arg host8 = {4, 4, 8, SL_PIPE_HOST, NULL};
enum { READS, WRITES, HOST_IN, HOST_OUT, BUFFER, ARGS };
#define PIPE_ARG(n, access, offset, facts)                                                         \
    {n, "int", SL_ARG_PIPE, SL_ADDRESS_GLOBAL, access, SL_QUAL_PIPE, 8, offset, 8, facts}
static const struct sl_arg_info args[ARGS] = {
    PIPE_ARG("r", SL_ACCESS_READ_ONLY, 0, &plain4),
    PIPE_ARG("w", SL_ACCESS_WRITE_ONLY, 8, &plain4),
    PIPE_ARG("hr", SL_ACCESS_READ_ONLY, 16, &host8),
    PIPE_ARG("hw", SL_ACCESS_WRITE_ONLY, 24, &host8),
    {"b", "int*", SL_ARG_GLOBAL, SL_ADDRESS_GLOBAL, SL_ACCESS_NONE, 0, 8, 32, 8, NULL},
};
#define TEXTS .attributes = "", .vec_type_hint = ""
static const struct sl_kernel_info kernels[] = {
    {.name = "any",
     .args = args,
     TEXTS,
     .arg_count = ARGS,
     .args_bytes = 40,
     .flags = SL_KERNEL_HAS_ARG_INFO | SL_KERNEL_USES_PIPES | SL_KERNEL_PIPE_ARGS},
    {.name = "auto", TEXTS, .flags = SL_KERNEL_AUTORUN},
    {.name = "auto", TEXTS, .flags = SL_KERNEL_AUTORUN | SL_KERNEL_COPY, .compute_unit = {1}},
    {.name = "flat", TEXTS, .work_dim_limit = 2, .flags = SL_KERNEL_NO_OFFSET},
    {.name = "group", TEXTS, .max_size = {4, 2, 1}},
    {.name = "same", .args = args, TEXTS, .arg_count = ARGS, .args_bytes = 40},
    {.name = "single", TEXTS, .work_dim_limit = 1},
};
static const struct sl_module_info module = {.abi = SL_MODULE_ABI,
                                             .size = sizeof module,
                                             .kernel_count = sizeof kernels / sizeof *kernels,
                                             .kernels = kernels};

static void code_unload(struct sl_code *code)
{
    (void)code;
}
static const struct sl_device_ops code_ops = {.code_unload = code_unload};
static struct sl_device code_device = {.ops = &code_ops};

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffer;
static struct sl_device_caps *caps;

static int setup(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_INLINE);
    caps = &device->impl->caps;
    caps->features |= SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW;
    caps->max_work_group_size = 256;
    for (int i = 0; i < 3; i++)
        caps->max_work_item_sizes[i] = 256;
    caps->local_mem_bytes = 4096;
    context = fake_context(device);
    queue = sl_clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    program = sl_program_new(context, 1, &device, SL_FROM_SOURCE);
    program->builds[0].status = CL_BUILD_SUCCESS;
    struct sl_code_ref *ref = sl_zalloc(sizeof *ref);
    ref->device = &code_device;
    ref->info = &module;
    atomic_init(&ref->refs, 1);
    program->builds[0].code = ref;
    kernel = sl_clCreateKernel(program, "any", NULL);
    buffer = sl_clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    return context && queue && kernel && buffer ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    sl_clReleaseMemObject(buffer);
    sl_clReleaseKernel(kernel);
    sl_clReleaseProgram(program);
    sl_clReleaseCommandQueue(queue);
    sl_clReleaseContext(context);
    caps->features &= ~(uint32_t)(SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW);
    return atomic_load(&fake_pipes) ? -1 : 0;
}

static cl_mem make(cl_mem_flags flags, cl_uint packet, cl_uint packets)
{
    cl_int rc = 1;
    cl_mem mem = sl_clCreatePipe(context, flags, packet, packets, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    assert_non_null(mem);
    return mem;
}

static void not_made(cl_int want, cl_context where, cl_mem_flags flags, cl_uint packet,
                     cl_uint packets, const cl_pipe_properties *list)
{
    cl_int rc = 1;
    assert_null(sl_clCreatePipe(where, flags, packet, packets, list, &rc));
    assert_int_equal(rc, want);
}

static void test_create(void **state)
{
    (void)state;
    const cl_pipe_properties none[] = {0};
    const cl_mem_flags hosts = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
    not_made(CL_INVALID_CONTEXT, NULL, ~0u, 0, 0, none);
    caps->features &= ~(uint32_t)(SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW);
    not_made(CL_INVALID_OPERATION, context, ~0u, 0, 0, none);
    caps->features |= SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW;
    not_made(CL_INVALID_VALUE, context, CL_MEM_READ_ONLY, 0, 0, NULL);
    not_made(CL_INVALID_VALUE, context, CL_MEM_USE_HOST_PTR, 4, 1, NULL);
    not_made(CL_INVALID_VALUE, context, hosts, 4, 1, NULL);
    not_made(CL_INVALID_VALUE, context, CL_MEM_HOST_READ_ONLY | CL_MEM_READ_WRITE, 4, 1, NULL);
    not_made(CL_INVALID_VALUE, context, 0, 0, 0, none);
    not_made(CL_INVALID_PIPE_SIZE, context, 0, 0, 1, NULL);
    not_made(CL_INVALID_PIPE_SIZE, context, 0, 4, 0, NULL);
    not_made(CL_INVALID_PIPE_SIZE, context, 0, 64 * 1024 + 1, 1, NULL);
    static const cl_mem_flags good[] = {0,
                                        CL_MEM_READ_WRITE,
                                        CL_MEM_HOST_NO_ACCESS,
                                        CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS,
                                        CL_MEM_HOST_READ_ONLY,
                                        CL_MEM_HOST_WRITE_ONLY};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(sl_clReleaseMemObject(make(good[i], 64 * 1024, 3)), CL_SUCCESS);
}

static void test_queries(void **state)
{
    (void)state;
    cl_mem mem = make(0, 12, 7);
    cl_uint word = 0;
    size_t size = 1;
    cl_mem_flags flags = 0;
    assert_int_equal(sl_clGetPipeInfo(mem, CL_PIPE_PACKET_SIZE, 4, &word, &size), 0);
    assert_int_equal(word, 12);
    assert_int_equal(size, 4);
    assert_int_equal(sl_clGetPipeInfo(mem, CL_PIPE_MAX_PACKETS, 4, &word, NULL), 0);
    assert_int_equal(word, 7);
    assert_int_equal(sl_clGetPipeInfo(mem, CL_PIPE_PROPERTIES, 0, NULL, &size), 0);
    assert_int_equal(size, 0);
    assert_int_equal(sl_clGetPipeInfo(mem, CL_PIPE_PACKET_SIZE, 3, &word, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clGetPipeInfo(mem, CL_MEM_SIZE, 4, &word, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &word, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, 4, &word, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clGetMemObjectInfo(mem, CL_MEM_TYPE, 4, &word, NULL), 0);
    assert_int_equal(word, CL_MEM_OBJECT_PIPE);
    assert_int_equal(sl_clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof size, &size, NULL), 0);
    assert_int_equal(size, 84);
    assert_int_equal(sl_clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL), 0);
    assert_int_equal(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    sl_clReleaseMemObject(mem);
}

static void test_device_queries(void **state)
{
    (void)state;
    static const struct {
        cl_device_info key;
        cl_uint want;
    } rows[] = {
        {CL_DEVICE_PIPE_SUPPORT, CL_TRUE},
        {CL_DEVICE_MAX_PIPE_ARGS, 16},
        {CL_DEVICE_PIPE_MAX_PACKET_SIZE, 64 * 1024},
        {CL_DEVICE_KERNEL_KERNEL_PIPE_SUPPORT_SLUICE, CL_TRUE},
        {CL_DEVICE_KERNEL_HOST_PIPE_SUPPORT_SLUICE, CL_TRUE},
        {CL_DEVICE_MAX_HOST_READ_PIPES_SLUICE, 65536},
        {CL_DEVICE_MAX_HOST_WRITE_PIPES_SLUICE, 65536},
    };
    cl_device_id device = fake_device(FAKE_INLINE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_uint got = 77;
        size_t size = 0;
        assert_int_equal(sl_clGetDeviceInfo(device, rows[i].key, sizeof got, &got, &size), 0);
        assert_int_equal(size, 4);
        assert_int_equal(got, rows[i].want);
        caps->features &= ~(uint32_t)(SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW);
        assert_int_equal(sl_clGetDeviceInfo(device, rows[i].key, sizeof got, &got, NULL), 0);
        assert_int_equal(got, 0);
        caps->features |= SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW;
    }
}

static void test_no_buffer(void **state)
{
    (void)state;
    cl_mem mem = make(0, 4, 64);
    char bytes[16] = {0};
    cl_int rc = 0;
    const cl_int want = CL_INVALID_MEM_OBJECT;
    const cl_buffer_region region = {0, 16};
    const size_t zero[3] = {0}, one[3] = {4, 1, 1};
    assert_int_equal(sl_clEnqueueReadBuffer(queue, mem, 1, 0, 4, bytes, 0, NULL, NULL), want);
    assert_int_equal(sl_clEnqueueWriteBuffer(queue, mem, 1, 0, 4, bytes, 0, NULL, NULL), want);
    assert_int_equal(sl_clEnqueueFillBuffer(queue, mem, bytes, 4, 0, 4, 0, NULL, NULL), want);
    assert_int_equal(sl_clEnqueueCopyBuffer(queue, mem, buffer, 0, 0, 4, 0, NULL, NULL), want);
    assert_int_equal(sl_clEnqueueCopyBuffer(queue, buffer, mem, 0, 0, 4, 0, NULL, NULL), want);
    assert_int_equal(sl_clEnqueueReadBufferRect(queue, mem, 1, zero, zero, one, 0, 0, 0, 0, bytes,
                                                0, NULL, NULL),
                     want);
    assert_int_equal(sl_clEnqueueReadImage(queue, mem, 1, zero, one, 0, 0, bytes, 0, NULL, NULL),
                     want);
    assert_null(sl_clEnqueueMapBuffer(queue, mem, 1, CL_MAP_READ, 0, 4, 0, NULL, NULL, &rc));
    assert_int_equal(rc, want);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, bytes, 0, NULL, NULL), want);
    assert_null(sl_clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc));
    assert_int_equal(rc, want);
    sl_clReleaseMemObject(mem);
}

/* ---- kernel arguments ------------------------------------------------------------------------ */

static cl_int set(cl_uint index, cl_mem mem)
{
    return sl_clSetKernelArg(kernel, index, sizeof mem, &mem);
}

static void test_argument_checks(void **state)
{
    (void)state;
    cl_mem four = make(0, 4, 16), eight = make(0, 8, 16), foreign = (cl_mem)(void *)kernel;
    cl_mem in = make(CL_MEM_HOST_WRITE_ONLY, 4, 8), out = make(CL_MEM_HOST_READ_ONLY, 4, 8);
    cl_mem deep = make(CL_MEM_HOST_WRITE_ONLY, 4, 9);
    assert_int_equal(sl_clSetKernelArg(kernel, READS, 4, &four), CL_INVALID_ARG_SIZE);
    assert_int_equal(sl_clSetKernelArg(kernel, READS, 8, NULL), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(READS, NULL), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(READS, foreign), CL_INVALID_MEM_OBJECT);
    assert_int_equal(set(READS, buffer), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(BUFFER, four), CL_INVALID_MEM_OBJECT);
    assert_int_equal(set(READS, eight), CL_INVALID_ARG_SIZE);
    assert_int_equal(set(READS, in), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(HOST_IN, four), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(HOST_IN, out), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(HOST_OUT, in), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(HOST_IN, deep), CL_INVALID_ARG_VALUE);
    assert_int_equal(set(READS, four), CL_SUCCESS);
    assert_int_equal(set(WRITES, four), CL_SUCCESS);
    assert_int_equal(set(HOST_IN, in), CL_SUCCESS);
    assert_int_equal(set(HOST_OUT, out), CL_SUCCESS);
    sl_clReleaseMemObject(four);
    sl_clReleaseMemObject(eight);
    sl_clReleaseMemObject(in);
    sl_clReleaseMemObject(out);
    sl_clReleaseMemObject(deep);
}

static void test_bound_once(void **state)
{
    (void)state;
    cl_mem in = make(CL_MEM_HOST_WRITE_ONLY, 4, 8);
    cl_kernel again = sl_clCreateKernel(program, "any", NULL);
    cl_kernel same = sl_clCreateKernel(program, "same", NULL);
    assert_int_equal(set(HOST_IN, in), CL_SUCCESS);
    assert_int_equal(set(HOST_IN, in), CL_SUCCESS);
    assert_int_equal(sl_clSetKernelArg(again, HOST_IN, sizeof in, &in), CL_SUCCESS);
    assert_int_equal(sl_clSetKernelArg(same, HOST_IN, sizeof in, &in), CL_INVALID_ARG_VALUE);
    sl_clReleaseKernel(same);
    sl_clReleaseKernel(again);
    sl_clReleaseMemObject(in);
}

static void test_snapshot(void **state)
{
    (void)state;
    cl_mem four = make(0, 4, 16);
    struct sl_pipe *ring = fake_last_pipe;
    cl_mem in = make(CL_MEM_HOST_WRITE_ONLY, 4, 8), out = make(CL_MEM_HOST_READ_ONLY, 4, 8);
    cl_event command;
    uint64_t words[5];
    assert_int_equal(set(READS, four) | set(WRITES, four) | set(HOST_IN, in) | set(HOST_OUT, out) |
                         set(BUFFER, buffer),
                     0);
    assert_int_equal(sl_command_create(queue, CL_COMMAND_NDRANGE_KERNEL, SL_HOW_DEVICE, &command),
                     0);
    assert_int_equal(sl_args_snapshot(kernel, &kernel->on[0], command), 0);
    memcpy(words, command->work.u.kernel.args, sizeof words);
    assert_int_equal(words[READS], (uintptr_t)fake_pipe_ring(ring));
    assert_int_equal(words[WRITES], words[READS]);
    assert_int_not_equal(words[HOST_IN], words[HOST_OUT]);
    /* the command holds them */
    sl_clReleaseMemObject(four);
    sl_clReleaseMemObject(in);
    assert_int_equal(atomic_load(&fake_pipes), 3);
    sl_command_abandon(command);
    assert_int_equal(atomic_load(&fake_pipes), 1);
    /* and what was released is no argument any more */
    assert_int_equal(sl_command_create(queue, CL_COMMAND_NDRANGE_KERNEL, SL_HOW_DEVICE, &command),
                     0);
    assert_int_equal(sl_args_snapshot(kernel, &kernel->on[0], command), CL_INVALID_KERNEL_ARGS);
    sl_command_abandon(command);
    sl_clReleaseMemObject(out);
}

static void test_argument_info(void **state)
{
    (void)state;
    cl_kernel_arg_type_qualifier type = 0;
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_address_qualifier address = 0;
    char name[8];
    const cl_uint i = WRITES;
    assert_int_equal(
        sl_clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, NULL),
        0);
    assert_int_equal(type, CL_KERNEL_ARG_TYPE_PIPE);
    assert_int_equal(sl_clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                                           &access, NULL),
                     0);
    assert_int_equal(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    assert_int_equal(sl_clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                           sizeof address, &address, NULL),
                     0);
    assert_int_equal(address, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    assert_int_equal(
        sl_clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL), 0);
    assert_string_equal(name, "int");
}

/* ---- attributes ------------------------------------------------------------------------------ */

static cl_int launch(const char *name, cl_uint dim, const size_t *offset, const size_t *global,
                     const size_t *local)
{
    cl_kernel k = sl_clCreateKernel(program, name, NULL);
    cl_int rc = sl_clEnqueueNDRangeKernel(queue, k, dim, offset, global, local, 0, NULL, NULL);
    sl_clReleaseKernel(k);
    return rc;
}

static void test_attributes(void **state)
{
    (void)state;
    const size_t one[3] = {1, 1, 1}, line[3] = {8, 1, 1}, plane[3] = {8, 2, 1}, off[3] = {1, 0, 0};
    const size_t none[3] = {0}, wide[3] = {8, 1, 1}, legal[3] = {4, 2, 1};
    assert_int_equal(launch("single", 1, NULL, one, NULL), CL_SUCCESS);
    assert_int_equal(launch("single", 3, none, one, one), CL_SUCCESS);
    assert_int_equal(launch("single", 1, NULL, line, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    assert_int_equal(launch("single", 1, off, one, NULL), CL_INVALID_GLOBAL_OFFSET);
    assert_int_equal(launch("flat", 2, NULL, line, NULL), CL_SUCCESS);
    assert_int_equal(launch("flat", 2, NULL, plane, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    assert_int_equal(launch("flat", 1, off, line, NULL), CL_INVALID_GLOBAL_OFFSET);
    assert_int_equal(launch("flat", 1, none, line, NULL), CL_SUCCESS);
    assert_int_equal(launch("group", 1, NULL, line, wide), CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(launch("group", 2, NULL, plane, legal), CL_SUCCESS);
    assert_int_equal(launch("group", 2, NULL, plane, NULL), CL_SUCCESS);
    assert_int_equal(launch("auto", 1, NULL, one, NULL), CL_INVALID_OPERATION);
}

static void test_copies_are_not_seen(void **state)
{
    (void)state;
    enum { VISIBLE = sizeof kernels / sizeof *kernels - 1 };
    cl_kernel all[VISIBLE];
    cl_uint count = 0;
    size_t wide = 0;
    char names[100];
    assert_int_equal(sl_clCreateKernelsInProgram(program, VISIBLE - 1, all, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clCreateKernelsInProgram(program, VISIBLE, all, &count), CL_SUCCESS);
    assert_int_equal(count, VISIBLE);
    for (cl_uint i = 0; i < count; i++)
        sl_clReleaseKernel(all[i]);
    assert_int_equal(sl_clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof wide, &wide, NULL),
                     0);
    assert_int_equal(wide, VISIBLE);
    assert_int_equal(
        sl_clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL), 0);
    assert_string_equal(names, "any;auto;flat;group;same;single");
}

static void CL_CALLBACK destroyed(cl_mem mem, void *data)
{
    (void)mem;
    *(int *)data = atomic_load(&fake_pipes);
}

static void test_destructor(void **state)
{
    (void)state;
    cl_mem mem = make(0, 4, 4);
    int pipes = -1;
    assert_int_equal(sl_clSetMemObjectDestructorCallback(mem, destroyed, &pipes), CL_SUCCESS);
    assert_int_equal(sl_clRetainMemObject(mem), CL_SUCCESS);
    assert_int_equal(sl_clReleaseMemObject(mem), CL_SUCCESS);
    assert_int_equal(pipes, -1);
    assert_int_equal(sl_clReleaseMemObject(mem), CL_SUCCESS);
    assert_int_equal(pipes, 1);
    assert_int_equal(atomic_load(&fake_pipes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),          cmocka_unit_test(test_queries),
        cmocka_unit_test(test_device_queries),  cmocka_unit_test(test_no_buffer),
        cmocka_unit_test(test_argument_checks), cmocka_unit_test(test_bound_once),
        cmocka_unit_test(test_snapshot),        cmocka_unit_test(test_argument_info),
        cmocka_unit_test(test_attributes),      cmocka_unit_test(test_copies_are_not_seen),
        cmocka_unit_test(test_destructor),
    };
    return cmocka_run_group_tests_name("pipe", tests, setup, teardown);
}
