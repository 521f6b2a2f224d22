/* SPDX-License-Identifier: Apache-2.0 */
#include "cooperative.h"

#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "reference.h"
#include "spirv_run.h"

clGetDeviceCooperativeMatrixInfoKHR_sluice_t *cooperative_query(void)
{
    if (!has_extension("cl_khr_cooperative_matrix"))
        check_skip("no cl_khr_cooperative_matrix");
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform,
                                                           "clGetDeviceCooperativeMatrixInfoKHR");
    REQUIRE(found);
    clGetDeviceCooperativeMatrixInfoKHR_sluice_t *query;
    memcpy(&query, &found, sizeof query);
    return query;
}

size_t cooperative_variants(variant out[MOST_VARIANTS])
{
    size_t bytes = 0;
    REQUIRE_OK(cooperative_query()(cl.device,
                                   CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR, 0,
                                   NULL, MOST_VARIANTS * sizeof *out, out, &bytes));
    REQUIRE(bytes && bytes % sizeof *out == 0);
    return bytes / sizeof *out;
}

/* Those of 32 rows are the code of eight many times over, which takes long to make: with code for
 * another machine (SLUICE_CPU) eight and sixteen tell as much. */
bool cooperative_is_left_out(const variant *v)
{
    return getenv("SLUICE_CPU") && v->m_size > 16;
}

bool cooperative_is_real(component c)
{
    return c <= CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP64_KHR;
}

bool cooperative_is_signed(component c)
{
    return c >= CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT8_KHR &&
           c <= CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT64_KHR;
}

unsigned cooperative_bytes(component c)
{
    static const unsigned bytes[] = {2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    return bytes[c];
}

double cooperative_get(component c, const void *array, size_t index)
{
    const unsigned bytes = cooperative_bytes(c);
    const unsigned char *at = (const unsigned char *)array + index * bytes;
    uint64_t bits = 0;
    float single;
    double wide;
    memcpy(&bits, at, bytes);
    memcpy(&single, &bits, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    if (cooperative_is_real(c))
        return bytes == 2 ? double_from_half((uint16_t)bits) : bytes == 4 ? (double)single : wide;
    if (!cooperative_is_signed(c))
        return (double)bits;
    return (double)((int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
}

void cooperative_put(component c, void *array, size_t index, double value)
{
    const unsigned bytes = cooperative_bytes(c);
    uint64_t bits = 0;
    const float single = (float)value;
    if (!cooperative_is_real(c))
        bits = (uint64_t)(int64_t)value;
    else if (bytes == 2)
        bits = half_from_double(value);
    else
        memcpy(&bits, bytes == 4 ? (const void *)&single : (const void *)&value, bytes);
    memcpy((unsigned char *)array + index * bytes, &bits, bytes);
}

const char *cooperative_name(component c)
{
    static const char *const names[] = {"%half",  "%float", "%double", "%uchar", "%ushort", "%uint",
                                        "%ulong", "%uchar", "%ushort", "%uint",  "%ulong"};
    return names[c];
}

const char cooperative_head[] =
    "OpCapability 6\nOpCapability 4\nOpCapability 9\nOpCapability 10\nOpCapability 11\n"
    "OpCapability 22\nOpCapability 39\nOpCapability 6022\n"
    "OpExtension \"SPV_KHR_cooperative_matrix\"\n%std = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel 2 2\nOpEntryPoint 6 %k \"k\" %gid\nOpDecorate %gid 11 28\n";

const char cooperative_types[] =
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"
    "%uchar = OpTypeInt 8 0\n%ushort = OpTypeInt 16 0\n%half = OpTypeFloat 16\n"
    "%float = OpTypeFloat 32\n%double = OpTypeFloat 64\n%v3 = OpTypeVector %ulong 3\n"
    "%ip = OpTypePointer 1 %v3\n%gid = OpVariable %ip 1\n"
    "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"
    "%c3 = OpConstant %uint 3\n%l4 = OpConstant %ulong 4L\n";
