/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doing a build: each device gets its code in one way or another (obtain_container.h,
 * device_compiler.h), and executables are loaded. A job belongs to one thread; no lock is held
 * here.
 */
#include "program/build/build.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/config/config.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "base/thread/clock.h"
#include "platform/device.h"
#include "program/build/build_task.h"
#include "program/build/device_compiler.h"
#include "program/build/load_code.h"
#include "program/build/obtain_container.h"

/* ---- failures -------------------------------------------------------------------------------- */

static cl_int failure_code(enum sl_build_kind kind)
{
    return kind == SL_BUILD_COMPILE ? CL_COMPILE_PROGRAM_FAILURE
           : kind == SL_BUILD_LINK  ? CL_LINK_PROGRAM_FAILURE
                                    : CL_BUILD_PROGRAM_FAILURE;
}

/* What the entry point returns for what the compiler or the pool said. */
static cl_int translate(enum sl_build_kind kind, cl_int code)
{
    switch (code) {
    case CL_SUCCESS:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_OUT_OF_RESOURCES:
        return code;
    case CL_COMPILER_NOT_AVAILABLE:
        return kind == SL_BUILD_LINK ? CL_LINKER_NOT_AVAILABLE : code;
    case CL_INVALID_BUILD_OPTIONS:
    case CL_INVALID_COMPILER_OPTIONS:
    case CL_INVALID_LINKER_OPTIONS:
        return kind == SL_BUILD_COMPILE ? CL_INVALID_COMPILER_OPTIONS
               : kind == SL_BUILD_LINK  ? CL_INVALID_LINKER_OPTIONS
                                        : CL_INVALID_BUILD_OPTIONS;
    default:
        return failure_code(kind);
    }
}

void sl_build_job_fail(struct sl_build_job *job, const char *log)
{
    for (cl_uint i = 0; i < job->count; i++)
        sl_build_fail(&job->results[i], log);
}

/* ---- one device ------------------------------------------------------------------------------ */

/* Whatever there is to compile it with, it is not for the device. */
static bool lacks_compiler(const struct sl_build_task *task)
{
    return !sl_device_runs_code(sl_build_task_device(task));
}

static cl_int run_task(struct sl_build_task *tasks, struct sl_build_task *task)
{
    const struct sl_build *own = sl_build_task_given(task);
    const struct sl_program_ops *programs = sl_device_programs(sl_build_task_device(task));
    cl_int rc;
    if (lacks_compiler(task)) {
        sl_build_fail(task->result, "the device has no compiler");
        rc = CL_COMPILER_NOT_AVAILABLE;
    } else if (sl_build_task_is_of_il(task) && !(task->caps->features & SL_FEATURE_IL)) {
        sl_build_fail(task->result, "the device takes no SPIR-V");
        rc = CL_BUILD_PROGRAM_FAILURE;
    } else if (task->job->program->origin == SL_FROM_BINARY &&
               own->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        rc = sl_build_task_accept_copy(task, own->binary, own->binary_bytes);
    else
        rc = programs ? sl_build_task_on_device(tasks, task, programs)
                      : sl_build_task_obtain(tasks, task);
    if (!rc)
        rc = sl_build_task_load(tasks, task);
    task->result->status = rc ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    if (task->job->text)
        task->result->options = sl_strdup(task->job->text);
    sl_log(rc ? SL_LOG_INFO : SL_LOG_DEBUG, "build", "%s: %s\n%s", task->caps->name,
           rc ? sl_error_name(rc) : "built", task->result->log ? task->result->log : "");
    return translate(task->job->kind, rc);
}

/* ---- the job --------------------------------------------------------------------------------- */

/* Programs see the CPU device first: who asks for a profile and gets none may have built for that
 * one. Once, as programs with a profile may come as well. */
static void tell_unprofiled(const struct sl_build_job *job)
{
    static atomic_bool told;
    const char *profile = sl_config(SL_CONFIG_FPGA_PROFILE);
    if (!profile || !*profile || job->kind == SL_BUILD_COMPILE)
        return;
    for (cl_uint i = 0; i < job->count; i++)
        if (sl_caps(job->program->devices[job->which[i]])->features & SL_FEATURE_DATAFLOW)
            return; /* who has devices of both kinds chooses when he enqueues */
    if (!atomic_exchange(&told, true))
        sl_log(SL_LOG_WARN, SL_LOG_SETTING,
               "SLUICE_FPGA_PROFILE: a program that is not built for the emulated FPGA has no "
               "profile (with SLUICE_DEVICES=fpga programs see that device alone)");
}

static void close_span(const struct sl_build_job *job, uint64_t start, cl_int rc)
{
    static const char *const names[] = {"", "build", "compile", "link"};
    char args[96];
    if (!sl_timeline_enabled())
        return;
    snprintf(args, sizeof args, "{\"devices\":%u,\"result\":\"%s\"}", job->count,
             rc ? sl_error_name(rc) : "CL_SUCCESS");
    sl_timeline_span("build", names[job->kind], start, sl_now_ns(), args);
}

cl_int sl_build_job_run(struct sl_build_job *job)
{
    uint64_t start = sl_now_ns();
    cl_int rc = CL_SUCCESS;
    struct sl_build_task *tasks = sl_zalloc(job->count * sizeof *tasks);
    if (!tasks) {
        sl_build_job_fail(job, "out of memory");
        return CL_OUT_OF_HOST_MEMORY;
    }
    tell_unprofiled(job);
    for (cl_uint i = 0; i < job->count; i++) {
        tasks[i] = (struct sl_build_task){
            .job = job, .i = i, .kind = job->kind, .result = &job->results[i]};
        tasks[i].caps = sl_caps(job->program->devices[job->which[i]]);
        cl_int one = run_task(tasks, &tasks[i]);
        if (!rc)
            rc = one;
    }
    sl_free(tasks);
    close_span(job, start, rc);
    return rc;
}

void sl_build_job_destroy(struct sl_build_job *job)
{
    if (!job)
        return;
    for (cl_uint i = 0; job->results && i < job->count; i++)
        sl_build_finish(&job->results[i]);
    for (cl_uint i = 0; job->headers && i < job->header_count; i++) {
        sl_free(job->headers[i].name);
        sl_drop(job->headers[i].program);
    }
    for (cl_uint i = 0; job->inputs && i < job->count * job->input_count; i++)
        sl_free(job->inputs[i].bytes);
    sl_free(job->constants.rows);
    sl_free(job->headers);
    sl_free(job->inputs);
    sl_free(job->results);
    sl_free(job->which);
    sl_free(job->text);
    sl_options_finish(&job->options);
    sl_drop(job->program);
    sl_free(job);
}
