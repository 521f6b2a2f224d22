/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of bad calls need: objects of every kind, in this context and in another, with
 * events that went well and that failed. One thread; no lock. */
#include "errors.h"

#include "programs/il_modules.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct error_bed bed;

bool bed_has_images(void)
{
    return device_uint(CL_DEVICE_IMAGE_SUPPORT);
}

static const char source[] =
    "#ifdef __IMAGE_SUPPORT__\n"
    "#define IMAGE read_only image2d_t\n"
    "#define SAMPLER sampler_t\n"
    "#define READ(b, c) read_imagef(b, c, (int2)(0, 0)).x\n"
    "#else\n"
    "#define IMAGE global int *\n"
    "#define SAMPLER int\n"
    "#define READ(b, c) b[c]\n"
    "#endif\n"
    "kernel void every(global int *a, IMAGE b, SAMPLER c, local int *d, int e)\n"
    "{\n"
    "    d[0] = e;\n"
    "    a[0] = d[0] + (int)READ(b, c);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void exact(void) {}\n";
static const char pipe_source[] =
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "#define HOST __attribute__((intel_host_accessible))\n"
    "channel int hin __attribute__((depth(4))) HOST;\n"
    "channel int hout __attribute__((depth(4))) HOST;\n"
    "channel int rin __attribute__((depth(4))) HOST;\n"
    "channel int rout __attribute__((depth(4))) HOST;\n"
    "channel int inner;\n"
    "kernel void turn(void) { write_channel_intel(inner, read_channel_intel(inner)); }\n"
    "kernel void pass(void) { write_channel_intel(hout, read_channel_intel(hin)); }\n"
    "__attribute__((autorun)) __attribute__((max_global_work_dim(0)))\n"
    "kernel void endless(void) { write_channel_intel(rout, read_channel_intel(rin)); }\n"
    "kernel void add(read_only pipe int __attribute__((blocking)) HOST a,\n"
    "                write_only pipe int __attribute__((blocking)) HOST b)\n"
    "{\n"
    "    int v; read_pipe(a, &v); v += 5; write_pipe(b, &v);\n"
    "}\n";
static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8}, ints = {CL_RGBA, CL_SIGNED_INT32};

/* NULL where the device has none. */
static cl_sampler sampler_of(cl_context context)
{
    cl_int rc = CL_SUCCESS;
    cl_sampler made = bed_has_images() ? clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP,
                                                         CL_FILTER_NEAREST, &rc)
                                       : NULL;
    REQUIRE_OK(rc);
    return made;
}

static cl_mem image_of(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t depth)
{
    cl_image_desc desc = {.image_type = depth > 1 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_depth = depth > 1 ? depth : 0};
    cl_int rc;
    if (!bed_has_images())
        return NULL;
    cl_mem made = clCreateImage(context, flags, format, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    return made;
}

static void open_away(void)
{
    const char *text = source;
    cl_int rc;
    bed.away = new_context();
    bed.away_queue = clCreateCommandQueue(bed.away, cl.device, 0, &rc);
    bed.away_buffer = clCreateBuffer(bed.away, 0, 256, NULL, &rc);
    bed.away_image = image_of(bed.away, 0, &rgba8, 1);
    bed.away_sampler = sampler_of(bed.away);
    bed.away_program = clCreateProgramWithSource(bed.away, 1, &text, NULL, &rc);
    REQUIRE_OK(clBuildProgram(bed.away_program, 0, NULL, "", NULL, NULL));
    bed.away_kernel = clCreateKernel(bed.away_program, "exact", &rc);
    bed.away_event = clCreateUserEvent(bed.away, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clSetUserEventStatus(bed.away_event, CL_COMPLETE));
}

static void find_other(void)
{
    cl_device_id list[16];
    cl_uint count = 0;
    clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count);
    for (cl_uint i = 0; i < count && i < LEN(list); i++) {
        if (list[i] != cl.device)
            bed.other = list[i];
    }
}

