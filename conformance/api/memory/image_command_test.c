/* SPDX-License-Identifier: Apache-2.0 */
/* What commands on images refuse, and other calls that take images. */
#include "image_help.h"

#include <stdint.h>
#include <string.h>

static unsigned char memory[65536] __attribute__((aligned(4096)));

/* ---- refusals of the commands ---------------------------------------------------------------- */

static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, bad_origin[3] = {6, 0, 0},
                    bad_z[3] = {0, 0, 1}, two[3] = {2, 2, 1}, empty[3] = {1, 0, 1},
                    deep[3] = {1, 1, 2}, huge[3] = {SIZE_MAX, 1, 1};

struct fixture {
    cl_mem image, solid, buffer, foreign, silent, reads, writes;
    cl_context other;
    cl_event event, foreign_event;
};

static void open_fixture(struct fixture *f)
{
    cl_image_desc solid = image_plane(7, 5);
    solid.image_type = CL_MEM_OBJECT_IMAGE3D;
    solid.image_depth = 3;
    const cl_image_desc desc = image_plane(6, 5);
    cl_int rc;
    f->image = image_new(0, desc, NULL);
    f->solid = image_new(0, solid, NULL);
    f->buffer = new_buffer(0, 64, NULL);
    f->silent = image_new(CL_MEM_HOST_NO_ACCESS, desc, NULL);
    f->reads = image_new(CL_MEM_HOST_READ_ONLY, desc, NULL);
    f->writes = image_new(CL_MEM_HOST_WRITE_ONLY, desc, NULL);
    f->other = new_context();
    f->foreign = clCreateImage(f->other, 0, &image_rgba8, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    f->event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    f->foreign_event = clCreateUserEvent(f->other, &rc);
    REQUIRE_OK(rc);
}

static void close_fixture(struct fixture *f)
{
    CHECK_OK(clSetUserEventStatus(f->event, CL_COMPLETE));
    RELEASE_MEM(f->image);
    RELEASE_MEM(f->solid);
    RELEASE_MEM(f->buffer);
    RELEASE_MEM(f->silent);
    RELEASE_MEM(f->reads);
    RELEASE_MEM(f->writes);
    RELEASE_MEM(f->foreign);
    RELEASE_EVENT(f->event);
    RELEASE_EVENT(f->foreign_event);
    RELEASE_CONTEXT(f->other);
}

/* What reading, writing, filling and mapping refuse alike; CALL(queue, image, origin, region,
 * count, list). */
#define BOX_ERRORS(CHECK_FAILS, CHECK_WRONG, CALL)                                                 \
    do {                                                                                           \
        cl_command_queue own = cl.queue;                                                           \
        CHECK_FAILS(CL_INVALID_COMMAND_QUEUE, CALL(NULL, f.image, zero, one, 0, NULL));            \
        CHECK_FAILS(CL_INVALID_CONTEXT, CALL(own, f.foreign, zero, one, 0, NULL));                 \
        CHECK_FAILS(CL_INVALID_CONTEXT, CALL(own, f.image, zero, one, 1, &f.foreign_event));       \
        CHECK_FAILS(CL_INVALID_MEM_OBJECT, CALL(own, NULL, zero, one, 0, NULL));                   \
        CHECK_WRONG(CL_INVALID_MEM_OBJECT, CALL(own, f.buffer, zero, one, 0, NULL));               \
        CHECK_WRONG(CL_INVALID_MEM_OBJECT, CALL(own, (cl_mem)cl.context, zero, one, 0, NULL));     \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, NULL, one, 0, NULL));                     \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, zero, NULL, 0, NULL));                    \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, bad_origin, one, 0, NULL));               \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, bad_z, one, 0, NULL));                    \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, zero, empty, 0, NULL));                   \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, zero, deep, 0, NULL));                    \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, one, huge, 0, NULL));                     \
        CHECK_FAILS(CL_INVALID_EVENT_WAIT_LIST, CALL(own, f.image, zero, one, 1, NULL));           \
        CHECK_FAILS(CL_INVALID_EVENT_WAIT_LIST, CALL(own, f.image, zero, one, 0, &f.event));       \
    } while (0)

