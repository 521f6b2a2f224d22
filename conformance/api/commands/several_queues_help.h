/* SPDX-License-Identifier: Apache-2.0 */
/* Command-buffers of several queues: the queues, numbers, and a graph of commands over all of them.
 */
#ifndef SLUICE_TEST_SEVERAL_QUEUES_HELP_H
#define SLUICE_TEST_SEVERAL_QUEUES_HELP_H

#include "command_buffer_help.h"

enum { MOST = 4 };

/* Queues of one context that are used together. */
struct bed {
    cl_context context;
    cl_uint count;
    cl_command_queue queues[MOST];
    cl_program program; /* for all of their devices */
};
extern struct bed two;

/* Skips the case where command-buffers have one queue. */
void need(void);

/* Bit i of `out_of_order` is of queue i. */
void open_bed(const cl_device_id *devices, cl_uint count, unsigned out_of_order);
void close_bed(void);

/* Runs `check` on queues of this device, of this and another one, and of two parts of this one. */
void on_all(void (*check)(void), unsigned out_of_order);
void on_all_in_each_order(void (*check)(void));

/* A command-buffer of all queues. */
cl_command_buffer_khr new_commands(cl_command_buffer_flags_khr flags);

/* Enqueues it and waits. */
void run(cl_command_buffer_khr buffer);

/* A buffer of CB_COUNT numbers. */
cl_mem numbers(const cl_uint *from);
void check_numbers(cl_mem mem, const cl_uint *want);

/* Commands over all queues, each behind the last one that uses the same numbers; `expect_graph`
 * does in plain C what a run of them does, and closing compares. */
void open_graph(void);
void record_graph(cl_command_buffer_khr buffer);
void expect_graph(void);
void close_graph(void);

#endif
