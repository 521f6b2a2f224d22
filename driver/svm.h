/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory: allocations of a context, which are host memory of the device that made
 * them. A device offers all levels of it or none (SL_FEATURE_SVM). Spec 5.6.
 */
#ifndef SL_DRIVER_SVM_H
#define SL_DRIVER_SVM_H

#include <stdbool.h>
#include <stddef.h>

#include "object.h"

/* 0 for a device without shared virtual memory. */
cl_device_svm_capabilities sl_svm_capabilities(cl_device_id);
/* What the context's devices offer between them. */
cl_device_svm_capabilities sl_svm_context_capabilities(cl_context);

/* How many bytes there are from `at` to the end of the context's allocation that it lies in; 0: in
 * none. */
size_t sl_svm_bytes_from(cl_context, const void *at);
/* Gives back the allocation that begins there. What the context does not know is left alone. */
void sl_svm_free(cl_context, void *);
/* The context ends: what the application forgot goes with it. */
void sl_svm_finish(cl_context);

#endif
