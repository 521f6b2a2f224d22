/* SPDX-License-Identifier: Apache-2.0 */
/* Modules of SPIR-V whose kernels enqueue functions, by the instructions of DeviceEnqueue. */
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "runner.h"
#include "spirv_run.h"

#define UNTOUCHED 0xeeeeeeee
#define OUT(index, value)                                                                          \
    "%o" #index " = OpInBoundsPtrAccessChain %gp %out %c" #index "\n"                              \
    "OpStore %o" #index " " value " 2 4\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define CAPABLE "OpCapability 19\nOpDecorate %gid 11 28\n"
#define TYPES                                                                                      \
    "%v3l = OpTypeVector %ulong 3\n%ip = OpTypePointer 1 %v3l\n%gid = OpVariable %ip 1\n"          \
    "%queue = OpTypeQueue\n%event = OpTypeDeviceEvent\n%a3 = OpTypeArray %ulong %c3\n"             \
    "%a2 = OpTypeArray %ulong %c2\n%range = OpTypeStruct %uint %a3 %a3 %a3\n"                      \
    "%bp = OpTypePointer 8 %uchar\n%lp = OpTypePointer 4 %uint\n"                                  \
    "%ft = OpTypeFunction %void %bp\n%lt = OpTypeFunction %void %bp %lp\n"                         \
    "%st = OpTypeStruct %gp %uint\n%sp = OpTypePointer 7 %st\n%sg = OpTypePointer 8 %st\n"         \
    "%gpg = OpTypePointer 8 %gp\n%gpf = OpTypePointer 7 %gp\n%evp = OpTypePointer 8 %event\n"      \
    "%evf = OpTypePointer 7 %event\n%nev = OpConstantNull %evp\n%l3 = OpConstant %ulong 3L\n"      \
    "%l1 = OpConstant %ulong 1L\n%l0 = OpConstant %ulong 0L\n%c8 = OpConstant %uint 8\n"           \
    "%c16 = OpConstant %uint 16\n%three = OpConstantComposite %a2 %l3 %l1\n"                       \
    "%one = OpConstantComposite %a2 %l1 %l1\n%none = OpConstantNull %a2\n"

/* What a function is given: where to write, and a number; and the item that it is. */
#define GIVEN(f) "%" f "p = OpFunctionParameter %bp\n"
#define READ(f)                                                                                    \
    "%" f "l = OpLabel\n%" f "s = OpBitcast %sg %" f "p\n"                                         \
    "%" f "a = OpInBoundsAccessChain %gpg %" f "s %c0\n%" f "o = OpLoad %gp %" f "a 2 8\n"         \
    "%" f "b = OpInBoundsAccessChain %ep %" f "s %c1\n%" f "x = OpLoad %uint %" f "b 2 8\n"        \
    "%" f "g = OpLoad %v3l %gid 2 32\n%" f "i = OpCompositeExtract %ulong %" f "g 0\n"             \
    "%" f "u = OpUConvert %uint %" f "i\n%" f "v = OpIAdd %uint %" f "x %" f "u\n"                 \
    "%" f "q = OpInBoundsPtrAccessChain %gp %" f "o %" f "i\n"

/* out[i] = x + i */
#define FIRST "%f = OpFunction %void 0 %ft\n" GIVEN("f_") READ("f_") "OpStore %f_q %f_v 2 4\n" END
/* out[3 + i] = out[i] + 2 * (x + i), by way of local memory */
#define SECOND                                                                                     \
    "%g = OpFunction %void 0 %lt\n" GIVEN("g_") "%gm = OpFunctionParameter %lp\n" READ("g_") DOUBLE
#define DOUBLE                                                                                     \
    "OpStore %gm %g_v 2 4\n%gw = OpLoad %uint %gm 2 4\n%gd = OpIMul %uint %gw %c2\n"               \
    "%gf = OpLoad %uint %g_q 2 4\n%gr = OpIAdd %uint %gf %gd\n%gj = OpIAdd %ulong %g_i %l3\n"      \
    "%gt = OpInBoundsPtrAccessChain %gp %g_o %gj\nOpStore %gt %gr 2 4\n" END

