/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doing a build: for each device the request is written and hashed; an equal request of an earlier
 * device or of another thread, the disk cache or the compiler process answers it; executables are
 * loaded into the device. A job belongs to one thread; no lock is held here.
 */
#include "program/build/build.h"

#include <CL/cl_ext.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "base/query/extension.h"
#include "base/query/info.h"
#include "base/thread/clock.h"
#include "platform/compiler_path.h"
#include "platform/device.h"
#include "program/build/cache.h"
#include "program/build/cache_guard.h"
#include "program/build/compiler.h"
#include "program/build/demand.h"
#include "program/build/device_build.h"
#include "program/build/flight.h"
#include "program/module.h"
#include "sluice/base/file.h"
#include "sluice/build_mode.h"

struct task { /* one device's part of a job */
    struct sl_build_job *job;
    cl_uint i;
    enum sl_build_kind kind; /* what is asked of the compiler: the job's, or less */
    bool links_library;      /* what is linked stays bitcode, whatever the options say */
    const struct sl_device_caps *caps;
    struct sl_build *result;
    struct sl_hash key;
    bool key_known;
    bool kept; /* the same request will get the same answer: others may have it */
};

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

/* The reason goes behind what the log already says. */
static void fail_result(struct sl_build *result, const char *why)
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

void sl_build_job_fail(struct sl_build_job *job, const char *log)
{
    for (cl_uint i = 0; i < job->count; i++)
        fail_result(&job->results[i], log);
}

/* ---- the request ----------------------------------------------------------------------------- */

static struct sl_build *own_build(const struct task *task)
{
    return &task->job->program->builds[task->job->which[task->i]];
}

static void add_device(struct sl_request *request, const struct sl_device_caps *caps)
{
    char *extensions = sl_extension_names(SL_EXT_OFFERED, caps->features);
    if (!extensions)
        request->failed = true;
    else
        sl_request_add_text(request, SL_CHUNK_EXTENSIONS, extensions);
    sl_free(extensions);
    sl_request_add_text(request, SL_CHUNK_TARGET, caps->target);
    sl_request_add_text(request, SL_CHUNK_CPU, caps->cpu ? caps->cpu : "");
    sl_request_add_text(request, SL_CHUNK_CPU_FEATURES,
                        caps->cpu_features ? caps->cpu_features : "");
}

static void add_sources(struct sl_request *request, const struct sl_build_job *job)
{
    const struct _cl_program *program = job->program;
    sl_request_add(request, SL_CHUNK_SOURCE, program->source, program->source_bytes);
    for (cl_uint i = 0; i < job->header_count; i++) {
        const struct sl_build_header *header = &job->headers[i];
        sl_request_add_text(request, SL_CHUNK_HEADER_NAME, header->name);
        sl_request_add(request, SL_CHUNK_HEADER_TEXT, header->program->source,
                       header->program->source_bytes);
    }
}

bool sl_build_is_of_il(const struct _cl_program *program, cl_uint device)
{
    return program->origin == SL_FROM_IL ||
           (program->origin == SL_FROM_BINARY &&
            program->builds[device].binary_type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE);
}

static bool is_of_il(const struct task *task)
{
    return sl_build_is_of_il(task->job->program, task->job->which[task->i]);
}

static void add_module(struct sl_request *request, const struct task *task)
{
    const struct sl_spec_constants *constants = &task->job->constants;
    const struct _cl_program *program = task->job->program;
    if (program->origin == SL_FROM_IL)
        sl_request_add(request, SL_CHUNK_SOURCE, program->il, program->il_bytes);
    else
        sl_request_add(request, SL_CHUNK_SOURCE, own_build(task)->binary,
                       own_build(task)->binary_bytes);
    if (constants->count)
        sl_request_add(request, SL_CHUNK_CONSTANTS, constants->rows,
                       constants->count * sizeof *constants->rows);
}

static void add_inputs(struct sl_request *request, const struct task *task)
{
    const struct sl_build_job *job = task->job;
    for (cl_uint k = 0; k < job->input_count; k++) {
        const struct sl_build_blob *input = &job->inputs[task->i * job->input_count + k];
        sl_request_add(request, SL_CHUNK_INPUT, input->bytes, input->size);
    }
    if (job->kind != SL_BUILD_LINK) /* clBuildProgram of a binary object or library */
        sl_request_add(request, SL_CHUNK_INPUT, own_build(task)->binary,
                       own_build(task)->binary_bytes);
}

