/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/regions.h"

#include "timing/classify.h"
#include "timing/loop.h"
#include "timing/network.h"
#include "llvm/loops/counts/item_regions.h"

struct finder {
    struct sl_schedule_rows *rows;
    const struct sl_operator_table *table;
    uint32_t lanes;
};

static uint32_t latency_of(void *data, LLVMValueRef instruction)
{
    const struct finder *f = data;
    return sl_operator_latency(f->table, instruction);
}

/* Local and private arrays are as wide as there are lanes. */
static struct sl_region_need need_of(void *data, LLVMValueRef instruction)
{
    const struct finder *f = data;
    bool local;
    LLVMValueRef memory = sl_memory_of(instruction, &local);
    enum sl_operator kind = memory ? SL_OPERATOR_NONE : sl_classify(instruction);
    if (memory)
        return (struct sl_region_need){memory, 1,
                                       local ? f->table->local_ports : f->table->private_ports};
    if (f->table->global_bytes &&
        (kind == SL_OPERATOR_GLOBAL_LOAD || kind == SL_OPERATOR_GLOBAL_STORE))
        return (struct sl_region_need){f->table, (uint64_t)f->lanes * sl_moved_bytes(instruction),
                                       f->table->global_bytes};
    return (struct sl_region_need){NULL, 0, 1};
}

/* Where operations on pipes are, these tell the time: what is between them counts for nothing. */
static void take(void *data, const struct sl_item_region *region)
{
    const struct finder *f = data;
    const struct sl_schedule_region row = {
        .line = region->line,
        .column = region->column,
        .depth = region->pipes                ? 0
                 : region->depth < UINT32_MAX ? (uint32_t)region->depth
                                              : UINT32_MAX,
        .apart = region->pipes                ? 1
                 : region->apart < UINT32_MAX ? (uint32_t)region->apart
                                              : UINT32_MAX,
    };
    sl_schedule_add_region(f->rows, &row);
}

void sl_regions_add(struct sl_schedule_rows *rows, LLVMValueRef kernel,
                    const struct sl_operator_table *table, uint32_t lanes)
{
    struct finder finder = {rows, table, lanes};
    const struct sl_region_visitor visitor = {.data = &finder,
                                              .meets = sl_network_meets,
                                              .is_pipe_operation = sl_is_pipe_operation,
                                              .latency = latency_of,
                                              .need = need_of,
                                              .take = take};
    sl_llvm_visit_regions(kernel, &visitor);
}
