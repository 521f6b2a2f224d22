/* SPDX-License-Identifier: Apache-2.0 */
/* What makes something and is not part of every program: sub-devices, queues of other kinds,
 * programs without a compiler, images of each type, unified shared memory. One thread; no lock. */
#ifndef SLUICE_TEST_EXHAUST_RARE_H
#define SLUICE_TEST_EXHAUST_RARE_H

#include <CL/cl.h>

/* All that it makes it gives back. `kernel` (NULL: none) takes a buffer or pointer, then an int. */
void exhaust_rare(cl_device_id, cl_context, cl_command_queue, cl_kernel kernel);
/* The part about memory. */
void exhaust_rare_memory(cl_device_id, cl_context, cl_command_queue, cl_kernel kernel);
#endif
