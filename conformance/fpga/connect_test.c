/* SPDX-License-Identifier: Apache-2.0 */
/* Static connectivity: what a build refuses and what it warns of, with pipe, kernels and lines in
 * the log; and declarations that are no channels. */
#include "flow.h"

/* ---- two kernels at one end ------------------------------------------------------------------ */

static void two_readers(void)
{
    build_fails(CHANNELS
                "channel int shared_one;\n" /* line 2 */
                "kernel void src(void) { write_channel_intel(shared_one, 1); }\n"
                "kernel void left(global int *o) { *o = read_channel_intel(shared_one); }\n"
                "kernel void right(global int *o) {\n"
                "    *o = read_channel_intel(shared_one);\n" /* line 6 */
                "}\n",
                "", WORDS("shared_one", "left", "right", ":4:", ":6:"));
}

static void two_writers(void)
{
    build_fails(CHANNELS
                "channel int shared_one;\n"
                "kernel void left(void) { write_channel_intel(shared_one, 1); }\n"
                "kernel void right(void) {\n"
                "    bool ok = write_channel_nb_intel(shared_one, 1);\n"
                "}\n"
                "kernel void dst(global int *o) { *o = read_channel_intel(shared_one); }\n",
                "", WORDS("shared_one", "left", "right", ":3:", ":5:"));
}

/* Through a helper the kernels are still told. */
static void two_readers_through_a_helper(void)
{
    build_fails(CHANNELS "channel int shared_one;\n"
                         "int get(void) { return read_channel_intel(shared_one); }\n"
                         "kernel void src(void) { write_channel_intel(shared_one, 1); }\n"
                         "kernel void left(global int *o) { *o = get(); }\n"
                         "kernel void right(global int *o) { *o = get(); }\n",
                "", WORDS("shared_one", "left", "right"));
}

static void program_scope_pipes_too(void)
{
    if (!is_sluice())
        check_skip("no program-scope pipes in OpenCL C");
    build_fails("pipe int shared_one __attribute__((depth(2)));\n"
                "kernel void src(void) { int v = 1; write_pipe(shared_one, &v); }\n"
                "kernel void left(global int *o) { read_pipe(shared_one, o); }\n"
                "kernel void right(global int *o) { read_pipe(shared_one, o); }\n",
                "", WORDS("shared_one", "left", "right", ":3:", ":4:"));
}

/* Elements of an array are pipes of their own; an index that nobody knows may mean any of them
 * (elements_test.c). */
static void arrays(void)
{
    build_silent_of(CHANNELS "channel int a[2];\n"
                             "kernel void src(void) { write_channel_intel(a[0], 1); }\n"
                             "kernel void more(void) { write_channel_intel(a[1], 1); }\n"
                             "kernel void dst(global int *o) {\n"
                             "    *o = read_channel_intel(a[0]) + read_channel_intel(a[1]);\n"
                             "}\n",
                    "", WORDS("never", "error"));
    build_fails(CHANNELS "channel int a[2];\n"
                         "kernel void left(void) { write_channel_intel(a[1], 1); }\n"
                         "kernel void right(void) { write_channel_intel(a[1], 1); }\n"
                         "kernel void dst(global int *o) {\n"
                         "    *o = read_channel_intel(a[0]) + read_channel_intel(a[1]);\n"
                         "}\n",
                "", WORDS("a[1]", "left", "right"));
    build_tells(CHANNELS
                "channel int a[4];\n"
                "kernel void left(int i) { write_channel_intel(a[i], 1); }\n"
                "kernel void right(void) { write_channel_intel(a[3], 1); }\n"
                "kernel void dst(global int *o, int i) { *o = read_channel_intel(a[i]); }\n",
                "", is_sluice() ? WORDS("warning", "a[3]", "left", "right") : WORDS(""));
}

static void one_kernel_may_do_all(void)
{
    build_silent_of(CHANNELS "channel int c __attribute__((depth(4)));\n"
                             "kernel void k(global int *o) {\n"
                             "    write_channel_intel(c, 1); write_channel_intel(c, 2);\n"
                             "    *o = read_channel_intel(c) + read_channel_intel(c);\n"
                             "}\n",
                    "", WORDS("never", "error"));
}

/* ---- nobody at one end ----------------------------------------------------------------------- */

static void never_read(void)
{
    const char *source = CHANNELS "channel int lonely __attribute__((depth(4)));\n"
                                  "kernel void src(void) { write_channel_intel(lonely, 1); }\n";
    build_tells(source, "", is_sluice() ? WORDS("warning", "lonely", "never read") : WORDS(""));
}

