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

/* LLVM 22 made it of the text in il_test.c. */
static const uint32_t blend[] = {
    0x07230203, 0x00010400, 0, 200, 0,
    OP(17, 2), 6,  /* OpCapability Kernel */
    OP(17, 2), 4,  /* OpCapability Addresses */
    OP(17, 2), 11,  /* OpCapability Int64 */
    OP(17, 2), 5,  /* OpCapability Linkage */
    OP(11, 5), 1, 0x6e65704f, 0x732e4c43, 25716,  /* %1 = OpExtInstImport "OpenCL.std" */
    OP(14, 3), 2, 2,  /* OpMemoryModel Physical64 OpenCL */
    OP(15, 8), 6, 26, 0x6e656c62, 100, 22, 21, 20,  /* OpEntryPoint Kernel %blend "blend" %__spirv_BuiltInWorkgroupSize %__spirv_BuiltInLocalInvocationId %__spirv_BuiltInGlobalInvocationId */
    OP(16, 3), 26, 31,  /* OpExecutionMode %blend ContractionOff */
    OP(3, 3), 3, 0x000493e0,  /* OpSource OpenCL_C 300000 */
    OP(5, 4), 26, 0x6e656c62, 100,  /* OpName %blend "blend" */
    OP(5, 11), 20, 0x70735f5f, 0x5f767269, 0x6c697542, 0x476e4974, 0x61626f6c, 0x766e496c, 0x7461636f, 0x496e6f69, 100, /* OpName %__spirv_BuiltInGlobalInvocationId "__spirv_BuiltInGlobalInvocationId" */
    OP(5, 11), 21, 0x70735f5f, 0x5f767269, 0x6c697542, 0x4c6e4974, 0x6c61636f, 0x6f766e49, 0x69746163, 0x64496e6f, 0, /* OpName %__spirv_BuiltInLocalInvocationId "__spirv_BuiltInLocalInvocationId" */
    OP(5, 10), 22, 0x70735f5f, 0x5f767269, 0x6c697542, 0x576e4974, 0x676b726f, 0x70756f72, 0x657a6953, 0, /* OpName %__spirv_BuiltInWorkgroupSize "__spirv_BuiltInWorkgroupSize" */
    OP(5, 9), 63, 0x6c635f5f, 0x5f676e61, 0x5f6c636f, 0x6e72656b, 0x706d695f, 0x656c625f, 25710, /* OpName %__clang_ocl_kern_imp_blend "__clang_ocl_kern_imp_blend" */
    OP(71, 4), 23, 44, 16,  /* OpDecorate %23 Alignment 16 */
    OP(71, 4), 24, 44, 16,  /* OpDecorate %24 Alignment 16 */
    OP(71, 4), 24, 38, 6,  /* OpDecorate %24 FuncParamAttr NoWrite */
    OP(71, 4), 25, 44, 4,  /* OpDecorate %25 Alignment 4 */
    OP(71, 3), 20, 22,  /* OpDecorate %__spirv_BuiltInGlobalInvocationId Constant */
    OP(71, 13), 20, 41, 0x70735f5f, 0x5f767269, 0x6c697542, 0x476e4974, 0x61626f6c, 0x766e496c, 0x7461636f, 0x496e6f69, 100, 1, /* OpDecorate %__spirv_BuiltInGlobalInvocationId LinkageAttributes "__spirv_BuiltInGlobalInvocationId" Import */
    OP(71, 4), 20, 11, 28,  /* OpDecorate %__spirv_BuiltInGlobalInvocationId BuiltIn GlobalInvocationId */
    OP(71, 3), 33, 28,  /* OpDecorate %33 SaturatedConversion */
    OP(71, 4), 33, 39, 0,  /* OpDecorate %33 FPRoundingMode RTE */
    OP(71, 3), 21, 22,  /* OpDecorate %__spirv_BuiltInLocalInvocationId Constant */
    OP(71, 13), 21, 41, 0x70735f5f, 0x5f767269, 0x6c697542, 0x4c6e4974, 0x6c61636f, 0x6f766e49, 0x69746163, 0x64496e6f, 0, 1, /* OpDecorate %__spirv_BuiltInLocalInvocationId LinkageAttributes "__spirv_BuiltInLocalInvocationId" Import */
    OP(71, 4), 21, 11, 27,  /* OpDecorate %__spirv_BuiltInLocalInvocationId BuiltIn LocalInvocationId */
    OP(71, 3), 22, 22,  /* OpDecorate %__spirv_BuiltInWorkgroupSize Constant */
    OP(71, 12), 22, 41, 0x70735f5f, 0x5f767269, 0x6c697542, 0x576e4974, 0x676b726f, 0x70756f72, 0x657a6953, 0, 1, /* OpDecorate %__spirv_BuiltInWorkgroupSize LinkageAttributes "__spirv_BuiltInWorkgroupSize" Import */
    OP(71, 4), 22, 11, 25,  /* OpDecorate %__spirv_BuiltInWorkgroupSize BuiltIn WorkgroupSize */
    OP(71, 4), 60, 44, 16,  /* OpDecorate %60 Alignment 16 */
    OP(71, 4), 61, 44, 16,  /* OpDecorate %61 Alignment 16 */
    OP(71, 4), 61, 38, 6,  /* OpDecorate %61 FuncParamAttr NoWrite */
    OP(71, 4), 62, 44, 4,  /* OpDecorate %62 Alignment 4 */
    OP(71, 11), 63, 41, 0x6c635f5f, 0x5f676e61, 0x5f6c636f, 0x6e72656b, 0x706d695f, 0x656c625f, 25710, 0, /* OpDecorate %__clang_ocl_kern_imp_blend LinkageAttributes "__clang_ocl_kern_imp_blend" Export */
    OP(71, 3), 70, 28,  /* OpDecorate %70 SaturatedConversion */
    OP(71, 4), 70, 39, 0,  /* OpDecorate %70 FPRoundingMode RTE */
    OP(22, 3), 2, 32,  /* %float = OpTypeFloat 32 */
    OP(23, 4), 3, 2, 4,  /* %v4float = OpTypeVector %float 4 */
    OP(32, 4), 4, 5, 3,  /* %_ptr_CrossWorkgroup_v4float = OpTypePointer CrossWorkgroup %v4float */
    OP(21, 4), 5, 32, 0,  /* %uint = OpTypeInt 32 0 */
    OP(32, 4), 6, 4, 5,  /* %_ptr_Workgroup_uint = OpTypePointer Workgroup %uint */
    OP(19, 2), 7,  /* %void = OpTypeVoid */
    OP(33, 7), 8, 7, 4, 4, 2, 6,  /* %8 = OpTypeFunction %void %_ptr_CrossWorkgroup_v4float %_ptr_CrossWorkgroup_v4float %float %_ptr_Workgroup_uint */
    OP(21, 4), 9, 64, 0,  /* %ulong = OpTypeInt 64 0 */
    OP(23, 4), 10, 9, 3,  /* %v3ulong = OpTypeVector %ulong 3 */
    OP(32, 4), 11, 1, 10,  /* %_ptr_Input_v3ulong = OpTypePointer Input %v3ulong */
    OP(20, 2), 12,  /* %bool = OpTypeBool */
    OP(43, 4), 5, 13, 3,  /* %uint_3 = OpConstant %uint 3 */
    OP(43, 5), 9, 14, 0xffffffff, 0xffffffff,  /* %ulong_18446744073709551615 = OpConstant %ulong 18446744073709551615 */
    OP(43, 4), 5, 15, 0xffffffff,  /* %uint_4294967295 = OpConstant %uint 4294967295 */
    OP(46, 3), 5, 16,  /* %16 = OpConstantNull %uint */
    OP(43, 4), 5, 17, 2,  /* %uint_2 = OpConstant %uint 2 */
    OP(43, 4), 5, 18, 272,  /* %uint_272 = OpConstant %uint 272 */
    OP(1, 3), 3, 19,  /* %19 = OpUndef %v4float */
    OP(59, 4), 11, 20, 1,  /* %__spirv_BuiltInGlobalInvocationId = OpVariable %_ptr_Input_v3ulong Input */
    OP(59, 4), 11, 21, 1,  /* %__spirv_BuiltInLocalInvocationId = OpVariable %_ptr_Input_v3ulong Input */
    OP(59, 4), 11, 22, 1,  /* %__spirv_BuiltInWorkgroupSize = OpVariable %_ptr_Input_v3ulong Input */
    OP(54, 5), 7, 26, 0, 8,  /* %blend = OpFunction %void None %8 */
    OP(55, 3), 4, 23,  /* %23 = OpFunctionParameter %_ptr_CrossWorkgroup_v4float */
    OP(55, 3), 4, 24,  /* %24 = OpFunctionParameter %_ptr_CrossWorkgroup_v4float */
    OP(55, 3), 2, 27,  /* %27 = OpFunctionParameter %float */
    OP(55, 3), 6, 25,  /* %25 = OpFunctionParameter %_ptr_Workgroup_uint */
    OP(248, 2), 97,  /* %97 = OpLabel */
    OP(61, 6), 10, 28, 20, 2, 1,  /* %28 = OpLoad %v3ulong %__spirv_BuiltInGlobalInvocationId Aligned 1 */
    OP(81, 5), 9, 29, 28, 0,  /* %29 = OpCompositeExtract %ulong %28 0 */
    OP(70, 5), 4, 30, 24, 29,  /* %30 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4float %24 %29 */
    OP(61, 6), 3, 31, 30, 2, 16,  /* %31 = OpLoad %v4float %30 Aligned 16 */
    OP(81, 5), 2, 32, 31, 1,  /* %32 = OpCompositeExtract %float %31 1 */
    OP(109, 4), 5, 33, 32,  /* %33 = OpConvertFToU %uint %32 */
    OP(61, 6), 10, 34, 21, 2, 1,  /* %34 = OpLoad %v3ulong %__spirv_BuiltInLocalInvocationId Aligned 1 */
    OP(81, 5), 9, 35, 34, 0,  /* %35 = OpCompositeExtract %ulong %34 0 */
    OP(70, 5), 6, 36, 25, 35,  /* %36 = OpInBoundsPtrAccessChain %_ptr_Workgroup_uint %25 %35 */
    OP(62, 5), 36, 33, 2, 4,  /* OpStore %36 %33 Aligned 4 */
    OP(224, 4), 17, 17, 18,  /* OpControlBarrier %uint_2 %uint_2 %uint_272 */
    OP(82, 6), 3, 37, 27, 19, 0,  /* %37 = OpCompositeInsert %v4float %27 %19 0 */
    OP(79, 9), 3, 38, 37, 19, 0, 0, 0, 0,  /* %38 = OpVectorShuffle %v4float %37 %19 0 0 0 0 */
    OP(249, 2), 98,  /* OpBranch %98 */
    OP(248, 2), 98,  /* %98 = OpLabel */
    OP(245, 7), 5, 39, 13, 97, 40, 98,  /* %39 = OpPhi %uint %uint_3 %97 %40 %98 */
    OP(245, 7), 3, 41, 31, 97, 42, 98,  /* %41 = OpPhi %v4float %31 %97 %42 %98 */
    OP(79, 9), 3, 43, 41, 19, 3, 0, 1, 2,  /* %43 = OpVectorShuffle %v4float %41 %19 3 0 1 2 */
    OP(12, 6), 3, 44, 1, 23, 41,  /* %44 = OpExtInst %v4float %1 fabs %41 */
    OP(12, 6), 3, 45, 1, 61, 44,  /* %45 = OpExtInst %v4float %1 sqrt %44 */
    OP(12, 8), 3, 42, 1, 26, 43, 38, 45,  /* %42 = OpExtInst %v4float %1 fma %43 %38 %45 */
    OP(128, 5), 5, 40, 39, 15,  /* %40 = OpIAdd %uint %39 %uint_4294967295 */
    OP(170, 5), 12, 46, 40, 16,  /* %46 = OpIEqual %bool %40 %16 */
    OP(250, 4), 46, 99, 98,  /* OpBranchConditional %46 %99 %98 */
    OP(248, 2), 99,  /* %99 = OpLabel */
    OP(61, 6), 10, 47, 22, 2, 1,  /* %47 = OpLoad %v3ulong %__spirv_BuiltInWorkgroupSize Aligned 1 */
    OP(81, 5), 9, 48, 47, 0,  /* %48 = OpCompositeExtract %ulong %47 0 */
    OP(61, 6), 10, 49, 21, 2, 1,  /* %49 = OpLoad %v3ulong %__spirv_BuiltInLocalInvocationId Aligned 1 */
    OP(81, 5), 9, 50, 49, 0,  /* %50 = OpCompositeExtract %ulong %49 0 */
    OP(198, 5), 9, 51, 50, 14,  /* %51 = OpBitwiseXor %ulong %50 %ulong_18446744073709551615 */
    OP(67, 5), 6, 52, 25, 48,  /* %52 = OpPtrAccessChain %_ptr_Workgroup_uint %25 %48 */
    OP(67, 5), 6, 53, 52, 51,  /* %53 = OpPtrAccessChain %_ptr_Workgroup_uint %52 %51 */
    OP(61, 6), 5, 54, 53, 2, 4,  /* %54 = OpLoad %uint %53 Aligned 4 */
    OP(112, 4), 2, 55, 54,  /* %55 = OpConvertUToF %float %54 */
    OP(81, 5), 2, 56, 42, 2,  /* %56 = OpCompositeExtract %float %42 2 */
    OP(129, 5), 2, 57, 56, 55,  /* %57 = OpFAdd %float %56 %55 */
    OP(82, 6), 3, 58, 57, 42, 2,  /* %58 = OpCompositeInsert %v4float %57 %42 2 */
    OP(70, 5), 4, 59, 23, 29,  /* %59 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4float %23 %29 */
    OP(62, 5), 59, 58, 2, 16,  /* OpStore %59 %58 Aligned 16 */
    OP(253, 1),  /* OpReturn */
    OP(56, 1),  /* OpFunctionEnd */
    OP(54, 5), 7, 63, 1, 8,  /* %__clang_ocl_kern_imp_blend = OpFunction %void Inline %8 */
    OP(55, 3), 4, 60,  /* %60 = OpFunctionParameter %_ptr_CrossWorkgroup_v4float */
    OP(55, 3), 4, 61,  /* %61 = OpFunctionParameter %_ptr_CrossWorkgroup_v4float */
    OP(55, 3), 2, 64,  /* %64 = OpFunctionParameter %float */
    OP(55, 3), 6, 62,  /* %62 = OpFunctionParameter %_ptr_Workgroup_uint */
    OP(248, 2), 100,  /* %100 = OpLabel */
    OP(61, 6), 10, 65, 20, 2, 1,  /* %65 = OpLoad %v3ulong %__spirv_BuiltInGlobalInvocationId Aligned 1 */
    OP(81, 5), 9, 66, 65, 0,  /* %66 = OpCompositeExtract %ulong %65 0 */
    OP(70, 5), 4, 67, 61, 66,  /* %67 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4float %61 %66 */
    OP(61, 6), 3, 68, 67, 2, 16,  /* %68 = OpLoad %v4float %67 Aligned 16 */
    OP(81, 5), 2, 69, 68, 1,  /* %69 = OpCompositeExtract %float %68 1 */
    OP(109, 4), 5, 70, 69,  /* %70 = OpConvertFToU %uint %69 */
    OP(61, 6), 10, 71, 21, 2, 1,  /* %71 = OpLoad %v3ulong %__spirv_BuiltInLocalInvocationId Aligned 1 */
    OP(81, 5), 9, 72, 71, 0,  /* %72 = OpCompositeExtract %ulong %71 0 */
    OP(70, 5), 6, 73, 62, 72,  /* %73 = OpInBoundsPtrAccessChain %_ptr_Workgroup_uint %62 %72 */
    OP(62, 5), 73, 70, 2, 4,  /* OpStore %73 %70 Aligned 4 */
    OP(224, 4), 17, 17, 18,  /* OpControlBarrier %uint_2 %uint_2 %uint_272 */
    OP(82, 6), 3, 74, 64, 19, 0,  /* %74 = OpCompositeInsert %v4float %64 %19 0 */
    OP(79, 9), 3, 75, 74, 19, 0, 0, 0, 0,  /* %75 = OpVectorShuffle %v4float %74 %19 0 0 0 0 */
    OP(249, 2), 101,  /* OpBranch %101 */
    OP(248, 2), 101,  /* %101 = OpLabel */
    OP(245, 7), 5, 76, 13, 100, 77, 101,  /* %76 = OpPhi %uint %uint_3 %100 %77 %101 */
    OP(245, 7), 3, 78, 68, 100, 79, 101,  /* %78 = OpPhi %v4float %68 %100 %79 %101 */
    OP(79, 9), 3, 80, 78, 19, 3, 0, 1, 2,  /* %80 = OpVectorShuffle %v4float %78 %19 3 0 1 2 */
    OP(12, 6), 3, 81, 1, 23, 78,  /* %81 = OpExtInst %v4float %1 fabs %78 */
    OP(12, 6), 3, 82, 1, 61, 81,  /* %82 = OpExtInst %v4float %1 sqrt %81 */
    OP(12, 8), 3, 79, 1, 26, 80, 75, 82,  /* %79 = OpExtInst %v4float %1 fma %80 %75 %82 */
    OP(128, 5), 5, 77, 76, 15,  /* %77 = OpIAdd %uint %76 %uint_4294967295 */
    OP(170, 5), 12, 83, 77, 16,  /* %83 = OpIEqual %bool %77 %16 */
    OP(250, 4), 83, 102, 101,  /* OpBranchConditional %83 %102 %101 */
    OP(248, 2), 102,  /* %102 = OpLabel */
    OP(61, 6), 10, 84, 22, 2, 1,  /* %84 = OpLoad %v3ulong %__spirv_BuiltInWorkgroupSize Aligned 1 */
    OP(81, 5), 9, 85, 84, 0,  /* %85 = OpCompositeExtract %ulong %84 0 */
    OP(61, 6), 10, 86, 21, 2, 1,  /* %86 = OpLoad %v3ulong %__spirv_BuiltInLocalInvocationId Aligned 1 */
    OP(81, 5), 9, 87, 86, 0,  /* %87 = OpCompositeExtract %ulong %86 0 */
    OP(198, 5), 9, 88, 87, 14,  /* %88 = OpBitwiseXor %ulong %87 %ulong_18446744073709551615 */
    OP(67, 5), 6, 89, 62, 85,  /* %89 = OpPtrAccessChain %_ptr_Workgroup_uint %62 %85 */
    OP(67, 5), 6, 90, 89, 88,  /* %90 = OpPtrAccessChain %_ptr_Workgroup_uint %89 %88 */
    OP(61, 6), 5, 91, 90, 2, 4,  /* %91 = OpLoad %uint %90 Aligned 4 */
    OP(112, 4), 2, 92, 91,  /* %92 = OpConvertUToF %float %91 */
    OP(81, 5), 2, 93, 79, 2,  /* %93 = OpCompositeExtract %float %79 2 */
    OP(129, 5), 2, 94, 93, 92,  /* %94 = OpFAdd %float %93 %92 */
    OP(82, 6), 3, 95, 94, 79, 2,  /* %95 = OpCompositeInsert %v4float %94 %79 2 */
    OP(70, 5), 4, 96, 60, 66,  /* %96 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4float %60 %66 */
    OP(62, 5), 96, 95, 2, 16,  /* OpStore %96 %95 Aligned 16 */
    OP(253, 1),  /* OpReturn */
    OP(56, 1),  /* OpFunctionEnd */
};
const struct il_module il_blend = {blend, sizeof blend};
/* clang-format on */
