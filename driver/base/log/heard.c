/* SPDX-License-Identifier: Apache-2.0 */
/* See heard.h. */
#include "base/log/heard.h"

#include "base/config/config.h"
#include "base/thread/clock.h"

atomic_bool sl_hears = true;
static _Atomic uint64_t heard_ns;

bool sl_heard_is_wanted(void)
{
    const bool wanted = sl_config_bool(SL_CONFIG_FPGA_TRACE);
    if (!wanted)
        atomic_store_explicit(&sl_hears, false, memory_order_relaxed);
    return wanted;
}

void sl_heard_raise(_Atomic uint64_t *time, uint64_t to)
{
    uint64_t now = atomic_load_explicit(time, memory_order_relaxed);
    while (now < to && !atomic_compare_exchange_weak_explicit(time, &now, to, memory_order_relaxed,
                                                              memory_order_relaxed))
        ;
}

void sl_heard_note(void)
{
    if (sl_heard_is_wanted())
        sl_heard_raise(&heard_ns, sl_now_ns());
}

uint64_t sl_heard_ns(void)
{
    return atomic_load_explicit(&heard_ns, memory_order_relaxed);
}
