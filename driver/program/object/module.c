/* SPDX-License-Identifier: Apache-2.0 */
/* Containers as the driver asks about them. No state, no lock. */
#include "program/object/module.h"

#include <assert.h>

cl_int sl_module_check(const void *bytes, size_t size, const char *target,
                       struct sl_module_view *out, const char **why)
{
    struct sl_module_view view;
    const char *reason = sl_container_check(bytes, size, target, &view);
    if (reason) {
        *why = reason;
        return CL_INVALID_BINARY;
    }
    *out = view;
    return CL_SUCCESS;
}

cl_program_binary_type sl_module_type(const struct sl_module_view *view)
{
    return view->header.kind; /* the numbers are those of CL_PROGRAM_BINARY_TYPE_* */
}

static_assert(SL_BINARY_OBJECT == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, "same numbers");
static_assert(SL_BINARY_LIBRARY == CL_PROGRAM_BINARY_TYPE_LIBRARY, "same numbers");
static_assert(SL_BINARY_EXECUTABLE == CL_PROGRAM_BINARY_TYPE_EXECUTABLE, "same numbers");
