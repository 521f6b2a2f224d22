/* SPDX-License-Identifier: Apache-2.0 */
/* See json.h. */
#include "sluice/base/json.h"

#include <string.h>

#include "sluice/base/utf8.h"

enum { LONGEST = sizeof "\\u001f" };

/* How many characters stand for the first of *text, which moves on; they are in `out`, and a NUL.
 * What is no UTF-8 would make the whole unreadable. */
static size_t escape(char out[LONGEST], const char **text)
{
    const unsigned char c = (unsigned char)**text;
    size_t bytes = sl_utf8_bytes(*text);
    if (bytes > 1) {
        memcpy(out, *text, bytes);
        out[bytes] = '\0';
        *text += bytes;
        return bytes;
    }
    ++*text;
    const char *format = c == '"' || c == '\\' ? "\\%c" : c < 0x20 ? "\\u%04x" : "%c";
    return (size_t)snprintf(out, LONGEST, format, bytes ? c : '?');
}

void sl_json_string(FILE *out, const char *text)
{
    char piece[LONGEST];
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    while (*text)
        fwrite(piece, 1, escape(piece, &text), out);
    fputc('"', out);
}

void sl_json_escape(char *out, size_t room, const char *text)
{
    size_t at = 0;
    while (*text && at + LONGEST <= room)
        at += escape(out + at, &text);
    out[at] = '\0';
}
