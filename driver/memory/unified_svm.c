/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_unified_svm: shared virtual memory by type. What differs between types is what they answer
 * (svm_types.h). No lock of its own (svm_allocation.h). */
#include "base/api.h"
#include "base/log/error.h"
#include "base/query/info.h"
#include "memory/svm.h"
#include "memory/svm_allocation.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/svm_types.h"

static cl_int check_context(cl_context context)
{
    return sl_valid(context, &sl_context_type)
               ? CL_SUCCESS
               : sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
}

static bool is_device_of(cl_context context, cl_device_id device)
{
    return sl_valid(device, &sl_device_type) && sl_context_has_device(context, device);
}

/* ---- properties ------------------------------------------------------------------------------ */

/* What a list may say. */
struct wish {
    cl_device_id device;
    cl_svm_alloc_access_flags_khr access;
    size_t align;
};

static const char *set_device(cl_context context, cl_properties value, struct wish *wish)
{
    wish->device = (cl_device_id)(uintptr_t)value;
    return !value || is_device_of(context, wish->device) ? NULL : "not a device of the context";
}

static const char *set_access(cl_context context, cl_properties value, struct wish *wish)
{
    const cl_svm_alloc_access_flags_khr known =
        CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |
        CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
    (void)context;
    wish->access = value;
    return value & ~known ? "unknown access flags" : NULL;
}

static const char *set_align(cl_context context, cl_properties value, struct wish *wish)
{
    (void)context;
    wish->align = value;
    return value & (value - 1) || value > sizeof(cl_long16)
               ? "no power of two, or more than a cl_long16 has"
               : NULL;
}

static const struct row {
    cl_svm_alloc_properties_khr name;
    const char *(*set)(cl_context, cl_properties value, struct wish *); /* NULL, or what is wrong */
} rows[] = {
    {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, set_device},
    {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, set_access},
    {CL_SVM_ALLOC_ALIGNMENT_KHR, set_align},
};
_Static_assert(SL_ALLOCATION_PROPERTIES == 2 * SL_LEN(rows) + 1, "each of them fits in once");

static cl_int refuse(const char *why, const cl_properties *property)
{
    return sl_refuse(CL_INVALID_PROPERTY, "property 0x%llx, 0x%llx: %s",
                     (unsigned long long)property[0], (unsigned long long)property[1], why);
}

static cl_int read(cl_context context, const cl_svm_alloc_properties_khr *list, struct wish *wish)
{
    unsigned seen = 0;
    *wish = (struct wish){0};
    for (; list && *list; list += 2) {
        size_t i = 0;
        while (i < SL_LEN(rows) && rows[i].name != *list)
            i++;
        if (i == SL_LEN(rows) || seen & 1u << i)
            return refuse("unknown or repeated", list);
        seen |= 1u << i;
        const char *wrong = rows[i].set(context, list[1], wish);
        if (wrong)
            return refuse(wrong, list);
    }
    return CL_SUCCESS;
}

/* A list that was read, empty ones too; NULL: none. */
static void keep(struct sl_allocation *allocation, const cl_svm_alloc_properties_khr *list)
{
    if (!list)
        return;
    cl_uint *count = &allocation->property_count;
    for (; list[*count]; *count += 2) {
        allocation->properties[*count] = list[*count];
        allocation->properties[*count + 1] = list[*count + 1];
    }
    allocation->properties[(*count)++] = 0;
}

/* ---- making and freeing ---------------------------------------------------------------------- */

static bool any_has(cl_context context, cl_uint type)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (sl_svm_type_on(context->devices[i], type))
            return true;
    return false;
}

static cl_int check_type(cl_context context, cl_uint type, cl_device_id device)
{
    if (type >= SL_SVM_TYPES)
        return sl_refuse(CL_INVALID_VALUE, "there is no type %u", type);
    if (device ? !sl_svm_type_on(device, type) : !any_has(context, type))
        return sl_refuse(CL_INVALID_OPERATION, "no such device has memory of type %u", type);
    if (!device && !(sl_svm_type(type) & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR))
        return sl_refuse(CL_INVALID_PROPERTY, "memory of type %u is some device's", type);
    return CL_SUCCESS;
}

static cl_int make(cl_context context, const cl_svm_alloc_properties_khr *properties, cl_uint type,
                   size_t size, void **out)
{
    struct wish wish;
    cl_int rc = read(context, properties, &wish);
    if (!rc)
        rc = check_type(context, type, wish.device);
    if (!rc && size)
        rc = sl_svm_check_size(context, size);
    if (rc || !size)
        return rc;
    struct sl_allocation allocation = {.range.size = size,
                                       .home = wish.device ? wish.device->root->impl
                                                           : sl_svm_home(context),
                                       .type = CL_MEM_TYPE_UNKNOWN_INTEL,
                                       .svm_type = type,
                                       .device = wish.device,
                                       .access = wish.access};
    keep(&allocation, properties);
    return sl_allocation_make(context, &allocation, (cl_uint)wish.align, out);
}

void *CL_API_CALL sl_clSVMAllocWithPropertiesKHR(cl_context context,
                                                 const cl_svm_alloc_properties_khr *properties,
                                                 cl_uint svm_type_index, size_t size,
                                                 cl_int *errcode_ret)
{
    void *pointer = NULL;
    cl_int rc = check_context(context);
    if (!rc)
        rc = make(context, properties, svm_type_index, size, &pointer);
    if (errcode_ret)
        *errcode_ret = rc;
    return rc ? NULL : pointer;
}

