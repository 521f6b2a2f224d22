/* SPDX-License-Identifier: Apache-2.0 */
/* See json.h. */
#include "sluice/base/json.h"

enum { LONGEST = sizeof "\\u001f" };

/* How many characters stand for `c`; they are in `out`, and a NUL. */
static size_t escape(char out[LONGEST], unsigned char c)
{
    const char *format = c == '"' || c == '\\' ? "\\%c" : c < 0x20 ? "\\u%04x" : "%c";
    return (size_t)snprintf(out, LONGEST, format, c);
}

void sl_json_string(FILE *out, const char *text)
{
    char piece[LONGEST];
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fwrite(piece, 1, escape(piece, (unsigned char)*text), out);
    fputc('"', out);
}

void sl_json_escape(char *out, size_t room, const char *text)
{
    size_t at = 0;
    for (; *text && at + LONGEST <= room; text++)
        at += escape(out + at, (unsigned char)*text);
    out[at] = '\0';
}
