/* SPDX-License-Identifier: Apache-2.0 */
/* See obtain_container.h. No lock is held. */
#include "program/build/obtain_container.h"

#include "base/object/alloc.h"
#include "program/build/cacheable.h"
#include "program/build/compile_reply.h"
#include "program/build/compile_request.h"
#include "program/cache/cache.h"
#include "program/compiler/compiler.h"
#include "program/compiler/request_key.h"
#include "program/compiler/single_flight.h"

static cl_int copy_result(struct sl_build_task *task, const struct sl_build *from)
{
    if (from->log)
        task->result->log = sl_strdup(from->log);
    if (from->binary)
        return sl_build_task_accept_copy(task, from->binary, from->binary_bytes);
    sl_build_fail(task->result, "");
    return CL_BUILD_PROGRAM_FAILURE;
}

static cl_int ask_compiler(struct sl_build_task *task, struct sl_request *request)
{
    char why[SL_COMPILER_WHY];
    struct sl_reply reply;
    sl_compile_request_add_settings(request);
    cl_int rc = sl_compiler_run(request, &reply, why);
    if (rc) {
        sl_build_fail(task->result, why);
        return rc;
    }
    rc = sl_compile_reply_take(task, &reply);
    sl_reply_finish(&reply);
    return rc;
}

static bool from_cache(struct sl_build_task *task)
{
    unsigned char *container;
    size_t bytes;
    task->kept = sl_build_is_cacheable(task) && sl_cache_load(task->key, &container, &bytes) &&
                 !sl_build_task_accept(task, container, bytes);
    return task->kept;
}

static cl_int look_or_ask(struct sl_build_task *task, struct sl_request *request)
{
    if (from_cache(task))
        return CL_SUCCESS;
    sl_build_finish(task->result); /* what an unusable entry left */
    return ask_compiler(task, request);
}

static bool from_other_thread(struct sl_build_task *task, struct sl_flight *flight)
{
    size_t bytes;
    unsigned char *container = sl_flight_wait(flight, &bytes);
    if (!container)
        return false;
    if (!sl_build_task_accept(task, container, bytes))
        return true;
    sl_build_finish(task->result);
    return false;
}

/* Of several threads that want the same at the same time, one gets it for all. */
static cl_int get_once(struct sl_build_task *task, struct sl_request *request)
{
    bool pilot = false;
    struct sl_flight *flight =
        sl_build_is_cacheable(task) ? sl_flight_board(task->key, &pilot) : NULL;
    if (flight && !pilot && from_other_thread(task, flight))
        return CL_SUCCESS;
    cl_int rc = look_or_ask(task, request);
    if (flight && pilot)
        sl_flight_land(flight, task->kept ? task->result->binary : NULL,
                       task->result->binary_bytes);
    return rc;
}

/* A container for the device: from an equal device, the cache, or the compiler. */
cl_int sl_build_task_obtain(struct sl_build_task *tasks, struct sl_build_task *task)
{
    struct sl_request request = {0};
    sl_compile_request_compose(&request, task);
    task->key_known = sl_build_key(&request, &task->key);
    const struct sl_build_task *equal = sl_build_task_equal(tasks, task);
    cl_int rc = CL_SUCCESS;
    if (equal)
        rc = copy_result(task, equal->result);
    else
        rc = get_once(task, &request);
    sl_request_finish(&request);
    return rc;
}
