/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers to functions in modules of SPIR-V: which function is called is known when it runs. */
#include <CL/cl_ext_sluice.h>
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "runner.h"
#include "spirv_run.h"

#define OUT(index, value)                                                                          \
    "%o" #index " = OpInBoundsPtrAccessChain %gp %out %c" #index "\n"                              \
    "OpStore %o" #index " " value " 2 4\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define CAPABLE "OpCapability 5603\nOpCapability 5604\n"
/* Of the storage class that the extension has for it, or as compilers of SYCL write it. */
#define TYPES(storage) "%ft = OpTypeFunction %uint %uint\n%pt = OpTypePointer " storage " %ft\n"
#define POINTERS                                                                                   \
    "%p0 = OpConstantFunctionPointerINTEL %pt %f0\n"                                               \
    "%p1 = OpConstantFunctionPointerINTEL %pt %f1\n"
#define TABLE                                                                                      \
    "%at = OpTypeArray %pt %c2\n%values = OpConstantComposite %at %p0 %p1\n"                       \
    "%tp = OpTypePointer 5 %at\n%table = OpVariable %tp 5 %values\n%pp = OpTypePointer 5 %pt\n"
#define FUNCTION(name, code)                                                                       \
    "%" name " = OpFunction %uint 0 %ft\n%" name "x = OpFunctionParameter %uint\n"                 \
    "%" name "l = OpLabel\n" code "OpReturnValue %" name "v\nOpFunctionEnd\n"
#define BOTH                                                                                       \
    FUNCTION("f0", "%f0v = OpIAdd %uint %f0x %c7\n")                                               \
    FUNCTION("f1", "%f1v = OpIMul %uint %f1x %c3\n")

/* By an index that is known when it runs, called with what another gave; one of them by its name,
 * too; equal only to itself. */
#define THROUGH                                                                                    \
    "%i = OpBitwiseAnd %uint %x %c1\n%n = OpBitwiseXor %uint %i %c1\n"                             \
    "%a = OpInBoundsAccessChain %pp %table %i\n%p = OpLoad %pt %a 2 8\n"                           \
    "%r = OpFunctionPointerCallINTEL %uint %p %x\n"                                                \
    "%b = OpInBoundsAccessChain %pp %table %n\n%q = OpLoad %pt %b 2 8\n"                           \
    "%s = OpFunctionPointerCallINTEL %uint %q %r\n%w = OpFunctionCall %uint %f0 %x\n"              \
    "%t = OpFunctionPointerCallINTEL %uint %p1 %w\n"                                               \
    "%pn = OpConvertPtrToU %ulong %p\n%qn = OpConvertPtrToU %ulong %q\n"                           \
    "%own = OpConvertPtrToU %ulong %p1\n%e = OpIEqual %bool %pn %own\n"                            \
    "%ne = OpIEqual %bool %qn %own\n%ev = OpSelect %uint %e %c1 %c0\n"                             \
    "%nv = OpSelect %uint %ne %c1 %c0\n" OUT(0, "%r") OUT(1, "%s") OUT(2, "%t") OUT(3, "%ev")      \
        OUT(4, "%nv") END
#define MADE 5, {39, 46, 60, 1, 0}

static const struct spirv_case pointers[] = {
    {"a table of code", 0x10000, CAPABLE, TYPES("5605") POINTERS TABLE, THROUGH, BOTH, MADE},
    {"a table as of data", 0x10400, CAPABLE, TYPES("7") POINTERS TABLE, THROUGH, BOTH, MADE},
    {"a function of a kernel's name", 0x10000, CAPABLE "OpDecorate %f0 41 \"k\" 2\n",
     TYPES("7") POINTERS TABLE, THROUGH, BOTH, MADE},
};

/* The functions are another object's. */
#define LINKAGE(kind)                                                                              \
    CAPABLE "OpDecorate %f0 41 \"f0\" " kind "\nOpDecorate %f1 41 \"f1\" " kind "\n"
