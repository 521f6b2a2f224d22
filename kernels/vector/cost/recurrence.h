/* SPDX-License-Identifier: Apache-2.0 */
/* Recurrences: loops that wait for their own results. */
#ifndef SL_KERNELS_VECTOR_COST_RECURRENCE_H
#define SL_KERNELS_VECTOR_COST_RECURRENCE_H

#include "vector/analysis/facts.h"

/* Registers per value with which a loop waits less for itself, of machines with mask registers. */
uint32_t sl_vector_fill_recurrence(struct sl_vector_facts *);

#endif
