/* SPDX-License-Identifier: Apache-2.0 */
#include "spirv_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prelude[] = "OpCapability 6\nOpCapability 4\nOpCapability 5\nOpCapability 7\n"
                              "OpCapability 10\nOpCapability 11\nOpCapability 22\n"
                              "OpCapability 38\nOpCapability 39\n"
                              "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel 2 2\n"
                              "OpEntryPoint 6 %k \"k\"\nOpName %k \"k\"\n";
static const char types[] = "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"
                            "%ulong = OpTypeInt 64 0\n%uchar = OpTypeInt 8 0\n"
                            "%ushort = OpTypeInt 16 0\n%float = OpTypeFloat 32\n"
                            "%double = OpTypeFloat 64\n%v2 = OpTypeVector %uint 2\n"
                            "%v3 = OpTypeVector %uint 3\n%v4 = OpTypeVector %uint 4\n"
                            "%gp = OpTypePointer 5 %uint\n%fp = OpTypePointer 7 %uint\n"
                            "%ep = OpTypePointer 8 %uint\n"
                            "%kt = OpTypeFunction %void %gp %uint\n"
                            "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"
                            "%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n"
                            "%c4 = OpConstant %uint 4\n%c5 = OpConstant %uint 5\n"
                            "%c6 = OpConstant %uint 6\n%c7 = OpConstant %uint 7\n"
                            "%true = OpConstantTrue %bool\n%false = OpConstantFalse %bool\n";
static const char head[] = "%k = OpFunction %void 0 %kt\n%out = OpFunctionParameter %gp\n"
                           "%x = OpFunctionParameter %uint\n%start = OpLabel\n";

/* Stores %value at out[index]. */
#define OUT(index, value)                                                                          \
    "%o" #index " = OpInBoundsPtrAccessChain %gp %out %c" #index "\n"                              \
    "OpStore %o" #index " " value " 2 4\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define NEGATIVE(x) ((uint32_t)-(x))

