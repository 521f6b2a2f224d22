/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorded command has to come behind: the one before it takes its time, so that who does
 * not wait is seen. Each kind of dependency, on queues of both orders. */
#include "command_buffer_help.h"

#include <stdint.h>

static const char source[] =
    /* about a millisecond until it reads `from`, and then as long until it writes `to` */
    "uint spin(uint v, uint turns) {\n"
    "    for (uint i = 0; i < turns; i++) v = v * 1664525u + 1013904223u;\n"
    "    return v; }\n"
    "kernel void slow(global uint *to, global const uint *from, uint turns) {\n"
    "    uint zero = spin(turns, turns) == 12345 ? turns : 0;\n"
    "    uint value = from[zero];\n"
    "    to[0] = value * 5u + 2u + (spin(value, turns) == 54321 ? turns : 0); }\n"
    "kernel void quick(global uint *to, global const uint *from) { to[0] = from[0] * 3u + 1u; }\n"
    "kernel void join(global uint *to, global const uint *a, global const uint *b) {\n"
    "    to[0] = a[0] * 7u + b[0]; }\n";

enum { ROUNDS = 4, TURNS = 300000, PLACES = 4 };

static struct {
    cl_program program;
    cl_kernel slow, quick, join;
    cl_mem places[PLACES];
    cl_command_queue loose;
    uint32_t want[PLACES];
} bed;

static void set_up(void)
{
    cb_need();
    const cl_uint turns = TURNS;
    bed.program = built(source, NULL);
    bed.slow = kernel_of(bed.program, "slow");
    bed.quick = kernel_of(bed.program, "quick");
    bed.join = kernel_of(bed.program, "join");
    ARG(bed.slow, 2, turns);
    bed.loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (uint32_t i = 0; i < PLACES; i++) {
        bed.want[i] = i * 1000 + 17;
        bed.places[i] = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof(cl_uint), &bed.want[i]);
    }
}

static void tear_down(void)
{
    for (int i = 0; i < PLACES; i++)
        RELEASE_MEM(bed.places[i]);
    RELEASE_KERNEL(bed.slow);
    RELEASE_KERNEL(bed.quick);
    RELEASE_KERNEL(bed.join);
    RELEASE_PROGRAM(bed.program);
    RELEASE_QUEUE(bed.loose);
}

static cl_sync_point_khr slow(cl_command_buffer_khr buffer, int to, int from, cl_uint count,
                              const cl_sync_point_khr *points)
{
    ARG(bed.slow, 0, bed.places[to]);
    ARG(bed.slow, 1, bed.places[from]);
    return cb_launch(buffer, bed.slow, 1, count, points);
}

static cl_sync_point_khr quick(cl_command_buffer_khr buffer, int to, int from, cl_uint count,
                               const cl_sync_point_khr *points)
{
    ARG(bed.quick, 0, bed.places[to]);
    ARG(bed.quick, 1, bed.places[from]);
    return cb_launch(buffer, bed.quick, 1, count, points);
}

/* The same in C. */
static void slow_here(int to, int from)
{
    bed.want[to] = bed.want[from] * 5u + 2u;
}

static void quick_here(int to, int from)
{
    bed.want[to] = bed.want[from] * 3u + 1u;
}

static void check_places(const char *what)
{
    for (int i = 0; i < PLACES; i++) {
        cl_uint got = 0;
        read_back(bed.places[i], sizeof got, &got);
        if (got != bed.want[i])
            check_fail(__FILE__, __LINE__, "%s: place %d is %u, not %u", what, i, got, bed.want[i]);
    }
}

/* On the queue it was made for, and on one that orders nothing by itself. */
static void run_everywhere(cl_command_buffer_khr buffer, void (*here)(void), const char *what)
{
    cb_finalize(buffer);
    for (int round = 0; round < ROUNDS; round++) {
        const cl_uint other = round % 2;
        CHECK_OK(cb.enqueue(other, other ? &bed.loose : NULL, buffer, 0, NULL, NULL));
        CHECK_OK(clFinish(other ? bed.loose : cl.queue));
        if (!other)
            CHECK_OK(clFinish(bed.loose));
        here();
        check_places(what);
    }
    cb_release(buffer);
}

/* ---- the second command needs the first ------------------------------------------------------ */

enum edge { BY_POINT, BY_BARRIER_WITH_LIST, BY_BARRIER, BY_CHAIN_OF_BARRIERS, BY_QUEUE, EDGES };
static const char *const edge_names[EDGES] = {"sync-point", "barrier with a list", "barrier",
                                              "barriers", "queue"};

