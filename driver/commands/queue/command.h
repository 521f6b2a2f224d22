/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command = event = node of the dependency graph.
 *
 * Life: sl_command_create -> fill work, add holds -> sl_command_submit (adds the edges of the queue
 * and the wait list) -> [waits falls to zero] -> device or driver runs it -> sl_command_finish.
 * `waits` starts at 1 for "being built", so that no predecessor can start it early. When it falls
 * to zero the command goes to its device on the thread that finished the last predecessor. A failed
 * event of a wait list fails its dependents, in one walk with a work list, never by recursion; the
 * order of a queue alone passes no failure on (it would depend on when the failure is noticed).
 *
 * The event's own reference counts are those of obj: the command holds itself while it is
 * unfinished; the application's reference exists only if it asked for the event.
 * Locks: edges are a lock-free stack; queue->lock guards the place in the queue and is held while
 * the final status is published; `lock` guards callbacks. Nothing is called with one held.
 * Spec: 5.11 (events), 5.12 (markers, barriers), 5.13 (out-of-order), 5.14 (profiling).
 */
#ifndef SL_DRIVER_COMMANDS_COMMAND_H
#define SL_DRIVER_COMMANDS_COMMAND_H

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/object/object.h"
#include "sluice/device.h"

enum {
    SL_TIME_QUEUED,
    SL_TIME_SUBMITTED,
    SL_TIME_STARTED,
    SL_TIME_ENDED,
    SL_TIME_COMPLETE, /* kernels that it enqueued have ended, too */
    SL_TIME_COUNT
};

/* What happens when the command may run. */
enum sl_command_how {
    SL_HOW_DEVICE,  /* work goes to the work queue */
    SL_HOW_NOTHING, /* marker, barrier, map, unmap, migrate: complete at once */
    SL_HOW_HOST,    /* host_run(command) on the thread that made it ready; must not block, and must
                     * see to it that sl_command_finish is called */
    SL_HOW_USER,    /* a user event: finished by clSetUserEventStatus */
    SL_HOW_REPLAY,  /* the commands of a command buffer (replay.h), which host_run(command) starts
                     * and which end with the last of them */
};

/*
 * What stands in front of every work that a device gets: whose it is. A thread that starts what has
 * become ready keeps a list of these, so chains of any length and kind never nest.
 */
struct sl_step {
    struct sl_step *next;               /* in that list */
    struct _cl_event *command;          /* whose work it is, or who replays it */
    const struct sl_step_ops *replayed; /* of a node of a replay; NULL: the command itself */
};
/* What a node of a replay does where a command would be started, or hear of its work. */
struct sl_step_ops {
    void (*run)(struct sl_step *);
    /* The queue whose device gets its work; NULL: none does. */
    struct _cl_command_queue *(*submits_to)(const struct sl_step *);
    void (*started)(struct sl_step *);
    void (*ended)(struct sl_step *, int status);
    void (*explain)(const struct sl_step *, const char *why); /* why it is going to fail */
};
/* In what follows `work` is the next member. */
static inline struct sl_step *sl_step_of(struct sl_work *work)
{
    return (struct sl_step *)(void *)work - 1;
}

struct sl_edge { /* in the predecessor's `out`: "`to` waits for us"; the memory is `to`'s */
    struct sl_edge *next;
    struct _cl_event *to;
    bool listed; /* from a wait list: a failure is passed on */
};
enum { SL_INLINE_EDGES = 4 };

struct _cl_event {
    struct sl_object obj;   /* first */
    cl_context context;     /* borrowed from queue; held by user events */
    cl_command_queue queue; /* held; NULL for user events */
    cl_command_type type;
    enum sl_command_how how;
    atomic_int waits;       /* unfinished predecessors, +1 while being built; a futex */
    bool caller_runs;       /* the enqueuing thread sleeps on `waits` and starts it itself */
    atomic_int status;      /* CL_QUEUED.. CL_COMPLETE, or a negative error; a futex */
    atomic_int failed_wait; /* an error among the wait list, or 0 */
    atomic_uint waiters;    /* threads sleeping on status */
    atomic_bool user_set;   /* user event: its status was set */
    atomic_bool explained;  /* the context has heard why it is going to fail */
    atomic_uint failure;    /* failure_told.c's */
    unsigned loss;          /* sl_queue_give_up; written before `failure` says that it failed */
    bool timed;             /* when_ns is wanted: profiling or timeline */
    cl_int result;          /* the final status; written before `out` is sealed */
    struct sl_edge *_Atomic out;                 /* stack; sealed when finished */
    struct sl_event_callback *_Atomic callbacks; /* changed under lock */
    uint64_t when_ns[SL_TIME_COUNT];
    _Atomic uint64_t heard_ns; /* command_heard.h; UINT64_MAX: it has waited for others */
    uint64_t serial;           /* position in the queue */
    bool
        joins; /* waits for all earlier commands of an out-of-order queue; guarded by queue->lock */
    struct _cl_event *queue_prev,
        *queue_next;           /* in queue->live, guarded by queue->lock; of a user
                                 event among those not set, guarded as by waiting.h */
    _Atomic uint64_t stuck_ns; /* outlook.c: when it was last known that it cannot end, */
    uint64_t gated_ns;         /* or that a user event keeps it; and a list */
    struct _cl_event *look_next;
    uint32_t held_count, edge_count;
    /* For users.h: bytes at args that may be pointers; kinds of allocations that are used without.
     */
    size_t args_used;
    unsigned indirect;
    /* SL_HOW_DEVICE: asked before the device gets the work; an error ends the command. Or NULL. */
    cl_int (*on_start)(struct _cl_event *);
    void (*host_run)(struct _cl_event *);  /* SL_HOW_HOST, SL_HOW_REPLAY */
    void (*on_finish)(struct _cl_event *); /* result is set, status not yet published; or NULL */
    union {                                /* for on_start / host_run / on_finish */
        struct {
            cl_mem mem;
            void *pointer;
        } map;
        struct {
            void *pointer;
        } svm;
        struct sl_code_ref *code; /* counted: what memory of loaded code belongs to */
        struct {                  /* pipe_sides.c */
            uint32_t entered;     /* of `held`, those that were looked at */
        } pipes;
        struct { /* host_pipe_wait.c */
            struct sl_host_end *end;
            struct sl_code_ref *code; /* counted */
            struct _cl_event *next;   /* in the end's line; guarded by its turn, like in_line */
            cl_int rc;
            bool in_line;
        } pipe;
        struct sl_replay *replay;    /* guarded by queue->lock; NULL again when it has ended */
        struct {                     /* enqueue_native_command.c */
            atomic_uintptr_t caller; /* the thread in its function, or 0; would_wait_for_itself */
            cl_event pending;        /* a user event that the completion sets; or NULL */
            atomic_int completion, given; /* the state of the completion; its status */
            atomic_bool claimed;
            cl_int result;                         /* what the function returned */
            uint32_t first_command, command_count; /* among `held`; the gate comes first */
        } native;
    } u;
    struct sl_step step; /* directly in front of `work` */

