/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the machine keeps of a loaded program that has pipes: its clusters, its host pipes, which
 * rings each kernel reaches. Kept, with the code itself, until the last fiber of it is gone.
 */
#ifndef SL_FPGA_DESIGN_DATA_H
#define SL_FPGA_DESIGN_DATA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/runtime/code.h"
#include "fpga/stream/io_binding.h"
#include "sluice/base/count.h"

struct sl_cluster;
struct sl_machine;
struct sl_parts;
struct sl_pipe;
struct sl_profile;

struct sl_design_kernel {
    struct sl_cluster *cluster;  /* held by the design; NULL: it uses no pipes */
    struct sl_pipe_ring **rings; /* owned */
    uint32_t ring_count;
    uint32_t first;        /* row of compute unit 0 */
    atomic_bool was_ended; /* the last one that ran was ended because it stood still */
    atomic_bool broken;    /* a process of its dataflow region was stopped */
    atomic_bool brief;     /* when the host ran it, it had soon done what there was to do */
};

struct sl_design {
    void (*destroy)(struct sl_design *); /* when nobody holds it any more */
    struct sl_machine *machine;
    struct sl_design *prev_design, *next_design; /* guarded by machine->lock */
    struct sl_code *code;                        /* owned */
    const struct sl_module_info *info;
    struct sl_pipe_memory memory; /* of its pipes, which other code of the program uses as well */
    atomic_uint refs;             /* the driver's, one per fiber, one per message under way */
    atomic_uint autorun_fibers;   /* alive */
    atomic_bool leaving;          /* it is unloaded: what still runs of it ends */
    struct sl_cluster **clusters; /* held; by component; NULL entries where the shared one serves */
    struct sl_parts **parts;      /* owned; by component; NULL entries: it is never divided */
    uint32_t cluster_count;
    struct sl_pipe **pipes; /* owned; by row of info->pipes; NULL where the host has no end */
    /* Owned; by row of info->pipes; NULL where nothing outside is bound, or without I/O pipes: each
     * launch that ends looks for its own. */
    struct sl_io_end **ends;
    atomic_bool io_used;            /* a kernel was launched: sl_io_use() was called for all ends */
    struct sl_io_bindings bindings; /* SLUICE_FPGA_IO when the pipes were joined to it */
    struct sl_profile *profile;     /* owned; NULL: not profiled */
    struct sl_design_kernel kernels[];
};

static inline void sl_design_hold(struct sl_design *design)
{
    atomic_fetch_add_explicit(&design->refs, 1, memory_order_relaxed);
}

/* For who found it in machine->designs, and has that lock: false, it is going. */
static inline bool sl_design_hold_alive(struct sl_design *design)
{
    return sl_add_unless_zero(&design->refs);
}

/* NULL is a no-op. */
static inline void sl_design_drop(struct sl_design *design)
{
    if (design && atomic_fetch_sub_explicit(&design->refs, 1, memory_order_acq_rel) == 1)
        design->destroy(design);
}

#endif
