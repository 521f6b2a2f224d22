/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same steps as picture.cl in plain C, written independently: whole-picture loops, no tiles.
 * All pictures are row-major, width * height bytes; rgb has three bytes a pixel. `out` must not
 * overlap `in`.
 */
#ifndef PICTURE_REFERENCE_H
#define PICTURE_REFERENCE_H

#include <stdint.h>

void reference_grey(const uint8_t *rgb, uint8_t *out, int width, int height);
void reference_blur(const uint8_t *in, uint8_t *out, int width, int height);
void reference_sobel(const uint8_t *in, uint8_t *out, int width, int height);
void reference_equalise(const uint8_t *in, uint8_t *out, int width, int height);

#endif
