/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs whose kernels get their code, or better code, when they are launched (SLUICE_BUILD), and
 * what such a test has around it: a cache folder of its own, compiler processes that are known.
 */
#ifndef SLUICE_TEST_DEMAND_BED_H
#define SLUICE_TEST_DEMAND_BED_H

#include "cl_help.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { ITEMS = 96, GROUP = 32, MOST = 100 };

/* Kernels k0, k1, ... of an int buffer, local memory and an int, each with other numbers, and
 * shared_work, which they call; `extra` goes in front. The text is the caller's. */
char *source_of(int kernels, const char *extra);
cl_program program_of(int kernels, const char *options);

/* Launches of them: `b` is the last argument. Buffers hold numbers that right answers are known of.
 */
cl_int launch_items(cl_command_queue, cl_kernel, cl_mem, int b, size_t global);
cl_int launch(cl_command_queue, cl_kernel, cl_mem, int b); /* ITEMS */
void write_numbers(cl_command_queue, cl_mem, size_t items);
cl_mem many_numbers(size_t items);
cl_mem fresh_numbers(void); /* ITEMS */
int all_right(cl_command_queue, cl_mem, int k, int b, size_t items);
int is_right(cl_command_queue, cl_mem, int k, int b); /* ITEMS */
/* Launched once, and checked. */
void run_items(cl_program, int k, size_t items);
void run_kernel(cl_program, int k); /* ITEMS */

/* A case begins with a SLUICE_BUILD and an empty cache, and ends without either. What programs no
 * longer wait for may be compiled until then. */
void begin_case(const char *mode);
void end_case(void);
int cache_entries(void);

/* The compiler processes of this one, ended if `signal_number` is not 0. How many there are. */
int compilers(int signal_number);
void await_no_compiler(void);
void end_compilers(void); /* there are some */

/* SLUICE_COMPILER names none, until what was there before is put back; owned by the caller. */
char *hide_compiler(void);
void show_compiler(char *before);

/* A context's callback, and what it was told last. */
extern char told[256];
extern atomic_bool was_told;
void CL_CALLBACK notice(const char *text, const void *info, size_t bytes, void *data);

#endif
