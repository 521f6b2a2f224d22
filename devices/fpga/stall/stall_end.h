/* SPDX-License-Identifier: Apache-2.0 */
/* What waits without hope ends, where that is wanted (SLUICE_FPGA_ON_STALL=error). */
#ifndef SL_FPGA_STALL_END_H
#define SL_FPGA_STALL_END_H

#include "fpga/stall/stall.h"
#include "fpga/stall/stall_claims.h"

/* Dooms who waits for what never comes. Who only asks for it may do real work between two
 * questions, and is given more time. True: there are such, look again. */
bool sl_stall_doom(const struct sl_stall_rows *);
/* Launches that are doomed. The cluster's own thread ends them, once it is released. Clusters
 * without any hear nothing: the device may be about to stop, and nobody would take the message.
 * False: no memory for some. */
bool sl_stall_end_launches(const struct sl_stall_claims *);
/* Transfers of the host that were told of; clusters are released. */
void sl_stall_end_transfers(const struct sl_stall_rows *);

#endif
