/* SPDX-License-Identifier: Apache-2.0 */
/* See device_compiler.h. No lock is held. */
#include "program/build/device_compiler.h"

#include <stdlib.h>
#include <string.h>

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "program/build/obtain_container.h"
#include "program/object/device_container.h"
#include "program/object/module.h"
#include "sluice/base/spirv.h"

#define MOST_PARTS 1024u

struct own_parts {
    struct sl_program_part *rows; /* owned */
    uint32_t count;
    void *turned; /* owned: a module in this machine's byte order; NULL: none was not */
};

static void add_part(struct own_parts *parts, enum sl_program_form form, const void *bytes,
                     size_t size, const char *name)
{
    parts->rows[parts->count++] = (struct sl_program_part){form, bytes, size, name};
}

/* false: memory is out. */
static bool add_module(struct own_parts *parts, const void *module, size_t size)
{
    if (sl_spirv_is_turned(module, size)) {
        parts->turned = sl_alloc(size);
        if (!parts->turned)
            return false;
        sl_spirv_turn(module, size, parts->turned);
        module = parts->turned;
    }
    add_part(parts, SL_PROGRAM_SPIRV, module, size, NULL);
    return true;
}

/* What is in a container: the device's own code, or bitcode. */
static bool add_container(struct own_parts *parts, const void *container, size_t size)
{
    struct sl_module_view view;
    const char *why;
    if (sl_module_check(container, size, NULL, &view, &why))
        return false;
    add_part(parts, sl_module_is_own(&view) ? SL_PROGRAM_OWN : SL_PROGRAM_IR, view.payload,
             (size_t)view.header.payload_bytes, NULL);
    return true;
}

/* The program in a form that the device takes, without our compiler; false: there is none. */
static bool parts_as_given(const struct sl_build_task *task, uint32_t forms,
                           struct own_parts *parts)
{
    const struct sl_build_job *job = task->job;
    const struct _cl_program *program = job->program;
    bool fits = true;
    if (program->origin == SL_FROM_SOURCE) {
        if (!(forms & SL_PROGRAM_SOURCE))
            return false;
        add_part(parts, SL_PROGRAM_SOURCE, program->source, program->source_bytes, NULL);
        for (cl_uint i = 0; i < job->header_count; i++)
            add_part(parts, SL_PROGRAM_SOURCE, job->headers[i].program->source,
                     job->headers[i].program->source_bytes, job->headers[i].name);
        return true;
    }
    if (sl_build_task_is_of_il(task)) {
        bool il = program->origin == SL_FROM_IL;
        const struct sl_build *own = sl_build_task_given(task);
        return forms & SL_PROGRAM_SPIRV && add_module(parts, il ? program->il : own->binary,
                                                      il ? program->il_bytes : own->binary_bytes);
    }
    for (cl_uint k = 0; k < job->input_count && fits; k++) {
        const struct sl_build_blob *input = &job->inputs[task->i * job->input_count + k];
        fits = add_container(parts, input->bytes, input->size);
    }
    if (job->kind != SL_BUILD_LINK)
        fits = fits && add_container(parts, sl_build_task_given(task)->binary,
                                     sl_build_task_given(task)->binary_bytes);
    for (uint32_t k = 0; k < parts->count && fits; k++) /* bitcode of several is linked by us */
        fits = parts->rows[k].form == SL_PROGRAM_OWN;
    return fits;
}

static enum sl_program_kind own_kind(const struct sl_build_task *task)
{
    if (task->job->kind == SL_BUILD_COMPILE)
        return SL_PROGRAM_COMPILE;
    if (task->job->kind != SL_BUILD_LINK)
        return SL_PROGRAM_BUILD;
    return task->job->options.create_library ? SL_PROGRAM_LINK_LIBRARY : SL_PROGRAM_LINK;
}

int sl_device_build(struct sl_device *device, const struct sl_program_ops *own,
                    struct sl_program_request *request, unsigned char **container, size_t *bytes,
                    char **log)
{
    static const uint32_t kinds[] = {[SL_PROGRAM_BUILD] = SL_BINARY_EXECUTABLE,
                                     [SL_PROGRAM_COMPILE] = SL_BINARY_OBJECT,
                                     [SL_PROGRAM_LINK] = SL_BINARY_EXECUTABLE,
                                     [SL_PROGRAM_LINK_LIBRARY] = SL_BINARY_LIBRARY};
    request->size = sizeof *request;
    int rc = own->build(device, request);
    *log = request->log ? sl_strdup(request->log) : NULL;
    if (!rc && (!request->binary || !request->binary_bytes))
        rc = sl_refuse(CL_BUILD_PROGRAM_FAILURE, "the device made no code");
    if (!rc) {
        *container = sl_device_container(device, kinds[request->kind], request->binary,
                                         request->binary_bytes, bytes);
        rc = *container ? 0 : CL_OUT_OF_HOST_MEMORY;
    }
    free(request->binary);
    free(request->log);
    request->binary = request->log = NULL;
    return rc;
}

