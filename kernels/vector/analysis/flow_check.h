/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a vector form of this control flow? */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_FLOW_CHECK_H
#define SL_KERNELS_VECTOR_ANALYSIS_FLOW_CHECK_H

#include "vector/analysis/facts.h"

/* A branch both of whose ways lead to barriers, one of them for sure, and to different ones. All
 * items of a group come to a barrier or none does (OpenCL C 6.15.8): whatever it asks, they agree.
 */
bool sl_vector_meets_barriers(const struct sl_vector_facts *, uint32_t block);
/* With shapes. Branches on which lanes agree may become some where they part, and values differ
 * behind them, so that there is a vector form. False: there is none even so. */
bool sl_vector_settle_flow(struct sl_vector_facts *);

#endif
