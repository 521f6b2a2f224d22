/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooperative matrices beside products (cooperative_product_test.c): queries, what is done element
 * by element, conversions, memory of all kinds, and modules that are refused.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "cooperative.h"
#include "runner.h"
#include "spirv_run.h"

#define FP16 CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP16_KHR
#define FP32 CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP32_KHR
#define FP64 CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP64_KHR
#define SINT8 CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT8_KHR
#define SINT32 CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT32_KHR
#define UINT8 CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT8_KHR

enum { USE_A, USE_B, USE_SUMS };

/* ---- queries --------------------------------------------------------------------------------- */

static void queries(void)
{
    variant all[MOST_VARIANTS], again[MOST_VARIANTS];
    clGetDeviceCooperativeMatrixInfoKHR_sluice_t *query = cooperative_query();
    const size_t count = cooperative_variants(all);
    cl_uint size = SUB_GROUP, number = 0;
    size_t bytes = 1;
    CHECK_OK(query(cl.device, CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR, sizeof size,
                   &size, sizeof again, again, &bytes));
    CHECK_EQ(bytes, count * sizeof *all);
    CHECK(!memcmp(all, again, bytes));
    for (size = 0; size < 128; size++) {
        CHECK_OK(query(cl.device, CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR, sizeof size,
                       &size, 0, NULL, &bytes));
        CHECK_EQ(bytes, size == SUB_GROUP ? count * sizeof *all : 0);
    }
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR,
                             sizeof number, &number, NULL));
    CHECK_EQ(number, 1);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR,
                             sizeof number, &number, NULL));
    CHECK_EQ(number, 1);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(memcmp(&all[i], &all[k], sizeof *all));
}

/* ---- one matrix in, one out ------------------------------------------------------------------ */

struct shape {
    component type;
    unsigned rows, columns, use;
};

struct step {
    const char *name;
    bool real, whole;           /* of which types */
    const char *globals, *code; /* %x and %y are matrices of type %t, %s a number; %z is made */
    double (*want)(double x, double y);
};

static double negated(double x, double y)
{
    (void)y;
    return -x;
}
static double sum(double x, double y)
{
    return x + y;
}
static double difference(double x, double y)
{
    return x - y;
}
static double product(double x, double y)
{
    return x * y;
}
static double quotient(double x, double y)
{
    return x / y;
}
static double whole_quotient(double x, double y)
{
    return trunc(x / y);
}
static double first(double x, double y)
{
    (void)y;
    return x;
}
static double nothing(double x, double y)
{
    (void)x;
    (void)y;
    return 0;
}
static double three(double x, double y)
{
    (void)x;
    (void)y;
    return 3;
}
static double thrice(double x, double y)
{
    (void)y;
    return 3 * x;
}
static double twice(double x, double y)
{
    (void)y;
    return 2 * x;
}

/* Element after element, by a pointer and a number that is not known before. */
#define LOOP(PLUS)                                                                                 \
    "OpStore %mem %x\n%n = OpCooperativeMatrixLengthKHR %uint %t\nOpBranch %lh\n"                  \
    "%lh = OpLabel\n%i = OpPhi %uint %c0 %start %j %lb\n%lg = OpULessThan %bool %i %n\n"           \
    "OpLoopMerge %le %lb 0\nOpBranchConditional %lg %lb %le\n%lb = OpLabel\n"                      \
    "%ep = OpInBoundsAccessChain %pe %mem %i\n%ev = OpLoad %e %ep\n"                               \
    "%ew = " PLUS " %e %ev %ev\nOpStore %ep %ew\n%j = OpIAdd %uint %i %c1\nOpBranch %lh\n"         \
    "%le = OpLabel\n%z = OpLoad %t %mem\n"
#define ARRAY                                                                                      \
    "%q0 = OpInBoundsAccessChain %pt %mems %c0\n%q1 = OpInBoundsAccessChain %pt %mems %c1\n"       \
    "OpStore %q0 %y\nOpStore %q1 %x\n"                                                             \
    "%qx = OpUGreaterThan %bool %sr %c3\n%qi = OpSelect %uint %qx %c1 %c0\n"                       \
    "%q2 = OpInBoundsAccessChain %pt %mems %qi\n%z = OpLoad %t %q2\n"

