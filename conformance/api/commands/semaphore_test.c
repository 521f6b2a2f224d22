/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_semaphore: order between queues, reuse, waits that come first, failures, queries. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <string.h>

static clCreateSemaphoreWithPropertiesKHR_fn make;
static clEnqueueWaitSemaphoresKHR_fn wait_for;
static clEnqueueSignalSemaphoresKHR_fn signal_all;
static clGetSemaphoreInfoKHR_fn info;
static clRetainSemaphoreKHR_fn retain;
static clReleaseSemaphoreKHR_fn let_go;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static void need_semaphores(void)
{
    if (!has_extension("cl_khr_semaphore"))
        check_skip("cl_khr_semaphore");
    find(&make, "clCreateSemaphoreWithPropertiesKHR");
    find(&wait_for, "clEnqueueWaitSemaphoresKHR");
    find(&signal_all, "clEnqueueSignalSemaphoresKHR");
    find(&info, "clGetSemaphoreInfoKHR");
    find(&retain, "clRetainSemaphoreKHR");
    find(&let_go, "clReleaseSemaphoreKHR");
}

static cl_semaphore_khr binary(void)
{
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
    cl_int rc;
    cl_semaphore_khr semaphore = make(cl.context, list, &rc);
    REQUIRE_OK(rc);
    return semaphore;
}

static cl_ulong payload(cl_semaphore_khr semaphore)
{
    cl_semaphore_payload_khr value = 77;
    CHECK_OK(info(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof value, &value, NULL));
    return value;
}

/* Two queues take turns at one buffer, by two semaphores that are used again and again. */
static void turns_of(cl_command_queue_properties bits)
{
    enum { TURNS = 40, ITEMS = 100 };
    static const char source[] =
        "kernel void k(global int *a, int by) { int i = get_global_id(0);\n"
        "    a[i] = by > 0 ? a[i] * 3 + by + i : a[i] - by; }";
    cl_int got[ITEMS], zeros[ITEMS] = {0};
    const size_t global = ITEMS;
    cl_semaphore_khr there = binary(), back = binary();
    cl_command_queue one = new_queue(bits), two = new_queue(bits);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    ARG(kernel, 0, mem);
    for (cl_int turn = 1; turn <= TURNS; turn++) {
        cl_int down = -turn;
        cl_event wait = NULL, run;
        if (turn > 1)
            REQUIRE_OK(wait_for(one, 1, &back, NULL, 0, NULL, &wait));
        ARG(kernel, 1, turn);
        REQUIRE_OK(clEnqueueNDRangeKernel(one, kernel, 1, NULL, &global, NULL, wait ? 1 : 0,
                                          wait ? &wait : NULL, &run));
        REQUIRE_OK(signal_all(one, 1, &there, NULL, 1, &run, NULL));
        if (wait)
            RELEASE_EVENT(wait);
        RELEASE_EVENT(run);
        REQUIRE_OK(wait_for(two, 1, &there, NULL, 0, NULL, &wait));
        ARG(kernel, 1, down);
        REQUIRE_OK(clEnqueueNDRangeKernel(two, kernel, 1, NULL, &global, NULL, 1, &wait, &run));
        REQUIRE_OK(signal_all(two, 1, &back, NULL, 1, &run, NULL));
        RELEASE_EVENT(wait);
        RELEASE_EVENT(run);
    }
    CHECK_OK(clFinish(one));
    CHECK_OK(clFinish(two));
    CHECK_EQ(payload(back), 1);
    CHECK_EQ(payload(there), 0);
    read_back(mem, sizeof got, got);
    for (cl_uint i = 0; i < ITEMS; i++) {
        cl_uint want = 0;
        for (cl_uint turn = 1; turn <= TURNS; turn++)
            want = want * 3 + turn + i + turn;
        CHECK_EQ((cl_uint)got[i], want);
    }
    CHECK_OK(let_go(there));
    CHECK_OK(let_go(back));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(one);
    RELEASE_QUEUE(two);
}

