/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be said of a program once its code is on the device: kernels that no launch can run,
 * what the device itself reports, settings that came too late or in vain. No lock may be held.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_LOAD_WARNINGS_H
#define SL_DRIVER_PROGRAM_BUILD_LOAD_WARNINGS_H

#include "program/object/program.h"

/* The result has code. Its log (CL_PROGRAM_BUILD_LOG) gets a line for each; what concerns settings
 * of the environment is said on standard error as well, for few hosts print the log of a success.
 */
void sl_warn_of_loaded(const struct _cl_program *, struct sl_build *);

#endif
