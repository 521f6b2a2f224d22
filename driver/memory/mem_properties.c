/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: a list does not change once the object exists. */
#include "memory/mem_properties.h"

#include <CL/cl_ext_sluice.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "memory/buffer.h"
#include "platform/capabilities.h"
#include "platform/context.h"

/* As many as boards have regions of memory; a design that names one runs here, too. */
enum { BUFFER_LOCATIONS = 32 };
/* They say where memory should lie first and how the host should see it: hints, all of them. */
enum {
    ALL_ALLOC_FLAGS = CL_MEM_ALLOC_WRITE_COMBINED_INTEL |
                      CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                      CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL
};

static const struct row {
    cl_mem_properties name;
    cl_mem_properties most; /* what is above it names nothing that there is */
    uint32_t feature;       /* of a device that knows it */
    unsigned makers;        /* SL_MEM_* */
    bool listed;            /* the value is a list of its own, which ends with 0 */
} rows[] = {
    /* A hint: any channel does. */
    {CL_MEM_CHANNEL_INTEL, UINT32_MAX, SL_FEATURE_DATAFLOW, SL_MEM_BUFFER, false},
    {CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, BUFFER_LOCATIONS - 1, SL_FEATURE_DATAFLOW,
     SL_MEM_BUFFER | SL_MEM_USM, false},
    {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, SL_FEATURE_SVM, SL_MEM_BUFFER, false},
    {CL_MEM_ALLOC_FLAGS_INTEL, ALL_ALLOC_FLAGS, SL_FEATURE_SVM, SL_MEM_USM, false},
    /* What else they must be: external.c. */
    {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, INT_MAX, SL_EXTERNAL_MEMORY,
     SL_MEM_BUFFER | SL_MEM_IMAGE, false},
    {CL_MEM_DEVICE_HANDLE_LIST_KHR, 0, SL_EXTERNAL_MEMORY, SL_MEM_BUFFER | SL_MEM_IMAGE, true},
};

/* The property behind this one. */
static const cl_mem_properties *next(const cl_mem_properties *property)
{
    if (property[0] != CL_MEM_DEVICE_HANDLE_LIST_KHR)
        return property + 2;
    do
        property++;
    while (*property != CL_MEM_DEVICE_HANDLE_LIST_END_KHR);
    return property + 1;
}

static const struct row *find(cl_context context, enum sl_mem_maker maker, cl_mem_properties name)
{
    for (size_t i = 0; i < SL_LEN(rows); i++)
        if (rows[i].name == name && rows[i].makers & maker &&
            sl_context_feature(context, rows[i].feature))
            return &rows[i];
    return NULL;
}

cl_int sl_mem_properties_check(cl_context context, enum sl_mem_maker maker,
                               const cl_mem_properties *list, cl_int unknown)
{
    unsigned seen = 0;
    for (; list && *list; list = next(list)) {
        const struct row *row = find(context, maker, list[0]);
        if (!row || seen & 1u << (row - rows))
            return sl_refuse(unknown, "property 0x%llx is unknown or repeated",
                             (unsigned long long)list[0]);
        seen |= 1u << (row - rows);
        if (row->listed)
            continue;
        if (list[1] > UINT32_MAX)
            return sl_refuse(unknown, "the value of property 0x%llx is no cl_uint",
                             (unsigned long long)list[0]);
        if (list[1] > row->most)
            return sl_refuse(CL_INVALID_PROPERTY, "property 0x%llx is %llu, at most %llu",
                             (unsigned long long)list[0], (unsigned long long)list[1],
                             (unsigned long long)row->most);
    }
    return CL_SUCCESS;
}

cl_int sl_mem_properties_keep(cl_mem mem, const cl_mem_properties *list)
{
    const cl_mem_properties *end = list;
    if (!list)
        return CL_SUCCESS;
    while (*end)
        end = next(end);
    const cl_uint count = (cl_uint)(end - list) + 1;
    mem->properties = sl_memdup(list, count * sizeof *list);
    if (!mem->properties)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the properties");
    mem->property_count = count;
    return CL_SUCCESS;
}

