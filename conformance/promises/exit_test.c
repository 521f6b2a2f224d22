/* SPDX-License-Identifier: Apache-2.0 */
/* However a process ends, with whatever in flight: at once, with the status it chose, and without
 * leaving a compiler process behind. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS = 42, MOST_HELPERS = 8 };
static const double soon = 20; /* far below what the work would take */

/* ---- work that takes minutes ----------------------------------------------------------------- */

static void enqueue_much(void)
{
    const size_t global = 1 << 16;
    const cl_ulong rounds = 10000000;
    REQUIRE(!env_open());
    cl_kernel kernel = new_kernel("kernel void spin(global uint *x, ulong n)\n"
                                  "{\n"
                                  "    uint v = get_global_id(0);\n"
                                  "    for (ulong i = 0; i < n; i++)\n"
                                  "        v = v * 1664525u + 1013904223u + (v >> 3);\n"
                                  "    x[get_global_id(0)] = v;\n"
                                  "}\n",
                                  "spin", NULL);
    cl_mem mem = new_buffer(0, global * sizeof(cl_uint), NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, rounds);
    for (int i = 0; i < 4; i++)
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    REQUIRE_OK(clFlush(cl.queue));
    usleep(50000);
}

static void CL_CALLBACK endless(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
    for (;;)
        pause();
}

static void CL_CALLBACK leaving(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
    exit(STATUS);
}

static void on_marker(void(CL_CALLBACK *call)(cl_event, cl_int, void *))
{
    cl_event marker;
    cl_command_queue queue = new_queue(0);
    REQUIRE_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
    REQUIRE_OK(clSetEventCallback(marker, CL_COMPLETE, call, NULL));
    REQUIRE_OK(clFinish(queue));
    usleep(20000);
}

/* ---- the ways to end ------------------------------------------------------------------------- */

static void job_exit(void)
{
    enqueue_much();
    exit(STATUS);
}

static void job_quick_exit(void)
{
    enqueue_much();
    quick_exit(STATUS);
}

static void job__exit(void)
{
    enqueue_much();
    _exit(STATUS);
}

static void job_abort(void)
{
    enqueue_much();
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void job_terminated(void)
{
    enqueue_much();
    raise(SIGTERM);
}

static void *leave(void *unused)
{
    (void)unused;
    exit(STATUS);
}

static void job_exit_from_thread(void)
{
    pthread_t thread;
    enqueue_much();
    REQUIRE(!pthread_create(&thread, NULL, leave, NULL));
    clFinish(cl.queue);
}

static void job_exit_in_callback(void)
{
    enqueue_much();
    on_marker(leaving);
    clFinish(cl.queue);
}

/* Ends as main does, with the status of no failures, while a callback never returns. */
static void job_return_beside_callback(void)
{
    enqueue_much();
    on_marker(endless);
}

static void *build_for_long(void *unused)
{
    static char source[1 << 20];
    size_t at = (size_t)snprintf(source, sizeof source, "kernel void k(global float *x) {\n");
    (void)unused;
    for (int i = 0; i < 8000; i++)
        at += (size_t)snprintf(source + at, sizeof source - at, "x[%d] = sin(x[%d]) / x[%d];\n", i,
                               i + 1, i + 2);
    snprintf(source + at, sizeof source - at, "}\n");
    const char *text = source;
    cl_int rc;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    pause();
    return NULL;
}

static void job_exit_while_building(void)
{
    pthread_t thread;
    REQUIRE(!env_open());
    REQUIRE(!pthread_create(&thread, NULL, build_for_long, NULL));
    usleep(100000);
    exit(STATUS);
}

static pid_t started_compiler(const char *trace)
{
    char line[4096];
    pid_t found = 0;
    FILE *file = fopen(trace, "r");
    while (file && fgets(line, sizeof line, file))
        traced_helpers(line, &found, 1);
    if (file)
        fclose(file);
    return found;
}

static void stop_compiler(void)
{
    char trace[64];
    snprintf(trace, sizeof trace, "/proc/self/fd/%d", STDERR_FILENO);
    pid_t helper = started_compiler(trace);
    REQUIRE(helper > 0);
    REQUIRE(!kill(helper, SIGSTOP));
    usleep(20000);
}

static void job_stop_compiler(void)
{
    REQUIRE(!env_open());
    RELEASE_PROGRAM(built("kernel void k(global int *x) { *x = 1; }", NULL));
    stop_compiler();
    _exit(STATUS);
}

static void job_stop_busy_compiler(void)
{
    pthread_t thread;
    REQUIRE(!env_open());
    REQUIRE(!pthread_create(&thread, NULL, build_for_long, NULL));
    usleep(200000);
    stop_compiler();
    raise(SIGKILL);
}

static void job_stop_and_release(void)
{
    REQUIRE(!env_open());
    RELEASE_PROGRAM(built("kernel void k(global int *x) { *x = 1; }", NULL));
    stop_compiler();
    env_close(0);
    exit(STATUS);
}

static void *ask_for_ever(void *unused)
{
    (void)unused;
    for (;;) {
        char name[128];
        cl_uint count = 0;
        cl_platform_id platform;
        cl_device_id found[8];
        if (clGetPlatformIDs(1, &platform, NULL) ||
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, found, &count))
            abort();
        for (cl_uint i = 0; i < count && i < 8; i++)
            if (clGetDeviceInfo(found[i], CL_DEVICE_NAME, sizeof name, name, NULL) || !*name)
                abort();
    }
}

