/* SPDX-License-Identifier: Apache-2.0 */
/* Short forms for tests of images. Whatever fails ends the case; any thread. */
#ifndef SLUICE_TEST_IMAGE_HELP_H
#define SLUICE_TEST_IMAGE_HELP_H

#include "cl_help.h"

extern const cl_image_format image_rgba8; /* a format that every device with images has */

/* Leaves a case that does not apply to the device. */
void image_need(void);

/* Two dimensions, no pitch. */
cl_image_desc image_plane(size_t width, size_t height);
/* Of `image_rgba8`, in `cl.context`. */
cl_mem image_new(cl_mem_flags flags, cl_image_desc desc, void *host);
#endif
