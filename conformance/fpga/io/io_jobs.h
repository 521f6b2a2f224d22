/* SPDX-License-Identifier: Apache-2.0 */
/* Processes with one or both ends of an I/O pipe, which are started, awaited and killed. What goes
 * through is checked packet by packet. The environment says what they do: N packets from FIRST on
 * through pipes that are DEPTH deep, of a word, THREE words, SEVEN bytes, two PAGES or LARGE ones
 * (more than is moved at once), and THEN so many more by another launch, before which (SHRINKS) a
 * writer tries to take away the memory that its reader has. They end when that is through,
 * LINGER_MS later, or (STAY) when they are killed.
 */
#ifndef SLUICE_TEST_IO_JOBS_H
#define SLUICE_TEST_IO_JOBS_H

#include "child.h"
#include "flow.h"
#include "peers.h"
#include "runner.h"

enum { IO_COUNT = 2000, IO_JOBS = 13 };

/* job_send, job_exits, job_forks write at "right"; job_get and job_poll read at "left", so does
 * job_follow, up to packet FIRST + N - 1 of whoever sends; job_both does both. job_offer writes
 * what there is room for, the writes (FROM=1: reads) of job_fails fail, job_builds launches
 * nothing. job_rank is the writer at rank 0, the reader else; job_knot reads before it writes, and
 * so does job_circle at each rank; with ENDS=1 their launches are to end as stalled ones. */
extern const struct test_case io_jobs[IO_JOBS];

extern char io_rows[400]; /* "SLUICE_FPGA_IO=..." for those that are started */

struct peer start_with(const char *job, const char *const *more);
#define START(job, ...) start_with(job, (const char *const[]){__VA_ARGS__, NULL})
/* Of a library that serves I/O pipes; without it the case is skipped. */
void want_engine(const char *name);
void ends_well(struct peer *peer);
void says(const struct peer *peer, const char *words); /* it has ended */
void await(struct peer *peer, const char *want);       /* until it prints that line */

#endif