#define GIVE                                                                                       \
    "%own = OpVariable %sp 7\n%ev = OpVariable %evf 7\n"                                           \
    "%oa = OpInBoundsAccessChain %gpf %own %c0\nOpStore %oa %out 2 8\n"                            \
    "%ob = OpInBoundsAccessChain %fp %own %c1\nOpStore %ob %x 2 8\n"                               \
    "%og = OpPtrCastToGeneric %sg %own\n%ou = OpBitcast %bp %og\n"                                 \
    "%q = OpGetDefaultQueue %queue\n%n = OpBuildNDRange %range %l3 %l0 %l0\n"

static const struct spirv_case enqueue_cases[] = {
    {"a function over three items",
     0x10000,
     CAPABLE,
     TYPES,
     GIVE "%r = OpEnqueueKernel %uint %q %c1 %n %c0 %nev %nev %f %ou %c16 %c8\n" OUT(5, "%r") END,
     FIRST,
     6,
     {13, 14, 15, UNTOUCHED, UNTOUCHED, 0}},

    {"what it is given begins behind 64 bytes",
     0x10400,
     CAPABLE,
     TYPES "%c64 = OpConstant %uint 64\n",
     GIVE "%r = OpEnqueueKernel %uint %q %c1 %n %c0 %nev %nev %f %ou %c16 %c64\n" OUT(5, "%r") END,
     FIRST,
     6,
     {13, 14, 15, UNTOUCHED, UNTOUCHED, 0}},

    {"one behind the other, with local memory, in two dimensions",
     0x10000,
     CAPABLE,
     TYPES,
     GIVE "%m = OpBuildNDRange %range %three %one %none\n%wait = OpPtrCastToGeneric %evp %ev\n"
          "%r = OpEnqueueKernel %uint %q %c1 %n %c0 %nev %wait %f %ou %c16 %c8\n"
          "%t = OpEnqueueKernel %uint %q %c1 %m %c1 %wait %nev %g %ou %c16 %c8 %c4\n"
          "%e = OpLoad %event %ev 2 8\nOpReleaseEvent %e\n%s = OpIAdd %uint %r %t\n" OUT(6, "%s")
              END,
     FIRST SECOND,
     7,
     {13, 14, 15, 39, 42, 45, 0}},

    {"a marker behind an event of the kernel's own, and questions",
     0x10000,
     CAPABLE,
     TYPES,
     GIVE "%wait = OpPtrCastToGeneric %evp %ev\n%user = OpCreateUserEvent %event\n"
          "OpStore %ev %user 2 8\n%v = OpIsValidEvent %bool %user\n"
          "%vn = OpSelect %uint %v %c1 %c0\nOpRetainEvent %user\n"
          "%r = OpEnqueueMarker %uint %q %c1 %wait %nev\nOpSetUserEventStatus %user %c0\n"
          "OpReleaseEvent %user\nOpReleaseEvent %user\n"
          "%w = OpGetKernelWorkGroupSize %uint %f %ou %c16 %c8\n%z = OpIEqual %bool %w %c0\n"
          "%p = OpGetKernelPreferredWorkGroupSizeMultiple %uint %f %ou %c16 %c8\n"
          "%y = OpIEqual %bool %p %c0\n%wn = OpSelect %uint %z %c0 %c2\n"
          "%pn = OpSelect %uint %y %c0 %c3\n" OUT(0, "%r") OUT(1, "%vn") OUT(2, "%wn") OUT(3, "%pn")
              END,
     FIRST,
     4,
     {0, 1, 2, 3}},

    /* three sub-groups are as many as their items make, and none has more than the most */
    {"questions about sub-groups",
     0x10100,
     CAPABLE "OpCapability 58\n",
     TYPES "%many = OpConstant %uint 0x10000000\n",
     GIVE "%w = OpGetKernelWorkGroupSize %uint %f %ou %c16 %c8\n"
          "%s = OpGetKernelLocalSizeForSubgroupCount %uint %c1 %f %ou %c16 %c8\n"
          "%t = OpGetKernelLocalSizeForSubgroupCount %uint %c3 %f %ou %c16 %c8\n"
          "%s3 = OpIMul %uint %s %c3\n%d = OpISub %uint %t %s3\n"
          "%far = OpGetKernelLocalSizeForSubgroupCount %uint %many %f %ou %c16 %c8\n"
          "%most = OpGetKernelMaxNumSubgroups %uint %f %ou %c16 %c8\n"
          "%ws = OpUDiv %uint %w %s\n%e = OpISub %uint %most %ws\n"
          "%all = OpGetKernelLocalSizeForSubgroupCount %uint %most %f %ou %c16 %c8\n"
          "%h = OpISub %uint %all %w\n%yes = OpINotEqual %bool %s %c0\n"
          "%some = OpSelect %uint %yes %c1 %c0\n" OUT(0, "%d") OUT(1, "%some") OUT(2, "%far")
              OUT(3, "%e") OUT(4, "%h") END,
     FIRST,
     5,
     {0, 1, 0, 0, 0}},
};

