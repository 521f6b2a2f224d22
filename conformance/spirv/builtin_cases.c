/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that OpenCL C has functions for, and clang never writes, or writes otherwise. */
#include "spirv_cases.h"

/* Stores %value at out[index]. */
#define OUT(index, value)                                                                          \
    "%o" #index " = OpInBoundsPtrAccessChain %gp %out %c" #index "\n"                              \
    "OpStore %o" #index " " value " 2 4\n"
/* The same of a boolean, and of what is narrower. */
#define BIT(index, value)                                                                          \
    "%b" #index " = OpSelect %uint " value " %c1 %c0\n" OUT(index, "%b" #index)
#define NARROW(index, value) "%n" #index " = OpUConvert %uint " value "\n" OUT(index, "%n" #index)
#define FLOAT(index, value) "%f" #index " = OpBitcast %uint " value "\n" OUT(index, "%f" #index)
#define END "OpReturn\nOpFunctionEnd\n"
#define NEGATIVE(x) ((uint32_t)-(x))

const struct spirv_case spirv_builtin_cases[] = {
    {"carries and products",
     0x10000,
     "",
     "%pair = OpTypeStruct %uint %uint\n%all = OpConstant %uint -1\n%c14 = OpConstant %uint 14\n",
     "%p = OpIAddCarry %pair %x %all\n%a = OpCompositeExtract %uint %p 0\n"
     "%b = OpCompositeExtract %uint %p 1\n%q = OpISubBorrow %pair %x %c14\n"
     "%c = OpCompositeExtract %uint %q 0\n%d = OpCompositeExtract %uint %q 1\n"
     "%r = OpUMulExtended %pair %all %x\n%e = OpCompositeExtract %uint %r 0\n"
     "%f = OpCompositeExtract %uint %r 1\n%s = OpSMulExtended %pair %all %x\n"
     "%g = OpCompositeExtract %uint %s 0\n%h = OpCompositeExtract %uint %s 1\n" OUT(0, "%a") OUT(
         1, "%b") OUT(2, "%c") OUT(3, "%d") OUT(4, "%e") OUT(5, "%f") OUT(6, "%g") OUT(7, "%h") END,
     "",
     8,
     {12, 1, NEGATIVE(1), 1, NEGATIVE(13), 12, NEGATIVE(13), NEGATIVE(1)}},

    {"clocks",
     0x10000,
     "",
     "%zero = OpConstant %ulong 0L\n%c32 = OpConstant %uint 32\n",
     "%t = OpReadClockKHR %ulong %c1\n%h = OpReadClockKHR %v2 %c3\n%u = OpReadClockKHR %ulong %c2\n"
     "%hi = OpCompositeExtract %uint %h 1\n%lo = OpCompositeExtract %uint %h 0\n"
     "%whi = OpUConvert %ulong %hi\n%wlo = OpUConvert %ulong %lo\n%by = OpUConvert %ulong %c32\n"
     "%top = OpShiftLeftLogical %ulong %whi %by\n%w = OpBitwiseOr %ulong %top %wlo\n"
     "%p = OpUGreaterThanEqual %bool %w %t\n%q = OpUGreaterThanEqual %bool %u %w\n"
     "%r = OpINotEqual %bool %t %zero\n%a = OpSelect %uint %p %c1 %c0\n"
     "%b = OpSelect %uint %q %c1 %c0\n%c = OpSelect %uint %r %c1 %c0\n" OUT(0, "%a") OUT(1, "%b")
         OUT(2, "%c") END,
     "",
     3,
     {1, 1, 1}},

    /* Ties go to even, and what is no number has bits left. */
    {"bfloat16",
     0x10000,
     "",
     "%k0 = OpConstant %float 0x3fc00000\n%k1 = OpConstant %float 0x3f808000\n"
     "%k2 = OpConstant %float 0x3f818000\n%k3 = OpConstant %float 0x7f800001\n"
     "%k4 = OpConstant %float 0xff800000\n%k5 = OpConstant %float 0x7f7fffff\n"
     "%half = OpConstant %ushort 0xbfc0\n",
     "%a = OpConvertFToBF16INTEL %ushort %k0\n%b = OpConvertFToBF16INTEL %ushort %k1\n"
     "%c = OpConvertFToBF16INTEL %ushort %k2\n%d = OpConvertFToBF16INTEL %ushort %k3\n"
     "%e = OpConvertFToBF16INTEL %ushort %k4\n%f = OpConvertFToBF16INTEL %ushort %k5\n"
     "%g = OpConvertBF16ToFINTEL %float %half\n" NARROW(0, "%a") NARROW(1, "%b") NARROW(2, "%c")
         NARROW(3, "%d") NARROW(4, "%e") NARROW(5, "%f") FLOAT(6, "%g") END,
     "",
     7,
     {0x3fc0, 0x3f80, 0x3f82, 0x7fc0, 0xff80, 0x7f80, 0xbfc00000}},

    {"dot products of packed numbers",
     0x10600,
     "",
     "%a = OpConstant %uint 0x01fe0380\n%b = OpConstant %uint 0x020304ff\n"
     "%all = OpConstant %uint -1\n%least = OpConstant %uint 0x80000000\n",
     "%p = OpSDot %uint %a %b 0\n%q = OpUDot %uint %a %b 0\n%r = OpSUDot %uint %a %b 0\n"
     "%s = OpUDotAccSat %uint %a %b %all 0\n%t = OpSUDotAccSat %uint %a %b %least 0\n"
     "%u = OpSDotAccSat %uint %a %b %x 0\n" OUT(0, "%p") OUT(1, "%q") OUT(2, "%r") OUT(3, "%s")
         OUT(4, "%t") OUT(5, "%u") END,
     "",
     6,
     {128 + 12 - 6 + 2, 128 * 255 + 12 + 762 + 2, NEGATIVE(128 * 255 - 12 + 6 - 2), UINT32_MAX,
      0x80000000, 128 + 12 - 6 + 2 + 13}},

    {"dot products of wide vectors",
     0x10000,
     "",
     "%v8 = OpTypeVector %float 8\n%two = OpConstant %float 0x40000000\n"
     "%l8 = OpTypeVector %ushort 8\n%s = OpConstant %ushort 0xfffe\n"
     "%m = OpConstantComposite %l8 %s %s %s %s %s %s %s %s\n",
     "%f = OpConvertUToF %float %x\n%a = OpCompositeConstruct %v8 %f %f %f %f %f %f %f %f\n"
     "%b = OpCompositeConstruct %v8 %two %two %two %two %two %two %two %f\n"
     "%d = OpDot %float %a %b\n%i = OpConvertFToU %uint %d\n%e = OpSDot %uint %m %m\n"
     "%g = OpSUDot %uint %m %m\n" OUT(0, "%i") OUT(1, "%e") OUT(2, "%g") END,
     "",
     3,
     {13 * 14 + 169, 32, NEGATIVE(16 * 0xfffe)}},

    /* Of integers: the decoration has two forms of its own, and may stand at the others. */
    {"saturation",
     0x10000,
     "OpDecorate %d 28\nOpDecorate %e 28\nOpDecorate %f 28\nOpDecorate %g 28\n"
     "OpDecorate %g 39 2\n",
     "%m5 = OpConstant %uint -5\n%m300 = OpConstant %uint -300\n%c300 = OpConstant %uint 300\n"
     "%big = OpConstant %float 0x47000000\n%real = OpConstant %float 0x3fa00000\n",
     "%a = OpSatConvertSToU %uchar %m5\n%b = OpSatConvertUToS %uchar %c300\n"
     "%c = OpSatConvertSToU %uchar %c300\n%d = OpSConvert %uchar %m300\n"
     "%e = OpUConvert %uchar %m300\n%f = OpConvertFToS %ushort %big\n"
     "%g = OpConvertFToU %uchar %real\n" NARROW(0, "%a") NARROW(1, "%b") NARROW(2, "%c")
         NARROW(3, "%d") NARROW(4, "%e") NARROW(5, "%f") NARROW(6, "%g") END,
     "",
     7,
     {0, 127, 255, 0x80, 255, 0x7fff, 2}},

    {"integer functions",
     0x10000,
     "",
     "%all = OpConstant %uint -1\n%w = OpConstant %uint 0x1ffff\n",
     "%a = OpAbsISubINTEL %uint %all %x\n%b = OpAbsUSubINTEL %uint %all %x\n"
     "%c = OpUAverageINTEL %uint %all %x\n%d = OpIAverageRoundedINTEL %uint %all %x\n"
     "%e = OpIMul32x16INTEL %uint %x %w\n%f = OpUMul32x16INTEL %uint %x %w\n"
     "%g = OpUSubSatINTEL %uint %x %all\n%h = OpUCountTrailingZerosINTEL %uint %c4\n" OUT(0, "%a")
         OUT(1, "%b") OUT(2, "%c") OUT(3, "%d") OUT(4, "%e") OUT(5, "%f") OUT(6, "%g") OUT(7, "%h")
             END,
     "",
     8,
     {14, UINT32_MAX - 13, 0x80000006, 6, NEGATIVE(13), 13 * 65535, 0, 2}},

    {"bit fields of all widths",
     0x10000,
     "",
     "%all = OpConstant %uint -1\n%c32 = OpConstant %uint 32\n%l0 = OpConstant %ulong 0L\n",
     "%a = OpBitFieldInsert %uint %x %all %c0 %c32\n%b = OpBitFieldInsert %uint %x %all %c5 %c0\n"
     "%c = OpBitFieldSExtract %uint %x %c2 %c2\n%d = OpBitFieldUExtract %uint %x %c2 %c2\n"
     "%e = OpBitFieldSExtract %uint %x %l0 %c32\n%f = OpBitReverse %uint %x\n"
     "%g = OpBitCount %uint %x\n" OUT(0, "%a") OUT(1, "%b") OUT(2, "%c") OUT(3, "%d") OUT(4, "%e")
         OUT(5, "%f") OUT(6, "%g") END,
     "",
     7,
     {UINT32_MAX, 13, NEGATIVE(1), 3, 13, 0xb0000000, 3}},

    {"relations",
     0x10000,
     "",
     "%nan = OpConstant %float 0x7fc00000\n%inf = OpConstant %float 0xff800000\n"
     "%tiny = OpConstant %float 0x00000001\n%v2f = OpTypeVector %float 2\n%v2b = OpTypeVector "
     "%bool 2\n",
     "%f = OpConvertUToF %float %x\n%a = OpLessOrGreater %bool %f %nan\n%b = OpLessOrGreater %bool "
     "%f %inf\n"
     "%c = OpOrdered %bool %f %inf\n%d = OpUnordered %bool %f %nan\n%e = OpSignBitSet %bool %inf\n"
     "%g = OpIsNormal %bool %tiny\n%v = OpCompositeConstruct %v2f %f %inf\n%w = OpIsFinite %v2b "
     "%v\n"
     "%h = OpAny %bool %w\n%i = OpAll %bool %w\n" BIT(0, "%a") BIT(1, "%b") BIT(2, "%c")
         BIT(3, "%d") BIT(4, "%e") BIT(5, "%g") BIT(6, "%h") BIT(7, "%i") END,
     "",
     8,
     {0, 1, 1, 1, 1, 0, 1, 0}},

    {"atomics of floats, and flags",
     0x10000,
     "",
     "%gfp = OpTypePointer 5 %float\n%k1 = OpConstant %float 0x3fc00000\n"
     "%k2 = OpConstant %float 0x40100000\n%k3 = OpConstant %float 0xc0000000\n",
     "%p = OpBitcast %gfp %out\n%q = OpInBoundsPtrAccessChain %gp %out %c7\nOpStore %q %c0 2 4\n"
     "OpStore %p %k1 2 4\n%a = OpAtomicFAddEXT %float %p %c1 %c0 %k2\n"
     "%b = OpAtomicFMinEXT %float %p %c1 %c0 %k3\n%c = OpAtomicFMaxEXT %float %p %c1 %c0 %k1\n"
     "%d = OpAtomicFlagTestAndSet %bool %q %c1 %c0\n%e = OpAtomicFlagTestAndSet %bool %q %c1 %x\n"
     "OpAtomicFlagClear %q %c1 %c4\n" FLOAT(1, "%a") FLOAT(2, "%b") FLOAT(3, "%c") BIT(4, "%d")
         BIT(5, "%e") END,
     "",
     8,
     {0x3fc00000, 0x3fc00000, 0x40700000, 0xc0000000, 0, 1, 0xeeeeeeee, 0}},

    /* Of one item; a scan without it gives what changes nothing. */
    {"sums of work-groups",
     0x10000,
     "",
     "%s8 = OpConstant %uchar 0x85\n",
     "%a = OpGroupIMulKHR %uint %c2 0 %x\n%b = OpGroupIMulKHR %uint %c2 2 %x\n"
     "%c = OpGroupBitwiseAndKHR %uint %c2 2 %x\n%d = OpGroupLogicalOrKHR %bool %c2 0 %true\n"
     "%e = OpGroupSMin %uchar %c2 2 %s8\n%f = OpGroupUMax %uchar %c2 0 %s8\n"
     "%g = OpGroupBitwiseXorKHR %uint %c3 1 %x\n%h = OpGroupLogicalAndKHR %bool %c3 2 %false\n" OUT(
         0, "%a") OUT(1, "%b") OUT(2, "%c") BIT(3, "%d") NARROW(4, "%e") NARROW(5, "%f")
         OUT(6, "%g") BIT(7, "%h") END,
     "",
     8,
     {13, 1, UINT32_MAX, 1, 0x7f, 0x85, 13, 1}},

    {"values of groups that are vectors or booleans",
     0x10300,
     "",
     "%v3l = OpTypeVector %ulong 3\n%l0 = OpConstant %ulong 0L\n%at = OpConstantComposite %v3l %l0 "
     "%l0 %l0\n"
     "%ball = OpConstantComposite %v4 %c1 %c0 %c0 %c0\n",
     "%v = OpCompositeConstruct %v3 %x %c1 %c2\n%w = OpGroupBroadcast %v3 %c2 %v %at\n"
     "%a = OpCompositeExtract %uint %w 0\n%b = OpCompositeExtract %uint %w 2\n"
     "%c = OpGroupBroadcast %bool %c2 %true %l0\n%d = OpGroupNonUniformAllEqual %bool %c3 %v\n"
     "%y = OpGroupNonUniformShuffle %v3 %c3 %v %c0\n%e = OpCompositeExtract %uint %y 1\n"
     "%z = OpSubgroupShuffleXorINTEL %v3 %v %c0\n%f = OpCompositeExtract %uint %z 2\n"
     "%g = OpGroupNonUniformRotateKHR %uint %c3 %x %c0 %c1\n"
     "%h = OpGroupNonUniformBallotBitCount %uint %c3 0 %ball\n" OUT(0, "%a") OUT(1, "%b")
         BIT(2, "%c") BIT(3, "%d") OUT(4, "%e") OUT(5, "%f") OUT(6, "%g") OUT(7, "%h") END,
     "",
     8,
     {13, 2, 1, 1, 1, 2, 13, 1}},

    {"halves of barriers",
     0x10000,
     "",
     "%order = OpConstant %uint 0x304\n%back = OpConstant %uint 0x302\n",
     "OpControlBarrierArriveINTEL %c2 %c2 %order\n%a = OpIAdd %uint %x %c1\n"
     "OpControlBarrierWaitINTEL %c2 %c2 %back\nOpControlBarrier %c3 %c3 %back\n"
     "OpMemoryBarrier %c1 %order\n" OUT(0, "%a") END,
     "",
     1,
     {14}},

    /* Three halves that are aligned lie four apart, others three. */
    {"halves in memory",
     0x10000,
     "",
     "%half = OpTypeFloat 16\n%hp = OpTypePointer 5 %half\n%v3f = OpTypeVector %float 3\n"
     "%w0 = OpConstant %uint 0x40003c00\n%w1 = OpConstant %uint 0x44004200\n"
     "%w2 = OpConstant %uint 0x46004500\n%w3 = OpConstant %uint 0x48004700\n"
     "%l1 = OpConstant %ulong 1L\n%l14 = OpConstant %ulong 14L\n%l15 = OpConstant %ulong 15L\n"
     "%odd = OpConstant %float 0x3f801800\n",
     OUT(0, "%w0") OUT(1, "%w1") OUT(2, "%w2")
         OUT(3, "%w3") "%p = OpBitcast %hp %out\n%a = OpExtInst %v3f %std 179 %l1 %p 3\n%b = "
                       "OpExtInst %v3f %std 174 %l1 %p 3\n"
                       "%c = OpCompositeExtract %float %a 2\n%d = OpCompositeExtract %float %b 2\n"
                       "%e = OpExtInst %void %std 176 %odd %l14 %p 2\n%f = OpExtInst %void %std "
                       "176 %odd %l15 %p 1\n" FLOAT(4, "%c") FLOAT(5, "%d") END,
     "",
     8,
     {0x40003c00, 0x44004200, 0x46004500, 0x48004700, 0x40e00000, 0x40c00000, 0xeeeeeeee,
      0x3c003c01}},

    {"vectors of six lanes and of one, as LLVM's writer puts them down",
     0x10000,
     "",
     "%v6 = OpTypeVector %uint 6\n%w6 = OpTypeVector %ulong 6\n%v1 = OpTypeVector %uint 1\n"
     "%five = OpConstantComposite %v1 %c5\n%none = OpConstantNull %v1\n",
     "%a = OpCompositeConstruct %v6 %x %c1 %c2 %c3 %c4 %c5\n"
     "%b = OpVectorShuffle %v6 %a %a 5 4 3 2 1 0\n%s = OpIAdd %v6 %a %b\n"
     "%s5 = OpCompositeExtract %uint %s 5\n%m = OpExtInst %v6 %std 157 %a %b\n" /* u_max */
     "%m3 = OpVectorExtractDynamic %uint %m %c3\n%w = OpUConvert %w6 %m\n"
     "%w4 = OpCompositeExtract %ulong %w 4\n%w5 = OpCompositeExtract %ulong %w 5\n"
     "%ws = OpIAdd %ulong %w4 %w5\n"
     "%n = OpCompositeConstruct %v1 %x\n%o = OpIAdd %v1 %n %five\n"
     "%q = OpCompositeExtract %uint %o 0\n%r = OpVectorShuffle %v1 %m %o 6\n"
     "%rx = OpVectorExtractDynamic %uint %r %c0\n%t = OpVectorShuffle %v2 %five %n 0 1\n"
     "%t1 = OpCompositeExtract %uint %t 1\n%u = OpVectorInsertDynamic %v1 %o %c7 %c0\n"
     "%i = OpCompositeInsert %v1 %c6 %none 0\n%ui = OpIAdd %v1 %u %i\n"
     "%p = OpExtInst %v1 %std 157 %ui %five\n%px = OpCompositeExtract %uint %p 0\n" OUT(0, "%s5")
         OUT(1, "%m3") NARROW(2, "%ws") OUT(3, "%q") OUT(4, "%rx") OUT(5, "%t1") OUT(6, "%px") END,
     "",
     7,
     {18, 3, 17, 18, 18, 13, 13}}};
const unsigned spirv_builtin_case_count = sizeof spirv_builtin_cases / sizeof *spirv_builtin_cases;
