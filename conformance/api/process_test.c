/* SPDX-License-Identifier: Apache-2.0 */
/* What happens around a process: fork, exit with work in flight, the loader opened and closed
 * again. Each case runs in a fresh copy of this program, so that it starts without OpenCL. */
#include "commands/command_buffer_help.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
/* These processes end with everything in flight on purpose. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}
#endif

#ifdef __SANITIZE_THREAD__
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "report_thread_leaks=0"; /* they end with threads running, too */
}
#endif

static const char source[] = "kernel void spin(global uint *x, ulong n)\n"
                             "{\n"
                             "    uint v = get_global_id(0);\n"
                             "    for (ulong i = 0; i < n; i++)\n"
                             "        v = v * 1664525u + 1013904223u;\n"
                             "    x[get_global_id(0)] = v;\n"
                             "}\n";

/* The exit status of a child, -1 for a signal or when it does not end in time. */
static int status_of(pid_t child, double limit)
{
    int status;
    for (double end = now_seconds() + limit; now_seconds() < end; usleep(2000)) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
}

static void in_copy(const char *job)
{
    setenv("SLUICE_TEST_JOB", job, 1);
    pid_t child = vfork();
    if (!child) {
        execl("/proc/self/exe", "api_process", job, (char *)NULL);
        _exit(99);
    }
    REQUIRE(child > 0);
    int status = status_of(child, 60);
    if (status)
        check_fail(__FILE__, __LINE__, "%s: exit status %d (-1: signal or hang)", job, status);
    unsetenv("SLUICE_TEST_JOB");
}

static int is_job(const char *name)
{
    const char *job = getenv("SLUICE_TEST_JOB");
    return job && !strcmp(job, name);
}

static cl_kernel busy_kernel(cl_mem mem, cl_ulong n)
{
    cl_kernel kernel = new_kernel(source, "spin", NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, n);
    return kernel;
}

static cl_kernel forked_kernel; /* what a child has of its parent */

/* The child of a process that used us leaves in time; the parent works on. */
static void expect_child_leaves(void (*child_does)(void))
{
    cl_mem mem = new_buffer(0, 4096, NULL);
    cl_kernel kernel = busy_kernel(mem, 10);
    run_1d(kernel, 1024, 0);
    fflush(NULL);
    forked_kernel = kernel;
    pid_t child = fork();
    if (!child) {
        child_does();
        _exit(0);
    }
    REQUIRE(child > 0);
    CHECK_EQ(status_of(child, 20), 0);
    run_1d(kernel, 1024, 0);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

static void ask(void)
{
    cl_platform_id platform;
    cl_uint count = 0;
    char name[64];
    clGetPlatformIDs(1, &platform, &count);
    clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof name, name, NULL);
}

/* An answer or an error, at once. */
static void fork_child_answers(void)
{
    expect_child_leaves(ask);
}

static void enqueue(void)
{
    const size_t global = 1024;
    if (!clEnqueueNDRangeKernel(cl.queue, forked_kernel, 1, NULL, &global, NULL, 0, NULL, NULL))
        clFinish(cl.queue);
    cl_int rc;
    cl_context context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
    if (!rc)
        clReleaseContext(context);
}

static void fork_child_enqueues(void)
{
    expect_child_leaves(enqueue);
}

static void leave(void)
{
    signal(SIGALRM, SIG_DFL);
    exit(0);
}

static void fork_child_exits(void)
{
    expect_child_leaves(leave);
}

/* What the threads of the parent are at while it forks. */
static struct {
    cl_command_buffer_khr replayed, recording;
    cl_mutable_command_khr command;
    atomic_int enough;
} forked;

static void *replay(void *unused)
{
    (void)unused;
    for (int i = 1; !atomic_load(&forked.enough); i++) {
        CHECK_OK(cb.enqueue(0, NULL, forked.replayed, 0, NULL, NULL));
        if (i % 8 == 0)
            CHECK_OK(clFinish(cl.queue));
    }
    return NULL;
}

static cl_int update(size_t size)
{
    return cb_update(forked.replayed, &(cl_mutable_dispatch_config_sluice){
                                          .command = forked.command, .global_work_size = &size});
}

static void *update_always(void *unused)
{
    (void)unused;
    for (size_t i = 0; !atomic_load(&forked.enough); i++)
        CHECK_OK(update(1 + i % 7));
    return NULL;
}

/* Every call ends; those that would need threads, or what only those can have left whole, with an
 * error. */
static int calls_of_child(void)
{
    const size_t one = 1;
    size_t size = 0;
    cl_command_buffer_state_khr state = 99;
    cl_int need[] = {
        cb.launch(forked.recording, NULL, NULL, forked_kernel, 1, NULL, &one, NULL, 0, NULL, NULL,
                  NULL),
        cb.barrier(forked.recording, NULL, NULL, 0, NULL, NULL, NULL),
        cb.finalize(forked.recording),
        cb.enqueue(0, NULL, forked.replayed, 0, NULL, NULL),
        update(5),
    };
    cl_int asked =
        cb.info(forked.replayed, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL);
    cl_int range = cb.command_info(forked.command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
                                   sizeof size, &size, NULL);
    cl_int gone = cb.release(forked.replayed);
    for (size_t i = 0; is_sluice() && i < LEN(need); i++)
        if (need[i] != CL_OUT_OF_RESOURCES)
            return 10 + (int)i;
    if (asked || state != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR)
        return 2;
    if (range ? range != CL_OUT_OF_RESOURCES : !size || size > 7)
        return 3;
    return gone ? 4 : 0;
}

