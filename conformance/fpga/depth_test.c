/* SPDX-License-Identifier: Apache-2.0 */
/* Capacities in the three depth modes, however the mode is chosen. */
#include "child.h"
#include "flow.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A build option wins over the settings, so the tests' own environment does not matter. */
static const char option_variable[] = "SLUICE_TEST_OPTIONS";

static const char source[] = CHANNELS
    "channel int none; channel int zero __attribute__((depth(0)));\n"
    "channel int one __attribute__((depth(1))); channel int five __attribute__((depth(5)));\n"
    "channel int c100 __attribute__((depth(100)));\n"
    "channel int c1000 __attribute__((depth(1000)));\n"
    "#define FILL(c, i) for (int j = 0; j < 3000; j++) o[i] += write_channel_nb_intel(c, j)\n"
    "kernel void k(global uint *o, uint n) {\n"
    "    FILL(none, 0); FILL(zero, 1); FILL(one, 2); FILL(five, 3); FILL(c100, 4);\n"
    "    FILL(c1000, 5);\n"
    "}\n"
    "kernel void drain(global uint *o, uint n) {\n"
    "    read_channel_intel(none); read_channel_intel(zero); read_channel_intel(one);\n"
    "    read_channel_intel(five); read_channel_intel(c100); read_channel_intel(c1000);\n"
    "}\n";

static cl_uint strict(cl_uint i)
{
    return (const cl_uint[]){1, 1, 1, 5, 100, 1000}[i];
}

static cl_uint by_default(cl_uint i)
{
    return (const cl_uint[]){256, 256, 1, 5, 100, 1000}[i];
}

static cl_uint ignored(cl_uint i)
{
    return (const cl_uint[]){256, 256, 256, 256, 256, 1000}[i];
}

static void job(cl_uint (*want)(cl_uint))
{
    REQUIRE(!env_open());
    cl_program program = built(source, getenv(option_variable));
    program_expect(program, "k", 6, want);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void job_strict(void)
{
    job(strict);
}

static void job_default(void)
{
    job(by_default);
}

static void job_ignored(void)
{
    job(ignored);
}

static void chosen(const char *job_name, const char *intel, const char *own, const char *option)
{
    char text[3][128];
    const char *env[] = {"CL_CONFIG_CHANNEL_DEPTH_EMULATION_MODE", "SLUICE_FPGA_DEPTH",
                         option_variable, NULL};
    if (intel) {
        snprintf(text[0], sizeof text[0], "CL_CONFIG_CHANNEL_DEPTH_EMULATION_MODE=%s", intel);
        env[0] = text[0];
    }
    if (own) {
        snprintf(text[1], sizeof text[1], "SLUICE_FPGA_DEPTH=%s", own);
        env[1] = text[1];
    }
    if (option) {
        snprintf(text[2], sizeof text[2], "%s=-emulator-channel-depth-model=%s", option_variable,
                 option);
        env[2] = text[2];
    }
    child_ends(&(struct child_plan){.job = job_name, .env = env}, 0);
}

static void strict_is_the_default(void)
{
    chosen("job_strict", NULL, NULL, NULL);
    chosen("job_strict", "strict", NULL, NULL);
    chosen("job_strict", "ignore", NULL, NULL);
}

static void intel_setting(void)
{
    chosen("job_default", "default", NULL, NULL);
    chosen("job_ignored", "ignore-depth", NULL, NULL);
    chosen("job_ignored", "ignoredepth", NULL, NULL);
}

static void own_setting(void)
{
    if (!is_sluice())
        check_skip("a setting of Sluice");
    chosen("job_strict", NULL, "strict", NULL);
    chosen("job_default", NULL, "default", NULL);
    chosen("job_ignored", NULL, "ignore-depth", NULL);
    chosen("job_default", "ignore-depth", "default", NULL);
}

static void build_option(void)
{
    if (!is_sluice())
        check_skip("an option of the FPGA compiler that the emulator does not know");
    chosen("job_strict", NULL, NULL, "strict");
    chosen("job_default", NULL, NULL, "default");
    chosen("job_ignored", NULL, NULL, "ignore-depth");
    chosen("job_strict", "default", "ignore-depth", "strict");
}

/* max_packets of clCreatePipe is exact, but for ignore-depth. */
static const char pipe_source[] =
    "kernel void k(global uint *o, uint n, write_only pipe int p) {\n"
    "    for (int i = 0; i < 3000; i++) o[0] += write_pipe(p, &i) == 0;\n"
    "}\n";

static void pipe_holds(cl_uint max_packets, cl_uint want)
{
    cl_int rc;
    cl_uint n = 1;
    cl_mem pipe = clCreatePipe(cl.context, 0, 4, max_packets, NULL, &rc), out = new_uints(1);
    REQUIRE_OK(rc);
    cl_kernel kernel = new_kernel(pipe_source, "k", "");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    ARG(kernel, 2, pipe);
    run_1d(kernel, 1, 1);
    cl_uint *got = take_uints(out, 1);
    CHECK_EQ(got[0], want);
    free(got);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(pipe);
    RELEASE_MEM(out);
}

static void job_pipes_exact(void)
{
    REQUIRE(!env_open());
    pipe_holds(1, 1);
    pipe_holds(10, 10);
    pipe_holds(1000, 1000);
    env_close(1);
}

static void job_pipes_ignored(void)
{
    REQUIRE(!env_open());
    pipe_holds(1, 256);
    pipe_holds(100, 256);
    pipe_holds(1000, 1000);
    env_close(1);
}

static void pipe_objects(void)
{
    chosen("job_pipes_exact", NULL, NULL, NULL);
    chosen("job_pipes_exact", "default", NULL, NULL);
    chosen("job_pipes_ignored", "ignore-depth", NULL, NULL);
}

/* A design that needs room for three finishes where there is, in whatever mode. */
static void declared_depth_is_there(void)
{
    static const char needs_three[] = CHANNELS
        "channel uint a __attribute__((depth(3))); channel uint b __attribute__((depth(1)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i += 3) {\n"
        "        for (uint j = 0; j < 3; j++) write_channel_intel(a, i + j);\n"
        "        write_channel_intel(b, i);\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i += 3) {\n"
        "        uint at = read_channel_intel(b);\n"
        "        for (uint j = 0; j < 3; j++) o[at + j] = read_channel_intel(a);\n"
        "    }\n"
        "}\n";
    flow_expect(needs_three, "src dst", 999, want_same);
}

/* What was set for builds does nothing for a binary: its log and standard error say so. */
static void job_late_settings(void)
{
    static const char *const names[] = {"SLUICE_FPGA_DEPTHS", "SLUICE_FPGA_TIMING",
                                        "SLUICE_FPGA_DEPTH does"};
    REQUIRE(!env_open());
    cl_program program = built(source, "-emulator-channel-depth-model=strict");
    size_t bytes = 0;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes + 1);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    for (int set = 0; set < 2; set++) {
        cl_int rc;
        if (set)
            CHECK_EQ(setenv(names[0], "five=7", 1) | setenv(names[1], "1", 1) |
                         setenv("SLUICE_FPGA_DEPTH", "ignore-depth", 1),
                     0);
        const unsigned char *given = binary;
        cl_program again =
            clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes, &given, NULL, &rc);
        REQUIRE_OK(rc);
        REQUIRE_OK(clBuildProgram(again, 1, &cl.device, "", NULL, NULL));
        char *log = build_log(again);
        for (size_t i = 0; i < LEN(names); i++)
            CHECK_EQ(strstr(log, names[i]) != NULL, set);
        free(log);
        RELEASE_PROGRAM(again);
    }
    free(binary);
    RELEASE_PROGRAM(program);
    env_close(1);
}