static void turns(void)
{
    need_semaphores();
    turns_of(0);
    turns_of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* One signal for several, one wait for several; types and times of the commands. */
static void several(void)
{
    cl_semaphore_khr all[3];
    cl_command_queue other = new_queue(0);
    cl_event signal, wait;
    cl_command_type type = 0;
    need_semaphores();
    for (int i = 0; i < 3; i++)
        all[i] = binary();
    CHECK_OK(signal_all(cl.queue, 3, all, NULL, 0, NULL, &signal));
    CHECK_OK(wait_for(other, 3, all, NULL, 1, &signal, &wait));
    CHECK_OK(clWaitForEvents(1, &wait));
    CHECK_EQ(event_status(signal), CL_COMPLETE);
    CHECK_OK(clGetEventInfo(signal, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
    CHECK_OK(clGetEventInfo(wait, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_SEMAPHORE_WAIT_KHR);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(payload(all[i]), 0);
        CHECK_OK(let_go(all[i]));
    }
    RELEASE_EVENT(signal);
    RELEASE_EVENT(wait);
    RELEASE_QUEUE(other);
}

/* The signal ends when the gate opens, and with it the wait, whichever was enqueued first. */
static void in_either_order(void)
{
    need_semaphores();
    for (int wait_first = 0; wait_first < 2; wait_first++) {
        cl_semaphore_khr semaphore = binary();
        cl_command_queue other = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        cl_event wait = NULL, signal;
        cl_int rc;
        cl_event gate = clCreateUserEvent(cl.context, &rc);
        REQUIRE_OK(rc);
        CHECK_EQ(payload(semaphore), 0);
        if (wait_first)
            REQUIRE_OK(wait_for(other, 1, &semaphore, NULL, 0, NULL, &wait));
        REQUIRE_OK(signal_all(cl.queue, 1, &semaphore, NULL, 1, &gate, &signal));
        CHECK_EQ(payload(semaphore), 0);
        if (!wait_first)
            REQUIRE_OK(wait_for(other, 1, &semaphore, NULL, 0, NULL, &wait));
        CHECK_OK(clFlush(other));
        CHECK(event_status(wait) > CL_COMPLETE);
        CHECK(event_status(signal) > CL_COMPLETE);
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        CHECK_OK(clWaitForEvents(1, &wait));
        CHECK_EQ(event_status(signal), CL_COMPLETE);
        CHECK_EQ(payload(semaphore), 0);
        CHECK_OK(signal_all(cl.queue, 1, &semaphore, NULL, 0, NULL, NULL)); /* and once more */
        CHECK_OK(clFinish(cl.queue));
        CHECK_EQ(payload(semaphore), 1);
        CHECK_OK(wait_for(other, 1, &semaphore, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(other));
        CHECK_EQ(payload(semaphore), 0);
        CHECK_OK(let_go(semaphore));
        RELEASE_EVENT(gate);
        RELEASE_EVENT(wait);
        RELEASE_EVENT(signal);
        RELEASE_QUEUE(other);
    }
}

/* What waits for a signal that fails, or that can never come, fails and does not hang. */
static void failures(void)
{
    need_semaphores();
    for (int wait_first = 0; wait_first < 3; wait_first++) {
        cl_semaphore_khr semaphore = binary();
        cl_command_queue other = new_queue(0);
        cl_event wait = NULL;
        cl_int rc;
        cl_event gate = clCreateUserEvent(cl.context, &rc);
        REQUIRE_OK(rc);
        if (wait_first)
            REQUIRE_OK(wait_for(other, 1, &semaphore, NULL, 0, NULL, &wait));
        if (wait_first < 2)
            REQUIRE_OK(signal_all(cl.queue, 1, &semaphore, NULL, 1, &gate, NULL));
        if (!wait_first)
            REQUIRE_OK(wait_for(other, 1, &semaphore, NULL, 0, NULL, &wait));
        if (wait_first == 2)
            CHECK_OK(let_go(semaphore));
        CHECK_OK(clSetUserEventStatus(gate, -5));
        FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &wait));
        CHECK(event_status(wait) < 0);
        if (wait_first < 2) {
            CHECK_EQ(payload(semaphore), 0);
            CHECK_OK(let_go(semaphore));
        }
        RELEASE_EVENT(gate);
        RELEASE_EVENT(wait);
        RELEASE_QUEUE(other);
    }
}

static void queries(void)
{
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                (cl_semaphore_properties_khr)(uintptr_t)cl.device,
                                                CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
                                                CL_SEMAPHORE_TYPE_KHR,
                                                CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
    cl_semaphore_properties_khr got[8] = {0};
    cl_semaphore_type_khr type = 0, types[4] = {0};
    cl_device_id device = NULL;
    cl_context context = NULL;
    cl_uint refs = 0;
    size_t bytes = 0;
    cl_int rc;
    need_semaphores();
    for (int named = 0; named < 2; named++) {
        cl_semaphore_khr semaphore = named ? make(cl.context, list, &rc) : binary();
        CHECK_OK(info(semaphore, CL_SEMAPHORE_CONTEXT_KHR, sizeof context, &context, NULL));
        CHECK(context == cl.context);
        CHECK_OK(info(semaphore, CL_SEMAPHORE_TYPE_KHR, sizeof type, &type, &bytes));
        CHECK_EQ(type, CL_SEMAPHORE_TYPE_BINARY_KHR);
        CHECK_EQ(bytes, sizeof type);
        CHECK_OK(
            info(semaphore, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, sizeof device, &device, &bytes));
        CHECK(device == cl.device && bytes == sizeof device);
        CHECK_OK(retain(semaphore));
        CHECK_OK(info(semaphore, CL_SEMAPHORE_REFERENCE_COUNT_KHR, sizeof refs, &refs, NULL));
        CHECK_EQ(refs, 2);
        CHECK_OK(let_go(semaphore));
        CHECK_OK(info(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, sizeof got, got, &bytes));
        CHECK_EQ(bytes, named ? sizeof list : 3 * sizeof *list);
        CHECK(!named || !memcmp(got, list, sizeof list));
        CHECK_OK(let_go(semaphore));
    }
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof types, types, &bytes));
    CHECK_EQ(types[0], CL_SEMAPHORE_TYPE_BINARY_KHR);
    CHECK_EQ(bytes, sizeof *types);
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, sizeof types, types,
                               &bytes));
    CHECK_EQ(types[0], CL_SEMAPHORE_TYPE_BINARY_KHR);
}

