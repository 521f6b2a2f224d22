/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing; entries are never removed. No shared state. */
#include "ir/map.h"

#include "ir/memory.h"
#include <stdint.h>
#include <stdlib.h>

struct sl_map_entry {
    const void *key;
    void *value;
};

static struct sl_map_entry *find(const struct sl_map *map, const void *key)
{
    size_t at = ((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20;
    for (;; at++) {
        struct sl_map_entry *entry = &map->entries[at & (map->capacity - 1)];
        if (!entry->key || entry->key == key)
            return entry;
    }
}

void *sl_map_get(const struct sl_map *map, const void *key)
{
    return map->capacity ? find(map, key)->value : NULL;
}

static void grow(struct sl_map *map)
{
    struct sl_map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : 64;
    map->entries = sl_ir_alloc(map->capacity, sizeof *map->entries);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].key)
            *find(map, old.entries[i].key) = old.entries[i];
    free(old.entries);
}

void sl_map_set(struct sl_map *map, const void *key, void *value)
{
    if (4 * (map->count + 1) > 3 * map->capacity)
        grow(map);
    struct sl_map_entry *entry = find(map, key);
    map->count += !entry->key;
    *entry = (struct sl_map_entry){key, value};
}

void sl_map_each(const struct sl_map *map, void (*visit)(void *value))
{
    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].key)
            visit(map->entries[i].value);
}

void sl_map_finish(struct sl_map *map)
{
    free(map->entries);
    *map = (struct sl_map){0};
}
