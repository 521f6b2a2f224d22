/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same kernels as OpenCL C and as the SPIR-V that clang makes of them: the same values, bit for
 * bit. Numbers are random bits, small numbers, and what lies at the edges of types.
 */
#include <stdbool.h>

#include "cl_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64, LOCAL = 16, IN_WORDS = 16, OUT_WORDS = 96 };

static void need_il(void)
{
    char version[256] = "";
    if (device_version() >= 210)
        CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL));
    if (!version[0])
        check_skip("the device takes no SPIR-V");
}

/* ---- programs -------------------------------------------------------------------------------- */

static char *read_file(const char *folder, const char *name, size_t *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        check_fail(__FILE__, __LINE__, "cannot read %s", path), check_abandon();
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, *bytes + 1);
    CHECK(text && fread(text, 1, *bytes, file) == *bytes);
    fclose(file);
    return text;
}

static cl_program ready(cl_program program)
{
    cl_int rc =
        clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0 -I" SPIRV_SOURCES, NULL, NULL);
    if (!rc)
        return program;
    char *log = build_log(program);
    check_fail(__FILE__, __LINE__, "%s\n%s", code_name(rc), log);
    free(log);
    check_abandon();
    return NULL;
}

static cl_program from_text(const char *name)
{
    char file[64];
    size_t bytes;
    cl_int rc;
    snprintf(file, sizeof file, "%s.cl", name);
    char *text = read_file(SPIRV_SOURCES, file, &bytes);
    cl_program program =
        clCreateProgramWithSource(cl.context, 1, (const char **)&text, &bytes, &rc);
    REQUIRE_OK(rc);
    free(text);
    return ready(program);
}

static cl_program from_il(const char *name)
{
    char file[64];
    size_t bytes;
    cl_int rc;
    snprintf(file, sizeof file, "%s.spv", name);
    char *words = read_file(SPIRV_MODULES, file, &bytes);
    cl_program program = clCreateProgramWithIL(cl.context, words, bytes, &rc);
    REQUIRE_OK(rc);
    free(words);
    return ready(program);
}

/* ---- values ---------------------------------------------------------------------------------- */

static const cl_uint edges[] = {
    0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000, 0x7f800000,
    0xff800000, 0x7fc00000, 0x00800000, 0x007fffff, 0x3ff00000, 0xbff00000, 0x7ff00000, 0x40490fdb,
    0x3c003c00, 0x7c00fc00, 0x0001ffff, 0x4b000000, 0x4f000000, 0x41200000, 0x00ff00ff, 0x40000000};
enum { EDGES = sizeof edges / sizeof *edges };

static cl_uint number(cl_uint at, cl_uint seed)
{
    cl_uint bits = (at * 2654435761u) ^ (seed * 0x9e3779b9u);
    bits ^= bits >> 15;
    bits *= 0x2c1b3c6du;
    bits ^= bits >> 12;
    float small = (float)(bits % 2000) / 100 - 10;
    switch (bits >> 28 & 3) {
    case 0:
        return edges[bits % EDGES];
    case 1:
        memcpy(&bits, &small, sizeof bits);
        return bits;
    case 2:
        return bits % 100;
    default:
        return bits;
    }
}

static void run(cl_program program, const char *name, cl_uint seed, cl_uint *out)
{
    static cl_uint in[ITEMS * IN_WORDS];
    for (cl_uint i = 0; i < ITEMS * IN_WORDS; i++)
        in[i] = number(i, seed);
    memset(out, 0xa5, ITEMS * OUT_WORDS * sizeof *out);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, ITEMS * OUT_WORDS * sizeof *out, out);
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, to);
    ARG(kernel, 1, from);
    run_1d(kernel, ITEMS, LOCAL);
    read_back(to, ITEMS * OUT_WORDS * sizeof *out, out);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

/* Which NaN comes out is nobody's to say. An integer that looks like one has others beside it. */
static bool same(cl_uint a, cl_uint b)
{
    const cl_uint least_nan = 0x7f800001, magnitude = 0x7fffffff;
    return a == b || ((a & magnitude) >= least_nan && (b & magnitude) >= least_nan);
}

static void compare(cl_program text, cl_program il, const char *name, cl_uint seed)
{
    static cl_uint want[ITEMS * OUT_WORDS], got[ITEMS * OUT_WORDS];
    run(text, name, seed, want);
    run(il, name, seed, got);
    for (cl_uint i = 0; i < ITEMS * OUT_WORDS; i++)
        if (!same(want[i], got[i])) {
            check_fail(__FILE__, __LINE__, "%s: item %u, word %u: 0x%08x, not 0x%08x", name,
                       i / OUT_WORDS, i % OUT_WORDS, got[i], want[i]);
            break;
        }
}

