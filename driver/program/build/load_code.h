/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An executable's container is loaded into its device, with what is needed to make the rest of its
 * code on demand (demand.h). No lock may be held.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_LOAD_CODE_H
#define SL_DRIVER_PROGRAM_BUILD_LOAD_CODE_H

#include "program/build/build_task.h"

/* `tasks` are the job's, those before this one loaded: devices that share an implementation share
 * the code. What is no executable is not loaded. An error's reason is in the result's log. */
cl_int sl_build_task_load(const struct sl_build_task *tasks, struct sl_build_task *);

#endif
