/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_command_buffer_mutable_dispatch: what an update changes, against plain C, and what it does
 * not. */
#include "command_buffer_help.h"
#include "reference.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { COUNT = 523 };

static const char source[] =
    "kernel void add(global uint *x, uint a) { x[get_global_id(0)] += a; }\n"
    "kernel void sizes(global uint *x) {\n"
    "    size_t i = get_global_id(0) - get_global_offset(0);\n"
    "    x[i] = (uint)(get_global_size(0) * 1000000 + get_local_size(0) * 1000\n"
    "           + get_global_offset(0)); }\n"
    "kernel void sum(global uint *to, global const uint *a, local uint *scratch) {\n"
    "    scratch[get_local_id(0)] = a[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0)) return;\n"
    "    uint all = 0;\n"
    "    for (size_t i = 0; i < get_local_size(0); i++) all += scratch[i];\n"
    "    to[get_group_id(0)] = all; }\n";

static const uint32_t zeros[COUNT];
static uint32_t got[COUNT];
static const cl_command_buffer_flags_khr both =
    CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR;

static cl_mem words(void)
{
    return new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zeros, (void *)(uintptr_t)zeros);
}

static cl_kernel adding(cl_program program, cl_mem x, cl_uint a)
{
    cl_kernel kernel = kernel_of(program, "add");
    ARG(kernel, 0, x);
    ARG(kernel, 1, a);
    return kernel;
}

/* The first `count` words have the value, the others are 0. */
static void check_words(cl_mem x, size_t count, uint32_t value)
{
    size_t wrong = 0;
    read_back(x, sizeof got, got);
    for (size_t i = 0; i < COUNT; i++)
        wrong += got[i] != (i < count ? value : 0);
    CHECK_EQ(wrong, 0);
}

static cl_mutable_dispatch_arg_khr number(const cl_uint *value)
{
    return (cl_mutable_dispatch_arg_khr){1, sizeof *value, value};
}

/* ---- what changes ---------------------------------------------------------------------------- */

static void arguments(void)
{
    cb_need();
    cl_program program = built(source, NULL);
    cl_mem x = words(), y = words();
    cl_uint values[] = {3, 40, 500, 6000};
    cl_kernel kernel = adding(program, x, values[0]);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    cl_mutable_command_khr first = cb_mutable(buffer, kernel, COUNT);
    cb_launch(buffer, kernel, 9, 0, NULL); /* has no handle: stays as it is */
    cb_finalize(buffer);
    cb_run(buffer);
    read_back(x, sizeof got, got);
    CHECK(got[0] == 6 && got[8] == 6 && got[9] == 3 && got[COUNT - 1] == 3);
    const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof y, &y}, number(&values[1])};
    CHECK_OK(cb_update(buffer, &(cl_mutable_dispatch_config_sluice){
                                   .command = first, .num_args = 2, .arg_list = args}));
    ARG(kernel, 1, values[3]); /* the kernel and its command have parted */
    for (int i = 1; i < 4; i++) {
        cb_run(buffer);
        check_words(y, COUNT, 40u * (unsigned)i);
    }
    read_back(x, sizeof got, got);
    CHECK(got[0] == 15 && got[8] == 15 && got[9] == 3);
    run_1d(kernel, COUNT, 0);
    read_back(x, sizeof got, got);
    CHECK(got[0] == 6015 && got[9] == 6003);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
}

static void check_range(cl_mutable_command_khr command, size_t offset, size_t global, size_t local)
{
    const cl_mutable_command_info_khr names[] = {CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR,
                                                 CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
                                                 CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR};
    const size_t want[] = {offset, global, local};
    for (size_t i = 0; i < LEN(names); i++) {
        size_t value = 99, size = 0;
        CHECK_OK(cb.command_info(command, names[i], sizeof value, &value, &size));
        CHECK_EQ(size, sizeof value);
        CHECK_EQ(value, want[i]);
    }
}

