/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clBuildProgram, clCompileProgram, clLinkProgram: checks in the specification's order, the state
 * machine of a program, asynchronous builds. program->lock guards the state; nothing is compiled
 * or called back under it.
 */
#include "program/build/build.h"

#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/object/callback_thread.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/failure.h"
#include "program/object/module.h"
#include "sluice/base/stack.h"

typedef void(CL_CALLBACK *notify_fn)(cl_program, void *);

/* ---- arguments that the three share ---------------------------------------------------------- */

static cl_int check_list(cl_uint count, const cl_device_id *devices, notify_fn notify,
                         const void *user_data)
{
    if (!devices != !count)
        return sl_refuse(CL_INVALID_VALUE, "%u devices in the list at %p", count, (void *)devices);
    if (!notify && user_data)
        return sl_refuse(CL_INVALID_VALUE, "user_data without pfn_notify");
    return CL_SUCCESS;
}

static cl_int check_program_devices(cl_program program, cl_uint count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        if (sl_program_index(program, devices[i]) < 0)
            return sl_refuse(CL_INVALID_DEVICE, "device %u is not of the program", i);
    return CL_SUCCESS;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* What is built for a device is for its sub-devices too: they run the same code. */
static bool is_built_with(cl_device_id device, cl_device_id listed)
{
    while (device && device != listed)
        device = device->parent;
    return device;
}

static bool copy_constants(struct sl_build_job *job)
{
    struct sl_spec_constants *from = &job->program->constants, *to = &job->constants;
    pthread_mutex_lock(&job->program->lock);
    to->count = from->count;
    to->rows = from->count ? sl_memdup(from->rows, from->count * sizeof *from->rows) : NULL;
    pthread_mutex_unlock(&job->program->lock);
    return !to->count || to->rows;
}

/* For the listed devices of `program`, each once; none listed means all. NULL when memory is out.
 */
static struct sl_build_job *job_new(enum sl_build_kind kind, cl_program program, cl_uint count,
                                    const cl_device_id *devices, const char *options)
{
    struct sl_build_job *job = sl_zalloc(sizeof *job);
    if (!job)
        return NULL;
    job->kind = kind;
    job->program = sl_hold(program);
    job->which = sl_zalloc(program->device_count * sizeof *job->which);
    job->results = sl_zalloc(program->device_count * sizeof *job->results);
    job->text = options ? sl_strdup(options) : NULL;
    if (!job->which || !job->results || (options && !job->text) || !copy_constants(job)) {
        sl_build_job_destroy(job);
        return NULL;
    }
    for (cl_uint i = 0; i < program->device_count; i++) {
        bool wanted = !count;
        for (cl_uint k = 0; k < count; k++)
            wanted |= is_built_with(program->devices[i], devices[k]);
        if (wanted)
            job->which[job->count++] = i;
    }
    return job;
}

/* Spec 5.8.2: not while a build is going on, not while kernels are attached. */
static cl_int begin(struct sl_build_job *job)
{
    cl_program program = job->program;
    const char *why = NULL;
    pthread_mutex_lock(&program->lock);
    if (program->building)
        why = "a build of this program has not ended";
    else if (program->kernel_count)
        why = "kernels of this program exist";
    if (!why) {
        program->building = true;
        for (cl_uint i = 0; i < job->count; i++)
            program->builds[job->which[i]].status = CL_BUILD_IN_PROGRESS;
    }
    pthread_mutex_unlock(&program->lock);
    return why ? sl_refuse(CL_INVALID_OPERATION, "%s", why) : CL_SUCCESS;
}

/* A failed build of a binary keeps the binary, so that it may be built again. */
static void keep_binary(struct sl_build *fresh, struct sl_build *old)
{
    if (fresh->binary || !old->binary)
        return;
    fresh->binary = old->binary;
    fresh->binary_bytes = old->binary_bytes;
    fresh->binary_type = old->binary_type;
    old->binary = NULL;
}

static void publish(struct sl_build_job *job)
{
    cl_program program = job->program;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < job->count; i++) {
        struct sl_build *place = &program->builds[job->which[i]], old = *place;
        if (program->origin == SL_FROM_BINARY)
            keep_binary(&job->results[i], &old);
        *place = job->results[i];
        job->results[i] = old; /* freed with the job, outside the lock */
    }
    program->building = false;
    pthread_mutex_unlock(&program->lock);
}

