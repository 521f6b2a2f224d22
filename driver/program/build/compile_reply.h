/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the compiler's reply: the container becomes the task's result and is kept in the disk
 * cache, the build log is taken over, times and remarks go to our log. No state.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_COMPILE_REPLY_H
#define SL_DRIVER_PROGRAM_BUILD_COMPILE_REPLY_H

#include "program/build/build_task.h"
#include "program/compiler/wire_format.h"

/* 0, the reply's error, or CL_BUILD_PROGRAM_FAILURE; the result's log says why. */
cl_int sl_compile_reply_take(struct sl_build_task *, const struct sl_reply *);

#endif