static void ranges(void)
{
    cb_need();
    static const size_t steps[][3] = {{0, 504, 7}, {5, 500, 4}, {1000, 8, 8}, {3, 33, 11}};
    cl_mem x = words();
    cl_kernel kernel = new_kernel(source, "sizes", NULL);
    const size_t global = 12, local = 3;
    cl_mutable_command_khr command;
    ARG(kernel, 0, x);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    REQUIRE_OK(
        cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &global, &local, 0, NULL, NULL, &command));
    cb_finalize(buffer);
    check_range(command, 0, 12, 3);
    for (size_t s = 0; s < LEN(steps); s++) {
        const cl_mutable_dispatch_config_sluice config = {.command = command,
                                                          .work_dim = s % 2,
                                                          .global_work_offset = &steps[s][0],
                                                          .global_work_size = &steps[s][1],
                                                          .local_work_size = &steps[s][2]};
        CHECK_OK(cb_update(buffer, &config));
        check_range(command, steps[s][0], steps[s][1], steps[s][2]);
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, x, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
        cb_run(buffer);
        check_words(x, steps[s][1],
                    (uint32_t)(steps[s][1] * 1000000 + steps[s][2] * 1000 + steps[s][0]));
    }
    /* one of the three alone */
    const size_t more = 44;
    CHECK_OK(cb_update(buffer, &(cl_mutable_dispatch_config_sluice){.command = command,
                                                                    .global_work_size = &more}));
    check_range(command, 3, 44, 11);
    cb_run(buffer);
    check_words(x, 44, 44011003);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

/* Local memory grows and shrinks with the local size. */
static void local_arguments(void)
{
    cb_need();
    static const size_t sizes[] = {4, 64, 1, 16};
    uint32_t numbers[512], sums[512];
    random_fill(numbers, sizeof numbers);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    cl_mem to = new_buffer(0, sizeof sums, NULL);
    cl_kernel kernel = new_kernel(source, "sum", NULL);
    const size_t global = 512, local = 8;
    cl_mutable_command_khr command;
    ARG(kernel, 0, to);
    ARG(kernel, 1, from);
    set_arg(kernel, 2, 8 * sizeof(cl_uint), NULL);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    REQUIRE_OK(
        cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &global, &local, 0, NULL, NULL, &command));
    cb_finalize(buffer);
    for (size_t s = 0; s < LEN(sizes); s++) {
        const cl_mutable_dispatch_arg_khr arg = {2, sizes[s] * sizeof(cl_uint), NULL};
        CHECK_OK(
            cb_update(buffer, &(cl_mutable_dispatch_config_sluice){.command = command,
                                                                   .num_args = 1,
                                                                   .arg_list = &arg,
                                                                   .local_work_size = &sizes[s]}));
        cb_run(buffer);
        read_back(to, sizeof sums, sums);
        for (size_t g = 0; g < global / sizes[s]; g++) {
            uint32_t all = 0;
            for (size_t i = 0; i < sizes[s]; i++)
                all += numbers[g * sizes[s] + i];
            CHECK_EQ(sums[g], all);
        }
    }
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void addresses(void)
{
    cb_need();
    cl_device_svm_capabilities svm = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
        check_skip("the device has no such shared virtual memory");
    uint32_t *at[2];
    cl_kernel kernel = new_kernel(source, "add", NULL);
    const cl_uint one = 1;
    for (int i = 0; i < 2; i++) {
        at[i] = clSVMAlloc(cl.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                           sizeof zeros, 0);
        REQUIRE(at[i]);
        memset(at[i], 0, sizeof zeros);
    }
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, at[0]));
    ARG(kernel, 1, one);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    cl_mutable_command_khr command = cb_mutable(buffer, kernel, COUNT);
    cb_finalize(buffer);
    cb_run(buffer);
    const cl_mutable_dispatch_arg_khr arg = {0, 0, at[1]};
    const cl_mutable_dispatch_exec_info_khr told = {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof at[0],
                                                    &at[0]};
    CHECK_OK(cb_update(buffer, &(cl_mutable_dispatch_config_sluice){.command = command,
                                                                    .num_svm_args = 1,
                                                                    .arg_svm_list = &arg,
                                                                    .num_exec_infos = 1,
                                                                    .exec_info_list = &told}));
    cb_run(buffer);
    cb_run(buffer);
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT; i++)
        wrong += at[0][i] != 1 || at[1][i] != 2;
    CHECK_EQ(wrong, 0);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    clSVMFree(cl.context, at[0]);
    clSVMFree(cl.context, at[1]);
}

