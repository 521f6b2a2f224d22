/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The doors: the functions that loaders look up by name. Each makes sure that the dispatch table is
 * chosen before the first object exists. No lock beyond that once.
 */
#include <CL/cl_ext.h>
#include <pthread.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "base/log/error.h"
#include "base/log/log.h"
#include "base/thread/pin.h"
#include "dispatch.h"
#include "entry.h"
#include "platform/device.h"
#include "platform/own_extensions.h"
#include "platform/platform.h"

static pthread_once_t chosen = PTHREAD_ONCE_INIT;
static bool traced;

static void choose(void)
{
    traced = sl_trace_enabled(SL_TRACE_API);
    sl_dispatch = (const struct _cl_icd_dispatch *)sl_dispatch_table(traced);
    sl_object_set_dispatch_data((void *)sl_dispatch_calls(traced));
    sl_trace(SL_TRACE_DISCOVERY, "libsluice " SLUICE_VERSION " loaded, API calls %s",
             traced ? "traced" : "not traced");
}

static const struct {
    const char *name;
    void *function;
} doors[] = {
    {"clIcdGetPlatformIDsKHR", (void *)clIcdGetPlatformIDsKHR},
    {"clIcdGetFunctionAddressForPlatformKHR", (void *)clIcdGetFunctionAddressForPlatformKHR},
    {"clIcdSetPlatformDispatchDataKHR", (void *)clIcdSetPlatformDispatchDataKHR},
};

static void *lookup(const char *name)
{
    pthread_once(&chosen, choose);
    if (!name)
        return NULL;
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++)
        if (!strcmp(doors[i].name, name))
            return doors[i].function;
    void *function = sl_dispatch_lookup(name, traced);
    return function ? function : sl_own_function(name);
}

void *CL_API_CALL sl_clGetExtensionFunctionAddress(const char *func_name)
{
    return lookup(func_name);
}

void *CL_API_CALL sl_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                              const char *func_name)
{
    return sl_valid(platform, &sl_platform_type) ? lookup(func_name) : NULL;
}

SL_EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *func_name)
{
    return lookup(func_name);
}

SL_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                               size_t param_value_size, void *param_value,
                                               size_t *param_value_size_ret)
{
    pthread_once(&chosen, choose);
    return (traced ? sl_traced_clGetPlatformInfo : sl_clGetPlatformInfo)(
        platform, param_name, param_value_size, param_value, param_value_size_ret);
}

SL_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                    cl_uint *num_platforms)
{
    pthread_once(&chosen, choose);
    return (traced ? sl_traced_clGetPlatformIDs : sl_clGetPlatformIDs)(num_entries, platforms,
                                                                       num_platforms);
}

SL_EXPORT void *CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                                  const char *func_name)
{
    return sl_valid(platform, &sl_platform_type) ? lookup(func_name) : NULL;
}

/* The platform and its devices exist already; all other objects get the word as they are made. */
SL_EXPORT cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform,
                                                             void *dispatch_data)
{
    if (!sl_valid(platform, &sl_platform_type))
        return sl_refuse(CL_INVALID_PLATFORM, "not our platform");
    sl_object_set_dispatch_data(dispatch_data);
    platform->obj.dispatch_data = dispatch_data;
    for (cl_uint i = 0; i < platform->device_count; i++)
        platform->devices[i]->obj.dispatch_data = dispatch_data;
    return CL_SUCCESS;
}

/* Unloaded after no more than questions, as loaders do that probe: nothing stays behind. The end of
 * the process looks the same from here, and then another thread may still be asking: so only where
 * there is no other thread. */
__attribute__((destructor)) static void leave(void)
{
    if (!sl_pinned() && __libc_single_threaded)
        sl_platform_finish();
}
