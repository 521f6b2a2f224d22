/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: creation, properties, queries, callbacks. */
#include "cl_help.h"

#include <stdatomic.h>
#include <string.h>

static void CL_CALLBACK on_error(const char *text, const void *data, size_t size, void *user)
{
    (void)text, (void)data, (void)size, (void)user;
}

static void create(void)
{
    const cl_context_properties props[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
                                           0};
    const cl_context_properties sync[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
                                          CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, 0};
    cl_int rc = 1;
    cl_context made = clCreateContext(props, 1, &cl.device, on_error, NULL, &rc);
    REQUIRE_OK(rc);
    RELEASE_CONTEXT(made);
    made = clCreateContext(sync, 1, &cl.device, on_error, &rc, NULL);
    REQUIRE(made);
    RELEASE_CONTEXT(made);
    const cl_device_id twice[] = {cl.device, cl.device};
    made = clCreateContext(NULL, 2, twice, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_uint count = 0;
    CHECK_OK(clGetContextInfo(made, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
    CHECK_EQ(count, 1);
    RELEASE_CONTEXT(made);
}

static void create_errors(void)
{
    cl_platform_id platform = cl.platform;
    const cl_context_properties unknown[] = {0x7777, 1, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform,
                                           CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_device_id wrong = (cl_device_id)cl.queue;
    cl_context (*const make)(const cl_context_properties *, cl_uint, const cl_device_id *,
                             void(CL_CALLBACK *)(const char *, const void *, size_t, void *),
                             void *, cl_int *) = clCreateContext;
    CREATE_FAILS(CL_INVALID_PROPERTY, make(unknown, 1, &cl.device, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY, make(twice, 1, &cl.device, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, make(NULL, 0, &cl.device, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, make(NULL, 1, NULL, NULL, NULL, ERR));
    CREATE_WRONG(CL_INVALID_VALUE, make(NULL, 1, &cl.device, NULL, &platform, ERR));
    CREATE_WRONG(CL_INVALID_DEVICE, make(NULL, 1, &wrong, NULL, NULL, ERR));
}

static void from_type(void)
{
    const cl_context_properties props[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
                                           0};
    const cl_context_properties unknown[] = {CL_CONTEXT_PLATFORM,
                                             (cl_context_properties)cl.platform, 0x7777, 1, 0};
    cl_device_type type = 0;
    cl_int rc = 1;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    cl_context made = clCreateContextFromType(props, type, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    RELEASE_CONTEXT(made);
    CREATE_FAILS(CL_DEVICE_NOT_FOUND,
                 clCreateContextFromType(props, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(props, 0, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateContextFromType(unknown, CL_DEVICE_TYPE_ALL, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateContextFromType(props, CL_DEVICE_TYPE_ALL, NULL, &rc, ERR));
}

static void info(void)
{
    const cl_context_properties props[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
                                           0};
    cl_int rc = 1;
    cl_context made = clCreateContext(props, 1, &cl.device, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_uint number = 0;
    cl_device_id device = NULL;
    cl_context_properties back[3] = {0};
    size_t size = 0;
    CHECK_OK(clGetContextInfo(made, CL_CONTEXT_REFERENCE_COUNT, sizeof number, &number, &size));
    CHECK_EQ(number, 1);
    CHECK_EQ(size, sizeof number);
    CHECK_OK(clGetContextInfo(made, CL_CONTEXT_DEVICES, sizeof device, &device, &size));
    CHECK(device == cl.device);
    CHECK_EQ(size, sizeof device);
    CHECK_OK(clGetContextInfo(made, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
    CHECK_EQ(size, sizeof props);
    CHECK(!memcmp(back, props, sizeof props));
    FAILS(CL_INVALID_VALUE, clGetContextInfo(made, CL_CONTEXT_DEVICES, 1, &device, NULL));
    FAILS(CL_INVALID_VALUE, clGetContextInfo(made, 0x7777, sizeof back, back, NULL));
    WRONG(CL_INVALID_CONTEXT,
          clGetContextInfo((cl_context)cl.queue, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
    CHECK_OK(clRetainContext(made));
    CHECK_OK(clGetContextInfo(made, CL_CONTEXT_REFERENCE_COUNT, sizeof number, &number, NULL));
    CHECK_EQ(number, 2);
    RELEASE_CONTEXT(made);
    RELEASE_CONTEXT(made);
    WRONG(CL_INVALID_CONTEXT, clRetainContext((cl_context)cl.queue));
    WRONG(CL_INVALID_CONTEXT, clReleaseContext((cl_context)cl.queue));
}

static atomic_int order;

static void CL_CALLBACK on_destroy(cl_context context, void *user)
{
    (void)context;
    atomic_store((atomic_int *)user, ++order);
}

static void destructor_callbacks(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    static atomic_int first, second;
    order = 0;
    cl_context made = new_context();
    CHECK_OK(clSetContextDestructorCallback(made, on_destroy, &first));
    CHECK_OK(clSetContextDestructorCallback(made, on_destroy, &second));
    FAILS(CL_INVALID_VALUE, clSetContextDestructorCallback(made, NULL, NULL));
    WRONG(CL_INVALID_CONTEXT,
          clSetContextDestructorCallback((cl_context)cl.queue, on_destroy, NULL));
    RELEASE_CONTEXT(made);
    for (double end = now_seconds() + 5; !first && now_seconds() < end;)
        ;
    CHECK_EQ(first, 2);
    CHECK_EQ(second, 1);
}

static void all_devices(void)
{
    cl_device_id list[16];
    cl_uint count = 0, got = 0;
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 16, list, &count));
    cl_int rc = 1;
    cl_context made = clCreateContext(NULL, count, list, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetContextInfo(made, CL_CONTEXT_NUM_DEVICES, sizeof got, &got, NULL));
    CHECK_EQ(got, count);
    RELEASE_CONTEXT(made);
}

static const struct test_case cases[] = {
    CASE(create), CASE(create_errors),        CASE(from_type),
    CASE(info),   CASE(destructor_callbacks), CASE(all_devices)};
TEST_MAIN("context", cases)
