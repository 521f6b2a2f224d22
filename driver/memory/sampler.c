/* SPDX-License-Identifier: Apache-2.0 */
/* cl_sampler: constant once made, no lock. Spec 5.7. */
#include "memory/sampler.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "platform/context.h"
#include "platform/device.h"
#include "sluice/module.h"

static void destroy(struct sl_object *object)
{
    cl_sampler sampler = (cl_sampler)(void *)object;
    sl_free(sampler->properties);
    sl_drop(sampler->context);
}

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_sampler_type = {.name = "sampler",
                                        .invalid = CL_INVALID_SAMPLER,
                                        .size = sizeof(struct _cl_sampler),
                                        .destroy = destroy,
                                        .pool = &pool};

struct choice {
    cl_uint cl;
    uint32_t bits;
};
static const struct choice addressings[] = {
    {CL_ADDRESS_NONE, SL_SAMPLER_ADDRESS_NONE},
    {CL_ADDRESS_CLAMP_TO_EDGE, SL_SAMPLER_ADDRESS_CLAMP_TO_EDGE},
    {CL_ADDRESS_CLAMP, SL_SAMPLER_ADDRESS_CLAMP},
    {CL_ADDRESS_REPEAT, SL_SAMPLER_ADDRESS_REPEAT},
    {CL_ADDRESS_MIRRORED_REPEAT, SL_SAMPLER_ADDRESS_MIRRORED_REPEAT},
};
static const struct choice filters[] = {
    {CL_FILTER_NEAREST, SL_SAMPLER_FILTER_NEAREST},
    {CL_FILTER_LINEAR, SL_SAMPLER_FILTER_LINEAR},
};

static const struct choice *choose(const struct choice *from, size_t count, cl_uint cl)
{
    for (size_t i = 0; i < count; i++)
        if (from[i].cl == cl)
            return &from[i];
    return NULL;
}

static cl_int check_context(cl_context context)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    return CL_SUCCESS;
}

static cl_int check_images(cl_context context)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (sl_device_feature(context->devices[i], SL_FEATURE_IMAGES))
            return CL_SUCCESS;
    return sl_refuse(CL_INVALID_OPERATION, "no device of the context has images");
}

static cl_int create(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                     cl_filter_mode filter, cl_sampler *out)
{
    const struct choice *address = choose(addressings, SL_LEN(addressings), addressing);
    const struct choice *filtering = choose(filters, SL_LEN(filters), filter);
    if (normalized != CL_TRUE && normalized != CL_FALSE)
        return sl_refuse(CL_INVALID_VALUE, "normalized_coords %u", normalized);
    if (!address)
        return sl_refuse(CL_INVALID_VALUE, "addressing mode 0x%x", addressing);
    if (!filtering)
        return sl_refuse(CL_INVALID_VALUE, "filter mode 0x%x", filter);
    if (!normalized && address->bits >= SL_SAMPLER_ADDRESS_REPEAT)
        return sl_refuse(CL_INVALID_VALUE, "repetition needs normalized coordinates");
    cl_int rc = check_images(context);
    if (rc)
        return rc;
    cl_sampler sampler = sl_object_new(&sl_sampler_type);
    if (!sampler)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the sampler");
    sampler->context = sl_hold(context);
    sampler->normalized = normalized;
    sampler->addressing = addressing;
    sampler->filter = filter;
    sampler->bits = (normalized ? SL_SAMPLER_NORMALIZED : 0) | address->bits | filtering->bits;
    *out = sampler;
    return CL_SUCCESS;
}

cl_sampler CL_API_CALL sl_clCreateSampler(cl_context context, cl_bool normalized_coords,
                                          cl_addressing_mode addressing_mode,
                                          cl_filter_mode filter_mode, cl_int *errcode_ret)
{
    cl_sampler sampler = NULL;
    cl_int rc = check_context(context);
    if (!rc)
        rc = create(context, normalized_coords, addressing_mode, filter_mode, &sampler);
    if (errcode_ret)
        *errcode_ret = rc;
    return sampler;
}

enum { SEEN_NORMALIZED = 1, SEEN_ADDRESSING = 2, SEEN_FILTER = 4 };
struct wanted {
    cl_sampler_properties normalized, addressing, filter;
    cl_uint entries; /* with terminator; 0: no list */
};

