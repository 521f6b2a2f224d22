/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_external_semaphore with file descriptors: signals and waits of contexts and processes that
 * share one, in any order, values behind them, failures, peers that die, every refusal.
 */
#include "child.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FD CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR
#define KIND CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR
#define EXPORTS CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR

static clCreateSemaphoreWithPropertiesKHR_fn make;
static clEnqueueWaitSemaphoresKHR_fn wait_for;
static clEnqueueSignalSemaphoresKHR_fn signal_all;
static clGetSemaphoreInfoKHR_fn info;
static clReleaseSemaphoreKHR_fn let_go;
static clGetSemaphoreHandleForTypeKHR_fn handle_of;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static void need_semaphores(void)
{
    if (!has_extension("cl_khr_external_semaphore_opaque_fd"))
        check_skip("cl_khr_external_semaphore_opaque_fd");
    find(&make, "clCreateSemaphoreWithPropertiesKHR");
    find(&wait_for, "clEnqueueWaitSemaphoresKHR");
    find(&signal_all, "clEnqueueSignalSemaphoresKHR");
    find(&info, "clGetSemaphoreInfoKHR");
    find(&let_go, "clReleaseSemaphoreKHR");
    find(&handle_of, "clGetSemaphoreHandleForTypeKHR");
}

/* ---- semaphores and queues ------------------------------------------------------------------- */

static cl_semaphore_khr exportable(void)
{
    const cl_semaphore_properties_khr list[] = {KIND, EXPORTS, FD, 0, 0};
    cl_int rc;
    cl_semaphore_khr semaphore = make(cl.context, list, &rc);
    REQUIRE_OK(rc);
    return semaphore;
}

static int exported(cl_semaphore_khr semaphore)
{
    int file = -1;
    size_t bytes = 0;
    REQUIRE_OK(handle_of(semaphore, cl.device, FD, sizeof file, &file, &bytes));
    REQUIRE(file >= 0 && bytes == sizeof file);
    return file;
}

static cl_semaphore_khr imported(cl_context context, int file)
{
    const cl_semaphore_properties_khr list[] = {KIND, FD, (cl_semaphore_properties_khr)file, 0};
    cl_int rc;
    cl_semaphore_khr semaphore = make(context, list, &rc);
    REQUIRE_OK(rc);
    return semaphore;
}

static int is_open(int file)
{
    return fcntl(file, F_GETFD) != -1 || errno != EBADF;
}

static cl_ulong payload(cl_semaphore_khr semaphore)
{
    cl_semaphore_payload_khr value = 77;
    CHECK_OK(info(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof value, &value, NULL));
    return value;
}

static cl_command_queue loose_queue(cl_context context)
{
    cl_int rc;
    cl_command_queue queue =
        clCreateCommandQueue(context, cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &rc);
    REQUIRE_OK(rc);
    return queue;
}

/* Two contexts with a semaphore between them, and a queue in each. */
static struct {
    cl_context away;
    cl_command_queue here, there;
    cl_semaphore_khr mine, other;
} both;

static void open_both(void)
{
    need_semaphores();
    both.away = new_context();
    both.here = loose_queue(cl.context);
    both.there = loose_queue(both.away);
    both.mine = exportable();
    int file = exported(both.mine);
    both.other = imported(both.away, file);
    CHECK(!is_open(file));
}

static void close_both(void)
{
    CHECK_OK(let_go(both.mine));
    CHECK_OK(let_go(both.other));
    RELEASE_QUEUE(both.here);
    RELEASE_QUEUE(both.there);
    RELEASE_CONTEXT(both.away);
}

static cl_event user_event(cl_context context)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(context, &rc);
    REQUIRE_OK(rc);
    return event;
}

static void await(cl_event event)
{
    CHECK_OK(clWaitForEvents(1, &event));
    RELEASE_EVENT(event);
}

/* ---- between contexts ------------------------------------------------------------------------ */

