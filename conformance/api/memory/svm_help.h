/* SPDX-License-Identifier: Apache-2.0 */
/* Shared virtual memory of the device under test, and short forms for what its tests do. Whatever
 * fails ends the case; one thread unless it says otherwise. */
#ifndef SLUICE_TEST_SVM_HELP_H
#define SLUICE_TEST_SVM_HELP_H

#include "cl_help.h"

enum { SVM_SIZE = 1003 }; /* bytes of most allocations: no round number */

cl_device_svm_capabilities svm_capabilities(void);
/* Leaves a case that does not apply to the device. */
void svm_need(cl_device_svm_capabilities wanted);

/* Any thread. */
void *svm_alloc(cl_svm_mem_flags flags, size_t size);
void svm_release(void *pointer);

/* On `cl.queue`; blocking. */
void svm_map(void *pointer, cl_map_flags flags, size_t size);
void svm_unmap(void *pointer);
void svm_write(void *to, const void *from, size_t size);

/* Waits for the command, which is of that type and goes well, and releases the event. */
void svm_check_ended(cl_event event, cl_command_type want);
cl_event svm_gate(void); /* a user event */
#endif