static const struct spirv_case objects[2] = {
    {"imported", 0x10000, LINKAGE("1"), TYPES("7") POINTERS TABLE, THROUGH,
     "%f0 = OpFunction %uint 0 %ft\n%f0x = OpFunctionParameter %uint\nOpFunctionEnd\n"
     "%f1 = OpFunction %uint 0 %ft\n%f1x = OpFunctionParameter %uint\nOpFunctionEnd\n",
     MADE},
    {"exported", 0x10000, LINKAGE("0"), TYPES("7"), END, BOTH, 0, {0}},
};

/* Calls what the pointer says, while there is something left. */
#define AGAIN(name, pointer)                                                                       \
    "%" name "c = OpUGreaterThan %bool %" name "x %c5\nOpSelectionMerge %" name "m 0\n"            \
    "OpBranchConditional %" name "c %" name "t %" name "m\n%" name "t = OpLabel\n"                 \
    "%" name "d = OpISub %uint %" name "x %c1\n"                                                   \
    "%" name "y = OpFunctionPointerCallINTEL %uint " pointer " %" name "d\n"                       \
    "%" name "z = OpIMul %uint %" name "y %" name "y\nOpBranch %" name "m\n"                       \
    "%" name "m = OpLabel\n%" name "v = OpPhi %uint %" name "x %" name "l %" name "z %" name "t\n"

static const struct {
    struct spirv_case module;
    const char *why;
} refused[] = {
    {{"a kernel",
      0x10000,
      CAPABLE,
      "%kp = OpTypePointer 7 %kt\n%p = OpConstantFunctionPointerINTEL %kp %k\n",
      END,
      "",
      0,
      {0}},
     "no function to be pointed at"},
    {{"another type",
      0x10000,
      CAPABLE,
      TYPES("7") "%nt = OpTypeFunction %uint\n%np = OpTypePointer 7 %nt\n"
                 "%p = OpConstantFunctionPointerINTEL %np %f0\n",
      END,
      BOTH,
      0,
      {0}},
     "no pointer to this function"},
    {{"an argument too many",
      0x10000,
      CAPABLE,
      TYPES("7") POINTERS,
      "%r = OpFunctionPointerCallINTEL %uint %p0 %x %x\n" END,
      BOTH,
      0,
      {0}},
     "no pointer to a function of such arguments"},
    {{"a circle",
      0x10000,
      CAPABLE,
      TYPES("7") POINTERS,
      "%r = OpFunctionPointerCallINTEL %uint %p0 %x\n" OUT(0, "%r") END,
      FUNCTION("f0", AGAIN("f0", "%p1")) FUNCTION("f1", AGAIN("f1", "%p0")),
      0,
      {0}},
     "recursion"},
};

static void values(void)
{
    spirv_need();
    for (unsigned k = 0; k < LEN(pointers); k++) {
        spirv_run_case(&pointers[k], NULL, false);
        spirv_run_case(&pointers[k], "-cl-opt-disable", false);
    }
}

static void linked_objects(void)
{
    cl_int rc;
    spirv_need();
    cl_program parts[] = {spirv_object(&objects[0], 'k'), spirv_object(&objects[1], 'm')};
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, "", 2, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    spirv_run_kernel(program, &objects[0]);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

static void refusals(void)
{
    spirv_need();
    for (unsigned k = 0; k < LEN(refused); k++) {
        char *text = spirv_case_text(&refused[k].module);
        cl_program program = spirv_create(text, 0x10000, false);
        CHECK_EQ(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL),
                 CL_BUILD_PROGRAM_FAILURE);
        char *log = build_log(program);
        if (!strstr(log, refused[k].why))
            check_fail(__FILE__, __LINE__, "not \"%s\": %s", refused[k].why, log);
        free(log);
        free(text);
        RELEASE_PROGRAM(program);
    }
}