/* ---- in one step ----------------------------------------------------------------------------- */

static cl_int update_two(cl_command_buffer_khr buffer,
                         const cl_mutable_dispatch_config_sluice configs[2])
{
    const cl_command_buffer_update_type_khr types[] = {
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE,
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE};
    const void *list[] = {&configs[0], &configs[1]};
    return cb.update(buffer, 2, types, list);
}

/* Two commands, and one command twice; and nothing of it if the second one is wrong. */
static void several(void)
{
    cb_need();
    cl_program program = built(source, NULL);
    cl_mem x = words();
    const cl_uint values[] = {1, 20, 300, 4000};
    const size_t size = 17, none = 0;
    cl_kernel kernel = adding(program, x, values[0]);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    cl_mutable_command_khr a = cb_mutable(buffer, kernel, COUNT), b = cb_mutable(buffer, kernel, 5);
    cb_finalize(buffer);
    const cl_mutable_dispatch_arg_khr args[] = {number(&values[1]), number(&values[2]),
                                                number(&values[3])};
    cl_mutable_dispatch_config_sluice configs[2] = {
        {.command = a, .num_args = 1, .arg_list = &args[0]},
        {.command = b, .num_args = 1, .arg_list = &args[1], .global_work_size = &size}};
    CHECK_OK(update_two(buffer, configs));
    cb_run(buffer);
    read_back(x, sizeof got, got);
    CHECK(got[0] == 320 && got[16] == 320 && got[17] == 20 && got[COUNT - 1] == 20);
    configs[0] = (cl_mutable_dispatch_config_sluice){.command = b, .global_work_size = &size};
    configs[1] =
        (cl_mutable_dispatch_config_sluice){.command = b, .num_args = 1, .arg_list = &args[2]};
    CHECK_OK(update_two(buffer, configs));
    cb_run(buffer);
    read_back(x, sizeof got, got);
    CHECK(got[0] == 4340 && got[17] == 40);
    configs[0] =
        (cl_mutable_dispatch_config_sluice){.command = a, .num_args = 1, .arg_list = &args[2]};
    configs[1] = (cl_mutable_dispatch_config_sluice){.command = b, .local_work_size = &none};
    FAILS(CL_INVALID_WORK_GROUP_SIZE, update_two(buffer, configs));
    check_range(b, 0, 17, 0);
    cb_run(buffer);
    read_back(x, sizeof got, got);
    CHECK(got[0] == 8360 && got[17] == 60);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
}

/* A replay that was enqueued before has the arguments of before. */
static void in_flight(void)
{
    cb_need();
    enum { ROUNDS = 20 };
    cl_int rc;
    cl_program program = built(source, NULL);
    cl_mem x = words();
    cl_uint value = 1, want = 0;
    cl_kernel kernel = adding(program, x, value);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    cl_mutable_command_khr command = cb_mutable(buffer, kernel, COUNT);
    cb_finalize(buffer);
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_OK(cb.enqueue(0, NULL, buffer, 1, &gate, NULL));
        want += value;
        value = value * 3 + 1;
        const cl_mutable_dispatch_arg_khr arg = number(&value);
        CHECK_OK(cb_update(buffer, &(cl_mutable_dispatch_config_sluice){
                                       .command = command, .num_args = 1, .arg_list = &arg}));
    }
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(cl.queue));
    check_words(x, COUNT, want);
    cb_run(buffer);
    check_words(x, COUNT, want + value);
    RELEASE_EVENT(gate);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
}

static atomic_int gone;

static void CL_CALLBACK on_gone(cl_mem mem, void *arg)
{
    (void)mem, (void)arg;
    atomic_store(&gone, 1);
}

