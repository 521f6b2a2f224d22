/* SPDX-License-Identifier: Apache-2.0 */
/* clGetProfileDataDeviceIntelFPGA: the profile of kernels that never end is read back while they
 * run, into memory and into the file. Each case is a process of its own in a folder of its own. */
#include "child.h"
#include "flow.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static clGetProfileDataDeviceIntelFPGA_fn get_data;
static char folder[64];

static const char relayed[] =
    CHANNELS "channel uint a __attribute__((depth(4)));\n"
             "channel uint b __attribute__((depth(4)));\n"
             "__attribute__((autorun)) __attribute__((max_global_work_dim(0)))\n"
             "kernel void relay() { write_channel_intel(b, read_channel_intel(a) + 1); }\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(a, i);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(b) - 1;\n"
             "}\n";

static const char only_autorun[] =
    CHANNELS "channel uint a __attribute__((depth(4)));\n"
             "__attribute__((autorun)) __attribute__((max_global_work_dim(0)))\n"
             "kernel void from() { write_channel_intel(a, 1); }\n"
             "__attribute__((autorun)) __attribute__((max_global_work_dim(0)))\n"
             "kernel void to() { read_channel_intel(a); }\n"
             "kernel void other(global uint *o) { *o = 1; }\n";

/* ---- in the process that is profiled --------------------------------------------------------- */

static void open_job(void)
{
    REQUIRE(!env_open());
    get_data = (clGetProfileDataDeviceIntelFPGA_fn)(size_t)clGetExtensionFunctionAddressForPlatform(
        cl.platform, "clGetProfileDataDeviceIntelFPGA");
    REQUIRE(get_data != NULL);
}

static cl_int read_kinds(cl_program program, cl_bool enqueued, cl_bool autorun, cl_bool clear)
{
    cl_int code = 77,
           rc = get_data(cl.device, program, enqueued, autorun, clear, 0, NULL, NULL, &code);
    CHECK_EQ(code, rc);
    return rc;
}

/* owned by the caller */
static char *text_of(cl_program program, cl_bool clear)
{
    size_t room = 0, used = 0;
    REQUIRE_OK(get_data(cl.device, program, CL_FALSE, CL_TRUE, clear, 0, NULL, &room, NULL));
    char *text = malloc(room);
    REQUIRE(text);
    REQUIRE_OK(get_data(cl.device, program, CL_FALSE, CL_TRUE, clear, room, text, &used, NULL));
    CHECK(used <= room);
    CHECK_EQ(strlen(text) + 1, used);
    return text;
}

/* The number behind `key` behind the row that begins with `row`. */
static long number_in(const char *text, const char *row, const char *key)
{
    const char *at = strstr(text, row);
    at = at ? strstr(at, key) : NULL;
    REQUIRE(at != NULL);
    return strtol(at + strlen(key), NULL, 10);
}

static void has_packets(const char *text, long count)
{
    CHECK_EQ(number_in(text, "{\"name\":\"a\"", "\"packets\":"), count);
    CHECK_EQ(number_in(text, "{\"name\":\"b\"", "\"packets\":"), count);
    CHECK(strstr(text, "\"name\":\"relay\"") && strstr(text, "\"autorun\":true"));
}

static char *file_text(const char *name)
{
    char path[128], *text = calloc(1, 1 << 20);
    snprintf(path, sizeof path, "%s/%s", getenv("PROFILE_FOLDER"), name);
    FILE *file = fopen(path, "re");
    REQUIRE(text);
    if (file) {
        REQUIRE(fread(text, 1, (1 << 20) - 1, file) > 0);
        fclose(file);
    }
    return text;
}

static void file_has_packets(const char *name, long count)
{
    char *text = file_text(name);
    has_packets(text, count);
    free(text);
}

static void text_has_packets(cl_program program, cl_bool clear, long count)
{
    char *text = text_of(program, clear);
    has_packets(text, count);
    free(text);
}

