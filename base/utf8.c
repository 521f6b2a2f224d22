/* SPDX-License-Identifier: Apache-2.0 */
/* See utf8.h. */
#include "sluice/base/utf8.h"

size_t sl_utf8_bytes(const char *text)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, and of the second */
        size_t bytes;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *c = (const unsigned char *)text;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (*c < rows[i].first || *c > rows[i].last)
            continue;
        if (rows[i].bytes > 1 && (c[1] < rows[i].low || c[1] > rows[i].high))
            return 0;
        for (size_t k = 2; k < rows[i].bytes; k++)
            if (c[k] < 0x80 || c[k] > 0xbf)
                return 0;
        return rows[i].bytes;
    }
    return 0;
}
