/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of a design: in which cycle its kernels would do what they do, if they were circuits
 * with the schedule that the compiler has made (docs/timing_model.md). Each run of a kernel has a
 * time of its own, which its loops advance; packets carry times from one to the other. Kept with a
 * profile, of programs that were built with a schedule.
 *
 * A run's operations have a nominal cycle, as if it never waited. An operation that has to wait
 * delays what is behind it in the program and has no earlier nominal cycle: iterations ahead of it
 * go on, so a pipeline runs empty behind what holds it up.
 */
#ifndef SL_FPGA_CLOCK_H
#define SL_FPGA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "fpga/clock/clock_ring.h"
#include "sluice/pipe.h"

struct sl_clock;
struct sl_clock_group;
struct sl_clock_kernel;
struct sl_clock_run;
struct sl_fiber;
struct sl_launch;
struct sl_module_info;
struct sl_pipe_rounds;

/* NULL: the schedule is damaged, or no memory. `pipe_rows`: of the profile.
 * `rates`: SLUICE_FPGA_RATES, or NULL. */
struct sl_clock *sl_clock_create(const struct sl_module_info *, uint32_t pipe_rows,
                                 const char *rates);
void sl_clock_destroy(struct sl_clock *); /* all runs have ended; NULL is a no-op */
/* Before anything runs: what happens is kept with its cycles. False: no memory. */
bool sl_clock_keep_events(struct sl_clock *);
/* From any thread: counters start anew, so the text is not about a whole run. */
void sl_clock_lose(struct sl_clock *);

/* ---- of the thread that runs the cluster ----------------------------------------------------- */

/* A run of a kernel begins at this cycle; NULL: no memory. `through`, which may be NULL: the
 * nominal cycle until which it has come, whatever it does, is put there. */
struct sl_clock_run *sl_clock_begin(struct sl_clock *, uint32_t kernel, uint64_t cycle,
                                    _Atomic uint64_t *through);
/* From any thread, one at a time: a run of a kernel without pipes, whose work-items, so many in
 * each dimension in groups of so many, are iterations. Its last cycle, and one more; `cycle` if it
 * is no such kernel. */
uint64_t sl_clock_go_through(struct sl_clock *, uint32_t kernel, uint64_t cycle,
                             const size_t items[3], const size_t group[3]);
struct sl_clock_heard {                  /* of such a kernel, by its work-items */
    const struct sl_clock_group *groups; /* dimension 0 fastest */
    uint64_t group_count;
    const uint64_t *loops; /* of each of the schedule: entries, iterations */
};
/* The same of one whose items have told what they take. `heard` NULL: somebody has not. */
uint64_t sl_clock_go_heard(struct sl_clock *, uint32_t kernel, uint64_t cycle,
                           const struct sl_clock_heard *);
/* Loops of the kernel whose work-items leave words as sl_kernel_info.times says; UINT32_MAX: they
 * should not. */
uint32_t sl_clock_heard_loops(const struct sl_clock *, uint32_t kernel);
/* NULL: it has none. Borrowed. */
const struct sl_clock_kernel *sl_clock_schedule_of(const struct sl_clock *, uint32_t kernel);
/* The nominal cycle of the operation that it did last. */
uint64_t sl_clock_present(const struct sl_clock_run *);
/* Its last cycle, and one more. Any thread; NULL is a no-op and gives 0. */
uint64_t sl_clock_end(struct sl_clock *, struct sl_clock_run *);
/* sl_runtime.loop_mark */
void sl_clock_mark(const struct sl_launch *, uint32_t what, uint32_t line, uint32_t column,
                   uint64_t iterations);
/* The same, of this run. */
void sl_clock_mark_run(struct sl_clock_run *, uint32_t what, uint32_t line, uint32_t column,
                       uint64_t iterations);
/* A packet has moved; `pipe`: its row in the profile, -1: it has none. */
void sl_clock_moved(struct sl_clock *, struct sl_clock_run *, struct sl_pipe_ring *,
                    const struct sl_pipe_site *, int32_t pipe);
/* Rounds of a loop have been gone through, with a packet at each of their moves, which are all at
 * different pipes; `rows`: theirs in the profile. False: nothing was done about it, each packet has
 * to be told by itself. */
bool sl_clock_rounds(struct sl_clock_run *, const struct sl_pipe_rounds *, const int32_t *rows,
                     uint64_t rounds);
/* A reservation was committed, and with it so many packets have moved, which may be none. */
void sl_clock_committed(struct sl_clock *, struct sl_clock_run *, struct sl_pipe_ring *,
                        const struct sl_pipe_site *, int32_t pipe, uint64_t packets);

/* ---- operations that do not wait, and questions; see ask.h ----------------------------------- */

enum sl_clock_doubt {
    SL_CLOCK_TOO_EARLY, /* what somebody was told has turned out to be wrong */
    SL_CLOCK_NO_PEER,   /* the other end has no clock */
    SL_CLOCK_OUTSIDE,   /* the outside was slower than its rate */
    SL_CLOCK_ELSEWHERE, /* a loop was begun where the schedule has none, but elsewhere */
    SL_CLOCK_ALIKE,     /* which of several operations of one place was passed by is not known */
    SL_CLOCK_STOPPED,   /* the run stood still; never noted, but found when it is printed */
};

/* The run comes to such an operation; `moves`: it takes the pipe's end for a cycle. In which cycle
 * it asks; UINT64_MAX: no memory. */
uint64_t sl_clock_ask(struct sl_clock_run *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                      bool moves);
/* Packets that can be moved at this end in the cycle in which the run asks. */
enum sl_clock_answer sl_clock_possible(struct sl_clock_run *, struct sl_pipe_ring *, unsigned op,
                                       uint32_t packets);
/* Nothing that the run has yet to do comes before this cycle. */
uint64_t sl_clock_least(struct sl_clock_run *);
/* The run is told that nothing more happens at that end of the pipe before it asks. */
void sl_clock_deny(const struct sl_clock_run *, struct sl_pipe_ring *, unsigned op);
/* And its answer is final, but for a packet that is to be moved now. */
void sl_clock_answered(struct sl_clock_run *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                       bool moves);
/* Packets in the pipe in the cycle in which the run asks, at end `op`. False: that is not known so
 * far. `own`: ends that are the run's own, by enum sl_pipe_op. */
bool sl_clock_fill(struct sl_clock_run *, struct sl_pipe_ring *, unsigned op, const bool own[2],
                   uint32_t *fill);
/* The kernel is at that end of a foreign pipe, and the other one has a rate. */
bool sl_clock_is_paced(const struct sl_clock_run *, struct sl_pipe_ring *, unsigned op);
/* It was negative: noted as an event. */
void sl_clock_failed(const struct sl_clock_run *, const struct sl_pipe_site *, int32_t pipe);
/* The result is not exact; the run may be NULL. */
void sl_clock_guess(struct sl_clock_run *, enum sl_clock_doubt);

/* As a JSON object; docs/timing.md. `stopped`: the run stood still and has not ended. Any thread.
 */
void sl_clock_print(struct sl_clock *, bool stopped, FILE *);

#endif
