/* SPDX-License-Identifier: Apache-2.0 */
/* SPIR-V modules in words, an instruction a line. Constant data. */
#include "il_modules.h"

/* clang-format off */
#define OP(code, words) (uint32_t)(words) << 16 | (code)

static const uint32_t constants[] = {
    0x07230203, 0x00010200, 0, 43, 0,
    OP(17, 2), 4,  /* OpCapability Addresses */
    OP(17, 2), 6,  /* OpCapability Kernel */
    OP(17, 2), 39,  /* OpCapability Int8 */
    OP(17, 2), 22,  /* OpCapability Int16 */
    OP(17, 2), 11,  /* OpCapability Int64 */
    OP(17, 2), 10,  /* OpCapability Float64 */
    OP(14, 3), 2, 2,  /* OpMemoryModel Physical64 OpenCL */
    OP(15, 7), 6, 1, 0x736e6f63, 0x746e6174, 115, 2,  /* OpEntryPoint Kernel %1 "constants" %gl_GlobalInvocationID */
    OP(3, 3), 3, 0x00030d40,  /* OpSource OpenCL_C 200000 */
    OP(5, 3), 3, 0x0074756f,  /* OpName %out "out" */
    OP(71, 4), 2, 11, 28,  /* OpDecorate %gl_GlobalInvocationID BuiltIn GlobalInvocationId */
    OP(71, 3), 2, 22,  /* OpDecorate %gl_GlobalInvocationID Constant */
    OP(71, 4), 4, 1, 0,  /* OpDecorate %4 SpecId 0 */
    OP(71, 4), 5, 1, 1,  /* OpDecorate %5 SpecId 1 */
    OP(71, 4), 6, 1, 2,  /* OpDecorate %6 SpecId 2 */
    OP(71, 4), 7, 1, 4,  /* OpDecorate %7 SpecId 4 */
    OP(71, 4), 8, 1, 8,  /* OpDecorate %8 SpecId 8 */
    OP(71, 4), 9, 1, 14,  /* OpDecorate %9 SpecId 14 */
    OP(71, 4), 10, 1, 18,  /* OpDecorate %10 SpecId 18 */
    OP(19, 2), 11,  /* %void = OpTypeVoid */
    OP(20, 2), 12,  /* %bool = OpTypeBool */
    OP(21, 4), 13, 8, 0,  /* %uchar = OpTypeInt 8 0 */
    OP(21, 4), 14, 16, 0,  /* %ushort = OpTypeInt 16 0 */
    OP(21, 4), 15, 32, 0,  /* %uint = OpTypeInt 32 0 */
    OP(21, 4), 16, 64, 0,  /* %ulong = OpTypeInt 64 0 */
    OP(22, 3), 17, 32,  /* %float = OpTypeFloat 32 */
    OP(22, 3), 18, 64,  /* %double = OpTypeFloat 64 */
    OP(49, 3), 12, 4,  /* %4 = OpSpecConstantFalse %bool */
    OP(50, 4), 13, 5, 1,  /* %5 = OpSpecConstant %uchar 1 */
    OP(50, 4), 14, 6, 2,  /* %6 = OpSpecConstant %ushort 2 */
    OP(50, 4), 15, 7, 3,  /* %7 = OpSpecConstant %uint 3 */
    OP(50, 5), 16, 8, 4, 0,  /* %8 = OpSpecConstant %ulong 4 */
    OP(50, 4), 17, 9, 0x40a00000,  /* %9 = OpSpecConstant %float 5 */
    OP(50, 5), 18, 10, 0, 0x40180000,  /* %10 = OpSpecConstant %double 6 */
    OP(43, 5), 16, 19, 0, 0,  /* %ulong_0 = OpConstant %ulong 0 */
    OP(43, 5), 16, 20, 1, 0,  /* %ulong_1 = OpConstant %ulong 1 */
    OP(43, 5), 16, 21, 7, 0,  /* %ulong_7 = OpConstant %ulong 7 */
    OP(23, 4), 22, 16, 3,  /* %v3ulong = OpTypeVector %ulong 3 */
    OP(32, 4), 23, 1, 22,  /* %_ptr_Input_v3ulong = OpTypePointer Input %v3ulong */
    OP(32, 4), 24, 5, 16,  /* %_ptr_CrossWorkgroup_ulong = OpTypePointer CrossWorkgroup %ulong */
    OP(33, 4), 25, 11, 24,  /* %25 = OpTypeFunction %void %_ptr_CrossWorkgroup_ulong */
    OP(59, 4), 23, 2, 1,  /* %gl_GlobalInvocationID = OpVariable %_ptr_Input_v3ulong Input */
    OP(54, 5), 11, 1, 0, 25,  /* %1 = OpFunction %void None %25 */
    OP(55, 3), 24, 3,  /* %out = OpFunctionParameter %_ptr_CrossWorkgroup_ulong */
    OP(248, 2), 26,  /* %26 = OpLabel */
    OP(61, 4), 22, 27, 2,  /* %27 = OpLoad %v3ulong %gl_GlobalInvocationID */
    OP(81, 5), 16, 28, 27, 0,  /* %28 = OpCompositeExtract %ulong %27 0 */
    OP(169, 6), 16, 29, 4, 20, 19,  /* %29 = OpSelect %ulong %4 %ulong_1 %ulong_0 */
    OP(113, 4), 16, 30, 5,  /* %30 = OpUConvert %ulong %5 */
    OP(113, 4), 16, 31, 6,  /* %31 = OpUConvert %ulong %6 */
    OP(113, 4), 16, 32, 7,  /* %32 = OpUConvert %ulong %7 */
    OP(109, 4), 16, 33, 9,  /* %33 = OpConvertFToU %ulong %9 */
    OP(109, 4), 16, 34, 10,  /* %34 = OpConvertFToU %ulong %10 */
    OP(132, 5), 16, 35, 28, 21,  /* %35 = OpIMul %ulong %28 %ulong_7 */
    OP(70, 5), 24, 36, 3, 35,  /* %36 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %out %35 */
    OP(62, 5), 36, 29, 2, 8,  /* OpStore %36 %29 Aligned 8 */
    OP(70, 5), 24, 37, 36, 20,  /* %37 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %36 %ulong_1 */
    OP(62, 5), 37, 30, 2, 8,  /* OpStore %37 %30 Aligned 8 */
    OP(70, 5), 24, 38, 37, 20,  /* %38 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %37 %ulong_1 */
    OP(62, 5), 38, 31, 2, 8,  /* OpStore %38 %31 Aligned 8 */
    OP(70, 5), 24, 39, 38, 20,  /* %39 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %38 %ulong_1 */
    OP(62, 5), 39, 32, 2, 8,  /* OpStore %39 %32 Aligned 8 */
    OP(70, 5), 24, 40, 39, 20,  /* %40 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %39 %ulong_1 */
    OP(62, 5), 40, 8, 2, 8,  /* OpStore %40 %8 Aligned 8 */
    OP(70, 5), 24, 41, 40, 20,  /* %41 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %40 %ulong_1 */
    OP(62, 5), 41, 33, 2, 8,  /* OpStore %41 %33 Aligned 8 */
    OP(70, 5), 24, 42, 41, 20,  /* %42 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %41 %ulong_1 */
    OP(62, 5), 42, 34, 2, 8,  /* OpStore %42 %34 Aligned 8 */
    OP(253, 1),  /* OpReturn */
    OP(56, 1),  /* OpFunctionEnd */
};
const struct il_module il_constants = {constants, sizeof constants};