const struct spirv_case spirv_cases[] = {
    {"integers",
     0x10000,
     "",
     "%m5 = OpConstant %uint -5\n",
     "%a = OpIAdd %uint %x %c7\n%b = OpISub %uint %c7 %x\n%c = OpSDiv %uint %b %c4\n"
     "%d = OpSRem %uint %b %c4\n%e = OpSMod %uint %b %c4\n%f = OpSMod %uint %x %m5\n"
     "%g = OpShiftRightArithmetic %uint %b %c1\n%h = OpNot %uint %x\n" OUT(0, "%a") OUT(1, "%b")
         OUT(2, "%c") OUT(3, "%d") OUT(4, "%e") OUT(5, "%f") OUT(6, "%g") OUT(7, "%h") END,
     "",
     8,
     {20, NEGATIVE(6), NEGATIVE(1), NEGATIVE(2), 2, NEGATIVE(2), NEGATIVE(3), ~13u}},

    {"a shift by another width",
     0x10000,
     "",
     "%w = OpConstant %ulong 3L\n",
     "%a = OpShiftLeftLogical %uint %x %w\n" OUT(0, "%a") END,
     "",
     1,
     {104}},

    {"remainders of floats",
     0x10000,
     "",
     "%m5f = OpConstant %float 0xc0a00000\n", /* -5 */
     "%f = OpConvertUToF %float %x\n%a = OpFRem %float %f %m5f\n%b = OpFMod %float %f %m5f\n"
     "%p = OpBitcast %uint %a\n%q = OpBitcast %uint %b\n" OUT(0, "%p") OUT(1, "%q") END,
     "",
     2,
     {0x40400000, 0xc0000000}}, /* 3 and -2 */

    {"a pointer as two numbers, and back",
     0x10500,
     "",
     "",
     "%p = OpInBoundsPtrAccessChain %gp %out %c1\n%v = OpBitcast %v2 %p\n%q = OpBitcast %gp %v\n"
     "OpStore %q %x 2 4\n%low = OpCompositeExtract %uint %v 0\n"
     "%w = OpConvertPtrToU %ulong %p\n%wlow = OpUConvert %uint %w\n"
     "%d = OpISub %uint %low %wlow\n" OUT(0, "%d") END,
     "",
     2,
     {0, 13}},

    {"switch with a selector of 64 bits, phis in each block",
     0x10000,
     "",
     "",
     "%w = OpUConvert %ulong %x\n%big = OpUConvert %ulong %c7\nOpBranch %loop\n"
     "%loop = OpLabel\n%n = OpPhi %ulong %w %start %less %next\n"
     "%sum = OpPhi %uint %c0 %start %more %next\n"
     "OpSwitch %n %other 13L %thirteen 12L %twelve 0x100000007L %never 5L %done\n"
     "%thirteen = OpLabel\nOpBranch %next\n%twelve = OpLabel\nOpBranch %next\n"
     "%never = OpLabel\nOpBranch %next\n%other = OpLabel\nOpBranch %next\n"
     "%next = OpLabel\n%step = OpPhi %uint %c1 %thirteen %c2 %twelve %c3 %never %c4 %other\n"
     "%one = OpUConvert %ulong %c1\n%less = OpISub %ulong %n %one\n"
     "%more = OpIAdd %uint %sum %step\nOpBranch %loop\n"
     "%done = OpLabel\n" OUT(0, "%sum") END,
     "",
     1,
     {1 + 2 + 6 * 4}},

    {"several ways of one branch to one block",
     0x10000,
     "",
     "",
     "OpSwitch %x %same 13 %same 14 %same 15 %odd\n%odd = OpLabel\nOpBranch %same\n"
     "%same = OpLabel\n%v = OpPhi %uint %c5 %start %c6 %odd\n%t = OpIEqual %bool %v %c5\n"
     "OpBranchConditional %t %both %both\n%both = OpLabel\n%u = OpPhi %uint %v %same\n" OUT(0, "%u")
         END,
     "",
     1,
     {5}},

    {"a loop with two entries",
     0x10000,
     "",
     "",
     "%odd = OpBitwiseAnd %uint %x %c1\n%t = OpINotEqual %bool %odd %c0\n"
     "OpBranchConditional %t %left %right\n"
     "%left = OpLabel\n%n = OpPhi %uint %x %start %r %right\n"
     "%s = OpPhi %uint %c0 %start %sr %right\n%l = OpISub %uint %n %c1\n"
     "%sl = OpIAdd %uint %s %c2\n%go = OpUGreaterThan %bool %l %c2\n"
     "OpBranchConditional %go %right %end\n"
     "%right = OpLabel\n%m = OpPhi %uint %x %start %l %left\n"
     "%q = OpPhi %uint %c0 %start %sl %left\n%r = OpISub %uint %m %c3\n"
     "%sr = OpIAdd %uint %q %c5\n%stay = OpUGreaterThan %bool %r %c3\n"
     "OpBranchConditional %stay %left %end\n"
     "%end = OpLabel\n%z = OpPhi %uint %sl %left %sr %right\n" OUT(0, "%z") END,
     "",
     1,
     {2 + 5 + 2 + 5 + 2 + 5}},

    {"blocks that nobody reaches",
     0x10000,
     "",
     "",
     "OpBranch %live\n%dead = OpLabel\n%d = OpIAdd %uint %undefd %c1\nOpBranch %live\n"
     "%deader = OpLabel\n%undefd = OpIAdd %uint %x %c1\nOpBranch %dead\n"
     "%live = OpLabel\n%v = OpPhi %uint %d %dead %x %start\n" OUT(0, "%v") END,
     "",
     1,
     {13}},

    {"choices by a constant, as DPC++ makes of each dimension",
     0x10000,
     "",
     "%none = OpUndef %uint\n",
     "%y = OpIAdd %uint %x %c3\n%a = OpSelect %uint %true %y %c0\n"
     "%b = OpSelect %uint %false %y %x\n%c = OpSelect %uint %false %none %a\n"
     "%v = OpCompositeConstruct %v2 %a %b\n%u = OpCompositeConstruct %v2 %b %a\n"
     "%d = OpSelect %v2 %true %v %u\n%e = OpCompositeExtract %uint %d 1\n"
     "%f = OpSelect %v2 %false %v %u\n%g = OpCompositeExtract %uint %f 1\n" OUT(0, "%a")
         OUT(1, "%b") OUT(2, "%c") OUT(3, "%e") OUT(4, "%g") END,
     "",
     5,
     {16, 13, 16, 13, 16}},

    {"specialization constants and what is computed of them",
     0x10000,
     "OpDecorate %s1 1 100\nOpDecorate %s2 1 101\n",
     "%s1 = OpSpecConstant %uint 6\n%s2 = OpSpecConstantTrue %bool\n"
     "%a = OpSpecConstantOp %uint 132 %s1 %c7\n%b = OpSpecConstantOp %uint 169 %s2 %a %c1\n"
     "%cc = OpSpecConstantComposite %v2 %b %s1\n%d = OpSpecConstantOp %uint 81 %cc 1\n"
     "%e = OpSpecConstantOp %v2 79 %cc %cc 1 0\n%n = OpSpecConstantOp %uint 128 %s1 %c1\n"
     "%arr = OpTypeArray %uint %n\n%parr = OpTypePointer 7 %arr\n"
     "%f = OpSpecConstantOp %bool 176 %a %c1\n%g = OpSpecConstantOp %ulong 113 %a\n",
     "%v = OpVariable %parr 7\n%p = OpAccessChain %fp %v %c6\nOpStore %p %x\n"
     "%q = OpLoad %uint %p\n%y = OpCompositeExtract %uint %e 1\n%z = OpSelect %uint %f %c3 %c4\n"
     "%w = OpUConvert %uint %g\n" OUT(0, "%b") OUT(1, "%d") OUT(2, "%q") OUT(3, "%y") OUT(4, "%z")
         OUT(5, "%w") END,
     "",
     6,
     {42, 6, 13, 42, 4, 42}},

    {"booleans in structures, arrays and vectors",
     0x10000,
     "",
     "%b3 = OpTypeVector %bool 3\n%barr = OpTypeArray %bool %c4\n"
     "%s = OpTypeStruct %bool %uint %barr %b3\n%sp = OpTypePointer 7 %s\n%bp = OpTypePointer 7 "
     "%bool\n"
     "%ba = OpConstantComposite %barr %true %false %true %true\n"
     "%bv = OpConstantComposite %b3 %false %true %true\n"
     "%sc = OpConstantComposite %s %true %c7 %ba %bv\n",
     "%v = OpVariable %sp 7 %sc\n%t = OpUGreaterThan %bool %x %c5\n"
     "%p = OpInBoundsAccessChain %bp %v %c2 %c1\nOpStore %p %t\n%l = OpLoad %s %v\n"
     "%e0 = OpCompositeExtract %bool %l 0\n%e1 = OpCompositeExtract %bool %l 2 1\n"
     "%e2 = OpCompositeExtract %bool %l 3 0\n%n = OpCompositeInsert %s %e2 %l 2 3\n"
     "%e3 = OpCompositeExtract %bool %n 2 3\n%e4 = OpCompositeExtract %b3 %n 3\n"
     "%e5 = OpSelect %v3 %e4 %ones %zeros\n%e6 = OpCompositeExtract %uint %e5 2\n"
     "%f0 = OpSelect %uint %e0 %c1 %c0\n%f1 = OpSelect %uint %e1 %c1 %c0\n"
     "%f2 = OpSelect %uint %e2 %c1 %c0\n%f3 = OpSelect %uint %e3 %c1 %c0\n" OUT(0, "%f0")
         OUT(1, "%f1") OUT(2, "%f2") OUT(3, "%f3") OUT(4, "%e6") END,
     "",
     5,
     {1, 1, 0, 0, 1}},

    {"vectors: shuffles of two lengths, lanes by number",
     0x10000,
     "",
     "",
     "%a = OpCompositeConstruct %v2 %x %c1\n%b = OpCompositeConstruct %v4 %a %c2 %c3\n"
     "%s = OpVectorShuffle %v4 %a %b 5 0 2 4294967295\n"
     "%n = OpBitwiseAnd %uint %x %c1\n%e = OpVectorExtractDynamic %uint %b %n\n"
     "%i = OpVectorInsertDynamic %v4 %b %c7 %c3\n%p = OpCompositeExtract %uint %s 0\n"
     "%q = OpCompositeExtract %uint %s 1\n%r = OpCompositeExtract %uint %s 2\n"
     "%t = OpCompositeExtract %uint %i 3\n%u = OpCompositeInsert %v4 %c6 %b 2\n"
     "%w = OpCompositeExtract %uint %u 2\n" OUT(0, "%p") OUT(1, "%q") OUT(2, "%r") OUT(3, "%e")
         OUT(4, "%t") OUT(5, "%w") END,
     "",
     6,
     {3, 13, 13, 1, 7, 6}},

    {"variables of the module, with values and addresses in them",
     0x10000,
     "OpDecorate %tab 22\n",
     "%arr = OpTypeArray %uint %c3\n%ap = OpTypePointer 5 %arr\n"
     "%ac = OpConstantComposite %arr %c5 %c6 %c7\n%tab = OpVariable %ap 5 %ac\n"
     "%null = OpConstantNull %arr\n%zero = OpVariable %ap 5 %null\n"
     "%mid = OpSpecConstantOp %gp 66 %tab %c1\n%s = OpTypeStruct %uint %gp %ep\n"
     "%gen = OpSpecConstantOp %ep 121 %mid\n%sp = OpTypePointer 5 %s\n"
     "%sc = OpConstantComposite %s %c4 %mid %gen\n%var = OpVariable %sp 5 %sc\n"
     "%gpp = OpTypePointer 5 %gp\n%epp = OpTypePointer 5 %ep\n",
     "%p1 = OpInBoundsAccessChain %gpp %var %c1\n%g = OpLoad %gp %p1\n%v1 = OpLoad %uint %g\n"
     "%p2 = OpInBoundsAccessChain %epp %var %c2\n%h = OpLoad %ep %p2\n"
     "%h1 = OpInBoundsPtrAccessChain %ep %h %c1\n%v2x = OpLoad %uint %h1\n"
     "%p3 = OpAccessChain %gp %zero %c2\n%v3x = OpLoad %uint %p3\n"
     "%p4 = OpAccessChain %gp %var %c0\n%v4x = OpLoad %uint %p4\n" OUT(0, "%v1") OUT(1, "%v2x")
         OUT(2, "%v3x") OUT(3, "%v4x") END,
     "",
     4,
     {6, 7, 0, 4}},

    {"pointers: casts, differences, comparison",
     0x10400,
     "",
     "",
     "%p = OpPtrAccessChain %gp %out %c5\n%d = OpPtrDiff %ulong %p %out\n"
     "%dd = OpUConvert %uint %d\n%g = OpPtrCastToGeneric %ep %p\n%back = OpGenericCastToPtr %gp "
     "%g\n"
     "%e = OpPtrEqual %bool %back %p\n%n = OpPtrNotEqual %bool %p %out\n"
     "%num = OpConvertPtrToU %ulong %p\n%four = OpUConvert %ulong %c4\n"
     "%num4 = OpIAdd %ulong %num %four\n%q = OpConvertUToPtr %gp %num4\nOpStore %q %x\n"
     "%ex = OpGenericCastToPtrExplicit %gp %g 5\n%z = OpPtrEqual %bool %ex %p\n"
     "%e1 = OpSelect %uint %e %c1 %c0\n%n1 = OpSelect %uint %n %c1 %c0\n"
     "%z1 = OpSelect %uint %z %c1 %c0\n" OUT(0, "%dd") OUT(1, "%e1") OUT(2, "%n1") OUT(3, "%z1")
         END,
     "",
     4,
     {5, 1, 1, 1}},

    {"functions: structures given and returned, by value and by reference",
     0x10000,
     "OpDecorate %byval 38 2\nOpDecorate %sret 38 3\nOpDecorate %sret 44 4\n",
     "%s = OpTypeStruct %uint %v2\n%sp = OpTypePointer 7 %s\n%ft = OpTypeFunction %s %s %uint\n"
     "%gt = OpTypeFunction %void %sp %sp\n%sn = OpConstantNull %s\n",
     "%a = OpVariable %sp 7 %sn\n%b = OpVariable %sp 7\n%r = OpFunctionCall %s %f %sn %x\n"
     "OpStore %a %r\n%none = OpFunctionCall %void %g %b %a\n%l = OpLoad %s %b\n%m = OpLoad %s %a\n"
     "%v = OpCompositeExtract %uint %l 0\n%w = OpCompositeExtract %uint %l 1 1\n"
     "%u = OpCompositeExtract %uint %m 0\n" OUT(0, "%v") OUT(1, "%w") OUT(2, "%u") END,
     "%f = OpFunction %s 0 %ft\n%fs = OpFunctionParameter %s\n%fx = OpFunctionParameter %uint\n"
     "%fl = OpLabel\n%f1 = OpCompositeInsert %s %fx %fs 0\n"
     "%f2 = OpCompositeInsert %s %c7 %f1 1 1\nOpReturnValue %f2\nOpFunctionEnd\n"
     "%g = OpFunction %void 0 %gt\n%sret = OpFunctionParameter %sp\n"
     "%byval = OpFunctionParameter %sp\n%gl = OpLabel\n"
     "%gq = OpInBoundsAccessChain %fp %byval %c0\n%gv = OpLoad %uint %gq\n"
     "%gw = OpIAdd %uint %gv %c1\nOpStore %gq %gw\nOpCopyMemory %sret %byval\nOpReturn\n"
     "OpFunctionEnd\n",
     3,
     {14, 7, 13}},

    {"a vector that bytes of zeros clear",
     0x10000,
     "",
     "%c16 = OpConstant %ulong 16L\n%bytes = OpTypeArray %uchar %c16\n"
     "%bp = OpTypePointer 7 %bytes\n%vp = OpTypePointer 7 %v4\n%none = OpConstantNull %bytes\n"
     "%v4n = OpConstantComposite %v4 %c5 %c6 %c7 %c4\n",
     "%zero = OpVariable %bp 7 %none\n%v = OpVariable %vp 7\n%w = OpVariable %vp 7 %v4n\n"
     "%lane = OpBitwiseAnd %uint %x %c3\nOpCopyMemorySized %v %zero %c16 2 16\n"
     "%p = OpInBoundsAccessChain %fp %v %lane\nOpStore %p %x 2 4\n%all = OpLoad %v4 %v 2 16\n"
     "%q = OpInBoundsAccessChain %fp %w %lane\n%before = OpLoad %uint %q 2 4\n"
     "%wb = OpBitcast %bp %w\nOpStore %wb %none 2 4\n%after = OpLoad %uint %q 2 4\n"
     "%a = OpCompositeExtract %uint %all 0\n%b = OpCompositeExtract %uint %all 1\n"
     "%c = OpCompositeExtract %uint %all 2\n%d = OpCompositeExtract %uint %all 3\n" OUT(0, "%a")
         OUT(1, "%b") OUT(2, "%c") OUT(3, "%d") OUT(4, "%before") OUT(5, "%after") END,
     "",
     6,
     {0, 13, 0, 0, 6, 0}},

    {"copies of memory",
     0x10400,
     "",
     "%eight = OpConstant %ulong 8L\n%vp = OpTypePointer 7 %v2\n",
     "%a = OpVariable %vp 7\n%b = OpVariable %vp 7\n%v = OpCompositeConstruct %v2 %x %c3\n"
     "OpStore %a %v 2 8\nOpCopyMemorySized %b %a %eight 2 8 2 8\n%l = OpLoad %v2 %b 3 8\n"
     "%p = OpCompositeExtract %uint %l 0\n%q = OpCompositeExtract %uint %l 1\n" OUT(0, "%p")
         OUT(1, "%q") END,
     "",
     2,
     {13, 3}},

    {"copies of memory within one variable, as clang writes moves",
     0x10000,
     "",
     "%c12 = OpConstant %ulong 12L\n%c1l = OpConstant %ulong 1L\n%four = OpTypeArray %uint %c4\n"
     "%ap = OpTypePointer 7 %four\n",
     "%a = OpVariable %ap 7\n%b = OpVariable %ap 7\n"
     "%av = OpCompositeConstruct %four %x %c5 %c6 %c7\nOpStore %a %av\nOpStore %b %av\n"
     "%a0 = OpInBoundsAccessChain %fp %a %c0\n%b0 = OpInBoundsAccessChain %fp %b %c0\n"
     "%a1 = OpInBoundsPtrAccessChain %fp %a0 %c1l\n"
     "%b1 = OpInBoundsPtrAccessChain %fp %b0 %c1l\n"
     "OpCopyMemorySized %a0 %a1 %c12 2 4\nOpCopyMemorySized %b1 %b0 %c12 2 4\n"
     "%aw = OpLoad %four %a\n%bw = OpLoad %four %b\n"
     "%p0 = OpCompositeExtract %uint %aw 0\n%p1 = OpCompositeExtract %uint %aw 1\n"
     "%p2 = OpCompositeExtract %uint %aw 2\n%p3 = OpCompositeExtract %uint %aw 3\n"
     "%q0 = OpCompositeExtract %uint %bw 0\n%q1 = OpCompositeExtract %uint %bw 1\n"
     "%q2 = OpCompositeExtract %uint %bw 2\n%q3 = OpCompositeExtract %uint %bw 3\n" OUT(0, "%p0")
         OUT(1, "%p1") OUT(2, "%p2") OUT(3, "%p3") OUT(4, "%q0") OUT(5, "%q1") OUT(6, "%q2")
             OUT(7, "%q3") END,
     "",
     8,
     {5, 6, 7, 7, 13, 13, 5, 6}},

    {"variables of the work-item, whole, by index and by address",
     0x10000,
     "OpDecorate %size 11 31\nOpDecorate %dim 11 30\nOpDecorate %gid 11 28\n",
     "%l3 = OpTypeVector %ulong 3\n%lp = OpTypePointer 1 %l3\n%ip = OpTypePointer 1 %uint\n"
     "%wp = OpTypePointer 1 %ulong\n%size = OpVariable %lp 1\n%dim = OpVariable %ip 1\n"
     "%gid = OpVariable %lp 1\n%epl = OpTypePointer 8 %ulong\n",
     "%s = OpLoad %l3 %size\n%s0 = OpCompositeExtract %ulong %s 0\n"
     "%s9 = OpVectorExtractDynamic %ulong %s %c1\n%p = OpInBoundsAccessChain %wp %size %c2\n"
     "%s2 = OpLoad %ulong %p\n%d = OpLoad %uint %dim\n%g = OpLoad %l3 %gid\n"
     "%sum = OpIAdd %l3 %g %s\n%g0 = OpCompositeExtract %ulong %sum 0\n"
     "%t0 = OpUConvert %uint %s0\n%t1 = OpUConvert %uint %s9\n%t2 = OpUConvert %uint %s2\n"
     "%t3 = OpUConvert %uint %g0\n" OUT(0, "%t0") OUT(1, "%t1") OUT(2, "%t2") OUT(3, "%d")
         OUT(4, "%t3") END,
     "",
     5,
     {1, 1, 1, 1, 1}},

    {"variables of the work-item that count as global memory",
     0x10000,
     "OpDecorate %size 11 31\n",
     "%l3 = OpTypeVector %ulong 3\n%lp = OpTypePointer 5 %l3\n%wp = OpTypePointer 8 %ulong\n"
     "%lg = OpTypePointer 8 %l3\n%size = OpVariable %lp 5\n",
     "%s = OpLoad %l3 %size\n%s0 = OpCompositeExtract %ulong %s 0\n"
     "%g = OpPtrCastToGeneric %lg %size\n%p = OpInBoundsAccessChain %wp %g %c1\n"
     "%s1 = OpLoad %ulong %p 2 8\n%t0 = OpUConvert %uint %s0\n%t1 = OpUConvert %uint %s1\n" OUT(
         0, "%t0") OUT(1, "%t1") END,
     "",
     2,
     {1, 1}},

    {"local memory that a null says nothing about",
     0x10000,
     "",
     "%lp = OpTypePointer 4 %uint\n%nothing = OpConstantNull %uint\n"
     "%lv = OpVariable %lp 4 %nothing\n%unknown = OpUndef %uint\n"
     "%lw = OpVariable %lp 4 %unknown\n",
     "OpStore %lv %x\nOpStore %lw %c7\n%a = OpLoad %uint %lv\n%b = OpLoad %uint %lw\n" OUT(0, "%a")
         OUT(1, "%b") END,
     "",
     2,
     {13, 7}},

    {"objects of three hundred numbers as values",
     0x10000,
     "",
     "%many = OpConstant %uint 300\n%arr = OpTypeArray %uint %many\n"
     "%big = OpTypeStruct %uint %arr %v2\n%bp = OpTypePointer 7 %big\n"
     "%null = OpConstantNull %big\n%na = OpConstantNull %arr\n%nv = OpConstantNull %v2\n"
     "%cb = OpConstantComposite %big %c5 %na %ones2\n%at = OpConstant %uint 299\n",
     "%a = OpVariable %bp 7\n%b = OpVariable %bp 7\nOpStore %a %null\n"
     "%p = OpAccessChain %fp %a %c1 %at\nOpStore %p %x\n%l = OpLoad %big %a\nOpStore %p %c7\n"
     "OpStore %b %l\n%q = OpAccessChain %fp %b %c1 %at\n%v = OpLoad %uint %q\n"
     "%e = OpCompositeExtract %uint %l 1 299\n%z = OpCompositeExtract %uint %l 2 1\n"
     "OpBranch %loop\n%loop = OpLabel\n%n = OpPhi %uint %c0 %start %n1 %loop\n"
     "%g = OpPhi %big %l %start %h %loop\n%n1 = OpIAdd %uint %n %c1\nOpStore %p %n1\n"
     "%h = OpLoad %big %a\n%ge = OpCompositeExtract %uint %g 1 299\n"
     "%t = OpULessThan %bool %n1 %c3\nOpBranchConditional %t %loop %end\n%end = OpLabel\n"
     "OpStore %b %cb\n%r = OpAccessChain %fp %b %c0\n%w = OpLoad %uint %r\n"
     "%y = OpLoad %uint %q\n" OUT(0, "%v") OUT(1, "%e") OUT(2, "%z") OUT(3, "%ge") OUT(4, "%w")
         OUT(5, "%y") END,
     "",
     6,
     {13, 13, 0, 2, 5, 0}},

    {"one condition for all lanes",
     0x10400,
     "",
     "",
     "%t = OpUGreaterThan %bool %x %c5\n%a = OpCompositeConstruct %v2 %x %c1\n"
     "%b = OpCompositeConstruct %v2 %c2 %c3\n%v = OpSelect %v2 %t %a %b\n"
     "%p = OpCompositeExtract %uint %v 0\n%q = OpCompositeExtract %uint %v 1\n"
     "%u = OpUndef %v2\n%c = OpCopyObject %uint %q\n" OUT(0, "%p") OUT(1, "%c") END,
     "",
     2,
     {13, 1}},

    {"comparisons with what is no number",
     0x10000,
     "",
     "%nan = OpConstant %float 0x7fc00000\n",
     "%f = OpConvertUToF %float %x\n%a = OpFOrdLessThan %bool %nan %f\n"
     "%b = OpFUnordLessThan %bool %nan %f\n%c = OpFOrdNotEqual %bool %nan %f\n"
     "%d = OpFUnordNotEqual %bool %nan %nan\n%e = OpFUnordEqual %bool %f %nan\n"
     "%a1 = OpSelect %uint %a %c1 %c0\n%b1 = OpSelect %uint %b %c1 %c0\n"
     "%c9 = OpSelect %uint %c %c1 %c0\n%d1 = OpSelect %uint %d %c1 %c0\n"
     "%e1 = OpSelect %uint %e %c1 %c0\n" OUT(0, "%a1") OUT(1, "%b1") OUT(2, "%c9") OUT(3, "%d1")
         OUT(4, "%e1") END,
     "",
     5,
     {0, 1, 0, 1, 1}},

    {"a pointer to a function, with lines",
     0x10000,
     "OpCapability 5603\n%file = OpString \"own.cl\"\n%other = OpString \"part.h\"\n",
     "%ft = OpTypeFunction %uint %uint\n%pt = OpTypePointer 7 %ft\n"
     "%p = OpConstantFunctionPointerINTEL %pt %f\n%null = OpConstantNull %pt\n",
     "OpLine %file 4 9\n%t = OpUGreaterThan %bool %x %c5\n%q = OpSelect %pt %t %p %null\n"
     "OpLine %other 5 1\n%r = OpFunctionPointerCallINTEL %uint %q %x\nOpNoLine\n" OUT(0, "%r") END,
     "OpLine %file 1 1\n%f = OpFunction %uint 0 %ft\n%y = OpFunctionParameter %uint\n"
     "%l = OpLabel\nOpLine %file 2 2\n%z = OpIMul %uint %y %c3\nOpReturnValue %z\n"
     "OpFunctionEnd\n",
     1,
     {39}},
};
const unsigned spirv_case_count = sizeof spirv_cases / sizeof *spirv_cases;

