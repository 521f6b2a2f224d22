/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of bad calls and what their arguments are made of. One thread; no lock. */
#include "errors.h"

#include "programs/il_modules.h"

#include <stdint.h>
#include <string.h>

static _Alignas(64) unsigned char word[1024];
static cl_bool blocks = CL_TRUE;
static cl_device_id device;
static cl_uint count;
static cl_ulong stamp;
static size_t pitch, local[3];
static cl_event event;
static cl_kernel kernels[4];
static cl_platform_id platform;
static cl_image_format formats[4];
static const char *text = "kernel void k(void) {}\n";
static const unsigned char rubbish[64] = {1, 2, 3};
static const size_t nothing, none3[3], one3[3] = {1, 1, 1}, one_up[3] = {1, 1, 0},
                                       four4[4] = {4, 4, 4, 4};
static const unsigned char *no_binaries[1];
static const void *places[1] = {word};
static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8}, bad_format = {CL_RGBA, 0x7777},
                             unsupported = {CL_RGB, CL_UNORM_SHORT_565};
static const cl_device_partition_property_ext
    equally_1_ext[] = {CL_DEVICE_PARTITION_EQUALLY_EXT, 1, 0},
    counts_many_ext[] = {CL_DEVICE_PARTITION_BY_COUNTS_EXT, 1 << 20, 0, 0},
    by_name_ext[] = {CL_DEVICE_PARTITION_BY_NAMES_EXT, 0, CL_PARTITION_BY_NAMES_LIST_END_EXT, 0};
static const cl_device_partition_property equally_1[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0},
                                          equally_many[] = {CL_DEVICE_PARTITION_EQUALLY, 1 << 20,
                                                            0},
                                          counts_many[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1 << 20,
                                                           CL_DEVICE_PARTITION_BY_COUNTS_LIST_END,
                                                           0},
                                          no_partition[] = {0x7777, 1, 0};
static const cl_device_partition_property *all_in_one(void)
{
    static cl_device_partition_property list[] = {CL_DEVICE_PARTITION_EQUALLY, 0, 0};
    list[1] = device_uint(CL_DEVICE_MAX_COMPUTE_UNITS);
    return list;
}

static const cl_device_partition_property_ext *all_in_one_ext(void)
{
    static cl_device_partition_property_ext list[] = {CL_DEVICE_PARTITION_EQUALLY_EXT, 0, 0};
    list[1] = device_uint(CL_DEVICE_MAX_COMPUTE_UNITS);
    return list;
}

static const cl_device_partition_property *counts_too_long(void)
{
    static cl_device_partition_property list[4098] = {CL_DEVICE_PARTITION_BY_COUNTS};
    for (size_t i = 1; i < LEN(list) - 2; i++)
        list[i] = 1;
    return list;
}
static const cl_context_properties null_platform[] = {CL_CONTEXT_PLATFORM, 0, 0},
                                   no_property[] = {0x7777, 1, 0};
static const cl_queue_properties queue_unknown[] = {0x7777, 1, 0},
                                 queue_bits[] = {CL_QUEUE_PROPERTIES, 1u << 20, 0},
                                 queue_on_device[] = {CL_QUEUE_PROPERTIES,
                                                      CL_QUEUE_ON_DEVICE |
                                                          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                      0};
static const cl_mem_properties mem_unknown[] = {0x7777, 1, 0},
                               mem_twice[] = {CL_MEM_CHANNEL_INTEL, 1, CL_MEM_CHANNEL_INTEL, 1, 0},
                               mem_nowhere[] = {CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, 1u << 31, 0};
static const cl_pipe_properties pipe_properties[] = {0x7777, 1, 0};
static const cl_sampler_properties sampler_unknown[] = {0x7777, 1, 0},
                                   sampler_value[] = {CL_SAMPLER_FILTER_MODE, 0x7777, 0},
                                   sampler_twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
                                                      CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};

