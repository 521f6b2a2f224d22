/* SPDX-License-Identifier: Apache-2.0 */
/* I/O channels bound by SLUICE_FPGA_IO: files at both ends, one I/O pipe feeding another, names
 * that nothing is bound to. Each case is a process of its own in a folder of its own. */
#include "child.h"
#include "flow.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- what cannot work ------------------------------------------------------------------------ */

static const char sender[] =
    CHANNELS "channel uint out __attribute__((depth(8))) __attribute__((io(\"right\")));\n"
             "kernel void send(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(out, i);\n"
             "}\n";

static cl_kernel new_sender(struct flow *flow, cl_mem out, cl_uint n)
{
    cl_kernel kernel = flow_add(flow, "send");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    return kernel;
}

/* Nobody has its event: who waits for the queue is told, once, also if it has ended long since. */
static void finish_in_vain(cl_kernel kernel)
{
    const size_t one = 1;
    for (int late = 0; late < 2; late++) {
        CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
        CHECK_OK(clFlush(cl.queue));
        usleep(late ? 100000 : 0);
        CHECK_EQ(clFinish(cl.queue), CL_IO_FAILED_SLUICE);
        CHECK_OK(clFinish(cl.queue));
    }
}

/* Few packets, which the pipe would hold, and many: an error of the event, and of the call that
 * waits. */
