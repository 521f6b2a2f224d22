/* SPDX-License-Identifier: Apache-2.0 */
/* See load_code.h. No lock is held. */
#include "program/build/load_code.h"

#include "base/config/config.h"
#include "base/object/alloc.h"
#include "platform/device.h"
#include "program/build/cacheable.h"
#include "program/build/compile_request.h"
#include "program/build/load_warnings.h"
#include "program/cache/cache.h"
#include "program/object/demand.h"
#include "program/object/module.h"
#include "sluice/build_mode.h"

/* Devices that share an implementation (sub-devices) share the loaded code. */
static struct sl_code_ref *loaded_before(const struct sl_build_task *tasks,
                                         const struct sl_build_task *task,
                                         const struct sl_device *device)
{
    const struct sl_build_task *equal = sl_build_task_equal(tasks, task);
    struct sl_code_ref *code = equal ? equal->result->code : NULL;
    return code && code->device == device ? sl_code_hold(code) : NULL;
}

/* Is code on demand, once it was made, there for other processes? */
static bool is_kept(void)
{
    return sl_cache_is_writable() && !sl_config(SL_CONFIG_DUMP);
}

/* May a binary's code be taken from where other processes left theirs? */
static bool is_shared(void)
{
    return sl_cache_enabled() && !sl_config(SL_CONFIG_DUMP);
}

/* Somebody needed all of the program before, or it is to be in one piece. */
static void take_whole(const struct sl_build_task *task)
{
    struct sl_build *result = task->result;
    unsigned char *whole;
    size_t bytes;
    bool given = task->job->program->origin == SL_FROM_BINARY;
    bool make = given && sl_compile_in_one_piece(task->caps);
    enum sl_build_mode mode = sl_build_mode_of(sl_config(SL_CONFIG_BUILD));
    bool look = (given ? is_shared() : sl_build_is_cacheable(task)) && mode != SL_MODE_QUICK &&
                mode != SL_MODE_SWING;
    if (!(make || look) ||
        !sl_demand_find_whole(task->caps, result->binary + result->shell_bytes,
                              result->binary_bytes - result->shell_bytes, make, &whole, &bytes))
        return;
    sl_free(result->binary);
    result->binary = whole;
    result->binary_bytes = bytes;
    result->shell_bytes = 0;
}

static cl_int load_binary(const struct sl_build_task *task, struct sl_device *device,
                          const char **why)
{
    struct sl_build *result = task->result;
    size_t shell = result->shell_bytes;
    cl_int rc = sl_code_load(device, result->binary, shell ? shell : result->binary_bytes,
                             &result->code, why);
    if (rc || !shell)
        return rc;
    result->code->demand = sl_demand_create(task->caps, result->binary + shell,
                                            result->binary_bytes - shell, result->code->info);
    if (result->code->demand)
        return CL_SUCCESS;
    *why = "out of memory";
    return CL_OUT_OF_HOST_MEMORY;
}

cl_int sl_build_task_load(const struct sl_build_task *tasks, struct sl_build_task *task)
{
    struct sl_build *result = task->result;
    struct sl_device *device = task->job->program->devices[task->job->which[task->i]]->root->impl;
    const char *why = "";
    if (result->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return CL_SUCCESS;
    result->stays_divided = result->shell_bytes && is_kept();
    result->code = loaded_before(tasks, task, device);
    if (result->code)
        return CL_SUCCESS;
    if (result->shell_bytes)
        take_whole(task);
    cl_int rc = load_binary(task, device, &why);
    if (!rc) {
        sl_warn_of_loaded(task->job->program, result);
    } else {
        sl_build_fail(result, why);
    }
    return rc;
}