static void fork_child_has_command_buffers(void)
{
    cb_need();
    enum { FORKS = 40 };
    pthread_t threads[2];
    cl_mem mem = new_buffer(0, 4096, NULL);
    forked_kernel = busy_kernel(mem, 10);
    forked.recording = cb_new(cl.queue, 0);
    forked.replayed =
        cb_new(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    forked.command = cb_mutable(forked.replayed, forked_kernel, 1);
    cb_finalize(forked.replayed);
    atomic_store(&forked.enough, 0);
    REQUIRE(!pthread_create(&threads[0], NULL, replay, NULL));
    REQUIRE(!pthread_create(&threads[1], NULL, update_always, NULL));
    fflush(NULL);
    int status = 0;
    for (int i = 0; i < FORKS && !status; i++) {
        pid_t child = fork();
        if (!child)
            _exit(calls_of_child());
        REQUIRE(child > 0);
        status = status_of(child, 20);
    }
    CHECK_EQ(status, 0);
    atomic_store(&forked.enough, 1);
    for (size_t i = 0; i < LEN(threads); i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(clFinish(cl.queue));
    cb_release(forked.replayed);
    cb_release(forked.recording);
    RELEASE_KERNEL(forked_kernel);
    RELEASE_MEM(mem);
}

static void exit_with_work_in_flight(void)
{
    if (!is_job("exit_with_work_in_flight")) {
        in_copy("exit_with_work_in_flight");
        return;
    }
    cl_mem mem = new_buffer(0, 1 << 20, NULL);
    cl_kernel kernel = busy_kernel(mem, 200000);
    const size_t global = 1 << 14;
    for (int i = 0; i < 20; i++)
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    REQUIRE_OK(clFlush(cl.queue));
    exit(0);
}

static void exit_with_blocked_work(void)
{
    if (!is_job("exit_with_blocked_work")) {
        in_copy("exit_with_blocked_work");
        return;
    }
    cl_int rc;
    cl_mem mem = new_buffer(0, 4096, NULL);
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clEnqueueCopyBuffer(cl.queue, mem, mem, 0, 2048, 64, 1, &gate, NULL));
    REQUIRE_OK(clFlush(cl.queue));
    exit(0);
}

static void leave_everything(void)
{
    if (!is_job("leave_everything")) {
        in_copy("leave_everything");
        return;
    }
    cl_mem mem = new_buffer(0, 4096, NULL);
    cl_kernel kernel = busy_kernel(mem, 10);
    run_1d(kernel, 1024, 0);
    exit(0);
}

static int use_library(void *handle)
{
    cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
    cl_int (*devices)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
    *(void **)&platforms = dlsym(handle, "clGetPlatformIDs");
    *(void **)&devices = dlsym(handle, "clGetDeviceIDs");
    cl_platform_id platform;
    cl_device_id device;
    cl_uint count = 0;
    return platforms && devices && !platforms(1, &platform, NULL) &&
           !devices(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count) && count;
}

static void open_close_loop(void)
{
    for (int i = 0; i < 50; i++) {
        void *handle = dlopen("libOpenCL.so.1", RTLD_NOW | (i & 1 ? RTLD_GLOBAL : RTLD_LOCAL));
        REQUIRE(handle);
        CHECK(use_library(handle));
        dlclose(handle);
    }
}

/* The driver library itself, by the file that the vendor list names. */
static int driver_path(char *path, size_t size)
{
    const char *folder = getenv("OCL_ICD_VENDORS");
    char command[4096];
    if (!folder)
        return 0;
    snprintf(command, sizeof command, "cat '%s'/*.icd 2>/dev/null | head -1", folder);
    FILE *pipe = popen(command, "r");
    int ok = pipe && fgets(path, (int)size, pipe);
    if (pipe)
        pclose(pipe);
    path[strcspn(path, "\n")] = 0;
    return ok && path[0] == '/';
}

static void driver_open_close_loop(void)
{
    char path[4096] = "";
    if (!driver_path(path, sizeof path))
        check_skip("OCL_ICD_VENDORS names no absolute path");
    for (int i = 0; i < 20; i++) {
        void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        REQUIRE(handle);
        CHECK(dlsym(handle, "clGetExtensionFunctionAddress") != NULL);
        dlclose(handle);
    }
}

/* An application that reaps every child and that changes its signal handling. */
static void application_owns_sigchld(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGCHLD, &ignore, &before);
    cl_program program = built("kernel void fresh(global int *x) { *x = 4711; }", NULL);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    RELEASE_PROGRAM(program);
    program = built("kernel void fresh(global int *x) { *x = 4712; }", NULL);
    RELEASE_PROGRAM(program);
    sigaction(SIGCHLD, &before, NULL);
}

static const struct test_case cases[] = {
    CASE(fork_child_answers),       CASE(fork_child_enqueues),
    CASE(fork_child_exits),         CASE(fork_child_has_command_buffers),
    CASE(leave_everything),         CASE(exit_with_blocked_work),
    CASE(exit_with_work_in_flight), CASE(open_close_loop),
    CASE(driver_open_close_loop),   CASE(application_owns_sigchld),
};
TEST_MAIN("process", cases)
