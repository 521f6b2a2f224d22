/* SPDX-License-Identifier: Apache-2.0 */
/* Debuggers and profilers know kernels: gdb stops at one by name and, with -g, by line; a backtrace
 * names it without -g too; samples of perf are given to it. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char variable[] = "SLUICE_TEST_OPTIONS";

/* Line 9 is stopped at, line 14 faults. */
static const char source[] = "int deeper(int v)\n"
                             "{\n"
                             "    return v * 3 + 1;\n"
                             "}\n"
                             "kernel void find_me(global int *x, uint rounds)\n"
                             "{\n"
                             "    int sum = x[get_global_id(0)];\n"
                             "    for (uint i = 0; i < rounds; i++)\n"
                             "        sum = deeper(sum) ^ (sum >> 3);\n"
                             "    x[get_global_id(0)] = sum;\n"
                             "}\n"
                             "kernel void fall(global int *x, uint rounds)\n"
                             "{\n"
                             "    *(volatile global int *)(x - x + rounds) = 1;\n"
                             "}\n";

static void run_kernel(const char *name, cl_uint rounds)
{
    REQUIRE(!env_open());
    cl_kernel kernel = new_kernel(source, name, getenv(variable));
    cl_mem mem = new_buffer(0, 4096, NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, rounds);
    run_1d(kernel, 64, 8);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    env_close(1);
}

static void job_kernel(void)
{
    run_kernel("find_me", 1000);
}

static void job_long_kernel(void)
{
    run_kernel("find_me", 10000000);
}

static void job_fault(void)
{
    run_kernel("fall", 16);
}

static int installed(const char *program)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return !system(command);
}

/* ---- gdb ------------------------------------------------------------------------------------- */

/* Runs the job under gdb with these commands; its output must hold every word. */
static void debug(const char *job, const char *options, const char *const *commands,
                  const char *const *words)
{
    const char *wrap[32] = {"gdb",
                            "-batch",
                            "-nx",
                            "-ex",
                            "set breakpoint pending on",
                            "-ex",
                            "set debuginfod enabled off",
                            "-ex",
                            "set confirm off"};
    size_t at = 9;
    char setting[128];
    if (!installed("gdb"))
        check_skip("gdb is not installed");
    for (; *commands; commands++) {
        wrap[at++] = "-ex";
        wrap[at++] = *commands;
    }
    wrap[at] = "--args";
    snprintf(setting, sizeof setting, "%s=%s", variable, options);
    const char *env[] = {setting, NULL};
    struct child child =
        child_run(&(struct child_plan){.job = job, .env = env, .wrap = wrap, .limit_seconds = 100});
    for (; *words; words++)
        if (!strstr(child.out, *words))
            check_fail(__FILE__, __LINE__, "gdb with \"%s\" does not say \"%s\":\n%.900s\n%.300s",
                       options, *words, child.out, child.err);
    child_finish(&child);
}

static void breakpoint_by_name(void)
{
    debug("job_kernel", "-g", (const char *const[]){"break find_me", "run", "backtrace", NULL},
          (const char *const[]){"hit Breakpoint 1", "#0 ", "find_me", NULL});
    debug("job_kernel", "", (const char *const[]){"break find_me", "run", "backtrace", NULL},
          (const char *const[]){"hit Breakpoint 1", "#0 ", "find_me", NULL});
}

static void breakpoint_by_line(void)
{
    debug("job_kernel", "-g",
          (const char *const[]){"break <source>:9", "run", "info source", "backtrace", NULL},
          (const char *const[]){"hit Breakpoint 1", "<source>:9", "language is opencl", NULL});
}

static void backtrace_without_debug_info(void)
{
    debug("job_fault", "", (const char *const[]){"run", "backtrace", NULL},
          (const char *const[]){"SIGSEGV", " fall", NULL});
}

static void backtrace_with_line(void)
{
    debug("job_fault", "-g", (const char *const[]){"run", "backtrace", NULL},
          (const char *const[]){"SIGSEGV", " fall", ":14", NULL});
}

/* ---- perf ------------------------------------------------------------------------------------ */

static void samples_are_given_to_the_kernel(void)
{
    char folder[] = "/tmp/sluice-perf-XXXXXX", data[64], dump[64], command[512], text[4096] = "";
    if (!installed("perf") || system("perf record -o /dev/null true >/dev/null 2>&1"))
        check_skip("perf cannot record here");
    REQUIRE(mkdtemp(folder));
    snprintf(data, sizeof data, "%s/data", folder);
    snprintf(dump, sizeof dump, "SLUICE_DUMP=%s", folder);
    const char *wrap[] = {"perf", "record", "-q", "-o", data, "--", NULL};
    const char *env[] = {dump, "SLUICE_TEST_OPTIONS=", NULL};
    struct child child =
        child_run(&(struct child_plan){.job = "job_long_kernel", .env = env, .wrap = wrap});
    CHECK_EQ(child.status, 0);
    snprintf(command, sizeof command,
             "perf report -i %s --stdio --sort symbol >%s/report 2>/dev/null && grep -o find_me "
             "%s/report",
             data, folder, folder);
    FILE *report = popen(command, "r");
    size_t got = report ? fread(text, 1, sizeof text - 1, report) : 0;
    CHECK(report && !pclose(report));
    CHECK(got > 0);
    printf("%s", text);
    child_finish(&child);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK_EQ(system(command), 0);
}

/* ---- kept modules ---------------------------------------------------------------------------- */

/* What stays behind in SLUICE_DUMP answers for addresses after the process is gone. */
static void addresses_in_kept_modules(void)
{
    static const char script[] =
        "cd '%s' && for m in *module.so; do a=$(nm $m | sed -n 's/ [Tt] find_me$//p' | head -1); "
        "[ -n \"$a\" ] && addr2line -f -e $m $a; done";
    char folder[] = "/tmp/sluice-kept-XXXXXX", dump[64], command[512], text[4096] = "";
    if (!installed("addr2line") || !installed("nm"))
        check_skip("binutils are not installed");
    REQUIRE(mkdtemp(folder));
    snprintf(dump, sizeof dump, "SLUICE_DUMP=%s", folder);
    const char *env[] = {dump, "SLUICE_TEST_OPTIONS=-g", NULL};
    child_ends(&(struct child_plan){.job = "job_kernel", .env = env}, 0);
    snprintf(command, sizeof command, script, folder);
    FILE *lines = popen(command, "r");
    size_t got = lines ? fread(text, 1, sizeof text - 1, lines) : 0;
    if (lines)
        pclose(lines);
    if (!got || !strstr(text, "find_me") || !strstr(text, "<source>:"))
        check_fail(__FILE__, __LINE__, "addr2line says: %s", text);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK_EQ(system(command), 0);
}

static const struct test_case jobs[] = {CASE(job_kernel), CASE(job_long_kernel), CASE(job_fault)};
static const struct test_case cases[] = {
    CASE(breakpoint_by_name),
    CASE(breakpoint_by_line),
    CASE(backtrace_without_debug_info),
    CASE(backtrace_with_line),
    CASE(samples_are_given_to_the_kernel),
    CASE(addresses_in_kept_modules),
};
JOBS_MAIN("debug", cases, jobs)
