/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of the compiler's programs: malloc and its like, in place of the C library's, which
 * take a tenth of a build. Blocks of one size lie together, in huge pages where the system has
 * them; what is freed waits for the next block of its size and goes back with the process, which
 * ends when it has become large.
 */
#ifndef SL_KERNELS_HEAP_H
#define SL_KERNELS_HEAP_H

/* From here on this thread, the one that compiles, takes memory without a lock. One per process. */
void sl_heap_claim(void);

#endif