struct notice {         /* a callback on its way */
    cl_program program; /* held */
    notify_fn notify;
    void *data;
};

static void deliver(void *data)
{
    struct notice *notice = data;
    sl_lend(notice->program); /* the application may have let go of it meanwhile */
    notice->notify(notice->program, notice->data);
    sl_drop(notice->program);
    sl_free(notice);
}

/* Application callbacks run on the callback thread; without memory for that, here. */
static void call_back(const struct sl_build_job *job)
{
    if (!job->notify)
        return;
    struct notice *notice = sl_alloc(sizeof *notice);
    if (!notice) {
        sl_lend(job->program);
        job->notify(job->program, job->notify_data);
        return;
    }
    *notice = (struct notice){sl_hold(job->program), job->notify, job->notify_data};
    if (sl_callback_post(deliver, notice))
        deliver(notice);
}

/* The line of a failed build's log that names the first error, else the first line. */
static const char *first_error(const struct sl_build_job *job)
{
    const char *log = NULL;
    for (cl_uint i = 0; i < job->count && !log; i++)
        if (job->results[i].status == CL_BUILD_ERROR)
            log = job->results[i].log;
    const char *line = log ? strstr(log, "error:") : NULL;
    while (line && line > log && line[-1] != '\n')
        line--;
    return line ? line : log ? log : "there is no log";
}

static cl_int refuse_build(const struct sl_build_job *job, cl_int rc)
{
    static const char *const calls[] = {[SL_BUILD_BUILD] = "clBuildProgram",
                                        [SL_BUILD_COMPILE] = "clCompileProgram",
                                        [SL_BUILD_LINK] = "clLinkProgram"};
    const char *line = first_error(job);
    char why[SL_REPORT_WHY];
    snprintf(why, sizeof why, "%.*s", (int)strcspn(line, "\n"), line);
    if (job->notify) /* the call succeeds: nobody else reports it */
        sl_report_failure(job->program->context, calls[job->kind], rc, why);
    return sl_refuse(rc, "%s", why);
}

struct running {
    struct sl_build_job *job;
    cl_int rc;
};

static void run(void *data)
{
    struct running *running = data;
    running->rc = sl_build_job_run(running->job);
}

/* Takes over the job, which has begun. */
static cl_int finish_job(struct sl_build_job *job)
{
    struct running running = {.job = job};
    if (sl_on_stack(run, &running)) {
        sl_build_job_fail(job, "out of memory");
        running.rc = CL_OUT_OF_HOST_MEMORY;
    }
    cl_int rc = running.rc;
    if (rc)
        rc = refuse_build(job, rc);
    publish(job);
    call_back(job);
    sl_build_job_destroy(job);
    return rc;
}

static void *run_in_background(void *data)
{
    finish_job(data);
    return NULL;
}

/* Takes over the job: in a thread of its own if there is a callback, else here. */
static cl_int start(struct sl_build_job *job)
{
    if (!job->notify)
        return finish_job(job);
    job->thread =
        (struct sl_thread){.name = SL_THREAD_PREFIX "build", .run = run_in_background, .data = job};
    if (!sl_thread_start_detached(&job->thread))
        return CL_SUCCESS;
    finish_job(job);
    return CL_SUCCESS;
}

/* Nothing is built with options that are no options: what was built stays, and the logs say why.
 * A build that is going on writes its own log. */
static void publish_logs(struct sl_build_job *job, const char *why)
{
    cl_program program = job->program;
    for (cl_uint i = 0; i < job->count; i++)
        job->results[i].log = sl_strdup(why);
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < job->count && !program->building; i++) {
        struct sl_build *place = &program->builds[job->which[i]];
        char *old = place->log;
        place->log = job->results[i].log;
        job->results[i].log = old; /* freed with the job, outside the lock */
    }
    pthread_mutex_unlock(&program->lock);
}