static void pointer_to_nothing(void)
{
    static const struct spirv_case nothing = {
        "nothing",
        0x10000,
        CAPABLE,
        TYPES("7") POINTERS "%none = OpConstantNull %pt\n",
        "%odd = OpINotEqual %bool %x %c0\n%p = OpSelect %pt %odd %none %p0\n"
        "%r = OpFunctionPointerCallINTEL %uint %p %x\n" OUT(0, "%r") END,
        BOTH,
        0,
        {0}};
    const size_t one = 1;
    const cl_uint x = 13;
    cl_event event;
    cl_int status = 0;
    spirv_need();
    char *text = spirv_case_text(&nothing);
    cl_program program = spirv_program(text, 0x10000, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem buffer = new_buffer(0, 64, NULL);
    ARG(kernel, 0, buffer);
    ARG(kernel, 1, x);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    clWaitForEvents(1, &event);
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status < 0);
    clReleaseEvent(event);
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
}

/* ---- the host points ------------------------------------------------------------------------- */

#define EXPORTS                                                                                    \
    CAPABLE "OpDecorate %f0 41 \"add\" 0\nOpDecorate %f1 41 \"mul\" 0\n"                           \
            "OpDecorate %f0 5602\nOpDecorate %f1 5602\n"
/* Nothing in it takes an address: what is called is read from where the host wrote it. */
#define BY_NUMBER                                                                                  \
    "%o2 = OpInBoundsPtrAccessChain %gp %out %c2\n%at = OpBitcast %lp %o2\n"                       \
    "%n = OpLoad %ulong %at 2 8\n%p = OpConvertUToPtr %pt %n\n"                                    \
    "%r = OpFunctionPointerCallINTEL %uint %p %x\n" OUT(0, "%r") END
static const struct spirv_case by_number = {"by the host's number",
                                            0x10000,
                                            EXPORTS,
                                            TYPES("5605") "%lp = OpTypePointer 5 %ulong\n",
                                            BY_NUMBER,
                                            BOTH "",
                                            0,
                                            {0}};

static clGetDeviceFunctionPointerINTEL_fn get_function(void)
{
    void *found =
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clGetDeviceFunctionPointerINTEL");
    clGetDeviceFunctionPointerINTEL_fn function;
    if (!found)
        check_skip("clGetDeviceFunctionPointerINTEL");
    memcpy(&function, &found, sizeof function);
    return function;
}

static cl_uint called(cl_program program, cl_ulong pointer)
{
    cl_ulong data[2] = {0, pointer};
    cl_uint x = 13, got;
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    ARG(kernel, 0, buffer);
    ARG(kernel, 1, x);
    run_1d(kernel, 1, 1);
    read_back(buffer, sizeof got, &got);
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
    return got;
}

static void check_pointers(cl_program program, clGetDeviceFunctionPointerINTEL_fn get)
{
    cl_ulong add = 0, mul = 0, none = 77;
    CHECK_OK(get(cl.device, program, "add", &add));
    CHECK_OK(get(cl.device, program, "mul", &mul));
    CHECK(add && mul && add != mul);
    CHECK_EQ(called(program, add), 20);
    CHECK_EQ(called(program, mul), 39);
    FAILS(CL_INVALID_ARG_VALUE, get(cl.device, program, "k", &none)); /* a kernel */
    FAILS(CL_INVALID_ARG_VALUE, get(cl.device, program, "f0", &none));
    CHECK_EQ(none, 77);
}

