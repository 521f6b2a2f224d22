/* SPDX-License-Identifier: Apache-2.0 */
/* Shared virtual memory, made by clSVMAlloc or clSVMAllocWithPropertiesKHR. A device offers all
 * levels of it or none (SL_FEATURE_SVM). Spec 5.6. */
#ifndef SL_DRIVER_MEMORY_SVM_H
#define SL_DRIVER_MEMORY_SVM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/object/object.h"
#include "platform/capabilities.h"

/* What the context's devices offer between them. */
cl_device_svm_capabilities sl_svm_context_capabilities(cl_context);

/* Whose host memory it is where no device was named; the context has one with such memory. */
struct sl_device *sl_svm_home(cl_context);

/* Whether each device of the context can have as many bytes at once; the second form refuses with
 * CL_INVALID_BUFFER_SIZE. */
bool sl_svm_size_fits(cl_context, size_t size);
cl_int sl_svm_check_size(cl_context, size_t size);

/* False only in memory of a type that the host does not get at by mapping (svm_types.h). */
bool sl_svm_can_map(cl_context, const void *at);
/* How many bytes there are from `at` to the end of the context's shared virtual memory that it lies
 * in; 0: in none. */
size_t sl_svm_bytes_from(cl_context, const void *at);
/* Gives back the allocation that begins there. What the context does not know is left alone. */
void sl_svm_free(cl_context, void *);

#endif