/* The options were refused: the devices' logs say why, unless the program may not change now. */
static cl_int report_options(struct sl_build_job *job, cl_int rc, bool invalid)
{
    char why[sizeof job->options.why];
    memcpy(why, job->options.why, sizeof why);
    if (invalid) {
        publish_logs(job, why);
    } else if (!begin(job)) {
        sl_build_job_fail(job, why);
        for (cl_uint i = 0; i < job->count; i++)
            job->results[i].options = job->text ? sl_strdup(job->text) : NULL;
        publish(job);
    }
    return sl_refuse(rc, "%s", why);
}

/* Which versions of the language all devices take. */
static unsigned common_flavour(const struct sl_build_job *job)
{
    unsigned flavour = SL_FOR_GENERIC | SL_FOR_31;
    for (cl_uint i = 0; i < job->count; i++) {
        const struct _cl_device_id *device = job->program->devices[job->which[i]];
        if (!(device->root->impl->caps.features & SL_FEATURE_GENERIC_ADDRESS_SPACE))
            flavour &= ~(unsigned)SL_FOR_GENERIC;
        if (!sl_device_minor_version(device))
            flavour &= ~(unsigned)SL_FOR_31;
    }
    return flavour;
}

/* Parses job->text. `invalid`, `failure`: the entry point's codes. On an error the job's program
 * carries the log. */
static cl_int parse_options(struct sl_build_job *job, unsigned where, cl_int invalid,
                            cl_int failure)
{
    switch (sl_options_parse(job->text, where | common_flavour(job), &job->options)) {
    case SL_OPTIONS_OK:
        break;
    case SL_OPTIONS_INVALID:
        return report_options(job, invalid, true);
    case SL_OPTIONS_UNSUPPORTED:
        return report_options(job, failure, false);
    case SL_OPTIONS_NO_MEMORY:
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "options");
    }
    if (where == SL_FOR_LINK)
        return CL_SUCCESS;
    bool includes = job->program->source && strstr(job->program->source, "include");
    return sl_options_anchor(&job->options, includes) ? CL_SUCCESS
                                                      : sl_refuse(CL_OUT_OF_HOST_MEMORY, "options");
}

static cl_int begin_and_start(struct sl_build_job *job, notify_fn notify, void *user_data)
{
    cl_int rc = begin(job);
    if (rc) {
        sl_build_job_destroy(job);
        return rc;
    }
    job->notify = notify;
    job->notify_data = user_data;
    return start(job);
}

/* ---- clBuildProgram -------------------------------------------------------------------------- */

static cl_int check_has_binaries(struct sl_build_job *job)
{
    cl_program program = job->program;
    bool missing = false;
    if (program->origin != SL_FROM_BINARY)
        return CL_SUCCESS;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < job->count; i++)
        missing |= !program->builds[job->which[i]].binary;
    pthread_mutex_unlock(&program->lock);
    return missing ? sl_refuse(CL_INVALID_BINARY, "no binary for a device") : CL_SUCCESS;
}

cl_int sl_clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                         const char *options, notify_fn pfn_notify, void *user_data)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a program");
    cl_int rc = check_list(num_devices, device_list, pfn_notify, user_data);
    if (!rc)
        rc = check_program_devices(program, num_devices, device_list);
    if (rc)
        return rc;
    if (program->origin == SL_FROM_LINK)
        return sl_refuse(CL_INVALID_OPERATION, "a linked program is already built");
    struct sl_build_job *job = job_new(SL_BUILD_BUILD, program, num_devices, device_list, options);
    if (!job)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "build");
    rc = check_has_binaries(job);
    if (!rc)
        rc = parse_options(job, SL_FOR_COMPILE, CL_INVALID_BUILD_OPTIONS, CL_BUILD_PROGRAM_FAILURE);
    if (rc) {
        sl_build_job_destroy(job);
        return rc;
    }
    return begin_and_start(job, pfn_notify, user_data);
}

/* ---- clCompileProgram ------------------------------------------------------------------------ */

static cl_int check_headers(cl_program program, cl_uint count, const cl_program *headers,
                            const char **names)
{
    if (!count && (headers || names))
        return sl_refuse(CL_INVALID_VALUE, "header lists without a count");
    if (count && (!headers || !names))
        return sl_refuse(CL_INVALID_VALUE, "%u headers without lists", count);
    for (cl_uint i = 0; i < count; i++) {
        if (!names[i])
            return sl_refuse(CL_INVALID_VALUE, "header %u has no name", i);
        if (!sl_valid(headers[i], &sl_program_type))
            return sl_refuse(CL_INVALID_PROGRAM, "header %u is not a program", i);
        if (headers[i]->context != program->context)
            return sl_refuse(CL_INVALID_CONTEXT, "header %u is of another context", i);
        if (!headers[i]->source)
            return sl_refuse(CL_INVALID_OPERATION, "header %u has no source", i);
    }
    return CL_SUCCESS;
}

