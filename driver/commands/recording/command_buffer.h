/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_command_buffer_khr: commands that are recorded once and enqueued together as often as one
 * likes. A recorded command is a cl_event that never enters a queue: checked, with its arguments
 * and what it uses, and never changed (an update puts another in its place). The edges between them
 * are settled when the buffer is finalized (struct sl_plan). An enqueue is one command of its
 * queue, which replays all of them (replay.h); with several queues, see lanes.h.
 * Spec: cl_khr_command_buffer, cl_khr_command_buffer_multi_device.
 */
#ifndef SL_DRIVER_COMMANDS_RECORDING_COMMAND_BUFFER_H
#define SL_DRIVER_COMMANDS_RECORDING_COMMAND_BUFFER_H

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/object/object.h"
#include "commands/queue/command.h"
#include "platform/capabilities.h"

/* What the order of a queue asks of the next command that is recorded for it. */
struct sl_lane {
    uint32_t newest; /* number + 1 of the newest command */
    /* Out of order: number + 1 of the last barrier, and of the first command that the next barrier
     * without a list has to wait for itself. */
    uint32_t barrier, unjoined;
};

struct sl_recipe;

struct sl_recorded {
    cl_event body;            /* held; NULL while it has arguments that are not set */
    struct sl_recipe *recipe; /* owned: how it came to be */
    uint32_t lane;
    uint32_t first_edge, edge_count; /* in `edges`: numbers of the commands it waits for */
};

/* Who waits for whom. Nothing of it changes. */
struct sl_plan {
    uint32_t count;
    uint32_t sinks;      /* nobody waits for them */
    uint32_t root_count; /* they wait for nobody */
    struct sl_plan_row {
        uint32_t lane;
        uint32_t waits;             /* how many it waits for */
        uint32_t first, after_last; /* in `successors`: those that wait for it */
    } *rows;                        /* owned, like the next two */
    uint32_t *successors, *roots;
};

struct _cl_command_buffer_khr {
    struct sl_object obj;
    cl_uint lane_count;       /* at least one, like queues */
    cl_command_queue *queues; /* owned; held */
    cl_context context;       /* borrowed from them */
    cl_command_buffer_flags_khr flags;
    cl_mutable_dispatch_asserts_khr asserts;
    cl_command_buffer_properties_khr *properties; /* owned; as given to clCreateCommandBufferKHR */
    cl_uint property_count;
    bool lock_ready;
    pthread_mutex_t lock; /* guards what follows; no other lock is taken with it held */
    /* These two are read without it, too: a child of fork may ask. */
    atomic_bool finalized;
    atomic_uint unset;            /* commands that have no body */
    struct sl_recorded *recorded; /* owned */
    uint32_t count, cap;
    uint32_t *edges; /* owned */
    uint32_t edge_count, edge_cap;
    struct sl_lane *lanes;                   /* owned */
    struct _cl_mutable_command_khr *handles; /* newest first; held */
    uint64_t version;                        /* changes with each update */
    struct sl_replay *idle;                  /* owned: ready to run */
    uint32_t idle_count;
    struct sl_plan plan; /* fixed once finalized */
};
extern const struct sl_type sl_command_buffer_type;

/* What clCreateCommandBufferKHR and clFinalizeCommandBufferKHR do, with their errors. */
cl_int sl_command_buffer_create(cl_uint num_queues, const cl_command_queue *,
                                const cl_command_buffer_properties_khr *, cl_command_buffer_khr *);
cl_int sl_command_buffer_finalize(cl_command_buffer_khr);

/* Pairs of name and bits, then 0; NULL is a list without any. */
struct sl_bits_property {
    cl_properties name, known; /* bits that it may have */
    cl_properties value;       /* unchanged if it is not named */
    bool named;
};
/* `entries`: of the list with its end; 0: NULL. CL_INVALID_VALUE: an unknown name or bit, or a name
 * twice. */
cl_int sl_bits_properties(const cl_properties *list, struct sl_bits_property *rows,
                          size_t row_count, cl_uint *entries);

/* A command as it is appended; its points were checked. */
struct sl_to_append {
    cl_event body; /* NULL: it is not complete */
    struct sl_recipe *recipe;
    uint32_t lane;
    bool barrier;
    cl_uint point_count;
    const cl_sync_point_khr *points;
};
/* The command and its recipe are the buffer's then. Its number is that of its sync-point, less one.
 * CL_INVALID_OPERATION: finalized by now; CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES. */
cl_int sl_command_buffer_append(cl_command_buffer_khr, const struct sl_to_append *,
                                uint32_t *number);
/* It is finalized, and no argument of a command is missing. */
bool sl_command_buffer_is_executable(const struct _cl_command_buffer_khr *);
bool sl_command_buffer_is_finalized(const struct _cl_command_buffer_khr *);

#endif
