/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "base/thread/clock.h"

#include <time.h>

uint64_t sl_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