static cl_int take_headers(struct sl_build_job *job, cl_uint count, const cl_program *headers,
                           const char **names)
{
    job->headers = count ? sl_zalloc(count * sizeof *job->headers) : NULL;
    if (count && !job->headers)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "headers");
    job->header_count = count;
    for (cl_uint i = 0; i < count; i++) {
        job->headers[i].program = sl_hold(headers[i]);
        job->headers[i].name = sl_strdup(names[i]);
        if (!job->headers[i].name)
            return sl_refuse(CL_OUT_OF_HOST_MEMORY, "headers");
    }
    return CL_SUCCESS;
}

/* There is something to compile: what was made from binaries has it if these are modules. */
static cl_int check_has_source(const struct sl_build_job *job)
{
    cl_program program = job->program;
    bool missing = false;
    if (program->origin == SL_FROM_SOURCE)
        return CL_SUCCESS;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < job->count; i++)
        missing |= !sl_build_is_of_il(program, job->which[i]);
    pthread_mutex_unlock(&program->lock);
    return missing ? sl_refuse(CL_INVALID_OPERATION, "the program has no source") : CL_SUCCESS;
}

cl_int sl_clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                           const char *options, cl_uint num_input_headers,
                           const cl_program *input_headers, const char **header_include_names,
                           notify_fn pfn_notify, void *user_data)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a program");
    cl_int rc = check_list(num_devices, device_list, pfn_notify, user_data);
    if (program->origin == SL_FROM_IL) /* spec 5.8.3: headers are ignored */
        num_input_headers = 0;
    else if (!rc)
        rc = check_headers(program, num_input_headers, input_headers, header_include_names);
    if (!rc)
        rc = check_program_devices(program, num_devices, device_list);
    if (rc)
        return rc;
    struct sl_build_job *job =
        job_new(SL_BUILD_COMPILE, program, num_devices, device_list, options);
    if (!job)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "compilation");
    rc = check_has_source(job);
    if (!rc)
        rc = take_headers(job, num_input_headers, input_headers, header_include_names);
    if (!rc)
        rc = parse_options(job, SL_FOR_COMPILE, CL_INVALID_COMPILER_OPTIONS,
                           CL_COMPILE_PROGRAM_FAILURE);
    if (rc) {
        sl_build_job_destroy(job);
        return rc;
    }
    return begin_and_start(job, pfn_notify, user_data);
}

/* ---- clLinkProgram --------------------------------------------------------------------------- */

struct link {
    cl_context context;
    cl_uint device_count;
    const cl_device_id *devices;
    cl_uint input_count;
    const cl_program *inputs;
};

static cl_int check_link(const struct link *link, cl_uint listed, const cl_device_id *list,
                         notify_fn notify, const void *user_data)
{
    cl_int rc = check_list(listed, list, notify, user_data);
    if (rc)
        return rc;
    if (!link->input_count || !link->inputs)
        return sl_refuse(CL_INVALID_VALUE, "no input programs");
    for (cl_uint i = 0; i < link->input_count; i++) {
        if (!sl_valid(link->inputs[i], &sl_program_type))
            return sl_refuse(CL_INVALID_PROGRAM, "input %u is not a program", i);
        if (link->inputs[i]->context != link->context)
            return sl_refuse(CL_INVALID_CONTEXT, "input %u is of another context", i);
    }
    for (cl_uint i = 0; i < link->device_count; i++)
        if (!sl_context_has_device(link->context, link->devices[i]))
            return sl_refuse(CL_INVALID_DEVICE, "device %u is not of the context", i);
    return CL_SUCCESS;
}

/* 1: *blob is a copy of a linkable binary of `input` for `device`; 0: there is none; else an error.
 */
