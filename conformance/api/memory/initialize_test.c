/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_initialize_memory: local and private memory that nobody has written is zeros, whatever ran
 * before. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 8, GROUPS = 37, ITEMS = GROUP * GROUPS, WORDS = 96 };

struct bed {
    cl_context context;
    cl_command_queue queue;
};

static struct bed bed_with(cl_context_memory_initialize_khr what)
{
    const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
                                          CL_CONTEXT_MEMORY_INITIALIZE_KHR,
                                          (cl_context_properties)what, 0};
    cl_context_properties back[8] = {0};
    struct bed bed;
    cl_int rc;
    size_t bytes;
    if (!has_extension("cl_khr_initialize_memory"))
        check_skip("cl_khr_initialize_memory");
    bed.context = clCreateContext(list, 1, &cl.device, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetContextInfo(bed.context, CL_CONTEXT_PROPERTIES, sizeof back, back, &bytes));
    CHECK_EQ(bytes, sizeof list);
    CHECK(!memcmp(back, list, sizeof list));
    bed.queue = clCreateCommandQueue(bed.context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    return bed;
}

static void finish(struct bed *bed)
{
    CHECK_OK(clReleaseCommandQueue(bed->queue));
    RELEASE_CONTEXT(bed->context);
}

static void build(cl_program program, const char *options)
{
    cl_int rc = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
    char *log = build_log(program);
    if (rc)
        check_fail(__FILE__, __LINE__, "%d: %s", rc, log);
    free(log);
    REQUIRE_OK(rc);
}

