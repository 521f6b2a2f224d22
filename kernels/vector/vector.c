/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a region's vector form. No shared state. */
#include "vector/vector.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/facts.h"

#include <stdlib.h>

static void free_value(void *value)
{
    struct sl_vector_value *code = value;
    free(code->parts);
    free(code->cells);
    free(code->cell_types);
    free(code);
}

void sl_vector_finish(struct sl_vector *v)
{
    sl_map_each(&v->now.values, free_value);
    sl_map_finish(&v->now.values);
    sl_list_finish(&v->now.slots);
    for (size_t k = 0; k < v->memory.records.count; k++)
        free(v->memory.records.items[k]);
    sl_list_finish(&v->memory.records);
    sl_map_finish(&v->memory.delayed);
    sl_map_finish(&v->memory.wholes);
    sl_vector_facts_finish(&v->facts);
}
