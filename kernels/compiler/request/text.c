/* SPDX-License-Identifier: Apache-2.0 */
/* Growing strings and lists of strings. No locks: each has one owner. */
#include "compiler/request/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct sl_text *text, size_t more)
{
    if (text->capacity - text->bytes > more)
        return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity - text->bytes <= more)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void sl_text_add(struct sl_text *text, const void *data, size_t bytes)
{
    if (!reserve(text, bytes))
        return;
    if (bytes)
        memcpy(text->data + text->bytes, data, bytes);
    text->bytes += bytes;
    text->data[text->bytes] = '\0';
}

void sl_text_vaddf(struct sl_text *text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int bytes = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (bytes < 0 || !reserve(text, (size_t)bytes))
        return;
    vsnprintf(text->data + text->bytes, (size_t)bytes + 1, format, args);
    text->bytes += (size_t)bytes;
}

void sl_text_addf(struct sl_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sl_text_vaddf(text, format, args);
    va_end(args);
}

void sl_text_truncate(struct sl_text *text, size_t bytes)
{
    if (text->bytes <= bytes)
        return;
    text->bytes = bytes;
    text->data[bytes] = '\0';
}

void sl_text_finish(struct sl_text *text)
{
    free(text->data);
    *text = (struct sl_text){0};
}

static void add_owned(struct sl_strings *list, char *item)
{
    if (item && list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 32;
        char **items = realloc(list->items, capacity * sizeof *items);
        if (items) {
            list->items = items;
            list->capacity = capacity;
        }
    }
    if (!item || list->count == list->capacity) {
        free(item);
        list->failed = true;
        return;
    }
    list->items[list->count++] = item;
}

void sl_strings_add(struct sl_strings *list, const char *text, size_t bytes)
{
    add_owned(list, strndup(text, bytes));
}

void sl_strings_addf(struct sl_strings *list, const char *format, ...)
{
    char *item = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&item, format, args) < 0)
        item = NULL;
    va_end(args);
    add_owned(list, item);
}

void sl_strings_finish(struct sl_strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct sl_strings){0};
}