/* What no command uses any more goes when the application has released it. */
static void replaced_memory(void)
{
    cb_need();
    cl_program program = built(source, NULL);
    cl_mem x = words(), y = words();
    cl_kernel kernel = adding(program, x, 1);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    cl_mutable_command_khr command = cb_mutable(buffer, kernel, COUNT);
    cb_finalize(buffer);
    cb_run(buffer);
    const cl_mutable_dispatch_arg_khr arg = {0, sizeof y, &y};
    CHECK_OK(clSetMemObjectDestructorCallback(x, on_gone, NULL));
    CHECK_OK(cb_update(buffer, &(cl_mutable_dispatch_config_sluice){
                                   .command = command, .num_args = 1, .arg_list = &arg}));
    CHECK_EQ(atomic_load(&gone), 0);
    RELEASE_MEM(x);
    for (double end = now_seconds() + 10; !atomic_load(&gone) && now_seconds() < end;)
        continue;
    CHECK_EQ(atomic_load(&gone), 1);
    cb_run(buffer);
    check_words(y, COUNT, 1);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(y);
}

/* Arguments may come when all is recorded; until then nothing can be enqueued. */
static void arguments_later(void)
{
    cb_need();
    const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                              CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    cl_mem x = words();
    const cl_uint value = 5;
    const size_t size = COUNT;
    cl_kernel kernel = new_kernel(source, "add", NULL);
    cl_mutable_command_khr command = NULL;
    cl_command_buffer_khr buffer = cb_new(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    FAILS(CL_INVALID_KERNEL_ARGS,
          cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL, &command));
    REQUIRE_OK(
        cb.launch(buffer, NULL, list, kernel, 1, NULL, &size, NULL, 0, NULL, NULL, &command));
    cb_finalize(buffer);
    const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof x, &x}, number(&value)};
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
        FAILS(CL_INVALID_OPERATION, cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
        CHECK_OK(cb_update(buffer, &(cl_mutable_dispatch_config_sluice){
                                       .command = command, .num_args = 1, .arg_list = &args[i]}));
    }
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    cb_run(buffer);
    check_words(x, COUNT, 5);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

/* ---- handles --------------------------------------------------------------------------------- */