/* Names: what the log says. */
#define ENQUEUE(function, behind)                                                                  \
    GIVE "%r = OpEnqueueKernel %uint %q %c1 %n %c0 %nev %nev " function " %ou %c16 " behind "\n" END
static const struct spirv_case refused[] = {
    {"is no function that can be enqueued",
     0x10000,
     CAPABLE,
     TYPES,
     ENQUEUE("%k", "%c8"),
     FIRST,
     0,
     {0}},
    {"impossible size or alignment", 0x10000, CAPABLE, TYPES, ENQUEUE("%f", "%c3"), FIRST, 0, {0}},
    {"other parameters than sizes",
     0x10000,
     CAPABLE,
     TYPES,
     ENQUEUE("%f", "%c8 %c4"),
     FIRST,
     0,
     {0}},
    {"no ndrange_t",
     0x10000,
     CAPABLE,
     TYPES,
     GIVE "%bad = OpBuildNDRange %st %l3 %l0 %l0\n" END,
     FIRST,
     0,
     {0}},
    {"is not the answer's",
     0x10000,
     CAPABLE,
     TYPES,
     GIVE "%bad = OpCreateUserEvent %uint\n" END,
     FIRST,
     0,
     {0}},
};

static bool has_device_queues(void)
{
    cl_device_device_enqueue_capabilities has = 0;
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof has, &has, NULL));
    return has;
}

static void values(void)
{
    spirv_need();
    if (!has_device_queues())
        check_skip("no queues on the device");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                  CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
                                              0};
    cl_int rc;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &rc);
    REQUIRE_OK(rc);
    for (size_t k = 0; k < sizeof enqueue_cases / sizeof *enqueue_cases; k++)
        spirv_run_case(&enqueue_cases[k], NULL, false);
    CHECK_OK(clReleaseCommandQueue(queue));
}

static void check_refused(const struct spirv_case *c, const char *word)
{
    char *text = spirv_case_text(c);
    cl_program program = spirv_create(text, c->version, false);
    CHECK_EQ(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    if (!strstr(log, word))
        check_fail(__FILE__, __LINE__, "no \"%s\" in: %s", word, log);
    free(log);
    RELEASE_PROGRAM(program);
    free(text);
}

static void what_is_wrong(void)
{
    spirv_need();
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        check_refused(&refused[k], refused[k].name);
    if (!has_device_queues())
        check_refused(&enqueue_cases[0], "DeviceEnqueue");
}

static const struct test_case cases[] = {
    CASE(values),
    CASE(what_is_wrong),
};
TEST_MAIN("enqueue", cases)
