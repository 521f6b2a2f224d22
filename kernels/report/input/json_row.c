/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/input/json_row.h"

#include <stdlib.h>
#include <string.h>

uint64_t sl_json_count(const json_t *value)
{
    if (json_is_integer(value))
        return json_integer_value(value) > 0 ? (uint64_t)json_integer_value(value) : 0;
    double number = json_number_value(value);
    return number >= 1 && number < 1.8e19 ? (uint64_t)number : 0;
}

uint64_t sl_json_count_at(const json_t *row, size_t at)
{
    return sl_json_count(json_array_get(row, at));
}

uint64_t sl_json_count_of(const json_t *object, const char *key)
{
    return sl_json_count(json_object_get(object, key));
}

uint32_t sl_json_small_of(const json_t *object, const char *key)
{
    uint64_t count = sl_json_count_of(object, key);
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

char *sl_json_text_of(struct sl_report_design *design, const json_t *object, const char *key)
{
    return sl_design_copy(design, json_string_value(json_object_get(object, key)));
}

/* No text in JSON has that key in it: its quotes would be escaped. */
char *sl_json_without_events(const char *text, size_t *bytes)
{
    static const char begin[] = "\"events\":[[", end[] = "]]";
    char *copy = malloc(*bytes + 1);
    const char *from = memmem(text, *bytes, begin, sizeof begin - 1);
    const char *to =
        from ? memmem(from, (size_t)(text + *bytes - from), end, sizeof end - 1) : NULL;
    size_t first = to ? (size_t)(from - text) + sizeof begin - 2 : *bytes;
    if (!copy)
        return NULL;
    memcpy(copy, text, first);
    if (to) {
        size_t rest = (size_t)(text + *bytes - to) - 1;
        memcpy(copy + first, to + 1, rest);
        first += rest;
    }
    *bytes = first;
    return copy;
}
