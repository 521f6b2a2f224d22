/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_sluice_native_command, N-8: every call that would wait inside of the function is refused,
 * and what it would have moved stays where it is. One case for each. Where a refusal is lost the
 * call waits for a gate, which a second thread opens after a while: the case fails, and the others
 * run.
 */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 4, FIRST = -500, WRITTEN = 900, MARK = -77, PATIENCE = 4 /* seconds */ };

static const char plain_source[] = "kernel void none(void) {}\n";
static const char variable_source[] = "global int4 variable = (int4)(-500, -499, -498, -497);\n"
                                      "kernel void look(global int4 *o) { *o = variable; }\n";
static const char pipe_source[] =
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "#define HOST __attribute__((intel_host_accessible))\n"
    "channel int4 hin __attribute__((depth(4))) HOST;\n"
    "channel int4 hout __attribute__((depth(4))) HOST;\n"
    "kernel void pass(void) { write_channel_intel(hout, read_channel_intel(hin)); }\n";

/* Of one case: what its call is made with. */
struct places {
    cl_command_queue queue; /* the handle's */
    cl_event child;         /* of a command in it that waits for the gate */
    cl_event completion;
    cl_mem buffer, image; /* begin with FIRST */
    cl_program program;
    cl_int *shared; /* SVM or USM: 1, 2, ... */
    cl_int host[WORDS], before[WORDS], written[WORDS];
};
typedef cl_int (*form_fn)(struct places *, cl_bool blocking);

struct form {
    const char *source;
    form_fn call;
    cl_bool svm, usm, image;
    cl_bool always_waits; /* there is no form of it that does not */
    cl_int reads;         /* the first word that it reads; 0: it reads none */
    enum { NOTHING, BUFFER, IMAGE, VARIABLE } writes;
};

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

/* ---- the second thread ----------------------------------------------------------------------- */

struct patience {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    cl_event gate;
    int over, lost;
};

static void *open_after_a_while(void *data)
{
    struct patience *p = data;
    struct timespec until;
    int rc = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&p->lock);
    while (!p->over && rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&p->changed, &p->lock, &until);
    p->lost = !p->over;
    if (p->lost)
        clSetUserEventStatus(p->gate, CL_COMPLETE);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void begin(struct patience *p, cl_event gate)
{
    *p = (struct patience){
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .gate = gate};
    REQUIRE(!pthread_create(&p->thread, NULL, open_after_a_while, p));
}

/* Whether it had to open the gate. */
static int end(struct patience *p)
{
    pthread_mutex_lock(&p->lock);
    p->over = 1;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    return p->lost;
}

/* ---- one case -------------------------------------------------------------------------------- */

struct native_call {
    const struct form *form;
    struct places places;
    int calls;
};

/* It is refused where it would wait, moves nothing then, and is taken where it would not. */
static cl_int CL_CALLBACK calls_both(const sluice_interop_handle *handle, void *data)
{
    struct native_call *c = data;
    struct places *p = &c->places;
    p->queue = handle->queue;
    p->completion = handle->completion;
    CHECK_OK(clEnqueueMarkerWithWaitList(handle->queue, 0, NULL, &p->child));
    CHECK_EQ(c->form->call(p, CL_TRUE), CL_INVALID_OPERATION);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(p->host[i], MARK);
    if (!c->form->always_waits)
        CHECK_OK(c->form->call(p, CL_FALSE));
    c->calls++;
    return CL_SUCCESS;
}

static cl_int *shared_words(const struct form *form)
{
    cl_device_svm_capabilities svm = 0;
    cl_int *words = NULL, rc = CL_SUCCESS;
    if (form->usm) {
        clHostMemAllocINTEL_fn allocate;
        if (!has_extension("cl_intel_unified_shared_memory"))
            check_skip("no unified shared memory");
        find(&allocate, "clHostMemAllocINTEL");
        words = allocate(cl.context, NULL, WORDS * sizeof *words, 0, &rc);
        REQUIRE_OK(rc);
    } else {
        clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
        if (!svm)
            check_skip("no shared virtual memory");
        words = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, WORDS * sizeof *words, 0);
        REQUIRE(words);
    }
    for (int i = 0; i < WORDS; i++)
        words[i] = i + 1;
    return words;
}

static void give_back(const struct form *form, cl_int *words)
{
    clMemFreeINTEL_fn give;
    if (!form->usm) {
        clSVMFree(cl.context, words);
        return;
    }
    find(&give, "clMemFreeINTEL");
    CHECK_OK(give(cl.context, words));
}

static cl_mem new_image(cl_int *words)
{
    const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    cl_bool has_images = CL_FALSE;
    cl_int rc;
    clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
    if (!has_images)
        check_skip("no images");
    cl_mem image = clCreateImage(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
                                 &desc, words, &rc);
    REQUIRE_OK(rc);
    return image;
}