static const struct step steps[] = {
    {"copy", true, true, "", "%z = OpCopyObject %t %x\n", first},
    {"negate", true, false, "", "%z = OpFNegate %t %x\n", negated},
    {"negate", false, true, "", "%z = OpSNegate %t %x\n", negated},
    {"add", true, false, "", "%z = OpFAdd %t %x %y\n", sum},
    {"add", false, true, "", "%z = OpIAdd %t %x %y\n", sum},
    {"subtract", true, false, "", "%z = OpFSub %t %x %y\n", difference},
    {"subtract", false, true, "", "%z = OpISub %t %x %y\n", difference},
    {"multiply", true, false, "", "%z = OpFMul %t %x %y\n", product},
    {"multiply", false, true, "", "%z = OpIMul %t %x %y\n", product},
    {"divide", true, false, "", "%z = OpFDiv %t %x %y\n", quotient},
    {"divide", false, true, "", "%z = OpSDiv %t %x %y\n", whole_quotient},
    {"scale", true, true, "", "%z = OpMatrixTimesScalar %t %x %s\n", thrice},
    {"fill", true, true, "", "%z = OpCompositeConstruct %t %s\n", three},
    {"null", true, true, "%zero = OpConstantNull %t\n", "%z = OpCopyObject %t %zero\n", nothing},
    {"constant", true, true, "%all = OpConstantComposite %t %e3\n", "%z = OpCopyObject %t %all\n",
     three},
    {"extract and insert", true, true, "",
     "%one = OpCompositeExtract %e %x 0\n%z = OpCompositeInsert %t %one %x 0\n", first},
    {"choose", true, true, "", "%big = OpUGreaterThan %bool %sr %c3\n%z = OpSelect %t %big %x %y\n",
     first},
    {"elements", true, false, "", LOOP("OpFAdd"), twice},
    {"elements", false, true, "", LOOP("OpIAdd"), twice},
    {"call", true, true, "", "%z = OpFunctionCall %t %f %x %y\n", first},
    {"array", true, true, "", ARRAY, first},
};

/* k(x, y, z, s, strides of x and z): y lies as x does. By rows where x is by columns. */
static char *step_module(const struct step *step, const struct shape *shape, unsigned layout,
                         const char *three_bits)
{
    char *text = malloc(8192);
    REQUIRE(text);
    snprintf(
        text, 8192,
        "%s%s%%rows = OpConstant %%uint %u\n%%columns = OpConstant %%uint %u\n"
        "%%use = OpConstant %%uint %u\n%%lx = OpConstant %%uint %u\n%%lz = OpConstant %%uint %u\n"
        "%%e3 = OpConstant %s %s\n"
        "%%t = OpTypeCooperativeMatrixKHR %s %%c3 %%rows %%columns %%use\n"
        "%%p = OpTypePointer 5 %s\n%%pt = OpTypePointer 7 %%t\n%%pe = OpTypePointer 7 %s\n"
        "%%at = OpTypeArray %%t %%c2\n%%pat = OpTypePointer 7 %%at\n"
        "%%ft = OpTypeFunction %%t %%t %%t\n%s"
        "%%kt = OpTypeFunction %%void %%p %%p %%p %s %%uint %%uint\n"
        "%%f = OpFunction %%t 0 %%ft\n%%fx = OpFunctionParameter %%t\n"
        "%%fy = OpFunctionParameter %%t\n%%fl = OpLabel\nOpReturnValue %%fx\nOpFunctionEnd\n"
        "%%k = OpFunction %%void 0 %%kt\n"
        "%%xp = OpFunctionParameter %%p\n%%yp = OpFunctionParameter %%p\n"
        "%%zp = OpFunctionParameter %%p\n%%s = OpFunctionParameter %s\n"
        "%%sr = OpFunctionParameter %%uint\n%%sz = OpFunctionParameter %%uint\n"
        "%%start = OpLabel\n%%mem = OpVariable %%pt 7\n%%mems = OpVariable %%pat 7\n"
        "%%x = OpCooperativeMatrixLoadKHR %%t %%xp %%lx %%sr\n"
        "%%y = OpCooperativeMatrixLoadKHR %%t %%yp %%lx %%sr 1\n%s"
        "OpCooperativeMatrixStoreKHR %%zp %%z %%lz %%sz\nOpReturn\nOpFunctionEnd\n",
        cooperative_head, cooperative_types, shape->rows, shape->columns, shape->use, layout,
        !layout, cooperative_name(shape->type), three_bits, cooperative_name(shape->type),
        cooperative_name(shape->type), cooperative_name(shape->type), step->globals,
        cooperative_name(shape->type), cooperative_name(shape->type), step->code);
    /* The element's own name in code: "%e " and the like. */
    char *made = malloc(12288), *to = made;
    REQUIRE(made);
    for (const char *at = text; *at;) {
        if (!strncmp(at, "%e ", 3)) {
            to += sprintf(to, "%s ", cooperative_name(shape->type));
            at += 3;
        } else {
            *to++ = *at++;
        }
    }
    *to = 0;
    free(text);
    return made;
}

