/* SPDX-License-Identifier: Apache-2.0 */
/* Plain C versions of the picture steps; nothing here is shared with the kernels. */
#include "reference.h"

#include <stdlib.h>

static int at(const uint8_t *in, int x, int y, int width, int height)
{
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return in[(size_t)y * (size_t)width + (size_t)x];
}

void reference_grey(const uint8_t *rgb, uint8_t *out, int width, int height)
{
    for (long i = 0; i < (long)width * height; i++)
        out[i] =
            (uint8_t)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + 128) / 256);
}

void reference_blur(const uint8_t *in, uint8_t *out, int width, int height)
{
    static const int binomial[7] = {1, 6, 15, 20, 15, 6, 1};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            long sum = 0;
            for (int j = 0; j < 7; j++)
                for (int i = 0; i < 7; i++)
                    sum += binomial[i] * binomial[j] * at(in, x + i - 3, y + j - 3, width, height);
            out[(size_t)y * (size_t)width + (size_t)x] = (uint8_t)((sum + 2048) / 4096);
        }
}

void reference_sobel(const uint8_t *in, uint8_t *out, int width, int height)
{
    static const int kx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int gx = 0, gy = 0;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++) {
                    const int v = at(in, x + i - 1, y + j - 1, width, height);
                    gx += kx[j][i] * v;
                    gy += kx[i][j] * v;
                }
            const int g = (abs(gx) + abs(gy)) / 2;
            out[(size_t)y * (size_t)width + (size_t)x] = (uint8_t)(g > 255 ? 255 : g);
        }
}

void reference_equalise(const uint8_t *in, uint8_t *out, int width, int height)
{
    const uint64_t count = (uint64_t)width * (uint64_t)height;
    uint64_t below[256] = {0}, running = 0, lowest = 0;
    for (uint64_t i = 0; i < count; i++)
        below[in[i]]++;
    for (int v = 0; v < 256; v++) {
        running += below[v];
        below[v] = running;
        if (!lowest)
            lowest = running;
    }
    const uint64_t span = count > lowest ? count - lowest : 1;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t above = below[in[i]] - lowest;
        out[i] = (uint8_t)((above * 255 + span / 2) / span);
    }
}