static const cl_context_properties *with_platform(cl_context_properties more)
{
    static cl_context_properties list[5];
    list[0] = CL_CONTEXT_PLATFORM;
    list[1] = (cl_context_properties)cl.platform;
    list[2] = more;
    list[3] = more;
    return list;
}

static const cl_context_properties *same_twice(void)
{
    static cl_context_properties list[5];
    list[0] = list[2] = CL_CONTEXT_PLATFORM;
    list[1] = list[3] = (cl_context_properties)cl.platform;
    return list;
}

static const size_t *sizes(size_t x, size_t y, size_t z)
{
    static size_t ring[4][3];
    static unsigned at;
    size_t *to = ring[at++ % 4];
    to[0] = x;
    to[1] = y;
    to[2] = z;
    return to;
}

static const cl_buffer_region *region(size_t origin, size_t size)
{
    static cl_buffer_region one;
    one = (cl_buffer_region){origin, size};
    return &one;
}

static const cl_image_desc *flat(size_t width, size_t height)
{
    static cl_image_desc desc;
    desc = (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
    return &desc;
}

static const cl_image_desc *typed(cl_mem_object_type type)
{
    static cl_image_desc desc;
    desc = (cl_image_desc){.image_type = type, .image_width = 8, .image_height = 8};
    return &desc;
}

static const cl_image_desc *over_buffer(void)
{
    static cl_image_desc desc;
    desc = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8};
    desc.mem_object = bed.buffer;
    return &desc;
}

static const unsigned char **binaries(void)
{
    static const unsigned char *list[1];
    list[0] = bed.binary;
    return list;
}

static void CL_CALLBACK on_context(cl_context context, void *arg)
{
    (void)context, (void)arg;
}
static void CL_CALLBACK on_mem(cl_mem mem, void *arg)
{
    (void)mem, (void)arg;
}
static void CL_CALLBACK on_program(cl_program program, void *arg)
{
    (void)program, (void)arg;
}
static void CL_CALLBACK on_event(cl_event of, cl_int status, void *arg)
{
    (void)of, (void)status, (void)arg;
}
static void CL_CALLBACK on_native(void *arg)
{
    (void)arg;
}

static int device_queues(void)
{
    cl_command_queue_properties on = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof on, &on, NULL);
    return on != 0;
}

/* Calls that only mean something where devices take SPIR-V. */
#define I(call) (bed.il ? (call) : ERRORS_ABSENT)

static const uint32_t *changed_il(size_t word_index, uint32_t value)
{
    static uint32_t words[512];
    REQUIRE(il_constants.bytes <= sizeof words);
    memcpy(words, il_constants.words, il_constants.bytes);
    words[word_index] = value;
    return words;
}

static int has_pipes(void)
{
    cl_bool yes = CL_FALSE;
    clGetDeviceInfo(cl.device, CL_DEVICE_PIPE_SUPPORT, sizeof yes, &yes, NULL);
    return yes != 0;
}

static int sub_groups(void)
{
    cl_uint most = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL);
    return most != 0;
}

static int native(void)
{
    cl_device_exec_capabilities can = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL);
    return (can & CL_EXEC_NATIVE_KERNEL) != 0;
}

