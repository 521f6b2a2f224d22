/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_external_memory with file descriptors: what a producer writes kernels read, and the other
 * way round, in this process, across fork, between two processes with OpenCL; every refusal.
 */
#include "child.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FD CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
#define DEVICES CL_MEM_DEVICE_HANDLE_LIST_KHR

enum { ITEMS = 5003, BYTES = ITEMS * sizeof(cl_uint) }; /* not a number of whole pages */
static const char source[] = "kernel void step(global uint *a, uint by)\n"
                             "{ size_t i = get_global_id(0); a[i] = a[i] * 3u + by + (uint)i; }";

static clEnqueueAcquireExternalMemObjectsKHR_fn acquire;
static clEnqueueReleaseExternalMemObjectsKHR_fn let_go;

static void need_memory(void)
{
    if (!has_extension("cl_khr_external_memory_opaque_fd"))
        check_skip("cl_khr_external_memory_opaque_fd");
    void *found[] = {
        clGetExtensionFunctionAddressForPlatform(cl.platform,
                                                 "clEnqueueAcquireExternalMemObjectsKHR"),
        clGetExtensionFunctionAddressForPlatform(cl.platform,
                                                 "clEnqueueReleaseExternalMemObjectsKHR"),
    };
    REQUIRE(found[0] && found[1]);
    memcpy(&acquire, &found[0], sizeof acquire);
    memcpy(&let_go, &found[1], sizeof let_go);
}

/* ---- both sides ------------------------------------------------------------------------------ */

static int new_memory(size_t bytes)
{
    int file = memfd_create("shared", MFD_ALLOW_SEALING);
    REQUIRE(file >= 0 && !ftruncate(file, (off_t)bytes));
    return file;
}

static cl_uint *map_memory(int file, size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    REQUIRE(at != MAP_FAILED);
    return at;
}

static cl_mem make(const cl_mem_properties *list, cl_mem_flags flags, size_t size)
{
    return clCreateBufferWithProperties(cl.context, list, flags, size, NULL, ERR);
}

static cl_mem import(int file, cl_mem_flags flags, size_t size)
{
    const cl_mem_properties list[] = {FD, (cl_mem_properties)file, 0};
    cl_mem mem = make(list, flags, size);
    REQUIRE_OK(check_err);
    return mem;
}

static int is_open(int file)
{
    return fcntl(file, F_GETFD) != -1 || errno != EBADF;
}

static cl_uint value(cl_uint round, cl_uint i)
{
    return round * 1000003u + i * 7u;
}

static void fill(cl_uint *at, cl_uint round)
{
    for (cl_uint i = 0; i < ITEMS; i++)
        at[i] = value(round, i);
}

static int is_stepped(const cl_uint *at, cl_uint round, cl_uint by)
{
    cl_uint wrong = 0;
    for (cl_uint i = 0; i < ITEMS; i++)
        wrong += at[i] != value(round, i) * 3u + by + i;
    return !wrong;
}

