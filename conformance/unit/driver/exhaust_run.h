/* SPDX-License-Identifier: Apache-2.0 */
/* One life of an application, each call of which may run out of memory. */
#ifndef SLUICE_TEST_EXHAUST_RUN_H
#define SLUICE_TEST_EXHAUST_RUN_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

struct exhaust_design {
    const char *device; /* "cpu" or "fpga" */
    unsigned char *binary;
    size_t bytes;
};

extern const char *const exhaust_source[2]; /* of the CPU device, of the FPGA */

/* From the platform to the last release. False and a line on stderr: a code that does not say that
 * memory was short, or a wrong result. `whole`: nothing was to fail, so everything has to work. */
bool exhaust_run(const struct exhaust_design *design, bool whole);
cl_device_id exhaust_device(const char *name);
#endif