cl_int CL_API_CALL sl_clSVMFreeWithPropertiesKHR(cl_context context,
                                                 const cl_svm_free_properties_khr *properties,
                                                 cl_svm_free_flags_khr flags, void *ptr)
{
    cl_int rc = check_context(context);
    if (rc)
        return rc;
    if (properties && *properties)
        return sl_refuse(CL_INVALID_PROPERTY, "property 0x%llx is unknown",
                         (unsigned long long)*properties);
    if (flags)
        return sl_refuse(CL_INVALID_VALUE, "unknown flags 0x%llx", (unsigned long long)flags);
    if (ptr && !sl_allocation_free(context, ptr, false))
        return sl_refuse(CL_INVALID_VALUE, "no allocation of the context begins at %p", ptr);
    return CL_SUCCESS;
}

/* ---- asking ---------------------------------------------------------------------------------- */

struct facts {
    struct sl_allocation of;
    cl_uint type;
    cl_svm_capabilities_khr capabilities;
};

static void answer_properties(const void *object, struct sl_answer *answer)
{
    const struct sl_allocation *of = &((const struct facts *)object)->of;
    sl_answer_bytes(answer, of->properties, of->property_count * sizeof *of->properties);
}

static const struct sl_info_row info_rows[] = {
    SL_VALUE(CL_SVM_INFO_TYPE_INDEX_KHR, struct facts, type),
    SL_VALUE(CL_SVM_INFO_CAPABILITIES_KHR, struct facts, capabilities),
    SL_CALL(CL_SVM_INFO_PROPERTIES_KHR, answer_properties),
    SL_VALUE(CL_SVM_INFO_ACCESS_FLAGS_KHR, struct facts, of.access),
    SL_VALUE(CL_SVM_INFO_BASE_PTR_KHR, struct facts, of.range.start),
    SL_VALUE(CL_SVM_INFO_SIZE_KHR, struct facts, of.range.size),
    SL_VALUE(CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, struct facts, of.device),
};
_Static_assert(sizeof(uintptr_t) == sizeof(void *), "range.start answers a query for a pointer");

/* `device` NULL: the allocation's; it has one, or all that have such memory can the same. */
static struct facts facts_of(cl_context context, cl_device_id device, const void *at)
{
    struct facts facts;
    if (!sl_allocation_find(context, at, &facts.of) || sl_is_usm(&facts.of))
        return (struct facts){.type = CL_UINT_MAX};
    if (!device)
        device = facts.of.device;
    facts.type = facts.of.svm_type;
    facts.capabilities = device ? sl_svm_type_on(device, facts.type) : sl_svm_type(facts.type);
    return facts;
}

cl_int CL_API_CALL sl_clGetSVMPointerInfoKHR(cl_context context, cl_device_id device,
                                             const void *ptr, cl_svm_pointer_info_khr param_name,
                                             size_t param_value_size, void *param_value,
                                             size_t *param_value_size_ret)
{
    cl_int rc = check_context(context);
    if (rc)
        return rc;
    if (device && !is_device_of(context, device))
        return sl_refuse(CL_INVALID_DEVICE, "not a device of the context");
    const struct facts facts = facts_of(context, device, ptr);
    return sl_info(info_rows, SL_LEN(info_rows), &facts, param_name, param_value_size, param_value,
                   param_value_size_ret);
}

/* ---- suggesting ------------------------------------------------------------------------------ */

/* The better, the more of what is desired it has, and then the less that nobody asked for. */
static int merit(cl_svm_capabilities_khr has, cl_svm_capabilities_khr required,
                 cl_svm_capabilities_khr desired)
{
    return 64 * __builtin_popcountll(has & desired) -
           __builtin_popcountll(has & ~(required | desired));
}

static cl_uint suggest(cl_context context, cl_device_id device, cl_svm_capabilities_khr required,
                       cl_svm_capabilities_khr desired)
{
    cl_uint best = CL_UINT_MAX;
    for (cl_uint i = 0; i < SL_SVM_TYPES; i++) {
        const cl_svm_capabilities_khr has = device                ? sl_svm_type_on(device, i)
                                            : any_has(context, i) ? sl_svm_type(i)
                                                                  : 0;
        if (has && !(required & ~has) &&
            (best == CL_UINT_MAX ||
             merit(has, required, desired) > merit(sl_svm_type(best), required, desired)))
            best = i;
    }
    return best;
}

cl_int CL_API_CALL sl_clGetSVMSuggestedTypeIndexKHR(cl_context context,
                                                    cl_svm_capabilities_khr required_capabilities,
                                                    cl_svm_capabilities_khr desired_capabilities,
                                                    const cl_svm_alloc_properties_khr *properties,
                                                    size_t size, cl_uint *suggested_svm_type_index)
{
    struct wish wish;
    cl_int rc = check_context(context);
    if (!rc)
        rc = read(context, properties, &wish);
    if (rc)
        return rc;
    if (!suggested_svm_type_index)
        return sl_refuse(CL_INVALID_VALUE, "suggested_svm_type_index is NULL");
    *suggested_svm_type_index =
        sl_svm_size_fits(context, size)
            ? suggest(context, wish.device, required_capabilities, desired_capabilities)
            : CL_UINT_MAX;
    return CL_SUCCESS;
}
