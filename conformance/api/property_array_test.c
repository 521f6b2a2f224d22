/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of properties, of each kind of object that is created with one: what the queries tell is
 * what was given, in its order and with its end; nothing where there was no list. The order means
 * nothing. Lists that are refused are in errors_object.def. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <string.h>

enum { MOST = 8 };

typedef cl_int (*ask_fn)(void *object, size_t room, void *to, size_t *size);

/* `given` may be NULL; lists of `cl_uint` have another width. */
static void check_told(const char *what, ask_fn ask, void *object, const void *given, size_t bytes)
{
    unsigned char told[MOST * 16];
    size_t size = 12345;
    memset(told, 0xAA, sizeof told);
    if (!CHECK_OK(ask(object, 0, NULL, &size)))
        return;
    if (size != bytes)
        check_fail(__FILE__, __LINE__, "%s: %zu bytes, not %zu", what, size, bytes);
    CHECK_OK(ask(object, sizeof told, told, NULL));
    if (bytes && memcmp(told, given, bytes) != 0)
        check_fail(__FILE__, __LINE__, "%s: another list than was given", what);
    CHECK_EQ(told[bytes], 0xAA);
}

static cl_int ask_context(void *object, size_t room, void *to, size_t *size)
{
    return clGetContextInfo(object, CL_CONTEXT_PROPERTIES, room, to, size);
}

static cl_int ask_queue(void *object, size_t room, void *to, size_t *size)
{
    return clGetCommandQueueInfo(object, CL_QUEUE_PROPERTIES_ARRAY, room, to, size);
}

static cl_int ask_sampler(void *object, size_t room, void *to, size_t *size)
{
    return clGetSamplerInfo(object, CL_SAMPLER_PROPERTIES, room, to, size);
}

static cl_int ask_mem(void *object, size_t room, void *to, size_t *size)
{
    return clGetMemObjectInfo(object, CL_MEM_PROPERTIES, room, to, size);
}

static cl_int ask_pipe(void *object, size_t room, void *to, size_t *size)
{
    return clGetPipeInfo(object, CL_PIPE_PROPERTIES, room, to, size);
}

static void of_contexts(void)
{
    const cl_context_properties platform = (cl_context_properties)cl.platform;
    const cl_context_properties lists[][5] = {
        {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0},
        {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, CL_CONTEXT_PLATFORM, platform, 0},
        {CL_CONTEXT_PLATFORM, platform, 0}};
    cl_int rc;
    for (size_t i = 0; i < LEN(lists); i++) {
        cl_context made = clCreateContext(lists[i], 1, &cl.device, NULL, NULL, &rc);
        REQUIRE_OK(rc);
        check_told("context", ask_context, made, lists[i], (i < 2 ? 5 : 3) * sizeof **lists);
        RELEASE_CONTEXT(made);
    }
    cl_context made = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    check_told("context without", ask_context, made, NULL, 0);
    RELEASE_CONTEXT(made);
}

static void of_queues(void)
{
    const cl_queue_properties bits = CL_QUEUE_PROFILING_ENABLE;
    const cl_queue_properties lists[][5] = {
        {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_PROPERTIES, bits, 0},
        {CL_QUEUE_PROPERTIES, bits, CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, 0},
        {0}};
    cl_int rc;
    if (!has_extension("cl_khr_priority_hints"))
        check_skip("queues have no priorities");
    for (size_t i = 0; i < LEN(lists); i++) {
        cl_command_queue_properties seen = 0;
        cl_command_queue made =
            clCreateCommandQueueWithProperties(cl.context, cl.device, lists[i], &rc);
        REQUIRE_OK(rc);
        check_told("queue", ask_queue, made, lists[i], (i < 2 ? 5 : 1) * sizeof **lists);
        CHECK_OK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES, sizeof seen, &seen, NULL));
        CHECK_EQ(seen, i < 2 ? bits : 0);
        RELEASE_QUEUE(made);
    }
    cl_command_queue made = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &rc);
    REQUIRE_OK(rc);
    check_told("queue without", ask_queue, made, NULL, 0);
    RELEASE_QUEUE(made);
    made = clCreateCommandQueue(cl.context, cl.device, bits, &rc);
    REQUIRE_OK(rc);
    check_told("queue of 1.2", ask_queue, made, NULL, 0);
    RELEASE_QUEUE(made);
}

