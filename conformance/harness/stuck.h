/* SPDX-License-Identifier: Apache-2.0 */
/* What a test that ran into its time limit was doing: it can seldom be made to do so again. */
#ifndef SL_TEST_STUCK_H
#define SL_TEST_STUCK_H

/* Before there are threads. */
void stuck_prepare(void);
/* Writes each thread's name, state, system call and calls to standard error, as far as it answers
 * within a moment. For the handler of a signal, in a process that ends afterwards. */
void stuck_tell(void);

#endif
