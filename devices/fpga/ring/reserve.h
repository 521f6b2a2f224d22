/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations: sl_runtime.pipe_reserve, pipe_reserved, pipe_commit. */
#ifndef SL_FPGA_RESERVE_H
#define SL_FPGA_RESERVE_H

#include <stdint.h>

#include "sluice/module.h"

uint64_t sl_ring_reserve(const struct sl_launch *, struct sl_pipe_ring *,
                         const struct sl_pipe_site *, uint32_t count);
void *sl_ring_reserved(const struct sl_launch *, struct sl_pipe_ring *, uint64_t id,
                       uint32_t index);
void sl_ring_commit(const struct sl_launch *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                    uint64_t id);

#endif
