/* SPDX-License-Identifier: Apache-2.0 */
/* cl_context. Spec 4.4. */
#ifndef SL_DRIVER_PLATFORM_CONTEXT_H
#define SL_DRIVER_PLATFORM_CONTEXT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/object/object.h"
#include "sluice/device.h"

struct sl_destructor {
    struct sl_destructor *next;
    void (*call)(void); /* cast to the right type by the owner */
    void *user_data;
};

struct _cl_context {
    struct sl_object obj;
    cl_uint device_count;
    cl_device_id *devices;             /* owned array, held devices */
    cl_context_properties *properties; /* owned, zero-terminated; NULL when none were given */
    cl_uint property_count;            /* with terminator */
    cl_bitfield initialize;            /* CL_CONTEXT_MEMORY_INITIALIZE_*_KHR */
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *notify_data;
    bool running;                             /* its devices are started */
    pthread_mutex_t lock;                     /* guards what follows */
    struct sl_destructor *destructors;        /* newest first */
    struct sl_queue_on_device *device_queues; /* device_queue.c; borrowed */
    struct sl_interval *allocations;          /* svm_allocation.c: shared memory by address */
    void (*allocations_finish)(cl_context);   /* gives back those that are left; set with them */
    cl_command_queue queues, newest_queue;    /* queue.c: oldest first; borrowed */
    uint64_t queue_count;                     /* that there have ever been */
    cl_context next, previous;                /* among all contexts; see context.c */
};
extern const struct sl_type sl_context_type;

bool sl_context_has_device(cl_context, cl_device_id);
bool sl_context_feature(cl_context, uint32_t feature); /* some device of it has the SL_FEATURE_* */
/* Queues a call of the application's pfn_notify on the callback thread; no-op without one. Any
 * thread. */
void sl_context_notify(cl_context, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same for all contexts with that device; `json` becomes the callback's private_info. */
void sl_context_notify_all(const struct sl_device *, const char *text, const char *json);
/* The n-th of the contexts with that device, held; NULL: there are no more. */
cl_context sl_context_with(const struct sl_device *, size_t n);

#endif