static void open_both(void)
{
    const char *text = source, *one = "kernel void it(T x) {}\n";
    cl_int rc;
    find_other();
    if (!bed.other)
        return;
    bed.both = clCreateContext(NULL, 2, (cl_device_id[]){cl.device, bed.other}, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    bed.both_queue = clCreateCommandQueue(bed.both, cl.device, 0, &rc);
    cl_program program = clCreateProgramWithSource(bed.both, 1, &text, NULL, &rc);
    REQUIRE_OK(clBuildProgram(program, 1, &bed.other, "", NULL, NULL));
    bed.elsewhere = kernel_of(program, "exact");
    CHECK_OK(clReleaseProgram(program));
    bed.differs = clCreateProgramWithSource(bed.both, 1, &one, NULL, &rc);
    REQUIRE_OK(clBuildProgram(bed.differs, 1, &cl.device, "-DT=int", NULL, NULL));
    REQUIRE_OK(clBuildProgram(bed.differs, 1, &bed.other, "-DT=double", NULL, NULL));
}

static void open_memory(void)
{
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    const cl_buffer_region region = {align, align};
    cl_int rc;
    bed.buffer = new_buffer(0, 4 * align, NULL);
    bed.part = clCreateSubBuffer(bed.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    REQUIRE_OK(rc);
    bed.reads = new_buffer(CL_MEM_HOST_READ_ONLY, 256, NULL);
    bed.writes = new_buffer(CL_MEM_HOST_WRITE_ONLY, 256, NULL);
    bed.silent = new_buffer(CL_MEM_HOST_NO_ACCESS, 256, NULL);
    bed.image = image_of(cl.context, 0, &rgba8, 1);
    bed.image_reads = image_of(cl.context, CL_MEM_HOST_READ_ONLY, &rgba8, 1);
    bed.image_writes = image_of(cl.context, CL_MEM_HOST_WRITE_ONLY, &rgba8, 1);
    bed.image_silent = image_of(cl.context, CL_MEM_HOST_NO_ACCESS, &rgba8, 1);
    bed.image_ints = image_of(cl.context, 0, &ints, 1);
    bed.image_solid = image_of(cl.context, 0, &rgba8, 4);
    bed.sampler = sampler_of(cl.context);
    cl_ulong svm = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    if (svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
        bed.svm = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 256, 0);
    if (usm_find())
        bed.usm_at = usm.alloc_shared(cl.context, cl.device, NULL, 256, 0, NULL);
    if (usvm_find())
        bed.usvm_at = usvm_alloc(usvm_type(CL_SVM_TYPE_MACRO_DEVICE_KHR), 256);
}

static void open_programs(void)
{
    bed.raw = new_program(source);
    bed.built = built(source, "-cl-kernel-arg-info");
    bed.broken = new_program("kernel void k(void) { nonsense }\n");
    CHECK(clBuildProgram(bed.broken, 0, NULL, "", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    bed.object = new_program("int missing(void); kernel void k(global int *a) { *a = missing(); }");
    REQUIRE_OK(clCompileProgram(bed.object, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    bed.kernel = kernel_of(bed.built, "every");
    bed.unset = kernel_of(bed.built, "every");
    bed.exact = kernel_of(bed.built, "exact");
    bed.nameless = new_kernel(source, "every", "");
    cl_int number = 1, first = 0;
    ARG(bed.kernel, 0, bed.buffer);
    if (bed_has_images()) {
        ARG(bed.kernel, 1, bed.image);
        ARG(bed.kernel, 2, bed.sampler);
    } else {
        ARG(bed.kernel, 1, bed.buffer);
        ARG(bed.kernel, 2, first);
    }
    set_arg(bed.kernel, 3, 64, NULL);
    ARG(bed.kernel, 4, number);
    REQUIRE_OK(clGetProgramInfo(bed.built, CL_PROGRAM_BINARY_SIZES, sizeof bed.binary_bytes,
                                &bed.binary_bytes, NULL));
    bed.binary = malloc(bed.binary_bytes + 1);
    REQUIRE(bed.binary);
    REQUIRE_OK(
        clGetProgramInfo(bed.built, CL_PROGRAM_BINARIES, sizeof bed.binary, &bed.binary, NULL));
}

static void open_events(void)
{
    cl_int rc;
    bed.plain = new_queue(0);
    bed.done = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    bed.failed = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clSetUserEventStatus(bed.done, CL_COMPLETE));
    REQUIRE_OK(clSetUserEventStatus(bed.failed, -77));
    REQUIRE_OK(clEnqueueMarkerWithWaitList(bed.plain, 0, NULL, &bed.ran));
    REQUIRE_OK(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &bed.timed));
    REQUIRE_OK(clWaitForEvents(1, &bed.ran));
    REQUIRE_OK(clWaitForEvents(1, &bed.timed));
}

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    memcpy(to, &found, sizeof found);
}

static cl_mem pipe_of(cl_mem_flags flags)
{
    cl_int rc;
    cl_mem pipe = clCreatePipe(cl.context, flags, 4, 8, NULL, &rc);
    REQUIRE_OK(rc);
    return pipe;
}

static void open_pipes(void)
{
    find(&bed.suggest, "clGetKernelSuggestedLocalWorkSize");
    if (has_extension("cl_ext_buffer_device_address"))
        find(&bed.set_pointer, "clSetKernelArgDevicePointerEXT");
    find(&bed.create_buffer, "clCreateBufferWithPropertiesINTEL");
    if (!is_sluice() || !has_extension("cl_intel_fpga_host_pipe"))
        return;
    find(&bed.read_pipe, "clReadPipeIntelFPGA");
    find(&bed.write_pipe, "clWritePipeIntelFPGA");
    find(&bed.map_pipe, "clMapHostPipeIntelFPGA");
    find(&bed.unmap_pipe, "clUnmapHostPipeIntelFPGA");
    find(&bed.profile_data, "clGetProfileDataDeviceIntelFPGA");
    find(&bed.profile_data_altera, "clGetProfileDataDeviceAltera");
    find(&bed.reset_kernels, "clResetKernelsIntelFPGA");
    find(&bed.read_symbol, "clEnqueueReadHostPipeINTEL");
    find(&bed.write_symbol, "clEnqueueWriteHostPipeINTEL");
    find(&bed.pipe_info, "clGetProgramPipeInfoSLUICE");
    find(&bed.map_symbol, "clMapProgramPipeSLUICE");
    find(&bed.unmap_symbol, "clUnmapProgramPipeSLUICE");
    bed.pipe_program = built(pipe_source, "");
    bed.pipe_kernel = kernel_of(bed.pipe_program, "add");
    bed.endless = kernel_of(bed.pipe_program, "endless");
    bed.pipe = pipe_of(0);
    bed.pipe_in = pipe_of(CL_MEM_HOST_WRITE_ONLY);
    bed.pipe_out = pipe_of(CL_MEM_HOST_READ_ONLY);
    ARG(bed.pipe_kernel, 0, bed.pipe_in);
    ARG(bed.pipe_kernel, 1, bed.pipe_out);
}

static void open_native_commands(void)
{
    if (!has_extension("cl_sluice_native_command"))
        return;
    find(&bed.native_command, "clEnqueueNativeCommandSLUICE");
    find(&bed.complete_native, "clCompleteNativeCommandSLUICE");
}

static void open_variables(void)
{
    if (!has_extension("cl_intel_global_variable_access"))
        return;
    find(&bed.read_variable, "clEnqueueReadGlobalVariableINTEL");
    find(&bed.write_variable, "clEnqueueWriteGlobalVariableINTEL");
    find(&bed.variable_address, "clGetDeviceGlobalVariablePointerINTEL");
    find(&bed.function_address, "clGetDeviceFunctionPointerINTEL");
    bed.variables = built("global int v[2]; global const int fixed = 1;\n"
                          "kernel void k(global int *o) { *o = v[1]++ + fixed; }\n",
                          "-cl-std=CL3.0");
}

static void open_il(void)
{
    char version[256] = "";
    cl_int rc;
    clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL);
    bed.create_il =
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clCreateProgramWithILKHR");
    if (!version[0])
        return;
    bed.il = clCreateProgramWithIL(cl.context, il_constants.words, il_constants.bytes, &rc);
    REQUIRE_OK(rc);
}

static void open_device_queue(void)
{
    cl_command_queue_properties on = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof on, &on, NULL);
    if (on)
        bed.queue_kernel = new_kernel("kernel void it(queue_t q) {}", "it", "-cl-std=CL3.0");
}

static void open_pairs(void)
{
    const cl_command_queue both[] = {cl.queue, bed.plain};
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL, 0};
    cl_int rc;
    if (!has_extension("cl_khr_command_buffer_multi_device"))
        return;
    bed.pair = cb.create(2, both, NULL, &rc);
    REQUIRE_OK(rc);
    bed.pair_ready = cb.create(2, both, NULL, &rc);
    REQUIRE_OK(rc);
    cb_finalize(bed.pair_ready);
    if (!has_extension("cl_intel_exec_by_local_thread"))
        return;
    bed.caller = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
    REQUIRE_OK(rc);
}

