/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a loop over vectors of work-items takes, by walking through its code as a run would:
 * inner loops go round as often as is known of them, branches go where they are likelier to go,
 * functions that are called take CALL cycles. Data is in the nearest cache. No shared state.
 */
#ifndef SL_KERNELS_MODEL_PREDICT_H
#define SL_KERNELS_MODEL_PREDICT_H

#include "model/pipeline.h"

#define SL_MODEL_ROUNDS 8 /* of a loop that nothing is known of */

enum sl_model_bound {
    SL_MODEL_UNITS,  /* a unit is taken nearly always */
    SL_MODEL_WIDTH,  /* no more instructions begin in a cycle */
    SL_MODEL_WAITING /* results that wait for each other */
};

struct sl_model_prediction {
    double cycles; /* a round of the loop; 0: nothing can be said */
    double least;  /* what units and the number of instructions allow */
    enum sl_model_bound bound;
    const char *unit; /* the busiest */
    bool guessed;     /* some inner loop went round SL_MODEL_ROUNDS times, or something is called */
};

/* Of loop number `loop`, counted from 1. `own`: rows that go before the machine's. */
struct sl_model_prediction sl_model_predict(const struct sl_mc_function *,
                                            const struct sl_model_machine *,
                                            const struct sl_model_rows *own, uint32_t loop);

#endif