/* The parts become code of the device; `own`: what made them is taken into the log as well. */
static cl_int make_own(struct sl_build_task *task, const struct sl_program_ops *own,
                       const struct own_parts *parts)
{
    const struct sl_build_job *job = task->job;
    struct sl_program_constant *constants =
        sl_zalloc((job->constants.count + 1) * sizeof *constants);
    struct sl_program_request request = {.kind = own_kind(task),
                                         .parts = parts->rows,
                                         .part_count = parts->count,
                                         .constants = constants,
                                         .options = job->text ? job->text : ""};
    unsigned char *container = NULL;
    char *log = NULL;
    size_t bytes = 0, said = task->result->log ? strlen(task->result->log) : 0;
    if (!constants)
        return CL_OUT_OF_HOST_MEMORY;
    for (; request.constant_count < job->constants.count; request.constant_count++) {
        const struct sl_spec_constant *row = &job->constants.rows[request.constant_count];
        constants[request.constant_count] =
            (struct sl_program_constant){row->id, row->bytes, row->value};
    }
    cl_int rc =
        sl_device_build(sl_build_task_device(task), own, &request, &container, &bytes, &log);
    if (log)
        sl_build_append_text(&task->result->log, &said, log, strlen(log), 0);
    bool silent = !log;
    sl_free(log);
    sl_free(constants);
    if (rc) {
        sl_build_fail(task->result, silent ? "the device's compiler failed without a message" : "");
        return rc;
    }
    sl_free(task->result->binary);
    task->result->binary = NULL;
    return sl_build_task_accept(task, container, bytes);
}

/* Through our front end: an object or a library of bitcode, which the device goes on with. */
static cl_int make_of_ir(struct sl_build_task *tasks, struct sl_build_task *task,
                         const struct sl_program_ops *own)
{
    struct sl_program_part row;
    struct own_parts parts = {.rows = &row};
    bool links = task->job->program->origin != SL_FROM_SOURCE && !sl_build_task_is_of_il(task);
    if (!(own->forms & SL_PROGRAM_IR)) {
        sl_build_fail(task->result, sl_build_task_is_of_il(task)
                                        ? "the device takes no SPIR-V"
                                        : "the device takes no programs of this form");
        return task->job->program->origin == SL_FROM_SOURCE ? CL_COMPILER_NOT_AVAILABLE
                                                            : CL_BUILD_PROGRAM_FAILURE;
    }
    task->kind = links ? SL_BUILD_LINK : SL_BUILD_COMPILE;
    task->links_library = links;
    cl_int rc = sl_build_task_obtain(tasks, task);
    task->kind = task->job->kind;
    task->links_library = false;
    task->key_known = false; /* equal bitcode is no equal code: each device makes its own */
    if (rc || task->job->kind == SL_BUILD_COMPILE || task->job->options.create_library)
        return rc; /* bitcode is what is linked later */
    unsigned char *kept = task->result->binary;
    size_t bytes = task->result->binary_bytes;
    task->result->binary = NULL;
    rc =
        add_container(&parts, kept, bytes) ? make_own(task, own, &parts) : CL_BUILD_PROGRAM_FAILURE;
    sl_free(kept);
    return rc;
}

cl_int sl_build_task_on_device(struct sl_build_task *tasks, struct sl_build_task *task,
                               const struct sl_program_ops *own)
{
    const struct sl_build_job *job = task->job;
    struct own_parts parts = {0};
    size_t most = (size_t)job->header_count + job->input_count + 2;
    parts.rows = most <= MOST_PARTS ? sl_zalloc(most * sizeof *parts.rows) : NULL;
    if (!parts.rows) {
        sl_build_fail(task->result, "out of memory");
        return CL_OUT_OF_HOST_MEMORY;
    }
    cl_int rc = parts_as_given(task, own->forms, &parts) ? make_own(task, own, &parts)
                                                         : make_of_ir(tasks, task, own);
    sl_free(parts.turned);
    sl_free(parts.rows);
    return rc;
}