static const uint32_t twice[] = {
    0x07230203, 0x00010200, 0, 8, 0,
    OP(17, 2), 4,  /* OpCapability Addresses */
    OP(17, 2), 6,  /* OpCapability Kernel */
    OP(17, 2), 5,  /* OpCapability Linkage */
    OP(14, 3), 2, 2,  /* OpMemoryModel Physical64 OpenCL */
    OP(71, 6), 1, 41, 0x63697774, 101, 0,  /* OpDecorate %1 LinkageAttributes "twice" Export */
    OP(21, 4), 2, 32, 0,  /* %uint = OpTypeInt 32 0 */
    OP(43, 4), 2, 3, 2,  /* %uint_2 = OpConstant %uint 2 */
    OP(33, 4), 4, 2, 2,  /* %4 = OpTypeFunction %uint %uint */
    OP(54, 5), 2, 1, 0, 4,  /* %1 = OpFunction %uint None %4 */
    OP(55, 3), 2, 5,  /* %5 = OpFunctionParameter %uint */
    OP(248, 2), 6,  /* %6 = OpLabel */
    OP(132, 5), 2, 7, 5, 3,  /* %7 = OpIMul %uint %5 %uint_2 */
    OP(254, 2), 7,  /* OpReturnValue %7 */
    OP(56, 1),  /* OpFunctionEnd */
};
const struct il_module il_twice = {twice, sizeof twice};

static const uint32_t caller[] = {
    0x07230203, 0x00010200, 0, 15, 0,
    OP(17, 2), 4,  /* OpCapability Addresses */
    OP(17, 2), 6,  /* OpCapability Kernel */
    OP(17, 2), 5,  /* OpCapability Linkage */
    OP(14, 3), 2, 2,  /* OpMemoryModel Physical64 OpenCL */
    OP(15, 5), 6, 1, 0x6c6c6163, 29285,  /* OpEntryPoint Kernel %1 "caller" */
    OP(71, 6), 2, 41, 0x63697774, 101, 1,  /* OpDecorate %2 LinkageAttributes "twice" Import */
    OP(19, 2), 3,  /* %void = OpTypeVoid */
    OP(21, 4), 4, 32, 0,  /* %uint = OpTypeInt 32 0 */
    OP(43, 4), 4, 5, 3,  /* %uint_3 = OpConstant %uint 3 */
    OP(33, 4), 6, 4, 4,  /* %6 = OpTypeFunction %uint %uint */
    OP(32, 4), 7, 5, 4,  /* %_ptr_CrossWorkgroup_uint = OpTypePointer CrossWorkgroup %uint */
    OP(33, 5), 8, 3, 7, 4,  /* %8 = OpTypeFunction %void %_ptr_CrossWorkgroup_uint %uint */
    OP(54, 5), 4, 2, 0, 6,  /* %2 = OpFunction %uint None %6 */
    OP(55, 3), 4, 9,  /* %9 = OpFunctionParameter %uint */
    OP(56, 1),  /* OpFunctionEnd */
    OP(54, 5), 3, 1, 0, 8,  /* %1 = OpFunction %void None %8 */
    OP(55, 3), 7, 10,  /* %10 = OpFunctionParameter %_ptr_CrossWorkgroup_uint */
    OP(55, 3), 4, 11,  /* %11 = OpFunctionParameter %uint */
    OP(248, 2), 12,  /* %12 = OpLabel */
    OP(57, 5), 4, 13, 2, 11,  /* %13 = OpFunctionCall %uint %2 %11 */
    OP(128, 5), 4, 14, 13, 5,  /* %14 = OpIAdd %uint %13 %uint_3 */
    OP(62, 5), 10, 14, 2, 4,  /* OpStore %10 %14 Aligned 4 */
    OP(253, 1),  /* OpReturn */
    OP(56, 1),  /* OpFunctionEnd */
};
const struct il_module il_caller = {caller, sizeof caller};

/* clang-format on */
