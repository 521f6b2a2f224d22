/* SPDX-License-Identifier: Apache-2.0 */
/* PNG files as 8-bit RGB, through libpng's simplified interface. */
#ifndef PICTURE_PNG_FILE_H
#define PICTURE_PNG_FILE_H

#include <stdint.h>

/* Reads any PNG as RGB, three bytes a pixel. The caller frees the result. NULL after a message on
 * stderr. */
uint8_t *png_file_read(const char *path, int *width, int *height);
/* Writes RGB; 0, or -1 after a message on stderr. */
int png_file_write(const char *path, const uint8_t *rgb, int width, int height);

#endif