static void host_points(void)
{
    clGetDeviceFunctionPointerINTEL_fn get = get_function();
    spirv_need();
    char *text = spirv_case_text(&by_number);
    cl_program program = spirv_program(text, 0x10000, NULL, false);
    check_pointers(program, get);
    RELEASE_PROGRAM(program);
    cl_program object = spirv_object(&by_number, 'k');
    cl_int rc;
    program = clLinkProgram(cl.context, 1, &cl.device, "", 1, &object, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    check_pointers(program, get);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(object);
    free(text);
}

/* ---- many items ------------------------------------------------------------------------------ */

/* Which function of the first two is called differs from item to item; which of the last two, which
 * wait for each other, does not. out[i] = table[2 + (x & 1)](i), of l[i] = table[i & 1](i). */
#define ITEM_TYPES                                                                                 \
    TYPES("7")                                                                                     \
    "%vl = OpTypeVector %ulong 3\n%ip = OpTypePointer 1 %vl\n%gid = OpVariable %ip 1\n" POINTERS   \
    "%p2 = OpConstantFunctionPointerINTEL %pt %f2\n"                                               \
    "%p3 = OpConstantFunctionPointerINTEL %pt %f3\n%at = OpTypeArray %pt %c4\n"                    \
    "%values = OpConstantComposite %at %p0 %p1 %p2 %p3\n%tp = OpTypePointer 5 %at\n"               \
    "%table = OpVariable %tp 5 %values\n%pp = OpTypePointer 5 %pt\n"                               \
    "%c64 = OpConstant %uint 64\n%c63 = OpConstant %uint 63\n%order = OpConstant %uint 272\n"      \
    "%la = OpTypeArray %uint %c64\n%lt = OpTypePointer 4 %la\n%l = OpVariable %lt 4\n"             \
    "%up = OpTypePointer 4 %uint\n"
#define WAITING(name, other, code)                                                                 \
    FUNCTION(name, "OpControlBarrier %c2 %c2 %order\n%" name "y = " other "\n%" name               \
                   "a = OpInBoundsAccessChain %up %l %" name "y\n%" name "b = OpLoad %uint %" name \
                   "a 2 4\n%" name "v = " code "\n")
static const struct spirv_case items = {
    "items",
    0x10000,
    CAPABLE "OpDecorate %gid 11 28\n",
    ITEM_TYPES,
    "%g = OpLoad %vl %gid\n%i8 = OpCompositeExtract %ulong %g 0\n%i = OpUConvert %uint %i8\n"
    "%i1 = OpBitwiseAnd %uint %i %c1\n%a = OpInBoundsAccessChain %pp %table %i1\n"
    "%p = OpLoad %pt %a 2 8\n%r = OpFunctionPointerCallINTEL %uint %p %i\n"
    "%la0 = OpInBoundsAccessChain %up %l %i\nOpStore %la0 %r 2 4\n"
    "%x1 = OpBitwiseAnd %uint %x %c1\n%x2 = OpIAdd %uint %x1 %c2\n"
    "%b = OpInBoundsAccessChain %pp %table %x2\n%q = OpLoad %pt %b 2 8\n"
    "%s = OpFunctionPointerCallINTEL %uint %q %i\n"
    "%to = OpInBoundsPtrAccessChain %gp %out %i\nOpStore %to %s 2 4\n" END,
    BOTH WAITING("f2", "OpISub %uint %c63 %f2x", "OpIAdd %uint %f2b %c7")
        WAITING("f3", "OpBitwiseXor %uint %f3x %c1", "OpIMul %uint %f3b %c5"),
    0,
    {0}};

static cl_uint first(cl_uint item)
{
    return item & 1 ? item * 3 : item + 7;
}

static void many_items(void)
{
    enum { ITEMS = 64 };
    cl_uint got[ITEMS];
    spirv_need();
    char *text = spirv_case_text(&items);
    cl_program program = spirv_program(text, 0x10000, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem buffer = new_buffer(0, sizeof got, NULL);
    for (cl_uint x = 12; x < 14; x++) {
        ARG(kernel, 0, buffer);
        ARG(kernel, 1, x);
        run_1d(kernel, ITEMS, ITEMS);
        read_back(buffer, sizeof got, got);
        for (cl_uint i = 0; i < ITEMS; i++)
            CHECK_EQ(got[i], x & 1 ? first(i ^ 1) * 5 : first(ITEMS - 1 - i) + 7);
    }
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
}

static const struct test_case cases[] = {
    CASE(values),     CASE(linked_objects), CASE(host_points),
    CASE(many_items), CASE(refusals),       CASE(pointer_to_nothing),
};
TEST_MAIN("spirv function pointers", cases)