static void open_command_buffers(void)
{
    const cl_command_properties_khr none[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0},
                                    later[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                               CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    const size_t size = 4;
    if (!cb_find())
        return;
    bed.recording = cb_new(cl.queue, 0);
    REQUIRE_OK(cb.barrier(bed.recording, NULL, NULL, 0, NULL, NULL, NULL));
    bed.other_command = cb_mutable(bed.recording, bed.kernel, size);
    bed.finalized = cb_new(cl.queue, 0);
    cb_finalize(bed.finalized);
    bed.incomplete = cb_new(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    REQUIRE_OK(cb.launch(bed.incomplete, NULL, later, bed.unset, 1, NULL, &size, NULL, 0, NULL,
                         NULL, NULL));
    cb_finalize(bed.incomplete);
    bed.mutable = cb_new(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    bed.command = cb_mutable(bed.mutable, bed.kernel, size);
    REQUIRE_OK(cb.launch(bed.mutable, NULL, none, bed.kernel, 1, NULL, &size, NULL, 0, NULL, NULL,
                         &bed.fixed));
    cb_finalize(bed.mutable);
    open_pairs();
}

static void close_command_buffers(void)
{
    if (!bed.recording)
        return;
    cb_release(bed.recording);
    cb_release(bed.finalized);
    cb_release(bed.incomplete);
    cb_release(bed.mutable);
    if (bed.caller)
        RELEASE_QUEUE(bed.caller);
    if (!bed.pair)
        return;
    cb_release(bed.pair);
    cb_release(bed.pair_ready);
}

static void open_matrices(void)
{
    if (has_extension("cl_khr_cooperative_matrix"))
        find(&bed.matrix_info, "clGetDeviceCooperativeMatrixInfoKHR");
}

static void open_semaphores(void)
{
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
    cl_int rc;
    if (!has_extension("cl_khr_semaphore"))
        return;
    find(&bed.create_semaphore, "clCreateSemaphoreWithPropertiesKHR");
    find(&bed.wait_semaphores, "clEnqueueWaitSemaphoresKHR");
    find(&bed.signal_semaphores, "clEnqueueSignalSemaphoresKHR");
    find(&bed.semaphore_info, "clGetSemaphoreInfoKHR");
    find(&bed.retain_semaphore, "clRetainSemaphoreKHR");
    find(&bed.release_semaphore, "clReleaseSemaphoreKHR");
    bed.semaphore = bed.create_semaphore(cl.context, list, &rc);
    REQUIRE_OK(rc);
}

static void open_external_semaphore(void)
{
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR,
                                                CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR,
                                                0};
    cl_int rc;
    if (!has_extension("cl_khr_external_semaphore_opaque_fd"))
        return;
    find(&bed.semaphore_handle, "clGetSemaphoreHandleForTypeKHR");
    bed.exportable = bed.create_semaphore(cl.context, list, &rc);
    REQUIRE_OK(rc);
}

static void open_external_memory(void)
{
    cl_int rc;
    if (!has_extension("cl_khr_external_memory_opaque_fd"))
        return;
    int file = memfd_create("bed", MFD_CLOEXEC);
    REQUIRE(file >= 0 && !ftruncate(file, 64));
    const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                      (cl_mem_properties)file, 0};
    find(&bed.acquire_external, "clEnqueueAcquireExternalMemObjectsKHR");
    find(&bed.release_external, "clEnqueueReleaseExternalMemObjectsKHR");
    bed.external = clCreateBufferWithProperties(cl.context, list, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
}

void bed_open(void)
{
    open_away();
    open_both();
    open_memory();
    open_programs();
    open_events();
    open_pipes();
    open_device_queue();
    open_command_buffers();
    open_matrices();
    open_semaphores();
    open_external_semaphore();
    open_external_memory();
    open_native_commands();
    open_variables();
    open_il();
}

static void close_memory(void)
{
    const cl_mem all[] = {
        bed.away_buffer, bed.away_image,   bed.part,        bed.buffer,      bed.reads,
        bed.writes,      bed.silent,       bed.image,       bed.image_reads, bed.image_writes,
        bed.image_ints,  bed.image_silent, bed.image_solid, bed.external,    bed.pipe,
        bed.pipe_in,     bed.pipe_out,
    };
    for (size_t i = 0; i < LEN(all); i++) {
        if (all[i])
            RELEASE_MEM(all[i]);
    }
    if (bed.svm)
        clSVMFree(cl.context, bed.svm);
    if (bed.usm_at)
        CHECK_OK(usm.free(cl.context, bed.usm_at));
    if (bed.usvm_at)
        usvm_release(bed.usvm_at);
}

static void close_programs(void)
{
    const cl_kernel kernels[] = {bed.away_kernel, bed.elsewhere, bed.kernel,
                                 bed.unset,       bed.exact,     bed.nameless,
                                 bed.pipe_kernel, bed.endless,   bed.queue_kernel};
    const cl_program programs[] = {bed.away_program, bed.differs,   bed.raw,
                                   bed.built,        bed.broken,    bed.object,
                                   bed.pipe_program, bed.variables, bed.il};
    for (size_t i = 0; i < LEN(kernels); i++) {
        if (kernels[i])
            RELEASE_KERNEL(kernels[i]);
    }
    for (size_t i = 0; i < LEN(programs); i++) {
        if (programs[i])
            RELEASE_PROGRAM(programs[i]);
    }
    free(bed.binary);
}

void bed_close(void)
{
    if (bed.exportable)
        CHECK_OK(bed.release_semaphore(bed.exportable));
    if (bed.semaphore)
        CHECK_OK(bed.release_semaphore(bed.semaphore));
    close_command_buffers();
    close_memory();
    close_programs();
    if (bed_has_images()) {
        CHECK_OK(clReleaseSampler(bed.away_sampler));
        CHECK_OK(clReleaseSampler(bed.sampler));
    }
    const cl_event events[] = {bed.away_event, bed.done, bed.failed, bed.ran, bed.timed};
    for (size_t i = 0; i < LEN(events); i++)
        RELEASE_EVENT(events[i]);
    RELEASE_QUEUE(bed.plain);
    RELEASE_QUEUE(bed.away_queue);
    if (bed.both) {
        RELEASE_QUEUE(bed.both_queue);
        RELEASE_CONTEXT(bed.both);
    }
    RELEASE_CONTEXT(bed.away);
}

static void *released_kernel(void)
{
    cl_kernel kernel = kernel_of(bed.built, "exact");
    CHECK_OK(clReleaseKernel(kernel));
    return kernel;
}

static void *released_event(void)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    CHECK_OK(clReleaseEvent(event));
    return event;
}

static void *released_sampler(void)
{
    cl_sampler made = sampler_of(cl.context);
    CHECK_OK(clReleaseSampler(made));
    return made;
}

static void *released_command(void)
{
    cl_command_buffer_khr buffer = cb_new(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_mutable_command_khr command = cb_mutable(buffer, bed.kernel, 4);
    cb_release(buffer);
    return command;
}

void *bed_released(cl_int code)
{
    void *gone = NULL;
    switch (code) {
    case CL_INVALID_CONTEXT:
        CHECK_OK(clReleaseContext(gone = new_context()));
        return gone;
    case CL_INVALID_COMMAND_QUEUE:
        CHECK_OK(clReleaseCommandQueue(gone = new_queue(0)));
        return gone;
    case CL_INVALID_MEM_OBJECT:
        CHECK_OK(clReleaseMemObject(gone = new_buffer(0, 64, NULL)));
        return gone;
    case CL_INVALID_PROGRAM:
        CHECK_OK(clReleaseProgram(gone = new_program(source)));
        return gone;
    case CL_INVALID_KERNEL:
        return released_kernel();
    case CL_INVALID_SAMPLER:
        return released_sampler();
    case CL_INVALID_EVENT:
        return released_event();
    case CL_INVALID_COMMAND_BUFFER_KHR:
        cb_release(gone = cb_new(cl.queue, 0));
        return gone;
    case CL_INVALID_MUTABLE_COMMAND_KHR:
        return released_command();
    default:
        return NULL;
    }
}