static void read_write_errors(void)
{
    image_need();
    struct fixture f;
    open_fixture(&f);
#define READ(q, image, origin, region, count, list)                                                \
    clEnqueueReadImage(q, image, CL_TRUE, origin, region, 0, 0, memory, count, list, NULL)
#define WRITE(q, image, origin, region, count, list)                                               \
    clEnqueueWriteImage(q, image, CL_TRUE, origin, region, 0, 0, memory, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, READ);
    BOX_ERRORS(FAILS, WRONG, WRITE);
    cl_command_queue q = cl.queue;
    static const struct {
        size_t row, slice;
        int solid;
    } pitches[] = {{7, 0, 0}, {8, 16, 0}, {0, 15, 1}, {16, 31, 1}};
    for (size_t i = 0; i < LEN(pitches); i++) {
        cl_mem image = pitches[i].solid ? f.solid : f.image;
        FAILS(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, two, pitches[i].row,
                                                   pitches[i].slice, memory, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, clEnqueueWriteImage(q, image, CL_TRUE, zero, two, pitches[i].row,
                                                    pitches[i].slice, memory, 0, NULL, NULL));
    }
    FAILS(CL_INVALID_VALUE,
          clEnqueueReadImage(q, f.image, CL_TRUE, zero, one, 0, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueWriteImage(q, f.image, CL_TRUE, zero, one, 0, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, READ(q, f.silent, zero, one, 0, NULL));
    FAILS(CL_INVALID_OPERATION, READ(q, f.writes, zero, one, 0, NULL));
    FAILS(CL_INVALID_OPERATION, WRITE(q, f.silent, zero, one, 0, NULL));
    FAILS(CL_INVALID_OPERATION, WRITE(q, f.reads, zero, one, 0, NULL));
    CHECK_OK(READ(q, f.reads, zero, one, 0, NULL));
    CHECK_OK(WRITE(q, f.writes, zero, one, 0, NULL));
    close_fixture(&f);
}

static void fill_errors(void)
{
    image_need();
    struct fixture f;
    const cl_float color[4] = {0};
    open_fixture(&f);
#define FILL(q, image, origin, region, count, list)                                                \
    clEnqueueFillImage(q, image, color, origin, region, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, FILL);
    FAILS(CL_INVALID_VALUE, clEnqueueFillImage(cl.queue, f.image, NULL, zero, one, 0, NULL, NULL));
    CHECK_OK(FILL(cl.queue, f.silent, zero, one, 0, NULL));
    close_fixture(&f);
}

static void map_errors(void)
{
    image_need();
    struct fixture f;
    size_t row, slice;
    open_fixture(&f);
#define MAP_WITH(image, flags, row_at, slice_at)                                                   \
    clEnqueueMapImage(cl.queue, image, CL_TRUE, flags, zero, one, row_at, slice_at, 0, NULL, NULL, \
                      ERR)
#define MAP(q, image, origin, region, count, list)                                                 \
    clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, origin, region, &row, &slice, count, list,   \
                      NULL, ERR)
    BOX_ERRORS(CREATE_FAILS, CREATE_WRONG, MAP);
    const cl_map_flags r = CL_MAP_READ, w = CL_MAP_WRITE, i = CL_MAP_WRITE_INVALIDATE_REGION;
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.image, r | i, &row, &slice));
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.image, 1 << 20, &row, &slice));
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.image, r, NULL, &slice));
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.solid, r, &row, NULL));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.silent, r, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.silent, w, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.reads, w, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.reads, i, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.writes, r, &row, &slice));
    void *at = MAP_WITH(f.image, r | w, &row, NULL);
    CHECK(at);
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, f.image, at, 0, NULL, NULL));
    close_fixture(&f);
}

