/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_unified_shared_memory: commands and kernels, on one device and on two, against plain C.
 */
#include "pointer_sums.h"
#include "reference.h"
#include "usm_help.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1003 };

static unsigned char data[SIZE], back[SIZE];

/* ---- commands -------------------------------------------------------------------------------- */

/* From each kind of memory to each other, the application's own among them. */
static void copies(void)
{
    usm_need();
    static const size_t sizes[] = {1, 7, SIZE, 65537, 3000001};
    const size_t most = sizes[LEN(sizes) - 1] + 16;
    unsigned char *places[USM_KINDS + 1][2], *from = malloc(most), *to = malloc(most);
    REQUIRE(from && to);
    random_fill(from, most);
    for (int kind = 0; kind <= USM_KINDS; kind++)
        for (int i = 0; i < 2; i++)
            REQUIRE(places[kind][i] = kind < USM_KINDS ? usm_alloc(kind, most) : malloc(most));
    for (size_t s = 0; s < LEN(sizes); s++)
        for (int pair = 0; pair < (USM_KINDS + 1) * (USM_KINDS + 1); pair++) {
            unsigned char *a = places[pair % (USM_KINDS + 1)][0],
                          *b = places[pair / (USM_KINDS + 1)][1];
            const size_t size = sizes[s], at = (size_t)pair % 5;
            cl_event event;
            memset(to, 0, size + 1);
            CHECK_OK(usm.copy(cl.queue, CL_FALSE, a + 3, from + at, size, 0, NULL, NULL));
            CHECK_OK(usm.copy(cl.queue, CL_FALSE, b + 5, a + 3, size, 0, NULL, &event));
            CHECK_OK(usm.copy(cl.queue, pair & 1, to, b + 5, size, 0, NULL, NULL));
            usm_check_ended(event, CL_COMMAND_MEMCPY_INTEL);
            if (!(pair & 1))
                CHECK_OK(clFinish(cl.queue));
            CHECK(!memcmp(to, from + at, size) && !to[size]);
        }
    for (int kind = 0; kind <= USM_KINDS; kind++)
        for (int i = 0; i < 2; i++)
            if (kind < USM_KINDS)
                usm_release(places[kind][i]);
            else
                free(places[kind][i]);
    free(from);
    free(to);
}

static void fills(void)
{
    usm_need();
    unsigned char *at[USM_KINDS], pattern[128], *to = malloc(129 * 128);
    REQUIRE(to);
    for (int kind = 0; kind < USM_KINDS; kind++)
        at[kind] = usm_alloc(kind, 129 * 128);
    for (size_t bytes = 1, kind = 0; bytes <= sizeof pattern; bytes *= 2)
        for (size_t count = 1; count < 130; count += 42, kind = (kind + 1) % USM_KINDS) {
            cl_event event;
            unsigned char zero = 0, kept[128];
            random_fill(pattern, sizeof pattern);
            pattern[0] |= 1;
            memcpy(kept, pattern, sizeof kept);
            CHECK_OK(usm.fill(cl.queue, at[kind], &zero, 1, 129 * 128, 0, NULL, NULL));
            CHECK_OK(usm.fill(cl.queue, at[kind] + bytes, pattern, bytes, bytes * count, 0, NULL,
                              &event));
            memset(pattern, 0, sizeof pattern); /* it belongs to us again */
            usm_copy(to, at[kind], 129 * 128);
            usm_check_ended(event, CL_COMMAND_MEMFILL_INTEL);
            size_t wrong = 0;
            for (size_t i = 0; i < 129 * 128; i++)
                wrong += to[i] != (i >= bytes && i < bytes * (count + 1) ? kept[i % bytes] : 0);
            CHECK_EQ(wrong, 0);
        }
    free(to);
    for (int kind = 0; kind < USM_KINDS; kind++)
        usm_release(at[kind]);
}

