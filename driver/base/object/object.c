/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object life and the type-stable pools. Each pool shard has a lock for its free list; counts and
 * type are atomics. A slot is zeroed when it is taken, not when it is returned, so that a dead
 * handle can still be recognised; its chunk is never given back.
 */
#include "base/object/object.h"

#include <string.h>

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/thread/fork.h"
#include "sluice/base/count.h"

/* A slot rests until that many others are free: a stale handle is not soon someone else's. */
enum { QUARANTINE = 4, CHUNK_BYTES = 8192, CHUNK_MIN = 8, SLOT_ALIGN = 64 };

const struct _cl_icd_dispatch *sl_dispatch;
static void *_Atomic dispatch_data;
static struct sl_object_pool *_Atomic pools;

/*
 * The first chunks, the platform's and its devices' among them, lie in the library itself: they go
 * when it is unloaded, and handles to them can be recognised as dead until then.
 */
static unsigned char early[4 * CHUNK_BYTES] __attribute__((aligned(SLOT_ALIGN)));
static atomic_size_t early_used;

void sl_object_set_dispatch_data(void *data)
{
    atomic_store_explicit(&dispatch_data, data, memory_order_release);
}

/* Thread descriptors lie megabytes apart: multiply, take the top bits. */
static unsigned shard_of_thread(void)
{
    return (unsigned)(((uintptr_t)pthread_self() * 0x9E3779B97F4A7C15u) >> 61) % SL_POOL_SHARDS;
}

static void list_pool(struct sl_object_pool *pool)
{
    if (atomic_load_explicit(&pool->listed, memory_order_relaxed) ||
        atomic_exchange_explicit(&pool->listed, true, memory_order_relaxed))
        return;
    struct sl_object_pool *head = atomic_load_explicit(&pools, memory_order_relaxed);
    do
        atomic_store_explicit(&pool->next, head, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&pools, &head, pool, memory_order_release,
                                                  memory_order_relaxed));
}

static void give_locked(struct sl_pool_shard *shard, struct sl_object *slot)
{
    slot->pool_next = NULL;
    if (shard->last)
        shard->last->pool_next = slot;
    else
        shard->first = slot;
    shard->last = slot;
    shard->free_count++;
}

static struct sl_object *take_locked(struct sl_pool_shard *shard)
{
    struct sl_object *slot = shard->first;
    shard->first = slot->pool_next;
    if (!shard->first)
        shard->last = NULL;
    shard->free_count--;
    shard->live++;
    return slot;
}

