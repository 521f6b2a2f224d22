/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that cannot fail, and the list built on it. No shared state. */
#include "ir/memory.h"

#include <stdlib.h>

void *sl_ir_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

void *sl_ir_resize(void *old, size_t count, size_t size)
{
    void *memory = reallocarray(old, count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

void sl_list_add(struct sl_list *list, void *item)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        list->items = sl_ir_resize(list->items, list->capacity, sizeof *list->items);
    }
    list->items[list->count++] = item;
}

void sl_list_finish(struct sl_list *list)
{
    free(list->items);
    *list = (struct sl_list){0};
}
