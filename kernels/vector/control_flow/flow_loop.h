/* SPDX-License-Identifier: Apache-2.0 */
/* A loop in a sequence: runs while any lane is in it, or is left by all lanes at once. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_LOOP_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_LOOP_H

#include "vector/control_flow/flow.h"

void sl_flow_emit_loop(struct sl_flow *, uint32_t loop);

#endif
