/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatch tables: one that calls the driver, one that also traces every call. Constant data.
 */
#ifndef SL_ICD_DISPATCH_H
#define SL_ICD_DISPATCH_H

#include <CL/cl_icd.h>
#include <stdbool.h>

#include "base/api.h"

/* cl_khr_icd 2.0: this value in both slots tells a loader that it may ask for entry points by name.
 */
#define SL_ICD2_TAG ((intptr_t)0x4F50454E434C3331)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* The newest table, whatever the headers of the machine know. */
struct sl_dispatch {
#define SL_API(name) cl_api_##name name;
#define SL_API_TAG(name) SL_API(name)
#define SL_API_NONE(name) SL_API(name)
#define SL_API_VOID(name, absent) void *name;
#define SL_API_EXT(name)
#define SL_API_EXT_T(name)
#include "api.def"
#undef SL_API
#undef SL_API_VOID
#undef SL_API_EXT
#undef SL_API_EXT_T
};

/* Wrappers that trace, and wrappers that report failures (driver/base/log/failed_call.h); generated
 * (scripts/gen_entries.py). The latter only where SL_ENTRY_<name> says so. */
#define SL_API(name)                                                                               \
    extern __typeof__(*(cl_api_##name)0) sl_traced_##name;                                         \
    extern __typeof__(*(cl_api_##name)0) sl_reported_##name;
#define SL_API_VOID(name, absent)
#define SL_API_EXT(name)                                                                           \
    extern __typeof__(name) sl_traced_##name;                                                      \
    extern __typeof__(name) sl_reported_##name;
#define SL_API_EXT_T(name)                                                                         \
    extern name##_sluice_t sl_traced_##name;                                                       \
    extern name##_sluice_t sl_reported_##name;
#include "api.def"
#undef SL_API
#undef SL_API_TAG
#undef SL_API_NONE
#undef SL_API_VOID
#undef SL_API_EXT
#undef SL_API_EXT_T
#pragma GCC diagnostic pop

/* What objects begin with: chosen once, at the first call. */
const struct sl_dispatch *sl_dispatch_table(bool traced);
/* The same without the tag. Khronos's loader finds such a table at the word behind the first; this
 * one is there until a loader gives its own: of two loaders in a process one may call by the word
 * that only the other would have set. */
const struct sl_dispatch *sl_dispatch_calls(bool traced);
/* The entry point or extension function of that name; NULL when we have none. */
void *sl_dispatch_lookup(const char *name, bool traced);

#endif
