/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops of a function as graphs of operations: what waits for what, in the same iteration or so
 * many later. Values, memory (by LLVM's analysis of dependences), conditions in front of what
 * cannot be undone, and operations on one pipe, whose order stays. Works on a copy of a module that
 * was simplified for it. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_LOOP_GRAPH_H
#define SL_KERNELS_LLVM_LOOP_GRAPH_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sl_loop_edge_kind {
    SL_EDGE_VALUE,   /* a result is used */
    SL_EDGE_MEMORY,  /* memory that was written is read */
    SL_EDGE_ANTI,    /* memory that was read, or written, is written */
    SL_EDGE_CONTROL, /* a condition decides whether it happens */
    SL_EDGE_ORDER,   /* both use one end of a pipe, or what nobody knows */
};

struct sl_loop_edge {
    uint32_t from, to, distance;
    enum sl_loop_edge_kind kind;
};

/* What a pipe operation is about: two on the same end have equal ones. */
struct sl_pipe_end {
    LLVMValueRef pipe; /* variable or argument; NULL: no pipe operation */
    int64_t offset;    /* bytes from the begin of an array; SL_ANY_ELEMENT: not known */
    bool write;
};
#define SL_ANY_ELEMENT INT64_MIN

/* A loop of the source around one that was copied when it was unrolled. */
struct sl_loop_around {
    uint32_t line, column;  /* its place */
    uint32_t iteration, of; /* that the copy is of, from 0; among so many that are one, 0: all of
                               the loop's */
};

struct sl_loop_body {
    int32_t parent; /* loop number; -1: none */
    uint32_t nesting;
    uint32_t line, column; /* of its begin; 0: not known */
    const char *file;      /* "" when not known; lives as long as the module */
    uint64_t trips;        /* iterations, if that is a constant; else 0 */
    bool copied;           /* of a function that the kernel calls several times */
    uint32_t unrolled;     /* iterations of the source in one */
    uint32_t copies;       /* that it was once among, before any vanished; 0: it was none */
    bool in_turn;          /* nothing passes any of them by */
    const struct sl_loop_around *around; /* of a copy, from the outside inwards */
    uint32_t around_count;
    bool kept_rolled; /* the source asks for more of them in one */
    bool innermost;
    bool items; /* no loop: the whole of a kernel, an iteration is a work-item */
    bool meets; /* work-items meet in it, or in a loop inside */
    /* Of its own blocks, not those of loops inside; all arrays are valid during the call. */
    const LLVMValueRef *operations; /* in the order of the code */
    const struct sl_pipe_end *ends; /* of each operation */
    const uint32_t *block_of;       /* of each operation; blocks are numbered in their order */
    uint32_t operation_count, block_count;
    const struct sl_loop_edge *edges;
    uint32_t edge_count;
    /* Operations that decide whether the loop ends, but for exits that it comes to after a number
     * of iterations that is known when it begins. */
    const uint32_t *exits;
    uint32_t exit_count;
    const uint32_t (*ways)[2];  /* from block to block within an iteration */
    const uint8_t *passes_loop; /* of each way: an inner loop lies on it */
    uint32_t way_count;
};

struct sl_loop_visitor {
    void *data;
    /* Is it an operation on a pipe, whose address is the first operand? `write`: which end. */
    bool (*is_pipe_operation)(const char *callee, bool *write);
    /* Called for each loop before the loops inside of it, with numbers from 0. Loops that
     * have no order (irreducible ones) are not visited. */
    void (*take)(void *data, uint32_t number, const struct sl_loop_body *);
    /* Are the work-items of the kernel like iterations of a loop, if it has no loops? */
    bool (*are_iterations)(void *data, LLVMValueRef function);
    /* Do work-items meet there? */
    bool (*meets)(const char *callee);
    /* Called last, of the code that is in no loop. */
    void (*take_rest)(void *data, const struct sl_loop_body *);
    /* May dependences of the loop at this place between iterations in memory be forgotten? */
    bool (*forgets_memory)(void *data, const char *file, uint32_t line, uint32_t column);
};

/* Which end of which pipe the call uses, as its first operand says. */
struct sl_pipe_end sl_llvm_pipe_end(LLVMValueRef call, bool write);

/* Inlines all calls, drops all but the simple form of loops and unrolls those that ask for it;
 * operations with packets in memory become ones with packets as values, NAME + ".value". A loop
 * that asks whether it is left behind an operation on a pipe begins with that, not behind the
 * question. NULL, or what LLVM says, malloc'ed. */
char *sl_llvm_simplify_loops(LLVMModuleRef, LLVMTargetMachineRef,
                             bool (*is_packet_operation)(const char *callee, bool *write),
                             bool (*is_pipe_operation)(const char *callee, bool *write));

struct sl_loop_coalescing { /* places: line << 32 | column of a loop, as sl_loop_body has them */
    void *data;
    /* How many loops, from the one at that place inwards, are to be one; 0 or 1: none. */
    uint32_t (*levels)(void *data, uint64_t place);
    /* Called for each loop that is part of one further out now, from the outside inwards. */
    void (*merged)(void *data, uint64_t outer, uint64_t inner);
};

/* Makes one loop of nests, of a module that was simplified, where each has just one loop inside
 * down to the innermost. NULL, or what LLVM says, malloc'ed. */
char *sl_llvm_coalesce_loops(LLVMModuleRef, LLVMTargetMachineRef,
                             const struct sl_loop_coalescing *);

/* The variable, argument or other pointer that the address was made of. */
LLVMValueRef sl_llvm_object_of(LLVMValueRef pointer);

void sl_llvm_visit_loops(LLVMValueRef function, const struct sl_loop_visitor *);

#ifdef __cplusplus
}
#endif
#endif
