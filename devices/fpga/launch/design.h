/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the machine keeps of a loaded program that has pipes: its clusters, its host pipes, which
 * rings each kernel reaches. Kept, with the code itself, until the last fiber of it is gone.
 */
#ifndef SL_FPGA_DESIGN_H
#define SL_FPGA_DESIGN_H

#include <stdatomic.h>
#include <stdint.h>

#include "common/runtime/code.h"
#include "fpga/cluster/fiber.h"
#include "fpga/stream/io_binding.h"

struct sl_machine;
struct sl_pipe;
struct sl_profile;

struct sl_design_kernel {
    struct sl_cluster *cluster;  /* held by the design; NULL: it uses no pipes */
    struct sl_pipe_ring **rings; /* owned */
    uint32_t ring_count;
    uint32_t first; /* row of compute unit 0 */
};

struct sl_design {
    struct sl_machine *machine;
    struct sl_design *prev_design, *next_design; /* guarded by machine->lock */
    struct sl_code *code;                        /* owned */
    const struct sl_module_info *info;
    atomic_uint refs;             /* the driver's, one per fiber, one per message under way */
    atomic_uint autorun_fibers;   /* alive */
    struct sl_cluster **clusters; /* held; by component; NULL entries where the shared one serves */
    uint32_t cluster_count;
    struct sl_pipe **pipes; /* owned; by row of info->pipes; NULL where the host has no end */
    /* Owned; by row of info->pipes; NULL where nothing outside is bound, or without I/O pipes: each
     * launch that ends looks for its own. */
    struct sl_io_end **ends;
    struct sl_io_bindings bindings; /* SLUICE_FPGA_IO when the pipes were joined to it */
    struct sl_profile *profile;     /* owned; NULL: not profiled */
    struct sl_design_kernel kernels[];
};

/* NULL result in *out: a program without pipes. Takes the code over when it succeeds. */
int sl_design_create(struct sl_machine *, struct sl_code *, struct sl_design **);
/* Starts the autorun kernels. */
int sl_design_start(struct sl_design *);
/* Discards what is left of it; returns at once, from whichever thread. */
void sl_design_unload(struct sl_design *);

/* What is wrong with what it was loaded into: I/O pipes that nothing is bound to. A text from
 * malloc. NULL: a program without pipes. */
int sl_design_load_warnings(const struct sl_design *, char **text);

/* A transfer of the host waits at one of its pipes. */
bool sl_design_is_awaited(const struct sl_design *);
/* The cluster of the kernel at the inner end of a pipe; the shared one if there is none. */
struct sl_cluster *sl_design_cluster_of(const struct sl_design *, uint32_t pipe);

void sl_design_hold(struct sl_design *);
/* For who found it in machine->designs, and has that lock: false, it is going. */
bool sl_design_hold_alive(struct sl_design *);
void sl_design_drop(struct sl_design *); /* NULL is a no-op */

#endif
