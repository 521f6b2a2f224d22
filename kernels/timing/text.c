/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/text.h"

#include <stdlib.h>
#include <string.h>

void sl_timing_text(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < ' ')
            fprintf(out, "\\u%04x", *c);
        else
            putc(*c, out);
    putc('"', out);
}

void sl_timing_line(FILE *out, const struct sl_timing_source *source, uint32_t number)
{
    enum { LONGEST = 80 };
    const char *at = source->text, *end = at + source->bytes, *next;
    char line[LONGEST + 1];
    size_t count = 0;
    for (uint32_t n = 1; n < number && at; n++)
        at = (next = memchr(at, '\n', (size_t)(end - at))) ? next + 1 : NULL;
    while (at && at < end && (*at == ' ' || *at == '\t'))
        at++;
    for (; at && at < end && *at && *at != '\n' && count < LONGEST; at++)
        line[count++] = (char)(*at == '\t' ? ' ' : *at >= ' ' && *at <= '~' ? *at : '?');
    while (count && strchr(" ?{", line[count - 1]))
        count--;
    line[count] = '\0';
    sl_timing_text(out, line);
}

void sl_timing_made(FILE *out, void (*print)(const void *, FILE *), const void *data)
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory) {
        print(data, memory);
        fclose(memory);
    }
    sl_timing_text(out, text ? text : "");
    free(text);
}
