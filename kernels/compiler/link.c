/* SPDX-License-Identifier: Apache-2.0 */
/* The last step to executable code: objects become a shared object. No locks. */
#include "resources.h"
#include "shim/linker.h"
#include "stage.h"

static void take_log(void *data, const char *text, size_t bytes)
{
    struct sl_stages *stages = data;
    sl_text_add(&stages->result->log, text, bytes);
}

static void take_output(void *data, const void *bytes, size_t count)
{
    struct sl_stages *stages = data;
    sl_text_add(&stages->payload, bytes, count);
}

int sl_stage_link(struct sl_stages *stages)
{
    const struct sl_linker_sink sink = {stages, take_log, take_output};
    struct sl_linker_object objects[SL_MOST_PARTS] = {{stages->object.data, stages->object.bytes}};
    size_t count = 1;
    for (uint32_t p = 1; p < stages->part_count; p++, count++)
        objects[p] = (struct sl_linker_object){stages->objects[p].data, stages->objects[p].bytes};
    if (sl_linker_run(objects, count, sl_resources_runtime(), &sink))
        return sl_stage_fail(stages, "the module cannot be linked");
    sl_dump_bytes(stages, "module", "so", stages->payload.data, stages->payload.bytes);
    return stages->payload.failed ? sl_stage_fail(stages, "out of memory") : 0;
}
