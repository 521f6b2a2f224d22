/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads compute: affinity, SLUICE_NUM_THREADS, a control group's quota, sub-devices. A
 * thread computes when it uses up processor time while a long kernel runs. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GROUPS = 256, MOST_TASKS = 256 };
static const char variable[] = "SLUICE_TEST_UNITS";

static int wanted(void)
{
    return atoi(getenv(variable));
}

static int cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

/* ---- who computes ---------------------------------------------------------------------------- */

static double task_seconds(const char *task)
{
    char path[300];
    unsigned long long spent = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", task);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%llu", &spent) != 1)
        spent = 0;
    if (file)
        fclose(file);
    return (double)spent * 1e-9;
}

struct task {
    int id;
    double seconds;
};

static int list_tasks(struct task *out)
{
    int count = 0;
    DIR *dir = opendir("/proc/self/task");
    for (struct dirent *entry; dir && count < MOST_TASKS && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            out[count++] = (struct task){atoi(entry->d_name), task_seconds(entry->d_name)};
    if (dir)
        closedir(dir);
    return count;
}

static double spent_before(const struct task *list, int count, int id)
{
    for (int i = 0; i < count; i++)
        if (list[i].id == id)
            return list[i].seconds;
    return 0;
}

/* Threads with more than a tenth of the busiest one's time. */
static int computing(const struct task *before, int before_count)
{
    static struct task now[MOST_TASKS];
    int count = list_tasks(now), busy = 0;
    double most = 0;
    for (int i = 0; i < count; i++) {
        now[i].seconds -= spent_before(before, before_count, now[i].id);
        most = now[i].seconds > most ? now[i].seconds : most;
    }
    for (int i = 0; i < count; i++)
        busy += now[i].seconds > most / 10;
    return busy;
}

/* Enqueues a part of a second's work and sleeps until it is done, so that only workers compute. */
static int threads_computing(cl_command_queue queue, cl_context context)
{
    static struct task before[MOST_TASKS];
    const size_t global = GROUPS, local = 1;
    const cl_uint rounds = 500000;
    cl_int rc, status = CL_QUEUED;
    cl_event event;
    const char *text = "kernel void spin(global uint *x, uint n)\n"
                       "{\n"
                       "    uint v = get_global_id(0), s = 0;\n"
                       "    for (uint i = 0; i < n; i++)\n"
                       "        s ^= v = v * 1664525u + 1013904223u + (v >> 7);\n"
                       "    x[get_group_id(0)] = s;\n"
                       "}\n";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = kernel_of(program, "spin");
    cl_mem mem = clCreateBuffer(context, 0, GROUPS * sizeof(cl_uint), NULL, &rc);
    REQUIRE_OK(rc);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, rounds);
    int count = list_tasks(before);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
    REQUIRE_OK(clFlush(queue));
    while ((status = event_status(event)) > CL_COMPLETE)
        usleep(5000);
    CHECK_EQ(status, CL_COMPLETE);
    int busy = computing(before, count);
    RELEASE_EVENT(event);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    return busy;
}

static void job_device(void)
{
    REQUIRE(!env_open());
    CHECK_EQ(device_uint(CL_DEVICE_MAX_COMPUTE_UNITS), wanted());
    CHECK_EQ(threads_computing(cl.queue, cl.context), wanted());
    /* none waits idle either: main, callbacks, compiler starter, workers */
    CHECK(count_threads() <= 3 + wanted());
    env_close(1);
}

static void units_are(int units, const char *setting, int (*prepare)(void))
{
    char text[64];
    snprintf(text, sizeof text, "%s=%d", variable, units);
    const char *env[] = {text, setting, NULL};
    child_ends(&(struct child_plan){.job = "job_device", .env = env, .prepare = prepare}, 0);
}

/* ---- the limits ------------------------------------------------------------------------------ */

static int only_first_core(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all))
        return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    return !sched_setaffinity(0, sizeof one, &one);
}

static void all_cores(void)
{
    units_are(cores(), NULL, NULL);
}

static void affinity(void)
{
    units_are(1, NULL, only_first_core);
}

static void number_of_threads(void)
{
    units_are(1, "SLUICE_NUM_THREADS=1", NULL);
    units_are(cores(), "SLUICE_NUM_THREADS=100000", NULL);
}

/* Where groups are made in both versions, and one core's worth in the words of each. */
static const struct {
    const char *parent, *file, *one_core;
} versions[] = {
    {"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "100000\n"},
    {"/sys/fs/cgroup", "cpu.max", "100000 100000\n"},
};
static char group[128];

/* Only into a file that the kernel made. */
static int put(const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", group, file);
    FILE *out = fopen(path, "r+e");
    if (!out)
        return 0;
    int ok = fputs(text, out) >= 0;
    return !fclose(out) && ok;
}

static int enter_group(void)
{
    char pid[32];
    snprintf(pid, sizeof pid, "%d\n", (int)getpid());
    return put("cgroup.procs", pid);
}

static int make_group(void)
{
    for (size_t i = 0; i < LEN(versions); i++) {
        snprintf(group, sizeof group, "%s/sluice-test-%d", versions[i].parent, (int)getpid());
        if (mkdir(group, 0700))
            continue;
        if (put(versions[i].file, versions[i].one_core))
            return 1;
        rmdir(group);
    }
    return 0;
}

static void quota(void)
{
    if (cores() < 2)
        check_skip("one core cannot be limited");
    if (!make_group())
        check_skip("no control group with a quota can be made");
    char text[64];
    snprintf(text, sizeof text, "%s=1", variable);
    const char *env[] = {text, NULL};
    const struct child_plan plan = {.job = "job_device", .env = env, .prepare = enter_group};
    struct child child = child_run(&plan);
    if (child.status)
        check_fail(__FILE__, __LINE__, "under a quota: end %d\n%s", child.status, child.err);
    child_finish(&child);
    int gone = 0; /* the compiler process may take a moment to end */
    for (double end = now_seconds() + 5; !gone && now_seconds() < end; usleep(2000))
        gone = !rmdir(group);
    CHECK(gone);
}

static void job_sub_device(void)
{
    const cl_device_partition_property split[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[64];
    cl_uint count = 0, units = 0;
    cl_int rc;
    REQUIRE(!env_open());
    REQUIRE_OK(clCreateSubDevices(cl.device, split, 64, parts, &count));
    CHECK_EQ(count, cores());
    CHECK_OK(clGetDeviceInfo(parts[0], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    CHECK_EQ(units, 1);
    cl_context context = clCreateContext(NULL, 1, &parts[0], NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = clCreateCommandQueue(context, parts[0], 0, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(threads_computing(queue, context), 1);
    RELEASE_QUEUE(queue);
    RELEASE_CONTEXT(context);
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseDevice(parts[i]));
    CHECK_EQ(threads_computing(cl.queue, cl.context), cores());
    env_close(1);
}

static void sub_devices_use_fewer_cores(void)
{
    if (cores() < 2)
        check_skip("one core cannot be split");
    child_ends(&(struct child_plan){.job = "job_sub_device"}, 0);
}

static const struct test_case jobs[] = {CASE(job_device), CASE(job_sub_device)};
static const struct test_case cases[] = {CASE(all_cores), CASE(affinity), CASE(number_of_threads),
                                         CASE(quota), CASE(sub_devices_use_fewer_cores)};
JOBS_MAIN("limits", cases, jobs)
