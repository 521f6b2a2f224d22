/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a vector form of this control flow? */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_FLOW_CHECK_H
#define SL_KERNELS_VECTOR_ANALYSIS_FLOW_CHECK_H

#include "vector/analysis/facts.h"

/* With shapes. Branches on which lanes agree may become some where they part, and values differ
 * behind them, so that there is a vector form. False: there is none even so. */
bool sl_vector_settle_flow(struct sl_vector_facts *);

#endif
