/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices that make code themselves (SL_QUERY_PROGRAMS of sluice/device.h): what of a program they
 * get, in a form that they take (source, SPIR-V, our portable IR, their own), and what they make of
 * it. No lock may be held.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_DEVICE_COMPILER_H
#define SL_DRIVER_PROGRAM_BUILD_DEVICE_COMPILER_H

#include "platform/device_programs.h"
#include "program/build/build_task.h"

/*
 * Has the device do what is asked; 0 and the container, owned by the caller, or an OpenCL error.
 * The log (owned by the caller; may be NULL) is written in both cases.
 */
int sl_device_build(struct sl_device *, const struct sl_program_ops *, struct sl_program_request *,
                    unsigned char **container, size_t *bytes, char **log);
/* A task's program; 0 with a result, or an error whose reason is in the result's log. `tasks` are
 * the job's. */
cl_int sl_build_task_on_device(struct sl_build_task *tasks, struct sl_build_task *,
                               const struct sl_program_ops *);

#endif
