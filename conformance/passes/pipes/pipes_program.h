/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of pipes.cl, as the passes and LLVM made them, in this process on pipes_device.c. One
 * program at a time; what goes wrong fails the test.
 */
#ifndef SL_PASSES_PIPES_PROGRAM_H
#define SL_PASSES_PIPES_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arguments.h"
#include "pipes_device.h"

/* The program between begin() or build() and close_code(). */
extern struct lowered code;

/* The named kernels of pipes.cl and no others, all pipes with this depth; 0, or -1 and an error. */
int begin(const char *kernels, uint32_t depth);
/* The same, then through LLVM and loaded. */
void build(const char *kernels, uint32_t depth);
void close_code(void);

/* A pipe of the loaded program. */
const struct sl_pipe_info *find_pipe(const char *name);
/* A kernel of it, without arguments as yet. */
struct arguments kernel(const char *name);
/* Launches it; run() then runs all that was launched to their ends. */
void start(const struct arguments *a, size_t global, size_t local);
/* One work-item. Pointers first, then ints: the order in which the kernels take them. */
void start_task(const char *name, int pointers, int ints, ...);
void run(void);

/* Several depths, with limits of what moves at once that are true, tight or random. */
typedef void (*case_fn)(uint32_t depth);
void each_case(case_fn run_case);

/* main() of such a test. Arguments: the bitcode file, and the pipeline for LLVM after the passes
   ("default<O2>"). */
int run_pipe_tests(int argc, char **argv, const struct CMUnitTest *tests, size_t count);

#endif