/* The older form: the low byte of a number. */
static void memset_form(void)
{
    usm_need();
    unsigned char *at = usm_alloc(1, SIZE);
    cl_event event;
    CHECK_OK(usm.set(cl.queue, at, 0, SIZE, 0, NULL, NULL));
    CHECK_OK(usm.set(cl.queue, at + 1, 0x1234, SIZE - 2, 0, NULL, &event));
    usm_check_ended(event, CL_COMMAND_MEMFILL_INTEL);
    usm_copy(back, at, SIZE);
    for (size_t i = 0; i < SIZE; i++)
        REQUIRE(back[i] == (i && i < SIZE - 1 ? 0x34 : 0));
    usm_release(at);
}

/* Nothing to do is a command all the same. */
static void nothing(void)
{
    usm_need();
    unsigned char *at = usm_alloc(1, 64);
    cl_event gate = usm_gate(), filled, copied;
    CHECK_OK(usm.fill(cl.queue, at, data, 4, 0, 1, &gate, &filled));
    CHECK_OK(usm.copy(cl.queue, CL_FALSE, at, data, 0, 0, NULL, &copied));
    CHECK(event_status(filled) > 0 && event_status(copied) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    usm_check_ended(filled, CL_COMMAND_MEMFILL_INTEL);
    usm_check_ended(copied, CL_COMMAND_MEMCPY_INTEL);
    RELEASE_EVENT(gate);
    usm_release(at);
}

/* Hints change nothing, and take their turn like other commands. */
static void hint(unsigned char *at)
{
    cl_event gate = usm_gate(), moved, advised;
    random_fill(data, SIZE);
    usm_copy(at, data, SIZE);
    REQUIRE_OK(usm.migrate(cl.queue, at, SIZE, CL_MIGRATE_MEM_OBJECT_HOST, 1, &gate, &moved));
    REQUIRE_OK(usm.advise(cl.queue, at + 1, SIZE - 1, 0x4208, 0, NULL, &advised));
    CHECK(event_status(moved) > 0 && event_status(advised) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    usm_check_ended(moved, CL_COMMAND_MIGRATEMEM_INTEL);
    usm_check_ended(advised, CL_COMMAND_MEMADVISE_INTEL);
    usm_copy(back, at, SIZE);
    CHECK(!memcmp(back, data, SIZE));
    RELEASE_EVENT(gate);
}

static void hints(void)
{
    usm_need();
    unsigned char *at = usm_alloc(2, SIZE);
    hint(at);
    usm_release(at);
}

/* Where they have no meaning they are ignored. */
static void hints_elsewhere(void)
{
    usm_need();
    for (int kind = 0; kind < 2; kind++) {
        unsigned char *at = usm_alloc(kind, SIZE);
        hint(at);
        usm_release(at);
    }
}

/* A chain over two queues out of order whose links are events alone. */
static void dependencies(void)
{
    usm_need();
    enum { LINKS = 60 };
    cl_command_queue queues[2] = {new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                                  new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    unsigned char *at = usm_alloc(2, SIZE * 2);
    cl_event gate = usm_gate(), link[LINKS];
    for (cl_uint i = 0; i < LINKS; i++) {
        const unsigned char value = (unsigned char)i;
        const cl_event *before = i ? &link[i - 1] : &gate;
        if (i % 3 == 0) /* the first half, then the second half is made of it */
            CHECK_OK(usm.fill(queues[i & 1], at, &value, 1, SIZE, 1, before, &link[i]));
        else if (i % 3 == 1)
            CHECK_OK(usm.copy(queues[i & 1], CL_FALSE, at + SIZE, at, SIZE, 1, before, &link[i]));
        else
            CHECK_OK(usm.migrate(queues[i & 1], at, SIZE, CL_MIGRATE_MEM_OBJECT_HOST, 1, before,
                                 &link[i]));
    }
    CHECK(event_status(link[0]) > 0 && event_status(link[LINKS - 1]) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(usm.copy(queues[0], CL_TRUE, back, at + SIZE, SIZE, 1, &link[LINKS - 1], NULL));
    for (size_t i = 0; i < SIZE; i++)
        REQUIRE(back[i] == LINKS - 3);
    for (cl_uint i = 0; i < LINKS; i++)
        RELEASE_EVENT(link[i]);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queues[0]);
    RELEASE_QUEUE(queues[1]);
    usm_release(at);
}

/* Commands of a queue in order need no events. */
static void in_order(void)
{
    usm_need();
    cl_kernel kernel = new_kernel("kernel void add(global int *x, int n)\n"
                                  "{ x[get_global_id(0)] += n; }",
                                  "add", NULL);
    static int got[SIZE];
    int *x = usm_alloc(1, sizeof got), *y = usm_alloc(0, sizeof got);
    for (int round = 0; round < 20; round++) {
        size_t global = SIZE;
        CHECK_OK(usm.fill(cl.queue, x, &round, sizeof round, sizeof got, 0, NULL, NULL));
        for (int n = 1; n < 5; n++) {
            REQUIRE_OK(usm.set_arg(kernel, 0, x));
            ARG(kernel, 1, n);
            CHECK_OK(
                clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        }
        CHECK_OK(usm.copy(cl.queue, CL_FALSE, y, x, sizeof got, 0, NULL, NULL));
        CHECK_OK(usm.copy(cl.queue, CL_TRUE, got, y, sizeof got, 0, NULL, NULL));
        for (int i = 0; i < SIZE; i++)
            REQUIRE(got[i] == 10 + round);
    }
    usm_release(x);
    usm_release(y);
    RELEASE_KERNEL(kernel);
}

/* What waits for something that failed is not done. */
static void failed_predecessor(void)
{
    usm_need();
    unsigned char *at = usm_alloc(2, SIZE), zero = 0;
    random_fill(data, SIZE);
    usm_copy(at, data, SIZE);
    cl_event gate = usm_gate(), filled;
    CHECK_OK(usm.fill(cl.queue, at, &zero, 1, SIZE, 1, &gate, &filled));
    CHECK_OK(clSetUserEventStatus(gate, -5));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &filled));
    CHECK(event_status(filled) < 0);
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          usm.copy(cl.queue, CL_TRUE, back, at, SIZE, 1, &gate, NULL));
    usm_copy(back, at, SIZE);
    CHECK(!memcmp(back, data, SIZE));
    RELEASE_EVENT(filled);
    RELEASE_EVENT(gate);
    usm_release(at);
}

/* Commands on buffers and images take it as the host's memory. */
static void beside_buffers(void)
{
    usm_need();
    cl_mem mem = new_buffer(0, SIZE, NULL);
    unsigned char *from = usm_alloc(0, SIZE), *to = usm_alloc(0, SIZE);
    random_fill(from, SIZE);
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, SIZE, from, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, SIZE, to, 0, NULL, NULL));
    CHECK(!memcmp(from, to, SIZE));
    RELEASE_MEM(mem);
    usm_release(from);
    usm_release(to);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Starts and insides of allocations of all kinds, NULL, and buffers in between. */
