/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A processor that takes instructions in order, some in each cycle, begins each when its operands
 * and a unit for it are there, whatever order that is, and holds as many as its window has room
 * for. Given instructions one after another it says when each is done. All branches go where they
 * were expected, and all loads find their data in the nearest cache. One thread's.
 */
#ifndef SL_KERNELS_MODEL_PIPELINE_H
#define SL_KERNELS_MODEL_PIPELINE_H

#include "model/machine.h"

/* An instruction as a machine has it: LLVM's with the machine's row. */
struct sl_model_step {
    struct sl_mc_instruction is;
    uint16_t fuses; /* micro-operations that begin together with others: not counted */
    bool quick;     /* gets results of others that are a cycle earlier, and hands on its own so */
};

/* `own` may be NULL. */
void sl_model_prepare(struct sl_model_step *to, const struct sl_mc_instruction *from,
                      const struct sl_mc_processor *, const struct sl_model_machine *,
                      const struct sl_model_rows *own);

struct sl_model_pipeline;

/* NULL: no memory. */
struct sl_model_pipeline *sl_model_pipeline_open(const struct sl_mc_processor *,
                                                 const struct sl_model_machine *, uint32_t places);
void sl_model_pipeline_close(struct sl_model_pipeline *);
void sl_model_pipeline_run(struct sl_model_pipeline *, const struct sl_model_step *);
/* The last one was a branch that is taken. */
void sl_model_pipeline_turn(struct sl_model_pipeline *);
/* When all so far are done. */
uint64_t sl_model_pipeline_now(const struct sl_model_pipeline *);
/* Cycles that a unit was taken so far, and micro-operations so far. */
uint64_t sl_model_pipeline_taken(const struct sl_model_pipeline *, uint32_t unit);
uint64_t sl_model_pipeline_begun(const struct sl_model_pipeline *);

#endif
