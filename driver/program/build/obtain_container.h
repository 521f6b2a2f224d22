/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a device's container comes from: an equal device of the same job, another thread that is
 * getting the same, the disk cache, or the compiler process. No lock may be held.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_OBTAIN_CONTAINER_H
#define SL_DRIVER_PROGRAM_BUILD_OBTAIN_CONTAINER_H

#include "program/build/build_task.h"

/* `tasks` are the job's, those before this one done. 0 with a result, or what the compiler or its
 * pool said; the result's log says why. */
cl_int sl_build_task_obtain(struct sl_build_task *tasks, struct sl_build_task *);

#endif
