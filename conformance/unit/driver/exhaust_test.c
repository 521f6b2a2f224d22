/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every request for memory, threads and descriptors of a whole life of an application fails once,
 * and once for good: the calls say that memory is short, nothing crashes, hangs or is lost, and the
 * same process works afterwards. Each in a process of its own, so that the library's start is part
 * of it. One thread; no lock.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/api.h"
#include "exhaust.h"
#include "exhaust_run.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif
enum { SECONDS = 30, SLACK = 10, WHOLE_RUNS = 4, MOST_BYTES = 1 << 20 };

static struct exhaust_design designs[2] = {{.device = "cpu"}, {.device = "fpga"}};
/* What a child leaves: pages shared with it. */
static struct {
    size_t bytes[2];
    long requests, live, reference;
    unsigned char binary[2][MOST_BYTES];
} *left;

/* Who waits for memory waits for as long as there is none; then he goes on. */
static void on_alarm(int number)
{
    exhaust_at(0, false);
    signal(number, SIG_DFL);
    alarm(SECONDS);
}

static int in_child(int (*job)(int, long, bool), int which, long n, bool all)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        signal(SIGALRM, on_alarm);
        alarm(SECONDS / 10);
        exit(job(which, n, all));
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int build(int which, long n, bool all)
{
    (void)n, (void)all;
    cl_int rc;
    size_t bytes = 0;
    unsigned char *to = left->binary[which];
    cl_device_id device = exhaust_device(designs[which].device);
    cl_context context = device ? sl_clCreateContext(NULL, 1, &device, NULL, NULL, &rc) : NULL;
    if (!context)
        return 1;
    cl_program program = sl_clCreateProgramWithSource(
        context, 1, (const char *[]){exhaust_source[which]}, NULL, &rc);
    const char *options = which ? "" : "-cl-std=CLC++2021";
    if (!program || sl_clBuildProgram(program, 0, NULL, options, NULL, NULL))
        return 77;
    if (sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) ||
        bytes > MOST_BYTES ||
        sl_clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL))
        return 1;
    left->bytes[which] = bytes;
    return sl_clReleaseProgram(program) || sl_clReleaseContext(context);
}

/* Threads that end let go a moment after the last release. */
static long settled(long goal)
{
    for (int i = 0; i < 200 && exhaust_live() > goal; i++)
        usleep(5000);
    return exhaust_live();
}

/* The n-th request fails; then everything works twice. */
static int live_with(int which, long n, bool all)
{
    setenv("SLUICE_COMPILER", "/nowhere", 1);
    setenv("SLUICE_FPGA_ON_STALL", "error", 1);
    setenv("SLUICE_FPGA_STALL_MS", "20", 1);
    setenv("SLUICE_LOG_FILE", "/dev/null", 1);
    setenv("SLUICE_DEVICES", designs[which].device, 1);
    exhaust_at(n, all);
    bool good = exhaust_run(&designs[which], !n);
    left->requests = exhaust_requests();
    exhaust_at(0, false);
    good = exhaust_run(&designs[which], true) && good;
    good = exhaust_run(&designs[which], true) && good;
    left->live = settled(n ? left->reference + SLACK : 0);
    return !good;
}

static void exhaust(int which)
{
    designs[which].binary = left->binary[which];
    designs[which].bytes = left->bytes[which];
    if (!designs[which].bytes)
        skip();
    long most = 0, reference = 0; /* pools keep more or less, as the threads happen to meet */
    for (int i = 0; i < WHOLE_RUNS; i++) {
        assert_int_equal(in_child(live_with, which, 0, false), 0);
        most = left->requests > most ? left->requests : most;
        reference = left->live > reference ? left->live : reference;
    }
    left->reference = reference;
    const char *only = getenv("SLUICE_TEST_SEED");
    const long step = sanitized ? 4 : 1; /* a process costs a hundred times as much there */
    int bad = 0;
    for (long n = only ? atol(only) : 1; n <= most; n += step) {
        for (int all = 0; all < 2; all++) {
            int status = in_child(live_with, which, n, all);
            long lost = left->live - reference;
            if (status || lost > SLACK) {
                print_error("%s, request %ld%s: status %d, %ld blocks lost\n",
                            designs[which].device, n, all ? " and all later ones" : "", status,
                            lost);
                bad++;
            }
        }
        if (only)
            break;
    }
    print_message("%s: %ld requests, each failed once and for good; %ld blocks stay\n",
                  designs[which].device, most, reference);
    assert_int_equal(bad, 0);
}

static void test_cpu(void **state)
{
    (void)state;
    exhaust(0);
}

static void test_fpga(void **state)
{
    (void)state;
    exhaust(1);
}

static int setup(void **state)
{
    (void)state;
    left = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (left == MAP_FAILED)
        return -1;
    for (int i = 0; i < 2; i++) {
        if (in_child(build, i, 0, false) == 1)
            return -1;
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cpu), cmocka_unit_test(test_fpga)};
    return cmocka_run_group_tests(tests, setup, NULL);
}
