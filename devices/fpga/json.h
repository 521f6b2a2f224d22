/* SPDX-License-Identifier: Apache-2.0 */
/* Strings in JSON. */
#ifndef SL_FPGA_JSON_H
#define SL_FPGA_JSON_H

#include <stdio.h>

static inline void sl_json_string(FILE *out, const char *text)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

#endif
