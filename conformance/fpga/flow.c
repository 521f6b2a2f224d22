/* SPDX-License-Identifier: Apache-2.0 */
/* Designs under test: building, starting and ending them. One thread; no lock. */
#include "flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct flow *flow_of(cl_program program)
{
    struct flow *flow = calloc(1, sizeof *flow);
    REQUIRE(flow);
    flow->program = program;
    return flow;
}

struct flow *flow_open(const char *source, const char *options)
{
    return flow_of(built(source, options));
}

cl_kernel flow_add_range(struct flow *flow, const char *name, size_t global, size_t local)
{
    struct flow_kernel *more = realloc(flow->kernels, (flow->count + 1) * sizeof *more);
    REQUIRE(more);
    flow->kernels = more;
    more += flow->count;
    *more = (struct flow_kernel){.global = global, .local = local};
    more->kernel = kernel_of(flow->program, name);
    more->queue = new_queue(0);
    flow->count++;
    return more->kernel;
}

cl_kernel flow_add(struct flow *flow, const char *name)
{
    return flow_add_range(flow, name, 1, 1);
}

void flow_start(struct flow *flow)
{
    for (size_t i = 0; i < flow->count; i++) {
        struct flow_kernel *each = &flow->kernels[i];
        REQUIRE_OK(clEnqueueNDRangeKernel(each->queue, each->kernel, 1, NULL, &each->global,
                                          each->local ? &each->local : NULL, 0, NULL,
                                          &each->event));
        REQUIRE_OK(clFlush(each->queue));
    }
}

void flow_finish(struct flow *flow)
{
    for (size_t i = 0; i < flow->count; i++) {
        struct flow_kernel *each = &flow->kernels[i];
        REQUIRE_OK(clWaitForEvents(1, &each->event));
        CHECK_EQ(event_status(each->event), CL_COMPLETE);
        RELEASE_EVENT(each->event);
        each->event = NULL;
    }
}

void flow_run(struct flow *flow)
{
    flow_start(flow);
    flow_finish(flow);
}

void flow_close(struct flow *flow)
{
    for (size_t i = 0; i < flow->count; i++) {
        if (flow->kernels[i].event)
            RELEASE_EVENT(flow->kernels[i].event);
        RELEASE_KERNEL(flow->kernels[i].kernel);
        RELEASE_QUEUE(flow->kernels[i].queue);
    }
    RELEASE_PROGRAM(flow->program);
    free(flow->kernels);
    free(flow);
}

/* ---- buffers --------------------------------------------------------------------------------- */

cl_mem new_uints(size_t count)
{
    cl_uint *zero = calloc(count ? count : 1, sizeof *zero);
    REQUIRE(zero);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, (count ? count : 1) * sizeof *zero, zero);
    free(zero);
    return mem;
}

cl_uint *take_uints(cl_mem mem, size_t count)
{
    cl_uint *got = calloc(count ? count : 1, sizeof *got);
    REQUIRE(got);
    if (count)
        read_back(mem, count * sizeof *got, got);
    return got;
}

void expect_uints(cl_mem mem, size_t count, cl_uint (*want)(cl_uint))
{
    cl_uint *got = take_uints(mem, count);
    for (size_t i = 0; i < count; i++) {
        if (got[i] != want((cl_uint)i)) {
            check_fail(__FILE__, __LINE__, "element %zu of %zu: expected %u, got %u", i, count,
                       want((cl_uint)i), got[i]);
            break;
        }
    }
    free(got);
}

/* ---- whole designs --------------------------------------------------------------------------- */

void program_expect(cl_program program, const char *names, cl_uint n, cl_uint (*want)(cl_uint))
{
    char list[512];
    CHECK_OK(clRetainProgram(program));
    struct flow *flow = flow_of(program);
    cl_mem out = new_uints(n);
    snprintf(list, sizeof list, "%s", names);
    for (char *rest = NULL, *name = strtok_r(list, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        cl_kernel kernel = flow_add(flow, name);
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
    }
    flow_run(flow);
    expect_uints(out, n, want);
    RELEASE_MEM(out);
    flow_close(flow);
}

void flow_expect(const char *source, const char *names, cl_uint n, cl_uint (*want)(cl_uint))
{
    cl_program program = built(source, "");
    program_expect(program, names, n, want);
    RELEASE_PROGRAM(program);
}

cl_uint want_same(cl_uint i)
{
    return i;
}

/* ---- builds ---------------------------------------------------------------------------------- */

static void check_words(const char *log, const char *const *words, int wanted)
{
    for (; *words; words++)
        if ((strstr(log, *words) != NULL) != wanted)
            check_fail(__FILE__, __LINE__, "the log %s \"%s\":\n%.2000s",
                       wanted ? "lacks" : "should not have", *words, log);
}

static void build_and_look(const char *source, const char *options, cl_int want,
                           const char *const *words, int wanted)
{
    cl_program program = new_program(source);
    cl_int rc = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
    char *log = build_log(program);
    if (rc != want)
        check_fail(__FILE__, __LINE__, "build: expected %s, got %s\n%.1000s\n%.1000s",
                   code_name(want), code_name(rc), source, log);
    else
        check_words(log, words, wanted);
    free(log);
    RELEASE_PROGRAM(program);
}

void build_fails(const char *source, const char *options, const char *const *words)
{
    build_and_look(source, options, CL_BUILD_PROGRAM_FAILURE, words, 1);
}

void build_tells(const char *source, const char *options, const char *const *words)
{
    build_and_look(source, options, CL_SUCCESS, words, 1);
}

void build_silent_of(const char *source, const char *options, const char *const *words)
{
    build_and_look(source, options, CL_SUCCESS, words, 0);
}

/* ---- small things ---------------------------------------------------------------------------- */

void text_add(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    REQUIRE(length >= 0);
    if (text->used + (size_t)length + 1 > text->room) {
        size_t room = (text->used + (size_t)length + 1) * 2;
        char *more = realloc(text->at, room);
        REQUIRE(more);
        text->at = more;
        text->room = room;
    }
    va_start(list, format);
    vsnprintf(text->at + text->used, text->room - text->used, format, list);
    va_end(list);
    text->used += (size_t)length;
}

double cpu_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_utime.tv_sec + (double)use.ru_stime.tv_sec +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}
