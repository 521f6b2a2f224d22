/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency controls of pipe operations, on their way through a build: a node of !sl.latency for each
 * place that has one, which the operation's call carries too, as long as it is known which call
 * that is:
 *
 *     !{!"pipe", !"file", i32 line, i32 column, i32 writes, i32 has anchor, i32 anchor,
 *                    i32 has constraint, i32 its anchor, i32 its type, i32 cycles}
 *
 * Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_LATENCY_H
#define SL_KERNELS_LLVM_LATENCY_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SL_LATENCY_NODE "sl.latency"

enum sl_latency_type { SL_LATENCY_NONE, SL_LATENCY_EXACT, SL_LATENCY_MAX, SL_LATENCY_MIN };

struct sl_latency_control {
    const char *pipe, *file; /* "": not known */
    uint32_t line, column;   /* 0: not known */
    bool writes, has_anchor, has_constraint;
    int32_t anchor;
    int32_t from; /* the anchor that the constraint counts from */
    enum sl_latency_type type;
    int32_t cycles;
};

/* Notes it in the module. */
void sl_latency_note(LLVMModuleRef, const struct sl_latency_control *);
/* At the call of the operation. */
void sl_latency_mark(LLVMValueRef call, const struct sl_latency_control *);

/* Of a node; false: it is none. Texts are the module's. */
bool sl_latency_read(LLVMValueRef node, struct sl_latency_control *);

/* Of the call of an operation; false: it has none. */
bool sl_latency_of(LLVMValueRef call, struct sl_latency_control *);

/* The place with this anchor in the module of a call; false: none has it. */
bool sl_latency_find(LLVMValueRef call, int32_t anchor, struct sl_latency_control *);

/* "exact", "max", "min", "none" */
const char *sl_latency_word(enum sl_latency_type);

#ifdef __cplusplus
}
#endif
#endif
