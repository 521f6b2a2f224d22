/* SPDX-License-Identifier: Apache-2.0 */
/* See measure.h. Whole numbers, since the application's threads may have arithmetic trap. */
#include "common/runtime/measure.h"

#include <time.h>

static const char topic[] = "vectorize";

bool sl_measure_wanted(const struct sl_host_ops *host)
{
    return host->log_enabled && host->log_enabled(SL_LOG_DEBUG, topic);
}

uint64_t sl_measure_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
enum { TURNS = 1500, EACH = 16, SAMPLES = 5 };

/* Additions that wait for each other take a cycle each. */
static uint64_t least_ns(unsigned turns)
{
    uint64_t least = UINT64_MAX, x = 1;
    for (unsigned s = 0; s < SAMPLES; s++) {
        uint64_t start = sl_measure_ns();
        for (unsigned k = 0; k < turns; k++)
            __asm__ volatile(".rept 16\n add %0, %0\n .endr" : "+r"(x)::"cc");
        uint64_t took = sl_measure_ns() - start;
        least = took < least ? took : least;
    }
    return least;
}

/* Asking for the time takes time, a tenth of that of the additions. */
static uint64_t cycles_per_second(void)
{
    uint64_t asking = least_ns(0), both = least_ns(TURNS);
    return both > asking ? (uint64_t)TURNS * EACH * 1000000000u / (both - asking) : 0;
}
#else
static uint64_t cycles_per_second(void)
{
    return 0;
}
#endif

void sl_measure_tell(const struct sl_host_ops *host, const char *kernel, uint64_t items,
                     uint64_t busy_ns)
{
    uint64_t mhz = items && busy_ns ? cycles_per_second() / 1000000 : 0;
    if (!mhz)
        return;
    uint64_t thousandths = (uint64_t)((unsigned __int128)busy_ns * mhz / items);
    host->log(SL_LOG_DEBUG, topic,
              "%s: measured %llu.%03llu cycles per item: %llu items, %llu us of processor time at "
              "%llu MHz",
              kernel, (unsigned long long)(thousandths / 1000),
              (unsigned long long)(thousandths % 1000), (unsigned long long)items,
              (unsigned long long)(busy_ns / 1000), (unsigned long long)mhz);
}