static size_t at(const struct shape *s, unsigned layout, unsigned stride, unsigned row,
                 unsigned column)
{
    (void)s;
    return layout ? (size_t)column * stride + row : (size_t)row * stride + column;
}

/* Small numbers other than 0; z is in another order than x. */
static void run_step(const struct step *step, const struct shape *shape, unsigned layout)
{
    static const char *const threes[] = {
        "16896", "1077936128", "4613937818241073152L", "3", "3", "3", "3L", "3", "3", "3", "3L"};
    enum { MORE = 3 };
    const unsigned bytes = cooperative_bytes(shape->type);
    const cl_uint stride = (layout ? shape->rows : shape->columns) + MORE;
    const cl_uint to_stride = (layout ? shape->columns : shape->rows) + MORE;
    const cl_uint z_stride = to_stride > stride ? to_stride : stride;
    const size_t room = (size_t)64 * 80;
    unsigned char *x = calloc(room, 8), *y = calloc(room, 8), *z = calloc(room, 8), scale[8];
    REQUIRE(x && y && z && z_stride < 80);
    for (unsigned r = 0; r < shape->rows; r++)
        for (unsigned c = 0; c < shape->columns; c++) {
            const size_t i = at(shape, layout, stride, r, c);
            const double sign =
                !cooperative_is_signed(shape->type) && !cooperative_is_real(shape->type) ? 1
                : (r + c) % 3                                                            ? 1
                                                                                         : -1;
            cooperative_put(shape->type, x, i, sign * (1 + (r * 7 + c * 3) % 9));
            cooperative_put(shape->type, y, i, 1 + (r * 5 + c) % 4);
        }
    cooperative_put(shape->type, scale, 0, 3);
    char *text = step_module(step, shape, layout, threes[shape->type]);
    cl_program program = spirv_program(text, 0x10400, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem buffers[3] = {new_buffer(CL_MEM_COPY_HOST_PTR, room * bytes, x),
                         new_buffer(CL_MEM_COPY_HOST_PTR, room * bytes, y),
                         new_buffer(CL_MEM_COPY_HOST_PTR, room * bytes, z)};
    for (unsigned i = 0; i < 3; i++)
        ARG(kernel, i, buffers[i]);
    CHECK_OK(clSetKernelArg(kernel, 3, bytes, scale));
    ARG(kernel, 4, stride);
    ARG(kernel, 5, z_stride);
    run_1d(kernel, SUB_GROUP, SUB_GROUP);
    read_back(buffers[2], room * bytes, z);
    unsigned bad = 0;
    for (unsigned r = 0; r < shape->rows; r++)
        for (unsigned c = 0; c < shape->columns; c++) {
            const size_t i = at(shape, layout, stride, r, c);
            unsigned char rounded[8];
            cooperative_put(
                shape->type, rounded, 0,
                step->want(cooperative_get(shape->type, x, i), cooperative_get(shape->type, y, i)));
            const double want = cooperative_get(shape->type, rounded, 0);
            const double is = cooperative_get(shape->type, z, at(shape, !layout, z_stride, r, c));
            /* Division of half may be by a reciprocal: OpenCL allows an ulp. */
            const double allowed = step->want == quotient ? fabs(want) / 1000 : 0;
            if (fabs(is - want) > allowed && bad++ < 2)
                check_fail(__FILE__, __LINE__,
                           "%s of %u x %u, type %u, use %u: %u, %u is %g, not %g", step->name,
                           shape->rows, shape->columns, shape->type, shape->use, r, c, is, want);
        }
    for (unsigned i = 0; i < 3; i++)
        RELEASE_MEM(buffers[i]);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
    free(x);
    free(y);
    free(z);
}

/* Of each matrix that any product has, once. */
static size_t shapes_of(struct shape out[MOST_VARIANTS])
{
    variant all[MOST_VARIANTS];
    const size_t variants = cooperative_variants(all);
    size_t count = 0;
    for (size_t i = 0; i < variants; i++) {
        const variant *v = &all[i];
        const struct shape three[] = {{v->a_type, v->m_size, v->k_size, USE_A},
                                      {v->b_type, v->k_size, v->n_size, USE_B},
                                      {v->c_type, v->m_size, v->n_size, USE_SUMS}};
        for (unsigned u = 0; u < 3; u++) {
            bool known = cooperative_is_left_out(v);
            for (size_t k = 0; k < count; k++)
                known |= !memcmp(&out[k], &three[u], sizeof *out);
            if (!known)
                out[count++] = three[u];
        }
        REQUIRE(count + 3 < MOST_VARIANTS);
    }
    return count;
}

/* All matrices are copied; those of one shape and use meet each step in turn. */
static void elements(void)
{
    struct shape shapes[MOST_VARIANTS];
    const size_t count = shapes_of(shapes);
    size_t turn = 0;
    for (size_t i = 0; i < count; i++)
        run_step(&steps[0], &shapes[i], i % 2);
    for (size_t k = 1; k < LEN(steps); k++)
        for (size_t i = 0; i < count; i++) {
            const bool real = cooperative_is_real(shapes[i].type);
            const bool is_signed = real || cooperative_is_signed(shapes[i].type);
            if ((real ? steps[k].real : steps[k].whole) && is_signed && turn++ % 9 == 0)
                run_step(&steps[k], &shapes[i], (unsigned)(turn / 9 % 2));
        }
}

/* Kernel "k" of the module, by one sub-group: from x to z, each so many bytes. */
static void run_module(const char *text, size_t x_bytes, void *x, size_t z_bytes, void *z)
{
    cl_program program = spirv_program(text, 0x10300, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, x_bytes, x);
    cl_mem to = new_buffer(0, z_bytes, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    run_1d(kernel, SUB_GROUP, SUB_GROUP);
    read_back(to, z_bytes, z);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* ---- conversions ----------------------------------------------------------------------------- */

static const struct conversion {
    const char *opcode;
    component from, to;
} conversions[] = {
    {"OpFConvert", FP32, FP16},      {"OpFConvert", FP16, FP32},
    {"OpFConvert", FP32, FP64},      {"OpFConvert", FP64, FP32},
    {"OpFConvert", FP64, FP16},      {"OpConvertFToS", FP32, SINT32},
    {"OpConvertFToS", FP16, SINT32}, {"OpConvertSToF", SINT32, FP32},
    {"OpConvertSToF", SINT32, FP64}, {"OpConvertUToF", SINT32, FP32},
    {"OpConvertFToU", FP64, SINT32}, {"OpConvertSToF", SINT32, FP16},
};

static void convert(const struct conversion *c, unsigned rows, unsigned columns, unsigned use)
{
    char text[8192];
    unsigned char x[32 * 32 * 8], z[32 * 32 * 8];
    const bool is_unsigned = strstr(c->opcode, "U");
    snprintf(text, sizeof text,
             "%s%s%%rows = OpConstant %%uint %u\n%%columns = OpConstant %%uint %u\n"
             "%%use = OpConstant %%uint %u\n"
             "%%tx = OpTypeCooperativeMatrixKHR %s %%c3 %%rows %%columns %%use\n"
             "%%tz = OpTypeCooperativeMatrixKHR %s %%c3 %%rows %%columns %%use\n"
             "%%px = OpTypePointer 5 %s\n%%pz = OpTypePointer 5 %s\n"
             "%%kt = OpTypeFunction %%void %%px %%pz\n%%k = OpFunction %%void 0 %%kt\n"
             "%%xp = OpFunctionParameter %%px\n%%zp = OpFunctionParameter %%pz\n%%l = OpLabel\n"
             "%%x = OpCooperativeMatrixLoadKHR %%tx %%xp %%c0 %%columns\n%%z = %s %%tz %%x\n"
             "OpCooperativeMatrixStoreKHR %%zp %%z %%c0 %%columns\nOpReturn\nOpFunctionEnd\n",
             cooperative_head, cooperative_types, rows, columns, use, cooperative_name(c->from),
             cooperative_name(c->to), cooperative_name(c->from), cooperative_name(c->to),
             c->opcode);
    for (unsigned i = 0; i < rows * columns; i++)
        cooperative_put(c->from, x, i,
                        is_unsigned ? (double)(i % 500) : ((double)(i % 501) - 250) * 0.75);
    run_module(text, sizeof x, x, sizeof z, z);
    for (unsigned i = 0; i < rows * columns; i++) {
        unsigned char one[8];
        cooperative_put(c->to, one, 0, cooperative_get(c->from, x, i));
        const double want = cooperative_get(c->to, one, 0), is = cooperative_get(c->to, z, i);
        if (is != want) {
            check_fail(__FILE__, __LINE__, "%s from %u to %u, %u x %u: %u is %g, not %g", c->opcode,
                       c->from, c->to, rows, columns, i, is, want);
            break;
        }
    }
}

static void conversions_keep_places(void)
{
    cooperative_query();
    for (size_t i = 0; i < LEN(conversions); i++) {
        convert(&conversions[i], 1, 16, USE_SUMS);
        convert(&conversions[i], 8, 16, USE_SUMS);
        convert(&conversions[i], 32, 32, USE_SUMS);
        if (cooperative_is_real(conversions[i].from) && cooperative_is_real(conversions[i].to)) {
            convert(&conversions[i], 16, 16, USE_A);
            convert(&conversions[i], 16, 32, USE_B);
        }
    }
}

/* ---- other memory ---------------------------------------------------------------------------- */

/* Types that the module's %c8 x %c16 of the component is read and written by. */
#define MEMORY(capabilities_and_types, body)                                                       \
    "%c8 = OpConstant %uint 8\n%c16 = OpConstant %uint 16\n%c4 = OpConstant %uint 4\n"             \
    "%c5 = OpConstant %uint 5\n%c128 = OpConstant %uint 128\n%c129 = OpConstant %uint 129\n"       \
    "%c17 = OpConstant %uint 17\n"                                                                 \
    "%t = OpTypeCooperativeMatrixKHR %uint %c3 %c8 %c16 %c2\n"                                     \
    "%gp = OpTypePointer 5 %uint\n" capabilities_and_types                                         \
    "%kt = OpTypeFunction %void %gp %gp\n%k = OpFunction %void 0 %kt\n"                            \
    "%x = OpFunctionParameter %gp\n%z = OpFunctionParameter %gp\n%l = OpLabel\n" body              \
    "OpReturn\nOpFunctionEnd\n"

static const struct {
    const char *name, *text;
    unsigned bias; /* where in x the first element is read from */
    bool same_row; /* all rows are the first one */
} memories[] = {
    {"vectors of four and a stride of five",
     MEMORY("%v4 = OpTypeVector %uint 4\n%vp = OpTypePointer 5 %v4\n",
            "%xv = OpBitcast %vp %x\n%m = OpCooperativeMatrixLoadKHR %t %xv %c0 %c5\n"
            "OpCooperativeMatrixStoreKHR %z %m %c0 %c16\n"),
     20, false},
    {"bytes", /* the stride is in bytes */
     MEMORY("%c80 = OpConstant %uint 80\n%bp = OpTypePointer 5 %uchar\n",
            "%xv = OpBitcast %bp %x\n%m = OpCooperativeMatrixLoadKHR %t %xv %c0 %c80\n"
            "OpCooperativeMatrixStoreKHR %z %m %c0 %c16\n"),
     20, false},
    {"a stride of nothing",
     MEMORY("", "%m = OpCooperativeMatrixLoadKHR %t %x %c0 %c0\n"
                "OpCooperativeMatrixStoreKHR %z %m %c0 %c16\n"),
     0, true},
    {"local memory",
     MEMORY("%lt = OpTypeArray %uint %c128\n%lp = OpTypePointer 4 %lt\n"
            "%le = OpTypePointer 4 %uint\n%room = OpVariable %lp 4\n%sem = OpConstant %uint 272\n",
            "%m = OpCooperativeMatrixLoadKHR %t %x %c0 %c17\n"
            "%to = OpInBoundsAccessChain %le %room %c0\n"
            "OpCooperativeMatrixStoreKHR %to %m %c1 %c8 2 4\nOpControlBarrier %c2 %c2 %sem\n"
            "%m2 = OpCooperativeMatrixLoadKHR %t %to %c1 %c8 2 4\n"
            "OpCooperativeMatrixStoreKHR %z %m2 %c0 %c16\n"),
     17, false},
};

static void memory(void)
{
    cl_uint x[8 * 20], z[8 * 16];
    cooperative_query();
    for (cl_uint i = 0; i < LEN(x); i++)
        x[i] = i * 2654435761u;
    for (unsigned k = 0; k < LEN(memories); k++) {
        char text[8192];
        snprintf(text, sizeof text, "%s%s%s", cooperative_head, cooperative_types,
                 memories[k].text);
        run_module(text, sizeof x, x, sizeof z, z);
        for (unsigned i = 0; i < LEN(z); i++)
            if (z[i] != x[(memories[k].same_row ? 0 : i / 16 * memories[k].bias) + i % 16])
                check_fail(__FILE__, __LINE__, "%s: %u", memories[k].name, i);
    }
}

/* The size of sub-groups that a kernel with matrices has, and how many components an item has. */
static void sizes(void)
{
    char text[8192];
    size_t size = 0, local = 64;
    cooperative_query();
    snprintf(text, sizeof text, "%s%s%s", cooperative_head, cooperative_types,
             MEMORY("", "%n = OpCooperativeMatrixLengthKHR %uint %t\nOpStore %z %n\n"));
    cl_program program = spirv_program(text, 0x10300, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    cl_uint length = 0;
    cl_mem buffer = new_buffer(0, sizeof length, NULL);
    CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     sizeof local, &local, sizeof size, &size, NULL));
    CHECK_EQ(size, SUB_GROUP);
    ARG(kernel, 0, buffer);
    ARG(kernel, 1, buffer);
    run_1d(kernel, SUB_GROUP, SUB_GROUP);
    read_back(buffer, sizeof length, &length);
    CHECK_EQ(length, 8);
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* ---- specialization -------------------------------------------------------------------------- */

/* Rows and layout are constants that the program gives. */
static void specialized(void)
{
    static const char module[] = "OpDecorate %rows 1 7\nOpDecorate %layout 1 8\n";
    static const char body[] =
        "%rows = OpSpecConstant %uint 5\n%layout = OpSpecConstant %uint 0\n"
        "%c16 = OpConstant %uint 16\n%t = OpTypeCooperativeMatrixKHR %uint %c3 %rows %c16 %c2\n"
        "%gp = OpTypePointer 5 %uint\n%kt = OpTypeFunction %void %gp %gp\n"
        "%k = OpFunction %void 0 %kt\n%x = OpFunctionParameter %gp\n%z = OpFunctionParameter %gp\n"
        "%l = OpLabel\n%m = OpCooperativeMatrixLoadKHR %t %x %layout %c16\n"
        "OpCooperativeMatrixStoreKHR %z %m %c0 %c16\nOpReturn\nOpFunctionEnd\n";
    char text[8192];
    cl_uint x[256], z[256], rows = 16, layout = 1;
    cooperative_query();
    snprintf(text, sizeof text, "%s%s%s%s", cooperative_head, module, cooperative_types, body);
    cl_program program = spirv_create(text, 0x10300, false);
    CHECK_EQ(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK_OK(clSetProgramSpecializationConstant(program, 7, sizeof rows, &rows));
    CHECK_OK(clSetProgramSpecializationConstant(program, 8, sizeof layout, &layout));
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL));
    cl_kernel kernel = kernel_of(program, "k");
    for (cl_uint i = 0; i < 256; i++)
        x[i] = i * i;
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    cl_mem to = new_buffer(0, sizeof z, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    run_1d(kernel, SUB_GROUP, SUB_GROUP);
    read_back(to, sizeof z, z);
    for (unsigned r = 0; r < 16; r++)
        for (unsigned c = 0; c < 16; c++)
            CHECK_EQ(z[r * 16 + c], x[c * 16 + r]);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* ---- what is refused ------------------------------------------------------------------------- */

#define TYPES                                                                                      \
    "%c8 = OpConstant %uint 8\n%c16 = OpConstant %uint 16\n%c32 = OpConstant %uint 32\n"           \
    "%gp = OpTypePointer 5 %uint\n"
#define TYPE(name, element, rows, columns, use)                                                    \
    "%" name " = OpTypeCooperativeMatrixKHR %" element " %c3 %" rows " %" columns " %" use "\n"
#define BODY(code)                                                                                 \
    "%kt = OpTypeFunction %void %gp\n%k = OpFunction %void 0 %kt\n"                                \
    "%x = OpFunctionParameter %gp\n%l = OpLabel\n" code "OpReturn\nOpFunctionEnd\n"
#define ALL                                                                                        \
    TYPES TYPE("ta", "uchar", "c8", "c32", "c0") TYPE("tb", "uchar", "c32", "c16", "c1") TYPE(     \
        "tc", "uint", "c8", "c16", "c2") TYPE("tf", "float", "c8", "c16", "c2")                    \
        TYPE("th", "half", "c8", "c16", "c0") TYPE("thc", "half", "c8", "c16", "c2") TYPE(         \
            "tl", "uint", "c16", "c16",                                                            \
            "c2") "%na = OpConstantNull %ta\n"                                                     \
                  "%nb = OpConstantNull %tb\n%nc = OpConstantNull %tc\n%nf = OpConstantNull %tf\n" \
                  "%nh = OpConstantNull %th\n%nhc = OpConstantNull %thc\n%nl = OpConstantNull "    \
                  "%tl\n"

/* As LLVM has a matrix `tc`; a function from `takes` to `type` that returns `value`. */
#define VECTOR "%v8 = OpTypeVector %uint 8\n%nv = OpConstantNull %v8\n"
#define FUNCTION(type, value, takes)                                                               \
    "%ft = OpTypeFunction %" type " %" takes "\n%f = OpFunction %" type " 0 %ft\n"                 \
    "%fx = OpFunctionParameter %" takes "\n%fl = OpLabel\nOpReturnValue %" value                   \
    "\nOpFunctionEnd\n"
#define OTHER "is a matrix of another type, or is none"

static const struct {
    const char *text, *why;
} refused[] = {
    {TYPES "%c7 = OpConstant %uint 7\n" TYPE("t", "uint", "c7", "c16", "c2") BODY(""),
     "no product has a matrix accumulator of 7 x 16 integers of 32 bits"},
    {TYPES TYPE("t", "uint", "c16", "c16", "c0") BODY(""), "no product has a matrix A"},
    {TYPES TYPE("t", "ushort", "c8", "c16", "c2") BODY(""), "no product has a matrix accumulator"},
    {TYPES TYPE("t", "uint", "c8", "c16", "c3") BODY(""), "use 3 is not known"},
    {TYPES TYPE("t", "bool", "c8", "c16", "c2") BODY(""), "components are no numbers"},
    {TYPES "%t = OpTypeCooperativeMatrixKHR %uint %c2 %c8 %c16 %c2\n" BODY(""),
     "only sub-groups have matrices"},
    {ALL "%p = OpTypePointer 5 %tc\n" BODY(""), "in variables of functions only"},
    {ALL "%s = OpTypeStruct %uint %tc\n%p = OpTypePointer 4 %s\n" BODY(""),
     "in variables of functions only"},
    {ALL "%two = OpConstantComposite %tc %c1 %c2\n" BODY(""), "made of one number"},
    {ALL "%fc = OpConstantComposite %tf %c1\n" BODY(""), "wrong type"},
    {ALL BODY("%two = OpCompositeConstruct %tc %c1 %c2\n"), "made of one number"},
    {ALL BODY("%one = OpCompositeExtract %uint %nc 8\n"), "there is no part 8"},
    {ALL BODY("%r = OpIAdd %tc %nc %nl\n"), "no matrix of the result's type"},
    {ALL BODY("%r = OpFAdd %thc %nh %nh\n"), "no matrix of the result's type"},
    {ALL BODY("%r = OpFAdd %tc %nc %nc\n"), "wrong type"},
    {ALL BODY("%r = OpBitwiseAnd %tc %nc %nc\n"), "is not for matrices of sub-groups"},
    {ALL BODY("%r = OpIEqual %bool %nc %nc\n"), "is not for matrices of sub-groups"},
    {ALL BODY("%r = OpExtInst %tf %std 14 %nf\n"), "is not for matrices of sub-groups"},
    {ALL BODY("%r = OpFConvert %tf %nh\n"), "uses of the matrices are not the same"},
    {ALL BODY("%r = OpBitcast %tf %nc\n"), "no integers of one width"},
    {ALL BODY("%r = OpMatrixTimesScalar %tl %nc %c3\n"), "wrong type"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %tc %nb %na %nc\n"), "no matrix A"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %ta %na %nb %nc\n"), "no accumulator"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %tc %na %nb %nl\n"), "do not fit each other"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %tf %na %nb %nf\n"), "components of these types"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %tc %na %nb %nc 4\n"),
     "components of these types"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %tf %na %nb %nf 4\n"), "nothing makes signed"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %tc %na %nb %c1\n"), "operand 3 is no matrix"},
    {ALL BODY("%r = OpCooperativeMatrixMulAddKHR %tc %na %nb %nc 64\n"), "are not known"},
    {ALL BODY("%r = OpCooperativeMatrixLoadKHR %tc %x %c0\n"), "there is no stride"},
    {ALL BODY("%r = OpCooperativeMatrixLoadKHR %tc %x %c2 %c16\n"), "layout 2 is not known"},
    {ALL BODY("%r = OpCooperativeMatrixLoadKHR %uint %x %c0 %c16\n"), "no type of matrices"},
    {ALL BODY("OpCooperativeMatrixStoreKHR %x %c1 %c0 %c16\n"), "no matrix"},
    {ALL "%fp = OpTypePointer 7 %uint\n" BODY(
         "%v = OpVariable %fp 7\n%r = OpCooperativeMatrixLoadKHR %tc %v %c0 %c16\n"),
     "global and local memory only"},
    {ALL BODY("%r = OpCooperativeMatrixLengthKHR %uint %uint\n"), "no type of matrices"},
    {ALL "%fp = OpTypePointer 7 %tl\n" BODY("%v = OpVariable %fp 7\nOpStore %v %nc\n"),
     "does not lead to a matrix of this type"},
    {ALL VECTOR BODY("OpBranch %m\n%m = OpLabel\n%p = OpPhi %tc %nv %l\n"), OTHER},
    {ALL VECTOR BODY("OpBranch %m\n%m = OpLabel\n%p = OpPhi %v8 %nc %l\n"), OTHER},
    {ALL BODY("OpBranch %m\n%m = OpLabel\n%p = OpPhi %thc %nh %l\n"), OTHER},
    {ALL VECTOR FUNCTION("tc", "nc", "tc") BODY("%r = OpFunctionCall %tc %f %nv\n"), OTHER},
    {ALL VECTOR FUNCTION("v8", "nv", "v8") BODY("%r = OpFunctionCall %v8 %f %nc\n"), OTHER},
    {ALL FUNCTION("thc", "nhc", "thc") BODY("%r = OpFunctionCall %thc %f %nh\n"), OTHER},
    {ALL VECTOR FUNCTION("v8", "nv", "v8") BODY("%r = OpFunctionCall %tc %f %nv\n"),
     "returns a matrix of another type, or none"},
    {ALL VECTOR FUNCTION("tc", "nv", "tc") BODY(""), OTHER},
    {ALL VECTOR FUNCTION("v8", "nc", "v8") BODY(""), OTHER},
    {ALL FUNCTION("thc", "nh", "thc") BODY(""), OTHER},
};

static void expect_refusal(const char *text, const char *why)
{
    cl_program program = spirv_create(text, 0x10300, false);
    cl_int rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    char *log = build_log(program);
    if (rc != CL_BUILD_PROGRAM_FAILURE || !strstr(log, why))
        check_fail(__FILE__, __LINE__, "%d, log \"%s\" instead of \"%s\" for\n%s", rc, log, why,
                   text);
    free(log);
    RELEASE_PROGRAM(program);
}

static void refusals(void)
{
    char text[8192];
    cooperative_query();
    for (size_t i = 0; i < LEN(refused); i++) {
        snprintf(text, sizeof text, "%s%s%s", cooperative_head, cooperative_types, refused[i].text);
        expect_refusal(text, refused[i].why);
    }
    snprintf(text, sizeof text, "%sOpExecutionMode %%k 35 8\n%s%s", cooperative_head,
             cooperative_types, ALL BODY("%r = OpCooperativeMatrixLoadKHR %tc %x %c0 %c16\n"));
    expect_refusal(text, "cooperative matrices are for sub-groups of 16 items");
    snprintf(text, sizeof text, "%sOpExecutionMode %%k 35 0\n%s%s", cooperative_head,
             cooperative_types, ALL BODY(""));
    expect_refusal(text, "a sub-group has no items");
    snprintf(text, sizeof text, "%s%s%s", cooperative_head, cooperative_types,
             ALL "%kt = OpTypeFunction %void %tc\n%k = OpFunction %void 0 %kt\n"
                 "%x = OpFunctionParameter %tc\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
    expect_refusal(text, "a kernel cannot be given a matrix");
}

static const struct test_case cases[] = {
    CASE(queries),     CASE(elements), CASE(conversions_keep_places), CASE(memory), CASE(sizes),
    CASE(specialized), CASE(refusals),
};
TEST_MAIN("cooperative matrices", cases)
