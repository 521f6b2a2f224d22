/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes at program scope in modules of SPIR-V: all shapes of their storage, and peripherals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cl_help.h"
#include "reference.h"
#include "runner.h"
#include "spirv_run.h"

static void need_pipes(void)
{
    spirv_need();
    if (!has_extension("cl_intel_channels"))
        check_skip("the device has no pipes at program scope");
}

static void values(void)
{
    need_pipes();
    for (unsigned k = 0; k < spirv_pipe_case_count; k++)
        spirv_run_case(&spirv_pipe_cases[k], NULL, false);
}

static void values_unoptimised(void)
{
    need_pipes();
    for (unsigned k = 0; k < spirv_pipe_case_count; k++)
        spirv_run_case(&spirv_pipe_cases[k], "-cl-opt-disable", false);
}

static void refuse_with(const struct spirv_case *c, const char *options, const char *why)
{
    char *text = spirv_case_text(c);
    cl_program program = spirv_create(text, c->version, false);
    CHECK_EQ(clBuildProgram(program, 1, &cl.device, options, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    if (!strstr(log, why))
        check_fail(__FILE__, __LINE__, "not \"%s\": %s", why, log);
    free(log);
    free(text);
    RELEASE_PROGRAM(program);
}

static void refuse(const struct spirv_case *c, const char *why)
{
    refuse_with(c, NULL, why);
}

static void refusals(void)
{
    need_pipes();
    for (unsigned k = 0; k < spirv_pipe_refused_count; k++)
        refuse(&spirv_pipe_refused[k], spirv_pipe_refused[k].name);
}

/* Other devices say by which capability. */
static void without_pipes(void)
{
    spirv_need();
    if (has_extension("cl_intel_channels"))
        check_skip("the device has pipes at program scope");
    for (unsigned k = 0; k < spirv_pipe_case_count; k++)
        refuse(&spirv_pipe_cases[k], "PipeStorage");
    refuse(&spirv_io_case, "PipeStorage");
}

/* A name that a module keeps for itself means nothing to another. */
static void linked_objects(void)
{
    cl_int rc;
    need_pipes();
    cl_program parts[] = {spirv_object(&spirv_linked_cases[0], 'k'),
                          spirv_object(&spirv_linked_cases[1], 'm')};
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, "", 2, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    spirv_run_kernel(program, &spirv_linked_cases[0]);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

static void write_words(const char *path)
{
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    for (cl_uint i = 0; i < 13; i++) {
        cl_uint word = 1000 + 7 * i;
        REQUIRE(fwrite(&word, sizeof word, 1, file) == 1);
    }
    REQUIRE(!fclose(file));
}

static void check_words(const char *path)
{
    cl_uint words[14];
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    CHECK_EQ(fread(words, sizeof *words, 14, file), 13);
    for (cl_uint i = 0; i < 13; i++)
        CHECK_EQ(words[i], 1001 + 7 * i);
    REQUIRE(!fclose(file));
}

static void peripherals(void)
{
    char folder[] = "/tmp/sluice-spirv-io-XXXXXX", in[64], out[64], setting[200];
    need_pipes();
    if (!is_sluice())
        check_skip("a setting of Sluice");
    REQUIRE(mkdtemp(folder));
    snprintf(in, sizeof in, "%s/in", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(setting, sizeof setting, "3=file:%s;4=file:%s", in, out);
    write_words(in);
    REQUIRE(!setenv("SLUICE_FPGA_IO", setting, 1));
    spirv_run_case(&spirv_io_case, NULL, false);
    check_words(out);
    REQUIRE(!unlink(in) && !unlink(out) && !rmdir(folder));
}

/* ---- by the numbers of the requirements ------------------------------------------------------ */

static void launch_one(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_uint count)
{
    const size_t one = 1;
    ARG(kernel, 0, buffer);
    ARG(kernel, 1, count);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    REQUIRE_OK(clFlush(queue));
}

/* Who reads is first, and has to wait. */
static void through_a_pipe(cl_program program)
{
    enum { COUNT = 1003 };
    cl_uint numbers[COUNT], back[COUNT];
    random_fill(numbers, sizeof numbers);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    cl_mem to = new_buffer(0, sizeof numbers, NULL);
    cl_kernel give = kernel_of(program, "give"), take = kernel_of(program, "k");
    cl_command_queue queues[2] = {new_queue(0), new_queue(0)};
    launch_one(queues[0], take, to, COUNT);
    launch_one(queues[1], give, from, COUNT);
    REQUIRE_OK(clFinish(queues[0]));
    REQUIRE_OK(clFinish(queues[1]));
    read_back(to, sizeof back, back);
    for (cl_uint i = 0; i < COUNT; i++)
        REQUIRE(back[i] == numbers[i] + i);
    RELEASE_QUEUE(queues[0]);
    RELEASE_QUEUE(queues[1]);
    RELEASE_KERNEL(give);
    RELEASE_KERNEL(take);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void p54_two_kernels(void)
{
    need_pipes();
    for (unsigned k = 0; k < spirv_apart_case_count; k++) {
        char *text = spirv_case_text(&spirv_apart_cases[k]);
        cl_program program = spirv_program(text, spirv_apart_cases[k].version, NULL, false);
        through_a_pipe(program);
        through_a_pipe(program);
        RELEASE_PROGRAM(program);
        free(text);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static char stall_report[8192]; /* written before `stall_reports` says so */
static _Atomic unsigned stall_reports;

static void CL_CALLBACK hear(const char *text, const void *json, size_t bytes, void *data)
{
    (void)bytes;
    (void)data;
    if (!json || stall_reports)
        return;
    snprintf(stall_report, sizeof stall_report, "%s", text);
    stall_reports++;
}

/* Nobody writes what it reads. */
static void stand_still(const struct spirv_case *c)
{
    cl_uint word = 0;
    char *text = spirv_case_text(c);
    cl_program program = spirv_program(text, c->version, NULL, false);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof word, &word);
    cl_kernel take = kernel_of(program, "k");
    cl_command_queue queue = new_queue(0);
    stall_reports = 0;
    launch_one(queue, take, to, 1);
    clFinish(queue);
    for (int turn = 0; turn < 10000 && !stall_reports; turn++)
        usleep(2000); /* the callback may come later */
    if (!stall_reports || !strstr(stall_report, "own.cl:6:3"))
        check_fail(__FILE__, __LINE__, "%s: %u reports: %s", c->name, stall_reports, stall_report);
    RELEASE_QUEUE(queue);
    RELEASE_KERNEL(take);
    RELEASE_MEM(to);
    RELEASE_PROGRAM(program);
    free(text);
}

static void lines_in_stall_reports(void)
{
    cl_int rc;
    cl_context usual = cl.context;
    const char *on_stall = getenv("SLUICE_FPGA_ON_STALL");
    need_pipes();
    if (!on_stall || strcmp(on_stall, "error"))
        check_skip("it would wait for ever");
    cl.context = clCreateContext(NULL, 1, &cl.device, hear, NULL, &rc);
    REQUIRE_OK(rc);
    for (unsigned k = 0; k < spirv_placed_case_count; k++)
        stand_still(&spirv_placed_cases[k]);
    RELEASE_CONTEXT(cl.context);
    cl.context = usual;
}

static void p60_latency_controls(void)
{
    need_pipes();
    for (unsigned k = 0; k < spirv_latency_case_count; k++)
        spirv_run_case(&spirv_latency_cases[k], NULL, false);
}

static void p61_anchors_are_unique(void)
{
    need_pipes();
    for (unsigned k = 0; k < spirv_latency_refused_count; k++)
        refuse(&spirv_latency_refused[k], spirv_latency_refused[k].name);
}

/* The second module has a kernel and a pipe of its own, and the same anchors. */
static void p61_across_modules(void)
{
    need_pipes();
    const struct spirv_case *c = &spirv_latency_cases[0];
    cl_program objects[2] = {spirv_object(c, 'k'), spirv_object(c, 'l')};
    cl_int rc;
    cl_program linked = clLinkProgram(cl.context, 1, &cl.device, NULL, 2, objects, NULL, NULL, &rc);
    CHECK_EQ(rc, CL_LINK_PROGRAM_FAILURE);
    REQUIRE(linked);
    char *log = build_log(linked);
    CHECK(strstr(log, "is at two places: the "));
    free(log);
    RELEASE_PROGRAM(linked);
    RELEASE_PROGRAM(objects[0]);
    RELEASE_PROGRAM(objects[1]);
}

static void p60_against_the_schedule(void)
{
    need_pipes();
    for (unsigned k = 0; k < spirv_scheduled_case_count; k++) {
        spirv_run_case(&spirv_scheduled_cases[k], NULL, false);
        spirv_run_case(&spirv_scheduled_cases[k], "-sluice-timing", false);
    }
    for (unsigned k = 0; k < spirv_scheduled_refused_count; k++)
        refuse_with(&spirv_scheduled_refused[k], "-sluice-timing", spirv_scheduled_refused[k].name);
}

static void p62_dangling_anchor(void)
{
    need_pipes();
    const struct spirv_case *c = &spirv_latency_dangling;
    char *text = spirv_case_text(c);
    cl_program program = spirv_program(text, c->version, NULL, false);
    char *log = build_log(program);
    if (!strstr(log, c->name))
        check_fail(__FILE__, __LINE__, "not \"%s\": %s", c->name, log);
    free(log);
    free(text);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(p54_two_kernels),
    CASE(p60_latency_controls),
    CASE(p60_against_the_schedule),
    CASE(p61_anchors_are_unique),
    CASE(p61_across_modules),
    CASE(p62_dangling_anchor),
    CASE(values),
    CASE(values_unoptimised),
    CASE(refusals),
    CASE(without_pipes),
    CASE(linked_objects),
    CASE(peripherals),
    CASE(lines_in_stall_reports),
};
TEST_MAIN("spirv pipes", cases)
