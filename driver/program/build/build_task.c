/* SPDX-License-Identifier: Apache-2.0 */
/* See build_task.h. No lock. */
#include "program/build/build_task.h"

#include <stdio.h>
#include <string.h>

#include "base/object/alloc.h"
#include "platform/device.h"
#include "program/object/module.h"

/* The reason goes behind what the log already says. */
void sl_build_fail(struct sl_build *result, const char *why)
{
    const char *said = result->log ? result->log : "";
    size_t said_bytes = strlen(said), bytes = said_bytes + strlen(why) + 2;
    bool new_line = said_bytes && *why && said[said_bytes - 1] != '\n';
    char *log = sl_alloc(bytes);
    if (log)
        snprintf(log, bytes, "%s%s%s", said, new_line ? "\n" : "", why);
    sl_free(result->log);
    sl_free(result->binary);
    result->log = log;
    result->binary = NULL;
    result->binary_bytes = result->shell_bytes = 0;
    result->binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    sl_code_drop(result->code);
    result->code = NULL;
    result->status = CL_BUILD_ERROR;
}

struct sl_build *sl_build_task_given(const struct sl_build_task *task)
{
    return &task->job->program->builds[task->job->which[task->i]];
}

bool sl_build_is_of_il(const struct _cl_program *program, cl_uint device)
{
    return program->origin == SL_FROM_IL ||
           (program->origin == SL_FROM_BINARY &&
            program->builds[device].binary_type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE);
}

bool sl_build_task_is_of_il(const struct sl_build_task *task)
{
    return sl_build_is_of_il(task->job->program, task->job->which[task->i]);
}

struct sl_device *sl_build_task_device(const struct sl_build_task *task)
{
    return task->job->program->devices[task->job->which[task->i]]->root->impl;
}

const struct sl_build_task *sl_build_task_equal(const struct sl_build_task *tasks,
                                                const struct sl_build_task *task)
{
    for (const struct sl_build_task *other = tasks; other < task; other++)
        if (other->key_known && task->key_known && sl_hash_equal(other->key, task->key))
            return other;
    return NULL;
}

bool sl_build_append_text(char **text, size_t *length, const void *data, size_t bytes, char end)
{
    char *grown = sl_realloc(*text, *length + bytes + 2);
    if (!grown)
        return false;
    memcpy(grown + *length, data, bytes);
    *length += bytes;
    if (end)
        grown[(*length)++] = end;
    grown[*length] = 0;
    *text = grown;
    return true;
}

/* A build makes an executable, a compilation an object, a link an executable or a library. */
static bool expected_kind(const struct sl_build_task *task, cl_program_binary_type type)
{
    if (task->links_library)
        return type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
    switch (task->kind) {
    case SL_BUILD_COMPILE:
        return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    case SL_BUILD_LINK:
        if (task->job->options.create_library)
            return type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
        return type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    case SL_BUILD_BUILD:
    case SL_BUILD_HELLO:
    case SL_BUILD_FINISH:
        break;
    }
    return type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

/* Takes over the container; its log section answers when the compiler sent none. */
cl_int sl_build_task_accept(struct sl_build_task *task, unsigned char *container, size_t bytes)
{
    struct sl_module_view view;
    struct sl_build *result = task->result;
    const char *why = NULL;
    size_t shell = sl_container_split(container, bytes);
    cl_int rc = sl_module_check(container, shell, task->caps->target, &view, &why);
    if (!rc && !expected_kind(task, sl_module_type(&view))) {
        rc = CL_INVALID_BINARY;
        why = "the compiler sent code of another kind than was asked for";
    }
    if (rc) {
        sl_free(container);
        sl_build_fail(result, why);
        return CL_BUILD_PROGRAM_FAILURE;
    }
    if (!result->log) {
        result->log = sl_zalloc((size_t)view.header.log_bytes + 1);
        if (result->log)
            memcpy(result->log, view.log, (size_t)view.header.log_bytes);
    }
    result->binary = container;
    result->binary_bytes = bytes;
    result->shell_bytes = shell < bytes ? shell : 0;
    result->binary_type = sl_module_type(&view);
    return CL_SUCCESS;
}

cl_int sl_build_task_accept_copy(struct sl_build_task *task, const unsigned char *container,
                                 size_t bytes)
{
    unsigned char *copy = sl_memdup(container, bytes);
    if (copy)
        return sl_build_task_accept(task, copy, bytes);
    sl_build_fail(task->result, "out of memory");
    return CL_OUT_OF_HOST_MEMORY;
}