static void creation_errors(void)
{
    const cl_semaphore_properties_khr device = (cl_semaphore_properties_khr)(uintptr_t)cl.device;
    const cl_semaphore_properties_khr wrong = (cl_semaphore_properties_khr)(uintptr_t)cl.context;
    const cl_semaphore_properties_khr type = CL_SEMAPHORE_TYPE_KHR,
                                      kind = CL_SEMAPHORE_TYPE_BINARY_KHR,
                                      devices = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR;
    const struct {
        cl_int code;
        cl_semaphore_properties_khr list[8];
    } rows[] = {
        {CL_INVALID_VALUE, {0}},
        {CL_INVALID_VALUE, {devices, device, 0, 0}},
        {CL_INVALID_PROPERTY, {type, kind, type, kind, 0}},
        {CL_INVALID_PROPERTY, {type, 2, 0}},
        {CL_INVALID_PROPERTY, {type, kind, 0x9999, 1, 0}},
        {CL_INVALID_PROPERTY, {type, kind, devices, device, 0, devices, device, 0}},
        {CL_INVALID_DEVICE, {type, kind, devices, 0, 0}},
        {CL_INVALID_DEVICE, {type, kind, devices, device, device, 0, 0}},
        {CL_INVALID_DEVICE, {type, kind, devices, wrong, 0, 0}},
    };
    need_semaphores();
    for (size_t i = 0; i < LEN(rows); i++)
        CREATE_FAILS(rows[i].code, make(cl.context, rows[i].list, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, make(cl.context, NULL, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT, make(NULL, rows[0].list, ERR));
}

static void command_errors(void)
{
    need_semaphores();
    cl_semaphore_khr semaphore = binary(), none = NULL;
    cl_context away = new_context();
    cl_event gate, foreign;
    cl_int rc;
    cl_command_queue there = clCreateCommandQueue(away, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    gate = clCreateUserEvent(cl.context, &rc);
    foreign = clCreateUserEvent(away, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetUserEventStatus(gate, -5));
    for (int which = 0; which < 2; which++) {
        clEnqueueWaitSemaphoresKHR_fn call = which ? signal_all : wait_for;
        FAILS(CL_INVALID_COMMAND_QUEUE, call(NULL, 1, &semaphore, NULL, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, call(cl.queue, 0, &semaphore, NULL, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, call(cl.queue, 1, NULL, NULL, 0, NULL, NULL));
        FAILS(CL_INVALID_SEMAPHORE_KHR, call(cl.queue, 1, &none, NULL, 0, NULL, NULL));
        FAILS(CL_INVALID_CONTEXT, call(there, 1, &semaphore, NULL, 0, NULL, NULL));
        FAILS(CL_INVALID_CONTEXT, call(cl.queue, 1, &semaphore, NULL, 1, &foreign, NULL));
        FAILS(CL_INVALID_EVENT_WAIT_LIST, call(cl.queue, 1, &semaphore, NULL, 1, NULL, NULL));
        FAILS(CL_INVALID_EVENT_WAIT_LIST, call(cl.queue, 1, &semaphore, NULL, 0, &gate, NULL));
        FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
              call(cl.queue, 1, &semaphore, NULL, 1, &gate, NULL));
    }
    FAILS(CL_INVALID_VALUE, info(semaphore, 0x9999, 0, NULL, NULL));
    FAILS(CL_INVALID_SEMAPHORE_KHR, info(NULL, CL_SEMAPHORE_TYPE_KHR, 0, NULL, NULL));
    FAILS(CL_INVALID_SEMAPHORE_KHR, retain(NULL));
    CHECK_OK(let_go(semaphore));
    FAILS(CL_INVALID_SEMAPHORE_KHR, let_go(semaphore));
    RELEASE_EVENT(gate);
    RELEASE_EVENT(foreign);
    RELEASE_QUEUE(there);
    RELEASE_CONTEXT(away);
}

static const struct test_case cases[] = {
    CASE(turns),   CASE(several),         CASE(in_either_order), CASE(failures),
    CASE(queries), CASE(creation_errors), CASE(command_errors),
};
TEST_MAIN("api_semaphore", cases)