/* DeviceOnly is 5936, HostOnly 5937; null is what a cast to another space gives. */
const struct spirv_case spirv_address_case = {
    "address spaces: parts of global memory, and casts to what a pointer does not reach",
    0x10400,
    "",
    "%dp = OpTypePointer 5936 %uint\n%hp = OpTypePointer 5937 %uint\n"
    "%lp = OpTypePointer 4 %uint\n%nof = OpConstantNull %fp\n%nol = OpConstantNull %lp\n"
    "%nog = OpConstantNull %gp\n%dv = OpVariable %dp 5936 %c5\n%lv = OpVariable %lp 4\n",
    "%own = OpVariable %fp 7 %c3\n%d = OpCrossWorkgroupCastToPtrINTEL %dp %out\n"
    "%h = OpCrossWorkgroupCastToPtrINTEL %hp %out\n%d1 = OpInBoundsPtrAccessChain %dp %d %c1\n"
    "%h2 = OpInBoundsPtrAccessChain %hp %h %c2\nOpStore %d1 %x 2 4\nOpStore %h2 %c7 2 4\n"
    "%back = OpPtrCastToCrossWorkgroupINTEL %gp %d1\n%a = OpLoad %uint %back 2 4\n"
    "%dg = OpPtrCastToCrossWorkgroupINTEL %gp %dv\n%b = OpLoad %uint %dg 2 4\n" OUT(3, "%a")
        OUT(4, "%b") "%e1 = OpPtrCastToGeneric %ep %out\n%e2 = OpPtrCastToGeneric %ep %own\n"
                     "%e3 = OpPtrCastToGeneric %ep %lv\n"
                     "%p1 = OpGenericCastToPtrExplicit %fp %e1 7\n"
                     "%p2 = OpGenericCastToPtrExplicit %gp %e2 5\n"
                     "%p3 = OpGenericCastToPtrExplicit %lp %e1 4\n"
                     "%p4 = OpGenericCastToPtrExplicit %lp %e3 4\n"
                     "%q1 = OpPtrEqual %bool %p1 %nof\n%q2 = OpPtrEqual %bool %p2 %nog\n"
                     "%q3 = OpPtrEqual %bool %p3 %nol\n%q4 = OpPtrEqual %bool %p4 %nol\n"
                     "%s1 = OpSelect %uint %q1 %c1 %c0\n%s2 = OpSelect %uint %q2 %c2 %c0\n"
                     "%s3 = OpSelect %uint %q3 %c4 %c0\n%s4 = OpSelect %uint %q4 %c7 %c0\n"
                     "%t1 = OpIAdd %uint %s1 %s2\n%t2 = OpIAdd %uint %s3 %s4\n"
                     "%t = OpIAdd %uint %t1 %t2\n" OUT(5, "%t") OUT(0, "%t1") END,
    "",
    6,
    {3, 13, 7, 13, 5, 7}};

char *spirv_case_text(const struct spirv_case *c)
{
    static const char vectors[] = "%ones = OpConstantComposite %v3 %c1 %c1 %c1\n"
                                  "%zeros = OpConstantComposite %v3 %c0 %c0 %c0\n"
                                  "%ones2 = OpConstantComposite %v2 %c1 %c1\n";
    size_t bytes = sizeof prelude + sizeof types + sizeof head + sizeof vectors +
                   strlen(c->before) + strlen(c->globals) + strlen(c->body) + strlen(c->functions);
    char *text = malloc(bytes);
    if (text)
        snprintf(text, bytes, "%s%s%s%s%s%s%s%s", prelude, c->before, types, vectors, c->globals,
                 c->functions, head, c->body);
    return text;
}
