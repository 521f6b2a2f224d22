/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of a kernel whose work-items follow each other through a circuit: from its begin, and
 * from each place where those of a group meet, to the next such places. Of each, how long the
 * longest chain of values is in it, and what it needs of memories. Code in loops counts as no time:
 * others know that of it. Works on a module that was simplified (loop_graph.h). Stateless; a module
 * belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_ITEM_REGIONS_H
#define SL_KERNELS_LLVM_ITEM_REGIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sl_item_region {
    uint32_t line, column; /* of the meeting in front; of the kernel's begin: its line and 0 */
    uint64_t depth;        /* cycles of the longest chain */
    uint64_t apart; /* that work-items need between each other for their memories, at least 1 */
    bool pipes;     /* it has operations on pipes, in loops or not */
};

struct sl_region_need { /* of a memory: so much of what it can give in a cycle */
    const void *memory; /* NULL: of none */
    uint64_t amount, ports;
};

struct sl_region_visitor {
    void *data;
    bool (*meets)(const char *callee);
    bool (*is_pipe_operation)(const char *callee, bool *write);
    uint32_t (*latency)(void *data, LLVMValueRef instruction);
    struct sl_region_need (*need)(void *data, LLVMValueRef instruction);
    /* First of the region behind the kernel's begin, the others in the order of the code. Copies of
     * a meeting have one place, and come one by one. */
    void (*take)(void *data, const struct sl_item_region *);
};

void sl_llvm_visit_regions(LLVMValueRef function, const struct sl_region_visitor *);

#ifdef __cplusplus
}
#endif
#endif
