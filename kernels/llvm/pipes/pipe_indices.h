/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The indices by which operations name elements of arrays of pipes, one for each pair of brackets.
 * Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_PIPE_INDICES_H
#define SL_KERNELS_LLVM_PIPE_INDICES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sl_indexed_array { /* as it is declared */
    const uint32_t *dims; /* the last one counts fastest */
    uint32_t rank, packet_bytes;
};

struct sl_pipe_index {
    LLVMValueRef call;     /* the operation */
    LLVMValueRef variable; /* the array */
    LLVMValueRef at;       /* the value is known here, and what it leads to is used later */
    LLVMValueRef value;    /* an integer, with sign */
    uint32_t dimension;
    bool reached; /* as far as constant conditions tell, launches may come there */
};

struct sl_index_asker {
    void *data;
    bool (*is_operation)(const char *callee);
    /* False: the variable is no array of pipes. */
    bool (*find)(void *data, LLVMValueRef variable, struct sl_indexed_array *);
    /* Called once for each index that is not a constant inside of its dimension. */
    void (*take)(void *data, const struct sl_pipe_index *);
};

/* False: addresses lie in variables, so that not all indices could be found. */
bool sl_pipe_find_indices(LLVMValueRef kernel, const struct sl_index_asker *);

#ifdef __cplusplus
}
#endif
#endif
