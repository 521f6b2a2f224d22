/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_mutable_command_khr: the application's handle of a kernel launch in a command buffer. That of
 * a mutable buffer has a kernel of its own with the arguments as they are now, so that an update is
 * what it would be for a kernel: clSetKernelArg and a launch, whose command takes the place of the
 * one before. Handles are valid until the last reference to their buffer is released.
 * Spec: cl_khr_command_buffer_mutable_dispatch.
 */
#ifndef SL_DRIVER_COMMANDS_RECORDING_MUTABLE_COMMAND_H
#define SL_DRIVER_COMMANDS_RECORDING_MUTABLE_COMMAND_H

#include "commands/enqueue/record_tail.h"
#include "commands/recording/command_buffer.h"
#include "commands/recording/recipe.h"
#include "platform/capabilities.h"
#include "program/kernel.h"

#define SL_KNOWN_ASSERTS                                                                           \
    ((cl_mutable_dispatch_asserts_khr)CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR)

struct sl_dispatch_properties { /* a checked property list of clCommandNDRangeKernelKHR */
    const cl_command_properties_khr *list;
    cl_uint count; /* entries with terminator; 0: no list */
    bool fields_named;
    cl_mutable_dispatch_fields_khr fields;
    cl_mutable_dispatch_asserts_khr asserts;
};

struct _cl_mutable_command_khr {
    struct sl_object obj;
    cl_command_buffer_khr buffer;         /* borrowed: it holds us */
    cl_command_queue queue;               /* the buffer's, like it */
    struct _cl_mutable_command_khr *next; /* in the buffer's list */
    uint32_t number;                      /* of the recorded command */
    cl_kernel kernel;                     /* held: the application's */
    cl_mutable_dispatch_fields_khr fields;
    cl_command_properties_khr *properties; /* owned */
    cl_uint property_count;
    cl_uint dim; /* that of all its ranges */
    /* Guarded by the buffer's lock. */
    cl_kernel state; /* ours alone: NULL if the buffer is not mutable */
    struct sl_named_range range;
};
extern const struct sl_type sl_mutable_command_type;

/* CL_INVALID_VALUE */
cl_int sl_dispatch_properties_parse(const cl_command_properties_khr *,
                                    struct sl_dispatch_properties *);
/* A handle that no list has yet. CL_OUT_OF_HOST_MEMORY. */
cl_int sl_mutable_command_create(const struct sl_recording *, cl_kernel,
                                 const struct sl_dispatch_properties *,
                                 const struct sl_named_range *, cl_mutable_command_khr *);
/* The same for the same command of another buffer, as it is now; its kernel for updates is `state`,
 * which it takes over if that is not NULL. */
cl_int sl_mutable_command_copy(const struct sl_recording *, const struct _cl_mutable_command_khr *,
                               const struct sl_named_range *, cl_kernel state,
                               cl_mutable_command_khr *);
/* The handle of the recorded command of that number. */
void sl_mutable_command_enlist(cl_mutable_command_khr, uint32_t number);
/* The buffer's last reference was released; the buffer goes. */
void sl_mutable_commands_release(cl_command_buffer_khr);
void sl_mutable_commands_drop(cl_command_buffer_khr);

#endif