/* The code of a call that makes something; one that fails and makes something has no code. */
static cl_int made(const void *result)
{
    return check_err && result ? 1 : check_err;
}
static const cl_semaphore_properties_khr semaphore_binary[] = {CL_SEMAPHORE_TYPE_KHR,
                                                               CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
static const cl_semaphore_properties_khr semaphore_unknown[] = {
    CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0x7777, 1, 0};
static const cl_semaphore_properties_khr semaphore_nowhere[] = {
    CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
    CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR, 0};
static const cl_semaphore_properties_khr semaphore_both_ways[] = {
    CL_SEMAPHORE_TYPE_KHR,
    CL_SEMAPHORE_TYPE_BINARY_KHR,
    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
    0,
    CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
    CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR,
    0};
static const cl_mem_properties external_nowhere[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 0,
                                                     CL_MEM_DEVICE_HANDLE_LIST_KHR,
                                                     CL_MEM_DEVICE_HANDLE_LIST_END_KHR, 0};
#define M(call) made((check_err = 12345, (const void *)(call)))

/* Calls of cl_intel_unified_shared_memory; pairs of its properties. */
#define U(call) (bed.usm_at ? (call) : ERRORS_ABSENT)
#define E(call) (bed.exportable ? (call) : ERRORS_ABSENT)
#define X(call) (bed.external ? (call) : ERRORS_ABSENT)
#define MATRIX(call) (bed.matrix_info ? (call) : ERRORS_ABSENT)
#define S(call) (bed.semaphore ? (call) : ERRORS_ABSENT)
#define WITH(...) ((const cl_mem_properties_intel[]){__VA_ARGS__, 0})
static const cl_mem_properties_intel flags = CL_MEM_ALLOC_FLAGS_INTEL,
                                     on_device = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
                                     on_host = CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
                                     no_flag = 1 << 3, no_region = 32;

/* Calls of cl_khr_unified_svm; pairs of its properties. */
#define SV(call) (bed.usvm_at ? (call) : ERRORS_ABSENT)
#define SV_MAKE(properties, type, size) SV(M(usvm.alloc(cl.context, properties, type, size, ERR)))
#define SV_SUGGEST(properties) SV(usvm.suggest(cl.context, 0, 0, properties, 64, &count))
static const cl_svm_alloc_properties_khr svm_device = CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                         svm_access = CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
                                         svm_align = CL_SVM_ALLOC_ALIGNMENT_KHR;

static cl_svm_alloc_properties_khr handle(const void *object)
{
    return (cl_svm_alloc_properties_khr)object;
}

static cl_uint svm_type_count(void)
{
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    return (cl_uint)usvm_types(types);
}

static cl_uint device_type(void)
{
    return usvm_type(CL_SVM_TYPE_MACRO_DEVICE_KHR);
}

static cl_int free_svm_twice(void)
{
    void *at = usvm_alloc(0, 64);
    usvm_release(at);
    return usvm.free(cl.context, NULL, 0, at);
}

static size_t too_many_bytes(void)
{
    return device_size(CL_DEVICE_MAX_MEM_ALLOC_SIZE) + 1;
}

static cl_int free_twice(clMemFreeINTEL_fn again)
{
    void *at = usm.alloc_host(cl.context, NULL, 64, 0, NULL);
    REQUIRE(at);
    CHECK_OK(usm.free(cl.context, at));
    return again(cl.context, at);
}

/* Calls of cl_sluice_native_command. */
#define N(queue, function, count, mems, access, n, w)                                              \
    (bed.native_command                                                                            \
         ? bed.native_command(queue, function, NULL, NULL, count, mems, access, n, w, NULL)        \
         : ERRORS_ABSENT)
static const cl_mem_flags any_access = CL_MEM_READ_WRITE,
                          bad_access = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;

static cl_int CL_CALLBACK no_work(const sluice_interop_handle *handle, void *data)
{
    (void)handle, (void)data;
    return CL_SUCCESS;
}

/* A native command that nobody's completion is waited for. */
static cl_int complete_with(cl_int status)
{
    cl_event command;
    if (!bed.native_command)
        return ERRORS_ABSENT;
    REQUIRE_OK(bed.native_command(cl.queue, no_work, NULL, NULL, 0, NULL, NULL, 0, NULL, &command));
    cl_int rc = bed.complete_native(command, status);
    CHECK_OK(clWaitForEvents(1, &command));
    RELEASE_EVENT(command);
    return rc;
}

/* Calls of cl_intel_global_variable_access. */
#define V(call) (bed.variables ? (call) : ERRORS_ABSENT)
static void *place;
static cl_ulong number;

static cl_int onto_itself(int write)
{
    REQUIRE_OK(bed.variable_address(cl.device, bed.variables, "v", NULL, &place));
    char *at = (char *)place + 2;
    return write
               ? bed.write_variable(cl.queue, bed.variables, "v", CL_TRUE, 4, 0, at, 0, NULL, NULL)
               : bed.read_variable(cl.queue, bed.variables, "v", CL_TRUE, 4, 0, at, 0, NULL, NULL);
}

/* Where NULL means a choice of the library's. */
#define strange_only(h, call) ((h) ? (call) : ERRORS_ABSENT)

static cl_int compile_of_binary(void)
{
    cl_int rc;
    cl_program program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bed.binary_bytes,
                                                   binaries(), NULL, &rc);
    REQUIRE_OK(rc);
    rc = clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL);
    RELEASE_PROGRAM(program);
    return rc;
}

