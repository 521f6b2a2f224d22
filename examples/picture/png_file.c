/* SPDX-License-Identifier: Apache-2.0 */
#include "png_file.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t *png_file_read(const char *path, int *width, int *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *rgb = NULL;
    if (png_image_begin_read_from_file(&image, path)) {
        image.format = PNG_FORMAT_RGB;
        rgb = malloc(PNG_IMAGE_SIZE(image));
        if (rgb && png_image_finish_read(&image, NULL, rgb, 0, NULL)) {
            *width = (int)image.width;
            *height = (int)image.height;
            return rgb;
        }
    }
    fprintf(stderr, "%s: %s\n", path, image.message[0] ? image.message : "out of memory");
    png_image_free(&image);
    free(rgb);
    return NULL;
}

int png_file_write(const char *path, const uint8_t *rgb, int width, int height)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    if (png_image_write_to_file(&image, path, 0, rgb, 0, NULL))
        return 0;
    fprintf(stderr, "%s: %s\n", path, image.message);
    return -1;
}
