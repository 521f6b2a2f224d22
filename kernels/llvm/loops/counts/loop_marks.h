/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks that tell a running kernel's clock where it is in its loops: a call where a loop begins,
 * one for each iteration, and one where it has ended; or one for all of that. Loops are named by
 * their place in the source, as sl_llvm_visit_loops names them in a copy of the module that was
 * simplified. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_LOOP_MARKS_H
#define SL_KERNELS_LLVM_LOOP_MARKS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The function that marks call: (i32 what, i32 line, i32 column, i64 iterations). */
#define SL_LOOP_MARK "sl.pipe.loop"
/* One more, of a nest of loops (loop_nests.h): (i32 rows, ...), with what is in a row of struct
 * sl_nest_row for each of them. */
#define SL_LOOP_NEST_MARK "sl.pipe.nest"
/* Metadata of marks: no kernel has two loops at that place. */
#define SL_LOOP_MARK_ALONE "sl.pipe.alone"

struct sl_loop_marking {
    const char *mark;
    const uint64_t *places;   /* line << 32 | column of the loops that anybody wants to hear of */
    const uint32_t *unrolled; /* of each: of so many iterations the clock hears as of one */
    const bool *alone;        /* of each: no kernel has two loops there */
    size_t place_count;
    /* Of a function that is declared: it marks no loop, waits for no other work-item, and a clock
     * hears of nothing that it does. */
    bool (*is_quiet)(const char *callee);
    /* Do work-items meet there? */
    bool (*meets)(const char *callee);
    /* Is it an operation on a pipe? */
    bool (*is_pipe_operation)(const char *callee, bool *write);
};

/*
 * Calls `mark`(i32 enum sl_loop_mark, i32 line, i32 column, i64 iterations) in all functions that
 * have such loops, and with SL_LOOP_IS_ITEM at the begin of those with such a place, column 0. One
 * in which a clock hears of nothing else has a single call, behind its end, with the number of its
 * iterations and 1, or 0 if that is reached past the loop; those that are unrolled together are
 * one. Behind a condition in a loop it stands where that is over, if a clock hears of nothing in
 * between.
 *
 * If work-items of a kernel with such a place meet, SL_LOOP_IS_ITEM stands behind each such call as
 * well, with the call's place; loops around them have no marks. Where they meet, or the kernel asks
 * for several side by side or for compute units, its iterations are the number of the item in its
 * group, else 0.
 */
void sl_llvm_mark_loops(LLVMModuleRef, const struct sl_loop_marking *);

#ifdef __cplusplus
}
#endif
#endif
