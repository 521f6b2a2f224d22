/* SPDX-License-Identifier: Apache-2.0 */
/* How the ranks of a job are joined: what SLUICE_FPGA_IO says for one of them. */
#ifndef SLUICE_EXAMPLE_LINKS_H
#define SLUICE_EXAMPLE_LINKS_H

#include <stddef.h>

struct job {
    const char *transport; /* "shm", "unix", "tcp", "ucx" or "mpi" */
    const char *name;      /* no other job on these machines has it: of rings and sockets */
    const char *hosts;     /* of the ranks, with commas between; NULL: all are on this one */
    unsigned port;         /* the first one */
    unsigned ranks;
};

/* The rows for this rank's pipes; 0 if there is no such transport. */
int make_links(const struct job *job, unsigned rank, char *rows, size_t bytes);

#endif