static void never_written(void)
{
    const char *source =
        CHANNELS "channel int lonely __attribute__((depth(4)));\n"
                 "kernel void dst(global int *o) { *o = read_channel_intel(lonely); }\n";
    build_tells(source, "", is_sluice() ? WORDS("warning", "lonely", "never written") : WORDS(""));
}

/* One declared and not used at all is no reason for noise; nor are host and I/O ends. */
static void no_noise(void)
{
    build_silent_of(CHANNELS "channel int unused; channel int also_unused[7];\n"
                             "struct s { int a; };\n"
                             "kernel void k(global int *o) { *o = 1; }\n",
                    "", WORDS("unused", "warning"));
    if (is_sluice())
        build_silent_of(CHANNELS HOST_PIPES
                        "channel int hin __attribute__((depth(4))) "
                        "__attribute__((intel_host_accessible));\n"
                        "kernel void k(global int *o) { *o = read_channel_intel(hin); }\n",
                        "", WORDS("never", "warning"));
}

/* ---- host pipes ------------------------------------------------------------------------------ */

#define HOST_CHANNEL                                                                               \
    "channel int hp __attribute__((depth(4))) __attribute__((intel_host_accessible));\n"

static void host_pipe_rules(void)
{
    if (!is_sluice())
        check_skip("host-accessible channels are Sluice's");
    build_fails(CHANNELS HOST_PIPES HOST_CHANNEL
                "kernel void k(global int *o) {\n"
                "    write_channel_intel(hp, 1); *o = read_channel_intel(hp);\n"
                "}\n",
                "", WORDS("hp", "k", "host"));
    build_fails(CHANNELS HOST_PIPES HOST_CHANNEL
                "kernel void left(void) { write_channel_intel(hp, 1); }\n"
                "kernel void right(global int *o) { *o = read_channel_intel(hp); }\n",
                "", WORDS("hp", "left", "right", "host"));
    build_fails(CHANNELS HOST_CHANNEL "kernel void left(void) { write_channel_intel(hp, 1); }\n",
                "", WORDS("cl_intel_fpga_host_pipe"));
}

/* ---- what is no channel ---------------------------------------------------------------------- */

static void wrong_places(void)
{
    build_fails(CHANNELS "kernel void k(global int *o) {\n"
                         "    channel int c; *o = read_channel_intel(c);\n"
                         "}\n",
                "", WORDS("error"));
    build_fails(CHANNELS "channel global int *c;\n"
                         "kernel void k(global int *o) { write_channel_intel(c, o); }\n",
                "", WORDS("error"));
    build_fails(CHANNELS "channel int c;\n"
                         "kernel void k(global int *o) { *o = c; }\n",
                "", WORDS("error"));
    build_fails(CHANNELS "int c;\nkernel void k(global int *o) { *o = read_channel_intel(c); }\n",
                "", WORDS("error"));
    build_fails(CHANNELS
                "channel int c;\n"
                "kernel void k(global int *o) { int ok; *o = read_channel_nb_intel(c, ok); }\n",
                "", WORDS("error"));
}

/* Which of two pipes is chosen at run time: no static connection. */
static void chosen_at_run_time(void)
{
    if (!is_sluice())
        check_skip("not refused");
    build_fails(CHANNELS "channel int a; channel int b;\n"
                         "void put(channel int c, int v) { write_channel_intel(c, v); }\n"
                         "kernel void k(int i) { put(i ? a : b, 1); }\n",
                "", WORDS("error"));
}

static void bad_depths(void)
{
    build_tells(CHANNELS "channel int c __attribute__((depth(-1)));\n"
                         "kernel void k(void) { write_channel_intel(c, 1); }\n",
                "", WORDS("warning", "depth"));
    build_fails(CHANNELS "int n;\nchannel int c __attribute__((depth(n)));\n"
                         "kernel void k(void) { write_channel_intel(c, 1); }\n",
                "", WORDS("error"));
}

static const struct test_case cases[] = {
    CASE(two_readers),
    CASE(two_writers),
    CASE(two_readers_through_a_helper),
    CASE(program_scope_pipes_too),
    CASE(arrays),
    CASE(one_kernel_may_do_all),
    CASE(never_read),
    CASE(never_written),
    CASE(no_noise),
    CASE(host_pipe_rules),
    CASE(wrong_places),
    CASE(chosen_at_run_time),
    CASE(bad_depths),
};
TEST_MAIN("connect", cases)
