/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a context has allocated and knows by address: shared virtual memory (svm.c, unified_svm.c)
 * and unified shared memory (usm.c); a buffer's memory is its device's
 * (devices/common/memory/memory.c). It is host memory of the device that made it. The context's
 * lock guards the tree context->allocations; memory is made and given back without it. What is
 * found is a copy, so any thread may ask while another one frees.
 */
#ifndef SL_DRIVER_MEMORY_SVM_ALLOCATION_H
#define SL_DRIVER_MEMORY_SVM_ALLOCATION_H

#include <CL/cl_ext.h>
#include <stdbool.h>

#include "base/object/interval.h"
#include "base/object/object.h"
#include "sluice/device.h"

enum { SL_ALLOCATION_PROPERTIES = 7 };

struct sl_allocation {
    struct sl_interval range;
    struct sl_device *home;   /* borrowed from the context */
    struct sl_memory *memory; /* owned by the one in the tree */
    /* CL_MEM_TYPE_*_INTEL; CL_MEM_TYPE_UNKNOWN_INTEL is shared virtual memory. */
    cl_unified_shared_memory_type_intel type;
    cl_device_id device; /* borrowed from the context; NULL: of none in particular */
    cl_mem_alloc_flags_intel flags;
    cl_uint location; /* CL_MEM_ALLOC_BUFFER_LOCATION_INTEL */
    /* Of shared virtual memory: enum sl_svm_type, and what unified_svm.c was asked for. */
    cl_uint svm_type;
    cl_uint property_count; /* with the terminator; 0: there was no list */
    cl_properties properties[SL_ALLOCATION_PROPERTIES];
    cl_bitfield access;
};

/* All but the address and the memory is the caller's wish. `align`: more than suits the size
 * anyway. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES. */
cl_int sl_allocation_make(cl_context, const struct sl_allocation *wish, cl_uint align, void **out);
/* The one that `at` lies in; false: in none, and *found is all zeros. */
bool sl_allocation_find(cl_context, const void *at, struct sl_allocation *found);
/* CL_INVALID_VALUE where no memory can be that large, or an allocation that `at` lies in is not. */
cl_int sl_allocation_check(cl_context, const void *at, size_t size);
/* Gives back the one that begins there; false: there is none of that sort. */
bool sl_allocation_free(cl_context, void *, bool usm);

/* The bit of a kind of allocation in `indirect` of kernels and commands. */
static inline unsigned sl_indirect_bit(cl_unified_shared_memory_type_intel type)
{
    return 1u << (type - CL_MEM_TYPE_HOST_INTEL);
}

static inline bool sl_is_usm(const struct sl_allocation *allocation)
{
    return allocation->range.size && allocation->type != CL_MEM_TYPE_UNKNOWN_INTEL;
}

#endif