static cl_program program_of(const struct bed *bed, const char *source, const char *options)
{
    cl_int rc;
    cl_program program = clCreateProgramWithSource(bed->context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    build(program, options);
    return program;
}

/* Each item adds up what it finds and then leaves something there; the sums, by item. `dynamic`:
 * the second argument is local memory of so many bytes. */
static void sums(const struct bed *bed, cl_program program, const char *name, size_t dynamic,
                 cl_uint out[ITEMS])
{
    const size_t global = ITEMS, local = GROUP;
    cl_int rc;
    cl_mem mem = clCreateBuffer(bed->context, 0, ITEMS * sizeof *out, NULL, &rc);
    REQUIRE_OK(rc);
    cl_kernel kernel = kernel_of(program, name);
    set_arg(kernel, 0, sizeof mem, &mem);
    if (dynamic)
        REQUIRE_OK(clSetKernelArg(kernel, 1, dynamic, NULL));
    REQUIRE_OK(clEnqueueNDRangeKernel(bed->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    REQUIRE_OK(
        clEnqueueReadBuffer(bed->queue, mem, CL_TRUE, 0, ITEMS * sizeof *out, out, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

static void expect(const cl_uint *sums, cl_uint (*of)(cl_uint))
{
    for (cl_uint i = 0; i < ITEMS; i++)
        if (sums[i] != of(i)) {
            check_fail(__FILE__, __LINE__, "item %u has %u, not %u", i, sums[i], of(i));
            return;
        }
}

static cl_uint zero(cl_uint item)
{
    (void)item;
    return 0;
}

/* ---- local memory ---------------------------------------------------------------------------- */

static const char locals[] =
    "kernel void fixed(global uint *out) {\n"
    "    local uint a[96]; local uchar b[13];\n"
    "    uint id = get_local_id(0), sum = 0;\n"
    "    for (uint k = id; k < 96; k += 8) sum += a[k];\n"
    "    for (uint k = id; k < 13; k += 8) sum += b[k];\n"
    "    for (uint k = id; k < 96; k += 8) a[k] = 7 + k;\n"
    "    for (uint k = id; k < 13; k += 8) b[k] = 200;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = sum + (a[95 - id] != 102 - id) + (b[id] != 200);\n"
    "}\n"
    "kernel void given(global uint *out, local uint *a) {\n"
    "    uint id = get_local_id(0), sum = 0;\n"
    "    for (uint k = id; k < 96; k += 8) { sum += a[k]; a[k] = 0x1234567; }\n"
    "    out[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void unwritten(global uint *out) {\n"
    "    local uint a[5];\n"
    "    out[get_global_id(0)] = a[get_local_id(0) % 5];\n"
    "}\n"
    "kernel void counted(global uint *out) {\n"
    "    local volatile int n;\n"
    "    atomic_inc(&n);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = n;\n"
    "}\n";

static cl_uint group(cl_uint item)
{
    (void)item;
    return GROUP;
}

static void local_memory(void)
{
    struct bed bed = bed_with(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR);
    cl_program program = program_of(&bed, locals, NULL);
    cl_uint out[ITEMS];
    for (int round = 0; round < 3; round++) {
        sums(&bed, program, "fixed", 0, out);
        expect(out, zero);
        sums(&bed, program, "given", WORDS * sizeof(cl_uint), out);
        expect(out, zero);
        sums(&bed, program, "unwritten", 0, out);
        expect(out, zero);
        sums(&bed, program, "counted", 0, out);
        expect(out, group);
    }
    RELEASE_PROGRAM(program);
    finish(&bed);
}

/* ---- private memory -------------------------------------------------------------------------- */

static const char privates[] =
    "struct pair { uint a; float4 f; uchar tail[3]; };\n"
    "uint step(uint k) { uint fresh; uint was = fresh; fresh = k; return was + (fresh != k); }\n"
    "kernel void values(global uint *out) {\n"
    "    uint a, sum = a; float f; double2 d; struct pair p; uchar3 c;\n"
    "    sum += as_uint(f) + (uint)as_long2(d).y + p.a + as_uint(p.f.z) + p.tail[2] + c.y;\n"
    "    for (uint k = 0; k < 5; k++) { uint again; sum += again; again = k + 3; sum += "
    "step(again); }\n"
    "    out[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void array(global uint *out) {\n"
    "    uint a[96], sum = 0, id = get_global_id(0);\n"
    "    for (uint k = 0; k < 48; k++) a[(k * 7 + id) % 96] += 0;\n"
    "    for (uint k = 0; k < 96; k++) sum += a[k];\n"
    "    for (uint k = 0; k < 96; k++) a[k] = id + k;\n"
    "    out[id] = sum + (a[id % 96] != id + id % 96);\n"
    "}\n"
    "kernel void past_barriers(global uint *out) {\n"
    "    uint a[9], b, id = get_local_id(0); local uint l[8];\n"
    "    l[id] = id;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l[id ^ 1] > 7) { a[id] = 1; b = 1; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint sum = b;\n"
    "    for (uint k = 0; k < 9; k++) sum += a[k];\n"
    "    out[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void sometimes(global uint *out) {\n"
    "    uint id = get_global_id(0), a;\n"
    "    if (id & 1) a = id;\n"
    "    out[id] = a;\n"
    "}\n";

static cl_uint odd(cl_uint item)
{
    return item & 1 ? item : 0;
}

static void check_privates(const struct bed *bed, cl_program program)
{
    static const char *const names[] = {"values", "array", "past_barriers"};
    cl_uint out[ITEMS];
    for (unsigned round = 0; round < 2; round++)
        for (unsigned k = 0; k < LEN(names); k++) {
            sums(bed, program, names[k], 0, out);
            expect(out, zero);
        }
    sums(bed, program, "sometimes", 0, out);
    expect(out, odd);
}

static void private_memory(void)
{
    struct bed bed = bed_with(CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR);
    static const char *const options[] = {NULL, "-cl-opt-disable", "-w -cl-fast-relaxed-math"};
    for (unsigned k = 0; k < LEN(options); k++) {
        cl_program program = program_of(&bed, privates, options[k]);
        check_privates(&bed, program);
        RELEASE_PROGRAM(program);
    }
    finish(&bed);
}

static void linked(void)
{
    struct bed bed =
        bed_with(CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR | CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR);
    const char *source = privates;
    cl_int rc;
    cl_program part = clCreateProgramWithSource(bed.context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clCompileProgram(part, 1, &cl.device, NULL, 0, NULL, NULL, NULL, NULL));
    cl_program program = clLinkProgram(bed.context, 1, &cl.device, NULL, 1, &part, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    check_privates(&bed, program);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(part);
    finish(&bed);
}

static void errors(void)
{
    const cl_context_properties wrong[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1,
                                           CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1, 0};
    struct bed none = bed_with(0); /* nothing is asked for: a context like any other */
    finish(&none);
    CREATE_FAILS(CL_INVALID_PROPERTY, clCreateContext(wrong, 1, &cl.device, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &cl.device, NULL, NULL, ERR));
}

static const struct test_case cases[] = {
    CASE(local_memory),
    CASE(private_memory),
    CASE(linked),
    CASE(errors),
};
TEST_MAIN("api_initialize", cases)