static void send_in_vain(cl_uint n)
{
    cl_mem out = new_uints(1);
    struct flow *flow = flow_open(sender, "");
    new_sender(flow, out, n);
    flow_start(flow);
    CHECK_EQ(clWaitForEvents(1, &flow->kernels[0].event),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(event_status(flow->kernels[0].event), CL_IO_FAILED_SLUICE);
    flow_close(flow);
    flow = flow_open(sender, "");
    finish_in_vain(new_sender(flow, out, n));
    flow_close(flow);
    RELEASE_MEM(out);
}

static void job_fails(void)
{
    REQUIRE(!env_open());
    send_in_vain(3);
    send_in_vain(100);
    env_close(1);
}

static void job_fails_once(void)
{
    REQUIRE(!env_open());
    cl_mem out = new_uints(1);
    struct flow *flow = flow_open(sender, "");
    const size_t one = 1;
    cl_kernel kernel = new_sender(flow, out, 3);
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK_EQ(clFinish(cl.queue), CL_IO_FAILED_SLUICE);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

static void job_sends(void)
{
    REQUIRE(!env_open());
    cl_mem out = new_uints(1);
    struct flow *flow = flow_open(sender, "");
    new_sender(flow, out, 5);
    flow_run(flow);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* Without releasing anything. */
static void job_exits(void)
{
    REQUIRE(!env_open());
    struct flow *flow = flow_open(sender, "");
    new_sender(flow, new_uints(1), 5);
    flow_run(flow);
    exit(0);
}

static void job_reads(void)
{
    static const char source[] =
        CHANNELS "channel uint in __attribute__((depth(8))) __attribute__((io(\"right\")));\n"
                 "kernel void get(global uint *o) {\n"
                 "    bool ok; o[0] = read_channel_nb_intel(in, &ok);\n"
                 "}\n";
    REQUIRE(!env_open());
    struct flow *flow = flow_open(source, "");
    usleep(100000);
    flow_close(flow);
    env_close(1);
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

#ifdef __SANITIZE_THREAD__
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "report_thread_leaks=0"; /* jobs end with threads running, too */
}
#endif

/* Without SLUICE_LOG, on stderr; %s is the folder. Each word comes once. */
static void says(const char *job, const char *format, const char *const *words)
{
    char rows[256], setting[300];
    snprintf(rows, sizeof rows, format, folder, folder);
    snprintf(setting, sizeof setting, "SLUICE_FPGA_IO=%s", rows);
    const char *env[] = {setting, "SLUICE_LOG", "SLUICE_FPGA_ON_STALL=report", NULL};
    struct child child = child_run(&(struct child_plan){.job = job, .env = env});
    if (!CHECK_EQ(child.status, 0))
        fprintf(stderr, "%s: %s\n%s", job, rows, child.err);
    for (; *words; words++)
        if (count_of(child.err, *words) != 1)
            check_fail(__FILE__, __LINE__, "%s: \"%s\" %d times in:\n%s", rows, *words,
                       count_of(child.err, *words), child.err);
    child_finish(&child);
}

static void faulty_settings_are_said(void)
{
    make_folder();
    says("job_sends", "right=disk:x;other=null:", WORDS("right=disk:x", "no kind of this name"));
    says("job_sends", "right=null:;right=file:%s/x", WORDS("bound already"));
    says("job_sends", "right=null:;a=file:%s/x,apend", WORDS("no option \"apend\""));
    says("job_sends", "right=null:;a=tcp:here:99999", WORDS("no port from 1 to 65535"));
    says("job_sends", "@%s/none", WORDS("No such file or directory"));
    says("job_sends", "right=null:", (const char *const[]){NULL});
    remove_folder();
}

static void impossible_outputs_fail(void)
{
    make_folder();
    says("job_fails", "right=file:/dev/full # %s", (const char *const[]){NULL});
    says("job_fails_once", "right=file:/dev/full # %s",
         WORDS("cannot be written: No space left on device (ENOSPC)",
               "3 packets were not delivered: No space left on device (ENOSPC)"));
    says("job_fails", "right=file:%s", WORDS("it is a folder"));
    says("job_fails", "right=file:%s/none/out", WORDS("/none/out\": No such file"));
    remove_folder();
}

static void impossible_inputs_are_said(void)
{
    make_folder();
    says("job_reads", "right=file:%s", WORDS("it is a folder"));
    says("job_reads", "right=file:%s/none", WORDS("No such file or directory (ENOENT)"));
    says("job_reads", "right=fifo:%s/none", WORDS("No such file or directory (ENOENT)"));
    says("job_reads", "right=tcp:127.0.0.1:1", WORDS("Connection refused (ECONNREFUSED)"));
    says("job_reads", "right=unix:%s", WORDS("it is no socket"));
    remove_folder();
}

static void lost_packets_are_counted(void)
{
    make_folder();
    says("job_sends", "right=tcp:127.0.0.1:1",
         WORDS("it is tried again: Connection refused (ECONNREFUSED)",
               "5 packets were not delivered: Connection refused (ECONNREFUSED)"));
    says("job_exits", "right=tcp:127.0.0.1:1", WORDS("5 packets were not delivered"));
    says("job_sends", "left=null:",
         WORDS("5 packets were not delivered: the name is not bound (SLUICE_FPGA_IO)"));
    says("job_exits", "left=null:", WORDS("5 packets were not delivered"));
    remove_folder();
}

/* A process that exits has written what its kernels have, and says nothing. */
static void exit_writes_all(void)
{
    cl_uint got[6];
    char path[128];
    make_folder();
    says("job_exits", "right=file:%s/out", (const char *const[]){NULL});
    CHECK_EQ(read_words(got, 6), 5);
    for (cl_uint i = 0; i < 5; i++)
        CHECK_EQ(got[i], i);
    snprintf(path, sizeof path, "%s/out", folder);
    unlink(path);
    remove_folder();
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

/* A row that is mistyped is told with the name that it may mean; others of the program's are not.
 */
static void job_mistyped(void)
{
    static const char source[] = CHANNELS
        "channel int in __attribute__((io(\"left\")));\n"
        "channel int out __attribute__((io(\"right\")));\n"
        "kernel void k(global int *o) { write_channel_intel(out, read_channel_intel(in)); }\n";
    REQUIRE(!env_open());
    build_tells(
        source, "",
        WORDS("warning: SLUICE_FPGA_IO: the program has no I/O pipe \"lefft\": did you mean "
              "\"left\"?",
              "the program has no I/O pipe \"elsewhere\"\n"));
    build_silent_of(source, "", WORDS("no I/O pipe \"right\""));
    build_silent_of("kernel void k(global int *o) { *o = 1; }\n", "", WORDS("warning"));
    env_close(1);
}

static void mistyped_rows_warn(void)
{
    make_folder();
    says("job_sends", "rigth=null:;elsewhere=null:",
         WORDS("SLUICE_FPGA_IO: the program has no I/O pipe \"rigth\": did you mean \"right\"?",
               "SLUICE_FPGA_IO: the program has no I/O pipe \"elsewhere\"\n"));
    says("job_sends", "right=null:;elsewhere=null:", (const char *const[]){NULL});
    run_job("job_mistyped", "lefft=null:;right=null:;elsewhere=null: # %s%s");
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
    CASE(file_to_file),
    CASE(read_when_bound),
    CASE(end_of_file),
    CASE(one_feeds_another),
    CASE(unbound_names_warn),
    CASE(mistyped_rows_warn),
    CASE(arguments_have_no_name),
    CASE(faulty_settings_are_said),
    CASE(impossible_outputs_fail),
    CASE(impossible_inputs_are_said),
    CASE(lost_packets_are_counted),
    CASE(exit_writes_all),
};
static const struct test_case jobs[] = {CASE(job_through), CASE(job_set_late), CASE(job_end),
                                        CASE(job_joined),  CASE(job_fails),    CASE(job_fails_once),
                                        CASE(job_sends),   CASE(job_exits),    CASE(job_reads),
                                        CASE(job_mistyped)};
JOBS_MAIN("io", cases, jobs)