static void same_values(const char *file)
{
    char names[65536];
    need_il();
    cl_program text = from_text(file), il = from_il(file);
    CHECK_OK(clGetProgramInfo(text, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    char *rest = names;
    unsigned count = 0;
    for (char *name; (name = strsep(&rest, ";")); count++)
        for (cl_uint seed = 1; seed <= 3; seed++)
            compare(text, il, name, seed);
    CHECK(count > 20);
    RELEASE_PROGRAM(text);
    RELEASE_PROGRAM(il);
}

static void functions_of_numbers(void)
{
    same_values("math");
}

static void integers_and_memory(void)
{
    same_values("integer");
}

static void groups_and_atomics(void)
{
    same_values("group");
}

/* ---- images ---------------------------------------------------------------------------------- */

enum { SIDE = 8, TEXEL_BYTES = 16 };

static const struct {
    cl_image_format format;
    size_t bytes; /* of a texel */
    const char *kind;
} formats[] = {
    {{CL_RGBA, CL_FLOAT}, 16, "floats"},        {{CL_RGBA, CL_UNORM_INT8}, 4, "floats"},
    {{CL_RGBA, CL_SIGNED_INT16}, 8, "ints"},    {{CL_RGBA, CL_SIGNED_INT8}, 4, "ints"},
    {{CL_RGBA, CL_UNSIGNED_INT8}, 4, "uints"},  {{CL_R, CL_UNSIGNED_INT32}, 4, "uints"},
    {{CL_RGBA, CL_UNSIGNED_INT16}, 8, "uints"},
};

static cl_mem image_of(size_t format)
{
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_uint texels[SIDE * SIDE * TEXEL_BYTES / 4];
    cl_int rc;
    for (cl_uint i = 0; i < sizeof texels / 4; i++) {
        float small = (float)(number(i, 9) % 1000) / 500;
        memcpy(&texels[i], &small, sizeof small);
        texels[i] = formats[format].bytes == 16 ? texels[i] : number(i, 9);
    }
    cl_mem image = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &formats[format].format, &desc,
                                 texels, &rc);
    REQUIRE_OK(rc);
    return image;
}

/* Runs the kernel that reads or writes the image; `texels`: what the image is then. */
static void run_image(cl_program program, size_t format, bool reads, cl_sampler sampler,
                      cl_uint *out, cl_uchar *texels)
{
    static cl_uint in[SIDE * SIDE * IN_WORDS];
    const size_t origin[3] = {0, 0, 0}, region[3] = {SIDE, SIDE, 1};
    char name[64];
    for (cl_uint i = 0; i < SIDE * SIDE * IN_WORDS; i++)
        in[i] = number(i, 5);
    memset(out, 0xa5, ITEMS * OUT_WORDS * sizeof *out);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in), image = image_of(format);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, ITEMS * OUT_WORDS * sizeof *out, out);
    snprintf(name, sizeof name, "%s_of_%s", reads ? "reads" : "writes", formats[format].kind);
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, to);
    ARG(kernel, 1, from);
    ARG(kernel, 2, image);
    if (reads)
        ARG(kernel, 3, sampler);
    run_1d(kernel, SIDE * SIDE, LOCAL);
    read_back(to, ITEMS * OUT_WORDS * sizeof *out, out);
    CHECK_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_MEM(image);
}

static void compare_images(cl_program text, cl_program il, size_t format, bool reads,
                           cl_sampler sampler)
{
    static cl_uint want[ITEMS * OUT_WORDS], got[ITEMS * OUT_WORDS];
    static cl_uchar want_texels[SIDE * SIDE * TEXEL_BYTES], got_texels[sizeof want_texels];
    run_image(text, format, reads, sampler, want, want_texels);
    run_image(il, format, reads, sampler, got, got_texels);
    if (memcmp(want, got, sizeof want) || memcmp(want_texels, got_texels, sizeof want_texels))
        check_fail(__FILE__, __LINE__, "format %zu: %s differ", format, reads ? "reads" : "writes");
}

static void images(void)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    cl_int rc;
    need_il();
    cl_program text = from_text("image"), il = from_il("image");
    for (size_t format = 0; format < sizeof formats / sizeof *formats; format++) {
        bool filters = !strcmp(formats[format].kind, "floats");
        compare_images(text, il, format, false, NULL);
        for (unsigned k = 0; k < 4 * (filters ? 2 : 1); k++) {
            cl_sampler sampler = clCreateSampler(cl.context, CL_TRUE, modes[k % 4],
                                                 k < 4 ? CL_FILTER_NEAREST : CL_FILTER_LINEAR, &rc);
            REQUIRE_OK(rc);
            compare_images(text, il, format, true, sampler);
            CHECK_OK(clReleaseSampler(sampler));
        }
    }
    RELEASE_PROGRAM(text);
    RELEASE_PROGRAM(il);
}

static const struct test_case cases[] = {
    CASE(images),
    CASE(functions_of_numbers),
    CASE(integers_and_memory),
    CASE(groups_and_atomics),
};
TEST_MAIN("spirv", cases)
