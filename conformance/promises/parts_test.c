/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose code several processes make (forks of the compiler process): whatever becomes of
 * one of them, the build has a log, nobody is left behind, and the next build works. Jobs watch the
 * compiler's children in /proc from a second thread. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { KERNELS = 48, LINES = 6, MOST = 64 };

static char trace[] = "/tmp/sluice-parts-XXXXXX";
static atomic_int hits, over;
static pid_t hit; /* the part that was hit; read after the watcher was joined */

static char *many_kernels(unsigned salt)
{
    size_t room = (size_t)KERNELS * (LINES * 64 + 128), at = 0;
    char *text = malloc(room);
    REQUIRE(text);
    for (int k = 0; k < KERNELS; k++) {
        at += (size_t)snprintf(text + at, room - at, "kernel void k%d(global float *x) {\n", k);
        for (int i = 0; i < LINES; i++)
            at += (size_t)snprintf(text + at, room - at, "x[%d] = sin(x[%d]) / x[%d] + %u;\n", i,
                                   i + 1, i + 2, salt);
        at += (size_t)snprintf(text + at, room - at, "}\n");
    }
    return text;
}

/* ---- who runs -------------------------------------------------------------------------------- */

static int helpers(pid_t *pids)
{
    static char text[1 << 16];
    FILE *file = fopen(trace, "re");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = 0;
    return traced_helpers(text, pids, MOST);
}

static int children_of(pid_t parent, pid_t *pids)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "re");
    while (file && count < MOST && fscanf(file, "%d", &pids[count]) == 1)
        count++;
    if (file)
        fclose(file);
    return count;
}

/* To the first part that shows up; SIGTERM means: SIGKILL to the compiler process itself. */
static void *watch(void *arg)
{
    const int number = *(const int *)arg;
    pid_t pids[MOST], parts[MOST];
    while (!atomic_load(&over) && !atomic_load(&hits)) {
        int count = helpers(pids);
        for (int i = 0; i < count && !atomic_load(&hits); i++) {
            if (!children_of(pids[i], parts))
                continue;
            hit = parts[0];
            if (!kill(number == SIGTERM ? pids[i] : parts[0], number == SIGTERM ? SIGKILL : number))
                atomic_store(&hits, 1);
        }
        usleep(200);
    }
    return NULL;
}

static void no_part_is_left(void)
{
    pid_t pids[MOST], parts[MOST];
    int count = helpers(pids), left = 1;
    for (double end = now_seconds() + 10; left && now_seconds() < end; usleep(10000)) {
        left = 0; /* who was killed dies a moment later */
        for (int i = 0; i < count; i++)
            left += children_of(pids[i], parts);
    }
    CHECK_EQ(left, 0);
    if (hit)
        CHECK(process_gone(hit, 5));
}

