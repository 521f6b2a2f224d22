/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device's own compiler makes (device_compiler.h) is kept in a container of this machine's
 * target like all code, so that queries, binaries and links know it; what is in it only the device
 * knows. No state; any thread.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_DEVICE_CONTAINER_H
#define SL_DRIVER_PROGRAM_OBJECT_DEVICE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

#include "program/object/module.h"
#include "sluice/device.h"

/* A container around the bytes. NULL: memory is out. */
unsigned char *sl_device_container(const struct sl_device *, uint32_t kind, const void *payload,
                                   size_t payload_bytes, size_t *bytes);
/* The container's payload is the device's own kind of code. */
bool sl_module_is_own(const struct sl_module_view *);

#endif