/* Room for slots, SLOT_ALIGN-aligned and zeroed; heap chunks are listed in the shard. */
static unsigned char *new_chunk_locked(struct sl_pool_shard *shard, size_t bytes)
{
    size_t used = atomic_load_explicit(&early_used, memory_order_relaxed);
    while (bytes <= sizeof early - used)
        if (atomic_compare_exchange_weak_explicit(&early_used, &used, used + bytes,
                                                  memory_order_relaxed, memory_order_relaxed))
            return early + used;
    void **chunk = sl_zalloc(bytes + SLOT_ALIGN + sizeof *chunk);
    if (!chunk)
        return NULL;
    *chunk = shard->chunks;
    shard->chunks = chunk;
    uintptr_t first = ((uintptr_t)(chunk + 1) + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
    return (unsigned char *)first;
}

static bool grow_locked(const struct sl_type *type, unsigned index)
{
    size_t slot_bytes = (type->size + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
    size_t count = CHUNK_BYTES / slot_bytes < CHUNK_MIN ? CHUNK_MIN : CHUNK_BYTES / slot_bytes;
    struct sl_pool_shard *shard = &type->pool->shards[index];
    unsigned char *chunk = new_chunk_locked(shard, count * slot_bytes);
    for (size_t i = 0; chunk && i < count; i++) {
        struct sl_object *slot = (struct sl_object *)(void *)(chunk + i * slot_bytes);
        slot->shard = index;
        give_locked(shard, slot);
    }
    return chunk;
}

void *sl_object_new(const struct sl_type *type)
{
    if (sl_forked())
        return NULL;
    list_pool(type->pool);
    unsigned index = shard_of_thread();
    struct sl_pool_shard *shard = &type->pool->shards[index];
    pthread_mutex_lock(&shard->lock);
    struct sl_object *object = NULL;
    if (shard->free_count > QUARANTINE || grow_locked(type, index) || shard->free_count)
        object = take_locked(shard);
    pthread_mutex_unlock(&shard->lock);
    if (!object)
        return NULL;
    size_t end = type->kept ? type->kept : type->size;
    memset((char *)object + sizeof *object, 0, end - sizeof *object);
    object->dispatch = sl_dispatch;
    object->dispatch_data = atomic_load_explicit(&dispatch_data, memory_order_acquire);
    object->generation++;
    atomic_store_explicit(&object->lent, false, memory_order_relaxed);
    atomic_store_explicit(&object->api_refs, 1, memory_order_relaxed);
    atomic_store_explicit(&object->holds, 1, memory_order_relaxed);
    atomic_store_explicit(&object->type, type, memory_order_release);
    return object;
}

static void destroy(struct sl_object *object, const struct sl_type *type)
{
    atomic_store_explicit(&object->type, NULL, memory_order_release);
    if (type->destroy)
        type->destroy(object);
    struct sl_pool_shard *shard = &type->pool->shards[object->shard];
    pthread_mutex_lock(&shard->lock);
    shard->live--;
    give_locked(shard, object);
    pthread_mutex_unlock(&shard->lock);
}

bool sl_valid(const void *handle, const struct sl_type *type)
{
    const struct sl_object *object = handle;
    /* The first word is the only one that another vendor's object surely has. */
    if (!object || (uintptr_t)object % sizeof(void *) || object->dispatch != sl_dispatch)
        return false;
    if (atomic_load_explicit(&object->type, memory_order_acquire) != type)
        return false;
    return atomic_load_explicit(&object->api_refs, memory_order_relaxed) ||
           atomic_load_explicit(&object->lent, memory_order_relaxed);
}

cl_int sl_retain(void *handle, const struct sl_type *type)
{
    struct sl_object *object = handle;
    if (!sl_valid(handle, type))
        return sl_refuse(type->invalid, "not a valid %s", type->name);
    if (sl_add_unless_zero(&object->api_refs))
        return CL_SUCCESS;
    if (!sl_add_unless_zero(&object->holds))
        return sl_refuse(type->invalid, "the %s was released", type->name);
    /* Back to life: of several threads that try, one brings the hold that stands for all. */
    atomic_store_explicit(&object->lent, false, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&object->api_refs, 1, memory_order_relaxed))
        sl_drop(object);
    return CL_SUCCESS;
}

cl_int sl_release(void *handle, const struct sl_type *type)
{
    struct sl_object *object = handle;
    if (!sl_valid(handle, type))
        return sl_refuse(type->invalid, "not a valid %s", type->name);
    unsigned refs = atomic_load_explicit(&object->api_refs, memory_order_relaxed);
    do
        if (!refs)
            return sl_refuse(type->invalid, "the %s was released", type->name);
    while (!atomic_compare_exchange_weak_explicit(&object->api_refs, &refs, refs - 1,
                                                  memory_order_acq_rel, memory_order_relaxed));
    if (refs != 1)
        return CL_SUCCESS;
    if (type->released)
        type->released(object);
    sl_drop(object);
    return CL_SUCCESS;
}

void sl_lend(void *handle)
{
    struct sl_object *object = handle;
    if (!object || atomic_load_explicit(&object->api_refs, memory_order_relaxed))
        return;
    const struct sl_type *type = atomic_load_explicit(&object->type, memory_order_relaxed);
    if (type && type->parent)
        atomic_store_explicit(&object->lent, true, memory_order_relaxed);
}

cl_uint sl_api_refs(const void *handle)
{
    const struct sl_object *object = handle;
    return atomic_load_explicit(&object->api_refs, memory_order_relaxed);
}

void *sl_hold(void *handle)
{
    struct sl_object *object = handle;
    if (object)
        atomic_fetch_add_explicit(&object->holds, 1, memory_order_relaxed);
    return handle;
}

bool sl_hold_alive(void *handle)
{
    struct sl_object *object = handle;
    return sl_add_unless_zero(&object->holds);
}

void sl_drop(void *handle)
{
    struct sl_object *object = handle;
    /* Release so that our writes are seen by whoever destroys, acquire for being that one. */
    if (!object || atomic_fetch_sub_explicit(&object->holds, 1, memory_order_acq_rel) != 1)
        return;
    /* Locks may be held for ever by threads that the child does not have. */
    if (sl_forked())
        return;
    destroy(object, atomic_load_explicit(&object->type, memory_order_relaxed));
}

void sl_discard(void *handle)
{
    struct sl_object *object = handle;
    if (!object)
        return;
    atomic_store_explicit(&object->api_refs, 0, memory_order_relaxed);
    sl_drop(object);
}

size_t sl_object_count(void)
{
    size_t live = 0;
    struct sl_object_pool *pool = atomic_load_explicit(&pools, memory_order_acquire);
    for (; pool; pool = atomic_load_explicit(&pool->next, memory_order_relaxed))
        for (unsigned i = 0; i < SL_POOL_SHARDS; i++) {
            struct sl_pool_shard *shard = &pool->shards[i];
            pthread_mutex_lock(&shard->lock);
            live += shard->live;
            pthread_mutex_unlock(&shard->lock);
        }
    return live;
}
