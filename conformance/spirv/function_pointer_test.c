/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers to functions in modules of SPIR-V: which function is called is known when it runs. */
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

static const struct test_case cases[] = {
    CASE(values),
    CASE(linked_objects),
    CASE(refusals),
    CASE(pointer_to_nothing),
};
TEST_MAIN("spirv function pointers", cases)
