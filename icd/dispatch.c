/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch tables and name lookup, both expanded from api.def. Constant data, no lock. */
#include "dispatch.h"

#include <stddef.h>
#include <string.h>

#include "reporting_entries.h" /* SL_ENTRY_<name>: what is called where nothing is traced */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Slots of functions whose types this system's headers do not have; no loader here calls them. */
static cl_int absent_code(void)
{
    return CL_INVALID_OPERATION;
}

static void *absent_handle(void)
{
    return NULL;
}

#define SL_API_TAG(name) .name = (cl_api_##name)SL_ICD2_TAG,
#define SL_API_NONE(name) SL_API(name)
#define SL_API_VOID(name, absent) .name = (void *)absent,
#define SL_API_EXT(name)
#define SL_API_EXT_T(name)

static const struct sl_dispatch plain_table = {
#define SL_API(name) .name = SL_ENTRY_##name,
#include "api.def"
#undef SL_API
};

static const struct sl_dispatch traced_table = {
#define SL_API(name) .name = sl_traced_##name,
#include "api.def"
#undef SL_API
};

#undef SL_API_TAG
#define SL_API_TAG(name) SL_API(name)

static const struct sl_dispatch plain_calls = {
#define SL_API(name) .name = SL_ENTRY_##name,
#include "api.def"
#undef SL_API
};

static const struct sl_dispatch traced_calls = {
#define SL_API(name) .name = sl_traced_##name,
#include "api.def"
#undef SL_API
};

#undef SL_API_TAG
#undef SL_API_NONE
#undef SL_API_VOID
#undef SL_API_EXT
#undef SL_API_EXT_T

/* Rows are in slot order; the headers' own struct is the witness, at its ends and in between. */
#define SAME_SLOT(name)                                                                            \
    _Static_assert(offsetof(struct sl_dispatch, name) == offsetof(struct _cl_icd_dispatch, name),  \
                   #name " is in its slot")
SAME_SLOT(clGetPlatformIDs);
SAME_SLOT(clUnloadCompiler);
SAME_SLOT(clGetExtensionFunctionAddress);
SAME_SLOT(clSetEventCallback);
SAME_SLOT(clCreateSubDevices);
SAME_SLOT(clCreateCommandQueueWithProperties);
SAME_SLOT(clCloneKernel);
SAME_SLOT(clSetContextDestructorCallback);
_Static_assert(sizeof(struct sl_dispatch) == 150 * sizeof(void *), "the newest table has 150");

typedef void (*any_fn)(void);
static const struct {
    const char *name;
    any_fn plain, traced;
} names[] = {
#define SL_API(name) {#name, (any_fn)SL_ENTRY_##name, (any_fn)sl_traced_##name},
#define SL_API_TAG(name) SL_API(name)
#define SL_API_NONE(name)
#define SL_API_VOID(name, absent)
#define SL_API_EXT(name) SL_API(name)
#define SL_API_EXT_T(name) SL_API(name)
#include "api.def"
};

const struct sl_dispatch *sl_dispatch_table(bool traced)
{
    return traced ? &traced_table : &plain_table;
}

const struct sl_dispatch *sl_dispatch_calls(bool traced)
{
    return traced ? &traced_calls : &plain_calls;
}

/* Older names of functions that are in the core, or of the same kind. */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"clGetKernelSuggestedLocalWorkSizeKHR", "clGetKernelSuggestedLocalWorkSize"},
    {"clCreateCommandQueueWithPropertiesKHR", "clCreateCommandQueueWithProperties"},
};

static const char *core_name(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(aliases[i].alias, name))
            return aliases[i].name;
    return name;
}

void *sl_dispatch_lookup(const char *name, bool traced)
{
    name = core_name(name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name))
            return (void *)(traced ? names[i].traced : names[i].plain);
    return NULL;
}
