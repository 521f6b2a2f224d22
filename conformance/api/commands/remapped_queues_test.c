/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of command-buffers for other queues (cl_khr_command_buffer_multi_device), against plain C.
 */
#include "command_buffer_help.h"
#include "reference.h"
#include "several_queues_help.h"

#include <string.h>

static cl_command_buffer_khr remapped(cl_command_buffer_khr buffer, cl_bool automatic,
                                      cl_uint count, const cl_command_queue *queues)
{
    cl_int rc = 12345;
    cl_command_buffer_khr copy = cb.remap(buffer, automatic, count, queues, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE(copy && copy != buffer);
    CHECK_EQ(cb_state(copy), cb_state(buffer));
    return copy;
}

/* The same graph with the queues turned around, on one of them, and from there on all again. */
static void check_remaps(void)
{
    cl_command_buffer_khr buffer = new_commands(0), copies[4];
    cl_command_queue turned[MOST], one[MOST];
    for (cl_uint i = 0; i < two.count; i++) {
        turned[i] = two.queues[two.count - 1 - i];
        one[i] = two.queues[1];
    }
    open_graph();
    record_graph(buffer);
    cb_finalize(buffer);
    copies[0] = remapped(buffer, CL_FALSE, two.count, turned);
    copies[1] = remapped(buffer, CL_TRUE, 1, &two.queues[1]);
    copies[2] = remapped(copies[1], CL_TRUE, two.count, two.queues);
    copies[3] = remapped(buffer, CL_FALSE, two.count, one);
    cb_release(buffer); /* what was copied needs it no more */
    for (size_t i = 0; i < LEN(copies); i++) {
        run(copies[i]);
        expect_graph();
        run(copies[i]);
        expect_graph();
    }
    for (size_t i = 0; i < LEN(copies); i++)
        cb_release(copies[i]);
    close_graph();
}

static void remaps(void)
{
    need();
    on_all_in_each_order(check_remaps);
}

/* Commands of every kind that has no image. */
static void check_kinds(void)
{
    static cl_uint want[CB_COUNT], from[CB_COUNT];
    const size_t bytes = sizeof want, origin[3] = {4, 0, 0}, region[3] = {40, 3, 1},
                 target[3] = {8, 1, 0};
    cl_ulong svm = 0;
    random_fill(want, sizeof want);
    random_fill(from, sizeof from);
    cl_mem x = numbers(want), y = numbers(from);
    cl_command_buffer_khr buffer = new_commands(0);
    const cl_uint pattern[4] = {1, 2, 3, 4};
    REQUIRE_OK(cb.copy_rect(buffer, two.queues[0], NULL, y, x, origin, target, region, 100, 0, 60,
                            0, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.barrier(buffer, two.queues[0], NULL, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.fill(buffer, two.queues[0], NULL, x, pattern, sizeof pattern, 512,
                       4 * sizeof pattern, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.copy(buffer, two.queues[0], NULL, y, x, 8, 1024, 77, 0, NULL, NULL, NULL));
    clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    cl_uint *a = svm ? clSVMAlloc(two.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0) : NULL,
            *b = svm ? clSVMAlloc(two.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0) : NULL;
    if (a && b) {
        REQUIRE_OK(cb.fill_svm(buffer, two.queues[0], NULL, a, pattern, sizeof pattern,
                               8 * sizeof pattern, 0, NULL, NULL, NULL));
        REQUIRE_OK(cb.barrier(buffer, two.queues[0], NULL, 0, NULL, NULL, NULL));
        REQUIRE_OK(cb.copy_svm(buffer, two.queues[0], NULL, b, a, 8 * sizeof pattern, 0, NULL, NULL,
                               NULL));
        memset(a, 0, bytes);
        memset(b, 0, bytes);
    }
    cb_finalize(buffer);
    cl_command_buffer_khr copy = remapped(buffer, CL_TRUE, 1, &two.queues[1]);
    cb_release(buffer);
    run(copy);
    for (size_t row = 0; row < 3; row++)
        memcpy((char *)want + 8 + (row + 1) * 60, (char *)from + 4 + row * 100, 40);
    for (size_t i = 0; i < 16; i++)
        want[128 + i] = pattern[i % 4];
    memcpy((char *)want + 1024, (char *)from + 8, 77);
    check_numbers(x, want);
    for (size_t i = 0; a && b && i < 32; i++)
        CHECK_EQ(b[i], pattern[i % 4]);
    clSVMFree(two.context, a);
    clSVMFree(two.context, b);
    cb_release(copy);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
}

static void kinds(void)
{
    need();
    on_all(check_kinds, 0);
}

/* A copy of what is still recorded is recorded further, and neither knows of the other. */
static void check_recording(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(two.program, x, 3, 1);
    const size_t global = CB_COUNT;
    const cl_command_queue turned[] = {two.queues[1], two.queues[0], two.queues[0]};
    cl_command_buffer_khr buffer = new_commands(0);
    cl_sync_point_khr point = 0, next = 0;
    REQUIRE_OK(cb.launch(buffer, two.queues[0], NULL, kernel, 1, NULL, &global, NULL, 0, NULL,
                         &point, NULL));
    cl_command_buffer_khr copy = remapped(buffer, CL_FALSE, two.count, turned);
    CHECK_EQ(cb_state(copy), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    REQUIRE_OK(
        cb.launch(copy, turned[1], NULL, kernel, 1, NULL, &global, NULL, 1, &point, &next, NULL));
    CHECK_EQ(next, point + 1);
    cb_finalize(copy);
    cb_finalize(buffer);
    run(copy);
    run(buffer);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = ((want[i] * 3 + 1) * 3 + 1) * 3 + 1;
    check_numbers(x, want);
    cb_release(copy);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

static void recordings(void)
{
    need();
    on_all(check_recording, 0);
}

/* Handles of the copy, with what was updated before; updates of one are not the other's. */
static void check_handles(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(two.program, x, 3, 1);
    const size_t global = CB_COUNT;
    cl_command_buffer_khr buffer = new_commands(CL_COMMAND_BUFFER_MUTABLE_KHR), owner = NULL;
    cl_mutable_command_khr handle = NULL, made[2] = {0};
    cl_command_queue queue = NULL;
    const cl_uint seven = 7, eleven = 11;
    REQUIRE_OK(cb.launch(buffer, two.queues[0], NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL,
                         &handle));
    cb_finalize(buffer);
    cl_mutable_dispatch_arg_khr arg = {1, sizeof seven, &seven};
    cl_mutable_dispatch_config_sluice config = {.command = handle, .num_args = 1, .arg_list = &arg};
    CHECK_OK(cb_update(buffer, &config));
    const cl_mutable_command_khr asked[] = {handle, handle};
    cl_int rc = 12345;
    cl_command_buffer_khr copy = cb.remap(buffer, CL_TRUE, 1, &two.queues[1], 2, asked, made, &rc);
    REQUIRE_OK(rc);
    CHECK(made[0] && made[0] == made[1] && made[0] != handle);
    CHECK_OK(cb.command_info(made[0], CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, sizeof owner, &owner,
                             NULL));
    CHECK_OK(
        cb.command_info(made[0], CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof queue, &queue, NULL));
    CHECK(owner == copy && queue == two.queues[1]);
    run(copy);
    arg.arg_value = &eleven;
    config.command = made[0];
    CHECK_OK(cb_update(copy, &config));
    run(copy);
    run(buffer);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = ((want[i] * 7 + 1) * 11 + 1) * 7 + 1;
    check_numbers(x, want);
    cb_release(copy);
    FAILS(
        CL_INVALID_MUTABLE_COMMAND_KHR,
        cb.command_info(made[0], CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof queue, &queue, NULL));
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

static void handles(void)
{
    need();
    on_all(check_handles, 0);
}

/* A kernel that one device does not have stays where it is, or nothing is made. */
static void one_device_only(void)
{
    need();
    cl_device_id list[16];
    cl_uint count = 0, other = 0;
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count));
    while (other < count && list[other] == cl.device)
        other++;
    if (other == count)
        check_skip("there is no other device");
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    open_bed((cl_device_id[]){cl.device, list[other]}, 2, 0);
    const char *source = CB_AXPB;
    cl_int rc;
    cl_program program = clCreateProgramWithSource(two.context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(program, x, 3, 1);
    const size_t global = CB_COUNT;
    const cl_command_queue turned[] = {two.queues[1], two.queues[0]};
    cl_command_buffer_khr buffer = new_commands(0);
    REQUIRE_OK(cb.launch(buffer, two.queues[0], NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL,
                         NULL));
    cb_finalize(buffer);
    CREATE_FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
                 cb.remap(buffer, CL_FALSE, 2, turned, 0, NULL, NULL, &check_err));
    CREATE_FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
                 cb.remap(buffer, CL_TRUE, 1, turned, 0, NULL, NULL, &check_err));
    cl_command_buffer_khr copy = remapped(buffer, CL_TRUE, 2, turned);
    run(copy);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = want[i] * 3 + 1;
    check_numbers(x, want);
    cb_release(copy);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
    close_bed();
}

static const struct test_case cases[] = {
    CASE(remaps), CASE(kinds), CASE(recordings), CASE(handles), CASE(one_device_only),
};
TEST_MAIN("remapped_queues", cases)
