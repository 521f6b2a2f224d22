/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipe profile of a program: packets and occupancy of its pipes, time stalled on them by kernel
 * and call site, a timeline. Kept only with SLUICE_FPGA_PROFILE, when every operation takes the
 * slow path.
 */
#ifndef SL_FPGA_PROFILE_H
#define SL_FPGA_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/pipe.h"

struct sl_context;
struct sl_design;
struct sl_fiber;
struct sl_kernel_info;
struct sl_launch;
struct sl_launch_args;
struct sl_pipe_rounds;
struct sl_profile;
struct sl_work_queue;

/* NULL: no memory, not profiled. `path`: where it is written in the end; `traced`: with a trace. */
struct sl_profile *sl_profile_create(struct sl_design *, const char *path, bool traced);
/* Writes the file; NULL is a no-op. */
void sl_profile_destroy(struct sl_profile *);

/* Writes the file as things stand, once more if it was: 0, or SL_OUT_OF_RESOURCES. Any thread. */
int sl_profile_write(struct sl_profile *);
/* Counts from 0 from here on; the next file is another one. Any thread. */
void sl_profile_clear(struct sl_profile *);

/* ---- what happens: of the thread that runs the cluster --------------------------------------- */

void sl_profile_launched(struct sl_fiber *);
/* Both from any thread: nothing that it waits for is missing; it will do nothing more. */
void sl_profile_submitted(struct sl_fiber *);
void sl_profile_ended(struct sl_fiber *);
/* From any thread: a kernel without pipes of this program, before it runs. */
void sl_profile_passes(const struct sl_launch_args *, struct sl_work_queue *);
/* And if what it takes only its items know: all of them have run. */
struct sl_clock_heard;
void sl_profile_heard(struct sl_profile *, uint32_t kernel, struct sl_work_queue *,
                      const struct sl_clock_heard *);
/* listen.c; sl_code.listen */
struct sl_item_listener *sl_profile_listen(const struct sl_launch_args *, struct sl_work_queue *);
/* A reservation, and with it so many packets. */
void sl_profile_committed(const struct sl_fiber *, struct sl_pipe_ring *,
                          const struct sl_pipe_site *, uint64_t packets);
/* An operation that does not wait, of a kernel with a clock. */
void sl_profile_failed(const struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *);
void sl_profile_moved(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *);
/* sl_runtime.pipe_moved and .pipe_rounds */
void sl_profile_pipe_moved(const struct sl_launch *, struct sl_pipe_ring *,
                           const struct sl_pipe_site *);
void sl_profile_pipe_rounds(const struct sl_launch *, const struct sl_pipe_rounds *,
                            uint64_t rounds);
/* A wait begins now: notes when, for those below. */
void sl_profile_stalls(struct sl_fiber *);
/* It has waited there since fiber->stalled_since. */
void sl_profile_waited(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                       uint64_t until_ns);
/* The same of one that has waited at fiber->stalled_at, and goes on. */
void sl_profile_went_on(struct sl_fiber *, uint64_t until_ns);
/* Who has the thread when the calling fiber parks: with a profile its loop need not come to know of
 * each time. */
struct sl_context *sl_profile_next(const struct sl_fiber *);
/* It still waits, and may do so for ever: counts what it has waited until now. Also for who has
 * claimed its cluster. */
void sl_profile_waiting(struct sl_fiber *, uint64_t now_ns);
void sl_profile_ran(struct sl_design *, const struct sl_kernel_info *, uint64_t since_ns,
                    uint64_t until_ns);

/* ---- what the watch reports ------------------------------------------------------------------ */

/* Copies a report of a stall, in words and as JSON (stall.h), in which kernels of this program have
 * a part. `ends`: their launches end by it. Any thread. */
void sl_profile_note_stall(struct sl_profile *, const char *text, const char *json, bool ends);
/* In the last one this kernel waits, or asks in vain: the stall lasts until something moves there.
 */
void sl_profile_note_still(struct sl_profile *, const struct sl_fiber *);
/* In the last one nothing moves at this pipe, a row, or no launch of this kernel ends: the stall
 * lasts until something does at any of those that are noted so. Also while its kernels run. */
void sl_profile_note_silent(struct sl_profile *, uint32_t pipe);
void sl_profile_note_unending(struct sl_profile *, uint32_t kernel);

/* As JSON, in memory from malloc; docs/dataflow.md. 0 or an error. */
int sl_profile_text(struct sl_profile *, char **text);

#endif
