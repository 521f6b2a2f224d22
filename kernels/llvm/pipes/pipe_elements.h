/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which elements of arrays of pipes an operation may name, dimension by dimension. Stateless; a
 * module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_PIPE_ELEMENTS_H
#define SL_KERNELS_LLVM_PIPE_ELEMENTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llvm/ranges/launch_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A variable: one pipe, or an array of them. */
struct sl_pipe_array {
    const uint32_t *dims; /* the last one counts fastest */
    uint32_t rank, count; /* count: of elements */
    uint32_t packet_bytes;
};

struct sl_pipe_elements {
    LLVMValueRef root;        /* a variable or a parameter; NULL: none that can be told */
    const uint64_t *elements; /* of a variable, a bit each (ir/bits.h); valid during the call */
    /* All of them are used for sure wherever the operation is, as though it named one constant
     * after the other. */
    bool sure;
};

struct sl_pipe_asker {
    void *data;
    bool (*is_operation)(const char *callee);
    /* The array that this variable is; NULL: it is no pipe. */
    const struct sl_pipe_array *(*find)(void *data, LLVMValueRef variable);
    /* Called for each variable or parameter that an operation may name, with a call that is like
     * the one in the kernel; never where no launch comes by. */
    void (*take)(void *data, LLVMValueRef call, const struct sl_pipe_elements *);
};

/* What is the same for all kernels of a module. Owned by the caller. */
struct sl_pipe_analyst;
struct sl_pipe_analyst *sl_pipe_analyst_create(void);
void sl_pipe_analyst_destroy(struct sl_pipe_analyst *);

/* Asks about each operation of a kernel on the address that is its first operand. The kernel stays
 * as it is: a copy is looked at, with variables as values and small helpers inlined, so that it
 * does not matter whether the kernel is optimised. */
void sl_pipe_analyst_look(struct sl_pipe_analyst *, LLVMValueRef kernel,
                          const struct sl_launch_shape *, const struct sl_pipe_asker *);

#ifdef __cplusplus
}
#endif
#endif
