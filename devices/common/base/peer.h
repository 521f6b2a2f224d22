/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that a device has as a process of its own, and requests to it over a socket, each with
 * one answer.
 */
#ifndef SL_DEVICES_PEER_H
#define SL_DEVICES_PEER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

enum {
    SL_PEER_SOCKET = 3,      /* the program's descriptors: the socket, */
    SL_PEER_DESCRIPTORS = 4, /* and from here on those that it is given */
    SL_PEER_HIGH = 64,       /* which have numbers from here on in this process */
    SL_PEER_GRACE_MS = 3000  /* how long the program may take to end */
};

struct sl_peer {
    pid_t process;
    int socket, output; /* output: a file that is the program's stdout */
    pthread_mutex_t lock;
};

/* Starts the program `name` that lies beside the library which has the function `inside`. 0, or
 * SL_OUT_OF_RESOURCES. `descriptors` stay the caller's. */
int sl_peer_start(struct sl_peer *, const char *name, void (*inside)(void), const int *descriptors,
                  size_t descriptor_count);
/* Closes the socket, with which the program is to end. What has not ended a while later
 * (SL_PEER_GRACE_MS) is killed. */
void sl_peer_stop(struct sl_peer *);

/* Any thread; one request after the other. What the program has printed until its answer is on this
 * process's stdout then. false: the program has ended. */
bool sl_peer_ask(struct sl_peer *, const void *request, size_t request_bytes, void *answer,
                 size_t answer_bytes);

/* For memory that is shared: a file without a name of that size, with a number from SL_PEER_HIGH
 * on. -1: there is none. The caller's. */
int sl_peer_memory(const char *name, size_t bytes);

SL_END_C

#endif
