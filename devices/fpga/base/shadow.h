/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What AddressSanitizer, ThreadSanitizer and valgrind have to be told when stacks change. Nothing
 * in other builds.
 */
#ifndef SL_FPGA_SHADOW_H
#define SL_FPGA_SHADOW_H

#include <stddef.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SL_SHADOW_ADDRESS 1
#endif
#if __has_feature(thread_sanitizer)
#define SL_SHADOW_THREAD 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SL_SHADOW_ADDRESS 1
#endif
#ifdef __SANITIZE_THREAD__
#define SL_SHADOW_THREAD 1
#endif

#if defined(SL_SHADOW_ADDRESS)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

struct sl_shadow {
    void *fake; /* the sanitizer's own, of a stack that is not running */
    const void *low;
    size_t bytes;
};

static inline void sl_shadow_init(struct sl_shadow *shadow, void *low, void *top)
{
    size_t bytes = (size_t)((char *)top - (char *)low);
    *shadow = (struct sl_shadow){.low = low, .bytes = bytes};
    __asan_unpoison_memory_region(low, bytes);
}

static inline void sl_shadow_finish(struct sl_shadow *shadow)
{
    (void)shadow;
}

static inline void sl_shadow_leave(struct sl_shadow *from, const struct sl_shadow *to)
{
    __sanitizer_start_switch_fiber(&from->fake, to->low, to->bytes);
}

static inline void sl_shadow_end(const struct sl_shadow *to)
{
    __sanitizer_start_switch_fiber(NULL, to->low, to->bytes);
}

static inline void sl_shadow_arrive(struct sl_shadow *self)
{
    __sanitizer_finish_switch_fiber(self->fake, NULL, NULL);
}

void sl_shadow_thread(struct sl_shadow *);

#elif defined(SL_SHADOW_THREAD)
#include <sanitizer/tsan_interface.h>

struct sl_shadow {
    void *fiber;
};

static inline void sl_shadow_init(struct sl_shadow *shadow, void *low, void *top)
{
    (void)low;
    (void)top;
    shadow->fiber = __tsan_create_fiber(0);
}

static inline void sl_shadow_finish(struct sl_shadow *shadow)
{
    __tsan_destroy_fiber(shadow->fiber);
}

static inline void sl_shadow_leave(struct sl_shadow *from, const struct sl_shadow *to)
{
    (void)from;
    __tsan_switch_to_fiber(to->fiber, 0);
}

static inline void sl_shadow_end(const struct sl_shadow *to)
{
    __tsan_switch_to_fiber(to->fiber, 0);
}

static inline void sl_shadow_arrive(struct sl_shadow *self)
{
    (void)self;
}

static inline void sl_shadow_thread(struct sl_shadow *self)
{
    self->fiber = __tsan_get_current_fiber();
}

#else
struct sl_shadow {
};

static inline void sl_shadow_init(struct sl_shadow *shadow, void *low, void *top)
{
    (void)shadow;
    (void)low;
    (void)top;
}

static inline void sl_shadow_finish(struct sl_shadow *shadow)
{
    (void)shadow;
}

static inline void sl_shadow_leave(struct sl_shadow *from, const struct sl_shadow *to)
{
    (void)from;
    (void)to;
}

static inline void sl_shadow_end(const struct sl_shadow *to)
{
    (void)to;
}

static inline void sl_shadow_arrive(struct sl_shadow *self)
{
    (void)self;
}

static inline void sl_shadow_thread(struct sl_shadow *self)
{
    (void)self;
}
#endif

/* Frames of fibers that never returned leave marks on their stack's memory; the next who gets the
 * addresses must not find them. */
static inline void sl_shadow_forget(void *low, size_t bytes)
{
#ifdef SL_SHADOW_ADDRESS
    __asan_unpoison_memory_region(low, bytes);
#else
    (void)low;
    (void)bytes;
#endif
}

#endif
