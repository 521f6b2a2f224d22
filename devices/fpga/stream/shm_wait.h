/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits for whom, over processes that share rings: at each end of a ring stands where the
 * kernel that has it waits, itself or by way of kernels that it waits for, if that is at a ring in
 * shared memory again. The index there, and that the ring is still empty or full, prove that it
 * waits until now, however old the word is. Of the watch, and of whoever has the cluster.
 */
#ifndef SL_DEVICES_FPGA_SHM_WAIT_H
#define SL_DEVICES_FPGA_SHM_WAIT_H

#include "fpga/stream/shm_ring.h"

/* At the ring's own end the kernel `kernel` waits at `where`'s; NULL: it does not. */
void sl_shm_tell_wait(struct sl_shm *ring, const char *kernel, const struct sl_shm *where);

struct sl_shm_hop {
    uint32_t process;
    char who[SL_SHM_NAME]; /* as whoever sees several hosts calls it; "": by that number */
    char kernel[SL_SHM_NAME], pipe[SL_SHM_NAME]; /* which has the pipe's other end */
};

/* A kernel waits at the ring's own end. If it waits for itself, by way of the kernels of others,
 * these: at most `most`, the last one is itself. 0: it does not, or nobody can tell. */
uint32_t sl_shm_find_cycle(const struct sl_shm *, struct sl_shm_hop *hops, uint32_t most);

#endif
