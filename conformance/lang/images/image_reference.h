/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of an image element mean, in plain C: the reference of the image tests. */
#ifndef SLUICE_TEST_IMAGE_REFERENCE_H
#define SLUICE_TEST_IMAGE_REFERENCE_H

#include <CL/cl.h>
#include <stddef.h>

size_t image_channel_bytes(cl_channel_type type);
/* Which component of the colour the n-th stored channel is; NULL: an order not tested. */
const char *image_channels(cl_channel_order order);
size_t image_channel_count(cl_channel_order order);
/* 'i', 'u' or 'f': the read function that goes with the type */
char image_family(cl_channel_type type);
int image_is_srgb(cl_channel_order order);
/* Of the sRGB curve (IEC 61966-2-1): a stored value between 0 and 1 as linear light. */
double image_linear(double stored);
/* One element as red, green, blue, alpha. */
void image_decode(const unsigned char *at, const cl_image_format *format, double out[4]);

#endif