/* Nothing but questions: the library was never pinned, and its destructor runs under them. */
static void job_exit_beside_questions(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, ask_for_ever, NULL));
    usleep(2000);
    exit(STATUS);
}

static const struct {
    const char *job;
    int status;
} ways[] = {
    {"job_exit", STATUS},
    {"job_quick_exit", STATUS},
    {"job__exit", STATUS},
    {"job_abort", CHILD_SIGNAL + SIGABRT},
    {"job_terminated", CHILD_SIGNAL + SIGTERM},
    {"job_exit_from_thread", STATUS},
    {"job_exit_in_callback", STATUS},
    {"job_return_beside_callback", 0},
    {"job_exit_while_building", STATUS},
};

/* The trace names the compiler processes that were started. */
static void one_way(const char *job, int status)
{
    static const char *const env[] = {"SLUICE_TRACE=8", "SLUICE_CACHE=0", NULL};
    pid_t helpers[MOST_HELPERS];
    struct child child =
        child_run(&(struct child_plan){.job = job, .env = env, .limit_seconds = soon});
    if (child.status != status)
        check_fail(__FILE__, __LINE__, "%s: expected end %d, got %d\n%.1000s", job, status,
                   child.status, child.err);
    int count = traced_helpers(child.err, helpers, MOST_HELPERS);
    CHECK(count > 0);
    for (int i = 0; i < count; i++)
        if (!process_gone(helpers[i], 5))
            check_fail(__FILE__, __LINE__, "%s: compiler process %d is still there%s", job,
                       (int)helpers[i], kill(helpers[i], SIGKILL) ? "" : " (killed)");
    child_finish(&child);
}

static void every_way_to_end(void)
{
    for (size_t i = 0; i < LEN(ways); i++)
        one_way(ways[i].job, ways[i].status);
}

/* A process that was stopped sees no end of the application; the kernel has to end it. */
static void stopped_compiler(void)
{
    one_way("job_stop_compiler", STATUS);
    one_way("job_stop_busy_compiler", CHILD_SIGNAL + SIGKILL);
    one_way("job_stop_and_release", STATUS);
}

static void questions_until_the_end(void)
{
    enum { TIMES = 20 };
    for (int i = 0; i < TIMES; i++)
        child_ends(&(struct child_plan){.job = "job_exit_beside_questions", .limit_seconds = soon},
                   STATUS);
}

/* ---- what a context's callback hears at the end ---------------------------------------------- */

static void CL_CALLBACK hear(const char *text, const void *info, size_t bytes, void *endless_too)
{
    (void)info, (void)bytes;
    usleep(20000);
    fprintf(stderr, "heard: %s\n", text);
    while (endless_too)
        pause();
}

static void CL_CALLBACK hear_and_exit(const char *text, const void *info, size_t bytes, void *user)
{
    (void)text, (void)info, (void)bytes, (void)user;
    exit(STATUS);
}

static void fail_a_call(void(CL_CALLBACK *callback)(const char *, const void *, size_t, void *),
                        void *user)
{
    cl_int rc;
    REQUIRE(!env_open());
    cl_context context = clCreateContext(NULL, 1, &cl.device, callback, user, &rc);
    REQUIRE_OK(rc);
    clCreateBuffer(context, 0, 0, NULL, &rc);
    CHECK_EQ(rc, CL_INVALID_BUFFER_SIZE);
}

static void job_last_notice(void)
{
    fail_a_call(hear, NULL);
    exit(STATUS);
}

static void job_endless_notice(void)
{
    static int yes;
    fail_a_call(hear, &yes);
    exit(STATUS);
}

static void job_notice_exits(void)
{
    fail_a_call(hear_and_exit, NULL);
    pause();
}

static void last_notice_is_heard(void)
{
    static const char *const ends[] = {"job_last_notice", "job_endless_notice", "job_notice_exits"};
    if (!is_sluice())
        check_skip("others need not call back for failed calls");
    for (size_t i = 0; i < LEN(ends); i++) {
        struct child child = child_run(&(struct child_plan){.job = ends[i], .limit_seconds = soon});
        CHECK_EQ(child.status, STATUS);
        CHECK_EQ(strstr(child.err, "heard: clCreateBuffer failed") != NULL, i < 2);
        child_finish(&child);
    }
}

static const struct test_case jobs[] = {
    CASE(job_last_notice),
    CASE(job_endless_notice),
    CASE(job_notice_exits),
    CASE(job_exit_beside_questions),
    CASE(job_exit),
    CASE(job_quick_exit),
    CASE(job__exit),
    CASE(job_abort),
    CASE(job_terminated),
    CASE(job_exit_from_thread),
    CASE(job_exit_in_callback),
    CASE(job_return_beside_callback),
    CASE(job_exit_while_building),
    CASE(job_stop_compiler),
    CASE(job_stop_busy_compiler),
    CASE(job_stop_and_release),
};
static const struct test_case cases[] = {CASE(every_way_to_end), CASE(stopped_compiler),
                                         CASE(questions_until_the_end), CASE(last_notice_is_heard)};
JOBS_MAIN("exit", cases, jobs)
