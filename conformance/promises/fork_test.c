/* SPDX-License-Identifier: Apache-2.0 */
/* fork: after use the child gets errors at once and may exec or leave; before use both may work. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POOL = 4, ROUNDS = 30 };
static const double at_once = 5; /* seconds: a hang is told from a busy machine */

/* Ends the child with the failures of `run`; alarm() turns a hang into a signal. */
static pid_t forked(void (*run)(void))
{
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        signal(SIGALRM, SIG_DFL);
        alarm((unsigned)at_once);
        int failures = run_alone(run);
        fflush(NULL);
        _exit(failures ? 1 : 0);
    }
    REQUIRE(pid > 0);
    return pid;
}

static int end_of(pid_t pid)
{
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the child of a process that used us ----------------------------------------------------- */

static cl_kernel kernel;
static cl_mem mem;
static cl_event event, gate;

static void open_all(void)
{
    cl_int rc;
    const size_t global = 64;
    REQUIRE(!env_open());
    kernel = new_kernel("kernel void k(global int *x) { x[get_global_id(0)]++; }", "k", NULL);
    mem = new_buffer(0, 4096, NULL);
    ARG(kernel, 0, mem);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    REQUIRE_OK(clFinish(cl.queue));
    gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 1, &gate, NULL));
    REQUIRE_OK(clFlush(cl.queue));
}

static void close_all(void)
{
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_EVENT(gate);
    RELEASE_EVENT(event);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    env_close(1);
}

/* For children that call exit(). What threads owned that the child has not got looks lost to a leak
 * checker, which also waits there for the allocator's lock that one of them held in the fork. */
static const char *const without_thread_checks[] = {"ASAN_OPTIONS=detect_leaks=0",
                                                    "TSAN_OPTIONS=report_thread_leaks=0", NULL};

/* Each of these would need threads that the child has not got. */
static void child_asks_for_work(void)
{
    const size_t global = 64;
    char bytes[64];
    cl_int rc = CL_SUCCESS;
    const char *text = "kernel void fresh(global int *x) { *x = 4713; }";
    CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 64, bytes, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, 64, bytes, 0, NULL, NULL));
    clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &rc);
    CHECK(rc);
    CHECK(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, NULL));
    CHECK(clFinish(cl.queue));
    CHECK(clFlush(cl.queue));
    CHECK(clWaitForEvents(1, &gate));
    clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
    CHECK(rc);
    clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    CHECK(rc);
    cl_program made;
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof made, &made, NULL));
    clCreateKernel(made, "k", &rc);
    CHECK_EQ(rc, CL_OUT_OF_RESOURCES);
    clCloneKernel(kernel, &rc);
    CHECK_EQ(rc, CL_OUT_OF_RESOURCES);
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);
    CHECK(rc || clBuildProgram(program, 0, NULL, "-DFRESH", NULL, NULL));
}

static void job_work_in_child(void)
{
    open_all();
    CHECK_EQ(end_of(forked(child_asks_for_work)), 0);
    close_all();
}

/* What a garbage collector or a destructor does in the child. */
static void child_releases(void)
{
    char name[64];
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof name, name, NULL));
    clSetUserEventStatus(gate, CL_COMPLETE);
    clReleaseEvent(gate);
    clReleaseEvent(event);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(cl.queue);
    clReleaseContext(cl.context);
    clUnloadPlatformCompiler(cl.platform);
}

static void job_release_in_child(void)
{
    open_all();
    CHECK_EQ(end_of(forked(child_releases)), 0);
    close_all();
}

static void child_exits(void)
{
    exit(0);
}

static void child_execs(void)
{
    execl("/proc/self/exe", "fork_test", "--job", "job_life", (char *)NULL);
}

static void job_leave_in_child(void)
{
    open_all();
    CHECK_EQ(end_of(forked(child_exits)), 0);
    CHECK_EQ(end_of(forked(child_execs)), 0);
    CHECK_EQ(system("true"), 0);
    FILE *pipe = popen("echo piped", "r");
    char text[16] = "";
    REQUIRE(pipe);
    CHECK(fgets(text, sizeof text, pipe) && !strcmp(text, "piped\n"));
    CHECK_EQ(pclose(pipe), 0);
    close_all();
}

/* The profile of a program is its process's to write, when that ends or releases the program. */
static void child_releases_kernel(void)
{
    clReleaseKernel(kernel);
}