/* Acquired, run, released, done. */
static void step(cl_mem mem, cl_uint by)
{
    const size_t global = ITEMS;
    cl_kernel kernel = new_kernel(source, "step", NULL);
    cl_event taken, run, given;
    cl_command_type type = 0;
    ARG(kernel, 0, mem);
    ARG(kernel, 1, by);
    REQUIRE_OK(acquire(cl.queue, 1, &mem, 0, NULL, &taken));
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 1, &taken, &run));
    REQUIRE_OK(let_go(cl.queue, 1, &mem, 1, &run, &given));
    CHECK_OK(clWaitForEvents(1, &given));
    CHECK_OK(clGetEventInfo(taken, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
    CHECK_OK(clGetEventInfo(given, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
    RELEASE_EVENT(taken);
    RELEASE_EVENT(run);
    RELEASE_EVENT(given);
    RELEASE_KERNEL(kernel);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The descriptor is ours after the call; the memory lives on without it, and without us. */
static void both_see_it(void)
{
    need_memory();
    int file = new_memory(BYTES);
    cl_uint *mine = map_memory(file, BYTES);
    cl_mem mem = import(file, 0, BYTES);
    CHECK(!is_open(file));
    for (cl_uint round = 1; round < 4; round++) {
        fill(mine, round);
        step(mem, round + 10);
        CHECK(is_stepped(mine, round, round + 10));
    }
    RELEASE_MEM(mem);
    CHECK(is_stepped(mine, 3, 13));
    munmap(mine, BYTES);
}

/* Commands of the host, a map, and a part of the object. */
static void commands(void)
{
    need_memory();
    int file = new_memory(BYTES);
    cl_uint *mine = map_memory(file, BYTES), one = 0x12345678;
    cl_mem mem = import(file, CL_MEM_READ_WRITE, BYTES);
    cl_int rc;
    const size_t from = 4096;
    const cl_buffer_region region = {from, BYTES - from};
    REQUIRE_OK(acquire(cl.queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(clEnqueueFillBuffer(cl.queue, mem, &one, 4, 0, BYTES, 0, NULL, NULL));
    cl_uint *map = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 8, 4, 0,
                                      NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(*map, one);
    *map = 77;
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, mem, map, 0, NULL, NULL));
    cl_mem part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, part, CL_FALSE, BYTES - from - 4, 4,
                                  &(cl_uint){0xabcdef01}, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, let_go(cl.queue, 1, &part, 0, NULL, NULL));
    REQUIRE_OK(let_go(cl.queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    for (cl_uint i = 0; i < ITEMS; i++)
        CHECK_EQ(mine[i], i == 2 ? 77 : i == ITEMS - 1 ? 0xabcdef01 : one);
    RELEASE_MEM(mem);
    CHECK_OK(clEnqueueReadBuffer(cl.queue, part, CL_TRUE, 0, 4, &one, 0, NULL, NULL));
    CHECK_EQ(one, 0x12345678);
    RELEASE_MEM(part);
    munmap(mine, BYTES);
}

/* Each import is an object of its own, in the same context and in another. */
static void several_imports(void)
{
    need_memory();
    int file = new_memory(BYTES);
    cl_uint *mine = map_memory(file, BYTES), got[2] = {0};
    cl_context away = new_context();
    cl_int rc;
    const cl_mem_properties list[] = {FD, (cl_mem_properties)dup(file), 0};
    cl_command_queue there = clCreateCommandQueue(away, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    cl_mem one = import(dup(file), 0, BYTES), two = import(file, 0, 40);
    cl_mem three = clCreateBufferWithProperties(away, list, 0, 20, NULL, &rc);
    REQUIRE_OK(rc);
    fill(mine, 5);
    step(one, 3);
    CHECK_OK(clEnqueueReadBuffer(cl.queue, two, CL_TRUE, 36, 4, &got[0], 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(there, three, CL_TRUE, 16, 4, &got[1], 0, NULL, NULL));
    CHECK_EQ(got[0], value(5, 9) * 3u + 3 + 9);
    CHECK_EQ(got[1], value(5, 4) * 3u + 3 + 4);
    RELEASE_MEM(one);
    RELEASE_MEM(two);
    RELEASE_MEM(three);
    RELEASE_QUEUE(there);
    RELEASE_CONTEXT(away);
    munmap(mine, BYTES);
}

/* By one a kernel finds what it has stored by the other, in loops of one item too, where LLVM
 * itself compares addresses. */
static void both_at_once(void)
{
    static const char sums[] = "kernel void sum(global uint *s, global uint *x, uint n)\n"
                               "{ for (uint i = 0; i < n; i++) s[3] += x[i]; }";
    enum { ROUNDS = 9 };
    const size_t one_item = 1;
    const cl_uint n = ROUNDS;
    need_memory();
    int file = new_memory(BYTES);
    cl_uint *mine = map_memory(file, BYTES), want[ROUNDS];
    cl_mem both[] = {import(dup(file), 0, BYTES), import(file, 0, BYTES)};
    cl_kernel kernel = new_kernel(sums, "sum", NULL);
    fill(mine, 7);
    memcpy(want, mine, sizeof want);
    for (cl_uint i = 0; i < n; i++)
        want[3] += want[i];
    ARG(kernel, 0, both[0]);
    ARG(kernel, 1, both[1]);
    ARG(kernel, 2, n);
    REQUIRE_OK(acquire(cl.queue, 2, both, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one_item, NULL, 0, NULL, NULL));
    REQUIRE_OK(let_go(cl.queue, 2, both, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    CHECK(!memcmp(mine, want, sizeof want));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(both[0]);
    RELEASE_MEM(both[1]);
    munmap(mine, BYTES);
}

/* Of a file that has grown there is more for the next import than there was for the first. */
static void grown(void)
{
    need_memory();
    enum { MORE = 3 * BYTES };
    int file = new_memory(BYTES);
    cl_uint got = 0, last = 0x600d;
    cl_mem first = import(dup(file), 0, BYTES);
    REQUIRE(!ftruncate(file, MORE));
    cl_uint *mine = map_memory(file, MORE);
    fill(mine, 5);
    cl_mem more = import(dup(file), 0, MORE), again = import(file, 0, BYTES);
    RELEASE_MEM(first);
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, more, CL_TRUE, MORE - 4, 4, &last, 0, NULL, NULL));
    CHECK_EQ(mine[MORE / 4 - 1], last);
    step(again, 3);
    CHECK_OK(clEnqueueReadBuffer(cl.queue, more, CL_TRUE, 36, 4, &got, 0, NULL, NULL));
    CHECK_EQ(got, value(5, 9) * 3u + 3 + 9);
    RELEASE_MEM(more);
    RELEASE_MEM(again);
    munmap(mine, MORE);
}

/* A descriptor that only reads gives no memory to write to, whatever another one gave. */
static void opened_to_read(void)
{
    need_memory();
    int file = new_memory(BYTES);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int reads = open(path, O_RDONLY | O_CLOEXEC);
    REQUIRE(reads >= 0);
    cl_mem writable = import(file, 0, BYTES);
    const cl_mem_properties list[] = {FD, (cl_mem_properties)reads, 0};
    CREATE_FAILS(CL_INVALID_PROPERTY, make(list, 0, BYTES));
    CHECK(is_open(reads));
    close(reads);
    RELEASE_MEM(writable);
}

/* An object that nothing writes to is made from memory that nobody may write to. */
static void read_only(void)
{
    need_memory();
    if (!has_extension("cl_ext_immutable_memory_objects"))
        check_skip("cl_ext_immutable_memory_objects");
    int file = new_memory(BYTES);
    cl_uint *mine = map_memory(file, BYTES), got = 0;
    fill(mine, 9);
    munmap(mine, BYTES);
    REQUIRE(!fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK));
    const cl_mem_properties list[] = {FD, (cl_mem_properties)file, 0};
    CREATE_FAILS(CL_INVALID_PROPERTY, make(list, CL_MEM_READ_ONLY, BYTES));
    CHECK(is_open(file));
    cl_mem mem = import(file, CL_MEM_IMMUTABLE_EXT | CL_MEM_READ_ONLY, BYTES);
    CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, BYTES - 4, 4, &got, 0, NULL, NULL));
    CHECK_EQ(got, value(9, ITEMS - 1));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    RELEASE_MEM(mem);
}

/* Other kinds of memory that mmap shares. */
static void kinds(void)
{
    need_memory();
    char name[64];
    snprintf(name, sizeof name, "/sluice-test-%d", (int)getpid());
    int files[] = {shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600), -1,
                   memfd_create("huge", MFD_HUGETLB)};
    shm_unlink(name);
    FILE *plain = tmpfile();
    if (plain)
        files[1] = dup(fileno(plain));
    for (size_t i = 0; i < LEN(files); i++) {
        if (files[i] < 0 || ftruncate(files[i], 1 << 21))
            continue;
        void *mine = mmap(NULL, 1 << 21, PROT_READ | PROT_WRITE, MAP_SHARED, files[i], 0);
        if (mine == MAP_FAILED) /* no huge pages set aside */
            continue;
        fill(mine, 2);
        cl_mem mem = import(files[i], 0, BYTES);
        step(mem, 6);
        CHECK(is_stepped(mine, 2, 6));
        RELEASE_MEM(mem);
        munmap(mine, 1 << 21);
    }
    if (plain)
        fclose(plain);
}

/* ---- images ---------------------------------------------------------------------------------- */

enum { WIDTH = 13, HEIGHT = 7, PITCH = 20 }; /* in elements */
static const cl_image_format words = {CL_R, CL_UNSIGNED_INT32};

static cl_mem new_image(int file, cl_image_desc desc, cl_int *rc)
{
    const cl_mem_properties list[] = {FD, (cl_mem_properties)file, 0};
    return clCreateImageWithProperties(cl.context, list, CL_MEM_READ_WRITE, &words, &desc, NULL,
                                       rc);
}

static cl_image_desc plane(size_t pitch)
{
    return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = WIDTH,
                           .image_height = HEIGHT,
                           .image_row_pitch = pitch};
}

static void run_on_image(cl_mem image)
{
    static const char code[] =
        "kernel void k(read_only image2d_t in, write_only image2d_t out)\n"
        "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "  write_imageui(out, at, read_imageui(in, at) * 5u + (uint)at.x); }";
    const size_t global[] = {WIDTH, HEIGHT};
    cl_kernel kernel = new_kernel(code, "k", NULL);
    ARG(kernel, 0, image);
    ARG(kernel, 1, image);
    REQUIRE_OK(acquire(cl.queue, 1, &image, 0, NULL, NULL));
    run_nd(kernel, 2, NULL, global, NULL);
    REQUIRE_OK(let_go(cl.queue, 1, &image, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_KERNEL(kernel);
}

/* With rows as far apart as the producer has them, or tight; the last one may end early. */
static void images(void)
{
    need_memory();
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    for (int tight = 0; tight < 2; tight++) {
        const size_t row = tight ? WIDTH : PITCH, used = (HEIGHT - 1) * row + WIDTH;
        int file = new_memory(used * 4);
        cl_uint *mine = map_memory(file, used * 4);
        size_t pitch = 0;
        cl_int rc;
        for (cl_uint i = 0; i < used; i++)
            mine[i] = value(4, i);
        cl_mem image = new_image(file, plane(tight ? 0 : PITCH * 4), &rc);
        REQUIRE_OK(rc);
        CHECK_OK(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof pitch, &pitch, NULL));
        CHECK_EQ(pitch, row * 4);
        run_on_image(image);
        for (cl_uint i = 0; i < used; i++) {
            const cl_uint x = i % (cl_uint)row, before = value(4, i);
            CHECK_EQ(mine[i], x < WIDTH ? before * 5u + x : before);
        }
        RELEASE_MEM(image);
        munmap(mine, used * 4);
    }
}

static void image_errors(void)
{
    need_memory();
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    const size_t bytes = ((HEIGHT - 1) * PITCH + WIDTH) * 4;
    int file = new_memory(bytes - 1);
    cl_mem buffer = new_buffer(0, 4096, NULL);
    cl_image_desc over = plane(PITCH * 4), lines = plane(0);
    over.mem_object = buffer;
    lines.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    lines.mem_object = buffer;
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, new_image(file, plane(PITCH * 4), ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, new_image(file, plane(WIDTH * 4 - 4), ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, new_image(file, plane(WIDTH * 4 + 1), ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, new_image(file, over, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, new_image(file, lines, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY, new_image(100000, plane(0), ERR));
    CHECK(is_open(file));
    const cl_image_desc desc = plane(0);
    const cl_mem_properties fd = (cl_mem_properties)file,
                            device = (cl_mem_properties)(uintptr_t)cl.device;
    const struct {
        cl_int code;
        cl_mem_flags flags;
        void *host;
        cl_mem_properties list[8];
    } rows[] = {
        {CL_INVALID_PROPERTY, 0, NULL, {FD, fd, FD, fd, 0}},
        {CL_INVALID_PROPERTY, 0, NULL, {DEVICES, device, 0, 0}},
        {CL_INVALID_DEVICE, 0, NULL, {FD, fd, DEVICES, 0, 0}},
        {CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, NULL, {FD, fd, 0}},
        {CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR, &over, {FD, fd, 0}},
        {CL_INVALID_HOST_PTR, 0, &over, {FD, fd, 0}},
    };
    for (size_t i = 0; i < LEN(rows); i++)
        CREATE_FAILS(rows[i].code,
                     clCreateImageWithProperties(cl.context, rows[i].list, rows[i].flags, &words,
                                                 &desc, rows[i].host, ERR));
    RELEASE_MEM(buffer);
    close(file);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* A producer without OpenCL, which never had the memory's name: it comes through a socket. */
static _Noreturn void produce(int from)
{
    char byte, room[CMSG_SPACE(sizeof(int))];
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    int file;
    if (recvmsg(from, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
        _exit(1);
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    cl_uint *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        _exit(2);
    fill(at, 21);
    if (write(from, &byte, 1) != 1 || read(from, &byte, 1) != 1)
        _exit(3);
    _exit(is_stepped(at, 21, 17) ? 0 : 4);
}

static void send_memory(int to, int file)
{
    char byte = 1, room[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    *CMSG_FIRSTHDR(&message) = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof file), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), &file, sizeof file);
    REQUIRE(sendmsg(to, &message, 0) == 1);
}

static void producer(void)
{
    need_memory();
    int ends[2], status = -1;
    char byte = 0;
    REQUIRE(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    pid_t child = fork();
    if (!child) {
        close(ends[0]); /* so that the end of the one is the other's */
        produce(ends[1]);
    }
    REQUIRE(child > 0);
    close(ends[1]);
    int file = new_memory(BYTES);
    send_memory(ends[0], file);
    cl_mem mem = import(file, 0, BYTES);
    CHECK(read(ends[0], &byte, 1) == 1);
    step(mem, 17);
    CHECK(write(ends[0], &byte, 1) == 1);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
    RELEASE_MEM(mem);
    close(ends[0]);
}

static void env_memory(char *text, size_t size, int file)
{
    snprintf(text, size, "SLUICE_TEST_MEMORY=%d", file);
}

/* The other process has OpenCL, too. */
static void job_step(void)
{
    env_open();
    need_memory();
    cl_mem mem = import(atoi(getenv("SLUICE_TEST_MEMORY")), 0, BYTES);
    step(mem, 5);
    RELEASE_MEM(mem);
    env_close(1);
}

static void two_processes(void)
{
    need_memory();
    int file = new_memory(BYTES);
    char text[64];
    env_memory(text, sizeof text, file);
    const char *const env[] = {text, NULL};
    cl_uint *mine = map_memory(file, BYTES);
    cl_mem mem = import(dup(file), 0, BYTES);
    fill(mine, 33);
    step(mem, 8);
    child_ends(&(struct child_plan){.job = "job_step", .env = env}, 0);
    for (cl_uint i = 0; i < ITEMS; i++)
        CHECK_EQ(mine[i], (value(33, i) * 3u + 8 + i) * 3u + 5 + i);
    RELEASE_MEM(mem);
    close(file);
    munmap(mine, BYTES);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void queries(void)
{
    cl_external_memory_handle_type_khr types[4] = {0};
    cl_mem_properties got[8] = {0};
    cl_mem_flags flags = 0;
    void *host = got;
    size_t bytes = 0;
    need_memory();
    const cl_device_info names[] = {
        CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
        CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR};
    for (size_t i = 0; i < LEN(names); i++) {
        types[0] = 0;
        CHECK_OK(clGetDeviceInfo(cl.device, names[i], sizeof types, types, &bytes));
        CHECK(bytes == sizeof *types && types[0] == FD);
    }
    types[0] = 0;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                               sizeof types, types, &bytes));
    CHECK(!bytes || (bytes == sizeof *types && types[0] == FD));
    int file = new_memory(BYTES);
    const cl_mem_properties list[] = {DEVICES,
                                      (cl_mem_properties)(uintptr_t)cl.device,
                                      CL_MEM_DEVICE_HANDLE_LIST_END_KHR,
                                      FD,
                                      (cl_mem_properties)file,
                                      0};
    cl_mem mem = make(list, CL_MEM_READ_ONLY, BYTES);
    REQUIRE_OK(check_err);
    CHECK(!is_open(file));
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof got, got, &bytes));
    CHECK(bytes == sizeof list && !memcmp(got, list, sizeof list));
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
    CHECK(!host);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK_EQ(flags, CL_MEM_READ_ONLY);
    CHECK_OK(acquire(cl.queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(let_go(cl.queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_MEM(mem);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void creation_errors(void)
{
    need_memory();
    int file = new_memory(BYTES), ends[2];
    char host[BYTES];
    REQUIRE(!pipe(ends));
    const cl_mem_properties fd = (cl_mem_properties)file, none = (cl_mem_properties)-1,
                            device = (cl_mem_properties)(uintptr_t)cl.device,
                            wrong = (cl_mem_properties)(uintptr_t)cl.context;
    const struct {
        cl_int code;
        cl_mem_flags flags;
        size_t size;
        void *host;
        cl_mem_properties list[10];
    } rows[] = {
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {FD, none, 0}},
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {FD, UINT32_MAX, 0}},
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {FD, 100000, 0}},
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {FD, (cl_mem_properties)ends[0], 0}},
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {FD, fd, FD, fd, 0}},
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {FD, fd, 0x7777, 1, 0}},
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {DEVICES, device, 0, 0}},
        {CL_INVALID_PROPERTY, 0, BYTES, NULL, {FD, fd, DEVICES, device, 0, DEVICES, device, 0, 0}},
        {CL_INVALID_DEVICE, 0, BYTES, NULL, {FD, fd, DEVICES, 0, 0}},
        {CL_INVALID_DEVICE, 0, BYTES, NULL, {FD, fd, DEVICES, wrong, 0, 0}},
        {CL_INVALID_DEVICE, 0, BYTES, NULL, {DEVICES, device, wrong, 0, FD, fd, 0}},
        {CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR, BYTES, host, {FD, fd, 0}},
        {CL_INVALID_VALUE, CL_MEM_COPY_HOST_PTR, BYTES, host, {FD, fd, 0}},
        {CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, BYTES, NULL, {FD, fd, 0}},
        {CL_INVALID_VALUE, (cl_mem_flags)1 << 40, BYTES, NULL, {FD, fd, 0}},
        {CL_INVALID_HOST_PTR, 0, BYTES, host, {FD, fd, 0}},
        {CL_INVALID_BUFFER_SIZE, 0, 0, NULL, {FD, fd, 0}},
        {CL_INVALID_BUFFER_SIZE, 0, BYTES + 1, NULL, {FD, fd, 0}},
        {CL_INVALID_BUFFER_SIZE, 0, SIZE_MAX, NULL, {FD, fd, 0}},
    };
    for (size_t i = 0; i < LEN(rows); i++)
        CREATE_FAILS(rows[i].code,
                     clCreateBufferWithProperties(cl.context, rows[i].list, rows[i].flags,
                                                  rows[i].size, rows[i].host, ERR));
    CHECK(is_open(file)); /* it stays the application's */
    int reads = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    const cl_mem_properties unwritable[] = {FD, (cl_mem_properties)reads, 0};
    CREATE_FAILS(CL_INVALID_PROPERTY, make(unwritable, CL_MEM_READ_ONLY, 4096));
    close(reads);
    close(file);
    close(ends[0]);
    close(ends[1]);
}

/* Of a device of the context that is not in the list. */
static void other_device(void)
{
    cl_device_id all[8];
    cl_uint count = 0;
    cl_int rc;
    need_memory();
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(all), all, &count));
    if (count < 2)
        check_skip("one device");
    cl_device_id other = all[0] == cl.device ? all[1] : all[0];
    const cl_device_id both[] = {other, cl.device};
    cl_context context = clCreateContext(NULL, 2, both, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    int file = new_memory(BYTES);
    const cl_mem_properties list[] = {
        FD, (cl_mem_properties)file, DEVICES, (cl_mem_properties)(uintptr_t)cl.device, 0, 0};
    cl_command_queue here = clCreateCommandQueue(context, cl.device, 0, &rc);
    cl_command_queue there = clCreateCommandQueue(context, other, 0, &rc);
    cl_mem mem = clCreateBufferWithProperties(context, list, 0, BYTES, NULL, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_COMMAND_QUEUE, acquire(there, 1, &mem, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, let_go(there, 1, &mem, 0, NULL, NULL));
    CHECK_OK(acquire(here, 1, &mem, 0, NULL, NULL));
    CHECK_OK(let_go(here, 1, &mem, 0, NULL, NULL));
    CHECK_OK(clFinish(here));
    const cl_mem_properties foreign[] = {
        FD, (cl_mem_properties)file, DEVICES, (cl_mem_properties)(uintptr_t)other, 0, 0};
    CREATE_FAILS(CL_INVALID_DEVICE, make(foreign, 0, BYTES));
    RELEASE_MEM(mem);
    RELEASE_QUEUE(here);
    RELEASE_QUEUE(there);
    RELEASE_CONTEXT(context);
}

static void command_errors(void)
{
    need_memory();
    cl_mem mem = import(new_memory(BYTES), 0, BYTES), plain = new_buffer(0, 64, NULL), none = NULL;
    cl_context away = new_context();
    cl_int rc;
    cl_event failed = clCreateUserEvent(cl.context, &rc), foreign = clCreateUserEvent(away, &rc);
    cl_command_queue there = clCreateCommandQueue(away, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetUserEventStatus(failed, -5));
    const clEnqueueAcquireExternalMemObjectsKHR_fn calls[] = {acquire, let_go};
    for (size_t i = 0; i < LEN(calls); i++) {
        clEnqueueAcquireExternalMemObjectsKHR_fn call = calls[i];
        const cl_mem second[] = {mem, plain};
        cl_event event = NULL;
        FAILS(CL_INVALID_COMMAND_QUEUE, call(NULL, 1, &mem, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, call(cl.queue, 0, &mem, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, call(cl.queue, 1, NULL, 0, NULL, NULL));
        FAILS(CL_INVALID_MEM_OBJECT, call(cl.queue, 1, &none, 0, NULL, NULL));
        FAILS(CL_INVALID_MEM_OBJECT, call(cl.queue, 2, second, 0, NULL, NULL));
        FAILS(CL_INVALID_CONTEXT, call(there, 1, &mem, 0, NULL, NULL));
        FAILS(CL_INVALID_CONTEXT, call(cl.queue, 1, &mem, 1, &foreign, NULL));
        FAILS(CL_INVALID_EVENT_WAIT_LIST, call(cl.queue, 1, &mem, 1, NULL, NULL));
        FAILS(CL_INVALID_EVENT_WAIT_LIST, call(cl.queue, 1, &mem, 0, &failed, NULL));
        FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
              call(cl.queue, 1, &mem, 1, &failed, NULL));
        CHECK_OK(call(cl.queue, 0, NULL, 0, NULL, &event)); /* a command without objects */
        CHECK_OK(clWaitForEvents(1, &event));
        RELEASE_EVENT(event);
    }
    RELEASE_MEM(mem);
    RELEASE_MEM(plain);
    RELEASE_EVENT(failed);
    RELEASE_EVENT(foreign);
    RELEASE_QUEUE(there);
    RELEASE_CONTEXT(away);
}

static const struct test_case cases[] = {
    CASE(both_see_it), CASE(commands),        CASE(several_imports), CASE(both_at_once),
    CASE(grown),       CASE(opened_to_read),  CASE(read_only),       CASE(kinds),
    CASE(images),      CASE(image_errors),    CASE(producer),        CASE(two_processes),
    CASE(queries),     CASE(creation_errors), CASE(other_device),    CASE(command_errors),
};
static const struct test_case jobs[] = {CASE(job_step)};
JOBS_MAIN("api_external_memory", cases, jobs)