static void next_build_works(void)
{
    char *text = many_kernels(7);
    cl_program program = built(text, NULL);
    cl_kernel kernel = kernel_of(program, "k47");
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static cl_int build_watched(int number, unsigned salt, const char *word)
{
    pthread_t thread;
    char *text = many_kernels(salt);
    cl_program program = new_program(text);
    atomic_store(&hits, 0);
    atomic_store(&over, 0);
    REQUIRE(!pthread_create(&thread, NULL, watch, &number));
    cl_int rc = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    atomic_store(&over, 1);
    pthread_join(thread, NULL);
    char *log = build_log(program);
    if (rc && !strstr(log, word))
        check_fail(__FILE__, __LINE__, "%s with a log without \"%s\":\n%.2000s", code_name(rc),
                   word, log);
    free(log);
    RELEASE_PROGRAM(program);
    free(text);
    return rc;
}

static void begin_traced(void)
{
    REQUIRE(mkstemp(trace) >= 0);
    setenv("SLUICE_BUILD", "whole", 1);
    setenv("SLUICE_TRACE", "8", 1);
    setenv("SLUICE_TRACE_FILE", trace, 1);
    REQUIRE(!env_open());
}

static void job_hit(void)
{
    const int number = atoi(getenv("SLUICE_TEST_SIGNAL"));
    begin_traced();
    for (unsigned turn = 0; turn < 2; turn++) {
        cl_int rc = build_watched(number, turn, number == SIGSTOP ? "time limit" : "");
        /* a part that had its code already may go */
        CHECK(rc == CL_BUILD_PROGRAM_FAILURE || rc == CL_SUCCESS);
        printf("signal %d: %d hit, %s\n", number, atomic_load(&hits), code_name(rc));
        no_part_is_left();
    }
    setenv("SLUICE_COMPILE_TIMEOUT", "100", 1);
    next_build_works();
    no_part_is_left();
    unlink(trace);
    env_close(1);
}

/* The soft limit of every compiler process. */
static void allow_processes(rlim_t most)
{
    pid_t pids[MOST];
    struct rlimit limit;
    const int count = helpers(pids);
    REQUIRE(count > 0);
    for (int i = 0; i < count; i++) {
        if (prlimit(pids[i], RLIMIT_NPROC, NULL, &limit))
            continue; /* it has ended */
        limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
        REQUIRE(!prlimit(pids[i], RLIMIT_NPROC, &limit, NULL));
    }
}

/* The compiler may start neither processes nor threads: it says so, or does the work alone. */
static void job_no_fork(void)
{
    begin_traced();
    RELEASE_PROGRAM(built("kernel void first(void) {}", NULL));
    allow_processes(1);
    cl_int rc = build_watched(0, 3, "unavailable");
    printf("without processes: %s\n", code_name(rc));
    CHECK(rc == CL_SUCCESS || rc == CL_BUILD_PROGRAM_FAILURE);
    no_part_is_left();
    allow_processes(RLIM_INFINITY);
    RELEASE_PROGRAM(built("kernel void last(void) {}", NULL));
    unlink(trace);
    env_close(1);
}

/* Limits on processes do not hold for root. */
static int be_somebody(void)
{
    return geteuid() ? 1 : !setresgid(65534, 65534, 65534) && !setresuid(65534, 65534, 65534);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void needs_processors(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) || CPU_COUNT(&allowed) < 2)
        check_skip("with one processor there are no parts");
    if (!is_sluice())
        check_skip("processes of Sluice");
}

static void hit_by(const char *setting, const char *limit)
{
    const char *env[] = {setting, limit, "SLUICE_CACHE=0", NULL};
    needs_processors();
    child_ends(&(struct child_plan){.job = "job_hit", .env = env, .limit_seconds = 250}, 0);
}

static void killed_part(void)
{
    hit_by("SLUICE_TEST_SIGNAL=9", "SLUICE_COMPILE_TIMEOUT=100");
}

static void crashed_part(void)
{
    hit_by("SLUICE_TEST_SIGNAL=11", "SLUICE_COMPILE_TIMEOUT=100");
}

/* It never ends: the time limit ends them all. */
static void stopped_part(void)
{
    hit_by("SLUICE_TEST_SIGNAL=19", "SLUICE_COMPILE_TIMEOUT=6");
}

/* The parts do not outlive the compiler process. */
static void killed_parent(void)
{
    hit_by("SLUICE_TEST_SIGNAL=15", "SLUICE_COMPILE_TIMEOUT=100");
}

static void no_more_processes(void)
{
    static const char *const env[] = {"SLUICE_CACHE=0", "HOME=/nonexistent", NULL};
    needs_processors();
    child_ends(
        &(struct child_plan){
            .job = "job_no_fork", .env = env, .prepare = be_somebody, .limit_seconds = 100},
        0);
}

static const struct test_case jobs[] = {CASE(job_hit), CASE(job_no_fork)};
static const struct test_case cases[] = {
    CASE(killed_part),   CASE(crashed_part),      CASE(stopped_part),
    CASE(killed_parent), CASE(no_more_processes),
};
JOBS_MAIN("parts", cases, jobs)
