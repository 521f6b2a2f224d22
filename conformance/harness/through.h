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
enum through {
    THROUGH_NOT_ASKED, /* the variable is not set */
    THROUGH_NONE,      /* there was no program that it made something of: nothing was tested */
    THROUGH_TOO_FEW,   /* less than SLUICE_TEST_THROUGH_PERCENT, a number, says */
    THROUGH_SOME,
};
/* Of the programs so far; prints how many there were. */
enum through went_through(void);

#endif
