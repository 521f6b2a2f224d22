/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL's own pipes, arguments of kernels of many items: what is written comes out, whole and
 * once. */
#include "cl_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof *(array))

static const char *const versions[] = {"-cl-std=CL3.0", "-cl-std=CL2.0"};

static int has_feature(const char *name)
{
    cl_name_version features[64];
    size_t size = 0;
    if (clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size))
        return 0;
    for (size_t i = 0; i < size / sizeof *features; i++)
        if (!strcmp(features[i].name, name))
            return 1;
    return 0;
}

static void need_pipes(void)
{
    if (!has_feature("__opencl_c_pipes"))
        check_skip("the device has no pipes");
}

static cl_mem new_pipe(cl_uint bytes, cl_uint packets)
{
    cl_int rc;
    cl_mem made = clCreatePipe(cl.context, 0, bytes, packets, NULL, &rc);
    REQUIRE_OK(rc);
    return made;
}

static cl_mem new_ints(size_t count)
{
    const cl_int zero = 0;
    cl_mem made = new_buffer(CL_MEM_READ_WRITE, count * sizeof zero, NULL);
    REQUIRE_OK(clEnqueueFillBuffer(cl.queue, made, &zero, sizeof zero, 0, count * sizeof zero, 0,
                                   NULL, NULL));
    return made;
}

static cl_int *take(cl_mem mem, size_t count)
{
    cl_int *got = malloc(count * sizeof *got);
    REQUIRE(got);
    read_back(mem, count * sizeof *got, got);
    return got;
}

/* A kernel of (pipe, global int *out). */
static void launch(cl_program program, const char *name, cl_mem pipe, cl_mem out, size_t global,
                   size_t local)
{
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, pipe);
    ARG(kernel, 1, out);
    run_1d(kernel, global, local);
    RELEASE_KERNEL(kernel);
}