static void of_samplers(void)
{
    const cl_sampler_properties lists[][7] = {
        {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE,
         CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, 0},
        {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, CL_SAMPLER_NORMALIZED_COORDS,
         CL_FALSE, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}};
    cl_bool images = CL_FALSE, normalized = 7;
    cl_int rc;
    clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
    if (!images)
        check_skip("no images");
    for (size_t i = 0; i < LEN(lists); i++) {
        cl_filter_mode filter = 0;
        cl_addressing_mode addressing = 0;
        cl_sampler made = clCreateSamplerWithProperties(cl.context, lists[i], &rc);
        REQUIRE_OK(rc);
        check_told("sampler", ask_sampler, made, lists[i], sizeof lists[i]);
        CHECK_OK(clGetSamplerInfo(made, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL));
        CHECK_OK(clGetSamplerInfo(made, CL_SAMPLER_ADDRESSING_MODE, sizeof addressing, &addressing,
                                  NULL));
        CHECK_OK(clGetSamplerInfo(made, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalized,
                                  &normalized, NULL));
        CHECK(filter == CL_FILTER_LINEAR && addressing == CL_ADDRESS_CLAMP_TO_EDGE && !normalized);
        CHECK_OK(clReleaseSampler(made));
    }
    cl_sampler made = clCreateSamplerWithProperties(cl.context, NULL, &rc);
    REQUIRE_OK(rc);
    check_told("sampler without", ask_sampler, made, NULL, 0);
    CHECK_OK(clReleaseSampler(made));
}

static void of_memory(void)
{
    const cl_mem_properties channel[] = {CL_MEM_CHANNEL_INTEL, 2, 0}, empty[] = {0};
    cl_int rc;
    if (!has_extension("cl_intel_mem_channel_property"))
        check_skip("memory has no properties");
    cl_mem made[] = {clCreateBufferWithProperties(cl.context, channel, 0, 64, NULL, &rc),
                     clCreateBufferWithProperties(cl.context, empty, 0, 64, NULL, &rc),
                     clCreateBufferWithProperties(cl.context, NULL, 0, 64, NULL, &rc)};
    check_told("buffer", ask_mem, made[0], channel, sizeof channel);
    check_told("buffer with an empty list", ask_mem, made[1], empty, sizeof empty);
    check_told("buffer without", ask_mem, made[2], NULL, 0);
    for (size_t i = 0; i < LEN(made); i++)
        RELEASE_MEM(made[i]);
}

static void of_pipes(void)
{
    cl_bool pipes = CL_FALSE;
    cl_int rc;
    clGetDeviceInfo(cl.device, CL_DEVICE_PIPE_SUPPORT, sizeof pipes, &pipes, NULL);
    if (!pipes)
        check_skip("no pipes");
    cl_mem made = clCreatePipe(cl.context, 0, 4, 3, NULL, &rc);
    REQUIRE_OK(rc);
    check_told("pipe", ask_pipe, made, NULL, 0);
    RELEASE_MEM(made);
}

static void of_sub_devices(void)
{
    const cl_device_partition_property list[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_partition_property told[MOST] = {0};
    cl_device_id part = NULL;
    size_t size = 0;
    cl_int rc = clCreateSubDevices(cl.device, list, 1, &part, NULL);
    if (rc)
        check_skip("the device has no parts");
    CHECK_OK(clGetDeviceInfo(part, CL_DEVICE_PARTITION_TYPE, sizeof told, told, &size));
    CHECK_EQ(size, sizeof list);
    CHECK(!memcmp(told, list, sizeof list));
    CHECK_OK(clReleaseDevice(part));
}

static const struct test_case cases[] = {
    CASE(of_contexts), CASE(of_queues), CASE(of_samplers),
    CASE(of_memory),   CASE(of_pipes),  CASE(of_sub_devices),
};
TEST_MAIN("property arrays", cases)
