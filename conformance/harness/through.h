/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that take a way around before they are built, so that tests of OpenCL C test that too.
 */
#ifndef SLUICE_THROUGH_H
#define SLUICE_THROUGH_H

#include <CL/cl.h>
#include <stdbool.h>

/*
 * What SLUICE_TEST_THROUGH, a command called with a source, a file for the result and the build
 * options, makes of the source: SPIR-V or a binary. NULL: the variable is not set, or the command
 * ends with 77 because the way is none for this source. The caller owns it.
 */
cl_program program_through(const char *source, const char *options);
/* The variable is set, and there was no program yet that it made something of: nothing of it was
 * tested. Prints how many there were. */
bool none_went_through(void);

#endif
