/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that walk through memory, as LLVM's scalar evolution sees them. Stateless; a module
 * belongs to one thread. */
#ifndef SL_KERNELS_LLVM_STEADY_STORES_H
#define SL_KERNELS_LLVM_STEADY_STORES_H

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A store that every round of an innermost loop does once. */
struct sl_steady_store {
    LLVMValueRef store;
    LLVMValueRef base;        /* the pointer that its addresses count from */
    LLVMBasicBlockRef header; /* of the loop */
    int64_t step;             /* bytes from a round's address to the next round's */
};

/* The first `room` of those that store `least` bytes or more; how many. */
size_t sl_llvm_steady_stores(LLVMValueRef function, uint64_t least, struct sl_steady_store *out,
                             size_t room);

/* A load in an innermost loop of one block. */
struct sl_steady_load {
    LLVMValueRef load;
    int64_t step;   /* bytes from a round's address to the next round's */
    uint32_t trips; /* of the loop; 0: nobody knows */
};

/* The first `room` of those whose addresses count up by the same step in each round; how many. */
size_t sl_llvm_steady_loads(LLVMValueRef function, struct sl_steady_load *out, size_t room);

#ifdef __cplusplus
}
#endif

#endif