static void arguments(void)
{
    usm_need();
    enum { COUNT = 251, AT = 17 };
    static int a[COUNT], b[COUNT], got[COUNT];
    cl_kernel kernel = new_kernel(sum_source, "sum", NULL);
    for (int kind = 0; kind < USM_KINDS; kind++) {
        for (int i = 0; i < COUNT; i++) {
            a[i] = (int)random_below(10000);
            b[i] = (int)random_below(10000);
        }
        int *sa = usm_alloc(kind, sizeof a),
            *sb = usm_alloc((kind + 1) % USM_KINDS, sizeof b + AT * sizeof *b),
            *sc = usm_alloc((kind + 2) % USM_KINDS, sizeof got);
        usm_copy(sa, a, sizeof a);
        usm_copy(sb + AT, b, sizeof b);
        CHECK_OK(usm.set_arg(kernel, 0, sa));
        CHECK_OK(usm.set_arg(kernel, 1, sb + AT));
        CHECK_OK(usm.set_arg(kernel, 2, sc));
        run_1d(kernel, COUNT, 0);
        usm_copy(got, sc, sizeof got);
        check_sums(got, a, b, COUNT);
        CHECK_OK(usm.set_arg(kernel, 1, NULL));
        run_1d(kernel, COUNT, 0);
        usm_copy(got, sc, sizeof got);
        check_sums(got, a, NULL, COUNT);
        cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
        ARG(kernel, 1, buffer);
        run_1d(kernel, COUNT, 0);
        usm_copy(got, sc, sizeof got);
        check_sums(got, a, a, COUNT);
        RELEASE_MEM(buffer);
        CHECK_OK(usm.set_arg(kernel, 1, sb + AT));
        cl_int rc;
        cl_kernel clone = clCloneKernel(kernel, &rc);
        REQUIRE_OK(rc);
        CHECK_OK(usm.set_arg(kernel, 1, NULL));
        run_1d(clone, COUNT, 0);
        usm_copy(got, sc, sizeof got);
        check_sums(got, a, b, COUNT);
        RELEASE_KERNEL(clone);
        usm_release(sa);
        usm_release(sb);
        usm_release(sc);
    }
    /* Since 1.1.0 any value may be set, though not followed. */
    CHECK_OK(usm.set_arg(kernel, 1, &kernel));
    CHECK_OK(usm.set_arg(kernel, 1, (void *)(uintptr_t)0xdead0000));
    RELEASE_KERNEL(kernel);
}