static void open_places(const struct form *form, struct places *p)
{
    for (int i = 0; i < WORDS; i++) {
        p->host[i] = MARK;
        p->before[i] = FIRST + i;
        p->written[i] = WRITTEN + i;
    }
    if (form->source == variable_source && !has_extension("cl_intel_global_variable_access"))
        check_skip("variables are the program's own business");
    if (form->source == pipe_source && !has_extension("cl_intel_program_scope_host_pipe"))
        check_skip("no program-scope host pipes");
    if (form->svm || form->usm)
        p->shared = shared_words(form);
    if (form->image)
        p->image = new_image(p->before);
    p->buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof p->before, p->before);
    p->program = built(form->source, form->source == variable_source ? "-cl-std=CL3.0" : "");
}

static void close_places(const struct form *form, struct places *p)
{
    if (p->shared)
        give_back(form, p->shared);
    if (p->image)
        RELEASE_MEM(p->image);
    RELEASE_EVENT(p->child);
    RELEASE_MEM(p->buffer);
    RELEASE_PROGRAM(p->program);
}

/* Where the form writes to, as another queue sees it. */
static void check_target(const struct native_call *c, cl_int first)
{
    cl_int seen[WORDS] = {MARK};
    const struct places *p = &c->places;
    const size_t origin[3] = {0}, one_pixel[3] = {1, 1, 1};
    clEnqueueReadGlobalVariableINTEL_fn get;
    cl_command_queue queue = new_queue(0);
    if (c->form->writes == VARIABLE) {
        find(&get, "clEnqueueReadGlobalVariableINTEL");
        CHECK_OK(get(queue, p->program, "variable", CL_TRUE, sizeof seen, 0, seen, 0, NULL, NULL));
    } else if (c->form->writes == IMAGE) {
        CHECK_OK(clEnqueueReadImage(queue, p->image, CL_TRUE, origin, one_pixel, 0, 0, seen, 0,
                                    NULL, NULL));
    } else {
        CHECK_OK(
            clEnqueueReadBuffer(queue, p->buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    }
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(seen[i], first + i);
    RELEASE_QUEUE(queue);
}

/* What was taken waits for the gate as the command does (N-5). */
static void check_waits(const struct native_call *c, cl_event gate)
{
    usleep(2000);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(c->places.host[i], MARK);
    check_target(c, FIRST);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(cl.queue));
    check_target(c, c->form->writes ? WRITTEN : FIRST);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(c->places.host[i], c->form->reads ? c->form->reads + i : MARK);
}

static void check_form(const struct form *form)
{
    struct native_call c = {.form = form};
    struct patience patience;
    clEnqueueNativeCommandSLUICE_fn enqueue_native;
    cl_int rc;
    find(&enqueue_native, "clEnqueueNativeCommandSLUICE");
    open_places(form, &c.places);
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    alarm(3 * PATIENCE); /* who waits for what the gate does not open */
    begin(&patience, gate);
    CHECK_OK(enqueue_native(cl.queue, calls_both, NULL, &c, 0, NULL, NULL, 1, &gate, NULL));
    CHECK_EQ(c.calls, 1);
    CHECK(!end(&patience)); /* nothing has waited */
    if (!patience.lost)
        check_waits(&c, gate);
    CHECK_OK(clFinish(cl.queue));
    RELEASE_EVENT(gate);
    close_places(form, &c.places);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static const size_t origin[3], one_row[3] = {WORDS * sizeof(cl_int), 1, 1},
                               one_pixel[3] = {1, 1, 1};

static cl_int finish(struct places *p, cl_bool blocking)
{
    return blocking ? clFinish(p->queue) : clFlush(p->queue);
}

static cl_int wait_for_work(struct places *p, cl_bool blocking)
{
    (void)blocking;
    return clWaitForEvents(1, &p->child);
}

static cl_int wait_for_itself(struct places *p, cl_bool blocking)
{
    (void)blocking;
    return clWaitForEvents(1, &p->completion);
}

static cl_int reads(struct places *p, cl_bool blocking)
{
    return clEnqueueReadBuffer(p->queue, p->buffer, blocking, 0, sizeof p->host, p->host, 0, NULL,
                               NULL);
}

static cl_int writes(struct places *p, cl_bool blocking)
{
    return clEnqueueWriteBuffer(p->queue, p->buffer, blocking, 0, sizeof p->written, p->written, 0,
                                NULL, NULL);
}

static cl_int reads_box(struct places *p, cl_bool blocking)
{
    return clEnqueueReadBufferRect(p->queue, p->buffer, blocking, origin, origin, one_row, 0, 0, 0,
                                   0, p->host, 0, NULL, NULL);
}

static cl_int writes_box(struct places *p, cl_bool blocking)
{
    return clEnqueueWriteBufferRect(p->queue, p->buffer, blocking, origin, origin, one_row, 0, 0, 0,
                                    0, p->written, 0, NULL, NULL);
}

static cl_int maps(struct places *p, cl_bool blocking)
{
    cl_int rc;
    void *at =
        clEnqueueMapBuffer(p->queue, p->buffer, blocking, CL_MAP_READ, 0, 4, 0, NULL, NULL, &rc);
    return at ? clEnqueueUnmapMemObject(p->queue, p->buffer, at, 0, NULL, NULL) : rc;
}

static cl_int copies_svm(struct places *p, cl_bool blocking)
{
    return clEnqueueSVMMemcpy(p->queue, blocking, p->host, p->shared, sizeof p->host, 0, NULL,
                              NULL);
}

static cl_int maps_svm(struct places *p, cl_bool blocking)
{
    cl_int rc =
        clEnqueueSVMMap(p->queue, blocking, CL_MAP_READ, p->shared, sizeof p->host, 0, NULL, NULL);
    return rc ? rc : clEnqueueSVMUnmap(p->queue, p->shared, 0, NULL, NULL);
}

static cl_int copies_usm(struct places *p, cl_bool blocking)
{
    clEnqueueMemcpyINTEL_fn copy;
    find(&copy, "clEnqueueMemcpyINTEL");
    return copy(p->queue, blocking, p->host, p->shared, sizeof p->host, 0, NULL, NULL);
}

static cl_int reads_image(struct places *p, cl_bool blocking)
{
    return clEnqueueReadImage(p->queue, p->image, blocking, origin, one_pixel, 0, 0, p->host, 0,
                              NULL, NULL);
}

static cl_int writes_image(struct places *p, cl_bool blocking)
{
    return clEnqueueWriteImage(p->queue, p->image, blocking, origin, one_pixel, 0, 0, p->written, 0,
                               NULL, NULL);
}

static cl_int maps_image(struct places *p, cl_bool blocking)
{
    cl_int rc;
    size_t pitch;
    void *at = clEnqueueMapImage(p->queue, p->image, blocking, CL_MAP_READ, origin, one_pixel,
                                 &pitch, NULL, 0, NULL, NULL, &rc);
    return at ? clEnqueueUnmapMemObject(p->queue, p->image, at, 0, NULL, NULL) : rc;
}

static cl_int reads_variable(struct places *p, cl_bool blocking)
{
    clEnqueueReadGlobalVariableINTEL_fn get;
    find(&get, "clEnqueueReadGlobalVariableINTEL");
    return get(p->queue, p->program, "variable", blocking, sizeof p->host, 0, p->host, 0, NULL,
               NULL);
}

static cl_int writes_variable(struct places *p, cl_bool blocking)
{
    clEnqueueWriteGlobalVariableINTEL_fn put;
    find(&put, "clEnqueueWriteGlobalVariableINTEL");
    return put(p->queue, p->program, "variable", blocking, sizeof p->written, 0, p->written, 0,
               NULL, NULL);
}

static cl_int reads_pipe(struct places *p, cl_bool blocking)
{
    clEnqueueReadHostPipeINTEL_fn get;
    find(&get, "clEnqueueReadHostPipeINTEL");
    return get(p->queue, p->program, "hout", blocking, p->host, sizeof p->host, 0, NULL, NULL);
}

static cl_int writes_pipe(struct places *p, cl_bool blocking)
{
    clEnqueueWriteHostPipeINTEL_fn put;
    find(&put, "clEnqueueWriteHostPipeINTEL");
    return put(p->queue, p->program, "hin", blocking, p->before, sizeof p->before, 0, NULL, NULL);
}

#define FORM(name, text, ...)                                                                      \
    static void n8_##name(void)                                                                    \
    {                                                                                              \
        check_form(&(const struct form){.source = text, .call = name, __VA_ARGS__});               \
    }
FORM(finish, plain_source)
FORM(wait_for_work, plain_source, .always_waits = 1)
FORM(wait_for_itself, plain_source, .always_waits = 1)
FORM(reads, plain_source, .reads = FIRST)
FORM(writes, plain_source, .writes = BUFFER)
FORM(reads_box, plain_source, .reads = FIRST)
FORM(writes_box, plain_source, .writes = BUFFER)
FORM(maps, plain_source)
FORM(copies_svm, plain_source, .svm = 1, .reads = 1)
FORM(maps_svm, plain_source, .svm = 1)
FORM(copies_usm, plain_source, .usm = 1, .reads = 1)
FORM(reads_image, plain_source, .image = 1, .reads = FIRST)
FORM(writes_image, plain_source, .image = 1, .writes = IMAGE)
FORM(maps_image, plain_source, .image = 1)
FORM(reads_variable, variable_source, .reads = FIRST)
FORM(writes_variable, variable_source, .writes = VARIABLE)
FORM(reads_pipe, pipe_source, .always_waits = 1) /* without a packet the other form fails */
FORM(writes_pipe, pipe_source)

/* Last those that the gate does not help: their limit ends the program. */
static const struct test_case cases[] = {
    CASE(n8_finish),      CASE(n8_wait_for_work),  CASE(n8_reads),
    CASE(n8_writes),      CASE(n8_reads_box),      CASE(n8_writes_box),
    CASE(n8_maps),        CASE(n8_copies_svm),     CASE(n8_maps_svm),
    CASE(n8_copies_usm),  CASE(n8_reads_image),    CASE(n8_writes_image),
    CASE(n8_maps_image),  CASE(n8_reads_variable), CASE(n8_writes_variable),
    CASE(n8_writes_pipe), CASE(n8_reads_pipe),     CASE(n8_wait_for_itself),
};
TEST_MAIN("native_wait", cases)