const cl_mem_properties *sl_mem_property_values(const cl_mem_properties *list,
                                                cl_mem_properties name)
{
    for (; list && *list; list = next(list))
        if (list[0] == name)
            return list + 1;
    return NULL;
}

cl_mem_properties sl_mem_property(const cl_mem_properties *list, cl_mem_properties name)
{
    const cl_mem_properties *value = sl_mem_property_values(list, name);
    return value ? *value : 0;
}

/* ---- banks ----------------------------------------------------------------------------------- */

static const cl_mem_flags all_banks = CL_CHANNEL_7_INTELFPGA;

static cl_uint bank_of(cl_mem_flags flags, const cl_mem_properties *list)
{
    if (flags & all_banks)
        return (cl_uint)((flags & all_banks) / CL_CHANNEL_1_INTELFPGA);
    return (cl_uint)sl_mem_property(list, CL_MEM_CHANNEL_INTEL);
}

cl_mem_flags sl_mem_bank_flags(cl_context context)
{
    const bool board = sl_context_feature(context, SL_FEATURE_DATAFLOW);
    return board ? all_banks | CL_MEM_HETEROGENEOUS_INTELFPGA : 0;
}

cl_int sl_mem_bank_check(cl_mem_flags flags, const cl_mem_properties *list)
{
    if (flags & all_banks && sl_mem_property_values(list, CL_MEM_CHANNEL_INTEL) &&
        bank_of(flags, NULL) != bank_of(0, list))
        return sl_refuse(CL_INVALID_PROPERTY, "bank %u in the flags, channel %u in the properties",
                         bank_of(flags, NULL), bank_of(0, list));
    return CL_SUCCESS;
}

cl_int sl_mem_bank_check_part(cl_mem_flags flags, const struct _cl_mem *whole)
{
    while (whole->parent) /* which has a bank from its own whole, too, but no properties */
        whole = whole->parent;
    const cl_uint there = bank_of(whole->flags, whole->properties);
    if (flags & all_banks && bank_of(flags, NULL) != there)
        return sl_refuse(CL_INVALID_VALUE, "bank %u in a buffer in bank %u", bank_of(flags, NULL),
                         there);
    return CL_SUCCESS;
}

cl_mem_flags sl_mem_bank_inherit(cl_mem_flags whole)
{
    return whole & (all_banks | CL_MEM_HETEROGENEOUS_INTELFPGA);
}

/* cl_mem_ext_ptr_t of AMD's cl_ext_xilinx.h. */
struct extended_pointer {
    unsigned flags;     /* a bank, or how others share it */
    void *host_ptr;     /* NULL: none */
    void *of_an_object; /* a kernel, one of whose arguments the flags number */
};

cl_int sl_mem_unpack_pointer(cl_context context, cl_mem_flags *flags, void **host_ptr)
{
    if (!(*flags & SL_MEM_EXT_PTR_XILINX) || !sl_context_feature(context, SL_FEATURE_DATAFLOW))
        return CL_SUCCESS;
    const struct extended_pointer *extended = *host_ptr;
    if (!extended)
        return sl_refuse(CL_INVALID_VALUE, "CL_MEM_EXT_PTR_XILINX without a cl_mem_ext_ptr_t");
    *flags &= ~SL_MEM_EXT_PTR_XILINX;
    *host_ptr = extended->host_ptr;
    return CL_SUCCESS;
}

/* ---- regions --------------------------------------------------------------------------------- */

cl_uint sl_mem_buffer_location(const struct _cl_mem *mem)
{
    const struct _cl_mem *whole = mem->parent ? mem->parent : mem;
    return (cl_uint)sl_mem_property(whole->properties, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL);
}