struct table { /* of pointers to all kinds, which no argument names */
    int *in[USM_KINDS];
    struct table *next;
};

static const char *table_source =
    "struct table { global int *in[3]; global struct table *next; };\n"
    "kernel void add(global struct table *table)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    for (int times = 1; table; table = table->next, times++) {\n"
    "        int sum = 0;\n"
    "        for (int k = 0; k < 3; k++)\n"
    "            sum += table->in[k][i] * (k + 1);\n"
    "        for (int k = 0; k < 3; k++)\n"
    "            table->in[k][i] = sum * times + k;\n"
    "    }\n"
    "}\n";

static void check_table(struct table *table, int values[2][USM_KINDS][SIZE])
{
    static int got[SIZE];
    for (int n = 0; n < 2; n++, table = table->next)
        for (int kind = 0; kind < USM_KINDS; kind++) {
            usm_copy(got, table->in[kind], sizeof got);
            for (int i = 0; i < SIZE; i++) {
                int sum = values[n][0][i] + values[n][1][i] * 2 + values[n][2][i] * 3;
                REQUIRE(got[i] == sum * (n + 1) + kind);
            }
        }
}

static void fill_table(struct table *table, int values[2][USM_KINDS][SIZE])
{
    for (int n = 0; n < 2; n++, table = table->next)
        for (int kind = 0; kind < USM_KINDS; kind++) {
            for (int i = 0; i < SIZE; i++)
                values[n][kind][i] = (int)random_below(1000);
            usm_copy(table->in[kind], values[n][kind], sizeof values[n][kind]);
        }
}

/* Two tables, the second found through the first, and memory of each kind in both. */
static struct table *make_tables(void)
{
    struct table *first = usm_alloc(0, sizeof *first), *second = usm_alloc(2, sizeof *second);
    first->next = second;
    second->next = NULL;
    for (int kind = 0; kind < USM_KINDS; kind++) {
        first->in[kind] = usm_alloc(kind, SIZE * sizeof(int));
        second->in[kind] = usm_alloc(kind, SIZE * sizeof(int));
    }
    return first;
}

static void release_tables(struct table *table)
{
    for (struct table *next; table; table = next) {
        next = table->next;
        for (int kind = 0; kind < USM_KINDS; kind++)
            usm_release(table->in[kind]);
        usm_release(table);
    }
}

