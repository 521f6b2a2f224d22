/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_FPGA_IO=files:, by which I/O channels are files and named pipes of the working directory,
 * as published designs expect it: output behind what is there, input as it grows. Each case is a
 * process of its own in a folder of its own. */
#include "child.h"
#include "flow.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 3001, SOME = 7 };

static const char relay[] = CHANNELS "channel uint in __attribute__((depth(4), io(\"left\")));\n"
                                     "channel uint out __attribute__((depth(4), io(\"right\")));\n"
                                     "kernel void relay(global uint *o, uint n) {\n"
                                     "    for (uint i = 0; i < n; i++) {\n"
                                     "        uint v = read_channel_intel(in); o[i] = v;\n"
                                     "        write_channel_intel(out, v + 1);\n"
                                     "    }\n"
                                     "}\n";

/* ---- in the folder, by its names ------------------------------------------------------------- */

static void enter_folder(void)
{
    REQUIRE(!chdir(getenv("IO_FOLDER")));
}

static void put_words(const char *name, cl_uint first, cl_uint count)
{
    FILE *file = fopen(name, "ae");
    REQUIRE(file);
    for (cl_uint i = first; i < first + count; i++)
        REQUIRE(fwrite(&i, sizeof i, 1, file) == 1);
    REQUIRE(!fclose(file));
}

/* Words of an arithmetic series, and no more. */
static void expect_words(const char *name, cl_uint first, cl_uint step, cl_uint count)
{
    FILE *file = fopen(name, "re");
    cl_uint got, i = 0;
    REQUIRE(file);
    for (; fread(&got, sizeof got, 1, file) == 1; i++)
        if (!CHECK_EQ(got, first + step * i))
            break;
    CHECK_EQ(i, count);
    REQUIRE(!fclose(file));
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void job_files(void)
{
    enter_folder();
    put_words("left", 0, COUNT);
    put_words("right", 0, 1);
    REQUIRE(!env_open());
    flow_expect(relay, "relay", COUNT, want_same);
    expect_words("right", 0, 1, COUNT + 1);
    env_close(1);
}

/* The second half is written when the first has gone through. */
static void job_grows(void)
{
    enter_folder();
    REQUIRE(!env_open());
    cl_program program = built(relay, "");
    for (cl_uint part = 0; part < 2; part++) {
        put_words("left", 0, SOME);
        program_expect(program, "relay", SOME, want_same);
    }
    unlink("left");
    unlink("right");
    put_words("left", 0, COUNT);
    program_expect(program, "relay", COUNT, want_same);
    expect_words("right", 1, 1, COUNT);
    RELEASE_PROGRAM(program);
    env_close(1);
}

/* What leaves by one name comes back by the other: a link, as scripts of designs make it. */
static void job_link(void)
{
    enter_folder();
    put_words("right", 0, 1);
    REQUIRE(!symlink("right", "left"));
    REQUIRE(!env_open());
    flow_expect(relay, "relay", COUNT, want_same);
    expect_words("right", 0, 1, COUNT + 1);
    env_close(1);
}

/* Hosts make the link anew between the build and the launch: what an earlier run left in the file
 * that it led to is not read. */
static void job_link_anew(void)
{
    enter_folder();
    put_words("right", COUNT, SOME);
    REQUIRE(!symlink("right", "left"));
    REQUIRE(!env_open());
    cl_program program = built(relay, "");
    usleep(100000);
    REQUIRE(!unlink("right") && !unlink("left"));
    put_words("right", 0, 1);
    REQUIRE(!symlink("right", "left"));
    program_expect(program, "relay", COUNT, want_same);
    expect_words("right", 0, 1, COUNT + 1);
    RELEASE_PROGRAM(program);
    env_close(1);
}

/* Kernels that run since the build read what was put there behind it, though nothing is launched.
 */
static void job_autorun(void)
{
    static const char source[] =
        CHANNELS "channel uint in __attribute__((depth(4), io(\"left\")));\n"
                 "channel uint out __attribute__((depth(4), io(\"right\")));\n"
                 "__attribute__((autorun, max_global_work_dim(0))) kernel void relay() {\n"
                 "    write_channel_intel(out, read_channel_intel(in) + 1);\n"
                 "}\n";
    struct stat status = {0};
    enter_folder();
    REQUIRE(!env_open());
    cl_program program = built(source, "");
    put_words("left", 0, SOME);
    for (int i = 0; i < 200 && status.st_size < (off_t)(SOME * sizeof(cl_uint)); i++) {
        usleep(50000);
        if (stat("right", &status))
            status.st_size = 0;
    }
    expect_words("right", 1, 1, SOME);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void job_fifo(void)
{
    enter_folder();
    REQUIRE(!mkfifo("right", 0600) && !symlink("right", "left"));
    REQUIRE(!env_open());
    cl_program program = built(relay, "");
    put_words("right", 0, 1);
    program_expect(program, "relay", COUNT, want_same);
    RELEASE_PROGRAM(program);
    env_close(1);
}

/* Only what is a plain name is bound. */
static void job_paths(void)
{
    static const char source[] =
        CHANNELS "channel uint in __attribute__((io(\"../left\")));\n"
                 "kernel void k(global uint *o) { *o = read_channel_intel(in); }\n";
    enter_folder();
    REQUIRE(!env_open());
    build_tells(source, "", WORDS("warning", "\"../left\"", "does not bind"));
    build_silent_of(relay, "", WORDS("warning"));
    env_close(1);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void in_folder(const char *job)
{
    static const char *const names[] = {"left", "right"};
    const char *env[] = {"SLUICE_FPGA_IO=files:", "SLUICE_FPGA_ON_STALL=report", NULL};
    char folder[] = "/tmp/sluice-files-XXXXXX", path[64];
    if (!is_sluice())
        check_skip("a setting of Sluice");
    REQUIRE(mkdtemp(folder) && !setenv("IO_FOLDER", folder, 1));
    child_ends(&(struct child_plan){.job = job, .env = env}, 0);
    for (size_t i = 0; i < LEN(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    CHECK_EQ(rmdir(folder), 0);
}

static void names_are_files(void)
{
    in_folder("job_files");
}

static void files_grow_and_are_replaced(void)
{
    in_folder("job_grows");
}

static void a_link_joins_both_ends(void)
{
    in_folder("job_link");
}

static void files_are_opened_at_the_launch(void)
{
    in_folder("job_link_anew");
}

static void autorun_kernels_read_files(void)
{
    in_folder("job_autorun");
}

static void named_pipes_are_taken(void)
{
    in_folder("job_fifo");
}

static void paths_are_not(void)
{
    in_folder("job_paths");
}

static const struct test_case cases[] = {
    CASE(names_are_files),        CASE(files_grow_and_are_replaced),
    CASE(a_link_joins_both_ends), CASE(files_are_opened_at_the_launch),
    CASE(named_pipes_are_taken),  CASE(autorun_kernels_read_files),
    CASE(paths_are_not),
};
static const struct test_case jobs[] = {CASE(job_files),     CASE(job_grows),   CASE(job_link),
                                        CASE(job_link_anew), CASE(job_autorun), CASE(job_fifo),
                                        CASE(job_paths)};
JOBS_MAIN("io_files", cases, jobs)