/* A row of depths that does nothing is said where somebody sees it. */
static void job_depths_in_vain(void)
{
    REQUIRE(!env_open());
    CHECK_EQ(setenv("SLUICE_FPGA_DEPTHS", "fife=7 five none=9", 1), 0);
    RELEASE_PROGRAM(built(source, "-emulator-channel-depth-model=strict"));
    env_close(1);
}

static void depths_in_vain(void)
{
    static const char *const none[] = {"SLUICE_FPGA_DEPTHS", NULL};
    struct child child = child_run(&(struct child_plan){.job = "job_depths_in_vain", .env = none});
    CHECK_EQ(child.status, 0);
    CHECK(strstr(child.err, "SLUICE_FPGA_DEPTHS: the program has no pipe 'fife': it has "));
    CHECK(strstr(child.err, "five"));
    CHECK(strstr(child.err, "SLUICE_FPGA_DEPTHS: 'five' is not NAME=PACKETS: ignored"));
    child_finish(&child);
}

static void settings_of_builds(void)
{
    static const char *const none[] = {"SLUICE_FPGA_DEPTHS", "SLUICE_FPGA_TIMING",
                                       "SLUICE_FPGA_DEPTH", NULL};
    struct child child = child_run(&(struct child_plan){.job = "job_late_settings", .env = none});
    CHECK_EQ(child.status, 0);
    CHECK(strstr(child.err, "SLUICE_FPGA_DEPTHS does nothing for a binary"));
    CHECK(strstr(child.err, "SLUICE_FPGA_TIMING does nothing for a binary"));
    CHECK(strstr(child.err, "SLUICE_FPGA_DEPTH does nothing for a binary"));
    child_finish(&child);
}

static const struct test_case cases[] = {
    CASE(strict_is_the_default), CASE(intel_setting),  CASE(own_setting),
    CASE(build_option),          CASE(pipe_objects),   CASE(declared_depth_is_there),
    CASE(settings_of_builds),    CASE(depths_in_vain),
};
static const struct test_case jobs[] = {CASE(job_strict),        CASE(job_default),
                                        CASE(job_ignored),       CASE(job_pipes_exact),
                                        CASE(job_pipes_ignored), CASE(job_late_settings),
                                        CASE(job_depths_in_vain)};
JOBS_MAIN("depth", cases, jobs)
