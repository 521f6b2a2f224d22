/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices that make code themselves (SL_QUERY_PROGRAMS of sluice/device.h). What they make is kept
 * in a container of this machine's target like all code, so that queries, binaries and links know
 * it; what is in it only the device knows. No state; any thread.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_DEVICE_BUILD_H
#define SL_DRIVER_PROGRAM_BUILD_DEVICE_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/device_programs.h"
#include "program/module.h"
#include "sluice/device.h"

/*
 * Has the device do what is asked; 0 and the container, owned by the caller, or an OpenCL error.
 * The log (owned by the caller; may be NULL) is written in both cases.
 */
int sl_device_build(struct sl_device *, const struct sl_program_ops *, struct sl_program_request *,
                    unsigned char **container, size_t *bytes, char **log);
/* A container around the bytes. NULL: memory is out. */
unsigned char *sl_device_container(const struct sl_device *, uint32_t kind, const void *payload,
                                   size_t payload_bytes, size_t *bytes);
/* The container's payload is the device's own kind of code. */
bool sl_module_is_own(const struct sl_module_view *);

#endif