/* Whoever is enqueued first, the wait ends with the signal; and so again, the other way round. */
static void in_either_order(void)
{
    open_both();
    for (int round = 0; round < 4; round++) {
        const int wait_first = round & 1, back = round & 2;
        cl_semaphore_khr from = back ? both.other : both.mine, to = back ? both.mine : both.other;
        cl_command_queue signals = back ? both.there : both.here,
                         waits = back ? both.here : both.there;
        cl_event gate = user_event(back ? both.away : cl.context), wait, signal;
        if (wait_first)
            REQUIRE_OK(wait_for(waits, 1, &to, NULL, 0, NULL, &wait));
        REQUIRE_OK(signal_all(signals, 1, &from, NULL, 1, &gate, &signal));
        if (!wait_first)
            REQUIRE_OK(wait_for(waits, 1, &to, NULL, 0, NULL, &wait));
        CHECK_OK(clFlush(waits));
        usleep(20000);
        CHECK(event_status(wait) > CL_COMPLETE);
        CHECK_EQ(payload(both.mine), 0);
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        await(signal);
        await(wait);
        CHECK_EQ(payload(both.mine), 0);
        CHECK_EQ(payload(both.other), 0);
        RELEASE_EVENT(gate);
    }
    CHECK_OK(signal_all(both.here, 1, &both.mine, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(both.here));
    CHECK_EQ(payload(both.mine), 1);
    CHECK_EQ(payload(both.other), 1);
    CHECK_OK(wait_for(both.there, 1, &both.other, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(both.there));
    CHECK_EQ(payload(both.mine), 0);
    close_both();
}

/* One semaphore used in both directions: who waits gets the signal that was enqueued for it, not
 * one that happens to come earlier. */
static void signals_are_not_mixed_up(void)
{
    cl_event gate, first, second;
    open_both();
    gate = user_event(cl.context);
    CHECK_OK(signal_all(both.here, 1, &both.mine, NULL, 1, &gate, NULL));
    CHECK_OK(wait_for(both.there, 1, &both.other, NULL, 0, NULL, &first));
    CHECK_OK(signal_all(both.there, 1, &both.other, NULL, 0, NULL, NULL));
    CHECK_OK(wait_for(both.here, 1, &both.mine, NULL, 0, NULL, &second));
    await(second);
    CHECK(event_status(first) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    await(first);
    RELEASE_EVENT(gate);
    close_both();
}

/* Many turns enqueued at once, more than a page has places. */
static void many_turns(void)
{
    enum { TURNS = 700 };
    static cl_event waits[TURNS];
    open_both();
    cl_command_queue queue = new_queue(0);
    cl_event gate = user_event(cl.context);
    for (int i = 0; i < TURNS; i++) {
        REQUIRE_OK(signal_all(queue, 1, &both.mine, NULL, i ? 0 : 1, i ? NULL : &gate, NULL));
        REQUIRE_OK(wait_for(both.there, 1, &both.other, NULL, 0, NULL, &waits[i]));
    }
    CHECK_OK(clFlush(queue));
    usleep(20000);
    for (int i = 0; i < TURNS; i++)
        CHECK(event_status(waits[i]) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    for (int i = 0; i < TURNS; i++)
        await(waits[i]);
    CHECK_EQ(payload(both.mine), 0);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queue);
    close_both();
}

/* More words than one sleep takes, of which some are signaled; one wait for several, with a
 * semaphore among them that is not shared. */
static void many_at_once(void)
{
    enum { MANY = 150 };
    static cl_semaphore_khr all[MANY + 1];
    static cl_event waits[MANY];
    const cl_semaphore_properties_khr plain[] = {KIND, 0};
    cl_event every;
    cl_int rc;
    need_semaphores();
    cl_command_queue queue = loose_queue(cl.context);
    for (int i = 0; i < MANY; i++) {
        all[i] = exportable();
        REQUIRE_OK(wait_for(queue, 1, &all[i], NULL, 0, NULL, &waits[i]));
    }
    for (int i = MANY - 1; i >= 0; i--)
        REQUIRE_OK(signal_all(queue, 1, &all[i], NULL, 0, NULL, NULL));
    for (int i = 0; i < MANY; i++)
        await(waits[i]);
    all[MANY] = make(cl.context, plain, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(wait_for(queue, MANY + 1, all, NULL, 0, NULL, &every));
    REQUIRE_OK(signal_all(queue, MANY, all, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    usleep(20000);
    CHECK(event_status(every) > CL_COMPLETE);
    REQUIRE_OK(signal_all(queue, 1, &all[MANY], NULL, 0, NULL, NULL));
    await(every);
    for (int i = 0; i <= MANY; i++) {
        CHECK_EQ(payload(all[i]), 0);
        CHECK_OK(let_go(all[i]));
    }
    RELEASE_QUEUE(queue);
}

/* A signal that fails fails its wait, wherever that is; the next pair is as good as ever. */
static void failures(void)
{
    open_both();
    for (int wait_first = 0; wait_first < 2; wait_first++) {
        cl_event gate = user_event(cl.context), wait;
        if (wait_first)
            REQUIRE_OK(wait_for(both.there, 1, &both.other, NULL, 0, NULL, &wait));
        REQUIRE_OK(signal_all(both.here, 1, &both.mine, NULL, 1, &gate, NULL));
        if (!wait_first)
            REQUIRE_OK(wait_for(both.there, 1, &both.other, NULL, 0, NULL, &wait));
        CHECK_OK(clSetUserEventStatus(gate, -5));
        FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &wait));
        CHECK(event_status(wait) < 0);
        CHECK_EQ(payload(both.other), 0);
        RELEASE_EVENT(wait);
        RELEASE_EVENT(gate);
        REQUIRE_OK(signal_all(both.here, 1, &both.mine, NULL, 0, NULL, NULL));
        REQUIRE_OK(wait_for(both.there, 1, &both.other, NULL, 0, NULL, &wait));
        await(wait);
    }
    close_both();
}

/* No thread of a device is held by waits, however many. */
static void waits_hold_nobody(void)
{
    enum { MANY = 40 };
    cl_event waits[MANY];
    cl_semaphore_khr all[MANY];
    cl_uint got = 0;
    need_semaphores();
    cl_command_queue queue = loose_queue(cl.context);
    cl_kernel kernel = new_kernel("kernel void k(global uint *a) { a[0] = 42; }", "k", NULL);
    cl_mem mem = new_buffer(0, 4, NULL);
    ARG(kernel, 0, mem);
    for (int i = 0; i < MANY; i++) {
        all[i] = exportable();
        REQUIRE_OK(wait_for(queue, 1, &all[i], NULL, 0, NULL, &waits[i]));
    }
    CHECK_OK(clFlush(queue));
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof got, &got);
    CHECK_EQ(got, 42);
    REQUIRE_OK(signal_all(cl.queue, MANY, all, NULL, 0, NULL, NULL));
    for (int i = 0; i < MANY; i++) {
        await(waits[i]);
        CHECK_OK(let_go(all[i]));
    }
    RELEASE_QUEUE(queue);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

/* ---- between processes ----------------------------------------------------------------------- */

enum { ROUNDS = 20, ITEMS = 3001, BYTES = ITEMS * sizeof(cl_uint) };
static const char source[] = "kernel void step(global uint *a, uint by)\n"
                             "{ size_t i = get_global_id(0); a[i] = a[i] * 3u + by + (uint)i; }";

static void pass(char *text, size_t size, const char *name, int file)
{
    REQUIRE(!fcntl(file, F_SETFD, 0));
    snprintf(text, size, "%s=%d", name, file);
}

static int passed(const char *name)
{
    const char *text = getenv(name);
    REQUIRE(text);
    return atoi(text);
}

static cl_mem import_memory(int file)
{
    const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                      (cl_mem_properties)file, 0};
    cl_int rc;
    cl_mem mem = clCreateBufferWithProperties(cl.context, list, 0, BYTES, NULL, &rc);
    REQUIRE_OK(rc);
    return mem;
}

static void take_turns(cl_mem mem, cl_semaphore_khr wait, cl_semaphore_khr signal, cl_uint by)
{
    const size_t global = ITEMS;
    cl_kernel kernel = new_kernel(source, "step", NULL);
    ARG(kernel, 0, mem);
    for (cl_uint round = 0; round < ROUNDS; round++) {
        const cl_uint add = by + round;
        ARG(kernel, 1, add);
        REQUIRE_OK(wait_for(cl.queue, 1, &wait, NULL, 0, NULL, NULL));
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        REQUIRE_OK(signal_all(cl.queue, 1, &signal, NULL, 0, NULL, NULL));
    }
    CHECK_OK(clFlush(cl.queue));
    RELEASE_KERNEL(kernel);
}

static void job_turns(void)
{
    env_open();
    need_semaphores();
    cl_semaphore_khr wait = imported(cl.context, passed("SLUICE_TEST_THERE")),
                     signal = imported(cl.context, passed("SLUICE_TEST_BACK"));
    cl_mem mem = import_memory(passed("SLUICE_TEST_MEMORY"));
    take_turns(mem, wait, signal, 1000);
    CHECK_OK(clFinish(cl.queue));
    CHECK_OK(let_go(wait));
    CHECK_OK(let_go(signal));
    RELEASE_MEM(mem);
    env_close(1);
}

/* Ours are all enqueued before the other process begins, theirs while ours run. */
static void two_processes(void)
{
    need_semaphores();
    if (!has_extension("cl_khr_external_memory_opaque_fd"))
        check_skip("no memory to share");
    char text[3][64];
    cl_uint got[ITEMS], zeros[ITEMS] = {0};
    cl_semaphore_khr there = exportable(), back = exportable();
    int memory = memfd_create("shared", 0), to = exported(there), from = exported(back);
    REQUIRE(memory >= 0 && !ftruncate(memory, BYTES));
    pass(text[0], sizeof text[0], "SLUICE_TEST_THERE", to);
    pass(text[1], sizeof text[1], "SLUICE_TEST_BACK", from);
    pass(text[2], sizeof text[2], "SLUICE_TEST_MEMORY", memory);
    const char *const env[] = {text[0], text[1], text[2], NULL};
    cl_mem mem = import_memory(dup(memory));
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, zeros, 0, NULL, NULL));
    REQUIRE_OK(signal_all(cl.queue, 1, &there, NULL, 0, NULL, NULL));
    take_turns(mem, back, there, 1);
    child_ends(&(struct child_plan){.job = "job_turns", .env = env}, 0);
    read_back(mem, BYTES, got);
    for (cl_uint i = 0; i < ITEMS; i++) {
        cl_uint want = 0;
        for (cl_uint round = 0; round < ROUNDS; round++)
            want = (want * 3u + 1000 + round + i) * 3u + 1 + round + i;
        CHECK_EQ(got[i], want);
    }
    CHECK_EQ(payload(there), 1); /* our last signal, which nobody waits for */
    CHECK_OK(let_go(there));
    CHECK_OK(let_go(back));
    RELEASE_MEM(mem);
    close(memory);
    close(to);
    close(from);
}

/* At once: ThreadSanitizer's _exit asks for threads that were left. */
static _Noreturn void end_now(int status)
{
    syscall(SYS_exit_group, status);
    abort();
}

/* It goes with a signal in its queue. */
static void job_dies(void)
{
    env_open();
    need_semaphores();
    cl_semaphore_khr semaphore = imported(cl.context, passed("SLUICE_TEST_THERE"));
    cl_event gate = user_event(cl.context);
    REQUIRE_OK(signal_all(cl.queue, 1, &semaphore, NULL, 1, &gate, NULL));
    CHECK_OK(clFlush(cl.queue));
    end_now(0);
}

/* Its wait never ends, all else goes on, and so does the end of the process. */
static void job_is_left(void)
{
    char text[64];
    cl_event wait;
    env_open();
    need_semaphores();
    cl_semaphore_khr semaphore = exportable();
    int file = exported(semaphore);
    pass(text, sizeof text, "SLUICE_TEST_THERE", file);
    const char *const env[] = {text, NULL};
    child_ends(&(struct child_plan){.job = "job_dies", .env = env}, 0);
    cl_command_queue other = new_queue(0);
    REQUIRE_OK(wait_for(other, 1, &semaphore, NULL, 0, NULL, &wait));
    CHECK_OK(clFlush(other));
    usleep(200000);
    CHECK(event_status(wait) > CL_COMPLETE);
    cl_kernel kernel = new_kernel("kernel void k(global uint *a) { a[0] = 42; }", "k", NULL);
    cl_mem mem = new_buffer(0, 4, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 0);
    /* Both sides begin anew. */
    cl_semaphore_khr again = exportable();
    REQUIRE_OK(signal_all(cl.queue, 1, &again, NULL, 0, NULL, NULL));
    REQUIRE_OK(wait_for(cl.queue, 1, &again, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    fflush(NULL);
    end_now(event_status(wait) > CL_COMPLETE ? 0 : 1);
}

static void peer_dies(void)
{
    need_semaphores();
    child_ends(&(struct child_plan){.job = "job_is_left"}, 0);
}

#ifdef __SANITIZE_THREAD__
enum { OWN_THREADS = 2 }; /* one is the sanitizer's */
#else
enum { OWN_THREADS = 1 };
#endif

/* The last context takes the thread along. */
static void job_threads(void)
{
    env_open();
    need_semaphores();
    cl_semaphore_khr semaphore = exportable();
    cl_event wait;
    REQUIRE_OK(wait_for(cl.queue, 1, &semaphore, NULL, 0, NULL, &wait));
    REQUIRE_OK(clFlush(cl.queue));
    cl_command_queue other = new_queue(0);
    REQUIRE_OK(signal_all(other, 1, &semaphore, NULL, 0, NULL, NULL));
    REQUIRE_OK(clFlush(other));
    await(wait);
    CHECK_OK(let_go(semaphore));
    RELEASE_QUEUE(other);
    RELEASE_QUEUE(cl.queue);
    RELEASE_CONTEXT(cl.context);
    for (double end = now_seconds() + 20; count_threads() > OWN_THREADS;)
        REQUIRE(now_seconds() < end);
    fflush(NULL);
    _exit(0);
}

static void no_thread_stays(void)
{
    need_semaphores();
    child_ends(&(struct child_plan){.job = "job_threads"}, 0);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void lists(void)
{
    cl_external_semaphore_handle_type_khr types[4];
    size_t bytes;
    const cl_device_info of_device[] = {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                                        CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR};
    const cl_platform_info of_platform[] = {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                                            CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR};
    need_semaphores();
    for (int i = 0; i < 2; i++) {
        types[0] = 0;
        CHECK_OK(clGetDeviceInfo(cl.device, of_device[i], sizeof types, types, &bytes));
        CHECK(bytes == sizeof *types && types[0] == FD);
        types[0] = 0;
        CHECK_OK(clGetPlatformInfo(cl.platform, of_platform[i], sizeof types, types, &bytes));
        CHECK(bytes == sizeof *types && types[0] == FD);
    }
}

static void queries(void)
{
    need_semaphores();
    const cl_semaphore_properties_khr out[] = {EXPORTS, FD, 0, KIND, 0}, plain[] = {KIND, 0},
                                      empty[] = {KIND, EXPORTS, 0, 0};
    cl_semaphore_khr first = make(cl.context, out, ERR);
    REQUIRE_OK(check_err);
    const cl_semaphore_properties_khr in[] = {FD, (cl_semaphore_properties_khr)exported(first),
                                              KIND, 0};
    const struct {
        const cl_semaphore_properties_khr *list;
        size_t bytes;
        int exportable;
    } rows[] = {{out, sizeof out, 1},
                {in, sizeof in, 0},
                {plain, sizeof plain, 0},
                {empty, sizeof empty, 0}};
    for (size_t i = 0; i < LEN(rows); i++) {
        cl_semaphore_properties_khr got[8];
        cl_external_semaphore_handle_type_khr types[4] = {0};
        cl_semaphore_type_khr type = 0;
        cl_bool can = 7;
        size_t bytes = 77;
        cl_semaphore_khr semaphore = make(cl.context, rows[i].list, ERR);
        REQUIRE_OK(check_err);
        CHECK_OK(info(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, sizeof got, got, &bytes));
        CHECK(bytes == rows[i].bytes && !memcmp(got, rows[i].list, bytes));
        CHECK_OK(info(semaphore, CL_SEMAPHORE_TYPE_KHR, sizeof type, &type, NULL));
        CHECK_EQ(type, CL_SEMAPHORE_TYPE_BINARY_KHR);
        CHECK_OK(info(semaphore, CL_SEMAPHORE_EXPORTABLE_KHR, sizeof can, &can, &bytes));
        CHECK_EQ(can, rows[i].exportable);
        CHECK_EQ(bytes, sizeof can);
        CHECK_OK(
            info(semaphore, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, sizeof types, types, &bytes));
        CHECK_EQ(bytes, rows[i].exportable ? sizeof *types : 0);
        CHECK_EQ(types[0], rows[i].exportable ? FD : 0);
        CHECK_EQ(payload(semaphore), 0);
        if (!rows[i].exportable)
            FAILS(CL_INVALID_VALUE, handle_of(semaphore, cl.device, FD, sizeof can, &can, NULL));
        CHECK_OK(let_go(semaphore));
    }
    CHECK_OK(let_go(first));
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void creation_errors(void)
{
    need_semaphores();
    cl_semaphore_khr semaphore = exportable();
    const int good = exported(semaphore), memory = memfd_create("none", MFD_ALLOW_SEALING),
              sealed = memfd_create("none", MFD_ALLOW_SEALING);
    REQUIRE(!ftruncate(memory, 4096) && !ftruncate(sealed, 4096) &&
            !fcntl(sealed, F_ADD_SEALS, F_SEAL_SHRINK));
#define OF(file) FD, (cl_semaphore_properties_khr)(file)
    const struct {
        cl_int code;
        cl_semaphore_properties_khr list[10];
    } rows[] = {
        {CL_INVALID_VALUE, {EXPORTS, FD, 0, 0}},
        {CL_INVALID_VALUE, {OF(good), 0}},
        {CL_INVALID_VALUE, {KIND, EXPORTS, FD, FD, 0, 0}},
        {CL_INVALID_PROPERTY, {KIND, EXPORTS, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0, 0}},
        {CL_INVALID_PROPERTY, {KIND, EXPORTS, FD, 0, EXPORTS, FD, 0, 0}},
        {CL_INVALID_PROPERTY, {KIND, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 1, 0}},
        {CL_INVALID_PROPERTY, {KIND, OF(good), OF(good), 0}},
        {CL_INVALID_PROPERTY, {KIND, OF(-1), 0}},
        {CL_INVALID_PROPERTY, {KIND, OF(100000), 0}},
        {CL_INVALID_PROPERTY, {KIND, OF(memory), 0}},
        {CL_INVALID_PROPERTY, {KIND, OF(sealed), 0}},
        {CL_INVALID_OPERATION, {KIND, OF(good), EXPORTS, FD, 0, 0}},
        {CL_INVALID_DEVICE, {KIND, OF(good), CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, 0, 0}},
    };
    for (size_t i = 0; i < LEN(rows); i++)
        CREATE_FAILS(rows[i].code, make(cl.context, rows[i].list, ERR));
    CHECK(is_open(good) && is_open(memory) && is_open(sealed));
    close(memory);
    close(sealed);
    CHECK_OK(let_go(imported(cl.context, good)));
    CHECK_OK(let_go(semaphore));
}

static void export_errors(void)
{
    need_semaphores();
    cl_semaphore_khr semaphore = exportable();
    int file = -7;
    size_t bytes = 0;
    FAILS(CL_INVALID_SEMAPHORE_KHR, handle_of(NULL, cl.device, FD, sizeof file, &file, NULL));
    FAILS(CL_INVALID_DEVICE, handle_of(semaphore, NULL, FD, sizeof file, &file, NULL));
    FAILS(CL_INVALID_VALUE, handle_of(semaphore, cl.device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
                                      sizeof file, &file, NULL));
    FAILS(CL_INVALID_VALUE, handle_of(semaphore, cl.device, FD, sizeof file - 1, &file, NULL));
    CHECK_EQ(file, -7);
    CHECK_OK(handle_of(semaphore, cl.device, FD, 0, NULL, &bytes));
    CHECK_EQ(bytes, sizeof file);
    CHECK_OK(let_go(semaphore));
}

/* A device of the platform that is not in the context, or not the semaphore's. */
static void other_device(void)
{
    cl_device_id all[8];
    cl_uint count = 0;
    cl_int rc;
    int file;
    need_semaphores();
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(all), all, &count));
    if (count < 2)
        check_skip("one device");
    cl_device_id other = all[0] == cl.device ? all[1] : all[0];
    const cl_device_id two[] = {cl.device, other};
    cl_context context = clCreateContext(NULL, 2, two, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    const cl_semaphore_properties_khr list[] = {KIND,
                                                EXPORTS,
                                                FD,
                                                0,
                                                CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                (cl_semaphore_properties_khr)(uintptr_t)cl.device,
                                                0,
                                                0};
    cl_semaphore_khr alone = exportable(), named = make(context, list, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_DEVICE, handle_of(alone, other, FD, sizeof file, &file, NULL));
    FAILS(CL_INVALID_DEVICE, handle_of(named, other, FD, sizeof file, &file, NULL));
    CHECK_OK(handle_of(named, cl.device, FD, sizeof file, &file, NULL));
    close(file);
    CHECK_OK(let_go(alone));
    CHECK_OK(let_go(named));
    RELEASE_CONTEXT(context);
}

static const struct test_case cases[] = {
    CASE(in_either_order), CASE(signals_are_not_mixed_up),
    CASE(many_turns),      CASE(many_at_once),
    CASE(failures),        CASE(waits_hold_nobody),
    CASE(two_processes),   CASE(peer_dies),
    CASE(no_thread_stays), CASE(lists),
    CASE(queries),         CASE(creation_errors),
    CASE(export_errors),   CASE(other_device),
};
static const struct test_case jobs[] = {CASE(job_turns), CASE(job_dies), CASE(job_is_left),
                                        CASE(job_threads)};
JOBS_MAIN("api_external_semaphore", cases, jobs)