static void indirect(void)
{
    usm_need();
    static int values[2][USM_KINDS][SIZE];
    struct table *tables = make_tables();
    cl_kernel kernel = new_kernel(table_source, "add", NULL);
    const cl_bool yes = CL_TRUE;
    cl_int rc;
    REQUIRE_OK(usm.set_arg(kernel, 0, tables));
    for (cl_kernel_exec_info name = CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL;
         name <= CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL; name++)
        CHECK_OK(clSetKernelExecInfo(kernel, name, sizeof yes, &yes));
    fill_table(tables, values);
    run_1d(kernel, SIZE, 0);
    check_table(tables, values);
    cl_kernel clone = clCloneKernel(kernel, &rc);
    REQUIRE_OK(rc);
    fill_table(tables, values);
    run_1d(clone, SIZE, 0);
    check_table(tables, values);
    release_tables(tables);
    RELEASE_KERNEL(clone);
    RELEASE_KERNEL(kernel);
}

static void named(void)
{
    usm_need();
    static int values[2][USM_KINDS][SIZE];
    struct table *tables = make_tables();
    cl_kernel kernel = new_kernel(table_source, "add", NULL);
    void *all[2 * USM_KINDS + 1] = {tables->next};
    for (int kind = 0; kind < USM_KINDS; kind++) {
        all[1 + kind] = tables->in[kind];
        all[1 + USM_KINDS + kind] = tables->next->in[kind];
    }
    REQUIRE_OK(usm.set_arg(kernel, 0, tables));
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof all, all));
    memset(all, 0, sizeof all); /* it belongs to us again */
    fill_table(tables, values);
    run_1d(kernel, SIZE, 0);
    check_table(tables, values);
    release_tables(tables);
    RELEASE_KERNEL(kernel);
}

