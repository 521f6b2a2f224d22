/* SPDX-License-Identifier: Apache-2.0 */
/* What the watch finds in clusters that it has claimed, as rows (stall.h). */
#ifndef SL_FPGA_STALL_ROWS_H
#define SL_FPGA_STALL_ROWS_H

#include "fpga/stall/stall.h"
#include "fpga/stall/stall_claims.h"

/* Designs the host waits for, and pipes that it asks in vain; held until the rows are gone. */
struct sl_stall_awaited {
    struct sl_design **at; /* owned */
    uint32_t count;
    struct sl_pipe **asked;           /* owned */
    const struct sl_design **designs; /* owned: of these; NULL: of a pipe object */
    uint32_t asked_count;
};

/* Before clusters are claimed. False: no memory. */
bool sl_stall_list_designs(struct sl_machine *, struct sl_stall_awaited *);
bool sl_stall_list_asked(struct sl_machine *, struct sl_stall_awaited *);
void sl_stall_let_go(struct sl_stall_awaited *); /* zeroed: no-op */

/* False: no memory. */
bool sl_stall_collect(struct sl_stall_claims *, const struct sl_stall_awaited *,
                      const struct sl_stall *, struct sl_stall_rows *);
/* Who asks in vain has to ask again before the next look. */
void sl_stall_forget_polls(const struct sl_stall_rows *);

#endif