static void copy_errors(void)
{
    image_need();
    struct fixture f;
    open_fixture(&f);
#define FROM(q, image, origin, region, count, list)                                                \
    clEnqueueCopyImage(q, image, f.silent, origin, zero, region, count, list, NULL)
#define TO(q, image, origin, region, count, list)                                                  \
    clEnqueueCopyImage(q, f.silent, image, zero, origin, region, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, FROM);
    BOX_ERRORS(FAILS, WRONG, TO);
    const cl_image_format floats = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = image_plane(6, 5);
    cl_int rc;
    cl_mem other = clCreateImage(cl.context, 0, &floats, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_IMAGE_FORMAT_MISMATCH,
          clEnqueueCopyImage(cl.queue, f.image, other, zero, zero, one, 0, NULL, NULL));
    RELEASE_MEM(other);
    const size_t near[3] = {1, 1, 0}, beside[3] = {2, 0, 0};
    FAILS(CL_MEM_COPY_OVERLAP,
          clEnqueueCopyImage(cl.queue, f.image, f.image, zero, near, two, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyImage(cl.queue, f.image, f.image, zero, beside, two, 0, NULL, NULL));
    close_fixture(&f);
}

static void copy_with_buffer_errors(void)
{
    image_need();
    struct fixture f;
    open_fixture(&f);
    cl_command_queue q = cl.queue;
    cl_int rc;
    cl_mem foreign = clCreateBuffer(f.other, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
#define OUT(q, image, origin, region, count, list)                                                 \
    clEnqueueCopyImageToBuffer(q, image, f.buffer, origin, region, 0, count, list, NULL)
#define IN(q, image, origin, region, count, list)                                                  \
    clEnqueueCopyBufferToImage(q, f.buffer, image, 0, origin, region, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, OUT);
    BOX_ERRORS(FAILS, WRONG, IN);
    const size_t all[3] = {6, 5, 1};
    const struct {
        cl_mem buffer;
        const size_t *region;
        size_t offset;
        cl_int code;
    } rows[] = {
        {NULL, one, 0, CL_INVALID_MEM_OBJECT},
        {foreign, one, 0, CL_INVALID_CONTEXT},
        {f.buffer, one, 61, CL_INVALID_VALUE},
        {f.buffer, one, 65, CL_INVALID_VALUE},
        {f.buffer, one, SIZE_MAX - 3, CL_INVALID_VALUE},
        {f.buffer, all, 0, CL_INVALID_VALUE},
        {f.buffer, one, 60, CL_SUCCESS},
        {f.buffer, two, 48, CL_SUCCESS},
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        FAILS(rows[i].code,
              clEnqueueCopyImageToBuffer(q, f.image, rows[i].buffer, zero, rows[i].region,
                                         rows[i].offset, 0, NULL, NULL));
        FAILS(rows[i].code, clEnqueueCopyBufferToImage(q, rows[i].buffer, f.image, rows[i].offset,
                                                       zero, rows[i].region, 0, NULL, NULL));
    }
    RELEASE_MEM(foreign);
    close_fixture(&f);
}

/* ---- other calls that take images ------------------------------------------------------------ */

static void kernel_arguments(void)
{
    image_need();
    struct fixture f;
    open_fixture(&f);
    cl_mem input = image_new(CL_MEM_READ_ONLY, image_plane(4, 4), NULL),
           output = image_new(CL_MEM_WRITE_ONLY, image_plane(4, 4), NULL);
    cl_kernel kernel = new_kernel("kernel void k(read_only image2d_t a, write_only image2d_t b,"
                                  " sampler_t s) {"
                                  " int2 at = (int2)(get_global_id(0), 0);"
                                  " write_imagef(b, at, read_imagef(a, s, at)); }",
                                  "k", "");
    cl_int rc;
    cl_sampler sampler =
        clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof input, &input));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof output, &output));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof f.image, &f.image));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof f.image, &f.image));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof sampler, &sampler));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof output, &output));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof input, &input));
    WRONG(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof f.buffer, &f.buffer));
    WRONG(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof sampler, &sampler));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &input));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 4, &sampler));
    WRONG(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 2, sizeof input, &input));
    FAILS(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 2, sizeof sampler, NULL));
    /* images migrate like buffers; the reference count says who holds them */
    cl_mem both[2] = {input, f.buffer};
    CHECK_OK(
        clEnqueueMigrateMemObjects(cl.queue, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    run_1d(kernel, 4, 0);
    cl_uint refs = 0;
    CHECK_OK(clGetMemObjectInfo(f.image, CL_MEM_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK_EQ(refs, 1);
    RELEASE_KERNEL(kernel);
    CHECK_OK(clReleaseSampler(sampler));
    RELEASE_MEM(input);
    RELEASE_MEM(output);
    close_fixture(&f);
}

static void command_types(void)
{
    image_need();
    cl_mem image = image_new(0, image_plane(4, 4), NULL),
           other = image_new(0, image_plane(4, 4), NULL), buffer = new_buffer(0, 64, NULL);
    const cl_float color[4] = {0};
    cl_event events[7] = {0};
    size_t row;
    cl_command_queue q = cl.queue;
    CHECK_OK(clEnqueueWriteImage(q, image, CL_FALSE, zero, two, 0, 0, memory, 0, NULL, &events[0]));
    CHECK_OK(clEnqueueReadImage(q, image, CL_FALSE, zero, two, 0, 0, memory, 0, NULL, &events[1]));
    CHECK_OK(clEnqueueCopyImage(q, image, other, zero, zero, two, 1, events, &events[2]));
    CHECK_OK(clEnqueueCopyImageToBuffer(q, image, buffer, zero, two, 0, 0, NULL, &events[3]));
    CHECK_OK(clEnqueueCopyBufferToImage(q, buffer, image, 0, zero, two, 0, NULL, &events[4]));
    CHECK_OK(clEnqueueFillImage(q, image, color, zero, two, 0, NULL, &events[5]));
    void *at = clEnqueueMapImage(q, image, CL_FALSE, CL_MAP_READ, zero, two, &row, NULL, 0, NULL,
                                 &events[6], ERR);
    CHECK(at);
    static const cl_command_type want[] = {CL_COMMAND_WRITE_IMAGE,
                                           CL_COMMAND_READ_IMAGE,
                                           CL_COMMAND_COPY_IMAGE,
                                           CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                                           CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                                           CL_COMMAND_FILL_IMAGE,
                                           CL_COMMAND_MAP_IMAGE};
    CHECK_OK(clWaitForEvents(7, events));
    for (size_t i = 0; i < LEN(want); i++) {
        cl_command_type type = 0;
        CHECK_OK(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        CHECK_EQ(type, want[i]);
        RELEASE_EVENT(events[i]);
    }
    CHECK_OK(clEnqueueUnmapMemObject(q, image, at, 0, NULL, NULL));
    RELEASE_MEM(image);
    RELEASE_MEM(other);
    RELEASE_MEM(buffer);
    CHECK_OK(clFinish(q));
}

static const struct test_case cases[] = {
    CASE(read_write_errors),       CASE(fill_errors),      CASE(map_errors),    CASE(copy_errors),
    CASE(copy_with_buffer_errors), CASE(kernel_arguments), CASE(command_types),
};
TEST_MAIN("image commands", cases)
