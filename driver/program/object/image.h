/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binaries as applications give them: one image, a container (sluice/module.h) or a SPIR-V module,
 * or several: containers one behind the other, and maybe a SPIR-V module behind them, as files are
 * joined. No state; any thread.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_IMAGE_H
#define SL_DRIVER_PROGRAM_OBJECT_IMAGE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#include "sluice/device.h"

struct sl_program_image { /* in the binary */
    const unsigned char *bytes;
    size_t size;
    cl_program_binary_type type;
    bool bare; /* of the device's own making, in no container */
};

/* The image that the device selects, or the best that it takes: a container for its machine, one
 * for less than that has (sluice/base/target.h), the SPIR-V module. NULL, or why there is none, a
 * static text, and then nothing is written. */
const char *sl_program_pick_image(struct sl_device *, const void *binary, size_t bytes,
                                  struct sl_program_image *) __attribute__((warn_unused_result));

#endif
