/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header that every OpenCL object starts with, and its life.
 *
 * Two counts. api_refs is what clRetain/clRelease move and what queries report; when it falls to
 * zero the handle is dead for the application (but see sl_lend). holds counts everybody who
 * needs the memory: the API side as one, children, commands in flight. The object is destroyed when
 * holds falls to zero. Objects hold their parents, never their children.
 *
 * Memory comes from one pool per type and goes back to it: the memory of a dead handle stays mapped
 * and marked dead, so a released handle is answered with the type's CL_INVALID_* and never
 * followed. Slots are reused first-in first-out.
 *
 * Thread-safety: all functions may be called from any thread. The spec's own sections: 5.x
 * "reference counts"; extension cl_khr_icd for the first two words.
 */
#ifndef SL_DRIVER_BASE_OBJECT_H
#define SL_DRIVER_BASE_OBJECT_H

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct sl_object;

/* Slots of one type; SL_POOL_SHARDS lists so that threads seldom meet. */
#define SL_POOL_SHARDS 8
struct sl_object_pool {
    struct sl_pool_shard {
        pthread_mutex_t lock;           /* guards the shard */
        struct sl_object *first, *last; /* free slots, oldest first */
        size_t free_count, live;
        void *chunks; /* newest first; each begins with the address of the next */
    } shards[SL_POOL_SHARDS];
    struct sl_object_pool *_Atomic next; /* of all pools in use */
    atomic_bool listed;
};
#define SL_OBJECT_POOL                                                                             \
    {                                                                                              \
        .shards = { [0 ... SL_POOL_SHARDS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER} }             \
    }

struct sl_type {                         /* use designated initialisers: rows may be added */
    const char *name;                    /* "kernel": logs, traces */
    cl_int invalid;                      /* CL_INVALID_KERNEL */
    size_t size;                         /* bytes of the whole struct */
    void (*destroy)(struct sl_object *); /* must accept half-built (zeroed) objects */
    struct sl_object_pool *pool; /* one static pool per type, initialised with SL_OBJECT_POOL */
    /* Offset of the tail of the struct that survives reuse of a slot (zero at first use, then as
     * destroy left it): buffers worth keeping. 0: nothing survives. */
    size_t kept;
    /* The object is what others are made with (context, queue, program, kernel, buffer): once the
     * application has released it, it may still get the handle from a query of one of these. From
     * then on the handle is valid again, for use and for retain, while they or commands hold the
     * object. */
    bool parent;
    /* Optional: the application let go of the object (api_refs fell to 0); it still exists. */
    void (*released)(struct sl_object *);
};

struct sl_object {
    const struct _cl_icd_dispatch *dispatch; /* first: the loader reads it */
    void *dispatch_data;                     /* second: the loader's, cl_khr_icd 2.0 */
    const struct sl_type *_Atomic type;      /* identity, checked on every entry; NULL: dead */
    atomic_uint api_refs;
    atomic_uint holds;
    struct sl_object *pool_next; /* while free */
    unsigned shard;              /* of the pool, where the slot goes back to */
    unsigned generation;         /* how many objects the slot has held: tells a reused handle */
    atomic_bool lent;            /* see sl_lend */
};

/* Zeroed but for the header and type->kept: api_refs 1, holds 1. NULL when memory is out. */
void *sl_object_new(const struct sl_type *) __attribute__((warn_unused_result));

/* True if `object` is a live handle of that type. Accepts NULL, dead and other vendors' handles. */
bool sl_valid(const void *object, const struct sl_type *);

/* clRetain*, clRelease*: SL type's invalid code for a bad handle. */
cl_int sl_retain(void *object, const struct sl_type *);
cl_int sl_release(void *object, const struct sl_type *);
cl_uint sl_api_refs(const void *object);

/* A query hands the object out to the application; see sl_type.parent. NULL is a no-op. */
void sl_lend(void *object);

/* Internal counts; NULL is a no-op. sl_hold returns its argument. */
void *sl_hold(void *object);
/* The same for one that may be on its way out, in a list that it leaves under a lock that we have:
 * false if it is too late. */
bool sl_hold_alive(void *object);
void sl_drop(void *object);
/* Ends an object that never reached the application: both counts. NULL is a no-op. */
void sl_discard(void *object);

/* The word of clIcdSetPlatformDispatchDataKHR, copied into every object made afterwards. */
void sl_object_set_dispatch_data(void *data);

extern const struct _cl_icd_dispatch *sl_dispatch; /* set by icd/ before the first object exists */

/* Live objects of all types, for tests and leak reports. */
size_t sl_object_count(void);

#endif
