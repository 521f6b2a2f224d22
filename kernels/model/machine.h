/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of processors, and what LLVM's scheduling models do not say of them, or say wrongly: the
 * rows of machines.def. Rows that somebody measured (conformance/bench/machine --rows) go before
 * them. Constant tables.
 */
#ifndef SL_KERNELS_MODEL_MACHINE_H
#define SL_KERNELS_MODEL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llvm/machine_code.h"

/* Of instructions with some names, in place of what LLVM says. A load that is in them comes on top,
 * but for gathers, which are nothing else. */
struct sl_model_row {
    const char *names; /* how LLVM's begin: "VDIVPS"; several with blanks between them */
    uint32_t bits;     /* of their largest register; 0: any */
    uint32_t latency;  /* cycles; 0: as LLVM says */
    uint32_t each;     /* hundredths of a cycle between two that do not wait; 0: as LLVM says */
    uint32_t steps;    /* micro-operations; 0: as LLVM says */
    const char *units; /* how LLVM's names of the units end, one of which they take: "Port00
                          Port05"; NULL: those that LLVM says are taken longest */
};

enum { SL_MODEL_NAME = 40, SL_MODEL_MOST_ROWS = 256 };

/* Rows read from a text. */
struct sl_model_rows {
    struct sl_model_row rows[SL_MODEL_MOST_ROWS];
    char names[SL_MODEL_MOST_ROWS][SL_MODEL_NAME];
    size_t count;
};

struct sl_model_machine {
    const char *name;  /* ours: "zen4" */
    const char *model; /* the processor of LLVM's whose model is nearest */
    uint32_t window;   /* micro-operations under way */
    uint32_t waiting;  /* of them, for operands or units; of those that `crowd` says */
    uint32_t forward;  /* cycles from a store to where a load finds it, besides the load's */
    uint32_t wide;     /* percent of the time that LLVM says 512 bits take units; 0: all */
    bool fuses;        /* a load and its operation, or a store's two halves, begin as one */
    const char *loads; /* units of loads, as in a row */
    const char *crowd; /* units whose instructions wait in one place; NULL: all of them */
    const char *turn;  /* units that a branch takes for a cycle if it is taken; NULL: none */
    uint32_t width;    /* micro-operations that begin in a cycle; 0: as LLVM says */
    const char *quick; /* how names of instructions begin whose results others of them get a cycle
                          earlier than anyone else; NULL: none */
};

/* By our name or LLVM's; NULL: none. */
const struct sl_model_machine *sl_model_machine(const char *name);
/* What this is; if it is not known, the likest by what LLVM says and by its registers. */
const struct sl_model_machine *sl_model_host(void);
/* NULL: there are no more. */
const struct sl_model_machine *sl_model_machine_at(size_t);

/* For an instruction: the first of `own` (may be NULL), else of the machine's; NULL: none. */
const struct sl_model_row *sl_model_row(const struct sl_model_machine *,
                                        const struct sl_model_rows *own,
                                        const struct sl_mc_instruction *);

/* Does `name` begin as one of `names`, which have blanks between them? */
bool sl_model_named(const char *names, const char *name);

/* Lines "NAME BITS LATENCY CYCLES-BETWEEN-TWO", # before remarks; a 0 leaves it to the table. The
 * number of the first line that is none; 0: all were read. */
size_t sl_model_rows_read(struct sl_model_rows *, const char *text);

#endif
