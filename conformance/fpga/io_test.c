/* SPDX-License-Identifier: Apache-2.0 */
/* I/O channels bound by SLUICE_FPGA_IO: files at both ends, one I/O pipe feeding another, names
 * that nothing is bound to. Each case is a process of its own in a folder of its own. */
#include "child.h"
#include "flow.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 5000 };

static char folder[64];

static void make_folder(void)
{
    if (!is_sluice())
        check_skip("a setting of Sluice");
    snprintf(folder, sizeof folder, "/tmp/sluice-io-XXXXXX");
    REQUIRE(mkdtemp(folder));
}

static void remove_folder(void)
{
    static const char *const names[] = {"in", "out"};
    char path[128];
    for (size_t i = 0; i < LEN(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void write_words(const cl_uint *words, size_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/in", folder);
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    REQUIRE(fwrite(words, sizeof *words, count, file) == count);
    REQUIRE(!fclose(file));
}

static size_t read_words(cl_uint *words, size_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/out", folder);
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    size_t got = fread(words, sizeof *words, count, file);
    REQUIRE(!fclose(file));
    return got;
}

static void run_job(const char *job, const char *format)
{
    char rows[256], setting[300];
    snprintf(rows, sizeof rows, format, folder, folder);
    snprintf(setting, sizeof setting, "SLUICE_FPGA_IO=%s", rows);
    const char *env[] = {setting, "SLUICE_FPGA_ON_STALL=report", NULL};
    child_ends(&(struct child_plan){.job = job, .env = env}, 0);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static const char through[] =
    CHANNELS "typedef struct { uint a, b, c; } T;\n"
             "channel T in __attribute__((depth(7))) __attribute__((io(\"left\")));\n"
             "channel T mid __attribute__((depth(3)));\n"
             "channel uint out __attribute__((depth(5))) __attribute__((io(\"right\")));\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(mid, read_channel_intel(in));\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) {\n"
             "        T v = read_channel_intel(mid);\n"
             "        write_channel_intel(out, v.a + 2 * v.b + 3 * v.c); o[i] = i;\n"
             "    }\n"
             "}\n";

static void job_through(void)
{
    REQUIRE(!env_open());
    flow_expect(through, "src dst", COUNT, want_same);
    env_close(1);
}

static cl_uint ended(cl_uint i)
{
    return (const cl_uint[]){10, 1, 1}[i];
}

/* What is missing at the end of the file never comes: polling says so, no packet is made of the
 * rest. */
static void job_end(void)
{
    static const char source[] = CHANNELS
        "channel uint2 in __attribute__((depth(4))) __attribute__((io(\"left\")));\n"
        "kernel void k(global uint *o, uint n) {\n"
        "    uint got = 0, misses = 0; uint2 last = 0;\n"
        "    while (misses < 20000 && got < 11) {\n"
        "        bool ok; uint2 v = read_channel_nb_intel(in, &ok);\n"
        "        if (ok) { got++; misses = got < 10 ? 0 : misses; last = v; } else misses++;\n"
        "    }\n"
        "    o[0] = got; o[1] = last.x == 18; o[2] = last.y == 19;\n"
        "}\n";
    REQUIRE(!env_open());
    flow_expect(source, "k", 3, ended);
    env_close(1);
}

static void job_joined(void)
{
    static const char source[] =
        CHANNELS "channel uint to __attribute__((depth(4))) __attribute__((io(\"here\")));\n"
                 "channel uint from __attribute__((depth(4))) __attribute__((io(\"there\")));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(to, i);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(from);\n"
                 "}\n";
    REQUIRE(!env_open());
    flow_expect(source, "src dst", COUNT, want_same);
    env_close(1);
}

/* What is set once the device is in use holds for what is built from then on. */
static void job_set_late(void)
{
    char setting[256];
    snprintf(setting, sizeof setting, "left=file:%s/in;right=file:%s/out", getenv("IO_FOLDER"),
             getenv("IO_FOLDER"));
    REQUIRE(!env_open());
    REQUIRE(!setenv("SLUICE_FPGA_IO", setting, 1));
    flow_expect(through, "src dst", COUNT, want_same);
    env_close(1);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void goes_through(const char *job, const char *format)
{
    static cl_uint sent[COUNT * 3], got[COUNT + 1];
    make_folder();
    for (cl_uint i = 0; i < COUNT * 3; i++)
        sent[i] = i * 2654435761u;
    write_words(sent, COUNT * 3);
    REQUIRE(!setenv("IO_FOLDER", folder, 1));
    run_job(job, format);
    CHECK_EQ(read_words(got, COUNT + 1), COUNT);
    for (cl_uint i = 0; i < COUNT; i++)
        if (!CHECK_EQ(got[i], sent[3 * i] + 2 * sent[3 * i + 1] + 3 * sent[3 * i + 2]))
            break;
    remove_folder();
}

static void file_to_file(void)
{
    goes_through("job_through", "left=file:%s/in;right=file:%s/out");
}

static void read_when_bound(void)
{
    goes_through("job_set_late", "left=null:;right=null: # %s%s");
}

/* 21 words are ten packets of two and a half one. */
static void end_of_file(void)
{
    cl_uint words[21];
    make_folder();
    for (cl_uint i = 0; i < LEN(words); i++)
        words[i] = i;
    write_words(words, LEN(words));
    run_job("job_end", "left=file:%s/in # %s");
    remove_folder();
}

static void one_feeds_another(void)
{
    make_folder();
    run_job("job_joined", "there=pipe:here # %s%s");
    remove_folder();
}

static void unbound_names_warn(void)
{
    if (!is_sluice())
        check_skip("a setting of Sluice");
    build_tells(CHANNELS "channel int in __attribute__((io(\"nowhere_at_all\")));\n"
                         "kernel void k(global int *o) { *o = read_channel_intel(in); }\n",
                "", WORDS("warning", "nowhere_at_all"));
}

/* The pipe of an argument is the one that it is set to. */
static void arguments_have_no_name(void)
{
    if (!is_sluice())
        check_skip("Intel's emulator says nothing");
    build_tells(
        "kernel void k(global int *o, read_only pipe int p __attribute__((io(\"left\")))) {\n"
        "    int v = 0; read_pipe(p, &v); *o = v;\n"
        "}\n",
        "", WORDS("1:", "warning", "'io' is for channels"));
}

static const struct test_case cases[] = {
    CASE(file_to_file),      CASE(read_when_bound),    CASE(end_of_file),
    CASE(one_feeds_another), CASE(unbound_names_warn), CASE(arguments_have_no_name),
};
static const struct test_case jobs[] = {CASE(job_through), CASE(job_set_late), CASE(job_end),
                                        CASE(job_joined)};
JOBS_MAIN("io", cases, jobs)
