/* SPDX-License-Identifier: Apache-2.0 */
/* What loop pragmas ask for, as the front end has noted it in !sl.loops. No shared state. */
#ifndef SL_KERNELS_TIMING_PRAGMAS_H
#define SL_KERNELS_TIMING_PRAGMAS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct sl_loop_wishes {
    uint32_t line, column; /* of the loop */
    uint32_t interval;     /* ii(N); 0: not given */
    uint32_t concurrency;  /* max_concurrency(N); 0: not given, or no limit */
    uint32_t speculated;   /* speculated_iterations(N), where `speculates` */
    bool speculates;       /* it is given */
    uint32_t coalesced;    /* loop_coalesce(N): N loops as one; UINT32_MAX: all; 0: not given */
    bool ivdep;            /* for all arrays and distances */
    bool serial;           /* disable_loop_pipelining */
    uint32_t lanes;        /* no pragma's: work-items side by side; 0 is 1 */
};

struct sl_loop_pragmas {
    struct sl_loop_wishes *loops; /* owned */
    uint32_t count;
};

/* 0, or -1: no memory. */
int sl_loop_pragmas_read(struct sl_loop_pragmas *, LLVMModuleRef);
void sl_loop_pragmas_finish(struct sl_loop_pragmas *);

/* Of the loop at this place; all zero where nothing was asked for. */
struct sl_loop_wishes sl_loop_wishes_at(const struct sl_loop_pragmas *, uint32_t line,
                                        uint32_t column);

#endif
