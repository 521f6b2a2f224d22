/* SPDX-License-Identifier: Apache-2.0 */
/* See command_buffer_help.h. No lock. */
#include "command_buffer_help.h"

#include <stdlib.h>
#include <string.h>

struct cb_calls cb;

/* Before these versions the functions had other parameters. */
static int has_version(const char *name, cl_version least)
{
    size_t size = 0;
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL, &size));
    cl_name_version *rows = malloc(size);
    REQUIRE(rows);
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, size, rows, NULL));
    int found = 0;
    for (size_t i = 0; i < size / sizeof *rows; i++)
        found |= !strcmp(rows[i].name, name) && rows[i].version >= least;
    free(rows);
    return found;
}

int cb_find(void)
{
    cb = (struct cb_calls){0};
    if (!has_extension("cl_khr_command_buffer") ||
        !has_version("cl_khr_command_buffer", CL_MAKE_VERSION(0, 9, 8)) ||
        !has_version("cl_khr_command_buffer_mutable_dispatch", CL_MAKE_VERSION(0, 9, 5)))
        return 0;
#define FIND(function, name)                                                                       \
    {                                                                                              \
        void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, #function);            \
        REQUIRE(found || !strcmp(#name, "remap"));                                                 \
        memcpy(&cb.name, &found, sizeof found);                                                    \
    }
    CB_FUNCTIONS(FIND)
#undef FIND
    return 1;
}

void cb_need(void)
{
    if (!cb_find())
        check_skip("the device has no command-buffers as of version 0.9.8");
}

cl_command_buffer_khr cb_new(cl_command_queue queue, cl_command_buffer_flags_khr flags)
{
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int rc = 12345;
    cl_command_buffer_khr buffer = cb.create(1, &queue, flags ? list : NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE(buffer);
    return buffer;
}

cl_sync_point_khr cb_launch(cl_command_buffer_khr buffer, cl_kernel kernel, size_t global,
                            cl_uint count, const cl_sync_point_khr *points)
{
    cl_sync_point_khr point = 0;
    REQUIRE_OK(
        cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, count, points, &point, NULL));
    return point;
}

cl_mutable_command_khr cb_mutable(cl_command_buffer_khr buffer, cl_kernel kernel, size_t global)
{
    cl_mutable_command_khr handle = NULL;
    REQUIRE_OK(
        cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL, &handle));
    REQUIRE(handle);
    return handle;
}

void cb_finalize(cl_command_buffer_khr buffer)
{
    REQUIRE_OK(cb.finalize(buffer));
}

void cb_run(cl_command_buffer_khr buffer)
{
    cl_event event = NULL;
    REQUIRE_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
    REQUIRE_OK(clWaitForEvents(1, &event));
    RELEASE_EVENT(event);
}

void cb_release(cl_command_buffer_khr buffer)
{
    CHECK_OK(cb.release(buffer));
}

cl_command_buffer_state_khr cb_state(cl_command_buffer_khr buffer)
{
    cl_command_buffer_state_khr state = 99;
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL));
    return state;
}

cl_int cb_update(cl_command_buffer_khr buffer, const cl_mutable_dispatch_config_sluice *config)
{
    const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE;
    const void *configs[] = {config};
    return cb.update(buffer, 1, &type, configs);
}

cl_kernel cb_axpb(cl_program program, cl_mem x, cl_uint a, cl_uint b)
{
    cl_kernel kernel = kernel_of(program, "axpb");
    ARG(kernel, 0, x);
    ARG(kernel, 1, a);
    ARG(kernel, 2, b);
    return kernel;
}

size_t cb_differences(cl_mem buffer, const cl_uint want[CB_COUNT])
{
    static cl_uint back[CB_COUNT];
    size_t wrong = 0;
    read_back(buffer, sizeof back, back);
    for (size_t i = 0; i < CB_COUNT; i++)
        wrong += back[i] != want[i];
    return wrong;
}
