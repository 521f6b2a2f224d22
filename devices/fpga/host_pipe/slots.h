/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of rings. The slots of a host pipe are mapped twice, one copy behind the other, so that
 * what the host maps never ends at the wrap.
 */
#ifndef SL_FPGA_SLOTS_H
#define SL_FPGA_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_slots {
    unsigned char *at; /* 64-aligned; owned if they are there twice */
    void *owned;       /* else this */
    uint64_t count;    /* a power of two */
    size_t bytes;      /* of one copy */
    bool twice, pages; /* pages: of nobody else */
};

/* Room for `depth` packets; `twice` is a wish. 0 or an error. */
int sl_slots_init(struct sl_slots *, uint32_t packet_bytes, uint32_t depth, bool twice);
/* So many, in pages that may be mapped anew. */
int sl_slots_map(struct sl_slots *, uint32_t packet_bytes, uint64_t count);
void sl_slots_finish(struct sl_slots *); /* zeroed: no-op */

#endif
