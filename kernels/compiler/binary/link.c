/* SPDX-License-Identifier: Apache-2.0 */
/* The last step to executable code: objects become a shared object. No locks. */
#include <stdlib.h>

#include "compiler/builtins/ready_code.h"
#include "compiler/builtins/resources.h"
#include "compiler/stage/stage.h"
#include "clang/linker.h"

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

static int gather(struct sl_stages *stages, struct sl_ready_objects *objects)
{
    int rc = sl_ready_objects_add(objects, stages->object.data, stages->object.bytes);
    for (uint32_t p = 1; p < stages->part_count && !rc; p++)
        rc = sl_ready_objects_add(objects, stages->objects[p].data, stages->objects[p].bytes);
    return rc ? rc : sl_ready_objects_complete(objects, stages);
}

int sl_stage_link(struct sl_stages *stages)
{
    const struct sl_linker_sink sink = {stages, take_log, take_output};
    struct sl_ready_objects objects = {0};
    if (gather(stages, &objects)) {
        free(objects.rows);
        return sl_stage_fail(stages, "out of memory");
    }
    const char *places, *runtime = sl_resources_runtime(&places);
    int rc = sl_linker_run(objects.rows, objects.count, runtime ? runtime : "", &sink);
    free(objects.rows);
    if (rc && !runtime)
        return sl_stage_fail(stages,
                             "the module cannot be linked without libsluice_kernel_runtime.a, "
                             "which is in none of %s",
                             places);
    if (rc)
        return sl_stage_fail(stages, "the module cannot be linked");
    sl_dump_bytes(stages, "module", "so", stages->payload.data, stages->payload.bytes);
    return stages->payload.failed ? sl_stage_fail(stages, "out of memory") : 0;
}