static cl_int read_properties(const cl_sampler_properties *list, struct wanted *wanted)
{
    unsigned seen = 0;
    *wanted = (struct wanted){CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, list ? 1 : 0};
    for (; list && list[0]; list += 2, wanted->entries += 2) {
        cl_sampler_properties *value;
        unsigned bit;
        switch (list[0]) {
        case CL_SAMPLER_NORMALIZED_COORDS:
            value = &wanted->normalized, bit = SEEN_NORMALIZED;
            break;
        case CL_SAMPLER_ADDRESSING_MODE:
            value = &wanted->addressing, bit = SEEN_ADDRESSING;
            break;
        case CL_SAMPLER_FILTER_MODE:
            value = &wanted->filter, bit = SEEN_FILTER;
            break;
        default:
            return sl_refuse(CL_INVALID_VALUE, "property 0x%llx", (unsigned long long)list[0]);
        }
        if (seen & bit)
            return sl_refuse(CL_INVALID_VALUE, "property 0x%llx twice",
                             (unsigned long long)list[0]);
        if (list[1] > UINT32_MAX)
            return sl_refuse(CL_INVALID_VALUE, "value 0x%llx", (unsigned long long)list[1]);
        seen |= bit;
        *value = list[1];
    }
    return CL_SUCCESS;
}

static cl_int create_with(cl_context context, const cl_sampler_properties *list, cl_sampler *out)
{
    struct wanted wanted;
    cl_sampler sampler;
    cl_int rc = check_context(context);
    if (!rc)
        rc = read_properties(list, &wanted);
    if (!rc)
        rc = create(context, (cl_bool)wanted.normalized, (cl_addressing_mode)wanted.addressing,
                    (cl_filter_mode)wanted.filter, &sampler);
    if (rc)
        return rc;
    if (list) {
        sampler->properties = sl_memdup(list, wanted.entries * sizeof *list);
        sampler->property_count = wanted.entries;
        if (!sampler->properties) {
            sl_discard(sampler);
            return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the properties");
        }
    }
    *out = sampler;
    return CL_SUCCESS;
}

cl_sampler CL_API_CALL sl_clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties *sampler_properties, cl_int *errcode_ret)
{
    cl_sampler sampler = NULL;
    cl_int rc = create_with(context, sampler_properties, &sampler);
    if (errcode_ret)
        *errcode_ret = rc;
    return sampler;
}

cl_int CL_API_CALL sl_clRetainSampler(cl_sampler sampler)
{
    return sl_retain(sampler, &sl_sampler_type);
}

cl_int CL_API_CALL sl_clReleaseSampler(cl_sampler sampler)
{
    return sl_release(sampler, &sl_sampler_type);
}

static void reference_count(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, sl_api_refs(object));
}

static void properties(const void *object, struct sl_answer *answer)
{
    const struct _cl_sampler *sampler = object;
    sl_answer_bytes(answer, sampler->properties,
                    sampler->property_count * sizeof *sampler->properties);
}

static const struct sl_info_row sampler_rows[] = {
    SL_CALL(CL_SAMPLER_REFERENCE_COUNT, reference_count),
    SL_VALUE(CL_SAMPLER_CONTEXT, struct _cl_sampler, context),
    SL_VALUE(CL_SAMPLER_NORMALIZED_COORDS, struct _cl_sampler, normalized),
    SL_VALUE(CL_SAMPLER_ADDRESSING_MODE, struct _cl_sampler, addressing),
    SL_VALUE(CL_SAMPLER_FILTER_MODE, struct _cl_sampler, filter),
    SL_CALL(CL_SAMPLER_PROPERTIES, properties),
};

cl_int CL_API_CALL sl_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                       size_t param_value_size, void *param_value,
                                       size_t *param_value_size_ret)
{
    if (!sl_valid(sampler, &sl_sampler_type))
        return sl_refuse(CL_INVALID_SAMPLER, "not a valid sampler");
    return sl_info(sampler_rows, SL_LEN(sampler_rows), sampler, param_name, param_value_size,
                   param_value, param_value_size_ret);
}
