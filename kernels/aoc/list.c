/* SPDX-License-Identifier: Apache-2.0 */
/* See list.h. */
#include "aoc/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int sl_aoc_complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("aoc: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    return -1;
}

void sl_aoc_add(struct sl_aoc_list *list, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    char **more = text ? realloc(list->items, (list->count + 2) * sizeof *more) : NULL;
    if (!more) {
        free(text);
        list->failed = true;
        return;
    }
    list->items = more;
    more[list->count++] = text;
    more[list->count] = NULL;
}

void sl_aoc_say_who(struct sl_aoc_list *list)
{
    sl_aoc_add(list, "-DINTELFPGA_CL=211");
    sl_aoc_add(list, "-DALTERA_CL=161");
}

void sl_aoc_list_finish(struct sl_aoc_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct sl_aoc_list){0};
}