/* How deep pipes are. Intel's name for it is known to designs that ran on its emulator. */
static void add_depth_mode(struct sl_request *request)
{
    char text[96];
    const char *mode = sl_config(SL_CONFIG_FPGA_DEPTH);
    if (!mode || !*mode)
        mode = sl_config(SL_CONFIG_INTEL_DEPTH);
    if (!mode || !*mode)
        return;
    snprintf(text, sizeof text, "SLUICE_FPGA_DEPTH=%s", mode);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

/* What the schedule of a design is made with. */
static void add_timing(struct sl_request *request)
{
    char text[4160];
    const char *operators = sl_config(SL_CONFIG_FPGA_OPERATORS);
    if (sl_config_bool(SL_CONFIG_FPGA_TIMING))
        sl_request_add_text(request, SL_CHUNK_SETTING, "SLUICE_FPGA_TIMING=1");
    if (!operators || !*operators)
        return;
    snprintf(text, sizeof text, "SLUICE_FPGA_OPERATORS=%s", operators);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

static void add_pass_limit(struct sl_request *request)
{
    char text[48];
    const char *limit = sl_config(SL_CONFIG_PASS_LIMIT);
    if (!limit || !*limit)
        return;
    snprintf(text, sizeof text, "SLUICE_PASS_LIMIT=%.16s", limit);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

/* Whether the code of kernels may come later. Kernels that pipes join belong together. */
static void add_build_mode(struct sl_request *request, const struct task *task)
{
    char text[48];
    const char *mode = sl_config(SL_CONFIG_BUILD);
    bool executable = task->kind != SL_BUILD_COMPILE && !task->job->options.create_library;
    bool linked = task->job->program->origin == SL_FROM_BINARY && !is_of_il(task);
    if (!executable || sl_build_mode_of(mode) == SL_MODE_WHOLE || linked ||
        task->caps->features & SL_FEATURE_DATAFLOW)
        return;
    snprintf(text, sizeof text, "SLUICE_BUILD=%s", mode);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

/* All that decides what comes back; settings that only watch are added after hashing. */
static void compose(struct sl_request *request, const struct task *task)
{
    const struct sl_build_job *job = task->job;
    bool from_source = job->program->origin == SL_FROM_SOURCE, from_il = is_of_il(task);
    sl_request_begin(request, from_source || from_il ? task->kind : SL_BUILD_LINK);
    for (uint32_t i = 0; i < job->options.count; i++)
        sl_request_add_text(request, SL_CHUNK_OPTION, job->options.tokens[i]);
    if (task->links_library && !job->options.create_library)
        sl_request_add_text(request, SL_CHUNK_OPTION, "-create-library");
    add_device(request, task->caps);
    if (from_source)
        add_sources(request, job);
    else if (from_il)
        add_module(request, task);
    else
        add_inputs(request, task);
    add_depth_mode(request);
    add_timing(request);
    add_pass_limit(request);
    add_build_mode(request, task);
}

/* The compiler process may have another working folder than the application has by now. */
static void add_dump_folder(struct sl_request *request)
{
    char text[PATH_MAX + 16] = "SLUICE_DUMP=";
    const char *path = sl_config(SL_CONFIG_DUMP), *why;
    if (!path || !*path)
        return;
    int folder = sl_own_folder_open(path, &why);
    if (folder >= 0 && realpath(path, text + strlen(text)))
        sl_request_add_text(request, SL_CHUNK_SETTING, text);
    else
        sl_log(SL_LOG_ERROR, SL_LOG_SETTING, "SLUICE_DUMP=%s: %s", path,
               folder < 0 ? why : strerror(errno));
    if (folder >= 0)
        close(folder);
}

static bool wants_remarks(void)
{
    return sl_log_enabled(SL_LOG_DEBUG, "vectorize");
}

static void add_settings(struct sl_request *request)
{
    char text[4200];
    const char *log = sl_config(SL_CONFIG_LOG);
    add_dump_folder(request);
    if (wants_remarks())
        sl_request_add_text(request, SL_CHUNK_SETTING, "SLUICE_REMARKS=1");
    if (sl_config_bool(SL_CONFIG_CHECK_PASSES))
        sl_request_add_text(request, SL_CHUNK_SETTING, "SLUICE_CHECK_PASSES=1");
    if (!log)
        return;
    snprintf(text, sizeof text, "SLUICE_LOG=%s", log);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

bool sl_build_key(const struct sl_request *request, struct sl_hash *key)
{
    static const uint32_t formats[] = {SL_BUILD_ABI, SL_MODULE_ABI, SL_BINARY_VERSION,
                                       SL_CACHE_VERSION};
    struct sl_hash compiler;
    struct sl_hasher hasher;
    if (request->failed || !sl_compiler_identity(&compiler))
        return false;
    sl_hasher_init(&hasher);
    sl_hasher_add(&hasher, formats, sizeof formats);
    sl_hasher_add(&hasher, &compiler, sizeof compiler);
    sl_hasher_add(&hasher, request->bytes, request->size);
    *key = sl_hasher_finish(&hasher);
    return true;
}

/* ---- results --------------------------------------------------------------------------------- */

/* A build makes an executable, a compilation an object, a link an executable or a library. */
static bool expected_kind(const struct task *task, cl_program_binary_type type)
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
static cl_int accept(struct task *task, unsigned char *container, size_t bytes)
{
    struct sl_module_view view;
    struct sl_build *result = task->result;
    const char *why = NULL;
    size_t shell = sl_module_split(container, bytes);
    cl_int rc = sl_module_check(container, shell, task->caps->target, &view, &why);
    if (!rc && !expected_kind(task, sl_module_type(&view))) {
        rc = CL_INVALID_BINARY;
        why = "the compiler sent code of another kind than was asked for";
    }
    if (rc) {
        sl_free(container);
        fail_result(result, why);
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

static cl_int accept_copy(struct task *task, const unsigned char *container, size_t bytes)
{
    unsigned char *copy = sl_memdup(container, bytes);
    if (copy)
        return accept(task, copy, bytes);
    fail_result(task->result, "out of memory");
    return CL_OUT_OF_HOST_MEMORY;
}

static bool append_text(char **text, size_t *length, const void *data, size_t bytes, char end)
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

struct answer {               /* what a reply's chunks say */
    char *log, *dependencies; /* owned */
    size_t log_bytes, dependencies_bytes;
    const unsigned char *container; /* in the reply */
    size_t container_bytes;
    bool complete; /* false: memory was out */
};

static void log_times(const char *text, size_t bytes)
{
    sl_log(SL_LOG_DEBUG, "build", "compiler times:\n%.*s", (int)bytes, text);
}

static void log_remarks(const char *text, size_t bytes)
{
    for (const char *end; bytes && (end = memchr(text, '\n', bytes)); text = end + 1) {
        sl_log(SL_LOG_DEBUG, "vectorize", "%.*s", (int)(end - text), text);
        bytes -= (size_t)(end - text) + 1;
    }
}

static void read_chunk(struct answer *answer, const struct sl_reply_chunk *chunk)
{
    switch (chunk->tag) {
    case SL_CHUNK_LOG:
        answer->complete &=
            append_text(&answer->log, &answer->log_bytes, chunk->data, chunk->bytes, 0);
        break;
    case SL_CHUNK_DEPENDENCY:
        answer->complete &= append_text(&answer->dependencies, &answer->dependencies_bytes,
                                        chunk->data, chunk->bytes, '\n');
        break;
    case SL_CHUNK_BINARY:
        answer->container = chunk->data;
        answer->container_bytes = chunk->bytes;
        break;
    case SL_CHUNK_TIMES:
        log_times((const char *)chunk->data, chunk->bytes);
        break;
    case SL_CHUNK_REMARKS:
        log_remarks((const char *)chunk->data, chunk->bytes);
        break;
    default:
        break;
    }
}

static struct answer read_reply(const struct sl_reply *reply)
{
    struct answer answer = {.complete = true};
    struct sl_reply_chunk chunk;
    size_t at = 0;
    while (sl_reply_next(reply, &at, &chunk))
        read_chunk(&answer, &chunk);
    return answer;
}

static bool cacheable(const struct task *task)
{
    return task->key_known && sl_cache_enabled() && !sl_config(SL_CONFIG_DUMP);
}

static bool program_varies(const struct _cl_program *program)
{
    return program->source && sl_guard_varies(program->source, program->source_bytes);
}

/* The same request would get the same code tomorrow, as far as the dependency lines can tell. */
static bool keeps(const struct task *task, struct answer *answer)
{
    const struct sl_build_job *job = task->job;
    bool varies = program_varies(job->program);
    for (cl_uint i = 0; i < job->header_count; i++)
        varies |= program_varies(job->headers[i].program);
    for (uint32_t i = 0; i < job->options.count; i++)
        varies |= sl_guard_varies(job->options.tokens[i], strlen(job->options.tokens[i]));
    return !varies && sl_guard_dependencies(&answer->dependencies, &answer->dependencies_bytes,
                                            job->options.tokens, job->options.count);
}

/* The reply's status is success. */
static cl_int take_container(struct task *task, struct answer *answer)
{
    if (!answer->container) {
        fail_result(task->result, "the compiler sent no code");
        return CL_BUILD_PROGRAM_FAILURE;
    }
    cl_int rc = accept_copy(task, answer->container, answer->container_bytes);
    task->kept = !rc && cacheable(task) && keeps(task, answer);
    if (task->kept)
        sl_cache_store(task->key, answer->dependencies, answer->dependencies_bytes,
                       answer->container, answer->container_bytes);
    return rc;
}

static cl_int take_reply(struct task *task, const struct sl_reply *reply)
{
    char why[128];
    struct answer answer = read_reply(reply);
    cl_int rc = answer.complete ? reply->status : CL_OUT_OF_HOST_MEMORY;
    task->result->log = answer.log;
    if (!rc) {
        rc = take_container(task, &answer);
    } else {
        snprintf(why, sizeof why, "the compiler failed without a message (%s)", sl_error_name(rc));
        fail_result(task->result, answer.log_bytes ? "" : why);
    }
    sl_free(answer.dependencies);
    return rc;
}

/* ---- one device ------------------------------------------------------------------------------ */

static const struct task *find_equal(const struct task *tasks, const struct task *task)
{
    for (const struct task *other = tasks; other < task; other++)
        if (other->key_known && task->key_known && sl_hash_equal(other->key, task->key))
            return other;
    return NULL;
}

static cl_int copy_result(struct task *task, const struct sl_build *from)
{
    if (from->log)
        task->result->log = sl_strdup(from->log);
    if (from->binary)
        return accept_copy(task, from->binary, from->binary_bytes);
    fail_result(task->result, "");
    return CL_BUILD_PROGRAM_FAILURE;
}

static cl_int ask_compiler(struct task *task, struct sl_request *request)
{
    char why[SL_COMPILER_WHY];
    struct sl_reply reply;
    add_settings(request);
    cl_int rc = sl_compiler_run(request, &reply, why);
    if (rc) {
        fail_result(task->result, why);
        return rc;
    }
    rc = take_reply(task, &reply);
    sl_reply_finish(&reply);
    return rc;
}

static bool from_cache(struct task *task)
{
    unsigned char *container;
    size_t bytes;
    task->kept = cacheable(task) && sl_cache_load(task->key, &container, &bytes) &&
                 !accept(task, container, bytes);
    return task->kept;
}

static cl_int look_or_ask(struct task *task, struct sl_request *request)
{
    if (from_cache(task))
        return CL_SUCCESS;
    sl_build_finish(task->result); /* what an unusable entry left */
    return ask_compiler(task, request);
}

static bool from_other_thread(struct task *task, struct sl_flight *flight)
{
    size_t bytes;
    unsigned char *container = sl_flight_wait(flight, &bytes);
    if (!container)
        return false;
    if (!accept(task, container, bytes))
        return true;
    sl_build_finish(task->result);
    return false;
}

/* Of several threads that want the same at the same time, one gets it for all. */
static cl_int get_once(struct task *task, struct sl_request *request)
{
    bool pilot = false;
    struct sl_flight *flight = cacheable(task) ? sl_flight_board(task->key, &pilot) : NULL;
    if (flight && !pilot && from_other_thread(task, flight))
        return CL_SUCCESS;
    cl_int rc = look_or_ask(task, request);
    if (flight && pilot)
        sl_flight_land(flight, task->kept ? task->result->binary : NULL,
                       task->result->binary_bytes);
    return rc;
}

/* A container for the device: from an equal device, the cache, or the compiler. */
static cl_int produce(struct task *tasks, struct task *task)
{
    struct sl_request request = {0};
    compose(&request, task);
    task->key_known = sl_build_key(&request, &task->key);
    const struct task *equal = find_equal(tasks, task);
    cl_int rc = CL_SUCCESS;
    if (equal)
        rc = copy_result(task, equal->result);
    else
        rc = get_once(task, &request);
    sl_request_finish(&request);
    return rc;
}

/* Devices that share an implementation (sub-devices) share the loaded code. */
static struct sl_code_ref *loaded_before(const struct task *tasks, const struct task *task,
                                         const struct sl_device *device)
{
    const struct task *equal = find_equal(tasks, task);
    struct sl_code_ref *code = equal ? equal->result->code : NULL;
    return code && code->device == device ? sl_code_hold(code) : NULL;
}

/* What only the device knows belongs to the build's messages too. */
static void add_warnings(struct sl_build *result)
{
    const struct sl_device_ops *ops = result->code->device->ops;
    char *text = NULL, *log;
    if (!ops->code_report || ops->code_report(result->code->code, SL_REPORT_WARNINGS, &text))
        return;
    size_t before = result->log ? strlen(result->log) : 0;
    if (*text && (log = sl_alloc(before + strlen(text) + 1))) {
        memcpy(log, result->log ? result->log : "", before);
        strcpy(log + before, text);
        sl_free(result->log);
        result->log = log;
    }
    free(text);
}

/* Somebody needed all of the program before. */
static void take_whole(const struct task *task)
{
    struct sl_build *result = task->result;
    unsigned char *whole;
    size_t bytes;
    if (!cacheable(task) || sl_build_mode_of(sl_config(SL_CONFIG_BUILD)) == SL_MODE_QUICK ||
        !sl_demand_find_whole(task->caps, result->binary + result->shell_bytes,
                              result->binary_bytes - result->shell_bytes, &whole, &bytes))
        return;
    sl_free(result->binary);
    result->binary = whole;
    result->binary_bytes = bytes;
    result->shell_bytes = 0;
}

static cl_int load_binary(const struct task *task, struct sl_device *device, const char **why)
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

static cl_int load_result(const struct task *tasks, struct task *task)
{
    struct sl_build *result = task->result;
    struct sl_device *device = task->job->program->devices[task->job->which[task->i]]->root->impl;
    const char *why = "";
    if (result->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return CL_SUCCESS;
    result->code = loaded_before(tasks, task, device);
    if (result->code)
        return CL_SUCCESS;
    if (result->shell_bytes)
        take_whole(task);
    cl_int rc = load_binary(task, device, &why);
    if (!rc)
        add_warnings(result);
    else
        fail_result(result, why);
    return rc;
}

static struct sl_device *device_of(const struct task *task)
{
    return task->job->program->devices[task->job->which[task->i]]->root->impl;
}

/* Whatever there is to compile it with, it is not for the device. */
static bool lacks_compiler(const struct task *task)
{
    return !task->caps->target;
}

/* ---- devices that make code themselves ------------------------------------------------------- */

#define MOST_PARTS 1024u

struct own_parts {
    struct sl_program_part *rows; /* owned */
    uint32_t count;
};

static void add_part(struct own_parts *parts, enum sl_program_form form, const void *bytes,
                     size_t size, const char *name)
{
    parts->rows[parts->count++] = (struct sl_program_part){form, bytes, size, name};
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
static bool parts_as_given(const struct task *task, uint32_t forms, struct own_parts *parts)
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
    if (is_of_il(task)) {
        bool il = program->origin == SL_FROM_IL;
        const struct sl_build *own = own_build(task);
        add_part(parts, SL_PROGRAM_SPIRV, il ? program->il : own->binary,
                 il ? program->il_bytes : own->binary_bytes, NULL);
        return forms & SL_PROGRAM_SPIRV;
    }
    for (cl_uint k = 0; k < job->input_count && fits; k++) {
        const struct sl_build_blob *input = &job->inputs[task->i * job->input_count + k];
        fits = add_container(parts, input->bytes, input->size);
    }
    if (job->kind != SL_BUILD_LINK)
        fits = fits && add_container(parts, own_build(task)->binary, own_build(task)->binary_bytes);
    for (uint32_t k = 0; k < parts->count && fits; k++) /* bitcode of several is linked by us */
        fits = parts->rows[k].form == SL_PROGRAM_OWN;
    return fits;
}

static enum sl_program_kind own_kind(const struct task *task)
{
    if (task->job->kind == SL_BUILD_COMPILE)
        return SL_PROGRAM_COMPILE;
    if (task->job->kind != SL_BUILD_LINK)
        return SL_PROGRAM_BUILD;
    return task->job->options.create_library ? SL_PROGRAM_LINK_LIBRARY : SL_PROGRAM_LINK;
}

/* The parts become code of the device; `own`: what made them is taken into the log as well. */
static cl_int make_own(struct task *task, const struct sl_program_ops *own,
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
    cl_int rc = sl_device_build(device_of(task), own, &request, &container, &bytes, &log);
    if (log)
        append_text(&task->result->log, &said, log, strlen(log), 0);
    sl_free(log);
    sl_free(constants);
    if (rc) {
        fail_result(task->result, log ? "" : "the device's compiler failed without a message");
        return rc;
    }
    sl_free(task->result->binary);
    task->result->binary = NULL;
    return accept(task, container, bytes);
}

/* Through our front end: an object or a library of bitcode, which the device goes on with. */
static cl_int make_of_ir(struct task *tasks, struct task *task, const struct sl_program_ops *own)
{
    struct sl_program_part row;
    struct own_parts parts = {.rows = &row};
    bool links = task->job->program->origin != SL_FROM_SOURCE && !is_of_il(task);
    if (!(own->forms & SL_PROGRAM_IR)) {
        fail_result(task->result, is_of_il(task) ? "the device takes no SPIR-V"
                                                 : "the device takes no programs of this form");
        return task->job->program->origin == SL_FROM_SOURCE ? CL_COMPILER_NOT_AVAILABLE
                                                            : CL_BUILD_PROGRAM_FAILURE;
    }
    task->kind = links ? SL_BUILD_LINK : SL_BUILD_COMPILE;
    task->links_library = links;
    cl_int rc = produce(tasks, task);
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

static cl_int build_on_device(struct task *tasks, struct task *task,
                              const struct sl_program_ops *own)
{
    const struct sl_build_job *job = task->job;
    struct own_parts parts = {0};
    size_t most = (size_t)job->header_count + job->input_count + 2;
    parts.rows = most <= MOST_PARTS ? sl_zalloc(most * sizeof *parts.rows) : NULL;
    if (!parts.rows) {
        fail_result(task->result, "out of memory");
        return CL_OUT_OF_HOST_MEMORY;
    }
    cl_int rc = parts_as_given(task, own->forms, &parts) ? make_own(task, own, &parts)
                                                         : make_of_ir(tasks, task, own);
    sl_free(parts.rows);
    return rc;
}

static cl_int run_task(struct task *tasks, struct task *task)
{
    const struct sl_build *own = own_build(task);
    const struct sl_program_ops *programs = sl_device_programs(device_of(task));
    cl_int rc;
    if (lacks_compiler(task)) {
        fail_result(task->result, "the device has no compiler");
        rc = CL_COMPILER_NOT_AVAILABLE;
    } else if (is_of_il(task) && !(task->caps->features & SL_FEATURE_IL)) {
        fail_result(task->result, "the device takes no SPIR-V");
        rc = CL_BUILD_PROGRAM_FAILURE;
    } else if (task->job->program->origin == SL_FROM_BINARY &&
               own->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        rc = accept_copy(task, own->binary, own->binary_bytes);
    else
        rc = programs ? build_on_device(tasks, task, programs) : produce(tasks, task);
    if (!rc)
        rc = load_result(tasks, task);
    task->result->status = rc ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    if (task->job->text)
        task->result->options = sl_strdup(task->job->text);
    sl_log(rc ? SL_LOG_INFO : SL_LOG_DEBUG, "build", "%s: %s\n%s", task->caps->name,
           rc ? sl_error_name(rc) : "built", task->result->log ? task->result->log : "");
    return translate(task->job->kind, rc);
}

/* ---- the job --------------------------------------------------------------------------------- */

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
    struct task *tasks = sl_zalloc(job->count * sizeof *tasks);
    if (!tasks) {
        sl_build_job_fail(job, "out of memory");
        return CL_OUT_OF_HOST_MEMORY;
    }
    for (cl_uint i = 0; i < job->count; i++) {
        tasks[i] = (struct task){.job = job, .i = i, .kind = job->kind, .result = &job->results[i]};
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
