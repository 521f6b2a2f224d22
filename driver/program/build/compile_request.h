/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked of the compiler for a device: the program in the form that it has, options, the
 * target, and settings. How a request's bytes lie is wire_format.h. No state.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_COMPILE_REQUEST_H
#define SL_DRIVER_PROGRAM_BUILD_COMPILE_REQUEST_H

#include "program/build/build_task.h"
#include "program/compiler/wire_format.h"

/* All that decides what comes back: what the request's key is made of (request_key.h). */
void sl_compile_request_compose(struct sl_request *, const struct sl_build_task *);
/* A program for this device is to have all its code from the beginning, of one compilation. */
bool sl_compile_in_one_piece(const struct sl_device_caps *);
/* Settings that only watch; they are added after hashing. */
void sl_compile_request_add_settings(struct sl_request *);

#endif