/* Memory that no OpenCL call made: the heap, a static array, the stack. */
static void system_memory(void)
{
    usm_need();
    if (!(usm_capabilities(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL) &
          CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL))
        check_skip("the device does not reach all of the host's memory");
    enum { COUNT = 321 };
    static int a[COUNT];
    int *b = malloc(sizeof a), c[COUNT];
    REQUIRE(b);
    for (int i = 0; i < COUNT; i++) {
        a[i] = (int)random_below(10000);
        b[i] = (int)random_below(10000);
        c[i] = 0;
    }
    cl_kernel kernel = new_kernel(sum_source, "sum", NULL);
    REQUIRE_OK(usm.set_arg(kernel, 0, a));
    REQUIRE_OK(usm.set_arg(kernel, 1, b));
    REQUIRE_OK(usm.set_arg(kernel, 2, c));
    if (is_sluice())
        CHECK_OK(usm.migrate(cl.queue, b, sizeof a, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    run_1d(kernel, COUNT, 0);
    check_sums(c, a, b, COUNT);
    free(b);
    RELEASE_KERNEL(kernel);
}

/* Host and kernel count in one place at the same time. */
static void atomics(void)
{
    usm_need();
    enum { ITEMS = 1024, EACH = 100, MINE = 50000 };
    static const cl_device_info names[USM_KINDS] = {
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL};
    cl_kernel kernel = new_kernel("kernel void count(volatile global int *x)\n"
                                  "{\n"
                                  "    for (int i = 0; i < 100; i++)\n"
                                  "        atomic_inc(x);\n"
                                  "}\n",
                                  "count", NULL);
    for (int kind = 0; kind < USM_KINDS; kind += 2) {
        if (!(usm_capabilities(names[kind]) &
              CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL))
            continue;
        atomic_int *x = usm_alloc(kind, 64);
        size_t global = ITEMS;
        atomic_init(x, 0);
        REQUIRE_OK(usm.set_arg(kernel, 0, x));
        CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clFlush(cl.queue));
        for (int i = 0; i < MINE; i++)
            atomic_fetch_add(x, 1);
        CHECK_OK(clFinish(cl.queue));
        CHECK_EQ(atomic_load(x), ITEMS * EACH + MINE);
        usm_release(x);
    }
    RELEASE_KERNEL(kernel);
}

/* ---- several devices ------------------------------------------------------------------------- */

/* Memory of each device in each one's kernels, in turn. */
static void visit_devices(const cl_device_id *devices)
{
    cl_int rc;
    const char *text = "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }";
    static int got[SIZE];
    cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = kernel_of(program, "add");
    cl_command_queue queues[2];
    for (int i = 0; i < 2; i++) {
        queues[i] = clCreateCommandQueue(context, devices[i], 0, &rc);
        REQUIRE_OK(rc);
    }
    for (int kind = 0; kind < USM_KINDS; kind++)
        for (int owner = 0; owner < 2; owner++) {
            const int n = 3, start = 100;
            size_t global = SIZE;
            int *at = usm_alloc_in(context, devices[owner], kind, sizeof got, &rc);
            REQUIRE_OK(rc);
            const struct usm_facts want = {.type = CL_MEM_TYPE_HOST_INTEL + (cl_uint)kind,
                                           .base = at,
                                           .size = sizeof got,
                                           .device = kind ? devices[owner] : NULL};
            usm_check_facts(context, at + 1, &want);
            REQUIRE_OK(
                usm.fill(queues[owner], at, &start, sizeof start, sizeof got, 0, NULL, NULL));
            REQUIRE_OK(usm.set_arg(kernel, 0, at));
            ARG(kernel, 1, n);
            for (int i = 0; i < 4; i++) {
                CHECK_OK(clFinish(queues[(i + owner) & 1]));
                CHECK_OK(clEnqueueNDRangeKernel(queues[(i + owner) & 1], kernel, 1, NULL, &global,
                                                NULL, 0, NULL, NULL));
                CHECK_OK(clFinish(queues[(i + owner) & 1]));
            }
            CHECK_OK(usm.copy(queues[!owner], CL_TRUE, got, at, sizeof got, 0, NULL, NULL));
            for (int i = 0; i < SIZE; i++)
                REQUIRE(got[i] == start + 4 * n);
            CHECK_OK(usm.blocking_free(context, at));
        }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++)
        RELEASE_QUEUE(queues[i]);
    RELEASE_CONTEXT(context);
}

static int reaches_all(cl_device_id device)
{
    cl_device_unified_shared_memory_capabilities_intel has = 0;
    clGetDeviceInfo(device, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, sizeof has, &has,
                    NULL);
    return (has & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) != 0;
}

static void two_devices(void)
{
    usm_need();
    cl_device_id list[16], pair[2] = {cl.device, NULL};
    cl_uint count = 0;
    CHECK_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count));
    for (cl_uint i = 0; i < count && i < LEN(list); i++)
        if (list[i] != cl.device)
            pair[1] = list[i];
    if (!pair[1] || !reaches_all(pair[0]) || !reaches_all(pair[1]))
        check_skip("no second device that reaches the first one's memory");
    visit_devices(pair);
}

static void sub_devices(void)
{
    usm_need();
    const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[64];
    cl_uint count = 0;
    if (clCreateSubDevices(cl.device, by_one, LEN(parts), parts, &count) || count < 2)
        check_skip("no sub-devices");
    visit_devices(parts);
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseDevice(parts[i]));
}

static const struct test_case cases[] = {
    CASE(copies),         CASE(fills),         CASE(memset_form),
    CASE(nothing),        CASE(hints),         CASE(hints_elsewhere),
    CASE(dependencies),   CASE(in_order),      CASE(failed_predecessor),
    CASE(beside_buffers), CASE(arguments),     CASE(indirect),
    CASE(named),          CASE(system_memory), CASE(atomics),
    CASE(two_devices),    CASE(sub_devices),
};
TEST_MAIN("usm_use", cases)
