/* SPDX-License-Identifier: Apache-2.0 */
/* Recurrences: loops that wait for their own results. */
#ifndef SL_KERNELS_VECTOR_COST_RECURRENCE_H
#define SL_KERNELS_VECTOR_COST_RECURRENCE_H

#include "vector/analysis/facts.h"

/* Registers per value with which a loop waits less for itself, of machines with mask registers. */
uint32_t sl_vector_fill_recurrence(struct sl_vector_facts *);
/* The same, however many registers there are. 0: there is code that nothing is known of. */
uint32_t sl_vector_times_to_fill(const struct sl_vector_facts *);

/* How many operations on floating-point numbers a round of a loop does one behind the other, from
 * what the round before left. */
uint32_t sl_vector_steps_of_round(const struct sl_vector_facts *, uint32_t loop);

/* A division of floats whose operands come from the last turn of the loop around it, by a value or
 * by what that has stored: item by item each turn waits for the one before. */
bool sl_vector_waits_for_division(const struct sl_vector_facts *, LLVMValueRef division,
                                  uint32_t block);

#endif