static void job_profile_after_child(void)
{
    const char *path = getenv("SLUICE_FPGA_PROFILE");
    int value = 0;
    REQUIRE(!env_open());
    mem = new_buffer(0, sizeof value, NULL);
    kernel = new_kernel("#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
                        "channel int c __attribute__((depth(4)));"
                        "kernel void k(global int *x) { write_channel_intel(c, 7);"
                        "                               *x = read_channel_intel(c); }",
                        "k", NULL);
    ARG(kernel, 0, mem);
    REQUIRE_OK(clEnqueueTask(cl.queue, kernel, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK_EQ(value, 7);
    CHECK_EQ(end_of(forked(child_exits)), 0);
    CHECK(access(path, F_OK));
    CHECK_EQ(end_of(forked(child_releases_kernel)), 0);
    CHECK(access(path, F_OK));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    CHECK(!access(path, F_OK));
    unlink(path);
    env_close(1);
}

static void job_life(void)
{
    whole_life(21);
}

static void child_is_refused_work(void)
{
    child_ends(&(struct child_plan){.job = "job_work_in_child"}, 0);
}

static void child_may_release(void)
{
    child_ends(&(struct child_plan){.job = "job_release_in_child"}, 0);
}

static void child_leaves_profiles_alone(void)
{
    const char *device = getenv("SLUICE_TEST_DEVICE");
    if (!device || strcmp(device, "fpga")) /* others have no profile */
        return;
    char set[128];
    snprintf(set, sizeof set, "SLUICE_FPGA_PROFILE=/tmp/sluice-fork-%d.json", (int)getpid());
    const char *env[] = {set, "ASAN_OPTIONS=detect_leaks=0", NULL};
    child_ends(&(struct child_plan){.job = "job_profile_after_child", .env = env}, 0);
}

static void child_may_leave(void)
{
    child_ends(&(struct child_plan){.job = "job_leave_in_child", .env = without_thread_checks}, 0);
}

/* ---- fork in the middle of calls ------------------------------------------------------------- */

static atomic_bool over;

static void *busy(void *unused)
{
    const size_t global = 64;
    cl_int rc;
    (void)unused;
    while (!atomic_load(&over)) {
        cl_mem own = clCreateBuffer(cl.context, 0, 64, NULL, &rc);
        cl_event done = NULL;
        CHECK_OK(rc);
        CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &done));
        CHECK_OK(clWaitForEvents(1, &done));
        CHECK_OK(clReleaseEvent(done));
        CHECK_OK(clReleaseMemObject(own));
    }
    return NULL;
}

static void *builds(void *unused)
{
    (void)unused;
    for (unsigned salt = 0; !atomic_load(&over); salt++) {
        char options[64];
        cl_int rc;
        const char *text = "kernel void k(global int *x) { *x = SALT; }";
        snprintf(options, sizeof options, "-DSALT=%u", salt % 7);
        cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);
        CHECK_OK(rc);
        CHECK_OK(clBuildProgram(program, 0, NULL, options, NULL, NULL));
        CHECK_OK(clReleaseProgram(program));
    }
    return NULL;
}

/* Locks may be held by threads that the child has not got; its answers must not wait for them. */
static void job_fork_under_load(void)
{
    pthread_t threads[3];
    open_all();
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    for (int i = 0; i < 3; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, i < 2 ? busy : builds, NULL));
    for (int round = 0; round < ROUNDS; round++) {
        usleep(5000);
        CHECK_EQ(end_of(forked(child_asks_for_work)), 0);
        CHECK_EQ(end_of(forked(child_exits)), 0);
    }
    atomic_store(&over, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(clFinish(cl.queue));
}

static void fork_under_load(void)
{
    child_ends(&(struct child_plan){.job = "job_fork_under_load", .env = without_thread_checks}, 0);
}

/* ---- before use, and after the last release -------------------------------------------------- */

static void pool_of_lives(void)
{
    pid_t pids[POOL];
    for (int i = 0; i < POOL; i++)
        pids[i] = forked(job_life);
    for (int i = 0; i < POOL; i++)
        CHECK_EQ(end_of(pids[i]), 0);
}

static void job_pool_before_use(void)
{
    pool_of_lives();
    whole_life(22);
}

static void job_pool_after_questions(void)
{
    cl_platform_id platform;
    cl_device_id device;
    REQUIRE_OK(clGetPlatformIDs(1, &platform, NULL));
    REQUIRE_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    pool_of_lives();
    whole_life(23);
}

static void job_pool_after_release(void)
{
    whole_life(24);
    pool_of_lives();
    whole_life(25);
}

static void pool_before_first_use(void)
{
    child_ends(&(struct child_plan){.job = "job_pool_before_use"}, 0);
}

static void pool_after_questions(void)
{
    child_ends(&(struct child_plan){.job = "job_pool_after_questions"}, 0);
}

static void pool_after_last_release(void)
{
    child_ends(&(struct child_plan){.job = "job_pool_after_release"}, 0);
}

static const struct test_case jobs[] = {
    CASE(job_work_in_child),        CASE(job_release_in_child),
    CASE(job_leave_in_child),       CASE(job_life),
    CASE(job_fork_under_load),      CASE(job_pool_before_use),
    CASE(job_pool_after_questions), CASE(job_pool_after_release),
    CASE(job_profile_after_child),
};
static const struct test_case cases[] = {
    CASE(child_is_refused_work),   CASE(child_may_release),           CASE(child_may_leave),
    CASE(fork_under_load),         CASE(pool_before_first_use),       CASE(pool_after_questions),
    CASE(pool_after_last_release), CASE(child_leaves_profiles_alone),
};
JOBS_MAIN("fork", cases, jobs)
