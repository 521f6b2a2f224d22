/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dataflow machine: clusters that have something to do, the threads that run them, and the
 * watch that looks after both. As many clusters run at once as the device has units; more when one
 * has waited for long, as a kernel that never uses a pipe keeps its thread.
 */
#ifndef SL_FPGA_MACHINE_H
#define SL_FPGA_MACHINE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "common/runtime/thread_pool.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/fiber.h"
#include "sluice/device.h"

struct sl_hosted;
struct sl_design;
struct sl_io;
struct sl_watch;

enum sl_visit_mode { SL_VISIT_AUTO, SL_VISIT_ALWAYS, SL_VISIT_NEVER }; /* SLUICE_FPGA_VISITS */
/* SLUICE_FPGA_PARTS; swing: divided and joined again all the time */
enum sl_parts_mode { SL_PARTS_AUTO, SL_PARTS_NEVER, SL_PARTS_ALWAYS, SL_PARTS_SWING };
enum sl_stall_mode { SL_STALL_REPORT, SL_STALL_ERROR, SL_STALL_WAIT };

/* What the machine needs of the folders above this one; fpga.c puts it together. All but `watch` on
 * the thread that runs the cluster. */
struct sl_machine_ops {
    const struct sl_runtime *runtime, *runtime_general; /* general: with a seed or a profile */
    void *(*watch)(void *watch); /* the thread of its watch, until SL_WISH_END */
    void (*run)(void *fiber);    /* what a fiber begins with; does not come back */
    /* The fiber's kernel has returned, was stopped or discarded, and it is in no list: reports, and
     * puts the fiber back. */
    void (*ended)(struct sl_fiber *);
    /* With a profile: the kernel had the thread since then. */
    void (*ran)(struct sl_design *, const struct sl_kernel_info *, uint64_t since_ns,
                uint64_t until_ns);
    /* with a profile: one that has waited at fiber->stalled_at goes on */
    void (*went_on)(struct sl_fiber *, uint64_t until_ns);
    /* A thread of the application may take it: little comes of it, on little stack. */
    bool (*is_brief)(const struct sl_news *);
    /* The cluster sleeps until the foreign end of the ring moves. */
    void (*announce)(struct sl_pipe_ring *);
    /* A kernel waits for the foreign end of the ring: what that can do at once it does. True: it
     * has done something. */
    bool (*poll)(struct sl_pipe_ring *);
    /* Completes what the host waits for at the first pipe of cluster->notified. */
    void (*serve)(struct sl_cluster *);
};

struct sl_machine {
    const struct sl_machine_ops *ops; /* borrowed: static */
    struct sl_hosted *hosted;         /* borrowed: owns the machine */
    const struct sl_host_ops *host;
    const char *topic;
    struct sl_pool *pool; /* owned */
    struct sl_fiber_pool fibers;
    const struct sl_runtime *runtime;
    struct sl_io *io;          /* borrowed: fpga.c's */
    struct sl_cluster *shared; /* held: all kernels with pipe arguments */
    uint64_t seed;
    enum sl_stall_mode on_stall;
    uint64_t stall_ns;
    bool profile, trace; /* trace: with a profile only */
    enum sl_visit_mode visits;
    enum sl_parts_mode parts;
    _Atomic uint32_t looking;   /* odd while the watch looks at clusters; futex */
    pthread_mutex_t start_lock; /* guards started */
    bool started;
    bool abandoned; /* stop() left a thread behind in a kernel that does not end */
    unsigned units;
    pthread_mutex_t ends_lock; /* of designs' ends: the watch asks those of one that goes, too */
    pthread_mutex_t lock;      /* guards what follows, as marked in sl_cluster */
    struct sl_cluster *queue, *queue_tail; /* SL_CLUSTER_QUEUED */
    struct sl_cluster *clusters;           /* all */
    struct sl_design *designs;             /* all */
    struct sl_pipe *asked;                 /* host's ends that are asked in vain; by host_pipe.c */
    unsigned running, allowed;             /* threads inside clusters */
    _Alignas(64) atomic_uint queued, spinning; /* clusters queued; threads that watch an idle one */
    atomic_uint activity;                      /* changes when anything happens */
    atomic_int host_waits;                     /* threads */
    _Atomic uint32_t asks;                     /* of threads that do not wait */
    atomic_uint guests;     /* threads of the application that may be running ordinary work */
    struct sl_watch *watch; /* owned; NULL: none could be started */
};

int sl_machine_create(struct sl_hosted *, const struct sl_machine_ops *, struct sl_machine **);
struct sl_machine *sl_fpga_machine(struct sl_device *); /* borrowed: the device's */
/* Stopped. False: it stays, and all it knows, as it was abandoned. */
bool sl_machine_destroy(struct sl_machine *);
/* Starts the threads if there are none: when the first program with pipes is loaded. */
int sl_machine_start(struct sl_machine *);
void sl_machine_stop(struct sl_machine *);

void sl_machine_add(struct sl_machine *, struct sl_cluster *);
void sl_machine_remove(struct sl_machine *, struct sl_cluster *);
/* A cluster with fibers that wait, or poll in vain, falls idle or takes naps; goes on. */
void sl_machine_rests(struct sl_machine *, struct sl_cluster *);
void sl_machine_resumes(struct sl_machine *, struct sl_cluster *);

/* A thread will run it. The cluster has just become SL_CLUSTER_QUEUED. */
void sl_machine_enqueue(struct sl_machine *, struct sl_cluster *);
/* The calling thread does not come for what is queued although it looked as if it would. */
void sl_machine_kick(struct sl_machine *);
/* Something began that may stand still while the host waits. */
void sl_machine_may_stall(struct sl_machine *);
/* sl_device_ops.host_waits */
void sl_machine_host_waits(struct sl_machine *, int change);
/* A thread of the application that runs a cluster: how it was before. */
struct sl_guest {
    const struct sl_machine *inside;
    uint64_t fpmode;
    bool blocked;
    sigset_t signals; /* valid if blocked */
};
struct sl_guest sl_machine_enter(const struct sl_machine *, uint64_t now_ns);
void sl_machine_leave(const struct sl_guest *);
/* Clusters that are lent to the host: those that nobody has visited since this was last asked; all;
 * all, and no thread is to have them. */
enum sl_loans { SL_LOANS_LEFT, SL_LOANS_ALL, SL_LOANS_STOPPED };
/* They go to threads of the machine. True: others were visited since. */
bool sl_machine_end_loans(struct sl_machine *, enum sl_loans);
/* The calling thread, which waits and holds no lock of the driver's, runs a cluster that is queued
 * for a moment, if there is one that it may. */
bool sl_machine_help(struct sl_machine *);
/* The calling thread runs a cluster of this machine; NULL: it runs none. */
bool sl_machine_is_inside(const struct sl_machine *);

#endif
