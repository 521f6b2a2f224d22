/* SPDX-License-Identifier: Apache-2.0 */
/* The example device (examples/remote_device): right values at odd sizes, and a kernel that would
 * end a process ends the device's, not this one. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <CL/cl.h>
#include <cmocka.h>

enum { COUNT = 1007 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static const char source[] =
    "kernel void steps(global int *a, local int *l) {\n"
    "    int i = get_global_id(0), k = get_local_id(0), n = get_local_size(0);\n"
    "    l[k] = 3 * i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[i] += l[n - 1 - k];\n"
    "}\n"
    "kernel void breaks(global int *a) { *(volatile global int *)(ulong)a[0] = 1; }\n";

static int set_up(void **state)
{
    (void)state;
    const char *text = source;
    char name[64] = "";
    cl_platform_id platform;
    cl_int rc;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL) ||
        strcmp(name, "Remote device") != 0)
        return -1;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    queue = context ? clCreateCommandQueueWithProperties(context, device, NULL, &rc) : NULL;
    program = queue ? clCreateProgramWithSource(context, 1, &text, NULL, &rc) : NULL;
    return program ? clBuildProgram(program, 1, &device, "", NULL, NULL) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return clReleaseProgram(program) || clReleaseCommandQueue(queue) || clReleaseContext(context);
}

static void values(void **state)
{
    (void)state;
    cl_int rc, data[COUNT];
    size_t global = COUNT, local = 19;
    for (int i = 0; i < COUNT; i++)
        data[i] = i * i;
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "steps", &rc);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof a, &a), CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 1, local * sizeof(cl_int), NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(data[i], i * i + 3 * (i / 19 * 19 + 18 - i % 19));
    clReleaseKernel(kernel);
    clReleaseMemObject(a);
}

static atomic_int handled;

static void count(int signal)
{
    (void)signal;
    atomic_fetch_add(&handled, 1);
}

/* A handler runs on none of the device's threads, and it may interrupt whatever waits elsewhere:
 * each answer of the card's is that of its own request. */
static void interrupted(void **state)
{
    const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    const struct sigaction action = {.sa_handler = count};
    struct sigaction before;
    sigset_t alarm;
    enum { ROUNDS = 200 };
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < ROUNDS; i++)
        values(state);
    assert_int_equal(atomic_load(&handled), 0);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    for (int i = 0; i < ROUNDS; i++)
        values(state);
    setitimer(ITIMER_REAL, &never, NULL);
    assert_true(atomic_load(&handled) > 1);
    sigaction(SIGALRM, &before, NULL);
}

static void its_own_process(void **state)
{
    (void)state;
    cl_int rc, status = 0, zero = 0;
    size_t one = 1;
    cl_event event;
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &rc);
    cl_kernel kernel = clCreateKernel(program, "breaks", &rc);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof a, &a), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event),
                     CL_SUCCESS);
    assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_true(status < 0);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    clReleaseMemObject(a);
}

/* ---- memory that is not the card's ----------------------------------------------------------- */

/* The application's: what is outside of the kernel's part stays as it is. */
static void host_memory(void **state)
{
    (void)state;
    static cl_int data[3 * COUNT];
    const cl_buffer_region middle = {4096, COUNT * sizeof(cl_int)};
    const size_t global = COUNT, local = 19, first = middle.origin / sizeof(cl_int);
    cl_int rc;
    for (int i = 0; i < 3 * COUNT; i++)
        data[i] = 7 * i;
    cl_mem whole = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof data, data, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &middle, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "steps", &rc);
    clSetKernelArg(kernel, 0, sizeof part, &part);
    clSetKernelArg(kernel, 1, local * sizeof(cl_int), NULL);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    cl_int *seen =
        clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_READ, 0, middle.size, 0, NULL, NULL, &rc);
    assert_ptr_equal(seen, data + first);
    for (int i = 0; i < 3 * COUNT; i++) {
        const int k = i - (int)first, inside = k >= 0 && k < COUNT;
        assert_int_equal(data[i], 7 * i + (inside ? 3 * (k / 19 * 19 + 18 - k % 19) : 0));
    }
    clEnqueueUnmapMemObject(queue, part, seen, 0, NULL, NULL);
    clFinish(queue);
    clReleaseKernel(kernel);
    clReleaseMemObject(part);
    clReleaseMemObject(whole);
}

static char told[512];
static atomic_int tellings;

static void CL_CALLBACK listen(const char *text, const void *private_info, size_t bytes, void *data)
{
    (void)private_info, (void)bytes, (void)data;
    if (atomic_load(&tellings))
        return;
    snprintf(told, sizeof told, "%s", text);
    atomic_store(&tellings, 1);
}

/* The status of the launch, and the number behind it. */
static cl_int launch_in(cl_context both, cl_int *value)
{
    const size_t one = 1;
    const char *text = "kernel void add(global int *a) { *a += 35; }";
    cl_int rc, status = 1, start = 7;
    cl_event event;
    cl_command_queue here = clCreateCommandQueueWithProperties(both, device, NULL, &rc);
    cl_program added = clCreateProgramWithSource(both, 1, &text, NULL, &rc);
    assert_int_equal(clBuildProgram(added, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(added, "add", &rc);
    cl_mem a = clCreateBuffer(both, CL_MEM_COPY_HOST_PTR, sizeof start, &start, &rc);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof a, &a), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(here, kernel, 1, NULL, &one, &one, 0, NULL, &event),
                     CL_SUCCESS);
    clWaitForEvents(1, &event);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_int_equal(clEnqueueReadBuffer(here, a, CL_TRUE, 0, sizeof *value, value, 0, NULL, NULL),
                     CL_SUCCESS);
    clReleaseEvent(event);
    clReleaseMemObject(a);
    clReleaseKernel(kernel);
    clReleaseProgram(added);
    clReleaseCommandQueue(here);
    return status;
}

/* Memory is its context's first device's: the card reaches its own alone. */
static cl_int in_company(const cl_device_id devices[2], cl_int *value)
{
    cl_int rc;
    cl_context both = clCreateContext(NULL, 2, devices, listen, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    cl_int status = launch_in(both, value);
    clReleaseContext(both);
    return status;
}

static void company(void **state)
{
    (void)state;
    cl_platform_id platform;
    cl_device_id devices[2], turned[2];
    cl_uint count = 0;
    cl_int value;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count);
    if (count < 2)
        skip();
    turned[0] = devices[1];
    turned[1] = devices[0];
    assert_int_equal(in_company(devices, &value), CL_COMPLETE);
    assert_int_equal(value, 42);
    assert_int_equal(in_company(turned, &value), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_int_equal(value, 7);
    for (int i = 0; i < 10000 && !atomic_load(&tellings); i++)
        usleep(1000);
    assert_non_null(strstr(told, "argument 0 is in memory that the card does not reach"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),  cmocka_unit_test(interrupted),     cmocka_unit_test(host_memory),
        cmocka_unit_test(company), cmocka_unit_test(its_own_process),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
