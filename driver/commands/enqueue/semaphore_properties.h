/* SPDX-License-Identifier: Apache-2.0 */
/* The list of clCreateSemaphoreWithPropertiesKHR: one row for each property. Any thread; no lock.
 */
#ifndef SL_DRIVER_COMMANDS_SEMAPHORE_PROPERTIES_H
#define SL_DRIVER_COMMANDS_SEMAPHORE_PROPERTIES_H

#include <CL/cl_ext_sluice.h>
#include <stdbool.h>

struct sl_semaphore_wanted {
    cl_uint entries;     /* of the list, with terminator */
    unsigned seen;       /* which of the rows; private */
    cl_device_id device; /* NULL: that of the context */
    bool exported;       /* for descriptors of it */
    bool imported;       /* from this one, which is still the application's: */
    int file;
};

/* CL_INVALID_VALUE, CL_INVALID_PROPERTY, CL_INVALID_DEVICE; CL_INVALID_OPERATION: both a handle and
 * handles that there shall be of it. */
cl_int sl_semaphore_properties_read(cl_context, const cl_semaphore_properties_khr *,
                                    struct sl_semaphore_wanted *out);

#endif