static void queries(void)
{
    cb_need();
    const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                              CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0};
    const size_t global[3] = {6, 5, 4};
    cl_command_properties_khr back[4];
    cl_command_type type = 0;
    cl_uint dimensions = 0;
    size_t size = 0, three[3];
    void *handle = NULL;
    cl_mem x = words();
    cl_kernel kernel = new_kernel(source, "sizes", NULL);
    cl_mutable_command_khr command, plain;
    ARG(kernel, 0, x);
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    REQUIRE_OK(
        cb.launch(buffer, NULL, list, kernel, 3, NULL, global, NULL, 0, NULL, NULL, &command));
    REQUIRE_OK(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, global, NULL, 0, NULL, NULL, &plain));
    CHECK_OK(cb.command_info(command, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof handle, &handle,
                             NULL));
    CHECK(handle == (void *)cl.queue);
    CHECK_OK(cb.command_info(command, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, sizeof handle, &handle,
                             NULL));
    CHECK(handle == (void *)buffer);
    CHECK_OK(
        cb.command_info(command, CL_MUTABLE_DISPATCH_KERNEL_KHR, sizeof handle, &handle, NULL));
    CHECK(handle == (void *)kernel);
    CHECK_OK(
        cb.command_info(command, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_NDRANGE_KERNEL);
    CHECK_OK(cb.command_info(command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, sizeof dimensions,
                             &dimensions, NULL));
    CHECK_EQ(dimensions, 3);
    CHECK_OK(cb.command_info(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof three, three,
                             &size));
    CHECK(size == sizeof three && !memcmp(three, global, sizeof three));
    CHECK_OK(cb.command_info(command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, sizeof three, three,
                             NULL));
    CHECK(!three[0] && !three[1] && !three[2]);
    CHECK_OK(cb.command_info(command, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, sizeof back, back,
                             &size));
    CHECK(size == sizeof list && !memcmp(back, list, sizeof list));
    CHECK_OK(cb.command_info(plain, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, 0, NULL, &size));
    CHECK_EQ(size, 0);
    cb_release(buffer);
    FAILS(CL_INVALID_MUTABLE_COMMAND_KHR,
          cb.command_info(command, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, sizeof type, &type, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

/* What its command was recorded with may be released, got back by a query, and used. */
static void kernel_again(void)
{
    cb_need();
    cl_mem x = words();
    cl_program program = built(source, NULL);
    cl_kernel kernel = adding(program, x, 5), got_kernel = NULL;
    cl_command_queue queue = new_queue(0), got_queue = NULL;
    cl_command_buffer_khr buffer = cb_new(queue, both);
    cl_mutable_command_khr command = cb_mutable(buffer, kernel, COUNT);
    cb_finalize(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
    CHECK_OK(cb.command_info(command, CL_MUTABLE_DISPATCH_KERNEL_KHR, sizeof got_kernel,
                             &got_kernel, NULL));
    CHECK_OK(cb.command_info(command, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof got_queue,
                             &got_queue, NULL));
    CHECK_OK(clRetainKernel(got_kernel));
    CHECK_OK(clRetainCommandQueue(got_queue));
    run_1d(got_kernel, COUNT, 0);
    check_words(x, COUNT, 5);
    cb_run(buffer);
    cb_release(buffer);
    CHECK_OK(clFinish(got_queue));
    check_words(x, COUNT, 10);
    run_1d(got_kernel, COUNT, 0);
    check_words(x, COUNT, 15);
    RELEASE_KERNEL(got_kernel);
    RELEASE_QUEUE(got_queue);
    RELEASE_MEM(x);
}

/* What the application has released does not keep its program from being built, whatever handles
 * there are; these go on with the code of before. */
static void program_again(void)
{
    cb_need();
    cl_mem x = words();
    cl_program program = built(source, NULL);
    const cl_uint more = 70;
    const cl_mutable_dispatch_arg_khr arg = number(&more);
    cl_kernel kernel = adding(program, x, 5);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    cl_mutable_command_khr command = cb_mutable(buffer, kernel, COUNT);
    cb_finalize(buffer);
    FAILS(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    RELEASE_KERNEL(kernel);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        cb_run(buffer);
        CHECK_OK(cb_update(buffer, &(cl_mutable_dispatch_config_sluice){
                                       .command = command, .num_args = 1, .arg_list = &arg}));
    }
    check_words(x, COUNT, 75);
    cb_release(buffer);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
}

/* Work-groups that were all of one size stay so, and those that were not do too. */
static void uniformity(void)
{
    cb_need();
    cl_bool any = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof any, &any,
                             NULL));
    if (!any)
        check_skip("the device has work-groups of one size only");
    cl_mem x = words();
    cl_kernel kernel =
        new_kernel(source, "sizes", device_version() >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0");
    const size_t even = 12, odd = 13, other = 25, local = 4;
    cl_mutable_command_khr a, b;
    ARG(kernel, 0, x);
    cl_command_buffer_khr buffer = cb_new(cl.queue, both);
    REQUIRE_OK(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &even, &local, 0, NULL, NULL, &a));
    REQUIRE_OK(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &odd, &local, 0, NULL, NULL, &b));
    cb_finalize(buffer);
    FAILS(CL_INVALID_OPERATION, cb_update(buffer, &(cl_mutable_dispatch_config_sluice){
                                                      .command = a, .global_work_size = &odd}));
    FAILS(CL_INVALID_OPERATION, cb_update(buffer, &(cl_mutable_dispatch_config_sluice){
                                                      .command = b, .global_work_size = &even}));
    CHECK_OK(cb_update(
        buffer, &(cl_mutable_dispatch_config_sluice){.command = b, .global_work_size = &other}));
    check_range(a, 0, 12, 4);
    check_range(b, 0, 25, 4);
    cb_run(buffer);
    read_back(x, sizeof got, got);
    CHECK(got[0] == 25004000 && got[24] == 25001000);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

static const struct test_case cases[] = {
    CASE(arguments), CASE(ranges),     CASE(local_arguments), CASE(addresses),
    CASE(several),   CASE(in_flight),  CASE(replaced_memory), CASE(arguments_later),
    CASE(queries),   CASE(uniformity), CASE(kernel_again),    CASE(program_again),
};
TEST_MAIN("mutable_command", cases)