    /* What follows keeps its content when the slot is used again, so that a warm command needs no
     * allocation: `work` arrives with old content and must be filled in completely. */
    struct sl_work work;
    struct sl_edge edges[SL_INLINE_EDGES];
    struct sl_edge *more_edges; /* owned: beyond the inline ones */
    uint32_t more_edges_cap;
    bool lock_ready;
    pthread_mutex_t lock; /* guards callbacks */
    void *args;           /* snapshot of the argument block, native args; 128-aligned */
    void *args_memory;    /* owned: what args lies in */
    size_t args_cap;      /* bytes at args */
    void **held;          /* owned array: objects dropped at the end */
    uint32_t held_cap;
};

/* A packet that the host reads or writes: whoever waits for it may move it. */
static inline bool sl_moves_host_packet(const struct _cl_event *e)
{
    return e->type == CL_COMMAND_READ_HOST_PIPE_INTEL ||
           e->type == CL_COMMAND_WRITE_HOST_PIPE_INTEL;
}
extern const struct sl_type sl_event_type;
_Static_assert(offsetof(struct _cl_event, step) + sizeof(struct sl_step) ==
                   offsetof(struct _cl_event, work),
               "a work is found behind its step");

/* A command of `queue` with one API reference (taken away by submit when the caller wants no
 * event). CL_OUT_OF_HOST_MEMORY on failure, CL_OUT_OF_RESOURCES in a forked child. */
cl_int sl_command_create(cl_command_queue, cl_command_type, enum sl_command_how, cl_event *out);
/* Holds `object` until the command has finished. NULL is allowed. */
cl_int sl_command_keep(cl_event, void *object);
/* Room for `bytes` of argument snapshot at command->args. */
cl_int sl_command_args(cl_event, size_t bytes);
/*
 * Checks nothing (see sl_check_wait_list). Orders the command, hands it over, and either stores it
 * in *event (one API reference) or, event NULL, lets go of it. With `blocking` waits for the end
 * and returns CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if a predecessor failed, or the
 * command's own error. The command is the graph's from here on, also when this fails. *refused
 * (not NULL) tells an error of a command that never came to be from one of a command that ended.
 */
cl_int sl_command_submit_or_refuse(cl_event, cl_uint wait_count, const cl_event *wait_list,
                                   bool blocking, cl_event *event, bool *refused);
cl_int sl_command_submit(cl_event, cl_uint wait_count, const cl_event *wait_list, bool blocking,
                         cl_event *event);
/* A command without work that waits for another one, whether that ends well or not. On
 * CL_OUT_OF_HOST_MEMORY it is gone. */
cl_int sl_command_submit_behind(cl_event, cl_event before);
/* Lets go of all that the command holds. */
void sl_command_drop_held(cl_event);
/* A command that was created but not submitted. */
void sl_command_abandon(cl_event);
/* 5.11: list/count agreement, valid events, same context: CL_INVALID_EVENT_WAIT_LIST,
 * CL_INVALID_CONTEXT. */
cl_int sl_check_wait_list(cl_context, cl_uint wait_count, const cl_event *wait_list);
/* The same, and CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if one of them has failed already. */
cl_int sl_check_intact_list(cl_context, cl_uint wait_count, const cl_event *wait_list);

/* From a host_run that finds it has to wait: the command's work goes to its device after all. */
void sl_command_hand_over(cl_event);
void sl_command_finish(cl_event, cl_int status); /* device answer, user event, host commands */
/* The same from what goes on in a walk over what is ready (start.h): it goes on with the others. */
void sl_command_settle(cl_event, cl_int status);
void sl_command_started(cl_event);
/* The command is going to fail; the context hears why, once. */
void sl_command_explain(cl_event, const char *name, const char *why);
/* Blocks until the event is complete or failed, helping its device; returns the final status.
 * `among` (waiting.h): what else the thread waits for in this call; or NULL. */
struct sl_awaited;
cl_int sl_event_wait(cl_event, const struct sl_awaited *among);
/* This thread is in the function of a native command that the event cannot be complete without. */
bool sl_event_waits_for_caller(cl_event);

/* "NDRANGE_KERNEL" for CL_COMMAND_NDRANGE_KERNEL: logs, timeline. */
const char *sl_command_name(cl_command_type);

#endif
