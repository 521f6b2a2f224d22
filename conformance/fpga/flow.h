/* SPDX-License-Identifier: Apache-2.0 */
/* Designs under test: a program and a set of its kernels that run at once, each on a queue of its
 * own. As in cl_help.h, what is a precondition ends the case when it fails. */
#ifndef SLUICE_TEST_FLOW_H
#define SLUICE_TEST_FLOW_H

#include "cl_help.h"

#define CHANNELS "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
#define HOST_PIPES "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"

struct flow_kernel {
    cl_kernel kernel;       /* owned */
    cl_command_queue queue; /* owned, in order */
    cl_event event;         /* of the launch in flight; owned */
    size_t global, local;   /* local 0: NULL */
};
struct flow {
    cl_program program; /* owned */
    struct flow_kernel *kernels;
    size_t count;
};

/* Takes the program over. */
struct flow *flow_of(cl_program program);
struct flow *flow_open(const char *source, const char *options);
/* One work-item; the kernel is for setting arguments. */
cl_kernel flow_add(struct flow *flow, const char *name);
cl_kernel flow_add_range(struct flow *flow, const char *name, size_t global, size_t local);
/* Enqueues and flushes all, in the order of adding. */
void flow_start(struct flow *flow);
/* Waits for all; each must have ended well. */
void flow_finish(struct flow *flow);
void flow_run(struct flow *flow);
/* Also while kernels are still blocked. */
void flow_close(struct flow *flow);

/* Zeroed. */
cl_mem new_uints(size_t count);
/* owned by the caller, freed with free() */
cl_uint *take_uints(cl_mem mem, size_t count);
/* Every element i must be want(i); stops at the first that is not. */
void expect_uints(cl_mem mem, size_t count, cl_uint (*want)(cl_uint));

/* Kernels named in `names` ("src dst"), all with arguments (global uint *o, uint n): after they ran
 * as tasks o[i] must be want(i) for all i < n. */
void flow_expect(const char *source, const char *names, cl_uint n, cl_uint (*want)(cl_uint));
/* The same in a program that the caller keeps. */
void program_expect(cl_program program, const char *names, cl_uint n, cl_uint (*want)(cl_uint));

cl_uint want_same(cl_uint i);

/* The build fails and its log holds every word (NULL-terminated); or it succeeds and does. */
void build_fails(const char *source, const char *options, const char *const *words);
void build_tells(const char *source, const char *options, const char *const *words);
/* The log of a build that succeeds has none of the words. */
void build_silent_of(const char *source, const char *options, const char *const *words);
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A text that grows; freed with free(text.at). */
struct text {
    char *at;
    size_t used, room;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How much CPU time this process has used. */
double cpu_seconds(void);
#endif
