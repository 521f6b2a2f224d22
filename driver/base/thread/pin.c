/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps our code mapped. One atomic; no lock. */
#include "base/thread/pin.h"

#include <dlfcn.h>
#include <stdatomic.h>

static atomic_bool pinned;

void sl_pin_library(void)
{
    Dl_info info;
    if (atomic_exchange_explicit(&pinned, true, memory_order_relaxed))
        return;
    if (dladdr(&pinned, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool sl_pinned(void)
{
    return atomic_load_explicit(&pinned, memory_order_relaxed);
}