static void job_read_back(void)
{
    char small[10];
    size_t size = 0;
    open_job();
    cl_program program = built(relayed, "");
    program_expect(program, "src dst", 100, want_same);
    CHECK_OK(get_data(cl.device, program, CL_TRUE, CL_TRUE, CL_TRUE, 0, NULL, &size, NULL));
    CHECK(size > 1000); /* only asked for: nothing is written or cleared */
    char *text = file_text("p.json");
    CHECK_EQ(*text, 0);
    free(text);
    FAILS(CL_INVALID_VALUE, get_data(cl.device, program, CL_TRUE, CL_FALSE, CL_TRUE, sizeof small,
                                     small, NULL, NULL));
    text_has_packets(program, CL_FALSE, 100);
    file_has_packets("p.json", 100);
    program_expect(program, "src dst", 11, want_same);
    CHECK_OK(read_kinds(program, CL_FALSE, CL_FALSE, CL_TRUE)); /* nothing is asked for */
    CHECK_OK(get_data(cl.device, program, CL_FALSE, CL_FALSE, CL_TRUE, 0, NULL, &size, NULL));
    CHECK_EQ(size, 0);
    file_has_packets("p.json", 100);
    CHECK_OK(read_kinds(program, CL_FALSE, CL_TRUE, CL_TRUE));
    file_has_packets("p.json", 111);
    text_has_packets(program, CL_FALSE, 0);
    file_has_packets("p.json.2", 0); /* what comes after has a file of its own */
    program_expect(program, "src dst", 30, want_same);
    text_has_packets(program, CL_TRUE, 30);
    program_expect(program, "src dst", 7, want_same);
    RELEASE_PROGRAM(program);
    env_close(1);
    file_has_packets("p.json", 111);
    file_has_packets("p.json.2", 30);
    file_has_packets("p.json.3", 7);
}

static void job_kinds(void)
{
    open_job();
    cl_program program = built(only_autorun, "");
    CHECK_EQ(read_kinds(program, CL_TRUE, CL_FALSE, CL_FALSE), CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_OK(read_kinds(program, CL_FALSE, CL_TRUE, CL_FALSE));
    CHECK_OK(read_kinds(program, CL_TRUE, CL_TRUE, CL_TRUE));
    RELEASE_PROGRAM(program);
    program = built("kernel void k(global int *o) { *o = 1; }\n", "");
    CHECK_EQ(read_kinds(program, CL_TRUE, CL_TRUE, CL_FALSE), CL_PROFILING_INFO_NOT_AVAILABLE);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void job_nowhere(void)
{
    open_job();
    cl_program program = built(relayed, "");
    CHECK_EQ(read_kinds(program, CL_FALSE, CL_TRUE, CL_FALSE), CL_OUT_OF_RESOURCES);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void job_off(void)
{
    open_job();
    cl_program program = built(relayed, "");
    program_expect(program, "src dst", 10, want_same);
    CHECK_EQ(read_kinds(program, CL_FALSE, CL_TRUE, CL_FALSE), CL_PROFILING_INFO_NOT_AVAILABLE);
    RELEASE_PROGRAM(program);
    env_close(1);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void run_job(const char *job, const char *profile)
{
    static const char *const names[] = {"p.json", "p.json.2", "p.json.3"};
    char setting[128], where[128];
    if (!is_sluice())
        check_skip("a setting of Sluice");
    snprintf(folder, sizeof folder, "/tmp/sluice-profile-XXXXXX");
    REQUIRE(mkdtemp(folder));
    snprintf(setting, sizeof setting, "SLUICE_FPGA_PROFILE=%s%s", *profile == '/' ? folder : "",
             profile);
    snprintf(where, sizeof where, "PROFILE_FOLDER=%s", folder);
    const char *env[] = {setting, where, NULL};
    child_ends(&(struct child_plan){.job = job, .env = env}, 0);
    for (size_t i = 0; i < LEN(names); i++) {
        snprintf(setting, sizeof setting, "%s/%s", folder, names[i]);
        unlink(setting);
    }
    rmdir(folder);
}

static void reads_back(void)
{
    run_job("job_read_back", "/p.json");
}

static void kinds(void)
{
    run_job("job_kinds", "/p.json");
}

static void nowhere(void)
{
    run_job("job_nowhere", "/no/such/folder/p.json");
}

static void off(void)
{
    run_job("job_off", "");
}

static const struct test_case cases[] = {CASE(reads_back), CASE(kinds), CASE(nowhere), CASE(off)};
static const struct test_case jobs[] = {CASE(job_read_back), CASE(job_kinds), CASE(job_nowhere),
                                        CASE(job_off)};
JOBS_MAIN("profile_data", cases, jobs)
