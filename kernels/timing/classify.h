/* SPDX-License-Identifier: Apache-2.0 */
/* Which operator an instruction is, and which port of a memory it needs. Stateless. */
#ifndef SL_KERNELS_TIMING_CLASSIFY_H
#define SL_KERNELS_TIMING_CLASSIFY_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "timing/operators.h"

enum sl_operator sl_classify(LLVMValueRef instruction);
/* Cycles from its start to its result. */
uint32_t sl_operator_latency(const struct sl_operator_table *, LLVMValueRef instruction);
/* The sum `to` has one of two constants, one of them zero, as `from` decides: a circuit computes
 * both sums beforehand, and only selects. */
bool sl_selects_sum(LLVMValueRef from, LLVMValueRef to);

/* The array that a load or store accesses, if it is one with ports of its own; else NULL.
 * *is_local: which kind. */
LLVMValueRef sl_memory_of(LLVMValueRef instruction, bool *is_local);

/* Is it a pipe operation, or its form with a packet as a value? */
bool sl_is_pipe_operation(const char *callee, bool *write);
/* Does it move a packet (pipe, packet, bytes, alignment)? */
bool sl_is_packet_operation(const char *callee, bool *write);
/* Does it wait as long as there is no packet, or no room? */
bool sl_waits(LLVMValueRef call, LLVMValueRef pipe);

#endif
