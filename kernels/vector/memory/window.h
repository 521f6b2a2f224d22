/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbourhood loads: elements that are most likely close to each other. */
#ifndef SL_KERNELS_VECTOR_MEMORY_WINDOW_H
#define SL_KERNELS_VECTOR_MEMORY_WINDOW_H

#include "vector/vector.h"

bool sl_vector_has_window(const struct sl_vector_facts *, LLVMValueRef load, uint32_t block);
/* Rather than by speculation: of a tile in local memory, most vectors of which meet the bounds that
 * its neighbours are kept between. */
bool sl_vector_prefers_window(const struct sl_vector_facts *, LLVMValueRef load, uint32_t block);
/* False: it is none. */
bool sl_vector_load_window(struct sl_vector *, LLVMValueRef load, LLVMValueRef *parts);

#endif