/* How many points of `point` the next command has to name. */
static cl_uint depend(cl_command_buffer_khr buffer, enum edge edge, cl_sync_point_khr *point)
{
    switch (edge) {
    case BY_POINT:
        return 1;
    case BY_BARRIER_WITH_LIST:
        REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 1, point, NULL, NULL));
        return 0;
    case BY_BARRIER:
        REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
        return 0;
    case BY_CHAIN_OF_BARRIERS: /* the last of which is waited for by name */
        REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
        REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 1, point, point, NULL));
        return 1;
    default:
        return 0;
    }
}

static cl_command_buffer_khr begin(enum edge edge)
{
    return cb_new(edge == BY_QUEUE ? cl.queue : bed.loose, 0);
}

static void read_after_write_here(void)
{
    slow_here(0, 1);
    quick_here(2, 0);
}

static void write_after_read_here(void)
{
    slow_here(2, 0);
    quick_here(0, 1);
}

static void write_after_write_here(void)
{
    slow_here(0, 1);
    quick_here(0, 2);
}

static void pairs(void)
{
    static const struct {
        void (*here)(void);
        int slow[2], quick[2];
    } rows[] = {{read_after_write_here, {0, 1}, {2, 0}},
                {write_after_read_here, {2, 0}, {0, 1}},
                {write_after_write_here, {0, 1}, {0, 2}}};
    set_up();
    for (enum edge edge = 0; edge < EDGES; edge++)
        for (size_t i = 0; i < LEN(rows); i++) {
            cl_command_buffer_khr buffer = begin(edge);
            cl_sync_point_khr point = slow(buffer, rows[i].slow[0], rows[i].slow[1], 0, NULL);
            cl_uint count = depend(buffer, edge, &point);
            quick(buffer, rows[i].quick[0], rows[i].quick[1], count, count ? &point : NULL);
            run_everywhere(buffer, rows[i].here, edge_names[edge]);
        }
    tear_down();
}

/* ---- more than two --------------------------------------------------------------------------- */

static void both_here(void)
{
    slow_here(0, 3);
    slow_here(1, 0);
    quick_here(2, 3);
    bed.want[3] = bed.want[1] * 7u + bed.want[2];
}

/* One waits for all of several, of which some wait themselves; the slowest comes first in the list
 * or last. */
static void all_of_several(void)
{
    set_up();
    for (enum edge edge = 0; edge < EDGES; edge++)
        for (int turned = 0; turned < 2; turned++) {
            cl_command_buffer_khr buffer = begin(edge);
            cl_sync_point_khr points[2], first = slow(buffer, 0, 3, 0, NULL);
            points[turned] =
                slow(buffer, 1, 0, edge == BY_QUEUE ? 0 : 1, edge == BY_QUEUE ? NULL : &first);
            points[!turned] = quick(buffer, 2, 3, 0, NULL);
            cl_uint count = edge == BY_POINT ? 2 : 0;
            if (edge == BY_BARRIER_WITH_LIST)
                REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 2, points, NULL, NULL));
            else if (edge != BY_POINT && edge != BY_QUEUE)
                count = depend(buffer, edge, &points[0]);
            ARG(bed.join, 0, bed.places[3]);
            ARG(bed.join, 1, bed.places[1]);
            ARG(bed.join, 2, bed.places[2]);
            cb_launch(buffer, bed.join, 1, count, count ? points : NULL);
            run_everywhere(buffer, both_here, edge_names[edge]);
        }
    tear_down();
}

static void copied_here(void)
{
    slow_here(0, 3);
    bed.want[1] = bed.want[0];
    bed.want[0] = 99;
    quick_here(2, 1);
}

/* Copies and fills wait as kernels do, and are waited for. */
static void transfers(void)
{
    set_up();
    const cl_uint pattern = 99;
    for (enum edge edge = 0; edge < EDGES; edge++) {
        cl_command_buffer_khr buffer = begin(edge);
        cl_sync_point_khr point = slow(buffer, 0, 3, 0, NULL), copied;
        cl_uint count = depend(buffer, edge, &point);
        REQUIRE_OK(cb.copy(buffer, NULL, NULL, bed.places[0], bed.places[1], 0, 0, sizeof(cl_uint),
                           count, count ? &point : NULL, &copied, NULL));
        point = copied;
        count = depend(buffer, edge, &point);
        REQUIRE_OK(cb.fill(buffer, NULL, NULL, bed.places[0], &pattern, sizeof pattern, 0,
                           sizeof pattern, count, count ? &point : NULL, NULL, NULL));
        quick(buffer, 2, 1, count, count ? &copied : NULL);
        run_everywhere(buffer, copied_here, edge_names[edge]);
    }
    tear_down();
}

static const struct test_case cases[] = {CASE(pairs), CASE(all_of_several), CASE(transfers)};
TEST_MAIN("replay_order", cases)