/* Each of `count` elements must be `want`. */
static void all_are(cl_mem mem, size_t count, cl_int want)
{
    cl_int *got = take(mem, count);
    for (size_t i = 0; i < count; i++)
        if (got[i] != want) {
            check_fail(__FILE__, __LINE__, "[%zu] is %d, not %d", i, got[i], want);
            break;
        }
    free(got);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* A packet is what NUMBER(packet) is, in all its parts. */
#define PARTS                                                                                      \
    "kernel void put(write_only pipe T p, global int *o) {\n"                                      \
    "    int i = get_global_id(0); T v = MAKE(i); o[i] = write_pipe(p, &v) ? -1 : 1;\n"            \
    "}\n"                                                                                          \
    "kernel void get(read_only pipe T p, global int *o) {\n"                                       \
    "    T v = MAKE(-1);\n"                                                                        \
    "    if (read_pipe(p, &v)) { atomic_inc(o + N); return; }\n"                                   \
    "    int i = NUMBER(v); T w = MAKE(i);\n"                                                      \
    "    if (i >= 0 && i < N && SAME(v, w)) atomic_inc(o + i);\n"                                  \
    "}\n"

#define SCALAR(T)                                                                                  \
    "typedef " T " T;\n"                                                                           \
    "#define MAKE(i) ((T)(i))\n"                                                                   \
    "#define NUMBER(v) ((int)(v))\n"                                                               \
    "#define SAME(v, w) ((v) == (w))\n"
#define VECTOR(T)                                                                                  \
    "typedef " T " T;\n"                                                                           \
    "#define MAKE(i) ((T)(i) + (T)(0, 1, 2))\n"                                                    \
    "#define NUMBER(v) ((int)(v).x)\n"                                                             \
    "#define SAME(v, w) all((v) == (w))\n"
#define STRUCT(BYTES)                                                                              \
    "typedef struct { uchar a[" BYTES "]; } T;\n"                                                  \
    "T MAKE(int n) {\n"                                                                            \
    "    T v;\n"                                                                                   \
    "    for (int i = 0; i < " BYTES "; i++) v.a[i] = i < 2 ? n >> 8 * i : n * 3 + i;\n"           \
    "    return v;\n"                                                                              \
    "}\n"                                                                                          \
    "int NUMBER(T v) { return v.a[0] | v.a[1] << 8; }\n"                                           \
    "int SAME(T v, T w) {\n"                                                                       \
    "    int same = 1;\n"                                                                          \
    "    for (int i = 0; i < " BYTES "; i++) same &= v.a[i] == w.a[i];\n"                          \
    "    return same;\n"                                                                           \
    "}\n"

static void packets_of_any_size(void)
{
    enum { N = 1003 }; /* no multiple of anything */
    static const struct {
        const char *source;
        cl_uint bytes;
    } rows[] = {
        {SCALAR("short") PARTS, 2}, {SCALAR("int") PARTS, 4},     {SCALAR("double") PARTS, 8},
        {VECTOR("int3") PARTS, 16}, {VECTOR("float3") PARTS, 16}, {STRUCT("3") PARTS, 3},
        {STRUCT("24") PARTS, 24},   {STRUCT("100") PARTS, 100},   {STRUCT("1025") PARTS, 1025},
    };
    need_pipes();
    for (size_t r = 0; r < LEN(rows); r++) {
        char options[64];
        snprintf(options, sizeof options, "%s -DN=%d", versions[r % 2], N);
        cl_program program = built(rows[r].source, options);
        cl_mem pipe = new_pipe(rows[r].bytes, N), out = new_ints(N), seen = new_ints(N + 1);
        launch(program, "put", pipe, out, N, 0);
        all_are(out, N, 1);
        launch(program, "get", pipe, seen, N, 0);
        all_are(seen, N, 1);
        launch(program, "get", pipe, seen, 17, 0);
        cl_int *got = take(seen, N + 1);
        CHECK_EQ(got[N], 17); /* it is empty */
        free(got);
        RELEASE_MEM(seen);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
        RELEASE_PROGRAM(program);
    }
}

/* As many writes succeed as there is room for, whatever the items of a vector do. */
static void exactly_full(void)
{
    static const char source[] =
        "kernel void put(write_only pipe int p, global int *o) {\n"
        "    int i = get_global_id(0); if (!write_pipe(p, &i)) atomic_inc(o);\n"
        "}\n"
        "kernel void get(read_only pipe int p, global int *o) {\n"
        "    int v = -7, failed = read_pipe(p, &v);\n"
        "    atomic_inc(failed ? v == -7 ? o + 1 : o + 2 : o + 3);\n"
        "}\n"
        "kernel void ask(read_only pipe int p, global int *o) {\n"
        "    o[4] = get_pipe_num_packets(p); o[5] = get_pipe_max_packets(p);\n"
        "}\n";
    static const cl_uint depths[] = {1, 2, 3, 64, 777, 1000};
    enum { ITEMS = 1000 };
    need_pipes();
    for (size_t d = 0; d < LEN(depths); d++) {
        cl_program program = built(source, versions[d % 2]);
        cl_mem pipe = new_pipe(4, depths[d]), out = new_ints(6);
        launch(program, "put", pipe, out, ITEMS, d % 3 ? 0 : 50);
        launch(program, "ask", pipe, out, 1, 1);
        launch(program, "get", pipe, out, ITEMS, d % 3 ? 0 : 50);
        cl_int *got = take(out, 6), depth = (cl_int)depths[d];
        CHECK_EQ(got[0], depth);
        CHECK_EQ(got[1], ITEMS - depth);
        CHECK_EQ(got[2], 0);
        CHECK_EQ(got[3], depth);
        CHECK_EQ(got[4], depth);
        CHECK_EQ(got[5], depth);
        free(got);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
        RELEASE_PROGRAM(program);
    }
}

/* Items write as many packets as their number says, some under conditions, in one kernel with
 * arithmetic that vectors are good for; the sums tell. */
static void items_that_differ(void)
{
    static const char source[] = "kernel void put(write_only pipe int2 p, global int *o) {\n"
                                 "    int i = get_global_id(0);\n"
                                 "    float x = i;\n"
                                 "    for (int k = 0; k < i % 5; k++) {\n"
                                 "        x = x * 0.5f + 1.0f;\n"
                                 "        if ((i ^ k) % 3 == 0) continue;\n"
                                 "        int2 v = (int2)(i, k);\n"
                                 "        while (write_pipe(p, &v)) ;\n"
                                 "        x += 2.0f;\n"
                                 "    }\n"
                                 "    o[i] = (int)(x * 1024.0f);\n"
                                 "}\n"
                                 "kernel void get(read_only pipe int2 p, global int *o) {\n"
                                 "    int2 v;\n"
                                 "    if (!read_pipe(p, &v)) atomic_add(o + v.x, 1 << 8 * v.y);\n"
                                 "}\n";
    enum { N = 1013 };
    need_pipes();
    cl_program program = built(source, "-cl-std=CL3.0");
    cl_mem pipe = new_pipe(8, 5 * N), out = new_ints(N), sums = new_ints(N);
    launch(program, "put", pipe, out, N, 0);
    launch(program, "get", pipe, sums, 4 * N, 0);
    cl_int *got = take(out, N), *sum = take(sums, N);
    for (int i = 0; i < N; i++) {
        float x = (float)i;
        cl_int want = 0;
        for (int k = 0; k < i % 5; k++) {
            x = x * 0.5f + 1.0f;
            if ((i ^ k) % 3 == 0)
                continue;
            want += 1 << 8 * k;
            x += 2.0f;
        }
        CHECK_EQ(sum[i], want);
        CHECK(abs(got[i] - (cl_int)(x * 1024.0f)) <= 1); /* a product and sum may be one */
    }
    free(got);
    free(sum);
    RELEASE_MEM(sums);
    RELEASE_MEM(out);
    RELEASE_MEM(pipe);
    RELEASE_PROGRAM(program);
}

/* What an item leaves in memory before it writes, another kernel's item finds that has read. */
static void order_of_one_item(void)
{
    static const char source[] =
        "void put_all(write_only pipe int p, int n) { for (int i = 0; i < n; i++) write_pipe(p, "
        "&i); "
        "}\n"
        "int get_one(read_only pipe int p) { int v = -1; read_pipe(p, &v); return v; }\n"
        "kernel void put(write_only pipe int p, global int *o) { put_all(p, 100); }\n"
        "kernel void get(read_only pipe int p, global int *o) {\n"
        "    for (int i = 0; i < 100; i++) o[i] = get_one(p) - i;\n"
        "}\n";
    static const char *const options[] = {"-cl-std=CL3.0", "-cl-std=CL2.0 -cl-opt-disable"};
    need_pipes();
    for (size_t i = 0; i < LEN(options); i++) {
        cl_program program = built(source, options[i]);
        cl_mem pipe = new_pipe(4, 100), out = new_ints(100);
        launch(program, "put", pipe, out, 1, 1);
        launch(program, "get", pipe, out, 1, 1);
        all_are(out, 100, 0);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
        RELEASE_PROGRAM(program);
    }
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* Each item reserves as many as its number says, writes them backwards, and reads likewise. */
static void items_reserve(void)
{
    static const char source[] =
        "kernel void put(write_only pipe int p, global int *o) {\n"
        "    int i = get_global_id(0), n = 1 + i % 4;\n"
        "    reserve_id_t id = reserve_write_pipe(p, n);\n"
        "    if (!is_valid_reserve_id(id)) { atomic_inc(o); return; }\n"
        "    for (int k = n; k-- > 0; ) { int v = 4 * i + k; if (write_pipe(p, id, k, &v)) "
        "atomic_inc(o); }\n"
        "    commit_write_pipe(p, id);\n"
        "}\n"
        "kernel void get(read_only pipe int p, global int *o) {\n"
        "    int v = 0; reserve_id_t id = reserve_read_pipe(p, 2);\n"
        "    if (!is_valid_reserve_id(id)) { atomic_inc(o + 1); return; }\n"
        "    for (int k = 0; k < 2; k++)\n"
        "        if (read_pipe(p, id, 1 - k, &v)) atomic_inc(o); else atomic_inc(o + 2 + v);\n"
        "    commit_read_pipe(p, id);\n"
        "}\n"
        "kernel void beyond(write_only pipe int p, global int *o) {\n"
        "    int v = 3, room = get_pipe_max_packets(p);\n"
        "    o[0] = is_valid_reserve_id(reserve_write_pipe(p, room + 1));\n"
        "    reserve_id_t all = reserve_write_pipe(p, room);\n"
        "    o[1] = is_valid_reserve_id(all);\n"
        "    o[2] = is_valid_reserve_id(reserve_write_pipe(p, 1));\n"
        "    o[3] = write_pipe(p, &v) != 0;\n"
        "    o[4] = write_pipe(p, all, room, &v) != 0;\n"
        "    o[5] = get_pipe_num_packets(p);\n"
        "    for (int i = 0; i < room; i++) write_pipe(p, all, i, &v);\n"
        "    commit_write_pipe(p, all);\n"
        "    o[6] = get_pipe_num_packets(p) == room;\n"
        "}\n";
    enum { ITEMS = 999, PACKETS = 1 * 250 + 2 * 250 + 3 * 250 + 4 * 249 }; /* 1, 2, 3, 4, 1... */
    need_pipes();
    cl_program program = built(source, "-cl-std=CL3.0");
    cl_mem pipe = new_pipe(4, PACKETS), out = new_ints(4 * ITEMS + 2);
    launch(program, "put", pipe, out, ITEMS, 0);
    launch(program, "get", pipe, out, PACKETS / 2, 0);
    cl_int *got = take(out, 4 * ITEMS + 2);
    CHECK_EQ(got[0], 0);
    CHECK_EQ(got[1], 0);
    for (int i = 0; i < 4 * ITEMS; i++)
        CHECK_EQ(got[2 + i], i % 4 <= i / 4 % 4);
    free(got);
    RELEASE_MEM(pipe);
    pipe = new_pipe(4, 13);
    launch(program, "beyond", pipe, out, 1, 1);
    got = take(out, 7);
    for (int i = 0; i < 7; i++)
        CHECK_EQ(got[i], ((const cl_int[]){0, 1, 0, 1, 1, 0, 1})[i]);
    free(got);
    RELEASE_MEM(out);
    RELEASE_MEM(pipe);
    RELEASE_PROGRAM(program);
}

/* What others can read: neither what is reserved for reading, nor what is behind a reservation for
 * writing. The same on each device. */
static void fill_while_reserved(void)
{
    static const char source[] =
        "kernel void put(write_only pipe int p, global int *o) {\n"
        "    int v = 0; for (int i = 0; i < 5; i++) write_pipe(p, &i);\n"
        "    o[0] = get_pipe_num_packets(p);\n"
        "    reserve_id_t a = reserve_write_pipe(p, 2); o[1] = get_pipe_num_packets(p);\n"
        "    write_pipe(p, &v); o[2] = get_pipe_num_packets(p);\n"
        "    reserve_id_t b = reserve_write_pipe(p, 1);\n"
        "    commit_write_pipe(p, b); o[3] = get_pipe_num_packets(p);\n"
        "    commit_write_pipe(p, a); o[4] = get_pipe_num_packets(p);\n"
        "}\n"
        "kernel void get(read_only pipe int p, global int *o) {\n"
        "    int v; o[5] = get_pipe_num_packets(p);\n"
        "    reserve_id_t a = reserve_read_pipe(p, 3); o[6] = get_pipe_num_packets(p);\n"
        "    reserve_id_t b = reserve_read_pipe(p, 2); o[7] = get_pipe_num_packets(p);\n"
        "    read_pipe(p, &v); o[8] = get_pipe_num_packets(p);\n"
        "    commit_read_pipe(p, b); o[9] = get_pipe_num_packets(p);\n"
        "    commit_read_pipe(p, a); o[10] = get_pipe_num_packets(p);\n"
        "    o[11] = get_pipe_max_packets(p);\n"
        "}\n";
    static const cl_int want[] = {5, 5, 5, 5, 9, 9, 6, 4, 3, 3, 3, 11};
    need_pipes();
    for (size_t i = 0; i < LEN(versions); i++) {
        cl_program program = built(source, versions[i]);
        cl_mem pipe = new_pipe(4, 11), out = new_ints(LEN(want));
        launch(program, "put", pipe, out, 1, 1);
        launch(program, "get", pipe, out, 1, 1);
        cl_int *got = take(out, LEN(want));
        for (size_t k = 0; k < LEN(want); k++)
            CHECK_EQ(got[k], want[k]);
        free(got);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
        RELEASE_PROGRAM(program);
    }
}

/* One item holds as many as the device announces; they are given back the other way round. */
static void many_reservations(void)
{
    static const char source[] =
        "kernel void put(write_only pipe int p, global int *o) {\n"
        "    reserve_id_t ids[N];\n"
        "    for (int i = 0; i < N; i++) {\n"
        "        ids[i] = reserve_write_pipe(p, 1);\n"
        "        if (!is_valid_reserve_id(ids[i])) o[0] = -1;\n"
        "    }\n"
        "    for (int i = N; i-- > 0; ) {\n"
        "        write_pipe(p, ids[i], 0, &i); commit_write_pipe(p, ids[i]);\n"
        "    }\n"
        "}\n"
        "kernel void get(read_only pipe int p, global int *o) {\n"
        "    reserve_id_t ids[N]; int v;\n"
        "    for (int i = 0; i < N; i++) ids[i] = reserve_read_pipe(p, 1);\n"
        "    for (int i = N; i-- > 0; ) {\n"
        "        if (!read_pipe(p, ids[i], 0, &v)) o[i] += v - i;\n"
        "        else o[i] = -2;\n"
        "        commit_read_pipe(p, ids[i]);\n"
        "    }\n"
        "}\n";
    char options[64];
    need_pipes();
    cl_uint n = device_uint(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DN=%u", n);
    cl_program program = built(source, options);
    cl_mem pipe = new_pipe(4, n), out = new_ints(n);
    for (int round = 0; round < 2; round++) {
        launch(program, "put", pipe, out, 1, 1);
        launch(program, "get", pipe, out, 1, 1);
        all_are(out, n, 0);
    }
    RELEASE_MEM(out);
    RELEASE_MEM(pipe);
    RELEASE_PROGRAM(program);
}

#define TOGETHER                                                                                   \
    "kernel void put(write_only pipe int p, global int *o) {\n"                                    \
    "    int i = get_global_id(0), n = SIZE;\n"                                                    \
    "    reserve_id_t id = RESERVE(write)(p, n);\n"                                                \
    "    if (is_valid_reserve_id(id)) {\n"                                                         \
    "        int at = ME, v = i;\n"                                                                \
    "        write_pipe(p, id, at, &v);\n"                                                         \
    "        COMMIT(write)(p, id);\n"                                                              \
    "    } else o[i] = -1;\n"                                                                      \
    "}\n"                                                                                          \
    "kernel void get(read_only pipe int p, global int *o) {\n"                                     \
    "    int v = -1, n = SIZE;\n"                                                                  \
    "    reserve_id_t id = RESERVE(read)(p, n);\n"                                                 \
    "    if (is_valid_reserve_id(id)) {\n"                                                         \
    "        read_pipe(p, id, n - 1 - ME, &v);\n"                                                  \
    "        COMMIT(read)(p, id);\n"                                                               \
    "        atomic_inc(o + v);\n"                                                                 \
    "    }\n"                                                                                      \
    "}\n"
#define OF_GROUPS                                                                                  \
    "#define SIZE get_local_size(0)\n"                                                             \
    "#define ME get_local_id(0)\n"                                                                 \
    "#define RESERVE(op) work_group_reserve_##op##_pipe\n"                                         \
    "#define COMMIT(op) work_group_commit_##op##_pipe\n"
#define OF_SUB_GROUPS                                                                              \
    "#define SIZE get_sub_group_size()\n"                                                          \
    "#define ME get_sub_group_local_id()\n"                                                        \
    "#define RESERVE(op) sub_group_reserve_##op##_pipe\n"                                          \
    "#define COMMIT(op) sub_group_commit_##op##_pipe\n"

static void reserve_together(const char *source)
{
    enum { N = 780 };
    static const size_t locals[] = {1, 13, 65, 260};
    cl_program program = built(source, "-cl-std=CL3.0");
    for (size_t i = 0; i < LEN(locals); i++) {
        cl_mem pipe = new_pipe(4, N), out = new_ints(N);
        launch(program, "put", pipe, out, N, locals[i]);
        launch(program, "get", pipe, out, N, locals[i]);
        all_are(out, N, 1);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
    }
    RELEASE_PROGRAM(program);
}

static void groups_reserve(void)
{
    need_pipes();
    reserve_together(OF_GROUPS TOGETHER);
}

static void sub_groups_reserve(void)
{
    need_pipes();
    if (!has_feature("__opencl_c_subgroups"))
        check_skip("the device has no sub-groups");
    reserve_together(OF_SUB_GROUPS TOGETHER);
}

/* A read that fails leaves alone what is at its address, also what others change at that moment. */
static void failed_reads_write_nothing(void)
{
    static const char source[] =
        "typedef struct { int part[64]; } T;\n"
        "kernel void get(read_only pipe T p, global int *o) {\n"
        "    if (get_global_id(0) & 1) atomic_inc(o + 63);\n"
        "    else for (int i = 0; i < 3; i++) if (!read_pipe(p, (global T *)o)) o[0] = -1;\n"
        "}\n"
        "kernel void get_local(read_only pipe T p, global int *o) {\n"
        "    local T l;\n"
        "    if (get_local_id(0) == 0) l.part[9] = 0;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (get_local_id(0) & 1) atomic_inc((local int *)&l.part[9]);\n"
        "    else if (!read_pipe(p, &l)) o[0] = -1;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) atomic_add(o + 63, l.part[9]);\n"
        "}\n";
    enum { ITEMS = 200000, ROUNDS = 5 };
    need_pipes();
    cl_program program = built(source, "-cl-std=CL3.0");
    cl_mem pipe = new_pipe(256, 4);
    for (int i = 0; i < ROUNDS; i++) {
        cl_mem out = new_ints(64);
        launch(program, i % 2 ? "get_local" : "get", pipe, out, ITEMS, 64);
        cl_int *got = take(out, 64);
        CHECK_EQ(got[0], 0);
        CHECK_EQ(got[63], ITEMS / 2);
        free(got);
        RELEASE_MEM(out);
    }
    RELEASE_MEM(pipe);
    RELEASE_PROGRAM(program);
}

/* ---- at the same time ------------------------------------------------------------------------ */

/* Writers and readers in two queues, many times: what the readers do not get is left in the pipe.
 */
static void both_ends_at_once(void)
{
    static const char source[] =
        "kernel void put(write_only pipe int3 p, global int *o) {\n"
        "    int i = get_global_id(0); int3 v = (int3)(i, 3 * i, -i);\n"
        "    if (write_pipe(p, &v)) o[i] = 1;\n" /* it was full: as if it had been read */
        "}\n"
        "kernel void get(read_only pipe int3 p, global int *o) {\n"
        "    int3 v;\n"
        "    for (int k = 0; k < 3; k++)\n"
        "        if (!read_pipe(p, &v)) atomic_add(o + v.x, v.y == 3 * v.x && v.z == -v.x ? 1 : "
        "9);\n"
        "}\n";
    enum { N = 20011, ROUNDS = 5 };
    static const cl_uint depths[] = {7, 1024, N};
    need_pipes();
    cl_program program = built(source, "-cl-std=CL3.0");
    cl_command_queue other = new_queue(0);
    for (int round = 0; round < ROUNDS; round++) {
        cl_mem pipe = new_pipe(16, depths[round % 3]), out = new_ints(N);
        cl_kernel put = kernel_of(program, "put"), get = kernel_of(program, "get");
        const size_t items = N;
        REQUIRE_OK(clFinish(cl.queue));
        ARG(put, 0, pipe);
        ARG(put, 1, out);
        ARG(get, 0, pipe);
        ARG(get, 1, out);
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, put, 1, NULL, &items, NULL, 0, NULL, NULL));
        REQUIRE_OK(clEnqueueNDRangeKernel(other, get, 1, NULL, &items, NULL, 0, NULL, NULL));
        REQUIRE_OK(clFlush(cl.queue));
        REQUIRE_OK(clFinish(other));
        REQUIRE_OK(clFinish(cl.queue));
        run_1d(get, N, 0); /* the rest */
        all_are(out, N, 1);
        RELEASE_KERNEL(put);
        RELEASE_KERNEL(get);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
    }
    RELEASE_QUEUE(other);
    RELEASE_PROGRAM(program);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* One of so many kernels that their code may be made late; and the program again from its binary.
 */
static void of_many_kernels(void)
{
    enum { KERNELS = 24, N = 301 };
    char source[8192];
    size_t used = 0;
    need_pipes();
    for (int k = 0; k < KERNELS; k++)
        used += (size_t)snprintf(source + used, sizeof source - used,
                                 "kernel void put%d(write_only pipe int p, global int *o) {\n"
                                 "    int v = get_global_id(0) * 7 + %d; write_pipe(p, &v);\n}\n",
                                 k, k);
    snprintf(source + used, sizeof source - used,
             "kernel void get(read_only pipe int p, global int *o) {\n"
             "    int v; if (!read_pipe(p, &v)) atomic_inc(o + (v - 5) / 7);\n}\n");
    cl_program program = built(source, "-cl-std=CL3.0");
    for (int again = 0; again < 2; again++) {
        cl_mem pipe = new_pipe(4, N), out = new_ints(N);
        launch(program, "put5", pipe, out, N, 0);
        launch(program, "get", pipe, out, N, 0);
        all_are(out, N, 1);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
        if (again)
            break;
        size_t size = 0;
        cl_int rc, status;
        REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
        unsigned char *binary = malloc(size);
        REQUIRE(binary);
        REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
        RELEASE_PROGRAM(program);
        program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
                                            (const unsigned char **)&binary, &status, &rc);
        REQUIRE_OK(rc);
        REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
        free(binary);
    }
    RELEASE_PROGRAM(program);
}

/* What only the emulated FPGA has is an error of the build elsewhere, never ignored. */
static void refused(void)
{
    static const struct {
        const char *source, *word;
    } rows[] = {
        {"#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
         "channel int c;\nkernel void k(global int *o) { write_channel_intel(c, 1); }\n",
         "channel"},
        {"kernel void k(write_only pipe int p __attribute__((blocking))) { int v = 1; "
         "write_pipe(p, "
         "&v); }\n",
         "blocking"},
        {"pipe int p;\nkernel void k(global int *o) { write_pipe(p, o); }\n", "function parameter"},
    };
    need_pipes();
    if (!is_sluice() || has_extension("cl_intel_channels"))
        check_skip("the device has channels");
    for (size_t r = 0; r < LEN(rows); r++) {
        cl_program program = new_program(rows[r].source);
        FAILS(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
        char *log = build_log(program);
        if (!strstr(log, "error: ") || !strstr(log, rows[r].word))
            check_fail(__FILE__, __LINE__, "row %zu: %s", r, log);
        free(log);
        RELEASE_PROGRAM(program);
    }
}

static void feature_macro(void)
{
    need_pipes();
    RELEASE_PROGRAM(
        built("#ifndef __opencl_c_pipes\n#error\n#endif\nkernel void k(global int *o) {}\n",
              "-cl-std=CL3.0"));
    RELEASE_PROGRAM(built("kernel void k(global int *pipe) { *pipe = 1; }\n", "-cl-std=CL1.2"));
}

static const struct test_case cases[] = {
    CASE(packets_of_any_size),
    CASE(exactly_full),
    CASE(items_that_differ),
    CASE(order_of_one_item),
    CASE(items_reserve),
    CASE(fill_while_reserved),
    CASE(many_reservations),
    CASE(groups_reserve),
    CASE(sub_groups_reserve),
    CASE(both_ends_at_once),
    CASE(of_many_kernels),
    CASE(failed_reads_write_nothing),
    CASE(refused),
    CASE(feature_macro),
};
TEST_MAIN("pipe", cases)