/* A link that fails may give the program with the log. */
static cl_int failed_link(void)
{
    cl_int rc;
    cl_program program = clLinkProgram(cl.context, 0, NULL, "", 1, &bed.object, NULL, NULL, &rc);
    if (program)
        RELEASE_PROGRAM(program);
    return rc;
}

static cl_int unmap_waiting(cl_uint n, const cl_event *w)
{
    cl_int rc;
    void *at =
        clEnqueueMapBuffer(cl.queue, bed.buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_int answer = clEnqueueUnmapMemObject(cl.queue, bed.buffer, at, n, w, NULL);
    if (answer)
        CHECK_OK(clEnqueueUnmapMemObject(cl.queue, bed.buffer, at, 0, NULL, NULL));
    return answer;
}

static cl_int write_till_full(void)
{
    cl_int rc = 0;
    for (int i = 0; i < 1000 && !rc; i++)
        rc = bed.write_pipe(bed.pipe_in, word);
    return rc;
}

/* Calls of cl_khr_command_buffer. */
#define R(call) (bed.recording ? (call) : ERRORS_ABSENT)
/* And of cl_khr_command_buffer_multi_device. */
#define P(call) (bed.pair ? (call) : ERRORS_ABSENT)
static const cl_properties
    record_unknown[] = {0x7777, 1, 0},
    record_bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 30, 0},
    record_twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0},
    record_asserts[] = {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 1 << 30, 0},
    record_bad_fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 30, 0},
    record_fields_twice[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1,
                             CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1, 0},
    record_arguments[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                          CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0},
    record_same_groups[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                            CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
static cl_mutable_command_khr record_handle, record_handles[2];
static const cl_command_buffer_update_type_khr dispatch_type =
                                                   CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE,
                                               no_type = 0x7777;
static const cl_mutable_dispatch_arg_khr record_argument = {4, 4, word};
static const cl_mutable_dispatch_exec_info_khr record_info = {0x7777, 4, word};

static const cl_mutable_dispatch_arg_khr *record_arg(cl_uint index, size_t size, const void *value)
{
    static cl_mutable_dispatch_arg_khr one;
    one = (cl_mutable_dispatch_arg_khr){index, size, value};
    return &one;
}

static const void **record_configs(void)
{
    static cl_mutable_dispatch_config_sluice config;
    static const void *list[] = {&config};
    config.command = bed.command;
    return list;
}

static cl_int update_with(cl_mutable_dispatch_config_sluice config)
{
    return cb_update(bed.mutable, &config);
}

/* One argument is new, and the memory of another, which stays, has been released. */
static cl_int update_behind_release(void)
{
    cl_mem lost = new_buffer(0, 64, NULL);
    set_arg(bed.kernel, 0, sizeof lost, &lost);
    cl_command_buffer_khr buffer = cb_new(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    const cl_mutable_dispatch_config_sluice config = {
        .command = cb_mutable(buffer, bed.kernel, 4), .num_args = 1, .arg_list = &record_argument};
    cb_finalize(buffer);
    set_arg(bed.kernel, 0, sizeof bed.buffer, &bed.buffer);
    RELEASE_MEM(lost);
    cl_int rc = cb_update(buffer, &config);
    cb_release(buffer);
    return rc;
}

/* On a queue of another device of the context. */
static cl_int enqueue_elsewhere(void)
{
    cl_int rc;
    if (!bed.both)
        return ERRORS_ABSENT;
    cl_command_queue queue = clCreateCommandQueue(bed.both, bed.other, 0, &rc);
    REQUIRE_OK(rc);
    cl_command_buffer_khr buffer = cb_new(bed.both_queue, 0);
    cb_finalize(buffer);
    rc = cb.enqueue(1, &queue, buffer, 0, NULL, NULL);
    cb_release(buffer);
    RELEASE_QUEUE(queue);
    return rc;
}

static cl_int record_elsewhere(void)
{
    if (!bed.both)
        return ERRORS_ABSENT;
    cl_command_buffer_khr buffer = cb_new(bed.both_queue, 0);
    cl_int rc =
        cb.launch(buffer, NULL, NULL, bed.elsewhere, 1, NULL, four4, NULL, 0, NULL, NULL, NULL);
    cb_release(buffer);
    return rc;
}

#define JOIN(a, b, line) a##b##line
#define NAME(a, b, line) JOIN(a, b, line)
#define ROW NAME(PART, _row_, __LINE__)

#define SL_BAD(entry, code, expression)                                                            \
    static cl_int ROW(void)                                                                        \
    {                                                                                              \
        return expression;                                                                         \
    }
#define SL_HANDLE(entry, code, expression)                                                         \
    static cl_int ROW(void *h)                                                                     \
    {                                                                                              \
        return expression;                                                                         \
    }
#define SL_QUERY(entry, good, expression)                                                          \
    static cl_int ROW(cl_uint q, size_t s, void *p)                                                \
    {                                                                                              \
        return expression;                                                                         \
    }
#define SL_WAITS(entry, expression)                                                                \
    static cl_int ROW(cl_uint n, const cl_event *w)                                                \
    {                                                                                              \
        return expression;                                                                         \
    }
#define SL_WAITS_BLOCKING SL_WAITS
#define SL_POINTS(entry, expression)                                                               \
    static cl_int ROW(cl_uint n, const cl_sync_point_khr *w)                                       \
    {                                                                                              \
        return expression;                                                                         \
    }
#define SL_UNPROVOKED(entry, code, reason)
#define PART object
#include "errors_object.def"
#undef PART
#define PART program
#include "errors_program.def"
#undef PART
#define PART command
#include "errors_command.def"
#undef PART
#define PART later
#include "errors_later.def"
#undef PART
#define PART record
#include "errors_record.def"
#undef PART
#undef SL_BAD
#undef SL_HANDLE
#undef SL_QUERY
#undef SL_WAITS
#undef SL_WAITS_BLOCKING
#undef SL_POINTS
#undef SL_UNPROVOKED

#define SL_BAD(entry, code, expression) {#entry, BAD, code, 0, {.call = ROW}, #expression},
#define SL_HANDLE(entry, code, expression) {#entry, HANDLE, code, 0, {.handle = ROW}, #expression},
#define SL_QUERY(entry, good, expression)                                                          \
    {#entry, QUERY, CL_INVALID_VALUE, good, {.query = ROW}, #expression},
#define SL_WAITS(entry, expression) {#entry, WAITS, 0, 0, {.waits = ROW}, #expression},
#define SL_WAITS_BLOCKING(entry, expression)                                                       \
    {#entry, WAITS_BLOCKING, 0, 0, {.waits = ROW}, #expression},
#define SL_POINTS(entry, expression)                                                               \
    {#entry, POINTS, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, 0, {.points = ROW}, #expression},
#define SL_UNPROVOKED(entry, code, why) {#entry, UNPROVOKED, code, 0, {.reason = why}, #code},
const struct error_row error_rows[] = {
#define PART object
#include "errors_object.def"
#undef PART
#define PART program
#include "errors_program.def"
#undef PART
#define PART command
#include "errors_command.def"
#undef PART
#define PART later
#include "errors_later.def"
#undef PART
#define PART record
#include "errors_record.def"
#undef PART
};
const size_t error_row_count = LEN(error_rows);
