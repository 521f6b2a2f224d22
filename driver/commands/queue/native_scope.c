/* SPDX-License-Identifier: Apache-2.0 */
/* See native_scope.h. */
#include "commands/queue/native_scope.h"

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "commands/queue/command_order.h"
#include "commands/queue/queue.h"

enum { FIRST_CAPACITY = 4 };

static _Thread_local unsigned functions; /* that this thread is in */

static bool reserve(struct sl_native_scope *scope)
{
    if (scope->count < scope->capacity)
        return true;
    cl_uint capacity = scope->capacity ? scope->capacity * 2 : FIRST_CAPACITY;
    cl_event *grown = sl_realloc(scope->commands, capacity * sizeof *grown);
    if (!grown)
        return false;
    scope->commands = grown;
    scope->capacity = capacity;
    return true;
}

cl_int sl_native_scope_create(cl_command_queue parent, cl_event gate, cl_command_queue *out)
{
    struct sl_native_scope *scope = sl_zalloc(sizeof *scope);
    if (!scope || !reserve(scope)) {
        sl_free(scope);
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a native command");
    }
    pthread_mutex_init(&scope->lock, NULL);
    scope->caller = pthread_self();
    scope->open = true;
    scope->gate = sl_hold(gate); /* for a thread that is still submitting as the function returns */
    scope->commands[scope->count++] = sl_hold(gate);
    cl_int rc = sl_queue_create_scoped(parent, scope, out);
    if (rc)
        sl_native_scope_free(scope);
    return rc;
}

void sl_native_scope_close(struct sl_native_scope *scope)
{
    pthread_mutex_lock(&scope->lock);
    scope->open = false;
    pthread_mutex_unlock(&scope->lock);
}

bool sl_native_scope_add(struct sl_native_scope *scope, cl_event e)
{
    if (!reserve(scope))
        return false;
    scope->commands[scope->count++] = sl_hold(e);
    return true;
}

void sl_native_scope_forget(struct sl_native_scope *scope)
{
    while (scope->count)
        sl_drop(scope->commands[--scope->count]);
}

void sl_native_scope_free(struct sl_native_scope *scope)
{
    sl_native_scope_forget(scope);
    sl_drop(scope->gate);
    pthread_mutex_destroy(&scope->lock);
    sl_free(scope->commands);
    sl_free(scope);
}

static cl_int admit(struct sl_native_scope *scope, cl_event e, cl_uint wait_count, bool blocking)
{
    if (!scope->open)
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "the native command's function has returned");
    if (blocking)
        return sl_refuse(CL_INVALID_OPERATION, "a native command's function must not wait");
    if (!reserve(scope) || !sl_edge_enter_queue(e, wait_count + 1))
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the command's dependencies");
    scope->commands[scope->count++] = sl_hold(e);
    return CL_SUCCESS;
}

cl_int sl_native_scope_admit(cl_event e, cl_uint wait_count, bool blocking)
{
    struct sl_native_scope *scope = e->queue->scope;
    pthread_mutex_lock(&scope->lock);
    cl_int rc = admit(scope, e, wait_count, blocking);
    pthread_mutex_unlock(&scope->lock);
    return rc;
}

bool sl_native_scope_is_open(struct sl_native_scope *scope)
{
    pthread_mutex_lock(&scope->lock);
    bool open = scope->open;
    pthread_mutex_unlock(&scope->lock);
    return open;
}

bool sl_native_scope_is_here(struct sl_native_scope *scope)
{
    return pthread_equal(scope->caller, pthread_self()) && sl_native_scope_is_open(scope);
}

void sl_native_function_begins(void)
{
    functions++;
}

void sl_native_function_ends(void)
{
    functions--;
}

bool sl_native_function_is_here(void)
{
    return functions > 0;
}
