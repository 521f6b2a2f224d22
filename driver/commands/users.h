/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which commands may use an allocation: copies and fills that touch it, kernels with a pointer into
 * it among their arguments or among the pointers that they were told of (clSetKernelExecInfo), and
 * kernels that may reach all memory of its kind. Any thread without a lock; takes the context's and
 * with it each queue's.
 */
#ifndef SL_DRIVER_COMMANDS_USERS_H
#define SL_DRIVER_COMMANDS_USERS_H

#include "memory/svm_allocation.h"

/* Waits for those that were enqueued before the call. */
void sl_users_await(cl_context, const struct sl_allocation *);

#endif
