/* SPDX-License-Identifier: Apache-2.0 */
/* Builds and runs modules of SPIR-V on the device of cl_help.h. What fails ends the test. */
#ifndef SPIRV_RUN_H
#define SPIRV_RUN_H

#include <CL/cl.h>
#include <stdbool.h>

#include "spirv_cases.h"

/* Skips the test where the device takes no SPIR-V. */
void spirv_need(void);
/* Of a text for the assembler, not built; `turned`: its words in the other order of bytes. The
 * caller releases it. */
cl_program spirv_create(const char *text, uint32_t version, bool turned);
cl_program spirv_program(const char *text, uint32_t version, const char *options, bool turned);
/* An object of the case's module, in which the kernel "k" is called so. The caller releases it. */
cl_program spirv_object(const struct spirv_case *, char kernel);
/* Runs kernel "k" of a program that is built: its values against those that the case wants. */
void spirv_run_kernel(cl_program, const struct spirv_case *);
/* Its kernel's values against those that the case wants. */
void spirv_run_case(const struct spirv_case *, const char *options, bool turned);

#endif