static cl_int copy_input(cl_program input, cl_device_id device, struct sl_build_blob *blob)
{
    cl_int rc = 0;
    int index = sl_program_index(input, device);
    if (index < 0)
        return 0;
    pthread_mutex_lock(&input->lock);
    const struct sl_build *build = &input->builds[index];
    if (build->status == CL_BUILD_IN_PROGRESS) {
        rc = CL_INVALID_OPERATION;
    } else if (build->binary && (build->binary_type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                                 build->binary_type == CL_PROGRAM_BINARY_TYPE_LIBRARY)) {
        blob->size = build->binary_bytes;
        blob->bytes = sl_memdup(build->binary, build->binary_bytes);
        rc = blob->bytes ? 1 : CL_OUT_OF_HOST_MEMORY;
    }
    pthread_mutex_unlock(&input->lock);
    return rc;
}

/* All inputs of a device are linkable (1), none is (0), or it is an error. */
static cl_int take_device_inputs(const struct link *link, cl_device_id device,
                                 struct sl_build_blob *blobs)
{
    cl_uint found = 0;
    for (cl_uint k = 0; k < link->input_count; k++) {
        cl_int rc = copy_input(link->inputs[k], device, &blobs[k]);
        if (rc < 0)
            return sl_refuse(rc, "input %u is being built or too large", k);
        found += rc == 1;
    }
    if (found && found < link->input_count)
        return sl_refuse(CL_INVALID_OPERATION, "%u of %u inputs are compiled for a device", found,
                         link->input_count);
    return found ? 1 : 0;
}

/* Spec 5.8.3: a device without any compiled input is left out; with some, it is an error. */
static cl_int take_inputs(struct sl_build_job *job, const struct link *link)
{
    cl_uint linked = 0;
    job->inputs = sl_zalloc((size_t)job->count * link->input_count * sizeof *job->inputs);
    if (!job->inputs)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "link inputs");
    job->input_count = link->input_count;
    for (cl_uint i = 0; i < job->count; i++) {
        cl_int rc = take_device_inputs(link, job->program->devices[job->which[i]],
                                       &job->inputs[linked * link->input_count]);
        if (rc < 0)
            return rc;
        if (rc)
            job->which[linked++] = job->which[i];
    }
    job->count = linked;
    return linked ? CL_SUCCESS : sl_refuse(CL_INVALID_OPERATION, "no input is compiled");
}

/* On CL_LINK_PROGRAM_FAILURE too there is a program: it carries the log. */
static cl_int link_programs(const struct link *link, const char *options, notify_fn notify,
                            void *user_data, cl_program *out)
{
    cl_program program =
        sl_program_new(link->context, link->device_count, link->devices, SL_FROM_LINK);
    struct sl_build_job *job = program ? job_new(SL_BUILD_LINK, program, 0, NULL, options) : NULL;
    cl_int rc =
        job ? parse_options(job, SL_FOR_LINK, CL_INVALID_LINKER_OPTIONS, CL_LINK_PROGRAM_FAILURE)
            : sl_refuse(CL_OUT_OF_HOST_MEMORY, "link");
    if (!rc)
        rc = take_inputs(job, link);
    if (rc)
        sl_build_job_destroy(job);
    else
        rc = begin_and_start(job, notify, user_data);
    if (rc && rc != CL_LINK_PROGRAM_FAILURE)
        sl_discard(program);
    else
        *out = program;
    return rc;
}

cl_program sl_clLinkProgram(cl_context context, cl_uint num_devices,
                            const cl_device_id *device_list, const char *options,
                            cl_uint num_input_programs, const cl_program *input_programs,
                            notify_fn pfn_notify, void *user_data, cl_int *errcode_ret)
{
    cl_program program = NULL;
    cl_int rc = CL_SUCCESS;
    if (!sl_valid(context, &sl_context_type))
        rc = sl_refuse(CL_INVALID_CONTEXT, "not a context");
    if (!rc) {
        struct link link = {context, num_devices, device_list, num_input_programs, input_programs};
        if (!device_list) {
            link.device_count = context->device_count;
            link.devices = context->devices;
        }
        rc = check_link(&link, num_devices, device_list, pfn_notify, user_data);
        if (!rc)
            rc = link_programs(&link, options, pfn_notify, user_data, &program);
    }
    if (errcode_ret)
        *errcode_ret = rc;
    return program;
}
